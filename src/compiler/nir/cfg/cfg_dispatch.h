/* SPDX-License-Identifier: MIT */
/* What the files that undo dispatch loops share: see cfg_dispatch.c. */
#ifndef CFG_DISPATCH_H
#define CFG_DISPATCH_H

#include "cfg/structurize.h"

#define CFG_MAX_FORKS 8 /* selects that one edge branches on */

struct root {
   nir_phi_instr *phi;
   int block;
   bool computes; /* arithmetic on it is followed */
};

enum known { UNKNOWN, KNOWN, NEEDS_FORK };

struct value {
   enum known known;
   uint64_t bits;
   nir_value *fork; /* the condition to branch on */
};

struct variant {
   int flat, node;
   struct value *env; /* by live root of the block */
};

struct assumption {
   const nir_value *cond;
   bool value;
};

/* An array that holds the same constants whenever it is read. */
struct table {
   const nir_variable *var;
   unsigned length;
   nir_const_value *value;
};

/* What a value is computed from by an operation that can be evaluated. */
struct operands {
   const nir_value *def[NIR_ALU_MAX_INPUTS];
   unsigned num;
};

struct undo {
   struct cfg *g, *out;
   struct cfg_flat *flat;
   struct arena *arena;
   struct cfg_info info;
   struct util_dynarray roots; /* struct root */
   int *root_of;               /* by definition; -1 */
   struct hash_table tables;   /* nir_variable: struct table, or NULL */
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
   bool no_arithmetic; /* is followed, of nothing */
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
/* Whether the value is an operation on scalars that can be evaluated: of ALU
 * instructions, and loads from tables, whose operand is the index. */
bool cfg_undo_operands(struct undo *u, const nir_value *def,
                       struct operands *o);
/* The table that a load reads, or NULL. */
const struct table *cfg_undo_table(struct undo *u, const nir_value *def);
/* Whether an edge goes back to the block. */
bool cfg_undo_is_carried(const struct undo *u, int block);

#endif
