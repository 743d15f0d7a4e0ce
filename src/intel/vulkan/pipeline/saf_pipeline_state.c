/* SPDX-License-Identifier: MIT */
/* The state of fixed functions, from the create info of a pipeline. */
#include "saf_pipeline.h"

struct saf_vertex_attribute
saf_vertex_attribute(const struct intel_device_info *info, uint32_t binding,
                     VkFormat vk, uint32_t offset_B)
{
   const enum isl_format format =
      saf_get_format(info, vk, VK_IMAGE_ASPECT_COLOR_BIT).format;
   const enum isl_format fetch = saf_vertex_fetch_format(info, format);
   const bool lowers = fetch != format && fetch != ISL_FORMAT_UNSUPPORTED;
   return (struct saf_vertex_attribute) {
      .valid = true,
      .binding = binding,
      .offset_B = offset_B,
      .format = lowers ? fetch : format,
      .lowered = lowers ? format : ISL_FORMAT_UNSUPPORTED,
   };
}

static void
fill_vertex_input(const struct intel_device_info *dev, struct saf_pipeline *p,
                  const VkPipelineVertexInputStateCreateInfo *info)
{
   if (p->dynamic & SAF_GFX_VERTEX_INPUT)
      return;
   for (uint32_t i = 0; i < info->vertexBindingDescriptionCount; i++) {
      const VkVertexInputBindingDescription *d =
         &info->pVertexBindingDescriptions[i];
      p->gfx.bindings[d->binding] = (struct saf_vertex_input_binding) {
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
      p->gfx.bindings[d->binding].divisor = d->divisor;
   }
   for (uint32_t i = 0; i < info->vertexAttributeDescriptionCount; i++) {
      const VkVertexInputAttributeDescription *d =
         &info->pVertexAttributeDescriptions[i];
      if (d->location >= SAF_MAX_VERTEX_ATTRIBS)
         continue;
      p->gfx.attributes[d->location] =
         saf_vertex_attribute(dev, d->binding, d->format, d->offset);
   }
}

/* The members of a structure of the chain, if it is there. */
#define READ(chain, TYPE, gfx, read)                                         \
   do {                                                                      \
      const void *s_ = saf_find_struct(                                      \
         chain, VK_STRUCTURE_TYPE_PIPELINE_##TYPE##_CREATE_INFO_EXT);        \
      if (s_)                                                                \
         read(gfx, s_);                                                      \
   } while (0)

static void
fill_rasterization(struct saf_gfx_state *gfx,
                   const VkPipelineRasterizationStateCreateInfo *info)
{
   gfx->depth_clip = SAF_DEPTH_CLIP_IF_NOT_CLAMPED;
   if (!info)
      return; /* all of it is dynamic */
   saf_gfx_read_rasterization_state(gfx, info);
   READ(info->pNext, RASTERIZATION_DEPTH_CLIP_STATE, gfx,
        saf_gfx_read_rasterization_depth_clip_state);
   READ(info->pNext, RASTERIZATION_LINE_STATE, gfx,
        saf_gfx_read_rasterization_line_state);
   READ(info->pNext, RASTERIZATION_PROVOKING_VERTEX_STATE, gfx,
        saf_gfx_read_rasterization_provoking_vertex_state);
   READ(info->pNext, RASTERIZATION_CONSERVATIVE_STATE, gfx,
        saf_gfx_read_rasterization_conservative_state);
   READ(info->pNext, RASTERIZATION_STATE_STREAM, gfx,
        saf_gfx_read_rasterization_state_stream);
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

/* NULL: no fragment is shaded, or nothing is said. */
static void
fill_multisample(struct saf_pipeline *p,
                 const VkPipelineMultisampleStateCreateInfo *info)
{
   struct saf_gfx_state *gfx = &p->gfx;
   gfx->samples = 1;
   gfx->sample_mask = ~0u;
   if (!info)
      return;
   saf_gfx_read_multisample_state(gfx, info);
   gfx->samples = info->rasterizationSamples;
   /* What it says may be anything then. */
   if ((p->dynamic & SAF_GFX_SAMPLES) &&
       (!util_is_power_of_two_nonzero(gfx->samples) ||
        gfx->samples > SAF_MAX_SAMPLES))
      gfx->samples = 1;
   if (info->pSampleMask)
      gfx->sample_mask = info->pSampleMask[0];
   const VkPipelineSampleLocationsStateCreateInfoEXT *at = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
   if (!at)
      return;
   saf_gfx_read_sample_locations_state(gfx, at);
   saf_fill_positions(gfx->positions, &at->sampleLocationsInfo);
}

static void
fill_viewports(struct saf_gfx_state *gfx,
               const VkPipelineViewportStateCreateInfo *info)
{
   if (!info)
      return;
   /* Only of a state that is dynamic with its count is there no count here;
    * of what is dynamic saf_sanitise_create_info() leaves no pointers. */
   gfx->viewport_count = CLAMP(MAX2(info->viewportCount, info->scissorCount),
                               1, SAF_MAX_VIEWPORTS);
   const uint32_t viewports = info->pViewports ? info->viewportCount : 0;
   const uint32_t scissors = info->pScissors ? info->scissorCount : 0;
   for (uint32_t i = 0; i < MIN2(viewports, SAF_MAX_VIEWPORTS); i++)
      gfx->viewports[i] = info->pViewports[i];
   for (uint32_t i = 0; i < MIN2(scissors, SAF_MAX_VIEWPORTS); i++)
      gfx->scissors[i] = info->pScissors[i];
   READ(info->pNext, VIEWPORT_DEPTH_CLIP_CONTROL, gfx,
        saf_gfx_read_viewport_depth_clip_control);
}

static void
fill_tessellation(struct saf_pipeline *p,
                  const VkPipelineTessellationStateCreateInfo *info)
{
   struct saf_gfx_state *gfx = &p->gfx;
   gfx->patch_control_points = info ? info->patchControlPoints : 0;
   if (p->dynamic & SAF_GFX_PATCH)
      gfx->patch_control_points =
         CLAMP(gfx->patch_control_points, 1, SAF_MAX_PATCH_POINTS);
   const VkPipelineTessellationDomainOriginStateCreateInfo *origin =
      info
         ? saf_find_struct(
              info->pNext,
              VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO)
         : NULL;
   if (origin)
      saf_gfx_read_tessellation_domain_origin_state(gfx, origin);
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
fill_depth_stencil(struct saf_gfx_state *gfx,
                   const VkPipelineDepthStencilStateCreateInfo *info)
{
   if (!info)
      return;
   saf_gfx_read_depth_stencil_state(gfx, info);
   gfx->front = stencil_side(&info->front);
   gfx->back = stencil_side(&info->back);
}

static void
fill_blend(struct saf_gfx_state *gfx,
           const VkPipelineColorBlendStateCreateInfo *info)
{
   if (!info)
      return;
   saf_gfx_read_color_blend_state(gfx, info);
   memcpy(gfx->blend_constants, info->blendConstants,
          sizeof(gfx->blend_constants));
   const VkPipelineColorWriteCreateInfoEXT *writes = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
   for (uint32_t i = 0;
        writes && writes->pColorWriteEnables && i < writes->attachmentCount;
        i++) {
      if (!writes->pColorWriteEnables[i])
         gfx->color_writes &= ~(1u << i);
   }
   /* NULL: all of it is dynamic. */
   const uint32_t count = info->pAttachments ? info->attachmentCount : 0;
   for (uint32_t i = 0; i < count && i < SAF_MAX_RTS; i++) {
      const VkPipelineColorBlendAttachmentState *a = &info->pAttachments[i];
      gfx->blend[i] = (struct saf_blend_target) {
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

struct saf_pipeline_key
saf_gfx_key(const struct saf_gfx_state *gfx)
{
   struct saf_pipeline_key key = {
      .patch_control_points = gfx->patch_control_points,
      .samples = gfx->samples,
      .rasterization_stream = gfx->rasterization_stream,
      .alpha_to_coverage = gfx->alpha_to_coverage,
   };
   for (unsigned i = 0; i < SAF_MAX_VERTEX_ATTRIBS; i++)
      key.lowered_formats[i] = gfx->attributes[i].valid
                                  ? gfx->attributes[i].lowered
                                  : ISL_FORMAT_UNSUPPORTED;
   return key;
}

VkLogicOp
saf_gfx_logic_op(const struct saf_gfx_state *gfx)
{
   return gfx->logic_op_enable ? gfx->logic_op : VK_LOGIC_OP_COPY;
}

VkLineRasterizationModeEXT
saf_gfx_line_mode(const struct saf_gfx_state *gfx)
{
   if (gfx->line_mode != VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT)
      return gfx->line_mode;
   return gfx->samples > 1 ? VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT
                           : VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
}

VkColorComponentFlags
saf_gfx_write_mask(const struct saf_gfx_state *gfx, unsigned target)
{
   return gfx->color_writes & 1u << target ? gfx->blend[target].write_mask
                                           : 0;
}

bool
saf_gfx_clips_depth(const struct saf_gfx_state *gfx)
{
   return gfx->depth_clip == SAF_DEPTH_CLIP_IF_NOT_CLAMPED
             ? !gfx->depth_clamp
             : gfx->depth_clip == SAF_DEPTH_CLIP_ON;
}

bool
saf_pipeline_discards_all(const struct saf_pipeline *p)
{
   return p->gfx.rasterizer_discard &&
          !(p->dynamic & SAF_GFX_RASTERIZER_DISCARD);
}

void
saf_pipeline_fill_state(const struct saf_device *device,
                        struct saf_pipeline *p,
                        const VkGraphicsPipelineCreateInfo *info)
{
   struct saf_gfx_state *gfx = &p->gfx;
   p->dynamic = saf_gfx_bits(info->pDynamicState);
   fill_vertex_input(device->info, p, info->pVertexInputState);
   saf_gfx_read_input_assembly_state(gfx, info->pInputAssemblyState);
   if (gfx->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
      fill_tessellation(p, info->pTessellationState);
   fill_rasterization(gfx, info->pRasterizationState);
   gfx->color_writes = ~0u;
   gfx->viewport_count = 1;
   if (saf_pipeline_discards_all(p)) {
      fill_multisample(p, NULL);
   } else {
      fill_viewports(gfx, info->pViewportState);
      fill_multisample(p, info->pMultisampleState);
      fill_depth_stencil(gfx, info->pDepthStencilState);
      fill_blend(gfx, info->pColorBlendState);
   }
   p->key = saf_gfx_key(gfx);
}
