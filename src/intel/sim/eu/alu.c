/* SPDX-License-Identifier: MIT */
/*
 * What each arithmetic opcode computes, for one lane, from the instruction
 * descriptions of PRM SKL vol 2a (and IVB vol 4 part 3, HSW vol 2b, BDW vol
 * 2a where they differ). Integers are computed exactly and cut by the
 * writer; floats by the host under the thread's rounding and denormal mode.
 * Above each group: the manual's formula, with s0, s1, s2 for the sources.
 */
#include "intel/sim/eu/alu.h"

#include <math.h>

typedef util_u128 eu_u128;

/* x * 1, which the compiler must leave to the host: it flushes denormals as
 * cr0 says and makes NaNs quiet. */
static inline float
canonical_f(float x)
{
   float one = 1.0f;
   __asm__("" : "+x"(one));
   return x * one;
}

static inline double
canonical_d(double x)
{
   double one = 1.0;
   __asm__("" : "+x"(one));
   return x * one;
}

/* Comparison of any class */

static bool
compare_i(enum isa_cond_mod m, eu_i128 a, eu_i128 b)
{
   switch (m) {
   case ISA_COND_MOD_Z: return a == b;
   case ISA_COND_MOD_NZ: return a != b;
   case ISA_COND_MOD_G: return a > b;
   case ISA_COND_MOD_GE: return a >= b;
   case ISA_COND_MOD_L: return a < b;
   case ISA_COND_MOD_LE: return a <= b;
   default: return false;
   }
}

/* With a NaN only "not equal" and "unordered" hold; PRM SKL vol 2a, cmp. */
static bool
compare_f(enum isa_cond_mod m, double a, double b)
{
   switch (m) {
   case ISA_COND_MOD_Z: return a == b;
   case ISA_COND_MOD_NZ: return !(a == b);
   case ISA_COND_MOD_G: return a > b;
   case ISA_COND_MOD_GE: return a >= b;
   case ISA_COND_MOD_L: return a < b;
   case ISA_COND_MOD_LE: return a <= b;
   case ISA_COND_MOD_U: return a != a || b != b;
   default: return false;
   }
}

static bool
compare(const struct eu_slow *s, enum isa_cond_mod m, const union eu_value *a,
        const union eu_value *b)
{
   if (s->cls == EU_INT)
      return compare_i(m, a->i, b->i);
   if (s->cls == EU_DF)
      return compare_f(m, a->d, b->d);
   return compare_f(m, canonical_f(a->f), canonical_f(b->f));
}

static bool
is_nan(const struct eu_slow *s, const union eu_value *v)
{
   return s->cls == EU_INT  ? false
          : s->cls == EU_DF ? v->d != v->d
                            : v->f != v->f;
}

/* A value that passes through unchanged (MOV, SEL), but for what arithmetic
 * does to denormals and signalling NaNs. */
static union eu_value
pass(const struct eu_slow *s, union eu_value v)
{
   if (s->raw)
      return v;
   if (s->cls == EU_DF)
      v.d = canonical_d(v.d);
   else if (s->cls != EU_INT)
      v.f = canonical_f(v.f);
   return v;
}

/*
 * SEL: the predicate chooses, or with a condition (.l is minimum, .ge
 * maximum) the comparison does; a NaN loses against a number.
 */
static union eu_value
select_value(const struct eu_op *op, bool selected, const union eu_value v[3])
{
   const struct eu_slow *s = op->slow;
   if (op->cmod == ISA_COND_MOD_NONE)
      return pass(s, selected ? v[0] : v[1]);
   const bool first = is_nan(s, &v[1]) || compare(s, op->cmod, &v[0], &v[1]);
   return pass(s, first ? v[0] : v[1]);
}

/* Integers --------------------------------------------------------------- */

static uint64_t
unsigned_of(const struct eu_slow *s, eu_i128 v)
{
   return (uint64_t)v & BITFIELD64_MASK(8 * isa_type_size_B(s->exec_type));
}

static unsigned
shift_count(const struct eu_slow *s, eu_i128 v)
{
   return (unsigned)v & (eu_shift_width(s) - 1);
}

static uint32_t
reverse_bits(uint32_t v)
{
   uint32_t r = 0;
   for (unsigned i = 0; i < 32; i++)
      r |= (v >> i & 1) << (31 - i);
   return r;
}

/* FBH of D: the first bit from the top that differs from the sign. */
static uint32_t
first_bit_high(eu_i128 v, bool sign)
{
   const uint32_t u = sign && v < 0 ? ~(uint32_t)v : (uint32_t)v;
   return u ? __builtin_clz(u) : ~0u;
}

/* BFE: s0 width, s1 offset, s2 value. */
static eu_i128
bit_field_extract(bool sign, uint32_t width, uint32_t offset, uint32_t v)
{
   width &= 31;
   offset &= 31;
   if (!width)
      return 0;
   if (offset + width < 32) {
      v <<= 32 - offset - width;
      return sign ? (int32_t)v >> (32 - width) : (eu_i128)(v >> (32 - width));
   }
   return sign ? (int32_t)v >> offset : (eu_i128)(v >> offset);
}

/* Division of MATH: PRM SKL vol 2a, math, "INT DIV". By zero: all ones for
 * unsigned; the largest of the dividend's sign for signed. */
static bool
int_divide(enum isa_type type, eu_i128 a, eu_i128 b, eu_i128 *q, eu_i128 *r)
{
   if (b == 0) {
      *q = type == ISA_TYPE_UD ? (eu_i128)UINT32_MAX
           : a < 0             ? INT32_MIN
                               : INT32_MAX;
      *r = *q;
   } else {
      *q = a / b;
      *r = a % b;
   }
   return true;
}

/* MACH: acc += s0 * s1[31:16] << 16; dst = acc[63:32]. */
static eu_i128
multiply_high(bool sign, union sim_acc *acc, eu_i128 a, eu_i128 b)
{
   const eu_i128 high = sign ? (int32_t)b >> 16
                             : (eu_i128)((uint32_t)b >> 16);
   acc->uq += (uint64_t)((eu_u128)(a * high) << 16);
   return sign ? acc->q >> 32 : (eu_i128)(acc->uq >> 32);
}

/* MUL: with two dword sources, some multiply by the low word of s1 only. */
static bool
takes_low_word(const struct eu_slow *s)
{
   return s->traits->mul_takes_low_word && s->src[0].size_B == 4 &&
          s->src[1].size_B == 4;
}

static eu_i128
multiply(const struct eu_slow *s, eu_i128 a, eu_i128 b)
{
   if (takes_low_word(s))
      b = (uint16_t)b;
   return (eu_i128)((eu_u128)a * (eu_u128)b);
}

bool
eu_differs_from_fast(const struct eu_op *op, const struct eu_slow *s)
{
   if (s->cls != EU_INT)
      return false;
   if (op->inst->opcode == ISA_OPCODE_MUL)
      return takes_low_word(s);
   if (s->traits->logic_negation_is_not)
      return false;
   for (unsigned i = 0; i < s->nsrc; i++)
      if (isa_opcode_info(op->inst->opcode)->is_logic &&
          (s->src[i].negate || s->src[i].abs))
         return true;
   return false;
}

static bool
alu_int(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
        const union eu_value v[3], eu_i128 *r)
{
   const struct eu_slow *s = op->slow;
   const eu_i128 a = v[0].i, b = v[1].i, c = v[2].i;
   const bool sign = eu_type_is_signed(s->src[0].type);
   union sim_acc *acc = eu_implicit_acc(t, op, lane);

   switch (op->inst->opcode) {
   case ISA_OPCODE_NOT: *r = ~a; return true;
   case ISA_OPCODE_AND: *r = a & b; return true;
   case ISA_OPCODE_OR: *r = a | b; return true;
   case ISA_OPCODE_XOR: *r = a ^ b; return true;
   case ISA_OPCODE_SHR:
      /* Of a signed source the sign, which no text says: Mesa halves signed
       * numbers so (brw_fs.cpp, lower_sub_sat), and piglit's tests of
       * subtractSaturate, written on chips, hold only then. */
      *r = (sign ? a : unsigned_of(s, a)) >> shift_count(s, b);
      return true;
   case ISA_OPCODE_ASR: *r = a >> shift_count(s, b); return true;
   case ISA_OPCODE_SHL:
      *r = (eu_i128)((eu_u128)a << shift_count(s, b));
      return true;
   case ISA_OPCODE_ADD: *r = a + b; return true;
   case ISA_OPCODE_MUL: *r = multiply(s, a, b); return true;
   case ISA_OPCODE_MAD: *r = a + multiply(s, b, c); return true;
   case ISA_OPCODE_AVG: *r = (a + b + 1) >> 1; return true;
   case ISA_OPCODE_MAC: *r = acc->q + multiply(s, a, b); return true;
   case ISA_OPCODE_MACH: *r = multiply_high(sign, acc, a, b); return true;
   /* ADDC: acc = carry; SUBB: acc = borrow. */
   case ISA_OPCODE_ADDC:
      *r = (eu_i128)(uint32_t)a + (uint32_t)b;
      acc->uq = (uint64_t)(*r >> 32) & 1;
      *r = (uint32_t)*r;
      return true;
   case ISA_OPCODE_SUBB:
      acc->uq = (uint32_t)a < (uint32_t)b;
      *r = (uint32_t)a - (uint32_t)b;
      return true;
   case ISA_OPCODE_LZD:
      *r = (uint32_t)a ? __builtin_clz((uint32_t)a) : 32;
      return true;
   case ISA_OPCODE_FBH: *r = first_bit_high(a, sign); return true;
   case ISA_OPCODE_FBL:
      *r = (uint32_t)a ? (uint32_t)__builtin_ctz((uint32_t)a) : ~0u;
      return true;
   case ISA_OPCODE_CBIT:
      *r = __builtin_popcountll(unsigned_of(s, a));
      return true;
   case ISA_OPCODE_BFREV: *r = reverse_bits((uint32_t)a); return true;
   case ISA_OPCODE_BFE:
      *r = bit_field_extract(eu_type_is_signed(s->src[2].type), (uint32_t)a,
                             (uint32_t)b, (uint32_t)c);
      return true;
   /* BFI1: a mask of s0 bits at s1. BFI2: the low bits of
    * s1, moved to where the mask s0 begins, replace those of s2 under the
    * mask (so Mesa's compiler uses it on the chips: NIR's bfi, which shifts,
    * is this instruction alone). */
   case ISA_OPCODE_BFI1:
      *r = (uint32_t)(((1ull << (a & 31)) - 1) << (b & 31));
      return true;
   case ISA_OPCODE_BFI2:
      *r = a ? (a & (b << __builtin_ctz((uint32_t)a))) | (~a & c) : c;
      return true;
   default:
      return sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                          "%s on integers is not implemented",
                          isa_opcode_info(op->inst->opcode)->name);
   }
}

/* Floats ----------------------------------------------------------------- */

/* FRC: s0 - floor(s0), in [0, 1): just below zero gives the largest float
 * below one, not one. */
static float
fraction(float a)
{
   const float f = a - eu_round_f(a, EU_ROUND_DOWN);
   return f >= 1.0f ? 0x1.fffffep-1f : f;
}

/* LRP: s0 * s1 + (1 - s0) * s2. */
static float
interpolate(float a, float b, float c)
{
   return fmaf(a, b, (1.0f - a) * c);
}

/* a + b * c of halves: exact in fixed point with 48 fraction bits, then cut
 * to a float by rounding to odd, so that the rounding to half that follows
 * is the only one that counts. */
static float
half_fma(float b, float c, float a)
{
   const float host = fmaf(b, c, a);
   if (!isfinite(b) || !isfinite(c) || !isfinite(a))
      return host;
   const eu_i128 sum = (eu_i128)((double)b * (double)c * 0x1p48) +
                       ((eu_i128)((double)a * 0x1p24) * ((eu_i128)1 << 24));
   if (sum == 0)
      return host;
   eu_u128 m = sum < 0 ? -(eu_u128)sum : (eu_u128)sum;
   int exp = -48;
   while (m >= (eu_u128)1 << 24) {
      m = m >> 1 | (m & 1);
      exp++;
   }
   const float f = ldexpf((float)(uint32_t)m, exp);
   return sum < 0 ? -f : f;
}

static bool
alu_float(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
          const union eu_value v[3], float *r)
{
   const float a = v[0].f, b = v[1].f, c = v[2].f;
   switch (op->inst->opcode) {
   case ISA_OPCODE_ADD: *r = a + b; return true;
   case ISA_OPCODE_MUL: *r = a * b; return true;
   case ISA_OPCODE_MAD:
      *r = op->slow->cls == EU_HF ? half_fma(b, c, a) : fmaf(b, c, a);
      return true;
   case ISA_OPCODE_MAC:
      *r = eu_implicit_acc(t, op, lane)->f + a * b;
      return true;
   case ISA_OPCODE_LRP: *r = interpolate(a, b, c); return true;
   case ISA_OPCODE_FRC: *r = fraction(canonical_f(a)); return true;
   case ISA_OPCODE_RNDD:
      *r = eu_round_f(canonical_f(a), EU_ROUND_DOWN);
      return true;
   case ISA_OPCODE_RNDU:
      *r = eu_round_f(canonical_f(a), EU_ROUND_UP);
      return true;
   case ISA_OPCODE_RNDE:
      *r = eu_round_f(canonical_f(a), EU_ROUND_EVEN);
      return true;
   case ISA_OPCODE_RNDZ:
      *r = eu_round_f(canonical_f(a), EU_ROUND_ZERO);
      return true;
   default:
      return sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                          "%s on floats is not implemented",
                          isa_opcode_info(op->inst->opcode)->name);
   }
}

static bool
alu_double(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
           const union eu_value v[3], double *r)
{
   const double a = v[0].d, b = v[1].d, c = v[2].d;
   switch (op->inst->opcode) {
   case ISA_OPCODE_ADD: *r = a + b; return true;
   case ISA_OPCODE_MUL: *r = a * b; return true;
   case ISA_OPCODE_MAD: *r = fma(b, c, a); return true;
   default:
      return sim_eu_fault(t, SIM_FAULT_ILLEGAL,
                          "%s does not exist for doubles (PRM SKL vol 2a)",
                          isa_opcode_info(op->inst->opcode)->name);
   }
}

/* Opcodes that read more than their own lane ----------------------------- */

/* Component k of the plane equation in s0: a scalar operand names its first
 * of four floats. */
static bool
plane(struct sim_eu_thread *t, const struct eu_slow *s, unsigned k, float *f)
{
   const struct eu_operand *o = &s->src[0];
   const unsigned a = o->lane_off_B[0] + 4 * k;
   if (o->where != EU_GRF || a + 4 > SIM_GRF_COUNT * SIM_GRF_B)
      return sim_eu_fault(t, SIM_FAULT_ILLEGAL,
                          "the plane equation of line "
                          "and pln must be four floats of one GRF");
   uint32_t u;
   memcpy(&u, (const uint8_t *)t->grf + a, 4);
   if (o->abs)
      u &= 0x7fffffff;
   if (o->negate)
      u ^= 0x80000000;
   *f = util_bits_float(u);
   return true;
}

/* LINE: s0.0 * s1 + s0.3. PLN: s0.0 * u + s0.1 * v + s0.3, with v in the GRF
 * after u (decode.c has laid u out). */
static bool
alu_plane(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
          float u, float *r)
{
   const struct eu_slow *s = op->slow;
   float p = 0, q = 0, w = 0;
   if (!plane(t, s, 0, &p) || !plane(t, s, 1, &q) || !plane(t, s, 3, &w))
      return false;
   if (op->inst->opcode == ISA_OPCODE_LINE) {
      *r = fmaf(p, u, w);
      return true;
   }
   if (s->src[1].where != EU_GRF)
      return sim_eu_fault(t, SIM_FAULT_ILLEGAL,
                          "the coordinates of pln must be in the GRF");
   float v;
   memcpy(&v,
          (const uint8_t *)t->grf + s->src[1].lane_off_B[lane] + SIM_GRF_B,
          4);
   if (s->src[1].abs)
      v = fabsf(v);
   if (s->src[1].negate)
      v = -v;
   *r = fmaf(p, u, fmaf(q, v, w));
   return true;
}

/* DP2, DP3, DP4: sum of products over each four channels; DPH: s0.w is 1. */
static bool
alu_dot(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
        float *r)
{
   const enum isa_opcode o = op->inst->opcode;
   const unsigned n = o == ISA_OPCODE_DP2 ? 2 : o == ISA_OPCODE_DP3 ? 3 : 4;
   const unsigned first = lane & ~3u;
   float sum = 0;
   for (unsigned i = 0; i < n; i++) {
      union eu_value a, b;
      if (!eu_fetch(t, op->slow, 0, first + i, true, &a) ||
          !eu_fetch(t, op->slow, 1, first + i, true, &b))
         return false;
      if (o == ISA_OPCODE_DPH && i == 3)
         a.f = 1;
      sum = i ? fmaf(a.f, b.f, sum) : a.f * b.f;
   }
   *r = sum;
   return true;
}

/* SAD2: |s0.x - s1.x| + |s0.y - s1.y| of each two channels; SADA2 adds the
 * accumulator. */
static bool
alu_sad(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
        eu_i128 *r)
{
   eu_i128 sum = 0;
   for (unsigned i = 0; i < 2; i++) {
      union eu_value a, b;
      if (!eu_fetch(t, op->slow, 0, (lane & ~1u) + i, true, &a) ||
          !eu_fetch(t, op->slow, 1, (lane & ~1u) + i, true, &b))
         return false;
      sum += a.i > b.i ? a.i - b.i : b.i - a.i;
   }
   if (op->inst->opcode == ISA_OPCODE_SADA2)
      sum += eu_implicit_acc(t, op, lane)->q;
   *r = sum;
   return true;
}

static bool
alu_math(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
         const union eu_value v[3], union eu_value *r)
{
   const struct eu_slow *s = op->slow;
   const enum isa_math f = op->inst->math_function;
   eu_i128 quotient, remainder;

   switch (f) {
   case ISA_MATH_INT_DIV_QUOTIENT:
   case ISA_MATH_INT_DIV_REMAINDER:
   case ISA_MATH_INT_DIV_BOTH:
      if (s->cls != EU_INT)
         return sim_eu_fault(t, SIM_FAULT_ILLEGAL,
                             "integer division of "
                             "floats (PRM SKL vol 2a, math)");
      int_divide(s->src[0].type, v[0].i, v[1].i, &quotient, &remainder);
      r->i = f == ISA_MATH_INT_DIV_REMAINDER ? remainder : quotient;
      if (f == ISA_MATH_INT_DIV_BOTH) {
         /* The remainder goes to the register after the quotients. */
         const unsigned a = s->dst.lane_off_B[lane] +
                            (op->exec_size > 8 ? 2 : 1) * SIM_GRF_B;
         if (s->dst.where != EU_GRF || a + 4 > SIM_GRF_COUNT * SIM_GRF_B)
            return sim_eu_fault(t, SIM_FAULT_RANGE,
                                "no register for the remainder");
         memcpy((uint8_t *)t->grf + a, &remainder, 4);
      }
      return true;
   case ISA_MATH_NONE:
      return sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                          "math.%s is not implemented", isa_math_name(f));
   default:
      if (s->cls != EU_F && s->cls != EU_HF)
         return sim_eu_fault(t, SIM_FAULT_ILLEGAL,
                             "math.%s on a type other "
                             "than f and hf (PRM SKL vol 2a, math)",
                             isa_math_name(f));
      r->f = (s->cls == EU_F && eu_is_alt(t) ? eu_alt_math : eu_math_f)(
         f, canonical_f(v[0].f), canonical_f(v[1].f));
      r->f = canonical_f(r->f);
      return true;
   }
}

bool
eu_generic_supports(const struct isa_inst *inst)
{
   const struct isa_opcode_info *info = isa_opcode_info(inst->opcode);
   switch (inst->opcode) {
   case ISA_OPCODE_MOVI:
   case ISA_OPCODE_SMOV:
   case ISA_OPCODE_MADM: return false;
   default:
      return !info->is_flow && !info->is_send &&
             info->format != ISA_FORMAT_NONE &&
             inst->opcode != ISA_OPCODE_WAIT;
   }
}

bool
eu_alu(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
       bool selected, const union eu_value v[3], union eu_value *r,
       bool *truth)
{
   const struct eu_slow *s = op->slow;
   switch (op->inst->opcode) {
   case ISA_OPCODE_MOV:
   case ISA_OPCODE_DIM:
   case ISA_OPCODE_F32TO16:
   case ISA_OPCODE_F16TO32: *r = pass(s, v[0]); return true;
   case ISA_OPCODE_SEL: *r = select_value(op, selected, v); return true;
   /* CSEL: s2 compared with zero chooses between s0 and s1. */
   case ISA_OPCODE_CSEL:
      *r = pass(s, compare_f(op->cmod, canonical_f(v[2].f), 0) ? v[0] : v[1]);
      return true;
   case ISA_OPCODE_CMP:
      *truth = compare(s, op->cmod, &v[0], &v[1]);
      return true;
   /* CMPN: a NaN in s1 counts as true, so that SEL then takes s0. */
   case ISA_OPCODE_CMPN:
      *truth = is_nan(s, &v[1]) || compare(s, op->cmod, &v[0], &v[1]);
      return true;
   case ISA_OPCODE_MATH: return alu_math(t, op, lane, v, r);
   case ISA_OPCODE_LINE:
   case ISA_OPCODE_PLN: return alu_plane(t, op, lane, v[1].f, &r->f);
   case ISA_OPCODE_DP2:
   case ISA_OPCODE_DP3:
   case ISA_OPCODE_DP4:
   case ISA_OPCODE_DPH: return alu_dot(t, op, lane, &r->f);
   case ISA_OPCODE_SAD2:
   case ISA_OPCODE_SADA2: return alu_sad(t, op, lane, &r->i);
   default: break;
   }
   if (s->cls == EU_INT)
      return alu_int(t, op, lane, v, &r->i);
   if (s->cls == EU_DF)
      return alu_double(t, op, lane, v, &r->d);
   return alu_float(t, op, lane, v, &r->f);
}
