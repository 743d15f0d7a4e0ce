/* SPDX-License-Identifier: MIT */
/*
 * Shader modules and the way from SPIR-V to a kernel in GPU memory.
 *
 * The whole pipeline of a stage is saf_compile_spirv() from top to bottom.
 */
#include "saf_shader.h"
#include "saf_pipeline_cache.h"

#include <stdio.h>

#include "compiler/spirv/spirv_to_nir.h"
#include "util/hash_table.h"

/* ---- modules ---- */

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateShaderModule(VkDevice _device, const VkShaderModuleCreateInfo *info,
                       const VkAllocationCallbacks *alloc,
                       VkShaderModule *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_shader_module *module = saf_alloc(
      alloc ? alloc : device->alloc, sizeof(*module) + info->codeSize);
   if (!module)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   module->size_B = info->codeSize;
   module->hash = util_hash_bytes(info->pCode, info->codeSize);
   memcpy(module->words, info->pCode, info->codeSize);
   *out = saf_shader_module_to_handle(module);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyShaderModule(VkDevice _device, VkShaderModule module,
                        const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   saf_free(alloc ? alloc : device->alloc,
            saf_shader_module_from_handle(module));
}

/* ---- transform feedback ---- */

static void
add_xfb_slot(struct saf_xfb_info *xfb, unsigned buffer, unsigned location,
             unsigned first_component, unsigned components,
             unsigned offset_B)
{
   if (xfb->output_count >= ARRAY_SIZE(xfb->outputs) ||
       buffer >= SAF_MAX_XFB_BUFFERS)
      return;
   /* The point size is the last component of the header's slot. */
   if (location == VARYING_SLOT_PSIZ)
      first_component = 3;
   xfb->outputs[xfb->output_count++] = (struct saf_xfb_output){
      .buffer = (uint8_t)buffer,
      .location = (uint8_t)location,
      .component_mask = (uint8_t)BITFIELD_RANGE(first_component, components),
      .offset_B = (uint16_t)offset_B,
   };
   xfb->buffers_written |= 1u << buffer;
}

/* Appends all of one type; *location and *offset_B move on behind it. */
static void
add_xfb_type(struct saf_xfb_info *xfb, const nir_variable *var,
             const struct glsl_type *type, unsigned *location,
             unsigned *offset_B)
{
   if (glsl_type_is_array_or_matrix(type)) {
      const bool is_array = glsl_type_is_array(type);
      const unsigned n =
         is_array ? glsl_get_length(type) : glsl_get_matrix_columns(type);
      const struct glsl_type *element =
         is_array ? glsl_get_array_element(type) : glsl_get_column_type(type);
      for (unsigned i = 0; i < n; i++)
         add_xfb_type(xfb, var, element, location, offset_B);
      return;
   }
   if (glsl_type_is_struct_or_ifc(type)) {
      for (unsigned i = 0; i < glsl_get_length(type); i++)
         add_xfb_type(xfb, var, glsl_get_struct_field(type, i), location,
                      offset_B);
      return;
   }
   const bool is_64bit = glsl_type_is_64bit(type);
   if (is_64bit)
      *offset_B = ALIGN(*offset_B, 8);
   unsigned left = glsl_get_components(type) * (is_64bit ? 2 : 1);
   unsigned component = var->data.location_frac;
   while (left) {
      const unsigned n = MIN2(left, 4 - component);
      add_xfb_slot(xfb, var->data.xfb.buffer, *location, component, n,
                   *offset_B);
      *offset_B += n * 4;
      left -= n;
      component = 0;
      (*location)++;
   }
}

/* Arrays of distances lie four to a slot. */
static void
add_xfb_compact(struct saf_xfb_info *xfb, const nir_variable *var)
{
   const unsigned n = glsl_get_length(var->type);
   for (unsigned i = 0; i < n; i++) {
      const unsigned c = var->data.location_frac + i;
      add_xfb_slot(xfb, var->data.xfb.buffer,
                   (unsigned)var->data.location + c / 4, c % 4, 1,
                   var->data.offset + i * 4);
   }
}

void
saf_gather_xfb(nir_shader *nir, struct saf_xfb_info *xfb)
{
   memset(xfb, 0, sizeof(*xfb));
   nir_foreach_shader_out_variable(var, nir) {
      if (!var->data.explicit_xfb_buffer || !var->data.explicit_offset)
         continue;
      const unsigned buffer = var->data.xfb.buffer;
      if (buffer < SAF_MAX_XFB_BUFFERS && var->data.xfb.stride)
         xfb->stride_B[buffer] = var->data.xfb.stride;
      unsigned location = (unsigned)var->data.location;
      unsigned offset_B = var->data.offset;
      if (var->data.compact)
         add_xfb_compact(xfb, var);
      else
         add_xfb_type(xfb, var, var->type, &location, &offset_B);
   }
}

/* ---- kernels ---- */

static void
patch_relocs(const struct intel_shader *bin, char *code, uint64_t data_addr)
{
   for (uint32_t i = 0; i < bin->num_relocs; i++) {
      const struct intel_reloc *r = &bin->relocs[i];
      const uint64_t addr = data_addr + r->delta;
      const uint32_t value = r->id == INTEL_RELOC_CONST_DATA_ADDR_LO
                                ? (uint32_t)addr : (uint32_t)(addr >> 32);
      memcpy(code + r->offset_B, &value, sizeof(value));
   }
}

/* Room for each hardware thread that may run the shader at once. */
static VkResult
add_scratch(struct saf_device *device, struct saf_shader *shader)
{
   const uint32_t per_thread_B = shader->prog.base.total_scratch_B;
   if (per_thread_B == 0)
      return VK_SUCCESS;
   const struct intel_device_info *info = device->info;
   const unsigned threads =
      shader->stage == MESA_SHADER_FRAGMENT
         ? MAX2(info->max_wm_threads,
                info->max_threads_per_psd * info->num_subslices)
         : info->max_vs_threads;
   return saf_bo_create_low(device, "scratch",
                            (uint64_t)per_thread_B * threads,
                            &shader->scratch);
}

VkResult
saf_shader_create(struct saf_device *device, const struct intel_shader *bin,
                  const struct saf_bind_map *map,
                  const struct saf_xfb_info *xfb, struct saf_shader **out)
{
   struct saf_shader *shader = saf_alloc(device->alloc, sizeof(*shader));
   if (!shader)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   shader->refs = 1;
   shader->stage = bin->stage;
   shader->map = *map;
   if (bin->stage == MESA_SHADER_VERTEX)
      shader->prog.vs = *bin->prog_data.vs;
   else
      shader->prog.wm = *bin->prog_data.wm;

   const uint32_t data_B = shader->prog.base.const_data_size_B;
   const uint32_t data_start_B = ALIGN(bin->code_size_B, 64u);
   /* The instruction fetcher reads ahead of what it runs. */
   shader->kernel = saf_state_alloc(&device->instruction_pool,
                                    data_start_B + data_B + 128);
   if (!shader->kernel.size_B) {
      saf_shader_unref(device, shader);
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   shader->const_data_offset_B = data_start_B;
   char *code = shader->kernel.map;
   memset(code, 0, shader->kernel.size_B);
   memcpy(code, bin->code, bin->code_size_B);
   if (data_B)
      memcpy(code + data_start_B, bin->const_data, data_B);
   patch_relocs(bin, code,
                SAF_VA_INSTRUCTION + shader->kernel.offset + data_start_B);

   VkResult result = add_scratch(device, shader);
   if (!result && xfb && xfb->output_count) {
      shader->xfb = saf_alloc(device->alloc, sizeof(*xfb));
      if (shader->xfb)
         *shader->xfb = *xfb;
      else
         result = VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   if (result) {
      saf_shader_unref(device, shader);
      return result;
   }
   *out = shader;
   return VK_SUCCESS;
}

void
saf_shader_unref(struct saf_device *device, struct saf_shader *shader)
{
   if (!shader)
      return;
   if (shader->entry) {
      if (!saf_cache_release_shader(device, shader))
         return;
   } else if (__atomic_sub_fetch(&shader->refs, 1, __ATOMIC_ACQ_REL) > 0) {
      return;
   }
   saf_state_free(&device->instruction_pool, shader->kernel);
   saf_bo_destroy(device, shader->scratch);
   saf_free(device->alloc, shader->xfb);
   saf_free(device->alloc, shader);
}

/* ---- compilation ---- */

/* What the compiler made of a stage, before it has a place on the GPU. */
struct compiled {
   struct intel_shader *bin;    /* in the arena of the caller */
   struct saf_bind_map map;
   struct saf_xfb_info xfb;
};

static VkResult
compile_nir(struct saf_device *device, nir_shader *nir,
            const struct saf_pipeline_layout *layout,
            const struct intel_vs_key *vs_key,
            const struct intel_wm_key *wm_key, struct arena *arena,
            struct compiled *out)
{
   const bool is_fs = nir->info.stage == MESA_SHADER_FRAGMENT;
   memset(&out->xfb, 0, sizeof(out->xfb));
   if (!is_fs)
      saf_gather_xfb(nir, &out->xfb);

   intel_preprocess_nir(device->compiler, nir);

   /* Render targets are the first entries of the binding table; there is
    * always one, if only a null surface. */
   const uint32_t start = is_fs ? MAX2(wm_key->nr_color_regions, 1) : 0;
   if (!saf_nir_apply_pipeline_layout(nir, layout, start, &out->map))
      return VK_ERROR_FEATURE_NOT_PRESENT;
   intel_optimize_nir(device->compiler, nir);

   const struct intel_compile_params params = { .arena = arena, .nir = nir };
   if (is_fs) {
      struct intel_wm_key key = *wm_key;
      key.render_target_start = 0;
      out->bin = intel_compile_fs(device->compiler, &params, &key);
   } else {
      out->bin = intel_compile_vs(device->compiler, &params, vs_key);
   }
   if (out->bin->code)
      return VK_SUCCESS;
   return saf_error(VK_ERROR_FEATURE_NOT_PRESENT, "%s shader: %s",
                    is_fs ? "fragment" : "vertex",
                    out->bin->error ? out->bin->error : "compilation failed");
}

VkResult
saf_compile_nir(struct saf_device *device, nir_shader *nir,
                const struct saf_pipeline_layout *layout,
                const struct intel_vs_key *vs_key,
                const struct intel_wm_key *wm_key,
                struct saf_shader **out)
{
   struct arena *arena = arena_create(NULL);
   struct compiled c;
   VkResult result =
      compile_nir(device, nir, layout, vs_key, wm_key, arena, &c);
   if (!result)
      result = saf_shader_create(device, c.bin, &c.map, &c.xfb, out);
   arena_destroy(arena);
   return result;
}

static unsigned
read_specialization(const VkSpecializationInfo *info,
                    struct spirv_specialization *out, unsigned max)
{
   if (!info)
      return 0;
   unsigned n = 0;
   for (uint32_t i = 0; i < info->mapEntryCount && n < max; i++) {
      const VkSpecializationMapEntry *e = &info->pMapEntries[i];
      uint64_t value = 0;
      if (e->offset + e->size > info->dataSize)
         continue;
      memcpy(&value, (const char *)info->pData + e->offset,
             MIN2(e->size, sizeof(value)));
      out[n++] = (struct spirv_specialization){ e->constantID, value };
   }
   return n;
}

VkResult
saf_compile_spirv(struct saf_device *device,
                  struct saf_pipeline_cache *cache,
                  const VkPipelineShaderStageCreateInfo *info,
                  const struct saf_pipeline_layout *layout,
                  const struct intel_vs_key *vs_key,
                  const struct intel_wm_key *wm_key,
                  struct saf_shader **out)
{
   SAF_FROM_HANDLE(saf_shader_module, module, info->module);
   const gl_shader_stage stage = info->stage == VK_SHADER_STAGE_VERTEX_BIT
                                    ? MESA_SHADER_VERTEX
                                    : MESA_SHADER_FRAGMENT;
   const bool is_fs = stage == MESA_SHADER_FRAGMENT;
   const struct saf_cache_key key = saf_cache_key_for_stage(
      device, info, layout, is_fs ? (const void *)wm_key : vs_key,
      is_fs ? sizeof(*wm_key) : sizeof(*vs_key));
   VkResult result = saf_cache_lookup(device, cache, &key, out);
   if (result || *out)
      return result;

   struct spirv_specialization spec[64];
   const unsigned n_spec = read_specialization(info->pSpecializationInfo,
                                               spec, ARRAY_SIZE(spec));
   struct arena *arena = arena_create(NULL);
   const struct spirv_to_nir_options options = {
      .parent = arena,
      .nir = intel_compiler_nir_options(device->compiler, stage),
   };
   struct spirv_error err = { 0 };
   nir_shader *nir =
      spirv_to_nir(module->words, module->size_B / 4, spec, n_spec, stage,
                   info->pName, &options, &err);
   struct compiled c;
   if (nir)
      result = compile_nir(device, nir, layout, vs_key, wm_key, arena, &c);
   else
      result = saf_error(VK_ERROR_INVALID_SHADER_NV,
                         "SPIR-V, word %zu: %s", err.word_offset,
                         err.message);
   if (!result)
      result = saf_cache_add(device, cache, &key, c.bin, &c.map, &c.xfb,
                             out);
   arena_destroy(arena);
   return result;
}
