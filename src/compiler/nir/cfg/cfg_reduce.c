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
 *    the entry meant, by bits that each edge sets. Nothing outside of the
 *    region changes.
 *
 * Only regions are looked into that hold an edge which goes back to what does
 * not dominate it. Each level of those costs what its nodes and edges do.
 */
#include "cfg/structurize.h"

/* Where an edge to an entry goes instead. */
struct detour {
   int head, group, choice; /* head CFG_NONE: it stays */
};

/* By node, of those that there are and those that are made. */
struct node {
   bool cut;    /* edges to the node do not count */
   uint8_t odd; /* edges from it that go back to what does not dominate it */
   int level;   /* the set that it was put into last */
   int region, index, low; /* of the search; region CFG_NONE: none yet */
   uint8_t edge;
   bool entered; /* from outside of its region */
   int copy;     /* CFG_NONE: none */
   struct detour detour;
};

struct reduce {
   struct cfg *g;
   struct util_dynarray nodes; /* struct node */
   struct util_dynarray work;  /* struct util_dynarray of int: sets */
   int levels;
   unsigned copies_left;
   struct nir_structurize_stats *stats;
};

/* The set that is looked at. */
struct level {
   struct util_dynarray set; /* int */
   int id;
   struct util_dynarray members, start; /* int: regions one after the other */
   struct util_dynarray path, stack;    /* int: of the search */
   int next;
};

static struct node *
node_at(const struct reduce *r, int x)
{
   return util_dynarray_element(&r->nodes, struct node, x);
}

static int
element(const struct util_dynarray *ints, int i)
{
   return *util_dynarray_element(ints, int, i);
}

static int
length(const struct util_dynarray *ints)
{
   return (int)util_dynarray_num_elements(ints, int);
}

static int
add_node(struct reduce *r)
{
   const struct node n = { .level = CFG_NONE,
                           .copy = CFG_NONE,
                           .detour = { CFG_NONE, CFG_NONE, CFG_NONE } };

   util_dynarray_append(&r->nodes, struct node, n);
   return cfg_add_node(r->g, CFG_NONE);
}

/* --- Strongly connected regions: Tarjan, SIAM J. Computing 1 (1972) --- */

static void
visit(struct reduce *r, struct level *l, int x)
{
   struct node *n = node_at(r, x);

   n->index = n->low = ++l->next;
   n->edge = 0;
   util_dynarray_append(&l->stack, int, x);
   util_dynarray_append(&l->path, int, x);
}

static void
close_region(struct reduce *r, struct level *l, int x)
{
   const int region = length(&l->start);
   int y;

   util_dynarray_append(&l->start, int, length(&l->members));
   do {
      y = util_dynarray_pop(&l->stack, int);
      node_at(r, y)->region = region;
      util_dynarray_append(&l->members, int, y);
   } while (y != x);
}

static bool
counts(const struct reduce *r, const struct level *l, int to)
{
   return node_at(r, to)->level == l->id && !node_at(r, to)->cut;
}

static void
search_from(struct reduce *r, struct level *l, int root)
{
   visit(r, l, root);
   while (length(&l->path)) {
      const int x = element(&l->path, length(&l->path) - 1);
      const struct cfg_node *succ = cfg_node(r->g, x);
      struct node *n = node_at(r, x);
      if (n->edge == succ->num_succ) {
         if (n->low == n->index)
            close_region(r, l, x);
         (void)util_dynarray_pop(&l->path, int);
         if (length(&l->path)) {
            struct node *up =
               node_at(r, element(&l->path, length(&l->path) - 1));
            up->low = MIN2(up->low, n->low);
         }
         continue;
      }
      const int to = succ->succ[n->edge++].to;
      if (!counts(r, l, to))
         continue;
      if (!node_at(r, to)->index)
         visit(r, l, to);
      else if (node_at(r, to)->region == CFG_NONE)
         n->low = MIN2(n->low, node_at(r, to)->index);
   }
}

/* What is entered from outside of its region: edges from outside of the set
 * lead to what has been cut. Nothing leads back to the root. */
static void
find_entered(struct reduce *r, const struct level *l)
{
   util_dynarray_foreach(&l->set, int, x) {
      const struct cfg_node *n = cfg_node(r->g, *x);
      for (unsigned s = 0; s < n->num_succ; s++) {
         if (counts(r, l, n->succ[s].to) &&
             node_at(r, n->succ[s].to)->region != node_at(r, *x)->region)
            node_at(r, n->succ[s].to)->entered = true;
      }
   }
}

static void
find_regions(struct reduce *r, struct level *l)
{
   l->id = r->levels++;
   util_dynarray_foreach(&l->set, int, x) {
      struct node *n = node_at(r, *x);
      n->level = l->id;
      n->region = CFG_NONE;
      n->index = 0;
      n->entered = false;
   }
   util_dynarray_foreach(&l->set, int, x) {
      if (!node_at(r, *x)->index)
         search_from(r, l, *x);
   }
   util_dynarray_append(&l->start, int, length(&l->members));
   find_entered(r, l);
}

/* --- Copies ----------------------------------------------------------- */

/* Adds what is reached from all entries but `header` without passing it to
 * `marked`, and says how many blocks that is; more than `max`: too many, or
 * one may not be copied. */
static unsigned
mark_copied(struct reduce *r, const struct util_dynarray *entries, int header,
            unsigned max, struct util_dynarray *marked)
{
   const int region = node_at(r, header)->region;
   const int level = node_at(r, header)->level;
   unsigned count = 0;

   util_dynarray_clear(marked);
   util_dynarray_foreach(entries, int, e) {
      if (*e != header) {
         node_at(r, *e)->copy = *e;
         util_dynarray_append(marked, int, *e);
      }
   }
   for (int i = 0; i < length(marked) && count <= max; i++) {
      const int x = element(marked, i);
      const struct cfg_node *n = cfg_node(r->g, x);
      for (int part = x; part != CFG_NONE; part = cfg_node(r->g, part)->rest)
         count++;
      if (cfg_node_is_convergent(r->g, x))
         count = max + 1;
      for (unsigned s = 0; s < n->num_succ; s++) {
         struct node *to = node_at(r, n->succ[s].to);
         if (to->level != level || to->region != region ||
             n->succ[s].to == header || to->copy != CFG_NONE)
            continue;
         to->copy = n->succ[s].to;
         util_dynarray_append(marked, int, n->succ[s].to);
      }
   }
   util_dynarray_foreach(marked, int, x)
      node_at(r, *x)->copy = CFG_NONE;
   return count;
}

/* Edges from outside of the region, and those of copies, go to the copies,
 * which join the set. */
static void
copy_marked(struct reduce *r, struct level *l,
            const struct util_dynarray *marked)
{
   const int region = node_at(r, element(marked, 0))->region;

   util_dynarray_foreach(marked, int, x) {
      const int copy = add_node(r);
      *cfg_node(r->g, copy) = *cfg_node(r->g, *x);
      node_at(r, copy)->odd = node_at(r, *x)->odd;
      node_at(r, copy)->level = l->id;
      node_at(r, copy)->region = CFG_NONE;
      node_at(r, *x)->copy = copy;
      util_dynarray_append(&l->set, int, copy);
   }
   util_dynarray_foreach(&l->set, int, x) {
      struct cfg_node *n = cfg_node(r->g, *x);
      if (node_at(r, *x)->region == region)
         continue;
      for (unsigned s = 0; s < n->num_succ; s++) {
         const int copy = node_at(r, n->succ[s].to)->copy;
         if (copy != CFG_NONE)
            n->succ[s].to = copy;
      }
   }
   util_dynarray_foreach(marked, int, x)
      node_at(r, *x)->copy = CFG_NONE;
}

static bool
try_copies(struct reduce *r, struct level *l,
           const struct util_dynarray *entries)
{
   struct util_dynarray marked = { 0 };
   unsigned fewest = r->copies_left + 1;
   int best = CFG_NONE;

   /* At least the others are copied. */
   for (int i = 0;
        i < length(entries) && length(entries) - 1 <= (int)r->copies_left;
        i++) {
      const unsigned count =
         mark_copied(r, entries, element(entries, i), fewest - 1, &marked);
      if (count < fewest) {
         fewest = count;
         best = element(entries, i);
      }
   }
   if (best != CFG_NONE) {
      mark_copied(r, entries, best, fewest, &marked);
      copy_marked(r, l, &marked);
      node_at(r, best)->cut = true;
      r->copies_left -= fewest;
      r->stats->copies += fewest;
   }
   util_dynarray_fini(&marked);
   return best != CFG_NONE;
}

/* --- A choice --------------------------------------------------------- */

/* Choices from `low` on, between which a node is to choose. */
struct half {
   int low, num, node;
};

/* A tree of nodes that ask for the bits from the highest on; its nodes join
 * the region. */
static void
add_choice(struct reduce *r, const struct util_dynarray *entries,
           struct util_dynarray *region)
{
   const int num = length(entries);
   const int group = cfg_add_group(r->g, num);
   const int head = add_node(r);
   struct util_dynarray work = { 0 };

   util_dynarray_append(&work, struct half, ((struct half) { 0, num, head }));
   while (util_dynarray_num_elements(&work, struct half)) {
      const struct half h = util_dynarray_pop(&work, struct half);
      const int bit = cfg_choice_bits(h.num) - 1, split = 1 << bit;
      struct cfg_node node = {
         .flat = CFG_NONE,
         .rest = CFG_NONE,
         .predicate = cfg_group_predicate(r->g, group, bit),
         .num_succ = 2,
      };
      util_dynarray_append(region, int, h.node);
      for (unsigned s = 0; s < 2; s++) {
         const int low = s ? h.low : h.low + split;
         const int n = s ? split : h.num - split;
         int to = element(entries, low);
         if (n > 1) {
            to = add_node(r);
            util_dynarray_append(&work, struct half,
                                 ((struct half) { low, n, to }));
         }
         node.succ[s] = cfg_edge(to, CFG_NONE, CFG_NONE);
      }
      *cfg_node(r->g, h.node) = node;
   }
   util_dynarray_fini(&work);
   for (int k = 0; k < num; k++)
      node_at(r, element(entries, k))->detour =
         (struct detour) { head, group, k };
   node_at(r, head)->cut = true;
   r->stats->dispatchers++;
   r->stats->state_variables += (unsigned)cfg_choice_bits(num);
}

/* Edges that were there before go to the new headers. */
static void
take_detours(struct reduce *r, const struct level *l)
{
   util_dynarray_foreach(&l->set, int, x) {
      struct cfg_node *n = cfg_node(r->g, *x);
      for (unsigned s = 0; s < n->num_succ; s++) {
         struct cfg_edge *e = &n->succ[s];
         const struct detour *d = &node_at(r, e->to)->detour;
         if (d->head == CFG_NONE)
            continue;
         assert(e->group == CFG_NONE && "an edge with a choice is cut");
         e->to = d->head;
         e->group = d->group;
         e->choice = d->choice;
      }
   }
   util_dynarray_foreach(&l->set, int, x)
      node_at(r, *x)->detour.head = CFG_NONE;
}

/* --- All -------------------------------------------------------------- */

/* Whether an edge in the region goes back to what does not dominate it. */
static bool
is_odd(const struct reduce *r, const struct level *l,
       const struct util_dynarray *region)
{
   util_dynarray_foreach(region, int, x) {
      const struct node *n = node_at(r, *x);
      for (unsigned s = 0; s < 2; s++) {
         const int to = cfg_node(r->g, *x)->succ[s].to;
         if (n->odd & 1 << s && counts(r, l, to) &&
             node_at(r, to)->region == n->region)
            return true;
      }
   }
   return false;
}

/* One region; true: copies were made, and all of the set is to be looked at
 * again. */
static bool
cure_region(struct reduce *r, struct level *l, int first, int end)
{
   struct util_dynarray entries = { 0 }, region = { 0 };
   bool copied = false;

   if (end - first == 1)
      return false;
   for (int i = first; i < end; i++) {
      const int x = element(&l->members, i);
      util_dynarray_append(&region, int, x);
      if (node_at(r, x)->entered)
         util_dynarray_append(&entries, int, x);
   }
   if (length(&entries) > 1) {
      copied = try_copies(r, l, &entries);
      if (!copied)
         add_choice(r, &entries, &region);
   }
   if (length(&entries) > 1 || is_odd(r, l, &region)) {
      if (length(&entries) == 1)
         node_at(r, element(&entries, 0))->cut = true;
      util_dynarray_append(&r->work, struct util_dynarray, region);
   } else {
      util_dynarray_fini(&region);
   }
   util_dynarray_fini(&entries);
   return copied;
}

static void
cure_level(struct reduce *r, struct util_dynarray set)
{
   const size_t before =
      util_dynarray_num_elements(&r->work, struct util_dynarray);
   struct level l = { .set = set };
   bool copied = false;

   find_regions(r, &l);
   for (int i = 0; i + 1 < length(&l.start); i++)
      copied |=
         cure_region(r, &l, element(&l.start, i), element(&l.start, i + 1));
   take_detours(r, &l);
   if (copied) {
      /* With the copies, and what regions have got. */
      while (util_dynarray_num_elements(&r->work, struct util_dynarray) >
             before) {
         struct util_dynarray region =
            util_dynarray_pop(&r->work, struct util_dynarray);
         util_dynarray_foreach(&region, int, x) {
            if (node_at(r, *x)->level != l.id)
               util_dynarray_append(&l.set, int, *x);
         }
         util_dynarray_fini(&region);
      }
      util_dynarray_append(&r->work, struct util_dynarray, l.set);
   } else {
      util_dynarray_fini(&l.set);
   }
   util_dynarray_fini(&l.members);
   util_dynarray_fini(&l.start);
   util_dynarray_fini(&l.path);
   util_dynarray_fini(&l.stack);
}

/* All nodes that are reached; false: the graph is reducible. */
static bool
begin(struct reduce *r)
{
   struct arena *arena = arena_create(NULL);
   struct util_dynarray set = { 0 };
   struct cfg_info info;
   bool odd = false;

   cfg_analyze(r->g, &info, arena);
   util_dynarray_clear(&r->nodes);
   for (int x = 0; x < cfg_num_nodes(r->g); x++)
      util_dynarray_append(
         &r->nodes, struct node,
         ((struct node) { .level = CFG_NONE,
                          .copy = CFG_NONE,
                          .detour = { CFG_NONE, CFG_NONE, CFG_NONE } }));
   for (int i = 0; i < info.num; i++) {
      const int x = info.order[i];
      const struct cfg_node *n = cfg_node(r->g, x);
      util_dynarray_append(&set, int, x);
      for (unsigned s = 0; s < n->num_succ; s++) {
         if (info.rpo[n->succ[s].to] <= i &&
             !cfg_dominates(&info, n->succ[s].to, x))
            node_at(r, x)->odd |= 1 << s;
      }
      odd |= node_at(r, x)->odd != 0;
   }
   arena_destroy(arena);
   if (odd)
      util_dynarray_append(&r->work, struct util_dynarray, set);
   else
      util_dynarray_fini(&set);
   return odd;
}

void
cfg_make_reducible(struct cfg *g, unsigned max_copies,
                   struct nir_structurize_stats *stats)
{
   struct reduce r = {
      .g = g,
      .copies_left = max_copies,
      .stats = stats,
   };

   /* What is in a region may be odd by what was changed around it. */
   while (begin(&r)) {
      while (util_dynarray_num_elements(&r.work, struct util_dynarray))
         cure_level(&r, util_dynarray_pop(&r.work, struct util_dynarray));
   }
   util_dynarray_fini(&r.nodes);
   util_dynarray_fini(&r.work);
}
