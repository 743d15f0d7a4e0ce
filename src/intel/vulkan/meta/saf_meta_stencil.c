/* SPDX-License-Identifier: MIT */
/*
 * Problem: stencil is always in W tiles, which the sampler reads from Gen8 on
 * (BDW PRM volume 2d, RENDER_SURFACE_STATE, Tile Mode).
 *
 * Method: before Gen8 an image with stencil has a second plane of it in Y
 * tiles, the shadow. Copies, blits and resolves make it up to date before
 * they read it; for shaders it is so in each layout in which they may read:
 * after barriers and passes that change to such a layout, and after what
 * writes in one, transfers, too (a barrier of memory alone names no image).
 * An attachment that the draws of its own subpass read is so after its clear
 * and after each barrier between them.
 * The shader that does so sees the W tiles as Y tiles of the same 4 KB, and
 * finds in which of their bytes a value lies:
 *
 *    address bits   11 10  9 | 8  7  6  5  4 | 3  2  1  0
 *    W tile         x5 x4 x3   y5 y4 y3 y2 x2   y1 x1 y0 x0
 *    Y tile         x6 x5 x4   y4 y3 y2 y1 y0   x3 x2 x1 x0
 *
 * (IVB PRM volume 1 part 2, "Tiling Algorithm".) Samples are interleaved in W
 * tiles, and slices of their own in the shadow.
 */
#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/memory/saf_image_control.h"
#include "intel/vulkan/memory/saf_resource.h"
#include "intel/vulkan/cmd/saf_meta.h"

/* Twice as wide in bytes, which is what a surface can have. */
#define MAX_WIDTH_SA 8192u

/* What a barrier calls those who read the shadow. */
#define SHADER_READERS                                                       \
   (VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_INPUT_ATTACHMENT_READ_BIT |        \
    VK_ACCESS_MEMORY_READ_BIT)

/* The part of a slice's tiles from sample x0_sa on, as Y tiles. */
static struct saf_state
tiles_as_y(struct saf_cmd_buffer *cmd, const struct isl_surf *surf,
           uint64_t slice_addr, uint32_t x0_sa, uint32_t width_sa,
           uint32_t height_sa)
{
   struct isl_surf alias;
   const struct saf_state state = saf_cmd_surface_state(cmd);
   const bool ok = isl_surf_init(
      cmd->device->info, &alias, .dim = ISL_SURF_DIM_2D,
      .format = ISL_FORMAT_R8_UINT, .width = 2 * ALIGN(width_sa, 64u),
      .height = ALIGN(height_sa, 64u) / 2, .row_pitch_B = surf->row_pitch_B,
      .samples = 1, .array_len = 1, .levels = 1, .depth = 1,
      .usage = ISL_SURF_USAGE_TEXTURE_BIT, .tiling_flags = ISL_TILING_Y0_BIT);
   if (!ok) {
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      return state;
   }
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .format = alias.format,
      .levels = 1,
      .array_len = 1,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   saf_surf_fill_state(cmd->device, state.map, .surf = &alias, .view = &view,
                       .address = slice_addr + x0_sa / 64 * 4096ull,
                       .mocs = cmd->device->info->mocs_cached);
   return state;
}

/* The shadow with each sample as a layer. */
static struct saf_plane
layers_of_samples(const struct saf_image *image)
{
   struct saf_plane p = image->shadow;
   p.surf.logical_level0_px.a = p.surf.phys_level0_sa.a;
   p.surf.samples = 1;
   p.surf.msaa_layout = ISL_MSAA_LAYOUT_NONE;
   return p;
}

static void
refresh_slice(struct saf_cmd_buffer *cmd, const struct saf_image *image,
              uint32_t level, uint32_t layer)
{
   const struct saf_plane *from =
      saf_image_plane(image, VK_IMAGE_ASPECT_STENCIL_BIT);
   const struct saf_plane to = layers_of_samples(image);
   const VkExtent3D size = saf_image_level_extent(image, level);
   const uint32_t samples = image->samples;
   const uint32_t spread_x = samples == 1 ? 1 : samples == 8 ? 4 : 2;
   const uint32_t spread_y = samples == 1 ? 1 : 2;
   uint64_t offset_B;
   uint32_t x_el, y_el;
   isl_surf_get_image_offset_B_tile_el(&from->surf, level, layer, 0,
                                       &offset_B, &x_el, &y_el);
   const uint64_t addr = saf_plane_addr(image, from) + offset_B;
   const uint32_t step_px = (MAX_WIDTH_SA - 64) / spread_x;
   for (uint32_t s = 0; s < samples; s++) {
      const struct saf_state target = saf_meta_target(
         cmd, image, &to, to.surf.format, level, layer * samples + s);
      for (uint32_t x0 = 0; x0 < size.width; x0 += step_px) {
         const uint32_t w = MIN2(size.width - x0, step_px);
         const struct saf_meta_draw draw = {
            .kind = samples == 1   ? SAF_META_UNTILE
                    : samples == 4 ? SAF_META_UNTILE_4X
                                   : SAF_META_UNTILE_8X,
            .targets = {
               .color_count = 1,
               .color = { target },
               .width = size.width,
               .height = size.height,
               .layers = 1,
               .samples = 1,
            },
            .rect = { { (int32_t)x0, 0 }, { w, size.height } },
            .push.from = { -(int32_t)x0, 0, (int32_t)x_el, (int32_t)y_el },
            .push.sample = s,
            .src = tiles_as_y(cmd, &from->surf, addr, x0 * spread_x,
                              x_el + ALIGN(w, 2u) * spread_x,
                              y_el + ALIGN(size.height, 2u) * spread_y),
         };
         saf_meta_draw(cmd, &draw);
      }
   }
}

const struct saf_plane *
saf_meta_readable(struct saf_cmd_buffer *cmd, const struct saf_image *image,
                  const struct saf_plane *plane, uint32_t level,
                  uint32_t layer)
{
   if (plane->aspect != VK_IMAGE_ASPECT_STENCIL_BIT || !image->has_shadow)
      return plane;
   refresh_slice(cmd, image, level, layer);
   cmd->device->genx->cmd_flush(cmd);
   return &image->shadow;
}

/* Outside of render passes. */
static void
refresh_range(struct saf_cmd_buffer *cmd, const struct saf_image *image,
              uint32_t base_level, uint32_t levels, uint32_t base_layer,
              uint32_t layers)
{
   for (uint32_t l = 0; l < levels * layers; l++)
      refresh_slice(cmd, image, base_level + l % levels,
                    base_layer + l / levels);
}

/* Whether shaders may read stencil in a layout. */
static bool
is_readable(VkImageLayout layout)
{
   switch ((int)layout) {
   case VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR:
   case VK_IMAGE_LAYOUT_GENERAL:
   case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
   case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL:
   case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
   case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
   case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
   case VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT: return true;
   default: return false;
   }
}

/* Whether it may be written there besides. */
static bool
is_shared(VkImageLayout layout)
{
   return layout == VK_IMAGE_LAYOUT_GENERAL ||
          layout == VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR ||
          layout == VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT;
}

/* Whether what shaders may not read yet becomes what they may. */
static bool
shows(VkImageLayout from, VkImageLayout to)
{
   return is_readable(to) && !is_readable(from) &&
          !saf_layout_is_undefined(from);
}

static bool
is_for_shaders(const struct saf_image *image, const VkImageMemoryBarrier *b)
{
   return image->has_shadow &&
          (b->subresourceRange.aspectMask & VK_IMAGE_ASPECT_STENCIL_BIT) &&
          (shows(b->oldLayout, b->newLayout) ||
           (b->dstAccessMask & SHADER_READERS));
}

void
saf_meta_refresh_shadows(struct saf_cmd_buffer *cmd, uint32_t count,
                         const VkImageMemoryBarrier *barriers)
{
   bool any = false;
   /* In a render pass only attachments can be named, and
    * saf_meta_refresh_attachment() is for those. */
   for (uint32_t i = 0; i < count && !cmd->rendering.active; i++) {
      SAF_FROM_HANDLE(saf_image, image, barriers[i].image);
      const VkImageSubresourceRange r =
         saf_image_range(image, &barriers[i].subresourceRange);
      if (!is_for_shaders(image, &barriers[i]))
         continue;
      refresh_range(cmd, image, r.baseMipLevel, r.levelCount,
                    r.baseArrayLayer, r.layerCount);
      any = true;
   }
   if (any)
      cmd->device->genx->cmd_flush(cmd);
}

static void
refresh_view(struct saf_cmd_buffer *cmd, const struct saf_image_view *view)
{
   if (!view->image->has_shadow ||
       !(view->aspects & VK_IMAGE_ASPECT_STENCIL_BIT))
      return;
   refresh_range(cmd, view->image, view->base_level, view->levels,
                 view->base_layer, view->layers);
   cmd->device->genx->cmd_flush(cmd);
}

/* Also where it must not be written: zink 22.3 draws stencil in
 * DEPTH_STENCIL_READ_ONLY_OPTIMAL (piglit's fbo-depth-array stencil-draw). */
void
saf_meta_refresh_shadow_in(struct saf_cmd_buffer *cmd,
                           const struct saf_image_view *view,
                           VkImageLayout layout)
{
   if (is_readable(layout))
      refresh_view(cmd, view);
}

void
saf_meta_refresh_attachment(struct saf_cmd_buffer *cmd, VkAccessFlags readers)
{
   const struct saf_rendering_attachment *a = &cmd->rendering.stencil;
   if (cmd->rendering.active && a->view && is_shared(a->layout) &&
       (readers & SHADER_READERS))
      refresh_view(cmd, a->view);
}

void
saf_meta_show_shadow(struct saf_cmd_buffer *cmd,
                     const struct saf_image_view *view, VkImageLayout from,
                     VkImageLayout to)
{
   if (shows(from, to))
      refresh_view(cmd, view);
}

void
saf_meta_refresh_written(struct saf_cmd_buffer *cmd,
                         const struct saf_image *image, VkImageLayout layout,
                         uint32_t count, const VkImageSubresourceLayers *l,
                         size_t stride_B)
{
   if (!image->has_shadow || !is_shared(layout))
      return;
   for (uint32_t i = 0; i < count; i++) {
      if (l->aspectMask & VK_IMAGE_ASPECT_STENCIL_BIT)
         refresh_range(cmd, image, l->mipLevel, 1, l->baseArrayLayer,
                       saf_layer_count(image, l));
      l = (const VkImageSubresourceLayers *)((const char *)l + stride_B);
   }
   cmd->device->genx->cmd_flush(cmd);
}

void
saf_meta_refresh_cleared(struct saf_cmd_buffer *cmd,
                         const struct saf_image *image, VkImageLayout layout,
                         uint32_t count,
                         const VkImageSubresourceRange *ranges)
{
   if (!image->has_shadow || !is_shared(layout))
      return;
   for (uint32_t i = 0; i < count; i++) {
      const VkImageSubresourceRange r = saf_image_range(image, &ranges[i]);
      if (r.aspectMask & VK_IMAGE_ASPECT_STENCIL_BIT)
         refresh_range(cmd, image, r.baseMipLevel, r.levelCount,
                       r.baseArrayLayer, r.layerCount);
   }
   cmd->device->genx->cmd_flush(cmd);
}
