/* SPDX-License-Identifier: MIT */
/*
 * Copies between images and buffers, fills and updates.
 *
 * Every side of a copy is seen as a plain 2D surface of unsigned integers as
 * wide as a texel (or a compressed block): what is copied of one slice of one
 * level of an image, from the tile that it starts in, or of a buffer with the
 * row pitch that the copy names. Where it starts within the tile goes into
 * the coordinates. So one shader serves all formats, levels, layers, 3D
 * slices and samples, but for buffers and images of several samples
 * (copy_buffer_samples). What is larger than a surface can be, with what is
 * in front of it in the tile, is copied in pieces; rows that are farther
 * apart one by one.
 *
 * Stencil cannot be a render target: it is written bit by bit by the stencil
 * test (saf_meta_draw_stencil).
 */
#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/memory/saf_resource.h"
#include "intel/vulkan/cmd/saf_meta.h"

#define MAX_SURFACE_PX 16384u
#define MAX_ROW_PITCH_B (1u << 18)

/* A slice, as far as it goes. */
struct raw {
   enum isl_tiling tiling;
   uint32_t bpb; /* of an element */
   uint64_t row_pitch_B;
   uint64_t addr;
   uint32_t x_el, y_el; /* where it starts, from `addr` on */
};

/* What the hardware is told of it. */
struct piece {
   struct isl_surf surf;
   uint64_t addr;
   uint32_t x_el, y_el;
};

enum isl_format
saf_meta_uint_format(uint32_t bpb)
{
   switch (bpb) {
   case 8: return ISL_FORMAT_R8_UINT;
   case 16: return ISL_FORMAT_R16_UINT;
   case 32: return ISL_FORMAT_R32_UINT;
   case 64: return ISL_FORMAT_R32G32_UINT;
   case 128: return ISL_FORMAT_R32G32B32A32_UINT;
   }
   unreachable("block size that copies are not advertised for");
}

/* `slice`: physical layer, or z of a 3D image. */
static struct raw
raw_from_image(const struct saf_image *image, const struct saf_plane *plane,
               uint32_t level, uint32_t slice)
{
   const struct isl_surf *surf = &plane->surf;
   const bool is_3d = surf->dim == ISL_SURF_DIM_3D;
   struct raw raw = {
      .tiling = surf->tiling,
      .bpb = isl_format_get_layout(surf->format)->bpb,
      .row_pitch_B = surf->row_pitch_B,
   };
   uint64_t offset_B;
   isl_surf_get_image_offset_B_tile_el(surf, level, is_3d ? 0 : slice,
                                       is_3d ? slice : 0, &offset_B,
                                       &raw.x_el, &raw.y_el);
   raw.addr = saf_plane_addr(image, plane) + offset_B;
   return raw;
}

static struct raw
raw_from_memory(uint64_t addr, uint32_t bpb, uint64_t row_pitch_B)
{
   return (struct raw) {
      .tiling = ISL_TILING_LINEAR,
      .bpb = bpb,
      .row_pitch_B = row_pitch_B,
      .addr = addr,
   };
}

/* How many elements, from (x, y) of the slice on, one surface describes. */
static struct isl_extent2d
piece_limit(const struct intel_device_info *info, const struct raw *raw,
            uint32_t x, uint32_t y, bool target)
{
   const bool linear = raw->tiling == ISL_TILING_LINEAR;
   const uint32_t most_x = target && !linear && info->max_tiled_target_el
                              ? info->max_tiled_target_el
                              : MAX_SURFACE_PX;
   struct isl_tile_info tile;
   isl_tiling_get_info(raw->tiling, raw->bpb, &tile);
   return (struct isl_extent2d) {
      most_x - (raw->x_el + x) % tile.logical_extent_el.w,
      linear && raw->row_pitch_B > MAX_ROW_PITCH_B
         ? 1
         : MAX_SURFACE_PX - (raw->y_el + y) % tile.logical_extent_el.h,
   };
}

/* w x h elements from (x, y) of the slice on, from the tile that those begin
 * in; of linear memory, from the element. */
static bool
piece_init(const struct saf_device *device, struct piece *p,
           const struct raw *raw, uint32_t x, uint32_t y, uint32_t w,
           uint32_t h, bool target)
{
   const bool linear = raw->tiling == ISL_TILING_LINEAR;
   const uint32_t block_B = raw->bpb / 8;
   struct isl_tile_info tile;
   isl_tiling_get_info(raw->tiling, raw->bpb, &tile);
   x += raw->x_el;
   y += raw->y_el;
   p->x_el = x % tile.logical_extent_el.w;
   p->y_el = y % tile.logical_extent_el.h;
   if (linear)
      p->addr = raw->addr + y * raw->row_pitch_B + (uint64_t)x * block_B;
   else
      p->addr = raw->addr +
                isl_tiling_address_B(raw->tiling, (uint32_t)raw->row_pitch_B,
                                     (x - p->x_el) * block_B, y - p->y_el);
   const bool ok = isl_surf_init(
      device->info, &p->surf, .dim = ISL_SURF_DIM_2D,
      .format = saf_meta_uint_format(raw->bpb), .width = p->x_el + w,
      .height = p->y_el + h, .depth = 1, .levels = 1, .array_len = 1,
      .samples = 1, .row_pitch_B = linear ? 0 : (uint32_t)raw->row_pitch_B,
      .usage = raw->tiling == ISL_TILING_W ? ISL_SURF_USAGE_STENCIL_BIT
               : target                    ? ISL_SURF_USAGE_RENDER_TARGET_BIT
                                           : ISL_SURF_USAGE_TEXTURE_BIT,
      .tiling_flags = 1u << raw->tiling);
   /* isl aligns rows; a buffer's need not be, which the hardware takes. Of
    * one row the pitch is not looked at, and may be beyond what it takes. */
   if (ok && linear)
      p->surf.row_pitch_B = h == 1 ? w * block_B : (uint32_t)raw->row_pitch_B;
   if (!ok)
      saf_error(VK_ERROR_OUT_OF_DEVICE_MEMORY,
                "a copy of %u x %u elements of %u bits: no surface describes "
                "it",
                w, h, raw->bpb);
   return ok;
}

static struct saf_state
piece_view(struct saf_cmd_buffer *cmd, const struct piece *piece,
           enum isl_format format, bool target)
{
   const struct saf_state state = saf_cmd_surface_state(cmd);
   const struct isl_view view = {
      .usage = target ? ISL_SURF_USAGE_RENDER_TARGET_BIT
                      : ISL_SURF_USAGE_TEXTURE_BIT,
      .format = format,
      .levels = 1,
      .array_len = 1,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   saf_surf_fill_state(cmd->device, state.map, .surf = &piece->surf,
                       .view = &view, .address = piece->addr,
                       .mocs = cmd->device->info->mocs_cached);
   return state;
}

static struct saf_state
piece_state(struct saf_cmd_buffer *cmd, const struct piece *piece,
            bool target)
{
   return piece_view(cmd, piece, piece->surf.format, target);
}

/* Tiles of stencil are seen as a single-sampled stencil buffer. */
static struct saf_targets
piece_targets(struct saf_cmd_buffer *cmd, const struct piece *dst)
{
   struct saf_targets t = {
      .width = dst->surf.logical_level0_px.w,
      .height = dst->surf.logical_level0_px.h,
      .layers = 1,
      .samples = 1,
   };
   if (dst->surf.tiling == ISL_TILING_W) {
      t.stencil = &dst->surf;
      t.stencil_addr = dst->addr;
      t.ds_layers = 1;
   } else {
      t.color_count = 1;
      t.color[0] = piece_state(cmd, dst, true);
   }
   return t;
}

/* Positions and sizes in elements of the slices. */
struct rect_copy {
   uint32_t src_x, src_y, dst_x, dst_y, w, h;
};

/* What one surface on either side describes. */
static void
copy_piece(struct saf_cmd_buffer *cmd, const struct raw *src,
           const struct raw *dst, const struct rect_copy *r)
{
   struct piece from, to;
   if (!piece_init(cmd->device, &from, src, r->src_x, r->src_y, r->w, r->h,
                   false) ||
       !piece_init(cmd->device, &to, dst, r->dst_x, r->dst_y, r->w, r->h,
                   true)) {
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      return;
   }
   const bool stencil = dst->tiling == ISL_TILING_W;
   const int32_t x = (int32_t)to.x_el, y = (int32_t)to.y_el;
   struct saf_meta_draw draw = {
      .kind = stencil ? SAF_META_STENCIL_BIT : SAF_META_COPY,
      .targets = piece_targets(cmd, &to),
      .rect = { { x, y }, { r->w, r->h } },
      .push.offset = { (int32_t)from.x_el - x, (int32_t)from.y_el - y },
      .src = piece_state(cmd, &from, false),
   };
   if (stencil)
      saf_meta_draw_stencil(cmd, &draw);
   else
      saf_meta_draw(cmd, &draw);
}

/* Piece by piece: where slices begin within tiles, rows are far apart or
 * samples lie side by side, there is more than a surface can be. */
static void
copy_raw(struct saf_cmd_buffer *cmd, const struct raw *src,
         const struct raw *dst, const struct rect_copy *r)
{
   const struct intel_device_info *info = cmd->device->info;
   struct rect_copy part = { .h = 0 };
   for (uint32_t y = 0; y < r->h; y += part.h) {
      for (uint32_t x = 0; x < r->w; x += part.w) {
         part.src_x = r->src_x + x;
         part.src_y = r->src_y + y;
         part.dst_x = r->dst_x + x;
         part.dst_y = r->dst_y + y;
         const struct isl_extent2d a =
            piece_limit(info, src, part.src_x, part.src_y, false);
         const struct isl_extent2d b =
            piece_limit(info, dst, part.dst_x, part.dst_y, true);
         part.w = MIN2(r->w - x, MIN2(a.w, b.w));
         part.h = MIN2(r->h - y, MIN2(a.h, b.h));
         copy_piece(cmd, src, dst, &part);
      }
   }
}

/* ---- image to image ---- */

static uint32_t
slice_count(const struct saf_image *image,
            const VkImageSubresourceLayers *layers, uint32_t depth)
{
   return image->type == VK_IMAGE_TYPE_3D ? depth
                                          : saf_layer_count(image, layers);
}

/* Interleaved samples lie beside each other (SKL PRM volume 5, "Multisampled
 * Surfaces"): a pair of pixels takes so many elements each way. */
static void
spread_samples(struct rect_copy *r, uint32_t samples)
{
   const uint32_t x = samples >= 8 ? 4 : 2;
   const uint32_t y = samples == 2 ? 1 : samples == 16 ? 4 : 2;
   r->src_x = r->src_x / 2 * 2 * x;
   r->dst_x = r->dst_x / 2 * 2 * x;
   r->w = ALIGN(r->w, 2u) * x;
   if (samples == 2)
      return;
   r->src_y = r->src_y / 2 * 2 * y;
   r->dst_y = r->dst_y / 2 * 2 * y;
   r->h = ALIGN(r->h, 2u) * y;
}

static void
copy_image_slice(struct saf_cmd_buffer *cmd, const struct saf_image *src,
                 const struct saf_plane *sp, const struct saf_image *dst,
                 const struct saf_plane *dp, const VkImageCopy *region,
                 uint32_t src_slice, uint32_t dst_slice)
{
   const struct isl_format_layout *sf =
      isl_format_get_layout(sp->surf.format);
   const struct isl_format_layout *df =
      isl_format_get_layout(dp->surf.format);
   struct rect_copy r = {
      .src_x = (uint32_t)region->srcOffset.x / sp->texel_px,
      .src_y = (uint32_t)region->srcOffset.y / sf->bh,
      .dst_x = (uint32_t)region->dstOffset.x / dp->texel_px,
      .dst_y = (uint32_t)region->dstOffset.y / df->bh,
      .w = DIV_ROUND_UP(region->extent.width, sp->texel_px),
      .h = DIV_ROUND_UP(region->extent.height, sf->bh),
   };
   if (sp->surf.msaa_layout == ISL_MSAA_LAYOUT_INTERLEAVED)
      spread_samples(&r, sp->surf.samples);
   sp = saf_meta_readable(cmd, src, sp, region->srcSubresource.mipLevel,
                          src_slice);
   const struct raw from =
      raw_from_image(src, sp, region->srcSubresource.mipLevel, src_slice);
   const struct raw to =
      raw_from_image(dst, dp, region->dstSubresource.mipLevel, dst_slice);
   copy_raw(cmd, &from, &to, &r);
}

/* Sample by sample: colour, and stencil that has a shadow, whose samples are
 * in planes while the image's are interleaved. */
static void
copy_samples(struct saf_cmd_buffer *cmd, const struct saf_image *src,
             const struct saf_plane *sp, const struct saf_image *dst,
             const struct saf_plane *dp, const VkImageCopy *region,
             uint32_t src_slice, uint32_t dst_slice)
{
   const bool stencil = sp->aspect == VK_IMAGE_ASPECT_STENCIL_BIT;
   const struct saf_plane *readable =
      saf_meta_readable(cmd, src, sp, 0, src_slice);
   const enum isl_format format =
      saf_meta_uint_format(isl_format_get_layout(sp->surf.format)->bpb);
   struct saf_meta_draw draw = {
      .kind = stencil ? SAF_META_STENCIL_BIT_SAMPLES : SAF_META_COPY_SAMPLES,
      .targets = {
         .width = dst->extent.width,
         .height = dst->extent.height,
         .layers = 1,
         .samples = dst->samples,
      },
      .rect = { { region->dstOffset.x, region->dstOffset.y },
                { region->extent.width, region->extent.height } },
      .push.offset = { region->srcOffset.x - region->dstOffset.x,
                       region->srcOffset.y - region->dstOffset.y },
      .push.layer = src_slice,
      .src = saf_meta_texture(cmd, src, readable, format,
                              ISL_SWIZZLE_IDENTITY, 0, src_slice),
   };
   if (stencil) {
      saf_targets_set_depth_stencil(&draw.targets, dst, 0, dst_slice, 1);
      draw.targets.depth = NULL;
      saf_meta_draw_stencil(cmd, &draw);
      return;
   }
   draw.targets.color_count = 1;
   draw.targets.color[0] =
      saf_meta_target(cmd, dst, dp, format, 0, dst_slice);
   saf_meta_draw(cmd, &draw);
}

static bool
copies_samples(const struct saf_image *src, const struct saf_plane *sp)
{
   return src->samples > 1 &&
          (sp->aspect == VK_IMAGE_ASPECT_COLOR_BIT ||
           (sp->aspect == VK_IMAGE_ASPECT_STENCIL_BIT && src->has_shadow));
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdCopyImage(VkCommandBuffer _cmd, VkImage _src, VkImageLayout src_layout,
                 VkImage _dst, VkImageLayout dst_layout, uint32_t count,
                 const VkImageCopy *regions)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_image, src, _src);
   SAF_FROM_HANDLE(saf_image, dst, _dst);
   cmd->device->genx->cmd_flush(cmd);
   for (uint32_t i = 0; i < count; i++) {
      const VkImageCopy *r = &regions[i];
      const uint32_t slices =
         MAX2(slice_count(src, &r->srcSubresource, r->extent.depth),
              slice_count(dst, &r->dstSubresource, r->extent.depth));
      for (uint32_t p = 0; p < src->plane_count; p++) {
         const struct saf_plane *sp = &src->planes[p];
         if (sp != saf_image_plane(src, r->srcSubresource.aspectMask) &&
             !(sp->aspect & r->srcSubresource.aspectMask))
            continue;
         const struct saf_plane *dp =
            saf_image_plane(dst, r->dstSubresource.aspectMask & sp->aspect
                                    ? sp->aspect
                                    : r->dstSubresource.aspectMask);
         const bool samples = copies_samples(src, sp);
         for (uint32_t s = 0; dp && s < slices; s++)
            (samples ? copy_samples : copy_image_slice)(
               cmd, src, sp, dst, dp, r,
               saf_meta_first_slice(src, r->srcSubresource.baseArrayLayer,
                                    r->srcOffset.z) +
                  s,
               saf_meta_first_slice(dst, r->dstSubresource.baseArrayLayer,
                                    r->dstOffset.z) +
                  s);
      }
   }
   cmd->device->genx->cmd_flush(cmd);
   saf_meta_refresh_written(cmd, dst, dst_layout, count,
                            &regions->dstSubresource, sizeof(*regions));
}

/* ---- buffers and images ---- */

/* The first sample of each pixel of `part` of an image, which is where its
 * dst is, to memory where its src is. */
static void
read_first_sample(struct saf_cmd_buffer *cmd, const struct saf_image *image,
                  const struct saf_plane *plane, uint32_t slice,
                  const struct piece *memory, const struct rect_copy *part)
{
   const enum isl_format format =
      saf_meta_uint_format(isl_format_get_layout(plane->surf.format)->bpb);
   const struct saf_plane *readable =
      saf_meta_readable(cmd, image, plane, 0, slice);
   const struct saf_meta_draw draw = {
      .kind = SAF_META_RESOLVE_FIRST,
      .targets = piece_targets(cmd, memory),
      .rect = { { (int32_t)memory->x_el, (int32_t)memory->y_el },
                { part->w, part->h } },
      .push.offset = { (int32_t)(part->dst_x - memory->x_el),
                       (int32_t)(part->dst_y - memory->y_el) },
      .push.layer = slice,
      .src = saf_meta_texture(cmd, image, readable, format,
                              ISL_SWIZZLE_IDENTITY, 0, slice),
   };
   saf_meta_draw(cmd, &draw);
}

/* The other way: all samples of each pixel. */
static void
write_all_samples(struct saf_cmd_buffer *cmd, const struct saf_image *image,
                  const struct saf_plane *plane, uint32_t slice,
                  const struct piece *memory, const struct rect_copy *part)
{
   const bool depth = plane->aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
   struct saf_meta_draw draw = {
      .targets = {
         .width = image->extent.width,
         .height = image->extent.height,
         .layers = 1,
         .samples = image->samples,
      },
      .rect = { { (int32_t)part->dst_x, (int32_t)part->dst_y },
                { part->w, part->h } },
      .push.offset = { (int32_t)(memory->x_el - part->dst_x),
                       (int32_t)(memory->y_el - part->dst_y) },
      .src = piece_view(cmd, memory,
                        depth ? plane->surf.format : memory->surf.format,
                        false),
   };
   if (plane->aspect == VK_IMAGE_ASPECT_COLOR_BIT) {
      draw.kind = SAF_META_COPY;
      draw.targets.color_count = 1;
      draw.targets.color[0] =
         saf_meta_target(cmd, image, plane, memory->surf.format, 0, slice);
      saf_meta_draw(cmd, &draw);
      return;
   }
   saf_targets_set_depth_stencil(&draw.targets, image, 0, slice, 1);
   if (depth) {
      draw.kind = SAF_META_COPY_DEPTH;
      saf_meta_draw(cmd, &draw);
   } else {
      draw.kind = SAF_META_STENCIL_BIT;
      draw.targets.depth = NULL;
      saf_meta_draw_stencil(cmd, &draw);
   }
}

/* Images of several samples, which Vulkan forbids and zink 22.3 does with
 * the depth buffers of windows (VUID-vkCmdCopyImageToBuffer-srcImage-00188,
 * VUID-vkCmdCopyBufferToImage-dstImage-00179). `r` goes from memory to
 * image. */
static void
copy_buffer_samples(struct saf_cmd_buffer *cmd, const struct raw *memory,
                    const struct saf_image *image,
                    const struct saf_plane *plane, uint32_t slice,
                    const struct rect_copy *r, bool to_image)
{
   struct rect_copy part = { .h = 0 };
   for (uint32_t y = 0; y < r->h; y += part.h) {
      const struct isl_extent2d most =
         piece_limit(cmd->device->info, memory, 0, y, !to_image);
      struct piece piece;
      part = (struct rect_copy) { 0,        y,
                                  r->dst_x, r->dst_y + y,
                                  r->w,     MIN2(r->h - y, most.h) };
      if (!piece_init(cmd->device, &piece, memory, 0, y, part.w, part.h,
                      !to_image)) {
         saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
         return;
      }
      (to_image ? write_all_samples
                : read_first_sample)(cmd, image, plane, slice, &piece, &part);
   }
}

/* One slice of a region; `to_image` is the direction. */
static void
copy_buffer_slice(struct saf_cmd_buffer *cmd, const struct saf_buffer *buffer,
                  const struct saf_image *image,
                  const struct saf_plane *plane, const VkBufferImageCopy *c,
                  uint32_t index, bool to_image)
{
   const struct isl_format_layout *fmt =
      isl_format_get_layout(plane->surf.format);
   const uint32_t row_px = c->bufferRowLength ? c->bufferRowLength
                                              : c->imageExtent.width;
   const uint32_t rows_px = c->bufferImageHeight ? c->bufferImageHeight
                                                 : c->imageExtent.height;
   const uint64_t pitch_B = DIV_ROUND_UP((uint64_t)row_px, plane->texel_px) *
                            fmt->bpb / 8;
   const uint64_t slice_B = pitch_B *
                            DIV_ROUND_UP((uint64_t)rows_px, fmt->bh);
   const uint32_t w = DIV_ROUND_UP(c->imageExtent.width, plane->texel_px);
   const uint32_t h = DIV_ROUND_UP(c->imageExtent.height, fmt->bh);
   const uint32_t x = (uint32_t)c->imageOffset.x / plane->texel_px;
   const uint32_t y = (uint32_t)c->imageOffset.y / fmt->bh;
   const uint32_t slice =
      saf_meta_first_slice(image, c->imageSubresource.baseArrayLayer,
                           c->imageOffset.z) +
      index;
   const uint32_t level = c->imageSubresource.mipLevel;
   const struct raw memory = raw_from_memory(
      saf_buffer_addr(buffer, c->bufferOffset + index * slice_B), fmt->bpb,
      pitch_B);
   if (image->samples > 1) {
      const struct rect_copy r = { 0, 0, x, y, w, h };
      copy_buffer_samples(cmd, &memory, image, plane, slice, &r, to_image);
      return;
   }
   if (!to_image)
      plane = saf_meta_readable(cmd, image, plane, level, slice);
   const struct raw texels = raw_from_image(image, plane, level, slice);
   if (to_image) {
      const struct rect_copy r = { 0, 0, x, y, w, h };
      copy_raw(cmd, &memory, &texels, &r);
   } else {
      const struct rect_copy r = { x, y, 0, 0, w, h };
      copy_raw(cmd, &texels, &memory, &r);
   }
}

static void
copy_buffer_image(struct saf_cmd_buffer *cmd, const struct saf_buffer *buffer,
                  const struct saf_image *image, uint32_t count,
                  const VkBufferImageCopy *regions, bool to_image)
{
   cmd->device->genx->cmd_flush(cmd);
   for (uint32_t i = 0; i < count; i++) {
      const VkBufferImageCopy *c = &regions[i];
      const struct saf_plane *plane =
         saf_image_plane(image, c->imageSubresource.aspectMask);
      const uint32_t slices =
         slice_count(image, &c->imageSubresource, c->imageExtent.depth);
      for (uint32_t s = 0; plane && s < slices; s++)
         copy_buffer_slice(cmd, buffer, image, plane, c, s, to_image);
   }
   cmd->device->genx->cmd_flush(cmd);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdCopyBufferToImage(VkCommandBuffer _cmd, VkBuffer src, VkImage _dst,
                         VkImageLayout layout, uint32_t count,
                         const VkBufferImageCopy *regions)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_image, dst, _dst);
   copy_buffer_image(cmd, saf_buffer_from_handle(src), dst, count, regions,
                     true);
   saf_meta_refresh_written(cmd, dst, layout, count,
                            &regions->imageSubresource, sizeof(*regions));
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdCopyImageToBuffer(VkCommandBuffer _cmd, VkImage src,
                         VkImageLayout layout, VkBuffer dst, uint32_t count,
                         const VkBufferImageCopy *regions)
{
   copy_buffer_image(saf_cmd_buffer_from_handle(_cmd),
                     saf_buffer_from_handle(dst), saf_image_from_handle(src),
                     count, regions, false);
}

/* ---- buffers ---- */

/* The largest element that addresses and size are multiples of. */
static uint32_t
common_block_B(uint64_t a, uint64_t b, uint64_t c)
{
   const uint64_t all = a | b | c | 16;
   return (uint32_t)(all & -all);
}

static void
copy_blocks(struct saf_cmd_buffer *cmd, uint64_t src, uint64_t dst,
            uint64_t size_B)
{
   const uint32_t block_B = common_block_B(src, dst, size_B);
   uint64_t left = size_B / block_B;
   while (left) {
      const uint32_t w = (uint32_t)MIN2(left, MAX_SURFACE_PX);
      const uint32_t h = (uint32_t)MIN2(left / w, MAX_SURFACE_PX);
      const struct raw from = raw_from_memory(src, block_B * 8, w * block_B);
      const struct raw to = raw_from_memory(dst, block_B * 8, w * block_B);
      const struct rect_copy r = { .w = w, .h = h };
      copy_raw(cmd, &from, &to, &r);
      const uint64_t done = (uint64_t)w * h;
      src += done * block_B;
      dst += done * block_B;
      left -= done;
   }
}

/* In elements as large as the distance allows: what is in front of the first
 * and after the last whole one goes by itself, in smaller ones. */
static void
copy_memory(struct saf_cmd_buffer *cmd, uint64_t src, uint64_t dst,
            uint64_t size_B)
{
   const uint32_t block_B = common_block_B(src - dst, 0, 0);
   const uint64_t head_B = MIN2(-dst & (block_B - 1), size_B);
   const uint64_t body_B = (size_B - head_B) & -(uint64_t)block_B;
   const uint64_t tail = head_B + body_B;
   if (head_B)
      copy_blocks(cmd, src, dst, head_B);
   if (body_B)
      copy_blocks(cmd, src + head_B, dst + head_B, body_B);
   if (tail < size_B)
      copy_blocks(cmd, src + tail, dst + tail, size_B - tail);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdCopyBuffer(VkCommandBuffer _cmd, VkBuffer _src, VkBuffer _dst,
                  uint32_t count, const VkBufferCopy *regions)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_buffer, src, _src);
   SAF_FROM_HANDLE(saf_buffer, dst, _dst);
   cmd->device->genx->cmd_flush(cmd);
   for (uint32_t i = 0; i < count; i++)
      copy_memory(cmd, saf_buffer_addr(src, regions[i].srcOffset),
                  saf_buffer_addr(dst, regions[i].dstOffset),
                  regions[i].size);
   cmd->device->genx->cmd_flush(cmd);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdUpdateBuffer(VkCommandBuffer _cmd, VkBuffer _dst, VkDeviceSize offset,
                    VkDeviceSize size, const void *data)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_buffer, dst, _dst);
   saf_cmd_dynamic_room(cmd, (uint32_t)size);
   const struct saf_state state =
      saf_cmd_dynamic_state(cmd, (uint32_t)size, 64);
   if (cmd->error)
      return;
   memcpy(state.map, data, size);
   cmd->device->genx->cmd_flush(cmd);
   copy_memory(cmd, saf_dynamic_addr(cmd, state),
               saf_buffer_addr(dst, offset), size);
   cmd->device->genx->cmd_flush(cmd);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdFillBuffer(VkCommandBuffer _cmd, VkBuffer _dst, VkDeviceSize offset,
                  VkDeviceSize size, uint32_t data)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_buffer, dst, _dst);
   uint64_t left = saf_buffer_range(dst, offset, size) / 4;
   uint64_t addr = saf_buffer_addr(dst, offset);
   cmd->device->genx->cmd_flush(cmd);
   while (left) {
      const uint32_t w = (uint32_t)MIN2(left, MAX_SURFACE_PX);
      const uint32_t h = (uint32_t)MIN2(left / w, MAX_SURFACE_PX);
      const struct raw memory = raw_from_memory(addr, 32, w * 4);
      struct piece to;
      if (!piece_init(cmd->device, &to, &memory, 0, 0, w, h, true)) {
         saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
         return;
      }
      struct saf_meta_draw draw = {
         .kind = SAF_META_CLEAR_COLOR,
         .targets = piece_targets(cmd, &to),
         .rect = { .extent = { w, h } },
         .push.color = { data, data, data, data },
      };
      saf_meta_draw(cmd, &draw);
      addr += (uint64_t)w * h * 4;
      left -= (uint64_t)w * h;
   }
   cmd->device->genx->cmd_flush(cmd);
}
