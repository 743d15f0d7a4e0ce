/* SPDX-License-Identifier: MIT */
/* State that commands set, of a pipeline which says the contrary. */
#include "vkt.h"
#include "util/macros.h"

#include "dynamic_position_vert.h"
#include "dynamic_white_frag.h"

#define SIZE 16

struct settings {
   VkPrimitiveTopology topology;
   bool discard, depth_test, depth_write, stencil_test, depth_bias;
   VkCullModeFlags cull;
   VkFrontFace front;
   VkCompareOp depth_compare, stencil_compare;
   uint32_t scissor_width;
   unsigned draws; /* before the last */
};

/* What draws all pixels. */
static const struct settings usual = {
   .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
   .depth_test = true,
   .depth_compare = VK_COMPARE_OP_LESS,
   .stencil_test = true,
   .stencil_compare = VK_COMPARE_OP_ALWAYS,
   .scissor_width = SIZE,
};

static void
set_state(VkCommandBuffer cmd, const void *data)
{
   const struct settings *s = data;
   const VkViewport viewport = { 0, 0, SIZE, SIZE, 0, 1 };
   const VkRect2D scissor = { .extent = { s->scissor_width, SIZE } };
   VKT_PROC(vkCmdSetViewportWithCountEXT)(cmd, 1, &viewport);
   VKT_PROC(vkCmdSetScissorWithCountEXT)(cmd, 1, &scissor);
   VKT_PROC(vkCmdSetPrimitiveTopologyEXT)(cmd, s->topology);
   VKT_PROC(vkCmdSetPrimitiveRestartEnableEXT)(cmd, VK_TRUE);
   VKT_PROC(vkCmdSetRasterizerDiscardEnableEXT)(cmd, s->discard);
   VKT_PROC(vkCmdSetCullModeEXT)(cmd, s->cull);
   VKT_PROC(vkCmdSetFrontFaceEXT)(cmd, s->front);
   VKT_PROC(vkCmdSetDepthBiasEnableEXT)(cmd, s->depth_bias);
   VKT_PROC(vkCmdSetDepthTestEnableEXT)(cmd, s->depth_test);
   VKT_PROC(vkCmdSetDepthWriteEnableEXT)(cmd, s->depth_write);
   VKT_PROC(vkCmdSetDepthCompareOpEXT)(cmd, s->depth_compare);
   VKT_PROC(vkCmdSetDepthBoundsTestEnableEXT)(cmd, VK_FALSE);
   VKT_PROC(vkCmdSetStencilTestEnableEXT)(cmd, s->stencil_test);
   VKT_PROC(vkCmdSetStencilOpEXT)
   (cmd, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP,
    VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, s->stencil_compare);
   for (unsigned i = 0; i < s->draws; i++)
      vkCmdDraw(cmd, 4, 1, 0, 0);
}

static const VkDynamicState dynamic[] = {
   VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT_EXT,
   VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT_EXT,
   VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY_EXT,
   VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE_EXT,
   VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE_EXT,
   VK_DYNAMIC_STATE_CULL_MODE_EXT,
   VK_DYNAMIC_STATE_FRONT_FACE_EXT,
   VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE_EXT,
   VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE_EXT,
   VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE_EXT,
   VK_DYNAMIC_STATE_DEPTH_COMPARE_OP_EXT,
   VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE_EXT,
   VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE_EXT,
   VK_DYNAMIC_STATE_STENCIL_OP_EXT,
   VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE_EXT,
};

/* Samples that passed, and the pixels that are not black. */
static uint64_t
draw(const struct settings *settings, const uint16_t *indices, unsigned count,
     unsigned *white)
{
   /* Each is followed by one that is not to be seen. */
   static const float vertices[8][4] = {
      { -1, -1, 0.5f, 1 }, { 9, 9, 9, -1 },    { 1, -1, 0.5f, 1 },
      { 9, 9, 9, -1 },     { -1, 1, 0.5f, 1 }, { 9, 9, 9, -1 },
      { 1, 1, 0.5f, 1 },   { 9, 9, 9, -1 },
   };
   /* 2^24 steps of 2^-24 each: behind all. */
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .rasterizerDiscardEnable = VK_TRUE,
                  .cullMode = VK_CULL_MODE_FRONT_AND_BACK,
                  .depthBiasEnable = VK_TRUE,
                  .depthBiasConstantFactor = 16777216.0f, .lineWidth = 1.0f);
   const VKT_INFO(PipelineDepthStencilStateCreateInfo, depth,
                  .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE,
                  .depthCompareOp = VK_COMPARE_OP_NEVER,
                  .stencilTestEnable = VK_TRUE,
                  .front = { .compareOp = VK_COMPARE_OP_NEVER },
                  .back = { .compareOp = VK_COMPARE_OP_NEVER });
   uint32_t px[SIZE * SIZE];
   uint64_t samples;
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = vertices, .attributes = 1,
                       .vertex_count = indices ? 8 : 4, .indices = indices,
                       .index_count = count, .width = SIZE, .height = SIZE,
                       .raster = &raster, .depth_stencil = &depth,
                       .dynamic = dynamic,
                       .dynamic_count = ARRAY_SIZE(dynamic),
                       .set_state = set_state, .data = settings,
                       .stride_B = indices ? 16 : 32, .query = &samples,
                       .query_type = VK_QUERY_TYPE_OCCLUSION),
            px);
   *white = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      *white += px[i] != 0;
   return samples;
}

static unsigned
white(const struct settings *settings)
{
   unsigned n;
   (void)draw(settings, NULL, 0, &n);
   return n;
}

#define WITH(...)                                                            \
   ({                                                                        \
      struct settings s = usual;                                             \
      __VA_ARGS__;                                                           \
      white(&s);                                                             \
   })

static void
test_primitives(void **state)
{
   const unsigned all = SIZE * SIZE;
   assert_int_equal(WITH((void)0), all);
   assert_int_equal(WITH(s.discard = true), 0);
   assert_int_equal(WITH(s.cull = VK_CULL_MODE_FRONT_AND_BACK), 0);
   assert_int_equal(WITH(s.cull = VK_CULL_MODE_BACK_BIT;
                         s.front = VK_FRONT_FACE_CLOCKWISE),
                    all);
   assert_int_equal(WITH(s.cull = VK_CULL_MODE_BACK_BIT;
                         s.front = VK_FRONT_FACE_COUNTER_CLOCKWISE),
                    0);
   assert_int_equal(WITH(s.scissor_width = 5), 5 * SIZE);
   assert_in_range(WITH(s.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST),
                   all / 2 - SIZE, all / 2 + SIZE);
}

static void
test_depth_and_stencil(void **state)
{
   const unsigned all = SIZE * SIZE;
   assert_int_equal(WITH(s.depth_compare = VK_COMPARE_OP_GREATER), 0);
   assert_int_equal(WITH(s.depth_compare = VK_COMPARE_OP_GREATER;
                         s.depth_test = false),
                    all);
   /* In strict mode: writes are off then (chip-rules FF-69). */
   assert_int_equal(
      WITH(s.depth_compare = VK_COMPARE_OP_EQUAL; s.depth_write = true), 0);
   assert_int_equal(WITH(s.depth_bias = true), 0);
   assert_int_equal(WITH(s.stencil_compare = VK_COMPARE_OP_NOT_EQUAL), 0);
   assert_int_equal(WITH(s.stencil_compare = VK_COMPARE_OP_NOT_EQUAL;
                         s.stencil_test = false),
                    all);
   /* The first of two draws hides the second if it is written. */
   struct settings s = usual;
   unsigned n;
   s.draws = 1;
   assert_int_equal(draw(&s, NULL, 0, &n), 2 * all);
   s.depth_write = true;
   assert_int_equal(draw(&s, NULL, 0, &n), all);
}

/* One triangle and two vertices of another. */
static void
test_restart(void **state)
{
   static const uint16_t indices[] = { 0, 2, 4, 0xffff, 4, 6 };
   unsigned n;
   (void)draw(&usual, indices, ARRAY_SIZE(indices), &n);
   assert_in_range(n, SIZE * SIZE / 2 - SIZE, SIZE * SIZE / 2 + SIZE);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_primitives),
      cmocka_unit_test(test_depth_and_stencil),
      cmocka_unit_test(test_restart),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
