/* SPDX-License-Identifier: MIT */
/*
 * A load of an element that its array does not have, by a constant index, is
 * zero; a store there does nothing. What an access outside of an array does
 * is undefined in GLSL and SPIR-V, but the passes that follow count slots and
 * registers from the index, and may end anywhere.
 *
 * Before: SSA, derefs. After: no constant index of these modes is outside of
 * an array, a matrix or a vector whose length is known.
 */
#include "nir.h"
#include "nir_builder.h"

/* Elements of what a deref steps into; UINT32_MAX: not known. */
static unsigned
num_elements(const struct glsl_type *type)
{
   if (glsl_type_is_unsized_array(type))
      return UINT32_MAX;
   return glsl_type_is_vector(type) ? glsl_get_vector_elements(type)
                                    : glsl_get_length(type);
}

static bool
is_outside(nir_deref_instr *d)
{
   for (nir_deref_instr *up; d; d = up) {
      up = nir_deref_parent(d);
      if (d->deref_type == nir_deref_type_array && up &&
          nir_use_is_const(d->index) &&
          nir_use_as_uint(d->index) >= num_elements(up->type))
         return true;
   }
   return false;
}

static bool
accesses_memory(nir_intrinsic_op op)
{
   switch (op) {
   case nir_intrinsic_load_deref:
   case nir_intrinsic_store_deref:
   case nir_intrinsic_interp_deref_at_centroid:
   case nir_intrinsic_interp_deref_at_sample:
   case nir_intrinsic_interp_deref_at_offset:
   case nir_intrinsic_interp_deref_at_vertex: return true;
   default: return false;
   }
}

static bool
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   const nir_variable_mode modes = *(const nir_variable_mode *)data;

   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return false;
   if (!accesses_memory(intr->intrinsic))
      return false;
   nir_deref_instr *deref = nir_use_as_deref(intr->src[0]);
   if (!nir_deref_mode_is_one_of(deref, modes) || !is_outside(deref))
      return false;
   nir_remove_as_zero(b, intr);
   return true;
}

bool
nir_lower_outside_accesses(nir_shader *shader, nir_variable_mode modes)
{
   return nir_visit_instrs(shader, lower_instr, nir_metadata_control_flow,
                           &modes);
}
