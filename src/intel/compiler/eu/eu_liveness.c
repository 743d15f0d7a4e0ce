/* SPDX-License-Identifier: MIT */
/*
 * Live ranges of registers, granule by granule (GRFs in what follows).
 *
 * A GRF is live where some path leads to a read of it without a write of all
 * its bytes before. What counts is the bytes that an instruction really reads
 * and writes, whatever its types. Most are written and read in one block, and
 * are done with when that was walked over. The others are followed one by
 * one from the blocks that read them to those that write them, against the
 * edges (Appel and Palsberg, Modern Compiler Implementation, chapter 19,
 * "liveness from SSA uses"): that costs what the sets hold, not blocks times
 * registers.
 *
 * From the sets, one interval [start, end] of positions for each GRF: 2 * ip
 * is where instruction ip reads, 2 * ip + 1 where it writes. An instruction
 * that runs as two halves (an operand of two GRFs) may write before it has
 * read everything, so it counts as writing at 2 * ip already; but where it
 * may be in place, as each half reads what it writes: that the first half
 * must not write what else the second reads is for the allocator to see to.
 * Two registers whose intervals are disjoint may share hardware, unless one
 * is live across a call and the other in a routine, whose code stands at the
 * end. That holds for the disabled channels too, for these reasons:
 *   - the arms of an IF lie one after the other in the list, so a value
 *     that is live through the other arm has an interval that covers both;
 *   - a channel that left a loop early keeps its value while the others go
 *     round again: a GRF that is live after the loop and was written within
 *     is given the whole loop.
 */
#include "eu_ir.h"

#define NONE UINT32_MAX

/* A block in which a granule is read before it is written, or written first;
 * with the next one of the same granule. */
struct lv_place {
   uint32_t block, next;
};

struct lv_state {
   struct eu_shader *s;
   struct eu_liveness *lv;
   struct arena *arena;
   uint32_t *decided;        /* by granule: last block with a place, + 1 */
   uint32_t *uses, *defs;    /* by granule: its places, or NONE */
   struct util_dynarray all; /* struct lv_place */
   /* Granules with uses, in the order in which they were met. */
   struct util_dynarray globals;
   uint32_t *first_pred, *preds;      /* by block */
   uint32_t *is_def, *is_in, *is_out; /* by block: granule + 1 */
   struct util_dynarray stack;        /* blocks to go on from */
   struct util_dynarray out;          /* struct lv_live */
};

struct lv_live {
   uint32_t block, var;
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

/* While a routine runs there is what it uses, too. What is handed over counts
 * already. */
static void
count_in_routines(const struct eu_shader *s, const struct eu_liveness *lv,
                  int32_t *live)
{
   int32_t most = 0, least = INT32_MAX;

   if (!lv->crosses)
      return;
   for (uint32_t p = (uint32_t)lv->routines; p < 2 * s->cfg.num_insts; p++) {
      most = MAX2(most, live[p]);
      least = MIN2(least, live[p]);
   }
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (inst->op == EU_OP_CALL_ROUTINE)
         live[2 * inst->ip] += most - least;
   }
}

int32_t *
eu_count_live(const struct eu_shader *s, const struct eu_liveness *lv,
              struct arena *arena)
{
   const uint32_t positions = eu_positions(s);
   int32_t *live = arena_new_array(arena, int32_t, positions + 1);

   for (uint32_t v = 0; v < lv->num_vars; v++) {
      if (lv->start[v] > lv->end[v])
         continue;
      live[v < lv->num_fixed ? 0 : lv->start[v]]++;
      live[lv->end[v] + 1]--;
   }
   for (uint32_t p = 1; p < positions; p++)
      live[p] += live[p - 1];
   count_in_routines(s, lv, live);
   return live;
}

uint32_t
eu_most_live(const struct eu_shader *s, const int32_t *live)
{
   int32_t most = 0;

   for (uint32_t p = 0; p < eu_positions(s); p++)
      most = MAX2(most, live[p]);
   return (uint32_t)most;
}

bool
eu_writes_early(const struct eu_inst *inst)
{
   if (eu_is_send(inst))
      return false;
   if (eu_info(inst)->is_virtual)
      return true;
   for (unsigned i = 0; i < inst->sources; i++) {
      if (eu_reads_by_halves(inst, i))
         return false;
   }
   if (inst->dst.offset % REG_SIZE_B + inst->size_written > REG_SIZE_B)
      return true;
   for (unsigned i = 0; i < inst->sources; i++) {
      if (eu_size_read(inst, i) > REG_SIZE_B)
         return true;
   }
   return false;
}

static inline void
extend(struct eu_liveness *lv, uint32_t v, int32_t ip)
{
   lv->start[v] = MIN2(lv->start[v], ip);
   lv->end[v] = MAX2(lv->end[v], ip);
}

static void
add_place(struct lv_state *st, uint32_t *list, uint32_t v, uint32_t block)
{
   const struct lv_place p = { block, list[v] };

   st->decided[v] = block + 1;
   list[v] = (uint32_t)util_dynarray_num_elements(&st->all, struct lv_place);
   util_dynarray_append(&st->all, struct lv_place, p);
}

/* Where the instruction touches its granules, and which of them it is the
 * first of its block to read or to write. */
static void
visit(struct lv_state *st, const struct eu_inst *inst)
{
   struct eu_liveness *lv = st->lv;
   const int32_t ip = 2 * (int32_t)inst->ip;
   uint32_t first, end;

   for (unsigned i = 0; i < inst->sources; i++) {
      if (!eu_vars_of(lv, &inst->src[i], eu_size_read(inst, i), &first, &end))
         continue;
      for (uint32_t v = first; v < end; v++) {
         extend(lv, v, ip);
         if (st->decided[v] == inst->block + 1)
            continue;
         if (st->uses[v] == NONE)
            util_dynarray_append(&st->globals, uint32_t, v);
         add_place(st, st->uses, v, inst->block);
      }
   }
   if (!eu_vars_of(lv, &inst->dst, inst->size_written, &first, &end))
      return;
   const int32_t at = ip + (eu_writes_early(inst) ? 0 : 1);
   for (uint32_t v = first; v < end; v++)
      extend(lv, v, at);
   if (!eu_vars_defined(lv, inst, &first, &end))
      return;
   for (uint32_t v = first; v < end; v++) {
      if (st->decided[v] != inst->block + 1)
         add_place(st, st->defs, v, inst->block);
   }
}

/* ---- across blocks ---- */

static void
find_preds(struct lv_state *st)
{
   const struct eu_cfg *cfg = &st->s->cfg;
   uint32_t n = 0;

   st->first_pred = arena_new_array(st->arena, uint32_t, cfg->num_blocks + 1);
   for (uint32_t b = 0; b < cfg->num_blocks; b++) {
      st->first_pred[b] = n;
      n += cfg->blocks[b].num_preds;
   }
   st->first_pred[cfg->num_blocks] = n;
   st->preds = arena_new_array(st->arena, uint32_t, n + 1);
   uint32_t *next =
      arena_memdup(st->arena, st->first_pred, cfg->num_blocks * sizeof(n));
   for (uint32_t b = 0; b < cfg->num_blocks; b++) {
      for (unsigned k = 0; k < 2; k++) {
         if (cfg->blocks[b].succ[k] >= 0)
            st->preds[next[cfg->blocks[b].succ[k]]++] = b;
      }
   }
}

/* Live at the begin of a block: so at the end of those before it, too. */
static void
enter(struct lv_state *st, uint32_t v, uint32_t block)
{
   const struct eu_block *blocks = st->s->cfg.blocks;

   extend(st->lv, v, 2 * (int32_t)blocks[block].start_ip);
   for (uint32_t k = st->first_pred[block]; k < st->first_pred[block + 1];
        k++) {
      const uint32_t p = st->preds[k];
      const struct lv_live live = { p, v };

      if (st->is_out[p] == v + 1)
         continue;
      st->is_out[p] = v + 1;
      util_dynarray_append(&st->out, struct lv_live, live);
      extend(st->lv, v, 2 * (int32_t)blocks[p].end_ip + 1);
      if (st->is_def[p] != v + 1 && st->is_in[p] != v + 1) {
         st->is_in[p] = v + 1;
         util_dynarray_append(&st->stack, uint32_t, p);
      }
   }
}

static void
follow(struct lv_state *st, uint32_t v)
{
   const struct lv_place *p;

   for (uint32_t i = st->defs[v]; i != NONE; i = p->next) {
      p = util_dynarray_element(&st->all, struct lv_place, i);
      st->is_def[p->block] = v + 1;
   }
   for (uint32_t i = st->uses[v]; i != NONE; i = p->next) {
      p = util_dynarray_element(&st->all, struct lv_place, i);
      if (st->is_in[p->block] == v + 1)
         continue;
      st->is_in[p->block] = v + 1;
      util_dynarray_append(&st->stack, uint32_t, p->block);
      while (util_dynarray_num_elements(&st->stack, uint32_t))
         enter(st, v, util_dynarray_pop(&st->stack, uint32_t));
   }
}

/* What is live at the end of each block, block by block. */
static void
sort_out(struct lv_state *st, struct arena *arena)
{
   const uint32_t blocks = st->s->cfg.num_blocks;
   struct eu_liveness *lv = st->lv;
   uint32_t n = 0;

   lv->out_first = arena_new_array(arena, uint32_t, blocks + 2);
   /* One further on, so that filling them in moves each to its place. */
   util_dynarray_foreach(&st->out, struct lv_live, l)
      lv->out_first[l->block + 2]++;
   for (uint32_t b = 0; b < blocks + 2; b++) {
      n += lv->out_first[b];
      lv->out_first[b] = n;
   }
   lv->out_vars = arena_new_array(arena, uint32_t, n + 1);
   util_dynarray_foreach(&st->out, struct lv_live, l)
      lv->out_vars[lv->out_first[l->block + 1]++] = l->var;
}

static void
across_blocks(struct lv_state *st)
{
   const uint32_t blocks = st->s->cfg.num_blocks;

   find_preds(st);
   st->is_def = arena_new_array(st->arena, uint32_t, 3 * blocks + 1);
   st->is_in = st->is_def + blocks;
   st->is_out = st->is_in + blocks;
   util_dynarray_foreach(&st->globals, uint32_t, v)
      follow(st, *v);
}

/* The block that a position is in. */
static const struct eu_block *
block_at(const struct eu_cfg *cfg, int32_t position)
{
   const uint32_t ip = (uint32_t)position / 2;
   uint32_t low = 0, high = cfg->num_blocks;

   while (high - low > 1) {
      const uint32_t mid = (low + high) / 2;
      if (cfg->blocks[mid].start_ip <= ip)
         low = mid;
      else
         high = mid;
   }
   return &cfg->blocks[low];
}

/* What is written in a loop and live after it is given all of it. */
static void
cover_loops(struct lv_state *st)
{
   struct eu_liveness *lv = st->lv;
   const struct eu_cfg *cfg = &st->s->cfg;

   for (uint32_t v = 0; cfg->num_loops && v < lv->num_vars; v++) {
      if (lv->start[v] > lv->end[v])
         continue;
      for (int32_t l = block_at(cfg, lv->start[v])->loop; l >= 0;
           l = cfg->loops[l].parent) {
         const int32_t first = 2 * (int32_t)cfg->loops[l].start_ip;
         const int32_t last = 2 * (int32_t)cfg->loops[l].end_ip + 1;

         if (lv->start[v] > first && lv->end[v] > last)
            lv->start[v] = first;
      }
   }
}

/* ---- calls ---- */

static bool
is_between(const struct util_dynarray *calls, int32_t start, int32_t end)
{
   const int32_t *at = calls->data;
   size_t low = 0, high = util_dynarray_num_elements(calls, int32_t);

   while (low < high) {
      const size_t mid = (low + high) / 2;
      if (at[mid] <= start)
         low = mid + 1;
      else
         high = mid;
   }
   return low < util_dynarray_num_elements(calls, int32_t) && at[low] < end;
}

/* What calls and routines hand over, from the first call to the end. */
static void
cover_calls(struct lv_state *st, int32_t first_call)
{
   struct eu_liveness *lv = st->lv;

   list_for_each_entry(struct eu_inst, inst, &st->s->insts, link) {
      if (inst->op != EU_OP_ARGUMENT)
         continue;
      for (uint32_t v = lv->var_of_vgrf[inst->dst.nr];
           v < lv->var_of_vgrf[inst->dst.nr + 1]; v++) {
         extend(lv, v, first_call);
         extend(lv, v, 2 * (int32_t)st->s->cfg.num_insts - 1);
      }
   }
}

static void
find_crossing(struct lv_state *st, struct arena *arena)
{
   struct eu_liveness *lv = st->lv;
   struct util_dynarray calls = { 0 };

   lv->routines = INT32_MAX;
   list_for_each_entry(struct eu_inst, inst, &st->s->insts, link) {
      if (inst->op == EU_OP_CALL_ROUTINE)
         util_dynarray_append(&calls, int32_t, 2 * (int32_t)inst->ip);
      else if (inst->op == EU_OP_ARGUMENT)
         lv->routines = MIN2(lv->routines, 2 * (int32_t)inst->ip);
   }
   if (!util_dynarray_num_elements(&calls, int32_t))
      return;
   cover_calls(st, *util_dynarray_element(&calls, int32_t, 0));
   lv->crosses = arena_new_array(arena, bool, lv->num_vars);
   for (uint32_t v = 0; v < lv->num_vars; v++) {
      lv->crosses[v] = lv->start[v] <= lv->end[v] &&
                       is_between(&calls,
                                  v < lv->num_fixed ? -1 : lv->start[v],
                                  lv->end[v]);
      if (v < lv->num_fixed && lv->crosses[v])
         extend(lv, v, 2 * (int32_t)st->s->cfg.num_insts - 1);
   }
   util_dynarray_fini(&calls);
}

/* ---- the whole ---- */

/* An operand that ends beyond the registers is a fault of a pass before. It
 * must not become one of memory, in any build: it is g0, and nothing comes of
 * the program. */
static void
check_operand(struct lv_state *st, eu_reg *r, unsigned size_B)
{
   if (!eu_is_tracked(r) || !size_B)
      return;
   const bool grf = r->file == EU_GRF;
   const uint32_t grfs = grf                        ? EU_MAX_GRF
                         : r->nr < st->s->num_vgrfs ? st->s->vgrf_size[r->nr]
                                                    : 0;
   if (util_within((uint64_t)r->offset + (grf ? r->nr * REG_SIZE_B : 0u),
                   size_B, 0, (uint64_t)grfs * REG_SIZE_B))
      return;
   eu_fail(st->s, "internal error: an operand beyond the registers");
   *r = eu_grf(0, r->type);
}

static void
check_operands(struct lv_state *st)
{
   list_for_each_entry(struct eu_inst, inst, &st->s->insts, link) {
      for (unsigned i = 0; i < inst->sources; i++)
         check_operand(st, &inst->src[i], eu_size_read(inst, i));
      check_operand(st, &inst->dst, inst->size_written);
   }
}

static void
analyse(struct lv_state *st, struct arena *arena)
{
   const uint32_t n = st->lv->num_vars;

   st->decided = arena_new_array(st->arena, uint32_t, n);
   st->uses = arena_new_array(st->arena, uint32_t, 2 * (size_t)n);
   st->defs = st->uses + n;
   memset(st->uses, 0xff, 2 * (size_t)n * sizeof(*st->uses));
   check_operands(st);
   list_for_each_entry(struct eu_inst, inst, &st->s->insts, link)
      visit(st, inst);
   across_blocks(st);
   sort_out(st, arena);
   cover_loops(st);
   find_crossing(st, arena);
   util_dynarray_fini(&st->all);
   util_dynarray_fini(&st->globals);
   util_dynarray_fini(&st->stack);
   util_dynarray_fini(&st->out);
}

struct eu_liveness *
eu_calculate_liveness(struct eu_shader *s, unsigned granule_shift,
                      struct arena *arena)
{
   struct eu_liveness *lv = arena_new(arena, struct eu_liveness);
   struct lv_state st = { .s = s, .lv = lv, .arena = arena_create(NULL) };
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

   lv->start = arena_new_array(arena, int32_t, n);
   lv->end = arena_new_array(arena, int32_t, n);
   for (uint32_t v = 0; v < n; v++) {
      lv->start[v] = INT32_MAX;
      lv->end[v] = -1;
   }

   analyse(&st, arena);
   arena_destroy(st.arena);

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
