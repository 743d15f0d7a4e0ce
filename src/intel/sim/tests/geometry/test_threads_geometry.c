/* SPDX-License-Identifier: MIT */
/*
 * The number of host threads changes nothing (sim_same.h): hull, domain and
 * geometry shaders.
 */
#include <stdlib.h>
#include <string.h>

#include "intel/sim/tests/sim_patches.h"
#include "intel/sim/tests/sim_same.h"
#include "util/strbuf.h"

#define PATCHES 200u

/* Makes r30 of what it happens to be: work, and a look at what threads before
 * have left. */
static void
put_work(struct strbuf *s, unsigned instructions)
{
   for (unsigned i = 0; i < instructions; i++)
      strbuf_puts(s, "add (8|M0) r30.0<1>:f r30.0<8;8,1>:f 0.25:f\n");
}

/* The factors of a patch are the constants times the lower three bits of its
 * number: of each eight patches the first is culled. r10 is the record. */
#define HS_RECORD "mov (8|M0) r10.0<1>:ud r0.0<0;1,0>:ud\n"
static const char hs_varied_text[] =
   "and (8|M0) r11.0<1>:ud r0.1<0;1,0>:ud 0x7:ud\n"
   "mov (8|M0) r12.0<1>:f r11.0<8;8,1>:ud\n"
   "mul (8|M0) r5.0<1>:f r5.0<8;8,1>:f r12.0<8;8,1>:f\n"
   "mov (8|M0) r13.0<1>:ud r10.0<8;8,1>:ud\n"
   "mov (8|M0) r14.0<1>:ud r0.1<0;1,0>:ud\n"
   "mov (8|M0) r15.0<1>:f 0.0:f\n"
   "mov (8|M0) r16.0<1>:f r30.0<8;8,1>:f\n"
   "mov (8|M0) r17.0<1>:f r12.0<8;8,1>:f\n"
   "send (8|M0) null r13 0x6 0x0A080027\n" HS_WRITE_HEADER(
      "0x26 0x12080007 {EOT}");

/* As ds_text, but for what is in r30 in the place of the patch's third dword;
 * r4, in r10, are the entries, unless `more` has changed it. */
static void
ds_program(struct pipe *p, unsigned work, const char *more)
{
   struct strbuf s = { 0 };
   put_work(&s, work);
   strbuf_puts(&s, "mov (8|M0) r10.0<1>:ud r4.0<8;8,1>:ud\n");
   strbuf_puts(&s, more);
   strbuf_puts(&s, DS_WRITE("r10", "r30.0<8;8,1>"));
   program(p, DS_AT, strbuf_str(&s));
   strbuf_fini(&s);
}

/* Entries for all stages, `hs` of the hull shader's. */
static void
emit_urb(struct pipe *p, unsigned hs)
{
   struct batch *b = &p->b;
   EMIT(b, 3DSTATE_URB_VS, .VSNumberofURBEntries = 512,
        .VSURBEntryAllocationSize = 0);
   EMIT(b, 3DSTATE_URB_HS, .HSURBStartingAddress = 4,
        .HSNumberofURBEntries = hs, .HSURBEntryAllocationSize = 2);
   EMIT(b, 3DSTATE_URB_DS, .DSURBStartingAddress = 10,
        .DSNumberofURBEntries = 1000, .DSURBEntryAllocationSize = 0);
}

/* What a hull shader does after some work. */
static void
hs_program(struct pipe *p, unsigned work, const char *more, const char *text)
{
   struct strbuf s = { 0 };
   put_work(&s, work);
   strbuf_puts(&s, more);
   strbuf_puts(&s, text);
   program(p, HS_AT, strbuf_str(&s));
   strbuf_fini(&s);
}

static const float factors[8] = { 0, 0, 1, 0.5f, 0.75f, 1, 1.25f, 0.5f };

static struct pipe
start(void **state)
{
   struct pipe p = pipe_start(state);
   emit_urb(&p, 200);
   set_header(&p, factors);
   hs_program(&p, 0, HS_RECORD, hs_varied_text);
   emit_hs_constants(&p);
   emit_hs(&p, 1);
   emit_te(&p, TE_DOMAIN_QUAD, TE_PARTITIONING_ODD_FRACTIONAL, OUTPUT_TRI_CW);
   emit_ds(&p, false);
   return p;
}

/* Ends the batch with the counters of the context, and runs it. */
static void
run(struct pipe *p)
{
   save_statistics(p);
   *p->b.next++ = MI_BATCH_BUFFER_END;
   assert_int_equal(f_run(p->b.f, &p->b.bo), 0);
}

/*
 * Domain shaders
 */

static void
points(void **state)
{
   struct pipe p = start(state);
   ds_program(&p, 180, "");
   draw_patches(&p, 1, PATCHES);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
   /* All patches were shaded, one of eight is culled: the first primitive is
    * of patch 1. */
   assert_int_equal(p.b.data.map[0], PATCHES);
   assert_true(p.b.data.map[4] > 5000);
   assert_int_equal(p.so.map[3], 1);
   const unsigned last = 3 * p.b.data.map[4] - 1;
   assert_int_equal(p.so.map[VERTEX_DW * last + 3], PATCHES - 1);
   assert_int_equal(p.so.map[VERTEX_DW * last + 4], PATCHES - 1);
}

/* The same, two points a thread. */
static void
pairs(void **state)
{
   struct pipe p = start(state);
   struct batch *b = &p.b;
   struct strbuf s = { 0 };
   put_work(&s, 180);
   strbuf_puts(&s, DS_WRITE_4X2("r30.4"));
   program(&p, DS_AT, strbuf_str(&s));
   strbuf_fini(&s);
   EMIT(b, 3DSTATE_DS, .Enable = true, .StatisticsEnable = true,
        .KernelStartPointer = DS_AT, .DispatchMode = DISPATCH_MODE_SIMD4X2,
        .DispatchGRFStartRegisterForURBData = 2, .PatchURBEntryReadOffset = 1,
        .PatchURBEntryReadLength = 1);
   draw_patches(&p, 1, PATCHES);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
   assert_true(p.b.data.map[4] > 5000);
}

/* Patches from the hundredth on have their points past the URB's end, each
 * at another place. */
static const char ds_fault_text[] =
   "cmp (8|M0) (gt)f0.0 null<1>:ud r0.1<0;1,0>:ud 0x64:ud\n"
   "add (8|M0) r11.0<1>:ud r10.0<8;8,1>:ud 0xc000:ud\n"
   "(f0.0) mov (8|M0) r10.0<1>:ud r11.0<8;8,1>:ud\n";

static void
point_faults(void **state)
{
   struct pipe p = start(state);
   ds_program(&p, 180, ds_fault_text);
   draw_patches(&p, 1, PATCHES);
   run(&p);
   assert_non_null(strstr(p.b.f->report, "domain shader"));
   assert_non_null(strstr(p.b.f->report, "URB access"));
}

/* Entries of the domain shader lie among the records that it reads. */
static void
points_in_records(void **state)
{
   struct pipe p = start(state);
   struct batch *b = &p.b;
   EMIT(b, 3DSTATE_URB_DS, .DSURBStartingAddress = 6,
        .DSNumberofURBEntries = 1000, .DSURBEntryAllocationSize = 0);
   ds_program(&p, 180, "");
   draw_patches(&p, 1, PATCHES);
   run(&p);
}

/* What only could be written to memory, may not happen side by side. */
static void
points_that_write(void **state)
{
   struct pipe p = start(state);
   ds_program(&p, 180,
              "cmp (8|M0) (gt)f0.0 null<1>:ud r0.1<0;1,0>:ud 0xffff:ud\n"
              "(f0.0) if (8|M0) L1 L1\n"
              "send (8|M0) null r10 0xC 0x04026E00\n"
              "L1:\n"
              "endif (8|M0) L2\n"
              "L2:\n");
   draw_patches(&p, 1, PATCHES);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
}

/*
 * Hull shaders, with few points
 */

static struct pipe
start_hs(void **state)
{
   struct pipe p = start(state);
   program(&p, DS_AT, ds_text);
   emit_te(&p, TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER, OUTPUT_POINT);
   return p;
}

static void
patches(void **state)
{
   struct pipe p = start_hs(state);
   hs_program(&p, 200, HS_RECORD, hs_varied_text);
   draw_patches(&p, 1, PATCHES);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
   assert_int_equal(p.b.data.map[0], PATCHES);
   assert_int_equal(p.so.map[3], 1);
}

/* Fewer records than there are patches in a window. */
static void
few_records(void **state)
{
   struct pipe p = start_hs(state);
   emit_urb(&p, 60);
   hs_program(&p, 600, HS_RECORD, hs_varied_text);
   draw_patches(&p, 1, PATCHES);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
   assert_int_equal(p.b.data.map[0], PATCHES);
}

static void
emit_hs_pushed(struct pipe *p, unsigned instances, unsigned mode)
{
   EMIT(&p->b, 3DSTATE_HS, .Enable = true, .StatisticsEnable = true,
        .DispatchMode = mode, .InstanceCount = instances - 1,
        .IncludeVertexHandles = true, .VertexURBEntryReadLength = 1,
        .IncludePrimitiveID = mode == DISPATCH_MODE_8_PATCH,
        .KernelStartPointer = HS_AT,
        .DispatchGRFStartRegisterForURBData = HS_GRF);
}

/* Instances that meet at barriers. */
static void
barriers(void **state)
{
   struct pipe p = start_hs(state);
   hs_program(&p, 200, "", hs_barrier_text);
   emit_hs_pushed(&p, 3, DISPATCH_MODE_SINGLE_PATCH);
   draw_patches(&p, 3, PATCHES);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
   assert_int_equal(p.b.data.map[0], PATCHES);
   assert_int_equal(p.so.map[4], 0 + 1 + 2);
}

static void
lost_barriers(void **state)
{
   struct pipe p = start_hs(state);
   hs_program(&p, 200, "", hs_lost_text);
   emit_hs_pushed(&p, 3, DISPATCH_MODE_SINGLE_PATCH);
   draw_patches(&p, 3, PATCHES);
   run(&p);
   assert_non_null(strstr(p.b.f->report, "barrier"));
}

/* Twenty-five threads of eight patches. */
static void
eight_patches(void **state)
{
   struct pipe p = start_hs(state);
   hs_program(&p, 900, "", hs_8_text);
   emit_hs_pushed(&p, 1, DISPATCH_MODE_8_PATCH);
   draw_patches(&p, 2, PATCHES);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
   assert_int_equal(p.b.data.map[0], PATCHES);
}

static void
patch_faults(void **state)
{
   struct pipe p = start_hs(state);
   hs_program(&p, 200,
              HS_RECORD
              "cmp (8|M0) (gt)f0.0 null<1>:ud r0.1<0;1,0>:ud 0x3d:ud\n"
              "add (8|M0) r11.0<1>:ud r10.0<8;8,1>:ud 0xc000:ud\n"
              "(f0.0) mov (8|M0) r10.0<1>:ud r11.0<8;8,1>:ud\n",
              hs_varied_text);
   draw_patches(&p, 1, PATCHES);
   run(&p);
   assert_non_null(strstr(p.b.f->report, "hull shader"));
   assert_non_null(strstr(p.b.f->report, "URB access"));
}

/* Records lie among the vertices. */
static void
records_in_vertices(void **state)
{
   struct pipe p = start_hs(state);
   EMIT(&p.b, 3DSTATE_URB_HS, .HSURBStartingAddress = 3,
        .HSNumberofURBEntries = 200, .HSURBEntryAllocationSize = 2);
   hs_program(&p, 200, HS_RECORD, hs_varied_text);
   draw_patches(&p, 1, PATCHES);
   run(&p);
}

/*
 * Geometry shaders
 */

static void
urb_write(struct strbuf *s, unsigned n, unsigned offset, bool eot)
{
   strbuf_printf(s,
                 "mov (8|M0) r112.0<1>:ud r1.0<8;8,1>:ud\n"
                 "send (8|M0) null r112 0x%x 0x%x%s\n",
                 eot ? 0x26 : 6, 0x00080007 | (n + 1) << 25 | offset << 4,
                 eot ? " {EOT}" : "");
}

/* Of each object a strip of as many vertices as the lower two bits of its
 * number say. r1 are the entries, r2 the numbers, r7 the first dword of the
 * first vertex's position. */
static void
gs_program(struct pipe *p, unsigned work, const char *more)
{
   struct strbuf s = { 0 };
   put_work(&s, work);
   strbuf_puts(&s, "and (8|M0) r31.0<1>:ud r2.0<8;8,1>:ud 0x3:ud\n");
   strbuf_puts(&s, more);
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned k = 113; k < 117; k++)
         strbuf_printf(&s, "mov (8|M0) r%u.0<1>:ud 0x0:ud\n", k);
      strbuf_printf(&s,
                    "mov (8|M0) r117.0<1>:ud r7.0<8;8,1>:ud\n"
                    "mov (8|M0) r118.0<1>:ud 0x%x:ud\n"
                    "mov (8|M0) r119.0<1>:ud r2.0<8;8,1>:ud\n"
                    "mov (8|M0) r120.0<1>:ud r1.0<8;8,1>:ud\n",
                    i);
      urb_write(&s, 8, 2 + 3 * i, false);
      strbuf_puts(&s, "mov (8|M0) r113.0<1>:ud r30.0<8;8,1>:ud\n"
                      "mov (8|M0) r114.0<1>:ud r31.0<8;8,1>:ud\n");
      urb_write(&s, 4, 4 + 3 * i, false);
   }
   strbuf_puts(&s, "mov (8|M0) r113.0<1>:ud r31.0<8;8,1>:ud\n");
   urb_write(&s, 1, 0, true);
   program(p, GS_AT, strbuf_str(&s));
   strbuf_fini(&s);
}

/* Of objects of `vertices`. */
static void
emit_gs(struct pipe *p, unsigned instances, unsigned vertices)
{
   struct batch *b = &p->b;
   EMIT(b, 3DSTATE_URB_GS, .GSURBStartingAddress = 20,
        .GSNumberofURBEntries = 500, .GSURBEntryAllocationSize = 2);
   EMIT(b, 3DSTATE_GS, .Enable = true, .StatisticsEnable = true,
        .KernelStartPointer = GS_AT, .DispatchMode = DISPATCH_MODE_SIMD8,
        .InstanceControl = instances - 1, .ExpectedVertexCount = vertices,
        .OutputTopology = _3DPRIM_LINESTRIP, .OutputVertexSize = 2,
        .IncludePrimitiveID = true, .VertexURBEntryReadLength = 1,
        .DispatchGRFStartRegisterForURBData = 3);
}

static void
draw(struct pipe *p, uint32_t topology, unsigned n)
{
   struct batch *b = &p->b;
   EMIT(b, 3DSTATE_VF_TOPOLOGY, .PrimitiveTopologyType = topology);
   EMIT(b, 3DPRIMITIVE, .VertexCountPerInstance = n, .InstanceCount = 1);
   batch_save(b, GEN9_GS_INVOCATION_COUNT_num, DATA + 24);
   batch_save(b, GEN9_GS_PRIMITIVES_COUNT_num, DATA + 32);
}

static struct pipe
start_gs(void **state)
{
   struct pipe p = pipe_start(state);
   emit_urb(&p, 8);
   return p;
}

/* Of 1500 points 375 each have no, one, two, and three vertices. */
static void
objects(void **state)
{
   struct pipe p = start_gs(state);
   gs_program(&p, 400, "");
   emit_gs(&p, 1, 1);
   draw(&p, _3DPRIM_POINTLIST, 1500);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
   assert_int_equal(p.b.data.map[6], 1500);
   assert_int_equal(p.b.data.map[4], 375 + 2 * 375);
   /* The last line is of the last point. */
   const unsigned last = 2 * 3 * 375 - 1;
   assert_int_equal(p.so.map[VERTEX_DW * last + 1], 2);
   assert_int_equal(p.so.map[VERTEX_DW * last + 2], 1499);
}

/* Triangles, whose vertices are needed by those after them. */
static void
strip(void **state)
{
   struct pipe p = start_gs(state);
   gs_program(&p, 400, "");
   emit_gs(&p, 1, 3);
   draw(&p, _3DPRIM_TRISTRIP, 1500);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
   assert_int_equal(p.b.data.map[6], 1498);
}

/* Eleven instances are two threads. */
static void
instances(void **state)
{
   struct pipe p = start_gs(state);
   gs_program(&p, 400, "");
   emit_gs(&p, 11, 1);
   EMIT(&p.b, 3DSTATE_GS, .Enable = true, .StatisticsEnable = true,
        .KernelStartPointer = GS_AT, .DispatchMode = DISPATCH_MODE_SIMD8,
        .InstanceControl = 10, .ExpectedVertexCount = 1,
        .OutputTopology = _3DPRIM_LINESTRIP, .OutputVertexSize = 2,
        .IncludePrimitiveID = true, .VertexURBEntryReadLength = 1,
        .DispatchGRFStartRegisterForURBData = 7);
   draw(&p, _3DPRIM_POINTLIST, 200);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
   assert_int_equal(p.b.data.map[6], 11 * 200);
   assert_int_equal(p.b.data.map[4], 11 * (50 + 2 * 50));
}

/* Instances of one object fill more than one wave. */
static void
many_instances(void **state)
{
   struct pipe p = start_gs(state);
   gs_program(&p, 900, "");
   emit_gs(&p, 32, 1);
   EMIT(&p.b, 3DSTATE_URB_GS, .GSURBStartingAddress = 20,
        .GSNumberofURBEntries = 19, .GSURBEntryAllocationSize = 2);
   draw(&p, _3DPRIM_POINTLIST, 30);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
   assert_int_equal(p.b.data.map[6], 32 * 30);
}

/* After the tessellator. */
static void
all_stages(void **state)
{
   struct pipe p = start(state);
   ds_program(&p, 180, "");
   gs_program(&p, 180, "");
   emit_gs(&p, 1, 3);
   draw_patches(&p, 1, PATCHES);
   run(&p);
   assert_int_equal(p.b.f->num_reports, 0);
   assert_true(p.b.data.map[4] > 1000);
}

static void
object_faults(void **state)
{
   struct pipe p = start_gs(state);
   gs_program(&p, 400,
              "cmp (8|M0) (gt)f0.0 null<1>:ud r2.0<8;8,1>:ud 0x4ce:ud\n"
              "add (8|M0) r32.0<1>:ud r1.0<8;8,1>:ud 0xc000:ud\n"
              "(f0.0) mov (8|M0) r1.0<1>:ud r32.0<8;8,1>:ud\n");
   emit_gs(&p, 1, 1);
   draw(&p, _3DPRIM_POINTLIST, 1500);
   run(&p);
   assert_non_null(strstr(p.b.f->report, "geometry shader"));
   assert_non_null(strstr(p.b.f->report, "URB access"));
}

/* More vertices than an entry holds, by their number. */
static void
too_many_vertices(void **state)
{
   struct pipe p = start_gs(state);
   gs_program(&p, 400,
              "cmp (8|M0) (gt)f0.0 null<1>:ud r2.0<8;8,1>:ud 0x3e8:ud\n"
              "(f0.0) mov (8|M0) r31.0<1>:ud r2.0<8;8,1>:ud\n");
   emit_gs(&p, 1, 1);
   draw(&p, _3DPRIM_POINTLIST, 1500);
   run(&p);
   assert_non_null(strstr(p.b.f->report, "1001 vertices"));
}

/* Entries lie among the vertices. */
static void
objects_in_vertices(void **state)
{
   struct pipe p = start_gs(state);
   gs_program(&p, 400, "");
   emit_gs(&p, 1, 1);
   EMIT(&p.b, 3DSTATE_URB_GS, .GSURBStartingAddress = 3,
        .GSNumberofURBEntries = 500, .GSURBEntryAllocationSize = 2);
   draw(&p, _3DPRIM_POINTLIST, 1500);
   run(&p);
}

/* One thread never stops: then all do. How far others have come depends on
 * the host. */
static void
endless(void **state)
{
   assert_int_equal(setenv("SAFFRON_SIM_THREADS", "3", 1), 0);
   assert_int_equal(f_setup(state), 0);
   struct pipe p = start(state);
   ds_program(&p, 180,
              "cmp (8|M0) (eq)f0.0 null<1>:ud r0.1<0;1,0>:ud 0x64:ud\n"
              "L0:\n"
              "(f0.0) while (8|M0) L0\n");
   draw_patches(&p, 1, PATCHES);
   run_faulty(&p.b, "3DPRIMITIVE", "domain shader", "endless");
   assert_int_equal(f_teardown(state), 0);
}

SAME(points, true)
SAME(pairs, true)
SAME(point_faults, true)
SAME(points_in_records, false)
SAME(points_that_write, false)
SAME(patches, true)
SAME(few_records, true)
SAME(barriers, true)
SAME(lost_barriers, true)
SAME(eight_patches, true)
SAME(patch_faults, true)
SAME(records_in_vertices, false)
SAME(objects, true)
SAME(strip, true)
SAME(instances, true)
SAME(many_instances, false)
SAME(all_stages, true)
SAME(object_faults, true)
SAME(too_many_vertices, true)
SAME(objects_in_vertices, false)

int
main(void)
{
   setenv("SAFFRON_SIM_HANG_MS", "200", 1);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_points),
      cmocka_unit_test(same_pairs),
      cmocka_unit_test(same_point_faults),
      cmocka_unit_test(same_points_in_records),
      cmocka_unit_test(same_points_that_write),
      cmocka_unit_test(same_patches),
      cmocka_unit_test(same_few_records),
      cmocka_unit_test(same_barriers),
      cmocka_unit_test(same_lost_barriers),
      cmocka_unit_test(same_eight_patches),
      cmocka_unit_test(same_patch_faults),
      cmocka_unit_test(same_records_in_vertices),
      cmocka_unit_test(same_objects),
      cmocka_unit_test(same_strip),
      cmocka_unit_test(same_instances),
      cmocka_unit_test(same_many_instances),
      cmocka_unit_test(same_all_stages),
      cmocka_unit_test(same_object_faults),
      cmocka_unit_test(same_too_many_vertices),
      cmocka_unit_test(same_objects_in_vertices),
      cmocka_unit_test(endless),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
