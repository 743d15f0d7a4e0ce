/* SPDX-License-Identifier: MIT */
/*
 * SAFFRON_SIM_TRACE=STAGE,...: what threads of these stages do, instruction
 * by instruction, on the standard error stream: the instruction, the
 * channels that are active, and each register that it changes.
 *
 * The callback gets no data of its own, so the register file from before the
 * instruction is kept per host thread.
 */
#include "intel/sim/eu/eu_private.h"

#include <stdio.h>

#include "util/environment.h"
#include "util/thread_memory.h"

struct before {
   union sim_grf grf[SIM_GRF_COUNT];
   uint32_t flag[2];
};

/* NULL: no memory for them. */
static struct before *
registers_before(void)
{
   static _Thread_local void *slot;
   return thread_memory(&slot, sizeof(struct before));
}

static void
print_changes(const struct sim_eu_thread *t)
{
   const struct before *before = registers_before();
   if (!before) {
      fprintf(stderr, "      the host is out of memory\n");
      return;
   }
   for (unsigned i = 0; i < SIM_GRF_COUNT; i++) {
      if (!memcmp(&before->grf[i], &t->grf[i], SIM_GRF_B))
         continue;
      fprintf(stderr, "      r%-3u", i);
      for (unsigned k = 0; k < 8; k++)
         fprintf(stderr, " %08x", t->grf[i].ud[k]);
      fprintf(stderr, "  ");
      for (unsigned k = 0; k < 8; k++)
         fprintf(stderr, " %g", (double)t->grf[i].f[k]);
      fprintf(stderr, "\n");
   }
   for (unsigned i = 0; i < 2; i++)
      if (before->flag[i] != t->flag[i])
         fprintf(stderr, "      f%u   %08x\n", i, t->flag[i]);
}

void
sim_eu_trace_print(struct sim_eu_thread *t, const struct isa_inst *inst,
                   bool after)
{
   if (after) {
      print_changes(t);
      return;
   }
   char text[512];
   sim_eu_print_inst(t->env->verx10, inst, text, sizeof(text));
   fprintf(stderr, "%04x %08x  %s\n", t->ip_B, t->active, text);
   struct before *before = registers_before();
   if (!before)
      return;
   memcpy(before->grf, t->grf, sizeof(before->grf));
   memcpy(before->flag, t->flag, sizeof(before->flag));
}

sim_eu_trace_fn
sim_eu_trace_for(const char *stage)
{
   const char *list = environment_get("SAFFRON_SIM_TRACE");
   const size_t length = strlen(stage);
   while (list && *list) {
      const size_t n = strcspn(list, ",");
      if (n == length && !strncmp(list, stage, n))
         return sim_eu_trace_print;
      list += n + (list[n] == ',');
   }
   return NULL;
}
