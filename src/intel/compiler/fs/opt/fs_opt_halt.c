/* SPDX-License-Identifier: MIT */
/*
 * A HALT that has little to leap over costs more than it saves: the target is
 * an instruction, too, and both end blocks.
 *
 *    (-f0.1.any4h) halt
 *    mul c, a, b
 *    halt_target
 *    fb_write (f0.1)
 *
 * With arithmetic alone between the two, pixels that are not alive compute
 * what nobody stores. A HALT whose channels must not take part in anything
 * any more (terminate) goes only where the target is next.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/fs/fs_compile.h"

/* Instructions that are not worth a leap. */
#define MAX_DISTANCE 8

static bool
only_computes(const struct eu_inst *inst)
{
   return !eu_is_send(inst) && !eu_has_side_effects(inst);
}

/* Those that quads take when none of their pixels is alive. */
static bool
may_be_left_out(const struct eu_inst *halt)
{
   return halt->pred == ISA_PRED_ANY4H;
}

/* The first of an opcode, or NULL. */
static struct eu_inst *
find(struct eu_shader *s, unsigned op)
{
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (inst->op == op)
         return inst;
   }
   return NULL;
}

bool
fs_opt_halt(struct eu_shader *s)
{
   struct eu_inst *target = find(s, EU_OP_HALT_TARGET);
   unsigned distance = 0;
   bool progress = false;

   if (!target)
      return false;
   struct list_head *link = target->link.prev;
   while (link != &s->insts && distance <= MAX_DISTANCE) {
      struct eu_inst *inst = list_entry(link, struct eu_inst, link);

      link = link->prev;
      if (inst->op == ISA_OPCODE_HALT) {
         if (distance && !may_be_left_out(inst))
            break;
         list_del(&inst->link);
         progress = true;
      } else if (only_computes(inst)) {
         distance++;
      } else {
         break;
      }
   }
   if (progress && !find(s, ISA_OPCODE_HALT))
      list_del(&target->link);
   return progress;
}
