/* SPDX-License-Identifier: MIT */
/* Buffer objects: life, contents, domains (i915_drm.h, "GEM"). */
#include <sys/mman.h>

#include "uapi.h"

struct uapi_bo *
uapi_get_bo(struct saffron_sim_file *file, uint32_t handle)
{
   return sim_ids_get(&file->bos, handle);
}

bool
uapi_owns_bo(const struct saffron_sim_file *file, const struct uapi_bo *bo)
{
   for (uint32_t i = 0; i < file->bos.size; i++) {
      if (file->bos.slot[i] == bo)
         return true;
   }
   return false;
}

static void
bo_free(struct saffron_sim *sim, struct uapi_bo *bo)
{
   list_for_each_entry_safe(struct sim_vma, vma, &bo->mem->vmas, bo_link)
      sim_vm_unbind(vma);
   if (bo->map_id)
      sim_ids_remove(&sim->maps, bo->map_id);
   list_del(&bo->link);
   uapi_flink_drop(bo, false);
   if (bo->share)
      share_unref(bo->share);
   sim_bo_unref(bo->mem);
   free(bo);
}

void
uapi_bo_collect(struct saffron_sim *sim, struct uapi_bo *bo)
{
   if (bo->handles || bo->jobs)
      return;
   if (sim->running) {
      list_del(&bo->link);
      list_addtail(&bo->link, &sim->zombies);
   } else {
      bo_free(sim, bo);
   }
}

void
uapi_bo_collect_zombies(struct saffron_sim *sim)
{
   list_for_each_entry_safe(struct uapi_bo, bo, &sim->zombies, link)
      bo_free(sim, bo);
}

void
uapi_bo_drop_handle(struct saffron_sim *sim, struct uapi_bo *bo)
{
   bo->handles--;
   uapi_bo_collect(sim, bo);
}

int
uapi_add_bo(struct saffron_sim_file *file, struct sim_bo *mem,
            uint32_t *handle)
{
   if (!mem)
      return -ENOMEM;
   struct uapi_bo *bo = calloc(1, sizeof(*bo));
   if (bo)
      *handle = sim_ids_add(&file->bos, 1, bo);
   if (!bo || !*handle) {
      free(bo);
      sim_bo_unref(mem);
      return -ENOMEM;
   }
   bo->mem = mem;
   bo->handles = 1;
   /* The last-level cache is shared, where there is one. */
   bo->caching = file->sim->gpu.info->has_llc ? I915_CACHING_CACHED
                                              : I915_CACHING_NONE;
   list_addtail(&bo->link, &file->sim->bos);
   return 0;
}

int
uapi_gem_create(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_create *a = arg;
   /* Whole pages, of which the last are none. */
   if (!a->size || a->size > UINT64_MAX - SIM_PAGE_SIZE + 1)
      return -EINVAL;
   if (a->size > UAPI_MAX_BO_B)
      return -E2BIG;
   a->size = ALIGN(a->size, SIM_PAGE_SIZE);
   return uapi_add_bo(file, sim_bo_create(a->size), &a->handle);
}

static int
create_extension(void *data, uint32_t name, uint64_t address)
{
   struct drm_i915_gem_create_ext_memory_regions ext;
   if (name == I915_GEM_CREATE_EXT_PROTECTED_CONTENT)
      return -ENODEV;
   if (name != I915_GEM_CREATE_EXT_MEMORY_REGIONS)
      return -EINVAL;
   int ret = uapi_copy_in(&ext, address, sizeof(ext));
   if (ret)
      return ret;
   /* There is one region, which a list may name once. */
   struct drm_i915_gem_memory_class_instance region;
   if (ext.pad || ext.num_regions != 1)
      return -EINVAL;
   ret = uapi_copy_in(&region, ext.regions, sizeof(region));
   if (ret)
      return ret;
   return region.memory_class == I915_MEMORY_CLASS_SYSTEM &&
                region.memory_instance == 0
             ? 0
             : -EINVAL;
}

int
uapi_gem_create_ext(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_create_ext *a = arg;
   if (a->flags)
      return -EINVAL;
   const int ret =
      uapi_walk_extensions(a->extensions, create_extension, NULL);
   if (ret)
      return ret;
   struct drm_i915_gem_create create = { .size = a->size };
   const int err = uapi_gem_create(file, &create);
   a->size = create.size;
   a->handle = create.handle;
   return err;
}

/* Where memory of processes ends (access_ok()). */
#define USER_END (BITFIELD64_BIT(47) - SIM_PAGE_SIZE)

/* Whether the caller's memory is there, writable: the GPU is going to touch
 * all of it. */
static bool
probe(uint64_t address, uint64_t size_B)
{
   for (uint64_t at = address; at < address + size_B; at += SIM_PAGE_SIZE) {
      uint8_t byte;
      if (uapi_copy_in(&byte, at, 1) || uapi_copy_out(at, &byte, 1))
         return false;
   }
   return true;
}

int
uapi_gem_userptr(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_userptr *a = arg;
   if (a->flags & ~(uint32_t)(I915_USERPTR_READ_ONLY | I915_USERPTR_PROBE |
                              I915_USERPTR_UNSYNCHRONIZED))
      return -EINVAL;
   if (a->user_size > UAPI_MAX_BO_B)
      return -E2BIG;
   if (!a->user_size || a->user_ptr % SIM_PAGE_SIZE ||
       a->user_size % SIM_PAGE_SIZE)
      return -EINVAL;
   /* As in the kernel: the former is gone, the latter needs page tables with
    * such a bit. */
   if (a->flags & (I915_USERPTR_UNSYNCHRONIZED | I915_USERPTR_READ_ONLY))
      return -ENODEV;
   if (a->user_ptr > USER_END - a->user_size)
      return -EFAULT;
   const bool found = probe(a->user_ptr, a->user_size);
   if (!found && (a->flags & I915_USERPTR_PROBE))
      return -EFAULT;
   struct uapi_bo *bo;
   const int ret = uapi_add_bo(
      file, sim_bo_create_user((void *)(uintptr_t)a->user_ptr, a->user_size),
      &a->handle);
   if (!ret && !found) {
      bo = uapi_get_bo(file, a->handle);
      bo->unprobed = true;
   }
   return ret;
}

int
uapi_gem_close(struct saffron_sim_file *file, void *arg)
{
   const struct drm_gem_close *a = arg;
   struct uapi_bo *bo = sim_ids_remove(&file->bos, a->handle);
   if (!bo)
      return -EINVAL;
   uapi_bo_drop_handle(file->sim, bo);
   return 0;
}

/*
 * Contents
 */

static bool
range_ok(const struct uapi_bo *bo, uint64_t offset, uint64_t size_B)
{
   return offset <= bo->mem->size_B && size_B <= bo->mem->size_B - offset;
}

/* The caller's memory may have been unmapped since. */
static bool
is_mapped(const struct sim_bo *mem)
{
   enum { AT_ONCE = 4096 };
   uint8_t pages[AT_ONCE];
   const uint64_t chunk_B = (uint64_t)AT_ONCE * SIM_PAGE_SIZE;
   for (uint64_t at = 0; at < mem->size_B; at += chunk_B) {
      if (mincore(mem->map + at, MIN2(mem->size_B - at, chunk_B), pages))
         return false;
   }
   return true;
}

int
uapi_get_pages(struct uapi_bo *bo)
{
   if (bo->madv == UAPI_MADV_PURGED)
      return -EFAULT;
   if (bo->unprobed && !probe((uintptr_t)bo->mem->map, bo->mem->size_B))
      return -EFAULT;
   bo->unprobed = false;
   if (bo->mem->user_memory && !is_mapped(bo->mem))
      return -EFAULT;
   bo->has_pages = true;
   return 0;
}

int
uapi_gem_pread(struct saffron_sim_file *file, void *arg)
{
   const struct drm_i915_gem_pread *a = arg;
   struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   if (!range_ok(bo, a->offset, a->size))
      return -EINVAL;
   if (bo->mem->user_memory)
      return -EINVAL; /* i915_gem_userptr_pread() */
   const struct drm_i915_gem_pread args = *a;
   uapi_wait_bo(file->sim, bo, false, UINT64_MAX);
   bo = uapi_get_bo(file, args.handle);
   if (!bo)
      return -ENOENT;
   const int ret = uapi_get_pages(bo);
   if (ret)
      return ret;
   return uapi_copy_out(args.data_ptr, bo->mem->map + args.offset, args.size);
}

int
uapi_gem_pwrite(struct saffron_sim_file *file, void *arg)
{
   const struct drm_i915_gem_pwrite *a = arg;
   struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   if (!range_ok(bo, a->offset, a->size) || bo->mem->user_memory)
      return -EINVAL;
   uapi_wait_bo(file->sim, bo, true, UINT64_MAX);
   bo = uapi_get_bo(file, a->handle);
   if (!bo || !range_ok(bo, a->offset, a->size))
      return -ENOENT;
   if (bo->madv == UAPI_MADV_PURGED)
      return -EFAULT;
   return uapi_copy_in(bo->mem->map + a->offset, a->data_ptr, a->size);
}

static uint64_t
map_offset(struct saffron_sim *sim, struct uapi_bo *bo)
{
   if (!bo->map_id)
      bo->map_id = sim_ids_add(&sim->maps, 1, bo);
   return (uint64_t)bo->map_id << UAPI_MAP_SHIFT;
}

/* Both MMAP_GTT and MMAP_OFFSET, which share their number: the shorter
 * structure has no flags, which then are 0, I915_MMAP_OFFSET_GTT. */
int
uapi_gem_mmap_offset(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_mmap_offset *a = arg;
   const int ret = uapi_no_extensions(a->extensions);
   if (ret)
      return ret;
   if (a->flags > I915_MMAP_OFFSET_UC)
      return -EINVAL;
   struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   /* The aperture would untile it by a fence register: there is none, and
    * no driver that we run wants one (docs/simulator.rst). */
   if (a->flags == I915_MMAP_OFFSET_GTT && bo->tiling != I915_TILING_NONE)
      return -ENODEV;
   if (bo->mem->user_memory)
      return -ENODEV;
   a->offset = map_offset(file->sim, bo);
   return a->offset ? 0 : -ENOMEM;
}

int
uapi_gem_mmap(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_mmap *a = arg;
   if (a->flags & ~(uint64_t)I915_MMAP_WC)
      return -EINVAL;
   const struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   if (bo->mem->user_memory)
      return -ENXIO;
   if (!a->size || a->offset % SIM_PAGE_SIZE ||
       !range_ok(bo, a->offset, a->size))
      return -EINVAL;
   void *map;
   const int err = sim_bo_map(bo->mem, a->offset, a->size,
                              PROT_READ | PROT_WRITE, NULL, &map);
   if (err)
      return -err;
   a->addr_ptr = (uintptr_t)map;
   return 0;
}

/*
 * Domains and activity
 */

int
uapi_gem_set_domain(struct saffron_sim_file *file, void *arg)
{
   const struct drm_i915_gem_set_domain *a = arg;
   const uint32_t cpu = I915_GEM_DOMAIN_CPU | I915_GEM_DOMAIN_GTT |
                        I915_GEM_DOMAIN_WC;
   if ((a->read_domains | a->write_domain) & ~cpu)
      return -EINVAL;
   if (a->write_domain && a->read_domains != a->write_domain)
      return -EINVAL;
   if (!a->read_domains)
      return 0;
   struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   const int ret = uapi_get_pages(bo);
   return ret ? ret
              : uapi_wait_bo(file->sim, bo, a->write_domain != 0, UINT64_MAX);
}

int
uapi_gem_sw_finish(struct saffron_sim_file *file, void *arg)
{
   const struct drm_i915_gem_sw_finish *a = arg;
   return uapi_get_bo(file, a->handle) ? 0 : -ENOENT;
}

int
uapi_gem_wait(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_wait *a = arg;
   if (a->flags)
      return -EINVAL;
   struct uapi_bo *bo = uapi_get_bo(file, a->bo_handle);
   if (!bo)
      return -ENOENT;
   const uint64_t start = sim_gpu_now_ns();
   uint64_t deadline = UINT64_MAX;
   if (a->timeout_ns >= 0 && (uint64_t)a->timeout_ns < UINT64_MAX - 1 - start)
      deadline = start + (uint64_t)a->timeout_ns;
   const int ret = uapi_wait_bo(file->sim, bo, true, deadline);
   if (a->timeout_ns > 0) {
      const uint64_t now = sim_gpu_now_ns();
      a->timeout_ns -= (int64_t)MIN2(now - start, (uint64_t)a->timeout_ns);
   }
   return ret;
}

int
uapi_gem_busy(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_busy *a = arg;
   const struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   /* High half: readers, the writer among them, a bit for each class; low
    * half: the writer's class plus one. Other processes count as render. */
   bool reads = false, writes = false;
   if (bo->share)
      share_busy(bo->share, &reads, &writes);
   a->busy = 0;
   if (reads || writes)
      a->busy |= 0x10000 << I915_ENGINE_CLASS_RENDER;
   if (writes)
      a->busy |= I915_ENGINE_CLASS_RENDER + 1;
   if (!uapi_signaled(file->sim, bo->use_seqno))
      a->busy |= (uint32_t)bo->readers << 16;
   if (!uapi_signaled(file->sim, bo->write_seqno))
      a->busy |= bo->writer;
   return 0;
}

int
uapi_gem_throttle(struct saffron_sim_file *file, void *arg)
{
   return file->default_ctx->banned ? -EIO : 0;
}

/*
 * Attributes
 */

int
uapi_gem_madvise(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_madvise *a = arg;
   if (a->madv != I915_MADV_WILLNEED && a->madv != I915_MADV_DONTNEED)
      return -EINVAL;
   struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   if (bo->madv != UAPI_MADV_PURGED)
      bo->madv = a->madv;
   /* i915_gem_madvise_ioctl(): what has no pages has nothing to keep. */
   if (bo->madv == I915_MADV_DONTNEED && !bo->has_pages)
      bo->madv = UAPI_MADV_PURGED;
   a->retained = bo->madv != UAPI_MADV_PURGED;
   return 0;
}

bool
uapi_tiling_ok(uint32_t tiling, uint32_t stride_B)
{
   switch (tiling) {
   case I915_TILING_NONE: return stride_B == 0;
   case I915_TILING_X:
   case I915_TILING_Y:
      /* The pitch field of fences, Gen7 and later. */
      return stride_B && stride_B <= 128 * 2048 &&
             stride_B % (tiling == I915_TILING_X ? 512 : 128) == 0;
   default: return false;
   }
}

int
uapi_gem_set_tiling(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_set_tiling *a = arg;
   struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   if (a->tiling_mode == I915_TILING_NONE)
      a->stride = 0;
   if (!uapi_tiling_ok(a->tiling_mode, a->stride))
      return -EINVAL;
   a->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
   bo->tiling = a->tiling_mode;
   bo->stride_B = a->stride;
   if (bo->share)
      share_set_tiling(bo->share, bo->tiling, bo->stride_B);
   return 0;
}

int
uapi_gem_get_tiling(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_get_tiling *a = arg;
   const struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   uint32_t stride_B;
   a->tiling_mode = bo->share ? share_get_tiling(bo->share, &stride_B)
                              : bo->tiling;
   a->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
   a->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
   return 0;
}

int
uapi_gem_set_caching(struct saffron_sim_file *file, void *arg)
{
   const struct drm_i915_gem_caching *a = arg;
   struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   if (a->caching > I915_CACHING_DISPLAY)
      return -EINVAL;
   bo->caching = a->caching;
   return 0;
}

int
uapi_gem_get_caching(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_caching *a = arg;
   const struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   a->caching = bo->caching;
   return 0;
}

int
uapi_gem_get_aperture(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_get_aperture *a = arg;
   a->aper_size = BITFIELD64_BIT(MIN2(file->sim->gpu.info->address_bits, 32));
   a->aper_available_size = a->aper_size;
   return 0;
}
