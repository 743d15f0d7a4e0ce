/* SPDX-License-Identifier: MIT */
/*
 * Semantics of HLSL: what inputs and outputs are called. SPIR-V has them as
 * decorations (SPV_GOOGLE_hlsl_functionality1), NIR has not.
 */
#ifndef D3D_SEMANTICS_H
#define D3D_SEMANTICS_H

#include "compiler/nir/nir.h"

#define D3D_MAX_SEMANTICS 64
#define D3D_MAX_SEMANTIC_NAME 32

struct d3d_semantic {
   bool is_output;
   uint32_t location;                /* of the first element */
   char name[D3D_MAX_SEMANTIC_NAME]; /* without the index */
   uint32_t index;
};

struct d3d_semantics {
   struct d3d_semantic list[D3D_MAX_SEMANTICS];
   unsigned num;
};

/* Adds those of the interface of a module, which need not be valid: what
 * cannot be read has none. Names that are too long are cut. */
void d3d_semantics_read(struct d3d_semantics *s, const uint32_t *words,
                        size_t num_words);
/* That of an input or output variable as the front end made it; NULL: none.
 * `s` may be NULL. */
const struct d3d_semantic *d3d_semantic_of(const struct d3d_semantics *s,
                                           gl_shader_stage stage,
                                           const nir_variable *var);

#endif
