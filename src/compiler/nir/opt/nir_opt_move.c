/* SPDX-License-Identifier: MIT */
/*
 * Moves cheap instructions within their block to before their first use, to
 * shorten live ranges.
 *
 * Before: SSA. Cost: linear in instructions and uses.
 */
#include "nir.h"

static bool
may_move(const nir_instr *instr, nir_move_options options)
{
   switch (instr->kind) {
   case nir_kind_load_const:
   case nir_kind_undef: return options & nir_move_const_undef;
   case nir_kind_alu: {
      const nir_alu_instr *alu = nir_instr_as_alu(instr);
      if (nir_type_base(nir_op_infos[alu->op].output.type) == nir_type_bool)
         return options & nir_move_comparisons;
      return false;
   }
   default: return false;
   }
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

/* The first instruction of the block, after `instr`, that uses its value;
 * NULL if none does. Needs instruction indices. */
static nir_instr *
first_use(nir_value *def)
{
   nir_instr *first = NULL;
   nir_foreach_instr_use(use, def) {
      nir_instr *instr = use->instr;
      if (instr->kind == nir_kind_phi || instr->block != def->instr->block)
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
   nir_number_instrs(impl);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_reverse_safe(instr, block) {
         if (!may_move(instr, options))
            continue;
         nir_value *def = nir_instr_value(instr);
         nir_instr *use = first_use(def);
         const nir_instr *next = nir_instr_next(instr);
         if (use) {
            if (use == next)
               continue;
            nir_instr_move(nir_before_instr(use), instr);
            instr->index = use->index;
            progress = true;
         } else if (next && next->kind != nir_kind_jump &&
                    nir_value_is_condition(def)) {
            nir_instr_move(nir_after_block_before_jump(block), instr);
            instr->index = UINT32_MAX;
            progress = true;
         }
      }
   }
   return progress;
}

bool
nir_opt_move(nir_shader *shader, nir_move_options options)
{
   bool progress = false;
   nir_foreach_impl(impl, shader) {
      const bool changed = move_impl(impl, options);
      nir_changed(impl, changed,
                  nir_metadata_block_index | nir_metadata_dominance);
      progress |= changed;
   }
   return progress;
}
