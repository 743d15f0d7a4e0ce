/* SPDX-License-Identifier: MIT */
/*
 * Makes every definition dominate its uses again.
 *
 * A pass that changes control flow may leave a use that its definition does
 * not dominate any more, in places that are not reached without the
 * definition having run. Such values go through phis; the ways on which they
 * are not defined bring an undefined value. Values of dereferences cannot
 * pass through a phi: they must be used in the block they are made in.
 */
#include "nir.h"
#include "nir_phi_builder.h"

static bool
is_fine(const nir_value *def, const nir_block *block)
{
   return def->instr->block == block ||
          nir_block_dominates(def->instr->block, block);
}

struct repair {
   nir_function_impl *impl;
   struct nir_phi_builder *pb;
   BITSET_WORD *def_blocks;
   bool progress;
};

static struct nir_phi_value *
add_value(struct repair *r, nir_value *def)
{
   nir_block *block = def->instr->block;
   struct nir_phi_value *v;

   if (!r->pb)
      r->pb = nir_phi_builder_create(r->impl);
   BITSET_SET(r->def_blocks, block->index);
   v = nir_phi_builder_add_value(r->pb, def->num_components, def->bit_size,
                                 r->def_blocks);
   BITSET_CLEAR(r->def_blocks, block->index);
   nir_phi_value_set(v, block, def);
   return v;
}

static bool
repair_def(nir_value *def, void *data)
{
   struct repair *r = data;
   struct nir_phi_value *v = NULL;

   nir_foreach_instr_use_safe(src, def) {
      nir_block *block = nir_use_block(src);
      if (is_fine(def, block))
         continue;
      if (!v)
         v = add_value(r, def);
      nir_set_use(src->instr, src, nir_phi_value_def(v, block));
      r->progress = true;
   }
   nir_foreach_if_use_safe(src, def) {
      nir_block *block = nir_use_block(src);
      if (is_fine(def, block))
         continue;
      if (!v)
         v = add_value(r, def);
      nir_set_condition(src->nif, nir_phi_value_def(v, block));
      r->progress = true;
   }
   return true;
}

bool
nir_repair_ssa_impl(nir_function_impl *impl)
{
   struct arena *arena = arena_create(NULL);
   struct repair r = { .impl = impl };

   nir_metadata_require(impl, nir_metadata_control_flow);
   r.def_blocks =
      arena_new_array(arena, BITSET_WORD, BITSET_WORDS(impl->num_blocks + 1));
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block)
         nir_visit_value(instr, repair_def, &r);
   }
   if (r.pb)
      nir_phi_builder_finish(r.pb);
   arena_destroy(arena);
   nir_changed(impl, r.progress, nir_metadata_control_flow);
   return r.progress;
}

bool
nir_repair_ssa(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_impl(impl, shader)
      progress |= nir_repair_ssa_impl(impl);
   return progress;
}
