/* SPDX-License-Identifier: MIT */
/*
 * Linear interpolation of the given sizes as a (1 - t) + b t, which gives
 * exactly a at 0 and b at 1.
 */
#include "nir.h"
#include "nir_builder.h"

static bool
is_flrp(const nir_instr *instr, const void *data)
{
   const unsigned *sizes = data;
   const nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   return alu->op == nir_op_flrp && (alu->instr.result.bit_size & *sizes);
}

static nir_value *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   nir_value *s[3];
   for (unsigned i = 0; i < 3; i++)
      s[i] = nir_operand_value(b, alu, i);
   b->exact = alu->exact;
   nir_value *one = nir_imm_floatN_t(b, 1.0, s[2]->bit_size);
   nir_value *rest = nir_fadd(b, one, nir_fneg(b, s[2]));
   nir_value *r =
      nir_fadd(b, nir_fmul(b, s[0], rest), nir_fmul(b, s[1], s[2]));
   return r;
}

/* This form is precise as it is: always_precise changes nothing. */
bool
nir_lower_flrp(nir_shader *shader, unsigned lowering_mask_bits,
               bool always_precise)
{
   return nir_replace_instrs(shader, is_flrp, lower_instr,
                             &lowering_mask_bits);
}
