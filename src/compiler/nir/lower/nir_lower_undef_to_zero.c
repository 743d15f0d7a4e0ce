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
   if (instr->kind != nir_kind_intrinsic)
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
   const nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   return nir_op_is_vec(alu->op) || alu->op == nir_op_mov;
}

/* Whether what the instruction makes goes into outputs only. */
static bool
is_gathered_for_outputs(nir_instr *instr)
{
   nir_value *def = gathers(instr) ? nir_instr_value(instr) : NULL;
   if (!def)
      return false;
   nir_foreach_use(use, def) {
      if (use->nif || !stores_output(use->instr))
         return false;
   }
   return true;
}

static bool
may_stay(nir_shader *shader, nir_instr *user)
{
   if (user->kind == nir_kind_phi)
      return true;
   if (shader->info.stage == MESA_SHADER_FRAGMENT)
      return false;
   return stores_output(user) || is_gathered_for_outputs(user);
}

static nir_value *
zero_like(nir_builder *b, const nir_value *def)
{
   return nir_imm_zero(b, def->num_components, def->bit_size);
}

static bool
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   if (instr->kind != nir_kind_undef)
      return false;
   nir_value *def = &instr->result, *zero = NULL;
   b->cursor = nir_after_instr(instr);
   nir_foreach_instr_use_safe(use, def) {
      if (may_stay(b->shader, use->instr))
         continue;
      zero = zero ? zero : zero_like(b, def);
      nir_set_use(use->instr, use, zero);
   }
   nir_foreach_if_use_safe(use, def) {
      zero = zero ? zero : zero_like(b, def);
      nir_set_condition(use->nif, zero);
   }
   return zero != NULL;
}

bool
nir_lower_undef_to_zero(nir_shader *shader)
{
   return nir_visit_instrs(shader, lower_instr,
                           nir_metadata_block_index | nir_metadata_dominance,
                           NULL);
}
