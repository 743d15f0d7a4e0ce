/* SPDX-License-Identifier: MIT */
/*
 * Flow control. Each channel has an instruction pointer of its own (PcIP in
 * the manual); those that are at the thread's IP are active. A channel that
 * leaves the others is switched off and waits at its own IP; a join, which
 * decode.c puts before every instruction where one can wait, switches on
 * the channels that wait there.
 *
 * PRM SKL vol 2a (if, else, endif, while, break, cont, halt, goto, join, brd,
 * brc, call, ret, jmpi) and vol 7, "Branching and control flow".
 */
#include "intel/sim/eu/eu_private.h"

#include <emmintrin.h>

/* Channels of the thread that execute this instruction and for which its
 * predicate holds. */
static uint32_t
taken_channels(const struct sim_eu_thread *t, const struct eu_op *op)
{
   uint32_t m = op->lanes << op->group;
   if (!(op->flags & EU_NO_MASK))
      m &= t->active;
   else
      m &= t->dispatch_mask;
   if (op->flags & EU_PRED)
      m &= eu_predicate(t, op) << op->group;
   return m;
}

static void
park(struct sim_eu_thread *t, uint32_t channels, uint32_t ip_B)
{
   t->active &= ~channels;
   while (channels)
      t->pcip_B[u_bit_scan(&channels)] = ip_B;
}

/* Channels that wait at ip_B. */
static uint32_t
waiting_at(const struct sim_eu_thread *t, uint32_t ip_B)
{
   const uint32_t off = t->dispatch_mask & ~t->active;
   const __m128i at = _mm_set1_epi32((int)ip_B);
   uint32_t m = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(t->pcip_B) && off >> i; i += 4) {
      const __m128i four = _mm_loadu_si128((const __m128i *)&t->pcip_B[i]);
      const __m128 same = _mm_castsi128_ps(_mm_cmpeq_epi32(four, at));
      m |= (uint32_t)_mm_movemask_ps(same) << i;
   }
   return m & off;
}

static const struct eu_op *
fault_at(struct sim_eu_thread *t, const struct eu_op *op, uint32_t target_B)
{
   t->ip_B = op->ip_B;
   sim_eu_fault(t, SIM_FAULT_RANGE,
                "jump to byte %d, which is not an instruction of the program",
                (int)target_B);
   t->status = SIM_EU_FAULT;
   return NULL;
}

static const struct eu_op *
jump(struct sim_eu_thread *t, const struct eu_op *op, const struct eu_op *to,
     uint32_t to_B)
{
   if (!to)
      return fault_at(t, op, to_B);
   return eu_leave(t, op, to) ? to : NULL;
}

/* Goes on after the instruction if a channel is, or will be, active there;
 * else to where the next one can be. */
static const struct eu_op *
next_or_jip(struct sim_eu_thread *t, const struct eu_op *op)
{
   if (t->active || waiting_at(t, op->ip_B + op->size_B))
      return op + 1;
   return jump(t, op, op->jip, op->jip_B);
}

const struct eu_op *
eu_flow_join(struct sim_eu_thread *t, const struct eu_op *op)
{
   if (t->dispatch_mask & ~t->active)
      t->active |= waiting_at(t, op->ip_B);
   return op + 1;
}

const struct eu_op *
eu_flow_off_end(struct sim_eu_thread *t, const struct eu_op *op)
{
   t->ip_B = op->ip_B;
   sim_eu_fault(t, SIM_FAULT_RANGE,
                "the program goes on after its last instruction");
   t->status = SIM_EU_FAULT;
   return NULL;
}

/* if: channels without the predicate go to jip, after the else. */
static const struct eu_op *
flow_if(struct sim_eu_thread *t, const struct eu_op *op)
{
   park(t, t->active & ~taken_channels(t, op), op->jip_B);
   return next_or_jip(t, op);
}

/* else: who comes here is done until the endif. Gen7 has only jip. */
static const struct eu_op *
flow_else(struct sim_eu_thread *t, const struct eu_op *op)
{
   park(t, t->active, op->uip_B);
   return next_or_jip(t, op);
}

static const struct eu_op *
flow_endif(struct sim_eu_thread *t, const struct eu_op *op)
{
   return next_or_jip(t, op);
}

/* while: channels with the predicate go round again, the others wait
 * after. When none came here, it falls through. */
static const struct eu_op *
flow_while(struct sim_eu_thread *t, const struct eu_op *op)
{
   const uint32_t again = taken_channels(t, op) & t->active;
   park(t, t->active & ~again, op->ip_B + op->size_B);
   if (!again)
      return op + 1;
   return jump(t, op, op->jip, op->jip_B);
}

/* break, cont, halt and goto: the channels wait at uip. */
static const struct eu_op *
flow_leave(struct sim_eu_thread *t, const struct eu_op *op)
{
   park(t, taken_channels(t, op), op->uip_B);
   return next_or_jip(t, op);
}

/* goto with BranchCtrl: follow the channels that jump; the others wait. */
static const struct eu_op *
flow_goto_taken(struct sim_eu_thread *t, const struct eu_op *op)
{
   const uint32_t taken = taken_channels(t, op) & t->active;
   if (!taken)
      return next_or_jip(t, op);
   park(t, t->active & ~taken, op->ip_B + op->size_B);
   return jump(t, op, op->uip, op->uip_B);
}

/* Target of a jump that may come from a register: a dword, relative to the
 * instruction after for jmpi and call, to this one for brd and brc. */
static bool
register_target(struct sim_eu_thread *t, const struct eu_op *op,
                uint32_t base_B, const struct eu_op **to, uint32_t *to_B)
{
   const struct isa_operand *s = &op->inst->src[0];
   *to = op->jip;
   *to_B = op->jip_B;
   if (s->file == ISA_FILE_IMM || (s->file == ISA_FILE_ARF && !s->nr))
      return true;
   int32_t offset;
   if (s->file == ISA_FILE_GRF && !s->indirect)
      memcpy(&offset, &t->grf[s->nr].ub[s->subnr_B & ~3u], 4);
   else if ((s->nr & 0xf0) == ISA_ARF_ADDRESS)
      memcpy(&offset, &t->address[s->subnr_B / 2 & 14], 4);
   else {
      t->ip_B = op->ip_B;
      sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                   "jump target in this kind of register");
      t->status = SIM_EU_FAULT;
      return false;
   }
   *to_B = base_B + offset;
   *to = eu_program_at(t->program, *to_B);
   return true;
}

/* jmpi: the whole thread, if the predicate of its channel holds. */
static const struct eu_op *
flow_jmpi(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct eu_op *to;
   uint32_t to_B;
   if (op->flags & EU_PRED && !(eu_predicate(t, op) & 1))
      return op + 1;
   if (!register_target(t, op, op->ip_B + op->size_B, &to, &to_B))
      return NULL;
   return jump(t, op, to, to_B);
}

/* brd: diverging, the channels wait at jip. brc: at uip. */
static const struct eu_op *
flow_brd(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct eu_op *to;
   uint32_t to_B;
   if (!register_target(t, op, op->ip_B, &to, &to_B))
      return NULL;
   park(t, taken_channels(t, op), to_B);
   if (t->active)
      return op + 1;
   /* No join may stand at a target from a register. */
   t->active |= waiting_at(t, to_B);
   return jump(t, op, to, to_B);
}

/* call: return address to dst.0, channels that call to dst.1. */
static const struct eu_op *
flow_call(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct isa_inst *inst = op->inst;
   const uint32_t taken = taken_channels(t, op) & t->active;
   const uint32_t link[2] = { op->ip_B + op->size_B, taken };
   const unsigned a = inst->dst.nr * SIM_GRF_B + inst->dst.subnr_B;
   const struct eu_op *to;
   uint32_t to_B;

   if (!taken)
      return op + 1;
   if (!register_target(t, op, op->ip_B + op->size_B, &to, &to_B))
      return NULL;
   if (inst->dst.file != ISA_FILE_GRF || inst->dst.indirect ||
       a + sizeof(link) > SIM_GRF_COUNT * SIM_GRF_B)
      return fault_at(t, op, to_B);
   memcpy((uint8_t *)t->grf + a, link, sizeof(link));
   park(t, t->active & ~taken, link[0]);
   return jump(t, op, to, to_B);
}

/* ret: the channels that called go on at the address in src0.0. */
static const struct eu_op *
flow_ret(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct isa_operand *s = &op->inst->src[0];
   const uint32_t taken = taken_channels(t, op) & t->active;
   const unsigned a = s->nr * SIM_GRF_B + s->subnr_B;
   uint32_t link[2];

   if (s->file != ISA_FILE_GRF || s->indirect ||
       a + sizeof(link) > SIM_GRF_COUNT * SIM_GRF_B)
      return fault_at(t, op, a);
   memcpy(link, (const uint8_t *)t->grf + a, sizeof(link));
   park(t, taken, link[0]);
   if (t->active)
      return op + 1;
   t->active |= waiting_at(t, link[0]);
   return jump(t, op, eu_program_at(t->program, link[0]), link[0]);
}

/* A single program flow changes nothing for what has no such instruction:
 * jmpi, if anything, moves the thread as a whole. */
bool
eu_flow_diverges(const struct sim_eu_program *p)
{
   for (uint32_t i = 0; i < p->num_ops; i++) {
      const struct isa_inst *inst = p->ops[i].inst;
      if (inst && inst->opcode != ISA_OPCODE_JMPI && eu_flow_select(inst))
         return true;
   }
   return false;
}

bool
eu_flow_may_pass(const struct eu_op *op, bool *leaves)
{
   *leaves = op->fn == flow_leave;
   return op->fn == flow_if || op->fn == flow_leave || op->fn == flow_endif;
}

eu_fn
eu_flow_select(const struct isa_inst *inst)
{
   switch (inst->opcode) {
   case ISA_OPCODE_IF: return flow_if;
   case ISA_OPCODE_ELSE: return flow_else;
   case ISA_OPCODE_ENDIF:
   case ISA_OPCODE_JOIN: return flow_endif;
   case ISA_OPCODE_WHILE: return flow_while;
   case ISA_OPCODE_BREAK:
   case ISA_OPCODE_CONT:
   case ISA_OPCODE_HALT: return flow_leave;
   case ISA_OPCODE_GOTO:
      return inst->branch_ctrl ? flow_goto_taken : flow_leave;
   case ISA_OPCODE_JMPI: return flow_jmpi;
   case ISA_OPCODE_BRD:
   case ISA_OPCODE_BRC: return flow_brd;
   case ISA_OPCODE_CALL:
   case ISA_OPCODE_CALLA: return flow_call;
   case ISA_OPCODE_RET: return flow_ret;
   default: return NULL;
   }
}
