/* SPDX-License-Identifier: MIT */
/* What the generated cases and the test that runs them share. */
#ifndef TEST_ALGEBRAIC_H
#define TEST_ALGEBRAIC_H

#include "nir_builder.h"

struct algebraic_var {
   unsigned components, bit_size;
   nir_alu_type base;
   bool is_const, is_pow2;
};

struct algebraic_case {
   const char *name;
   bool (*pass)(nir_shader *shader);
   nir_value *(*build)(nir_builder *b, nir_value **v);
   bool (*when)(const nir_shader_compiler_options *options);
   bool exact;      /* applies to exact instructions */
   bool close_only; /* a lowering that is not bit-exact */
   bool restores;   /* zeros and what is not normal may differ */
   nir_alu_type result_base;
   unsigned num_vars;
   struct algebraic_var vars[6];
};

extern const struct algebraic_case algebraic_cases[];
extern const unsigned num_algebraic_cases;

#endif
