/* SPDX-License-Identifier: MIT */
/* Blocks, ifs, loops and functions. */
#ifndef NIR_BLOCK_H
#define NIR_BLOCK_H

#include "ir/nir_value.h"
#include "util/bitset.h"

typedef enum {
   nir_cf_node_block,
   nir_cf_node_if,
   nir_cf_node_loop,
   nir_cf_node_function,
} nir_cf_node_type;

typedef struct nir_cf_node {
   struct list_head node;
   nir_cf_node_type type;
   struct nir_cf_node *parent;
} nir_cf_node;

typedef struct nir_block {
   nir_cf_node cf_node;
   struct list_head instr_list; /* nir_instr.node */
   unsigned index;              /* program order; nir_metadata_block_index */
   bool divergent;
   /* [0] of a block before an if is the then side; NULL: none. */
   struct nir_block *successors[2];
   /* No order is promised. */
   struct nir_block **predecessors;
   unsigned num_predecessors, predecessors_capacity;

   /* nir_metadata_dominance */
   struct nir_block *imm_dom; /* NULL for the start and the unreachable */
   struct nir_block **dom_children;
   unsigned num_dom_children;
   struct nir_block **dom_frontier;
   unsigned num_dom_frontier;
   uint32_t dom_pre_index, dom_post_index;

   /* First and last instruction index: nir_metadata_instr_index. */
   uint32_t start_ip, end_ip;

   /* nir_metadata_live_values: bits by nir_value.index. */
   BITSET_WORD *live_in, *live_out;
} nir_block;

#define nir_foreach_predecessor(block_, pred)                                \
   for (nir_block **pred##_p = (block_)->predecessors,                       \
                  *pred = (block_)->num_predecessors ? *pred##_p : NULL;     \
        pred##_p < (block_)->predecessors + (block_)->num_predecessors;      \
        pred##_p++, pred = pred##_p < (block_)->predecessors +               \
                                         (block_)->num_predecessors          \
                              ? *pred##_p                                    \
                              : NULL)

typedef enum {
   nir_selection_control_none = 0,
   nir_selection_control_flatten,
   nir_selection_control_dont_flatten,
   nir_selection_control_unlikely, /* hardly ever taken: nor is this */
} nir_selection_control;

typedef struct nir_if {
   nir_cf_node cf_node;
   nir_use condition;
   nir_selection_control control;
   struct list_head then_list, else_list; /* nir_cf_node */
} nir_if;

typedef struct nir_loop_terminator {
   struct list_head link;
   nir_if *nif;
   nir_instr *conditional_instr;
   nir_block *break_block, *continue_from_block;
   bool continue_from_then;
   bool induction_rhs; /* the induction variable stands right */
   bool exact_trip_count_unknown;
} nir_loop_terminator;

typedef struct nir_loop_info {
   unsigned instr_cost;
   bool has_soft_fp64;
   unsigned max_trip_count; /* of limiting_terminator; others may be first */
   bool force_unroll;
   bool walks_array;  /* once, of as many elements as there are trips */
   bool complex_loop; /* breaks or continues other than terminators' */
   nir_loop_terminator *limiting_terminator; /* NULL: not known */
   struct list_head loop_terminator_list;
} nir_loop_info;

typedef enum {
   nir_loop_control_none = 0,
   nir_loop_control_unroll,
   nir_loop_control_dont_unroll,
} nir_loop_control;

typedef struct nir_loop {
   nir_cf_node cf_node;
   struct list_head body; /* nir_cf_node */
   nir_loop_info *info;   /* nir_metadata_loop_analysis */
   nir_loop_control control;
   bool partially_unrolled;
   bool divergent;
} nir_loop;

/* What is known of a function and still true; see nir_metadata_require. */
typedef enum {
   nir_metadata_none = 0,
   nir_metadata_block_index = 1 << 0,
   nir_metadata_dominance = 1 << 1,
   nir_metadata_live_values = 1 << 2,
   nir_metadata_not_properly_reset = 1 << 3,
   nir_metadata_loop_analysis = 1 << 4,
   nir_metadata_instr_index = 1 << 5,
   nir_metadata_control_flow = nir_metadata_block_index |
                               nir_metadata_dominance,
   nir_metadata_all = ~nir_metadata_not_properly_reset,
} nir_metadata;

typedef struct nir_function_impl {
   nir_cf_node cf_node;
   struct nir_function *function;
   struct list_head body;   /* nir_cf_node */
   nir_block *end_block;    /* not in the body; where returns go */
   struct list_head locals; /* nir_variable */
   unsigned num_values, num_blocks;
   /* If not: the body is blocks alone, each ended by a jump that is no break
    * or continue, each but the first after one of its predecessors. Few
    * passes take that: see nir_structurize. */
   bool structured;
   nir_metadata valid_metadata;
} nir_function_impl;

typedef struct nir_parameter {
   uint8_t num_components, bit_size;
} nir_parameter;

typedef struct nir_function {
   struct list_head node;
   struct nir_shader *shader;
   const char *name;
   nir_parameter *params;
   unsigned num_params;
   nir_function_impl *impl; /* NULL: declared only */
   bool is_entrypoint, is_preamble;
} nir_function;

NIR_DEFINE_CAST(nir_cf_node_as_block, nir_cf_node, nir_block, cf_node)
NIR_DEFINE_CAST(nir_cf_node_as_if, nir_cf_node, nir_if, cf_node)
NIR_DEFINE_CAST(nir_cf_node_as_loop, nir_cf_node, nir_loop, cf_node)
NIR_DEFINE_CAST(nir_cf_node_as_function, nir_cf_node, nir_function_impl,
                cf_node)

#endif
