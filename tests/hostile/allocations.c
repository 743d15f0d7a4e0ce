/* SPDX-License-Identifier: MIT */
/*
 * A host without memory: the n-th allocation fails, for each n, in a process
 * of its own. The call must say so (VK_ERROR_OUT_OF_*) or succeed, the device
 * work afterwards, and nothing be left when all is destroyed.
 *
 * usage: allocations LIBRARY SCENE [STEP [FIRST]]
 *
 * SCENE: one of scenes.c. STEP 1 (the default) tries each n.
 * The allocator is that of this program, which stands before the C library's
 * in all that it loads. With the shim loaded, which SAFFRON_SHIM_DEVICE says,
 * the device's memory is meant, not the host's: ioctls fail, not allocations.
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <drm.h>
#include <i915_drm.h>

#include "scenes.h"
#include "util/macros.h"

/* ---- the allocator ---- */

/* glibc's own, of its symbol table. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *p);

static long fails_at = -1; /* the number of the one that fails */
static long seen, live;

/* Whether this one of those that count fails. */
static bool
fails(void)
{
   const long n = __atomic_fetch_add(&seen, 1, __ATOMIC_RELAXED);
   if (n != __atomic_load_n(&fails_at, __ATOMIC_RELAXED))
      return false;
   errno = ENOMEM;
   return true;
}

static bool counts_ioctls;

static bool
host_fails(void)
{
   return !counts_ioctls && fails();
}

static void *
counted(void *p)
{
   if (p)
      __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
   return p;
}

PUBLIC void *
malloc(size_t size)
{
   return host_fails() ? NULL : counted(__libc_malloc(size));
}

PUBLIC void *
calloc(size_t n, size_t size)
{
   return host_fails() ? NULL : counted(__libc_calloc(n, size));
}

PUBLIC void *
realloc(void *p, size_t size)
{
   if (host_fails())
      return NULL;
   return p ? __libc_realloc(p, size) : counted(__libc_malloc(size));
}

PUBLIC void *
aligned_alloc(size_t align, size_t size)
{
   return host_fails() ? NULL : counted(__libc_memalign(align, size));
}

PUBLIC int
posix_memalign(void **p, size_t align, size_t size)
{
   *p = host_fails() ? NULL : counted(__libc_memalign(align, size));
   return *p ? 0 : ENOMEM;
}

PUBLIC void
free(void *p)
{
   if (p)
      __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
   __libc_free(p);
}

static void
arm(long n)
{
   __atomic_store_n(&seen, 0, __ATOMIC_RELAXED);
   __atomic_store_n(&fails_at, n, __ATOMIC_RELAXED);
}

/*
 * ---- the kernel ----
 *
 * The driver's calls, which the shim answers that is loaded behind this
 * program, may fail for want of memory, too: those that make something or
 * wait, not those that ask or give back.
 */

static bool
may_want_memory(unsigned long request)
{
   static const unsigned long never[] = {
      DRM_IOCTL_VERSION,
      DRM_IOCTL_GET_CAP,
      DRM_IOCTL_GEM_CLOSE,
      DRM_IOCTL_SYNCOBJ_DESTROY,
      DRM_IOCTL_I915_GETPARAM,
      DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
      DRM_IOCTL_I915_GEM_VM_DESTROY,
   };
   if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
      return false;
   for (unsigned i = 0; i < ARRAY_SIZE(never); i++) {
      if (request == never[i])
         return false;
   }
   return true;
}

PUBLIC int
ioctl(int fd, unsigned long request, ...)
{
   static int (*next)(int fd, unsigned long request, ...);
   va_list ap;
   va_start(ap, request);
   void *arg = va_arg(ap, void *);
   va_end(ap);
   if (!next)
      next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
   if (counts_ioctls && may_want_memory(request) && fails())
      return -1;
   return next(fd, request, arg);
}

enum outcome {
   REFUSED,
   SUCCEEDED,
   NOT_REACHED,
   OTHER_ERROR,
   UNUSABLE,
   LEAKS,
   CRASHED,
   OUTCOMES,
};

static const char *const outcome_names[OUTCOMES] = {
   "refused",  "succeeded", "not reached", "other error",
   "unusable", "leaks",     "crashed",
};

/* One scene from an instance to its end; the n-th allocation fails. */
static enum outcome
run(const struct scene *scene, const char *library, long n)
{
   struct icd icd;
   const long before = live;
   VkResult r;
   bool usable = true;
   if (!scene->run)
      arm(n);
   r = icd_open(&icd, library) ? icd.result : VK_SUCCESS;
   if (scene->run && !r) {
      arm(n);
      r = scene->run(&icd);
   }
   const long count = seen;
   arm(-1);
   if (icd.device && r != VK_ERROR_DEVICE_LOST)
      usable = !icd_fill(&icd) && (!scene->run || !scene->run(&icd));
   icd_close(&icd);
   if (r && r != VK_ERROR_OUT_OF_HOST_MEMORY &&
       r != VK_ERROR_OUT_OF_DEVICE_MEMORY &&
       r != VK_ERROR_MEMORY_MAP_FAILED && r != VK_ERROR_DEVICE_LOST) {
      fprintf(stderr, "%s %ld: result %d\n", scene->name, n, r);
      return OTHER_ERROR;
   }
   if (!usable)
      return UNUSABLE;
   if (n >= 0 && live > before)
      return LEAKS;
   return r ? REFUSED : n >= 0 && count > n ? SUCCEEDED : NOT_REACHED;
}

static enum outcome
run_in_child(const struct scene *scene, const char *library, long n)
{
   int status;
   fflush(stdout);
   const pid_t child = fork();
   if (child == 0) {
      alarm(60);
      _exit((int)run(scene, library, n));
   }
   if (child < 0 || waitpid(child, &status, 0) != child)
      return CRASHED;
   return WIFEXITED(status) ? (enum outcome)WEXITSTATUS(status) : CRASHED;
}

int
main(int argc, char **argv)
{
   const struct scene *scene = NULL;
   for (const struct scene *s = hostile_scenes; argc > 2 && s->name; s++) {
      if (!strcmp(argv[2], s->name))
         scene = s;
   }
   counts_ioctls = getenv("SAFFRON_SHIM_DEVICE") != NULL;
   if (!scene || argc > 5) {
      fprintf(stderr, "usage: allocations LIBRARY SCENE [STEP [FIRST]]\n");
      return 2;
   }
   const long step = argc > 3 ? MAX2(1, atol(argv[3])) : 1;
   long counts[OUTCOMES] = { 0 }, first[OUTCOMES];
   /* What is kept for the next (types, chunks of arenas) is there then. */
   for (unsigned i = 0; i < 2; i++) {
      if (run(scene, argv[1], -1) != NOT_REACHED)
         return 2;
   }
   for (long n = argc > 4 ? atol(argv[4]) : 0;; n += step) {
      const enum outcome o = run_in_child(scene, argv[1], n);
      if (!counts[o]++)
         first[o] = n;
      if (o == NOT_REACHED)
         break;
   }
   bool good = true;
   for (unsigned i = 0; i < OUTCOMES; i++) {
      if (i == NOT_REACHED || !counts[i])
         continue;
      printf("%s: %s %ld, the first %ld\n", scene->name, outcome_names[i],
             counts[i], first[i]);
      good = good && i < NOT_REACHED;
   }
   /* Of ioctls a scene may have none. */
   return good && (counts[REFUSED] || counts_ioctls) ? 0 : 1;
}
