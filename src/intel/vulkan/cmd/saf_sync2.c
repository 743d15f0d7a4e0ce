/* SPDX-License-Identifier: MIT */
/*
 * Barriers, events, timestamps and submissions as VK_KHR_synchronization2
 * words them. Each becomes the older command, which also records it in a
 * secondary command buffer: every barrier of this driver waits for all and
 * flushes all, so that stages say nothing, and of what is accessed matters
 * only that a shader reads an image, or that vertices are fetched.
 */
#include "saf_cmd_buffer.h"
#include "util/fallible.h"

#define ALL VK_PIPELINE_STAGE_ALL_COMMANDS_BIT

/* The bits that are new are parts of older ones. */
static VkAccessFlags
access_flags(VkAccessFlags2 flags)
{
   VkAccessFlags old = (VkAccessFlags)flags;
   if (flags & (VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                VK_ACCESS_2_SHADER_STORAGE_READ_BIT))
      old |= VK_ACCESS_SHADER_READ_BIT;
   if (flags & VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT)
      old |= VK_ACCESS_SHADER_WRITE_BIT;
   return old;
}

/* The image barriers of `info`, to be freed; NULL: out of memory, which is
 * noted. */
static VkImageMemoryBarrier *
image_barriers(VkCommandBuffer cmd, const VkDependencyInfo *info)
{
   const uint32_t n = info->imageMemoryBarrierCount;
   VkImageMemoryBarrier *out = calloc(MAX2(n, 1), sizeof(*out));
   if (!out) {
      saf_cmd_error(saf_cmd_buffer_from_handle(cmd),
                    VK_ERROR_OUT_OF_HOST_MEMORY);
      return NULL;
   }
   for (uint32_t i = 0; i < n; i++) {
      const VkImageMemoryBarrier2 *b = &info->pImageMemoryBarriers[i];
      out[i] = (VkImageMemoryBarrier) {
         .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
         .srcAccessMask = access_flags(b->srcAccessMask),
         .dstAccessMask = access_flags(b->dstAccessMask),
         .oldLayout = b->oldLayout,
         .newLayout = b->newLayout,
         .srcQueueFamilyIndex = b->srcQueueFamilyIndex,
         .dstQueueFamilyIndex = b->dstQueueFamilyIndex,
         .image = b->image,
         .subresourceRange = b->subresourceRange,
      };
   }
   return out;
}

/* One barrier for all but images. */
static VkMemoryBarrier
memory_barrier(const VkDependencyInfo *info)
{
   VkAccessFlags2 src = 0, dst = 0;
   for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
      src |= info->pMemoryBarriers[i].srcAccessMask;
      dst |= info->pMemoryBarriers[i].dstAccessMask;
   }
   for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
      src |= info->pBufferMemoryBarriers[i].srcAccessMask;
      dst |= info->pBufferMemoryBarriers[i].dstAccessMask;
   }
   return (VkMemoryBarrier) {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = access_flags(src),
      .dstAccessMask = access_flags(dst),
   };
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdPipelineBarrier2(VkCommandBuffer cmd, const VkDependencyInfo *info)
{
   VkImageMemoryBarrier *images = image_barriers(cmd, info);
   const VkMemoryBarrier memory = memory_barrier(info);
   if (images)
      saf_rec_CmdPipelineBarrier(cmd, ALL, ALL, info->dependencyFlags, 1,
                                 &memory, 0, NULL,
                                 info->imageMemoryBarrierCount, images);
   free(images);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdWaitEvents2(VkCommandBuffer cmd, uint32_t count, const VkEvent *events,
                   const VkDependencyInfo *infos)
{
   for (uint32_t i = 0; i < count; i++) {
      VkImageMemoryBarrier *images = image_barriers(cmd, &infos[i]);
      const VkMemoryBarrier memory = memory_barrier(&infos[i]);
      if (images)
         saf_rec_CmdWaitEvents(cmd, 1, &events[i], ALL, ALL, 1, &memory, 0,
                               NULL, infos[i].imageMemoryBarrierCount,
                               images);
      free(images);
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetEvent2(VkCommandBuffer cmd, VkEvent event,
                 const VkDependencyInfo *info)
{
   saf_rec_CmdSetEvent(cmd, event, ALL);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdResetEvent2(VkCommandBuffer cmd, VkEvent event,
                   VkPipelineStageFlags2 stages)
{
   saf_rec_CmdResetEvent(cmd, event, ALL);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdWriteTimestamp2(VkCommandBuffer cmd, VkPipelineStageFlags2 stage,
                       VkQueryPool pool, uint32_t query)
{
   const bool top = stage == VK_PIPELINE_STAGE_2_NONE ||
                    stage == VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
   saf_rec_CmdWriteTimestamp(cmd,
                             top ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT
                                 : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                             pool, query);
}

/* ---- submissions ---- */

/* Semaphores and their values, each in an array of its own; NULL where there
 * was no memory. */
struct semaphores {
   VkSemaphore *handles;
   uint64_t *values;
};

static struct semaphores
split_semaphores(struct arena *arena, uint32_t count,
                 const VkSemaphoreSubmitInfo *infos)
{
   const struct semaphores s = {
      arena_new_array(arena, VkSemaphore, count),
      arena_new_array(arena, uint64_t, count),
   };
   for (uint32_t i = 0; s.handles && s.values && i < count; i++) {
      s.handles[i] = infos[i].semaphore;
      s.values[i] = infos[i].value;
   }
   return s;
}

static VkResult
submit(VkQueue queue, struct arena *arena, const VkSubmitInfo2 *info,
       VkFence fence)
{
   const struct semaphores waits = split_semaphores(
      arena, info->waitSemaphoreInfoCount, info->pWaitSemaphoreInfos);
   const struct semaphores signals = split_semaphores(
      arena, info->signalSemaphoreInfoCount, info->pSignalSemaphoreInfos);
   VkCommandBuffer *cmds =
      arena_new_array(arena, VkCommandBuffer, info->commandBufferInfoCount);
   const bool ok = waits.handles && waits.values && signals.handles &&
                   signals.values && cmds;
   if (!ok)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < info->commandBufferInfoCount; i++)
      cmds[i] = info->pCommandBufferInfos[i].commandBuffer;
   const VkTimelineSemaphoreSubmitInfo values = {
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .waitSemaphoreValueCount = info->waitSemaphoreInfoCount,
      .pWaitSemaphoreValues = waits.values,
      .signalSemaphoreValueCount = info->signalSemaphoreInfoCount,
      .pSignalSemaphoreValues = signals.values,
   };
   const VkSubmitInfo old = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .pNext = &values,
      .waitSemaphoreCount = info->waitSemaphoreInfoCount,
      .pWaitSemaphores = waits.handles,
      .commandBufferCount = info->commandBufferInfoCount,
      .pCommandBuffers = cmds,
      .signalSemaphoreCount = info->signalSemaphoreInfoCount,
      .pSignalSemaphores = signals.handles,
   };
   return saf_QueueSubmit(queue, 1, &old, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *infos,
                 VkFence fence)
{
   if (!count)
      return saf_QueueSubmit(queue, 0, NULL, fence);
   VkResult result = VK_SUCCESS;
   struct arena *arena = arena_create_fallible();
   if (!arena)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < count && !result; i++)
      result = submit(queue, arena, &infos[i],
                      i == count - 1 ? fence : VK_NULL_HANDLE);
   arena_destroy(arena);
   return result;
}
