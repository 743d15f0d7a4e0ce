/* SPDX-License-Identifier: MIT */
/*
 * Loads of neighbouring values become loads of vectors: a message each, not
 * one for each value. A value that is loaded twice is loaded once.
 *
 * Before: SSA, offsets in bytes, of which nir_opt_linear_offsets has made
 * sums with the same base where they are. Loads of a block are merged if
 * their offsets are the same value plus constants, at most four dwords
 * together, and they stand near each other; a load of what is loaded anyway
 * may stand anywhere. The vector is read where the first of them stood, and
 * lives on to the use of the last. Memory that may be written must not be
 * written between them; with info.buffers_are_apart stores to other buffers
 * do not matter.
 *
 * An offset may be beyond the buffer, below zero too, while the next one is
 * in it; what is in it must be read right (robustBufferAccess2). So no vector
 * is read that may lie on both sides of 2^32.
 *
 * Uniform blocks that are known, at constant offsets, are left alone: back
 * ends have better ways with them. Cost: n log n in the loads of a block.
 */
#include <stdlib.h>

#include "nir_access.h"
#include "nir_explain.h"

#include "util/dynarray.h"

#define MAX_DISTANCE 32 /* instructions from the first to the last */

struct load {
   struct nir_access a;
   uint64_t epoch; /* nothing is written between two of the same */
   uint64_t all;   /* the same if all buffers may be one memory */
};

/* Stores to one buffer: the last, and how many. */
struct store {
   struct nir_access a;
   uint64_t count;
};

/* What has been written since the block's start: how often. */
struct writes {
   const nir_shader *shader;
   uint64_t shared, buffers;
   struct util_dynarray to; /* struct store, if buffers are apart */
};

/* ---- what a block loads ---- */

static bool
describe(nir_intrinsic_instr *intr, struct nir_access *a)
{
   return nir_access_describe(intr, a) && !a->is_store &&
          nir_access_may_merge(a) && !nir_access_is_fixed_uniform(a);
}

static int
by_group(const struct load *x, const struct load *y)
{
   const int group = nir_access_compare(&x->a, &y->a);

   if (group || x->epoch == y->epoch)
      return group;
   return x->epoch < y->epoch ? -1 : 1;
}

static int
by_offset(const void *p, const void *q)
{
   const struct load *x = p, *y = q;
   const int group = by_group(x, y);

   if (group)
      return group;
   if (x->a.offset_B != y->a.offset_B)
      return x->a.offset_B < y->a.offset_B ? -1 : 1;
   return x->a.place < y->a.place ? -1 : x->a.place > y->a.place;
}

/* The same, whatever is written between them. */
static int
by_offset_alone(const void *p, const void *q)
{
   const struct load *x = p, *y = q;
   const int group = nir_access_compare(&x->a, &y->a);

   if (group)
      return group;
   return x->a.offset_B < y->a.offset_B ? -1 : x->a.offset_B > y->a.offset_B;
}

/* ---- merging ---- */

static void
merge(nir_builder *b, const struct load *some, unsigned count,
      unsigned size_B)
{
   const unsigned value_B = some[0].a.value_B;
   const struct load *first = some;

   for (unsigned i = 1; i < count; i++) {
      if (some[i].a.place < first->a.place)
         first = &some[i];
      b->shader->info.wants_buffers_apart |= some[i].all != some[0].all;
   }
   b->cursor = nir_before_instr(&first->a.intr->instr);
   /* Anew: what its offset is may have been merged since. The resource of
    * all is that of the first, which stands before it. */
   struct nir_access lowest;
   nir_access_describe(some[0].a.intr, &lowest);
   lowest.intr = first->a.intr;
   nir_intrinsic_instr *load = nir_access_build_load(
      b, &lowest, lowest.offset_B, size_B / value_B, 8 * value_B);
   nir_intrinsic_set_align(load, nir_intrinsic_align_mul(some[0].a.intr),
                           nir_intrinsic_align_offset(some[0].a.intr));
   for (unsigned i = 0; i < count; i++) {
      nir_value *old = &some[i].a.intr->instr.result;
      const unsigned at =
         (unsigned)(some[i].a.offset_B - some[0].a.offset_B) / value_B;

      b->cursor = nir_after_instr(&load->instr);
      nir_value_replace(old, nir_channels(b, &load->instr.result,
                                          BITFIELD_MASK(old->num_components)
                                             << at));
      nir_instr_remove(&some[i].a.intr->instr);
   }
}

/* How many of `count` loads from the first on become one, and its size. */
static unsigned
group_size(const nir_shader *s, const struct load *l, size_t count,
           int64_t *size_B)
{
   const struct nir_access *a = &l->a;
   uint32_t first = a->place, last = a->place;
   unsigned n;

   *size_B = nir_access_size_B(a);
   for (n = 1; n < count && !by_group(l, &l[n]); n++) {
      const struct nir_access *next = &l[n].a;
      const int64_t at_B = next->offset_B - a->offset_B;
      const int64_t to_B = MAX2(*size_B, at_B + nir_access_size_B(next));

      const bool is_more = to_B > *size_B;

      if (is_more) {
         first = MIN2(first, next->place);
         last = MAX2(last, next->place);
      }
      if (at_B % a->value_B || last - first > MAX_DISTANCE ||
          (is_more && to_B > NIR_ACCESS_MAX_B) ||
          (at_B &&
           nir_access_may_wrap(s, a, a->offset_B, a->offset_B + to_B)))
         break;
      *size_B = to_B;
   }
   return n;
}

static bool
merge_all(nir_builder *b, struct load *all, size_t count)
{
   bool progress = false;

   if (!count)
      return false;
   qsort(all, count, sizeof(*all), by_offset);
   for (size_t i = 0, n; i < count; i += n) {
      int64_t size_B;

      n = group_size(b->shader, &all[i], count - i, &size_B);
      if (n > 1)
         merge(b, &all[i], (unsigned)n, (unsigned)size_B);
      progress |= n > 1;
   }
   return progress;
}

static void
note_store(struct writes *w, const struct nir_access *a)
{
   util_dynarray_foreach(&w->to, struct store, s) {
      if (s->a.resource == a->resource) {
         s->count++;
         return;
      }
   }
   const struct store s = { *a, 1 };
   util_dynarray_append(&w->to, struct store, s);
}

static void
note_writes(struct writes *w, nir_intrinsic_instr *intr)
{
   const unsigned orders = nir_access_orders(intr);
   struct nir_access a;

   w->shared += (orders & NIR_ACCESS_SHARED) != 0;
   w->buffers += (orders & NIR_ACCESS_BUFFERS) != 0;
   if (w->shader->info.buffers_are_apart && nir_access_describe(intr, &a) &&
       a.is_store && !a.is_shared && nir_access_may_merge(&a))
      note_store(w, &a);
}

static void
find_epoch(const struct writes *w, struct load *l)
{
   l->epoch = l->all = l->a.is_shared ? w->shared : w->buffers;
   if (l->a.intr->intrinsic == nir_intrinsic_load_ubo)
      l->epoch = l->all = 0;
   util_dynarray_foreach(&w->to, struct store, s) {
      if (nir_access_are_apart(w->shader, &l->a, &s->a))
         l->epoch -= s->count;
   }
}

struct lists {
   struct util_dynarray loads;
   struct writes writes;
};

/* The loads of a block that may be merged. */
static void
gather(nir_block *block, struct lists *lists)
{
   struct writes *w = &lists->writes;
   uint32_t place = 0;

   util_dynarray_clear(&lists->loads);
   util_dynarray_clear(&w->to);
   nir_foreach_instr(instr, block) {
      struct load l;

      place++;
      if (instr->kind == nir_kind_call) {
         w->buffers++;
         w->shared++;
      }
      nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
      if (!intr)
         continue;
      note_writes(w, intr);
      if (describe(intr, &l.a)) {
         l.a.place = place;
         find_epoch(w, &l);
         util_dynarray_append(&lists->loads, struct load, l);
      }
   }
}

static bool
run_block(nir_builder *b, nir_block *block, void *data)
{
   struct lists *lists = data;

   gather(block, lists);
   return merge_all(b, lists->loads.data,
                    util_dynarray_num_elements(&lists->loads, struct load));
}

bool
nir_opt_merge_loads(nir_shader *shader)
{
   struct lists lists = { .writes.shader = shader };
   const bool progress = nir_access_run_blocks(shader, run_block, &lists);

   util_dynarray_fini(&lists.loads);
   util_dynarray_fini(&lists.writes.to);
   return progress;
}

/* ---- reasons ---- */

struct explain {
   struct lists lists;
   void (*say)(void *data, const char *text);
   void *data;
};

/* Why the second of two loads in their order is not part of the first. */
static const char *
why_apart(const nir_shader *s, const struct load *x, const struct load *y)
{
   const struct nir_access *a = &x->a, *b = &y->a;
   const int64_t at_B = b->offset_B - a->offset_B;
   const int64_t end_B = at_B + nir_access_size_B(b);
   const uint32_t first = MIN2(a->place, b->place);

   if (at_B > nir_access_size_B(a))
      return NULL; /* no neighbours */
   if (x->epoch != y->epoch)
      return "memory is written, or waited for, between them";
   if (MAX2(a->place, b->place) - first > MAX_DISTANCE)
      return "they stand too far apart for what registers that costs";
   if (end_B > NIR_ACCESS_MAX_B)
      return NULL; /* one message is full */
   if (at_B % a->value_B)
      return "they are not aligned to each other";
   if (nir_access_may_wrap(s, a, a->offset_B, a->offset_B + end_B))
      return "their offset may be beyond the buffer, where the second is in "
             "it";
   return NULL;
}

static void
explain_all(struct explain *e)
{
   struct load *all = e->lists.loads.data;
   const size_t count =
      util_dynarray_num_elements(&e->lists.loads, struct load);

   if (count)
      qsort(all, count, sizeof(*all), by_offset_alone);
   for (size_t i = 1; i < count; i++) {
      const char *why =
         nir_access_compare(&all[i - 1].a, &all[i].a)
            ? NULL
            : why_apart(e->lists.writes.shader, &all[i - 1], &all[i]);
      if (why)
         e->say(e->data, why);
   }
}

void
nir_explain_loads(nir_shader *shader,
                  void (*say)(void *data, const char *text), void *data)
{
   struct explain e = {
      .lists.writes.shader = shader,
      .say = say,
      .data = data,
   };

   nir_foreach_impl(impl, shader) {
      nir_number_values(impl);
      nir_foreach_block(block, impl) {
         gather(block, &e.lists);
         explain_all(&e);
      }
   }
   util_dynarray_fini(&e.lists.loads);
   util_dynarray_fini(&e.lists.writes.to);
}
