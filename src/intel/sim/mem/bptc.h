/* SPDX-License-Identifier: MIT */
/* One texel of a BC6H or BC7 block; `texel` is 4 * y + x. */
#ifndef SIM_BPTC_H
#define SIM_BPTC_H

#include "util/macros.h"

void sim_bc7_texel(const uint8_t block[16], unsigned texel, uint8_t rgba[4]);
void sim_bc6h_texel(const uint8_t block[16], unsigned texel, bool is_signed,
                    float rgb[3]);

#endif
