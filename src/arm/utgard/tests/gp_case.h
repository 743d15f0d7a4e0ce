/* SPDX-License-Identifier: MIT */
/*
 * One comparison: a vertex shader built as NIR, in the NIR interpreter as
 * built, against the same one compiled, checked, and run on the simulator in
 * strict mode. All bits must agree.
 */
#ifndef GP_CASE_H
#define GP_CASE_H

#include "arm/utgard/gp/gp_compiler.h"
#include "compiler/nir/nir_builder.h"

#define GP_CASE_ATTRIBUTES 4
#define GP_CASE_UNIFORMS 6
#define GP_CASE_OUTPUTS 12 /* vec4 */
#define GP_CASE_VERTICES 4

struct gp_case {
   nir_builder b;
   uint64_t seed;
   nir_variable *in[GP_CASE_ATTRIBUTES], *uniforms;
   nir_variable *out[GP_CASE_OUTPUTS];
   nir_value *outputs[GP_CASE_OUTPUTS * 4]; /* scalars; NULL: zero */
   float attributes[GP_CASE_VERTICES][GP_CASE_ATTRIBUTES][4];
   float uniform_values[GP_CASE_UNIFORMS][4];
};

uint32_t gp_case_random(struct gp_case *c, uint32_t below);

/* An empty shader, with values of attributes and uniforms by the seed that
 * are neither tiny nor huge. */
void gp_case_begin(struct gp_case *c, uint64_t seed);
/* Scalars, 4 to each vec4. */
nir_value *gp_case_attribute(struct gp_case *c, unsigned index);
nir_value *gp_case_uniform(struct gp_case *c, unsigned index);
/* A uniform vec4's component by a number that is not constant. */
nir_value *gp_case_indexed_uniform(struct gp_case *c, nir_value *index,
                                   unsigned component);
/* Writes `outputs`. */
void gp_case_end(struct gp_case *c);
/* The shader is gone. */
void gp_case_destroy(struct gp_case *c);

/* Compiles a copy. Look at its `error`. */
struct gpc_program *gp_case_compile(const struct gp_case *c,
                                    struct arena *arena, unsigned effort);

/* What is wrong with a program that compiled, in `arena`, or NULL: the
 * checker's first complaint, a trap, or a value that differs. */
const char *gp_case_check(const struct gp_case *c,
                          const struct gpc_program *p, struct arena *arena);

/* Whether the strict simulator stops the program on some vertex; *rule says
 * why. */
struct gp_sim;
struct gp_sim *gp_case_simulator(const struct gp_case *c,
                                 const struct gpc_program *p);
void gp_case_set_vertex(const struct gp_case *c, struct gp_sim *sim,
                        unsigned vertex);

/* gp_random_dag.c, gp_random_program.c */
void gp_random_dag(struct gp_case *c, uint64_t seed, unsigned max_nodes);
void gp_random_program(struct gp_case *c, uint64_t seed);

#endif
