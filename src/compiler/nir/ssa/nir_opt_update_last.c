/* SPDX-License-Identifier: MIT */
/*
 * What a loop computes for its next round is computed after the last use of
 * what it has now, so that both can be in one register.
 *
 *    loop { x = phi(a, x1); y = phi(b, y1); ... x1 = x + 1; y1 = y * x }
 * becomes
 *    loop { x = phi(a, x1); y = phi(b, y1); ... y1 = y * x; x1 = x + 1 }
 * where x is read for y1. Of two that need each other's old values, one is
 * copied all the same.
 *
 * Before: SSA, in its last order. Only ALU operations at the end of the body
 * move, down to the last use of the phi in that block, and not past uses of
 * their own. Cost: instructions of that block times those that move.
 */
#include "nir.h"

static bool
may_move(const nir_instr *instr)
{
   return instr->kind == nir_kind_alu &&
          !nir_op_is_derivative(nir_instr_as_alu((nir_instr *)instr)->op);
}

/* The last instruction of the block that reads a value; NULL: none. */
static nir_instr *
last_use(const nir_value *def, const nir_block *block)
{
   nir_instr *last = NULL;

   nir_foreach_instr_use(use, def) {
      nir_instr *user = use->instr;
      if (user->block == block && user->kind != nir_kind_phi &&
          (!last || user->index > last->index))
         last = user;
   }
   return last;
}

static bool
is_used_before(const nir_value *def, const nir_instr *end)
{
   nir_foreach_instr_use(use, def) {
      const nir_instr *user = use->instr;
      if (user->block == end->block && user->kind != nir_kind_phi &&
          user->index <= end->index)
         return true;
   }
   return false;
}

static bool
update_last(nir_function_impl *impl, nir_loop *loop)
{
   nir_block *end = nir_loop_last_block(loop);
   bool progress = false;

   if (nir_block_ends_in_jump(end))
      return false;
   nir_foreach_phi(phi, nir_loop_first_block(loop)) {
      const nir_value *next = nir_phi_source_from(phi, end)->use.value;
      nir_instr *instr = next->instr;

      if (instr->block != end || !may_move(instr))
         continue;
      nir_instr *last = last_use(&phi->instr.result, end);
      if (!last || last->index <= instr->index || is_used_before(next, last))
         continue;
      nir_instr_move(nir_after_instr(last), instr);
      nir_number_instrs(impl);
      progress = true;
   }
   return progress;
}

static bool
run_list(nir_function_impl *impl, struct list_head *list)
{
   bool progress = false;

   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         progress |= run_list(impl, &nif->then_list);
         progress |= run_list(impl, &nif->else_list);
      } else if (node->type == nir_cf_node_loop) {
         nir_loop *loop = nir_cf_node_as_loop(node);
         progress |= run_list(impl, &loop->body);
         progress |= update_last(impl, loop);
      }
   }
   return progress;
}

bool
nir_opt_update_last(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      nir_number_instrs(impl);
      const bool changed = run_list(impl, &impl->body);
      nir_changed(impl, changed, nir_metadata_control_flow);
      progress |= changed;
   }
   return progress;
}
