/* SPDX-License-Identifier: MIT */
/*
 * Fences as file descriptors (linux/sync_file.h; kernel documentation, "Sync
 * File Framework").
 *
 * A sync file is one end of a pair of sockets. Whoever does the work has the
 * other end: he writes a record (struct sync_record) when it is done, and
 * closes his end. So poll() tells whether the fence is signaled, in any
 * process and without our help; the record is looked at and never taken out;
 * and a fence whose owner died is signaled, with an error.
 *
 * The end that is given away has a name (an abstract address, unix(7)), by
 * which a sync file is told from other sockets, and by which the simulator
 * that made it knows its own fences again.
 */
#ifndef SIM_UAPI_SYNC_FILE_H
#define SIM_UAPI_SYNC_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/dynarray.h"

struct saffron_sim;

/* A new descriptor (with CLOEXEC) for the fence of a job; or -errno. With the
 * simulator's lock. */
int sync_file_create(struct saffron_sim *sim, uint64_t seqno);
/* Jobs up to `seqno` are complete. With the lock. */
void sync_file_complete(struct saffron_sim *sim, uint64_t seqno);

/* In a child: these fences are the parent's to signal. */
void sync_file_unregister(struct saffron_sim *sim);

/*
 * A new descriptor that is signaled when all of `fds` (int), which it takes
 * over, and the work of others on the buffer objects behind `dmabuf_fd` (or
 * -1) is done; or -errno.
 */
int sync_file_create_all(struct util_dynarray *fds, int dmabuf_fd,
                         bool write);

bool sync_file_identify(int fd);
/* Whether it is one of this simulator; then its job's number. */
bool sync_file_is_local(const struct saffron_sim *sim, int fd,
                        uint64_t *seqno);

/* 0: not signaled; 1: signaled; below 0: signaled with this error. `when_ns`
 * (CLOCK_MONOTONIC) may be NULL. */
int sync_file_status(int fd, uint64_t *when_ns);
/* Waits until it is signaled: 0 or -ETIME. */
int sync_file_wait(int fd, uint64_t deadline_ns);

/* SYNC_IOC_*: as saffron_sim_fd_ioctl(). */
int sync_file_ioctl(int fd, unsigned long request, uint64_t user);

#endif
