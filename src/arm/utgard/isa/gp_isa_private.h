/* SPDX-License-Identifier: MIT */
/* The generated tables behind gp_isa.h. */
#ifndef GP_ISA_PRIVATE_H
#define GP_ISA_PRIVATE_H

#include "gp_isa.h"

struct gp_field_info {
   const char *name;
   uint16_t offset_B, size_B; /* of the member in struct gp_instr */
   uint8_t width;
   uint16_t idle; /* in a word that does nothing */
   uint8_t num_parts;
   /* Least significant first. */
   struct {
      uint8_t low, width, inverted;
   } part[2];
};

extern const struct gp_field_info gp_field_table[GP_FIELD_COUNT];

/* NULL where a code has no name. */
extern const char *const gp_unit_names[GP_UNIT_COUNT];
extern const char *const gp_src_names[32];
extern const char *const gp_store_names[8];
extern const char *const gp_mul_op_names[8];
extern const char *const gp_add_op_names[8];
extern const char *const gp_complex_op_names[16];
extern const char *const gp_pass_op_names[8];
extern const char *const gp_rule_names[GP_RULE_COUNT];
extern const char *const gp_rule_texts[GP_RULE_COUNT];

/* The mode that the word's stores and branch ask for. */
unsigned gp_implied_mode(const struct gp_instr *i);

#endif
