/* SPDX-License-Identifier: MIT */
/*
 * Function variables that are arrays, indexed by what only run time knows,
 * become register arrays; the others were made SSA before.
 *
 * One register for a variable: its array elements (nested arrays and matrix
 * columns flattened) of the vector at the bottom. Structs must have been
 * split. Before: SSA, no copies of whole arrays. After: loads and stores of
 * function_temp are movs from and to registers.
 */
#include "nir_builder.h"

#include "nir_private.h"
#include "util/hash_table.h"

struct locals_state {
   nir_builder b;
   struct hash_table regs; /* nir_variable -> nir_register */
   bool progress;
};

static bool
is_supported(const nir_variable *var)
{
   const struct glsl_type *t = glsl_without_array(var->type);
   return glsl_type_is_matrix(t) || glsl_type_is_vector_or_scalar(t);
}

static nir_register *
reg_for_var(struct locals_state *s, nir_variable *var, unsigned bit_size)
{
   nir_register *reg = hash_table_get(&s->regs, hash_key_ptr(var));
   if (reg)
      return reg;
   const struct glsl_type *t = glsl_without_array(var->type);
   unsigned elements = glsl_get_aoa_size(var->type);
   if (glsl_type_is_matrix(t))
      elements *= glsl_get_matrix_columns(t);
   reg = nir_local_reg_create(s->b.impl);
   reg->num_components = glsl_get_vector_elements(t);
   /* A boolean has the size that the code gives it by now. */
   reg->bit_size = (uint8_t)bit_size;
   reg->num_array_elems =
      glsl_type_is_array(var->type) || glsl_type_is_matrix(t) ? elements : 0;
   hash_table_insert(&s->regs, hash_key_ptr(var), reg);
   return reg;
}

/* Elements of the register that one step of this type spans. */
static unsigned
type_elements(const struct glsl_type *t)
{
   unsigned n = glsl_get_aoa_size(t);
   t = glsl_without_array(t);
   return glsl_type_is_matrix(t) ? n * glsl_get_matrix_columns(t) : n;
}

/* The place that the chain names: base offset and indirect index. */
static void
reg_location(struct locals_state *s, nir_deref_instr *deref,
             unsigned bit_size, nir_reg_src *out)
{
   nir_variable *var = nir_deref_instr_get_variable(deref);
   memset(out, 0, sizeof(*out));
   out->reg = reg_for_var(s, var, bit_size);
   nir_ssa_def *indirect = NULL;
   for (nir_deref_instr *d = deref; d->deref_type == nir_deref_type_array;
        d = nir_deref_instr_parent(d)) {
      const unsigned stride = type_elements(d->type);
      if (nir_src_is_const(d->arr.index)) {
         out->base_offset += (unsigned)nir_src_as_uint(d->arr.index) * stride;
         continue;
      }
      nir_ssa_def *i = nir_u2uN(&s->b, d->arr.index.ssa, 32);
      i = nir_imul_imm(&s->b, i, stride);
      indirect = indirect ? nir_iadd(&s->b, indirect, i) : i;
   }
   /* Out of bounds is undefined; keep it inside the register. */
   if (out->reg->num_array_elems &&
       out->base_offset >= out->reg->num_array_elems)
      out->base_offset = 0;
   if (indirect) {
      /* One undefined index must not reach other variables. */
      indirect = nir_umin(
         &s->b, indirect,
         nir_imm_int(
            &s->b, (int)(out->reg->num_array_elems - out->base_offset) - 1));
      out->indirect = arena_new(s->b.shader->arena, nir_src);
      *out->indirect = nir_src_for_ssa(indirect);
   }
}

static bool
lower_access(struct locals_state *s, nir_intrinsic_instr *intr)
{
   nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
   if (!deref || !nir_deref_mode_is(deref, nir_var_function_temp))
      return false;
   nir_variable *var = nir_deref_instr_get_variable(deref);
   if (!var || !is_supported(var) ||
       !glsl_type_is_vector_or_scalar(deref->type))
      return false;
   s->b.cursor = nir_before_instr(&intr->instr);
   nir_reg_src place;
   reg_location(s, deref,
                intr->intrinsic == nir_intrinsic_load_deref
                   ? intr->dest.ssa.bit_size
                   : nir_src_bit_size(intr->src[1]),
                &place);
   nir_alu_instr *mov = nir_alu_instr_create(s->b.shader, nir_op_mov);
   if (intr->intrinsic == nir_intrinsic_load_deref) {
      mov->src[0].src = (nir_src) { .reg = place, .is_ssa = false };
      const unsigned n = intr->dest.ssa.num_components;
      nir_ssa_dest_init(&mov->instr, &mov->dest.dest, n,
                        intr->dest.ssa.bit_size, NULL);
      mov->dest.write_mask = BITFIELD_MASK(n);
      nir_builder_instr_insert(&s->b, &mov->instr);
      nir_ssa_def_rewrite_uses(&intr->dest.ssa, &mov->dest.dest.ssa);
   } else {
      mov->src[0].src = nir_src_for_ssa(intr->src[1].ssa);
      for (unsigned c = intr->src[1].ssa->num_components;
           c < NIR_MAX_VEC_COMPONENTS; c++)
         mov->src[0].swizzle[c] = 0;
      mov->dest.dest.is_ssa = false;
      mov->dest.dest.reg.reg = place.reg;
      mov->dest.dest.reg.base_offset = place.base_offset;
      mov->dest.dest.reg.indirect = place.indirect;
      mov->dest.write_mask = nir_intrinsic_write_mask(intr);
      nir_builder_instr_insert(&s->b, &mov->instr);
   }
   nir_instr_remove(&intr->instr);
   nir_deref_instr_remove_if_unused(deref);
   return true;
}

static bool
locals_to_regs_impl(nir_function_impl *impl)
{
   struct locals_state s = { 0 };
   nir_builder_init(&s.b, impl);
   hash_table_init(&s.regs);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != nir_instr_type_intrinsic)
            continue;
         nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
         if (intr->intrinsic == nir_intrinsic_load_deref ||
             intr->intrinsic == nir_intrinsic_store_deref)
            s.progress |= lower_access(&s, intr);
      }
   }
   hash_table_finish(&s.regs);
   nir_metadata_preserve(impl, s.progress ? nir_metadata_control_flow
                                          : nir_metadata_all);
   return s.progress;
}

bool
nir_lower_locals_to_regs(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_function(func, shader) {
      if (func->impl)
         progress |= locals_to_regs_impl(func->impl);
   }
   return progress;
}
