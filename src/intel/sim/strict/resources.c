/* SPDX-License-Identifier: MIT */
/*
 * Limits of resources: the URB, constants, threads (section 4 of the rules).
 */
#include "strict_private.h"

#include <stdio.h>

#include "intel/genxml/gen9_pack.h"

#define URB_CHUNK_kB 8

struct urb_part {
   unsigned entries, size, start_kB, end_kB; /* size in 64 bytes */
};

static uint64_t
stage_state(const struct strict_command *c, const char *packet,
            enum strict_stage stage, const char *field)
{
   char command[64], name[64];
   const char *s = strict_stage_names[stage];
   snprintf(command, sizeof(command), "%s_%s", packet, s);
   snprintf(name, sizeof(name), field, s);
   return strict_state(c, command, name);
}

static struct urb_part
urb_part(const struct strict_command *c, enum strict_stage stage)
{
   static const char packet[] = "3DSTATE_URB";
   struct urb_part p = {
      .entries =
         (unsigned)stage_state(c, packet, stage, "%sNumberofURBEntries"),
      .size =
         (unsigned)stage_state(c, packet, stage, "%sURBEntryAllocationSize") +
         1,
      .start_kB =
         (unsigned)stage_state(c, packet, stage, "%sURBStartingAddress") *
         URB_CHUNK_kB,
   };
   p.end_kB = p.start_kB + ALIGN(p.entries * p.size * 64, 8192u) / 1024;
   return p;
}

static void
check_urb(struct strict_command *c)
{
   const enum strict_stage stage = strict_stage_of(c);
   if (stage >= STRICT_URB_STAGES)
      return;
   char entries[64], size[64];
   snprintf(entries, sizeof(entries), "%sNumberofURBEntries",
            strict_stage_names[stage]);
   snprintf(size, sizeof(size), "%sURBEntryAllocationSize",
            strict_stage_names[stage]);
   const uint64_t n = strict_get(c, entries);
   STRICT_CHECK(c, RL_02, strict_get(c, size) + 1 < 9 && n % 8, "%u entries",
                (unsigned)n);
}

static void
draw_urb_entries(struct strict_command *c, const struct urb_part *parts)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   const struct strict_chip *l = c->s->chip;
   const unsigned min[STRICT_URB_STAGES] = { l->min_vs, s->hs.Enable ? 1 : 0,
                                             s->ds.Enable ? l->min_ds : 0,
                                             s->gs.Enable ? 2 : 0 };
   for (unsigned i = 0; i < STRICT_URB_STAGES; i++)
      STRICT_CHECK(c, RL_03,
                   parts[i].entries < min[i] ||
                      parts[i].entries > l->max_entries[i],
                   "%u of %s, not %u to %u", parts[i].entries,
                   strict_stage_names[i], min[i], l->max_entries[i]);
   const unsigned vs = parts[STRICT_VS].entries;
   const unsigned hs = parts[STRICT_HS].entries;
   STRICT_CHECK(c, RL_04, s->hs.Enable && (vs < 192 || hs > 184),
                "%u of VS, %u of HS", vs, hs);
}

/* What is dealt out to constants, from the start of the URB. */
static unsigned
constants_end_kB(const struct strict_command *c)
{
   unsigned end_kB = 0;
   for (unsigned i = 0; i < STRICT_STAGES; i++) {
      static const char packet[] = "3DSTATE_PUSH_CONSTANT_ALLOC";
      const unsigned size_kB =
         (unsigned)stage_state(c, packet, i, "ConstantBufferSize");
      const unsigned offset_kB =
         (unsigned)stage_state(c, packet, i, "ConstantBufferOffset");
      if (size_kB)
         end_kB = MAX2(end_kB, offset_kB + size_kB);
   }
   return end_kB;
}

unsigned
strict_urb_size_kB(const struct strict_command *c)
{
   const unsigned way_kB = c->s->gpu->info->l3_way_size_kB;
   if (c->s->chip->l3)
      return (cs_get_register(c->cs, 0x7034) >> 1 & 0x7f) * way_kB;
   return ((cs_get_register(c->cs, 0xb020) >> 1 & 0x3f) +
           c->s->chip->hidden_urb_ways) *
          way_kB;
}

static void
draw_urb_space(struct strict_command *c, const struct urb_part *parts)
{
   const unsigned constants_kB = constants_end_kB(c),
                  all_kB = strict_urb_size_kB(c);
   for (unsigned i = 0; i < STRICT_URB_STAGES; i++) {
      const struct urb_part *p = &parts[i];
      if (!p->entries)
         continue;
      STRICT_CHECK(c, RL_05, p->start_kB < constants_kB,
                   "%s from %u kB on, constants up to %u kB",
                   strict_stage_names[i], p->start_kB, constants_kB);
      STRICT_CHECK(c, RL_07, p->end_kB > 1008, "%s up to %u kB",
                   strict_stage_names[i], p->end_kB);
      STRICT_CHECK(c, RL_05, all_kB && p->end_kB > all_kB,
                   "%s up to %u kB of %u kB", strict_stage_names[i],
                   p->end_kB, all_kB);
      for (unsigned j = 0; j < i; j++) {
         const struct urb_part *q = &parts[j];
         STRICT_CHECK(
            c, RL_05,
            q->entries && p->start_kB < q->end_kB && q->start_kB < p->end_kB,
            "%s and %s", strict_stage_names[i], strict_stage_names[j]);
      }
   }
   for (unsigned i = 0; i < STRICT_URB_STAGES; i++)
      STRICT_CHECK(c, RL_06, parts[i].start_kB < 32, "%s at %u kB",
                   strict_stage_names[i], parts[i].start_kB);
}

/* ReadLength of the four buffers, in 32 bytes. */
static unsigned
read_length(const uint32_t *dw)
{
   return (dw[1] & 0xffff) + (dw[1] >> 16) + (dw[2] & 0xffff) + (dw[2] >> 16);
}

static void
check_constants(struct strict_command *c)
{
   const unsigned units = read_length(c->dw);
   STRICT_CHECK(c, RL_10, units > 64, "%u units", units);
   STRICT_CHECK(c, RL_12, strict_get(c, "MOCS"), "%u",
                (unsigned)strict_get(c, "MOCS"));
}

static void
draw_constants(struct strict_command *c)
{
   for (unsigned i = 0; i < STRICT_STAGES; i++) {
      char name[64];
      snprintf(name, sizeof(name), "3DSTATE_CONSTANT_%s",
               strict_stage_names[i]);
      const unsigned units =
         strict_was_sent(c, name) ? read_length(strict_last(c, name)) : 0;
      const unsigned size_kB = (unsigned)stage_state(
         c, "3DSTATE_PUSH_CONSTANT_ALLOC", i, "ConstantBufferSize");
      STRICT_CHECK(c, RL_10, units * 32 > size_kB * 1024,
                   "%u units of %s in %u kB", units, strict_stage_names[i],
                   size_kB);
   }
}

static void
check_ps(struct strict_command *c)
{
   const unsigned threads =
      (unsigned)strict_get(c, "MaximumNumberofThreadsPerPSD");
   STRICT_CHECK(c, RL_15, threads > c->s->chip->max_psd_threads, "%u",
                threads);
   STRICT_CHECK(c, RL_14,
                !strict_get(c, "MaximumNumberofThreads") ||
                   !(strict_get(c, "_8PixelDispatchEnable") ||
                     strict_get(c, "_16PixelDispatchEnable") ||
                     strict_get(c, "_32PixelDispatchEnable")),
                "%s", "");
}

void
strict_draw_resources(struct strict_command *c)
{
   struct urb_part parts[STRICT_URB_STAGES];
   for (unsigned i = 0; i < STRICT_URB_STAGES; i++)
      parts[i] = urb_part(c, (enum strict_stage)i);
   draw_urb_entries(c, parts);
   draw_urb_space(c, parts);
   draw_constants(c);
}

const struct strict_row strict_resource_rows[] = {
   { "3DSTATE_URB_", true, check_urb },
   { "3DSTATE_CONSTANT_", true, check_constants },
   { "3DSTATE_PS", false, check_ps },
   { NULL, false, NULL },
};
