/* SPDX-License-Identifier: MIT */
/* One texel of an FXT1 block of 8x4. */
#ifndef SIM_FXT1_H
#define SIM_FXT1_H

#include "util/macros.h"

void sim_fxt1_texel(const uint8_t block[16], unsigned x, unsigned y,
                    uint8_t rgba[4]);

#endif
