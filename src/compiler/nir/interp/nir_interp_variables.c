/* SPDX-License-Identifier: MIT */
/*
 * Temporaries: a cell for each component, and what stands in it at first.
 */
#include "nir_interp_private.h"

#include "nir_private.h"

/* --- Sizes -------------------------------------------------------------- */

unsigned
interp_type_cells(const struct glsl_type *t)
{
   if (glsl_type_is_array(t))
      return glsl_get_length(t) *
             interp_type_cells(glsl_get_array_element(t));
   if (glsl_type_is_struct_or_ifc(t)) {
      unsigned n = 0;
      for (unsigned i = 0; i < glsl_get_length(t); i++)
         n += interp_type_cells(glsl_get_struct_field(t, i));
      return n;
   }
   return MAX2(glsl_get_components(t), 1);
}

unsigned
interp_member_cells(const struct glsl_type *t, unsigned index)
{
   unsigned n = 0;
   for (unsigned i = 0; i < index; i++)
      n += interp_type_cells(glsl_get_struct_field(t, i));
   return n;
}

/* --- Initial values ----------------------------------------------------- */

static void
init_cells(nir_const_value *cells, const nir_constant *c,
           const struct glsl_type *t)
{
   if (!c || c->is_null_constant)
      return;
   if (glsl_type_is_vector_or_scalar(t)) {
      memcpy(cells, c->values, glsl_get_vector_elements(t) * sizeof(*cells));
      return;
   }
   for (unsigned i = 0; i < c->num_elements; i++) {
      const struct glsl_type *e = glsl_type_is_struct_or_ifc(t)
                                     ? glsl_get_struct_field(t, i)
                                     : glsl_get_array_element(t);
      init_cells(cells, c->elements[i], e);
      cells += interp_type_cells(e);
   }
}

/* What a variable has before anything is stored to it. */
static void
leave_undefined(nir_const_value *cells, const struct glsl_type *t,
                uint32_t bits)
{
   const bool is_record = glsl_type_is_struct_or_ifc(t);

   if (glsl_type_is_vector_or_scalar(t) || glsl_type_is_matrix(t)) {
      for (unsigned i = 0; i < interp_type_cells(t); i++)
         cells[i] = nir_const_value_for_raw_uint(bits, glsl_get_bit_size(t));
      return;
   }
   if (!is_record && !glsl_type_is_array(t))
      return;
   for (unsigned i = 0; i < glsl_get_length(t); i++) {
      const struct glsl_type *e = is_record ? glsl_get_struct_field(t, i)
                                            : glsl_get_array_element(t);
      leave_undefined(cells, e, bits);
      cells += interp_type_cells(e);
   }
}

nir_const_value *
interp_temp_cells(struct nir_interp *s, const nir_variable *var,
                  unsigned lane)
{
   const unsigned n = interp_type_cells(var->type);
   nir_const_value *store = hash_table_get(&s->vars, hash_key_ptr(var));
   if (!store) {
      store =
         arena_new_array(s->arena, nir_const_value, (size_t)n * s->lanes);
      for (unsigned l = 0; l < s->lanes; l++) {
         if (!var->constant_initializer)
            leave_undefined(store + (size_t)l * n, var->type,
                            s->params->undefined);
         init_cells(store + (size_t)l * n, var->constant_initializer,
                    var->type);
      }
      hash_table_insert(&s->vars, hash_key_ptr(var), store);
   }
   return store + (size_t)lane * n;
}
