/* SPDX-License-Identifier: MIT */
/*
 * Tells the control register how to round: towards zero in front of the
 * first instruction that wants it, to nearest even again in front of the next
 * one that does not.
 *
 * What rounds to nearest by itself (MATH, RNDE), moves bits, compares or
 * chooses leaves the mode as it is; so does what has no floats as its result:
 * floats become integers in one way only (PRM SKL vol 7, "Floating-Point to
 * Integer"). A block begins with a mode that is not known, but for the first:
 * a thread starts with nearest even (cr0.0 bits 5:4 clear; the same volume,
 * "Control Register").
 *
 * Before: the order of the instructions is final. After: the same, and they
 * may not be moved. Cost: linear.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/fs/fs_compile.h"

#define ROUND_MASK 0x30u
#define ROUND_TOWARD_ZERO 0x30u

enum mode {
   MODE_EVEN,
   MODE_ZERO,
   MODE_UNKNOWN,
};

static bool
is_move(const struct eu_inst *inst)
{
   return (inst->op == ISA_OPCODE_MOV || inst->op == ISA_OPCODE_DIM) &&
          inst->src[0].type == inst->dst.type;
}

/* Whether the mode may matter. */
static bool
rounds(const struct eu_inst *inst)
{
   if (!eu_is_alu(inst) || is_move(inst))
      return false;
   switch (inst->op) {
   case ISA_OPCODE_SEL:
   case ISA_OPCODE_CMP:
   case ISA_OPCODE_MATH:
   case ISA_OPCODE_RNDE:
   case ISA_OPCODE_RNDD:
   case ISA_OPCODE_RNDU:
   case ISA_OPCODE_RNDZ: return false;
   case ISA_OPCODE_F32TO16: return true;
   default: return eu_type_is_float(inst->dst.type);
   }
}

static void
set_mode(struct eu_shader *s, struct eu_inst *inst, enum mode mode)
{
   struct eu_builder b = eu_scalar(eu_builder_before(s, inst));
   const eu_reg cr0 = {
      .file = EU_ARF, .nr = ISA_ARF_CONTROL, .type = ISA_TYPE_UD, .stride = 0
   };
   eu_reg dst = cr0;

   b.toward_zero = false;
   dst.stride = 1;
   if (mode == MODE_ZERO)
      eu_OR(&b, dst, cr0, eu_imm_ud(ROUND_TOWARD_ZERO))->side_effects = true;
   else
      eu_AND(&b, dst, cr0, eu_imm_ud(~ROUND_MASK))->side_effects = true;
}

static bool
any_toward_zero(const struct eu_shader *s)
{
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (inst->toward_zero && rounds(inst))
         return true;
   }
   return false;
}

bool
fs_lower_rounding(struct eu_shader *s)
{
   enum mode now = MODE_EVEN;
   uint32_t block = 0;

   if (!any_toward_zero(s))
      return false;
   eu_calculate_cfg(s);
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      const enum mode want = inst->toward_zero ? MODE_ZERO : MODE_EVEN;

      if (inst->block != block)
         now = MODE_UNKNOWN;
      block = inst->block;
      if (!rounds(inst) || now == want)
         continue;
      set_mode(s, inst, want);
      now = want;
   }
   return true;
}
