/* SPDX-License-Identifier: MIT */
/* Messages in the proof: see proof.c. */
#include "proof_private.h"

#include "intel/isa/isa_messages.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/eu/program/effects.h"

struct message {
   const struct eu_op *op;
   const struct isa_message *f;
   const struct isa_message_form *form;
   unsigned mlen, total, header, slots;
};

/* Register `reg` of the payload. */
static unsigned
payload_B(const struct message *m, unsigned reg)
{
   const struct isa_operand *o = &m->op->inst->src[reg < m->mlen ? 0 : 1];
   return (o->nr + reg - (reg < m->mlen ? 0 : m->mlen)) * SIM_GRF_B;
}

static bool
is_plain(const struct eu_op *op)
{
   const struct isa_inst *inst = op->inst;
   return !inst->desc_is_reg && !inst->ex_desc_is_reg &&
          inst->src[0].file == ISA_FILE_GRF && !inst->src[0].indirect &&
          !inst->src[1].indirect && !inst->dst.indirect;
}

/* Whether the message has nothing that is not followed. */
static bool
is_followed(const struct prover *v, const struct message *m)
{
   const struct isa_message *f = m->f;
   const bool stateless = f->bti == BTI_STATELESS_COHERENT ||
                          (f->bti == BTI_STATELESS_NON_COHERENT &&
                           sim_traits(v->p->verx10)->bti_non_coherent);
   switch (f->msg) {
   case ISA_MSG_NONE:
   case ISA_MSG_FENCE:
   case ISA_MSG_RENDER_FENCE:
   case ISA_MSG_SCRATCH_READ:
   case ISA_MSG_SCRATCH_WRITE: return false;
   case ISA_MSG_RT_WRITE: return !f->half;
   default:
      return !stateless || m->op->inst->sfid == ISA_SFID_SAMPLER ||
             m->op->inst->sfid == ISA_SFID_URB ||
             m->op->inst->sfid == ISA_SFID_THREAD_SPAWNER ||
             m->op->inst->sfid == ISA_SFID_GATEWAY;
   }
}

static void
find_header(struct message *m)
{
   const bool own = m->op->inst->sfid == ISA_SFID_URB ||
                    m->f->msg == ISA_MSG_BARRIER;
   /* Handles are slots like others, whatever the descriptor says. */
   if (m->form->part[0] == ISA_PART_URB)
      return;
   m->header = m->f->header;
   for (unsigned i = 0; i < m->form->num_header && (m->f->header || own); i++)
      m->header = MAX2(m->header, m->form->header[i].dword / 8u + 1);
   if (m->f->msg == ISA_MSG_RT_WRITE && m->f->header)
      m->header = 2;
}

static void
need_header(struct prover *v, const struct message *m)
{
   for (unsigned i = 0; i < m->form->num_header; i++) {
      const struct isa_header_dword *h = &m->form->header[i];
      if (h->dword / 8u < m->header && h->dword / 8u < m->total)
         need_bytes(v, payload_B(m, h->dword / 8) + h->dword % 8 * 4, 4, ALL);
   }
   if (m->f->msg == ISA_MSG_BARRIER)
      need_bytes(v, payload_B(m, 0), SIM_GRF_B, ALL);
}

/* Who must have written a dword of the payload, or gets one of the response:
 * one channel, if each has a dword in each register or pair of them. */
static unsigned
slot_channel(const struct message *m, unsigned reg, unsigned dw, bool *unused)
{
   const unsigned i = m->slots == 16 ? reg % 2 * 8 + dw : dw;
   *unused = i >= m->op->exec_size;
   return m->op->flags & EU_NO_MASK ? ALL : m->op->group + i;
}

static void
need_data(struct prover *v, const struct message *m)
{
   const enum isa_part_form part = m->form->part[0];
   const bool spread = part == ISA_PART_SLOTS64 || part == ISA_PART_BLOCK ||
                       part == ISA_PART_OFFSETS || m->f->simd == 2;
   const bool colors = m->f->msg == ISA_MSG_RT_WRITE &&
                       m->f->rt_kind != ISA_RT_SIMD16_REPLICATED;
   /* What goes to the URB is not looked at, but remembered there. */
   if (part == ISA_PART_NONE && !colors && m->op->inst->sfid != ISA_SFID_URB)
      return;
   for (unsigned reg = m->header; reg < m->total; reg++) {
      for (unsigned dw = 0; dw < 8; dw++) {
         bool unused = false;
         const unsigned who =
            spread ? ALL : slot_channel(m, reg - m->header, dw, &unused);
         if (!unused)
            need_bytes(v, payload_B(m, reg) + 4 * dw, 4, who);
      }
   }
}

/* Dwords of a register of the response that are written, and by whom. */
static void
write_response(struct prover *v, const struct message *m, unsigned reg)
{
   const struct eu_op *op = m->op;
   const enum isa_response_form form = m->form->response;
   const bool flat = v->all_on && BITSET_TEST(v->flat, op - v->p->ops);
   for (unsigned dw = 0; dw < 8; dw++) {
      const unsigned at_B = (op->inst->dst.nr + reg) * SIM_GRF_B + 4 * dw;
      bool unused = false;
      unsigned who = ALL;
      if (form == ISA_RESPONSE_SLOTS)
         who = slot_channel(m, reg, dw, &unused);
      else if (form == ISA_RESPONSE_INTERP && !(op->flags & EU_NO_MASK))
         who = op->group + reg / 2 * 8 + dw;
      else if (form == ISA_RESPONSE_SCRATCH)
         unused = reg * 8 + dw >= sim_block_owords(m->f->block) * 4 ||
                  m->f->block == ISA_BLOCK_1_HIGH;
      if (op->inst->access_mode == ISA_ALIGN16 &&
          !(op->inst->dst.writemask >> dw % 4 & 1))
         continue;
      if (!unused)
         write_bytes(v, at_B, 4, flat ? ALL : who);
   }
}

static void
find_slots(struct message *m)
{
   m->slots = m->f->simd == 16 ? 16 : 8;
   if (m->f->msg == ISA_MSG_RT_WRITE)
      m->slots = m->f->rt_kind == ISA_RT_SIMD16 ? 16 : 8;
}

void
proof_send(struct prover *v, const struct eu_op *op)
{
   const struct isa_inst *inst = op->inst;
   struct message m = { .op = op, .f = op->message };
   if (!is_plain(op)) {
      v->refuted = true;
      return;
   }
   m.form = &isa_message_forms[m.f->msg];
   m.mlen = m.f->mlen;
   m.total = m.mlen;
   if (eu_is_split_send(op))
      m.total += isa_ex_desc_ex_mlen(inst->ex_desc);
   v->refuted |= !is_followed(v, &m);
   v->reads_urb |= inst->sfid == ISA_SFID_URB && m.f->rlen;
   v->waits |= m.f->msg == ISA_MSG_BARRIER;
   find_slots(&m);
   find_header(&m);
   proof_predicate(v, op);
   need_header(v, &m);
   need_data(v, &m);
   for (unsigned reg = 0; reg < m.f->rlen && !(op->flags & EU_PRED) &&
                          inst->dst.file == ISA_FILE_GRF;
        reg++)
      write_response(v, &m, reg);
}
