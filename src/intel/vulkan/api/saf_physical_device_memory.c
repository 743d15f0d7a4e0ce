/* SPDX-License-Identifier: MIT */
/* What a physical device says of its queues and of its memory. */
#include "intel/vulkan/saf_private.h"

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

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice pdev,
                                            uint32_t *count,
                                            VkQueueFamilyProperties2 *out)
{
   if (!out) {
      *count = 1;
   } else if (*count) {
      *count = 1;
      out->queueFamilyProperties = queue_family;
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice _pdev,
                                      VkPhysicalDeviceMemoryProperties *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   *out = (VkPhysicalDeviceMemoryProperties){
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
   saf_foreach_out_struct(s, out->pNext) {
      if ((int)s->sType !=
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT)
         continue;
      /* The heap is this process's alone. */
      VkPhysicalDeviceMemoryBudgetPropertiesEXT *b = (void *)s;
      memset(b->heapBudget, 0, sizeof(b->heapBudget));
      memset(b->heapUsage, 0, sizeof(b->heapUsage));
      b->heapBudget[0] = pdev->memory_size_B;
      b->heapUsage[0] = __atomic_load_n(&pdev->used_B, __ATOMIC_RELAXED);
   }
}
