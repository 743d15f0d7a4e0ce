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
   switch (instr->kind) {
   case nir_kind_call:
   case nir_kind_jump: return true;
   case nir_kind_intrinsic: {
      const nir_intrinsic_op op = nir_instr_as_intrinsic(instr)->intrinsic;
      return !(nir_intrinsic_infos[op].flags & NIR_INTRINSIC_CAN_ELIMINATE);
   }
   case nir_kind_alu:
   case nir_kind_tex:
   case nir_kind_phi:
   case nir_kind_deref:
   case nir_kind_load_const:
   case nir_kind_undef: return false;
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
mark_source(nir_use *src, void *state)
{
   mark(state, src->value->instr);
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
         nir_value *def = nir_instr_value(instr);
         if (def) {
            nir_foreach_use_safe(use, def) {
               list_del(&use->link);
               list_inithead(&use->link);
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
   const unsigned count = nir_number_instrs(impl);
   m.live = guard_alloc(BITSET_WORDS(count + 1), sizeof(BITSET_WORD));
   nir_foreach_block(block, impl)
      mark_block(&m, block);
   while (m.work.size_B) {
      nir_instr *instr = util_dynarray_pop(&m.work, nir_instr *);
      nir_visit_uses(instr, mark_source, &m);
   }
   const bool progress = sweep(impl, &m);
   util_dynarray_fini(&m.work);
   guard_free(m.live);
   nir_changed(impl, progress,
               nir_metadata_block_index | nir_metadata_dominance);
   return progress;
}

bool
nir_opt_dce(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_impl(impl, shader)
      progress |= run_impl(impl);
   return progress;
}
