/* SPDX-License-Identifier: MIT */
/* The loader's door into the driver, the instance, and lookup by name. */
#include "intel/compiler/intel_debug.h"
#include "intel/vulkan/base/saf_device.h"

/* Version 5 of the interface: we say which API version we know. */
#define ICD_INTERFACE_VERSION 5u

static const struct saf_entrypoint *
find_entrypoint(const char *name)
{
   unsigned lo = 0, hi = saf_entrypoint_count;
   while (lo < hi) {
      const unsigned mid = (lo + hi) / 2;
      const int cmp = strcmp(name, saf_entrypoints[mid].name);
      if (cmp == 0)
         return &saf_entrypoints[mid];
      if (cmp < 0)
         hi = mid;
      else
         lo = mid + 1;
   }
   return NULL;
}

static PFN_vkVoidFunction
resolve(const struct saf_entrypoint *e, unsigned gen_index)
{
   const PFN_vkVoidFunction f = e->per_gen[gen_index] ? e->per_gen[gen_index]
                                                      : e->common;
   return f && e->recorded ? e->recorded : f;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
saf_GetInstanceProcAddr(VkInstance _instance, const char *name)
{
   SAF_FROM_HANDLE(saf_instance, instance, _instance);
   if (!name)
      return NULL;
   if (!strcmp(name, "vkGetInstanceProcAddr"))
      return (PFN_vkVoidFunction)saf_GetInstanceProcAddr;
   const struct saf_entrypoint *e = find_entrypoint(name);
   if (!e || (!instance && e->level != SAF_LEVEL_GLOBAL))
      return NULL;
   /* All physical devices of a process are of one generation: the one that
    * SAFFRON_DEVICE names. */
   const struct saf_physical_device *pdev =
      instance ? __atomic_load_n(&instance->physical_device, __ATOMIC_ACQUIRE)
               : NULL;
   return resolve(e, pdev ? pdev->gen_index : 0);
}

static bool
is_enabled(const struct saf_device *device, const struct saf_entrypoint *e)
{
   for (unsigned i = 0; i < SAF_ENTRYPOINT_EXTENSIONS; i++) {
      if (e->extensions[i] && device->extensions[e->extensions[i] - 1])
         return true;
   }
   return !e->extensions[0] &&
          e->core <= MIN2(saf_api_version(device->info),
                          device->pdev->instance->api_version);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
saf_GetDeviceProcAddr(VkDevice _device, const char *name)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   const struct saf_entrypoint *e = name ? find_entrypoint(name) : NULL;
   if (!e || e->level != SAF_LEVEL_DEVICE || !is_enabled(device, e))
      return NULL;
   return resolve(e, device->pdev->gen_index);
}

PUBLIC VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetInstanceProcAddr(VkInstance instance, const char *name);
PUBLIC VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *name);
PUBLIC VKAPI_ATTR VkResult VKAPI_CALL
vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);

PUBLIC VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetInstanceProcAddr(VkInstance instance, const char *name)
{
   return saf_GetInstanceProcAddr(instance, name);
}

PUBLIC VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *name)
{
   const struct saf_entrypoint *e = name ? find_entrypoint(name) : NULL;
   if (!e || e->level != SAF_LEVEL_PHYSICAL_DEVICE)
      return NULL;
   return resolve(e, 0);
}

PUBLIC VKAPI_ATTR VkResult VKAPI_CALL
vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
   if (*version < 2)
      return VK_ERROR_INCOMPATIBLE_DRIVER;
   *version = MIN2(*version, ICD_INTERFACE_VERSION);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_EnumerateInstanceVersion(uint32_t *version)
{
   *version = saf_api_versions[0].version;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_EnumerateInstanceExtensionProperties(const char *layer, uint32_t *count,
                                         VkExtensionProperties *out)
{
   if (layer)
      return VK_ERROR_LAYER_NOT_PRESENT;
   return saf_enumerate(count, out, saf_instance_extensions,
                        saf_instance_extension_count, sizeof(*out));
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_EnumerateInstanceLayerProperties(uint32_t *count, VkLayerProperties *out)
{
   *count = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateInstance(const VkInstanceCreateInfo *info,
                   const VkAllocationCallbacks *alloc, VkInstance *out)
{
   for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
      bool found = false;
      for (unsigned j = 0; j < saf_instance_extension_count; j++)
         found |= !strcmp(info->ppEnabledExtensionNames[i],
                          saf_instance_extensions[j].extensionName);
      if (!found)
         return saf_error(VK_ERROR_EXTENSION_NOT_PRESENT,
                          "no instance extension %s",
                          info->ppEnabledExtensionNames[i]);
   }
   /* INTEL_DEBUG=help answers here at the latest. */
   (void)intel_debug_flags();

   struct saf_instance *instance = saf_alloc(alloc, sizeof(*instance));
   if (!instance)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   set_loader_magic_value(instance);
   list_inithead(&instance->swapchains);
   pthread_mutex_init(&instance->mutex, NULL);
   pthread_cond_init(&instance->release_chain, NULL);
   if (alloc) {
      instance->alloc_copy = *alloc;
      instance->alloc = &instance->alloc_copy;
   }
   const VkApplicationInfo *app = info->pApplicationInfo;
   instance->api_version = app && app->apiVersion ? app->apiVersion
                                                  : VK_API_VERSION_1_0;
   instance->for_zink = app && app->pEngineName &&
                        !strcmp(app->pEngineName, "mesa zink");
   *out = saf_instance_to_handle(instance);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyInstance(VkInstance _instance, const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_instance, instance, _instance);
   if (!instance)
      return;
   saf_physical_device_destroy(instance->physical_device);
   pthread_cond_destroy(&instance->release_chain);
   pthread_mutex_destroy(&instance->mutex);
   saf_free(alloc ? alloc : instance->alloc, instance);
}

/* Any thread may be the first. Not to have one is no error. */
static VkResult
enumerate_once(struct saf_instance *instance)
{
   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&instance->mutex);
   if (!instance->enumerated) {
      struct saf_physical_device *pdev = NULL;
      result = saf_physical_device_create(instance, &pdev);
      if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
         result = VK_SUCCESS;
      instance->enumerated = result == VK_SUCCESS;
      __atomic_store_n(&instance->physical_device, pdev, __ATOMIC_RELEASE);
   }
   pthread_mutex_unlock(&instance->mutex);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_EnumeratePhysicalDevices(VkInstance _instance, uint32_t *count,
                             VkPhysicalDevice *out)
{
   SAF_FROM_HANDLE(saf_instance, instance, _instance);
   const VkResult result = enumerate_once(instance);
   if (result)
      return result;
   VkPhysicalDevice handle =
      saf_physical_device_to_handle(instance->physical_device);
   return saf_enumerate(count, out, &handle, handle ? 1 : 0, sizeof(handle));
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_EnumeratePhysicalDeviceGroups(VkInstance _instance, uint32_t *count,
                                  VkPhysicalDeviceGroupProperties *out)
{
   SAF_FROM_HANDLE(saf_instance, instance, _instance);
   const VkResult result = enumerate_once(instance);
   if (result)
      return result;
   const uint32_t n = instance->physical_device ? 1 : 0;
   if (!out) {
      *count = n;
      return VK_SUCCESS;
   }
   const uint32_t written = MIN2(*count, n);
   *count = written;
   if (written) {
      out->physicalDeviceCount = 1;
      memset(out->physicalDevices, 0, sizeof(out->physicalDevices));
      out->physicalDevices[0] =
         saf_physical_device_to_handle(instance->physical_device);
      out->subsetAllocation = VK_FALSE;
   }
   return written < n ? VK_INCOMPLETE : VK_SUCCESS;
}
