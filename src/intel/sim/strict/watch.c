/* SPDX-License-Identifier: MIT */
/* See mem/watch.h. */
#include "intel/sim/chaos/chaos.h"
#include "strict_private.h"

void
sim_watch_access(const struct sim_watch *w, enum sim_client client,
                 uint64_t address, uint64_t size_B,
                 enum sim_mem_access access)
{
   if (w->strict)
      sim_strict_access(w->strict, client, address, size_B, access);
   if (w->caches)
      sim_chaos_access(w->caches, client, address, size_B, access);
   if (w->log)
      w->log(w->log_data, client, address, size_B, access);
}

void
sim_watch_surface(const struct sim_watch *w, enum sim_client client,
                  uint64_t address, uint32_t kind)
{
   if (w->strict)
      sim_strict_kind(w->strict, client, address, kind);
}

void
sim_watch_texture(const struct sim_watch *w, enum sim_texture_kind kind)
{
   if (w->strict)
      sim_strict_texture(w->strict, kind);
}

void
sim_watch_levels(const struct sim_watch *w, enum sim_client client,
                 uint64_t address, unsigned first, unsigned count)
{
   if (w->strict)
      sim_strict_levels(w->strict, client, address, first, count);
}

void
sim_watch_quad(const struct sim_watch *w, const float outer[4],
               const float inner[2])
{
   if (w->strict)
      sim_strict_quad(w->strict, outer, inner);
}

void
sim_watch_urb(const struct sim_watch *w, uint64_t at_B, unsigned n,
              const char *what)
{
   if (w->strict)
      sim_strict_urb(w->strict, at_B, n, what);
}
