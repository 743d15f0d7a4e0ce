/* SPDX-License-Identifier: MIT */
/*
 * Caches with data: lines are kept until they are invalidated, and written
 * back when they are flushed or when the seed says so.
 *
 * The bytes in a buffer are those that the client sees who came last: before
 * each access (mem/watch.h) the line is swapped for what this client's
 * cache holds, and what was there goes back to whose it was. So nothing that
 * reaches memory has to know. What is told to nobody (HiZ, MCS) finds the
 * line as the last client left it; what it writes, and what the CPU does,
 * goes to memory.
 *
 * Nothing here is shared with strict mode's tracker but the places that tell
 * of accesses: the two are to find the same programs wrong.
 *
 *    Cache          written back by           emptied by
 *    render target  its flush                 its flush
 *    depth          its flush                 its flush
 *    data           its flush                 its flush
 *    stream output  a CS stall                a CS stall
 *    post-sync      a CS stall, flush enable  the same
 *    texture, constant, vertex, code          their invalidates
 *    state                                    those of texture and state
 *
 * What the render target and depth caches write back goes through L3, in
 * whose ways for data the data port's lines are: no driver has an invalidate
 * for them, and no PIPE_CONTROL before Gen12 a bit for one (CM-03, CC-04). So
 * the data port's line has those bytes, too. What commands, post-sync
 * operations and stream output write passes L3 by (CM-14, CM-15).
 *
 * Draws overlap: the data port reads for one that may run beside those before
 * it, as no stall is between, what was there before they wrote. Atomics, and
 * whoever waits for earlier threads on the same pixels, find all of it.
 *
 * A flush without a CS stall may end as late as the next CS stall; a render
 * target flush beside a scoreboard stall may be lost, before Gen9 (PC-06); an
 * invalidate beside a flush may be undone by the work that is in flight
 * (CC-01). That a flush is seen only after a post-sync write (CC-02, CC-03)
 * is left to strict mode. Any line may be dropped, or written back, between
 * two commands.
 */
#include "chaos.h"

#include <stdlib.h>

#include "intel/genxml/gen9_pack.h"
#include "intel/sim/mem/mem.h"
#include "intel/sim/mem/watch.h"

enum cache {
   CACHE_TARGET,
   CACHE_DEPTH,
   CACHE_DATA,
   CACHE_STREAMOUT,
   CACHE_SYNC,
   CACHE_WRITERS,
   CACHE_TEXTURE = CACHE_WRITERS,
   CACHE_CONSTANT,
   CACHE_VERTEX,
   CACHE_STATE,
   CACHE_CODE,
   CACHE_BEFORE, /* the data cache's lines, as overlapping draws find them */
   CACHE_COUNT,
   MEMORY = CACHE_COUNT, /* no cache between */
};

#define LINE_B 64
#define PAGE_LINES (SIM_PAGE_SIZE / LINE_B)

/* What a cache holds of a page. */
struct held {
   uint64_t valid; /* lines */
   uint64_t dirty[PAGE_LINES];
   uint8_t data[SIM_PAGE_SIZE]; /* of lines that are not in place */
};

struct page {
   uint8_t *host;
   struct page *next;
   uint8_t in[PAGE_LINES]; /* enum cache: whose line is in place */
   struct held *of[CACHE_COUNT];
   uint8_t memory[SIM_PAGE_SIZE]; /* of lines that are not in place */
   uint32_t *wrote; /* by line: which work wrote data last; 0: none */
};

struct chaos_caches {
   struct sim_chaos *chaos;
   struct sim_mem mem;
   struct page **table; /* open, of `room` slots */
   unsigned room, num;
   struct page *pages, *last;
   bool in_flight;
   bool pending[CACHE_WRITERS]; /* a flush that waits for a CS stall */
   bool through;      /* post-sync writes of this packet are seen at once */
   bool half_state;   /* one of the two bits that empty the state cache... */
   bool half_texture; /* ...and the other one */
   uint32_t work, waited; /* draws and walkers; the last one that is done */
   bool ahead;            /* this one runs beside those before it */
   unsigned evicts;       /* one in so many commands drops lines; 0: none */
};

struct chaos_caches *
sim_chaos_caches_create(struct sim_chaos *c, const struct sim_vm *vm)
{
   static const unsigned often[] = { 0, 0, 2, 16 };
   if (!sim_chaos_has(c, SIM_CHAOS_CACHE))
      return NULL;
   struct chaos_caches *k = calloc(1, sizeof(*k));
   if (!k)
      return NULL;
   k->chaos = c;
   k->evicts = often[sim_chaos_below(c, ARRAY_SIZE(often))];
   sim_mem_init(&k->mem, vm);
   return k;
}

/*
 * Lines
 */

/* Puts `to` in the line's place and has what was there in `found`: all of
 * what the CPU writes meanwhile is either found or stays. */
static void
exchange_line(uint8_t *place, const uint8_t *to, uint8_t *found)
{
   for (unsigned i = 0; i < LINE_B; i += 8) {
      uint64_t in, out;
      memcpy(&in, to + i, 8);
      out =
         __atomic_exchange_n((uint64_t *)(place + i), in, __ATOMIC_RELAXED);
      memcpy(found + i, &out, 8);
   }
}

/* What was in the line's place goes where it belongs: to memory what the
 * cache has not written and is not as it was. Returns these bytes. */
static uint64_t
put_away(struct page *p, unsigned line, const uint8_t *found)
{
   const unsigned was = p->in[line];
   const size_t at = (size_t)line * LINE_B;
   uint64_t others = 0;
   if (was == MEMORY) {
      memcpy(p->memory + at, found, LINE_B);
      return 0;
   }
   struct held *h = p->of[was];
   for (unsigned i = 0; i < LINE_B; i++) {
      if (h->dirty[line] >> i & 1) {
         h->data[at + i] = found[i];
      } else if (h->data[at + i] != found[i]) {
         p->memory[at + i] = found[i];
         others |= 1ull << i;
      }
   }
   return others;
}

/* The line is as `cache` has it. */
static void
put_in_place(struct page *p, unsigned line, unsigned cache)
{
   const size_t at = (size_t)line * LINE_B;
   uint8_t found[LINE_B];
   if (p->in[line] == cache)
      return;
   exchange_line(p->host + at,
                 (cache == MEMORY ? p->memory : p->of[cache]->data) + at,
                 found);
   for (uint64_t left = put_away(p, line, found); left && cache == MEMORY;) {
      const unsigned i = (unsigned)u_bit_scan64(&left);
      p->host[at + i] = found[i];
   }
   p->in[line] = (uint8_t)cache;
}

/* The data port's line, if there is one, has these bytes as well, but for
 * those that it has written and that are not out. */
static void
show_to_data(struct page *p, unsigned line, const uint8_t *from,
             uint64_t bytes)
{
   struct held *h = p->of[CACHE_DATA];
   const size_t at = (size_t)line * LINE_B;
   if (!h || !(h->valid >> line & 1))
      return;
   uint8_t *to = p->in[line] == CACHE_DATA ? p->host : h->data;
   for (uint64_t left = bytes & ~h->dirty[line]; left;) {
      const unsigned i = (unsigned)u_bit_scan64(&left);
      to[at + i] = h->data[at + i] = from[at + i];
   }
}

static void
write_back(struct page *p, unsigned line, unsigned cache)
{
   struct held *h = p->of[cache];
   const size_t at = (size_t)line * LINE_B;
   if (!h->dirty[line])
      return;
   uint8_t *to = p->in[line] == MEMORY ? p->host : p->memory;
   const uint8_t *from = p->in[line] == cache ? p->host : h->data;
   for (uint64_t left = h->dirty[line]; left;) {
      const unsigned i = (unsigned)u_bit_scan64(&left);
      to[at + i] = h->data[at + i] = from[at + i];
   }
   if (cache == CACHE_TARGET || cache == CACHE_DEPTH)
      show_to_data(p, line, from, h->dirty[line]);
   h->dirty[line] = 0;
}

/* The cache has nothing of these lines any more. */
static void
drop(struct page *p, unsigned cache, uint64_t lines)
{
   struct held *h = p->of[cache];
   if (!h)
      return;
   for (uint64_t left = h->valid & lines; left;) {
      const unsigned line = (unsigned)u_bit_scan64(&left);
      write_back(p, line, cache);
      if (p->in[line] == cache)
         put_in_place(p, line, MEMORY);
   }
   h->valid &= ~lines;
}

static void
drop_all(struct chaos_caches *k, unsigned cache)
{
   for (struct page *p = k->pages; p; p = p->next)
      drop(p, cache, UINT64_MAX);
}

void
sim_chaos_caches_destroy(struct chaos_caches *k)
{
   if (!k)
      return;
   /* Late writes come in any order. */
   const unsigned first = (unsigned)sim_chaos_below(k->chaos, CACHE_WRITERS);
   for (unsigned i = 0; i < CACHE_WRITERS; i++)
      drop_all(k, (first + i) % CACHE_WRITERS);
   for (unsigned i = CACHE_WRITERS; i < CACHE_COUNT; i++)
      drop_all(k, i);
   for (struct page *p = k->pages, *next; p; p = next) {
      next = p->next;
      for (unsigned i = 0; i < CACHE_COUNT; i++)
         free(p->of[i]);
      free(p->wrote);
      free(p);
   }
   free(k->table);
   free(k);
}

/*
 * Pages
 */

static unsigned
slot_of(const struct chaos_caches *k, const uint8_t *host)
{
   unsigned at =
      (unsigned)((uintptr_t)host / SIM_PAGE_SIZE * 0x9e3779b97f4a7c15ull >>
                 32) %
      k->room;
   while (k->table[at] && k->table[at]->host != host)
      at = (at + 1) % k->room;
   return at;
}

static bool
grow(struct chaos_caches *k)
{
   const unsigned room = MAX2(2 * k->room, 256u);
   struct page **table = calloc(room, sizeof(*table));
   if (!table)
      return false;
   free(k->table);
   k->table = table;
   k->room = room;
   for (struct page *p = k->pages; p; p = p->next)
      table[slot_of(k, p->host)] = p;
   return true;
}

/* NULL: nobody had it in a cache, or the host has no memory. */
static struct page *
get_page(struct chaos_caches *k, uint8_t *host, bool create)
{
   if (k->last && k->last->host == host)
      return k->last;
   if (2 * k->num >= k->room && !grow(k))
      return NULL;
   struct page **slot = &k->table[slot_of(k, host)];
   if (!*slot && create) {
      struct page *p = calloc(1, sizeof(*p));
      if (!p)
         return NULL;
      p->host = host;
      p->next = k->pages;
      memset(p->in, MEMORY, sizeof(p->in));
      k->pages = *slot = p;
      k->num++;
   }
   if (*slot)
      k->last = *slot;
   return *slot;
}

static void
touch(struct page *p, unsigned line, unsigned cache, uint64_t bytes,
      bool writes)
{
   if (cache == MEMORY) {
      put_in_place(p, line, MEMORY);
      return;
   }
   if (!p->of[cache] && !(p->of[cache] = calloc(1, sizeof(struct held))))
      return;
   struct held *h = p->of[cache];
   if (!(h->valid >> line & 1)) {
      const size_t at = (size_t)line * LINE_B;
      memcpy(h->data + at, (p->in[line] == MEMORY ? p->host : p->memory) + at,
             LINE_B);
      h->valid |= 1ull << line;
   }
   put_in_place(p, line, cache);
   if (writes)
      h->dirty[line] |= bytes;
}

/* Whether the data port finds the line as it was before the work wrote it
 * that it overlaps with. */
static bool
finds_before(const struct chaos_caches *k, const struct page *p,
             unsigned line)
{
   const uint32_t wrote = p->wrote ? p->wrote[line] : 0;
   const struct held *h = p->of[CACHE_BEFORE];
   return k->ahead && wrote > k->waited && wrote != k->work && h &&
          h->valid >> line & 1;
}

/* The data cache's line is in place, and about to be written. */
static void
keep_before(struct chaos_caches *k, struct page *p, unsigned line)
{
   struct held *h = p->of[CACHE_BEFORE];
   const size_t at = (size_t)line * LINE_B;
   if (!p->wrote && !(p->wrote = calloc(PAGE_LINES, sizeof(*p->wrote))))
      return;
   if (!h && !(h = p->of[CACHE_BEFORE] = calloc(1, sizeof(*h))))
      return;
   if (p->wrote[line] == k->work)
      return;
   p->wrote[line] = k->work;
   memcpy(h->data + at, p->host + at, LINE_B);
   h->valid |= 1ull << line;
}

static void
touch_data(struct chaos_caches *k, struct page *p, unsigned line,
           uint64_t bytes, bool writes)
{
   if (!writes && finds_before(k, p, line)) {
      put_in_place(p, line, CACHE_BEFORE);
      return;
   }
   touch(p, line, CACHE_DATA, bytes, writes);
   if (writes && p->in[line] == CACHE_DATA)
      keep_before(k, p, line);
}

void
sim_chaos_wait_for_pixels(struct chaos_caches *k)
{
   k->ahead = false;
}

static const uint8_t cache_of[SIM_CLIENTS] = {
   [SIM_CLIENT_TARGET] = CACHE_TARGET,
   [SIM_CLIENT_DEPTH] = CACHE_DEPTH,
   [SIM_CLIENT_DATA] = CACHE_DATA,
   [SIM_CLIENT_STREAMOUT] = CACHE_STREAMOUT,
   [SIM_CLIENT_COMMANDS] = MEMORY,
   [SIM_CLIENT_SYNC] = CACHE_SYNC,
   [SIM_CLIENT_TEXTURE] = CACHE_TEXTURE,
   [SIM_CLIENT_CONSTANT] = CACHE_CONSTANT,
   [SIM_CLIENT_VERTEX] = CACHE_VERTEX,
   [SIM_CLIENT_STATE] = CACHE_STATE,
   [SIM_CLIENT_CODE] = CACHE_CODE,
   [SIM_CLIENT_HELPER] = CACHE_TEXTURE,
};

void
sim_chaos_access(struct chaos_caches *k, enum sim_client client,
                 uint64_t address, uint64_t size_B,
                 enum sim_mem_access access)
{
   const unsigned cache =
      client == SIM_CLIENT_SYNC && k->through ? MEMORY : cache_of[client];
   /* Who waits for a post-sync write sees it some day. */
   if (client == SIM_CLIENT_COMMANDS && access == SIM_MEM_READ &&
       !sim_chaos_below(k->chaos, 2))
      drop_all(k, CACHE_SYNC);
   while (size_B) {
      const unsigned first = address % LINE_B;
      const unsigned n = (unsigned)MIN2(size_B, (uint64_t)LINE_B - first);
      const uint64_t bytes = (n == LINE_B ? UINT64_MAX : (1ull << n) - 1)
                             << first;
      uint8_t *host = sim_mem_try_ptr(&k->mem, address, n);
      if (host) {
         const size_t at = address % SIM_PAGE_SIZE;
         struct page *p = get_page(k, host - at, cache != MEMORY);
         if (p && cache == CACHE_DATA)
            touch_data(k, p, (unsigned)(at / LINE_B), bytes,
                       access == SIM_MEM_WRITE);
         else if (p)
            touch(p, (unsigned)(at / LINE_B), cache, bytes,
                  access == SIM_MEM_WRITE);
      }
      address += n;
      size_B -= n;
   }
}

/*
 * Commands
 */

/* Some lines of a cache go for want of room. */
static void
evict(struct chaos_caches *k)
{
   const unsigned cache = (unsigned)sim_chaos_below(k->chaos, CACHE_COUNT);
   for (struct page *p = k->pages; p; p = p->next) {
      if (p->of[cache])
         drop(p, cache, sim_chaos_random(k->chaos));
   }
}

void
sim_chaos_command(struct chaos_caches *k, bool works)
{
   k->through = false;
   k->in_flight |= works;
   if (works) {
      k->work++;
      k->ahead = sim_chaos_below(k->chaos, 2);
   }
   if (k->evicts && !sim_chaos_below(k->chaos, k->evicts))
      evict(k);
   for (unsigned i = 0; i < CACHE_WRITERS; i++) {
      if (k->pending[i] && !sim_chaos_below(k->chaos, 8)) {
         k->pending[i] = false;
         drop_all(k, i);
      }
   }
}

/* Lines that came between the two bits go, too, as lines may. */
static bool
empties_state(struct chaos_caches *k, const struct GEN9_PIPE_CONTROL *c)
{
   k->half_state |= c->StateCacheInvalidationEnable;
   k->half_texture |= c->TextureCacheInvalidationEnable;
   if (!k->half_state || !k->half_texture)
      return false;
   k->half_state = k->half_texture = false;
   return true;
}

void
sim_chaos_pipe_control(struct chaos_caches *k,
                       const struct GEN9_PIPE_CONTROL *c,
                       bool scoreboard_stall_flushes)
{
   const bool lost = c->StallAtPixelScoreboard && !scoreboard_stall_flushes &&
                     sim_chaos_below(k->chaos, 2);
   const bool flushes[CACHE_WRITERS] = {
      [CACHE_TARGET] = c->RenderTargetCacheFlushEnable && !lost,
      [CACHE_DEPTH] = c->DepthCacheFlushEnable,
      [CACHE_DATA] = c->DCFlushEnable,
      [CACHE_STREAMOUT] = c->CommandStreamerStallEnable,
      [CACHE_SYNC] = c->CommandStreamerStallEnable ||
                     c->PipeControlFlushEnable,
   };
   const bool invalidates[CACHE_COUNT] = {
      [CACHE_TEXTURE] = c->TextureCacheInvalidationEnable,
      [CACHE_CONSTANT] = c->ConstantCacheInvalidationEnable,
      [CACHE_VERTEX] = c->VFCacheInvalidationEnable,
      [CACHE_STATE] = empties_state(k, c),
      [CACHE_CODE] = c->InstructionCacheInvalidateEnable,
   };
   const bool any_flush = flushes[CACHE_TARGET] || flushes[CACHE_DEPTH] ||
                          flushes[CACHE_DATA];
   const bool undone = k->in_flight && any_flush &&
                       sim_chaos_below(k->chaos, 2);
   for (unsigned i = CACHE_WRITERS; i < CACHE_COUNT && !undone; i++) {
      if (invalidates[i])
         drop_all(k, i);
   }
   const bool stalls = c->CommandStreamerStallEnable;
   for (unsigned i = 0; i < CACHE_WRITERS; i++) {
      k->pending[i] |= flushes[i];
      if (k->pending[i] && (stalls || i == CACHE_SYNC)) {
         k->pending[i] = false;
         drop_all(k, i);
      }
   }
   k->through = flushes[CACHE_SYNC];
   if (stalls)
      k->in_flight = false;
   if (stalls || c->StallAtPixelScoreboard)
      k->waited = k->work;
}
