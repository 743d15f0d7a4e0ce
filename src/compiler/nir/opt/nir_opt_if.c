/* SPDX-License-Identifier: MIT */
/*
 * What is known inside of an if: uses of its condition in the then side are
 * true, in the else side false.
 *
 * Before: SSA, structured. Cost: linear in the uses of conditions.
 */
#include "nir.h"
#include "nir_builder.h"

/* Which side of the if a block lies in: 1 then, 0 else, -1 outside. */
static int
side_of(const nir_if *nif, const nir_block *block)
{
   if (nir_block_dominates(nir_if_first_then_block(nif), block))
      return 1;
   if (nir_block_dominates(nir_if_first_else_block(nif), block))
      return 0;
   return -1;
}

static bool
propagate_condition(nir_builder *b, nir_if *nif)
{
   nir_ssa_def *condition = nif->condition.ssa;
   nir_ssa_def *known[2] = { NULL, NULL };
   bool progress = false;
   nir_foreach_use_safe(use, condition) {
      const int side = side_of(nif, nir_use_block(use));
      if (side < 0)
         continue;
      if (!known[side]) {
         b->cursor = nir_before_cf_node(&nif->cf_node);
         known[side] = nir_imm_boolN_t(b, side, condition->bit_size);
      }
      nir_instr_rewrite_src_ssa(use->parent_instr, use, known[side]);
      progress = true;
   }
   return progress;
}

static bool
run_list(nir_builder *b, struct list_head *list)
{
   bool progress = false;
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_loop) {
         progress |= run_list(b, &nir_cf_node_as_loop(node)->body);
      } else if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         if (!nir_src_is_const(nif->condition))
            progress |= propagate_condition(b, nif);
         progress |= run_list(b, &nif->then_list);
         progress |= run_list(b, &nif->else_list);
      }
   }
   return progress;
}

bool
nir_opt_if(nir_shader *shader, bool aggressive_last_continue)
{
   bool progress = false;
   nir_foreach_function(function, shader) {
      nir_function_impl *impl = function->impl;
      if (!impl)
         continue;
      nir_builder b;
      nir_builder_init(&b, impl);
      nir_metadata_require(impl, nir_metadata_dominance);
      const bool changed = run_list(&b, &impl->body);
      nir_metadata_preserve(impl, changed ? nir_metadata_block_index |
                                               nir_metadata_dominance
                                          : nir_metadata_all);
      progress |= changed;
   }
   return progress;
}
