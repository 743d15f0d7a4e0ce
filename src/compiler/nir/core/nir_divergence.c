/* SPDX-License-Identifier: MIT */
/*
 * Which values may differ between channels that run together.
 *
 * Before: SSA. Sets `divergent` of all values and loops. What is not
 * divergent has one value for all channels that are active where it is
 * computed, and also for those that read it later:
 *
 * - a phi after an `if` differs if the condition does;
 * - a loop from which channels go on or leave while others stay is
 *   divergent, and so are the phis at its start and after it. What else
 *   stands in it and is not divergent is the same in every round, so that
 *   it does not matter when a channel left.
 *
 * Starts with nothing divergent and repeats until nothing changes. Cost:
 * linear in the size, times the depth of loops.
 */
#include "nir.h"

struct divergence {
   nir_uniform_intrinsic_cb uniform;
   const void *data;
   bool changed;
};

/* Where a block is: in which loop, and whether all of its channels are
 * here. */
struct place {
   nir_loop *loop;
   bool divergent;
};

static bool
src_is_divergent(const nir_use *src)
{
   return src->value->divergent;
}

static bool
note_divergent_src(nir_use *src, void *state)
{
   bool *found = state;
   *found |= src_is_divergent(src);
   return true;
}

static bool
any_src_is_divergent(nir_instr *instr)
{
   bool found = false;
   nir_visit_uses(instr, note_divergent_src, &found);
   return found;
}

static bool
reads_neighbours(nir_op op)
{
   switch (op) {
   case nir_op_fddx:
   case nir_op_fddx_coarse:
   case nir_op_fddx_fine:
   case nir_op_fddy:
   case nir_op_fddy_coarse:
   case nir_op_fddy_fine: return true;
   default: return false;
   }
}

static bool
phi_is_divergent(const nir_phi_instr *phi)
{
   const nir_cf_node *node = &phi->instr.block->cf_node;
   nir_cf_node *prev = nir_cf_node_prev((nir_cf_node *)node);
   unsigned sources = 0;

   nir_foreach_phi_source(src, phi) {
      if (src_is_divergent(&src->use))
         return true;
      sources++;
   }
   if (!prev)
      return node->parent->type != nir_cf_node_loop ||
             nir_cf_node_as_loop(node->parent)->divergent;
   if (prev->type == nir_cf_node_loop)
      return nir_cf_node_as_loop(prev)->divergent;
   return sources > 1 &&
          src_is_divergent(&nir_cf_node_as_if(prev)->condition);
}

static bool
instr_is_divergent(const struct divergence *d, nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_load_const:
   case nir_kind_undef: return false;
   case nir_kind_alu:
      return reads_neighbours(nir_instr_as_alu(instr)->op) ||
             any_src_is_divergent(instr);
   case nir_kind_phi: return phi_is_divergent(nir_instr_as_phi(instr));
   case nir_kind_deref: return any_src_is_divergent(instr);
   case nir_kind_intrinsic:
      return !d->uniform(nir_instr_as_intrinsic(instr), d->data) ||
             any_src_is_divergent(instr);
   default: return true;
   }
}

static bool
mark_def(nir_value *def, void *state)
{
   struct divergence *d = state;
   d->changed |= !def->divergent;
   def->divergent = true;
   return true;
}

static bool
clear_def(nir_value *def, void *state)
{
   (void)state;
   def->divergent = false;
   return true;
}

static void
visit_block(struct divergence *d, nir_block *block, const struct place *at)
{
   nir_foreach_instr(instr, block) {
      if (instr->kind == nir_kind_jump && at->divergent && at->loop &&
          !at->loop->divergent) {
         at->loop->divergent = true;
         d->changed = true;
      }
      if (instr_is_divergent(d, instr))
         nir_visit_value(instr, mark_def, d);
   }
}

static void
visit_list(struct divergence *d, struct list_head *list,
           const struct place *at)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_block) {
         visit_block(d, nir_cf_node_as_block(node), at);
      } else if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         struct place arm = *at;
         arm.divergent |= src_is_divergent(&nif->condition);
         visit_list(d, &nif->then_list, &arm);
         visit_list(d, &nif->else_list, &arm);
      } else {
         nir_loop *loop = nir_cf_node_as_loop(node);
         visit_list(d, &loop->body, &(struct place) { .loop = loop });
      }
   }
}

static void
clear_list(struct list_head *list)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_block) {
         nir_foreach_instr(instr, nir_cf_node_as_block(node))
            nir_visit_value(instr, clear_def, NULL);
      } else if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         clear_list(&nif->then_list);
         clear_list(&nif->else_list);
      } else {
         nir_loop *loop = nir_cf_node_as_loop(node);
         loop->divergent = false;
         clear_list(&loop->body);
      }
   }
}

void
nir_find_divergence(nir_function_impl *impl, nir_uniform_intrinsic_cb uniform,
                    const void *data)
{
   struct divergence d = { .uniform = uniform, .data = data };

   clear_list(&impl->body);
   do {
      d.changed = false;
      visit_list(&d, &impl->body, &(struct place) { 0 });
   } while (d.changed);
}
