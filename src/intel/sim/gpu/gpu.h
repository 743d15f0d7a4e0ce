/* SPDX-License-Identifier: MIT */
/*
 * The GPU as its parts see it: identity, clock, statistics, reports and the
 * watchdog. No policy of the kernel interface: that is uapi/.
 */
#ifndef SIM_GPU_H
#define SIM_GPU_H

#include "intel/dev/intel_device_info.h"
#include "intel/sim/mem/watch.h"
#include "util/macros.h"

struct sim_pool;
struct sim_shaders;
struct sim_strict;
struct sim_chaos;
struct sim_tiles;
struct sim_trace;

struct sim_gpu {
   const struct intel_device_info *info;
   unsigned verx10; /* as in info */

   /* Counted with relaxed atomics by whoever does the work. */
   struct {
      uint64_t batches, commands, dwords, draws, dispatches;
      uint64_t eu_threads, eu_instructions, resets;
      uint64_t eu_simd8, eu_sends, eu_cycles, splits, pipe_controls;
   } stats;

   /* Where the last batch that failed stopped, and the command's first dword:
    * what the registers ACTHD and IPEHR say. */
   uint64_t stopped_at;
   uint32_t stopped_command;

   /* What looks into it (intel/sim/trace): NULL when nobody does. */
   struct sim_trace *trace;
   struct sim_shaders *shaders;
   const char *states; /* the file for sim_states_draw() */
   /* Who checks rules (intel/sim/strict): NULL when nobody asked for it. */
   struct sim_strict *strict;
   /* What is left open, drawn from a seed (intel/sim/chaos); or NULL. */
   struct sim_chaos *chaos;

   /* Hears each access of a batch (mem/watch.h), for tests; or NULL. */
   sim_watch_log log_access;
   void *log_data;

   void (*report)(void *data, const char *line);
   void *report_data;

   /* Threads that help the one that runs a batch; NULL: none. */
   struct sim_pool *pool;
   /* What the rasteriser keeps from draw to draw; NULL until the first. */
   struct sim_tiles *tiles;

   /* The watchdog: without progress for this long, work is hung. */
   uint64_t hang_limit_ns;
   uint64_t progress_ns; /* when progress was last seen; atomic */
   /* A progress_ns after which nothing came for long, and the processor time
    * of the process when that was noticed; atomic. */
   uint64_t suspect_ns, suspect_cpu_ns;

   /*
    * A bound in work in place of time, for runs that must end alike on any
    * machine (tests/fuzz): commands of `stats` and what sim_gpu_spend() was
    * told, EU instructions among it, must not be more together. 0: none.
    */
   uint64_t work_limit, spent;
};

/* CLOCK_MONOTONIC; and what it was a few milliseconds ago, at the most, which
 * takes less time to find. */
uint64_t sim_gpu_now_ns(void);
uint64_t sim_gpu_about_now_ns(void);

/* The TIMESTAMP register: info->timestamp_frequency, 36 bits
 * (PRM SKL Vol. 2c, "TIMESTAMP"). */
uint64_t sim_gpu_timestamp(const struct sim_gpu *gpu);

/* One line of text to the report sink. */
void sim_gpu_report(struct sim_gpu *gpu, const char *fmt, ...)
   PRINTFLIKE(2, 3);

static inline void
sim_gpu_count(uint64_t *counter, uint64_t n)
{
   __atomic_add_fetch(counter, n, __ATOMIC_RELAXED);
}

/* Work that no counter shows, in units of about an EU instruction. */
static inline void
sim_gpu_spend(struct sim_gpu *gpu, uint64_t n)
{
   if (__builtin_expect(gpu->work_limit != 0, 0))
      sim_gpu_count(&gpu->spent, n);
}

/* Whether there is a bound, and it is reached. */
static inline bool
sim_gpu_worked_out(const struct sim_gpu *gpu)
{
   return __builtin_expect(gpu->work_limit != 0, 0) &&
          __atomic_load_n(&gpu->spent, __ATOMIC_RELAXED) +
                gpu->stats.commands >
             gpu->work_limit;
}

/* The host threads for work that may be divided; NULL: none. Where a bound in
 * work is met, depends on who has done how much; rules are checked, and
 * random numbers drawn, in the order of what one thread does. */
static inline struct sim_pool *
sim_gpu_pool(const struct sim_gpu *gpu)
{
   return gpu->work_limit || gpu->strict || gpu->chaos ? NULL : gpu->pool;
}

/* How many instructions a thread may run until the bound is looked at. */
static inline uint64_t
sim_gpu_slice(const struct sim_gpu *gpu, uint64_t usual)
{
   return gpu->work_limit ? MIN2(gpu->work_limit / 4 + 1, usual) : usual;
}

/* Restarts the watchdog: a thread ended, a command was executed. */
static inline void
sim_gpu_progress(struct sim_gpu *gpu)
{
   sim_gpu_spend(gpu, 1);
   __atomic_store_n(&gpu->progress_ns, sim_gpu_about_now_ns(),
                    __ATOMIC_RELAXED);
}

static inline uint64_t
sim_gpu_last_progress(const struct sim_gpu *gpu)
{
   return __atomic_load_n(&gpu->progress_ns, __ATOMIC_RELAXED);
}

/* Whether there was no progress for longer than the limit, and half of it
 * went into computing: where many programs run, a thread that waits for a
 * processor is not hung. To be asked again and again. */
bool sim_gpu_hung(struct sim_gpu *gpu);

#endif
