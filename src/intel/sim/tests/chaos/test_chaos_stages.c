/* SPDX-License-Identifier: MIT */
/*
 * Orders that nobody promises of patches, domain points and objects: what
 * comes out is in order with every seed, and what threads count together is
 * not.
 */
#include <stdlib.h>
#include <string.h>

#include "intel/sim/tests/sim_patches.h"

#define SEEDS 16
#define PATCHES 40u
#define OBJECTS 200u

/* r91: a number that each channel takes at DATA + 128. */
#define TAKE_NUMBER                                                          \
   "mov (8|M0) r90.0<1>:ud 0x200080:ud\n"                                    \
   "send (8|M0) r91 r90 0xC 0x0210B5FF\n"

/* The patch's number, or the one that it takes, is the third dword of its
 * record, which the domain shader's attribute shows. */
#define HULL(third)                                                          \
   TAKE_NUMBER                                                               \
   "mov (8|M0) r10.0<1>:ud r0.0<0;1,0>:ud\n"                                 \
   "mov (8|M0) r30.0<1>:ud r10.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r31.0<1>:ud r0.1<0;1,0>:ud\n"                                 \
   "mov (8|M0) r32.0<1>:ud r0.1<0;1,0>:ud\n"                                 \
   "mov (8|M0) r33.0<1>:ud " third "<0;1,0>:ud\n"                            \
   "mov (8|M0) r34.0<1>:ud r0.1<0;1,0>:ud\n"                                 \
   "send (8|M0) null r30 0x6 0x0A080027\n" HS_WRITE_HEADER(                  \
      "0x26 0x12080007 {EOT}")

#define DOMAIN_POINT(third) TAKE_NUMBER DS_WRITE("r4", third)

/* A point of each object, r1 its entry, r2 its number. */
#define OBJECT(third)                                                        \
   TAKE_NUMBER                                                               \
   "mov (8|M0) r112.0<1>:ud r1.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r113.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r114.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r115.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r116.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r117.0<1>:ud r2.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r118.0<1>:ud r2.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r119.0<1>:ud " third ".0<8;8,1>:ud\n"                         \
   "mov (8|M0) r120.0<1>:ud r2.0<8;8,1>:ud\n"                                \
   "send (8|M0) null r112 0x6 0x12080027\n"                                  \
   "mov (8|M0) r112.0<1>:ud r1.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r113.0<1>:ud r2.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r114.0<1>:ud r2.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r115.0<1>:ud r2.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r116.0<1>:ud r2.0<8;8,1>:ud\n"                                \
   "send (8|M0) null r112 0x6 0x0A080047\n"                                  \
   "mov (8|M0) r112.0<1>:ud r1.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r113.0<1>:ud 0x1:ud\n"                                        \
   "send (8|M0) null r112 0x26 0x04080007 {EOT}\n"

static const char own_hull[] = HULL("r0.1"), counted_hull[] = HULL("r91.0");
static const char own_point[] = DOMAIN_POINT("r5.2<0;1,0>");
static const char counted_point[] = DOMAIN_POINT("r91.0<8;8,1>");
static const char own_object[] = OBJECT("r2"),
                  counted_object[] = OBJECT("r91");

/* Programs; without a hull and domain shader, or without a geometry one. */
struct world {
   const char *hs, *ds, *gs;
};

#define CAPTURED_B 262144

static void
emit_objects(struct pipe *p, const char *text)
{
   struct batch *b = &p->b;
   program(p, GS_AT, text);
   EMIT(b, 3DSTATE_URB_GS, .GSURBStartingAddress = 4,
        .GSNumberofURBEntries = 48, .GSURBEntryAllocationSize = 1);
   EMIT(b, 3DSTATE_GS, .Enable = true, .StatisticsEnable = true,
        .KernelStartPointer = GS_AT, .DispatchMode = DISPATCH_MODE_SIMD8,
        .ExpectedVertexCount = 1, .OutputTopology = _3DPRIM_POINTLIST,
        .OutputVertexSize = 2, .IncludePrimitiveID = true,
        .VertexURBEntryReadLength = 1,
        .DispatchGRFStartRegisterForURBData = 3);
}

/* What the draw captures, which must be more than nothing. */
static void
draw(const struct world *w, const char *chaos, void *out)
{
   static const float factors[8] = { 0, 0, 3, 4, 3, 4, 3, 4 };
   void *state;
   setenv("SAFFRON_SIM_CHAOS", chaos, 1);
   f_setup(&state);
   struct pipe p = pipe_start(&state);
   struct batch *b = &p.b;
   if (w->hs) {
      set_header(&p, factors);
      program(&p, HS_AT, w->hs);
      program(&p, DS_AT, w->ds);
      emit_hs_constants(&p);
      emit_hs(&p, 1);
      emit_te(&p, TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER, OUTPUT_TRI_CW);
      emit_ds(&p, false);
      draw_patches(&p, 1, PATCHES);
   } else {
      emit_objects(&p, w->gs);
      EMIT(b, 3DSTATE_VF_TOPOLOGY,
           .PrimitiveTopologyType = _3DPRIM_POINTLIST);
      EMIT(b, 3DPRIMITIVE, .VertexCountPerInstance = OBJECTS,
           .InstanceCount = 1);
   }
   save_statistics(&p);
   batch_save(b, GEN9_GS_INVOCATION_COUNT_num, DATA + 24);
   run_ok(b);
   /* Each patch and each object once. */
   assert_int_equal(b->data.map[0], w->hs ? PATCHES : 0);
   assert_int_equal(b->data.map[6], w->hs ? 0 : OBJECTS);
   const unsigned captured_B = 4 * VERTEX_DW * b->data.map[4];
   assert_true(captured_B >= 4 * VERTEX_DW * PATCHES);
   assert_true(captured_B * 3 <= CAPTURED_B);
   memcpy(out, p.so.map, CAPTURED_B);
   f_teardown(&state);
}

/* With how many seeds the draw captures something else than without. */
static unsigned
differing(const struct world *w)
{
   char *usual = malloc(CAPTURED_B), *other = malloc(CAPTURED_B);
   unsigned n = 0;
   assert_true(usual && other);
   draw(w, "", usual);
   for (unsigned seed = 0; seed < SEEDS; seed++) {
      char chaos[32];
      snprintf(chaos, sizeof(chaos), "%u:order,ids", seed);
      draw(w, chaos, other);
      n += memcmp(other, usual, CAPTURED_B) != 0;
   }
   free(usual);
   free(other);
   return n;
}

static void
test_patches(void **state)
{
   assert_int_equal(differing(&(struct world) { own_hull, own_point }), 0);
   assert_true(differing(&(struct world) { counted_hull, own_point }) >
               SEEDS / 2);
}

static void
test_points(void **state)
{
   assert_true(differing(&(struct world) { own_hull, counted_point }) >
               SEEDS / 2);
}

static void
test_objects(void **state)
{
   assert_int_equal(differing(&(struct world) { .gs = own_object }), 0);
   assert_true(differing(&(struct world) { .gs = counted_object }) >
               SEEDS / 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_patches),
      cmocka_unit_test(test_points),
      cmocka_unit_test(test_objects),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
