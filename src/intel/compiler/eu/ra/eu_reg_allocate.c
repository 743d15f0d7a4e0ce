/* SPDX-License-Identifier: MIT */
/*
 * Register allocation: each VGRF gets as many consecutive GRFs as it has.
 *
 * The interference graph of eu_ra_graph.c is coloured. Which nodes are set
 * aside when none is safe decides whether it works out; no choice is best
 * for all shaders, so several are tried (as Bernstein et al. do for spills in
 * Spill code minimization techniques for optimizing compilers, 1989).
 *
 * Where far more is live than there are registers, VGRFs are spilled before
 * there is a graph (eu_ra_prespill.c). When no choice works, VGRFs that
 * conflict with the one that found no place are spilled, those with the
 * lowest cost (uses, weighted by loop depth) per degree first, and all is
 * done again.
 *
 * A spilled VGRF is kept in scratch memory, read before each use and written
 * after each definition by block messages of whole GRFs, NoMask. A definition
 * that leaves some bytes or some channels alone reads the old value first, so
 * that masked-off channels keep theirs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "eu_ra_graph.h"
#include "intel/compiler/eu/eu_messages.h"
#include "intel/compiler/eu/eu_pass.h"
#include "util/guard.h"

#define MAX_ROUNDS 64
/* With so many registers live at once, places can be taken in turn. */
#define MAX_IN_TURN 96
/* Registers that are left free where too many were live: what is spilled is
 * read into some, and values of several want them in one piece. */
#define SPILL_ROOM 8
/* But where only so many are too many, values go one by one, as few as do. */
#define FEW_TOO_MANY 16

struct ra {
   struct eu_shader *s;
   struct arena *arena;
   struct eu_liveness *lv;
   struct eu_ra_graph *graph;
   float *cost;   /* by VGRF, of spilling it; INFINITY: cannot be */
   uint16_t *reg; /* by VGRF, EU_RA_NONE: none */
};

/* ---- spilling ---- */

/* The node that costs least for what it frees: `failed` or one that conflicts
 * with it (any, for failed < 0). -1: none. */
static int64_t
choose_spill(const struct ra *ra, int64_t failed)
{
   const struct eu_ra_graph *g = ra->graph;
   const struct eu_ra_node *f = failed < 0 ? NULL : &g->nodes[failed];
   const uint32_t count = f ? f->num_edges + 1 : g->num_nodes;
   float best = INFINITY;
   int64_t choice = -1;

   for (uint32_t i = 0; i < count; i++) {
      const uint32_t n = !f ? i
                         : i < f->num_edges
                            ? g->edges[f->first_edge + i].other
                            : (uint32_t)failed;
      const struct eu_ra_node *node = &g->nodes[n];
      if (eu_ra_is_short(ra->lv, node->vgrf))
         continue;
      const float price = (node->cost + 0.1f) / (float)(node->degree + 1);
      if (price < best) {
         best = price;
         choice = n;
      }
   }
   return choice;
}

/* Offsets of block messages are 12 bits, in GRFs (PRM SKL vol 2d, MDC_OFFSET
 * of scratch block messages). */
#define MAX_SPILL_END_B (4096 * REG_SIZE_B)

/* Block messages move 1, 2, 4 or 8 GRFs (PRM SKL vol 2d, scratch block). */
static unsigned
block_grfs(unsigned left)
{
   return left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

static void
emit_fill(const struct eu_builder *at, eu_reg dst, unsigned grfs,
          unsigned offset_grf)
{
   struct eu_builder b = eu_exec_all(*at);

   b.group = 0;
   b.note = "fill";
   for (unsigned k = 0; k < grfs;) {
      const unsigned n = block_grfs(grfs - k);
      b.exec_size = n == 1 ? 8 : 16;
      eu_emit_send(
         &b,
         &(struct isa_message) { .msg = ISA_MSG_SCRATCH_READ,
                                 .scratch_grf = (uint16_t)n,
                                 .offset = (uint16_t)(offset_grf + k),
                                 .header = true,
                                 .mlen = 1,
                                 .rlen = (uint8_t)n },
         (eu_reg) { 0 }, eu_byte_offset(dst, k * REG_SIZE_B),
         eu_grf(0, ISA_TYPE_UD));
      k += n;
      b.s->fills++;
   }
}

/* GRFs in front of a value that is spilled, for the message's header: SENDS
 * takes header and data from different places, but exists from Gen9 on. */
static unsigned
spill_header_grfs(const struct eu_shader *s)
{
   return s->devinfo->eu.has_split_sends ? 0 : 1;
}

/*
 * Writes `grfs` registers to scratch, which follow the header in `temp`, if
 * there is one; the last register that a message has stored is then the next
 * message's header.
 */
static void
emit_spill(const struct eu_builder *at, eu_reg temp, unsigned grfs,
           unsigned offset_grf)
{
   struct eu_builder b = eu_exec_all(*at);
   const eu_reg g0 = eu_grf(0, ISA_TYPE_UD);
   const unsigned header_grfs = spill_header_grfs(b.s);
   const bool split = header_grfs == 0;

   b.group = 0;
   b.note = "spill";
   for (unsigned k = 0; k < grfs;) {
      const unsigned n = block_grfs(grfs - k);
      const eu_reg start = eu_byte_offset(temp, k * REG_SIZE_B);
      b.exec_size = 8;
      if (!split)
         eu_MOV(&b, start, g0);
      b.exec_size = n == 1 ? 8 : 16;
      struct eu_inst *inst = eu_emit_send(
         &b,
         &(struct isa_message) { .msg = ISA_MSG_SCRATCH_WRITE,
                                 .scratch_grf = (uint16_t)n,
                                 .offset = (uint16_t)(offset_grf + k),
                                 .header = true,
                                 .mlen = (uint8_t)(split ? 1 : 1 + n) },
         (eu_reg) { 0 }, (eu_reg) { 0 }, split ? g0 : start);
      if (split)
         eu_split_send(inst, start, n);
      inst->side_effects = true;
      k += n;
      b.s->spills++;
   }
}

/* GRFs [lo, hi) of the VGRF that an access touches. */
static void
touched(const eu_reg *r, unsigned size_B, unsigned *lo, unsigned *hi)
{
   *lo = r->offset / REG_SIZE_B;
   *hi = DIV_ROUND_UP(r->offset + size_B, REG_SIZE_B);
}

static void
spill_sources(struct eu_shader *s, struct eu_inst *inst, uint32_t v,
              unsigned slot_grf, struct util_dynarray *temps)
{
   const struct eu_builder b = eu_builder_before(s, inst);

   for (unsigned i = 0; i < inst->sources; i++) {
      unsigned lo, hi;

      if (inst->src[i].file != EU_VGRF || inst->src[i].nr != v)
         continue;
      touched(&inst->src[i], eu_size_read(inst, i), &lo, &hi);
      const uint32_t t = eu_alloc_vgrf(s, hi - lo);
      util_dynarray_append(temps, uint32_t, t);
      emit_fill(&b, eu_vgrf_reg(t, ISA_TYPE_UD), hi - lo, slot_grf + lo);
      inst->src[i].nr = t;
      inst->src[i].offset -= lo * REG_SIZE_B;
   }
}

static void
spill_dest(struct eu_shader *s, struct eu_inst *inst, uint32_t v,
           unsigned slot_grf, bool single_def, struct util_dynarray *temps)
{
   const struct eu_builder before = eu_builder_before(s, inst);
   const struct eu_builder after = eu_builder_after(s, inst);
   unsigned lo, hi;

   if (inst->op == EU_OP_UNDEF) {
      list_del(&inst->link);
      return;
   }
   touched(&inst->dst, inst->size_written, &lo, &hi);
   const unsigned header_grfs = spill_header_grfs(s);
   const uint32_t t = eu_alloc_vgrf(s, header_grfs + hi - lo);
   const eu_reg temp = eu_vgrf_reg(t, ISA_TYPE_UD);
   const eu_reg value = eu_byte_offset(temp, header_grfs * REG_SIZE_B);
   util_dynarray_append(temps, uint32_t, t);
   const bool whole = !eu_is_partial_write(inst) &&
                      (inst->nomask || single_def);
   if (!whole)
      emit_fill(&before, value, hi - lo, slot_grf + lo);
   inst->dst.nr = t;
   inst->dst.offset += header_grfs * REG_SIZE_B - lo * REG_SIZE_B;
   emit_spill(&after, temp, hi - lo, slot_grf + lo);
}

/* VGRFs of one round, in the order in which they were chosen. */
struct spills {
   struct spill {
      uint32_t vgrf;
      unsigned slot_grf;
      unsigned defs, def_depth; /* in how many loops is one of them */
   } * list;
   uint32_t count;
   uint32_t *index;      /* by VGRF: in the list, + 1 */
   uint32_t count_vgrfs; /* that there were */
   struct util_dynarray *temps;
};

static struct spill *
spill_of(const struct spills *sp, const eu_reg *r)
{
   return r->file == EU_VGRF && r->nr < sp->count_vgrfs && sp->index[r->nr]
             ? &sp->list[sp->index[r->nr] - 1]
             : NULL;
}

static void
count_spilled_defs(struct eu_shader *s, const struct spills *sp)
{
   unsigned depth = 0;

   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      struct spill *spill = spill_of(sp, &inst->dst);

      depth += inst->op == EU_OP_DO;
      depth -= inst->op == ISA_OPCODE_WHILE;
      if (spill && inst->op != EU_OP_UNDEF) {
         spill->defs++;
         spill->def_depth = MAX2(spill->def_depth, depth);
      }
   }
}

/* The one that was chosen first of those that the instruction still names;
 * NULL: none. */
static struct spill *
next_spill(const struct spills *sp, const struct eu_inst *inst)
{
   struct spill *next = inst->size_written ? spill_of(sp, &inst->dst) : NULL;

   for (unsigned i = 0; i < inst->sources; i++) {
      struct spill *other = spill_of(sp, &inst->src[i]);
      if (other && (!next || other < next))
         next = other;
   }
   return next;
}

static void
spill_in(struct eu_shader *s, struct eu_inst *inst, const struct spill *spill,
         struct util_dynarray *temps)
{
   const bool is_dest = inst->dst.file == EU_VGRF &&
                        inst->dst.nr == spill->vgrf && inst->size_written;
   /* Other channels' values cannot be lost by a definition that is the only
    * one and runs once. */
   const bool single = spill->defs == 1 && spill->def_depth == 0;

   spill_sources(s, inst, spill->vgrf, spill->slot_grf, temps);
   if (is_dest)
      spill_dest(s, inst, spill->vgrf, spill->slot_grf, single, temps);
}

static void
spill_vgrfs(struct eu_shader *s, struct spills *sp)
{
   count_spilled_defs(s, sp);
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      const struct spill *spill;

      /* An UNDEF is gone after its first. */
      while ((spill = next_spill(sp, inst))) {
         const bool gone = inst->op == EU_OP_UNDEF;
         spill_in(s, inst, spill, sp->temps);
         if (gone)
            break;
      }
   }
}

/* ---- the whole ---- */

static void
rewrite(struct ra *ra)
{
   list_for_each_entry_safe(struct eu_inst, inst, &ra->s->insts, link) {
      if (inst->op == EU_OP_UNDEF) {
         list_del(&inst->link);
         continue;
      }
      for (int i = -1; i < inst->sources; i++) {
         eu_reg *r = i < 0 ? &inst->dst : &inst->src[i];
         if (r->file != EU_VGRF)
            continue;
         const unsigned at = ra->reg[r->nr] * REG_SIZE_B + r->offset;
         r->file = EU_GRF;
         r->nr = at / REG_SIZE_B;
         r->offset = at % REG_SIZE_B;
      }
   }
}

/* In debug builds, and where the user wants it checked. */
static void
check(const struct ra *ra)
{
   char msg[256];

#ifdef NDEBUG
   if (!(ra->s->debug & INTEL_DEBUG_VALIDATE))
      return;
#endif
   if (!eu_check_allocation(ra->s, ra->reg, msg, sizeof(msg))) {
      fprintf(stderr, "fs register allocation: %s\n", msg);
      eu_print(ra->s, stderr);
      guard_internal_error("register allocation: %s", msg);
   }
}

/* -1, or the node that found no place when the last heuristic was tried: the
 * only one where more is live at once than there are registers. */
static int64_t
colour(struct ra *ra, uint32_t pressure)
{
   const unsigned last = 2 * EU_RA_HEURISTICS - 1;
   int64_t failed = -1;

   if (pressure <= MAX_IN_TURN &&
       eu_ra_colour(ra->graph, EU_RA_LATEST, EU_RA_AFFINITIES | EU_RA_IN_TURN,
                    ra->reg) < 0)
      return -1;
   for (unsigned i = pressure > EU_MAX_GRF ? last : 0; i <= last; i++) {
      failed = eu_ra_colour(ra->graph, (enum eu_ra_heuristic)(i / 2),
                            i % 2 == 0 ? EU_RA_AFFINITIES : 0, ra->reg);
      if (failed < 0)
         return -1;
   }
   return failed;
}

static void
prepare(struct ra *ra, const struct util_dynarray *temps)
{
   struct eu_shader *s = ra->s;

   ra->lv = eu_calculate_liveness(s, EU_GRANULE_GRF, ra->arena);
   ra->cost = eu_ra_find_costs(s, ra->arena);
   /* Those of spill code only exist to be short. */
   util_dynarray_foreach(temps, uint32_t, t)
      ra->cost[*t] = INFINITY;
}

static void
make_graph(struct ra *ra)
{
   struct eu_shader *s = ra->s;

   ra->graph = eu_ra_graph_create(s, ra->lv, ra->cost, ra->arena);
   ra->reg = arena_new_array(ra->arena, uint16_t, s->num_vgrfs + 1);
   for (uint32_t v = 0; v < s->num_vgrfs; v++)
      ra->reg[v] = EU_RA_NONE;
}

/* How many of them it spilled. */
static unsigned
spill_chosen(struct ra *ra, const uint32_t *vgrfs, unsigned count,
             struct util_dynarray *temps)
{
   struct eu_shader *s = ra->s;
   struct spills sp = { .temps = temps, .count_vgrfs = s->num_vgrfs };

   sp.list = arena_new_array(ra->arena, struct spill, count + 1);
   sp.index = arena_new_array(ra->arena, uint32_t, s->num_vgrfs + 1);
   while (sp.count < count) {
      const uint32_t v = vgrfs[sp.count];
      sp.list[sp.count++] =
         (struct spill) { .vgrf = v, .slot_grf = s->scratch_B / REG_SIZE_B };
      sp.index[v] = sp.count;
      s->scratch_B += s->vgrf_size[v] * REG_SIZE_B;
      if (s->scratch_B > MAX_SPILL_END_B) {
         eu_fail(s, "spills beyond %u bytes of scratch space",
                 MAX_SPILL_END_B);
         return sp.count;
      }
   }
   spill_vgrfs(s, &sp);
   if (s->most_spills && s->spills > s->most_spills)
      eu_fail(s, "more than %u spills", s->most_spills);
   return sp.count;
}

/* Around a node that found no place, or anywhere (failed < 0). */
static unsigned
spill_some(struct ra *ra, int64_t failed, unsigned most,
           struct util_dynarray *temps)
{
   uint32_t *chosen = arena_new_array(ra->arena, uint32_t, most + 1);
   unsigned count = 0;

   while (count < most) {
      const int64_t n = choose_spill(ra, failed);
      if (n < 0)
         break;
      chosen[count++] = ra->graph->nodes[n].vgrf;
      ra->graph->nodes[n].cost = INFINITY;
   }
   return spill_chosen(ra, chosen, count, temps);
}

/* Where many more are live at once than there are registers, no graph has to
 * say so: room for those of spill code, too. */
static unsigned
prespill(struct ra *ra, struct util_dynarray *temps)
{
   struct eu_shader *s = ra->s;
   uint32_t *chosen = arena_new_array(ra->arena, uint32_t, s->num_vgrfs + 1);
   const uint32_t count = eu_ra_choose_for_pressure(
      s, ra->lv, ra->cost, EU_MAX_GRF - SPILL_ROOM, ra->arena, chosen);

   return spill_chosen(ra, chosen, count, temps);
}

/* Both sides of a copy may have got the same place. */
static bool
is_identity(const struct eu_inst *inst)
{
   const eu_reg *d = &inst->dst, *r = &inst->src[0];

   return inst->op == ISA_OPCODE_MOV && !inst->align16 && !inst->saturate &&
          inst->cond_mod == ISA_COND_MOD_NONE && d->file == EU_GRF &&
          r->file == EU_GRF && !r->negate && !r->abs && !r->region &&
          eu_reg_offset(d) == eu_reg_offset(r) && d->type == r->type &&
          (d->stride == r->stride || inst->exec_size == 1);
}

static void
drop_identities(struct eu_shader *s)
{
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (is_identity(inst))
         list_del(&inst->link);
   }
}

/* One attempt; whether everything has its place. */
static bool
try_to_allocate(struct ra *ra, unsigned round, bool spill_all,
                struct util_dynarray *temps)
{
   struct eu_shader *s = ra->s;

   prepare(ra, temps);
   const uint32_t pressure =
      eu_most_live(s, eu_count_live(s, ra->lv, ra->arena));
   if (round == 0)
      s->max_live_grf = pressure;
   if (!spill_all && pressure > EU_MAX_GRF + FEW_TOO_MANY &&
       prespill(ra, temps))
      return false;
   make_graph(ra);
   if (spill_all) {
      spill_some(ra, -1, s->num_vgrfs, temps);
      return false;
   }
   const int64_t failed = colour(ra, pressure);
   if (failed < 0) {
      check(ra);
      rewrite(ra);
      drop_identities(s);
      return true;
   }
   /* A few more each time: liveness is new for each round. */
   if (!spill_some(ra, failed, 1 + round, temps))
      eu_fail(s, "no registers left for a value of %u registers",
              ra->graph->nodes[failed].size);
   return false;
}

bool
eu_allocate_registers(struct eu_shader *s)
{
   struct util_dynarray temps = { 0 };
   const bool spill_all = (s->debug & INTEL_DEBUG_SPILL) != 0;
   const bool virtual = s->num_vgrfs > 0;
   bool done = false;

   for (unsigned round = 0; round < MAX_ROUNDS && !done && !s->failed;
        round++) {
      struct ra ra = { .s = s, .arena = arena_create(NULL) };

      done = try_to_allocate(&ra, round, spill_all && round == 0, &temps);
      arena_destroy(ra.arena);
   }
   util_dynarray_fini(&temps);
   if (!done && !s->failed)
      eu_fail(s, "register allocation did not end");
   return done && virtual;
}
