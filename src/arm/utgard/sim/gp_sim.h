/* SPDX-License-Identifier: MIT */
/*
 * A functional simulator of the Mali-400/450 vertex processor: one vertex at
 * a time, instruction by instruction, with the bypass network, the delayed
 * writes and the opaque values of the table functions. See docs/utgard.rst.
 *
 * Strict mode stops with a trap at the first thing that is not known to be
 * legal. Hardware-like mode goes on with what the hardware is thought to
 * give: old values, zeros, flushed patterns.
 */
#ifndef GP_SIM_H
#define GP_SIM_H

#include <stdio.h>

#include "arm/utgard/isa/gp_isa.h"

/* How exact the table functions are. */
enum gp_sim_tables {
   GP_SIM_TABLES_EXACT,     /* rounded to nearest */
   GP_SIM_TABLES_ONE_ULP,   /* up to one ulp off, by the argument's bits */
   GP_SIM_TABLES_QUADRATIC, /* 64 quadratics of short coefficients */
};

struct gp_sim_config {
   bool hardware_like; /* otherwise strict */
   enum gp_sim_tables tables;
   unsigned max_steps; /* instructions of one vertex; 0: 65536 */
   FILE *trace;        /* NULL: none */
};

struct gp_trap {
   enum gp_rule rule;
   unsigned instr; /* index */
   enum gp_unit unit;
   unsigned step; /* instructions executed before */
};

struct gp_sim;

struct gp_sim *gp_sim_create(const struct gp_sim_config *config);
void gp_sim_destroy(struct gp_sim *sim);

/* Copies the program. A trap if it is empty or too long. */
bool gp_sim_load(struct gp_sim *sim, const struct gp_instr *instrs,
                 unsigned count) MUST_CHECK;

/* Uniforms and constants: vec4 `first` up to first + count, which lies
 * within GP_NUM_UNIFORMS. */
void gp_sim_set_uniforms(struct gp_sim *sim, unsigned first,
                         const float (*values)[4], unsigned count);

/* Where temporaries lie; every run begins with none of them written. */
void gp_sim_set_temporaries(struct gp_sim *sim, unsigned first,
                            unsigned count);

/* As in the beginning: what nothing has set. */
void gp_sim_invalidate_attributes(struct gp_sim *sim);

void gp_sim_set_attribute(struct gp_sim *sim, unsigned index,
                          const float value[4]);

/* Runs one vertex, from registers that nothing has written. False: see
 * gp_sim_trap(). Hardware-like, only an unknown opcode, a lost pc or an
 * endless program stops. */
bool gp_sim_run(struct gp_sim *sim) MUST_CHECK;

/* Which components (bits 0 to 3) of a varying the last run has written. */
unsigned gp_sim_varying(const struct gp_sim *sim, unsigned index,
                        float value[4]);

/* NULL if the last load or run went well. */
const struct gp_trap *gp_sim_trap(const struct gp_sim *sim);
/* "instruction 7, add0: ... [idle-unit] (after 12 steps)" */
void gp_sim_print_trap(const struct gp_trap *trap, struct strbuf *out);

/* Instructions executed by the last run, and how often one of them was. */
unsigned gp_sim_steps(const struct gp_sim *sim);
unsigned gp_sim_executions(const struct gp_sim *sim, unsigned instr);

#endif
