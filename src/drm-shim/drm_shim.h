/* SPDX-License-Identifier: MIT */
/*
 * A DRM render node in user space: see README.rst.
 *
 * A back end defines drm_shim_backend_init() and describes there, by the
 * functions below, which files, directories, links and nodes the process
 * shall see beside those of the host. Nothing here knows about GPUs.
 */
#ifndef DRM_SHIM_H
#define DRM_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DRM_SHIM_MAJOR 226      /* Documentation/admin-guide/devices.txt */
#define DRM_SHIM_IOCTL_TYPE 'd' /* DRM_IOCTL_BASE of drm.h */

/*
 * What a node does. All may be called from any thread, several at once, and
 * without a lock of the shim held; close only when nothing else runs in the
 * same file. After fork() the child goes on with the files that the parent
 * had: the back end sees to that (pthread_atfork(), registered in `open` at
 * the latest, and no lock held across a call of libc's functions on
 * descriptors).
 */
struct drm_shim_ops {
   /* A new open file of the device; NULL is ENOMEM. */
   void *(*open)(void *device);
   void (*close)(void *file);
   /* The result of ioctl(), or -errno. */
   int (*ioctl)(void *file, unsigned long request, void *arg);
   /* The mapping, or MAP_FAILED and a positive errno value in *error. */
   void *(*mmap)(void *file, void *addr, size_t length, int prot, int flags,
                 uint64_t offset, int *error);
};

/*
 * Descriptors that the back end has given out and that are no nodes: buffers
 * and fences. They are real ones, which other processes have, too, so the
 * back end tells by what the kernel says about them.
 */
struct drm_shim_fd_ops {
   /* As above; -ENOTTY if the descriptor or the request is none of these. */
   int (*ioctl)(int fd, unsigned long request, void *arg);
   /* The size of the object, or -1. */
   int64_t (*size)(int fd);
   /* Which of the events POLLIN and POLLOUT are there; -1: not known here,
    * the kernel's answer is right. */
   int (*poll)(int fd, int events);
};

void drm_shim_set_fd_ops(const struct drm_shim_fd_ops *ops);

/* Calls the back end's, if nothing has done so yet. */
void drm_shim_init(void);

/* Defined by the back end; called once, before the first look-up. It must
 * not use stdio or open files. */
void drm_shim_backend_init(void);

/*
 * Adds an entry under an absolute path without "." and "..", with the
 * directories above it. Strings and contents are copied. Host memory that
 * runs out ends the process.
 */
void drm_shim_add_dir(const char *path);
void drm_shim_add_file(const char *path, const void *data, size_t size_B);
/* A file of text. */
void drm_shim_add_text(const char *path, const char *format, ...)
   __attribute__((format(printf, 2, 3)));
/* A file that shows what the host has as `host`, or the text until the host
 * has such a file. */
void drm_shim_add_host_file(const char *path, const char *host,
                            const char *text);
/* A symbolic link; `target` as readlink() shall tell it. */
void drm_shim_add_link(const char *path, const char *target);
/* A character device; `device` goes to ops->open. */
void drm_shim_add_node(const char *path, unsigned minor,
                       const struct drm_shim_ops *ops, void *device);

/* Whether the host itself has this path. */
bool drm_shim_host_has(const char *path);

#endif
