/* SPDX-License-Identifier: MIT */
/* Memory, buffers, and views of them. */
#ifndef SAF_BUFFER_H
#define SAF_BUFFER_H

#include "saf_surface.h"

struct saf_device_memory {
   struct saf_bo *bo;
   uint64_t size_B;
   uint64_t map_offset_B;
   bool is_imported;
};

/* What memory a buffer or an image wants; none wants one of its own. */
void saf_memory_requirements(VkMemoryRequirements2 *out, uint64_t size_B,
                             uint64_t align_B);

struct saf_buffer {
   uint64_t size_B;
   VkBufferUsageFlags usage;
   struct saf_bo *bo;
   uint64_t offset_B; /* of the buffer in its memory */
};

struct saf_buffer_view {
   struct saf_buffer *buffer;
   enum isl_format format;
   struct isl_swizzle swizzle; /* the format's */
   uint64_t addr, range_B;
   struct saf_state sampled; /* surface state */
   /* enum saf_storage_part; one of the last two. */
   struct saf_state storage, storage_load, storage_raw;
};

static inline uint64_t
saf_buffer_addr(const struct saf_buffer *b, uint64_t offset_B)
{
   return b->bo->addr + b->offset_B + offset_B;
}

/* VK_WHOLE_SIZE resolved; never past the end of the buffer. */
static inline uint64_t
saf_buffer_range(const struct saf_buffer *b, uint64_t offset_B,
                 uint64_t range_B)
{
   if (offset_B >= b->size_B)
      return 0;
   return MIN2(range_B, b->size_B - offset_B);
}

SAF_NONDISPATCHABLE(saf_device_memory, VkDeviceMemory)
SAF_NONDISPATCHABLE(saf_buffer, VkBuffer)
SAF_NONDISPATCHABLE(saf_buffer_view, VkBufferView)

struct saf_surface_info
saf_buffer_view_info(const struct saf_buffer_view *view);

#endif
