/* SPDX-License-Identifier: MIT */
/*
 * Irreducible graphs made reducible.
 *
 * A loop is a strongly connected region. With one entry, that is its header:
 * edges into it are cut and the regions inside are looked at. A region with
 * several entries is where the graph is not reducible. There are two cures:
 *
 *  - copies: all that is reached from the other entries without passing the
 *    one chosen as header is done a second time, outside (Janssen, Corporaal,
 *    "Making Graphs Reducible with Controlled Node Splitting", TOPLAS 19,
 *    1997, choose headers by cost, too). Only while few blocks are copied,
 *    for the worst case is exponential (Carter, Ferrante, Thomborson, POPL
 *    2003), and none that sees other lanes;
 *  - one choice: all edges to the entries go to a new header that goes on to
 *    the entry meant, by predicates that each edge sets. Nothing outside of
 *    the region changes.
 */
#include "cfg/structurize.h"

struct reduce {
   struct cfg *g;
   struct arena *arena;
   struct cfg_info info;
   int num;
   bool *cut;            /* edges to the node do not count */
   int *region;          /* by node: number of its region; -1 */
   int *members, *start; /* regions one after the other */
   int num_regions;
   bool *mark;
};

/* --- Strongly connected regions: Tarjan, SIAM J. Computing 1 (1972) --- */

struct tarjan {
   int *index, *low, *stack, *path, next, top;
   uint8_t *edge;
};

static void
visit(struct tarjan *t, int x)
{
   t->index[x] = t->low[x] = ++t->next;
   t->stack[t->top++] = x;
}

static void
close_region(struct reduce *r, struct tarjan *t, int x)
{
   int *n = &r->start[r->num_regions + 1];

   *n = r->start[r->num_regions];
   do {
      const int y = t->stack[--t->top];
      r->region[y] = r->num_regions;
      r->members[(*n)++] = y;
   } while (r->members[*n - 1] != x);
   r->num_regions++;
}

static void
search_from(struct reduce *r, struct tarjan *t, int root)
{
   int depth = 0;

   visit(t, root);
   t->path[depth++] = root;
   while (depth) {
      const int x = t->path[depth - 1];
      const struct cfg_node *n = cfg_node(r->g, x);
      if (t->edge[x] == n->num_succ) {
         if (t->low[x] == t->index[x])
            close_region(r, t, x);
         if (--depth)
            t->low[t->path[depth - 1]] =
               MIN2(t->low[t->path[depth - 1]], t->low[x]);
         continue;
      }
      const int to = n->succ[t->edge[x]++].to;
      if (r->cut[to])
         continue;
      if (!t->index[to]) {
         visit(t, to);
         t->path[depth++] = to;
      } else if (r->region[to] < 0) {
         t->low[x] = MIN2(t->low[x], t->index[to]);
      }
   }
}

static void
find_regions(struct reduce *r)
{
   struct arena *arena = arena_create(r->arena);
   struct tarjan t = {
      .index = arena_new_array(arena, int, r->num + 1),
      .low = arena_new_array(arena, int, r->num + 1),
      .stack = arena_new_array(arena, int, r->num + 1),
      .path = arena_new_array(arena, int, r->num + 1),
      .edge = arena_new_array(arena, uint8_t, r->num + 1),
   };

   r->num_regions = 0;
   for (int i = 0; i < r->num; i++)
      r->region[i] = -1;
   for (int i = 0; i < r->info.num; i++) {
      if (!t.index[r->info.order[i]])
         search_from(r, &t, r->info.order[i]);
   }
   arena_destroy(arena);
}

/* --- Entries ---------------------------------------------------------- */

/* The nodes of a region that are entered from outside, in `entries`. */
static int
find_entries(const struct reduce *r, int region, int *entries)
{
   int num = 0;

   for (int i = r->start[region]; i < r->start[region + 1]; i++) {
      const int x = r->members[i];
      bool entered = x == r->g->root;
      for (int p = r->info.pred_start[x]; p < r->info.pred_start[x + 1]; p++)
         entered |= r->region[r->info.preds[p]] != region;
      if (entered)
         entries[num++] = x;
   }
   return num;
}

static bool
is_loop(const struct reduce *r, int region)
{
   if (r->start[region + 1] - r->start[region] > 1)
      return true;
   const int x = r->members[r->start[region]];
   const struct cfg_node *n = cfg_node(r->g, x);
   for (unsigned s = 0; s < n->num_succ; s++) {
      if (n->succ[s].to == x && !r->cut[x])
         return true;
   }
   return false;
}

/* --- Copies ----------------------------------------------------------- */

/* Marks what is reached from all entries but `header` without passing it;
 * how many, or INT_MAX if one may not be copied. */
static int
mark_copied(struct reduce *r, int region, const int *entries, int num,
            int header)
{
   int *work = arena_new_array(r->arena, int, r->num + 1);
   int top = 0, count = 0;
   bool fixed = false;

   memset(r->mark, 0, sizeof(*r->mark) * (size_t)r->num);
   for (int i = 0; i < num; i++) {
      if (entries[i] != header) {
         r->mark[entries[i]] = true;
         work[top++] = entries[i];
      }
   }
   while (top) {
      const int x = work[--top];
      const struct cfg_node *n = cfg_node(r->g, x);
      for (int part = x; part != CFG_NONE; part = cfg_node(r->g, part)->rest)
         count++;
      fixed |= cfg_node_is_convergent(r->g, x);
      for (unsigned s = 0; s < n->num_succ; s++) {
         const int to = n->succ[s].to;
         if (r->region[to] != region || to == header || r->mark[to])
            continue;
         r->mark[to] = true;
         work[top++] = to;
      }
   }
   return fixed ? INT32_MAX : count;
}

/* Edges from outside, and those of copies, go to the copies. */
static void
copy_marked(struct reduce *r, int region)
{
   int *copy = arena_new_array(r->arena, int, r->num + 1);

   for (int x = 0; x < r->num; x++) {
      if (!r->mark[x])
         continue;
      copy[x] = cfg_add_node(r->g, CFG_NONE);
      *cfg_node(r->g, copy[x]) = *cfg_node(r->g, x);
   }
   for (int x = 0; x < cfg_num_nodes(r->g); x++) {
      struct cfg_node *n = cfg_node(r->g, x);
      if (x < r->num && (r->region[x] == region || r->info.rpo[x] < 0))
         continue;
      for (unsigned s = 0; s < n->num_succ; s++) {
         if (r->mark[n->succ[s].to])
            n->succ[s].to = copy[n->succ[s].to];
      }
   }
   if (r->mark[r->g->root])
      r->g->root = copy[r->g->root];
}

static bool
try_copies(struct reduce *r, int region, const int *entries, int num,
           unsigned *left)
{
   int best = CFG_NONE, fewest = INT32_MAX;

   for (int i = 0; i < num; i++) {
      const int count = mark_copied(r, region, entries, num, entries[i]);
      if (count < fewest) {
         fewest = count;
         best = entries[i];
      }
   }
   if (best == CFG_NONE || (unsigned)fewest > *left)
      return false;
   mark_copied(r, region, entries, num, best);
   copy_marked(r, region);
   *left -= (unsigned)fewest;
   return true;
}

/* --- A choice --------------------------------------------------------- */

static void
send_to_choice(struct cfg *g, int node, unsigned s, int head, int group,
               int choice)
{
   struct cfg_edge *e = &cfg_node(g, node)->succ[s];

   if (e->group != CFG_NONE) {
      /* It makes a choice on its way already. */
      const int via = cfg_add_node(g, CFG_NONE);
      cfg_node(g, via)->num_succ = 1;
      cfg_node(g, node)->succ[s].to = via;
      e = &cfg_node(g, via)->succ[0];
      *e = cfg_edge(head, CFG_NONE, CFG_NONE);
   }
   e->to = head;
   e->group = group;
   e->choice = choice;
}

static void
add_choice(struct reduce *r, const int *entries, int num)
{
   const int group = cfg_add_group(r->g, num);
   const int first =
      util_dynarray_element(&r->g->groups, struct cfg_group, group)->first;
   const int nodes = cfg_num_nodes(r->g);
   int *choice = arena_new_array(r->arena, int, nodes);
   int head = entries[0];

   for (int k = 1; k < num; k++) {
      const int n = cfg_add_node(r->g, CFG_NONE);
      struct cfg_node *node = cfg_node(r->g, n);
      node->predicate = first + k;
      node->num_succ = 2;
      node->succ[0] = cfg_edge(entries[k], CFG_NONE, CFG_NONE);
      node->succ[1] = cfg_edge(head, CFG_NONE, CFG_NONE);
      head = n;
   }
   for (int k = 0; k < num; k++)
      choice[entries[k]] = k + 1;
   for (int x = 0; x < nodes; x++) {
      for (unsigned s = 0; s < cfg_node(r->g, x)->num_succ; s++) {
         const int to = cfg_node(r->g, x)->succ[s].to;
         if (to < nodes && choice[to])
            send_to_choice(r->g, x, s, head, group, choice[to] - 1);
      }
   }
}

/* --- All -------------------------------------------------------------- */

static void
begin(struct reduce *r)
{
   r->num = cfg_num_nodes(r->g);
   cfg_analyze(r->g, &r->info, r->arena);
   r->cut = arena_new_array(r->arena, bool, r->num + 1);
   r->mark = arena_new_array(r->arena, bool, r->num + 1);
   r->region = arena_new_array(r->arena, int, r->num + 1);
   r->members = arena_new_array(r->arena, int, r->num + 1);
   r->start = arena_new_array(r->arena, int, r->num + 2);
}

/* Cures the first region with several entries; false: there is none. */
static bool
reduce_once(struct reduce *r, unsigned *left,
            struct nir_structurize_stats *stats)
{
   int *entries = arena_new_array(r->arena, int, r->num + 1);

   for (bool again = true; again;) {
      again = false;
      find_regions(r);
      for (int i = 0; i < r->num_regions; i++) {
         if (!is_loop(r, i))
            continue;
         const int num = find_entries(r, i, entries);
         if (num == 1) {
            r->cut[entries[0]] = true;
            again = true;
            continue;
         }
         const unsigned before = *left;
         if (try_copies(r, i, entries, num, left)) {
            stats->copies += before - *left;
         } else {
            add_choice(r, entries, num);
            stats->dispatchers++;
            stats->state_variables += (unsigned)num - 1;
         }
         return true;
      }
   }
   return false;
}

void
cfg_make_reducible(struct cfg *g, unsigned max_copies,
                   struct nir_structurize_stats *stats)
{
   for (bool more = true; more;) {
      struct reduce r = { .g = g, .arena = arena_create(NULL) };
      begin(&r);
      more = reduce_once(&r, &max_copies, stats);
      arena_destroy(r.arena);
   }
}
