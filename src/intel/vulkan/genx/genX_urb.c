/* SPDX-License-Identifier: MIT */
/*
 * Problem: the four stages that write vertices share the part of the URB
 * after the push constants; each needs a number of entries, and the more
 * there are the more of it runs at once.
 *
 * Method: in units of 8 KB, in which starts are given, each stage gets what
 * it cannot do without; the rest is dealt out in proportion to what each
 * could use on top of that. Sources: PRM SKL vol 2a, 3DSTATE_URB_VS, _HS,
 * _DS, _GS; vol 7, "Unified Return Buffer".
 */
#include "genX_private.h"
#include "intel/dev/intel_workaround.h"

#define CHUNK_B 8192u

struct stage_urb {
   unsigned entry; /* 64-byte units; 0: the stage is off */
   unsigned min_entries, max_entries;
   unsigned min_chunks, more_chunks; /* needed; of use on top of that */
   unsigned chunks, start, entries;
};

/* "VS Number of URB Entries must be divisible by 8 if the VS URB Entry
 * Allocation Size is less than 9 512-bit URB entries", and the same for the
 * others. */
static unsigned
granularity(unsigned entry)
{
   return entry < 9 ? 8 : 1;
}

static void
set_affinities(struct stage_urb *s)
{
   if (s->entry == 0)
      return;
   const unsigned g = granularity(s->entry);
   const unsigned least = ALIGN(s->min_entries, g);
   s->min_chunks = DIV_ROUND_UP(least * s->entry * 64, CHUNK_B);
   const unsigned all = DIV_ROUND_UP(s->max_entries * s->entry * 64, CHUNK_B);
   s->more_chunks = all > s->min_chunks ? all - s->min_chunks : 0;
}

/* False if the stages do not fit together. */
static bool
deal_out(const struct intel_device_info *info, struct stage_urb *s)
{
   const unsigned first = info->push_constant_size_kB * 1024 / CHUNK_B;
   unsigned rest = info->urb.size_kB * 1024 / CHUNK_B - first, wished = 0;
   for (unsigned i = 0; i < INTEL_URB_STAGES; i++) {
      set_affinities(&s[i]);
      if (s[i].min_chunks > rest)
         return false;
      rest -= s[i].min_chunks;
      wished += s[i].more_chunks;
   }
   unsigned start = first;
   for (unsigned i = 0; i < INTEL_URB_STAGES; i++) {
      unsigned more = 0;
      if (wished)
         more = MIN2(s[i].more_chunks, s[i].more_chunks * rest / wished);
      rest -= more;
      wished -= s[i].more_chunks;
      s[i].chunks = s[i].min_chunks + more;
      /* Where the URB ends there may be no number for (Gen7: 5 bits). */
      s[i].start = s[i].entry ? start : first;
      start += s[i].chunks;
      if (s[i].entry == 0)
         continue;
      const unsigned n =
         MIN2(s[i].chunks * CHUNK_B / (s[i].entry * 64), s[i].max_entries);
      s[i].entries = n - n % granularity(s[i].entry);
   }
   return true;
}

static void
emit_urb(struct saf_cmd_buffer *cmd, const struct stage_urb *s)
{
   const struct stage_urb *vs = &s[INTEL_URB_VS], *hs = &s[INTEL_URB_HS];
   const struct stage_urb *ds = &s[INTEL_URB_DS], *gs = &s[INTEL_URB_GS];
   struct saf_batch *batch = &cmd->batch;
   genX(stall_before_vs_state)(cmd);
   saf_emit(batch, 3DSTATE_URB_VS, urb)
   {
      urb.VSNumberofURBEntries = vs->entries;
      urb.VSURBEntryAllocationSize = MAX2(vs->entry, 1) - 1;
      urb.VSURBStartingAddress = vs->start;
   }
   saf_emit(batch, 3DSTATE_URB_HS, urb)
   {
      urb.HSNumberofURBEntries = hs->entries;
      urb.HSURBEntryAllocationSize = MAX2(hs->entry, 1) - 1;
      urb.HSURBStartingAddress = hs->start;
   }
   saf_emit(batch, 3DSTATE_URB_DS, urb)
   {
      urb.DSNumberofURBEntries = ds->entries;
      urb.DSURBEntryAllocationSize = MAX2(ds->entry, 1) - 1;
      urb.DSURBStartingAddress = ds->start;
   }
   saf_emit(batch, 3DSTATE_URB_GS, urb)
   {
      urb.GSNumberofURBEntries = gs->entries;
      urb.GSURBEntryAllocationSize = MAX2(gs->entry, 1) - 1;
      urb.GSURBStartingAddress = gs->start;
   }
}

/* Vertices go into the URB as fetched, and the vertex shader's output takes
 * their place: an entry holds the larger of the two. */
void
genX(emit_urb)(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *p = cmd->draw.pipeline;
   const unsigned vertex_elements = genX(element_count)(saf_pipeline_vs(p));
   const struct intel_device_info *info = cmd->device->info;
   const struct saf_shader *const *shaders =
      (const struct saf_shader *const *)p->shaders;
   struct stage_urb s[INTEL_URB_STAGES] = { { 0 } };
   for (unsigned i = 0; i < INTEL_URB_STAGES; i++)
      s[i].max_entries = info->urb.max_entries[i];

   s[INTEL_URB_VS].entry = MAX2(MAX2(saf_pipeline_vs(p)->urb_entry_size,
                                     DIV_ROUND_UP(vertex_elements * 16, 64)),
                                1);
   s[INTEL_URB_VS].min_entries = info->urb.min_entries[INTEL_URB_VS];
   if (shaders[MESA_SHADER_TESS_EVAL]) {
      s[INTEL_URB_HS].entry =
         shaders[MESA_SHADER_TESS_CTRL]->prog.tcs.urb_entry_size;
      s[INTEL_URB_HS].min_entries = 1;
      s[INTEL_URB_DS].entry =
         shaders[MESA_SHADER_TESS_EVAL]->prog.tes.urb_entry_size;
      s[INTEL_URB_DS].min_entries = info->urb.min_entries[INTEL_URB_DS];
      if (intel_needs_workaround(info, INTEL_WA_TESS_URB_ENTRIES)) {
         s[INTEL_URB_VS].min_entries = 192;
         s[INTEL_URB_HS].max_entries = MIN2(s[INTEL_URB_HS].max_entries, 184);
      }
   }
   if (shaders[MESA_SHADER_GEOMETRY]) {
      s[INTEL_URB_GS].entry =
         shaders[MESA_SHADER_GEOMETRY]->prog.gs.urb_entry_size;
      s[INTEL_URB_GS].min_entries = 2;
   }

   bool same = true;
   for (unsigned i = 0; i < INTEL_URB_STAGES; i++) {
      same &= cmd->urb_entry_size[i] == s[i].entry + 1;
      cmd->urb_entry_size[i] = s[i].entry + 1;
   }
   if (same)
      return;
   if (!deal_out(info, s)) {
      saf_error(VK_ERROR_UNKNOWN,
                "URB entries of %u, %u, %u and %u times 64 "
                "bytes do not fit together",
                s[0].entry, s[1].entry, s[2].entry, s[3].entry);
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      return;
   }
   emit_urb(cmd, s);
}
