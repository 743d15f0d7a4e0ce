/* SPDX-License-Identifier: MIT */
/*
 * Copies as VK_KHR_copy_commands2 words them. The regions have a head of
 * their own and say nothing new: each command becomes the older one, which
 * also records it in a secondary command buffer.
 */
#include "saf_cmd_buffer.h"

/* What to do with `count` regions of `Old`, made of those of `info` by
 * convert_Old(). */
#define WITH_REGIONS(Old, info, call)                                        \
   do {                                                                      \
      const uint32_t count = (info)->regionCount;                            \
      Old *regions = calloc(MAX2(count, 1), sizeof(*regions));               \
      if (!regions) {                                                        \
         saf_cmd_error(saf_cmd_buffer_from_handle(cmd),                      \
                       VK_ERROR_OUT_OF_HOST_MEMORY);                         \
         return;                                                             \
      }                                                                      \
      for (uint32_t i = 0; i < count; i++)                                   \
         regions[i] = convert_##Old(&(info)->pRegions[i]);                   \
      call;                                                                  \
      free(regions);                                                         \
   } while (0)

static VkBufferCopy
convert_VkBufferCopy(const VkBufferCopy2 *r)
{
   return (VkBufferCopy) { r->srcOffset, r->dstOffset, r->size };
}

static VkImageCopy
convert_VkImageCopy(const VkImageCopy2 *r)
{
   return (VkImageCopy) { r->srcSubresource, r->srcOffset, r->dstSubresource,
                          r->dstOffset, r->extent };
}

static VkBufferImageCopy
convert_VkBufferImageCopy(const VkBufferImageCopy2 *r)
{
   return (VkBufferImageCopy) { r->bufferOffset,      r->bufferRowLength,
                                r->bufferImageHeight, r->imageSubresource,
                                r->imageOffset,       r->imageExtent };
}

static VkImageBlit
convert_VkImageBlit(const VkImageBlit2 *r)
{
   return (VkImageBlit) {
      .srcSubresource = r->srcSubresource,
      .srcOffsets = { r->srcOffsets[0], r->srcOffsets[1] },
      .dstSubresource = r->dstSubresource,
      .dstOffsets = { r->dstOffsets[0], r->dstOffsets[1] },
   };
}

static VkImageResolve
convert_VkImageResolve(const VkImageResolve2 *r)
{
   return (VkImageResolve) { r->srcSubresource, r->srcOffset,
                             r->dstSubresource, r->dstOffset, r->extent };
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdCopyBuffer2(VkCommandBuffer cmd, const VkCopyBufferInfo2 *info)
{
   WITH_REGIONS(VkBufferCopy, info,
                saf_rec_CmdCopyBuffer(cmd, info->srcBuffer, info->dstBuffer,
                                      count, regions));
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdCopyImage2(VkCommandBuffer cmd, const VkCopyImageInfo2 *info)
{
   WITH_REGIONS(VkImageCopy, info,
                saf_rec_CmdCopyImage(cmd, info->srcImage,
                                     info->srcImageLayout, info->dstImage,
                                     info->dstImageLayout, count, regions));
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdCopyBufferToImage2(VkCommandBuffer cmd,
                          const VkCopyBufferToImageInfo2 *info)
{
   WITH_REGIONS(
      VkBufferImageCopy, info,
      saf_rec_CmdCopyBufferToImage(cmd, info->srcBuffer, info->dstImage,
                                   info->dstImageLayout, count, regions));
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdCopyImageToBuffer2(VkCommandBuffer cmd,
                          const VkCopyImageToBufferInfo2 *info)
{
   WITH_REGIONS(
      VkBufferImageCopy, info,
      saf_rec_CmdCopyImageToBuffer(cmd, info->srcImage, info->srcImageLayout,
                                   info->dstBuffer, count, regions));
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdBlitImage2(VkCommandBuffer cmd, const VkBlitImageInfo2 *info)
{
   WITH_REGIONS(VkImageBlit, info,
                saf_rec_CmdBlitImage(
                   cmd, info->srcImage, info->srcImageLayout, info->dstImage,
                   info->dstImageLayout, count, regions, info->filter));
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdResolveImage2(VkCommandBuffer cmd, const VkResolveImageInfo2 *info)
{
   WITH_REGIONS(VkImageResolve, info,
                saf_rec_CmdResolveImage(
                   cmd, info->srcImage, info->srcImageLayout, info->dstImage,
                   info->dstImageLayout, count, regions));
}
