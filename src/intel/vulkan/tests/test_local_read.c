/* SPDX-License-Identifier: MIT */
/* Attachments that are read where they are drawn, and outputs of fragment
 * shaders that go to attachments of another number
 * (VK_KHR_dynamic_rendering_local_read). */
#include "util/macros.h"
#include "vkt.h"

#include "local_read_everything_vert.h"
#include "local_read_local_self_frag.h"
#include "local_read_local_sum_frag.h"
#include "local_read_local_two_frag.h"

#define SIZE 16
#define TARGETS 3
#define NONE VK_ATTACHMENT_UNUSED

struct world {
   struct vkt_image images[TARGETS];
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   bool in_parts;
};

static void
make_stages(struct vkt_shader fs, VkPipelineShaderStageCreateInfo stages[2])
{
   const struct vkt_shader shaders[] = { VKT_SHADER(everything_vert), fs };
   for (unsigned i = 0; i < 2; i++)
      stages[i] = VKT_STRUCT(PipelineShaderStageCreateInfo,
                             .stage = i ? VK_SHADER_STAGE_FRAGMENT_BIT
                                        : VK_SHADER_STAGE_VERTEX_BIT,
                             .module = VKT_NEW(ShaderModule, SHADER_MODULE,
                                               .codeSize = shaders[i].size_B,
                                               .pCode = shaders[i].words),
                             .pName = "main");
}

static VkPipeline
create_pipeline(const struct world *w, struct vkt_shader fs,
                const uint32_t locations[TARGETS])
{
   static const VkFormat formats[TARGETS] = { VK_FORMAT_R8G8B8A8_UNORM,
                                              VK_FORMAT_R8G8B8A8_UNORM,
                                              VK_FORMAT_R8G8B8A8_UNORM };
   VkPipelineShaderStageCreateInfo stages[2];
   make_stages(fs, stages);
   const VKT_INFO(RenderingAttachmentLocationInfoKHR, where,
                  .colorAttachmentCount = TARGETS,
                  .pColorAttachmentLocations = locations);
   const VKT_INFO(PipelineRenderingCreateInfo, rendering, .pNext = &where,
                  .colorAttachmentCount = TARGETS,
                  .pColorAttachmentFormats = formats);
   const VkViewport viewport = { 0, 0, SIZE, SIZE, 0, 1 };
   const VkRect2D scissor = { .extent = { SIZE, SIZE } };
   VkPipelineColorBlendAttachmentState blend[TARGETS];
   for (unsigned i = 0; i < TARGETS; i++)
      blend[i] =
         (VkPipelineColorBlendAttachmentState) { .colorWriteMask = 0xf };
   const VKT_INFO(
      GraphicsPipelineCreateInfo, info, .pNext = &rendering, .stageCount = 2,
      .pStages = stages,
      .pVertexInputState = &VKT_STRUCT(PipelineVertexInputStateCreateInfo),
      .pInputAssemblyState =
         &VKT_STRUCT(PipelineInputAssemblyStateCreateInfo,
                     .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST),
      .pViewportState = &VKT_STRUCT(
         PipelineViewportStateCreateInfo, .viewportCount = 1,
         .pViewports = &viewport, .scissorCount = 1, .pScissors = &scissor),
      .pRasterizationState =
         &VKT_STRUCT(PipelineRasterizationStateCreateInfo, .lineWidth = 1),
      .pMultisampleState =
         &VKT_STRUCT(PipelineMultisampleStateCreateInfo,
                     .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT),
      .pColorBlendState = &VKT_STRUCT(PipelineColorBlendStateCreateInfo,
                                      .attachmentCount = TARGETS,
                                      .pAttachments = blend),
      .layout = w->layout);
   VkPipeline pipeline;
   if (w->in_parts)
      VKT_CHECK(vkt_create_in_parts(&info, VK_NULL_HANDLE, NULL, &pipeline));
   else
      VKT_CHECK(vkCreateGraphicsPipelines(vkt.device, VK_NULL_HANDLE, 1,
                                          &info, NULL, &pipeline));
   for (unsigned i = 0; i < 2; i++)
      vkDestroyShaderModule(vkt.device, stages[i].module, NULL);
   return pipeline;
}

static void
create_set(struct world *w)
{
   VkDescriptorSetLayoutBinding bindings[TARGETS];
   VkDescriptorImageInfo images[TARGETS];
   for (unsigned i = 0; i < TARGETS; i++) {
      bindings[i] = (VkDescriptorSetLayoutBinding) {
         i, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1,
         VK_SHADER_STAGE_FRAGMENT_BIT, NULL
      };
      images[i] =
         (VkDescriptorImageInfo) { VK_NULL_HANDLE, w->images[i].view,
                                   VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR };
   }
   const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                       TARGETS };
   w->set_layout = VKT_NEW(DescriptorSetLayout, DESCRIPTOR_SET_LAYOUT,
                           .bindingCount = TARGETS, .pBindings = bindings);
   w->layout = VKT_NEW(PipelineLayout, PIPELINE_LAYOUT, .setLayoutCount = 1,
                       .pSetLayouts = &w->set_layout);
   w->pool = VKT_NEW(DescriptorPool, DESCRIPTOR_POOL, .maxSets = 1,
                     .poolSizeCount = 1, .pPoolSizes = &size);
   const VKT_INFO(DescriptorSetAllocateInfo, alloc, .descriptorPool = w->pool,
                  .descriptorSetCount = 1, .pSetLayouts = &w->set_layout);
   VKT_CHECK(vkAllocateDescriptorSets(vkt.device, &alloc, &w->set));
   for (unsigned i = 0; i < TARGETS; i++) {
      const VKT_INFO(WriteDescriptorSet, write, .dstSet = w->set,
                     .dstBinding = i, .descriptorCount = 1,
                     .descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                     .pImageInfo = &images[i]);
      vkUpdateDescriptorSets(vkt.device, 1, &write, 0, NULL);
   }
}

static void
begin_rendering(VkCommandBuffer cmd, const struct world *w)
{
   VkRenderingAttachmentInfo colors[TARGETS];
   for (unsigned i = 0; i < TARGETS; i++)
      colors[i] =
         VKT_STRUCT(RenderingAttachmentInfo, .imageView = w->images[i].view,
                    .imageLayout = VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR,
                    .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                    .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                    .clearValue.color.float32 = { 0, 0, 1, 0 });
   const VKT_INFO(RenderingInfo, info, .renderArea.extent = { SIZE, SIZE },
                  .layerCount = 1, .colorAttachmentCount = TARGETS,
                  .pColorAttachments = colors);
   VKT_PROC(vkCmdBeginRenderingKHR)(cmd, &info);
}

/* In the order of the attachments' numbers. */
static void
draw(VkCommandBuffer cmd, VkPipeline pipeline,
     const uint32_t locations[TARGETS])
{
   const VKT_INFO(RenderingAttachmentLocationInfoKHR, where,
                  .colorAttachmentCount = TARGETS,
                  .pColorAttachmentLocations = locations);
   const VKT_INFO(RenderingInputAttachmentIndexInfoKHR, inputs,
                  .colorAttachmentCount = TARGETS);
   const VKT_INFO(MemoryBarrier, barrier,
                  .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                  .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT);
   VKT_PROC(vkCmdSetRenderingAttachmentLocationsKHR)(cmd, &where);
   VKT_PROC(vkCmdSetRenderingInputAttachmentIndicesKHR)(cmd, &inputs);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                        VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                        VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, NULL, 0,
                        NULL);
}

static uint32_t
channel(uint32_t rgba, unsigned c)
{
   return rgba >> 8 * c & 255;
}

static void
check_pixel(uint32_t got, const double want[4])
{
   for (unsigned c = 0; c < 4; c++) {
      const int32_t diff = (int32_t)channel(got, c) -
                           (int32_t)(want[c] * 255 + 0.5);
      assert_in_range(diff + 2, 0, 4);
   }
}

/* Attachment 0 has location 1, 2 has 0, 1 none of the first draw's. */
static void
check_colors(const struct world *w)
{
   uint32_t px[TARGETS][SIZE * SIZE];
   for (unsigned i = 0; i < TARGETS; i++)
      vkt_image_read(&w->images[i], 0, px[i], sizeof(px[i]));
   for (unsigned p = 0; p < SIZE * SIZE; p++) {
      const double x = (p % SIZE + 0.5) / SIZE, y = (p / SIZE + 0.5) / SIZE;
      const double first[4] = { 0.25, 0.5, 0.75, 1 },
                   last[4] = { x, y, 0, 1 };
      const double self[4] = { 1 - (0.25 + x) / 2, 1 - (0.5 + y) / 2,
                               1 - 0.375, 0 };
      check_pixel(px[0][p], first);
      check_pixel(px[1][p], self);
      check_pixel(px[2][p], last);
   }
}

static void
check(bool in_parts)
{
   static const uint32_t two[TARGETS] = { 1, NONE, 0 };
   static const uint32_t sum[TARGETS] = { NONE, 2, NONE };
   static const uint32_t self[TARGETS] = { NONE, 0, NONE };
   struct world w = { .in_parts = in_parts };
   for (unsigned i = 0; i < TARGETS; i++)
      w.images[i] = VKT_IMAGE(.format = VK_FORMAT_R8G8B8A8_UNORM,
                              .width = SIZE, .height = SIZE,
                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                       VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
   create_set(&w);
   const VkPipeline pipelines[] = {
      create_pipeline(&w, VKT_SHADER(local_two_frag), two),
      create_pipeline(&w, VKT_SHADER(local_sum_frag), sum),
      create_pipeline(&w, VKT_SHADER(local_self_frag), self),
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, w.layout, 0,
                           1, &w.set, 0, NULL);
   begin_rendering(cmd, &w);
   draw(cmd, pipelines[0], two);
   draw(cmd, pipelines[1], sum);
   draw(cmd, pipelines[2], self);
   VKT_PROC(vkCmdEndRenderingKHR)(cmd);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   check_colors(&w);
   for (unsigned i = 0; i < ARRAY_SIZE(pipelines); i++)
      vkDestroyPipeline(vkt.device, pipelines[i], NULL);
   vkDestroyDescriptorPool(vkt.device, w.pool, NULL);
   vkDestroyPipelineLayout(vkt.device, w.layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, w.set_layout, NULL);
   for (unsigned i = 0; i < TARGETS; i++)
      vkt_image_destroy(&w.images[i]);
}

static void
test_whole(void **state)
{
   check(false);
}

static void
test_linked(void **state)
{
   check(true);
   vkt_destroy_parts();
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole),
      cmocka_unit_test(test_linked),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
