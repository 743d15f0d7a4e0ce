/* SPDX-License-Identifier: MIT */
/* The device and its queue. */
#ifndef SAF_DEVICE_H
#define SAF_DEVICE_H

#include "kmd.h"
#include "saf_instance.h"
#include "saf_state_pool.h"
#include "saf_va.h"

struct saf_queue {
   VK_LOADER_DATA loader_data;
   struct saf_device *device;
   pthread_mutex_t mutex;
   uint32_t idle_syncobj; /* timeline: point N = Nth submission */
   uint64_t submissions;
   /* What waits for timeline points that nobody has submitted, and all that
    * came after it; a thread, made when first needed, hands it over. */
   struct list_head pending;
   pthread_cond_t changed; /* pending or stop */
   pthread_t thread;
   bool has_thread, stop;
};

#define SAF_RECENT_TARGETS 16

/* Which functions of genX_*.c serve the device. */
struct saf_genx;

struct saf_meta;
struct saf_device_cache;

/* The table, and two windows of SAF_WINDOW_SIZE_B bytes: the second begins
 * SAF_WINDOW_B behind the first, by which no vector is cut. */
enum saf_memory_surface {
   SAF_MEMORY_TABLE,
   SAF_MEMORY_LOW,
   SAF_MEMORY_HIGH,
   SAF_MEMORY_SURFACES,
};

#define SAF_WINDOW_SIZE_B (1u << 30)
#define SAF_WINDOW_B (SAF_WINDOW_SIZE_B - 64)

struct saf_device {
   VK_LOADER_DATA loader_data;
   const VkAllocationCallbacks *alloc;
   VkAllocationCallbacks alloc_copy;
   struct saf_physical_device *pdev;
   const struct intel_device_info *info;
   struct intel_compiler *compiler;
   struct kmd *kmd;
   const struct saf_genx *genx;
   struct saf_queue queue;

   bool lost; /* saf_device_is_lost(), once lost_why is there */
   pthread_mutex_t lost_mutex;
   char lost_why[64];
   bool robust_buffer_access, robust_buffer_access_2;
   /* Memory of the application is memory of objects, of several perhaps:
    * addresses do not say what overlaps. */
   bool has_host_memory;
   bool mutable_descriptors; /* all sets have records then */
   bool extensions[SAF_DEVICE_EXTENSION_COUNT]; /* enabled */

   uint32_t vm_id, context_id;

   /* Every object that exists is part of every submission. */
   pthread_mutex_t bo_mutex;
   struct util_dynarray exec_objects; /* drm_i915_gem_exec_object2 */
   struct util_dynarray exec_bos;     /* struct saf_bo *, same order */
   /* The kernel has a list of all objects that it has not gone through: what
    * is destroyed meanwhile is closed afterwards. bo_mutex. */
   bool submitting;
   struct util_dynarray closing; /* uint32_t, handles */
   struct saf_va_heap va, va_low, va_replayed;
   uint64_t last_bo_id;
   struct saf_memory_report *memory_reports;
   uint32_t memory_report_count;
   /* On devices that relocate, else empty; bo_mutex. */
   struct util_dynarray bos_by_addr; /* struct saf_bo * */
   /* That addresses were in; or NULL. */
   struct saf_bo *recent_targets[SAF_RECENT_TARGETS];
   struct saf_bo *states;          /* all four pools in one object */
   struct util_dynarray batch_bos; /* free ones, SAF_BATCH_SIZE_B each */

   struct saf_state_pool dynamic_pool;
   struct saf_state_pool binding_table_pool;
   struct saf_state_pool surface_pool;
   struct saf_state_pool instruction_pool;

   struct saf_bo *trivial_batch;
   /* Zeroes that stand for buffers which are not there; also a place for
    * PIPE_CONTROL writes that nobody reads, at its end. */
   struct saf_bo *null_bo;
   struct saf_state null_surface; /* 1x1 null surface */
   /* Where each object is that has addresses, by its handle, and the surfaces
    * of enum saf_memory_surface: saf_addresses.c. */
   struct saf_bo *addresses;
   struct saf_state memory_surfaces[SAF_MEMORY_SURFACES];
   /* The six standard ones, and what follows them: saf_sampler.c */
   struct saf_state border_colors;
   uint32_t standard_borders[6][4];
   uint32_t border_slots_used;             /* bo_mutex */
   struct util_dynarray free_border_slots; /* uint32_t, bo_mutex */

   struct saf_meta *meta;
   struct saf_device_cache *cache; /* compiled shaders */
};

/* Messages came by 64-bit addresses when each process had its own address
 * space, of 32 bits at least; before, a table says where an address leads. */
static inline bool
saf_has_address_table(const struct intel_device_info *info)
{
   return info->address_bits < 32;
}

#define SAF_NULL_BO_SIZE_B 8192
#define SAF_WORKAROUND_OFFSET_B 4096

SAF_DISPATCHABLE(saf_queue, VkQueue)
SAF_DISPATCHABLE(saf_device, VkDevice)

#define SAF_BATCH_SIZE_B 65536

struct saf_bo *saf_batch_bo_get(struct saf_device *device);
void saf_batch_bo_put(struct saf_device *device, struct saf_bo *bo);

/* The core version that a generation reports. */
uint32_t saf_api_version(const struct intel_device_info *dev);

/* Whether a generation has an extension, by its SAF_DEVICE_ number. */
bool saf_has_device_extension(const struct intel_device_info *dev,
                              unsigned index);

VkResult saf_queue_init(struct saf_device *device);
void saf_queue_finish(struct saf_device *device);
VkResult saf_queue_wait_idle(struct saf_queue *queue);
/* Until the kernel has all that was submitted; what is exported then carries
 * its fences. */
VkResult saf_queue_wait_handed_over(struct saf_queue *queue);
/* Until the kernel has all that was submitted to signal a syncobj. */
void saf_queue_wait_submitted(struct saf_queue *queue, uint32_t syncobj);
VkResult saf_device_set_lost(struct saf_device *device, const char *why);

static inline bool
saf_device_is_lost(const struct saf_device *device)
{
   return __atomic_load_n(&device->lost, __ATOMIC_ACQUIRE);
}

/* VK_ERROR_DEVICE_LOST if the kernel reset the GPU under our context. */
VkResult saf_device_check_lost(struct saf_device *device);

#endif
