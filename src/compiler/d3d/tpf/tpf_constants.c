/* SPDX-License-Identifier: MIT */
/*
 * Arrays of constants are in the immediate constant buffer, an element a row
 * (nir_opt_constant_arrays; arrays are of four components before). Rows that
 * are known are constants where they are read, others have an index; what
 * makes bytes of it is part of the load.
 *
 * An index is held within its array. The last one needs no such bound: what
 * is beyond the buffer is zero, and beyond an array anything.
 */
#include "tpf_emit.h"

#define ROW_B 16

/* ---- arrays of four components ---- */

static bool
is_narrow(const struct glsl_type *type)
{
   const struct glsl_type *row = glsl_without_array(type);

   return glsl_type_is_array(type) && glsl_get_array_element(type) == row &&
          glsl_type_is_vector_or_scalar(row) &&
          glsl_get_bit_size(row) == 32 && glsl_get_vector_elements(row) < 4;
}

static const struct glsl_type *
wide(const struct glsl_type *type)
{
   return glsl_vector_type(glsl_get_base_type(glsl_without_array(type)), 4);
}

static bool
widen_access(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   nir_deref_instr *d;
   nir_value *v[4];

   (void)data;
   if (!intr || (intr->intrinsic != nir_intrinsic_load_deref &&
                 intr->intrinsic != nir_intrinsic_store_deref))
      return false;
   d = nir_use_as_deref(intr->src[0]);
   if (!nir_deref_mode_is(d, nir_var_function_temp) ||
       d->deref_type != nir_deref_type_array ||
       glsl_get_vector_elements(d->type) != 4 || intr->num_components == 4)
      return false;
   b->cursor = nir_before_instr(instr);
   if (intr->intrinsic == nir_intrinsic_load_deref) {
      nir_value_replace(&intr->instr.result,
                        nir_channels(b, nir_load_deref(b, d),
                                     (nir_component_mask_t)BITFIELD_MASK(
                                        intr->num_components)));
   } else {
      for (unsigned i = 0; i < 4; i++)
         v[i] = i < intr->num_components
                   ? nir_channel(b, intr->src[1].value, i)
                   : nir_undef(b, 1, 32);
      nir_store_deref(b, d, nir_vec(b, v, 4), nir_intrinsic_write_mask(intr));
   }
   nir_instr_remove(instr);
   return true;
}

static void
widen_arrays(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   bool progress = false;

   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         nir_deref_instr *d = nir_maybe_deref(instr);
         nir_variable *var = d ? nir_deref_root(d) : NULL;
         if (!var || var->data.mode != nir_var_function_temp ||
             !is_narrow(var->type))
            continue;
         d->type =
            d->deref_type == nir_deref_type_var
               ? glsl_array_type(wide(d->type), glsl_get_length(d->type), 0)
               : wide(d->type);
      }
   }
   nir_foreach_function_temp_variable(var, impl) {
      if (is_narrow(var->type))
         var->type =
            glsl_array_type(wide(var->type), glsl_get_length(var->type), 0);
   }
   NIR_PASS(progress, nir, nir_visit_instrs, widen_access,
            nir_metadata_control_flow, NULL);
   (void)progress;
}

/* ---- loads ---- */

/* index * 16, or index << 4: the operand that is the index; -1: neither. */
static int
index_operand(const nir_alu_instr *alu)
{
   const bool shift = alu->op == nir_op_ishl;

   for (unsigned i = 0; i < 2 && (shift || alu->op == nir_op_imul); i++) {
      if (shift && i == 0)
         continue;
      if (nir_use_is_const(alu->src[i].use) &&
          nir_use_comp_as_uint(alu->src[i].use, alu->src[i].swizzle[0]) ==
             (shift ? 4 : ROW_B))
         return 1 - (int)i;
   }
   return -1;
}

static bool
is_last(const nir_shader *nir, const nir_intrinsic_instr *load)
{
   return nir_intrinsic_base(load) + nir_intrinsic_range(load) ==
          nir->constant_data_size;
}

static nir_value *
known_row(nir_builder *b, const nir_intrinsic_instr *load)
{
   const uint8_t *data = b->shader->constant_data;
   const uint64_t at_B = (uint64_t)nir_intrinsic_base(load) +
                         nir_use_as_uint(load->src[0]);
   nir_value *v[4];

   for (unsigned i = 0; i < load->num_components; i++) {
      int32_t word = 0;
      if (at_B + 4 * i + 4 <= b->shader->constant_data_size)
         memcpy(&word, data + at_B + 4 * i, 4);
      v[i] = nir_imm_int(b, word);
   }
   return nir_vec(b, v, load->num_components);
}

static bool
read_known(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);

   (void)data;
   if (!intr || intr->intrinsic != nir_intrinsic_load_constant ||
       !nir_use_is_const(intr->src[0]))
      return false;
   b->cursor = nir_before_instr(instr);
   nir_value_replace(&intr->instr.result, known_row(b, intr));
   nir_instr_remove(instr);
   return true;
}

/* The index of the last array without its bound. */
static bool
unbound_row(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   nir_alu_instr *offset, *bound;
   int index;

   (void)data;
   if (!intr || intr->intrinsic != nir_intrinsic_load_constant ||
       !is_last(b->shader, intr))
      return false;
   offset = nir_maybe_alu(intr->src[0].value->instr);
   index = offset ? index_operand(offset) : -1;
   bound = index >= 0 ? nir_maybe_alu(offset->src[index].use.value->instr)
                      : NULL;
   if (!bound || bound->op != nir_op_umin)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      const nir_operand *limit = &bound->src[i], *row = &bound->src[1 - i];
      const unsigned comp = offset->src[index].swizzle[0];
      if (!nir_use_is_const(limit->use) ||
          nir_use_comp_as_uint(limit->use, limit->swizzle[comp]) <
             nir_intrinsic_range(intr) / ROW_B - 1)
         continue;
      b->cursor = nir_before_instr(instr);
      nir_set_use(
         instr, &intr->src[0],
         nir_ishl_imm(b, nir_channel(b, row->use.value, row->swizzle[comp]),
                      4));
      return true;
   }
   return false;
}

void
tpf_emit_find_constants(struct tpf_emit *e)
{
   bool progress = false;

   NIR_PASS(progress, e->nir, nir_flatten_local_arrays);
   widen_arrays(e->nir);
   NIR_PASS(progress, e->nir, nir_opt_constant_arrays, ROW_B);
   NIR_PASS(progress, e->nir, nir_remove_dead_variables,
            nir_var_function_temp, NULL);
   (void)progress;
}

void
tpf_emit_read_constants(struct tpf_emit *e)
{
   bool progress = false;

   NIR_PASS(progress, e->nir, nir_visit_instrs, read_known,
            nir_metadata_control_flow, NULL);
   do {
      progress = false;
      NIR_PASS(progress, e->nir, nir_visit_instrs, unbound_row,
               nir_metadata_control_flow, NULL);
   } while (progress);
   (void)progress;
}

/* ---- code ---- */

void
tpf_emit_fold_row(struct tpf_emit *e, nir_alu_instr *alu)
{
   const nir_value *v = &alu->instr.result;
   const int index = v->num_components == 1 ? index_operand(alu) : -1;

   if (index < 0 || nir_value_is_unused(v))
      return;
   nir_foreach_use(use, v) {
      const nir_intrinsic_instr *intr =
         use->nif ? NULL : nir_maybe_intrinsic(use->instr);
      if (!intr || intr->intrinsic != nir_intrinsic_load_constant)
         return;
   }
   e->folded[v->index] = true;
}

/* The row of a load, in a register. */
static struct tpf_operand
row_index(struct tpf_emit *e, nir_intrinsic_instr *load)
{
   nir_alu_instr *alu = nir_maybe_alu(load->src[0].value->instr);
   struct tpf_operand at, t;

   if (alu && e->folded[load->src[0].value->index]) {
      const int index = index_operand(alu);
      at = tpf_emit_src(e, &alu->src[index].use, alu->src[index].swizzle[0]);
      if (at.file == TPF_FILE_R)
         return at;
      t = tpf_emit_scratch(e);
      tpf_emit1(e, TPF_OP_MOV, t, at);
   } else {
      t = tpf_emit_scratch(e);
      tpf_emit2(e, TPF_OP_USHR, t, tpf_emit_src(e, &load->src[0], 0),
                tpf_emit_imm(4));
   }
   return t;
}

bool
tpf_select_constant(struct tpf_emit *e, nir_intrinsic_instr *load)
{
   struct tpf_operand o, at;

   if (load->intrinsic != nir_intrinsic_load_constant)
      return false;
   if (load->instr.result.bit_size != 32) {
      tpf_emit_fail(e, "constants of other sizes than 32 bits");
      return true;
   }
   at = row_index(e, load);
   o = tpf_emit_reg(TPF_FILE_ICB, (unsigned)nir_intrinsic_base(load) / ROW_B,
                    0);
   o = tpf_emit_swizzled(o, TPF_SWIZZLE_IDENTITY);
   o.index[0].rel = arena_memdup(e->arena, &at, sizeof(at));
   o.index[0].kind = TPF_INDEX_IMM_REL;
   tpf_emit_scatter(e, &load->instr.result, o);
   return true;
}

void
tpf_emit_declare_constants(struct tpf_emit *e)
{
   const size_t n = e->nir->constant_data_size / 4;
   const struct tpf_inst inst = {
      .op = TPF_OP_CUSTOMDATA,
      .data_class = TPF_DATA_ICB,
      .words = arena_memdup(e->arena, e->nir->constant_data, 4 * n),
      .num_words = n,
   };

   if (!n)
      return;
   if (n > 4 * 4096)
      tpf_emit_fail(e, "more than 4096 rows of constants");
   util_dynarray_append(&e->head, struct tpf_inst, inst);
}
