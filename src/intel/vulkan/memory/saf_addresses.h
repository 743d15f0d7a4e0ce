/* SPDX-License-Identifier: MIT */
/* Addresses of buffers, for shaders and for applications. */
#ifndef SAF_ADDRESSES_H
#define SAF_ADDRESSES_H

#include "saf_buffer.h"

/* How many objects may have addresses at a time, by their handle. */
#define SAF_MAX_ADDRESSED 65536u

/* The surfaces that shaders reach memory by, where messages have no 64-bit
 * addresses; nothing else. Ends with the device. */
VkResult saf_addresses_init(struct saf_device *device);

/* Memory whose buffers may be asked for their address. */
VkResult saf_addresses_add(struct saf_device *device, struct saf_bo *bo);

/* What shaders, and applications, take for the address of a buffer. */
uint64_t saf_addresses_of_buffer(const struct saf_device *device,
                                 const struct saf_buffer *buffer);

#endif
