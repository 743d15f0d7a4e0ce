/* SPDX-License-Identifier: MIT */
/*
 * Control-flow graphs for tests of the structurizer, with bodies that tell
 * which way was taken, and a walk over them that knows nothing of NIR.
 *
 * Each block mixes two words that come in by phis, crossed over on some
 * edges, with what a block that dominates it has made, tells the result as a
 * trace, and branches by it.
 */
#ifndef GRAPHS_H
#define GRAPHS_H

#include "cfg/structurize.h"

struct test_graph {
   int num;
   int (*succ)[2]; /* -1: none */
   /* Filled in by test_graph_prepare. */
   int *num_preds, *dominator;
   bool reducible;
   /* For 32 channels of a simulated EU: the seed of each is read from its
    * eight bytes of the buffer with this index, and what a block without
    * successors makes is stored after it; nothing is told. 0: not so. */
   int buffer;
   const nir_shader_compiler_options *options;
};

/* Removes what cannot be reached, finds what is not given. */
void test_graph_prepare(struct test_graph *g, struct arena *arena);
/* All graphs of `num` blocks, 8 at most, each shape once, prepared. */
void test_graph_each(int num, void (*see)(const struct test_graph *g,
                                          unsigned i, struct arena *arena));
/* `num` blocks; edges forward at most `reach` far, or back. */
void test_graph_random(struct test_graph *g, struct arena *arena,
                       uint32_t *seed, int num, int reach,
                       unsigned percent_back);
/* Blocks as ifs and loops make them, with one exit, the last, and edges on
 * top that keep the graph reducible. */
void test_graph_structured(struct test_graph *g, struct arena *arena,
                           uint32_t *seed, int num, int extra);
uint32_t test_random(uint32_t *seed);

/* The words told until the end, or until there are `max` of them. */
int test_graph_walk(const struct test_graph *g, uint32_t seed,
                    uint32_t *trace, int max, struct arena *arena);
/* A shader with one function in pieces. */
nir_shader *test_graph_shader(const struct test_graph *g, struct arena *arena,
                              struct cfg_flat **flat);
/* The same as a loop around a choice by a variable: the states are asked for
 * one in the else of the other, by halves, or one after the other. */
enum test_dispatch {
   TEST_DISPATCH_IF_CHAIN,
   TEST_DISPATCH_HALVES,
   TEST_DISPATCH_ROW,
};
/* How the next state is made of the last one. */
enum test_state {
   TEST_STATE_CONSTANT,
   TEST_STATE_SUM,
   TEST_STATE_XOR,
   TEST_STATE_TABLE,   /* of the first ways on; the second are constants */
   TEST_STATE_TWO,     /* two variables, of which the state is computed */
   TEST_STATE_PRODUCT, /* an odd multiple of the number */
   TEST_STATE_COUNT,
};
nir_shader *test_graph_dispatch(const struct test_graph *g,
                                enum test_dispatch kind,
                                enum test_state state);
/* What the interpreter tells; -1: a fault other than the limit. */
int test_graph_interpret(nir_shader *shader, uint32_t seed, uint32_t *trace,
                         int max);

#endif
