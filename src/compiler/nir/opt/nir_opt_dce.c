/* SPDX-License-Identifier: MIT */
/*
 * Removes instructions whose results nothing needs.
 *
 * Instructions with effects of their own are live; so is whatever a live
 * instruction or an if reads. Found by marking from the live ones backwards,
 * so that values which only feed each other around a loop go as well.
 * Cost: linear.
 */
#include "nir.h"

#include "util/dynarray.h"
#include "util/guard.h"

static bool
has_effects(const nir_instr *instr)
{
   switch (instr->type) {
   case nir_instr_type_call:
   case nir_instr_type_jump: return true;
   case nir_instr_type_intrinsic: {
      const nir_intrinsic_instr *intrin = nir_instr_as_intrinsic(instr);
      const nir_intrinsic_info *info =
         &nir_intrinsic_infos[intrin->intrinsic];
      return !(info->flags & NIR_INTRINSIC_CAN_ELIMINATE);
   }
   case nir_instr_type_alu:
   case nir_instr_type_tex:
   case nir_instr_type_phi:
   case nir_instr_type_deref:
   case nir_instr_type_load_const:
   case nir_instr_type_ssa_undef: return false;
   }
   return true;
}

struct marker {
   BITSET_WORD *live; /* by nir_instr.index */
   struct util_dynarray work;
};

static void
mark(struct marker *m, nir_instr *instr)
{
   if (BITSET_TEST(m->live, instr->index))
      return;
   BITSET_SET(m->live, instr->index);
   util_dynarray_append(&m->work, nir_instr *, instr);
}

static bool
mark_source(nir_src *src, void *state)
{
   mark(state, src->ssa->parent_instr);
   return true;
}

static void
mark_block(struct marker *m, nir_block *block)
{
   nir_foreach_instr(instr, block) {
      if (has_effects(instr))
         mark(m, instr);
   }
   nir_if *nif = nir_block_get_following_if(block);
   if (nif)
      mark_source(&nif->condition, m);
}

static bool
sweep(nir_function_impl *impl, const struct marker *m)
{
   bool progress = false;
   nir_foreach_block_reverse(block, impl) {
      nir_foreach_instr_reverse_safe(instr, block) {
         if (BITSET_TEST(m->live, instr->index))
            continue;
         /* Dead values may still use each other around a loop. */
         nir_ssa_def *def = nir_instr_ssa_def(instr);
         if (def) {
            nir_foreach_use_safe(use, def) {
               list_del(&use->use_link);
               list_inithead(&use->use_link);
            }
         }
         nir_instr_remove(instr);
         progress = true;
      }
   }
   return progress;
}

static bool
run_impl(nir_function_impl *impl)
{
   struct marker m = { 0 };
   const unsigned count = nir_index_instrs(impl);
   m.live = guard_alloc(BITSET_WORDS(count + 1), sizeof(BITSET_WORD));
   nir_foreach_block(block, impl)
      mark_block(&m, block);
   while (m.work.size_B) {
      nir_instr *instr = util_dynarray_pop(&m.work, nir_instr *);
      nir_foreach_src(instr, mark_source, &m);
   }
   const bool progress = sweep(impl, &m);
   util_dynarray_fini(&m.work);
   guard_free(m.live);
   nir_metadata_preserve(impl, progress ? nir_metadata_block_index |
                                             nir_metadata_dominance
                                        : nir_metadata_all);
   return progress;
}

bool
nir_opt_dce(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_function(function, shader) {
      if (function->impl)
         progress |= run_impl(function->impl);
   }
   return progress;
}
