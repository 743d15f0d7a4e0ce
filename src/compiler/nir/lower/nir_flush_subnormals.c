/* SPDX-License-Identifier: MIT */
/*
 * Subnormals become zeros of the same sign where a shader asks for that and
 * the hardware is not told to do it: for sizes whose operations are lowered
 * to others, which need them, or that have units which keep them.
 *
 * Each operation on floats of these sizes whose execution mode is
 * DenormFlushToZero gets sources and a result without subnormals; so do
 * reductions of subgroups and the halves of words that are packed and
 * unpacked. Moves and choices are no such operations. Flushing
 * is integer operations: nothing that simplifies sums and products undoes it.
 *
 * Before: SSA, no source modifiers, and nothing that drops an operation has
 * run yet. After: the same.
 */
#include "nir.h"
#include "nir_builder.h"

/* Of `bit_size`, and asked for. */
static bool
is_flushed(const nir_builder *b, unsigned sizes, unsigned bit_size)
{
   const unsigned mode = b->shader->info.float_controls_execution_mode;
   if (!(sizes & bit_size))
      return false;
   switch (bit_size) {
   case 16: return mode & FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP16;
   case 32: return mode & FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP32;
   case 64: return mode & FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP64;
   default: return false;
   }
}

static nir_value *
flush_double(nir_builder *b, nir_value *x)
{
   nir_value *hi = nir_unpack_64_2x32_split_y(b, x);
   nir_value *sign = nir_iand_imm(b, hi, 0x80000000u);
   nir_value *zero = nir_imm_zero(b, x->num_components, 32);
   nir_value *no_exponent =
      nir_ieq_imm(b, nir_iand_imm(b, hi, 0x7ff00000u), 0);
   return nir_bcsel(b, no_exponent, nir_pack_64_2x32_split(b, zero, sign), x);
}

static nir_value *
flush(nir_builder *b, nir_value *x)
{
   if (x->bit_size == 64)
      return flush_double(b, x);
   const bool half = x->bit_size == 16;
   nir_value *exponent = nir_iand_imm(b, x, half ? 0x7c00 : 0x7f800000);
   nir_value *sign = nir_iand_imm(b, x, half ? 0x8000 : 0x80000000u);
   return nir_bcsel(b, nir_ieq_imm(b, exponent, 0), sign, x);
}

/* What reads the result reads it flushed; nobody else does. */
static void
flush_result(nir_builder *b, nir_instr *instr, nir_value *def)
{
   b->cursor = nir_after_instr(instr);
   nir_value *flushed = flush(b, def);
   nir_value_replace_after(def, flushed, flushed->instr);
}

/* Half floats that are parts of words. */
static bool
flush_packed(nir_builder *b, nir_alu_instr *alu, unsigned sizes)
{
   nir_value *def = &alu->instr.result;
   if (!is_flushed(b, sizes, 16))
      return false;
   switch ((int)alu->op) {
   case nir_op_unpack_half_2x16:
      alu->op = nir_op_unpack_half_2x16_flush_to_zero;
      return true;
   case nir_op_pack_half_2x16: {
      b->cursor = nir_after_instr(&alu->instr);
      nir_value *halves = nir_unpack_half_2x16_flush_to_zero(b, def);
      nir_value *flushed = nir_pack_half_2x16(b, halves);
      nir_value_replace_after(def, flushed, flushed->instr);
      return true;
   }
   default: return false;
   }
}

static bool
flush_alu(nir_builder *b, nir_alu_instr *alu, unsigned sizes)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   bool progress = flush_packed(b, alu, sizes), has_float = false;
   b->cursor = nir_before_instr(&alu->instr);
   for (unsigned i = 0; i < info->num_inputs; i++) {
      nir_value *def = alu->src[i].use.value;
      if (nir_type_base(info->input[i].type) != nir_type_float)
         continue;
      has_float = true;
      if (!is_flushed(b, sizes, def->bit_size))
         continue;
      nir_set_use(&alu->instr, &alu->src[i].use, flush(b, def));
      progress = true;
   }
   nir_value *def = &alu->instr.result;
   if (has_float && is_flushed(b, sizes, def->bit_size) &&
       nir_type_base(info->output.type) == nir_type_float) {
      flush_result(b, &alu->instr, def);
      progress = true;
   }
   return progress;
}

static bool
flush_reduction(nir_builder *b, nir_intrinsic_instr *intr, unsigned sizes)
{
   nir_value *def = &intr->instr.result;
   switch (intr->intrinsic) {
   case nir_intrinsic_reduce:
   case nir_intrinsic_inclusive_scan:
   case nir_intrinsic_exclusive_scan: break;
   default: return false;
   }
   const nir_op op = (nir_op)nir_intrinsic_reduction_op(intr);
   if (nir_type_base(nir_op_infos[op].output.type) != nir_type_float ||
       !is_flushed(b, sizes, def->bit_size))
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_set_use(&intr->instr, &intr->src[0], flush(b, intr->src[0].value));
   flush_result(b, &intr->instr, def);
   return true;
}

static bool
flush_instr(nir_builder *b, nir_instr *instr, void *data)
{
   const unsigned sizes = *(const unsigned *)data;
   switch (instr->kind) {
   case nir_kind_alu: return flush_alu(b, nir_instr_as_alu(instr), sizes);
   case nir_kind_intrinsic:
      return flush_reduction(b, nir_instr_as_intrinsic(instr), sizes);
   default: return false;
   }
}

bool
nir_flush_subnormals(nir_shader *shader, unsigned sizes)
{
   return nir_visit_instrs(shader, flush_instr,
                           nir_metadata_block_index | nir_metadata_dominance,
                           &sizes);
}
