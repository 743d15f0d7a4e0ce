/* SPDX-License-Identifier: MIT */
/*
 * Removes phis whose sources are all the same value, the phi itself, or
 * undefined.
 *
 * The one value must dominate the phi; with an undefined source beside it,
 * that holds only if its block dominates the phi's, which is checked.
 * Cost: linear for each round.
 */
#include "nir.h"
#include "nir_builder.h"

/* The one value of the phi; NULL if there are several or none. */
static nir_value *
only_source(const nir_phi_instr *phi)
{
   nir_value *only = NULL;
   nir_foreach_phi_source(src, phi) {
      nir_value *def = src->use.value;
      if (def == &phi->instr.result || nir_use_is_undef(src->use))
         continue;
      if (only && only != def)
         return NULL;
      only = def;
   }
   if (!only)
      return NULL;
   /* In the phi's own block (a loop header) it is defined after the phi. */
   const nir_block *from = only->instr->block;
   const bool before = from != phi->instr.block &&
                       nir_block_dominates(from, phi->instr.block);
   return before ? only : NULL;
}

static bool
all_undefined(const nir_phi_instr *phi)
{
   nir_foreach_phi_source(src, phi) {
      if (src->use.value != &phi->instr.result && !nir_use_is_undef(src->use))
         return false;
   }
   return true;
}

static bool
run_block(nir_builder *b, nir_block *block)
{
   bool progress = false;
   nir_foreach_phi_safe(phi, block) {
      nir_value *def = only_source(phi);
      if (!def && all_undefined(phi)) {
         b->cursor = nir_after_phis(block);
         def = nir_undef(b, phi->instr.result.num_components,
                         phi->instr.result.bit_size);
      }
      if (!def)
         continue;
      nir_instr_replace(&phi->instr, def);
      progress = true;
   }
   return progress;
}

bool
nir_opt_remove_phis(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_impl(impl, shader) {
      nir_builder b;
      nir_builder_init(&b, impl);
      nir_metadata_require(impl, nir_metadata_dominance);
      bool impl_progress = false;
      nir_foreach_block(block, impl)
         impl_progress |= run_block(&b, block);
      nir_changed(impl, impl_progress,
                  nir_metadata_block_index | nir_metadata_dominance);
      progress |= impl_progress;
   }
   return progress;
}
