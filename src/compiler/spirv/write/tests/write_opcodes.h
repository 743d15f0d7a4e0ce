/* SPDX-License-Identifier: MIT */
/*
 * A shader for each opcode of NIR at each size that its row takes: dwords of
 * storage buffer 0 are the operands, results go to buffer 1.
 */
#ifndef WRITE_OPCODES_H
#define WRITE_OPCODES_H

#include "compiler/nir/nir.h"

/* The shader of opcode, size of what has none in the row, and components of
 * what has none; NULL if the row does not take these. */
nir_shader *write_opcode_shader(struct arena *arena, nir_op op, unsigned bits,
                                unsigned components);
/* Whether SPIR-V has nothing for it, and the writer is to say so. */
bool write_opcode_is_refused(nir_op op, unsigned bits);

#endif
