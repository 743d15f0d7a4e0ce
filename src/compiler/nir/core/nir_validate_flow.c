/* SPDX-License-Identifier: MIT */
/* The rules of blocks, ifs and loops; uses; definitions before their uses. */
#include "nir_validate_private.h"

#include "nir_private.h"

void
nir_validate_edges(struct nir_validate *v, nir_block *block)
{
   for (unsigned i = 0; i < ARRAY_SIZE(block->successors); i++) {
      nir_block *succ = block->successors[i];
      if (!succ)
         continue;
      CHECK(succ == v->impl->end_block ||
               hash_table_has(&v->blocks, hash_key_ptr(succ)),
            "a successor is a block of the function");
      unsigned n = 0;
      nir_foreach_predecessor(succ, pred)
         n += pred == block;
      CHECK(n == 1, "a successor has the block as predecessor, once");
   }
   nir_foreach_predecessor(block, pred)
      CHECK(pred->successors[0] == block || pred->successors[1] == block,
            "a predecessor has the block as successor");
   if (!v->impl->structured) {
      bool follows = block == nir_start_block(v->impl);
      CHECK(nir_block_ends_in_jump(block),
            "a block of an unstructured function ends in a jump");
      CHECK(!follows || !block->num_predecessors,
            "no jump leads to the first block");
      nir_foreach_predecessor(block, pred)
         follows |= pred->index < block->index;
      CHECK(follows, "an unstructured block stands after a predecessor");
   } else if (!nir_block_ends_in_jump(block)) {
      nir_if *nif = nir_block_get_following_if(block);
      nir_loop *loop = nir_block_get_following_loop(block);
      if (nif)
         CHECK(block->successors[0] == nir_if_first_then_block(nif) &&
                  block->successors[1] == nir_if_first_else_block(nif),
               "the block before an if goes to both of its sides");
      else if (loop)
         CHECK(block->successors[0] == nir_loop_first_block(loop) &&
                  !block->successors[1],
               "the block before a loop goes to its start");
      else
         CHECK(block->successors[0] && !block->successors[1],
               "a block without a jump has one successor");
   }
}

static void
check_block(struct nir_validate *v, nir_block *block)
{
   v->block = block;
   hash_table_insert(&v->blocks, hash_key_ptr(block), block);
   nir_foreach_instr(instr, block)
      nir_validate_instr(v, instr);
   v->block = NULL;
}

void
nir_validate_cf_list(struct nir_validate *v, struct list_head *list,
                     nir_cf_node *parent)
{
   const bool flat = !v->impl->structured;
   bool want_block = true;
   list_for_each_entry(nir_cf_node, node, list, node) {
      CHECK_TREE(node->parent == parent, "a node names its parent");
      CHECK_TREE((node->type == nir_cf_node_block) == want_block,
                 flat ? "an unstructured function has blocks alone"
                      : "blocks and other nodes alternate");
      want_block = flat || !want_block;
      switch (node->type) {
      case nir_cf_node_block:
         check_block(v, nir_cf_node_as_block(node));
         break;
      case nir_cf_node_if: {
         nir_if *nif = nir_cf_node_as_if(node);
         CHECK(nif->condition.nif == nif,
               "the condition of an if names it as parent");
         nir_validate_src(v, &nif->condition, 0, 1);
         nir_validate_cf_list(v, &nif->then_list, node);
         nir_validate_cf_list(v, &nif->else_list, node);
         break;
      }
      case nir_cf_node_loop:
         v->loop_depth++;
         nir_validate_cf_list(v, &nir_cf_node_as_loop(node)->body, node);
         v->loop_depth--;
         break;
      default: CHECK_TREE(false, "a node is a block, if or loop");
      }
   }
   CHECK_TREE((flat || !want_block) && !list_is_empty(list),
              "a list of nodes begins and ends with a block");
}

/* Every use in a value's list stands in the code, and no other. */
void
nir_validate_use_lists(struct nir_validate *v)
{
   unsigned listed = 0;
   hash_table_foreach(&v->defs, e) {
      nir_value *def = e->data;
      v->instr = def->instr;
      v->block = def->instr->block;
      nir_foreach_use(use, def) {
         listed++;
         CHECK(hash_table_has(&v->srcs, hash_key_ptr(use)) &&
                  use->value == def,
               "the list of uses has only uses of the value");
      }
   }
   v->instr = NULL;
   v->block = NULL;
   CHECK(listed == v->srcs.live, "every source is in a list of uses");
}

struct dominance_state {
   struct nir_validate *v;
   nir_instr *instr;
};

static bool
check_dominates(nir_use *src, void *state)
{
   struct dominance_state *d = state;
   struct nir_validate *v = d->v;
   if (!src->value)
      return true;
   nir_instr *def = src->value->instr;
   const bool ok = def->block == d->instr->block
                      ? def->index < d->instr->index
                      : nir_block_dominates(def->block, d->instr->block);
   CHECK(ok, "a value's definition dominates its uses");
   return true;
}

void
nir_validate_dominance(struct nir_validate *v, nir_function_impl *impl)
{
   const nir_metadata old = impl->valid_metadata;
   impl->valid_metadata = nir_metadata_none;
   nir_metadata_require(impl,
                        nir_metadata_dominance | nir_metadata_instr_index);
   nir_foreach_block(block, impl) {
      if (nir_block_is_unreachable(block))
         continue;
      v->block = block;
      nir_foreach_instr(instr, block) {
         v->instr = instr;
         if (instr->kind != nir_kind_phi) {
            nir_visit_uses(instr, check_dominates,
                           &(struct dominance_state) { v, instr });
            continue;
         }
         nir_foreach_phi_source(src, nir_instr_as_phi(instr)) {
            if (!nir_block_is_unreachable(src->pred))
               CHECK(nir_block_dominates(src->use.value->instr->block,
                                         src->pred),
                     "a phi source dominates the end of its predecessor");
         }
      }
      v->instr = NULL;
      const nir_if *nif = nir_block_get_following_if(block);
      if (nif)
         CHECK(nir_block_dominates(nif->condition.value->instr->block, block),
               "the condition of an if dominates it");
   }
   v->block = NULL;
   /* The same analyses still hold, only computed once more. */
   impl->valid_metadata = old;
}
