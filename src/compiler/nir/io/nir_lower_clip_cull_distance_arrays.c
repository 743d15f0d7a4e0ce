/* SPDX-License-Identifier: MIT */
/*
 * Cull distances go right after the clip distances, into the same one or
 * two slots, as the hardware takes them: eight distances, and a mask each of
 * which clip and which cull. Only locations change; nir_lower_io does the
 * rest, since both are compact arrays.
 */
#include "nir.h"

static unsigned
array_size(const nir_shader *shader, const nir_variable *var)
{
   const struct glsl_type *t;

   if (!var)
      return 0;
   t = var->type;
   if (nir_is_arrayed_io(var, shader->info.stage))
      t = glsl_get_array_element(t);
   return glsl_get_length(t);
}

static bool
combine(nir_shader *shader, nir_variable_mode mode, bool set_info)
{
   nir_variable *clip =
      nir_variable_at(shader, mode, VARYING_SLOT_CLIP_DIST0);
   nir_variable *cull =
      nir_variable_at(shader, mode, VARYING_SLOT_CULL_DIST0);
   const unsigned clips = array_size(shader, clip);
   const unsigned culls = array_size(shader, cull);

   if (set_info) {
      shader->info.clip_distance_array_size = (uint8_t)clips;
      shader->info.cull_distance_array_size = (uint8_t)culls;
   }
   if (!cull)
      return false;
   cull->data.location = VARYING_SLOT_CLIP_DIST0 + (int)(clips / 4);
   cull->data.location_frac = clips % 4;
   return true;
}

bool
nir_lower_clip_cull_distance_arrays(nir_shader *shader)
{
   const gl_shader_stage stage = shader->info.stage;
   bool progress = false;

   if (stage <= MESA_SHADER_GEOMETRY)
      progress |= combine(shader, nir_var_shader_out, true);
   if (stage > MESA_SHADER_VERTEX && stage <= MESA_SHADER_FRAGMENT)
      progress |=
         combine(shader, nir_var_shader_in, stage == MESA_SHADER_FRAGMENT);
   nir_shader_preserve_all_metadata(shader);
   return progress;
}
