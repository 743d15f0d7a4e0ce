/* SPDX-License-Identifier: MIT */
/*
 * Unrolls loops that run a known, small number of times.
 *
 *    loop { phis; A; if (c) { T; break } else { E }; B }
 * with trip count 2 becomes
 *    A E B  A E B  A T
 * each copy reading, for the header's phis, the values that the copy before
 * it made. Only loops whose one exit is that break are unrolled: others stay
 * loops. Values used after the loop are those of the last copy of A and T.
 *
 * Before: SSA. After: SSA, and the loop is gone.
 */
#include "nir_builder.h"

#include "nir_private.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

#define MAX_ITERATIONS 32
/* Of the cost in nir_loop_info: what the copies may cost together. */
#define MAX_UNROLLED_COST 1200
#define MAX_FORCED_COST 20000

struct header_phi {
   nir_ssa_def *def, *initial, *update, *current;
};

struct unroll_state {
   nir_loop *loop;
   struct util_dynarray phis; /* struct header_phi */
   nir_cf_list before, brk, cont, after;
   struct hash_table map;
};

static bool
should_unroll(nir_loop *loop)
{
   const nir_loop_info *info = loop->info;
   if (!info->exact_trip_count_known || info->complex_loop ||
       loop->control == nir_loop_control_dont_unroll)
      return false;
   const unsigned cost = info->instr_cost * (info->max_trip_count + 1);
   if (info->force_unroll || loop->control == nir_loop_control_unroll)
      return cost <= MAX_FORCED_COST;
   return info->max_trip_count <= MAX_ITERATIONS && cost <= MAX_UNROLLED_COST;
}

/* The forms that the copying below does not know. */
static bool
shape_is_plain(nir_loop *loop)
{
   nir_loop_terminator *t = loop->info->limiting_terminator;
   nir_block *after_if =
      nir_cf_node_as_block(nir_cf_node_next(&t->nif->cf_node));
   nir_instr *first = nir_block_first_instr(after_if);
   if (first && first->type == nir_instr_type_phi)
      return false;
   if (nir_block_ends_in_jump(t->continue_from_block) ||
       nir_block_ends_in_jump(nir_loop_last_block(loop)))
      return false;
   nir_foreach_block_in_cf_node(block, &loop->cf_node) {
      /* No other way out, as nir_loop_analyze counted; no return either. */
      nir_instr *last = nir_block_last_instr(block);
      if (last && last->type == nir_instr_type_jump &&
          (nir_instr_as_jump(last)->type == nir_jump_return ||
           nir_instr_as_jump(last)->type == nir_jump_halt))
         return false;
   }
   return true;
}

static bool
collect_phis(struct unroll_state *s)
{
   nir_block *header = nir_loop_first_block(s->loop);
   nir_block *pre = nir_cf_node_as_block(nir_cf_node_prev(&s->loop->cf_node));
   nir_foreach_phi(phi, header) {
      if (!phi->dest.is_ssa)
         return false;
      struct header_phi p = { .def = &phi->dest.ssa };
      nir_foreach_phi_src(src, phi) {
         if (!src->src.is_ssa)
            return false;
         if (src->pred == pre)
            p.initial = src->src.ssa;
         else
            p.update = src->src.ssa;
      }
      p.current = p.initial;
      util_dynarray_append(&s->phis, struct header_phi, p);
   }
   return true;
}

/* Phis after a loop with one exit are copies. */
static void
drop_exit_phis(nir_loop *loop)
{
   nir_block *after = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
   nir_foreach_phi_safe(phi, after) {
      nir_phi_src *src = list_first_entry(&phi->srcs, nir_phi_src, node);
      nir_ssa_def_rewrite_uses(&phi->dest.ssa, src->src.ssa);
      nir_instr_remove(&phi->instr);
   }
}

static nir_ssa_def *
mapped(struct unroll_state *s, nir_ssa_def *def)
{
   nir_ssa_def *new = hash_table_get(&s->map, hash_key_ptr(def));
   return new ? new : def;
}

static void
copy_list(struct unroll_state *s, nir_cf_list *list)
{
   nir_cf_list copy;
   nir_cf_list_clone(&copy, list, s->loop->cf_node.parent, &s->map);
   nir_cf_reinsert(&copy, nir_before_cf_node(&s->loop->cf_node));
}

/* The next iteration's phis, all read before any is written. */
static void
advance_phis(struct unroll_state *s)
{
   util_dynarray_foreach(&s->phis, struct header_phi, p)
      p->current = mapped(s, p->update);
   util_dynarray_foreach(&s->phis, struct header_phi, p)
      hash_table_insert(&s->map, hash_key_ptr(p->def), p->current);
}

static bool
rewrite_to_copy(nir_ssa_def *def, void *state)
{
   struct unroll_state *s = state;
   nir_ssa_def *new = hash_table_get(&s->map, hash_key_ptr(def));
   if (new &&new != def)
      nir_ssa_def_rewrite_uses(def, new);
   return true;
}

static void
rewrite_node(struct unroll_state *s, nir_cf_node *node)
{
   if (node->type == nir_cf_node_block) {
      nir_foreach_instr(instr, nir_cf_node_as_block(node))
         nir_foreach_ssa_def(instr, rewrite_to_copy, s);
   } else if (node->type == nir_cf_node_if) {
      nir_if *nif = nir_cf_node_as_if(node);
      list_for_each_entry(nir_cf_node, n, &nif->then_list, node)
         rewrite_node(s, n);
      list_for_each_entry(nir_cf_node, n, &nif->else_list, node)
         rewrite_node(s, n);
   } else {
      list_for_each_entry(nir_cf_node, n, &nir_cf_node_as_loop(node)->body,
                          node)
         rewrite_node(s, n);
   }
}

static void
rewrite_list(struct unroll_state *s, nir_cf_list *list)
{
   list_for_each_entry(nir_cf_node, node, &list->list, node)
      rewrite_node(s, node);
}

/* Takes the pieces out of the loop, last first. */
static void
take_apart(struct unroll_state *s)
{
   nir_loop *loop = s->loop;
   nir_loop_terminator *t = loop->info->limiting_terminator;
   nir_if *nif = t->nif;
   nir_instr_remove(nir_block_last_instr(t->break_block));
   struct list_head *brk = t->continue_from_then ? &nif->else_list
                                                 : &nif->then_list;
   struct list_head *cont = t->continue_from_then ? &nif->then_list
                                                  : &nif->else_list;

   nir_cf_extract(&s->after, nir_after_cf_node(&nif->cf_node),
                  nir_after_cf_list(&loop->body));
   nir_cf_list_extract(&s->brk, brk);
   nir_cf_list_extract(&s->cont, cont);
   nir_cf_extract(&s->before, nir_before_cf_list(&loop->body),
                  nir_before_cf_node(&nif->cf_node));
}

static bool
unroll(nir_loop *loop)
{
   struct unroll_state s = { .loop = loop };
   if (!shape_is_plain(loop))
      return false;
   if (!collect_phis(&s)) {
      util_dynarray_fini(&s.phis);
      return false;
   }
   const unsigned trips = loop->info->max_trip_count;
   drop_exit_phis(loop);
   hash_table_init(&s.map);
   util_dynarray_foreach(&s.phis, struct header_phi, p)
      hash_table_insert(&s.map, hash_key_ptr(p->def), p->current);

   take_apart(&s);
   for (unsigned i = 0; i < trips; i++) {
      copy_list(&s, &s.before);
      copy_list(&s, &s.cont);
      copy_list(&s, &s.after);
      advance_phis(&s);
   }
   copy_list(&s, &s.before);
   copy_list(&s, &s.brk);

   /* What still uses the originals reads the last copies. */
   util_dynarray_foreach(&s.phis, struct header_phi, p)
      nir_ssa_def_rewrite_uses(p->def, p->current);
   rewrite_list(&s, &s.before);
   rewrite_list(&s, &s.brk);
   nir_cf_delete(&s.after);
   nir_cf_delete(&s.cont);
   nir_cf_delete(&s.brk);
   nir_cf_delete(&s.before);
   nir_cf_node_remove(&loop->cf_node);
   hash_table_finish(&s.map);
   util_dynarray_fini(&s.phis);
   return true;
}

/* Inner loops first; an outer one is looked at again in the next round,
 * when its cost is known anew. */
static bool
process_list(struct list_head *list, bool *has_nested_loop)
{
   bool progress = false;
   list_for_each_entry_safe(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         progress |= process_list(&nif->then_list, has_nested_loop);
         progress |= process_list(&nif->else_list, has_nested_loop);
      } else if (node->type == nir_cf_node_loop) {
         nir_loop *loop = nir_cf_node_as_loop(node);
         bool nested = false;
         *has_nested_loop = true;
         if (process_list(&loop->body, &nested)) {
            progress = true;
         } else if (!nested && should_unroll(loop) && unroll(loop)) {
            /* The nodes after have changed: go on in the next call. */
            return true;
         } else if (nested && should_unroll(loop) &&
                    loop->info->instr_cost *
                          (loop->info->max_trip_count + 1) <=
                       MAX_UNROLLED_COST / 4 &&
                    unroll(loop)) {
            return true;
         }
      }
   }
   return progress;
}

static bool
unroll_impl(nir_function_impl *impl, unsigned indirect_modes)
{
   bool any = false;
   for (;;) {
      nir_metadata_require(
         impl, nir_metadata_block_index | nir_metadata_loop_analysis,
         indirect_modes);
      bool nested = false;
      if (!process_list(&impl->body, &nested))
         break;
      any = true;
      impl->valid_metadata = nir_metadata_none;
   }
   if (any)
      nir_rebuild_cf_edges(impl);
   nir_metadata_preserve(impl, any ? nir_metadata_none : nir_metadata_all);
   return any;
}

bool
nir_opt_loop_unroll(nir_shader *shader)
{
   const unsigned modes = shader->options->force_indirect_unrolling;
   bool progress = false;
   nir_foreach_function(func, shader) {
      if (func->impl)
         progress |= unroll_impl(func->impl, modes);
   }
   return progress;
}
