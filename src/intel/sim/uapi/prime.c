/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects as file descriptors: PRIME (drm.h; kernel documentation,
 * "PRIME Buffer Sharing"). What stands behind a descriptor: share.h.
 */
#include <fcntl.h>
#include <unistd.h>

#include "uapi.h"

/* Makes the object one that other processes can have. */
static int
make_shared(struct saffron_sim *sim, struct uapi_bo *bo)
{
   int fd;
   if (bo->share)
      return 0;
   const int error = sim_bo_move_to_file(bo->mem, SHARE_PAGE_B, &fd);
   if (error)
      return -error;
   bo->share = share_create(sim, fd, SHARE_BO, bo->mem->size_B);
   if (!bo->share)
      return -ENOMEM;
   share_set_tiling(bo->share, bo->tiling, bo->stride_B);
   return 0;
}

int
uapi_share_bo(struct saffron_sim_file *file, uint32_t handle,
              struct uapi_bo **out)
{
   struct saffron_sim *sim = file->sim;
   struct uapi_bo *bo = uapi_get_bo(file, handle);
   /* Its memory moves: nothing may run. */
   while (bo && !bo->share && !uapi_signaled(sim, sim->last_seqno)) {
      uapi_wait_seqno(sim, sim->last_seqno, UINT64_MAX);
      bo = uapi_get_bo(file, handle);
   }
   *out = bo;
   return bo ? make_shared(sim, bo) : -ENOENT;
}

int
uapi_prime_export(struct saffron_sim_file *file, void *arg)
{
   struct drm_prime_handle *a = arg;
   if (a->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR))
      return -EINVAL;
   struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   if (bo->mem->user_memory)
      return -EINVAL;
   const int ret = uapi_share_bo(file, a->handle, &bo);
   if (ret)
      return ret;
   a->fd =
      share_export(bo->share, (a->flags & DRM_CLOEXEC ? O_CLOEXEC : 0) |
                                 (a->flags & DRM_RDWR ? O_RDWR : O_RDONLY));
   return a->fd < 0 ? a->fd : 0;
}

/* The handle that the file has for the object: one, however often it is
 * imported; or a new one. */
static int
give_handle(struct saffron_sim_file *file, struct uapi_bo *bo,
            uint32_t *handle)
{
   for (uint32_t i = 1; i < file->bos.size; i++) {
      if (file->bos.slot[i] == bo) {
         *handle = i;
         return 0;
      }
   }
   *handle = sim_ids_add(&file->bos, 1, bo);
   if (!*handle)
      return -ENOMEM;
   bo->handles++;
   return 0;
}

int
uapi_import_bo(struct saffron_sim_file *file, int fd, uint32_t *handle,
               struct uapi_bo **out)
{
   struct uapi_share *share = share_open(file->sim, fd, SHARE_BO);
   if (!share)
      return -EINVAL;
   list_for_each_entry(struct uapi_bo, bo, &file->sim->bos, link) {
      if (bo->share == share) {
         share_unref(share);
         *out = bo;
         return give_handle(file, bo, handle);
      }
   }
   if (!share->size_B || share->size_B > UAPI_MAX_BO_B) {
      share_unref(share);
      return -EINVAL;
   }
   const int ret =
      uapi_add_bo(file, sim_bo_create_file(share->fd, share->size_B), handle);
   if (ret) {
      share_unref(share);
      return ret;
   }
   struct uapi_bo *bo = uapi_get_bo(file, *handle);
   bo->share = share;
   bo->tiling = share_get_tiling(share, &bo->stride_B);
   *out = bo;
   return 0;
}

int
uapi_prime_import(struct saffron_sim_file *file, void *arg)
{
   struct drm_prime_handle *a = arg;
   struct uapi_bo *bo;
   if (fcntl(a->fd, F_GETFD) < 0)
      return -EBADF;
   return uapi_import_bo(file, a->fd, &a->handle, &bo);
}
