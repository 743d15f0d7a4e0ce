/* SPDX-License-Identifier: MIT */
/*
 * Formats of several planes, and the objects that say what to make of them.
 *
 * Each plane is a surface; those of a view have an entry of a binding table
 * each. Small planes are filtered by the sampler like others, at the same
 * normalized coordinates, which is where they lie if nothing else is said
 * (implicit reconstruction: Vulkan 1.3, "Chroma Reconstruction").
 *
 * Packed 4:2:2 has its planes, too: G B G R is both two texels with two
 * channels, of which one is brightness, and one with four, of which two are
 * the others. So they are reconstructed as Vulkan asks, wherever they lie;
 * what the sampler's own formats (YCRCB_NORMAL and so on) make of the pixel
 * without chroma, no field tells it, and they have eight bits alone.
 */
#include "intel/vulkan/base/saf_device.h"
#include "saf_ycbcr.h"

/* clang-format off */
static const struct saf_planar_format planar_formats[] = {
#define THREE(name, x, y, size, bits)                                        \
   { VK_FORMAT_##name, 3, x, y, bits,                                        \
     false,                                                                  \
     { ISL_FORMAT_R##size##_UNORM, ISL_FORMAT_R##size##_UNORM,               \
       ISL_FORMAT_R##size##_UNORM },                                         \
     .cr = { 2, 0 }, .cb = { 1, 0 } }
#define TWO(name, x, y, size, bits)                                          \
   { VK_FORMAT_##name, 2, x, y, bits,                                        \
     false,                                                                  \
     { ISL_FORMAT_R##size##_UNORM, ISL_FORMAT_R##size##G##size##_UNORM },    \
     .cr = { 1, 1 }, .cb = { 1, 0 } }
/* Brightness first, or chroma. */
#define PACKED(name, size, bits, first)                                      \
   { VK_FORMAT_##name, 2, 1, 0, bits, true,                                  \
     { ISL_FORMAT_R##size##G##size##_UNORM,                                  \
       ISL_FORMAT_R##size##G##size##B##size##A##size##_UNORM },              \
     .cr = { 1, 2 + (first) }, .y = { 0, !(first) }, .cb = { 1, first } }
   THREE(G8_B8_R8_3PLANE_420_UNORM, 1, 1, 8, 8),
   THREE(G8_B8_R8_3PLANE_422_UNORM, 1, 0, 8, 8),
   THREE(G8_B8_R8_3PLANE_444_UNORM, 0, 0, 8, 8),
   TWO(G8_B8R8_2PLANE_420_UNORM, 1, 1, 8, 8),
   TWO(G8_B8R8_2PLANE_422_UNORM, 1, 0, 8, 8),
   TWO(G8_B8R8_2PLANE_444_UNORM, 0, 0, 8, 8),
   THREE(G10X6_B10X6_R10X6_3PLANE_420_UNORM_3PACK16, 1, 1, 16, 10),
   THREE(G10X6_B10X6_R10X6_3PLANE_422_UNORM_3PACK16, 1, 0, 16, 10),
   THREE(G10X6_B10X6_R10X6_3PLANE_444_UNORM_3PACK16, 0, 0, 16, 10),
   TWO(G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16, 1, 1, 16, 10),
   TWO(G10X6_B10X6R10X6_2PLANE_422_UNORM_3PACK16, 1, 0, 16, 10),
   TWO(G10X6_B10X6R10X6_2PLANE_444_UNORM_3PACK16, 0, 0, 16, 10),
   THREE(G12X4_B12X4_R12X4_3PLANE_420_UNORM_3PACK16, 1, 1, 16, 12),
   THREE(G12X4_B12X4_R12X4_3PLANE_422_UNORM_3PACK16, 1, 0, 16, 12),
   THREE(G12X4_B12X4_R12X4_3PLANE_444_UNORM_3PACK16, 0, 0, 16, 12),
   TWO(G12X4_B12X4R12X4_2PLANE_420_UNORM_3PACK16, 1, 1, 16, 12),
   TWO(G12X4_B12X4R12X4_2PLANE_422_UNORM_3PACK16, 1, 0, 16, 12),
   TWO(G12X4_B12X4R12X4_2PLANE_444_UNORM_3PACK16, 0, 0, 16, 12),
   THREE(G16_B16_R16_3PLANE_420_UNORM, 1, 1, 16, 16),
   THREE(G16_B16_R16_3PLANE_422_UNORM, 1, 0, 16, 16),
   THREE(G16_B16_R16_3PLANE_444_UNORM, 0, 0, 16, 16),
   TWO(G16_B16R16_2PLANE_420_UNORM, 1, 1, 16, 16),
   TWO(G16_B16R16_2PLANE_422_UNORM, 1, 0, 16, 16),
   TWO(G16_B16R16_2PLANE_444_UNORM, 0, 0, 16, 16),
   PACKED(G8B8G8R8_422_UNORM, 8, 8, 1),
   PACKED(B8G8R8G8_422_UNORM, 8, 8, 0),
   PACKED(G10X6B10X6G10X6R10X6_422_UNORM_4PACK16, 16, 10, 1),
   PACKED(B10X6G10X6R10X6G10X6_422_UNORM_4PACK16, 16, 10, 0),
   PACKED(G12X4B12X4G12X4R12X4_422_UNORM_4PACK16, 16, 12, 1),
   PACKED(B12X4G12X4R12X4G12X4_422_UNORM_4PACK16, 16, 12, 0),
   PACKED(G16B16G16R16_422_UNORM, 16, 16, 1),
   PACKED(B16G16R16G16_422_UNORM, 16, 16, 0),
#undef PACKED
#undef TWO
#undef THREE
};
/* clang-format on */

const struct saf_planar_format *
saf_planar_format(VkFormat format)
{
   for (unsigned i = 0; i < ARRAY_SIZE(planar_formats); i++) {
      if (planar_formats[i].format == format)
         return &planar_formats[i];
   }
   return NULL;
}

/* What each pixel has all of, as AYUV, Y410 and Y416 do. Below eight bits
 * there is no narrow range, and channels have different numbers of them. */
/* clang-format off */
static const struct saf_planar_format formats_444[] = {
#define ONE_OF_THREE(name, bits)                                             \
   { VK_FORMAT_##name, 1, 0, 0, bits, false, { 0 },                          \
     .cr = { 0, 0 }, .y = { 0, 1 }, .cb = { 0, 2 } }
   ONE_OF_THREE(R8G8B8A8_UNORM, 8),
   ONE_OF_THREE(B8G8R8A8_UNORM, 8),
   ONE_OF_THREE(A8B8G8R8_UNORM_PACK32, 8),
   ONE_OF_THREE(A2R10G10B10_UNORM_PACK32, 10),
   ONE_OF_THREE(A2B10G10R10_UNORM_PACK32, 10),
   ONE_OF_THREE(R16G16B16A16_UNORM, 16),
#undef ONE_OF_THREE
};
/* clang-format on */

static const struct saf_planar_format *
find_444(VkFormat format)
{
   for (unsigned i = 0; i < ARRAY_SIZE(formats_444); i++) {
      if (formats_444[i].format == format)
         return &formats_444[i];
   }
   return NULL;
}

bool
saf_format_is_444(VkFormat format)
{
   return find_444(format) != NULL;
}

/* Zeroes below the bits of a channel. */
static uint32_t
padding(const struct saf_planar_format *p)
{
   return p->plane_count == 1
             ? 0
             : isl_format_get_layout(p->formats[0])->channels.r.bits -
                  p->bits;
}

static uint32_t
component(VkComponentSwizzle s, enum isl_channel_select identity)
{
   switch (s) {
   case VK_COMPONENT_SWIZZLE_ZERO: return ISL_CHANNEL_SELECT_ZERO;
   case VK_COMPONENT_SWIZZLE_ONE: return ISL_CHANNEL_SELECT_ONE;
   case VK_COMPONENT_SWIZZLE_R: return ISL_CHANNEL_SELECT_RED;
   case VK_COMPONENT_SWIZZLE_G: return ISL_CHANNEL_SELECT_GREEN;
   case VK_COMPONENT_SWIZZLE_B: return ISL_CHANNEL_SELECT_BLUE;
   case VK_COMPONENT_SWIZZLE_A: return ISL_CHANNEL_SELECT_ALPHA;
   default: return identity;
   }
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateSamplerYcbcrConversion(
   VkDevice _device, const VkSamplerYcbcrConversionCreateInfo *info,
   const VkAllocationCallbacks *alloc, VkSamplerYcbcrConversion *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   const struct saf_planar_format *planar = saf_planar_format(info->format);
   if (!planar)
      planar = find_444(info->format);
   *out = VK_NULL_HANDLE;
   if (!planar)
      return saf_error(VK_ERROR_FORMAT_NOT_SUPPORTED,
                       "no conversion of format %d", info->format);
   struct saf_ycbcr_conversion *c =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*c));
   if (!c)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   /* The nearest of a small plane is the same wherever its texels lie. */
   const bool linear = info->chromaFilter == VK_FILTER_LINEAR;
   const VkComponentMapping *m = &info->components;
   *c = (struct saf_ycbcr_conversion) {
      .plane_count = planar->plane_count,
      .model = info->ycbcrModel,
      .narrow = info->ycbcrRange == VK_SAMPLER_YCBCR_RANGE_ITU_NARROW,
      .bits = planar->bits,
      .padding = padding(planar),
      .has_alpha = planar->plane_count == 1,
      .cr = planar->cr,
      .y = planar->y,
      .cb = planar->cb,
      .swizzle = { component(m->r, ISL_CHANNEL_SELECT_RED),
                   component(m->g, ISL_CHANNEL_SELECT_GREEN),
                   component(m->b, ISL_CHANNEL_SELECT_BLUE),
                   component(m->a, ISL_CHANNEL_SELECT_ALPHA) },
      .cosited_x = linear && planar->shift_x &&
                   info->xChromaOffset == VK_CHROMA_LOCATION_COSITED_EVEN,
      .cosited_y = linear && planar->shift_y &&
                   info->yChromaOffset == VK_CHROMA_LOCATION_COSITED_EVEN,
   };
   *out = saf_ycbcr_conversion_to_handle(c);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroySamplerYcbcrConversion(VkDevice _device,
                                  VkSamplerYcbcrConversion conversion,
                                  const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   saf_free(alloc ? alloc : device->alloc,
            saf_ycbcr_conversion_from_handle(conversion));
}

struct saf_ycbcr_conversion
saf_ycbcr_of_chain(const void *chain)
{
   const VkSamplerYcbcrConversionInfo *info =
      saf_find_struct(chain, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
   if (!info)
      return (struct saf_ycbcr_conversion) { 0 };
   return *saf_ycbcr_conversion_from_handle(info->conversion);
}
