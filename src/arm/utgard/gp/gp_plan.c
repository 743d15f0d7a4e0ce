/* SPDX-License-Identifier: MIT */
/*
 * A plan: the word of each operation of a block that has to fit in a given
 * number of words, searched for depth first. Each step puts one table on the
 * machine, multiplier 0, the most urgent first of those that leave no word
 * of it idle; then all others are where they can be at the earliest. If one
 * of these is late, or tables do not fit in front of the words that they are
 * due in, the step was wrong, and another one is tried.
 *
 * Units are counted, but no ports and no moves: what the scheduler makes of
 * a plan may be longer.
 */
#include <limits.h>

#include "gp_tasks.h"

/* Words by which a table may begin past the end of the one that ends
 * first if that goes instead. */
#define PATIENCE 4
/* States that are known to be of no use, of which some are forgotten. */
#define SEEN_SIZE 4096
/* Words in which something may be claimed. */
#define CLAIM_WORDS (2 * GP_MAX_INSTRS)

enum {
   CLAIM_MUL0 = 1 << 0,
   CLAIM_MUL1 = 1 << 1,
   CLAIM_PASS = 1 << 2,
   CLAIM_ADDER = 1 << 3, /* both adders then have one opcode */
   CLAIM_ADDERS = 1 << 4,
};

struct state {
   int32_t
      *at; /* word of an operation; the first it may have if not placed */
   bool *placed;
   uint32_t *waits_for;       /* of tables: others that are not placed */
   uint8_t *claimed, *add_op; /* by word */
   int free;                  /* the machine's first idle word */
};

struct choice {
   uint32_t task;
   int begin; /* of the pair */
   int idle;  /* words by which it is too late to leave none */
};

struct planner {
   const struct gpc_block *block;
   const struct gpc_graph *graph;
   const struct gpc_tasks *tasks;
   struct arena *arena;
   int32_t *latest;     /* word of an operation */
   uint32_t *by_latest; /* tables */
   /* The operations from which one follows, as ranges of `before`. */
   uint32_t *first_before, *before;
   struct state *states; /* by number of tables placed */
   struct choice *choices;
   uint64_t *seen;
   long budget; /* steps */
};

/* ---- the graph ---- */

static bool
is_table(const struct planner *p, uint32_t i)
{
   return gpc_info(&p->block->nodes[i])->cls == GPC_CLASS_TABLE;
}

/* Words from an operation's first to that of its pair. */
static int
lead_of(const struct planner *p, uint32_t i)
{
   return p->block->nodes[i].op == GPC_OP_EXP2;
}

static void
list_before(struct planner *p)
{
   const struct gpc_graph *g = p->graph;
   const uint32_t n = p->block->count, edges = g->first_edge[n];

   p->first_before = arena_new_array(p->arena, uint32_t, n + 1);
   p->before = arena_new_array(p->arena, uint32_t, edges);
   for (uint32_t e = 0; e < edges; e++)
      p->first_before[g->edges[e].to]++;
   for (uint32_t i = 1; i <= n; i++)
      p->first_before[i] += p->first_before[i - 1];
   for (uint32_t i = n; i-- > 0;) {
      for (uint32_t e = g->first_edge[i]; e < g->first_edge[i + 1]; e++)
         p->before[--p->first_before[g->edges[e].to]] = i;
   }
}

static int32_t
latest_pair(const struct planner *p, uint32_t table)
{
   return p->latest[table] + lead_of(p, table);
}

static void
sort_tables(struct planner *p)
{
   const struct gpc_tasks *tasks = p->tasks;

   p->by_latest = arena_new_array(p->arena, uint32_t, tasks->count);
   for (unsigned i = 0; i < tasks->count; i++) {
      const int32_t latest = latest_pair(p, tasks->node[i]);
      unsigned k = i;
      for (; k && latest_pair(p, p->by_latest[k - 1]) > latest; k--)
         p->by_latest[k] = p->by_latest[k - 1];
      p->by_latest[k] = tasks->node[i];
   }
}

/* ---- units ---- */

static bool
adder_is_free(const struct state *s, int t, unsigned opcode)
{
   return !(s->claimed[t] & CLAIM_ADDERS) &&
          (!(s->claimed[t] & CLAIM_ADDER) || s->add_op[t] == opcode);
}

/* Whether an operation that is no table finds a unit. */
static bool
fits(const struct state *s, const struct gpc_node *n, int t)
{
   const unsigned muls = CLAIM_MUL0 | CLAIM_MUL1;

   switch (gpc_info(n)->cls) {
   case GPC_CLASS_MUL: return (s->claimed[t] & muls) != muls;
   case GPC_CLASS_SELECT: return !(s->claimed[t] & muls);
   case GPC_CLASS_ADD: return adder_is_free(s, t, gpc_info(n)->opcode);
   case GPC_CLASS_PASS: return !(s->claimed[t] & CLAIM_PASS);
   default: return true;
   }
}

static void
claim(struct state *s, const struct gpc_node *n, int t)
{
   uint8_t *c = &s->claimed[t];

   switch (gpc_info(n)->cls) {
   case GPC_CLASS_MUL: *c |= *c & CLAIM_MUL1 ? CLAIM_MUL0 : CLAIM_MUL1; break;
   case GPC_CLASS_SELECT: *c |= CLAIM_MUL0 | CLAIM_MUL1; break;
   case GPC_CLASS_ADD:
      *c |= *c & CLAIM_ADDER ? CLAIM_ADDERS : CLAIM_ADDER;
      s->add_op[t] = gpc_info(n)->opcode;
      break;
   case GPC_CLASS_PASS: *c |= CLAIM_PASS; break;
   default: break;
   }
}

static bool
table_fits(const struct state *s, const struct gpc_node *n, int begin)
{
   if (n->op == GPC_OP_EXP2 && s->claimed[begin - 1] & CLAIM_PASS)
      return false;
   if (n->op == GPC_OP_LOG2 && s->claimed[begin + 3] & CLAIM_PASS)
      return false;
   return !(s->claimed[begin] & CLAIM_MUL0) &&
          !(s->claimed[begin + 1] & (CLAIM_MUL0 | CLAIM_MUL1));
}

static void
claim_table(struct state *s, const struct gpc_node *n, int begin)
{
   s->claimed[begin] |= CLAIM_MUL0;
   s->claimed[begin + 1] |= CLAIM_MUL0 | CLAIM_MUL1;
   if (n->op == GPC_OP_EXP2)
      s->claimed[begin - 1] |= CLAIM_PASS;
   if (n->op == GPC_OP_LOG2)
      s->claimed[begin + 3] |= CLAIM_PASS;
   s->free = begin + GPC_PAIR;
}

/* ---- states ---- */

static struct state
new_state(struct planner *p)
{
   const uint32_t n = p->block->count;

   return (struct state) {
      .at = arena_new_array(p->arena, int32_t, n),
      .placed = arena_new_array(p->arena, bool, n),
      .waits_for = arena_new_array(p->arena, uint32_t, p->tasks->count),
      .claimed = arena_new_array(p->arena, uint8_t, CLAIM_WORDS),
      .add_op = arena_new_array(p->arena, uint8_t, CLAIM_WORDS),
   };
}

static void
copy_state(const struct planner *p, struct state *to,
           const struct state *from)
{
   const uint32_t n = p->block->count;

   memcpy(to->at, from->at, n * sizeof(*to->at));
   memcpy(to->placed, from->placed, n * sizeof(*to->placed));
   memcpy(to->waits_for, from->waits_for,
          p->tasks->count * sizeof(*to->waits_for));
   memcpy(to->claimed, from->claimed, CLAIM_WORDS);
   memcpy(to->add_op, from->add_op, CLAIM_WORDS);
   to->free = from->free;
}

static void
place(const struct planner *p, struct state *s, uint32_t node)
{
   const struct gpc_graph *g = p->graph;

   s->placed[node] = true;
   if (!is_table(p, node))
      claim(s, &p->block->nodes[node], s->at[node]);
   for (uint32_t e = g->first_edge[node]; e < g->first_edge[node + 1]; e++) {
      int32_t *to = &s->at[g->edges[e].to];
      *to = MAX2(*to, s->at[node] + (int32_t)g->edges[e].distance);
   }
}

/* Places all that a table follows from. */
static void
finalise_operands(const struct planner *p, struct state *s, uint32_t node)
{
   for (uint32_t e = p->first_before[node]; e < p->first_before[node + 1];
        e++) {
      const uint32_t i = p->before[e];
      if (s->placed[i])
         continue;
      finalise_operands(p, s, i);
      while (!fits(s, &p->block->nodes[i], s->at[i]))
         s->at[i]++;
      place(p, s, i);
   }
}

static bool
follows_placed(const struct planner *p, const struct state *s, uint32_t node)
{
   for (uint32_t e = p->first_before[node]; e < p->first_before[node + 1];
        e++) {
      if (!s->placed[p->before[e]])
         return false;
   }
   return true;
}

/* Whether tables can go in the order in which they are due. */
static bool
tables_are_in_time(const struct planner *p, const struct state *s)
{
   int32_t t = s->free;

   for (unsigned i = 0; i < p->tasks->count; i++) {
      const uint32_t table = p->by_latest[i];
      if (s->placed[table])
         continue;
      if (t > latest_pair(p, table))
         return false;
      t += GPC_PAIR;
   }
   return true;
}

/* Finds the earliest words; what comes before the machine's next idle word
 * and is no table is placed. False: something is late. */
static bool
update(const struct planner *p, struct state *s)
{
   const struct gpc_graph *g = p->graph;

   for (uint32_t i = 0; i < p->block->count; i++) {
      const struct gpc_node *n = &p->block->nodes[i];
      const int lead = lead_of(p, i);
      if (s->placed[i])
         continue;
      if (is_table(p, i)) {
         s->at[i] = MAX2(s->at[i], s->free - lead);
         while (s->at[i] <= p->latest[i] &&
                !table_fits(s, n, s->at[i] + lead))
            s->at[i]++;
      } else {
         while (s->at[i] <= p->latest[i] && !fits(s, n, s->at[i]))
            s->at[i]++;
      }
      if (s->at[i] > p->latest[i])
         return false;
      if (!is_table(p, i) && s->at[i] < s->free && follows_placed(p, s, i)) {
         place(p, s, i);
         continue;
      }
      for (uint32_t e = g->first_edge[i]; e < g->first_edge[i + 1]; e++) {
         int32_t *to = &s->at[g->edges[e].to];
         *to = MAX2(*to, s->at[i] + (int32_t)g->edges[e].distance);
      }
   }
   return tables_are_in_time(p, s);
}

/* Whether the state was not seen before; it is noted. */
static bool
is_new(const struct planner *p, const struct state *s)
{
   uint64_t h = (uint64_t)s->free;

   for (uint32_t i = 0; i < p->block->count; i++) {
      const int32_t at = s->placed[i] ? -1 : s->at[i];
      h = (h ^ (uint32_t)at) * 0x9e3779b97f4a7c15ull;
      h ^= h >> 29;
   }
   for (int t = MAX2(s->free - GPC_PAIR, 0); t < s->free + GPC_LOOKAHEAD; t++)
      h = (h ^ s->claimed[t]) * 0x9e3779b97f4a7c15ull;
   uint64_t *seen = &p->seen[(h >> 32) % SEEN_SIZE];
   if (*seen == h)
      return false;
   *seen = h;
   return true;
}

/* ---- the search ---- */

static bool
goes_before(const struct planner *p, const struct choice *a,
            const struct choice *b)
{
   if (a->idle != b->idle)
      return a->idle < b->idle;
   return latest_pair(p, p->tasks->node[a->task]) <
          latest_pair(p, p->tasks->node[b->task]);
}

/* The tables that may be next, the best first: those that leave no room for
 * a whole other one, by urgency, then those that leave least. */
static unsigned
list_choices(const struct planner *p, const struct state *s,
             struct choice *list)
{
   const struct gpc_tasks *tasks = p->tasks;
   int end = INT_MAX;
   unsigned n = 0;

   for (uint32_t i = 0; i < tasks->count; i++) {
      if (s->placed[tasks->node[i]] || s->waits_for[i])
         continue;
      const int begin = s->at[tasks->node[i]] + lead_of(p, tasks->node[i]);
      end = MIN2(end, begin + GPC_PAIR);
      list[n++] = (struct choice) { i, begin, 0 };
   }
   for (unsigned i = 0; i < n; i++) {
      struct choice c = list[i];
      unsigned k = i;
      c.idle = MAX2(c.begin - end + 1, 0);
      for (; k && goes_before(p, &c, &list[k - 1]); k--)
         list[k] = list[k - 1];
      list[k] = c;
   }
   while (n && list[n - 1].idle > PATIENCE)
      n--;
   return n;
}

/* Puts a table on the machine; false: that was wrong. */
static bool
take(const struct planner *p, struct state *s, uint32_t task)
{
   const struct gpc_tasks *tasks = p->tasks;
   const uint32_t node = tasks->node[task];
   const struct gpc_node *n = &p->block->nodes[node];
   const int lead = lead_of(p, node);

   finalise_operands(p, s, node);
   s->at[node] = MAX2(s->at[node], s->free - lead);
   while (s->at[node] <= p->latest[node] &&
          !table_fits(s, n, s->at[node] + lead))
      s->at[node]++;
   if (s->at[node] > p->latest[node])
      return false;
   claim_table(s, n, s->at[node] + lead);
   place(p, s, node);
   for (uint32_t e = tasks->first_successor[task];
        e < tasks->first_successor[task + 1]; e++)
      s->waits_for[tasks->successors[e].to]--;
   return update(p, s);
}

/* The tables from the n-th on. */
static bool
search(struct planner *p, unsigned n)
{
   struct choice *choices = &p->choices[n * p->tasks->count];
   struct state *next = &p->states[n + 1];

   if (n == p->tasks->count)
      return true;
   const unsigned num = list_choices(p, &p->states[n], choices);
   for (unsigned i = 0; i < num && p->budget > 0; i++) {
      p->budget--;
      copy_state(p, next, &p->states[n]);
      if (take(p, next, choices[i].task) && is_new(p, next) &&
          search(p, n + 1))
         return true;
   }
   return false;
}

bool
gpc_make_plan(struct arena *arena, const struct gpc_block *block,
              const struct gpc_graph *graph, const struct gpc_tasks *tasks,
              long budget, int32_t *at)
{
   const unsigned count = tasks->count;
   struct planner p = {
      .block = block,
      .graph = graph,
      .tasks = tasks,
      .arena = arena,
      .latest = arena_new_array(arena, int32_t, block->count),
      .states = arena_new_array(arena, struct state, count + 1),
      .choices = arena_new_array(arena, struct choice, (count + 1) * count),
      .seen = arena_new_array(arena, uint64_t, SEEN_SIZE),
      .budget = budget,
   };

   list_before(&p);
   gpc_find_latest(block, graph, tasks, p.latest);
   sort_tables(&p);
   for (unsigned i = 0; i <= count; i++)
      p.states[i] = new_state(&p);
   for (unsigned i = 0; i < count; i++) {
      const uint32_t node = tasks->node[i];
      p.states[0].at[node] = tasks->earliest[i] - lead_of(&p, node);
      p.states[0].waits_for[i] = tasks->predecessors[i];
   }
   if (!update(&p, &p.states[0]) || !search(&p, 0))
      return false;
   memcpy(at, p.states[count].at, block->count * sizeof(*at));
   return true;
}
