/* SPDX-License-Identifier: MIT */
/*
 * Bit fields of packets, used by the generated pack and unpack functions.
 *
 * `lo` and `hi` count bits from bit 0 of dword 0. A field touches at most two
 * dwords. Setting asserts that the value fits; what does not fit is cut off
 * in release builds, so that it never runs into the neighbour.
 */
#ifndef GENXML_BITS_H
#define GENXML_BITS_H

#include <math.h>

#include "util/macros.h"

static inline uint64_t
genxml_field_max(unsigned lo, unsigned hi)
{
   return hi - lo == 63 ? ~0ull : (1ull << (hi - lo + 1)) - 1;
}

static inline void
genxml_set_bits(uint32_t *dw, unsigned lo, unsigned hi, uint64_t v)
{
   v &= genxml_field_max(lo, hi);
   dw[lo / 32] |= (uint32_t)(v << lo % 32);
   if (hi / 32 != lo / 32)
      dw[hi / 32] |= (uint32_t)(v >> (32 - lo % 32));
}

static inline void
genxml_set_uint(uint32_t *dw, unsigned lo, unsigned hi, uint64_t v)
{
   assert(v <= genxml_field_max(lo, hi) && "value too large for its field");
   genxml_set_bits(dw, lo, hi, v);
}

static inline void
genxml_set_int(uint32_t *dw, unsigned lo, unsigned hi, int64_t v)
{
   assert(v >= -(int64_t)(genxml_field_max(lo, hi) / 2) - 1 &&
          v <= (int64_t)(genxml_field_max(lo, hi) / 2) &&
          "value outside of its signed field");
   genxml_set_bits(dw, lo, hi, (uint64_t)v);
}

/* The field holds the upper bits of v; those below `lo` must be zero. */
static inline void
genxml_set_offset(uint32_t *dw, unsigned lo, unsigned hi, uint64_t v)
{
   const unsigned below = lo % 32;
   assert((v & ((1ull << below) - 1)) == 0 && "offset is not aligned");
   genxml_set_uint(dw, lo, hi, v >> below);
}

/* As an offset. Addresses are canonical: bit 47 is copied to those above,
 * which fields that end at bit 47 do not hold.
 */
static inline void
genxml_set_address(uint32_t *dw, unsigned lo, unsigned hi, uint64_t v)
{
   const unsigned below = lo % 32;
   if (hi - lo + 1 + below == 48)
      v &= (1ull << 48) - 1;
   genxml_set_offset(dw, lo, hi, v);
}

static inline void
genxml_set_float(uint32_t *dw, unsigned lo, unsigned hi, float v)
{
   genxml_set_bits(dw, lo, hi, util_float_bits(v));
}

/* Rounds to the nearest step of 2^-fraction. */
static inline void
genxml_set_ufixed(uint32_t *dw, unsigned lo, unsigned hi, float v,
                  unsigned fraction)
{
   const double scaled = floor((double)v * (double)(1ull << fraction) + 0.5);
   const double max = (double)genxml_field_max(lo, hi);
   assert(scaled >= 0 && scaled <= max && "value outside of its field");
   genxml_set_uint(dw, lo, hi, (uint64_t)CLAMP(scaled, 0.0, max));
}

static inline void
genxml_set_sfixed(uint32_t *dw, unsigned lo, unsigned hi, float v,
                  unsigned fraction)
{
   const double scaled = floor((double)v * (double)(1ull << fraction) + 0.5);
   const double max = (double)(genxml_field_max(lo, hi) / 2);
   assert(scaled >= -max - 1 && scaled <= max &&
          "value outside of its field");
   genxml_set_int(dw, lo, hi, (int64_t)CLAMP(scaled, -max - 1, max));
}

static inline uint64_t
genxml_get_uint(const uint32_t *dw, unsigned lo, unsigned hi)
{
   uint64_t v = dw[lo / 32] >> lo % 32;
   if (hi / 32 != lo / 32)
      v |= (uint64_t)dw[hi / 32] << (32 - lo % 32);
   return v & genxml_field_max(lo, hi);
}

static inline int64_t
genxml_get_int(const uint32_t *dw, unsigned lo, unsigned hi)
{
   return util_sign_extend(genxml_get_uint(dw, lo, hi), hi - lo + 1);
}

static inline uint64_t
genxml_get_offset(const uint32_t *dw, unsigned lo, unsigned hi)
{
   return genxml_get_uint(dw, lo, hi) << lo % 32;
}

static inline uint64_t
genxml_get_address(const uint32_t *dw, unsigned lo, unsigned hi)
{
   return genxml_get_offset(dw, lo, hi);
}

static inline float
genxml_get_float(const uint32_t *dw, unsigned lo, unsigned hi)
{
   return util_bits_float((uint32_t)genxml_get_uint(dw, lo, hi));
}

static inline float
genxml_get_ufixed(const uint32_t *dw, unsigned lo, unsigned hi,
                  unsigned fraction)
{
   return (float)((double)genxml_get_uint(dw, lo, hi) /
                  (double)(1ull << fraction));
}

static inline float
genxml_get_sfixed(const uint32_t *dw, unsigned lo, unsigned hi,
                  unsigned fraction)
{
   return (float)((double)genxml_get_int(dw, lo, hi) /
                  (double)(1ull << fraction));
}

#endif
