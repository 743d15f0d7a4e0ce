/* SPDX-License-Identifier: MIT */
/* One texel of a block of ETC1, ETC2 or EAC. */
#ifndef SIM_ETC_H
#define SIM_ETC_H

#include "util/macros.h"

/* ETC1 and ETC2 colour; `punch_through`: the format with one bit of alpha. */
void sim_etc2_texel(const uint8_t block[8], unsigned x, unsigned y,
                    bool punch_through, uint8_t rgba[4]);

/* The alpha of ETC2's RGBA, 0 to 255. */
uint8_t sim_eac_alpha_texel(const uint8_t block[8], unsigned x, unsigned y);

/* One channel: 0 to 2047, or with a sign -1023 to 1023. */
int sim_eac_11bit_texel(const uint8_t block[8], unsigned x, unsigned y,
                        bool is_signed);

#endif
