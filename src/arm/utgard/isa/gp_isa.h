/* SPDX-License-Identifier: MIT */
/*
 * The instruction set of the Mali-400/450 vertex processor (Utgard "GP"):
 * 128-bit words that drive six units without a result register file. Knows
 * no IR and no scheduler. See docs/utgard.rst for the machine.
 */
#ifndef GP_ISA_H
#define GP_ISA_H

#include "gp_isa_enums.h"
#include "util/macros.h"
#include "util/strbuf.h"

#define GP_MAX_INSTRS 512
#define GP_INSTR_DWORDS 4
#define GP_NUM_REGISTERS 16
#define GP_NUM_ATTRIBUTES 16
#define GP_NUM_VARYINGS 16
/* vec4 of uniforms, constants and temporaries together: what the public
 * driver advertises. The index itself has 9 bits. */
#define GP_NUM_UNIFORMS 304

/* Which multiplier has select's value for a true condition, as its operand A;
 * the other one's operand A is the value for false. The sources disagree:
 * this is what the public driver emits. */
#define GP_SELECT_TRUE_MUL 1
#define GP_SELECT_FALSE_MUL 0

/*
 * One instruction word, decoded. Every word decodes, each to another struct:
 * fields that do not matter keep their bits.
 */
struct gp_instr {
   /* enum gp_src: [unit][operand A, B]. */
   uint8_t mul_src[2][2], add_src[2][2];
   uint8_t complex_src, pass_src;
   /* Of a multiplier its result, of an adder its operands. */
   uint8_t mul_negate[2], add_negate[2][2];
   /* enum gp_mul_op, ...; both units of a kind share their opcode. */
   uint8_t mul_op, add_op, complex_op, pass_op;

   /* One vec4 for each load port. */
   uint8_t port0_index, port0_is_attribute;
   uint8_t port1_index;
   uint8_t uniform_offset; /* 1 to 3: + that address register; 7: none */
   uint16_t uniform_index;

   /* [port]: port 0 writes x and y, port 1 z and w. enum gp_store. */
   uint8_t store_src[2][2];
   uint8_t store_index[2], store_is_varying[2], store_is_temp[2];

   uint8_t branch;
   uint8_t mode; /* enum gp_mode */
   uint16_t branch_target;
};

/* Does nothing: no unit issues, no port is used. */
void gp_instr_init(struct gp_instr *instr);

void gp_decode(const uint32_t dw[GP_INSTR_DWORDS], struct gp_instr *instr);

/* False if a field does not fit; *which then names it (may be NULL). */
bool gp_encode(const struct gp_instr *instr, uint32_t dw[GP_INSTR_DWORDS],
               const char **which);

/* One field by number, for tables and tests. Values are not truncated. */
const char *gp_field_name(enum gp_field field);
unsigned gp_field_width(enum gp_field field);
unsigned gp_field_get(const struct gp_instr *instr, enum gp_field field);
void gp_field_set(struct gp_instr *instr, enum gp_field field, unsigned v);

/* Floor and sign take no operand B, whatever stands there: the public driver
 * leaves a register. */
bool gp_add_op_is_unary(unsigned op);

/* Which components of a port, named by its code for x, the operands read;
 * clamp's bounds are among those of the uniform port. */
unsigned gp_components_read(const struct gp_instr *i, enum gp_src first);

/* Appends one line without its end: only what differs from a word that does
 * nothing, so that the text has every bit. "nop" if nothing does. */
void gp_print(const struct gp_instr *instr, struct strbuf *out);

struct gp_text_error {
   unsigned line, column; /* from 1 */
   char text[160];
};

/* What a program's text may say besides instructions. */
struct gp_text_data {
   float constants[GP_NUM_UNIFORMS][4];
   uint8_t is_constant[GP_NUM_UNIFORMS];
   unsigned temp_first, temp_count; /* vec4 */
};

/*
 * Parses a program: instructions by lines, of clauses separated by ';'. A
 * line may begin with "NUMBER:", which must count instructions, and end with
 * a comment ("#" or "//"). ".const c5 = 1, 2, 3, 4" and ".temps c9, 3" go to
 * `data`, which may be NULL. At most GP_MAX_INSTRS instructions go to
 * `instrs`; false with the first error.
 */
bool gp_parse_program(const char *text, size_t size,
                      struct gp_instr instrs[GP_MAX_INSTRS], unsigned *count,
                      struct gp_text_data *data,
                      struct gp_text_error *error) MUST_CHECK;

/* Prints a program that gp_parse_program() reads, with numbers. */
void gp_print_program(const struct gp_instr *instrs, unsigned count,
                      struct strbuf *out);

const char *gp_unit_name(enum gp_unit unit);
/* A short name, with dashes, and one sentence. */
const char *gp_rule_name(enum gp_rule rule);
const char *gp_rule_text(enum gp_rule rule);

/* Whether a code of the unit has a known meaning. */
bool gp_mul_op_is_known(unsigned op);
bool gp_add_op_is_known(unsigned op);
bool gp_complex_op_is_known(unsigned op);
bool gp_pass_op_is_known(unsigned op);

#endif
