/* SPDX-License-Identifier: MIT */
/* Private declarations of the shim: the tree of entries (tree.c), the table
 * of descriptors (files.c), the host's own functions (libc.c, dirs.c). */
#ifndef DRM_SHIM_PRIVATE_H
#define DRM_SHIM_PRIVATE_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "drm_shim.h"
#include "util/macros.h"

/* The next definition of `fn` after ours: libc's. */
#define REAL(fn)                                                             \
   ({                                                                        \
      static __typeof__(&fn) real_fn;                                        \
      __typeof__(&fn) f = __atomic_load_n(&real_fn, __ATOMIC_RELAXED);       \
      if (!f) {                                                              \
         f = (__typeof__(&fn))dlsym(RTLD_NEXT, #fn);                         \
         __atomic_store_n(&real_fn, f, __ATOMIC_RELAXED);                    \
      }                                                                      \
      f;                                                                     \
   })

enum shim_kind {
   SHIM_DIR,
   SHIM_FILE,
   SHIM_LINK,
   SHIM_NODE,
};

struct shim_entry {
   struct shim_entry *next;
   enum shim_kind kind;
   char *path; /* absolute, normalised; "" is the root */
   ino_t inode;
   char *data; /* contents of a file, target of a link */
   size_t size_B;
   char *host; /* of a file: what the host has in place of `data`, or NULL */
   unsigned minor;
   const struct drm_shim_ops *ops;
   void *device;
};

/*
 * The entry that `path`, relative to the descriptor `dirfd`, names, with
 * links of the tree followed, the last one only if `follow`. NULL if it is
 * none of ours. Never sets errno.
 */
const struct shim_entry *shim_lookup(int dirfd, const char *path,
                                     bool follow);

/* The descriptor that /proc/self/fd/N names, or -1. */
int shim_proc_fd(const char *path);

/* The first entry directly below `dir` that comes after `previous` (NULL:
 * from the start), or NULL. */
const struct shim_entry *shim_next_child(const struct shim_entry *dir,
                                         const struct shim_entry *previous);
/* The last component of the path. */
const char *shim_name(const struct shim_entry *entry);

void shim_fill_stat(const struct shim_entry *entry, struct stat *st);

/* The node with this minor, or NULL. */
const struct shim_entry *shim_find_node(unsigned minor);

/* An open node or directory, shared by the descriptors that dup() made. */
struct shim_file {
   int refcount;
   const struct shim_entry *entry;
   uint64_t id; /* of the open() of a node, files.c; 0: a directory */
   void *backend;
};

/* NULL: the back end gives out no descriptors. */
const struct drm_shim_fd_ops *shim_fd_ops(void);
/* The size of an object of the back end, or -1. Keeps errno. */
off_t shim_object_size(int fd);

/* open() of an entry: a descriptor, or -1 with errno. */
int shim_open(const struct shim_entry *entry, int flags);

/* The file behind a descriptor that was opened here, or NULL;
 * shim_file_put() it. */
struct shim_file *shim_file_get(int fd);
/* The same for nodes, also for a descriptor that came from another process:
 * asks the kernel. */
struct shim_file *shim_node_get(int fd);
/* Which node that is, without opening it here; or NULL. */
const struct shim_entry *shim_node_entry(int fd);
void shim_file_put(struct shim_file *file);
/* `new_fd` is a copy of `fd`, whatever it was before. */
void shim_file_dup(int fd, int new_fd);
/* Call before the descriptor is closed, as its number is used again then. */
void shim_file_close(int fd);
void shim_file_close_range(unsigned first, unsigned last);

#endif
