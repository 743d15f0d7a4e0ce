/* SPDX-License-Identifier: MIT */
/* Parts of pipelines, and pipelines that are linked of four. */
#include "vkt.h"

const void *
vkt_ignored(void)
{
   return vkt_is_validated() ? NULL : (void *)(uintptr_t)16;
}

VkPipelineColorBlendStateCreateInfo
vkt_blend_of(const struct vkt_scene *s)
{
   static const VkPipelineColorBlendAttachmentState attachment = {
      .colorWriteMask = 0xf,
   };
   if (s->color_blend)
      return *s->color_blend;
   return VKT_STRUCT(
      PipelineColorBlendStateCreateInfo, .attachmentCount = 1,
      .pAttachments = s->blend ? s->blend : &attachment,
      .blendConstants = { s->blend_constants[0], s->blend_constants[1],
                          s->blend_constants[2], s->blend_constants[3] });
}

static VkPipelineCreationFeedbackCreateInfo
feedback_info(const void *next, VkPipelineCreationFeedback *told)
{
   return VKT_STRUCT(PipelineCreationFeedbackCreateInfo, .pNext = next,
                     .pPipelineCreationFeedback = told);
}

static VkPipeline
create_part(const VkGraphicsPipelineCreateInfo *info,
            VkGraphicsPipelineLibraryFlagsEXT part, VkPipelineCache cache,
            VkPipelineCreationFeedback *told)
{
   const VkPipelineCreationFeedbackCreateInfo feedback =
      feedback_info(info->pNext, told);
   const VKT_INFO(GraphicsPipelineLibraryCreateInfoEXT, library,
                  .pNext = told ? (void *)&feedback : (void *)info->pNext,
                  .flags = part);
   VkGraphicsPipelineCreateInfo own = *info;
   own.pNext = &library;
   own.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
   VkPipeline out;
   VKT_CHECK(
      vkCreateGraphicsPipelines(vkt.device, cache, 1, &own, NULL, &out));
   return out;
}

static void
destroy(const VkPipeline parts[4])
{
   for (unsigned i = 0; i < 4; i++)
      vkDestroyPipeline(vkt.device, parts[i], NULL);
}

/* The layers (1.3.239) read the stages of a pipeline's parts when it is drawn
 * with, though it outlives them. */
static void
keep(const VkPipeline parts[4])
{
   for (unsigned i = 0; i < 4; i++)
      util_dynarray_append(&vkt.parts, VkPipeline, parts[i]);
}

void
vkt_destroy_parts(void)
{
   util_dynarray_foreach(&vkt.parts, VkPipeline, p)
      vkDestroyPipeline(vkt.device, *p, NULL);
   util_dynarray_fini(&vkt.parts);
}

/* Stages of the whole: the fragment shader's, or all others. */
static void
choose_stages(VkGraphicsPipelineCreateInfo *part,
              VkPipelineShaderStageCreateInfo stages[5], bool fragment)
{
   uint32_t n = 0;
   for (uint32_t i = 0; i < part->stageCount; i++) {
      if ((part->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT) ==
          fragment)
         stages[n++] = part->pStages[i];
   }
   part->stageCount = n;
   part->pStages = stages;
}

VkResult
vkt_create_in_parts(const VkGraphicsPipelineCreateInfo *whole,
                    VkPipelineCache cache, VkPipelineCreationFeedback *told,
                    VkPipeline *out)
{
   /* The fragment shader's part has one, whatever is drawn to. */
   static const VKT_INFO(PipelineDepthStencilStateCreateInfo, no_depth);
   VkPipelineShaderStageCreateInfo before[5], after[5];
   VkGraphicsPipelineCreateInfo input = *whole, shaders = *whole,
                                fragment = *whole, output = *whole;
   choose_stages(&shaders, before, false);
   choose_stages(&fragment, after, true);
   /* What a part is not asked for may be anything. */
   const void *ignored = vkt_ignored();
   if (!ignored)
      input.stageCount = output.stageCount = 0;
   input.pStages = ignored;
   output.pStages = ignored;
   input.pRasterizationState = ignored;
   input.pViewportState = ignored;
   input.pMultisampleState = ignored;
   input.pDepthStencilState = ignored;
   input.pColorBlendState = ignored;
   shaders.pVertexInputState = ignored;
   shaders.pInputAssemblyState = ignored;
   shaders.pMultisampleState = ignored;
   shaders.pDepthStencilState = ignored;
   shaders.pColorBlendState = ignored;
   fragment.pVertexInputState = ignored;
   fragment.pInputAssemblyState = ignored;
   fragment.pViewportState = ignored;
   fragment.pRasterizationState = ignored;
   fragment.pColorBlendState = ignored;
   if (fragment.pDepthStencilState == ignored)
      fragment.pDepthStencilState = &no_depth;
   output.pVertexInputState = ignored;
   output.pInputAssemblyState = ignored;
   output.pViewportState = ignored;
   output.pRasterizationState = ignored;
   output.pDepthStencilState = ignored;
   const VkPipeline parts[] = {
      create_part(&input,
                  VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
                  cache, told ? &told[0] : NULL),
      create_part(
         &shaders,
         VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
         cache, told ? &told[1] : NULL),
      create_part(&fragment,
                  VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT, cache,
                  told ? &told[2] : NULL),
      create_part(
         &output,
         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
         cache, told ? &told[3] : NULL),
   };
   const VkPipelineCreationFeedbackCreateInfo feedback =
      feedback_info(NULL, told ? &told[4] : NULL);
   const VKT_INFO(PipelineLibraryCreateInfoKHR, libraries,
                  .pNext = told ? &feedback : NULL, .libraryCount = 4,
                  .pLibraries = parts);
   const VKT_INFO(GraphicsPipelineCreateInfo, linked, .pNext = &libraries,
                  .layout = whole->layout);
   const VkResult result =
      vkCreateGraphicsPipelines(vkt.device, cache, 1, &linked, NULL, out);
   if (vkt_is_validated())
      keep(parts);
   else
      destroy(parts);
   return result;
}

VkPipeline
vkt_compute_pipeline(struct vkt_shader shader, VkPipelineLayout layout)
{
   const VKT_INFO(ShaderModuleCreateInfo, module, .codeSize = shader.size_B,
                  .pCode = shader.words);
   VKT_INFO(
      ComputePipelineCreateInfo, info,
      .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                 .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                 .pName = "main" },
      .layout = layout);
   VkPipeline pipeline;
   VKT_CHECK(
      vkCreateShaderModule(vkt.device, &module, NULL, &info.stage.module));
   VKT_CHECK(vkCreateComputePipelines(vkt.device, VK_NULL_HANDLE, 1, &info,
                                      NULL, &pipeline));
   vkDestroyShaderModule(vkt.device, info.stage.module, NULL);
   return pipeline;
}

void
vkt_compute(struct vkt_shader shader, const struct vkt_resource *resources,
            unsigned resource_count, uint32_t groups)
{
   vkt_compute_stage(shader, &(VkPipelineShaderStageCreateInfo) { 0 },
                     resources, resource_count, groups);
}

struct vkt_plain
vkt_plain_create(const VkDescriptorSetLayoutCreateInfo *set_layout,
                 const VkDescriptorPoolCreateInfo *pool,
                 struct vkt_shader shader, VkDescriptorSet *sets)
{
   struct vkt_plain p;
   VKT_CHECK(vkCreateDescriptorSetLayout(vkt.device, set_layout, NULL,
                                         &p.set_layout));
   const VKT_INFO(PipelineLayoutCreateInfo, layout, .setLayoutCount = 1,
                  .pSetLayouts = &p.set_layout);
   VKT_CHECK(vkCreatePipelineLayout(vkt.device, &layout, NULL, &p.layout));
   p.pipeline = vkt_compute_pipeline(shader, p.layout);
   VKT_CHECK(vkCreateDescriptorPool(vkt.device, pool, NULL, &p.pool));
   for (unsigned i = 0; i < pool->maxSets; i++) {
      const VKT_INFO(DescriptorSetAllocateInfo, alloc,
                     .descriptorPool = p.pool, .descriptorSetCount = 1,
                     .pSetLayouts = &p.set_layout);
      VKT_CHECK(vkAllocateDescriptorSets(vkt.device, &alloc, &sets[i]));
   }
   return p;
}

void
vkt_plain_destroy(struct vkt_plain *p)
{
   vkDestroyDescriptorPool(vkt.device, p->pool, NULL);
   vkDestroyPipeline(vkt.device, p->pipeline, NULL);
   vkDestroyPipelineLayout(vkt.device, p->layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, p->set_layout, NULL);
}
