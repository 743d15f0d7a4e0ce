/* SPDX-License-Identifier: MIT */
/*
 * Fences and semaphores: each is one DRM syncobj. A binary object uses the
 * syncobj's single fence, a timeline semaphore its points. Events are a
 * qword that the host and PIPE_CONTROL write.
 */
#include "intel/vulkan/saf_private.h"

#include <drm.h>
#include <errno.h>
#include <time.h>

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

static void
syncobj_destroy(struct saf_device *device, uint32_t handle)
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
   return kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_SIGNAL, &array)
             ? VK_ERROR_DEVICE_LOST
             : VK_SUCCESS;
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
   return saf_device_set_lost(device, "waiting for a syncobj failed");
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
   const VkResult result = syncobj_create(
      device, info->flags & VK_FENCE_CREATE_SIGNALED_BIT, &fence->syncobj);
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
   syncobj_destroy(device, fence->syncobj);
   saf_free(alloc ? alloc : device->alloc, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_ResetFences(VkDevice _device, uint32_t count, const VkFence *fences)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   for (uint32_t i = 0; i < count; i++) {
      SAF_FROM_HANDLE(saf_fence, fence, fences[i]);
      struct drm_syncobj_array array = {
         .handles = (uintptr_t)&fence->syncobj,
         .count_handles = 1,
      };
      if (kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_RESET, &array))
         return saf_device_set_lost(device, "resetting a fence failed");
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_WaitForFences(VkDevice _device, uint32_t count, const VkFence *fences,
                  VkBool32 wait_all, uint64_t timeout)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   /* What was not submitted any more would never be signalled. */
   if (device->lost)
      return VK_ERROR_DEVICE_LOST;
   uint32_t *handles = saf_alloc(device->alloc, count * sizeof(*handles));
   if (!handles)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < count; i++)
      handles[i] = saf_fence_from_handle(fences[i])->syncobj;
   struct drm_syncobj_wait wait = {
      .handles = (uintptr_t)handles,
      .count_handles = count,
      .timeout_nsec = absolute_timeout(timeout),
      .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
               (wait_all ? DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL : 0),
   };
   const int ret = kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
   saf_free(device->alloc, handles);
   return wait_result(device, ret);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetFenceStatus(VkDevice _device, VkFence fence)
{
   const VkResult result = saf_WaitForFences(_device, 1, &fence, VK_TRUE, 0);
   return result == VK_TIMEOUT ? VK_NOT_READY : result;
}

/* ---- semaphores ---- */

VKAPI_ATTR VkResult VKAPI_CALL
saf_SignalSemaphore(VkDevice _device, const VkSemaphoreSignalInfo *info)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_semaphore, semaphore, info->semaphore);
   struct drm_syncobj_timeline_array array = {
      .handles = (uintptr_t)&semaphore->syncobj,
      .points = (uintptr_t)&info->value,
      .count_handles = 1,
   };
   if (kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &array))
      return saf_device_set_lost(device, "signalling a semaphore failed");
   return VK_SUCCESS;
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
   VkResult result = syncobj_create(device, false, &semaphore->syncobj);
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
   syncobj_destroy(device, semaphore->syncobj);
   saf_free(alloc ? alloc : device->alloc, semaphore);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetSemaphoreCounterValue(VkDevice _device, VkSemaphore _semaphore,
                             uint64_t *value)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_semaphore, semaphore, _semaphore);
   struct drm_syncobj_timeline_array array = {
      .handles = (uintptr_t)&semaphore->syncobj,
      .points = (uintptr_t)value,
      .count_handles = 1,
   };
   if (kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_QUERY, &array))
      return saf_device_set_lost(device, "querying a semaphore failed");
   return device->lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_WaitSemaphores(VkDevice _device, const VkSemaphoreWaitInfo *info,
                   uint64_t timeout)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   if (device->lost)
      return VK_ERROR_DEVICE_LOST;
   const uint32_t count = info->semaphoreCount;
   uint32_t *handles = saf_alloc(device->alloc, count * sizeof(*handles));
   if (!handles)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < count; i++)
      handles[i] = saf_semaphore_from_handle(info->pSemaphores[i])->syncobj;
   const bool any = info->flags & VK_SEMAPHORE_WAIT_ANY_BIT;
   struct drm_syncobj_timeline_wait wait = {
      .handles = (uintptr_t)handles,
      .points = (uintptr_t)info->pValues,
      .count_handles = count,
      .timeout_nsec = absolute_timeout(timeout),
      .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
               (any ? 0 : DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL),
   };
   const int ret =
      kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
   saf_free(device->alloc, handles);
   return wait_result(device, ret);
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
   if (device->lost)
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
