/* SPDX-License-Identifier: MIT */
/* Drawing without a render pass. */
#include "util/macros.h"
#include "vkt.h"

void
vkt_begin_rendering(VkCommandBuffer cmd, const struct vkt_rendering *r,
                    VkRenderingFlags flags)
{
   const VKT_INFO(
      RenderingAttachmentInfo, color, .imageView = r->color->view,
      .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
      .resolveMode = r->resolved ? VK_RESOLVE_MODE_AVERAGE_BIT : 0,
      .resolveImageView = r->resolved ? r->resolved->view : VK_NULL_HANDLE,
      .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE);
   const VKT_INFO(RenderingAttachmentInfo, depth,
                  .imageView = r->depth ? r->depth->view : VK_NULL_HANDLE,
                  .imageLayout =
                     VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                  .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                  .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                  .clearValue.depthStencil.depth = r->depth_clear);
   const VKT_INFO(RenderingInfo, info, .flags = flags,
                  .renderArea = { .extent = { r->color->desc.width,
                                              r->color->desc.height } },
                  .layerCount = 1, .viewMask = r->view_mask,
                  .colorAttachmentCount = 1, .pColorAttachments = &color,
                  .pDepthAttachment = &depth, .pStencilAttachment = &depth);
   VKT_PROC(vkCmdBeginRenderingKHR)(cmd, &info);
}

VkPipelineRenderingCreateInfo
vkt_pipeline_rendering(const struct vkt_rendering *r)
{
   return VKT_STRUCT(PipelineRenderingCreateInfo, .viewMask = r->view_mask,
                     .colorAttachmentCount = 1,
                     .pColorAttachmentFormats = &r->color->desc.format,
                     .depthAttachmentFormat = r->depth ? r->depth->desc.format
                                                       : VK_FORMAT_UNDEFINED,
                     .stencilAttachmentFormat = r->depth
                                                   ? r->depth->desc.format
                                                   : VK_FORMAT_UNDEFINED);
}

VkCommandBuffer
vkt_begin_secondary(void)
{
   const VKT_INFO(CommandBufferAllocateInfo, info, .commandPool = vkt.pool,
                  .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                  .commandBufferCount = 1);
   const VKT_INFO(CommandBufferInheritanceConditionalRenderingInfoEXT,
                  conditional, .conditionalRenderingEnable = true);
   const VKT_INFO(CommandBufferInheritanceInfo, inherited,
                  .pNext = &conditional);
   const VKT_INFO(CommandBufferBeginInfo, begin,
                  .pInheritanceInfo = &inherited);
   VkCommandBuffer cmd;
   VKT_CHECK(vkAllocateCommandBuffers(vkt.device, &info, &cmd));
   VKT_CHECK(vkBeginCommandBuffer(cmd, &begin));
   return cmd;
}

void
vkt_execute(VkCommandBuffer cmd, VkCommandBuffer secondary)
{
   VKT_CHECK(vkEndCommandBuffer(secondary));
   vkCmdExecuteCommands(cmd, 1, &secondary);
}
