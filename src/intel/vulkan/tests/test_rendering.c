/* SPDX-License-Identifier: MIT */
/* Drawing without a render pass gives the pictures of one. */
#include "util/macros.h"
#include "vkt.h"

#include "rendering_color_frag.h"
#include "rendering_color_vert.h"
#include "rendering_patch_vert.h"
#include "rendering_view_frag.h"
#include "rendering_view_vert.h"
#include "rendering_white_frag.h"

#define SIZE 16
#define LAYERS 4

static const VKT_INFO(PipelineDepthStencilStateCreateInfo, less,
                      .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE,
                      .depthCompareOp = VK_COMPARE_OP_LESS,
                      .stencilTestEnable = VK_TRUE,
                      .front = { .passOp = VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                                 .compareOp = VK_COMPARE_OP_EQUAL,
                                 .compareMask = 0xff,
                                 .writeMask = 0xff },
                      .back = { .passOp = VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                                .compareOp = VK_COMPARE_OP_EQUAL,
                                .compareMask = 0xff,
                                .writeMask = 0xff });

/* Two triangles; where both are the first alone is seen, as it takes stencil
 * from 0. A quarter of each is behind the far plane's clear value. */
static const float triangles[][2][4] = {
   { { -1, -1, 0.9f, 1 }, { 1, 0, 0, 1 } },
   { { 1, -1, 0.2f, 1 }, { 1, 1, 0, 1 } },
   { { -1, 1, 0.2f, 1 }, { 1, 0, 1, 1 } },
   { { 1, 1, 0.9f, 1 }, { 0, 0, 1, 1 } },
   { { 1, -1, 0.1f, 1 }, { 0, 1, 1, 1 } },
   { { -1, -1, 0.1f, 1 }, { 0, 1, 0, 1 } },
};

static const float column[] = {
   -1, -1, 0, 1, -1 + 2.0f / SIZE, -1, 0, 1,
   -1, 1,  0, 1, -1 + 2.0f / SIZE, 1,  0, 1,
};

static void
expect_same(struct vkt_scene s, unsigned layers)
{
   static uint32_t want[LAYERS * SIZE * SIZE], got[LAYERS * SIZE * SIZE];
   const size_t size_B = (size_t)layers * SIZE * SIZE * 4;
   s.width = s.height = SIZE;
   vkt_draw(&s, want);
   unsigned black = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      black += want[i] == 0;
   assert_true(black > SIZE && black < SIZE * SIZE);
   for (unsigned parts = 0; parts < 2; parts++) {
      s.in_parts = parts;
      for (s.way = VKT_IN_PASS; s.way <= VKT_IN_RECORDED; s.way++) {
         memset(got, 0x5a, sizeof(got));
         vkt_draw(&s, got);
         assert_memory_equal(got, want, size_B);
      }
   }
}

static struct vkt_scene
scene(VkSampleCountFlagBits samples)
{
   return VKT_SCENE(.vs = VKT_SHADER(color_vert),
                    .fs = VKT_SHADER(color_frag),
                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                    .vertices = triangles, .attributes = 2,
                    .vertex_count = ARRAY_SIZE(triangles), .samples = samples,
                    .depth_stencil = &less, .depth_clear_below_1 = 0.25f);
}

static void
test_depth_stencil(void **state)
{
   expect_same(scene(VK_SAMPLE_COUNT_1_BIT), 1);
}

/* A triangle from behind, whose state is the back's; then one from before,
 * which is seen where it finds another stencil than that should have left. */
static void
test_two_sides(void **state)
{
   static const float seen[][2][4] = {
      { { -1, -1, 0, 1 }, { 1, 0, 0, 1 } },
      { { 3, -1, 0, 1 }, { 1, 0, 0, 1 } },
      { { -1, 3, 0, 1 }, { 1, 0, 0, 1 } },
      { { -1, -1, 0, 1 }, { 0, 1, 0, 1 } },
      { { -1, 3, 0, 1 }, { 0, 1, 0, 1 } },
      { { 3, -1, 0, 1 }, { 0, 1, 0, 1 } },
   };
   static const struct {
      VkStencilOpState back;
      uint32_t left, color;
   } rows[] = {
      { { .passOp = VK_STENCIL_OP_REPLACE,
          .compareOp = VK_COMPARE_OP_ALWAYS,
          .writeMask = 0x0f,
          .reference = 0xff },
        0x0f,
        0xff0000ff },
      { { .passOp = VK_STENCIL_OP_REPLACE,
          .compareOp = VK_COMPARE_OP_EQUAL,
          .compareMask = 0xcc,
          .writeMask = 0xff,
          .reference = 0x33 },
        0x33,
        0xff0000ff },
      { { .failOp = VK_STENCIL_OP_INVERT,
          .compareOp = VK_COMPARE_OP_NEVER,
          .writeMask = 0xff },
        0xff,
        0 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const VkPipelineDepthStencilStateCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
         .stencilTestEnable = VK_TRUE,
         .front = { .compareOp = VK_COMPARE_OP_NOT_EQUAL,
                    .compareMask = 0xff,
                    .writeMask = 0xff,
                    .reference = rows[i].left },
         .back = rows[i].back,
      };
      struct vkt_scene s = scene(VK_SAMPLE_COUNT_1_BIT);
      uint32_t px[SIZE * SIZE];
      s.width = s.height = SIZE;
      s.vertices = seen;
      s.vertex_count = ARRAY_SIZE(seen);
      s.depth_stencil = &info;
      vkt_draw(&s, px);
      for (unsigned k = 0; k < ARRAY_SIZE(px); k++)
         assert_int_equal(px[k], rows[i].color);
   }
}

static void
test_resolved(void **state)
{
   expect_same(scene(VK_SAMPLE_COUNT_4_BIT), 1);
}

static void
test_views(void **state)
{
   expect_same(VKT_SCENE(.vs = VKT_SHADER(view_vert),
                         .fs = VKT_SHADER(view_frag),
                         .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                         .vertices = column, .attributes = 1,
                         .vertex_count = 4, .view_mask = (1u << LAYERS) - 1),
               LAYERS);
}

/* ---- parts of a depth and stencil image, and what is resolved of it ---- */

static const VkFormat ds_format = VK_FORMAT_D32_SFLOAT_S8_UINT;

static void
read_ds(const struct vkt_image *image, float *depth, uint8_t *stencil)
{
   struct vkt_buffer b = vkt_buffer_create(SIZE * SIZE * 8);
   VkBufferImageCopy region[2] = {
      { .imageSubresource = { VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1 },
        .imageExtent = { SIZE, SIZE, 1 } },
   };
   region[1] = region[0];
   region[1].imageSubresource.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
   region[1].bufferOffset = SIZE * SIZE * 4;
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL,
                          b.buffer, 2, region);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   *depth = ((float *)b.map)[SIZE + 1];
   *stencil = ((uint8_t *)b.map + SIZE * SIZE * 4)[SIZE + 1];
   vkt_buffer_destroy(&b);
}

static VkRenderingAttachmentInfo
attachment(const struct vkt_image *image, VkAttachmentLoadOp load,
           VkAttachmentStoreOp store, float depth, uint32_t stencil)
{
   return VKT_STRUCT(RenderingAttachmentInfo, .imageView = image->view,
                     .imageLayout = VK_IMAGE_LAYOUT_GENERAL, .loadOp = load,
                     .storeOp = store,
                     .clearValue.depthStencil = { depth, stencil });
}

/* Nothing is drawn between begin and end. */
static void
render(const VkRenderingAttachmentInfo *depth,
       const VkRenderingAttachmentInfo *stencil)
{
   const VKT_INFO(RenderingInfo, info,
                  .renderArea = { .extent = { SIZE, SIZE } }, .layerCount = 1,
                  .pDepthAttachment = depth, .pStencilAttachment = stencil);
   VkCommandBuffer cmd = vkt_begin();
   VKT_PROC(vkCmdBeginRenderingKHR)(cmd, &info);
   VKT_PROC(vkCmdEndRenderingKHR)(cmd);
   vkt_barrier(cmd);
   vkt_submit(cmd);
}

static struct vkt_image
ds_image(VkSampleCountFlagBits samples)
{
   return VKT_IMAGE(.format = ds_format, .width = SIZE, .height = SIZE,
                    .samples = samples,
                    .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
}

/* Of an image with both, what is not an attachment is left alone; so is what
 * is neither loaded nor stored. */
static void
test_parts(void **state)
{
   struct vkt_image ds = ds_image(VK_SAMPLE_COUNT_1_BIT);
   const VkRenderingAttachmentInfo both =
      attachment(&ds, VK_ATTACHMENT_LOAD_OP_CLEAR,
                 VK_ATTACHMENT_STORE_OP_STORE, 0.5f, 7);
   const VkRenderingAttachmentInfo other =
      attachment(&ds, VK_ATTACHMENT_LOAD_OP_CLEAR,
                 VK_ATTACHMENT_STORE_OP_STORE, 0.25f, 9);
   const VkRenderingAttachmentInfo none =
      attachment(&ds, VK_ATTACHMENT_LOAD_OP_NONE_EXT,
                 VK_ATTACHMENT_STORE_OP_NONE, 0.75f, 11);
   const struct {
      const VkRenderingAttachmentInfo *depth, *stencil;
      float depth_after;
      uint8_t stencil_after;
   } steps[] = {
      { &both, &both, 0.5f, 7 },  { NULL, &other, 0.5f, 9 },
      { &other, NULL, 0.25f, 9 }, { &none, &both, 0.25f, 7 },
      { &both, &none, 0.5f, 7 },  { &none, &none, 0.5f, 7 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(steps); i++) {
      float depth;
      uint8_t stencil;
      render(steps[i].depth, steps[i].stencil);
      read_ds(&ds, &depth, &stencil);
      assert_true(depth == steps[i].depth_after);
      assert_int_equal(stencil, steps[i].stencil_after);
   }
   vkt_image_destroy(&ds);
}

/* Depth and stencil go their own ways. */
static void
test_resolved_parts(void **state)
{
   struct vkt_image ds = ds_image(VK_SAMPLE_COUNT_4_BIT);
   struct vkt_image to = ds_image(VK_SAMPLE_COUNT_1_BIT);
   for (unsigned parts = 0; parts < 4; parts++) {
      const VkRenderingAttachmentInfo before =
         attachment(&to, VK_ATTACHMENT_LOAD_OP_CLEAR,
                    VK_ATTACHMENT_STORE_OP_STORE, 1, 1);
      render(&before, &before);
      VkRenderingAttachmentInfo depth =
         attachment(&ds, VK_ATTACHMENT_LOAD_OP_CLEAR,
                    VK_ATTACHMENT_STORE_OP_STORE, 0.5f, 7);
      depth.resolveImageView = to.view;
      depth.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
      VkRenderingAttachmentInfo stencil = depth;
      depth.resolveMode = parts & 1 ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : 0;
      stencil.resolveMode = parts & 2 ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : 0;
      render(&depth, &stencil);
      float z;
      uint8_t s;
      read_ds(&to, &z, &s);
      assert_true(z == (parts & 1 ? 0.5f : 1.0f));
      assert_int_equal(s, parts & 2 ? 7 : 1);
   }
   vkt_image_destroy(&ds);
   vkt_image_destroy(&to);
}

/* ---- without attachments ---- */

static VkShaderModule
create_module(struct vkt_shader shader)
{
   return VKT_NEW(ShaderModule, SHADER_MODULE, .codeSize = shader.size_B,
                  .pCode = shader.words);
}

/* Of all pixels; nothing is written. */
static VkPipeline
create_for_samples(const VkPipelineShaderStageCreateInfo stages[2],
                   VkPipelineLayout layout, VkSampleCountFlagBits samples)
{
   const VKT_INFO(PipelineRenderingCreateInfo, rendering);
   const VKT_INFO(PipelineVertexInputStateCreateInfo, input);
   const VKT_INFO(PipelineInputAssemblyStateCreateInfo, assembly,
                  .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
   const VkViewport viewport = { 0, 0, SIZE, SIZE, 0, 1 };
   const VkRect2D scissor = { .extent = { SIZE, SIZE } };
   const VKT_INFO(PipelineViewportStateCreateInfo, viewports,
                  .viewportCount = 1, .pViewports = &viewport,
                  .scissorCount = 1, .pScissors = &scissor);
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .lineWidth = 1.0f);
   const VKT_INFO(PipelineMultisampleStateCreateInfo, multisample,
                  .rasterizationSamples = samples);
   const VKT_INFO(GraphicsPipelineCreateInfo, info, .pNext = &rendering,
                  .stageCount = 2, .pStages = stages,
                  .pVertexInputState = &input,
                  .pInputAssemblyState = &assembly,
                  .pViewportState = &viewports,
                  .pRasterizationState = &raster,
                  .pMultisampleState = &multisample, .layout = layout);
   VkPipeline out;
   VKT_CHECK(vkCreateGraphicsPipelines(vkt.device, VK_NULL_HANDLE, 1, &info,
                                       NULL, &out));
   return out;
}

static uint64_t
count_samples(const VkPipeline pipelines[2])
{
   const VKT_INFO(RenderingInfo, rendering,
                  .renderArea = { .extent = { SIZE, SIZE } },
                  .layerCount = 1);
   VkQueryPool pool = VKT_NEW(QueryPool, QUERY_POOL,
                              .queryType = VK_QUERY_TYPE_OCCLUSION,
                              .queryCount = 1);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdResetQueryPool(cmd, pool, 0, 1);
   VKT_PROC(vkCmdBeginRenderingKHR)(cmd, &rendering);
   vkCmdBeginQuery(cmd, pool, 0, VK_QUERY_CONTROL_PRECISE_BIT);
   for (unsigned i = 0; i < 2; i++) {
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
      vkCmdDraw(cmd, 3, 1, 0, 0);
   }
   vkCmdEndQuery(cmd, pool, 0);
   VKT_PROC(vkCmdEndRenderingKHR)(cmd);
   vkt_submit(cmd);
   uint64_t count;
   VKT_CHECK(vkGetQueryPoolResults(vkt.device, pool, 0, 1, 8, &count, 8,
                                   VK_QUERY_RESULT_64_BIT));
   vkDestroyQueryPool(vkt.device, pool, NULL);
   return count;
}

/* Pipelines of one rendering may have one sample and four
 * (variableMultisampleRate). */
static void
test_variable_samples(void **state)
{
   VkPipelineShaderStageCreateInfo stages[2] = {
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .module = create_module(VKT_SHADER(patch_vert)),
        .pName = "main" },
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
        .module = create_module(VKT_SHADER(white_frag)),
        .pName = "main" },
   };
   VkPipelineLayout layout = VKT_NEW(PipelineLayout, PIPELINE_LAYOUT);
   const VkPipeline pipelines[2] = {
      create_for_samples(stages, layout, VK_SAMPLE_COUNT_1_BIT),
      create_for_samples(stages, layout, VK_SAMPLE_COUNT_4_BIT),
   };
   assert_true(count_samples(pipelines) == 5 * SIZE * SIZE);
   for (unsigned i = 0; i < 2; i++) {
      vkDestroyPipeline(vkt.device, pipelines[i], NULL);
      vkDestroyShaderModule(vkt.device, stages[i].module, NULL);
   }
   vkDestroyPipelineLayout(vkt.device, layout, NULL);
}

/* ---- vertices that change ---- */

#define TRIANGLE_B (6 * 4 * sizeof(float))

struct change {
   const struct vkt_image *color;
   const struct vkt_buffer *vertices;
   bool second; /* vkCmdPipelineBarrier2 */
};

static void
wait_for_vertices(VkCommandBuffer cmd, bool second)
{
   const VKT_INFO(MemoryBarrier, barrier,
                  .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                  .dstAccessMask = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
   const VKT_INFO(MemoryBarrier2, barrier2,
                  .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                  .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                  .dstStageMask = VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT,
                  .dstAccessMask = VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT);
   const VKT_INFO(DependencyInfo, info, .memoryBarrierCount = 1,
                  .pMemoryBarriers = &barrier2);
   if (second)
      VKT_PROC(vkCmdPipelineBarrier2KHR)(cmd, &info);
   else
      vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT,
                           VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, 0, 1, &barrier,
                           0, NULL, 0, NULL);
}

/* Draws; the same again, but that a transfer has changed the vertices. */
static void
draw_changed(VkCommandBuffer cmd, const void *data)
{
   static const float large[][2][4] = {
      { { -1, -1, 0, 1 }, { 1, 1, 1, 1 } },
      { { 3, -1, 0, 1 }, { 1, 1, 1, 1 } },
      { { -1, 3, 0, 1 }, { 1, 1, 1, 1 } },
   };
   const struct change *c = data;
   vkCmdBindVertexBuffers(cmd, 0, 1, &c->vertices->buffer,
                          (VkDeviceSize[]) { 0 });
   vkCmdDraw(cmd, 3, 1, 0, 0);
   VKT_PROC(vkCmdEndRenderingKHR)(cmd);
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                        NULL, 0, NULL);
   vkCmdUpdateBuffer(cmd, c->vertices->buffer, 0, sizeof(large), large);
   wait_for_vertices(cmd, c->second);
   vkt_begin_rendering(cmd, &(struct vkt_rendering) { .color = c->color }, 0);
   vkCmdDraw(cmd, 3, 1, 0, 0);
}

/* The vertex fetcher's cache has the old ones: without the barrier they are
 * drawn where chaos keeps caches (vulkan_rendering_*_caches). */
static void
draw_twice(bool second)
{
   struct vkt_buffer vertices = vkt_buffer_create(TRIANGLE_B);
   memset(vertices.map, 0, vertices.size_B);
   struct vkt_image color =
      VKT_IMAGE(.width = SIZE, .height = SIZE,
                .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   uint32_t got[SIZE * SIZE];
   vkt_draw(
      &VKT_SCENE(.vs = VKT_SHADER(color_vert), .fs = VKT_SHADER(color_frag),
                 .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                 .vertices = triangles, .attributes = 2, .vertex_count = 3,
                 .width = SIZE, .height = SIZE, .color = &color,
                 .way = VKT_IN_RENDERING, .draws_itself = true,
                 .set_state = draw_changed,
                 .data = &(struct change) { &color, &vertices, second }),
      got);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      assert_int_equal(got[i], ~0u);
   vkt_image_destroy(&color);
   vkt_buffer_destroy(&vertices);
}

static void
test_changed_vertices(void **state)
{
   draw_twice(false);
   draw_twice(true);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_depth_stencil),
      cmocka_unit_test(test_two_sides),
      cmocka_unit_test(test_resolved),
      cmocka_unit_test(test_views),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_resolved_parts),
      cmocka_unit_test(test_variable_samples),
      cmocka_unit_test(test_changed_vertices),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
