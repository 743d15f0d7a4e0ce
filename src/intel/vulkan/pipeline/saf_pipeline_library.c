/* SPDX-License-Identifier: MIT */
/*
 * VK_KHR_pipeline_library, VK_EXT_graphics_pipeline_library.
 *
 * Problem: a pipeline may be given in up to four parts, each of which is a
 * pipeline of its own before, and what it was made from is gone by the time
 * they are linked.
 *
 * Method: a library has the state that its parts say, as any pipeline, and
 * copies of their stages and of what they say of layout and targets. Linking
 * takes the states of each (saf_pipeline_fill_state()), and puts the copies
 * together to a create info, of which a pipeline is made as ever: shaders
 * that no cache has are compiled then, with all that is known of each other
 * (no graphicsPipelineLibraryFastLinking).
 */
#include "saf_pipeline_library.h"
#include "intel/vulkan/memory/saf_pass.h"
#include "intel/vulkan/state/saf_create_info.h"

#include "util/arena.h"
#include "util/guard.h"

#define COPY(arena, p, count)                                                \
   ((p) && (count) ? arena_memdup(arena, p, (count) * sizeof(*(p))) : NULL)

/* ---- stages ---- */

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

/* A structure of the chain, or of the other one, in front of `next`. */
static const void *
copy_struct(struct arena *arena, VkStructureType type, size_t size_B,
            const void *chain, const void *other, const void *next)
{
   const VkBaseOutStructure *s = saf_find_struct(chain, type);
   if (!s)
      s = saf_find_struct(other, type);
   if (!s)
      return next;
   VkBaseOutStructure *copy = arena_memdup(arena, s, size_B);
   copy->pNext = (void *)next;
   return copy;
}

VkPipelineShaderStageCreateInfo
saf_copy_stage(struct arena *arena,
               const VkPipelineShaderStageCreateInfo *stage,
               const void *pipeline)
{
   VkPipelineShaderStageCreateInfo copy = *stage;
   SAF_FROM_HANDLE(saf_shader_module, module, saf_stage_module(arena, stage));
   copy.module = saf_shader_module_to_handle(
      arena_memdup(arena, module, sizeof(*module) + module->size_B));
   copy.pName = arena_strdup(arena, stage->pName);
   copy.pNext = copy_struct(
      arena,
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      sizeof(VkPipelineShaderStageRequiredSubgroupSizeCreateInfo),
      stage->pNext, NULL, NULL);
   copy.pNext = copy_struct(
      arena, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
      sizeof(VkPipelineRobustnessCreateInfoEXT), stage->pNext, pipeline,
      copy.pNext);
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

static void
take_stages(struct saf_pipeline_library *out,
            const VkGraphicsPipelineCreateInfo *info, bool fragment)
{
   for (uint32_t i = 0; i < info->stageCount; i++) {
      const VkPipelineShaderStageCreateInfo *s = &info->pStages[i];
      if ((s->stage == VK_SHADER_STAGE_FRAGMENT_BIT) != fragment ||
          out->info.stageCount == SAF_GRAPHICS_STAGES)
         continue;
      out->stages[out->info.stageCount++] =
         saf_copy_stage(out->arena, s, info->pNext);
   }
}

static void
take_parts(struct saf_pipeline_library *out,
           const VkGraphicsPipelineCreateInfo *info,
           VkGraphicsPipelineLibraryFlagsEXT parts)
{
   parts &= ~out->parts;
   out->parts |= parts;
   if (parts & SAF_PART_PRE_RASTERIZATION)
      take_stages(out, info, false);
   if (parts & SAF_PART_FRAGMENT_SHADER)
      take_stages(out, info, true);
   if (parts & (SAF_PART_PRE_RASTERIZATION | SAF_PART_FRAGMENT_SHADER))
      take_layout(out, info->layout);
   for (uint32_t bit = 1; bit < SAF_ALL_PARTS; bit <<= 1) {
      if (parts & bit & ~(uint32_t)SAF_PART_VERTEX_INPUT)
         take_targets(out, info, parts & bit);
   }
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
