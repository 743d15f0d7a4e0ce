/* SPDX-License-Identifier: MIT */
/*
 * Two simulators, as two processes have them: buffers, fences and syncobjs
 * that they share by descriptors. A batch waits until the test writes to a
 * buffer, so that the order of events is the test's.
 */
#include <dirent.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "intel/sim/tests/sim_fixture.h"
#include "util/macros.h"

#define GATE_ADDRESS 0x100000
#define OUT_ADDRESS 0x200000
#define BATCH_ADDRESS 0x300000
#define SHARED_ADDRESS 0x400000

struct side {
   struct fixture *f;
   struct test_bo gate, out, batch;
};

static void
begin(struct side *s)
{
   void *state;
   assert_int_equal(f_setup(&state), 0);
   s->f = state;
   s->gate = f_bo(s->f, 4096, GATE_ADDRESS);
   s->out = f_bo(s->f, 4096, OUT_ADDRESS);
   s->batch = f_bo(s->f, 4096, BATCH_ADDRESS);
   uint32_t *dw = s->batch.map;
   /* Waits until the gate is open, then writes 1. */
   struct GEN9_MI_SEMAPHORE_WAIT wait = {
      GEN9_MI_SEMAPHORE_WAIT_header,
      .WaitMode = WAIT_POLL,
      .CompareOperation = COMPARE_SAD_GREATER_THAN_OR_EQUAL_SDD,
      .SemaphoreDataDword = 1,
      .SemaphoreAddress = GATE_ADDRESS,
   };
   GEN9_MI_SEMAPHORE_WAIT_pack(dw, &wait);
   dw += GEN9_MI_SEMAPHORE_WAIT_length;
   struct GEN9_MI_STORE_DATA_IMM store = {
      GEN9_MI_STORE_DATA_IMM_header,
      .Address = OUT_ADDRESS,
      .ImmediateData = 1,
   };
   GEN9_MI_STORE_DATA_IMM_pack(dw, &store);
   dw += GEN9_MI_STORE_DATA_IMM_length;
   *dw = MI_BATCH_BUFFER_END;
}

static void
end(struct side *s)
{
   void *state = s->f;
   s->gate.map[0] = 1;
   f_teardown(&state);
}

struct submit {
   uint32_t shared; /* handle; 0: none */
   uint64_t object_flags, flags;
   uint64_t fences;
   uint32_t num_fences;
   int in_fd;
};

/* The result of the submission, or the descriptor of FENCE_OUT. */
static int
submit(struct side *s, const struct submit *args)
{
   struct drm_i915_gem_exec_object2 objects[4];
   unsigned n = 0;
   objects[n++] = f_object(&s->gate, 0);
   objects[n++] = f_object(&s->out, EXEC_OBJECT_WRITE);
   if (args->shared) {
      objects[n++] = (struct drm_i915_gem_exec_object2) {
         .handle = args->shared,
         .offset = SHARED_ADDRESS,
         .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS |
                  args->object_flags,
      };
   }
   objects[n++] = f_object(&s->batch, 0);
   struct drm_i915_gem_execbuffer2 e = {
      .buffers_ptr = (uintptr_t)objects,
      .buffer_count = n,
      .flags = I915_EXEC_RENDER | args->flags,
      .cliprects_ptr = args->fences,
      .num_cliprects = args->num_fences,
      .rsvd2 = (uint32_t)args->in_fd,
   };
   const int ret = f_ioctl(s->f, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &e);
   if (ret || !(args->flags & I915_EXEC_FENCE_OUT))
      return ret;
   return (int)(e.rsvd2 >> 32);
}

static int
wait_bo(struct side *s, uint32_t handle, int64_t ns)
{
   struct drm_i915_gem_wait w = { .bo_handle = handle, .timeout_ns = ns };
   return f_ioctl(s->f, DRM_IOCTL_I915_GEM_WAIT, &w);
}

static uint32_t
busy(struct side *s, uint32_t handle)
{
   struct drm_i915_gem_busy b = { .handle = handle };
   assert_int_equal(f_ioctl(s->f, DRM_IOCTL_I915_GEM_BUSY, &b), 0);
   return b.busy;
}

/* An object of `from`, which `to` gets, too; a descriptor in *fd. */
static void
share(struct side *from, struct side *to, uint32_t handle[2], int *fd)
{
   struct drm_i915_gem_create create = { .size = 8192 };
   assert_int_equal(f_ioctl(from->f, DRM_IOCTL_I915_GEM_CREATE, &create), 0);
   handle[0] = create.handle;
   struct drm_prime_handle p = {
      .handle = create.handle,
      .flags = DRM_CLOEXEC | DRM_RDWR,
   };
   assert_int_equal(f_ioctl(from->f, DRM_IOCTL_PRIME_HANDLE_TO_FD, &p), 0);
   struct drm_prime_handle q = { .fd = p.fd };
   assert_int_equal(f_ioctl(to->f, DRM_IOCTL_PRIME_FD_TO_HANDLE, &q), 0);
   handle[1] = q.handle;
   *fd = p.fd;
}

#define WRITES (I915_ENGINE_CLASS_RENDER + 1)

/* Who uses an object waits for who wrote it, and so does who looks at it. */
static void
test_implicit(void **state)
{
   struct side a, b;
   uint32_t h[2];
   int fd;
   begin(&a);
   begin(&b);
   b.gate.map[0] = 1; /* it never waits for itself */
   share(&a, &b, h, &fd);
   assert_int_equal(busy(&b, h[1]), 0);
   assert_int_equal(saffron_sim_fd_poll(fd, POLLIN | POLLOUT),
                    POLLIN | POLLOUT);
   struct submit args = {
      .shared = h[0],
      .object_flags = EXEC_OBJECT_WRITE,
   };
   assert_int_equal(submit(&a, &args), 0);
   assert_int_equal(busy(&a, h[0]) & 0xffff, WRITES);
   assert_int_equal(busy(&b, h[1]) & 0xffff, WRITES);
   assert_int_equal(wait_bo(&b, h[1], 0), -ETIME);
   assert_int_equal(wait_bo(&b, h[1], 2000000), -ETIME);
   assert_int_equal(saffron_sim_fd_poll(fd, POLLIN | POLLOUT), 0);

   /* A reader of the other side comes after it; one who says that he knows
    * better does not. */
   args.shared = h[1];
   args.object_flags = EXEC_OBJECT_ASYNC;
   assert_int_equal(submit(&b, &args), 0);
   assert_int_equal(wait_bo(&b, b.out.handle, 5000000000), 0);
   assert_int_equal(b.out.map[0], 1);
   b.out.map[0] = 0;
   args.object_flags = 0;
   assert_int_equal(submit(&b, &args), 0);
   assert_int_equal(wait_bo(&b, b.out.handle, 20000000), -ETIME);
   assert_int_equal(b.out.map[0], 0);
   a.gate.map[0] = 1;
   assert_int_equal(wait_bo(&b, b.out.handle, 5000000000), 0);
   assert_int_equal(b.out.map[0], 1);
   assert_int_equal(a.out.map[0], 1);
   assert_int_equal(wait_bo(&b, h[1], -1), 0);
   assert_int_equal(busy(&b, h[1]), 0);
   assert_int_equal(saffron_sim_fd_poll(fd, POLLIN | POLLOUT),
                    POLLIN | POLLOUT);

   /* Readers do not wait for readers, and poll() for reading neither. */
   a.gate.map[0] = 0;
   args.shared = h[0];
   assert_int_equal(submit(&a, &args), 0);
   assert_int_equal(busy(&b, h[1]) & 0xffff, 0);
   assert_int_not_equal(busy(&b, h[1]), 0);
   assert_int_equal(saffron_sim_fd_poll(fd, POLLIN | POLLOUT), POLLIN);
   args.shared = h[1];
   b.out.map[0] = 0;
   assert_int_equal(submit(&b, &args), 0);
   assert_int_equal(wait_bo(&b, b.out.handle, 5000000000), 0);
   /* Writers do. */
   args.object_flags = EXEC_OBJECT_WRITE;
   assert_int_equal(submit(&b, &args), 0);
   assert_int_equal(wait_bo(&b, b.out.handle, 10000000), -ETIME);
   a.gate.map[0] = 1;
   assert_int_equal(wait_bo(&b, b.out.handle, 5000000000), 0);
   close(fd);
   end(&a);
   end(&b);
}

/* Work of a process that is no more is not waited for. */
static void
test_death(void **state)
{
   struct side b;
   int ends[2];
   begin(&b);
   struct drm_i915_gem_create create = { .size = 4096 };
   assert_int_equal(f_ioctl(b.f, DRM_IOCTL_I915_GEM_CREATE, &create), 0);
   struct drm_prime_handle p = { .handle = create.handle,
                                 .flags = DRM_RDWR | DRM_CLOEXEC };
   assert_int_equal(f_ioctl(b.f, DRM_IOCTL_PRIME_HANDLE_TO_FD, &p), 0);
   assert_int_equal(pipe(ends), 0);
   const pid_t child = fork();
   if (!child) {
      struct side a;
      struct submit args = { .object_flags = EXEC_OBJECT_WRITE };
      begin(&a);
      struct drm_prime_handle q = { .fd = p.fd };
      char ok = !f_ioctl(a.f, DRM_IOCTL_PRIME_FD_TO_HANDLE, &q);
      args.shared = q.handle;
      ok &= !submit(&a, &args);
      if (write(ends[1], &ok, 1) != 1)
         _exit(1);
      for (;;)
         pause();
   }
   char ok = 0;
   assert_int_equal(read(ends[0], &ok, 1), 1);
   assert_int_equal(ok, 1);
   assert_int_equal(busy(&b, create.handle) & 0xffff, WRITES);
   assert_int_equal(wait_bo(&b, create.handle, 1000000), -ETIME);
   kill(child, SIGKILL);
   assert_int_equal(wait_bo(&b, create.handle, 5000000000), 0);
   assert_int_equal(waitpid(child, NULL, 0), child);
   assert_int_equal(busy(&b, create.handle), 0);
   close(p.fd);
   close(ends[0]);
   close(ends[1]);
   end(&b);
}

static int
poll_fd(int fd, int ms)
{
   struct pollfd p = { .fd = fd, .events = POLLIN };
   return poll(&p, 1, ms) > 0 ? p.revents & POLLIN : 0;
}

static int
status(int fd)
{
   struct sync_fence_info fence = { 0 };
   struct sync_file_info info = {
      .num_fences = 1,
      .sync_fence_info = (uintptr_t)&fence,
   };
   assert_int_equal(saffron_sim_fd_ioctl(fd, SYNC_IOC_FILE_INFO, &info), 0);
   assert_int_equal(info.num_fences, 1);
   assert_int_equal(info.status, fence.status);
   assert_true(fence.status != 1 || fence.timestamp_ns);
   return info.status;
}

/* EXEC_FENCE_OUT and EXEC_FENCE_IN of i915_drm.h, and linux/sync_file.h. */
static void
test_sync_files(void **state)
{
   struct side a, b;
   begin(&a);
   begin(&b);
   b.gate.map[0] = 1;
   struct submit args = { .flags = I915_EXEC_FENCE_OUT };
   const int first = submit(&a, &args);
   assert_true(first >= 0);
   assert_int_equal(poll_fd(first, 5), 0);
   assert_int_equal(status(first), 0);
   args.flags = I915_EXEC_FENCE_IN | I915_EXEC_FENCE_OUT;
   args.in_fd = first;
   const int second = submit(&b, &args);
   assert_true(second >= 0);
   assert_int_equal(wait_bo(&b, b.out.handle, 10000000), -ETIME);

   /* Both of them; and what is no fence. */
   struct sync_merge_data merge = { .fd2 = second };
   assert_int_equal(saffron_sim_fd_ioctl(first, SYNC_IOC_MERGE, &merge), 0);
   const int both = merge.fence;
   assert_int_equal(status(both), 0);
   merge.fd2 = 0;
   assert_int_equal(saffron_sim_fd_ioctl(first, SYNC_IOC_MERGE, &merge),
                    -ENOENT);
   assert_int_equal(saffron_sim_fd_ioctl(0, SYNC_IOC_MERGE, &merge), -ENOTTY);
   args.in_fd = 0;
   assert_int_equal(submit(&b, &args), -EINVAL);

   a.gate.map[0] = 1;
   assert_int_equal(poll_fd(first, 5000), POLLIN);
   assert_int_equal(poll_fd(second, 5000), POLLIN);
   assert_int_equal(poll_fd(both, 5000), POLLIN);
   assert_int_equal(status(first), 1);
   assert_int_equal(status(second), 1);
   assert_int_equal(status(both), 1);
   assert_int_equal(status(both), 1); /* looking does not change it */
   assert_int_equal(wait_bo(&b, b.out.handle, 0), 0);
   merge.fd2 = second;
   assert_int_equal(saffron_sim_fd_ioctl(first, SYNC_IOC_MERGE, &merge), 0);
   assert_int_equal(status(merge.fence), 1);
   close(merge.fence);
   close(first);
   close(second);
   close(both);
   end(&a);
   end(&b);
}

static uint32_t
new_syncobj(struct side *s)
{
   struct drm_syncobj_create c = { 0 };
   assert_int_equal(f_ioctl(s->f, DRM_IOCTL_SYNCOBJ_CREATE, &c), 0);
   return c.handle;
}

static int
to_fd(struct side *s, uint32_t handle, uint32_t flags)
{
   struct drm_syncobj_handle h = { .handle = handle, .flags = flags };
   const int ret = f_ioctl(s->f, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h);
   return ret ? ret : h.fd;
}

static int64_t
in_ns(int64_t ns)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   return ts.tv_sec * 1000000000ll + ts.tv_nsec + ns;
}

static int
wait_sync(struct side *s, uint32_t handle, uint64_t point, uint32_t flags,
          int64_t ns)
{
   struct drm_syncobj_timeline_wait w = {
      .handles = (uintptr_t)&handle,
      .points = (uintptr_t)&point,
      .count_handles = 1,
      .flags = flags,
      .timeout_nsec = in_ns(ns),
   };
   return f_ioctl(s->f, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &w);
}

#define EXPORT_FILE DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE
#define IMPORT_FILE DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE

/* Sync files in and out of syncobjs. */
static void
test_syncobj_sync_files(void **state)
{
   struct side a, b;
   begin(&a);
   begin(&b);
   const uint32_t sa = new_syncobj(&a), sb = new_syncobj(&b);
   assert_int_equal(to_fd(&a, sa, EXPORT_FILE), -EINVAL); /* no fence */
   assert_int_equal(to_fd(&a, sa, 8), -EINVAL);
   assert_int_equal(to_fd(&a, 99, EXPORT_FILE), -ENOENT);
   assert_int_equal(to_fd(&a, 99, 0), -EINVAL);
   struct drm_i915_gem_exec_fence fence = {
      .handle = sa,
      .flags = I915_EXEC_FENCE_SIGNAL,
   };
   struct submit args = {
      .flags = I915_EXEC_FENCE_ARRAY,
      .fences = (uintptr_t)&fence,
      .num_fences = 1,
   };
   assert_int_equal(submit(&a, &args), 0);
   const int fd = to_fd(&a, sa, EXPORT_FILE);
   assert_true(fd >= 0);
   assert_int_equal(status(fd), 0);
   struct drm_syncobj_handle h = {
      .handle = sb,
      .fd = fd,
      .flags = IMPORT_FILE,
   };
   assert_int_equal(f_ioctl(b.f, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &h), 0);
   assert_int_equal(wait_sync(&b, sb, 0, 0, 5000000), -ETIME);
   /* Home again. */
   h.handle = new_syncobj(&a);
   assert_int_equal(f_ioctl(a.f, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &h), 0);
   assert_int_equal(wait_sync(&a, h.handle, 0, 0, 5000000), -ETIME);
   a.gate.map[0] = 1;
   assert_int_equal(wait_sync(&b, sb, 0, 0, 5000000000), 0);
   assert_int_equal(wait_sync(&a, h.handle, 0, 0, 5000000000), 0);
   assert_int_equal(status(fd), 1);
   h.fd = 0;
   assert_int_equal(f_ioctl(a.f, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &h),
                    -EINVAL);
   close(fd);
   end(&a);
   end(&b);
}

/* A syncobj that both have: binary, then a timeline. */
static void
test_shared_syncobj(void **state)
{
   struct side a, b;
   begin(&a);
   begin(&b);
   const uint32_t sa = new_syncobj(&a);
   const int fd = to_fd(&a, sa, 0);
   assert_true(fd >= 0);
   struct drm_syncobj_handle h = { .fd = fd };
   assert_int_equal(f_ioctl(b.f, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &h), 0);
   const uint32_t sb = h.handle;
   /* Not the object of a buffer. */
   struct drm_prime_handle p = { .fd = fd };
   assert_int_equal(f_ioctl(b.f, DRM_IOCTL_PRIME_FD_TO_HANDLE, &p), -EINVAL);

   assert_int_equal(wait_sync(&b, sb, 0, 0, 0), -EINVAL);
   const uint32_t later = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
   assert_int_equal(wait_sync(&b, sb, 0, later, 3000000), -ETIME);
   struct drm_i915_gem_exec_fence fence = {
      .handle = sa,
      .flags = I915_EXEC_FENCE_SIGNAL,
   };
   struct submit args = {
      .flags = I915_EXEC_FENCE_ARRAY,
      .fences = (uintptr_t)&fence,
      .num_fences = 1,
   };
   assert_int_equal(submit(&a, &args), 0);
   assert_int_equal(wait_sync(&b, sb, 0, 0, 3000000), -ETIME);
   a.gate.map[0] = 1;
   assert_int_equal(wait_sync(&b, sb, 0, 0, 5000000000), 0);

   /* The other side resets it, and signals points. */
   struct drm_syncobj_array reset = { .handles = (uintptr_t)&sb,
                                      .count_handles = 1 };
   assert_int_equal(f_ioctl(b.f, DRM_IOCTL_SYNCOBJ_RESET, &reset), 0);
   assert_int_equal(wait_sync(&a, sa, 0, 0, 0), -EINVAL);
   uint64_t point = 7;
   struct drm_syncobj_timeline_array signal = {
      .handles = (uintptr_t)&sb,
      .points = (uintptr_t)&point,
      .count_handles = 1,
   };
   assert_int_equal(f_ioctl(b.f, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &signal),
                    0);
   assert_int_equal(wait_sync(&a, sa, 7, 0, 0), 0);
   assert_int_equal(wait_sync(&a, sa, 8, 0, 0), -EINVAL);
   struct drm_syncobj_timeline_array query = signal;
   query.handles = (uintptr_t)&sa;
   point = 0;
   assert_int_equal(f_ioctl(a.f, DRM_IOCTL_SYNCOBJ_QUERY, &query), 0);
   assert_int_equal(point, 7);
   close(fd);
   end(&a);
   end(&b);
}

/* A sync file is about the work that there was, not about later work, which
 * may itself wait for it: swap chains deadlocked. */
static void
test_dma_buf_later_work(void **state)
{
   struct side a, b;
   uint32_t h[2];
   int fd;
   begin(&a);
   begin(&b);
   share(&a, &b, h, &fd);
   struct submit first = { .shared = h[0] }, second = { .shared = h[1] };
   assert_int_equal(submit(&a, &first), 0);
   struct dma_buf_export_sync_file out = { .flags = DMA_BUF_SYNC_WRITE };
   assert_int_equal(
      saffron_sim_fd_ioctl(fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &out), 0);
   assert_int_equal(submit(&b, &second), 0);
   assert_int_equal(poll_fd(out.fd, 5), 0);
   a.gate.map[0] = 1;
   assert_int_equal(poll_fd(out.fd, 1000), POLLIN);
   b.gate.map[0] = 1;
   close(out.fd);
   close(fd);
   end(&a);
   end(&b);
}

/* DMA_BUF_IOCTL_EXPORT_SYNC_FILE and IMPORT_SYNC_FILE: implicit fences made
 * explicit, and the other way round. */
static void
test_dma_buf_fences(void **state)
{
   struct side a, b;
   uint32_t h[2];
   int fd;
   begin(&a);
   begin(&b);
   share(&a, &b, h, &fd);
   struct dma_buf_export_sync_file out = { .flags = DMA_BUF_SYNC_READ };
   assert_int_equal(
      saffron_sim_fd_ioctl(fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &out), 0);
   assert_int_equal(status(out.fd), 1);
   close(out.fd);
   struct submit args = {
      .shared = h[0],
      .object_flags = EXEC_OBJECT_WRITE,
   };
   assert_int_equal(submit(&a, &args), 0);
   assert_int_equal(
      saffron_sim_fd_ioctl(fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &out), 0);
   assert_int_equal(poll_fd(out.fd, 5), 0);
   a.gate.map[0] = 1;
   assert_int_equal(poll_fd(out.fd, 5000), POLLIN);
   close(out.fd);
   assert_int_equal(wait_bo(&b, h[1], -1), 0);

   struct submit free = { .flags = I915_EXEC_FENCE_OUT };
   a.gate.map[0] = 0;
   struct dma_buf_import_sync_file in = { .flags = DMA_BUF_SYNC_WRITE };
   in.fd = submit(&a, &free);
   assert_true(in.fd >= 0);
   assert_int_equal(
      saffron_sim_fd_ioctl(fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in), 0);
   close(in.fd);
   assert_int_equal(busy(&b, h[1]) & 0xffff, WRITES);
   assert_int_equal(wait_bo(&b, h[1], 3000000), -ETIME);
   a.gate.map[0] = 1;
   assert_int_equal(wait_bo(&b, h[1], 5000000000), 0);
   in.fd = fd;
   assert_int_equal(
      saffron_sim_fd_ioctl(fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in), -EINVAL);
   in.flags = 0;
   assert_int_equal(
      saffron_sim_fd_ioctl(fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in), -EINVAL);
   close(fd);
   end(&a);
   end(&b);
}

/* Whoever has the object can write to its control page: nothing there may
 * make us do more than wait. */
static void
test_bad_control_page(void **state)
{
   struct side a, b;
   uint32_t h[2];
   int fd;
   begin(&a);
   begin(&b);
   a.gate.map[0] = b.gate.map[0] = 1;
   share(&a, &b, h, &fd);
   const uint32_t sa = new_syncobj(&a);
   const int sync_fd = to_fd(&a, sa, 0);
   struct drm_syncobj_handle s = { .fd = sync_fd };
   assert_int_equal(f_ioctl(b.f, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &s), 0);
   uint8_t *pages[] = {
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 8192),
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, sync_fd, 0),
   };
   assert_true(pages[0] != MAP_FAILED && pages[1] != MAP_FAILED);
   uint32_t random = 1;
   for (unsigned round = 0; round < 300; round++) {
      for (unsigned i = 0; i < 20; i++) {
         random = random * 1664525 + 1013904223;
         /* After what says that it is one. */
         pages[random >> 31][20 + (random >> 8) % 4076] =
            random & 128 ? 255 : (uint8_t)random;
      }
      struct drm_i915_gem_get_tiling tiling = { .handle = h[1] };
      assert_int_equal(f_ioctl(b.f, DRM_IOCTL_I915_GEM_GET_TILING, &tiling),
                       0);
      assert_true(tiling.tiling_mode <= I915_TILING_Y);
      busy(&b, h[1]);
      wait_bo(&b, h[1], 0);
      wait_bo(&a, h[0], 0);
      wait_sync(&b, s.handle, round, 0, 0);
      wait_sync(&a, sa, 0, 0, 0);
      saffron_sim_fd_poll(fd, POLLIN | POLLOUT);
      uint64_t point = round;
      struct drm_syncobj_timeline_array signal = {
         .handles = (uintptr_t)&s.handle,
         .points = (uintptr_t)&point,
         .count_handles = 1,
      };
      f_ioctl(b.f, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &signal);
      f_ioctl(b.f, DRM_IOCTL_SYNCOBJ_QUERY, &signal);
   }
   /* What waits for nonsense stops to when the other side is gone. */
   munmap(pages[0], 4096);
   munmap(pages[1], 4096);
   close(fd);
   close(sync_fd);
   end(&a);
   assert_int_equal(wait_bo(&b, h[1], 5000000000), 0);
   end(&b);
}

static unsigned
count_entries(const char *path)
{
   DIR *dir = opendir(path);
   unsigned n = 0;
   assert_non_null(dir);
   while (readdir(dir))
      n++;
   closedir(dir);
   return n;
}

/* What is shared and given up leaves nothing behind: frames of a compositor's
 * life. */
static void
test_no_leaks(void **state)
{
   struct side a, b;
   begin(&a);
   begin(&b);
   a.gate.map[0] = b.gate.map[0] = 1;
   unsigned before = 0;
   for (unsigned i = 0; i < 60; i++) {
      uint32_t h[2];
      int fd;
      share(&a, &b, h, &fd);
      struct submit args = {
         .shared = h[0],
         .object_flags = EXEC_OBJECT_WRITE,
         .flags = I915_EXEC_FENCE_OUT,
      };
      const int fence = submit(&a, &args);
      args.shared = h[1];
      args.flags = I915_EXEC_FENCE_IN | I915_EXEC_FENCE_OUT;
      args.in_fd = fence;
      const int second = submit(&b, &args);
      assert_true(fence >= 0 && second >= 0);
      const uint32_t sa = new_syncobj(&a);
      const int sync_fd = to_fd(&a, sa, 0);
      struct drm_syncobj_handle s = { .fd = sync_fd };
      assert_int_equal(f_ioctl(b.f, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &s), 0);
      assert_int_equal(wait_bo(&b, h[1], -1), 0);
      assert_int_equal(wait_bo(&a, h[0], -1), 0);
      struct drm_gem_close close_a = { .handle = h[0] };
      struct drm_gem_close close_b = { .handle = h[1] };
      assert_int_equal(f_ioctl(a.f, DRM_IOCTL_GEM_CLOSE, &close_a), 0);
      assert_int_equal(f_ioctl(b.f, DRM_IOCTL_GEM_CLOSE, &close_b), 0);
      struct drm_syncobj_destroy destroy_a = { .handle = sa };
      struct drm_syncobj_destroy destroy_b = { .handle = s.handle };
      assert_int_equal(f_ioctl(a.f, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy_a),
                       0);
      assert_int_equal(f_ioctl(b.f, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy_b),
                       0);
      close(fd);
      close(fence);
      close(second);
      close(sync_fd);
      if (i == 9)
         before = count_entries("/proc/self/fd");
   }
   /* The last jobs may not have let go of what they hold. */
   unsigned after = 0;
   for (unsigned i = 0; i < 1000; i++) {
      after = count_entries("/proc/self/fd");
      if (after <= before)
         break;
      usleep(1000);
   }
   assert_true(after <= before);
   end(&a);
   end(&b);
}

/* GEM_FLINK and GEM_OPEN, on the primary nodes. */
static void
test_names(void **state)
{
   struct side a, b;
   uint32_t h[2];
   int fd;
   begin(&a);
   begin(&b);
   share(&a, &b, h, &fd);
   struct saffron_sim_file *pa = saffron_sim_open_primary(a.f->sim);
   struct saffron_sim_file *pb = saffron_sim_open_primary(b.f->sim);
   struct drm_i915_gem_create create = { .size = 12288 };
   assert_int_equal(saffron_sim_ioctl(pa, DRM_IOCTL_I915_GEM_CREATE, &create),
                    0);
   struct drm_gem_flink flink = { .handle = create.handle };
   assert_int_equal(saffron_sim_ioctl(pa, DRM_IOCTL_GEM_FLINK, &flink), 0);
   const uint32_t name = flink.name;
   assert_int_not_equal(name, 0);
   flink.name = 0;
   assert_int_equal(saffron_sim_ioctl(pa, DRM_IOCTL_GEM_FLINK, &flink), 0);
   assert_int_equal(flink.name, name);
   struct drm_gem_open open = { .name = name };
   assert_int_equal(saffron_sim_ioctl(pa, DRM_IOCTL_GEM_OPEN, &open), 0);
   assert_int_equal(open.handle, create.handle);
   assert_int_equal(saffron_sim_ioctl(pb, DRM_IOCTL_GEM_OPEN, &open), 0);
   assert_int_equal(open.size, 12288);
   const uint32_t theirs = open.handle;
   struct drm_i915_gem_pwrite w = { .handle = theirs,
                                    .size = 4,
                                    .data_ptr = (uintptr_t) "abc" };
   assert_int_equal(saffron_sim_ioctl(pb, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
   char back[4] = "";
   struct drm_i915_gem_pread r = { .handle = create.handle,
                                   .size = 4,
                                   .data_ptr = (uintptr_t)back };
   assert_int_equal(saffron_sim_ioctl(pa, DRM_IOCTL_I915_GEM_PREAD, &r), 0);
   assert_string_equal(back, "abc");
   /* The name ends with its owner; who still has the object makes another. */
   struct drm_gem_close close_ = { .handle = create.handle };
   assert_int_equal(saffron_sim_ioctl(pa, DRM_IOCTL_GEM_CLOSE, &close_), 0);
   for (unsigned i = 0; i < 2000; i++) {
      open.name = name;
      if (saffron_sim_ioctl(pa, DRM_IOCTL_GEM_OPEN, &open))
         break;
      close_.handle = open.handle;
      saffron_sim_ioctl(pa, DRM_IOCTL_GEM_CLOSE, &close_);
      usleep(1000);
   }
   assert_int_equal(saffron_sim_ioctl(pa, DRM_IOCTL_GEM_OPEN, &open),
                    -ENOENT);
   flink.handle = theirs;
   assert_int_equal(saffron_sim_ioctl(pb, DRM_IOCTL_GEM_FLINK, &flink), 0);
   open.name = flink.name;
   assert_int_equal(saffron_sim_ioctl(pa, DRM_IOCTL_GEM_OPEN, &open), 0);
   open.name = 60000;
   assert_int_equal(saffron_sim_ioctl(pa, DRM_IOCTL_GEM_OPEN, &open),
                    -ENOENT);
   saffron_sim_close(pa);
   saffron_sim_close(pb);
   close(fd);
   end(&a);
   end(&b);
}

/* Another user cannot have an object by its name, nor offer one. */
static void
test_names_of_others(void **state)
{
   struct side a;
   int ends[2];
   if (geteuid())
      skip(); /* it takes root to be somebody else */
   begin(&a);
   struct saffron_sim_file *pa = saffron_sim_open_primary(a.f->sim);
   struct drm_i915_gem_create create = { .size = 4096 };
   assert_int_equal(saffron_sim_ioctl(pa, DRM_IOCTL_I915_GEM_CREATE, &create),
                    0);
   struct drm_gem_flink flink = { .handle = create.handle };
   assert_int_equal(saffron_sim_ioctl(pa, DRM_IOCTL_GEM_FLINK, &flink), 0);
   assert_int_equal(pipe(ends), 0);
   const pid_t child = fork();
   if (!child) {
      /* The address is no secret; who asks is known. */
      struct sockaddr_un address = { .sun_family = AF_UNIX };
      const int n = snprintf(address.sun_path + 1, 100, "saffron-flink/0/%u",
                             flink.name);
      const int s = socket(AF_UNIX, SOCK_STREAM, 0);
      char byte;
      if (setuid(65534) ||
          connect(s, (struct sockaddr *)&address,
                  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
                              (size_t)n)))
         _exit(1);
      _exit(recv(s, &byte, 1, 0) == 0 ? 0 : 2);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   saffron_sim_close(pa);
   end(&a);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_implicit),
      cmocka_unit_test(test_death),
      cmocka_unit_test(test_sync_files),
      cmocka_unit_test(test_syncobj_sync_files),
      cmocka_unit_test(test_shared_syncobj),
      cmocka_unit_test(test_dma_buf_fences),
      cmocka_unit_test(test_bad_control_page),
      cmocka_unit_test(test_dma_buf_later_work),
      cmocka_unit_test(test_no_leaks),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_names_of_others),
   };
   return cmocka_run_group_tests_name("uapi_share", tests, NULL, NULL);
}
