/* SPDX-License-Identifier: MIT */
/*
 * The next task while a schedule is made: the one after which the others are
 * least urgent. How urgent a task is grows steeply as the words that it has
 * left get fewer: those to the last word in which it may begin, from the
 * first in which its operands are there, and from the one in which the
 * machine is free for it if the tasks go by their last words.
 */
#include <math.h>

#include "gp_tasks.h"

enum wants { WANTS_NOTHING, WANTS_MUL, WANTS_MULS, WANTS_PASS };

/* An operation as far as tasks are concerned. */
struct gpc_priority_node {
   uint8_t wants; /* what tables may have claimed */
   uint8_t lead;
   int32_t task; /* -1: none */
};

static uint8_t
wants_of(const struct gpc_node *n)
{
   switch (gpc_info(n)->cls) {
   case GPC_CLASS_MUL: return WANTS_MUL;
   case GPC_CLASS_SELECT: return WANTS_MULS;
   case GPC_CLASS_PASS: return WANTS_PASS;
   default: return n->op == GPC_OP_EXP2 ? WANTS_PASS : WANTS_NOTHING;
   }
}

static void
sort_by_latest(struct gpc_priority *g)
{
   const int32_t *latest = g->tasks->latest;

   for (unsigned i = 0; i < g->tasks->count; i++) {
      unsigned k = i;
      for (; k && latest[g->by_latest[k - 1]] > latest[i]; k--)
         g->by_latest[k] = g->by_latest[k - 1];
      g->by_latest[k] = i;
   }
}

struct gpc_priority *
gpc_make_priority(struct arena *arena, const struct gpc_block *block,
                  const struct gpc_tasks *tasks)
{
   struct gpc_priority *g = arena_new(arena, struct gpc_priority);
   const unsigned n = tasks->count;

   *g = (struct gpc_priority) {
      .tasks = tasks,
      .nodes = arena_new_array(arena, struct gpc_priority_node, block->count),
      .by_latest = arena_new_array(arena, uint32_t, n),
      .left = arena_new_array(arena, uint32_t, block->count),
      .waits_for = arena_new_array(arena, uint32_t, n),
      .placed = arena_new_array(arena, bool, n),
      .node_at = arena_new_array(arena, int32_t, block->count),
      .begin = arena_new_array(arena, int32_t, n),
      .first_begin = arena_new_array(arena, int32_t, n),
   };
   for (uint32_t i = 0; i < block->count; i++)
      g->nodes[i] = (struct gpc_priority_node) {
         .wants = wants_of(&block->nodes[i]),
         .lead = block->nodes[i].op == GPC_OP_EXP2,
         .task = -1,
      };
   for (unsigned i = 0; i < n; i++)
      g->nodes[tasks->node[i]].task = (int32_t)i;
   sort_by_latest(g);
   return g;
}

void
gpc_reset_priority(struct gpc_priority *g, const struct gpc_taste *taste)
{
   const unsigned n = g->tasks->count;

   g->taste = *taste;
   /* What is far too late may cost infinitely much. */
   for (int i = 0; i < 2 * GP_MAX_INSTRS; i++)
      g->cost[i] = expf(taste->steepness * (float)(GP_MAX_INSTRS - i));
   memcpy(g->waits_for, g->tasks->predecessors, n * sizeof(*g->waits_for));
   memset(g->placed, 0, n * sizeof(*g->placed));
}

void
gpc_note_table(struct gpc_priority *g, uint32_t node)
{
   const struct gpc_tasks *j = g->tasks;
   const uint32_t task = (uint32_t)g->nodes[node].task;

   g->placed[task] = true;
   for (uint32_t e = j->first_successor[task];
        e < j->first_successor[task + 1]; e++)
      g->waits_for[j->successors[e].to]--;
}

/* ---- what a choice leads to ---- */

/* A pair that is not placed yet. */
struct pair {
   int32_t task; /* -1: none */
   int begin;
   bool is_log2;
};

static bool
is_claimed(const struct gpc_sched *s, unsigned wants, int t,
           const struct pair *pair)
{
   const unsigned muls = 1u << GP_UNIT_MUL0 | 1u << GP_UNIT_MUL1;
   const unsigned busy = t < (int)s->num_words ? s->words[t].busy : 0;

   switch (wants) {
   case WANTS_MUL: return (busy & muls) == muls || t == pair->begin + 1;
   case WANTS_MULS:
      return busy & muls || t == pair->begin || t == pair->begin + 1;
   case WANTS_PASS:
      return busy & 1u << GP_UNIT_PASS ||
             (pair->is_log2 && t == pair->begin + 3);
   }
   return false;
}

/* When what is not placed may go if there is no want of other units; all
 * tasks but the pair's go from word `free` on. */
static void
estimate(const struct gpc_sched *s, struct gpc_priority *g,
         const struct pair *pair, int free)
{
   for (unsigned k = 0; k < g->num_left; k++) {
      const uint32_t i = g->left[k];
      const struct gpc_priority_node *n = &g->nodes[i];
      int at = MAX2(MAX2(g->node_at[i], s->ready_at[i]), s->now);

      g->node_at[i] = 0;
      if (n->task >= 0 && n->task == pair->task)
         at = pair->begin - n->lead;
      else if (n->task >= 0)
         at = MAX2(at, free - n->lead);
      if (n->task < 0 || n->task != pair->task) {
         while (is_claimed(s, n->wants, at, pair))
            at++;
      }
      if (n->task >= 0)
         g->begin[n->task] = at + n->lead;
      for (uint32_t e = s->first_edge[i]; e < s->first_edge[i + 1]; e++) {
         int32_t *to = &g->node_at[s->edges[e].to];
         *to = MAX2(*to, at + (int)s->edges[e].distance);
      }
   }
}

static float
cost_of(const struct gpc_priority *g, int left)
{
   return g->cost[CLAMP(left + GP_MAX_INSTRS, 0, 2 * GP_MAX_INSTRS - 1)];
}

/* How urgent the other tasks are if a pair is placed so. */
static float
urgency_after(const struct gpc_sched *s, struct gpc_priority *g,
              const struct pair *pair)
{
   const struct gpc_tasks *j = g->tasks;
   int free = pair->begin + GPC_PAIR;
   float sum = 0;

   estimate(s, g, pair, free);
   for (unsigned i = 0; i < j->count; i++) {
      const uint32_t other = g->by_latest[i];
      if (g->placed[other] || other == (uint32_t)pair->task)
         continue;
      sum += cost_of(g, j->latest[other] - g->begin[other]) +
             g->taste.weight * cost_of(g, j->latest[other] - free);
      free += GPC_PAIR;
   }
   return sum;
}

/* ---- the choice ---- */

static bool
is_busy(const struct gpc_sched *s, int t)
{
   return s->words[t].busy & 1u << GP_UNIT_MUL0;
}

/* Operations that are not placed, in their order. */
static void
list_rest(const struct gpc_sched *s, struct gpc_priority *g)
{
   g->num_left = 0;
   for (uint32_t i = 0; i < s->block->count; i++) {
      if (!s->placed[i])
         g->left[g->num_left++] = i;
   }
}

/* The best task that may be next on the machine; -1: none. */
static int32_t
choose_task(const struct gpc_sched *s, struct gpc_priority *g, int free)
{
   const struct pair none = { .task = -1, .begin = -GPC_LOOKAHEAD };
   const struct gpc_tasks *j = g->tasks;
   float least = INFINITY;
   int32_t best = -1, end = INT32_MAX;

   list_rest(s, g);
   estimate(s, g, &none, free);
   memcpy(g->first_begin, g->begin, j->count * sizeof(*g->begin));
   for (unsigned i = 0; i < j->count; i++) {
      if (!g->placed[i] && !g->waits_for[i])
         end = MIN2(end, g->first_begin[i] + GPC_PAIR);
   }
   for (unsigned i = 0; i < j->count; i++) {
      if (g->placed[i] || g->waits_for[i] ||
          g->first_begin[i] >= end + g->taste.patience)
         continue;
      const struct pair pair = {
         (int32_t)i,
         g->first_begin[i],
         s->block->nodes[j->node[i]].op == GPC_OP_LOG2,
      };
      const float sum = urgency_after(s, g, &pair);
      if (best < 0 || sum < least) {
         least = sum;
         best = (int32_t)i;
      }
   }
   return best;
}

uint32_t
gpc_choose_table(const struct gpc_sched *s)
{
   struct gpc_priority *g = s->chooser;
   int free = s->now;

   while (is_busy(s, free) || is_busy(s, free + 1))
      free++;
   if (free > s->now + 1)
      return 0;
   const int32_t best = choose_task(s, g, free);
   if (best < 0)
      return 0;
   const uint32_t node = g->tasks->node[best];
   if (g->first_begin[best] - g->nodes[node].lead > s->now ||
       s->waits_for[node] || s->ready_at[node] > s->now)
      return 0;
   return 1 + node;
}

static unsigned
units_of(const struct gpc_node *n)
{
   switch (gpc_info(n)->cls) {
   case GPC_CLASS_MUL: return 1u << GP_UNIT_MUL1;
   case GPC_CLASS_PASS: return 1u << GP_UNIT_PASS;
   case GPC_CLASS_ADD:
      /* Moves are additions. */
      return gpc_info(n)->opcode == GP_ADD_OP_ADD
                ? 0
                : 1u << GP_UNIT_ADD0 | 1u << GP_UNIT_ADD1;
   default: return n->op == GPC_OP_EXP2 ? 1u << GP_UNIT_PASS : 0;
   }
}

static float
highest_priority(const struct gpc_sched *s, const struct util_dynarray *list)
{
   float most = -INFINITY;

   util_dynarray_foreach(list, uint32_t, node) {
      if (!s->placed[*node])
         most = MAX2(most, s->priority[*node]);
   }
   return most;
}

unsigned
gpc_wanted_units(const struct gpc_sched *s)
{
   const struct util_dynarray *const lists[] = { &s->heap, &s->failed };
   unsigned units = s->chosen ? units_of(&s->block->nodes[s->chosen - 1]) : 0;

   const float urgent =
      MAX2(highest_priority(s, lists[0]), highest_priority(s, lists[1]));
   for (unsigned i = 0; i < ARRAY_SIZE(lists); i++) {
      util_dynarray_foreach(lists[i], uint32_t, node) {
         if (!s->placed[*node] && s->priority[*node] >= urgent - 1)
            units |= units_of(&s->block->nodes[*node]);
      }
   }
   return units;
}
