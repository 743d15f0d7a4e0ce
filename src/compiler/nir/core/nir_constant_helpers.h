/* SPDX-License-Identifier: MIT */
/*
 * What the expressions in nir_opcodes.py call. Only the generated folder
 * includes this. Integers come in as 64-bit values of the opcode's signedness
 * and go out truncated to the opcode's size.
 */
#ifndef NIR_CONSTANT_HELPERS_H
#define NIR_CONSTANT_HELPERS_H

#include <math.h>

#include "nir.h"
#include "util/half.h"
#include "util/macros.h"

#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wbool-compare"
#endif
#pragma GCC diagnostic ignored "-Wtype-limits"

/* --- Loads and stores, with denormals flushed where the mode says so ---- */

static inline float
nir_load_half(uint16_t h, unsigned mode)
{
   if ((mode & FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP16) && !(h & 0x7c00))
      h &= 0x8000;
   return util_half_to_float(h);
}

static inline float
nir_flush32(float f, unsigned mode)
{
   if ((mode & FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP32) &&
       fpclassify(f) == FP_SUBNORMAL)
      return copysignf(0.0f, f);
   return f;
}

static inline double
nir_flush64(double d, unsigned mode)
{
   if ((mode & FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP64) &&
       fpclassify(d) == FP_SUBNORMAL)
      return copysign(0.0, d);
   return d;
}

static inline float
nir_load_f32(nir_const_value v, unsigned mode)
{
   return nir_flush32(v.f32, mode);
}

static inline double
nir_load_f64(nir_const_value v, unsigned mode)
{
   return nir_flush64(v.f64, mode);
}

static inline nir_const_value
nir_store_f16(double d, unsigned mode)
{
   uint16_t h = util_double_to_half(d);
   if ((mode & FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP16) && !(h & 0x7c00))
      h &= 0x8000;
   return nir_const_value_for_raw_uint(h, 16);
}

static inline nir_const_value
nir_store_f32(float f, unsigned mode)
{
   return nir_const_value_for_raw_uint(util_float_bits(nir_flush32(f, mode)),
                                       32);
}

static inline nir_const_value
nir_store_f64(double d, unsigned mode)
{
   return nir_const_value_for_raw_uint(util_double_bits(nir_flush64(d, mode)),
                                       64);
}

/* --- Conversions -------------------------------------------------------- */

/* Out of range saturates, a NaN gives 0: what the hardware's MOV does. */
static inline int64_t
nir_float_to_int(double d, unsigned bits)
{
   if (isnan(d))
      return 0;
   const double limit = ldexp(1.0, (int)bits - 1);
   if (d >= limit)
      return (int64_t)(BITFIELD64_MASK(bits - 1));
   if (d <= -limit)
      return (int64_t)(0 - (1ull << (bits - 1)));
   return (int64_t)d;
}

static inline uint64_t
nir_float_to_uint(double d, unsigned bits)
{
   if (!(d > 0.0))
      return 0;
   if (d >= ldexp(1.0, (int)bits))
      return BITFIELD64_MASK(bits);
   return (uint64_t)d;
}

/* A double to half: one rounding, to nearest even or toward zero. */
static inline double
nir_round_to_half(double d, bool toward_zero)
{
   if (!toward_zero || isnan(d) || isinf(d) || d == 0.0)
      return util_half_to_float(util_double_to_half(d));
   const double a = fabs(d);
   if (a >= 65504.0)
      return copysign(65504.0, d);
   /* The grid of half around a: 11 significant bits, at least 2^-24. */
   int e;
   frexp(a, &e);
   const int ulp = MAX2(e - 11, -24);
   return copysign(ldexp(trunc(ldexp(a, -ulp)), ulp), d);
}

/* ---- towards zero ---- */

/* x is what a value is near to, rounded to 113 bits; `lost` the rest of it,
 * or what has its sign. */
static inline double
nir_cut_sum(__float128 x, __float128 lost)
{
   const bool negative = x < 0;
   const __float128 m = negative ? -x : x, rest = negative ? -lost : lost;
   double d = (double)m;

   if (d > m || (d == m && rest < 0))
      d = nextafter(d, 0.0);
   return negative ? -d : d;
}

/* A double to the size, which has fewer bits. */
static inline double
nir_cut(double d, unsigned bit_size)
{
   if (bit_size == 64)
      return d;
   if (bit_size == 16)
      return nir_round_to_half(d, true);
   const float f = (float)d;
   return fabs((double)f) > fabs(d) ? nextafterf(f, 0.0f) : f;
}

/* The rest of the sum of two numbers of 113 bits is one, too: D. E. Knuth,
 * "The Art of Computer Programming", vol. 2, 4.2.2, theorem B. Zeros and what
 * is not finite are as in any rounding but that towards minus infinity. */
static inline double
nir_sum_rtz(double a, double b, unsigned bit_size)
{
   const __float128 x = a, y = b, sum = x + y;
   const __float128 part = sum - x;
   const __float128 lost = (x - (sum - part)) + (y - part);

   if (!isfinite(a) || !isfinite(b) || sum == 0)
      return a + b;
   return nir_cut(nir_cut_sum(sum, lost), bit_size);
}

/* The product of two doubles has no more than 106 bits. */
static inline double
nir_product_rtz(double a, double b, unsigned bit_size)
{
   const __float128 product = (__float128)a * b;

   if (!isfinite(a) || !isfinite(b) || product == 0)
      return a * b;
   return nir_cut(nir_cut_sum(product, 0), bit_size);
}

static inline float
nir_half_to_float(uint32_t h)
{
   return util_half_to_float((uint16_t)h);
}

static inline float
nir_half_to_float_ftz(uint32_t h)
{
   return nir_load_half((uint16_t)h,
                        FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP16);
}

/* GLSL fquantize: subnormals of half become zero. */
static inline float
nir_quantize_to_half(float f)
{
   if (fabsf(f) < 6.103515625e-05f)
      return copysignf(0.0f, f);
   return util_half_to_float(util_float_to_half(f));
}

/* --- Normalised integers ------------------------------------------------ */

static inline uint32_t
nir_unorm(float f, unsigned bits)
{
   const double max = (double)BITFIELD_MASK(bits);
   const double c = f > 0.0f ? (f < 1.0f ? f : 1.0) : 0.0;
   return (uint32_t)rint(c * max);
}

static inline uint32_t
nir_snorm(float f, unsigned bits)
{
   const double max = (double)BITFIELD_MASK(bits - 1);
   const double c = isnan(f) ? 0.0 : CLAMP((double)f, -1.0, 1.0);
   return (uint32_t)(int32_t)rint(c * max) & BITFIELD_MASK(bits);
}

static inline float
nir_unsnorm(int32_t v, unsigned bits)
{
   const float f = (float)v / (float)BITFIELD_MASK(bits - 1);
   return f < -1.0f ? -1.0f : f;
}

/* --- Floats ------------------------------------------------------------- */

/* 1/sqrt(x) with one rounding too many taken back: the result of the two
 * roundings is corrected by a step of Newton in fused arithmetic. */
static inline double
nir_rsq64(double x)
{
   if (!(x > 0.0) || isinf(x))
      return 1.0 / sqrt(x);
   /* Away from the subnormals, where the residual would underflow. */
   int e;
   const double m = frexp(x, &e);
   const int odd = e & 1;
   const double s = odd ? m * 2.0 : m;
   const double y = 1.0 / sqrt(s);
   const double r = fma(-s * y, y, 1.0);
   const double lo = fma(-s, y, s * y);
   const double res = fma(y * 0.5, r + lo * y, y);
   return ldexp(res, -((e - odd) / 2));
}

/* A step of an expression of several, rounded to the opcode's size: sums and
 * products of floats are right in double with one more rounding (a double has
 * more than twice the bits and two). */
static inline double
nir_step(double x, unsigned bit_size)
{
   return bit_size == 64 ? x
          : bit_size == 32
             ? (double)(float)x
             : (double)util_half_to_float(util_double_to_half(x));
}
#define R(x) nir_step(x, bit_size)

/* x - floor(x), below 1 also for tiny negative x. */
static inline double
nir_fract(double x, unsigned bit_size)
{
   const double below_one = bit_size == 64   ? 0x1.fffffffffffffp-1
                            : bit_size == 32 ? 0x1.fffffep-1
                                             : 0x1.ffcp-1;
   const double f = x - floor(x);
   return f > below_one ? below_one : f;
}

static inline double
nir_fmod(double x, double y, unsigned bit_size)
{
   if (bit_size != 64)
      return (float)x - (float)y * floorf((float)x / (float)y);
   /* In [0, y): the exact remainder, moved to the sign of y. */
   double r = fmod(x, y);
   if (r != 0.0 && (r < 0.0) != (y < 0.0)) {
      const double moved = r + y;
      r = moved == y ? nextafter(y, 0.0) : moved;
   }
   return r == 0.0 ? copysign(0.0, y) : r;
}

/* The sign of x. */
static inline double
nir_frem(double x, double y, unsigned bit_size)
{
   if (bit_size != 64)
      return (float)x - (float)y * truncf((float)x / (float)y);
   return fmod(x, y);
}

static inline double
nir_fmin(double a, double b)
{
   if (isnan(a))
      return b;
   if (isnan(b))
      return a;
   if (a == b)
      return signbit(a) ? a : b;
   return a < b ? a : b;
}

static inline double
nir_fmax(double a, double b)
{
   if (isnan(a))
      return b;
   if (isnan(b))
      return a;
   if (a == b)
      return signbit(a) ? b : a;
   return a > b ? a : b;
}

static inline double
nir_ffma(double a, double b, double c, unsigned bit_size)
{
   /* A product of halves is exact in double, and the sum nearly always. */
   return bit_size == 32 ? fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

/* One rounding, subnormal results included. */
static inline double
nir_ldexp(double x, int e, unsigned bit_size)
{
   e = CLAMP(e, -5000, 5000);
   return bit_size == 32 ? ldexpf((float)x, e) : ldexp(x, e);
}

static inline int
nir_frexp_exp(double x)
{
   int e = 0;
   if (x != 0.0 && isfinite(x))
      frexp(x, &e);
   return e;
}

static inline double
nir_frexp_sig(double x, unsigned bit_size)
{
   int e;
   return isfinite(x) ? frexp(x, &e) : x;
}

/* --- Integers ----------------------------------------------------------- */

static inline uint64_t
nir_zext(uint64_t v, unsigned bits)
{
   return v & BITFIELD64_MASK(bits);
}

static inline int
nir_ifind_msb(int64_t v)
{
   if (v < 0)
      v = ~v;
   return v ? (int)util_logbase2((uint64_t)v) : -1;
}

static inline uint32_t
nir_bitfield_reverse(uint32_t v)
{
   uint32_t r = 0;
   for (unsigned i = 0; i < 32; i++)
      r |= ((v >> i) & 1u) << (31 - i);
   return r;
}

static inline int64_t
nir_iadd_sat(int64_t a, int64_t b, unsigned bits)
{
   const int64_t max = (int64_t)BITFIELD64_MASK(bits - 1);
   const int64_t min = -max - 1;
   if (b > 0 && a > max - b)
      return max;
   if (b < 0 && a < min - b)
      return min;
   return a + b;
}

static inline int64_t
nir_isub_sat(int64_t a, int64_t b, unsigned bits)
{
   const int64_t max = (int64_t)BITFIELD64_MASK(bits - 1);
   const int64_t min = -max - 1;
   if (b < 0 && a > max + b)
      return max;
   if (b > 0 && a < min + b)
      return min;
   return a - b;
}

static inline uint64_t
nir_uadd_sat(uint64_t a, uint64_t b, unsigned bits)
{
   const uint64_t sum = nir_zext(a + b, bits);
   return sum < a ? BITFIELD64_MASK(bits) : sum;
}

static inline uint64_t
nir_umul_high(uint64_t a, uint64_t b, unsigned bits)
{
   return (uint64_t)(((util_u128)a * b) >> bits);
}

static inline int64_t
nir_imul_high(int64_t a, int64_t b, unsigned bits)
{
   return (int64_t)(((util_i128)a * b) >> bits);
}

static inline int64_t
nir_idiv(int64_t a, int64_t b)
{
   if (b == 0)
      return 0;
   return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static inline int64_t
nir_irem(int64_t a, int64_t b)
{
   return b == 0 || b == -1 ? 0 : a % b;
}

static inline int64_t
nir_imod(int64_t a, int64_t b)
{
   const int64_t r = nir_irem(a, b);
   return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline uint64_t
nir_rotate_left(uint64_t v, uint32_t by, unsigned bits)
{
   by &= bits - 1;
   return by == 0 ? v : v << by | nir_zext(v, bits) >> (bits - by);
}

/* offset in [0, 32), bits in [0, 32); what lies beyond bit 31 is cut. */
static inline uint32_t
nir_ubfe(uint32_t base, uint32_t offset, uint32_t bits)
{
   if (bits == 0)
      return 0;
   if (offset + bits < 32)
      return (base << (32 - bits - offset)) >> (32 - bits);
   return base >> offset;
}

static inline int32_t
nir_ibfe(int32_t base, uint32_t offset, uint32_t bits)
{
   if (bits == 0)
      return 0;
   if (offset + bits < 32)
      return (int32_t)((uint32_t)base << (32 - bits - offset)) >> (32 - bits);
   return base >> offset;
}

static inline uint32_t
nir_bitfield_insert(uint32_t base, uint32_t insert, int32_t offset,
                    int32_t bits)
{
   if (bits == 0)
      return base;
   if (offset < 0 || bits < 0 || (int64_t)offset + bits > 32)
      return 0;
   const uint32_t mask = BITFIELD_MASK((uint32_t)bits) << offset;
   return (base & ~mask) | ((insert << offset) & mask);
}

#endif
