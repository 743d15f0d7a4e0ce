/* SPDX-License-Identifier: MIT */
/*
 * VK_KHR_pipeline_library, VK_EXT_graphics_pipeline_library.
 *
 * Problem: a pipeline may be given in up to four parts, each of which is a
 * pipeline of its own before, and what it was made from is gone by the time
 * they are linked.
 *
 * Method: a library is a copy of what its parts' create info says. Linking
 * puts the copies together to a whole create info, of which a pipeline is
 * made as ever: shaders that no cache has are compiled then, with all that is
 * known of each other (no graphicsPipelineLibraryFastLinking).
 */
#include "saf_pipeline_library.h"
#include "intel/vulkan/memory/saf_pass.h"
#include "intel/vulkan/state/saf_create_info.h"

#include "util/arena.h"
#include "util/guard.h"

/* ---- copies ---- */

static const struct {
   VkStructureType type;
   size_t size_B;
} known_structs[] = {
#define KNOWN(TYPE, Struct)                                                  \
   {                                                                         \
      VK_STRUCTURE_TYPE_##TYPE, sizeof(Struct)                               \
   }
   KNOWN(PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
         VkPipelineVertexInputDivisorStateCreateInfoEXT),
   KNOWN(PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO,
         VkPipelineTessellationDomainOriginStateCreateInfo),
   KNOWN(PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT,
         VkPipelineViewportDepthClipControlCreateInfoEXT),
   KNOWN(PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
         VkPipelineRasterizationDepthClipStateCreateInfoEXT),
   KNOWN(PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
         VkPipelineRasterizationLineStateCreateInfoEXT),
   KNOWN(PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
         VkPipelineRasterizationProvokingVertexStateCreateInfoEXT),
   KNOWN(PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
         VkPipelineRasterizationConservativeStateCreateInfoEXT),
   KNOWN(PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
         VkPipelineRasterizationStateStreamCreateInfoEXT),
   KNOWN(PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
         VkPipelineSampleLocationsStateCreateInfoEXT),
   KNOWN(PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
         VkPipelineColorWriteCreateInfoEXT),
   KNOWN(PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
         VkPipelineRobustnessCreateInfoEXT),
   KNOWN(PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
         VkPipelineShaderStageRequiredSubgroupSizeCreateInfo),
#undef KNOWN
};

#define COPY(arena, p, count)                                                \
   ((p) && (count) ? arena_memdup(arena, p, (count) * sizeof(*(p))) : NULL)

#define DIVISORS                                                             \
   VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT

/* What a structure of a chain points to, if it is one of those with more. */
static void
copy_arrays(struct arena *arena, VkBaseOutStructure *s)
{
   switch ((int)s->sType) {
   case DIVISORS: {
      VkPipelineVertexInputDivisorStateCreateInfoEXT *d = (void *)s;
      d->pVertexBindingDivisors =
         COPY(arena, d->pVertexBindingDivisors, d->vertexBindingDivisorCount);
      break;
   }
   case VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT: {
      VkSampleLocationsInfoEXT *l =
         &((VkPipelineSampleLocationsStateCreateInfoEXT *)s)
             ->sampleLocationsInfo;
      l->pSampleLocations =
         COPY(arena, l->pSampleLocations, l->sampleLocationsCount);
      break;
   }
   case VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT: {
      VkPipelineColorWriteCreateInfoEXT *w = (void *)s;
      w->pColorWriteEnables =
         COPY(arena, w->pColorWriteEnables, w->attachmentCount);
      break;
   }
   default: break;
   }
}

/* Of a chain what is looked at. */
static void *
copy_chain(struct arena *arena, const void *chain)
{
   VkBaseOutStructure *first = NULL;
   saf_foreach_struct(s, chain)
   {
      for (unsigned i = 0; i < ARRAY_SIZE(known_structs); i++) {
         if (known_structs[i].type != s->sType)
            continue;
         VkBaseOutStructure *copy =
            arena_memdup(arena, s, known_structs[i].size_B);
         copy_arrays(arena, copy);
         copy->pNext = first;
         first = copy;
      }
   }
   return first;
}

/* A structure of the create info with its chain; its arrays are the
 * caller's. NULL stays NULL. */
static void *
copy_state(struct arena *arena, const void *state, size_t size_B)
{
   if (!state)
      return NULL;
   VkBaseOutStructure *copy = arena_memdup(arena, state, size_B);
   copy->pNext = copy_chain(arena, copy->pNext);
   return copy;
}

#define COPY_STATE(arena, p) copy_state(arena, p, sizeof(*(p)))

/* An identifier of another size is none of ours: no cache knows it. */
static VkShaderModule
module_of_identifier(
   struct arena *arena,
   const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *info)
{
   struct saf_shader_module *module =
      arena_new(arena, struct saf_shader_module);
   if (info->identifierSize == SAF_MODULE_ID_B)
      memcpy(module->id, info->pIdentifier, SAF_MODULE_ID_B);
   return saf_shader_module_to_handle(module);
}

VkShaderModule
saf_stage_module(struct arena *arena,
                 const VkPipelineShaderStageCreateInfo *stage)
{
   const VkShaderModuleCreateInfo *info = saf_find_struct(
      stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
   const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *identifier =
      saf_find_struct(
         stage->pNext,
         VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
   if (!stage->module && !info && identifier)
      return module_of_identifier(arena, identifier);
   if (stage->module || !info)
      return stage->module;
   struct saf_shader_module *module =
      arena_alloc(arena, sizeof(*module) + info->codeSize);
   saf_shader_module_fill(module, info);
   return saf_shader_module_to_handle(module);
}

VkPipelineShaderStageCreateInfo
saf_copy_stage(struct arena *arena,
               const VkPipelineShaderStageCreateInfo *stage)
{
   VkPipelineShaderStageCreateInfo copy = *stage;
   SAF_FROM_HANDLE(saf_shader_module, module, saf_stage_module(arena, stage));
   copy.module = saf_shader_module_to_handle(
      arena_memdup(arena, module, sizeof(*module) + module->size_B));
   copy.pName = arena_strdup(arena, stage->pName);
   copy.pNext = copy_chain(arena, stage->pNext);
   if (stage->pSpecializationInfo) {
      VkSpecializationInfo *s = COPY(arena, stage->pSpecializationInfo, 1);
      s->pMapEntries = COPY(arena, s->pMapEntries, s->mapEntryCount);
      s->pData = s->dataSize ? arena_memdup(arena, s->pData, s->dataSize)
                             : NULL;
      copy.pSpecializationInfo = s;
   }
   return copy;
}

/* ---- parts ---- */

/* Both parts of fragments say the same of where their outputs go. */
static void
copy_locations(struct saf_pipeline_library *out, const void *chain)
{
   const VkRenderingAttachmentLocationInfoKHR *l = saf_find_struct(
      chain, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR);
   VkRenderingAttachmentLocationInfoKHR *copy = COPY(out->arena, l, 1);
   if (!copy)
      return;
   copy->pNext = NULL;
   copy->pColorAttachmentLocations =
      COPY(out->arena, l->pColorAttachmentLocations, l->colorAttachmentCount);
   out->rendering.pNext = copy;
}

/* What a part says of the targets: the views, the formats. */
static void
take_targets(struct saf_pipeline_library *out,
             const VkGraphicsPipelineCreateInfo *info,
             VkGraphicsPipelineLibraryFlagsEXT part)
{
   const VkPipelineRenderingCreateInfo *r = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
   if (info->renderPass) {
      SAF_FROM_HANDLE(saf_render_pass, pass, info->renderPass);
      out->info.renderPass =
         saf_render_pass_to_handle(saf_render_pass_copy(out->arena, pass));
      out->info.subpass = info->subpass;
   }
   if (!r)
      return;
   out->rendering.viewMask = r->viewMask;
   copy_locations(out, info->pNext);
   if (part != SAF_PART_FRAGMENT_OUTPUT)
      return;
   out->rendering.colorAttachmentCount = r->colorAttachmentCount;
   out->rendering.pColorAttachmentFormats =
      COPY(out->arena, r->pColorAttachmentFormats, r->colorAttachmentCount);
}

/* Sets that only one of two parts knows. */
static void
take_layout(struct saf_pipeline_library *out, VkPipelineLayout _layout)
{
   SAF_FROM_HANDLE(saf_pipeline_layout, layout, _layout);
   struct saf_pipeline_layout *l = &out->layout;
   for (uint32_t i = 0; layout && i < layout->set_count; i++) {
      if (layout->sets[i] && !l->sets[i])
         l->sets[i] = saf_set_layout_ref(layout->sets[i]);
      l->set_count = MAX2(l->set_count, i + 1);
   }
   uint32_t dynamic = 0;
   for (uint32_t i = 0; i < l->set_count; i++) {
      l->dynamic_start[i] = dynamic;
      dynamic += l->sets[i] ? l->sets[i]->dynamic_count : 0;
   }
}

#define ROBUSTNESS VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT

/* In front of `next`. */
static const void *
copy_robustness(struct arena *arena, const void *chain, const void *next)
{
   const VkPipelineRobustnessCreateInfoEXT *r =
      saf_find_struct(chain, ROBUSTNESS);
   VkPipelineRobustnessCreateInfoEXT *copy = COPY(arena, r, 1);
   if (!copy)
      return next;
   copy->pNext = next;
   return copy;
}

static void
take_stages(struct saf_pipeline_library *out,
            const VkGraphicsPipelineCreateInfo *info, bool fragment)
{
   for (uint32_t i = 0; i < info->stageCount; i++) {
      const VkPipelineShaderStageCreateInfo *s = &info->pStages[i];
      if ((s->stage == VK_SHADER_STAGE_FRAGMENT_BIT) != fragment ||
          out->info.stageCount == SAF_GRAPHICS_STAGES)
         continue;
      VkPipelineShaderStageCreateInfo *copy =
         &out->stages[out->info.stageCount++];
      *copy = saf_copy_stage(out->arena, s);
      /* What the pipeline says of robustness is of its part's stages. */
      if (!saf_find_struct(s->pNext, ROBUSTNESS))
         copy->pNext = copy_robustness(out->arena, info->pNext, copy->pNext);
   }
}

static void
take_vertex_input(struct saf_pipeline_library *out,
                  const VkGraphicsPipelineCreateInfo *info)
{
   struct arena *a = out->arena;
   VkPipelineVertexInputStateCreateInfo *v =
      COPY_STATE(a, info->pVertexInputState);
   if (v) {
      v->pVertexBindingDescriptions = COPY(a, v->pVertexBindingDescriptions,
                                           v->vertexBindingDescriptionCount);
      v->pVertexAttributeDescriptions =
         COPY(a, v->pVertexAttributeDescriptions,
              v->vertexAttributeDescriptionCount);
   }
   out->info.pVertexInputState = v;
   out->info.pInputAssemblyState = COPY_STATE(a, info->pInputAssemblyState);
}

static void
take_pre_rasterization(struct saf_pipeline_library *out,
                       const VkGraphicsPipelineCreateInfo *info)
{
   struct arena *a = out->arena;
   VkPipelineViewportStateCreateInfo *v = COPY_STATE(a, info->pViewportState);
   if (v) {
      v->pViewports = COPY(a, v->pViewports, v->viewportCount);
      v->pScissors = COPY(a, v->pScissors, v->scissorCount);
   }
   out->info.pViewportState = v;
   out->info.pRasterizationState = COPY_STATE(a, info->pRasterizationState);
   out->info.pTessellationState = COPY_STATE(a, info->pTessellationState);
   take_stages(out, info, false);
   take_layout(out, info->layout);
}

static void
take_multisample(struct saf_pipeline_library *out,
                 const VkGraphicsPipelineCreateInfo *info)
{
   VkPipelineMultisampleStateCreateInfo *m =
      COPY_STATE(out->arena, info->pMultisampleState);
   if (!m)
      return;
   m->pSampleMask = COPY(out->arena, m->pSampleMask, 1);
   out->info.pMultisampleState = m;
}

static void
take_fragment_output(struct saf_pipeline_library *out,
                     const VkGraphicsPipelineCreateInfo *info)
{
   VkPipelineColorBlendStateCreateInfo *b =
      COPY_STATE(out->arena, info->pColorBlendState);
   if (b)
      b->pAttachments = COPY(out->arena, b->pAttachments, b->attachmentCount);
   out->info.pColorBlendState = b;
   take_multisample(out, info);
}

static void
take_dynamic(struct saf_pipeline_library *out,
             const VkPipelineDynamicStateCreateInfo *info,
             VkGraphicsPipelineLibraryFlagsEXT parts)
{
   for (uint32_t i = 0; info && i < info->dynamicStateCount; i++) {
      const VkDynamicState state = info->pDynamicStates[i];
      if ((saf_gfx_part(state) & parts) &&
          out->dynamic.dynamicStateCount < ARRAY_SIZE(out->states))
         out->states[out->dynamic.dynamicStateCount++] = state;
   }
}

static void
take_parts(struct saf_pipeline_library *out,
           const VkGraphicsPipelineCreateInfo *info,
           VkGraphicsPipelineLibraryFlagsEXT parts)
{
   parts &= ~out->parts;
   out->parts |= parts;
   if (parts & SAF_PART_VERTEX_INPUT)
      take_vertex_input(out, info);
   if (parts & SAF_PART_PRE_RASTERIZATION)
      take_pre_rasterization(out, info);
   if (parts & SAF_PART_FRAGMENT_SHADER) {
      out->info.pDepthStencilState =
         COPY_STATE(out->arena, info->pDepthStencilState);
      take_multisample(out, info);
      take_stages(out, info, true);
      take_layout(out, info->layout);
   }
   if (parts & SAF_PART_FRAGMENT_OUTPUT)
      take_fragment_output(out, info);
   for (uint32_t bit = 1; bit < SAF_ALL_PARTS; bit <<= 1) {
      if (parts & bit & ~(uint32_t)SAF_PART_VERTEX_INPUT)
         take_targets(out, info, parts & bit);
   }
   take_dynamic(out, info->pDynamicState, parts);
}

/* ---- libraries ---- */

bool
saf_is_whole(const VkGraphicsPipelineCreateInfo *info)
{
   for (uint32_t i = 0; i < info->stageCount; i++) {
      if (!info->pStages[i].module)
         return false;
   }
   return !(info->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) &&
          !saf_find_struct(
             info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
}

struct filling {
   struct saf_pipeline_library *out;
   const VkGraphicsPipelineCreateInfo *info;
};

/* In a scope (util/guard.h): all copies go into the arena. */
static void
fill(void *data)
{
   struct saf_pipeline_library *out = ((struct filling *)data)->out;
   const VkGraphicsPipelineCreateInfo *info = ((struct filling *)data)->info;
   out->arena = arena_create(NULL);
   const VkPipelineLibraryCreateInfoKHR *libraries = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
   out->rendering.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
   out->dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
   /* A layout of the whole comes before those of parts. */
   take_layout(out, info->layout);
   for (uint32_t i = 0; libraries && i < libraries->libraryCount; i++) {
      SAF_FROM_HANDLE(saf_pipeline, p, libraries->pLibraries[i]);
      const struct saf_pipeline_library *l = p->library;
      take_parts(out, &l->info, l->parts);
   }
   take_parts(out, info, saf_own_parts(info));
   out->info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
   out->info.pNext = &out->rendering;
   out->info.flags = info->flags;
   out->info.pStages = out->stages;
   out->info.pDynamicState = &out->dynamic;
   out->dynamic.pDynamicStates = out->states;
   out->info.layout = saf_pipeline_layout_to_handle(&out->layout);
}

struct saf_pipeline_library *
saf_pipeline_library_create(struct saf_device *device,
                            const VkGraphicsPipelineCreateInfo *info)
{
   struct filling filling = { saf_alloc(device->alloc, sizeof(*filling.out)),
                              info };
   struct guard_error error;
   if (!filling.out || guard_run(fill, &filling, &error) == GUARD_DONE)
      return filling.out;
   filling.out->arena = NULL; /* gone with the scope */
   saf_pipeline_library_destroy(device, filling.out);
   return NULL;
}

void
saf_pipeline_library_destroy(struct saf_device *device,
                             struct saf_pipeline_library *library)
{
   if (!library)
      return;
   for (uint32_t i = 0; i < library->layout.set_count; i++)
      saf_set_layout_unref(device, library->layout.sets[i]);
   arena_destroy(library->arena);
   saf_free(device->alloc, library);
}
