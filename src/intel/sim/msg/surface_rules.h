/* SPDX-License-Identifier: MIT */
/* Rules about surface states: strict/surfaces.c. */
#ifndef SIM_SURFACE_RULES_H
#define SIM_SURFACE_RULES_H

#include "intel/sim/eu/eu.h"
#include "intel/sim/eu/shadow.h"
#include "intel/sim/mem/surface.h"
#include "intel/sim/mem/watch.h"

/* A message by way of `client` uses the state of `dw`, which is at `address`.
 * False: the thread has a fault. */
bool sim_strict_surface(struct sim_eu_thread *t, enum sim_client client,
                        uint64_t address, const uint32_t *dw,
                        const struct sim_surface *s);

/* A thread uses the surface's format as `rule` says: FORMAT_RENDERED,
 * FORMAT_BLENDED, FORMAT_READ, FORMAT_WRITTEN or FORMAT_ATOMIC, by isl's
 * table; UNTYPED, if it is RAW. The same. */
bool sim_strict_format(struct sim_eu_thread *t, const struct sim_surface *s,
                       enum sim_thread_rule rule);

/* The same of a sampler with the surface, and what it does to it. */
struct sim_lookup;
bool sim_strict_lookup(struct sim_eu_thread *t, const struct sim_lookup *l);

/* Coordinates of the sampler: `n` parameters, each a dword for `width`
 * channels; that of number 0 is at dword `first` of the payload. The same. */
bool sim_strict_coordinates(struct sim_eu_thread *t,
                            const struct sim_message *m, unsigned first,
                            unsigned width, uint32_t lanes,
                            const uint8_t *index, unsigned n);

/* The same of an entry of the binding table. */
bool sim_strict_surface_entry(struct sim_eu_thread *t, uint32_t offset);

#endif
