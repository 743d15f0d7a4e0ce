/* SPDX-License-Identifier: MIT */
/*
 * Accesses to memory as strict mode and chaos see them: who, where, and
 * whether it is written. They are told before the access, as chaos puts in
 * place what its cache holds. An accessor without a watch costs a test of a
 * pointer. strict/watch.c tells both.
 */
#ifndef SIM_WATCH_H
#define SIM_WATCH_H

#include "intel/sim/mem/mem.h"

/* Who reaches memory, by the cache that is between. */
enum sim_client {
   SIM_CLIENT_TARGET,    /* the render cache */
   SIM_CLIENT_DEPTH,     /* depth, stencil */
   SIM_CLIENT_DATA,      /* the data port, by L3 */
   SIM_CLIENT_STREAMOUT, /* of its own */
   SIM_CLIENT_COMMANDS,  /* the command streamer */
   SIM_CLIENT_SYNC,      /* post-sync operations */
   SIM_CLIENT_WRITERS,

   SIM_CLIENT_TEXTURE = SIM_CLIENT_WRITERS,
   SIM_CLIENT_CONSTANT,
   SIM_CLIENT_VERTEX,
   SIM_CLIENT_STATE, /* surface states, samplers, viewports */
   SIM_CLIENT_CODE,
   /* The sampler for a pixel that is not drawn, beside ones that are: what
    * it gets may be anything. */
   SIM_CLIENT_HELPER,
   SIM_CLIENTS,
};

struct strict_watch;
struct chaos_caches;

typedef void (*sim_watch_log)(void *data, enum sim_client client,
                              uint64_t address, uint64_t size_B,
                              enum sim_mem_access access);

/* Who watches a batch; each may be NULL. */
struct sim_watch {
   struct strict_watch *strict;
   struct chaos_caches *caches;
   /* Hears all of it, for tests. */
   sim_watch_log log;
   void *log_data;
};

/* Outlined: what sim_mem_note() does when somebody watches. */
void sim_watch_access(const struct sim_watch *w, enum sim_client client,
                      uint64_t address, uint64_t size_B,
                      enum sim_mem_access access);

/* A surface is used whose lines carry more than bytes: of which tiling and
 * pitch, or by which control surface. Outlined as well. */
void sim_watch_surface(const struct sim_watch *w, enum sim_client client,
                       uint64_t address, uint32_t kind);

/* What must not be in the sampler's cache beside each other. */
enum sim_texture_kind {
   SIM_TEXTURE_ASTC_5X5,
   SIM_TEXTURE_COMPRESSED, /* with a CCS or HiZ */
   SIM_TEXTURE_KINDS,
};

/* The sampler uses one of them. Outlined as well. */
void sim_watch_texture(const struct sim_watch *w, enum sim_texture_kind kind);

/* These levels of a surface are sampled, or drawn to with a CCS. Outlined as
 * well. */
void sim_watch_levels(const struct sim_watch *w, enum sim_client client,
                      uint64_t address, unsigned first, unsigned count);

/* `n` dwords of the URB from `at_B` on are used by a fixed function, as
 * `what`. Outlined as well. */
void sim_watch_urb(const struct sim_watch *w, uint64_t at_B, unsigned n,
                   const char *what);

/* A quad that is divided by whole factors: those of the edges u = 0, v = 0,
 * u = 1, v = 1, and inside along u, along v. Outlined as well. */
void sim_watch_quad(const struct sim_watch *w, const float outer[4],
                    const float inner[2]);

static inline void
sim_mem_note(const struct sim_mem *mem, enum sim_client client,
             uint64_t address, uint64_t size_B, enum sim_mem_access access)
{
   if (__builtin_expect(mem->watch != NULL, 0))
      sim_watch_access(mem->watch, client, address, size_B, access);
}

/* The same for a message: its shared function says who it is. */
static inline void
sim_mem_note_message(const struct sim_mem *mem, uint64_t address,
                     uint64_t size_B, enum sim_mem_access access)
{
   if (__builtin_expect(mem->watch != NULL, 0))
      sim_watch_access(mem->watch, (enum sim_client)mem->client, address,
                       size_B, access);
}

#endif
