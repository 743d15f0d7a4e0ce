/* SPDX-License-Identifier: MIT */
/*
 * The order of a block's instructions for nir_guard_doubles(), which puts an
 * `if` behind operations on doubles.
 *
 * To have as few ifs as possible, the instructions are sorted by the number
 * of such ifs that they lie behind; what only computes may move past
 * anything, all else keeps its order. A derivative does, too: it needs what a
 * discard behind it ends. Where one `if` would have more divisors than
 * registers allow, the block is taken in parts, each sorted for itself:
 * results are used soon after, then.
 *
 * Cost: linear in instructions and levels.
 */
#include "nir_doubles_private.h"

#include <limits.h>

/* Four operations hide each other's latencies; with more divisors than that,
 * or numbers to take the root of, there would be too many registers, as the
 * results of all are there when an `if` begins. */
#define MAX_DIVISORS 4

/* Components of one vector are divided by one number, often. */
bool
nir_value_set_add(struct nir_value_set *set, nir_value *x)
{
   for (unsigned i = 0; i < set->count; i++) {
      if (set->values[i] == x)
         return false;
   }
   set->values[set->count++] = x;
   return true;
}

#define MAX_LEVEL 250

bool
nir_is_guarded(const nir_instr *instr, nir_lower_doubles_options options)
{
   if (instr->kind != nir_kind_alu)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)instr);
   if (alu->instr.result.bit_size != 64)
      return false;
   switch (alu->op) {
   case nir_op_frcp: return options & nir_lower_drcp;
   case nir_op_fdiv: return options & nir_lower_ddiv;
   case nir_op_fsqrt: return options & nir_lower_dsqrt;
   case nir_op_frsq: return options & nir_lower_drsq;
   case nir_op_fmod: return options & nir_lower_dmod;
   default: return false;
   }
}

struct source_walk {
   const struct nir_double_order *o;
   uint8_t value;
};

static struct nir_double_item *
item_of(const struct nir_double_order *o, const nir_use *src)
{
   const uint32_t n =
      src->value->index < o->num_defs ? o->item_of[src->value->index] : 0;
   /* What it says of other blocks' values is out of date. */
   return n && n <= o->count && o->items[n - 1].instr == src->value->instr
             ? &o->items[n - 1]
             : NULL;
}

static bool
raise_level(nir_use *src, void *state)
{
   struct source_walk *w = state;
   const struct nir_double_item *from = item_of(w->o, src);
   if (from)
      w->value = MAX2(w->value, (uint8_t)(from->first + from->guarded));
   return true;
}

static bool
lower_sources(nir_use *src, void *state)
{
   const struct source_walk *w = state;
   struct nir_double_item *from = item_of(w->o, src);
   if (from)
      from->level = MIN2(from->level, w->value);
   return true;
}

/* No earlier than their sources, all. */
static void
earliest_levels(struct nir_double_order *o)
{
   uint8_t pinned = 0;
   for (unsigned i = 0; i < o->count; i++) {
      struct nir_double_item *it = &o->items[i];
      struct source_walk w = { o, it->moves ? 0 : pinned };
      nir_visit_uses(it->instr, raise_level, &w);
      it->first = w.value;
      it->guarded &= it->first < MAX_LEVEL;
      if (!it->moves)
         pinned = w.value;
   }
}

/* Where they stand, if that is in front of their users: what comes after an
 * operation and is not needed for another one beside it stays behind. */
static void
final_levels(struct nir_double_order *o)
{
   uint8_t here = 0;
   for (unsigned i = 0; i < o->count; i++) {
      struct nir_double_item *it = &o->items[i];
      it->level = it->moves && !it->guarded ? MAX2(it->first, here)
                                            : it->first;
      if (it->guarded)
         here = MAX2(here, it->first + 1);
   }
   for (unsigned i = o->count; i-- > 0;) {
      struct source_walk w = { o, o->items[i].level };
      nir_visit_uses(o->items[i].instr, lower_sources, &w);
   }
}

static bool
note_def(nir_value *d, void *state)
{
   const struct nir_double_order *o = state;
   o->item_of[d->index] = o->count;
   return true;
}

static bool
moves(const nir_instr *instr)
{
   return (instr->kind == nir_kind_alu &&
           !nir_op_is_derivative(nir_instr_as_alu((nir_instr *)instr)->op)) ||
          instr->kind == nir_kind_load_const || instr->kind == nir_kind_undef;
}

/* What differs between channels and is divided by other than constants. */
static nir_value *
divisor_of(const struct nir_double_item *it)
{
   const nir_alu_instr *alu;
   if (!it->guarded)
      return NULL;
   alu = nir_instr_as_alu(it->instr);
   if (!alu->instr.result.divergent || nir_is_const_quotient(alu))
      return NULL;
   return alu->src[nir_op_infos[alu->op].num_inputs - 1].use.value;
}

/* From `first` on, with at most so many divisors that differ between
 * channels. False if there is nothing to guard. */
static bool
collect(struct nir_double_order *o, nir_instr *first)
{
   bool any = false;
   o->count = 0;
   o->divisors.count = 0;
   for (o->end = first; o->end; o->end = nir_instr_next(o->end)) {
      const struct nir_double_item it = {
         .instr = o->end,
         .guarded = nir_is_guarded(o->end, o->options),
         .moves = moves(o->end),
      };
      if (o->end->kind == nir_kind_phi)
         continue;
      if (o->end->kind == nir_kind_jump ||
          (divisor_of(&it) &&
           nir_value_set_add(&o->divisors, divisor_of(&it)) &&
           o->divisors.count > o->max_divisors))
         break;
      o->items[o->count++] = it;
      any |= it.guarded;
      nir_visit_value(it.instr, note_def, o);
   }
   return any;
}

/* Puts them in order; the operations of a level are its end. */
static void
sort(struct nir_double_order *o, nir_block *block)
{
   for (unsigned level = 0; level < o->num_levels; level++) {
      for (unsigned guarded = 0; guarded < 2; guarded++) {
         for (unsigned i = 0; i < o->count; i++) {
            const struct nir_double_item *it = &o->items[i];
            if (it->level == level && it->guarded == (bool)guarded)
               nir_instr_move(o->end ? nir_before_instr(o->end)
                                     : nir_after_block(block),
                              it->instr);
         }
      }
   }
}

/* Whether a level has so many divisors that its operations would be needed
 * all at once. */
static bool
is_crowded(struct nir_double_order *o)
{
   for (unsigned level = 0; level < o->num_levels; level++) {
      o->divisors.count = 0;
      for (unsigned i = 0; i < o->count; i++) {
         const struct nir_double_item *it = &o->items[i];
         if (it->level == level && divisor_of(it))
            nir_value_set_add(&o->divisors, divisor_of(it));
      }
      if (o->divisors.count > MAX_DIVISORS)
         return true;
   }
   return false;
}

static void
find_levels(struct nir_double_order *o)
{
   earliest_levels(o);
   final_levels(o);
   o->num_levels = 0;
   for (unsigned i = 0; i < o->count; i++)
      o->num_levels = MAX2(o->num_levels, o->items[i].level + 1u);
}

nir_instr *
nir_start_double_order(struct nir_double_order *o, nir_block *block,
                       struct arena *arena)
{
   nir_instr *first = nir_block_first_instr(block);
   unsigned n = 0;
   nir_foreach_instr(instr, block)
      n++;
   o->items = arena_new_array(arena, struct nir_double_item, n);
   o->divisors =
      (struct nir_value_set) { arena_new_array(arena, nir_value *, n), 0 };
   o->max_divisors = UINT_MAX;
   if (!first || !collect(o, first))
      return NULL;
   find_levels(o);
   if (is_crowded(o))
      o->max_divisors = MAX_DIVISORS;
   return first;
}

bool
nir_order_doubles(struct nir_double_order *o, nir_instr *first)
{
   if (!collect(o, first))
      return false;
   find_levels(o);
   sort(o, first->block);
   return true;
}
