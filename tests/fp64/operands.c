/* SPDX-License-Identifier: MIT */
/* Operands at which operations on doubles go wrong: special values, and
 * random ones of all exponents, near special values, near ties, near one
 * another. */
#include "operands.h"

#include "util/half.h"

static const uint64_t
   specials
      [] = {
         0x0000000000000000, /* 0 */
         0x0000000000000001, /* the least subnormal */
         0x000fffffffffffff, /* the largest subnormal */
         0x0010000000000000, /* the least normal number */
         0x0010000000000001,
         0x3690000000000000, /* half of float's least subnormal */
         0x3690000000000001,
         0x380fffffe0000000, /* around float's least normal number */
         0x3810000000000000,
         0x3c90000000000000, /* 2^-54 */
         0x3ca0000000000000,
         0x3cb0000000000000,
         0x3fb999999999999a, /* 0.1 */
         0x3fdfffffffffffff,
         0x3fe0000000000000, /* 0.5 */
         0x3fe0000000000001,
         0x3fefffffffffffff,
         0x3ff0000000000000, /* 1 */
         0x3ff0000000000001,
         0x3ff8000000000000, /* 1.5 */
         0x3ffa881d1831fabd, /* their roots are next to a middle */
         0x4000000000000000,
         0x4001ac9955fd90d2,
         0x4004eb5f85e783a9,
         0x4004000000000000, /* 2.5 */
         0x4008000000000000,
         0x401c000000000000, /* 7 */
         0x40effff000000000, /* around half's largest number */
         0x41dfffffffc00000, /* 2^31 - 1 */
         0x41e0000000000000,
         0x41efffffffe00000, /* 2^32 - 1 */
         0x41f0000000000000,
         0x432fffffffffffff, /* 2^52 - 0.5 */
         0x4330000000000000,
         0x4330000000000001,
         0x4340000000000000, /* 2^53 */
         0x43dfffffffffffff,
         0x43e0000000000000, /* 2^63 */
         0x43efffffffffffff,
         0x43f0000000000000, /* 2^64 */
         0x47efffffe0000000, /* FLT_MAX */
         0x47effffff0000000, /* rounds to float's infinity */
         0x7fe0000000000000, /* 2^1023 */
         0x7fefffffffffffff, /* DBL_MAX */
         0x7ff0000000000000, /* infinity */
         0x7ff8000000000000, /* NaN */
         0x7fffffffffffffff,
      };

/* clang-format off */
static const uint64_t ints[] = {
   0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x00ffffff,
   0x01000001, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffbb2,
   0xfffffbce, 1074, 1023, 1024, 2098, 0x100000000, 0x1fffffffffffff,
   0x20000000000001, 0x40000000000002, 0x40000000000006,
   0x7ffffffffffffdff, 0x7ffffffffffffe00, 0x7fffffffffffffff,
   0x8000000000000000, 0x8000000000000401, 0xfffffffffffffbff,
   0xfffffffffffffc00, 0xffffffffffffffff,
};
/* clang-format on */

/* ---- operands ---- */

static uint64_t seed = FP64_SEED;

void
fp64_set_seed(uint64_t value)
{
   seed = value;
}

/* splitmix64 */
uint64_t
fp64_random(void)
{
   uint64_t z = (seed += 0x9e3779b97f4a7c15);
   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
   z = (z ^ z >> 27) * 0x94d049bb133111eb;
   return z ^ z >> 31;
}

static uint64_t
with_exponent(uint64_t bits, int e)
{
   return (bits & 0x800fffffffffffff) | (uint64_t)(e + 1023) << 52;
}

static uint64_t
special_double(unsigned i)
{
   return specials[i / 2] | (uint64_t)(i % 2) << 63;
}

/* Some trailing bits of a significand, so that ties are met: zeros, or a
 * one with zeros, or either with an ulp more or less. */
static uint64_t
near_tie(uint64_t bits)
{
   const unsigned n = 1 + (unsigned)(fp64_random() % 51);
   bits = bits >> n << n;
   bits |= (fp64_random() & 1) << (n - 1);
   return bits + fp64_random() % 3 - 1;
}

static uint64_t
random_double(uint64_t other)
{
   const uint64_t r = fp64_random();
   const int e = (int)(fp64_random() % 4096);

   switch (fp64_random() % 10) {
   case 0:
      return special_double((unsigned)(r % (2 * ARRAY_SIZE(specials)))) +
             fp64_random() % 9 - 4;
   case 1: /* like the other operand but for some bits */
      return other ^ (r & 0x8000000000000000) ^
             fp64_random() >> fp64_random() % 64 % 63;
   case 2: /* of an exponent near the other's */
      return (r & 0x800fffffffffffff) |
             ((((other >> 52 & 0x7ff) + (uint64_t)(e % 120) - 60) & 0x7ff)
              << 52);
   case 3: return with_exponent(r, e % 8 - 4);
   case 4: return near_tie(with_exponent(r, e % 72 - 6));
   case 5: /* floats' subnormals and the numbers around them */
      return near_tie(with_exponent(r, e % 300 - 160));
   case 6: /* products and quotients that are subnormal */
      return with_exponent(r, e % 120 - 570);
   case 7: return r & 0x803fffffffffffff;
   case 8: /* halves of integers */
      return util_double_bits((double)(int64_t)(r >> e % 63) * 0.5);
   default: return r;
   }
}

uint64_t
fp64_random_value(enum fp64_kind kind, uint64_t other)
{
   switch (kind) {
   case FP64_DOUBLE: return random_double(other);
   case FP64_FLOAT:
   case FP64_HALF: return fp64_random();
   default:
      /* Exponents for ldexp, and all magnitudes. */
      return fp64_random() % 4 == 0 ? fp64_random() % 4400 - 2200
                                    : fp64_random() >> fp64_random() % 64;
   }
}

unsigned
fp64_num_specials(enum fp64_kind kind)
{
   switch (kind) {
   case FP64_NONE: return 1;
   case FP64_DOUBLE: return 2 * ARRAY_SIZE(specials);
   case FP64_HALF: return 65536;
   case FP64_FLOAT: return 512;
   default: return ARRAY_SIZE(ints);
   }
}

uint64_t
fp64_special_value(enum fp64_kind kind, unsigned i)
{
   switch (kind) {
   case FP64_NONE: return 0;
   case FP64_DOUBLE: return special_double(i);
   case FP64_HALF: return i;
   case FP64_FLOAT: /* each exponent, two significands and signs */
      return (uint64_t)(i / 2) << 23 | (i & 1 ? 0x80000001 : 0);
   default: return ints[i];
   }
}
