/* SPDX-License-Identifier: MIT */
/*
 * What Align16 instructions cannot have as operands, copied to registers.
 *
 * Three-source instructions have no immediates and replicate one component
 * of a vector that both vertices share, but not several (PRM BDW vol 7,
 * "Three-source instructions": RepCtrl; there is no vertical stride).
 *
 * Halves that are only copied are words where the EU has no halves.
 */
#include "vec4_compile.h"
#include "vec4_ir.h"

static bool
is_one_component(const eu_reg *r, unsigned mask)
{
   return util_is_power_of_two_nonzero(eu_components_read(r->swz, mask));
}

static bool
is_bad(const struct eu_inst *inst, unsigned i)
{
   const eu_reg *r = &inst->src[i];

   if (inst->op == ISA_OPCODE_MATH)
      return r->file == EU_IMM;
   if (!eu_info(inst)->is_src3 || r->region)
      return false;
   return r->file == EU_IMM || r->file == EU_ARF ||
          (r->stride == 0 && !is_one_component(r, inst->dst.swz));
}

static void
copy(struct eu_shader *s, struct eu_inst *inst, unsigned i)
{
   struct eu_builder b = eu_builder_before(s, inst);
   eu_reg *r = &inst->src[i];
   const bool negate = r->negate, abs = r->abs;
   eu_reg t = eu_vgrf(&b, r->type, 1), from = *r;
   const unsigned raw = eu_type_sz(r->type) == 8 ? ISA_TYPE_DF : ISA_TYPE_UD;

   from.negate = from.abs = false;
   if (inst->dst.swz != ISA_WRITEMASK_XYZW)
      eu_undef(&b, t);
   b.align16 = inst->dst.swz;
   eu_MOV(&b, eu_retype(t, raw), eu_retype(from, raw));
   *r = vec4_src(t);
   r->negate = negate;
   r->abs = abs;
}

static bool
is_copy_of_halves(const struct eu_inst *inst)
{
   return inst->op == ISA_OPCODE_MOV && inst->dst.type == ISA_TYPE_HF &&
          inst->src[0].type == ISA_TYPE_HF && !inst->src[0].negate &&
          !inst->src[0].abs && !inst->saturate &&
          inst->cond_mod == ISA_COND_MOD_NONE;
}

bool
vec4_lower_operands(struct eu_shader *s)
{
   bool progress = false;

   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (!s->devinfo->eu.has_half_float && is_copy_of_halves(inst)) {
         inst->dst.type = inst->src[0].type = ISA_TYPE_UW;
         progress = true;
      }
      if (!inst->align16)
         continue;
      for (unsigned i = 0; i < inst->sources; i++) {
         if (is_bad(inst, i)) {
            copy(s, inst, i);
            progress = true;
         }
      }
   }
   return progress;
}
