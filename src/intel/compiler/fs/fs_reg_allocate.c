/* SPDX-License-Identifier: MIT */
/*
 * Register allocation: each VGRF gets as many consecutive GRFs as it has.
 *
 * Liveness gives an interval of positions for every GRF of every VGRF. Two
 * registers interfere where intervals of GRFs that share hardware would
 * overlap; so the problem is to place rectangles of registers x positions.
 * Each hardware register has a bitset of the positions where it is taken
 * (payload registers: as long as they are read), and a VGRF is put at the
 * lowest place that is free for all its GRFs. Several orders are tried, as
 * none is best for all shaders: by first position (best for many small
 * values), then by size, then by how long they live.
 *
 * Constraints: the payload of the message that ends the thread is within
 * g112-g127 (PRM SKL vol 2a, "send"); a message does not return into g127.
 *
 * When no order fits, the cheapest VGRFs by uses (weighted by loop depth)
 * per register and position are spilled: kept in scratch memory, read
 * before each use and written after each definition by block messages of
 * whole GRFs, NoMask. A definition that leaves some bytes or some channels
 * alone reads the old value first, so that masked-off channels keep theirs.
 */
#include <stdio.h>

#include "fs_builder.h"
#include "fs_messages.h"

#define EOT_FIRST_GRF 112
#define MAX_ROUNDS 64
#define NO_REG 0xffffu

struct ra {
   struct fs_shader *s;
   struct arena *arena;
   struct fs_liveness *lv;
   uint32_t words;              /* of a row of positions */
   uint64_t *taken;             /* FS_MAX_GRF x words */
   uint16_t *reg;               /* by VGRF, NO_REG: none */
   uint8_t *flags;              /* by VGRF */
   uint32_t *order;
   uint32_t num_order;
   unsigned last_grf;           /* registers that may be used: below this */
};

#define RA_EOT 1u       /* payload of the last message */
#define RA_RETURN 2u    /* destination of a message */

static bool
is_taken(const struct ra *ra, unsigned grf, int32_t start, int32_t end)
{
   const uint64_t *row = ra->taken + (size_t)grf * ra->words;
   const unsigned w0 = (unsigned)start / 64, w1 = (unsigned)end / 64;
   const uint64_t m0 = ~0ull << (start % 64);
   const uint64_t m1 = ~0ull >> (63 - end % 64);

   if (w0 == w1)
      return (row[w0] & m0 & m1) != 0;
   if ((row[w0] & m0) || (row[w1] & m1))
      return true;
   for (unsigned w = w0 + 1; w < w1; w++) {
      if (row[w])
         return true;
   }
   return false;
}

static void
take(struct ra *ra, unsigned grf, int32_t start, int32_t end)
{
   uint64_t *row = ra->taken + (size_t)grf * ra->words;

   for (int32_t p = start; p <= end;) {
      if (p % 64 == 0 && p + 63 <= end) {
         row[p / 64] = ~0ull;
         p += 64;
      } else {
         row[p / 64] |= 1ull << (p % 64);
         p++;
      }
   }
}

static bool
fits_at(const struct ra *ra, uint32_t v, unsigned base)
{
   const uint32_t var = ra->lv->var_of_vgrf[v];

   for (unsigned k = 0; k < ra->s->vgrf_size[v]; k++) {
      const int32_t a = ra->lv->start[var + k], b = ra->lv->end[var + k];
      if (a <= b && is_taken(ra, base + k, a, b))
         return false;
   }
   return true;
}

static void
place(struct ra *ra, uint32_t v, unsigned base)
{
   const uint32_t var = ra->lv->var_of_vgrf[v];

   ra->reg[v] = (uint16_t)base;
   for (unsigned k = 0; k < ra->s->vgrf_size[v]; k++) {
      const int32_t a = ra->lv->start[var + k], b = ra->lv->end[var + k];
      if (a <= b)
         take(ra, base + k, a, b);
   }
}

static bool
assign_one(struct ra *ra, uint32_t v)
{
   const unsigned size = ra->s->vgrf_size[v];
   unsigned first = 0, limit = ra->last_grf;

   if (ra->flags[v] & RA_EOT) {
      /* From the top down, to leave the rest of the range in one piece. */
      for (unsigned base = FS_MAX_GRF - size; base >= EOT_FIRST_GRF;
           base--) {
         if (fits_at(ra, v, base)) {
            place(ra, v, base);
            return true;
         }
      }
      return false;
   }
   if (ra->flags[v] & RA_RETURN)
      limit = MIN2(limit, FS_MAX_GRF - 1);
   for (unsigned base = first; base + size <= limit; base++) {
      if (fits_at(ra, v, base)) {
         place(ra, v, base);
         return true;
      }
   }
   return false;
}

/* ---- orders ---- */

/* For the comparisons: qsort has no argument of its own. */
static __thread const struct ra *sort_ctx;

static int
by_start(const void *pa, const void *pb)
{
   const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
   const struct fs_liveness *lv = sort_ctx->lv;

   if (lv->vgrf_start[a] != lv->vgrf_start[b])
      return lv->vgrf_start[a] < lv->vgrf_start[b] ? -1 : 1;
   return a < b ? -1 : a > b;
}

static int
by_size(const void *pa, const void *pb)
{
   const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
   const uint16_t *size = sort_ctx->s->vgrf_size;

   if (size[a] != size[b])
      return size[a] > size[b] ? -1 : 1;
   return by_start(pa, pb);
}

static int
by_length(const void *pa, const void *pb)
{
   const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
   const struct fs_liveness *lv = sort_ctx->lv;
   const int32_t la = lv->vgrf_end[a] - lv->vgrf_start[a];
   const int32_t lb = lv->vgrf_end[b] - lv->vgrf_start[b];

   if (la != lb)
      return la > lb ? -1 : 1;
   return a < b ? -1 : a > b;
}

static void
reset(struct ra *ra)
{
   memset(ra->taken, 0, sizeof(uint64_t) * ra->words * FS_MAX_GRF);
   for (uint32_t v = 0; v < ra->s->num_vgrfs; v++)
      ra->reg[v] = NO_REG;
   for (unsigned g = 0; g < FS_MAX_GRF; g++) {
      /* The payload is there from the start. */
      const int32_t end = ra->lv->end[g];
      if (ra->lv->start[g] <= end)
         take(ra, g, 0, end);
   }
}

/* The first VGRF that found no place, or -1. */
static int64_t
try_order(struct ra *ra, int (*cmp)(const void *, const void *))
{
   reset(ra);
   sort_ctx = ra;
   qsort(ra->order, ra->num_order, sizeof(*ra->order), cmp);
   for (uint32_t i = 0; i < ra->num_order; i++) {
      if ((ra->flags[ra->order[i]] & RA_EOT) &&
          !assign_one(ra, ra->order[i]))
         return ra->order[i];
   }
   for (uint32_t i = 0; i < ra->num_order; i++) {
      if (ra->reg[ra->order[i]] == NO_REG && !assign_one(ra, ra->order[i]))
         return ra->order[i];
   }
   return -1;
}

/* ---- spilling ---- */

struct spill {
   struct ra *ra;
   uint32_t num_vgrfs;   /* what was there before this round's spills */
   float *cost;
   BITSET_WORD *never;   /* VGRFs that only exist to be short */
};

static void
spill_costs(struct spill *sp)
{
   struct fs_shader *s = sp->ra->s;
   float weight = 1;

   list_for_each_entry(struct fs_inst, inst, &s->insts, link) {
      if (inst->op == FS_OP_DO)
         weight *= 10;
      for (unsigned i = 0; i < inst->sources; i++) {
         if (inst->src[i].file == FS_VGRF)
            sp->cost[inst->src[i].nr] += weight;
      }
      if (inst->dst.file == FS_VGRF && inst->op != FS_OP_UNDEF)
         sp->cost[inst->dst.nr] +=
            fs_is_partial_write(inst) ? 2 * weight : weight;
      if (inst->op == ISA_OPCODE_WHILE)
         weight /= 10;
   }
}

/* The VGRF that frees most for least, among those alive somewhere with
 * `failed`. -1: none. */
static int64_t
choose_spill(struct spill *sp, uint32_t failed)
{
   const struct fs_liveness *lv = sp->ra->lv;
   float best = 0;
   int64_t choice = -1;

   for (uint32_t v = 0; v < sp->num_vgrfs; v++) {
      if (BITSET_TEST(sp->never, v) || lv->vgrf_start[v] > lv->vgrf_end[v] ||
          (sp->ra->flags[v] & RA_EOT) ||
          lv->vgrf_start[v] > lv->vgrf_end[failed] ||
          lv->vgrf_end[v] < lv->vgrf_start[failed])
         continue;
      const float length =
         (float)(lv->vgrf_end[v] - lv->vgrf_start[v]) - 4;
      if (length <= 0)
         continue;
      const float benefit =
         length * sp->ra->s->vgrf_size[v] / (sp->cost[v] + 0.1f);
      if (benefit > best) {
         best = benefit;
         choice = v;
      }
   }
   return choice;
}

/* Block messages move 1, 2, 4 or 8 GRFs (PRM SKL vol 2d, scratch block). */
static unsigned
block_grfs(unsigned left)
{
   return left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

static void
emit_fill(const struct fs_builder *at, fs_reg dst, unsigned grfs,
          unsigned offset_grf)
{
   struct fs_builder b = fs_exec_all(*at);

   b.group = 0;
   b.note = "fill";
   for (unsigned k = 0; k < grfs;) {
      const unsigned n = block_grfs(grfs - k);
      b.exec_size = n == 1 ? 8 : 16;
      fs_emit_send(&b, ISA_SFID_DATA_CACHE0,
                   fs_scratch_desc(false, n, offset_grf + k), (fs_reg) { 0 },
                   byte_offset(dst, k * REG_SIZE_B), n,
                   fs_grf(0, ISA_TYPE_UD), 1, true);
      k += n;
      b.s->fills++;
   }
}

/* SENDS takes header and data from different places (Gen9). */
static void
emit_spill(const struct fs_builder *at, fs_reg src, unsigned grfs,
           unsigned offset_grf)
{
   struct fs_builder b = fs_exec_all(*at);

   b.group = 0;
   b.note = "spill";
   for (unsigned k = 0; k < grfs;) {
      const unsigned n = block_grfs(grfs - k);
      b.exec_size = n == 1 ? 8 : 16;
      struct fs_inst *inst =
         fs_emit_send(&b, ISA_SFID_DATA_CACHE0,
                      fs_scratch_desc(true, n, offset_grf + k),
                      (fs_reg) { 0 }, (fs_reg) { 0 }, 0,
                      fs_grf(0, ISA_TYPE_UD), 1, true);
      inst->op = ISA_OPCODE_SENDS;
      inst->sources = 3;
      inst->src[2] = byte_offset(src, k * REG_SIZE_B);
      inst->ex_mlen = (uint8_t)n;
      inst->side_effects = true;
      k += n;
      b.s->spills++;
   }
}

static uint32_t
temp_for(struct spill *sp, unsigned grfs)
{
   struct fs_shader *s = sp->ra->s;
   const uint32_t nr = fs_alloc_vgrf(s, grfs);
   return nr;
}

/* GRFs [lo, hi) of the VGRF that an access touches. */
static void
touched(const fs_reg *r, unsigned size_B, unsigned *lo, unsigned *hi)
{
   *lo = r->offset / REG_SIZE_B;
   *hi = DIV_ROUND_UP(r->offset + size_B, REG_SIZE_B);
}

static void
spill_sources(struct spill *sp, struct fs_inst *inst, uint32_t v,
              unsigned slot_grf, struct util_dynarray *temps)
{
   const struct fs_builder b = fs_builder_before(sp->ra->s, inst);

   for (unsigned i = 0; i < inst->sources; i++) {
      unsigned lo, hi;

      if (inst->src[i].file != FS_VGRF || inst->src[i].nr != v)
         continue;
      touched(&inst->src[i], fs_size_read(inst, i), &lo, &hi);
      const uint32_t t = temp_for(sp, hi - lo);
      util_dynarray_append(temps, uint32_t, t);
      emit_fill(&b, fs_vgrf_reg(t, ISA_TYPE_UD), hi - lo, slot_grf + lo);
      inst->src[i].nr = (uint16_t)t;
      inst->src[i].offset -= lo * REG_SIZE_B;
   }
}

static void
spill_dest(struct spill *sp, struct fs_inst *inst, uint32_t v,
           unsigned slot_grf, bool single_def, struct util_dynarray *temps)
{
   struct fs_shader *s = sp->ra->s;
   const struct fs_builder before = fs_builder_before(s, inst);
   const struct fs_builder after = fs_builder_after(s, inst);
   unsigned lo, hi;

   if (inst->op == FS_OP_UNDEF) {
      list_del(&inst->link);
      return;
   }
   touched(&inst->dst, inst->size_written, &lo, &hi);
   const uint32_t t = temp_for(sp, hi - lo);
   util_dynarray_append(temps, uint32_t, t);
   const bool whole = !fs_is_partial_write(inst) &&
                      (inst->nomask || single_def);
   if (!whole)
      emit_fill(&before, fs_vgrf_reg(t, ISA_TYPE_UD), hi - lo,
                slot_grf + lo);
   inst->dst.nr = (uint16_t)t;
   inst->dst.offset -= lo * REG_SIZE_B;
   emit_spill(&after, fs_vgrf_reg(t, ISA_TYPE_UD), hi - lo, slot_grf + lo);
}

static void
spill_vgrf(struct spill *sp, uint32_t v, struct util_dynarray *temps)
{
   struct fs_shader *s = sp->ra->s;
   const unsigned slot_grf = s->scratch_B / REG_SIZE_B;
   unsigned defs = 0, depth = 0, def_depth = 0;

   s->scratch_B += s->vgrf_size[v] * REG_SIZE_B;
   list_for_each_entry(struct fs_inst, inst, &s->insts, link) {
      depth += inst->op == FS_OP_DO;
      depth -= inst->op == ISA_OPCODE_WHILE;
      if (inst->dst.file == FS_VGRF && inst->dst.nr == v &&
          inst->op != FS_OP_UNDEF) {
         defs++;
         def_depth = MAX2(def_depth, depth);
      }
   }
   /* Other channels' values cannot be lost by a definition that is the only
    * one and runs once. */
   const bool single = defs == 1 && def_depth == 0;

   list_for_each_entry_safe(struct fs_inst, inst, &s->insts, link) {
      spill_sources(sp, inst, v, slot_grf, temps);
      if (inst->dst.file == FS_VGRF && inst->dst.nr == v &&
          inst->size_written)
         spill_dest(sp, inst, v, slot_grf, single, temps);
   }
}

/* ---- the whole ---- */

static void
find_constraints(struct ra *ra)
{
   list_for_each_entry(struct fs_inst, inst, &ra->s->insts, link) {
      if (!fs_is_send(inst))
         continue;
      if (inst->eot && inst->src[0].file == FS_VGRF)
         ra->flags[inst->src[0].nr] |= RA_EOT;
      if (inst->eot && inst->sources > 2 && inst->src[2].file == FS_VGRF)
         ra->flags[inst->src[2].nr] |= RA_EOT;
      if (inst->dst.file == FS_VGRF)
         ra->flags[inst->dst.nr] |= RA_RETURN;
   }
}

static void
measure_pressure(struct ra *ra)
{
   const int32_t last = 2 * (int32_t)ra->s->cfg.num_insts + 2;
   int32_t *delta = arena_new_array(ra->arena, int32_t, (size_t)last + 2);
   int32_t live = 0, most = 0;

   for (uint32_t v = 0; v < ra->lv->num_vars; v++) {
      if (ra->lv->start[v] > ra->lv->end[v])
         continue;
      delta[v < FS_MAX_GRF ? 0 : ra->lv->start[v]]++;
      delta[ra->lv->end[v] + 1]--;
   }
   for (int32_t p = 0; p <= last; p++) {
      live += delta[p];
      most = MAX2(most, live);
   }
   ra->s->max_live_grf = (uint32_t)most;
}

static void
rewrite(struct ra *ra)
{
   list_for_each_entry_safe(struct fs_inst, inst, &ra->s->insts, link) {
      if (inst->op == FS_OP_UNDEF) {
         list_del(&inst->link);
         continue;
      }
      for (int i = -1; i < inst->sources; i++) {
         fs_reg *r = i < 0 ? &inst->dst : &inst->src[i];
         if (r->file != FS_VGRF)
            continue;
         const unsigned at = ra->reg[r->nr] * REG_SIZE_B + r->offset;
         r->file = FS_GRF;
         r->nr = (uint16_t)(at / REG_SIZE_B);
         r->offset = at % REG_SIZE_B;
      }
   }
}

static int64_t
try_all_orders(struct ra *ra)
{
   static int (*const orders[])(const void *, const void *) = {
      by_start, by_size, by_length,
   };
   int64_t failed = -1;

   for (unsigned i = 0; i < ARRAY_SIZE(orders); i++) {
      failed = try_order(ra, orders[i]);
      if (failed < 0)
         return -1;
   }
   return failed;
}

static void
prepare(struct ra *ra)
{
   struct fs_shader *s = ra->s;

   ra->lv = fs_calculate_liveness(s, ra->arena);
   ra->words = DIV_ROUND_UP(2 * s->cfg.num_insts + 2, 64);
   ra->taken = arena_new_array(ra->arena, uint64_t,
                               (size_t)ra->words * FS_MAX_GRF);
   ra->reg = arena_new_array(ra->arena, uint16_t, s->num_vgrfs + 1);
   ra->flags = arena_new_array(ra->arena, uint8_t, s->num_vgrfs + 1);
   ra->order = arena_new_array(ra->arena, uint32_t, s->num_vgrfs + 1);
   ra->num_order = 0;
   ra->last_grf = FS_MAX_GRF;
   for (uint32_t v = 0; v < s->num_vgrfs; v++) {
      if (ra->lv->vgrf_start[v] <= ra->lv->vgrf_end[v])
         ra->order[ra->num_order++] = v;
   }
   find_constraints(ra);
}

bool
fs_allocate_registers(struct fs_shader *s)
{
   struct util_dynarray temps = { 0 };
   bool spill_all = (s->debug & INTEL_DEBUG_SPILL) != 0;
   bool done = false;

   for (unsigned round = 0; round < MAX_ROUNDS && !done; round++) {
      struct ra ra = { .s = s, .arena = arena_create(NULL) };

      prepare(&ra);
      if (round == 0)
         measure_pressure(&ra);
      const int64_t failed = try_all_orders(&ra);
      if (failed < 0 && !spill_all) {
         rewrite(&ra);
         done = true;
      } else {
         struct spill sp = { .ra = &ra, .num_vgrfs = s->num_vgrfs };
         sp.cost = arena_new_array(ra.arena, float, s->num_vgrfs + 1);
         sp.never = arena_new_array(ra.arena, BITSET_WORD,
                                    BITSET_WORDS(s->num_vgrfs + 1));
         util_dynarray_foreach(&temps, uint32_t, t)
            BITSET_SET(sp.never, *t);
         spill_costs(&sp);
         /* A few at a time: liveness is new for each round. */
         const unsigned batch = spill_all ? s->num_vgrfs : 1 + round;
         const uint32_t target =
            failed >= 0 ? (uint32_t)failed : ra.order[0];
         unsigned spilled = 0;
         for (; spilled < batch; spilled++) {
            const int64_t v = choose_spill(&sp, target);
            if (v < 0)
               break;
            spill_vgrf(&sp, (uint32_t)v, &temps);
            BITSET_SET(sp.never, (uint32_t)v);
         }
         spill_all = false;
         if (!spilled && failed >= 0) {
            fs_fail(s, "no registers left for a value of %u registers",
                    s->vgrf_size[failed]);
            arena_destroy(ra.arena);
            break;
         }
      }
      arena_destroy(ra.arena);
   }
   util_dynarray_fini(&temps);
   if (!done)
      fs_fail(s, "register allocation did not end");
   return done;
}
