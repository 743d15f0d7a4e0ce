/* SPDX-License-Identifier: MIT */
/*
 * Cycles by class of instruction, from the thread's own clock (tm0): of
 * instructions that do not wait for each other, and of a chain in which each
 * waits for the one before. The fourth turn of a loop counts, when the code
 * is in the cache; of several runs the shortest.
 */
#include <stdio.h>

#include "intel/chip/chip.h"

#define LENGTH 16 /* instructions */
#define RUNS 5
#define TOLERANCE_PERCENT 10
#define TOLERANCE_CYCLES 32 /* of LENGTH instructions */

struct timed {
   const char *name; /* a row of the cost model (sim/eu/timing.c) */
   const char *free; /* with %u: where the result goes */
   const char *chain;
   bool doubles;
};

static const struct timed classes[] = {
   { "alu", "add (8|M0) r%u.0<1>:f r10.0<8;8,1>:f r11.0<8;8,1>:f\n",
     "add (8|M0) r40.0<1>:f r40.0<8;8,1>:f r11.0<8;8,1>:f\n", false },
   { "alu_integer", "add (8|M0) r%u.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d\n",
     "add (8|M0) r40.0<1>:d r40.0<8;8,1>:d r11.0<8;8,1>:d\n", false },
   { "two_passes", "mul (8|M0) r%u.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d\n",
     "mul (8|M0) r40.0<1>:d r40.0<8;8,1>:d r11.0<8;8,1>:d\n", false },
   { "wide", "add (4|M0) r%u.0<1>:df r10.0<4;4,1>:df r12.0<4;4,1>:df\n",
     "add (4|M0) r40.0<1>:df r40.0<4;4,1>:df r12.0<4;4,1>:df\n", true },
   { "math", "math.inv (8|M0) r%u.0<1>:f r10.0<8;8,1>:f\n",
     "math.inv (8|M0) r40.0<1>:f r40.0<8;8,1>:f\n", false },
   { "pow", "math.pow (8|M0) r%u.0<1>:f r10.0<8;8,1>:f r11.0<8;8,1>:f\n",
     "math.pow (8|M0) r40.0<1>:f r40.0<8;8,1>:f r11.0<8;8,1>:f\n", false },
};

#define READ_CLOCK "(W) mov (4|M0) r%u.0<1>:ud tm0.0<4;4,1>:ud\n"

static void
put_loop(struct chip_device *d, const char *line, bool is_free, unsigned n)
{
   struct strbuf s = { 0 };
   strbuf_puts(&s, "(W) mov (1|M0) r99.0<1>:ud 0:ud\nL:\n");
   strbuf_printf(&s, READ_CLOCK, 100u);
   for (unsigned i = 0; i < n; i++) {
      const char *at = is_free ? strstr(line, "%u") : NULL;
      if (at)
         strbuf_printf(&s, "%.*s%u%s", (int)(at - line), line, 40 + 2 * i,
                       at + 2);
      else
         strbuf_puts(&s, line);
   }
   if (n && !is_free) /* the last result has come */
      strbuf_puts(&s, "mov (8|M0) r98.0<1>:ud r40.0<8;8,1>:ud\n");
   strbuf_printf(&s, READ_CLOCK, 101u);
   strbuf_puts(&s, "(W) add (1|M0) r99.0<1>:ud r99.0<0;1,0>:ud 1:ud\n"
                   "(W) cmp (1|M0) (lt)f0.0 null<1>:ud r99.0<0;1,0>:ud "
                   "4:ud {Switch}\n"
                   "(W&f0.0) jmpi (1|M0) L\n");
   chip_program_text(d, s.s);
   strbuf_fini(&s);
}

static enum chip_status
measure(struct chip_device *d, const char *line, bool is_free, unsigned n,
        uint32_t *cycles)
{
   *cycles = ~0u;
   for (unsigned run = 0; run < RUNS; run++) {
      struct util_dynarray out = { 0 };
      uint32_t *in = d->bos[CHIP_INPUT].map;
      chip_start(d);
      memset(in, 0, CHIP_REGS_B);
      put_loop(d, line, is_free, n);
      chip_dispatch(d, 8, 0xff);
      const enum chip_status status =
         chip_finish(d, CHIP_PROGRAM_OUTPUT_B, &out);
      const uint32_t *regs = out.data;
      if (status == CHIP_DONE)
         *cycles = MIN2(*cycles, regs[101 * 8] - regs[100 * 8]);
      util_dynarray_fini(&out);
      if (status != CHIP_DONE)
         return status;
   }
   return CHIP_DONE;
}

/* Two dwords: what LENGTH free ones and a chain of them take. */
static enum chip_status
run_class(struct chip_device *d, const void *data, struct util_dynarray *out)
{
   const struct timed *t = data;
   uint32_t none, with;
   enum chip_status status = measure(d, t->free, true, 0, &none);
   if (status == CHIP_DONE)
      status = measure(d, t->free, true, LENGTH, &with);
   if (status == CHIP_DONE) {
      util_dynarray_append(out, uint32_t, with - none);
      status = measure(d, t->chain, false, LENGTH, &with);
   }
   if (status == CHIP_DONE)
      util_dynarray_append(out, uint32_t, with - none);
   return status;
}

static void
time_where(unsigned offset_B, char *out, size_t size_B)
{
   snprintf(out, size_B, "%s of %u, in cycles",
            offset_B ? "a chain" : "issue", LENGTH);
}

/* A row of the table: issue, and from issue to the result. */
static void
tell(struct chip *c, const struct chip_case *k,
     const struct util_dynarray *chip, const struct util_dynarray *sim)
{
   const uint32_t *a = chip->data, *b = sim->data;
   char text[256];
   snprintf(text, sizeof(text),
            "{\"class\": \"%s\", \"issue\": %.2f, \"latency\": %.2f, "
            "\"simulator_issue\": %.2f, \"simulator_latency\": %.2f}",
            k->name, a[0] / (double)LENGTH, ((double)a[1] - a[0]) / LENGTH,
            b[0] / (double)LENGTH, ((double)b[1] - b[0]) / LENGTH);
   chip_report_timing(c->report, text);
}

void
chip_stage_timing(struct chip *c)
{
   bool goes_on = true;
   for (unsigned i = 0; goes_on && i < ARRAY_SIZE(classes); i++) {
      struct chip_case k = { .run = run_class,
                             .data = &classes[i],
                             .where = time_where,
                             .tell = tell,
                             .tolerance = TOLERANCE_CYCLES,
                             .tolerance_percent = TOLERANCE_PERCENT };
      /* Ivybridge's counts differently. */
      if (classes[i].doubles && c->sim->info->eu.df_is_two)
         continue;
      snprintf(k.name, sizeof(k.name), "%s", classes[i].name);
      goes_on = chip_run(c, &k);
   }
}
