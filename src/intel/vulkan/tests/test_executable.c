/* SPDX-License-Identifier: MIT */
/* What a pipeline says of its programs. */
#include "vkt.h"

#include <stdlib.h>
#include <string.h>

#include "executable_groups_comp.h"

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
      cmocka_unit_test(test_without_capture),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
