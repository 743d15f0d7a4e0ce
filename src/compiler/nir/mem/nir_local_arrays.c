/* SPDX-License-Identifier: MIT */
#include "nir_local_arrays.h"

unsigned
nir_memory_component_B(const struct glsl_type *t)
{
   return MAX2(4, glsl_get_bit_size(t) / 8);
}

uint64_t
nir_memory_type_B(const struct glsl_type *t)
{
   if (glsl_type_is_array_or_matrix(t))
      return glsl_get_length(t) *
             nir_memory_type_B(glsl_get_array_element(t));
   if (!glsl_type_is_vector_or_scalar(t))
      return 0;
   return (uint64_t)glsl_get_vector_elements(t) * nir_memory_component_B(t);
}

bool
nir_deref_is_only_loaded_and_stored(nir_deref_instr *d)
{
   nir_foreach_instr_use(src, &d->instr.result) {
      nir_instr *user = src->instr;
      nir_intrinsic_instr *intr;

      if (user->kind == nir_kind_deref)
         continue;
      if (user->kind != nir_kind_intrinsic)
         return false;
      intr = nir_instr_as_intrinsic(user);
      if (src != &intr->src[0] ||
          (intr->intrinsic != nir_intrinsic_load_deref &&
           intr->intrinsic != nir_intrinsic_store_deref))
         return false;
   }
   return !nir_value_is_condition(&d->instr.result);
}

nir_value *
nir_memory_offset(nir_builder *b, nir_deref_instr *deref, unsigned base_B)
{
   nir_value *offset = nir_imm_int(b, (int)base_B);
   nir_deref_path path;

   nir_deref_path_init(&path, deref, NULL);
   for (nir_deref_instr **d = path.path + 1; *d; d++) {
      const struct glsl_type *outer = nir_deref_parent(*d)->type;
      nir_value *last = nir_imm_int(b, (int)glsl_get_length(outer) - 1);
      nir_value *index = nir_i2i32(b, nir_use_value(b, (*d)->index, 1));

      index = nir_umin(b, index, last);
      offset = nir_iadd(
         b, offset, nir_imul_imm(b, index, nir_memory_type_B((*d)->type)));
   }
   nir_deref_path_finish(&path);
   return offset;
}

nir_value *
nir_narrow_from_memory(nir_builder *b, nir_value *v, unsigned bits)
{
   switch (bits) {
   case 1: return nir_ine(b, v, nir_imm_int(b, 0));
   case 8: return nir_u2u8(b, v);
   case 16: return nir_u2u16(b, v);
   default: return v;
   }
}
