/* SPDX-License-Identifier: MIT */
/* Work that does not end. */
#include "vkt_triangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hang_endless_frag.h"

/* The same words for the program. */
static void
check_fault(void)
{
   VkDeviceFaultCountsEXT counts = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT,
   };
   VKT_CHECK(VKT_PROC(vkGetDeviceFaultInfoEXT)(vkt.device, &counts, NULL));
   assert_in_range(counts.vendorInfoCount, 1, 32);
   VkDeviceFaultVendorInfoEXT lines[32];
   VkDeviceFaultInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT,
      .pVendorInfos = lines,
   };
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

/* A shader that does not end: the device is lost, and why is said.
 * Nothing can be done with the device afterwards. */
static void
test_endless_shader(void **state)
{
   /* To the layers, work is still in flight. */
   if (vkt_is_validated())
      skip();
   struct vkt_triangle t;
   vkt_triangle_create(&t);
   vkt_triangle_pipeline(&t, VK_NULL_HANDLE, &VKT_SHADER(endless_frag));
   VkCommandBuffer cmd = vkt_begin();
   vkt_triangle_begin(cmd, &t, VK_SUBPASS_CONTENTS_INLINE);
   vkt_triangle_record(cmd, &t);
   vkCmdEndRenderPass(cmd);
   VKT_CHECK(vkEndCommandBuffer(cmd));

   const VkFenceCreateInfo fence_info = {
      .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
   };
   VkFence fence;
   VKT_CHECK(vkCreateFence(vkt.device, &fence_info, NULL, &fence));
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &cmd,
   };
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_endless_shader),
   };
   /* Shorter than it is. */
   setenv("SAFFRON_SIM_HANG_MS", "1000", 0);
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
