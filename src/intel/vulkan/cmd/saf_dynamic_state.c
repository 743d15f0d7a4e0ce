/* SPDX-License-Identifier: MIT */
/* What commands set of a pipeline's state, and what a bound one sets. */
#include "saf_cmd_buffer.h"

/* ---- from the pipeline ---- */

/* Depth and stencil, but for stencil masks and references. */
static void
take_static_tests(struct saf_dynamic_state *d,
                  const struct saf_dynamic_state *s, uint32_t fixed)
{
   if (fixed & SAF_DYNAMIC_DEPTH_TEST)
      d->depth_test = s->depth_test;
   if (fixed & SAF_DYNAMIC_DEPTH_WRITE)
      d->depth_write = s->depth_write;
   if (fixed & SAF_DYNAMIC_DEPTH_COMPARE)
      d->depth_compare = s->depth_compare;
   if (fixed & SAF_DYNAMIC_STENCIL_TEST)
      d->stencil_test = s->stencil_test;
   if (fixed & SAF_DYNAMIC_STENCIL_OP) {
      struct saf_stencil_side front = s->front, back = s->back;
      front.compare_mask = d->front.compare_mask;
      front.write_mask = d->front.write_mask;
      front.reference = d->front.reference;
      back.compare_mask = d->back.compare_mask;
      back.write_mask = d->back.write_mask;
      back.reference = d->back.reference;
      d->front = front;
      d->back = back;
   }
}

static void
take_static_primitives(struct saf_dynamic_state *d,
                       const struct saf_dynamic_state *s, uint32_t fixed)
{
   if (fixed & SAF_DYNAMIC_VIEWPORT_COUNT)
      d->viewport_count = s->viewport_count;
   if (fixed & SAF_DYNAMIC_TOPOLOGY)
      d->topology = s->topology;
   if (fixed & SAF_DYNAMIC_PRIMITIVE_RESTART)
      d->primitive_restart = s->primitive_restart;
   if (fixed & SAF_DYNAMIC_RASTERIZER_DISCARD)
      d->rasterizer_discard = s->rasterizer_discard;
   if (fixed & SAF_DYNAMIC_CULL_MODE)
      d->cull_mode = s->cull_mode;
   if (fixed & SAF_DYNAMIC_FRONT_FACE)
      d->front_face = s->front_face;
   if (fixed & SAF_DYNAMIC_DEPTH_BIAS_ENABLE)
      d->depth_bias = s->depth_bias;
}

void
saf_cmd_take_static_state(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *p = cmd->draw.pipeline;
   struct saf_dynamic_state *d = &cmd->draw.dynamic;
   const struct saf_dynamic_state *s = &p->state;
   const uint32_t fixed = ~p->dynamic;
   take_static_tests(d, s, fixed);
   take_static_primitives(d, s, fixed);
   if (fixed & SAF_DYNAMIC_VIEWPORT)
      memcpy(d->viewports, s->viewports, sizeof(d->viewports));
   if (fixed & SAF_DYNAMIC_SCISSOR)
      memcpy(d->scissors, s->scissors, sizeof(d->scissors));
   if (fixed & SAF_DYNAMIC_LINE_WIDTH)
      d->line_width = s->line_width;
   if (fixed & SAF_DYNAMIC_LINE_STIPPLE) {
      d->line_stipple_factor = s->line_stipple_factor;
      d->line_stipple_pattern = s->line_stipple_pattern;
   }
   if (fixed & SAF_DYNAMIC_DEPTH_BIAS) {
      d->depth_bias_constant = s->depth_bias_constant;
      d->depth_bias_clamp = s->depth_bias_clamp;
      d->depth_bias_slope = s->depth_bias_slope;
   }
   if (fixed & SAF_DYNAMIC_BLEND_CONSTANTS)
      memcpy(d->blend_constants, s->blend_constants,
             sizeof(d->blend_constants));
   if (fixed & SAF_DYNAMIC_STENCIL_COMPARE_MASK) {
      d->front.compare_mask = s->front.compare_mask;
      d->back.compare_mask = s->back.compare_mask;
   }
   if (fixed & SAF_DYNAMIC_STENCIL_WRITE_MASK) {
      d->front.write_mask = s->front.write_mask;
      d->back.write_mask = s->back.write_mask;
   }
   if (fixed & SAF_DYNAMIC_STENCIL_REFERENCE) {
      d->front.reference = s->front.reference;
      d->back.reference = s->back.reference;
   }
   cmd->dirty |= SAF_DIRTY_PIPELINE | SAF_DIRTY_VIEWPORT | SAF_DIRTY_SCISSOR |
                 SAF_DIRTY_LINE_WIDTH | SAF_DIRTY_LINE_STIPPLE |
                 SAF_DIRTY_DEPTH_BIAS | SAF_DIRTY_BLEND_CONSTANTS |
                 SAF_DIRTY_DEPTH_STENCIL | SAF_DIRTY_RASTER;
}

/* ---- of Vulkan 1.0 and of lines ---- */

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetViewport(VkCommandBuffer _cmd, uint32_t first, uint32_t count,
                   const VkViewport *viewports)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   for (uint32_t i = 0; i < count && first + i < SAF_MAX_VIEWPORTS; i++)
      cmd->draw.dynamic.viewports[first + i] = viewports[i];
   cmd->dirty |= SAF_DIRTY_VIEWPORT;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetScissor(VkCommandBuffer _cmd, uint32_t first, uint32_t count,
                  const VkRect2D *scissors)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   for (uint32_t i = 0; i < count && first + i < SAF_MAX_VIEWPORTS; i++)
      cmd->draw.dynamic.scissors[first + i] = scissors[i];
   cmd->dirty |= SAF_DIRTY_SCISSOR;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetLineWidth(VkCommandBuffer _cmd, float width)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   cmd->draw.dynamic.line_width = width;
   cmd->dirty |= SAF_DIRTY_LINE_WIDTH;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetDepthBias(VkCommandBuffer _cmd, float constant, float clamp,
                    float slope)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   cmd->draw.dynamic.depth_bias_constant = constant;
   cmd->draw.dynamic.depth_bias_clamp = clamp;
   cmd->draw.dynamic.depth_bias_slope = slope;
   cmd->dirty |= SAF_DIRTY_DEPTH_BIAS;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetBlendConstants(VkCommandBuffer _cmd, const float constants[4])
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   memcpy(cmd->draw.dynamic.blend_constants, constants, 4 * sizeof(float));
   cmd->dirty |= SAF_DIRTY_BLEND_CONSTANTS;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetDepthBounds(VkCommandBuffer cmd, float min, float max)
{
   /* Only of effect with the feature depthBounds, which is not reported. */
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetLineStippleEXT(VkCommandBuffer _cmd, uint32_t factor,
                         uint16_t pattern)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   cmd->draw.dynamic.line_stipple_factor = factor;
   cmd->draw.dynamic.line_stipple_pattern = pattern;
   cmd->dirty |= SAF_DIRTY_LINE_STIPPLE;
}

#define SET_STENCIL(Name, member)                                            \
   VKAPI_ATTR void VKAPI_CALL saf_CmdSetStencil##Name(                       \
      VkCommandBuffer _cmd, VkStencilFaceFlags faces, uint32_t value)        \
   {                                                                         \
      SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);                            \
      if (faces & VK_STENCIL_FACE_FRONT_BIT)                                 \
         cmd->draw.dynamic.front.member = (uint8_t)value;                    \
      if (faces & VK_STENCIL_FACE_BACK_BIT)                                  \
         cmd->draw.dynamic.back.member = (uint8_t)value;                     \
      cmd->dirty |= SAF_DIRTY_DEPTH_STENCIL;                                 \
   }

SET_STENCIL(CompareMask, compare_mask)
SET_STENCIL(WriteMask, write_mask)
SET_STENCIL(Reference, reference)

/* ---- of the extended dynamic state ---- */

static void
set_viewport_count(struct saf_cmd_buffer *cmd, uint32_t count)
{
   struct saf_dynamic_state *d = &cmd->draw.dynamic;
   count = CLAMP(count, 1, SAF_MAX_VIEWPORTS);
   if (d->viewport_count == count)
      return;
   d->viewport_count = count;
   cmd->dirty |= SAF_DIRTY_VIEWPORT | SAF_DIRTY_SCISSOR | SAF_DIRTY_RASTER;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetViewportWithCount(VkCommandBuffer cmd, uint32_t count,
                            const VkViewport *viewports)
{
   set_viewport_count(saf_cmd_buffer_from_handle(cmd), count);
   saf_CmdSetViewport(cmd, 0, count, viewports);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetScissorWithCount(VkCommandBuffer cmd, uint32_t count,
                           const VkRect2D *scissors)
{
   set_viewport_count(saf_cmd_buffer_from_handle(cmd), count);
   saf_CmdSetScissor(cmd, 0, count, scissors);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetStencilOp(VkCommandBuffer _cmd, VkStencilFaceFlags faces,
                    VkStencilOp fail, VkStencilOp pass,
                    VkStencilOp depth_fail, VkCompareOp compare)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   struct saf_stencil_side *sides[] = {
      faces & VK_STENCIL_FACE_FRONT_BIT ? &cmd->draw.dynamic.front : NULL,
      faces & VK_STENCIL_FACE_BACK_BIT ? &cmd->draw.dynamic.back : NULL,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(sides); i++) {
      if (!sides[i])
         continue;
      sides[i]->fail = fail;
      sides[i]->pass = pass;
      sides[i]->depth_fail = depth_fail;
      sides[i]->compare = compare;
   }
   cmd->dirty |= SAF_DIRTY_DEPTH_STENCIL;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetDepthBoundsTestEnable(VkCommandBuffer cmd, VkBool32 enable)
{
   /* As saf_CmdSetDepthBounds(). */
}

/* Commands that set one member. */
#define SET(Name, type, member, bit)                                         \
   VKAPI_ATTR void VKAPI_CALL saf_CmdSet##Name(VkCommandBuffer _cmd,         \
                                               type value)                   \
   {                                                                         \
      SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);                            \
      cmd->draw.dynamic.member = value;                                      \
      cmd->dirty |= SAF_DIRTY_##bit;                                         \
   }

SET(PrimitiveTopology, VkPrimitiveTopology, topology, RASTER)
SET(PrimitiveRestartEnable, VkBool32, primitive_restart, RASTER)
SET(RasterizerDiscardEnable, VkBool32, rasterizer_discard, RASTER)
SET(CullMode, VkCullModeFlags, cull_mode, RASTER)
SET(FrontFace, VkFrontFace, front_face, RASTER)
SET(DepthBiasEnable, VkBool32, depth_bias, RASTER)
SET(DepthTestEnable, VkBool32, depth_test, DEPTH_STENCIL)
SET(DepthWriteEnable, VkBool32, depth_write, DEPTH_STENCIL)
SET(DepthCompareOp, VkCompareOp, depth_compare, DEPTH_STENCIL)
SET(StencilTestEnable, VkBool32, stencil_test, DEPTH_STENCIL)
