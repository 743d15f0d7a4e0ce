/* SPDX-License-Identifier: MIT */
/* What lies beside an image: see saf_image_control.c. */
#ifndef SAF_IMAGE_CONTROL_H
#define SAF_IMAGE_CONTROL_H

#include "saf_image.h"

static inline bool
saf_layout_is_undefined(VkImageLayout layout)
{
   return layout == VK_IMAGE_LAYOUT_UNDEFINED ||
          layout == VK_IMAGE_LAYOUT_PREINITIALIZED;
}

/* saf_image_control.c: after the planes, as a part of the image's memory. */
void saf_image_add_control(const struct saf_device *device,
                           struct saf_image *image,
                           const VkImageCreateInfo *info);

/* Whether the chain of an image's create info says that there is to be none
 * (VK_EXT_image_compression_control). */
bool saf_wants_no_control(const void *chain);

/* What lies beside an image loses nothing: says in the chain whether there
 * may be such. */
void saf_fill_compression(bool has_control, void *chain);

/* For surface states that show the samples of an image. */
static inline const struct isl_surf *
saf_image_mcs(const struct saf_image *image)
{
   return image->mcs.size_B ? &image->mcs : NULL;
}

static inline uint64_t
saf_image_mcs_addr(const struct saf_image *image)
{
   return image->bo->addr + image->offset_B + image->mcs_offset_B;
}

static inline const struct isl_ccs *
saf_image_ccs(const struct saf_image *image)
{
   return image->ccs.size_B ? &image->ccs : NULL;
}

static inline uint64_t
saf_image_ccs_addr(const struct saf_image *image)
{
   return image->bo->addr + image->offset_B + image->ccs_offset_B;
}

#endif
