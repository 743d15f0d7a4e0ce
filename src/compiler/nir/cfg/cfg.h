/* SPDX-License-Identifier: MIT */
/*
 * Control-flow graphs of any shape over the instructions of a NIR function.
 *
 * nir_flatten takes a structured function apart into flat blocks: lists of
 * instructions and phis, each ended by a goto, a two-way branch or a return.
 * A graph has nodes, each of which runs the instructions of one flat block.
 * Passes over graphs copy, fold and add nodes and never touch instructions:
 * two nodes may run the same block (a copy), and a node may run none (it
 * chooses by a predicate). cfg_emit makes structured control flow and SSA
 * form of the result.
 *
 * An edge knows which edge between flat blocks it stands for, that is, what
 * the phis at its end read.
 */
#ifndef CFG_H
#define CFG_H

#include "nir.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

#define CFG_NONE (-1)

struct cfg_flat_block {
   nir_block *block; /* instructions; in no list of nodes */
   nir_value *cond;  /* NULL: goes to succ[0] */
   int succ[2];
   unsigned num_succ; /* 0: returns */
   bool halts;        /* ends the invocation */
   /* In a structured source: the first block of the innermost loop around
    * it, and for such a first block that of the loop around the loop. 0:
    * none, for nothing leads back to the entry. */
   int loop, outer_loop;
};

/* A function in pieces. */
struct cfg_flat {
   struct arena *arena;
   nir_function_impl *impl;
   nir_shader *shader;
   struct cfg_flat_block *blocks;
   int num_blocks;
   int *block_of_def; /* by nir_value.index */
   unsigned num_defs;
   struct hash_table phi_srcs; /* phi index << 32 | flat block: nir_use */
   bool convergent;            /* something in it sees other lanes */
};

/* One of several targets that an edge says it goes to: `group` has the
 * predicates that choose, `choice` is the one to be taken. */
struct cfg_edge {
   int to;
   int from_flat, to_flat; /* whose phis read; CFG_NONE: no phis */
   int via;                /* phis on the way; CFG_NONE */
   int group, choice;      /* CFG_NONE: none */
};

/* The phis of a block that nothing else is in, done on an edge; then those
 * at the end of the edge on which the block is left. */
struct cfg_via {
   int flat, from_flat, to_flat, next;
};

struct cfg_node {
   int flat; /* CFG_NONE: runs nothing */
   int rest; /* a node that is run after it, as part of
                                * it: the ways on are those of the last */
   struct cfg_edge to_rest;
   nir_value *cond;
   int predicate; /* instead of cond; CFG_NONE */
   unsigned num_succ;
   struct cfg_edge succ[2];
};

/* A predicate for each bit of the choice, from the lowest on. */
struct cfg_group {
   int first, bits;
};

struct cfg {
   struct arena *arena;
   struct cfg_flat *flat;
   struct util_dynarray nodes;  /* struct cfg_node */
   struct util_dynarray groups; /* struct cfg_group */
   struct util_dynarray vias;   /* struct cfg_via */
   int num_predicates;
   int root;
   /* The nodes are the blocks by number, and something sees other lanes: what
    * the source has in a loop stays in it. */
   bool source_loops;
};

/* What is known of a graph; dropped when it changes. */
struct cfg_info {
   int num;                 /* reachable nodes */
   int *order;              /* by number in reverse postorder: the node */
   int *rpo;                /* by node; CFG_NONE: unreachable */
   int *pred_start, *preds; /* by node; one entry for each edge */
   int *idom;               /* CFG_NONE for the root */
   int *depth, *jump;       /* in the dominator tree; see cfg_info.c */
   int *loop;               /* header of the innermost loop; CFG_NONE */
   int *loop_parent;        /* by header */
   int *loop_depth;         /* by header; outermost 1 */
   int entry_into_loop;     /* source of an edge that makes the graph
                             * irreducible; CFG_NONE: reducible */
};

static inline struct cfg_node *
cfg_node(const struct cfg *g, int n)
{
   return util_dynarray_element(&g->nodes, struct cfg_node, n);
}

static inline int
cfg_num_nodes(const struct cfg *g)
{
   return (int)util_dynarray_num_elements(&g->nodes, struct cfg_node);
}

/* cfg_flatten.c: the function must be in SSA form and have no registers. It
 * has no body until cfg_emit. */
struct cfg_flat *cfg_flatten(nir_function_impl *impl, struct arena *arena);
/* For blocks that were made by hand: what cfg_flatten does at its end. */
void cfg_flat_finish(struct cfg_flat *flat);
nir_use *cfg_phi_src(const struct cfg_flat *flat, const nir_phi_instr *phi,
                     int from);
/* Removes instructions whose values neither a node of the graph branches on
 * nor anything else reads that has an effect. */
void cfg_drop_unread(const struct cfg *g);
/* Derivatives, barriers, subgroup operations see the lanes around them. A
 * node that runs nothing is not known not to. */
bool cfg_node_is_convergent(const struct cfg *g, int node);
/* Ends the invocation. */
bool cfg_node_halts(const struct cfg *g, int node);

/* cfg_info.c */
struct cfg *cfg_create(struct cfg_flat *flat, struct arena *arena);
void cfg_destroy(struct cfg *g);
int cfg_add_node(struct cfg *g, int flat);
/* For `num` choices. */
int cfg_add_group(struct cfg *g, int num);
/* The predicate of a bit of the choice. */
int cfg_group_predicate(const struct cfg *g, int group, int bit);
/* How many bits tell `num` choices apart. */
static inline int
cfg_choice_bits(int num)
{
   return num > 1 ? 32 - __builtin_clz((unsigned)num - 1) : 0;
}
/* An edge that goes nowhere else than `to`, with the phis of that block. */
static inline struct cfg_edge
cfg_edge(int to, int from_flat, int to_flat)
{
   return (struct cfg_edge) { to,       from_flat, to_flat,
                              CFG_NONE, CFG_NONE,  CFG_NONE };
}

/* Edges that run through blocks with nothing in them (but phis, with
 * `phis_too`) go to where they end; both sides of a branch going the same way
 * become a goto. */
void cfg_skip_empty(struct cfg *g, bool phis_too);
/* Nodes that only follow another one become part of it. */
void cfg_merge_chains(struct cfg *g);
void cfg_analyze(const struct cfg *g, struct cfg_info *info,
                 struct arena *arena);
bool cfg_dominates(const struct cfg_info *info, int a, int b);
int cfg_common_dominator(const struct cfg_info *info, int a, int b);
bool cfg_in_loop(const struct cfg_info *info, int node, int header);
static inline bool
cfg_is_header(const struct cfg_info *info, int n)
{
   return info->loop[n] == n;
}
/* The loop that a node lies in as seen from outside of its own. */
static inline int
cfg_outer_loop(const struct cfg_info *info, int n)
{
   return cfg_is_header(info, n) ? info->loop_parent[n] : info->loop[n];
}

#endif
