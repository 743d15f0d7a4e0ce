/* SPDX-License-Identifier: MIT */
/*
 * A thread's state: how it starts, and how it records faults and statistics.
 */
#include "intel/sim/eu/eu_private.h"

#include "intel/sim/chaos/chaos.h"
#include "intel/sim/eu/shadow.h"

#include <stdarg.h>
#include <stdio.h>

void
sim_eu_thread_init_for(struct sim_eu_thread *t, const struct sim_eu_env *env,
                       const struct sim_eu_program *p, uint32_t dispatch_mask)
{
   /* All after the GRFs, but for the texts of a fault: this runs once for
    * each thread. */
   memset(t->grf + SIM_GRF_COUNT, 0,
          offsetof(struct sim_eu_thread, fault.text) -
             offsetof(struct sim_eu_thread, grf[SIM_GRF_COUNT]));
   t->fault.text[0] = t->fault.inst[0] = 0;
   /* Threads start with denormals of HF kept: stock drivers do not set the
    * bit, and piglit's packHalf2x16 wants them from their conversions. */
   t->cr0[0] = SIM_CR0_DENORM_HF | (env ? env->cr0 : 0);
   t->env = env;
   t->program = p;
   t->dispatch_mask = dispatch_mask;
   t->active = dispatch_mask;
   t->sample_mask = dispatch_mask;
   memset(t->pcip_B, 0xff, sizeof(t->pcip_B));
   t->fault.lane = -1;
   t->stats.threads = 1;
   eu_update_host_fp(t);
   if (env && __builtin_expect(env->chaos != NULL, 0))
      eu_chaos_thread(env->chaos, t);
   if (env && __builtin_expect(env->rules != NULL, 0))
      sim_shadow_mark(t);
}

void
sim_eu_thread_init(struct sim_eu_thread *t, const struct sim_eu_env *env,
                   uint32_t dispatch_mask)
{
   sim_eu_thread_init_for(t, env, NULL, dispatch_mask);
}

bool
sim_eu_fault(struct sim_eu_thread *t, enum sim_fault_reason reason,
             const char *fmt, ...)
{
   if (t->fault.reason != SIM_FAULT_NONE)
      return false;
   t->fault.reason = reason;
   t->fault.ip_B = t->ip_B;
   t->fault.lane = -1;
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(t->fault.text, sizeof(t->fault.text), fmt, ap);
   va_end(ap);
   return false;
}

bool
sim_eu_fault_memory(struct sim_eu_thread *t, int lane, uint64_t address,
                    const char *what)
{
   if (t->fault.reason != SIM_FAULT_NONE)
      return false;
   sim_eu_fault(t, SIM_FAULT_MEMORY, "%s at 0x%012llx", what,
                (unsigned long long)address);
   t->fault.lane = lane;
   t->fault.address = address;
   return false;
}

/*
 * Floating-point control
 *
 * Arithmetic uses the host's, whose rounding and handling of denormals is
 * set per thread as cr0 says. The EU controls denormals of F and of DF one
 * by one, the host has one control for both: so there is a control word per
 * type, put in place when an instruction of that type follows one of the
 * other. Half floats are rounded in software.
 */
#ifndef __SSE2__
#error "the execution unit needs MXCSR's flush-to-zero modes"
#endif

void
eu_set_host_fp(uint32_t mxcsr)
{
   __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
}

uint32_t
eu_get_host_fp(void)
{
   uint32_t mxcsr;
   __asm__ volatile("stmxcsr %0" : "=m"(mxcsr) : : "memory");
   return mxcsr;
}

void
eu_update_host_fp(struct sim_eu_thread *t)
{
   /* cr0: nearest, up, down, zero. MXCSR: nearest, down, up, zero. */
   static const uint8_t host_rounding[4] = { 0, 2, 1, 3 };
   const uint32_t cr0 = t->cr0[0];
   const uint32_t nearest = 0x1f80;
   const uint32_t base =
      nearest |
      host_rounding[(cr0 & SIM_CR0_ROUND_MASK) >> SIM_CR0_ROUND_SHIFT] << 13;
   /* Flush results (bit 15) and operands (bit 6). */
   const uint32_t flush = 1u << 15 | 1u << 6;
   const uint32_t flush_f = eu_keeps_denorms_f(t) ? 0 : flush;
   static_assert(ARRAY_SIZE(t->host_fp) == EU_FP_COUNT, "one for each");
   t->host_fp[EU_FP_F] = base | flush_f;
   t->host_fp[EU_FP_MATH] = nearest | flush_f;
   t->host_fp[EU_FP_DF] = base | (cr0 & SIM_CR0_DENORM_DF ? 0 : flush);
   t->host_fp[EU_FP_NARROW] = base;
}

bool
eu_check_control(struct sim_eu_thread *t)
{
   if (t->cr0[0] & SIM_CR0_SINGLE_PROGRAM_FLOW &&
       eu_flow_diverges(t->program))
      return sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                          "channels that go apart in single program flow "
                          "(cr0.0 bit 2) are not implemented");
   return true;
}
