/* SPDX-License-Identifier: MIT */
/* Instructions of a GPU that is wrong in one place: deviate/deviate.h. */
#include "intel/sim/deviate/deviate.h"
#include "intel/sim/eu/decode.h"
#include "intel/sim/eu/eu_private.h"

#ifndef NDEBUG
/* The lowest bit of the first channel is wrong, or its flag. */
static const struct eu_op *
run_wrong(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct eu_operand *dst = &op->slow->dst;
   const struct eu_op *next = eu_generic(t, op);
   if (dst->where == EU_GRF)
      ((uint8_t *)t->grf)[dst->lane_off_B[0]] ^= 1;
   if (eu_writes_flags(op))
      t->flag[op->flag_nr] ^= 1;
   return next;
}

static const struct eu_op *
run_hang(struct sim_eu_thread *t, const struct eu_op *op)
{
   t->ip_B = op->ip_B;
   sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED, "it hangs here");
   t->status = SIM_EU_FAULT;
   return NULL;
}

static const struct eu_op *
run_nothing(UNUSED struct sim_eu_thread *t, const struct eu_op *op)
{
   return op + 1;
}

/* "add", or "math.inv". */
static void
print_name(const struct isa_inst *inst, char *out, size_t size_B)
{
   const char *name = isa_opcode_info(inst->opcode)->name;
   if (inst->opcode == ISA_OPCODE_MATH)
      snprintf(out, size_B, "%s.%s", name,
               isa_math_name(inst->math_function));
   else
      snprintf(out, size_B, "%s", name);
}

static bool
is_wrong(const struct isa_inst *inst, const char *name)
{
   const char *dst = isa_type_info(inst->dst.type)->name;
   const char *src = isa_type_info(inst->src[0].type)->name;
   return (sim_deviates(SIM_DEVIATES_ALU, name) &&
           !strcmp(sim_deviation_to(), dst)) ||
          (sim_deviates(SIM_DEVIATES_CONVERT, src) &&
           inst->opcode == ISA_OPCODE_MOV &&
           !strcmp(sim_deviation_to(), dst));
}

/* A message that is written, and gets lost. */
static bool
is_lost(const struct isa_inst *inst, const struct eu_op *op)
{
   return isa_opcode_info(inst->opcode)->is_send && !op->is_illegal &&
          op->message && !inst->eot && op->message->msg < ISA_MSG_COUNT &&
          sim_deviates(SIM_DEVIATES_LOST, isa_message_name(op->message->msg));
}

void
eu_decode_deviant(const struct isa_inst *inst, struct eu_op *op)
{
   char name[64];
   eu_fn fn = NULL;
   if (sim_deviates(SIM_DEVIATES_NOT, NULL))
      return;
   print_name(inst, name, sizeof(name));
   if (op->has_slow && !op->is_illegal && is_wrong(inst, name))
      fn = run_wrong;
   else if (sim_deviates(SIM_DEVIATES_HANG, name))
      fn = run_hang;
   else if (is_lost(inst, op))
      fn = run_nothing;
   if (!fn)
      return;
   op->fn = fn;
   op->body = EU_BODY_OTHER;
}
#endif
