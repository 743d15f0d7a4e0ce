/* SPDX-License-Identifier: MIT */
/* Which device there is, its queues and its memory. */
#include "intel/compiler/intel_compiler.h"
#include "intel/vulkan/base/saf_instance.h"
#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/memory/saf_resource.h"

#include <elf.h>
#include <errno.h>
#include <i915_drm.h>
#include <link.h>
#include <stdio.h>
#include <sys/sysinfo.h>

/* ---- creation ---- */

/* Copies the build id of the object that holds this code: the linker hashes
 * everything that went into it, so it changes with the compiler. */
static int
find_build_id(struct dl_phdr_info *info, size_t size, void *data)
{
   struct {
      uintptr_t addr;
      uint8_t *out;
      unsigned len;
   } *find = data;
   bool here = false;
   for (unsigned i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *p = &info->dlpi_phdr[i];
      const uintptr_t start = info->dlpi_addr + p->p_vaddr;
      here |= p->p_type == PT_LOAD && find->addr >= start &&
              find->addr < start + p->p_memsz;
   }
   if (!here)
      return 0;
   for (unsigned i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *p = &info->dlpi_phdr[i];
      if (p->p_type != PT_NOTE)
         continue;
      const char *note = (const char *)(info->dlpi_addr + p->p_vaddr);
      const char *end = note + p->p_memsz;
      while (note + sizeof(ElfW(Nhdr)) <= end) {
         const ElfW(Nhdr) *n = (const ElfW(Nhdr) *)note;
         const char *name = note + sizeof(*n);
         const char *desc = name + ALIGN(n->n_namesz, 4);
         if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 &&
             !memcmp(name, "GNU", 4)) {
            find->len = MIN2(n->n_descsz, VK_UUID_SIZE);
            memcpy(find->out, desc, find->len);
            return 1;
         }
         note = desc + ALIGN(n->n_descsz, 4);
      }
   }
   return 1;
}

static bool
fill_cache_uuid(struct saf_physical_device *pdev)
{
   /* clang-format off */
   struct { uintptr_t addr; uint8_t *out; unsigned len; } find = {
      .addr = (uintptr_t)find_build_id,
      .out = pdev->cache_uuid,
   };
   /* clang-format on */
   dl_iterate_phdr(find_build_id, &find);
   memcpy(pdev->driver_uuid, pdev->cache_uuid, VK_UUID_SIZE);
   pdev->cache_uuid[0] ^= (uint8_t)pdev->info->pci_id;
   pdev->cache_uuid[1] ^= (uint8_t)(pdev->info->pci_id >> 8);
   pdev->cache_uuid[2] ^= (uint8_t)intel_compiler_choices(pdev->compiler);
   return find.len > 0;
}

bool
saf_physical_device_is_simulated(const struct saf_physical_device *pdev)
{
   return !strncmp(kmd_name(pdev->kmd), "sim:", 4);
}

/* Every object has its address from us, if the address space is ours alone:
 * with aliasing PPGTT (1) others' objects are in it, and the kernel's own,
 * which do not leave for ours (chip-rules KR-01, KR-02). */
static bool
kernel_moves_objects(struct kmd *kmd)
{
   return kmd_getparam(kmd, I915_PARAM_HAS_ALIASING_PPGTT, 0) < 2 ||
          !kmd_getparam(kmd, I915_PARAM_HAS_EXEC_SOFTPIN, 0);
}

/* Whether the memory controller swaps parts of tiles, which only that of Gen7
 * may: an object that is an X tile tells. False: the kernel does not say, or
 * what none of them does. */
static bool
ask_swizzling(struct kmd *kmd, bool *swizzles)
{
   struct drm_i915_gem_create create = { .size = 4096 };
   *swizzles = false;
   if (kmd_ioctl(kmd, DRM_IOCTL_I915_GEM_CREATE, &create))
      return false;
   struct drm_i915_gem_set_tiling set = {
      .handle = create.handle,
      .tiling_mode = I915_TILING_X,
      .stride = 512,
   };
   const bool told = !kmd_ioctl(kmd, DRM_IOCTL_I915_GEM_SET_TILING, &set) &&
                     set.tiling_mode == I915_TILING_X;
   kmd_ioctl(kmd, DRM_IOCTL_GEM_CLOSE,
             &(struct drm_gem_close) { .handle = create.handle });
   *swizzles = set.swizzle_mode == I915_BIT_6_SWIZZLE_9_10;
   return told && (*swizzles || set.swizzle_mode == I915_BIT_6_SWIZZLE_NONE);
}

VkResult
saf_physical_device_create(struct saf_instance *instance,
                           struct saf_physical_device **out)
{
   *out = NULL;
   errno = 0;
   struct kmd *kmd = kmd_open();
   if (!kmd)
      return errno == ENOMEM ? VK_ERROR_OUT_OF_HOST_MEMORY
                             : VK_ERROR_INCOMPATIBLE_DRIVER;
   const int id = kmd_getparam(kmd, I915_PARAM_CHIPSET_ID, 0);
   const struct intel_device_info *info =
      intel_device_info_by_pci_id((uint16_t)id);
   if (!info || !saf_genx_get(info)) {
      kmd_close(kmd);
      return saf_error(VK_ERROR_INCOMPATIBLE_DRIVER,
                       "PCI id 0x%04x is not supported", id);
   }
   const bool relocates = kernel_moves_objects(kmd);
   if (relocates && !saf_has_address_table(info)) {
      kmd_close(kmd);
      return saf_error(VK_ERROR_INCOMPATIBLE_DRIVER,
                       "%s: the kernel takes no pinned objects",
                       info->full_name);
   }
   bool swizzles;
   if (!ask_swizzling(kmd, &swizzles)) {
      kmd_close(kmd);
      return saf_error(VK_ERROR_INCOMPATIBLE_DRIVER,
                       "%s: the kernel does not say how tiles are in memory",
                       info->full_name);
   }
   struct saf_physical_device *pdev =
      saf_alloc(instance->alloc, sizeof(*pdev));
   if (!pdev) {
      kmd_close(kmd);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   set_loader_magic_value(pdev);
   pdev->instance = instance;
   pdev->kmd = kmd;
   pdev->info = info;
   pdev->relocates = relocates;
   pdev->swizzles_tiles = swizzles;
   pdev->captures = kmd_getparam(kmd, I915_PARAM_HAS_EXEC_CAPTURE, 0) > 0;
   pdev->gen_index = saf_genx_index(info);
   pdev->compiler = intel_compiler_create(info);
   pdev->timestamp_frequency = (uint64_t)kmd_getparam(
      kmd, I915_PARAM_CS_TIMESTAMP_FREQUENCY, (int)info->timestamp_frequency);
   snprintf(pdev->name, sizeof(pdev->name), "Saffron %s%s", info->full_name,
            saf_physical_device_is_simulated(pdev) ? ", simulated" : "");
   if (!pdev->compiler) {
      saf_physical_device_destroy(pdev);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   intel_compiler_use_constant_data(pdev->compiler);
   if (instance->for_zink)
      intel_compiler_restore_builtins(pdev->compiler);
   if (!fill_cache_uuid(pdev)) {
      saf_physical_device_destroy(pdev);
      return saf_error(VK_ERROR_INITIALIZATION_FAILED,
                       "the library was linked without a build id");
   }

   struct sysinfo si;
   sysinfo(&si);
   /* As other drivers do: some of the memory must stay for everyone else. */
   pdev->memory_size_B =
      ALIGN((uint64_t)si.totalram * si.mem_unit / 4 * 3 - 4095, 4096);
   /* All that exists has an address at once. */
   const uint64_t space_B = info->layout->end - info->layout->general;
   pdev->memory_size_B = MIN2(pdev->memory_size_B, space_B / 4 * 3);
   *out = pdev;
   return VK_SUCCESS;
}

void
saf_physical_device_destroy(struct saf_physical_device *pdev)
{
   if (!pdev)
      return;
   intel_compiler_destroy(pdev->compiler);
   kmd_close(pdev->kmd);
   saf_free(pdev->instance->alloc, pdev);
}

/* ---- queues and memory ---- */

static const VkQueueFamilyProperties queue_family = {
   .queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT |
                 VK_QUEUE_TRANSFER_BIT,
   .queueCount = 1,
   .timestampValidBits = 36,
   .minImageTransferGranularity = { 1, 1, 1 },
};

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice pdev,
                                           uint32_t *count,
                                           VkQueueFamilyProperties *out)
{
   saf_enumerate(count, out, &queue_family, 1, sizeof(queue_family));
}

/* Where the kernel's scheduler does not know priorities, all have one. */
static void
fill_priorities(struct saf_physical_device *pdev,
                VkQueueFamilyGlobalPriorityPropertiesKHR *out)
{
   static const VkQueueGlobalPriorityKHR all[] = {
      VK_QUEUE_GLOBAL_PRIORITY_LOW_KHR,
      VK_QUEUE_GLOBAL_PRIORITY_MEDIUM_KHR,
      VK_QUEUE_GLOBAL_PRIORITY_HIGH_KHR,
      VK_QUEUE_GLOBAL_PRIORITY_REALTIME_KHR,
   };
   const int scheduler = kmd_getparam(pdev->kmd, I915_PARAM_HAS_SCHEDULER, 0);
   out->priorityCount = 1;
   out->priorities[0] = VK_QUEUE_GLOBAL_PRIORITY_MEDIUM_KHR;
   if (!(scheduler & I915_SCHEDULER_CAP_PRIORITY))
      return;
   out->priorityCount = ARRAY_SIZE(all);
   memcpy(out->priorities, all, sizeof(all));
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice _pdev,
                                            uint32_t *count,
                                            VkQueueFamilyProperties2 *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   if (!out) {
      *count = 1;
      return;
   }
   if (!*count)
      return;
   *count = 1;
   out->queueFamilyProperties = queue_family;
   saf_foreach_out_struct(s, out->pNext)
   {
      if (s->sType ==
          VK_STRUCTURE_TYPE_QUEUE_FAMILY_GLOBAL_PRIORITY_PROPERTIES_KHR)
         fill_priorities(pdev, (void *)s);
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice _pdev,
                                      VkPhysicalDeviceMemoryProperties *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   *out = (VkPhysicalDeviceMemoryProperties) {
      .memoryTypeCount = 1,
      .memoryTypes = { {
         .propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                          VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                          VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                          VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
      } },
      .memoryHeapCount = 1,
      .memoryHeaps = { {
         .size = pdev->memory_size_B,
         .flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT,
      } },
   };
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice _pdev,
                                       VkPhysicalDeviceMemoryProperties2 *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   saf_GetPhysicalDeviceMemoryProperties(_pdev, &out->memoryProperties);
   saf_foreach_out_struct(s, out->pNext)
   {
      if ((int)s->sType !=
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT)
         continue;
      /* The heap is this process's alone. */
      VkPhysicalDeviceMemoryBudgetPropertiesEXT *b = (void *)s;
      memset(b->heapBudget, 0, sizeof(b->heapBudget));
      memset(b->heapUsage, 0, sizeof(b->heapUsage));
      b->heapBudget[0] = pdev->memory_size_B;
      b->heapUsage[0] = saf_heap_used_B();
   }
}

/* ---- what core versions ask for and we have none of ---- */

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceToolProperties(VkPhysicalDevice pdev, uint32_t *count,
                                    VkPhysicalDeviceToolProperties *out)
{
   *count = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceSparseImageFormatProperties(
   VkPhysicalDevice pdev, VkFormat format, VkImageType type,
   VkSampleCountFlagBits samples, VkImageUsageFlags usage,
   VkImageTiling tiling, uint32_t *count, VkSparseImageFormatProperties *out)
{
   *count = 0;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceSparseImageFormatProperties2(
   VkPhysicalDevice pdev, const VkPhysicalDeviceSparseImageFormatInfo2 *info,
   uint32_t *count, VkSparseImageFormatProperties2 *out)
{
   *count = 0;
}
