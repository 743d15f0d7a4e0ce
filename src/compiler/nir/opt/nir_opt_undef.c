/* SPDX-License-Identifier: MIT */
/*
 * What an undefined source allows: a select between a value and nothing is
 * the value; a vector or move of nothing is nothing.
 */
#include "nir.h"
#include "nir_builder.h"

static bool
all_sources_undefined(const nir_alu_instr *alu)
{
   for (unsigned i = 0; i < alu->instr.num_operands; i++) {
      if (!nir_use_is_undef(alu->src[i].use))
         return false;
   }
   return true;
}

static bool
opt_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   nir_value *def = &alu->instr.result, *result = NULL;
   b->cursor = nir_before_instr(instr);
   if (nir_op_is_selection(alu->op) && alu->op != nir_op_fcsel) {
      for (unsigned i = 1; i <= 2 && !result; i++) {
         if (nir_use_is_undef(alu->src[i].use))
            result = nir_mov_alu(b, alu->src[3 - i], def->num_components);
      }
   } else if ((nir_op_is_vec(alu->op) || alu->op == nir_op_mov) &&
              all_sources_undefined(alu)) {
      result = nir_undef(b, def->num_components, def->bit_size);
   }
   if (!result)
      return false;
   nir_value_replace(def, result);
   nir_instr_remove(instr);
   return true;
}

bool
nir_opt_undef(nir_shader *shader)
{
   return nir_visit_instrs(shader, opt_instr,
                           nir_metadata_block_index | nir_metadata_dominance,
                           NULL);
}
