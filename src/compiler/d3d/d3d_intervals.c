/* SPDX-License-Identifier: MIT */
#include "d3d_intervals.h"

#include "util/arena.h"

static int
count_cf(struct list_head *list)
{
   nir_cf_node *first = nir_cf_list_first(list);
   nir_block *end = nir_cf_node_cf_tree_next(nir_cf_list_last(list));
   int n = 0;

   for (nir_block *b = nir_cf_node_cf_tree_first(first); b != end;
        b = nir_block_cf_tree_next(b))
      n += 2 + (int)list_length(&b->instr_list);
   return n;
}

static void walk_list(struct d3d_walk *w, struct list_head *list);

static void
walk_node(struct d3d_walk *w, nir_cf_node *node)
{
   if (node->type == nir_cf_node_if) {
      nir_if *nif = nir_cf_node_as_if(node);
      w->src(&nif->condition, w);
      walk_list(w, &nif->then_list);
      walk_list(w, &nif->else_list);
   } else if (node->type == nir_cf_node_loop) {
      nir_loop *loop = nir_cf_node_as_loop(node);
      assert(w->num_loops < D3D_MAX_NESTING);
      w->loop[w->num_loops].first = w->position;
      w->loop[w->num_loops++].last = w->position + count_cf(&loop->body);
      walk_list(w, &loop->body);
      w->num_loops--;
   } else {
      nir_block *block = nir_cf_node_as_block(node);
      nir_foreach_instr(instr, block) {
         if (instr->kind != nir_kind_phi) {
            nir_visit_uses(instr, w->src, w);
            nir_visit_value(instr, w->dest, w);
         }
         w->position++;
      }
      w->position += 2;
   }
}

/* As deep as the nesting, which is bounded by the caller. */
static void
walk_list(struct d3d_walk *w, struct list_head *list)
{
   list_for_each_entry(nir_cf_node, node, list, node)
      walk_node(w, node);
}

void
d3d_walk(struct d3d_walk *w, nir_function_impl *impl)
{
   walk_list(w, &impl->body);
}

void
d3d_interval_touch(const struct d3d_walk *w, struct d3d_interval *i,
                   bool is_web)
{
   int first = w->position, last = w->position;

   /* The outermost loop that the value's definition is outside of. */
   for (unsigned k = 0; k < w->num_loops; k++) {
      if (is_web || (i->start >= 0 && i->start < w->loop[k].first)) {
         last = w->loop[k].last;
         if (is_web)
            first = w->loop[k].first;
         break;
      }
   }
   if (i->start < 0 || first < i->start)
      i->start = first;
   i->end = MAX2(i->end, last);
}

static int
compare_places(const void *a, const void *b)
{
   const struct d3d_place *x = *(struct d3d_place *const *)a;
   const struct d3d_place *y = *(struct d3d_place *const *)b;

   return x->live.start != y->live.start ? (x->live.start > y->live.start) -
                                              (x->live.start < y->live.start)
                                         : (x > y) - (x < y);
}

/* How many places from the first on are to share a register. */
static unsigned
num_together(struct d3d_place **p, unsigned most)
{
   unsigned n = 1;

   while (n < most && n < 4 && p[0]->size == 1 && p[n]->size == 1 &&
          p[n]->value == p[0]->value && p[n]->live.start == p[0]->live.start)
      n++;
   return n;
}

/* The first register with as many free components; or -1. */
static int
register_for(struct d3d_place **p, unsigned n, const int *busy_until,
             unsigned limit)
{
   const unsigned step = p[0]->size;

   for (unsigned r = 0; r < limit; r++) {
      unsigned found = 0;
      for (unsigned c = 0; c < 4 && found < n; c += step) {
         bool free = true;
         for (unsigned i = 0; i < step; i++)
            free &= busy_until[4 * r + c + i] < p[0]->live.start;
         if (free)
            p[found++]->comp = (uint8_t)c;
      }
      if (found == n)
         return (int)r;
   }
   return -1;
}

unsigned
d3d_allocate(struct d3d_place **places, unsigned n, unsigned limit)
{
   struct arena *arena = arena_create(NULL);
   int *busy_until = arena_new_array(arena, int, 4 * limit);
   unsigned used = 0;

   if (n)
      qsort(places, n, sizeof(*places), compare_places);
   memset(busy_until, 0xff, sizeof(int) * 4 * limit);
   for (unsigned i = 0; i < n;) {
      struct d3d_place **p = places + i;
      unsigned together = num_together(p, n - i);
      int r = register_for(p, together, busy_until, limit);
      if (r < 0) {
         together = 1;
         r = register_for(p, 1, busy_until, limit);
      }
      if (r < 0) {
         used = limit + 1;
         break;
      }
      for (unsigned k = 0; k < together; k++) {
         p[k]->reg = (uint16_t)r;
         for (unsigned c = 0; c < p[k]->size; c++)
            busy_until[4 * r + p[k]->comp + (int)c] = p[k]->live.end;
      }
      used = MAX2(used, (unsigned)r + 1);
      i += together;
   }
   arena_destroy(arena);
   return used;
}

bool
d3d_nests_within(nir_function_impl *impl, unsigned most)
{
   nir_foreach_block(block, impl) {
      unsigned depth = 0;
      for (nir_cf_node *n = block->cf_node.parent; n; n = n->parent)
         depth++;
      if (depth > most)
         return false;
   }
   return true;
}
