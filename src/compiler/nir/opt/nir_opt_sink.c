/* SPDX-License-Identifier: MIT */
/*
 * Moves cheap instructions towards their uses, to shorten live ranges.
 *
 *   nir_opt_sink   into the block that dominates all uses, but never into a
 *                  loop that the instruction is not in
 *   nir_opt_move   within the block, right before the first use
 *
 * Before: SSA. Cost: linear in instructions and uses.
 */
#include "nir.h"

static bool
may_move(const nir_instr *instr, nir_move_options options)
{
   switch (instr->type) {
   case nir_instr_type_load_const:
   case nir_instr_type_ssa_undef: return options & nir_move_const_undef;
   case nir_instr_type_alu: {
      const nir_alu_instr *alu = nir_instr_as_alu(instr);
      if (!alu->dest.dest.is_ssa)
         return false;
      if (alu->op == nir_op_mov || nir_op_is_vec(alu->op))
         return options & nir_move_copies;
      if (nir_alu_type_get_base_type(nir_op_infos[alu->op].output_type) ==
          nir_type_bool)
         return options & nir_move_comparisons;
      return false;
   }
   case nir_instr_type_intrinsic:
      switch (nir_instr_as_intrinsic(instr)->intrinsic) {
      case nir_intrinsic_load_ubo: return options & nir_move_load_ubo;
      case nir_intrinsic_load_input:
      case nir_intrinsic_load_interpolated_input:
         return options & nir_move_load_input;
      case nir_intrinsic_load_uniform:
      case nir_intrinsic_load_push_constant:
         return options & nir_move_load_uniform;
      default: return false;
      }
   default: return false;
   }
}

static bool
reads_register(nir_src *src, void *state)
{
   if (!src->is_ssa)
      *(bool *)state = true;
   return src->is_ssa;
}

static bool
has_register_source(nir_instr *instr)
{
   bool found = false;
   nir_foreach_src(instr, reads_register, &found);
   return found;
}

static nir_loop *
loop_of(nir_block *block)
{
   for (nir_cf_node *n = block->cf_node.parent; n; n = n->parent) {
      if (n->type == nir_cf_node_loop)
         return nir_cf_node_as_loop(n);
   }
   return NULL;
}

/* The block where a use takes its value. */
static nir_block *
block_of_use(nir_src *use)
{
   nir_instr *instr = use->parent_instr;
   if (instr->type != nir_instr_type_phi)
      return instr->block;
   return CONTAINER_OF(use, nir_phi_src, src)->pred;
}

static nir_block *
block_of_if_use(nir_src *use)
{
   return nir_cf_node_as_block(nir_cf_node_prev(&use->parent_if->cf_node));
}

static nir_block *
sink_target(nir_ssa_def *def)
{
   nir_block *lca = NULL;
   nir_foreach_use(use, def)
      lca = nir_dominance_lca(lca, block_of_use(use));
   nir_foreach_if_use(use, def)
      lca = nir_dominance_lca(lca, block_of_if_use(use));
   /* Out of loops again, up to the one that the definition is in. */
   nir_block *from = def->parent_instr->block;
   while (lca && lca != from && loop_of(lca) != loop_of(from))
      lca = lca->imm_dom;
   return lca;
}

static bool
sink_impl(nir_function_impl *impl, nir_move_options options)
{
   bool progress = false;
   nir_metadata_require(impl, nir_metadata_dominance);
   nir_foreach_block_reverse(block, impl) {
      nir_foreach_instr_reverse_safe(instr, block) {
         if (!may_move(instr, options) || has_register_source(instr))
            continue;
         nir_block *to = sink_target(nir_instr_ssa_def(instr));
         if (!to || to == block)
            continue;
         nir_instr_move(nir_after_phis(to), instr);
         progress = true;
      }
   }
   return progress;
}

/* Whether a stands before b in their block. What was moved has the index of
 * what it was moved to: among equals the list decides. */
static bool
stands_before(const nir_instr *a, const nir_instr *b)
{
   if (a->index != b->index)
      return a->index < b->index;
   for (const nir_instr *i = a; i && i->index == a->index;
        i = nir_instr_next(i)) {
      if (i == b)
         return true;
   }
   return false;
}

/* The first instruction of the block, behind `instr`, that uses its value;
 * NULL if none does. Needs instruction indices. */
static nir_instr *
first_use(nir_ssa_def *def)
{
   nir_instr *first = NULL;
   nir_foreach_use(use, def) {
      nir_instr *instr = use->parent_instr;
      if (instr->type == nir_instr_type_phi ||
          instr->block != def->parent_instr->block)
         continue;
      if (!first || stands_before(instr, first))
         first = instr;
   }
   return first;
}

static bool
move_impl(nir_function_impl *impl, nir_move_options options)
{
   bool progress = false;
   nir_index_instrs(impl);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_reverse_safe(instr, block) {
         if (!may_move(instr, options) || has_register_source(instr))
            continue;
         nir_ssa_def *def = nir_instr_ssa_def(instr);
         nir_instr *use = first_use(def);
         const nir_instr *next = nir_instr_next(instr);
         if (use) {
            if (use == next)
               continue;
            nir_instr_move(nir_before_instr(use), instr);
            instr->index = use->index;
            progress = true;
         } else if (next && next->type != nir_instr_type_jump &&
                    !list_is_empty(&def->if_uses)) {
            nir_instr_move(nir_after_block_before_jump(block), instr);
            instr->index = UINT32_MAX;
            progress = true;
         }
      }
   }
   return progress;
}

static bool
run(nir_shader *shader, nir_move_options options,
    bool (*impl_fn)(nir_function_impl *, nir_move_options))
{
   bool progress = false;
   nir_foreach_function(function, shader) {
      nir_function_impl *impl = function->impl;
      if (!impl)
         continue;
      const bool changed = impl_fn(impl, options);
      nir_metadata_preserve(impl, changed ? nir_metadata_block_index |
                                               nir_metadata_dominance
                                          : nir_metadata_all);
      progress |= changed;
   }
   return progress;
}

bool
nir_opt_sink(nir_shader *shader, nir_move_options options)
{
   return run(shader, options, sink_impl);
}

bool
nir_opt_move(nir_shader *shader, nir_move_options options)
{
   return run(shader, options, move_impl);
}
