/* SPDX-License-Identifier: MIT */
/*
 * A thread's state: how it starts, and how it records faults and statistics.
 */
#include "intel/sim/eu/eu.h"

#include <stdarg.h>
#include <stdio.h>

void
sim_eu_thread_init(struct sim_eu_thread *t, const struct sim_eu_env *env,
                   uint32_t dispatch_mask)
{
   memset(t->grf + SIM_GRF_COUNT, 0, sizeof(*t) -
          offsetof(struct sim_eu_thread, grf[SIM_GRF_COUNT]));
   t->env = env;
   t->dispatch_mask = dispatch_mask;
   t->active = dispatch_mask;
   t->sample_mask = dispatch_mask;
   memset(t->pcip_B, 0xff, sizeof(t->pcip_B));
   t->fault.lane = -1;
   t->stats.threads = 1;
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

void
sim_eu_stats_add(struct sim_eu_stats *to, const struct sim_eu_stats *s)
{
   to->instructions += s->instructions;
   to->simd8 += s->simd8;
   to->sends += s->sends;
   to->threads += s->threads;
   to->mem_read_B += s->mem_read_B;
   to->mem_written_B += s->mem_written_B;
   to->cycles += s->cycles;
}
