/* SPDX-License-Identifier: MIT */
/* What chips want between two instructions. */
#include "eu_ir.h"

/*
 * "A POW/FDIV operation must not be followed by an instruction that requires
 * two destination registers" (PRM SKL vol 7, "Register Region
 * Restrictions"): rule EU-94.
 */
bool
eu_wants_nop(const struct eu_shader *s, const struct isa_inst *insts,
             unsigned num_insts, const struct eu_inst *inst)
{
   if (!s->devinfo->eu.pow_wants_nop || !num_insts ||
       inst->dst.file != EU_GRF || inst->size_written <= REG_SIZE_B)
      return false;
   const struct isa_inst *last = &insts[num_insts - 1];

   return last->opcode == ISA_OPCODE_MATH &&
          (last->math_function == ISA_MATH_POW ||
           last->math_function == ISA_MATH_FDIV);
}
