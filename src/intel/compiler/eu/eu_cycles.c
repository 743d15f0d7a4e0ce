/* SPDX-License-Identifier: MIT */
/*
 * Latencies, and an estimate of what a pass through the code costs.
 *
 * Figures: ALU results are usable some 14 cycles after issue, an
 * instruction issues in 2 cycles for each eight channels of 32 bits (twice
 * for 64 bits); MATH is a quarter of the rate; messages take a few hundred
 * cycles by shared function. Rounded from PRM SKL vol 7 ("EU Performance")
 * and public measurements; only their relations matter.
 */
#include "eu_ir.h"

static unsigned
message_latency(unsigned sfid)
{
   switch (sfid) {
   case ISA_SFID_SAMPLER: return 300;
   case ISA_SFID_CONST_CACHE: return 200;
   case ISA_SFID_URB: return 100;
   default: return 250;
   }
}

static unsigned
math_latency(unsigned func)
{
   switch (func) {
   case ISA_MATH_POW:
   case ISA_MATH_INT_DIV_QUOTIENT:
   case ISA_MATH_INT_DIV_REMAINDER: return 44;
   default: return 22;
   }
}

unsigned
eu_latency(const struct eu_inst *inst)
{
   switch (eu_info(inst)->latency) {
   case EU_LATENCY_MESSAGE: return message_latency(inst->sfid);
   case EU_LATENCY_MATH: return math_latency(inst->math);
   case EU_LATENCY_WIDE: return 16;
   case EU_LATENCY_NONE: return 0;
   default: return 14;
   }
}

static unsigned
issue_cycles(const struct eu_inst *inst)
{
   if (eu_info(inst)->no_code)
      return 0;
   const unsigned size = eu_type_sz(eu_exec_type(inst));
   const unsigned units = MAX2(1, inst->exec_size * MAX2(4, size) / 32);
   return 2 * units * (inst->op == ISA_OPCODE_MATH ? 4 : 1);
}

/*
 * In order, one instruction after the other; an instruction waits for the
 * registers that it reads. Loops count ten times.
 */
uint32_t
eu_estimate_cycles(const struct eu_shader *s)
{
   uint32_t ready[EU_MAX_GRF] = { 0 };
   double total = 0, weight = 1;
   uint32_t now = 0;

   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      uint32_t start = now;

      if (inst->op == EU_OP_DO)
         weight *= 10;
      for (unsigned i = 0; i < inst->sources; i++) {
         const eu_reg *r = &inst->src[i];
         const unsigned size = eu_size_read(inst, i);
         if (r->file != EU_GRF || !size)
            continue;
         for (unsigned g = eu_reg_offset(r) / REG_SIZE_B;
              g <= (eu_reg_offset(r) + size - 1) / REG_SIZE_B &&
              g < EU_MAX_GRF;
              g++)
            start = MAX2(start, ready[g]);
      }
      const uint32_t done = start + issue_cycles(inst);
      if (inst->dst.file == EU_GRF && inst->size_written) {
         for (unsigned g = eu_reg_offset(&inst->dst) / REG_SIZE_B;
              g <= (eu_reg_offset(&inst->dst) + inst->size_written - 1) /
                      REG_SIZE_B &&
              g < EU_MAX_GRF;
              g++)
            ready[g] = start + eu_latency(inst);
      }
      total += weight * (done - now);
      now = done;
      if (inst->op == ISA_OPCODE_WHILE)
         weight /= 10;
   }
   return (uint32_t)MIN2(total, 4e9);
}
