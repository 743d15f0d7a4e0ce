/* SPDX-License-Identifier: MIT */
/*
 * The extended math functions. The hardware promises a few units in the last
 * place (PRM SKL vol 2a, math, "Precision"); here each result is the host's,
 * which is closer. Special values as in the tables of that section.
 */
#include "intel/sim/eu/alu.h"

#include <float.h>
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

/* Macros --------------------------------------------------------------- */

#define EXTRA_BITS 3
#define QUAD_BITS 113

typedef __float128 quad;

/* A number near [0.5, 1), zero, or none; times two to the power of e. */
struct wide {
   quad m;
   int e;
};

/* Of the type that is computed with. */
struct format {
   int max_exp, min_exp; /* of normal numbers, with a fraction as above */
   int bits;
};

static struct format
format_of(const struct eu_op *op)
{
   static const struct format df = { DBL_MAX_EXP, DBL_MIN_EXP, DBL_MANT_DIG };
   static const struct format f = { FLT_MAX_EXP, FLT_MIN_EXP, FLT_MANT_DIG };
   return op->slow->cls == EU_DF ? df : f;
}

static bool
is_number(quad m)
{
   return isfinite((double)m);
}

/* 2^e beyond a double's range, too. */
static quad
power_of_two(int e)
{
   return (quad)ldexp(1, e / 2) * (quad)ldexp(1, e - e / 2);
}

static struct wide
normalise(quad m, int e)
{
   int shift = 0;
   frexp((double)m, &shift);
   if (m == 0 || !is_number(m))
      return (struct wide) { m, 0 };
   return (struct wide) { m * power_of_two(-shift), e + shift };
}

static bool
load(struct sim_eu_thread *t, const struct eu_op *op, unsigned src,
     unsigned lane, struct wide *w)
{
   const struct isa_operand *o = &op->inst->src[src];
   union eu_value v;
   if (!eu_fetch(t, op->slow, src, lane, true, &v))
      return false;
   *w = normalise(op->slow->cls == EU_DF ? v.d : (double)v.f, 0);
   if (o->mme != ISA_NO_MME && w->m != 0) {
      const struct sim_mme *mme = &t->mme[o->mme & 7][lane & 15];
      w->e += mme->exponent;
      /* The rest has the sign of what it is the rest of. */
      w->m += w->m < 0 ? -(quad)mme->rest : (quad)mme->rest;
   }
   return true;
}

/* To so many bits, as the host rounds now. */
static quad
rounded(quad m, int bits)
{
   const quad unit = 3 * (quad)ldexp(1, QUAD_BITS - 2 - bits);
   return m < 0 ? (m - unit) + unit : (m + unit) - unit;
}

static uint64_t
bits_of(struct sim_eu_thread *t, const struct eu_op *op, quad value)
{
   union eu_value v = { 0 };
   struct eu_condition c;
   if (op->slow->cls == EU_DF)
      v.d = (double)value;
   else
      v.f = (float)value;
   return eu_finish(t, op, v, &c);
}

/* With `final` the register alone has the value, whatever is named. */
static bool
store(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
      struct wide w, bool final)
{
   const struct format f = format_of(op);
   const uint8_t mme = op->inst->dst.mme;
   struct sim_mme rest = { 0 };
   if (mme != ISA_NO_MME && !final && w.m != 0 && is_number(w.m)) {
      w.m = rounded(w.m, f.bits + EXTRA_BITS);
      const quad kept = f.bits == DBL_MANT_DIG ? (quad)(double)w.m
                                               : (quad)(float)w.m;
      const quad lost = w.m - kept;
      rest.rest = (float)(kept < 0 ? -lost : lost);
      w.m = kept;
      if (w.e <= f.min_exp || w.e >= f.max_exp) {
         rest.exponent = (int16_t)w.e;
         w.e = 0;
      }
   }
   if (mme != ISA_NO_MME)
      t->mme[mme & 7][lane & 15] = rest;
   const quad value = w.m * power_of_two(w.e);
   return eu_write(t, op->slow, lane, bits_of(t, op, value), NULL);
}

/* By a power of two that leaves it far enough below any bit that counts. */
static quad
moved(quad m, int shift)
{
   return m * (quad)ldexp(1, MAX2(shift, -300));
}

/* s0 + s1 s2: what is smaller is moved to the other's exponent. */
static struct wide
multiply_add(const struct wide s[3])
{
   const int product = s[1].e + s[2].e;
   const quad p = s[1].m * s[2].m;
   if (s[0].m == 0 || !is_number(s[0].m) || !is_number(p))
      return normalise(p + s[0].m, product);
   if (p == 0)
      return s[0];
   if (product > s[0].e)
      return normalise(p + moved(s[0].m, s[0].e - product), product);
   return normalise(moved(p, product - s[0].e) + s[0].m, s[0].e);
}

static bool
is_normal(const struct eu_op *op, struct wide w)
{
   return w.m != 0 && is_number(w.m) && w.e >= format_of(op).min_exp;
}

/* Whether a quotient of these operands, and what comes before it, is far from
 * the ends of the range. */
static bool
divides_in_steps(const struct eu_op *op, struct wide a, struct wide b)
{
   const struct format f = format_of(op);
   const int e = a.e - b.e;
   return is_normal(op, a) && is_normal(op, b) && e < f.max_exp - 2 &&
          e > f.min_exp + 2;
}

/* 1 / m and 1 / sqrt(m) to 24 bits. */
static struct wide
approximation(double value, int e)
{
   return normalise((float)value, e);
}

static struct wide
begin_division(const struct eu_op *op, struct wide a, struct wide b,
               bool *out)
{
   *out = !divides_in_steps(op, a, b);
   if (!*out)
      return approximation(1 / (double)b.m, -b.e);
   const double x = ldexp((double)a.m, a.e), y = ldexp((double)b.m, b.e);
   return normalise(
      op->slow->cls == EU_DF ? x / y : (double)((float)x / (float)y), 0);
}

static struct wide
begin_root(const struct eu_op *op, struct wide a, bool *out)
{
   *out = !is_normal(op, a) || a.m < 0;
   if (!*out) {
      const int odd = a.e % 2 != 0;
      return approximation(1 / sqrt(ldexp((double)a.m, odd)),
                           -(a.e - odd) / 2);
   }
   const double x = ldexp((double)a.m, a.e);
   return normalise(
      op->slow->cls == EU_DF ? sqrt(x) : (double)sqrtf((float)x), 0);
}

/* In *out, whether it is the result already. */
static struct wide
step(const struct eu_op *op, const struct wide s[3], bool *out)
{
   *out = false;
   if (op->inst->opcode == ISA_OPCODE_MADM)
      return multiply_add(s);
   return op->inst->math_function == ISA_MATH_INVM
             ? begin_division(op, s[0], s[1], out)
             : begin_root(op, s[0], out);
}

static bool
run_lane(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
         bool *out)
{
   struct wide s[3] = { 0 };
   for (unsigned i = 0; i < op->slow->nsrc; i++) {
      if (!load(t, op, i, lane, &s[i]))
         return false;
   }
   const struct wide w = step(op, s, out);
   return store(t, op, lane, w, *out);
}

const struct eu_op *
eu_macro(struct sim_eu_thread *t, const struct eu_op *op)
{
   const uint32_t active = op->flags & EU_NO_MASK ? ~0u
                                                  : t->active >> op->group;
   const uint32_t predicate = op->flags & EU_PRED ? eu_predicate(t, op) : ~0u;
   const uint32_t enabled = active & predicate & op->lanes;
   uint32_t early_out = 0;
   t->ip_B = op->ip_B;
   eu_use_fp(t, op->slow->cls == EU_DF ? EU_FP_DF : EU_FP_F);
   for (unsigned lane = 0; lane < op->exec_size; lane++) {
      bool out = false;
      if ((enabled >> lane & 1) && !run_lane(t, op, lane, &out)) {
         t->status = SIM_EU_FAULT;
         return NULL;
      }
      early_out |= (uint32_t)out << lane;
   }
   if (op->inst->opcode == ISA_OPCODE_MATH)
      eu_set_flags(t, op, enabled, early_out);
   return op + 1;
}
