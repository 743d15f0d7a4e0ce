/* SPDX-License-Identifier: MIT */
#include "eu_pass.h"

#include "util/guard.h"

EU_PASSES(EU_OPTIONAL_PASS, EU_REQUIRED_PASS)

static void
print(const struct eu_shader *s, const char *when, const char *step)
{
   fprintf(s->log, "-- %s %s (SIMD%u)\n", when, step, s->dispatch_width);
   eu_print(s, s->log);
}

void
eu_after(struct eu_shader *s, const char *step, bool is_printed)
{
   guard_step(step);
   if (s->failed)
      return;
#ifdef NDEBUG
   if (s->debug & INTEL_DEBUG_VALIDATE)
#endif
      eu_validate(s, step);
   if (is_printed)
      print(s, "after", step);
}

/* What the watcher wants of a step. */
static enum intel_pass_choice
choose(const struct eu_shader *s, const char *step, bool optional)
{
   if (!s->watch)
      return INTEL_PASS_RUN;
   const enum intel_pass_choice choice =
      s->watch->before(s->watch->data, step, s->dispatch_width, optional);
   if (choice == INTEL_PASS_PRINT)
      print(s, "before", step);
   return choice == INTEL_PASS_SKIP && !optional ? INTEL_PASS_RUN : choice;
}

void
eu_before(struct eu_shader *s, const char *step)
{
   choose(s, step, false);
}

#ifndef NDEBUG
/* Registers that arithmetic writes and that something reads: not the null
 * register, no message's payload that is a header of integers. */
static bool
can_be_spoilt(const struct eu_inst *inst)
{
   return (inst->op == ISA_OPCODE_ADD || inst->op == ISA_OPCODE_MUL ||
           inst->op == ISA_OPCODE_MAD || inst->op == ISA_OPCODE_MOV) &&
          !eu_is_null(&inst->dst) && inst->dst.type == ISA_TYPE_F &&
          inst->src[0].type == ISA_TYPE_F && inst->src[0].file != EU_IMM;
}

/* Makes the program wrong, once, as a pass with a mistake does: the last
 * result of arithmetic has the other sign. Or it makes no sense any more. */
static void
spoil(struct eu_shader *s, const struct eu_pass *pass)
{
   static const char spoilt[] = "wrong on request";
   struct eu_inst *last = NULL;
   const enum guard_fault fault = guard_step_fault(pass->name);

   if (fault == GUARD_FAULT_NONE)
      return;
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (inst->note == spoilt)
         return;
      if (can_be_spoilt(inst))
         last = inst;
   }
   if (!last)
      return;
   last->note = spoilt;
   if (fault == GUARD_FAULT_INVALID)
      last->exec_size = 3;
   else
      last->src[0].negate = !last->src[0].negate;
}
#endif

bool
eu_run(struct eu_shader *s, const struct eu_pass *pass)
{
   if (s->failed || (pass->optional && ((s->debug & INTEL_DEBUG_NOOPT) ||
                                        intel_debug_skips(s->debug, pass))))
      return false;
   const enum intel_pass_choice choice =
      choose(s, pass->name, pass->optional);
   if (choice == INTEL_PASS_SKIP)
      return false;
   const bool changed = pass->run(s);
#ifndef NDEBUG
   if (changed)
      spoil(s, pass);
#endif
   eu_after(s, pass->name,
            choice == INTEL_PASS_PRINT ||
               intel_debug_prints(s->debug, pass) ||
               (changed && (s->debug & INTEL_DEBUG_OPTIMIZER)));
   if (s->watch)
      s->watch->after(s->watch->data, changed);
   return changed;
}

void
eu_run_rounds(struct eu_shader *s, const struct eu_pass *const *passes,
              unsigned count)
{
   /* How often the shader has changed; and when each pass last found nothing
    * to do: until something else changes, it would find nothing again. */
   uint32_t changes = 1, before = 0, unchanged_since[16] = { 0 };

   assert(count <= ARRAY_SIZE(unchanged_since));
   for (unsigned rounds = 0; changes != before && rounds < 10; rounds++) {
      before = changes;
      for (unsigned i = 0; i < count; i++) {
         if (unchanged_since[i] == changes)
            continue;
         if (eu_run(s, passes[i]))
            changes++;
         else
            unchanged_since[i] = changes;
      }
   }
}
