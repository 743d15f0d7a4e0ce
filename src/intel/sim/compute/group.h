/* SPDX-License-Identifier: MIT */
/*
 * Threads that run together and meet at barriers: a compute thread group, or
 * the threads of one patch.
 *
 * The dispatcher fills in the threads, points env->user to the group and
 * env->barrier to sim_group_barrier(), and runs the group. Each thread runs
 * until it waits or has had its slice; then the next one does.
 */
#ifndef SIM_GROUP_H
#define SIM_GROUP_H

#include "intel/sim/dispatch/draw.h"

struct sim_thread_group {
   struct sim_eu_thread *threads; /* started, none run yet */
   unsigned count;
   uint32_t barrier_id; /* as in r0.2 */
   bool barrier_enabled;
   unsigned arrived; /* at the barrier */
};

/* The gateway's barrier message; for sim_eu_env::barrier. */
bool sim_group_barrier(struct sim_eu_thread *t, const struct sim_message *m);

/*
 * Runs all threads from the start of `program` to their end. A fault, a
 * thread that never ends, and a barrier that some threads do not come to are
 * faults of the draw, with `stage` in the report. Whether all ended well.
 */
bool sim_group_run(struct sim_draw *draw, struct sim_thread_group *group,
                   const struct sim_eu_program *program, const char *stage);

#endif
