/* SPDX-License-Identifier: MIT */
#ifndef INTEL_COMPILER_PRIVATE_H
#define INTEL_COMPILER_PRIVATE_H

#include "intel_compiler.h"
#include "intel/dev/intel_device_info.h"
#include "intel/isa/isa.h"

struct intel_compiler {
   const struct intel_device_info *devinfo;
   enum isa_gen gen;
   nir_shader_compiler_options nir_options;
   uint32_t vec4_stages; /* bits 1 << gl_shader_stage */
};

/* Whether shaders of this stage become SIMD4x2 code. */
static inline bool
intel_uses_vec4(const struct intel_compiler *compiler, gl_shader_stage stage)
{
   return compiler->vec4_stages & (1u << stage);
}

/* Which are to be: the environment may say so. */
uint32_t intel_choose_vec4_stages(const struct intel_device_info *devinfo);

/* ---- intel_nir.c ---- */

/* Conversion of what image_load reads from formats that hardware lacks. */
bool intel_nir_lower_storage_image(nir_shader *nir);

/* Comparisons of components that are joined become those of vectors. */
bool intel_nir_join_compares(nir_shader *nir);

/* Fetches of samples get the words of control surfaces. */
bool intel_nir_lower_mcs(nir_shader *nir);

/* Comparisons with gradients become those at a level; so do samples with
 * gradients and a least level whose message would be too long. */
bool intel_nir_lower_txd(nir_shader *nir);
bool intel_nir_lower_long_txd(nir_shader *nir);

/* Numbers of samples that are not constant become offsets. */
bool intel_nir_lower_interp_at_sample(nir_shader *nir, unsigned samples);

/* If the shader runs once a sample, for itself or because of the key: one
 * sample of a pixel at a time. */
bool intel_nir_pixel_interlock(nir_shader *nir, unsigned samples,
                               bool persample_shading);

/* Of fragment shaders: invocations that a discard has ended keep no loop
 * going that no live one is in. */
bool intel_nir_exit_helper_loops(nir_shader *nir);

/* Inside factors of quads never let the tessellator add points (before Gen9).
 * After intel_lower_io_nir(). */
bool intel_nir_separate_tess_factors(nir_shader *nir);

/* A stored sample mask is ANDed with what alpha covers of this many samples.
 * After intel_lower_io_nir(). */
bool intel_nir_alpha_coverage(nir_shader *nir, unsigned samples);

/* Vertices of a geometry shader that writes no position have zeros. After
 * intel_lower_io_nir(). */
bool intel_nir_zero_position(nir_shader *nir);
bool intel_nir_widen_io(nir_shader *nir);

/* No constant offset into a block is outside of what it may be. After blocks
 * have offsets. */
bool intel_nir_bound_offsets(nir_shader *nir);

/* Last NIR steps before the back end: out of SSA, booleans as the back end
 * wants them. */
void intel_postprocess_nir(const struct intel_compiler *compiler,
                           nir_shader *nir);

/* gl_PatchVerticesIn becomes a constant. */
void intel_set_patch_vertices(nir_shader *nir, unsigned count);

/* Shared memory and the invocation's place in its group. Once. */
bool intel_nir_lower_cs(nir_shader *nir);
/* The narrowest width with which a compute shader's group, if its size is
 * known, fits into a subslice. */
unsigned intel_least_cs_width(const struct intel_device_info *devinfo,
                              const nir_shader *nir);

/* Subgroup operations by the few that the back end has. */
bool intel_nir_lower_subgroups(nir_shader *nir);

/* Gives back built-in functions that a front end has taken apart; `scalarize`
 * is what the back end wants scalars of. */
bool intel_nir_restore_builtins(nir_shader *nir, nir_wants_instr scalarize);

void intel_init_nir_options(struct intel_compiler *compiler);

#endif
