/* SPDX-License-Identifier: MIT */
/*
 * What to spill where more is live at once than there are registers, without
 * a graph: VGRFs are taken by what they cost for each position at which they
 * are in the way, the cheapest first, as long as there is a position in their
 * life at which too much is live: intervals are enough for that, as they are
 * in linear scan (Poletto and Sarkar, Linear scan register allocation, 1999).
 * Cost: n log n, by a tree of maxima over positions.
 */
#include <math.h>
#include <stdlib.h>

#include "eu_ra_graph.h"

/* Registers live at each position: of a node, what all of its positions have
 * in common, and the maximum of the rest. */
struct pressure {
   int32_t *common, *most;
   uint32_t size; /* positions, a power of two */
};

struct candidate {
   uint32_t vgrf;
   float price;
};

static void
add_to(struct pressure *p, uint32_t node, uint32_t first, uint32_t size,
       uint32_t from, uint32_t to, int32_t n)
{
   if (from > first + size - 1 || to < first)
      return;
   if (from <= first && first + size - 1 <= to) {
      p->common[node] += n;
      p->most[node] += n;
      return;
   }
   const uint32_t half = size / 2;
   add_to(p, 2 * node, first, half, from, to, n);
   add_to(p, 2 * node + 1, first + half, half, from, to, n);
   p->most[node] = p->common[node] +
                   MAX2(p->most[2 * node], p->most[2 * node + 1]);
}

static int32_t
most_in(const struct pressure *p, uint32_t node, uint32_t first,
        uint32_t size, uint32_t from, uint32_t to)
{
   if (from > first + size - 1 || to < first)
      return 0;
   if (from <= first && first + size - 1 <= to)
      return p->most[node];
   const uint32_t half = size / 2;
   const int32_t left = most_in(p, 2 * node, first, half, from, to);
   const int32_t right =
      most_in(p, 2 * node + 1, first + half, half, from, to);
   return p->common[node] + MAX2(left, right);
}

static void
take_away(struct pressure *p, const struct eu_liveness *lv, uint32_t vgrf)
{
   for (uint32_t v = lv->var_of_vgrf[vgrf]; v < lv->var_of_vgrf[vgrf + 1];
        v++) {
      if (lv->start[v] <= lv->end[v])
         add_to(p, 1, 0, p->size, (uint32_t)lv->start[v],
                (uint32_t)lv->end[v], -1);
   }
}

static void
find_pressure(struct pressure *p, const int32_t *live, uint32_t positions,
              struct arena *arena)
{
   p->size = util_next_power_of_two(positions);
   p->common = arena_new_array(arena, int32_t, 2 * (size_t)p->size);
   p->most = arena_new_array(arena, int32_t, 2 * (size_t)p->size);
   memcpy(p->most + p->size, live, positions * sizeof(*live));
   for (uint32_t node = p->size - 1; node; node--)
      p->most[node] = MAX2(p->most[2 * node], p->most[2 * node + 1]);
}

/* By position: at how many before it too much is live. */
static uint32_t *
count_crowded(const int32_t *live, uint32_t positions, uint32_t limit,
              struct arena *arena)
{
   uint32_t *crowded = arena_new_array(arena, uint32_t, positions + 1);

   for (uint32_t i = 0; i < positions; i++)
      crowded[i + 1] = crowded[i] + (live[i] > (int32_t)limit);
   return crowded;
}

static int
cheapest_first(const void *pa, const void *pb)
{
   const struct candidate *a = pa, *b = pb;

   if (a->price != b->price)
      return a->price < b->price ? -1 : 1;
   return a->vgrf < b->vgrf ? -1 : a->vgrf > b->vgrf;
}

uint32_t
eu_ra_choose_for_pressure(const struct eu_shader *s,
                          const struct eu_liveness *lv, const float *cost,
                          uint32_t limit, struct arena *arena,
                          uint32_t *chosen)
{
   struct candidate *c =
      arena_new_array(arena, struct candidate, s->num_vgrfs + 1);
   const int32_t *live = eu_count_live(s, lv, arena);
   const uint32_t *crowded =
      count_crowded(live, eu_positions(s), limit, arena);
   struct pressure p;
   uint32_t count = 0, n = 0;

   find_pressure(&p, live, eu_positions(s), arena);
   for (uint32_t v = 0; v < s->num_vgrfs; v++) {
      uint32_t freed = 0;
      if (eu_ra_is_short(lv, v) || isinf(cost[v]))
         continue;
      for (uint32_t g = lv->var_of_vgrf[v]; g < lv->var_of_vgrf[v + 1]; g++) {
         if (lv->start[g] <= lv->end[g])
            freed += crowded[lv->end[g] + 1] - crowded[lv->start[g]];
      }
      if (freed)
         c[count++] = (struct candidate) { v, cost[v] / (float)freed };
   }
   qsort(c, count, sizeof(*c), cheapest_first);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t v = c[i].vgrf;
      if (most_in(&p, 1, 0, p.size, (uint32_t)lv->vgrf_start[v],
                  (uint32_t)lv->vgrf_end[v]) <= (int32_t)limit)
         continue;
      take_away(&p, lv, v);
      chosen[n++] = v;
   }
   return n;
}
