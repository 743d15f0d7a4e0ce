/* SPDX-License-Identifier: MIT */
/* VK_EXT_device_memory_report. */
#ifndef SAF_MEMORY_REPORT_H
#define SAF_MEMORY_REPORT_H

#include "saf_device.h"

struct saf_memory_report {
   PFN_vkDeviceMemoryReportCallbackEXT callback;
   void *user;
};

struct saf_memory_event {
   VkDeviceMemoryReportEventTypeEXT type;
   const struct saf_bo *bo; /* NULL: there is none */
   uint64_t size_B;
   uint64_t memory; /* VkDeviceMemory; 0: it is the device's */
};

VkResult saf_memory_reports_init(struct saf_device *device,
                                 const VkDeviceCreateInfo *info);
void saf_report_memory(struct saf_device *device,
                       const struct saf_memory_event *event);

#endif
