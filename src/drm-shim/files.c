/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of nodes and directories of the tree.
 *
 * Each is a real descriptor, so that its number is taken and dup(), close(),
 * poll() and passing it on work: for a node an epoll instance without
 * members, which like a node without events is never ready and cannot be read,
 * written or mapped; for a directory /dev/null. A file of the tree
 * is a memfd with its contents and needs nothing from us afterwards.
 *
 * After a fork the child has the descriptors, but the device with its threads
 * stayed in the parent: what the child opened before is lost to it (ENODEV).
 */
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "drm_shim_private.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct shim_file **table; /* by descriptor */
static int table_size;
/* The table is never touched by programs that open nothing of ours. */
static bool used;

static void
before_fork(void)
{
   pthread_mutex_lock(&lock);
}

static void
after_fork(void)
{
   pthread_mutex_unlock(&lock);
}

static void
after_fork_child(void)
{
   for (int i = 0; i < table_size; i++) {
      if (table[i])
         table[i]->backend = NULL;
   }
   pthread_mutex_unlock(&lock);
}

static void
register_fork(void)
{
   pthread_atfork(before_fork, after_fork, after_fork_child);
}

/* With the lock: puts `file` into the table. False when out of memory. */
static bool
set(int fd, struct shim_file *file)
{
   if (fd >= table_size) {
      const int size = MAX2(2 * table_size, fd + 16);
      struct shim_file **t = realloc(table, (size_t)size * sizeof(*t));
      if (!t)
         return false;
      memset(t + table_size, 0, (size_t)(size - table_size) * sizeof(*t));
      table = t;
      table_size = size;
   }
   table[fd] = file;
   return true;
}

struct shim_file *
shim_file_get(int fd)
{
   if (!__atomic_load_n(&used, __ATOMIC_ACQUIRE) || fd < 0)
      return NULL;
   pthread_mutex_lock(&lock);
   struct shim_file *file = fd < table_size ? table[fd] : NULL;
   if (file)
      file->refcount++;
   pthread_mutex_unlock(&lock);
   return file;
}

void
shim_file_put(struct shim_file *file)
{
   if (!file)
      return;
   pthread_mutex_lock(&lock);
   const bool is_last = --file->refcount == 0;
   pthread_mutex_unlock(&lock);
   if (!is_last)
      return;
   if (file->backend)
      file->entry->ops->close(file->backend);
   free(file);
}

void
shim_file_close(int fd)
{
   if (!__atomic_load_n(&used, __ATOMIC_ACQUIRE) || fd < 0)
      return;
   pthread_mutex_lock(&lock);
   struct shim_file *file = NULL;
   if (fd < table_size) {
      file = table[fd];
      table[fd] = NULL;
   }
   pthread_mutex_unlock(&lock);
   shim_file_put(file);
}

void
shim_file_dup(int fd, int new_fd)
{
   if (fd == new_fd)
      return;
   shim_file_close(new_fd);
   struct shim_file *file = shim_file_get(fd);
   if (!file)
      return;
   pthread_mutex_lock(&lock);
   const bool ok = set(new_fd, file);
   pthread_mutex_unlock(&lock);
   if (!ok)
      shim_file_put(file);
}

static int
open_contents(const struct shim_entry *entry, int flags)
{
   const int fd = memfd_create(shim_name(entry),
                               flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
   if (fd < 0)
      return -1;
   if (write(fd, entry->data, entry->size_B) != (ssize_t)entry->size_B ||
       lseek(fd, 0, SEEK_SET)) {
      close(fd);
      errno = EIO;
      return -1;
   }
   return fd;
}

int
shim_open(const struct shim_entry *entry, int flags)
{
   const bool writes = (flags & O_ACCMODE) != O_RDONLY;
   int error = 0;
   if ((flags & O_CREAT) && (flags & O_EXCL))
      error = EEXIST;
   else if (entry->kind == SHIM_DIR && writes)
      error = EISDIR;
   else if (entry->kind != SHIM_DIR && (flags & O_DIRECTORY))
      error = ENOTDIR;
   else if (entry->kind == SHIM_FILE && writes)
      error = EACCES;
   else if (entry->kind == SHIM_LINK)
      error = ELOOP; /* O_NOFOLLOW */
   if (error) {
      errno = error;
      return -1;
   }
   if (entry->kind == SHIM_FILE)
      return open_contents(entry, flags);

   pthread_once(&once, register_fork);
   struct shim_file *file = calloc(1, sizeof(*file));
   if (!file) {
      errno = ENOMEM;
      return -1;
   }
   file->refcount = 1;
   file->entry = entry;
   int fd;
   if (entry->kind == SHIM_NODE) {
      file->backend = entry->ops->open(entry->device);
      if (!file->backend) {
         free(file);
         errno = ENOMEM;
         return -1;
      }
      fd = epoll_create1(flags & O_CLOEXEC ? EPOLL_CLOEXEC : 0);
   } else {
      fd = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null",
                        O_RDONLY | (flags & O_CLOEXEC));
   }
   error = errno;
   pthread_mutex_lock(&lock);
   __atomic_store_n(&used, true, __ATOMIC_RELEASE);
   const bool ok = fd >= 0 && set(fd, file);
   pthread_mutex_unlock(&lock);
   if (ok)
      return fd;
   shim_file_put(file);
   if (fd >= 0) {
      syscall(SYS_close, fd);
      error = ENOMEM;
   }
   errno = error;
   return -1;
}
