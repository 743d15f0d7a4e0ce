/* SPDX-License-Identifier: MIT */
/*
 * The two devices. Requests are i915's alone and need no rights beyond those
 * of the render node. Objects lie at addresses that we choose, below 4 GiB,
 * where messages with addresses of 32 bits find them.
 */
#include "chip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include <drm.h>
#include <i915_drm.h>

#include "saffron/sim.h"
#include "util/environment.h"

#define NS_PER_S 1000000000ll
/* How long the kernel may take to notice a hang and to reset the engine. */
#define RESET_LIMIT_NS (60 * NS_PER_S)

/* Where our buffers begin; the next one if another object is in the way, as
 * what is shown is where chips have one address space for all. */
#define FIRST_BASE 0x20000000ull
#define BASE_STEP 0x04000000ull
#define NUM_BASES 16

int
chip_ioctl(struct chip_device *d, unsigned long request, void *arg)
{
   int ret;
   if (!d->path) {
      ret = saffron_sim_ioctl(d->file, request, arg);
   } else {
      do
         ret = ioctl(d->fd, request, arg) ? -errno : 0;
      while (ret == -EINTR || ret == -EAGAIN);
   }
   if (ret < 0)
      d->error = -ret;
   return MIN2(ret, 0);
}

static void *
map_object(struct chip_device *d, uint64_t offset, uint64_t size_B)
{
   const int prot = PROT_READ | PROT_WRITE;
   void *map = d->path
                  ? mmap(NULL, size_B, prot, MAP_SHARED, d->fd, (off_t)offset)
                  : saffron_sim_mmap(d->file, NULL, size_B, prot, MAP_SHARED,
                                     offset, &d->error);
   if (map == MAP_FAILED && d->path)
      d->error = errno;
   return map == MAP_FAILED ? NULL : map;
}

bool
chip_bo_create(struct chip_device *d, struct chip_bo *bo, uint64_t address,
               uint64_t size_B)
{
   struct drm_i915_gem_create create = { .size = size_B };
   *bo = (struct chip_bo) { .address = address };
   if (chip_ioctl(d, DRM_IOCTL_I915_GEM_CREATE, &create))
      return false;
   bo->handle = create.handle;
   bo->size_B = create.size;
   struct drm_i915_gem_mmap_offset where = { .handle = create.handle,
                                             .flags = I915_MMAP_OFFSET_WB };
   if (!chip_ioctl(d, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &where))
      bo->map = map_object(d, where.offset, create.size);
   if (bo->map)
      return true;
   chip_bo_destroy(d, bo);
   return false;
}

void
chip_bo_destroy(struct chip_device *d, struct chip_bo *bo)
{
   struct drm_gem_close close = { .handle = bo->handle };
   if (bo->map)
      munmap(bo->map, bo->size_B);
   if (bo->handle)
      chip_ioctl(d, DRM_IOCTL_GEM_CLOSE, &close);
   *bo = (struct chip_bo) { 0 };
}

static int64_t
now_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* What is not done in time is a hang; it is waited for until the kernel has
 * taken it away. */
static bool
wait_done(struct chip_device *d, uint32_t handle)
{
   const int64_t start = now_ns();
   struct drm_i915_gem_wait wait = { .bo_handle = handle,
                                     .timeout_ns = (int64_t)d->limit_ns };
   if (chip_ioctl(d, DRM_IOCTL_I915_GEM_WAIT, &wait) == 0)
      return true;
   while (now_ns() - start < RESET_LIMIT_NS) {
      wait.timeout_ns = NS_PER_S;
      if (chip_ioctl(d, DRM_IOCTL_I915_GEM_WAIT, &wait) == 0)
         break;
   }
   return false;
}

static bool
context_is_whole(struct chip_device *d, uint32_t context)
{
   struct drm_i915_reset_stats stats = { .ctx_id = context };
   return chip_ioctl(d, DRM_IOCTL_I915_GET_RESET_STATS, &stats) == 0 &&
          !stats.batch_active && !stats.batch_pending;
}

static enum chip_status
submit(struct chip_device *d, uint32_t context,
       const struct chip_bo *const *bos, unsigned n, uint64_t batch_address,
       uint64_t flags)
{
   struct drm_i915_gem_exec_object2 *objects = calloc(n, sizeof(*objects));
   struct drm_i915_gem_execbuffer2 exec = {
      .buffers_ptr = (uintptr_t)objects,
      .buffer_count = n,
      .flags = flags,
      .rsvd1 = context,
   };
   if (!objects) {
      d->error = ENOMEM;
      return CHIP_REFUSED;
   }
   for (unsigned i = 0; i < n; i++) {
      const uint64_t top = bos[i]->address + bos[i]->size_B;
      objects[i] = (struct drm_i915_gem_exec_object2) {
         .handle = bos[i]->handle,
         .offset = bos[i]->address,
         .flags = EXEC_OBJECT_PINNED |
                  (i < n - 1 ? EXEC_OBJECT_WRITE : 0) | /* not the batch */
                  (top > 1ull << 32 ? EXEC_OBJECT_SUPPORTS_48B_ADDRESS : 0),
      };
   }
   exec.batch_start_offset = (uint32_t)(batch_address - bos[n - 1]->address);
   const int ret = chip_ioctl(d, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec);
   free(objects);
   if (ret)
      return ret == -EIO ? CHIP_HANG : CHIP_REFUSED;
   return wait_done(d, bos[n - 1]->handle) && context_is_whole(d, context)
             ? CHIP_DONE
             : CHIP_HANG;
}

bool
chip_context_create(struct chip_device *d, uint32_t *context)
{
   struct drm_i915_gem_context_create create = { 0 };
   if (chip_ioctl(d, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create))
      return false;
   *context = create.ctx_id;
   return true;
}

/* The error that matters is that of before. */
void
chip_context_destroy(struct chip_device *d, uint32_t context)
{
   const int error = d->error;
   struct drm_i915_gem_context_destroy destroy = { .ctx_id = context };
   chip_ioctl(d, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy);
   d->error = error;
}

enum chip_status
chip_execute_in(struct chip_device *d, uint32_t context,
                const struct chip_bo *const *bos, unsigned n,
                uint64_t batch_address, uint64_t flags)
{
   const enum chip_status status =
      submit(d, context, bos, n, batch_address, flags);
   const int error = d->error;
   /* What the chip has written, for the processor. */
   for (unsigned i = 0; i < n; i++) {
      struct drm_i915_gem_set_domain domain = {
         .handle = bos[i]->handle,
         .read_domains = I915_GEM_DOMAIN_CPU,
         .write_domain = I915_GEM_DOMAIN_CPU,
      };
      chip_ioctl(d, DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain);
   }
   d->error = error;
   return status;
}

enum chip_status
chip_execute(struct chip_device *d, const struct chip_bo *const *bos,
             unsigned n, uint64_t batch_address, uint64_t flags)
{
   uint32_t context;
   if (!chip_context_create(d, &context))
      return CHIP_REFUSED;
   const enum chip_status status =
      chip_execute_in(d, context, bos, n, batch_address, flags);
   chip_context_destroy(d, context);
   return status;
}

static void
destroy_buffers(struct chip_device *d)
{
   for (unsigned i = 0; i < CHIP_BUFFERS; i++)
      chip_bo_destroy(d, &d->bos[i]);
}

/* An empty batch with all buffers says whether the place is free. */
static bool
create_buffers(struct chip_device *d)
{
   for (unsigned i = 0; i < NUM_BASES; i++) {
      const uint64_t base = FIRST_BASE + i * BASE_STEP;
      for (unsigned b = 0; b < CHIP_BUFFERS; b++) {
         if (!chip_bo_create(d, &d->bos[b], base + b * CHIP_BUFFER_B,
                             CHIP_BUFFER_B))
            return false;
      }
      chip_start(d);
      const enum chip_status status = chip_finish(d, 0, NULL);
      if (status == CHIP_DONE)
         return true;
      destroy_buffers(d);
      if (status == CHIP_HANG || d->error != ENOSPC)
         return false;
   }
   return false;
}

static int
get_param(struct chip_device *d, int param)
{
   int value = -1;
   struct drm_i915_getparam get = { .param = param, .value = &value };
   return chip_ioctl(d, DRM_IOCTL_I915_GETPARAM, &get) ? -1 : value;
}

/* The id that the bus tells; what the kernel says is judged by it. */
static int
bus_id(int fd)
{
   struct stat st;
   char path[128];
   unsigned id = 0;
   if (fstat(fd, &st))
      return -1;
   snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/device",
            major(st.st_rdev), minor(st.st_rdev));
   FILE *f = fopen(path, "re");
   const int n = f ? fscanf(f, "%x", &id) : 0;
   if (f)
      fclose(f);
   return n == 1 ? (int)id : -1;
}

static bool
open_file(struct chip_device *d)
{
   d->fd = open(d->path, O_RDWR | O_CLOEXEC);
   if (d->fd >= 0)
      return true;
   fprintf(stderr, "saffron-chip: %s: %s\n", d->path, strerror(errno));
   return false;
}

static void
set_info(struct chip_device *d, const struct intel_device_info *info)
{
   d->info = info;
   d->gen = isa_gen_from_number(info->verx10);
   d->spec = genxml_spec_get(info->verx10);
}

bool
chip_open_node(struct chip_device *d, const char *path)
{
   d->path = path;
   if (!open_file(d))
      return false;
   const int told = get_param(d, I915_PARAM_CHIPSET_ID), bus = bus_id(d->fd);
   const int id = bus >= 0 ? bus : told;
   const struct intel_device_info *info =
      id >= 0 ? intel_device_info_by_pci_id((uint16_t)id) : NULL;
   if (told < 0)
      fprintf(stderr, "saffron-chip: %s: not a device of the i915 driver\n",
              path);
   else if (!info)
      fprintf(stderr,
              "saffron-chip: %s: the chip 0x%04x is none of Gen7 to "
              "Gen9 that is known here\n",
              path, (unsigned)id);
   if (told < 0 || !info) {
      close(d->fd);
      return false;
   }
   set_info(d, info);
   if (create_buffers(d))
      return true;
   fprintf(stderr, "saffron-chip: %s: an empty batch: %s\n", path,
           strerror(d->error));
   chip_close(d);
   return false;
}

/* The simulator's own words are not the report's. */
static void
drop_line(UNUSED void *data, UNUSED const char *line)
{
}

bool
chip_open_sim(struct chip_device *d, const char *name)
{
   d->fd = -1;
   d->sim = saffron_sim_create(name);
   d->file = d->sim ? saffron_sim_open(d->sim) : NULL;
   if (d->file) {
      if (!environment_get("SAFFRON_CHIP_VERBOSE"))
         saffron_sim_set_report(d->sim, drop_line, NULL);
      set_info(d, intel_device_info_by_name(name));
      if (create_buffers(d))
         return true;
   }
   fprintf(stderr, "saffron-chip: the simulator of %s cannot be made\n",
           name);
   chip_close(d);
   return false;
}

void
chip_close(struct chip_device *d)
{
   destroy_buffers(d);
   if (d->path) {
      close(d->fd);
      return;
   }
   saffron_sim_close(d->file);
   saffron_sim_destroy(d->sim);
}

bool
chip_reopen(struct chip_device *d)
{
   destroy_buffers(d);
   if (d->path) {
      close(d->fd);
      return open_file(d) && create_buffers(d);
   }
   saffron_sim_close(d->file);
   d->file = saffron_sim_open(d->sim);
   return d->file && create_buffers(d);
}
