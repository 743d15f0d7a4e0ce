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

static nir_ssa_def *
flush_double(nir_builder *b, nir_ssa_def *x)
{
   nir_ssa_def *hi = nir_unpack_64_2x32_split_y(b, x);
   nir_ssa_def *sign = nir_iand_imm(b, hi, 0x80000000u);
   nir_ssa_def *zero = nir_imm_zero(b, x->num_components, 32);
   nir_ssa_def *no_exponent =
      nir_ieq_imm(b, nir_iand_imm(b, hi, 0x7ff00000u), 0);
   return nir_bcsel(b, no_exponent, nir_pack_64_2x32_split(b, zero, sign), x);
}

static nir_ssa_def *
flush(nir_builder *b, nir_ssa_def *x)
{
   if (x->bit_size == 64)
      return flush_double(b, x);
   const bool half = x->bit_size == 16;
   nir_ssa_def *exponent = nir_iand_imm(b, x, half ? 0x7c00 : 0x7f800000);
   nir_ssa_def *sign = nir_iand_imm(b, x, half ? 0x8000 : 0x80000000u);
   return nir_bcsel(b, nir_ieq_imm(b, exponent, 0), sign, x);
}

/* What reads the result reads it flushed; nobody else does. */
static void
flush_result(nir_builder *b, nir_instr *instr, nir_ssa_def *def)
{
   b->cursor = nir_after_instr(instr);
   nir_ssa_def *flushed = flush(b, def);
   nir_ssa_def_rewrite_uses_after(def, flushed, flushed->parent_instr);
}

/* Half floats that are parts of words. */
static bool
flush_packed(nir_builder *b, nir_alu_instr *alu, unsigned sizes)
{
   nir_ssa_def *def = &alu->dest.dest.ssa;
   if (!is_flushed(b, sizes, 16))
      return false;
   switch ((int)alu->op) {
   case nir_op_unpack_half_2x16:
      alu->op = nir_op_unpack_half_2x16_flush_to_zero;
      return true;
   case nir_op_pack_half_2x16: {
      b->cursor = nir_after_instr(&alu->instr);
      nir_ssa_def *halves = nir_unpack_half_2x16_flush_to_zero(b, def);
      nir_ssa_def *flushed = nir_pack_half_2x16(b, halves);
      nir_ssa_def_rewrite_uses_after(def, flushed, flushed->parent_instr);
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
      nir_ssa_def *def = alu->src[i].src.ssa;
      if (nir_alu_type_get_base_type(info->input_types[i]) != nir_type_float)
         continue;
      has_float = true;
      if (!is_flushed(b, sizes, def->bit_size))
         continue;
      nir_instr_rewrite_src_ssa(&alu->instr, &alu->src[i].src, flush(b, def));
      progress = true;
   }
   nir_ssa_def *def = &alu->dest.dest.ssa;
   if (has_float && is_flushed(b, sizes, def->bit_size) &&
       nir_alu_type_get_base_type(info->output_type) == nir_type_float) {
      flush_result(b, &alu->instr, def);
      progress = true;
   }
   return progress;
}

static bool
flush_reduction(nir_builder *b, nir_intrinsic_instr *intr, unsigned sizes)
{
   nir_ssa_def *def = &intr->dest.ssa;
   switch (intr->intrinsic) {
   case nir_intrinsic_reduce:
   case nir_intrinsic_inclusive_scan:
   case nir_intrinsic_exclusive_scan: break;
   default: return false;
   }
   const nir_op op = (nir_op)nir_intrinsic_reduction_op(intr);
   if (nir_alu_type_get_base_type(nir_op_infos[op].output_type) !=
          nir_type_float ||
       !is_flushed(b, sizes, def->bit_size))
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_instr_rewrite_src_ssa(&intr->instr, &intr->src[0],
                             flush(b, intr->src[0].ssa));
   flush_result(b, &intr->instr, def);
   return true;
}

static bool
flush_instr(nir_builder *b, nir_instr *instr, void *data)
{
   const unsigned sizes = *(const unsigned *)data;
   switch (instr->type) {
   case nir_instr_type_alu:
      return flush_alu(b, nir_instr_as_alu(instr), sizes);
   case nir_instr_type_intrinsic:
      return flush_reduction(b, nir_instr_as_intrinsic(instr), sizes);
   default: return false;
   }
}

bool
nir_flush_subnormals(nir_shader *shader, unsigned sizes)
{
   return nir_shader_instructions_pass(
      shader, flush_instr, nir_metadata_block_index | nir_metadata_dominance,
      &sizes);
}
