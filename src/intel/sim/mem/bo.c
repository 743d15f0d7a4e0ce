/* SPDX-License-Identifier: MIT */
/* Buffer objects: see mem.h. */
#include <sys/mman.h>
#include <unistd.h>

#include "mem.h"

static struct sim_bo *
bo_new(uint8_t *map, uint64_t size_B, int fd)
{
   struct sim_bo *bo = calloc(1, sizeof(*bo));
   if (!bo)
      return NULL;
   bo->map = map;
   bo->size_B = size_B;
   bo->fd = fd;
   bo->refcount = 1;
   list_inithead(&bo->vmas);
   return bo;
}

struct sim_bo *
sim_bo_create(uint64_t size_B)
{
   assert(size_B && size_B % SIM_PAGE_SIZE == 0 && "whole pages");
   const int fd = memfd_create("saffron-bo", MFD_CLOEXEC);
   if (fd < 0)
      return NULL;
   if (ftruncate(fd, (off_t)size_B))
      goto fail_fd;
   void *map = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   if (map == MAP_FAILED)
      goto fail_fd;
   struct sim_bo *bo = bo_new(map, size_B, fd);
   if (bo)
      return bo;
   munmap(map, size_B);
fail_fd:
   close(fd);
   return NULL;
}

struct sim_bo *
sim_bo_create_user(void *memory, uint64_t size_B)
{
   struct sim_bo *bo = bo_new(memory, size_B, -1);
   if (bo)
      bo->user_memory = true;
   return bo;
}

void
sim_bo_ref(struct sim_bo *bo)
{
   __atomic_add_fetch(&bo->refcount, 1, __ATOMIC_RELAXED);
}

void
sim_bo_unref(struct sim_bo *bo)
{
   if (__atomic_sub_fetch(&bo->refcount, 1, __ATOMIC_ACQ_REL))
      return;
   assert(list_is_empty(&bo->vmas) && "a mapping holds a reference");
   if (!bo->user_memory)
      munmap(bo->map, bo->size_B);
   if (bo->fd >= 0)
      close(bo->fd);
   free(bo);
}
