/* SPDX-License-Identifier: MIT */
/*
 * What an ALU opcode's result may be: which operands leave it open, and how
 * far it may be from the value of the opcode's expression.
 */
#ifndef ALU_ACCURACY_H
#define ALU_ACCURACY_H

#include "compiler/nir/nir.h"

#define ALU_MAX_SOURCES 16

/* One component of a result, with the operands that it was made from. */
struct alu_result {
   nir_op op;
   unsigned src_bits[ALU_MAX_SOURCES], dst_bits;
   unsigned src_comps[ALU_MAX_SOURCES];
   /* All components of each source. */
   const uint64_t (*src)[NIR_MAX_VEC_COMPONENTS];
   unsigned comp;  /* which one decides; 0 for opcodes on whole vectors */
   unsigned part;  /* of the result of an opcode on whole vectors, else 0 */
   bool may_flush; /* subnormals of 32 bits, as the shader keeps none */
   uint64_t got, want;
};

/* False: any result will do. */
bool alu_is_defined(const struct alu_result *r);

/* `got` is as near to `want` as the opcode promises. */
bool alu_is_near(const struct alu_result *r);

#endif
