/* SPDX-License-Identifier: MIT */
/*
 * VK_EXT_device_memory_report: who allocates how much, as it happens. What
 * the driver needs itself (batches, states, shaders, images of swapchains) is
 * the device's.
 */
#include "saf_memory_report.h"

VkResult
saf_memory_reports_init(struct saf_device *device,
                        const VkDeviceCreateInfo *info)
{
   uint32_t count = 0;
   saf_foreach_struct(s, info->pNext)
   {
      if (s->sType ==
          VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT)
         count++;
   }
   if (!count)
      return VK_SUCCESS;
   device->memory_reports =
      saf_alloc(device->alloc, count * sizeof(*device->memory_reports));
   if (!device->memory_reports)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   saf_foreach_struct(s, info->pNext)
   {
      if (s->sType !=
          VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT)
         continue;
      const VkDeviceDeviceMemoryReportCreateInfoEXT *report = (const void *)s;
      device->memory_reports[device->memory_report_count++] =
         (struct saf_memory_report) {
            report->pfnUserCallback,
            report->pUserData,
         };
   }
   return VK_SUCCESS;
}

void
saf_report_memory(struct saf_device *device,
                  const struct saf_memory_event *event)
{
   const VkDeviceMemoryReportCallbackDataEXT data = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_REPORT_CALLBACK_DATA_EXT,
      .type = event->type,
      .memoryObjectId = event->bo ? event->bo->id : 0,
      .size = event->size_B,
      .objectType = event->memory ? VK_OBJECT_TYPE_DEVICE_MEMORY
                                  : VK_OBJECT_TYPE_DEVICE,
      .objectHandle = event->memory
                         ? event->memory
                         : (uint64_t)(uintptr_t)saf_device_to_handle(device),
   };
   for (uint32_t i = 0; i < device->memory_report_count; i++)
      device->memory_reports[i].callback(&data,
                                         device->memory_reports[i].user);
}
