/* SPDX-License-Identifier: MIT */
/* Keys of compiled shaders: 128-bit hashes of all that the compiler looks
 * at. */
#include "saf_pipeline_cache.h"

#define XXH_STATIC_LINKING_ONLY /* XXH3_state_t on the stack */
#include <xxhash.h>

#include "intel/compiler/intel_debug.h"
#include "saf_shader.h"
#include "util/environment.h"

static void
hash_u32(XXH3_state_t *state, uint32_t value)
{
   XXH3_128bits_update(state, &value, sizeof(value));
}

/* With the size, so that no two lists of parts look the same. */
static void
hash_block(XXH3_state_t *state, const void *data, size_t size_B)
{
   const uint64_t size = size_B;
   XXH3_128bits_update(state, &size, sizeof(size));
   if (size_B)
      XXH3_128bits_update(state, data, size_B);
}

static void
hash_conversions(XXH3_state_t *state, const struct saf_binding_layout *b)
{
   for (uint32_t i = 0; b->immutable && i < b->count; i++)
      hash_block(state, &b->immutable[i]->ycbcr,
                 sizeof(b->immutable[i]->ycbcr));
}

/* What saf_nir_apply_pipeline_layout() reads, and the types. */
static void
hash_layout(XXH3_state_t *state, const struct saf_pipeline_layout *layout)
{
   const uint32_t set_count = layout ? layout->set_count : 0;
   hash_u32(state, set_count);
   for (uint32_t s = 0; s < set_count; s++) {
      const struct saf_set_layout *set = layout->sets[s];
      const uint32_t binding_count = set ? set->binding_count : 0;
      hash_u32(state, binding_count);
      for (uint32_t b = 0; b < binding_count; b++) {
         hash_u32(state, set->bindings[b].number);
         hash_u32(state, set->bindings[b].count);
         hash_u32(state, (uint32_t)set->bindings[b].type);
         hash_u32(state, set->bindings[b].bindless);
         hash_u32(state, set->bindings[b].first);
         hash_conversions(state, &set->bindings[b]);
      }
   }
}

static void
hash_specialization(XXH3_state_t *state, const VkSpecializationInfo *info)
{
   hash_u32(state, info ? info->mapEntryCount : 0);
   if (!info)
      return;
   for (uint32_t i = 0; i < info->mapEntryCount; i++) {
      const VkSpecializationMapEntry *e = &info->pMapEntries[i];
      hash_u32(state, e->constantID);
      hash_u32(state, e->offset);
      hash_u32(state, (uint32_t)e->size);
   }
   hash_block(state, info->pData, info->dataSize);
}

void
saf_hash_code(const uint32_t *words, size_t size_B,
              uint8_t id[SAF_MODULE_ID_B])
{
   XXH128_canonical_t canonical;
   XXH128_canonicalFromHash(&canonical, XXH3_128bits(words, size_B));
   memcpy(id, canonical.digest, SAF_MODULE_ID_B);
}

static void
hash_stage(XXH3_state_t *state, const VkPipelineShaderStageCreateInfo *info)
{
   SAF_FROM_HANDLE(saf_shader_module, module, info->module);
   hash_u32(state, (uint32_t)info->stage);
   hash_block(state, info->pName, strlen(info->pName));
   hash_block(state, module->id, sizeof(module->id));
   hash_specialization(state, info->pSpecializationInfo);
}

static void
hash_stages_before(XXH3_state_t *state, const struct saf_stages *in)
{
   for (unsigned s = 0; s < MESA_SHADER_FRAGMENT; s++) {
      if (in->info[s])
         hash_stage(state, in->info[s]);
   }
}

/* Stages before rasterisation are fitted to each other, so that each depends
 * on all of them; a vertex shader alone depends on nothing. */
static void
hash_linkage(XXH3_state_t *state, const struct saf_stages *in)
{
   hash_u32(state, in->patch_control_points);
   hash_u32(state, in->rasterization_stream);
   hash_stages_before(state, in);
}

/* Constants of the last stage before it are in it. */
static void
hash_fragment(XXH3_state_t *state, const struct saf_stages *in)
{
   hash_block(state, &in->wm, sizeof(in->wm));
   hash_block(state, in->color_targets,
              in->moves_colors ? sizeof(in->color_targets) : 0);
   const bool has_constants = saf_takes_constants(in);
   hash_u32(state, has_constants);
   if (has_constants)
      hash_stages_before(state, in);
}

struct saf_cache_key
saf_cache_key_for_stage(const struct saf_device *device,
                        const struct saf_stages *in, gl_shader_stage stage)
{
   const char *nir_debug =
      environment_get("NIR_DEBUG"); /* may leave out passes */
   XXH3_state_t state;
   XXH3_128bits_reset(&state);
   hash_block(&state, device->pdev->cache_uuid, VK_UUID_SIZE);
   hash_u32(&state, device->robust_buffer_access);
   const uint64_t debug = intel_debug_flags() &
                          ~(INTEL_DEBUG_BATCH | INTEL_DEBUG_SYNC |
                            INTEL_DEBUG_NOHIZ | INTEL_DEBUG_NOMCS |
                            INTEL_DEBUG_NOCCS | INTEL_DEBUG_NOFC |
                            INTEL_DEBUG_VALIDATE | INTEL_DEBUG_PRINT_PASSES);
   hash_u32(&state, (uint32_t)debug);
   hash_u32(&state, (uint32_t)(debug >> 32));
   hash_block(&state, nir_debug, nir_debug ? strlen(nir_debug) : 0);
   hash_stage(&state, in->info[stage]);
   hash_layout(&state, in->layout);
   hash_u32(&state, in->multiview);
   hash_u32(&state, in->exact_offsets >> stage & 1);
   if (stage == MESA_SHADER_COMPUTE) {
      hash_u32(&state, in->subgroup_size);
      hash_u32(&state, in->buffers_are_apart);
   }
   if (stage == MESA_SHADER_FRAGMENT)
      hash_fragment(&state, in);
   else if (stage < MESA_SHADER_FRAGMENT && saf_stages_are_linked(in))
      hash_linkage(&state, in);
   if (stage < MESA_SHADER_FRAGMENT)
      hash_u32(&state, saf_takes_constants(in));
   if (stage == MESA_SHADER_VERTEX && in->lowers_vertex_formats)
      hash_block(&state, in->vertex_formats, sizeof(in->vertex_formats));

   XXH128_canonical_t canonical;
   XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
   struct saf_cache_key key;
   memcpy(key.bytes, canonical.digest, sizeof(key.bytes));
   return key;
}
