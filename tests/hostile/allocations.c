/* SPDX-License-Identifier: MIT */
/*
 * A host without memory: the n-th allocation fails, for each n, in a process
 * of its own. The call must say so (VK_ERROR_OUT_OF_*) or succeed, the device
 * work afterwards, and nothing be left when all is destroyed.
 *
 * usage: allocations LIBRARY SCENE [STEP [FIRST]]
 *
 * SCENE: device, fill, pipeline. STEP 1 (the default) tries each n.
 * The allocator is that of this program, which stands before the C library's
 * in all that it loads.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icd.h"
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

static bool
fails(void)
{
   const long n = __atomic_fetch_add(&seen, 1, __ATOMIC_RELAXED);
   if (n != __atomic_load_n(&fails_at, __ATOMIC_RELAXED))
      return false;
   errno = ENOMEM;
   return true;
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
   return fails() ? NULL : counted(__libc_malloc(size));
}

PUBLIC void *
calloc(size_t n, size_t size)
{
   return fails() ? NULL : counted(__libc_calloc(n, size));
}

PUBLIC void *
realloc(void *p, size_t size)
{
   if (fails())
      return NULL;
   return p ? __libc_realloc(p, size) : counted(__libc_malloc(size));
}

PUBLIC void *
aligned_alloc(size_t align, size_t size)
{
   return fails() ? NULL : counted(__libc_memalign(align, size));
}

PUBLIC int
posix_memalign(void **p, size_t align, size_t size)
{
   *p = fails() ? NULL : counted(__libc_memalign(align, size));
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

/* ---- scenes ---- */

static VkResult
make_pipeline(struct icd *icd)
{
   const VkPipelineCacheCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
   };
   VkPipelineCache cache = VK_NULL_HANDLE;
   struct icd_compute c;
   VkResult r = icd->CreatePipelineCache(icd->device, &info, NULL, &cache);
   if (r)
      return r;
   r = icd_compute_create(icd, cache, &c);
   icd_compute_destroy(icd, &c);
   icd->DestroyPipelineCache(icd->device, cache, NULL);
   return r;
}

static VkResult
fill(struct icd *icd)
{
   return icd_fill(icd) ? icd->result : VK_SUCCESS;
}

/* NULL: the making of the device itself. */
static const struct scene {
   const char *name;
   VkResult (*run)(struct icd *icd);
} scenes[] = {
   { "device", NULL },
   { "fill", fill },
   { "pipeline", make_pipeline },
};

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
      usable = !icd_fill(&icd);
   icd_close(&icd);
   if (r && r != VK_ERROR_OUT_OF_HOST_MEMORY &&
       r != VK_ERROR_OUT_OF_DEVICE_MEMORY && r != VK_ERROR_DEVICE_LOST) {
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
   for (unsigned i = 0; argc > 2 && i < ARRAY_SIZE(scenes); i++) {
      if (!strcmp(argv[2], scenes[i].name))
         scene = &scenes[i];
   }
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
   return good && counts[REFUSED] ? 0 : 1;
}
