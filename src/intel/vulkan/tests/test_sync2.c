/* SPDX-License-Identifier: MIT */
/* Barriers, events, timestamps and submissions as VK_KHR_synchronization2
 * words them. */
#include "vkt.h"

#include <unistd.h>

#define SIZE 16

static void
barrier(VkCommandBuffer cmd, const struct vkt_image *image,
        VkImageLayout from, VkImageLayout to)
{
   const VKT_INFO(MemoryBarrier2, memory,
                  .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT |
                                  VK_PIPELINE_STAGE_2_CLEAR_BIT,
                  .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                  .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                  .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT);
   const VKT_INFO(
      ImageMemoryBarrier2, images,
      .srcStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT,
      .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT |
                      VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
      .dstAccessMask = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, .oldLayout = from,
      .newLayout = to, .image = image ? image->image : VK_NULL_HANDLE,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 });
   const VKT_INFO(DependencyInfo, info, .memoryBarrierCount = 1,
                  .pMemoryBarriers = &memory,
                  .imageMemoryBarrierCount = image ? 1 : 0,
                  .pImageMemoryBarriers = &images);
   VKT_PROC(vkCmdPipelineBarrier2KHR)(cmd, &info);
}

/* Ends, submits, frees nothing. */
static void
submit2(VkCommandBuffer cmd, VkSemaphore wait, uint64_t wait_value,
        VkSemaphore signal, uint64_t signal_value, VkFence fence)
{
   VKT_CHECK(vkEndCommandBuffer(cmd));
   const VKT_INFO(CommandBufferSubmitInfo, buffer, .commandBuffer = cmd);
   const VKT_INFO(SemaphoreSubmitInfo, waits, .semaphore = wait,
                  .value = wait_value,
                  .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
   const VKT_INFO(SemaphoreSubmitInfo, signals, .semaphore = signal,
                  .value = signal_value,
                  .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
   const VKT_INFO(SubmitInfo2, info, .waitSemaphoreInfoCount = wait ? 1 : 0,
                  .pWaitSemaphoreInfos = &waits, .commandBufferInfoCount = 1,
                  .pCommandBufferInfos = &buffer,
                  .signalSemaphoreInfoCount = signal ? 1 : 0,
                  .pSignalSemaphoreInfos = &signals);
   VKT_CHECK(VKT_PROC(vkQueueSubmit2KHR)(vkt.queue, 1, &info, fence));
}

static void
test_barriers(void **state)
{
   struct vkt_image image =
      VKT_IMAGE(.width = SIZE, .height = SIZE,
                .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                         VK_IMAGE_USAGE_SAMPLED_BIT);
   struct vkt_buffer middle = vkt_buffer_create(SIZE * SIZE * 4);
   struct vkt_buffer out = vkt_buffer_create(SIZE * SIZE * 4);
   const VkClearColorValue color = { .float32 = { 0, 0, 1, 1 } };
   const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                           1 };
   const VkBufferImageCopy all = {
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .imageExtent = { SIZE, SIZE, 1 },
   };
   const VkBufferCopy copy = { 0, 0, SIZE * SIZE * 4 };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1,
                        &range);
   barrier(cmd, &image, VK_IMAGE_LAYOUT_GENERAL,
           VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL);
   barrier(cmd, &image, VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL,
           VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL,
                          middle.buffer, 1, &all);
   barrier(cmd, NULL, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_UNDEFINED);
   vkCmdCopyBuffer(cmd, middle.buffer, out.buffer, 1, &copy);
   submit2(cmd, VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      assert_int_equal(((uint32_t *)out.map)[i], 0xffff0000);
   vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &cmd);
   vkt_buffer_destroy(&middle);
   vkt_buffer_destroy(&out);
   vkt_image_destroy(&image);
}

static VkSemaphore
create_semaphore(VkSemaphoreType kind)
{
   const VKT_INFO(SemaphoreTypeCreateInfo, type, .semaphoreType = kind);
   return VKT_NEW(Semaphore, SEMAPHORE, .pNext = &type);
}

/* A submission that waits for a point of the host's, one that it signals and
 * that the next one waits for, a fence, and a submission of nothing. */
static void
test_submissions(void **state)
{
   VkSemaphore timeline = create_semaphore(VK_SEMAPHORE_TYPE_TIMELINE);
   VkSemaphore binary = create_semaphore(VK_SEMAPHORE_TYPE_BINARY);
   const VKT_INFO(FenceCreateInfo, fence_info);
   VkFence fence, empty;
   VKT_CHECK(vkCreateFence(vkt.device, &fence_info, NULL, &fence));
   VKT_CHECK(vkCreateFence(vkt.device, &fence_info, NULL, &empty));
   struct vkt_buffer b = vkt_buffer_create(4);
   VkCommandBuffer first = vkt_begin(), second = vkt_begin();
   vkCmdFillBuffer(first, b.buffer, 0, 4, 1);
   vkCmdFillBuffer(second, b.buffer, 0, 4, 2);
   alarm(20);
   submit2(first, timeline, 3, binary, 0, VK_NULL_HANDLE);
   submit2(second, binary, 0, timeline, 5, fence);
   assert_int_equal(vkWaitForFences(vkt.device, 1, &fence, VK_TRUE, 1000000),
                    VK_TIMEOUT);
   assert_int_equal(*(uint32_t *)b.map, 0xcdcdcdcd);
   const VKT_INFO(SemaphoreSignalInfo, signal, .semaphore = timeline,
                  .value = 3);
   VKT_CHECK(vkSignalSemaphore(vkt.device, &signal));
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &fence, VK_TRUE, UINT64_MAX));
   assert_int_equal(*(uint32_t *)b.map, 2);
   uint64_t value;
   VKT_CHECK(vkGetSemaphoreCounterValue(vkt.device, timeline, &value));
   assert_int_equal(value, 5);
   VKT_CHECK(VKT_PROC(vkQueueSubmit2KHR)(vkt.queue, 0, NULL, empty));
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &empty, VK_TRUE, UINT64_MAX));
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
   alarm(0);
   vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &first);
   vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &second);
   vkDestroyFence(vkt.device, fence, NULL);
   vkDestroyFence(vkt.device, empty, NULL);
   vkDestroySemaphore(vkt.device, timeline, NULL);
   vkDestroySemaphore(vkt.device, binary, NULL);
   vkt_buffer_destroy(&b);
}

/* Set and waited for in one command buffer, reset in another; the time goes
 * on between two stamps. */
static void
test_events_and_timestamps(void **state)
{
   const VKT_INFO(DependencyInfo, nothing);
   VkEvent event = VKT_NEW(Event, EVENT);
   VkQueryPool pool = VKT_NEW(QueryPool, QUERY_POOL,
                              .queryType = VK_QUERY_TYPE_TIMESTAMP,
                              .queryCount = 2);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdResetQueryPool(cmd, pool, 0, 2);
   VKT_PROC(vkCmdWriteTimestamp2KHR)
   (cmd, VK_PIPELINE_STAGE_2_NONE, pool, 0);
   VKT_PROC(vkCmdSetEvent2KHR)(cmd, event, &nothing);
   VKT_PROC(vkCmdWaitEvents2KHR)(cmd, 1, &event, &nothing);
   VKT_PROC(vkCmdWriteTimestamp2KHR)
   (cmd, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
   vkt_submit(cmd);
   assert_int_equal(vkGetEventStatus(vkt.device, event), VK_EVENT_SET);
   uint64_t stamps[2];
   VKT_CHECK(vkGetQueryPoolResults(vkt.device, pool, 0, 2, sizeof(stamps),
                                   stamps, 8, VK_QUERY_RESULT_64_BIT));
   assert_true(stamps[1] >= stamps[0]);
   cmd = vkt_begin();
   VKT_PROC(vkCmdResetEvent2KHR)
   (cmd, event, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
   vkt_submit(cmd);
   assert_int_equal(vkGetEventStatus(vkt.device, event), VK_EVENT_RESET);
   vkDestroyQueryPool(vkt.device, pool, NULL);
   vkDestroyEvent(vkt.device, event, NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_submissions),
      cmocka_unit_test(test_events_and_timestamps),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
