/* SPDX-License-Identifier: MIT */
/*
 * Stores of components of an output slot become one store, where the last of
 * them stood: a message for the slot, not one for each component.
 *
 * Before: SSA, outputs lowered to slots. Only where outputs are memory that
 * others see (tessellation control): what may read them, or write the same
 * slot by another number, ends what can be merged, and so does the end of a
 * block. Cost: stores of a block times those that are pending (at most 16).
 */
#include "nir.h"
#include "nir_builder.h"

#define MAX_PENDING 16

/* Stores to one slot, the earlier of them removed: `last` has the place, and
 * `value` what each component shall be. */
struct pending {
   nir_intrinsic_instr *last;
   nir_value *value[4];
   unsigned comp[4]; /* of value */
   unsigned mask, stores;
};

struct merge_state {
   nir_builder b;
   struct pending some[MAX_PENDING];
   unsigned count;
   bool progress;
};

static bool
is_store(const nir_intrinsic_instr *intr)
{
   return intr->intrinsic == nir_intrinsic_store_output ||
          intr->intrinsic == nir_intrinsic_store_per_vertex_output;
}

static bool
same_number(const nir_use *x, const nir_use *y)
{
   if (nir_use_is_const(*x) && nir_use_is_const(*y))
      return nir_use_as_uint(*x) == nir_use_as_uint(*y);
   return x->value == y->value;
}

static bool
differ(const nir_use *x, const nir_use *y)
{
   return nir_use_is_const(*x) && nir_use_is_const(*y) &&
          nir_use_as_uint(*x) != nir_use_as_uint(*y);
}

static bool
same_slot(nir_intrinsic_instr *x, nir_intrinsic_instr *y)
{
   const nir_io_semantics p = nir_intrinsic_io_semantics(x);
   const nir_io_semantics q = nir_intrinsic_io_semantics(y);
   const nir_use *v = nir_get_io_arrayed_index_src(x);

   return x->intrinsic == y->intrinsic &&
          nir_intrinsic_base(x) == nir_intrinsic_base(y) &&
          nir_intrinsic_src_type(x) == nir_intrinsic_src_type(y) &&
          !memcmp(&p, &q, sizeof(p)) &&
          same_number(nir_get_io_offset_src(x), nir_get_io_offset_src(y)) &&
          (!v || same_number(v, nir_get_io_arrayed_index_src(y)));
}

/* Where they are not the same slot: whether they may be. */
static bool
may_overlap(nir_intrinsic_instr *x, nir_intrinsic_instr *y)
{
   const nir_use *p = nir_get_io_offset_src(x);
   const nir_use *q = nir_get_io_offset_src(y);
   const nir_use *v = nir_get_io_arrayed_index_src(x);

   if (x->intrinsic != y->intrinsic ||
       (v && differ(v, nir_get_io_arrayed_index_src(y))))
      return false;
   if (!nir_use_is_const(*p) || !nir_use_is_const(*q))
      return true;
   return nir_intrinsic_io_semantics(x).location + nir_use_as_uint(*p) ==
          nir_intrinsic_io_semantics(y).location + nir_use_as_uint(*q);
}

/* What is pending stands where its last store is. */
static void
finish(struct merge_state *s, unsigned i)
{
   struct pending *p = &s->some[i];
   nir_value *comps[4];
   const unsigned first = (unsigned)__builtin_ctz(p->mask);
   const unsigned end = 32 - (unsigned)__builtin_clz(p->mask);

   if (p->stores > 1) {
      s->b.cursor = nir_before_instr(&p->last->instr);
      for (unsigned c = first; c < end; c++)
         comps[c - first] = p->value[c]
                               ? nir_channel(&s->b, p->value[c], p->comp[c])
                               : nir_undef(&s->b, 1, 32);
      nir_value *vec = nir_vec(&s->b, comps, end - first);
      nir_set_use(&p->last->instr, &p->last->src[0], vec);
      p->last->num_components = (uint8_t)(end - first);
      nir_intrinsic_set_component(p->last, first);
      nir_intrinsic_set_write_mask(p->last, p->mask >> first);
      s->progress = true;
   }
   s->some[i] = s->some[--s->count];
}

static void
finish_all(struct merge_state *s)
{
   while (s->count)
      finish(s, s->count - 1);
}

static void
take_store(struct merge_state *s, nir_intrinsic_instr *store)
{
   const unsigned first = nir_intrinsic_component(store);
   const unsigned mask = nir_intrinsic_write_mask(store);
   struct pending *p = NULL;

   for (unsigned i = s->count; i-- > 0;) {
      if (same_slot(s->some[i].last, store))
         p = &s->some[i];
      else if (may_overlap(s->some[i].last, store)) {
         finish_all(s);
         p = NULL;
         break;
      }
   }
   if (!mask || store->src[0].value->bit_size != 32 ||
       first + store->src[0].value->num_components > 4) {
      finish_all(s);
      return;
   }
   if (p) {
      nir_instr_remove(&p->last->instr);
   } else {
      if (s->count == MAX_PENDING)
         finish_all(s);
      p = &s->some[s->count++];
      *p = (struct pending) { 0 };
   }
   p->last = store;
   p->mask |= mask << first;
   p->stores++;
   for (unsigned c = 0; c + first < 4; c++) {
      if (mask & (1u << c)) {
         p->value[first + c] = store->src[0].value;
         p->comp[first + c] = c;
      }
   }
}

static void
run_block(struct merge_state *s, nir_block *block)
{
   nir_foreach_instr_safe(instr, block) {
      if (instr->kind == nir_kind_call)
         finish_all(s);
      nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
      if (!intr)
         continue;
      const bool reads = intr->intrinsic == nir_intrinsic_load_output ||
                         intr->intrinsic ==
                            nir_intrinsic_load_per_vertex_output;

      if (is_store(intr))
         take_store(s, intr);
      else if (reads || !(nir_intrinsic_infos[intr->intrinsic].flags &
                          NIR_INTRINSIC_CAN_ELIMINATE))
         finish_all(s);
   }
   finish_all(s);
}

bool
nir_opt_merge_stores(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      struct merge_state s = { 0 };
      nir_builder_init(&s.b, impl);
      nir_foreach_block(block, impl)
         run_block(&s, block);
      nir_changed(impl, s.progress, nir_metadata_control_flow);
      progress |= s.progress;
   }
   return progress;
}
