/* SPDX-License-Identifier: MIT */
/*
 * Programs whose threads all write the same: what clears a target, or fills
 * it with a colour that is no input. Those that are told apart here copy
 * registers that the caller knows to be the same in all threads, and numbers,
 * into the payload of one message.
 */
#include "intel/sim/eu/eu_private.h"

#include "util/bitset.h"

/* Bytes of the register file. */
struct bytes {
   uint32_t begin, end;
};

static struct bytes
source_bytes(const struct eu_op *op, const struct eu_src *s)
{
   const unsigned size_B = isa_type_size_B(s->type);
   struct bytes b = { s->off_B, s->off_B + size_B };
   switch (s->kind) {
   case EU_KIND_VEC: b.end = s->off_B + op->exec_size * size_B; break;
   case EU_KIND_VEC2: b.end = s->off_B + 2 * op->exec_size * size_B; break;
   case EU_KIND_REGION:
      b = (struct bytes) { UINT32_MAX, 0 };
      for (unsigned i = 0; i < op->exec_size; i++) {
         b.begin = MIN2(b.begin, s->lane_off_B[i]);
         b.end = MAX2(b.end, s->lane_off_B[i] + size_B);
      }
      break;
   default: break;
   }
   return b;
}

/* A move of numbers, or from the bytes `same`, to other registers: these are
 * added to `written`. */
static bool
is_move(const struct eu_op *op, struct bytes same, BITSET_WORD *written)
{
   const struct eu_src *s = &op->src[0];
   if (!op->inst || op->inst->opcode != ISA_OPCODE_MOV ||
       op->body == EU_BODY_OTHER || op->pred != ISA_PRED_NONE ||
       op->cmod != ISA_COND_MOD_NONE || op->flags & EU_DST_NULL)
      return false;
   if (s->kind != EU_KIND_IMM && s->kind != EU_KIND_VALUES) {
      const struct bytes from = source_bytes(op, s);
      if (from.begin < same.begin || from.end > same.end)
         return false;
   }
   const unsigned stride = op->flags & EU_DST_STRIDE2 ? 2 : 1;
   const struct bytes to = {
      op->dst_off_B,
      op->dst_off_B + op->exec_size * stride * isa_type_size_B(op->dst_type),
   };
   if (to.begin < same.end && same.begin < to.end)
      return false;
   for (unsigned i = to.begin / SIM_GRF_B; i * SIM_GRF_B < to.end; i++)
      BITSET_SET(written, i);
   return true;
}

/* Whether each component of the message, which is the last of the program, is
 * written for all channels at once, from one number. */
static bool
is_uniform(const struct sim_eu_program *p, const struct eu_op *send)
{
   const unsigned kind = send->message->rt_kind;
   const unsigned width = kind == ISA_RT_SIMD16 ? 16 : 8;
   const unsigned component_B = width * 4;
   if (kind != ISA_RT_SIMD16 && kind != ISA_RT_SIMD8)
      return false;
   for (const struct eu_op *op = p->ops; op < send; op++) {
      const unsigned to = op->dst_off_B - send->inst->src[0].nr * SIM_GRF_B;
      if ((op->src[0].kind != EU_KIND_SCALAR &&
           op->src[0].kind != EU_KIND_IMM) ||
          op->exec_size != width || isa_type_size_B(op->dst_type) != 4 ||
          op->flags & EU_DST_STRIDE2 || to % component_B)
         return false;
   }
   return true;
}

enum sim_eu_constant
sim_eu_program_constant(const struct sim_eu_program *p, unsigned first_grf,
                        unsigned num_grfs)
{
   BITSET_DECLARE(written, SIM_GRF_COUNT + 2) = { 0 };
   const struct bytes same = { first_grf * SIM_GRF_B,
                               (first_grf + num_grfs) * SIM_GRF_B };
   const struct eu_op *op = p->ops;
   while (op < p->ops + p->num_ops && is_move(op, same, written))
      op++;
   if (op == p->ops + p->num_ops || op->fn != eu_send || !op->inst->eot ||
       op->pred != ISA_PRED_NONE || op->inst->desc_is_reg ||
       op->inst->sfid != ISA_SFID_RENDER_CACHE ||
       op->inst->src[0].file != ISA_FILE_GRF || op->inst->src[0].indirect ||
       eu_is_split_send(op))
      return SIM_EU_VARIES;
   const struct isa_message *m = op->message;
   if (m->msg != ISA_MSG_RT_WRITE || m->header)
      return SIM_EU_VARIES;
   for (unsigned i = 0; i < m->mlen; i++) {
      if (op->inst->src[0].nr + i >= SIM_GRF_COUNT ||
          !BITSET_TEST(written, op->inst->src[0].nr + i))
         return SIM_EU_VARIES;
   }
   return is_uniform(p, op) ? SIM_EU_UNIFORM : SIM_EU_CONSTANT;
}
