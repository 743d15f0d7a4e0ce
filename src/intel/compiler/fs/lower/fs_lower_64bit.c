/* SPDX-License-Identifier: MIT */
/*
 * 64-bit values where the EU has doubles, but neither 64-bit integers nor
 * 64-bit immediates everywhere (docs/eu-fp64-facts.rst, 1.1, rows 5 to 8).
 *
 *    1. A constant comes by DIM, one channel at a time (Gen7.5), or by two
 *       moves of dwords (Gen7); more channels read it as a scalar.
 *    2. What only moves bits - MOV without a conversion, SEL by a predicate -
 *       moves doubles: neither changes a bit.
 *
 * Before: 64-bit arithmetic is on DF. After: no Q and no UQ, and no 64-bit
 * immediate outside of DIM.
 */
#include "intel/compiler/eu/eu_builder.h"

static bool
has_imm64(const struct eu_inst *inst)
{
   return inst->op == ISA_OPCODE_MOV && inst->src[0].file == EU_IMM &&
          eu_type_sz(inst->src[0].type) == 8;
}

static void
load_constant(const struct eu_builder *b, eu_reg dst, uint64_t bits)
{
   const struct eu_builder sb = eu_scalar(*b);

   if (b->s->devinfo->eu.has_dim) {
      eu_emit1(&sb, ISA_OPCODE_DIM, eu_retype(dst, ISA_TYPE_DF),
               eu_imm(ISA_TYPE_DF, bits));
      return;
   }
   for (unsigned i = 0; i < 2; i++)
      eu_MOV(&sb, eu_byte_offset(eu_retype(dst, ISA_TYPE_UD), 4 * i),
             eu_imm_ud(bits >> (32 * i)));
}

static void
lower_constant(struct eu_shader *s, struct eu_inst *inst)
{
   const struct eu_builder b = eu_builder_before(s, inst);
   const unsigned type = inst->src[0].type;

   if (inst->exec_size == 1 && inst->nomask && inst->dst.type == type &&
       !inst->saturate && inst->pred == ISA_PRED_NONE &&
       inst->cond_mod == ISA_COND_MOD_NONE) {
      load_constant(&b, inst->dst, inst->src[0].imm);
      list_del(&inst->link);
      return;
   }
   const eu_reg t = eu_vgrf_scalar(&b, type);
   load_constant(&b, eu_scalar_dst(t), inst->src[0].imm);
   inst->src[0] = t;
}

static bool
is_int64(unsigned type)
{
   return type == ISA_TYPE_Q || type == ISA_TYPE_UQ;
}

/* Operands of 64-bit integers as doubles, if the bits stay what they are. */
static bool
lower_types(struct eu_shader *s, struct eu_inst *inst)
{
   bool found = eu_is_alu(inst) && is_int64(inst->dst.type);

   for (unsigned i = 0; i < inst->sources; i++)
      found |= eu_is_alu(inst) && is_int64(inst->src[i].type);
   if (!found)
      return false;
   bool raw =
      inst->op == ISA_OPCODE_MOV ||
      (inst->op == ISA_OPCODE_SEL && inst->cond_mod == ISA_COND_MOD_NONE);
   raw &= eu_type_sz(inst->dst.type) == 8 && !inst->saturate;
   for (unsigned i = 0; i < inst->sources; i++) {
      raw &= eu_type_sz(inst->src[i].type) == 8 && !inst->src[i].negate &&
             !inst->src[i].abs;
   }
   if (!raw) {
      eu_fail(s, "64-bit integers in %s", eu_info(inst)->name);
      return false;
   }
   inst->dst.type = ISA_TYPE_DF;
   for (unsigned i = 0; i < inst->sources; i++)
      inst->src[i].type = ISA_TYPE_DF;
   return true;
}

bool
fs_lower_64bit(struct eu_shader *s)
{
   bool progress = false;

   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (!s->devinfo->eu.has_imm64 && has_imm64(inst)) {
         lower_constant(s, inst);
         progress = true;
         continue;
      }
      if (!s->devinfo->has_64bit_int)
         progress |= lower_types(s, inst);
   }
   return progress;
}
