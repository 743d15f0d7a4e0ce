/* SPDX-License-Identifier: MIT */
/* Shader modules: their words, and what identifies them. */
#include "intel/vulkan/pipeline/saf_pipeline_cache.h"

void
saf_shader_module_fill(struct saf_shader_module *module,
                       const VkShaderModuleCreateInfo *info)
{
   module->size_B = info->codeSize;
   saf_hash_code(info->pCode, info->codeSize, module->id);
   memcpy(module->words, info->pCode, info->codeSize);
}

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
   saf_shader_module_fill(module, info);
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

static void
put_identifier(const uint8_t id[SAF_MODULE_ID_B],
               VkShaderModuleIdentifierEXT *out)
{
   out->identifierSize = SAF_MODULE_ID_B;
   memcpy(out->identifier, id, SAF_MODULE_ID_B);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetShaderModuleIdentifierEXT(VkDevice device, VkShaderModule module,
                                 VkShaderModuleIdentifierEXT *out)
{
   put_identifier(saf_shader_module_from_handle(module)->id, out);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetShaderModuleCreateInfoIdentifierEXT(
   VkDevice device, const VkShaderModuleCreateInfo *info,
   VkShaderModuleIdentifierEXT *out)
{
   uint8_t id[SAF_MODULE_ID_B];
   saf_hash_code(info->pCode, info->codeSize, id);
   put_identifier(id, out);
}
