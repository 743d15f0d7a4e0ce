/* SPDX-License-Identifier: MIT */
/*
 * Quotients, roots and remainders of doubles whose exponents a float has: a
 * seed of the 32-bit unit, Newton's or Goldschmidt's steps, and the
 * remainder, which says what the last bit is. docs/fp64.rst proves them.
 */
#include "nir_doubles_private.h"

typedef nir_value def;

/* More than the root of any number's reciprocal. */
#define MAX_ROOT 0x1p64f

/* Adding it leaves no bits below the point. */
#define MAGIC 0x1.8p52

def *
nir_newton_reciprocal(nir_builder *b, def *d, def *y)
{
   def *e = nir_ffma(b, nir_fneg(b, d), y, nir_imm_double(b, 1.0));
   return nir_ffma(b, y, e, y);
}

def *
nir_reciprocal_seed(nir_builder *b, def *d)
{
   return nir_f2f64(b, nir_frcp(b, nir_f2f32(b, d)));
}

def *
nir_short_div(nir_builder *b, def *n, def *d)
{
   def *y = nir_newton_reciprocal(
      b, d, nir_newton_reciprocal(b, d, nir_reciprocal_seed(b, d)));
   def *q = nir_fmul(b, n, y);
   def *rest = nir_ffma(b, nir_fneg(b, d), q, n);
   return nir_ffma(b, rest, y, q);
}

def *
nir_short_sqrt(nir_builder *b, def *x)
{
   def *half = nir_imm_double(b, 0.5);
   /* Finite for zeros, and then all that follows is that zero. Of a negative
    * number it is NaN, as is all that follows. */
   def *f = nir_f2f32(b, x);
   def *seed = nir_bcsel(b, nir_feq(b, f, nir_imm_float(b, 0.0f)),
                         nir_imm_float(b, MAX_ROOT), nir_frsq(b, f));
   def *y = nir_f2f64(b, seed);
   def *g = nir_fmul(b, x, y), *h = nir_fmul(b, y, half);
   def *e = nir_ffma(b, nir_fneg(b, h), g, half);
   g = nir_ffma(b, g, e, g);
   h = nir_ffma(b, h, e, h);
   e = nir_ffma(b, nir_fneg(b, h), g, half);
   g = nir_ffma(b, g, e, g);
   h = nir_ffma(b, h, e, h);
   return nir_ffma(b, nir_ffma(b, nir_fneg(b, g), g, x), h, g);
}

def *
nir_rsq_seed(nir_builder *b, def *x)
{
   return nir_f2f64(b, nir_frsq(b, nir_f2f32(b, x)));
}

def *
nir_short_rsq(nir_builder *b, def *x)
{
   def *half = nir_imm_double(b, 0.5), *one = nir_imm_double(b, 1.0);
   def *y = nir_rsq_seed(b, x);
   def *t = nir_fmul(b, x, y);
   def *e = nir_ffma(b, nir_fneg(b, t), y, one);
   y = nir_ffma(b, nir_fmul(b, y, half), e, y);
   /* The second time with what the product has lost. */
   t = nir_fmul(b, x, y);
   def *lost = nir_ffma(b, x, y, nir_fneg(b, t));
   e = nir_ffma(b, nir_fneg(b, t), y, one);
   e = nir_ffma(b, nir_fneg(b, lost), y, e);
   return nir_ffma(b, nir_fmul(b, y, half), e, y);
}

/* x - k y, where k is the integer below x / y: first the nearest to that, or
 * nearly so; then the remainder's sign tells. */
def *
nir_short_mod(nir_builder *b, def *x, def *y, def **quotient)
{
   def *q =
      nir_fmul(b, x, nir_newton_reciprocal(b, y, nir_reciprocal_seed(b, y)));
   def *magic = nir_imm_double(b, MAGIC);
   def *k = nir_fadd(b, nir_fadd(b, q, magic), nir_fneg(b, magic));
   def *rest = nir_ffma(b, nir_fneg(b, k), y, x);
   def *below = nir_flt(b, nir_fmul(b, rest, y), nir_imm_double(b, 0.0));
   k = nir_bcsel(b, below, nir_fadd_imm(b, k, -1.0), k);
   *quotient = q;
   return nir_ffma(b, nir_fneg(b, k), y, x);
}
