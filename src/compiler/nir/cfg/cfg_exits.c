/* SPDX-License-Identifier: MIT */
/*
 * How each jump is made, where NIR has if, loop, and break and continue of
 * the innermost loop only.
 *
 * Most jumps go where control comes anyway, or are break and continue. For a
 * place that other jumps go to forward, there are two ways:
 *
 *  - a loop of one trip around what is jumped over, which is left by break.
 *    It takes break and continue from what it holds: it is used only if
 *    nothing in it jumps further than after it;
 *  - an exit predicate: set where the jump is, which then leaves the loops
 *    on its way one by one, `if (predicate) break` after each, while what
 *    else it comes by is put under `if (!predicate)`.
 *
 * No predicate can be saved in general: Kosaraju, "Analysis of Structured
 * Programs", JCSS 9 (1974), shows that programs with exits from n + 1 loops
 * are more than those with exits from n, unless there is a new variable. See
 * docs/structurizer.rst for the smallest graph.
 *
 * Cost: O(n log n), and the length of the ways for predicates.
 */
#include "cfg/cfg_tree.h"
#include "util/guard.h"

int
cfg_place_after(const struct cfg_tree *t, int item)
{
   const struct cfg_item *i = cfg_item(t, item);

   return i->next != CFG_NONE ? i->next : cfg_list(t, i->list)->follow;
}

/* --- Lists, from the outside in --------------------------------------- */

static void
enter_list(struct cfg_tree *t, int list, int parent)
{
   struct cfg_list *l = cfg_list(t, list);
   const struct cfg_item *p = cfg_item(t, parent);
   const struct cfg_list *outer = cfg_list(t, p->list);

   l->parent = parent;
   l->depth = outer->depth + 1;
   if (p->kind == CFG_LOOP) {
      l->loop = parent;
      l->follow = p->one_trip ? cfg_place_after(t, parent)
                              : CFG_START_OF(parent);
   } else {
      l->loop = outer->loop;
      l->follow = cfg_place_after(t, parent);
   }
}

/* Fills in what lists and items know of their surroundings. */
static void
walk_lists(struct cfg_tree *t)
{
   const int num =
      (int)util_dynarray_num_elements(&t->lists, struct cfg_list);
   int *cursor = guard_alloc((size_t)(num + 1), sizeof(int));
   int *stack = guard_alloc((size_t)(num + 1), sizeof(int));
   int top = 0, pre = 0;

   for (int i = 0; i < num; i++)
      cursor[i] = cfg_list(t, i)->first;
   t->order = arena_new_array(t->arena, int, num + 1);
   t->num_order = 0;
   stack[top++] = t->root;
   t->order[t->num_order++] = t->root;
   while (top) {
      const int list = stack[top - 1], i = cursor[list];
      if (i == CFG_NONE) {
         top--;
         continue;
      }
      const struct cfg_item *item = cfg_item(t, i);
      cursor[list] = item->next;
      cfg_item(t, i)->pre = pre++;
      for (int c = 1; c >= 0; c--) {
         if (item->child[c] == CFG_NONE)
            continue;
         enter_list(t, item->child[c], i);
         t->order[t->num_order++] = item->child[c];
         stack[top++] = item->child[c];
      }
   }
   guard_free(cursor);
   guard_free(stack);
}

/* --- Targets ---------------------------------------------------------- */

static int
target_of(const struct cfg_tree *t, const struct cfg_item *jump)
{
   if (jump->kind == CFG_RETURN)
      return CFG_END;
   const int to = jump->edge->to;
   if (t->info->rpo[to] <= t->info->rpo[jump->node])
      return CFG_START_OF(t->loop_item[to]);
   return cfg_item(t, t->label[to])->head;
}

/* Whether the jump needs nothing new. */
static bool
is_plain(struct cfg_tree *t, int i)
{
   struct cfg_item *jump = cfg_item(t, i);
   const int loop = cfg_list(t, jump->list)->loop;

   jump->target = target_of(t, jump);
   if (cfg_place_after(t, i) == jump->target)
      jump->how = CFG_FALLS;
   else if (jump->target == CFG_END)
      jump->how = CFG_RETURNS;
   else if (loop != CFG_NONE && jump->target == CFG_START_OF(loop))
      jump->how = CFG_CONTINUES;
   else if (loop != CFG_NONE && cfg_place_after(t, loop) == jump->target)
      jump->how = CFG_BREAKS;
   else
      return false;
   return true;
}

static bool
is_jump(const struct cfg_item *i)
{
   return i->kind == CFG_JUMP || i->kind == CFG_RETURN;
}

/* --- Loops of one trip ------------------------------------------------ */

#define REACH_DEPTH(reach) (INT32_MAX - (int)((reach) >> 32))

/* Orders the places that can be jumped to from one point: further out is
 * more, and so is further back in one list. */
static uint64_t
reach_of(const struct cfg_tree *t, int target)
{
   uint32_t pos = UINT32_MAX;
   int list;

   if (target < CFG_NONE) {
      list = cfg_item(t, -2 - target)->child[0];
   } else {
      list = cfg_item(t, target)->list;
      pos = (uint32_t)cfg_item(t, target)->pos;
   }
   return (uint64_t)(INT32_MAX - cfg_list(t, list)->depth) << 32 | pos;
}

/* A range of a list that wants to become a loop: the places from `first` up
 * to `until`, which other ranges may not cross. */
struct range {
   int list, first, until;
};

struct ranges {
   struct cfg_tree *t;
   int *start, *items; /* by list: its items in order */
   int *first;         /* by item: the first place in its list that holds
                            * a jump to it which is not plain; -1 */
   bool *far;          /* by item: a jump to it comes out of a loop */
   struct util_dynarray chosen; /* struct range */
};

static void
list_items(struct ranges *r)
{
   struct cfg_tree *t = r->t;
   const int lists =
      (int)util_dynarray_num_elements(&t->lists, struct cfg_list);
   int n = 0;

   r->start = arena_new_array(t->arena, int, lists + 1);
   r->items = arena_new_array(
      t->arena, int,
      util_dynarray_num_elements(&t->items, struct cfg_item) + 1);
   for (int l = 0; l < lists; l++) {
      r->start[l] = n;
      for (int i = cfg_list(t, l)->first; i != CFG_NONE;
           i = cfg_item(t, i)->next)
         r->items[n++] = i;
   }
   r->start[lists] = n;
}

/* The position in `list` of the item that `inner` lies in. */
static int
position_around(const struct ranges *r, int list, int inner)
{
   const int pre = cfg_item(r->t, inner)->pre;
   int low = r->start[list], high = r->start[list + 1] - 1;

   while (low < high) {
      const int mid = (low + high + 1) / 2;
      if (cfg_item(r->t, r->items[mid])->pre <= pre)
         low = mid;
      else
         high = mid - 1;
   }
   return low - r->start[list];
}

static void
note_jump(struct ranges *r, int i)
{
   struct cfg_tree *t = r->t;
   struct cfg_item *jump = cfg_item(t, i);

   if (is_plain(t, i)) {
      if (jump->how == CFG_BREAKS || jump->how == CFG_CONTINUES)
         jump->reach = reach_of(t, jump->target);
      return;
   }
   jump->reach = reach_of(t, jump->target);
   if (jump->target < 0)
      return;
   const int list = cfg_item(t, jump->target)->list;
   if (cfg_list(t, list)->loop != cfg_list(t, jump->list)->loop)
      r->far[jump->target] = true;
   const int pos = position_around(r, list, i);
   int *first = &r->first[jump->target];
   if (*first < 0 || pos < *first)
      *first = pos;
}

/* The furthest jump of a list becomes one of the item around it. */
static void
pass_reach_up(struct cfg_tree *t, int list)
{
   struct cfg_list *l = cfg_list(t, list);
   uint64_t reach = 0;

   for (int i = l->first; i != CFG_NONE; i = cfg_item(t, i)->next)
      reach = MAX2(reach, cfg_item(t, i)->reach);
   if (l->parent == CFG_NONE || !reach || REACH_DEPTH(reach) >= l->depth)
      return;
   struct cfg_item *parent = cfg_item(t, l->parent);
   if (parent->kind == CFG_LOOP) {
      const int after_loop = cfg_place_after(t, l->parent);
      if (after_loop != CFG_END && reach_of(t, after_loop) == reach)
         return;
   }
   parent->reach = MAX2(parent->reach, reach);
}

/* Nothing may jump from the range further than after it, and nothing into
 * the middle of it. */
static void
choose_range(struct ranges *r, int label)
{
   struct cfg_tree *t = r->t;
   const struct cfg_item *x = cfg_item(t, label);
   const int *items = r->items + r->start[x->list];
   int first = r->first[label];

   if (first < 0 || r->far[label])
      return;
   const uint64_t limit = reach_of(t, label);
   if (cfg_item(t, items[first])->reach > limit)
      return;
   for (int pos = x->pos - 1; pos >= first; pos--) {
      if (cfg_item(t, items[pos])->reach > limit)
         return;
      if (pos > first && r->first[items[pos]] >= 0)
         first = MIN2(first, r->first[items[pos]]);
   }
   util_dynarray_append(&r->chosen, struct range,
                        ((struct range) { x->list, first, x->pos }));
}

static int
compare_ranges(const void *a_, const void *b_)
{
   const struct range *a = a_, *b = b_;

   if (a->list != b->list)
      return a->list - b->list;
   return a->first != b->first ? a->first - b->first : b->until - a->until;
}

/* Rebuilds one list with the ranges as loops. */
static void
apply_ranges(struct ranges *r, const struct range *range, int num)
{
   struct cfg_tree *t = r->t;
   const int list = range->list, start = r->start[list];
   const int count = r->start[list + 1] - start;
   int *open = arena_new_array(t->arena, int, num + 1);
   int *into = arena_new_array(t->arena, int, num + 1);
   int top = 0, next = 0;

   into[0] = list;
   cfg_list(t, list)->first = cfg_list(t, list)->last = CFG_NONE;
   cfg_list(t, list)->num = 0;
   for (int pos = 0; pos < count; pos++) {
      const int item = r->items[start + pos];
      while (top && range[open[top]].until == pos)
         top--;
      for (; next < num && range[next].first == pos; next++) {
         const int loop = cfg_add_item(t, CFG_LOOP, CFG_NONE);
         const int body = cfg_add_list(t, loop);
         cfg_append(t, into[top], loop);
         cfg_item(t, loop)->one_trip = true;
         cfg_item(t, loop)->child[0] = body;
         if (cfg_item(t, item)->head == item)
            cfg_item(t, item)->head = loop;
         open[++top] = next;
         into[top] = body;
         t->num_one_trip++;
      }
      cfg_append(t, into[top], item);
   }
}

static void
make_one_trip_loops(struct cfg_tree *t)
{
   const int num =
      (int)util_dynarray_num_elements(&t->items, struct cfg_item);
   struct ranges r = { .t = t };

   list_items(&r);
   r.first = arena_new_array(t->arena, int, num + 1);
   r.far = arena_new_array(t->arena, bool, num + 1);
   for (int i = 0; i < num; i++)
      r.first[i] = -1;
   for (int i = 0; i < num; i++) {
      if (is_jump(cfg_item(t, i)))
         note_jump(&r, i);
   }
   for (int i = t->num_order - 1; i >= 0; i--)
      pass_reach_up(t, t->order[i]);
   for (int i = 0; i < num; i++)
      choose_range(&r, i);
   const int chosen =
      (int)util_dynarray_num_elements(&r.chosen, struct range);
   struct range *range = r.chosen.data;
   if (chosen)
      qsort(range, (size_t)chosen, sizeof(*range), compare_ranges);
   for (int i = 0, end; i < chosen; i = end) {
      for (end = i; end < chosen && range[end].list == range[i].list; end++)
         ;
      apply_ranges(&r, range + i, end - i);
   }
   util_dynarray_fini(&r.chosen);
}

/* --- Exit predicates -------------------------------------------------- */

struct exits {
   struct cfg_tree *t;
   int *of_item, *of_loop; /* the predicate for that target; CFG_NONE */
};

static int
predicate_for(struct exits *e, int target)
{
   int *p = target < CFG_NONE ? &e->of_loop[-2 - target]
                              : &e->of_item[target];

   if (*p == CFG_NONE) {
      *p = e->t->g->num_predicates++;
      e->t->num_exits++;
   }
   return *p;
}

static void
add_check(struct cfg_tree *t, int item, int predicate, enum cfg_jump_how how)
{
   struct cfg_item *i = cfg_item(t, item);
   const struct cfg_check c = { predicate, i->first_check, how };

   i->first_check =
      (int)util_dynarray_num_elements(&t->checks, struct cfg_check);
   util_dynarray_append(&t->checks, struct cfg_check, c);
}

static void
add_guard(struct cfg_tree *t, int item, int predicate, int until)
{
   struct cfg_item *i = cfg_item(t, item);
   const struct cfg_guard g = { predicate, until, i->first_guard };

   if (i->next == CFG_NONE || i->next == until)
      return;
   i->first_guard =
      (int)util_dynarray_num_elements(&t->guards, struct cfg_guard);
   util_dynarray_append(&t->guards, struct cfg_guard, g);
}

/* At the start of the list: a guard in it may lie around what is between. */
static void
add_reset(struct cfg_tree *t, int list, int predicate)
{
   struct cfg_item *i = cfg_item(t, cfg_list(t, list)->first);
   const struct cfg_reset r = { predicate, i->first_reset };

   i->first_reset =
      (int)util_dynarray_num_elements(&t->resets, struct cfg_reset);
   util_dynarray_append(&t->resets, struct cfg_reset, r);
}

static void
add_through(struct cfg_tree *t, int loop, int predicate)
{
   struct cfg_item *i = cfg_item(t, loop);

   if (!i->through)
      i->through = arena_new(t->arena, struct util_dynarray);
   util_dynarray_append(i->through, int, predicate);
}

static bool
been_here(struct cfg_tree *t, int item, int predicate)
{
   struct cfg_item *i = cfg_item(t, item);

   if (i->seen == predicate)
      return true;
   i->seen = predicate;
   return false;
}

/* Out of the ifs around `at` to the list of the target, in one loop. */
static void
skip_to(struct cfg_tree *t, int at, int target, int predicate)
{
   const int list = cfg_item(t, target)->list;

   for (;;) {
      if (cfg_item(t, at)->list == list) {
         add_guard(t, at, predicate, target);
         add_reset(t, list, predicate);
         return;
      }
      if (cfg_place_after(t, at) != target)
         add_guard(t, at, predicate, CFG_NONE);
      at = cfg_list(t, cfg_item(t, at)->list)->parent;
      if (been_here(t, at, predicate))
         return;
   }
}

/* From a jump out of loops to its target. */
static void
go_out(struct cfg_tree *t, int jump, int target, int predicate)
{
   const int home = target < CFG_NONE
                       ? -2 - target
                       : cfg_list(t, cfg_item(t, target)->list)->loop;
   int at = jump, loop = cfg_list(t, cfg_item(t, at)->list)->loop;

   while (loop != home) {
      if (at == jump)
         cfg_item(t, jump)->how = CFG_BREAKS;
      else
         add_check(t, at, predicate, CFG_BREAKS);
      at = loop;
      if (been_here(t, at, predicate))
         return;
      add_through(t, at, predicate);
      loop = cfg_list(t, cfg_item(t, at)->list)->loop;
   }
   if (target < CFG_NONE) {
      add_reset(t, cfg_item(t, home)->child[0], predicate);
      if (cfg_place_after(t, at) != target)
         add_check(t, at, predicate, CFG_CONTINUES);
   } else {
      skip_to(t, at, target, predicate);
   }
}

static void
make_exits(struct cfg_tree *t)
{
   const int num =
      (int)util_dynarray_num_elements(&t->items, struct cfg_item);
   struct exits e = {
      .t = t,
      .of_item = arena_new_array(t->arena, int, num + 1),
      .of_loop = arena_new_array(t->arena, int, num + 1),
   };

   for (int i = 0; i < num; i++)
      e.of_item[i] = e.of_loop[i] = CFG_NONE;
   for (int i = 0; i < num; i++) {
      struct cfg_item *jump = cfg_item(t, i);
      if (!is_jump(jump) || is_plain(t, i))
         continue;
      const int predicate = predicate_for(&e, jump->target);
      jump->exit_predicate = predicate;
      jump->how = CFG_FALLS;
      go_out(t, i, jump->target, predicate);
   }
}

void
cfg_resolve_jumps(struct cfg_tree *t)
{
   walk_lists(t);
   make_one_trip_loops(t);
   walk_lists(t);
   make_exits(t);
}
