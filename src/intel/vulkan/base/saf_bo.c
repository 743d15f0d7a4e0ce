/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects and GPU addresses.
 *
 * Every object gets its address once, from the driver, and keeps it: pinned
 * there (softpin), or, where the kernel may move it, as a name that is
 * replaced by the place where it is (saf_reloc.c). The kernel must be told in
 * each submission which objects it needs; since shaders reach any of them
 * through addresses that only the application knows, that is all of them: the
 * device keeps one list, ready to be handed to execbuffer2.
 */
#include "kmd_error.h"
#include "saf_memory_report.h"
#include "util/fallible.h"

#include <drm.h>
#include <fcntl.h>
#include <i915_drm.h>

#define ADDRESS_ALIGN_B 65536

static void
gem_close(struct saf_device *device, uint32_t handle)
{
   struct drm_gem_close close = { .handle = handle };
   kmd_ioctl(device->kmd, DRM_IOCTL_GEM_CLOSE, &close);
}

/* One that a submission may have in its list. Caller holds the mutex. */
static void
close_handle(struct saf_device *device, uint32_t handle)
{
   if (device->submitting)
      util_dynarray_append(&device->closing, uint32_t, handle);
   else
      gem_close(device, handle);
}

void
saf_bo_submitted(struct saf_device *device)
{
   device->submitting = false;
   util_dynarray_foreach(&device->closing, uint32_t, handle)
      gem_close(device, *handle);
   util_dynarray_clear(&device->closing);
}

/* The kernel gives a handle again as long as it is not closed. Caller holds
 * the mutex. */
static void
keep_open(struct saf_device *device, uint32_t handle)
{
   util_dynarray_foreach(&device->closing, uint32_t, p) {
      if (*p == handle) {
         *p = util_dynarray_pop(&device->closing, uint32_t);
         return;
      }
   }
}

/* In the address space; a byte after an object belongs to no other one where
 * it must be told from an address which it belongs to (saf_reloc.c). */
static uint64_t
room_B(const struct saf_device *device, uint64_t size_B)
{
   return device->pdev->relocates ? size_B + 4096 : size_B;
}

/* The address `at`, which is the caller's to give but for that of memory that
 * is replayed, or one of the heap's if that is 0. 0: there is none. */
static uint64_t
take_address(struct saf_device *device, uint64_t at, uint64_t size_B,
             struct saf_va_heap *heap)
{
   if (!at)
      return saf_va_alloc(heap, size_B, ADDRESS_ALIGN_B);
   if (heap == &device->va_replayed &&
       (at % ADDRESS_ALIGN_B || !saf_va_take(heap, at, size_B)))
      return 0;
   return at;
}

/* Room for one more object in all lists, and for the handles of all in that
 * of those to be closed: so destroying one needs no memory. */
static bool
reserve_one(struct saf_device *device)
{
   const size_t n =
      util_dynarray_num_elements(&device->exec_bos, struct saf_bo *) + 1;
   return util_dynarray_try_reserve(&device->exec_bos,
                                    n * sizeof(struct saf_bo *)) &&
          util_dynarray_try_reserve(
             &device->exec_objects,
             n * sizeof(struct drm_i915_gem_exec_object2)) &&
          util_dynarray_try_reserve(&device->bos_by_addr,
                                    n * sizeof(struct saf_bo *)) &&
          util_dynarray_try_reserve(
             &device->closing, device->closing.size_B + n * sizeof(uint32_t));
}

/* Takes the object into every submission, at `at` or at an address of the
 * heap's if that is 0. False: there is none. Caller holds the mutex. */
static bool
make_resident(struct saf_device *device, struct saf_bo *bo, uint64_t at,
              struct saf_va_heap *heap)
{
   if (!reserve_one(device))
      return false;
   bo->addr = take_address(device, at, room_B(device, bo->size_B), heap);
   bo->offset = bo->addr;
   if (!bo->addr)
      return false;
   bo->references = 1;
   bo->exec_index =
      util_dynarray_num_elements(&device->exec_bos, struct saf_bo *);
   util_dynarray_append(&device->exec_bos, struct saf_bo *, bo);
   const struct drm_i915_gem_exec_object2 object = {
      .handle = bo->handle,
      .offset = bo->addr,
      .flags = device->pdev->relocates
                  ? 0
                  : EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS,
   };
   util_dynarray_append(&device->exec_objects,
                        struct drm_i915_gem_exec_object2, object);
   if (device->pdev->relocates)
      saf_reloc_add_bo(device, bo);
   return true;
}

/* An object of a new handle, which is closed if that does not go well. The
 * address is `at`, or one of the heap's if that is 0. */
static VkResult
bo_of_handle(struct saf_device *device, const char *name, uint32_t handle,
             uint64_t size_B, uint64_t at, struct saf_va_heap *heap,
             struct saf_bo **out)
{
   VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
   struct saf_bo *bo = saf_alloc(device->alloc, sizeof(*bo));
   if (!bo)
      goto fail;
   bo->handle = handle;
   bo->size_B = size_B;
   bo->name = name;
   pthread_mutex_lock(&device->bo_mutex);
   bo->id = ++device->last_bo_id;
   const bool ok = make_resident(device, bo, at, heap);
   pthread_mutex_unlock(&device->bo_mutex);
   result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
   if (!ok)
      goto fail;
   *out = bo;
   return VK_SUCCESS;

fail:
   gem_close(device, handle);
   saf_free(device->alloc, bo);
   return result;
}

/* The address is `at`, or one of the heap's if that is 0. */
static VkResult
bo_create(struct saf_device *device, const char *name, uint64_t size_B,
          uint64_t at, struct saf_va_heap *heap, struct saf_bo **out)
{
   *out = NULL;
   size_B = ALIGN(size_B, 4096);
   struct drm_i915_gem_create create = { .size = size_B };
   if (kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_CREATE, &create))
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   return bo_of_handle(device, name, create.handle, size_B, at, heap, out);
}

/* The same of the driver's own. */
static VkResult
create_own(struct saf_device *device, const char *name, uint64_t size_B,
           uint64_t at, struct saf_va_heap *heap, struct saf_bo **out)
{
   const VkResult result = bo_create(device, name, size_B, at, heap, out);
   if (!result)
      (*out)->is_reported = true;
   saf_report_memory(
      device,
      &(struct saf_memory_event) {
         .type = result
                    ? VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT
                    : VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT,
         .bo = *out,
         .size_B = size_B,
      });
   return result;
}

VkResult
saf_bo_create(struct saf_device *device, const char *name, uint64_t size_B,
              uint64_t at, struct saf_bo **out)
{
   return create_own(device, name, size_B, at, &device->va, out);
}

VkResult
saf_bo_create_low(struct saf_device *device, const char *name,
                  uint64_t size_B, struct saf_bo **out)
{
   return create_own(device, name, size_B, 0, &device->va_low, out);
}

VkResult
saf_bo_create_memory(struct saf_device *device, uint64_t size_B,
                     bool replayed, uint64_t at, struct saf_bo **out)
{
   return bo_create(device, "memory", size_B, at,
                    replayed ? &device->va_replayed : &device->va, out);
}

VkResult
saf_bo_of_host(struct saf_device *device, void *memory, uint64_t size_B,
               struct saf_bo **out)
{
   struct drm_i915_gem_userptr user = {
      .user_ptr = (uintptr_t)memory,
      .user_size = size_B,
   };
   /* So that what is no memory is found now, not when it is used. */
   if (kmd_getparam(device->kmd, I915_PARAM_HAS_USERPTR_PROBE, 0))
      user.flags = I915_USERPTR_PROBE;
   *out = NULL;
   const int ret = kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_USERPTR, &user);
   if (ret)
      return kmd_error(ret, VK_ERROR_INVALID_EXTERNAL_HANDLE);
   const VkResult result =
      bo_of_handle(device, "host", user.handle, size_B, 0, &device->va, out);
   if (!result) {
      device->has_host_memory = true;
      (*out)->map = memory;
      (*out)->map_is_foreign = true;
   }
   return result;
}

/* What other processes may use, too: the kernel lets a submission wait for
 * theirs, and theirs for it, as a write does. */
static void
mark_shared(struct saf_device *device, const struct saf_bo *bo)
{
   util_dynarray_element(&device->exec_objects,
                         struct drm_i915_gem_exec_object2, bo->exec_index)
      ->flags |= EXEC_OBJECT_WRITE;
}

void
saf_bo_capture(struct saf_device *device, const struct saf_bo *bo)
{
   if (!device->pdev->captures)
      return;
   pthread_mutex_lock(&device->bo_mutex);
   util_dynarray_element(&device->exec_objects,
                         struct drm_i915_gem_exec_object2, bo->exec_index)
      ->flags |= EXEC_OBJECT_CAPTURE;
   pthread_mutex_unlock(&device->bo_mutex);
}

static struct saf_bo *
find_bo(struct saf_device *device, uint32_t handle)
{
   util_dynarray_foreach(&device->exec_bos, struct saf_bo *, bo) {
      if ((*bo)->handle == handle)
         return *bo;
   }
   return NULL;
}

/* A handle that this device has no object for yet. Caller holds the mutex. */
static VkResult
adopt(struct saf_device *device, uint32_t handle, int fd, struct saf_bo **out)
{
   const int64_t size_B = kmd_dma_buf_size_B(device->kmd, fd);
   if (size_B <= 0)
      return VK_ERROR_INVALID_EXTERNAL_HANDLE;
   struct saf_bo *bo = saf_alloc(device->alloc, sizeof(*bo));
   if (!bo)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   bo->handle = handle;
   bo->size_B = (uint64_t)size_B;
   bo->name = "imported";
   bo->id = ++device->last_bo_id;
   if (!make_resident(device, bo, 0, &device->va)) {
      saf_free(device->alloc, bo);
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   *out = bo;
   return VK_SUCCESS;
}

VkResult
saf_bo_import(struct saf_device *device, int fd, struct saf_bo **out)
{
   struct drm_prime_handle prime = { .fd = fd };
   VkResult result = VK_SUCCESS;
   *out = NULL;
   /* A handle is the same for the same object: nobody may close it between
    * its import and the look who has it. */
   pthread_mutex_lock(&device->bo_mutex);
   const int ret =
      kmd_ioctl(device->kmd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);
   if (ret) {
      pthread_mutex_unlock(&device->bo_mutex);
      return kmd_error(ret, VK_ERROR_INVALID_EXTERNAL_HANDLE);
   }
   keep_open(device, prime.handle);
   *out = find_bo(device, prime.handle);
   if (*out)
      (*out)->references++;
   else
      result = adopt(device, prime.handle, fd, out);
   if (result)
      close_handle(device, prime.handle);
   else
      mark_shared(device, *out);
   pthread_mutex_unlock(&device->bo_mutex);
   return result;
}

VkResult
saf_bo_export(struct saf_device *device, struct saf_bo *bo, int *fd)
{
   struct drm_prime_handle prime = {
      .handle = bo->handle,
      .flags = DRM_CLOEXEC | DRM_RDWR,
   };
   const int ret =
      kmd_ioctl(device->kmd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);
   if (ret)
      return kmd_error(ret, VK_ERROR_TOO_MANY_OBJECTS);
   pthread_mutex_lock(&device->bo_mutex);
   mark_shared(device, bo);
   pthread_mutex_unlock(&device->bo_mutex);
   *fd = prime.fd;
   return VK_SUCCESS;
}

/* Takes the object out of the submissions. Caller holds the mutex. */
static void
evict(struct saf_device *device, struct saf_bo *bo)
{
   if (device->pdev->relocates)
      saf_reloc_remove_bo(device, bo);
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
   if (bo->addr >= device->info->layout->replayed)
      saf_va_free(&device->va_replayed, bo->addr, room_B(device, bo->size_B));
   else if (bo->addr >= device->info->layout->general)
      saf_va_free(&device->va, bo->addr, room_B(device, bo->size_B));
   else if (bo->addr < device->info->layout->low_end)
      saf_va_free(&device->va_low, bo->addr, room_B(device, bo->size_B));
}

void
saf_bo_destroy(struct saf_device *device, struct saf_bo *bo)
{
   if (!bo)
      return;
   pthread_mutex_lock(&device->bo_mutex);
   const bool last = --bo->references == 0;
   if (last) {
      evict(device, bo);
      close_handle(device, bo->handle);
   }
   pthread_mutex_unlock(&device->bo_mutex);
   if (!last)
      return;
   if (bo->is_reported)
      saf_report_memory(
         device, &(struct saf_memory_event) {
                    .type = VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT,
                    .bo = bo,
                    .size_B = bo->size_B,
                 });
   if (bo->map && !bo->map_is_foreign)
      kmd_munmap(device->kmd, bo->map, bo->size_B);
   saf_free(device->alloc, bo);
}

/* What the CPU writes through its caches, and reads, the GPU sees: without a
 * last-level cache that both have, it is to snoop (chip-rules KR-15). Memory
 * of another device keeps what it has (Linux i915: ENXIO). */
static bool
make_coherent(struct saf_device *device, const struct saf_bo *bo)
{
   struct drm_i915_gem_caching snooped = {
      .handle = bo->handle,
      .caching = I915_CACHING_CACHED,
   };
   if (device->info->has_llc)
      return true;
   const int ret =
      kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_SET_CACHING, &snooped);
   return ret == 0 || ret == -ENXIO;
}

static void *
new_map(struct saf_device *device, const struct saf_bo *bo)
{
   struct drm_i915_gem_mmap_offset mmap = {
      .handle = bo->handle,
      .flags = I915_MMAP_OFFSET_WB,
   };
   if (!make_coherent(device, bo) ||
       kmd_ioctl(device->kmd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &mmap))
      return NULL;
   return kmd_mmap(device->kmd, bo->size_B, mmap.offset);
}

/* Two VkDeviceMemory may have the same object, each its own thread. */
void *
saf_bo_map(struct saf_device *device, struct saf_bo *bo)
{
   pthread_mutex_lock(&device->bo_mutex);
   if (!bo->map)
      bo->map = new_map(device, bo);
   void *map = bo->map;
   pthread_mutex_unlock(&device->bo_mutex);
   return map;
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
   saf_bo_capture(device, bo);
   if (!saf_bo_map(device, bo)) {
      saf_bo_destroy(device, bo);
      return NULL;
   }
   return bo;
}

void
saf_batch_bo_put(struct saf_device *device, struct saf_bo *bo)
{
   if (device->pdev->relocates)
      saf_reloc_unregister(device, bo);
   pthread_mutex_lock(&device->bo_mutex);
   const bool kept =
      util_dynarray_try_append(&device->batch_bos, struct saf_bo *, bo);
   pthread_mutex_unlock(&device->bo_mutex);
   if (!kept)
      saf_bo_destroy(device, bo);
}
