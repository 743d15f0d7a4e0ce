/* SPDX-License-Identifier: MIT */
/* Images of several planes, and the conversion of what is sampled from
 * them. */
#ifndef SAF_YCBCR_H
#define SAF_YCBCR_H

#include "intel/isl/isl.h"
#include "intel/vulkan/base/saf_base.h"

#define SAF_MAX_COLOR_PLANES 3

/* Where one of Y', Cb and Cr is sampled. */
struct saf_ycbcr_place {
   uint32_t plane, channel;
};

/* What is sampled of a format: brightness at full size, then the others. Each
 * is a plane of the image; or all are ways to see the texels of one surface,
 * whose format is that of the last (two pixels with one Cb and Cr: Vulkan's
 * single-plane formats of 4:2:2). */
struct saf_planar_format {
   VkFormat format;
   uint8_t plane_count;
   uint8_t shift_x, shift_y; /* log2 of how much smaller those are */
   uint8_t bits;             /* of a channel; below them may be zeroes */
   bool packed;
   enum isl_format formats[SAF_MAX_COLOR_PLANES];
   struct saf_ycbcr_place cr, y, cb;
};

/* NULL: not one with several planes. */
const struct saf_planar_format *saf_planar_format(VkFormat format);

/* Whether what red, green and blue of a format are may be Cr, Y' and Cb. */
bool saf_format_is_444(VkFormat format);

/* Of the surface of an image. */
static inline enum isl_format
saf_planar_surface_format(const struct saf_planar_format *p, unsigned plane)
{
   return p->formats[p->packed ? p->plane_count - 1u : plane];
}

static inline unsigned
saf_plane_number(VkImageAspectFlagBits aspect)
{
   return aspect == VK_IMAGE_ASPECT_PLANE_2_BIT   ? 2
          : aspect == VK_IMAGE_ASPECT_PLANE_1_BIT ? 1
                                                  : 0;
}

/* PLANE_0 for 0. */
static inline VkImageAspectFlagBits
saf_plane_aspect(unsigned number)
{
   return VK_IMAGE_ASPECT_PLANE_0_BIT << number;
}

/* What a shader does to what it samples (saf_nir_lower_ycbcr()). No
 * pointers, no padding: it is hashed as it is. */
struct saf_ycbcr_conversion {
   uint32_t plane_count; /* 0: there is no conversion */
   uint32_t model;       /* VkSamplerYcbcrModelConversion */
   uint32_t narrow;
   uint32_t bits;    /* of a channel */
   uint32_t padding; /* zeroes below them */
   struct saf_ycbcr_place cr, y, cb;
   uint32_t has_alpha;
   uint32_t swizzle[4]; /* enum isl_channel_select */
   /* Texels of the small planes lie on every second of the large one. */
   uint32_t cosited_x, cosited_y;
};

SAF_NONDISPATCHABLE(saf_ycbcr_conversion, VkSamplerYcbcrConversion)

/* That of a sampler's or a view's chain, or none. */
struct saf_ycbcr_conversion saf_ycbcr_of_chain(const void *chain);

#endif
