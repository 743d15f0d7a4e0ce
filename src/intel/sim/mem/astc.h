/* SPDX-License-Identifier: MIT */
/*
 * ASTC blocks of the LDR profile. A block is decoded as a whole, as most of
 * the work is the same for all of its texels.
 */
#ifndef SIM_ASTC_H
#define SIM_ASTC_H

#include "util/macros.h"

#define SIM_ASTC_MAX_TEXELS 144

/* Colours as fractions of 65535, row by row. */
struct sim_astc_block {
   uint16_t rgba[SIM_ASTC_MAX_TEXELS][4];
};

/* A block of w by h texels. `srgb`: for a format of sRGB colours, whose upper
 * eight bits are the colour. What is no block of the profile is magenta. */
void sim_astc_decode(const uint8_t block[16], unsigned w, unsigned h,
                     bool srgb, struct sim_astc_block *out);

#endif
