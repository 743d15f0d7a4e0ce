/* SPDX-License-Identifier: MIT */
#include "eu_messages.h"

/* By a scalar handle, which a message can only have as a split one. */
static struct eu_inst *
send_by_handle(const struct eu_builder *b, const struct isa_message *m,
               eu_reg handle, eu_reg dst, eu_reg payload)
{
   struct eu_builder by_entry = *b;
   struct isa_message known = *m;

   by_entry.bindless = false;
   known.bti = EU_BTI_BINDLESS;
   struct eu_inst *inst =
      eu_emit_send(&by_entry, &known, (eu_reg) { 0 }, dst, payload);
   eu_send_handle(inst, handle);
   return inst;
}

struct eu_inst *
eu_emit_send(const struct eu_builder *b, const struct isa_message *m,
             eu_reg bti, eu_reg dst, eu_reg payload)
{
   const bool dynamic = bti.file != EU_BAD && bti.file != EU_IMM;
   struct isa_message known = *m;
   struct eu_inst *inst;

   assert(m->mlen >= 1 && m->mlen <= 15 && m->rlen <= 16);
   if (b->bindless && bti.file != EU_BAD)
      return send_by_handle(b, m, bti, dst, payload);
   if (bti.file == EU_IMM)
      known.bti = bti.imm & 0xff;
   const unsigned storage = b->storage && bti.file == EU_IMM ? known.bti + 1u
                                                             : 0;
   inst = eu_emit2(b, ISA_OPCODE_SEND, m->rlen ? dst : eu_null(ISA_TYPE_UD),
                   payload, bti);
   if (!dynamic)
      inst->sources = 1;
   inst->sfid = m->sfid ? m->sfid : isa_message_sfid(b->s->gen, m->msg);
   inst->desc = isa_message_pack(b->s->gen, &known);
   inst->mlen = m->mlen;
   inst->storage = (uint16_t)storage;
   inst->size_written = m->rlen * REG_SIZE_B;
   return inst;
}

void
eu_split_send(struct eu_inst *inst, eu_reg data, unsigned grfs)
{
   assert(inst->op == ISA_OPCODE_SEND && grfs >= 1 && grfs <= 15);
   inst->op = ISA_OPCODE_SENDS;
   inst->sources = 3;
   inst->src[2] = data;
   inst->ex_mlen = (uint8_t)grfs;
}

void
eu_send_handle(struct eu_inst *inst, eu_reg handle)
{
   assert(inst->op == ISA_OPCODE_SEND);
   inst->op = ISA_OPCODE_SENDS;
   inst->sources = 3;
   inst->src[2] = eu_retype(handle, ISA_TYPE_UD);
   inst->ex_mlen = 0;
}
