/* SPDX-License-Identifier: MIT */
/*
 * Problem: an invocation that a discard has ended goes on as long as its quad
 * has a live one, for derivatives (fs_nir_fs.c). What it computes then may be
 * what its program never meant to reach, and keep a loop going for ever:
 *
 *    if (step == 0)
 *       discard;
 *    for (int i = 0; i < 10; i += step) ...
 *
 * Method: at the head of such a loop all channels leave once none of those
 * that are in it is alive.
 *
 * A loop needs no such end if its rounds are known to be finite, or if all
 * channels enter and leave it together: it ends with the live ones then. A
 * discard in a loop has left it (spirv_cfg.c), so only those before the loop,
 * and before what loops it lies in, count.
 *
 * Before: SSA, one function. After: what the loop leaves behind is undefined
 * where it was left that way; nothing that is alive reads it.
 */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "intel/compiler/fs/from_nir/fs_nir.h"
#include "intel/compiler/intel_compiler_private.h"

/* Where a list of nodes lies. */
struct place {
   bool in_loop;   /* in any */
   bool divergent; /* some channels may have gone another way */
};

struct pass {
   nir_builder b;
   bool discarded; /* before the outermost loop of what is looked at */
   bool discarded_in_loop;
   bool progress;
};

static void
note_discards(struct pass *p, nir_block *block, bool in_loop)
{
   nir_foreach_instr(instr, block) {
      if (instr->kind != nir_kind_intrinsic)
         continue;
      const nir_intrinsic_op op = nir_instr_as_intrinsic(instr)->intrinsic;
      if (op != nir_intrinsic_discard && op != nir_intrinsic_discard_if)
         continue;
      if (in_loop)
         p->discarded_in_loop = true;
      else
         p->discarded = true;
   }
}

static void
leave_when_dead(struct pass *p, nir_loop *loop)
{
   nir_builder *b = &p->b;

   b->cursor = nir_after_phis(nir_loop_first_block(loop));
   nir_jump_if(b, nir_jump_break,
               nir_vote_all(b, 1, nir_is_helper_invocation(b, 1)));
   p->progress = true;
}

static void
visit_list(struct pass *p, struct list_head *list, const struct place *at)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_block) {
         note_discards(p, nir_cf_node_as_block(node), at->in_loop);
      } else if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         struct place arm = *at;

         arm.divergent |= nif->condition.value->divergent;
         visit_list(p, &nif->then_list, &arm);
         visit_list(p, &nif->else_list, &arm);
      } else {
         nir_loop *loop = nir_cf_node_as_loop(node);
         const bool divergent = at->divergent || loop->divergent;

         visit_list(p, &loop->body, &(struct place) { true, divergent });
         if (p->discarded && divergent && !loop->info->limiting_terminator)
            leave_when_dead(p, loop);
         if (!at->in_loop)
            p->discarded |= p->discarded_in_loop;
      }
   }
}

bool
intel_nir_exit_helper_loops(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   struct pass p = { .b = nir_builder_create(impl) };

   nir_metadata_require(impl, nir_metadata_loop_analysis, 0u);
   nir_find_divergence(impl, fs_is_uniform_intrinsic, nir);
   visit_list(&p, &impl->body, &(struct place) { false, false });
   nir_changed(impl, p.progress, nir_metadata_none);
   if (p.progress)
      nir_repair_ssa_impl(impl);
   return p.progress;
}
