/* SPDX-License-Identifier: MIT */
/* The sampler: SFID 2. Goes into sim_eu_env::sampler of every stage. */
#ifndef SIM_SAMPLER_H
#define SIM_SAMPLER_H

#include "intel/sim/eu/eu.h"

bool sim_msg_sampler(struct sim_eu_thread *t, const struct sim_message *m);

#endif
