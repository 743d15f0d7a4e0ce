/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of nodes and directories of the tree.
 *
 * Each is a real descriptor, so that its number is taken and dup(), close(),
 * poll() and passing it on work: for a node a timer that is not set, which
 * like a node without events is never ready; for a directory /dev/null. A
 * file of the tree is a memfd with its contents and needs nothing from us
 * afterwards. With O_PATH all of them are /dev/null.
 *
 * A descriptor of a node also comes from another process, by a socket or
 * through exec(), and under a number that we did not see being made. The
 * interval of a timer (timerfd_gettime(2)) stays readable while it is not
 * set and belongs to the open file, so it tells that the descriptor is a
 * node, which one, and which open() it is from: two descriptors of one open()
 * are one file here, wherever they came from. A file that another process
 * opened is a new file of the device here: its handles are not known.
 *
 * After a fork the child has the descriptors and what the back end makes of
 * the files.
 */
#include <dirent.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "drm_shim_private.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t adopt_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_once_t once_opened = PTHREAD_ONCE_INIT;
static pid_t process;            /* whose descriptors the table has */
static struct shim_file **table; /* by descriptor */
static int table_size;
/* The table is never touched by programs that open nothing of ours. */
static bool used;

/*
 * What the interval of a node's timer says. Seconds: a mark, and bits that
 * differ from process to process; nanoseconds (below 2^29): minor and a
 * number of the open().
 */
#define MARK_SECONDS 0x15aff0000ull
#define SALT_MASK 0xffffull
#define MINOR_SHIFT 21
#define MAX_MINOR 255

/* The number that tells the open() apart, or 0: no node. */
static uint64_t
read_id(int fd)
{
   struct itimerspec t;
   const int saved = errno;
   const int ret = timerfd_gettime(fd, &t);
   errno = saved;
   const uint64_t s = (uint64_t)t.it_interval.tv_sec;
   if (ret || (s & ~SALT_MASK) != MARK_SECONDS)
      return 0;
   return s << 32 | (uint64_t)t.it_interval.tv_nsec;
}

static unsigned
minor_of_id(uint64_t id)
{
   return (unsigned)((id & UINT32_MAX) >> MINOR_SHIFT);
}

/* A descriptor for a new open() of a node, and its number; or -1. */
static int
make_node_fd(unsigned minor, int flags, uint64_t *id)
{
   static uint32_t counter;
   if (minor > MAX_MINOR) {
      errno = ENXIO;
      return -1;
   }
   const uint32_t n = __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED);
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   const uint64_t salt =
      ((uint64_t)getpid() * 0x9e37 + (uint64_t)now.tv_nsec) & SALT_MASK;
   const struct itimerspec t = {
      .it_interval = {
         .tv_sec = (time_t)(MARK_SECONDS | salt),
         .tv_nsec = (long)(minor << MINOR_SHIFT |
                           (n & BITFIELD_MASK(MINOR_SHIFT))),
      },
   };
   const int fd = timerfd_create(CLOCK_MONOTONIC,
                                 (flags & O_CLOEXEC ? TFD_CLOEXEC : 0) |
                                    (flags & O_NONBLOCK ? TFD_NONBLOCK : 0));
   if (fd < 0)
      return -1;
   timerfd_settime(fd, 0, &t, NULL);
   *id = read_id(fd);
   if (*id)
      return fd;
   syscall(SYS_close, fd);
   errno = ENODEV;
   return -1;
}

/*
 * fork(). Handlers that are registered late run first before it: they take
 * locks in the order in which a thread takes them, so adopt_lock, under which
 * a device is opened, comes before the back end's, and the table's is last.
 */
static void
before_fork(void)
{
   pthread_mutex_lock(&lock);
}

static void
after_fork(void)
{
   process = getpid();
   pthread_mutex_unlock(&lock);
}

static void
before_fork_early(void)
{
   pthread_mutex_lock(&adopt_lock);
}

static void
after_fork_late(void)
{
   pthread_mutex_unlock(&adopt_lock);
}

static void
register_fork(void)
{
   process = getpid();
   pthread_atfork(before_fork, after_fork, after_fork);
}

static void
register_fork_outer(void)
{
   pthread_atfork(before_fork_early, after_fork_late, after_fork_late);
}

/* A child of vfork() runs on its parent's memory until exec(): what it does
 * with its descriptors is no concern of ours. */
static bool
is_guest(void)
{
   return process != getpid();
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

static struct shim_file *
new_file(const struct shim_entry *entry, uint64_t id)
{
   pthread_once(&once, register_fork);
   struct shim_file *file = calloc(1, sizeof(*file));
   if (!file)
      return NULL;
   file->refcount = 1;
   file->entry = entry;
   file->id = id;
   if (id && !(file->backend = entry->ops->open(entry->device))) {
      free(file);
      return NULL;
   }
   if (file->backend)
      pthread_once(&once_opened, register_fork_outer);
   return file;
}

/* The file of this open(), if one of our descriptors has it already. */
static struct shim_file *
find_id(uint64_t id)
{
   struct shim_file *file = NULL;
   pthread_mutex_lock(&lock);
   for (int i = 0; !file && i < table_size; i++) {
      if (table[i] && table[i]->id == id)
         file = table[i];
   }
   if (file)
      file->refcount++;
   pthread_mutex_unlock(&lock);
   return file;
}

/* Puts a descriptor that came from elsewhere into the table. */
static struct shim_file *
adopt(int fd, uint64_t id)
{
   const struct shim_entry *entry = shim_find_node(minor_of_id(id));
   if (!entry)
      return NULL;
   /* One at a time, so that two descriptors do not become two files. */
   pthread_mutex_lock(&adopt_lock);
   struct shim_file *file = find_id(id);
   if (!file)
      file = new_file(entry, id);
   struct shim_file *old = NULL;
   bool ok = false;
   if (file) {
      pthread_mutex_lock(&lock);
      __atomic_store_n(&used, true, __ATOMIC_RELEASE);
      if (fd < table_size)
         old = table[fd];
      ok = set(fd, file);
      if (ok)
         file->refcount++; /* the table's, and the caller's */
      else
         old = NULL;
      pthread_mutex_unlock(&lock);
   }
   pthread_mutex_unlock(&adopt_lock);
   shim_file_put(old);
   if (ok)
      return file;
   shim_file_put(file);
   return NULL;
}

const struct shim_entry *
shim_node_entry(int fd)
{
   const uint64_t id = read_id(fd);
   return id ? shim_find_node(minor_of_id(id)) : NULL;
}

struct shim_file *
shim_node_get(int fd)
{
   const uint64_t id = fd < 0 ? 0 : read_id(fd);
   if (!id)
      return NULL;
   struct shim_file *file = shim_file_get(fd);
   if (file && file->id == id)
      return file;
   shim_file_put(file);
   return adopt(fd, id);
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

/*
 * Another descriptor of the same open() as `fd`: one that came from elsewhere
 * and was not used yet, so that the table does not have it. -1: none.
 */
static int
find_copy(int fd, uint64_t id)
{
   char entries[2048] __attribute__((aligned(8)));
   int copy = -1;
   const int dir = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/fd",
                                O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   long n = 0;
   while (dir >= 0 && copy < 0 &&
          (n = syscall(SYS_getdents64, dir, entries, sizeof(entries))) > 0) {
      for (long at = 0; at < n && copy < 0;) {
         const struct dirent64 *e = (struct dirent64 *)(entries + at);
         const int number = atoi(e->d_name);
         if (e->d_name[0] != '.' && number != fd && read_id(number) == id)
            copy = number;
         at += e->d_reclen;
      }
   }
   if (dir >= 0)
      syscall(SYS_close, dir);
   return copy;
}

void
shim_file_close(int fd)
{
   if (!__atomic_load_n(&used, __ATOMIC_ACQUIRE) || fd < 0 || is_guest())
      return;
   const int saved = errno;
   pthread_mutex_lock(&lock);
   struct shim_file *file = NULL;
   if (fd < table_size) {
      file = table[fd];
      table[fd] = NULL;
      if (file && file->id && file->refcount == 1) {
         const int copy = find_copy(fd, file->id);
         if (copy >= 0 && (copy >= table_size || !table[copy]) &&
             set(copy, file))
            file = NULL;
      }
   }
   pthread_mutex_unlock(&lock);
   shim_file_put(file);
   errno = saved;
}

void
shim_file_close_range(unsigned first, unsigned last)
{
   if (!__atomic_load_n(&used, __ATOMIC_ACQUIRE))
      return;
   pthread_mutex_lock(&lock);
   const unsigned size = (unsigned)table_size;
   pthread_mutex_unlock(&lock);
   for (unsigned fd = first; fd < size && fd <= last; fd++)
      shim_file_close((int)fd);
}

void
shim_file_dup(int fd, int new_fd)
{
   if (fd == new_fd || !__atomic_load_n(&used, __ATOMIC_ACQUIRE) ||
       is_guest())
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

static const struct drm_shim_fd_ops *fd_ops;

void
drm_shim_set_fd_ops(const struct drm_shim_fd_ops *ops)
{
   fd_ops = ops;
}

const struct drm_shim_fd_ops *
shim_fd_ops(void)
{
   drm_shim_init();
   return fd_ops;
}

off_t
shim_object_size(int fd)
{
   const struct drm_shim_fd_ops *ops = shim_fd_ops();
   const int saved = errno;
   const off_t size = ops ? (off_t)ops->size(fd) : -1;
   errno = saved;
   return size;
}

static int
open_contents(const struct shim_entry *entry, int flags)
{
   int fd = entry->host ? (int)syscall(SYS_openat, AT_FDCWD, entry->host,
                                       O_RDONLY | (flags & O_CLOEXEC))
                        : -1;
   if (fd >= 0)
      return fd;
   fd = memfd_create(shim_name(entry), flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
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
   else if (entry->kind == SHIM_LINK && !(flags & O_PATH))
      error = ELOOP; /* O_NOFOLLOW */
   if (error) {
      errno = error;
      return -1;
   }
   if (entry->kind == SHIM_FILE && !(flags & O_PATH))
      return open_contents(entry, flags);

   /* O_PATH only says where something is. */
   const bool is_device = entry->kind == SHIM_NODE && !(flags & O_PATH);
   uint64_t id = 0;
   const int fd =
      is_device ? make_node_fd(entry->minor, flags, &id)
                : (int)syscall(SYS_openat, AT_FDCWD, "/dev/null",
                               O_RDONLY | (flags & (O_CLOEXEC | O_PATH)));
   if (fd < 0)
      return -1;
   struct shim_file *file = new_file(entry, id);
   struct shim_file *old = NULL;
   pthread_mutex_lock(&lock);
   __atomic_store_n(&used, true, __ATOMIC_RELEASE);
   if (fd < table_size)
      old = table[fd]; /* closed behind our back */
   const bool ok = file && set(fd, file);
   pthread_mutex_unlock(&lock);
   if (ok) {
      shim_file_put(old);
      return fd;
   }
   shim_file_put(file);
   syscall(SYS_close, fd);
   errno = ENOMEM;
   return -1;
}
