/* SPDX-License-Identifier: MIT */
/*
 * Reading directories of the tree: first the host's entries, if the host
 * has the directory, then ours. A stream of ours is a structure of ours; it
 * is told from libc's by being in a list.
 */
#include <dirent.h>
#include <sys/types.h>
#include <unistd.h>

#include "drm_shim_private.h"

struct dir {
   struct dir *next;
   const struct shim_entry *entry, *at;
   bool at_end;
   long place; /* entries that were read */
   DIR *host;  /* NULL: the host has no such directory */
   int fd;     /* of dirfd(), -1 until asked for */
   struct dirent dirent;
};

static_assert(sizeof(struct dirent) == sizeof(struct dirent64),
              "the two kinds of readdir share a buffer");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct dir *dirs;

static void
lock_dirs(void)
{
   pthread_mutex_lock(&lock);
}

static void
unlock_dirs(void)
{
   pthread_mutex_unlock(&lock);
}

static void
register_fork(void)
{
   pthread_atfork(lock_dirs, unlock_dirs, unlock_dirs);
}

static struct dir *
find_dir(DIR *stream)
{
   pthread_mutex_lock(&lock);
   struct dir *d = dirs;
   while (d && (DIR *)d != stream)
      d = d->next;
   pthread_mutex_unlock(&lock);
   return d;
}

/* A stream of ours; `host` and `fd` are its own from then on. NULL: no
 * memory. */
static DIR *
add_stream(const struct shim_entry *entry, DIR *host, int fd)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   pthread_once(&once, register_fork);
   struct dir *d = calloc(1, sizeof(*d));
   if (!d) {
      errno = ENOMEM;
      return NULL;
   }
   d->entry = entry;
   d->host = host;
   d->fd = fd;
   pthread_mutex_lock(&lock);
   d->next = dirs;
   dirs = d;
   pthread_mutex_unlock(&lock);
   return (DIR *)d;
}

PUBLIC DIR *
opendir(const char *path)
{
   const struct shim_entry *entry = shim_lookup(AT_FDCWD, path, true);
   if (!entry)
      return REAL(opendir)(path);
   if (entry->kind != SHIM_DIR) {
      errno = ENOTDIR;
      return NULL;
   }
   const int saved = errno;
   DIR *host = REAL(opendir)(entry->path[0] ? entry->path : "/");
   errno = saved;
   DIR *stream = add_stream(entry, host, -1);
   if (!stream && host)
      REAL(closedir)(host);
   return stream;
}

/* A directory of the tree, or one of the host in which there are entries. */
PUBLIC DIR *
fdopendir(int fd)
{
   struct shim_file *file = shim_file_get(fd);
   if (file) {
      const struct shim_entry *entry = file->entry;
      shim_file_put(file);
      if (entry->kind == SHIM_DIR)
         return add_stream(entry, NULL, fd);
      errno = ENOTDIR;
      return NULL;
   }
   const struct shim_entry *entry = shim_lookup(fd, ".", true);
   DIR *host = REAL(fdopendir)(fd);
   if (!host || !entry || entry->kind != SHIM_DIR)
      return host;
   DIR *stream = add_stream(entry, host, -1);
   return stream ? stream : host; /* without our entries */
}

static struct dirent *
next_entry(struct dir *d)
{
   static const unsigned char types[] = {
      [SHIM_DIR] = DT_DIR,
      [SHIM_FILE] = DT_REG,
      [SHIM_LINK] = DT_LNK,
      [SHIM_NODE] = DT_CHR,
   };
   if (d->host && !d->at) {
      struct dirent *e;
      while ((e = REAL(readdir)(d->host))) {
         /* What both have is ours. */
         char path[PATH_MAX];
         snprintf(path, sizeof(path), "%s/%s", d->entry->path, e->d_name);
         const struct shim_entry *mine = shim_lookup(AT_FDCWD, path, false);
         if (!mine || e->d_name[0] == '.') {
            d->place++;
            return e;
         }
      }
   }
   if (!d->at_end)
      d->at = shim_next_child(d->entry, d->at);
   d->at_end = !d->at;
   if (d->at_end)
      return NULL;
   d->place++;
   d->dirent.d_ino = d->at->inode;
   d->dirent.d_off = (off_t)d->at->inode;
   d->dirent.d_reclen = sizeof(d->dirent);
   d->dirent.d_type = types[d->at->kind];
   snprintf(d->dirent.d_name, sizeof(d->dirent.d_name), "%s",
            shim_name(d->at));
   return &d->dirent;
}

PUBLIC struct dirent *
readdir(DIR *stream)
{
   struct dir *d = find_dir(stream);
   return d ? next_entry(d) : REAL(readdir)(stream);
}

PUBLIC struct dirent64 *
readdir64(DIR *stream)
{
   struct dir *d = find_dir(stream);
   return d ? (struct dirent64 *)next_entry(d) : REAL(readdir64)(stream);
}

/* Deprecated, but a program that still has it must not give libc a stream of
 * ours. */
static int
next_entry_r(struct dir *d, struct dirent *room, struct dirent **result)
{
   const int saved = errno;
   errno = 0;
   const struct dirent *e = next_entry(d);
   const int error = errno;
   errno = saved;
   *result = NULL;
   if (!e)
      return error;
   memcpy(room, e, MIN2((size_t)e->d_reclen, sizeof(*room)));
   *result = room;
   return 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

PUBLIC int
readdir_r(DIR *restrict stream, struct dirent *restrict room,
          struct dirent **restrict result)
{
   struct dir *d = find_dir(stream);
   return d ? next_entry_r(d, room, result)
            : REAL(readdir_r)(stream, room, result);
}

PUBLIC int
readdir64_r(DIR *restrict stream, struct dirent64 *restrict room,
            struct dirent64 **restrict result)
{
   struct dir *d = find_dir(stream);
   return d ? next_entry_r(d, (struct dirent *)room, (struct dirent **)result)
            : REAL(readdir64_r)(stream, room, result);
}

#pragma GCC diagnostic pop

/* Places are numbers of entries from the start. */
PUBLIC long
telldir(DIR *stream)
{
   const struct dir *d = find_dir(stream);
   return d ? d->place : REAL(telldir)(stream);
}

PUBLIC void
seekdir(DIR *stream, long place)
{
   struct dir *d = find_dir(stream);
   if (!d) {
      REAL(seekdir)(stream, place);
      return;
   }
   rewinddir(stream);
   while (d->place < place && next_entry(d))
      ;
}

PUBLIC void
rewinddir(DIR *stream)
{
   struct dir *d = find_dir(stream);
   if (!d) {
      REAL(rewinddir)(stream);
      return;
   }
   if (d->host)
      REAL(rewinddir)(d->host);
   d->at = NULL;
   d->at_end = false;
   d->place = 0;
}

/*
 * scandir() of a directory of ours; libc's own does not come by here.
 */
static int
scan(int dirfd, const char *path, struct dirent ***list,
     int (*filter)(const struct dirent *),
     int (*compare)(const struct dirent **, const struct dirent **))
{
   const struct shim_entry *entry = shim_lookup(dirfd, path, true);
   if (!entry || entry->kind != SHIM_DIR)
      return REAL(scandirat)(dirfd, path, list, filter, compare);
   DIR *stream = opendir(entry->path[0] ? entry->path : "/");
   if (!stream)
      return -1;
   struct dirent **found = NULL, *e;
   size_t n = 0;
   bool ok = true;
   while (ok && (e = readdir(stream))) {
      if (filter && !filter(e))
         continue;
      struct dirent **grown = realloc(found, (n + 1) * sizeof(*found));
      struct dirent *copy = malloc(sizeof(*copy));
      found = grown ? grown : found;
      ok = grown && copy;
      if (ok) {
         /* libc's may be shorter than the structure. */
         memcpy(copy, e, MIN2((size_t)e->d_reclen, sizeof(*copy)));
         found[n++] = copy;
      } else {
         free(copy);
      }
   }
   closedir(stream);
   if (!ok) {
      while (n)
         free(found[--n]);
      free(found);
      errno = ENOMEM;
      return -1;
   }
   if (compare && n)
      qsort(found, n, sizeof(*found),
            (int (*)(const void *, const void *))compare);
   *list = found;
   return (int)n;
}

PUBLIC int
scandir(const char *restrict path, struct dirent ***restrict list,
        int (*filter)(const struct dirent *),
        int (*compare)(const struct dirent **, const struct dirent **))
{
   return scan(AT_FDCWD, path, list, filter, compare);
}

PUBLIC int
scandirat(int dirfd, const char *restrict path,
          struct dirent ***restrict list,
          int (*filter)(const struct dirent *),
          int (*compare)(const struct dirent **, const struct dirent **))
{
   return scan(dirfd, path, list, filter, compare);
}

PUBLIC int
scandir64(const char *restrict path, struct dirent64 ***restrict list,
          int (*filter)(const struct dirent64 *),
          int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
   return scan(
      AT_FDCWD, path, (struct dirent ***)list,
      (int (*)(const struct dirent *))filter,
      (int (*)(const struct dirent **, const struct dirent **))compare);
}

PUBLIC int
scandirat64(int dirfd, const char *restrict path,
            struct dirent64 ***restrict list,
            int (*filter)(const struct dirent64 *),
            int (*compare)(const struct dirent64 **,
                           const struct dirent64 **))
{
   return scan(
      dirfd, path, (struct dirent ***)list,
      (int (*)(const struct dirent *))filter,
      (int (*)(const struct dirent **, const struct dirent **))compare);
}

PUBLIC int
dirfd(DIR *stream)
{
   struct dir *d = find_dir(stream);
   if (!d)
      return REAL(dirfd)(stream);
   if (d->host)
      return REAL(dirfd)(d->host);
   if (d->fd < 0)
      d->fd = shim_open(d->entry, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   return d->fd;
}

PUBLIC int
closedir(DIR *stream)
{
   struct dir *d = find_dir(stream);
   if (!d)
      return REAL(closedir)(stream);
   pthread_mutex_lock(&lock);
   struct dir **link = &dirs;
   while (*link != d)
      link = &(*link)->next;
   *link = d->next;
   pthread_mutex_unlock(&lock);
   if (d->host)
      REAL(closedir)(d->host);
   if (d->fd >= 0)
      close(d->fd);
   free(d);
   return 0;
}
