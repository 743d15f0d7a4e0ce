/* SPDX-License-Identifier: MIT */
/*
 * Geometry shaders: programs from assembly between assembly and stream
 * output. Vertices are not shaded; dword 6 of each is its number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intel/sim/tests/sim_pipe.h"
#include "util/strbuf.h"

/* Entries of the geometry stage come after those of the vertex stage. */
#define GS_ENTRIES .GSNumberofURBEntries = 8, .GSURBStartingAddress = 1

/* A new device each time: counters begin at zero, and no context is
 * banned. */
static struct pipe
start(void **state)
{
   f_teardown(state);
   f_setup(state);
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_emit_elements(&p);
   EMIT(b, 3DSTATE_VF_SGVS, .VertexIDEnable = true,
        .VertexIDElementOffset = 1, .VertexIDComponentNumber = COMP_2);
   EMIT(b, 3DSTATE_URB_GS, GS_ENTRIES, .GSURBEntryAllocationSize = 3);
   return p;
}

/*
 * Programs
 */

/* "r17.0<8;8,1>:ud" */
static const char *
reg(unsigned grf)
{
   static char text[4][24];
   static unsigned next;
   char *to = text[next++ % 4];
   snprintf(to, sizeof(text[0]), "r%u.0<8;8,1>:ud", grf);
   return to;
}

static void
mov(struct strbuf *s, unsigned grf, const char *from)
{
   strbuf_printf(s, "mov (8|M0) r%u.0<1>:ud %s\n", grf, from);
}

static void
mov_imm(struct strbuf *s, unsigned grf, uint32_t value)
{
   strbuf_printf(s, "mov (8|M0) r%u.0<1>:ud 0x%x:ud\n", grf, value);
}

/* Writes r113 to r112 + n to the entries of r1, at an offset in OWords. */
static void
urb_write(struct strbuf *s, unsigned n, unsigned offset, bool eot)
{
   mov(s, 112, reg(1));
   strbuf_printf(s, "send (8|M0) null r112 0x%x 0x%x%s\n", eot ? 0x26 : 6,
                 0x00080007 | (n + 1) << 25 | offset << 4,
                 eot ? " {EOT}" : "");
}

/* Reads dword 6 of the entries that `grf` has handles of. */
static void
pull(struct strbuf *s, unsigned grf, const char *handles)
{
   mov(s, 100, handles);
   strbuf_printf(s, "send (8|M0) r104:uw r100:ud 0x6 0x%x\n",
                 0x00080008 | 1u << 25 | 4u << 20 | 1u << 4);
   mov(s, grf, reg(106));
}

/*
 * Objects: one vertex out per object, that has the numbers of its vertices
 * and last its instance, of which a shader may ask without having any: 0.
 */

enum input { PUSHED, PULLED, DUAL_OBJECT, SINGLE };

enum { INSTANCE_SLOT = 7 };

struct object_row {
   uint32_t topology;
   unsigned vertices, per_object;
   uint32_t mode;
   bool discard;
   const char *expect;
};

/* SIMD4x2: number k of the eight, from dword 6 of a vertex, whose second slot
 * is a register in dual object mode, else the upper half of one. */
static void
copy_number(struct strbuf *s, unsigned i, unsigned n, enum input input)
{
   strbuf_printf(s, "mov (8|M0) r%u.0<1>.%c:ud ", 113 + i / 4, "xyzw"[i % 4]);
   if (i >= n)
      strbuf_printf(s, "0xff:ud {Align16}\n");
   else if (input == DUAL_OBJECT)
      strbuf_printf(s, "r%u.0<4>.zzzz:ud {Align16}\n", 2 + 2 * i);
   else
      strbuf_printf(s, "r%u.4<0>.zzzz:ud {Align16}\n", 1 + i);
}

/* Writes r113 and r114 to the entries of r0, interleaved. */
static void
urb_write_interleaved(struct strbuf *s)
{
   mov(s, 112, reg(0));
   strbuf_puts(s, "(W) mov (1|M0) r112.5<1>:ud 0xFF00:ud\n"
                  "send (8|M0) null r112 0x26 0x06088000 {EOT}\n");
}

static void
check_objects(void **state, const struct object_row *row, enum input input)
{
   struct pipe p = start(state);
   struct batch *b = &p.b;
   struct strbuf s = { 0 };
   const unsigned n = row->per_object;
   const bool simd8 = input == PUSHED || input == PULLED;
   const unsigned first = !simd8 ? 1 : input == PULLED ? 2 + n : 2;
   for (unsigned i = 0; i < INSTANCE_SLOT; i++) {
      if (!simd8)
         copy_number(&s, i, n, input);
      else if (i >= n)
         mov_imm(&s, 113 + i, 0xff);
      else if (input == PUSHED)
         mov(&s, 113 + i, reg(first + 8 * i + 6));
      else
         pull(&s, 113 + i, reg(2 + i));
   }
   if (simd8) {
      strbuf_puts(&s, "shr (8|M0) r120.0<1>:ud r1.0<8;8,1>:ud 0x1b:ud\n");
      urb_write(&s, 8, 0, true);
   } else {
      strbuf_puts(&s, "(W) shr (2|M0) r114.3<4>:ud r0.0<2;2,1>:ud 0x1b:ud\n");
      urb_write_interleaved(&s);
   }
   pipe_program(&p, strbuf_str(&s));
   strbuf_fini(&s);
   EMIT(b, 3DSTATE_GS, .Enable = true, .StatisticsEnable = true,
        .DispatchMode = simd8                  ? DISPATCH_MODE_SIMD8
                        : input == DUAL_OBJECT ? DISPATCH_MODE_DualObject
                                               : 0,
        .ExpectedVertexCount = n, .OutputTopology = _3DPRIM_POINTLIST,
        .OutputVertexSize = 1, .StaticOutput = true,
        .StaticOutputVertexCount = 1, .ReorderMode = row->mode,
        .DiscardAdjacency = row->discard,
        .IncludeVertexHandles = input == PULLED,
        .VertexURBEntryReadLength = input != PULLED,
        .DispatchGRFStartRegisterForURBData = first);
   pipe_capture(&p, 65536);
   pipe_draw(&p, row->topology, row->vertices);
   batch_save(b, GEN9_SO_NUM_PRIMS_WRITTEN0_num, DATA);
   batch_save(b, GEN9_GS_INVOCATION_COUNT_num, DATA + 4);
   batch_save(b, GEN9_GS_PRIMITIVES_COUNT_num, DATA + 8);
   run_ok(b);
   struct strbuf seen_text = { 0 };
   for (unsigned i = 0; i < b->data.map[0]; i++) {
      for (unsigned v = 0; v < n; v++)
         strbuf_printf(&seen_text, "%u%s", p.so.map[8 * i + v],
                       v + 1 < n ? "," : " ");
      for (unsigned v = n; v < INSTANCE_SLOT; v++)
         assert_int_equal(p.so.map[8 * i + v], 0xff);
      assert_int_equal(p.so.map[8 * i + INSTANCE_SLOT], 0);
   }
   assert_string_equal(strbuf_str(&seen_text), row->expect);
   assert_int_equal(b->data.map[1], b->data.map[0]);
   assert_int_equal(b->data.map[2], b->data.map[0]);
   strbuf_fini(&seen_text);
}

/* The last rows are OpenGL's table of triangle strips with adjacency. */
static const struct object_row object_rows[] = {
   { _3DPRIM_POINTLIST, 3, 1, LEADING, false, "0 1 2 " },
   { _3DPRIM_POINTLIST, 10, 1, LEADING, false, "0 1 2 3 4 5 6 7 8 9 " },
   { _3DPRIM_LINELIST, 5, 2, LEADING, false, "0,1 2,3 " },
   { _3DPRIM_LINESTRIP, 4, 2, LEADING, false, "0,1 1,2 2,3 " },
   { _3DPRIM_LINELOOP, 3, 2, LEADING, false, "0,1 1,2 2,0 " },
   { _3DPRIM_LINELIST_ADJ, 8, 4, LEADING, false, "0,1,2,3 4,5,6,7 " },
   { _3DPRIM_LINELIST_ADJ, 8, 2, LEADING, true, "1,2 5,6 " },
   { _3DPRIM_LINESTRIP_ADJ, 5, 4, LEADING, false, "0,1,2,3 1,2,3,4 " },
   { _3DPRIM_TRILIST, 8, 3, LEADING, false, "0,1,2 3,4,5 " },
   { _3DPRIM_TRIFAN, 5, 3, LEADING, false, "0,1,2 0,2,3 0,3,4 " },
   { _3DPRIM_TRISTRIP, 5, 3, LEADING, false, "0,1,2 1,3,2 2,3,4 " },
   { _3DPRIM_TRISTRIP, 5, 3, TRAILING, false, "0,1,2 2,1,3 2,3,4 " },
   { _3DPRIM_TRISTRIP_REVERSE, 4, 3, LEADING, false, "0,2,1 1,2,3 " },
   { _3DPRIM_TRILIST_ADJ, 12, 6, LEADING, false,
     "0,1,2,3,4,5 6,7,8,9,10,11 " },
   { _3DPRIM_TRILIST_ADJ, 12, 3, LEADING, true, "0,2,4 6,8,10 " },
   { _3DPRIM_PATCHLIST_1 + 4, 12, 5, LEADING, false, "0,1,2,3,4 5,6,7,8,9 " },
   { _3DPRIM_TRISTRIP_ADJ, 5, 6, TRAILING, false, "" },
   { _3DPRIM_TRISTRIP_ADJ, 6, 6, TRAILING, false, "0,1,2,5,4,3 " },
   { _3DPRIM_TRISTRIP_ADJ, 7, 6, TRAILING, false, "0,1,2,5,4,3 " },
   { _3DPRIM_TRISTRIP_ADJ, 8, 6, TRAILING, false,
     "0,1,2,6,4,3 4,0,2,5,6,7 " },
   { _3DPRIM_TRISTRIP_ADJ, 12, 6, TRAILING, false,
     "0,1,2,6,4,3 4,0,2,5,6,8 4,2,6,10,8,7 8,4,6,9,10,11 " },
   { _3DPRIM_TRISTRIP_ADJ, 10, 6, LEADING, false,
     "0,1,2,6,4,3 2,5,6,8,4,0 4,2,6,9,8,7 " },
   { _3DPRIM_TRISTRIP_ADJ, 10, 3, TRAILING, true, "0,2,4 4,2,6 4,6,8 " },
};

static void
test_objects(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(object_rows); i++) {
      check_objects(state, &object_rows[i], PUSHED);
      check_objects(state, &object_rows[i], PULLED);
      check_objects(state, &object_rows[i], DUAL_OBJECT);
      check_objects(state, &object_rows[i], SINGLE);
   }
}

/* Longer than the vertex stage has entries: what a triangle waits for is in
 * another window. */
static void
test_long_strip(void **state)
{
   struct strbuf s = { 0 };
   strbuf_puts(&s, "0,1,2,6,4,3 ");
   /* By the same table; odd triangles are (2 i + 2, 2 i, 2 i + 4). */
   for (unsigned i = 1; i < 148; i++) {
      const unsigned v = 2 * i, far = i == 147 ? v + 5 : v + 6;
      if (i & 1)
         strbuf_printf(&s, "%u,%u,%u,%u,%u,%u ", v + 2, v - 2, v, v + 3,
                       v + 4, far);
      else
         strbuf_printf(&s, "%u,%u,%u,%u,%u,%u ", v, v - 2, v + 2, far, v + 4,
                       v + 3);
   }
   struct object_row row = { _3DPRIM_TRISTRIP_ADJ, 300, 6, TRAILING, false,
                             strbuf_str(&s) };
   check_objects(state, &row, PULLED);
   strbuf_fini(&s);
}

/*
 * Instances
 */

/* Eleven instances of three points: instance, primitive, the pushed vertex
 * (one register for eight dwords), and the pulled one. */
static void
test_instances(void **state)
{
   struct pipe p = start(state);
   struct batch *b = &p.b;
   struct strbuf s = { 0 };
   strbuf_printf(&s, "shr (8|M0) r113.0<1>:ud r1.0<8;8,1>:ud 0x1b:ud\n");
   mov(&s, 114, reg(2));
   mov(&s, 115, "r5.6<0;1,0>:ud");
   pull(&s, 116, "r3.0<0;1,0>:ud");
   for (unsigned i = 4; i < 8; i++)
      mov_imm(&s, 113 + i, i);
   urb_write(&s, 8, 0, true);
   pipe_program(&p, strbuf_str(&s));
   strbuf_fini(&s);
   EMIT(b, 3DSTATE_GS, .Enable = true, .StatisticsEnable = true,
        .DispatchMode = DISPATCH_MODE_SIMD8, .ExpectedVertexCount = 1,
        .OutputTopology = _3DPRIM_POINTLIST, .OutputVertexSize = 1,
        .StaticOutput = true, .StaticOutputVertexCount = 1,
        .InstanceControl = 10, .IncludePrimitiveID = true,
        .IncludeVertexHandles = true, .VertexURBEntryReadLength = 1,
        .DispatchGRFStartRegisterForURBData = 5);
   pipe_capture(&p, 65536);
   pipe_draw(&p, _3DPRIM_POINTLIST, 3);
   batch_save(b, GEN9_GS_INVOCATION_COUNT_num, DATA);
   batch_save(b, GEN9_SO_NUM_PRIMS_WRITTEN0_num, DATA + 4);
   run_ok(b);
   assert_int_equal(b->data.map[0], 33);
   assert_int_equal(b->data.map[1], 33);
   for (unsigned i = 0; i < 33; i++) {
      const uint32_t *v = &p.so.map[8 * i];
      assert_int_equal(v[0], i % 11);
      assert_int_equal(v[1], i / 11);
      assert_int_equal(v[2], i / 11);
      assert_int_equal(v[3], i / 11);
      assert_int_equal(v[4], 4);
   }
}

/* Three instances of two points, in pairs: the instance, the primitive, the
 * pushed vertex, and the pulled one. */
static void
test_instances_simd4x2(void **state)
{
   struct pipe p = start(state);
   struct batch *b = &p.b;
   struct strbuf s = { 0 };
   mov_imm(&s, 113, 5);
   mov_imm(&s, 114, 6);
   strbuf_puts(&s, "(W) shr (2|M0) r113.0<4>:ud r0.0<2;2,1>:ud 0x1b:ud\n"
                   "mov (8|M0) r113.0<1>.y:ud r1.0<4>.xxxx:ud {Align16}\n"
                   "mov (8|M0) r113.0<1>.z:ud r3.4<0>.zzzz:ud {Align16}\n");
   pull(&s, 116, "r2.0<0;1,0>:ud");
   strbuf_puts(&s, "mov (8|M0) r113.0<1>.w:ud r116.0<0>.xxxx:ud {Align16}\n");
   urb_write_interleaved(&s);
   pipe_program(&p, strbuf_str(&s));
   strbuf_fini(&s);
   EMIT(b, 3DSTATE_GS, .Enable = true, .StatisticsEnable = true,
        .DispatchMode = DISPATCH_MODE_DualInstance, .ExpectedVertexCount = 1,
        .OutputTopology = _3DPRIM_POINTLIST, .OutputVertexSize = 1,
        .StaticOutput = true, .StaticOutputVertexCount = 1,
        .InstanceControl = 2, .IncludePrimitiveID = true,
        .IncludeVertexHandles = true, .VertexURBEntryReadLength = 1,
        .DispatchGRFStartRegisterForURBData = 3);
   pipe_capture(&p, 65536);
   pipe_draw(&p, _3DPRIM_POINTLIST, 2);
   batch_save(b, GEN9_GS_INVOCATION_COUNT_num, DATA);
   run_ok(b);
   assert_int_equal(b->data.map[0], 6);
   for (unsigned i = 0; i < 6; i++) {
      const uint32_t *v = &p.so.map[8 * i];
      assert_int_equal(v[0], i % 3);
      assert_int_equal(v[1], i / 3);
      assert_int_equal(v[2], i / 3);
      assert_int_equal(v[3], i / 3);
      assert_int_equal(v[7], 6);
   }
}

/*
 * Control data
 */

/* `n` vertices, the number of each in dword 6; after a count, and a header
 * with these bits. */
static void
program_with_control(struct pipe *p, unsigned n, uint32_t control)
{
   struct strbuf s = { 0 };
   mov_imm(&s, 113, n);
   urb_write(&s, 1, 0, false);
   mov_imm(&s, 113, control);
   urb_write(&s, 1, 2, false);
   for (unsigned v = 0; v < n; v++) {
      for (unsigned i = 0; i < 8; i++)
         mov_imm(&s, 113 + i, i == 6 ? v : 0);
      urb_write(&s, 8, 4 + 2 * v, v + 1 == n);
   }
   pipe_program(p, strbuf_str(&s));
   strbuf_fini(&s);
}

#define GS_WITH_CONTROL                                                      \
   .Enable = true, .StatisticsEnable = true,                                 \
   .DispatchMode = DISPATCH_MODE_SIMD8, .ExpectedVertexCount = 1,            \
   .OutputVertexSize = 1, .ControlDataHeaderSize = 1,                        \
   .DispatchGRFStartRegisterForURBData = 2

static void
test_cut_bits(void **state)
{
   static const struct {
      uint32_t topology, cuts;
      unsigned per_prim;
      const char *expect;
   } rows[] = {
      { _3DPRIM_TRISTRIP, 0, 3, "012 132 234 354 456 " },
      { _3DPRIM_TRISTRIP, 1 << 2, 3, "012 345 465 " },
      { _3DPRIM_TRISTRIP, 1 << 1 | 1 << 4, 3, "234 " },
      { _3DPRIM_TRISTRIP, 0x7f, 3, "" },
      { _3DPRIM_LINESTRIP, 1 << 3 | 1 << 4, 2, "01 12 23 56 " },
      { _3DPRIM_POINTLIST, 1 << 3, 1, "0 1 2 3 4 5 6 " },
   };
   for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
      struct pipe p = start(state);
      struct batch *b = &p.b;
      program_with_control(&p, 7, rows[r].cuts);
      EMIT(b, 3DSTATE_URB_GS, GS_ENTRIES, .GSURBEntryAllocationSize = 4);
      EMIT(b, 3DSTATE_GS, GS_WITH_CONTROL,
           .ControlDataFormat = CONTROL_DATA_CUT,
           .OutputTopology = rows[r].topology);
      pipe_capture(&p, 65536);
      pipe_draw(&p, _3DPRIM_POINTLIST, 2);
      batch_save(b, GEN9_GS_PRIMITIVES_COUNT_num, DATA);
      run_ok(b);
      struct strbuf s = { 0 };
      const unsigned prims = b->data.map[0] / 2; /* of one object */
      for (unsigned i = 0; i < prims; i++) {
         for (unsigned v = 0; v < rows[r].per_prim; v++)
            strbuf_printf(&s, "%u",
                          p.so.map[8 * (rows[r].per_prim * i + v) + 6]);
         strbuf_puts(&s, " ");
      }
      assert_string_equal(strbuf_str(&s), rows[r].expect);
      assert_int_equal(b->data.map[32], 2 * prims * rows[r].per_prim * 32);
      strbuf_fini(&s);
   }
}

/* Four streams, each to a buffer of its own; stream 2 is rasterised. */
static void
test_streams(void **state)
{
   struct pipe p = start(state);
   struct batch *b = &p.b;
   /* Vertex k of seven goes to stream 3 - k % 4. */
   uint32_t control = 0;
   for (unsigned k = 0; k < 7; k++)
      control |= (3 - k % 4) << 2 * k;
   program_with_control(&p, 7, control);
   EMIT(b, 3DSTATE_URB_GS, GS_ENTRIES, .GSURBEntryAllocationSize = 4);
   EMIT(b, 3DSTATE_GS, GS_WITH_CONTROL, .ControlDataFormat = CONTROL_DATA_SID,
        .OutputTopology = _3DPRIM_POINTLIST);
   EMIT(b, 3DSTATE_STREAMOUT, .SOFunctionEnable = true,
        .SOStatisticsEnable = true, .RenderStreamSelect = 2,
        .Buffer0SurfacePitch = 16, .Buffer1SurfacePitch = 16,
        .Buffer2SurfacePitch = 16, .Buffer3SurfacePitch = 16);
   struct GEN9_3DSTATE_SO_DECL_LIST l = { .DWordLength = 3 + 2 - 2,
                                          .StreamtoBufferSelects0 = 1,
                                          .StreamtoBufferSelects1 = 2,
                                          .StreamtoBufferSelects2 = 4,
                                          .StreamtoBufferSelects3 = 8,
                                          .NumEntries0 = 1,
                                          .NumEntries1 = 1,
                                          .NumEntries2 = 1,
                                          .NumEntries3 = 1 };
   GEN9_3DSTATE_SO_DECL_LIST_pack(b->next, &l);
   /* clang-format off */
   const struct GEN9_SO_DECL_ENTRY e = {
      .Stream0Decl = { .ComponentMask = 0xf, .RegisterIndex = 1 },
      .Stream1Decl = { .ComponentMask = 0xf, .RegisterIndex = 1,
                       .OutputBufferSlot = 1 },
      .Stream2Decl = { .ComponentMask = 0xf, .RegisterIndex = 1,
                       .OutputBufferSlot = 2 },
      .Stream3Decl = { .ComponentMask = 0xf, .RegisterIndex = 1,
                       .OutputBufferSlot = 3 } };
   /* clang-format on */
   GEN9_SO_DECL_ENTRY_pack(&b->next[3], &e);
   b->next += 5;
   /* Buffer 3 has room for one point only. */
   for (unsigned i = 0; i < 4; i++)
      EMIT(b, 3DSTATE_SO_BUFFER, .SOBufferIndex = i, .SOBufferEnable = true,
           .StreamOffsetWriteEnable = true,
           .SurfaceBaseAddress = SO + 256 * i,
           .SurfaceSize = i == 3 ? 3 : 63);
   pipe_draw(&p, _3DPRIM_POINTLIST, 1);
   for (unsigned i = 0; i < 4; i++) {
      batch_save(b, GEN9_SO_NUM_PRIMS_WRITTEN0_num + 8 * i, DATA + 4 * i);
      batch_save(b, GEN9_SO_PRIM_STORAGE_NEEDED0_num + 8 * i,
                 DATA + 16 + 4 * i);
   }
   run_ok(b);
   static const unsigned needed[4] = { 1, 2, 2, 2 };
   static const unsigned written[4] = { 1, 2, 2, 1 };
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(b->data.map[i], written[i]);
      assert_int_equal(b->data.map[4 + i], needed[i]);
      for (unsigned k = 0; k < written[i]; k++)
         assert_int_equal(p.so.map[64 * i + 4 * k + 2], 3 - i + 4 * k);
   }
   assert_int_equal(num_seen, 2);
   assert_int_equal(seen[0].v[0][6], 1);
   assert_int_equal(seen[1].v[0][6], 5);
}

/* Without control data all vertices are of the default stream. */
static void
test_default_stream(void **state)
{
   for (unsigned stream = 0; stream < 4; stream++) {
      struct pipe p = start(state);
      struct batch *b = &p.b;
      program_with_control(&p, 3, 0);
      EMIT(b, 3DSTATE_GS, GS_WITH_CONTROL,
           .ControlDataFormat = CONTROL_DATA_CUT, .DefaultStreamId = stream,
           .OutputTopology = _3DPRIM_LINESTRIP);
      EMIT(b, 3DSTATE_STREAMOUT, .SOFunctionEnable = true,
           .SOStatisticsEnable = true, .RenderStreamSelect = 0,
           .RenderingDisable = true, .ForceRendering = SO_Force_on);
      pipe_draw(&p, _3DPRIM_POINTLIST, 1);
      batch_save(b, GEN9_SO_PRIM_STORAGE_NEEDED0_num + 8 * stream, DATA);
      run_ok(b);
      assert_int_equal(b->data.map[0], 2);
      assert_int_equal(num_seen, stream ? 0 : 2);
   }
}

/*
 * Payload, and what is wrong
 */

/* Constants lie before the vertices. The primitive's number goes on to the
 * rasteriser, and so do the indices in the vertex header. */
static void
test_constants_and_header(void **state)
{
   struct pipe p = start(state);
   struct batch *b = &p.b;
   struct strbuf s = { 0 };
   for (unsigned i = 0; i < 8; i++)
      mov_imm(&s, 113 + i, i < 4 ? i : 0);
   mov(&s, 113 + 4, "r2.3<0;1,0>:ud");
   mov(&s, 113 + 5, reg(3 + 6));
   urb_write(&s, 8, 0, true);
   pipe_program(&p, strbuf_str(&s));
   strbuf_fini(&s);
   p.dynamic.map[256 + 3] = 4711;
   struct GEN9_3DSTATE_CONSTANT_GS c = { GEN9_3DSTATE_CONSTANT_GS_header };
   c.ConstantBody.ReadLength[0] = 1;
   c.ConstantBody.Buffer[0] = DYNAMIC + 1024;
   GEN9_3DSTATE_CONSTANT_GS_pack(b->next, &c);
   b->next += GEN9_3DSTATE_CONSTANT_GS_length;
   EMIT(b, 3DSTATE_GS, .Enable = true, .DispatchMode = DISPATCH_MODE_SIMD8,
        .ExpectedVertexCount = 1, .OutputTopology = _3DPRIM_POINTLIST,
        .OutputVertexSize = 1, .StaticOutput = true,
        .StaticOutputVertexCount = 1, .VertexURBEntryReadLength = 1,
        .DispatchGRFStartRegisterForURBData = 2);
   pipe_draw(&p, _3DPRIM_POINTLIST, 20);
   run_ok(b);
   assert_int_equal(num_seen, 20);
   for (unsigned i = 0; i < 20; i++) {
      const uint32_t *v = seen[i].v[0];
      assert_int_equal(seen[i].id, i);
      assert_int_equal(v[1], 1);
      assert_int_equal(v[2], 2);
      assert_int_equal(v[4], 4711);
      assert_int_equal(v[5], i);
   }
}

#define GS                                                                   \
   GEN9_3DSTATE_GS_header, GS_WITH_CONTROL, .OutputTopology = _3DPRIM_TRISTRIP
#define URB                                                                  \
   GEN9_3DSTATE_URB_GS_header, .GSNumberofURBEntries = 8,                    \
                               .GSURBStartingAddress = 1,                    \
                               .GSURBEntryAllocationSize = 3

/* Each of these draws ends in a fault whose report has the words. */
static const struct {
   uint32_t topology;
   struct GEN9_3DSTATE_GS gs;
   struct GEN9_3DSTATE_URB_GS urb;
   const char *word[3];
} fault_rows[] = {
   /* An entry of 256 bytes holds six vertices after 64 bytes of headers. */
   { _3DPRIM_POINTLIST,
     { GS },
     { URB },
     { "3DPRIMITIVE", "geometry shader", "holds 6" } },
   { _3DPRIM_LINELIST,
     { GS },
     { URB },
     { "3DSTATE_GS", "2 vertices", "1 are expected" } },
   { _3DPRIM_POINTLIST,
     { GS, .VertexURBEntryReadLength = 16 },
     { URB },
     { "3DSTATE_GS", "payload", "128" } },
   { _3DPRIM_POINTLIST,
     { GS, .IncludePrimitiveID = true },
     { URB },
     { "3DSTATE_GS", "payload of 3" } },
   { _3DPRIM_QUADLIST, { GS }, { URB }, { "3DPRIMITIVE", "topology 7" } },
   { _3DPRIM_POINTLIST,
     { GS },
     { GEN9_3DSTATE_URB_GS_header, .GSNumberofURBEntries = 8,
       .GSURBStartingAddress = 127, .GSURBEntryAllocationSize = 511 },
     { "3DSTATE_URB_GS", "8 entries" } },
};

static void
test_faults(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(fault_rows); i++) {
      struct pipe p = start(state);
      struct batch *b = &p.b;
      program_with_control(&p, 7, 0);
      GEN9_3DSTATE_GS_pack(b->next, &fault_rows[i].gs);
      b->next += GEN9_3DSTATE_GS_length;
      GEN9_3DSTATE_URB_GS_pack(b->next, &fault_rows[i].urb);
      b->next += GEN9_3DSTATE_URB_GS_length;
      pipe_draw(&p, fault_rows[i].topology, 4);
      run_faulty(b, fault_rows[i].word[0], fault_rows[i].word[1],
                 fault_rows[i].word[2]);
   }
}

/* Instanced and not, with control data, clipped and captured. */
static void
test_damaged_draws(void **state)
{
   struct pipe p = start(state);
   struct batch *b = &p.b;
   program_with_control(&p, 4, 0x5);
   EMIT(b, 3DSTATE_GS, GS_WITH_CONTROL, .IncludeVertexHandles = true,
        .ControlDataFormat = CONTROL_DATA_SID, .VertexURBEntryReadLength = 1,
        .DispatchGRFStartRegisterForURBData = 3,
        .OutputTopology = _3DPRIM_POINTLIST);
   pipe_capture(&p, 4096);
   pipe_draw(&p, _3DPRIM_POINTLIST, 40);
   EMIT(b, 3DSTATE_GS, GS_WITH_CONTROL, .InstanceControl = 9,
        .IncludePrimitiveID = true, .ExpectedVertexCount = 6,
        .ReorderMode = TRAILING, .DispatchGRFStartRegisterForURBData = 3,
        .OutputTopology = _3DPRIM_TRISTRIP);
   EMIT(b, 3DSTATE_STREAMOUT, .SOFunctionEnable = true,
        .RenderStreamSelect = 0);
   EMIT(b, 3DSTATE_CLIP, .ClipEnable = true,
        .ViewportXYClipTestEnable = true);
   pipe_draw(&p, _3DPRIM_TRISTRIP_ADJ, 90);
   pipe_run_damaged(&p, 100);
}

int
main(void)
{
   setenv("SAFFRON_SIM_HANG_MS", "40", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, f_setup, f_teardown)
   const struct CMUnitTest tests[] = {
      TEST(test_objects),        TEST(test_long_strip),
      TEST(test_instances),      TEST(test_instances_simd4x2),
      TEST(test_cut_bits),       TEST(test_streams),
      TEST(test_default_stream), TEST(test_constants_and_header),
      TEST(test_faults),         TEST(test_damaged_draws),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
