/* SPDX-License-Identifier: MIT */
/* Changing control flow. */
#ifndef NIR_CHANGE_H
#define NIR_CHANGE_H

#include "ir/nir_walk.h"

/* A piece of control flow taken out: begins and ends with a block. */
typedef struct nir_cf_list {
   struct list_head list;
   nir_function_impl *impl;
} nir_cf_list;

void nir_cf_node_insert(nir_cursor cursor, nir_cf_node *node);
/* Removes the node with all inside; phis and jumps are kept right. */
void nir_cf_node_remove(nir_cf_node *node);
/* Takes out all from `begin` to `end`, which lie in one list. Phis may not
 * be cut off from their block. */
void nir_cf_extract(nir_cf_list *extracted, nir_cursor begin, nir_cursor end);
void nir_cf_put_back(nir_cf_list *cf_list, nir_cursor cursor);
void nir_cf_drop(nir_cf_list *cf_list);
static inline void
nir_cf_list_extract(nir_cf_list *extracted, struct list_head *cf_list)
{
   nir_cf_extract(extracted, nir_before_cf_list(cf_list),
                  nir_after_cf_list(cf_list));
}
/* What copies name outside of them, values and blocks, stays as it is;
 * `remap` (may be NULL) takes old pointers to new ones. */
void nir_cf_list_clone(nir_cf_list *dst, nir_cf_list *src,
                       nir_cf_node *parent, struct hash_table *remap);
/* The new block after the cursor; phis of successors are kept right. */
nir_block *nir_split_block_at_cursor(nir_cursor cursor);
/* Recomputes edges from the structure and the jumps. */
void nir_rebuild_cf_edges(nir_function_impl *impl);
/* A new last block of a function that is unstructured from now on; jumps are
 * inserted into it as any instruction. */
nir_block *nir_unstructured_block_create(nir_function_impl *impl);
/* Blocks in reverse postorder, as all that needs dominance wants them. False,
 * and nothing done, if one is never reached. */
bool nir_sort_unstructured_blocks(nir_function_impl *impl);
/* For after an insertion of a jump by hand. */
void nir_handle_add_jump(nir_block *block);
void nir_handle_remove_jump(nir_block *block, nir_jump_type type);
/* One edge is no more: the phi sources of `pred` go. */
void nir_remove_phi_sources_from(nir_block *block, nir_block *pred);

#endif
