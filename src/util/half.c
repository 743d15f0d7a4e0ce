/* SPDX-License-Identifier: MIT */
#include "half.h"

float
util_half_to_float(uint16_t h)
{
   const uint32_t sign = (uint32_t)(h & 0x8000) << 16;
   uint32_t exp = (h >> 10) & 0x1f;
   uint32_t man = h & 0x3ff;

   if (exp == 0x1f)
      return util_bits_float(sign | 0x7f800000 | man << 13);
   if (exp == 0) {
      if (man == 0)
         return util_bits_float(sign);
      /* Subnormal: shift the leading one up to the hidden place. */
      const unsigned shift = (unsigned)__builtin_clz(man) - 21;
      man = (man << shift) & 0x3ff;
      exp = 1 - shift;
   }
   return util_bits_float(sign | (exp + 112) << 23 | man << 13);
}

/* Bits of a binary16 from a binary64; `nearest` or toward zero. */
static uint16_t
round_to_half(double d, bool nearest)
{
   const uint64_t bits = util_double_bits(d);
   const uint16_t sign = (uint16_t)((bits >> 48) & 0x8000);
   const int exp = (int)((bits >> 52) & 0x7ff) - 1023;
   const uint64_t man = bits & 0xfffffffffffffull;

   if (exp == 1024) {
      if (man == 0)
         return sign | 0x7c00;
      return sign | 0x7e00 | (uint16_t)(man >> 42);
   }
   if (exp < -25)
      return sign;

   /* `sig` has its hidden one at bit 52; `drop` low bits do not fit. */
   const uint64_t sig = man | 1ull << 52;
   const unsigned drop = exp < -14 ? 42 + (unsigned)(-14 - exp) : 42;
   uint64_t kept = sig >> drop;
   const uint64_t rest = sig & ((1ull << drop) - 1);
   const uint64_t half = 1ull << (drop - 1);
   if (nearest && (rest > half || (rest == half && (kept & 1))))
      kept++;

   /* The hidden one carries into the exponent field by addition. */
   const uint64_t biased = exp < -14 ? kept
                                     : kept + ((uint64_t)(exp + 14) << 10);
   if (biased >= 0x7c00)
      return sign | (nearest ? 0x7c00 : 0x7bff);
   return sign | (uint16_t)biased;
}

uint16_t
util_float_to_half(float f)
{
   return round_to_half(f, true);
}

uint16_t
util_float_to_half_rtz(float f)
{
   return round_to_half(f, false);
}

uint16_t
util_double_to_half(double d)
{
   return round_to_half(d, true);
}
