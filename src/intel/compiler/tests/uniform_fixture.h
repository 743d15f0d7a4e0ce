/* SPDX-License-Identifier: MIT */
/* For tests of how long code is: shaders that compute with uniforms. */
#ifndef UNIFORM_FIXTURE_H
#define UNIFORM_FIXTURE_H

#include "compiler_fixture.h"

#include "compiler/nir/nir_builder.h"

/* `comps` numbers of uniform block 1 at a byte. */
static inline nir_ssa_def *
load_uniform(nir_builder *b, unsigned comps, unsigned bits, unsigned at_B)
{
   nir_intrinsic_instr *intr =
      nir_intrinsic_instr_create(b->shader, nir_intrinsic_load_ubo);

   intr->num_components = (uint8_t)comps;
   intr->src[0] = nir_src_for_ssa(nir_imm_int(b, 1));
   intr->src[1] = nir_src_for_ssa(nir_imm_int(b, (int)at_B));
   nir_intrinsic_set_align(intr, 8, 0);
   nir_intrinsic_set_range(intr, ~0u);
   nir_ssa_dest_init(&intr->instr, &intr->dest, comps, bits, NULL);
   nir_builder_instr_insert(b, &intr->instr);
   return &intr->dest.ssa;
}

#endif
