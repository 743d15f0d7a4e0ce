/* SPDX-License-Identifier: MIT */
/*
 * The extended math functions. The hardware promises a few units in the last
 * place (PRM SKL vol 2a, math, "Precision"); here each result is the host's,
 * which is closer. Special values as in the tables of that section.
 */
#include "intel/sim/eu/eu_private.h"

#include <math.h>

/* 0^0 is NaN, as of exp2(b * log2(a)): drivers have assembly programs, in
 * which it is 1, run in the alternate mode for that reason alone. */
static float
power(float a, float b)
{
   return a == 0 && b == 0 ? NAN : powf(a, b);
}

float
eu_math_f(enum isa_math f, float a, float b)
{
   switch (f) {
   case ISA_MATH_INV: return 1.0f / a;
   case ISA_MATH_LOG: return log2f(a);
   case ISA_MATH_EXP: return exp2f(a);
   case ISA_MATH_SQRT: return sqrtf(a);
   /* In double, so that only one rounding shows. */
   case ISA_MATH_RSQ: return (float)(1.0 / sqrt((double)a));
   case ISA_MATH_SIN: return sinf(a);
   case ISA_MATH_COS: return cosf(a);
   case ISA_MATH_FDIV: return a / b;
   case ISA_MATH_POW: return power(fabsf(a), b);
   default: unreachable("not a float function");
   }
}
