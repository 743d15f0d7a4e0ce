/* SPDX-License-Identifier: MIT */
/*
 * Blocks that have many values at once are put into the order of need: what
 * cannot move, and what other blocks use, stays in its order, and everything
 * else comes right before the first of these that needs it. So outputs that
 * were all computed before the first was stored are computed one after the
 * other.
 *
 * A block keeps its order if it does with `limit` dwords of values of its
 * own, or with no more than the order of need would.
 *
 * Before: SSA. Cost: n log n.
 */
#include "nir.h"
#include "util/arena.h"

struct item {
   nir_instr *instr;
   uint32_t needed_by; /* the number of a root */
   uint32_t number;
};

static bool
is_movable(const nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_load_const:
   case nir_kind_undef: return true;
   case nir_kind_alu: {
      const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)instr);
      return !nir_op_is_derivative(alu->op);
   }
   default: return false;
   }
}

/* The first root that needs a movable instruction, those after it having
 * theirs; its own number if another block does. */
static uint32_t
find_need(const nir_instr *instr, const struct item *items, uint32_t number,
          uint32_t base)
{
   const nir_value *def = nir_instr_value((nir_instr *)instr);
   uint32_t first = UINT32_MAX;

   if (nir_value_is_condition(def))
      return number;
   nir_foreach_instr_use(use, def) {
      const nir_instr *user = use->instr;
      if (user->block != instr->block || user->kind == nir_kind_phi)
         return number;
      first = MIN2(first, items[user->index - base].needed_by);
   }
   return first == UINT32_MAX ? number : first;
}

static int
compare(const void *x, const void *y)
{
   const struct item *a = x, *b = y;

   if (a->needed_by != b->needed_by)
      return a->needed_by < b->needed_by ? -1 : 1;
   return a->number < b->number ? -1 : 1;
}

static unsigned
dwords(const nir_value *def)
{
   if (!def || def->instr->kind == nir_kind_load_const ||
       def->instr->kind == nir_kind_undef || def->bit_size == 1)
      return 0;
   return def->num_components * MAX2(1, def->bit_size / 32u);
}

/* Where the last user of a value is in an order; `count` if that is in
 * another block, 0 if nobody. */
static uint32_t
last_use(const nir_value *def, const uint32_t *place, uint32_t count,
         uint32_t base)
{
   uint32_t last = 0;

   if (nir_value_is_condition(def))
      return count;
   nir_foreach_instr_use(use, def) {
      const nir_instr *user = use->instr;
      if (user->block != def->instr->block || user->kind == nir_kind_phi)
         return count;
      last = MAX2(last, place[user->index - base]);
   }
   return last;
}

/* Dwords at once, at most, of what the block itself makes. */
static unsigned
pressure(const struct item *items, uint32_t count, uint32_t *place,
         uint32_t *dying, uint32_t base)
{
   unsigned now = 0, most = 0;

   for (uint32_t i = 0; i < count; i++) {
      place[items[i].number] = i;
      dying[i] = 0;
   }
   for (uint32_t i = 0; i < count; i++) {
      const nir_value *def = nir_instr_value(items[i].instr);
      const unsigned size = dwords(def);
      if (size) {
         const uint32_t last = last_use(def, place, count, base);
         if (last < count)
            dying[MAX2(last, i)] += size;
         now += size;
      }
      most = MAX2(most, now);
      now -= dying[i];
   }
   return most;
}

static bool
order(nir_block *block, unsigned limit, struct arena *arena)
{
   const nir_instr *first = nir_block_first_instr(block);
   uint32_t count = 0, n = 0;

   nir_foreach_instr(instr, block) {
      /* What is computed after these is not computed in all channels, of
       * which the derivatives of what follows may want some. */
      if (nir_instr_ends_channels(instr))
         return false;
      count++;
   }
   if (count <= limit)
      return false;
   const uint32_t base = first->index;
   struct item *items = arena_new_array(arena, struct item, count);
   uint32_t *place = arena_new_array(arena, uint32_t, 2 * count);
   nir_foreach_instr(instr, block) {
      items[n] = (struct item) { instr, n, n };
      n++;
   }
   const unsigned before = pressure(items, count, place, place + count, base);
   if (before <= limit)
      return false;
   for (n = count; n-- > 0;) {
      if (is_movable(items[n].instr))
         items[n].needed_by = find_need(items[n].instr, items, n, base);
   }
   qsort(items, count, sizeof(*items), compare);
   if (pressure(items, count, place, place + count, base) >= before)
      return false;
   for (n = 1; n < count; n++) {
      if (items[n].instr->kind != nir_kind_jump)
         nir_instr_move(nir_after_instr(items[n - 1].instr), items[n].instr);
   }
   return true;
}

bool
nir_opt_demand_order(nir_shader *shader, unsigned limit)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      bool changed = false;
      struct arena *arena = arena_create(NULL);
      nir_number_instrs(impl);
      nir_foreach_block(block, impl)
         changed |= order(block, limit, arena);
      arena_destroy(arena);
      nir_changed(impl, changed, nir_metadata_control_flow);
      progress |= changed;
   }
   return progress;
}
