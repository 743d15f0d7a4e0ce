/* SPDX-License-Identifier: MIT */
/*
 * Operations of one block while they are made. What is emitted here can be
 * placed in an empty word: at most one vec4 of uniforms and two of
 * attributes among the operands, negations only where units have them.
 */
#include "gp_build.h"

struct gpc_ref
gpc_float(struct gpc_build *b, float f)
{
   return (struct gpc_ref) {
      .kind = GPC_REF_UNIFORM,
      .index = gpc_literal(&b->literals, false, util_float_bits(f)),
   };
}

static struct gpc_node *
node_at(const struct gpc_build *b, uint32_t i)
{
   return util_dynarray_element(&b->nodes, struct gpc_node, i);
}

static struct gpc_ref
append(struct gpc_build *b, enum gpc_op op, const struct gpc_ref src[3])
{
   const uint32_t i = util_dynarray_num_elements(&b->nodes, struct gpc_node);
   struct gpc_node n = { .op = (uint8_t)op };

   memcpy(n.src, src, sizeof(n.src));
   util_dynarray_append(&b->nodes, struct gpc_node, n);
   return (struct gpc_ref) { .kind = GPC_REF_NODE, .index = i };
}

/* A move; that of a uniform is shared. */
static struct gpc_ref
moved(struct gpc_build *b, struct gpc_ref r)
{
   const bool negate = r.negate;
   const bool shared = r.kind == GPC_REF_UNIFORM && !r.address &&
                       r.index < MAX_MOVED;
   struct gpc_ref copy;

   if (shared && b->moved_uniform[r.index]) {
      copy = (struct gpc_ref) { .kind = GPC_REF_NODE,
                                .index = b->moved_uniform[r.index] - 1 };
   } else {
      const struct gpc_ref src[3] = { { r.kind, false, r.address, r.index } };
      copy = append(b, GPC_OP_MOV, src);
      if (shared) {
         b->moved_uniform[r.index] = copy.index + 1;
         util_dynarray_append(&b->moved, uint32_t, r.index);
      }
   }
   copy.negate = negate;
   return copy;
}

static bool
same_load(const struct gpc_ref *x, const struct gpc_ref *y)
{
   return x->kind == y->kind && x->index / 4 == y->index / 4 &&
          x->address == y->address;
}

/* Literals rather than others, as several readers may share the move. */
static bool
is_literal(const struct gpc_build *b, const struct gpc_ref *r)
{
   return r->kind == GPC_REF_UNIFORM && r->index >= b->literals.base &&
          r->index < GPC_TEMP_BASE * 4;
}

static void
separate_loads(struct gpc_build *b, enum gpc_op op, struct gpc_ref src[3])
{
   const unsigned n = gpc_op_infos[op].num_srcs;
   const struct gpc_ref *kept = op == GPC_OP_CLAMP ? &src[1] : NULL;
   struct gpc_ref first = { 0 };

   for (unsigned i = 0; i < n && !kept; i++) {
      if (src[i].kind == GPC_REF_UNIFORM &&
          (first.kind == GPC_REF_NONE || !is_literal(b, &src[i])))
         first = src[i];
   }
   if (kept)
      first = *kept;
   for (unsigned i = 0; i < n; i++) {
      if (src[i].kind == GPC_REF_UNIFORM && !same_load(&src[i], &first))
         src[i] = moved(b, src[i]);
   }
   if (n == 3 && src[0].kind == GPC_REF_ATTRIBUTE &&
       src[1].kind == GPC_REF_ATTRIBUTE && src[2].kind == GPC_REF_ATTRIBUTE)
      src[2] = moved(b, src[2]);
}

struct gpc_ref
gpc_emit(struct gpc_build *b, enum gpc_op op, struct gpc_ref x,
         struct gpc_ref y, struct gpc_ref z)
{
   struct gpc_ref src[3] = { x, y, z };

   for (unsigned i = 0; i < gpc_op_infos[op].num_srcs; i++) {
      if (src[i].negate && !gpc_op_infos[op].src_negate)
         src[i] = append(b, GPC_OP_MOV, (struct gpc_ref[3]) { src[i] });
   }
   separate_loads(b, op, src);
   return append(b, op, src);
}

/* Whether the i-th literal is this number. */
static bool
is_number(const struct util_dynarray *list, unsigned i, float f)
{
   const struct gpc_literal *l =
      util_dynarray_element(list, struct gpc_literal, i);

   return !l->is_temp_address && l->value == util_float_bits(f);
}

static void
append_number(struct util_dynarray *list, float f)
{
   util_dynarray_append(
      list, struct gpc_literal,
      ((struct gpc_literal) { .value = util_float_bits(f) }));
}

struct gpc_ref
gpc_clamp(struct gpc_build *b, struct gpc_ref x, float lo, float hi)
{
   struct util_dynarray *list = &b->literals.list;
   const unsigned n = util_dynarray_num_elements(list, struct gpc_literal);
   unsigned i = 0;

   while (i + 1 < n &&
          !(is_number(list, i, hi) && is_number(list, i + 1, lo)))
      i += 4;
   if (i + 1 >= n) {
      for (i = n; i % 4; i++)
         append_number(list, 0.0f);
      append_number(list, hi);
      append_number(list, lo);
   }
   return gpc_emit2(b, GPC_OP_CLAMP, x,
                    (struct gpc_ref) { .kind = GPC_REF_UNIFORM,
                                       .index = b->literals.base + i });
}

/* ---- stores ---- */

/* Whether nothing from operation `from` on reads the old value. */
static bool
is_read_before(const struct gpc_build *b, uint32_t from, unsigned reg)
{
   const uint32_t n = util_dynarray_num_elements(&b->nodes, struct gpc_node);

   for (uint32_t i = from + 1; i < n; i++) {
      for (unsigned k = 0; k < 3; k++) {
         if (node_at(b, i)->src[k].kind == GPC_REF_REGISTER &&
             node_at(b, i)->src[k].index == reg)
            return false;
      }
   }
   return true;
}

static bool
can_store(const struct gpc_build *b, unsigned kind, unsigned index,
          const struct gpc_ref *value)
{
   if (value->kind != GPC_REF_NODE || value->negate)
      return false;
   const struct gpc_node *n = node_at(b, value->index);
   return !n->store_kind && gpc_info(n)->cls != GPC_CLASS_TABLE &&
          (kind != GPC_STORE_REGISTER ||
           is_read_before(b, value->index, index));
}

struct gpc_ref
gpc_emit_temp_store(struct gpc_build *b, unsigned index, struct gpc_ref value,
                    struct gpc_ref address, bool is_indexed)
{
   const struct gpc_ref store =
      gpc_emit2(b, GPC_OP_TEMP_STORE, value, address);
   struct gpc_node *n = node_at(b, store.index);

   n->store_index = (uint16_t)index;
   n->is_array = true;
   n->is_indexed = is_indexed;
   return store;
}

void
gpc_emit_store(struct gpc_build *b, unsigned kind, unsigned index,
               struct gpc_ref value)
{
   if (kind == GPC_STORE_TEMP) {
      const struct gpc_ref address = {
         .kind = GPC_REF_UNIFORM,
         .index = gpc_literal(&b->literals, true, index / 4),
      };
      value = gpc_emit_temp_store(b, index, value, address, false);
      node_at(b, value.index)->is_array = false;
      return;
   }
   if (!can_store(b, kind, index, &value))
      value = gpc_emit1(b, GPC_OP_MOV, value);
   struct gpc_node *n = node_at(b, value.index);
   n->store_kind = (uint8_t)kind;
   n->store_index = (uint16_t)index;
}

/* ---- the finished block ---- */

void
gpc_begin_block(struct gpc_build *b)
{
   util_dynarray_clear(&b->nodes);
   util_dynarray_clear(&b->orders);
   util_dynarray_foreach(&b->moved, uint32_t, i)
      b->moved_uniform[*i] = 0;
   util_dynarray_clear(&b->moved);
   memset(b->position, 0, sizeof(b->position));
   b->index = b->address = GPC_NONE;
   b->store_index = b->store_base = b->store_address = GPC_NONE;
   util_dynarray_clear(&b->accesses);
}

static bool
has_effect(const struct gpc_node *n)
{
   return n->store_kind || n->op == GPC_OP_TEMP_STORE ||
          n->op == GPC_OP_BRANCH;
}

static void
count_uses(const struct gpc_build *b, uint32_t *uses)
{
   for (uint32_t i = util_dynarray_num_elements(&b->nodes, struct gpc_node);
        i-- > 0;) {
      const struct gpc_node *n = node_at(b, i);
      if (!uses[i] && !has_effect(n))
         continue;
      for (unsigned k = 0; k < gpc_info(n)->num_srcs; k++) {
         if (n->src[k].kind == GPC_REF_NODE)
            uses[n->src[k].index]++;
         if (n->src[k].address)
            uses[n->src[k].address - 1]++;
      }
   }
}

/* A log2 that is only stored: its postlog2 can be. */
static void
fold_stores(struct gpc_build *b, uint32_t *uses)
{
   const uint32_t n = util_dynarray_num_elements(&b->nodes, struct gpc_node);

   for (uint32_t i = 0; i < n; i++) {
      struct gpc_node *mov = node_at(b, i);
      if (mov->op != GPC_OP_MOV || mov->store_kind != GPC_STORE_VARYING ||
          uses[i] || mov->src[0].kind != GPC_REF_NODE || mov->src[0].negate)
         continue;
      struct gpc_node *log2 = node_at(b, mov->src[0].index);
      if (log2->op != GPC_OP_LOG2 || uses[mov->src[0].index] != 1)
         continue;
      log2->store_kind = mov->store_kind;
      log2->store_index = mov->store_index;
      mov->store_kind = GPC_STORE_NONE;
      uses[mov->src[0].index] = 0;
   }
}

void
gpc_add_order(struct gpc_build *b, uint32_t from, uint32_t to,
              unsigned distance)
{
   util_dynarray_append(&b->orders, struct gpc_order,
                        ((struct gpc_order) { from, to, distance }));
}

/* The scalar that an operation overwrites: registers, then temporaries;
 * UINT32_MAX: none. */
static uint32_t
written(const struct gpc_node *n)
{
   if (n->store_kind == GPC_STORE_REGISTER)
      return n->store_index;
   if (n->op == GPC_OP_TEMP_STORE && !n->is_array)
      return 64 + n->store_index;
   return UINT32_MAX;
}

static bool
reads(const struct gpc_ref *r, uint32_t scalar)
{
   return scalar < 64 ? r->kind == GPC_REF_REGISTER && r->index == scalar
                      : r->kind == GPC_REF_UNIFORM &&
                           r->index == GPC_TEMP_BASE * 4 + scalar - 64;
}

/* Old values are read before they are overwritten. A table reads its
 * argument in two words. */
static void
order_stores(struct gpc_build *b, struct gpc_block *out)
{
   for (uint32_t w = 0; w < out->count; w++) {
      const uint32_t scalar = written(&out->nodes[w]);
      if (scalar == UINT32_MAX)
         continue;
      for (uint32_t i = 0; i < out->count; i++) {
         const struct gpc_node *n = &out->nodes[i];
         for (unsigned k = 0; k < gpc_info(n)->num_srcs; k++) {
            if (i != w && reads(&n->src[k], scalar))
               gpc_add_order(b, i, w, gpc_info(n)->cls == GPC_CLASS_TABLE);
         }
      }
   }
}

void
gpc_finish_block(struct gpc_build *b, struct gpc_block *out)
{
   const uint32_t n = util_dynarray_num_elements(&b->nodes, struct gpc_node);
   uint32_t *uses = arena_new_array(b->arena, uint32_t, n);
   uint32_t *map = arena_new_array(b->arena, uint32_t, n);

   count_uses(b, uses);
   fold_stores(b, uses);
   out->nodes = arena_new_array(b->arena, struct gpc_node, n);
   out->count = 0;
   for (uint32_t i = 0; i < n; i++) {
      struct gpc_node node = *node_at(b, i);
      map[i] = UINT32_MAX;
      if (!uses[i] && !has_effect(&node))
         continue;
      for (unsigned k = 0; k < gpc_info(&node)->num_srcs; k++) {
         if (node.src[k].kind == GPC_REF_NODE)
            node.src[k].index = map[node.src[k].index];
         if (node.src[k].address)
            node.src[k].address = map[node.src[k].address - 1] + 1;
      }
      map[i] = out->count;
      out->nodes[out->count++] = node;
   }
   order_stores(b, out);
   gpc_order_accesses(b, map);
   out->num_orders = util_dynarray_num_elements(&b->orders, struct gpc_order);
   out->orders = arena_memdup(b->arena, b->orders.data, b->orders.size_B);
}
