/* SPDX-License-Identifier: MIT */
/*
 * NIR before it is written as SM5: everything inlined, scalar, I/O and
 * memory by address, booleans as dwords, and no opcode that SM5 and the rows
 * of tpf_tables.py have no counterpart for.
 */
#include "compiler/d3d/d3d_vector.h"
#include "tpf_emit.h"

/* clang-format off */
static const nir_shader_compiler_options options = {
   .lower_fpow = true, .lower_fmod = true, .lower_fsign = true,
   .lower_isign = true, .lower_flrp32 = true, .lower_flrp64 = true,
   .lower_ldexp = true, .lower_scmp = true, .lower_bitfield_extract = true,
   .lower_bitfield_insert = true,
   .lower_uadd_sat = true, .lower_usub_sat = true,
   .lower_pack_half_2x16 = true, .lower_unpack_half_2x16 = true,
   .lower_pack_unorm_2x16 = true, .lower_pack_snorm_2x16 = true,
   .lower_pack_unorm_4x8 = true, .lower_pack_snorm_4x8 = true,
   .lower_unpack_unorm_2x16 = true, .lower_unpack_snorm_2x16 = true,
   .lower_unpack_unorm_4x8 = true, .lower_unpack_snorm_4x8 = true,
   .lower_insert_byte = true, .lower_insert_word = true,
   .lower_rotate = true, .lower_hadd = true,
};
/* clang-format on */

static int
slots(const struct glsl_type *type, bool bindless)
{
   (void)bindless;
   return (int)glsl_count_attribute_slots(type, false);
}

static void
dword_size_align(const struct glsl_type *type, unsigned *size,
                 unsigned *align)
{
   const unsigned bytes = MAX2(glsl_get_bit_size(type), 32) / 8;

   *size = bytes * glsl_get_vector_elements(type);
   *align = bytes;
}

/* --- Single instructions ------------------------------------------------ */

/* Signed division: of magnitudes, then the sign. */
static nir_value *
lower_division(nir_builder *b, nir_alu_instr *alu)
{
   nir_value *x = nir_operand_value(b, alu, 0);
   nir_value *y = nir_operand_value(b, alu, 1);
   nir_value *zero = nir_imm_int(b, 0);
   nir_value *ax = nir_iabs(b, x), *ay = nir_iabs(b, y), *r;

   if (alu->op == nir_op_idiv) {
      r = nir_udiv(b, ax, ay);
      return nir_bcsel(b, nir_ilt(b, nir_ixor(b, x, y), zero), nir_ineg(b, r),
                       r);
   }
   r = nir_umod(b, ax, ay);
   r = nir_bcsel(b, nir_ilt(b, x, zero), nir_ineg(b, r), r);
   if (alu->op == nir_op_irem)
      return r;
   nir_value *differ = nir_ilt(b, nir_ixor(b, r, y), zero);
   differ = nir_iand(b, differ, nir_ine(b, r, zero));
   return nir_bcsel(b, differ, nir_iadd(b, r, y), r);
}

/* Bits of `mask` that are set take those of `insert`, moved to the lowest. */
static nir_value *
lower_bfi(nir_builder *b, nir_alu_instr *alu)
{
   nir_value *mask = nir_operand_value(b, alu, 0);
   nir_value *insert = nir_operand_value(b, alu, 1);
   nir_value *base = nir_operand_value(b, alu, 2);
   nir_value *moved = nir_ishl(b, insert, nir_find_lsb(b, mask));

   return nir_ior(b, nir_iand(b, mask, moved),
                  nir_iand(b, nir_inot(b, mask), base));
}

/* The highest bit, counted from the top (firstbit_hi), made what NIR asks. */
static nir_value *
lower_find_msb(nir_builder *b, nir_alu_instr *alu)
{
   nir_value *x = nir_operand_value(b, alu, 0), *r;

   r = alu->op == nir_op_ifind_msb ? nir_ifind_msb_rev(b, x)
                                   : nir_ufind_msb_rev(b, x);
   if (alu->op == nir_op_uclz)
      return nir_umin(b, r, nir_imm_int(b, 32));
   return nir_bcsel(b, nir_ilt(b, r, nir_imm_int(b, 0)), r,
                    nir_isub(b, nir_imm_int(b, 31), r));
}

static nir_value *
lower_alu(nir_builder *b, nir_alu_instr *alu)
{
   if (alu->instr.result.bit_size == 32) {
      switch (alu->op) {
      case nir_op_idiv:
      case nir_op_irem:
      case nir_op_imod: return lower_division(b, alu);
      case nir_op_bfi: return lower_bfi(b, alu);
      case nir_op_ufind_msb:
      case nir_op_ifind_msb:
      case nir_op_uclz: return lower_find_msb(b, alu);
      default: break;
      }
   }
   return NULL;
}

/* A value of which an operation with a constant makes this one: `k` is the
 * constant. NULL: none does, or it is not of one component. */
static nir_value *
operand_of(nir_builder *b, nir_value *v, nir_op op, int32_t *k)
{
   const nir_component s = nir_component_of(v, 0);
   nir_component x, y;

   if (v->num_components != 1 || !nir_component_is_alu(s) ||
       nir_instr_as_alu(s.def->instr)->op != op)
      return NULL;
   x = nir_component_of_operand(s, 0);
   y = nir_component_of_operand(s, 1);
   if (!nir_component_is_const(y))
      return NULL;
   *k = (int32_t)nir_component_as_uint(y);
   return nir_channel(b, x.def, x.comp);
}

/* What is added to a row is its base. */
static nir_value *
without_base(nir_builder *b, nir_value *row, unsigned *base)
{
   int32_t k;
   nir_value *v = operand_of(b, row, nir_op_iadd, &k);

   if (!v || k <= 0 || k >= (int32_t)TPF_CB_MAX)
      return row;
   *base += (unsigned)k;
   return v;
}

/* The row of 16 bytes where an offset is, but for `base` rows. What was a row
 * before comes back, without the bits that its offset has lost: beyond 4 GB
 * is beyond the buffer. */
static nir_value *
row_of(nir_builder *b, nir_value *offset, unsigned *base)
{
   int32_t k;
   nir_value *v = operand_of(b, offset, nir_op_iadd, &k);

   if (v && k > 0 && k % 16 == 0 && k / 16 < (int32_t)TPF_CB_MAX) {
      *base += (unsigned)k / 16;
      return row_of(b, v, base);
   }
   v = operand_of(b, offset, nir_op_ishl, &k);
   if (v && k == 4)
      return without_base(b, v, base);
   if (v && k > 4 && k < 32)
      return nir_ishl_imm(b, v, (unsigned)k - 4);
   v = operand_of(b, offset, nir_op_imul, &k);
   if (v && k == 16)
      return without_base(b, v, base);
   if (v && k > 16 && k % 16 == 0)
      return nir_imul_imm(b, v, (uint64_t)k / 16);
   return nir_ushr_imm(b, offset, 4);
}

/* One component of a buffer at an offset in bytes that is not known: a row,
 * and a choice within it. */
static nir_value *
load_cb_dword(nir_builder *b, nir_value *buffer, nir_value *offset)
{
   nir_value *row =
      nir_load_ubo_vec4(b, 4, 32, buffer, nir_ushr_imm(b, offset, 4));

   if (nir_component_is_const(nir_component_of(offset, 0)))
      return nir_channel(
         b, row,
         (unsigned)nir_component_as_uint(nir_component_of(offset, 0)) >> 2 &
            3);
   return nir_vector_extract(b, row,
                             nir_iand_imm(b, nir_ushr_imm(b, offset, 2), 3));
}

/* Where the alignment tells the component, no choice is needed. */
static nir_value *
load_cb_aligned(nir_builder *b, nir_intrinsic_instr *intr, unsigned comp)
{
   const unsigned at = nir_intrinsic_align_offset(intr) % 16 / 4 + comp;
   unsigned base = at / 4;
   nir_value *row = row_of(b, intr->src[1].value, &base);

   row =
      nir_load_ubo_vec4(b, 4, 32, intr->src[0].value, row, .base = (int)base);
   return nir_channel(b, row, at % 4);
}

static nir_value *
lower_ubo(nir_builder *b, nir_intrinsic_instr *intr)
{
   const unsigned n = intr->instr.result.num_components;
   const unsigned dwords = intr->instr.result.bit_size / 32;
   const bool is_const = nir_use_is_const(intr->src[1]);
   nir_value *v[NIR_MAX_VEC_COMPONENTS], *half[2] = { 0 };

   for (unsigned i = 0; i < n; i++) {
      for (unsigned k = 0; k < dwords; k++) {
         const unsigned dw = i * dwords + k;
         half[k] =
            !is_const && nir_intrinsic_align_mul(intr) >= 16
               ? load_cb_aligned(b, intr, dw)
            : is_const
               ? load_cb_dword(
                    b, intr->src[0].value,
                    nir_imm_int(
                       b, (int)(nir_use_as_uint(intr->src[1]) + 4 * dw)))
               : load_cb_dword(b, intr->src[0].value,
                               nir_iadd_imm(b, intr->src[1].value, 4 * dw));
      }
      v[i] = dwords == 2 ? nir_pack_64_2x32_split(b, half[0], half[1])
                         : half[0];
   }
   return nir_vec(b, v, n);
}

/* 64 bits of a buffer as pairs of dwords. */
static nir_value *
lower_wide_load(nir_builder *b, nir_intrinsic_instr *intr)
{
   const unsigned n = intr->instr.result.num_components;
   const bool shared = intr->intrinsic == nir_intrinsic_load_shared;
   nir_value *offset = intr->src[shared ? 0 : 1].value, *v[4], *d;

   for (unsigned i = 0; i < n && i < 4; i++) {
      nir_value *at = nir_iadd_imm(b, offset, 8 * i);
      d = shared
             ? nir_load_shared(b, 2, 32, at, .base = nir_intrinsic_base(intr),
                               .align_mul = 4)
             : nir_load_ssbo(b, 2, 32, intr->src[0].value, at,
                             .access = nir_intrinsic_access(intr),
                             .align_mul = 4);
      v[i] = nir_pack_64_2x32_split(b, nir_channel(b, d, 0),
                                    nir_channel(b, d, 1));
   }
   return nir_vec(b, v, n);
}

static void
lower_wide_store(nir_builder *b, nir_intrinsic_instr *intr)
{
   const bool shared = intr->intrinsic == nir_intrinsic_store_shared;
   const unsigned mask = nir_intrinsic_write_mask(intr);
   nir_value *offset = intr->src[shared ? 1 : 2].value;

   for (unsigned i = 0; i < intr->src[0].value->num_components; i++) {
      nir_value *c = nir_channel(b, intr->src[0].value, i);
      nir_value *at = nir_iadd_imm(b, offset, 8 * i);
      if (!(mask >> i & 1))
         continue;
      c = nir_vec2(b, nir_unpack_64_2x32_split_x(b, c),
                   nir_unpack_64_2x32_split_y(b, c));
      if (shared)
         nir_store_shared(b, c, at, .base = nir_intrinsic_base(intr),
                          .write_mask = 3, .align_mul = 4);
      else
         nir_store_ssbo(b, c, intr->src[1].value, at, .write_mask = 3,
                        .access = nir_intrinsic_access(intr), .align_mul = 4);
   }
}

/* SV_Position has w where gl_FragCoord has its reciprocal. */
static nir_value *
lower_frag_coord(nir_builder *b, nir_intrinsic_instr *intr)
{
   nir_value *v = nir_load_frag_coord(b);

   (void)intr;
   return nir_vector_insert_imm(b, v, nir_frcp(b, nir_channel(b, v, 3)), 3);
}

static nir_value *
lower_intrinsic(nir_builder *b, nir_intrinsic_instr *intr, bool *drop)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_ubo: return lower_ubo(b, intr);
   case nir_intrinsic_load_ssbo:
   case nir_intrinsic_load_shared:
      return intr->instr.result.bit_size == 64 ? lower_wide_load(b, intr)
                                               : NULL;
   case nir_intrinsic_store_ssbo:
   case nir_intrinsic_store_shared:
      *drop = intr->src[0].value->bit_size == 64;
      if (*drop)
         lower_wide_store(b, intr);
      return NULL;
   default: return NULL;
   }
}

static bool
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_value *v = NULL, *old;
   bool drop = false;

   (void)data;
   b->cursor = nir_before_instr(instr);
   if (instr->kind == nir_kind_alu) {
      old = &instr->result;
      v = lower_alu(b, nir_instr_as_alu(instr));
   } else if (instr->kind == nir_kind_intrinsic) {
      old = &instr->result;
      v = lower_intrinsic(b, nir_instr_as_intrinsic(instr), &drop);
   } else {
      return false;
   }
   if (v)
      nir_value_replace(old, v);
   if (v || drop)
      nir_instr_remove(instr);
   return v || drop;
}

static bool
lower_instrs(nir_shader *nir)
{
   return nir_visit_instrs(nir, lower_instr, nir_metadata_control_flow, NULL);
}

/* Once: what comes of frag_coord is of the same form. SV_InstanceID begins at
 * 0 with every draw: what else is added to it belongs to the runtime. */
static bool
system_value_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *intr;
   nir_value *v;

   (void)data;
   if (instr->kind != nir_kind_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   b->cursor = nir_before_instr(instr);
   if (intr->intrinsic == nir_intrinsic_load_frag_coord)
      v = lower_frag_coord(b, intr);
   else if (intr->intrinsic == nir_intrinsic_load_base_instance)
      v = nir_imm_int(b, 0);
   else
      return false;
   nir_instr_replace(&intr->instr, v);
   return true;
}

/* --- Booleans ----------------------------------------------------------- */

/* Registers hold them as 0 and ~0, and so does NIR by now: what makes the one
 * of the other is the value itself. */
static nir_component
source_of(const nir_alu_instr *alu, unsigned i)
{
   return nir_component_of(alu->src[i].use.value, alu->src[i].swizzle[0]);
}

static bool
is_truth(nir_component s, unsigned depth)
{
   if (nir_component_is_const(s)) {
      const uint64_t v = nir_component_as_uint(s);
      return v == 0 || v == UINT32_MAX;
   }
   if (!nir_component_is_alu(s) || s.def->bit_size != 32 || depth == 8)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu(s.def->instr);
   switch (alu->op) {
   case nir_op_iand:
   case nir_op_ior:
   case nir_op_ixor:
      return is_truth(source_of(alu, 0), depth + 1) &&
             is_truth(source_of(alu, 1), depth + 1);
   case nir_op_inot: return is_truth(source_of(alu, 0), depth + 1);
   case nir_op_b32csel:
      return is_truth(source_of(alu, 1), depth + 1) &&
             is_truth(source_of(alu, 2), depth + 1);
   default:
      return nir_type_base(nir_op_infos[alu->op].output.type) ==
                nir_type_bool &&
             !nir_op_is_vec(alu->op);
   }
}

static bool
drop_truth(nir_builder *b, nir_instr *instr, void *data)
{
   nir_value *v = NULL;

   (void)data;
   if (instr->kind != nir_kind_alu || instr->result.num_components != 1 ||
       instr->result.bit_size != 32)
      return false;
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   if (alu->src[0].use.value->bit_size != 32)
      return false;
   const nir_component x = source_of(alu, 0);
   b->cursor = nir_before_instr(instr);
   if (alu->op == nir_op_ineg && nir_component_is_alu(x) &&
       nir_instr_as_alu(x.def->instr)->op == nir_op_b2i32)
      v = nir_operand_value(b, nir_instr_as_alu(x.def->instr), 0);
   else if (alu->op == nir_op_i2b32 && is_truth(x, 0))
      v = nir_operand_value(b, alu, 0);
   else if ((alu->op == nir_op_ine32 || alu->op == nir_op_ieq32) &&
            nir_use_is_const(alu->src[1].use) &&
            nir_component_as_uint(source_of(alu, 1)) == 0 && is_truth(x, 0))
      v = alu->op == nir_op_ine32 ? nir_operand_value(b, alu, 0)
                                  : nir_inot(b, nir_operand_value(b, alu, 0));
   if (v)
      nir_instr_replace(instr, v);
   return v != NULL;
}

static bool
drop_truths(nir_shader *nir)
{
   return nir_visit_instrs(nir, drop_truth, nir_metadata_control_flow, NULL);
}

/* --- All ---------------------------------------------------------------- */

static bool
optimize(nir_shader *nir)
{
   bool progress = false;

   NIR_PASS(progress, nir, nir_copy_prop);
   NIR_PASS(progress, nir, nir_opt_remove_phis);
   NIR_PASS(progress, nir, nir_opt_dce);
   NIR_PASS(progress, nir, nir_opt_dead_cf);
   NIR_PASS(progress, nir, nir_opt_cse);
   NIR_PASS(progress, nir, nir_opt_if, false);
   NIR_PASS(progress, nir, nir_opt_trivial_continues);
   NIR_PASS(progress, nir, nir_opt_algebraic);
   NIR_PASS(progress, nir, nir_opt_constant_folding);
   NIR_PASS(progress, nir, nir_opt_undef);
   NIR_PASS(progress, nir, nir_lower_alu_to_scalar, NULL, NULL);
   return progress;
}

static void
lower_variables(struct tpf_emit *e)
{
   nir_shader *nir = e->nir;
   const nir_variable_mode io = nir_var_shader_in | nir_var_shader_out;
   bool progress = false;

   NIR_PASS(progress, nir, nir_lower_returns);
   NIR_PASS(progress, nir, nir_inline_functions);
   nir_remove_non_entrypoints(nir);
   if (nir->info.stage != MESA_SHADER_COMPUTE)
      NIR_PASS(progress, nir, nir_lower_io_to_temporaries,
               nir_entry_point(nir), true, false);
   NIR_PASS(progress, nir, nir_lower_global_vars_to_local);
   NIR_PASS(progress, nir, nir_lower_variable_initializers,
            nir_var_function_temp);
   NIR_PASS(progress, nir, nir_split_var_copies);
   NIR_PASS(progress, nir, nir_lower_var_copies);
   NIR_PASS(progress, nir, nir_split_struct_vars, nir_var_function_temp);
   NIR_PASS(progress, nir, nir_lower_array_deref_of_vec,
            io | nir_var_function_temp);
   NIR_PASS(progress, nir, nir_lower_system_values);
   NIR_PASS(progress, nir, nir_lower_indirect_derefs, io, UINT32_MAX);
   NIR_PASS(progress, nir, nir_lower_vars_to_ssa);
   NIR_PASS(progress, nir, nir_remove_dead_variables,
            nir_var_function_temp | nir_var_shader_temp, NULL);
   NIR_PASS(progress, nir, nir_lower_io, io, slots,
            nir_lower_io_lower_64bit_to_32);
   tpf_emit_find_constants(e);
   NIR_PASS(progress, nir, nir_io_add_const_offset_to_base, io);
   (void)progress;
}

/* What has no g# of its own lies in one, raw. */
static void
place_shared(nir_shader *nir)
{
   unsigned at_B = 0;

   nir_foreach_variable_with_modes(var, nir, nir_var_mem_shared) {
      if (var->data.descriptor_set == TPF_SHARED_SET)
         continue;
      at_B = ALIGN(at_B, 16);
      var->data.driver_location = at_B;
      at_B += glsl_get_explicit_size(var->type, false);
   }
   nir->info.shared_size = at_B;
}

static void
lower_memory(nir_shader *nir)
{
   bool progress = false, again = true;

   nir_foreach_variable_with_modes(var, nir, nir_var_mem_shared)
      again &= glsl_get_explicit_stride(var->type) == 0;
   if (again)
      NIR_PASS(progress, nir, nir_lower_vars_to_explicit_types,
               nir_var_mem_shared, dword_size_align);
   NIR_PASS(progress, nir, tpf_cut_structured);
   place_shared(nir);
   NIR_PASS(progress, nir, nir_lower_explicit_io,
            nir_var_mem_ubo | nir_var_mem_ssbo,
            nir_address_format_32bit_index_offset);
   NIR_PASS(progress, nir, nir_lower_explicit_io, nir_var_mem_shared,
            nir_address_format_32bit_offset);
   (void)progress;
}

/* What tpf_select.c has a row for makes as many components as are asked. */
static bool
is_by_component(const nir_alu_instr *alu)
{
   return alu->op != nir_op_pack_half_2x16_split &&
          alu->op != nir_op_unpack_half_2x16_split_y && tpf_select_row(alu);
}

void
tpf_emit_lower(struct tpf_emit *e)
{
   static const struct d3d_vector_options vectors = {
      .by_component = is_by_component,
      .least_dot = 2,
   };
   nir_shader *nir = e->nir;
   bool progress = false;

   nir->options = &options;
   lower_variables(e);
   lower_memory(nir);
   NIR_PASS(progress, nir, nir_visit_instrs, system_value_instr,
            nir_metadata_control_flow, NULL);
   NIR_PASS(progress, nir, nir_lower_doubles, NULL,
            nir_lower_dsqrt | nir_lower_drsq | nir_lower_dtrunc |
               nir_lower_dfloor | nir_lower_dceil | nir_lower_dfract |
               nir_lower_dround_even | nir_lower_dmod | nir_lower_dsign |
               nir_lower_dsat | nir_lower_dfrexp | nir_lower_dldexp |
               nir_lower_dflrp | nir_lower_d2half);
   NIR_PASS(progress, nir, nir_lower_frexp);
   NIR_PASS(progress, nir, nir_lower_tg4_offsets);
   NIR_PASS(progress, nir, nir_lower_pack);
   NIR_PASS(progress, nir, nir_lower_alu_to_scalar, NULL, NULL);
   NIR_PASS(progress, nir, nir_lower_phis_to_scalar, true);
   NIR_PASS(progress, nir, lower_instrs);
   for (unsigned i = 0; i < 32 && optimize(nir); i++)
      NIR_PASS(progress, nir, lower_instrs);
   tpf_emit_read_constants(e);
   NIR_PASS(progress, nir, tpf_join_structured);
   optimize(nir);
   NIR_PASS(progress, nir, nir_lower_bool_to_int32);
   NIR_PASS(progress, nir, drop_truths);
   NIR_PASS(progress, nir, nir_copy_prop);
   NIR_PASS(progress, nir, nir_opt_dce);
   (void)progress;
   nir_remove_dead_derefs(nir);
   d3d_make_vectors(nir, &vectors);
   e->impl = nir_entry_point(nir);
}
