/* SPDX-License-Identifier: MIT */
/* Whether threads of a program can be told apart: see hazard.c. */
#ifndef SIM_HAZARD_H
#define SIM_HAZARD_H

#include "util/macros.h"

struct sim_effects;
struct sim_eu_thread;

/*
 * Whether nothing that the program reads lies in what it writes, by the
 * surfaces of the binding table in the environment of `t`, which gives it and
 * the memory, and gets the faults of looking there.
 */
bool sim_effects_are_apart(struct sim_eu_thread *t,
                           const struct sim_effects *e);

#endif
