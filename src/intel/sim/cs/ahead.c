/* SPDX-License-Identifier: MIT */
/*
 * The command streamer ahead of the pipe. It hands a draw or a walker on and
 * goes to what follows: a constant that it stores (MI_STORE_DATA_IMM) may be
 * there while threads of the work before still read, unless something between
 * waits for them (CC-30).
 *
 * So such stores are looked for behind the work, and done before it; when the
 * work has ended, what was there before is put back, for the commands between
 * to find. PRM SKL Vol. 2a "PIPE_CONTROL" says what waits; of all other
 * commands only those are passed that are known not to.
 */
#include "cs_private.h"

#include "intel/sim/chaos/chaos.h"

#define PC_WAITS (1u << 1 | 1u << 13 | 1u << 20) /* pixels, depth, CS */

/* How many commands ahead. */
#define FAR 64

static bool
passes(const struct genxml_group *g, const uint32_t *dw)
{
   static const char *const names[] = {
      "MI_NOOP",
      "MI_STORE_DATA_IMM",
      "MI_LOAD_REGISTER_IMM",
      "MI_STORE_REGISTER_MEM",
      "3DPRIMITIVE",
      "GPGPU_WALKER",
      "3DSTATE_VERTEX_BUFFERS",
      "3DSTATE_INDEX_BUFFER",
   };
   if (!strcmp(g->name, "PIPE_CONTROL"))
      return !(dw[1] & PC_WAITS);
   if (!strncmp(g->name, "3DSTATE_CONSTANT_", 17) ||
       !strncmp(g->name, "3DSTATE_BINDING_TABLE_POINTERS_", 31))
      return true;
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      if (!strcmp(g->name, names[i]))
         return true;
   }
   return false;
}

/* A dword as the command streamer has it; NULL: it is not mapped. */
static uint32_t *
dword(struct sim_cs *cs, uint64_t address, enum sim_mem_access access)
{
   if (cs->watch.caches)
      sim_chaos_access(cs->watch.caches, SIM_CLIENT_COMMANDS, address, 4,
                       access);
   return sim_mem_try_ptr(&cs->mem, address, 4);
}

static void
store(struct sim_cs *cs, const struct genxml_group *g, const uint32_t *dw,
      unsigned n, struct cs_prefetch *a)
{
   const struct genxml_field *f = genxml_find_field(g, "Address");
   const uint64_t address =
      genxml_get_offset(dw, f->lo, f->lo + f->bits - 1u) & SIM_ADDRESS_MASK;
   for (unsigned i = 3; i < n && a->num < ARRAY_SIZE(a->store); i++) {
      const uint64_t at = address + 4ull * (i - 3);
      uint32_t *to = at % 4 ? NULL : dword(cs, at, SIM_MEM_WRITE);
      if (!to)
         return;
      a->store[a->num++] = (struct cs_early_store) { at, *to, dw[i] };
      *to = dw[i];
   }
}

void
cs_prefetch_begin(struct sim_cs *cs, unsigned n, struct cs_prefetch *a)
{
   uint64_t ip = cs->ip + 4ull * n;
   a->num = 0;
   if (!sim_chaos_has(cs->gpu->chaos, SIM_CHAOS_ORDER) ||
       cs->predicate_enable != NOOPNever ||
       sim_chaos_below(cs->gpu->chaos, 2))
      return;
   for (unsigned i = 0; i < FAR; i++) {
      const uint32_t *dw = sim_mem_try_ptr(&cs->mem, ip, 4);
      const struct genxml_group *g = dw ? genxml_find_command(cs->spec, *dw)
                                        : NULL;
      const unsigned size_dw = g ? genxml_command_dwords(g, *dw) : 0;
      if (size_dw < (g ? g->dwords : 1) ||
          !(dw = sim_mem_try_ptr(&cs->mem, ip, 4ull * size_dw)) ||
          !passes(g, dw))
         return;
      if (!strcmp(g->name, "MI_STORE_DATA_IMM"))
         store(cs, g, dw, size_dw, a);
      ip += 4ull * size_dw;
   }
}

void
cs_prefetch_end(struct sim_cs *cs, const struct cs_prefetch *a)
{
   for (unsigned i = a->num; i--;) {
      const struct cs_early_store *s = &a->store[i];
      uint32_t *to = dword(cs, s->address, SIM_MEM_WRITE);
      /* The work itself may have written there. */
      if (to && *to == s->now)
         *to = s->before;
   }
}
