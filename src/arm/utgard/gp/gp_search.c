/* SPDX-License-Identifier: MIT */
/*
 * Several schedules of a block, of which the shortest is taken: what differs
 * is how much what is far from the end is preferred, what ends values, how
 * early an operation may go, and what sequences of opaque values keep free
 * for each other. Effort says how many.
 */
#include <math.h>

#include "gp_tasks.h"

/* Operations of a block from which on it is a large one. */
#define LARGE 60

/* Operations of a block from which on what waits decides, so that the order
 * of the program is tried first. */
#define IN_ORDER 400

/* Steps of the search for a plan. */
#define PLAN_STEPS 2000

struct variant {
   float noise;    /* in words, added to the height */
   int slack;      /* words before its latest at which an operation may go;
                     * -1: any */
   float pressure; /* preference for operations that end values */
   float margin;   /* of gpc_sched, as part of the longest path; -1: none */
   bool in_order;  /* as the program has them: few values wait */
   bool no_holes, add_moves; /* of gpc_sched */
   uint32_t seed;
};

struct search {
   struct gpc_sched sched;
   struct gpc_graph graph;
   float *priority;
   int32_t *not_before;
   struct variant best_variant;
   struct gpc_schedule best;
   struct arena *arena; /* of the result */
};

static uint32_t
next_random(uint32_t *x)
{
   *x ^= *x << 13;
   *x ^= *x >> 17;
   *x ^= *x << 5;
   return *x;
}

/* Priorities, and the words from which on operations may be placed: with
 * some slack before they must be. */
static void
make_plan(struct search *r, const struct variant *v)
{
   const struct gpc_block *b = r->sched.block;
   const struct gpc_graph *g = &r->graph;
   const unsigned expected =
      MIN2(r->best.count, MAX2(r->best.lower_bound, 1));
   uint32_t x = v->seed | 1;

   for (uint32_t i = 0; i < b->count; i++) {
      const struct gpc_node *n = &b->nodes[i];
      int balance = 0;
      for (unsigned k = 0; k < gpc_info(n)->num_srcs; k++) {
         if (n->src[k].kind == GPC_REF_NODE)
            balance += g->uses[n->src[k].index] == 1;
      }
      balance -= g->uses[i] > 0;
      r->priority[i] = v->in_order ? -(float)i : (float)g->height[i];
      r->priority[i] += v->pressure * (float)balance;
      if (v->noise > 0)
         r->priority[i] += v->noise * (float)(next_random(&x) & 0xffff) /
                           65536;
      r->not_before[i] =
         v->slack < 0 ? 0 : (int)expected - (int)g->height[i] - v->slack;
   }
}

/* Small blocks have room to wait; in large ones the tables decide, and what
 * shares their multiplier. `best`: of the shortest schedule so far. */
static struct variant
choose_variant(unsigned i, unsigned size, const struct variant *best)
{
   static const struct variant small[] = {
      { 0, -1, 0, -1 },
      { 0, 2, 0, -1 },
      { 0, -1, 0, -1, .in_order = true },
      { 0, -1, 0.3f, 0, .add_moves = true },
      { 0, 6, 0.3f, -1 },
   }, large[] = {
      { 0, -1, 0, -1 },
      { 0, -1, 0, 0.02f },
      { 0, -1, 0, 0.3f },
      { 0, -1, 0, -1, .no_holes = true, .add_moves = true },
      { 0, -1, 0, -1, .in_order = true },
      { 0, -1, 0.3f, 0.1f },
      { 0, -1, 0.3f, 0.6f },
      { 0, 2, 0, -1 },
      { 0, 6, 0.3f, -1 },
      { 0, -1, 0, 0.3f, .no_holes = true, .add_moves = true },
   };
   struct variant v;

   if (size > LARGE && i < ARRAY_SIZE(large))
      return large[i];
   if (size <= LARGE && i < ARRAY_SIZE(small))
      return small[i];
   if (size > LARGE)
      v = *best;
   else
      v = (struct variant) {
         .slack = i % 3 ? (int)(i % 7) : -1,
         .pressure = (float)(i % 2) * 0.3f,
         .margin = i % 4 ? -1 : 0.05f,
         .add_moves = i % 4 == 3,
      };
   v.noise = 0.5f + (float)(i % 5);
   v.seed = i * 2654435761u;
   return v;
}

/* One more schedule: kept if it is the shortest. */
static void
try_plan(struct search *r)
{
   struct gpc_sched *s = &r->sched;

   gpc_run(s, &r->graph, r->priority, r->not_before);
   if (s->stats.words >= r->best.count)
      return;
   r->best.count = s->stats.words;
   r->best.stats = s->stats;
   r->best.words =
      arena_memdup(r->arena, s->words, s->num_words * sizeof(*s->words));
}

/* Small blocks: a better bound, and a plan from the search for it. */
static void
try_exact(struct search *r, unsigned effort, float share)
{
   const float budget = 3000.0f * (float)effort * (float)effort * share;
   const struct gpc_graph *g = &r->graph;
   bool found;

   if (r->best.count <= r->best.lower_bound)
      return;
   r->best.lower_bound =
      gpc_exact_length(r->sched.arena, r->sched.block, g->height,
                       g->first_edge, g->edges, r->best.lower_bound,
                       r->best.count, (long)budget, r->not_before, &found);
   if (!found)
      return;
   for (uint32_t i = 0; i < r->sched.block->count; i++)
      r->priority[i] = (float)-r->not_before[i];
   try_plan(r);
}

/* The schedule of one variant, which then may be the best. */
static void
try_variant(struct search *r, const struct variant *v)
{
   const unsigned before = r->best.count;

   r->sched.add_moves = v->add_moves;
   r->sched.no_holes = v->no_holes;
   r->sched.margin = v->margin < 0 ? INFINITY
                                   : v->margin * (float)r->graph.longest;
   make_plan(r, v);
   try_plan(r);
   if (r->best.count < before)
      r->best_variant = *v;
}

/* Priorities by the last words that the tasks leave to the others. */
static void
plan_around(struct search *r, const struct gpc_tasks *tasks)
{
   const struct gpc_block *b = r->sched.block;
   int32_t *latest = r->not_before;

   gpc_find_latest(b, &r->graph, tasks, latest);
   for (uint32_t i = 0; i < b->count; i++)
      r->priority[i] = (float)-latest[i];
   memset(r->not_before, 0, b->count * sizeof(*r->not_before));
}

/* Tables go in their words, the others when these have to have them. */
static void
follow_plan(struct search *r, int32_t *at)
{
   const struct gpc_block *b = r->sched.block;
   const struct gpc_graph *g = &r->graph;

   memset(r->not_before, 0, b->count * sizeof(*r->not_before));
   for (uint32_t i = b->count; i-- > 0;) {
      if (gpc_info(&b->nodes[i])->cls == GPC_CLASS_TABLE) {
         r->not_before[i] = at[i];
      } else {
         at[i] = GP_MAX_INSTRS - (int32_t)g->height[i];
         for (uint32_t e = g->first_edge[i]; e < g->first_edge[i + 1]; e++) {
            const int32_t to = at[g->edges[e].to];
            at[i] = MIN2(at[i], to - (int32_t)g->edges[e].distance);
         }
      }
      r->priority[i] = (float)-at[i];
   }
}

/* All tables go by a plan. */
static void
try_planned(struct search *r, const struct gpc_tasks *tasks)
{
   const struct gpc_block *b = r->sched.block;
   int32_t *at = arena_new_array(r->sched.arena, int32_t, b->count);

   if (!gpc_make_plan(r->sched.arena, b, &r->graph, tasks, PLAN_STEPS, at))
      return;
   follow_plan(r, at);
   r->sched.is_planned = true;
   for (unsigned i = 0; i < 4 && r->best.count > GP_MAX_INSTRS; i++) {
      r->sched.add_moves = i % 2;
      r->sched.spill_early = i / 2;
      if (i < 2 || r->sched.stats.spills)
         try_plan(r);
   }
   r->sched.is_planned = false;
}

/* Tables go by a priority function, with different tastes. */
static void
try_priority(struct search *r, const struct gpc_tasks *tasks)
{
   static const struct gpc_taste tastes[] = {
      { 0.25f, 1, 0 },
      { 0.25f, 1, 1 },
      { 0.7f, 1, 0 },
      { 0.4f, 4, 0 },
   };

   r->sched.chooser =
      gpc_make_priority(r->sched.arena, r->sched.block, tasks);
   plan_around(r, tasks);
   for (unsigned i = 0;
        i < 2 * ARRAY_SIZE(tastes) && r->best.count > GP_MAX_INSTRS; i++) {
      gpc_reset_priority(r->sched.chooser, &tastes[i / 2]);
      /* In idle words or else in one of its own. */
      r->sched.spill_early = i % 2;
      if (i % 2 == 0 || r->sched.stats.spills)
         try_plan(r);
   }
   r->sched.chooser = NULL;
}

/* A block that is longer than a program may be, and need not be. */
static void
try_harder(struct search *r)
{
   struct gpc_tasks tasks;

   if (!gpc_make_jobs(r->sched.arena, r->sched.block, &r->graph,
                      GP_MAX_INSTRS, &tasks)) {
      r->best.lower_bound = GP_MAX_INSTRS + 1;
      return;
   }
   /* Among many other operations tables do not decide. */
   if (tasks.count * 4 < r->sched.block->count)
      return;
   r->sched.margin = INFINITY;
   r->sched.no_holes = false;
   r->sched.add_moves = false;
   try_priority(r, &tasks);
   if (r->best.count > GP_MAX_INSTRS)
      try_planned(r, &tasks);
}

static void
run_search(struct search *r, unsigned effort, float share)
{
   const unsigned size = r->sched.block->count;
   const float part = share * (float)gpc_schedules_for(size, effort);
   const unsigned tries = MAX2((unsigned)part, 1);

   for (unsigned i = 0; i < tries && r->best.count > r->best.lower_bound;
        i++) {
      const struct variant v = choose_variant(
         size > IN_ORDER && i < 5 ? 4 - i : i, size, &r->best_variant);
      try_variant(r, &v);
      if (i == 1 && size <= GPC_EXACT_NODES)
         try_exact(r, effort, share);
   }
   if (effort && share == 1 && r->best.count > GP_MAX_INSTRS &&
       r->best.lower_bound <= GP_MAX_INSTRS)
      try_harder(r);
   assert(r->best.count >= r->best.lower_bound && "the bound is none");
}

unsigned
gpc_schedules_for(unsigned operations, unsigned effort)
{
   return CLAMP(effort * 4000 / (operations + 1), 1, 32 * MAX2(effort, 1));
}

struct gpc_schedule
gpc_schedule_block(struct arena *arena, const struct gpc_block *block,
                   struct gpc_literals *literals, unsigned first_temp,
                   unsigned effort, float share)
{
   struct arena *scratch = arena_create(NULL);
   struct search r = {
      .sched = { .block = block,
                 .literals = literals,
                 .first_temp = first_temp,
                 .arena = scratch },
      .graph = gpc_make_graph(scratch, block),
      .priority = arena_new_array(scratch, float, block->count),
      .not_before = arena_new_array(scratch, int32_t, block->count),
      .best.count = UINT32_MAX,
      .arena = arena,
   };

   r.best.lower_bound = gpc_lower_bound(scratch, block, r.graph.height,
                                        r.graph.first_edge, r.graph.edges);
   gpc_sched_init(&r.sched, &r.graph);
   run_search(&r, effort, share);
   r.best.height = arena_memdup(arena, r.graph.height,
                                block->count * sizeof(*r.graph.height));
   gpc_sched_fini(&r.sched);
   arena_destroy(scratch);
   return r.best;
}
