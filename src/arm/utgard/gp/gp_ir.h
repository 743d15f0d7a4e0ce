/* SPDX-License-Identifier: MIT */
/*
 * What the vertex compiler schedules: scalar operations of the machine in a
 * graph for each block. An operation here is what stands whole in the
 * program: a multiplication in one unit, or all of an exp2 with its four
 * parts. Loads are no operations, but operands.
 */
#ifndef GP_IR_H
#define GP_IR_H

#include "arm/utgard/isa/gp_isa.h"
#include "util/arena.h"
#include "util/dynarray.h"
#include "util/strbuf.h"

enum gpc_op {
   GPC_OP_MOV,
   GPC_OP_MUL,
   GPC_OP_SELECT, /* src[0] != 0 ? src[1] : src[2] */
   GPC_OP_ADD,
   GPC_OP_FLOOR,
   GPC_OP_SIGN,
   GPC_OP_GE,
   GPC_OP_LT,
   GPC_OP_MIN,
   GPC_OP_MAX,
   GPC_OP_CLAMP, /* src[1]: the uniform whose y and x are the bounds */
   GPC_OP_RCP,
   GPC_OP_RSQRT,
   GPC_OP_EXP2,
   GPC_OP_LOG2,
   GPC_OP_ADDRESS,    /* into an address register, for indexed loads */
   GPC_OP_TEMP_STORE, /* src[0] to component `store_index` of vec4 src[1] */
   GPC_OP_BRANCH,     /* ends the block; taken if src[0] != 0 */
   GPC_NUM_OPS,
};

/* How an operation is placed. */
enum gpc_class {
   GPC_CLASS_MOV,    /* any unit; with a negation a multiplier or adder */
   GPC_CLASS_MUL,    /* one multiplier */
   GPC_CLASS_SELECT, /* both multipliers */
   GPC_CLASS_ADD,    /* one adder; the other has the same opcode */
   GPC_CLASS_PASS,
   GPC_CLASS_TABLE, /* a rigid sequence, see gp_table.c */
   GPC_CLASS_ADDRESS,
   GPC_CLASS_TEMP_STORE,
   GPC_CLASS_BRANCH,
};

enum gpc_swap {
   GPC_SWAP_NO,
   GPC_SWAP_YES,
   GPC_SWAP_NEGATED, /* a >= b is -b >= -a */
};

struct gpc_op_info {
   const char *name;
   enum gpc_class cls;
   uint8_t num_srcs;
   uint8_t opcode; /* of the unit */
   /* Instructions from the first part to the first that may read. */
   uint8_t latency;
   enum gpc_swap swap;
   bool src_negate; /* whether operands may be negated */
};

extern const struct gpc_op_info gpc_op_infos[GPC_NUM_OPS];

enum gpc_ref_kind {
   GPC_REF_NONE,
   GPC_REF_NODE,      /* index: of the operation in this block */
   GPC_REF_UNIFORM,   /* index: scalar of uniforms and temporaries */
   GPC_REF_ATTRIBUTE, /* index: scalar */
   GPC_REF_REGISTER,  /* index: scalar; its value at the block's begin */
};

/* Temporaries stand after all uniforms, where nobody knows yet: the index
 * counts from here until gp_compile.c makes it final. */
#define GPC_TEMP_BASE 512

struct gpc_ref {
   uint8_t kind;
   bool negate;
   /* Of an indexed load: 1 + the GPC_OP_ADDRESS; 0: none. */
   uint32_t address;
   uint32_t index;
};

enum gpc_store_kind {
   GPC_STORE_NONE,
   GPC_STORE_VARYING,
   GPC_STORE_REGISTER,
   GPC_STORE_TEMP,
};

struct gpc_node {
   uint8_t op;
   struct gpc_ref src[3];
   uint8_t store_kind;   /* besides being a value */
   bool is_array;        /* GPC_OP_TEMP_STORE: its orders are given */
   bool is_indexed;      /* GPC_OP_TEMP_STORE: src[1] is no literal */
   uint16_t store_index; /* scalar */
};

/* `to` is placed at least `distance` after `from`. */
struct gpc_order {
   uint32_t from, to, distance;
};

struct gpc_block {
   struct gpc_node *nodes; /* operands come first */
   unsigned count;
   struct gpc_order *orders;
   unsigned num_orders;
   /* Registers that the block may not use for itself: bit by scalar. */
   uint64_t reserved;
   /* Whether another block follows, which may load registers at once. */
   bool has_successor;
   /* Index of the block where the branch goes. */
   unsigned target;
};

/* Literals after the uniforms, by scalar. */
struct gpc_literal {
   bool is_temp_address; /* `value` counts temporaries' vec4 */
   uint32_t value;       /* bits of a float, or that number */
};

struct gpc_literals {
   struct util_dynarray list; /* struct gpc_literal */
   unsigned base;             /* scalar of the first */
};

/* The scalar index of a literal, which is appended if it is not there. */
unsigned gpc_literal(struct gpc_literals *l, bool is_temp_address,
                     uint32_t value);

void gpc_print_node(const struct gpc_block *block, unsigned index,
                    struct strbuf *out);

static inline const struct gpc_op_info *
gpc_info(const struct gpc_node *n)
{
   return &gpc_op_infos[n->op];
}

#endif
