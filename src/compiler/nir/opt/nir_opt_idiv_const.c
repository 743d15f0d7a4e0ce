/* SPDX-License-Identifier: MIT */
/*
 * Quotients and remainders of 32-bit integers by constants, without a
 * division.
 *
 * By a power of two they are shifts and masks. By another d they are the high
 * half of a product (Granlund and Montgomery, Division by Invariant Integers
 * using Multiplication, 1994, theorem 4.2): with
 *
 *    m = floor(2^(32 + s) / d) + 1,   m d = 2^(32 + s) + e,   0 < e <= d
 *
 * n m / 2^(32 + s) is n / d and n e / (d 2^(32 + s)) more. For 0 <= n < 2^b
 * that is less than 1 / d, too little to reach the next integer, if
 * e 2^b <= 2^(32 + s).
 *
 * Before and after: SSA, scalars or vectors.
 */
#include "nir_builder.h"

typedef nir_value def;

struct magic {
   uint32_t factor;
   unsigned shift; /* after the high half */
};

/* For dividends below 2^bits, if there is a factor of 32 bits. */
static bool
find_magic(uint32_t d, unsigned bits, struct magic *m)
{
   for (unsigned s = 0; s < 32; s++) {
      const uint64_t power = 1ull << (32 + s);
      const uint64_t factor = power / d + 1, error = factor * d - power;

      if (factor > UINT32_MAX)
         return false;
      if (error <= power >> bits) {
         *m = (struct magic) { (uint32_t)factor, s };
         return true;
      }
   }
   return false;
}

static def *
minus(nir_builder *b, def *x, def *y)
{
   return nir_iadd(b, x, nir_ineg(b, y));
}

static def *
times_high(nir_builder *b, def *n, uint32_t factor)
{
   return nir_umul_high(b, n, nir_imm_int(b, (int)factor));
}

static def *
udiv(nir_builder *b, def *n, uint32_t d)
{
   const unsigned even = (unsigned)__builtin_ctz(d);
   struct magic m;

   if (util_is_power_of_two_nonzero(d))
      return nir_ushr_imm(b, n, even);
   if (find_magic(d, 32, &m))
      return nir_ushr_imm(b, times_high(b, n, m.factor), m.shift);
   if (even && find_magic(d >> even, 32 - even, &m))
      return nir_ushr_imm(
         b, times_high(b, nir_ushr_imm(b, n, even), m.factor), m.shift);
   /* The factor has 33 bits: 2^32 and the rest. The sum of n and the high
    * half of n times the rest may have as many: half of it is taken first. */
   const unsigned s = 32 - (unsigned)__builtin_clz(d);
   const uint32_t rest = (uint32_t)((((1ull << s) - d) << 32) / d + 1);
   def *high = times_high(b, n, rest);
   def *half = nir_ushr_imm(b, minus(b, n, high), 1);
   return nir_ushr_imm(b, nir_iadd(b, half, high), s - 1);
}

static def *
magnitude_quotient(nir_builder *b, def *n, uint32_t d)
{
   def *sign = nir_ishr_imm(b, n, 31);
   struct magic m;

   if (util_is_power_of_two_nonzero(d)) {
      /* Towards zero: a negative dividend is moved up by d - 1. */
      const unsigned s = (unsigned)__builtin_ctz(d);
      def *up = nir_iand(b, sign, nir_imm_int(b, (int)(d - 1)));
      return s ? nir_ishr_imm(b, nir_iadd(b, n, up), s) : n;
   }
   /* At most 31 bits of magnitude leave e <= 2^(s + 1), which some s fulfils
    * while the factor is below 2^32. */
   if (!find_magic(d, 31, &m))
      unreachable("no factor");
   def *q = nir_imul_high(b, n, nir_imm_int(b, (int)m.factor));
   if (m.factor >> 31)
      q = nir_iadd(b, q, n);
   /* Rounded down so far. */
   return minus(b, nir_ishr_imm(b, q, m.shift), sign);
}

static def *
idiv(nir_builder *b, def *n, int32_t d)
{
   if (d == INT32_MIN)
      return nir_b2i32(b, nir_ieq_imm(b, n, INT32_MIN));
   def *q = magnitude_quotient(b, n, (uint32_t)(d < 0 ? -d : d));
   return d < 0 ? nir_ineg(b, q) : q;
}

static def *
remainder_of(nir_builder *b, def *n, def *quotient, uint32_t d)
{
   return minus(b, n, nir_imul_imm(b, quotient, d));
}

static def *
umod(nir_builder *b, def *n, uint32_t d)
{
   if (util_is_power_of_two_nonzero(d))
      return nir_iand(b, n, nir_imm_int(b, (int)(d - 1)));
   return remainder_of(b, n, udiv(b, n, d), d);
}

static def *
irem(nir_builder *b, def *n, int32_t d)
{
   /* The divisor's sign does not matter; nor has INT_MIN a magnitude. */
   if (d < 0 && d != INT32_MIN)
      d = -d;
   return remainder_of(b, n, idiv(b, n, d), (uint32_t)d);
}

/* Of the divisor's sign. */
static def *
imod(nir_builder *b, def *n, int32_t d)
{
   if (d > 0 && util_is_power_of_two_nonzero((uint32_t)d))
      return nir_iand(b, n, nir_imm_int(b, d - 1));
   def *r = irem(b, n, d);
   def *other_sign = nir_ishr_imm(b, d > 0 ? r : nir_ineg(b, r), 31);
   return nir_iadd(b, r, nir_iand(b, other_sign, nir_imm_int(b, d)));
}

static def *
divide(nir_builder *b, nir_op op, def *n, int32_t d)
{
   switch (op) {
   case nir_op_udiv: return udiv(b, n, (uint32_t)d);
   case nir_op_umod: return umod(b, n, (uint32_t)d);
   case nir_op_idiv: return idiv(b, n, d);
   case nir_op_irem: return irem(b, n, d);
   case nir_op_imod: return imod(b, n, d);
   default: unreachable("no division");
   }
}

static bool
is_division(const nir_alu_instr *alu)
{
   switch (alu->op) {
   case nir_op_udiv:
   case nir_op_umod:
   case nir_op_idiv:
   case nir_op_irem:
   case nir_op_imod: return alu->instr.result.bit_size == 32;
   default: return false;
   }
}

static bool
lower(nir_builder *b, nir_instr *instr, UNUSED void *data)
{
   nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   if (!is_division(alu) || !nir_use_is_const(alu->src[1].use))
      return false;
   const nir_const_value *by = nir_use_constant(alu->src[1].use);
   const unsigned n = alu->instr.result.num_components;
   def *quotients[NIR_MAX_VEC_COMPONENTS];

   for (unsigned c = 0; c < n; c++) {
      if (!by[alu->src[1].swizzle[c]].u32)
         return false; /* undefined: what the hardware makes of it */
   }
   b->cursor = nir_before_instr(instr);
   def *dividend = nir_operand_value(b, alu, 0);
   for (unsigned c = 0; c < n; c++)
      quotients[c] = divide(b, alu->op, nir_channel(b, dividend, c),
                            by[alu->src[1].swizzle[c]].i32);
   nir_instr_replace(&alu->instr, nir_vec(b, quotients, n));
   return true;
}

bool
nir_opt_idiv_const(nir_shader *shader)
{
   return nir_visit_instrs(
      shader, lower, nir_metadata_block_index | nir_metadata_dominance, NULL);
}
