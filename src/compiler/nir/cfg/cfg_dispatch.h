/* SPDX-License-Identifier: MIT */
/* What the files that undo dispatch loops share: see cfg_dispatch.c. */
#ifndef CFG_DISPATCH_H
#define CFG_DISPATCH_H

#include "cfg/structurize.h"

#define CFG_MAX_FORKS 8 /* selects that one edge branches on */

struct root {
   nir_phi_instr *phi;
   int block;
   bool relevant;
};

enum known { UNKNOWN, KNOWN, NEEDS_FORK };

struct value {
   enum known known;
   uint64_t bits;
   nir_ssa_def *fork; /* the condition to branch on */
};

struct variant {
   int flat, node;
   struct value *env; /* by live root of the block */
};

struct assumption {
   const nir_ssa_def *cond;
   bool value;
};

struct undo {
   struct cfg *g, *out;
   struct cfg_flat *flat;
   struct arena *arena;
   struct cfg_info info;
   struct util_dynarray roots; /* struct root */
   int *root_of;               /* by definition; -1 */
   int8_t *constant;           /* by definition: made of roots only */
   BITSET_WORD **live;         /* by block, after its phis */
   unsigned words;
   bool *silent;               /* by block: only questions about the state */
   int *cost;                  /* by block: instructions, no questions */
   struct hash_table variants; /* bytes: struct variant */
   struct util_dynarray work;  /* struct variant * */
   struct assumption assumed[CFG_MAX_FORKS];
   unsigned num_assumed;
   const struct variant *at;
   unsigned steps; /* of the evaluation under way */
   uint64_t *key;
   int64_t left; /* instructions that may still be copied */
   bool too_big;
   struct nir_structurize_stats *stats;
};

static inline struct root *
cfg_undo_root(const struct undo *u, int i)
{
   return util_dynarray_element(&u->roots, struct root, i);
}

static inline int
cfg_undo_num_roots(const struct undo *u)
{
   return (int)util_dynarray_num_elements(&u->roots, struct root);
}

/* cfg_dispatch_state.c */
/* Whether there is a dispatch loop; finds the roots. */
bool cfg_undo_find_state(struct undo *u);
/* Fills in live, constant, silent and cost. */
void cfg_undo_analyze(struct undo *u);
/* An operation on scalars that can be evaluated. */
bool cfg_undo_is_scalar(const nir_ssa_def *def);
/* Whether an edge goes back to the block. */
bool cfg_undo_is_carried(const struct undo *u, int block);

#endif
