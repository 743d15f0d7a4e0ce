/* SPDX-License-Identifier: MIT */
/*
 * ALU opcodes, and sizes of them, that a back end need not know, from those
 * that it must:
 *
 *    booleans of 8, 16 and 32 bits   1-bit booleans, converted
 *    integers of one bit             32-bit integers, converted
 *    halves of costly float opcodes  floats, converted: one rounding
 *    selections, products of parts of dwords, rotations, averages of two
 *    sources, counts from the top, ...: shifts, masks and selects
 *
 * Before: SSA. After: none of the opcodes and sizes that the functions here
 * have a case for. Every lowering gives the bits of the opcode's row in
 * nir_opcodes.py, but for those of divisions (nir_opt_algebraic.py). Cost:
 * linear; what a lowering builds may be lowered again.
 */
#include "nir.h"
#include "nir_builder.h"

typedef nir_value def;

static def *
src(nir_builder *b, nir_alu_instr *alu, unsigned i)
{
   return nir_operand_value(b, alu, i);
}

/* ---- booleans of more than one bit ---- */

/* The row with a 1-bit result, or the opcode itself. */
static nir_op
op_with_bool1(nir_op op)
{
/* clang-format off */
#define SIZED(o)                                                             \
   case nir_op_##o##8:                                                       \
   case nir_op_##o##16:                                                      \
   case nir_op_##o##32:                                                      \
      return nir_op_##o;
#define REDUCTION(o)                                                         \
   case nir_op_b8##o:                                                        \
   case nir_op_b16##o:                                                       \
   case nir_op_b32##o:                                                       \
      return nir_op_b##o;
#define REDUCTIONS(o)                                                        \
   REDUCTION(o##2) REDUCTION(o##3) REDUCTION(o##4)                           \
   REDUCTION(o##5) REDUCTION(o##8) REDUCTION(o##16)
#define CONVERSION(o)                                                        \
   case nir_op_##o##8:                                                       \
   case nir_op_##o##16:                                                      \
   case nir_op_##o##32:                                                      \
      return nir_op_##o##1;
   switch (op) {
   SIZED(flt) SIZED(fge) SIZED(feq) SIZED(fneu)
   SIZED(ilt) SIZED(ige) SIZED(ieq) SIZED(ine) SIZED(ult) SIZED(uge)
   REDUCTIONS(all_fequal) REDUCTIONS(any_fnequal)
   REDUCTIONS(all_iequal) REDUCTIONS(any_inequal)
   CONVERSION(i2b) CONVERSION(f2b)
   REDUCTION(csel)
         /* clang-format on */
         default : return op;
   }
#undef SIZED
#undef REDUCTION
#undef REDUCTIONS
#undef CONVERSION
}

/* Row `op` on the sources, those that are wide booleans compared with 0. */
static def *
build_with_bool1(nir_builder *b, nir_alu_instr *alu, nir_op op)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   def *s[NIR_ALU_MAX_INPUTS];

   for (unsigned i = 0; i < info->num_inputs; i++) {
      s[i] = src(b, alu, i);
      if (nir_type_base(info->input[i].type) == nir_type_bool &&
          s[i]->bit_size > 1)
         s[i] = nir_ine_imm(b, s[i], 0);
   }
   return nir_build_alu_src_arr(b, op, s);
}

static bool
has_wide_bool_src(const nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];

   for (unsigned i = 0; i < info->num_inputs; i++) {
      if (nir_type_base(info->input[i].type) == nir_type_bool &&
          alu->src[i].use.value->bit_size > 1)
         return true;
   }
   return false;
}

static def *
lower_wide_bool(nir_builder *b, nir_alu_instr *alu)
{
   const unsigned bits = alu->instr.result.bit_size;
   const nir_op op = op_with_bool1(alu->op);

   switch (alu->op) {
   case nir_op_b2b8:
   case nir_op_b2b16:
   case nir_op_b2b32: {
      def *x = src(b, alu, 0);
      if (x->bit_size == 1 && bits == 32)
         return NULL;
      if (x->bit_size > 1)
         x = nir_ine_imm(b, x, 0);
      return nir_ineg(b, nir_b2iN(b, x, bits));
   }
   case nir_op_b2b1: {
      def *x = src(b, alu, 0);
      return x->bit_size > 1 ? nir_ine_imm(b, x, 0) : NULL;
   }
   default: break;
   }
   if (op == alu->op)
      return has_wide_bool_src(alu) ? build_with_bool1(b, alu, op) : NULL;
   def *r = build_with_bool1(b, alu, op);
   const bool selects = op == nir_op_bcsel;
   return selects ? r : nir_ineg(b, nir_b2iN(b, r, bits));
}

/* ---- integers of one bit ---- */

/* Signed, a set bit is -1; unsigned, 1. */
static def *
widen_bit(nir_builder *b, def *x, nir_alu_type type)
{
   def *one = nir_b2i32(b, x);
   return nir_type_base(type) == nir_type_int ? nir_ineg(b, one) : one;
}

static def *
narrow_to_bit(nir_builder *b, def *x)
{
   return nir_ine_imm(b, nir_iand_imm(b, x, 1), 0);
}

static bool
is_free_int(nir_alu_type type)
{
   return !nir_type_bits(type) && (nir_type_base(type) == nir_type_int ||
                                   nir_type_base(type) == nir_type_uint);
}

/* Opcodes whose row mentions the size, or that have nothing to move. */
static def *
lower_sized_bit_op(nir_builder *b, nir_alu_instr *alu)
{
   switch (alu->op) {
   case nir_op_ishl:
   case nir_op_ishr:
   case nir_op_ushr:
   case nir_op_urol:
   case nir_op_uror:
   case nir_op_extract_u8:
   case nir_op_extract_i8:
   case nir_op_extract_u16:
   case nir_op_extract_i16:
   case nir_op_insert_u8:
   case nir_op_insert_u16: return src(b, alu, 0);
   case nir_op_iadd_sat:
   case nir_op_uadd_sat: return nir_ior(b, src(b, alu, 0), src(b, alu, 1));
   case nir_op_isub_sat:
   case nir_op_usub_sat:
      return nir_iand(b, src(b, alu, 0), nir_inot(b, src(b, alu, 1)));
   case nir_op_imul_high:
   case nir_op_umul_high:
      return nir_imm_zero(b, alu->instr.result.num_components, 1);
   case nir_op_uadd_carry: return nir_iand(b, src(b, alu, 0), src(b, alu, 1));
   case nir_op_usub_borrow:
      return nir_iand(b, nir_inot(b, src(b, alu, 0)), src(b, alu, 1));
   case nir_op_ufind_msb_rev:
      return nir_ufind_msb(b, nir_b2i32(b, src(b, alu, 0)));
   case nir_op_ifind_msb_rev:
      return nir_iadd_imm(
         b, nir_imm_zero(b, alu->instr.result.num_components, 32),
         (uint64_t)-1);
   default: return NULL;
   }
}

static bool
takes_bits_as_they_are(nir_op op)
{
   switch (op) {
   case nir_op_mov:
   case nir_op_inot:
   case nir_op_iand:
   case nir_op_ior:
   case nir_op_ixor:
   case nir_op_ieq:
   case nir_op_ine:
   case nir_op_bcsel: return true;
   default:
      return nir_op_is_vec(op) ||
             nir_op_infos[op].input[0].type == nir_type_bool ||
             strstr(nir_op_infos[op].name, "all_iequal") ||
             strstr(nir_op_infos[op].name, "any_inequal");
   }
}

static def *
lower_one_bit(nir_builder *b, nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const unsigned bits = alu->instr.result.bit_size;
   def *s[NIR_ALU_MAX_INPUTS];
   bool any = false;

   switch (alu->op) {
   case nir_op_i2i1:
   case nir_op_u2u1:
      s[0] = src(b, alu, 0);
      return s[0]->bit_size == 1 ? s[0] : narrow_to_bit(b, s[0]);
   case nir_op_b2i1:
      s[0] = src(b, alu, 0);
      return s[0]->bit_size == 1 ? s[0] : nir_ine_imm(b, s[0], 0);
   case nir_op_f2i1:
      s[0] = src(b, alu, 0);
      return nir_fge(b, nir_imm_floatN_t(b, -1.0, s[0]->bit_size), s[0]);
   case nir_op_f2u1:
      s[0] = src(b, alu, 0);
      return nir_fge(b, s[0], nir_imm_floatN_t(b, 1.0, s[0]->bit_size));
   default: break;
   }
   for (unsigned i = 0; i < info->num_inputs; i++)
      any |= is_free_int(info->input[i].type) &&
             alu->src[i].use.value->bit_size == 1;
   if (!any || takes_bits_as_they_are(alu->op))
      return NULL;
   if (alu->op == nir_op_i2b1)
      return src(b, alu, 0);
   def *r = lower_sized_bit_op(b, alu);
   if (r)
      return r;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      s[i] = src(b, alu, i);
      if (is_free_int(info->input[i].type) && s[i]->bit_size == 1)
         s[i] = widen_bit(b, s[i], info->input[i].type);
   }
   r = nir_build_alu_src_arr(b, alu->op, s);
   return is_free_int(info->output.type) && bits == 1 ? narrow_to_bit(b, r)
                                                      : r;
}

/* ---- halves ---- */

static def *
fract16(nir_builder *b, def *x)
{
   /* The difference is exact but for its one rounding, which may reach 1. */
   def *f = nir_fadd(b, x, nir_fneg(b, nir_ffloor(b, x)));
   return nir_bcsel(b, nir_fge(b, f, nir_imm_float16(b, 1.0f)),
                    nir_imm_float16(b, 0x1.ffcp-1f), f);
}

static def *
lower_half(nir_builder *b, nir_alu_instr *alu)
{
   if (alu->src[0].use.value->bit_size != 16)
      return NULL;
   switch (alu->op) {
   case nir_op_ffract: return fract16(b, src(b, alu, 0));
   case nir_op_fdiv:
   case nir_op_fmod:
   case nir_op_frem:
      return nir_f2f16(b, nir_build_alu2(b, alu->op,
                                         nir_f2f32(b, src(b, alu, 0)),
                                         nir_f2f32(b, src(b, alu, 1))));
   case nir_op_ldexp:
      return nir_f2f16(b, nir_ldexp(b, nir_f2f32(b, src(b, alu, 0)),
                                    src(b, alu, 1)));
   case nir_op_frexp_sig:
      return nir_f2f16(b, nir_frexp_sig(b, nir_f2f32(b, src(b, alu, 0))));
   case nir_op_frexp_exp:
      return nir_frexp_exp(b, nir_f2f32(b, src(b, alu, 0)));
   default: return NULL;
   }
}

/* ---- doubles ---- */

/* The remainder of the absolute values with the sign of x. */
static def *
lower_frem64(nir_builder *b, def *x, def *y)
{
   def *r = nir_fmod(b, nir_fabs(b, x), nir_fabs(b, y));
   def *hi = nir_iand_imm(b, nir_unpack_64_2x32_split_y(b, r), 0x7fffffff);
   def *sign = nir_iand_imm(b, nir_unpack_64_2x32_split_y(b, x), 0x80000000);
   return nir_pack_64_2x32_split(b, nir_unpack_64_2x32_split_x(b, r),
                                 nir_ior(b, hi, sign));
}

/* ---- integers ---- */

/* Saturated difference: it overflows where the signs differ and the
 * difference has not the sign of x; the bound is on the side of x. */
static def *
isub_sat(nir_builder *b, def *x, def *y)
{
   const unsigned n = x->bit_size;
   def *d = nir_isub(b, x, y);
   def *over =
      nir_ilt_imm(b, nir_iand(b, nir_ixor(b, x, y), nir_ixor(b, x, d)), 0);
   def *bound =
      nir_ixor_imm(b, nir_ishr_imm(b, x, n - 1), BITFIELD64_MASK(n - 1));
   return nir_bcsel(b, over, bound, d);
}

static def *
rotate(nir_builder *b, def *x, def *count, bool left)
{
   def *rest = nir_isub(b, nir_imm_int(b, (int)x->bit_size), count);
   return left ? nir_ior(b, nir_ishl(b, x, count), nir_ushr(b, x, rest))
               : nir_ior(b, nir_ushr(b, x, count), nir_ishl(b, x, rest));
}

/* Bit number from the top, of that from the bottom; -1 stays. */
static def *
from_top(nir_builder *b, def *msb, unsigned bits)
{
   def *rev = nir_isub(b, nir_imm_int(b, (int)bits - 1), msb);
   return nir_bcsel(b, nir_ilt_imm(b, msb, 0), msb, rev);
}

static def *
sext24(nir_builder *b, def *x)
{
   return nir_ishr_imm(b, nir_ishl_imm(b, x, 8), 8);
}

static def *
product24(nir_builder *b, nir_alu_instr *alu, bool is_signed)
{
   def *x = src(b, alu, 0), *y = src(b, alu, 1);
   return is_signed ? nir_imul(b, sext24(b, x), sext24(b, y))
                    : nir_imul(b, nir_iand_imm(b, x, 0xffffff),
                               nir_iand_imm(b, y, 0xffffff));
}

/* Part number `index` of x, moved down; or x's lowest part, moved up. */
static def *
lower_extract(nir_builder *b, nir_alu_instr *alu, unsigned part,
              bool is_signed)
{
   const unsigned n = alu->instr.result.bit_size;
   if (part >= n)
      return src(b, alu, 0);
   if (nir_use_is_const(alu->src[1].use))
      return NULL;
   def *at = nir_imul_imm(b, nir_u2uN(b, src(b, alu, 1), 32), part);
   def *x = nir_ushr(b, src(b, alu, 0), at);
   return is_signed ? nir_ishr_imm(b, nir_ishl_imm(b, x, n - part), n - part)
                    : nir_iand_imm(b, x, BITFIELD64_MASK(part));
}

static def *
lower_insert(nir_builder *b, nir_alu_instr *alu, unsigned part)
{
   const unsigned n = alu->instr.result.bit_size;
   if (part >= n)
      return src(b, alu, 0);
   def *at = nir_imul_imm(b, nir_u2uN(b, src(b, alu, 1), 32), part);
   return nir_ishl(b, nir_iand_imm(b, src(b, alu, 0), BITFIELD64_MASK(part)),
                   at);
}

static def *
lower_integer(nir_builder *b, nir_alu_instr *alu)
{
   const unsigned bits = alu->src[0].use.value->bit_size;

   switch (alu->op) {
   case nir_op_amul: return nir_imul(b, src(b, alu, 0), src(b, alu, 1));
   case nir_op_iadd3:
      return nir_iadd(b, nir_iadd(b, src(b, alu, 0), src(b, alu, 1)),
                      src(b, alu, 2));
   case nir_op_imul24:
   case nir_op_umul24: return product24(b, alu, alu->op == nir_op_imul24);
   case nir_op_imad24_ir3:
   case nir_op_umad24:
      return nir_iadd(b, product24(b, alu, alu->op == nir_op_imad24_ir3),
                      src(b, alu, 2));
   case nir_op_umul_low:
      return nir_imul(b, nir_iand_imm(b, src(b, alu, 0), 0xffff),
                      nir_iand_imm(b, src(b, alu, 1), 0xffff));
   case nir_op_umul_32x16:
      return nir_imul(b, src(b, alu, 0),
                      nir_iand_imm(b, src(b, alu, 1), 0xffff));
   case nir_op_imul_32x16:
      return nir_imul(b, src(b, alu, 0),
                      nir_ishr_imm(b, nir_ishl_imm(b, src(b, alu, 1), 16),
                                   16));
   case nir_op_isub_sat: return isub_sat(b, src(b, alu, 0), src(b, alu, 1));
   case nir_op_uabs_usub: {
      def *x = src(b, alu, 0), *y = src(b, alu, 1);
      return nir_bcsel(b, nir_ult(b, x, y), nir_isub(b, y, x),
                       nir_isub(b, x, y));
   }
   case nir_op_uadd_carry: {
      def *x = src(b, alu, 0);
      def *sum = nir_iadd(b, x, src(b, alu, 1));
      return nir_b2iN(b, nir_ult(b, sum, x), bits);
   }
   case nir_op_usub_borrow:
      return nir_b2iN(b, nir_ult(b, src(b, alu, 0), src(b, alu, 1)), bits);
   case nir_op_urol:
   case nir_op_uror:
      return rotate(b, src(b, alu, 0), src(b, alu, 1),
                    alu->op == nir_op_urol);
   case nir_op_uclz:
      return nir_isub(b, nir_imm_int(b, 31),
                      nir_ufind_msb(b, src(b, alu, 0)));
   case nir_op_ufind_msb_rev:
      return bits == 32 ? NULL
                        : from_top(b, nir_ufind_msb(b, src(b, alu, 0)), bits);
   case nir_op_ifind_msb_rev:
      return bits == 32 ? NULL
                        : from_top(b, nir_ifind_msb(b, src(b, alu, 0)), bits);
   case nir_op_extract_u8:
   case nir_op_extract_i8:
      return lower_extract(b, alu, 8, alu->op == nir_op_extract_i8);
   case nir_op_extract_u16:
   case nir_op_extract_i16:
      return lower_extract(b, alu, 16, alu->op == nir_op_extract_i16);
   case nir_op_insert_u8: return lower_insert(b, alu, 8);
   case nir_op_insert_u16: return lower_insert(b, alu, 16);
   default: return NULL;
   }
}

/* ---- selections, flushes and vectors ---- */

static def *
dot_of(nir_builder *b, nir_alu_instr *alu, nir_op op)
{
   def *d = nir_build_alu2(b, op, src(b, alu, 0), src(b, alu, 1));
   return nir_vec4(b, d, d, d, d);
}

static def *
lower_sum(nir_builder *b, nir_alu_instr *alu)
{
   def *x = src(b, alu, 0);
   def *sum = nir_channel(b, x, 0);
   for (unsigned c = 1; c < x->num_components; c++)
      sum = nir_fadd(b, sum, nir_channel(b, x, c));
   return sum;
}

/* Without the significand of what has no exponent, in both halves. */
static def *
flush_halves(nir_builder *b, def *x)
{
   def *low = nir_ieq_imm(b, nir_iand_imm(b, x, 0x7c00), 0);
   def *high = nir_ieq_imm(b, nir_iand_imm(b, x, 0x7c000000), 0);
   x = nir_bcsel(b, low, nir_iand_imm(b, x, 0xffff8000), x);
   return nir_bcsel(b, high, nir_iand_imm(b, x, 0x8000ffff), x);
}

static def *
zero_of(nir_builder *b, def *x)
{
   return nir_imm_zero(b, x->num_components, x->bit_size);
}

static def *
lower_other(nir_builder *b, nir_alu_instr *alu)
{
   switch (alu->op) {
   case nir_op_fmulz: {
      def *x = src(b, alu, 0), *y = src(b, alu, 1), *zero = zero_of(b, x);
      def *none = nir_ior(b, nir_feq(b, x, zero), nir_feq(b, y, zero));
      return nir_bcsel(b, none, zero, nir_fmul(b, x, y));
   }
   case nir_op_fcsel: {
      def *x = src(b, alu, 0);
      return nir_bcsel(b, nir_fneu(b, x, zero_of(b, x)), src(b, alu, 1),
                       src(b, alu, 2));
   }
   case nir_op_fcsel_gt:
   case nir_op_fcsel_ge: {
      def *x = src(b, alu, 0), *zero = zero_of(b, x);
      def *c = alu->op == nir_op_fcsel_gt ? nir_flt(b, zero, x)
                                          : nir_fge(b, x, zero);
      return nir_bcsel(b, c, src(b, alu, 1), src(b, alu, 2));
   }
   case nir_op_i32csel_gt:
   case nir_op_i32csel_ge: {
      def *x = src(b, alu, 0), *zero = zero_of(b, x);
      def *c = alu->op == nir_op_i32csel_gt ? nir_ilt(b, zero, x)
                                            : nir_ige(b, x, zero);
      return nir_bcsel(b, c, src(b, alu, 1), src(b, alu, 2));
   }
   case nir_op_unpack_half_2x16_flush_to_zero:
      return nir_unpack_half_2x16(b, flush_halves(b, src(b, alu, 0)));
   case nir_op_unpack_half_2x16_split_x_flush_to_zero:
      return nir_unpack_half_2x16_split_x(b, flush_halves(b, src(b, alu, 0)));
   case nir_op_unpack_half_2x16_split_y_flush_to_zero:
      return nir_unpack_half_2x16_split_y(b, flush_halves(b, src(b, alu, 0)));
   case nir_op_frem:
      return alu->src[0].use.value->bit_size == 64
                ? lower_frem64(b, src(b, alu, 0), src(b, alu, 1))
                : NULL;
   case nir_op_fsum2:
   case nir_op_fsum3:
   case nir_op_fsum4: return lower_sum(b, alu);
   case nir_op_fdot2_replicated: return dot_of(b, alu, nir_op_fdot2);
   case nir_op_fdot3_replicated: return dot_of(b, alu, nir_op_fdot3);
   case nir_op_fdot4_replicated: return dot_of(b, alu, nir_op_fdot4);
   default: return NULL;
   }
}

static bool
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;

   b->cursor = nir_before_instr(instr);
   b->exact = alu->exact;
   def *r = lower_wide_bool(b, alu);
   if (!r)
      r = lower_one_bit(b, alu);
   if (!r)
      r = lower_half(b, alu);
   if (!r)
      r = lower_integer(b, alu);
   if (!r)
      r = lower_other(b, alu);
   if (!r)
      return false;
   nir_instr_replace(&alu->instr, r);
   return true;
}

bool
nir_lower_rare_alu(nir_shader *shader)
{
   bool progress = false;

   while (nir_visit_instrs(shader, lower_instr,
                           nir_metadata_block_index | nir_metadata_dominance,
                           NULL))
      progress = true;
   return progress;
}
