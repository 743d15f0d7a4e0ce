/* SPDX-License-Identifier: MIT */
/* Device memory, buffers and buffer views. */
#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/base/saf_memory_report.h"
#include "saf_addresses.h"
#include "saf_format.h"
#include "saf_resource.h"

#define BUFFER_ALIGN_B 64
/* More than any address space has, and no overflow when it is rounded up. */
#define MAX_BUFFER_SIZE_B (1ull << 47)

/* Of the heap, by all VkDeviceMemory of the process: its instances share the
 * host's memory, and VK_EXT_memory_budget counts by process. Atomic. */
static uint64_t heap_used_B;

uint64_t
saf_heap_used_B(void)
{
   return __atomic_load_n(&heap_used_B, __ATOMIC_RELAXED);
}

/* False: not so much is left. */
static bool
take_from_heap(const struct saf_physical_device *pdev, uint64_t size_B)
{
   uint64_t used_B = saf_heap_used_B();
   do {
      if (used_B > pdev->memory_size_B ||
          size_B > pdev->memory_size_B - used_B)
         return false;
   } while (!__atomic_compare_exchange_n(&heap_used_B, &used_B,
                                         used_B + size_B, true,
                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED));
   return true;
}

static void
give_back(uint64_t size_B)
{
   __atomic_sub_fetch(&heap_used_B, size_B, __ATOMIC_RELAXED);
}

static VkResult
import_or_create(struct saf_device *device, const VkMemoryAllocateInfo *info,
                 struct saf_device_memory *mem)
{
   const VkMemoryAllocateFlagsInfo *flags = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
   const VkMemoryOpaqueCaptureAddressAllocateInfo *captured = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO);
   const bool replayed =
      flags &&
      flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
   const uint64_t at = replayed && captured ? captured->opaqueCaptureAddress
                                            : 0;
   VkResult result =
      saf_import_memory(device, info->pNext, mem->size_B, &mem->bo);
   mem->is_imported = mem->bo != NULL;
   if (result || mem->bo)
      return result;
   result = saf_bo_create_memory(device, mem->size_B + SAF_PUSH_OVERREAD_B,
                                 replayed, at, &mem->bo);
   return result && at ? VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS : result;
}

static VkResult
create_memory(struct saf_device *device, const VkMemoryAllocateInfo *info,
              struct saf_device_memory *mem)
{
   const VkMemoryAllocateFlagsInfo *flags = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
   VkResult result = import_or_create(device, info, mem);
   if (result || !flags ||
       !(flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT))
      return result;
   result = saf_addresses_add(device, mem->bo);
   if (result)
      saf_bo_destroy(device, mem->bo);
   return result;
}

static void
report(struct saf_device *device, struct saf_device_memory *mem,
       VkDeviceMemoryReportEventTypeEXT type)
{
   saf_report_memory(device,
                     &(struct saf_memory_event) {
                        .type = type,
                        .bo = mem->bo,
                        .size_B = mem->size_B,
                        .memory = (uint64_t)saf_device_memory_to_handle(mem),
                     });
}

static void
report_failure(struct saf_device *device, uint64_t size_B)
{
   struct saf_device_memory none = { .size_B = size_B };
   report(device, &none,
          VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_AllocateMemory(VkDevice _device, const VkMemoryAllocateInfo *info,
                   const VkAllocationCallbacks *alloc, VkDeviceMemory *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   if (!take_from_heap(device->pdev, info->allocationSize)) {
      report_failure(device, info->allocationSize);
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   struct saf_device_memory *mem =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*mem));
   if (!mem) {
      give_back(info->allocationSize);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   mem->size_B = info->allocationSize;
   const VkResult result = create_memory(device, info, mem);
   if (result) {
      give_back(info->allocationSize);
      saf_free(alloc ? alloc : device->alloc, mem);
      report_failure(device, info->allocationSize);
      return result;
   }
   report(device, mem,
          mem->is_imported ? VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_IMPORT_EXT
                           : VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT);
   *out = saf_device_memory_to_handle(mem);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_FreeMemory(VkDevice _device, VkDeviceMemory _mem,
               const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_device_memory, mem, _mem);
   if (!mem)
      return;
   report(device, mem,
          mem->is_imported ? VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_UNIMPORT_EXT
                           : VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT);
   saf_bo_destroy(device, mem->bo);
   give_back(mem->size_B);
   saf_free(alloc ? alloc : device->alloc, mem);
}

/* The kernel pages what it must without asking for priorities, which are
 * hints: nothing is made of them. */
VKAPI_ATTR void VKAPI_CALL
saf_SetDeviceMemoryPriorityEXT(VkDevice device, VkDeviceMemory memory,
                               float priority)
{
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_MapMemory(VkDevice _device, VkDeviceMemory _mem, VkDeviceSize offset,
              VkDeviceSize size, VkMemoryMapFlags flags, void **out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_device_memory, mem, _mem);
   char *map = saf_bo_map(device, mem->bo);
   if (!map)
      return VK_ERROR_MEMORY_MAP_FAILED;
   *out = map + offset;
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_UnmapMemory(VkDevice _device, VkDeviceMemory _mem)
{
   /* The object stays mapped until it is freed. */
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_MapMemory2(VkDevice device, const VkMemoryMapInfoKHR *info, void **out)
{
   return saf_MapMemory(device, info->memory, info->offset, info->size,
                        info->flags, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_UnmapMemory2(VkDevice device, const VkMemoryUnmapInfoKHR *info)
{
   saf_UnmapMemory(device, info->memory);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_FlushMappedMemoryRanges(VkDevice device, uint32_t count,
                            const VkMappedMemoryRange *ranges)
{
   return VK_SUCCESS; /* all memory is coherent */
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_InvalidateMappedMemoryRanges(VkDevice device, uint32_t count,
                                 const VkMappedMemoryRange *ranges)
{
   return VK_SUCCESS; /* all memory is coherent */
}

VKAPI_ATTR void VKAPI_CALL
saf_GetDeviceMemoryCommitment(VkDevice device, VkDeviceMemory _mem,
                              VkDeviceSize *committed)
{
   *committed = saf_device_memory_from_handle(_mem)->size_B;
}

/* ---- buffers ---- */

VkBufferUsageFlags
saf_buffer_usage(const void *chain, VkBufferUsageFlags usage)
{
   const VkBufferUsageFlags2CreateInfoKHR *all = saf_find_struct(
      chain, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR);
   return all ? (VkBufferUsageFlags)all->usage : usage;
}

void
saf_tell_bound(const void *chain)
{
   const VkBindMemoryStatusKHR *status =
      saf_find_struct(chain, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS_KHR);
   if (status)
      *status->pResult = VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateBuffer(VkDevice _device, const VkBufferCreateInfo *info,
                 const VkAllocationCallbacks *alloc, VkBuffer *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   if (info->size > MAX_BUFFER_SIZE_B)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   struct saf_buffer *buffer =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*buffer));
   if (!buffer)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   buffer->size_B = info->size;
   buffer->usage = saf_buffer_usage(info->pNext, info->usage);
   *out = saf_buffer_to_handle(buffer);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyBuffer(VkDevice _device, VkBuffer buffer,
                  const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   saf_free(alloc ? alloc : device->alloc, saf_buffer_from_handle(buffer));
}

void
saf_memory_requirements(VkMemoryRequirements2 *out, uint64_t size_B,
                        uint64_t align_B)
{
   out->memoryRequirements = (VkMemoryRequirements) {
      .size = size_B,
      .alignment = align_B,
      .memoryTypeBits = 1,
   };
   saf_foreach_out_struct(s, out->pNext)
   {
      if (s->sType == VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS) {
         VkMemoryDedicatedRequirements *d = (void *)s;
         d->prefersDedicatedAllocation = VK_FALSE;
         d->requiresDedicatedAllocation = VK_FALSE;
      }
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_GetDeviceBufferMemoryRequirements(
   VkDevice device, const VkDeviceBufferMemoryRequirements *info,
   VkMemoryRequirements2 *out)
{
   saf_memory_requirements(
      out, ALIGN(info->pCreateInfo->size, (uint64_t)BUFFER_ALIGN_B),
      BUFFER_ALIGN_B);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetBufferMemoryRequirements2(VkDevice device,
                                 const VkBufferMemoryRequirementsInfo2 *info,
                                 VkMemoryRequirements2 *out)
{
   SAF_FROM_HANDLE(saf_buffer, buffer, info->buffer);
   saf_memory_requirements(out, ALIGN(buffer->size_B, BUFFER_ALIGN_B),
                           BUFFER_ALIGN_B);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                VkMemoryRequirements *out)
{
   const VkBufferMemoryRequirementsInfo2 info = { .buffer = buffer };
   VkMemoryRequirements2 reqs = { .pNext = NULL };
   saf_GetBufferMemoryRequirements2(device, &info, &reqs);
   *out = reqs.memoryRequirements;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_BindBufferMemory2(VkDevice device, uint32_t count,
                      const VkBindBufferMemoryInfo *infos)
{
   for (uint32_t i = 0; i < count; i++) {
      SAF_FROM_HANDLE(saf_buffer, buffer, infos[i].buffer);
      SAF_FROM_HANDLE(saf_device_memory, mem, infos[i].memory);
      buffer->bo = mem->bo;
      buffer->offset_B = infos[i].memoryOffset;
      saf_tell_bound(infos[i].pNext);
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_BindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                     VkDeviceSize offset)
{
   const VkBindBufferMemoryInfo info = {
      .buffer = buffer,
      .memory = memory,
      .memoryOffset = offset,
   };
   return saf_BindBufferMemory2(device, 1, &info);
}

/* ---- addresses ---- */

VKAPI_ATTR VkDeviceAddress VKAPI_CALL
saf_GetBufferDeviceAddress(VkDevice device,
                           const VkBufferDeviceAddressInfo *info)
{
   return saf_addresses_of_buffer(saf_device_from_handle(device),
                                  saf_buffer_from_handle(info->buffer));
}

/* A buffer is where its memory is: to replay that is enough, and a buffer may
 * be asked before it has any. */

VKAPI_ATTR uint64_t VKAPI_CALL
saf_GetBufferOpaqueCaptureAddress(VkDevice device,
                                  const VkBufferDeviceAddressInfo *info)
{
   return 0;
}

VKAPI_ATTR uint64_t VKAPI_CALL
saf_GetDeviceMemoryOpaqueCaptureAddress(
   VkDevice device, const VkDeviceMemoryOpaqueCaptureAddressInfo *info)
{
   return saf_device_memory_from_handle(info->memory)->bo->addr;
}

/* ---- buffer views ---- */

static bool
fill_view_state(struct saf_device *device, const struct saf_buffer_view *view,
                enum isl_format format, struct isl_swizzle swizzle,
                struct saf_state *out)
{
   *out = saf_state_alloc(&device->surface_pool, ISL_SURFACE_STATE_SIZE_B);
   if (!out->size_B)
      return false;
   if (format == ISL_FORMAT_RAW)
      saf_fill_storage_surface(device, out->map, view->addr, view->range_B);
   else
      saf_fill_texel_buffer_surface(device, out->map, format, swizzle,
                                    view->addr, view->range_B);
   return true;
}

struct saf_surface_info
saf_buffer_view_info(const struct saf_buffer_view *view)
{
   return (struct saf_surface_info) {
      .swizzle = saf_swizzle_word(view->swizzle),
      .width =
         (uint32_t)(view->range_B / isl_format_block_size_B(view->format)),
      .height = 1,
      .slices = 1,
      .load_format = view->storage.size_B ? saf_any_format_word(view->format)
                                          : 0,
   };
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateBufferView(VkDevice _device, const VkBufferViewCreateInfo *info,
                     const VkAllocationCallbacks *alloc, VkBufferView *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_buffer, buffer, info->buffer);
   if (!saf_format_is_known(info->format))
      return saf_error(VK_ERROR_FORMAT_NOT_SUPPORTED,
                       "buffer view of format %d", info->format);
   struct saf_buffer_view *view =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*view));
   if (!view)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const struct saf_format format =
      saf_get_format(device->info, info->format, VK_IMAGE_ASPECT_COLOR_BIT);
   const uint32_t texel_B = isl_format_get_layout(format.format)->bpb / 8;
   view->buffer = buffer;
   view->format = format.format;
   view->swizzle = format.swizzle;
   view->addr = saf_buffer_addr(buffer, info->offset);
   view->range_B = saf_buffer_range(buffer, info->offset, info->range);
   view->range_B -= view->range_B % texel_B;
   const struct saf_storage_read read =
      saf_storage_read(device->info, view->format);
   bool ok = fill_view_state(device, view, view->format, view->swizzle,
                             &view->sampled);
   if (buffer->usage & VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT)
      ok =
         ok &&
         fill_view_state(device, view, view->format, ISL_SWIZZLE_IDENTITY,
                         &view->storage) &&
         fill_view_state(device, view, read.format, ISL_SWIZZLE_IDENTITY,
                         read.raw ? &view->storage_raw : &view->storage_load);
   *out = saf_buffer_view_to_handle(view);
   if (!ok) {
      saf_DestroyBufferView(_device, *out, alloc);
      *out = VK_NULL_HANDLE;
      return device->surface_pool.error;
   }
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyBufferView(VkDevice _device, VkBufferView _view,
                      const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_buffer_view, view, _view);
   if (!view)
      return;
   saf_state_free(&device->surface_pool, view->sampled);
   saf_state_free(&device->surface_pool, view->storage);
   saf_state_free(&device->surface_pool, view->storage_load);
   saf_state_free(&device->surface_pool, view->storage_raw);
   saf_free(alloc ? alloc : device->alloc, view);
}
