/* SPDX-License-Identifier: MIT */
/* Lines and points of each kind, and what a shader says of coverage. */
#include "util/macros.h"
#include "vkt.h"

#include <string.h>

#include "raster_color_frag.h"
#include "raster_color_vert.h"
#include "raster_flat_frag.h"
#include "raster_flat_vert.h"
#include "raster_mask_frag.h"
#include "raster_point_vert.h"
#include "raster_position_vert.h"
#include "raster_post_depth_frag.h"
#include "raster_white_frag.h"

#define SIZE 32

struct vertex {
   float position[4], color[4];
};

static float
ndc(float px)
{
   return px / (SIZE / 2) - 1;
}

static struct vertex
vertex(float x, float y, float grey)
{
   return (struct vertex) { { ndc(x), ndc(y), 0, 1 },
                            { grey, grey, grey, grey } };
}

struct kind {
   VkLineRasterizationModeEXT mode;
   float width;
   uint32_t stipple_factor; /* 0: none */
   uint16_t stipple_pattern;
   VkSampleCountFlagBits samples; /* 0: one */
};

static void
draw_line(const struct kind *k, const struct vertex v[2], uint32_t *px)
{
   const VKT_INFO(PipelineRasterizationLineStateCreateInfoEXT, line,
                  .lineRasterizationMode = k->mode,
                  .stippledLineEnable = k->stipple_factor > 0,
                  .lineStippleFactor = k->stipple_factor,
                  .lineStipplePattern = k->stipple_pattern);
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .pNext = &line, .lineWidth = k->width);
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(color_vert),
                       .fs = VKT_SHADER(color_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                       .vertices = v[0].position, .attributes = 2,
                       .vertex_count = 2, .width = SIZE, .height = SIZE,
                       .samples = k->samples, .raster = &raster),
            px);
}

static unsigned
grey_at(const uint32_t *px, unsigned x, unsigned y)
{
   return px[y * SIZE + x] & 0xff;
}

static void
expect_grey(const uint32_t *px, unsigned x, unsigned y, unsigned want)
{
   if (grey_at(px, x, y) != want)
      fail_msg("pixel %u, %u is %u, not %u", x, y, grey_at(px, x, y), want);
}

/* Vulkan, "Bresenham Line Segment Rasterization": what lies on a boundary is
 * moved up and to the left. */
static void
test_line_between_rows(void **state)
{
   const struct kind k = { VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT, 1 };
   const struct vertex v[2] = { vertex(4.5f, 10, 1), vertex(20.5f, 10, 1) };
   uint32_t px[SIZE * SIZE];
   draw_line(&k, v, px);
   for (unsigned x = 4; x < 20; x++) {
      expect_grey(px, x, 9, 255);
      expect_grey(px, x, 10, 0);
   }
}

/* The ends of a rectangular line are at right angles to it, and its colours
 * go with the nearest point of the line; it was a parallelogram. */
static void
test_rectangular_line(void **state)
{
   const struct kind k = { VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT, 6 };
   const struct vertex v[2] = { vertex(10, 8, 0.5f), vertex(20, 16, 0.5f) };
   uint32_t px[SIZE * SIZE];
   draw_line(&k, v, px);
   assert_true(grey_at(px, 9, 9) > 0);
   expect_grey(px, 19, 18, 0);
}

/* As many rows as the line is wide, up to the limit. */
static void
test_wide_lines(void **state)
{
   const VkPhysicalDeviceProperties p = vkt_properties(NULL);
   const float most = p.limits.lineWidthRange[1];
   assert_true(most > 7);
   for (float width = 1; width < most + 1; width += 1) {
      const struct kind k = { VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT,
                              MIN2(width, most) };
      const float middle = (unsigned)width % 2 ? 16.5f : 16;
      const struct vertex v[2] = { vertex(4, middle, 1),
                                   vertex(20, middle, 1) };
      uint32_t px[SIZE * SIZE];
      unsigned rows = 0;
      draw_line(&k, v, px);
      for (unsigned y = 0; y < SIZE; y++)
         rows += grey_at(px, 12, y) == 255;
      assert_int_equal(rows, (unsigned)width);
   }
}

/* The pattern in steps of two pixels. */
static void
test_stippled_line(void **state)
{
   const struct kind k = { VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT, 1, 2,
                           0x00c5 };
   const struct vertex v[2] = { vertex(2.5f, 10.5f, 1),
                                vertex(20.5f, 10.5f, 1) };
   uint32_t px[SIZE * SIZE];
   draw_line(&k, v, px);
   for (unsigned x = 2; x < 20; x++)
      expect_grey(px, x, 10, 0xc5 >> (x - 2) / 2 & 1 ? 255 : 0);
}

/* Coverage goes to alpha, and not to samples: rows 10 and 11 share a line at
 * 10.75. */
static void
check_smooth_line(VkSampleCountFlagBits samples)
{
   const struct kind k = {
      .mode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT,
      .width = 1,
      .samples = samples,
   };
   const struct vertex v[2] = { vertex(4, 10.75f, 1), vertex(20, 10.75f, 1) };
   uint32_t px[SIZE * SIZE];
   draw_line(&k, v, px);
   for (unsigned x = 6; x < 18; x++) {
      const unsigned upper = px[10 * SIZE + x] >> 24;
      const unsigned lower = px[11 * SIZE + x] >> 24;
      assert_in_range(upper, 160, 224);
      assert_in_range(lower, 32, 96);
      assert_int_equal(px[9 * SIZE + x] >> 24, 0);
      assert_int_equal(px[12 * SIZE + x] >> 24, 0);
      expect_grey(px, x, 10, 255);
      expect_grey(px, x, 11, 255);
   }
}

static void
test_smooth_line(void **state)
{
   check_smooth_line(VK_SAMPLE_COUNT_1_BIT);
   check_smooth_line(VK_SAMPLE_COUNT_4_BIT);
}

/* gl_SampleMask counts for a single sample, too (Vulkan, "Sample Mask"). */
static void
test_sample_mask_of_one(void **state)
{
   const struct vertex v[3] = { vertex(0, 0, 1), vertex(2 * SIZE, 0, 1),
                                vertex(0, 2 * SIZE, 1) };
   uint32_t px[SIZE * SIZE];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(color_vert),
                       .fs = VKT_SHADER(mask_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = v[0].position, .attributes = 2,
                       .vertex_count = 3, .width = SIZE, .height = SIZE),
            px);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      expect_grey(px, i % SIZE, i / SIZE, i & 1 ? 255 : 0);
}

/* A point is as large as it is, though its centre is outside of the viewport
 * (pointClippingBehavior: user clip planes only). */
static void
test_point_at_the_edge(void **state)
{
   const float point[4] = { ndc(-3), ndc(16), 0, 10 };
   uint32_t px[SIZE * SIZE];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(point_vert),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                       .vertices = point, .attributes = 1, .vertex_count = 1,
                       .width = SIZE, .height = SIZE),
            px);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++)
         expect_grey(px, x, y, x < 2 && y >= 11 && y < 21 ? 255 : 0);
   }
}

/* Triangles and lines that end between the viewport and the guard band are
 * drawn up to the viewport, also to a mirrored one. */
static void
test_nothing_outside_of_the_viewport(void **state)
{
   static const VkViewport viewports[] = { { 8, 12, 16, 10, 0, 1 },
                                           { 8, 22, 16, -10, 0, 1 } };
   static const float triangle[] = { -9, -9, 0, 1, 9, -9, 0, 1, 0, 9, 0, 1 };
   static const float line[] = { -9, 0.05f, 0, 1, 9, 0.05f, 0, 1 };
   for (unsigned i = 0; i < 4; i++) {
      const bool is_line = i & 1;
      uint32_t px[SIZE * SIZE];
      vkt_draw(
         &VKT_SCENE(.vs = VKT_SHADER(position_vert),
                    .fs = VKT_SHADER(white_frag),
                    .topology = is_line ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST
                                        : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                    .vertices = is_line ? line : triangle, .attributes = 1,
                    .vertex_count = is_line ? 2 : 3, .width = SIZE,
                    .height = SIZE, .viewport = &viewports[i / 2]),
         px);
      for (unsigned p = 0; p < SIZE * SIZE; p++) {
         const unsigned x = p % SIZE, y = p / SIZE;
         const bool in_x = x >= 8 && x < 24;
         const bool in_y = is_line ? y == (i == 1 ? 17 : 16)
                                   : y >= 12 && y < 22;
         expect_grey(px, x, y, in_x && in_y ? 255 : 0);
      }
   }
}

/* ---- fans that restart ---- */

#define CUT 0xffff

/* The first two are not drawn; fans of two triangles, three, none and one. */
static const uint16_t fans[] = { 8, 7, 0,   1,   2, 3, CUT, 4, 5, 6,
                                 7, 8, CUT, CUT, 0, 4, CUT, 5, 7, 2 };
#define FANS_FIRST 2

#define TYPE(name) VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_##name
#define PROVOKING_VERTEX TYPE(PROVOKING_VERTEX_STATE_CREATE_INFO_EXT)

/* Corners of the fans, each of the others, and the next one. */
static const uint16_t fan_triangles[][3] = {
   { 0, 1, 2 }, { 0, 2, 3 }, { 4, 5, 6 },
   { 4, 6, 7 }, { 4, 7, 8 }, { 5, 7, 2 },
};

/* A list of them; as Vulkan has it, a fan's first vertex is the last that
 * could be the provoking one. */
static uint32_t
list_fans(bool last, uint16_t *list)
{
   for (unsigned i = 0; i < ARRAY_SIZE(fan_triangles); i++) {
      const uint16_t *t = fan_triangles[i];
      for (unsigned c = 0; c < 3; c++)
         list[3 * i + c] = t[last ? c : (c + 1) % 3];
   }
   return 3 * ARRAY_SIZE(fan_triangles);
}

static void
check_fans(bool last, VkPolygonMode mode, bool indirect)
{
   static const float at[9][2] = {
      { 2, 3 },  { 13, 1 },  { 14, 9 },  { 4, 12 },  { 17, 16 },
      { 30, 3 }, { 31, 14 }, { 25, 29 }, { 12, 31 },
   };
   struct vertex v[9];
   for (unsigned i = 0; i < ARRAY_SIZE(v); i++)
      v[i] = vertex(at[i][0], at[i][1], (float)(i + 1) / 10);
   const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT
      provoking = {
         .sType = PROVOKING_VERTEX,
         .provokingVertexMode =
            last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                 : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT,
      };
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .pNext = &provoking, .polygonMode = mode, .lineWidth = 1);
   uint16_t list[3 * ARRAY_SIZE(fan_triangles)];
   struct vkt_scene s =
      VKT_SCENE(.vs = VKT_SHADER(flat_vert), .fs = VKT_SHADER(flat_frag),
                .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                .raster = &raster, .vertices = v[0].position, .attributes = 2,
                .vertex_count = ARRAY_SIZE(v), .width = SIZE, .height = SIZE,
                .indices = list, .index_count = list_fans(last, list));
   static uint32_t want[SIZE * SIZE], got[SIZE * SIZE];
   vkt_draw(&s, want);
   s.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
   s.indices = fans;
   s.first_index = FANS_FIRST;
   s.index_count = ARRAY_SIZE(fans) - FANS_FIRST;
   s.indirect = indirect;
   vkt_draw(&s, got);
   unsigned lit = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++) {
      lit += want[i] != 0;
      if (got[i] != want[i])
         fail_msg("pixel %u, %u: 0x%08x, not 0x%08x", i % SIZE, i / SIZE,
                  got[i], want[i]);
   }
   assert_true(lit > SIZE);
}

static void
test_fans(void **state)
{
   for (unsigned last = 0; last < 2; last++) {
      for (unsigned indirect = 0; indirect < 2; indirect++) {
         check_fans(last, VK_POLYGON_MODE_FILL, indirect);
         check_fans(last, VK_POLYGON_MODE_LINE, indirect);
      }
   }
}

/* A whole target at a depth of clip space: is it seen, and where in the depth
 * range is it? */
static bool
seen_in(const VkViewport *viewport, float clear, bool negative_one_to_one,
        float z, VkCompareOp op)
{
   const float quad[4][4] = {
      { -1, -1, z, 1 }, { 1, -1, z, 1 }, { -1, 1, z, 1 }, { 1, 1, z, 1 }
   };
   const VKT_INFO(PipelineDepthStencilStateCreateInfo, depth,
                  .depthTestEnable = VK_TRUE, .depthCompareOp = op);
   uint32_t px[SIZE * SIZE];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(point_vert),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                       .vertices = quad, .attributes = 1, .vertex_count = 4,
                       .width = SIZE, .height = SIZE, .depth_stencil = &depth,
                       .viewport = viewport, .depth_clear_below_1 = 1 - clear,
                       .negative_one_to_one = negative_one_to_one),
            px);
   return px[SIZE * SIZE / 2 + SIZE / 2] != 0;
}

static bool
seen_behind(bool negative_one_to_one, float z, VkCompareOp op)
{
   return seen_in(NULL, 1, negative_one_to_one, z, op);
}

/* Depth from the first to the second number, whichever is larger; what lies
 * beyond either end is clipped, and no more. */
static void
test_depth_ranges(void **state)
{
   static const float ranges[][2] = {
      { 0, 1 }, { 1, 0 }, { 0.25f, 0.75f }, { 0.75f, 0.25f }, { 0.5f, 0.5f },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      const float *r = ranges[i];
      const VkViewport viewport = { 0, 0, SIZE, SIZE, r[0], r[1] };
      for (float z = 0; z <= 1; z += 0.25f)
         assert_true(seen_in(&viewport, r[0] + z * (r[1] - r[0]), false, z,
                             VK_COMPARE_OP_EQUAL));
      assert_false(
         seen_in(&viewport, 0.5f, false, -0.25f, VK_COMPARE_OP_ALWAYS));
      assert_false(
         seen_in(&viewport, 0.5f, false, 1.25f, VK_COMPARE_OP_ALWAYS));
   }
}

/* VK_EXT_depth_clip_control; the buffer is cleared to 1. */
static void
test_depth_of_clip_space(void **state)
{
   assert_false(seen_behind(false, -0.5f, VK_COMPARE_OP_ALWAYS));
   assert_true(seen_behind(true, -0.5f, VK_COMPARE_OP_ALWAYS));
   assert_false(seen_behind(true, -1.5f, VK_COMPARE_OP_ALWAYS));
   assert_true(seen_behind(false, 1, VK_COMPARE_OP_EQUAL));
   assert_true(seen_behind(true, 1, VK_COMPARE_OP_EQUAL));
   assert_true(seen_behind(true, 0.9f, VK_COMPARE_OP_LESS));
}

static bool
has_extension(const char *name)
{
   VkExtensionProperties props[256];
   uint32_t n = 256;
   VKT_CHECK(vkEnumerateDeviceExtensionProperties(vkt.pdev, NULL, &n, props));
   for (uint32_t i = 0; i < n; i++) {
      if (!strcmp(props[i].extensionName, name))
         return true;
   }
   return false;
}

/* A triangle in front of another one, which then has no pixel on the edge of
 * the first that it covers as a whole. */
static void
test_post_depth_coverage(void **state)
{
   if (!has_extension("VK_EXT_post_depth_coverage"))
      skip();
   static const float vertices[6][4] = {
      { -1, -1, 0.25f, 1 }, { 0.7f, -1, 0.25f, 1 }, { -1, 0.6f, 0.25f, 1 },
      { -1, -1, 0.5f, 1 },  { 3, -1, 0.5f, 1 },     { -1, 3, 0.5f, 1 },
   };
   const VKT_INFO(PipelineDepthStencilStateCreateInfo, depth,
                  .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE,
                  .depthCompareOp = VK_COMPARE_OP_LESS);
   uint32_t px[SIZE * SIZE];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(point_vert),
                       .fs = VKT_SHADER(post_depth_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = vertices, .attributes = 1,
                       .vertex_count = 6, .width = SIZE, .height = SIZE,
                       .samples = VK_SAMPLE_COUNT_4_BIT,
                       .depth_stencil = &depth),
            px);
   unsigned edge = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++) {
      const unsigned red = px[i] & 0xff;
      assert_int_equal(px[i] >> 8 & 0xff, 255);
      assert_true(red == 0 || red == 255);
      edge += red == 0;
   }
   assert_in_range(edge, SIZE / 2, 3 * SIZE);
}

/* ---- conservative rasterization ---- */

static void
set_conservative(VkCommandBuffer cmd, const void *data)
{
   const bool *on = data;
   VKT_PROC(vkCmdSetConservativeRasterizationModeEXT)
   (cmd, *on ? VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT
             : VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT);
}

/* `says`: the pipeline does; `sets`: a command, after that. */
static void
draw_conservative(bool says, const bool *sets, VkSampleCountFlagBits samples,
                  uint32_t *px)
{
   static const VkDynamicState dynamic =
      VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT;
   const float vertices[3][4] = { { ndc(10.125f), ndc(10.125f), 0, 1 },
                                  { ndc(12.75f), ndc(10.125f), 0, 1 },
                                  { ndc(10.125f), ndc(12.75f), 0, 1 } };
   const VKT_INFO(PipelineRasterizationConservativeStateCreateInfoEXT, mode,
                  .conservativeRasterizationMode =
                     says
                        ? VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT
                        : VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT);
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .pNext = &mode, .lineWidth = 1.0f);
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = vertices, .attributes = 1,
                       .vertex_count = 3, .width = SIZE, .height = SIZE,
                       .samples = samples, .raster = &raster,
                       .dynamic = &dynamic, .dynamic_count = sets ? 1 : 0,
                       .set_state = sets ? set_conservative : NULL,
                       .data = sets),
            px);
}

/* The pixels whose first corner is this side of the long edge are touched,
 * and then all of their samples; those whose centre is are drawn else. */
static void
test_conservative(void **state)
{
   if (!has_extension("VK_EXT_conservative_rasterization"))
      skip();
   const bool on = true, off = false;
   uint32_t px[SIZE * SIZE], same[SIZE * SIZE];
   for (unsigned samples = 1; samples <= 4; samples *= 4) {
      draw_conservative(true, NULL, samples, px);
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            const bool in = x >= 10 && y >= 10 && x + y < 23;
            assert_int_equal(px[y * SIZE + x], in ? ~0u : 0);
         }
      }
      draw_conservative(false, &on, samples, same);
      assert_memory_equal(same, px, sizeof(px));
   }
   draw_conservative(true, &off, VK_SAMPLE_COUNT_1_BIT, px);
   unsigned drawn = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      drawn += px[i] != 0;
   assert_int_equal(drawn, 3);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_line_between_rows),
      cmocka_unit_test(test_rectangular_line),
      cmocka_unit_test(test_wide_lines),
      cmocka_unit_test(test_stippled_line),
      cmocka_unit_test(test_smooth_line),
      cmocka_unit_test(test_sample_mask_of_one),
      cmocka_unit_test(test_point_at_the_edge),
      cmocka_unit_test(test_nothing_outside_of_the_viewport),
      cmocka_unit_test(test_fans),
      cmocka_unit_test(test_depth_of_clip_space),
      cmocka_unit_test(test_depth_ranges),
      cmocka_unit_test(test_post_depth_coverage),
      cmocka_unit_test(test_conservative),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
