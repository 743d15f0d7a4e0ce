/* SPDX-License-Identifier: MIT */
/*
 * Stores of neighbouring values become stores of vectors, where the last of
 * them stood: a message each, not one for each value.
 *
 * Before: as for nir_opt_merge_loads. Of a block, stores to the same resource
 * at the same base are pending together as long as no two of them overlap,
 * so that their order does not matter. What may read or write the same memory
 * in another way ends what is pending: a load or store with another base,
 * since two bases may be the same number and two resources the same memory,
 * an atomic, a barrier, the end of the block; with info.buffers_are_apart an
 * access to another buffer does not. A load from the same base ends it where
 * it reads what is pending. At most four dwords become one store, with no
 * gaps, and never on both sides of 2^32 (nir_opt_merge_loads says why).
 * Values of 8 and 16 bits that fill dwords are stored as those. Cost: stores
 * of a block times those that are pending.
 */
#include <stdlib.h>

#include "nir_access.h"

#define MAX_PENDING 32
#define MAX_DISTANCE 32 /* instructions from the first to the last */

struct pending {
   struct nir_access some[MAX_PENDING];
   unsigned count;
   bool passed; /* accesses to other buffers */
};

static int
by_offset(const void *p, const void *q)
{
   const struct nir_access *x = p, *y = q;
   return x->offset_B < y->offset_B ? -1 : x->offset_B > y->offset_B;
}

/* Some values of 8 or 16 bits as dwords, in the same place; their number. */
static unsigned
pack_dwords(nir_builder *b, nir_value **values, unsigned count,
            unsigned value_B)
{
   for (unsigned i = 0; i < count * value_B / 4; i++) {
      nir_value **v = &values[i * 4 / value_B];
      values[i] = value_B == 2
                     ? nir_pack_32_2x16_split(b, v[0], v[1])
                     : nir_pack_32_4x8_split(b, v[0], v[1], v[2], v[3]);
   }
   return count * value_B / 4;
}

/* `count` stores without gaps, in the order of their offsets. */
static void
merge(nir_builder *b, const struct nir_access *some, unsigned count)
{
   nir_value *values[NIR_ACCESS_MAX_B];
   const struct nir_access *last = some;
   unsigned n = 0;

   for (unsigned i = 1; i < count; i++) {
      if (some[i].place > last->place)
         last = &some[i];
   }
   nir_intrinsic_instr *store = last->intr;
   b->cursor = nir_before_instr(&store->instr);
   for (unsigned i = 0; i < count; i++) {
      for (unsigned c = 0; c < some[i].intr->num_components; c++)
         values[n++] = nir_channel(b, some[i].intr->src[0].value, c);
   }
   if (some[0].value_B < 4)
      n = pack_dwords(b, values, n, some[0].value_B);
   nir_value *offset = nir_access_offset(b, &some[0], some[0].offset_B);
   nir_set_use(&store->instr, &store->src[0], nir_vec(b, values, n));
   nir_set_use(&store->instr, last->offset_src, offset);
   store->num_components = (uint8_t)n;
   nir_intrinsic_set_write_mask(store, BITFIELD_MASK(n));
   if (last->is_shared)
      nir_intrinsic_set_base(store, 0);
   nir_intrinsic_set_align(store, nir_intrinsic_align_mul(some[0].intr),
                           nir_intrinsic_align_offset(some[0].intr));
   for (unsigned i = 0; i < count; i++) {
      if (some[i].intr != store)
         nir_instr_remove(&some[i].intr->instr);
   }
}

/* How many of `count` stores without gaps become one; 0: none. Values that
 * are smaller than a dword must fill some. */
static unsigned
how_many(const struct nir_access *some, unsigned count)
{
   unsigned bytes = 0, n = 0, phase_B;

   if (some[0].value_B >= 4)
      return count > 1 ? count : 0;
   if (!nir_access_phase(&some[0], &phase_B) || phase_B)
      return 0;
   for (unsigned i = 0; i < count; i++) {
      bytes += nir_access_size_B(&some[i]);
      if (bytes % 4 == 0)
         n = i + 1;
   }
   return n;
}

static bool
finish(nir_builder *b, struct pending *p)
{
   struct nir_access *some = p->some;
   bool progress = false;

   qsort(some, p->count, sizeof(*some), by_offset);
   for (unsigned i = 0, n; i < p->count; i += n) {
      int64_t end_B = some[i].offset_B + nir_access_size_B(&some[i]);

      for (n = 1; i + n < p->count && some[i + n].offset_B == end_B; n++) {
         const int64_t to_B = end_B + nir_access_size_B(&some[i + n]);
         if (to_B - some[i].offset_B > NIR_ACCESS_MAX_B ||
             nir_access_may_wrap(b->shader, &some[i], some[i].offset_B, to_B))
            break;
         end_B = to_B;
      }
      const unsigned merged = how_many(&some[i], n);
      if (merged)
         merge(b, &some[i], merged);
      progress |= merged != 0;
      n = MAX2(merged, 1);
   }
   b->shader->info.wants_buffers_apart |= progress && p->passed;
   p->count = 0;
   p->passed = false;
   return progress;
}

/* Whether it has the base of what is pending and touches none of it. Loads
 * and stores have different kinds: the resource and the base tell. */
static bool
stands_beside(const struct pending *p, const struct nir_access *a)
{
   for (unsigned i = 0; i < p->count; i++) {
      const struct nir_access *s = &p->some[i];

      if (s->is_shared != a->is_shared || s->resource != a->resource ||
          s->base != a->base ||
          (a->offset_B < s->offset_B + nir_access_size_B(s) &&
           s->offset_B < a->offset_B + nir_access_size_B(a)))
         return false;
   }
   return true;
}

static bool
may_wait(const struct nir_access *a)
{
   const bool narrow = a->value_B < 4;

   return (narrow ? nir_access_may_widen(a) : nir_access_may_merge(a)) &&
          nir_access_size_B(a) < NIR_ACCESS_MAX_B + (narrow ? 1u : 0u);
}

static bool
take_store(nir_builder *b, struct pending *p, const struct nir_access *a)
{
   const unsigned all = BITFIELD_MASK(a->intr->num_components);
   bool progress = false;

   if (p->count == MAX_PENDING ||
       (p->count &&
        (p->some[0].kind != a->kind ||
         a->place - p->some[0].place > MAX_DISTANCE || !stands_beside(p, a))))
      progress = finish(b, p);
   if (may_wait(a) && (unsigned)nir_intrinsic_write_mask(a->intr) == all)
      p->some[p->count++] = *a;
   else
      progress |= finish(b, p);
   return progress;
}

/* Whether what is pending must be written before it. */
static bool
must_wait(const nir_shader *shader, struct pending *p,
          nir_intrinsic_instr *intr)
{
   const unsigned memory = p->some[0].is_shared ? NIR_ACCESS_SHARED
                                                : NIR_ACCESS_BUFFERS;
   struct nir_access a;

   if (nir_intrinsic_infos[intr->intrinsic].flags & NIR_INTRINSIC_CAN_REORDER)
      return false;
   if (nir_access_describe(intr, &a)) {
      const bool apart = nir_access_are_apart(shader, &a, &p->some[0]);
      p->passed |= apart;
      return a.is_shared == p->some[0].is_shared && !apart &&
             !stands_beside(p, &a);
   }
   if (nir_intrinsic_infos[intr->intrinsic].flags &
       NIR_INTRINSIC_CAN_ELIMINATE)
      return true;
   return (nir_access_orders(intr) & memory) != 0;
}

static bool
run_block(nir_builder *b, nir_block *block, void *unused)
{
   struct pending p = { .count = 0 };
   bool progress = false;
   uint32_t place = 0;

   nir_foreach_instr_safe(instr, block) {
      struct nir_access a;

      place++;
      if (instr->kind == nir_kind_call)
         progress |= finish(b, &p);
      nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
      if (!intr)
         continue;
      if (p.count && must_wait(b->shader, &p, intr))
         progress |= finish(b, &p);
      if (nir_access_describe(intr, &a) && a.is_store) {
         a.place = place;
         progress |= take_store(b, &p, &a);
      }
   }
   return finish(b, &p) || progress;
}

bool
nir_opt_merge_memory_stores(nir_shader *shader)
{
   return nir_access_run_blocks(shader, run_block, NULL);
}
