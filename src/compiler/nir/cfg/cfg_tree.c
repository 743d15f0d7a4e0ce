/* SPDX-License-Identifier: MIT */
/*
 * From a reducible graph to nested lists.
 *
 * The shape is that of the dominator tree (Ramsey, "Beyond Relooper", ICFP
 * 2022): a node into which one edge leads forward stands where that edge
 * comes from; one where several meet stands after its immediate dominator,
 * in reverse postorder among others. Unlike there, what does not lie in a
 * loop stands after the loop, not in it, so that the lanes which have left
 * it run together; and neighbours that are alternatives of each other (exits
 * of a loop, say) become the sides of one selection.
 *
 * Only code of a single block on its way out stays inside the loop, if the
 * loop is then left for fewer places, and if it does not see other lanes.
 */
#include "cfg/cfg_tree.h"

int
cfg_add_item(struct cfg_tree *t, enum cfg_item_kind kind, int node)
{
   const struct cfg_item item = {
      .kind = kind,
      .list = CFG_NONE,
      .next = CFG_NONE,
      .node = node,
      .predicate = CFG_NONE,
      .child = { CFG_NONE, CFG_NONE },
      .exit_predicate = CFG_NONE,
      .first_check = CFG_NONE,
      .first_guard = CFG_NONE,
      .first_reset = CFG_NONE,
      .seen = CFG_NONE,
   };

   util_dynarray_append(&t->items, struct cfg_item, item);
   const int i = (int)util_dynarray_num_elements(&t->items, struct cfg_item) -
                 1;
   cfg_item(t, i)->head = i;
   return i;
}

int
cfg_add_list(struct cfg_tree *t, int parent)
{
   const struct cfg_list list = { CFG_NONE, CFG_NONE, parent, CFG_NONE,
                                  CFG_END,  0,        0 };

   util_dynarray_append(&t->lists, struct cfg_list, list);
   return (int)util_dynarray_num_elements(&t->lists, struct cfg_list) - 1;
}

void
cfg_append(struct cfg_tree *t, int list, int item)
{
   struct cfg_list *l = cfg_list(t, list);
   struct cfg_item *i = cfg_item(t, item);

   i->list = list;
   i->pos = l->num++;
   i->next = CFG_NONE;
   if (l->last == CFG_NONE)
      l->first = item;
   else
      cfg_item(t, l->last)->next = item;
   l->last = item;
}

/* --- Where each node stands ------------------------------------------- */

struct place {
   struct cfg_tree *t;
   const struct cfg_info *info;
   int *forward;     /* edges that lead forward into a node */
   bool *inlined;    /* stands at its only edge */
   int *parent;      /* in the tree of places */
   bool *after_loop; /* of its parent, which is a header */
   /* Followers of each node, and of each loop, in reverse postorder. */
   int *first, *first_loop, *next;
   int *pre, *end, *low, *depth;
};

static bool
is_back_edge(const struct cfg_info *info, int from, int to)
{
   return info->rpo[to] <= info->rpo[from];
}

static void
count_forward(struct place *p)
{
   const struct cfg_info *info = p->info;

   for (int i = 0; i < info->num; i++) {
      const struct cfg_node *n = cfg_node(p->t->g, info->order[i]);
      for (unsigned s = 0; s < n->num_succ; s++) {
         if (!is_back_edge(info, info->order[i], n->succ[s].to))
            p->forward[n->succ[s].to]++;
      }
   }
}

/* Whether a node could as well be left in the loop that it is an exit of. */
static bool
may_sink(const struct place *p, int x)
{
   const struct cfg_node *n = cfg_node(p->t->g, x);

   if (p->forward[x] != 1 || cfg_is_header(p->info, x) || n->num_succ > 1 ||
       cfg_node_is_convergent(p->t->g, x))
      return false;
   /* What comes after must not follow it into the loop. */
   return n->num_succ == 0 || is_back_edge(p->info, x, n->succ[0].to) ||
          p->forward[n->succ[0].to] > 1;
}

/* The exits of a loop, by their source's innermost loop. */
struct loop_exit {
   int header, to;
};

static int
compare_exits(const void *a_, const void *b_)
{
   const struct loop_exit *a = a_, *b = b_;

   return a->header != b->header
             ? (a->header > b->header) - (a->header < b->header)
             : (a->to > b->to) - (a->to < b->to);
}

static int
count_distinct(struct loop_exit *e, int num)
{
   int distinct = 0;

   qsort(e, (size_t)num, sizeof(*e), compare_exits);
   for (int i = 0; i < num; i++)
      distinct += i == 0 || e[i].to != e[i - 1].to;
   return distinct;
}

/* All exits of one loop, sorted: sinks what may be if that makes the loop's
 * exits fewer. */
static void
choose_sinks(struct place *p, struct loop_exit *e, int num,
             struct loop_exit *tmp)
{
   int left = 0;

   for (int i = 0; i < num; i++) {
      const struct cfg_node *n = cfg_node(p->t->g, e[i].to);
      tmp[left].header = 0;
      if (!may_sink(p, e[i].to))
         tmp[left++].to = e[i].to;
      else if (n->num_succ && n->succ[0].to != e[i].to)
         tmp[left++].to = n->succ[0].to;
   }
   if (count_distinct(e, num) <= MAX2(count_distinct(tmp, left), 1))
      return;
   for (int i = 0; i < num; i++) {
      if (may_sink(p, e[i].to))
         p->inlined[e[i].to] = true;
   }
}

static void
find_sinks(struct place *p, struct arena *arena)
{
   const struct cfg_info *info = p->info;
   struct util_dynarray exits = { 0 };

   for (int i = 0; i < info->num; i++) {
      const int x = info->order[i];
      const struct cfg_node *n = cfg_node(p->t->g, x);
      for (unsigned s = 0; s < n->num_succ; s++) {
         const int to = n->succ[s].to;
         if (info->loop[x] != CFG_NONE &&
             !cfg_in_loop(info, to, info->loop[x]))
            util_dynarray_append(&exits, struct loop_exit,
                                 ((struct loop_exit) { info->loop[x], to }));
      }
   }
   const int num = (int)util_dynarray_num_elements(&exits, struct loop_exit);
   struct loop_exit *e = exits.data;
   struct loop_exit *tmp = arena_new_array(arena, struct loop_exit, num + 1);
   if (num)
      qsort(e, (size_t)num, sizeof(*e), compare_exits);
   for (int i = 0, end; i < num; i = end) {
      for (end = i; end < num && e[end].header == e[i].header; end++)
         ;
      choose_sinks(p, e + i, end - i, tmp);
   }
   util_dynarray_fini(&exits);
}

static void
place_node(struct place *p, int x)
{
   const struct cfg_info *info = p->info;
   const int dom = info->idom[x], outer = cfg_outer_loop(info, x);
   int l = info->loop[dom];

   p->parent[x] = dom;
   if (p->inlined[x])
      return;
   if (l == outer) {
      p->inlined[x] = p->forward[x] == 1;
      return;
   }
   while (info->loop_parent[l] != outer)
      l = info->loop_parent[l];
   p->parent[x] = l;
   p->after_loop[x] = true;
}

/* In reverse, so that the lists come out in order. */
static void
link_followers(struct place *p)
{
   const struct cfg_info *info = p->info;

   for (int i = 0; i < cfg_num_nodes(p->t->g); i++)
      p->first[i] = p->first_loop[i] = p->next[i] = CFG_NONE;
   for (int i = info->num - 1; i > 0; i--) {
      const int x = info->order[i];
      int *first = p->after_loop[x] ? &p->first_loop[p->parent[x]]
                                    : &p->first[p->parent[x]];
      p->next[x] = *first;
      *first = x;
   }
}

/* Numbers the tree of places: those after a loop after those in it. */
static void
number_places(struct place *p, struct arena *arena)
{
   const int n = cfg_num_nodes(p->t->g);
   int *stack = arena_new_array(arena, int, n + 1);
   int *cursor = arena_new_array(arena, int, n + 1);
   bool *outside = arena_new_array(arena, bool, n + 1);
   int top = 0, next = 0;

   stack[top++] = p->t->g->root;
   p->pre[p->t->g->root] = next++;
   cursor[p->t->g->root] = p->first[p->t->g->root];
   while (top) {
      const int x = stack[top - 1];
      if (cursor[x] == CFG_NONE && !outside[x]) {
         outside[x] = true;
         cursor[x] = p->first_loop[x];
      }
      const int c = cursor[x];
      if (c == CFG_NONE) {
         p->end[x] = next;
         top--;
         continue;
      }
      cursor[x] = p->next[c];
      p->pre[c] = next++;
      p->depth[c] = p->depth[x] + 1;
      cursor[c] = p->first[c];
      stack[top++] = c;
   }
}

/* low: how far up in the tree of places any edge leads from below a node. */
static void
find_escapes(struct place *p)
{
   const struct cfg_info *info = p->info;

   for (int i = 0; i < info->num; i++)
      p->low[info->order[i]] = INT32_MAX;
   for (int i = info->num - 1; i >= 0; i--) {
      const int x = info->order[i];
      const struct cfg_node *n = cfg_node(p->t->g, x);
      for (unsigned s = 0; s < n->num_succ; s++) {
         const int to = n->succ[s].to;
         const int at = is_back_edge(info, x, to) ? to : p->parent[to];
         p->low[x] = MIN2(p->low[x], p->depth[at]);
      }
      if (i)
         p->low[p->parent[x]] = MIN2(p->low[p->parent[x]], p->low[x]);
   }
}

/* Nothing in the places from `first` up to `last` leads to x, and what stands
 * there goes on after x, not only out of the function. */
static bool
is_alternative(const struct place *p, int first, int last, int x)
{
   const struct cfg_info *info = p->info;

   if (p->low[last] >= p->depth[last])
      return false;
   for (int i = info->pred_start[x]; i < info->pred_start[x + 1]; i++) {
      const int pred = info->preds[i];
      if (!is_back_edge(info, pred, x) && p->pre[pred] >= p->pre[first] &&
          p->pre[pred] < p->end[last])
         return false;
   }
   return true;
}

/* --- Building --------------------------------------------------------- */

/* What to append to a list: a node, a header in its own loop, or a selection
 * between the followers from `node` up to `last`. */
struct todo {
   int node, last, list;
   bool in_loop;
   struct cfg_edge *edge;
   int group, size;
};

struct build {
   struct place *p;
   struct util_dynarray stack;  /* struct todo */
   struct util_dynarray groups; /* struct todo, of one node's followers */
};

static void
push(struct build *b, struct todo todo)
{
   util_dynarray_append(&b->stack, struct todo, todo);
}

/* Followers from `first` on, alternatives taken together; pushed so that the
 * first is done first. */
static void
push_followers(struct build *b, int first, int list)
{
   const struct place *p = b->p;

   util_dynarray_clear(&b->groups);
   for (int x = first; x != CFG_NONE; x = p->next[x]) {
      if (p->inlined[x])
         continue;
      int last = x, size = 1;
      for (int y = p->next[x]; y != CFG_NONE; y = p->next[y]) {
         if (p->inlined[y])
            continue;
         if (!is_alternative(p, x, last, y))
            break;
         last = y;
         size++;
      }
      util_dynarray_append(
         &b->groups, struct todo,
         ((struct todo) {
            .node = x, .last = last, .list = list, .size = size }));
      x = last;
   }
   for (size_t i = util_dynarray_num_elements(&b->groups, struct todo);
        i-- > 0;)
      push(b, *util_dynarray_element(&b->groups, struct todo, i));
}

/* Choices from `low` on, and the list where they are made. */
struct half {
   int low, num, list;
};

/* An if for the highest bit of what is left of the choice. */
static int
build_half(struct build *b, int group, struct half h,
           struct util_dynarray *work)
{
   struct cfg_tree *t = b->p->t;
   const int bit = cfg_choice_bits(h.num) - 1, split = 1 << bit;
   const int item = cfg_add_item(t, CFG_IF, CFG_NONE);

   cfg_append(t, h.list, item);
   for (int s = 0; s < 2; s++) {
      const int list = cfg_add_list(t, item);
      cfg_item(t, item)->child[s] = list;
      util_dynarray_append(work, struct half,
                           ((struct half) { s ? h.low : h.low + split,
                                            s ? split : h.num - split,
                                            list }));
   }
   cfg_item(t, item)->predicate = cfg_group_predicate(t->g, group, bit);
   return item;
}

/* By the bits of the choice, from the highest on. */
static void
build_selection(struct build *b, struct todo todo)
{
   struct cfg_tree *t = b->p->t;
   const int group = cfg_add_group(t->g, todo.size);
   int *member = arena_new_array(t->arena, int, todo.size);
   struct util_dynarray work = { 0 };
   int head = CFG_NONE, n = 0;

   for (int x = todo.node; n < todo.size; x = b->p->next[x]) {
      if (!b->p->inlined[x])
         member[n++] = x;
   }
   util_dynarray_append(&work, struct half,
                        ((struct half) { 0, todo.size, todo.list }));
   while (util_dynarray_num_elements(&work, struct half)) {
      const struct half h = util_dynarray_pop(&work, struct half);
      if (h.num > 1) {
         const int item = build_half(b, group, h, &work);
         head = head == CFG_NONE ? item : head;
         continue;
      }
      t->arrival[member[h.low]].group = group;
      t->arrival[member[h.low]].choice = h.low;
      push(b, (struct todo) {
                 .node = member[h.low], .list = h.list, .size = 1 });
      /* Jumps go to the selection. */
      t->label[member[h.low]] = head;
   }
   util_dynarray_fini(&work);
   t->num_selections += (unsigned)cfg_choice_bits(todo.size);
}

static void
build_edge(struct build *b, int from, struct cfg_edge *e, int list)
{
   struct cfg_tree *t = b->p->t;

   if (!is_back_edge(t->info, from, e->to) && b->p->inlined[e->to]) {
      push(b, (struct todo) {
                 .node = e->to, .list = list, .edge = e, .size = 1 });
      return;
   }
   const int item = cfg_add_item(t, CFG_JUMP, from);
   cfg_item(t, item)->edge = e;
   cfg_append(t, list, item);
}

static void
build_block(struct build *b, struct todo todo)
{
   struct cfg_tree *t = b->p->t;
   const int x = todo.node;
   struct cfg_node *n = cfg_node(t->g, x);
   const int item = cfg_add_item(t, CFG_BLOCK, x);

   cfg_item(t, item)->edge = todo.edge;
   cfg_append(t, todo.list, item);
   if (!cfg_is_header(t->info, x) && t->label[x] == CFG_NONE)
      t->label[x] = item;
   push_followers(b, b->p->first[x], todo.list);
   if (n->num_succ == 0) {
      cfg_append(t, todo.list, cfg_add_item(t, CFG_RETURN, x));
   } else if (n->num_succ == 1) {
      build_edge(b, x, &n->succ[0], todo.list);
   } else {
      const int nif = cfg_add_item(t, CFG_IF, x);
      cfg_append(t, todo.list, nif);
      cfg_item(t, nif)->predicate = n->predicate;
      for (unsigned s = 0; s < 2; s++) {
         const int arm = cfg_add_list(t, nif);
         cfg_item(t, nif)->child[s] = arm;
         build_edge(b, x, &n->succ[s], arm);
      }
   }
}

static void
build_loop(struct build *b, struct todo todo)
{
   struct cfg_tree *t = b->p->t;
   const int x = todo.node, item = cfg_add_item(t, CFG_LOOP, x);

   cfg_item(t, item)->edge = todo.edge;
   cfg_append(t, todo.list, item);
   if (t->label[x] == CFG_NONE)
      t->label[x] = item;
   t->loop_item[x] = item;
   const int body = cfg_add_list(t, item);
   cfg_item(t, item)->child[0] = body;
   push_followers(b, b->p->first_loop[x], todo.list);
   push(b, (struct todo) {
              .node = x, .list = body, .in_loop = true, .size = 1 });
}

static void
build_all(struct place *p)
{
   struct cfg_tree *t = p->t;
   struct build b = { .p = p };

   t->root = cfg_add_list(t, CFG_NONE);
   push(&b, (struct todo) { .node = t->g->root, .list = t->root, .size = 1 });
   while (util_dynarray_num_elements(&b.stack, struct todo)) {
      const struct todo todo = util_dynarray_pop(&b.stack, struct todo);
      if (todo.size > 1)
         build_selection(&b, todo);
      else if (cfg_is_header(t->info, todo.node) && !todo.in_loop)
         build_loop(&b, todo);
      else
         build_block(&b, todo);
   }
   util_dynarray_fini(&b.stack);
   util_dynarray_fini(&b.groups);
}

void
cfg_tree_build(struct cfg_tree *t, struct cfg *g, const struct cfg_info *info,
               struct arena *arena)
{
   const int n = cfg_num_nodes(g) + 1;
   struct place p = {
      .t = t,
      .info = info,
      .forward = arena_new_array(arena, int, n),
      .inlined = arena_new_array(arena, bool, n),
      .parent = arena_new_array(arena, int, n),
      .after_loop = arena_new_array(arena, bool, n),
      .first = arena_new_array(arena, int, n),
      .first_loop = arena_new_array(arena, int, n),
      .next = arena_new_array(arena, int, n),
      .pre = arena_new_array(arena, int, n),
      .end = arena_new_array(arena, int, n),
      .low = arena_new_array(arena, int, n),
      .depth = arena_new_array(arena, int, n),
   };

   memset(t, 0, sizeof(*t));
   t->arena = arena;
   t->g = g;
   t->info = info;
   t->label = arena_new_array(arena, int, n);
   t->loop_item = arena_new_array(arena, int, n);
   t->arrival = arena_new_array(arena, struct cfg_edge, n);
   for (int i = 0; i < n; i++) {
      t->label[i] = t->loop_item[i] = CFG_NONE;
      t->arrival[i].group = CFG_NONE;
   }
   count_forward(&p);
   find_sinks(&p, arena);
   for (int i = 1; i < info->num; i++)
      place_node(&p, info->order[i]);
   link_followers(&p);
   number_places(&p, arena);
   find_escapes(&p);
   build_all(&p);
}

void
cfg_tree_finish(struct cfg_tree *t)
{
   util_dynarray_foreach(&t->items, struct cfg_item, i) {
      if (i->through)
         util_dynarray_fini(i->through);
   }
   util_dynarray_fini(&t->items);
   util_dynarray_fini(&t->lists);
   util_dynarray_fini(&t->checks);
   util_dynarray_fini(&t->guards);
   util_dynarray_fini(&t->resets);
}
