/* SPDX-License-Identifier: MIT */
/* The sequences that nir_guard_doubles() puts in front; the long ones are
 * these with scaled operands. */
#ifndef NIR_DOUBLES_PRIVATE_H
#define NIR_DOUBLES_PRIVATE_H

#include "nir_builder.h"

/* For operands whose exponents a float has; of mod, also x / y. */
nir_value *nir_short_div(nir_builder *b, nir_value *n, nir_value *d);
nir_value *nir_short_sqrt(nir_builder *b, nir_value *x);
nir_value *nir_short_rsq(nir_builder *b, nir_value *x);
nir_value *nir_short_mod(nir_builder *b, nir_value *x, nir_value *y,
                         nir_value **quotient);

/* What these begin with, and a step of Newton's towards 1 / d. */
nir_value *nir_reciprocal_seed(nir_builder *b, nir_value *d);
nir_value *nir_newton_reciprocal(nir_builder *b, nir_value *d, nir_value *y);
nir_value *nir_rsq_seed(nir_builder *b, nir_value *x);

/* Numerators with which nir_const_quotient() is right have exponents
 * from 1 - NIR_CONST_QUOTIENT_EXPONENT to NIR_CONST_QUOTIENT_EXPONENT. */
#define NIR_CONST_QUOTIENT_EXPONENT 400

/* By constants of which all have a reciprocal without an error: a product
 * takes its place. */
bool nir_exact_quotient(nir_builder *b, nir_alu_instr *alu);

/* Whether a quotient's divisors are constants that the others take. */
bool nir_is_const_quotient(const nir_alu_instr *alu);

/* n divided by the constants of `alu`; and for any n. Zeros are what they are
 * but for their sign. */
nir_value *nir_const_quotient(nir_builder *b, const nir_alu_instr *alu,
                              nir_value *n);
nir_value *nir_any_const_quotient(nir_builder *b, const nir_alu_instr *alu,
                                  nir_value *n);
/* n times the reciprocals. */
nir_value *nir_const_product(nir_builder *b, const nir_alu_instr *alu,
                             nir_value *n);

/* ---- calls: nir_double_routines.c ---- */

/* How many long forms a shader has, by the operation that is called for
 * them: a reciprocal is a quotient. */
struct nir_double_calls {
   unsigned count[nir_num_opcodes];
};

void nir_count_long_form(struct nir_double_calls *calls,
                         const nir_alu_instr *alu);
/* Whether there are so many that they are called. */
bool nir_is_called(const struct nir_double_calls *calls, nir_op op);
/* What is called, for each operation of which that is so. */
void nir_make_double_routines(const struct nir_double_calls *calls,
                              nir_shader *shader);
/* The long form of `op` by a call, component by component; y is NULL where
 * there is one operand. */
nir_value *nir_call_double(nir_builder *b, nir_op op, nir_value *x,
                           nir_value *y);

/* ---- the order of a block: nir_order_doubles.c ---- */

struct nir_value_set {
   nir_value **values;
   unsigned count;
};

/* False if it is there already. */
bool nir_value_set_add(struct nir_value_set *set, nir_value *x);

struct nir_double_item {
   nir_instr *instr;
   uint8_t level; /* number of ifs in front of it */
   uint8_t first; /* at least so many: for what it depends on */
   bool guarded, moves;
};

struct nir_double_order {
   struct nir_double_item *items;
   unsigned count, num_levels;
   nir_instr *end;    /* the first that is no longer one of them, or NULL */
   uint32_t *item_of; /* by SSA index, plus 1 */
   unsigned num_defs;
   nir_lower_doubles_options options;
   struct nir_double_calls calls; /* of what is no scalar */
   /* Scratch; how many may differ between channels in one part. */
   struct nir_value_set divisors;
   unsigned max_divisors;
};

/* Whether it has a short form and is to be lowered. */
bool nir_is_guarded(const nir_instr *instr,
                    nir_lower_doubles_options options);
/* The first instruction of the first part, or NULL if the block has nothing
 * to guard. The others' are what `end` is after each part. */
nir_instr *nir_start_double_order(struct nir_double_order *o,
                                  nir_block *block, struct arena *arena);
/* Sorts the part that begins there: the operations of a level are its end.
 * False if there is no part any more. */
bool nir_order_doubles(struct nir_double_order *o, nir_instr *first);

#endif
