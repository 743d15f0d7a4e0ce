/* SPDX-License-Identifier: MIT */
/*
 * Half floats, the 8-bit floats of VF immediates, and rounding to integers,
 * in software: the host's functions depend on its rounding mode where they
 * should not. PRM SKL vol 7, "Numeric Data Types".
 */
#include "intel/sim/eu/eu_private.h"

#include <math.h>

float
eu_half_to_float(uint16_t h, bool keep_denorms)
{
   const uint32_t sign = (uint32_t)(h >> 15) << 31;
   const unsigned exp = (h >> 10) & 31;
   const uint32_t man = h & 0x3ff;

   if (exp == 31)
      return util_bits_float(sign | 0x7f800000 | man << 13);
   if (exp)
      return util_bits_float(sign | (exp + 112) << 23 | man << 13);
   if (!man || !keep_denorms)
      return util_bits_float(sign);
   const unsigned top = util_logbase2(man); /* 0 to 9 */
   return util_bits_float(sign | (top + 103) << 23 |
                          ((man << (23 - top)) & 0x7fffff));
}

/* Whether magnitude `q` plus a remainder (`half` bit and `sticky` rest) is
 * rounded up. Modes as in cr0: nearest even, up, down, zero. */
static bool
rounds_up(uint64_t q, bool half, bool sticky, bool negative,
          unsigned rounding)
{
   switch (rounding) {
   case 0: return half && (sticky || (q & 1));
   case 1: return !negative && (half || sticky);
   case 2: return negative && (half || sticky);
   default: return false;
   }
}

uint16_t
eu_double_to_half(double d, unsigned rounding, bool keep_denorms)
{
   const uint64_t u = util_double_bits(d);
   const uint16_t sign = (uint16_t)(u >> 63) << 15;
   const int exp = (int)(u >> 52 & 0x7ff) - 1023;
   const uint64_t frac = u & BITFIELD64_MASK(52);

   if (exp == 1024) {
      if (!frac)
         return sign | 0x7c00;
      return sign | 0x7e00 | (uint16_t)(frac >> 42);
   }
   if (exp < -26) {
      const bool tiny = (u << 1) != 0;
      const bool up = tiny && keep_denorms &&
                      rounds_up(0, false, true, sign, rounding);
      return sign | up;
   }
   /* Bits of the 53-bit significand that go: 42, more for denormals. */
   const uint64_t sig = frac | BITFIELD64_BIT(52);
   const unsigned drop = exp < -14 ? 42 - 14 - exp : 42;
   uint64_t q = sig >> drop;
   const bool half = sig >> (drop - 1) & 1;
   const bool sticky = (sig & BITFIELD64_MASK(drop - 1)) != 0;
   if (rounds_up(q, half, sticky, sign, rounding))
      q++;
   /* A carry into the next exponent comes out right by itself. */
   const uint32_t h = exp < -14 ? q : q + ((uint64_t)(exp + 14) << 10);
   if (h >= 0x7c00) {
      const bool to_inf = rounding == 0 || (rounding == 1 && !sign) ||
                          (rounding == 2 && sign);
      return sign | (to_inf ? 0x7c00 : 0x7bff);
   }
   if (h < 0x400 && !keep_denorms)
      return sign;
   return sign | h;
}

uint16_t
eu_float_to_half(float f, unsigned rounding, bool keep_denorms)
{
   /* By bits: a float denormal must not be flushed by the host, and a
    * signalling NaN keeps its payload. */
   const uint32_t u = util_float_bits(f);
   const uint64_t sign = (uint64_t)(u >> 31) << 63;
   const unsigned exp = u >> 23 & 0xff;
   const uint64_t frac = (uint64_t)(u & 0x7fffff) << 29;
   uint64_t d;
   if (exp == 0xff)
      d = sign | 0x7ffull << 52 | frac;
   else if (exp)
      d = sign | (uint64_t)(exp + 896) << 52 | frac;
   else /* far below the smallest half: only its being there counts */
      d = sign | (frac ? 800ull << 52 : 0);
   return eu_double_to_half(util_bits_double(d), rounding, keep_denorms);
}

/* Sign, 3 bits of exponent (bias 3), 4 of fraction; no denormals, but all
 * zero is zero. PRM SKL vol 7, "Restricted 8-bit Float". */
float
eu_vf_to_float(uint8_t vf)
{
   const uint32_t sign = (uint32_t)(vf >> 7) << 31;
   if (!(vf & 0x7f))
      return util_bits_float(sign);
   const uint32_t exp = (vf >> 4 & 7) - 3 + 127;
   return util_bits_float(sign | exp << 23 | (uint32_t)(vf & 15) << 19);
}

/* A float rounded to an integer, in a mode as in cr0; keeps the sign of zero.
 * NaN and infinity stay. */
float
eu_round_f(float f, unsigned rounding)
{
   const uint32_t u = util_float_bits(f), sign = u & 0x80000000;
   const int exp = (int)(u >> 23 & 0xff) - 127;
   if (exp >= 23)
      return f;
   if (exp < 0) {
      const uint32_t mag = u ^ sign;
      const bool up = mag && rounds_up(0, mag >= 0x3f000000,
                                       mag != 0x3f000000, sign, rounding);
      return util_bits_float(sign | (up ? 0x3f800000 : 0));
   }
   const unsigned drop = 23 - exp;
   uint32_t q = u >> drop;
   if (drop && rounds_up(q, u >> (drop - 1) & 1,
                         (u & BITFIELD_MASK(drop - 1)) != 0, sign, rounding))
      q++;
   return util_bits_float(q << drop);
}
