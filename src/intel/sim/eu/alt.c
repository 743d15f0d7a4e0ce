/* SPDX-License-Identifier: MIT */
/*
 * The alternate floating-point mode (cr0.0 bit 0; PRM IVB vol 4 part 3 and
 * SKL vol 7, "Floating Point Modes"), which state packets select for a
 * stage. Drivers use it for programs of the time before IEEE arithmetic:
 * there are no infinities and no NaNs, what would be one is the largest
 * number of its sign, denormals are zero, and square roots and logarithms
 * are those of the absolute value. So 0^0 = exp2(0 * log2(0)) is 1 here,
 * which assembly programs of OpenGL want, and NaN otherwise.
 *
 * The mode concerns 32-bit floats; raw moves copy what they find.
 *
 * generic.c does it right (it limits sources and results). Fast bodies know
 * nothing of it, but as long as nothing infinite comes out they agree: so an
 * instruction runs in its fast body, and is taken back and repeated by
 * eu_generic() if one of its results is infinite or NaN.
 */
#include "intel/sim/eu/eu_private.h"

#include <math.h>

#define EXPONENT 0x7f800000u
#define LARGEST 0x7f7fffffu

float
eu_alt_limit(float f)
{
   const uint32_t u = util_float_bits(f);
   return (u & EXPONENT) == EXPONENT
             ? util_bits_float((u & 0x80000000) | LARGEST)
             : f;
}

/* a and b are limited. No case gives NaN but the quotient of zeros, which is
 * the product of zero and the limited reciprocal. */
float
eu_alt_math(enum isa_math f, float a, float b)
{
   switch (f) {
   case ISA_MATH_LOG:
   case ISA_MATH_SQRT:
   case ISA_MATH_RSQ: return eu_alt_limit(eu_math_f(f, fabsf(a), b));
   case ISA_MATH_FDIV: return a == 0 && b == 0 ? a * b : eu_alt_limit(a / b);
   case ISA_MATH_POW: return b == 0 ? 1.0f : eu_alt_limit(eu_math_f(f, a, b));
   default: return eu_alt_limit(eu_math_f(f, a, b));
   }
}

/* Comparisons and conversions to integers show nothing infinite, nor do
 * saturated results. */
static bool
shows_infinity(const struct eu_op *op)
{
   const struct eu_slow *s = op->slow;
   return op->fn != eu_generic && !(op->flags & EU_SAT) &&
          s->dst.where == EU_GRF && s->dst.type == ISA_TYPE_F &&
          op->inst->opcode != ISA_OPCODE_CMP &&
          op->inst->opcode != ISA_OPCODE_CMPN;
}

static bool
any_infinite(const struct sim_eu_thread *t, const struct eu_op *op)
{
   for (unsigned i = 0; i < op->exec_size; i++) {
      uint32_t u;
      memcpy(&u, (const uint8_t *)t->grf + op->slow->dst.lane_off_B[i], 4);
      if ((u & EXPONENT) == EXPONENT)
         return true;
   }
   return false;
}

const struct eu_op *
eu_alt(struct sim_eu_thread *t, const struct eu_op *op)
{
   if (!op->has_slow || op->slow->cls != EU_F || op->slow->raw)
      return op->fn(t, op);
   if (!shows_infinity(op))
      return eu_generic(t, op);
   const struct eu_operand *dst = &op->slow->dst;
   uint8_t *at = (uint8_t *)t->grf + dst->lane_off_B[0], before[256];
   const unsigned size_B = dst->lane_off_B[op->exec_size - 1] -
                           dst->lane_off_B[0] + 4;
   const uint32_t flags[2] = { t->flag[0], t->flag[1] };
   memcpy(before, at, MIN2(size_B, sizeof(before)));
   const struct eu_op *next = op->fn(t, op);
   if (!any_infinite(t, op))
      return next;
   memcpy(at, before, MIN2(size_B, sizeof(before)));
   memcpy(t->flag, flags, sizeof(flags));
   return eu_generic(t, op);
}
