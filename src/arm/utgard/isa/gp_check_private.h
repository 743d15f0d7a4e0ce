/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the checker. */
#ifndef GP_CHECK_PRIVATE_H
#define GP_CHECK_PRIVATE_H

#include "gp_check.h"
#include "util/bitset.h"

struct gp_checker {
   const struct gp_instr *instrs;
   unsigned count;
   struct gp_check_options options;
   struct gp_violation *out;
   unsigned max, num;
   /* Instructions that jump within the program, and those they jump to. */
   uint16_t branches[GP_MAX_INSTRS];
   unsigned num_branches;
   BITSET_DECLARE(targets, GP_MAX_INSTRS + 1);
};

void gp_checker_report(struct gp_checker *c, unsigned instr,
                       enum gp_unit unit, enum gp_rule rule);

/* Whether control may come to `instr` from elsewhere than the instruction
 * before, or that one may go elsewhere: a block begins here. */
bool gp_checker_begins_block(const struct gp_checker *c, unsigned instr);

/* An operand that some opcode of the instruction really reads. */
struct gp_read {
   enum gp_unit unit;
   uint8_t src;
   bool is_b; /* of an adder or multiplier: its code 22 is the identity */
};
#define GP_MAX_READS 10

/* gp_check_form.c: what each word says by itself. Collects its operands. */
unsigned gp_checker_form(struct gp_checker *c, unsigned instr,
                         struct gp_read reads[GP_MAX_READS]);
bool gp_unit_issues(const struct gp_instr *i, enum gp_unit unit);

/* gp_check_values.c: where operands and stored values come from. */
void gp_checker_reads(struct gp_checker *c, unsigned instr,
                      const struct gp_read *reads, unsigned num);
void gp_checker_stores(struct gp_checker *c, unsigned instr);
/* The vec4 that a temporary store writes, or -1 if that is not known. */
int gp_checker_temp_address(const struct gp_checker *c, unsigned instr);

/* gp_check_delays.c: memory that takes a while. */
void gp_checker_delays(struct gp_checker *c, unsigned instr);

#endif
