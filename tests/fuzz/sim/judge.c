/* SPDX-License-Identifier: MIT */
/* See judge.h. Bits of PIPE_CONTROL: PRM SKL vol 2a. */
#include "judge.h"

#include <stdlib.h>

#define BIT_DEPTH_FLUSH (1u << 0)
#define BIT_SCOREBOARD (1u << 1)
#define BIT_STATE (1u << 2)
#define BIT_CONSTANT (1u << 3)
#define BIT_VERTEX (1u << 4)
#define BIT_DATA_FLUSH (1u << 5)
#define BIT_ENABLE (1u << 7)
#define BIT_TEXTURE (1u << 10)
#define BIT_TARGET_FLUSH (1u << 12)
#define BIT_DEPTH_STALL (1u << 13)
#define BITS_POST_SYNC (3u << 14)
#define BIT_DEPTH_COUNT (2u << 14)
#define BIT_CS_STALL (1u << 20)
#define BITS_FLUSH (BIT_DEPTH_FLUSH | BIT_DATA_FLUSH | BIT_TARGET_FLUSH)

#define READERS 3
static const uint32_t invalidates[READERS] = { BIT_TEXTURE, BIT_CONSTANT,
                                               BIT_VERTEX };

/* A line of 64 bytes, and who was there last. */
#define LINE_DW 16
struct line {
   uint64_t address;
   uint32_t time[LINE_DW]; /* of the last write; 0: none */
   uint8_t writer[LINE_DW];
   bool written;
   uint32_t read[READERS]; /* the last read */
   uint32_t held[READERS]; /* the same, or one that does not matter */
};

/* The reader at `read` wants what the writer wrote at `write`, and has had
 * the line in its cache since `held` (0: it has not). */
struct need {
   uint8_t writer, reader;
   uint32_t write, read, held;
};

void
judge_init(struct judge *j, struct corpus *c)
{
   *j = (struct judge) { .c = c };
}

void
judge_fini(struct judge *j)
{
   util_dynarray_fini(&j->steps);
   util_dynarray_fini(&j->needs);
   util_dynarray_fini(&j->lines);
   free(j->table);
}

/*
 * Accesses
 */

static struct line *
find_line(struct judge *j, uint64_t address)
{
   const unsigned num =
      (unsigned)util_dynarray_num_elements(&j->lines, struct line);
   if (2 * num >= j->room) {
      j->room = MAX2(4 * j->room, 1024u);
      free(j->table);
      j->table = calloc(j->room, sizeof(*j->table));
      if (!j->table)
         abort();
      for (unsigned i = 0; i < num; i++) {
         const struct line *l =
            util_dynarray_element(&j->lines, struct line, i);
         unsigned at = (unsigned)(l->address / 64 * 0x9e3779b1u) % j->room;
         while (j->table[at])
            at = (at + 1) % j->room;
         j->table[at] = i + 1;
      }
   }
   unsigned at = (unsigned)(address / 64 * 0x9e3779b1u) % j->room;
   for (; j->table[at]; at = (at + 1) % j->room) {
      struct line *l =
         util_dynarray_element(&j->lines, struct line, j->table[at] - 1);
      if (l->address == address)
         return l;
   }
   const struct line fresh = { .address = address };
   util_dynarray_append(&j->lines, struct line, fresh);
   j->table[at] = num + 1;
   return util_dynarray_element(&j->lines, struct line, num);
}

static void
add_need(struct judge *j, const struct need *n)
{
   util_dynarray_foreach(&j->needs, struct need, o) {
      if (o->writer == n->writer && o->reader == n->reader &&
          o->write == n->write && o->read == n->read && o->held == n->held)
         return;
   }
   util_dynarray_append(&j->needs, struct need, *n);
}

static void
hear_access(void *data, enum sim_client client, uint64_t address,
            uint64_t size_B, enum sim_mem_access access)
{
   struct judge *j = data;
   const uint32_t now = (uint32_t)j->c->gpu.stats.commands;
   const uint64_t end = address + size_B;
   for (uint64_t at = address & ~63ull; at < end; at += 64) {
      const unsigned lo = (unsigned)(MAX2(at, address) - at) / 4;
      const unsigned hi = (unsigned)(MIN2(at + 64, end) - at + 3) / 4;
      struct line *l = find_line(j, at & SIM_ADDRESS_MASK);
      if (access == SIM_MEM_WRITE) {
         for (unsigned i = lo; i < hi; i++) {
            l->time[i] = now;
            l->writer[i] = (uint8_t)client;
         }
         l->written = true;
         continue;
      }
      /* A pixel that only helps leaves the line in the cache as well. */
      const bool helper = client == SIM_CLIENT_HELPER;
      const unsigned cache = helper ? 0
                                    : (unsigned)client - SIM_CLIENT_TEXTURE;
      const uint32_t read = cache < READERS ? l->read[cache] : 0;
      const uint32_t held = cache < READERS ? l->held[cache] : 0;
      for (unsigned i = lo; j->gathers && !helper && i < hi; i++) {
         const uint32_t time = l->time[i];
         const struct need n = { l->writer[i], (uint8_t)client, time, now,
                                 held < time ? held : 0 };
         /* Other dwords of the line may be of another time. */
         if (time && time < now && n.writer != client &&
             (read <= time || read == now))
            add_need(j, &n);
      }
      if (cache < READERS)
         l->held[cache] = now;
      if (cache < READERS && !helper)
         l->read[cache] = now;
   }
}

void
judge_listen(struct judge *j, bool gathers)
{
   j->gathers = gathers;
   j->lines.size_B = 0;
   if (j->table)
      memset(j->table, 0, j->room * sizeof(*j->table));
   if (gathers)
      j->needs.size_B = 0;
   j->c->gpu.log_access = hear_access;
   j->c->gpu.log_data = j;
}

void
judge_deaf(struct judge *j)
{
   j->c->gpu.log_access = NULL;
}

uint64_t
judge_hash(const struct judge *j, const struct entry *e)
{
   uint64_t sum = 0;
   util_dynarray_foreach(&j->lines, struct line, l) {
      const uint8_t *p = l->written ? entry_map(e, l->address, 64) : NULL;
      uint64_t hash = l->address * 0x9e3779b97f4a7c15ull;
      for (unsigned i = 0; p && i < 64; i++)
         hash = (hash ^ p[i]) * 0x100000001b3ull;
      sum += hash ^ hash >> 29;
   }
   return sum;
}

/*
 * Sequences
 */

bool
judge_works(const struct command *p, const uint32_t *dw)
{
   const uint32_t *d = &dw[p->first_dw];
   const bool indirect = d[0] & 1u << 10;
   return !strcmp(p->group->name, "GPGPU_WALKER") ||
          (!strcmp(p->group->name, "3DPRIMITIVE") && (indirect || d[2]));
}

void
judge_steps(struct judge *j, const struct entry *e, const uint32_t *dw)
{
   static const struct {
      const char *name;
      enum step_kind kind;
   } names[] = {
      { "PIPE_CONTROL", STEP_CONTROL },
      { "PIPELINE_SELECT", STEP_SELECT },
      { "STATE_BASE_ADDRESS", STEP_BASE },
   };
   j->steps.size_B = 0;
   util_dynarray_foreach(&e->commands, struct command, p) {
      struct step s = { judge_works(p, dw) ? STEP_WORK : STEP_OTHER, 0 };
      for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
         if (!strcmp(p->group->name, names[i].name))
            s.kind = names[i].kind;
      }
      if (s.kind == STEP_CONTROL)
         s.bits = dw[p->first_dw + 1];
      util_dynarray_append(&j->steps, struct step, s);
   }
}

/* Whether all stands between the write and the read; steps count from 1. */
static bool
is_met(const struct step *steps, const struct need *n)
{
   static const uint32_t flush_of[SIM_CLIENT_WRITERS] = {
      [SIM_CLIENT_TARGET] = BIT_TARGET_FLUSH,
      [SIM_CLIENT_DEPTH] = BIT_DEPTH_FLUSH,
      [SIM_CLIENT_DATA] = BIT_DATA_FLUSH,
   };
   const uint32_t wanted = flush_of[n->writer];
   const bool to_commands = n->reader == SIM_CLIENT_COMMANDS;
   const bool free = n->writer == SIM_CLIENT_COMMANDS ||
                     (n->writer == SIM_CLIENT_SYNC && !to_commands);
   bool flushed = !wanted, out = free, seen = free, in_flight = false;
   bool dropped = !n->held;
   for (uint32_t i = 1; i < n->read; i++) {
      const struct step *s = &steps[i - 1];
      const uint32_t pc = s->kind == STEP_CONTROL ? s->bits : 0;
      const bool later = i > n->write ||
                         (i == n->write && n->writer == SIM_CLIENT_SYNC);
      if (later && (pc & wanted) &&
          (wanted != BIT_TARGET_FLUSH || !(pc & BIT_SCOREBOARD)))
         flushed = true;
      if (later && flushed && (pc & BIT_CS_STALL)) {
         out = true;
         seen |= !wanted || to_commands || (pc & BITS_POST_SYNC);
      }
      if (later && n->writer == SIM_CLIENT_SYNC && (pc & BIT_ENABLE))
         out = seen = true;
      const unsigned cache = (unsigned)n->reader - SIM_CLIENT_TEXTURE;
      if (i > n->held && cache < READERS && (pc & invalidates[cache]))
         dropped |= !(in_flight && (pc & BITS_FLUSH));
      in_flight = s->kind == STEP_WORK || (in_flight && !(pc & BIT_CS_STALL));
   }
   return flushed && out && seen && dropped;
}

/* What each of a few sequences wants, and whether it is so at step i. */
enum sequence {
   VF_POST_SYNC, /* PC-10 */
   VF_NULL,      /* PC-11 */
   STALL_ALONE,  /* PC-01 */
   DEPTH_COUNT,  /* PC-26 */
   STATE_STALL,  /* PC-07 */
   SELECT_FLUSH, /* CO-01 */
   SELECT_EMPTY,
   BASE_FLUSH, /* CC-27 */
   BASE_EMPTY,
   SEQUENCES,
};

#define ALL_INVALID (BIT_STATE | BIT_CONSTANT | BIT_TEXTURE | 1u << 11)

static void
count_control(const struct step *steps, unsigned i, unsigned verx10,
              unsigned broken[SEQUENCES])
{
   const uint32_t pc = steps[i].bits;
   const uint32_t companions = BITS_FLUSH | BIT_SCOREBOARD | BIT_DEPTH_STALL |
                               BITS_POST_SYNC;
   const bool later = i && steps[i - 1].kind == STEP_CONTROL;
   /* The PIPE_CONTROL before, if nothing worked since. */
   unsigned last = i;
   while (last && steps[last - 1].kind == STEP_OTHER)
      last--;
   const bool stalled = last && steps[last - 1].kind == STEP_CONTROL &&
                        (steps[last - 1].bits & BIT_CS_STALL);
   if ((pc & BIT_VERTEX) && verx10 >= 80)
      broken[VF_POST_SYNC] += !(pc & BITS_POST_SYNC);
   if ((pc & BIT_VERTEX) && verx10 == 90)
      broken[VF_NULL] += !later || steps[i - 1].bits;
   if ((pc & BIT_CS_STALL) && verx10 < 90)
      broken[STALL_ALONE] += !(pc & companions);
   if ((pc & BITS_POST_SYNC) == BIT_DEPTH_COUNT)
      broken[DEPTH_COUNT] += !(pc & BIT_DEPTH_STALL);
   if ((pc & BIT_STATE) && verx10 < 90)
      broken[STATE_STALL] += !(pc & BIT_CS_STALL) && !stalled;
}

static void
count_broken(const struct step *steps, unsigned n, unsigned verx10,
             unsigned broken[SEQUENCES])
{
   bool worked = false;
   uint32_t flushed = 0, emptied = 0, after_base = 0;
   memset(broken, 0, SEQUENCES * sizeof(*broken));
   for (unsigned i = 0; i < n; i++) {
      const struct step *s = &steps[i];
      switch (s->kind) {
      case STEP_CONTROL:
         count_control(steps, i, verx10, broken);
         if (s->bits & BIT_CS_STALL)
            flushed |= s->bits & BITS_FLUSH;
         emptied |= s->bits & ALL_INVALID;
         after_base &= ~s->bits;
         break;
      case STEP_WORK:
         broken[BASE_EMPTY] += after_base != 0;
         worked = true;
         flushed = emptied = after_base = 0;
         break;
      case STEP_SELECT:
         broken[SELECT_FLUSH] += worked && flushed != BITS_FLUSH;
         broken[SELECT_EMPTY] += worked && emptied != ALL_INVALID;
         break;
      case STEP_BASE:
         broken[BASE_FLUSH] += worked && !(flushed & BIT_TARGET_FLUSH);
         after_base = BIT_TEXTURE | BIT_STATE | BIT_CONSTANT;
         break;
      default: break;
      }
   }
}

void
judge_step(struct judge *j, unsigned at, uint32_t bits)
{
   util_dynarray_element(&j->steps, struct step, at)->bits = bits;
}

bool
judge_control(const struct judge *j, unsigned at, uint32_t bits, bool gone)
{
   const unsigned n =
      (unsigned)util_dynarray_num_elements(&j->steps, struct step);
   const struct step *before = j->steps.data;
   struct step *after = malloc(n * sizeof(*after));
   bool matters = false;
   unsigned was[SEQUENCES], is[SEQUENCES];
   if (!after)
      abort();
   memcpy(after, before, n * sizeof(*after));
   after[at] = (struct step) { gone ? STEP_OTHER : STEP_CONTROL, bits };
   /* What a packet that is gone wrote itself is not there to be late. */
   util_dynarray_foreach(&j->needs, struct need, d)
      matters |= !(gone && d->write == at + 1) && is_met(before, d) &&
                 !is_met(after, d);
   count_broken(before, n, j->c->info->verx10, was);
   count_broken(after, n, j->c->info->verx10, is);
   for (unsigned i = 0; i < SEQUENCES; i++)
      matters |= is[i] > was[i];
   free(after);
   return matters;
}

bool
judge_is_read(const struct judge *j, unsigned at)
{
   util_dynarray_foreach(&j->needs, struct need, d) {
      if (d->write == at + 1)
         return true;
   }
   return false;
}

/*
 * Orders
 */

static bool
begins(const char *name, const char *with)
{
   return !strncmp(name, with, strlen(with));
}

bool
judge_order(const char *first, const char *second, unsigned verx10)
{
   static const struct {
      const char *first, *second;
      unsigned from; /* generation */
   } orders[] = {
      { "3DSTATE_CONSTANT_", "3DSTATE_BINDING_TABLE_POINTERS_", 90 },
      { "3DSTATE_PUSH_CONSTANT_ALLOC_", "3DSTATE_CONSTANT_", 70 },
      { "3DSTATE_DEPTH_BUFFER", "3DSTATE_STENCIL_BUFFER", 70 },
      { "3DSTATE_STENCIL_BUFFER", "3DSTATE_HIER_DEPTH_BUFFER", 70 },
      { "3DSTATE_HIER_DEPTH_BUFFER", "3DSTATE_CLEAR_PARAMS", 70 },
      { "3DSTATE_MULTISAMPLE", "3DSTATE_WM_HZ_OP", 80 },
      { "3DSTATE_RASTER", "3DSTATE_WM_HZ_OP", 80 },
      { "MEDIA_VFE_STATE", "MEDIA_CURBE_LOAD", 70 },
      { "MEDIA_VFE_STATE", "MEDIA_INTERFACE_DESCRIPTOR_LOAD", 70 },
      { "STATE_BASE_ADDRESS", "3DSTATE_BINDING_TABLE_POINTERS_", 70 },
      { "STATE_BASE_ADDRESS", "3DSTATE_SAMPLER_STATE_POINTERS_", 70 },
      { "STATE_BASE_ADDRESS", "3DSTATE_VIEWPORT_STATE_POINTERS_", 70 },
      { "STATE_BASE_ADDRESS", "MEDIA_INTERFACE_DESCRIPTOR_LOAD", 70 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(orders); i++) {
      const char *f = orders[i].first, *s = orders[i].second;
      if (verx10 < orders[i].from || !begins(first, f) || !begins(second, s))
         continue;
      /* Of the same stage, if both are of one. */
      if (f[strlen(f) - 1] != '_' || s[strlen(s) - 1] != '_' ||
          !strcmp(first + strlen(f), second + strlen(s)))
         return true;
   }
   return false;
}
