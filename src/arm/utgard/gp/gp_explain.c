/* SPDX-License-Identifier: MIT */
/*
 * Why a block is as long as it is: the longest path through its operations,
 * how full the units are, and where values had to be moved to stay alive.
 */
#include "gp_sched.h"

static const char *const unit_names[GP_NUM_ALU_UNITS] = {
   [GP_UNIT_MUL0] = "mul0",       [GP_UNIT_MUL1] = "mul1",
   [GP_UNIT_ADD0] = "add0",       [GP_UNIT_ADD1] = "add1",
   [GP_UNIT_COMPLEX] = "complex", [GP_UNIT_PASS] = "pass",
};

/* The reader that makes `from` as high as it is; the block's count: none. */
static unsigned
next_on_path(const struct gpc_block *block, const uint32_t *height,
             unsigned from)
{
   const struct gpc_node *n = &block->nodes[from];

   for (unsigned i = from + 1; i < block->count; i++) {
      if (height[from] != gpc_info(n)->latency + height[i])
         continue;
      for (unsigned k = 0; k < gpc_info(&block->nodes[i])->num_srcs; k++) {
         const struct gpc_ref *r = &block->nodes[i].src[k];
         if ((r->kind == GPC_REF_NODE && r->index == from) ||
             r->address == from + 1)
            return i;
      }
   }
   return block->count;
}

static void
explain_path(const struct gpc_block *block, const uint32_t *height,
             struct strbuf *out)
{
   unsigned i = 0;

   for (unsigned k = 1; k < block->count; k++) {
      if (height[k] > height[i])
         i = k;
   }
   strbuf_printf(out, "  longest path, %u words:\n", height[i]);
   for (; i < block->count; i = next_on_path(block, height, i)) {
      strbuf_printf(out, "    %2u  ", gpc_info(&block->nodes[i])->latency);
      gpc_print_node(block, i, out);
      strbuf_puts(out, "\n");
   }
}

static void
explain_units(const struct gpc_schedule *s, struct strbuf *out)
{
   strbuf_puts(out, "  busy words:");
   for (unsigned u = 0; u < GP_NUM_ALU_UNITS; u++) {
      unsigned busy = 0;
      for (unsigned w = 0; w < s->count; w++)
         busy += s->words[w].busy >> u & 1;
      strbuf_printf(out, " %s %u", unit_names[u], busy);
   }
   strbuf_printf(out, " of %u\n", s->count);
}

static void
explain_moves(const struct gpc_block *block, unsigned first,
              const struct gpc_schedule *s, struct strbuf *out)
{
   for (unsigned w = 0; w < s->count; w++) {
      for (unsigned u = 0; u < GP_NUM_ALU_UNITS; u++) {
         const uint32_t owner = s->words[w].owner[u];
         if (!owner || !((owner - 1) & GPC_IS_COPY))
            continue;
         strbuf_printf(out, "  move in word %u, %s: ", first + w,
                       unit_names[u]);
         gpc_print_node(block, (owner - 1) & ~GPC_IS_COPY, out);
         strbuf_puts(out, s->words[w].w.mode == GP_MODE_TEMP_STORE
                             ? " (spilled)\n"
                             : "\n");
      }
   }
}

void
gpc_explain_block(const struct gpc_block *block, unsigned index,
                  unsigned first, const struct gpc_schedule *schedule,
                  struct strbuf *out)
{
   strbuf_printf(out,
                 "block %u, words %u to %u: %u words, lower bound %u, "
                 "%u operations\n",
                 index, first, first + schedule->count - 1, schedule->count,
                 schedule->lower_bound, block->count);
   explain_path(block, schedule->height, out);
   explain_units(schedule, out);
   explain_moves(block, first, schedule, out);
   strbuf_puts(out, "  operations:\n");
   for (unsigned i = 0; i < block->count; i++) {
      strbuf_puts(out, "    ");
      gpc_print_node(block, i, out);
      strbuf_puts(out, "\n");
   }
}
