/* SPDX-License-Identifier: MIT */
/* Query pools and results read by the host. */
#include "saf_query.h"
#include "intel/dev/intel_workaround.h"

#include <time.h>

static uint32_t
value_count(const VkQueryPoolCreateInfo *info)
{
   switch ((int)info->queryType) {
   case VK_QUERY_TYPE_PIPELINE_STATISTICS:
      return (uint32_t)__builtin_popcount(info->pipelineStatistics);
   case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT: return 2;
   default: return 1;
   }
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateQueryPool(VkDevice _device, const VkQueryPoolCreateInfo *info,
                    const VkAllocationCallbacks *alloc, VkQueryPool *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_query_pool *pool =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*pool));
   if (!pool)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pool->type = info->queryType;
   pool->statistics = info->pipelineStatistics;
   pool->count = info->queryCount;
   pool->values = value_count(info);
   pool->stride_B = 8 + pool->values * 16;
   VkResult result = saf_bo_create(device, "queries",
                                   (uint64_t)pool->count * pool->stride_B, 0,
                                   &pool->bo);
   if (!result && !saf_bo_map(device, pool->bo)) {
      saf_bo_destroy(device, pool->bo);
      result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   if (result) {
      saf_free(alloc ? alloc : device->alloc, pool);
      return result;
   }
   *out = saf_query_pool_to_handle(pool);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyQueryPool(VkDevice _device, VkQueryPool _pool,
                     const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_query_pool, pool, _pool);
   if (!pool)
      return;
   saf_bo_destroy(device, pool->bo);
   saf_free(alloc ? alloc : device->alloc, pool);
}

int
saf_query_value_by_four(const struct saf_device *device,
                        const struct saf_query_pool *pool)
{
   const VkQueryPipelineStatisticFlags bit =
      VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT;
   if (pool->type != VK_QUERY_TYPE_PIPELINE_STATISTICS ||
       !(pool->statistics & bit) ||
       !intel_needs_workaround(device->info, INTEL_WA_PS_INVOCATIONS_BY_FOUR))
      return -1;
   /* One value a bit, from the lowest. */
   return __builtin_popcount(pool->statistics & (bit - 1));
}

static uint64_t
query_value(const struct saf_query_pool *pool, const volatile uint64_t *slot,
            uint32_t v, int by_four)
{
   if (pool->type == VK_QUERY_TYPE_TIMESTAMP)
      return slot[1] & BITFIELD64_MASK(36);
   const uint64_t value = slot[2 + 2 * v] - slot[1 + 2 * v];
   return (int)v == by_four ? value / 4 : value;
}

static volatile uint64_t *
query_slot(const struct saf_query_pool *pool, uint32_t query)
{
   return (volatile uint64_t *)((char *)pool->bo->map +
                                (size_t)query * pool->stride_B);
}

/* A query that never ends would be waited for without end: the device is
 * checked while waiting. */
static VkResult
wait_available(struct saf_device *device, volatile uint64_t *slot)
{
   while (!*slot) {
      const VkResult result = saf_device_check_lost(device);
      if (result)
         return result;
      const struct timespec ts = { .tv_nsec = 50000 };
      nanosleep(&ts, NULL);
   }
   __sync_synchronize();
   return VK_SUCCESS;
}

static char *
put(char *p, uint64_t value, VkQueryResultFlags flags)
{
   if (flags & VK_QUERY_RESULT_64_BIT) {
      memcpy(p, &value, 8);
      return p + 8;
   }
   const uint32_t low = (uint32_t)value;
   memcpy(p, &low, 4);
   return p + 4;
}

VKAPI_ATTR void VKAPI_CALL
saf_ResetQueryPool(VkDevice _device, VkQueryPool _pool, uint32_t first,
                   uint32_t count)
{
   SAF_FROM_HANDLE(saf_query_pool, pool, _pool);
   const uint32_t words = saf_query_reset_words(pool);
   for (uint32_t i = 0; i < count; i++) {
      for (uint32_t w = 0; w < words; w++)
         query_slot(pool, first + i)[w] = 0;
   }
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetQueryPoolResults(VkDevice _device, VkQueryPool _pool, uint32_t first,
                        uint32_t count, size_t size, void *data,
                        VkDeviceSize stride, VkQueryResultFlags flags)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_query_pool, pool, _pool);
   if (saf_device_is_lost(device))
      return VK_ERROR_DEVICE_LOST;
   VkResult result = VK_SUCCESS;
   const int by_four = saf_query_value_by_four(device, pool);
   for (uint32_t i = 0; i < count; i++) {
      volatile uint64_t *slot = query_slot(pool, first + i);
      if (flags & VK_QUERY_RESULT_WAIT_BIT) {
         const VkResult wait = wait_available(device, slot);
         if (wait)
            return wait;
      }
      const bool available = *slot != 0;
      char *p = (char *)data + i * stride;
      for (uint32_t v = 0; v < pool->values; v++) {
         const uint64_t value = query_value(pool, slot, v, by_four);
         if (available)
            p = put(p, value, flags);
         else if (flags & VK_QUERY_RESULT_PARTIAL_BIT)
            p = put(p, 0, flags);
         else
            p += flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
      }
      if (!available)
         result = VK_NOT_READY;
      if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
         put(p, available, flags);
   }
   return result;
}
