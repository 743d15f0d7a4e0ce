/* SPDX-License-Identifier: MIT */
/*
 * Inverse trigonometric and hyperbolic functions from what NIR has.
 *
 * atan on [0, 1] is x * p(x*x); the coefficients are those of Abramowitz and
 * Stegun, "Handbook of Mathematical Functions", 4.4.49 (|error| <= 2e-8).
 * asin and acos on [0, 1] use 4.4.46: acos x = sqrt(1 - x) * p(x), |error|
 * <= 2e-8 absolute; near zero, where asin needs a small relative error,
 * its Taylor series. Vulkan's precision (appendix on SPIR-V, "Precision of
 * Core Functions") is 4096 ULP for atan and inherits for asin and acos.
 */
#include <math.h>
#include "compiler/spirv/spirv_private.h"
#include "compiler/spirv/spirv_trig.h"

static nir_value *
constant(nir_builder *b, const nir_value *like, double v)
{
   nir_const_value values[NIR_MAX_VEC_COMPONENTS];

   for (unsigned i = 0; i < like->num_components; i++)
      values[i] = nir_const_value_for_float(v, like->bit_size);
   return nir_build_imm(b, like->num_components, like->bit_size, values);
}

/* coeffs[0] + x * (coeffs[1] + x * (...)) */
static nir_value *
polynomial(nir_builder *b, nir_value *x, const double *coeffs, unsigned n)
{
   nir_value *r = constant(b, x, coeffs[n - 1]);

   for (unsigned i = n - 1; i-- > 0;)
      r = nir_fadd(b, nir_fmul(b, r, x), constant(b, x, coeffs[i]));
   return r;
}

static nir_value *
with_sign_of(nir_builder *b, nir_value *magnitude, nir_value *x)
{
   nir_value *negative = nir_flt(b, x, constant(b, x, 0.0));
   return nir_bcsel(b, negative, nir_fneg(b, magnitude), magnitude);
}

nir_value *
spv_build_atan(nir_builder *b, nir_value *x)
{
   static const double p[] = { 1.0,           -0.3333314528, 0.1999355085,
                               -0.1420889944, 0.1065626393,  -0.0752896400,
                               0.0429096138,  -0.0161657367, 0.0028662257 };
   nir_value *a = nir_fabs(b, x), *one = constant(b, x, 1.0);
   nir_value *big = nir_flt(b, one, a);
   nir_value *t = nir_bcsel(b, big, nir_frcp(b, a), a);
   nir_value *r =
      nir_fmul(b, t, polynomial(b, nir_fmul(b, t, t), p, ARRAY_SIZE(p)));

   r = nir_bcsel(b, big, nir_fsub(b, constant(b, x, M_PI_2), r), r);
   return with_sign_of(b, r, x);
}

nir_value *
spv_build_atan2(nir_builder *b, nir_value *y, nir_value *x)
{
   nir_value *zero = constant(b, x, 0.0), *pi = constant(b, x, M_PI);
   nir_value *ax = nir_fabs(b, x), *ay = nir_fabs(b, y);
   nir_value *hi = nir_fmax(b, ax, ay), *lo = nir_fmin(b, ax, ay);
   /* Scaled, since the reciprocal of a huge number is a subnormal. */
   nir_value *huge =
      nir_fge(b, hi, constant(b, x, x->bit_size == 16 ? 1024.0 : 1e18));
   nir_value *scale =
      nir_bcsel(b, huge, constant(b, x, 0.0009765625), constant(b, x, 1.0));
   nir_value *q, *r;

   hi = nir_fmul(b, hi, scale);
   lo = nir_fmul(b, lo, scale);
   q = nir_fmul(b, lo, nir_frcp(b, hi));
   /* Equal: 1 also for infinities; both zero: 0. */
   q = nir_bcsel(b, nir_feq(b, ax, ay), constant(b, x, 1.0), q);
   q = nir_bcsel(b, nir_feq(b, hi, zero), zero, q);
   r = spv_build_atan(b, q);
   r = nir_bcsel(b, nir_flt(b, ax, ay),
                 nir_fsub(b, constant(b, x, M_PI_2), r), r);
   r = nir_bcsel(b, nir_flt(b, x, zero), nir_fsub(b, pi, r), r);
   return with_sign_of(b, r, y);
}

static nir_value *
acos_of_positive(nir_builder *b, nir_value *a)
{
   static const double p[] = { 1.5707963050,  -0.2145988016, 0.0889789874,
                               -0.0501743046, 0.0308918810,  -0.0170881256,
                               0.0066700901,  -0.0012624911 };
   nir_value *root = nir_fsqrt(b, nir_fsub(b, constant(b, a, 1.0), a));
   return nir_fmul(b, root, polynomial(b, a, p, ARRAY_SIZE(p)));
}

nir_value *
spv_build_asin(nir_builder *b, nir_value *x)
{
   static const double series[] = { 1.0,        1.0 / 6,      3.0 / 40,
                                    15.0 / 336, 105.0 / 3456, 945.0 / 42240 };
   nir_value *a = nir_fabs(b, x);
   nir_value *small = nir_fmul(
      b, a, polynomial(b, nir_fmul(b, a, a), series, ARRAY_SIZE(series)));
   nir_value *large =
      nir_fsub(b, constant(b, x, M_PI_2), acos_of_positive(b, a));
   nir_value *r =
      nir_bcsel(b, nir_flt(b, a, constant(b, x, 0.25)), small, large);
   return with_sign_of(b, r, x);
}

nir_value *
spv_build_acos(nir_builder *b, nir_value *x)
{
   nir_value *r = acos_of_positive(b, nir_fabs(b, x));

   return nir_bcsel(b, nir_flt(b, x, constant(b, x, 0.0)),
                    nir_fsub(b, constant(b, x, M_PI), r), r);
}

nir_value *
spv_build_exp(nir_builder *b, nir_value *x)
{
   return nir_fexp2(b, nir_fmul(b, x, constant(b, x, M_LOG2E)));
}

nir_value *
spv_build_log(nir_builder *b, nir_value *x)
{
   return nir_fmul(b, nir_flog2(b, x), constant(b, x, M_LN2));
}

nir_value *
spv_build_sinh(nir_builder *b, nir_value *x)
{
   static const double series[] = { 1.0, 1.0 / 6, 1.0 / 120, 1.0 / 5040 };
   nir_value *a = nir_fabs(b, x), *x2 = nir_fmul(b, x, x);
   nir_value *small =
      nir_fmul(b, x, polynomial(b, x2, series, ARRAY_SIZE(series)));
   nir_value *half = constant(b, x, 0.5);
   nir_value *e = nir_fmul(b, half,
                           nir_fsub(b, spv_build_exp(b, x),
                                    spv_build_exp(b, nir_fneg(b, x))));
   return nir_bcsel(b, nir_flt(b, a, half), small, e);
}

nir_value *
spv_build_cosh(nir_builder *b, nir_value *x)
{
   return nir_fmul(b, constant(b, x, 0.5),
                   nir_fadd(b, spv_build_exp(b, x),
                            spv_build_exp(b, nir_fneg(b, x))));
}

nir_value *
spv_build_tanh(nir_builder *b, nir_value *x)
{
   static const double series[] = { 1.0, -1.0 / 3, 2.0 / 15, -17.0 / 315,
                                    62.0 / 2835 };
   nir_value *a = nir_fabs(b, x), *one = constant(b, x, 1.0);
   nir_value *small = nir_fmul(
      b, x, polynomial(b, nir_fmul(b, x, x), series, ARRAY_SIZE(series)));
   /* 1 - 2 / (e^2a + 1): does not overflow to NaN. */
   nir_value *e = spv_build_exp(b, nir_fadd(b, a, a));
   nir_value *t = nir_fsub(b, one,
                           nir_fmul(b, constant(b, x, 2.0),
                                    nir_frcp(b, nir_fadd(b, e, one))));
   return nir_bcsel(b, nir_flt(b, a, constant(b, x, 0.25)), small,
                    with_sign_of(b, t, x));
}

nir_value *
spv_build_asinh(nir_builder *b, nir_value *x)
{
   static const double series[] = { 1.0, -1.0 / 6, 3.0 / 40, -15.0 / 336,
                                    105.0 / 3456 };
   nir_value *a = nir_fabs(b, x), *x2 = nir_fmul(b, x, x);
   nir_value *small =
      nir_fmul(b, x, polynomial(b, x2, series, ARRAY_SIZE(series)));
   nir_value *root = nir_fsqrt(b, nir_fadd(b, x2, constant(b, x, 1.0)));
   nir_value *l = spv_build_log(b, nir_fadd(b, a, root));
   return nir_bcsel(b, nir_flt(b, a, constant(b, x, 0.25)), small,
                    with_sign_of(b, l, x));
}

nir_value *
spv_build_acosh(nir_builder *b, nir_value *x)
{
   nir_value *one = constant(b, x, 1.0);
   nir_value *root = nir_fsqrt(b, nir_fsub(b, nir_fmul(b, x, x), one));
   return spv_build_log(b, nir_fadd(b, x, root));
}

nir_value *
spv_build_atanh(nir_builder *b, nir_value *x)
{
   static const double series[] = { 1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9 };
   nir_value *one = constant(b, x, 1.0);
   nir_value *small = nir_fmul(
      b, x, polynomial(b, nir_fmul(b, x, x), series, ARRAY_SIZE(series)));
   nir_value *q =
      nir_fmul(b, nir_fadd(b, one, x), nir_frcp(b, nir_fsub(b, one, x)));
   nir_value *l = nir_fmul(b, constant(b, x, 0.5), spv_build_log(b, q));
   return nir_bcsel(b, nir_flt(b, nir_fabs(b, x), constant(b, x, 0.25)),
                    small, l);
}
