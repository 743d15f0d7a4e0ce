/* SPDX-License-Identifier: MIT */
/*
 * Structured control flow before it is NIR: lists of items. A jump may still
 * go to any item after the one that it lies in, in any list around it, or
 * back to the start of any loop around it; cfg_exits.c says how.
 */
#ifndef CFG_TREE_H
#define CFG_TREE_H

#include "cfg/cfg.h"

enum cfg_item_kind {
   CFG_BLOCK, /* the instructions of a node */
   CFG_IF,    /* on the condition of the block before, or a predicate */
   CFG_LOOP,
   CFG_JUMP, /* over an edge of the graph */
   CFG_RETURN,
};

/* How a jump is made. */
enum cfg_jump_how {
   CFG_FALLS, /* control comes there by itself */
   CFG_BREAKS,
   CFG_CONTINUES,
   CFG_RETURNS,
};

/* Places to go to: an item; the start of a loop; the end of the function. */
#define CFG_START_OF(loop) (-2 - (loop))
#define CFG_END INT32_MIN

struct cfg_item {
   enum cfg_item_kind kind;
   int list, next;        /* next in the list; CFG_NONE */
   int pos;               /* grows along the list */
   int node;              /* block, if, return, jump: of the graph */
   int predicate;         /* of an if; CFG_NONE */
   int child[2];          /* lists: then and else, or body */
   struct cfg_edge *edge; /* taken just before the item, or jumped over */
   bool one_trip;         /* a loop for its breaks only */
   /* Jumps: where to, and how. */
   int target;
   enum cfg_jump_how how;
   int exit_predicate;                        /* set on the way; CFG_NONE */
   int first_check, first_guard, first_reset; /* CFG_NONE */
   int head;       /* the one-trip loop that begins with it, or it */
   int seen;       /* the exit predicate that came by last */
   uint64_t reach; /* see cfg_exits.c */
   int pre;        /* in preorder */
   struct util_dynarray *through; /* loops: int, predicates set inside */
};

struct cfg_list {
   int first, last; /* CFG_NONE: empty */
   int parent;      /* item; CFG_NONE: the function */
   int loop;        /* innermost around; CFG_NONE */
   int follow;      /* the place after its end */
   int depth;
   int num;
};

/* After the loop that it belongs to: `if (predicate) how`. */
struct cfg_check {
   int predicate, next;
   enum cfg_jump_how how;
};

/* From after an item to before `until` (CFG_NONE: the end of the list),
 * all is under `if (!predicate)`. */
struct cfg_guard {
   int predicate, until, next;
};

/* A predicate that becomes false before the first item of a list. */
struct cfg_reset {
   int predicate, next;
};

struct cfg_tree {
   struct arena *arena;
   struct cfg *g;
   const struct cfg_info *info;
   struct util_dynarray items, lists, checks, guards, resets;
   int root;                 /* list */
   int *label;               /* by node: the item that stands for it */
   int *loop_item;           /* by header */
   struct cfg_edge *arrival; /* by node: group and choice of its label */
   int *order, num_order;    /* lists, parents first */
   unsigned num_exits, num_one_trip, num_selections;
};

static inline struct cfg_item *
cfg_item(const struct cfg_tree *t, int i)
{
   return util_dynarray_element(&t->items, struct cfg_item, i);
}

static inline struct cfg_list *
cfg_list(const struct cfg_tree *t, int i)
{
   return util_dynarray_element(&t->lists, struct cfg_list, i);
}

int cfg_add_item(struct cfg_tree *t, enum cfg_item_kind kind, int node);
int cfg_add_list(struct cfg_tree *t, int parent);
void cfg_append(struct cfg_tree *t, int list, int item);

/* cfg_tree.c: the graph must be reducible. */
void cfg_tree_build(struct cfg_tree *t, struct cfg *g,
                    const struct cfg_info *info, struct arena *arena);
void cfg_tree_finish(struct cfg_tree *t);
/* cfg_exits.c: says how each jump is made. */
void cfg_resolve_jumps(struct cfg_tree *t);
/* Where control is after an item. */
int cfg_place_after(const struct cfg_tree *t, int item);

#endif
