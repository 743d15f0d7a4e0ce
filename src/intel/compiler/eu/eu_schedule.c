/* SPDX-License-Identifier: MIT */
/*
 * List scheduling of straight pieces of code, before and after registers
 * are allocated.
 *
 * A piece ends at control flow and at instructions that everything is
 * ordered by (the control register, the end of the thread). Within it, an
 * instruction follows what writes its sources, what reads or writes its
 * destination and flags, and, for memory, the side effects before it. Of
 * those that may go next, the one that can start first is taken, and among
 * equals the one with the longest way of latencies (eu_latency) to the end.
 *
 * Before allocation the dependencies are those of values alone, so there is
 * more freedom, and long latencies are started early at the cost of
 * registers. If a schedule needs more than PRESSURE_LIMIT registers and more
 * than the order it was given, the next is one that does not look so far
 * ahead of the instruction that comes first in that order; in the end that
 * order stays. What is hardly ever executed is the first to keep its order,
 * which needs few. An order that needs more registers than there are is first
 * replaced by that of need, if it needs fewer: effects, and what nobody in a
 * piece reads, as they were, each after what it alone is still waiting for.
 */
#include "eu_ir.h"

#define PRESSURE_LIMIT 106

/* One try each: instructions to look ahead of the first that is left, in
 * what is hardly ever executed, too (0: it keeps its order). */
static const struct attempt {
   uint32_t window, seldom_window;
} attempts[] = {
   { UINT32_MAX, 128 }, { UINT32_MAX, 32 }, { UINT32_MAX, 0 },
   { 64, 0 },           { 24, 0 },          { 8, 0 },
};

struct edge {
   uint32_t to;
   uint32_t latency;
   int32_t next;
};

struct node {
   struct eu_inst *inst;
   int32_t edges; /* in sched.edges */
   uint32_t num_preds;
   uint32_t ready_at, delay;
   uint32_t needed_by; /* the first effect or node without successors */
   bool done;
};

struct reader {
   uint32_t node;
   int32_t next;
};

/* Per register: who wrote it last, who has read it since. */
struct reg_state {
   int32_t writer, readers;
};

/* The smallest key first, of equal ones the node that was given first. */
struct heap {
   struct heap_entry {
      uint64_t key;
      uint32_t node;
   } * entries;
   uint32_t count;
};

struct sched {
   struct eu_shader *s;
   struct arena *arena;
   const struct eu_liveness *lv;
   struct node *nodes;
   uint32_t num_nodes, max_nodes;
   struct util_dynarray edges, readers, touched;
   struct util_dynarray reads; /* of memory, since the last effect */
   struct reg_state *regs;
   uint32_t num_regs, flag_base, acc_reg;
   int32_t last_effect;
   struct attempt attempt;
   uint32_t window; /* of the piece */
   bool by_need;    /* instead */
   /* Nodes that wait for none: those too far ahead, those whose sources come
    * later, and those that may start. */
   struct heap far, later, open;
};

static void
add_edge(struct sched *sc, int32_t from, uint32_t to, uint32_t latency)
{
   if (from < 0 || (uint32_t)from == to)
      return;
   struct node *f = &sc->nodes[from];
   struct edge e = { to, latency, f->edges };

   f->edges = (int32_t)util_dynarray_num_elements(&sc->edges, struct edge);
   util_dynarray_append(&sc->edges, struct edge, e);
   sc->nodes[to].num_preds++;
}

static struct reg_state *
touch(struct sched *sc, uint32_t reg)
{
   struct reg_state *r = &sc->regs[reg];

   if (r->writer == -2) {
      r->writer = r->readers = -1;
      util_dynarray_append(&sc->touched, uint32_t, reg);
   }
   return r;
}

static void
read_reg(struct sched *sc, uint32_t reg, uint32_t n)
{
   struct reg_state *r = touch(sc, reg);
   struct reader rd = { n, r->readers };

   if (r->writer >= 0)
      add_edge(sc, r->writer, n, eu_latency(sc->nodes[r->writer].inst));
   r->readers =
      (int32_t)util_dynarray_num_elements(&sc->readers, struct reader);
   util_dynarray_append(&sc->readers, struct reader, rd);
}

static void
write_reg(struct sched *sc, uint32_t reg, uint32_t n)
{
   struct reg_state *r = touch(sc, reg);

   add_edge(sc, r->writer, n, 2);
   for (int32_t i = r->readers; i >= 0;) {
      const struct reader *rd =
         util_dynarray_element(&sc->readers, struct reader, i);
      add_edge(sc, (int32_t)rd->node, n, 0);
      i = rd->next;
   }
   r->writer = (int32_t)n;
   r->readers = -1;
}

static bool
reads_memory(const struct eu_inst *inst)
{
   return eu_is_send(inst) && inst->sfid != ISA_SFID_CONST_CACHE &&
          inst->sfid != ISA_SFID_SAMPLER;
}

static void
add_dependencies(struct sched *sc, uint32_t n)
{
   const struct eu_inst *inst = sc->nodes[n].inst;
   uint32_t first, end;

   for (unsigned i = 0; i < inst->sources; i++) {
      if (!eu_vars_of(sc->lv, &inst->src[i], eu_size_read(inst, i), &first,
                      &end))
         continue;
      for (uint32_t r = first; r < end; r++)
         read_reg(sc, r, n);
   }
   const unsigned fr = eu_flags_read(inst), fw = eu_flags_written(inst);
   for (unsigned f = 0; f < 4; f++) {
      if (fr & (1u << f))
         read_reg(sc, sc->flag_base + f, n);
   }
   if (eu_uses_acc(inst))
      read_reg(sc, sc->acc_reg, n);

   if (eu_vars_of(sc->lv, &inst->dst, inst->size_written, &first, &end)) {
      for (uint32_t r = first; r < end; r++)
         write_reg(sc, r, n);
   }
   for (unsigned f = 0; f < 4; f++) {
      if (fw & (1u << f))
         write_reg(sc, sc->flag_base + f, n);
   }
   if (eu_writes_acc(inst))
      write_reg(sc, sc->acc_reg, n);

   if (inst->side_effects) {
      /* After the effect before it, and the reads since. */
      add_edge(sc, sc->last_effect, n, 2);
      util_dynarray_foreach(&sc->reads, uint32_t, k)
         add_edge(sc, (int32_t)*k, n, 2);
      util_dynarray_clear(&sc->reads);
      sc->last_effect = (int32_t)n;
   } else if (reads_memory(inst)) {
      add_edge(sc, sc->last_effect, n, 2);
      util_dynarray_append(&sc->reads, uint32_t, n);
   }
}

/* Longest way to the end, from the back. */
static void
compute_delays(struct sched *sc)
{
   for (uint32_t n = sc->num_nodes; n-- > 0;) {
      struct node *nd = &sc->nodes[n];

      nd->delay = eu_latency(nd->inst);
      for (int32_t e = nd->edges; e >= 0;) {
         const struct edge *ed =
            util_dynarray_element(&sc->edges, struct edge, e);
         nd->delay = MAX2(nd->delay, ed->latency + sc->nodes[ed->to].delay);
         e = ed->next;
      }
   }
}

static uint32_t
issue_time(const struct eu_inst *inst)
{
   return inst->op == EU_OP_UNDEF ? 0 : inst->exec_size > 8 ? 4 : 2;
}

/* ---- heaps ---- */

static bool
goes_before(const struct heap_entry *a, const struct heap_entry *b)
{
   return a->key != b->key ? a->key < b->key : a->node < b->node;
}

static void
push(struct heap *h, uint64_t key, uint32_t node)
{
   const struct heap_entry n = { key, node };
   uint32_t i = h->count++;

   for (; i && goes_before(&n, &h->entries[(i - 1) / 2]); i = (i - 1) / 2)
      h->entries[i] = h->entries[(i - 1) / 2];
   h->entries[i] = n;
}

static uint32_t
pop(struct heap *h)
{
   const uint32_t top = h->entries[0].node;
   const struct heap_entry last = h->entries[--h->count];
   uint32_t i = 0, child;

   while ((child = 2 * i + 1) < h->count) {
      if (child + 1 < h->count &&
          goes_before(&h->entries[child + 1], &h->entries[child]))
         child++;
      if (!goes_before(&h->entries[child], &last))
         break;
      h->entries[i] = h->entries[child];
      i = child;
   }
   h->entries[i] = last;
   return top;
}

/* ---- the order ---- */

/* A node that waits for none goes where it belongs at time `now`, with
 * `first` the first node that is left: among those that can start, the one
 * with the longest way to the end is next. */
static void
add_ready(struct sched *sc, uint32_t n, uint32_t first, uint32_t now)
{
   const struct node *nd = &sc->nodes[n];
   const uint64_t way = UINT32_MAX - nd->delay;

   if (n - first > sc->window)
      push(&sc->far, 0, n);
   else if (nd->ready_at > now)
      push(&sc->later, (uint64_t)nd->ready_at << 32 | way, n);
   else
      push(&sc->open, way, n);
}

/* The node that can start first. The first that is left is ready: what it
 * waits for is before it. */
static uint32_t
next_node(struct sched *sc, uint32_t first, uint32_t now)
{
   while (sc->far.count && sc->far.entries[0].node - first <= sc->window)
      add_ready(sc, pop(&sc->far), first, now);
   while (sc->later.count && sc->later.entries[0].key >> 32 <= now)
      add_ready(sc, pop(&sc->later), first, now);
   return pop(sc->open.count ? &sc->open : &sc->later);
}

static void
run_list(struct sched *sc, struct list_head *before)
{
   uint32_t now = 0, first = 0;

   sc->far.count = sc->later.count = sc->open.count = 0;
   for (uint32_t n = 0; n < sc->num_nodes; n++) {
      if (!sc->nodes[n].num_preds)
         add_ready(sc, n, first, now);
   }
   for (uint32_t left = sc->num_nodes; left; left--) {
      while (sc->nodes[first].done)
         first++;
      struct node *nd = &sc->nodes[next_node(sc, first, now)];
      nd->done = true;

      now = MAX2(now, nd->ready_at) + issue_time(nd->inst);
      list_addtail(&nd->inst->link, before);
      for (int32_t e = nd->edges; e >= 0;) {
         const struct edge *ed =
            util_dynarray_element(&sc->edges, struct edge, e);
         struct node *to = &sc->nodes[ed->to];
         to->ready_at = MAX2(to->ready_at, now + ed->latency);
         if (--to->num_preds == 0)
            add_ready(sc, ed->to, first, now);
         e = ed->next;
      }
   }
}

/* What a node waits for is needed by the same one, or one before, and is in
 * front of it. */
static void
run_by_need(struct sched *sc, struct list_head *before)
{
   sc->open.count = 0;
   for (uint32_t n = sc->num_nodes; n-- > 0;) {
      struct node *nd = &sc->nodes[n];

      const bool root = nd->edges < 0 || nd->inst->side_effects;
      nd->needed_by = root ? n : UINT32_MAX;
      for (int32_t e = nd->edges; e >= 0;) {
         const struct edge *ed =
            util_dynarray_element(&sc->edges, struct edge, e);
         nd->needed_by = MIN2(nd->needed_by, sc->nodes[ed->to].needed_by);
         e = ed->next;
      }
      push(&sc->open, nd->needed_by, n);
   }
   while (sc->open.count)
      list_addtail(&sc->nodes[pop(&sc->open)].inst->link, before);
}

static void
schedule_piece(struct sched *sc)
{
   if (sc->num_nodes < 3)
      return;
   struct list_head *before = sc->nodes[sc->num_nodes - 1].inst->link.next;

   sc->last_effect = -1;
   util_dynarray_clear(&sc->edges);
   util_dynarray_clear(&sc->readers);
   util_dynarray_clear(&sc->reads);
   for (uint32_t n = 0; n < sc->num_nodes; n++)
      add_dependencies(sc, n);
   for (uint32_t n = 0; n < sc->num_nodes; n++)
      list_del(&sc->nodes[n].inst->link);
   if (sc->by_need) {
      run_by_need(sc, before);
   } else {
      compute_delays(sc);
      run_list(sc, before);
   }
   util_dynarray_foreach(&sc->touched, uint32_t, r)
      sc->regs[*r].writer = -2;
   util_dynarray_clear(&sc->touched);
}

static bool
ends_piece(const struct eu_inst *inst)
{
   return eu_info(inst)->is_flow || inst->eot ||
          inst->op == ISA_OPCODE_WAIT ||
          (inst->dst.file == EU_ARF && !eu_is_null(&inst->dst) &&
           (inst->dst.nr & 0xf0) != ISA_ARF_FLAG);
}

/* How many ENDIFs are left to the end of what is hardly ever executed. */
static unsigned
seldom_depth(const struct eu_inst *inst, unsigned depth)
{
   if (inst->op == ISA_OPCODE_IF)
      return depth || inst->seldom ? depth + 1 : 0;
   return depth && inst->op == ISA_OPCODE_ENDIF ? depth - 1 : depth;
}

static void
schedule_all(struct sched *sc)
{
   unsigned seldom = 0;

   sc->num_nodes = 0;
   list_for_each_entry_safe(struct eu_inst, inst, &sc->s->insts, link) {
      sc->window = seldom ? sc->attempt.seldom_window : sc->attempt.window;
      if (ends_piece(inst)) {
         schedule_piece(sc);
         sc->num_nodes = 0;
         seldom = seldom_depth(inst, seldom);
         continue;
      }
      if (!sc->window)
         continue;
      struct node *n = &sc->nodes[sc->num_nodes++];
      memset(n, 0, sizeof(*n));
      n->inst = inst;
      n->edges = -1;
   }
   schedule_piece(sc);
}

static uint32_t
pressure_now(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   const uint32_t p =
      eu_pressure(s, eu_calculate_liveness(s, EU_GRANULE_GRF, arena));

   arena_destroy(arena);
   return p;
}

/* Whether the order does with the registers that there are, or, if it looks
 * at all that is ready, with as many as the one it was made of. Orders that
 * look less far ahead are for programs that need not spill: in others their
 * values live longer. */
static bool
fits(struct sched *sc, uint32_t before)
{
   const uint32_t after = pressure_now(sc->s);

   return after <= PRESSURE_LIMIT ||
          (sc->attempt.window == UINT32_MAX && !sc->attempt.seldom_window &&
           after <= before);
}

static void
save_order(const struct eu_shader *s, struct eu_inst **order)
{
   uint32_t n = 0;

   list_for_each_entry(struct eu_inst, inst, &s->insts, link)
      order[n++] = inst;
}

static void
restore_order(struct eu_shader *s, struct eu_inst **order)
{
   list_inithead(&s->insts);
   for (uint32_t k = 0; k < s->cfg.num_insts; k++)
      list_addtail(&order[k]->link, &s->insts);
}

/* Whether that is the order now; how many registers it needs. */
static bool
order_by_need(struct sched *sc, struct eu_inst **order, uint32_t *pressure)
{
   sc->by_need = true;
   sc->attempt = (struct attempt) { UINT32_MAX, UINT32_MAX };
   schedule_all(sc);
   sc->by_need = false;
   const uint32_t after = pressure_now(sc->s);
   if (after >= *pressure) {
      restore_order(sc->s, order);
      return false;
   }
   save_order(sc->s, order);
   *pressure = after;
   return true;
}

static bool
schedule(struct eu_shader *s, bool after_allocation)
{
   struct sched sc = { .s = s, .arena = arena_create(NULL) };
   struct eu_inst **order;
   uint32_t before = 0, n = 0;
   bool changed = false;

   sc.lv = eu_calculate_liveness(s, EU_GRANULE_GRF, sc.arena);
   sc.flag_base = sc.lv->num_vars;
   sc.acc_reg = sc.flag_base + 4;
   sc.num_regs = sc.acc_reg + 1;
   sc.regs = arena_new_array(sc.arena, struct reg_state, sc.num_regs);
   for (uint32_t i = 0; i < sc.num_regs; i++)
      sc.regs[i].writer = -2;
   sc.nodes = arena_new_array(sc.arena, struct node, s->cfg.num_insts + 1);
   sc.far.entries = arena_new_array(sc.arena, struct heap_entry,
                                    3 * (s->cfg.num_insts + 1));
   sc.later.entries = sc.far.entries + s->cfg.num_insts + 1;
   sc.open.entries = sc.later.entries + s->cfg.num_insts + 1;
   order = arena_new_array(sc.arena, struct eu_inst *, s->cfg.num_insts + 1);
   save_order(s, order);

   if (!after_allocation)
      before = eu_pressure(s, sc.lv);
   if (before > PRESSURE_LIMIT)
      changed = order_by_need(&sc, order, &before);
   for (unsigned i = 0; i < ARRAY_SIZE(attempts); i++) {
      sc.attempt = attempts[i];
      schedule_all(&sc);
      if (after_allocation || fits(&sc, before))
         break;
      restore_order(s, order);
   }
   list_for_each_entry(struct eu_inst, inst, &s->insts, link)
      changed |= order[n++] != inst;
   util_dynarray_fini(&sc.edges);
   util_dynarray_fini(&sc.readers);
   util_dynarray_fini(&sc.touched);
   util_dynarray_fini(&sc.reads);
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
