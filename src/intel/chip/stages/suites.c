/* SPDX-License-Identifier: MIT */
/*
 * Programs that the simulator's own suites run, as they recorded them while
 * this was built (sim/tests/eu/eu_record.h): quirks of doubles, regions,
 * control flow, and the rest. A chip runs them with the same registers.
 */
#include <stdio.h>

#include "intel/chip/chip.h"
#include "intel/chip/recorded.h"
#include "util/tool_io.h"

struct program {
   const struct recorded_program *head;
   const char *code, *regs;
};

static enum chip_status
run_program(struct chip_device *d, const void *data,
            struct util_dynarray *out)
{
   const struct program *p = data;
   const uint32_t mask = p->head->mask;
   const unsigned simd = mask >> 16 ? 32 : mask >> 8 ? 16 : 8;
   const char *from = p->regs;
   char *in = (char *)d->bos[CHIP_INPUT].map;
   chip_start(d);
   memset(in, 0, CHIP_REGS_B);
   for (unsigned i = 0; i < CHIP_REGS; i++) {
      if (!(p->head->regs[i / 32] >> (i % 32) & 1))
         continue;
      memcpy(in + 32 * i, from, 32);
      from += 32;
   }
   chip_program(d, p->code, p->head->code_B);
   chip_dispatch(d, simd, mask);
   return chip_finish(d, CHIP_PROGRAM_OUTPUT_B, out);
}

/* The first instructions, as far as they fit. */
static void
print_text(enum isa_gen gen, const struct program *p, char *out,
           size_t size_B)
{
   struct strbuf s = { 0 };
   isa_disassemble(gen, p->code, p->head->code_B, NULL, &s, NULL);
   snprintf(out, size_B, "%s", strbuf_str(&s));
   strbuf_fini(&s);
}

/* The next program at *at; false at the end, or where the file is no good. */
static bool
next_program(const struct util_dynarray *file, size_t *at, struct program *p)
{
   unsigned regs = 0;
   if (*at + sizeof(*p->head) > file->size_B)
      return false;
   p->head = (const void *)((const char *)file->data + *at);
   for (unsigned i = 0; i < ARRAY_SIZE(p->head->regs); i++)
      regs += (unsigned)__builtin_popcount(p->head->regs[i]);
   const size_t size_B = sizeof(*p->head) + p->head->code_B + 32ull * regs;
   if (memcmp(p->head->magic, RECORDED_MAGIC, sizeof(p->head->magic)) ||
       p->head->code_B > CHIP_BUFFER_B / 2 || *at + size_B > file->size_B ||
       p->head->regs[3] >> (CHIP_REGS - 96))
      return false;
   p->code = (const char *)(p->head + 1);
   p->regs = p->code + p->head->code_B;
   *at += size_B;
   return true;
}

void
chip_stage_suites(struct chip *c)
{
   struct util_dynarray file = { 0 };
   char path[1024];
   size_t at = 0;
   bool goes_on = true;
   struct program p;
   if (!c->data_folder)
      return;
   snprintf(path, sizeof(path), "%s/programs.bin", c->data_folder);
   if (!tool_read_file("saffron-chip", path, &file)) {
      c->failed = true;
      return;
   }
   while (goes_on && next_program(&file, &at, &p)) {
      struct chip_case k = { .run = run_program,
                             .data = &p,
                             .where = chip_program_where };
      if (strncmp(p.head->gen, c->sim->info->gen_name, sizeof(p.head->gen)))
         continue;
      snprintf(k.name, sizeof(k.name), "%.*s", (int)sizeof(p.head->name) - 1,
               p.head->name);
      print_text(c->sim->gen, &p, k.text, sizeof(k.text));
      goes_on = chip_run(c, &k);
   }
   if (goes_on && at != file.size_B) {
      fprintf(stderr, "saffron-chip: %s is damaged at byte %zu\n", path, at);
      c->failed = true;
   }
   util_dynarray_fini(&file);
}
