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
static nir_ssa_def *
only_source(const nir_phi_instr *phi)
{
   nir_ssa_def *only = NULL;
   nir_foreach_phi_src(src, phi) {
      nir_ssa_def *def = src->src.ssa;
      if (def == &phi->dest.ssa || nir_src_is_undef(src->src))
         continue;
      if (only && only != def)
         return NULL;
      only = def;
   }
   if (!only)
      return NULL;
   /* In the phi's own block (a loop header) it is defined after the phi. */
   const nir_block *from = only->parent_instr->block;
   const bool before = from != phi->instr.block &&
                       nir_block_dominates(from, phi->instr.block);
   return before ? only : NULL;
}

static bool
all_undefined(const nir_phi_instr *phi)
{
   nir_foreach_phi_src(src, phi) {
      if (src->src.ssa != &phi->dest.ssa && !nir_src_is_undef(src->src))
         return false;
   }
   return true;
}

static bool
run_block(nir_builder *b, nir_block *block)
{
   bool progress = false;
   nir_foreach_phi_safe(phi, block) {
      nir_ssa_def *def = only_source(phi);
      if (!def && all_undefined(phi)) {
         b->cursor = nir_after_phis(block);
         def = nir_ssa_undef(b, phi->dest.ssa.num_components,
                             phi->dest.ssa.bit_size);
      }
      if (!def)
         continue;
      nir_ssa_def_rewrite_uses(&phi->dest.ssa, def);
      nir_instr_remove(&phi->instr);
      progress = true;
   }
   return progress;
}

bool
nir_opt_remove_phis(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_function(function, shader) {
      nir_function_impl *impl = function->impl;
      if (!impl)
         continue;
      nir_builder b;
      nir_builder_init(&b, impl);
      nir_metadata_require(impl, nir_metadata_dominance);
      bool impl_progress = false;
      nir_foreach_block(block, impl)
         impl_progress |= run_block(&b, block);
      nir_metadata_preserve(impl, impl_progress ? nir_metadata_block_index |
                                                     nir_metadata_dominance
                                                : nir_metadata_all);
      progress |= impl_progress;
   }
   return progress;
}
