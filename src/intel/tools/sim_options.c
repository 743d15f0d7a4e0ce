/* SPDX-License-Identifier: MIT */
/*
 * Whether there can be a simulated GPU with what the environment says of it
 * (SAFFRON_SIM_STRICT, _RULES, _CHAOS, _TRACE_FILTER): bin/saffron asks
 * before it starts a program, which might not say that it found no GPU.
 *
 *    saffron-sim-options GEN
 *
 * Exits with 2 if not; the simulator has said what is wrong.
 */
#include <stdio.h>

#include "saffron/sim.h"

int
main(int argc, char **argv)
{
   struct saffron_sim *sim = argc == 2 ? saffron_sim_create(argv[1]) : NULL;
   if (argc != 2)
      fprintf(stderr, "usage: saffron-sim-options GEN\n");
   saffron_sim_destroy(sim);
   return sim ? 0 : 2;
}
