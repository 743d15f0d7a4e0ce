/* SPDX-License-Identifier: MIT */
/*
 * VK_EXT_calibrated_timestamps: the GPU's clock beside the host's. Zink uses
 * it for glGet(GL_TIMESTAMP); without it, zink 22.3 scales to nanoseconds
 * twice.
 */
#include "intel/vulkan/base/saf_device.h"

#include <time.h>

#include <drm.h>
#include <i915_drm.h>

/* TIMESTAMP of the render engine: PRM SKL Vol. 2c. */
#define RCS_TIMESTAMP 0x2358

static const VkTimeDomainEXT domains[] = {
   VK_TIME_DOMAIN_DEVICE_EXT,
   VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT,
};

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceCalibrateableTimeDomainsEXT(VkPhysicalDevice physical,
                                                 uint32_t *count,
                                                 VkTimeDomainEXT *out)
{
   const uint32_t n = ARRAY_SIZE(domains);
   if (!out) {
      *count = n;
      return VK_SUCCESS;
   }
   const uint32_t room = MIN2(*count, n);
   memcpy(out, domains, room * sizeof(*out));
   *count = room;
   return room < n ? VK_INCOMPLETE : VK_SUCCESS;
}

static uint64_t
host_ns(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetCalibratedTimestampsEXT(VkDevice _device, uint32_t count,
                               const VkCalibratedTimestampInfoEXT *infos,
                               uint64_t *timestamps, uint64_t *deviation)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   const uint64_t begin_ns = host_ns();
   for (uint32_t i = 0; i < count; i++) {
      if (infos[i].timeDomain == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT) {
         timestamps[i] = host_ns();
         continue;
      }
      struct drm_i915_reg_read reg = { .offset = RCS_TIMESTAMP |
                                                 I915_REG_READ_8B_WA };
      if (kmd_ioctl(device->kmd, DRM_IOCTL_I915_REG_READ, &reg))
         return VK_ERROR_DEVICE_LOST;
      timestamps[i] = reg.val & BITFIELD64_MASK(36);
   }
   /* What the calls took, and one tick of the slower clock, which no GPU of
    * ours has slower than 12 MHz. */
   *deviation = host_ns() - begin_ns + 84;
   return VK_SUCCESS;
}
