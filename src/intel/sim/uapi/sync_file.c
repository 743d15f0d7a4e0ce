/* SPDX-License-Identifier: MIT */
/* Fences as file descriptors: see sync_file.h. */
#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sync_file.h"
#include "uapi.h"
#include "util/fallible.h"

#define NAME_PREFIX "saffron-sync/"

struct sync_record {
   uint64_t when_ns;
   int64_t error; /* 0 or -errno */
};

/* A job's fence that somebody has as a descriptor. */
struct sync_owner {
   struct list_head link; /* in sim->sync_files */
   uint64_t seqno;
   int fd; /* our end */
};

/*
 * Two ends: ours, and the one to give away, named after the simulator and its
 * job (0, 0: no job's). 0 or -errno.
 */
static int
make_pair(uint64_t token, uint64_t seqno, int ends[2])
{
   static uint64_t counter;
   struct sockaddr_un address = { .sun_family = AF_UNIX };
   if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
      return -errno;
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   /* The first byte is 0: no file. */
   const int n =
      snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
               NAME_PREFIX "%016" PRIx64 "/%" PRIx64 "/%x.%lx.%" PRIx64,
               token, seqno, (unsigned)getpid(), (unsigned long)now.tv_nsec,
               __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED));
   const socklen_t length =
      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
   if (!bind(ends[1], (struct sockaddr *)&address, length))
      return 0;
   const int error = errno;
   close(ends[0]);
   close(ends[1]);
   return -error;
}

/* Signals, and gives up our end. */
static void
signal_end(int fd, int error)
{
   const struct sync_record record = { sim_gpu_now_ns(), error };
   /* Nobody may be left to see it. */
   if (send(fd, &record, sizeof(record), MSG_NOSIGNAL) < 0)
      errno = 0;
   close(fd);
}

int
sync_file_create(struct saffron_sim *sim, uint64_t seqno)
{
   int ends[2];
   const int ret = make_pair(sim->token, seqno, ends);
   if (ret)
      return ret;
   if (uapi_signaled(sim, seqno)) {
      signal_end(ends[0], 0);
      return ends[1];
   }
   struct sync_owner *o = malloc(sizeof(*o));
   if (!o) {
      close(ends[0]);
      close(ends[1]);
      return -ENOMEM;
   }
   o->seqno = seqno;
   o->fd = ends[0];
   list_addtail(&o->link, &sim->sync_files);
   return ends[1];
}

void
sync_file_complete(struct saffron_sim *sim, uint64_t seqno)
{
   list_for_each_entry_safe(struct sync_owner, o, &sim->sync_files, link) {
      if (o->seqno > seqno)
         continue;
      signal_end(o->fd, 0);
      list_del(&o->link);
      free(o);
   }
}

void
sync_file_unregister(struct saffron_sim *sim)
{
   list_for_each_entry_safe(struct sync_owner, o, &sim->sync_files, link) {
      close(o->fd);
      list_del(&o->link);
      free(o);
   }
}

/*
 * Recognition
 */

static bool
get_name(int fd, char name[sizeof(struct sockaddr_un)])
{
   struct sockaddr_un address;
   socklen_t length = sizeof(address);
   const int saved = errno;
   const size_t head_B = offsetof(struct sockaddr_un, sun_path) + 1;
   const bool ok = !getsockname(fd, (struct sockaddr *)&address, &length) &&
                   address.sun_family == AF_UNIX && length > head_B &&
                   length <= sizeof(address) && !address.sun_path[0];
   errno = saved;
   if (!ok)
      return false;
   memcpy(name, address.sun_path + 1, length - head_B);
   name[length - head_B] = '\0';
   return !strncmp(name, NAME_PREFIX, strlen(NAME_PREFIX));
}

bool
sync_file_identify(int fd)
{
   char name[sizeof(struct sockaddr_un)];
   return get_name(fd, name);
}

bool
sync_file_is_local(const struct saffron_sim *sim, int fd, uint64_t *seqno)
{
   char name[sizeof(struct sockaddr_un)];
   uint64_t token;
   return get_name(fd, name) &&
          sscanf(name, NAME_PREFIX "%" SCNx64 "/%" SCNx64, &token, seqno) ==
             2 &&
          token == sim->token && *seqno <= sim->last_seqno;
}

int
sync_file_status(int fd, uint64_t *when_ns)
{
   struct sync_record r;
   const ssize_t n = recv(fd, &r, sizeof(r), MSG_PEEK | MSG_DONTWAIT);
   if (n < 0 && (errno == EAGAIN || errno == EINTR))
      return 0;
   const bool whole = n == sizeof(r);
   if (when_ns)
      *when_ns = whole ? r.when_ns : 0;
   if (!whole)
      return -EIO; /* the owner is gone */
   return r.error < 0 && r.error >= -4095 ? (int)r.error : 1;
}

int
sync_file_wait(int fd, uint64_t deadline_ns)
{
   for (;;) {
      const uint64_t now = sim_gpu_now_ns();
      const uint64_t left_ns = deadline_ns > now ? deadline_ns - now : 0;
      const uint64_t ms = MIN2((left_ns + 999999) / 1000000, 1000000);
      struct pollfd p = { .fd = fd, .events = POLLIN };
      if (poll(&p, 1, (int)ms) > 0)
         return 0;
      if (!left_ns)
         return -ETIME;
   }
}

/*
 * Fences of several
 */

struct all {
   struct util_dynarray fds;    /* int */
   struct share_snapshot *work; /* on a buffer object, or NULL */
   int end;
};

static void
free_all(struct all *a)
{
   util_dynarray_foreach(&a->fds, int, fd)
      close(*fd);
   util_dynarray_fini(&a->fds);
   share_snapshot_destroy(a->work);
   free(a);
}

static void *
wait_for_all(void *data)
{
   struct all *a = data;
   int error = 0;
   util_dynarray_foreach(&a->fds, int, fd) {
      sync_file_wait(*fd, UINT64_MAX);
      error = error ? error : MIN2(sync_file_status(*fd, NULL), 0);
   }
   if (a->work)
      share_snapshot_wait(a->work, UINT64_MAX);
   signal_end(a->end, error);
   free_all(a);
   return NULL;
}

int
uapi_start_thread(void *(*run)(void *data), void *data)
{
   pthread_t thread;
   pthread_attr_t attr;
   sigset_t all, old;
   sigfillset(&all);
   pthread_attr_init(&attr);
   pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
   pthread_sigmask(SIG_SETMASK, &all, &old);
   const int error = pthread_create(&thread, &attr, run, data);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   pthread_attr_destroy(&attr);
   return -error;
}

int
sync_file_create_all(struct util_dynarray *fds, int dmabuf_fd, bool write)
{
   struct all *a = calloc(1, sizeof(*a));
   int ends[2];
   int ret = a ? 0 : -ENOMEM;
   if (!ret && dmabuf_fd >= 0)
      ret = share_snapshot_create(dmabuf_fd, write, &a->work);
   if (!ret)
      ret = make_pair(0, 0, ends);
   if (ret) {
      util_dynarray_foreach(fds, int, fd)
         close(*fd);
      util_dynarray_fini(fds);
      if (a)
         free_all(a);
      return ret;
   }
   bool pending = a->work && share_snapshot_wait(a->work, 0);
   util_dynarray_foreach(fds, int, fd)
      pending |= sync_file_status(*fd, NULL) == 0;
   a->fds = *fds;
   memset(fds, 0, sizeof(*fds));
   a->end = ends[0];
   if (!pending) {
      wait_for_all(a);
      return ends[1];
   }
   ret = uapi_start_thread(wait_for_all, a);
   if (!ret)
      return ends[1];
   close(ends[0]);
   close(ends[1]);
   free_all(a);
   return ret;
}

/*
 * Requests
 */

static int
merge(int fd, uint64_t user)
{
   struct sync_merge_data a;
   const int err = uapi_copy_in(&a, user, sizeof(a));
   if (err)
      return err;
   if (a.flags || a.pad)
      return -EINVAL;
   if (!sync_file_identify(a.fd2))
      return -ENOENT;
   struct util_dynarray fds = { 0 };
   const int both[2] = { fd, a.fd2 };
   for (unsigned i = 0; i < 2; i++) {
      /* One that is signaled without error adds nothing. */
      if (sync_file_status(both[i], NULL) == 1)
         continue;
      int copy = -1;
      if (util_dynarray_try_reserve(&fds, 2 * sizeof(copy)))
         copy = fcntl(both[i], F_DUPFD_CLOEXEC, 0);
      else
         errno = ENOMEM;
      if (copy < 0) {
         util_dynarray_foreach(&fds, int, f)
            close(*f);
         util_dynarray_fini(&fds);
         return -errno;
      }
      util_dynarray_append(&fds, int, copy);
   }
   a.fence = sync_file_create_all(&fds, -1, false);
   return a.fence < 0 ? a.fence : uapi_copy_out(user, &a, sizeof(a));
}

static int
get_info(int fd, uint64_t user)
{
   struct sync_file_info a;
   const int err = uapi_copy_in(&a, user, sizeof(a));
   if (err)
      return err;
   if (a.flags || a.pad)
      return -EINVAL;
   struct sync_fence_info fence = {
      .obj_name = "saffron",
      .driver_name = "i915",
   };
   uint64_t when_ns = 0;
   fence.status = sync_file_status(fd, &when_ns);
   fence.timestamp_ns = when_ns;
   if (a.num_fences) {
      const int ret = uapi_copy_out(a.sync_fence_info, &fence, sizeof(fence));
      if (ret)
         return ret;
   }
   snprintf(a.name, sizeof(a.name), "i915-saffron");
   a.status = fence.status;
   a.num_fences = 1;
   return uapi_copy_out(user, &a, sizeof(a));
}

int
sync_file_ioctl(int fd, unsigned long request, uint64_t user)
{
   if (_IOC_TYPE(request) != SYNC_IOC_MAGIC || !sync_file_identify(fd))
      return -ENOTTY;
   switch (request) {
   case SYNC_IOC_MERGE: return merge(fd, user);
   case SYNC_IOC_FILE_INFO: return get_info(fd, user);
   default: return -ENOTTY;
   }
}
