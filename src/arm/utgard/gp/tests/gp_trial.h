/* SPDX-License-Identifier: MIT */
/*
 * One shader through the compiler: the checker of finished programs must be
 * silent, and the strict simulator must give what the interpreter of NIR
 * gives for the shader as it was built.
 */
#ifndef GP_TRIAL_H
#define GP_TRIAL_H

#include "arm/utgard/gp/gp_compiler.h"
#include "arm/utgard/sim/gp_sim.h"
#include "compiler/nir/nir_builder.h"

#define TRIAL_UNIFORMS 64 /* vec4 */

struct gp_trial {
   struct arena *arena;
   nir_builder b;
   uint64_t rng;
   float attributes[GP_NUM_ATTRIBUTES][4];
   float uniforms[TRIAL_UNIFORMS][4];
   /* Relative to the larger of one and the value; 0: bits. */
   float tolerance;
   enum gp_sim_tables tables;
   struct gpc_options options;
   nir_variable *inputs[GP_NUM_ATTRIBUTES], *block;
   unsigned num_outputs;
   struct gpc_program *program; /* what the last run compiled */
};

/* Begins a shader; ended by gp_trial_fini(). */
void gp_trial_init(struct gp_trial *t, uint64_t seed);
void gp_trial_fini(struct gp_trial *t);

/* Below n. */
uint32_t gp_trial_random(struct gp_trial *t, uint32_t n);
nir_ssa_def *gp_trial_attribute(struct gp_trial *t, unsigned scalar);
nir_ssa_def *gp_trial_uniform(struct gp_trial *t, unsigned scalar);
/* Uniform scalar `comp` of vec4 `index`, a value. */
nir_ssa_def *gp_trial_indexed(struct gp_trial *t, nir_ssa_def *index,
                              unsigned comp);
/* Adds a vec4 output; the first is the position. */
void gp_trial_output(struct gp_trial *t, nir_ssa_def *const comp[4]);

/* NULL, or what is wrong, in the trial's arena. An error of the compiler is
 * wrong, too. */
const char *gp_trial_run(struct gp_trial *t);

#endif
