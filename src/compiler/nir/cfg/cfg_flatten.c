/* SPDX-License-Identifier: MIT */
/*
 * A function, structured or not, taken apart into flat blocks.
 *
 * Constants and undefined values go to the entry, so that no pass on graphs
 * makes phis of them. Dereferences are made anew in each block that uses
 * them: they cannot go through a phi.
 */
#include "cfg/cfg.h"
#include "nir_private.h"

static uint64_t
phi_key(const nir_phi_instr *phi, int from)
{
   return (uint64_t)phi->instr.result.index << 32 | (uint32_t)from;
}

nir_use *
cfg_phi_src(const struct cfg_flat *flat, const nir_phi_instr *phi, int from)
{
   return hash_table_get(&flat->phi_srcs, phi_key(phi, from));
}

static bool
is_convergent(const nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_alu:
      return nir_op_is_derivative(nir_instr_as_alu(instr)->op);
   case nir_kind_tex:
      return nir_tex_needs_derivatives(nir_instr_as_tex(instr));
   case nir_kind_call: return true;
   case nir_kind_intrinsic:
      return nir_intrinsic_infos[nir_instr_as_intrinsic(instr)->intrinsic]
                .flags &
             NIR_INTRINSIC_CONVERGENT;
   default: return false;
   }
}

static bool
block_is_convergent(nir_block *block)
{
   nir_foreach_instr(instr, block) {
      if (is_convergent(instr))
         return true;
   }
   return false;
}

bool
cfg_node_is_convergent(const struct cfg *g, int node)
{
   for (int x = node; x != CFG_NONE; x = cfg_node(g, x)->rest) {
      const int flat = cfg_node(g, x)->flat;
      if (flat == CFG_NONE ||
          block_is_convergent(g->flat->blocks[flat].block))
         return true;
   }
   return false;
}

bool
cfg_node_halts(const struct cfg *g, int node)
{
   for (int x = node; x != CFG_NONE; x = cfg_node(g, x)->rest) {
      const int flat = cfg_node(g, x)->flat;
      if (flat != CFG_NONE && g->flat->blocks[flat].halts)
         return true;
   }
   return false;
}

/* --- What nothing reads ----------------------------------------------- */

static bool
is_needed(const nir_instr *instr)
{
   return instr->kind == nir_kind_intrinsic || instr->kind == nir_kind_call;
}

static void
mark_needed(nir_instr *instr, struct util_dynarray *work)
{
   if (instr->pass_flags)
      return;
   instr->pass_flags = 1;
   util_dynarray_append(work, nir_instr *, instr);
}

static bool
mark_src(nir_use *src, void *work)
{
   mark_needed(src->value->instr, work);
   return true;
}

void
cfg_drop_unread(const struct cfg *g)
{
   struct util_dynarray work = { 0 };

   for (int i = 0; i < g->flat->num_blocks; i++) {
      nir_foreach_instr(instr, g->flat->blocks[i].block)
         instr->pass_flags = 0;
   }
   for (int i = 0; i < g->flat->num_blocks; i++) {
      nir_foreach_instr(instr, g->flat->blocks[i].block) {
         if (is_needed(instr))
            mark_needed(instr, &work);
      }
   }
   util_dynarray_foreach(&g->nodes, struct cfg_node, n) {
      if (n->cond)
         mark_needed(n->cond->instr, &work);
   }
   while (util_dynarray_num_elements(&work, nir_instr *))
      nir_visit_uses(util_dynarray_pop(&work, nir_instr *), mark_src, &work);
   util_dynarray_fini(&work);
   for (int i = 0; i < g->flat->num_blocks; i++) {
      nir_foreach_instr_safe(instr, g->flat->blocks[i].block) {
         if (instr->pass_flags)
            continue;
         nir_instr_unlink_uses(instr);
         list_del(&instr->node);
         instr->block = NULL;
      }
   }
}

/* --- Dereferences in their blocks ------------------------------------- */

static bool
localize_src(nir_use *src, void *impl)
{
   nir_localize_deref(src, impl);
   return true;
}

static void
localize_derefs(struct cfg_flat *flat)
{
   for (int i = 0; i < flat->num_blocks; i++) {
      nir_foreach_instr(instr, flat->blocks[i].block)
         nir_visit_uses(instr, localize_src, flat->impl);
   }
}

/* --- Constants at the entry ------------------------------------------- */

static void
hoist_constants(struct cfg_flat *flat)
{
   nir_block *entry = flat->blocks[0].block;
   struct list_head *at = &entry->instr_list;

   for (int i = 1; i < flat->num_blocks; i++) {
      nir_foreach_instr_safe(instr, flat->blocks[i].block) {
         if (instr->kind != nir_kind_load_const &&
             instr->kind != nir_kind_undef)
            continue;
         list_del(&instr->node);
         list_add(&instr->node, at);
         instr->block = entry;
         at = &instr->node;
      }
   }
}

/* --- Blocks ----------------------------------------------------------- */

static bool
note_def(nir_value *def, void *data)
{
   struct cfg_flat *flat = data;

   flat->block_of_def[def->index] = (int)def->instr->block->index;
   return true;
}

static void
index_phi(struct cfg_flat *flat, nir_phi_instr *phi)
{
   nir_foreach_phi_source(src, phi)
      hash_table_insert(&flat->phi_srcs, phi_key(phi, (int)src->pred->index),
                        &src->use);
}

void
cfg_flat_finish(struct cfg_flat *flat)
{
   for (int i = 0; i < flat->num_blocks; i++)
      flat->blocks[i].block->index = (unsigned)i;
   hoist_constants(flat);
   localize_derefs(flat);
   flat->num_defs = flat->impl->num_values;
   flat->block_of_def = arena_new_array(flat->arena, int, flat->num_defs + 1);
   hash_table_init(&flat->phi_srcs);
   for (int i = 0; i < flat->num_blocks; i++) {
      flat->convergent |= block_is_convergent(flat->blocks[i].block);
      nir_foreach_instr(instr, flat->blocks[i].block) {
         nir_visit_value(instr, note_def, flat);
         if (instr->kind == nir_kind_phi)
            index_phi(flat, nir_instr_as_phi(instr));
      }
   }
}

/* The first block of the innermost loop around a node, as a flat one. */
static int
loop_around(const nir_cf_node *node)
{
   for (nir_cf_node *n = node->parent; n; n = n->parent) {
      if (n->type == nir_cf_node_loop)
         return (int)nir_loop_first_block(nir_cf_node_as_loop(n))->index + 1;
   }
   return 0;
}

static void
read_loops(struct cfg_flat_block *b, nir_block *block, int i)
{
   b->loop = loop_around(&block->cf_node);
   if (b->loop == i)
      b->outer_loop = loop_around(block->cf_node.parent);
}

static void
read_block(struct cfg_flat *flat, nir_block *block, int i)
{
   struct cfg_flat_block *b = &flat->blocks[i];
   nir_instr *last = nir_block_last_instr(block);
   nir_if *nif = nir_block_get_following_if(block);

   b->block = block;
   read_loops(b, block, i);
   if (last && last->kind == nir_kind_jump) {
      nir_jump_instr *jump = nir_instr_as_jump(last);
      b->halts = jump->type == nir_jump_halt;
      if (jump->type == nir_jump_goto_if) {
         b->cond = jump->condition.value;
         nir_use_unlink(&jump->condition);
      }
      list_del(&last->node);
   } else if (nif) {
      b->cond = nif->condition.value;
   }
   for (unsigned s = 0; s < 2; s++) {
      if (block->successors[s] &&
          block->successors[s] != flat->impl->end_block)
         b->succ[b->num_succ++] = (int)block->successors[s]->index + 1;
   }
}

static void
take_out(nir_block *block, nir_function_impl *impl)
{
   nir_if *nif = nir_block_get_following_if(block);

   if (nif)
      nir_use_unlink(&nif->condition);
   block->successors[0] = block->successors[1] = NULL;
   block->num_predecessors = 0;
}

/* Block 0 is a new one with nothing before it. */
struct cfg_flat *
cfg_flatten(nir_function_impl *impl, struct arena *arena)
{
   struct cfg_flat *flat = arena_new(arena, struct cfg_flat);
   nir_block **blocks;
   int n = 1;

   flat->arena = arena;
   flat->impl = impl;
   flat->shader = impl->function->shader;
   nir_metadata_preserve(impl, nir_metadata_none);
   nir_number_blocks(impl);
   nir_number_values(impl);
   flat->num_blocks = (int)impl->num_blocks + 1;
   flat->blocks =
      arena_new_array(arena, struct cfg_flat_block, flat->num_blocks);
   blocks = arena_new_array(arena, nir_block *, flat->num_blocks);
   flat->blocks[0].block = nir_new_block(flat->shader);
   flat->blocks[0].num_succ = 1;
   flat->blocks[0].succ[0] = 1;
   nir_foreach_block(block, impl) {
      read_block(flat, block, n);
      blocks[n++] = block;
   }
   for (int i = 1; i < n; i++)
      take_out(blocks[i], impl);
   for (int i = 0; i < n; i++) {
      nir_block *block = flat->blocks[i].block;
      block->cf_node.parent = &impl->cf_node;
   }
   list_inithead(&impl->body);
   impl->end_block->num_predecessors = 0;
   impl->structured = true;
   cfg_flat_finish(flat);
   return flat;
}
