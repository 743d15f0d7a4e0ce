/* SPDX-License-Identifier: MIT */
/* Samplers and border colours. */
#ifndef SAF_SAMPLER_H
#define SAF_SAMPLER_H

#include "saf_surface.h"
#include "saf_ycbcr.h"

#define SAF_MAX_CUSTOM_BORDERS 4096

bool saf_border_colors_init(struct saf_device *device);
void saf_border_colors_finish(struct saf_device *device);

/* All that descriptors need of one. */
struct saf_sampler_state {
   uint32_t state[4];              /* SAMPLER_STATE */
   VkClearColorValue border_color; /* Vulkan's red, green, ... */
   bool has_border;                /* some coordinate can reach it */
   enum isl_format border_format;  /* what it is for, if that was said */
   struct isl_swizzle
      border_swizzle; /* that format's, for which `state` is */
   /* From Gen8 on, of one that was made for no format: the offset of its
    * colour with red and blue exchanged; 0: there is none. */
   uint32_t exchanged_B;
};

struct saf_sampler {
   struct saf_sampler_state s;
   /* Custom border colours: as `s.state` has it, and exchanged; or none. */
   struct saf_state border, exchanged;
   /* The same states where shaders find them by their place, if they do. */
   struct saf_state bindless, bindless_exchanged;
   struct saf_ycbcr_conversion ycbcr;
};

SAF_NONDISPATCHABLE(saf_sampler, VkSampler)

/* Whether a format has red and blue exchanged, which a border colour of no
 * format must have then, too. */
bool saf_exchanges_border(struct isl_swizzle format);
/* SAMPLER_STATE with that colour (Gen8 and Gen9: 24 bits of dword 2). */
void saf_exchange_border(const struct saf_sampler_state *s, uint32_t *dw);

/* What a sampler must be told, so that a colour comes out of the swizzle that
 * every view of a format has. */
VkClearColorValue saf_unswizzled_border(const VkClearColorValue *color,
                                        struct isl_swizzle format);

#endif
