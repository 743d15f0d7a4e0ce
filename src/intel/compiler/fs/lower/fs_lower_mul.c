/* SPDX-License-Identifier: MIT */
/*
 * Products of dwords where MUL reads but 16 bits of its second source (PRM
 * IVB vol 4 part 3 and HSW vol 2b, "mul": D x D takes MUL and MACH), or where
 * operands have to lie in quadwords (fs_lower_qwords.c).
 *
 * The low 32 bits of x * y are x * low(y) + (x * high(y) << 16), of which
 * the sum concerns the upper word alone: three instructions of any width
 * that need no accumulator, one when y is an immediate of 16 bits.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/fs/fs_compile.h"

static bool
is_dword_mul(const struct eu_inst *inst)
{
   return inst->op == ISA_OPCODE_MUL && eu_type_sz(inst->dst.type) <= 4 &&
          !eu_type_is_float(inst->src[0].type) &&
          eu_type_sz(inst->src[0].type) == 4 &&
          eu_type_sz(inst->src[1].type) == 4 &&
          !(inst->dst.file == EU_ARF && !eu_is_null(&inst->dst));
}

/* y as an immediate of 16 bits, if it is one. */
static bool
narrow_immediate(const eu_reg *y, eu_reg *imm)
{
   if (y->file != EU_IMM)
      return false;
   const int32_t v = (int32_t)(uint32_t)y->imm;
   if (v >= 0 && v <= UINT16_MAX)
      *imm = eu_imm_uw(v);
   else if (v >= INT16_MIN && v < 0)
      *imm = eu_imm(ISA_TYPE_W, (uint16_t)v);
   else
      return false;
   return true;
}

/* The word `i` of each channel of y; signs and constants are made real. */
static eu_reg
plain(const struct eu_builder *b, eu_reg y)
{
   if (y.file == EU_IMM) {
      const struct eu_builder sb = eu_scalar(*b);
      const eu_reg t = eu_vgrf_scalar(b, ISA_TYPE_UD);
      eu_MOV(&sb, eu_scalar_dst(t), eu_retype(y, ISA_TYPE_UD));
      return t;
   }
   if (!y.negate && !y.abs && !y.region)
      return y;
   const eu_reg t = eu_vgrf(b, y.type, 1);
   eu_MOV(b, t, y);
   return t;
}

static void
expand(struct eu_shader *s, struct eu_inst *inst)
{
   const struct eu_builder b = eu_builder_before(s, inst);
   const eu_reg low = eu_vgrf(&b, ISA_TYPE_D, 1);
   const eu_reg high = eu_vgrf(&b, ISA_TYPE_D, 1);
   const eu_reg upper = eu_subscript(low, ISA_TYPE_UW, 1);
   const eu_reg x = inst->src[0], y = plain(&b, inst->src[1]);
   eu_reg raw = low;

   eu_MUL(&b, low, x, eu_subscript(y, ISA_TYPE_UW, 0));
   eu_MUL(&b, high, x, eu_subscript(y, ISA_TYPE_UW, 1));
   eu_ADD(&b, upper, upper, eu_subscript(high, ISA_TYPE_UW, 0));
   /* What else the instruction does, it does to the product. */
   raw.type = inst->dst.type;
   inst->op = ISA_OPCODE_MOV;
   inst->sources = 1;
   inst->src[0] = eu_type_sz(raw.type) == 4 ? raw : low;
}

bool
fs_lower_mul(struct eu_shader *s)
{
   bool progress = false;

   if (s->devinfo->eu.has_dword_mul)
      return false;
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      eu_reg imm;

      if (!is_dword_mul(inst))
         continue;
      if (narrow_immediate(&inst->src[1], &imm))
         inst->src[1] = imm;
      else
         expand(s, inst);
      progress = true;
   }
   return progress;
}
