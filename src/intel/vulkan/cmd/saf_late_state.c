/* SPDX-License-Identifier: MIT */
/*
 * State that is dynamic though packets take it from the pipeline.
 *
 * Problem: there is much of it (vertex input, extended_dynamic_state3), few
 * use it, and all that writes packets would have to ask where it is.
 *
 * Method: commands set it in a pipeline of the command buffer's own. Before a
 * draw that one becomes a copy of the bound pipeline with what is late in it
 * replaced, and takes its place.
 */
#include "intel/vulkan/api/saf_record.h"
#include "saf_cmd_buffer.h"

#define TAKE(bit, field)                                                     \
   if (p->late & SAF_LATE_##bit)                                             \
      memcpy(&p->field, &late->field, sizeof(p->field));

static void
take_blend(struct saf_pipeline *p, const struct saf_pipeline *late)
{
   for (unsigned i = 0; i < SAF_MAX_RTS; i++) {
      const struct saf_blend_target *from = &late->blend[i];
      struct saf_blend_target *to = &p->blend[i];
      const struct saf_blend_target old = *to;
      if (p->late & SAF_LATE_BLEND_EQUATION)
         *to = *from;
      to->enable = p->late & SAF_LATE_BLEND_ENABLE ? from->enable
                                                   : old.enable;
      to->write_mask = p->late & SAF_LATE_WRITE_MASK ? from->write_mask
                                                     : old.write_mask;
   }
}

void
saf_cmd_take_late_state(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *bound = cmd->draw.pipeline;
   if (!bound || !bound->late || !(cmd->dirty & SAF_DIRTY_PIPELINE))
      return;
   const struct saf_pipeline *late = &cmd->late;
   struct saf_pipeline *p = &cmd->merged;
   *p = *cmd->draw.bound;
   TAKE(VERTEX_INPUT, attributes)
   TAKE(VERTEX_INPUT, bindings)
   TAKE(COLOR_WRITES, color_writes)
   TAKE(DOMAIN_ORIGIN, domain_origin_lower_left)
   TAKE(DEPTH_CLAMP, depth_clamp)
   if (p->clips_if_not_clamped)
      p->depth_clip = !p->depth_clamp;
   TAKE(DEPTH_CLIP, depth_clip)
   TAKE(POLYGON_MODE, polygon_mode)
   TAKE(SAMPLE_MASK, sample_mask)
   TAKE(ALPHA_TO_ONE, alpha_to_one)
   TAKE(LOGIC_OP_ENABLE, logic_op_enable)
   TAKE(LOGIC_OP, logic_op)
   TAKE(PROVOKING_VERTEX, provoking_last)
   TAKE(LINE_MODE, line_mode)
   TAKE(LINE_STIPPLE, line_stipple)
   TAKE(NEGATIVE_ONE_TO_ONE, negative_one_to_one)
   TAKE(CONSERVATIVE, conservative)
   TAKE(OWN_POSITIONS, own_positions)
   TAKE(POSITIONS, positions)
   TAKE(PATCH, key.patch_control_points)
   TAKE(SAMPLES, key.samples)
   TAKE(ALPHA_TO_COVERAGE, key.alpha_to_coverage)
   TAKE(STREAM, key.rasterization_stream)
   take_blend(p, late);
   saf_pipeline_settle(p);
   const VkResult result =
      saf_pipeline_take_variant(cmd->device, p, cmd->draw.bound);
   if (result)
      saf_cmd_error(cmd, result);
   cmd->draw.pipeline = p;
}

/* ---- commands ---- */

static struct saf_pipeline *
late_of(VkCommandBuffer _cmd)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   cmd->dirty |= SAF_DIRTY_PIPELINE;
   return &cmd->late;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetVertexInputEXT(
   VkCommandBuffer _cmd, uint32_t binding_count,
   const VkVertexInputBindingDescription2EXT *bindings,
   uint32_t attribute_count,
   const VkVertexInputAttributeDescription2EXT *attributes)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   struct saf_pipeline *late = late_of(_cmd);
   memset(late->bindings, 0, sizeof(late->bindings));
   memset(late->attributes, 0, sizeof(late->attributes));
   for (uint32_t i = 0; i < binding_count; i++) {
      const VkVertexInputBindingDescription2EXT *b = &bindings[i];
      late->bindings[b->binding] = (struct saf_vertex_input_binding) {
         .valid = true,
         .stride_B = b->stride,
         .per_instance = b->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE,
         .divisor = b->divisor,
      };
      cmd->vertex[b->binding].stride_B = b->stride;
   }
   for (uint32_t i = 0; i < attribute_count; i++) {
      const VkVertexInputAttributeDescription2EXT *a = &attributes[i];
      if (a->location < SAF_MAX_VERTEX_ATTRIBS)
         late->attributes[a->location] = saf_vertex_attribute(
            cmd->device->info, a->binding, a->format, a->offset);
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetColorWriteEnableEXT(VkCommandBuffer cmd, uint32_t count,
                              const VkBool32 *enables)
{
   struct saf_pipeline *late = late_of(cmd);
   for (uint32_t i = 0; i < count && i < SAF_MAX_RTS; i++)
      late->color_writes = enables[i] ? late->color_writes | 1u << i
                                      : late->color_writes & ~(1u << i);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetTessellationDomainOriginEXT(VkCommandBuffer cmd,
                                      VkTessellationDomainOrigin origin)
{
   late_of(cmd)->domain_origin_lower_left =
      origin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetProvokingVertexModeEXT(VkCommandBuffer cmd,
                                 VkProvokingVertexModeEXT mode)
{
   late_of(cmd)->provoking_last = mode ==
                                  VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetConservativeRasterizationModeEXT(
   VkCommandBuffer cmd, VkConservativeRasterizationModeEXT mode)
{
   late_of(cmd)->conservative =
      mode == VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetExtraPrimitiveOverestimationSizeEXT(VkCommandBuffer cmd, float size)
{
   /* None but 0: maxExtraPrimitiveOverestimationSize. */
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetSampleMaskEXT(VkCommandBuffer cmd, VkSampleCountFlagBits samples,
                        const VkSampleMask *mask)
{
   late_of(cmd)->sample_mask = mask[0];
}

#define SET(Name, type, field)                                               \
   VKAPI_ATTR void VKAPI_CALL saf_Cmd##Name(VkCommandBuffer cmd, type value) \
   {                                                                         \
      late_of(cmd)->field = value;                                           \
   }

SET(SetSampleLocationsEnableEXT, VkBool32, own_positions)
SET(SetDepthClampEnableEXT, VkBool32, depth_clamp)
SET(SetPolygonModeEXT, VkPolygonMode, polygon_mode)
SET(SetAlphaToOneEnableEXT, VkBool32, alpha_to_one)
SET(SetLogicOpEnableEXT, VkBool32, logic_op_enable)
SET(SetLogicOpEXT, VkLogicOp, logic_op)
SET(SetDepthClipEnableEXT, VkBool32, depth_clip)
SET(SetLineRasterizationModeEXT, VkLineRasterizationModeEXT, line_mode)
SET(SetLineStippleEnableEXT, VkBool32, line_stipple)
SET(SetDepthClipNegativeOneToOneEXT, VkBool32, negative_one_to_one)
SET(SetPatchControlPointsEXT, uint32_t, key.patch_control_points)
SET(SetRasterizationSamplesEXT, VkSampleCountFlagBits, key.samples)
SET(SetAlphaToCoverageEnableEXT, VkBool32, key.alpha_to_coverage)
SET(SetRasterizationStreamEXT, uint32_t, key.rasterization_stream)

/* The same for each of some attachments. */
#define SET_EACH(Name, type, value)                                          \
   VKAPI_ATTR void VKAPI_CALL saf_Cmd##Name(VkCommandBuffer cmd,             \
                                            uint32_t first, uint32_t count,  \
                                            const type *values)              \
   {                                                                         \
      struct saf_blend_target *blend = late_of(cmd)->blend;                  \
      for (uint32_t i = 0; i < count && first + i < SAF_MAX_RTS; i++) {      \
         struct saf_blend_target *b = &blend[first + i];                     \
         const type *v = &values[i];                                         \
         value;                                                              \
      }                                                                      \
   }

static void
set_equation(struct saf_blend_target *b, const VkColorBlendEquationEXT *v)
{
   b->src_color = v->srcColorBlendFactor;
   b->dst_color = v->dstColorBlendFactor;
   b->src_alpha = v->srcAlphaBlendFactor;
   b->dst_alpha = v->dstAlphaBlendFactor;
   b->color_op = v->colorBlendOp;
   b->alpha_op = v->alphaBlendOp;
}

SET_EACH(SetColorBlendEnableEXT, VkBool32, b->enable = *v)
SET_EACH(SetColorBlendEquationEXT, VkColorBlendEquationEXT,
         set_equation(b, v))
SET_EACH(SetColorWriteMaskEXT, VkColorComponentFlags, b->write_mask = *v)

/* ---- sample locations ---- */

struct recorded_locations {
   struct saf_recorded head;
   VkSampleLocationsInfoEXT info;
};

static void
play_locations(struct saf_cmd_buffer *cmd, const struct saf_recorded *r)
{
   saf_CmdSetSampleLocationsEXT(
      saf_cmd_buffer_to_handle(cmd),
      &((const struct recorded_locations *)r)->info);
}

/* What it points to, points to more. */
VKAPI_ATTR void VKAPI_CALL
saf_CmdSetSampleLocationsEXT(VkCommandBuffer _cmd,
                             const VkSampleLocationsInfoEXT *info)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   if (cmd->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
      saf_fill_positions(late_of(_cmd)->positions, info);
      return;
   }
   struct recorded_locations *r = saf_record(cmd, sizeof(*r), play_locations);
   if (!r)
      return;
   r->info = *info;
   r->info.pSampleLocations = saf_record_copy(
      cmd, info->pSampleLocations,
      info->sampleLocationsCount * sizeof(*info->pSampleLocations));
}

/* ---- commands whose feature is not there ---- */

#define ABSENT(Name, ...)                                                    \
   VKAPI_ATTR void VKAPI_CALL saf_Cmd##Name(VkCommandBuffer cmd,             \
                                            __VA_ARGS__)                     \
   {                                                                         \
      saf_error(VK_ERROR_FEATURE_NOT_PRESENT, "vkCmd" #Name);                \
   }

/* Of extensions that are not there. */
ABSENT(SetColorBlendAdvancedEXT, uint32_t first, uint32_t count,
       const VkColorBlendAdvancedEXT *values)
ABSENT(SetViewportWScalingEnableNV, VkBool32 enable)
ABSENT(SetViewportSwizzleNV, uint32_t first, uint32_t count,
       const VkViewportSwizzleNV *values)
ABSENT(SetCoverageToColorEnableNV, VkBool32 enable)
ABSENT(SetCoverageToColorLocationNV, uint32_t location)
ABSENT(SetCoverageModulationModeNV, VkCoverageModulationModeNV mode)
ABSENT(SetCoverageModulationTableEnableNV, VkBool32 enable)
ABSENT(SetCoverageModulationTableNV, uint32_t count, const float *table)
ABSENT(SetShadingRateImageEnableNV, VkBool32 enable)
ABSENT(SetRepresentativeFragmentTestEnableNV, VkBool32 enable)
ABSENT(SetCoverageReductionModeNV, VkCoverageReductionModeNV mode)
