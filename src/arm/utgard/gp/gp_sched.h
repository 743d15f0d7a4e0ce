/* SPDX-License-Identifier: MIT */
/*
 * The scheduler: a block's graph becomes instruction words. The public part
 * is gpc_schedule_block(); the rest is shared by gp_sched.c (order),
 * gp_search.c (which of several orders), gp_place.c (units), gp_table.c
 * (sequences of opaque values), gp_fetch.c (operands), gp_regs.c (values that
 * wait), gp_bound.c and gp_exact.c (how short it might be).
 */
#ifndef GP_SCHED_H
#define GP_SCHED_H

#include "gp_ir.h"

/* Words by which an operation may reach ahead: log2's postlog2. */
#define GPC_LOOKAHEAD 6
/* Values that may need a move in one word: there are two adders. */
#define GPC_MAX_LATE 2
/* Words from the store of a temporary to its load. */
#define GPC_TEMP_DELAY 4
/* Address registers for loads: 1 to 3. */
#define GPC_ADDRESS_REGISTERS 3
/* Words per operation that the bound of gp_sched.c allows. */
#define GPC_WORDS_PER_NODE 16

enum gpc_port_use { GPC_PORT_FREE, GPC_PORT_REGISTER, GPC_PORT_ATTRIBUTE };

struct gpc_word {
   struct gp_instr w;
   uint8_t busy;                  /* by unit */
   uint8_t port0, port1, uniform; /* enum gpc_port_use */
   uint8_t store_kind[2];
   /* By scalar of the two ports: 1 + the value that waits in the register
    * which is stored here, as long as the store may still be undone. */
   uint32_t waiting[4];
   /* 1 + the operation in the unit, for --explain; with GPC_IS_COPY when it
    * is a move of its value. */
   uint32_t owner[GP_NUM_ALU_UNITS];
   struct gpc_ref temp_address; /* that stores to temporaries share */
};
#define GPC_IS_COPY 0x80000000u

/* A place where the bypass network has a value. */
struct gpc_copy {
   int32_t at; /* word of the unit; -1: none */
   uint8_t unit;
   bool raw; /* complex1: read at distance 2 only */
   bool is_read;
};

struct gpc_value {
   struct gpc_copy copy[2]; /* the newest first */
   uint32_t uses;           /* operands not yet read */
   int32_t last_read;       /* word; the readers are placed in any order */
   int32_t reg;             /* scalar; -1: none */
   int32_t reg_at;          /* first word that may load it */
   int32_t temp;            /* scalar after GPC_TEMP_BASE; -1: none */
   int32_t temp_at;
   bool reg_is_fixed; /* belongs to the block's register, not to the pool */
   bool reg_is_read;  /* the store may not be undone */
   uint8_t address_reg;
};

struct gpc_stats {
   unsigned words, moves, register_stores, spills, temps;
};

struct gpc_priority;

struct gpc_sched {
   const struct gpc_block *block;
   struct gpc_literals *literals;
   unsigned first_temp; /* vec4 that are free for this block from here */
   struct gpc_word *words;
   unsigned num_words, capacity;
   struct gp_instr idle;
   int now;

   struct gpc_value *values;
   bool *placed;
   uint32_t *waits_for; /* predecessors that are not placed */
   int32_t *ready_at;
   const float *priority; /* higher goes first */
   /* A sequence leaves words of multiplier 0 free for another one that is
    * ready soon, if that one's priority is higher by this. */
   float margin;
   float wanted[8];  /* by word: the priority of such a one */
   bool no_holes;    /* sequences leave no single words of multiplier 0 */
   bool spill_early; /* in idle words, before registers lack */
   bool add_moves;   /* moves go to adders rather than to the pass unit */
   const int32_t *not_before;    /* words in which to go at the earliest */
   struct gpc_priority *chooser; /* of tables; NULL: by `priority` */
   /* Words are those of a plan: readers do not go before theirs. */
   bool is_planned;
   const uint32_t *height;
   /* Successors: values' readers and orders, as ranges of `edges`. */
   const uint32_t *first_edge;
   const struct gpc_edge *edges;

   /* What is ready, as uint32_t: a heap, and what failed in the last word,
    * the highest priority first. */
   struct util_dynarray heap, failed, still_failed;
   /* A heap of addresses that are ready otherwise, and 1 + those that were
    * taken from it as there was a register. */
   struct util_dynarray addresses;
   uint32_t offered[GPC_ADDRESS_REGISTERS];
   struct util_dynarray soon[8];
   uint32_t arrival[8]; /* 1 + the operation whose complex1 may be read */
   /* Values without a register for want of a port, by word of their units:
    * 1 + value. */
   uint32_t loose[8][GPC_MAX_LATE];
   unsigned promised; /* registers for arriving and loose values */
   uint32_t chosen; /* 1 + the table that the priority function wants here */
   unsigned wanted_units; /* that moves leave to others if they can */
   uint32_t staged;       /* 1 + whose operands were moved: goes first */
   unsigned left;
   int last_store; /* of a register or temporary for other blocks */
   int last_temp_store;
   int last_indexed_store; /* to a temporary that nobody knows */
   bool pressure;          /* this word: something lacked a register */

   uint16_t reg_free[4];                /* by component: bit by register */
   uint8_t reg_holes[GP_NUM_REGISTERS]; /* free components, by register */
   uint64_t freed_next;   /* free in the next word; bit by scalar */
   int32_t reg_value[64]; /* -1: none */
   struct util_dynarray free_temps, temp_live; /* uint32_t, by vec4 */
   /* 1 + whose loads are still to come, by register, from 1 on. */
   uint32_t address_users[GPC_ADDRESS_REGISTERS + 1];
   struct gpc_stats stats;
   struct arena *arena;
};

struct gpc_edge {
   uint32_t to, distance;
   bool is_value;
};

/* By operation. Edges of one begin at first_edge. */
struct gpc_graph {
   uint32_t *uses, *waits_for, *first_edge;
   uint32_t *height; /* words to the end of the block, itself included */
   uint32_t longest; /* height */
   struct gpc_edge *edges;
};

/* ---- gp_fetch.c ---- */

/* The load ports of words t - 1 to t + 1, to undo claims. */
struct gpc_ports {
   struct {
      uint8_t port0, port1, uniform;
      uint8_t port0_index, port0_is_attribute, port1_index, uniform_offset;
      uint16_t uniform_index;
   } word[3];
};
void gpc_save_ports(struct gpc_sched *s, int t, struct gpc_ports *p);
void gpc_restore_ports(struct gpc_sched *s, int t, const struct gpc_ports *p);

/*
 * The code by which a unit of word `t` reads `ref`, claiming what ports it
 * takes; false if there is no way.
 */
bool gpc_fetch(struct gpc_sched *s, int t, const struct gpc_ref *ref,
               uint8_t *code);
/* The operand is read: its value may die. */
void gpc_consume(struct gpc_sched *s, int t, const struct gpc_ref *ref);
void gpc_add_copy(struct gpc_value *v, int t, unsigned unit, bool raw);
/* Whether the bypass network or a register gives the value at `t`. */
bool gpc_is_near(const struct gpc_sched *s, const struct gpc_value *v, int t);

/* ---- gp_regs.c ---- */

/* Makes words up to `t`. */
void gpc_grow_words(struct gpc_sched *s, int t);

static inline struct gpc_word *
gpc_word(struct gpc_sched *s, int t)
{
   assert(t >= 0);
   if ((unsigned)t >= s->num_words)
      gpc_grow_words(s, t);
   return &s->words[t];
}

/* Takes over what was freed for this word. */
void gpc_free_registers(struct gpc_sched *s);
/* Scalars that are free, in the half of registers that has less of them:
 * so many values find a place, whichever port they go through. */
unsigned gpc_free_count(const struct gpc_sched *s);
/* One store of a unit's result; false if the port writes something else. */
bool gpc_claim_store(struct gpc_sched *s, int t, unsigned kind,
                     unsigned index, unsigned unit);
/* Gives a value of `unit` in word t a register that can be given back. */
bool gpc_reserve(struct gpc_sched *s, int t, uint32_t value, unsigned unit);
/* What comes to word t, whose results wait for it: values that may need a
 * move there, and a postlog2 that stores. At most GPC_MAX_LATE may. */
unsigned gpc_late_values(const struct gpc_sched *s, int t);
/* Lets a value of `unit` in this word go without a register: if it
 * still has readers two words later, a move is sure to find room. */
bool gpc_make_loose(struct gpc_sched *s, int t, uint32_t value,
                    unsigned unit);
/* Gives back what a value that nobody reads any more had. */
void gpc_release(struct gpc_sched *s, int t, uint32_t value);
/* The word is too old for the bypass network: its stores stay. */
void gpc_finalise(struct gpc_sched *s, int t);
/* Moves the register vec4 that waits longest to a temporary, in word t. */
bool gpc_spill(struct gpc_sched *s, int t);

/* ---- gp_place.c, gp_table.c ---- */

/* Places an operation in word t if operands, units and ports allow it. */
bool gpc_try_place(struct gpc_sched *s, uint32_t node, int t);
/* A move of a value for readers that come later; `unit` says where. */
bool gpc_try_copy(struct gpc_sched *s, uint32_t value, int t, unsigned *unit);
/* Takes back the copy that was just made. */
void gpc_undo_copy(struct gpc_sched *s, uint32_t value, int t, unsigned unit);
bool gpc_place_table(struct gpc_sched *s, uint32_t node, int t);
/* What the result of `node`, of `unit` in word t, needs besides: its store,
 * and a register if it has readers. Nothing is changed on failure. */
bool gpc_finish_result(struct gpc_sched *s, uint32_t node, int t,
                       unsigned unit);
void gpc_set_move(struct gpc_word *w, unsigned unit, uint8_t code,
                  bool negate);
bool gpc_unit_is_free(const struct gpc_sched *s, int t, unsigned unit,
                      unsigned opcode);
void gpc_take_unit(struct gpc_sched *s, int t, unsigned unit, unsigned opcode,
                   uint32_t owner);

/* ---- gp_bound.c ---- */

/* No schedule of the block is shorter. */
unsigned gpc_lower_bound(struct arena *arena, const struct gpc_block *block,
                         const uint32_t *height, const uint32_t *first_edge,
                         const struct gpc_edge *edges);

/* ---- gp_exact.c ---- */

#define GPC_EXACT_NODES 14

/*
 * No schedule of a block of at most GPC_EXACT_NODES operations is shorter
 * than the result, which is at least `low` and at most `high`. If *found,
 * then `at` has a word for each operation that makes this length, but for
 * ports of registers and attributes. `budget`: how many choices are tried.
 */
unsigned gpc_exact_length(struct arena *arena, const struct gpc_block *block,
                          const uint32_t *height, const uint32_t *first_edge,
                          const struct gpc_edge *edges, unsigned low,
                          unsigned high, long budget, int32_t *at,
                          bool *found);

/* ---- gp_sched.c ---- */

struct gpc_graph gpc_make_graph(struct arena *arena,
                                const struct gpc_block *block);
void gpc_sched_init(struct gpc_sched *s, const struct gpc_graph *g);
void gpc_sched_fini(struct gpc_sched *s);
/* Makes one schedule; by priority, the higher first, and no operation before
 * its word. */
void gpc_run(struct gpc_sched *s, const struct gpc_graph *g,
             const float *priority, const int32_t *not_before);

/* ---- gp_search.c ---- */

struct gpc_schedule {
   struct gpc_word *words; /* in the arena */
   unsigned count;
   unsigned lower_bound;
   const uint32_t *height; /* of operations: words to the end at least */
   struct gpc_stats stats;
};

/* How many schedules of a block are tried if it is alone. */
unsigned gpc_schedules_for(unsigned operations, unsigned effort);

/*
 * Schedules a block. `effort` is about how many schedules are tried, and
 * `share` which part of them, up to 1; the shortest is returned. Never
 * fails: see the head of gp_sched.c.
 */
struct gpc_schedule gpc_schedule_block(struct arena *arena,
                                       const struct gpc_block *block,
                                       struct gpc_literals *literals,
                                       unsigned first_temp, unsigned effort,
                                       float share);

/* Says why a block is as long as it is; `first` is its first instruction. */
void gpc_explain_block(const struct gpc_block *block, unsigned index,
                       unsigned first, const struct gpc_schedule *schedule,
                       struct strbuf *out);

#endif
