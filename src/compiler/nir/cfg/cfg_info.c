/* SPDX-License-Identifier: MIT */
/*
 * Orders, dominators and loops of a graph, in O(n log n), without recursion.
 *
 * In a reducible graph the edges that go back in a reverse postorder go to
 * dominators and change no dominance, so that one pass in that order is
 * exact: the dominator of a node is the common one of its predecessors so
 * far. The reverse holds, too: the graph is reducible if each edge that goes
 * back goes to a dominator of its source in the graph without these edges
 * (removal of edges only adds dominance). Hecht, Ullman, "Characterizations
 * of Reducible Flow Graphs", JACM 21 (1974).
 *
 * Common ancestors are found by jump pointers: Myers, "An Applicative
 * Random-Access Stack", IPL 17 (1983). Loop bodies by union-find from the
 * innermost: Tarjan, "Testing Flow Graph Reducibility", JCSS 9 (1974).
 */
#include "cfg/cfg.h"

struct cfg *
cfg_create(struct cfg_flat *flat, struct arena *arena)
{
   struct cfg *g = arena_new(arena, struct cfg);

   g->arena = arena;
   g->flat = flat;
   for (int i = 0; i < flat->num_blocks; i++) {
      const struct cfg_flat_block *b = &flat->blocks[i];
      struct cfg_node *n = cfg_node(g, cfg_add_node(g, i));
      n->cond = b->cond;
      n->num_succ = b->num_succ;
      for (unsigned s = 0; s < b->num_succ; s++)
         n->succ[s] = (struct cfg_edge){b->succ[s], i, b->succ[s], CFG_NONE,
                                        CFG_NONE};
   }
   return g;
}

void
cfg_destroy(struct cfg *g)
{
   util_dynarray_fini(&g->nodes);
   util_dynarray_fini(&g->groups);
}

int
cfg_add_node(struct cfg *g, int flat)
{
   const struct cfg_node n = {.flat = flat, .predicate = CFG_NONE};

   util_dynarray_append(&g->nodes, struct cfg_node, n);
   return cfg_num_nodes(g) - 1;
}

int
cfg_add_group(struct cfg *g, int num)
{
   const struct cfg_group group = {g->num_predicates, num};

   util_dynarray_append(&g->groups, struct cfg_group, group);
   g->num_predicates += num;
   return (int)util_dynarray_num_elements(&g->groups, struct cfg_group) - 1;
}

/* --- Empty nodes --------------------------------------------------------- */

static bool
has_phis(const struct cfg_flat *flat, int block)
{
   const nir_instr *first = nir_block_first_instr(flat->blocks[block].block);

   return first && first->type == nir_instr_type_phi;
}

/* The edge `s` of `n` may run on through `via`. */
static bool
may_skip(const struct cfg *g, const struct cfg_node *n, unsigned s,
         const struct cfg_node *via)
{
   const struct cfg_edge *e = &n->succ[s], *on = &via->succ[0];

   if (via->flat == CFG_NONE || via->num_succ != 1 || on->to == e->to ||
       on->group != CFG_NONE || !cfg_flat_is_empty(g->flat, via->flat))
      return false;
   /* Both ways of a branch cannot bring different values to one place. */
   return n->num_succ < 2 || n->succ[1 - s].to != on->to ||
          !has_phis(g->flat, on->to_flat);
}

static void
skip_from(struct cfg *g, struct cfg_node *n, unsigned s)
{
   struct cfg_edge *e = &n->succ[s];

   /* A ring of empty blocks has no end. */
   for (int steps = 0; steps < 64; steps++) {
      const struct cfg_node *via = cfg_node(g, e->to);
      const struct cfg_edge old = *e;
      if (!may_skip(g, n, s, via))
         break;
      *e = via->succ[0];
      e->group = old.group;
      e->choice = old.choice;
   }
}

void
cfg_skip_empty(struct cfg *g)
{
   util_dynarray_foreach(&g->nodes, struct cfg_node, n) {
      for (unsigned s = 0; s < n->num_succ; s++)
         skip_from(g, n, s);
      if (n->num_succ == 2 && n->succ[0].to == n->succ[1].to &&
          n->succ[0].from_flat == n->succ[1].from_flat) {
         n->num_succ = 1;
         n->cond = NULL;
      }
   }
}

/* --- Order --------------------------------------------------------------- */

static void
find_order(const struct cfg *g, struct cfg_info *info, struct arena *arena)
{
   const int n = cfg_num_nodes(g);
   int *stack = arena_new_array(arena, int, n + 1);
   uint8_t *next = arena_new_array(arena, uint8_t, n + 1);
   int *post = arena_new_array(arena, int, n + 1);
   int top = 0, done = 0;

   info->rpo = arena_new_array(arena, int, n + 1);
   for (int i = 0; i < n; i++)
      info->rpo[i] = CFG_NONE;
   stack[top++] = g->root;
   info->rpo[g->root] = 0;
   while (top) {
      const int x = stack[top - 1];
      const struct cfg_node *node = cfg_node(g, x);
      if (next[x] == node->num_succ) {
         post[done++] = x;
         top--;
         continue;
      }
      /* The last successor first: the then side comes before the else side
       * in the reverse. */
      const int to = node->succ[node->num_succ - 1 - next[x]++].to;
      if (info->rpo[to] == CFG_NONE) {
         info->rpo[to] = 0;
         stack[top++] = to;
      }
   }
   info->num = done;
   info->order = arena_new_array(arena, int, done + 1);
   for (int i = 0; i < done; i++) {
      info->order[i] = post[done - 1 - i];
      info->rpo[info->order[i]] = i;
   }
}

static void
find_preds(const struct cfg *g, struct cfg_info *info, struct arena *arena)
{
   const int n = cfg_num_nodes(g);
   int edges = 0;

   info->pred_start = arena_new_array(arena, int, n + 2);
   for (int i = 0; i < info->num; i++) {
      const struct cfg_node *node = cfg_node(g, info->order[i]);
      for (unsigned s = 0; s < node->num_succ; s++, edges++)
         info->pred_start[node->succ[s].to + 2]++;
   }
   for (int i = 2; i <= n + 1; i++)
      info->pred_start[i] += info->pred_start[i - 1];
   info->preds = arena_new_array(arena, int, edges + 1);
   for (int i = 0; i < info->num; i++) {
      const struct cfg_node *node = cfg_node(g, info->order[i]);
      for (unsigned s = 0; s < node->num_succ; s++)
         info->preds[info->pred_start[node->succ[s].to + 1]++] =
            info->order[i];
   }
}

/* --- Dominators ------------------------------------------------------------ */

static void
set_idom(struct cfg_info *info, int node, int parent)
{
   info->idom[node] = parent;
   if (parent == CFG_NONE) {
      info->depth[node] = 0;
      info->jump[node] = node;
      return;
   }
   info->depth[node] = info->depth[parent] + 1;
   const int j = info->jump[parent];
   info->jump[node] = info->depth[parent] - info->depth[j] ==
                            info->depth[j] - info->depth[info->jump[j]]
                         ? info->jump[j]
                         : parent;
}

static int
ancestor_at(const struct cfg_info *info, int node, int depth)
{
   while (info->depth[node] > depth)
      node = info->depth[info->jump[node]] >= depth ? info->jump[node]
                                                    : info->idom[node];
   return node;
}

int
cfg_common_dominator(const struct cfg_info *info, int a, int b)
{
   if (info->depth[a] > info->depth[b])
      a = ancestor_at(info, a, info->depth[b]);
   else
      b = ancestor_at(info, b, info->depth[a]);
   while (a != b) {
      const bool far = info->jump[a] != info->jump[b];
      a = far ? info->jump[a] : info->idom[a];
      b = far ? info->jump[b] : info->idom[b];
   }
   return a;
}

bool
cfg_dominates(const struct cfg_info *info, int a, int b)
{
   return info->depth[a] <= info->depth[b] &&
          ancestor_at(info, b, info->depth[a]) == a;
}

static void
find_dominators(const struct cfg *g, struct cfg_info *info,
                struct arena *arena)
{
   const int n = cfg_num_nodes(g);

   info->idom = arena_new_array(arena, int, n + 1);
   info->depth = arena_new_array(arena, int, n + 1);
   info->jump = arena_new_array(arena, int, n + 1);
   set_idom(info, g->root, CFG_NONE);
   for (int i = 1; i < info->num; i++) {
      const int x = info->order[i];
      int dom = CFG_NONE;
      for (int p = info->pred_start[x]; p < info->pred_start[x + 1]; p++) {
         const int pred = info->preds[p];
         if (info->rpo[pred] >= i)
            continue;
         dom = dom == CFG_NONE ? pred : cfg_common_dominator(info, dom, pred);
      }
      set_idom(info, x, dom);
   }
   info->entry_into_loop = CFG_NONE;
   for (int i = 0; i < info->num; i++) {
      const int x = info->order[i];
      for (int p = info->pred_start[x]; p < info->pred_start[x + 1]; p++) {
         if (info->rpo[info->preds[p]] >= i &&
             !cfg_dominates(info, x, info->preds[p]))
            info->entry_into_loop = info->preds[p];
      }
   }
}

/* --- Loops ----------------------------------------------------------------- */

static int
find(int *set, int x)
{
   while (set[x] != x) {
      set[x] = set[set[x]];
      x = set[x];
   }
   return x;
}

/* All that reaches a back edge of `h` without passing it. */
static void
collect_loop(struct cfg_info *info, int h, int *set, int *work)
{
   int num = 0;

   for (int p = info->pred_start[h]; p < info->pred_start[h + 1]; p++) {
      if (info->rpo[info->preds[p]] < info->rpo[h])
         continue;
      info->loop[h] = h;
      const int x = find(set, info->preds[p]);
      if (x != h) {
         set[x] = h;
         work[num++] = x;
      }
   }
   while (num) {
      const int x = work[--num];
      if (info->loop[x] == x)
         info->loop_parent[x] = h;
      else
         info->loop[x] = h;
      for (int p = info->pred_start[x]; p < info->pred_start[x + 1]; p++) {
         if (info->rpo[info->preds[p]] >= info->rpo[x])
            continue;
         const int y = find(set, info->preds[p]);
         if (y != h) {
            set[y] = h;
            work[num++] = y;
         }
      }
   }
}

static void
find_loops(const struct cfg *g, struct cfg_info *info, struct arena *arena)
{
   const int n = cfg_num_nodes(g);
   int *set = arena_new_array(arena, int, n + 1);
   int *work = arena_new_array(arena, int, n + 1);

   info->loop = arena_new_array(arena, int, n + 1);
   info->loop_parent = arena_new_array(arena, int, n + 1);
   info->loop_depth = arena_new_array(arena, int, n + 1);
   for (int i = 0; i < n; i++) {
      set[i] = i;
      info->loop[i] = info->loop_parent[i] = CFG_NONE;
   }
   for (int i = info->num - 1; i >= 0; i--)
      collect_loop(info, info->order[i], set, work);
   for (int i = 0; i < info->num; i++) {
      const int h = info->order[i], parent = info->loop_parent[h];
      if (info->loop[h] == h)
         info->loop_depth[h] =
            parent == CFG_NONE ? 1 : info->loop_depth[parent] + 1;
   }
}

bool
cfg_in_loop(const struct cfg_info *info, int node, int header)
{
   int l = info->loop[node];

   while (l != CFG_NONE && info->loop_depth[l] > info->loop_depth[header])
      l = info->loop_parent[l];
   return l == header;
}

void
cfg_analyze(const struct cfg *g, struct cfg_info *info, struct arena *arena)
{
   memset(info, 0, sizeof(*info));
   find_order(g, info, arena);
   find_preds(g, info, arena);
   find_dominators(g, info, arena);
   if (info->entry_into_loop == CFG_NONE)
      find_loops(g, info, arena);
}
