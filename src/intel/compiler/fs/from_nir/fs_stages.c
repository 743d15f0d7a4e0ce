/* SPDX-License-Identifier: MIT */
/* The stages of the scalar back end, one row each. */
#include "fs_nir.h"

static unsigned
no_inputs(const struct eu_shader *s)
{
   return 0;
}

static unsigned
vs_inputs(const struct eu_shader *s)
{
   return 8 * s->prog_data.vs->urb_read_length;
}

/* One patch for all channels. */
static unsigned
tes_inputs(const struct eu_shader *s)
{
   return s->prog_data.tes->urb_read_length;
}

static unsigned
fs_inputs(const struct eu_shader *s)
{
   return 2 * s->prog_data.wm->num_varying_inputs;
}

static unsigned
cs_inputs(const struct eu_shader *s)
{
   return s->prog_data.cs->per_thread_grfs;
}

const struct fs_stage fs_stages[MESA_SHADER_STAGES] = {
   [MESA_SHADER_VERTEX] = {
      .setup = fs_setup_vs,
      .intrinsic = fs_emit_vs_intrinsic,
      .end = fs_emit_urb_writes,
      .input_grfs = vs_inputs,
   },
   [MESA_SHADER_TESS_CTRL] = {
      .setup = fs_setup_tcs,
      .prologue = fs_emit_tcs_prologue,
      .intrinsic = fs_emit_tcs_intrinsic,
      .end = fs_emit_tcs_end,
      .input_grfs = no_inputs,
   },
   [MESA_SHADER_TESS_EVAL] = {
      .setup = fs_setup_tes,
      .intrinsic = fs_emit_tes_intrinsic,
      .end = fs_emit_urb_writes,
      .input_grfs = tes_inputs,
   },
   [MESA_SHADER_GEOMETRY] = {
      .setup = fs_setup_gs,
      .prologue = fs_emit_gs_prologue,
      .intrinsic = fs_emit_gs_intrinsic,
      .end = fs_emit_gs_end,
      .input_grfs = no_inputs,
   },
   [MESA_SHADER_FRAGMENT] = {
      .setup = fs_setup_fs,
      .prologue = fs_emit_fs_prologue,
      .intrinsic = fs_emit_fs_intrinsic,
      .end = fs_emit_fb_writes,
      .input_grfs = fs_inputs,
   },
   [MESA_SHADER_COMPUTE] = {
      .setup = fs_setup_cs,
      .intrinsic = fs_emit_cs_intrinsic,
      .end = fs_emit_cs_end,
      .input_grfs = cs_inputs,
   },
};
