/* SPDX-License-Identifier: MIT */
/* Tables that nir_algebraic.py generates, and the matcher that reads them. */
#ifndef NIR_SEARCH_H
#define NIR_SEARCH_H

#include "nir.h"

#define NIR_SEARCH_MAX_VARS 8
#define NIR_SEARCH_MAX_SRCS 4

enum nir_search_kind {
   NIR_SEARCH_EXPR,
   NIR_SEARCH_VAR,
   NIR_SEARCH_CONST,
};

/* A predicate on the source that a variable stands for. */
typedef bool (*nir_search_condition)(const nir_alu_instr *instr, unsigned src,
                                     unsigned num_components,
                                     const uint8_t *swizzle);

struct nir_search_node {
   enum nir_search_kind kind;
   /* In a search: the only size that matches, 0 for any. In a replacement:
    * the size, 0 for that of the result, -1 - n for that of variable n. */
   int8_t bits;

   /* NIR_SEARCH_EXPR */
   nir_op op;
   uint8_t num_srcs;
   bool commutative, used_once, only_added;
   uint8_t bound_to; /* 1 + the variable that is this value; 0: none */
   uint16_t src[NIR_SEARCH_MAX_SRCS]; /* node numbers */

   /* NIR_SEARCH_VAR */
   uint8_t var;
   int8_t component; /* -1: as matched */
   bool is_const;
   nir_search_condition condition;

   /* NIR_SEARCH_CONST: the bits of a double, an integer, or 0 and 1 */
   bool is_float, is_bool;
   uint64_t i;
};

struct nir_search_rule {
   uint16_t search, replace; /* node numbers */
   uint16_t condition;       /* number of its `when` */
   bool exact;               /* may change exact instructions */
};

/* Transitions of one opcode; NULL tables: it stands in no search. */
struct nir_search_op {
   uint16_t num_filtered;
   const uint16_t *filter; /* state -> number of its filtered state */
   const uint16_t *table;  /* row-major over the sources */
};

struct nir_search_table {
   const struct nir_search_node *nodes;
   const struct nir_search_rule *rules;
   const int16_t *candidates;
   const uint32_t *first_candidate; /* by state */
   const struct nir_search_op *ops; /* by opcode */
};

/*
 * Applies rules until none matches; `conditions` are the evaluated `when`s.
 * Whether anything changed.
 */
bool nir_search_run(nir_shader *shader, const struct nir_search_table *table,
                    const bool *conditions);

bool nir_search_is_pow2(const nir_alu_instr *instr, unsigned src,
                        unsigned num_components, const uint8_t *swizzle);
bool nir_search_is_used_once(const nir_alu_instr *instr, unsigned src,
                             unsigned num_components, const uint8_t *swizzle);
bool nir_search_is_not_const(const nir_alu_instr *instr, unsigned src,
                             unsigned num_components, const uint8_t *swizzle);
bool nir_search_is_not_negative(const nir_alu_instr *instr, unsigned src,
                                unsigned num_components,
                                const uint8_t *swizzle);
bool nir_search_is_never_negative(const nir_alu_instr *instr, unsigned src,
                                  unsigned num_components,
                                  const uint8_t *swizzle);
bool nir_search_is_finite_const(const nir_alu_instr *instr, unsigned src,
                                unsigned num_components,
                                const uint8_t *swizzle);

#endif
