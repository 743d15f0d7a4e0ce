/* SPDX-License-Identifier: MIT */
/*
 * Replaces ALU instructions whose sources are all constant by their value,
 * computed by the expression in the opcode table, and loads whose answer is
 * known. Before and after: SSA. One walk: a fold makes its users foldable
 * further on in the same walk.
 */
#include "nir_builder.h"

#include "nir_private.h"

/* The swizzled sources; false if one is not constant. */
static bool
const_srcs(const nir_alu_instr *alu,
           nir_const_value out[][NIR_MAX_VEC_COMPONENTS], unsigned *bit_size)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const nir_operand *src = &alu->src[i];
      if (!nir_use_is_const(src->use))
         return false;
   }
   *bit_size = 0;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const nir_operand *src = &alu->src[i];
      const nir_const_value *v = nir_use_constant(src->use);
      const unsigned bits = src->use.value->bit_size;
      const unsigned n = nir_operand_components(alu, i);
      for (unsigned c = 0; c < n; c++) {
         out[i][c] = v[src->swizzle[c]];
      }
      if (!nir_type_bits(info->input[i].type))
         *bit_size = bits;
   }
   if (!*bit_size)
      *bit_size = alu->instr.result.bit_size;
   return true;
}

static bool
fold_alu(nir_builder *b, nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   nir_const_value in[NIR_ALU_MAX_INPUTS][NIR_MAX_VEC_COMPONENTS];
   /* Most instructions have a source that is no constant. */
   unsigned bit_size;
   if (!const_srcs(alu, in, &bit_size))
      return false;
   nir_const_value *srcs[NIR_ALU_MAX_INPUTS];
   for (unsigned i = 0; i < info->num_inputs; i++)
      srcs[i] = in[i];

   nir_const_value dest[NIR_MAX_VEC_COMPONENTS];
   memset(dest, 0, sizeof(dest));
   const nir_value *result = &alu->instr.result;
   const unsigned mode = b->shader->info.float_controls_execution_mode;
   nir_eval_const_opcode(alu->op, dest, result->num_components, bit_size,
                         srcs, mode);
   b->cursor = nir_before_instr(&alu->instr);
   nir_value *imm =
      nir_build_imm(b, result->num_components, result->bit_size, dest);
   nir_instr_replace(&alu->instr, imm);
   return true;
}

static bool
fold_intrinsic(nir_builder *b, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_demote_if:
   case nir_intrinsic_discard_if:
   case nir_intrinsic_terminate_if:
      if (!nir_use_is_const(intr->src[0]))
         return false;
      if (nir_use_as_bool(intr->src[0])) {
         b->cursor = nir_before_instr(&intr->instr);
         if (intr->intrinsic == nir_intrinsic_demote_if)
            nir_demote(b);
         else if (intr->intrinsic == nir_intrinsic_discard_if)
            nir_discard(b);
         else
            nir_terminate(b);
      }
      nir_instr_remove(&intr->instr);
      return true;
   case nir_intrinsic_vote_any:
   case nir_intrinsic_vote_all:
   case nir_intrinsic_read_invocation:
   case nir_intrinsic_read_first_invocation:
   case nir_intrinsic_quad_broadcast:
   case nir_intrinsic_quad_swap_horizontal:
   case nir_intrinsic_quad_swap_vertical:
   case nir_intrinsic_quad_swap_diagonal:
      /* All invocations agree on a constant. */
      if (!nir_use_is_const(intr->src[0]) ||
          intr->instr.result.bit_size != intr->src[0].value->bit_size)
         return false;
      nir_instr_replace(&intr->instr, intr->src[0].value);
      return true;
   default: return false;
   }
}

static bool
fold_instr(nir_builder *b, nir_instr *instr, void *unused)
{
   if (instr->kind == nir_kind_alu)
      return fold_alu(b, nir_instr_as_alu(instr));
   if (instr->kind == nir_kind_intrinsic)
      return fold_intrinsic(b, nir_instr_as_intrinsic(instr));
   return false;
}

bool
nir_opt_constant_folding(nir_shader *shader)
{
   return nir_visit_instrs(shader, fold_instr, nir_metadata_control_flow,
                           NULL);
}
