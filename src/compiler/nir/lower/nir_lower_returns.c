/* SPDX-License-Identifier: MIT */
/*
 * Functions with one way out. A return sets a flag; in a loop it breaks as
 * well. What stands after an if or a loop that may have returned goes under
 * `if (!flag)`, or, within a loop, after `if (flag) break`. A value that no
 * longer dominates its uses is repaired at the end.
 */
#include "nir.h"
#include "nir_builder.h"

struct state {
   nir_function_impl *impl;
   nir_builder b;
   nir_variable *flag;
};

static bool lower_cf_list(struct state *s, struct list_head *list,
                          bool in_loop);

static void
ensure_flag(struct state *s)
{
   const nir_cursor cursor = s->b.cursor;

   if (s->flag)
      return;
   s->flag = nir_new_local(s->impl, glsl_bool_type(), "returned");
   s->b.cursor = nir_before_cf_list(&s->impl->body);
   nir_store_var(&s->b, s->flag, nir_imm_false(&s->b), 1);
   s->b.cursor = cursor;
}

/* The edge that comes to be where a return goes brings nothing to phis. */
static void
add_undef_sources(struct state *s, nir_block *pred)
{
   for (unsigned i = 0; i < 2; i++) {
      nir_block *to = pred->successors[i];
      if (!to || to == s->impl->end_block)
         continue;
      nir_foreach_phi(phi, to) {
         bool have = false;
         nir_instr *undef;
         nir_foreach_phi_source(src, phi)
            have |= src->pred == pred;
         if (have)
            continue;
         undef = nir_new_undef(s->b.shader, phi->instr.result.num_components,
                               phi->instr.result.bit_size);
         nir_instr_insert(nir_before_cf_list(&s->impl->body), undef);
         nir_phi_add_source(phi, pred, nir_use_of(&undef->result));
      }
   }
}

static bool
lower_block(struct state *s, nir_block *block, bool in_loop)
{
   nir_instr *last = nir_block_last_instr(block);

   if (!last || last->kind != nir_kind_jump ||
       nir_instr_as_jump(last)->type != nir_jump_return)
      return false;
   nir_instr_remove(last);
   s->b.cursor = nir_after_block(block);
   ensure_flag(s);
   s->b.cursor = nir_after_block(block);
   nir_store_var(&s->b, s->flag, nir_imm_true(&s->b), 1);
   if (in_loop)
      nir_jump(&s->b, nir_jump_break);
   add_undef_sources(s, block);
   return true;
}

/* After `node`, inside which there was a return. */
static void
guard_rest(struct state *s, nir_cf_node *node, struct list_head *list)
{
   nir_cf_list rest;

   s->b.cursor = nir_after_cf_node_and_phis(node);
   nir_cf_extract(&rest, nir_after_cf_node_and_phis(node),
                  nir_after_cf_list(list));
   s->b.cursor = nir_after_cf_node_and_phis(node);
   nir_push_if(&s->b, nir_inot(&s->b, nir_load_var(&s->b, s->flag)));
   nir_cf_put_back(&rest, s->b.cursor);
   nir_pop_if(&s->b, NULL);
}

static bool
lower_node(struct state *s, nir_cf_node *node, bool in_loop)
{
   bool found;

   switch (node->type) {
   case nir_cf_node_block:
      return lower_block(s, nir_cf_node_as_block(node), in_loop);
   case nir_cf_node_if: {
      nir_if *nif = nir_cf_node_as_if(node);
      found = lower_cf_list(s, &nif->then_list, in_loop);
      found |= lower_cf_list(s, &nif->else_list, in_loop);
      return found;
   }
   case nir_cf_node_loop:
      return lower_cf_list(s, &nir_cf_node_as_loop(node)->body, true);
   default: unreachable("functions are not nested");
   }
}

static bool
lower_cf_list(struct state *s, struct list_head *list, bool in_loop)
{
   bool found = false;

   for (nir_cf_node *node = nir_cf_list_first(list); node;
        node = nir_cf_node_next(node)) {
      if (!lower_node(s, node, in_loop))
         continue;
      found = true;
      if (node->type == nir_cf_node_loop && in_loop) {
         s->b.cursor = nir_after_cf_node_and_phis(node);
         nir_push_if(&s->b, nir_load_var(&s->b, s->flag));
         nir_jump(&s->b, nir_jump_break);
         nir_pop_if(&s->b, NULL);
         node = nir_cf_node_next(nir_cf_node_next(node));
      } else if (node->type == nir_cf_node_loop ||
                 (node->type == nir_cf_node_if && !in_loop)) {
         guard_rest(s, node, list);
         /* The block with the condition; then the if with the rest. */
         node = nir_cf_node_next(node);
      }
   }
   return found;
}

bool
nir_lower_returns_impl(nir_function_impl *impl)
{
   struct state s = { .impl = impl };

   nir_builder_init(&s.b, impl);
   const bool found = lower_cf_list(&s, &impl->body, false);
   nir_changed(impl, found, nir_metadata_none);
   if (found)
      nir_repair_ssa_impl(impl);
   return found;
}

bool
nir_lower_returns(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_impl(impl, shader)
      progress |= nir_lower_returns_impl(impl);
   return progress;
}
