/* SPDX-License-Identifier: MIT */
/* The logical device: context, address space, pools, standing state. */
#include "intel/vulkan/base/saf_memory_report.h"
#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/memory/saf_addresses.h"
#include "intel/vulkan/cmd/saf_meta.h"
#include "intel/vulkan/pipeline/saf_pipeline_cache.h"

#include <errno.h>
#include <i915_drm.h>

/* The kernel's number; it says who may have which. */
static VkResult
set_priority(struct saf_device *device, const VkDeviceCreateInfo *info)
{
   const VkDeviceQueueGlobalPriorityCreateInfoKHR *asked = saf_find_struct(
      info->queueCreateInfoCount ? info->pQueueCreateInfos[0].pNext : NULL,
      VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO_KHR);
   if (!asked || asked->globalPriority == VK_QUEUE_GLOBAL_PRIORITY_MEDIUM_KHR)
      return VK_SUCCESS;
   int64_t priority = 0;
   switch (asked->globalPriority) {
   case VK_QUEUE_GLOBAL_PRIORITY_LOW_KHR: priority = -512; break;
   case VK_QUEUE_GLOBAL_PRIORITY_HIGH_KHR: priority = 512; break;
   case VK_QUEUE_GLOBAL_PRIORITY_REALTIME_KHR:
      priority = I915_CONTEXT_MAX_USER_PRIORITY;
      break;
   default: return VK_ERROR_INITIALIZATION_FAILED;
   }
   struct drm_i915_gem_context_param param = {
      .ctx_id = device->context_id,
      .param = I915_CONTEXT_PARAM_PRIORITY,
      .value = (uint64_t)priority,
   };
   return kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param)
             ? VK_ERROR_NOT_PERMITTED_KHR
             : VK_SUCCESS;
}

static VkResult
create_context(struct saf_device *device)
{
   struct drm_i915_gem_context_create create = { 0 };
   const int ret =
      kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create);
   if (ret)
      return ret == -ENOMEM ? VK_ERROR_OUT_OF_HOST_MEMORY
                            : VK_ERROR_INITIALIZATION_FAILED;
   device->context_id = create.ctx_id;
   /* A context whose batch hung must not take others with it, and is not to
    * be brought back: its state is gone. Old kernels may refuse. */
   struct drm_i915_gem_context_param param = {
      .ctx_id = create.ctx_id,
      .param = I915_CONTEXT_PARAM_RECOVERABLE,
      .value = 0,
   };
   kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param);
   return VK_SUCCESS;
}

static void
destroy_context(struct saf_device *device)
{
   struct drm_i915_gem_context_destroy destroy = {
      .ctx_id = device->context_id,
   };
   kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy);
}

static VkResult
create_standing_objects(struct saf_device *device)
{
   VkResult result =
      saf_bo_create(device, "trivial batch", 4096, 0, &device->trivial_batch);
   if (result)
      return result;
   result =
      saf_bo_create(device, "null", SAF_NULL_BO_SIZE_B, 0, &device->null_bo);
   if (result)
      return result;
   if (!saf_bo_map(device, device->trivial_batch))
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   device->genx->init_trivial_batch(device->trivial_batch->map);

   device->null_surface = saf_state_alloc(&device->surface_pool, 64);
   if (!device->null_surface.size_B)
      return device->surface_pool.error;
   if (!saf_border_colors_init(device))
      return device->dynamic_pool.error;
   result = saf_addresses_init(device);
   if (result)
      return result;
   const struct isl_extent3d one = { 1, 1, 1 };
   isl_null_fill_state(device->info, device->null_surface.map, one);
   /* And where a handle of 0 leads to: what is read beyond the records of a
    * set. Nobody gets that place. */
   if (device->info->eu.has_bindless_surfaces)
      isl_null_fill_state(
         device->info,
         (char *)device->null_surface.map - device->null_surface.offset, one);
   return VK_SUCCESS;
}

static void
finish_device(struct saf_device *device)
{
   saf_meta_finish(device);
   saf_device_cache_finish(device);
   saf_bo_destroy(device, device->trivial_batch);
   saf_bo_destroy(device, device->null_bo);
   saf_bo_destroy(device, device->addresses);
   util_dynarray_foreach(&device->batch_bos, struct saf_bo *, bo)
      saf_bo_destroy(device, *bo);
   util_dynarray_fini(&device->batch_bos);
   saf_border_colors_finish(device);
   saf_state_pool_finish(&device->dynamic_pool);
   saf_state_pool_finish(&device->binding_table_pool);
   saf_state_pool_finish(&device->surface_pool);
   saf_state_pool_finish(&device->instruction_pool);
   saf_bo_destroy(device, device->states);
   util_dynarray_fini(&device->bos_by_addr);
   util_dynarray_fini(&device->exec_objects);
   util_dynarray_fini(&device->exec_bos);
   util_dynarray_fini(&device->closing);
   saf_va_heap_finish(&device->va);
   saf_va_heap_finish(&device->va_low);
   saf_va_heap_finish(&device->va_replayed);
   pthread_mutex_destroy(&device->bo_mutex);
   pthread_mutex_destroy(&device->lost_mutex);
}

/* The pools are at the same distance from each other wherever they are. */
static VkResult
create_pool_object(struct saf_device *device)
{
   const struct intel_address_layout *layout = device->info->layout;
   const uint64_t end = layout->instruction + layout->pool_size_B;
   if (!device->pdev->relocates)
      return VK_SUCCESS;
   assert(layout->low >= layout->pool_size_B && layout->general >= end &&
          "offsets in pools are no addresses, pools have theirs alone");
   const VkResult result = saf_bo_create(device, "states",
                                         end - layout->dynamic,
                                         layout->dynamic, &device->states);
   if (result)
      return result;
   if (!saf_bo_map(device, device->states))
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   return saf_reloc_init_states(device) ? VK_SUCCESS
                                        : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VkResult
init_device(struct saf_device *device)
{
   pthread_mutex_init(&device->bo_mutex, NULL);
   pthread_mutex_init(&device->lost_mutex, NULL);
   const struct intel_address_layout *layout = device->info->layout;
   saf_va_heap_init(&device->va, layout->general, layout->replayed);
   saf_va_heap_init(&device->va_replayed, layout->replayed, layout->end);
   saf_va_heap_init(&device->va_low, layout->low, layout->low_end);
   VkResult result = create_pool_object(device);
   if (result) {
      finish_device(device);
      return result;
   }
   const uint64_t pool_B = layout->pool_size_B;
   const uint64_t surfaces_B = device->info->eu.has_bindless_surfaces
                                  ? MIN2(pool_B, INTEL_HANDLES_END_B)
                                  : pool_B;
   saf_state_pool_init(&device->dynamic_pool, device, "dynamic state",
                       layout->dynamic, pool_B);
   saf_state_pool_init(&device->binding_table_pool, device, "binding tables",
                       layout->binding_table, pool_B);
   saf_state_pool_init(&device->surface_pool, device, "surface states",
                       layout->surface, surfaces_B);
   saf_state_pool_init(&device->instruction_pool, device, "instructions",
                       layout->instruction, pool_B);
   result = create_standing_objects(device);
   if (!result)
      result = saf_device_cache_init(device);
   if (!result)
      result = saf_meta_init(device);
   if (!result)
      result = saf_queue_init(device);
   if (result)
      finish_device(device);
   return result;
}

bool
saf_has_device_extension(const struct intel_device_info *dev, unsigned index)
{
   return intel_gen_has(dev->verx10,
                        saf_device_extension_first_verx10[index]);
}

uint32_t
saf_api_version(const struct intel_device_info *dev)
{
   for (unsigned i = 0; i < ARRAY_SIZE(saf_api_versions); i++) {
      if (intel_gen_has(dev->verx10, saf_api_versions[i].first_verx10))
         return saf_api_versions[i].version;
   }
   unreachable("a generation without a version");
}

static VkResult
check_extensions(const struct intel_device_info *dev,
                 const VkDeviceCreateInfo *info,
                 bool enabled[SAF_DEVICE_EXTENSION_COUNT])
{
   for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
      bool found = false;
      for (unsigned j = 0; j < saf_device_extension_count; j++) {
         if (!saf_has_device_extension(dev, j) ||
             strcmp(info->ppEnabledExtensionNames[i],
                    saf_device_extensions[j].extensionName))
            continue;
         found = true;
         enabled[j] = true;
      }
      if (!found)
         return saf_error(VK_ERROR_EXTENSION_NOT_PRESENT,
                          "no device extension %s",
                          info->ppEnabledExtensionNames[i]);
   }
   return VK_SUCCESS;
}

/* Every feature asked for must be one that we report. */
static VkResult
check_features(VkPhysicalDevice pdev, const VkPhysicalDeviceFeatures *wanted)
{
   VkPhysicalDeviceFeatures have;
   saf_GetPhysicalDeviceFeatures(pdev, &have);
   const VkBool32 *h = (const VkBool32 *)&have;
   const VkBool32 *w = (const VkBool32 *)wanted;
   for (unsigned i = 0; i < sizeof(have) / sizeof(*h); i++) {
      if (w[i] && !h[i])
         return saf_error(VK_ERROR_FEATURE_NOT_PRESENT,
                          "feature number %u of VkPhysicalDeviceFeatures", i);
   }
   return VK_SUCCESS;
}

/* The same for one structure of the chain: what we do not know of it, we do
 * not have. */
static VkResult
check_feature_struct(VkPhysicalDevice pdev, const VkBaseInStructure *wanted,
                     const struct saf_feature_struct *layout)
{
   VkBaseOutStructure *have = calloc(1, layout->size_B);
   if (!have)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   have->sType = wanted->sType;
   VkPhysicalDeviceFeatures2 features = { .pNext = have };
   saf_GetPhysicalDeviceFeatures2(pdev, &features);
   const VkBool32 *h = (const VkBool32 *)(have + 1);
   const VkBool32 *w = (const VkBool32 *)(wanted + 1);
   VkResult result = VK_SUCCESS;
   for (unsigned i = 0; i < layout->count && !result; i++) {
      if (w[i] && !h[i])
         result = saf_error(VK_ERROR_FEATURE_NOT_PRESENT,
                            "feature number %u of structure type %d", i,
                            (int)wanted->sType);
   }
   free(have);
   return result;
}

static VkResult
check_chained_features(VkPhysicalDevice pdev, const VkDeviceCreateInfo *info)
{
   saf_foreach_struct(s, info->pNext)
   {
      for (unsigned i = 0; i < saf_feature_struct_count; i++) {
         if (saf_feature_structs[i].type != s->sType)
            continue;
         const VkResult result =
            check_feature_struct(pdev, s, &saf_feature_structs[i]);
         if (result)
            return result;
      }
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateDevice(VkPhysicalDevice _pdev, const VkDeviceCreateInfo *info,
                 const VkAllocationCallbacks *alloc, VkDevice *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   bool extensions[SAF_DEVICE_EXTENSION_COUNT] = { false };
   VkResult result = check_extensions(pdev->info, info, extensions);
   if (!result)
      result = check_chained_features(_pdev, info);
   if (result)
      return result;
   const VkPhysicalDeviceFeatures2 *features2 = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
   const VkPhysicalDeviceFeatures *features =
      features2 ? &features2->features : info->pEnabledFeatures;
   if (features) {
      result = check_features(_pdev, features);
      if (result)
         return result;
   }

   const VkAllocationCallbacks *host = alloc ? alloc : pdev->instance->alloc;
   struct saf_device *device = saf_alloc(host, sizeof(*device));
   if (!device)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   set_loader_magic_value(device);
   if (host) {
      device->alloc_copy = *host;
      device->alloc = &device->alloc_copy;
   }
   device->pdev = pdev;
   device->info = pdev->info;
   device->compiler = pdev->compiler;
   device->genx = saf_genx_get(pdev->info);
   memcpy(device->extensions, extensions, sizeof(extensions));
   device->robust_buffer_access = features && features->robustBufferAccess;
   const VkPhysicalDeviceRobustness2FeaturesEXT *robust2 = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT);
   device->robust_buffer_access_2 = robust2 && robust2->robustBufferAccess2;
   const VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT *types =
      saf_find_struct(
         info->pNext,
         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT);
   device->mutable_descriptors = types && types->mutableDescriptorType;
   result = saf_memory_reports_init(device, info);
   if (result)
      goto fail_reports;

   /* A file of its own: an address space of its own. */
   errno = 0;
   device->kmd = kmd_open();
   if (!device->kmd) {
      result = errno == ENOMEM ? VK_ERROR_OUT_OF_HOST_MEMORY
                               : VK_ERROR_INITIALIZATION_FAILED;
      goto fail_kmd;
   }
   result = create_context(device);
   if (result)
      goto fail_context;
   result = set_priority(device, info);
   if (!result)
      result = init_device(device);
   if (result)
      goto fail_init;
   *out = saf_device_to_handle(device);
   return VK_SUCCESS;

fail_init:
   destroy_context(device);
fail_context:
   kmd_close(device->kmd);
fail_kmd:
   saf_free(host, device->memory_reports);
fail_reports:
   saf_free(host, device);
   return result;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyDevice(VkDevice _device, const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   if (!device)
      return;
   saf_queue_finish(device);
   finish_device(device);
   destroy_context(device);
   kmd_close(device->kmd);
   saf_free(device->alloc, device->memory_reports);
   const VkAllocationCallbacks copy = device->alloc_copy;
   saf_free(alloc ? alloc : device->alloc ? &copy : NULL, device);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetDeviceGroupPeerMemoryFeatures(VkDevice device, uint32_t heap,
                                     uint32_t local, uint32_t remote,
                                     VkPeerMemoryFeatureFlags *out)
{
   *out = VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT |
          VK_PEER_MEMORY_FEATURE_COPY_DST_BIT |
          VK_PEER_MEMORY_FEATURE_GENERIC_SRC_BIT |
          VK_PEER_MEMORY_FEATURE_GENERIC_DST_BIT;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_EnumerateDeviceExtensionProperties(VkPhysicalDevice _pdev,
                                       const char *layer, uint32_t *count,
                                       VkExtensionProperties *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   if (layer)
      return VK_ERROR_LAYER_NOT_PRESENT;
   VkExtensionProperties have[SAF_DEVICE_EXTENSION_COUNT];
   uint32_t n = 0;
   for (unsigned i = 0; i < saf_device_extension_count; i++) {
      if (saf_has_device_extension(pdev->info, i))
         have[n++] = saf_device_extensions[i];
   }
   return saf_enumerate(count, out, have, n, sizeof(*out));
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_EnumerateDeviceLayerProperties(VkPhysicalDevice pdev, uint32_t *count,
                                   VkLayerProperties *out)
{
   *count = 0;
   return VK_SUCCESS;
}
