/* SPDX-License-Identifier: MIT */
/* The state of fixed functions, from the create info of a pipeline. */
#include "saf_pipeline.h"

static uint32_t
late_bit(VkDynamicState state)
{
#define LATE(STATE, bit)                                                     \
   case VK_DYNAMIC_STATE_##STATE##_EXT: return SAF_LATE_##bit
   switch ((int)state) {
      LATE(VERTEX_INPUT, VERTEX_INPUT);
      LATE(COLOR_WRITE_ENABLE, COLOR_WRITES);
      LATE(TESSELLATION_DOMAIN_ORIGIN, DOMAIN_ORIGIN);
      LATE(DEPTH_CLAMP_ENABLE, DEPTH_CLAMP);
      LATE(POLYGON_MODE, POLYGON_MODE);
      LATE(SAMPLE_MASK, SAMPLE_MASK);
      LATE(ALPHA_TO_ONE_ENABLE, ALPHA_TO_ONE);
      LATE(LOGIC_OP_ENABLE, LOGIC_OP_ENABLE);
      LATE(LOGIC_OP, LOGIC_OP);
      LATE(COLOR_BLEND_ENABLE, BLEND_ENABLE);
      LATE(COLOR_BLEND_EQUATION, BLEND_EQUATION);
      LATE(COLOR_WRITE_MASK, WRITE_MASK);
      LATE(DEPTH_CLIP_ENABLE, DEPTH_CLIP);
      LATE(PROVOKING_VERTEX_MODE, PROVOKING_VERTEX);
      LATE(LINE_RASTERIZATION_MODE, LINE_MODE);
      LATE(LINE_STIPPLE_ENABLE, LINE_STIPPLE);
      LATE(DEPTH_CLIP_NEGATIVE_ONE_TO_ONE, NEGATIVE_ONE_TO_ONE);
      LATE(CONSERVATIVE_RASTERIZATION_MODE, CONSERVATIVE);
      LATE(SAMPLE_LOCATIONS_ENABLE, OWN_POSITIONS);
      LATE(SAMPLE_LOCATIONS, POSITIONS);
      LATE(PATCH_CONTROL_POINTS, PATCH);
      LATE(RASTERIZATION_SAMPLES, SAMPLES);
      LATE(ALPHA_TO_COVERAGE_ENABLE, ALPHA_TO_COVERAGE);
      LATE(RASTERIZATION_STREAM, STREAM);
   default: return 0;
   }
#undef LATE
}

uint32_t
saf_late_bits(const VkPipelineDynamicStateCreateInfo *info)
{
   uint32_t bits = 0;
   for (uint32_t i = 0; info && i < info->dynamicStateCount; i++)
      bits |= late_bit(info->pDynamicStates[i]);
   return bits;
}

static void
fill_dynamic_mask(struct saf_pipeline *p,
                  const VkPipelineDynamicStateCreateInfo *info)
{
   static const struct {
      VkDynamicState state;
      uint32_t bit;
   } table[] = {
      { VK_DYNAMIC_STATE_VIEWPORT, SAF_DYNAMIC_VIEWPORT },
      { VK_DYNAMIC_STATE_SCISSOR, SAF_DYNAMIC_SCISSOR },
      { VK_DYNAMIC_STATE_LINE_WIDTH, SAF_DYNAMIC_LINE_WIDTH },
      { VK_DYNAMIC_STATE_DEPTH_BIAS, SAF_DYNAMIC_DEPTH_BIAS },
      { VK_DYNAMIC_STATE_BLEND_CONSTANTS, SAF_DYNAMIC_BLEND_CONSTANTS },
      { VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
        SAF_DYNAMIC_STENCIL_COMPARE_MASK },
      { VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, SAF_DYNAMIC_STENCIL_WRITE_MASK },
      { VK_DYNAMIC_STATE_STENCIL_REFERENCE, SAF_DYNAMIC_STENCIL_REFERENCE },
      { VK_DYNAMIC_STATE_LINE_STIPPLE_EXT, SAF_DYNAMIC_LINE_STIPPLE },
      { VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
        SAF_DYNAMIC_VIEWPORT | SAF_DYNAMIC_VIEWPORT_COUNT },
      { VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
        SAF_DYNAMIC_SCISSOR | SAF_DYNAMIC_VIEWPORT_COUNT },
      { VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, SAF_DYNAMIC_TOPOLOGY },
      { VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
        SAF_DYNAMIC_PRIMITIVE_RESTART },
      { VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
        SAF_DYNAMIC_RASTERIZER_DISCARD },
      { VK_DYNAMIC_STATE_CULL_MODE, SAF_DYNAMIC_CULL_MODE },
      { VK_DYNAMIC_STATE_FRONT_FACE, SAF_DYNAMIC_FRONT_FACE },
      { VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, SAF_DYNAMIC_DEPTH_BIAS_ENABLE },
      { VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, SAF_DYNAMIC_DEPTH_TEST },
      { VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, SAF_DYNAMIC_DEPTH_WRITE },
      { VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, SAF_DYNAMIC_DEPTH_COMPARE },
      { VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, SAF_DYNAMIC_STENCIL_TEST },
      { VK_DYNAMIC_STATE_STENCIL_OP, SAF_DYNAMIC_STENCIL_OP },
      { VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
        SAF_DYNAMIC_VERTEX_STRIDE },
   };
   for (uint32_t i = 0; info && i < info->dynamicStateCount; i++) {
      for (unsigned j = 0; j < ARRAY_SIZE(table); j++) {
         if (info->pDynamicStates[i] == table[j].state)
            p->dynamic |= table[j].bit;
      }
   }
   p->late = saf_late_bits(info);
}

struct saf_vertex_attribute
saf_vertex_attribute(const struct intel_device_info *info, uint32_t binding,
                     VkFormat format, uint32_t offset_B)
{
   return (struct saf_vertex_attribute) {
      .valid = true,
      .binding = binding,
      .offset_B = offset_B,
      .format =
         saf_get_format(info, format, VK_IMAGE_ASPECT_COLOR_BIT).format,
   };
}

static void
fill_vertex_input(const struct intel_device_info *dev, struct saf_pipeline *p,
                  const VkPipelineVertexInputStateCreateInfo *info)
{
   if (p->late & SAF_LATE_VERTEX_INPUT)
      return;
   for (uint32_t i = 0; i < info->vertexBindingDescriptionCount; i++) {
      const VkVertexInputBindingDescription *d =
         &info->pVertexBindingDescriptions[i];
      p->bindings[d->binding] = (struct saf_vertex_input_binding) {
         .valid = true,
         .stride_B = d->stride,
         .per_instance = d->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE,
         .divisor = 1,
      };
   }
   const VkPipelineVertexInputDivisorStateCreateInfoEXT *divisors =
      saf_find_struct(
         info->pNext,
         VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT);
   for (uint32_t i = 0; divisors && i < divisors->vertexBindingDivisorCount;
        i++) {
      const VkVertexInputBindingDivisorDescriptionEXT *d =
         &divisors->pVertexBindingDivisors[i];
      p->bindings[d->binding].divisor = d->divisor;
   }
   for (uint32_t i = 0; i < info->vertexAttributeDescriptionCount; i++) {
      const VkVertexInputAttributeDescription *d =
         &info->pVertexAttributeDescriptions[i];
      if (d->location >= SAF_MAX_VERTEX_ATTRIBS)
         continue;
      p->attributes[d->location] =
         saf_vertex_attribute(dev, d->binding, d->format, d->offset);
   }
}

static void
fill_lines(struct saf_pipeline *p,
           const VkPipelineRasterizationLineStateCreateInfoEXT *info)
{
   p->line_mode = info->lineRasterizationMode;
   p->line_stipple = info->stippledLineEnable;
   p->state.line_stipple_factor = info->lineStippleFactor;
   p->state.line_stipple_pattern = info->lineStipplePattern;
}

static void
fill_rasterization(struct saf_pipeline *p,
                   const VkPipelineRasterizationStateCreateInfo *info)
{
   /* NULL: all of it is dynamic. */
   static const VkPipelineRasterizationStateCreateInfo none = { 0 };
   if (!info)
      info = &none;
   p->depth_clamp = info->depthClampEnable;
   p->depth_clip = !info->depthClampEnable;
   p->clips_if_not_clamped = true;
   p->state.rasterizer_discard = info->rasterizerDiscardEnable;
   p->polygon_mode = info->polygonMode;
   p->state.cull_mode = info->cullMode;
   p->state.front_face = info->frontFace;
   p->state.depth_bias = info->depthBiasEnable;
   p->state.depth_bias_constant = info->depthBiasConstantFactor;
   p->state.depth_bias_clamp = info->depthBiasClamp;
   p->state.depth_bias_slope = info->depthBiasSlopeFactor;
   p->state.line_width = info->lineWidth;
   saf_foreach_struct(s, info->pNext)
   {
      switch ((int)s->sType) {
      case VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT:
         p->depth_clip =
            ((const VkPipelineRasterizationDepthClipStateCreateInfoEXT *)s)
               ->depthClipEnable;
         p->clips_if_not_clamped = false;
         break;
      case VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT:
         fill_lines(p, (const void *)s);
         break;
      case VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT:
         p->provoking_last =
            ((const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT
                 *)s)
               ->provokingVertexMode ==
            VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
         break;
      case VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT:
         p->conservative =
            ((const VkPipelineRasterizationConservativeStateCreateInfoEXT *)s)
               ->conservativeRasterizationMode ==
            VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
         break;
      case VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT:
         p->key.rasterization_stream =
            ((const VkPipelineRasterizationStateStreamCreateInfoEXT *)s)
               ->rasterizationStream;
         break;
      default: break;
      }
   }
}

/* Those of one pixel, which all have (maxSampleLocationGridSize). */
void
saf_fill_positions(uint8_t out[SAF_MAX_SAMPLES][2],
                   const VkSampleLocationsInfoEXT *info)
{
   for (uint32_t i = 0; i < info->sampleLocationsCount && i < SAF_MAX_SAMPLES;
        i++) {
      const VkSampleLocationEXT *at = &info->pSampleLocations[i];
      out[i][0] = (uint8_t)CLAMP(at->x * 16, 0.0f, 15.0f);
      out[i][1] = (uint8_t)CLAMP(at->y * 16, 0.0f, 15.0f);
   }
}

static void
fill_multisample(struct saf_pipeline *p,
                 const VkPipelineMultisampleStateCreateInfo *info)
{
   p->key.samples = 1;
   p->sample_mask = ~0u;
   if (!info)
      return;
   p->key.samples = info->rasterizationSamples;
   /* What it says may be anything then. */
   if ((p->late & SAF_LATE_SAMPLES) &&
       (!util_is_power_of_two_nonzero(p->key.samples) ||
        p->key.samples > SAF_MAX_SAMPLES))
      p->key.samples = 1;
   if (info->pSampleMask)
      p->sample_mask = info->pSampleMask[0];
   p->key.alpha_to_coverage = info->alphaToCoverageEnable;
   p->alpha_to_one = info->alphaToOneEnable;
   const VkPipelineSampleLocationsStateCreateInfoEXT *at = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
   p->own_positions = at && at->sampleLocationsEnable;
   if (at)
      saf_fill_positions(p->positions, &at->sampleLocationsInfo);
}

static void
fill_viewports(struct saf_pipeline *p,
               const VkPipelineViewportStateCreateInfo *info)
{
   if (!info)
      return;
   /* Only of a state that is dynamic with its count is there no count here;
    * of what is dynamic there are no pointers (saf_heed()). */
   p->state.viewport_count = CLAMP(
      MAX2(info->viewportCount, info->scissorCount), 1, SAF_MAX_VIEWPORTS);
   const uint32_t viewports = info->pViewports ? info->viewportCount : 0;
   const uint32_t scissors = info->pScissors ? info->scissorCount : 0;
   for (uint32_t i = 0; i < MIN2(viewports, SAF_MAX_VIEWPORTS); i++)
      p->state.viewports[i] = info->pViewports[i];
   for (uint32_t i = 0; i < MIN2(scissors, SAF_MAX_VIEWPORTS); i++)
      p->state.scissors[i] = info->pScissors[i];
   const VkPipelineViewportDepthClipControlCreateInfoEXT *control =
      saf_find_struct(
         info->pNext,
         VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT);
   p->negative_one_to_one = control && control->negativeOneToOne;
}

static void
fill_tessellation(struct saf_pipeline *p,
                  const VkPipelineTessellationStateCreateInfo *info)
{
   const uint32_t most = SAF_MAX_PATCH_POINTS;
   p->key.patch_control_points = info ? info->patchControlPoints : 0;
   if (p->late & SAF_LATE_PATCH)
      p->key.patch_control_points =
         CLAMP(p->key.patch_control_points, 1, most);
   if (!info)
      return;
   const VkPipelineTessellationDomainOriginStateCreateInfo *origin =
      saf_find_struct(
         info->pNext,
         VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO);
   p->domain_origin_lower_left = origin &&
                                 origin->domainOrigin ==
                                    VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
}

static struct saf_stencil_side
stencil_side(const VkStencilOpState *s)
{
   return (struct saf_stencil_side) {
      .compare_mask = (uint8_t)s->compareMask,
      .write_mask = (uint8_t)s->writeMask,
      .reference = (uint8_t)s->reference,
      .fail = s->failOp,
      .pass = s->passOp,
      .depth_fail = s->depthFailOp,
      .compare = s->compareOp,
   };
}

static void
fill_depth_stencil(struct saf_pipeline *p,
                   const VkPipelineDepthStencilStateCreateInfo *info)
{
   if (!info)
      return;
   p->state.depth_test = info->depthTestEnable;
   p->state.depth_write = info->depthWriteEnable;
   p->state.depth_compare = info->depthCompareOp;
   p->state.stencil_test = info->stencilTestEnable;
   p->state.front = stencil_side(&info->front);
   p->state.back = stencil_side(&info->back);
}

static void
fill_blend(struct saf_pipeline *p,
           const VkPipelineColorBlendStateCreateInfo *info)
{
   if (!info)
      return;
   p->logic_op_enable = info->logicOpEnable;
   p->logic_op = info->logicOp;
   memcpy(p->state.blend_constants, info->blendConstants,
          sizeof(p->state.blend_constants));
   const VkPipelineColorWriteCreateInfoEXT *writes = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
   for (uint32_t i = 0;
        writes && writes->pColorWriteEnables && i < writes->attachmentCount;
        i++) {
      if (!writes->pColorWriteEnables[i])
         p->color_writes &= ~(1u << i);
   }
   /* NULL: all of it is dynamic. */
   const uint32_t count = info->pAttachments ? info->attachmentCount : 0;
   for (uint32_t i = 0; i < count && i < SAF_MAX_RTS; i++) {
      const VkPipelineColorBlendAttachmentState *a = &info->pAttachments[i];
      p->blend[i] = (struct saf_blend_target) {
         .enable = a->blendEnable,
         .src_color = a->srcColorBlendFactor,
         .dst_color = a->dstColorBlendFactor,
         .src_alpha = a->srcAlphaBlendFactor,
         .dst_alpha = a->dstAlphaBlendFactor,
         .color_op = a->colorBlendOp,
         .alpha_op = a->alphaBlendOp,
         .write_mask = a->colorWriteMask,
      };
   }
}

void
saf_pipeline_settle(struct saf_pipeline *p)
{
   if (!p->logic_op_enable)
      p->logic_op = VK_LOGIC_OP_COPY;
   if (p->line_mode == VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT)
      p->line_mode = p->key.samples > 1
                        ? VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT
                        : VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
   for (unsigned i = 0; i < SAF_MAX_RTS; i++) {
      if (!(p->color_writes & 1u << i))
         p->blend[i].write_mask = 0;
   }
}

bool
saf_pipeline_discards_all(const struct saf_pipeline *p)
{
   return p->state.rasterizer_discard &&
          !(p->dynamic & SAF_DYNAMIC_RASTERIZER_DISCARD);
}

void
saf_pipeline_fill_state(const struct saf_device *device,
                        struct saf_pipeline *p,
                        const VkGraphicsPipelineCreateInfo *info)
{
   fill_dynamic_mask(p, info->pDynamicState);
   fill_vertex_input(device->info, p, info->pVertexInputState);
   const VkPipelineInputAssemblyStateCreateInfo *ia =
      info->pInputAssemblyState;
   p->state.topology = ia->topology;
   p->state.primitive_restart = ia->primitiveRestartEnable;
   if (p->state.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
      fill_tessellation(p, info->pTessellationState);
   fill_rasterization(p, info->pRasterizationState);
   p->color_writes = ~0u;
   p->state.viewport_count = 1;
   if (saf_pipeline_discards_all(p)) {
      fill_multisample(p, NULL);
   } else {
      fill_viewports(p, info->pViewportState);
      fill_multisample(p, info->pMultisampleState);
      fill_depth_stencil(p, info->pDepthStencilState);
      fill_blend(p, info->pColorBlendState);
   }
   if (!p->late)
      saf_pipeline_settle(p);
}
