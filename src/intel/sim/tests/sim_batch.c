/* SPDX-License-Identifier: MIT */
#include "sim_batch.h"

#include <string.h>

struct batch
batch_start(void **state)
{
   struct batch b = { .f = *state };
   b.data = f_bo(b.f, 4096, DATA);
   b.second = f_bo(b.f, 4096, SECOND);
   b.bo = f_bo(b.f, 65536, BATCH);
   b.next = b.bo.map;
   return b;
}

void
batch_store(struct batch *b, uint64_t address, uint32_t value)
{
   EMIT(b, MI_STORE_DATA_IMM, .Address = address, .ImmediateData = value);
}

void
batch_load_imm(struct batch *b, uint32_t reg, uint32_t value)
{
   EMIT(b, MI_LOAD_REGISTER_IMM, .RegisterOffset = reg, .DataDWord = value);
}

void
batch_load_imm64(struct batch *b, uint32_t reg, uint64_t value)
{
   batch_load_imm(b, reg, (uint32_t)value);
   batch_load_imm(b, reg + 4, (uint32_t)(value >> 32));
}

void
batch_save(struct batch *b, uint32_t reg, uint64_t address)
{
   EMIT(b, MI_STORE_REGISTER_MEM, .RegisterAddress = reg,
        .MemoryAddress = address);
}

static int
finish(struct batch *b)
{
   *b->next++ = MI_BATCH_BUFFER_END;
   b->next = b->bo.map;
   return f_run(b->f, &b->bo);
}

void
run_ok(struct batch *b)
{
   assert_int_equal(finish(b), 0);
   if (b->f->num_reports)
      fail_msg("unexpected report: %s", b->f->report);
   assert_int_equal(f_resets(b->f), 0);
}

void
run_faulty(struct batch *b, const char *w0, const char *w1, const char *w2)
{
   assert_int_equal(finish(b), 0);
   if (!b->f->num_reports)
      fail_msg("no report");
   const char *words[] = { w0, w1, w2 };
   for (unsigned i = 0; i < 3; i++) {
      if (words[i] && !strstr(b->f->report, words[i]))
         fail_msg("no '%s' in '%s'", words[i], b->f->report);
   }
   assert_int_equal(f_resets(b->f), 1);
   /* Such a context is lost. */
   assert_int_equal(f_run(b->f, &b->bo), -EIO);
}
