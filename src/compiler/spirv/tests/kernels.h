/* SPDX-License-Identifier: MIT */
/* What the kernels of modules/walk.cl and modules/sums.cl compute, in C. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdint.h>

uint32_t kernel_walk(uint32_t x, uint32_t steps, uint32_t seed);

struct kernel_item {
   int8_t tag;
   int16_t weight;
   float place[4] __attribute__((aligned(16)));
   int32_t parts[3];
};

/* As the compiler places the arguments. */
struct kernel_arguments {
   uint8_t first;
   int32_t k[4] __attribute__((aligned(16)));
   uint64_t count;
};

void kernel_fill_items(struct kernel_item *items, int num);
/* For an invocation of 8. */
float kernel_sums(const struct kernel_item *items,
                  const struct kernel_arguments *a, int lane);

#endif
