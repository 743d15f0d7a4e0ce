/* SPDX-License-Identifier: MIT */
/*
 * The compiler for the vertex processor of Mali-400 and 450: NIR in, words
 * out. docs/utgard.rst explains machine and method.
 */
#ifndef GP_COMPILER_H
#define GP_COMPILER_H

#include "arm/utgard/isa/gp_isa.h"
#include "compiler/nir/nir.h"
#include "util/arena.h"
#include "util/strbuf.h"

/* What spirv_to_nir() and nir_parse_shader() have to be given. */
extern const nir_shader_compiler_options gpc_nir_options;

struct gpc_options {
   unsigned effort; /* 0: one schedule a block; 1: usual; up to 9 */
   /* Positions stay clip coordinates: for tests. */
   bool no_viewport;
   /* NULL, or where to explain the length of the program. */
   struct strbuf *explain;
};

#define GPC_MAX_VARYINGS 13
#define GPC_NO_VARYING 0xff

/* Memory from index 0: uniforms, scale and offset of the viewport (unless
 * no_viewport), literals, temporaries; by vec4. */
struct gpc_program {
   struct gp_instr *instrs;
   unsigned count;

   unsigned num_uniforms; /* vec4, user uniforms alone, that are used */
   /* Of each: which vec4 it is when all that is declared is laid out, blocks
    * one after the other. */
   const unsigned *uniform_source;
   unsigned viewport; /* index of the scale; offset follows */
   unsigned first_literal, num_literals;
   const float (*literals)[4];
   unsigned first_temp, num_temps;

   unsigned num_attributes, num_varyings;
   /* By VARYING_SLOT: the varying's index, or GPC_NO_VARYING; and of which
    * component of it the slot's x is: several slots may share a varying. */
   uint8_t varying[64], varying_comp[64];
   /* The last instruction that loads an attribute; -1: none. */
   int prefetch;

   unsigned lower_bound; /* sum over blocks */
   unsigned blocks, moves, register_stores, spills, cross_block;
   unsigned register_loads; /* ports that load one, by word */

   /* As the back end had it: of the attempt that was the best. */
   nir_shader *nir;
   char *error; /* NULL: all is well; else a sentence, and no instructions */
};

/*
 * Compiles a vertex shader straight from the front end; it is changed. The
 * result lies in `arena`, also when it holds an error.
 */
struct gpc_program *gpc_compile(struct arena *arena, nir_shader *nir,
                                const struct gpc_options *options);

/* The statistics as JSON, with a line end. */
void gpc_print_json(const struct gpc_program *p, struct strbuf *out);

#endif
