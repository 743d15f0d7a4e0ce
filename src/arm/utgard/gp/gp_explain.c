/* SPDX-License-Identifier: MIT */
/* Why a block is as long as it is. */
#include "gp_sched.h"

void
gpc_explain_block(const struct gpc_block *block, unsigned index,
                  unsigned first, const struct gpc_schedule *schedule,
                  struct strbuf *out)
{
   strbuf_printf(out, "block %u at %u: %u words, lower bound %u\n", index,
                 first, schedule->count, schedule->lower_bound);
   for (unsigned i = 0; i < block->count; i++) {
      strbuf_puts(out, "   ");
      gpc_print_node(block, i, out);
      strbuf_puts(out, "\n");
   }
}
