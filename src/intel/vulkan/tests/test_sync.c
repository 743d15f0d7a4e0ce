/* SPDX-License-Identifier: MIT */
/* Semaphores and fences, and what goes on meanwhile. */
#include "vkt.h"

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

static VkSemaphore
create_timeline(void)
{
   const VKT_INFO(SemaphoreTypeCreateInfo, type,
                  .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE);
   return VKT_NEW(Semaphore, SEMAPHORE, .pNext = &type);
}

static VkFence
create_fence(void)
{
   return VKT_NEW(Fence, FENCE);
}

static VkCommandBuffer
fill(const struct vkt_buffer *b, uint32_t value)
{
   VkCommandBuffer cmd = vkt_begin();
   vkCmdFillBuffer(cmd, b->buffer, 0, VK_WHOLE_SIZE, value);
   vkt_barrier(cmd);
   VKT_CHECK(vkEndCommandBuffer(cmd));
   return cmd;
}

/* The submission waits for what this thread signals afterwards: it hung. What
 * is submitted after it comes after it. */
static void
test_wait_before_signal(void **state)
{
   VkSemaphore semaphore = create_timeline();
   VkFence fence = create_fence();
   struct vkt_buffer b = vkt_buffer_create(4);
   VkCommandBuffer first = fill(&b, 1), second = fill(&b, 2);
   const uint64_t three = 3;
   const VKT_INFO(TimelineSemaphoreSubmitInfo, values,
                  .waitSemaphoreValueCount = 1,
                  .pWaitSemaphoreValues = &three);
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const VKT_INFO(SubmitInfo, waiting, .pNext = &values,
                  .waitSemaphoreCount = 1, .pWaitSemaphores = &semaphore,
                  .pWaitDstStageMask = &stage, .commandBufferCount = 1,
                  .pCommandBuffers = &first);
   const VKT_INFO(SubmitInfo, later, .commandBufferCount = 1,
                  .pCommandBuffers = &second);
   alarm(20);
   VKT_CHECK(vkQueueSubmit(vkt.queue, 1, &waiting, VK_NULL_HANDLE));
   VKT_CHECK(vkQueueSubmit(vkt.queue, 1, &later, fence));
   assert_int_equal(vkWaitForFences(vkt.device, 1, &fence, VK_TRUE, 1000000),
                    VK_TIMEOUT);
   assert_int_equal(*(uint32_t *)b.map, 0xcdcdcdcd);

   const VKT_INFO(SemaphoreSignalInfo, signal, .semaphore = semaphore,
                  .value = three);
   VKT_CHECK(VKT_PROC(vkSignalSemaphoreKHR)(vkt.device, &signal));
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &fence, VK_TRUE, UINT64_MAX));
   assert_int_equal(*(uint32_t *)b.map, 2);
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
   alarm(0);
   vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &first);
   vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &second);
   vkDestroyFence(vkt.device, fence, NULL);
   vkDestroySemaphore(vkt.device, semaphore, NULL);
   vkt_buffer_destroy(&b);
}

static uint64_t
counter(VkSemaphore semaphore)
{
   PFN_vkGetSemaphoreCounterValueKHR get = (PFN_vkGetSemaphoreCounterValueKHR)
      vkGetDeviceProcAddr(vkt.device, "vkGetSemaphoreCounterValueKHR");
   uint64_t value;
   VKT_CHECK(get(vkt.device, semaphore, &value));
   return value;
}

static VkSemaphoreSignalInfo
signal_to(VkSemaphore semaphore, uint64_t value)
{
   return VKT_STRUCT(SemaphoreSignalInfo, .semaphore = semaphore,
                     .value = value);
}

/* Of two, one that is reached ends a wait for any, and none for all. */
static void
test_all_and_any(void **state)
{
   const VkSemaphore both[2] = { create_timeline(), create_timeline() };
   const uint64_t values[2] = { 3, 4 };
   for (unsigned first = 0; first < 2; first++) {
      const uint64_t base = 10 * first;
      const uint64_t wanted[2] = { base + values[0], base + values[1] };
      VKT_INFO(SemaphoreWaitInfo, all, .semaphoreCount = 2,
               .pSemaphores = both, .pValues = wanted);
      VkSemaphoreWaitInfo any = all;
      any.flags = VK_SEMAPHORE_WAIT_ANY_BIT;
      for (unsigned done = 0; done < 3; done++) {
         for (unsigned timeout_ns = 0; timeout_ns < 2; timeout_ns++) {
            assert_int_equal(VKT_PROC(vkWaitSemaphoresKHR)(vkt.device, &all,
                                                           timeout_ns),
                             done == 2 ? VK_SUCCESS : VK_TIMEOUT);
            assert_int_equal(VKT_PROC(vkWaitSemaphoresKHR)(vkt.device, &any,
                                                           timeout_ns),
                             done ? VK_SUCCESS : VK_TIMEOUT);
         }
         const unsigned next = (first + done) % 2;
         const VkSemaphoreSignalInfo info =
            signal_to(both[next], wanted[next]);
         if (done < 2)
            VKT_CHECK(VKT_PROC(vkSignalSemaphoreKHR)(vkt.device, &info));
      }
   }
   vkDestroySemaphore(vkt.device, both[0], NULL);
   vkDestroySemaphore(vkt.device, both[1], NULL);
}

/* Zero is reached from the start: what has no other value yet holds no wait
 * up, whether it is first or second. */
static void
test_zero(void **state)
{
   PFN_vkWaitSemaphoresKHR wait = VKT_PROC(vkWaitSemaphoresKHR);
   const VkSemaphore both[2] = { create_timeline(), create_timeline() };
   for (unsigned i = 0; i < 4; i++) {
      const uint64_t values[2] = { i & 1, i >> 1 };
      VKT_INFO(SemaphoreWaitInfo, all, .semaphoreCount = 2,
               .pSemaphores = both, .pValues = values);
      VkSemaphoreWaitInfo any = all;
      any.flags = VK_SEMAPHORE_WAIT_ANY_BIT;
      assert_int_equal(wait(vkt.device, &all, 1),
                       i == 0 ? VK_SUCCESS : VK_TIMEOUT);
      assert_int_equal(wait(vkt.device, &any, 1),
                       i == 3 ? VK_TIMEOUT : VK_SUCCESS);
   }
   vkDestroySemaphore(vkt.device, both[0], NULL);
   vkDestroySemaphore(vkt.device, both[1], NULL);
}

static void
test_timeline(void **state)
{
   PFN_vkWaitSemaphoresKHR wait =
      (PFN_vkWaitSemaphoresKHR)vkGetDeviceProcAddr(vkt.device,
                                                   "vkWaitSemaphoresKHR");
   PFN_vkSignalSemaphoreKHR signal =
      (PFN_vkSignalSemaphoreKHR)vkGetDeviceProcAddr(vkt.device,
                                                    "vkSignalSemaphoreKHR");
   const VKT_INFO(SemaphoreTypeCreateInfo, type,
                  .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                  .initialValue = 5);
   VkSemaphore semaphore = VKT_NEW(Semaphore, SEMAPHORE, .pNext = &type);
   assert_int_equal(counter(semaphore), 5);

   uint64_t value = 7;
   const VKT_INFO(SemaphoreWaitInfo, wait_info, .semaphoreCount = 1,
                  .pSemaphores = &semaphore, .pValues = &value);
   assert_int_equal(wait(vkt.device, &wait_info, 1000000), VK_TIMEOUT);
   const VKT_INFO(TimelineSemaphoreSubmitInfo, values,
                  .signalSemaphoreValueCount = 1,
                  .pSignalSemaphoreValues = &value);
   const VKT_INFO(SubmitInfo, submit_info, .pNext = &values,
                  .signalSemaphoreCount = 1, .pSignalSemaphores = &semaphore);
   VKT_CHECK(vkQueueSubmit(vkt.queue, 1, &submit_info, VK_NULL_HANDLE));
   VKT_CHECK(wait(vkt.device, &wait_info, 20000000000ull));
   assert_int_equal(counter(semaphore), 7);

   const VkSemaphoreSignalInfo signal_info = signal_to(semaphore, 9);
   VKT_CHECK(signal(vkt.device, &signal_info));
   assert_int_equal(counter(semaphore), 9);
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
   vkDestroySemaphore(vkt.device, semaphore, NULL);
}

static void
test_empty_submit(void **state)
{
   VKT_CHECK(vkQueueSubmit(vkt.queue, 0, NULL, VK_NULL_HANDLE));
   vkt_submit(vkt_begin());
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
}

/* ---- memory that goes while work is handed over ---- */

static void *
come_and_go(void *stop)
{
   const VKT_INFO(MemoryAllocateInfo, info, .allocationSize = 4096);
   VkDeviceMemory memory[8];
   while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED)) {
      for (unsigned i = 0; i < 8; i++) {
         if (vkAllocateMemory(vkt.device, &info, NULL, &memory[i]))
            memory[i] = VK_NULL_HANDLE;
      }
      for (unsigned i = 0; i < 8; i++)
         vkFreeMemory(vkt.device, memory[i], NULL);
   }
   return NULL;
}

#define SUBMISSIONS 64

/* A submission named what another thread had freed since: the device was
 * lost. So many that the kernel lets the last ones wait, with their lists. */
static void
test_free_meanwhile(void **state)
{
   struct vkt_buffer b = vkt_buffer_create(1 << 16);
   VkCommandBuffer cmds[SUBMISSIONS];
   for (unsigned i = 0; i < SUBMISSIONS; i++)
      cmds[i] = fill(&b, i);
   bool stop = false;
   pthread_t thread;
   assert_int_equal(pthread_create(&thread, NULL, come_and_go, &stop), 0);
   VkResult result = VK_SUCCESS;
   for (unsigned i = 0; i < SUBMISSIONS && !result; i++) {
      const VKT_INFO(SubmitInfo, info, .commandBufferCount = 1,
                     .pCommandBuffers = &cmds[i]);
      result = vkQueueSubmit(vkt.queue, 1, &info, VK_NULL_HANDLE);
   }
   __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
   pthread_join(thread, NULL);
   VKT_CHECK(result);
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
   vkFreeCommandBuffers(vkt.device, vkt.pool, SUBMISSIONS, cmds);
   vkt_buffer_destroy(&b);
}

/* ---- files of fences while a submission waits for the host ---- */

static VkSemaphore
create_shared_semaphore(void)
{
   const VKT_INFO(ExportSemaphoreCreateInfo, export,
                  .handleTypes =
                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
   return VKT_NEW(Semaphore, SEMAPHORE, .pNext = &export);
}

static VkFence
create_shared_fence(void)
{
   const VKT_INFO(ExportFenceCreateInfo, export,
                  .handleTypes = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT);
   return VKT_NEW(Fence, FENCE, .pNext = &export);
}

static void
submit(VkSemaphore wait, VkSemaphore signal, VkFence fence)
{
   const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const VKT_INFO(SubmitInfo, info,
                  .waitSemaphoreCount = wait != VK_NULL_HANDLE,
                  .pWaitSemaphores = &wait, .pWaitDstStageMask = &all,
                  .signalSemaphoreCount = signal != VK_NULL_HANDLE,
                  .pSignalSemaphores = &signal);
   VKT_CHECK(vkQueueSubmit(vkt.queue, 1, &info, fence));
}

static int
export_semaphore(VkSemaphore semaphore)
{
   const VKT_INFO(SemaphoreGetFdInfoKHR, info, .semaphore = semaphore,
                  .handleType =
                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
   int fd = -1;
   VKT_CHECK(VKT_PROC(vkGetSemaphoreFdKHR)(vkt.device, &info, &fd));
   return fd;
}

/* After value 1 of `timeline`. */
static void
submit_later(VkSemaphore timeline, VkCommandBuffer cmd, VkSemaphore signal)
{
   const uint64_t one = 1;
   const VKT_INFO(TimelineSemaphoreSubmitInfo, values,
                  .waitSemaphoreValueCount = 1, .pWaitSemaphoreValues = &one);
   const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const VKT_INFO(SubmitInfo, info, .pNext = &values, .waitSemaphoreCount = 1,
                  .pWaitSemaphores = &timeline, .pWaitDstStageMask = &all,
                  .commandBufferCount = 1, .pCommandBuffers = &cmd,
                  .signalSemaphoreCount = signal != VK_NULL_HANDLE,
                  .pSignalSemaphores = &signal);
   VKT_CHECK(vkQueueSubmit(vkt.queue, 1, &info, VK_NULL_HANDLE));
}

static void
signal_one(VkSemaphore timeline)
{
   const VKT_INFO(SemaphoreSignalInfo, info, .semaphore = timeline,
                  .value = 1);
   VKT_CHECK(VKT_PROC(vkSignalSemaphoreKHR)(vkt.device, &info));
}

static int
export_fence(VkFence fence)
{
   const VKT_INFO(FenceGetFdInfoKHR, get, .fence = fence,
                  .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT);
   int fd = -1;
   VKT_CHECK(VKT_PROC(vkGetFenceFdKHR)(vkt.device, &get, &fd));
   return fd;
}

/* What a submission that comes later does is none of theirs: exports waited
 * for it, and this thread was the one to let it go. */
static void
test_export_beside_pending(void **state)
{
   VkSemaphore semaphore = create_shared_semaphore(),
               timeline = create_timeline();
   VkFence fence = create_shared_fence();
   struct vkt_buffer b = vkt_buffer_create(4);
   VkCommandBuffer cmd = fill(&b, 1);
   alarm(20);
   submit(VK_NULL_HANDLE, semaphore, fence);
   submit_later(timeline, cmd, VK_NULL_HANDLE);
   close(export_semaphore(semaphore));
   close(export_fence(fence));
   signal_one(timeline);
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
   alarm(0);
   vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &cmd);
   vkDestroySemaphore(vkt.device, semaphore, NULL);
   vkDestroySemaphore(vkt.device, timeline, NULL);
   vkDestroyFence(vkt.device, fence, NULL);
   vkt_buffer_destroy(&b);
}

/* The semaphore was signalled and waited for before: its fence is to be the
 * one of the signal that comes late, of a fill that takes a moment. */
static void
test_export_of_pending(void **state)
{
   VkSemaphore semaphore = create_shared_semaphore(),
               timeline = create_timeline();
   struct vkt_buffer b = vkt_buffer_create(4 << 20);
   VkCommandBuffer cmd = fill(&b, 1);
   alarm(20);
   submit(VK_NULL_HANDLE, semaphore, VK_NULL_HANDLE);
   submit(semaphore, VK_NULL_HANDLE, VK_NULL_HANDLE);
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
   submit_later(timeline, cmd, semaphore);
   signal_one(timeline);
   struct pollfd done = {
      .fd = export_semaphore(semaphore),
      .events = POLLIN,
   };
   assert_int_equal(poll(&done, 1, -1), 1);
   close(done.fd);
   assert_int_equal(((uint32_t *)b.map)[(b.size_B - 4) / 4], 1);
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
   alarm(0);
   vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &cmd);
   vkDestroySemaphore(vkt.device, semaphore, NULL);
   vkDestroySemaphore(vkt.device, timeline, NULL);
   vkt_buffer_destroy(&b);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wait_before_signal),
      cmocka_unit_test(test_zero),
      cmocka_unit_test(test_timeline),
      cmocka_unit_test(test_all_and_any),
      cmocka_unit_test(test_empty_submit),
      cmocka_unit_test(test_free_meanwhile),
      cmocka_unit_test(test_export_beside_pending),
      cmocka_unit_test(test_export_of_pending),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
