/* SPDX-License-Identifier: MIT */
#include "sim_fixture.h"

#include <string.h>
#include <sys/mman.h>

static void
report(void *data, const char *line)
{
   struct fixture *f = data;
   if (!f->num_reports++)
      strncpy(f->report, line, sizeof(f->report) - 1);
}

int
f_setup_gen(void **state, const char *gen)
{
   struct fixture *f = calloc(1, sizeof(*f));
   f->sim = saffron_sim_create(gen);
   assert_non_null(f->sim);
   saffron_sim_set_report(f->sim, report, f);
   f->file = saffron_sim_open(f->sim);
   assert_non_null(f->file);
   f->exec_flags = I915_EXEC_RENDER;
   *state = f;
   return 0;
}

int
f_setup(void **state)
{
   return f_setup_gen(state, "skl");
}

int
f_setup_ivb(void **state)
{
   return f_setup_gen(state, "ivb");
}

void
f_reset_bos(struct fixture *f)
{
   for (unsigned i = 0; i < f->num_bos; i++) {
      struct drm_gem_close close = { .handle = f->bos[i].handle };
      munmap(f->bos[i].map, f->bos[i].size_B);
      assert_int_equal(f_ioctl(f, DRM_IOCTL_GEM_CLOSE, &close), 0);
   }
   f->num_bos = 0;
}

int
f_teardown(void **state)
{
   struct fixture *f = *state;
   f_reset_bos(f);
   saffron_sim_close(f->file);
   saffron_sim_destroy(f->sim);
   free(f);
   return 0;
}

int
f_ioctl(struct fixture *f, unsigned long request, void *arg)
{
   return saffron_sim_ioctl(f->file, request, arg);
}

struct test_bo
f_bo(struct fixture *f, uint64_t size_B, uint64_t address)
{
   struct drm_i915_gem_create create = { .size = size_B };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CREATE, &create), 0);
   struct drm_i915_gem_mmap_offset map = { .handle = create.handle,
                                           .flags = I915_MMAP_OFFSET_WB };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map), 0);
   struct test_bo bo = {
      .handle = create.handle,
      .size_B = create.size,
      .address = address,
      .map = saffron_sim_mmap(f->file, NULL, create.size,
                              PROT_READ | PROT_WRITE, MAP_SHARED, map.offset,
                              NULL),
   };
   assert_ptr_not_equal(bo.map, MAP_FAILED);
   assert_true(f->num_bos < sizeof(f->bos) / sizeof(f->bos[0]));
   f->bos[f->num_bos++] = bo;
   return bo;
}

struct drm_i915_gem_exec_object2
f_object(const struct test_bo *bo, uint64_t flags)
{
   return (struct drm_i915_gem_exec_object2) {
      .handle = bo->handle,
      .offset = bo->address,
      .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | flags,
   };
}

int
f_idle(struct fixture *f, uint32_t handle)
{
   struct drm_i915_gem_wait w = { .bo_handle = handle, .timeout_ns = -1 };
   return f_ioctl(f, DRM_IOCTL_I915_GEM_WAIT, &w);
}

int
f_run(struct fixture *f, const struct test_bo *bo)
{
   struct drm_i915_gem_exec_object2 objects[32];
   unsigned n = 0;
   for (unsigned i = 0; i < f->num_bos; i++) {
      if (f->bos[i].handle != bo->handle)
         objects[n++] = f_object(&f->bos[i], EXEC_OBJECT_WRITE);
   }
   objects[n++] = f_object(bo, 0);
   struct drm_i915_gem_execbuffer2 e = { .buffers_ptr = (uintptr_t)objects,
                                         .buffer_count = n,
                                         .flags = f->exec_flags };
   const int ret = f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e);
   return ret ? ret : f_idle(f, bo->handle);
}

unsigned
f_resets(struct fixture *f)
{
   struct drm_i915_reset_stats r = { 0 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GET_RESET_STATS, &r), 0);
   return r.batch_active;
}
