/* SPDX-License-Identifier: MIT */
/*
 * NIR to d3dbc: vs and ps of 2_0, 2_x and 3_0.
 *
 * Integers are floats that hold whole numbers, as in every compiler for
 * these profiles: they are exact up to 2^24, quotients of integers up to
 * 2^20, and unsigned operations take them as they are, not modulo 2^32.
 * Loops without a known bound repeat 255 times 255 times at most.
 *
 * Interface: as d3dbc_to_nir reads it. Uniform buffers become c#, one after
 * the other by set and binding; a texture of binding b is s(b - lowest).
 */
#ifndef D3DBC_FROM_NIR_H
#define D3DBC_FROM_NIR_H

#include "compiler/d3d/d3d_semantics.h"
#include "compiler/nir/nir.h"
#include "d3dbc.h"

struct d3dbc_from_nir_options {
   /* The SPIR-V came from HLSL, whose matrices glslang transposes: the
    * constant table has rows and columns of the source. */
   bool hlsl;
   /* Usages of inputs and outputs; NULL, or of a variable that is not there:
    * by location, as d3dbc_to_nir has them. */
   const struct d3d_semantics *semantics;
};

/* The shader in `arena`; `nir` is lowered on the way, `options` may be NULL.
 * NULL on what the profile has not, with a sentence in error->text. */
struct d3dbc_shader *d3dbc_from_nir(
   struct arena *arena, nir_shader *nir, enum d3dbc_profile profile,
   const struct d3dbc_from_nir_options *options, struct d3d_error *error);

#endif
