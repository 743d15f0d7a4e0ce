/* SPDX-License-Identifier: MIT */
/*
 * A shader that has no subnormals to keep leaves the bits of cr0 as its
 * thread has got them, which flushes: one that computes nothing with floats,
 * or with those of 32 bits alone, unless it asks for theirs (GLSL 4.60, 4.7.1
 * "Range and Precision", and Vulkan, "Precision and Operation of SPIR-V
 * Instructions", let a driver flush them). Where there are doubles, floats
 * keep theirs, too, so that conversions are exact both ways.
 *
 * Interpolation is no computation of the shader's (SPIR-V's execution modes
 * of floats are about its instructions); what follows it may be. What only
 * moves bits has integers or is a raw move, which no mode changes.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/fs/fs_compile.h"

/* Whether subnormals of such a type are to be kept. */
static bool
is_kept(const struct eu_shader *s, unsigned type)
{
   return type == ISA_TYPE_F ? s->keeps_subnormals : eu_type_is_float(type);
}

static bool
has_kept(const struct eu_shader *s, const struct eu_inst *inst)
{
   if (inst->dst.file != EU_BAD && is_kept(s, inst->dst.type))
      return true;
   for (unsigned i = 0; i < inst->sources; i++) {
      if (is_kept(s, inst->src[i].type))
         return true;
   }
   return false;
}

/* Moves that change no bit (PRM SKL vol 7, "Raw Move"); an immediate of type
 * VF has no subnormals. Interpolation. */
static bool
needs_none(const struct eu_inst *inst)
{
   const eu_reg *from = &inst->src[0];

   if (inst->op == EU_OP_UNDEF || inst->op == ISA_OPCODE_PLN)
      return true;
   return (inst->op == ISA_OPCODE_MOV || inst->op == ISA_OPCODE_DIM ||
           inst->op == EU_OP_MOV_INDIRECT || inst->op == EU_OP_BROADCAST) &&
          inst->cond_mod == ISA_COND_MOD_NONE && !inst->saturate &&
          !from->negate && !from->abs &&
          (from->type == inst->dst.type ||
           (from->file == EU_IMM && from->type == ISA_TYPE_VF));
}

static bool
sets_controls(const struct eu_inst *inst)
{
   return inst->dst.file == EU_ARF &&
          (inst->dst.nr & 0xf0) == ISA_ARF_CONTROL;
}

bool
fs_opt_float_controls(struct eu_shader *s)
{
   struct eu_inst *controls = NULL;

   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (sets_controls(inst)) {
         if (controls)
            return false;
         controls = inst;
      } else if (!eu_is_send(inst) && has_kept(s, inst) &&
                 !needs_none(inst)) {
         return false;
      }
   }
   if (!controls)
      return false;
   list_del(&controls->link);
   return true;
}
