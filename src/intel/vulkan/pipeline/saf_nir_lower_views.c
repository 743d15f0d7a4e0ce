/* SPDX-License-Identifier: MIT */
/*
 * Multiview by layers: each draw is made once a view, the vertex shader
 * learns the view from the element of draw ids and selects the layer of that
 * number with it, and fragment shaders read it back from there. A group of
 * devices has one here.
 */
#include "compiler/nir/nir_builder.h"
#include "saf_shader.h"

static bool
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   const bool *multiview = data;
   if (instr->type != nir_instr_type_intrinsic)
      return false;
   nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
   nir_ssa_def *def;
   b->cursor = nir_before_instr(instr);
   if (intr->intrinsic == nir_intrinsic_load_device_index) {
      def = nir_imm_int(b, 0);
   } else if (intr->intrinsic == nir_intrinsic_load_view_index) {
      if (!*multiview)
         def = nir_imm_int(b, 0);
      else if (b->shader->info.stage == MESA_SHADER_FRAGMENT)
         def = nir_load_layer_id(b);
      else
         return false;
   } else {
      return false;
   }
   nir_ssa_def_rewrite_uses(&intr->dest.ssa, def);
   nir_instr_remove(instr);
   return true;
}

static void
select_layer(nir_shader *nir)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(nir);
   nir_variable *layer =
      nir_variable_create(nir, nir_var_shader_out, glsl_int_type(), "view");
   layer->data.location = VARYING_SLOT_LAYER;
   nir_builder b;
   nir_builder_init(&b, impl);
   b.cursor = nir_after_cf_list(&impl->body);
   nir_store_var(&b, layer, nir_load_view_index(&b), 1);
   nir_metadata_preserve(impl, nir_metadata_control_flow);
}

bool
saf_nir_lower_views(nir_shader *nir, bool multiview)
{
   bool progress = nir_shader_instructions_pass(
      nir, lower_instr, nir_metadata_control_flow, &multiview);
   if (multiview && nir->info.stage == MESA_SHADER_VERTEX) {
      select_layer(nir);
      progress = true;
   }
   return progress;
}
