/* SPDX-License-Identifier: MIT */
/*
 * What is written where it is already: the same instruction with the same
 * destination once more in a block, and nothing in between that has changed
 * it. So are the outputs of a geometry shader's vertices that have the same
 * colour, as the payload of a message stays where it is.
 */
#include "intel/compiler/eu/eu_defs.h"
#include "vec4_compile.h"
#include "vec4_ir.h"

static bool
may_repeat(const struct eu_defs *defs, const struct eu_inst *inst)
{
   if (!eu_is_alu(inst) || inst->dst.file != EU_VGRF ||
       inst->pred != ISA_PRED_NONE || inst->cond_mod != ISA_COND_MOD_NONE ||
       eu_uses_acc(inst) || eu_writes_acc(inst) || eu_has_side_effects(inst))
      return false;
   for (unsigned i = 0; i < inst->sources; i++) {
      if (!eu_defs_stable(defs, inst, i) ||
          eu_regions_overlap(&inst->src[i], eu_size_read(inst, i), &inst->dst,
                             inst->size_written))
         return false;
   }
   return true;
}

static bool
same(const struct eu_inst *a, const struct eu_inst *b)
{
   if (a->op != b->op || a->math != b->math || a->align16 != b->align16 ||
       a->exec_size != b->exec_size || a->group != b->group ||
       a->nomask != b->nomask || a->saturate != b->saturate ||
       a->toward_zero != b->toward_zero || a->sources != b->sources ||
       a->size_written != b->size_written || !eu_reg_equal(&a->dst, &b->dst))
      return false;
   for (unsigned i = 0; i < a->sources; i++) {
      if (!eu_reg_equal(&a->src[i], &b->src[i]))
         return false;
   }
   return true;
}

/* Whether a dword of what `kept` has written is written again. */
static bool
disturbs(const struct eu_inst *inst, const struct eu_inst *kept)
{
   if (!eu_regions_overlap(&inst->dst, inst->size_written, &kept->dst,
                           kept->size_written))
      return false;
   if (!inst->align16 || !kept->align16 ||
       inst->dst.offset != kept->dst.offset ||
       eu_type_sz(inst->dst.type) != eu_type_sz(kept->dst.type))
      return true;
   return (inst->dst.swz & kept->dst.swz) != 0;
}

/* Takes away what repeats `kept` in the rest of its block. */
static bool
remove_repeated(struct eu_shader *s, const struct eu_inst *kept)
{
   struct list_head *next;
   bool progress = false;

   for (struct list_head *at = kept->link.next; at != &s->insts; at = next) {
      struct eu_inst *inst = list_entry(at, struct eu_inst, link);

      next = at->next;
      if (inst->block != kept->block)
         break;
      if (same(inst, kept)) {
         list_del(&inst->link);
         progress = true;
      } else if (disturbs(inst, kept)) {
         break;
      }
   }
   return progress;
}

bool
vec4_opt_repeated(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct eu_defs defs;
   bool progress = false;

   eu_calculate_cfg(s);
   eu_defs_init(&defs, s, arena);
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      /* What is written once is not written again. */
      if (may_repeat(&defs, inst) && !eu_defs_stable_dst(&defs, inst))
         progress |= remove_repeated(s, inst);
   }
   arena_destroy(arena);
   return progress;
}
