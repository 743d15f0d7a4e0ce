/* SPDX-License-Identifier: MIT */
/*
 * Submission. Each command buffer is one execbuffer2; the first one of a
 * VkSubmitInfo waits for its semaphores, the last one signals. Everything,
 * binary or not, goes through the timeline form of the fence array, where
 * point 0 means a binary syncobj.
 */
#include "intel/vulkan/base/kmd_error.h"
#include "intel/vulkan/base/saf_sync.h"
#include "intel/vulkan/cmd/saf_batch_decode.h"
#include "intel/vulkan/cmd/saf_cmd_buffer.h"
#include "util/fallible.h"

#include <errno.h>
#include <drm.h>
#include <i915_drm.h>
#include <time.h>
#include <unistd.h>

struct submit_fences {
   struct util_dynarray fences; /* struct drm_i915_gem_exec_fence */
   struct util_dynarray points; /* uint64_t */
};

/* Room for `count` in all; what is added within it does not fail. */
static bool
fences_reserve(struct submit_fences *f, size_t count)
{
   return util_dynarray_try_reserve(
             &f->fences, count * sizeof(struct drm_i915_gem_exec_fence)) &&
          util_dynarray_try_reserve(&f->points, count * sizeof(uint64_t));
}

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
   pthread_mutex_lock(&device->lost_mutex);
   if (!device->lost) {
      saf_error(VK_ERROR_DEVICE_LOST, "device lost: %s", why);
      snprintf(device->lost_why, sizeof(device->lost_why), "%s", why);
   }
   __atomic_store_n(&device->lost, true, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&device->lost_mutex);
   return VK_ERROR_DEVICE_LOST;
}

/* The list of all objects, `batch` first; NULL: out of memory. Caller holds
 * bo_mutex. */
static struct drm_i915_gem_exec_object2 *
list_objects(struct saf_device *device, const struct saf_bo *batch)
{
   struct drm_i915_gem_exec_object2 *objects =
      malloc(device->exec_objects.size_B);
   if (!objects)
      return NULL;
   memcpy(objects, device->exec_objects.data, device->exec_objects.size_B);
   util_dynarray_foreach(&device->exec_bos, struct saf_bo *, p) {
      const struct saf_relocs *r = &(*p)->relocs;
      struct drm_i915_gem_exec_object2 *o = &objects[(*p)->exec_index];
      o->relocs_ptr = (uintptr_t)r->entries.data;
      o->relocation_count = (uint32_t)util_dynarray_num_elements(
         &r->entries, struct drm_i915_gem_relocation_entry);
   }
   const struct drm_i915_gem_exec_object2 first = objects[0];
   objects[0] = objects[batch->exec_index];
   objects[batch->exec_index] = first;
   return objects;
}

/* Keeps where the kernel has the objects, as it says in their list. */
static void
note_offsets(struct saf_device *device, const struct saf_bo *batch,
             const struct drm_i915_gem_exec_object2 *objects)
{
   util_dynarray_foreach(&device->exec_bos, struct saf_bo *, p) {
      struct saf_bo *bo = *p;
      const uint32_t at = bo == batch           ? 0
                          : bo->exec_index == 0 ? batch->exec_index
                                                : bo->exec_index;
      assert(objects[at].handle == bo->handle);
      bo->offset = objects[at].offset;
      util_dynarray_element(&device->exec_objects,
                            struct drm_i915_gem_exec_object2, bo->exec_index)
         ->offset = bo->offset;
   }
}

/*
 * The kernel reads and writes the lists of relocations, which therefore must
 * not change meanwhile; where objects are pinned, there are none, and others
 * may create and destroy objects: the kernel may take its time, until batches
 * before this one are done. What is in its list stays open for so long.
 * Caller holds the queue's mutex.
 */
static int
submit_objects(struct saf_device *device, const struct saf_bo *batch,
               struct drm_i915_gem_execbuffer2 *execbuf)
{
   const bool relocates = device->pdev->relocates;
   pthread_mutex_lock(&device->bo_mutex);
   struct drm_i915_gem_exec_object2 *objects = list_objects(device, batch);
   if (!objects) {
      pthread_mutex_unlock(&device->bo_mutex);
      return -ENOMEM;
   }
   execbuf->buffers_ptr = (uintptr_t)objects;
   execbuf->buffer_count =
      util_dynarray_num_elements(&device->exec_bos, struct saf_bo *);
   device->submitting = true;
   if (!relocates)
      pthread_mutex_unlock(&device->bo_mutex);
   const int ret =
      kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_EXECBUFFER2, execbuf);
   if (!relocates)
      pthread_mutex_lock(&device->bo_mutex);
   else if (!ret)
      note_offsets(device, batch, objects);
   saf_bo_submitted(device);
   pthread_mutex_unlock(&device->bo_mutex);
   free(objects);
   return ret;
}

/* Caller holds the queue's mutex. */
static VkResult
execute(struct saf_queue *queue, struct saf_bo *batch,
        struct submit_fences *fences)
{
   struct saf_device *device = queue->device;

   add_fence(fences, queue->idle_syncobj, I915_EXEC_FENCE_SIGNAL,
             queue->submissions + 1);
   struct drm_i915_gem_execbuffer_ext_timeline_fences ext = {
      .base.name = DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES,
      .fence_count = util_dynarray_num_elements(
         &fences->fences, struct drm_i915_gem_exec_fence),
      .handles_ptr = (uintptr_t)fences->fences.data,
      .values_ptr = (uintptr_t)fences->points.data,
   };
   struct drm_i915_gem_execbuffer2 execbuf = {
      .batch_len = 0, /* to the end of the object */
      .cliprects_ptr = (uintptr_t)&ext,
      .flags = I915_EXEC_RENDER | I915_EXEC_BATCH_FIRST | I915_EXEC_NO_RELOC |
               I915_EXEC_USE_EXTENSIONS,
      .rsvd1 = device->context_id,
   };
   const int ret = submit_objects(device, batch, &execbuf);
   if (ret == -ENOMEM)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
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
   return ret ? kmd_lost(device, ret, strerror(-ret)) : VK_SUCCESS;
}

/* ---- submissions ---- */

/* A VkSubmitInfo with all that it points to. */
struct submission {
   struct list_head link; /* in saf_queue.pending */
   struct submit_fences waits, signals;
   struct submit_fences all;     /* empty, with room for those and one more */
   struct util_dynarray batches; /* struct saf_bo * */
   /* uint32_t, syncobjs that were imported for this wait */
   struct util_dynarray temporaries;
};

static void
submission_free(struct saf_device *device, struct submission *s)
{
   util_dynarray_foreach(&s->temporaries, uint32_t, syncobj)
      saf_syncobj_destroy(device, *syncobj);
   util_dynarray_fini(&s->temporaries);
   fences_finish(&s->waits);
   fences_finish(&s->signals);
   fences_finish(&s->all);
   util_dynarray_fini(&s->batches);
   free(s);
}

static void
add_semaphore(struct submit_fences *f, const struct saf_semaphore *s,
              uint32_t flags, uint64_t point)
{
   if (s->type != VK_SEMAPHORE_TYPE_TIMELINE)
      add_fence(f, saf_payload_syncobj(&s->payload), flags, 0);
   else if (point || (flags & I915_EXEC_FENCE_SIGNAL))
      add_fence(f, s->payload.permanent, flags, point);
}

/* A wait ends what was imported for a time. */
static void
add_wait(struct submission *s, struct saf_semaphore *semaphore,
         uint64_t point)
{
   add_semaphore(&s->waits, semaphore, I915_EXEC_FENCE_WAIT, point);
   if (semaphore->payload.temporary)
      util_dynarray_append(&s->temporaries, uint32_t,
                           semaphore->payload.temporary);
   semaphore->payload.temporary = 0;
}

/* Before anything is taken from anybody: it fails here or not at all. */
static bool
reserve(struct submission *s, const VkSubmitInfo *info)
{
   const size_t waits = info->waitSemaphoreCount;
   const size_t signals = info->signalSemaphoreCount + (size_t)1;
   const size_t batches = MAX2(1, info->commandBufferCount);
   return fences_reserve(&s->waits, waits) &&
          fences_reserve(&s->signals, signals) &&
          fences_reserve(&s->all, waits + signals + 1) &&
          util_dynarray_try_reserve(&s->temporaries,
                                    waits * sizeof(uint32_t)) &&
          util_dynarray_try_reserve(&s->batches,
                                    batches * sizeof(struct saf_bo *));
}

/* NULL: out of memory. */
static struct submission *
submission_create(struct saf_device *device, const VkSubmitInfo *info,
                  const struct saf_fence *fence)
{
   const VkTimelineSemaphoreSubmitInfo *t = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
   struct submission *s = calloc(1, sizeof(*s));
   if (!s)
      return NULL;
   if (!reserve(s, info)) {
      submission_free(device, s);
      return NULL;
   }
   for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
      add_wait(s, saf_semaphore_from_handle(info->pWaitSemaphores[i]),
               t && i < t->waitSemaphoreValueCount
                  ? t->pWaitSemaphoreValues[i]
                  : 0);
   for (uint32_t i = 0; i < info->commandBufferCount; i++) {
      struct saf_bo *bo = saf_cmd_buffer_first_bo(
         saf_cmd_buffer_from_handle(info->pCommandBuffers[i]));
      util_dynarray_append(&s->batches, struct saf_bo *, bo);
   }
   if (!info->commandBufferCount)
      util_dynarray_append(&s->batches, struct saf_bo *,
                           device->trivial_batch);
   for (uint32_t i = 0; i < info->signalSemaphoreCount; i++)
      add_semaphore(&s->signals,
                    saf_semaphore_from_handle(info->pSignalSemaphores[i]),
                    I915_EXEC_FENCE_SIGNAL,
                    t && i < t->signalSemaphoreValueCount
                       ? t->pSignalSemaphoreValues[i]
                       : 0);
   if (fence)
      add_fence(&s->signals, saf_payload_syncobj(&fence->payload),
                I915_EXEC_FENCE_SIGNAL, 0);
   return s;
}

/* Whether some job will signal each timeline point that is waited for: the
 * kernel takes no others. Waits for that until `timeout_ns`, absolute. */
static bool
is_ready(struct saf_device *device, const struct submission *s,
         int64_t timeout_ns)
{
   const struct drm_i915_gem_exec_fence *fences = s->waits.fences.data;
   const uint64_t *points = s->waits.points.data;
   const unsigned n = util_dynarray_num_elements(
      &s->waits.fences, struct drm_i915_gem_exec_fence);
   for (unsigned i = 0; i < n; i++) {
      struct drm_syncobj_timeline_wait wait = {
         .handles = (uintptr_t)&fences[i].handle,
         .points = (uintptr_t)&points[i],
         .count_handles = 1,
         .timeout_nsec = timeout_ns,
         .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                  DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE,
      };
      if (points[i] &&
          kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait))
         return false;
   }
   return true;
}

static void
fences_append(struct submit_fences *to, const struct submit_fences *from)
{
   const struct drm_i915_gem_exec_fence *fences = from->fences.data;
   const uint64_t *points = from->points.data;
   const unsigned n = util_dynarray_num_elements(
      &from->fences, struct drm_i915_gem_exec_fence);
   for (unsigned i = 0; i < n; i++)
      add_fence(to, fences[i].handle, fences[i].flags, points[i]);
}

/* Each command buffer is an execbuffer2: the first one waits, the last one
 * signals. Caller holds the queue's mutex. */
static VkResult
run(struct saf_queue *queue, struct submission *s)
{
   struct saf_device *device = queue->device;
   struct saf_bo *const *bos = s->batches.data;
   const unsigned n =
      util_dynarray_num_elements(&s->batches, struct saf_bo *);
   VkResult result = VK_SUCCESS;
   fences_append(&s->all, &s->waits);
   for (unsigned i = 0; i < n && !result; i++) {
      if (i == n - 1)
         fences_append(&s->all, &s->signals);
      if (INTEL_DEBUG(BATCH))
         saf_batch_decode(device, bos[i]->addr, stderr);
      result = execute(queue, bos[i], &s->all);
      fences_clear(&s->all);
   }
   if (!result && INTEL_DEBUG(SYNC))
      result =
         wait_for_point(device, queue->idle_syncobj, queue->submissions, 0);
   return result;
}

/* ---- submissions that wait for what nobody has submitted ---- */

/* How long a look at a point may take, so that the end of the queue is
 * noticed. */
#define LOOK_NS 20000000

/* How long vkDestroyDevice() lets submissions wait that have not begun: a
 * valid program has none (it would have waited for the device). */
#define CANCEL_NS 200000000

static int64_t
moment_after(int64_t ns)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return now.tv_sec * 1000000000ll + now.tv_nsec + ns;
}

/* Hands over pending submissions in order, as they become ready. */
static void *
run_pending(void *data)
{
   struct saf_queue *queue = data;
   struct saf_device *device = queue->device;
   pthread_mutex_lock(&queue->mutex);
   while (!queue->stop) {
      if (list_is_empty(&queue->pending)) {
         pthread_cond_wait(&queue->changed, &queue->mutex);
         continue;
      }
      struct submission *s =
         list_first_entry(&queue->pending, struct submission, link);
      pthread_mutex_unlock(&queue->mutex);
      const bool ready = is_ready(device, s, moment_after(LOOK_NS));
      pthread_mutex_lock(&queue->mutex);
      if (!ready && !saf_device_check_lost(device))
         continue;
      /* Nobody is there to be told: what it signals would never come. */
      if (!saf_device_is_lost(device) && run(queue, s))
         saf_device_set_lost(device, "a submission that had waited failed");
      list_del(&s->link);
      submission_free(device, s);
      pthread_cond_broadcast(&queue->changed);
   }
   pthread_mutex_unlock(&queue->mutex);
   return NULL;
}

/* Vulkan lets a wait be submitted before its signal, and the submission must
 * not block: the program may have but this one thread. */
static VkResult
defer(struct saf_queue *queue, struct submission *s)
{
   if (!queue->has_thread &&
       pthread_create(&queue->thread, NULL, run_pending, queue)) {
      submission_free(queue->device, s);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   queue->has_thread = true;
   list_addtail(&s->link, &queue->pending);
   pthread_cond_broadcast(&queue->changed);
   return VK_SUCCESS;
}

static VkResult
submit_one(struct saf_queue *queue, const VkSubmitInfo *info, VkFence fence)
{
   struct submission *s =
      submission_create(queue->device, info, saf_fence_from_handle(fence));
   if (!s)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!list_is_empty(&queue->pending) || !is_ready(queue->device, s, 0))
      return defer(queue, s);
   const VkResult result = run(queue, s);
   submission_free(queue->device, s);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_QueueSubmit(VkQueue _queue, uint32_t count, const VkSubmitInfo *submits,
                VkFence fence)
{
   SAF_FROM_HANDLE(saf_queue, queue, _queue);
   if (saf_device_is_lost(queue->device))
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

/* Whether some pending submission signals it. Caller holds the mutex. */
static bool
is_pending(struct saf_queue *queue, uint32_t syncobj)
{
   list_for_each_entry(struct submission, s, &queue->pending, link) {
      util_dynarray_foreach(&s->signals.fences,
                            struct drm_i915_gem_exec_fence, fence) {
         if (fence->handle == syncobj)
            return true;
      }
   }
   return false;
}

void
saf_queue_wait_submitted(struct saf_queue *queue, uint32_t syncobj)
{
   pthread_mutex_lock(&queue->mutex);
   while (is_pending(queue, syncobj))
      pthread_cond_wait(&queue->changed, &queue->mutex);
   pthread_mutex_unlock(&queue->mutex);
}

/* How many submissions the kernel has then. */
static uint64_t
hand_over(struct saf_queue *queue)
{
   pthread_mutex_lock(&queue->mutex);
   while (!list_is_empty(&queue->pending))
      pthread_cond_wait(&queue->changed, &queue->mutex);
   const uint64_t point = queue->submissions;
   pthread_mutex_unlock(&queue->mutex);
   return point;
}

VkResult
saf_queue_wait_handed_over(struct saf_queue *queue)
{
   hand_over(queue);
   return saf_device_check_lost(queue->device);
}

VkResult
saf_queue_wait_idle(struct saf_queue *queue)
{
   struct saf_device *device = queue->device;
   const uint64_t point = hand_over(queue);
   if (saf_device_is_lost(device))
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
   if (saf_device_is_lost(device))
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
   const int ret = kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_CREATE, &create);
   if (ret)
      return ret == -ENOMEM ? VK_ERROR_OUT_OF_HOST_MEMORY
                            : VK_ERROR_INITIALIZATION_FAILED;
   queue->idle_syncobj = create.handle;
   pthread_mutex_init(&queue->mutex, NULL);
   pthread_cond_init(&queue->changed, NULL);
   list_inithead(&queue->pending);
   return VK_SUCCESS;
}

/* Nobody will signal any more what the rest waits for. */
static void
cancel_pending(struct saf_queue *queue)
{
   pthread_mutex_lock(&queue->mutex);
   queue->stop = true;
   pthread_cond_broadcast(&queue->changed);
   pthread_mutex_unlock(&queue->mutex);
   if (queue->has_thread)
      pthread_join(queue->thread, NULL);
   queue->has_thread = false;
   list_for_each_entry_safe(struct submission, s, &queue->pending, link) {
      list_del(&s->link);
      submission_free(queue->device, s);
   }
}

/* What is about to be handed over is; what then still waits for others is
 * dropped. */
static void
end_queue(struct saf_queue *queue)
{
   const int64_t end_ns = moment_after(CANCEL_NS);
   pthread_mutex_lock(&queue->mutex);
   while (!list_is_empty(&queue->pending) && moment_after(0) < end_ns) {
      pthread_mutex_unlock(&queue->mutex);
      usleep(LOOK_NS / 1000);
      pthread_mutex_lock(&queue->mutex);
   }
   pthread_mutex_unlock(&queue->mutex);
   cancel_pending(queue);
   saf_queue_wait_idle(queue);
}

void
saf_queue_finish(struct saf_device *device)
{
   struct saf_queue *queue = &device->queue;
   struct drm_syncobj_destroy destroy = { .handle = queue->idle_syncobj };
   end_queue(queue);
   kmd_ioctl(device->kmd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
   pthread_cond_destroy(&queue->changed);
   pthread_mutex_destroy(&queue->mutex);
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
