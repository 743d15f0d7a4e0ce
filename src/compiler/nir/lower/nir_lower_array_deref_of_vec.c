/* SPDX-License-Identifier: MIT */
/* Loads and stores of one component of a vector become ones of the whole
 * vector, for the modes given. A store reads the vector before, unless the
 * component is constant: then it only writes it. */
#include "nir.h"
#include "nir_builder.h"

static nir_ssa_def *
lower_load(nir_builder *b, nir_intrinsic_instr *intr, nir_deref_instr *vec,
           nir_ssa_def *index)
{
   nir_ssa_def *v =
      nir_load_deref_with_access(b, vec, nir_intrinsic_access(intr));
   return nir_vector_extract(b, v, index);
}

static void
lower_store(nir_builder *b, nir_intrinsic_instr *intr, nir_deref_instr *vec,
            const nir_deref_instr *comp)
{
   const unsigned n = glsl_get_vector_elements(vec->type);
   const enum gl_access_qualifier access = nir_intrinsic_access(intr);
   nir_ssa_def *value = nir_ssa_for_src(b, intr->src[1], 1);
   nir_ssa_def *parts[NIR_MAX_VEC_COMPONENTS], *v;

   if (nir_src_is_const(comp->arr.index)) {
      const uint64_t c = nir_src_as_uint(comp->arr.index);
      if (c >= n)
         return;
      for (unsigned i = 0; i < n; i++)
         parts[i] = i == c ? value : nir_ssa_undef(b, 1, value->bit_size);
      nir_store_deref_with_access(b, vec, nir_vec(b, parts, n), 1u << c,
                                  access);
      return;
   }
   v = nir_load_deref_with_access(b, vec, access);
   v = nir_vector_insert(b, v, value, nir_ssa_for_src(b, comp->arr.index, 1));
   nir_store_deref_with_access(b, vec, v, BITFIELD_MASK(n), access);
}

static bool
lower(nir_builder *b, nir_instr *instr, void *data)
{
   const nir_variable_mode modes = *(nir_variable_mode *)data;
   nir_intrinsic_instr *intr;
   nir_deref_instr *deref, *vec;

   if (instr->type != nir_instr_type_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   if (intr->intrinsic != nir_intrinsic_load_deref &&
       intr->intrinsic != nir_intrinsic_store_deref)
      return false;
   deref = nir_src_as_deref(intr->src[0]);
   if (deref->deref_type != nir_deref_type_array ||
       !nir_deref_mode_is_one_of(deref, modes))
      return false;
   vec = nir_deref_instr_parent(deref);
   if (!vec || !glsl_type_is_vector(vec->type))
      return false;
   b->cursor = nir_before_instr(instr);
   if (intr->intrinsic == nir_intrinsic_load_deref)
      nir_ssa_def_rewrite_uses(
         &intr->dest.ssa,
         lower_load(b, intr, vec, nir_ssa_for_src(b, deref->arr.index, 1)));
   else
      lower_store(b, intr, vec, deref);
   nir_instr_remove(instr);
   nir_deref_instr_remove_if_unused(deref);
   return true;
}

bool
nir_lower_array_deref_of_vec(nir_shader *shader, nir_variable_mode modes)
{
   return nir_shader_instructions_pass(shader, lower,
                                       nir_metadata_control_flow, &modes);
}
