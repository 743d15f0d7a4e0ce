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

/* Passes of this back end; each returns whether it changed anything. */
bool vec4_opt_copy_propagation(struct eu_shader *s);
bool vec4_opt_dead_code(struct eu_shader *s);
bool vec4_lower_operands(struct eu_shader *s);
bool vec4_opt_coalesce(struct eu_shader *s);
bool vec4_opt_flags(struct eu_shader *s);
bool vec4_opt_immediates(struct eu_shader *s);
bool vec4_opt_repeated(struct eu_shader *s);

#endif
