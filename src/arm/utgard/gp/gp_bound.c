/* SPDX-License-Identifier: MIT */
/*
 * A length that no schedule of a block goes below: its longest path, the
 * units that its operations need, and both together. If all operations of a
 * set begin in word `head` at the earliest and are `tail` words from the end
 * at least, and need multiplier 0 in n words, then the last of these is word
 * head + n - 1, the operation that uses it began up to two words before (an
 * exp2), and the block has head + n - 3 + tail words. Sets are the deepest
 * operations, and the highest ones.
 *
 * Then tables alone: each takes multiplier 0 for two words that follow each
 * other. Let a path of P words, without any delay, have h stretches of an
 * odd number of words before, between and after its tables' pairs. With
 * delays that sum up to D the block has L = P + D words, and at least h - D
 * stretches stay odd. Pairs lie within a stretch or outside, so that each
 * odd one has a word without a table: L is at least 2 T + h - D for T
 * tables. Hence 2 L is at least 2 T + P + h. And if no table can have its
 * pair in the first a and the last b words, these do not count as parts of
 * the stretches, and 2 L is at least 2 T + P + h + a + b.
 */
#include "gp_sched.h"

struct demand {
   unsigned mul, mul0, pass, complex, all, temps;
   unsigned add[8]; /* by opcode */
};

static void
add_demand(struct demand *d, const struct gpc_node *n)
{
   switch (gpc_info(n)->cls) {
   case GPC_CLASS_MOV: d->all++; break;
   case GPC_CLASS_MUL: d->mul++; break;
   case GPC_CLASS_SELECT:
      d->mul += 2;
      d->mul0++;
      break;
   case GPC_CLASS_ADD: d->add[gpc_info(n)->opcode]++; break;
   case GPC_CLASS_PASS:
   case GPC_CLASS_BRANCH: d->pass++; break;
   case GPC_CLASS_ADDRESS: d->complex++; break;
   case GPC_CLASS_TEMP_STORE:
      d->temps++;
      d->all++;
      break;
   case GPC_CLASS_TABLE:
      d->mul += 3;
      d->mul0 += 2;
      d->complex++;
      d->pass += n->op == GPC_OP_EXP2 || n->op == GPC_OP_LOG2;
      break;
   }
}

static unsigned
words_of_multipliers(const struct demand *d)
{
   return MAX2(DIV_ROUND_UP(d->mul, 2), d->mul0);
}

static unsigned
words_of_units(const struct demand *d)
{
   const unsigned complex = d->complex + DIV_ROUND_UP(d->temps, 4);
   unsigned adds = 0, all = d->all + d->mul + d->pass + complex;

   for (unsigned i = 0; i < ARRAY_SIZE(d->add); i++) {
      adds += DIV_ROUND_UP(d->add[i], 2);
      all += d->add[i];
   }
   const unsigned others =
      MAX2(MAX2(d->pass, complex), DIV_ROUND_UP(all, GP_NUM_ALU_UNITS));
   return MAX2(MAX2(words_of_multipliers(d), adds), others);
}

/* Operations by `key`, the largest first. */
static void
sort_by(struct arena *arena, const uint32_t *key, unsigned n, uint32_t *order)
{
   uint32_t most = 0;

   for (unsigned i = 0; i < n; i++)
      most = MAX2(most, key[i]);
   uint32_t *first = arena_new_array(arena, uint32_t, most + 2);
   for (unsigned i = 0; i < n; i++)
      first[most - key[i] + 1]++;
   for (unsigned k = 0; k < most; k++)
      first[k + 1] += first[k];
   for (unsigned i = 0; i < n; i++)
      order[first[most - key[i]]++] = i;
}

static unsigned
bound_of_sets(const struct gpc_block *block, const uint32_t *order,
              const uint32_t *key, const uint32_t *other)
{
   struct demand d = { 0 };
   uint32_t least = UINT32_MAX;
   unsigned bound = 0;

   for (unsigned i = 0; i < block->count; i++) {
      const enum gpc_class cls = gpc_info(&block->nodes[order[i]])->cls;
      if (cls != GPC_CLASS_MUL && cls != GPC_CLASS_SELECT &&
          cls != GPC_CLASS_TABLE)
         continue;
      add_demand(&d, &block->nodes[order[i]]);
      least = MIN2(least, other[order[i]]);
      const unsigned sum = key[order[i]] + least + words_of_multipliers(&d);
      bound = MAX2(bound, sum);
   }
   return bound > 3 ? bound - 3 : 0;
}

/* The path with most words and odd stretches, by operation: before it, with
 * an even or an odd number of words since the last pair. -1: none. */
struct stretch {
   int32_t even, odd;
};

static void
add_path(struct stretch *to, const struct stretch *from, unsigned words)
{
   const struct stretch s =
      words % 2 ? (struct stretch) { from->odd, from->even } : *from;
   const int32_t add = (int32_t)words;

   to->even = MAX2(to->even, s.even < 0 ? -1 : s.even + add);
   to->odd = MAX2(to->odd, s.odd < 0 ? -1 : s.odd + add);
}

/* Through a table: a stretch ends in front of its pair, and the next one
 * begins after. */
static struct stretch
pass_pair(const struct stretch *before, const struct gpc_node *n)
{
   const unsigned lead = n->op == GPC_OP_EXP2;
   struct stretch s = { -1, -1 };

   add_path(&s, before, lead);
   return (struct stretch) { MAX2(s.even, s.odd < 0 ? -1 : s.odd + 1) + 2,
                             -1 };
}

/* Words from the first one of an operation to after its pair. */
static unsigned
words_of_pair(const struct gpc_node *n)
{
   if (gpc_info(n)->cls != GPC_CLASS_TABLE)
      return 0;
   return n->op == GPC_OP_EXP2 ? 3 : 2;
}

/* 2 T + P + h + a + b, see above, halved. */
static unsigned
bound_of_pairs(struct arena *arena, const struct gpc_block *block,
               const uint32_t *head, const uint32_t *height,
               const uint32_t *first_edge, const struct gpc_edge *edges)
{
   struct stretch *in = arena_new_array(arena, struct stretch, block->count);
   unsigned tables = 0, before = UINT32_MAX, rest = UINT32_MAX;
   int32_t most = 0;

   for (unsigned i = 0; i < block->count; i++) {
      const unsigned done = words_of_pair(&block->nodes[i]);
      if (!done)
         continue;
      tables++;
      before = MIN2(before, head[i] + done - 2);
      rest = MIN2(rest, height[i] - done);
   }
   if (!tables)
      return 0;
   for (unsigned i = 0; i < block->count; i++) {
      in[i] = (struct stretch) { -1, -1 };
      add_path(&in[i], &(struct stretch) { 0, -1 }, before);
   }
   for (unsigned i = 0; i < block->count; i++) {
      const struct gpc_node *n = &block->nodes[i];
      const unsigned done = words_of_pair(n);
      struct stretch end = { -1, -1 };

      const struct stretch out = done ? pass_pair(&in[i], n) : in[i];
      for (uint32_t e = first_edge[i]; e < first_edge[i + 1]; e++) {
         if (edges[e].distance >= done)
            add_path(&in[edges[e].to], &out, edges[e].distance - done);
      }
      add_path(&end, &out, height[i] - done + rest);
      most = MAX2(most, MAX2(end.even, end.odd < 0 ? -1 : end.odd + 1));
   }
   return DIV_ROUND_UP(2 * tables + (unsigned)most, 2);
}

unsigned
gpc_lower_bound(struct arena *arena, const struct gpc_block *block,
                const uint32_t *height, const uint32_t *first_edge,
                const struct gpc_edge *edges)
{
   const unsigned n = block->count;
   uint32_t *head = arena_new_array(arena, uint32_t, n);
   uint32_t *order = arena_new_array(arena, uint32_t, n);
   struct demand all = { 0 };
   unsigned bound = 0;

   for (unsigned i = 0; i < n; i++) {
      add_demand(&all, &block->nodes[i]);
      bound = MAX2(bound, height[i]);
      for (uint32_t e = first_edge[i]; e < first_edge[i + 1]; e++)
         head[edges[e].to] =
            MAX2(head[edges[e].to], head[i] + edges[e].distance);
   }
   bound = MAX2(bound, words_of_units(&all));
   sort_by(arena, head, n, order);
   bound = MAX2(bound, bound_of_sets(block, order, head, height));
   sort_by(arena, height, n, order);
   bound = MAX2(bound, bound_of_sets(block, order, height, head));
   return MAX2(bound,
               bound_of_pairs(arena, block, head, height, first_edge, edges));
}
