/* SPDX-License-Identifier: MIT */
/*
 * Control flow of any shape made structured, and dispatch loops undone. See
 * docs/structurizer.rst.
 */
#ifndef STRUCTURIZE_H
#define STRUCTURIZE_H

#include "cfg/cfg_tree.h"

struct nir_structurize_stats {
   unsigned blocks_before; /* of the graph, without empty ones */
   unsigned blocks_after;  /* of NIR, the empty ones too */
   unsigned copies;        /* of blocks, to get rid of irreducible loops */
   unsigned dispatchers;   /* places that choose by a variable where to enter
                             * an irreducible loop */
   unsigned state_variables; /* what these choose by */
   unsigned exit_predicates; /* for jumps over more than one level */
   unsigned selections;      /* of those, between places to leave to */
   unsigned one_trip_loops;
   unsigned states_undone; /* edges of dispatch loops that go straight now */
   bool undone;            /* a dispatch loop was */
   bool reducible;
};

struct nir_structurize_options {
   bool undo_dispatch;
   /* No dispatch loop is undone unless all that sees other lanes sees the
    * same ones then: it stands outside of loops, and once. */
   bool keep_convergence;
   /* Blocks that may be copied in all where loops have several entries;
    * beyond, a variable says where to enter. */
   unsigned max_copies;
   /* Called with the graph, before and after it is worked on; may be NULL. */
   void (*show)(const struct cfg *g, const char *title, void *data);
   void *data;
};

/* Gives a function that has been taken apart its structured body. `stats`
 * may be NULL. */
void cfg_structurize(struct cfg_flat *flat,
                     const struct nir_structurize_options *options,
                     struct nir_structurize_stats *stats);

/* The same for a function as it stands, structured or not: with
 * undo_dispatch, loops that only dispatch become what they dispatch to. The
 * function must be in SSA form, without registers. */
void nir_structurize_impl(nir_function_impl *impl,
                          const struct nir_structurize_options *options,
                          struct nir_structurize_stats *stats);

/* cfg_emit.c: writes the lists as the body of the function. */
void cfg_emit(struct cfg_tree *t, struct arena *arena);
/* cfg_reduce.c: a graph becomes reducible by copies of nodes and choices. */
void cfg_make_reducible(struct cfg *g, unsigned max_copies,
                        struct nir_structurize_stats *stats);
/* cfg_dispatch.c: a graph without the dispatch loops of this one, or NULL if
 * there are none, or none that may be undone. */
struct cfg *cfg_undo_dispatch(struct cfg *g, bool keep_convergence,
                              struct nir_structurize_stats *stats);
/* Of two numbers. */
bool cfg_is_integer_comparison(nir_op op);

/* cfg_dot.c: heads of loops have two lines around them, edges back are
 * thick, what runs no block is a diamond. */
void cfg_print_dot(const struct cfg *g, const char *title, FILE *out);

#endif
