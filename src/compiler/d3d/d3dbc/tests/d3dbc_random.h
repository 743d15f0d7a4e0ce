/* SPDX-License-Identifier: MIT */
/* Random programs that a profile allows, and the inputs of one invocation. */
#ifndef D3DBC_RANDOM_H
#define D3DBC_RANDOM_H

#include "compiler/d3d/d3dbc/tests/d3dbc_interp.h"
#include "d3dbc.h"

struct d3dbc_random {
   uint64_t state;
   struct arena *arena;
   enum d3dbc_profile profile;
   struct util_dynarray insts; /* struct d3dbc_inst */
   unsigned sampler_type[16];
};

uint32_t d3dbc_random_next(struct d3dbc_random *r, uint32_t below);
/* A shader in `r->arena`; r->sampler_type says what it declares. */
struct d3dbc_shader *d3dbc_random_shader(struct d3dbc_random *r,
                                         unsigned num_insts);
/* Small values, some of them whole, and -1, 0 and 1 among them. */
void d3dbc_random_inputs(struct d3dbc_random *r, struct d3dbc_interp *in);

#endif
