/* SPDX-License-Identifier: MIT */
/*
 * poll() of descriptors of the back end.
 *
 * For the kernel a file is always ready. What it says is ready is therefore
 * looked at once more, and when nothing is left of it, we wait a moment and
 * ask again.
 */
#include <poll.h>
#include <time.h>

#include "drm_shim_private.h"

/* libc exports them; headers declare them in fortified builds. */
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *ts,
                const sigset_t *mask, size_t room);

#define LOOK_NS 1000000

static uint64_t
now_ns(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Corrects what the kernel said; the number of descriptors that are ready,
 * and in *busy whether there are some of ours that are not. */
static int
correct(const struct drm_shim_fd_ops *ops, struct pollfd *fds, nfds_t count,
        bool *busy)
{
   int ready = 0;
   for (nfds_t i = 0; i < count; i++) {
      const short mine = fds[i].revents & (POLLIN | POLLOUT);
      const int now = mine ? ops->poll(fds[i].fd, mine) : -1;
      if (now >= 0) {
         fds[i].revents = (short)((fds[i].revents & ~mine) | now);
         *busy |= now != mine;
      }
      ready += fds[i].revents != 0;
   }
   return ready;
}

static int
do_poll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
        const sigset_t *mask)
{
   const struct drm_shim_fd_ops *ops = shim_fd_ops();
   const uint64_t start = timeout ? now_ns() : 0;
   int ret = REAL(ppoll)(fds, count, timeout, mask);
   for (;;) {
      bool busy = false;
      if (ret <= 0 || !ops)
         return ret;
      ret = correct(ops, fds, count, &busy);
      if (ret || !busy)
         return ret;
      /* Busy ones are ready for the kernel, so they are taken out. */
      uint64_t wait = LOOK_NS;
      if (timeout) {
         const uint64_t limit = (uint64_t)timeout->tv_sec * 1000000000 +
                                (uint64_t)timeout->tv_nsec;
         const uint64_t used = now_ns() - start;
         if (used >= limit)
            return 0;
         wait = MIN2(wait, limit - used);
      }
      const struct timespec moment = { .tv_nsec = (long)wait };
      if (REAL(ppoll)(NULL, 0, &moment, mask) < 0)
         return -1;
      const struct timespec none = { 0 };
      ret = REAL(ppoll)(fds, count, &none, NULL);
   }
}

PUBLIC int
ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
      const sigset_t *mask)
{
   return do_poll(fds, count, timeout, mask);
}

PUBLIC int
poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
   const struct timespec ts = {
      .tv_sec = timeout_ms / 1000,
      .tv_nsec = timeout_ms % 1000 * 1000000L,
   };
   return do_poll(fds, count, timeout_ms < 0 ? NULL : &ts, NULL);
}

PUBLIC int
__poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t room)
{
   if (room / sizeof(*fds) < count)
      abort();
   return poll(fds, count, timeout_ms);
}

PUBLIC int
__ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *ts,
            const sigset_t *mask, size_t room)
{
   if (room / sizeof(*fds) < count)
      abort();
   return do_poll(fds, count, ts, mask);
}
