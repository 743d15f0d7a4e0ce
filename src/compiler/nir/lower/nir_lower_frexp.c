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
   if (instr->type != nir_instr_type_alu)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu(instr);
   return (alu->op == nir_op_frexp_sig || alu->op == nir_op_frexp_exp) &&
          nir_src_bit_size(alu->src[0].src) == 32;
}

static nir_ssa_def *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   nir_ssa_def *x = nir_ssa_for_alu_src(b, alu, 0);
   b->exact = true;

   nir_ssa_def *field = nir_iand_imm(b, nir_ushr_imm(b, x, 23), 0xff);
   nir_ssa_def *small = nir_ieq_imm(b, field, 0);
   nir_ssa_def *scaled =
      nir_bcsel(b, small, nir_fmul_imm(b, x, 1 << SUBNORMAL_SHIFT), x);
   nir_ssa_def *special = nir_ior(b, nir_feq(b, x, nir_imm_float(b, 0.0f)),
                                  nir_ieq_imm(b, field, 0xff));

   if (alu->op == nir_op_frexp_sig) {
      nir_ssa_def *sig =
         nir_ior_imm(b, nir_iand_imm(b, scaled, 0x807fffff), 0x3f000000);
      return nir_bcsel(b, special, x, sig);
   }
   nir_ssa_def *bias = nir_bcsel(
      b, small, nir_imm_int(b, 126 + SUBNORMAL_SHIFT), nir_imm_int(b, 126));
   nir_ssa_def *e =
      nir_isub(b, nir_iand_imm(b, nir_ushr_imm(b, scaled, 23), 0xff), bias);
   return nir_bcsel(b, special, nir_imm_int(b, 0), e);
}

bool
nir_lower_frexp(nir_shader *shader)
{
   return nir_shader_lower_instructions(shader, is_frexp, lower_instr, NULL);
}
