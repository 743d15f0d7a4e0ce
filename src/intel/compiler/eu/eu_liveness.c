/* SPDX-License-Identifier: MIT */
/*
 * Live ranges of registers, granule by granule (GRFs in what follows).
 *
 * Backward data flow over the blocks: a GRF is live where some path leads to
 * a read of it without a write of all its bytes before. What counts is the
 * bytes that an instruction really reads and writes, whatever its types.
 *
 * From the sets, one interval [start, end] of positions for each GRF: 2 * ip
 * is where instruction ip reads, 2 * ip + 1 where it writes. An instruction
 * that runs as two halves (an operand of two GRFs) may write before it has
 * read everything, so it counts as writing at 2 * ip already; but for a plain
 * copy, which may be onto itself: that the first half must not write what the
 * second reads is for the allocator to see to. Two registers
 * whose intervals are disjoint may share hardware. That holds for the
 * disabled channels too, for these reasons:
 *   - the arms of an IF lie one after the other in the list, so a value
 *     that is live through the other arm has an interval that covers both;
 *   - a channel that left a loop early keeps its value while the others go
 *     round again: a GRF that is live after the loop and was written within
 *     is given the whole loop.
 */
#include "eu_ir.h"

struct lv_state {
   struct eu_shader *s;
   struct eu_liveness *lv;
   BITSET_WORD *use, *def;
};

/* Granules of which every dword is among `dwords`, that begin `offset_B` from
 * granule `base`. They are neighbours: the first run is taken. */
static bool
granules_of_dwords(uint32_t dwords, unsigned offset_B, unsigned shift,
                   uint32_t base, uint32_t *first, uint32_t *end)
{
   const unsigned per = (1u << shift) / 4;
   const uint64_t all = (uint64_t)dwords << (offset_B % (4 * per) / 4);
   const uint64_t whole = BITFIELD64_MASK(per);
   unsigned g = 0;

   while (g * per < 64 && (all >> (g * per) & whole) != whole)
      g++;
   *first = base + (offset_B >> shift) + g;
   while (g * per < 64 && (all >> (g * per) & whole) == whole)
      g++;
   *end = base + (offset_B >> shift) + g;
   return *first < *end;
}

bool
eu_vars_defined(const struct eu_liveness *lv, const struct eu_inst *inst,
                uint32_t *first, uint32_t *end)
{
   const eu_reg *r = &inst->dst;

   if (!eu_is_tracked(r) || eu_keeps_channels(inst) ||
       (!eu_info(inst)->whole_dst && r->stride != 1))
      return false;
   const uint32_t base = eu_first_var(lv, r);
   const unsigned shift = lv->granule_shift;
   if (inst->align16)
      return granules_of_dwords(eu_dwords_written(inst), r->offset, shift,
                                base, first, end);
   *first = base + ((r->offset + (1u << shift) - 1) >> shift);
   *end = base + ((r->offset + inst->size_written) >> shift);
   return *first < *end;
}

uint32_t
eu_pressure(const struct eu_shader *s, const struct eu_liveness *lv)
{
   const uint32_t last = 2 * s->cfg.num_insts + 2;
   int32_t *delta = calloc(last + 2, sizeof(*delta));
   int32_t live = 0, most = 0;

   if (!delta)
      abort();
   for (uint32_t v = 0; v < lv->num_vars; v++) {
      if (lv->start[v] > lv->end[v])
         continue;
      delta[v < lv->num_fixed ? 0 : lv->start[v]]++;
      delta[lv->end[v] + 1]--;
   }
   for (uint32_t p = 0; p <= last; p++) {
      live += delta[p];
      most = MAX2(most, live);
   }
   free(delta);
   return (uint32_t)most;
}

static bool
writes_early(const struct eu_inst *inst)
{
   if (eu_is_send(inst) || eu_is_copy_in_halves(inst))
      return false;
   if (eu_info(inst)->is_virtual)
      return true;
   if (inst->dst.offset % REG_SIZE_B + inst->size_written > REG_SIZE_B)
      return true;
   for (unsigned i = 0; i < inst->sources; i++) {
      if (eu_size_read(inst, i) > REG_SIZE_B)
         return true;
   }
   return false;
}

static void
local_sets(struct lv_state *st)
{
   struct eu_liveness *lv = st->lv;

   for (uint32_t b = 0; b < st->s->cfg.num_blocks; b++) {
      const struct eu_block *blk = &st->s->cfg.blocks[b];
      BITSET_WORD *use = st->use + b * lv->words;
      BITSET_WORD *def = st->def + b * lv->words;

      for (struct eu_inst *inst = blk->first;;
           inst = list_entry(inst->link.next, struct eu_inst, link)) {
         uint32_t first, end;

         for (unsigned i = 0; i < inst->sources; i++) {
            if (!eu_vars_of(lv, &inst->src[i], eu_size_read(inst, i), &first,
                            &end))
               continue;
            for (uint32_t v = first; v < end; v++) {
               if (!BITSET_TEST(def, v))
                  BITSET_SET(use, v);
            }
         }
         if (eu_vars_defined(lv, inst, &first, &end)) {
            for (uint32_t v = first; v < end; v++) {
               if (!BITSET_TEST(use, v))
                  BITSET_SET(def, v);
            }
         }
         if (inst == blk->last)
            break;
      }
   }
}

static void
solve(struct lv_state *st)
{
   struct eu_liveness *lv = st->lv;
   const struct eu_cfg *cfg = &st->s->cfg;
   const uint32_t w = lv->words;
   bool again = true;

   while (again) {
      again = false;
      for (uint32_t b = cfg->num_blocks; b-- > 0;) {
         const struct eu_block *blk = &cfg->blocks[b];
         BITSET_WORD *out = lv->liveout + b * w, *in = lv->livein + b * w;
         const BITSET_WORD *use = st->use + b * w, *def = st->def + b * w;

         for (unsigned k = 0; k < 2; k++) {
            if (blk->succ[k] >= 0)
               bitset_union(out, lv->livein + (uint32_t)blk->succ[k] * w, w);
         }
         for (uint32_t i = 0; i < w; i++) {
            const BITSET_WORD v = use[i] | (out[i] & ~def[i]);
            if (v & ~in[i]) {
               in[i] |= v;
               again = true;
            }
         }
      }
   }
}

static inline void
extend(struct eu_liveness *lv, uint32_t v, int32_t ip)
{
   lv->start[v] = MIN2(lv->start[v], ip);
   lv->end[v] = MAX2(lv->end[v], ip);
}

static void
intervals(struct lv_state *st)
{
   struct eu_liveness *lv = st->lv;
   const struct eu_cfg *cfg = &st->s->cfg;

   for (uint32_t b = 0; b < cfg->num_blocks; b++) {
      const struct eu_block *blk = &cfg->blocks[b];

      BITSET_FOREACH_SET(v, lv->livein + b * lv->words, lv->num_vars)
         extend(lv, v, 2 * (int32_t)blk->start_ip);
      BITSET_FOREACH_SET(v, lv->liveout + b * lv->words, lv->num_vars)
         extend(lv, v, 2 * (int32_t)blk->end_ip + 1);
   }
   list_for_each_entry(struct eu_inst, inst, &st->s->insts, link) {
      const int32_t ip = 2 * (int32_t)inst->ip;
      uint32_t first, end;

      for (unsigned i = 0; i < inst->sources; i++) {
         if (!eu_vars_of(lv, &inst->src[i], eu_size_read(inst, i), &first,
                         &end))
            continue;
         for (uint32_t v = first; v < end; v++)
            extend(lv, v, ip);
      }
      if (eu_vars_of(lv, &inst->dst, inst->size_written, &first, &end)) {
         const int32_t at = ip + (writes_early(inst) ? 0 : 1);
         for (uint32_t v = first; v < end; v++)
            extend(lv, v, at);
      }
   }
   /* Loops: inner ones come after their outer one in the array. */
   for (uint32_t l = cfg->num_loops; l-- > 0;) {
      const struct eu_loop *loop = &cfg->loops[l];
      const int32_t first = 2 * (int32_t)loop->start_ip;
      const int32_t last = 2 * (int32_t)loop->end_ip + 1;

      for (uint32_t v = 0; v < lv->num_vars; v++) {
         if (lv->start[v] > first && lv->start[v] <= last &&
             lv->end[v] > last)
            lv->start[v] = first;
      }
   }
}

struct eu_liveness *
eu_calculate_liveness(struct eu_shader *s, unsigned granule_shift,
                      struct arena *arena)
{
   struct eu_liveness *lv = arena_new(arena, struct eu_liveness);
   struct lv_state st = { .s = s, .lv = lv };
   const unsigned per_grf_shift = EU_GRANULE_GRF - granule_shift;
   uint32_t n = EU_MAX_GRF << per_grf_shift;

   assert(granule_shift <= EU_GRANULE_GRF);
   lv->granule_shift = granule_shift;
   lv->num_fixed = n;
   eu_calculate_cfg(s);
   lv->var_of_vgrf = arena_new_array(arena, uint32_t, s->num_vgrfs + 1);
   for (uint32_t i = 0; i < s->num_vgrfs; i++) {
      lv->var_of_vgrf[i] = n;
      n += (uint32_t)s->vgrf_size[i] << per_grf_shift;
   }
   lv->var_of_vgrf[s->num_vgrfs] = n;
   lv->num_vars = n;
   lv->words = BITSET_WORDS(n);

   const uint32_t words = lv->words * MAX2(1, s->cfg.num_blocks);
   BITSET_WORD *bits = arena_new_array(arena, BITSET_WORD, words * 4);
   lv->livein = bits;
   lv->liveout = bits + words;
   st.use = bits + 2 * words;
   st.def = bits + 3 * words;

   lv->start = arena_new_array(arena, int32_t, n);
   lv->end = arena_new_array(arena, int32_t, n);
   for (uint32_t v = 0; v < n; v++) {
      lv->start[v] = INT32_MAX;
      lv->end[v] = -1;
   }

   local_sets(&st);
   solve(&st);
   intervals(&st);

   lv->vgrf_start = arena_new_array(arena, int32_t, s->num_vgrfs + 1);
   lv->vgrf_end = arena_new_array(arena, int32_t, s->num_vgrfs + 1);
   for (uint32_t i = 0; i < s->num_vgrfs; i++) {
      lv->vgrf_start[i] = INT32_MAX;
      lv->vgrf_end[i] = -1;
      for (uint32_t v = lv->var_of_vgrf[i]; v < lv->var_of_vgrf[i + 1]; v++) {
         lv->vgrf_start[i] = MIN2(lv->vgrf_start[i], lv->start[v]);
         lv->vgrf_end[i] = MAX2(lv->vgrf_end[i], lv->end[v]);
      }
   }
   return lv;
}
