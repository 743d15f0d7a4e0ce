/* SPDX-License-Identifier: MIT */
/*
 * When the pairs of table functions may begin. Four things make that
 * narrower than the longest paths do, each from both ends of the block:
 *
 * - What comes before a pair needs the machine, too. If it may be broken off
 *   at any word, the best order takes at each word what has the longest way
 *   to the pair (Jackson); so much time at least goes by.
 * - Pairs have two words. If those that cannot begin before word t have to
 *   begin in t exactly to be ready in time, none begins in t - 1 (Garey,
 *   Johnson, Simons, Tarjan: forbidden regions).
 * - If one pair would make another too late by going first, it goes second.
 * - Long chains lose words between their pairs: gp_chain.c.
 *
 * At last, operations of the adders that have one word only are put there,
 * and the others have to find one beside them.
 */
#include "gp_tasks.h"

/* Rounds after which narrowing ends. */
#define MAX_ROUNDS 20

struct waiting {
   int32_t words; /* still to go on the machine */
   int32_t tail;  /* words after it */
};

struct ends {
   struct gpc_tasks forward, backward;
   uint32_t *by_start; /* scratch */
   struct waiting *heap;
   bool changed;
};

/* ---- tasks and their distances ---- */

static bool
is_table(const struct gpc_block *block, uint32_t i)
{
   return gpc_info(&block->nodes[i])->cls == GPC_CLASS_TABLE;
}

/* From the first word of an operation to that of its pair. */
static int
lead_of(const struct gpc_block *block, uint32_t i)
{
   return block->nodes[i].op == GPC_OP_EXP2;
}

struct way {
   int32_t words; /* -1: none */
   bool is_blocked;
};

/* Whether pairs that fill the words after a pair leave no room for `i` in
 * the n-th of these words: they take both multipliers in each second one. */
static bool
is_blocked(const struct gpc_block *block, uint32_t i, int n)
{
   const enum gpc_class cls = gpc_info(&block->nodes[i])->cls;

   return cls == GPC_CLASS_SELECT || (cls == GPC_CLASS_MUL && n % 2);
}

static void
extend_way(struct way *to, const struct way *from, int words)
{
   if (from->words + words > to->words)
      *to = (struct way) { from->words + words, from->is_blocked };
   else if (from->words + words == to->words)
      to->is_blocked |= from->is_blocked;
}

/* Longest ways from one task to all that follow. */
static void
measure_from(const struct gpc_block *block, const struct gpc_graph *g,
             struct gpc_tasks *tasks, unsigned from, struct way *way)
{
   const uint32_t first = tasks->node[from];
   const int lead = lead_of(block, first);
   unsigned task = from;

   for (uint32_t i = first; i < block->count; i++)
      way[i] = (struct way) { -1, false };
   way[first].words = 0;
   for (uint32_t i = first; i < block->count; i++) {
      struct way *w = &way[i];
      const bool is_job = is_table(block, i);
      task += is_job;
      if (w->words < 0)
         continue;
      if (i != first)
         w->is_blocked |= is_blocked(block, i, w->words - lead - GPC_PAIR);
      if (i != first && is_job) {
         const unsigned index = from * tasks->count + task - 1;
         tasks->distance[index] =
            (int16_t)(w->words - lead + lead_of(block, i));
         tasks->is_blocked[index] = w->is_blocked;
      }
      for (uint32_t e = g->first_edge[i]; e < g->first_edge[i + 1]; e++)
         extend_way(&way[g->edges[e].to], w, (int)g->edges[e].distance);
   }
}

static void
find_jobs(struct arena *arena, const struct gpc_block *block,
          const struct gpc_graph *g, struct gpc_tasks *tasks)
{
   int32_t *head = arena_new_array(arena, int32_t, block->count);
   struct way *way = arena_new_array(arena, struct way, block->count);
   unsigned n = 0;

   for (uint32_t i = 0; i < block->count; i++) {
      for (uint32_t e = g->first_edge[i]; e < g->first_edge[i + 1]; e++) {
         int32_t *h = &head[g->edges[e].to];
         *h = MAX2(*h, head[i] + (int32_t)g->edges[e].distance);
      }
      if (!is_table(block, i))
         continue;
      tasks->node[n] = i;
      tasks->earliest[n] = head[i] + lead_of(block, i);
      tasks->latest[n] = tasks->limit - (int32_t)g->height[i] +
                         lead_of(block, i);
      n++;
   }
   for (unsigned a = 0; a < n; a++)
      measure_from(block, g, tasks, a, way);
}

static void
allocate(struct arena *arena, unsigned n, int limit, struct gpc_tasks *tasks)
{
   *tasks = (struct gpc_tasks) {
      .count = n,
      .limit = limit,
      .node = arena_new_array(arena, uint32_t, n),
      .earliest = arena_new_array(arena, int32_t, n),
      .latest = arena_new_array(arena, int32_t, n),
      .distance = arena_new_array(arena, int16_t, n * n),
      .is_blocked = arena_new_array(arena, bool, n *n),
      .first_successor = arena_new_array(arena, uint32_t, n + 1),
      .predecessors = arena_new_array(arena, uint32_t, n),
   };
}

static bool
follows_from_others(const struct gpc_tasks *j, unsigned a, unsigned b)
{
   const int16_t *from = &j->distance[a * j->count];

   for (unsigned k = a + 1; k < b; k++) {
      const int16_t rest = j->distance[k * j->count + b];
      if (from[k] && rest && from[k] + rest >= from[b])
         return true;
   }
   return false;
}

static void
list_successors(struct arena *arena, struct gpc_tasks *j)
{
   const unsigned n = j->count;
   uint32_t num = 0;

   for (unsigned a = 0; a < n * n; a++)
      num += j->distance[a] != 0;
   j->successors = arena_new_array(arena, struct gpc_successor, num);
   num = 0;
   for (unsigned a = 0; a < n; a++) {
      j->first_successor[a] = num;
      for (unsigned b = a + 1; b < n; b++) {
         if (!j->distance[a * n + b] || follows_from_others(j, a, b))
            continue;
         j->successors[num++] =
            (struct gpc_successor) { b, j->distance[a * n + b] };
         j->predecessors[b]++;
      }
   }
   j->first_successor[n] = num;
}

/* ---- narrowing ---- */

static void
set_max(struct ends *e, int32_t *to, int32_t value)
{
   if (value <= *to)
      return;
   *to = value;
   e->changed = true;
}

/* The same tasks from the other end. */
static void
mirror_times(const struct gpc_tasks *from, struct gpc_tasks *to)
{
   const unsigned n = from->count;

   for (unsigned i = 0; i < n; i++) {
      to->earliest[n - 1 - i] = from->limit - GPC_PAIR - from->latest[i];
      to->latest[n - 1 - i] = from->limit - GPC_PAIR - from->earliest[i];
   }
}

static void
mirror_distances(const struct gpc_tasks *from, struct gpc_tasks *to)
{
   const unsigned n = from->count;

   for (unsigned a = 0; a < n; a++) {
      to->node[n - 1 - a] = from->node[a];
      for (unsigned b = 0; b < n; b++) {
         const unsigned mirrored = (n - 1 - b) * n + n - 1 - a;
         to->distance[mirrored] = from->distance[a * n + b];
         to->is_blocked[mirrored] = from->is_blocked[a * n + b];
      }
   }
}

static void
heap_add(struct waiting *heap, unsigned n, struct waiting w)
{
   for (; n && heap[(n - 1) / 2].tail < w.tail; n = (n - 1) / 2)
      heap[n] = heap[(n - 1) / 2];
   heap[n] = w;
}

static void
heap_remove(struct waiting *heap, unsigned n)
{
   const struct waiting last = heap[n - 1];
   unsigned i = 0;

   for (unsigned c; (c = 2 * i + 1) < n - 1; i = c) {
      c += c + 1 < n - 1 && heap[c + 1].tail > heap[c].tail;
      if (heap[c].tail <= last.tail)
         break;
      heap[i] = heap[c];
   }
   heap[i] = last;
}

/* When task b may begin at the earliest, because of all that comes before;
 * by_start: the tasks before b by their earliest words. */
static int32_t
time_of_predecessors(struct ends *e, const struct gpc_tasks *j, unsigned b)
{
   struct waiting *heap = e->heap;
   unsigned waiting = 0;
   int32_t t = 0, end = 0;

   for (unsigned i = 0; i < b || waiting;) {
      const uint32_t a = i < b ? e->by_start[i] : 0;
      const int32_t next = i < b ? j->earliest[a] : INT32_MAX;
      if (i < b && !j->distance[a * j->count + b]) {
         i++;
      } else if (next <= t || !waiting) {
         t = MAX2(t, next);
         heap_add(heap, waiting++,
                  (struct waiting) { GPC_PAIR, j->distance[a * j->count + b] -
                                                  GPC_PAIR });
         i++;
      } else {
         const int32_t run = MIN2(heap[0].words, next - t);
         t += run;
         heap[0].words -= run;
         if (!heap[0].words) {
            end = MAX2(end, t + heap[0].tail);
            heap_remove(heap, waiting--);
         }
      }
   }
   return end;
}

static void
raise_by_predecessors(struct ends *e, struct gpc_tasks *j)
{
   for (unsigned b = 0; b < j->count; b++) {
      unsigned i = b;
      set_max(e, &j->earliest[b], time_of_predecessors(e, j, b));
      for (; i && j->earliest[e->by_start[i - 1]] > j->earliest[b]; i--)
         e->by_start[i] = e->by_start[i - 1];
      e->by_start[i] = b;
   }
}

/* The words by which the pairs that are due by then have to begin, as more
 * and more of them are put in front of it: by the last word. */
static void
add_before(int32_t *begin, const bool *forbidden, int limit, int32_t latest,
           int32_t *least)
{
   for (int32_t due = latest + GPC_PAIR; due <= limit; due++) {
      begin[due] = MIN2(begin[due], due) - GPC_PAIR;
      while (begin[due] >= 0 && forbidden[begin[due]])
         begin[due]--;
      *least = MIN2(*least, begin[due]);
   }
}

/* Words in which no pair begins; false: there is no room for all. By_start
 * is sorted. */
static bool
skip_forbidden(struct ends *e, struct gpc_tasks *j)
{
   bool forbidden[GP_MAX_INSTRS + 1] = { false };
   int32_t begin[GP_MAX_INSTRS + 1];
   int32_t least = j->limit;

   memset(begin, 0x7f, sizeof(begin));
   for (unsigned i = j->count; i-- > 0;) {
      const uint32_t a = e->by_start[i];
      const int32_t t = j->earliest[a];
      add_before(begin, forbidden, j->limit, j->latest[a], &least);
      if (i && j->earliest[e->by_start[i - 1]] == t)
         continue;
      if (least < t)
         return false;
      if (least == t && t)
         forbidden[t - 1] = true;
   }
   for (unsigned i = 0; i < j->count; i++) {
      while (forbidden[j->earliest[i]])
         set_max(e, &j->earliest[i], j->earliest[i] + 1);
   }
   return true;
}

/* A pair that cannot be before another one is after it. */
static void
raise_after(struct ends *e, struct gpc_tasks *j)
{
   for (unsigned a = 0; a < j->count; a++) {
      for (unsigned b = 0; b < j->count; b++) {
         if (a != b && j->earliest[a] + GPC_PAIR > j->latest[b])
            set_max(e, &j->earliest[a], j->earliest[b] + GPC_PAIR);
      }
   }
}

static bool
is_possible(const struct gpc_tasks *j)
{
   for (unsigned i = 0; i < j->count; i++) {
      if (j->earliest[i] > j->latest[i])
         return false;
   }
   return true;
}

static bool
narrow(struct arena *arena, struct ends *e, struct gpc_tasks *j)
{
   raise_by_predecessors(e, j);
   if (!is_possible(j) || !skip_forbidden(e, j))
      return false;
   raise_after(e, j);
   return is_possible(j) && gpc_raise_along_chain(arena, j, 0, &e->changed) &&
          gpc_raise_along_chain(arena, j, 1, &e->changed);
}

/* ---- adders ---- */

struct adders {
   int8_t opcode[GP_MAX_INSTRS + 1]; /* -1: any */
   uint8_t count[GP_MAX_INSTRS + 1];
};

void
gpc_find_latest(const struct gpc_block *block, const struct gpc_graph *g,
                const struct gpc_tasks *j, int32_t *latest)
{
   unsigned task = j->count;

   for (uint32_t i = block->count; i-- > 0;) {
      latest[i] = j->limit - (int32_t)g->height[i];
      if (is_table(block, i)) {
         task--;
         latest[i] = MIN2(latest[i], j->latest[task] - lead_of(block, i));
      }
      for (uint32_t e = g->first_edge[i]; e < g->first_edge[i + 1]; e++) {
         const int32_t to = latest[g->edges[e].to];
         latest[i] = MIN2(latest[i], to - (int32_t)g->edges[e].distance);
      }
   }
}

/* The words of operations, as tasks leave them. */
static void
find_windows(const struct gpc_block *block, const struct gpc_graph *g,
             const struct gpc_tasks *j, int32_t *first, int32_t *last)
{
   unsigned task = 0;

   for (uint32_t i = 0; i < block->count; i++) {
      if (is_table(block, i)) {
         first[i] = MAX2(first[i], j->earliest[task] - lead_of(block, i));
         task++;
      }
      for (uint32_t e = g->first_edge[i]; e < g->first_edge[i + 1]; e++) {
         int32_t *to = &first[g->edges[e].to];
         *to = MAX2(*to, first[i] + (int32_t)g->edges[e].distance);
      }
   }
   gpc_find_latest(block, g, j, last);
}

static bool
fits(const struct adders *a, int t, unsigned opcode)
{
   return a->opcode[t] < 0 ||
          (a->opcode[t] == (int)opcode && a->count[t] < 2);
}

/* Whether each operation of the adders has a word among those that have one
 * choice only: both adders do the same. */
static bool
adders_suffice(struct arena *arena, const struct gpc_block *block,
               const struct gpc_graph *g, const struct gpc_tasks *j)
{
   int32_t *first = arena_new_array(arena, int32_t, block->count);
   int32_t *last = arena_new_array(arena, int32_t, block->count);
   struct adders *a = arena_new(arena, struct adders);

   memset(a->opcode, 0xff, sizeof(a->opcode));
   find_windows(block, g, j, first, last);
   for (unsigned pass = 0; pass < 2; pass++) {
      for (uint32_t i = 0; i < block->count; i++) {
         const unsigned opcode = gpc_info(&block->nodes[i])->opcode;
         int t = first[i];
         if (first[i] > last[i])
            return false;
         if (gpc_info(&block->nodes[i])->cls != GPC_CLASS_ADD ||
             (first[i] == last[i]) == pass)
            continue;
         while (t <= last[i] && !fits(a, t, opcode))
            t++;
         if (t > last[i])
            return false;
         if (pass == 0) {
            a->opcode[t] = (int8_t)opcode;
            a->count[t]++;
         }
      }
   }
   return true;
}

bool
gpc_make_jobs(struct arena *arena, const struct gpc_block *block,
              const struct gpc_graph *graph, int limit,
              struct gpc_tasks *tasks)
{
   struct ends e = { 0 };
   unsigned n = 0;

   assert(limit <= GP_MAX_INSTRS);
   for (uint32_t i = 0; i < block->count; i++) {
      n += is_table(block, i);
      if ((int)graph->height[i] > limit)
         return false;
   }
   if ((int)n * GPC_PAIR > limit)
      return false;
   allocate(arena, n, limit, &e.forward);
   allocate(arena, n, limit, &e.backward);
   e.by_start = arena_new_array(arena, uint32_t, n);
   e.heap = arena_new_array(arena, struct waiting, n);
   find_jobs(arena, block, graph, &e.forward);
   mirror_distances(&e.forward, &e.backward);
   e.changed = true;
   for (unsigned i = 0; e.changed && i < MAX_ROUNDS; i++) {
      e.changed = false;
      if (!narrow(arena, &e, &e.forward))
         return false;
      mirror_times(&e.forward, &e.backward);
      if (!narrow(arena, &e, &e.backward))
         return false;
      mirror_times(&e.backward, &e.forward);
   }
   if (!adders_suffice(arena, block, graph, &e.forward))
      return false;
   list_successors(arena, &e.forward);
   *tasks = e.forward;
   return true;
}
