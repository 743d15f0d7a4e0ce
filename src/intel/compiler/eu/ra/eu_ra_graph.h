/* SPDX-License-Identifier: MIT */
/*
 * Interference graph over VGRFs and its colouring. A colour is the first of
 * as many consecutive hardware GRFs as the VGRF has.
 */
#ifndef EU_RA_GRAPH_H
#define EU_RA_GRAPH_H

#include "intel/compiler/eu/eu_ir.h"
#include "util/macros.h"

#define EU_RA_NONE 0xffffu

/* A set of hardware GRFs. */
typedef util_u128 eu_grf_set;

/*
 * Edge to node `other`: bit 32 + d is set when the two conflict with the
 * other one d GRFs above this one. Sizes go up to 32, so d fits.
 */
struct eu_ra_edge {
   uint64_t conflict;
   uint32_t other;
   uint32_t q; /* candidates of this node that the other can block */
};

/* A copy that is none if this node is `delta` above the other; `other` ~0: at
 * GRF `delta`. */
struct eu_ra_affinity {
   uint32_t other;
   int32_t delta;
};

struct eu_ra_node {
   eu_grf_set allowed; /* first GRFs that payload and messages leave */
   uint32_t vgrf;
   uint32_t first_edge, num_edges;
   uint32_t first_affinity, num_affinities;
   uint32_t degree; /* sum of q of all edges */
   uint8_t size;
   bool whole; /* its GRFs live at the same time */
   bool eot;   /* payload of the message that ends the thread */
   float cost; /* of spilling it, INFINITY: cannot be */
};

/* Nodes are sorted by where they start to live. */
struct eu_ra_graph {
   struct arena *arena;
   const struct eu_liveness *lv;
   struct eu_ra_node *nodes;
   struct eu_ra_edge *edges;
   struct eu_ra_affinity *affinities;
   uint32_t *node_of_vgrf; /* ~0: never live */
   uint32_t num_nodes, num_edges;
};

/* Which node is set aside when none can be left for last safely: the one
 * that starts last, the smallest, the cheapest to spill for its degree. */
enum eu_ra_heuristic {
   EU_RA_LATEST,
   EU_RA_SMALLEST,
   EU_RA_CHEAPEST,
   EU_RA_HEURISTICS,
};

/* What lives for two instructions only would come back as short. */
static inline bool
eu_ra_is_short(const struct eu_liveness *lv, uint32_t vgrf)
{
   return lv->vgrf_end[vgrf] - lv->vgrf_start[vgrf] <= 4;
}

/* By VGRF: what spilling it costs; INFINITY: it cannot be. */
float *eu_ra_find_costs(const struct eu_shader *s, struct arena *arena);

struct eu_ra_graph *eu_ra_graph_create(struct eu_shader *s,
                                       const struct eu_liveness *lv,
                                       const float *cost,
                                       struct arena *arena);

/* What may leave no place for others: both sides of copies get the same place
 * where they can; places are taken in turn, so that what is written to one
 * need not wait for what was there. */
enum eu_ra_luxury {
   EU_RA_AFFINITIES = 1 << 0,
   EU_RA_IN_TURN = 1 << 1,
};

/* Fills reg[] (by VGRF). The first node that found no place, or -1. */
int64_t eu_ra_colour(const struct eu_ra_graph *g, enum eu_ra_heuristic h,
                     unsigned luxuries, uint16_t *reg);

/* ---- eu_ra_affinities.c ---- */

void eu_ra_find_affinities(struct eu_ra_graph *g, struct eu_shader *s);
/* Of the places in `free`, which is not empty, the one that makes the most
 * copies superfluous; `otherwise` if none does. colour[] is EU_RA_NONE where
 * nothing is chosen yet; such a node counts for the last message's payload if
 * it may be where it should. */
unsigned eu_ra_best_place(const struct eu_ra_graph *g, uint32_t node,
                          eu_grf_set free, const uint16_t *colour,
                          unsigned otherwise);

/* ---- eu_ra_prespill.c ---- */

/* VGRFs to spill so that nowhere more than `limit` registers are live, if
 * there are enough of finite cost: fills chosen[], in order; how many. */
uint32_t eu_ra_choose_for_pressure(const struct eu_shader *s,
                                   const struct eu_liveness *lv,
                                   const float *cost, uint32_t limit,
                                   struct arena *arena, uint32_t *chosen);

/* ---- eu_validate_ra.c ---- */

/* Whether each read of the shader, still in VGRFs, gets what was written for
 * it when VGRF v is put at reg[v]. If not, says in msg where. */
bool eu_check_allocation(struct eu_shader *s, const uint16_t *reg, char *msg,
                         size_t msg_size);

#endif
