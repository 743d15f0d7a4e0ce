/* SPDX-License-Identifier: MIT */
/* Clears of attachments and of images. */
#include "intel/vulkan/genx/saf_genx.h"
#include "saf_meta.h"

static void
clear_depth_stencil(struct saf_cmd_buffer *cmd, const struct saf_targets *t,
                    VkRect2D rect, VkImageAspectFlags aspects,
                    VkClearDepthStencilValue value)
{
   struct saf_meta_draw draw = {
      .targets = *t,
      .rect = rect,
      .push.z = CLAMP(value.depth, 0.0f, 1.0f),
   };
   if ((aspects & VK_IMAGE_ASPECT_DEPTH_BIT) && t->depth) {
      draw.kind = SAF_META_CLEAR_DEPTH;
      saf_meta_draw(cmd, &draw);
   }
   if ((aspects & VK_IMAGE_ASPECT_STENCIL_BIT) && t->stencil) {
      draw.kind = SAF_META_CLEAR_STENCIL;
      draw.stencil_reference = (uint8_t)value.stencil;
      draw.stencil_write_mask = 0xff;
      saf_meta_draw(cmd, &draw);
   }
}

static void
clear_color(struct saf_cmd_buffer *cmd, const struct saf_targets *base,
            struct saf_state target, VkRect2D rect,
            const VkClearColorValue *color)
{
   struct saf_meta_draw draw = {
      .kind = SAF_META_CLEAR_COLOR,
      .targets = {
         .color_count = 1,
         .color = { target },
         .width = base->width,
         .height = base->height,
         .layers = 1,
         .samples = base->samples,
      },
      .rect = rect,
   };
   memcpy(draw.push.color, color->uint32, sizeof(draw.push.color));
   saf_meta_draw(cmd, &draw);
}

static void
clear_attachment(struct saf_cmd_buffer *cmd, const VkClearAttachment *clear,
                 const VkClearRect *rect, uint32_t layer)
{
   const struct saf_subpass *sub = &cmd->pass->subpasses[cmd->subpass];
   struct saf_targets t = cmd->targets;
   if (clear->aspectMask & VK_IMAGE_ASPECT_COLOR_BIT) {
      const uint32_t a = clear->colorAttachment < sub->color_count
                            ? sub->color[clear->colorAttachment]
                            : VK_ATTACHMENT_UNUSED;
      const struct saf_image_view *view =
         a == VK_ATTACHMENT_UNUSED ? NULL : cmd->attachments[a];
      if (!view)
         return;
      const struct saf_state target = saf_meta_target(
         cmd, view->image, &view->image->planes[0], view->format,
         view->base_level, view->base_layer + layer);
      clear_color(cmd, &t, target, rect->rect, &clear->clearValue.color);
      return;
   }
   t.color_count = 0;
   t.ds_layer += layer;
   t.ds_layers = 1;
   clear_depth_stencil(cmd, &t, rect->rect, clear->aspectMask,
                       clear->clearValue.depthStencil);
}

void
saf_meta_clear_attachments(struct saf_cmd_buffer *cmd, uint32_t clear_count,
                           const VkClearAttachment *clears,
                           uint32_t rect_count, const VkClearRect *rects)
{
   for (uint32_t c = 0; c < clear_count; c++) {
      for (uint32_t r = 0; r < rect_count; r++) {
         for (uint32_t l = 0; l < rects[r].layerCount; l++)
            clear_attachment(cmd, &clears[c], &rects[r],
                             rects[r].baseArrayLayer + l);
      }
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdClearAttachments(VkCommandBuffer _cmd, uint32_t clear_count,
                        const VkClearAttachment *clears, uint32_t rect_count,
                        const VkClearRect *rects)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   /* Of what is done by drawing, only this is subject to conditional
    * rendering. */
   cmd->meta_conditional = cmd->conditional;
   saf_meta_clear_attachments(cmd, clear_count, clears, rect_count, rects);
   cmd->meta_conditional = false;
}

/* ---- images outside of render passes ---- */

struct range {
   uint32_t levels, layers;
};

static struct range
resolve_range(const struct saf_image *image, const VkImageSubresourceRange *r)
{
   return (struct range){
      r->levelCount == VK_REMAINING_MIP_LEVELS
         ? image->levels - r->baseMipLevel : r->levelCount,
      r->layerCount == VK_REMAINING_ARRAY_LAYERS
         ? image->layers - r->baseArrayLayer : r->layerCount,
   };
}

static struct saf_targets
level_targets(const struct saf_image *image, VkExtent3D extent)
{
   return (struct saf_targets){
      .width = extent.width,
      .height = extent.height,
      .layers = 1,
      .samples = image->samples,
   };
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdClearColorImage(VkCommandBuffer _cmd, VkImage _image,
                       VkImageLayout layout, const VkClearColorValue *color,
                       uint32_t count, const VkImageSubresourceRange *ranges)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_image, image, _image);
   const struct saf_plane *plane = &image->planes[0];
   const VkFormatFeatureFlags features = saf_image_format_features(
      cmd->device->pdev, image->vk_format, image->tiling);
   if (!(features & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)) {
      saf_error(VK_ERROR_FORMAT_NOT_SUPPORTED,
                "vkCmdClearColorImage of format %d, which cannot be rendered, "
                "is not implemented", image->vk_format);
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      return;
   }
   cmd->device->genx->cmd_flush(cmd);
   for (uint32_t i = 0; i < count; i++) {
      const struct range r = resolve_range(image, &ranges[i]);
      for (uint32_t l = 0; l < r.levels; l++) {
         const uint32_t level = ranges[i].baseMipLevel + l;
         const VkExtent3D extent = saf_image_level_extent(image, level);
         const bool is_3d = image->type == VK_IMAGE_TYPE_3D;
         const uint32_t first = is_3d ? 0 : ranges[i].baseArrayLayer;
         const uint32_t layers = is_3d ? extent.depth : r.layers;
         const struct saf_targets t = level_targets(image, extent);
         const VkRect2D rect = { .extent = { extent.width, extent.height } };
         for (uint32_t a = 0; a < layers; a++)
            clear_color(cmd, &t,
                        saf_meta_target(cmd, image, plane, plane->surf.format,
                                        level, first + a),
                        rect, color);
      }
   }
   cmd->device->genx->cmd_flush(cmd);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdClearDepthStencilImage(VkCommandBuffer _cmd, VkImage _image,
                              VkImageLayout layout,
                              const VkClearDepthStencilValue *value,
                              uint32_t count,
                              const VkImageSubresourceRange *ranges)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_image, image, _image);
   cmd->device->genx->cmd_flush(cmd);
   for (uint32_t i = 0; i < count; i++) {
      const struct range r = resolve_range(image, &ranges[i]);
      for (uint32_t l = 0; l < r.levels; l++) {
         const uint32_t level = ranges[i].baseMipLevel + l;
         const VkExtent3D extent = saf_image_level_extent(image, level);
         const VkRect2D rect = { .extent = { extent.width, extent.height } };
         for (uint32_t a = 0; a < r.layers; a++) {
            struct saf_targets t = level_targets(image, extent);
            saf_targets_set_depth_stencil(
               &t, image, level, ranges[i].baseArrayLayer + a, 1);
            clear_depth_stencil(cmd, &t, rect, ranges[i].aspectMask, *value);
         }
      }
   }
   cmd->device->genx->cmd_flush(cmd);
}
