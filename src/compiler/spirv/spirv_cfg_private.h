/* SPDX-License-Identifier: MIT */
/* Constructs of control flow (SPIR-V 2.11) while code is made for them. */
#ifndef SPIRV_CFG_PRIVATE_H
#define SPIRV_CFG_PRIVATE_H

#include "compiler/spirv/spirv_private.h"

enum construct_kind {
   CONSTRUCT_FUNCTION,
   CONSTRUCT_IF,
   CONSTRUCT_SWITCH,
   CONSTRUCT_LOOP,
   CONSTRUCT_BODY, /* of a loop, up to its continue construct */
};

struct spv_switch_case {
   struct spv_block *block;
   bool is_default;
   nir_value *cond;
   nir_variable *fall;           /* set by the case before; or NULL */
   struct spv_switch_case *next; /* falls through to */
   bool fallen_into, emitted;
};

struct spv_construct {
   struct spv_construct *parent;
   enum construct_kind kind;
   struct spv_block *merge;  /* where it ends; a loop: where break goes */
   struct spv_block *header; /* loops */
   nir_variable *left;       /* set on the way out */
   unsigned left_serial;     /* when that was emitted last; 0: never */
   struct spv_switch_case *cases;
   unsigned num_cases;
   nir_variable *result; /* functions */
};

/* How the code of a region of NIR gets to its end. */
struct spv_flow {
   bool reaches; /* as the module has it */
   bool flagged; /* on the way out, with a flag set */
};

/* A run of blocks and the ifs that guards have opened within. */
struct spv_region {
   struct spv_flow flow;
   struct nir_if_list {
      nir_if *nif;
      struct nir_if_list *next;
   } * open;
   unsigned num_open;
};

/* A false one. */
nir_variable *spv_new_flag(struct spv *s, const char *name);
void spv_enter_construct(struct spv *s, struct spv_construct *c,
                         enum construct_kind kind, struct spv_block *merge);
void spv_leave_construct(struct spv *s);
bool spv_in_loop(const struct spv *s);
/* An invocation ends in a function: who has called it in a loop must not go
 * on there. */
void spv_tell_callers(struct spv *s);
/* After a call before which exit_serial was `since`. */
void spv_end_killed_block(struct spv *s, unsigned since);
struct spv_construct *spv_function_construct(const struct spv *s);
/* What follows goes into the if, until the region ends. */
void spv_open_if(struct spv *s, struct spv_region *r, nir_if *nif);
void spv_close_ifs(struct spv *s, struct spv_region *r);
struct spv_switch_case *spv_find_case(const struct spv_construct *c,
                                      const struct spv_block *b);
void spv_check_inline(struct spv *s, const struct spv_block *to);
/* Emits a branch. Returns the block if it goes on there in place, else NULL
 * with *flow completed. */
struct spv_block *spv_go_to(struct spv *s, struct spv_block *to,
                            struct spv_flow *flow);
void spv_emit_return(struct spv *s, struct spv_flow *flow);
/* Where the region goes on after a construct that ends at `merge`; NULL:
 * nowhere. */
struct spv_block *spv_after_construct(struct spv *s, struct spv_region *r,
                                      struct spv_flow inner,
                                      struct spv_block *merge,
                                      unsigned since);

#endif
