/* SPDX-License-Identifier: MIT */
/* What the scheduler's files share. */
#ifndef EU_SCHEDULE_H
#define EU_SCHEDULE_H

#include "eu_ir.h"
#include "intel/isa/isa_timing.h"
#include "util/heap.h"

struct eu_sched_attempt {
   uint32_t window; /* instructions to look ahead of the first that is left,
                     * those without code not counted */
   bool pressure_mode; /* whether registers count, too */
};

struct eu_sched_edge {
   uint32_t to;
   uint32_t latency;
   int32_t next;
};

/* How often a piece is executed, and whose registers it uses. */
enum eu_sched_place {
   EU_SCHED_LIKELY,
   EU_SCHED_UNLIKELY,
   EU_SCHED_ROUTINE,
};

struct eu_sched_node {
   struct eu_inst *inst;
   uint32_t place; /* how many instructions with code are before it */
   int32_t edges;  /* in sched.edges */
   uint32_t num_preds, preds_left;
   uint32_t ready_at, delay;
   uint32_t needed_by;      /* the first effect or node without successors */
   uint32_t vars, end_vars; /* in sched.vars */
   uint8_t flags_read;
   bool done;
};

struct eu_sched_reader {
   uint32_t node;
   int32_t next;
};

/* Per register: who wrote it last, who has read it since; where an order
 * touches it first and last; and while an order is made. */
struct eu_sched_reg {
   int32_t writer, readers;
   uint32_t first, last;
   uint32_t noted;         /* the last node that touches it, plus 1 */
   uint32_t touches, left; /* nodes that do; that are still to come */
   int32_t undef;          /* the one that waits for the next node, or -1 */
   bool live;
};

struct eu_sched {
   struct eu_shader *s;
   struct arena *arena;
   const struct eu_liveness *lv;
   struct eu_sched_node *nodes;
   uint32_t num_nodes;
   struct util_dynarray edges, readers, touched, vars;
   struct util_dynarray reads; /* of memory, since the last effect */
   struct util_dynarray effects;
   struct eu_sched_reg *regs;
   uint32_t num_regs, flag_base, acc_reg;
   int32_t last_effect;
   bool allocated; /* registers are the hardware's */
   uint32_t limit; /* registers that a piece may need */
   struct eu_sched_attempt attempt;
   int32_t live_now; /* registers, where they count */
   /* When f0 and f1 can be read: readers of a part wait for the other. */
   uint32_t flag_time[2];
   /* Of this try: the order, node by node. */
   uint32_t *order, num_ordered;
   struct eu_inst **adopted;
   uint32_t *before; /* scratch of eu_sched_sink_undefs() */
   /* In the order that the shader came with: how many are live at a position;
    * where the piece begins. */
   int32_t *live, *delta;
   uint32_t start_ip;
   /* Nodes that wait for none: those too far ahead, those whose sources come
    * later, and those that may start. */
   struct util_heap far, later, open;
};

/* Registers that are live while an order is made: before its first node; how
 * many more are after the next one, which may be `done`, so that they are. */
/* Moves each UNDEF of the order to the first node after it that touches its
 * register: no life begins before its first value. */
void eu_sched_sink_undefs(struct eu_sched *sc);
void eu_sched_begin_count(struct eu_sched *sc);
int32_t eu_sched_cost(struct eu_sched *sc, uint32_t n, bool done);
/* By position, in the order that the shader came with, as eu_count_live()
 * has them; the most at once within the piece, in the order of this try.
 */
void eu_sched_count_live(struct eu_sched *sc);
uint32_t eu_sched_pressure(struct eu_sched *sc);

#endif
