/* SPDX-License-Identifier: MIT */
/* The table of operations, literals, and operations as text. */
#include "gp_ir.h"

/* Latencies: fact sheet of the machine, "Fixed timings". */
const struct gpc_op_info gpc_op_infos[GPC_NUM_OPS] = {
   [GPC_OP_MOV] = { "mov", GPC_CLASS_MOV, 1, 0, 1, GPC_SWAP_NO, true },
   [GPC_OP_MUL] = { "mul", GPC_CLASS_MUL, 2, GP_MUL_OP_MUL, 1, GPC_SWAP_YES,
                    true },
   [GPC_OP_SELECT] = { "select", GPC_CLASS_SELECT, 3, GP_MUL_OP_SELECT, 1 },
   [GPC_OP_ADD] = { "add", GPC_CLASS_ADD, 2, GP_ADD_OP_ADD, 1, GPC_SWAP_YES,
                    true },
   [GPC_OP_FLOOR] = { "floor", GPC_CLASS_ADD, 1, GP_ADD_OP_FLOOR, 1,
                      GPC_SWAP_NO, true },
   [GPC_OP_SIGN] = { "sign", GPC_CLASS_ADD, 1, GP_ADD_OP_SIGN, 1, GPC_SWAP_NO,
                     true },
   [GPC_OP_GE] = { "ge", GPC_CLASS_ADD, 2, GP_ADD_OP_GE, 1, GPC_SWAP_NEGATED,
                   true },
   [GPC_OP_LT] = { "lt", GPC_CLASS_ADD, 2, GP_ADD_OP_LT, 1, GPC_SWAP_NEGATED,
                   true },
   [GPC_OP_MIN] = { "min", GPC_CLASS_ADD, 2, GP_ADD_OP_MIN, 1, GPC_SWAP_YES,
                    true },
   [GPC_OP_MAX] = { "max", GPC_CLASS_ADD, 2, GP_ADD_OP_MAX, 1, GPC_SWAP_YES,
                    true },
   [GPC_OP_CLAMP] = { "clamp", GPC_CLASS_PASS, 2, GP_PASS_OP_CLAMP, 1 },
   [GPC_OP_RCP] = { "rcp", GPC_CLASS_TABLE, 1, GP_COMPLEX_OP_RCP, 3 },
   [GPC_OP_RSQRT] = { "rsqrt", GPC_CLASS_TABLE, 1, GP_COMPLEX_OP_RSQRT, 3 },
   [GPC_OP_EXP2] = { "exp2", GPC_CLASS_TABLE, 1, GP_COMPLEX_OP_EXP2, 4 },
   [GPC_OP_LOG2] = { "log2", GPC_CLASS_TABLE, 1, GP_COMPLEX_OP_LOG2, 4 },
   [GPC_OP_ADDRESS] = { "address", GPC_CLASS_ADDRESS, 1, 0, 4 },
   [GPC_OP_TEMP_STORE] = { "temp_store", GPC_CLASS_TEMP_STORE, 2, 0, 4 },
   [GPC_OP_BRANCH] = { "branch", GPC_CLASS_BRANCH, 1, 0, 1 },
};

unsigned
gpc_literal(struct gpc_literals *l, bool is_temp_address, uint32_t value)
{
   const struct gpc_literal lit = { is_temp_address, value };
   const struct gpc_literal *list = l->list.data;
   const unsigned n =
      util_dynarray_num_elements(&l->list, struct gpc_literal);

   for (unsigned i = 0; i < n; i++) {
      if (list[i].value == value &&
          list[i].is_temp_address == is_temp_address)
         return l->base + i;
   }
   util_dynarray_append(&l->list, struct gpc_literal, lit);
   return l->base + n;
}

static void
print_ref(const struct gpc_ref *r, struct strbuf *out)
{
   static const char *const prefix[] = { "none", "%", "u", "a", "r" };

   strbuf_printf(out, " %s%s%u", r->negate ? "-" : "", prefix[r->kind],
                 r->kind == GPC_REF_NODE ? r->index : r->index / 4);
   if (r->kind != GPC_REF_NODE)
      strbuf_printf(out, ".%c", "xyzw"[r->index % 4]);
   if (r->address)
      strbuf_printf(out, "[%%%u]", r->address - 1);
}

void
gpc_print_node(const struct gpc_block *block, unsigned index,
               struct strbuf *out)
{
   static const char *const stores[] = { "", "varying", "r", "t" };
   const struct gpc_node *n = &block->nodes[index];

   strbuf_printf(out, "%%%u = %s", index, gpc_info(n)->name);
   for (unsigned i = 0; i < gpc_info(n)->num_srcs; i++)
      print_ref(&n->src[i], out);
   if (n->store_kind)
      strbuf_printf(out, " -> %s%u.%c", stores[n->store_kind],
                    n->store_index / 4u, "xyzw"[n->store_index % 4]);
}
