/* SPDX-License-Identifier: MIT */
/* The state of fixed functions, from the create info of a pipeline. */
#include "saf_pipeline.h"
#include "intel/vulkan/state/saf_create_info.h"

/* Two parts of a pipeline have them. */
#define SAMPLE_STATES                                                        \
   (saf_gfx_of_parts(SAF_PART_FRAGMENT_SHADER) &                             \
    saf_gfx_of_parts(SAF_PART_FRAGMENT_OUTPUT))

#define FRAGMENT_STATES                                                      \
   saf_gfx_of_parts(SAF_PART_FRAGMENT_SHADER | SAF_PART_FRAGMENT_OUTPUT)

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
fill_vertex_input(const struct intel_device_info *dev,
                  struct saf_gfx_state *gfx,
                  const VkPipelineVertexInputStateCreateInfo *info)
{
   if (!info)
      return; /* it is dynamic, or a library's */
   for (uint32_t i = 0; i < info->vertexBindingDescriptionCount; i++) {
      const VkVertexInputBindingDescription *d =
         &info->pVertexBindingDescriptions[i];
      gfx->bindings[d->binding] = (struct saf_vertex_input_binding) {
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
      gfx->bindings[d->binding].divisor = d->divisor;
   }
   for (uint32_t i = 0; i < info->vertexAttributeDescriptionCount; i++) {
      const VkVertexInputAttributeDescription *d =
         &info->pVertexAttributeDescriptions[i];
      if (d->location >= SAF_MAX_VERTEX_ATTRIBS)
         continue;
      gfx->attributes[d->location] =
         saf_vertex_attribute(dev, d->binding, d->format, d->offset);
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
fill_multisample(struct saf_gfx_state *gfx,
                 const VkPipelineMultisampleStateCreateInfo *info)
{
   saf_gfx_read(gfx, info);
   if (!info)
      return;
   if (info->sampleShadingEnable)
      gfx->min_sample_shading = info->minSampleShading;
   if (info->pSampleMask)
      gfx->sample_mask = info->pSampleMask[0];
   const VkPipelineSampleLocationsStateCreateInfoEXT *at = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
   if (at)
      saf_fill_positions(gfx->positions, &at->sampleLocationsInfo);
}

static void
fill_viewports(struct saf_gfx_state *gfx,
               const VkPipelineViewportStateCreateInfo *info)
{
   saf_gfx_read(gfx, info);
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
   saf_gfx_read(gfx, info);
   if (!info)
      return;
   gfx->front = stencil_side(&info->front);
   gfx->back = stencil_side(&info->back);
}

static void
fill_blend(struct saf_gfx_state *gfx,
           const VkPipelineColorBlendStateCreateInfo *info)
{
   saf_gfx_read(gfx, info);
   if (!info)
      return;
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

void
saf_gfx_fill_key(struct saf_pipeline_key *key,
                 const struct saf_gfx_state *gfx, uint64_t states)
{
   if (states & SAF_GFX_PATCH)
      key->patch_control_points = gfx->patch_control_points;
   if (states & SAF_GFX_SAMPLES)
      key->samples = gfx->samples;
   if (states & SAF_GFX_STREAM)
      key->rasterization_stream = gfx->rasterization_stream;
   if (states & SAF_GFX_ALPHA_TO_COVERAGE)
      key->alpha_to_coverage = gfx->alpha_to_coverage;
   for (unsigned i = 0;
        (states & SAF_GFX_VERTEX_INPUT) && i < SAF_MAX_VERTEX_ATTRIBS; i++)
      key->lowered_formats[i] = gfx->attributes[i].valid
                                   ? gfx->attributes[i].lowered
                                   : ISL_FORMAT_UNSUPPORTED;
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

/* What the create info itself says. */
static void
fill_own(const struct saf_device *device, struct saf_pipeline *p,
         const VkGraphicsPipelineCreateInfo *info)
{
   struct saf_gfx_state *gfx = &p->gfx;
   const uint64_t states = saf_gfx_of_parts(saf_own_parts(info));
   p->dynamic = saf_gfx_bits(info->pDynamicState) & states;
   for (uint32_t i = 0; i < info->stageCount; i++)
      p->stages |= info->pStages[i].stage;
   /* A fragment shader's part need not say what that of its outputs does. */
   p->said = info->pMultisampleState ? states : states & ~SAMPLE_STATES;
   fill_vertex_input(device->info, gfx, info->pVertexInputState);
   saf_gfx_read(gfx, info->pInputAssemblyState);
   saf_gfx_read(gfx, info->pRasterizationState);
   if (info->pTessellationState) {
      gfx->patch_control_points =
         info->pTessellationState->patchControlPoints;
      saf_gfx_read(gfx, info->pTessellationState);
   }
   fill_viewports(gfx, info->pViewportState);
   fill_multisample(gfx, info->pMultisampleState);
   fill_depth_stencil(gfx, info->pDepthStencilState);
   fill_blend(gfx, info->pColorBlendState);
}

/* What is dynamic may be anything in a create info, but shaders are compiled
 * for it. */
static void
finish(const struct saf_device *device, struct saf_pipeline *p)
{
   struct saf_gfx_state *gfx = &p->gfx;
   if ((p->dynamic & SAF_GFX_SAMPLES) &&
       (!util_is_power_of_two_nonzero(gfx->samples) ||
        gfx->samples > SAF_MAX_SAMPLES))
      gfx->samples = 1;
   if ((p->dynamic & SAF_GFX_PATCH) &&
       gfx->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
      gfx->patch_control_points =
         CLAMP(gfx->patch_control_points, 1, SAF_MAX_PATCH_POINTS);
   /* Other libraries than the one that says so do not know. */
   if (saf_pipeline_discards_all(p))
      saf_gfx_take(gfx, &saf_gfx_defaults,
                   FRAGMENT_STATES | SAF_GFX_VIEWPORT | SAF_GFX_SCISSOR |
                      SAF_GFX_VIEWPORT_COUNT | SAF_GFX_NEGATIVE_ONE_TO_ONE);
   p->varies_by = p->dynamic & saf_gfx_of_stages(p->stages);
   if (saf_fetches_all_formats(device->info))
      p->varies_by &= ~SAF_GFX_VERTEX_INPUT;
   saf_gfx_fill_key(&p->key, gfx, ~0ull);
}

void
saf_pipeline_fill_state(const struct saf_device *device,
                        struct saf_pipeline *p,
                        const VkGraphicsPipelineCreateInfo *info)
{
   const VkPipelineLibraryCreateInfoKHR *libraries = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
   p->gfx = saf_gfx_defaults;
   fill_own(device, p, info);
   for (uint32_t i = 0; libraries && i < libraries->libraryCount; i++) {
      SAF_FROM_HANDLE(saf_pipeline, l, libraries->pLibraries[i]);
      saf_gfx_take(&p->gfx, &l->gfx, l->said);
      p->said |= l->said;
      p->dynamic |= l->dynamic;
      p->stages |= l->stages;
   }
   finish(device, p);
}
