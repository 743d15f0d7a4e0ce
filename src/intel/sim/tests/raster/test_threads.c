/* SPDX-License-Identifier: MIT */
/*
 * The number of host threads changes nothing: pixels, vertices, compute
 * (sim_same.h); and the pool of threads itself.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "intel/sim/gpu/pool.h"
#include "intel/sim/mem/compress.h"
#include "intel/sim/tests/sim_same.h"
#include "intel/sim/tests/sim_scene.h"
#include "util/strbuf.h"

#define BIG 256u

static uint32_t
next_random(uint64_t *r)
{
   *r = *r * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(*r >> 33);
}

/* From -1.1 to 1.1: some are clipped. */
static float
place(uint64_t *r)
{
   return (float)(next_random(r) % 2048) / 930 - 1.1f;
}

static struct vertex
random_vertex(uint64_t *r)
{
   const float w = 1 + (float)(next_random(r) % 3);
   return (struct vertex) {
      place(r) * w,
      place(r) * w,
      (float)(next_random(r) % 64) / 80 * w,
      w,
      { (float)(next_random(r) % 8) / 8, (float)(next_random(r) % 8) / 8,
        (float)(next_random(r) % 8) / 8, (float)(next_random(r) % 8) / 8 },
   };
}

static void
draw_random(struct scene *s, uint32_t topology, unsigned n, uint64_t seed)
{
   struct vertex v[900];
   for (unsigned i = 0; i < n; i++)
      v[i] = random_vertex(&seed);
   scene_draw(s, topology, v, n);
}

/* Ends the batch with the counters of the context, and runs it. */
static void
run(struct scene *s)
{
   struct batch *b = &s->b;
   batch_save(b, GEN9_PS_INVOCATION_COUNT_num, DATA + 64);
   batch_save(b, GEN9_PS_DEPTH_COUNT_num, DATA + 72);
   batch_save(b, GEN9_CL_PRIMITIVES_COUNT_num, DATA + 80);
   *b->next++ = MI_BATCH_BUFFER_END;
   assert_int_equal(f_run(b->f, &b->bo), 0);
}

static const struct GEN9_BLEND_STATE_ENTRY over = {
   .ColorBufferBlendEnable = true,
   .SourceBlendFactor = BLENDFACTOR_SRC_ALPHA,
   .DestinationBlendFactor = BLENDFACTOR_INV_SRC_ALPHA,
   .SourceAlphaBlendFactor = BLENDFACTOR_SRC_ALPHA,
   .DestinationAlphaBlendFactor = BLENDFACTOR_INV_SRC_ALPHA,
};

static const struct GEN9_3DSTATE_WM_DEPTH_STENCIL nearer = {
   .DepthTestEnable = true,
   .DepthBufferWriteEnable = true,
   .DepthTestFunction = COMPAREFUNCTION_GREATER,
};

/*
 * Scenes that are split
 */

static void
triangles(void **state)
{
   struct scene s =
      scene_start(state, &(struct setup) { .size = BIG, .blend = over });
   draw_random(&s, _3DPRIM_TRILIST, 900, 1);
   run(&s);
}

static void
wide_threads(void **state)
{
   struct scene s =
      scene_start(state, &(struct setup) { .size = BIG,
                                           .blend = over,
                                           .simd32 = true,
                                           .program = color32_text });
   draw_random(&s, _3DPRIM_TRISTRIP, 300, 2);
   run(&s);
}

static void
depth_and_stencil(void **state)
{
   struct GEN9_3DSTATE_WM_DEPTH_STENCIL ds = nearer;
   ds.StencilTestEnable = ds.StencilBufferWriteEnable = true;
   ds.StencilTestFunction = COMPAREFUNCTION_ALWAYS;
   ds.StencilTestMask = ds.StencilWriteMask = 0xff;
   ds.StencilPassDepthFailOp = STENCILOP_INCR;
   ds.StencilPassDepthPassOp = STENCILOP_INVERT;
   struct scene s =
      scene_start(state, &(struct setup) { .size = BIG,
                                           .depth = true,
                                           .stencil = true,
                                           .simd16 = true,
                                           .program = color16_text,
                                           .ds = ds });
   draw_random(&s, _3DPRIM_TRILIST, 600, 3);
   run(&s);
}

/* All of it is marked clear when the draw begins. */
static void
hierarchical_depth(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup) {
                .size = BIG, .depth = true, .hiz = true, .ds = nearer });
   uint32_t *mark = s.depth.map + HIZ_OFFSET / 4;
   for (unsigned i = 0; i < 0x8000 / 16; i++)
      mark[4 * i] = SIM_HIZ_CLEAR;
   draw_random(&s, _3DPRIM_TRILIST, 300, 4);
   run(&s);
}

static void
samples(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { .size = BIG,
                                                         .samples = 4,
                                                         .mcs = true,
                                                         .depth = true,
                                                         .ds = nearer,
                                                         .blend = over });
   memset((uint8_t *)s.target.map + MCS_OFFSET, 0xff, 0x10000);
   draw_random(&s, _3DPRIM_TRILIST, 150, 5);
   run(&s);
}

static void
clear_color(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup) { .size = BIG, .mcs = true, .blend = over });
   memset((uint8_t *)s.target.map + MCS_OFFSET, 0xff, 0x1000);
   draw_random(&s, _3DPRIM_TRILIST, 30, 6);
   run(&s);
}

static void
lines_and_points(void **state)
{
   struct scene s =
      scene_start(state, &(struct setup) { .size = BIG, .blend = over });
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_LINE_STIPPLE, .LineStipplePattern = 0x3c65,
        .LineStippleRepeatCount = 3, .LineStippleInverseRepeatCount = 0.33f);
   EMIT(b, 3DSTATE_WM, .LineStippleEnable = true, .StatisticsEnable = true,
        .BarycentricInterpolationMode = BIM_PERSPECTIVE_PIXEL);
   EMIT(b, 3DSTATE_SF, .ViewportTransformEnable = true, .LineWidth = 3,
        .PointWidthSource = 1, .PointWidth = 23);
   draw_random(&s, _3DPRIM_LINESTRIP, 200, 7);
   draw_random(&s, _3DPRIM_POINTLIST, 100, 8);
   EMIT(b, 3DSTATE_RASTER, .CullMode = CULLMODE_NONE, .APIMode = DX101,
        .AntialiasingEnable = true);
   draw_random(&s, _3DPRIM_LINESTRIP, 200, 9);
   run(&s);
}

static void
textured(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup) {
                .size = BIG, .blend = over, .program = texture_text });
   scene_texture(&s, 64, TEXTURE);
   for (unsigned i = 0; i < 64 * 64; i++)
      s.texture.map[i] = i * 0x9e3779b1u;
   draw_random(&s, _3DPRIM_TRILIST, 60, 10);
   run(&s);
}

/* A shader that draws what its register file happens to hold, and leaves
 * something else there. */
static void
leftovers(void **state)
{
   struct scene s = scene_start(
      state,
      &(struct setup) {
         .size = BIG,
         .program = "add (8|M0) r60.0<1>:ud r60.0<8;8,1>:ud r1.2<0;1,0>:ud\n"
                    "and (8|M0) r61.0<1>:ud r60.0<8;8,1>:ud 0xff:ud\n"
                    "mov (8|M0) r112.0<1>:f r61.0<8;8,1>:ud\n"
                    "mul (8|M0) r112.0<1>:f r112.0<8;8,1>:f 0.00390625:f\n"
                    "mov (8|M0) r113.0<1>:f r112.0<8;8,1>:f\n"
                    "mov (8|M0) r114.0<1>:f 0.0:f\n"
                    "mov (8|M0) r115.0<1>:f 1.0:f\n"
                    "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n" });
   draw_random(&s, _3DPRIM_TRILIST, 60, 11);
   run(&s);
}

/*
 * Pixels that spill: each adds a part of its colour to what threads before it
 * have left in the scratch space, and shows the sum.
 */

/* Of all of r0; of its pointer alone. */
#define HEADER_COPY "(W) mov (8|M0) r110.0<1>:ud r0.0<8;8,1>:ud\n"
#define HEADER_POINTER                                                       \
   "(W) mov (8|M0) r110.0<1>:ud 0x0:ud\n"                                    \
   "(W) and (1|M0) r110.3<1>:ud r0.3<0;1,0>:ud 0xf:ud\n"                     \
   "(W) and (1|M0) r110.5<1>:ud r0.5<0;1,0>:ud 0xfffffc00:ud\n"
/* For OWord blocks: an offset of 96 bytes. */
#define OFFSET "(W) mov (1|M0) r110.2<1>:ud 0x6:ud\n"

#define READ_SCRATCH "(W) send (8|M0) r120 r110 0xA 0x021C0003\n"
#define WRITE_SCRATCH "send (8|M0) null r110 0xA 0x040E0003\n"
#define READ_BLOCK "(W) send (8|M0) r120 r110 0xA 0x021802FD\n"
#define WRITE_BLOCK "send (8|M0) null r110 0xA 0x040A02FD\n"

#define ADD                                                                  \
   "pln (8|M0) r112.0<1>:f r4.0<0;1,0>:f r2.0<8;8,1>:f\n"                    \
   "mul (8|M0) r112.0<1>:f r112.0<8;8,1>:f 0.001:f\n"                        \
   "add (8|M0) r112.0<1>:f r112.0<8;8,1>:f r120.0<8;8,1>:f\n"                \
   "mov (8|M0) r111.0<1>:f r112.0<8;8,1>:f\n"

#define SHOW                                                                 \
   "frc (8|M0) r112.0<1>:f r112.0<8;8,1>:f\n"                                \
   "mov (8|M0) r113.0<1>:f r112.0<8;8,1>:f\n"                                \
   "mov (8|M0) r114.0<1>:f 0.0:f\n"                                          \
   "mov (8|M0) r115.0<1>:f 1.0:f\n"                                          \
   "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n"

static struct scene
start_spilling(void **state, const char *program)
{
   return scene_start(state, &(struct setup) { .size = BIG,
                                               .program = program,
                                               .spills = true });
}

static void
draw_spilling(void **state, const char *program)
{
   struct scene s = start_spilling(state, program);
   draw_random(&s, _3DPRIM_TRILIST, 60, 18);
   run(&s);
   assert_int_equal(s.b.f->num_reports, 0);
}

/* Four registers at once, with which the picture is as without. */
static void
spilled_colors(void **state)
{
   uint32_t *expect = malloc(4 * BIG * BIG);
   assert_non_null(expect);
   struct scene s = scene_start(state, &(struct setup) { .size = BIG });
   draw_random(&s, _3DPRIM_TRILIST, 60, 19);
   run(&s);
   memcpy(expect, s.target.map, 4 * BIG * BIG);
   s = start_spilling(state, spill_text);
   draw_random(&s, _3DPRIM_TRILIST, 60, 19);
   run(&s);
   assert_memory_equal(expect, s.target.map, 4 * BIG * BIG);
   free(expect);
}

static void
scratch_blocks(void **state)
{
   draw_spilling(state, HEADER_COPY READ_SCRATCH ADD WRITE_SCRATCH SHOW);
}

static void
blocks_without_surface(void **state)
{
   draw_spilling(state,
                 HEADER_POINTER OFFSET READ_BLOCK ADD WRITE_BLOCK SHOW);
}

static void
blocks_by_copy(void **state)
{
   draw_spilling(
      state,
      HEADER_COPY OFFSET READ_BLOCK ADD HEADER_COPY OFFSET WRITE_BLOCK SHOW);
}

#define LOOP                                                                 \
   "(W) mov (8|M0) r109.0<1>:ud 0x0:ud\n"                                    \
   "L0:\n"
#define AGAIN                                                                \
   "add (8|M0) r109.0<1>:ud r109.0<8;8,1>:ud 0x1:ud\n"                       \
   "cmp (8|M0) (lt)f0.0 null<1>:ud r109.0<8;8,1>:ud 0x28:ud\n"               \
   "(f0.0) while (8|M0) L0\n"

/* A header for all messages, made at the start. */
static void
blocks_in_loop(void **state)
{
   draw_spilling(
      state,
      HEADER_POINTER OFFSET LOOP READ_BLOCK ADD WRITE_BLOCK AGAIN SHOW);
}

/* The depth buffer ends in the middle of the screen: of many faults the
 * earliest is reported, and the lanes that have none are drawn. */
static void
faults(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup) { .size = BIG, .depth = true, .ds = nearer });
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_DEPTH_BUFFER, .SurfaceType = SURFTYPE_2D,
        .SurfaceFormat = D32_FLOAT, .SurfacePitch = BIG * 4 - 1,
        .SurfaceBaseAddress = DEPTH + 0x140000 - 0x20000,
        .DepthWriteEnable = true, .Width = BIG - 1, .Height = BIG - 1);
   draw_random(&s, _3DPRIM_TRILIST, 300, 12);
   run(&s);
   assert_non_null(strstr(b->f->report, "depth buffer"));
}

/* Vertices in large windows, whose shader takes its time, and lets into the
 * colour what its registers happen to hold. */
static void
vertices(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { .size = BIG });
   struct batch *b = &s.b;
   struct strbuf text = { 0 };
   for (unsigned i = 0; i < 180; i++)
      strbuf_printf(&text, "add (8|M0) r30.0<1>:f r30.0<8;8,1>:f "
                           "r10.0<8;8,1>:f\n");
   strbuf_printf(&text, "mul (8|M0) r10.0<1>:f r30.0<8;8,1>:f 0.0005:f\n"
                        "mov (8|M0) r111.0<1>:ud r1.0<8;8,1>:ud\n"
                        "mov (8|M0) r112.0<1>:ud r2.0<8;8,1>:ud\n"
                        "mov (8|M0) r113.0<1>:ud r3.0<8;8,1>:ud\n"
                        "mov (8|M0) r114.0<1>:ud r4.0<8;8,1>:ud\n"
                        "mov (8|M0) r115.0<1>:ud r5.0<8;8,1>:ud\n"
                        "mov (8|M0) r116.0<1>:f r6.0<8;8,1>:f\n"
                        "mov (8|M0) r117.0<1>:f r7.0<8;8,1>:f\n"
                        "mov (8|M0) r118.0<1>:f r8.0<8;8,1>:f\n"
                        "mov (8|M0) r119.0<1>:f r9.0<8;8,1>:f\n"
                        "send (8|M0) null r111 0x6 0x12080007\n"
                        "mov (8|M0) r120.0<1>:ud r1.0<8;8,1>:ud\n"
                        "mov (8|M0) r121.0<1>:f r10.0<8;8,1>:f\n"
                        "mov (8|M0) r122.0<1>:f r11.0<8;8,1>:f\n"
                        "mov (8|M0) r123.0<1>:f r12.0<8;8,1>:f\n"
                        "mov (8|M0) r124.0<1>:f r13.0<8;8,1>:f\n"
                        "send (8|M0) null r120 0x26 0x0A080027 {EOT}\n");
   scene_program(&s, 0x200, strbuf_str(&text));
   strbuf_fini(&text);
   EMIT(b, 3DSTATE_URB_VS, .VSNumberofURBEntries = 1000,
        .VSURBEntryAllocationSize = 1);
   EMIT(b, 3DSTATE_VS, .Enable = true, .SIMD8DispatchEnable = true,
        .StatisticsEnable = true, .KernelStartPointer = 0x200,
        .DispatchGRFStartRegisterForURBData = 2,
        .VertexURBEntryReadLength = 2, .MaximumNumberofThreads = 1);
   batch_save(b, GEN9_VS_INVOCATION_COUNT_num, DATA + 96);
   /* Points: their pixels are too few to be split. */
   draw_random(&s, _3DPRIM_POINTLIST, 900, 16);
   batch_save(b, GEN9_VS_INVOCATION_COUNT_num, DATA + 104);
   run(&s);
   assert_int_equal(b->data.map[26], 900);
}

/*
 * Scenes that stay in order
 */

/* Where the header is from, or how far the message goes, is not clear; or
 * there are fewer threads, or less space, than are needed. */
static void
unclear_pointer(void **state)
{
   draw_spilling(state, HEADER_POINTER OFFSET
                 "(W) mov (1|M0) r110.5<1>:ud r0.5<0;1,0>:ud\n" READ_BLOCK ADD
                    WRITE_BLOCK SHOW);
}

static void
unclear_offset(void **state)
{
   draw_spilling(
      state, HEADER_POINTER
      "(W) and (1|M0) r110.2<1>:ud r1.2<0;1,0>:ud 0x3:ud\n" READ_BLOCK ADD
         WRITE_BLOCK SHOW);
}

/* Each round goes on by two OWords, in the end beyond the thread's space. */
static void
moving_offset(void **state)
{
   draw_spilling(
      state, HEADER_POINTER OFFSET LOOP READ_BLOCK ADD WRITE_BLOCK
      "(W) add (1|M0) r110.2<1>:ud r110.2<0;1,0>:ud 0x2:ud\n" AGAIN SHOW);
}

/* Threads whose channels all have a large attribute go past the header that
 * the text shows last; theirs is SCRATCH, without the thread's portion. */
static void
header_in_branch(void **state)
{
   draw_spilling(state, HEADER_POINTER OFFSET
                 "(W) mov (1|M0) r110.5<1>:ud 0x15000000:ud\n"
                 "pln (8|M0) r112.0<1>:f r4.0<0;1,0>:f r2.0<8;8,1>:f\n"
                 "cmp (8|M0) (lt)f0.0 null<1>:f r112.0<8;8,1>:f 0.5:f\n"
                 "(f0.0) if (8|M0) L0 L0\n" HEADER_POINTER OFFSET "L0:\n"
                 "endif (8|M0) L1\n"
                 "L1:\n" READ_BLOCK ADD WRITE_BLOCK SHOW);
}

/* A jump to where a register says: anywhere. */
static void
jump_by_register(void **state)
{
   draw_spilling(state, HEADER_POINTER OFFSET
                 "(W) mov (1|M0) r108.0<1>:d 0:d\n"
                 "(W) jmpi (1|M0) r108.0\n" READ_BLOCK ADD WRITE_BLOCK SHOW);
}

static void
few_threads(void **state)
{
   struct scene s =
      start_spilling(state, HEADER_COPY READ_SCRATCH ADD WRITE_SCRATCH SHOW);
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_PS, ._8PixelDispatchEnable = true,
        .DispatchGRFStartRegisterForConstantSetupData0 = 4,
        .MaximumNumberofThreadsPerPSD = 20, .VectorMaskEnable = true,
        .ScratchSpaceBasePointer = SCRATCH);
   draw_random(&s, _3DPRIM_TRILIST, 60, 18);
   run(&s);
   assert_int_equal(s.b.f->num_reports, 0);
}

/* The last thread's scratch space is in the target. */
static void
scratch_in_target(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup) {
                .size = BIG,
                .program = HEADER_COPY READ_SCRATCH ADD WRITE_SCRATCH SHOW });
   struct batch *b = &s.b;
   f_bo(b->f, 0x10000, TARGET - 0x10000);
   EMIT(b, 3DSTATE_PS, ._8PixelDispatchEnable = true,
        .DispatchGRFStartRegisterForConstantSetupData0 = 4,
        .MaximumNumberofThreadsPerPSD = 63, .VectorMaskEnable = true,
        .ScratchSpaceBasePointer = TARGET - 63 * SCRATCH_B);
   draw_random(&s, _3DPRIM_TRILIST, 60, 18);
   run(&s);
   assert_int_equal(b->f->num_reports, 0);
}

static void
atomics(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup) { .size = BIG, .program = count_text });
   draw_random(&s, _3DPRIM_TRILIST, 60, 13);
   run(&s);
   assert_true(s.b.data.map[4] > 0);
}

/* The target is its own texture. */
static void
feedback(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup) {
                .size = BIG, .blend = over, .program = texture_text });
   scene_texture(&s, BIG, TARGET);
   for (unsigned i = 0; i < BIG * BIG; i++)
      s.target.map[i] = i * 0x9e3779b1u;
   draw_random(&s, _3DPRIM_TRILIST, 60, 14);
   run(&s);
}

/* The depth buffer begins inside of the target. */
static void
overlapping(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup) { .size = BIG, .depth = true, .ds = nearer });
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_DEPTH_BUFFER, .SurfaceType = SURFTYPE_2D,
        .SurfaceFormat = D32_FLOAT, .SurfacePitch = BIG * 4 - 1,
        .SurfaceBaseAddress = TARGET + 0x1000, .DepthWriteEnable = true,
        .Width = BIG - 1, .Height = BIG - 1);
   draw_random(&s, _3DPRIM_TRILIST, 60, 15);
   run(&s);
}

/*
 * Compute
 */

/* Groups of one thread each store eight times their number, at `mask` of it
 * times 32, through binding table entry 0. `more` may do something with r11,
 * the value. */
static struct scene
groups(void **state, const char *mask, const char *more, unsigned elements)
{
   f_reset_bos(*state);
   struct scene s = { .b = batch_start(state) };
   struct batch *b = &s.b;
   struct strbuf text = { 0 };
   s.program = f_bo(b->f, 4096, PROGRAM);
   s.dynamic = f_bo(b->f, 4096, DYNAMIC);
   s.surfaces = f_bo(b->f, 4096, SURFACES);
   s.target = f_bo(b->f, 0x10000, TARGET);
   strbuf_printf(
      &text,
      "(W) and (1|M0) r20.0<1>:ud r0.1<0;1,0>:ud %s:ud\n"
      "(W) shl (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud 5:ud\n"
      "(W) mov (8|M0) r19.0<1>:uw 0x76543210:uv\n"
      "(W) shl (8|M0) r10.0<1>:ud r19.0<8;8,1>:uw 2:ud\n"
      "(W) add (8|M0) r10.0<1>:ud r10.0<8;8,1>:ud r20.0<0;1,0>:ud\n"
      "(W) mov (8|M0) r11.0<1>:ud r0.1<0;1,0>:ud\n%s"
      "send (8|M0) null r10 0xC 0x04026E00\n"
      "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n",
      mask, more);
   scene_program(&s, 0, strbuf_str(&text));
   strbuf_fini(&text);

   const struct GEN9_RENDER_SURFACE_STATE buffer = {
      .SurfaceType = SURFTYPE_BUFFER,
      .SurfaceFormat = ISL_FORMAT_RAW,
      .Width = (elements - 1) & 0x7f,
      .Height = (elements - 1) >> 7 & 0x3fff,
      .SurfaceBaseAddress = TARGET,
   };
   s.surfaces.map[0] = s.surfaces.map[1] = 0x100;
   GEN9_RENDER_SURFACE_STATE_pack(&s.surfaces.map[0x100 / 4], &buffer);
   const struct GEN9_INTERFACE_DESCRIPTOR_DATA idd = {
      .NumberofThreadsinGPGPUThreadGroup = 1
   };
   GEN9_INTERFACE_DESCRIPTOR_DATA_pack(s.dynamic.map, &idd);
   EMIT(b, PIPELINE_SELECT, .MaskBits = 3,
        .PipelineSelection = PIPELINE_GPGPU);
   EMIT(b, STATE_BASE_ADDRESS, .DynamicStateBaseAddress = DYNAMIC,
        .DynamicStateBaseAddressModifyEnable = true,
        .SurfaceStateBaseAddress = SURFACES,
        .SurfaceStateBaseAddressModifyEnable = true,
        .InstructionBaseAddress = PROGRAM,
        .InstructionBaseAddressModifyEnable = true);
   EMIT(b, MEDIA_VFE_STATE, .MaximumNumberofThreads = 167,
        .NumberofURBEntries = 2, .URBEntryAllocationSize = 2);
   EMIT(b, MEDIA_INTERFACE_DESCRIPTOR_LOAD,
        .InterfaceDescriptorTotalLength = 32);
   EMIT(b, GPGPU_WALKER, .RightExecutionMask = ~0u,
        .BottomExecutionMask = ~0u, .ThreadGroupIDXDimension = 100,
        .ThreadGroupIDYDimension = 1, .ThreadGroupIDZDimension = 1);
   EMIT(b, GPGPU_WALKER, .RightExecutionMask = ~0u,
        .BottomExecutionMask = ~0u, .ThreadGroupIDXDimension = 4099,
        .ThreadGroupIDYDimension = 1, .ThreadGroupIDZDimension = 1);
   EMIT(b, MEDIA_STATE_FLUSH);
   batch_save(b, GEN9_CS_INVOCATION_COUNT_num, DATA);
   *b->next++ = MI_BATCH_BUFFER_END;
   assert_int_equal(f_run(b->f, &b->bo), 0);
   return s;
}

/* Of all groups that write to a place, the last one wins. */
static void
same_places(void **state)
{
   struct scene s = groups(state, "7", "", 16384);
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(s.target.map[i], 4098 - (4098 - i / 8) % 8);
   assert_int_equal(s.b.data.map[0], 8 * 4199);
}

/* The surface has more than the memory: what was before is there. */
static void
group_faults(void **state)
{
   struct scene s = groups(state, "0xffff", "", 0x40000);
   assert_non_null(strstr(s.b.f->report, "0x000011010000"));
   assert_int_equal(s.target.map[2047 * 8], 2047);
}

/* Each group adds its number to what the one before it has left. */
static void
sums(void **state)
{
   struct scene s =
      groups(state, "0",
             "send (8|M0) r12 r10 0xC 0x02106E01\n"
             "add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r12.0<8;8,1>:ud\n",
             16384);
   assert_int_equal(s.target.map[0], 99 * 100 / 2 + 4098 * 4099 / 2);
}

SAME(triangles, true)
SAME(wide_threads, true)
SAME(depth_and_stencil, true)
SAME(hierarchical_depth, true)
SAME(samples, true)
SAME(clear_color, true)
SAME(lines_and_points, true)
SAME(textured, true)
SAME(leftovers, true)
SAME(faults, true)
SAME(spilled_colors, true)
SAME(scratch_blocks, true)
SAME(blocks_without_surface, true)
SAME(blocks_by_copy, true)
SAME(blocks_in_loop, true)
SAME(unclear_pointer, false)
SAME(unclear_offset, false)
SAME(moving_offset, false)
SAME(header_in_branch, false)
SAME(jump_by_register, false)
SAME(few_threads, false)
SAME(scratch_in_target, false)
SAME(vertices, true)
SAME(same_places, true)
SAME(group_faults, true)
SAME(sums, false)
SAME(atomics, false)
SAME(feedback, false)
SAME(overlapping, false)

/*
 * The pool
 */

#define ITEMS 1000

struct work {
   unsigned done[ITEMS];
   unsigned workers;
};

static void
work_on(void *data, unsigned worker, unsigned item)
{
   struct work *w = data;
   w->done[item]++;
   __atomic_or_fetch(&w->workers, 1u << worker, __ATOMIC_RELAXED);
}

static bool
do_work(struct sim_pool *pool)
{
   struct work w = { 0 };
   sim_pool_run(pool, ITEMS, work_on, &w);
   for (unsigned i = 0; i < ITEMS; i++) {
      if (w.done[i] != 1)
         return false;
   }
   return w.workers && w.workers < 1u << sim_pool_width(pool);
}

static void
pool_does_each_item_once(void **state)
{
   assert_int_equal(setenv("SAFFRON_SIM_THREADS", "5", 1), 0);
   struct sim_pool *pool = sim_pool_create();
   assert_int_equal(sim_pool_width(pool), 5);
   for (unsigned i = 0; i < 30; i++)
      assert_true(do_work(pool));
   sim_pool_destroy(pool);
   assert_true(do_work(NULL));
}

/* The child does not have its parent's threads; both go on. The thread
 * sanitizer knows no such thing as threads after fork(). */
static void
pool_after_fork(void **state)
{
#ifdef __SANITIZE_THREAD__
   skip();
#endif
   int status;
   assert_int_equal(setenv("SAFFRON_SIM_THREADS", "3", 1), 0);
   struct sim_pool *pool = sim_pool_create();
   assert_true(do_work(pool));
   const pid_t child = fork();
   assert_true(child >= 0);
   if (!child) {
      const bool ok = do_work(pool) && do_work(pool);
      sim_pool_destroy(pool);
      _exit(ok ? 0 : 1);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
   assert_true(do_work(pool));
   sim_pool_destroy(pool);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pool_does_each_item_once),
      cmocka_unit_test(pool_after_fork),
      cmocka_unit_test(same_triangles),
      cmocka_unit_test(same_wide_threads),
      cmocka_unit_test(same_depth_and_stencil),
      cmocka_unit_test(same_hierarchical_depth),
      cmocka_unit_test(same_samples),
      cmocka_unit_test(same_clear_color),
      cmocka_unit_test(same_lines_and_points),
      cmocka_unit_test(same_textured),
      cmocka_unit_test(same_leftovers),
      cmocka_unit_test(same_faults),
      cmocka_unit_test(same_spilled_colors),
      cmocka_unit_test(same_scratch_blocks),
      cmocka_unit_test(same_blocks_without_surface),
      cmocka_unit_test(same_blocks_by_copy),
      cmocka_unit_test(same_blocks_in_loop),
      cmocka_unit_test(same_unclear_pointer),
      cmocka_unit_test(same_unclear_offset),
      cmocka_unit_test(same_moving_offset),
      cmocka_unit_test(same_header_in_branch),
      cmocka_unit_test(same_jump_by_register),
      cmocka_unit_test(same_few_threads),
      cmocka_unit_test(same_scratch_in_target),
      cmocka_unit_test(same_vertices),
      cmocka_unit_test(same_same_places),
      cmocka_unit_test(same_group_faults),
      cmocka_unit_test(same_sums),
      cmocka_unit_test(same_atomics),
      cmocka_unit_test(same_feedback),
      cmocka_unit_test(same_overlapping),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
