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
 * There are two models, and both can have their latencies scaled, so that a
 * comparison of programs can be asked whether it hangs on any of them:
 *
 *    ours        "The Compute Architecture of Intel Processor Graphics Gen9"
 *                (an EU has two four-wide FPUs, one of which also does
 *                extended math; doubles run at a quarter of the rate);
 *                latencies: isa_timing.h
 *    published   the regression of measured programs that Mesa's performance
 *                model holds (src/intel/compiler/brw_ir_performance.cpp): an
 *                instruction takes at least one pass of the unit, four cycles
 *                with 64 bits; PLN, LRP and 32-bit products take two; its
 *                latencies differ by generation. Of doubles before Gen8 it
 *                says nothing: they are slower by as much as on Gen8
 *
 * SAFFRON_SIM_TIMING=MODEL[:PERCENT] chooses, or a path: a table of what a
 * chip was measured to take, as `saffron chip --import` writes it. Models to
 * compare programs by, no clocks.
 */
#include <pthread.h>
#include <stdio.h>

#include "intel/isa/isa_timing.h"
#include "intel/sim/deviate/deviate.h"
#include "intel/sim/eu/eu_private.h"
#include "util/environment.h"

#define MAX_PERCENT 1000

/* Scoreboard: 128 GRFs, two flag registers, the accumulator, addresses. */
#define UNIT_FLAG SIM_GRF_COUNT
#define UNIT_ACC (SIM_GRF_COUNT + 2)
#define UNIT_ADDRESS (SIM_GRF_COUNT + 3)
#define UNIT_COUNT (SIM_GRF_COUNT + 4)

struct cost {
   uint16_t issue;   /* cycles for each eight 32-bit channels */
   uint16_t latency; /* until a result can be used */
};

/* Of extended math, and of messages, each in cycles until the result. */
struct slow_costs {
   struct cost math, pow, int_div;
   uint16_t sampler, constants, data, urb, interpolator, other;
};

struct timing_model {
   struct cost alu, wide, flow;
   uint16_t flag;                 /* latency of a condition */
   uint16_t pass, wide_pass;      /* the least that an instruction takes */
   uint16_t two_passes;           /* issue of PLN, LRP, 32-bit products */
   const struct slow_costs *slow; /* NULL: isa_timing.h */
};

static const struct slow_costs gen8_slow = {
   .math = { 4, 16 },
   .pow = { 8, 24 },
   .int_div = { 26, 28 },
   .sampler = 750,
   .constants = 100,
   .data = 100,
   .urb = 200,
   .interpolator = 90,
   .other = 300,
};
static const struct slow_costs gen75_slow = {
   .math = { 2, 12 },
   .pow = { 4, 20 },
   .int_div = { 26, 28 },
   .sampler = 750,
   .constants = 100,
   .data = 100,
   .urb = 200,
   .interpolator = 90,
   .other = 300,
};
static const struct slow_costs gen7_slow = {
   .math = { 2, 14 },
   .pow = { 4, 22 },
   .int_div = { 26, 28 },
   .sampler = 750,
   .constants = 100,
   .data = 100,
   .urb = 200,
   .interpolator = 90,
   .other = 300,
};

static const struct timing_model ours = {
   .alu = { 2, ISA_LATENCY_ALU },
   .wide = { 8, ISA_LATENCY_WIDE },
   .flow = { 4, 8 },
   .flag = ISA_LATENCY_FLAG,
   .pass = 1,
   .wide_pass = 1,
   .two_passes = 2,
};
static const struct timing_model published_gen8 = {
   .alu = { 2, 8 },
   .wide = { 8, 12 },
   .flow = { 8, 0 },
   .flag = 12,
   .pass = 2,
   .wide_pass = 4,
   .two_passes = 4,
   .slow = &gen8_slow,
};
static const struct timing_model published_gen75 = {
   .alu = { 2, 12 },
   .wide = { 8, 16 },
   .flow = { 8, 0 },
   .flag = 18,
   .pass = 2,
   .wide_pass = 4,
   .two_passes = 4,
   .slow = &gen75_slow,
};
static const struct timing_model published_gen7 = {
   .alu = { 2, 14 },
   .wide = { 8, 18 },
   .flow = { 8, 0 },
   .flag = 20,
   .pass = 2,
   .wide_pass = 4,
   .two_passes = 4,
   .slow = &gen7_slow,
};

/* By generation; the first is the default. */
static const struct {
   const char *name;
   const struct timing_model *models[ISA_GEN_COUNT];
} tables[] = {
   { "ours", { &ours, &ours, &ours, &ours } },
   { "published",
     { [ISA_IVB] = &published_gen7,
       [ISA_HSW] = &published_gen75,
       [ISA_BDW] = &published_gen8,
       [ISA_SKL] = &published_gen8 } },
};

/*
 * A table of a file: lines "CLASS ISSUE LATENCY", in cycles of eight channels
 * of 32 bits, or four doubles. What it does not name is as in ours; messages,
 * too.
 */
static struct timing_model measured;
static struct slow_costs measured_slow;
static bool measured_ok;

static bool
read_row(const char *name, float issue, float latency)
{
   const struct {
      const char *name;
      struct cost *cost;
      unsigned times; /* for eight channels */
   } rows[] = {
      { "alu", &measured.alu, 1 },
      { "wide", &measured.wide, 2 },
      { "math", &measured_slow.math, 1 },
      { "pow", &measured_slow.pow, 1 },
   };
   if (!(issue >= 0 && issue < 1000 && latency >= 0 && latency < 10000))
      return false;
   if (!strcmp(name, "two_passes"))
      measured.two_passes = (uint16_t)(issue + 0.5f);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (!strcmp(rows[i].name, name)) {
         const float n = issue * (float)rows[i].times + 0.5f;
         *rows[i].cost =
            (struct cost) { (uint16_t)n, (uint16_t)(latency + 0.5f) };
      }
   }
   return true;
}

static void
read_table(void)
{
   const char *path = environment_get("SAFFRON_SIM_TIMING");
   char line[128], name[32];
   float issue, latency;
   measured_slow = (struct slow_costs) {
      .math = { 8, (uint16_t)isa_math_latency(ISA_MATH_INV) },
      .pow = { 16, (uint16_t)isa_math_latency(ISA_MATH_POW) },
      .int_div = { 48,
                   (uint16_t)isa_math_latency(ISA_MATH_INT_DIV_QUOTIENT) },
      .sampler = (uint16_t)isa_message_latency(ISA_SFID_SAMPLER),
      .constants = (uint16_t)isa_message_latency(ISA_SFID_CONST_CACHE),
      .data = (uint16_t)isa_message_latency(ISA_SFID_DATA_CACHE0),
      .urb = (uint16_t)isa_message_latency(ISA_SFID_URB),
      .interpolator = (uint16_t)isa_message_latency(ISA_SFID_PIXEL_INTERP),
      .other = (uint16_t)isa_message_latency(ISA_SFID_NULL),
   };
   measured = ours;
   measured.slow = &measured_slow;
   FILE *f = fopen(path, "re");
   measured_ok = f != NULL;
   while (measured_ok && fgets(line, sizeof(line), f))
      measured_ok = line[0] == '#' || (sscanf(line, "%31s %f %f", name,
                                              &issue, &latency) == 3 &&
                                       read_row(name, issue, latency));
   if (f)
      fclose(f);
   if (!measured_ok)
      fprintf(stderr, "saffron: SAFFRON_SIM_TIMING=%s: no such table\n",
              path);
}

/* A model for one program, with how its latencies are scaled. */
struct timing {
   const struct timing_model *m;
   unsigned percent;
};

static uint32_t
scaled(const struct timing *t, unsigned latency)
{
   return latency * t->percent / 100;
}

static struct timing
choose_timing(unsigned verx10)
{
   const char *text = environment_get("SAFFRON_SIM_TIMING");
   const enum isa_gen gen = isa_gen_from_number(verx10);
   struct timing t = { tables[0].models[gen], 100 };
   char name[32], rest;

   if (!text || !*text)
      return t;
   if (strchr(text, '/')) {
      static pthread_once_t once = PTHREAD_ONCE_INIT;
      pthread_once(&once, read_table);
      t.m = measured_ok ? &measured : t.m;
      return t;
   }
   const int want = strchr(text, ':') ? 2 : 1;
   const int n = sscanf(text, "%31[a-z]:%u%c", name, &t.percent, &rest);
   for (unsigned i = 0; n == want && i < ARRAY_SIZE(tables); i++) {
      t.m = tables[i].models[gen];
      if (!strcmp(name, tables[i].name) && t.percent <= MAX_PERCENT)
         return t;
   }
   fprintf(stderr, "saffron: SAFFRON_SIM_TIMING=%s: no such timing model\n",
           text);
   return (struct timing) { tables[0].models[gen], 100 };
}

/* Extended math: the unit is one quarter as wide, some take several
 * passes. */
static struct cost
math_cost(const struct timing *t, enum isa_math f)
{
   const struct slow_costs *slow = t->m->slow;
   struct cost c = { 8, (uint16_t)isa_math_latency(f) };

   switch (f) {
   case ISA_MATH_POW:
   case ISA_MATH_FDIV:
      if (slow)
         return slow->pow;
      c.issue = 16;
      break;
   case ISA_MATH_INT_DIV_QUOTIENT:
   case ISA_MATH_INT_DIV_REMAINDER:
   case ISA_MATH_INT_DIV_BOTH:
      if (slow)
         return slow->int_div;
      c.issue = 48;
      break;
   case ISA_MATH_SIN:
   case ISA_MATH_COS: c.issue = 12; break;
   default: break;
   }
   return slow ? slow->math : c;
}

static unsigned
message_latency(const struct timing *t, enum isa_sfid sfid)
{
   const struct slow_costs *slow = t->m->slow;

   if (!slow)
      return isa_message_latency(sfid);
   switch (sfid) {
   case ISA_SFID_SAMPLER: return slow->sampler;
   case ISA_SFID_CONST_CACHE:
   case ISA_SFID_SAMPLER_CACHE: return slow->constants;
   case ISA_SFID_DATA_CACHE0:
   case ISA_SFID_DATA_CACHE1: return slow->data;
   case ISA_SFID_URB: return slow->urb;
   case ISA_SFID_PIXEL_INTERP: return slow->interpolator;
   default: return slow->other;
   }
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

/* What takes two passes in some models. */
static bool
is_two_passes(const struct eu_op *op)
{
   const struct eu_slow *s = op->slow;

   switch (op->inst->opcode) {
   case ISA_OPCODE_PLN:
   case ISA_OPCODE_LRP: return true;
   case ISA_OPCODE_MUL:
      return !eu_type_is_float(op->inst->dst.type) && s->nsrc == 2 &&
             s->src[0].size_B == 4 && s->src[1].size_B == 4;
   default: return false;
   }
}

/* For a GPU that is wrong (deviate/deviate.h). */
#define WRONG_LATENCY 9

static const char *
class_name(const struct eu_op *op, bool wide)
{
   if (op->inst->opcode != ISA_OPCODE_MATH)
      return wide ? "wide" : is_two_passes(op) ? "two_passes" : "alu";
   return op->inst->math_function == ISA_MATH_POW ? "pow" : "math";
}

static struct cost
alu_op_cost(const struct timing *t, const struct eu_op *op)
{
   const struct timing_model *m = t->m;
   const struct eu_slow *s = op->slow;
   const bool wide = s->cls == EU_DF || s->dst.size_B == 8;
   struct cost c = op->inst->opcode == ISA_OPCODE_MATH
                      ? math_cost(t, op->inst->math_function)
                   : wide ? m->wide
                          : m->alu;

   if (!wide && is_two_passes(op))
      c.issue = m->two_passes;
   c.issue = DIV_ROUND_UP(c.issue * op->exec_size, 8);
   c.issue = MAX2(c.issue, wide ? m->wide_pass : m->pass);
   if (sim_deviates(SIM_DEVIATES_LATENCY, class_name(op, wide)))
      c.latency += WRONG_LATENCY;
   c.latency = (uint16_t)scaled(t, c.latency);
   return c;
}

/* Start of the instruction, given that the unit is free from `now` on;
 * marks what it writes and gives when the next one may be issued, and how
 * long the unit is busy. */
static uint64_t
time_alu(const struct timing *t, const struct eu_op *op, uint64_t *now,
         uint64_t *ready, uint32_t *busy)
{
   const struct eu_slow *s = op->slow;
   const struct cost c = alu_op_cost(t, op);
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
      ready[UNIT_FLAG + op->flag_nr] = *now + c.issue + scaled(t, t->m->flag);
   if (op->inst->acc_wr_en)
      ready[UNIT_ACC] = done;
   return *now + c.issue;
}

static uint64_t
time_send(const struct timing *t, const struct eu_op *op, uint64_t *now,
          uint64_t *ready, uint32_t *busy)
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
                *now + issue + scaled(t, message_latency(t, inst->sfid)) +
                   rlen);
   return *now + issue;
}

static uint64_t
time_flow(const struct timing *t, const struct eu_op *op, uint64_t *now,
          const uint64_t *ready, uint32_t *busy)
{
   if (op->flags & EU_PRED)
      *now = MAX2(*now, ready[UNIT_FLAG + op->flag_nr]);
   *busy = t->m->flow.issue;
   return *now + t->m->flow.issue + scaled(t, t->m->flow.latency);
}

void
eu_time_program(struct sim_eu_program *p)
{
   const struct timing t = choose_timing(p->verx10);
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
            next = time_send(&t, op, &now, ready, &busy);
         else if (info->is_flow)
            next = time_flow(&t, op, &now, ready, &busy);
         else if (op->has_slow)
            next = time_alu(&t, op, &now, ready, &busy);
         else
            next = now + (busy = t.m->alu.issue);
      }
      now = next;
      op->cycle_end = (uint32_t)next;
      op->issue_end = issue += busy;
   }
}
