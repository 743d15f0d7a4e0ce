/* SPDX-License-Identifier: MIT */
/*
 * List scheduling of straight pieces of code, before and after registers
 * are allocated.
 *
 * A piece ends at control flow and at instructions that everything is
 * ordered by (the control register, the end of the thread). Within it, an
 * instruction follows what writes its sources, what reads or writes its
 * destination and flags, and, for memory, the side effects before it, but
 * for stores to other buffers where these are not the same memory. Of
 * those that may go next, the one that can start first is taken, and among
 * equals the one with the longest way of latencies (eu_latency) to the end.
 *
 * Before allocation the dependencies are those of values alone, so there is
 * more freedom, and long latencies are started early at the cost of
 * registers. If a piece then needs more registers than the limit and more
 * than in the order it was given, the next try is one that prefers what frees
 * registers while many are live, then ones that do not look so far ahead of
 * the instruction that comes first in that order; in the end that order
 * stays.
 * An UNDEF, which has no code, goes where its register is first written.
 * What is hardly ever executed looks less far ahead from the start. An order
 * that needs more registers than there are is first replaced by that of need,
 * if it needs fewer: effects, and what nobody in a piece reads, as they were,
 * each after what it alone is still waiting for.
 */
#include "eu_schedule.h"
#include "eu_pass.h"

/* Of 128, some are left over between those that lie together: payloads. */
#define PRESSURE_LIMIT 106
#define FEWER_REGISTERS 92

/* Stores to other buffers that a load looks back over. */
#define MAX_PASSED_STORES 16

/* What needs fewer registers goes first when so many are left. */
#define PRESSURE_MARGIN 6

/* One try each: instructions to look ahead of the first that is left; whether
 * registers count, too. */
static const struct eu_sched_attempt attempts[] = {
   { UINT32_MAX, false }, { 256, true }, { 128, false },
   { 64, false },         { 24, false }, { 8, false },
};
#define FIRST_UNLIKELY_ATTEMPT 1

static void
add_edge(struct eu_sched *sc, int32_t from, uint32_t to, uint32_t latency)
{
   if (from < 0 || (uint32_t)from == to)
      return;
   struct eu_sched_node *f = &sc->nodes[from];
   struct eu_sched_edge e = { to, latency, f->edges };

   f->edges =
      (int32_t)util_dynarray_num_elements(&sc->edges, struct eu_sched_edge);
   util_dynarray_append(&sc->edges, struct eu_sched_edge, e);
   sc->nodes[to].num_preds++;
}

static struct eu_sched_reg *
touch(struct eu_sched *sc, uint32_t reg)
{
   struct eu_sched_reg *r = &sc->regs[reg];

   if (r->writer == -2) {
      r->writer = r->readers = -1;
      r->noted = r->touches = 0;
      r->undef = -1;
      util_dynarray_append(&sc->touched, uint32_t, reg);
   }
   return r;
}

static bool
is_flag(const struct eu_sched *sc, uint32_t reg)
{
   return reg >= sc->flag_base && reg < sc->acc_reg;
}

static uint32_t
latency_of(const struct eu_sched *sc, uint32_t reg, int32_t writer)
{
   return is_flag(sc, reg) ? ISA_LATENCY_FLAG
                           : eu_latency(sc->nodes[writer].inst);
}

static void
read_reg(struct eu_sched *sc, uint32_t reg, uint32_t n)
{
   struct eu_sched_reg *r = touch(sc, reg);
   struct eu_sched_reader rd = { n, r->readers };

   if (r->writer >= 0)
      add_edge(sc, r->writer, n, latency_of(sc, reg, r->writer));
   r->readers = (int32_t)util_dynarray_num_elements(&sc->readers,
                                                    struct eu_sched_reader);
   util_dynarray_append(&sc->readers, struct eu_sched_reader, rd);
}

static void
write_reg(struct eu_sched *sc, uint32_t reg, uint32_t n)
{
   struct eu_sched_reg *r = touch(sc, reg);

   /* Conditions come out in order, one write does not wait for another. */
   if (r->writer >= 0)
      add_edge(sc, r->writer, n,
               is_flag(sc, reg) ? 0 : latency_of(sc, reg, r->writer));
   for (int32_t i = r->readers; i >= 0;) {
      const struct eu_sched_reader *rd =
         util_dynarray_element(&sc->readers, struct eu_sched_reader, i);
      add_edge(sc, (int32_t)rd->node, n, 0);
      i = rd->next;
   }
   r->writer = (int32_t)n;
   r->readers = -1;
}

/* Once for each node that touches a register. */
static void
note_var(struct eu_sched *sc, uint32_t v, uint32_t n)
{
   struct eu_sched_reg *r = touch(sc, v);

   if (r->noted == n + 1)
      return;
   r->noted = n + 1;
   r->touches++;
   util_dynarray_append(&sc->vars, uint32_t, v);
}

static bool
reads_memory(const struct eu_inst *inst)
{
   return eu_is_send(inst) && inst->sfid != ISA_SFID_CONST_CACHE &&
          inst->sfid != ISA_SFID_SAMPLER;
}

/* The last effect that a load must come after; -1: none. Where storage
 * buffers are not the same memory, stores into others do not matter. */
static int32_t
effect_before(struct eu_sched *sc, const struct eu_inst *load)
{
   const nir_shader *nir = sc->s->nir;
   const bool apart = nir && nir->info.buffers_are_apart && load->storage;
   uint32_t count = util_dynarray_num_elements(&sc->effects, uint32_t);

   for (unsigned passed = 0; count; passed++, count--) {
      const uint32_t e =
         *util_dynarray_element(&sc->effects, uint32_t, count - 1);
      const unsigned to = sc->nodes[e].inst->storage;
      if (!apart || !to || to == load->storage || passed == MAX_PASSED_STORES)
         return (int32_t)e;
      sc->s->prog_data.cs->wants_buffers_apart = true;
   }
   return -1;
}

static void
add_dependencies(struct eu_sched *sc, uint32_t n)
{
   const struct eu_inst *inst = sc->nodes[n].inst;
   uint32_t first, end;

   sc->nodes[n].vars = util_dynarray_num_elements(&sc->vars, uint32_t);
   for (unsigned i = 0; i < inst->sources; i++) {
      if (!eu_vars_of(sc->lv, &inst->src[i], eu_size_read(inst, i), &first,
                      &end))
         continue;
      for (uint32_t r = first; r < end; r++) {
         read_reg(sc, r, n);
         note_var(sc, r, n);
      }
   }
   const unsigned fr = eu_flags_read(inst), fw = eu_flags_written(inst);
   sc->nodes[n].flags_read = (uint8_t)fr;
   for (unsigned f = 0; f < 4; f++) {
      if (fr & (1u << f))
         read_reg(sc, sc->flag_base + f, n);
   }
   if (eu_uses_acc(inst))
      read_reg(sc, sc->acc_reg, n);

   if (eu_vars_of(sc->lv, &inst->dst, inst->size_written, &first, &end)) {
      for (uint32_t r = first; r < end; r++) {
         write_reg(sc, r, n);
         note_var(sc, r, n);
      }
   }
   for (unsigned f = 0; f < 4; f++) {
      if (fw & (1u << f))
         write_reg(sc, sc->flag_base + f, n);
   }
   if (eu_writes_acc(inst))
      write_reg(sc, sc->acc_reg, n);

   sc->nodes[n].end_vars = util_dynarray_num_elements(&sc->vars, uint32_t);
   if (inst->side_effects) {
      /* After the effect before it, and the reads since. */
      add_edge(sc, sc->last_effect, n, 2);
      util_dynarray_foreach(&sc->reads, uint32_t, k)
         add_edge(sc, (int32_t)*k, n, 2);
      util_dynarray_clear(&sc->reads);
      sc->last_effect = (int32_t)n;
      util_dynarray_append(&sc->effects, uint32_t, n);
   } else if (reads_memory(inst)) {
      add_edge(sc, effect_before(sc, inst), n, 2);
      util_dynarray_append(&sc->reads, uint32_t, n);
   }
}

/* Longest way to the end, from the back. */
static void
compute_delays(struct eu_sched *sc)
{
   for (uint32_t n = sc->num_nodes; n-- > 0;) {
      struct eu_sched_node *nd = &sc->nodes[n];

      nd->delay = eu_latency(nd->inst);
      for (int32_t e = nd->edges; e >= 0;) {
         const struct eu_sched_edge *ed =
            util_dynarray_element(&sc->edges, struct eu_sched_edge, e);
         nd->delay = MAX2(nd->delay, ed->latency + sc->nodes[ed->to].delay);
         e = ed->next;
      }
      nd->delay += eu_issue_cycles(nd->inst);
   }
}

/* ---- the order ---- */

/* A node that waits for none goes where it belongs at time `now`, with
 * `first` the first node that is left: among those that can start, the one
 * with the longest way to the end is next. */
static void
add_ready(struct eu_sched *sc, uint32_t n, uint32_t first, uint32_t now)
{
   const struct eu_sched_node *nd = &sc->nodes[n];
   const uint64_t way = UINT32_MAX - nd->delay;

   if (nd->place - sc->nodes[first].place > sc->attempt.window)
      util_heap_push(&sc->far, 0, n);
   else if (nd->ready_at > now)
      util_heap_push(&sc->later, (uint64_t)nd->ready_at << 32 | way, n);
   else
      util_heap_push(&sc->open, way, n);
}

/* The node of the heap that needs the fewest registers goes to its front. */
static int32_t
bring_cheapest(struct eu_sched *sc, struct util_heap *h)
{
   int32_t least = INT32_MAX;
   uint32_t at = 0;

   for (uint32_t i = 0; i < h->count; i++) {
      const int32_t more = eu_sched_cost(sc, h->entries[i].value, false);
      if (more < least ||
          (more == least &&
           util_heap_before(&h->entries[i], &h->entries[at]))) {
         least = more;
         at = i;
      }
   }
   if (h->count)
      util_heap_decrease_key(h, at);
   return least;
}

/* One that has to wait only if all others need more registers. */
static uint32_t
cheapest_node(struct eu_sched *sc)
{
   const int32_t now = bring_cheapest(sc, &sc->open);
   const int32_t later = now > 0 ? bring_cheapest(sc, &sc->later) : now;

   return util_heap_pop(
      !sc->open.count || later <= MIN2(0, now - 1) ? &sc->later : &sc->open);
}

static uint32_t
flags_ready(const struct eu_sched *sc, const struct eu_sched_node *nd)
{
   uint32_t when = nd->ready_at;

   for (unsigned i = 0; i < 2; i++) {
      if (nd->flags_read & (3u << (2 * i)))
         when = MAX2(when, sc->flag_time[i]);
   }
   return when;
}

/* The node that can start first. The first that is left is ready: what it
 * waits for is before it. */
static uint32_t
next_node(struct eu_sched *sc, uint32_t first, uint32_t now)
{
   while (sc->far.count && sc->nodes[sc->far.entries[0].value].place -
                                 sc->nodes[first].place <=
                              sc->attempt.window)
      add_ready(sc, util_heap_pop(&sc->far), first, now);
   while (sc->later.count && sc->later.entries[0].key >> 32 <= now)
      add_ready(sc, util_heap_pop(&sc->later), first, now);
   if (sc->attempt.pressure_mode &&
       sc->live_now + PRESSURE_MARGIN >= (int32_t)sc->limit)
      return cheapest_node(sc);
   while (sc->open.count) {
      const uint32_t n = util_heap_pop(&sc->open);
      struct eu_sched_node *nd = &sc->nodes[n];
      nd->ready_at = flags_ready(sc, nd);
      if (nd->ready_at <= now)
         return n;
      add_ready(sc, n, first, now);
   }
   return util_heap_pop(&sc->later);
}

static void
mark_flags(struct eu_sched *sc, const struct eu_inst *inst, uint32_t now)
{
   for (unsigned i = 0; i < 2; i++) {
      if (eu_flags_written(inst) & (3u << (2 * i)))
         sc->flag_time[i] = now + ISA_LATENCY_FLAG;
   }
}

static void
run_list(struct eu_sched *sc)
{
   uint32_t now = 0, first = 0;

   sc->far.count = sc->later.count = sc->open.count = sc->num_ordered = 0;
   sc->flag_time[0] = sc->flag_time[1] = 0;
   for (uint32_t n = 0; n < sc->num_nodes; n++) {
      struct eu_sched_node *nd = &sc->nodes[n];

      nd->preds_left = nd->num_preds;
      nd->ready_at = 0;
      nd->done = false;
   }
   for (uint32_t n = 0; n < sc->num_nodes; n++) {
      if (!sc->nodes[n].num_preds)
         add_ready(sc, n, first, now);
   }
   if (sc->attempt.pressure_mode)
      eu_sched_begin_count(sc);
   for (uint32_t left = sc->num_nodes; left; left--) {
      while (sc->nodes[first].done)
         first++;
      const uint32_t n = next_node(sc, first, now);
      struct eu_sched_node *nd = &sc->nodes[n];
      nd->done = true;
      if (sc->attempt.pressure_mode)
         sc->live_now += eu_sched_cost(sc, n, true);

      now = MAX2(now, flags_ready(sc, nd)) + eu_issue_cycles(nd->inst);
      mark_flags(sc, nd->inst, now);
      sc->order[sc->num_ordered++] = n;
      for (int32_t e = nd->edges; e >= 0;) {
         const struct eu_sched_edge *ed =
            util_dynarray_element(&sc->edges, struct eu_sched_edge, e);
         struct eu_sched_node *to = &sc->nodes[ed->to];
         to->ready_at = MAX2(to->ready_at, now + ed->latency);
         if (--to->preds_left == 0)
            add_ready(sc, ed->to, first, now);
         e = ed->next;
      }
   }
   if (!sc->allocated)
      eu_sched_sink_undefs(sc);
}

/* What a node waits for is needed by the same one, or one before, and is in
 * front of it. */
static void
run_on_demand(struct eu_sched *sc)
{
   sc->open.count = sc->num_ordered = 0;
   for (uint32_t n = sc->num_nodes; n-- > 0;) {
      struct eu_sched_node *nd = &sc->nodes[n];

      const bool root = nd->edges < 0 || nd->inst->side_effects;
      nd->needed_by = root ? n : UINT32_MAX;
      for (int32_t e = nd->edges; e >= 0;) {
         const struct eu_sched_edge *ed =
            util_dynarray_element(&sc->edges, struct eu_sched_edge, e);
         nd->needed_by = MIN2(nd->needed_by, sc->nodes[ed->to].needed_by);
         e = ed->next;
      }
      util_heap_push(&sc->open, nd->needed_by, n);
   }
   while (sc->open.count)
      sc->order[sc->num_ordered++] = util_heap_pop(&sc->open);
   eu_sched_sink_undefs(sc);
}

/* ---- pieces ---- */

static void
find_dependencies(struct eu_sched *sc)
{
   util_dynarray_foreach(&sc->touched, uint32_t, r)
      sc->regs[*r].writer = -2;
   util_dynarray_clear(&sc->touched);
   util_dynarray_clear(&sc->edges);
   util_dynarray_clear(&sc->readers);
   util_dynarray_clear(&sc->reads);
   util_dynarray_clear(&sc->effects);
   util_dynarray_clear(&sc->vars);
   sc->last_effect = -1;
   uint32_t place = 0;
   for (uint32_t n = 0; n < sc->num_nodes; n++) {
      sc->nodes[n].edges = -1;
      sc->nodes[n].num_preds = 0;
      sc->nodes[n].place = place;
      place += !eu_info(sc->nodes[n].inst)->no_code;
   }
   for (uint32_t n = 0; n < sc->num_nodes; n++)
      add_dependencies(sc, n);
}

/* The order of this try is the one that the next starts from. */
static void
adopt_order(struct eu_sched *sc)
{
   for (uint32_t k = 0; k < sc->num_nodes; k++)
      sc->adopted[k] = sc->nodes[sc->order[k]].inst;
   for (uint32_t k = 0; k < sc->num_nodes; k++)
      sc->nodes[k].inst = sc->adopted[k];
   find_dependencies(sc);
}

static void
keep_order(struct eu_sched *sc)
{
   for (uint32_t k = 0; k < sc->num_nodes; k++)
      sc->order[k] = k;
}

/* Fewer registers than before if it can be, where there are more than
 * `limit`. */
static uint32_t
demand_order(struct eu_sched *sc, uint32_t limit)
{
   const uint32_t before = eu_sched_pressure(sc);

   if (before <= limit)
      return before;
   run_on_demand(sc);
   const uint32_t after = eu_sched_pressure(sc);
   if (after >= before)
      return before;
   adopt_order(sc);
   return after;
}

/* Whether the order does with the registers that there are, or, if it looks
 * at all that is ready, with as many as the one it was made of. Orders that
 * look less far ahead are for pieces that need not spill: in others their
 * values live longer. */
static bool
fits(struct eu_sched *sc, uint32_t before)
{
   const uint32_t after = eu_sched_pressure(sc);

   return after <= sc->limit ||
          (sc->attempt.window == UINT32_MAX && after <= before);
}

/* Whether one of the attempts from that one on fits. */
static bool
find_fitting(struct eu_sched *sc, unsigned first, uint32_t before)
{
   compute_delays(sc);
   for (unsigned i = first; i < ARRAY_SIZE(attempts); i++) {
      sc->attempt = attempts[i];
      run_list(sc);
      if (sc->allocated || fits(sc, before))
         return true;
   }
   return false;
}

/* The registers of a routine are kept from all that calls it. */
static void
find_order(struct eu_sched *sc, enum eu_sched_place place)
{
   unsigned first = 0;
   uint32_t before = 0;

   keep_order(sc);
   if (!sc->allocated) {
      before = demand_order(sc, place == EU_SCHED_ROUTINE ? 0 : sc->limit);
      first = place == EU_SCHED_LIKELY ? 0 : FIRST_UNLIKELY_ATTEMPT;
   }
   if ((place == EU_SCHED_ROUTINE && !sc->allocated) ||
       !find_fitting(sc, first, before))
      keep_order(sc);
}

static bool
schedule_piece(struct eu_sched *sc, enum eu_sched_place place)
{
   bool changed = false;

   if (sc->num_nodes < 3)
      return false;
   struct list_head *before = sc->nodes[sc->num_nodes - 1].inst->link.next;
   const struct eu_inst *first = sc->nodes[0].inst;

   sc->start_ip = first->ip;
   find_dependencies(sc);
   find_order(sc, place);
   for (uint32_t k = 0; k < sc->num_nodes; k++) {
      struct eu_inst *inst = sc->nodes[sc->order[k]].inst;

      changed |= inst->ip != sc->start_ip + k;
      list_del(&inst->link);
      list_addtail(&inst->link, before);
   }
   return changed;
}

static bool
ends_piece(const struct eu_inst *inst)
{
   return eu_info(inst)->is_flow || eu_info(inst)->ends_block || inst->eot ||
          inst->op == ISA_OPCODE_WAIT || inst->op == EU_OP_ARGUMENT ||
          (inst->dst.file == EU_ARF && !eu_is_null(&inst->dst) &&
           (inst->dst.nr & 0xf0) != ISA_ARF_FLAG);
}

/* How many ENDIFs are left to the end of what is hardly ever executed. */
static unsigned
unlikely_depth(const struct eu_inst *inst, unsigned depth)
{
   if (inst->op == ISA_OPCODE_IF)
      return depth || inst->unlikely ? depth + 1 : 0;
   return depth && inst->op == ISA_OPCODE_ENDIF ? depth - 1 : depth;
}

static bool
schedule_all(struct eu_sched *sc)
{
   enum eu_sched_place place = EU_SCHED_LIKELY;
   unsigned depth = 0;
   bool changed = false;

   list_for_each_entry_safe(struct eu_inst, inst, &sc->s->insts, link) {
      if (!ends_piece(inst)) {
         sc->nodes[sc->num_nodes++].inst = inst;
         continue;
      }
      changed |= schedule_piece(sc, place);
      sc->num_nodes = 0;
      depth = unlikely_depth(inst, depth);
      place = inst->op == EU_OP_ARGUMENT ? EU_SCHED_ROUTINE
              : depth                    ? EU_SCHED_UNLIKELY
                                         : EU_SCHED_LIKELY;
   }
   return schedule_piece(sc, place) || changed;
}

static bool
schedule(struct eu_shader *s, bool allocated)
{
   struct eu_sched sc = { .s = s,
                          .arena = arena_create(NULL),
                          .allocated = allocated,
                          .limit = s->few_registers ? FEWER_REGISTERS
                                                    : PRESSURE_LIMIT };
   sc.lv = eu_calculate_liveness(s, EU_GRANULE_GRF, sc.arena);
   const uint32_t n = s->cfg.num_insts + 1;

   sc.flag_base = sc.lv->num_vars;
   sc.acc_reg = sc.flag_base + 4;
   sc.num_regs = sc.acc_reg + 1;
   sc.regs = arena_new_array(sc.arena, struct eu_sched_reg, sc.num_regs);
   for (uint32_t i = 0; i < sc.num_regs; i++)
      sc.regs[i].writer = -2;
   sc.nodes = arena_new_array(sc.arena, struct eu_sched_node, n);
   sc.order = arena_new_array(sc.arena, uint32_t, n);
   sc.adopted = arena_new_array(sc.arena, struct eu_inst *, n);
   sc.before = arena_new_array(sc.arena, uint32_t, n);
   sc.far.entries = arena_new_array(sc.arena, struct util_heap_entry, 3 * n);
   sc.later.entries = sc.far.entries + n;
   sc.open.entries = sc.later.entries + n;
   if (!allocated)
      eu_sched_count_live(&sc);
   const bool changed = schedule_all(&sc);
   util_dynarray_fini(&sc.edges);
   util_dynarray_fini(&sc.readers);
   util_dynarray_fini(&sc.touched);
   util_dynarray_fini(&sc.reads);
   util_dynarray_fini(&sc.effects);
   util_dynarray_fini(&sc.vars);
   arena_destroy(sc.arena);
   return changed;
}

bool
eu_schedule(struct eu_shader *s)
{
   return schedule(s, false);
}

bool
eu_schedule_allocated(struct eu_shader *s)
{
   return schedule(s, true);
}
