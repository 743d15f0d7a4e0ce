/* SPDX-License-Identifier: MIT */
/*
 * The state of draws: what a bound pipeline sets of it, and commands that do
 * more than set fields (those are generated: gfx_state.py).
 */
#include "saf_record.h"
#include "saf_cmd_buffer.h"

/* ---- from the pipeline ---- */

static bool
are_alike(const struct saf_pipeline *a, const struct saf_pipeline *b)
{
   return a->internal == b->internal && a->view_mask == b->view_mask &&
          a->color_count == b->color_count &&
          a->logic_op_targets == b->logic_op_targets &&
          a->exact_uniforms == b->exact_uniforms;
}

static void
draw_with(struct saf_cmd_buffer *cmd, const struct saf_pipeline *p)
{
   const struct saf_pipeline *old = cmd->draw.pipeline;
   cmd->draw.pipeline = p;
   if (!old || !are_alike(old, p))
      cmd->dirty |= SAF_DIRTY_PIPELINE;
   for (unsigned s = 0; s < SAF_GRAPHICS_STAGES; s++) {
      if (!old || old->shaders[s] != p->shaders[s])
         cmd->dirty |= SAF_DIRTY_STAGE(s);
   }
}

void
saf_cmd_bind_pipeline(struct saf_cmd_buffer *cmd,
                      const struct saf_pipeline *p)
{
   const struct saf_pipeline *old = cmd->draw.bound;
   /* Strides that are not dynamic are the vertex input's. */
   if (!old || ((old->dynamic ^ p->dynamic) & SAF_GFX_VERTEX_STRIDE))
      cmd->dirty |= SAF_DIRTY_VERTEX_BUFFERS;
   cmd->dirty |= saf_gfx_take(&cmd->draw.gfx, &p->gfx, ~p->dynamic);
   cmd->draw.bound = p;
   draw_with(cmd, p);
   if (p->variants)
      cmd->dirty |= p->varies_by;
}

void
saf_cmd_choose_variant(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *p;
   if (!cmd->draw.bound || !cmd->draw.bound->variants ||
       !(cmd->dirty & cmd->draw.bound->varies_by))
      return;
   const VkResult result =
      saf_pipeline_variant(cmd->device, cmd->draw.bound, &cmd->draw.gfx, &p);
   if (result)
      saf_cmd_error(cmd, result);
   draw_with(cmd, p);
}

/* ---- of Vulkan 1.0 ---- */

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetViewport(VkCommandBuffer _cmd, uint32_t first, uint32_t count,
                   const VkViewport *viewports)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   for (uint32_t i = 0; i < count && first + i < SAF_MAX_VIEWPORTS; i++)
      cmd->draw.gfx.viewports[first + i] = viewports[i];
   cmd->dirty |= SAF_GFX_VIEWPORT;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetScissor(VkCommandBuffer _cmd, uint32_t first, uint32_t count,
                  const VkRect2D *scissors)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   for (uint32_t i = 0; i < count && first + i < SAF_MAX_VIEWPORTS; i++)
      cmd->draw.gfx.scissors[first + i] = scissors[i];
   cmd->dirty |= SAF_GFX_SCISSOR;
}

#define SET_STENCIL(Name, member, bit)                                       \
   VKAPI_ATTR void VKAPI_CALL saf_CmdSetStencil##Name(                       \
      VkCommandBuffer _cmd, VkStencilFaceFlags faces, uint32_t value)        \
   {                                                                         \
      SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);                            \
      if (faces & VK_STENCIL_FACE_FRONT_BIT)                                 \
         cmd->draw.gfx.front.member = (uint8_t)value;                        \
      if (faces & VK_STENCIL_FACE_BACK_BIT)                                  \
         cmd->draw.gfx.back.member = (uint8_t)value;                         \
      cmd->dirty |= SAF_GFX_STENCIL_##bit;                                   \
   }

SET_STENCIL(CompareMask, compare_mask, COMPARE_MASK)
SET_STENCIL(WriteMask, write_mask, WRITE_MASK)
SET_STENCIL(Reference, reference, REFERENCE)

/* ---- of the extended dynamic state ---- */

static void
set_viewport_count(struct saf_cmd_buffer *cmd, uint32_t count)
{
   struct saf_gfx_state *d = &cmd->draw.gfx;
   count = CLAMP(count, 1, SAF_MAX_VIEWPORTS);
   if (d->viewport_count == count)
      return;
   d->viewport_count = count;
   cmd->dirty |= SAF_GFX_VIEWPORT_COUNT;
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
      faces & VK_STENCIL_FACE_FRONT_BIT ? &cmd->draw.gfx.front : NULL,
      faces & VK_STENCIL_FACE_BACK_BIT ? &cmd->draw.gfx.back : NULL,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(sides); i++) {
      if (!sides[i])
         continue;
      sides[i]->fail = fail;
      sides[i]->pass = pass;
      sides[i]->depth_fail = depth_fail;
      sides[i]->compare = compare;
   }
   cmd->dirty |= SAF_GFX_STENCIL_OP;
}

/* ---- of vertices, samples and attachments ---- */

static struct saf_gfx_state *
set(VkCommandBuffer _cmd, uint64_t state)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   cmd->dirty |= state;
   return &cmd->draw.gfx;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetVertexInputEXT(
   VkCommandBuffer _cmd, uint32_t binding_count,
   const VkVertexInputBindingDescription2EXT *bindings,
   uint32_t attribute_count,
   const VkVertexInputAttributeDescription2EXT *attributes)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   struct saf_gfx_state *gfx = set(_cmd, SAF_GFX_VERTEX_INPUT);
   memset(gfx->bindings, 0, sizeof(gfx->bindings));
   memset(gfx->attributes, 0, sizeof(gfx->attributes));
   for (uint32_t i = 0; i < binding_count; i++) {
      const VkVertexInputBindingDescription2EXT *b = &bindings[i];
      gfx->bindings[b->binding] = (struct saf_vertex_input_binding) {
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
         gfx->attributes[a->location] = saf_vertex_attribute(
            cmd->device->info, a->binding, a->format, a->offset);
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetColorWriteEnableEXT(VkCommandBuffer cmd, uint32_t count,
                              const VkBool32 *enables)
{
   struct saf_gfx_state *gfx = set(cmd, SAF_GFX_COLOR_WRITES);
   for (uint32_t i = 0; i < count && i < SAF_MAX_RTS; i++)
      gfx->color_writes = enables[i] ? gfx->color_writes | 1u << i
                                     : gfx->color_writes & ~(1u << i);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetSampleMaskEXT(VkCommandBuffer cmd, VkSampleCountFlagBits samples,
                        const VkSampleMask *mask)
{
   set(cmd, SAF_GFX_SAMPLE_MASK)->sample_mask = mask[0];
}

/* For each of some attachments. */
#define SET_EACH(Name, bit, type, value)                                     \
   VKAPI_ATTR void VKAPI_CALL saf_Cmd##Name(VkCommandBuffer cmd,             \
                                            uint32_t first, uint32_t count,  \
                                            const type *values)              \
   {                                                                         \
      struct saf_blend_target *blend = set(cmd, SAF_GFX_##bit)->blend;       \
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

SET_EACH(SetColorBlendEnableEXT, BLEND_ENABLE, VkBool32, b->enable = *v)
SET_EACH(SetColorBlendEquationEXT, BLEND_EQUATION, VkColorBlendEquationEXT,
         set_equation(b, v))
SET_EACH(SetColorWriteMaskEXT, WRITE_MASK, VkColorComponentFlags,
         b->write_mask = *v)

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
      saf_fill_positions(set(_cmd, SAF_GFX_POSITIONS)->positions, info);
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
