/* SPDX-License-Identifier: MIT */
/*
 * Timing: how many cycles a thread that is alone on its EU needs, from issue
 * rates and latencies, for any compiler's code.
 *
 * Method: once per program, an in-order walk over its instructions with a
 * scoreboard: an instruction starts when the one before has been issued and
 * its registers are ready. The walk follows the program text, not jumps, so
 * each instruction gets one start time; running a stretch of straight code
 * then costs the difference of two of them, and nothing is computed while
 * threads run. What is waiting at a jump is taken to go on after it.
 *
 * The same walk sums the cycles in which instructions are issued: what a
 * program costs where other threads hide its latencies.
 *
 * Sources: "The Compute Architecture of Intel Processor Graphics Gen9" (an
 * EU has two four-wide FPUs, one of which also does extended math; doubles
 * run at a quarter of the rate); latencies: isa_timing.h. A model to compare
 * programs by, not a clock.
 */
#include "intel/isa/isa_timing.h"
#include "intel/sim/eu/eu_private.h"

/* Scoreboard: 128 GRFs, two flag registers, the accumulator, addresses. */
#define UNIT_FLAG SIM_GRF_COUNT
#define UNIT_ACC (SIM_GRF_COUNT + 2)
#define UNIT_ADDRESS (SIM_GRF_COUNT + 3)
#define UNIT_COUNT (SIM_GRF_COUNT + 4)

struct cost {
   uint16_t issue;   /* cycles for each eight 32-bit channels */
   uint16_t latency; /* until a result can be used */
};

static const struct cost alu_cost = { 2, ISA_LATENCY_ALU };
static const struct cost double_cost = { 8, ISA_LATENCY_WIDE };
static const struct cost flow_cost = { 4, 8 };
static const struct cost flag_cost = { 2, ISA_LATENCY_FLAG };

/* Extended math: the unit is one quarter as wide, some take several
 * passes. */
static struct cost
math_cost(enum isa_math f)
{
   struct cost c = { 8, (uint16_t)isa_math_latency(f) };
   switch (f) {
   case ISA_MATH_POW:
   case ISA_MATH_FDIV: c.issue = 16; break;
   case ISA_MATH_SIN:
   case ISA_MATH_COS: c.issue = 12; break;
   case ISA_MATH_INT_DIV_QUOTIENT:
   case ISA_MATH_INT_DIV_REMAINDER:
   case ISA_MATH_INT_DIV_BOTH: c.issue = 48; break;
   default: break;
   }
   return c;
}

static void
wait_range(uint64_t *now, const uint64_t *ready, unsigned first, unsigned n)
{
   for (unsigned i = first; i < first + n && i < SIM_GRF_COUNT; i++)
      *now = MAX2(*now, ready[i]);
}

static void
set_range(uint64_t *ready, unsigned first, unsigned n, uint64_t when)
{
   for (unsigned i = first; i < first + n && i < SIM_GRF_COUNT; i++)
      ready[i] = when;
}

/* First register and number of those that an operand covers. */
static void
operand_range(const struct eu_operand *o, unsigned lanes, unsigned *first,
              unsigned *n)
{
   unsigned lo = ~0u, hi = 0;
   for (unsigned i = 0; i < lanes; i++) {
      lo = MIN2(lo, o->lane_off_B[i]);
      hi = MAX2(hi, (unsigned)o->lane_off_B[i] + o->size_B - 1);
   }
   *first = lo / SIM_GRF_B;
   *n = hi / SIM_GRF_B - *first + 1;
}

static unsigned
arf_unit(const struct eu_operand *o)
{
   switch (o->nr & 0xf0) {
   case ISA_ARF_ACC: return UNIT_ACC;
   case ISA_ARF_FLAG: return UNIT_FLAG + (o->nr & 1);
   default: return UNIT_ADDRESS;
   }
}

static void
wait_operand(uint64_t *now, const uint64_t *ready, const struct eu_operand *o,
             unsigned lanes)
{
   unsigned first, n;
   switch (o->where) {
   case EU_GRF:
      operand_range(o, lanes, &first, &n);
      wait_range(now, ready, first, n);
      break;
   case EU_INDIRECT: *now = MAX2(*now, ready[UNIT_ADDRESS]); break;
   case EU_ARF: *now = MAX2(*now, ready[arf_unit(o)]); break;
   case EU_IMM:
   case EU_NULL: break;
   }
}

static struct cost
alu_op_cost(const struct eu_op *op)
{
   const struct eu_slow *s = op->slow;
   struct cost c = op->inst->opcode == ISA_OPCODE_MATH
                      ? math_cost(op->inst->math_function)
                   : s->cls == EU_DF || s->dst.size_B == 8 ? double_cost
                                                           : alu_cost;
   c.issue = DIV_ROUND_UP(c.issue * op->exec_size, 8);
   return c;
}

/* Start of the instruction, given that the unit is free from `now` on;
 * marks what it writes and gives when the next one may be issued, and how
 * long the unit is busy. */
static uint64_t
time_alu(const struct eu_op *op, uint64_t *now, uint64_t *ready,
         uint32_t *busy)
{
   const struct eu_slow *s = op->slow;
   const struct cost c = alu_op_cost(op);
   *busy = c.issue;
   for (unsigned i = 0; i < s->nsrc; i++)
      wait_operand(now, ready, &s->src[i], op->exec_size);
   wait_operand(now, ready, &s->dst, op->exec_size);
   if (op->flags & EU_PRED)
      *now = MAX2(*now, ready[UNIT_FLAG + op->flag_nr]);
   const uint64_t done = *now + c.issue + c.latency;
   if (s->dst.where == EU_GRF) {
      unsigned first, n;
      operand_range(&s->dst, op->exec_size, &first, &n);
      set_range(ready, first, n, done);
   } else if (s->dst.where == EU_ARF) {
      ready[arf_unit(&s->dst)] = done;
   }
   if (eu_writes_flags(op))
      ready[UNIT_FLAG + op->flag_nr] = *now + c.issue + flag_cost.latency;
   if (op->inst->acc_wr_en)
      ready[UNIT_ACC] = done;
   return *now + c.issue;
}

static uint64_t
time_send(const struct eu_op *op, uint64_t *now, uint64_t *ready,
          uint32_t *busy)
{
   const struct isa_inst *inst = op->inst;
   const unsigned mlen = inst->desc_is_reg ? 1 : isa_desc_mlen(inst->desc);
   const unsigned rlen = inst->desc_is_reg ? 1 : isa_desc_rlen(inst->desc);
   const unsigned ex_mlen =
      inst->ex_desc_is_reg ? 1 : isa_ex_desc_ex_mlen(inst->ex_desc);
   wait_range(now, ready, inst->src[0].nr, mlen);
   if (inst->src[1].file == ISA_FILE_GRF)
      wait_range(now, ready, inst->src[1].nr, ex_mlen);
   if (inst->desc_is_reg)
      *now = MAX2(*now, ready[UNIT_ADDRESS]);
   if (op->flags & EU_PRED)
      *now = MAX2(*now, ready[UNIT_FLAG + op->flag_nr]);
   /* A register of payload or response takes a cycle on the way. */
   const unsigned issue = 2 + mlen + ex_mlen;
   *busy = issue;
   if (inst->dst.file == ISA_FILE_GRF)
      set_range(ready, inst->dst.nr, rlen,
                *now + issue + isa_message_latency(inst->sfid) + rlen);
   return *now + issue;
}

static uint64_t
time_flow(const struct eu_op *op, uint64_t *now, const uint64_t *ready,
          uint32_t *busy)
{
   if (op->flags & EU_PRED)
      *now = MAX2(*now, ready[UNIT_FLAG + op->flag_nr]);
   *busy = flow_cost.issue;
   return *now + flow_cost.issue + flow_cost.latency;
}

void
eu_time_program(struct sim_eu_program *p)
{
   uint64_t ready[UNIT_COUNT] = { 0 }, now = 0;
   uint32_t issue = 0;
   for (uint32_t i = 0; i < p->num_ops; i++) {
      struct eu_op *op = &p->ops[i];
      uint64_t next = now;
      uint32_t busy = 0;
      op->cycle = (uint32_t)now;
      op->issue = issue;
      if (op->inst) {
         const struct isa_opcode_info *info =
            isa_opcode_info(op->inst->opcode);
         if (info->is_send)
            next = time_send(op, &now, ready, &busy);
         else if (info->is_flow)
            next = time_flow(op, &now, ready, &busy);
         else if (op->has_slow)
            next = time_alu(op, &now, ready, &busy);
         else
            next = now + (busy = alu_cost.issue);
      }
      now = next;
      op->cycle_end = (uint32_t)next;
      op->issue_end = issue += busy;
   }
}
