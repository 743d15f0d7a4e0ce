/* SPDX-License-Identifier: MIT */
/*
 * SAFFRON_SIM_STATS=FILE: what the GPU has done, as JSON, written when the
 * simulator is destroyed or the process exits, whichever comes first. Many
 * programs never destroy their driver.
 */
#include <stdio.h>

#include "uapi.h"

static pthread_mutex_t stats_lock = PTHREAD_MUTEX_INITIALIZER;
static struct saffron_sim *stats_sim; /* the one that will be written */
static bool exit_handler_set;

static void
write_stats(struct saffron_sim *sim, const char *name)
{
   struct saffron_sim_stats s;
   saffron_sim_get_stats(sim, &s);
   FILE *f = fopen(name, "w");
   if (!f) {
      fprintf(stderr, "saffron: SAFFRON_SIM_STATS: %s: %s\n", name,
              strerror(errno));
      return;
   }
   fprintf(f,
           "{\"generation\": \"%s\", \"batches\": %" PRIu64
           ", \"commands\": %" PRIu64 ", \"draws\": %" PRIu64
           ", \"dispatches\": %" PRIu64
           ", \"eu_threads\": %" PRIu64 ", \"eu_instructions\": %" PRIu64
           ", \"eu_simd8\": %" PRIu64 ", \"eu_sends\": %" PRIu64
           ", \"eu_cycles\": %" PRIu64 ", \"resets\": %" PRIu64 "}\n",
           saffron_sim_gen(sim), s.batches, s.commands, s.draws,
           s.dispatches, s.eu_threads, s.eu_instructions, s.eu_simd8,
           s.eu_sends, s.eu_cycles, s.resets);
   fclose(f);
}

void
uapi_stats_end(struct saffron_sim *sim)
{
   pthread_mutex_lock(&stats_lock);
   const char *name = getenv("SAFFRON_SIM_STATS");
   if (stats_sim && (sim == stats_sim || !sim) && name)
      write_stats(stats_sim, name);
   if (sim == stats_sim)
      stats_sim = NULL;
   pthread_mutex_unlock(&stats_lock);
}

static void
at_exit(void)
{
   uapi_stats_end(NULL);
}

void
uapi_stats_begin(struct saffron_sim *sim)
{
   if (!getenv("SAFFRON_SIM_STATS"))
      return;
   pthread_mutex_lock(&stats_lock);
   stats_sim = sim;
   if (!exit_handler_set)
      exit_handler_set = atexit(at_exit) == 0;
   pthread_mutex_unlock(&stats_lock);
}
