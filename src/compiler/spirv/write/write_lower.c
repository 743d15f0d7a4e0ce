/* SPDX-License-Identifier: MIT */
/*
 * What SPIR-V has no instruction for, from what it has: opcodes of hardware,
 * numbers of sizes that its instructions do not take, comparisons of whole
 * vectors. Vectors of what takes scalars are taken apart.
 *
 * Before: any shader that nir_to_spirv() takes. After: no copies of whole
 * variables, variables as SSA where that is possible, constants folded (a
 * texel's offset must be one), no opcode that a case here has. Each formula
 * gives the bits of the opcode's row in nir_opcodes.py. Cost: linear, but for
 * passes that are shared.
 */
#include "compiler/spirv/write/write_private.h"

#include <math.h>

typedef nir_value def;

static const nir_shader_compiler_options target = {
   .lower_int64_options = nir_lower_ufind_msb64 | nir_lower_bit_count64 |
                          nir_lower_find_lsb64,
};

/* --- Scalars ------------------------------------------------------------ */

static bool
takes_scalars(const nir_instr *instr, const void *data)
{
   const nir_alu_instr *alu = nir_maybe_alu(instr);

   if (!alu)
      return false;
   switch (alu->op) {
   case nir_op_pack_64_2x32_split:
   case nir_op_unpack_64_2x32_split_x:
   case nir_op_unpack_64_2x32_split_y:
   case nir_op_pack_half_2x16_split:
   case nir_op_unpack_half_2x16_split_x:
   case nir_op_unpack_half_2x16_split_y:
   case nir_op_bitfield_insert:
   case nir_op_ubitfield_extract:
   case nir_op_ibitfield_extract:
   case nir_op_ubfe:
   case nir_op_ibfe: return true;
   default: return alu->instr.result.num_components > 4;
   }
}

/* --- Formulas ----------------------------------------------------------- */

static def *
constant(nir_builder *b, const def *like, uint64_t x)
{
   nir_const_value c[NIR_MAX_VEC_COMPONENTS];

   for (unsigned i = 0; i < like->num_components; i++)
      c[i] = nir_const_value_for_raw_uint(x & BITFIELD64_MASK(like->bit_size),
                                          like->bit_size);
   return nir_build_imm(b, like->num_components, like->bit_size, c);
}

static def *
float_constant(nir_builder *b, const def *like, double x)
{
   return constant(
      b, like,
      nir_const_value_as_uint(nir_const_value_for_float(x, like->bit_size),
                              like->bit_size));
}

/* Whether all, or any, components are equal or not. */
static def *
reduce(nir_builder *b, def **x, nir_op compare, bool all)
{
   def *each = nir_build_alu2(b, compare, x[0], x[1]), *r = NULL;

   for (unsigned i = 0; i < each->num_components; i++) {
      def *c = nir_channel(b, each, i);
      r = !r ? c : all ? nir_iand(b, r, c) : nir_ior(b, r, c);
   }
   return r;
}

static def *
lower_reduction(nir_builder *b, nir_op op, def **x)
{
   switch (op) {
   case nir_op_ball_fequal2:
   case nir_op_ball_fequal3:
   case nir_op_ball_fequal4: return reduce(b, x, nir_op_feq, true);
   case nir_op_bany_fnequal2:
   case nir_op_bany_fnequal3:
   case nir_op_bany_fnequal4: return reduce(b, x, nir_op_fneu, false);
   case nir_op_ball_iequal2:
   case nir_op_ball_iequal3:
   case nir_op_ball_iequal4: return reduce(b, x, nir_op_ieq, true);
   case nir_op_bany_inequal2:
   case nir_op_bany_inequal3:
   case nir_op_bany_inequal4: return reduce(b, x, nir_op_ine, false);
   case nir_op_fall_equal2:
   case nir_op_fall_equal3:
   case nir_op_fall_equal4:
      return nir_b2f32(b, reduce(b, x, nir_op_feq, true));
   case nir_op_fany_nequal2:
   case nir_op_fany_nequal3:
   case nir_op_fany_nequal4:
      return nir_b2f32(b, reduce(b, x, nir_op_fneu, false));
   default: return NULL;
   }
}

/* The sign of (a ^ r) & (b ^ r) says that the sum came around. */
static def *
saturated_sum(nir_builder *b, def *x, def *y)
{
   const unsigned top = x->bit_size - 1;
   def *r = nir_iadd(b, x, y);
   def *around = nir_iand(b, nir_ixor(b, x, r), nir_ixor(b, y, r));
   def *limit = nir_ixor(b, nir_ishr_imm(b, x, top),
                         constant(b, x, BITFIELD64_MASK(top)));

   return nir_bcsel(b, nir_ilt(b, around, constant(b, x, 0)), limit, r);
}

static def *
average(nir_builder *b, def *x, def *y, bool is_signed, bool up)
{
   def *half = nir_ixor(b, x, y), *one = nir_imm_int(b, 1);

   half = is_signed ? nir_ishr(b, half, one) : nir_ushr(b, half, one);
   return up ? nir_isub(b, nir_ior(b, x, y), half)
             : nir_iadd(b, nir_iand(b, x, y), half);
}

static def *
bit_mask(nir_builder *b, def *bits, def *shift)
{
   def *one = constant(b, bits, 1);

   return nir_ishl(b, nir_isub(b, nir_ishl(b, one, bits), one), shift);
}

static def *
insert_by_mask(nir_builder *b, def **x)
{
   def *zero = constant(b, x[0], 0);
   def *at = nir_find_lsb(b, x[0]);
   def *in = nir_ior(b, nir_iand(b, x[0], nir_ishl(b, x[1], at)),
                     nir_iand(b, nir_inot(b, x[0]), x[2]));

   return nir_bcsel(b, nir_ieq(b, x[0], zero), x[2], in);
}

/* Bits beyond the top are none, where SPIR-V says nothing. */
static def *
extract(nir_builder *b, def **x, bool is_signed)
{
   def *at = nir_iand_imm(b, x[1], 31), *n = nir_iand_imm(b, x[2], 31);

   n = nir_umin(b, n, nir_isub(b, nir_imm_int(b, 32), at));
   return is_signed ? nir_ibitfield_extract(b, x[0], at, n)
                    : nir_ubitfield_extract(b, x[0], at, n);
}

/* Counted from the top; -1 stays. */
static def *
from_top(nir_builder *b, def *msb)
{
   return nir_bcsel(b, nir_ilt(b, msb, constant(b, msb, 0)), msb,
                    nir_isub(b, constant(b, msb, 31), msb));
}

static def *
part(nir_builder *b, def **x, unsigned bits, bool is_signed)
{
   const unsigned rest = x[0]->bit_size - bits;
   def *at = nir_iand(b, nir_imul(b, x[1], constant(b, x[1], bits)),
                      constant(b, x[1], x[0]->bit_size - 1));
   def *low = nir_ushr(b, x[0], nir_u2u32(b, at));

   low = nir_ishl_imm(b, low, rest);
   return is_signed ? nir_ishr_imm(b, low, rest) : nir_ushr_imm(b, low, rest);
}

static def *
lower_integer(nir_builder *b, nir_op op, def **x)
{
   switch (op) {
   case nir_op_iadd_sat: return saturated_sum(b, x[0], x[1]);
   case nir_op_uadd_sat: {
      def *r = nir_iadd(b, x[0], x[1]);
      return nir_bcsel(b, nir_ult(b, r, x[0]), constant(b, r, UINT64_MAX), r);
   }
   case nir_op_usub_sat:
      return nir_bcsel(b, nir_ult(b, x[0], x[1]), constant(b, x[0], 0),
                       nir_isub(b, x[0], x[1]));
   case nir_op_imul_2x32_64:
      return nir_imul(b, nir_i2i64(b, x[0]), nir_i2i64(b, x[1]));
   case nir_op_umul_2x32_64:
      return nir_imul(b, nir_u2u64(b, x[0]), nir_u2u64(b, x[1]));
   case nir_op_ihadd: return average(b, x[0], x[1], true, false);
   case nir_op_uhadd: return average(b, x[0], x[1], false, false);
   case nir_op_irhadd: return average(b, x[0], x[1], true, true);
   case nir_op_urhadd: return average(b, x[0], x[1], false, true);
   case nir_op_uabs_isub:
      return nir_bcsel(b, nir_ilt(b, x[0], x[1]), nir_isub(b, x[1], x[0]),
                       nir_isub(b, x[0], x[1]));
   case nir_op_ufind_msb_rev: return from_top(b, nir_ufind_msb(b, x[0]));
   case nir_op_ifind_msb_rev: return from_top(b, nir_ifind_msb(b, x[0]));
   case nir_op_extract_u8: return part(b, x, 8, false);
   case nir_op_extract_i8: return part(b, x, 8, true);
   case nir_op_extract_u16: return part(b, x, 16, false);
   case nir_op_extract_i16: return part(b, x, 16, true);
   case nir_op_b2b32: return nir_ineg(b, nir_b2i32(b, x[0]));
   case nir_op_bfm: return bit_mask(b, x[0], x[1]);
   case nir_op_bfi: return insert_by_mask(b, x);
   case nir_op_ubfe: return extract(b, x, false);
   case nir_op_ibfe: return extract(b, x, true);
   case nir_op_bitfield_select:
      return nir_ior(b, nir_iand(b, x[0], x[1]),
                     nir_iand(b, nir_inot(b, x[0]), x[2]));
   case nir_op_pack_uvec2_to_uint:
      return nir_ior(b, nir_iand_imm(b, nir_channel(b, x[0], 0), 0xffff),
                     nir_ishl_imm(b, nir_channel(b, x[0], 1), 16));
   case nir_op_pack_uvec4_to_uint: {
      def *r = nir_ishl_imm(b, nir_channel(b, x[0], 3), 24);
      for (unsigned i = 0; i < 3; i++)
         r = nir_ior(
            b, r,
            nir_ishl_imm(b, nir_iand_imm(b, nir_channel(b, x[0], i), 0xff),
                         8 * i));
      return r;
   }
   default: return NULL;
   }
}

static def *
lower_split(nir_builder *b, nir_op op, def **x)
{
   switch (op) {
   case nir_op_pack_32_2x16_split:
      return nir_ior(b, nir_u2u32(b, x[0]),
                     nir_ishl_imm(b, nir_u2u32(b, x[1]), 16));
   case nir_op_pack_32_4x8_split: {
      def *r = nir_u2u32(b, x[0]);
      for (unsigned i = 1; i < 4; i++)
         r = nir_ior(b, r, nir_ishl_imm(b, nir_u2u32(b, x[i]), 8 * i));
      return r;
   }
   case nir_op_unpack_32_2x16_split_x: return nir_u2u16(b, x[0]);
   case nir_op_unpack_32_2x16_split_y:
      return nir_u2u16(b, nir_ushr_imm(b, x[0], 16));
   case nir_op_pack_half_2x16_split:
      return nir_pack_half_2x16(b, nir_vec2(b, x[0], x[1]));
   case nir_op_unpack_half_2x16_split_x:
      return nir_channel(b, nir_unpack_half_2x16(b, x[0]), 0);
   case nir_op_unpack_half_2x16_split_y:
      return nir_channel(b, nir_unpack_half_2x16(b, x[0]), 1);
   default: return NULL;
   }
}

static def *
float_of_bool(nir_builder *b, def *x, unsigned bits)
{
   return bits == 16   ? nir_b2f16(b, x)
          : bits == 32 ? nir_b2f32(b, x)
                       : nir_b2f64(b, x);
}

static def *
lower_float(nir_builder *b, nir_op op, def **x, unsigned bits)
{
   switch (op) {
   case nir_op_frcp: return nir_fdiv(b, float_constant(b, x[0], 1.0), x[0]);
   case nir_op_fsat:
      return nir_fclamp(b, x[0], float_constant(b, x[0], 0.0),
                        float_constant(b, x[0], 1.0));
   case nir_op_slt: return float_of_bool(b, nir_flt(b, x[0], x[1]), bits);
   case nir_op_sge: return float_of_bool(b, nir_fge(b, x[0], x[1]), bits);
   case nir_op_seq: return float_of_bool(b, nir_feq(b, x[0], x[1]), bits);
   case nir_op_sne: return float_of_bool(b, nir_fneu(b, x[0], x[1]), bits);
   case nir_op_fdph:
      return nir_fadd(b, nir_fdot3(b, x[0], nir_trim_vector(b, x[1], 3)),
                      nir_channel(b, x[1], 3));
   case nir_op_f2f16_rtne:
   case nir_op_f2fmp: return nir_f2f16(b, x[0]);
   case nir_op_i2imp: return nir_i2i16(b, x[0]);
   case nir_op_f2imp: return nir_f2i16(b, x[0]);
   case nir_op_f2ump: return nir_f2u16(b, x[0]);
   case nir_op_i2fmp: return nir_i2f16(b, x[0]);
   case nir_op_u2fmp: return nir_u2f16(b, x[0]);
   default: return NULL;
   }
}

static bool
has_no_row(const nir_instr *instr, const void *data)
{
   const nir_alu_instr *alu = nir_maybe_alu(instr);

   return alu && !wr_alu_is_known(alu->op);
}

static def *
lower_alu(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   const unsigned n = nir_op_infos[alu->op].num_inputs;
   const bool was_exact = b->exact;
   def *x[NIR_ALU_MAX_INPUTS] = { NULL }, *r;

   b->exact = alu->exact;
   for (unsigned i = 0; i < n; i++)
      x[i] = nir_operand_value(b, alu, i);
   r = lower_reduction(b, alu->op, x);
   r = r ? r : lower_integer(b, alu->op, x);
   r = r ? r : lower_split(b, alu->op, x);
   r = r ? r : lower_float(b, alu->op, x, alu->instr.result.bit_size);
   b->exact = was_exact;
   return r;
}

/* --- Conversions that are defined for all floats ------------------------ */

static bool
is_float_to_integer(const nir_instr *instr)
{
   const nir_alu_instr *alu = nir_maybe_alu(instr);

   return alu && nir_op_infos[alu->op].is_conversion &&
          nir_type_base(nir_op_infos[alu->op].input[0].type) ==
             nir_type_float &&
          nir_type_base(nir_op_infos[alu->op].output.type) &
             (nir_type_int | nir_type_uint) &&
          nir_type_base(nir_op_infos[alu->op].output.type) != nir_type_bool;
}

/* Selects behind the conversion: whatever it makes of floats outside is not
 * looked at. */
static bool
saturate(nir_builder *b, nir_instr *instr, void *data)
{
   if (!is_float_to_integer(instr))
      return false;
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   const bool is_signed = nir_type_base(nir_op_infos[alu->op].output.type) ==
                          nir_type_int;
   const unsigned bits = instr->result.bit_size;
   const double limit = ldexp(1.0, (int)bits - is_signed);
   def *r = &instr->result;

   b->cursor = nir_after_instr(instr);
   def *x = nir_operand_value(b, alu, 0);
   def *lowest = constant(b, r, is_signed ? 1ull << (bits - 1) : 0);
   def *high = constant(b, r, BITFIELD64_MASK(bits - is_signed));
   def *low = nir_flt(b, float_constant(b, x, is_signed ? -limit : 0.0), x);

   /* Not above the least one: below it, or a NaN. */
   def *whole = nir_bcsel(b, nir_fge(b, x, float_constant(b, x, limit)), high,
                          nir_bcsel(b, low, r, lowest));
   if (is_signed)
      whole = nir_bcsel(b, nir_fneu(b, x, x), constant(b, r, 0), whole);
   nir_value_replace_after(r, whole, whole->instr);
   return true;
}

/* --- System values ------------------------------------------------------ */

static bool
is_derived(const nir_instr *instr, const void *data)
{
   const nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);

   return intr && (intr->intrinsic == nir_intrinsic_load_instance_id ||
                   intr->intrinsic == nir_intrinsic_load_base_vertex ||
                   intr->intrinsic == nir_intrinsic_load_workgroup_size ||
                   intr->intrinsic == nir_intrinsic_load_vertex_id_zero_base);
}

/* Vulkan counts instances and vertices from the first of the draw, and knows
 * no other. */
static def *
derive(nir_builder *b, nir_instr *instr, void *data)
{
   const uint16_t *size = b->shader->info.workgroup_size;

   switch (nir_instr_as_intrinsic(instr)->intrinsic) {
   case nir_intrinsic_load_instance_id:
      return nir_isub(b, nir_load_instance_index(b),
                      nir_load_base_instance(b));
   case nir_intrinsic_load_vertex_id_zero_base:
      return nir_isub(b, nir_load_vertex_id(b), nir_load_first_vertex(b));
   case nir_intrinsic_load_base_vertex: return nir_load_first_vertex(b);
   default:
      return nir_vec3(b, nir_imm_int(b, size[0]), nir_imm_int(b, size[1]),
                      nir_imm_int(b, size[2]));
   }
}

/* --- Sizes -------------------------------------------------------------- */

/* Bits are counted in dwords. */
static unsigned
wanted_size(const nir_instr *instr, void *data)
{
   const nir_alu_instr *alu = nir_maybe_alu(instr);

   if (!alu || alu->src[0].use.value->bit_size >= 32)
      return 0;
   switch (alu->op) {
   case nir_op_bit_count:
   case nir_op_find_lsb:
   case nir_op_ufind_msb:
   case nir_op_ifind_msb: return 32;
   default: return 0;
   }
}

/* --- All ---------------------------------------------------------------- */

static void
to_one_function(nir_shader *nir, bool *progress)
{
   bool changed = false;

   NIR_PASS(changed, nir, nir_lower_returns);
   NIR_PASS(changed, nir, nir_inline_functions);
   nir_remove_non_entrypoints(nir);
   NIR_PASS(changed, nir, nir_split_var_copies);
   NIR_PASS(changed, nir, nir_lower_var_copies);
   NIR_PASS(changed, nir, nir_lower_vars_to_ssa);
   *progress |= changed;
}

void
wr_lower(nir_shader *nir, bool saturating)
{
   bool progress = false;

   nir->options = &target;
   to_one_function(nir, &progress);
   if (saturating)
      nir_visit_instrs(nir, saturate, nir_metadata_control_flow, NULL);
   nir_replace_instrs(nir, is_derived, derive, NULL);
   NIR_PASS(progress, nir, nir_lower_pack);
   NIR_PASS(progress, nir, nir_lower_rare_alu);
   NIR_PASS(progress, nir, nir_lower_bit_size, wanted_size, NULL);
   NIR_PASS(progress, nir, nir_lower_int64);
   NIR_PASS(progress, nir, nir_lower_alu_to_scalar, takes_scalars, NULL);
   nir_replace_instrs(nir, has_no_row, lower_alu, NULL);
   NIR_PASS(progress, nir, nir_copy_prop);
   NIR_PASS(progress, nir, nir_opt_constant_folding);
   NIR_PASS(progress, nir, nir_opt_dce);
   NIR_PASS(progress, nir, nir_remove_dead_variables,
            nir_var_function_temp | nir_var_shader_temp, NULL);
}
