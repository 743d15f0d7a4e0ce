/* SPDX-License-Identifier: MIT */
/* Blits (scaled, converted) and resolves of multisampled images. */
#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/memory/saf_resource.h"
#include "intel/vulkan/cmd/saf_meta.h"

/* ---- blits ---- */

/*
 * One axis of a blit. A pixel's centre d in [d0, d1) reads s0 + (d - d0) *
 * (s1 - s0) / (d1 - d0); both may be reversed. `size` normalises.
 */
struct axis {
   int32_t lo, hi; /* of the destination, in order */
   float scale, offset;
};

static struct axis
make_axis(int32_t s0, int32_t s1, int32_t d0, int32_t d1, uint32_t size)
{
   struct axis a = { MIN2(d0, d1), MAX2(d0, d1), 0, 0 };
   if (d0 == d1)
      return a;
   const double scale = (double)(s1 - s0) / (d1 - d0);
   a.scale = (float)(scale / size);
   a.offset = (float)((s0 - d0 * scale) / size);
   return a;
}

static enum saf_meta_kind
blit_kind(const struct saf_image *src, VkImageAspectFlagBits aspect)
{
   if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT)
      return SAF_META_BLIT_DEPTH;
   if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
      return SAF_META_STENCIL_BIT_BLIT;
   return src->type == VK_IMAGE_TYPE_1D   ? SAF_META_BLIT_1D
          : src->type == VK_IMAGE_TYPE_3D ? SAF_META_BLIT_3D
                                          : SAF_META_BLIT_2D;
}

static void
set_target(struct saf_cmd_buffer *cmd, struct saf_meta_draw *draw,
           const struct saf_image *dst, const struct saf_plane *plane,
           enum isl_format format, uint32_t level, uint32_t layer)
{
   const VkExtent3D extent = saf_image_level_extent(dst, level);
   draw->targets = (struct saf_targets) {
      .width = extent.width,
      .height = extent.height,
      .layers = 1,
      .samples = dst->samples,
   };
   if (plane->aspect == VK_IMAGE_ASPECT_COLOR_BIT) {
      draw->targets.color_count = 1;
      draw->targets.color[0] =
         saf_meta_target(cmd, dst, plane, format, level, layer);
   } else {
      saf_targets_set_depth_stencil(&draw->targets, dst, level, layer, 1);
   }
}

static void
run(struct saf_cmd_buffer *cmd, struct saf_meta_draw *draw)
{
   if (draw->kind == SAF_META_STENCIL_BIT_BLIT ||
       draw->kind == SAF_META_STENCIL_BIT_MS ||
       draw->kind == SAF_META_STENCIL_BIT_MS_MIN ||
       draw->kind == SAF_META_STENCIL_BIT_MS_MAX)
      saf_meta_draw_stencil(cmd, draw);
   else
      saf_meta_draw(cmd, draw);
}

static void
blit_aspect(struct saf_cmd_buffer *cmd, const struct saf_image *src,
            const struct saf_image *dst, const VkImageBlit *r,
            VkImageAspectFlagBits aspect, const uint32_t *sampler)
{
   const struct saf_plane *sp = saf_image_plane(src, aspect);
   const struct saf_plane *dp = saf_image_plane(dst, aspect);
   if (!sp || !dp)
      return;
   const struct saf_format sf =
      saf_get_format(cmd->device->info, src->vk_format, aspect);
   const struct saf_format df =
      saf_get_format(cmd->device->info, dst->vk_format, aspect);
   const uint32_t src_level = r->srcSubresource.mipLevel;
   const uint32_t dst_level = r->dstSubresource.mipLevel;
   const VkExtent3D size = saf_image_level_extent(src, src_level);
   const VkOffset3D *so = r->srcOffsets, *d_o = r->dstOffsets;
   const struct axis x =
      make_axis(so[0].x, so[1].x, d_o[0].x, d_o[1].x, size.width);
   const struct axis y =
      make_axis(so[0].y, so[1].y, d_o[0].y, d_o[1].y, size.height);
   const bool dst_3d = dst->type == VK_IMAGE_TYPE_3D;
   const bool src_3d = src->type == VK_IMAGE_TYPE_3D;
   const struct axis z =
      make_axis(so[0].z, so[1].z, d_o[0].z, d_o[1].z, size.depth);
   const uint32_t first = dst_3d ? (uint32_t)z.lo
                                 : r->dstSubresource.baseArrayLayer;
   const uint32_t count = dst_3d ? (uint32_t)(z.hi - z.lo)
                                 : saf_layer_count(dst, &r->dstSubresource);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t src_layer =
         src_3d ? 0 : r->srcSubresource.baseArrayLayer + (dst_3d ? 0 : i);
      const struct saf_plane *from =
         saf_meta_readable(cmd, src, sp, src_level, src_layer);
      struct saf_meta_draw draw = {
         .kind = blit_kind(src, aspect),
         .rect = { { x.lo, y.lo },
                   { (uint32_t)(x.hi - x.lo), (uint32_t)(y.hi - y.lo) } },
         .push.scale_offset = { x.scale, y.scale, x.offset, y.offset },
         .push.src_z =
            src_3d ? ((float)(first + i) + 0.5f) * z.scale + z.offset : 0.0f,
         .src = saf_meta_texture(cmd, src, from, sf.format, sf.swizzle,
                                 src_level, src_layer),
         .has_swizzle = true,
         .src_swizzle = sf.swizzle,
         .sampler = sampler,
      };
      set_target(cmd, &draw, dst, dp, df.format, dst_level, first + i);
      run(cmd, &draw);
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdBlitImage(VkCommandBuffer _cmd, VkImage _src, VkImageLayout src_layout,
                 VkImage _dst, VkImageLayout dst_layout, uint32_t count,
                 const VkImageBlit *regions, VkFilter filter)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_image, src, _src);
   SAF_FROM_HANDLE(saf_image, dst, _dst);
   const VkSamplerCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
      .magFilter = filter,
      .minFilter = filter,
      .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
   };
   uint32_t sampler[4];
   cmd->device->genx->fill_sampler(&info, cmd->device->border_colors.offset,
                                   sampler);
   cmd->device->genx->cmd_flush(cmd);
   for (uint32_t i = 0; i < count; i++) {
      for (unsigned bit = 0; bit < 3; bit++) {
         if (regions[i].srcSubresource.aspectMask & (1u << bit))
            blit_aspect(cmd, src, dst, &regions[i], 1u << bit, sampler);
      }
   }
   cmd->device->genx->cmd_flush(cmd);
   saf_meta_refresh_written(cmd, dst, dst_layout, count,
                            &regions->dstSubresource, sizeof(*regions));
}

/* ---- resolves ---- */

struct resolve {
   const struct saf_image *src, *dst;
   VkImageAspectFlagBits aspect;
   VkResolveModeFlagBits mode; /* of depth and stencil */
   enum isl_format src_format, dst_format;
   uint32_t src_layer, dst_layer, dst_level;
   VkOffset2D src_offset, dst_offset;
   VkExtent2D extent;
};

static enum saf_meta_kind
depth_kind(VkResolveModeFlagBits mode)
{
   switch (mode) {
   case VK_RESOLVE_MODE_AVERAGE_BIT: return SAF_META_RESOLVE_DEPTH_AVERAGE;
   case VK_RESOLVE_MODE_MIN_BIT: return SAF_META_RESOLVE_DEPTH_MIN;
   case VK_RESOLVE_MODE_MAX_BIT: return SAF_META_RESOLVE_DEPTH_MAX;
   default: return SAF_META_RESOLVE_DEPTH;
   }
}

static enum saf_meta_kind
stencil_kind(VkResolveModeFlagBits mode)
{
   switch (mode) {
   case VK_RESOLVE_MODE_MIN_BIT: return SAF_META_STENCIL_BIT_MS_MIN;
   case VK_RESOLVE_MODE_MAX_BIT: return SAF_META_STENCIL_BIT_MS_MAX;
   default: return SAF_META_STENCIL_BIT_MS;
   }
}

static void
resolve_one(struct saf_cmd_buffer *cmd, const struct resolve *r)
{
   const struct saf_plane *sp = saf_image_plane(r->src, r->aspect);
   const struct saf_plane *dp = saf_image_plane(r->dst, r->aspect);
   if (!sp || !dp)
      return;
   sp = saf_meta_readable(cmd, r->src, sp, 0, r->src_layer);
   struct saf_meta_draw draw = {
      .rect = { r->dst_offset, r->extent },
      .push.offset = { r->src_offset.x - r->dst_offset.x,
                       r->src_offset.y - r->dst_offset.y },
      .push.layer = r->src_layer,
      .push.sample = r->src->samples,
      .push.control = r->src->mcs.size_B > 0,
      .src = saf_meta_texture(cmd, r->src, sp, r->src_format,
                              ISL_SWIZZLE_IDENTITY, 0, r->src_layer),
   };
   if (r->aspect == VK_IMAGE_ASPECT_DEPTH_BIT)
      draw.kind = depth_kind(r->mode);
   else if (r->aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
      draw.kind = stencil_kind(r->mode);
   else if (isl_format_has_int_channel(r->src_format))
      draw.kind = SAF_META_RESOLVE_FIRST;
   else
      draw.kind = SAF_META_RESOLVE_2 + util_logbase2(r->src->samples) - 1;
   set_target(cmd, &draw, r->dst, dp, r->dst_format, r->dst_level,
              r->dst_layer);
   run(cmd, &draw);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdResolveImage(VkCommandBuffer _cmd, VkImage _src,
                    VkImageLayout src_layout, VkImage _dst,
                    VkImageLayout dst_layout, uint32_t count,
                    const VkImageResolve *regions)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_image, src, _src);
   SAF_FROM_HANDLE(saf_image, dst, _dst);
   cmd->device->genx->cmd_flush(cmd);
   for (uint32_t i = 0; i < count; i++) {
      const VkImageResolve *v = &regions[i];
      const uint32_t layers = saf_layer_count(src, &v->srcSubresource);
      for (uint32_t l = 0; l < layers; l++) {
         const struct resolve r = {
            .src = src,
            .dst = dst,
            .aspect = v->srcSubresource.aspectMask,
            .src_format = src->planes[0].surf.format,
            .dst_format = dst->planes[0].surf.format,
            .src_layer = v->srcSubresource.baseArrayLayer + l,
            .dst_layer =
               saf_meta_first_slice(dst, v->dstSubresource.baseArrayLayer,
                                    v->dstOffset.z) +
               l,
            .dst_level = v->dstSubresource.mipLevel,
            .src_offset = { v->srcOffset.x, v->srcOffset.y },
            .dst_offset = { v->dstOffset.x, v->dstOffset.y },
            .extent = { v->extent.width, v->extent.height },
         };
         resolve_one(cmd, &r);
      }
   }
   cmd->device->genx->cmd_flush(cmd);
}

void
saf_meta_resolve_views(struct saf_cmd_buffer *cmd,
                       const struct saf_image_view *src,
                       const struct saf_image_view *dst, VkRect2D area,
                       VkImageAspectFlagBits aspect,
                       VkResolveModeFlagBits mode, uint32_t views)
{
   const uint32_t layers = MIN2(src->layers, dst->layers);
   const bool color = aspect == VK_IMAGE_ASPECT_COLOR_BIT;
   const struct saf_plane *sp = saf_image_plane(src->image, aspect);
   const struct saf_plane *dp = saf_image_plane(dst->image, aspect);
   for (uint32_t l = 0; sp && dp && l < layers; l++) {
      if (views && !(views & 1u << l))
         continue;
      const struct resolve r = {
         .src = src->image,
         .dst = dst->image,
         .aspect = aspect,
         .mode = mode,
         .src_format = color ? src->format : sp->surf.format,
         .dst_format = color ? dst->format : dp->surf.format,
         .src_layer = src->base_layer + l,
         .dst_layer = dst->base_layer + l,
         .dst_level = dst->base_level,
         .src_offset = area.offset,
         .dst_offset = area.offset,
         .extent = area.extent,
      };
      resolve_one(cmd, &r);
   }
   cmd->device->genx->cmd_flush(cmd);
}
