/* SPDX-License-Identifier: MIT */
/*
 * Thread groups: see group.h. PRM SKL Vol. 7, "Message Gateway: Barrier
 * Message": the gateway counts the threads that came, and when the last one
 * of the group has, notifies all of them (n0.0), which wait for that.
 */
#include "group.h"

#include "intel/sim/chaos/chaos.h"
#include "intel/sim/gpu/gpu.h"
#include "intel/sim/gen/traits.h"

/* Instructions between two looks at the other threads of a group: a thread
 * may spin on memory that another one will write. */
#define GROUP_SLICE (1ull << 16)

#define BARRIER_COUNT_ENABLE (1u << 15)

bool
sim_group_barrier(struct sim_eu_thread *t, const struct sim_message *m)
{
   struct sim_thread_group *g = t->env->user;
   const uint32_t header = m->src0[0].ud[2];
   const uint32_t id = header & sim_traits(t->env->verx10)->barrier_id_mask;
   const unsigned count = header & BARRIER_COUNT_ENABLE ? header >> 9 & 0x3f
                                                        : g->count;
   if (!g->barrier_enabled)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "a barrier in a thread group "
                          "without Barrier Enable");
   if (id != g->barrier_id)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "barrier 0x%08x, the thread "
                          "group has 0x%08x",
                          id, g->barrier_id);
   if (!count || count > g->count)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "a barrier for %u threads in "
                          "a group of %u",
                          count, g->count);
   if (++g->arrived < count)
      return true;
   g->arrived = 0;
   for (unsigned i = 0; i < g->count; i++)
      g->threads[i].notify[0]++;
   return true;
}

/* Lets one thread run. False: a fault of the draw. */
static bool
step(struct sim_draw *draw, struct sim_eu_thread *t,
     const struct sim_eu_program *program, const char *stage)
{
   const uint64_t before = t->stats.instructions;
   const uint64_t slice = sim_chaos_has(draw->gpu->chaos, SIM_CHAOS_ORDER)
                             ? 1 + sim_chaos_below(draw->gpu->chaos, 64)
                             : GROUP_SLICE;
   t->max_instructions = before + sim_gpu_slice(draw->gpu, slice);
   switch (sim_eu_run(t, program, 0)) {
   case SIM_EU_EOT:
      sim_draw_end_thread(draw, t, program);
      return !draw->faulted;
   case SIM_EU_FAULT:
      sim_draw_end_thread(draw, t, program);
      sim_draw_fault(draw, "%s at 0x%x: %s [%s]", stage, t->fault.ip_B,
                     t->fault.text, t->fault.inst);
      return false;
   case SIM_EU_READY:
   case SIM_EU_WAIT: /* a loop may wait for ever so often */
   case SIM_EU_LIMIT:
      sim_gpu_spend(draw->gpu, t->stats.instructions - before);
      if (!sim_draw_expired(draw))
         return true;
      draw->expired = true;
      sim_draw_fault(draw, "%s at 0x%x: endless", stage, t->ip_B);
      return false;
   }
   unreachable("thread status");
}

/* Those that a fault, or a barrier that is never full, has stopped. */
static void
end_others(struct sim_draw *draw, struct sim_thread_group *g,
           const struct sim_eu_program *program)
{
   for (unsigned i = 0; i < g->count; i++) {
      const enum sim_eu_status status = g->threads[i].status;
      if (status != SIM_EU_EOT && status != SIM_EU_FAULT)
         sim_draw_end_thread(draw, &g->threads[i], program);
   }
}

static bool
runnable(const struct sim_eu_thread *t)
{
   return t->status != SIM_EU_EOT &&
          (t->status != SIM_EU_WAIT || t->notify[t->waits_for]);
}

bool
sim_group_run(struct sim_draw *draw, struct sim_thread_group *g,
              const struct sim_eu_program *program, const char *stage)
{
   bool ran = true;
   g->arrived = 0;
   while (ran) {
      const struct sim_chaos_order order =
         sim_chaos_order(draw->gpu->chaos, SIM_CHAOS_ORDER, g->count);
      ran = false;
      for (unsigned n = 0; n < g->count; n++) {
         const unsigned i = (unsigned)sim_chaos_nth(&order, n);
         if (!runnable(&g->threads[i]))
            continue;
         if (!step(draw, &g->threads[i], program, stage)) {
            end_others(draw, g, program);
            return false;
         }
         ran = true;
      }
   }
   end_others(draw, g, program);
   for (unsigned i = 0; i < g->count; i++) {
      if (g->threads[i].status != SIM_EU_EOT) {
         sim_draw_fault(draw,
                        "%s at 0x%x: waits for a barrier that %u of %u "
                        "threads came to",
                        stage, g->threads[i].ip_B, g->arrived, g->count);
         return false;
      }
   }
   return true;
}
