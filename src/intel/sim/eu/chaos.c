/* SPDX-License-Identifier: MIT */
/* What chaos (chaos/chaos.h) does to threads. */
#include "eu_private.h"

#include <math.h>

#include "intel/sim/chaos/chaos.h"

void
eu_chaos_thread(struct sim_chaos *c, struct sim_eu_thread *t)
{
   sim_chaos_poison(c, t->grf, SIM_GRF_COUNT * SIM_GRF_B);
   sim_chaos_poison(c, t->acc, sizeof(t->acc));
   sim_chaos_poison(c, t->address, sizeof(t->address));
   sim_chaos_poison(c, t->flag, sizeof(t->flag));
}

/*
 * Extended math
 *
 * Bounds of PRM IVB Vol. 4 Part 3, "math": INV and SQRT 1 ULP, EXP and RSQ 3
 * ULP; LOG 2^-21, absolute for results up to one, else relative; SIN and COS
 * 0.0008, of which half is taken as they stay in [-1, 1] besides. POW and
 * FDIV have none there: what their parts have. A chip computes the same of
 * the same: the error comes from the exact result.
 */

/* -1 to 1 from the bits of a result. */
static double
error_of(const struct sim_chaos *c, enum isa_math f, float exact)
{
   const uint64_t h = sim_chaos_mix(
      c->seed ^ sim_chaos_mix((uint64_t)f << 32 | util_float_bits(exact)));
   return (double)(int64_t)h * 0x1p-63;
}

static float
off_by(float exact, double ulps)
{
   const uint32_t u = util_float_bits(exact);
   const int steps = (int)rint(ulps);
   const uint32_t moved = (u & 0x7fffffff) + (uint32_t)steps;
   /* Not into zero, denormals or infinity. */
   if (moved - 0x00800000 >= 0x7f000000)
      return exact;
   return util_bits_float((u & 0x80000000) | moved);
}

static float
inexact(const struct sim_chaos *c, enum isa_math f, float r)
{
   const double e = error_of(c, f, r);
   if (r == 0 || !isfinite(r) || fabsf(r) < 0x1p-126f)
      return r;
   switch (f) {
   case ISA_MATH_INV:
   case ISA_MATH_FDIV:
   case ISA_MATH_SQRT: return off_by(r, e);
   case ISA_MATH_EXP:
   case ISA_MATH_RSQ:
   case ISA_MATH_POW: return off_by(r, 3 * e);
   case ISA_MATH_LOG:
      return (float)(fabsf(r) <= 1 ? r + e * 0x1p-21
                                   : (double)r * (1 + e * 0x1p-21));
   case ISA_MATH_SIN:
   case ISA_MATH_COS: return (float)CLAMP(r + e * 0.0004, -1.0, 1.0);
   default: return r;
   }
}

void
eu_chaos_math(const struct sim_chaos *c, struct sim_eu_thread *t,
              const struct eu_op *op)
{
   if (op->inst->opcode != ISA_OPCODE_MATH || !(c->kinds & SIM_CHAOS_MATH) ||
       !op->has_slow || op->slow->dst.where != EU_GRF ||
       op->slow->dst.type != ISA_TYPE_F || op->cmod != ISA_COND_MOD_NONE)
      return;
   for (uint32_t left = eu_exec_mask(t, op) & op->slow->lane_mask; left;) {
      const unsigned lane = (unsigned)u_bit_scan(&left);
      float *f =
         (float *)(void *)(t->grf[0].ub + op->slow->dst.lane_off_B[lane]);
      *f = inexact(c, op->inst->math_function, *f);
      if (op->flags & EU_SAT)
         *f = CLAMP(*f, 0.0f, 1.0f);
   }
}
