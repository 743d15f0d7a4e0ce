/* SPDX-License-Identifier: MIT */
/*
 * Whether threads of a program can be told apart: by the extents of what they
 * write, none of which may meet another or what they read.
 */
#ifndef SIM_HAZARD_H
#define SIM_HAZARD_H

#include "intel/sim/mem/surface.h"
#include "util/bitset.h"

struct sim_effects;
struct sim_eu_thread;

#define SIM_MAX_WRITTEN 64

struct sim_written {
   unsigned count;
   struct sim_range range[SIM_MAX_WRITTEN];
};

/* False: it overlaps what is written already. */
bool sim_add_written(struct sim_written *w, struct sim_range r);

/* Whether the surfaces of `reads`, entries of the binding table in the
 * environment of `t`, lie in nothing that is written. */
bool sim_reads_elsewhere(const struct sim_written *w, struct sim_eu_thread *t,
                         const BITSET_WORD *reads);

/*
 * Whether nothing that the program reads lies in what it writes, by the
 * surfaces of the binding table in the environment of `t`, which gives it and
 * the memory, and gets the faults of looking there.
 */
bool sim_effects_are_apart(struct sim_eu_thread *t,
                           const struct sim_effects *e);

#endif
