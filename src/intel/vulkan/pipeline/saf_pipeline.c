/* SPDX-License-Identifier: MIT */
/* Pipelines from what vkCreate*Pipelines is given. */
#include "saf_pipeline.h"
#include "intel/vulkan/memory/saf_pass.h"
#include "intel/vulkan/state/saf_create_info.h"
#include "saf_pipeline_library.h"
#include "saf_shader.h"
#include "intel/vulkan/base/saf_genx.h"
#include "util/guard.h"
#include "util/arena.h"

/* Vulkan, "Logical Operations": floats and sRGB pass. The hardware takes the
 * bits of any format. */
static bool
takes_logic_ops(const struct intel_device_info *info, VkFormat vk)
{
   const enum isl_format format =
      saf_get_format(info, vk, VK_IMAGE_ASPECT_COLOR_BIT).format;
   return isl_format_is_valid(format) && !isl_format_is_srgb(format) &&
          !isl_format_has_float_channel(format);
}

static void
fill_target(const struct intel_device_info *info, struct saf_pipeline *p,
            struct intel_wm_key *key, unsigned i, VkFormat format)
{
   if (format == VK_FORMAT_UNDEFINED)
      return;
   key->color_outputs_valid |= 1u << i;
   if (takes_logic_ops(info, format))
      p->logic_op_targets |= 1u << i;
}

/* Of an attachment, in the fragment shader. */
static uint32_t
location_of(const VkGraphicsPipelineCreateInfo *info, uint32_t attachment)
{
   const VkRenderingAttachmentLocationInfoKHR *l = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR);
   return l && l->pColorAttachmentLocations &&
                attachment < l->colorAttachmentCount
             ? l->pColorAttachmentLocations[attachment]
             : attachment;
}

static void
fill_color_targets(const struct saf_pipeline *p,
                   const VkGraphicsPipelineCreateInfo *info,
                   struct saf_stages *in)
{
   memset(in->color_targets, SAF_NO_TARGET, sizeof(in->color_targets));
   for (uint32_t i = 0; i < p->color_count; i++) {
      const uint32_t location = location_of(info, i);
      if (location < SAF_MAX_RTS)
         in->color_targets[location] = (uint8_t)i;
      in->moves_colors |= location != i;
   }
}

/* What the pipeline draws to: its subpass, or in place of that a structure of
 * the chain; neither: nothing. */
static void
fill_targets(const struct intel_device_info *dev, struct saf_pipeline *p,
             struct intel_wm_key *key,
             const VkGraphicsPipelineCreateInfo *info)
{
   SAF_FROM_HANDLE(saf_render_pass, pass, info->renderPass);
   const VkPipelineRenderingCreateInfo *r = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
   if (pass) {
      const struct saf_subpass *sub = &pass->subpasses[info->subpass];
      p->view_mask = sub->view_mask;
      p->color_count = sub->color_count;
      for (uint32_t i = 0; i < sub->color_count; i++) {
         if (sub->color[i] != VK_ATTACHMENT_UNUSED)
            fill_target(dev, p, key, i,
                        pass->attachments[sub->color[i]].format);
      }
   } else if (r) {
      p->view_mask = r->viewMask;
      p->color_count = MIN2(r->colorAttachmentCount, SAF_MAX_RTS);
      for (uint32_t i = 0; i < p->color_count; i++) {
         if (location_of(info, i) != VK_ATTACHMENT_UNUSED)
            fill_target(dev, p, key, i, r->pColorAttachmentFormats[i]);
      }
   }
   key->nr_color_regions = (uint8_t)p->color_count;
}

static struct intel_wm_key
wm_key(const struct intel_device_info *dev, struct saf_pipeline *p,
       const VkGraphicsPipelineCreateInfo *info)
{
   struct intel_wm_key key = {
      .multisample_fbo = p->key.samples > 1,
      .samples = (uint8_t)p->key.samples,
      .alpha_to_coverage = p->key.alpha_to_coverage,
   };
   key.persample_shading = p->key.samples > 1 &&
                           p->gfx.min_sample_shading * (float)p->key.samples >
                              1;
   fill_targets(dev, p, &key, info);
   return key;
}

/* Whether buffers are to be robustBufferAccess2. */
struct exact {
   bool uniforms, storage;
};

static bool
is_exact(VkPipelineRobustnessBufferBehaviorEXT wanted, bool old)
{
   if (wanted == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT)
      return old;
   return wanted ==
          VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT;
}

/* `old` but for what the chain says. */
static struct exact
robustness_of(const void *chain, struct exact old)
{
   const VkPipelineRobustnessCreateInfoEXT *r = saf_find_struct(
      chain, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
   return r ? (struct exact) { is_exact(r->uniformBuffers, old.uniforms),
                               is_exact(r->storageBuffers, old.storage) }
            : old;
}

/* Of a stage, in a pipeline with that chain. */
static struct exact
stage_robustness(const struct saf_device *device, const void *chain,
                 const VkPipelineShaderStageCreateInfo *stage)
{
   const struct exact all = { device->robust_buffer_access_2,
                              device->robust_buffer_access_2 };
   return robustness_of(stage->pNext, robustness_of(chain, all));
}

/* All else is as robust as it can be. */
static void
fill_robustness(const struct saf_device *device, struct saf_pipeline *p,
                const VkGraphicsPipelineCreateInfo *info)
{
   for (uint32_t i = 0; i < info->stageCount; i++) {
      const VkPipelineShaderStageCreateInfo *stage = &info->pStages[i];
      if (stage_robustness(device, info->pNext, stage).uniforms)
         p->exact_uniforms |= 1u << util_logbase2(stage->stage);
   }
}

#define CACHE_HIT                                                            \
   VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT

/* What an application asks of a pipeline's creation and is not state. */
struct creation {
   struct saf_pipeline_cache *cache; /* NULL: the device's own */
   VkPipelineCreationFeedback stages[SAF_STAGES];
};

static bool
is_only_cached(VkPipelineCreateFlags flags)
{
   return flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
}

static bool
wants_capture(VkPipelineCreateFlags flags)
{
   return flags &
          (VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
           VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
}

/* The end of the push constants that a shader has in registers. */
static uint32_t
push_end_B(const struct saf_shader *shader)
{
   uint32_t end_B = 0;
   for (unsigned i = 0; i < INTEL_MAX_PUSH_RANGES; i++) {
      const struct intel_push_range *r = &shader->prog.base.push[i];
      if (r->length && r->block == INTEL_PUSH_BLOCK_CONSTANTS)
         end_B = MAX2(end_B, (r->start + r->length) * 32u);
   }
   return end_B;
}

void
saf_pipeline_note_shaders(struct saf_pipeline *p)
{
   for (unsigned s = 0; s < MESA_SHADER_FRAGMENT; s++) {
      if (p->shaders[s])
         p->last = p->shaders[s];
   }
   p->out = *intel_vue_outputs(p->last->stage, &p->last->prog.base);
   p->push_end_B = p->push_stages = p->active_stages = p->entries = 0;
   for (unsigned s = 0; s < SAF_GRAPHICS_STAGES; s++) {
      if (!p->shaders[s])
         continue;
      const uint32_t end_B = push_end_B(p->shaders[s]);
      p->active_stages |= 1u << s;
      p->entries += saf_shader_entries(p->shaders[s]);
      p->push_end_B = MAX2(p->push_end_B, end_B);
      p->push_stages |= (uint32_t)(end_B > 0) << s;
   }
}

static VkResult
compile_stages(struct saf_device *device, struct saf_pipeline *p,
               const VkGraphicsPipelineCreateInfo *info,
               struct creation *creation)
{
   const struct intel_wm_key wm = wm_key(device->info, p, info);
   fill_robustness(device, p, info);
   struct saf_stages in = {
      .layout = saf_pipeline_layout_from_handle(info->layout),
      .wm = wm,
      .multiview = p->view_mask != 0,
      .capture = wants_capture(info->flags),
      .only_cached = is_only_cached(info->flags),
      .feedback = creation->stages,
      .patch_control_points = p->key.patch_control_points,
      .rasterization_stream = p->key.rasterization_stream,
   };
   if (!info->renderPass)
      fill_color_targets(p, info, &in);
   for (unsigned i = 0; i < SAF_MAX_VERTEX_ATTRIBS; i++) {
      in.vertex_formats[i] = p->key.lowered_formats[i];
      if (in.vertex_formats[i] != ISL_FORMAT_UNSUPPORTED)
         in.lowers_vertex_formats = true;
   }
   for (uint32_t i = 0; i < info->stageCount; i++) {
      const VkPipelineShaderStageCreateInfo *stage = &info->pStages[i];
      /* Bits of Vulkan's stages have the order of ours. */
      const unsigned s = util_logbase2(stage->stage);
      if (s >= SAF_GRAPHICS_STAGES)
         return saf_error(VK_ERROR_UNKNOWN,
                          "shader stage 0x%x is not implemented",
                          stage->stage);
      if (s != MESA_SHADER_FRAGMENT || !saf_pipeline_discards_all(p))
         in.info[s] = stage;
      const struct exact e = stage_robustness(device, info->pNext, stage);
      in.exact_offsets |= (uint32_t)(e.uniforms || e.storage) << s;
   }
   if (!in.info[MESA_SHADER_VERTEX])
      return saf_error(VK_ERROR_UNKNOWN,
                       "a pipeline without a vertex shader");
   if (!in.info[MESA_SHADER_TESS_CTRL] != !in.info[MESA_SHADER_TESS_EVAL])
      return saf_error(VK_ERROR_UNKNOWN,
                       "a pipeline with one of two tessellation shaders");
   const VkResult result =
      saf_compile_stages(device, creation->cache, &in, p->shaders);
   if (result)
      return result;
   saf_pipeline_note_shaders(p);
   saf_free(device->alloc, p->packed);
   device->genx->pack_pipeline(device, p);
   return VK_SUCCESS;
}

void
saf_pipeline_drop_compiled(struct saf_device *device, struct saf_pipeline *p)
{
   for (unsigned s = 0; s < SAF_STAGES; s++)
      saf_shader_unref(device, p->shaders[s]);
   saf_free(device->alloc, p->packed);
}

void
saf_pipeline_destroy(struct saf_device *device, struct saf_pipeline *p,
                     const VkAllocationCallbacks *alloc)
{
   saf_pipeline_drop_compiled(device, p);
   saf_pipeline_drop_variants(device, p);
   saf_pipeline_drop_overlap(device, p);
   saf_pipeline_library_destroy(device, p->library);
   saf_free(alloc ? alloc : device->alloc, p);
}

VkResult
saf_pipeline_compile_again(struct saf_device *device, struct saf_pipeline *p,
                           const VkGraphicsPipelineCreateInfo *info)
{
   struct creation creation = { .cache = NULL };
   VkGraphicsPipelineCreateInfo again = *info;
   again.flags &= ~(VkPipelineCreateFlags)
                     VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
   return compile_stages(device, p, &again, &creation);
}

static VkResult
compile_graphics(struct saf_device *device, struct saf_pipeline *p,
                 const void *infos, uint32_t i, struct creation *creation)
{
   struct saf_sanitised_info sanitised;
   saf_sanitise_create_info((const VkGraphicsPipelineCreateInfo *)infos + i,
                            &sanitised);
   const VkGraphicsPipelineCreateInfo *info = &sanitised.info;
   saf_pipeline_fill_state(device, p, info);
   if (saf_is_whole(info) && !p->varies_by)
      return compile_stages(device, p, info, creation);
   struct saf_pipeline_library *library =
      saf_pipeline_library_create(device, info);
   if (!library)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (info->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) {
      p->library = library;
      return VK_SUCCESS;
   }
   const VkResult result =
      compile_stages(device, p, &library->info, creation);
   if (!result && p->varies_by)
      return saf_pipeline_keep_source(device, p, library);
   saf_pipeline_library_destroy(device, library);
   return result;
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

/* The stage with a module, which may be in the arena. */
struct own_module {
   struct arena *arena;
   VkPipelineShaderStageCreateInfo stage;
};

static void
make_module(void *data)
{
   struct own_module *own = data;
   own->arena = arena_create(NULL);
   own->stage.module = saf_stage_module(own->arena, &own->stage);
}

/* Keeps what the shader was made of; of a module without code, the shader
 * that is right for all buffers, if a cache has it. */
static VkResult
allow_overlap(struct saf_device *device, struct saf_pipeline_cache *cache,
              struct saf_pipeline *p, const struct saf_stages *in)
{
   SAF_FROM_HANDLE(saf_shader_module, module,
                   in->info[MESA_SHADER_COMPUTE]->module);
   if (module->size_B)
      return saf_pipeline_keep_stages(device, p, in);
   struct saf_stages any = *in;
   any.buffers_are_apart = false;
   saf_shader_unref(device, p->shaders[MESA_SHADER_COMPUTE]);
   p->shaders[MESA_SHADER_COMPUTE] = NULL;
   return saf_compile_stages(device, cache, &any, p->shaders);
}

static VkResult
compile_compute(struct saf_device *device, struct saf_pipeline *p,
                const void *infos, uint32_t i, struct creation *creation)
{
   const VkComputePipelineCreateInfo *info = infos;
   const VkPipelineCreateFlags flags =
      saf_pipeline_flags(info[i].pNext, info[i].flags);
   struct own_module own = { .stage = info[i].stage };
   struct guard_error error;
   if (guard_run(make_module, &own, &error))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const struct exact e =
      stage_robustness(device, info[i].pNext, &info[i].stage);
   const struct saf_stages in = {
      .info[MESA_SHADER_COMPUTE] = &own.stage,
      .buffers_are_apart = true,
      .exact_offsets = (uint32_t)(e.uniforms || e.storage)
                       << MESA_SHADER_COMPUTE,
      .layout = saf_pipeline_layout_from_handle(info[i].layout),
      .capture = wants_capture(flags),
      .subgroup_size = subgroup_size(&info[i].stage),
      .only_cached = is_only_cached(flags),
      .feedback = creation->stages,
   };
   VkResult result =
      saf_compile_stages(device, creation->cache, &in, p->shaders);
   if (!result &&
       p->shaders[MESA_SHADER_COMPUTE]->prog.cs.wants_buffers_apart)
      result = allow_overlap(device, creation->cache, p, &in);
   arena_destroy(own.arena);
   return result;
}

/* The flags and the chain of the i-th, and the bits of its stages. */
struct create_info {
   VkPipelineCreateFlags flags;
   const void *next;
   uint32_t stage_count;
   VkShaderStageFlags stages[SAF_STAGES];
};

static struct create_info
describe_graphics(const void *infos, uint32_t i)
{
   struct saf_sanitised_info sanitised;
   saf_sanitise_create_info((const VkGraphicsPipelineCreateInfo *)infos + i,
                            &sanitised);
   const VkGraphicsPipelineCreateInfo *info = &sanitised.info;
   struct create_info out = {
      .flags = info->flags,
      .next = info->pNext,
      .stage_count = MIN2(info->stageCount, SAF_STAGES),
   };
   for (uint32_t s = 0; s < out.stage_count; s++)
      out.stages[s] = info->pStages[s].stage;
   return out;
}

static struct create_info
describe_compute(const void *infos, uint32_t i)
{
   const VkComputePipelineCreateInfo *info =
      (const VkComputePipelineCreateInfo *)infos + i;
   return (struct create_info) { saf_pipeline_flags(info->pNext, info->flags),
                                 info->pNext,
                                 1,
                                 { VK_SHADER_STAGE_COMPUTE_BIT } };
}

/* The pipeline was in the cache if all shaders that it has were; a part that
 * has none was not. `p`: NULL if it could not be made. */
static VkPipelineCreationFeedbackFlags
find_hit(const struct saf_pipeline *p, const struct creation *creation)
{
   bool any = false, all = true;
   for (unsigned s = 0; p && s < SAF_STAGES; s++) {
      if (!p->shaders[s])
         continue;
      any = true;
      all &= (creation->stages[s].flags & CACHE_HIT) != 0;
   }
   return any && all ? CACHE_HIT : 0;
}

static void
give_feedback(const struct create_info *info, const struct creation *creation,
              const struct saf_pipeline *p, uint64_t start_ns)
{
   const VkPipelineCreationFeedbackCreateInfo *out = saf_find_struct(
      info->next, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
   if (!out)
      return;
   *out->pPipelineCreationFeedback = (VkPipelineCreationFeedback) {
      VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT | find_hit(p, creation),
      saf_now_ns() - start_ns
   };
   for (uint32_t i = 0; i < info->stage_count; i++) {
      const unsigned stage = util_logbase2(info->stages[i]);
      VkPipelineCreationFeedback f = { 0 };
      if (stage < SAF_STAGES) /* else it has failed */
         f = creation->stages[stage];
      f.flags |= VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
      if (i < out->pipelineStageCreationFeedbackCount)
         out->pPipelineStageCreationFeedbacks[i] = f;
   }
}

/* Makes `count` pipelines, compile() the i-th of `infos`. One that fails is
 * VK_NULL_HANDLE, the others are made all the same, unless one that must not
 * be compiled ends it; the first error. */
static VkResult
create_pipelines(VkDevice _device, VkPipelineCache _cache, uint32_t count,
                 const void *infos,
                 VkResult (*compile)(struct saf_device *device,
                                     struct saf_pipeline *p,
                                     const void *infos, uint32_t i,
                                     struct creation *creation),
                 struct create_info (*describe)(const void *infos,
                                                uint32_t i),
                 const VkAllocationCallbacks *alloc, VkPipeline *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   VkResult first_error = VK_SUCCESS;
   bool stop = false;
   for (uint32_t i = 0; i < count; i++) {
      out[i] = VK_NULL_HANDLE;
      if (stop)
         continue;
      const uint64_t start_ns = saf_now_ns();
      const struct create_info info = describe(infos, i);
      struct creation creation = {
         .cache = saf_pipeline_cache_from_handle(_cache),
      };
      struct saf_pipeline *p =
         saf_alloc(alloc ? alloc : device->alloc, sizeof(*p));
      const VkResult result = p ? compile(device, p, infos, i, &creation)
                                : VK_ERROR_OUT_OF_HOST_MEMORY;
      give_feedback(&info, &creation, result ? NULL : p, start_ns);
      if (!result)
         out[i] = saf_pipeline_to_handle(p);
      else if (p)
         saf_pipeline_destroy(device, p, alloc);
      if (result && !first_error)
         first_error = result;
      stop = result &&
             (info.flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT);
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
                           describe_graphics, alloc, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                           uint32_t count,
                           const VkComputePipelineCreateInfo *infos,
                           const VkAllocationCallbacks *alloc,
                           VkPipeline *out)
{
   return create_pipelines(device, cache, count, infos, compile_compute,
                           describe_compute, alloc, out);
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
