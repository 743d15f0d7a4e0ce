/* SPDX-License-Identifier: MIT */
#include "sim_batch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "intel/isa/isa.h"
#include "util/dynarray.h"

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
batch_so_decls(struct batch *b, unsigned first)
{
   const struct GEN9_3DSTATE_SO_DECL_LIST l = { .DWordLength = 3 + 2 * 2 - 2,
                                                .StreamtoBufferSelects0 = 1,
                                                .NumEntries0 = 2 };
   GEN9_3DSTATE_SO_DECL_LIST_pack(b->next, &l);
   for (unsigned i = 0; i < 2; i++) {
      const struct GEN9_SO_DECL_ENTRY e = {
         .Stream0Decl = { .ComponentMask = 0xf, .RegisterIndex = first + i }
      };
      GEN9_SO_DECL_ENTRY_pack(&b->next[3 + 2 * i], &e);
   }
   b->next += 7;
}

uint64_t
batch_program(const struct test_bo *bo, unsigned offset_B, const char *text)
{
   struct util_dynarray code = { 0 };
   struct isa_errors errors = { 0 };
   if (!isa_assemble(ISA_SKL, text, strlen(text), &code, &errors))
      fail_msg("%u: %s", errors.error[0].line, errors.error[0].text);
   const uint64_t size_B = code.size_B;
   assert_true(offset_B + size_B <= bo->size_B);
   memcpy((uint8_t *)bo->map + offset_B, code.data, size_B);
   util_dynarray_fini(&code);
   return size_B;
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

int
batch_run_once(const struct batch *b)
{
   struct fixture *f = b->f;
   struct drm_i915_gem_context_create c = { 0 };
   struct drm_i915_gem_exec_object2 o[32];
   unsigned n = 0;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c), 0);
   for (unsigned i = 0; i < f->num_bos; i++) {
      if (f->bos[i].handle != b->bo.handle)
         o[n++] = f_object(&f->bos[i], EXEC_OBJECT_WRITE);
   }
   o[n++] = f_object(&b->bo, 0);
   struct drm_i915_gem_execbuffer2 e = { .buffers_ptr = (uintptr_t)o,
                                         .buffer_count = n,
                                         .flags = f->exec_flags,
                                         .rsvd1 = c.ctx_id };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   const int ret = f_idle(f, b->bo.handle);
   struct drm_i915_gem_context_destroy d = { .ctx_id = c.ctx_id };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d), 0);
   return ret;
}

void
damage(uint32_t *dw, unsigned size_dw, uint64_t *random)
{
   *random = *random * 6364136223846793005ull + 1442695040888963407ull;
   const unsigned at = (unsigned)(*random >> 33) % size_dw;
   const uint32_t bits = (uint32_t)(*random >> 20);
   dw[at] = *random >> 63 ? bits : dw[at] ^ 1u << (bits % 32);
}

static double
cpu_s(void)
{
   return (double)clock() / CLOCKS_PER_SEC;
}

struct damage_rounds
damage_start(double seconds)
{
   const char *trials = getenv("SAFFRON_TEST_TRIALS");
   return (struct damage_rounds) {
      .trials = trials ? (unsigned)atoi(trials) : 0,
      .end_s = cpu_s() + seconds,
   };
}

bool
damage_goes_on(const struct damage_rounds *r, unsigned round)
{
   return r->trials ? round < r->trials : cpu_s() < r->end_s;
}
