/* SPDX-License-Identifier: MIT */
/* Images, their memory, and surface states of buffers. */
#include "saf_image_control.h"
#include "saf_resource.h"
#include "intel/dev/intel_workaround.h"
#include "saf_buffer.h"
#include "saf_format.h"
#include "saf_image.h"
#include "intel/vulkan/base/saf_genx.h"

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
   const bool raw =
      intel_needs_workaround(device->info, INTEL_WA_UNTYPED_IS_RAW);
   saf_buffer_fill_state(
      device, map, .address = addr,
      .size_B = ALIGN(range_B, (uint64_t)SAF_UNIFORM_ALIGN_B),
      .format = raw ? ISL_FORMAT_RAW : ISL_FORMAT_R32G32B32A32_FLOAT,
      .stride_B = raw ? 1 : 16, .swizzle = ISL_SWIZZLE_IDENTITY,
      .mocs = device->info->mocs_cached);
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
   /* All planes, of which the first stands for them. */
   if (aspect == VK_IMAGE_ASPECT_COLOR_BIT &&
       image->aspects & VK_IMAGE_ASPECT_PLANE_0_BIT)
      return &image->planes[0];
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
   const struct saf_planar_format *planar = saf_planar_format(info->format);
   const bool small = planar &&
                      (planar->packed || saf_plane_number(aspect) > 0);
   const enum isl_format format =
      saf_get_format(device->info, info->format, aspect).format;
   const bool ok = isl_surf_init(
      device->info, &p->surf, .dim = surf_dim(info->imageType),
      .format = format,
      .width = info->extent.width >> (small ? planar->shift_x : 0),
      .height = info->extent.height >> (small ? planar->shift_y : 0),
      .depth = info->extent.depth, .levels = info->mipLevels,
      .array_len = info->arrayLayers, .samples = info->samples,
      .usage = usage, .row_pitch_B = layout->row_pitch_B,
      .tiling_flags =
         tilings(device, info, layout->tiling_flags, aspect, format));
   if (!ok || layout->offset_B % p->surf.alignment_B)
      return false;
   p->texel_px = isl_format_get_layout(format)->bw;
   if (planar && planar->packed)
      p->texel_px = (uint8_t)(1u << planar->shift_x);
   p->offset_B = layout->offset_B;
   if (!image->disjoint)
      p->offset_B += ALIGN(image->size_B, (uint64_t)p->surf.alignment_B);
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
   p->texel_px = 1;
   p->offset_B = ALIGN(image->size_B, (uint64_t)p->surf.alignment_B);
   image->size_B = p->offset_B + p->surf.size_B;
   image->align_B = MAX2(image->align_B, p->surf.alignment_B);
   return true;
}

/* Whether it is another name of a swapchain's image, which is linear
 * (saf_wsi.c), whatever its own tiling says. */
static bool
is_of_swapchain(const VkImageCreateInfo *info)
{
   const VkImageSwapchainCreateInfoKHR *chain = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR);
   return chain && chain->swapchain;
}

/* VK_ERROR_OUT_OF_DEVICE_MEMORY: there is no such surface. */
static VkResult
add_planes(const struct saf_device *device, struct saf_image *image,
           const VkImageCreateInfo *info)
{
   struct saf_image_layout layout = { .tiling_flags = ISL_TILING_ANY_MASK };
   if (info->tiling == VK_IMAGE_TILING_LINEAR || is_of_swapchain(info))
      layout.tiling_flags = ISL_TILING_LINEAR_BIT;
   bool ok = true;
   if (info->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
      ok = saf_image_choose_modifier(info, &image->modifier, &layout);
   for (unsigned bit = 0; bit < 7 && ok; bit++) {
      const VkImageAspectFlagBits aspect = 1u << bit;
      if (image->aspects & aspect)
         ok = add_plane(device, image, info, &layout, aspect);
   }
   if (ok && add_shadow(device, image, info)) {
      saf_image_add_control(device, image, info);
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
   image->disjoint = info->flags & VK_IMAGE_CREATE_DISJOINT_BIT;
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

/* Of one plane, if the image's are bound one by one. */
static void
plane_requirements(const struct saf_image *image,
                   VkImageAspectFlagBits aspect, VkMemoryRequirements2 *out)
{
   if (!image->disjoint) {
      saf_memory_requirements(out, image->size_B, image->align_B);
      return;
   }
   const struct saf_plane *p = &image->planes[saf_plane_number(aspect)];
   saf_memory_requirements(out, p->surf.size_B, p->surf.alignment_B);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetImageMemoryRequirements2(VkDevice device,
                                const VkImageMemoryRequirementsInfo2 *info,
                                VkMemoryRequirements2 *out)
{
   SAF_FROM_HANDLE(saf_image, image, info->image);
   const VkImagePlaneMemoryRequirementsInfo *plane = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO);
   plane_requirements(image, plane ? plane->planeAspect : 0, out);
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
      saf_memory_requirements(out, 0, 1);
   else
      plane_requirements(&image, info->planeAspect, out);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetDeviceImageSubresourceLayout(
   VkDevice _device, const VkDeviceImageSubresourceInfoKHR *info,
   VkSubresourceLayout2KHR *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_image image = { 0 };
   out->subresourceLayout = (VkSubresourceLayout) { 0 };
   if (!describe(device, info->pCreateInfo, &image))
      saf_GetImageSubresourceLayout2(_device, saf_image_to_handle(&image),
                                     info->pSubresource, out);
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
      saf_tell_bound(infos[i].pNext);
      if (!mem) {
         saf_wsi_bind_image(image, infos[i].pNext);
         continue;
      }
      image->bo = mem->bo;
      image->offset_B = infos[i].memoryOffset;
      const VkBindImagePlaneMemoryInfo *plane = saf_find_struct(
         infos[i].pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO);
      if (image->disjoint && plane) {
         struct saf_plane *p =
            &image->planes[saf_plane_number(plane->planeAspect)];
         p->bo = mem->bo;
         p->offset_B = infos[i].memoryOffset;
      }
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
   uint64_t offset_B;
   uint32_t x, y;
   isl_surf_get_image_offset_B_tile_el(&p->surf, sub->mipLevel,
                                       sub->arrayLayer, 0, &offset_B, &x, &y);
   const uint64_t slice_B = (uint64_t)p->surf.row_pitch_B *
                            p->surf.array_pitch_el_rows;
   const uint32_t rows_el =
      DIV_ROUND_UP(isl_minify(p->surf.logical_level0_px.h, sub->mipLevel),
                   (uint32_t)isl_format_get_layout(p->surf.format)->bh);
   *out = (VkSubresourceLayout) {
      .offset = (image->disjoint ? 0 : p->offset_B) + offset_B,
      .size = (uint64_t)p->surf.row_pitch_B * rows_el,
      .rowPitch = p->surf.row_pitch_B,
      /* Zero where there is but one, as who imports it must say it
       * (VUID-VkImageDrmFormatModifierExplicitCreateInfoEXT-arrayPitch-02268
       * and -depthPitch-02269). */
      .arrayPitch = image->layers > 1 ? slice_B : 0,
      .depthPitch = image->extent.depth > 1 ? slice_B : 0,
   };
}

uint32_t
saf_layer_count(const struct saf_image *image,
                const VkImageSubresourceLayers *l)
{
   return l->layerCount == VK_REMAINING_ARRAY_LAYERS
             ? image->layers - l->baseArrayLayer
             : l->layerCount;
}

VkImageSubresourceRange
saf_image_range(const struct saf_image *image,
                const VkImageSubresourceRange *r)
{
   VkImageSubresourceRange range = *r;
   if (range.levelCount == VK_REMAINING_MIP_LEVELS)
      range.levelCount = image->levels - range.baseMipLevel;
   if (range.layerCount == VK_REMAINING_ARRAY_LAYERS)
      range.layerCount = image->layers - range.baseArrayLayer;
   return range;
}
