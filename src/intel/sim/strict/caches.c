/* SPDX-License-Identifier: MIT */
/*
 * Which bytes are in which cache: sections 1a and 1b of the rules.
 *
 * Of each cache line there is who wrote which bytes last and when, and since
 * when each of the caches that only read may hold it. Time counts commands.
 * Of each writer there is up to when its writes have been flushed, have left
 * the pipe (a CS stall after the flush), and are seen by all (a post-sync
 * write after it as well). A read is wrong if the bytes are not that far,
 * or if its cache may still hold them as they were.
 *
 * A batch starts with empty read caches and everything written out, as the
 * kernel sees to that (KR-13); so all of this lives as long as one.
 */
#include "intel/sim/mem/watch.h"

#include "intel/sim/gen/traits.h"
#include "strict_private.h"

/* Caches that only read and keep what they have read; then the lines that
 * the data port has in L3, past which some write (CM-14, CM-15). */
#define READ_CACHES 5
#define STATE_CACHE (SIM_CLIENT_STATE - SIM_CLIENT_TEXTURE)
#define DATA_LINES READ_CACHES
#define KEPT (READ_CACHES + 1)

struct line {
   uint64_t written;      /* bytes, by the last writer */
   uint64_t stale[KEPT];  /* bytes written since the cache has it */
   uint64_t read_bytes;   /* of `read`, and before it since a stall */
   uint32_t time;         /* of the last write; 0: none */
   uint32_t filled[KEPT]; /* 0: not there */
   uint32_t read;         /* by a cache that only reads, last */
   uint8_t writer;        /* enum sim_client */
};

#define LINE_B 64
#define PAGE_LINES (SIM_PAGE_SIZE / LINE_B)

struct page {
   uint64_t number;
   struct line line[PAGE_LINES];
};

/* What the command streamer fetches ahead. */
#define STRICT_PREFETCH_B 512

/* How far the writes of a client are; times. */
struct progress {
   uint32_t flushed, drained, visible;
   uint32_t waiting; /* HSW: visible once its post-sync write was loaded */
};

/* What a surface was, when it was last used: a direct mapped table. */
#define KINDS 64
struct kind {
   uint64_t address;
   uint32_t kind, time;
   uint8_t client;
};

/* Levels of a surface, by its address, that a command uses (FF-84). */
#define LEVELS 64
struct levels {
   uint64_t address;
   uint32_t time;
   uint8_t first, count;
};

#define RECENT_PAGES 64

struct strict_watch {
   struct sim_strict *s;
   struct sim_cs *cs;
   struct page **pages;      /* an open table of `room` slots, or NULL */
   unsigned num_pages, room; /* room: a power of two */
   struct page *recent[RECENT_PAGES]; /* by the low bits of their numbers */

   uint32_t now;
   uint64_t *command; /* address of each, by time */
   const char **name;
   unsigned command_room;

   struct progress writer[SIM_CLIENT_WRITERS];
   uint32_t invalid[KEPT]; /* since when it is empty */
   /* The same, but work before it may have filled it again (CC-01). */
   uint32_t half_invalid[KEPT];
   /* Of state: each of the two bits that it wants. */
   uint32_t texture_invalid, state_invalid;
   uint32_t stalled; /* the last stall for all that came before */
   struct kind kinds[KINDS];
   uint32_t textures[SIM_TEXTURE_KINDS]; /* last use of each; 0: none */
   struct levels sampled[LEVELS], controlled[LEVELS]; /* direct mapped */
   bool stop;
};

/* Which of what is kept is between; KEPT: nothing. */
static unsigned
cache_of(enum sim_client client)
{
   if (client == SIM_CLIENT_HELPER)
      client = SIM_CLIENT_TEXTURE;
   if (client == SIM_CLIENT_DATA)
      return DATA_LINES;
   return client >= SIM_CLIENT_TEXTURE && client <= SIM_CLIENT_CODE
             ? client - SIM_CLIENT_TEXTURE
             : KEPT;
}

/* Whether what the client writes is seen by whoever has the line in L3. */
static bool
writes_through_l3(enum sim_client writer)
{
   return writer == SIM_CLIENT_TARGET || writer == SIM_CLIENT_DEPTH ||
          writer == SIM_CLIENT_DATA;
}

struct strict_watch *
strict_watch_create(struct sim_cs *cs)
{
   struct strict_watch *w = calloc(1, sizeof(*w));
   if (!w)
      return NULL;
   w->s = cs->gpu->strict;
   w->cs = cs;
   w->now = 1;
   return w;
}

void
strict_watch_destroy(struct strict_watch *w)
{
   if (!w)
      return;
   for (unsigned i = 0; i < w->room; i++)
      free(w->pages[i]);
   free(w->pages);
   free(w->command);
   free(w->name);
   free(w);
}

/*
 * Pages
 */

static unsigned
slot_of(const struct strict_watch *w, uint64_t number)
{
   const unsigned last = w->room - 1;
   unsigned at = (unsigned)(number * 0x9e3779b97f4a7c15ull >> 32) & last;
   while (w->pages[at] && w->pages[at]->number != number)
      at = (at + 1) & last;
   return at;
}

static bool
grow(struct strict_watch *w)
{
   struct page **old = w->pages;
   const unsigned old_room = w->room, room = MAX2(2 * old_room, 64u);
   struct page **pages = calloc(room, sizeof(*pages));
   if (!pages)
      return false;
   w->pages = pages;
   w->room = room;
   for (unsigned i = 0; i < old_room; i++) {
      if (old[i])
         w->pages[slot_of(w, old[i]->number)] = old[i];
   }
   free(old);
   return true;
}

/* NULL: it was never touched, or the host has no memory for it. */
static struct page *
get_page(struct strict_watch *w, uint64_t number, bool create)
{
   struct page **recent = &w->recent[number % RECENT_PAGES];
   if (*recent && (*recent)->number == number)
      return *recent;
   if (w->num_pages * 2 >= w->room && !grow(w))
      return NULL;
   const unsigned at = slot_of(w, number);
   if (!w->pages[at] && create) {
      w->pages[at] = calloc(1, sizeof(struct page));
      if (!w->pages[at])
         return NULL;
      w->pages[at]->number = number;
      w->num_pages++;
   }
   if (w->pages[at])
      *recent = w->pages[at];
   return w->pages[at];
}

/*
 * Reads and writes
 */

static const char *const client_names[SIM_CLIENTS] = {
   [SIM_CLIENT_TARGET] = "the render target cache",
   [SIM_CLIENT_DEPTH] = "the depth cache",
   [SIM_CLIENT_DATA] = "the data port",
   [SIM_CLIENT_STREAMOUT] = "stream output",
   [SIM_CLIENT_COMMANDS] = "the command streamer",
   [SIM_CLIENT_SYNC] = "a post-sync operation",
   [SIM_CLIENT_TEXTURE] = "the sampler",
   [SIM_CLIENT_CONSTANT] = "the constant cache",
   [SIM_CLIENT_VERTEX] = "vertex fetch",
   [SIM_CLIENT_STATE] = "a fetch of state",
   [SIM_CLIENT_CODE] = "instruction fetch",
   [SIM_CLIENT_HELPER] = "the sampler for a helper pixel",
};

/* The rule of what a client has written. */
static const enum strict_rule rule_of[SIM_CLIENT_WRITERS] = {
   [SIM_CLIENT_TARGET] = STRICT_CC_04,
   [SIM_CLIENT_DEPTH] = STRICT_CC_05,
   [SIM_CLIENT_DATA] = STRICT_CC_06,
   [SIM_CLIENT_STREAMOUT] = STRICT_CC_07,
   [SIM_CLIENT_COMMANDS] = STRICT_CM_14,
   [SIM_CLIENT_SYNC] = STRICT_CC_08,
};

/* `what` a client does now to what was done by a command at `time`. */
void
strict_watch_broken(struct strict_watch *w, enum strict_rule rule,
                    const char *text)
{
   struct strict_command c = {
      .s = w->s,
      .cs = w->cs,
      .c = w->cs->hw->strict,
      .group = w->cs->command,
   };
   if (strict_on(&c, rule))
      strict_broken_at(&c, rule, w->cs->ip, "%s", text);
   w->stop |= c.stop;
}

void
sim_strict_urb(struct strict_watch *w, uint64_t at_B, unsigned n,
               const char *what)
{
   for (unsigned i = 0; i < n; i++) {
      if (sim_shadow_urb_bits(&w->s->threads, at_B + 4 * i)) {
         strict_watch_broken(w, STRICT_EU_73, what);
         return;
      }
   }
}

static void
report_pair(struct strict_watch *w, enum strict_rule rule,
            enum sim_client client, uint32_t time, const char *what)
{
   struct strict_command c = {
      .s = w->s,
      .cs = w->cs,
      .c = w->cs->hw->strict,
      .group = w->cs->command,
   };
   const bool known = time < w->command_room;
   const uint64_t from = known ? w->command[time] : 0;
   if (!strict_on(&c, rule))
      return;
   strict_broken_at(&c, rule, w->cs->ip ^ from << 16 ^ client << 4,
                    "%s %s in %s at 0x%012llx", client_names[client], what,
                    known ? w->name[time] : "a command",
                    (unsigned long long)from);
   w->stop |= c.stop;
}

static void
report(struct strict_watch *w, const struct line *l, enum strict_rule rule,
       enum sim_client reader, uint64_t address, const char *why)
{
   struct strict_command c = {
      .s = w->s,
      .cs = w->cs,
      .c = w->cs->hw->strict,
      .group = w->cs->command,
   };
   const bool known = l->time < w->command_room;
   const uint64_t from = known ? w->command[l->time] : 0;
   if (!strict_on(&c, rule))
      return;
   strict_broken_at(&c, rule,
                    w->cs->ip ^ from << 16 ^ reader << 4 ^ l->writer,
                    "%s reads 0x%012llx, written by %s in %s at "
                    "0x%012llx: %s",
                    client_names[reader], (unsigned long long)address,
                    client_names[l->writer],
                    known ? w->name[l->time] : "a command",
                    (unsigned long long)from, why);
   w->stop |= c.stop;
}

/* The rule of a cache that holds what was. */
static enum strict_rule
stale_rule(enum sim_client reader, const struct line *l)
{
   return reader == SIM_CLIENT_STATE  ? STRICT_CC_16
          : reader == SIM_CLIENT_CODE ? STRICT_CC_29
                                      : rule_of[l->writer];
}

static bool
is_walker(const struct strict_watch *w, uint32_t time)
{
   return time < w->command_room && !strcmp(w->name[time], "GPGPU_WALKER");
}

/* Depth that the same draw writes and samples: pixels that are written early
 * would be seen, unless the shader is said to take some away. */
static void
check_self_dependency(struct strict_watch *w, const struct line *l,
                      uint64_t address)
{
   struct strict_command c = {
      .s = w->s,
      .cs = w->cs,
      .c = w->cs->hw->strict,
      .group = w->cs->command,
   };
   if (strict_on(&c, STRICT_FF_66) &&
       !strict_state(&c, "3DSTATE_PS_EXTRA", "PixelShaderKillsPixel"))
      report(w, l, STRICT_FF_66, SIM_CLIENT_TEXTURE, address, "");
}

/* Whether what was written last has not come as far as the reader needs. */
static void
check_written(struct strict_watch *w, const struct line *l,
              enum sim_client reader, uint64_t address)
{
   const struct progress *p = &w->writer[l->writer];
   switch ((enum sim_client)l->writer) {
   case SIM_CLIENT_COMMANDS: return;
   case SIM_CLIENT_SYNC:
      if (reader == SIM_CLIENT_COMMANDS && p->drained < l->time)
         report(w, l, STRICT_CC_08, reader, address, "nothing waits for it");
      return;
   case SIM_CLIENT_STREAMOUT:
      if (p->drained < l->time)
         report(w, l, STRICT_CC_07, reader, address, "no CS stall since");
      return;
   default: break;
   }
   const enum strict_rule rule = rule_of[l->writer];
   if (p->flushed < l->time)
      report(w, l, rule, reader, address, "not flushed since");
   else if (p->drained < l->time)
      report(w, l, rule, reader, address, "no CS stall with the flush");
   else if (reader == SIM_CLIENT_COMMANDS || p->visible >= l->time)
      return;
   else if (p->waiting >= l->time)
      report(w, l, STRICT_CC_03, reader, address, "");
   else
      report(w, l, STRICT_CC_02, reader, address, "");
}

/* The cache has the line from now on, if it had not. */
static void
fill(const struct strict_watch *w, struct line *l, unsigned cache)
{
   if (l->filled[cache] > w->invalid[cache])
      return;
   l->filled[cache] = w->now;
   l->stale[cache] = 0;
}

static void
read_line(struct strict_watch *w, struct line *l, enum sim_client reader,
          uint64_t bytes, uint64_t address)
{
   const unsigned cache = cache_of(reader);
   const bool matters = reader != SIM_CLIENT_HELPER;
   const bool of_writer = (l->written & bytes) != 0;
   if (of_writer && reader == SIM_CLIENT_DATA && l->writer == reader &&
       l->time != w->now && w->writer[SIM_CLIENT_DATA].flushed < l->time &&
       is_walker(w, l->time) && is_walker(w, w->now))
      report(w, l, STRICT_CC_22, reader, address, "not flushed since");
   if (of_writer && reader == SIM_CLIENT_TEXTURE &&
       l->writer == SIM_CLIENT_DEPTH && l->time == w->now)
      check_self_dependency(w, l, address);
   if (matters && (l->written & bytes) && l->writer != reader &&
       l->time != w->now)
      check_written(w, l, reader, address);
   if (cache == KEPT)
      return;
   if (matters && cache < READ_CACHES) {
      if (l->read <= w->stalled)
         l->read_bytes = 0;
      l->read_bytes |= bytes;
      l->read = w->now;
   }
   fill(w, l, cache);
   if (!matters || !(l->stale[cache] & bytes))
      return;
   const bool half = l->filled[cache] <= w->half_invalid[cache];
   report(w, l, half ? STRICT_CC_01 : stale_rule(reader, l), reader, address,
          half ? "the invalidate is in the packet of the flush"
               : "its cache has it from before and was not invalidated");
   l->stale[cache] = 0;
}

static void
write_line(struct strict_watch *w, struct line *l, enum sim_client writer,
           uint64_t bytes)
{
   if (l->read > w->stalled && l->read < w->now && (l->read_bytes & bytes)) {
      report_pair(w, STRICT_CC_30, writer, l->read,
                  "writes what may still be read");
      l->read = 0;
   }
   const struct progress *p = &w->writer[l->writer];
   /* Post-sync writes are out when they were waited for: one that follows
    * does not say so of those in the same line. */
   const uint32_t out = l->writer == SIM_CLIENT_SYNC ? p->drained
                                                     : p->flushed;
   const bool done = l->time != w->now && out >= l->time;
   if (l->writer != writer || done)
      l->written = 0;
   l->written |= bytes;
   l->writer = (uint8_t)writer;
   l->time = w->now;
   for (unsigned i = 0; i < READ_CACHES; i++) {
      if (l->filled[i] > w->invalid[i] && l->filled[i] != w->now)
         l->stale[i] |= bytes;
   }
   if (writer == SIM_CLIENT_DATA)
      fill(w, l, DATA_LINES);
   if (writes_through_l3(writer))
      l->stale[DATA_LINES] &= ~bytes;
   else if (l->filled[DATA_LINES] > w->invalid[DATA_LINES])
      l->stale[DATA_LINES] |= bytes;
}

/* Commands that are written are not those that were fetched already. */
static void
check_prefetch(struct strict_watch *w, uint64_t address, uint64_t size_B)
{
   const uint64_t ip = w->cs->ip;
   struct strict_command c = {
      .s = w->s,
      .cs = w->cs,
      .c = w->cs->hw->strict,
      .group = w->cs->command,
   };
   STRICT_CHECK(&c, CO_16,
                address < ip + STRICT_PREFETCH_B && address + size_B > ip,
                "0x%012llx", (unsigned long long)address);
   w->stop |= c.stop;
}

void
sim_strict_access(struct strict_watch *w, enum sim_client client,
                  uint64_t address, uint64_t size_B,
                  enum sim_mem_access access)
{
   /* Reads by others than these caches leave nothing behind. */
   const bool leaves = access == SIM_MEM_WRITE || cache_of(client) != KEPT;
   address &= SIM_ADDRESS_MASK;
   if (access == SIM_MEM_WRITE &&
       (client == SIM_CLIENT_COMMANDS || client == SIM_CLIENT_SYNC))
      check_prefetch(w, address, size_B);
   while (size_B) {
      const unsigned first = address % LINE_B;
      const unsigned n = (unsigned)MIN2(size_B, (uint64_t)LINE_B - first);
      const uint64_t bytes = (n == 64 ? UINT64_MAX : (1ull << n) - 1)
                             << first;
      struct page *p = get_page(w, address / SIM_PAGE_SIZE, leaves);
      if (p) {
         struct line *l = &p->line[address % SIM_PAGE_SIZE / LINE_B];
         if (access == SIM_MEM_WRITE)
            write_line(w, l, client, bytes);
         else
            read_line(w, l, client, bytes, address);
      }
      address += n;
      size_B -= n;
   }
}

/*
 * Commands
 */

/* Remembers where the command is; without memory, reports do not say. */
static void
remember(struct strict_watch *w)
{
   if (w->now >= w->command_room) {
      const unsigned room = MAX2(2 * w->command_room, 1024u);
      uint64_t *command = realloc(w->command, room * sizeof(*command));
      if (command)
         w->command = command;
      const char **name = realloc(w->name, room * sizeof(*name));
      if (name)
         w->name = name;
      if (!command || !name)
         return;
      w->command_room = room;
   }
   w->command[w->now] = w->cs->ip;
   w->name[w->now] = w->cs->command->name;
}

bool
strict_watch_command(struct strict_watch *w)
{
   w->now++;
   remember(w);
   return !w->stop;
}

static void
flush(struct strict_watch *w, uint32_t pc)
{
   const bool lost =
      (pc & PC_SCOREBOARD_STALL) &&
      !sim_traits(w->cs->spec->verx10)->scoreboard_stall_flushes;
   if ((pc & PC_TARGET_FLUSH) && !lost)
      w->writer[SIM_CLIENT_TARGET].flushed = w->now;
   if (pc & PC_DEPTH_FLUSH)
      w->writer[SIM_CLIENT_DEPTH].flushed = w->now;
   if (pc & PC_DATA_FLUSH)
      w->writer[SIM_CLIENT_DATA].flushed = w->now;
   w->writer[SIM_CLIENT_STREAMOUT].flushed = w->now;
   w->writer[SIM_CLIENT_SYNC].flushed = w->now;
}

/* State lies behind two caches: CM-09. */
static void
invalidate_state(struct strict_watch *w, uint32_t pc)
{
   if (pc & PC_TEXTURE_INVALIDATE)
      w->texture_invalid = w->now;
   if (pc & PC_STATE_INVALIDATE)
      w->state_invalid = w->now;
   w->invalid[STATE_CACHE] = MIN2(w->texture_invalid, w->state_invalid);
}

void
sim_strict_kind(struct strict_watch *w, enum sim_client client,
                uint64_t address, uint32_t kind)
{
   const bool target = client == SIM_CLIENT_TARGET;
   const unsigned at = (unsigned)((address >> 12) * 2 + target) % KINDS;
   struct kind *k = &w->kinds[at];
   const uint32_t dropped =
      target ? w->writer[SIM_CLIENT_TARGET].flushed
             : w->invalid[SIM_CLIENT_TEXTURE - SIM_CLIENT_TEXTURE];
   if (k->address == address && k->client == client && k->kind != kind &&
       k->time && k->time != w->now && dropped < k->time) {
      report_pair(w, target ? STRICT_CC_13 : STRICT_CC_15, client, k->time,
                  "uses a surface otherwise than");
   }
   *k = (struct kind) { address, kind, w->now, (uint8_t)client };
}

/* Levels of one surface have one slot, in either table. */
void
sim_strict_levels(struct strict_watch *w, enum sim_client client,
                  uint64_t address, unsigned first, unsigned count)
{
   const unsigned at = (unsigned)(address >> 12) % LEVELS;
   const bool target = client == SIM_CLIENT_TARGET;
   struct levels *used = target ? &w->controlled[at] : &w->sampled[at];
   const struct levels *other = target ? &w->sampled[at] : &w->controlled[at];
   *used =
      (struct levels) { address, w->now, (uint8_t)first, (uint8_t)count };
   if (other->time == w->now && other->address == address &&
       first < other->first + other->count && other->first < first + count)
      report_pair(w, STRICT_FF_84, SIM_CLIENT_TEXTURE, w->now,
                  "is given a level that is drawn to with a CCS");
}

void
sim_strict_texture(struct strict_watch *w, enum sim_texture_kind kind)
{
   const enum sim_texture_kind other = kind == SIM_TEXTURE_ASTC_5X5
                                          ? SIM_TEXTURE_COMPRESSED
                                          : SIM_TEXTURE_ASTC_5X5;
   w->textures[kind] = w->now;
   if (w->textures[other] >
       w->invalid[SIM_CLIENT_TEXTURE - SIM_CLIENT_TEXTURE])
      report_pair(w, STRICT_CC_31, SIM_CLIENT_TEXTURE, w->textures[other],
                  kind == SIM_TEXTURE_ASTC_5X5
                     ? "has ASTC 5x5 beside what is compressed, used"
                     : "has what is compressed beside ASTC 5x5, used");
}

void
strict_watch_pipe_control(struct strict_watch *w, uint32_t pc, bool in_flight)
{
   static const uint32_t bits[KEPT] = {
      PC_TEXTURE_INVALIDATE,     PC_CONSTANT_INVALIDATE, PC_VF_INVALIDATE, 0,
      PC_INSTRUCTION_INVALIDATE, PC_DATA_FLUSH,
   };
   const bool stalls = pc & PC_CS_STALL;
   flush(w, pc);
   for (unsigned i = 0; stalls && i < SIM_CLIENT_WRITERS; i++) {
      struct progress *p = &w->writer[i];
      p->drained = p->flushed;
      if (!(pc & PC_POST_SYNC))
         continue;
      if (w->s->chip->loads_sync)
         p->waiting = p->flushed;
      else
         p->visible = p->flushed;
   }
   if (pc & PC_FLUSH_ENABLE)
      w->writer[SIM_CLIENT_SYNC].drained = w->now;
   if (stalls || (pc & PC_SCOREBOARD_STALL))
      w->stalled = w->now;
   invalidate_state(w, pc);
   for (unsigned i = 0; i < KEPT; i++) {
      if (!(pc & bits[i]))
         continue;
      if (i != DATA_LINES && in_flight && (pc & PC_FLUSHES))
         w->half_invalid[i] = w->now;
      else
         w->invalid[i] = w->now;
   }
}

void
strict_watch_load(struct strict_watch *w)
{
   for (unsigned i = 0; i < SIM_CLIENT_WRITERS; i++)
      w->writer[i].visible = MAX2(w->writer[i].visible, w->writer[i].waiting);
}
