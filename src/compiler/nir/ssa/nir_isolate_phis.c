/* SPDX-License-Identifier: MIT */
/*
 * Conventional SSA: the values that meet in phis may share a register.
 *
 * Before: SSA, no critical edges (structured control flow has none). After:
 * SSA, of which the values of a web (a phi, its sources, and what these meet
 * in other phis; nir_phi_webs.h) are never live at once. A back end keeps a
 * web in one register and drops the phis.
 *
 * A phi is isolated by copies: its sources at the ends of the predecessors,
 * its result behind the phis (method I of V. C. Sreedhar et al.,
 * "Translating out of static single assignment form", SAS 1999). All copies
 * of one place happen at once, so they are made in an order in which no one
 * overwrites what another has yet to read; rings take a temporary.
 *
 * With `coalesce`, copies are then left out as B. Boissinot et al. do
 * ("Revisiting out-of-SSA translation for correctness, code quality and
 * efficiency", CGO 2009): both sides of a copy join one class if no value of
 * the one lives where one of the other does, innermost loops first. It is not
 * for a back end that runs a block once more somewhere else.
 *
 * Values that take part are phis and what ALU instructions compute, but not
 * constants, which are operands themselves, nor conditions. Copies of others
 * are the register allocator's business. Cost: that of the live ranges
 * (nir_live_range.c), and n log n insertions of spans for joining them.
 */
#include <stdlib.h>

#include "nir.h"
#include "nir_builder.h"
#include "nir_live_range.h"
#include "nir_phi_webs.h"

#define NO_CLASS UINT32_MAX

/* What may share a register: a phi's own, or a value. */
struct member {
   uint32_t parent; /* of the same class, itself: stands for the class */
   struct nir_live_range range; /* of the class */
   bool is_web;                 /* likewise: a phi is in it */
};

struct affinity {
   uint32_t a, b, loops, order;
};

struct isolation {
   nir_builder b;
   bool coalesce;
   struct arena *arena;
   struct nir_positions positions;
   struct util_dynarray members, affinities;
   uint32_t *member_of; /* by index: of a value, + 1 */
   uint32_t *phi_of;    /* by index of a phi: of its register, + 1 */
};

static struct member *
member_at(const struct isolation *st, uint32_t i)
{
   return util_dynarray_element(&st->members, struct member, i);
}

/* The member that stands for i's class. */
static uint32_t
class_of(const struct isolation *st, uint32_t i)
{
   for (struct member *m = member_at(st, i); m->parent != i;
        m = member_at(st, i)) {
      m->parent = member_at(st, m->parent)->parent;
      i = m->parent;
   }
   return i;
}

static uint32_t
new_member(struct isolation *st)
{
   const uint32_t n =
      (uint32_t)util_dynarray_num_elements(&st->members, struct member);
   const struct member m = { .parent = n };
   util_dynarray_append(&st->members, struct member, m);
   return n;
}

/* ---- who may share ---- */

static bool
may_share(const nir_value *def)
{
   const nir_instr *from = def->instr;
   if (from->kind == nir_kind_phi)
      return true;
   if (from->kind != nir_kind_alu || def->bit_size == 1 ||
       nir_value_is_condition(def))
      return false;
   /* A register may not be mixed with itself in place. */
   return def->num_components == 1 ||
          nir_instr_as_alu((nir_instr *)from)->op != nir_op_mov;
}

static uint32_t
member_of_value(struct isolation *st, nir_value *def)
{
   uint32_t *m = &st->member_of[def->index];
   if (!*m) {
      *m = new_member(st) + 1;
      nir_live_range_of_value(&st->positions, def,
                              &member_at(st, *m - 1)->range);
   }
   return *m - 1;
}

static uint32_t
loops_around(const nir_block *block)
{
   uint32_t count = 0;
   for (nir_cf_node *n = block->cf_node.parent; n; n = n->parent)
      count += n->type == nir_cf_node_loop;
   return count;
}

static void
want_together(struct isolation *st, uint32_t phi, nir_value *def,
              const nir_block *copied_in)
{
   const struct affinity a = {
      .a = phi,
      .b = member_of_value(st, def),
      .loops = loops_around(copied_in),
      .order = (uint32_t)util_dynarray_num_elements(&st->affinities,
                                                    struct affinity),
   };
   util_dynarray_append(&st->affinities, struct affinity, a);
}

static void
gather_phi(struct isolation *st, nir_phi_instr *phi)
{
   nir_value *def = &phi->instr.result;
   const uint32_t m = new_member(st);
   st->phi_of[def->index] = m + 1;
   if (!st->coalesce)
      return;
   nir_live_range_of_phi(&st->positions, phi, &member_at(st, m)->range);
   want_together(st, m, def, phi->instr.block);
   nir_foreach_phi_source(src, phi) {
      nir_value *from = src->use.value;
      if (may_share(from) && from->divergent == def->divergent)
         want_together(st, m, from, src->pred);
   }
}

/* ---- classes ---- */

static int
innermost_first(const void *pa, const void *pb)
{
   const struct affinity *a = pa, *b = pb;
   if (a->loops != b->loops)
      return a->loops > b->loops ? -1 : 1;
   return a->order < b->order ? -1 : a->order > b->order;
}

static void
join_classes(struct isolation *st)
{
   if (!st->affinities.data)
      return;
   qsort(st->affinities.data,
         util_dynarray_num_elements(&st->affinities, struct affinity),
         sizeof(struct affinity), innermost_first);
   util_dynarray_foreach(&st->affinities, struct affinity, want) {
      const uint32_t ca = class_of(st, want->a), cb = class_of(st, want->b);
      struct member *a = member_at(st, ca), *b = member_at(st, cb);
      if (ca == cb || nir_live_ranges_overlap(&a->range, &b->range))
         continue;
      nir_live_range_join(&a->range, &b->range);
      b->parent = ca;
   }
}

static uint32_t
class_of_phi(const struct isolation *st, const nir_phi_instr *phi)
{
   return class_of(st, st->phi_of[phi->instr.result.index] - 1);
}

/* That of a value which shares a register with phis; or NO_CLASS. */
static uint32_t
class_of_value(const struct isolation *st, const nir_value *def)
{
   const uint32_t m = st->member_of[def->index];
   const uint32_t c = m ? class_of(st, m - 1) : NO_CLASS;
   return c != NO_CLASS && member_at(st, c)->is_web ? c : NO_CLASS;
}

/* ---- copies that happen at once ---- */

struct copy {
   uint32_t dst, src; /* classes, or NO_CLASS */
   nir_alu_instr *mov;
   nir_value *value; /* that it copies */
   bool done;
};

struct copies {
   struct util_dynarray list;
   /* By class: how many of them have yet to read it, and the one that writes
    * it, + 1. */
   uint32_t *readers, *writer;
};

static nir_value *
new_copy(struct isolation *st, const nir_value *like, nir_alu_instr **out)
{
   const unsigned comps = like->num_components;
   nir_alu_instr *mov = nir_new_alu(st->b.shader, nir_op_mov);
   for (unsigned c = 0; c < comps; c++)
      mov->src[0].swizzle[c] = (uint8_t)c;
   nir_set_result(&mov->instr, comps, like->bit_size);
   mov->instr.result.divergent = like->divergent;
   *out = mov;
   return &mov->instr.result;
}

static void
insert_copy(struct isolation *st, nir_alu_instr *mov, nir_value *value)
{
   mov->src[0].use = nir_use_of(value);
   nir_emit(&st->b, &mov->instr);
}

/* A copy of `value` into class `dst`; gives the new value. */
static nir_value *
add_copy(struct isolation *st, struct copies *all, uint32_t dst,
         nir_value *value, uint32_t src, const nir_value *like)
{
   struct copy c = { .dst = dst, .src = src, .value = value };
   nir_value *def = new_copy(st, like, &c.mov);
   util_dynarray_append(&all->list, struct copy, c);
   all->writer[dst] =
      (uint32_t)util_dynarray_num_elements(&all->list, struct copy);
   if (src != NO_CLASS)
      all->readers[src]++;
   return def;
}

/* Makes this copy, and those whose classes nothing has to read any more. */
static void
emit_from(struct isolation *st, struct copies *all, struct copy *c)
{
   while (c && !c->done && !all->readers[c->dst]) {
      insert_copy(st, c->mov, c->value);
      c->done = true;
      all->writer[c->dst] = 0;
      if (c->src == NO_CLASS)
         return;
      const uint32_t next = all->writer[c->src];
      all->readers[c->src]--;
      c = next ? util_dynarray_element(&all->list, struct copy, next - 1)
               : NULL;
   }
}

/* Puts aside what others have yet to read of the class that c writes. */
static void
break_ring(struct isolation *st, struct copies *all, const struct copy *c)
{
   nir_value *aside = NULL;
   util_dynarray_foreach(&all->list, struct copy, reader) {
      if (reader->done || reader->src != c->dst)
         continue;
      if (!aside) {
         nir_alu_instr *mov;
         aside = new_copy(st, reader->value, &mov);
         /* A register has what it has for all channels, or not. */
         aside->divergent = c->mov->instr.result.divergent;
         insert_copy(st, mov, reader->value);
      }
      reader->value = aside;
      reader->src = NO_CLASS;
   }
   all->readers[c->dst] = 0;
}

static void
emit_copies(struct isolation *st, struct copies *all)
{
   util_dynarray_foreach(&all->list, struct copy, c)
      emit_from(st, all, c);
   util_dynarray_foreach(&all->list, struct copy, c) {
      if (c->done)
         continue;
      break_ring(st, all, c);
      emit_from(st, all, c);
   }
   util_dynarray_clear(&all->list);
}

/* ---- the whole ---- */

static void
copy_on_edges(struct isolation *st, nir_block *block, struct copies *all)
{
   nir_foreach_predecessor(block, pred) {
      nir_foreach_phi(phi, block) {
         nir_phi_source *src = nir_phi_source_from(phi, pred);
         nir_value *value = src->use.value;
         const uint32_t to = class_of_phi(st, phi);
         const uint32_t from = class_of_value(st, value);
         if (nir_use_is_undef(src->use) || from == to)
            continue;
         nir_value *copy =
            add_copy(st, all, to, value, from, &phi->instr.result);
         nir_set_use(&phi->instr, &src->use, copy);
      }
      st->b.cursor = nir_after_block_before_jump(pred);
      emit_copies(st, all);
   }
}

/* Results in registers of their own first: nothing else reads those here. */
static void
copy_results(struct isolation *st, nir_block *block, struct copies *all)
{
   st->b.cursor = nir_after_phis(block);
   nir_foreach_phi(phi, block) {
      nir_value *def = &phi->instr.result;
      const uint32_t from = class_of_phi(st, phi);
      const uint32_t to = class_of_value(st, def);
      if (from == to || (to == NO_CLASS && nir_value_is_unused(def)))
         continue;
      if (to == NO_CLASS) {
         nir_alu_instr *mov;
         nir_value_replace(def, new_copy(st, def, &mov));
         insert_copy(st, mov, def);
      } else {
         nir_value *copy = add_copy(st, all, to, def, from, def);
         nir_value_replace(def, copy);
      }
   }
   emit_copies(st, all);
}

static void
isolate(struct isolation *st)
{
   nir_function_impl *impl = st->b.impl;
   const size_t count =
      util_dynarray_num_elements(&st->members, struct member);
   struct copies all = { 0 };
   all.readers = arena_new_array(st->arena, uint32_t, count);
   all.writer = arena_new_array(st->arena, uint32_t, count);
   nir_foreach_block(block, impl) {
      nir_foreach_phi(phi, block)
         member_at(st, class_of_phi(st, phi))->is_web = true;
   }
   nir_foreach_block(block, impl)
      copy_on_edges(st, block, &all);
   nir_foreach_block(block, impl)
      copy_results(st, block, &all);
   util_dynarray_fini(&all.list);
}

static void
check_webs(nir_function_impl *impl)
{
#ifndef NDEBUG
   struct arena *arena = arena_create(NULL);
   const nir_value *a, *b;
   struct nir_phi_webs webs;
   nir_find_phi_webs(&webs, impl, arena);
   assert(!nir_phi_webs_overlap(&webs, impl, &a, &b) &&
          "values of a web are live at once");
   arena_destroy(arena);
#endif
}

static bool
run_impl(nir_function_impl *impl, bool coalesce)
{
   struct isolation st = { .coalesce = coalesce,
                           .arena = arena_create(NULL) };
   bool progress = false;
   nir_builder_init(&st.b, impl);
   nir_find_positions(&st.positions, impl, st.arena);
   st.member_of = arena_new_array(st.arena, uint32_t, impl->num_values + 1);
   st.phi_of = arena_new_array(st.arena, uint32_t, impl->num_values + 1);
   nir_foreach_block(block, impl) {
      nir_foreach_phi(phi, block) {
         gather_phi(&st, phi);
         progress = true;
      }
   }
   if (progress) {
      join_classes(&st);
      isolate(&st);
      check_webs(impl);
   }
   util_dynarray_foreach(&st.members, struct member, m)
      util_dynarray_fini(&m->range.spans);
   util_dynarray_fini(&st.members);
   util_dynarray_fini(&st.affinities);
   nir_positions_finish(&st.positions);
   arena_destroy(st.arena);
   nir_changed(impl, progress,
               nir_metadata_block_index | nir_metadata_dominance);
   return progress;
}

bool
nir_isolate_phis(nir_shader *shader, bool coalesce)
{
   bool progress = false;
   nir_foreach_impl(impl, shader)
      progress |= run_impl(impl, coalesce);
   return progress;
}
