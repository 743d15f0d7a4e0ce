/* SPDX-License-Identifier: MIT */
/*
 * frexp of 32-bit floats by their bits: a significand in [0.5, 1) and an
 * exponent. Subnormals are scaled up first; zeros, infinities and NaN are
 * their own significand, with exponent 0. Doubles: nir_lower_doubles.
 */
#include "nir.h"
#include "nir_builder.h"

#define SUBNORMAL_SHIFT 24

static bool
is_frexp(const nir_instr *instr, const void *data)
{
   const nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   return (alu->op == nir_op_frexp_sig || alu->op == nir_op_frexp_exp) &&
          alu->src[0].use.value->bit_size == 32;
}

static nir_value *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   nir_value *x = nir_operand_value(b, alu, 0);
   b->exact = true;

   nir_value *field = nir_iand_imm(b, nir_ushr_imm(b, x, 23), 0xff);
   nir_value *small = nir_ieq_imm(b, field, 0);
   nir_value *scaled =
      nir_bcsel(b, small, nir_fmul_imm(b, x, 1 << SUBNORMAL_SHIFT), x);
   nir_value *special = nir_ior(b, nir_feq(b, x, nir_imm_float(b, 0.0f)),
                                nir_ieq_imm(b, field, 0xff));

   if (alu->op == nir_op_frexp_sig) {
      nir_value *sig =
         nir_ior_imm(b, nir_iand_imm(b, scaled, 0x807fffff), 0x3f000000);
      return nir_bcsel(b, special, x, sig);
   }
   nir_value *bias = nir_bcsel(
      b, small, nir_imm_int(b, 126 + SUBNORMAL_SHIFT), nir_imm_int(b, 126));
   nir_value *e =
      nir_isub(b, nir_iand_imm(b, nir_ushr_imm(b, scaled, 23), 0xff), bias);
   return nir_bcsel(b, special, nir_imm_int(b, 0), e);
}

bool
nir_lower_frexp(nir_shader *shader)
{
   return nir_replace_instrs(shader, is_frexp, lower_instr, NULL);
}
