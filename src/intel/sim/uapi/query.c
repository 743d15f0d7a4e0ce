/* SPDX-License-Identifier: MIT */
/*
 * What the device says about itself: version, capabilities, parameters,
 * queries, registers. Names and meanings: i915_drm.h; the versions are those
 * of Linux 6.1.
 */
#include <sys/sysinfo.h>

#include "uapi.h"
#include "intel/sim/deviate/deviate.h"
#include "intel/sim/gen/traits.h"

/* The topology of one slice of up to 8 subslices with up to 8 EUs each. */
#define MAX_SLICES 3
#define MAX_SUBSLICES 9
#define MAX_EU_BYTES 2

/* As drm_version does: up to the caller's length, then the true length. */
static int
give_string(char *user, __kernel_size_t *len, const char *s)
{
   const size_t n = strlen(s);
   const size_t room = *len;
   *len = n;
   if (!user || !room)
      return 0;
   return uapi_copy_out((uintptr_t)user, s, MIN2(n, room));
}

int
uapi_version(struct saffron_sim_file *file, void *arg)
{
   struct drm_version *v = arg;
   v->version_major = 1;
   v->version_minor = 6;
   v->version_patchlevel = 0;
   int ret = give_string(v->name, &v->name_len, "i915");
   if (!ret)
      ret = give_string(v->date, &v->date_len, "20201103");
   if (!ret)
      ret = give_string(v->desc, &v->desc_len, "Intel Graphics");
   return ret;
}

int
uapi_get_cap(struct saffron_sim_file *file, void *arg)
{
   struct drm_get_cap *a = arg;
   switch (a->capability) {
   case DRM_CAP_PRIME:
      a->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
      return 0;
   case DRM_CAP_TIMESTAMP_MONOTONIC:
   case DRM_CAP_SYNCOBJ:
   case DRM_CAP_SYNCOBJ_TIMELINE: a->value = 1; return 0;
   default:
      /* Mode setting: this device has no display. */
      return -EOPNOTSUPP;
   }
}

/* What the kernel does not know of Ivybridge. */
static bool
has_topology(const struct intel_device_info *info)
{
   return sim_traits(info->verx10)->has_topology_query;
}

/* Parameters that the kernel knows and this device does not have: -ENODEV. */
static bool
is_of_others(int param)
{
   switch (param) {
   case I915_PARAM_IRQ_ACTIVE:
   case I915_PARAM_ALLOW_BATCHBUFFER:
   case I915_PARAM_LAST_DISPATCH:
   case I915_PARAM_HAS_EXEC_CONSTANTS:
   case I915_PARAM_HUC_STATUS: /* no video engines */ return true;
   default: return false;
   }
}

/* False for a parameter that this device does not have. */
static bool
get_param(const struct intel_device_info *info, int param, int *value)
{
   /* Gen7: rings instead of execution lists, one address space, batches that
    * the kernel reads first. */
   const bool gen7 = !sim_traits(info->verx10)->has_execlists;
   switch (param) {
   case I915_PARAM_CHIPSET_ID: *value = info->pci_id; return true;
   case I915_PARAM_REVISION: *value = info->revision; return true;
   case I915_PARAM_MMAP_VERSION: *value = 1; return true;
   case I915_PARAM_MMAP_GTT_VERSION:
      *value = 4; /* MMAP_OFFSET */
      return true;
   case I915_PARAM_CMD_PARSER_VERSION:
      *value = gen7 ? 10 : 0; /* as i915_cmd_parser_get_version() of 6.1 */
      return true;
   case I915_PARAM_HAS_ALIASING_PPGTT:
      *value = gen7 ? 1 /* aliasing */ : 3 /* full, 48 bits */;
      return true;
   case I915_PARAM_HAS_GPU_RESET:
      *value = gen7 ? 1 : 2; /* of the whole GPU; per engine */
      return true;
   case I915_PARAM_HAS_SCHEDULER:
      /* As set_scheduler_caps() of 6.1 has it with execlists; nothing is
       * preempted here, and jobs run in the order of submission. */
      *value =
         gen7 ? 0 : I915_SCHEDULER_CAP_ENABLED | I915_SCHEDULER_CAP_PRIORITY;
      return true;
   case I915_PARAM_HAS_CONTEXT_ISOLATION:
      /* The engines that save their state: Gen7's copy engine has none. */
      *value = BITFIELD_BIT(I915_ENGINE_CLASS_RENDER) |
               (gen7 ? 0 : BITFIELD_BIT(I915_ENGINE_CLASS_COPY));
      return true;
   case I915_PARAM_NUM_FENCES_AVAIL: *value = 32; return true;
   case I915_PARAM_SUBSLICE_TOTAL:
      if (!has_topology(info))
         return false;
      *value = (int)info->num_subslices;
      return true;
   case I915_PARAM_EU_TOTAL:
      if (!has_topology(info))
         return false;
      *value = (int)intel_device_info_eu_total(info);
      return true;
   case I915_PARAM_SLICE_MASK:
      if (!has_topology(info))
         return false;
      *value = (int)BITFIELD_MASK(info->num_slices);
      return true;
   case I915_PARAM_SUBSLICE_MASK:
      if (!has_topology(info))
         return false;
      *value = (int)BITFIELD_MASK(info->num_subslices / info->num_slices);
      return true;
   case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
      *value = (int)info->timestamp_frequency;
      return true;
   case I915_PARAM_HAS_LLC: *value = info->has_llc; return true;
   case I915_PARAM_HAS_GEM:
   case I915_PARAM_HAS_EXECBUF2:
   case I915_PARAM_HAS_BLT:
   case I915_PARAM_HAS_RELAXED_FENCING:
   case I915_PARAM_HAS_COHERENT_RINGS:
   case I915_PARAM_HAS_RELAXED_DELTA:
   case I915_PARAM_HAS_GEN7_SOL_RESET:
   case I915_PARAM_HAS_WAIT_TIMEOUT:
   case I915_PARAM_HAS_SEMAPHORES:
   case I915_PARAM_HAS_PRIME_VMAP_FLUSH:
   case I915_PARAM_HAS_PINNED_BATCHES:
   case I915_PARAM_HAS_EXEC_NO_RELOC:
   case I915_PARAM_HAS_EXEC_HANDLE_LUT:
   case I915_PARAM_HAS_COHERENT_PHYS_GTT:
   case I915_PARAM_HAS_EXEC_SOFTPIN:
   case I915_PARAM_HAS_EXEC_ASYNC:
   case I915_PARAM_HAS_EXEC_CAPTURE:
   case I915_PARAM_HAS_EXEC_BATCH_FIRST:
   case I915_PARAM_HAS_EXEC_FENCE:
   case I915_PARAM_HAS_EXEC_FENCE_ARRAY:
   case I915_PARAM_MMAP_GTT_COHERENT:
   case I915_PARAM_HAS_EXEC_TIMELINE_FENCES:
   case I915_PARAM_HAS_USERPTR_PROBE: *value = 1; return true;
   case I915_PARAM_HAS_BSD:
   case I915_PARAM_HAS_BSD2:
   case I915_PARAM_HAS_VEBOX:
   case I915_PARAM_HAS_OVERLAY:
   case I915_PARAM_HAS_SECURE_BATCHES:
   case I915_PARAM_HAS_WT:
   case I915_PARAM_HAS_EXEC_SUBMIT_FENCE:
   case I915_PARAM_HAS_RESOURCE_STREAMER:
   case I915_PARAM_HAS_POOLED_EU:
   case I915_PARAM_MIN_EU_IN_POOL:
   case I915_PARAM_PERF_REVISION: *value = 0; return true;
   default: return false;
   }
}

/* For a GPU that is wrong (deviate/deviate.h). */
static void
deviate(int param, int *value)
{
   char text[16];
   if (!sim_deviates(SIM_DEVIATES_PARAM, NULL))
      return;
   snprintf(text, sizeof(text), "%d", param);
   if (sim_deviates(SIM_DEVIATES_PARAM, text))
      *value = atoi(sim_deviation_to());
}

int
uapi_getparam(struct saffron_sim_file *file, void *arg)
{
   const struct drm_i915_getparam *a = arg;
   int value;
   if (is_of_others(a->param))
      return -ENODEV;
   if (!get_param(file->sim->gpu.info, a->param, &value))
      return -EINVAL;
   deviate(a->param, &value);
   return uapi_copy_out((uintptr_t)a->value, &value, sizeof(value));
}

/*
 * Queries: each gives its size when asked with length 0, or -EINVAL in
 * `length` when there is too little room.
 */

/* Copies `size_B` bytes of `data` to the item, or says how many there are. */
static int
give_item(const struct drm_i915_query_item *item, const void *data,
          size_t size_B)
{
   if (!item->length)
      return (int)size_B;
   if (item->length < 0 || (size_t)item->length < size_B)
      return -EINVAL;
   const int ret = uapi_copy_out(item->data_ptr, data, size_B);
   return ret ? ret : (int)size_B;
}

/* Masks of slices, of each slice's subslices, of each subslice's EUs, all of
 * whole bytes (i915_drm.h, drm_i915_query_topology_info). */
static int
query_topology(const struct intel_device_info *info,
               const struct drm_i915_query_item *item)
{
   const unsigned slices = info->num_slices;
   const unsigned total = info->num_subslices;
   const unsigned eus = info->num_eu_per_subslice;
   const unsigned eu_stride = DIV_ROUND_UP(eus, 8);
   struct {
      struct drm_i915_query_topology_info info;
      uint8_t masks[1 + MAX_SLICES + MAX_SUBSLICES * MAX_EU_BYTES];
   } __attribute__((packed)) data = {
      .info = {
         .max_slices = (uint16_t)slices,
         .max_subslices = (uint16_t)(total / slices),
         .max_eus_per_subslice = (uint16_t)eus,
         .subslice_offset = 1,
         .subslice_stride = 1,
         .eu_offset = (uint16_t)(1 + slices),
         .eu_stride = (uint16_t)eu_stride,
      },
   };
   if (!has_topology(info))
      return -ENODEV;
   assert(slices <= MAX_SLICES && total <= MAX_SUBSLICES &&
          eu_stride <= MAX_EU_BYTES);
   uint8_t *mask = data.masks;
   *mask++ = (uint8_t)BITFIELD_MASK(slices);
   for (unsigned i = 0; i < slices; i++)
      *mask++ = (uint8_t)BITFIELD_MASK(total / slices);
   for (unsigned i = 0; i < total; i++) {
      for (unsigned b = 0; b < eu_stride; b++)
         *mask++ = (uint8_t)(BITFIELD_MASK(eus) >> (8 * b));
   }
   return give_item(item, &data,
                    sizeof(data.info) + (size_t)(mask - data.masks));
}

static int
query_engines(const struct drm_i915_query_item *item)
{
   static const uint16_t classes[] = {
      I915_ENGINE_CLASS_RENDER,
      I915_ENGINE_CLASS_COPY,
   };
   struct {
      struct drm_i915_query_engine_info info;
      struct drm_i915_engine_info engines[ARRAY_SIZE(classes)];
   } data = { .info.num_engines = ARRAY_SIZE(classes) };
   for (unsigned i = 0; i < ARRAY_SIZE(classes); i++) {
      data.engines[i].engine.engine_class = classes[i];
      data.engines[i].flags = I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE;
   }
   return give_item(item, &data, sizeof(data));
}

static int
query_regions(const struct drm_i915_query_item *item)
{
   struct sysinfo host;
   struct {
      struct drm_i915_query_memory_regions info;
      struct drm_i915_memory_region_info region;
   } data = { .info.num_regions = 1 };
   if (sysinfo(&host))
      return -ENODEV;
   data.region.region.memory_class = I915_MEMORY_CLASS_SYSTEM;
   data.region.probed_size = (uint64_t)host.totalram * host.mem_unit;
   /* The kernel does not count system memory: all of it is "free". */
   data.region.unallocated_size = data.region.probed_size;
   return give_item(item, &data, sizeof(data));
}

static int
query_item(const struct intel_device_info *info,
           const struct drm_i915_query_item *item)
{
   if (item->flags)
      return -EINVAL;
   switch (item->query_id) {
   case DRM_I915_QUERY_TOPOLOGY_INFO: return query_topology(info, item);
   case DRM_I915_QUERY_ENGINE_INFO: return query_engines(item);
   case DRM_I915_QUERY_MEMORY_REGIONS: return query_regions(item);
   case DRM_I915_QUERY_PERF_CONFIG: return -ENODEV;
   case DRM_I915_QUERY_HWCONFIG_BLOB:
   case DRM_I915_QUERY_GEOMETRY_SUBSLICES:
      return -ENODEV; /* later hardware */
   default: return -EINVAL;
   }
}

int
uapi_query(struct saffron_sim_file *file, void *arg)
{
   const struct drm_i915_query *a = arg;
   if (a->flags)
      return -EINVAL;
   for (uint32_t i = 0; i < a->num_items; i++) {
      struct drm_i915_query_item item;
      const uint64_t at = a->items_ptr + i * sizeof(item);
      int ret = uapi_copy_in(&item, at, sizeof(item));
      if (ret)
         return ret;
      /* The result, or the error of this item alone. */
      const int32_t length = query_item(file->sim->gpu.info, &item);
      ret = uapi_copy_out(at + offsetof(struct drm_i915_query_item, length),
                          &length, sizeof(length));
      if (ret)
         return ret;
   }
   return 0;
}

int
uapi_reg_read(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_reg_read *a = arg;
   const uint64_t timestamp = 0x2358; /* of the render engine */
   if ((a->offset & ~(uint64_t)I915_REG_READ_8B_WA) != timestamp)
      return -EINVAL;
   a->val = sim_gpu_timestamp(&file->sim->gpu);
   return 0;
}

/* As a kernel whose i915 has no performance counters (i915_perf.c). */
int
uapi_no_perf(struct saffron_sim_file *file, void *arg)
{
   return -EOPNOTSUPP;
}
