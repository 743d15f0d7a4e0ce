/* SPDX-License-Identifier: MIT */
/* Query pools. */
#ifndef SAF_QUERY_H
#define SAF_QUERY_H

#include "intel/vulkan/base/saf_device.h"

/*
 * A slot of a pool: qword 0 says whether the result is available; then
 * pairs of begin and end values, one pair for each value (a timestamp has a
 * single qword).
 */
struct saf_query_pool {
   VkQueryType type;
   VkQueryPipelineStatisticFlags statistics;
   uint32_t count, values;
   uint32_t stride_B;
   struct saf_bo *bo;
};

SAF_NONDISPATCHABLE(saf_query_pool, VkQueryPool)

/* The number among the pool's values of that which counts four times
 * (INTEL_WA_PS_INVOCATIONS_BY_FOUR), or -1. */
int saf_query_value_by_four(const struct saf_device *device,
                            const struct saf_query_pool *pool);

/* How many qwords of a slot a reset makes 0, so that what is read of a query
 * that did not run again (VK_QUERY_RESULT_PARTIAL_BIT) is not its last
 * result. Of timestamps there are no partial ones. */
static inline uint32_t
saf_query_reset_words(const struct saf_query_pool *pool)
{
   return pool->type == VK_QUERY_TYPE_TIMESTAMP ? 1 : 1 + 2 * pool->values;
}

static inline uint64_t
saf_query_addr(const struct saf_query_pool *pool, uint32_t query)
{
   return pool->bo->addr + (uint64_t)query * pool->stride_B;
}

#endif
