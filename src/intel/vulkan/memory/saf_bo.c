/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects and GPU addresses.
 *
 * Every object gets its address once, from the driver (softpin), and keeps
 * it. The kernel must be told in each submission which objects it needs;
 * since shaders reach any of them through addresses that only the
 * application knows, that is all of them: the device keeps one list, ready
 * to be handed to execbuffer2.
 */
#include "intel/vulkan/saf_private.h"

#include <i915_drm.h>

static void
gem_close(struct saf_device *device, uint32_t handle)
{
   struct drm_gem_close close = { .handle = handle };
   kmd_ioctl(device->kmd, DRM_IOCTL_GEM_CLOSE, &close);
}

/* The address is `at`, or one of the heap's if that is 0. */
static VkResult
bo_create(struct saf_device *device, const char *name, uint64_t size_B,
          uint64_t at, struct saf_va_heap *heap, struct saf_bo **out)
{
   *out = NULL;
   size_B = ALIGN(size_B, 4096);
   struct saf_bo *bo = saf_alloc(device->alloc, sizeof(*bo));
   if (!bo)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   struct drm_i915_gem_create create = { .size = size_B };
   if (kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_CREATE, &create)) {
      saf_free(device->alloc, bo);
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   bo->handle = create.handle;
   bo->size_B = size_B;
   bo->name = name;

   pthread_mutex_lock(&device->bo_mutex);
   bo->addr = at ? at : saf_va_alloc(heap, size_B, 65536);
   if (bo->addr) {
      bo->exec_index =
         util_dynarray_num_elements(&device->exec_bos, struct saf_bo *);
      util_dynarray_append(&device->exec_bos, struct saf_bo *, bo);
      const struct drm_i915_gem_exec_object2 object = {
         .handle = bo->handle,
         .offset = bo->addr,
         .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS,
      };
      util_dynarray_append(&device->exec_objects,
                           struct drm_i915_gem_exec_object2, object);
   }
   pthread_mutex_unlock(&device->bo_mutex);
   if (!bo->addr) {
      gem_close(device, bo->handle);
      saf_free(device->alloc, bo);
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   *out = bo;
   return VK_SUCCESS;
}

VkResult
saf_bo_create(struct saf_device *device, const char *name, uint64_t size_B,
              uint64_t at, struct saf_bo **out)
{
   return bo_create(device, name, size_B, at, &device->va, out);
}

VkResult
saf_bo_create_low(struct saf_device *device, const char *name,
                  uint64_t size_B, struct saf_bo **out)
{
   return bo_create(device, name, size_B, 0, &device->va_low, out);
}

void
saf_bo_destroy(struct saf_device *device, struct saf_bo *bo)
{
   if (!bo)
      return;
   if (bo->map)
      kmd_munmap(device->kmd, bo->map, bo->size_B);

   pthread_mutex_lock(&device->bo_mutex);
   struct saf_bo *last =
      util_dynarray_pop(&device->exec_bos, struct saf_bo *);
   const struct drm_i915_gem_exec_object2 last_object = util_dynarray_pop(
      &device->exec_objects, struct drm_i915_gem_exec_object2);
   if (last != bo) {
      last->exec_index = bo->exec_index;
      *util_dynarray_element(&device->exec_bos, struct saf_bo *,
                             bo->exec_index) = last;
      *util_dynarray_element(&device->exec_objects,
                             struct drm_i915_gem_exec_object2,
                             bo->exec_index) = last_object;
   }
   /* Pool blocks lie outside of the heap, at addresses never reused. */
   if (bo->addr >= device->info->layout->general)
      saf_va_free(&device->va, bo->addr, bo->size_B);
   else if (bo->addr < device->info->layout->low_end)
      saf_va_free(&device->va_low, bo->addr, bo->size_B);
   pthread_mutex_unlock(&device->bo_mutex);

   gem_close(device, bo->handle);
   saf_free(device->alloc, bo);
}

void *
saf_bo_map(struct saf_device *device, struct saf_bo *bo)
{
   if (bo->map)
      return bo->map;
   struct drm_i915_gem_mmap_offset mmap = {
      .handle = bo->handle,
      .flags = I915_MMAP_OFFSET_WB,
   };
   if (kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &mmap))
      return NULL;
   bo->map = kmd_mmap(device->kmd, bo->size_B, mmap.offset);
   return bo->map;
}

struct saf_bo *
saf_batch_bo_get(struct saf_device *device)
{
   struct saf_bo *bo = NULL;
   pthread_mutex_lock(&device->bo_mutex);
   if (device->batch_bos.size_B)
      bo = util_dynarray_pop(&device->batch_bos, struct saf_bo *);
   pthread_mutex_unlock(&device->bo_mutex);
   if (bo)
      return bo;
   if (saf_bo_create(device, "batch", SAF_BATCH_SIZE_B, 0, &bo))
      return NULL;
   if (!saf_bo_map(device, bo)) {
      saf_bo_destroy(device, bo);
      return NULL;
   }
   return bo;
}

void
saf_batch_bo_put(struct saf_device *device, struct saf_bo *bo)
{
   pthread_mutex_lock(&device->bo_mutex);
   util_dynarray_append(&device->batch_bos, struct saf_bo *, bo);
   pthread_mutex_unlock(&device->bo_mutex);
}
