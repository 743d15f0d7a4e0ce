/* SPDX-License-Identifier: MIT */
/* Loads and stores of one component of a vector become ones of the whole
 * vector, for the modes given. A store reads the vector before, unless the
 * component is constant: then it only writes it. */
#include "nir.h"
#include "nir_builder.h"

static nir_value *
lower_load(nir_builder *b, nir_intrinsic_instr *intr, nir_deref_instr *vec,
           nir_value *index)
{
   nir_value *v =
      nir_load_deref_with_access(b, vec, nir_intrinsic_access(intr));
   return nir_vector_extract(b, v, index);
}

static void
lower_store(nir_builder *b, nir_intrinsic_instr *intr, nir_deref_instr *vec,
            const nir_deref_instr *comp)
{
   const unsigned n = glsl_get_vector_elements(vec->type);
   const enum gl_access_qualifier access = nir_intrinsic_access(intr);
   nir_value *value = nir_use_value(b, intr->src[1], 1);
   nir_value *parts[NIR_MAX_VEC_COMPONENTS], *v;

   if (nir_use_is_const(comp->index)) {
      const uint64_t c = nir_use_as_uint(comp->index);
      if (c >= n)
         return;
      for (unsigned i = 0; i < n; i++)
         parts[i] = i == c ? value : nir_undef(b, 1, value->bit_size);
      nir_store_deref_with_access(b, vec, nir_vec(b, parts, n), 1u << c,
                                  access);
      return;
   }
   v = nir_load_deref_with_access(b, vec, access);
   v = nir_vector_insert(b, v, value, nir_use_value(b, comp->index, 1));
   nir_store_deref_with_access(b, vec, v, BITFIELD_MASK(n), access);
}

static bool
lower(nir_builder *b, nir_instr *instr, void *data)
{
   const nir_variable_mode modes = *(nir_variable_mode *)data;
   nir_intrinsic_instr *intr;
   nir_deref_instr *deref, *vec;

   if (instr->kind != nir_kind_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   if (intr->intrinsic != nir_intrinsic_load_deref &&
       intr->intrinsic != nir_intrinsic_store_deref)
      return false;
   deref = nir_use_as_deref(intr->src[0]);
   if (deref->deref_type != nir_deref_type_array ||
       !nir_deref_mode_is_one_of(deref, modes))
      return false;
   vec = nir_deref_parent(deref);
   if (!vec || !glsl_type_is_vector(vec->type))
      return false;
   b->cursor = nir_before_instr(instr);
   if (intr->intrinsic == nir_intrinsic_load_deref)
      nir_value_replace(&intr->instr.result,
                        lower_load(b, intr, vec,
                                   nir_use_value(b, deref->index, 1)));
   else
      lower_store(b, intr, vec, deref);
   nir_instr_remove(instr);
   nir_deref_remove_unused(deref);
   return true;
}

bool
nir_lower_array_deref_of_vec(nir_shader *shader, nir_variable_mode modes)
{
   return nir_visit_instrs(shader, lower, nir_metadata_control_flow, &modes);
}
