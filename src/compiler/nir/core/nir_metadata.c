/* SPDX-License-Identifier: MIT */
/*
 * What is known of a function: computed on demand, dropped by what a pass
 * says that it changed. Dominance after Cooper, Harvey, Kennedy, "A Simple,
 * Fast Dominance Algorithm". Liveness is the usual backward data flow with a
 * work list over blocks in reverse order.
 */
#include "nir.h"

#include <stdarg.h>

#include "nir_private.h"
#include "util/dynarray.h"
#include "util/guard.h"

void
nir_number_blocks(nir_function_impl *impl)
{
   if (impl->valid_metadata & nir_metadata_block_index)
      return;
   unsigned index = 0;
   nir_foreach_block(block, impl)
      block->index = index++;
   impl->num_blocks = index;
   impl->end_block->index = index;
}

unsigned
nir_number_instrs(nir_function_impl *impl)
{
   /* Ends of blocks have numbers of their own. */
   unsigned next = 0;
   nir_foreach_block(block, impl) {
      block->start_ip = next;
      nir_foreach_instr(instr, block)
         instr->index = ++next;
      block->end_ip = ++next;
      next++;
   }
   return next;
}

static bool
index_def(nir_value *def, void *next_)
{
   unsigned *next = next_;
   def->index = (*next)++;
   return true;
}

void
nir_number_values(nir_function_impl *impl)
{
   unsigned next = 0;
   impl->valid_metadata &= ~nir_metadata_live_values;
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block)
         nir_visit_value(instr, index_def, &next);
   }
   impl->num_values = next;
}

/* --- Dominance ---------------------------------------------------------- */

static nir_block *
intersect(nir_block *a, nir_block *b)
{
   while (a != b) {
      while (a->index > b->index)
         a = a->imm_dom;
      while (b->index > a->index)
         b = b->imm_dom;
   }
   return a;
}

/* Program order of structured control flow is a reverse postorder but for
 * the back edges, which the iteration takes care of. */
static bool
update_imm_dom(nir_block *block)
{
   nir_block *dom = NULL;
   nir_foreach_predecessor(block, pred) {
      if (!pred->imm_dom)
         continue;
      dom = dom ? intersect(pred, dom) : pred;
   }
   if (block->imm_dom == dom)
      return false;
   block->imm_dom = dom;
   return true;
}

/* Numbers the dominator tree, children in list order, without recursion. */
static void
number_dom_tree(nir_block *root)
{
   struct util_dynarray stack = { 0 };
   uint32_t next = 0;
   util_dynarray_append(&stack, nir_block *, root);
   while (util_dynarray_num_elements(&stack, nir_block *)) {
      nir_block *block = util_dynarray_pop(&stack, nir_block *);
      if (!block) {
         /* A NULL says: the block below is done. */
         block = util_dynarray_pop(&stack, nir_block *);
         block->dom_post_index = next++;
         continue;
      }
      block->dom_pre_index = next++;
      util_dynarray_append(&stack, nir_block *, block);
      util_dynarray_append(&stack, nir_block *, NULL);
      for (unsigned i = block->num_dom_children; i-- > 0;)
         util_dynarray_append(&stack, nir_block *, block->dom_children[i]);
   }
   util_dynarray_fini(&stack);
}

static void
add_frontier(struct arena *arena, nir_block *runner, nir_block *block)
{
   for (unsigned i = 0; i < runner->num_dom_frontier; i++) {
      if (runner->dom_frontier[i] == block)
         return;
   }
   const unsigned n = runner->num_dom_frontier;
   if (util_is_power_of_two_or_zero(n)) {
      runner->dom_frontier = arena_grow(arena, runner->dom_frontier,
                                        n * sizeof(nir_block *),
                                        MAX2(1, n * 2) * sizeof(nir_block *));
   }
   runner->dom_frontier[runner->num_dom_frontier++] = block;
}

static void
calc_frontier(struct arena *arena, nir_block *block)
{
   if (block->num_predecessors < 2)
      return;
   nir_foreach_predecessor(block, pred) {
      if (!pred->imm_dom)
         continue;
      for (nir_block *runner = pred; runner != block->imm_dom;
           runner = runner->imm_dom) {
         add_frontier(arena, runner, block);
         if (runner == runner->imm_dom)
            break;
      }
   }
}

static void
collect_dom_children(nir_function_impl *impl, struct arena *arena)
{
   nir_foreach_block(block, impl) {
      if (block->imm_dom)
         block->imm_dom->num_dom_children++;
   }
   nir_foreach_block(block, impl) {
      block->dom_children =
         arena_new_array(arena, nir_block *, block->num_dom_children);
      block->num_dom_children = 0;
   }
   nir_foreach_block(block, impl) {
      if (block->imm_dom)
         block->imm_dom->dom_children[block->imm_dom->num_dom_children++] =
            block;
   }
}

void
nir_find_dominators(nir_function_impl *impl)
{
   if (impl->valid_metadata & nir_metadata_dominance)
      return;
   struct arena *arena = impl->function->shader->arena;
   nir_metadata_require(impl, nir_metadata_block_index);

   nir_foreach_block(block, impl) {
      block->imm_dom = NULL;
      block->num_dom_children = 0;
      block->num_dom_frontier = 0;
      block->dom_frontier = NULL;
      block->dom_pre_index = UINT32_MAX;
      block->dom_post_index = 0;
   }
   /* The start dominates itself while the iteration runs. */
   nir_block *start = nir_start_block(impl);
   start->imm_dom = start;
   for (bool progress = true; progress;) {
      progress = false;
      nir_foreach_block(block, impl) {
         if (block != start)
            progress |= update_imm_dom(block);
      }
   }
   nir_foreach_block(block, impl)
      calc_frontier(arena, block);
   start->imm_dom = NULL;
   collect_dom_children(impl, arena);
   number_dom_tree(start);
}

bool
nir_block_is_unreachable(const nir_block *block)
{
   return block->dom_pre_index == UINT32_MAX;
}

bool
nir_block_is_unlikely(const nir_block *block)
{
   nir_cf_node *parent = block->cf_node.parent;
   return parent->type == nir_cf_node_if &&
          nir_cf_node_as_if(parent)->control ==
             nir_selection_control_unlikely;
}

bool
nir_block_dominates(const nir_block *parent, const nir_block *child)
{
   return child->dom_pre_index >= parent->dom_pre_index &&
          child->dom_post_index <= parent->dom_post_index;
}

nir_block *
nir_common_dominator(nir_block *a, nir_block *b)
{
   if (!a)
      return b;
   if (!b)
      return a;
   while (a != b) {
      while (a->index > b->index) {
         a = a->imm_dom;
         if (!a)
            return NULL;
      }
      while (b->index > a->index) {
         b = b->imm_dom;
         if (!b)
            return NULL;
      }
   }
   return a;
}

/* --- Liveness ----------------------------------------------------------- */

static bool
mark_live(nir_use *src, void *live_)
{
   BITSET_WORD *live = live_;
   /* An undefined value needs no place. */
   if (src->value->instr->kind != nir_kind_undef)
      BITSET_SET(live, src->value->index);
   return true;
}

static bool
mark_dead(nir_value *def, void *live_)
{
   BITSET_WORD *live = live_;
   BITSET_CLEAR(live, def->index);
   return true;
}

/* live_out gets what the edge to `succ` carries: its live_in without its
 * phis, and the sources of the phis for this edge. */
static bool
propagate_edge(nir_block *pred, nir_block *succ, BITSET_WORD *tmp,
               unsigned words)
{
   memcpy(tmp, succ->live_in, words * sizeof(BITSET_WORD));
   nir_foreach_phi(phi, succ)
      BITSET_CLEAR(tmp, phi->instr.result.index);
   nir_foreach_phi(phi, succ) {
      nir_foreach_phi_source(src, phi) {
         if (src->pred == pred)
            mark_live(&src->use, tmp);
      }
   }
   return bitset_union(pred->live_out, tmp, words);
}

static void
transfer_block(nir_block *block, unsigned words)
{
   memcpy(block->live_in, block->live_out, words * sizeof(BITSET_WORD));
   nir_if *nif = nir_block_get_following_if(block);
   if (nif)
      mark_live(&nif->condition, block->live_in);
   nir_foreach_instr_reverse(instr, block) {
      if (instr->kind == nir_kind_phi)
         break;
      nir_visit_value(instr, mark_dead, block->live_in);
      nir_visit_uses(instr, mark_live, block->live_in);
   }
}

void
nir_find_live_values(nir_function_impl *impl)
{
   struct arena *arena = impl->function->shader->arena;
   nir_metadata_require(impl, nir_metadata_block_index);
   nir_number_values(impl);
   const unsigned words = BITSET_WORDS(impl->num_values);
   BITSET_WORD *tmp = arena_new_array(arena, BITSET_WORD, words);

   struct util_dynarray work = { 0 };
   bool *queued = guard_alloc(impl->num_blocks + 1, sizeof(*queued));
   nir_foreach_block(block, impl) {
      block->live_in = arena_new_array(arena, BITSET_WORD, words);
      block->live_out = arena_new_array(arena, BITSET_WORD, words);
      util_dynarray_append(&work, nir_block *, block);
      queued[block->index] = true;
   }
   /* The last block is popped first. */
   while (util_dynarray_num_elements(&work, nir_block *)) {
      nir_block *block = util_dynarray_pop(&work, nir_block *);
      queued[block->index] = false;
      transfer_block(block, words);
      nir_foreach_predecessor(block, pred) {
         if (propagate_edge(pred, block, tmp, words) &&
             !queued[pred->index]) {
            util_dynarray_append(&work, nir_block *, pred);
            queued[pred->index] = true;
         }
      }
   }
   guard_free(queued);
   util_dynarray_fini(&work);
}

/* --- Validity ----------------------------------------------------------- */

void
nir_metadata_require(nir_function_impl *impl, nir_metadata required, ...)
{
   const unsigned need = required & ~impl->valid_metadata;
   if (need & nir_metadata_block_index)
      nir_number_blocks(impl);
   if (need & nir_metadata_block_index)
      impl->valid_metadata |= nir_metadata_block_index;
   if (need & nir_metadata_instr_index)
      nir_number_instrs(impl);
   if (need & nir_metadata_dominance)
      nir_find_dominators(impl);
   if (need & nir_metadata_live_values)
      nir_find_live_values(impl);
   if (need & nir_metadata_loop_analysis) {
      va_list ap;
      va_start(ap, required);
      nir_loop_analyze_impl(impl, va_arg(ap, unsigned));
      va_end(ap);
   }
   impl->valid_metadata |= required;
}

void
nir_shader_preserve_all_metadata(nir_shader *shader)
{
   nir_foreach_impl(impl, shader)
      nir_metadata_preserve(impl, nir_metadata_all);
}

void
nir_metadata_preserve(nir_function_impl *impl, nir_metadata kept)
{
   impl->valid_metadata &= kept;
}
