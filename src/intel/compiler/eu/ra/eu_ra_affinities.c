/* SPDX-License-Identifier: MIT */
/*
 * Copy affinities (biased colouring): if both sides of a copy get the same
 * register, the move is dropped afterwards. They are looked at only when a
 * node has more than one register left. Only copies of whole GRFs, in which
 * operands have the same bytes: what lies across is for
 * fs_opt_register_coalesce.
 */
#include "eu_ra_graph.h"

/* Of one node; more are not looked at. */
#define MAX_AFFINITIES 32

struct raw_affinity {
   uint32_t node;
   struct eu_ra_affinity affinity;
};

static bool
is_copy(const struct eu_inst *inst)
{
   const eu_reg *d = &inst->dst, *r = &inst->src[0];

   return inst->op == ISA_OPCODE_MOV && !inst->align16 && !inst->saturate &&
          inst->cond_mod == ISA_COND_MOD_NONE && d->file == EU_VGRF &&
          (r->file == EU_VGRF || r->file == EU_GRF) && !r->negate &&
          !r->abs && !r->region && d->type == r->type &&
          (d->stride == r->stride || inst->exec_size == 1) &&
          d->offset % REG_SIZE_B == eu_reg_offset(r) % REG_SIZE_B;
}

static void
append(struct util_dynarray *raw, uint32_t node, uint32_t other,
       int32_t delta)
{
   const struct raw_affinity w = { node, { other, delta } };

   util_dynarray_append(raw, struct raw_affinity, w);
}

static void
gather(const struct eu_ra_graph *g, struct eu_shader *s,
       struct util_dynarray *raw)
{
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (!is_copy(inst))
         continue;
      const eu_reg *r = &inst->src[0];
      const uint32_t to = g->node_of_vgrf[inst->dst.nr];
      const int32_t at = (int32_t)(inst->dst.offset / REG_SIZE_B);

      if (to == ~0u)
         continue;
      if (r->file == EU_GRF) {
         append(raw, to, ~0u, (int32_t)(eu_reg_offset(r) / REG_SIZE_B) - at);
         continue;
      }
      const uint32_t from = g->node_of_vgrf[r->nr];
      const int32_t delta = (int32_t)(r->offset / REG_SIZE_B) - at;
      if (from == ~0u || from == to)
         continue;
      append(raw, to, from, delta);
      append(raw, from, to, -delta);
   }
}

void
eu_ra_find_affinities(struct eu_ra_graph *g, struct eu_shader *s)
{
   struct util_dynarray raw = { 0 };
   uint32_t next = 0;

   gather(g, s, &raw);
   util_dynarray_foreach(&raw, struct raw_affinity, w)
      g->nodes[w->node].num_affinities++;
   g->affinities = arena_new_array(
      g->arena, struct eu_ra_affinity,
      MAX2(1, util_dynarray_num_elements(&raw, struct raw_affinity)));
   for (uint32_t n = 0; n < g->num_nodes; n++) {
      g->nodes[n].first_affinity = next;
      next += g->nodes[n].num_affinities;
      g->nodes[n].num_affinities = 0;
   }
   util_dynarray_foreach(&raw, struct raw_affinity, w) {
      struct eu_ra_node *node = &g->nodes[w->node];
      g->affinities[node->first_affinity + node->num_affinities++] =
         w->affinity;
   }
   util_dynarray_fini(&raw);
}

/* Whether the affinity holds with the node at `at`. */
static bool
holds(const struct eu_ra_graph *g, const struct eu_ra_node *node,
      const struct eu_ra_affinity *w, const uint16_t *colour, int32_t at)
{
   const int32_t other = at - w->delta;

   if (w->other == ~0u)
      return other == 0;
   if (colour[w->other] != EU_RA_NONE)
      return colour[w->other] == other;
   return node->eot && other >= 0 && other < EU_MAX_GRF &&
          (g->nodes[w->other].allowed >> other & 1);
}

unsigned
eu_ra_best_place(const struct eu_ra_graph *g, uint32_t n, eu_grf_set free,
                 const uint16_t *colour, unsigned otherwise)
{
   const struct eu_ra_node *node = &g->nodes[n];
   const struct eu_ra_affinity *w = g->affinities + node->first_affinity;
   const uint32_t count = MIN2(node->num_affinities, MAX_AFFINITIES);
   unsigned best = otherwise, most = 0;

   for (uint32_t k = 0; k < count; k++)
      most += holds(g, node, &w[k], colour, (int32_t)otherwise);
   for (int32_t at = EU_MAX_GRF; count && at-- > 0;) {
      unsigned good = 0;

      if (!(free >> at & 1))
         continue;
      for (uint32_t k = 0; k < count; k++)
         good += holds(g, node, &w[k], colour, at);
      if (good > most) {
         most = good;
         best = (unsigned)at;
      }
   }
   return best;
}
