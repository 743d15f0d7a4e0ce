/* SPDX-License-Identifier: MIT */
/* Arithmetic, logic and moves in the proof: see proof.c. */
#include "proof_private.h"

#include "intel/sim/eu/alu.h"

/* Predicates ------------------------------------------------------------- */

void
proof_flag(struct prover *v, const struct eu_op *op, unsigned bit,
           unsigned lane)
{
   if (bit + op->flag_shift < 32 &&
       !is_written(v->now.flag[32 * op->flag_nr + op->flag_shift + bit],
                   lane))
      v->refuted = true;
}

/* Channels whose flags a predicate looks at together. */
static unsigned
group_size(enum isa_pred pred)
{
   switch (pred) {
   case ISA_PRED_NORMAL: return 1;
   case ISA_PRED_X:
   case ISA_PRED_Y:
   case ISA_PRED_Z:
   case ISA_PRED_W: return 4;
   default: return eu_pred_group(pred).size;
   }
}

void
proof_predicate(struct prover *v, const struct eu_op *op)
{
   if (!(op->flags & EU_PRED))
      return;
   if (op->pred == ISA_PRED_ANYV || op->pred == ISA_PRED_ALLV) {
      v->refuted = true;
      return;
   }
   const unsigned n = group_size(op->pred);
   for (unsigned i = 0; i < op->exec_size; i++) {
      const unsigned c = channel_of(op, i);
      for (unsigned k = 0; k < n; k++)
         proof_flag(v, op, c / n * n + k, n == 1 ? reader(op, i) : ALL);
   }
}

/* Arithmetic ------------------------------------------------------------- */

static unsigned
acc_of(const struct eu_operand *o, unsigned i)
{
   return ((o->nr & 15u) * SIM_GRF_B + o->lane_off_B[i]) / MAX2(o->size_B, 2);
}

static void
need_arf(struct prover *v, const struct eu_op *op, const struct eu_operand *o,
         unsigned i)
{
   const unsigned off_B = o->lane_off_B[i];
   switch (o->nr & 0xf0) {
   case ISA_ARF_ACC:
      if (acc_of(o, i) < 32)
         v->refuted |= !is_written(v->now.acc[acc_of(o, i)], reader(op, i));
      break;
   case ISA_ARF_ADDRESS:
      for (unsigned k = off_B / 2; k < 16 && 2 * k < off_B + o->size_B; k++)
         v->refuted |= v->now.address[k] != ALL;
      break;
   case ISA_ARF_FLAG:
      for (unsigned k = 8 * off_B; k < 32 && k < 8 * (off_B + o->size_B); k++)
         v->refuted |= v->now.flag[32 * (o->nr & 1) + k] != ALL;
      break;
   default: break;
   }
}

/* What a lane takes of the plane, and of u and v. */
static void
need_plane(struct prover *v, const struct eu_op *op, unsigned i)
{
   const struct eu_operand *plane = &op->slow->src[0];
   const struct eu_operand *uv = &op->slow->src[1];
   const bool pln = op->inst->opcode == ISA_OPCODE_PLN;
   if (plane->where == EU_GRF)
      need_bytes(v, plane->lane_off_B[0], 16, ALL);
   if (uv->where != EU_GRF)
      return;
   need_bytes(v, uv->lane_off_B[i], 4, reader(op, i));
   if (pln)
      need_bytes(v, uv->lane_off_B[i] + SIM_GRF_B, 4, reader(op, i));
}

static void
need_source(struct prover *v, const struct eu_op *op, unsigned src,
            unsigned i, unsigned who)
{
   const struct eu_operand *o = &op->slow->src[src];
   switch (o->where) {
   case EU_GRF: need_bytes(v, o->lane_off_B[i], o->size_B, who); break;
   case EU_INDIRECT: v->refuted = true; break;
   case EU_ARF: need_arf(v, op, o, i); break;
   case EU_IMM:
   case EU_NULL: break;
   }
}

static void
need_sources(struct prover *v, const struct eu_op *op, unsigned i)
{
   switch (op->inst->opcode) {
   case ISA_OPCODE_PLN:
   case ISA_OPCODE_LINE: need_plane(v, op, i); return;
   case ISA_OPCODE_DP2:
   case ISA_OPCODE_DP3:
   case ISA_OPCODE_DP4:
   case ISA_OPCODE_DPH:
      for (unsigned k = 0; k < 4; k++) {
         need_source(v, op, 0, (i & ~3u) + k, reader(op, i));
         need_source(v, op, 1, (i & ~3u) + k, reader(op, i));
      }
      return;
   default: break;
   }
   for (unsigned s = 0; s < op->slow->nsrc; s++)
      need_source(v, op, s, i, reader(op, i));
}

static void
write_arf(struct prover *v, const struct eu_op *op,
          const struct eu_operand *o, unsigned i)
{
   const unsigned off_B = o->lane_off_B[i];
   const bool acc = (o->nr & 0xf0) == ISA_ARF_ACC;
   if (acc && acc_of(o, i) < 32)
      written(&v->now.acc[acc_of(o, i)], writer(v, op, i));
   if (acc)
      return;
   for (unsigned k = off_B / 2; (o->nr & 0xf0) == ISA_ARF_ADDRESS && k < 16 &&
                                2 * k < off_B + o->size_B;
        k++)
      written(&v->now.address[k], writer(v, op, i));
   for (unsigned k = 8 * off_B; (o->nr & 0xf0) == ISA_ARF_FLAG && k < 32 &&
                                k < 8 * (off_B + o->size_B);
        k++)
      written(&v->now.flag[32 * (o->nr & 1) + k], writer(v, op, i));
}

static void
write_result(struct prover *v, const struct eu_op *op, unsigned i)
{
   const struct eu_operand *o = &op->slow->dst;
   switch (o->where) {
   case EU_GRF:
      write_bytes(v, o->lane_off_B[i], o->size_B, writer(v, op, i));
      break;
   case EU_ARF: write_arf(v, op, o, i); break;
   case EU_INDIRECT: v->refuted = true; break;
   case EU_IMM:
   case EU_NULL: break;
   }
}

void
proof_alu(struct prover *v, const struct eu_op *op)
{
   const struct isa_inst *inst = op->inst;
   const bool whole = inst->opcode == ISA_OPCODE_SEL ||
                      !(op->flags & EU_PRED);
   if (inst->opcode == ISA_OPCODE_MATH &&
       inst->math_function == ISA_MATH_INT_DIV_BOTH)
      v->refuted = true;
   proof_predicate(v, op);
   for (unsigned i = 0; i < op->exec_size; i++) {
      if (!(op->slow->lane_mask >> i & 1))
         continue;
      need_sources(v, op, i);
      if (shadow_reads_acc(inst->opcode))
         v->refuted |= !is_written(v->now.acc[eu_implicit_acc_index(op, i)],
                                   reader(op, i));
   }
   /* What a predicate leaves as it was is as defined as before. */
   for (unsigned i = 0; i < op->exec_size && whole; i++) {
      if (!(op->slow->lane_mask >> i & 1))
         continue;
      const unsigned bit = op->flag_shift + channel_of(op, i);
      write_result(v, op, i);
      if (eu_writes_acc(inst))
         written(&v->now.acc[eu_implicit_acc_index(op, i)], writer(v, op, i));
      if (eu_writes_flags(op) && bit < 32)
         written(&v->now.flag[32 * op->flag_nr + bit], writer(v, op, i));
   }
}
