/* SPDX-License-Identifier: MIT */
/* What buffers and images are told by newer structures, and which part of one
 * is meant. */
#ifndef SAF_RESOURCE_H
#define SAF_RESOURCE_H

#include "saf_image.h"

/* What a buffer is used for, by the chain's word if it has one, which goes
 * beyond the older one's bits. */
VkBufferUsageFlags saf_buffer_usage(const void *chain,
                                    VkBufferUsageFlags usage);

/* Bytes of VkDeviceMemory that the process has, on all devices of all of its
 * instances. */
uint64_t saf_heap_used_B(void);

/* Of one binding that has succeeded, to who asks in its chain. */
void saf_tell_bound(const void *chain);

/* Layers of a copy; a number for VK_REMAINING_ARRAY_LAYERS. */
uint32_t saf_layer_count(const struct saf_image *image,
                         const VkImageSubresourceLayers *l);

#endif
