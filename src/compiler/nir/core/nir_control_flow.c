/* SPDX-License-Identifier: MIT */
/*
 * Structured control flow and the edges between blocks.
 *
 * Edges are a function of the structure and of the jumps; every operation
 * here first changes the structure, then links again the blocks whose
 * successors may have changed. Sources of phis follow: an edge that goes
 * takes its sources with it, a new edge into a block with phis brings an
 * undefined value.
 *
 * Splitting a block keeps the old block, with its phis, as the first half.
 */
#include "nir.h"

#include "nir_private.h"
#include "util/dynarray.h"

/* --- Edges -------------------------------------------------------------- */

void
nir_block_link(nir_shader *shader, nir_block *pred, nir_block *succ)
{
   assert(!pred->successors[1]);
   if (!pred->successors[0])
      pred->successors[0] = succ;
   else
      pred->successors[1] = succ;
   /* Both sides of an if never go to the same block. */
   if (succ->num_predecessors == succ->predecessors_capacity) {
      const unsigned capacity = MAX2(4, succ->num_predecessors * 2);
      succ->predecessors =
         arena_grow(shader->arena, succ->predecessors,
                    succ->num_predecessors * sizeof(nir_block *),
                    capacity * sizeof(nir_block *));
      succ->predecessors_capacity = capacity;
   }
   succ->predecessors[succ->num_predecessors++] = pred;
}

void
nir_block_unlink(nir_block *pred, nir_block *succ)
{
   nir_block **edge = pred->successors;
   assert(edge[0] == succ || edge[1] == succ);
   if (edge[0] == succ)
      edge[0] = edge[1];
   edge[1] = NULL;
   for (unsigned i = 0; i < succ->num_predecessors; i++) {
      if (succ->predecessors[i] == pred) {
         succ->predecessors[i] = succ->predecessors[--succ->num_predecessors];
         return;
      }
   }
   unreachable("a successor knows its predecessor");
}

static nir_shader *
shader_of(nir_block *block)
{
   return nir_cf_node_get_function(&block->cf_node)->function->shader;
}

void
nir_remove_phi_sources_from(nir_block *block, nir_block *pred)
{
   nir_foreach_phi(phi, block) {
      nir_foreach_phi_source_safe(src, phi) {
         if (src->pred == pred) {
            nir_use_unlink(&src->use);
            list_del(&src->node);
         }
      }
   }
}

static void
rename_phi_srcs(nir_block *block, nir_block *old_pred, nir_block *new_pred)
{
   nir_foreach_phi(phi, block) {
      nir_foreach_phi_source(src, phi) {
         if (src->pred == old_pred)
            src->pred = new_pred;
      }
   }
}

static bool
phi_has_src_from(nir_phi_instr *phi, nir_block *pred)
{
   nir_foreach_phi_source(src, phi) {
      if (src->pred == pred)
         return true;
   }
   return false;
}

void
nir_block_add_undef_phi_sources(nir_block *block, nir_block *pred)
{
   nir_foreach_phi(phi, block) {
      if (phi_has_src_from(phi, pred))
         continue;
      nir_function_impl *impl = nir_cf_node_get_function(&block->cf_node);
      nir_instr *undef = nir_new_undef(impl->function->shader,
                                       phi->instr.result.num_components,
                                       phi->instr.result.bit_size);
      nir_instr_insert(nir_before_cf_list(&impl->body), undef);
      nir_phi_add_source(phi, pred, nir_use_of(&undef->result));
   }
}

static nir_loop *
innermost_loop(nir_cf_node *node)
{
   while (node && node->type != nir_cf_node_loop)
      node = node->parent;
   return node ? nir_cf_node_as_loop(node) : NULL;
}

/* Where the block goes by its jump, or else by the structure. NULL where a
 * node is not in a function yet. */
static void
wanted_successors(nir_block *block, nir_block *succ[2])
{
   succ[0] = succ[1] = NULL;
   nir_instr *last = nir_block_last_instr(block);
   nir_cf_node *node = &block->cf_node;

   if (last && last->kind == nir_kind_jump) {
      nir_loop *loop = innermost_loop(node->parent);
      switch (nir_instr_as_jump(last)->type) {
      case nir_jump_break:
         if (loop) {
            nir_cf_node *next = nir_cf_node_next(&loop->cf_node);
            succ[0] = next ? nir_cf_node_as_block(next) : NULL;
         }
         return;
      case nir_jump_continue:
         succ[0] = loop ? nir_loop_first_block(loop) : NULL;
         return;
      case nir_jump_return:
      case nir_jump_halt:
         succ[0] = nir_cf_node_get_function(node)->end_block;
         return;
      case nir_jump_goto:
      case nir_jump_goto_if:
         succ[0] = nir_instr_as_jump(last)->target;
         succ[1] = nir_instr_as_jump(last)->else_target;
         return;
      }
   }

   nir_cf_node *next = nir_cf_node_next(node);
   if (next && next->type == nir_cf_node_if) {
      succ[0] = nir_if_first_then_block(nir_cf_node_as_if(next));
      succ[1] = nir_if_first_else_block(nir_cf_node_as_if(next));
   } else if (next && next->type == nir_cf_node_block) {
      /* Unstructured, and no jump yet. */
   } else if (next) {
      succ[0] = nir_loop_first_block(nir_cf_node_as_loop(next));
   } else if (node->parent->type == nir_cf_node_if) {
      nir_cf_node *after = nir_cf_node_next(node->parent);
      succ[0] = after ? nir_cf_node_as_block(after) : NULL;
   } else if (node->parent->type == nir_cf_node_loop) {
      succ[0] = nir_loop_first_block(nir_cf_node_as_loop(node->parent));
   } else {
      succ[0] = nir_cf_node_as_function(node->parent)->end_block;
   }
}

/* Makes the edges out of the block what they should be. */
static void
relink(nir_shader *shader, nir_block *block)
{
   nir_block *want[2];
   wanted_successors(block, want);
   nir_block *old[2] = { block->successors[0], block->successors[1] };
   if (want[0] == old[0] && want[1] == old[1])
      return;

   for (unsigned i = 0; i < 2; i++) {
      if (!old[i])
         continue;
      nir_block_unlink(block, old[i]);
      if (old[i] != want[0] && old[i] != want[1])
         nir_remove_phi_sources_from(old[i], block);
   }
   for (unsigned i = 0; i < 2; i++) {
      if (!want[i])
         continue;
      nir_block_link(shader, block, want[i]);
      if (want[i] != old[0] && want[i] != old[1])
         nir_block_add_undef_phi_sources(want[i], block);
   }
}

static void
unlink_successors(nir_block *block)
{
   while (block->successors[0])
      nir_block_unlink(block, block->successors[0]);
}

/* The edges of `from` become those of `to`, phi sources included. */
static void
move_successors(nir_shader *shader, nir_block *from, nir_block *to)
{
   nir_block *succ[2] = { from->successors[0], from->successors[1] };
   unlink_successors(from);
   unlink_successors(to);
   for (unsigned i = 0; i < 2; i++) {
      if (succ[i]) {
         nir_block_link(shader, to, succ[i]);
         rename_phi_srcs(succ[i], from, to);
      }
   }
}

static void
cf_changed(nir_cf_node *node)
{
   nir_cf_node_get_function(node)->valid_metadata = nir_metadata_none;
}

void
nir_handle_add_jump(nir_block *block)
{
   relink(shader_of(block), block);
   cf_changed(&block->cf_node);
}

void
nir_handle_remove_jump(nir_block *block, nir_jump_type type)
{
   relink(shader_of(block), block);
   cf_changed(&block->cf_node);
}

void
nir_rebuild_cf_edges(nir_function_impl *impl)
{
   nir_foreach_block(block, impl)
      relink(impl->function->shader, block);
   impl->valid_metadata = nir_metadata_none;
}

/* --- Unstructured functions --------------------------------------------- */

nir_block *
nir_unstructured_block_create(nir_function_impl *impl)
{
   nir_block *block = nir_new_block(impl->function->shader);

   impl->structured = false;
   block->cf_node.parent = &impl->cf_node;
   list_addtail(&block->cf_node.node, &impl->body);
   impl->valid_metadata = nir_metadata_none;
   return block;
}

static void
postorder(nir_block *start, const nir_block *end, struct util_dynarray *post)
{
   struct util_dynarray stack = { 0 };

   start->index = 1;
   util_dynarray_append(&stack, nir_block *, start);
   while (util_dynarray_num_elements(&stack, nir_block *)) {
      nir_block **top = stack.data;
      nir_block *block =
         top[util_dynarray_num_elements(&stack, nir_block *) - 1];
      nir_block *next = NULL;
      for (unsigned i = 0; i < 2; i++) {
         nir_block *s = block->successors[i];
         if (s && s != end && !s->index)
            next = s;
      }
      if (next) {
         next->index = 1;
         util_dynarray_append(&stack, nir_block *, next);
      } else {
         (void)util_dynarray_pop(&stack, nir_block *);
         util_dynarray_append(post, nir_block *, block);
      }
   }
   util_dynarray_fini(&stack);
}

bool
nir_sort_unstructured_blocks(nir_function_impl *impl)
{
   struct util_dynarray post = { 0 };
   unsigned blocks = 0;
   bool all;

   assert(!impl->structured);
   nir_foreach_block(block, impl) {
      block->index = 0;
      blocks++;
   }
   postorder(nir_start_block(impl), impl->end_block, &post);
   all = util_dynarray_num_elements(&post, nir_block *) == blocks;
   if (all) {
      list_inithead(&impl->body);
      util_dynarray_foreach(&post, nir_block *, b)
         list_add(&(*b)->cf_node.node, &impl->body);
   }
   util_dynarray_fini(&post);
   impl->valid_metadata = nir_metadata_none;
   return all;
}

/* --- Splitting and joining ---------------------------------------------- */

static void
insert_cf_after(nir_cf_node *node, nir_cf_node *after)
{
   list_add(&node->node, &after->node);
   node->parent = after->parent;
}

/* The first instruction that goes to the second half; NULL: none. */
static nir_instr *
split_point(nir_cursor cursor)
{
   nir_instr *first = NULL;
   switch (cursor.option) {
   case nir_cursor_before_block:
      first = nir_block_first_instr(cursor.block);
      break;
   case nir_cursor_after_block: return NULL;
   case nir_cursor_before_instr: first = cursor.instr; break;
   case nir_cursor_after_instr: first = nir_instr_next(cursor.instr); break;
   }
   while (first && first->kind == nir_kind_phi)
      first = nir_instr_next(first);
   return first;
}

nir_block *
nir_split_block_at_cursor(nir_cursor cursor)
{
   nir_block *block = nir_cursor_current_block(cursor);
   nir_shader *shader = shader_of(block);
   nir_instr *first = split_point(cursor);
   nir_block *after = nir_new_block(shader);
   insert_cf_after(&after->cf_node, &block->cf_node);

   const bool jump_stays = !first && nir_block_ends_in_jump(block);
   for (nir_instr *i = first, *next; i; i = next) {
      next = nir_instr_next(i);
      list_del(&i->node);
      list_addtail(&i->node, &after->instr_list);
      i->block = after;
   }
   if (jump_stays)
      relink(shader, after);
   else
      move_successors(shader, block, after);
   cf_changed(&block->cf_node);
   return after;
}

/* Joins a block with the one right after it, which goes. */
static void
stitch(nir_shader *shader, nir_block *before, nir_block *after)
{
   assert(before != after);
   assert(list_is_empty(&after->instr_list) ||
          nir_block_first_instr(after)->kind != nir_kind_phi ||
          !"a phi cut off from its predecessors");
   if (nir_block_ends_in_jump(before)) {
      assert(list_is_empty(&after->instr_list) && "code after a jump");
      for (unsigned i = 0; i < 2; i++) {
         if (after->successors[i])
            nir_remove_phi_sources_from(after->successors[i], after);
      }
      unlink_successors(after);
      list_del(&after->cf_node.node);
      relink(shader, before);
      return;
   }
   nir_foreach_instr(instr, after)
      instr->block = before;
   list_splicetail(&after->instr_list, &before->instr_list);
   move_successors(shader, after, before);
   list_del(&after->cf_node.node);
}

/* --- Insertion ---------------------------------------------------------- */

static void
number_block_defs(nir_block *block, nir_function_impl *impl)
{
   nir_foreach_instr(instr, block)
      nir_instr_number_values(instr, impl);
}

static void
relink_node(nir_shader *shader, nir_cf_node *node)
{
   switch (node->type) {
   case nir_cf_node_block: relink(shader, nir_cf_node_as_block(node)); break;
   case nir_cf_node_if: {
      nir_if *nif = nir_cf_node_as_if(node);
      list_for_each_entry(nir_cf_node, child, &nif->then_list, node)
         relink_node(shader, child);
      list_for_each_entry(nir_cf_node, child, &nif->else_list, node)
         relink_node(shader, child);
      break;
   }
   case nir_cf_node_loop:
      list_for_each_entry(nir_cf_node, child,
                          &nir_cf_node_as_loop(node)->body, node)
         relink_node(shader, child);
      break;
   case nir_cf_node_function: unreachable("a function is in no list");
   }
}

void
nir_cf_node_insert(nir_cursor cursor, nir_cf_node *node)
{
   assert(node->type == nir_cf_node_if || node->type == nir_cf_node_loop);
   nir_block *before = nir_cursor_current_block(cursor);
   nir_function_impl *impl = nir_cf_node_get_function(&before->cf_node);
   nir_shader *shader = impl->function->shader;

   nir_split_block_at_cursor(cursor);
   insert_cf_after(node, &before->cf_node);
   if (node->type == nir_cf_node_if) {
      nir_if *nif = nir_cf_node_as_if(node);
      nif->condition.nif = nif;
      nir_use_link(&nif->condition);
   }
   relink(shader, before);
   relink_node(shader, node);
   nir_foreach_block_in_cf_node(block, node)
      number_block_defs(block, impl);
   cf_changed(node);
}

/* --- Extraction --------------------------------------------------------- */

void
nir_cf_extract(nir_cf_list *extracted, nir_cursor begin, nir_cursor end)
{
   list_inithead(&extracted->list);
   nir_block *end_before = nir_cursor_current_block(end);
   nir_function_impl *impl = nir_cf_node_get_function(&end_before->cf_node);
   nir_shader *shader = impl->function->shader;
   extracted->impl = impl;

   nir_block *end_after = nir_split_block_at_cursor(end);
   /* The instruction that both cursors name may have moved. */
   if (nir_cursor_current_block(begin) == end_after)
      begin = nir_after_block(end_before);
   nir_block *begin_before = nir_cursor_current_block(begin);
   nir_block *begin_after = nir_split_block_at_cursor(begin);
   /* Both in one block: the second split cut the first half again. */
   if (begin_before == end_before)
      end_before = begin_after;

   /* The piece no longer runs on into what followed; its jumps keep their
    * edges, and with them the sources of phis, until it is deleted or put
    * where they mean something else. */
   unlink_successors(begin_before);
   for (nir_cf_node *node = &begin_after->cf_node, *next;; node = next) {
      next = nir_cf_node_next(node);
      list_del(&node->node);
      list_addtail(&node->node, &extracted->list);
      if (node == &end_before->cf_node)
         break;
   }
   stitch(shader, begin_before, end_after);
   impl->valid_metadata = nir_metadata_none;
}

void
nir_cf_put_back(nir_cf_list *cf_list, nir_cursor cursor)
{
   if (list_is_empty(&cf_list->list))
      return;
   nir_block *before = nir_cursor_current_block(cursor);
   nir_function_impl *impl = nir_cf_node_get_function(&before->cf_node);
   nir_shader *shader = impl->function->shader;
   nir_block *after = nir_split_block_at_cursor(cursor);

   nir_block *first = nir_cf_node_as_block(nir_cf_list_first(&cf_list->list));
   nir_block *last = nir_cf_node_as_block(nir_cf_list_last(&cf_list->list));
   nir_cf_node *at = &before->cf_node;
   list_for_each_entry_safe(nir_cf_node, node, &cf_list->list, node) {
      list_del(&node->node);
      insert_cf_after(node, at);
      at = node;
   }
   for (nir_cf_node *node = &first->cf_node;; node = nir_cf_node_next(node)) {
      /* Block to block has no edge of its own: they are stitched below. */
      if (node != &last->cf_node)
         relink_node(shader, node);
      if (node == &last->cf_node)
         break;
   }
   for (nir_block *b = first; b != after; b = nir_block_cf_tree_next(b))
      number_block_defs(b, impl);
   const bool only_one = first == last;
   stitch(shader, before, first);
   stitch(shader, only_one ? before : last, after);
   impl->valid_metadata = nir_metadata_none;
}

/* --- Deletion ----------------------------------------------------------- */

static bool
replace_by_undef(nir_value *def, void *impl_)
{
   nir_function_impl *impl = impl_;
   if (nir_value_is_unused(def))
      return true;
   nir_instr *undef = nir_new_undef(impl->function->shader,
                                    def->num_components, def->bit_size);
   nir_instr_insert(nir_before_cf_list(&impl->body), undef);
   nir_value_replace(def, &undef->result);
   return true;
}

/* Edges out of the blocks go too. */
static void
drop_uses(nir_cf_node *node)
{
   switch (node->type) {
   case nir_cf_node_block: {
      nir_block *block = nir_cf_node_as_block(node);
      for (unsigned i = 0; i < ARRAY_SIZE(block->successors); i++) {
         nir_block *to = block->successors[i];
         if (to)
            nir_remove_phi_sources_from(to, block);
      }
      unlink_successors(block);
      nir_foreach_instr(instr, block)
         nir_instr_unlink_uses(instr);
      break;
   }
   case nir_cf_node_if: {
      nir_if *nif = nir_cf_node_as_if(node);
      nir_use_unlink(&nif->condition);
      list_for_each_entry(nir_cf_node, child, &nif->then_list, node)
         drop_uses(child);
      list_for_each_entry(nir_cf_node, child, &nif->else_list, node)
         drop_uses(child);
      break;
   }
   case nir_cf_node_loop:
      list_for_each_entry(nir_cf_node, child,
                          &nir_cf_node_as_loop(node)->body, node)
         drop_uses(child);
      break;
   case nir_cf_node_function: unreachable("a function is in no list");
   }
}

static void
drop_instrs(nir_block *block, nir_function_impl *impl)
{
   nir_foreach_instr_safe(instr, block) {
      nir_visit_value(instr, replace_by_undef, impl);
      list_del(&instr->node);
      instr->block = NULL;
   }
}

static void
drop_list_defs(struct list_head *list, nir_function_impl *impl)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      switch (node->type) {
      case nir_cf_node_block:
         drop_instrs(nir_cf_node_as_block(node), impl);
         break;
      case nir_cf_node_if:
         drop_list_defs(&nir_cf_node_as_if(node)->then_list, impl);
         drop_list_defs(&nir_cf_node_as_if(node)->else_list, impl);
         break;
      case nir_cf_node_loop:
         drop_list_defs(&nir_cf_node_as_loop(node)->body, impl);
         break;
      case nir_cf_node_function: unreachable("a function is in no list");
      }
   }
}

void
nir_cf_drop(nir_cf_list *cf_list)
{
   /* First all uses go, so that only uses from outside are left. */
   list_for_each_entry(nir_cf_node, node, &cf_list->list, node)
      drop_uses(node);
   drop_list_defs(&cf_list->list, cf_list->impl);
   list_inithead(&cf_list->list);
}

void
nir_cf_node_remove(nir_cf_node *node)
{
   const nir_cursor end = nir_after_cf_node(node);
   nir_cf_list taken;
   nir_cf_extract(&taken, nir_before_cf_node(node), end);
   nir_cf_drop(&taken);
}
