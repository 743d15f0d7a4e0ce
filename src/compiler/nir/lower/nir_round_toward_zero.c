/* SPDX-License-Identifier: MIT */
/*
 * Results of the sizes whose execution mode is RoundingModeRTZ are rounded
 * towards zero, where SPIR-V's arithmetic is correctly rounded (Vulkan,
 * "Precision and Operation of SPIR-V Instructions"): sums, differences,
 * products, what is made of these, and conversions to floats. Other
 * operations have bounds of error, which the mode does not change; what they
 * are lowered to counts on nearest even.
 *
 * fadd, fmul, f2f16 and f2f32 become their kind that rounds so. Integers
 * lose the bits that do not fit before they are converted, so that nothing is
 * left to round. An f2f16_rtne was asked for and stays.
 *
 * Before: SSA, no source modifiers, and no operation has been replaced by
 * others yet. After: the same, and of these sizes no fsub, ffma, flrp, fdot.
 */
#include "nir.h"
#include "nir_builder.h"

typedef nir_value def;

static bool
wants_zero(const nir_shader *shader, unsigned bit_size)
{
   const unsigned mode = shader->info.float_controls_execution_mode;

   switch (bit_size) {
   case 16: return mode & FLOAT_CONTROLS_ROUNDING_MODE_RTZ_FP16;
   case 32: return mode & FLOAT_CONTROLS_ROUNDING_MODE_RTZ_FP32;
   case 64: return mode & FLOAT_CONTROLS_ROUNDING_MODE_RTZ_FP64;
   default: return false;
   }
}

static def *
difference(nir_builder *b, def *x, def *y)
{
   return nir_fadd_rtz(b, x, nir_fneg(b, y));
}

/* From the left. */
static def *
dot(nir_builder *b, def *x, def *y)
{
   def *products = nir_fmul_rtz(b, x, y);
   def *sum = nir_channel(b, products, 0);

   for (unsigned i = 1; i < products->num_components; i++)
      sum = nir_fadd_rtz(b, sum, nir_channel(b, products, i));
   return sum;
}

/* x (1 - t) + y t */
static def *
mix(nir_builder *b, def *x, def *y, def *t)
{
   def *one = nir_imm_floatN_t(b, 1.0, t->bit_size);
   def *rest = difference(b, one, t);

   return nir_fadd_rtz(b, nir_fmul_rtz(b, x, rest), nir_fmul_rtz(b, y, t));
}

/* ---- integers ---- */

static unsigned
precision(unsigned float_bits)
{
   return float_bits == 16 ? 11 : float_bits == 32 ? 24 : 53;
}

/* An unsigned one without the bits below the most significant ones that a
 * float of this size has. */
static def *
cut_integer(nir_builder *b, def *x, unsigned float_bits)
{
   /* The largest half. */
   if (float_bits == 16)
      x = nir_umin(b, x, nir_imm_intN_t(b, 65504, x->bit_size));
   def *excess =
      nir_iadd_imm(b, nir_ufind_msb(b, x), 1 - (int)precision(float_bits));
   def *drop = nir_imax(b, excess, nir_imm_int(b, 0));

   return nir_ishl(b, nir_ushr(b, x, drop), drop);
}

static def *
to_float(nir_builder *b, def *x, unsigned bits)
{
   return bits == 16   ? nir_u2f16(b, x)
          : bits == 32 ? nir_u2f32(b, x)
                       : nir_u2f64(b, x);
}

/* NULL: the float has a bit for each of the integer's. */
static def *
convert_unsigned(nir_builder *b, def *x, unsigned bits)
{
   if (x->bit_size <= precision(bits))
      return NULL;
   if (x->bit_size < 32)
      x = nir_u2u32(b, x);
   return to_float(b, cut_integer(b, x, bits), bits);
}

static def *
convert_signed(nir_builder *b, def *x, unsigned bits)
{
   if (x->bit_size <= precision(bits))
      return NULL;
   if (x->bit_size < 32)
      x = nir_i2i32(b, x);
   def *zero = nir_imm_intN_t(b, 0, x->bit_size);
   def *f = to_float(b, cut_integer(b, nir_iabs(b, x), bits), bits);

   return nir_bcsel(b, nir_ilt(b, x, zero), nir_fneg(b, f), f);
}

/* ---- */

/* NULL: nothing to round, or not towards zero whatever the mode. */
static def *
round_alu(nir_builder *b, nir_alu_instr *alu)
{
   const unsigned bits = alu->instr.result.bit_size;
   def *s[NIR_ALU_MAX_INPUTS];

   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++)
      s[i] = nir_operand_value(b, alu, i);
   switch ((int)alu->op) {
   case nir_op_fadd: return nir_fadd_rtz(b, s[0], s[1]);
   case nir_op_fsub: return difference(b, s[0], s[1]);
   case nir_op_fmul: return nir_fmul_rtz(b, s[0], s[1]);
   case nir_op_ffma:
      return nir_fadd_rtz(b, nir_fmul_rtz(b, s[0], s[1]), s[2]);
   case nir_op_flrp: return mix(b, s[0], s[1], s[2]);
   case nir_op_fdot2:
   case nir_op_fdot3:
   case nir_op_fdot4: return dot(b, s[0], s[1]);
   case nir_op_f2f16: return nir_f2f16_rtz(b, s[0]);
   case nir_op_f2f32: return nir_f2f32_rtz(b, s[0]);
   case nir_op_i2f16:
   case nir_op_i2f32:
   case nir_op_i2f64: return convert_signed(b, s[0], bits);
   case nir_op_u2f16:
   case nir_op_u2f32:
   case nir_op_u2f64: return convert_unsigned(b, s[0], bits);
   default: return NULL;
   }
}

static bool
round_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   if (!wants_zero(b->shader, alu->instr.result.bit_size))
      return false;
   b->cursor = nir_before_instr(instr);
   def *rounded = round_alu(b, alu);
   if (!rounded)
      return false;
   nir_instr_replace(&alu->instr, rounded);
   return true;
}

bool
nir_round_toward_zero(nir_shader *shader)
{
   return nir_visit_instrs(shader, round_instr,
                           nir_metadata_block_index | nir_metadata_dominance,
                           NULL);
}
