/* SPDX-License-Identifier: MIT */
#include "compiler/spirv/tests/kernels.h"

#include <math.h>

uint32_t
kernel_walk(uint32_t x, uint32_t steps, uint32_t seed)
{
   uint32_t n = 0;

   x ^= seed;
   if (x & 1)
      goto b;
a:
   x = x * 1664525u + 1013904223u;
   if (++n >= steps)
      goto out;
   if (x & 8)
      goto b;
   switch (x & 0xe0000003) {
   case 0:
   case 3: x += 7; goto a;
   case 5: x ^= n; break;
   case 0x20000002: goto out;
   default: x -= 1;
   }
b:
   x = (x >> 3) | (x << 29);
   if (++n >= steps)
      goto out;
   if (x & 16)
      goto a;
   x ^= 0x55;
   goto b;
out:
   return x + n;
}

static int
sum(const struct kernel_item *from, const struct kernel_arguments *a, int l)
{
   int bins[4] = { a->k[0], a->k[1], a->k[2], 0 };

   for (uint64_t i = 0; i < a->count; i++) {
      const struct kernel_item *item = &from[i];
      const int w =
         item->tag < 0 ? -1 : item->weight * item->parts[(l + (int)i) % 3];
      if (w < 0)
         continue;
      bins[w & 3] += w;
      if (bins[3] > 1000)
         break;
   }
   return bins[0] + 2 * bins[1] + 3 * bins[2] + 4 * bins[3];
}

void
kernel_fill_items(struct kernel_item *items, int num)
{
   for (int i = 0; i < num; i++)
      items[i] = (struct kernel_item) { (int8_t)(i % 5 - 1),
                                        (int16_t)(i - 9),
                                        { 0, (float)i, 0.5f * (float)i, 0 },
                                        { i, 7 - i, i * 3 } };
}

float
kernel_sums(const struct kernel_item *items, const struct kernel_arguments *a,
            int lane)
{
   const struct kernel_item *from = items + a->first;

   return fmaxf((float)sum(from, a, (lane + 1) & 7), 2.0f) *
             from[lane & 1].place[2] +
          from[-1].place[1];
}
