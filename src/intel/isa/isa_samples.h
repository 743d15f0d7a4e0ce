/* SPDX-License-Identifier: MIT */
/* Values for programs that are tried: random ones from a seed, with those at
 * the ends of types among them. */
#ifndef ISA_SAMPLES_H
#define ISA_SAMPLES_H

#include "util/macros.h"

/* xorshift64*: the same numbers everywhere for one seed. */
static inline uint64_t
isa_sample_random(uint64_t *seed)
{
   uint64_t x = *seed;
   x ^= x >> 12;
   x ^= x << 25;
   x ^= x >> 27;
   *seed = x;
   return x * 0x2545f4914f6cdd1dull;
}

static inline unsigned
isa_sample_below(uint64_t *seed, unsigned n)
{
   return (unsigned)((isa_sample_random(seed) >> 32) * n >> 32);
}

/* Bits that are interesting as a value of any type. */
static inline uint64_t
isa_sample_value_bits(uint64_t *seed, unsigned size_B)
{
   static const uint32_t special32[] = {
      0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000,
      0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x3f800000,
      0xbf800000, 0x3f000000, 0x4b000000, 0x4effffff, 0x4f000000, 0x4f800000,
      0xcf000000, 0xffffffff, 0x7fffffff, 0x0000ffff, 0x00008000, 0x3effffff,
      31,         32,         0x40490fdb, 0xbfc00000, 0x3fc00000, 0x40200000,
   };
   /* clang-format off */
   static const uint64_t special64[] = {
      0, 1ull << 63, 1, 0x000fffffffffffff, 0x0010000000000000,
      0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
      0x7ff8000000000000, 0x7ff0000000000001, 0x3ff0000000000000,
      0xbff0000000000000, 0x41dfffffffc00000, 0x41e0000000000000,
      0x41efffffffe00000, 0xc1e0000000000000, 0x43e0000000000000,
      0x3810000000000000, 0x47efffffffffffff, 0x36a0000000000000, ~0ull,
   };
   /* clang-format on */
   const uint64_t r = isa_sample_random(seed);
   switch (isa_sample_below(seed, 4)) {
   case 0:
      return size_B == 8 ? special64[r % ARRAY_SIZE(special64)]
                         : special32[r % ARRAY_SIZE(special32)];
   case 1:
      if (size_B == 8)
         return util_double_bits((double)(int32_t)r / 1024);
      return util_float_bits((float)(int16_t)r / 64);
   case 2: return r & 0xff;
   default: return r;
   }
}

#endif
