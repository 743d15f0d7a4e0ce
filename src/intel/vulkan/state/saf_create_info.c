/* SPDX-License-Identifier: MIT */
/*
 * Problem: a create info may have pointers to nothing where the pipeline has
 * no use for what they would say: state that is dynamic, of stages that it
 * has not, of attachments that it does not draw to.
 *
 * Method: what is ignored becomes NULL before anything else reads it. What
 * may be NULL by itself has the same meaning.
 */
#include "saf_create_info.h"
#include "intel/vulkan/memory/saf_pass.h"

static bool
names_libraries(const VkGraphicsPipelineCreateInfo *info)
{
   return saf_find_struct(info->pNext,
                          VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
}

VkGraphicsPipelineLibraryFlagsEXT
saf_own_parts(const VkGraphicsPipelineCreateInfo *info)
{
   const VkGraphicsPipelineLibraryCreateInfoEXT *own = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
   if (own)
      return own->flags;
   if (names_libraries(info))
      return 0;
   return SAF_ALL_PARTS;
}

static bool
is_dynamic(const VkGraphicsPipelineCreateInfo *info, VkDynamicState state)
{
   const VkPipelineDynamicStateCreateInfo *d = info->pDynamicState;
   for (uint32_t i = 0; d && i < d->dynamicStateCount; i++) {
      if (d->pDynamicStates[i] == state)
         return true;
   }
   return false;
}

static bool
has_tessellation(const VkGraphicsPipelineCreateInfo *info)
{
   for (uint32_t i = 0; i < info->stageCount; i++) {
      if (info->pStages[i].stage ==
          VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)
         return true;
   }
   return false;
}

/* Whoever has part of the pipeline may have it rasterize later. */
static bool
discards_all(const VkGraphicsPipelineCreateInfo *info)
{
   return info->pRasterizationState &&
          info->pRasterizationState->rasterizerDiscardEnable &&
          !is_dynamic(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
}

/* Neither a subpass nor the formats know of any: a fragment shader's part
 * has no formats, and must say what it does to depth. */
static bool
draws_depth(const VkGraphicsPipelineCreateInfo *info,
            VkGraphicsPipelineLibraryFlagsEXT parts)
{
   SAF_FROM_HANDLE(saf_render_pass, pass, info->renderPass);
   if (pass)
      return pass->subpasses[info->subpass].depth_stencil !=
             VK_ATTACHMENT_UNUSED;
   if (!(parts & SAF_PART_FRAGMENT_OUTPUT))
      return true;
   const VkPipelineRenderingCreateInfo *r = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
   return r && (r->depthAttachmentFormat || r->stencilAttachmentFormat);
}

static bool
draws_color(const VkGraphicsPipelineCreateInfo *info)
{
   SAF_FROM_HANDLE(saf_render_pass, pass, info->renderPass);
   if (pass)
      return pass->subpasses[info->subpass].color_count != 0;
   const VkPipelineRenderingCreateInfo *r = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
   return r && r->colorAttachmentCount;
}

/* What other parts than these have. */
static void
drop_other_parts(VkGraphicsPipelineCreateInfo *info,
                 VkGraphicsPipelineLibraryFlagsEXT parts)
{
   if (!(parts & SAF_PART_VERTEX_INPUT)) {
      info->pVertexInputState = NULL;
      info->pInputAssemblyState = NULL;
   }
   if (!(parts & SAF_PART_PRE_RASTERIZATION)) {
      info->pTessellationState = NULL;
      info->pViewportState = NULL;
      info->pRasterizationState = NULL;
   }
   if (!(parts & (SAF_PART_PRE_RASTERIZATION | SAF_PART_FRAGMENT_SHADER))) {
      info->stageCount = 0;
      info->pStages = NULL;
      if (!names_libraries(info))
         info->layout = VK_NULL_HANDLE;
   }
   if (!(parts & ~(VkFlags)SAF_PART_VERTEX_INPUT))
      info->renderPass = VK_NULL_HANDLE;
   if (!(parts & (SAF_PART_FRAGMENT_SHADER | SAF_PART_FRAGMENT_OUTPUT)))
      info->pMultisampleState = NULL;
   if (!(parts & SAF_PART_FRAGMENT_SHADER))
      info->pDepthStencilState = NULL;
   if (!(parts & SAF_PART_FRAGMENT_OUTPUT))
      info->pColorBlendState = NULL;
}

static void
drop_unused(VkGraphicsPipelineCreateInfo *info,
            VkGraphicsPipelineLibraryFlagsEXT parts)
{
   if (is_dynamic(info, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
      info->pVertexInputState = NULL;
   if (!has_tessellation(info))
      info->pTessellationState = NULL;
   if (discards_all(info)) {
      info->pViewportState = NULL;
      info->pMultisampleState = NULL;
      info->pDepthStencilState = NULL;
      info->pColorBlendState = NULL;
   }
   if (!draws_depth(info, parts))
      info->pDepthStencilState = NULL;
   if (!draws_color(info))
      info->pColorBlendState = NULL;
}

/* Arrays of what remains. */
static void
drop_arrays(struct saf_sanitised_info *out)
{
   VkGraphicsPipelineCreateInfo *info = &out->info;
   if (info->pViewportState) {
      out->viewport = *info->pViewportState;
      info->pViewportState = &out->viewport;
      if (is_dynamic(info, VK_DYNAMIC_STATE_VIEWPORT) ||
          is_dynamic(info, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT))
         out->viewport.pViewports = NULL;
      if (is_dynamic(info, VK_DYNAMIC_STATE_SCISSOR) ||
          is_dynamic(info, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT))
         out->viewport.pScissors = NULL;
   }
   if (info->pMultisampleState) {
      out->multisample = *info->pMultisampleState;
      info->pMultisampleState = &out->multisample;
      if (is_dynamic(info, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT))
         out->multisample.pSampleMask = NULL;
   }
   if (info->pColorBlendState) {
      out->blend = *info->pColorBlendState;
      info->pColorBlendState = &out->blend;
      if (is_dynamic(info, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT) &&
          is_dynamic(info, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT) &&
          is_dynamic(info, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT))
         out->blend.pAttachments = NULL;
   }
}

VkPipelineCreateFlags
saf_pipeline_flags(const void *chain, VkPipelineCreateFlags flags)
{
   const VkPipelineCreateFlags2CreateInfoKHR *all = saf_find_struct(
      chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
   return all ? (VkPipelineCreateFlags)all->flags : flags;
}

void
saf_sanitise_create_info(const VkGraphicsPipelineCreateInfo *info,
                         struct saf_sanitised_info *out)
{
   out->info = *info;
   out->info.flags = saf_pipeline_flags(info->pNext, info->flags);
   const VkGraphicsPipelineLibraryFlagsEXT parts = saf_own_parts(&out->info);
   drop_other_parts(&out->info, parts);
   drop_unused(&out->info, parts);
   drop_arrays(out);
}
