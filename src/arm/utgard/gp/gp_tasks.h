/* SPDX-License-Identifier: MIT */
/*
 * The table functions of a block as tasks of one machine, multiplier 0, which
 * each of them holds for a pair of words. Blocks full of them are as long as
 * this machine makes them. All words here are those in which pairs begin.
 */
#ifndef GP_TASKS_H
#define GP_TASKS_H

#include "gp_sched.h"

/* A longer program could not be encoded. */
#define GPC_MAX_JOBS (GP_MAX_INSTRS / 2)
/* Words of a pair. */
#define GPC_PAIR 2

struct gpc_successor {
   uint32_t to;
   int32_t distance;
};

struct gpc_tasks {
   unsigned count;
   int limit; /* words that all may take together */
   uint32_t *node;
   /* The first and the last word in which a pair may begin. */
   int32_t *earliest, *latest;
   /* [from * count + to]: words from pair to pair at least; 0: any order. */
   int16_t *distance;
   /* Whether it is longer by one word if all words between belong to other
    * pairs: on the longest way lies a product in a word in which multiplier
    * 1 is taken, too. */
   bool *is_blocked;
   /* What follows from no other two distances. */
   uint32_t *first_successor, *predecessors;
   struct gpc_successor *successors;
};

/* ---- gp_tasks.c ---- */

/*
 * The tasks of a block, and when they may begin if it is to take at most
 * `limit` words. False: it cannot.
 */
bool gpc_make_jobs(struct arena *arena, const struct gpc_block *block,
                   const struct gpc_graph *graph, int limit,
                   struct gpc_tasks *tasks);

/* The last words of all operations, as tasks leave them. */
void gpc_find_latest(const struct gpc_block *block,
                     const struct gpc_graph *graph,
                     const struct gpc_tasks *tasks, int32_t *latest);

/* ---- gp_chain.c ---- */

/* Raises `earliest` along one long chain; false: the limit is too low. Tasks
 * are worth `bonus` when the chain is chosen. */
bool gpc_raise_along_chain(struct arena *arena, struct gpc_tasks *tasks,
                           int bonus, bool *changed);

/* ---- gp_priority.c ---- */

struct gpc_taste {
   float steepness; /* a task with one word less left counts e to this more */
   float weight;    /* of the machine's being late against operands' */
   int patience;    /* words to wait for a task, though another would fit */
};

/* Chooses the next task while a schedule is made. */
struct gpc_priority {
   const struct gpc_tasks *tasks;
   struct gpc_priority_node *nodes;
   struct gpc_taste taste;
   float cost[2 * GP_MAX_INSTRS]; /* of a task, by the words it has left */
   uint32_t *by_latest;
   uint32_t *left; /* operations that are not placed */
   unsigned num_left;
   /* By task. */
   uint32_t *waits_for; /* other tasks that are not placed */
   bool *placed;
   int32_t *begin, *first_begin;
   int32_t *node_at; /* by operation: scratch */
};

struct gpc_priority *gpc_make_priority(struct arena *arena,
                                       const struct gpc_block *block,
                                       const struct gpc_tasks *tasks);
void gpc_reset_priority(struct gpc_priority *priority,
                        const struct gpc_taste *taste);
/* 1 + the table to be placed in this word; 0: none. */
uint32_t gpc_choose_table(const struct gpc_sched *s);
/* Units that what is urgent needs in this word. */
unsigned gpc_wanted_units(const struct gpc_sched *s);
void gpc_note_table(struct gpc_priority *priority, uint32_t node);

/* ---- gp_plan.c ---- */

/*
 * Looks for the words of all operations of the block so that it takes no
 * more than the tasks' limit. False: none were found in `budget` steps, each
 * of which places one table.
 */
bool gpc_make_plan(struct arena *arena, const struct gpc_block *block,
                   const struct gpc_graph *graph,
                   const struct gpc_tasks *tasks, long budget, int32_t *at);

#endif
