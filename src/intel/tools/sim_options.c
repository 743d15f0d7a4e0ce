/* SPDX-License-Identifier: MIT */
/*
 * Whether there can be a simulated GPU with what the environment says of it
 * (SAFFRON_SIM_STRICT, _RULES, _CHAOS, _TRACE_FILTER): bin/saffron asks
 * before it starts a program, which might not say that it found no GPU.
 *
 *    saffron-sim-options GEN
 *
 * Exits with 2 if not, after a word about it.
 */
#include <stdio.h>

#include "intel/dev/intel_device_info.h"
#include "saffron/sim.h"

int
main(int argc, char **argv)
{
   if (argc != 2) {
      fprintf(stderr, "usage: saffron-sim-options GEN\n");
      return 2;
   }
   if (!intel_device_info_by_name(argv[1])) {
      char chips[80];
      intel_device_info_chips(chips, sizeof(chips));
      fprintf(stderr, "saffron: unknown generation '%s': none of %s\n",
              argv[1], chips);
      return 2;
   }
   struct saffron_sim *sim = saffron_sim_create(argv[1]);
   saffron_sim_destroy(sim);
   return sim ? 0 : 2;
}
