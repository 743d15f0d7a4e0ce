/* SPDX-License-Identifier: MIT */
/* The stages of the vector back end, one row each. */
#include "vec4_nir.h"

/* The read length counts pairs of slots. */
static unsigned
vs_inputs(const struct eu_shader *s)
{
   return 2 * s->prog_data.vs->urb_read_length;
}

static unsigned
no_inputs(const struct eu_shader *s)
{
   return 0;
}

/* One patch for both points, two slots a register. */
static unsigned
tes_inputs(const struct eu_shader *s)
{
   return s->prog_data.tes->urb_read_length;
}

/* Two objects have a register for each slot of a vertex, one has half. */
static unsigned
gs_inputs(const struct eu_shader *s)
{
   const struct intel_gs_prog_data *pd = s->prog_data.gs;
   const bool two = pd->dispatch_mode == INTEL_DISPATCH_4X2_DUAL_OBJECT;

   return pd->vertices_in * pd->urb_read_length * (two ? 2 : 1);
}

const struct fs_stage vec4_stages[MESA_SHADER_STAGES] = {
   [MESA_SHADER_VERTEX] = {
      .setup = vec4_setup_vs,
      .intrinsic = vec4_emit_vs_intrinsic,
      .end = vec4_emit_urb_writes,
      .input_grfs = vs_inputs,
   },
   [MESA_SHADER_TESS_CTRL] = {
      .setup = fs_setup_tcs,
      .prologue = fs_emit_tcs_prologue,
      .intrinsic = vec4_emit_tcs_intrinsic,
      .end = fs_emit_tcs_end,
      .input_grfs = no_inputs,
   },
   [MESA_SHADER_TESS_EVAL] = {
      .setup = vec4_setup_tes,
      .intrinsic = vec4_emit_tes_intrinsic,
      .end = vec4_emit_urb_writes,
      .input_grfs = tes_inputs,
   },
   [MESA_SHADER_GEOMETRY] = {
      .setup = vec4_setup_gs,
      .prologue = fs_emit_gs_prologue,
      .intrinsic = vec4_emit_gs_intrinsic,
      .end = vec4_emit_gs_end,
      .input_grfs = gs_inputs,
   },
};
