/* SPDX-License-Identifier: MIT */
/*
 * Multiview by layers: each draw is made once a view, the vertex shader
 * learns the view from the element of draw ids and selects the layer of that
 * number with it, and fragment shaders read it back from there. Stages in
 * between read it from the header of a vertex that they get and write it to
 * that of each that they make; from control to evaluation shader it is a
 * varying of the patch. A group of devices has one here.
 */
#include "compiler/nir/nir_builder.h"
#include "saf_shader.h"

/* Shaders have no more than 30 of their own (saf_limits.c). */
#define VIEW_OF_PATCH VARYING_SLOT_PATCH31

static nir_variable *
new_variable(nir_shader *nir, nir_variable_mode mode,
             const struct glsl_type *type, int location)
{
   nir_variable *var = nir_new_variable(nir, mode, type, "view");
   var->data.location = location;
   var->data.patch = location == VIEW_OF_PATCH;
   return var;
}

/* Made when it is first asked for. */
static nir_variable *
input(nir_shader *nir, const struct glsl_type *type, int location)
{
   nir_variable *var = nir_variable_at(nir, nir_var_shader_in, location);
   return var ? var : new_variable(nir, nir_var_shader_in, type, location);
}

static nir_value *
load_view(nir_builder *b)
{
   nir_shader *nir = b->shader;
   switch (nir->info.stage) {
   case MESA_SHADER_VERTEX: return nir_load_view_index(b);
   case MESA_SHADER_TESS_EVAL:
      return nir_load_var(b, input(nir, glsl_int_type(), VIEW_OF_PATCH));
   case MESA_SHADER_FRAGMENT: return nir_load_layer_id(b);
   default: {
      const struct glsl_type *vertices =
         glsl_array_type(glsl_int_type(), 1, 0);
      nir_variable *var = input(nir, vertices, VARYING_SLOT_LAYER);
      return nir_load_deref(
         b, nir_build_deref_array_imm(b, nir_deref_to(b, var), 0));
   }
   }
}

static bool
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   const bool *multiview = data;
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return false;
   nir_value *def;
   b->cursor = nir_before_instr(instr);
   if (intr->intrinsic == nir_intrinsic_load_device_index) {
      def = nir_imm_int(b, 0);
   } else if (intr->intrinsic == nir_intrinsic_load_view_index) {
      if (!*multiview)
         def = nir_imm_int(b, 0);
      else if (b->shader->info.stage == MESA_SHADER_VERTEX)
         return false;
      else
         def = load_view(b);
   } else {
      return false;
   }
   nir_instr_replace(&intr->instr, def);
   return true;
}

/* ---- the layer ---- */

static bool
before_vertex(nir_builder *b, nir_instr *instr, void *data)
{
   const nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return false;
   if (intr->intrinsic != nir_intrinsic_emit_vertex)
      return false;
   b->cursor = nir_before_instr(instr);
   nir_store_var(b, data, load_view(b), 1);
   return true;
}

static void
pass_on(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   const bool patch = nir->info.stage == MESA_SHADER_TESS_CTRL;
   nir_variable *out =
      new_variable(nir, nir_var_shader_out, glsl_int_type(),
                   patch ? VIEW_OF_PATCH : VARYING_SLOT_LAYER);
   if (nir->info.stage == MESA_SHADER_GEOMETRY) {
      nir_visit_instrs(nir, before_vertex, nir_metadata_control_flow, out);
      return;
   }
   nir_builder b;
   nir_builder_init(&b, impl);
   b.cursor = nir_after_cf_list(&impl->body);
   nir_store_var(&b, out, load_view(&b), 1);
   nir_metadata_preserve(impl, nir_metadata_control_flow);
}

bool
saf_nir_lower_views(nir_shader *nir, bool multiview)
{
   bool progress = nir_visit_instrs(nir, lower_instr,
                                    nir_metadata_control_flow, &multiview);
   if (multiview && nir->info.stage < MESA_SHADER_FRAGMENT) {
      pass_on(nir);
      progress = true;
   }
   return progress;
}
