/* SPDX-License-Identifier: MIT */
/*
 * A chain of tasks that follow each other, and the others in the stretches
 * between: a stretch of n words has room for n / 2 of them. What each
 * stretch loses if its words are odd, or must be made longer by, is counted
 * exactly: for each task of the chain and each number of others that have
 * gone before it, the first word in which it may begin. How many may have
 * gone before is limited by the words in which they may begin and by what
 * follows from what. Which of them have gone is left open, so that no order
 * is shorter.
 */
#include "gp_tasks.h"

#define NEVER INT16_MAX

struct chain {
   struct gpc_tasks *tasks;
   uint32_t *task; /* from the first to the last */
   unsigned count, others;
   int begin, end; /* of all tasks' pairs: no word outside is of use */
   bool *has;      /* by task */
   bool changed;
   /* For the next task of the chain, by its word: how many others have to be
    * before it, and how many can be. */
   int least[GP_MAX_INSTRS + 1], most[GP_MAX_INSTRS + 1];
   /* By number of others before the chain's last task: its first word. */
   int16_t *first, *next;
};

static int
to_even(int words)
{
   return words + words % 2;
}

/* The chain of the largest sum of words, each stretch's being even, and of
 * `bonus` for each task. */
static void
choose_chain(struct arena *arena, struct chain *c, int bonus)
{
   const struct gpc_tasks *j = c->tasks;
   int32_t *value = arena_new_array(arena, int32_t, j->count);
   int32_t *before = arena_new_array(arena, int32_t, j->count);
   int32_t most = -1, last = -1;

   c->begin = INT32_MAX;
   for (unsigned b = 0; b < j->count; b++) {
      c->begin = MIN2(c->begin, j->earliest[b]);
      c->end = MAX2(c->end, j->latest[b] + GPC_PAIR);
   }
   for (unsigned b = 0; b < j->count; b++) {
      value[b] = to_even(j->earliest[b]);
      before[b] = -1;
      for (unsigned a = 0; a < b; a++) {
         const int16_t d = j->distance[a * j->count + b];
         const int words = bonus + d +
                           (d % 2 || j->is_blocked[a * j->count + b]);
         if (d && value[a] + words > value[b]) {
            value[b] = value[a] + words;
            before[b] = (int32_t)a;
         }
      }
      const int32_t all = value[b] + to_even(j->limit - j->latest[b]);
      if (all > most) {
         most = all;
         last = (int32_t)b;
      }
   }
   for (int32_t b = last; b >= 0; b = before[b]) {
      c->has[b] = true;
      c->count++;
   }
   unsigned i = c->count;
   for (int32_t b = last; b >= 0; b = before[b])
      c->task[--i] = (uint32_t)b;
   c->others = j->count - c->count;
}

/* How many others are before task b of the chain, by its word. */
static void
count_others(struct chain *c, uint32_t b)
{
   const struct gpc_tasks *j = c->tasks;

   memset(c->least, 0, sizeof(c->least));
   memset(c->most, 0, sizeof(c->most));
   for (unsigned a = 0; a < j->count; a++) {
      if (c->has[a])
         continue;
      if (j->distance[a * j->count + b])
         c->least[0]++;
      else
         c->least[MIN2(j->latest[a] + 1, GP_MAX_INSTRS)]++;
      if (!j->distance[b * j->count + a])
         c->most[MIN2(j->earliest[a] + GPC_PAIR, GP_MAX_INSTRS)]++;
   }
   for (unsigned t = 1; t <= GP_MAX_INSTRS; t++) {
      c->least[t] += c->least[t - 1];
      c->most[t] += c->most[t - 1];
   }
}

/* From one task of the chain, or the begin of the block, to the next. */
static bool
go_on(struct chain *c, unsigned index)
{
   struct gpc_tasks *j = c->tasks;
   const uint32_t b = c->task[index];
   const int distance = index ? j->distance[c->task[index - 1] * j->count + b]
                              : 0;
   const bool is_blocked = index &&
                           j->is_blocked[c->task[index - 1] * j->count + b];
   const unsigned origins = index ? c->others : 0;
   int first = NEVER;

   count_others(c, b);
   for (unsigned n = 0; n <= c->others; n++)
      c->next[n] = NEVER;
   for (unsigned from = 0; from <= origins; from++) {
      if (index && c->first[from] == NEVER)
         continue;
      const int begin = index ? c->first[from] : c->begin - GPC_PAIR;
      const int least = MAX2(begin + distance, j->earliest[b]);
      for (unsigned n = from; n <= c->others; n++) {
         const int fill = GPC_PAIR * (int)(n - from + 1);
         const bool longer = is_blocked && fill == distance;
         const int t = MAX2(least, begin + fill + longer);
         if (t > j->latest[b])
            break;
         c->next[n] = MIN2(c->next[n], (int16_t)t);
      }
   }
   for (unsigned n = 0; n <= c->others; n++) {
      int t = c->next[n];
      while (t <= j->latest[b] && c->most[t] < (int)n)
         t++;
      c->next[n] = t > j->latest[b] || c->least[t] > (int)n ? NEVER
                                                            : (int16_t)t;
      first = MIN2(first, c->next[n]);
   }
   if (first != NEVER && first > j->earliest[b]) {
      j->earliest[b] = first;
      c->changed = true;
   }
   int16_t *const old = c->first;
   c->first = c->next;
   c->next = old;
   return first != NEVER;
}

bool
gpc_raise_along_chain(struct arena *arena, struct gpc_tasks *tasks, int bonus,
                      bool *changed)
{
   struct chain c = {
      .tasks = tasks,
      .task = arena_new_array(arena, uint32_t, tasks->count),
      .has = arena_new_array(arena, bool, tasks->count),
      .first = arena_new_array(arena, int16_t, tasks->count + 1),
      .next = arena_new_array(arena, int16_t, tasks->count + 1),
   };

   if (!tasks->count)
      return true;
   choose_chain(arena, &c, bonus);
   for (unsigned i = 0; i < c.count; i++) {
      if (!go_on(&c, i))
         return false;
   }
   *changed |= c.changed;
   for (unsigned n = 0; n <= c.others; n++) {
      if (c.first[n] != NEVER &&
          c.first[n] + GPC_PAIR * (int)(c.others - n + 1) <= c.end)
         return true;
   }
   return false;
}
