/* SPDX-License-Identifier: MIT */
/*
 * The rectangles of fast clears and resolves of colour, in which a pixel
 * stands for many: PRM IVB volume 2 part 1, "MCS Buffer for Render Target(s)"
 * and "Render Target Resolve"; HSW, BDW and SKL volume 7, the same.
 *
 * Clears: whole blocks of 16 elements of the control surface across, and of
 * 32 rows of elements of one bit, 16 of two bits, down ("128x128" pixels of
 * 32 bits up to Gen8), scaled down by half of that; twice as many on Haswell,
 * "due to 16x16 hashing across the slice", but scaled by the same. Resolves:
 * the same rectangle on Gen9, before that scaled down by half an element, on
 * Gen8 by 8x16 elements.
 */
#include "genX_private.h"

#define HASHING (GEN_VERX10 == 75 ? 2u : 1u)

static VkExtent2D
scaled(const struct isl_surf *surf, uint32_t align_w, uint32_t align_h,
       uint32_t scale_w, uint32_t scale_h)
{
   return (VkExtent2D) {
      ALIGN(surf->logical_level0_px.w, align_w) / scale_w,
      ALIGN(surf->logical_level0_px.h, align_h) / scale_h,
   };
}

/* "Ceil(1/8*width)" by "Ceil(1/2*height)" of 2X and 4X, 1/2 by 1/2 of 8X, the
 * width by 1/2 of 16X; of pairs of pixels (Mesa's blorp_clear.c). */
static VkExtent2D
scaled_samples(const struct isl_surf *surf)
{
   const uint32_t w = surf->samples <= 4 ? 8 : surf->samples == 8 ? 2 : 1;
   return scaled(surf, 2 * w, 4, w, 2);
}

VkExtent2D
genX(ccs_rectangle)(const struct intel_device_info *info,
                    const struct saf_image *image, enum saf_ccs_op op)
{
   const struct isl_surf *surf = &image->planes[0].surf;
   if (surf->samples > 1)
      return scaled_samples(surf);
   const struct isl_extent2d block = image->ccs.block_px;
   const uint32_t w = block.w * 16;
   const uint32_t h = block.h * 32 / info->ccs_element_bits;
   if (op == SAF_CCS_CLEAR || GEN_VERX10 >= 90)
      return scaled(surf, w * HASHING, h * HASHING, w / 2, h / 2);
#if GEN_VERX10 == 80
   return scaled(surf, block.w * 8, block.h * 16, block.w * 8, block.h * 16);
#else
   return scaled(surf, block.w / 2, block.h / 2, block.w / 2, block.h / 2);
#endif
}
