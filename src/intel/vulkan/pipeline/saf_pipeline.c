/* SPDX-License-Identifier: MIT */
/* Pipelines from what vkCreate*Pipelines is given. */
#include "saf_pipeline.h"
#include "saf_shader.h"

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
}

static void
fill_vertex_input(struct saf_pipeline *p,
                  const VkPipelineVertexInputStateCreateInfo *info)
{
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
      p->attributes[d->location] = (struct saf_vertex_attribute) {
         .valid = true,
         .binding = d->binding,
         .offset_B = d->offset,
         .format =
            saf_get_format(d->format, VK_IMAGE_ASPECT_COLOR_BIT).format,
      };
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
   p->depth_clamp = info->depthClampEnable;
   p->depth_clip = !info->depthClampEnable;
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
      case VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT:
         p->rasterization_stream =
            ((const VkPipelineRasterizationStateStreamCreateInfoEXT *)s)
               ->rasterizationStream;
         break;
      default: break;
      }
   }
}

static void
fill_multisample(struct saf_pipeline *p,
                 const VkPipelineMultisampleStateCreateInfo *info)
{
   p->samples = 1;
   p->sample_mask = ~0u;
   if (!info)
      return;
   p->samples = info->rasterizationSamples;
   if (info->pSampleMask)
      p->sample_mask = info->pSampleMask[0];
   p->alpha_to_coverage = info->alphaToCoverageEnable;
   p->alpha_to_one = info->alphaToOneEnable;
}

static void
fill_viewports(struct saf_pipeline *p,
               const VkPipelineViewportStateCreateInfo *info)
{
   if (!info)
      return;
   p->state.viewport_count = CLAMP(info->viewportCount, 1, SAF_MAX_VIEWPORTS);
   for (uint32_t i = 0; i < p->state.viewport_count; i++) {
      if (info->pViewports)
         p->state.viewports[i] = info->pViewports[i];
      if (info->pScissors)
         p->state.scissors[i] = info->pScissors[i];
   }
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
   if (!info)
      return;
   p->patch_control_points = info->patchControlPoints;
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
   p->logic_op = info->logicOpEnable ? info->logicOp : VK_LOGIC_OP_COPY;
   memcpy(p->state.blend_constants, info->blendConstants,
          sizeof(p->state.blend_constants));
   for (uint32_t i = 0; i < info->attachmentCount && i < SAF_MAX_RTS; i++) {
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

/* No fragment is ever shaded. */
static bool
discards_all(const struct saf_pipeline *p)
{
   return p->state.rasterizer_discard &&
          !(p->dynamic & SAF_DYNAMIC_RASTERIZER_DISCARD);
}

static void
fill_fixed_function(struct saf_pipeline *p,
                    const VkGraphicsPipelineCreateInfo *info)
{
   fill_dynamic_mask(p, info->pDynamicState);
   fill_vertex_input(p, info->pVertexInputState);
   const VkPipelineInputAssemblyStateCreateInfo *ia =
      info->pInputAssemblyState;
   p->state.topology = ia->topology;
   p->state.primitive_restart = ia->primitiveRestartEnable;
   if (p->state.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
      fill_tessellation(p, info->pTessellationState);
   fill_rasterization(p, info->pRasterizationState);
   p->logic_op = VK_LOGIC_OP_COPY;
   p->state.viewport_count = 1;
   if (discards_all(p)) {
      fill_multisample(p, NULL);
      return;
   }
   fill_viewports(p, info->pViewportState);
   fill_multisample(p, info->pMultisampleState);
   if (p->line_mode == VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT)
      p->line_mode = p->samples > 1
                        ? VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT
                        : VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
   fill_depth_stencil(p, info->pDepthStencilState);
   fill_blend(p, info->pColorBlendState);
}

static struct intel_wm_key
wm_key(const struct saf_pipeline *p, const VkGraphicsPipelineCreateInfo *info)
{
   SAF_FROM_HANDLE(saf_render_pass, pass, info->renderPass);
   struct intel_wm_key key = {
      .multisample_fbo = p->samples > 1,
      .samples = (uint8_t)p->samples,
      .alpha_to_coverage = p->alpha_to_coverage,
   };
   const VkPipelineMultisampleStateCreateInfo *ms = info->pMultisampleState;
   key.persample_shading = p->samples > 1 && ms && ms->sampleShadingEnable &&
                           ms->minSampleShading * (float)p->samples > 1;
   if (pass) {
      const struct saf_subpass *sub = &pass->subpasses[info->subpass];
      key.nr_color_regions = (uint8_t)sub->color_count;
      for (uint32_t i = 0; i < sub->color_count; i++) {
         if (sub->color[i] != VK_ATTACHMENT_UNUSED)
            key.color_outputs_valid |= 1u << i;
      }
   }
   return key;
}

/* What the device does not fetch comes as a dword, or as floats. */
static void
lower_vertex_formats(const struct intel_device_info *info,
                     struct saf_pipeline *p, struct saf_stages *in)
{
   for (unsigned i = 0; i < SAF_MAX_VERTEX_ATTRIBS; i++) {
      struct saf_vertex_attribute *a = &p->attributes[i];
      in->vertex_formats[i] = ISL_FORMAT_UNSUPPORTED;
      if (!a->valid)
         continue;
      const enum isl_format fetch = saf_vertex_fetch_format(info, a->format);
      if (fetch == a->format || fetch == ISL_FORMAT_UNSUPPORTED)
         continue;
      in->lowers_vertex_formats = true;
      in->vertex_formats[i] = a->format;
      a->format = fetch;
   }
}

static bool
wants_capture(VkPipelineCreateFlags flags)
{
   return flags &
          (VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
           VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
}

static VkResult
compile_stages(struct saf_device *device, struct saf_pipeline *p,
               const VkGraphicsPipelineCreateInfo *info,
               struct saf_pipeline_cache *cache)
{
   SAF_FROM_HANDLE(saf_render_pass, pass, info->renderPass);
   p->view_mask = pass ? pass->subpasses[info->subpass].view_mask : 0;
   struct saf_stages in = {
      .layout = saf_pipeline_layout_from_handle(info->layout),
      .wm = wm_key(p, info),
      .multiview = p->view_mask != 0,
      .capture = wants_capture(info->flags),
      .patch_control_points = p->patch_control_points,
      .rasterization_stream = p->rasterization_stream,
   };
   p->color_count = in.wm.nr_color_regions;
   lower_vertex_formats(device->info, p, &in);
   for (uint32_t i = 0; i < info->stageCount; i++) {
      const VkPipelineShaderStageCreateInfo *stage = &info->pStages[i];
      /* Bits of Vulkan's stages have the order of ours. */
      const unsigned s = util_logbase2(stage->stage);
      if (s >= SAF_GRAPHICS_STAGES)
         return saf_error(VK_ERROR_FEATURE_NOT_PRESENT,
                          "shader stage 0x%x is not implemented",
                          stage->stage);
      if (s != MESA_SHADER_FRAGMENT || !discards_all(p))
         in.info[s] = stage;
   }
   if (!in.info[MESA_SHADER_VERTEX])
      return saf_error(VK_ERROR_FEATURE_NOT_PRESENT,
                       "a pipeline without a vertex shader");
   if (!in.info[MESA_SHADER_TESS_CTRL] != !in.info[MESA_SHADER_TESS_EVAL])
      return saf_error(VK_ERROR_FEATURE_NOT_PRESENT,
                       "a pipeline with one of two tessellation shaders");
   if (in.multiview && saf_stages_are_linked(&in))
      return saf_error(VK_ERROR_FEATURE_NOT_PRESENT,
                       "several views with tessellation or geometry shaders");
   const VkResult result = saf_compile_stages(device, cache, &in, p->shaders);
   if (result)
      return result;
   for (unsigned s = 0; s < MESA_SHADER_FRAGMENT; s++) {
      if (p->shaders[s])
         p->last = p->shaders[s];
   }
   p->out = *intel_vue_outputs(p->last->stage, &p->last->prog.base);
   return VK_SUCCESS;
}

void
saf_pipeline_destroy(struct saf_device *device, struct saf_pipeline *p,
                     const VkAllocationCallbacks *alloc)
{
   for (unsigned s = 0; s < SAF_STAGES; s++)
      saf_shader_unref(device, p->shaders[s]);
   saf_free(alloc ? alloc : device->alloc, p);
}

static VkResult
compile_graphics(struct saf_device *device, struct saf_pipeline *p,
                 const void *infos, uint32_t i,
                 struct saf_pipeline_cache *cache)
{
   const VkGraphicsPipelineCreateInfo *info = infos;
   fill_fixed_function(p, &info[i]);
   return compile_stages(device, p, &info[i], cache);
}

/* Invocations of its threads, if it matters to a compute shader; else 0. */
static uint8_t
subgroup_size(const VkPipelineShaderStageCreateInfo *stage)
{
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *required =
      saf_find_struct(
         stage->pNext,
         VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
   if (required)
      return (uint8_t)required->requiredSubgroupSize;
   return stage->flags &
                VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
             ? INTEL_SUBGROUP_SIZE
             : 0;
}

static VkResult
compile_compute(struct saf_device *device, struct saf_pipeline *p,
                const void *infos, uint32_t i,
                struct saf_pipeline_cache *cache)
{
   const VkComputePipelineCreateInfo *info = infos;
   const struct saf_stages in = {
      .info[MESA_SHADER_COMPUTE] = &info[i].stage,
      .layout = saf_pipeline_layout_from_handle(info[i].layout),
      .capture = wants_capture(info[i].flags),
      .subgroup_size = subgroup_size(&info[i].stage),
   };
   return saf_compile_stages(device, cache, &in, p->shaders);
}

/* Makes `count` pipelines, compile() the i-th of `infos`. One that fails is
 * VK_NULL_HANDLE, the others are made all the same; the first error. */
static VkResult
create_pipelines(VkDevice _device, VkPipelineCache _cache, uint32_t count,
                 const void *infos,
                 VkResult (*compile)(struct saf_device *device,
                                     struct saf_pipeline *p,
                                     const void *infos, uint32_t i,
                                     struct saf_pipeline_cache *cache),
                 const VkAllocationCallbacks *alloc, VkPipeline *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_pipeline_cache, cache, _cache);
   VkResult first_error = VK_SUCCESS;
   for (uint32_t i = 0; i < count; i++) {
      out[i] = VK_NULL_HANDLE;
      struct saf_pipeline *p =
         saf_alloc(alloc ? alloc : device->alloc, sizeof(*p));
      const VkResult result = p ? compile(device, p, infos, i, cache)
                                : VK_ERROR_OUT_OF_HOST_MEMORY;
      if (!result)
         out[i] = saf_pipeline_to_handle(p);
      else if (p)
         saf_pipeline_destroy(device, p, alloc);
      if (result && !first_error)
         first_error = result;
   }
   return first_error;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache,
                            uint32_t count,
                            const VkGraphicsPipelineCreateInfo *infos,
                            const VkAllocationCallbacks *alloc,
                            VkPipeline *out)
{
   return create_pipelines(device, cache, count, infos, compile_graphics,
                           alloc, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                           uint32_t count,
                           const VkComputePipelineCreateInfo *infos,
                           const VkAllocationCallbacks *alloc,
                           VkPipeline *out)
{
   return create_pipelines(device, cache, count, infos, compile_compute,
                           alloc, out);
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyPipeline(VkDevice _device, VkPipeline _pipeline,
                    const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_pipeline, pipeline, _pipeline);
   if (pipeline)
      saf_pipeline_destroy(device, pipeline, alloc);
}
