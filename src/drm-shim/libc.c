/* SPDX-License-Identifier: MIT */
/*
 * The functions of libc that this library stands in for.
 *
 * Each asks whether the path or the descriptor is one of ours; if not, or if
 * the host has a directory of the same name, libc answers. Every function
 * that libc exports for one purpose is here: the 64-bit variants, the checked
 * ones (__open_2), and the ones of old binaries (__xstat).
 */
#include <linux/close_range.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "drm_shim_private.h"

static_assert(sizeof(struct stat) == sizeof(struct stat64) &&
                 sizeof(struct statfs) == sizeof(struct statfs64) &&
                 sizeof(off_t) == sizeof(off64_t),
              "one implementation serves both sizes");

/* libc exports them, but its headers declare them only in fortified builds,
 * or no longer. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dirfd, const char *path, int flags);
int __openat64_2(int dirfd, const char *path, int flags);
int __xstat(int version, const char *path, struct stat *st);
int __xstat64(int version, const char *path, struct stat64 *st);
int __lxstat(int version, const char *path, struct stat *st);
int __lxstat64(int version, const char *path, struct stat64 *st);
int __fxstat(int version, int fd, struct stat *st);
int __fxstat64(int version, int fd, struct stat64 *st);
int __fxstatat(int version, int fd, const char *path, struct stat *st,
               int flags);
int __fxstatat64(int version, int fd, const char *path, struct stat64 *st,
                 int flags);
ssize_t __readlink_chk(const char *path, char *buffer, size_t size,
                       size_t room);
ssize_t __readlinkat_chk(int dirfd, const char *path, char *buffer,
                         size_t size, size_t room);
char *__realpath_chk(const char *path, char *out, size_t room);
int fcntl64(int fd, int command, ...);

/*
 * Opening
 */

static int
do_open(int dirfd, const char *path, int flags, mode_t mode)
{
   const struct shim_entry *e =
      shim_lookup(dirfd, path, !(flags & O_NOFOLLOW));
   if (!e)
      return REAL(openat)(dirfd, path, flags, mode);
   if (e->kind == SHIM_DIR) {
      const int saved = errno;
      const int fd =
         REAL(openat)(dirfd, e->path[0] ? e->path : "/", flags, mode);
      if (fd >= 0)
         return fd;
      errno = saved;
   }
   return shim_open(e, flags);
}

/* The mode argument is there only when a file may be made. */
#define OPEN_MODE(flags)                                                     \
   ({                                                                        \
      mode_t mode = 0;                                                       \
      if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {           \
         va_list args;                                                       \
         va_start(args, flags);                                              \
         mode = va_arg(args, mode_t);                                        \
         va_end(args);                                                       \
      }                                                                      \
      mode;                                                                  \
   })

PUBLIC int
open(const char *path, int flags, ...)
{
   return do_open(AT_FDCWD, path, flags, OPEN_MODE(flags));
}

PUBLIC int
open64(const char *path, int flags, ...)
{
   return do_open(AT_FDCWD, path, flags | O_LARGEFILE, OPEN_MODE(flags));
}

PUBLIC int
openat(int dirfd, const char *path, int flags, ...)
{
   return do_open(dirfd, path, flags, OPEN_MODE(flags));
}

PUBLIC int
openat64(int dirfd, const char *path, int flags, ...)
{
   return do_open(dirfd, path, flags | O_LARGEFILE, OPEN_MODE(flags));
}

PUBLIC int
__open_2(const char *path, int flags)
{
   return do_open(AT_FDCWD, path, flags, 0);
}

PUBLIC int
__open64_2(const char *path, int flags)
{
   return do_open(AT_FDCWD, path, flags, 0);
}

PUBLIC int
__openat_2(int dirfd, const char *path, int flags)
{
   return do_open(dirfd, path, flags, 0);
}

PUBLIC int
__openat64_2(int dirfd, const char *path, int flags)
{
   return do_open(dirfd, path, flags, 0);
}

/* NULL and *mine = false: not ours. */
static FILE *
open_stream(const char *path, const char *mode, bool *mine)
{
   const struct shim_entry *e = shim_lookup(AT_FDCWD, path, true);
   *mine = e && e->kind != SHIM_DIR;
   if (!*mine)
      return NULL;
   const bool writes = mode[0] != 'r' || strchr(mode, '+');
   const int fd = shim_open(e, (writes ? O_RDWR : O_RDONLY) |
                                  (strchr(mode, 'e') ? O_CLOEXEC : 0));
   if (fd < 0)
      return NULL;
   FILE *stream = fdopen(fd, mode);
   if (!stream)
      close(fd);
   return stream;
}

PUBLIC FILE *
fopen(const char *restrict path, const char *restrict mode)
{
   bool mine;
   FILE *stream = open_stream(path, mode, &mine);
   return mine ? stream : REAL(fopen)(path, mode);
}

PUBLIC FILE *
fopen64(const char *restrict path, const char *restrict mode)
{
   bool mine;
   FILE *stream = open_stream(path, mode, &mine);
   return mine ? stream : REAL(fopen64)(path, mode);
}

/* A stream that is there already gets the contents of an entry. */
static FILE *
reopen_stream(const char *path, const char *mode, FILE *stream)
{
   const struct shim_entry *e = path ? shim_lookup(AT_FDCWD, path, true)
                                     : NULL;
   if (!e || e->kind != SHIM_FILE)
      return REAL(freopen)(path, mode, stream);
   const bool writes = mode[0] != 'r' || strchr(mode, '+');
   const int fd = shim_open(e, writes ? O_RDWR : O_RDONLY);
   char name[32];
   snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
   /* Without a descriptor: the stream is closed all the same. */
   FILE *result = REAL(freopen)(fd < 0 ? "" : name, mode, stream);
   if (fd >= 0)
      close(fd);
   else
      errno = EACCES;
   return result;
}

PUBLIC FILE *
freopen(const char *restrict path, const char *restrict mode,
        FILE *restrict stream)
{
   return reopen_stream(path, mode, stream);
}

PUBLIC FILE *
freopen64(const char *restrict path, const char *restrict mode,
          FILE *restrict stream)
{
   return reopen_stream(path, mode, stream);
}

/*
 * Descriptors
 */

PUBLIC int
close(int fd)
{
   shim_file_close(fd);
   return (int)syscall(SYS_close, fd);
}

PUBLIC int
close_range(unsigned first, unsigned last, int flags)
{
   if (!(flags & (int)CLOSE_RANGE_CLOEXEC))
      shim_file_close_range(first, last);
   return (int)syscall(SYS_close_range, first, last, flags);
}

PUBLIC void
closefrom(int first)
{
   shim_file_close_range((unsigned)MAX2(first, 0), UINT_MAX);
   REAL(closefrom)(first);
}

PUBLIC int
dup(int fd)
{
   const int copy = REAL(dup)(fd);
   if (copy >= 0)
      shim_file_dup(fd, copy);
   return copy;
}

PUBLIC int
dup2(int fd, int new_fd)
{
   const int copy = REAL(dup2)(fd, new_fd);
   if (copy >= 0)
      shim_file_dup(fd, copy);
   return copy;
}

PUBLIC int
dup3(int fd, int new_fd, int flags)
{
   const int copy = REAL(dup3)(fd, new_fd, flags);
   if (copy >= 0)
      shim_file_dup(fd, copy);
   return copy;
}

static int
do_fcntl(int fd, int command, void *arg)
{
   const int result = REAL(fcntl)(fd, command, arg);
   if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC))
      shim_file_dup(fd, result);
   return result;
}

/* The third argument, where there is one, has the size of a register. */
PUBLIC int
fcntl(int fd, int command, ...)
{
   va_list args;
   va_start(args, command);
   void *arg = va_arg(args, void *);
   va_end(args);
   return do_fcntl(fd, command, arg);
}

PUBLIC int
fcntl64(int fd, int command, ...)
{
   va_list args;
   va_start(args, command);
   void *arg = va_arg(args, void *);
   va_end(args);
   return do_fcntl(fd, command, arg);
}

PUBLIC int
ioctl(int fd, unsigned long request, ...)
{
   va_list args;
   va_start(args, request);
   void *arg = va_arg(args, void *);
   va_end(args);
   struct shim_file *file =
      _IOC_TYPE(request) == DRM_SHIM_IOCTL_TYPE ? shim_node_get(fd) : NULL;
   const struct drm_shim_fd_ops *fd_ops = shim_fd_ops();
   int result = -ENOTTY;
   if (file)
      result = file->entry->ops->ioctl(file->backend, request, arg);
   else if (fd_ops)
      result = fd_ops->ioctl(fd, request, arg);
   if (!file && result == -ENOTTY)
      return (int)syscall(SYS_ioctl, fd, request, arg);
   shim_file_put(file);
   if (result >= 0)
      return result;
   errno = -result;
   return -1;
}

static void *
do_mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
   /* What stands for a node cannot be mapped. */
   const int saved = errno;
   void *map =
      (void *)syscall(SYS_mmap, addr, length, prot, flags, fd, offset);
   if (map != MAP_FAILED || errno != ENODEV || (flags & MAP_ANONYMOUS))
      return map;
   struct shim_file *file = shim_node_get(fd);
   if (!file)
      return map;
   int error = ENODEV;
   errno = saved;
   map = file->entry->ops->mmap(file->backend, addr, length, prot, flags,
                                (uint64_t)offset, &error);
   shim_file_put(file);
   if (map == MAP_FAILED)
      errno = error;
   return map;
}

PUBLIC void *
mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
   return do_mmap(addr, length, prot, flags, fd, offset);
}

PUBLIC void *
mmap64(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
   return do_mmap(addr, length, prot, flags, fd, offset);
}

/* The end of an object is that of its contents: what the back end keeps
 * after them does not count. */
static off_t
do_lseek(int fd, off_t offset, int whence)
{
   const off_t ret = REAL(lseek)(fd, offset, whence);
   if (whence != SEEK_END || ret < 0)
      return ret;
   const off_t size = shim_object_size(fd);
   return size < 0 ? ret : REAL(lseek)(fd, size + offset, SEEK_SET);
}

PUBLIC off_t
lseek(int fd, off_t offset, int whence)
{
   return do_lseek(fd, offset, whence);
}

PUBLIC off64_t
lseek64(int fd, off64_t offset, int whence)
{
   return do_lseek(fd, offset, whence);
}

/*
 * Attributes
 */

/* True if `st` was filled. */
static bool
stat_path(int dirfd, const char *path, int flags, struct stat *st)
{
   const struct shim_entry *e =
      shim_lookup(dirfd, path, !(flags & AT_SYMLINK_NOFOLLOW));
   if (!e || (e->kind == SHIM_DIR && drm_shim_host_has(e->path)))
      return false;
   shim_fill_stat(e, st);
   return true;
}

/* fstat(), where a descriptor of ours is told from others by what the kernel
 * says about it. */
static int
do_fstat(int fd, struct stat *st)
{
   const int ret = REAL(fstat)(fd, st);
   if (ret)
      return ret;
   const struct shim_entry *entry = NULL;
   struct shim_file *file = NULL;
   if ((st->st_mode & S_IFMT) == 0) { /* no file of a file system */
      entry = shim_node_entry(fd);
   } else if (S_ISCHR(st->st_mode) && (file = shim_file_get(fd))) {
      entry = file->entry;
      shim_file_put(file);
   }
   if (entry) {
      shim_fill_stat(entry, st);
   } else if (S_ISREG(st->st_mode) && !st->st_nlink) {
      const off_t size = shim_object_size(fd);
      if (size >= 0)
         st->st_size = size;
   }
   return 0;
}

static int
do_stat(int dirfd, const char *path, struct stat *st, int flags)
{
   if (stat_path(dirfd, path, flags, st))
      return 0;
   if ((flags & AT_EMPTY_PATH) && (!path || !path[0]) && dirfd != AT_FDCWD)
      return do_fstat(dirfd, st);
   return REAL(fstatat)(dirfd, path, st, flags);
}

#define STAT_FAMILY(type, suffix)                                            \
   PUBLIC int stat##suffix(const char *restrict path, type *restrict st)     \
   {                                                                         \
      return do_stat(AT_FDCWD, path, (struct stat *)st, 0);                  \
   }                                                                         \
   PUBLIC int lstat##suffix(const char *restrict path, type *restrict st)    \
   {                                                                         \
      return do_stat(AT_FDCWD, path, (struct stat *)st,                      \
                     AT_SYMLINK_NOFOLLOW);                                   \
   }                                                                         \
   PUBLIC int fstat##suffix(int fd, type *st)                                \
   {                                                                         \
      return do_fstat(fd, (struct stat *)st);                                \
   }                                                                         \
   PUBLIC int fstatat##suffix(int dirfd, const char *restrict path,          \
                              type *restrict st, int flags)                  \
   {                                                                         \
      return do_stat(dirfd, path, (struct stat *)st, flags);                 \
   }                                                                         \
   PUBLIC int __xstat##suffix(int version, const char *path, type *st)       \
   {                                                                         \
      return do_stat(AT_FDCWD, path, (struct stat *)st, 0);                  \
   }                                                                         \
   PUBLIC int __lxstat##suffix(int version, const char *path, type *st)      \
   {                                                                         \
      return do_stat(AT_FDCWD, path, (struct stat *)st,                      \
                     AT_SYMLINK_NOFOLLOW);                                   \
   }                                                                         \
   PUBLIC int __fxstat##suffix(int version, int fd, type *st)                \
   {                                                                         \
      return fstat##suffix(fd, st);                                          \
   }                                                                         \
   PUBLIC int __fxstatat##suffix(int version, int dirfd, const char *path,   \
                                 type *st, int flags)                        \
   {                                                                         \
      return do_stat(dirfd, path, (struct stat *)st, flags);                 \
   }

/* The version argument of the old names has one value on 64-bit hosts. */
STAT_FAMILY(struct stat, )
STAT_FAMILY(struct stat64, 64)

PUBLIC int
statx(int dirfd, const char *restrict path, int flags, unsigned mask,
      struct statx *restrict out)
{
   struct stat st;
   if (!stat_path(dirfd, path, flags, &st)) {
      const int ret = REAL(statx)(dirfd, path, flags, mask, out);
      if (ret || !(flags & AT_EMPTY_PATH) || (path && path[0]) ||
          dirfd == AT_FDCWD || do_fstat(dirfd, &st))
         return ret;
      /* Only what do_fstat() may have changed. */
      out->stx_mode = (uint16_t)st.st_mode;
      out->stx_ino = st.st_ino;
      out->stx_size = (uint64_t)st.st_size;
      out->stx_rdev_major = major(st.st_rdev);
      out->stx_rdev_minor = minor(st.st_rdev);
      out->stx_dev_major = major(st.st_dev);
      out->stx_dev_minor = minor(st.st_dev);
      return 0;
   }
   *out = (struct statx) {
      .stx_mask = STATX_BASIC_STATS,
      .stx_blksize = (uint32_t)st.st_blksize,
      .stx_nlink = 1,
      .stx_mode = (uint16_t)st.st_mode,
      .stx_ino = st.st_ino,
      .stx_size = (uint64_t)st.st_size,
      .stx_rdev_major = major(st.st_rdev),
      .stx_rdev_minor = minor(st.st_rdev),
      .stx_dev_major = major(st.st_dev),
      .stx_dev_minor = minor(st.st_dev),
   };
   return 0;
}

/* Of which file system an entry that the host does not have is. */
static void
fill_statfs(const struct shim_entry *entry, struct statfs *st)
{
   *st = (struct statfs) {
      .f_type = strncmp(entry->path, "/sys", 4) ? TMPFS_MAGIC : SYSFS_MAGIC,
      .f_bsize = 4096,
      .f_namelen = NAME_MAX,
   };
}

static int
do_statfs(const char *path, struct statfs *st)
{
   const struct shim_entry *e = shim_lookup(AT_FDCWD, path, true);
   if (!e || drm_shim_host_has(e->path))
      return REAL(statfs)(path, st);
   fill_statfs(e, st);
   return 0;
}

static int
do_fstatfs(int fd, struct statfs *st)
{
   struct shim_file *file = shim_file_get(fd);
   if (!file)
      return REAL(fstatfs)(fd, st);
   fill_statfs(file->entry, st);
   shim_file_put(file);
   return 0;
}

PUBLIC int
statfs(const char *path, struct statfs *st)
{
   return do_statfs(path, st);
}

PUBLIC int
statfs64(const char *path, struct statfs64 *st)
{
   return do_statfs(path, (struct statfs *)st);
}

PUBLIC int
fstatfs(int fd, struct statfs *st)
{
   return do_fstatfs(fd, st);
}

PUBLIC int
fstatfs64(int fd, struct statfs64 *st)
{
   return do_fstatfs(fd, (struct statfs *)st);
}

static int
do_access(int dirfd, const char *path, int mode, int flags)
{
   const struct shim_entry *e =
      shim_lookup(dirfd, path, !(flags & AT_SYMLINK_NOFOLLOW));
   if (!e || (e->kind == SHIM_DIR && drm_shim_host_has(e->path)))
      return REAL(faccessat)(dirfd, path, mode, flags);
   const int allowed = e->kind == SHIM_NODE  ? R_OK | W_OK
                       : e->kind == SHIM_DIR ? R_OK | X_OK
                                             : R_OK;
   if (mode & ~allowed) {
      errno = EACCES;
      return -1;
   }
   return 0;
}

PUBLIC int
access(const char *path, int mode)
{
   return do_access(AT_FDCWD, path, mode, 0);
}

PUBLIC int
eaccess(const char *path, int mode)
{
   return do_access(AT_FDCWD, path, mode, AT_EACCESS);
}

PUBLIC int
euidaccess(const char *path, int mode)
{
   return do_access(AT_FDCWD, path, mode, AT_EACCESS);
}

PUBLIC int
faccessat(int dirfd, const char *path, int mode, int flags)
{
   return do_access(dirfd, path, mode, flags);
}

/*
 * Links
 */

/* The entry that a descriptor with O_PATH stands for; or what
 * /proc/self/fd/N, which is a link, leads to. NULL: none. */
static const struct shim_entry *
entry_of_fd(int fd)
{
   const struct shim_entry *e = fd < 0 ? NULL : shim_node_entry(fd);
   struct shim_file *file = e || fd < 0 ? NULL : shim_file_get(fd);
   if (file)
      e = file->entry;
   shim_file_put(file);
   return e;
}

static ssize_t
copy_link(const char *target, char *buffer, size_t size)
{
   const size_t n = MIN2(size, strlen(target));
   memcpy(buffer, target, n);
   return (ssize_t)n;
}

static ssize_t
do_readlink(int dirfd, const char *path, char *buffer, size_t size)
{
   const struct shim_entry *named = entry_of_fd(shim_proc_fd(path));
   if (named)
      return copy_link(named->path, buffer, size);
   named = path[0] ? NULL : entry_of_fd(dirfd);
   if (named && named->kind == SHIM_LINK)
      return copy_link(named->data, buffer, size);
   const struct shim_entry *e = shim_lookup(dirfd, path, false);
   if (!e || (e->kind == SHIM_DIR && drm_shim_host_has(e->path)))
      return REAL(readlinkat)(dirfd, path, buffer, size);
   if (e->kind != SHIM_LINK) {
      errno = EINVAL;
      return -1;
   }
   return copy_link(e->data, buffer, size);
}

PUBLIC ssize_t
readlink(const char *restrict path, char *restrict buffer, size_t size)
{
   return do_readlink(AT_FDCWD, path, buffer, size);
}

PUBLIC ssize_t
readlinkat(int dirfd, const char *restrict path, char *restrict buffer,
           size_t size)
{
   return do_readlink(dirfd, path, buffer, size);
}

PUBLIC ssize_t
__readlink_chk(const char *path, char *buffer, size_t size, size_t room)
{
   if (size > room)
      abort();
   return do_readlink(AT_FDCWD, path, buffer, size);
}

PUBLIC ssize_t
__readlinkat_chk(int dirfd, const char *path, char *buffer, size_t size,
                 size_t room)
{
   if (size > room)
      abort();
   return do_readlink(dirfd, path, buffer, size);
}

PUBLIC char *
realpath(const char *restrict path, char *restrict out)
{
   const struct shim_entry *e = shim_lookup(AT_FDCWD, path, true);
   if (!e || (e->kind == SHIM_DIR && drm_shim_host_has(e->path)))
      return REAL(realpath)(path, out);
   return out ? strcpy(out, e->path) : strdup(e->path);
}

PUBLIC char *
canonicalize_file_name(const char *path)
{
   return realpath(path, NULL);
}

PUBLIC char *
__realpath_chk(const char *path, char *out, size_t room)
{
   if (room < PATH_MAX)
      abort();
   return realpath(path, out);
}
