/* SPDX-License-Identifier: MIT */
/* The registers that an order of instructions needs, within a piece of code,
 * when all that is around it stays: intervals as eu_liveness.c makes them. */
#include "eu_schedule.h"

static bool
live_before(const struct eu_sched *sc, uint32_t v)
{
   const int32_t start = v < sc->lv->num_fixed ? 0 : sc->lv->start[v];

   return start <= 2 * (int32_t)sc->start_ip;
}

static bool
live_after(const struct eu_sched *sc, uint32_t v)
{
   return sc->lv->end[v] >=
          2 * (int32_t)(sc->start_ip + sc->num_nodes - 1) + 1;
}

/* An UNDEF that waits goes into the order, for all of its registers. */
static void
place_undef(struct eu_sched *sc, uint32_t undef, uint32_t *count)
{
   const struct eu_sched_node *nd = &sc->nodes[undef];

   for (uint32_t i = nd->vars; i < nd->end_vars; i++) {
      const uint32_t v = *util_dynarray_element(&sc->vars, uint32_t, i);
      if (sc->regs[v].undef == (int32_t)undef)
         sc->regs[v].undef = -1;
   }
   sc->order[(*count)++] = undef;
}

void
eu_sched_sink_undefs(struct eu_sched *sc)
{
   uint32_t *before = sc->before, count = 0;

   util_dynarray_foreach(&sc->touched, uint32_t, r)
      sc->regs[*r].undef = -1;
   memcpy(before, sc->order, sc->num_nodes * sizeof(*before));
   for (uint32_t k = 0; k < sc->num_nodes; k++) {
      const struct eu_sched_node *nd = &sc->nodes[before[k]];
      const bool undef = nd->inst->op == EU_OP_UNDEF;

      for (uint32_t i = nd->vars; i < nd->end_vars; i++) {
         const uint32_t v = *util_dynarray_element(&sc->vars, uint32_t, i);
         if (sc->regs[v].undef >= 0)
            place_undef(sc, (uint32_t)sc->regs[v].undef, &count);
         if (undef)
            sc->regs[v].undef = (int32_t)before[k];
      }
      if (!undef)
         sc->order[count++] = before[k];
   }
   /* What is first written after this piece. */
   for (uint32_t k = 0; k < sc->num_nodes; k++) {
      const struct eu_sched_node *nd = &sc->nodes[before[k]];
      if (nd->inst->op != EU_OP_UNDEF || nd->vars == nd->end_vars)
         continue;
      const uint32_t v =
         *util_dynarray_element(&sc->vars, uint32_t, nd->vars);
      if (sc->regs[v].undef == (int32_t)before[k])
         place_undef(sc, before[k], &count);
   }
   assert(count == sc->num_nodes);
}

void
eu_sched_begin_count(struct eu_sched *sc)
{
   sc->live_now = sc->live[2 * sc->start_ip];
   util_dynarray_foreach(&sc->touched, uint32_t, r) {
      if (*r >= sc->lv->num_vars)
         continue;
      sc->regs[*r].left = sc->regs[*r].touches;
      sc->regs[*r].live = live_before(sc, *r);
   }
}

int32_t
eu_sched_cost(struct eu_sched *sc, uint32_t n, bool done)
{
   const struct eu_sched_node *nd = &sc->nodes[n];
   const bool begins = nd->inst->op != EU_OP_UNDEF;
   int32_t more = 0;

   for (uint32_t i = nd->vars; i < nd->end_vars; i++) {
      const uint32_t v = *util_dynarray_element(&sc->vars, uint32_t, i);
      struct eu_sched_reg *r = &sc->regs[v];
      const bool ends = r->left == 1 && !live_after(sc, v);

      if (begins)
         more += !r->live - ends;
      if (done) {
         r->live = begins ? !ends : r->live;
         r->left--;
      }
   }
   return more;
}

static void
touch_at(struct eu_sched *sc, const eu_reg *r, unsigned size_B, uint32_t at)
{
   uint32_t first, end;

   if (!eu_vars_of(sc->lv, r, size_B, &first, &end))
      return;
   for (uint32_t v = first; v < end; v++) {
      sc->regs[v].first = MIN2(sc->regs[v].first, at);
      sc->regs[v].last = MAX2(sc->regs[v].last, at);
   }
}

uint32_t
eu_sched_pressure(struct eu_sched *sc)
{
   const uint32_t end = 2 * sc->num_nodes;
   int32_t live = sc->live[2 * sc->start_ip], most = 0;

   util_dynarray_foreach(&sc->touched, uint32_t, r) {
      sc->regs[*r].first = UINT32_MAX;
      sc->regs[*r].last = 0;
   }
   for (uint32_t k = 0; k < sc->num_nodes; k++) {
      const struct eu_inst *inst = sc->nodes[sc->order[k]].inst;

      for (unsigned i = 0; i < inst->sources; i++)
         touch_at(sc, &inst->src[i], eu_size_read(inst, i), 2 * k);
      touch_at(sc, &inst->dst, inst->size_written,
               2 * k + !eu_writes_early(inst));
   }
   memset(sc->delta, 0, (end + 2) * sizeof(*sc->delta));
   util_dynarray_foreach(&sc->touched, uint32_t, r) {
      if (*r >= sc->lv->num_vars)
         continue;
      if (!live_before(sc, *r))
         sc->delta[sc->regs[*r].first]++;
      sc->delta[live_after(sc, *r) ? end + 1 : sc->regs[*r].last + 1]--;
   }
   for (uint32_t p = 0; p <= end; p++) {
      live += sc->delta[p];
      most = MAX2(most, live);
   }
   return (uint32_t)most;
}

void
eu_sched_count_live(struct eu_sched *sc)
{
   sc->live = eu_count_live(sc->s, sc->lv, sc->arena);
   sc->delta = arena_new_array(sc->arena, int32_t, eu_positions(sc->s) + 1);
}
