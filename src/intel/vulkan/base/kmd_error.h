/* SPDX-License-Identifier: MIT */
/* What a kernel call that failed is to the application. */
#ifndef KMD_ERROR_H
#define KMD_ERROR_H

#include <errno.h>

#include "saf_device.h"

/* `ret`: -errno. What lacked memory has changed nothing, and may be tried
 * again; all else is `other`. */
static inline VkResult
kmd_error(int ret, VkResult other)
{
   return ret == -ENOMEM ? VK_ERROR_OUT_OF_HOST_MEMORY : other;
}

/* For what fails on no device that works. */
static inline VkResult
kmd_lost(struct saf_device *device, int ret, const char *why)
{
   return ret == -ENOMEM ? VK_ERROR_OUT_OF_HOST_MEMORY
                         : saf_device_set_lost(device, why);
}

#endif
