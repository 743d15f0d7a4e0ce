/* SPDX-License-Identifier: MIT */
/*
 * Compute on the simulated device: batches with GPGPU_WALKER, programs from
 * assembly, and what the threads store.
 */
#include <stdio.h>
#include <string.h>

#include "intel/genxml/gen75_pack.h"
#include "intel/sim/cs/cs_private.h"
#include "intel/sim/tests/sim_batch.h"

#define PROGRAM 0x10000000ull
#define DYNAMIC 0x10100000ull
#define OUT 0x10200000ull
#define SCRATCH 0x10300000ull

#define AT_CURBE 0x000
#define AT_DESCRIPTOR 0x800

/*
 * Each thread stores three registers: r0, its own constants, and ones in the
 * channels that run. Where: r1.0 + group (x, y, z) . (r1.1, r1.2, r1.3) +
 * thread (r2.0) * 96. Untyped writes of eight dwords, stateless.
 */
#define ADDRESS                                                              \
   "(W) mul (1|M0) r20.0<1>:ud r0.1<0;1,0>:ud r1.1<0;1,0>:ud\n"              \
   "(W) mul (1|M0) r21.0<1>:ud r0.6<0;1,0>:ud r1.2<0;1,0>:ud\n"              \
   "(W) mul (1|M0) r22.0<1>:ud r0.7<0;1,0>:ud r1.3<0;1,0>:ud\n"              \
   "(W) mul (1|M0) r23.0<1>:ud r2.0<0;1,0>:ud 96:ud\n"                       \
   "(W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud r21.0<0;1,0>:ud\n"            \
   "(W) add (1|M0) r22.0<1>:ud r22.0<0;1,0>:ud r23.0<0;1,0>:ud\n"            \
   "(W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud r22.0<0;1,0>:ud\n"            \
   "(W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud r1.0<0;1,0>:ud\n"             \
   "(W) mov (8|M0) r19.0<1>:uw 0x76543210:uv\n"                              \
   "(W) shl (8|M0) r10.0<1>:ud r19.0<8;8,1>:uw 2:ud\n"                       \
   "(W) add (8|M0) r10.0<1>:ud r10.0<8;8,1>:ud r20.0<0;1,0>:ud\n"
#define NEXT "(W) add (8|M0) r10.0<1>:ud r10.0<8;8,1>:ud 32:ud\n"
#define STORE "send (8|M0) null r10 0xC 0x04026EFF\n"
#define EOT "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n"

static const char store_text[] = ADDRESS
   "(W) mov (8|M0) r11.0<1>:ud r0.0<8;8,1>:ud\n"
   "(W) " STORE NEXT "(W) mov (8|M0) r11.0<1>:ud r2.0<8;8,1>:ud\n"
   "(W) " STORE NEXT "(W) mov (8|M0) r11.0<1>:ud 1:ud\n" STORE EOT;

struct compute {
   struct batch b;
   struct test_bo program, dynamic, out, scratch;
   struct GEN9_INTERFACE_DESCRIPTOR_DATA descriptor;
   struct GEN9_MEDIA_VFE_STATE vfe;
   uint32_t curbe_B;
};

/* `threads` a group, one register of constants for all and one for each,
 * which has the thread's number in all its dwords. */
static struct compute
compute_start(void **state, const char *text, unsigned threads)
{
   struct compute c = { .b = batch_start(state) };
   struct fixture *f = c.b.f;
   c.program = f_bo(f, 4096, PROGRAM);
   c.dynamic = f_bo(f, 8192, DYNAMIC);
   c.out = f_bo(f, 65536, OUT);
   c.scratch = f_bo(f, 65536, SCRATCH);
   batch_program(&c.program, 0, text);
   uint32_t *curbe = &c.dynamic.map[AT_CURBE / 4];
   curbe[0] = OUT;
   curbe[1] = threads * 96;
   for (unsigned t = 0; t < threads; t++)
      for (unsigned i = 0; i < 8; i++)
         curbe[8 + 8 * t + i] = t;
   c.curbe_B = ALIGN(32 + 32 * threads, 64);
   c.vfe = (struct GEN9_MEDIA_VFE_STATE) {
      GEN9_MEDIA_VFE_STATE_header,
      .MaximumNumberofThreads = 167,
      .NumberofURBEntries = 2,
      .URBEntryAllocationSize = 2,
      .CURBEAllocationSize = c.curbe_B / 32,
   };
   c.descriptor = (struct GEN9_INTERFACE_DESCRIPTOR_DATA) {
      .NumberofThreadsinGPGPUThreadGroup = threads,
      .CrossThreadConstantDataReadLength = 1,
      .ConstantURBEntryReadLength = 1,
      .BindingTablePointer = 0x40,
      .SamplerStatePointer = 0x20,
   };
   return c;
}

static void
emit_state(struct compute *c)
{
   struct batch *b = &c->b;
   GEN9_INTERFACE_DESCRIPTOR_DATA_pack(&c->dynamic.map[AT_DESCRIPTOR / 4],
                                       &c->descriptor);
   EMIT(b, PIPELINE_SELECT, .MaskBits = 3,
        .PipelineSelection = PIPELINE_GPGPU);
   EMIT(b, STATE_BASE_ADDRESS, .DynamicStateBaseAddress = DYNAMIC,
        .DynamicStateBaseAddressModifyEnable = true,
        .InstructionBaseAddress = PROGRAM,
        .InstructionBaseAddressModifyEnable = true);
   GEN9_MEDIA_VFE_STATE_pack(b->next, &c->vfe);
   b->next += GEN9_MEDIA_VFE_STATE_length;
   EMIT(b, MEDIA_CURBE_LOAD, .CURBETotalDataLength = c->curbe_B,
        .CURBEDataStartAddress = AT_CURBE);
   EMIT(b, MEDIA_INTERFACE_DESCRIPTOR_LOAD,
        .InterfaceDescriptorTotalLength = 32,
        .InterfaceDescriptorDataStartAddress = AT_DESCRIPTOR);
}

#define WALK(c, ...)                                                         \
   do {                                                                      \
      EMIT(&(c)->b, GPGPU_WALKER, .RightExecutionMask = ~0u,                 \
           .BottomExecutionMask = ~0u, __VA_ARGS__);                         \
      EMIT(&(c)->b, MEDIA_STATE_FLUSH);                                      \
   } while (0)

static void
test_ids(void **state)
{
   struct compute c = compute_start(state, store_text, 2);
   uint32_t *curbe = &c.dynamic.map[AT_CURBE / 4];
   curbe[2] = 192 * 2;     /* y */
   curbe[3] = 192 * 2 * 3; /* z */
   emit_state(&c);
   WALK(&c, .ThreadWidthCounterMaximum = 1, .ThreadGroupIDXDimension = 2,
        .ThreadGroupIDYDimension = 3, .ThreadGroupIDZDimension = 2);
   batch_save(&c.b, GEN9_CS_INVOCATION_COUNT_num, DATA);
   run_ok(&c.b);
   for (unsigned g = 0; g < 12; g++) {
      for (unsigned t = 0; t < 2; t++) {
         const uint32_t *out = &c.out.map[(g * 2 + t) * 24];
         assert_int_equal(out[1], g % 2);
         assert_int_equal(out[6], g / 2 % 3);
         assert_int_equal(out[7], g / 6);
         assert_int_equal(out[2], 0); /* no barrier */
         assert_int_equal(out[3], 0x20);
         assert_int_equal(out[4], 0x40);
         for (unsigned i = 0; i < 8; i++) {
            assert_int_equal(out[8 + i], t);
            assert_int_equal(out[16 + i], 1);
         }
      }
   }
   assert_int_equal(c.out.map[12 * 48], 0);
   assert_int_equal(c.b.data.map[0], 12 * 2 * 8);
}

#define AT_INDIRECT 0xc00

/*
 * A payload of the walker's own: in memory what all threads share and then
 * what each has, but in registers each one's first. CURBE's is not looked at.
 */
static const char indirect_text[] =
   "(W) mov (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud\n"
   "(W) mov (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud\n"
   "(W) mov (8|M0) r2.0<1>:ud r3.0<8;8,1>:ud\n";

static struct compute
indirect_start(void **state, uint32_t length_B)
{
   char text[4096];
   snprintf(text, sizeof(text), "%s%s", indirect_text, store_text);
   struct compute c = compute_start(state, text, 2);
   emit_state(&c);
   memcpy(&c.dynamic.map[AT_INDIRECT / 4], c.dynamic.map, 96);
   memset(c.dynamic.map, 0xee, 96);
   EMIT(&c.b, STATE_BASE_ADDRESS, .DynamicStateBaseAddress = DYNAMIC,
        .DynamicStateBaseAddressModifyEnable = true,
        .IndirectObjectBaseAddress = DYNAMIC,
        .IndirectObjectBaseAddressModifyEnable = true,
        .InstructionBaseAddress = PROGRAM,
        .InstructionBaseAddressModifyEnable = true);
   WALK(&c, .ThreadWidthCounterMaximum = 1, .ThreadGroupIDXDimension = 2,
        .ThreadGroupIDYDimension = 1, .ThreadGroupIDZDimension = 1,
        .IndirectDataLength = length_B,
        .IndirectDataStartAddress = AT_INDIRECT);
   return c;
}

static void
test_indirect_payload(void **state)
{
   struct compute c = indirect_start(state, 96);
   run_ok(&c.b);
   for (unsigned t = 0; t < 4; t++) {
      assert_int_equal(c.out.map[t * 24 + 1], t / 2);
      assert_int_equal(c.out.map[t * 24 + 8], t % 2);
      assert_int_equal(c.out.map[t * 24 + 16], 1);
   }
}

static void
test_short_payload(void **state)
{
   struct compute c = indirect_start(state, 64);
   run_faulty(&c.b, "GPGPU_WALKER", "end at byte 96", "payload of 64");
}

/* Groups from the starting ids on, dimensions from registers. */
static void
test_indirect(void **state)
{
   struct compute c = compute_start(state, store_text, 1);
   emit_state(&c);
   batch_load_imm(&c.b, GEN9_GPGPU_DISPATCHDIMX_num, 5);
   batch_load_imm(&c.b, GEN9_GPGPU_DISPATCHDIMY_num, 1);
   batch_load_imm(&c.b, GEN9_GPGPU_DISPATCHDIMZ_num, 1);
   WALK(&c, .IndirectParameterEnable = true, .ThreadGroupIDStartingX = 2,
        .ThreadGroupIDXDimension = 1);
   run_ok(&c.b);
   for (unsigned g = 0; g < 7; g++)
      assert_int_equal(c.out.map[g * 24 + 16], g >= 2 && g < 5);

   /* A dimension of zero: nothing. */
   memset(c.out.map, 0, 4096);
   batch_load_imm(&c.b, GEN9_GPGPU_DISPATCHDIMY_num, 0);
   WALK(&c, .IndirectParameterEnable = true);
   /* Predicated off. */
   EMIT(&c.b, MI_PREDICATE, .LoadOperation = LOAD_LOAD,
        .CombineOperation = COMBINE_SET, .CompareOperation = COMPARE_FALSE);
   WALK(&c, .PredicateEnable = true, .ThreadGroupIDXDimension = 1,
        .ThreadGroupIDYDimension = 1, .ThreadGroupIDZDimension = 1);
   run_ok(&c.b);
   assert_int_equal(c.out.map[16], 0);
}

/* Threads on the right, at the bottom and in the corner. */
static void
test_masks(void **state)
{
   struct compute c = compute_start(state, store_text, 6);
   emit_state(&c);
   EMIT(&c.b, GPGPU_WALKER, .ThreadWidthCounterMaximum = 2,
        .ThreadHeightCounterMaximum = 1, .ThreadGroupIDXDimension = 1,
        .ThreadGroupIDYDimension = 1, .ThreadGroupIDZDimension = 1,
        .RightExecutionMask = 0x3f, .BottomExecutionMask = 0xfc);
   batch_save(&c.b, GEN9_CS_INVOCATION_COUNT_num, DATA);
   run_ok(&c.b);
   static const uint8_t mask[6] = { 0xff, 0xff, 0x3f, 0xfc, 0xfc, 0x3c };
   for (unsigned t = 0; t < 6; t++)
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(c.out.map[t * 24 + 16 + i], mask[t] >> i & 1);
   assert_int_equal(c.b.data.map[0], 8 + 8 + 6 + 6 + 6 + 4);
}

/* Meets the others: the id from r0.2, then wait. */
#define BARRIER                                                              \
   "(W) mov (8|M0) r30.0<1>:ud 0:ud\n"                                       \
   "(W) and (1|M0) r30.2<1>:ud r0.2<0;1,0>:ud 0x8f000000:ud\n"               \
   "(W) send (8|M0) null r30 0x3 0x02000004\n"                               \
   "(W) wait (1|M0) n0.0<0;1,0>:ud\n"

/*
 * Each thread writes its number to shared local memory, and after a barrier
 * reads that of the thread before it (4 threads); twice, so that all have
 * to wait for each other in between.
 */
static const char share_text[] = ADDRESS
   "(W) mov (8|M0) r40.0<1>:ud r2.0<0;1,0>:ud\n"
   "(W) shl (8|M0) r12.0<1>:ud r2.0<0;1,0>:ud 5:ud\n"
   "(W) shl (8|M0) r14.0<1>:ud r19.0<8;8,1>:uw 2:ud\n"
   "(W) add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud\n"
   "(W) add (8|M0) r15.0<1>:ud r12.0<8;8,1>:ud 96:ud\n"
   "(W) and (8|M0) r15.0<1>:ud r15.0<8;8,1>:ud 0x7f:ud\n"
   "(W) mov (8|M0) r13.0<1>:ud r40.0<8;8,1>:ud\n"
   "(W) send (8|M0) null r12 0xC 0x04026EFE\n" BARRIER
   "(W) send (8|M0) r41 r15 0xC 0x02106EFE\n" /* type 1 below */
   BARRIER "(W) shl (8|M0) r13.0<1>:ud r41.0<8;8,1>:ud 4:ud\n"
   "(W) send (8|M0) null r12 0xC 0x04026EFE\n" BARRIER
   "(W) send (8|M0) r42 r15 0xC 0x02106EFE\n"
   "(W) add (8|M0) r11.0<1>:ud r41.0<8;8,1>:ud r42.0<8;8,1>:ud\n" STORE EOT;

static void
test_shared_memory(void **state)
{
   struct compute c = compute_start(state, share_text, 4);
   c.descriptor.BarrierEnable = true;
   c.descriptor.SharedLocalMemorySize = 1; /* 1 KiB */
   emit_state(&c);
   WALK(&c, .ThreadWidthCounterMaximum = 3, .ThreadGroupIDXDimension = 20,
        .ThreadGroupIDYDimension = 1, .ThreadGroupIDZDimension = 1);
   run_ok(&c.b);
   for (unsigned g = 0; g < 20; g++) {
      for (unsigned t = 0; t < 4; t++) {
         const uint32_t before = (t + 3) % 4, two = (t + 2) % 4;
         for (unsigned i = 0; i < 8; i++)
            assert_int_equal(c.out.map[(g * 4 + t) * 24 + i],
                             before + (two << 4));
      }
   }
}

/* Bits of an address above the 64 KiB are nobody's: IGC marks pointers by
 * them. Behind what the group has is still nothing. */
static void
test_shared_addresses(void **state)
{
   static const char text[] = ADDRESS
      "(W) shl (8|M0) r14.0<1>:ud r19.0<8;8,1>:uw 2:ud\n"
      "(W) add (8|M0) r12.0<1>:ud r14.0<8;8,1>:ud 0x10000000:ud\n"
      "(W) add (8|M0) r13.0<1>:ud r14.0<8;8,1>:ud 7:ud\n"
      "(W) send (8|M0) null r12 0xC 0x04026EFE\n"
      "(W) send (8|M0) r11 r14 0xC 0x02106EFE\n"
      "(W) add (8|M0) r15.0<1>:ud r14.0<8;8,1>:ud 0x20000400:ud\n"
      "(W) send (8|M0) r16 r15 0xC 0x02106EFE\n"
      "(W) add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r16.0<8;8,1>:ud\n" STORE
         EOT;
   struct compute c = compute_start(state, text, 1);
   c.descriptor.SharedLocalMemorySize = 1; /* 1 KiB */
   emit_state(&c);
   WALK(&c, .ThreadGroupIDXDimension = 1, .ThreadGroupIDYDimension = 1,
        .ThreadGroupIDZDimension = 1);
   run_ok(&c.b);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(c.out.map[i], 4 * i + 7);
}

/* Scratch space is each thread's own: what all write at offset 32 is still
 * there after a barrier. */
static void
test_scratch(void **state)
{
   static const char text[] = ADDRESS
      "(W) mov (8|M0) r50.0<1>:ud r0.0<8;8,1>:ud\n"
      "(W) add (8|M0) r51.0<1>:ud r2.0<8;8,1>:ud 7:ud\n"
      "(W) send (8|M0) null r50 0xA 0x040E0001\n" BARRIER
      "(W) send (8|M0) r11 r50 0xA 0x021C0001\n" STORE EOT;
   struct compute c = compute_start(state, text, 3);
   c.descriptor.BarrierEnable = true;
   c.vfe.PerThreadScratchSpace = 1; /* 2 KiB */
   c.vfe.ScratchSpaceBasePointer = SCRATCH;
   emit_state(&c);
   WALK(&c, .ThreadWidthCounterMaximum = 2, .ThreadGroupIDXDimension = 1,
        .ThreadGroupIDYDimension = 1, .ThreadGroupIDZDimension = 1);
   run_ok(&c.b);
   for (unsigned t = 0; t < 3; t++) {
      assert_int_equal(c.out.map[t * 24], t + 7);
      assert_int_equal(c.scratch.map[t * 512 + 8], t + 7);
   }
}

/* SIMD32: all channels run, and flags of all of them work. */
static void
test_simd32(void **state)
{
   static const char text[] = ADDRESS
      "mov (16|M0) r60.0<1>:ud 0:ud\n"
      "cmp (16|M0) (eq)f0.0 null<1>:ud r60.0<8;8,1>:ud 0:ud\n"
      "cmp (16|M16) (eq)f0.0 null<1>:ud r60.0<8;8,1>:ud 0:ud\n"
      "(W) mov (8|M0) r11.0<1>:ud f0.0<0;1,0>:ud\n"
      "(W) " STORE EOT;
   struct compute c = compute_start(state, text, 1);
   emit_state(&c);
   WALK(&c, .SIMDSize = SIMD_SIZE_32, .RightExecutionMask = 0x7fff1fff,
        .ThreadGroupIDXDimension = 1, .ThreadGroupIDYDimension = 1,
        .ThreadGroupIDZDimension = 1);
   run_ok(&c.b);
   assert_int_equal(c.out.map[0], 0x7fff1fff);
}

static void
walk_faulty(struct compute *c, unsigned threads, const char *w0,
            const char *w1)
{
   emit_state(c);
   WALK(c, .ThreadWidthCounterMaximum = threads - 1,
        .ThreadGroupIDXDimension = 1, .ThreadGroupIDYDimension = 1,
        .ThreadGroupIDZDimension = 1);
   run_faulty(&c->b, "GPGPU_WALKER", w0, w1);
}

static void
test_bad_barriers(void **state)
{
   /* Thread 0 does not come. */
   static const char some_text[] =
      "(W) cmp (8|M0) (eq)f0.0 null<1>:ud r2.0<8;8,1>:ud 0:ud\n"
      "(W&f0.0) jmpi (1|M0) END\n" BARRIER "END:\n" EOT;
   struct compute c = compute_start(state, some_text, 4);
   c.descriptor.BarrierEnable = true;
   walk_faulty(&c, 4, "waits for a barrier", "3 of 4");
}

/* A thread that waits for what nobody sends, while there is something else
 * for it, does not go on, nor does the group. */
static void
test_other_notification(void **state)
{
   static const char text[] =
      "(W) mov (8|M0) r30.0<1>:ud 0:ud\n"
      "(W) and (1|M0) r30.2<1>:ud r0.2<0;1,0>:ud 0x8f000000:ud\n"
      "(W) send (8|M0) null r30 0x3 0x02000004\n"
      "(W) wait (1|M0) n0.1<0;1,0>:ud\n" EOT;
   struct compute c = compute_start(state, text, 1);
   c.descriptor.BarrierEnable = true;
   walk_faulty(&c, 1, "waits for a barrier", NULL);
}

static void
test_bad_barrier_id(void **state)
{
   static const char text[] = "(W) mov (8|M0) r30.0<1>:ud 0:ud\n"
                              "(W) send (8|M0) null r30 0x3 0x02000004\n" EOT;
   struct compute c = compute_start(state, text, 1);
   c.descriptor.BarrierEnable = true;
   walk_faulty(&c, 1, "barrier 0x00000000", NULL);
}

/* Skylake's have a fifth bit, which the sixteenth group is the first to use:
 * who leaves it out waits at another one (beignet 8df73eb2e39). */
static void
test_fifth_bit_of_barrier(void **state)
{
   static const char *const texts[] = {
      BARRIER EOT,
      "(W) mov (8|M0) r30.0<1>:ud 0:ud\n"
      "(W) and (1|M0) r30.2<1>:ud r0.2<0;1,0>:ud 0x0f000000:ud\n"
      "(W) send (8|M0) null r30 0x3 0x02000004\n"
      "(W) wait (1|M0) n0.0<0;1,0>:ud\n" EOT,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
      struct compute c = compute_start(state, texts[i], 1);
      c.descriptor.BarrierEnable = true;
      emit_state(&c);
      WALK(&c, .ThreadWidthCounterMaximum = 0, .ThreadGroupIDXDimension = 16,
           .ThreadGroupIDYDimension = 1, .ThreadGroupIDZDimension = 1);
      if (!i)
         run_ok(&c.b);
      else
         run_faulty(&c.b, "GPGPU_WALKER", "barrier 0x00000000", NULL);
      f_reset_bos(c.b.f);
   }
}

static void
test_barrier_disabled(void **state)
{
   struct compute c = compute_start(state, BARRIER EOT, 1);
   walk_faulty(&c, 1, "without Barrier Enable", NULL);
}

static void
test_bad_thread_count(void **state)
{
   struct compute c = compute_start(state, EOT, 2);
   walk_faulty(&c, 3, "3 threads", "2 by the interface descriptor");
}

static void
test_too_many_threads(void **state)
{
   struct compute c = compute_start(state, EOT, 57);
   walk_faulty(&c, 57, "57 threads", "subslice");
}

static void
test_short_constants(void **state)
{
   struct compute c = compute_start(state, EOT, 4);
   c.curbe_B = 64;
   walk_faulty(&c, 4, "constants end at byte 160", "loaded 64");
}

static void
test_bad_shader(void **state)
{
   struct compute c = compute_start(
      state, "(W) mov (8|M0) r10.0<1>:ud 0x1000:ud\n" STORE EOT, 1);
   walk_faulty(&c, 1, "compute shader at 0x10", "not mapped");
}

static void
test_wrong_pipeline(void **state)
{
   struct compute c = compute_start(state, EOT, 1);
   emit_state(&c);
   EMIT(&c.b, PIPELINE_SELECT, .MaskBits = 3,
        .PipelineSelection = PIPELINE_3D);
   WALK(&c, .ThreadGroupIDXDimension = 1);
   run_faulty(&c.b, "GPGPU_WALKER", "not GPGPU", NULL);
}

static void
test_no_descriptor(void **state)
{
   struct compute c = compute_start(state, EOT, 1);
   emit_state(&c);
   WALK(&c, .InterfaceDescriptorOffset = 1, .ThreadGroupIDXDimension = 1);
   run_faulty(&c.b, "GPGPU_WALKER", "interface descriptor 1 of 1", NULL);
}

/* A group that never ends is a hang. */
static void
test_endless(void **state)
{
   struct compute c = compute_start(state, "L:\n(W) jmpi (1|M0) L\n" EOT, 2);
   walk_faulty(&c, 2, "endless", NULL);
}

/* Nor does one that meets again and again, each time after a few
 * instructions. */
static void
test_endless_barriers(void **state)
{
   struct compute c =
      compute_start(state, "L:\n" BARRIER "(W) jmpi (1|M0) L\n" EOT, 2);
   c.descriptor.BarrierEnable = true;
   walk_faulty(&c, 2, "endless", NULL);
}

/* Damage to commands, descriptor and constants, or program: an end of some
 * kind, always. */
static void
test_damaged(void **state)
{
   struct compute c = compute_start(state, share_text, 4);
   struct batch *b = &c.b;
   c.descriptor.BarrierEnable = true;
   c.descriptor.SharedLocalMemorySize = 1;
   emit_state(&c);
   WALK(&c, .ThreadWidthCounterMaximum = 3, .ThreadGroupIDXDimension = 3,
        .ThreadGroupIDYDimension = 1, .ThreadGroupIDZDimension = 1);
   *b->next++ = MI_BATCH_BUFFER_END;

   const struct {
      uint32_t *map;
      unsigned size_dw;
   } parts[4] = {
      { b->bo.map, (unsigned)(b->next - b->bo.map) },
      { c.dynamic.map + AT_DESCRIPTOR / 4, 8 },
      { c.dynamic.map + AT_CURBE / 4, 16 },
      { c.program.map, 150 },
   };
   uint32_t saved[4][256];
   for (unsigned i = 0; i < 4; i++) {
      assert_true(parts[i].size_dw <= ARRAY_SIZE(saved[i]));
      memcpy(saved[i], parts[i].map, parts[i].size_dw * 4);
   }
   const struct damage_rounds rounds = damage_start(2);
   uint64_t random = 0xc0de;
   for (unsigned round = 0; damage_goes_on(&rounds, round); round++) {
      for (unsigned i = 0; i < 4; i++)
         memcpy(parts[i].map, saved[i], parts[i].size_dw * 4);
      for (unsigned i = 0; i <= round % 3; i++)
         damage(parts[round % 4].map, parts[round % 4].size_dw, &random);
      assert_int_equal(batch_run_once(b), 0);
   }
   assert_true(b->f->num_reports > 0);
}

/* Gen7 calls the first group's z otherwise than Gen9. */
static void
test_first_group_gen7(void **state)
{
   const struct GEN75_GPGPU_WALKER c = {
      GEN75_GPGPU_WALKER_header,    .ThreadGroupIDStartingX = 1,
      .ThreadGroupIDXDimension = 4, .ThreadGroupIDStartingY = 2,
      .ThreadGroupIDYDimension = 5, .ThreadGroupIDStartingZ = 3,
      .ThreadGroupIDZDimension = 6,
   };
   uint32_t dw[GEN75_GPGPU_WALKER_length];
   struct GEN9_GPGPU_WALKER w;
   GEN75_GPGPU_WALKER_pack(dw, &c);
   cs_gen7_unpack_walker(dw, &w);
   assert_int_equal(w.ThreadGroupIDStartingX, 1);
   assert_int_equal(w.ThreadGroupIDXDimension, 4);
   assert_int_equal(w.ThreadGroupIDStartingY, 2);
   assert_int_equal(w.ThreadGroupIDYDimension, 5);
   assert_int_equal(w.ThreadGroupIDStartingResumeZ, 3);
   assert_int_equal(w.ThreadGroupIDZDimension, 6);
}

int
main(void)
{
   setenv("SAFFRON_SIM_HANG_MS", "40", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, f_setup, f_teardown)
   const struct CMUnitTest tests[] = {
      TEST(test_ids),
      TEST(test_indirect),
      TEST(test_shared_addresses),
      TEST(test_short_payload),
      TEST(test_indirect_payload),
      TEST(test_masks),
      TEST(test_shared_memory),
      TEST(test_scratch),
      TEST(test_simd32),
      TEST(test_bad_barriers),
      TEST(test_bad_barrier_id),
      TEST(test_fifth_bit_of_barrier),
      TEST(test_other_notification),
      TEST(test_barrier_disabled),
      TEST(test_bad_thread_count),
      TEST(test_too_many_threads),
      TEST(test_short_constants),
      TEST(test_bad_shader),
      TEST(test_wrong_pipeline),
      TEST(test_no_descriptor),
      TEST(test_endless),
      TEST(test_endless_barriers),
      TEST(test_damaged),
      cmocka_unit_test(test_first_group_gen7),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
