/* SPDX-License-Identifier: MIT */
/* Clock and reports of the GPU: see gpu.h. */
#include "gpu.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "intel/sim/trace/trace.h"
#include "render_state.h"

static uint64_t
clock_ns(clockid_t clock)
{
   struct timespec ts;
   clock_gettime(clock, &ts);
   return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uint64_t
sim_gpu_now_ns(void)
{
   return clock_ns(CLOCK_MONOTONIC);
}

uint64_t
sim_gpu_about_now_ns(void)
{
   return clock_ns(CLOCK_MONOTONIC_COARSE);
}

bool
sim_gpu_hung(struct sim_gpu *gpu)
{
   if (sim_gpu_worked_out(gpu))
      return true;
   const uint64_t last = sim_gpu_last_progress(gpu);
   const uint64_t now = sim_gpu_now_ns();
   const uint64_t limit = gpu->hang_limit_ns;
   if (now <= last || now - last <= limit / 2)
      return false;
   const uint64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
   if (__atomic_load_n(&gpu->suspect_ns, __ATOMIC_ACQUIRE) != last) {
      __atomic_store_n(&gpu->suspect_cpu_ns, cpu, __ATOMIC_RELAXED);
      __atomic_store_n(&gpu->suspect_ns, last, __ATOMIC_RELEASE);
      return false;
   }
   const uint64_t then =
      __atomic_load_n(&gpu->suspect_cpu_ns, __ATOMIC_RELAXED);
   return now - last > limit && cpu > then && cpu - then >= limit / 2;
}

uint64_t
sim_gpu_timestamp(const struct sim_gpu *gpu)
{
   const uint64_t ns = sim_gpu_now_ns(), hz = gpu->info->timestamp_frequency;
   /* Whole seconds apart, or the product would overflow. */
   const uint64_t ticks = ns / 1000000000 * hz +
                          ns % 1000000000 * hz / 1000000000;
   return ticks & BITFIELD64_MASK(36);
}

void
sim_gpu_report(struct sim_gpu *gpu, const char *fmt, ...)
{
   char line[1024];
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(line, sizeof(line), fmt, ap);
   va_end(ap);
   if (gpu->trace)
      sim_trace_report(gpu->trace, line);
   if (gpu->report)
      gpu->report(gpu->report_data, line);
   else
      fprintf(stderr, "saffron-sim: %s\n", line);
}

void
sim_draw_fault(struct sim_draw *draw, const char *fmt, ...)
{
   struct sim_held_fault now;
   char *text = draw->held ? draw->held->text : now.text;
   va_list ap;
   if (draw->faulted)
      return;
   draw->faulted = true;
   va_start(ap, fmt);
   vsnprintf(text, sizeof(now.text), fmt, ap);
   va_end(ap);
   if (!draw->held)
      sim_gpu_report(draw->gpu, "fault: %s at 0x%012" PRIx64 ": %s",
                     draw->command, draw->command_address, text);
}

void
sim_draw_mem_fault(struct sim_draw *draw, const struct sim_mem *mem,
                   const char *what)
{
   const struct sim_mem_fault *f = &mem->fault;
   sim_draw_fault(draw,
                  "%s: %s of %" PRIu64 " bytes at 0x%012" PRIx64
                  ", which is not mapped",
                  what, f->access == SIM_MEM_WRITE ? "write" : "read",
                  f->size_B, f->address);
}

bool
sim_draw_expired(const struct sim_draw *draw)
{
   return sim_gpu_hung(draw->gpu);
}
