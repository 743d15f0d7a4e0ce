/* SPDX-License-Identifier: MIT */
/*
 * Global names of objects: GEM_FLINK, GEM_OPEN (drm.h), between the processes
 * of one user.
 *
 * A name is a listening socket with an abstract address (unix(7)) made of
 * user and number, so that the kernel keeps names apart and forgets those of
 * the dead. A thread gives a descriptor of the object to whoever connects.
 * Each side asks the kernel who the other is and talks to its own user only.
 *
 * The name is in the object's control page, too: everybody who has the object
 * tells the same name, and takes it over when its owner is gone.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "uapi.h"

#define MAX_TRIES 65536

/* Of the object's owner. */
struct uapi_flink {
   int listener;
   int server_fds[2]; /* what its thread has: to be closed in a child */
};

/* What the thread has. */
struct server {
   int listener, object;
};

static socklen_t
name_address(struct sockaddr_un *address, uint32_t name)
{
   *address = (struct sockaddr_un) { .sun_family = AF_UNIX };
   const int n = snprintf(address->sun_path + 1,
                          sizeof(address->sun_path) - 1,
                          "saffron-flink/%u/%u", (unsigned)geteuid(), name);
   return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

static bool
is_same_user(int fd)
{
   struct ucred peer;
   socklen_t length = sizeof(peer);
   return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) &&
          peer.uid == geteuid();
}

union control {
   struct cmsghdr header;
   char room[CMSG_SPACE(sizeof(int))];
};

static void
give(int socket, int object)
{
   union control control = { 0 };
   char byte = 0;
   struct iovec iov = { &byte, 1 };
   struct msghdr msg = {
      .msg_iov = &iov,
      .msg_iovlen = 1,
      .msg_control = &control,
      .msg_controllen = sizeof(control),
   };
   struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
   c->cmsg_level = SOL_SOCKET;
   c->cmsg_type = SCM_RIGHTS;
   c->cmsg_len = CMSG_LEN(sizeof(int));
   memcpy(CMSG_DATA(c), &object, sizeof(object));
   /* Who does not listen any more does not get it. */
   while (sendmsg(socket, &msg, MSG_NOSIGNAL) < 0 && errno == EINTR)
      ;
}

/* The descriptor, or -1. */
static int
take(int socket)
{
   union control control = { 0 };
   char byte;
   int object = -1;
   struct iovec iov = { &byte, 1 };
   struct msghdr msg = {
      .msg_iov = &iov,
      .msg_iovlen = 1,
      .msg_control = &control,
      .msg_controllen = sizeof(control),
   };
   if (recvmsg(socket, &msg, MSG_CMSG_CLOEXEC) != 1)
      return -1;
   const struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
   if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
       c->cmsg_len == CMSG_LEN(sizeof(int)))
      memcpy(&object, CMSG_DATA(c), sizeof(object));
   return object;
}

static void *
serve(void *data)
{
   const struct server s = *(struct server *)data;
   free(data);
   for (;;) {
      const int fd = accept4(s.listener, NULL, NULL, SOCK_CLOEXEC);
      if (fd >= 0) {
         if (is_same_user(fd))
            give(fd, s.object);
         close(fd);
      } else if (errno != EINTR && errno != ECONNABORTED) {
         break; /* shut down by uapi_flink_drop() */
      }
   }
   close(s.listener);
   close(s.object);
   return NULL;
}

/* A descriptor of the object with this name, or -1. */
static int
look_up(uint32_t name)
{
   struct sockaddr_un address;
   const socklen_t length = name_address(&address, name);
   const struct timeval limit = { .tv_sec = 5 };
   const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
   int object = -1;
   if (fd < 0)
      return -1;
   setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
   setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
   if (!connect(fd, (struct sockaddr *)&address, length) && is_same_user(fd))
      object = take(fd);
   close(fd);
   return object;
}

/* A listener for a free name, or -errno. */
static int
take_name(uint32_t *name)
{
   const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
   if (fd < 0)
      return -errno;
   for (*name = 1; *name < MAX_TRIES; ++*name) {
      struct sockaddr_un address;
      const socklen_t length = name_address(&address, *name);
      if (bind(fd, (struct sockaddr *)&address, length)) {
         if (errno == EADDRINUSE)
            continue;
         break;
      }
      if (listen(fd, 16))
         break;
      return fd;
   }
   close(fd);
   return -ENOSPC;
}

static int
begin(struct uapi_bo *bo, uint32_t *name)
{
   struct uapi_flink *flink = calloc(1, sizeof(*flink));
   struct server *s = calloc(1, sizeof(*s));
   int ret = flink && s ? take_name(name) : -ENOMEM;
   if (ret >= 0) {
      flink->listener = ret;
      s->listener = fcntl(ret, F_DUPFD_CLOEXEC, 0);
      s->object = share_export(bo->share, O_RDWR | O_CLOEXEC);
      flink->server_fds[0] = s->listener;
      flink->server_fds[1] = s->object;
      ret = s->listener < 0 || s->object < 0 ? -ENOMEM
                                             : uapi_start_thread(serve, s);
      if (!ret) {
         bo->flink = flink;
         return 0;
      }
      close(flink->listener);
      if (s->listener >= 0)
         close(s->listener);
      if (s->object >= 0)
         close(s->object);
   }
   free(flink);
   free(s);
   return ret;
}

void
uapi_flink_drop(struct uapi_bo *bo, bool is_child)
{
   struct uapi_flink *flink = bo->flink;
   if (!flink)
      return;
   if (is_child) {
      /* The thread is the parent's. */
      close(flink->server_fds[0]);
      close(flink->server_fds[1]);
   } else {
      shutdown(flink->listener, SHUT_RDWR);
   }
   close(flink->listener);
   free(flink);
   bo->flink = NULL;
}

int
uapi_gem_flink(struct saffron_sim_file *file, void *arg)
{
   struct drm_gem_flink *a = arg;
   if (!file->is_primary)
      return -EACCES;
   struct uapi_bo *bo = uapi_get_bo(file, a->handle);
   if (!bo)
      return -ENOENT;
   if (bo->mem->user_memory)
      return -EINVAL;
   int ret = uapi_share_bo(file, a->handle, &bo);
   if (ret)
      return ret;
   a->name = share_get_name(bo->share);
   if (a->name && !bo->flink) {
      const int fd = look_up(a->name);
      struct uapi_share *same = fd < 0 ? NULL
                                       : share_open(file->sim, fd, SHARE_BO);
      if (fd >= 0)
         close(fd);
      if (same)
         share_unref(same);
      if (same != bo->share)
         a->name = 0; /* its owner is gone */
   }
   if (a->name)
      return 0;
   ret = begin(bo, &a->name);
   if (!ret)
      share_set_name(bo->share, a->name);
   return ret;
}

int
uapi_gem_open(struct saffron_sim_file *file, void *arg)
{
   struct drm_gem_open *a = arg;
   if (!file->is_primary)
      return -EACCES;
   if (!a->name)
      return -ENOENT;
   /* The thread that answers may be our own: it needs no lock. */
   const int fd = look_up(a->name);
   if (fd < 0)
      return -ENOENT;
   struct uapi_bo *bo;
   const int ret = uapi_import_bo(file, fd, &a->handle, &bo);
   close(fd);
   if (ret)
      return -ENOENT;
   a->size = bo->mem->size_B;
   return 0;
}
