/* SPDX-License-Identifier: MIT */
/*
 * What lies beside an image and says how to read it: the hierarchical buffer
 * of depth (saf_hiz.c), the control surface of samples (saf_meta_mcs.c), that
 * of colour without samples (saf_fast_clear.c).
 */
#include "intel/compiler/intel_debug.h"
#include "saf_format.h"
#include "saf_image_control.h"

/* Behind all that is there, in pages like that: what has one is tiled. */
static uint64_t
append(struct saf_image *image, uint64_t size_B)
{
   const uint64_t offset_B = ALIGN(image->size_B, 4096ull);
   image->size_B = offset_B + size_B;
   image->align_B = MAX2(image->align_B, 4096u);
   return offset_B;
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
   image->hiz_offset_B = append(image, image->hiz.size_B);
}

/* Gen7's rule of signed channels is about what is drawn to: a view may be of
 * any format, unless it is said of which. */
static bool
may_be_signed(const struct saf_device *device, const VkImageCreateInfo *info)
{
   const VkImageFormatListCreateInfo *list = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
   if (device->info->has_signed_mcs ||
       !(info->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT))
      return false;
   for (uint32_t i = 0; list && i < list->viewFormatCount; i++) {
      const enum isl_format f = saf_get_format(device->info,
                                               list->pViewFormats[i],
                                               VK_IMAGE_ASPECT_COLOR_BIT)
                                   .format;
      if (isl_format_is_valid(f) && isl_format_has_int_channel(f))
         return true;
   }
   return !list || !list->viewFormatCount;
}

static bool
is_shared(const VkImageCreateInfo *info)
{
   const VkExternalMemoryImageCreateInfo *external = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
   return external && external->handleTypes;
}

/* None for who does not go by it: shaders that store samples, and other
 * processes. */
static void
add_mcs(const struct saf_device *device, struct saf_image *image,
        const VkImageCreateInfo *info)
{
   const struct saf_plane *plane =
      saf_image_plane(image, VK_IMAGE_ASPECT_COLOR_BIT);
   if (!plane || (image->usage & VK_IMAGE_USAGE_STORAGE_BIT) ||
       is_shared(info) || may_be_signed(device, info) || INTEL_DEBUG(NOMCS) ||
       !isl_surf_get_mcs(device->info, &plane->surf, &image->mcs)) {
      image->mcs.size_B = 0;
      return;
   }
   image->mcs_offset_B = append(image, image->mcs.size_B);
}

/* Whoever imports the memory has to find the image as large as it is there,
 * and may want it for other uses. */
static void
add_ccs(const struct saf_device *device, struct saf_image *image,
        const VkImageCreateInfo *info)
{
   const struct saf_plane *plane = &image->planes[0];
   if (image->aspects != VK_IMAGE_ASPECT_COLOR_BIT || is_shared(info) ||
       !(image->usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT) ||
       info->tiling != VK_IMAGE_TILING_OPTIMAL || INTEL_DEBUG(NOCCS) ||
       !isl_surf_get_ccs(device->info, &plane->surf, &image->ccs))
      return;
   image->ccs_offset_B = append(image, image->ccs.size_B);
}

/* Of fixed rates there are none: asking for one is asking for nothing. */
bool
saf_wants_no_control(const void *chain)
{
   const VkImageCompressionControlEXT *control =
      saf_find_struct(chain, VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT);
   return control && control->flags == VK_IMAGE_COMPRESSION_DISABLED_EXT;
}

void
saf_fill_compression(bool has_control, void *chain)
{
   VkImageCompressionPropertiesEXT *out = (void *)saf_find_struct(
      chain, VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT);
   if (!out)
      return;
   out->imageCompressionFlags = has_control
                                   ? VK_IMAGE_COMPRESSION_DEFAULT_EXT
                                   : VK_IMAGE_COMPRESSION_DISABLED_EXT;
   out->imageCompressionFixedRateFlags =
      VK_IMAGE_COMPRESSION_FIXED_RATE_NONE_EXT;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetImageSubresourceLayout2(VkDevice device, VkImage _image,
                               const VkImageSubresource2EXT *sub,
                               VkSubresourceLayout2EXT *out)
{
   SAF_FROM_HANDLE(saf_image, image, _image);
   saf_GetImageSubresourceLayout(device, _image, &sub->imageSubresource,
                                 &out->subresourceLayout);
   saf_fill_compression(image->hiz.size_B || image->mcs.size_B ||
                           image->ccs.size_B,
                        out->pNext);
   VkSubresourceHostMemcpySizeEXT *host = (void *)saf_find_struct(
      out->pNext, VK_STRUCTURE_TYPE_SUBRESOURCE_HOST_MEMCPY_SIZE_EXT);
   if (host)
      host->size = saf_host_copy_size_B(image, &sub->imageSubresource);
}

void
saf_image_add_control(const struct saf_device *device,
                      struct saf_image *image, const VkImageCreateInfo *info)
{
   if (saf_wants_no_control(info->pNext))
      return;
   add_hiz(device, image, info);
   add_mcs(device, image, info);
   add_ccs(device, image, info);
}
