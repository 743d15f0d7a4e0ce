/* SPDX-License-Identifier: MIT */
/*
 * Which instructions and programs are legal, by the manuals: the simulator's
 * own reading. src/intel/isa has another one, which the compiler goes by;
 * nothing here uses it, and tests/differential/test_legal.c compares the two.
 *
 * Here is what an instruction may not be by itself. Broken rules that only a
 * neighbour, a value or a mode shows are strict mode's.
 */
#ifndef SIM_LEGAL_H
#define SIM_LEGAL_H

#include "intel/isa/isa.h"

struct sim_legal_rule {
   const char *id;     /* short and stable */
   const char *strict; /* the rule (saffron rules ID), or NULL */
   uint8_t gens;       /* bits 1 << enum isa_gen, ISA_LOW_POWER */
   const char *text;   /* what is not allowed, one sentence */
   const char *source; /* manual, volume, section */
   /* NULL: breaking it is a fault. Otherwise only the manual forbids it, and
    * here is who emits it all the same: it is executed, and a finding of
    * strict mode (EU-97, or the row's own). */
   const char *shipped;
};

/* The rules by index; NULL after the last one. */
const struct sim_legal_rule *sim_legal_rule_at(unsigned index);

/* The rule after *from (0 to begin with, moved on) that the instruction
 * breaks on this chip; NULL if there is none. */
const struct sim_legal_rule *sim_legal_next(enum isa_gen gen, bool low_power,
                                            const struct isa_inst *inst,
                                            unsigned *from);

/* The first one that makes it a fault. */
static inline const struct sim_legal_rule *
sim_legal_inst(enum isa_gen gen, bool low_power, const struct isa_inst *inst)
{
   const struct sim_legal_rule *rule;
   unsigned from = 0;
   while ((rule = sim_legal_next(gen, low_power, inst, &from)) &&
          rule->shipped)
      ;
   return rule;
}

/* Of a program: the first instruction that cannot be decoded (rule NULL, and
 * `text` of the decoder), breaks a rule, or jumps to where none starts. */
struct sim_legal_place {
   const struct sim_legal_rule *rule;
   uint32_t offset_B;
   char text[200];
};

/* True if nothing was found. */
bool sim_legal_program(enum isa_gen gen, bool low_power, const void *code,
                       uint32_t size_B, struct sim_legal_place *place);

#endif
