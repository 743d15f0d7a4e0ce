/* SPDX-License-Identifier: MIT */
/* Transform feedback: what is captured, where, and how it is counted. */
#include "util/macros.h"
#include "vkt.h"

#include <string.h>

#include "xfb_capture_blocks_vert.h"
#include "xfb_capture_cull_vert.h"
#include "xfb_capture_nested_vert.h"
#include "xfb_capture_nothing_vert.h"
#include "xfb_point_vert.h"
#include "xfb_streams_geom.h"
#include "xfb_white_frag.h"

#define UNTOUCHED 0xcdcdcdcd

static struct vkt_scene
points(struct vkt_shader vs, uint32_t count)
{
   return VKT_SCENE(.vs = vs, .fs = VKT_SHADER(white_frag),
                    .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                    .vertex_count = count, .width = 4, .height = 4);
}

static void
check_floats(const struct vkt_buffer *b, unsigned first, unsigned n,
             const float *want)
{
   const float *got = (const float *)b->map + first;
   for (unsigned i = 0; i < n; i++) {
      if (got[i] != want[i])
         fail_msg("value %u is %g, not %g", first + i, (double)got[i],
                  (double)want[i]);
   }
}

/* Both blocks went to the buffer of the first. */
static void
test_block_instances(void **state)
{
   struct vkt_buffer b[3];
   struct vkt_scene s = points(VKT_SHADER(capture_blocks_vert), 2);
   for (unsigned i = 0; i < 3; i++) {
      b[i] = vkt_buffer_create(64);
      s.xfb[i] = &b[i];
   }
   vkt_draw(&s, NULL);
   check_floats(&b[0], 1, 1, (float[]) { 7 });
   check_floats(&b[0], 3, 1, (float[]) { 107 });
   check_floats(&b[1], 0, 12,
                (float[]) { 1, 2, 3, 4, 5, 6, 101, 102, 103, 104, 105, 106 });
   check_floats(&b[2], 0, 12,
                (float[]) { 11, 12, 13, 14, 15, 16, 111, 112, 113, 114, 115,
                            116 });
   assert_int_equal(((uint32_t *)b[0].map)[0], UNTOUCHED);
   assert_int_equal(((uint32_t *)b[2].map)[12], UNTOUCHED);
   for (unsigned i = 0; i < 3; i++)
      vkt_buffer_destroy(&b[i]);
}

/* Distances to cull by lie after those to clip by. */
static void
test_cull_distances(void **state)
{
   struct vkt_buffer b = vkt_buffer_create(64);
   struct vkt_scene s = points(VKT_SHADER(capture_cull_vert), 2);
   s.xfb[0] = &b;
   vkt_draw(&s, NULL);
   check_floats(&b, 0, 12,
                (float[]) { 1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16 });
   vkt_buffer_destroy(&b);
}

/* A structure with a double in it begins and ends at multiples of eight, and
 * so does what holds it: glslang placed the member after them, at 40. */
static void
test_nested_doubles(void **state)
{
   const double three = 3;
   struct vkt_buffer b = vkt_buffer_create(64);
   struct vkt_scene s = points(VKT_SHADER(capture_nested_vert), 1);
   s.xfb[0] = &b;
   vkt_draw(&s, NULL);
   check_floats(&b, 0, 1, (float[]) { 1 });
   check_floats(&b, 2, 1, (float[]) { 2 });
   assert_memory_equal((char *)b.map + 16, &three, sizeof(three));
   check_floats(&b, 6, 1, (float[]) { 4 });
   check_floats(&b, 8, 1, (float[]) { 5 });
   check_floats(&b, 10, 1, (float[]) { 6 });
   vkt_buffer_destroy(&b);
}

/* An output that no instruction writes has a place in the record; primitives
 * are counted as long as they fit. */
static void
test_unwritten(void **state)
{
   struct vkt_buffer b = vkt_buffer_create(48);
   uint64_t counted[2] = { 99, 99 }; /* written, needed */
   struct vkt_scene s = points(VKT_SHADER(capture_nothing_vert), 4);
   s.xfb[0] = &b;
   s.query = counted;
   s.query_type = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT;
   vkt_draw(&s, NULL);
   assert_int_equal(counted[0], 3);
   assert_int_equal(counted[1], 4);
   vkt_buffer_destroy(&b);
}

/* As many vertices as whole records were written. */
static void
test_byte_count(void **state)
{
   static const struct {
      uint32_t bytes, less, stride_B, want;
   } cases[] = {
      { 0, 0, 4, 0 },
      { 3, 0, 4, 0 },
      { 100, 0, 20, 5 },
      { 119, 0, 20, 5 },
      { 112, 12, 20, 5 },
      { 111, 12, 20, 4 },
      { 300 * 512, 0, 512, 300 },
      { 0xfffffff0, 0xffffff00, 4, 60 },
   };
   struct vkt_buffer b = vkt_buffer_create(4);
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      uint64_t vertices = 99;
      struct vkt_scene s = points(VKT_SHADER(capture_nothing_vert), 1);
      s.counter = &b;
      s.counter_less = cases[i].less;
      s.counter_stride_B = cases[i].stride_B;
      s.query = &vertices;
      s.query_type = VK_QUERY_TYPE_PIPELINE_STATISTICS;
      s.statistics = VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT;
      memcpy(b.map, &cases[i].bytes, 4);
      vkt_draw(&s, NULL);
      assert_int_equal(vertices, cases[i].want);
   }
   vkt_buffer_destroy(&b);
}

static void
set_stream(VkCommandBuffer cmd, const void *data)
{
   VKT_PROC(vkCmdSetRasterizationStreamEXT)(cmd, *(const uint32_t *)data);
}

/* Nothing is captured, and one of two streams is drawn: that of the pipeline,
 * or of a command. */
static void
test_rasterized_stream(void **state)
{
   static const float position[4] = { 0, 0, 0, 1 };
   static const VkDynamicState dynamic =
      VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT;
   for (unsigned i = 0; i < 8; i++) {
      const uint32_t stream = i % 2;
      const bool late = i & 2, with_shader = i & 4;
      const VKT_INFO(PipelineRasterizationStateStreamCreateInfoEXT, select,
                     .rasterizationStream = late ? !stream : stream);
      const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                     .pNext = &select, .lineWidth = 1.0f);
      struct vkt_scene s = points(VKT_SHADER(point_vert), 1);
      if (with_shader)
         s.gs = VKT_SHADER(streams_geom);
      s.raster = &raster;
      s.dynamic = &dynamic;
      s.dynamic_count = late;
      s.set_state = late ? set_stream : NULL;
      s.data = &stream;
      s.vertices = position;
      s.attributes = 1;
      uint32_t px[16];
      vkt_draw(&s, px);
      unsigned left = 0, right = 0;
      for (unsigned i = 0; i < 16; i++)
         *(i % 4 < 2 ? &left : &right) += px[i] != 0;
      if (with_shader) {
         assert_int_equal(left, stream == 0);
         assert_int_equal(right, stream == 1);
      } else { /* the only stream is the first */
         assert_int_equal(left + right, stream == 0);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_block_instances),
      cmocka_unit_test(test_cull_distances),
      cmocka_unit_test(test_nested_doubles),
      cmocka_unit_test(test_unwritten),
      cmocka_unit_test(test_byte_count),
      cmocka_unit_test(test_rasterized_stream),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
