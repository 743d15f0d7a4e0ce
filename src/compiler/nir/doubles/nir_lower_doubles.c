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
 * Method of rcp, div, sqrt and rsq: operands are scaled by powers of two to
 * where a float's exponents are, the sequences of nir_short_doubles.c give
 * their result, which is scaled back. Subnormal quotients are corrected by
 * what the exact remainder says they lack (P. Markstein, "Computation of
 * elementary functions on the IBM RISC System/6000 processor", IBM J. Res.
 * Dev. 34 (1990); J.-M. Muller et al., "Handbook of Floating-Point
 * Arithmetic", chapters 4.7 and 4.8). docs/fp64.rst has the argument.
 *
 * Cost in 64-bit operations: div 27, sqrt 16, rsq 13, mod 38.
 */
#include "nir_doubles_private.h"

#include <math.h>

typedef nir_value def;

#define SIGN_BIT ((int)0x80000000u)
#define EXPONENT_BIAS 1023
#define EXPONENT_SPECIAL 0x7ff /* infinity and NaN */
/* Scales any subnormal into the normal numbers. */
#define SUBNORMAL_SHIFT 54

/* Of a high half, so that numbers which share it are within 2^64. */
#define COARSE_EXPONENT 0x7c000000u
/* High halves of powers of two. */
#define HIGH_OF_2(e) ((uint32_t)(EXPONENT_BIAS + (e)) << 20)

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

static def *
is_special(nir_builder *b, def *x)
{
   def *field = exponent_field(b, high(b, x));
   return nir_ior(b, nir_feq(b, x, nir_imm_double(b, 0.0)),
                  nir_ieq_imm(b, field, EXPONENT_SPECIAL));
}

/* ---- by powers of two into the middle of a float's exponents ---- */

/* The upper five bits of x's exponent, in place. */
static def *
coarse_exponent(nir_builder *b, def *x)
{
   return nir_iand_imm(b, high(b, x), COARSE_EXPONENT);
}

/* The power of two whose high half is `top` less a coarse exponent, which x
 * has, or half of one. Where `top` is that of 2^1023, its product with x is
 * less than 2^64 and, unless x is subnormal, not less than 1; it is not less
 * than 2^-51 unless x is zero. Zeros, infinities and NaN stay what they
 * are. */
static def *
coarse_scale(nir_builder *b, def *coarse, uint32_t top)
{
   return from_high(b, nir_isub(b, nir_imm_int(b, (int)top), coarse));
}

/* Neither zero nor infinite nor NaN; x is one of these, or from 2^-128 to
 * 2^127. The magnitude of a negative high half is taken as in
 * nir_guard_doubles.c. */
static def *
is_ordinary(nir_builder *b, def *x)
{
   def *distance = nir_iadd_imm(b, nir_iabs(b, high(b, x)), -0x38000000);
   return nir_ult(b, distance, nir_imm_int(b, 0x10000000));
}

/* 1 / d where d is in the middle of a float's exponents: nearest, or as near
 * as another double, and the nearest where d is next to a power of two. A
 * factor that is a little too large does it: 2 - 2^-52 has a reciprocal next
 * to a middle, and the step would end there. */
static def *
good_reciprocal(nir_builder *b, def *d)
{
   def *y = nir_newton_reciprocal(b, d, nir_reciprocal_seed(b, d));
   y = nir_newton_reciprocal(b, d, y);
   def *e = nir_ffma(b, nir_fneg(b, d), y, nir_imm_double(b, 1.0));
   return nir_ffma(b, nir_fmul_imm(b, y, 0x1.0000000000001p0), e, y);
}

/* n / d, with an error q of up to one last place: (n - d q) / d, which is
 * exact where it is half of a last place. */
static def *
quotient_error(nir_builder *b, def *n, def *d, def *y, def *q)
{
   def *minus_d = nir_fneg(b, d);
   def *rest = nir_ffma(b, minus_d, q, n);
   def *c = nir_fmul(b, rest, y);
   return nir_ffma(b, nir_ffma(b, minus_d, c, rest), y, c);
}

/*
 * The quotient of the scaled operands is rounded; scaled back, it may be
 * rounded again, as a subnormal. What the result then lacks, added to it with
 * one rounding, makes it right, and leaves it as it is where nothing was
 * rounded twice. An infinite result lacks NaN, of which fmin() makes some
 * number.
 *
 * The power of two goes in two steps, as it may be 2^1984.
 */
static def *
lower_div(nir_builder *b, def *n, def *d)
{
   def *coarse_n = coarse_exponent(b, n), *coarse_d = coarse_exponent(b, d);
   n = nir_fmul(b, n, coarse_scale(b, coarse_n, HIGH_OF_2(1023)));
   d = nir_fmul(b, d, coarse_scale(b, coarse_d, HIGH_OF_2(1023)));
   def *half = nir_ishr_imm(b, nir_isub(b, coarse_n, coarse_d), 1);
   def *back = from_high(b, nir_iadd_imm(b, half, HIGH_OF_2(0)));
   def *forth = coarse_scale(b, half, HIGH_OF_2(0));

   def *y = good_reciprocal(b, d);
   def *q = nir_fmul(b, n, y);
   q = nir_ffma(b, nir_ffma(b, nir_fneg(b, d), q, n), y, q);
   def *r = nir_fmul(b, nir_fmul(b, q, back), back);
   q = nir_fmul(b, nir_fmul(b, r, forth), forth);
   def *lack = nir_fmul(b, quotient_error(b, n, d, y, q), back);
   lack = nir_fmin(b, lack, nir_imm_double(b, 0x1p1000));
   r = nir_ffma(b, lack, back, r);

   /* Where an operand is zero, infinite or NaN, that has no steps. */
   def *rough = nir_fmul(b, n, nir_reciprocal_seed(b, d));
   return nir_bcsel(b, is_ordinary(b, rough), r, rough);
}

static def *
lower_rcp(nir_builder *b, def *x)
{
   return lower_div(b, nir_imm_double(b, 1.0), x);
}

/* Roots are never subnormal. That of infinity has no steps. */
static def *
lower_sqrt(nir_builder *b, def *x)
{
   def *coarse = coarse_exponent(b, x);
   def *m = nir_fmul(b, x, coarse_scale(b, coarse, HIGH_OF_2(1022)));
   def *half = nir_ushr_imm(b, coarse, 1);
   def *back = from_high(b, nir_iadd_imm(b, half, HIGH_OF_2(-511)));
   def *r = nir_fmul(b, nir_short_sqrt(b, m), back);
   return nir_bcsel(b, nir_feq(b, x, nir_imm_double(b, INFINITY)), x, r);
}

/* Of zeros and infinity the seed is the result. */
static def *
lower_rsq(nir_builder *b, def *x)
{
   def *coarse = coarse_exponent(b, x);
   def *m = nir_fmul(b, x, coarse_scale(b, coarse, HIGH_OF_2(1022)));
   def *half = nir_ushr_imm(b, coarse, 1);
   def *r =
      nir_fmul(b, nir_short_rsq(b, m), coarse_scale(b, half, HIGH_OF_2(511)));
   def *seed = nir_rsq_seed(b, m);
   return nir_bcsel(b, is_ordinary(b, seed), r, seed);
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
