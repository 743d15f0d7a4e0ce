/* SPDX-License-Identifier: MIT */
/* Images, their memory, views of them, and samplers. */
#include "intel/vulkan/saf_private.h"
#include "intel/vulkan/genx/saf_genx.h"

/* ---- surface states ---- */

void
saf_fill_texel_buffer_surface(struct saf_device *device, void *map,
                              enum isl_format format,
                              struct isl_swizzle swizzle, uint64_t addr,
                              uint64_t range_B)
{
   saf_buffer_fill_state(device, map, .address = addr, .size_B = range_B,
                         .format = format,
                         .stride_B = isl_format_block_size_B(format),
                         .swizzle = swizzle,
                         .mocs = device->info->mocs_cached);
}

void
saf_fill_uniform_surface(struct saf_device *device, void *map, uint64_t addr,
                         uint64_t range_B)
{
   /* Constant data is read in vectors of four dwords; a buffer's last one
    * may reach beyond its end (but not beyond its allocation). */
   saf_buffer_fill_state(
      device, map, .address = addr,
      .size_B = ALIGN(range_B, (uint64_t)SAF_UNIFORM_ALIGN_B),
      .format = ISL_FORMAT_R32G32B32A32_FLOAT, .stride_B = 16,
      .swizzle = ISL_SWIZZLE_IDENTITY, .mocs = device->info->mocs_cached);
}

void
saf_fill_storage_surface(struct saf_device *device, void *map, uint64_t addr,
                         uint64_t range_B)
{
   /* The last dword may be only partly there: see saf_nir_buffer_size(). */
   saf_buffer_fill_state(device, map, .address = addr,
                         .size_B = ALIGN(range_B, 4ull),
                         .format = ISL_FORMAT_RAW, .stride_B = 1,
                         .swizzle = ISL_SWIZZLE_IDENTITY,
                         .mocs = device->info->mocs_cached);
}

/* ---- images ---- */

const struct saf_plane *
saf_image_plane(const struct saf_image *image, VkImageAspectFlags aspect)
{
   for (uint32_t i = 0; i < image->plane_count; i++) {
      if (image->planes[i].aspect & aspect)
         return &image->planes[i];
   }
   return NULL;
}

static enum isl_surf_dim
surf_dim(VkImageType type)
{
   return type == VK_IMAGE_TYPE_1D   ? ISL_SURF_DIM_1D
          : type == VK_IMAGE_TYPE_3D ? ISL_SURF_DIM_3D
                                     : ISL_SURF_DIM_2D;
}

/* Whoever imports the memory makes an image of its own there, and may ask for
 * other usages: GL_EXT_memory_object does not tell them. */
static bool
is_shared(const VkImageCreateInfo *info)
{
   saf_foreach_struct(s, info->pNext)
   {
      if (s->sType == VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO)
         return ((const VkExternalMemoryImageCreateInfo *)s)->handleTypes;
   }
   return false;
}

/* Images that are read as raw memory are linear; what is shared is so when
 * its format could be read so, that the layout depends on no usage. So are
 * those whose blocks may be texels: any level is a surface then. */
static uint32_t
tilings(const struct saf_device *device, const VkImageCreateInfo *info,
        uint32_t allowed, VkImageAspectFlagBits aspect,
        enum isl_format format)
{
   const bool shared = is_shared(info) && (allowed & ISL_TILING_LINEAR_BIT) &&
                       aspect == VK_IMAGE_ASPECT_COLOR_BIT;
   const bool raw =
      isl_storage_reads_raw(device->info, isl_format_get_layout(format)->bpb);
   const bool stored = info->usage & VK_IMAGE_USAGE_STORAGE_BIT;
   const bool blocks =
      isl_format_is_compressed(format) &&
      (info->flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT);
   return (raw && (stored || shared)) || blocks
             ? allowed & ISL_TILING_LINEAR_BIT
             : allowed;
}

static bool
add_plane(const struct saf_device *device, struct saf_image *image,
          const VkImageCreateInfo *info,
          const struct saf_image_layout *layout, VkImageAspectFlagBits aspect)
{
   struct saf_plane *p = &image->planes[image->plane_count];
   isl_surf_usage_flags_t usage = ISL_SURF_USAGE_TEXTURE_BIT;
   if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT)
      usage |= ISL_SURF_USAGE_DEPTH_BIT;
   else if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
      usage |= ISL_SURF_USAGE_STENCIL_BIT;
   else
      usage |= ISL_SURF_USAGE_RENDER_TARGET_BIT;
   if (info->usage & VK_IMAGE_USAGE_STORAGE_BIT)
      usage |= ISL_SURF_USAGE_STORAGE_BIT;
   if (info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT)
      usage |= ISL_SURF_USAGE_CUBE_BIT;
   /* Cube compatible images may have more layers than whole cubes. */
   if (info->arrayLayers % 6 || info->extent.width != info->extent.height)
      usage &= ~ISL_SURF_USAGE_CUBE_BIT;
   p->aspect = aspect;
   const enum isl_format format = saf_get_format(info->format, aspect).format;
   const bool ok =
      isl_surf_init(device->info, &p->surf, .dim = surf_dim(info->imageType),
                    .format = format, .width = info->extent.width,
                    .height = info->extent.height,
                    .depth = info->extent.depth, .levels = info->mipLevels,
                    .array_len = info->arrayLayers, .samples = info->samples,
                    .usage = usage, .row_pitch_B = layout->row_pitch_B,
                    .tiling_flags = tilings(
                       device, info, layout->tiling_flags, aspect, format));
   if (!ok || layout->offset_B % p->surf.alignment_B)
      return false;
   p->offset_B = layout->offset_B +
                 ALIGN(image->size_B, (uint64_t)p->surf.alignment_B);
   image->size_B = p->offset_B + p->surf.size_B;
   image->align_B = MAX2(image->align_B, p->surf.alignment_B);
   image->plane_count++;
   return true;
}

/* Whether that went well, or is not needed. */
static bool
add_shadow(const struct saf_device *device, struct saf_image *image,
           const VkImageCreateInfo *info)
{
   struct saf_plane *p = &image->shadow;
   if (device->info->has_w_tile_sampling ||
       !(image->aspects & VK_IMAGE_ASPECT_STENCIL_BIT))
      return true;
   image->has_shadow = true;
   if (!isl_surf_init(
          device->info, &p->surf, .dim = surf_dim(info->imageType),
          .format = ISL_FORMAT_R8_UINT, .width = info->extent.width,
          .height = info->extent.height, .depth = info->extent.depth,
          .levels = info->mipLevels, .array_len = info->arrayLayers,
          .samples = info->samples,
          .usage = ISL_SURF_USAGE_TEXTURE_BIT |
                   ISL_SURF_USAGE_RENDER_TARGET_BIT))
      return false;
   p->offset_B = ALIGN(image->size_B, (uint64_t)p->surf.alignment_B);
   image->size_B = p->offset_B + p->surf.size_B;
   image->align_B = MAX2(image->align_B, p->surf.alignment_B);
   return true;
}

/* None where samples may move: what it says of a block is said of planes. */
static void
add_hiz(const struct saf_device *device, struct saf_image *image,
        const VkImageCreateInfo *info)
{
   if (info->flags &
       VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT)
      return;
   const struct saf_plane *depth =
      saf_image_plane(image, VK_IMAGE_ASPECT_DEPTH_BIT);
   if (!depth || !isl_surf_get_hiz(&depth->surf, &image->hiz))
      return;
   image->hiz_offset_B = ALIGN(image->size_B, 4096ull);
   image->size_B = image->hiz_offset_B + image->hiz.size_B;
}

/* VK_ERROR_OUT_OF_DEVICE_MEMORY: there is no such surface. */
static VkResult
add_planes(const struct saf_device *device, struct saf_image *image,
           const VkImageCreateInfo *info)
{
   struct saf_image_layout layout = { .tiling_flags = ISL_TILING_ANY_MASK };
   if (info->tiling == VK_IMAGE_TILING_LINEAR)
      layout.tiling_flags = ISL_TILING_LINEAR_BIT;
   bool ok = true;
   if (info->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
      ok = saf_image_choose_modifier(info, &image->modifier, &layout);
   for (unsigned bit = 0; bit < 3 && ok; bit++) {
      const VkImageAspectFlagBits aspect = 1u << bit;
      if (image->aspects & aspect)
         ok = add_plane(device, image, info, &layout, aspect);
   }
   if (ok && add_shadow(device, image, info)) {
      add_hiz(device, image, info);
      return VK_SUCCESS;
   }
   return layout.row_pitch_B
             ? VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT
             : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* The image, but for what it is bound to. */
static VkResult
describe(const struct saf_device *device, const VkImageCreateInfo *info,
         struct saf_image *image)
{
   image->type = info->imageType;
   image->vk_format = info->format;
   image->aspects = saf_format_aspects(info->format);
   image->usage = saf_image_usage(info->usage, info->pNext);
   image->tiling = info->tiling;
   image->extent = info->extent;
   image->levels = info->mipLevels;
   image->layers = info->arrayLayers;
   image->samples = info->samples;
   const VkResult result = add_planes(device, image, info);
   if (result)
      saf_error(result, "image of format %d, %ux%ux%u: no such surface",
                info->format, info->extent.width, info->extent.height,
                info->extent.depth);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateImage(VkDevice _device, const VkImageCreateInfo *info,
                const VkAllocationCallbacks *alloc, VkImage *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_image *image =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*image));
   if (!image)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkResult result = describe(device, info, image);
   if (result) {
      saf_free(alloc ? alloc : device->alloc, image);
      return result;
   }
   *out = saf_image_to_handle(image);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyImage(VkDevice _device, VkImage image,
                 const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   saf_free(alloc ? alloc : device->alloc, saf_image_from_handle(image));
}

VKAPI_ATTR void VKAPI_CALL
saf_GetImageMemoryRequirements2(VkDevice device,
                                const VkImageMemoryRequirementsInfo2 *info,
                                VkMemoryRequirements2 *out)
{
   SAF_FROM_HANDLE(saf_image, image, info->image);
   saf_memory_requirements(out, image->size_B, image->align_B);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetImageMemoryRequirements(VkDevice device, VkImage image,
                               VkMemoryRequirements *out)
{
   const VkImageMemoryRequirementsInfo2 info = { .image = image };
   VkMemoryRequirements2 reqs = { .pNext = NULL };
   saf_GetImageMemoryRequirements2(device, &info, &reqs);
   *out = reqs.memoryRequirements;
}

/* An image that cannot be made takes no memory. */
VKAPI_ATTR void VKAPI_CALL
saf_GetDeviceImageMemoryRequirements(
   VkDevice _device, const VkDeviceImageMemoryRequirements *info,
   VkMemoryRequirements2 *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_image image = { 0 };
   if (describe(device, info->pCreateInfo, &image))
      image.size_B = 0;
   saf_memory_requirements(out, image.size_B, MAX2(image.align_B, 1));
}

VKAPI_ATTR void VKAPI_CALL
saf_GetDeviceImageSparseMemoryRequirements(
   VkDevice device, const VkDeviceImageMemoryRequirements *info,
   uint32_t *count, VkSparseImageMemoryRequirements2 *out)
{
   *count = 0;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetImageSparseMemoryRequirements(VkDevice device, VkImage image,
                                     uint32_t *count,
                                     VkSparseImageMemoryRequirements *out)
{
   *count = 0;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetImageSparseMemoryRequirements2(
   VkDevice device, const VkImageSparseMemoryRequirementsInfo2 *info,
   uint32_t *count, VkSparseImageMemoryRequirements2 *out)
{
   *count = 0;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_BindImageMemory2(VkDevice _device, uint32_t count,
                     const VkBindImageMemoryInfo *infos)
{
   for (uint32_t i = 0; i < count; i++) {
      SAF_FROM_HANDLE(saf_image, image, infos[i].image);
      SAF_FROM_HANDLE(saf_device_memory, mem, infos[i].memory);
      if (!mem) {
         saf_wsi_bind_image(image, infos[i].pNext);
         continue;
      }
      image->bo = mem->bo;
      image->offset_B = infos[i].memoryOffset;
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_BindImageMemory(VkDevice device, VkImage image, VkDeviceMemory memory,
                    VkDeviceSize offset)
{
   const VkBindImageMemoryInfo info = {
      .image = image,
      .memory = memory,
      .memoryOffset = offset,
   };
   return saf_BindImageMemory2(device, 1, &info);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetImageSubresourceLayout(VkDevice device, VkImage _image,
                              const VkImageSubresource *sub,
                              VkSubresourceLayout *out)
{
   SAF_FROM_HANDLE(saf_image, image, _image);
   const struct saf_plane *p = sub->aspectMask ==
                                     VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT
                                  ? &image->planes[0]
                                  : saf_image_plane(image, sub->aspectMask);
   const VkExtent3D extent = saf_image_level_extent(image, sub->mipLevel);
   uint64_t offset_B;
   uint32_t x, y;
   isl_surf_get_image_offset_B_tile_el(&p->surf, sub->mipLevel,
                                       sub->arrayLayer, 0, &offset_B, &x, &y);
   *out = (VkSubresourceLayout) {
      .offset = p->offset_B + offset_B,
      .size = (uint64_t)p->surf.row_pitch_B * extent.height,
      .rowPitch = p->surf.row_pitch_B,
      .arrayPitch = (uint64_t)p->surf.row_pitch_B *
                    p->surf.array_pitch_el_rows,
      .depthPitch = (uint64_t)p->surf.row_pitch_B *
                    p->surf.array_pitch_el_rows,
   };
}

/* ---- views ---- */

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
             const struct saf_plane *plane)
{
   const struct saf_image *image = view->image;
   if (plane->aspect == VK_IMAGE_ASPECT_STENCIL_BIT && image->has_shadow)
      plane = &image->shadow;
   view->sampled =
      saf_state_alloc(&device->surface_pool, ISL_SURFACE_STATE_SIZE_B);
   if (!view->sampled.size_B)
      return false;
   struct isl_view v = view->view;
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
   saf_surf_fill_state(device, view->sampled.map, .surf = &surf, .view = &v,
                       .address = addr, .mocs = device->info->mocs_cached);
   return true;
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
                       .address = addr, .mocs = device->info->mocs_cached);
   return true;
}

/* What a surface state of one sample reaches. */
#define MAX_STORAGE_SLICES 2048

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
   struct isl_surf surf = isl_surf_of_samples(&plane->surf);
   uint64_t addr = saf_plane_addr(view->image, plane);
   if (!sees_slices(view, plane, &surf))
      sees_blocks(view, plane, &v, &surf, &addr);
   v.base_array_layer *= plane->surf.samples;
   v.array_len *= plane->surf.samples;
   if (plane->surf.samples > 1 &&
       v.base_array_layer + v.array_len > MAX_STORAGE_SLICES) {
      saf_error(VK_ERROR_OUT_OF_DEVICE_MEMORY,
                "a storage image with more than %u samples in all layers",
                MAX_STORAGE_SLICES);
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
   const enum isl_format load =
      isl_storage_read_format(device->info, view->format);
   return fill_storage_state(device, view, plane, view->format,
                             &view->storage) &&
          fill_storage_state(device, view, plane,
                             load == ISL_FORMAT_UNSUPPORTED ? view->format
                                                            : load,
                             &view->storage_load);
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
   };
   if (view->storage_load.size_B)
      add_layout(&info, view);
   if (view->image->samples > 1) {
      info.samples = view->image->samples;
      info.slices = view->layers;
   }
   return info;
}

static void
init_view(struct saf_image_view *view, const VkImageViewCreateInfo *info,
          VkImageAspectFlagBits aspect)
{
   const VkImageSubresourceRange *r = &info->subresourceRange;
   struct saf_image *image = saf_image_from_handle(info->image);
   const struct saf_format f = saf_get_format(info->format, aspect);
   view->image = image;
   view->aspects = r->aspectMask;
   view->vk_format = info->format;
   view->type = info->viewType;
   view->base_level = r->baseMipLevel;
   view->levels = r->levelCount == VK_REMAINING_MIP_LEVELS
                     ? image->levels - r->baseMipLevel
                     : r->levelCount;
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
   if (!isl_format_is_compressed(f.format)) {
      view->extent.width = DIV_ROUND_UP(view->extent.width, fmt->bw);
      view->extent.height = DIV_ROUND_UP(view->extent.height, fmt->bh);
   }
   /* A 3D view has one layer, but a target made of it has all slices. */
   if (info->viewType == VK_IMAGE_VIEW_TYPE_3D)
      view->layers = view->extent.depth;
   view->format = f.format;
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
   init_view(view, info, plane->aspect);

   const VkImageViewUsageCreateInfo *usage_info = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
   const VkImageUsageFlags usage = usage_info ? usage_info->usage
                                              : image->usage;
   bool ok = true;
   if (usage &
       (VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT))
      ok = fill_sampled(device, view, plane);
   if (plane->aspect == VK_IMAGE_ASPECT_COLOR_BIT &&
       (usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT))
      ok = ok && fill_target(device, view, plane);
   if (plane->aspect == VK_IMAGE_ASPECT_COLOR_BIT &&
       (usage & VK_IMAGE_USAGE_STORAGE_BIT))
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
   saf_free(alloc ? alloc : device->alloc, view);
}
