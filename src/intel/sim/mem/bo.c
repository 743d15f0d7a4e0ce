/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects: see mem.h.
 *
 * Shared anonymous memory, and no file behind it: programs have thousands of
 * objects, but often no more than a thousand file descriptors. Further
 * mappings are made by mremap() with an old size of 0, which maps the same
 * pages once more (mremap(2)); the pages live as long as one of them. Where
 * that call knows no such size (Valgrind's does not), each object is a file.
 *
 * An object that is going to be shared with other processes becomes a file.
 * There is no way from anonymous memory to a descriptor, so its contents are
 * copied, and the mappings, which /proc/self/maps knows by the inode that
 * they have in common, are put in place anew under the same addresses.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mem.h"

static pthread_once_t probed = PTHREAD_ONCE_INIT;
static bool maps_again; /* mremap() does, as above */

static void
probe(void)
{
   void *map = mmap(NULL, SIM_PAGE_SIZE, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   void *again = map == MAP_FAILED
                    ? MAP_FAILED
                    : mremap(map, 0, SIM_PAGE_SIZE, MREMAP_MAYMOVE);
   maps_again = again != MAP_FAILED;
   if (maps_again)
      munmap(again, SIM_PAGE_SIZE);
   if (map != MAP_FAILED)
      munmap(map, SIM_PAGE_SIZE);
}

static struct sim_bo *
bo_new(uint8_t *map, uint64_t size_B)
{
   struct sim_bo *bo = calloc(1, sizeof(*bo));
   if (!bo)
      return NULL;
   bo->map = map;
   bo->size_B = size_B;
   bo->fd = -1;
   bo->refcount = 1;
   list_inithead(&bo->vmas);
   return bo;
}

/* Of what mmap() returned, which the object owns; or NULL, and it is gone. */
static struct sim_bo *
bo_of_mapping(void *map, uint64_t size_B)
{
   if (map == MAP_FAILED)
      return NULL;
   struct sim_bo *bo = bo_new(map, size_B);
   if (!bo)
      munmap(map, size_B);
   return bo;
}

/* The object has the descriptor, or it is closed. */
static struct sim_bo *
bo_with_file(int fd, uint64_t size_B)
{
   void *map = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   struct sim_bo *bo = bo_of_mapping(map, size_B);
   if (bo)
      bo->fd = fd;
   else
      close(fd);
   return bo;
}

static struct sim_bo *
bo_create_with_file(uint64_t size_B)
{
   const int fd = memfd_create("saffron-bo", MFD_CLOEXEC);
   if (fd < 0)
      return NULL;
   if (!ftruncate(fd, (off_t)size_B))
      return bo_with_file(fd, size_B);
   close(fd);
   return NULL;
}

struct sim_bo *
sim_bo_create(uint64_t size_B)
{
   assert(size_B && size_B % SIM_PAGE_SIZE == 0 && "whole pages");
   pthread_once(&probed, probe);
   if (!maps_again)
      return bo_create_with_file(size_B);
   void *map = mmap(NULL, size_B, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   return bo_of_mapping(map, size_B);
}

struct sim_bo *
sim_bo_create_user(void *memory, uint64_t size_B)
{
   struct sim_bo *bo = bo_new(memory, size_B);
   if (bo)
      bo->user_memory = true;
   return bo;
}

struct sim_bo *
sim_bo_create_file(int fd, uint64_t size_B)
{
   pthread_once(&probed, probe);
   if (!maps_again) {
      const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
      return own < 0 ? NULL : bo_with_file(own, size_B);
   }
   void *map = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   return bo_of_mapping(map, size_B);
}

/* A line of /proc/self/maps. */
struct mapping {
   uint64_t start, end, offset, inode;
   unsigned major, minor;
   int prot;
};

static bool
parse_mapping(const char *line, struct mapping *m)
{
   char perms[5];
   if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64,
              &m->start, &m->end, perms, &m->offset, &m->major, &m->minor,
              &m->inode) != 7)
      return false;
   m->prot = (perms[0] == 'r' ? PROT_READ : 0) |
             (perms[1] == 'w' ? PROT_WRITE : 0) |
             (perms[2] == 'x' ? PROT_EXEC : 0);
   return true;
}

/* The whole file in one string; NULL on failure, which errno names. */
static char *
read_maps(void)
{
   const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
   char *text = NULL;
   size_t size_B = 0, n = 0;
   ssize_t got = fd < 0 ? -1 : 1;
   while (got > 0) {
      if (size_B - n < 4096) {
         size_B += 65536;
         char *t = realloc(text, size_B);
         if (!t) {
            got = -1;
            break;
         }
         text = t;
      }
      got = read(fd, text + n, size_B - n - 1);
      n += got > 0 ? (size_t)got : 0;
   }
   if (fd >= 0)
      close(fd);
   if (got < 0) {
      free(text);
      return NULL;
   }
   text[n] = '\0';
   return text;
}

static bool
same_file(const struct mapping *a, const struct mapping *b)
{
   return a->inode == b->inode && a->major == b->major &&
          a->minor == b->minor;
}

/* Puts the file in place of all mappings of the object. */
static int
replace_mappings(const struct sim_bo *bo, int fd)
{
   char *text = read_maps();
   if (!text)
      return errno == ENOMEM ? ENOMEM : ENODEV;
   struct mapping own = { 0 }, m;
   for (const char *line = text; line && !own.inode;
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
      if (parse_mapping(line, &m) && m.start <= (uintptr_t)bo->map &&
          (uintptr_t)bo->map < m.end)
         own = m;
   }
   int error = own.inode ? 0 : ENODEV;
   for (const char *line = text; line && !error;
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
      if (parse_mapping(line, &m) && same_file(&m, &own) &&
          mmap((void *)(uintptr_t)m.start, m.end - m.start, m.prot,
               MAP_SHARED | MAP_FIXED, fd, (off_t)m.offset) == MAP_FAILED)
         error = errno;
   }
   free(text);
   return error;
}

/* Pages of zeros stay holes. */
static int
copy_contents(const struct sim_bo *bo, int fd)
{
   static const uint8_t zeros[SIM_PAGE_SIZE];
   for (uint64_t at = 0; at < bo->size_B; at += SIM_PAGE_SIZE) {
      if (!memcmp(bo->map + at, zeros, SIM_PAGE_SIZE))
         continue;
      if (pwrite(fd, bo->map + at, SIM_PAGE_SIZE, (off_t)at) != SIM_PAGE_SIZE)
         return ENOMEM;
   }
   return 0;
}

int
sim_bo_move_to_file(struct sim_bo *bo, uint64_t extra_B, int *fd)
{
   assert(!bo->user_memory && "that memory is not ours to move");
   *fd = memfd_create("saffron-bo", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   if (*fd < 0)
      return errno;
   int error = ftruncate(*fd, (off_t)(bo->size_B + extra_B)) ? errno : 0;
   if (!error)
      error = copy_contents(bo, *fd);
   if (!error)
      error = replace_mappings(bo, *fd);
   if (!error && bo->fd >= 0 && dup3(*fd, bo->fd, O_CLOEXEC) < 0)
      error = errno;
   if (error) {
      close(*fd);
      *fd = -1;
   }
   return error;
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
   const int flags = MREMAP_MAYMOVE | (fixed ? MREMAP_FIXED : 0);
   *map = bo->fd < 0 ? mremap(from, 0, size_B, flags, fixed)
                     : mmap(fixed, size_B, PROT_READ | PROT_WRITE,
                            MAP_SHARED | (fixed ? MAP_FIXED : 0), bo->fd,
                            (off_t)offset);
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
   if (bo->fd >= 0)
      close(bo->fd);
   free(bo);
}
