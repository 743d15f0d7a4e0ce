/* SPDX-License-Identifier: MIT */
/* What the files nir_lower_int64*.c share. */
#ifndef NIR_LOWER_INT64_PRIVATE_H
#define NIR_LOWER_INT64_PRIVATE_H

#include "nir_builder.h"

/* The option that names an opcode for which there is no 64-bit integer
 * arithmetic at all; 0: not of this kind. */
nir_lower_int64_options nir_int64_halves_option(const nir_alu_instr *alu);
/* The same by operations on 32-bit halves. x and y: sources 0 and 1. */
nir_value *nir_int64_by_halves(nir_builder *b, const nir_alu_instr *alu,
                               nir_value *x, nir_value *y);

#endif
