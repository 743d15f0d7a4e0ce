/* SPDX-License-Identifier: MIT */
/*
 * Double-precision operations that the hardware lacks, in terms of fadd,
 * fmul, ffma (fused), compares, selects and 32-bit integer operations.
 *
 * Before: any shader. After: no opcode that `options` names is left on 64-bit
 * floats. Vectors stay vectors; there is no control flow, only bcsel, but for
 * the ifs of nir_guard_doubles(), which comes first if `options` has dguard.
 * The halves of a double are handled as 32-bit integers, since Gen7 has no
 * 64-bit ones. All that is built is exact: nothing may reassociate it.
 *
 * Accuracy, round to nearest even, subnormals kept:
 *
 *   rcp, div   correctly rounded, also where the result is subnormal
 *   sqrt       correctly rounded
 *   rsq        within 1 ulp
 *   trunc, floor, ceil, round_even, fract's floor   exact
 *   to half    one rounding
 *   mod        in [0, y); rounded once while |x / y| < 2^53
 *
 * Method of rcp, div and sqrt: scale both operands to [1, 2) (subnormals
 * first by 2^54), get a seed from the 32-bit unit, double its bits twice by
 * Newton-Raphson with fused residuals, and correct the last bit by the exact
 * remainder (P. Markstein, "Computation of elementary functions on the IBM
 * RISC System/6000 processor", IBM J. Res. Dev. 34 (1990); J.-M. Muller et
 * al., "Handbook of Floating-Point Arithmetic", chapters 4.7 and 4.8).
 *
 * Cost in 64-bit operations: div 22, sqrt 20, rsq 18, mod 27.
 */
#include "nir.h"
#include "nir_builder.h"

#include <math.h>

typedef nir_value def;

#define SIGN_BIT ((int)0x80000000u)
#define EXPONENT_BIAS 1023
#define EXPONENT_SPECIAL 0x7ff /* infinity and NaN */
/* Scales any subnormal into the normal numbers; even, for square roots. */
#define SUBNORMAL_SHIFT 54

static def *
high(nir_builder *b, def *x)
{
   return nir_unpack_64_2x32_split_y(b, x);
}

static def *
low(nir_builder *b, def *x)
{
   return nir_unpack_64_2x32_split_x(b, x);
}

static def *
join(nir_builder *b, def *lo, def *hi)
{
   return nir_pack_64_2x32_split(b, lo, hi);
}

static def *
with_high(nir_builder *b, def *x, def *hi)
{
   return join(b, low(b, x), hi);
}

static def *
exponent_field(nir_builder *b, def *hi)
{
   return nir_iand_imm(b, nir_ushr_imm(b, hi, 20), 0x7ff);
}

static def *
sign_of(nir_builder *b, def *hi)
{
   return nir_iand_imm(b, hi, (uint32_t)SIGN_BIT);
}

/* A double whose low half is zero. */
static def *
from_high(nir_builder *b, def *hi)
{
   return join(b, nir_imm_int(b, 0), hi);
}

/* 2^e for an integer e in [-1022, 1023]. */
static def *
power_of_two(nir_builder *b, def *e)
{
   return from_high(b,
                    nir_ishl_imm(b, nir_iadd_imm(b, e, EXPONENT_BIAS), 20));
}

/* m * 2^e; two steps, for an exponent beyond what one double can hold. Exact
 * unless the result is subnormal or overflows. */
static def *
scale(nir_builder *b, def *m, def *e)
{
   e = nir_imax(b, nir_imin(b, e, nir_imm_int(b, 1200)),
                nir_imm_int(b, -1200));
   def *half = nir_ishr_imm(b, e, 1);
   m = nir_fmul(b, m, power_of_two(b, half));
   return nir_fmul(b, m, power_of_two(b, nir_isub(b, e, half)));
}

/* |x| = m * 2^e with m in [1, 2), for x finite and not zero. */
struct split {
   def *m, *e;
};

static struct split
split_double(nir_builder *b, def *x)
{
   def *field = exponent_field(b, high(b, x));
   def *subnormal = nir_ieq_imm(b, field, 0);
   x = nir_bcsel(b, subnormal,
                 nir_fmul_imm(b, x, ldexp(1.0, SUBNORMAL_SHIFT)), x);
   def *hi = high(b, x);
   def *bias = nir_bcsel(b, subnormal,
                         nir_imm_int(b, EXPONENT_BIAS + SUBNORMAL_SHIFT),
                         nir_imm_int(b, EXPONENT_BIAS));
   struct split s;
   s.e = nir_isub(b, exponent_field(b, hi), bias);
   s.m = with_high(b, x,
                   nir_ior_imm(b, nir_iand_imm(b, hi, 0xfffff), 0x3ff00000));
   return s;
}

/*
 * q * 2^e with one rounding, where q in [1, 2] is the correctly rounded value
 * of some number and `rest` has the sign of that number less q (zero: exact).
 *
 * Only a subnormal result is rounded again. That rounding is done here by
 * adding a constant whose last place is that of the result; when it meets a
 * tie, `rest` says on which side the number really lies.
 */
static def *
scale_rounded(nir_builder *b, def *q, def *rest, def *e)
{
   /* Last place of a subnormal, seen from q: 2^(-1074 - e). */
   def *place = nir_isub(b, nir_imm_int(b, -1074), e);
   place = nir_imin(b, nir_imax(b, place, nir_imm_int(b, -52)),
                    nir_imm_int(b, 60));
   def *ulp = power_of_two(b, place);
   def *magic = nir_fmul_imm(b, ulp, 0x1.0p52);
   def *r = nir_fsub(b, nir_fadd(b, q, magic), magic);
   def *error = nir_fsub(b, q, r);
   def *half = nir_fmul_imm(b, ulp, 0.5);

   def *zero = nir_imm_double(b, 0.0);
   def *tie = nir_iand(b, nir_feq(b, nir_fabs(b, error), half),
                       nir_fneu(b, rest, zero));
   def *toward =
      nir_bcsel(b, nir_flt(b, rest, zero), nir_fneg(b, half), half);
   r = nir_bcsel(b, tie, nir_fadd(b, q, toward), r);
   def *subnormal = nir_ilt_imm(b, e, -1022);
   return scale(b, nir_bcsel(b, subnormal, r, q), e);
}

/* Something near 1 / m, good to about 46 bits; m in [1, 2). */
static def *
approximate_rcp(nir_builder *b, def *m)
{
   def *one = nir_imm_double(b, 1.0);
   def *y = nir_f2f64(b, nir_frcp(b, nir_f2f32(b, m)));
   def *e = nir_ffma(b, nir_fneg(b, m), y, one);
   return nir_ffma(b, y, e, y);
}

/* The quotient of two numbers of which one is zero, infinite or NaN: what the
 * multiplication with a reciprocal of the right class gives. */
static def *
special_quotient(nir_builder *b, def *n, def *d)
{
   def *hi = high(b, d);
   def *magnitude = nir_fabs(b, d);
   def *zero = nir_feq(b, d, nir_imm_double(b, 0.0));
   def *inf = nir_feq(b, magnitude, nir_imm_double(b, INFINITY));
   def *r = nir_bcsel(b, zero, nir_imm_int(b, 0x7ff00000),
                      nir_bcsel(b, inf, nir_imm_int(b, 0),
                                nir_imm_int(b, 0x3ff00000)));
   r = from_high(b, nir_ior(b, sign_of(b, hi), r));
   def *nan = nir_fneu(b, d, d);
   return nir_fmul(b, n, nir_bcsel(b, nan, d, r));
}

static def *
is_special(nir_builder *b, def *x)
{
   def *field = exponent_field(b, high(b, x));
   return nir_ior(b, nir_feq(b, x, nir_imm_double(b, 0.0)),
                  nir_ieq_imm(b, field, EXPONENT_SPECIAL));
}

static def *
lower_div(nir_builder *b, def *n, def *d)
{
   struct split sn = split_double(b, n), sd = split_double(b, d);

   /* The quotient of the scaled operands shall lie in [1, 2). */
   def *less = nir_flt(b, sn.m, sd.m);
   def *m = nir_bcsel(b, less, nir_fmul_imm(b, sn.m, 2.0), sn.m);
   def *e = nir_isub(b, sn.e, sd.e);
   e = nir_bcsel(b, less, nir_iadd_imm(b, e, -1), e);

   def *y = approximate_rcp(b, sd.m);
   def *minus_d = nir_fneg(b, sd.m);
   y = nir_ffma(b, y, nir_ffma(b, minus_d, y, nir_imm_double(b, 1.0)), y);
   def *q = nir_fmul(b, m, y);
   q = nir_ffma(b, nir_ffma(b, minus_d, q, m), y, q);

   /* |m - q d| <= d ulp / 2 says that q is the nearest. */
   def *rest = nir_ffma(b, minus_d, q, m);
   def *half = nir_fmul_imm(b, sd.m, 0x1.0p-53);
   def *up = nir_flt(b, half, rest);
   def *down = nir_flt(b, rest, nir_fneg(b, half));
   def *ulp = nir_imm_double(b, 0x1.0p-52);
   def *step =
      nir_bcsel(b, up, ulp,
                nir_bcsel(b, down, nir_fneg(b, ulp), nir_imm_double(b, 0.0)));
   q = nir_fadd(b, q, step);
   rest = nir_ffma(b, minus_d, q, m);

   q = scale_rounded(b, q, rest, e);
   def *sign = sign_of(b, nir_ixor(b, high(b, n), high(b, d)));
   q = with_high(b, q, nir_ior(b, high(b, q), sign));

   def *special = nir_ior(b, is_special(b, n), is_special(b, d));
   return nir_bcsel(b, special, special_quotient(b, n, d), q);
}

static def *
lower_rcp(nir_builder *b, def *x)
{
   return lower_div(b, nir_imm_double(b, 1.0), x);
}

/* x = m * 2^(2 e) with m in [1, 4), and g near sqrt(m), h near 1 / (2 g):
 * Goldschmidt's iteration, g and h good to about 52 bits. */
struct root {
   def *m, *e, *g, *h;
};

static struct root
approximate_root(nir_builder *b, def *x)
{
   struct root r;
   struct split s = split_double(b, x);
   def *odd = nir_iand_imm(b, s.e, 1);
   r.m = nir_fmul(b, s.m, power_of_two(b, odd));
   r.e = nir_ishr_imm(b, s.e, 1);

   def *half = nir_imm_double(b, 0.5);
   def *y = nir_f2f64(b, nir_frsq(b, nir_f2f32(b, r.m)));
   r.g = nir_fmul(b, r.m, y);
   r.h = nir_fmul(b, y, half);
   for (unsigned i = 0; i < 2; i++) {
      def *error = nir_ffma(b, nir_fneg(b, r.h), r.g, half);
      r.g = nir_ffma(b, r.g, error, r.g);
      r.h = nir_ffma(b, r.h, error, r.h);
   }
   return r;
}

static def *
lower_sqrt(nir_builder *b, def *x)
{
   struct root r = approximate_root(b, x);
   def *s = nir_ffma(b, nir_ffma(b, nir_fneg(b, r.g), r.g, r.m), r.h, r.g);

   /* s is the nearest as long as -s ulp < m - s^2 <= s ulp. */
   def *rest = nir_ffma(b, nir_fneg(b, s), s, r.m);
   def *limit = nir_fmul_imm(b, s, 0x1.0p-52);
   def *up = nir_flt(b, limit, rest);
   def *down = nir_fge(b, nir_fneg(b, limit), rest);
   def *ulp = nir_imm_double(b, 0x1.0p-52);
   def *step =
      nir_bcsel(b, up, ulp,
                nir_bcsel(b, down, nir_fneg(b, ulp), nir_imm_double(b, 0.0)));
   s = nir_fmul(b, nir_fadd(b, s, step), power_of_two(b, r.e));

   /* Zeros, infinity and NaN are their own roots. */
   def *zero = nir_imm_double(b, 0.0);
   def *finite_positive = nir_iand(
      b, nir_flt(b, zero, x), nir_flt(b, x, nir_imm_double(b, INFINITY)));
   def *other = nir_bcsel(b, nir_flt(b, x, zero), nir_imm_double(b, NAN), x);
   return nir_bcsel(b, finite_positive, s, other);
}

static def *
lower_rsq(nir_builder *b, def *x)
{
   struct root r = approximate_root(b, x);
   def *one = nir_imm_double(b, 1.0);
   def *y = nir_fmul_imm(b, r.h, 2.0);

   /* 1 - m y^2, with the rounding error of m y taken along. */
   def *t = nir_fmul(b, r.m, y);
   def *lost = nir_ffma(b, r.m, y, nir_fneg(b, t));
   def *error = nir_ffma(b, nir_fneg(b, t), y, one);
   error = nir_ffma(b, nir_fneg(b, lost), y, error);
   y = nir_ffma(b, nir_fmul_imm(b, y, 0.5), error, y);
   y = nir_fmul(b, y, power_of_two(b, nir_ineg(b, r.e)));

   /* +-0 gives +-infinity, +infinity gives 0. */
   def *zero = nir_imm_double(b, 0.0);
   def *inf = nir_imm_double(b, INFINITY);
   def *is_zero = nir_feq(b, x, zero);
   def *pole =
      from_high(b, nir_ior_imm(b, sign_of(b, high(b, x)), 0x7ff00000));
   def *other = nir_bcsel(b, nir_flt(b, x, zero), nir_imm_double(b, NAN), x);
   other = nir_bcsel(b, nir_feq(b, x, inf), zero, other);
   other = nir_bcsel(b, is_zero, pole, other);
   def *finite_positive =
      nir_iand(b, nir_flt(b, zero, x), nir_flt(b, x, inf));
   return nir_bcsel(b, finite_positive, y, other);
}

/* ---- integers near a number ---- */

#define TWO_52 0x1.0p52

/* `m` is not negative: the nearest integer, ties to even, where that is below
 * 2^52. */
static def *
nearest(nir_builder *b, def *m)
{
   return nir_fadd_imm(b, nir_fadd_imm(b, m, TWO_52), -TWO_52);
}

static def *
with_sign_of(nir_builder *b, def *positive, def *x)
{
   def *sign = sign_of(b, high(b, x));
   return with_high(b, positive, nir_ior(b, high(b, positive), sign));
}

/* `r`, or x where that is an integer, an infinity or NaN by its size. */
static def *
unless_large(nir_builder *b, def *x, def *r)
{
   def *magnitude = nir_iand_imm(b, high(b, x), 0x7fffffff);
   def *small = nir_ilt_imm(b, magnitude, (EXPONENT_BIAS + 52) << 20);
   return nir_bcsel(b, small, r, x);
}

/* `t`, or the next below where it is above x. */
static def *
not_above(nir_builder *b, def *t, def *x)
{
   return nir_bcsel(b, nir_flt(b, x, t), nir_fadd_imm(b, t, -1.0), t);
}

static def *
lower_trunc(nir_builder *b, def *x)
{
   def *m = nir_fabs(b, x);
   def *t = not_above(b, nearest(b, m), m);
   return unless_large(b, x, with_sign_of(b, t, x));
}

/* Zeros keep their signs: 1 - 1 is +0, and less than 1 was positive. */
static def *
lower_floor(nir_builder *b, def *x)
{
   def *t = with_sign_of(b, nearest(b, nir_fabs(b, x)), x);
   return unless_large(b, x, not_above(b, t, x));
}

static def *
lower_ceil(nir_builder *b, def *x)
{
   return nir_fneg(b, lower_floor(b, nir_fneg(b, x)));
}

static def *
lower_fract(nir_builder *b, def *x)
{
   /* A tiny negative number would round up to 1. */
   def *f = nir_fsub(b, x, lower_floor(b, x));
   def *below_one = nir_imm_double(b, 0x1.fffffffffffffp-1);
   return nir_bcsel(b, nir_flt(b, below_one, f), below_one, f);
}

static def *
lower_round_even(nir_builder *b, def *x)
{
   return unless_large(b, x, with_sign_of(b, nearest(b, nir_fabs(b, x)), x));
}

/*
 * x - y floor(x / y). The floor of the rounded quotient may be one too many
 * or too few; the remainder by a fused operation is exact either way, and
 * tells. Works on a non-negative divisor, by giving both the divisor's sign.
 */
static def *
lower_mod(nir_builder *b, def *x, def *y)
{
   def *zero = nir_imm_double(b, 0.0);
   def *q = lower_floor(b, lower_div(b, x, y));
   def *r = nir_ffma(b, nir_fneg(b, q), y, x);

   def *flip = sign_of(b, high(b, y));
   def *size = nir_fabs(b, y);
   def *a = with_high(b, r, nir_ixor(b, high(b, r), flip));
   def *low_side = nir_flt(b, a, zero), *high_side = nir_fge(b, a, size);
   a = nir_bcsel(b, low_side, nir_fadd(b, a, size),
                 nir_bcsel(b, high_side, nir_fsub(b, a, size), a));
   /* A remainder that rounds to the divisor itself is no remainder; nor is
    * what a quotient of more than 53 bits leaves. */
   def *outside = nir_ior(b, nir_flt(b, a, zero), nir_fge(b, a, size));
   a = nir_bcsel(b, outside, zero, a);
   a = with_high(b, a, nir_ixor(b, high(b, a), flip));

   /* Finite x and infinite y of the same sign: x is the remainder. */
   def *inf = nir_imm_double(b, INFINITY);
   def *y_inf =
      nir_iand(b, nir_feq(b, size, inf), nir_flt(b, nir_fabs(b, x), inf));
   def *same =
      nir_ieq_imm(b,
                  nir_iand_imm(b, nir_ixor(b, high(b, x), high(b, y)),
                               (uint32_t)SIGN_BIT),
                  0);
   same = nir_ior(b, same, nir_feq(b, x, zero));
   return nir_bcsel(b, y_inf, nir_bcsel(b, same, x, y), a);
}

static def *
lower_sign(nir_builder *b, def *x)
{
   def *one =
      from_high(b, nir_ior_imm(b, sign_of(b, high(b, x)), 0x3ff00000));
   def *zero = nir_imm_double(b, 0.0);
   /* Zeros keep their sign; the sign of a NaN is +0. */
   def *r = nir_bcsel(b, nir_feq(b, x, zero), x, one);
   return nir_bcsel(b, nir_fneu(b, x, x), zero, r);
}

static def *
lower_minmax(nir_builder *b, def *x, def *y, bool max)
{
   def *less = max ? nir_flt(b, y, x) : nir_flt(b, x, y);
   /* Equal: zeros of both signs; the sign bits decide. */
   def *equal_hi = max ? nir_iand(b, high(b, x), high(b, y))
                       : nir_ior(b, high(b, x), high(b, y));
   def *equal = nir_feq(b, x, y);
   def *r = nir_bcsel(b, less, x, y);
   r = nir_bcsel(b, equal, with_high(b, x, equal_hi), r);
   r = nir_bcsel(b, nir_fneu(b, y, y), x, r);
   return nir_bcsel(b, nir_fneu(b, x, x), y, r);
}

static def *
lower_sat(nir_builder *b, def *x)
{
   def *zero = nir_imm_double(b, 0.0), *one = nir_imm_double(b, 1.0);
   def *r = nir_bcsel(b, nir_flt(b, one, x), one, x);
   return nir_bcsel(b, nir_flt(b, zero, x), r, zero);
}

static def *
lower_frexp_sig(nir_builder *b, def *x)
{
   struct split s = split_double(b, x);
   def *hi = nir_ior(b, sign_of(b, high(b, x)),
                     nir_iadd_imm(b, high(b, s.m), (uint32_t)-0x100000));
   return nir_bcsel(b, is_special(b, x), x, with_high(b, s.m, hi));
}

static def *
lower_frexp_exp(nir_builder *b, def *x)
{
   struct split s = split_double(b, x);
   return nir_bcsel(b, is_special(b, x), nir_imm_int(b, 0),
                    nir_iadd_imm(b, s.e, 1));
}

/* Four factors, so that x may go from the least subnormal to the largest
 * number; only the last product that leaves the normal numbers rounds. */
static def *
lower_ldexp(nir_builder *b, def *x, def *e)
{
   e = nir_imax(b, nir_imin(b, e, nir_imm_int(b, 2200)),
                nir_imm_int(b, -2200));
   struct split s = split_double(b, x);
   def *sum = nir_iadd(b, e, s.e);
   def *m =
      with_high(b, s.m, nir_ior(b, high(b, s.m), sign_of(b, high(b, x))));
   return nir_bcsel(b, is_special(b, x), x, scale(b, m, sum));
}

static def *
lower_flrp(nir_builder *b, def *x, def *y, def *t)
{
   def *s = nir_fsub(b, nir_imm_double(b, 1.0), t);
   return nir_fadd(b, nir_fmul(b, x, s), nir_fmul(b, y, t));
}

/*
 * To half by way of a float that is rounded to odd: its last bit says that
 * something was lost, so that the second rounding meets no false tie (Muller
 * et al., chapter 3.2.2 on double rounding; a float has more than 2 bits more
 * than a half).
 */
static def *
lower_to_half(nir_builder *b, def *x, nir_op op)
{
   def *f = nir_f2f32(b, x);
   def *back = nir_f2f64(b, f);
   def *beyond = nir_flt(b, nir_fabs(b, x), nir_fabs(b, back));
   def *toward_zero = nir_bcsel(b, beyond, nir_iadd_imm(b, f, -1), f);
   def *odd = nir_ior_imm(b, toward_zero, 1);
   f = nir_bcsel(b, nir_fneu(b, back, x), odd, f);
   return nir_build_alu1(b, op, f);
}

static nir_lower_doubles_options
option_of(nir_op op)
{
   switch (op) {
   case nir_op_fceil: return nir_lower_dceil;
   case nir_op_fdiv: return nir_lower_ddiv;
   case nir_op_ffloor: return nir_lower_dfloor;
   case nir_op_ffract: return nir_lower_dfract;
   case nir_op_fmod: return nir_lower_dmod;
   case nir_op_frcp: return nir_lower_drcp;
   case nir_op_fround_even: return nir_lower_dround_even;
   case nir_op_frsq: return nir_lower_drsq;
   case nir_op_fsign: return nir_lower_dsign;
   case nir_op_fsqrt: return nir_lower_dsqrt;
   case nir_op_fsub: return nir_lower_dsub;
   case nir_op_ftrunc: return nir_lower_dtrunc;
   case nir_op_fmin:
   case nir_op_fmax: return nir_lower_dminmax;
   case nir_op_fsat: return nir_lower_dsat;
   case nir_op_frexp_sig:
   case nir_op_frexp_exp: return nir_lower_dfrexp;
   case nir_op_ldexp: return nir_lower_dldexp;
   case nir_op_flrp: return nir_lower_dflrp;
   case nir_op_ffma: return nir_lower_dfma;
   case nir_op_f2f16:
   case nir_op_f2f16_rtne:
   case nir_op_f2f16_rtz: return nir_lower_d2half;
   default: return 0;
   }
}

static bool
wants_lowering(const nir_instr *instr, const void *data)
{
   const nir_lower_doubles_options *options = data;
   const nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   return (option_of(alu->op) & *options) &&
          alu->src[0].use.value->bit_size == 64;
}

static def *
lower_op(nir_builder *b, nir_op op, def *const *s)
{
   switch (op) {
   case nir_op_frcp: return lower_rcp(b, s[0]);
   case nir_op_fsqrt: return lower_sqrt(b, s[0]);
   case nir_op_frsq: return lower_rsq(b, s[0]);
   case nir_op_ftrunc: return lower_trunc(b, s[0]);
   case nir_op_ffloor: return lower_floor(b, s[0]);
   case nir_op_fceil: return lower_ceil(b, s[0]);
   case nir_op_ffract: return lower_fract(b, s[0]);
   case nir_op_fround_even: return lower_round_even(b, s[0]);
   case nir_op_fmod: return lower_mod(b, s[0], s[1]);
   case nir_op_fsub: return nir_fadd(b, s[0], nir_fneg(b, s[1]));
   case nir_op_fdiv: return lower_div(b, s[0], s[1]);
   case nir_op_fsign: return lower_sign(b, s[0]);
   case nir_op_fmin: return lower_minmax(b, s[0], s[1], false);
   case nir_op_fmax: return lower_minmax(b, s[0], s[1], true);
   case nir_op_fsat: return lower_sat(b, s[0]);
   case nir_op_frexp_sig: return lower_frexp_sig(b, s[0]);
   case nir_op_frexp_exp: return lower_frexp_exp(b, s[0]);
   case nir_op_ldexp: return lower_ldexp(b, s[0], s[1]);
   case nir_op_flrp: return lower_flrp(b, s[0], s[1], s[2]);
   case nir_op_ffma: return nir_fadd(b, nir_fmul(b, s[0], s[1]), s[2]);
   case nir_op_f2f16:
   case nir_op_f2f16_rtne:
   case nir_op_f2f16_rtz: return lower_to_half(b, s[0], op);
   default: unreachable("opcode without a lowering");
   }
}

static nir_value *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   def *s[3] = { 0 };
   for (unsigned i = 0; i < alu->instr.num_operands; i++)
      s[i] = nir_mov_alu(b, alu->src[i], alu->instr.result.num_components);

   b->exact = true;
   def *r = lower_op(b, alu->op, s);
   return r;
}

/* One lowering may build an opcode of another (div builds fsub, mod div):
 * repeated until none is left. */
bool
nir_lower_doubles(nir_shader *shader, const nir_shader *softfp64,
                  nir_lower_doubles_options options)
{
   assert(!softfp64 && "doubles are never lowered to integers as a whole");
   bool progress = false;
   if (options & nir_lower_dguard)
      progress = nir_guard_doubles(shader, options);
   while (nir_replace_instrs(shader, wants_lowering, lower_instr, &options))
      progress = true;
   return progress;
}
