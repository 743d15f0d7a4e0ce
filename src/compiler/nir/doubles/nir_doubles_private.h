/* SPDX-License-Identifier: MIT */
/* The sequences that nir_guard_doubles() puts in front. */
#ifndef NIR_DOUBLES_PRIVATE_H
#define NIR_DOUBLES_PRIVATE_H

#include "nir_builder.h"

/* For operands whose exponents a float has; of mod, also x / y. */
nir_value *nir_short_div(nir_builder *b, nir_value *n, nir_value *d);
nir_value *nir_short_sqrt(nir_builder *b, nir_value *x);
nir_value *nir_short_rsq(nir_builder *b, nir_value *x);
nir_value *nir_short_mod(nir_builder *b, nir_value *x, nir_value *y,
                         nir_value **quotient);

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

#endif
