/* SPDX-License-Identifier: MIT */
/*
 * What the stages of a pipeline have to know of each other.
 *
 * A stage finds the outputs of the one before it by the layout of a URB
 * entry, which follows from the set of varyings in it. Each stage keeps what
 * it writes and what its successor reads (that part is undefined then, but
 * arrays with holes stay arrays). TCS and TES share one patch layout, made
 * of what both write and read.
 */
#include "intel_compiler_private.h"

/* Either stage may say it (Vulkan 1.3, 22.1 and 22.2); they agree. */
static void
merge_tess_info(nir_shader *tcs, nir_shader *tes)
{
   if (tes->info.tess._primitive_mode == TESS_PRIMITIVE_UNSPECIFIED)
      tes->info.tess._primitive_mode = tcs->info.tess._primitive_mode;
   tcs->info.tess._primitive_mode = tes->info.tess._primitive_mode;
   if (tes->info.tess.spacing == TESS_SPACING_UNSPECIFIED)
      tes->info.tess.spacing = tcs->info.tess.spacing;
   tcs->info.tess.spacing = tes->info.tess.spacing;
   if (!tcs->info.tess.tcs_vertices_out)
      tcs->info.tess.tcs_vertices_out = tes->info.tess.tcs_vertices_out;
   tes->info.tess.tcs_vertices_out = tcs->info.tess.tcs_vertices_out;
   tes->info.tess.ccw |= tcs->info.tess.ccw;
   tes->info.tess.point_mode |= tcs->info.tess.point_mode;
}

static uint64_t
inputs_of_next(nir_shader *const stages[MESA_SHADER_STAGES], unsigned stage)
{
   for (unsigned i = stage + 1; i <= MESA_SHADER_GEOMETRY; i++) {
      if (stages[i])
         return stages[i]->info.inputs_read;
   }
   return 0;
}

void
intel_link_nir(const struct intel_compiler *compiler,
               nir_shader *const stages[MESA_SHADER_STAGES],
               struct intel_linkage *link)
{
   nir_shader *tcs = stages[MESA_SHADER_TESS_CTRL];
   nir_shader *tes = stages[MESA_SHADER_TESS_EVAL];

   (void)compiler;
   memset(link, 0, sizeof(*link));
   for (unsigned i = 0; i < MESA_SHADER_STAGES; i++) {
      if (stages[i])
         nir_shader_gather_info(stages[i],
                                nir_shader_get_entrypoint(stages[i]));
   }
   for (unsigned i = 0; i < MESA_SHADER_FRAGMENT; i++) {
      if (!stages[i] || i == MESA_SHADER_TESS_CTRL)
         continue;
      /* Also what is written now: a store that is optimised away later does
       * not move the others. */
      link->extra_slots_valid[i] =
         stages[i]->info.outputs_written | inputs_of_next(stages, i);
      intel_compute_vue_map(&link->vue_map[i], link->extra_slots_valid[i]);
   }
   if (tcs && tes) {
      merge_tess_info(tcs, tes);
      intel_compute_patch_map(&link->patch_map,
                              tcs->info.outputs_written |
                                 tcs->info.outputs_read |
                                 tes->info.inputs_read,
                              tcs->info.patch_outputs_written |
                                 tcs->info.patch_outputs_read |
                                 tes->info.patch_inputs_read);
   }
}
