/* SPDX-License-Identifier: MIT */
/*
 * Hull shader, tessellator and domain shader with programs written by hand;
 * stream output shows what comes out.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "intel/sim/geometry/tessellator.h"
#include "intel/sim/tests/sim_patches.h"

/* What stream output must have: the primitives of each patch as the
 * tessellator has them. */
static void
check_output(struct pipe *p, const struct sim_tess_state *s,
             const float header[8], unsigned patches, bool w)
{
   static struct sim_tess t;
   struct sim_tess_factors f;
   for (unsigned i = 0; i < 4; i++)
      f.outer[i] = header[7 - i];
   f.inner[0] = s->domain == TE_DOMAIN_TRI ? header[4] : header[3];
   f.inner[1] = header[2];
   if (s->domain == TE_DOMAIN_ISOLINE) {
      f.outer[0] = header[6];
      f.outer[1] = header[7];
   }
   sim_tessellate(s, &f, &t);
   const unsigned prims = t.num_indices / t.vertices;
   assert_true(prims > 0);
   assert_int_equal(p->b.data.map[0], patches);
   assert_true(p->b.data.map[2] >= patches * t.num_points);
   assert_int_equal(p->b.data.map[4], patches * prims);
   for (unsigned k = 0; k < patches * t.num_indices; k++) {
      const unsigned patch = k / t.num_indices;
      const struct sim_tess_point point = t.point[t.index[k % t.num_indices]];
      const float u = (float)point.u / SIM_TESS_ONE;
      const float v = (float)point.v / SIM_TESS_ONE;
      assert_true(so_float(p, k, 0) == u);
      assert_true(so_float(p, k, 1) == v);
      assert_true(so_float(p, k, 2) == (w ? 1 - u - v : 0));
      assert_int_equal(p->so.map[VERTEX_DW * k + 3], patch);
   }
}

static void
check_single_patch(void **state, uint32_t domain, uint32_t partitioning,
                   uint32_t topology, const float header[8],
                   unsigned ds_entries)
{
   const struct sim_tess_state s = { domain, partitioning, topology, 63, 64 };
   const bool w = domain == TE_DOMAIN_TRI;
   struct pipe p = pipe_start(state);
   set_header(&p, header);
   program(&p, HS_AT, hs_text);
   program(&p, DS_AT, ds_text);
   EMIT(&p.b, 3DSTATE_URB_DS, .DSURBStartingAddress = 2,
        .DSNumberofURBEntries = ds_entries, .DSURBEntryAllocationSize = 0);
   emit_hs_constants(&p);
   emit_hs(&p, 1);
   emit_te(&p, domain, partitioning, topology);
   emit_ds(&p, w);
   draw_patches(&p, 3, 5);
   save_statistics(&p);
   run_ok(&p.b);
   check_output(&p, &s, header, 5, w);
   /* The first control point of each patch; its w is the primitive id. */
   const unsigned n = p.b.data.map[4] / 5;
   for (unsigned i = 0; i < 5; i++) {
      const unsigned k = i * n *
                         (topology == OUTPUT_POINT  ? 1
                          : topology == OUTPUT_LINE ? 2
                                                    : 3);
      assert_true(so_float(&p, k, 4) == 3 * (float)i);
      assert_true(so_float(&p, k, 5) == 6 * (float)i);
      assert_int_equal(p.so.map[VERTEX_DW * k + 7], i);
   }
}

static const float quad_header[8] = { 0, 0, 6, 4, 3, 5, 2, 7 };
static const float tri_header[8] = { 0, 0, 0, 0, 4.5f, 1.5f, 6, 3.25f };
static const float line_header[8] = { 0, 0, 0, 0, 0, 0, 3, 5.5f };

static void
test_quad(void **state)
{
   check_single_patch(state, TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER,
                      OUTPUT_TRI_CW, quad_header, 64);
}

static void
test_triangle(void **state)
{
   check_single_patch(state, TE_DOMAIN_TRI, TE_PARTITIONING_ODD_FRACTIONAL,
                      OUTPUT_TRI_CCW, tri_header, 64);
}

static void
test_isolines(void **state)
{
   check_single_patch(state, TE_DOMAIN_ISOLINE,
                      TE_PARTITIONING_EVEN_FRACTIONAL, OUTPUT_LINE,
                      line_header, 64);
}

static void
test_points(void **state)
{
   check_single_patch(state, TE_DOMAIN_TRI, TE_PARTITIONING_INTEGER,
                      OUTPUT_POINT, tri_header, 64);
}

/* More points than the domain shader has entries, in one patch and in
 * several. */
static void
test_few_entries(void **state)
{
   static const float many[8] = { 0, 0, 64, 33, 64, 20, 31, 64 };
   check_single_patch(state, TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER,
                      OUTPUT_TRI_CW, many, 16);
   restart(state);
   check_single_patch(state, TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER,
                      OUTPUT_TRI_CW, quad_header, 16);
}

/* A factor of zero, or no number: nothing comes out. */
static void
test_cull(void **state)
{
   static const float bad[] = { 0, -2, NAN };
   for (unsigned i = 0; i < ARRAY_SIZE(bad); i++) {
      struct pipe p = pipe_start(state);
      float header[8];
      memcpy(header, quad_header, sizeof(header));
      header[4 + i] = bad[i];
      set_header(&p, header);
      program(&p, HS_AT, hs_text);
      program(&p, DS_AT, ds_text);
      emit_hs_constants(&p);
      emit_hs(&p, 1);
      emit_te(&p, TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER, OUTPUT_TRI_CW);
      emit_ds(&p, false);
      draw_patches(&p, 3, 5);
      save_statistics(&p);
      run_ok(&p.b);
      assert_int_equal(p.b.data.map[0], 5);
      assert_int_equal(p.b.data.map[2], 0);
      assert_int_equal(p.b.data.map[4], 0);
      restart(state);
   }
}

/*
 * Instances
 */

static void
start_instances(struct pipe *p, const char *text)
{
   set_header(p, tri_header);
   program(p, HS_AT, text);
   program(p, DS_AT, ds_text);
   emit_hs_constants(p);
   EMIT(&p->b, 3DSTATE_HS, .Enable = true, .InstanceCount = 2,
        .KernelStartPointer = HS_AT, .VertexURBEntryReadOffset = 0,
        .VertexURBEntryReadLength = 1,
        .DispatchGRFStartRegisterForURBData = HS_GRF);
   emit_te(p, TE_DOMAIN_TRI, TE_PARTITIONING_INTEGER, OUTPUT_POINT);
   emit_ds(p, true);
   draw_patches(p, 3, 4);
}

static void
test_instances(void **state)
{
   struct pipe p = pipe_start(state);
   start_instances(&p, hs_barrier_text);
   save_statistics(&p);
   run_ok(&p.b);
   const unsigned points = p.b.data.map[4] / 4;
   assert_true(points > 10);
   for (unsigned k = 0; k < 4 * points; k++) {
      assert_int_equal(p.so.map[VERTEX_DW * k + 4], 0 + 1 + 2);
      /* The headers of the control points, which are pushed. */
      assert_int_equal(p.so.map[VERTEX_DW * k + 5], 0);
   }
}

static void
test_lost_barrier(void **state)
{
   struct pipe p = pipe_start(state);
   start_instances(&p, hs_lost_text);
   run_faulty(&p.b, "3DPRIMITIVE", "hull shader", "barrier");
}

/*
 * Eight patches in a thread, and 11 in all. Two control points each: the
 * second one's position is pushed, of the first one there are handles.
 */

static void
test_eight_patches(void **state)
{
   const unsigned patches = 11;
   struct pipe p = pipe_start(state);
   set_header(&p, line_header);
   program(&p, HS_AT, hs_8_text);
   program(&p, DS_AT, ds_text);
   emit_hs_constants(&p);
   EMIT(&p.b, 3DSTATE_HS, .Enable = true, .StatisticsEnable = true,
        .DispatchMode = DISPATCH_MODE_8_PATCH, .IncludePrimitiveID = true,
        .IncludeVertexHandles = true, .KernelStartPointer = HS_AT,
        .VertexURBEntryReadLength = 1,
        .DispatchGRFStartRegisterForURBData = HS_GRF);
   emit_te(&p, TE_DOMAIN_ISOLINE, TE_PARTITIONING_INTEGER, OUTPUT_LINE);
   emit_ds(&p, false);
   draw_patches(&p, 2, patches);
   save_statistics(&p);
   run_ok(&p.b);
   const struct sim_tess_state s = { TE_DOMAIN_ISOLINE,
                                     TE_PARTITIONING_INTEGER, OUTPUT_LINE, 63,
                                     64 };
   check_output(&p, &s, line_header, patches, false);
   const unsigned n = 2 * p.b.data.map[4] / patches;
   for (unsigned i = 0; i < patches; i++) {
      assert_true(so_float(&p, i * n, 4) == 2 * (float)i);
      assert_true(so_float(&p, i * n, 5) == 2 * (2 * (float)i + 1));
      assert_int_equal(p.so.map[VERTEX_DW * i * n + 6], i);
      assert_int_equal(p.so.map[VERTEX_DW * i * n + 7], 0);
   }
}

/*
 * Two vertices a thread: two instances for three control points, and two
 * domain points at once.
 */

static const char hs_4x2_text[] =
   "(W) shr (1|M0) r12.0<1>:ud r0.2<0;1,0>:ud 0x11:ud\n"
   "cmp (8|M0) (eq)f0.0 null<1>:ud r12.0<0;1,0>:ud 0x0:ud\n"
   "(W) mov (8|M0) r30.0<1>:ud 0x0:ud\n"
   "(f0.0) mov (2|M0) r30.0<1>:ud r1.0<2;2,1>:ud\n"
   "(~f0.0) mov (2|M0) r30.0<1>:ud r1.2<2;2,1>:ud\n"
   "send (8|M0) r20:uw r30 0x6 0x02188013\n"
   "(W) mov (8|M0) r31.0<1>:ud 0x0:ud\n"
   "(W) mov (2|M0) r31.0<1>:ud r0.0<0;1,0>:ud\n"
   "(W) shl (1|M0) r31.3<1>:ud r12.0<0;1,0>:ud 0x1:ud\n"
   "(W) add (1|M0) r31.4<1>:ud r31.3<0;1,0>:ud 0x1:ud\n"
   "(W) mov (1|M0) r31.5<1>:ud 0xFF00:ud\n"
   "mov (8|M0) r32.0<1>:ud r20.0<8;8,1>:ud\n"
   "send (8|M0) null r31 0x6 0x040A8021\n"
   "(W) mov (8|M0) r112.0<1>:ud 0x0:ud\n"
   "(W) mov (1|M0) r112.0<1>:ud r0.0<0;1,0>:ud\n"
   "(W) mov (1|M0) r112.5<1>:ud 0xFF00:ud\n"
   "mov (8|M0) r113.0<1>:ud r5.0<8;8,1>:ud\n"
   "send (8|M0) null r112 0x26 0x04080000 {EOT}\n";

/* Output as by ds_text; r2, r3: what is pushed of the patch. */
static const char ds_4x2_text[] = DS_WRITE_4X2("r2.4");

static void
test_simd4x2(void **state)
{
   const struct sim_tess_state s = { TE_DOMAIN_TRI, TE_PARTITIONING_INTEGER,
                                     OUTPUT_TRI_CW, 63, 64 };
   struct pipe p = pipe_start(state);
   set_header(&p, tri_header);
   program(&p, HS_AT, hs_4x2_text);
   program(&p, DS_AT, ds_4x2_text);
   emit_hs_constants(&p);
   emit_hs(&p, 2);
   emit_te(&p, TE_DOMAIN_TRI, TE_PARTITIONING_INTEGER, OUTPUT_TRI_CW);
   EMIT(&p.b, 3DSTATE_DS, .Enable = true, .StatisticsEnable = true,
        .KernelStartPointer = DS_AT, .ComputeWCoordinateEnable = true,
        .DispatchMode = DISPATCH_MODE_SIMD4X2,
        .DispatchGRFStartRegisterForURBData = 2, .PatchURBEntryReadOffset = 1,
        .PatchURBEntryReadLength = 2);
   draw_patches(&p, 3, 5);
   save_statistics(&p);
   run_ok(&p.b);
   check_output(&p, &s, tri_header, 5, true);
   /* Both halves of the pushed register: control points 0 and 1. */
   const unsigned n = 3 * p.b.data.map[4];
   unsigned halves[2] = { 0 };
   for (unsigned k = 0; k < n; k++) {
      const float first = 3 * (float)(k / (n / 5));
      const bool second = so_float(&p, k, 4) == first + 1;
      assert_true(second || so_float(&p, k, 4) == first);
      assert_true(so_float(&p, k, 5) == 2 * so_float(&p, k, 4));
      assert_true(so_float(&p, k, 7) == 1);
      halves[second]++;
   }
   assert_true(halves[0] && halves[1]);
}

/*
 * What is refused
 */

static struct pipe
start_good(void **state)
{
   struct pipe p = pipe_start(state);
   set_header(&p, tri_header);
   program(&p, HS_AT, hs_text);
   program(&p, DS_AT, ds_text);
   emit_hs_constants(&p);
   emit_hs(&p, 1);
   emit_te(&p, TE_DOMAIN_TRI, TE_PARTITIONING_INTEGER, OUTPUT_TRI_CW);
   emit_ds(&p, true);
   return p;
}

#define REFUSED(word, ...)                                                   \
   do {                                                                      \
      struct pipe p = start_good(state);                                     \
      struct batch *b = &p.b;                                                \
      EMIT(b, __VA_ARGS__);                                                  \
      draw_patches(&p, 3, 2);                                                \
      run_faulty(b, "3DPRIMITIVE", word, NULL);                              \
      restart(state);                                                        \
   } while (0)

static void
test_refused(void **state)
{
   REFUSED("together", 3DSTATE_HS, .Enable = false);
   REFUSED("together", 3DSTATE_TE, .TEEnable = false);
   REFUSED("together", 3DSTATE_DS, .Enable = false);
   REFUSED("3DSTATE_TE", 3DSTATE_TE, .TEEnable = true, .TEDomain = 3);
   REFUSED("3DSTATE_TE", 3DSTATE_TE, .TEEnable = true, .Partitioning = 3);
   REFUSED("3DSTATE_TE", 3DSTATE_TE, .TEEnable = true, .TEMode = 1);
   REFUSED("3DSTATE_TE", 3DSTATE_TE, .TEEnable = true,
           .TEDomain = TE_DOMAIN_ISOLINE, .OutputTopology = OUTPUT_TRI_CW);
   REFUSED("3DSTATE_TE", 3DSTATE_TE, .TEEnable = true,
           .TEDomain = TE_DOMAIN_QUAD, .OutputTopology = OUTPUT_LINE);
   REFUSED("3DSTATE_URB_HS", 3DSTATE_URB_HS, .HSNumberofURBEntries = 0);
   REFUSED("3DSTATE_URB_DS", 3DSTATE_URB_DS, .DSNumberofURBEntries = 0);
   REFUSED("payload", 3DSTATE_HS, .Enable = true,
           .IncludeVertexHandles = true,
           .DispatchGRFStartRegisterForURBData = 1);
   REFUSED("reads past", 3DSTATE_HS, .Enable = true,
           .VertexURBEntryReadLength = 3,
           .DispatchGRFStartRegisterForURBData = HS_GRF);
   REFUSED("payload", 3DSTATE_DS, .Enable = true,
           .DispatchMode = DISPATCH_MODE_SIMD8_SINGLE_PATCH,
           .DispatchGRFStartRegisterForURBData = 4);
   REFUSED("reads past", 3DSTATE_DS, .Enable = true,
           .DispatchMode = DISPATCH_MODE_SIMD8_SINGLE_PATCH,
           .DispatchGRFStartRegisterForURBData = 5,
           .PatchURBEntryReadLength = 20);
}

static void
test_no_patches(void **state)
{
   struct pipe p = start_good(state);
   struct batch *b = &p.b;
   EMIT(b, 3DSTATE_VF_TOPOLOGY, .PrimitiveTopologyType = _3DPRIM_TRILIST);
   EMIT(b, 3DPRIMITIVE, .VertexCountPerInstance = 3, .InstanceCount = 1);
   run_faulty(b, "3DPRIMITIVE", "no patch list", NULL);
}

static const char endless_text[] = "L0:\n"
                                   "mov (8|M0) r11.0<1>:ud 0x0:ud\n"
                                   "while (8|M0) L0\n";

static void
test_endless(void **state)
{
   struct pipe p = start_good(state);
   program(&p, HS_AT, endless_text);
   draw_patches(&p, 3, 2);
   run_faulty(&p.b, "3DPRIMITIVE", "hull shader", "endless");
   restart(state);
   p = start_good(state);
   program(&p, DS_AT, endless_text);
   draw_patches(&p, 3, 2);
   run_faulty(&p.b, "3DPRIMITIVE", "domain shader", "endless");
}

/*
 * Damage: whatever is in the packets, the programs and the factors, a draw
 * ends with a report or without one, and the host survives.
 */

static void
check_damage(void **state, bool eight)
{
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   set_header(&p, quad_header);
   program(&p, HS_AT, eight ? hs_8_text : hs_barrier_text);
   program(&p, DS_AT, ds_text);
   emit_hs_constants(&p);
   EMIT(b, 3DSTATE_HS, .Enable = true, .StatisticsEnable = true,
        .InstanceCount = eight ? 0 : 2, .IncludePrimitiveID = eight,
        .DispatchMode = eight ? DISPATCH_MODE_8_PATCH
                              : DISPATCH_MODE_SINGLE_PATCH,
        .IncludeVertexHandles = true, .KernelStartPointer = HS_AT,
        .VertexURBEntryReadLength = 1,
        .DispatchGRFStartRegisterForURBData = HS_GRF);
   emit_te(&p, TE_DOMAIN_QUAD, TE_PARTITIONING_ODD_FRACTIONAL, OUTPUT_TRI_CW);
   emit_ds(&p, false);
   draw_patches(&p, 2, 9);
   *b->next++ = MI_BATCH_BUFFER_END;

   const unsigned size_dw = (unsigned)(b->next - b->bo.map);
   uint32_t batch[1024], code[2 * PROGRAM_B / 4];
   assert_true(size_dw <= ARRAY_SIZE(batch));
   memcpy(batch, b->bo.map, size_dw * 4);
   memcpy(code, p.programs.map, sizeof(code));
   const struct damage_rounds rounds = damage_start(1);
   uint64_t random = 0xbeef;
   for (unsigned round = 0; damage_goes_on(&rounds, round); round++) {
      memcpy(b->bo.map, batch, size_dw * 4);
      memcpy(p.programs.map, code, sizeof(code));
      set_header(&p, quad_header);
      for (unsigned i = 0; i <= round % 3; i++) {
         if (round % 4 == 0)
            damage(&p.programs.map[round & 8 ? DS_AT / 4 : HS_AT / 4], 100,
                   &random);
         else if (round % 4 == 1)
            damage(p.constants.map, 8, &random);
         else
            damage(b->bo.map, size_dw, &random);
      }
      assert_int_equal(batch_run_once(b), 0);
   }
   assert_true(b->f->num_reports > 0);
}

static void
test_damage(void **state)
{
   check_damage(state, false);
   restart(state);
   check_damage(state, true);
}

int
main(void)
{
   setenv("SAFFRON_SIM_HANG_MS", "40", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, f_setup, f_teardown)
   const struct CMUnitTest tests[] = {
      TEST(test_quad),      TEST(test_triangle),     TEST(test_isolines),
      TEST(test_points),    TEST(test_few_entries),  TEST(test_cull),
      TEST(test_instances), TEST(test_lost_barrier), TEST(test_eight_patches),
      TEST(test_simd4x2),   TEST(test_refused),      TEST(test_no_patches),
      TEST(test_endless),   TEST(test_damage),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
