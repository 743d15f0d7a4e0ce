/* SPDX-License-Identifier: MIT */
/*
 * Unrolls loops that run at most a known, small number of times.
 *
 *    loop { phis; A; if (c) { T; break } else { E }; B }
 * with trip count 2 becomes
 *    A E B  A E B  A T
 * each copy reading, for the header's phis, the values that the copy before
 * it made. What follows another way out is left out where it was taken:
 *    loop { phis; A; if (c) { T; break } else { E };
 *                 B; if (d) { U; break } else { F }; C }
 * becomes
 *    A E B  if (d) { U } else { F C  A E B  if (d) { U } else { F C  A T } }
 * All ways out are ifs at the top of the body. Values used after the loop are
 * those of the copy that was left from: phis of the ifs.
 *
 * Before: SSA. After: SSA, and the loop is gone.
 */
#include "nir_builder.h"

#include "nir_private.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

/* More are worth it where they make indices of an array constant: it needs
 * not be memory then. */
#define MAX_ITERATIONS 32
/* Of the cost in nir_loop_info: what the copies may cost together. */
#define MAX_UNROLLED_COST 1200
#define MAX_FORCED_COST 20000

struct header_phi {
   nir_value *def, *initial, *update, *current;
};

/* A way out of the loop, and what of the body lies in front of it. */
struct way_out {
   nir_loop_terminator *terminator;
   nir_cf_list before, brk, cont;
};

/* What is read after the loop as `outside`: from each way out on it is one
 * of `inside`. */
struct result {
   nir_value *outside;
   nir_value **inside;
   nir_value *current;
};

/* An if that a copy of a way out has become; the copies go on in one of its
 * sides. In the other are `left`, values of the results. */
struct open_if {
   nir_if *nif;
   bool goes_on_in_then;
   nir_value **left;
};

struct unroll_state {
   nir_builder b;
   struct arena *arena;
   nir_loop *loop;
   struct way_out *ways;
   unsigned num_ways;
   nir_cf_list after;            /* the last way out */
   struct util_dynarray phis;    /* struct header_phi */
   struct util_dynarray results; /* struct result */
   struct util_dynarray open;    /* struct open_if */
   struct hash_table map;
};

static bool
should_unroll(nir_loop *loop)
{
   const nir_loop_info *info = loop->info;
   if (!info->limiting_terminator || info->complex_loop ||
       loop->control == nir_loop_control_dont_unroll)
      return false;
   const unsigned cost = info->instr_cost * (info->max_trip_count + 1);
   if (info->force_unroll || loop->control == nir_loop_control_unroll)
      return cost <= MAX_FORCED_COST;
   return (info->max_trip_count <= MAX_ITERATIONS || info->walks_array) &&
          cost <= MAX_UNROLLED_COST;
}

/* The forms that the copying below does not know. */
static bool
shape_is_plain(nir_loop *loop)
{
   list_for_each_entry(nir_loop_terminator, t,
                       &loop->info->loop_terminator_list, link) {
      nir_block *after_if =
         nir_cf_node_as_block(nir_cf_node_next(&t->nif->cf_node));
      nir_instr *first = nir_block_first_instr(after_if);

      if ((first && first->kind == nir_kind_phi) ||
          nir_block_ends_in_jump(t->continue_from_block))
         return false;
   }
   if (nir_block_ends_in_jump(nir_loop_last_block(loop)))
      return false;
   nir_foreach_block_in_cf_node(block, &loop->cf_node) {
      /* No other way out, as nir_loop_analyze counted; no return either. */
      nir_instr *last = nir_block_last_instr(block);
      if (last && last->kind == nir_kind_jump &&
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
      struct header_phi p = { .def = &phi->instr.result };
      nir_foreach_phi_source(src, phi) {
         if (src->pred == pre)
            p.initial = src->use.value;
         else
            p.update = src->use.value;
      }
      p.current = p.initial;
      util_dynarray_append(&s->phis, struct header_phi, p);
   }
   return true;
}

/* ---- what is read after the loop ---- */

static unsigned
num_results(const struct unroll_state *s)
{
   return (unsigned)util_dynarray_num_elements(&s->results, struct result);
}

static struct result *
add_result(struct unroll_state *s, nir_value *outside)
{
   struct result r = {
      .outside = outside,
      .inside = arena_new_array(s->arena, nir_value *, s->num_ways),
   };

   util_dynarray_append(&s->results, struct result, r);
   return util_dynarray_element(&s->results, struct result,
                                num_results(s) - 1);
}

/* Stands in for the phi, which does not outlive the edges it is about. */
static nir_value *
take_place_of(struct unroll_state *s, nir_phi_instr *phi, nir_block *after)
{
   s->b.cursor = nir_after_phis(after);
   nir_value *stand_in = nir_undef(&s->b, phi->instr.result.num_components,
                                   phi->instr.result.bit_size);

   nir_value_replace(&phi->instr.result, stand_in);
   return stand_in;
}

static void
collect_exit_phis(struct unroll_state *s)
{
   nir_block *after =
      nir_cf_node_as_block(nir_cf_node_next(&s->loop->cf_node));

   nir_foreach_phi_safe(phi, after) {
      struct result *r = add_result(s, take_place_of(s, phi, after));

      nir_foreach_phi_source(src, phi) {
         for (unsigned w = 0; w < s->num_ways; w++) {
            if (s->ways[w].terminator->break_block == src->pred)
               r->inside[w] = src->use.value;
         }
      }
      nir_instr_remove(&phi->instr);
   }
}

static bool
is_inside(const nir_loop *loop, const nir_cf_node *node)
{
   while (node && node != &loop->cf_node)
      node = node->parent;
   return node != NULL;
}

/* Results go through phis, which dereferences cannot: what these are made of
 * is read after the loop instead. */
static void
localize_derefs(nir_loop *loop, nir_function_impl *impl)
{
   nir_foreach_block_in_cf_node(block, &loop->cf_node) {
      nir_foreach_instr(instr, block) {
         if (instr->kind != nir_kind_deref)
            continue;
         nir_foreach_instr_use_safe(use, &instr->result) {
            if (!is_inside(loop, &use->instr->block->cf_node))
               nir_localize_deref(use, impl);
         }
      }
   }
}

static bool
is_used_outside(const nir_loop *loop, nir_value *def)
{
   nir_foreach_instr_use(use, def) {
      if (!is_inside(loop, &use->instr->block->cf_node))
         return true;
   }
   nir_foreach_if_use(use, def) {
      if (!is_inside(loop, use->nif->cf_node.parent))
         return true;
   }
   return false;
}

static bool
collect_def(nir_value *def, void *state)
{
   struct unroll_state *s = state;

   if (is_used_outside(s->loop, def)) {
      struct result *r = add_result(s, def);
      for (unsigned w = 0; w < s->num_ways; w++)
         r->inside[w] = def;
   }
   return true;
}

static void
collect_results(struct unroll_state *s)
{
   collect_exit_phis(s);
   nir_foreach_block_in_cf_node(block, &s->loop->cf_node) {
      nir_foreach_instr(instr, block)
         nir_visit_value(instr, collect_def, s);
   }
}

/* ---- copies ---- */

static nir_value *
mapped(struct unroll_state *s, nir_value *def)
{
   nir_value *new = hash_table_get(&s->map, hash_key_ptr(def));
   return new ? new : def;
}

static nir_cursor
end_of_side(nir_if *nif, bool then)
{
   return nir_after_cf_list(then ? &nif->then_list : &nif->else_list);
}

/* The end of what has been copied. */
static nir_cursor
end_of_copies(struct unroll_state *s)
{
   const size_t n = util_dynarray_num_elements(&s->open, struct open_if);

   if (!n)
      return nir_before_cf_node(&s->loop->cf_node);
   const struct open_if *o =
      util_dynarray_element(&s->open, struct open_if, n - 1);
   return end_of_side(o->nif, o->goes_on_in_then);
}

static void
copy_list(struct unroll_state *s, nir_cf_list *list, nir_cursor to)
{
   nir_cf_list copy;
   nir_cf_list_clone(&copy, list, s->loop->cf_node.parent, &s->map);
   nir_cf_put_back(&copy, to);
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

/* A way out that may be taken: the copies go on beside it. */
static void
copy_way_out(struct unroll_state *s, unsigned w)
{
   struct way_out *way = &s->ways[w];
   nir_if *old = way->terminator->nif;
   struct open_if o = {
      .goes_on_in_then = way->terminator->continue_from_then,
      .left = arena_new_array(s->arena, nir_value *, num_results(s)),
   };
   unsigned k = 0;

   s->b.cursor = end_of_copies(s);
   o.nif = nir_push_if(&s->b, mapped(s, old->condition.value));
   o.nif->control = old->control;
   copy_list(s, &way->brk, end_of_side(o.nif, !o.goes_on_in_then));
   util_dynarray_foreach(&s->results, struct result, r)
      o.left[k++] = mapped(s, r->inside[w]);
   util_dynarray_append(&s->open, struct open_if, o);
   copy_list(s, &way->cont, end_of_copies(s));
}

/* All of the body; the last copy ends with the way out that is taken then. */
static void
copy_body(struct unroll_state *s, bool is_last)
{
   for (unsigned w = 0; w < s->num_ways; w++) {
      struct way_out *way = &s->ways[w];
      const nir_loop_terminator *t = way->terminator;
      const bool limits = t == s->loop->info->limiting_terminator;

      copy_list(s, &way->before, end_of_copies(s));
      if (!limits || (!is_last && t->exact_trip_count_unknown)) {
         copy_way_out(s, w);
      } else if (!is_last) {
         copy_list(s, &way->cont, end_of_copies(s));
      } else {
         copy_list(s, &way->brk, end_of_copies(s));
         util_dynarray_foreach(&s->results, struct result, r)
            r->current = mapped(s, r->inside[w]);
         return;
      }
   }
   copy_list(s, &s->after, end_of_copies(s));
   advance_phis(s);
}

/* From the inside out, each result is chosen between the two sides. */
static void
close_ifs(struct unroll_state *s)
{
   while (util_dynarray_num_elements(&s->open, struct open_if)) {
      const struct open_if o = util_dynarray_pop(&s->open, struct open_if);
      unsigned k = 0;

      util_dynarray_foreach(&s->results, struct result, r) {
         nir_value *left = o.left[k++];
         s->b.cursor = nir_after_cf_node(&o.nif->cf_node);
         if (left != r->current)
            r->current = nir_if_phi(&s->b,
                                    o.goes_on_in_then ? r->current : left,
                                    o.goes_on_in_then ? left : r->current);
      }
   }
}

/* ---- the whole ---- */

/* Takes the pieces out of the loop, last first. */
static void
take_apart(struct unroll_state *s)
{
   nir_cursor end = nir_after_cf_list(&s->loop->body);
   nir_cf_list *rest = &s->after;

   for (unsigned w = s->num_ways; w-- > 0;) {
      struct way_out *way = &s->ways[w];
      const nir_loop_terminator *t = way->terminator;
      nir_if *nif = t->nif;

      nir_instr_remove(nir_block_last_instr(t->break_block));
      nir_cf_extract(rest, nir_after_cf_node(&nif->cf_node), end);
      nir_cf_list_extract(&way->brk, t->continue_from_then ? &nif->else_list
                                                           : &nif->then_list);
      nir_cf_list_extract(&way->cont, t->continue_from_then
                                         ? &nif->then_list
                                         : &nif->else_list);
      end = nir_before_cf_node(&nif->cf_node);
      rest = &way->before;
   }
   nir_cf_extract(rest, nir_before_cf_list(&s->loop->body), end);
}

/* What reads first, what is read then. */
static void
delete_originals(struct unroll_state *s)
{
   nir_cf_node_remove(&s->loop->cf_node);
   nir_cf_drop(&s->after);
   for (unsigned w = s->num_ways; w-- > 0;) {
      nir_cf_drop(&s->ways[w].cont);
      nir_cf_drop(&s->ways[w].brk);
      nir_cf_drop(&s->ways[w].before);
   }
}

static void
list_ways(struct unroll_state *s)
{
   struct list_head *terminators = &s->loop->info->loop_terminator_list;
   unsigned n = 0;

   s->ways =
      arena_new_array(s->arena, struct way_out, list_length(terminators));
   list_for_each_entry(nir_loop_terminator, t, terminators, link)
      s->ways[n++].terminator = t;
   s->num_ways = n;
}

static void
unroll_into_copies(struct unroll_state *s)
{
   const unsigned trips = s->loop->info->max_trip_count;

   list_ways(s);
   localize_derefs(s->loop, s->b.impl);
   collect_results(s);
   util_dynarray_foreach(&s->phis, struct header_phi, p)
      hash_table_insert(&s->map, hash_key_ptr(p->def), p->current);
   take_apart(s);
   for (unsigned i = 0; i <= trips; i++)
      copy_body(s, i == trips);
   close_ifs(s);
   util_dynarray_foreach(&s->results, struct result, r)
      nir_value_replace(r->outside, r->current);
   delete_originals(s);
}

static bool
unroll(nir_function_impl *impl, nir_loop *loop)
{
   struct unroll_state s = { .loop = loop };
   if (!shape_is_plain(loop))
      return false;
   const bool known = collect_phis(&s);
   if (known) {
      s.arena = arena_create(NULL);
      nir_builder_init(&s.b, impl);
      hash_table_init(&s.map);
      unroll_into_copies(&s);
      hash_table_finish(&s.map);
      arena_destroy(s.arena);
   }
   util_dynarray_fini(&s.phis);
   util_dynarray_fini(&s.results);
   util_dynarray_fini(&s.open);
   return known;
}

/* `node` and what is around it: these loops have copies in them now, whose
 * indices and costs are known when constants have been folded. */
static void
note_loops_around(struct hash_table *unknown, const nir_cf_node *node)
{
   for (; node; node = node->parent) {
      if (node->type == nir_cf_node_loop)
         hash_table_insert(unknown, hash_key_ptr(node), (void *)node);
   }
}

/* A loop with loops in it that could not be unrolled: they may end where its
 * own counter is, and what it makes of indices of an array they make, too. */
static bool
is_worth_copies(const nir_loop *loop)
{
   const nir_loop_info *info = loop->info;

   return info->instr_cost * (info->max_trip_count + 1) <=
          (info->force_unroll ? MAX_UNROLLED_COST : MAX_UNROLLED_COST / 4);
}

/* Inner loops first. */
static bool
process_list(nir_function_impl *impl, struct list_head *list,
             bool *has_nested_loop, struct hash_table *unknown)
{
   bool progress = false;
   list_for_each_entry_safe(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         progress |=
            process_list(impl, &nif->then_list, has_nested_loop, unknown);
         progress |=
            process_list(impl, &nif->else_list, has_nested_loop, unknown);
      } else if (node->type == nir_cf_node_loop) {
         nir_loop *loop = nir_cf_node_as_loop(node);
         bool nested = false;
         *has_nested_loop = true;
         if (process_list(impl, &loop->body, &nested, unknown)) {
            progress = true;
            continue;
         }
         if (hash_table_get(unknown, hash_key_ptr(loop)) ||
             !should_unroll(loop) || (nested && !is_worth_copies(loop)))
            continue;
         const nir_cf_node *parent = node->parent;
         if (unroll(impl, loop)) {
            /* The nodes after have changed: go on in the next call. */
            note_loops_around(unknown, parent);
            return true;
         }
      }
   }
   return progress;
}

static bool
unroll_impl(nir_function_impl *impl, unsigned indirect_modes)
{
   struct hash_table unknown;
   bool any = false;

   hash_table_init(&unknown);
   for (;;) {
      nir_metadata_require(
         impl, nir_metadata_block_index | nir_metadata_loop_analysis,
         indirect_modes);
      bool nested = false;
      if (!process_list(impl, &impl->body, &nested, &unknown))
         break;
      any = true;
      impl->valid_metadata = nir_metadata_none;
   }
   hash_table_finish(&unknown);
   if (any)
      nir_rebuild_cf_edges(impl);
   nir_changed(impl, any, nir_metadata_none);
   return any;
}

bool
nir_opt_loop_unroll(nir_shader *shader)
{
   const unsigned modes = shader->options->force_indirect_unrolling;
   bool progress = false;
   nir_foreach_impl(impl, shader)
      progress |= unroll_impl(impl, modes);
   return progress;
}
