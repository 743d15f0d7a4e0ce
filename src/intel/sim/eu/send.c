/* SPDX-License-Identifier: MIT */
/*
 * SEND: takes the descriptors apart, checks that payload and response lie in
 * the register file, and hands the message to its shared function.
 */
#include "intel/sim/eu/eu_private.h"
#include "intel/sim/eu/shadow.h"
#include "util/arena.h"

static const struct eu_op *
fault(struct sim_eu_thread *t, const char *what)
{
   sim_eu_fault(t, SIM_FAULT_MESSAGE, "%s", what);
   t->status = SIM_EU_FAULT;
   return NULL;
}

static uint32_t
address_dword(const struct sim_eu_thread *t, unsigned subnr)
{
   uint32_t u;
   memcpy(&u, &t->address[subnr & 14], 4);
   return u;
}

/* The register number of an operand of a message: direct, or from an address
 * register, which must then name a whole register. */
static bool
payload_register(const struct sim_eu_thread *t, const struct isa_operand *o,
                 uint8_t *nr)
{
   if (!o->indirect) {
      *nr = o->nr;
      return true;
   }
   const int a = t->address[o->addr_subnr & 15] + o->addr_imm_B;
   *nr = (a / SIM_GRF_B) & 127;
   return a >= 0 && a < SIM_GRF_COUNT * SIM_GRF_B;
}

/* The fields of the descriptor: known since decoding, or now, in *fields. */
static void
decode_descriptors(struct sim_eu_thread *t, const struct eu_op *op,
                   struct isa_message *fields, struct sim_message *m)
{
   const struct isa_inst *inst = op->inst;
   m->desc = inst->desc_is_reg ? address_dword(t, 0) : inst->desc;
   m->fields = op->message;
   if (inst->desc_is_reg) {
      isa_message_unpack(isa_gen_from_number(t->env->verx10), inst->sfid,
                         m->desc, fields);
      m->fields = fields;
   }
   m->ex_desc = inst->ex_desc_is_reg ? address_dword(t, inst->ex_desc_subnr)
                                     : inst->ex_desc;
   m->sfid = inst->sfid;
   m->eot = inst->eot;
   m->check = inst->opcode == ISA_OPCODE_SENDC ||
              inst->opcode == ISA_OPCODE_SENDSC;
   m->mlen = m->fields->mlen;
   m->rlen = m->fields->rlen;
   m->header = m->fields->header;
   m->ex_mlen = eu_is_split_send(op) ? isa_ex_desc_ex_mlen(m->ex_desc) : 0;
}

void
eu_decode_send(const struct isa_inst *inst, unsigned verx10, struct arena *a,
               struct eu_op *op)
{
   op->fn = eu_send;
   if (inst->desc_is_reg)
      return;
   struct isa_message *m = arena_new(a, struct isa_message);
   isa_message_unpack(isa_gen_from_number(verx10), inst->sfid, inst->desc, m);
   op->message = m;
}

void
eu_message_fields(struct sim_eu_thread *t, const struct eu_op *op,
                  struct isa_message *fields, struct sim_message *m)
{
   decode_descriptors(t, op, fields, m);
   m->exec_size = op->exec_size;
   m->group = op->group;
   m->no_mask = op->flags & EU_NO_MASK;
   m->exec_mask = eu_exec_mask(t, op);
   /* Align16: the destination's write mask disables channels of the message,
    * also where there is nothing to write: Mesa's SIMD4x2 code masks scratch
    * writes and the slots of SIMD8 atomics so. */
   if (op->inst->access_mode == ISA_ALIGN16)
      m->exec_mask &= op->inst->dst.writemask * 0x11111111u;
   m->ip_B = op->ip_B;
   m->inst = op->inst;
}

const struct eu_op *
eu_send(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct isa_inst *inst = op->inst;
   struct sim_message m = { 0 };
   struct isa_message fields;

   t->ip_B = op->ip_B;
   t->stats.sends++;
   eu_message_fields(t, op, &fields, &m);
   if (inst->src[0].file != ISA_FILE_GRF ||
       !payload_register(t, &inst->src[0], &m.src0_grf))
      return fault(t, "the payload of a message is not in a GRF");
   m.src0 = &t->grf[m.src0_grf];
   if (m.ex_mlen) {
      if (inst->src[1].file != ISA_FILE_GRF ||
          !payload_register(t, &inst->src[1], &m.src1_grf))
         return fault(t, "the second payload of a message is not in a GRF");
      m.src1 = &t->grf[m.src1_grf];
   }
   if (m.src0_grf + m.mlen > SIM_GRF_COUNT ||
       m.src1_grf + m.ex_mlen > SIM_GRF_COUNT)
      return fault(t, "the payload of a message goes past the last GRF");
   if (m.mlen == 0)
      return fault(t, "a message without a payload (PRM SKL vol 2a, send)");

   m.dst_null = inst->dst.file != ISA_FILE_GRF;
   if (!m.dst_null) {
      if (!payload_register(t, &inst->dst, &m.dst_grf) ||
          m.dst_grf + m.rlen > SIM_GRF_COUNT)
         return fault(t, "the response of a message goes past the last GRF");
      m.dst = &t->grf[m.dst_grf];
   } else if (m.rlen) {
      return fault(t, "a message with a response to the null register");
   }

   const bool sent = __builtin_expect(!t->shadow || t->shadow_steps, 1) ||
                     sim_shadow_sent(t, &m);
   if (!sent || !sim_msg_dispatch(t, &m)) {
      t->status = SIM_EU_FAULT;
      return NULL;
   }
   if (m.eot) {
      eu_leave(t, op, op);
      t->status = SIM_EU_EOT;
      return NULL;
   }
   return op + 1;
}

/* WAIT: goes on when the notification register is not zero, and counts it
 * down. */
const struct eu_op *
eu_wait(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct isa_operand *s = &op->inst->src[0];
   uint32_t *n = &t->notify[s->subnr_B / 4 & 3];
   t->ip_B = op->ip_B;
   if (s->file != ISA_FILE_ARF || (s->nr & 0xf0) != ISA_ARF_NOTIFICATION)
      return fault(t, "wait needs a notification register");
   if (!*n) {
      t->status = SIM_EU_WAIT;
      t->waits_for = (uint8_t)(n - t->notify);
      t->resume = op;
      return NULL;
   }
   --*n;
   return op + 1;
}
