/* SPDX-License-Identifier: MIT */
/*
 * Shortens live ranges: moves cheap instructions within their block to before
 * their first use, and repeats signs in the blocks that want them.
 *
 * A magnitude or a negated number that other blocks use is made anew in each
 * of them, so that what it is made of lives on and no copy with another sign
 * does beside it. That costs nothing where all users of a block can say the
 * sign themselves, and an instruction where some of them cannot: only in
 * blocks that are hardly ever executed.
 *
 * Before: SSA; of signs, common subexpressions are not looked for any more.
 * Cost: linear in instructions and uses.
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

static bool
is_used_in(const nir_use *use, const nir_block *block)
{
   return use->instr->kind != nir_kind_phi && use->instr->block == block;
}

/* The first instruction of the block that uses the value; NULL if none does.
 * Needs instruction indices. */
static nir_instr *
first_use(nir_value *def, const nir_block *block)
{
   nir_instr *first = NULL;
   nir_foreach_instr_use(use, def) {
      if (is_used_in(use, block) &&
          (!first || stands_before(use->instr, first)))
         first = use->instr;
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
         nir_instr *use = first_use(def, block);
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

/* ---- signs ---- */

static bool
is_sign(const nir_alu_instr *alu)
{
   return alu && (alu->op == nir_op_fabs || alu->op == nir_op_fneg);
}

/* What only moves bits may be done by instructions that know no sign. */
static bool
can_say_sign(const nir_use *use)
{
   const nir_alu_instr *alu = nir_maybe_alu(use->instr);
   return alu && alu->op != nir_op_mov && alu->op != nir_op_bcsel &&
          !nir_op_is_vec(alu->op) && nir_alu_reads_float(alu, use);
}

static bool
all_can_say_sign(nir_value *def, const nir_block *block)
{
   nir_foreach_instr_use(use, def) {
      if (is_used_in(use, block) && !can_say_sign(use))
         return false;
   }
   return true;
}

static void
repeat_in(nir_shader *shader, nir_value *def, const nir_block *block)
{
   nir_instr *first = first_use(def, block);
   nir_instr *again = nir_instr_clone(shader, def->instr);
   nir_instr_insert_before(first, again);
   again->index = first->index;
   nir_foreach_instr_use_safe(use, def) {
      if (is_used_in(use, block) && use->instr != again)
         nir_set_use(use->instr, use, nir_instr_value(again));
   }
}

/* Another block that uses the value and is to have its own; or NULL. */
static nir_block *
block_for_sign(nir_value *def)
{
   nir_foreach_instr_use(use, def) {
      nir_block *block = use->instr->block;
      if (block != def->instr->block && is_used_in(use, block) &&
          (nir_block_is_unlikely(block) || all_can_say_sign(def, block)))
         return block;
   }
   return NULL;
}

/* From the last to the first, as there are magnitudes that are negated. */
static bool
repeat_signs(nir_shader *shader, nir_function_impl *impl)
{
   bool progress = false;
   nir_number_instrs(impl);
   nir_foreach_block_reverse(block, impl) {
      nir_foreach_instr_reverse_safe(instr, block) {
         nir_block *other;
         if (!is_sign(nir_maybe_alu(instr)))
            continue;
         while ((other = block_for_sign(nir_instr_value(instr)))) {
            repeat_in(shader, nir_instr_value(instr), other);
            progress = true;
         }
      }
   }
   return progress;
}

bool
nir_opt_repeat_signs(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_impl(impl, shader) {
      const bool changed = repeat_signs(shader, impl);
      nir_changed(impl, changed, nir_metadata_control_flow);
      progress |= changed;
   }
   return progress;
}
