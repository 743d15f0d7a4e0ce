/* SPDX-License-Identifier: MIT */
/*
 * Graph colouring for values of several consecutive registers.
 *
 * Chaitin's scheme with Briggs' optimism. Simplify: nodes that find a
 * register whatever becomes of their neighbours are taken off first; when
 * there is none, one is taken off in the hope that it finds one. Select: they
 * are coloured in the opposite order. The safe test is the p,q test of
 * Runeson and Nystroem (Retargetable graph-coloring register allocation for
 * irregular architectures, 2003): p candidate registers, of which each
 * neighbour blocks at most q. Here both are known exactly and not only by
 * class: liveness is by GRF, so an edge says at which distances of their
 * first GRFs two VGRFs conflict, and q is their number.
 *
 * Payload registers are coloured from the start: they take candidates away
 * from those that overlap them. The last message's payload is coloured next,
 * for its range is small (g112-g127, PRM SKL vol 2a, "send"), and also counts
 * as candidates taken. A message does not return into g127. That a compressed
 * instruction may write before it has read everything is in the positions
 * that liveness gives: its destination overlaps its sources.
 */
#include <math.h>

#include "eu_ra_graph.h"

#define MIDDLE 32

static eu_grf_set
grf_range(unsigned first, unsigned end)
{
   eu_grf_set all = ~(eu_grf_set)0;

   if (first >= end)
      return 0;
   return (all >> (EU_MAX_GRF - (end - first))) << first;
}

static unsigned
set_count(eu_grf_set set)
{
   return (unsigned)(__builtin_popcountll((uint64_t)set) +
                     __builtin_popcountll((uint64_t)(set >> 64)));
}

static unsigned
set_lowest(eu_grf_set set)
{
   const uint64_t low = (uint64_t)set;

   return low ? (unsigned)__builtin_ctzll(low)
              : 64 + (unsigned)__builtin_ctzll((uint64_t)(set >> 64));
}

static unsigned
set_highest(eu_grf_set set)
{
   const uint64_t high = (uint64_t)(set >> 64);

   return high ? 127 - (unsigned)__builtin_clzll(high)
               : 63 - (unsigned)__builtin_clzll((uint64_t)set);
}

/* ---- building ---- */

static bool
overlap(const struct eu_liveness *lv, uint32_t a, uint32_t b)
{
   return lv->start[a] <= lv->end[a] && lv->start[b] <= lv->end[b] &&
          lv->start[a] <= lv->end[b] && lv->start[b] <= lv->end[a];
}

/* Of two nodes that live at the same time, if perhaps in other GRFs. */
static uint64_t
conflicts(const struct eu_ra_graph *g, const struct eu_ra_node *a,
          const struct eu_ra_node *b)
{
   const uint32_t va = g->lv->var_of_vgrf[a->vgrf];
   const uint32_t vb = g->lv->var_of_vgrf[b->vgrf];
   uint64_t set = 0;

   if (a->whole && b->whole)
      return BITFIELD64_MASK(a->size + b->size - 1) << (MIDDLE + 1 - b->size);
   /* GRF i of a and j of b are the same one when b is i - j above a. */
   for (unsigned i = 0; i < a->size; i++) {
      for (unsigned j = 0; j < b->size; j++) {
         if (overlap(g->lv, va + i, vb + j))
            set |= 1ull << (MIDDLE + i - j);
      }
   }
   return set;
}

/* The same edge seen from the other end: d becomes -d. */
static uint64_t
mirrored(uint64_t conflict)
{
   uint64_t set = 0;

   if (conflict == 1ull << MIDDLE)
      return conflict;
   for (; conflict; conflict &= conflict - 1)
      set |= 1ull << (2 * MIDDLE - __builtin_ctzll(conflict));
   return set;
}

/* Places of a node that are blocked when the other end of `e` is at reg. */
static eu_grf_set
blocked(const struct eu_ra_edge *e, unsigned reg)
{
   /* This node at x conflicts when reg - x = d: bit MIDDLE - d of the
    * mirrored set stands for x = reg - MIDDLE + (MIDDLE - d). */
   const eu_grf_set set = mirrored(e->conflict);

   return reg >= MIDDLE ? set << (reg - MIDDLE) : set >> (MIDDLE - reg);
}

/* Whether source i is part of the payload of the message that ends the
 * thread. */
static bool
is_last_payload(const struct eu_inst *inst, unsigned i)
{
   return inst->eot && i % 2 == 0;
}

static void
find_constraints(struct eu_ra_graph *g, struct eu_shader *s)
{
   for (uint32_t n = 0; n < g->num_nodes; n++) {
      struct eu_ra_node *node = &g->nodes[n];
      node->allowed = grf_range(0, EU_MAX_GRF - node->size + 1);
   }
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (!eu_is_send(inst))
         continue;
      for (unsigned i = 0; i < inst->sources; i++) {
         if (!is_last_payload(inst, i) || inst->src[i].file != EU_VGRF)
            continue;
         struct eu_ra_node *node =
            &g->nodes[g->node_of_vgrf[inst->src[i].nr]];
         node->eot = true;
         node->allowed &= grf_range(EU_EOT_FIRST_GRF, EU_MAX_GRF);
      }
      if (inst->dst.file == EU_VGRF && inst->size_written) {
         struct eu_ra_node *node = &g->nodes[g->node_of_vgrf[inst->dst.nr]];
         node->allowed &= grf_range(0, EU_MAX_GRF - node->size);
      }
   }
}

/* The payload is there from the start until it is last read. */
static void
precolour_payload(struct eu_ra_graph *g)
{
   for (uint32_t n = 0; n < g->num_nodes; n++) {
      struct eu_ra_node *node = &g->nodes[n];
      const uint32_t var = g->lv->var_of_vgrf[node->vgrf];

      for (unsigned k = 0; k < node->size; k++) {
         if (g->lv->start[var + k] > g->lv->end[var + k])
            continue;
         for (unsigned grf = k; grf < EU_MAX_GRF; grf++) {
            if (g->lv->start[grf] <= g->lv->end[grf] &&
                g->lv->end[grf] >= g->lv->start[var + k])
               node->allowed &= ~((eu_grf_set)1 << (grf - k));
         }
      }
   }
}

struct raw_edge {
   uint64_t conflict; /* from a to b */
   uint32_t a, b;
};

/* Edges by node, from the list of pairs. */
static void
index_edges(struct eu_ra_graph *g, const struct util_dynarray *raw)
{
   uint32_t next = 0;

   util_dynarray_foreach(raw, struct raw_edge, r) {
      g->nodes[r->a].num_edges++;
      g->nodes[r->b].num_edges++;
      g->num_edges += 2;
   }
   g->edges =
      arena_new_array(g->arena, struct eu_ra_edge, MAX2(1, g->num_edges));
   for (uint32_t n = 0; n < g->num_nodes; n++) {
      g->nodes[n].first_edge = next;
      next += g->nodes[n].num_edges;
      g->nodes[n].num_edges = 0;
   }
   util_dynarray_foreach(raw, struct raw_edge, r) {
      const uint32_t q = (uint32_t)__builtin_popcountll(r->conflict);
      struct eu_ra_node *a = &g->nodes[r->a], *b = &g->nodes[r->b];

      g->edges[a->first_edge + a->num_edges++] =
         (struct eu_ra_edge) { r->conflict, r->b, q };
      g->edges[b->first_edge + b->num_edges++] =
         (struct eu_ra_edge) { mirrored(r->conflict), r->a, q };
      a->degree += q;
      b->degree += q;
   }
}

/*
 * Distances of source i's first GRF from the destination's at which the
 * instruction would write what its second half still reads. Sources that are
 * read by halves may be in the same place. Those that live on conflict
 * anyway.
 */
static uint64_t
bad_distances(const struct eu_ra_graph *g, const struct eu_inst *inst,
              unsigned i)
{
   const eu_reg *r = &inst->src[i];
   const unsigned at_B = eu_reg_offset(r), first = at_B / REG_SIZE_B;
   const unsigned end = (at_B + eu_size_read(inst, i) + REG_SIZE_B - 1) /
                        REG_SIZE_B;
   const uint32_t var = r->file == EU_VGRF ? g->lv->var_of_vgrf[r->nr] : 0;
   const bool by_halves = eu_reads_by_halves(inst, i);
   uint64_t bad = 0;

   for (unsigned k = 0; k < end - first; k++) {
      if (g->lv->end[var + first + k] > 2 * (int32_t)inst->ip)
         continue;
      for (unsigned half = 0; half < 2; half++) {
         if (!by_halves || half != k)
            bad |= 1ull << (MIDDLE + half - k);
      }
   }
   return bad;
}

/* The instruction counts as writing late. */
static void
keep_source_apart(struct eu_ra_graph *g, const struct eu_inst *inst,
                  unsigned i, struct util_dynarray *raw)
{
   const eu_reg *r = &inst->src[i];
   const uint32_t to = g->node_of_vgrf[inst->dst.nr];
   const uint64_t bad = bad_distances(g, inst, i);
   const int delta = (int)(eu_reg_offset(r) / REG_SIZE_B) -
                     (int)(inst->dst.offset / REG_SIZE_B);

   for (int d = -MIDDLE; d < MIDDLE && r->file == EU_GRF; d++) {
      const int place = delta - d;
      if (bad >> (MIDDLE + d) & 1 && place >= 0 && place < EU_MAX_GRF)
         g->nodes[to].allowed &= ~((eu_grf_set)1 << place);
   }
   if (r->file == EU_GRF || !bad)
      return;
   const uint32_t other = g->node_of_vgrf[r->nr];
   if (other != ~0u && other != to) {
      struct raw_edge e = { delta >= 0 ? bad >> delta : bad << -delta, to,
                            other };
      util_dynarray_append(raw, struct raw_edge, e);
   }
}

static void
keep_halves_apart(struct eu_ra_graph *g, struct eu_shader *s,
                  struct util_dynarray *raw)
{
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (eu_is_send(inst) || inst->size_written <= REG_SIZE_B ||
          inst->dst.file != EU_VGRF || eu_writes_early(inst) ||
          g->node_of_vgrf[inst->dst.nr] == ~0u)
         continue;
      eu_foreach_source(r, inst) {
         if (r->file == EU_VGRF || r->file == EU_GRF)
            keep_source_apart(g, inst, (unsigned)(r - inst->src), raw);
      }
   }
}

static bool
crosses_call(const struct eu_liveness *lv, const struct eu_ra_node *n)
{
   for (unsigned k = 0; k < n->size; k++) {
      if (lv->crosses[lv->var_of_vgrf[n->vgrf] + k])
         return true;
   }
   return false;
}

/* What a routine uses, and what is live across calls in front of it. */
static void
keep_routines_apart(struct eu_ra_graph *g, struct util_dynarray *raw)
{
   const struct eu_liveness *lv = g->lv;

   for (uint32_t n = 0; lv->crosses && n < g->num_nodes; n++) {
      const struct eu_ra_node *a = &g->nodes[n];
      if (lv->vgrf_end[a->vgrf] >= lv->routines || !crosses_call(lv, a))
         continue;
      for (uint32_t m = 0; m < g->num_nodes; m++) {
         const struct eu_ra_node *b = &g->nodes[m];
         if (lv->vgrf_start[b->vgrf] < lv->routines)
            continue;
         const struct raw_edge e = { BITFIELD64_MASK(a->size + b->size - 1)
                                        << (MIDDLE + 1 - b->size),
                                     n, m };
         util_dynarray_append(raw, struct raw_edge, e);
      }
   }
}

struct active_node {
   uint32_t node;
   int32_t end; /* of its life */
};

/* Sweeps over the nodes by start, with those that still live. */
static void
build_edges(struct eu_ra_graph *g, struct eu_shader *s)
{
   struct active_node *active =
      arena_new_array(g->arena, struct active_node, g->num_nodes + 1);
   struct util_dynarray raw = { 0 };
   uint32_t num_active = 0;

   for (uint32_t n = 0; n < g->num_nodes; n++) {
      const int32_t start = g->lv->vgrf_start[g->nodes[n].vgrf];
      struct raw_edge *edges =
         util_dynarray_grow_bytes(&raw, (num_active + 1) * sizeof(*edges));
      uint32_t kept = 0, count = 0;

      for (uint32_t i = 0; i < num_active; i++) {
         const uint32_t m = active[i].node;
         if (active[i].end < start)
            continue;
         active[kept++] = active[i];
         const uint64_t c = conflicts(g, &g->nodes[m], &g->nodes[n]);
         if (c)
            edges[count++] = (struct raw_edge) { c, m, n };
      }
      raw.size_B -= (num_active + 1 - count) * sizeof(*edges);
      active[kept++] =
         (struct active_node) { n, g->lv->vgrf_end[g->nodes[n].vgrf] };
      num_active = kept;
   }
   keep_routines_apart(g, &raw);
   keep_halves_apart(g, s, &raw);
   index_edges(g, &raw);
   util_dynarray_fini(&raw);
}

static void
add_costs(const struct eu_inst *inst, float weight, float *cost)
{
   eu_foreach_source(r, inst) {
      if (r->file != EU_VGRF)
         continue;
      /* The payload of the last message has its registers. */
      cost[r->nr] +=
         is_last_payload(inst, (unsigned)(r - inst->src)) ? INFINITY : weight;
   }
   /* Bytes that a definition leaves alone have to be read first. */
   if (inst->dst.file == EU_VGRF && inst->op != EU_OP_UNDEF)
      cost[inst->dst.nr] += eu_is_partial_write(inst) ? 2 * weight : weight;
}

float *
eu_ra_find_costs(const struct eu_shader *s, struct arena *arena)
{
   float *cost = arena_new_array(arena, float, s->num_vgrfs + 1);
   float weight = 1;
   bool routine = false;

   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (inst->op == EU_OP_DO)
         weight *= 10;
      /* What is called has its registers to itself anyway. */
      routine |= inst->op == EU_OP_ARGUMENT;
      add_costs(inst, routine ? INFINITY : weight, cost);
      if (inst->op == ISA_OPCODE_WHILE)
         weight /= 10;
   }
   return cost;
}

/* For the comparisons: qsort has no argument of its own. */
static __thread const struct eu_ra_graph *sort_ctx;

static int
by_start(const void *pa, const void *pb)
{
   const struct eu_ra_node *a = pa, *b = pb;
   const int32_t sa = sort_ctx->lv->vgrf_start[a->vgrf];
   const int32_t sb = sort_ctx->lv->vgrf_start[b->vgrf];

   if (sa != sb)
      return sa < sb ? -1 : 1;
   return a->vgrf < b->vgrf ? -1 : a->vgrf > b->vgrf;
}

/* Whether all of its GRFs live at the same time. */
static bool
lives_as_one(const struct eu_liveness *lv, uint32_t vgrf)
{
   for (uint32_t v = lv->var_of_vgrf[vgrf]; v < lv->var_of_vgrf[vgrf + 1];
        v++) {
      if (lv->start[v] != lv->vgrf_start[vgrf] ||
          lv->end[v] != lv->vgrf_end[vgrf])
         return false;
   }
   return true;
}

struct eu_ra_graph *
eu_ra_graph_create(struct eu_shader *s, const struct eu_liveness *lv,
                   const float *cost, struct arena *arena)
{
   struct eu_ra_graph *g = arena_new(arena, struct eu_ra_graph);

   g->arena = arena;
   g->lv = lv;
   g->nodes = arena_new_array(arena, struct eu_ra_node, s->num_vgrfs + 1);
   g->node_of_vgrf = arena_new_array(arena, uint32_t, s->num_vgrfs + 1);
   for (uint32_t v = 0; v < s->num_vgrfs; v++) {
      g->node_of_vgrf[v] = ~0u;
      assert(s->vgrf_size[v] <= EU_MAX_VGRF_GRFS);
      if (lv->vgrf_start[v] <= lv->vgrf_end[v]) {
         struct eu_ra_node *node = &g->nodes[g->num_nodes++];
         node->vgrf = v;
         node->size = (uint8_t)s->vgrf_size[v];
         node->whole = lives_as_one(lv, v);
         node->cost = cost[v];
      }
   }
   sort_ctx = g;
   qsort(g->nodes, g->num_nodes, sizeof(*g->nodes), by_start);
   for (uint32_t n = 0; n < g->num_nodes; n++)
      g->node_of_vgrf[g->nodes[n].vgrf] = n;
   find_constraints(g, s);
   precolour_payload(g);
   build_edges(g, s);
   eu_ra_find_affinities(g, s);
   return g;
}

/* ---- colouring ---- */

struct colouring {
   const struct eu_ra_graph *g;
   eu_grf_set *free;     /* candidates left by what is coloured for good */
   uint32_t *degree;     /* over the neighbours still in the graph */
   uint32_t *candidates; /* count of `free` before select */
   uint16_t *colour;
   BITSET_WORD *safe; /* in the graph and colourable for certain */
   uint32_t safe_end; /* no member of `safe` at or above it */
   BITSET_WORD *in_graph;
   uint32_t *stack, depth;
   unsigned luxuries; /* enum eu_ra_luxury */
   unsigned turn;     /* the place after the last that was given away */
};

static unsigned
in_turn(const struct colouring *c, eu_grf_set free)
{
   const eu_grf_set later = c->turn < EU_MAX_GRF ? free >> c->turn << c->turn
                                                 : 0;

   return set_lowest(c->luxuries & EU_RA_IN_TURN && later ? later : free);
}

static bool
select_one(struct colouring *c, uint32_t n)
{
   const struct eu_ra_node *node = &c->g->nodes[n];
   const struct eu_ra_edge *e = c->g->edges + node->first_edge;
   eu_grf_set free = node->allowed;

   for (uint32_t i = 0; i < node->num_edges; i++) {
      if (c->colour[e[i].other] != EU_RA_NONE)
         free &= ~blocked(&e[i], c->colour[e[i].other]);
   }
   if (!free)
      return false;
   /* The last payload from the top down: the rest stays in one piece. */
   unsigned at = node->eot ? set_highest(free) : in_turn(c, free);
   c->turn = node->eot ? c->turn : at + node->size;
   if (c->luxuries & EU_RA_AFFINITIES)
      at = eu_ra_best_place(c->g, n, free, c->colour, at);
   c->colour[n] = (uint16_t)at;
   return true;
}

/* Colours the last message's payload; its neighbours lose candidates. */
static int64_t
precolour_eot(struct colouring *c)
{
   for (uint32_t n = 0; n < c->g->num_nodes; n++) {
      const struct eu_ra_node *node = &c->g->nodes[n];

      if (!node->eot)
         continue;
      if (!select_one(c, n))
         return n;
      BITSET_CLEAR(c->in_graph, n);
      for (uint32_t i = 0; i < node->num_edges; i++) {
         const struct eu_ra_edge *e = &c->g->edges[node->first_edge + i];
         const struct eu_ra_edge back = { .conflict = mirrored(e->conflict) };
         c->free[e->other] &= ~blocked(&back, c->colour[n]);
         c->degree[e->other] -= e->q;
      }
   }
   return -1;
}

static void
take_off(struct colouring *c, uint32_t n)
{
   const struct eu_ra_node *node = &c->g->nodes[n];

   c->stack[c->depth++] = n;
   BITSET_CLEAR(c->in_graph, n);
   BITSET_CLEAR(c->safe, n);
   for (uint32_t i = 0; i < node->num_edges; i++) {
      const struct eu_ra_edge *e = &c->g->edges[node->first_edge + i];

      if (!BITSET_TEST(c->in_graph, e->other))
         continue;
      c->degree[e->other] -= e->q;
      if (c->degree[e->other] < c->candidates[e->other]) {
         BITSET_SET(c->safe, e->other);
         c->safe_end = MAX2(c->safe_end, e->other + 1);
      }
   }
}

/* The last member below `end`, or -1. */
static int64_t
last_member(const BITSET_WORD *set, uint32_t end)
{
   for (uint32_t w = BITSET_WORDS(end); w-- > 0;) {
      if (set[w])
         return w * 32u + 31u - (uint32_t)__builtin_clz(set[w]);
   }
   return -1;
}

static float
price(const struct eu_ra_node *node)
{
   return node->cost / (float)(node->degree + 1);
}

static int
latest_first(const void *pa, const void *pb)
{
   const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

   return a > b ? -1 : a < b;
}

static int
smallest_first(const void *pa, const void *pb)
{
   const struct eu_ra_node *a = &sort_ctx->nodes[*(const uint32_t *)pa];
   const struct eu_ra_node *b = &sort_ctx->nodes[*(const uint32_t *)pb];

   if (a->size != b->size)
      return a->size < b->size ? -1 : 1;
   return latest_first(pa, pb);
}

static int
cheapest_first(const void *pa, const void *pb)
{
   const float a = price(&sort_ctx->nodes[*(const uint32_t *)pa]);
   const float b = price(&sort_ctx->nodes[*(const uint32_t *)pb]);

   if (a != b)
      return a < b ? -1 : 1;
   return latest_first(pa, pb);
}

static void
simplify(struct colouring *c, enum eu_ra_heuristic h)
{
   static int (*const orders[])(const void *, const void *) = {
      [EU_RA_LATEST] = latest_first,
      [EU_RA_SMALLEST] = smallest_first,
      [EU_RA_CHEAPEST] = cheapest_first,
   };
   const uint32_t n = c->g->num_nodes;
   uint32_t *order = arena_new_array(c->g->arena, uint32_t, n + 1);
   uint32_t next = 0;

   for (uint32_t i = 0; i < n; i++)
      order[i] = i;
   sort_ctx = c->g;
   qsort(order, n, sizeof(*order), orders[h]);
   for (;;) {
      /* Latest first, so that selection goes on in order of the code. */
      const int64_t safe = last_member(c->safe, c->safe_end);
      c->safe_end = (uint32_t)(safe + 1);
      if (safe >= 0) {
         take_off(c, (uint32_t)safe);
         continue;
      }
      while (next < n && !BITSET_TEST(c->in_graph, order[next]))
         next++;
      if (next == n)
         return;
      take_off(c, order[next]);
   }
}

int64_t
eu_ra_colour(const struct eu_ra_graph *g, enum eu_ra_heuristic h,
             unsigned luxuries, uint16_t *reg)
{
   const uint32_t n = g->num_nodes;
   struct colouring c = { .g = g, .luxuries = luxuries, .safe_end = n };

   c.free = arena_new_array(g->arena, eu_grf_set, n + 1);
   c.degree = arena_new_array(g->arena, uint32_t, n + 1);
   c.candidates = arena_new_array(g->arena, uint32_t, n + 1);
   c.colour = arena_new_array(g->arena, uint16_t, n + 1);
   c.stack = arena_new_array(g->arena, uint32_t, n + 1);
   c.safe = arena_new_array(g->arena, BITSET_WORD, BITSET_WORDS(n + 1));
   c.in_graph = arena_new_array(g->arena, BITSET_WORD, BITSET_WORDS(n + 1));
   for (uint32_t i = 0; i < n; i++) {
      c.free[i] = g->nodes[i].allowed;
      c.degree[i] = g->nodes[i].degree;
      c.colour[i] = EU_RA_NONE;
      BITSET_SET(c.in_graph, i);
   }
   int64_t failed = precolour_eot(&c);
   if (failed >= 0)
      return failed;
   for (uint32_t i = 0; i < n; i++) {
      c.candidates[i] = set_count(c.free[i]);
      if (BITSET_TEST(c.in_graph, i) && c.degree[i] < c.candidates[i])
         BITSET_SET(c.safe, i);
   }
   simplify(&c, h);
   while (c.depth) {
      const uint32_t top = c.stack[--c.depth];
      if (!select_one(&c, top))
         return top;
   }
   for (uint32_t i = 0; i < n; i++)
      reg[g->nodes[i].vgrf] = c.colour[i];
   return -1;
}
