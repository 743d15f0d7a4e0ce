/* SPDX-License-Identifier: MIT */
/* For tests of how long code is: shaders that compute with uniforms. */
#ifndef UNIFORM_FIXTURE_H
#define UNIFORM_FIXTURE_H

#include "compiler_fixture.h"

#include "compiler/nir/nir_builder.h"

/* `comps` numbers of uniform block 1 at a byte. */
static inline nir_value *
load_uniform(nir_builder *b, unsigned comps, unsigned bits, unsigned at_B)
{
   nir_intrinsic_instr *intr =
      nir_new_intrinsic(b->shader, nir_intrinsic_load_ubo);

   intr->num_components = (uint8_t)comps;
   intr->src[0] = nir_use_of(nir_imm_int(b, 1));
   intr->src[1] = nir_use_of(nir_imm_int(b, (int)at_B));
   nir_intrinsic_set_align(intr, 8, 0);
   nir_intrinsic_set_range(intr, ~0u);
   nir_set_result(&intr->instr, comps, bits);
   return nir_emit(b, &intr->instr);
}

#endif
