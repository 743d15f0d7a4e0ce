/* SPDX-License-Identifier: MIT */
/*
 * Chains of instructions that have nothing to do with one another take turns,
 * so that what waits for one is filled by the others:
 *
 *    a1  a2  a3  b1  b2  b3   ->   a1  b1  a2  b2  a3  b3
 *
 * A scheduler could do that, but for what it finds fixed in the order that it
 * starts from: a machine's few condition flags. The long forms of quotients
 * and roots (nir_lower_doubles.c), which stand one behind the other, consist
 * of conditions.
 *
 * A chain is what the values of a block connect, constants left out; so many
 * take turns as the caller says, then the next ones, as all their values live
 * at the same time. Blocks that are often executed, those with divergent
 * values, which keep a machine busy by themselves, and those with anything
 * but arithmetic stay as they are; tests have no such scruples.
 * Before: SSA, divergence is known. Cost: linear, but for the union-find.
 */
#include "nir.h"
#include "util/arena.h"
#include "ssa/union_find.h"

#define NONE UINT32_MAX

struct chains {
   nir_instr **instr;
   uint32_t *parent; /* union-find */
   uint32_t *next;   /* in its chain, or NONE */
   uint32_t *last;   /* by root: of its chain so far, or NONE */
   uint32_t *heads;  /* the first of each, in order */
   nir_instr **sorted;
   uint32_t count, num_heads, base;
};

static bool
is_constant(const nir_instr *instr)
{
   return instr->kind == nir_kind_load_const || instr->kind == nir_kind_undef;
}

static bool
may_take_turns(const nir_instr *instr, bool divergent)
{
   if (is_constant(instr))
      return true;
   if (instr->kind != nir_kind_alu)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)instr);
   return !nir_op_is_derivative(alu->op) &&
          (divergent || !alu->instr.result.divergent);
}

static void
join_sources(struct chains *c, uint32_t number)
{
   const nir_alu_instr *alu = nir_instr_as_alu(c->instr[number]);

   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
      const nir_use *src = &alu->src[i].use;
      if (src->value->instr->block != alu->instr.block ||
          is_constant(src->value->instr))
         continue;
      const uint32_t other =
         union_find_root(c->parent, src->value->instr->index - c->base);
      c->parent[union_find_root(c->parent, number)] = other;
   }
}

static void
find_chains(struct chains *c)
{
   for (uint32_t i = 0; i < c->count; i++) {
      c->parent[i] = i;
      c->next[i] = c->last[i] = NONE;
   }
   for (uint32_t i = 0; i < c->count; i++) {
      if (!is_constant(c->instr[i]))
         join_sources(c, i);
   }
   for (uint32_t i = 0; i < c->count; i++) {
      if (is_constant(c->instr[i]))
         continue;
      const uint32_t root = union_find_root(c->parent, i);
      if (c->last[root] == NONE)
         c->heads[c->num_heads++] = i;
      else
         c->next[c->last[root]] = i;
      c->last[root] = i;
   }
}

static void
take_turns(struct chains *c, unsigned group)
{
   uint32_t n = 0;

   for (uint32_t i = 0; i < c->count; i++) {
      if (is_constant(c->instr[i]))
         c->sorted[n++] = c->instr[i];
   }
   for (uint32_t first = 0; first < c->num_heads; first += group) {
      const uint32_t end = MIN2(first + group, c->num_heads);
      for (bool any = true; any;) {
         any = false;
         for (uint32_t k = first; k < end; k++) {
            const uint32_t i = c->heads[k];
            if (i == NONE)
               continue;
            c->sorted[n++] = c->instr[i];
            c->heads[k] = c->next[i];
            any = true;
         }
      }
   }
   assert(n == c->count);
}

static bool
interleave(nir_block *block, unsigned group, bool divergent,
           struct arena *arena)
{
   struct chains c = { .count = 0 };

   nir_foreach_instr(instr, block) {
      if (!may_take_turns(instr, divergent))
         return false;
      c.count++;
   }
   if (!c.count)
      return false;
   uint32_t *words = arena_new_array(arena, uint32_t, 4 * (size_t)c.count);
   c.parent = words;
   c.next = words + c.count;
   c.last = words + 2 * (size_t)c.count;
   c.heads = words + 3 * (size_t)c.count;
   c.instr = arena_new_array(arena, nir_instr *, 2 * (size_t)c.count);
   c.sorted = c.instr + c.count;
   c.base = nir_block_first_instr(block)->index;
   nir_foreach_instr(instr, block)
      c.instr[instr->index - c.base] = instr;
   find_chains(&c);
   if (c.num_heads < 2)
      return false;
   take_turns(&c, group);
   for (uint32_t i = 1; i < c.count; i++)
      nir_instr_move(nir_after_instr(c.sorted[i - 1]), c.sorted[i]);
   return true;
}

bool
nir_opt_interleave(nir_shader *shader, unsigned group, bool everywhere)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      bool changed = false;
      struct arena *arena = arena_create(NULL);
      nir_number_instrs(impl);
      nir_foreach_block(block, impl) {
         if (everywhere || nir_block_is_unlikely(block))
            changed |= interleave(block, group, everywhere, arena);
      }
      arena_destroy(arena);
      nir_changed(impl, changed, nir_metadata_control_flow);
      progress |= changed;
   }
   return progress;
}
