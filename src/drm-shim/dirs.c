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
   DIR *host; /* NULL: the host has no such directory */
   int fd;    /* of dirfd(), -1 until asked for */
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
   struct dir *d = calloc(1, sizeof(*d));
   if (!d) {
      errno = ENOMEM;
      return NULL;
   }
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   pthread_once(&once, register_fork);
   const int saved = errno;
   d->entry = entry;
   d->host = REAL(opendir)(entry->path[0] ? entry->path : "/");
   d->fd = -1;
   errno = saved;
   pthread_mutex_lock(&lock);
   d->next = dirs;
   dirs = d;
   pthread_mutex_unlock(&lock);
   return (DIR *)d;
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
         if (!mine || e->d_name[0] == '.')
            return e;
      }
   }
   if (!d->at_end)
      d->at = shim_next_child(d->entry, d->at);
   d->at_end = !d->at;
   if (d->at_end)
      return NULL;
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
}

PUBLIC int
dirfd(DIR *stream)
{
   struct dir *d = find_dir(stream);
   if (!d)
      return REAL(dirfd)(stream);
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
