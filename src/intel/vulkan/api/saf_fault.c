/* SPDX-License-Identifier: MIT */
/*
 * VK_EXT_device_fault: why the device was lost. The simulated GPU's own
 * reports are the vendor's part, a line each; a kernel tells programs only
 * that there was a reset.
 */
#include "intel/vulkan/base/saf_device.h"

#include <stdio.h>

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetDeviceFaultInfoEXT(VkDevice _device, VkDeviceFaultCountsEXT *counts,
                          VkDeviceFaultInfoEXT *info)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   char line[VK_MAX_DESCRIPTION_SIZE];
   uint32_t lines = 0;
   while (kmd_report(device->kmd, lines, line, sizeof(line)))
      lines++;
   const uint32_t room = info ? counts->vendorInfoCount : 0;
   counts->addressInfoCount = 0;
   counts->vendorInfoCount = info ? MIN2(room, lines) : lines;
   counts->vendorBinarySize = 0;
   if (!info)
      return VK_SUCCESS;
   snprintf(info->description, sizeof(info->description), "%s",
            saf_device_is_lost(device) ? device->lost_why : "");
   for (uint32_t i = 0; i < counts->vendorInfoCount; i++) {
      VkDeviceFaultVendorInfoEXT *v = &info->pVendorInfos[i];
      *v = (VkDeviceFaultVendorInfoEXT) { .vendorFaultCode = i };
      kmd_report(device->kmd, i, v->description, sizeof(v->description));
   }
   return room < lines ? VK_INCOMPLETE : VK_SUCCESS;
}
