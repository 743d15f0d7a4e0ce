/* SPDX-License-Identifier: MIT */
/*
 * Whether a program keeps the rules of the vertex processor, by distances
 * over its control flow, without running it. Knows no scheduler: it reads
 * the finished words. The simulator applies the same rules to what happens.
 */
#ifndef GP_CHECK_H
#define GP_CHECK_H

#include "gp_isa.h"

struct gp_violation {
   unsigned instr;    /* index of the instruction that breaks the rule */
   enum gp_unit unit; /* which of its units or ports */
   enum gp_rule rule;
};

struct gp_check_options {
   /* Loads from this vec4 on may read temporaries; GP_NUM_UNIFORMS or more:
    * the program has none. A temporary store whose address is not known may
    * write any of them. */
   unsigned first_temp;
   /* Known uniforms, such as packed constants: vec4 known_first up to
    * known_first + known_count. They tell the address of a temporary store
    * that takes it from there; a NaN tells nothing. May be NULL. */
   const float (*known)[4];
   unsigned known_first, known_count;
};

/*
 * Returns the number of violations, in order of instructions; the first
 * `max` go to `out`. `options` may be NULL: no temporaries.
 */
unsigned gp_check_program(const struct gp_instr *instrs, unsigned count,
                          const struct gp_check_options *options,
                          struct gp_violation *out, unsigned max);

/* "instruction 7, add0: reads a unit that issued nothing [idle-unit]" */
void gp_print_violation(const struct gp_violation *v, struct strbuf *out);

#endif
