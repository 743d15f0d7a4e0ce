/* SPDX-License-Identifier: MIT */
/*
 * Live ranges of single SSA values, found by walking from each use up to the
 * definition (F. Brandner et al., "Computing liveness sets for SSA-form
 * programs", 2011, "liveness sets using use-def paths"). Cost: for a value
 * the number of blocks in which it lives and of its uses.
 *
 * A value that is the same in all channels has one place for all of them, and
 * is written for all of them, whichever are active. Channels that have gone
 * another way may still want what is there: so where channels part or meet
 * within its range, it is taken to live everywhere in between, and if it is
 * wanted after a loop, where others may go on, in all of that loop. Not so a
 * phi on its way over an edge: if it is the same in all channels, they all
 * take that edge at once (nir_divergence.c).
 */
#include "nir_live_range.h"

#include <stdlib.h>

/* ---- positions ---- */

static void
note_partings(struct nir_positions *p, nir_block *block)
{
   nir_if *nif = nir_block_get_following_if(block);
   if (!nif || (!nif->condition.value->divergent))
      return;
   const nir_block *ends[] = { block, nir_if_last_then_block(nif),
                               nir_if_last_else_block(nif) };
   for (unsigned i = 0; i < ARRAY_SIZE(ends); i++)
      util_dynarray_append(&p->partings, uint32_t,
                           2 * p->end[ends[i]->index] + 1);
}

static int
by_number(const void *pa, const void *pb)
{
   const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
   return a < b ? -1 : a > b;
}

void
nir_find_positions(struct nir_positions *p, nir_function_impl *impl,
                   struct arena *arena)
{
   uint32_t n = 0;
   nir_metadata_require(impl, nir_metadata_block_index);
   *p = (struct nir_positions) { 0 };
   p->begin = arena_new_array(arena, uint32_t, impl->num_blocks + 1);
   p->copies = arena_new_array(arena, uint32_t, impl->num_blocks + 1);
   p->end = arena_new_array(arena, uint32_t, impl->num_blocks + 1);
   p->walked = arena_new_array(arena, uint32_t, impl->num_blocks + 1);
   nir_foreach_block(block, impl) {
      p->begin[block->index] = ++n;
      nir_foreach_instr(instr, block)
         instr->index = instr->kind == nir_kind_phi ? n : ++n;
      p->copies[block->index] = ++n;
      p->end[block->index] = ++n;
   }
   nir_foreach_block(block, impl)
      note_partings(p, block);
   if (p->partings.data)
      qsort(p->partings.data,
            util_dynarray_num_elements(&p->partings, uint32_t),
            sizeof(uint32_t), by_number);
}

void
nir_positions_finish(struct nir_positions *p)
{
   util_dynarray_fini(&p->partings);
   util_dynarray_fini(&p->stack);
}

/* ---- sets of spans ---- */

static struct nir_live_span *
span_at(const struct nir_live_range *range, size_t i)
{
   return util_dynarray_element(&range->spans, struct nir_live_span, i);
}

static size_t
num_spans(const struct nir_live_range *range)
{
   return util_dynarray_num_elements(&range->spans, struct nir_live_span);
}

/* The number of spans that end at or before a point. */
static size_t
spans_before(const struct nir_live_range *range, uint32_t point)
{
   size_t low = 0, high = num_spans(range);
   while (low < high) {
      const size_t middle = (low + high) / 2;
      if (span_at(range, middle)->end <= point)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

static void
append_span(struct nir_live_range *range, uint32_t start, uint32_t end)
{
   const struct nir_live_span span = { start, end };
   util_dynarray_append(&range->spans, struct nir_live_span, span);
}

static int
by_start(const void *pa, const void *pb)
{
   const struct nir_live_span *a = pa, *b = pb;
   return a->start < b->start ? -1 : a->start > b->start;
}

/* Brings spans that were appended in any order into the form of a range. */
static void
put_in_order(struct nir_live_range *range)
{
   const size_t count = num_spans(range);
   size_t kept = 0;
   if (count > 1)
      qsort(range->spans.data, count, sizeof(struct nir_live_span), by_start);
   for (size_t i = 0; i < count; i++) {
      const struct nir_live_span span = *span_at(range, i);
      struct nir_live_span *last = kept ? span_at(range, kept - 1) : NULL;
      if (last && span.start <= last->end)
         last->end = MAX2(last->end, span.end);
      else
         *span_at(range, kept++) = span;
   }
   range->spans.size_B = kept * sizeof(struct nir_live_span);
}

bool
nir_live_ranges_overlap(const struct nir_live_range *a,
                        const struct nir_live_range *b)
{
   const bool swap = num_spans(a) > num_spans(b);
   const struct nir_live_range *few = swap ? b : a, *many = swap ? a : b;
   for (size_t i = 0; i < num_spans(few); i++) {
      const struct nir_live_span *span = span_at(few, i);
      const size_t k = spans_before(many, span->start);
      if (k < num_spans(many) && span_at(many, k)->start < span->end)
         return true;
   }
   return false;
}

static void
insert_span(struct nir_live_range *range, struct nir_live_span span)
{
   size_t k = spans_before(range, span.start);
   if (k > 0 && span_at(range, k - 1)->end == span.start) {
      struct nir_live_span *last = span_at(range, k - 1);
      last->end = span.end;
      if (k == num_spans(range) || span_at(range, k)->start != span.end)
         return;
      last->end = span_at(range, k)->end;
      range->spans.size_B -= sizeof(span);
      memmove(span_at(range, k), span_at(range, k + 1),
              (num_spans(range) - k) * sizeof(span));
      return;
   }
   if (k < num_spans(range) && span_at(range, k)->start == span.end) {
      span_at(range, k)->start = span.start;
      return;
   }
   append_span(range, span.start, span.end);
   memmove(span_at(range, k + 1), span_at(range, k),
           (num_spans(range) - 1 - k) * sizeof(span));
   *span_at(range, k) = span;
}

void
nir_live_range_join(struct nir_live_range *to, struct nir_live_range *from)
{
   if (num_spans(from) > num_spans(to)) {
      const struct nir_live_range other = *to;
      *to = *from;
      *from = other;
   }
   for (size_t i = 0; i < num_spans(from); i++)
      insert_span(to, *span_at(from, i));
   util_dynarray_fini(&from->spans);
   *from = (struct nir_live_range) { 0 };
}

/* ---- what is the same in all channels ---- */

static bool
channels_part(const struct nir_positions *p, uint32_t start, uint32_t end)
{
   size_t low = 0;
   size_t high = util_dynarray_num_elements(&p->partings, uint32_t);
   const size_t count = high;
   while (low < high) {
      const size_t middle = (low + high) / 2;
      if (*util_dynarray_element(&p->partings, uint32_t, middle) < start)
         low = middle + 1;
      else
         high = middle;
   }
   return low < count &&
          *util_dynarray_element(&p->partings, uint32_t, low) < end;
}

/* Of a value that is written in `block`. */
static void
keep_for_all_channels(const struct nir_positions *p,
                      struct nir_live_range *range, const nir_block *block)
{
   struct nir_live_span hull = { span_at(range, 0)->start,
                                 span_at(range, num_spans(range) - 1)->end };
   if (!channels_part(p, hull.start, hull.end))
      return;
   for (nir_cf_node *up = block->cf_node.parent; up; up = up->parent) {
      nir_loop *loop = up->type == nir_cf_node_loop ? nir_cf_node_as_loop(up)
                                                    : NULL;
      if (loop && hull.end > 2 * p->end[nir_loop_last_block(loop)->index] + 2)
         hull.start =
            MIN2(hull.start, 2 * p->begin[nir_loop_first_block(loop)->index]);
   }
   range->spans.size_B = 0;
   append_span(range, hull.start, hull.end);
}

/* ---- single values ---- */

static void
push_predecessors(struct nir_positions *p, const nir_block *block)
{
   nir_foreach_predecessor(block, pred) {
      if (p->walked[pred->index] == p->walk)
         continue;
      p->walked[pred->index] = p->walk;
      util_dynarray_append(&p->stack, const nir_block *, pred);
   }
}

/* Adds what lies between a use and the definition at `def`. */
static void
walk_up(struct nir_positions *p, struct nir_live_range *range,
        const nir_block *def_block, uint32_t def, const nir_block *block,
        uint32_t use)
{
   if (block == def_block && use > def) {
      append_span(range, 2 * def + 1, 2 * use + 1);
      return;
   }
   append_span(range, 2 * p->begin[block->index], 2 * use + 1);
   push_predecessors(p, block);
   while (util_dynarray_num_elements(&p->stack, const nir_block *)) {
      block = util_dynarray_pop(&p->stack, const nir_block *);
      const uint32_t end = 2 * p->end[block->index] + 2;
      if (block == def_block) {
         append_span(range, 2 * def + 1, end);
         continue;
      }
      append_span(range, 2 * p->begin[block->index], end);
      push_predecessors(p, block);
   }
}

void
nir_live_range_of_value(struct nir_positions *p, const nir_value *def,
                        struct nir_live_range *range)
{
   const nir_instr *from = def->instr;
   const uint32_t at = from->index;
   p->walk++;
   /* It is written even if nobody reads it. */
   append_span(range, 2 * at + 1, 2 * at + 2);
   nir_foreach_use(use, (nir_value *)def) {
      const nir_block *block = nir_use_block(use);
      const bool by_phi = use->instr && use->instr->kind == nir_kind_phi;
      walk_up(p, range, from->block, at, block,
              use->nif ? p->end[block->index]
              : by_phi ? p->copies[block->index]
                       : use->instr->index);
   }
   put_in_order(range);
   if (!def->divergent)
      keep_for_all_channels(p, range, from->block);
}

void
nir_live_range_of_phi(struct nir_positions *p, nir_phi_instr *phi,
                      struct nir_live_range *range)
{
   const nir_block *block = phi->instr.block;
   append_span(range, 2 * p->begin[block->index],
               2 * p->begin[block->index] + 1);
   nir_foreach_phi_source(src, phi) {
      const uint32_t pred = src->pred->index;
      if (nir_use_is_undef(src->use))
         continue; /* nothing is copied */
      append_span(range, 2 * p->copies[pred] + 1, 2 * p->end[pred] + 2);
   }
   put_in_order(range);
}
