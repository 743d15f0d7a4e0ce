/* SPDX-License-Identifier: MIT */
/* The instance and its physical device. */
#ifndef SAF_INSTANCE_H
#define SAF_INSTANCE_H

#include <pthread.h>

#include "intel/dev/intel_device_info.h"
#include "saf_base.h"
#include "util/list.h"

struct saf_physical_device {
   VK_LOADER_DATA loader_data;
   struct saf_instance *instance;
   struct kmd *kmd;
   const struct intel_device_info *info;
   struct intel_compiler *compiler;
   unsigned gen_index; /* into saf_entrypoint.per_gen */
   uint64_t memory_size_B;
   uint64_t timestamp_frequency; /* Hz */
   bool relocates;               /* the kernel may move objects */
   bool swizzles_tiles;          /* isl_swizzle_address() */
   bool captures;                /* its error state has objects */
   uint8_t cache_uuid[VK_UUID_SIZE], driver_uuid[VK_UUID_SIZE];
   char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
};

struct saf_instance {
   VK_LOADER_DATA loader_data;
   VkAllocationCallbacks alloc_copy;
   const VkAllocationCallbacks *alloc;
   struct saf_physical_device *physical_device; /* NULL until enumerated */
   bool enumerated;
   uint32_t api_version; /* up to which the application calls functions */
   bool for_zink;        /* the engine's name is that of Mesa's zink */
   struct list_head swapchains; /* those that can be presented */
   /* Of all but what is there from the beginning. */
   pthread_mutex_t mutex;
   pthread_cond_t release_chain; /* of a swapchain, by who presented it */
};

SAF_DISPATCHABLE(saf_instance, VkInstance)
SAF_DISPATCHABLE(saf_physical_device, VkPhysicalDevice)

VkResult saf_physical_device_create(struct saf_instance *instance,
                                    struct saf_physical_device **out);
void saf_physical_device_destroy(struct saf_physical_device *pdev);
bool saf_physical_device_is_simulated(const struct saf_physical_device *pdev);

#endif
