/* SPDX-License-Identifier: MIT */
/*
 * Objects that several simulators, mostly of different processes, have.
 *
 * A buffer object that is exported becomes a file in memory (memfd), and its
 * descriptor is what PRIME hands out: it can be mapped, measured and sent to
 * other processes as a dma-buf. After the contents it has one more page, the
 * control page, which holds what the kernel would know about the object:
 * size, tiling, and who is still working on it. A shared syncobj is a control
 * page alone.
 *
 * Each simulator that has the object owns one slot of the control page. It
 * says there how far its own GPU is with the object, in numbers that only
 * rise; others wait for a number of a slot. That the owner is alive is seen
 * by a lock (fcntl(2), "Open file description locks") on one byte far after
 * the end of the file, which it holds by a description of its own and which
 * the kernel drops with it: work of a dead process counts as done.
 *
 * Nothing in the page is trusted beyond its meaning: sizes come from the
 * file, which is sealed against being resized, and values are checked.
 */
#ifndef SIM_UAPI_SHARE_H
#define SIM_UAPI_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/dynarray.h"
#include "util/list.h"
#include "util/macros.h"

struct saffron_sim;
struct share_page;

enum share_kind {
   SHARE_BO = 1,
   SHARE_SYNCOBJ = 2,
};

/* A simulator's part in a shared object. Under the simulator's lock, but for
 * waiting. */
struct uapi_share {
   struct list_head link; /* in sim->shares */
   unsigned refcount;
   int fd; /* the description that holds the lock */
   uint64_t device, inode;
   uint64_t size_B; /* of the contents, in front of the page */
   struct share_page *page;
   int slot;      /* -1: all are taken */
   uint64_t base; /* the slot counts from here: + seqno */
   void *object;  /* the syncobj of the simulator that this is */
};

/* A point of a shared syncobj: reached when its fence and those of the points
 * before it are signaled. */
struct share_point {
   uint64_t value;  /* 0: binary */
   uint64_t number; /* of the slot's work */
   uint32_t slot;   /* SHARE_NO_SLOT: signaled */
   uint32_t unused;
};

#define SHARE_NO_SLOT UINT32_MAX
#define SHARE_MAX_POINTS 64

/* Work of somebody else on a shared object. */
struct share_fence {
   struct uapi_share *share; /* a reference */
   unsigned slot;
   uint64_t number;
};

/* Room that the file needs after the contents. */
#define SHARE_PAGE_B 4096u

/*
 * What a descriptor is, by the kernel's word and the page's: its kind, and
 * the size of the contents; 0: none of ours. Keeps nothing.
 */
enum share_kind share_identify(int fd, uint64_t *size_B);

/*
 * Makes the control page of a new file, whose contents and page are there but
 * empty, and takes part. Takes over `fd`, also when it fails: NULL.
 */
struct uapi_share *share_create(struct saffron_sim *sim, int fd,
                                enum share_kind kind, uint64_t size_B);

/* Takes part in the object of a descriptor, whose owner keeps it; the
 * simulator's own part, with another reference, if it has one. NULL: no
 * object of that kind, or no memory. */
struct uapi_share *share_open(struct saffron_sim *sim, int fd,
                              enum share_kind kind);
void share_ref(struct uapi_share *share);
void share_unref(struct uapi_share *share);

/* In a child, whose parent keeps his slot. */
void share_become_child(struct uapi_share *share);

/* A new descriptor of the object, to give away; or -errno. */
int share_export(const struct uapi_share *share, int open_flags);

/* Attributes of a buffer object, the same for everybody. */
void share_set_tiling(struct uapi_share *share, uint32_t tiling,
                      uint32_t stride_B);
uint32_t share_get_tiling(const struct uapi_share *share, uint32_t *stride_B);

/* The number by which flink.c knows it; 0: none. */
void share_set_name(struct uapi_share *share, uint32_t name);
uint32_t share_get_name(const struct uapi_share *share);

/* Job `seqno` of the simulator was submitted, and uses the object. */
void share_begin(struct uapi_share *share, uint64_t seqno, bool write);
/* All jobs up to `seqno` are complete. */
void share_complete(struct saffron_sim *sim, uint64_t seqno);

/* What others do with the object: whether somebody reads or writes. */
void share_busy(const struct uapi_share *share, bool *reads, bool *writes);

/*
 * The points of a syncobj, in order. `seqno` is a job of this simulator, or
 * 0: signaled. Value 0 replaces all points; one that does not rise, too, but
 * its fence is then that of the last point as well.
 */
void share_attach_point(struct uapi_share *share, uint64_t value,
                        uint64_t seqno);
void share_reset_points(struct uapi_share *share);
unsigned share_get_points(struct uapi_share *share,
                          struct share_point points[SHARE_MAX_POINTS]);
/* Whether the fence of a point is signaled. */
bool share_point_signaled(const struct uapi_share *share,
                          const struct share_point *point);

/*
 * Appends to `fences` (struct share_fence) the work of others that an access
 * must wait for: their writes, and for a write their reads, too. 0, or
 * -ENOMEM; what has been appended is the caller's either way.
 */
int share_collect(struct uapi_share *share, bool write,
                  struct util_dynarray *fences) MUST_CHECK;
void share_fences_finish(struct util_dynarray *fences);

/* Waits, until `deadline_ns` (CLOCK_MONOTONIC), for one. The simulator's lock
 * is not needed. 0 or -ETIME. */
int share_wait(const struct share_fence *fence, uint64_t deadline_ns);

/* The same without a simulator, for a descriptor: 0, -ETIME, or -EINVAL when
 * it is no buffer object. With a deadline of 0 it only looks. */
int share_wait_fd(int fd, bool write, uint64_t deadline_ns);

/*
 * The work that there is on a buffer object at one time: what comes later is
 * not waited for, as it may in turn wait for the one who waits. 0 or -errno.
 */
struct share_snapshot;
int share_snapshot_create(int fd, bool write,
                          struct share_snapshot **snapshot);
int share_snapshot_wait(const struct share_snapshot *snapshot,
                        uint64_t deadline_ns);
void share_snapshot_destroy(struct share_snapshot *snapshot);

/* Makes the fence of a sync file work on the buffer object `fd`, until it is
 * signaled or this process ends. Both stay the caller's. 0 or -errno. */
int share_add_fence(int fd, bool write, int sync_fd);

#endif
