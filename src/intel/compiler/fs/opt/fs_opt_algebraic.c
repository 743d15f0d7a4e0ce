/* SPDX-License-Identifier: MIT */
/*
 * Identities that only show in the back end, after copy propagation: NIR has
 * done the rest. Each keeps all bits, signed zeros and NaNs included.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/fs/fs_compile.h"

static bool
is_imm(const eu_reg *r, uint64_t bits)
{
   return r->file == EU_IMM && r->imm == bits;
}

static uint64_t
all_ones(unsigned type)
{
   return BITFIELD64_MASK(eu_type_sz(type) * 8);
}

/* dst = src0, or dst = src1. */
static bool
become_move(struct eu_inst *inst, unsigned keep)
{
   if (keep)
      inst->src[0] = inst->src[keep];
   inst->op = ISA_OPCODE_MOV;
   inst->sources = 1;
   return true;
}

static bool
simplify_select(struct eu_inst *inst)
{
   if (inst->pred == ISA_PRED_NONE ||
       !eu_reg_equal(&inst->src[0], &inst->src[1]))
      return false;
   inst->pred = ISA_PRED_NONE;
   inst->pred_inv = false;
   return become_move(inst, 0);
}

static bool
simplify(struct eu_inst *inst)
{
   const eu_reg *b = &inst->src[1];
   const bool logic_mods = inst->src[0].negate || inst->src[0].abs;

   if (inst->cond_mod != ISA_COND_MOD_NONE || inst->saturate)
      return false;
   switch (inst->op) {
   case ISA_OPCODE_SEL: return simplify_select(inst);
   case ISA_OPCODE_ADD:
      /* x + 0.0 is not x for -0.0. */
      return !eu_type_is_float(inst->dst.type) && is_imm(b, 0) &&
             inst->dst.type == inst->src[0].type && become_move(inst, 0);
   case ISA_OPCODE_SHL:
   case ISA_OPCODE_SHR:
   case ISA_OPCODE_ASR:
      return is_imm(b, 0) && inst->dst.type == inst->src[0].type &&
             become_move(inst, 0);
   case ISA_OPCODE_AND:
      if (logic_mods || inst->dst.type != inst->src[0].type)
         return false;
      if (is_imm(b, all_ones(b->type)))
         return become_move(inst, 0);
      return is_imm(b, 0) && become_move(inst, 1);
   case ISA_OPCODE_OR:
   case ISA_OPCODE_XOR:
      return !logic_mods && inst->dst.type == inst->src[0].type &&
             is_imm(b, 0) && become_move(inst, 0);
   default: return false;
   }
}

bool
fs_opt_algebraic(struct eu_shader *s)
{
   bool progress = false;

   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      progress |= simplify(inst);
   }
   return progress;
}
