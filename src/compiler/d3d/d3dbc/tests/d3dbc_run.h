/* SPDX-License-Identifier: MIT */
/* A translated shader in the NIR interpreter, with the inputs and outputs of
 * d3dbc's own. */
#ifndef D3DBC_RUN_H
#define D3DBC_RUN_H

#include "compiler/d3d/d3dbc/tests/d3dbc_interp.h"
#include "d3dbc_to_nir.h"

/* The texels of these tests: any function of all that matters. */
void d3dbc_run_texel(unsigned stage, const float coord[3], unsigned kind,
                     float extra, float out[4]);
/* Reads the inputs of `s` and leaves the outputs there; NULL or an error,
 * which is in `arena`. For vs_3_0, o# are VARYING_SLOT_VAR#, o0 position. */
const char *d3dbc_run_nir(nir_shader *nir, const struct d3dbc_shader *shader,
                          struct d3dbc_interp *s, struct arena *arena);
/* Where the outputs of two runs differ, as text in `arena`; NULL: nowhere. */
const char *d3dbc_run_compare(const struct d3dbc_interp *a,
                              const struct d3dbc_interp *b,
                              struct arena *arena);

#endif
