/* SPDX-License-Identifier: MIT */
/* Clears of attachments and of images. */
#include <math.h>

#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/cmd/saf_meta.h"

static void
clear_depth_stencil(struct saf_cmd_buffer *cmd, const struct saf_targets *t,
                    VkRect2D rect, VkImageAspectFlags aspects,
                    VkClearDepthStencilValue value)
{
   struct saf_meta_draw draw = { .targets = *t, .rect = rect };
   if ((aspects & VK_IMAGE_ASPECT_DEPTH_BIT) && t->depth) {
      draw.kind = SAF_META_CLEAR_DEPTH;
      draw.push.z = CLAMP(value.depth, 0.0f, 1.0f);
      saf_meta_draw(cmd, &draw);
   }
   /* Where there is no depth its clear value may be anything, and a rectangle
    * whose depth is no number is clipped. */
   draw.push.z = 0;
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
   const struct saf_rendering *rendering = &cmd->rendering;
   struct saf_targets t = cmd->targets;
   if (clear->aspectMask & VK_IMAGE_ASPECT_COLOR_BIT) {
      const uint32_t a = clear->colorAttachment;
      const struct saf_rendering_attachment *att =
         a < rendering->color_count ? &rendering->color[a] : NULL;
      const struct saf_image_view *view = att ? att->view : NULL;
      if (!view)
         return;
      const struct saf_state target =
         att->fast_cleared
            ? saf_cmd_cleared_target(cmd, att, layer, 1)
            : saf_meta_target(cmd, view->image, &view->image->planes[0],
                              view->format, view->base_level,
                              view->base_layer + layer);
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
                           uint32_t rect_count, const VkClearRect *rects,
                           uint32_t views)
{
   for (uint32_t c = 0; c < clear_count; c++) {
      for (uint32_t r = 0; r < rect_count; r++) {
         if (views) {
            uint32_t left = views;
            while (left)
               clear_attachment(cmd, &clears[c], &rects[r],
                                (uint32_t)u_bit_scan(&left));
            continue;
         }
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
   saf_meta_clear_attachments(cmd, clear_count, clears, rect_count, rects,
                              cmd->rendering.view_mask);
   cmd->meta_conditional = false;
}

/* ---- images outside of render passes ---- */

static struct saf_targets
level_targets(const struct saf_image *image, VkExtent3D extent)
{
   return (struct saf_targets) {
      .width = extent.width,
      .height = extent.height,
      .layers = 1,
      .samples = image->samples,
   };
}

/* Three mantissas of nine bits under one exponent (Vulkan, "Shared Exponent
 * to RGB"). */
static uint32_t
pack_shared_exponent(const float rgb[3])
{
   float c[3], most = 0;
   for (unsigned i = 0; i < 3; i++) {
      c[i] = rgb[i] > 0 ? MIN2(rgb[i], 65408.0f) : 0;
      most = MAX2(most, c[i]);
   }
   int exponent = -15; /* most < 2^exponent, as far as the bits go */
   if (most > 0) {
      frexpf(most, &exponent);
      exponent = MAX2(exponent, -15);
   }
   /* The largest may round up to one bit more. */
   if (floorf(ldexpf(most, 9 - exponent) + 0.5f) > 511)
      exponent++;
   uint32_t bits = (uint32_t)(exponent + 15) << 27;
   for (unsigned i = 0; i < 3; i++)
      bits |= (uint32_t)floorf(ldexpf(c[i], 9 - exponent) + 0.5f) << 9 * i;
   return bits;
}

/* Vulkan, "sRGB EOTF" (Khronos Data Format, 13.3), the way back. */
static float
encode_srgb(float linear)
{
   return linear <= 0.0031308f ? linear * 12.92f
                               : 1.055f * powf(linear, 1 / 2.4f) - 0.055f;
}

/* The bits of one channel, from bit 0 up. */
static uint32_t
pack_channel(const struct isl_channel_layout *c, bool srgb,
             const VkClearColorValue *color, unsigned i)
{
   const uint32_t mask = BITFIELD_MASK(c->bits);
   const float f = color->float32[i];
   float v;
   switch ((int)c->type) {
   case ISL_UINT: return MIN2(color->uint32[i], mask);
   case ISL_SINT: {
      const int32_t most = (int32_t)(mask >> 1);
      return (uint32_t)CLAMP(color->int32[i], -most - 1, most) & mask;
   }
   case ISL_SNORM:
      v = f > -1 ? MIN2(f, 1.0f) : -1.0f;
      return (uint32_t)(int32_t)lrintf(v * (float)(mask >> 1)) & mask;
   case ISL_UNORM:
      v = f > 0 ? MIN2(f, 1.0f) : 0.0f;
      return (uint32_t)lrintf((srgb ? encode_srgb(v) : v) * (float)mask);
   default: unreachable("a channel of a format that is not rendered to");
   }
}

/* Of what the hardware has red, green, blue and alpha come from. */
static uint32_t
pack_color(const struct isl_format_layout *l, struct isl_swizzle swizzle,
           const VkClearColorValue *color)
{
   const struct isl_channel_layout *const channels[] = {
      &l->channels.r, &l->channels.g, &l->channels.b, &l->channels.a
   };
   const enum isl_channel_select from[] = { swizzle.r, swizzle.g, swizzle.b,
                                            swizzle.a };
   const bool srgb = l->colorspace == ISL_COLORSPACE_SRGB;
   uint32_t bits = 0;
   for (unsigned i = 0; i < 4; i++) {
      if (from[i] == ISL_CHANNEL_SELECT_ZERO ||
          from[i] == ISL_CHANNEL_SELECT_ONE)
         continue;
      const struct isl_channel_layout *c =
         channels[from[i] - ISL_CHANNEL_SELECT_RED];
      if (c->bits)
         bits |= pack_channel(c, srgb && i < 3, color, i) << c->start_bit;
   }
   return bits;
}

/* What cannot be rendered to gets the bits of the colour as an integer: the
 * shared exponent, and what has its channels in another order. */
static enum isl_format
clear_format(const struct saf_cmd_buffer *cmd, const struct saf_image *image,
             const VkClearColorValue *color, VkClearColorValue *out)
{
   const enum isl_format format = image->planes[0].surf.format;
   const struct isl_format_layout *layout = isl_format_get_layout(format);
   const VkFormatFeatureFlags features = saf_image_format_features(
      cmd->device->pdev, image->vk_format, image->tiling);
   *out = *color;
   if (features & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)
      return format;
   *out = (VkClearColorValue) { 0 };
   if (format == ISL_FORMAT_R9G9B9E5_SHAREDEXP)
      out->uint32[0] = pack_shared_exponent(color->float32);
   else
      out->uint32[0] =
         pack_color(layout,
                    saf_get_format(cmd->device->info, image->vk_format,
                                   VK_IMAGE_ASPECT_COLOR_BIT)
                       .swizzle,
                    color);
   return saf_meta_uint_format(layout->bpb);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdClearColorImage(VkCommandBuffer _cmd, VkImage _image,
                       VkImageLayout layout, const VkClearColorValue *color,
                       uint32_t count, const VkImageSubresourceRange *ranges)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_image, image, _image);
   const struct saf_plane *plane = &image->planes[0];
   VkClearColorValue bits;
   const enum isl_format format = clear_format(cmd, image, color, &bits);
   cmd->device->genx->cmd_flush(cmd);
   for (uint32_t i = 0; i < count; i++) {
      const VkImageSubresourceRange r = saf_image_range(image, &ranges[i]);
      for (uint32_t l = 0; l < r.levelCount; l++) {
         const uint32_t level = r.baseMipLevel + l;
         const VkExtent3D extent = saf_image_level_extent(image, level);
         const bool is_3d = image->type == VK_IMAGE_TYPE_3D;
         const uint32_t first = is_3d ? 0 : r.baseArrayLayer;
         const uint32_t layers = is_3d ? extent.depth : r.layerCount;
         const struct saf_targets t = level_targets(image, extent);
         const VkRect2D rect = { .extent = { extent.width, extent.height } };
         for (uint32_t a = 0; a < layers; a++)
            clear_color(cmd, &t,
                        saf_meta_target(cmd, image, plane, format, level,
                                        first + a),
                        rect, &bits);
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
      const VkImageSubresourceRange r = saf_image_range(image, &ranges[i]);
      for (uint32_t l = 0; l < r.levelCount; l++) {
         const uint32_t level = r.baseMipLevel + l;
         const VkExtent3D extent = saf_image_level_extent(image, level);
         const VkRect2D rect = { .extent = { extent.width, extent.height } };
         for (uint32_t a = 0; a < r.layerCount; a++) {
            struct saf_targets t = level_targets(image, extent);
            saf_targets_set_depth_stencil(&t, image, level,
                                          r.baseArrayLayer + a, 1);
            clear_depth_stencil(cmd, &t, rect, r.aspectMask, *value);
         }
      }
   }
   cmd->device->genx->cmd_flush(cmd);
   saf_meta_refresh_cleared(cmd, image, layout, count, ranges);
}
