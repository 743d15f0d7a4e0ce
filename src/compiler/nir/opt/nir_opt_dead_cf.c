/* SPDX-License-Identifier: MIT */
/*
 * Control flow that is never taken or does nothing:
 *
 *   - an if with a constant condition is replaced by the side that runs, and
 *     if that ends in a jump, what follows it is removed;
 *   - an if with two empty sides, and no phi after it, is removed;
 *   - a loop whose body ends in a break, and is not left or begun again
 *     before, is replaced by the body: do { } while (false).
 *
 * Before: SSA, structured. Cost: linear for each change.
 */
#include "nir.h"
#include "nir_builder.h"

/* The values that phis of `block` take when only `pred` is left of its
 * predecessors; undefined if `pred` never gets there. */
static void
resolve_phis(nir_builder *b, nir_block *block, const nir_block *pred)
{
   nir_foreach_phi_safe(phi, block) {
      nir_value *def = NULL;
      nir_foreach_phi_source(src, phi) {
         if (src->pred == pred)
            def = src->use.value;
      }
      if (!def) {
         b->cursor = nir_after_phis(block);
         def = nir_undef(b, phi->instr.result.num_components,
                         phi->instr.result.bit_size);
      }
      nir_instr_replace(&phi->instr, def);
   }
}

static void
take_side(nir_builder *b, nir_if *nif, bool then_side)
{
   struct list_head *side = then_side ? &nif->then_list : &nif->else_list;
   nir_block *last = nir_cf_node_as_block(nir_cf_list_last(side));
   nir_block *next = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
   const bool jumps = nir_block_ends_in_jump(last);
   resolve_phis(b, next, jumps ? NULL : last);

   if (jumps) {
      /* Nothing after the if runs any more. */
      nir_cf_node *end = &next->cf_node;
      while (nir_cf_node_next(end))
         end = nir_cf_node_next(end);
      nir_cf_list dead;
      nir_cf_extract(&dead, nir_before_block(next), nir_after_cf_node(end));
      nir_cf_drop(&dead);
   }
   nir_cf_list taken;
   nir_cf_list_extract(&taken, side);
   nir_cf_put_back(&taken, nir_before_cf_node(&nif->cf_node));
   nir_cf_node_remove(&nif->cf_node);
}

static bool
is_empty_if(const nir_if *nif)
{
   if (!nir_cf_list_is_empty_block(&nif->then_list) ||
       !nir_cf_list_is_empty_block(&nif->else_list))
      return false;
   const nir_block *next =
      nir_cf_node_as_block(nir_cf_node_next((nir_cf_node *)&nif->cf_node));
   const nir_instr *first = nir_block_first_instr(next);
   return !first || first->kind != nir_kind_phi;
}

/* Of the loop that the list is in, but for the end of `last`. */
static bool
has_jumps(struct list_head *list, const nir_block *last)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      switch (node->type) {
      case nir_cf_node_block:
         if (nir_cf_node_as_block(node) != last &&
             nir_block_ends_in_jump(nir_cf_node_as_block(node)))
            return true;
         break;
      case nir_cf_node_if:
         if (has_jumps(&nir_cf_node_as_if(node)->then_list, last) ||
             has_jumps(&nir_cf_node_as_if(node)->else_list, last))
            return true;
         break;
      case nir_cf_node_loop:
      case nir_cf_node_function: break;
      }
   }
   return false;
}

static bool
take_body(nir_builder *b, nir_loop *loop)
{
   nir_block *first = nir_loop_first_block(loop);
   nir_block *last = nir_loop_last_block(loop);
   nir_instr *jump = nir_block_last_instr(last);

   if (!jump || jump->kind != nir_kind_jump ||
       nir_instr_as_jump(jump)->type != nir_jump_break ||
       has_jumps(&loop->body, last))
      return false;
   resolve_phis(b, first,
                nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node)));
   resolve_phis(b, nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node)),
                last);
   nir_instr_remove(jump);
   nir_cf_list body;
   nir_cf_list_extract(&body, &loop->body);
   nir_cf_put_back(&body, nir_before_cf_node(&loop->cf_node));
   nir_cf_node_remove(&loop->cf_node);
   return true;
}

/* One change in the list or below it; the lists are not what they were. */
static bool
change_one(nir_builder *b, struct list_head *list)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      switch (node->type) {
      case nir_cf_node_if: {
         nir_if *nif = nir_cf_node_as_if(node);
         if (nir_use_is_const(nif->condition)) {
            take_side(b, nif, nir_use_as_bool(nif->condition));
            return true;
         }
         if (is_empty_if(nif)) {
            nir_cf_node_remove(&nif->cf_node);
            return true;
         }
         if (change_one(b, &nif->then_list) || change_one(b, &nif->else_list))
            return true;
         break;
      }
      case nir_cf_node_loop:
         if (take_body(b, nir_cf_node_as_loop(node)) ||
             change_one(b, &nir_cf_node_as_loop(node)->body))
            return true;
         break;
      case nir_cf_node_block:
      case nir_cf_node_function: break;
      }
   }
   return false;
}

bool
nir_opt_dead_cf(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_impl(impl, shader) {
      nir_builder b;
      nir_builder_init(&b, impl);
      bool changed = false;
      while (change_one(&b, &impl->body))
         changed = true;
      nir_changed(impl, changed, nir_metadata_none);
      progress |= changed;
   }
   return progress;
}
