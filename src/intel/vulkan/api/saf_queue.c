/* SPDX-License-Identifier: MIT */
/*
 * Submission. Each command buffer is one execbuffer2; the first one of a
 * VkSubmitInfo waits for its semaphores, the last one signals. Everything,
 * binary or not, goes through the timeline form of the fence array, where
 * point 0 means a binary syncobj.
 */
#include "intel/vulkan/saf_private.h"
#include "intel/vulkan/cmd/saf_batch_decode.h"
#include "intel/vulkan/cmd/saf_cmd_buffer.h"

#include <drm.h>
#include <errno.h>
#include <i915_drm.h>

struct submit_fences {
   struct util_dynarray fences; /* struct drm_i915_gem_exec_fence */
   struct util_dynarray points; /* uint64_t */
};

static void
add_fence(struct submit_fences *f, uint32_t syncobj, uint32_t flags,
          uint64_t point)
{
   const struct drm_i915_gem_exec_fence fence = {
      .handle = syncobj,
      .flags = flags,
   };
   util_dynarray_append(&f->fences, struct drm_i915_gem_exec_fence, fence);
   util_dynarray_append(&f->points, uint64_t, point);
}

static void
fences_clear(struct submit_fences *f)
{
   util_dynarray_clear(&f->fences);
   util_dynarray_clear(&f->points);
}

static void
fences_finish(struct submit_fences *f)
{
   util_dynarray_fini(&f->fences);
   util_dynarray_fini(&f->points);
}

VkResult
saf_device_set_lost(struct saf_device *device, const char *why)
{
   if (!device->lost)
      saf_error(VK_ERROR_DEVICE_LOST, "device lost: %s", why);
   device->lost = true;
   return VK_ERROR_DEVICE_LOST;
}

/* Caller holds the queue's mutex. */
static VkResult
execute(struct saf_queue *queue, struct saf_bo *batch,
        struct submit_fences *fences)
{
   struct saf_device *device = queue->device;

   add_fence(fences, queue->idle_syncobj, I915_EXEC_FENCE_SIGNAL,
             queue->submissions + 1);

   /* The batch comes first in a copy of the list of all objects. */
   pthread_mutex_lock(&device->bo_mutex);
   const unsigned count =
      util_dynarray_num_elements(&device->exec_bos, struct saf_bo *);
   struct drm_i915_gem_exec_object2 *objects =
      malloc(count * sizeof(*objects));
   if (objects) {
      memcpy(objects, device->exec_objects.data, count * sizeof(*objects));
      const struct drm_i915_gem_exec_object2 first = objects[0];
      objects[0] = objects[batch->exec_index];
      objects[batch->exec_index] = first;
   }
   pthread_mutex_unlock(&device->bo_mutex);
   if (!objects)
      return VK_ERROR_OUT_OF_HOST_MEMORY;

   struct drm_i915_gem_execbuffer_ext_timeline_fences ext = {
      .base.name = DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES,
      .fence_count = util_dynarray_num_elements(
         &fences->fences, struct drm_i915_gem_exec_fence),
      .handles_ptr = (uintptr_t)fences->fences.data,
      .values_ptr = (uintptr_t)fences->points.data,
   };
   struct drm_i915_gem_execbuffer2 execbuf = {
      .buffers_ptr = (uintptr_t)objects,
      .buffer_count = count,
      .batch_len = 0, /* to the end of the object */
      .cliprects_ptr = (uintptr_t)&ext,
      .flags = I915_EXEC_RENDER | I915_EXEC_BATCH_FIRST |
               I915_EXEC_NO_RELOC | I915_EXEC_USE_EXTENSIONS,
      .rsvd1 = device->context_id,
   };
   const int ret =
      kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &execbuf);
   free(objects);
   if (ret)
      return saf_device_set_lost(device, strerror(-ret));
   queue->submissions++;
   return VK_SUCCESS;
}

static VkResult
wait_for_point(struct saf_device *device, uint32_t syncobj, uint64_t point,
               uint32_t flags)
{
   struct drm_syncobj_timeline_wait wait = {
      .handles = (uintptr_t)&syncobj,
      .points = (uintptr_t)&point,
      .count_handles = 1,
      .timeout_nsec = INT64_MAX,
      .flags = flags,
   };
   const int ret =
      kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
   return ret ? saf_device_set_lost(device, strerror(-ret)) : VK_SUCCESS;
}

/* The kernel only waits for points that some job will signal. Vulkan lets a
 * wait be submitted before its signal: then the submission blocks here. */
static VkResult
add_wait(struct saf_device *device, struct submit_fences *fences,
         const struct saf_semaphore *s, uint64_t point)
{
   if (s->type == VK_SEMAPHORE_TYPE_TIMELINE) {
      if (point == 0)
         return VK_SUCCESS;
      const VkResult result =
         wait_for_point(device, s->syncobj, point,
                        DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                           DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE);
      if (result)
         return result;
   } else {
      point = 0;
   }
   add_fence(fences, s->syncobj, I915_EXEC_FENCE_WAIT, point);
   return VK_SUCCESS;
}

static VkResult
submit_one(struct saf_queue *queue, const VkSubmitInfo *info, VkFence _fence)
{
   struct saf_device *device = queue->device;
   SAF_FROM_HANDLE(saf_fence, fence, _fence);
   const VkTimelineSemaphoreSubmitInfo *timeline = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
   struct submit_fences fences = { 0 };
   VkResult result = VK_SUCCESS;

   for (uint32_t i = 0; i < info->waitSemaphoreCount && !result; i++) {
      const uint64_t point =
         timeline && i < timeline->waitSemaphoreValueCount
            ? timeline->pWaitSemaphoreValues[i] : 0;
      result = add_wait(device, &fences,
                        saf_semaphore_from_handle(info->pWaitSemaphores[i]),
                        point);
   }

   const uint32_t batches = MAX2(info->commandBufferCount, 1);
   for (uint32_t i = 0; i < batches && !result; i++) {
      struct saf_bo *bo = device->trivial_batch;
      if (info->commandBufferCount) {
         bo = saf_cmd_buffer_first_bo(
            saf_cmd_buffer_from_handle(info->pCommandBuffers[i]));
      }
      if (i == batches - 1) {
         for (uint32_t j = 0; j < info->signalSemaphoreCount; j++) {
            const struct saf_semaphore *s =
               saf_semaphore_from_handle(info->pSignalSemaphores[j]);
            const bool is_timeline = s->type == VK_SEMAPHORE_TYPE_TIMELINE;
            add_fence(&fences, s->syncobj, I915_EXEC_FENCE_SIGNAL,
                      is_timeline && timeline
                         ? timeline->pSignalSemaphoreValues[j] : 0);
         }
         if (fence)
            add_fence(&fences, fence->syncobj, I915_EXEC_FENCE_SIGNAL, 0);
      }
      if (INTEL_DEBUG(BATCH))
         saf_batch_decode(device, bo->addr, stderr);
      result = execute(queue, bo, &fences);
      fences_clear(&fences);
   }
   fences_finish(&fences);
   if (!result && INTEL_DEBUG(SYNC))
      result = wait_for_point(device, queue->idle_syncobj,
                              queue->submissions, 0);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_QueueSubmit(VkQueue _queue, uint32_t count, const VkSubmitInfo *submits,
                VkFence fence)
{
   SAF_FROM_HANDLE(saf_queue, queue, _queue);
   if (queue->device->lost)
      return VK_ERROR_DEVICE_LOST;
   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&queue->mutex);
   for (uint32_t i = 0; i < count && !result; i++)
      result = submit_one(queue, &submits[i],
                          i == count - 1 ? fence : VK_NULL_HANDLE);
   if (count == 0 && fence) {
      const VkSubmitInfo empty = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO };
      result = submit_one(queue, &empty, fence);
   }
   pthread_mutex_unlock(&queue->mutex);
   return result;
}

VkResult
saf_queue_wait_idle(struct saf_queue *queue)
{
   struct saf_device *device = queue->device;
   pthread_mutex_lock(&queue->mutex);
   const uint64_t point = queue->submissions;
   pthread_mutex_unlock(&queue->mutex);
   if (device->lost)
      return VK_ERROR_DEVICE_LOST;
   if (point == 0)
      return VK_SUCCESS;
   const VkResult result =
      wait_for_point(device, queue->idle_syncobj, point, 0);
   return result ? result : saf_device_check_lost(device);
}

VkResult
saf_device_check_lost(struct saf_device *device)
{
   if (device->lost)
      return VK_ERROR_DEVICE_LOST;
   struct drm_i915_reset_stats stats = { .ctx_id = device->context_id };
   if (kmd_ioctl(device->kmd, DRM_IOCTL_I915_GET_RESET_STATS, &stats) == 0 &&
       (stats.batch_active || stats.batch_pending))
      return saf_device_set_lost(device, "the GPU was reset");
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_QueueWaitIdle(VkQueue _queue)
{
   SAF_FROM_HANDLE(saf_queue, queue, _queue);
   return saf_queue_wait_idle(queue);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_DeviceWaitIdle(VkDevice _device)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   return saf_queue_wait_idle(&device->queue);
}

VkResult
saf_queue_init(struct saf_device *device)
{
   struct saf_queue *queue = &device->queue;
   set_loader_magic_value(queue);
   queue->device = device;
   struct drm_syncobj_create create = { 0 };
   if (kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_CREATE, &create))
      return VK_ERROR_INITIALIZATION_FAILED;
   queue->idle_syncobj = create.handle;
   pthread_mutex_init(&queue->mutex, NULL);
   return VK_SUCCESS;
}

void
saf_queue_finish(struct saf_device *device)
{
   struct drm_syncobj_destroy destroy = {
      .handle = device->queue.idle_syncobj,
   };
   kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
   pthread_mutex_destroy(&device->queue.mutex);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetDeviceQueue(VkDevice _device, uint32_t family, uint32_t index,
                   VkQueue *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   assert(family == 0 && index == 0 && "there is one queue");
   *out = saf_queue_to_handle(&device->queue);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetDeviceQueue2(VkDevice _device, const VkDeviceQueueInfo2 *info,
                    VkQueue *out)
{
   saf_GetDeviceQueue(_device, info->queueFamilyIndex, info->queueIndex, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_QueueBindSparse(VkQueue queue, uint32_t count,
                    const VkBindSparseInfo *info, VkFence fence)
{
   return saf_error(VK_ERROR_FEATURE_NOT_PRESENT,
                    "sparse binding is not implemented");
}
