/* SPDX-License-Identifier: MIT */
/* Flow control as the shadow sees it: what decides where a thread goes. */
#include "shadow_private.h"

/* A register that says where to. */
static bool
undefined_target(const struct sim_eu_thread *t, const struct isa_operand *o)
{
   if (o->file == ISA_FILE_GRF && !o->indirect && o->nr < SIM_GRF_COUNT)
      return t->shadow->grf[o->nr].ud[o->subnr_B / 4 & 7];
   if (o->file == ISA_FILE_ARF && (o->nr & 0xf0) == ISA_ARF_ADDRESS)
      return t->shadow->some_address >> (o->subnr_B / 2 & 14) & 3;
   return false;
}

bool
shadow_flow(struct sim_eu_thread *t, const struct eu_op *op)
{
   const enum isa_opcode opcode = op->inst->opcode;
   const bool jmpi = opcode == ISA_OPCODE_JMPI;
   const bool links = opcode == ISA_OPCODE_JMPI || opcode == ISA_OPCODE_BRD ||
                      opcode == ISA_OPCODE_BRC || opcode == ISA_OPCODE_CALL ||
                      opcode == ISA_OPCODE_RET;
   const bool of_group = op->pred >= ISA_PRED_ANYV &&
                         op->pred <= ISA_PRED_ALL32H;
   uint32_t lanes = jmpi ? 1 : op->lanes;
   if (!jmpi)
      lanes &= (op->flags & EU_NO_MASK ? t->dispatch_mask : t->active) >>
                  op->group &
               shadow_lit(t) >> op->group;
   const uint32_t unsure = shadow_predicate(t, op) & lanes;
   if (unsure)
      return shadow_broken(
         t, of_group ? SIM_RULE_GROUP_FLAGS : SIM_RULE_LEFTOVER,
         "a branch by f%u.%u, channels 0x%x", op->flag_nr,
         op->flag_shift / 16u, unsure << op->group);
   if (links && undefined_target(t, &op->inst->src[0]))
      return shadow_broken(t, SIM_RULE_LEFTOVER, "the target of a jump");
   if (opcode == ISA_OPCODE_CALL || opcode == ISA_OPCODE_CALLA) {
      for (unsigned i = 0; i < 2; i++)
         t->shadow->grf[op->inst->dst.nr & 127]
            .ud[(op->inst->dst.subnr_B / 4 + i) & 7] = 0;
      shadow_finalise(t->shadow, op->inst->dst.nr & 127);
   }
   return true;
}
