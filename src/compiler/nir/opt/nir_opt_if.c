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
   nir_value *condition = nif->condition.value;
   nir_value *known[2] = { NULL, NULL };
   bool progress = false;
   nir_foreach_instr_use_safe(use, condition) {
      const int side = side_of(nif, nir_use_block(use));
      if (side < 0)
         continue;
      if (!known[side]) {
         b->cursor = nir_before_cf_node(&nif->cf_node);
         known[side] = nir_imm_boolN_t(b, side, condition->bit_size);
      }
      nir_set_use(use->instr, use, known[side]);
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
         if (!nir_use_is_const(nif->condition))
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
   nir_foreach_impl(impl, shader) {
      nir_builder b;
      nir_builder_init(&b, impl);
      nir_metadata_require(impl, nir_metadata_dominance);
      const bool changed = run_list(&b, &impl->body);
      nir_changed(impl, changed,
                  nir_metadata_block_index | nir_metadata_dominance);
      progress |= changed;
   }
   return progress;
}
