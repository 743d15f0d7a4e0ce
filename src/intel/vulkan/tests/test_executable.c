/* SPDX-License-Identifier: MIT */
/* What a pipeline says of its programs. */
#include "vkt.h"

#include <stdlib.h>
#include <string.h>

#include "executable_everything_vert.h"
#include "executable_groups_comp.h"
#include "executable_white_frag.h"

static VkPipelineLayout layout;
static VkDescriptorSetLayout set_layout;

static VkPipeline
create(VkPipelineCreateFlags flags)
{
   const VkDescriptorSetLayoutBinding bindings[] = {
      { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
      { 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
   };
   set_layout = VKT_NEW(DescriptorSetLayout, DESCRIPTOR_SET_LAYOUT,
                        .bindingCount = 2, .pBindings = bindings);
   layout = VKT_NEW(PipelineLayout, PIPELINE_LAYOUT, .setLayoutCount = 1,
                    .pSetLayouts = &set_layout);
   const VKT_INFO(ShaderModuleCreateInfo, module,
                  .codeSize = sizeof(groups_comp), .pCode = groups_comp);
   VKT_INFO(ComputePipelineCreateInfo, info, .flags = flags,
      .stage = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_COMPUTE_BIT,
         .pName = "main",
      },
      .layout = layout);
   VKT_CHECK(
      vkCreateShaderModule(vkt.device, &module, NULL, &info.stage.module));
   VkPipeline out;
   VKT_CHECK(vkCreateComputePipelines(vkt.device, VK_NULL_HANDLE, 1, &info,
                                      NULL, &out));
   vkDestroyShaderModule(vkt.device, info.stage.module, NULL);
   return out;
}

static void
destroy(VkPipeline pipeline)
{
   vkDestroyPipeline(vkt.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkt.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, set_layout, NULL);
}

static void
expect_one_program(VkPipeline pipeline)
{
   const VKT_INFO(PipelineInfoKHR, info, .pipeline = pipeline);
   VKT_INFO(PipelineExecutablePropertiesKHR, props);
   uint32_t count = 1;
   VKT_CHECK(VKT_PROC(vkGetPipelineExecutablePropertiesKHR)(vkt.device, &info,
                                                            &count, &props));
   assert_int_equal(count, 1);
   assert_int_equal(props.stages, VK_SHADER_STAGE_COMPUTE_BIT);
   assert_in_range(props.subgroupSize, 8, 32);
   assert_non_null(strstr(props.name, "compute shader"));
}

static void
test_statistics(void **state)
{
   VkPipeline pipeline =
      create(VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR);
   expect_one_program(pipeline);
   const VKT_INFO(PipelineExecutableInfoKHR, info, .pipeline = pipeline);
   VkPipelineExecutableStatisticKHR stats[32];
   memset(stats, 0, sizeof(stats));
   for (unsigned i = 0; i < 32; i++)
      stats[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
   uint32_t count = 32;
   VKT_CHECK(VKT_PROC(vkGetPipelineExecutableStatisticsKHR)(vkt.device, &info,
                                                            &count, stats));
   assert_string_equal(stats[0].name, "Instructions");
   assert_true(stats[0].value.u64 > 10);
   assert_string_equal(stats[1].name, "Sends");
   assert_in_range(stats[1].value.u64, 1, 100);
   destroy(pipeline);
}

static void
test_texts(void **state)
{
   VkPipeline pipeline =
      create(VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
   const VKT_INFO(PipelineExecutableInfoKHR, info, .pipeline = pipeline);
   PFN_vkGetPipelineExecutableInternalRepresentationsKHR get =
      VKT_PROC(vkGetPipelineExecutableInternalRepresentationsKHR);
   VkPipelineExecutableInternalRepresentationKHR text[4];
   memset(text, 0, sizeof(text));
   for (unsigned i = 0; i < 4; i++)
      text[i].sType =
         VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
   uint32_t count = 4;
   VKT_CHECK(get(vkt.device, &info, &count, text));
   assert_int_equal(count, 4);
   for (unsigned i = 0; i < 4; i++)
      text[i].pData = malloc(text[i].dataSize);
   VKT_CHECK(get(vkt.device, &info, &count, text));
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(strlen(text[i].pData) + 1, text[i].dataSize);
   assert_non_null(strstr(text[0].pData, "shader: MESA_SHADER_COMPUTE"));
   assert_null(strstr(text[0].pData, "Native code"));
   assert_non_null(strstr(text[1].pData, "NIR (final form)"));
   assert_non_null(strstr(text[2].pData, "width: no SIMD"));
   assert_non_null(strstr(text[3].pData, "{EOT}"));
   assert_null(strstr(text[3].pData, "NIR (final form)"));
   /* Room for a part alone: as much as there is room for. */
   text[3].dataSize = 16;
   assert_int_equal(get(vkt.device, &info, &count, text), VK_INCOMPLETE);
   assert_int_equal(strlen(text[3].pData), 15);
   for (unsigned i = 0; i < 4; i++)
      free(text[i].pData);
   destroy(pipeline);
}

static VkPipelineShaderStageCreateInfo
stage(VkShaderStageFlagBits bit, struct vkt_shader shader)
{
   return VKT_STRUCT(PipelineShaderStageCreateInfo, .stage = bit,
                     .module = VKT_NEW(ShaderModule, SHADER_MODULE,
                                       .codeSize = shader.size_B,
                                       .pCode = shader.words),
                     .pName = "main");
}

static VkPipeline
create_graphics(VkPipelineCreateFlags flags)
{
   static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
   const VkPipelineShaderStageCreateInfo stages[] = {
      stage(VK_SHADER_STAGE_VERTEX_BIT, VKT_SHADER(everything_vert)),
      stage(VK_SHADER_STAGE_FRAGMENT_BIT, VKT_SHADER(white_frag)),
   };
   const VKT_INFO(PipelineRenderingCreateInfo, rendering,
                  .colorAttachmentCount = 1,
                  .pColorAttachmentFormats = &format);
   const VkViewport viewport = { 0, 0, 8, 8, 0, 1 };
   const VkRect2D scissor = { .extent = { 8, 8 } };
   const VkPipelineColorBlendAttachmentState blend = { .colorWriteMask = 15 };
   layout = VKT_NEW(PipelineLayout, PIPELINE_LAYOUT, .setLayoutCount = 0);
   set_layout = VK_NULL_HANDLE;
   const VKT_INFO(
      GraphicsPipelineCreateInfo, info, .pNext = &rendering, .flags = flags,
      .stageCount = 2, .pStages = stages,
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
                                      .attachmentCount = 1,
                                      .pAttachments = &blend),
      .layout = layout);
   VkPipeline out;
   VKT_CHECK(vkCreateGraphicsPipelines(vkt.device, VK_NULL_HANDLE, 1, &info,
                                       NULL, &out));
   for (unsigned i = 0; i < 2; i++)
      vkDestroyShaderModule(vkt.device, stages[i].module, NULL);
   return out;
}

/* A fragment shader's programs of two widths have the same NIR and each its
 * own code. */
static void
test_texts_of_widths(void **state)
{
   VkPipeline pipeline = create_graphics(
      VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
   PFN_vkGetPipelineExecutableInternalRepresentationsKHR get =
      VKT_PROC(vkGetPipelineExecutableInternalRepresentationsKHR);
   static char data[3][4][65536];
   for (uint32_t program = 0; program < 3; program++) {
      const VKT_INFO(PipelineExecutableInfoKHR, info, .pipeline = pipeline,
                     .executableIndex = program);
      VkPipelineExecutableInternalRepresentationKHR text[4];
      uint32_t count = 4;
      for (unsigned i = 0; i < 4; i++)
         text[i] = VKT_STRUCT(PipelineExecutableInternalRepresentationKHR,
                              .pData = data[program][i], .dataSize = 65536);
      VKT_CHECK(get(vkt.device, &info, &count, text));
      assert_int_equal(count, 4);
   }
   assert_non_null(strstr(data[0][0], "MESA_SHADER_VERTEX"));
   assert_non_null(strstr(data[1][0], "MESA_SHADER_FRAGMENT"));
   assert_non_null(strstr(data[1][3], "SIMD8"));
   assert_non_null(strstr(data[2][3], "SIMD16"));
   for (unsigned i = 0; i < 3; i++)
      assert_string_equal(data[1][i], data[2][i]);
   destroy(pipeline);
}

/* Nothing is kept that nobody has asked for. */
static void
test_without_capture(void **state)
{
   if (vkt_is_validated())
      skip();
   VkPipeline pipeline = create(0);
   expect_one_program(pipeline);
   const VKT_INFO(PipelineExecutableInfoKHR, info, .pipeline = pipeline);
   uint32_t count = 99;
   VKT_CHECK(VKT_PROC(vkGetPipelineExecutableStatisticsKHR)(vkt.device, &info,
                                                            &count, NULL));
   assert_int_equal(count, 0);
   destroy(pipeline);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_statistics),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_texts_of_widths),
      cmocka_unit_test(test_without_capture),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
