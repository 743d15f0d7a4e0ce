/* SPDX-License-Identifier: MIT */
/*
 * gp_bench [optimality COUNT | limits COUNT | time]: figures for
 * docs/utgard.rst.
 *
 * optimality: random graphs of 1 to 12 operations; how much longer schedules
 * are than what gp_exact.c proves to be the least. As that leaves out some
 * ports, the true excess is smaller.
 *
 * limits: random graphs of up to 300 operations, half of them nearly all
 * tables; what gp_tasks.c says to be impossible may not be as long as a
 * schedule that exists. Plans that gp_plan.c finds for this length keep all
 * distances and have one table at a time.
 *
 * time: graphs of 100 to 10,000 operations, one schedule of each.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "arm/utgard/gp/gp_tasks.h"

struct maker {
   uint64_t rng;
   struct gpc_node nodes[10000];
   unsigned count;
};

static uint32_t
below(struct maker *m, uint32_t n)
{
   m->rng ^= m->rng << 13;
   m->rng ^= m->rng >> 7;
   m->rng ^= m->rng << 17;
   return (uint32_t)(m->rng >> 20) % n;
}

static double
now_us(void)
{
   struct timespec t;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static struct gpc_ref
operand(struct maker *m, unsigned reach)
{
   const unsigned n = m->count < reach ? m->count : reach;

   if (n && below(m, 5))
      return (struct gpc_ref) { .kind = GPC_REF_NODE,
                                .index = m->count - 1 - below(m, n) };
   if (below(m, 2))
      return (struct gpc_ref) { .kind = GPC_REF_ATTRIBUTE,
                                .index = below(m, 8) };
   /* One vec4 of these and two of attributes: see gp_node.c. */
   return (struct gpc_ref) { .kind = GPC_REF_UNIFORM, .index = below(m, 4) };
}

/* Results that nothing reads are stored; of tables they cannot be. */
static void
store_results(struct maker *m)
{
   bool used[10000] = { false };
   unsigned varying = 0;

   for (unsigned i = 0; i < m->count; i++) {
      const struct gpc_node *n = &m->nodes[i];
      for (unsigned k = 0; k < gpc_info(n)->num_srcs; k++) {
         if (n->src[k].kind == GPC_REF_NODE)
            used[n->src[k].index] = true;
      }
   }
   for (unsigned i = 0; i < m->count; i++) {
      if (used[i])
         continue;
      if (gpc_info(&m->nodes[i])->cls == GPC_CLASS_TABLE)
         m->nodes[i].op = GPC_OP_FLOOR;
      m->nodes[i].store_kind = GPC_STORE_VARYING;
      m->nodes[i].store_index = (uint16_t)(varying++ % 52);
   }
}

static void
make_block(struct maker *m, unsigned n, unsigned reach,
           struct gpc_block *block)
{
   static const uint8_t ops[] = {
      GPC_OP_MUL,    GPC_OP_MUL, GPC_OP_MUL,   GPC_OP_ADD,  GPC_OP_ADD,
      GPC_OP_ADD,    GPC_OP_MIN, GPC_OP_MAX,   GPC_OP_LT,   GPC_OP_FLOOR,
      GPC_OP_SELECT, GPC_OP_RCP, GPC_OP_RSQRT, GPC_OP_EXP2, GPC_OP_LOG2,
   };

   for (m->count = 0; m->count < n; m->count++) {
      struct gpc_node *node = &m->nodes[m->count];
      *node = (struct gpc_node) { .op = ops[below(m, ARRAY_SIZE(ops))] };
      for (unsigned k = 0; k < gpc_info(node)->num_srcs; k++)
         node->src[k] = operand(m, reach);
   }
   store_results(m);
   *block = (struct gpc_block) { .nodes = m->nodes, .count = n };
}

static int
optimality(unsigned count)
{
   struct maker *m = calloc(1, sizeof(*m));
   unsigned long words = 0, least = 0, longer = 0, wrong = 0;
   double excess = 0;

   m->rng = 88172645463325252ull;
   for (unsigned i = 0; i < count; i++) {
      struct arena *arena = arena_create(NULL);
      struct gpc_literals literals = { .base = 64 };
      struct gpc_block block;
      make_block(m, 1 + below(m, 12), 1 + below(m, 12), &block);
      const struct gpc_schedule s =
         gpc_schedule_block(arena, &block, &literals, 0, 9, 1);
      const struct gpc_schedule usual =
         gpc_schedule_block(arena, &block, &literals, 0, 1, 1);
      wrong += usual.count < s.lower_bound || s.count < s.lower_bound;
      words += usual.count;
      least += s.lower_bound;
      longer += usual.count > s.lower_bound;
      excess += (double)usual.count / s.lower_bound - 1;
      util_dynarray_fini(&literals.list);
      arena_destroy(arena);
   }
   printf("%u graphs, %lu words, least %lu, %lu graphs longer, mean excess "
          "%.3f %%, %lu below the bound\n",
          count, words, least, longer, 100 * excess / count, wrong);
   free(m);
   return wrong || 100 * excess / count >= 5;
}

/* Fewer other operations between tables. */
static void
add_tables(struct maker *m)
{
   static const uint8_t ops[] = { GPC_OP_RCP, GPC_OP_RSQRT, GPC_OP_EXP2,
                                  GPC_OP_LOG2 };

   for (unsigned i = 0; i < m->count; i++) {
      struct gpc_node *n = &m->nodes[i];
      if (n->store_kind || !below(m, 6) ||
          gpc_info(n)->cls == GPC_CLASS_TABLE ||
          n->src[0].kind != GPC_REF_NODE)
         continue;
      *n = (struct gpc_node) { .op = ops[below(m, 4)], .src = { n->src[0] } };
   }
   store_results(m);
}

/* 1: there is a plan, and it is none. */
static unsigned
check_plan(struct arena *arena, const struct gpc_block *block,
           const struct gpc_graph *g, const struct gpc_tasks *tasks,
           unsigned *found)
{
   int32_t *at = arena_new_array(arena, int32_t, block->count);
   bool *taken = arena_new_array(arena, bool, GP_MAX_INSTRS + 1);

   if (!gpc_make_plan(arena, block, g, tasks, 1000, at))
      return 0;
   (*found)++;
   for (uint32_t i = 0; i < block->count; i++) {
      if (at[i] < 0 || at[i] + (int)g->height[i] > tasks->limit)
         return 1;
      for (uint32_t e = g->first_edge[i]; e < g->first_edge[i + 1]; e++) {
         if (at[g->edges[e].to] < at[i] + (int)g->edges[e].distance)
            return 1;
      }
   }
   for (unsigned i = 0; i < tasks->count; i++) {
      const uint32_t node = tasks->node[i];
      const int t = at[node] + (block->nodes[node].op == GPC_OP_EXP2);
      if (taken[t] || taken[t + 1])
         return 1;
      taken[t] = taken[t + 1] = true;
   }
   return 0;
}

static int
limits(unsigned count)
{
   struct maker *m = calloc(1, sizeof(*m));
   unsigned wrong = 0, tight = 0, tables = 0, plans = 0, wrong_plans = 0;

   m->rng = 88172645463325252ull;
   for (unsigned i = 0; i < count; i++) {
      struct arena *arena = arena_create(NULL);
      struct gpc_literals literals = { .base = 64 };
      struct gpc_block block;
      struct gpc_tasks tasks;
      make_block(m, 1 + below(m, 300), 1 + below(m, 20), &block);
      if (i % 2)
         add_tables(m);
      const struct gpc_graph graph = gpc_make_graph(arena, &block);
      const int words =
         (int)gpc_schedule_block(arena, &block, &literals, 0, 1, 1).count;
      if (words <= GP_MAX_INSTRS) {
         const bool ok = gpc_make_jobs(arena, &block, &graph, words, &tasks);
         wrong += !ok;
         if (ok)
            wrong_plans += check_plan(arena, &block, &graph, &tasks, &plans);
         tight += !gpc_make_jobs(arena, &block, &graph, words - 1, &tasks);
         tables += tasks.count;
      }
      util_dynarray_fini(&literals.list);
      arena_destroy(arena);
   }
   printf("%u graphs with %u tables: %u shorter than said to be possible, "
          "%u as short as can be; %u plans, %u wrong\n",
          count, tables, wrong, tight, plans, wrong_plans);
   free(m);
   return wrong || wrong_plans;
}

static int
times(void)
{
   static const unsigned sizes[] = { 100, 300, 1000, 3000, 10000 };
   struct maker *m = calloc(1, sizeof(*m));

   printf("%8s %8s %10s %14s\n", "nodes", "words", "us", "ns/(n log2 n)");
   m->rng = 88172645463325252ull;
   for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
      const unsigned n = sizes[i];
      double best = INFINITY;
      struct gpc_block block;
      unsigned words = 0;
      make_block(m, n, 64, &block);
      for (unsigned k = 0; k < 5; k++) {
         struct arena *arena = arena_create(NULL);
         struct gpc_literals literals = { .base = 64 };
         const double start = now_us();
         words = gpc_schedule_block(arena, &block, &literals, 0, 0, 1).count;
         best = fmin(best, now_us() - start);
         util_dynarray_fini(&literals.list);
         arena_destroy(arena);
      }
      printf("%8u %8u %10.0f %14.1f\n", n, words, best,
             1000 * best / (n * log2(n)));
   }
   free(m);
   return 0;
}

int
main(int argc, char **argv)
{
   if (argc == 3 && !strcmp(argv[1], "optimality"))
      return optimality((unsigned)strtoul(argv[2], NULL, 10));
   if (argc == 3 && !strcmp(argv[1], "limits"))
      return limits((unsigned)strtoul(argv[2], NULL, 10));
   if (argc == 2 && !strcmp(argv[1], "time"))
      return times();
   fprintf(stderr, "usage: gp_bench optimality COUNT | limits COUNT | "
                   "time\n");
   return 2;
}
