/* SPDX-License-Identifier: MIT */
/*
 * An undefined value that is computed with, asked or stored is zero. What an
 * uninitialised register holds is another program's data, and differs from
 * run to run; a zero is an immediate operand.
 *
 * Left alone are phis, of which another source is the value that counts; and
 * components that go into an output of a stage before the fragment shader,
 * alone or in a vector: the message has them whatever they are, and no later
 * stage reads them unless its program is wrong.
 *
 * Before: SSA.
 */
#include "nir.h"
#include "nir_builder.h"

static bool
stores_output(nir_instr *instr)
{
   if (instr->type != nir_instr_type_intrinsic)
      return false;
   switch (nir_instr_as_intrinsic(instr)->intrinsic) {
   case nir_intrinsic_store_output:
   case nir_intrinsic_store_per_vertex_output: return true;
   default: return false;
   }
}

static bool
gathers(nir_instr *instr)
{
   if (instr->type != nir_instr_type_alu)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu(instr);
   return nir_op_is_vec(alu->op) || alu->op == nir_op_mov;
}

/* Whether what the instruction makes goes into outputs only. */
static bool
is_gathered_for_outputs(nir_instr *instr)
{
   nir_ssa_def *def = gathers(instr) ? nir_instr_ssa_def(instr) : NULL;
   if (!def || !list_is_empty(&def->if_uses))
      return false;
   nir_foreach_use(use, def) {
      if (!stores_output(use->parent_instr))
         return false;
   }
   return true;
}

static bool
may_stay(nir_shader *shader, nir_instr *user)
{
   if (user->type == nir_instr_type_phi)
      return true;
   if (shader->info.stage == MESA_SHADER_FRAGMENT)
      return false;
   return stores_output(user) || is_gathered_for_outputs(user);
}

static nir_ssa_def *
zero_like(nir_builder *b, const nir_ssa_def *def)
{
   return nir_imm_zero(b, def->num_components, def->bit_size);
}

static bool
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   if (instr->type != nir_instr_type_ssa_undef)
      return false;
   nir_ssa_def *def = &nir_instr_as_ssa_undef(instr)->def, *zero = NULL;
   b->cursor = nir_after_instr(instr);
   nir_foreach_use_safe(use, def) {
      if (may_stay(b->shader, use->parent_instr))
         continue;
      zero = zero ? zero : zero_like(b, def);
      nir_instr_rewrite_src_ssa(use->parent_instr, use, zero);
   }
   nir_foreach_if_use_safe(use, def) {
      zero = zero ? zero : zero_like(b, def);
      nir_if_rewrite_condition(use->parent_if, nir_src_for_ssa(zero));
   }
   return zero != NULL;
}

bool
nir_lower_undef_to_zero(nir_shader *shader)
{
   return nir_shader_instructions_pass(
      shader, lower_instr, nir_metadata_block_index | nir_metadata_dominance,
      NULL);
}
