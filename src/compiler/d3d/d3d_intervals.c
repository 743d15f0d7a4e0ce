/* SPDX-License-Identifier: MIT */
#include "d3d_intervals.h"

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

int
d3d_interval_compare(const void *a, const void *b)
{
   const struct d3d_interval *x = *(struct d3d_interval *const *)a;
   const struct d3d_interval *y = *(struct d3d_interval *const *)b;

   return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                               : (x > y) - (x < y);
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
