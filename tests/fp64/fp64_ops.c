/* SPDX-License-Identifier: MIT */
/*
 * The table of operations. References are the host's IEEE arithmetic where
 * it has the operation, else MPFR. What is undefined in GLSL (a conversion
 * to an integer that cannot hold the value) is left out of the count.
 */
#include "fp64.h"

#include <math.h>
#include <mpfr.h>

#include "util/half.h"

unsigned
fp64_kind_bits(enum fp64_kind kind)
{
   switch (kind) {
   case FP64_HALF: return 16;
   case FP64_FLOAT:
   case FP64_INT32:
   case FP64_UINT32: return 32;
   default: return 64;
   }
}

/* ---- what is built ---- */

#define BUILD1(name, op)                                                     \
   static nir_value *build_##name(nir_builder *b, nir_value *const *s)       \
   {                                                                         \
      return op(b, s[0]);                                                    \
   }
#define BUILD2(name, op)                                                     \
   static nir_value *build_##name(nir_builder *b, nir_value *const *s)       \
   {                                                                         \
      return op(b, s[0], s[1]);                                              \
   }
#define BUILD3(name, op)                                                     \
   static nir_value *build_##name(nir_builder *b, nir_value *const *s)       \
   {                                                                         \
      return op(b, s[0], s[1], s[2]);                                        \
   }

static nir_value *
less_select(nir_builder *b, nir_value *x, nir_value *y, nir_value *z)
{
   return nir_bcsel(b, nir_flt(b, x, y), y, z);
}

static nir_value *
truth(nir_builder *b, nir_value *x)
{
   return nir_b2i32(b, x);
}

static nir_value *
less(nir_builder *b, nir_value *x, nir_value *y)
{
   return truth(b, nir_flt(b, x, y));
}

static nir_value *
greater_equal(nir_builder *b, nir_value *x, nir_value *y)
{
   return truth(b, nir_fge(b, x, y));
}

static nir_value *
equal(nir_builder *b, nir_value *x, nir_value *y)
{
   return truth(b, nir_feq(b, x, y));
}

static nir_value *
not_equal(nir_builder *b, nir_value *x, nir_value *y)
{
   return truth(b, nir_fneu(b, x, y));
}

static nir_value *
from_bool(nir_builder *b, nir_value *x)
{
   return nir_b2f64(b, nir_ine(b, x, nir_imm_int(b, 0)));
}

static nir_value *
to_bool(nir_builder *b, nir_value *x)
{
   return truth(b, nir_f2b1(b, x));
}

static nir_value *
pack_vector(nir_builder *b, nir_value *x, nir_value *y)
{
   return nir_pack_64_2x32(b, nir_vec2(b, x, y));
}

BUILD2(add, nir_fadd)
BUILD2(sub, nir_fsub)
BUILD2(mul, nir_fmul)
BUILD3(fma, nir_ffma)
BUILD2(min, nir_fmin)
BUILD2(max, nir_fmax)
BUILD1(abs, nir_fabs)
BUILD1(neg, nir_fneg)
BUILD2(less, less)
BUILD2(greater_equal, greater_equal)
BUILD2(equal, equal)
BUILD2(not_equal, not_equal)
BUILD3(select, less_select)
BUILD2(div, nir_fdiv)
BUILD1(rcp, nir_frcp)
BUILD1(sqrt, nir_fsqrt)
BUILD1(rsq, nir_frsq)
BUILD1(floor, nir_ffloor)
BUILD1(ceil, nir_fceil)
BUILD1(trunc, nir_ftrunc)
BUILD1(fract, nir_ffract)
BUILD1(round_even, nir_fround_even)
BUILD2(mod, nir_fmod)
BUILD1(sign, nir_fsign)
BUILD1(sat, nir_fsat)
BUILD1(frexp_sig, nir_frexp_sig)
BUILD1(frexp_exp, nir_frexp_exp)
BUILD2(ldexp, nir_ldexp)
BUILD1(to_half, nir_f2f16)
BUILD1(from_half, nir_f2f64)
BUILD1(to_float, nir_f2f32)
BUILD1(from_float, nir_f2f64)
BUILD1(to_int, nir_f2i32)
BUILD1(to_uint, nir_f2u32)
BUILD1(to_int64, nir_f2i64)
BUILD1(to_uint64, nir_f2u64)
BUILD1(from_int, nir_i2f64)
BUILD1(from_uint, nir_u2f64)
BUILD1(from_bool, from_bool)
BUILD1(to_bool, to_bool)
BUILD2(pack, pack_vector)
BUILD2(pack_split, nir_pack_64_2x32_split)
BUILD1(unpack_x, nir_unpack_64_2x32_split_x)
BUILD1(unpack_y, nir_unpack_64_2x32_split_y)

/* ---- references ---- */

static double
d(uint64_t bits)
{
   return util_bits_double(bits);
}

/* An expression over doubles x, y, z. */
#define REF(name, expr)                                                      \
   static bool ref_##name(const uint64_t *in, uint64_t *out)                 \
   {                                                                         \
      const double x = d(in[0]), y = d(in[1]), z = d(in[2]);                 \
      (void)x, (void)y, (void)z;                                             \
      *out = util_double_bits(expr);                                         \
      return true;                                                           \
   }
/* An expression over the bits, with bits as result. */
#define REF_BITS(name, expr)                                                 \
   static bool ref_##name(const uint64_t *in, uint64_t *out)                 \
   {                                                                         \
      const double x = d(in[0]), y = d(in[1]);                               \
      (void)x, (void)y;                                                      \
      *out = (expr);                                                         \
      return true;                                                           \
   }
/* A conversion, defined for low < x < high. */
#define REF_RANGE(name, type, low, high)                                     \
   static bool ref_##name(const uint64_t *in, uint64_t *out)                 \
   {                                                                         \
      const double x = d(in[0]);                                             \
      if (!(x > (low) && x < (high)))                                        \
         return false;                                                       \
      *out = (uint64_t)(type)x;                                              \
      if (sizeof(type) == 4)                                                 \
         *out &= 0xffffffff;                                                 \
      return true;                                                           \
   }

REF(add, x + y)
REF(sub, x - y)
REF(mul, x *y)
REF(fma, fma(x, y, z))
/* IEEE 754-2008, 5.3.1: a number rather than a quiet NaN. */
REF(min, isnan(x) ? y : isnan(y) || x <= y ? x : y)
REF(max, isnan(x) ? y : isnan(y) || x >= y ? x : y)
REF(abs, fabs(x))
REF(neg, -x)
REF_BITS(less, x < y)
REF_BITS(greater_equal, x >= y)
REF_BITS(equal, x == y)
REF_BITS(not_equal, x != y)
REF(select, x < y ? y : z)
REF(div, x / y)
REF(rcp, 1.0 / x)
REF(sqrt, sqrt(x))
REF(floor, floor(x))
REF(ceil, ceil(x))
REF(trunc, trunc(x))
/* The largest double below 1 stands for what rounds to 1. */
REF(fract, x - floor(x) == 1.0 ? 0x1.fffffffffffffp-1 : x - floor(x))
REF(round_even, rint(x))
REF(sat, isnan(x) ? 0.0 : x > 1.0 ? 1.0 : x > 0.0 ? x : 0.0)
REF(from_float, (double)util_bits_float((uint32_t)in[0]))
REF(from_half, (double)util_half_to_float((uint16_t)in[0]))
REF(from_int, (double)(int32_t)in[0])
REF(from_uint, (double)(uint32_t)in[0])
REF(from_int64, (double)(int64_t)in[0])
REF(from_uint64, (double)in[0])
REF(from_bool, (uint32_t)in[0] ? 1.0 : 0.0)
REF_BITS(to_bool, x != 0.0)
REF_BITS(to_float, util_float_bits((float)x))
REF_BITS(to_half, util_double_to_half(x))
REF_RANGE(to_int, int32_t, -2147483649.0, 2147483648.0)
REF_RANGE(to_uint, uint32_t, -1.0, 4294967296.0)
REF_RANGE(to_int64, int64_t, -0x1.0000000000001p63, 0x1p63)
REF_RANGE(to_uint64, uint64_t, -1.0, 0x1p64)
REF_BITS(pack, (in[0] & 0xffffffff) | in[1] << 32)
REF_BITS(unpack_x, in[0] & 0xffffffff)
REF_BITS(unpack_y, in[0] >> 32)

static bool
ref_ldexp(const uint64_t *in, uint64_t *out)
{
   /* One rounding: glibc scales in two steps only when that is exact. */
   *out = util_double_bits(ldexp(d(in[0]), (int32_t)in[1]));
   return true;
}

/* The sign of a NaN is left open by GLSL. */
static bool
ref_sign(const uint64_t *in, uint64_t *out)
{
   const double x = d(in[0]);
   *out = util_double_bits(x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x);
   return !isnan(x);
}

/* So are infinities and NaN here. */
static bool
ref_frexp_sig(const uint64_t *in, uint64_t *out)
{
   int e;
   *out = util_double_bits(frexp(d(in[0]), &e));
   return isfinite(d(in[0]));
}

static bool
ref_frexp_exp(const uint64_t *in, uint64_t *out)
{
   int e = 0;
   (void)frexp(d(in[0]), &e);
   *out = (uint32_t)e;
   return isfinite(d(in[0]));
}

static bool
ref_rsq(const uint64_t *in, uint64_t *out)
{
   const double x = d(in[0]);

   if (x == 0.0) {
      *out = util_double_bits(copysign(INFINITY, x));
   } else {
      mpfr_t r;
      mpfr_init2(r, 53);
      mpfr_set_d(r, x, MPFR_RNDN);
      mpfr_rec_sqrt(r, r, MPFR_RNDN);
      *out = util_double_bits(mpfr_get_d(r, MPFR_RNDN));
      mpfr_clear(r);
   }
   return true;
}

static double
rsq_error(const uint64_t *in, uint64_t got)
{
   static mpfr_t exact, diff;
   static bool ready;
   int e;

   if (!ready) {
      mpfr_inits2(160, exact, diff, (mpfr_ptr)0);
      ready = true;
   }
   mpfr_set_d(exact, d(in[0]), MPFR_RNDN);
   mpfr_rec_sqrt(exact, exact, MPFR_RNDN);
   mpfr_sub_d(diff, exact, d(got), MPFR_RNDN);
   /* One ulp of a number in [2^(e-1), 2^e) is 2^(e-53). */
   (void)frexp(mpfr_get_d(exact, MPFR_RNDZ), &e);
   mpfr_mul_2si(diff, diff, 53 - e, MPFR_RNDN);
   return fabs(mpfr_get_d(diff, MPFR_RNDN));
}

/* GLSL's formula x - y floor(x / y) says nothing else. */
static bool
quotient_is_too_big(double x, double y)
{
   return isfinite(x) && isfinite(y) && y != 0.0 && !(fabs(x / y) < 0x1p53);
}

/*
 * x - y floor(x / y) of real numbers, rounded; 0 where that rounds to y.
 * With a quotient of more than 53 bits, anything in [0, y).
 */
static bool
ref_mod(const uint64_t *in, uint64_t *out)
{
   const double x = d(in[0]), y = d(in[1]);
   double r;

   if (isnan(x) || isnan(y) || isinf(x) || y == 0.0) {
      r = NAN;
   } else if (isinf(y)) {
      r = x == 0.0 || (x < 0.0) == (y < 0.0) ? x : y;
   } else {
      r = fmod(x, y); /* exact, with the sign of x */
      if (r != 0.0 && (r < 0.0) != (y < 0.0))
         r += y;
      if (r == y)
         r = 0.0;
   }
   *out = util_double_bits(r);
   return true;
}

/* ---- what is as right as the reference ---- */

/* Zeros of either sign, where the operands are zeros. */
static bool
either_zero(const uint64_t *in, uint64_t got)
{
   return d(in[0]) == 0.0 && d(in[1]) == 0.0 && d(got) == 0.0;
}

static bool
mod_is_open(const uint64_t *in, uint64_t got)
{
   const double x = d(in[0]), y = d(in[1]);
   uint64_t want;

   if (quotient_is_too_big(x, y))
      return d(got) == 0.0 || (y > 0.0 ? d(got) > 0.0 && d(got) < y
                                       : d(got) < 0.0 && d(got) > y);
   return ref_mod(in, &want) && d(want) == 0.0 && d(got) == 0.0;
}

#define D FP64_DOUBLE
#define F FP64_FLOAT
#define H FP64_HALF
#define I FP64_INT32
#define U FP64_UINT32
#define L FP64_INT64
#define UL FP64_UINT64
/* clang-format off */
#define OP(name, claim, dst, ...)                                            \
   { #name, FP64_##claim, { __VA_ARGS__ }, dst, build_##name, ref_##name }
#define OP_LIKE(name, like, claim, dst, ...)                                 \
   { #name, FP64_##claim, { __VA_ARGS__ }, dst, build_##like, ref_##name }
/* clang-format on */

const struct fp64_op fp64_ops[] = {
   OP(add, ROUNDED, D, D, D),
   OP(sub, ROUNDED, D, D, D),
   OP(mul, ROUNDED, D, D, D),
   OP(fma, ROUNDED, D, D, D, D),
   OP(div, ROUNDED, D, D, D),
   OP(rcp, ROUNDED, D, D),
   OP(sqrt, ROUNDED, D, D),
   { "rsq", FP64_ONE_ULP, { D }, D, build_rsq, ref_rsq, rsq_error },
   { "mod",
     FP64_ROUNDED,
     { D, D },
     D,
     build_mod,
     ref_mod,
     NULL,
     mod_is_open },
   OP(floor, EXACT, D, D),
   OP(ceil, EXACT, D, D),
   OP(trunc, EXACT, D, D),
   OP(round_even, EXACT, D, D),
   OP(fract, ROUNDED, D, D),
   OP(sign, EXACT, D, D),
   OP(sat, EXACT, D, D),
   { "min", FP64_EXACT, { D, D }, D, build_min, ref_min, NULL, either_zero },
   { "max", FP64_EXACT, { D, D }, D, build_max, ref_max, NULL, either_zero },
   OP(abs, EXACT, D, D),
   OP(neg, EXACT, D, D),
   OP(less, EXACT, I, D, D),
   OP(greater_equal, EXACT, I, D, D),
   OP(equal, EXACT, I, D, D),
   OP(not_equal, EXACT, I, D, D),
   OP(select, EXACT, D, D, D, D),
   OP(frexp_sig, EXACT, D, D),
   OP(frexp_exp, EXACT, I, D),
   OP(ldexp, ROUNDED, D, D, I),
   OP(to_half, ROUNDED, H, D),
   OP(from_half, EXACT, D, H),
   OP(to_float, ROUNDED, F, D),
   OP(from_float, EXACT, D, F),
   OP(to_int, EXACT, I, D),
   OP(to_uint, EXACT, U, D),
   OP(to_int64, EXACT, L, D),
   OP(to_uint64, EXACT, UL, D),
   OP(from_int, EXACT, D, I),
   OP(from_uint, EXACT, D, U),
   OP_LIKE(from_int64, from_int, ROUNDED, D, L),
   OP_LIKE(from_uint64, from_uint, ROUNDED, D, UL),
   OP(from_bool, EXACT, D, I),
   OP(to_bool, EXACT, I, D),
   OP(pack, EXACT, D, U, U),
   { "pack_split", FP64_EXACT, { U, U }, D, build_pack_split, ref_pack },
   OP(unpack_x, EXACT, U, D),
   OP(unpack_y, EXACT, U, D),
};

const unsigned fp64_num_ops = ARRAY_SIZE(fp64_ops);
