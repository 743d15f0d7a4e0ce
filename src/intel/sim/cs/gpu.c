/* SPDX-License-Identifier: MIT */
/* Clock and reports of the GPU: see gpu.h. */
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "gpu.h"
#include "intel/sim/trace/trace.h"

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
