/* SPDX-License-Identifier: MIT */
/*
 * Removes a continue that stands where the loop would go round anyway: as
 * the last thing of the body, or of a side of an if that is the last thing.
 *
 * A block that loses its jump falls through to the next one; phis there would
 * need a source from it, so nothing is done where the block after the if
 * has any. Cost: linear in the depth of nesting.
 */
#include "nir.h"

static bool run_tail(struct list_head *list);

static bool
remove_tail_continue(nir_block *block)
{
   nir_instr *last = nir_block_last_instr(block);
   if (!last || last->kind != nir_kind_jump ||
       nir_instr_as_jump(last)->type != nir_jump_continue)
      return false;
   nir_instr_remove(last);
   return true;
}

/* The list's end is the loop's end. */
static bool
run_tail(struct list_head *list)
{
   nir_block *last = nir_cf_node_as_block(nir_cf_list_last(list));
   if (remove_tail_continue(last))
      return true;
   if (!list_is_empty(&last->instr_list))
      return false;
   nir_cf_node *before = nir_cf_node_prev(&last->cf_node);
   if (before && before->type == nir_cf_node_if) {
      const bool t = run_tail(&nir_cf_node_as_if(before)->then_list);
      const bool e = run_tail(&nir_cf_node_as_if(before)->else_list);
      return t || e;
   }
   return false;
}

static bool
run_list(struct list_head *list)
{
   bool progress = false;
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_if) {
         progress |= run_list(&nir_cf_node_as_if(node)->then_list);
         progress |= run_list(&nir_cf_node_as_if(node)->else_list);
      } else if (node->type == nir_cf_node_loop) {
         nir_loop *loop = nir_cf_node_as_loop(node);
         progress |= run_list(&loop->body);
         progress |= run_tail(&loop->body);
      }
   }
   return progress;
}

bool
nir_opt_trivial_continues(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_impl(impl, shader) {
      /* Phis of the header would get a new predecessor: only without them
       * (that is, with values in registers or variables) is this done. */
      bool has_phis = false;
      nir_foreach_block(block, impl) {
         const nir_instr *first = nir_block_first_instr(block);
         has_phis |= first && first->kind == nir_kind_phi;
      }
      const bool changed = !has_phis && run_list(&impl->body);
      nir_changed(impl, changed, nir_metadata_none);
      progress |= changed;
   }
   return progress;
}
