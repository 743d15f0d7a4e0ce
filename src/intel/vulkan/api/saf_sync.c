/* SPDX-License-Identifier: MIT */
/*
 * Fences and semaphores: each is one DRM syncobj. A binary object uses the
 * syncobj's single fence, a timeline semaphore its points. They leave the
 * process as file descriptors: of the syncobj itself (OPAQUE_FD), or of the
 * fence that it has at the time (SYNC_FD). Events are a qword that the host
 * and PIPE_CONTROL write.
 */
#include "intel/vulkan/base/kmd_error.h"
#include "intel/vulkan/base/saf_sync.h"

#include <drm.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

static VkResult
syncobj_create(struct saf_device *device, bool signaled, uint32_t *handle)
{
   struct drm_syncobj_create create = {
      .flags = signaled ? DRM_SYNCOBJ_CREATE_SIGNALED : 0,
   };
   if (kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_CREATE, &create))
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   *handle = create.handle;
   return VK_SUCCESS;
}

void
saf_syncobj_destroy(struct saf_device *device, uint32_t handle)
{
   struct drm_syncobj_destroy destroy = { .handle = handle };
   kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
}

VkResult
saf_syncobj_signal(struct saf_device *device, uint32_t syncobj)
{
   struct drm_syncobj_array array = {
      .handles = (uintptr_t)&syncobj,
      .count_handles = 1,
   };
   const int ret = kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_SIGNAL, &array);
   return ret ? kmd_error(ret, VK_ERROR_DEVICE_LOST) : VK_SUCCESS;
}

/* The kernel wants the moment when to give up, on the monotonic clock. */
static int64_t
absolute_timeout(uint64_t timeout_ns)
{
   if (timeout_ns == 0)
      return 0;
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   const uint64_t now_ns = now.tv_sec * 1000000000ull + now.tv_nsec;
   if (timeout_ns > (uint64_t)INT64_MAX - now_ns)
      return INT64_MAX;
   return (int64_t)(now_ns + timeout_ns);
}

static VkResult
wait_result(struct saf_device *device, int ret)
{
   if (ret == 0)
      return saf_device_check_lost(device);
   if (ret == -ETIME)
      return VK_TIMEOUT;
   return kmd_lost(device, ret, "waiting for a syncobj failed");
}

/* How long a wait lasts before it looks whether the device is lost: what was
 * not submitted any more is never signalled. */
#define LOOK_NS 100000000

/* Until they have been submitted, too, and passed; `wait` says which ones,
 * and whether all. */
static VkResult
wait_for_syncobjs(struct saf_device *device,
                  struct drm_syncobj_timeline_wait *wait, uint64_t timeout_ns)
{
   const int64_t end_ns = absolute_timeout(timeout_ns);
   wait->flags |= DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
   for (;;) {
      const int64_t look_ns = absolute_timeout(LOOK_NS);
      wait->timeout_nsec = MIN2(look_ns, end_ns);
      const int ret =
         kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, wait);
      if (ret != -ETIME || end_ns <= look_ns)
         return wait_result(device, ret);
      if (saf_device_check_lost(device))
         return VK_ERROR_DEVICE_LOST;
   }
}

/* ---- payloads as file descriptors ---- */

static void
drop_temporary(struct saf_device *device, struct saf_payload *p)
{
   if (p->temporary)
      saf_syncobj_destroy(device, p->temporary);
   p->temporary = 0;
}

static void
payload_finish(struct saf_device *device, struct saf_payload *p)
{
   drop_temporary(device, p);
   saf_syncobj_destroy(device, p->permanent);
}

/* Unsignalled, and what it was before anything was imported for a time. */
static VkResult
payload_reset(struct saf_device *device, struct saf_payload *p)
{
   drop_temporary(device, p);
   struct drm_syncobj_array array = {
      .handles = (uintptr_t)&p->permanent,
      .count_handles = 1,
   };
   const int ret = kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_RESET, &array);
   return ret ? kmd_lost(device, ret, "resetting a syncobj failed")
              : VK_SUCCESS;
}

/* A fence in a file is the one that is there now, so it must have got to the
 * kernel, but not what else the queue has; that some fence is there is not
 * enough: it may be that of an earlier signal. Afterwards the payload is as
 * if it had been waited for. */
static VkResult
payload_export(struct saf_device *device, struct saf_payload *p,
               bool sync_file, int *fd)
{
   if (sync_file)
      saf_queue_wait_submitted(&device->queue, saf_payload_syncobj(p));
   struct drm_syncobj_handle handle = {
      .handle = saf_payload_syncobj(p),
      .flags = sync_file ? DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE
                         : 0,
      .fd = -1,
   };
   const int ret =
      kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &handle);
   if (ret)
      return saf_error(kmd_error(ret, VK_ERROR_TOO_MANY_OBJECTS),
                       "no file descriptor for a syncobj");
   const VkResult result = sync_file ? payload_reset(device, p) : VK_SUCCESS;
   if (result)
      close(handle.fd);
   else
      *fd = handle.fd;
   return result;
}

/* A new syncobj with the fence of a file; -1 is one that has passed. */
static VkResult
import_sync_file(struct saf_device *device, int fd, uint32_t *syncobj)
{
   const VkResult result = syncobj_create(device, fd < 0, syncobj);
   if (result || fd < 0)
      return result;
   struct drm_syncobj_handle handle = {
      .handle = *syncobj,
      .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
      .fd = fd,
   };
   const int ret =
      kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &handle);
   if (!ret)
      return VK_SUCCESS;
   saf_syncobj_destroy(device, *syncobj);
   return kmd_error(ret, VK_ERROR_INVALID_EXTERNAL_HANDLE);
}

/* The descriptor is ours once that went well. */
static VkResult
payload_import(struct saf_device *device, struct saf_payload *p, int fd,
               bool sync_file, bool temporary)
{
   uint32_t syncobj;
   if (sync_file) {
      const VkResult result = import_sync_file(device, fd, &syncobj);
      if (result)
         return result;
   } else {
      struct drm_syncobj_handle handle = { .fd = fd };
      const int ret =
         kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &handle);
      if (ret)
         return kmd_error(ret, VK_ERROR_INVALID_EXTERNAL_HANDLE);
      syncobj = handle.handle;
   }
   if (fd >= 0)
      close(fd);
   drop_temporary(device, p);
   if (temporary) {
      p->temporary = syncobj;
   } else {
      saf_syncobj_destroy(device, p->permanent);
      p->permanent = syncobj;
   }
   return VK_SUCCESS;
}

/* ---- fences ---- */

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateFence(VkDevice _device, const VkFenceCreateInfo *info,
                const VkAllocationCallbacks *alloc, VkFence *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_fence *fence =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*fence));
   if (!fence)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkResult result =
      syncobj_create(device, info->flags & VK_FENCE_CREATE_SIGNALED_BIT,
                     &fence->payload.permanent);
   if (result) {
      saf_free(alloc ? alloc : device->alloc, fence);
      return result;
   }
   *out = saf_fence_to_handle(fence);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyFence(VkDevice _device, VkFence _fence,
                 const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_fence, fence, _fence);
   if (!fence)
      return;
   payload_finish(device, &fence->payload);
   saf_free(alloc ? alloc : device->alloc, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_ResetFences(VkDevice _device, uint32_t count, const VkFence *fences)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   for (uint32_t i = 0; i < count; i++) {
      SAF_FROM_HANDLE(saf_fence, fence, fences[i]);
      const VkResult result = payload_reset(device, &fence->payload);
      if (result)
         return result;
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_WaitForFences(VkDevice _device, uint32_t count, const VkFence *fences,
                  VkBool32 wait_all, uint64_t timeout)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   if (saf_device_is_lost(device))
      return VK_ERROR_DEVICE_LOST;
   uint32_t *handles = saf_alloc(device->alloc, count * sizeof(*handles));
   if (!handles)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < count; i++)
      handles[i] =
         saf_payload_syncobj(&saf_fence_from_handle(fences[i])->payload);
   /* No points: those of binary ones. */
   struct drm_syncobj_timeline_wait wait = {
      .handles = (uintptr_t)handles,
      .count_handles = count,
      .flags = wait_all ? DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL : 0,
   };
   const VkResult result = wait_for_syncobjs(device, &wait, timeout);
   saf_free(device->alloc, handles);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetFenceStatus(VkDevice _device, VkFence fence)
{
   const VkResult result = saf_WaitForFences(_device, 1, &fence, VK_TRUE, 0);
   return result == VK_TIMEOUT ? VK_NOT_READY : result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetFenceFdKHR(VkDevice _device, const VkFenceGetFdInfoKHR *info, int *fd)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_fence, fence, info->fence);
   return payload_export(
      device, &fence->payload,
      info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT, fd);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_ImportFenceFdKHR(VkDevice _device, const VkImportFenceFdInfoKHR *info)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_fence, fence, info->fence);
   const bool sync_file = info->handleType ==
                          VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
   return payload_import(device, &fence->payload, info->fd, sync_file,
                         sync_file ||
                            (info->flags & VK_FENCE_IMPORT_TEMPORARY_BIT));
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceExternalFenceProperties(
   VkPhysicalDevice pdev, const VkPhysicalDeviceExternalFenceInfo *info,
   VkExternalFenceProperties *out)
{
   const VkExternalFenceHandleTypeFlags known =
      VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT |
      VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
   const bool ok = info->handleType & known;
   out->exportFromImportedHandleTypes = ok ? known : 0;
   out->compatibleHandleTypes = ok ? known : 0;
   out->externalFenceFeatures =
      ok ? VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT |
              VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT
         : 0;
}

/* ---- semaphores ---- */

VKAPI_ATTR VkResult VKAPI_CALL
saf_SignalSemaphore(VkDevice _device, const VkSemaphoreSignalInfo *info)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_semaphore, semaphore, info->semaphore);
   struct drm_syncobj_timeline_array array = {
      .handles = (uintptr_t)&semaphore->payload.permanent,
      .points = (uintptr_t)&info->value,
      .count_handles = 1,
   };
   const int ret =
      kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &array);
   return ret ? kmd_lost(device, ret, "signalling a semaphore failed")
              : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateSemaphore(VkDevice _device, const VkSemaphoreCreateInfo *info,
                    const VkAllocationCallbacks *alloc, VkSemaphore *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_semaphore *semaphore =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*semaphore));
   if (!semaphore)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkSemaphoreTypeCreateInfo *type = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
   semaphore->type = type ? type->semaphoreType : VK_SEMAPHORE_TYPE_BINARY;
   VkResult result =
      syncobj_create(device, false, &semaphore->payload.permanent);
   if (result) {
      saf_free(alloc ? alloc : device->alloc, semaphore);
      return result;
   }
   *out = saf_semaphore_to_handle(semaphore);
   if (type && type->initialValue) {
      const VkSemaphoreSignalInfo signal = {
         .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
         .semaphore = *out,
         .value = type->initialValue,
      };
      result = saf_SignalSemaphore(_device, &signal);
   }
   return result;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroySemaphore(VkDevice _device, VkSemaphore _semaphore,
                     const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_semaphore, semaphore, _semaphore);
   if (!semaphore)
      return;
   payload_finish(device, &semaphore->payload);
   saf_free(alloc ? alloc : device->alloc, semaphore);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetSemaphoreCounterValue(VkDevice _device, VkSemaphore _semaphore,
                             uint64_t *value)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_semaphore, semaphore, _semaphore);
   struct drm_syncobj_timeline_array array = {
      .handles = (uintptr_t)&semaphore->payload.permanent,
      .points = (uintptr_t)value,
      .count_handles = 1,
   };
   const int ret = kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_QUERY, &array);
   if (ret)
      return kmd_lost(device, ret, "querying a semaphore failed");
   return saf_device_is_lost(device) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_WaitSemaphores(VkDevice _device, const VkSemaphoreWaitInfo *info,
                   uint64_t timeout)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   if (saf_device_is_lost(device))
      return VK_ERROR_DEVICE_LOST;
   uint64_t *points =
      saf_alloc(device->alloc,
                info->semaphoreCount * (sizeof(uint64_t) + sizeof(uint32_t)));
   if (!points)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   uint32_t *handles = (uint32_t *)(points + info->semaphoreCount);
   const bool any = info->flags & VK_SEMAPHORE_WAIT_ANY_BIT;
   /* Zero is reached from the start. The kernel would take it for a syncobj
    * without points, and wait for one, or for all that there are. */
   uint32_t count = 0;
   for (uint32_t i = 0; i < info->semaphoreCount; i++) {
      if (info->pValues[i] == 0)
         continue;
      points[count] = info->pValues[i];
      handles[count++] =
         saf_semaphore_from_handle(info->pSemaphores[i])->payload.permanent;
   }
   VkResult result = VK_SUCCESS;
   if (any ? count == info->semaphoreCount : count > 0) {
      struct drm_syncobj_timeline_wait wait = {
         .handles = (uintptr_t)handles,
         .points = (uintptr_t)points,
         .count_handles = count,
         .flags = any ? 0 : DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL,
      };
      result = wait_for_syncobjs(device, &wait, timeout);
   }
   saf_free(device->alloc, points);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetSemaphoreFdKHR(VkDevice _device, const VkSemaphoreGetFdInfoKHR *info,
                      int *fd)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_semaphore, semaphore, info->semaphore);
   return payload_export(
      device, &semaphore->payload,
      info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT, fd);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_ImportSemaphoreFdKHR(VkDevice _device,
                         const VkImportSemaphoreFdInfoKHR *info)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_semaphore, semaphore, info->semaphore);
   const bool sync_file = info->handleType ==
                          VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
   return payload_import(device, &semaphore->payload, info->fd, sync_file,
                         sync_file || (info->flags &
                                       VK_SEMAPHORE_IMPORT_TEMPORARY_BIT));
}

/* The points of a timeline fit in no sync file. */
VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceExternalSemaphoreProperties(
   VkPhysicalDevice pdev, const VkPhysicalDeviceExternalSemaphoreInfo *info,
   VkExternalSemaphoreProperties *out)
{
   const VkSemaphoreTypeCreateInfo *type = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
   VkExternalSemaphoreHandleTypeFlags known =
      VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
   if (!type || type->semaphoreType == VK_SEMAPHORE_TYPE_BINARY)
      known |= VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
   const bool ok = info->handleType & known;
   out->exportFromImportedHandleTypes = ok ? known : 0;
   out->compatibleHandleTypes = ok ? known : 0;
   out->externalSemaphoreFeatures =
      ok ? VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT |
              VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT
         : 0;
}

/* ---- events ---- */

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateEvent(VkDevice _device, const VkEventCreateInfo *info,
                const VkAllocationCallbacks *alloc, VkEvent *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_event *event =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*event));
   if (!event)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   event->state = saf_state_alloc(&device->dynamic_pool, 64);
   if (!event->state.size_B) {
      saf_free(alloc ? alloc : device->alloc, event);
      return device->dynamic_pool.error;
   }
   *(volatile uint64_t *)event->state.map = 0;
   *out = saf_event_to_handle(event);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyEvent(VkDevice _device, VkEvent _event,
                 const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_event, event, _event);
   if (!event)
      return;
   saf_state_free(&device->dynamic_pool, event->state);
   saf_free(alloc ? alloc : device->alloc, event);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetEventStatus(VkDevice _device, VkEvent _event)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_event, event, _event);
   if (saf_device_is_lost(device))
      return VK_ERROR_DEVICE_LOST;
   return *(volatile uint64_t *)event->state.map ? VK_EVENT_SET
                                                 : VK_EVENT_RESET;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_SetEvent(VkDevice _device, VkEvent _event)
{
   SAF_FROM_HANDLE(saf_event, event, _event);
   *(volatile uint64_t *)event->state.map = 1;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_ResetEvent(VkDevice _device, VkEvent _event)
{
   SAF_FROM_HANDLE(saf_event, event, _event);
   *(volatile uint64_t *)event->state.map = 0;
   return VK_SUCCESS;
}
