/* SPDX-License-Identifier: MIT */
/*
 * Random requests with arguments that are half sensible, from two threads at
 * once: nothing crashes, nothing hangs, and the device works afterwards.
 *
 * Good pointers lead into one piece of memory with a hole after it, so that
 * a copy that goes too far stops there.
 */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "intel/sim/tests/sim_batch.h"

#define SCRATCH_B 65536
#define SECONDS 1
#define NUM_FDS 16

static const unsigned long requests[] = {
   DRM_IOCTL_VERSION,
   DRM_IOCTL_GET_CAP,
   DRM_IOCTL_GEM_CLOSE,
   DRM_IOCTL_PRIME_FD_TO_HANDLE,
   DRM_IOCTL_PRIME_HANDLE_TO_FD,
   DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD,
   DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE,
   DRM_IOCTL_GEM_FLINK,
   DRM_IOCTL_GEM_OPEN,
   DRM_IOCTL_SYNCOBJ_CREATE,
   DRM_IOCTL_SYNCOBJ_DESTROY,
   DRM_IOCTL_SYNCOBJ_WAIT,
   DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
   DRM_IOCTL_SYNCOBJ_RESET,
   DRM_IOCTL_SYNCOBJ_SIGNAL,
   DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL,
   DRM_IOCTL_SYNCOBJ_QUERY,
   DRM_IOCTL_SYNCOBJ_TRANSFER,
   DRM_IOCTL_I915_GETPARAM,
   DRM_IOCTL_I915_QUERY,
   DRM_IOCTL_I915_REG_READ,
   DRM_IOCTL_I915_GET_RESET_STATS,
   DRM_IOCTL_I915_GEM_CREATE,
   DRM_IOCTL_I915_GEM_CREATE_EXT,
   DRM_IOCTL_I915_GEM_USERPTR,
   DRM_IOCTL_I915_GEM_MMAP_GTT,
   DRM_IOCTL_I915_GEM_MMAP_OFFSET,
   DRM_IOCTL_I915_GEM_PREAD,
   DRM_IOCTL_I915_GEM_PWRITE,
   DRM_IOCTL_I915_GEM_SET_DOMAIN,
   DRM_IOCTL_I915_GEM_WAIT,
   DRM_IOCTL_I915_GEM_BUSY,
   DRM_IOCTL_I915_GEM_MADVISE,
   DRM_IOCTL_I915_GEM_SET_TILING,
   DRM_IOCTL_I915_GEM_GET_TILING,
   DRM_IOCTL_I915_GEM_SET_CACHING,
   DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
   DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
   DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM,
   DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM,
   DRM_IOCTL_I915_GEM_VM_CREATE,
   DRM_IOCTL_I915_GEM_VM_DESTROY,
   DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
   DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
   DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
};

struct fuzz {
   struct fixture *f;
   uint8_t *scratch;
   uint64_t random;
   uint64_t count;
   int fds[NUM_FDS]; /* that requests have given; 0: none */
};

static uint64_t
next(struct fuzz *z)
{
   z->random ^= z->random << 13;
   z->random ^= z->random >> 7;
   z->random ^= z->random << 17;
   return z->random;
}

static uint64_t
word(struct fuzz *z)
{
   const uint64_t r = next(z) >> 8;
   switch (next(z) % 8) {
   case 0: return 0;
   case 1: return (uintptr_t)z->scratch + r % SCRATCH_B / 8 * 8;
   case 2: return r % 16 * 4096;
   case 3: return 1ull << r % 64;
   case 4: return r;
   case 5: return r % 8 | (r >> 8) % 8 << 32;
   default: return r % 6;
   }
}

/* Waiting is meant to wait: such arguments are taken out, and others that
 * only cost time. */
static void
make_bounded(unsigned long request, uint64_t *arg)
{
   if (request == DRM_IOCTL_SYNCOBJ_WAIT)
      ((struct drm_syncobj_wait *)arg)->timeout_nsec = 0;
   else if (request == DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT)
      ((struct drm_syncobj_timeline_wait *)arg)->timeout_nsec = 0;
   else if (request == DRM_IOCTL_SYNCOBJ_TRANSFER)
      ((struct drm_syncobj_transfer *)arg)->flags = 0;
   else if (request == DRM_IOCTL_I915_GEM_CREATE ||
            request == DRM_IOCTL_I915_GEM_CREATE_EXT)
      arg[0] %= 1 << 16; /* a batch of zeros is run to its end */
   else if (request == DRM_IOCTL_I915_GEM_EXECBUFFER2_WR)
      ((struct drm_i915_gem_execbuffer2 *)arg)->buffer_count %= 4;
}

/* Where the arguments have a descriptor; NULL: nowhere. */
static int32_t *
place_of_fd(unsigned long request, uint64_t *arg)
{
   switch (request) {
   case DRM_IOCTL_PRIME_FD_TO_HANDLE:
   case DRM_IOCTL_PRIME_HANDLE_TO_FD:
      return &((struct drm_prime_handle *)arg)->fd;
   case DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD:
   case DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE:
      return &((struct drm_syncobj_handle *)arg)->fd;
   case DRM_IOCTL_I915_GEM_EXECBUFFER2_WR:
      /* The lower half of rsvd2; a new one comes in the upper. */
      return (int32_t *)&((struct drm_i915_gem_execbuffer2 *)arg)->rsvd2;
   default: return NULL;
   }
}

/* Keeps a descriptor that a request has made, in place of an older one. */
static void
keep_fd(struct fuzz *z, unsigned long request, uint64_t *arg)
{
   int fd = -1;
   if (request == DRM_IOCTL_PRIME_HANDLE_TO_FD ||
       request == DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD)
      fd = *place_of_fd(request, arg);
   else if (request == DRM_IOCTL_I915_GEM_EXECBUFFER2_WR &&
            (((struct drm_i915_gem_execbuffer2 *)arg)->flags &
             I915_EXEC_FENCE_OUT))
      fd = place_of_fd(request, arg)[1];
   if (fd < 0)
      return;
   int *place = &z->fds[next(z) % NUM_FDS];
   if (*place)
      close(*place);
   *place = fd;
}

static void *
hammer(void *data)
{
   struct fuzz *z = data;
   const time_t end = time(NULL) + SECONDS + 1;
   while (time(NULL) < end) {
      const unsigned long request = requests[next(z) % ARRAY_SIZE(requests)];
      uint64_t arg[32];
      for (unsigned i = 0; i < ARRAY_SIZE(arg); i++)
         arg[i] = word(z);
      for (unsigned i = 0; i < 8; i++) {
         const uint64_t v = word(z);
         memcpy(z->scratch + next(z) % 512 * 8, &v, sizeof(v));
      }
      make_bounded(request, arg);
      int32_t *fd = place_of_fd(request, arg);
      if (fd && next(z) % 4)
         *fd = z->fds[next(z) % NUM_FDS];
      if (!saffron_sim_ioctl(z->f->file, request, arg))
         keep_fd(z, request, arg);
      z->count++;
   }
   for (unsigned i = 0; i < NUM_FDS; i++) {
      if (z->fds[i])
         close(z->fds[i]);
   }
   return NULL;
}

static void
test_random_requests(void **state)
{
   struct fixture *f = *state;
   struct fuzz z[2];
   pthread_t thread[2];
   /* A primary node permits more. */
   saffron_sim_close(f->file);
   f->file = saffron_sim_open_primary(f->sim);
   for (unsigned i = 0; i < 2; i++) {
      uint8_t *p = mmap(NULL, 16 * SCRATCH_B, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      assert_ptr_not_equal(p, MAP_FAILED);
      assert_int_equal(mprotect(p, SCRATCH_B, PROT_READ | PROT_WRITE), 0);
      z[i] = (struct fuzz) { f, p, 0x9e3779b97f4a7c15ull + i, 0, { 0 } };
      assert_int_equal(pthread_create(&thread[i], NULL, hammer, &z[i]), 0);
   }
   for (unsigned i = 0; i < 2; i++) {
      pthread_join(thread[i], NULL);
      assert_true(z[i].count > 0);
   }

   /* A file of its own does not see any of that. */
   struct saffron_sim_file *fuzzed = f->file;
   f->file = saffron_sim_open(f->sim);
   f->num_reports = 0;
   struct batch b = batch_start(state);
   batch_store(&b, DATA, 7);
   run_ok(&b);
   assert_int_equal(b.data.map[0], 7);
   f_reset_bos(f);
   saffron_sim_close(f->file);
   f->file = fuzzed;
   saffron_sim_close(fuzzed);
   f->file = saffron_sim_open(f->sim);
   for (unsigned i = 0; i < 2; i++)
      munmap(z[i].scratch, 16 * SCRATCH_B);
}

int
main(void)
{
   setenv("SAFFRON_SIM_HANG_MS", "50", 1);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_random_requests, f_setup,
                                      f_teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
