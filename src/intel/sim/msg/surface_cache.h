/* SPDX-License-Identifier: MIT */
/* Surface states as messages name them: by binding table, or by address. */
#ifndef SIM_SURFACE_CACHE_H
#define SIM_SURFACE_CACHE_H

#include "intel/sim/mem/surface.h"

struct sim_eu_thread;

/*
 * The surface of a binding table entry of the thread's stage. NULL: a fault
 * is recorded in the thread. Decoded states are remembered per host thread
 * and compared with memory each time; the result is good until the next call.
 */
const struct sim_surface *sim_surface_get(struct sim_eu_thread *t,
                                          unsigned index);

/* The same by the absolute address of a RENDER_SURFACE_STATE. */
const struct sim_surface *sim_surface_at(struct sim_eu_thread *t,
                                         uint64_t address);

#endif
