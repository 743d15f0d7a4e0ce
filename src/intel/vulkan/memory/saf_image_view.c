/* SPDX-License-Identifier: MIT */
/* Views of images: the surface states of each use. */
#include "intel/vulkan/base/saf_genx.h"
#include "saf_format.h"
#include "saf_image_control.h"

static enum isl_channel_select
channel_select(VkComponentSwizzle s, enum isl_channel_select identity)
{
   switch (s) {
   case VK_COMPONENT_SWIZZLE_IDENTITY: return identity;
   case VK_COMPONENT_SWIZZLE_ZERO: return ISL_CHANNEL_SELECT_ZERO;
   case VK_COMPONENT_SWIZZLE_ONE: return ISL_CHANNEL_SELECT_ONE;
   case VK_COMPONENT_SWIZZLE_R: return ISL_CHANNEL_SELECT_RED;
   case VK_COMPONENT_SWIZZLE_G: return ISL_CHANNEL_SELECT_GREEN;
   case VK_COMPONENT_SWIZZLE_B: return ISL_CHANNEL_SELECT_BLUE;
   case VK_COMPONENT_SWIZZLE_A: return ISL_CHANNEL_SELECT_ALPHA;
   case VK_COMPONENT_SWIZZLE_MAX_ENUM: break;
   }
   unreachable("component swizzle");
}

static struct isl_swizzle
view_swizzle(VkComponentMapping m)
{
   return (struct isl_swizzle) {
      channel_select(m.r, ISL_CHANNEL_SELECT_RED),
      channel_select(m.g, ISL_CHANNEL_SELECT_GREEN),
      channel_select(m.b, ISL_CHANNEL_SELECT_BLUE),
      channel_select(m.a, ISL_CHANNEL_SELECT_ALPHA),
   };
}

/* Whether a view shows slices of a 3D image as layers, which `slices` then
 * has (VK_EXT_image_2d_view_of_3d). */
static bool
sees_slices(const struct saf_image_view *view, const struct saf_plane *plane,
            struct isl_surf *slices)
{
   return view->image->type == VK_IMAGE_TYPE_3D &&
          (view->type == VK_IMAGE_VIEW_TYPE_2D ||
           view->type == VK_IMAGE_VIEW_TYPE_2D_ARRAY) &&
          isl_surf_of_slices(&plane->surf, slices);
}

/* Whether a view shows blocks of a compressed image as texels, which `blocks`
 * then has; of one level, and of one layer or all slices
 * (VUID-VkImageViewCreateInfo-image-07072). */
static bool
sees_blocks(const struct saf_image_view *view, const struct saf_plane *plane,
            struct isl_view *v, struct isl_surf *blocks, uint64_t *addr)
{
   uint64_t offset_B;
   if (!isl_format_is_compressed(plane->surf.format) ||
       isl_format_is_compressed(v->format) ||
       !isl_surf_of_blocks(&plane->surf, v->format, view->base_level,
                           view->base_layer, blocks, &offset_B))
      return false;
   v->base_level = v->base_array_layer = 0;
   v->levels = 1;
   v->min_lod = 0.0f;
   *addr += offset_B;
   return true;
}

static bool
fill_sampled(struct saf_device *device, struct saf_image_view *view,
             const struct saf_plane *plane, struct isl_view v,
             struct saf_state *out)
{
   const struct saf_image *image = view->image;
   if (plane->aspect == VK_IMAGE_ASPECT_STENCIL_BIT && image->has_shadow)
      plane = &image->shadow;
   *out = saf_state_alloc(&device->surface_pool, ISL_SURFACE_STATE_SIZE_B);
   if (!out->size_B)
      return false;
   v.usage = ISL_SURF_USAGE_TEXTURE_BIT;
   if (view->type == VK_IMAGE_VIEW_TYPE_CUBE ||
       view->type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY)
      v.usage |= ISL_SURF_USAGE_CUBE_BIT;
   struct isl_surf surf = plane->surf;
   uint64_t addr = saf_plane_addr(image, plane);
   const bool flat = sees_slices(view, plane, &surf);
   if (image->type == VK_IMAGE_TYPE_3D && !flat) {
      v.base_array_layer = 0;
      v.array_len = 1;
   }
   if (!flat)
      sees_blocks(view, plane, &v, &surf, &addr);
   saf_surf_fill_state(device, out->map, .surf = &surf, .view = &v,
                       .address = addr, .mocs = device->info->mocs_cached,
                       .mcs = saf_image_mcs(view->image),
                       .mcs_address = saf_image_mcs_addr(view->image));
   return true;
}

/* All planes of a view of all. */
static bool
fill_planes(struct saf_device *device, struct saf_image_view *view,
            const struct saf_planar_format *planar)
{
   bool ok = true;
   for (unsigned i = 0; ok && i < planar->plane_count; i++) {
      struct saf_plane plane = view->image->planes[planar->packed ? 0 : i];
      struct isl_view v = view->view;
      v.format = planar->formats[i];
      if (planar->packed)
         plane.surf = isl_surf_of_texels(&plane.surf, v.format);
      ok = fill_sampled(device, view, &plane, v,
                        i ? &view->planes[i - 1] : &view->sampled);
   }
   return ok;
}

static bool
fill_target(struct saf_device *device, struct saf_image_view *view,
            const struct saf_plane *plane)
{
   view->target =
      saf_state_alloc(&device->surface_pool, ISL_SURFACE_STATE_SIZE_B);
   if (!view->target.size_B)
      return false;
   struct isl_view v = view->view;
   v.usage = ISL_SURF_USAGE_RENDER_TARGET_BIT;
   v.levels = 1;
   v.swizzle = ISL_SWIZZLE_IDENTITY;
   struct isl_surf surf = plane->surf;
   uint64_t addr = saf_plane_addr(view->image, plane);
   sees_blocks(view, plane, &v, &surf, &addr);
   saf_surf_fill_state(device, view->target.map, .surf = &surf, .view = &v,
                       .address = addr, .mocs = device->info->mocs_cached,
                       .mcs = saf_image_mcs(view->image),
                       .mcs_address = saf_image_mcs_addr(view->image));
   return true;
}

/* What a surface state can say. */
#define MAX_STORAGE_ROWS 16384

/* A storage image is an array of layers, also if it is a cube map; with
 * several samples, of each layer's samples: typed messages know of none. */
static bool
fill_storage_state(struct saf_device *device, struct saf_image_view *view,
                   const struct saf_plane *plane, enum isl_format format,
                   struct saf_state *out)
{
   *out = saf_state_alloc(&device->surface_pool, ISL_SURFACE_STATE_SIZE_B);
   if (!out->size_B)
      return false;
   if (format == ISL_FORMAT_RAW) {
      saf_fill_storage_surface(device, out->map,
                               saf_plane_addr(view->image, plane),
                               plane->surf.size_B);
      return true;
   }
   struct isl_view v = view->view;
   v.usage = ISL_SURF_USAGE_STORAGE_BIT;
   v.format = format;
   v.levels = 1;
   v.swizzle = ISL_SWIZZLE_IDENTITY;
   unsigned shift;
   struct isl_surf surf = isl_surf_of_samples(&plane->surf, &shift);
   uint64_t addr = saf_plane_addr(view->image, plane);
   if (!sees_slices(view, plane, &surf))
      sees_blocks(view, plane, &v, &surf, &addr);
   v.base_array_layer = v.base_array_layer * plane->surf.samples >> shift;
   v.array_len = v.array_len * plane->surf.samples >> shift;
   if (shift && surf.logical_level0_px.h > MAX_STORAGE_ROWS) {
      saf_error(VK_ERROR_OUT_OF_DEVICE_MEMORY,
                "a storage image whose samples are more than 2 GB");
      return false;
   }
   saf_surf_fill_state(device, out->map, .surf = &surf, .view = &v,
                       .address = addr, .mocs = device->info->mocs_cached);
   return true;
}

static bool
fill_storage(struct saf_device *device, struct saf_image_view *view,
             const struct saf_plane *plane)
{
   const struct saf_storage_read read =
      saf_storage_read(device->info, view->format);
   return fill_storage_state(device, view, plane, view->format,
                             &view->storage) &&
          fill_storage_state(device, view, plane, read.format,
                             read.raw ? &view->storage_raw
                                      : &view->storage_load);
}

/* Bytes from the start of the plane to a texel. */
static uint32_t
texel_offset_B(const struct saf_plane *plane, uint32_t level, uint32_t layer,
               uint32_t z)
{
   const struct isl_surf *surf = &plane->surf;
   uint32_t x_el, y_el;
   isl_surf_get_image_offset_el(surf, level, layer, z, &x_el, &y_el);
   return y_el * surf->row_pitch_B +
          x_el * isl_format_block_size_B(surf->format);
}

/* Where the texels of a storage image are, which then is linear. */
static void
add_layout(struct saf_surface_info *info, const struct saf_image_view *view)
{
   const struct saf_plane *plane =
      saf_image_plane(view->image, VK_IMAGE_ASPECT_COLOR_BIT);
   const struct isl_surf *surf = &plane->surf;
   const uint32_t level = view->base_level;
   if (surf->tiling != ISL_TILING_LINEAR)
      return;
   info->base_B = texel_offset_B(plane, level, 0, 0);
   info->pitch_B = surf->row_pitch_B;
   info->first_slice = view->base_layer;
   info->width = view->extent.width;
   info->height = view->image->type == VK_IMAGE_TYPE_1D ? 1
                                                        : view->extent.height;
   info->slices = view->layers;
   if (view->image->type != VK_IMAGE_TYPE_3D) {
      info->slices_B = surf->array_pitch_el_rows * surf->row_pitch_B;
      return;
   }
   /* Slices of level l lie in rows of 2^l. */
   info->slice_shift = level;
   if (level && view->extent.depth > 1)
      info->slice_B = texel_offset_B(plane, level, 0, 1) - info->base_B;
   if (view->extent.depth > 1u << level)
      info->slices_B = texel_offset_B(plane, level, 0, 1u << level) -
                       info->base_B;
}

struct saf_surface_info
saf_image_view_info(const struct saf_image_view *view)
{
   struct saf_surface_info info = {
      .swizzle = saf_swizzle_word(view->view.swizzle),
      .load_format = view->storage.size_B ? saf_any_format_word(view->format)
                                          : 0,
   };
   if (view->storage_raw.size_B)
      add_layout(&info, view);
   if (view->image->samples > 1) {
      info.samples = view->image->samples;
      info.slices = view->layers;
   }
   if (view->image->samples > 1 && view->storage.size_B) {
      const struct isl_surf *surf = &view->image->planes[0].surf;
      unsigned shift;
      isl_surf_of_samples(surf, &shift);
      info.height = view->extent.height;
      info.slice_shift = shift;
      info.slice_rows = surf->array_pitch_el_rows;
   }
   return info;
}

static void
init_view(const struct saf_device *device, struct saf_image_view *view,
          const VkImageViewCreateInfo *info, VkImageAspectFlagBits aspect)
{
   const VkImageSubresourceRange *r = &info->subresourceRange;
   struct saf_image *image = saf_image_from_handle(info->image);
   const struct saf_format f =
      saf_get_format(device->info, info->format, aspect);
   view->image = image;
   view->aspects = r->aspectMask;
   view->vk_format = info->format;
   view->type = info->viewType;
   view->base_level = r->baseMipLevel;
   view->levels = saf_image_range(image, r).levelCount;
   view->base_layer = r->baseArrayLayer;
   view->extent = saf_image_level_extent(image, view->base_level);
   const uint32_t all_layers =
      image->type == VK_IMAGE_TYPE_3D ? view->extent.depth : image->layers;
   view->layers = r->layerCount == VK_REMAINING_ARRAY_LAYERS
                     ? all_layers - r->baseArrayLayer
                     : r->layerCount;
   const struct saf_plane *plane = saf_image_plane(image, aspect);
   const struct isl_format_layout *fmt =
      isl_format_get_layout(plane->surf.format);
   if (image->plane_count > 1 && image->type == VK_IMAGE_TYPE_2D &&
       aspect >= VK_IMAGE_ASPECT_PLANE_0_BIT) {
      view->extent.width = plane->surf.logical_level0_px.w;
      view->extent.height = plane->surf.logical_level0_px.h;
   }
   if (!isl_format_is_compressed(f.format)) {
      view->extent.width = DIV_ROUND_UP(view->extent.width, fmt->bw);
      view->extent.height = DIV_ROUND_UP(view->extent.height, fmt->bh);
   }
   /* A 3D view has one layer, but a target made of it has all slices. */
   if (info->viewType == VK_IMAGE_VIEW_TYPE_3D)
      view->layers = view->extent.depth;
   view->format = f.format;
   view->format_swizzle = f.swizzle;
   const VkImageViewMinLodCreateInfoEXT *min_lod = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
   view->view = (struct isl_view) {
      .format = f.format,
      .min_lod = min_lod ? CLAMP(min_lod->minLod, 0.0f, 14.0f) : 0.0f,
      .base_level = view->base_level,
      .levels = view->levels,
      .base_array_layer = view->base_layer,
      .array_len = view->layers,
      .swizzle =
         isl_swizzle_compose(f.swizzle, view_swizzle(info->components)),
   };
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateImageView(VkDevice _device, const VkImageViewCreateInfo *info,
                    const VkAllocationCallbacks *alloc, VkImageView *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_image_view *view =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*view));
   if (!view)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   struct saf_image *image = saf_image_from_handle(info->image);
   const VkImageAspectFlags aspects = info->subresourceRange.aspectMask;
   /* Of depth and stencil together, only depth can be sampled. */
   const struct saf_plane *plane = saf_image_plane(image, aspects);
   init_view(device, view, info, plane->aspect);
   /* Of all planes together, shaders alone know anything. */
   const struct saf_planar_format *planar =
      aspects == VK_IMAGE_ASPECT_COLOR_BIT
         ? saf_planar_format(image->vk_format)
         : NULL;

   const VkImageViewUsageCreateInfo *usage_info = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
   VkImageUsageFlags usage = usage_info ? usage_info->usage : image->usage;
   if (planar)
      usage &= VK_IMAGE_USAGE_SAMPLED_BIT;
   bool ok = true;
   if (usage && planar)
      ok = fill_planes(device, view, planar);
   else if (usage & (VK_IMAGE_USAGE_SAMPLED_BIT |
                     VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT))
      ok = fill_sampled(device, view, plane, view->view, &view->sampled);
   view->compares = !planar &&
                    isl_format_supports(device->info, view->view.format,
                                        ISL_FORMAT_USE_SHADOW);
   const bool has_color = !(plane->aspect & (VK_IMAGE_ASPECT_DEPTH_BIT |
                                             VK_IMAGE_ASPECT_STENCIL_BIT));
   if (has_color && (usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT))
      ok = ok && fill_target(device, view, plane);
   if (has_color && (usage & VK_IMAGE_USAGE_STORAGE_BIT))
      ok = ok && fill_storage(device, view, plane);
   *out = saf_image_view_to_handle(view);
   if (!ok) {
      saf_DestroyImageView(_device, *out, alloc);
      *out = VK_NULL_HANDLE;
      return device->surface_pool.error ? device->surface_pool.error
                                        : VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyImageView(VkDevice _device, VkImageView _view,
                     const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_image_view, view, _view);
   if (!view)
      return;
   saf_state_free(&device->surface_pool, view->sampled);
   saf_state_free(&device->surface_pool, view->target);
   saf_state_free(&device->surface_pool, view->storage);
   saf_state_free(&device->surface_pool, view->storage_load);
   saf_state_free(&device->surface_pool, view->storage_raw);
   for (unsigned i = 0; i < ARRAY_SIZE(view->planes); i++)
      saf_state_free(&device->surface_pool, view->planes[i]);
   saf_free(alloc ? alloc : device->alloc, view);
}
