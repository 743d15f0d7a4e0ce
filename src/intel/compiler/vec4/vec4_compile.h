/* SPDX-License-Identifier: MIT */
/* The back end for SIMD4x2 code: what others may know of it. */
#ifndef VEC4_COMPILE_H
#define VEC4_COMPILE_H

#include "compiler/nir/nir.h"
#include "intel/compiler/eu/eu_pass.h"

/* Everything from NIR to encoded instructions, for a thread of two vertices.
 * False and s->fail_msg when it cannot be done. */
bool vec4_compile(struct eu_shader *s, struct eu_binary *out);

/* Dot products, and whether all or any components are alike, of vectors that
 * this back end takes as they are. */
bool vec4_is_reduction(const nir_alu_instr *alu);

/* The passes of this back end, which has those of fs/ and eu/ besides. */
#define VEC4_PASSES(OPTIONAL, REQUIRED)                                      \
   OPTIONAL(vec4_opt_copy_propagation)                                       \
   OPTIONAL(vec4_opt_merge_moves)                                            \
   OPTIONAL(vec4_opt_dead_code)                                              \
   OPTIONAL(vec4_opt_coalesce)                                               \
   OPTIONAL(vec4_opt_flags)                                                  \
   OPTIONAL(vec4_opt_repeated)                                               \
   REQUIRED(vec4_lower_operands)                                             \
   REQUIRED(vec4_lower_double_swizzles)                                      \
   OPTIONAL(vec4_opt_immediates)

VEC4_PASSES(EU_DECLARE_PASS, EU_DECLARE_PASS)

#endif
