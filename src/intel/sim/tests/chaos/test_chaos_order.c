/* SPDX-License-Identifier: MIT */
/*
 * Orders that nobody promises: a draw whose vertices do not know of each
 * other, and whose memory nobody changes before it has ended, gives the same
 * with every seed; one of others does not.
 */
#include <stdlib.h>
#include <string.h>

#include "intel/isl/isl.h"
#include "intel/sim/tests/sim_pipe.h"

#define SEEDS 16
#define POINTS 40

/* x and y of the vertex, or a number that each takes at DATA + 16. */
#define VERTEX(x)                                                            \
   "mov (8|M0) r10.0<1>:ud 0x200010:ud\n"                                    \
   "send (8|M0) r11 r10 0xC 0x0210B5FF\n"                                    \
   "(W) mov (8|M0) r112.0<1>:ud r1.0<8;8,1>:ud\n"                            \
   "mov (8|M0) r113.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r114.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r115.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r116.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r117.0<1>:ud " x ".0<8;8,1>:ud\n"                             \
   "mov (8|M0) r118.0<1>:ud r3.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r119.0<1>:ud r4.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r120.0<1>:ud r5.0<8;8,1>:ud\n"                                \
   "send (8|M0) null r112 0x26 0x12080007 {EOT}\n"

static const char own_text[] = VERTEX("r2"), counted_text[] = VERTEX("r11");

/* Of a strip, three vertices for each triangle. */
#define CAPTURED_DW (8 * 3 * (POINTS - 2))

struct world {
   const char *text;
   bool stores, waits, strip;
};

/* What the draw captures. */
static void
draw(const struct world *w, const char *chaos, uint32_t out[CAPTURED_DW])
{
   void *state;
   setenv("SAFFRON_SIM_CHAOS", chaos, 1);
   f_setup(&state);
   struct pipe p = pipe_start(&state);
   struct batch *b = &p.b;
   pipe_program(&p, w->text);
   pipe_element(&p, ISL_FORMAT_R32G32B32A32_UINT, 0, 0, SRC);
   pipe_emit_elements(&p);
   pipe_vertex_buffer(&p, 0, VERTICES, 4096, 32);
   for (unsigned i = 0; i < POINTS; i++) {
      for (unsigned k = 0; k < 4; k++)
         p.vertices.map[8 * i + k] = 1000 * i + k;
   }
   EMIT(b, 3DSTATE_VS, .Enable = true, .SIMD8DispatchEnable = true,
        .DispatchGRFStartRegisterForURBData = 2,
        .VertexURBEntryReadLength = 1, .MaximumNumberofThreads = 1);
   pipe_capture(&p, 65536);
   pipe_draw(&p, w->strip ? _3DPRIM_TRISTRIP : _3DPRIM_POINTLIST, POINTS);
   if (w->waits)
      EMIT(b, PIPE_CONTROL, .CommandStreamerStallEnable = true);
   if (w->stores)
      batch_store(b, VERTICES + 32 * (POINTS - 1) + 4, 7);
   run_ok(b);
   memcpy(out, p.so.map, 4 * CAPTURED_DW);
   assert_int_equal(p.vertices.map[8 * (POINTS - 1) + 1],
                    w->stores ? 7 : 1000 * (POINTS - 1) + 1);
   /* A vertex may be shaded more than once, but each is. */
   assert_true(b->data.map[4] >= POINTS);
   f_teardown(&state);
}

/* With how many seeds the draw captures something else than without. */
static unsigned
differing(const struct world *w)
{
   uint32_t usual[CAPTURED_DW], out[CAPTURED_DW];
   unsigned n = 0;
   draw(w, "", usual);
   for (unsigned seed = 0; seed < SEEDS; seed++) {
      char chaos[32];
      snprintf(chaos, sizeof(chaos), "%u:order,ids", seed);
      draw(w, chaos, out);
      n += memcmp(out, usual, sizeof(out)) != 0;
   }
   return n;
}

static void
test_vertices(void **state)
{
   assert_int_equal(differing(&(struct world) { own_text }), 0);
   assert_true(differing(&(struct world) { counted_text }) > SEEDS / 2);
}

/* Vertices of an open strip go on in the next window. */
static void
test_strip(void **state)
{
   assert_int_equal(
      differing(&(struct world) { own_text, false, false, true }), 0);
}

/* A store to vertices after the draw. */
static void
test_streamer_prefetch(void **state)
{
   assert_int_equal(differing(&(struct world) { own_text, true, true }), 0);
   assert_true(differing(&(struct world) { own_text, true, false }) >
               SEEDS / 8);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_vertices),
      cmocka_unit_test(test_strip),
      cmocka_unit_test(test_streamer_prefetch),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
