/* SPDX-License-Identifier: MIT */
/* The i915 kernel interface: what it answers, and what it refuses. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "intel/sim/tests/sim_fixture.h"
#include "intel/sim/uapi/uapi.h"

#include "intel/genxml/gen7_pack.h"
#include "util/tests/rights.h"

static void
test_unknown_generation(void **state)
{
   assert_null(saffron_sim_create("gen42"));
   assert_null(saffron_sim_create(NULL));
}

/* What nobody would look at, a program must not run without. */
static void
test_wrong_environment(void **state)
{
   static const char *const rows[][2] = {
      { "SAFFRON_SIM_STRICT", "maybe" },
      { "SAFFRON_SIM_RULES", "ZZ-99" },
      { "SAFFRON_SIM_CHAOS", "abc" },
      { "SAFFRON_SIM_CHAOS", "1:noise" },
      { "SAFFRON_SIM_TRACE_FILTER", "pixel=x" },
   };
   setenv("SAFFRON_SIM_TRACE_FILE", "/dev/null", 1);
   setenv("SAFFRON_SIM_STRICT", "report", 1);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const char *old = getenv(rows[i][0]);
      char *before = old ? strdup(old) : NULL;
      setenv(rows[i][0], rows[i][1], 1);
      assert_null(saffron_sim_create("skl"));
      if (before)
         setenv(rows[i][0], before, 1);
      else
         unsetenv(rows[i][0]);
      free(before);
   }
   struct saffron_sim *sim = saffron_sim_create("skl");
   assert_non_null(sim);
   saffron_sim_destroy(sim);
   unsetenv("SAFFRON_SIM_TRACE_FILE");
   unsetenv("SAFFRON_SIM_STRICT");
}

static void
test_version(void **state)
{
   struct fixture *f = *state;
   char name[3] = { 'x', 'x', 'x' };
   struct drm_version v = { .name = name, .name_len = 2 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_VERSION, &v), 0);
   assert_int_equal(v.version_major, 1);
   assert_int_equal(v.name_len, 4);
   assert_memory_equal(name, "i9x", 3); /* no more than there is room for */
}

static int
getparam(struct fixture *f, int param, int *value)
{
   struct drm_i915_getparam gp = { .param = param, .value = value };
   return f_ioctl(f, DRM_IOCTL_I915_GETPARAM, &gp);
}

static void
test_getparam(void **state)
{
   struct fixture *f = *state;
   int v = 0;
   assert_int_equal(getparam(f, I915_PARAM_CHIPSET_ID, &v), 0);
   assert_int_equal(v, saffron_sim_pci_id(f->sim));
   assert_int_equal(getparam(f, I915_PARAM_HAS_EXEC_SOFTPIN, &v), 0);
   assert_int_equal(v, 1);
   assert_int_equal(getparam(f, 4711, &v), -EINVAL);
   assert_int_equal(getparam(f, I915_PARAM_HAS_SCHEDULER, &v), 0);
   assert_int_equal(v,
                    I915_SCHEDULER_CAP_ENABLED | I915_SCHEDULER_CAP_PRIORITY);
   assert_int_equal(getparam(f, I915_PARAM_CHIPSET_ID, NULL), -EFAULT);
   assert_int_equal(getparam(f, I915_PARAM_CHIPSET_ID, (int *)8), -EFAULT);
}

static void
test_unknown_requests(void **state)
{
   struct fixture *f = *state;
   uint64_t arg[8] = { 0 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_INIT, arg), -EINVAL);
   assert_int_equal(f_ioctl(f, _IOWR('q', 0x44, uint64_t), arg), -ENOTTY);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_GEM_FLINK, arg), -EACCES);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GETPARAM, NULL), -EFAULT);
   /* A render node has no display, and says so; a primary node has none
    * either. */
   assert_int_equal(f_ioctl(f, DRM_IOCTL_MODE_GETRESOURCES, arg), -EACCES);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SET_MASTER, NULL), -EACCES);
   struct saffron_sim_file *p = saffron_sim_open_primary(f->sim);
   assert_int_equal(saffron_sim_ioctl(p, DRM_IOCTL_MODE_GETRESOURCES, arg),
                    -EOPNOTSUPP);
   assert_int_equal(saffron_sim_ioctl(p, DRM_IOCTL_SET_MASTER, NULL), 0);
   struct drm_auth auth = { 0 };
   assert_int_equal(saffron_sim_ioctl(p, DRM_IOCTL_GET_MAGIC, &auth), 0);
   assert_int_equal(saffron_sim_ioctl(p, DRM_IOCTL_AUTH_MAGIC, &auth), 0);
   saffron_sim_close(p);
}

static void
test_create_and_map(void **state)
{
   struct fixture *f = *state;
   struct drm_i915_gem_create create = { .size = 0 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CREATE, &create), -EINVAL);
   create.size = -4096ull;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CREATE, &create), -E2BIG);
   create.size = 5000;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CREATE, &create), 0);
   assert_int_equal(create.size, 8192);

   struct drm_i915_gem_mmap_offset map = { .handle = create.handle,
                                           .flags = I915_MMAP_OFFSET_WB };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map), 0);
   int err = 0;
   uint8_t *p = saffron_sim_mmap(f->file, NULL, 8192, PROT_READ | PROT_WRITE,
                                 MAP_SHARED, map.offset, &err);
   assert_ptr_not_equal(p, MAP_FAILED);
   uint8_t *q = saffron_sim_mmap(f->file, NULL, 4096, PROT_READ, MAP_SHARED,
                                 map.offset + 4096, &err);
   assert_ptr_not_equal(q, MAP_FAILED);
   p[4096] = 77;
   assert_int_equal(q[0], 77);
   assert_ptr_equal(saffron_sim_mmap(f->file, NULL, 12288, PROT_READ,
                                     MAP_SHARED, map.offset, &err),
                    MAP_FAILED);
   assert_int_equal(err, EINVAL);

   uint8_t byte = 0;
   struct drm_i915_gem_pread pread = { .handle = create.handle,
                                       .offset = 4096,
                                       .size = 1,
                                       .data_ptr = (uintptr_t)&byte };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_PREAD, &pread), 0);
   assert_int_equal(byte, 77);
   pread.offset = 8192;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_PREAD, &pread), -EINVAL);
   pread.offset = ~0ull;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_PREAD, &pread), -EINVAL);
   pread.offset = 0;
   pread.handle = 999;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_PREAD, &pread), -ENOENT);

   /* The mapping outlives the handle; the handle is gone at once. */
   struct drm_gem_close close = { .handle = create.handle };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_GEM_CLOSE, &close), 0);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_GEM_CLOSE, &close), -EINVAL);
   p[4096]++;
   assert_int_equal(q[0], 78);
   assert_ptr_equal(saffron_sim_mmap(f->file, NULL, 4096, PROT_READ,
                                     MAP_SHARED, map.offset, &err),
                    MAP_FAILED);
   assert_int_equal(saffron_sim_munmap(f->file, p, 8192), 0);
   assert_int_equal(saffron_sim_munmap(f->file, q, 4096), 0);
}

static void
test_prime_keeps_identity(void **state)
{
   struct fixture *f = *state;
   struct test_bo bo = f_bo(f, 4096, 0x100000);
   struct drm_prime_handle p = { .handle = bo.handle, .flags = DRM_CLOEXEC };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_PRIME_HANDLE_TO_FD, &p), 0);
   struct drm_prime_handle back = { .fd = p.fd };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_PRIME_FD_TO_HANDLE, &back), 0);
   assert_int_equal(back.handle, bo.handle);

   struct saffron_sim_file *other = saffron_sim_open(f->sim);
   assert_int_equal(
      saffron_sim_ioctl(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &back), 0);
   struct drm_i915_gem_pwrite w = { .handle = back.handle,
                                    .size = 4,
                                    .data_ptr = (uintptr_t) "abc" };
   assert_int_equal(saffron_sim_ioctl(other, DRM_IOCTL_I915_GEM_PWRITE, &w),
                    0);
   assert_string_equal((char *)bo.map, "abc");
   saffron_sim_close(other);
   back.fd = 0; /* no object of ours */
   assert_int_equal(f_ioctl(f, DRM_IOCTL_PRIME_FD_TO_HANDLE, &back), -EINVAL);
   close(p.fd);
}

static void
test_tiling_and_caching(void **state)
{
   struct fixture *f = *state;
   struct test_bo bo = f_bo(f, 4096, 0x100000);
   struct drm_i915_gem_set_tiling t = { .handle = bo.handle,
                                        .tiling_mode = I915_TILING_X,
                                        .stride = 100 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_SET_TILING, &t), -EINVAL);
   t.stride = 512;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_SET_TILING, &t), 0);
   struct drm_i915_gem_get_tiling g = { .handle = bo.handle };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_GET_TILING, &g), 0);
   assert_int_equal(g.tiling_mode, I915_TILING_X);
   /* The aperture would show it untiled: that is not there. */
   struct drm_i915_gem_mmap_gtt gtt = { .handle = bo.handle };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_MMAP_GTT, &gtt), -ENODEV);
   struct drm_i915_gem_mmap_offset o = { .handle = bo.handle,
                                         .flags = I915_MMAP_OFFSET_GTT };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &o), -ENODEV);
   o.flags = I915_MMAP_OFFSET_WC;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &o), 0);
   struct drm_i915_gem_caching c = { .handle = bo.handle, .caching = 9 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_SET_CACHING, &c), -EINVAL);
   struct drm_i915_gem_madvise m = { .handle = bo.handle, .madv = 7 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_MADVISE, &m), -EINVAL);
}

static uint32_t
advise(struct fixture *f, const struct test_bo *bo, uint32_t madv)
{
   struct drm_i915_gem_madvise m = { .handle = bo->handle, .madv = madv };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_MADVISE, &m), 0);
   return m.retained;
}

/* What the GPU has used keeps its pages here; what nobody has asked for
 * anything loses its content at once, and for ever. */
static void
test_madvise(void **state)
{
   struct fixture *f = *state;
   const struct test_bo bo = f_bo(f, 4096, 0x100000);
   bo.map[0] = MI_BATCH_BUFFER_END;
   assert_int_equal(f_run(f, &bo), 0);
   assert_int_equal(advise(f, &bo, I915_MADV_DONTNEED), 1);
   assert_int_equal(f_run(f, &bo), 0);
   assert_int_equal(advise(f, &bo, I915_MADV_WILLNEED), 1);

   const struct test_bo fresh = f_bo(f, 4096, 0x200000);
   uint32_t word = 0;
   const struct drm_i915_gem_pwrite write = { .handle = fresh.handle,
                                              .size = 4,
                                              .data_ptr = (uintptr_t)&word };
   const struct drm_i915_gem_set_domain domain = {
      .handle = fresh.handle, .read_domains = I915_GEM_DOMAIN_CPU
   };
   assert_int_equal(advise(f, &fresh, I915_MADV_WILLNEED), 1);
   assert_int_equal(advise(f, &fresh, I915_MADV_DONTNEED), 0);
   assert_int_equal(advise(f, &fresh, I915_MADV_WILLNEED), 0);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_PWRITE, (void *)&write),
                    -EFAULT);
   assert_int_equal(
      f_ioctl(f, DRM_IOCTL_I915_GEM_SET_DOMAIN, (void *)&domain), -EFAULT);
   assert_int_equal(f_run(f, &bo), -EFAULT);
}

static void
test_contexts(void **state)
{
   struct fixture *f = *state;
   struct drm_i915_gem_context_create_ext_setparam ext = {
      .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
      .param.param = I915_CONTEXT_PARAM_RECOVERABLE,
      .param.value = 0,
   };
   struct drm_i915_gem_context_create_ext c = {
      .flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
      .extensions = (uintptr_t)&ext,
   };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &c), 0);
   struct drm_i915_gem_context_param p = {
      .ctx_id = c.ctx_id,
      .param = I915_CONTEXT_PARAM_RECOVERABLE,
      .value = 5,
   };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &p), 0);
   assert_int_equal(p.value, 0);
   p.param = I915_CONTEXT_PARAM_PRIORITY;
   p.value = 5000;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -EINVAL);
   p.param = I915_CONTEXT_PARAM_PROTECTED_CONTENT;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -ENODEV);
   p.value = 0; /* which is how it is */
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), 0);
   p.param = 12345;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -EINVAL);
   p.param = I915_CONTEXT_PARAM_VM;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &p), 0);
   struct drm_i915_gem_vm_control vm = { .vm_id = (uint32_t)p.value };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), 0);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), -ENOENT);
   struct drm_i915_gem_context_destroy d = { .ctx_id = c.ctx_id };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d), 0);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d),
                    -ENOENT);
   d.ctx_id = 0;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d),
                    -ENOENT);
   /* A chain of extensions that loops. */
   ext.base.next_extension = (uintptr_t)&ext;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &c),
                    -E2BIG);
}

/* More than others have, or no end to hangs, is for who has the right to it
 * now, whoever that is. */
static void
test_rights(void **state)
{
   struct fixture *f = *state;
   static const struct {
      unsigned cap;
      uint64_t param, value;
   } rows[] = {
      { CAP_SYS_NICE, I915_CONTEXT_PARAM_PRIORITY, 1 },
      { CAP_SYS_NICE, I915_CONTEXT_PARAM_PRIORITY,
        I915_CONTEXT_MAX_USER_PRIORITY },
      { CAP_SYS_ADMIN, I915_CONTEXT_PARAM_BANNABLE, 0 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct drm_i915_gem_context_param p = { .param = rows[i].param,
                                              .value = rows[i].value };
      assert_true(rights_set(rows[i].cap, false));
      assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                       -EPERM);
      if (!rights_set(rows[i].cap, true))
         continue;
      assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                       0);
      /* Who gives up being root keeps none. */
      const pid_t child = fork();
      if (!child) {
         if (geteuid() || setresuid(65534, 65534, 65534))
            _exit(0); /* it takes root to be somebody else */
         _exit(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p) != -EPERM);
      }
      int status;
      assert_int_equal(waitpid(child, &status, 0), child);
      assert_int_equal(status, 0);
   }
}

static void
run_on(struct fixture *f, const struct test_bo *batch,
       const struct test_bo *data, uint32_t ctx_id, uint32_t ring)
{
   struct drm_i915_gem_exec_object2 o[] = {
      f_object(data, EXEC_OBJECT_WRITE),
      f_object(batch, 0),
   };
   struct drm_i915_gem_execbuffer2 e = {
      .buffers_ptr = (uintptr_t)o,
      .buffer_count = 2,
      .flags = ring,
      .rsvd1 = ctx_id,
   };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   struct drm_i915_gem_wait w = { .bo_handle = data->handle,
                                  .timeout_ns = -1 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_WAIT, &w), 0);
}

/* Two places of a context's map of engines have states of their own, even if
 * both are the render engine: drivers keep 3D and compute apart so. */
static void
test_engine_map(void **state)
{
   enum { GPR0 = 0x2600, LRI = 0x11000001, SRM = 0x12000002 };
   struct fixture *f = *state;
   struct {
      struct i915_context_param_engines header;
      struct i915_engine_class_instance engine[2];
   } map = { .engine = { { I915_ENGINE_CLASS_RENDER, 0 },
                         { I915_ENGINE_CLASS_RENDER, 0 } } };
   struct drm_i915_gem_context_create_ext_setparam ext = {
      .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
      .param.param = I915_CONTEXT_PARAM_ENGINES,
      .param.size = sizeof(map),
      .param.value = (uintptr_t)&map,
   };
   struct drm_i915_gem_context_create_ext c = {
      .flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
      .extensions = (uintptr_t)&ext,
   };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &c), 0);
   const struct test_bo load = f_bo(f, 4096, 0x100000);
   const struct test_bo save = f_bo(f, 4096, 0x101000);
   const struct test_bo data = f_bo(f, 4096, 0x102000);
   const uint32_t load_dw[] = { LRI, GPR0, 77, MI_BATCH_BUFFER_END };
   const uint32_t save_dw[] = { SRM, GPR0, 0x102000, 0, MI_BATCH_BUFFER_END };
   memcpy(load.map, load_dw, sizeof(load_dw));
   memcpy(save.map, save_dw, sizeof(save_dw));
   run_on(f, &load, &data, c.ctx_id, 0);
   run_on(f, &save, &data, c.ctx_id, 1);
   assert_int_equal(data.map[0], 0);
   run_on(f, &save, &data, c.ctx_id, 0);
   assert_int_equal(data.map[0], 77);
   assert_int_equal(f->num_reports, 0);
}

static int
query(struct fixture *f, uint64_t id, void *data, int32_t *length)
{
   struct drm_i915_query_item item = { .query_id = id,
                                       .length = *length,
                                       .data_ptr = (uintptr_t)data };
   struct drm_i915_query q = { .num_items = 1,
                               .items_ptr = (uintptr_t)&item };
   const int ret = f_ioctl(f, DRM_IOCTL_I915_QUERY, &q);
   *length = item.length;
   return ret;
}

static void
test_queries(void **state)
{
   struct fixture *f = *state;
   uint8_t data[512] = { 0 };
   int32_t length = 0;
   assert_int_equal(query(f, DRM_I915_QUERY_TOPOLOGY_INFO, NULL, &length), 0);
   assert_in_range(length, sizeof(struct drm_i915_query_topology_info), 64);
   const int32_t needed = length;
   assert_int_equal(query(f, DRM_I915_QUERY_TOPOLOGY_INFO, data, &length), 0);
   const struct drm_i915_query_topology_info *t = (void *)data;
   assert_int_equal(t->max_slices, 1);
   assert_int_equal(t->data[0], 1);
   length = needed - 1;
   assert_int_equal(query(f, DRM_I915_QUERY_TOPOLOGY_INFO, data, &length), 0);
   assert_int_equal(length, -EINVAL);
   length = 0;
   assert_int_equal(query(f, 999, data, &length), 0);
   assert_int_equal(length, -EINVAL);
   length = sizeof(data);
   assert_int_equal(query(f, DRM_I915_QUERY_ENGINE_INFO, data, &length), 0);
   const struct drm_i915_query_engine_info *e = (void *)data;
   assert_int_equal(e->num_engines, 2);
   length = sizeof(data);
   assert_int_equal(query(f, DRM_I915_QUERY_MEMORY_REGIONS, data, &length),
                    0);
   assert_int_equal(
      ((struct drm_i915_query_memory_regions *)data)->num_regions, 1);
}

static void
test_timestamp_advances(void **state)
{
   struct fixture *f = *state;
   struct drm_i915_reg_read a = { .offset = 0x2358 | I915_REG_READ_8B_WA };
   struct drm_i915_reg_read b = a;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_REG_READ, &a), 0);
   nanosleep(&(struct timespec) { .tv_nsec = 2000000 }, NULL);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_REG_READ, &b), 0);
   assert_in_range(b.val - a.val, 2 * 12000, 2000 * 12000);
   a.offset = 0x1234;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_REG_READ, &a), -EINVAL);
}

/*
 * Sync objects
 */

static uint32_t
syncobj(struct fixture *f, uint32_t flags)
{
   struct drm_syncobj_create c = { .flags = flags };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_CREATE, &c), 0);
   return c.handle;
}

static int
wait_point(struct fixture *f, uint32_t handle, uint64_t point, uint32_t flags,
           int64_t timeout_ns)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   struct drm_syncobj_timeline_wait w = {
      .handles = (uintptr_t)&handle,
      .points = (uintptr_t)&point,
      .count_handles = 1,
      .flags = flags,
      .timeout_nsec = ts.tv_sec * 1000000000ll + ts.tv_nsec + timeout_ns,
   };
   return f_ioctl(f, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &w);
}

static void
test_binary_syncobj(void **state)
{
   struct fixture *f = *state;
   const uint32_t s = syncobj(f, DRM_SYNCOBJ_CREATE_SIGNALED);
   struct drm_syncobj_array a = { .handles = (uintptr_t)&s,
                                  .count_handles = 1 };
   struct drm_syncobj_wait w = { .handles = (uintptr_t)&s,
                                 .count_handles = 1 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_WAIT, &w), 0);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_RESET, &a), 0);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_WAIT, &w), -EINVAL);
   w.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_WAIT, &w), -ETIME);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_SIGNAL, &a), 0);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_WAIT, &w), 0);
   a.count_handles = 0;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_SIGNAL, &a), -EINVAL);
   const uint32_t none = 4242;
   a.handles = (uintptr_t)&none;
   a.count_handles = 1;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_SIGNAL, &a), -ENOENT);
   struct drm_syncobj_destroy d = { .handle = s };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_DESTROY, &d), 0);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_DESTROY, &d), -EINVAL);
}

static uint64_t
query_timeline(struct fixture *f, uint32_t handle)
{
   uint64_t value = 0;
   struct drm_syncobj_timeline_array a = { .handles = (uintptr_t)&handle,
                                           .points = (uintptr_t)&value,
                                           .count_handles = 1 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_QUERY, &a), 0);
   return value;
}

static void
test_timeline(void **state)
{
   struct fixture *f = *state;
   const uint32_t s = syncobj(f, 0);
   uint64_t point = 5;
   struct drm_syncobj_timeline_array a = { .handles = (uintptr_t)&s,
                                           .points = (uintptr_t)&point,
                                           .count_handles = 1 };
   assert_int_equal(query_timeline(f, s), 0);
   assert_int_equal(wait_point(f, s, 1, 0, 0), -EINVAL);
   assert_int_equal(
      wait_point(f, s, 1, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, 1000000),
      -ETIME);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &a), 0);
   assert_int_equal(query_timeline(f, s), 5);
   assert_int_equal(wait_point(f, s, 3, 0, 0), 0);
   assert_int_equal(wait_point(f, s, 5, 0, 0), 0);
   assert_int_equal(wait_point(f, s, 6, 0, 0), -EINVAL);
   point = 9;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &a), 0);
   assert_int_equal(query_timeline(f, s), 9);

   const uint32_t binary = syncobj(f, 0);
   struct drm_syncobj_transfer t = { .src_handle = s,
                                     .dst_handle = binary,
                                     .src_point = 7 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_TRANSFER, &t), 0);
   assert_int_equal(wait_point(f, binary, 0, 0, 0), 0);
   t.src_point = 10;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_SYNCOBJ_TRANSFER, &t), -EINVAL);
}

/*
 * Submission
 */

static void
test_execbuf_arguments(void **state)
{
   struct fixture *f = *state;
   struct test_bo bo = f_bo(f, 4096, 0x100000);
   bo.map[0] = MI_BATCH_BUFFER_END;
   struct drm_i915_gem_exec_object2 o = f_object(&bo, 0);
   struct drm_i915_gem_execbuffer2 e = { .buffers_ptr = (uintptr_t)&o,
                                         .buffer_count = 1 };
   const struct drm_i915_gem_execbuffer2 good = e;
#define EXPECT(result, change)                                               \
   do {                                                                      \
      e = good;                                                              \
      o = f_object(&bo, 0);                                                  \
      change;                                                                \
      assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e),       \
                       result);                                              \
   } while (0)
   EXPECT(0, (void)0);
   EXPECT(-EINVAL, e.buffer_count = 0);
   EXPECT(-EFAULT, e.buffers_ptr = 8);
   EXPECT(-EINVAL, e.batch_start_offset = 4);
   EXPECT(-EINVAL, e.batch_start_offset = 4096);
   EXPECT(-EINVAL, e.batch_len = 8192);
   EXPECT(-EINVAL, e.num_cliprects = 1);
   EXPECT(-EINVAL, e.DR1 = 1);
   EXPECT(-EINVAL, e.flags = 1ull << 40);
   EXPECT(-EINVAL, e.flags = I915_EXEC_BSD);
   EXPECT(-EPERM, e.flags = I915_EXEC_SECURE);
   EXPECT(-ENOENT, e.rsvd1 = 77);
   EXPECT(-ENOENT, o.handle = 77);
   EXPECT(-EINVAL, o.flags |= 1 << 20);
   EXPECT(-EINVAL, o.offset = 0x100010);
   EXPECT(-EINVAL, o.offset = 1ull << 50);
   EXPECT(-EINVAL, o.alignment = 3);
   EXPECT(0, o.alignment = 0x100000);
   EXPECT(-EINVAL, o.alignment = 0x200000); /* than where it is pinned */
   EXPECT(-EINVAL, o.flags |= EXEC_OBJECT_WRITE); /* the batch itself */
   EXPECT(-EINVAL, (o.flags &= ~EXEC_OBJECT_SUPPORTS_48B_ADDRESS,
                    o.offset = 1ull << 32));
#undef EXPECT
   struct drm_i915_gem_exec_object2 twice[2] = { f_object(&bo, 0),
                                                 f_object(&bo, 0) };
   e = good;
   e.buffers_ptr = (uintptr_t)twice;
   e.buffer_count = 2;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), -EINVAL);
   assert_int_equal(f->num_reports, 0);
}

static void
test_relocations(void **state)
{
   struct fixture *f = *state;
   struct test_bo target = f_bo(f, 4096, 0), batch = f_bo(f, 4096, 0);
   struct drm_i915_gem_relocation_entry r = {
      .target_handle = 0, .delta = 16, .offset = 4, .presumed_offset = ~0ull
   };
   struct drm_i915_gem_exec_object2 o[2] = {
      { .handle = target.handle },
      { .handle = batch.handle,
        .relocation_count = 1,
        .relocs_ptr = (uintptr_t)&r },
   };
   struct drm_i915_gem_execbuffer2 e = { .buffers_ptr = (uintptr_t)o,
                                         .buffer_count = 2,
                                         .flags = I915_EXEC_HANDLE_LUT };
   const struct GEN9_MI_STORE_DATA_IMM sdi = { GEN9_MI_STORE_DATA_IMM_header,
                                               .ImmediateData = 0x1234 };
   GEN9_MI_STORE_DATA_IMM_pack(batch.map, &sdi);
   batch.map[3] = 0x1234;
   batch.map[4] = MI_BATCH_BUFFER_END;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   f_idle(f, batch.handle);
   assert_int_equal(target.map[4], 0x1234);
   assert_int_equal(r.presumed_offset, o[0].offset);
   assert_int_not_equal(o[0].offset, o[1].offset);

   /* With NO_RELOC all is taken to be as the list says, if nothing moved. */
   batch.map[0] = MI_BATCH_BUFFER_END;
   batch.map[1] = 0;
   r.presumed_offset = ~0ull;
   e.flags |= I915_EXEC_NO_RELOC;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   assert_int_equal(batch.map[1], 0);
   const uint64_t at = o[0].offset;
   o[0].offset += 4096;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   assert_int_equal(o[0].offset, at);
   assert_int_equal(batch.map[1], (uint32_t)at + 16);
   assert_int_equal(r.presumed_offset, at);
   e.flags &= ~(uint64_t)I915_EXEC_NO_RELOC;

   r.offset = 4096 - 4; /* eight bytes do not fit there */
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), -EINVAL);
   r.offset = 4;
   r.target_handle = 2;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), -ENOENT);
}

/* Gen7: addresses of 32 bits, below 2 GiB, the same in all contexts. */
static void
test_gen7(void **state)
{
   struct fixture *f = *state;
   struct test_bo target = f_bo(f, 4096, 0), batch = f_bo(f, 4096, 0);
   struct drm_i915_gem_relocation_entry r = {
      .target_handle = 0, .delta = 16, .offset = 8, .presumed_offset = ~0ull
   };
   struct drm_i915_gem_exec_object2 o[2] = {
      { .handle = target.handle, .flags = EXEC_OBJECT_SUPPORTS_48B_ADDRESS },
      { .handle = batch.handle,
        .flags = EXEC_OBJECT_NEEDS_FENCE,
        .relocation_count = 1,
        .relocs_ptr = (uintptr_t)&r },
   };
   struct drm_i915_gem_execbuffer2 e = { .buffers_ptr = (uintptr_t)o,
                                         .buffer_count = 2,
                                         .flags = I915_EXEC_HANDLE_LUT };
   const struct GEN7_MI_STORE_DATA_IMM sdi = { GEN7_MI_STORE_DATA_IMM_header,
                                               .ImmediateData = 0x1234 };
   GEN7_MI_STORE_DATA_IMM_pack(batch.map, &sdi);
   batch.map[4] = MI_BATCH_BUFFER_END;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   f_idle(f, batch.handle);
   assert_int_equal(target.map[4], 0x1234);
   assert_int_equal(batch.map[3], 0x1234);
   assert_true(o[0].offset < 1u << 31);
   r.offset = 4096 - 4; /* four bytes fit there */
   r.presumed_offset = ~0ull;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);

   struct drm_i915_gem_context_create_ext context = { 0 };
   assert_int_equal(
      f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &context), 0);
   const uint64_t before = o[0].offset;
   e.rsvd1 = context.ctx_id;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   f_idle(f, batch.handle);
   assert_int_equal(o[0].offset, before);
   struct drm_i915_gem_vm_control vm = { 0 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_VM_CREATE, &vm), -ENODEV);
   /* Rings have no priorities, whatever the value. */
   int caps = -1;
   assert_int_equal(getparam(f, I915_PARAM_HAS_SCHEDULER, &caps), 0);
   assert_int_equal(caps, 0);
   struct drm_i915_gem_context_param p = {
      .param = I915_CONTEXT_PARAM_PRIORITY,
      .value = (uint64_t)-1,
   };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -ENODEV);
   p.value = 5000;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -ENODEV);
   p.size = 8;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -EINVAL);
}

static void
test_fences(void **state)
{
   struct fixture *f = *state;
   struct test_bo batch = f_bo(f, 4096, 0x100000);
   batch.map[0] = MI_BATCH_BUFFER_END;
   struct drm_i915_gem_exec_object2 o = f_object(&batch, 0);
   const uint32_t s = syncobj(f, 0), timeline = syncobj(f, 0);
   struct drm_i915_gem_exec_fence fence = { .handle = s,
                                            .flags = I915_EXEC_FENCE_WAIT };
   struct drm_i915_gem_execbuffer2 e = {
      .buffers_ptr = (uintptr_t)&o,
      .buffer_count = 1,
      .flags = I915_EXEC_FENCE_ARRAY,
      .cliprects_ptr = (uintptr_t)&fence,
      .num_cliprects = 1,
   };
   /* Nobody has promised to signal it. */
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), -EINVAL);
   fence.flags = I915_EXEC_FENCE_SIGNAL;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   assert_int_equal(wait_point(f, s, 0, 0, 1000000000), 0);
   fence.flags = I915_EXEC_FENCE_WAIT;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);

   uint64_t value = 3;
   fence =
      (struct drm_i915_gem_exec_fence) { timeline, I915_EXEC_FENCE_SIGNAL };
   struct drm_i915_gem_execbuffer_ext_timeline_fences ext = {
      .base.name = DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES,
      .fence_count = 1,
      .handles_ptr = (uintptr_t)&fence,
      .values_ptr = (uintptr_t)&value,
   };
   e.flags = I915_EXEC_USE_EXTENSIONS;
   e.cliprects_ptr = (uintptr_t)&ext;
   e.num_cliprects = 0;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   assert_int_equal(wait_point(f, timeline, 3, 0, 1000000000), 0);
   assert_int_equal(query_timeline(f, timeline), 3);
}

/* Points that are reached are forgotten, however many submissions there are:
 * each wait looked at all of them. */
static void
test_points_are_dropped(void **state)
{
   struct fixture *f = *state;
   struct test_bo batch = f_bo(f, 4096, 0x100000);
   batch.map[0] = MI_BATCH_BUFFER_END;
   struct drm_i915_gem_exec_object2 o = f_object(&batch, 0);
   const uint32_t timeline = syncobj(f, 0);
   uint64_t value = 0;
   struct drm_i915_gem_exec_fence fence = { timeline,
                                            I915_EXEC_FENCE_SIGNAL };
   struct drm_i915_gem_execbuffer_ext_timeline_fences ext = {
      .base.name = DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES,
      .fence_count = 1,
      .handles_ptr = (uintptr_t)&fence,
      .values_ptr = (uintptr_t)&value,
   };
   struct drm_i915_gem_execbuffer2 e = {
      .buffers_ptr = (uintptr_t)&o,
      .buffer_count = 1,
      .flags = I915_EXEC_USE_EXTENSIONS,
      .cliprects_ptr = (uintptr_t)&ext,
   };
   for (value = 1; value <= 50; value++) {
      assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
      assert_int_equal(wait_point(f, timeline, value, 0, 1000000000), 0);
   }
   const struct uapi_syncobj *obj = uapi_get_syncobj(f->file, timeline);
   assert_in_range(
      util_dynarray_num_elements(&obj->points, struct sync_point), 1, 3);
   assert_int_equal(query_timeline(f, timeline), 50);
}

struct submitter {
   struct fixture *f;
   struct drm_i915_gem_execbuffer2 *e;
   _Atomic unsigned done;
   bool failed;
};

static void *
submit_often(void *data)
{
   struct submitter *s = data;
   for (unsigned i = 0; i < 100 && !s->failed; i++) {
      s->failed = f_ioctl(s->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, s->e);
      s->done++;
   }
   return NULL;
}

/* While a batch waits for memory, submissions after it wait at some time. */
static void
test_full_queue(void **state)
{
   struct fixture *f = *state;
   struct test_bo batch = f_bo(f, 4096, 0x100000);
   volatile uint32_t *word = batch.map + 512;
   const struct GEN9_MI_SEMAPHORE_WAIT wait = {
      GEN9_MI_SEMAPHORE_WAIT_header,
      .WaitMode = WAIT_POLL,
      .CompareOperation = COMPARE_SAD_EQUAL_SDD,
      .SemaphoreDataDword = 1,
      .SemaphoreAddress = batch.address + 512 * 4,
   };
   GEN9_MI_SEMAPHORE_WAIT_pack(batch.map, &wait);
   batch.map[GEN9_MI_SEMAPHORE_WAIT_length] = MI_BATCH_BUFFER_END;
   struct drm_i915_gem_exec_object2 o = f_object(&batch, 0);
   struct drm_i915_gem_execbuffer2 e = {
      .buffers_ptr = (uintptr_t)&o,
      .buffer_count = 1,
   };
   struct submitter s = { .f = f, .e = &e };
   pthread_t thread;
   assert_int_equal(pthread_create(&thread, NULL, submit_often, &s), 0);
   const struct timespec tick = { .tv_nsec = 20000000 };
   for (unsigned i = 0, last = ~0u; s.done != last && i < 100; i++) {
      last = s.done;
      nanosleep(&tick, NULL);
   }
   assert_in_range(s.done, 1, 99);
   *word = 1;
   pthread_join(thread, NULL);
   assert_false(s.failed);
   assert_int_equal(s.done, 100);
   assert_int_equal(f_idle(f, batch.handle), 0);
}

/* i915_drm.h, drm_i915_gem_busy: readers by their classes in the upper half,
 * of which the writer is one; in the lower the writer's class plus one. */
static void
test_busy(void **state)
{
   static const struct {
      uint64_t engine;
      uint32_t class;
   } rows[] = { { I915_EXEC_RENDER, I915_ENGINE_CLASS_RENDER },
                { I915_EXEC_BLT, I915_ENGINE_CLASS_COPY } };
   struct fixture *f = *state;
   struct test_bo batch = f_bo(f, 4096, 0x100000);
   struct test_bo data = f_bo(f, 4096, 0x200000);
   volatile uint32_t *word = batch.map + 512;
   const struct GEN9_MI_SEMAPHORE_WAIT wait = {
      GEN9_MI_SEMAPHORE_WAIT_header,
      .WaitMode = WAIT_POLL,
      .CompareOperation = COMPARE_SAD_EQUAL_SDD,
      .SemaphoreDataDword = 1,
      .SemaphoreAddress = batch.address + 512 * 4,
   };
   GEN9_MI_SEMAPHORE_WAIT_pack(batch.map, &wait);
   batch.map[GEN9_MI_SEMAPHORE_WAIT_length] = MI_BATCH_BUFFER_END;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct drm_i915_gem_exec_object2 objects[] = {
         f_object(&data, EXEC_OBJECT_WRITE), f_object(&batch, 0)
      };
      struct drm_i915_gem_execbuffer2 e = {
         .buffers_ptr = (uintptr_t)objects,
         .buffer_count = 2,
         .flags = rows[i].engine,
      };
      struct drm_i915_gem_busy read = { .handle = batch.handle };
      struct drm_i915_gem_busy written = { .handle = data.handle };
      *word = 0;
      assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
      assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_BUSY, &read), 0);
      assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_BUSY, &written), 0);
      *word = 1;
      assert_int_equal(f_idle(f, batch.handle), 0);
      assert_int_equal(read.busy, 0x10000u << rows[i].class);
      assert_int_equal(written.busy,
                       0x10000u << rows[i].class | (rows[i].class + 1));
      assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_BUSY, &written), 0);
      assert_int_equal(written.busy, 0);
   }
}

/* i915_drm.h: "If not NULL, extensions are walked": where none is known, a
 * chain that cannot be read is another error than one that can. */
static void
test_extensions(void **state)
{
   struct fixture *f = *state;
   const struct test_bo bo = f_bo(f, 4096, 0x100000);
   struct i915_user_extension ext = { .name = 7 };
   const struct {
      uint64_t extensions;
      int result;
   } rows[] = { { 0, 0 }, { 8, -EFAULT }, { (uintptr_t)&ext, -EINVAL } };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct drm_i915_gem_vm_control vm = {
         .extensions = rows[i].extensions,
      };
      struct drm_i915_gem_mmap_offset map = {
         .handle = bo.handle,
         .flags = I915_MMAP_OFFSET_WB,
         .extensions = rows[i].extensions,
      };
      assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_VM_CREATE, &vm),
                       rows[i].result);
      assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map),
                       rows[i].result);
      /* Those of engines are known, but want more engines than there are. */
      const struct i915_context_param_engines engines = {
         .extensions = rows[i].extensions,
      };
      struct drm_i915_gem_context_create_ext_setparam set = {
         .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
         .param.param = I915_CONTEXT_PARAM_ENGINES,
         .param.size = sizeof(engines),
         .param.value = (uintptr_t)&engines,
      };
      struct drm_i915_gem_context_create_ext c = {
         .flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
         .extensions = (uintptr_t)&set,
      };
      assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &c),
                       rows[i].result);
      ext.name = I915_CONTEXT_ENGINES_EXT_BOND;
      if (rows[i].result == -EINVAL)
         assert_int_equal(
            f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &c), -ENODEV);
      ext.name = 7;
   }
   /* Flags come before the handle. */
   struct drm_i915_gem_mmap_offset map = { .handle = 77, .flags = 77 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map),
                    -EINVAL);
   map.flags = I915_MMAP_OFFSET_WB;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map),
                    -ENOENT);
}

/* Of no bytes, of more than wraps, of more than there is. */
static void
test_sizes(void **state)
{
   static const struct {
      uint64_t size;
      int result;
   } rows[] = {
      { 0, -EINVAL },       { 1, 0 },
      { ~0ull, -EINVAL },   { -4095ull, -EINVAL },
      { -4096ull, -E2BIG }, { -1ull << 32, -E2BIG },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct drm_i915_gem_create c = { .size = rows[i].size };
      assert_int_equal(f_ioctl(*state, DRM_IOCTL_I915_GEM_CREATE, &c),
                       rows[i].result);
   }
}

/* The default context is whole from the beginning: "once finalized", its
 * address space and engines stay as they are. */
static void
test_default_context(void **state)
{
   struct fixture *f = *state;
   struct drm_i915_gem_vm_control vm = { 0 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_VM_CREATE, &vm), 0);
   struct drm_i915_gem_context_param p = { .param = I915_CONTEXT_PARAM_VM,
                                           .value = vm.vm_id };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -EINVAL);
   struct drm_i915_gem_context_create c = { 0 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c), 0);
   p.ctx_id = c.ctx_id;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), 0);
   p = (struct drm_i915_gem_context_param) {
      .param = I915_CONTEXT_PARAM_ENGINES,
   };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -EINVAL);
}

/* What there is not on this device, each with the kernel's own answer. */
static void
test_refused(void **state)
{
   struct fixture *f = *state;
   int value = 7;
   /* i915_getparam.c: relics of user mode setting; no video engines. */
   assert_int_equal(getparam(f, I915_PARAM_HAS_EXEC_CONSTANTS, &value),
                    -ENODEV);
   assert_int_equal(getparam(f, I915_PARAM_HUC_STATUS, &value), -ENODEV);
   assert_int_equal(getparam(f, 9999, &value), -EINVAL);
   assert_int_equal(value, 7);
   assert_int_equal(getparam(f, I915_PARAM_PERF_REVISION, &value), 0);
   assert_int_equal(value, 0);
   /* Render and copy engine save their state. */
   assert_int_equal(getparam(f, I915_PARAM_HAS_CONTEXT_ISOLATION, &value), 0);
   assert_int_equal(value, 3);

   struct drm_i915_perf_open_param perf = { .num_properties = 1 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_PERF_OPEN, &perf), -EOPNOTSUPP);
   struct drm_i915_query_item item = {
      .query_id = DRM_I915_QUERY_PERF_CONFIG,
      .flags = 0,
   };
   struct drm_i915_query query = { .num_items = 1,
                                   .items_ptr = (uintptr_t)&item };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_QUERY, &query), 0);
   assert_int_equal(item.length, -ENODEV);

   struct drm_i915_gem_userptr user = {
      .user_ptr = 0x10000,
      .user_size = 4096,
      .flags = I915_USERPTR_UNSYNCHRONIZED,
   };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_USERPTR, &user), -ENODEV);
   user.flags = I915_USERPTR_PROBE; /* nothing is there */
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_USERPTR, &user), -EFAULT);
   /* Who does not ask is told when it is used. */
   user.flags = 0;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_USERPTR, &user), 0);
   struct drm_i915_gem_set_domain domain = {
      .handle = user.handle,
      .read_domains = I915_GEM_DOMAIN_CPU,
   };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain),
                    -EFAULT);
   struct drm_i915_gem_pread read = { .handle = user.handle,
                                      .size = 4,
                                      .data_ptr = (uintptr_t)&user };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_PREAD, &read), -EINVAL);
   struct drm_i915_gem_pwrite write = { .handle = user.handle,
                                        .size = 4,
                                        .data_ptr = (uintptr_t)&user };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_PWRITE, &write), -EINVAL);
   user.user_ptr = BITFIELD64_BIT(47) - 4096; /* not of a process */
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_USERPTR, &user), -EFAULT);
}

static void
test_context_sseu(void **state)
{
   struct fixture *f = *state;
   struct drm_i915_gem_context_param_sseu sseu = {
      .engine.engine_class = I915_ENGINE_CLASS_RENDER,
   };
   struct drm_i915_gem_context_param p = {
      .param = I915_CONTEXT_PARAM_SSEU,
   };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &p), 0);
   assert_int_equal(p.size, sizeof(sseu));
   p.value = (uintptr_t)&sseu;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &p), 0);
   assert_int_equal(sseu.slice_mask, 1);
   assert_int_equal(sseu.subslice_mask, 7);
   assert_int_equal(sseu.max_eus_per_subslice, 8);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -ENODEV);
   sseu.engine.engine_class = I915_ENGINE_CLASS_COPY;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &p),
                    -EINVAL);
}

/* An object without a place gets the one that its entry names, if that is
 * free and aligned; an alignment of all of the space leaves address 0. */
static void
test_wished_places(void **state)
{
   struct fixture *f = *state;
   struct test_bo bo[2] = { f_bo(f, 4096, 0), f_bo(f, 4096, 0) };
   struct drm_i915_gem_exec_object2 o[2] = {
      { .handle = bo[0].handle, .offset = 48 << 20 },
      { .handle = bo[1].handle, .offset = 48 << 20 },
   };
   struct drm_i915_gem_execbuffer2 e = { .buffers_ptr = (uintptr_t)o,
                                         .buffer_count = 2 };
   bo[1].map[0] = MI_BATCH_BUFFER_END;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   assert_int_equal(o[0].offset, 48 << 20);
   assert_int_not_equal(o[1].offset, 48 << 20);
   o[0].alignment = BITFIELD64_BIT(31);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   assert_int_equal(o[0].offset, BITFIELD64_BIT(31));
   o[0].alignment = BITFIELD64_BIT(32);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   assert_int_equal(o[0].offset, 0);
   assert_int_equal(f_idle(f, bo[1].handle), 0);
}

/* Engines and address space are fixed with the first submission; memory of
 * the caller that is gone by then is an error. */
static void
test_used_context(void **state)
{
   struct fixture *f = *state;
   struct drm_i915_gem_context_create c = { 0 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c), 0);
   struct drm_i915_gem_context_param p = {
      .ctx_id = c.ctx_id,
      .param = I915_CONTEXT_PARAM_ENGINES,
   };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -EINVAL); /* no map of rings to go back to */
   I915_DEFINE_CONTEXT_PARAM_ENGINES(engines, 1) = { 0 };
   p.size = sizeof(engines);
   p.value = (uintptr_t)&engines;
   engines.extensions = 8; /* not to be read */
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -EFAULT);
   engines.extensions = 0;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), 0);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -EINVAL); /* and once is enough */

   void *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   struct drm_i915_gem_userptr user = { .user_ptr = (uintptr_t)memory,
                                        .user_size = 8192 };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_USERPTR, &user), 0);
   struct test_bo batch = f_bo(f, 4096, 0x100000);
   batch.map[0] = MI_BATCH_BUFFER_END;
   struct drm_i915_gem_exec_object2 objects[2] = {
      { .handle = user.handle },
      { .handle = batch.handle },
   };
   struct drm_i915_gem_execbuffer2 e = {
      .buffers_ptr = (uintptr_t)objects,
      .buffer_count = 2,
      .rsvd1 = c.ctx_id,
   };
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), 0);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p),
                    -EINVAL);
   assert_int_equal(f_idle(f, batch.handle), 0);
   munmap((char *)memory + 4096, 4096);
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), -EFAULT);
   munmap(memory, 4096);
   /* Gen7's own way to reset stream output. */
   e.flags = I915_EXEC_GEN7_SOL_RESET;
   e.buffers_ptr = (uintptr_t)&objects[1];
   e.buffer_count = 1;
   assert_int_equal(f_ioctl(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), -EINVAL);
}

static void
read_text(const char *name, char *text, size_t size)
{
   FILE *file = fopen(name, "r");
   assert_non_null(file);
   text[fread(text, 1, size - 1, file)] = 0;
   fclose(file);
}

/* A forked child that uses the GPU leaves its parent's statistics alone. */
static void
test_stats_of_a_child(void **state)
{
   char name[] = "/tmp/saffron-stats-XXXXXX", text[64], of_child[64];
   const int fd = mkstemp(name);
   assert_true(fd >= 0);
   setenv("SAFFRON_SIM_STATS", name, 1);
   assert_int_equal(f_setup(state), 0);
   struct fixture *f = *state;
   struct test_bo bo = f_bo(f, 4096, 0x100000);
   bo.map[0] = MI_BATCH_BUFFER_END;
   assert_int_equal(f_run(f, &bo), 0);
   const pid_t child = fork();
   if (!child) {
      const bool ok = !f_run(f, &bo) && !f_run(f, &bo);
      f_teardown(state);
      _exit(ok ? 0 : 1);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   f_teardown(state);
   unsetenv("SAFFRON_SIM_STATS");
   read_text(name, text, sizeof(text));
   assert_non_null(strstr(text, "\"batches\": 1,"));
   snprintf(of_child, sizeof(of_child), "%s.%ld", name, (long)child);
   read_text(of_child, text, sizeof(text));
   assert_non_null(strstr(text, "\"batches\": 2,"));
   close(fd);
   unlink(name);
   unlink(of_child);
}

/* A link stays one: what it leads to is written. */
static void
test_stats_through_a_link(void **state)
{
   char name[] = "/tmp/saffron-stats-XXXXXX", link[64], text[64];
   const int fd = mkstemp(name);
   assert_true(fd >= 0);
   snprintf(link, sizeof(link), "%s.link", name);
   assert_int_equal(symlink(name, link), 0);
   setenv("SAFFRON_SIM_STATS", link, 1);
   assert_int_equal(f_setup(state), 0);
   f_teardown(state);
   unsetenv("SAFFRON_SIM_STATS");
   assert_true(readlink(link, text, sizeof(text)) > 0);
   read_text(name, text, sizeof(text));
   assert_non_null(strstr(text, "\"batches\": 0,"));
   close(fd);
   unlink(name);
   unlink(link);
}

/* A disk that is full is said. */
static void
test_stats_without_room(void **state)
{
   char text[256];
   FILE *said = tmpfile();
   assert_non_null(said);
   const int saved = dup(STDERR_FILENO);
   setenv("SAFFRON_SIM_STATS", "/dev/full", 1);
   assert_int_equal(f_setup(state), 0);
   dup2(fileno(said), STDERR_FILENO);
   f_teardown(state);
   dup2(saved, STDERR_FILENO);
   close(saved);
   unsetenv("SAFFRON_SIM_STATS");
   rewind(said);
   text[fread(text, 1, sizeof(text) - 1, said)] = 0;
   fclose(said);
   assert_non_null(strstr(text,
                          "SAFFRON_SIM_STATS: /dev/full is not written: "
                          "No space left on device"));
}

/* Statistics are there for who is killed, without an end of anything. */
static void
test_stats_before_the_end(void **state)
{
   char name[] = "/tmp/saffron-stats-XXXXXX", text[64] = "";
   const int fd = mkstemp(name);
   assert_true(fd >= 0);
   setenv("SAFFRON_SIM_STATS", name, 1);
   assert_int_equal(f_setup(state), 0);
   struct fixture *f = *state;
   struct test_bo bo = f_bo(f, 4096, 0x100000);
   bo.map[0] = MI_BATCH_BUFFER_END;
   assert_int_equal(f_run(f, &bo), 0);
   for (unsigned i = 0; i < 100 && !strstr(text, "batches"); i++) {
      usleep(100000);
      read_text(name, text, sizeof(text));
   }
   assert_non_null(strstr(text, "\"batches\": 1"));
   f_teardown(state);
   unsetenv("SAFFRON_SIM_STATS");
   close(fd);
   unlink(name);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, f_setup, f_teardown)
   const struct CMUnitTest tests[] = {
      TEST(test_refused),
      TEST(test_extensions),
      TEST(test_sizes),
      TEST(test_default_context),
      TEST(test_context_sseu),
      TEST(test_used_context),
      TEST(test_wished_places),
      cmocka_unit_test(test_unknown_generation),
      cmocka_unit_test(test_wrong_environment),
      cmocka_unit_test(test_stats_of_a_child),
      cmocka_unit_test(test_stats_through_a_link),
      cmocka_unit_test(test_stats_without_room),
      cmocka_unit_test(test_stats_before_the_end),
      TEST(test_version),
      TEST(test_getparam),
      TEST(test_unknown_requests),
      TEST(test_create_and_map),
      TEST(test_prime_keeps_identity),
      TEST(test_tiling_and_caching),
      TEST(test_contexts),
      TEST(test_rights),
      TEST(test_engine_map),
      TEST(test_queries),
      TEST(test_timestamp_advances),
      TEST(test_binary_syncobj),
      TEST(test_timeline),
      TEST(test_points_are_dropped),
      TEST(test_execbuf_arguments),
      TEST(test_relocations),
      TEST(test_fences),
      TEST(test_full_queue),
      TEST(test_busy),
      TEST(test_madvise),
      cmocka_unit_test_setup_teardown(test_gen7, f_setup_ivb, f_teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
