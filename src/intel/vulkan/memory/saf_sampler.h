/* SPDX-License-Identifier: MIT */
/* Border colours in the order of a format's channels. */
#ifndef SAF_SAMPLER_H
#define SAF_SAMPLER_H

#include "intel/vulkan/saf_private.h"

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
