/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects: see mem.h.
 *
 * Shared anonymous memory, and no file behind it: programs have thousands of
 * objects, but often no more than a thousand file descriptors. Further
 * mappings are made by mremap() with an old size of 0, which maps the same
 * pages once more (mremap(2)); the pages live as long as one of them.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mem.h"

static struct sim_bo *
bo_new(uint8_t *map, uint64_t size_B)
{
   struct sim_bo *bo = calloc(1, sizeof(*bo));
   if (!bo)
      return NULL;
   bo->map = map;
   bo->size_B = size_B;
   bo->refcount = 1;
   list_inithead(&bo->vmas);
   return bo;
}

struct sim_bo *
sim_bo_create(uint64_t size_B)
{
   assert(size_B && size_B % SIM_PAGE_SIZE == 0 && "whole pages");
   void *map = mmap(NULL, size_B, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (map == MAP_FAILED)
      return NULL;
   struct sim_bo *bo = bo_new(map, size_B);
   if (!bo)
      munmap(map, size_B);
   return bo;
}

struct sim_bo *
sim_bo_create_user(void *memory, uint64_t size_B)
{
   struct sim_bo *bo = bo_new(memory, size_B);
   if (bo)
      bo->user_memory = true;
   return bo;
}

int
sim_bo_map(const struct sim_bo *bo, uint64_t offset, size_t size_B, int prot,
           void *fixed, void **map)
{
   assert(offset % SIM_PAGE_SIZE == 0 && offset < bo->size_B &&
          size_B <= bo->size_B - offset);
   if (bo->user_memory)
      return ENODEV;
   uint8_t *from = bo->map + offset;
   *map = fixed ? mremap(from, 0, size_B, MREMAP_MAYMOVE | MREMAP_FIXED,
                         fixed)
                : mremap(from, 0, size_B, MREMAP_MAYMOVE);
   if (*map == MAP_FAILED)
      return errno;
   if (prot != (PROT_READ | PROT_WRITE) && mprotect(*map, size_B, prot)) {
      const int err = errno;
      munmap(*map, size_B);
      return err;
   }
   return 0;
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
   free(bo);
}
