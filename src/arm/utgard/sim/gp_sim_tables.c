/* SPDX-License-Identifier: MIT */
/*
 * exp2, log2, rsqrt and rcp by the chosen model of their error. The real
 * accuracy is not published. The quadratic model has the shape that the
 * hardware is thought to have: range reduction, a table of 64 intervals with
 * three coefficients of 28, 22 and 16 bits after the point, truncation.
 */
#include <math.h>

#include "gp_sim_private.h"

static double
exact(enum gp_table table, double x)
{
   switch (table) {
   case GP_TABLE_EXP2: return exp2(x);
   case GP_TABLE_LOG2: return x == 0 ? -INFINITY : log2(x);
   case GP_TABLE_RSQRT:
      /* The sign of infinity for -0 is not known; IEEE 754's rSqrt (9.2.1)
       * keeps that of the zero. */
      return 1 / sqrt(x);
   case GP_TABLE_RCP: return 1 / x;
   }
   unreachable("no such table");
}

static double
truncated(double v, int bits)
{
   return ldexp(floor(ldexp(v, bits)), -bits);
}

/* The quadratic through both ends and the middle of x's interval of 64 in a
 * range that begins at `low` and is `width` wide. */
static double
quadratic(enum gp_table table, double x, double low, double width)
{
   const double h = width / 64;
   const double start = low + floor((x - low) / h) * h;
   const double f0 = exact(table, start), f1 = exact(table, start + h / 2),
                f2 = exact(table, start + h);
   const double c2 = truncated((f0 - 2 * f1 + f2) * 2 / (h * h), 16);
   const double c1 = truncated((f2 - f0) / h - c2 * h, 22);
   const double d = x - start;
   return truncated(f0, 28) + c1 * d + c2 * d * d;
}

/* Toward zero, as truncation does. */
static float
toward_zero(double v)
{
   const float f = (float)v;
   return fabs((double)f) > fabs(v) && isfinite(f) ? nextafterf(f, 0) : f;
}

/* Of a positive, finite x (any finite one for exp2). */
static double
by_quadratic(enum gp_table table, double x)
{
   int e;
   if (table == GP_TABLE_EXP2) {
      const double whole = floor(x);
      return ldexp(quadratic(table, x - whole, 0, 1), (int)whole);
   }
   /* x = m * 2^e with m in 1 to 2. */
   const double m = frexp(x, &e) * 2;
   e--;
   switch (table) {
   case GP_TABLE_LOG2: return e + quadratic(table, m, 1, 1);
   case GP_TABLE_RCP: return ldexp(quadratic(table, m, 1, 1), -e);
   default:
      return e & 1 ? ldexp(quadratic(table, 2 * m, 2, 2), -(e - 1) / 2)
                   : ldexp(quadratic(table, m, 1, 1), -e / 2);
   }
}

static bool
has_quadratic(enum gp_table table, float x)
{
   if (table == GP_TABLE_EXP2)
      return fabsf(x) < 160;
   return isfinite(x) && (table == GP_TABLE_RCP ? x != 0 : x > 0);
}

static float
one_ulp_off(float f, uint32_t argument)
{
   const uint32_t hash = (argument * 0x9e3779b1u) >> 20;
   if (!isnormal(f) || hash % 3 == 0)
      return f;
   return nextafterf(f, hash % 3 == 1 ? INFINITY : -INFINITY);
}

float
gp_sim_table(enum gp_sim_tables model, enum gp_table table, float x)
{
   const double f = exact(table, x);
   switch (model) {
   case GP_SIM_TABLES_EXACT: return (float)f;
   case GP_SIM_TABLES_ONE_ULP:
      return one_ulp_off((float)f, util_float_bits(x));
   case GP_SIM_TABLES_QUADRATIC:
      if (!has_quadratic(table, x))
         return (float)f;
      return toward_zero(table == GP_TABLE_RCP && x < 0
                            ? -by_quadratic(table, -(double)x)
                            : by_quadratic(table, x));
   }
   unreachable("no such model");
}
