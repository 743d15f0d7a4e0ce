/* SPDX-License-Identifier: MIT */
/* Operations on vectors, for the writers of bytecode. */
#ifndef D3D_VECTOR_H
#define D3D_VECTOR_H

#include "compiler/nir/nir.h"

/* What a profile's instructions can do. */
struct d3d_vector_options {
   /* Whether one instruction does the operation, which NIR does component by
    * component and not with 64 bits, to all components of a register. */
   bool (*by_component)(const nir_alu_instr *alu);
   unsigned least_dot; /* components of the smallest dot product */
};

/* Joins scalars of a block to vectors. */
void d3d_make_vectors(nir_shader *nir, const struct d3d_vector_options *o);

#endif
