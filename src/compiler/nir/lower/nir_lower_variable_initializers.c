/* SPDX-License-Identifier: MIT */
/* Initialisers of variables become stores: at the start of the function for
 * its own variables, at the start of the entry point for global ones. */
#include "nir.h"
#include "nir_builder.h"

static void
store(nir_builder *b, nir_deref_instr *deref, const nir_constant *c)
{
   const struct glsl_type *t = deref->type;

   if (glsl_type_is_vector_or_scalar(t)) {
      nir_value *v = nir_build_imm(b, glsl_get_vector_elements(t),
                                   glsl_get_bit_size(t), c->values);
      nir_store_deref(b, deref, v, BITFIELD_MASK(v->num_components));
      return;
   }
   for (unsigned i = 0; i < glsl_get_length(t); i++) {
      nir_deref_instr *part = glsl_type_is_struct_or_ifc(t)
                                 ? nir_build_deref_struct(b, deref, i)
                                 : nir_build_deref_array_imm(b, deref, i);
      if (c->elements)
         store(b, part, c->elements[i]);
      else
         store(b, part, c); /* null: all of it is zero */
   }
}

static bool
lower_list(nir_function_impl *impl, struct list_head *list,
           nir_variable_mode modes)
{
   nir_builder b = nir_builder_at(impl, nir_before_cf_list(&impl->body));
   bool progress = false;

   nir_foreach_variable_in_list(var, list) {
      if (!(var->data.mode & modes) || !var->constant_initializer)
         continue;
      store(&b, nir_deref_to(&b, var), var->constant_initializer);
      var->constant_initializer = NULL;
      progress = true;
   }
   if (progress)
      nir_metadata_preserve(impl, nir_metadata_control_flow);
   return progress;
}

bool
nir_lower_variable_initializers(nir_shader *shader, nir_variable_mode modes)
{
   bool progress = false;

   modes &= nir_var_function_temp | nir_var_shader_temp | nir_var_shader_out |
            nir_var_system_value;
   nir_foreach_function(function, shader) {
      if (!function->impl)
         continue;
      progress |= lower_list(function->impl, &function->impl->locals,
                             modes & nir_var_function_temp);
      if (function->is_entrypoint)
         progress |= lower_list(function->impl, &shader->variables,
                                modes & ~nir_var_function_temp);
   }
   return progress;
}
