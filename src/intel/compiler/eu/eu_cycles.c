/* SPDX-License-Identifier: MIT */
/*
 * Latencies, and an estimate of what a pass through the code costs.
 *
 * Figures: an instruction is issued in 2 cycles for each eight channels of 32
 * bits, in 8 if it is about 64 bits; MATH is a quarter of the rate; messages
 * take a cycle for each register. Sources: "The Compute Architecture of Intel
 * Processor Graphics Gen9" (an EU has two four-wide FPUs, doubles run at a
 * quarter of the rate); latencies: isa_timing.h.
 */
#include "eu_ir.h"
#include "intel/isa/isa_timing.h"

/* Doubles and 64-bit integers. */
static bool
is_wide(const struct eu_inst *inst)
{
   return eu_type_sz(eu_exec_type(inst)) == 8 ||
          (eu_is_tracked(&inst->dst) && eu_type_sz(inst->dst.type) == 8);
}

unsigned
eu_latency(const struct eu_inst *inst)
{
   switch (eu_info(inst)->latency) {
   case EU_LATENCY_MESSAGE: return isa_message_latency(inst->sfid);
   case EU_LATENCY_MATH: return isa_math_latency(inst->math);
   case EU_LATENCY_NONE: return 0;
   default: return is_wide(inst) ? ISA_LATENCY_WIDE : ISA_LATENCY_ALU;
   }
}

unsigned
eu_issue_cycles(const struct eu_inst *inst)
{
   if (eu_info(inst)->no_code)
      return 0;
   if (eu_is_send(inst))
      return 2 + inst->mlen + inst->ex_mlen;
   const bool slow = inst->op == ISA_OPCODE_MATH || is_wide(inst);
   return DIV_ROUND_UP((slow ? 8 : 2) * inst->exec_size, 8);
}

static uint32_t
count_insts(const struct eu_shader *s)
{
   uint32_t n = 0;

   list_for_each_entry(struct eu_inst, inst, &s->insts, link)
      n++;
   return n;
}

/*
 * In order, one instruction after the other; an instruction waits for the
 * registers that it reads. Loops count ten times, routines not at all: they
 * are for operands that are rare.
 */
void
eu_estimate_cycles(struct eu_shader *s)
{
   uint32_t ready[EU_MAX_GRF] = { 0 }, writer[EU_MAX_GRF] = { 0 };
   double total = 0, weight = 1;
   uint32_t now = 0, at = 0;

   if (s->profile)
      s->costs = arena_new_array(s->arena, struct eu_cost, count_insts(s));
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      uint32_t start = now, waits_for = at;

      if (inst->op == EU_OP_DO)
         weight *= 10;
      if (inst->op == EU_OP_ARGUMENT)
         weight = 0;
      for (unsigned i = 0; i < inst->sources; i++) {
         const eu_reg *r = &inst->src[i];
         const unsigned size = eu_size_read(inst, i);
         if (r->file != EU_GRF || !size)
            continue;
         for (unsigned g = eu_reg_offset(r) / REG_SIZE_B;
              g <= (eu_reg_offset(r) + size - 1) / REG_SIZE_B &&
              g < EU_MAX_GRF;
              g++) {
            if (ready[g] > start) {
               start = ready[g];
               waits_for = writer[g];
            }
         }
      }
      const uint32_t done = start + eu_issue_cycles(inst);
      if (inst->dst.file == EU_GRF && inst->size_written) {
         for (unsigned g = eu_reg_offset(&inst->dst) / REG_SIZE_B;
              g <= (eu_reg_offset(&inst->dst) + inst->size_written - 1) /
                      REG_SIZE_B &&
              g < EU_MAX_GRF;
              g++) {
            ready[g] = done + eu_latency(inst);
            writer[g] = at;
         }
      }
      if (s->profile)
         s->costs[at] = (struct eu_cost) { weight * (done - start),
                                           weight * (start - now),
                                           waits_for };
      total += weight * (done - now);
      now = done;
      at++;
      if (inst->op == ISA_OPCODE_WHILE)
         weight /= 10;
   }
   s->cycles = (uint32_t)MIN2(total, 4e9);
}
