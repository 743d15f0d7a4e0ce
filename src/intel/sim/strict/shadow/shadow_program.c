/* SPDX-License-Identifier: MIT */
/*
 * What the shadow knows of a program before it runs: what each instruction
 * may read or write that can be undefined, and which registers are named at
 * all.
 */
#include "shadow_private.h"

#include "intel/isa/isa_messages.h"
#include "intel/sim/eu/alu.h"

static void
add_bytes(uint64_t set[2], unsigned first_B, unsigned end_B)
{
   for (unsigned i = first_B / SIM_GRF_B;
        i < SIM_GRF_COUNT && i * SIM_GRF_B < end_B; i++)
      set[i / 64] |= 1ull << i % 64;
}

static void
add_all(uint64_t set[2])
{
   set[0] = set[1] = ~0ull;
}

static void
add_operand(struct shadow_op *so, uint64_t set[2], const struct eu_op *op,
            const struct eu_operand *o, unsigned past_B)
{
   switch (o->where) {
   case EU_GRF:
      for (unsigned i = 0; i < op->exec_size; i++)
         add_bytes(set, o->lane_off_B[i],
                   o->lane_off_B[i] + o->size_B + past_B);
      break;
   case EU_INDIRECT:
      so->indirect = true;
      add_all(set);
      so->address = 0xffff;
      break;
   case EU_ARF:
      so->acc |= (o->nr & 0xf0) == ISA_ARF_ACC;
      if ((o->nr & 0xf0) == ISA_ARF_ADDRESS)
         so->address = 0xffff;
      if ((o->nr & 0xf0) == ISA_ARF_FLAG)
         so->flag[o->nr & 1] = ~0u;
      break;
   case EU_IMM:
   case EU_NULL: break;
   }
}

static void
add_flags(struct shadow_op *so, const struct eu_op *op)
{
   const bool one_bit = op->pred <= ISA_PRED_NORMAL;
   if (!(op->flags & EU_PRED) && op->cmod == ISA_COND_MOD_NONE)
      return;
   so->flag[op->flag_nr] |=
      one_bit && (!op->has_slow || op->slow->second == op->slow->half)
         ? (uint32_t)((uint64_t)BITFIELD_MASK(op->exec_size)
                      << (op->group + op->flag_shift))
         : ~0u;
   if (op->pred == ISA_PRED_ANYV || op->pred == ISA_PRED_ALLV)
      so->flag[0] = so->flag[1] = ~0u;
}

static void
prepare(const struct eu_op *op, struct shadow_op *so)
{
   const enum isa_opcode opcode = op->inst->opcode;
   add_flags(so, op);
   if (!op->has_slow) {
      so->always = isa_opcode_info(opcode)->is_send ||
                   isa_opcode_info(opcode)->is_flow;
      return;
   }
   const struct eu_slow *s = op->slow;
   const bool plane = opcode == ISA_OPCODE_PLN || opcode == ISA_OPCODE_LINE;
   for (unsigned i = 0; i < s->nsrc; i++)
      add_operand(so, so->read, op, &s->src[i],
                  !plane ? 0
                  : i    ? SIM_GRF_B
                         : 12);
   add_operand(so, so->write, op, &s->dst,
               opcode == ISA_OPCODE_MATH ? 2 * SIM_GRF_B : 0);
   so->acc |= eu_writes_acc(op->inst) || shadow_reads_acc(opcode);
   so->plain = !so->indirect && !so->acc && !so->address &&
               opcode != ISA_OPCODE_MATH &&
               (s->dst.where == EU_GRF || s->dst.where == EU_NULL);
}

/* Registers ------------------------------------------------------------- */

static void
add_registers(uint64_t set[2], const struct isa_operand *o, unsigned n)
{
   if (o->file != ISA_FILE_GRF)
      return;
   if (o->indirect)
      add_all(set);
   else
      add_bytes(set, o->nr * SIM_GRF_B, (o->nr + n) * SIM_GRF_B);
}

/* Payload and response. */
static void
add_message(uint64_t set[2], const struct eu_op *op)
{
   const struct isa_inst *inst = op->inst;
   if (inst->desc_is_reg || inst->ex_desc_is_reg) {
      add_all(set);
      return;
   }
   add_registers(set, &inst->src[0], op->message->mlen);
   if (eu_is_split_send(op))
      add_registers(set, &inst->src[1], isa_ex_desc_ex_mlen(inst->ex_desc));
   add_registers(set, &inst->dst, op->message->rlen);
}

/* All that the instruction names. */
static void
add_named(uint64_t set[2], const struct eu_op *op, const struct shadow_op *so)
{
   if (op->is_illegal)
      return;
   if (op->has_slow) {
      set[0] |= so->read[0] | so->write[0];
      set[1] |= so->read[1] | so->write[1];
   } else if (isa_opcode_info(op->inst->opcode)->is_send) {
      add_message(set, op);
   } else if (isa_opcode_info(op->inst->opcode)->is_flow) {
      add_registers(set, &op->inst->src[0], 1);
      add_registers(set, &op->inst->dst, 1);
   }
}

struct shadow_program *
shadow_program_get(const struct sim_eu_program *p)
{
   struct sim_eu_program *own = (struct sim_eu_program *)p;
   if (own->shadow)
      return own->shadow;
   struct shadow_program *sp =
      calloc(1, sizeof(*sp) + p->num_ops * sizeof(sp->ops[0]));
   for (uint32_t i = 0; sp && i < p->num_ops; i++) {
      const struct eu_op *op = &p->ops[i];
      if (!op->inst)
         continue;
      prepare(op, &sp->ops[i]);
      add_named(sp->named, op, &sp->ops[i]);
   }
   own->shadow = sp;
   return sp;
}
