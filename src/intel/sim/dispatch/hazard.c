/* SPDX-License-Identifier: MIT */
/* See hazard.h. What cannot be told counts as overlapping. */
#include "hazard.h"

#include "intel/sim/eu/program/effects.h"
#include "intel/sim/msg/surface_cache.h"

static bool
meets(const struct sim_written *w, struct sim_range r)
{
   for (unsigned i = 0; i < w->count; i++) {
      if (sim_ranges_meet(w->range[i], r))
         return true;
   }
   return false;
}

bool
sim_add_written(struct sim_written *w, struct sim_range r)
{
   if (w->count == SIM_MAX_WRITTEN || meets(w, r))
      return false;
   w->range[w->count++] = r;
   return true;
}

bool
sim_reads_elsewhere(const struct sim_written *w, struct sim_eu_thread *t,
                    const BITSET_WORD *reads)
{
   for (unsigned bti = 0; bti < SIM_EFFECT_BTIS; bti++) {
      struct sim_range range[2];
      if (!BITSET_TEST(reads, bti))
         continue;
      const struct sim_surface *s = sim_surface_get(t, bti);
      const unsigned n = s ? sim_surface_ranges(s, range) : 0;
      for (unsigned i = 0; i < n; i++) {
         if (meets(w, range[i]))
            return false;
      }
      if (!s)
         return false;
   }
   return true;
}

bool
sim_effects_are_apart(struct sim_eu_thread *t, const struct sim_effects *e)
{
   struct sim_written w = { 0 };
   for (unsigned bti = 0; bti < SIM_EFFECT_BTIS; bti++) {
      struct sim_range range[2];
      if (!BITSET_TEST(e->writes, bti))
         continue;
      const struct sim_surface *s = sim_surface_get(t, bti);
      const unsigned n = s ? sim_surface_ranges(s, range) : 0;
      if (!s || w.count + n > SIM_MAX_WRITTEN)
         return false;
      memcpy(&w.range[w.count], range, n * sizeof(range[0]));
      w.count += n;
   }
   return sim_reads_elsewhere(&w, t, e->reads);
}
