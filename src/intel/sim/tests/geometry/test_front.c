/* SPDX-License-Identifier: MIT */
/*
 * The front end by itself, without geometry stages: what comes out of the
 * clipper, and, by stream output, what comes out of assembly.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "intel/isl/isl.h"
#include "intel/sim/tests/sim_pipe.h"
#include "util/strbuf.h"

#define HANG_MS "40"

/*
 * Assembly
 */

/* The vertex ids of the primitives, as stream output has them. */
static void
check_topology(void **state, uint32_t topology, unsigned vertices,
               bool trailing, unsigned per_prim, const char *expect)
{
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_emit_elements(&p);
   EMIT(b, 3DSTATE_VF_SGVS, .VertexIDEnable = true,
        .VertexIDElementOffset = 1, .VertexIDComponentNumber = COMP_2);
   pipe_capture(&p, 65536);
   EMIT(b, 3DSTATE_STREAMOUT, .SOFunctionEnable = true,
        .SOStatisticsEnable = true, .RenderingDisable = true,
        .Stream0VertexReadLength = 1, .Buffer0SurfacePitch = 32,
        .ReorderMode = trailing ? TRAILING : LEADING);
   pipe_draw(&p, topology, vertices);
   batch_save(b, GEN9_SO_NUM_PRIMS_WRITTEN0_num, DATA);
   run_ok(b);
   char text[4096] = "";
   size_t n = 0;
   for (unsigned i = 0; i < b->data.map[0]; i++) {
      for (unsigned v = 0; v < per_prim; v++)
         n += (size_t)snprintf(text + n, sizeof(text) - n, "%u",
                               p.so.map[8 * (per_prim * i + v) + 6]);
      n += (size_t)snprintf(text + n, sizeof(text) - n, " ");
   }
   assert_string_equal(text, expect);
   assert_int_equal(b->data.map[32], b->data.map[0] * per_prim * 32);
}

#define TOPOLOGY(name, ...)                                                  \
   static void test_##name(void **state)                                     \
   {                                                                         \
      check_topology(state, __VA_ARGS__);                                    \
   }
TOPOLOGY(pointlist, _3DPRIM_POINTLIST, 3, false, 1, "0 1 2 ")
TOPOLOGY(linelist, _3DPRIM_LINELIST, 5, false, 2, "01 23 ")
TOPOLOGY(linestrip, _3DPRIM_LINESTRIP, 4, false, 2, "01 12 23 ")
TOPOLOGY(lineloop, _3DPRIM_LINELOOP, 4, false, 2, "01 12 23 30 ")
TOPOLOGY(linelist_adj, _3DPRIM_LINELIST_ADJ, 8, false, 2, "12 56 ")
TOPOLOGY(linestrip_adj, _3DPRIM_LINESTRIP_ADJ, 6, false, 2, "12 23 34 ")
TOPOLOGY(trilist, _3DPRIM_TRILIST, 8, false, 3, "012 345 ")
TOPOLOGY(tristrip, _3DPRIM_TRISTRIP, 6, false, 3, "012 132 234 354 ")
TOPOLOGY(tristrip_trailing, _3DPRIM_TRISTRIP, 6, true, 3, "012 213 234 435 ")
TOPOLOGY(trifan, _3DPRIM_TRIFAN, 5, false, 3, "012 023 034 ")
TOPOLOGY(trilist_adj, _3DPRIM_TRILIST_ADJ, 12, false, 3, "024 6810 ")
TOPOLOGY(tristrip_adj, _3DPRIM_TRISTRIP_ADJ, 9, false, 3, "024 264 ")
TOPOLOGY(quadlist, _3DPRIM_QUADLIST, 4, false, 3, "013 123 ")
TOPOLOGY(quadstrip, _3DPRIM_QUADSTRIP, 6, false, 3, "203 013 425 235 ")
TOPOLOGY(polygon, _3DPRIM_POLYGON, 5, false, 3, "012 023 034 ")

/* Vertices with a number in dword 6 that go to the rasteriser. */
static struct pipe
start_numbered(void **state)
{
   f_teardown(state);
   f_setup(state);
   struct pipe p = pipe_start(state);
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_element(&p, 0, 0, 0, ZERO);
   struct batch *b = &p.b;
   EMIT(b, 3DSTATE_VF_SGVS, .VertexIDEnable = true,
        .VertexIDElementOffset = 1, .VertexIDComponentNumber = COMP_2);
   return p;
}

/* Quads are provoked by their last vertex, whatever is selected. */
static void
test_provoking_of_quads(void **state)
{
   for (unsigned select = 0; select < 3; select += 2) {
      struct pipe p = start_numbered(state);
      struct batch *b = &p.b;
      pipe_emit_elements(&p);
      EMIT(b, 3DSTATE_SF, .TriangleStripListProvokingVertexSelect = select);
      pipe_draw(&p, _3DPRIM_QUADLIST, 8);
      pipe_draw(&p, _3DPRIM_QUADSTRIP, 6);
      run_ok(b);
      assert_int_equal(num_seen, 8);
      static const uint32_t expect[8] = { 3, 3, 7, 7, 3, 3, 5, 5 };
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(seen[i].provoking[6], expect[i]);
   }
}

static void
test_edge_flags(void **state)
{
   /* Flags of vertices 0, 3 and 4 are set. */
   static const struct {
      uint32_t topology;
      unsigned vertices, edges[3];
   } rows[] = {
      { _3DPRIM_TRILIST, 6, { 1, 3 } },
      { _3DPRIM_QUADLIST, 4, { 5, 0 } },
      { _3DPRIM_POLYGON, 5, { 1, 0, 6 } },
      { _3DPRIM_TRISTRIP, 5, { 7, 7, 7 } },
   };
   for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
      struct pipe p = start_numbered(state);
      struct batch *b = &p.b;
      pipe_element(&p, ISL_FORMAT_R32_FLOAT, 0, 0, VFCOMP_STORE_SRC,
                   VFCOMP_STORE_0, VFCOMP_STORE_0, VFCOMP_STORE_0);
      p.element[2].EdgeFlagEnable = true;
      pipe_emit_elements(&p);
      const float flags[6] = { 1, 0, 0, 1, 1, 0 };
      memcpy(p.vertices.map, flags, sizeof(flags));
      pipe_vertex_buffer(&p, 0, VERTICES, sizeof(flags), 4);
      pipe_draw(&p, rows[r].topology, rows[r].vertices);
      run_ok(b);
      for (unsigned i = 0; i < num_seen; i++)
         assert_int_equal(seen[i].edges, rows[r].edges[i]);
   }
}

static void
test_stipple_restarts(void **state)
{
   static const struct {
      uint32_t topology;
      unsigned vertices;
      const char *expect;
   } rows[] = {
      { _3DPRIM_LINELIST, 6, "111" },      { _3DPRIM_LINESTRIP, 4, "100" },
      { _3DPRIM_LINESTRIP_CONT, 3, "00" }, { _3DPRIM_LINELOOP, 3, "100" },
      { _3DPRIM_LINESTRIP_ADJ, 5, "10" },
   };
   for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
      struct pipe p = start_numbered(state);
      struct batch *b = &p.b;
      pipe_emit_elements(&p);
      pipe_draw(&p, rows[r].topology, rows[r].vertices);
      run_ok(b);
      char text[8] = "";
      for (unsigned i = 0; i < num_seen; i++)
         text[i] = seen[i].restarts_stipple ? '1' : '0';
      assert_string_equal(text, rows[r].expect);
   }
}

/* A strip that is longer than the URB has entries: no triangle is lost or
 * doubled where a window ends. */
static void
test_long_strip(void **state)
{
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_emit_elements(&p);
   EMIT(b, 3DSTATE_VF_SGVS, .VertexIDEnable = true,
        .VertexIDElementOffset = 1);
   pipe_capture(&p, 65536);
   pipe_draw(&p, _3DPRIM_TRISTRIP, 300);
   batch_save(b, GEN9_SO_NUM_PRIMS_WRITTEN0_num, DATA);
   batch_save(b, GEN9_IA_PRIMITIVES_COUNT_num, DATA + 4);
   batch_save(b, GEN9_IA_VERTICES_COUNT_num, DATA + 8);
   run_ok(b);
   assert_int_equal(b->data.map[0], 298);
   assert_int_equal(b->data.map[1], 298);
   assert_int_equal(b->data.map[2], 300);
   for (unsigned i = 0; i < 298; i++) {
      const uint32_t *v = &p.so.map[8 * 3 * i];
      const unsigned odd = i & 1;
      assert_int_equal(v[4], i);
      assert_int_equal(v[8 + 4], i + 1 + odd);
      assert_int_equal(v[16 + 4], i + 2 - odd);
   }
}

static void
test_stream_output_overflow(void **state)
{
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_emit_elements(&p);
   pipe_capture(&p, 5 * 3 * 32 + 64); /* five triangles and two vertices */
   pipe_draw(&p, _3DPRIM_TRILIST, 30);
   batch_save(b, GEN9_SO_NUM_PRIMS_WRITTEN0_num, DATA);
   batch_save(b, GEN9_SO_PRIM_STORAGE_NEEDED0_num, DATA + 4);
   memset(p.so.map, 0xff, 1024);
   run_ok(b);
   assert_int_equal(b->data.map[0], 5);
   assert_int_equal(b->data.map[1], 10);
   assert_int_equal(p.so.map[5 * 3 * 8 - 1], 0);
   assert_int_equal(p.so.map[5 * 3 * 8], 0xffffffff);
}

/*
 * Vertex fetch
 */

static void
test_fetch_formats(void **state)
{
   static const struct {
      uint32_t format;
      uint32_t in[4];
      uint32_t out[4];
   } rows[] = {
      { ISL_FORMAT_R32G32B32A32_FLOAT, { 1, 2, 3, 4 }, { 1, 2, 3, 4 } },
      { ISL_FORMAT_R32G32_FLOAT, { 7, 8, 9, 9 }, { 7, 8, 0, 0x3f800000 } },
      { ISL_FORMAT_R32_UINT, { 7 }, { 7, 0, 0, 1 } },
      { ISL_FORMAT_R8G8B8A8_UNORM,
        { 0xff008033 },
        { 0x3e4ccccd, 0x3f008081, 0, 0x3f800000 } },
      { ISL_FORMAT_R8G8B8A8_SNORM,
        { 0x0081807f },
        { 0x3f800000, 0xbf800000, 0xbf800000, 0 } },
      { ISL_FORMAT_R8G8B8A8_SINT, { 0x0081807f }, { 127, -128u, -127u, 0 } },
      { ISL_FORMAT_R16G16_FLOAT,
        { 0x3c00c000 },
        { 0xc0000000, 0x3f800000, 0, 0x3f800000 } },
      { ISL_FORMAT_R16G16_SSCALED,
        { 0xffff0002 },
        { 0x40000000, 0xbf800000, 0, 0x3f800000 } },
      { ISL_FORMAT_R10G10B10A2_UINT, { 0xc0100401 }, { 1, 1, 1, 3 } },
      { ISL_FORMAT_B8G8R8A8_UNORM,
        { 0xff0000ff },
        { 0, 0, 0x3f800000, 0x3f800000 } },
      { ISL_FORMAT_R64_FLOAT,
        { 0, 0x3ff80000 },
        { 0x3fc00000, 0, 0, 0x3f800000 } },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct pipe p = pipe_start(state);
      pipe_element(&p, 0, 0, 0, ZERO);
      pipe_element(&p, rows[i].format, 0, 0, SRC);
      pipe_emit_elements(&p);
      memcpy(p.vertices.map, rows[i].in, sizeof(rows[i].in));
      pipe_vertex_buffer(&p, 0, VERTICES, 64, 16);
      pipe_capture(&p, 65536);
      pipe_draw(&p, _3DPRIM_POINTLIST, 1);
      run_ok(&p.b);
      for (unsigned c = 0; c < 4; c++) {
         if (p.so.map[4 + c] != rows[i].out[c])
            fail_msg("%s.%u: 0x%08x, not 0x%08x",
                     isl_format_get_name(rows[i].format), c, p.so.map[4 + c],
                     rows[i].out[c]);
      }
      f_reset_bos(p.b.f);
   }
}

static void
test_fetch_controls_and_passthru(void **state)
{
   struct pipe p = pipe_start(state);
   pipe_element(&p, ISL_FORMAT_R64_PASSTHRU, 0, 0, VFCOMP_STORE_SRC,
                VFCOMP_STORE_0, VFCOMP_NOSTORE, VFCOMP_NOSTORE);
   pipe_element(&p, ISL_FORMAT_R32G32_UINT, 0, 8, VFCOMP_STORE_SRC,
                VFCOMP_STORE_1_FP, VFCOMP_STORE_1_INT, VFCOMP_STORE_0);
   pipe_emit_elements(&p);
   const uint32_t in[] = { 0x11111111, 0x22222222, 55, 66 };
   memcpy(p.vertices.map, in, sizeof(in));
   pipe_vertex_buffer(&p, 0, VERTICES, 16, 16);
   pipe_capture(&p, 65536);
   pipe_draw(&p, _3DPRIM_POINTLIST, 1);
   run_ok(&p.b);
   const uint32_t out[] = {
      0x11111111, 0x22222222, 0, 0, 55, 0x3f800000, 1, 0
   };
   assert_memory_equal(p.so.map, out, sizeof(out));
}

/* One vertex past the end, and an element that only starts inside. */
static void
test_fetch_out_of_bounds(void **state)
{
   struct pipe p = pipe_start(state);
   pipe_element(&p, ISL_FORMAT_R32_UINT, 0, 0, SRC);
   pipe_element(&p, ISL_FORMAT_R32G32_UINT, 0, 4, SRC);
   pipe_emit_elements(&p);
   for (unsigned i = 0; i < 64; i++)
      p.vertices.map[i] = 100 + i;
   pipe_vertex_buffer(&p, 0, VERTICES, 8 + 8, 8);
   pipe_capture(&p, 65536);
   pipe_draw(&p, _3DPRIM_POINTLIST, 3);
   run_ok(&p.b);
   assert_int_equal(p.so.map[0], 100);
   assert_int_equal(p.so.map[4], 101);
   assert_int_equal(p.so.map[5], 102);
   assert_int_equal(p.so.map[8], 102);
   assert_int_equal(p.so.map[8 + 4], 0); /* 12 + 8 bytes of 16 */
   assert_int_equal(p.so.map[16], 0);
}

static void
test_fetch_unmapped_is_a_fault(void **state)
{
   struct pipe p = pipe_start(state);
   pipe_element(&p, ISL_FORMAT_R32_UINT, 0, 0, SRC);
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_emit_elements(&p);
   pipe_vertex_buffer(&p, 0, 0xbad0000, 4096, 8);
   pipe_capture(&p, 65536);
   pipe_draw(&p, _3DPRIM_POINTLIST, 3);
   run_faulty(&p.b, "3DPRIMITIVE at 0x0000001", "vertex fetch",
              "0x00000bad0000");
}

static void
test_indices(void **state)
{
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   pipe_element(&p, ISL_FORMAT_R32_UINT, 0, 0, SRC);
   pipe_element(&p, ISL_FORMAT_R32_UINT, 1, 0, SRC);
   pipe_emit_elements(&p);
   for (unsigned i = 0; i < 64; i++)
      p.vertices.map[i] = 100 + i;
   pipe_vertex_buffer(&p, 0, VERTICES, 256, 4);
   pipe_vertex_buffer(&p, 1, VERTICES, 256, 4);
   EMIT(b, 3DSTATE_VF_INSTANCING, .VertexElementIndex = 1,
        .InstancingEnable = true, .InstanceDataStepRate = 2);
   EMIT(b, 3DSTATE_VF_SGVS, .VertexIDEnable = true,
        .VertexIDElementOffset = 1, .VertexIDComponentNumber = COMP_1,
        .InstanceIDEnable = true, .InstanceIDElementOffset = 1,
        .InstanceIDComponentNumber = COMP_2);
   EMIT(b, 3DSTATE_VF, .IndexedDrawCutIndexEnable = true, .CutIndex = 0xffff);
   EMIT(b, 3DSTATE_INDEX_BUFFER, .IndexFormat = INDEX_WORD,
        .BufferStartingAddress = INDICES, .BufferSize = 14);
   const uint16_t indices[] = { 9, 3, 4, 5, 0xffff, 6, 7, 8 };
   memcpy(p.indices.map, indices, sizeof(indices));
   pipe_capture(&p, 65536);
   EMIT(b, 3DSTATE_VF_TOPOLOGY, .PrimitiveTopologyType = _3DPRIM_LINESTRIP);
   EMIT(b, 3DPRIMITIVE, .VertexAccessType = RANDOM,
        .VertexCountPerInstance = 7, .StartVertexLocation = 1,
        .InstanceCount = 3, .StartInstanceLocation = 10,
        .BaseVertexLocation = -2);
   batch_save(b, GEN9_SO_NUM_PRIMS_WRITTEN0_num, DATA);
   run_ok(b);
   /* 3-4, 4-5, then after the cut 6-7, and 7-0: the eighth index lies past
    * the end of the buffer. */
   static const uint32_t ids[] = { 3, 4, 4, 5, 6, 7 - 0, 7, 0 };
   assert_int_equal(b->data.map[0], 3 * 4);
   for (unsigned instance = 0; instance < 3; instance++) {
      for (unsigned i = 0; i < 8; i++) {
         const uint32_t *v = &p.so.map[8 * (8 * instance + i)];
         const uint32_t fetched = ids[i] >= 2 ? 100 + ids[i] - 2 : 0;
         assert_int_equal(v[5], ids[i]);
         assert_int_equal(v[6], instance);
         assert_int_equal(v[0], fetched);
         assert_int_equal(v[4], 100 + 10 + instance / 2);
      }
   }
}

/* Indices that lie past the end of the buffer are zero, here the cut index:
 * no vertex, no primitive, but as many of them as a packet can ask for. */
static void
test_endless_cuts(void **state)
{
   setenv("SAFFRON_SIM_HANG_MS", "5", 1);
   struct pipe p = pipe_start(state);
   setenv("SAFFRON_SIM_HANG_MS", HANG_MS, 1);
   struct batch *b = &p.b;
   pipe_element(&p, ISL_FORMAT_R32_UINT, 0, 0, SRC);
   pipe_emit_elements(&p);
   EMIT(b, 3DSTATE_VF, .IndexedDrawCutIndexEnable = true, .CutIndex = 0);
   EMIT(b, 3DSTATE_INDEX_BUFFER, .IndexFormat = INDEX_WORD,
        .BufferStartingAddress = INDICES, .BufferSize = 2);
   EMIT(b, 3DSTATE_VF_TOPOLOGY, .PrimitiveTopologyType = _3DPRIM_LINESTRIP);
   EMIT(b, 3DPRIMITIVE, .VertexAccessType = RANDOM,
        .VertexCountPerInstance = UINT32_MAX, .StartVertexLocation = 1,
        .InstanceCount = UINT32_MAX);
   run_faulty(b, "the draw takes too long", NULL, NULL);
}

static void
test_indirect(void **state)
{
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_element(&p, 0, 0, 0, ZERO);
   pipe_emit_elements(&p);
   pipe_capture(&p, 65536);
   EMIT(b, 3DSTATE_VF_TOPOLOGY, .PrimitiveTopologyType = _3DPRIM_POINTLIST);
   batch_load_imm(b, GEN9_3DPRIM_VERTEX_COUNT_num, 5);
   batch_load_imm(b, GEN9_3DPRIM_INSTANCE_COUNT_num, 2);
   batch_load_imm(b, GEN9_3DPRIM_START_VERTEX_num, 0);
   batch_load_imm(b, GEN9_3DPRIM_START_INSTANCE_num, 0);
   EMIT(b, 3DPRIMITIVE, .IndirectParameterEnable = true);
   batch_save(b, GEN9_SO_NUM_PRIMS_WRITTEN0_num, DATA);
   /* A predicate that is false skips the draw. */
   EMIT(b, MI_PREDICATE, .LoadOperation = LOAD_LOAD,
        .CompareOperation = COMPARE_FALSE);
   EMIT(b, 3DPRIMITIVE, .IndirectParameterEnable = true,
        .PredicateEnable = true);
   batch_save(b, GEN9_SO_NUM_PRIMS_WRITTEN0_num, DATA + 4);
   run_ok(b);
   assert_int_equal(b->data.map[0], 10);
   assert_int_equal(b->data.map[1], 10);
}

static void
test_wrong_stages(void **state)
{
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   EMIT(b, 3DSTATE_URB_GS, .GSNumberofURBEntries = 8,
        .GSURBStartingAddress = 1);
   EMIT(b, 3DSTATE_GS, .Enable = true, .ExpectedVertexCount = 3,
        .DispatchMode = DISPATCH_MODE_DualObject, .InstanceControl = 2);
   pipe_draw(&p, _3DPRIM_TRILIST, 3);
   run_faulty(b, "3DPRIMITIVE", "3DSTATE_GS", "3 instances in dual object");
}

/*
 * Clip
 */

static void
clip_state(struct pipe *p, uint32_t api, bool guardband)
{
   struct batch *b = &p->b;
   struct GEN9_SF_CLIP_VIEWPORT vp = { .XMinClipGuardband = -4,
                                       .XMaxClipGuardband = 4,
                                       .YMinClipGuardband = -4,
                                       .YMaxClipGuardband = 4 };
   GEN9_SF_CLIP_VIEWPORT_pack(p->dynamic.map, &vp);
   pipe_element(p, 0, 0, 0, ZERO);
   pipe_element(p, ISL_FORMAT_R32G32B32A32_FLOAT, 0, 0, SRC);
   pipe_element(p, ISL_FORMAT_R32G32B32A32_FLOAT, 0, 16, SRC);
   pipe_emit_elements(p);
   pipe_vertex_buffer(p, 0, VERTICES, 4096, 32);
   EMIT(b, 3DSTATE_CLIP, .ClipEnable = true, .StatisticsEnable = true,
        .ViewportXYClipTestEnable = true,
        .GuardbandClipTestEnable = guardband, .APIMode = api);
   EMIT(b, 3DSTATE_RASTER, .ViewportZNearClipTestEnable = true,
        .ViewportZFarClipTestEnable = true);
   EMIT(b, 3DSTATE_SF, .TriangleStripListProvokingVertexSelect = 2);
}

static void
vertex(struct pipe *p, unsigned i, float x, float y, float z, float w,
       float attribute)
{
   const float v[8] = { x, y, z, w, attribute };
   memcpy(&p->vertices.map[8 * i], v, sizeof(v));
}

static float
seen_float(const uint32_t *v, unsigned dw)
{
   return util_bits_float(v[dw]);
}

/* Twice the signed area of a triangle on the screen. */
static float
area(const struct seen *s)
{
   float x[3], y[3];
   for (unsigned i = 0; i < 3; i++) {
      x[i] = seen_float(s->v[i], 4) / seen_float(s->v[i], 7);
      y[i] = seen_float(s->v[i], 5) / seen_float(s->v[i], 7);
   }
   return (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
}

static void
test_clip_accepts_and_rejects(void **state)
{
   struct pipe p = pipe_start(state);
   clip_state(&p, APIMODE_D3D, true);
   /* Inside; outside on the left; out of the view, inside the guard band. */
   static const float x[3] = { 0, -2.5f, 0.5f };
   for (unsigned t = 0; t < 3; t++) {
      vertex(&p, 3 * t, x[t], 0, 0.5f, 1, (float)t);
      vertex(&p, 3 * t + 1, x[t] + 1, 0, 0.5f, 1, (float)t + 0.25f);
      vertex(&p, 3 * t + 2, x[t] + 1, 1, 0.5f, 1, (float)t + 0.5f);
   }
   pipe_draw(&p, _3DPRIM_TRILIST, 9);
   batch_save(&p.b, GEN9_CL_INVOCATION_COUNT_num, DATA);
   batch_save(&p.b, GEN9_CL_PRIMITIVES_COUNT_num, DATA + 4);
   run_ok(&p.b);
   assert_int_equal(num_seen, 2);
   assert_int_equal(seen[0].id, 0);
   assert_int_equal(seen[1].id, 2);
   assert_int_equal(seen[0].edges, 7);
   assert_true(seen_float(seen[0].provoking, 8) == 0.5f);
   assert_true(seen_float(seen[1].v[1], 4) == 1.5f); /* untouched */
   assert_false(seen[1].clipped);
   assert_int_equal(p.b.data.map[0], 3);
   assert_int_equal(p.b.data.map[1], 2);
}

/* A quarter of the triangle is behind the near plane: what is left covers
 * three quarters, its new vertices lie on the plane, and their attributes
 * are those of the edges there. */
static void
test_clip_near(void **state)
{
   for (unsigned api = APIMODE_OGL; api <= APIMODE_D3D; api++) {
      const float near = api == APIMODE_OGL ? -1 : 0;
      struct pipe p = pipe_start(state);
      clip_state(&p, api, true);
      vertex(&p, 0, -0.5f, -0.5f, near + 0.5f, 1, 10);
      vertex(&p, 1, 0.5f, -0.5f, near + 0.5f, 1, 20);
      vertex(&p, 2, 0, 0.5f, near - 0.5f, 1, 30);
      pipe_draw(&p, _3DPRIM_TRILIST, 3);
      run_ok(&p.b);
      assert_int_equal(num_seen, 2);
      const float total = area(&seen[0]) + area(&seen[1]);
      assert_true(fabsf(total - 0.75f) < 1e-5f);
      assert_true(area(&seen[0]) > 0 && area(&seen[1]) > 0);
      unsigned on_plane = 0;
      for (unsigned t = 0; t < 2; t++) {
         assert_true(seen_float(seen[t].provoking, 8) == 30);
         for (unsigned i = 0; i < 3; i++) {
            const float z = seen_float(seen[t].v[i], 6);
            const float a = seen_float(seen[t].v[i], 8);
            if (fabsf(z - near) < 1e-6f) {
               on_plane++;
               assert_true(fabsf(a - 20) < 1e-4f || fabsf(a - 25) < 1e-4f);
            }
         }
      }
      assert_int_equal(on_plane, 3);
      /* The diagonal is an inner edge: four outer ones in all. */
      assert_int_equal(__builtin_popcount(seen[0].edges) +
                          __builtin_popcount(seen[1].edges),
                       4);
      f_reset_bos(p.b.f);
   }
}

/* Where the new vertices are in the triangle that was: in clip space as their
 * attribute says, on the screen as their place there says. */
static void
test_clip_barycentrics(void **state)
{
   struct pipe p = pipe_start(state);
   clip_state(&p, APIMODE_D3D, true);
   /* On the screen: (0, 0), (0.5, 0), (0, 0.5); w is 1, 2, 4. */
   vertex(&p, 0, 0, 0, 0.5f, 1, 0);
   vertex(&p, 1, 1, 0, 0.5f, 2, 1);
   vertex(&p, 2, 0, 2, -0.5f, 4, 0);
   pipe_draw(&p, _3DPRIM_TRILIST, 3);
   run_ok(&p.b);
   assert_int_equal(num_seen, 2);
   for (unsigned t = 0; t < 2; t++) {
      assert_true(seen[t].clipped);
      for (unsigned i = 0; i < 3; i++) {
         const uint32_t *v = seen[t].v[i];
         const float w = seen_float(v, 7);
         assert_true(fabsf(seen[t].b[i][0][0] - seen_float(v, 8)) < 1e-6f);
         assert_true(fabsf(seen[t].b[i][1][0] - seen_float(v, 4) / w / 0.5f) <
                     1e-6f);
         assert_true(fabsf(seen[t].b[i][1][1] - seen_float(v, 5) / w / 0.5f) <
                     1e-6f);
      }
   }
}

/* The eye is inside the triangle: w changes its sign. */
static void
test_clip_behind_the_eye(void **state)
{
   struct pipe p = pipe_start(state);
   clip_state(&p, APIMODE_D3D, true);
   vertex(&p, 0, 0, 0, 1, 2, 0);
   vertex(&p, 1, 1, 0, 1, 2, 0);
   vertex(&p, 2, 0, 1, -3, -2, 0);
   pipe_draw(&p, _3DPRIM_TRILIST, 3);
   run_ok(&p.b);
   assert_in_range(num_seen, 1, 4);
   for (unsigned t = 0; t < num_seen; t++) {
      for (unsigned i = 0; i < 3; i++) {
         const float w = seen_float(seen[t].v[i], 7);
         assert_true(w > 0);
         assert_true(seen_float(seen[t].v[i], 6) >= -1e-6f);
         assert_true(seen_float(seen[t].v[i], 6) <= w + 1e-6f);
      }
   }
}

static void
test_clip_without_guardband(void **state)
{
   struct pipe p = pipe_start(state);
   clip_state(&p, APIMODE_D3D, false);
   vertex(&p, 0, -3, -3, 0.5f, 1, 0);
   vertex(&p, 1, 3, -3, 0.5f, 1, 0);
   vertex(&p, 2, 0, 6, 0.5f, 1, 0);
   pipe_draw(&p, _3DPRIM_TRILIST, 3);
   run_ok(&p.b);
   float total = 0;
   for (unsigned t = 0; t < num_seen; t++) {
      total += area(&seen[t]);
      for (unsigned i = 0; i < 3; i++) {
         assert_true(fabsf(seen_float(seen[t].v[i], 4)) <= 1.00001f);
         assert_true(fabsf(seen_float(seen[t].v[i], 5)) <= 1.00001f);
      }
   }
   assert_true(fabsf(total - 8) < 1e-4f); /* all of the 2 x 2 square */
}

static void
test_clip_lines_and_points(void **state)
{
   struct pipe p = pipe_start(state);
   clip_state(&p, APIMODE_D3D, false);
   vertex(&p, 0, 0, 0, 0.5f, 1, 0);
   vertex(&p, 1, 2, 0, 0.5f, 1, 8);
   vertex(&p, 2, 2, 0, 0.5f, 1, 8);
   vertex(&p, 3, 3, 0, 0.5f, 1, 8);
   pipe_draw(&p, _3DPRIM_LINELIST, 4);
   pipe_draw(&p, _3DPRIM_POINTLIST, 2);
   run_ok(&p.b);
   assert_int_equal(num_seen, 2); /* half a line, and the first point */
   assert_int_equal(seen[0].kind, SIM_PRIM_LINE);
   assert_true(seen_float(seen[0].v[1], 4) == 1);
   assert_true(seen_float(seen[0].v[1], 8) == 4);
   assert_int_equal(seen[1].kind, SIM_PRIM_POINT);
}

static void
test_clip_nan(void **state)
{
   struct pipe p = pipe_start(state);
   clip_state(&p, APIMODE_D3D, true);
   for (unsigned i = 0; i < 3; i++)
      vertex(&p, i, i == 1, i == 2, i == 2 ? NAN : 0.5f, 1, 0);
   pipe_draw(&p, _3DPRIM_TRILIST, 3);
   run_ok(&p.b);
   assert_int_equal(num_seen, 0);
}

static void
test_rectangle(void **state)
{
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   clip_state(&p, APIMODE_D3D, true);
   EMIT(b, 3DSTATE_CLIP, .ClipEnable = false);
   vertex(&p, 0, 8, 6, 0, 1, 0);
   vertex(&p, 1, 2, 6, 0, 1, 0);
   vertex(&p, 2, 2, 3, 0, 1, 0);
   pipe_draw(&p, _3DPRIM_RECTLIST, 3);
   run_ok(b);
   assert_int_equal(num_seen, 2);
   assert_true(seen_float(seen[1].v[2], 4) == 8);
   assert_true(seen_float(seen[1].v[2], 5) == 3);
}

/*
 * Vertex shader
 */

/* r2: push constants; r3 to r6: the position. Writes a zero header, and the
 * position with r2.0 added to x. */
static const char vs_text[] =
   "(W) mov (8|M0) r112.0<1>:ud r1.0<8;8,1>:ud\n"
   "mov (8|M0) r113.0<1>:ud 0x0:ud\n"
   "mov (8|M0) r114.0<1>:ud 0x0:ud\n"
   "mov (8|M0) r115.0<1>:ud 0x0:ud\n"
   "mov (8|M0) r116.0<1>:ud 0x0:ud\n"
   "add (8|M0) r117.0<1>:f r3.0<8;8,1>:f r2.0<0;1,0>:f\n"
   "mov (8|M0) r118.0<1>:f r4.0<8;8,1>:f\n"
   "mov (8|M0) r119.0<1>:f r5.0<8;8,1>:f\n"
   "mov (8|M0) r120.0<1>:f r6.0<8;8,1>:f\n"
   "send (8|M0) null r112 0x26 0x12080007 {EOT}\n";

/* The same for two vertices: r1 constants, r2 the position of both; an
 * interleaved URB write with a mask of all dwords. */
static const char vs_text_simd4x2[] =
   "(W) mov (8|M0) r112.0<1>:ud r0.0<8;8,1>:ud\n"
   "(W) mov (1|M0) r112.5<1>:ud 0xFF00:ud\n"
   "mov (8|M0) r113.0<1>:ud 0x0:ud\n"
   "add (8|M0) r114.0<1>.xyzw:f r2.0<4>.xyzw:f r1.0<0>.xyzw:f {Align16}\n"
   "send (8|M0) null r112 0x26 0x06088000 {EOT}\n";

/* while (true) */
static const char endless_text[] = "L0:\n"
                                   "mov (8|M0) r11.0<1>:ud 0x0:ud\n"
                                   "while (8|M0) L0\n";

static void
vs_state_mode(struct pipe *p, bool simd8)
{
   struct batch *b = &p->b;
   pipe_element(p, ISL_FORMAT_R32G32B32A32_FLOAT, 0, 0, SRC);
   pipe_emit_elements(p);
   pipe_vertex_buffer(p, 0, VERTICES, 4096, 32);
   const float constants[8] = { 100 };
   memcpy(&p->dynamic.map[256], constants, sizeof(constants));
   struct GEN9_3DSTATE_CONSTANT_VS c = { GEN9_3DSTATE_CONSTANT_VS_header };
   c.ConstantBody.ReadLength[3] = 1;
   c.ConstantBody.Buffer[3] = DYNAMIC + 1024;
   GEN9_3DSTATE_CONSTANT_VS_pack(b->next, &c);
   b->next += GEN9_3DSTATE_CONSTANT_VS_length;
   EMIT(b, 3DSTATE_VS, .Enable = true, .SIMD8DispatchEnable = simd8,
        .StatisticsEnable = true,
        .DispatchGRFStartRegisterForURBData = simd8 ? 2 : 1,
        .VertexURBEntryReadLength = 1, .MaximumNumberofThreads = 1);
}

static void
vs_state(struct pipe *p)
{
   vs_state_mode(p, true);
}

static void
check_vertex_shader(void **state, bool simd8)
{
   struct pipe p = pipe_start(state);
   vs_state_mode(&p, simd8);
   pipe_program(&p, simd8 ? vs_text : vs_text_simd4x2);
   for (unsigned i = 0; i < 11; i++)
      vertex(&p, i, (float)i, (float)i * 2, 0.5f, 1, 0);
   pipe_capture(&p, 65536);
   pipe_draw(&p, _3DPRIM_POINTLIST, 11);
   batch_save(&p.b, GEN9_VS_INVOCATION_COUNT_num, DATA);
   run_ok(&p.b);
   assert_int_equal(p.b.data.map[0], 11);
   for (unsigned i = 0; i < 11; i++) {
      const uint32_t *v = &p.so.map[8 * i];
      assert_int_equal(v[0] | v[1] | v[2] | v[3], 0);
      assert_true(seen_float(v, 4) == 100 + (float)i);
      assert_true(seen_float(v, 5) == 2 * (float)i);
   }
}

static void
test_vertex_shader(void **state)
{
   check_vertex_shader(state, true);
}

/* Writes the position, and the second attribute as clip distances. */
static const char distances_text[] =
   "(W) mov (8|M0) r111.0<1>:ud r1.0<8;8,1>:ud\n"
   "(W) mov (8|M0) r120.0<1>:ud r1.0<8;8,1>:ud\n"
   "(W) mov (16|M0) r112.0<1>:ud 0x0:ud\n"
   "(W) mov (16|M0) r114.0<1>:ud 0x0:ud\n"
   "(W) mov (16|M0) r116.0<1>:ud r2.0<8;8,1>:ud\n"
   "(W) mov (16|M0) r118.0<1>:ud r4.0<8;8,1>:ud\n"
   "(W) mov (16|M0) r121.0<1>:ud r6.0<8;8,1>:ud\n"
   "(W) mov (16|M0) r123.0<1>:ud r8.0<8;8,1>:ud\n"
   "send (8|M0) null r111 0x6 0x12080007\n"
   "send (8|M0) null r120 0x26 0x0A080027 {EOT}\n";

/* Twice the area of what is left of the triangle (0, 0), (1, 0), (0, 1), all
 * of which is inside of that; -1: nothing is drawn. */
static float
left_of_triangle(void **state, unsigned clip, unsigned cull,
                 const float distances[2][3])
{
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   clip_state(&p, APIMODE_D3D, true);
   p.num_elements = 0;
   pipe_element(&p, ISL_FORMAT_R32G32B32A32_FLOAT, 0, 0, SRC);
   pipe_element(&p, ISL_FORMAT_R32G32B32A32_FLOAT, 0, 16, SRC);
   pipe_emit_elements(&p);
   pipe_program(&p, distances_text);
   EMIT(b, 3DSTATE_VS, .Enable = true, .SIMD8DispatchEnable = true,
        .DispatchGRFStartRegisterForURBData = 2,
        .VertexURBEntryReadLength = 1, .MaximumNumberofThreads = 1,
        .UserClipDistanceClipTestEnableBitmask = clip,
        .UserClipDistanceCullTestEnableBitmask = cull);
   for (unsigned i = 0; i < 3; i++) {
      vertex(&p, i, i == 1, i == 2, 0.5f, 1, distances[0][i]);
      memcpy(&p.vertices.map[8 * i + 5], &distances[1][i], 4);
   }
   pipe_draw(&p, _3DPRIM_TRILIST, 3);
   run_ok(b);
   float total = num_seen ? 0 : -1;
   for (unsigned t = 0; t < num_seen; t++) {
      total += area(&seen[t]);
      for (unsigned i = 0; i < 3; i++) {
         const float x = seen_float(seen[t].v[i], 4);
         const float y = seen_float(seen[t].v[i], 5);
         assert_true(x >= 0 && y >= 0 && x + y <= 1);
      }
   }
   f_reset_bos(b->f);
   return total;
}

/* Distances that are no numbers, or infinite: of one plane, and of two. */
static void
test_clip_distances(void **state)
{
   static const struct {
      unsigned clip, cull;
      float distances[2][3], left;
   } rows[] = {
      { 1, 0, { { 1, 1, -1 } }, 0.75f },
      { 1, 0, { { 1, NAN, 1 } }, -1 },
      { 1, 0, { { 1, NAN, -1 } }, -1 },
      { 2, 0, { { 1, NAN, 1 }, { 1, 1, -1 } }, 0.75f },
      { 1, 0, { { INFINITY, 1, -1 } }, 1 },
      { 1, 0, { { INFINITY, INFINITY, -INFINITY } }, 0.75f },
      { 1, 0, { { 1, 1, -INFINITY } }, 0 },
      { 1, 0, { { INFINITY, INFINITY, 1 } }, 1 },
      { 3, 0, { { 1, 1, -1 }, { INFINITY, -2, 2 } }, 0.75f },
      { 0, 1, { { NAN, 1, 1 } }, 1 },
      { 0, 1, { { NAN, -1, -1 } }, -1 },
      { 1, 2, { { 1, 1, -1 }, { NAN, -INFINITY, INFINITY } }, 0.75f },
   };
   for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
      const float left = left_of_triangle(state, rows[r].clip, rows[r].cull,
                                          rows[r].distances);
      if (!(fabsf(left - rows[r].left) < 1e-5f))
         fail_msg("row %u: %g of the triangle are left, not %g", r, left,
                  rows[r].left);
   }
}

/* Eleven vertices: the last one has no neighbour. */
static void
test_vertex_shader_simd4x2(void **state)
{
   check_vertex_shader(state, false);
}

/* The packet's floating-point mode is that of the thread: 1/0 in x. */
static void
test_floating_point_mode(void **state)
{
   for (unsigned mode = 0; mode < 2; mode++) {
      struct pipe p = pipe_start(state);
      struct batch *b = &p.b;
      vs_state(&p);
      EMIT(b, 3DSTATE_VS, .Enable = true, .SIMD8DispatchEnable = true,
           .DispatchGRFStartRegisterForURBData = 2,
           .FloatingPointMode = mode ? FPM_ALTERNATE : FPM_IEEE754,
           .VertexURBEntryReadLength = 1, .MaximumNumberofThreads = 1);
      struct strbuf text = { 0 };
      strbuf_printf(&text, "math.inv (8|M0) r3.0<1>:f r3.0<8;8,1>:f\n%s",
                    vs_text);
      pipe_program(&p, strbuf_str(&text));
      strbuf_fini(&text);
      vertex(&p, 0, 0, 1, 0.5f, 1, 0);
      pipe_capture(&p, 65536);
      pipe_draw(&p, _3DPRIM_POINTLIST, 1);
      run_ok(b);
      assert_int_equal(p.so.map[4], mode ? 0x7f7fffff : 0x7f800000);
      if (!mode) {
         f_teardown(state);
         f_setup(state);
      }
   }
}

static void
test_endless_shader(void **state)
{
   struct pipe p = pipe_start(state);
   vs_state(&p);
   pipe_program(&p, endless_text);
   pipe_capture(&p, 65536);
   pipe_draw(&p, _3DPRIM_POINTLIST, 8);
   run_faulty(&p.b, "3DPRIMITIVE", "vertex shader", "endless");
}

static void
test_program_outside_of_memory(void **state)
{
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   vs_state(&p);
   EMIT(b, STATE_BASE_ADDRESS, .InstructionBaseAddress = 0xbad0000,
        .InstructionBaseAddressModifyEnable = true);
   pipe_capture(&p, 65536);
   pipe_draw(&p, _3DPRIM_POINTLIST, 8);
   run_faulty(b, "3DPRIMITIVE", "vertex shader", NULL);
}

/*
 * Damage: whatever is in the packets and the program, a draw ends with a
 * report or without one, and the host survives.
 */

static void
test_damaged_draws(void **state)
{
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   vs_state(&p);
   pipe_program(&p, vs_text);
   for (unsigned i = 0; i < 30; i++)
      vertex(&p, i, (float)(i % 3), (float)(i % 5), (float)(i % 2), 1, 0);
   EMIT(b, 3DSTATE_CLIP, .ClipEnable = true,
        .ViewportXYClipTestEnable = true);
   EMIT(b, 3DSTATE_RASTER, .ViewportZNearClipTestEnable = true);
   pipe_draw(&p, _3DPRIM_TRISTRIP, 30);
   pipe_capture(&p, 4096);
   EMIT(b, 3DSTATE_INDEX_BUFFER, .IndexFormat = INDEX_WORD,
        .BufferStartingAddress = INDICES, .BufferSize = 64);
   EMIT(b, 3DPRIMITIVE, .VertexAccessType = RANDOM,
        .VertexCountPerInstance = 12, .InstanceCount = 2);
   pipe_run_damaged(&p, 40);
}

int
main(void)
{
   setenv("SAFFRON_SIM_HANG_MS", HANG_MS, 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, f_setup, f_teardown)
   const struct CMUnitTest tests[] = {
      TEST(test_pointlist),
      TEST(test_linelist),
      TEST(test_linestrip),
      TEST(test_lineloop),
      TEST(test_linelist_adj),
      TEST(test_linestrip_adj),
      TEST(test_trilist),
      TEST(test_tristrip),
      TEST(test_tristrip_trailing),
      TEST(test_trifan),
      TEST(test_trilist_adj),
      TEST(test_tristrip_adj),
      TEST(test_quadlist),
      TEST(test_quadstrip),
      TEST(test_polygon),
      TEST(test_provoking_of_quads),
      TEST(test_edge_flags),
      TEST(test_stipple_restarts),
      TEST(test_long_strip),
      TEST(test_stream_output_overflow),
      TEST(test_fetch_formats),
      TEST(test_fetch_controls_and_passthru),
      TEST(test_fetch_out_of_bounds),
      TEST(test_fetch_unmapped_is_a_fault),
      TEST(test_indices),
      TEST(test_endless_cuts),
      TEST(test_indirect),
      TEST(test_wrong_stages),
      TEST(test_clip_accepts_and_rejects),
      TEST(test_clip_near),
      TEST(test_clip_barycentrics),
      TEST(test_clip_behind_the_eye),
      TEST(test_clip_without_guardband),
      TEST(test_clip_lines_and_points),
      TEST(test_clip_nan),
      TEST(test_rectangle),
      TEST(test_vertex_shader),
      TEST(test_clip_distances),
      TEST(test_vertex_shader_simd4x2),
      TEST(test_floating_point_mode),
      TEST(test_endless_shader),
      TEST(test_program_outside_of_memory),
      TEST(test_damaged_draws),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
