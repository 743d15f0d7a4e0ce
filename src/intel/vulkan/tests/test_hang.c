/* SPDX-License-Identifier: MIT */
/* Work that does not end. */
#include "vkt_triangle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hang_endless_frag.h"

/* The same words for the program. */
static void
check_fault(void)
{
   VKT_INFO(DeviceFaultCountsEXT, counts);
   VKT_CHECK(VKT_PROC(vkGetDeviceFaultInfoEXT)(vkt.device, &counts, NULL));
   assert_in_range(counts.vendorInfoCount, 1, 32);
   VkDeviceFaultVendorInfoEXT lines[32];
   VKT_INFO(DeviceFaultInfoEXT, info, .pVendorInfos = lines);
   VKT_CHECK(VKT_PROC(vkGetDeviceFaultInfoEXT)(vkt.device, &counts, &info));
   assert_true(strlen(info.description) > 0);
   bool endless = false;
   for (uint32_t i = 0; i < counts.vendorInfoCount; i++)
      endless |= strstr(lines[i].description, "endless") != NULL;
   assert_true(endless);
   counts.vendorInfoCount = 0;
   assert_int_equal(VKT_PROC(vkGetDeviceFaultInfoEXT)(vkt.device, &counts,
                                                      &info),
                    VK_INCOMPLETE);
}

static VkFence
create_fence(void)
{
   return VKT_NEW(Fence, FENCE);
}

static VkCommandBuffer
record_endless(struct vkt_triangle *t)
{
   vkt_triangle_create(t);
   vkt_triangle_pipeline(t, VK_NULL_HANDLE, &VKT_SHADER(endless_frag));
   VkCommandBuffer cmd = vkt_begin();
   vkt_triangle_begin(cmd, t, VK_SUBPASS_CONTENTS_INLINE);
   vkt_triangle_record(cmd, t);
   vkCmdEndRenderPass(cmd);
   VKT_CHECK(vkEndCommandBuffer(cmd));
   return cmd;
}

/* A shader that does not end: the device is lost, and why is said.
 * Nothing can be done with the device afterwards. */
static void
test_endless_shader(void **state)
{
   /* To the layers, work is still in flight. */
   if (vkt_is_validated())
      skip();
   struct vkt_triangle t;
   VkCommandBuffer cmd = record_endless(&t);
   VkFence fence = create_fence();
   const VKT_INFO(SubmitInfo, info, .commandBufferCount = 1,
                  .pCommandBuffers = &cmd);
   FILE *report = tmpfile();
   assert_non_null(report);
   const int saved = vkt_divert_stderr(report);
   const time_t start = time(NULL);
   VkResult result = vkQueueSubmit(vkt.queue, 1, &info, fence);
   if (result == VK_SUCCESS)
      result = vkWaitForFences(vkt.device, 1, &fence, VK_TRUE, UINT64_MAX);
   const time_t seconds = time(NULL) - start;
   vkt_restore_stderr(saved);

   assert_int_equal(result, VK_ERROR_DEVICE_LOST);
   assert_in_range(seconds, 0, 10);
   assert_int_equal(vkDeviceWaitIdle(vkt.device), VK_ERROR_DEVICE_LOST);
   char text[4096];
   rewind(report);
   text[fread(text, 1, sizeof(text) - 1, report)] = 0;
   fclose(report);
   if (!strstr(text, "device lost"))
      fail_msg("no report, but: %s", text);
   printf("%s", text);

   check_fault();
   vkDestroyFence(vkt.device, fence, NULL);
   vkt_triangle_destroy(&t);
}

struct waiter {
   VkFence fence;         /* or */
   VkSemaphore semaphore; /* for 1, or */
   VkSwapchainKHR chain;  /* for what is presented as 1 */
   VkResult result;
};

static void *
wait_forever(void *data)
{
   struct waiter *w = data;
   const uint64_t one = 1;
   const VKT_INFO(SemaphoreWaitInfo, info, .semaphoreCount = 1,
                  .pSemaphores = &w->semaphore, .pValues = &one);
   if (w->fence)
      w->result =
         vkWaitForFences(vkt.device, 1, &w->fence, VK_TRUE, UINT64_MAX);
   else if (w->chain)
      w->result =
         VKT_PROC(vkWaitForPresentKHR)(vkt.device, w->chain, one, UINT64_MAX);
   else
      w->result =
         VKT_PROC(vkWaitSemaphoresKHR)(vkt.device, &info, UINT64_MAX);
   return NULL;
}

/* Others open the same simulated GPU, which is about to report: under the
 * thread sanitizer, a race of what it has reported before. */
static void *
open_often(void *stop)
{
   const VKT_INFO(InstanceCreateInfo, info);
   while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED)) {
      VkInstance instance;
      uint32_t count;
      VKT_CHECK(vkCreateInstance(&info, NULL, &instance));
      VKT_CHECK(vkEnumeratePhysicalDevices(instance, &count, NULL));
      vkDestroyInstance(instance, NULL);
      usleep(1000);
   }
   return NULL;
}

static VkSemaphore
create_timeline(void)
{
   const VKT_INFO(SemaphoreTypeCreateInfo, type,
                  .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE);
   return VKT_NEW(Semaphore, SEMAPHORE, .pNext = &type);
}

/* That nobody sees. */
static VkSwapchainKHR
create_chain(VkSurfaceKHR *surface)
{
   const VKT_INFO(HeadlessSurfaceCreateInfoEXT, info);
   PFN_vkCreateHeadlessSurfaceEXT create = (PFN_vkCreateHeadlessSurfaceEXT)
      vkGetInstanceProcAddr(vkt.instance, "vkCreateHeadlessSurfaceEXT");
   VKT_CHECK(create(vkt.instance, &info, NULL, surface));
   return vkt_swapchain_create(*surface, VK_PRESENT_MODE_IMMEDIATE_KHR, 64);
}

/* Others wait for a fence whose submission waits, and for what nobody has
 * submitted or presented: that never comes once the device is lost, but they
 * return. */
static void
test_waiters(void **state)
{
   if (vkt_is_validated())
      skip();
   struct vkt_triangle t;
   VkCommandBuffer cmd = record_endless(&t);
   VkSemaphore semaphore = create_timeline();
   VkSurfaceKHR surface;
   VkSwapchainKHR chain = create_chain(&surface);
   struct waiter waiters[] = {
      { .fence = create_fence() },
      { .semaphore = semaphore },
      { .chain = chain },
   };
   VkFence first = create_fence();
   const uint64_t one = 1;
   const VKT_INFO(TimelineSemaphoreSubmitInfo, values,
                  .waitSemaphoreValueCount = 1, .pWaitSemaphoreValues = &one);
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const VKT_INFO(SubmitInfo, waiting, .pNext = &values,
                  .waitSemaphoreCount = 1, .pWaitSemaphores = &semaphore,
                  .pWaitDstStageMask = &stage);
   const VKT_INFO(SubmitInfo, endless, .commandBufferCount = 1,
                  .pCommandBuffers = &cmd);
   pthread_t threads[3], opener;
   bool stop = false;
   alarm(20);
   assert_int_equal(pthread_create(&opener, NULL, open_often, &stop), 0);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(
         pthread_create(&threads[i], NULL, wait_forever, &waiters[i]), 0);
   VkResult result = vkQueueSubmit(vkt.queue, 1, &endless, first);
   if (result == VK_SUCCESS) {
      vkQueueSubmit(vkt.queue, 1, &waiting, waiters[0].fence);
      result = vkWaitForFences(vkt.device, 1, &first, VK_TRUE, UINT64_MAX);
   }
   assert_int_equal(result, VK_ERROR_DEVICE_LOST);
   for (unsigned i = 0; i < 3; i++) {
      pthread_join(threads[i], NULL);
      assert_int_equal(waiters[i].result, VK_ERROR_DEVICE_LOST);
   }
   assert_int_equal(vkDeviceWaitIdle(vkt.device), VK_ERROR_DEVICE_LOST);
   __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
   pthread_join(opener, NULL);
   alarm(0);
   vkDestroyFence(vkt.device, first, NULL);
   vkDestroyFence(vkt.device, waiters[0].fence, NULL);
   vkDestroySemaphore(vkt.device, semaphore, NULL);
   vkDestroySwapchainKHR(vkt.device, chain, NULL);
   vkDestroySurfaceKHR(vkt.instance, surface, NULL);
   vkt_triangle_destroy(&t);
}

int
main(void)
{
   /* Each has a device of its own to lose. */
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_endless_shader, vkt_setup,
                                      vkt_teardown),
      cmocka_unit_test_setup_teardown(test_waiters, vkt_setup, vkt_teardown),
   };
   /* Shorter than it is. */
   setenv("SAFFRON_SIM_HANG_MS", "1000", 0);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
