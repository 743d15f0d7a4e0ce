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
#include "ssa/union_find.h"

struct cfg *
cfg_create(struct cfg_flat *flat, struct arena *arena)
{
   struct cfg *g = arena_new(arena, struct cfg);

   g->arena = arena;
   g->flat = flat;
   g->source_loops = flat->convergent;
   for (int i = 0; i < flat->num_blocks; i++) {
      const struct cfg_flat_block *b = &flat->blocks[i];
      struct cfg_node *n = cfg_node(g, cfg_add_node(g, i));
      n->cond = b->cond;
      n->num_succ = b->num_succ;
      for (unsigned s = 0; s < b->num_succ; s++)
         n->succ[s] = cfg_edge(b->succ[s], i, b->succ[s]);
   }
   return g;
}

void
cfg_destroy(struct cfg *g)
{
   util_dynarray_fini(&g->nodes);
   util_dynarray_fini(&g->groups);
   util_dynarray_fini(&g->vias);
}

int
cfg_add_node(struct cfg *g, int flat)
{
   const struct cfg_node n = { .flat = flat,
                               .rest = CFG_NONE,
                               .predicate = CFG_NONE };

   util_dynarray_append(&g->nodes, struct cfg_node, n);
   return cfg_num_nodes(g) - 1;
}

int
cfg_add_group(struct cfg *g, int num)
{
   const struct cfg_group group = { g->num_predicates, cfg_choice_bits(num) };

   util_dynarray_append(&g->groups, struct cfg_group, group);
   g->num_predicates += group.bits;
   return (int)util_dynarray_num_elements(&g->groups, struct cfg_group) - 1;
}

int
cfg_group_predicate(const struct cfg *g, int group, int bit)
{
   return util_dynarray_element(&g->groups, struct cfg_group, group)->first +
          bit;
}

/* --- Empty nodes ------------------------------------------------------ */

static bool
has_phis(const struct cfg_flat *flat, int block)
{
   const nir_instr *first =
      block == CFG_NONE ? NULL
                        : nir_block_first_instr(flat->blocks[block].block);

   return first && first->kind == nir_kind_phi;
}

static bool
is_empty(const struct cfg_flat *flat, int block, bool phis_too)
{
   const struct cfg_flat_block *b = &flat->blocks[block];
   const nir_instr *last = nir_block_last_instr(b->block);

   return !b->halts && (!last || (phis_too && last->kind == nir_kind_phi));
}

struct skip {
   struct cfg *g;
   bool phis_too;
   bool *kept;        /* NULL: none */
   int *seen, serial; /* nodes that the edge has come through */
   bool shared;       /* its way is that of another edge, too */
};

/* The edge `s` of `n` may run on through `via`. */
static bool
may_skip(const struct skip *k, const struct cfg_node *n, unsigned s,
         const struct cfg_node *via)
{
   const struct cfg_edge *e = &n->succ[s], *on = &via->succ[0];
   const struct cfg_edge *other = &n->succ[1 - s];

   if (via->flat == CFG_NONE || via->num_succ != 1 || on->to == e->to ||
       on->group != CFG_NONE || k->seen[e->to] == k->serial ||
       (k->kept && k->kept[e->to]) ||
       !is_empty(k->g->flat, via->flat, k->phis_too))
      return false;
   /* Both ways of a branch cannot bring different values to one place. */
   return n->num_succ < 2 || other->to != on->to ||
          (!has_phis(k->g->flat, on->to_flat) &&
           !has_phis(k->g->flat, via->flat) && e->via == CFG_NONE &&
           on->via == CFG_NONE && other->via == CFG_NONE);
}

static int
add_via(struct cfg *g, struct cfg_via via)
{
   util_dynarray_append(&g->vias, struct cfg_via, via);
   return (int)util_dynarray_num_elements(&g->vias, struct cfg_via) - 1;
}

static void
append_via(struct cfg *g, struct cfg_edge *e, struct cfg_via via)
{
   const int added = add_via(g, via);
   int *last = &e->via;

   while (*last != CFG_NONE)
      last = &util_dynarray_element(&g->vias, struct cfg_via, *last)->next;
   *last = added;
}

/* The edge gets a way of its own, to be changed. */
static void
copy_way(struct cfg *g, struct cfg_edge *e)
{
   int v = e->via;

   e->via = CFG_NONE;
   while (v != CFG_NONE) {
      struct cfg_via copy =
         *util_dynarray_element(&g->vias, struct cfg_via, v);
      v = copy.next;
      copy.next = CFG_NONE;
      append_via(g, e, copy);
   }
}

static void
skip_one(struct skip *k, struct cfg_edge *e, const struct cfg_node *via)
{
   const struct cfg_edge on = via->succ[0];

   if (e->via == CFG_NONE) {
      /* Ends of ways are shared: most nodes were done before those that lead
       * to them. */
      if (!has_phis(k->g->flat, via->flat)) {
         e->from_flat = on.from_flat;
         e->to_flat = on.to_flat;
         e->via = on.via;
      } else {
         e->via = add_via(k->g, (struct cfg_via) { via->flat, on.from_flat,
                                                   on.to_flat, on.via });
      }
      e->to = on.to;
      k->shared = true;
      return;
   }
   if (k->shared)
      copy_way(k->g, e);
   k->shared = false;
   append_via(k->g, e,
              (struct cfg_via) { via->flat, on.from_flat, on.to_flat,
                                 CFG_NONE });
   for (int v = on.via; v != CFG_NONE;) {
      struct cfg_via copy =
         *util_dynarray_element(&k->g->vias, struct cfg_via, v);
      v = copy.next;
      copy.next = CFG_NONE;
      append_via(k->g, e, copy);
   }
   e->to = on.to;
}

static void
skip_from(struct skip *k, struct cfg_node *n, unsigned s)
{
   struct cfg_edge *e = &n->succ[s];

   k->serial++;
   k->shared = false;
   for (;;) {
      const struct cfg_node *via = cfg_node(k->g, e->to);
      if (!may_skip(k, n, s, via))
         return;
      k->seen[e->to] = k->serial;
      skip_one(k, e, via);
   }
}

/* Two loops that begin at one node would be one: lanes that have left the
 * inner one would not wait for the others. */
static bool *
find_heads(const struct cfg *g, const struct cfg_info *info,
           struct arena *arena)
{
   bool *heads = arena_new_array(arena, bool, cfg_num_nodes(g) + 1);

   for (int i = 0; i < info->num; i++) {
      const struct cfg_node *n = cfg_node(g, info->order[i]);
      for (unsigned s = 0; s < n->num_succ; s++)
         heads[n->succ[s].to] |= info->rpo[n->succ[s].to] <= i;
   }
   return heads;
}

void
cfg_skip_empty(struct cfg *g, bool phis_too)
{
   struct arena *arena = arena_create(NULL);
   struct cfg_info info;
   struct skip k = {
      .g = g,
      .phis_too = phis_too,
      .seen = arena_new_array(arena, int, cfg_num_nodes(g) + 1),
   };

   cfg_analyze(g, &info, arena);
   if (g->flat->convergent)
      k.kept = find_heads(g, &info, arena);
   for (int i = info.num - 1; i >= 0; i--) {
      struct cfg_node *n = cfg_node(g, info.order[i]);
      for (unsigned s = 0; s < n->num_succ; s++)
         skip_from(&k, n, s);
      if (n->num_succ == 2 && n->succ[0].to == n->succ[1].to &&
          n->succ[0].from_flat == n->succ[1].from_flat &&
          n->succ[0].via == CFG_NONE && n->succ[1].via == CFG_NONE) {
         n->num_succ = 1;
         n->cond = NULL;
      }
   }
   arena_destroy(arena);
}

void
cfg_merge_chains(struct cfg *g)
{
   struct arena *arena = arena_create(NULL);
   struct cfg_info info;

   cfg_analyze(g, &info, arena);
   for (int i = info.num - 1; i >= 0; i--) {
      struct cfg_node *n = cfg_node(g, info.order[i]);
      if (n->num_succ != 1 || n->succ[0].group != CFG_NONE)
         continue;
      const int to = n->succ[0].to;
      if (to == g->root || to == info.order[i] ||
          info.pred_start[to + 1] - info.pred_start[to] != 1 ||
          (info.loop && info.loop[to] != info.loop[info.order[i]]))
         continue;
      int last = info.order[i];
      while (cfg_node(g, last)->rest != CFG_NONE)
         last = cfg_node(g, last)->rest;
      cfg_node(g, last)->rest = to;
      cfg_node(g, last)->to_rest = n->succ[0];
      const struct cfg_node *b = cfg_node(g, to);
      n->num_succ = b->num_succ;
      n->cond = b->cond;
      n->predicate = b->predicate;
      memcpy(n->succ, b->succ, sizeof(n->succ));
   }
   arena_destroy(arena);
}

/* --- Order ------------------------------------------------------------ */

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

/* --- Dominators ------------------------------------------------------- */

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

/* --- Loops ------------------------------------------------------------ */

/* The outermost loop found so far that a node is in; the node if in none. */
static int
outermost(uint32_t *set, int node)
{
   return (int)union_find_root(set, (uint32_t)node);
}

/* The loop of the source that a node stays in, a header that around its own,
 * of those that are loops. 0: none. */
static int
source_loop(const struct cfg *g, const struct cfg_info *info,
            const bool *heads, int node)
{
   if (!g->source_loops || node >= g->flat->num_blocks)
      return 0;
   const struct cfg_flat_block *blocks = g->flat->blocks;
   int l = blocks[node].loop;
   while (l && (l == node || !heads[l] || !cfg_dominates(info, l, node)))
      l = blocks[l].outer_loop;
   return l;
}

/* Nodes that belong to a loop although they lead out of it only, in lists by
 * header. */
struct members {
   int *first, *next;
};

static struct members
find_members(const struct cfg *g, const struct cfg_info *info,
             struct arena *arena)
{
   const int n = cfg_num_nodes(g);
   const bool *heads = find_heads(g, info, arena);
   struct members m = { arena_new_array(arena, int, n + 1),
                        arena_new_array(arena, int, n + 1) };

   for (int i = 0; i < n; i++)
      m.first[i] = CFG_NONE;
   for (int i = 0; i < info->num; i++) {
      const int x = info->order[i], h = source_loop(g, info, heads, x);
      if (!h)
         continue;
      m.next[x] = m.first[h];
      m.first[h] = x;
   }
   return m;
}

/* All that reaches a back edge of `h`, or a member, without passing it. */
static void
collect_loop(struct cfg_info *info, int h, const struct members *m,
             uint32_t *set, int *work)
{
   int num = 0;

   for (int p = info->pred_start[h]; p < info->pred_start[h + 1]; p++) {
      if (info->rpo[info->preds[p]] < info->rpo[h])
         continue;
      info->loop[h] = h;
      const int x = outermost(set, info->preds[p]);
      if (x != h) {
         set[x] = (uint32_t)h;
         work[num++] = x;
      }
   }
   for (int i = m->first[h]; i != CFG_NONE; i = m->next[i]) {
      const int x = outermost(set, i);
      if (x != h) {
         set[x] = (uint32_t)h;
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
         const int y = outermost(set, info->preds[p]);
         if (y != h) {
            set[y] = (uint32_t)h;
            work[num++] = y;
         }
      }
   }
}

static void
find_loops(const struct cfg *g, struct cfg_info *info, struct arena *arena)
{
   const int n = cfg_num_nodes(g);
   uint32_t *set = arena_new_array(arena, uint32_t, n + 1);
   int *work = arena_new_array(arena, int, n + 1);
   const struct members members = find_members(g, info, arena);

   info->loop = arena_new_array(arena, int, n + 1);
   info->loop_parent = arena_new_array(arena, int, n + 1);
   info->loop_depth = arena_new_array(arena, int, n + 1);
   for (int i = 0; i < n; i++) {
      set[i] = (uint32_t)i;
      info->loop[i] = info->loop_parent[i] = CFG_NONE;
   }
   for (int i = info->num - 1; i >= 0; i--)
      collect_loop(info, info->order[i], &members, set, work);
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
