/* SPDX-License-Identifier: MIT */
/* Cursors, insertion and removal of instructions, walks over the tree. */
#include "nir.h"

#include "nir_private.h"
#include "util/dynarray.h"

/* --- The tree ----------------------------------------------------------- */

/* The list that a node lies in has its head in the parent. */
static bool
is_list_head(const nir_cf_node *node, const struct list_head *link)
{
   const nir_cf_node *parent = node->parent;
   switch (parent->type) {
   case nir_cf_node_if: {
      const nir_if *nif = nir_cf_node_as_if(parent);
      return link == &nif->then_list || link == &nif->else_list;
   }
   case nir_cf_node_loop: return link == &nir_cf_node_as_loop(parent)->body;
   case nir_cf_node_function:
      return link == &nir_cf_node_as_function(parent)->body;
   case nir_cf_node_block: break;
   }
   unreachable("a block has no nodes inside");
}

nir_cf_node *
nir_cf_node_next(nir_cf_node *node)
{
   struct list_head *next = node->node.next;
   if (!next || !node->parent || is_list_head(node, next))
      return NULL;
   return list_entry(next, nir_cf_node, node);
}

nir_cf_node *
nir_cf_node_prev(nir_cf_node *node)
{
   struct list_head *prev = node->node.prev;
   if (!prev || !node->parent || is_list_head(node, prev))
      return NULL;
   return list_entry(prev, nir_cf_node, node);
}

nir_block *
nir_cf_node_cf_tree_first(nir_cf_node *node)
{
   switch (node->type) {
   case nir_cf_node_function:
      return nir_start_block(nir_cf_node_as_function(node));
   case nir_cf_node_if:
      return nir_if_first_then_block(nir_cf_node_as_if(node));
   case nir_cf_node_loop:
      return nir_loop_first_block(nir_cf_node_as_loop(node));
   case nir_cf_node_block: return nir_cf_node_as_block(node);
   }
   unreachable("node type");
}

nir_block *
nir_cf_node_cf_tree_last(nir_cf_node *node)
{
   switch (node->type) {
   case nir_cf_node_function:
      return nir_impl_last_block(nir_cf_node_as_function(node));
   case nir_cf_node_if:
      return nir_if_last_else_block(nir_cf_node_as_if(node));
   case nir_cf_node_loop:
      return nir_loop_last_block(nir_cf_node_as_loop(node));
   case nir_cf_node_block: return nir_cf_node_as_block(node);
   }
   unreachable("node type");
}

nir_block *
nir_block_cf_tree_next(nir_block *block)
{
   if (!block)
      return NULL;
   nir_cf_node *next = nir_cf_node_next(&block->cf_node);
   if (next)
      return nir_cf_node_cf_tree_first(next);

   nir_cf_node *parent = block->cf_node.parent;
   if (parent->type == nir_cf_node_function)
      return NULL;
   if (parent->type == nir_cf_node_if) {
      nir_if *nif = nir_cf_node_as_if(parent);
      if (block == nir_if_last_then_block(nif))
         return nir_if_first_else_block(nif);
   }
   return nir_cf_node_as_block(nir_cf_node_next(parent));
}

nir_block *
nir_block_cf_tree_prev(nir_block *block)
{
   if (!block)
      return NULL;
   nir_cf_node *prev = nir_cf_node_prev(&block->cf_node);
   if (prev)
      return nir_cf_node_cf_tree_last(prev);

   nir_cf_node *parent = block->cf_node.parent;
   if (parent->type == nir_cf_node_function)
      return NULL;
   if (parent->type == nir_cf_node_if) {
      nir_if *nif = nir_cf_node_as_if(parent);
      if (block == nir_if_first_else_block(nif))
         return nir_if_last_then_block(nif);
   }
   return nir_cf_node_as_block(nir_cf_node_prev(parent));
}

nir_block *
nir_cf_node_cf_tree_next(nir_cf_node *node)
{
   switch (node->type) {
   case nir_cf_node_function: return NULL;
   case nir_cf_node_if:
   case nir_cf_node_loop: /* a block stands behind each */
      return nir_cf_node_as_block(nir_cf_node_next(node));
   case nir_cf_node_block: break;
   }
   return nir_block_cf_tree_next(nir_cf_node_as_block(node));
}

nir_if *
nir_block_get_following_if(nir_block *block)
{
   nir_cf_node *next = nir_cf_node_next(&block->cf_node);
   return next && next->type == nir_cf_node_if ? nir_cf_node_as_if(next)
                                               : NULL;
}

nir_loop *
nir_block_get_following_loop(nir_block *block)
{
   nir_cf_node *next = nir_cf_node_next(&block->cf_node);
   return next && next->type == nir_cf_node_loop ? nir_cf_node_as_loop(next)
                                                 : NULL;
}

nir_function_impl *
nir_cf_node_get_function(const nir_cf_node *node)
{
   while (node->type != nir_cf_node_function)
      node = node->parent;
   return nir_cf_node_as_function(node);
}

static int
compare_block_index(const void *a, const void *b)
{
   const nir_block *const *x = a, *const *y = b;
   return (int)(*x)->index - (int)(*y)->index;
}

nir_block **
nir_block_get_predecessors_sorted(const nir_block *block, struct arena *arena)
{
   nir_block **preds =
      arena_new_array(arena, nir_block *, block->num_predecessors);
   for (unsigned i = 0; i < block->num_predecessors; i++)
      preds[i] = block->predecessors[i];
   qsort(preds, block->num_predecessors, sizeof(*preds), compare_block_index);
   return preds;
}

/* --- Cursors ------------------------------------------------------------ */

nir_block *
nir_cursor_current_block(nir_cursor cursor)
{
   if (cursor.option == nir_cursor_before_instr ||
       cursor.option == nir_cursor_after_instr)
      return cursor.instr->block;
   return cursor.block;
}

/* Of the ways to name one place, always the same. */
static nir_cursor
normal_cursor(nir_cursor cursor)
{
   switch (cursor.option) {
   case nir_cursor_before_block:
      if (list_is_empty(&cursor.block->instr_list))
         return nir_after_block(cursor.block);
      return nir_before_instr(nir_block_first_instr(cursor.block));
   case nir_cursor_after_block: return cursor;
   case nir_cursor_before_instr: return cursor;
   case nir_cursor_after_instr: {
      nir_instr *next = nir_instr_next(cursor.instr);
      return next ? nir_before_instr(next)
                  : nir_after_block(cursor.instr->block);
   }
   }
   unreachable("cursor option");
}

bool
nir_cursors_equal(nir_cursor a, nir_cursor b)
{
   a = normal_cursor(a);
   b = normal_cursor(b);
   return a.option == b.option && a.block == b.block;
}

nir_cursor
nir_after_block_before_jump(nir_block *block)
{
   nir_instr *last = nir_block_last_instr(block);
   if (last && last->kind == nir_kind_jump)
      return nir_before_instr(last);
   return nir_after_block(block);
}

nir_cursor
nir_after_phis(nir_block *block)
{
   nir_foreach_instr(instr, block) {
      if (instr->kind != nir_kind_phi)
         return nir_before_instr(instr);
   }
   return nir_after_block(block);
}

nir_cursor
nir_after_instr_and_phis(nir_instr *instr)
{
   if (instr->kind == nir_kind_phi)
      return nir_after_phis(instr->block);
   return nir_after_instr(instr);
}

/* The node if it is a block, else the block beside it. */
static nir_block *
block_at(nir_cf_node *node, nir_cf_node *(*beside)(nir_cf_node *node))
{
   return nir_cf_node_as_block(
      node->type == nir_cf_node_block ? node : beside(node));
}

nir_cursor
nir_before_cf_node(nir_cf_node *node)
{
   nir_block *block = block_at(node, nir_cf_node_prev);
   return &block->cf_node == node ? nir_before_block(block)
                                  : nir_after_block(block);
}

nir_cursor
nir_after_cf_node(nir_cf_node *node)
{
   nir_block *block = block_at(node, nir_cf_node_next);
   return &block->cf_node == node ? nir_after_block(block)
                                  : nir_before_block(block);
}

nir_cursor
nir_after_cf_node_and_phis(nir_cf_node *node)
{
   nir_block *block = block_at(node, nir_cf_node_next);
   return &block->cf_node == node ? nir_after_block(block)
                                  : nir_after_phis(block);
}

/* --- Insertion and removal ---------------------------------------------- */

void
nir_instr_insert(nir_cursor cursor, nir_instr *instr)
{
   nir_block *block = nir_cursor_current_block(cursor);
   nir_function_impl *impl = nir_cf_node_get_function(&block->cf_node);

   if (!instr->location && impl->function->shader->num_locations)
      instr->location = nir_cursor_location(cursor);
   switch (cursor.option) {
   case nir_cursor_before_block:
      /* A phi may only stand first, all else only after the phis. */
      if (instr->kind == nir_kind_phi || list_is_empty(&block->instr_list))
         list_add(&instr->node, &block->instr_list);
      else {
         nir_cursor c = nir_after_phis(block);
         if (c.option == nir_cursor_before_instr)
            list_addtail(&instr->node, &c.instr->node);
         else
            list_addtail(&instr->node, &block->instr_list);
      }
      break;
   case nir_cursor_after_block:
      assert(!nir_block_ends_in_jump(block) && "code after a jump");
      list_addtail(&instr->node, &block->instr_list);
      break;
   case nir_cursor_before_instr:
      assert(instr->kind != nir_kind_jump);
      list_addtail(&instr->node, &cursor.instr->node);
      break;
   case nir_cursor_after_instr:
      assert(cursor.instr->kind != nir_kind_jump);
      list_add(&instr->node, &cursor.instr->node);
      break;
   }
   instr->block = block;
   nir_instr_link_uses(instr);
   nir_instr_number_values(instr, impl);
   impl->valid_metadata &= ~nir_metadata_instr_index;
   if (instr->kind == nir_kind_jump) {
      assert(instr == nir_block_last_instr(block));
      nir_handle_add_jump(block);
   }
}

bool
nir_instr_move(nir_cursor cursor, nir_instr *instr)
{
   if (nir_cursors_equal(cursor, nir_before_instr(instr)) ||
       nir_cursors_equal(cursor, nir_after_instr(instr)))
      return false;
   if (cursor.option == nir_cursor_before_instr && cursor.instr == instr)
      return false;
   /* The uses stay linked; only the place changes. */
   nir_block *block = nir_cursor_current_block(cursor);
   cursor = normal_cursor(cursor);
   list_del(&instr->node);
   if (cursor.option == nir_cursor_before_instr)
      list_addtail(&instr->node, &cursor.instr->node);
   else
      list_addtail(&instr->node, &block->instr_list);
   instr->block = block;
   nir_cf_node_get_function(&block->cf_node)->valid_metadata &=
      ~(nir_metadata_instr_index | nir_metadata_live_values);
   return true;
}

void
nir_instr_detach(nir_instr *instr)
{
   nir_block *block = instr->block;
   nir_instr_unlink_uses(instr);
   list_del(&instr->node);
   instr->block = NULL;
   if (instr->kind == nir_kind_jump)
      nir_handle_remove_jump(block, nir_instr_as_jump(instr)->type);
}

nir_cursor
nir_instr_remove(nir_instr *instr)
{
   nir_instr *prev = nir_instr_prev(instr);
   nir_block *block = instr->block;
   nir_instr_detach(instr);
   return prev ? nir_after_instr(prev) : nir_before_block(block);
}

/* Whether the instruction does nothing but define unused values. */
static bool
is_dead(nir_instr *instr)
{
   nir_value *def = nir_instr_value(instr);
   if (!def || !nir_value_is_unused(def))
      return false;
   if (instr->kind == nir_kind_intrinsic)
      return nir_intrinsic_infos[nir_instr_as_intrinsic(instr)->intrinsic]
                .flags &
             NIR_INTRINSIC_CAN_ELIMINATE;
   return instr->kind != nir_kind_call;
}

static bool
collect_src_instr(nir_use *src, void *work)
{
   util_dynarray_append((struct util_dynarray *)work, nir_instr *,
                        src->value->instr);
   return true;
}

nir_cursor
nir_instr_remove_with_sources(nir_instr *instr)
{
   struct util_dynarray work = { 0 };
   nir_visit_uses(instr, collect_src_instr, &work);
   nir_cursor cursor = nir_instr_remove(instr);
   while (util_dynarray_num_elements(&work, nir_instr *)) {
      nir_instr *i = util_dynarray_pop(&work, nir_instr *);
      if (!i->block || !is_dead(i))
         continue;
      nir_visit_uses(i, collect_src_instr, &work);
      if (cursor.option == nir_cursor_after_instr && cursor.instr == i)
         cursor = nir_instr_remove(i);
      else
         nir_instr_remove(i);
   }
   util_dynarray_fini(&work);
   return cursor;
}
