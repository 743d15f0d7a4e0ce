/* SPDX-License-Identifier: MIT */
/*
 * Quotients of doubles by constants, correctly rounded: docs/fp64.rst has the
 * arguments.
 *
 * With the reciprocal as a sum of two doubles, y + z, two operations are
 * right for most constants: RN(n y + RN(n z)) (N. Brisebarre, J.-M. Muller,
 * S. K. Raina, "Accelerating correctly rounded floating-point division when
 * the divisor is known in advance", IEEE Trans. Computers 53 (2004)). There
 * are at most two numerators, up to powers of two, that can be wrong; they
 * are tried here.
 *
 * Else, and for numerators that are far from 1, three are right for all: q =
 * RN(n y), the remainder r = RN(n - c q), and RN(q + r y) (P. Markstein,
 * "Computation of elementary functions on the IBM RISC System/6000
 * processor", IBM J. Res. Dev. 34 (1990)).
 */
#include "nir_doubles_private.h"

#include <math.h>

typedef nir_value def;

/* Of constants: their reciprocals, by SCALE_UP or not, are normal. */
#define MAX_EXPONENT 500
#define HIDDEN_BIT (UINT64_C(1) << 52)

/* So that no remainder of small numbers is subnormal, and no quotient of
 * large ones is infinite. */
#define SCALE_UP 0x1p200
#define SCALE_DOWN 0x1p-600
/* More than any remainder; divided by any constant it is finite. */
#define MAX_REST 0x1p700
/* Half of the least double, scaled up. */
#define HALF_LEAST ldexp(SCALE_UP, -1075)

static double
constant(const nir_alu_instr *alu, unsigned c)
{
   return nir_use_constant(alu->src[1].use)[alu->src[1].swizzle[c]].f64;
}

/* f of each constant. */
static def *
each(nir_builder *b, const nir_alu_instr *alu, double (*f)(double))
{
   const unsigned n = alu->instr.result.num_components;
   nir_const_value v[NIR_MAX_VEC_COMPONENTS] = { 0 };
   for (unsigned c = 0; c < n; c++)
      v[c].f64 = f(constant(alu, c));
   return nir_build_imm(b, n, 64, v);
}

static bool
all(const nir_alu_instr *alu, bool (*f)(double))
{
   for (unsigned c = 0; c < alu->instr.result.num_components; c++) {
      if (!f(constant(alu, c)))
         return false;
   }
   return true;
}

static bool
has_exact_reciprocal(double c)
{
   int e;
   return fabs(frexp(c, &e)) == 0.5 && isfinite(1 / c);
}

static bool
is_in_range(double c)
{
   return fabs(c) >= ldexp(1, -MAX_EXPONENT) &&
          fabs(c) <= ldexp(1, MAX_EXPONENT);
}

/* Only of such is a number the product with a half of the least double. */
static bool
is_even_integer(double c)
{
   return fmod(c, 2) == 0;
}

static bool
is_no_even_integer(double c)
{
   return !is_even_integer(c);
}

static bool
is_negative(double c)
{
   return signbit(c);
}

static bool
is_positive(double c)
{
   return !signbit(c);
}

static double
reciprocal(double c)
{
   return 1 / c;
}

/* What a double lacks of 1 / c. */
static double
reciprocal_rest(double c)
{
   return -fma(reciprocal(c), c, -1) / c;
}

/* Of x 2^54 = c m, modulo 2^54, with the odd number m that is the middle of
 * two quotients, twice as large: `delta` away. */
static bool
is_right_beside_middle(uint64_t c, int delta)
{
   uint64_t inverse = c; /* of 3 bits, 6, ... */
   for (unsigned i = 0; i < 5; i++)
      inverse *= 2 - c * inverse;
   const uint64_t m = -(uint64_t)delta * inverse & ((HIDDEN_BIT << 2) - 1);
   const __int128 product = (__int128)c * m + delta;
   const double x = (double)(uint64_t)(product >> 54);
   const double y = reciprocal((double)c);
   return fma(x, y, x * reciprocal_rest((double)c)) == x / (double)c;
}

static bool
two_steps_are_right(double c)
{
   int e;
   const uint64_t s = (uint64_t)ldexp(frexp(fabs(c), &e), 53);
   return !(s & 1) ||
          (is_right_beside_middle(s, 1) && is_right_beside_middle(s, -1));
}

static double
magnitude(double c)
{
   return fabs(c);
}

static double
scaled_magnitude(double c)
{
   return fabs(c) * SCALE_UP;
}

static double
opposite_sign(double c)
{
   return signbit(c) ? 1 : -1;
}

/* What a remainder is multiplied with, its sign being n's, or the other. */
static double
step(double c)
{
   return -1 / fabs(c);
}

static double
scaled_step(double c)
{
   return step(c) / SCALE_UP;
}

static double
step_to_next(double c)
{
   return 1.5 * scaled_step(c);
}

static double
step_to_same(double c)
{
   return 0.5 * scaled_step(c);
}

static double
rest_at_tie(double c)
{
   return is_even_integer(c) ? fabs(c) * HALF_LEAST : -1;
}

def *
nir_const_product(nir_builder *b, const nir_alu_instr *alu, def *n)
{
   return nir_fmul(b, n, each(b, alu, reciprocal));
}

bool
nir_exact_quotient(nir_builder *b, nir_alu_instr *alu)
{
   if (alu->op != nir_op_fdiv || alu->instr.result.bit_size != 64 ||
       !nir_use_is_const(alu->src[1].use) || !all(alu, has_exact_reciprocal))
      return false;
   b->cursor = nir_before_instr(&alu->instr);
   b->exact = alu->exact;
   def *n = nir_mov_alu(b, alu->src[0], alu->instr.result.num_components);
   nir_instr_replace(&alu->instr, nir_const_product(b, alu, n));
   return true;
}

bool
nir_is_const_quotient(const nir_alu_instr *alu)
{
   return alu->op == nir_op_fdiv && nir_use_is_const(alu->src[1].use) &&
          all(alu, is_in_range);
}

/* n with the sign that c times the quotient does not have. */
static def *
opposite(nir_builder *b, const nir_alu_instr *alu, def *n)
{
   if (all(alu, is_negative))
      return n;
   if (all(alu, is_positive))
      return nir_fneg(b, n);
   return nir_fmul(b, n, each(b, alu, opposite_sign));
}

def *
nir_const_quotient(nir_builder *b, const nir_alu_instr *alu, def *n)
{
   def *y = each(b, alu, reciprocal);
   if (all(alu, two_steps_are_right))
      return nir_ffma(b, n, y, nir_fmul(b, n, each(b, alu, reciprocal_rest)));
   def *q = nir_fmul(b, n, y);
   def *rest = nir_ffma(b, each(b, alu, magnitude), q, opposite(b, alu, n));
   return nir_ffma(b, rest, each(b, alu, step), q);
}

/* A subnormal q, or its neighbour if it is odd and that is as near. */
static def *
choose_step(nir_builder *b, const nir_alu_instr *alu, def *q, def *rest)
{
   def *y = each(b, alu, scaled_step);
   if (all(alu, is_no_even_integer))
      return y;
   def *low = nir_unpack_64_2x32_split_x(b, q);
   def *odd = nir_ine(b, nir_iand_imm(b, low, 1), nir_imm_int(b, 0));
   def *tie = nir_feq(b, nir_fabs(b, rest), each(b, alu, rest_at_tie));
   return nir_bcsel(b, tie,
                    nir_bcsel(b, odd, each(b, alu, step_to_next),
                              each(b, alu, step_to_same)),
                    y);
}

/* Large numbers are scaled down, and their quotients up; of small ones only
 * the remainder is, so that what is rounded last is the result. */
def *
nir_any_const_quotient(nir_builder *b, const nir_alu_instr *alu, def *n)
{
   def *big = nir_flt(b, nir_imm_double(b, 1.0), nir_fabs(b, n));
   n = nir_bcsel(b, big, nir_fmul_imm(b, n, SCALE_DOWN), n);
   def *q = nir_fmul(b, n, each(b, alu, reciprocal));
   def *scaled = nir_fmul_imm(b, n, SCALE_UP);
   def *rest = nir_ffma(b, each(b, alu, scaled_magnitude), q,
                        opposite(b, alu, scaled));
   /* NaN of an infinite quotient is any number. */
   rest = nir_fmax(b, rest, nir_imm_double(b, -MAX_REST));
   def *r = nir_ffma(b, rest, choose_step(b, alu, q, rest), q);
   return nir_bcsel(b, big, nir_fmul_imm(b, r, 1 / SCALE_DOWN), r);
}
