/* SPDX-License-Identifier: MIT */
/* Walks over control flow and instructions; cursors. */
#ifndef NIR_WALK_H
#define NIR_WALK_H

#include "ir/nir_instr.h"
#include "ir/nir_shader.h"

typedef enum {
   nir_cursor_before_block,
   nir_cursor_after_block,
   nir_cursor_before_instr,
   nir_cursor_after_instr,
} nir_cursor_option;

typedef struct nir_cursor {
   nir_cursor_option option;
   union {
      nir_block *block;
      nir_instr *instr;
   };
} nir_cursor;

void nir_instr_insert(nir_cursor cursor, nir_instr *instr);
bool nir_instr_move(nir_cursor cursor, nir_instr *instr);
/* Takes it out of its block and its sources out of the use lists. */
void nir_instr_detach(nir_instr *instr);
/* Removes instructions that feed only this one as well; where to go on. */
nir_cursor nir_instr_remove_with_sources(nir_instr *instr);

static inline void
nir_instr_insert_before(nir_instr *instr, nir_instr *before)
{
   nir_instr_insert(
      (nir_cursor) { nir_cursor_before_instr, { .instr = instr } }, before);
}

nir_cursor nir_instr_remove(nir_instr *instr);

/* Next or previous node of the same list; NULL at the end. */
nir_cf_node *nir_cf_node_next(nir_cf_node *node);
nir_cf_node *nir_cf_node_prev(nir_cf_node *node);
nir_block *nir_cf_node_cf_tree_first(nir_cf_node *node);
nir_block *nir_cf_node_cf_tree_last(nir_cf_node *node);
/* Blocks in program order, through the nesting; NULL at the end. */
nir_block *nir_block_cf_tree_next(nir_block *block);
nir_block *nir_block_cf_tree_prev(nir_block *block);
nir_block *nir_cf_node_cf_tree_next(nir_cf_node *node);
nir_if *nir_block_get_following_if(nir_block *block);
nir_loop *nir_block_get_following_loop(nir_block *block);
nir_function_impl *nir_cf_node_get_function(const nir_cf_node *node);
/* All blocks in order; allocated in `arena`. */
nir_block **nir_block_get_predecessors_sorted(const nir_block *block,
                                              struct arena *arena);

static inline nir_cf_node *
nir_cf_list_first(const struct list_head *list)
{
   return list_entry(list->next, nir_cf_node, node);
}

static inline nir_cf_node *
nir_cf_list_last(const struct list_head *list)
{
   return list_entry(list->prev, nir_cf_node, node);
}

static inline nir_block *
nir_start_block(const nir_function_impl *impl)
{
   return nir_cf_node_as_block(nir_cf_list_first(&impl->body));
}

static inline nir_block *
nir_impl_last_block(const nir_function_impl *impl)
{
   return nir_cf_node_as_block(nir_cf_list_last(&impl->body));
}

static inline nir_block *
nir_if_first_then_block(const nir_if *nif)
{
   return nir_cf_node_as_block(nir_cf_list_first(&nif->then_list));
}

static inline nir_block *
nir_if_last_then_block(const nir_if *nif)
{
   return nir_cf_node_as_block(nir_cf_list_last(&nif->then_list));
}

static inline nir_block *
nir_if_first_else_block(const nir_if *nif)
{
   return nir_cf_node_as_block(nir_cf_list_first(&nif->else_list));
}

static inline nir_block *
nir_if_last_else_block(const nir_if *nif)
{
   return nir_cf_node_as_block(nir_cf_list_last(&nif->else_list));
}

static inline nir_block *
nir_loop_first_block(const nir_loop *loop)
{
   return nir_cf_node_as_block(nir_cf_list_first(&loop->body));
}

static inline nir_block *
nir_loop_last_block(const nir_loop *loop)
{
   return nir_cf_node_as_block(nir_cf_list_last(&loop->body));
}

static inline bool
nir_cf_list_is_empty_block(const struct list_head *cf_list)
{
   return list_is_singular(cf_list) &&
          list_is_empty(
             &nir_cf_node_as_block(nir_cf_list_first(cf_list))->instr_list);
}

static inline nir_instr *
nir_block_first_instr(const nir_block *block)
{
   return list_is_empty(&block->instr_list)
             ? NULL
             : list_first_entry(&block->instr_list, nir_instr, node);
}

static inline nir_instr *
nir_block_last_instr(const nir_block *block)
{
   return list_is_empty(&block->instr_list)
             ? NULL
             : list_last_entry(&block->instr_list, nir_instr, node);
}

static inline bool
nir_block_ends_in_jump(const nir_block *block)
{
   const nir_instr *last = nir_block_last_instr(block);
   return last && last->kind == nir_kind_jump;
}

static inline bool
nir_block_ends_in_break(const nir_block *block)
{
   const nir_instr *last = nir_block_last_instr(block);
   return last && last->kind == nir_kind_jump &&
          nir_instr_as_jump(last)->type == nir_jump_break;
}

static inline nir_instr *
nir_instr_next(const nir_instr *instr)
{
   return instr->node.next == &instr->block->instr_list
             ? NULL
             : list_entry(instr->node.next, nir_instr, node);
}

static inline nir_instr *
nir_instr_prev(const nir_instr *instr)
{
   return instr->node.prev == &instr->block->instr_list
             ? NULL
             : list_entry(instr->node.prev, nir_instr, node);
}

/* The instructions of a block; in the body of a `_safe` one `instr` may go.
 */
#define NIR_WALK(walk, instr, block_)                                        \
   walk(nir_instr, instr, &(block_)->instr_list, node)
#define nir_foreach_instr(instr, block_)                                     \
   NIR_WALK(list_for_each_entry, instr, block_)
#define nir_foreach_instr_reverse(instr, block_)                             \
   NIR_WALK(list_for_each_entry_rev, instr, block_)
#define nir_foreach_instr_safe(instr, block_)                                \
   NIR_WALK(list_for_each_entry_safe, instr, block_)
#define nir_foreach_instr_reverse_safe(instr, block_)                        \
   NIR_WALK(list_for_each_entry_rev_safe, instr, block_)
/* Phis stand first in a block. */
#define nir_foreach_phi(phi, block_)                                         \
   nir_foreach_instr(phi##_instr, block_)                                    \
      if (phi##_instr->kind != nir_kind_phi)                                 \
         break;                                                              \
      else                                                                   \
         for (nir_phi_instr *phi = nir_instr_as_phi(phi##_instr); phi;       \
              phi = NULL)
#define nir_foreach_phi_safe(phi, block_)                                    \
   nir_foreach_instr_safe(phi##_instr, block_)                               \
      if (phi##_instr->kind != nir_kind_phi)                                 \
         break;                                                              \
      else                                                                   \
         for (nir_phi_instr *phi = nir_instr_as_phi(phi##_instr); phi;       \
              phi = NULL)
#define NIR_WALK_BLOCKS(block, first, next)                                  \
   for (nir_block *block = (first); block; block = next(block))
#define nir_foreach_block(block, impl)                                       \
   NIR_WALK_BLOCKS(block, nir_start_block(impl), nir_block_cf_tree_next)
/* All instructions; the body may take the instruction away, but no block, and
 * leaves both loops by return alone. */
#define nir_foreach_instr_of(instr, impl)                                    \
   nir_foreach_block(instr##_block, impl)                                    \
      nir_foreach_instr_safe(instr, instr##_block)
/* The body may remove the block, and what comes after it stays. */
#define nir_foreach_block_safe(block, impl)                                  \
   for (nir_block *block = NULL, *block##_rest = nir_start_block(impl);      \
        (block = block##_rest) &&                                            \
        (block##_rest = nir_block_cf_tree_next(block), true);)
#define nir_foreach_block_reverse(block, impl)                               \
   NIR_WALK_BLOCKS(block, nir_impl_last_block(impl), nir_block_cf_tree_prev)
#define nir_foreach_block_in_cf_node(block, node_)                           \
   for (nir_block *block = nir_cf_node_cf_tree_first(node_),                 \
                  *block##_end = nir_cf_node_cf_tree_next(node_);            \
        block != block##_end; block = nir_block_cf_tree_next(block))

static inline nir_cursor
nir_before_block(nir_block *block)
{
   return (nir_cursor) { nir_cursor_before_block, { .block = block } };
}

static inline nir_cursor
nir_after_block(nir_block *block)
{
   return (nir_cursor) { nir_cursor_after_block, { .block = block } };
}

static inline nir_cursor
nir_before_instr(nir_instr *instr)
{
   return (nir_cursor) { nir_cursor_before_instr, { .instr = instr } };
}

static inline nir_cursor
nir_after_instr(nir_instr *instr)
{
   return (nir_cursor) { nir_cursor_after_instr, { .instr = instr } };
}

nir_cursor nir_after_block_before_jump(nir_block *block);
nir_cursor nir_after_instr_and_phis(nir_instr *instr);
nir_cursor nir_after_phis(nir_block *block);
nir_cursor nir_before_cf_node(nir_cf_node *node);
nir_cursor nir_after_cf_node(nir_cf_node *node);
nir_cursor nir_after_cf_node_and_phis(nir_cf_node *node);

static inline nir_cursor
nir_before_cf_list(struct list_head *list)
{
   return nir_before_cf_node(nir_cf_list_first(list));
}

static inline nir_cursor
nir_after_cf_list(struct list_head *list)
{
   return nir_after_cf_node(nir_cf_list_last(list));
}

static inline nir_cursor
nir_before_impl(nir_function_impl *func)
{
   return nir_before_cf_list(&func->body);
}

static inline nir_cursor
nir_after_impl(nir_function_impl *func)
{
   return nir_after_cf_list(&func->body);
}

nir_block *nir_cursor_current_block(nir_cursor cursor);
bool nir_cursors_equal(nir_cursor a, nir_cursor b);

#endif
