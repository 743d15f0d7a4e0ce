/* SPDX-License-Identifier: MIT */
/* Integer sequences of ASTC, and what their integers mean. */
#ifndef SIM_ASTC_PRIVATE_H
#define SIM_ASTC_PRIVATE_H

#include "util/macros.h"

/* Integers of `bits` bits below a digit of base 3, 5 or (1) none. */
struct sim_astc_range {
   uint8_t bits, base;
};

struct sim_astc_bits {
   const uint8_t *block;
   bool reversed; /* from bit 127 down, as weights are */
};

/* `n` bits from `at` up. */
unsigned sim_astc_field(const struct sim_astc_bits *b, unsigned at,
                        unsigned n);

/* How many bits `count` integers take. */
unsigned sim_astc_size_bits(struct sim_astc_range range, unsigned count);

/* Reads them; each is (digit << bits) | low bits. */
void sim_astc_read(const struct sim_astc_bits *b, unsigned at,
                   struct sim_astc_range range, unsigned count, uint8_t *out);

/* An integer as a colour from 0 to 255, or as a weight from 0 to 64. */
unsigned sim_astc_color(struct sim_astc_range range, unsigned v);
unsigned sim_astc_weight(struct sim_astc_range range, unsigned v);

#endif
