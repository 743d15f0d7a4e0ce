/* SPDX-License-Identifier: MIT */
/* Batches built by hand: memory, registers, arithmetic, predicates, levels,
 * faults, hangs, and random damage. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "intel/sim/gpu/gpu.h"
#include "intel/sim/tests/sim_batch.h"

static void
test_memory(void **state)
{
   struct batch b = batch_start(state);
   batch_store(&b, DATA + 8, 0xcafe);
   EMIT(&b, MI_COPY_MEM_MEM, .SourceMemoryAddress = DATA + 8,
        .DestinationMemoryAddress = DATA + 16);
   /* Two qwords in one command. */
   struct GEN9_MI_STORE_DATA_IMM sdi = { GEN9_MI_STORE_DATA_IMM_header,
                                         .StoreQword = 1,
                                         .Address = DATA + 32 };
   sdi.DWordLength = 5;
   GEN9_MI_STORE_DATA_IMM_pack(b.next, &sdi);
   for (unsigned i = 0; i < 4; i++)
      b.next[3 + i] = 100 + i;
   b.next += 7;
   run_ok(&b);
   assert_int_equal(b.data.map[2], 0xcafe);
   assert_int_equal(b.data.map[4], 0xcafe);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(b.data.map[8 + i], 100 + i);
}

static void
test_registers(void **state)
{
   struct batch b = batch_start(state);
   b.data.map[0] = 42;
   EMIT(&b, MI_LOAD_REGISTER_MEM, .RegisterAddress = GEN9_CS_GPR0_num,
        .MemoryAddress = DATA);
   EMIT(&b, MI_LOAD_REGISTER_REG, .SourceRegisterAddress = GEN9_CS_GPR0_num,
        .DestinationRegisterAddress = GEN9_CS_GPR15_num);
   batch_save(&b, GEN9_CS_GPR15_num, DATA + 4);
   /* Writing needs the mask in the upper half. */
   batch_load_imm(&b, GEN9_INSTPM_num, 0x00ff00f0);
   batch_load_imm(&b, GEN9_INSTPM_num, 0x0030000f);
   batch_save(&b, GEN9_INSTPM_num, DATA + 8);
   batch_load_imm(&b, GEN9_SO_WRITE_OFFSET2_num, 64);
   batch_save(&b, GEN9_SO_WRITE_OFFSET2_num, DATA + 12);
   run_ok(&b);
   assert_int_equal(b.data.map[1], 42);
   assert_int_equal(b.data.map[2], 0xc0);
   assert_int_equal(b.data.map[3], 64);
}

static uint32_t
alu(uint32_t opcode, uint32_t op1, uint32_t op2)
{
   uint32_t dw;
   const struct GEN9_MI_MATH_ALU_INSTRUCTION i = { op2, op1, opcode };
   GEN9_MI_MATH_ALU_INSTRUCTION_pack(&dw, &i);
   return dw;
}

/* r2 = r0 op r1, r3 = carry, r4 = zero. */
static void
math(struct batch *b, uint32_t op)
{
   const uint32_t program[] = {
      alu(MI_ALU_LOAD, MI_ALU_SRCA, MI_ALU_REG0),
      alu(MI_ALU_LOAD, MI_ALU_SRCB, MI_ALU_REG1),
      alu(op, 0, 0),
      alu(MI_ALU_STORE, MI_ALU_REG2, MI_ALU_ACCU),
      alu(MI_ALU_STORE, MI_ALU_REG3, MI_ALU_CF),
      alu(MI_ALU_STORE, MI_ALU_REG4, MI_ALU_ZF),
      alu(MI_ALU_STOREINV, MI_ALU_REG5, MI_ALU_ACCU),
   };
   const struct GEN9_MI_MATH m = { .DWordLength = sizeof(program) / 4 - 1 };
   GEN9_MI_MATH_pack(b->next, &m);
   memcpy(b->next + 1, program, sizeof(program));
   b->next += 1 + sizeof(program) / 4;
}

static void
test_math(void **state)
{
   static const struct {
      uint32_t op;
      uint64_t a, b, result;
      bool carry;
   } rows[] = {
      { MI_ALU_ADD, 5, 7, 12, false },
      { MI_ALU_ADD, ~0ull, 1, 0, true },
      { MI_ALU_ADD, 0xffffffff, 1, 0x100000000, false },
      { MI_ALU_SUB, 5, 7, -2ull, true },
      { MI_ALU_SUB, 7, 7, 0, false },
      { MI_ALU_AND, 0xff00ff00ff, 0x0ff00ff0, 0xf00000f0 & 0x0ff000f0,
        false },
      { MI_ALU_OR, 1ull << 63, 1, (1ull << 63) | 1, false },
      { MI_ALU_XOR, 0x5555, 0xffff, 0xaaaa, false },
   };
   struct batch b = batch_start(state);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const uint64_t expect = rows[i].op == MI_ALU_AND ? rows[i].a & rows[i].b
                                                       : rows[i].result;
      batch_load_imm64(&b, GEN9_CS_GPR0_num, rows[i].a);
      batch_load_imm64(&b, GEN9_CS_GPR1_num, rows[i].b);
      math(&b, rows[i].op);
      for (unsigned r = 0; r < 8; r++)
         batch_save(&b, GEN9_CS_GPR2_num + 4 * r, DATA + 4 * r);
      run_ok(&b);
      uint64_t out[4];
      memcpy(out, b.data.map, sizeof(out));
      assert_true(out[0] == expect);
      assert_true(out[1] == (rows[i].carry ? ~0ull : 0));
      assert_true(out[2] == (expect == 0 ? ~0ull : 0));
      assert_true(out[3] == ~expect);
   }
}

static void
test_math_bad_operand(void **state)
{
   struct batch b = batch_start(state);
   const struct GEN9_MI_MATH m = { .DWordLength = 0 };
   GEN9_MI_MATH_pack(b.next, &m);
   b.next[1] = alu(MI_ALU_STORE, MI_ALU_SRCA, MI_ALU_ACCU);
   b.next += 2;
   run_faulty(&b, "MI_MATH at 0x000000100000", "instruction 0", NULL);
}

static void
predicate(struct batch *b, uint32_t load, uint32_t combine, uint32_t compare)
{
   EMIT(b, MI_PREDICATE, .LoadOperation = load, .CombineOperation = combine,
        .CompareOperation = compare);
}

static void
test_predicates(void **state)
{
   struct batch b = batch_start(state);
   batch_load_imm64(&b, GEN9_MI_PREDICATE_SRC0_num, 7);
   batch_load_imm64(&b, GEN9_MI_PREDICATE_SRC1_num, 7);
   predicate(&b, LOAD_LOAD, COMBINE_SET, COMPARE_SRCS_EQUAL);
   batch_save(&b, GEN9_MI_PREDICATE_RESULT_num, DATA);
   predicate(&b, LOAD_LOADINV, COMBINE_AND, COMPARE_SRCS_EQUAL);
   batch_save(&b, GEN9_MI_PREDICATE_RESULT_num, DATA + 4);
   /* False now: a predicated store does nothing. */
   EMIT(&b, MI_STORE_REGISTER_MEM, .PredicateEnable = true,
        .RegisterAddress = GEN9_MI_PREDICATE_SRC0_num,
        .MemoryAddress = DATA + 8);
   predicate(&b, LOAD_LOAD, COMBINE_XOR, COMPARE_TRUE);
   EMIT(&b, MI_STORE_REGISTER_MEM, .PredicateEnable = true,
        .RegisterAddress = GEN9_MI_PREDICATE_SRC0_num,
        .MemoryAddress = DATA + 12);
   EMIT(&b, MI_SET_PREDICATE, .PREDICATEENABLE = NOOPonResultset);
   batch_store(&b, DATA + 16, 1); /* a no-op */
   EMIT(&b, MI_SET_PREDICATE, .PREDICATEENABLE = NOOPNever);
   batch_store(&b, DATA + 20, 1);
   run_ok(&b);
   const uint32_t expect[] = { 1, 0, 0, 7, 0, 1 };
   assert_memory_equal(b.data.map, expect, sizeof(expect));
}

/* The predicate is inverted as crocus does it, twice, and kept. */
static void
test_inverted_predicate(void **state)
{
   struct batch b = batch_start(state);
   predicate(&b, LOAD_LOAD, COMBINE_SET, COMPARE_TRUE);
   for (unsigned i = 0; i < 2; i++) {
      predicate(&b, LOAD_LOADINV, COMBINE_OR, COMPARE_FALSE);
      batch_save(&b, GEN9_MI_PREDICATE_RESULT_num, DATA + 4 * i);
   }
   predicate(&b, LOAD_KEEP, COMBINE_AND, COMPARE_FALSE);
   batch_save(&b, GEN9_MI_PREDICATE_RESULT_num, DATA + 8);
   run_ok(&b);
   const uint32_t expect[] = { 0, 1, 1 };
   assert_memory_equal(b.data.map, expect, sizeof(expect));
}

static void
test_levels(void **state)
{
   struct batch b = batch_start(state);
   EMIT(&b, MI_BATCH_BUFFER_START, .AddressSpaceIndicator = ASI_PPGTT,
        .SecondLevelBatchBuffer = SECOND_LEVEL_BATCH,
        .BatchBufferStartAddress = SECOND);
   batch_store(&b, DATA + 4, 2); /* after the return */
   uint32_t *main_next = b.next;
   b.next = b.second.map;
   batch_store(&b, DATA, 1);
   *b.next = MI_BATCH_BUFFER_END;
   b.next = main_next;
   /* A jump on the first level does not come back. */
   EMIT(&b, MI_BATCH_BUFFER_START, .AddressSpaceIndicator = ASI_PPGTT,
        .BatchBufferStartAddress = SECOND + 1024);
   batch_store(&b, DATA + 8, 3);
   b.second.map[256] = MI_BATCH_BUFFER_END;
   run_ok(&b);
   assert_int_equal(b.data.map[0], 1);
   assert_int_equal(b.data.map[1], 2);
   assert_int_equal(b.data.map[2], 0);
}

static void
test_pipe_control(void **state)
{
   struct batch b = batch_start(state);
   EMIT(&b, PIPE_CONTROL, .PostSyncOperation = WriteImmediateData,
        .CommandStreamerStallEnable = true, .Address = DATA,
        .ImmediateData = 0x1122334455667788ull);
   EMIT(&b, PIPE_CONTROL, .PostSyncOperation = WriteTimestamp,
        .Address = DATA + 8);
   batch_load_imm64(&b, GEN9_PS_DEPTH_COUNT_num, 0x500000007ull);
   EMIT(&b, PIPE_CONTROL, .PostSyncOperation = WritePSDepthCount,
        .DepthStallEnable = true, .Address = DATA + 16);
   EMIT(&b, PIPE_CONTROL, .PostSyncOperation = WriteTimestamp,
        .Address = DATA + 24);
   EMIT(&b, MI_FLUSH_DW, .PostSyncOperation = WriteImmediateData,
        .Address = DATA + 32, .ImmediateData = 99);
   run_ok(&b);
   uint64_t out[5];
   memcpy(out, b.data.map, sizeof(out));
   assert_true(out[0] == 0x1122334455667788ull);
   assert_true(out[2] == 0x500000007ull);
   assert_true(out[1] && out[3] >= out[1] && out[3] < 1ull << 36);
   assert_true(out[4] == 99);
}

static void
test_atomics(void **state)
{
   struct batch b = batch_start(state);
   b.data.map[0] = 10;
   batch_load_imm64(&b, GEN9_CS_GPR0_num, 5);
   EMIT(&b, MI_ATOMIC, .ATOMICOPCODE = MI_ATOMIC_OP_ADD,
        .MemoryAddress = DATA, .ReturnDataControl = true);
   batch_save(&b, GEN9_CS_GPR0_num, DATA + 8);
   batch_load_imm64(&b, GEN9_CS_GPR0_num, -1u);
   EMIT(&b, MI_ATOMIC, .ATOMICOPCODE = MI_ATOMIC_OP_IMAX,
        .MemoryAddress = DATA);
   run_ok(&b);
   assert_int_equal(b.data.map[0], 15);
   assert_int_equal(b.data.map[2], 10);
}

/* The copy engine has registers of its own, from Skylake on. */
static void
test_atomics_of_copy_engine(void **state)
{
   struct batch b = batch_start(state);
   b.f->exec_flags = I915_EXEC_BLT;
   b.data.map[0] = 10;
   batch_load_imm64(&b, GEN9_CS_GPR0_num, 100);
   batch_load_imm64(&b, GEN9_BCS_GPR0_num, 5);
   EMIT(&b, MI_ATOMIC, .ATOMICOPCODE = MI_ATOMIC_OP_ADD,
        .MemoryAddress = DATA, .ReturnDataControl = true);
   batch_save(&b, GEN9_BCS_GPR0_num, DATA + 8);
   batch_save(&b, GEN9_CS_GPR0_num, DATA + 12);
   run_ok(&b);
   assert_int_equal(b.data.map[0], 15);
   assert_int_equal(b.data.map[2], 10);
   assert_int_equal(b.data.map[3], 100);

   f_teardown(state);
   f_setup_gen(state, "bdw");
   b = batch_start(state);
   b.f->exec_flags = I915_EXEC_BLT;
   EMIT(&b, MI_ATOMIC, .ATOMICOPCODE = MI_ATOMIC_OP_ADD,
        .MemoryAddress = DATA);
   run_faulty(&b, "MI_ATOMIC", "the copy engine has no registers", NULL);
}

static void
test_unmapped_write(void **state)
{
   struct batch b = batch_start(state);
   batch_store(&b, DATA, 1);
   batch_store(&b, 0xdead0000, 2);
   batch_store(&b, DATA + 4, 3);
   /* The command's own address is in the report, and the wild one. */
   run_faulty(&b, "MI_STORE_DATA_IMM at 0x000000100010", "write",
              "0x0000dead0000");
   assert_int_equal(b.data.map[0], 1);
   assert_int_equal(b.data.map[1], 0);
}

/* An immediate of one dword has zeros above it, and goes to 8 bytes. */
static void
test_short_pipe_control(void **state)
{
   struct batch b = batch_start(state);
   b.data.map[2] = b.data.map[3] = ~0u;
   struct GEN9_PIPE_CONTROL c = {
      GEN9_PIPE_CONTROL_header,
      .PostSyncOperation = WriteImmediateData,
      .CommandStreamerStallEnable = true,
      .Address = DATA + 12,
      .ImmediateData = 0x1234,
   };
   c.DWordLength--;
   GEN9_PIPE_CONTROL_pack(b.next, &c);
   b.next += GEN9_PIPE_CONTROL_length - 1;
   batch_store(&b, DATA, 1);
   run_ok(&b);
   assert_int_equal(b.data.map[0], 1);
   assert_int_equal(b.data.map[2], 0x1234);
   assert_int_equal(b.data.map[3], 0);

   f_teardown(state);
   f_setup(state);
   b = batch_start(state);
   c.DWordLength--;
   GEN9_PIPE_CONTROL_pack(b.next, &c);
   b.next += GEN9_PIPE_CONTROL_length - 2;
   run_faulty(&b, "PIPE_CONTROL", "4 dwords long, not 6", NULL);
}

static void
test_unknown_command(void **state)
{
   struct batch b = batch_start(state);
   *b.next++ = 0;
   *b.next++ = 0x7fffffff;
   run_faulty(&b, "0x7fffffff", "at 0x000000100004", NULL);
}

static void
test_wrong_length(void **state)
{
   struct batch b = batch_start(state);
   const struct GEN9_3DSTATE_CLIP clip = { .DWordLength = 1 };
   GEN9_3DSTATE_CLIP_pack(b.next, &clip);
   b.next += 3;
   run_faulty(&b, "3DSTATE_CLIP", "3 dwords", NULL);
}

/* STATE_BASE_ADDRESS of `n` dwords. */
static void
short_base_addresses(struct batch *b, unsigned n)
{
   const struct GEN9_STATE_BASE_ADDRESS base = {
      GEN9_STATE_BASE_ADDRESS_header,
      .DWordLength = n - 2,
      .DynamicStateBaseAddress = DATA,
      .DynamicStateBaseAddressModifyEnable = true,
   };
   GEN9_STATE_BASE_ADDRESS_pack(b->next, &base);
   b->next += n;
}

static void
test_short_base_addresses(void **state)
{
   struct batch b = batch_start(state);
   short_base_addresses(&b, 16);
   short_base_addresses(&b, 18);
   short_base_addresses(&b, 19);
   batch_store(&b, DATA, 7);
   run_ok(&b);
   assert_int_equal(b.data.map[0], 7);
}

static void
test_half_a_base_address(void **state)
{
   struct batch b = batch_start(state);
   short_base_addresses(&b, 17);
   run_faulty(&b, "STATE_BASE_ADDRESS", "17 dwords", NULL);
}

static void
test_not_implemented_is_named(void **state)
{
   struct batch b = batch_start(state);
   EMIT(&b, MI_SEMAPHORE_SIGNAL);
   run_faulty(&b, "MI_SEMAPHORE_SIGNAL", "not implemented", NULL);
}

static void
test_perf_count_is_refused(void **state)
{
   struct batch b = batch_start(state);
   EMIT(&b, MI_REPORT_PERF_COUNT, .MemoryAddress = DATA);
   run_faulty(&b, "MI_REPORT_PERF_COUNT", "not modelled", NULL);
}

static void
test_unknown_register(void **state)
{
   struct batch b = batch_start(state);
   b.data.map[0] = b.data.map[1] = 7;
   /* Within what is kept of registers, and far beyond. */
   batch_load_imm(&b, 0x8888, 1);
   batch_load_imm(&b, 0x7ffffc, 1);
   batch_save(&b, 0x8888, DATA);
   batch_save(&b, 0x7ffffc, DATA + 4);
   run_ok(&b);
   assert_int_equal(b.data.map[0], 0);
   assert_int_equal(b.data.map[1], 0);
}

static void
test_batch_runs_off_its_end(void **state)
{
   struct batch b = batch_start(state);
   memset(b.bo.map, 0, b.bo.size_B);
   assert_int_equal(f_run(b.f, &b.bo), 0);
   assert_non_null(strstr(b.f->report, "at 0x000000110000"));
   assert_non_null(strstr(b.f->report, "not mapped"));
}

/* SAFFRON_SIM_HANG_MS is set by main(). */
static void
test_endless_batch(void **state)
{
   struct batch b = batch_start(state);
   batch_store(&b, DATA, 1);
   EMIT(&b, MI_BATCH_BUFFER_START, .AddressSpaceIndicator = ASI_PPGTT,
        .BatchBufferStartAddress = BATCH);
   const time_t before = time(NULL);
   run_faulty(&b, "endless", NULL, NULL);
   assert_in_range(time(NULL) - before, 0, 8);
   /* Another context goes on. */
   struct drm_i915_gem_context_create c = { 0 };
   assert_int_equal(f_ioctl(b.f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c), 0);
   *b.bo.map = MI_BATCH_BUFFER_END;
   struct drm_i915_gem_exec_object2 o = f_object(&b.bo, 0);
   struct drm_i915_gem_execbuffer2 e = { .buffers_ptr = (uintptr_t)&o,
                                         .buffer_count = 1,
                                         .rsvd1 = c.ctx_id };
   assert_int_equal(f_ioctl(b.f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   assert_int_equal(f_idle(b.f, b.bo.handle), 0);
}

static uint64_t
processor_ns(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
   return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Without a processor there is no progress, and no hang; the tests of the
 * Vulkan CTS lost the device where twenty programs ran on two. */
static void
test_busy_machine(void **state)
{
   struct sim_gpu gpu = { .hang_limit_ns = 40000000 };
   const struct timespec limit = { .tv_nsec = 50000000 };
   sim_gpu_progress(&gpu);
   assert_false(sim_gpu_hung(&gpu));
   for (unsigned i = 0; i < 3; i++) {
      nanosleep(&limit, NULL);
      assert_false(sim_gpu_hung(&gpu));
   }
   const uint64_t begin = processor_ns();
   while (processor_ns() - begin < gpu.hang_limit_ns) {
   }
   assert_true(sim_gpu_hung(&gpu));
   sim_gpu_progress(&gpu);
   assert_false(sim_gpu_hung(&gpu));
}

static void
test_semaphore(void **state)
{
   struct batch b = batch_start(state);
   b.data.map[0] = 3;
   EMIT(&b, MI_SEMAPHORE_WAIT, .WaitMode = WAIT_POLL,
        .CompareOperation = COMPARE_SAD_GREATER_THAN_OR_EQUAL_SDD,
        .SemaphoreDataDword = 3, .SemaphoreAddress = DATA);
   batch_store(&b, DATA + 4, 1);
   run_ok(&b);
   assert_int_equal(b.data.map[1], 1);
   EMIT(&b, MI_SEMAPHORE_WAIT, .WaitMode = WAIT_POLL,
        .CompareOperation = COMPARE_SAD_EQUAL_SDD, .SemaphoreDataDword = 4,
        .SemaphoreAddress = DATA);
   run_faulty(&b, "MI_SEMAPHORE_WAIT", "forever", NULL);
}

/* State packets are kept by context, and survive from batch to batch. */
static void
test_so_offset_is_context_state(void **state)
{
   struct batch b = batch_start(state);
   EMIT(&b, 3DSTATE_SO_BUFFER, .SOBufferIndex = 1,
        .StreamOffsetWriteEnable = true, .StreamOffset = 24);
   run_ok(&b);
   batch_save(&b, GEN9_SO_WRITE_OFFSET1_num, DATA);
   b.data.map[1] = 96;
   EMIT(&b, 3DSTATE_SO_BUFFER, .SOBufferIndex = 3,
        .StreamOffsetWriteEnable = true, .StreamOffset = ~0u,
        .StreamOutputBufferOffsetAddressEnable = true,
        .StreamOutputBufferOffsetAddress = DATA + 4);
   batch_save(&b, GEN9_SO_WRITE_OFFSET3_num, DATA + 8);
   run_ok(&b);
   assert_int_equal(b.data.map[0], 24);
   assert_int_equal(b.data.map[2], 96);
}

/* A batch with many kinds of commands, to be damaged. */
static unsigned
sample_batch(struct batch *b)
{
   batch_store(b, DATA, 1);
   batch_load_imm64(b, GEN9_CS_GPR0_num, 5);
   math(b, MI_ALU_ADD);
   EMIT(b, PIPELINE_SELECT, .MaskBits = 3);
   EMIT(b, STATE_BASE_ADDRESS, .DynamicStateBaseAddress = DATA,
        .DynamicStateBaseAddressModifyEnable = true);
   EMIT(b, 3DSTATE_URB_VS, .VSNumberofURBEntries = 64,
        .VSURBEntryAllocationSize = 1);
   EMIT(b, 3DSTATE_VF_TOPOLOGY, .PrimitiveTopologyType = _3DPRIM_TRILIST);
   EMIT(b, 3DSTATE_CLIP, .ClipEnable = true,
        .ViewportXYClipTestEnable = true);
   EMIT(b, PIPE_CONTROL, .PostSyncOperation = WriteTimestamp,
        .Address = DATA + 8);
   EMIT(b, MI_COPY_MEM_MEM, .SourceMemoryAddress = DATA,
        .DestinationMemoryAddress = DATA + 64);
   *b->next++ = MI_BATCH_BUFFER_END;
   return (unsigned)(b->next - b->bo.map);
}

/* As the argument says; without one, what two seconds allow. */
static unsigned damaged_batches;

/* Whatever the dwords are, a run ends, and the host survives. */
static void
test_damaged_batches(void **state)
{
   struct batch b = batch_start(state);
   uint32_t good[1024];
   const unsigned n = sample_batch(&b);
   memcpy(good, b.bo.map, sizeof(good));
   const uint64_t seed = 0x5eed;
   uint64_t random = seed;
   struct timespec begin, now;
   clock_gettime(CLOCK_MONOTONIC, &begin);
   for (unsigned round = 0; !damaged_batches || round < damaged_batches;
        round++) {
      memcpy(b.bo.map, good, sizeof(good));
      const unsigned changes = 1 + round % 4;
      for (unsigned i = 0; i < changes; i++) {
         random = random * 6364136223846793005ull + 1442695040888963407ull;
         const unsigned at = (unsigned)(random >> 33) % n;
         const uint32_t bits = (uint32_t)(random >> 20);
         b.bo.map[at] = random >> 63 ? bits : good[at] ^ 1u << (bits % 32);
      }
      struct drm_i915_gem_context_create c = { 0 };
      assert_int_equal(f_ioctl(b.f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c),
                       0);
      struct drm_i915_gem_exec_object2 o[2] = {
         f_object(&b.data, EXEC_OBJECT_WRITE), f_object(&b.bo, 0)
      };
      struct drm_i915_gem_execbuffer2 e = { .buffers_ptr = (uintptr_t)o,
                                            .buffer_count = 2,
                                            .rsvd1 = c.ctx_id };
      assert_int_equal(f_ioctl(b.f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
      assert_int_equal(f_idle(b.f, b.bo.handle), 0);
      struct drm_i915_gem_context_destroy d = { .ctx_id = c.ctx_id };
      assert_int_equal(f_ioctl(b.f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d),
                       0);
      clock_gettime(CLOCK_MONOTONIC, &now);
      if (!damaged_batches && now.tv_sec - begin.tv_sec >= 2)
         break;
   }
   assert_true(b.f->num_reports > 0);
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      damaged_batches = (unsigned)atoi(argv[1]);
   setenv("SAFFRON_SIM_HANG_MS", "300", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, f_setup, f_teardown)
   const struct CMUnitTest tests[] = {
      TEST(test_memory),
      TEST(test_registers),
      TEST(test_math),
      TEST(test_math_bad_operand),
      TEST(test_predicates),
      TEST(test_inverted_predicate),
      TEST(test_levels),
      cmocka_unit_test(test_busy_machine),
      TEST(test_pipe_control),
      TEST(test_atomics),
      TEST(test_atomics_of_copy_engine),
      TEST(test_unmapped_write),
      TEST(test_short_pipe_control),
      TEST(test_unknown_command),
      TEST(test_wrong_length),
      TEST(test_short_base_addresses),
      TEST(test_half_a_base_address),
      TEST(test_not_implemented_is_named),
      TEST(test_perf_count_is_refused),
      TEST(test_unknown_register),
      TEST(test_batch_runs_off_its_end),
      TEST(test_endless_batch),
      TEST(test_semaphore),
      TEST(test_so_offset_is_context_state),
      TEST(test_damaged_batches),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
