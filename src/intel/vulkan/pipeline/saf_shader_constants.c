/* SPDX-License-Identifier: MIT */
/*
 * Constant data of shaders (nir_shader::constant_data) lies behind their code:
 * caches keep it with that, and it is in GPU memory as long. Shaders read it
 * as a uniform block, by entry SAF_SET_CONSTANTS of their binding table.
 */
#include "saf_shader.h"

#include "intel/vulkan/genx/saf_genx.h"

void
saf_append_constants(const nir_shader *nir, struct arena *arena,
                     struct intel_shader *bin, struct saf_bind_map *map)
{
   const uint32_t size_B = nir->constant_data_size;
   const uint32_t start_B = ALIGN(bin->code_size_B, 64u);
   for (uint32_t i = 0; i < map->surface_count; i++) {
      struct saf_binding *b = &map->surfaces[i];
      if (b->set != SAF_SET_CONSTANTS)
         continue;
      b->binding = start_B;
      b->element = size_B;
      char *code = arena_alloc(arena, start_B + size_B);
      memset(code, 0, start_B);
      memcpy(code, bin->code, bin->code_size_B);
      memcpy(code + start_B, nir->constant_data, size_B);
      bin->code = code;
      bin->code_size_B = start_B + size_B;
   }
}

VkResult
saf_shader_add_constants(struct saf_device *device, struct saf_shader *shader)
{
   for (uint32_t i = 0; i < shader->map.surface_count; i++) {
      const struct saf_binding *b = &shader->map.surfaces[i];
      if (b->set != SAF_SET_CONSTANTS)
         continue;
      shader->constants = saf_state_alloc(&device->surface_pool, 64);
      if (!shader->constants.size_B)
         return device->surface_pool.error;
      saf_fill_uniform_surface(device, shader->constants.map,
                               saf_shader_constants_addr(device, shader, b),
                               b->element);
   }
   return VK_SUCCESS;
}
