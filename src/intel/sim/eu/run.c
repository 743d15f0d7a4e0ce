/* SPDX-License-Identifier: MIT */
/*
 * The loop that runs a thread. Instructions are counted where control leaves
 * the straight line, not one by one; the limit is checked there too.
 */
#include "intel/sim/eu/eu_private.h"
#include "intel/sim/chaos/chaos.h"
#include "intel/sim/eu/shadow.h"
#include "util/guard.h"

#include <stdio.h>

const struct eu_op *
eu_program_at(const struct sim_eu_program *p, uint32_t ip_B)
{
   if (ip_B % 8 || ip_B >= p->size_B || p->op_at[ip_B / 8] == ~0u)
      return NULL;
   return &p->ops[p->op_at[ip_B / 8]];
}

bool
eu_leave(struct sim_eu_thread *t, const struct eu_op *op,
         const struct eu_op *to)
{
   const struct eu_op *start = t->run_start;
   t->stats.instructions += op->index + 1 - start->index;
   t->stats.simd8 += op->simd8 + MAX2(op->exec_size / 8, 1) - start->simd8;
   t->stats.cycles += op->cycle_end - start->cycle;
   t->stats.issue += op->issue_end - start->issue;
   t->run_start = to;
   if (t->max_instructions && t->stats.instructions > t->max_instructions) {
      t->ip_B = op->ip_B;
      t->status = SIM_EU_LIMIT;
      t->resume = to;
      return false;
   }
   return true;
}

void
sim_eu_thread_time(const struct sim_eu_thread *t, uint32_t *cycle,
                   uint32_t *issue)
{
   const struct eu_op *op = eu_program_at(t->program, t->ip_B);
   const struct eu_op *start = t->run_start;
   const uint64_t now = t->stats.cycles + op->cycle - start->cycle;
   *cycle = (uint32_t)MIN2(now, UINT32_MAX);
   *issue = op->issue_end - op->issue;
}

struct printing {
   unsigned verx10;
   const struct isa_inst *inst;
   char *out;
   size_t size_B;
};

/* In a scope (util/guard.h). */
static void
print_inst(void *data)
{
   const struct printing *p = data;
   struct strbuf s = { 0 };
   isa_print(isa_gen_from_number(p->verx10), p->inst, NULL, &s);
   snprintf(p->out, p->size_B, "%s", strbuf_str(&s));
   strbuf_fini(&s);
}

void
sim_eu_print_inst(unsigned verx10, const struct isa_inst *inst, char *out,
                  size_t size_B)
{
   struct printing p = { verx10, inst, out, size_B };
   struct guard_error error;
   if (guard_run(print_inst, &p, &error))
      *out = '\0';
}

static void
finish_fault(struct sim_eu_thread *t, const struct eu_op *last)
{
   t->fault.ip_B = last->ip_B;
   if (last->inst)
      sim_eu_print_inst(t->program->verx10, last->inst, t->fault.inst,
                        sizeof(t->fault.inst));
}

/* Somebody looks: prints, or checks rules. */
static const struct eu_op *
run_watched(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct eu_op *last = op;
   const bool traced = t->env && t->env->trace && !t->untraced;
   while (op) {
      last = op;
      const bool real = op->fn != eu_flow_join && op->inst;
      t->ip_B = op->ip_B;
      if (real && traced)
         t->env->trace(t, op->inst, false);
      if (real && t->shadow_steps && !sim_shadow_step(t, op))
         return last;
      op = eu_is_alt(t) ? eu_alt(t, op) : op->fn(t, op);
      if (real && t->env && t->env->chaos)
         eu_chaos_math(t->env->chaos, t, last);
      if (real && traced)
         t->env->trace(t, last->inst, true);
   }
   return last;
}

static const struct eu_op *
run(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct eu_op *last;
   do {
      last = op;
      op = op->hot(t, op);
   } while (op);
   return last->hot == last->fn ? last : t->last_op;
}

static const struct eu_op *
run_alt(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct eu_op *last;
   do {
      last = op;
      op = eu_alt(t, op);
   } while (op);
   return last;
}

/* Whichever loop the thread needs, until it needs another one. */
static const struct eu_op *
run_loops(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct sim_eu_env *env = t->env;
   const bool watched = t->shadow_steps ||
                        (env && ((env->trace && !t->untraced) || env->chaos));
   for (;;) {
      t->control_written = false;
      const struct eu_op *last = watched        ? run_watched(t, op)
                                 : eu_is_alt(t) ? run_alt(t, op)
                                                : run(t, op);
      if (!t->control_written || t->status != SIM_EU_READY)
         return last;
      op = t->resume;
   }
}

enum sim_eu_status
sim_eu_run(struct sim_eu_thread *t, const struct sim_eu_program *p,
           uint32_t entry_B)
{
   const struct eu_op *op;

   switch (t->status) {
   case SIM_EU_READY:
      t->program = p;
      op = eu_program_at(p, entry_B);
      if (!op) {
         sim_eu_fault(t, SIM_FAULT_RANGE,
                      "no instruction at the entry point, byte %u", entry_B);
         return t->status = SIM_EU_FAULT;
      }
      t->run_start = op;
      if (t->env && __builtin_expect(t->env->rules != NULL, 0))
         sim_shadow_start(t);
      break;
   case SIM_EU_WAIT:
   case SIM_EU_LIMIT: op = t->resume; break;
   default: return t->status;
   }
   t->status = SIM_EU_READY;
   t->ip_B = op->ip_B;
   if (!eu_check_control(t))
      return t->status = SIM_EU_FAULT;

   const uint32_t host = eu_get_host_fp();
   eu_update_host_fp(t);
   t->host_fp_now = t->host_fp[EU_FP_F];
   eu_set_host_fp(t->host_fp_now);
   const struct eu_op *last = run_loops(t, op);
   eu_set_host_fp(host);

   if (t->status == SIM_EU_FAULT)
      finish_fault(t, last);
   if (t->shadow && (t->status == SIM_EU_FAULT || t->status == SIM_EU_EOT))
      sim_shadow_end(t);
   if (t->status == SIM_EU_FAULT || t->status == SIM_EU_WAIT) {
      const struct eu_op *start = t->run_start;
      t->stats.instructions += last->index - start->index;
      t->stats.simd8 += last->simd8 - start->simd8;
      t->stats.cycles += last->cycle - start->cycle;
      t->stats.issue += last->issue - start->issue;
      t->run_start = last;
   }
   return t->status;
}
