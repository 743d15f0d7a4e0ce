/* SPDX-License-Identifier: MIT */
/* See surface_cache.h. */
#include "surface_cache.h"

#include <inttypes.h>

#include "intel/isl/isl.h"
#include "intel/sim/eu/eu.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/mem/surface_state.h"
#include "intel/sim/mem/watch.h"
#include "intel/sim/msg/surface_rules.h"
#include "util/thread_memory.h"

struct cached_surface {
   uint64_t address; /* 0: unused */
   const struct sim_traits *traits;
   uint32_t dw[16];
   struct sim_surface surface;
   /* By whom rules were looked at already, and by which clients: bits. */
   const struct sim_thread_rules *rules;
   uint32_t looked;
};

/* By rules of threads, or of caches alone. */
static bool
is_looked_at(const struct sim_eu_thread *t)
{
   return t->env->rules || (t->mem && t->mem->watch);
}

/* No manual has it, but Mesa f9e630e23df. */
static bool
is_astc_5x5(unsigned format)
{
   return format == ISL_FORMAT_ASTC_LDR_2D_5X5_FLT16 ||
          format == ISL_FORMAT_ASTC_LDR_2D_5X5_U8SRGB;
}

static void
watch_texture(const struct sim_watch *w, const struct sim_surface *s)
{
   sim_watch_surface(w, SIM_CLIENT_TEXTURE, s->address,
                     s->pitch_B << 2 | s->tiling);
   sim_watch_levels(w, SIM_CLIENT_TEXTURE, s->address, s->first_level,
                    s->level_count);
   if (is_astc_5x5(s->format))
      sim_watch_texture(w, SIM_TEXTURE_ASTC_5X5);
   else if (s->aux.mode == SIM_AUX_CCS || s->aux.mode == SIM_AUX_HIZ)
      sim_watch_texture(w, SIM_TEXTURE_COMPRESSED);
}

/* What strict mode says to the state. False: the thread has a fault. */
static bool
check_strictly(struct sim_eu_thread *t, struct cached_surface *c)
{
   const enum sim_client client = (enum sim_client)t->mem->client;
   if (t->mem->watch && client == SIM_CLIENT_TEXTURE &&
       c->surface.type <= SIM_SURFACE_CUBE)
      watch_texture(t->mem->watch, &c->surface);
   if (c->rules != t->env->rules)
      c->looked = 0;
   c->rules = t->env->rules;
   if (!t->shadow || c->looked >> client & 1)
      return true;
   c->looked |= 1u << client;
   return sim_strict_surface(t, client, c->address, c->dw, &c->surface);
}

/* Of each host thread: nothing in it outlives a change of the state in
 * memory, as the bytes are compared at each use.
 */
#define CACHED_SURFACES 32

/* NULL: no memory for the table. */
static struct cached_surface *
cached(uint64_t address)
{
   static _Thread_local void *slot;
   struct cached_surface *c =
      thread_memory(&slot, CACHED_SURFACES * sizeof(*c));
   return c ? &c[(address >> 6) % CACHED_SURFACES] : NULL;
}

const struct sim_surface *
sim_surface_at(struct sim_eu_thread *t, uint64_t address)
{
   const unsigned verx10 = t->env->verx10;
   const unsigned size_B = 4 * sim_surface_state_dwords(verx10);
   if (t->mem)
      sim_mem_note(t->mem, SIM_CLIENT_STATE, address, size_B, SIM_MEM_READ);
   const void *now = t->mem ? sim_mem_try_ptr(t->mem, address, size_B) : NULL;
   struct cached_surface *c = cached(address);
   if (!c) {
      sim_eu_fault(t, SIM_FAULT_MEMORY, "the host is out of memory");
      return NULL;
   }
   if (now && c->address == address && c->traits == sim_traits(verx10) &&
       memcmp(c->dw, now, size_B) == 0)
      return !is_looked_at(t) || check_strictly(t, c) ? &c->surface : NULL;
   uint32_t dw[16] = { 0 };
   if (!t->mem || !sim_mem_read(t->mem, dw, address, size_B)) {
      sim_eu_fault_memory(t, -1, address, "RENDER_SURFACE_STATE");
      return NULL;
   }
   char error[128];
   if (!sim_surface_decode_gen(&c->surface, verx10, dw, error,
                               sizeof(error))) {
      c->address = 0;
      sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                   "RENDER_SURFACE_STATE at 0x%" PRIx64 ": %s", address,
                   error);
      return NULL;
   }
   c->address = address;
   c->traits = sim_traits(verx10);
   memcpy(c->dw, dw, sizeof(dw));
   c->rules = NULL;
   return !is_looked_at(t) || check_strictly(t, c) ? &c->surface : NULL;
}

const struct sim_surface *
sim_surface_get(struct sim_eu_thread *t, unsigned index)
{
   /* Entries from 240 up are no places in the table; PRM SKL volume 7,
    * "Surface state model". */
   if (index >= 240) {
      sim_eu_fault(t, SIM_FAULT_MESSAGE,
                   "binding table index %u names no surface", index);
      return NULL;
   }
   const struct sim_eu_env *env = t->env;
   const uint64_t entry = env->surface_state_base +
                          env->binding_table_offset_B + 4ull * index;
   uint32_t offset;
   if (t->mem)
      sim_mem_note(t->mem, SIM_CLIENT_STATE, entry, 4, SIM_MEM_READ);
   if (!t->mem || !sim_mem_read(t->mem, &offset, entry, 4)) {
      sim_eu_fault_memory(t, -1, entry, "binding table");
      return NULL;
   }
   if (t->shadow && !sim_strict_surface_entry(t, offset))
      return NULL;
   return sim_surface_at(t, env->surface_state_base + (offset & ~31u));
}
