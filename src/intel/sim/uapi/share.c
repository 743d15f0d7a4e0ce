/* SPDX-License-Identifier: MIT */
/* Objects of several simulators: see share.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "share.h"
#include "uapi.h"
#include "util/fallible.h"

#define SHARE_SLOTS 96
#define POINTS_LOCK SHARE_SLOTS /* the lock after those of the slots */

struct share_slot {
   uint64_t read, write; /* number of the last job that does it; writing
                          * is reading, too */
   uint64_t done;        /* jobs up to this one are complete */
};

struct share_page {
   char magic[16];
   uint32_t kind;
   uint32_t change;  /* a futex: rises with everything that is signaled */
   uint32_t waiters; /* how many may sleep on it; never too low */
   uint32_t name;    /* flink.c */
   uint64_t size_B;
   uint64_t tiling; /* mode, and above bit 32 the stride: one access */
   struct share_slot slot[SHARE_SLOTS];
   uint32_t num_points; /* these with POINTS_LOCK */
   struct share_point point[SHARE_MAX_POINTS];
};

static_assert(sizeof(struct share_page) <= SHARE_PAGE_B, "one page");

static const char magic[16] = "saffron share 1";

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW)

/* Locks are far past the end of any file. */
#define LOCK_START (INT64_C(1) << 60)

/* Descriptors that live long stay out of the way of the program's. */
#define FIRST_PRIVATE_FD 256

/* How often a sleeper looks whether the other side is alive. */
#define LOOK_NS 50000000ull

#define LOAD(field) __atomic_load_n(&(field), __ATOMIC_ACQUIRE)
#define STORE(field, value)                                                  \
   __atomic_store_n(&(field), (value), __ATOMIC_RELEASE)

/*
 * The file
 */

/* The system call: the shim's fstat() tells what this is about. */
static bool
file_stat(int fd, struct stat *st)
{
   return syscall(SYS_fstat, fd, st) == 0;
}

enum share_kind
share_identify(int fd, uint64_t *size_B)
{
   const int saved = errno;
   const int seals = fcntl(fd, F_GET_SEALS);
   struct stat st;
   struct {
      char magic[16];
      uint32_t kind;
   } head;
   enum share_kind kind = 0;
   if (seals >= 0 && (seals & SEALS) == SEALS && file_stat(fd, &st) &&
       st.st_size >= SHARE_PAGE_B && st.st_size % SHARE_PAGE_B == 0 &&
       pread(fd, &head, sizeof(head), st.st_size - SHARE_PAGE_B) ==
          sizeof(head) &&
       !memcmp(head.magic, magic, sizeof(magic)) &&
       (head.kind == SHARE_BO || head.kind == SHARE_SYNCOBJ)) {
      kind = (enum share_kind)head.kind;
      *size_B = (uint64_t)st.st_size - SHARE_PAGE_B;
   }
   errno = saved;
   return kind;
}

static struct share_page *
map_page(int fd, uint64_t size_B)
{
   void *map = mmap(NULL, SHARE_PAGE_B, PROT_READ | PROT_WRITE, MAP_SHARED,
                    fd, (off_t)size_B);
   return map == MAP_FAILED ? NULL : map;
}

/* The same file by a description of its own. It needs /proc. */
static int
reopen(int fd, int flags)
{
   char path[32];
   snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
   return open(path, flags);
}

/* Moves the descriptor to a higher number, if there is one. */
static int
move_up(int fd)
{
   const int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_PRIVATE_FD);
   if (high < 0)
      return fd;
   close(fd);
   return high;
}

/*
 * Slots
 */

static struct flock
slot_lock(int slot, short type)
{
   return (struct flock) {
      .l_type = type,
      .l_whence = SEEK_SET,
      .l_start = LOCK_START + slot,
      .l_len = 1,
   };
}

static bool
is_alive(const struct uapi_share *share, unsigned slot)
{
   struct flock lock = slot_lock((int)slot, F_WRLCK);
   return fcntl(share->fd, F_OFD_GETLK, &lock) || lock.l_type != F_UNLCK;
}

/* The lock is what makes the slot ours. Its numbers go on where the last
 * owner's ended, as somebody may still look at these. */
static void
take_slot(struct uapi_share *share)
{
   share->slot = -1;
   for (int i = 0; i < SHARE_SLOTS; i++) {
      struct flock lock = slot_lock(i, F_WRLCK);
      if (fcntl(share->fd, F_OFD_SETLK, &lock))
         continue;
      struct share_slot *s = &share->page->slot[i];
      share->slot = i;
      share->base = MAX2(LOAD(s->read), LOAD(s->done));
      STORE(s->done, share->base);
      return;
   }
}

/* Tells those who sleep that something was signaled. */
static void
announce(struct share_page *page)
{
   __atomic_add_fetch(&page->change, 1, __ATOMIC_SEQ_CST);
   if (__atomic_load_n(&page->waiters, __ATOMIC_SEQ_CST))
      syscall(SYS_futex, &page->change, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/*
 * Life
 */

/* Takes over fd and page; NULL when out of memory. */
static struct uapi_share *
join(struct saffron_sim *sim, int fd, struct share_page *page,
     uint64_t size_B)
{
   struct stat st;
   struct uapi_share *share = calloc(1, sizeof(*share));
   if (!share || !file_stat(fd, &st)) {
      free(share);
      munmap(page, SHARE_PAGE_B);
      close(fd);
      return NULL;
   }
   share->refcount = 1;
   share->fd = move_up(fd);
   share->device = st.st_dev;
   share->inode = st.st_ino;
   share->size_B = size_B;
   share->page = page;
   take_slot(share);
   list_addtail(&share->link, &sim->shares);
   return share;
}

struct uapi_share *
share_create(struct saffron_sim *sim, int fd, enum share_kind kind,
             uint64_t size_B)
{
   struct share_page *page = map_page(fd, size_B);
   if (!page || fcntl(fd, F_ADD_SEALS, SEALS | F_SEAL_SEAL)) {
      if (page)
         munmap(page, SHARE_PAGE_B);
      close(fd);
      return NULL;
   }
   memcpy(page->magic, magic, sizeof(magic));
   page->kind = kind;
   page->size_B = size_B;
   return join(sim, fd, page, size_B);
}

static struct uapi_share *
find(struct saffron_sim *sim, int fd)
{
   struct stat st;
   if (!file_stat(fd, &st))
      return NULL;
   list_for_each_entry(struct uapi_share, share, &sim->shares, link) {
      if (share->inode == st.st_ino && share->device == st.st_dev)
         return share;
   }
   return NULL;
}

struct uapi_share *
share_open(struct saffron_sim *sim, int fd, enum share_kind kind)
{
   uint64_t size_B;
   if (share_identify(fd, &size_B) != kind)
      return NULL;
   struct uapi_share *share = find(sim, fd);
   if (share) {
      share_ref(share);
      return share;
   }
   const int copy = reopen(fd, O_RDWR | O_CLOEXEC);
   if (copy < 0)
      return NULL;
   struct share_page *page = map_page(copy, size_B);
   if (!page) {
      close(copy);
      return NULL;
   }
   return join(sim, copy, page, size_B);
}

void
share_ref(struct uapi_share *share)
{
   share->refcount++;
}

/* The lock goes with the descriptor, and with it what is not signaled. */
void
share_unref(struct uapi_share *share)
{
   if (--share->refcount)
      return;
   list_del(&share->link);
   close(share->fd);
   announce(share->page);
   munmap(share->page, SHARE_PAGE_B);
   free(share);
}

void
share_become_child(struct uapi_share *share)
{
   /* The description, and with it the lock, is the parent's. */
   const int own = reopen(share->fd, O_RDWR | O_CLOEXEC);
   share->slot = -1;
   if (own < 0)
      return;
   close(share->fd);
   share->fd = move_up(own);
   take_slot(share);
}

int
share_export(const struct uapi_share *share, int open_flags)
{
   const int fd = reopen(share->fd, open_flags);
   return fd < 0 ? -errno : fd;
}

/*
 * Attributes
 */

void
share_set_tiling(struct uapi_share *share, uint32_t tiling, uint32_t stride_B)
{
   STORE(share->page->tiling, (uint64_t)stride_B << 32 | tiling);
}

uint32_t
share_get_tiling(const struct uapi_share *share, uint32_t *stride_B)
{
   const uint64_t both = LOAD(share->page->tiling);
   const uint32_t tiling = (uint32_t)both;
   *stride_B = (uint32_t)(both >> 32);
   if (uapi_tiling_ok(tiling, *stride_B))
      return tiling;
   /* Somebody wrote to the page who should not. */
   *stride_B = 0;
   return I915_TILING_NONE;
}

void
share_set_name(struct uapi_share *share, uint32_t name)
{
   STORE(share->page->name, name);
}

uint32_t
share_get_name(const struct uapi_share *share)
{
   return LOAD(share->page->name);
}

/*
 * Work
 */

void
share_begin(struct uapi_share *share, uint64_t seqno, bool write)
{
   if (share->slot < 0)
      return;
   struct share_slot *s = &share->page->slot[share->slot];
   STORE(s->read, share->base + seqno);
   if (write)
      STORE(s->write, share->base + seqno);
}

void
share_complete(struct saffron_sim *sim, uint64_t seqno)
{
   list_for_each_entry(struct uapi_share, share, &sim->shares, link) {
      if (share->slot < 0)
         continue;
      struct share_slot *s = &share->page->slot[share->slot];
      const bool was_busy = LOAD(s->read) > LOAD(s->done);
      STORE(s->done, share->base + seqno);
      if (was_busy)
         announce(share->page);
   }
}

/*
 * Points of a syncobj
 */

/* Between processes; inside one the simulator's lock does it. The kernel
 * drops it when the owner dies. */
static struct share_page *
lock_points(const struct uapi_share *share, short type)
{
   struct flock lock = slot_lock(POINTS_LOCK, type);
   while (fcntl(share->fd, F_OFD_SETLKW, &lock) && errno == EINTR)
      ;
   return share->page;
}

static uint32_t
num_points(const struct share_page *page)
{
   return MIN2(page->num_points, SHARE_MAX_POINTS);
}

bool
share_point_signaled(const struct uapi_share *share,
                     const struct share_point *point)
{
   return point->slot >= SHARE_SLOTS ||
          LOAD(share->page->slot[point->slot].done) >= point->number ||
          ((int)point->slot != share->slot && !is_alive(share, point->slot));
}

void
share_attach_point(struct uapi_share *share, uint64_t value, uint64_t seqno)
{
   struct share_point point = { .value = value, .slot = SHARE_NO_SLOT };
   if (seqno && share->slot >= 0) {
      point.slot = (uint32_t)share->slot;
      point.number = share->base + seqno;
      share_begin(share, seqno, false);
   }
   struct share_page *page = lock_points(share, F_WRLCK);
   uint32_t n = num_points(page);
   if (!value) {
      n = 0;
   } else if (n && page->point[n - 1].value >= value) {
      page->point[0] = page->point[n - 1];
      page->point[0].value = 0;
      n = 1;
   } else if (n == SHARE_MAX_POINTS) {
      /* The first is then reached with the second. */
      n--;
      memmove(page->point, page->point + 1, n * sizeof(page->point[0]));
   }
   page->point[n] = point;
   page->num_points = n + 1;
   lock_points(share, F_UNLCK);
   announce(page);
}

void
share_reset_points(struct uapi_share *share)
{
   lock_points(share, F_WRLCK)->num_points = 0;
   lock_points(share, F_UNLCK);
}

unsigned
share_get_points(struct uapi_share *share,
                 struct share_point points[SHARE_MAX_POINTS])
{
   struct share_page *page = lock_points(share, F_WRLCK);
   /* Signaled ones that a later signaled one makes superfluous. */
   uint32_t n = num_points(page), first = 0;
   while (first + 1 < n && share_point_signaled(share, &page->point[first]) &&
          share_point_signaled(share, &page->point[first + 1]))
      first++;
   n -= first;
   memmove(page->point, page->point + first, n * sizeof(page->point[0]));
   page->num_points = n;
   memcpy(points, page->point, n * sizeof(points[0]));
   lock_points(share, F_UNLCK);
   return n;
}

/* The number to wait for in a slot of somebody else, or 0. */
static uint64_t
pending(const struct uapi_share *share, unsigned slot, bool write)
{
   const struct share_slot *s = &share->page->slot[slot];
   if ((int)slot == share->slot)
      return 0;
   /* Readers matter to writers only. */
   const uint64_t number = write ? LOAD(s->read) : LOAD(s->write);
   if (number <= LOAD(s->done) || !is_alive(share, slot))
      return 0;
   return number;
}

void
share_busy(const struct uapi_share *share, bool *reads, bool *writes)
{
   *reads = *writes = false;
   for (unsigned i = 0; i < SHARE_SLOTS; i++) {
      *reads |= pending(share, i, true) != 0;
      *writes |= pending(share, i, false) != 0;
   }
}

int
share_collect(struct uapi_share *share, bool write,
              struct util_dynarray *fences)
{
   for (unsigned i = 0; i < SHARE_SLOTS; i++) {
      const uint64_t number = pending(share, i, write);
      if (!number)
         continue;
      const struct share_fence fence = { share, i, number };
      if (!util_dynarray_try_append(fences, struct share_fence, fence))
         return -ENOMEM;
      share_ref(share);
   }
   return 0;
}

void
share_fences_finish(struct util_dynarray *fences)
{
   util_dynarray_foreach(fences, struct share_fence, f)
      share_unref(f->share);
   util_dynarray_fini(fences);
}

static void
sleep_for(struct share_page *page, uint32_t change, uint64_t ns)
{
   const struct timespec ts = {
      .tv_sec = (time_t)(ns / 1000000000),
      .tv_nsec = (long)(ns % 1000000000),
   };
   syscall(SYS_futex, &page->change, FUTEX_WAIT, change, &ts, NULL, 0);
}

int
share_wait(const struct share_fence *fence, uint64_t deadline_ns)
{
   struct share_page *page = fence->share->page;
   const struct share_slot *s = &page->slot[fence->slot];
   int ret = 0;
   __atomic_add_fetch(&page->waiters, 1, __ATOMIC_SEQ_CST);
   for (;;) {
      const uint32_t change = LOAD(page->change);
      if (LOAD(s->done) >= fence->number ||
          !is_alive(fence->share, fence->slot))
         break;
      const uint64_t now = sim_gpu_now_ns();
      if (now >= deadline_ns) {
         ret = -ETIME;
         break;
      }
      sleep_for(page, change, MIN2(deadline_ns - now, LOOK_NS));
   }
   __atomic_sub_fetch(&page->waiters, 1, __ATOMIC_SEQ_CST);
   return ret;
}

/* A part that no simulator has. */
static int
open_guest(struct uapi_share *share, int fd)
{
   *share = (struct uapi_share) { .slot = -1 };
   if (share_identify(fd, &share->size_B) != SHARE_BO)
      return -EINVAL;
   share->fd = reopen(fd, O_RDWR | O_CLOEXEC);
   if (share->fd < 0)
      return -errno;
   share->page = map_page(share->fd, share->size_B);
   if (share->page)
      return 0;
   close(share->fd);
   return -ENOMEM;
}

static void
close_guest(struct uapi_share *share)
{
   close(share->fd);
   announce(share->page);
   munmap(share->page, SHARE_PAGE_B);
}

struct share_snapshot {
   struct uapi_share share;
   uint64_t number[SHARE_SLOTS]; /* 0: nothing to wait for */
};

int
share_snapshot_create(int fd, bool write, struct share_snapshot **snapshot)
{
   struct share_snapshot *s = malloc(sizeof(*s));
   const int ret = s ? open_guest(&s->share, fd) : -ENOMEM;
   if (ret) {
      free(s);
      return ret;
   }
   for (unsigned i = 0; i < SHARE_SLOTS; i++)
      s->number[i] = pending(&s->share, i, write);
   *snapshot = s;
   return 0;
}

int
share_snapshot_wait(const struct share_snapshot *s, uint64_t deadline_ns)
{
   int ret = 0;
   for (unsigned i = 0; !ret && i < SHARE_SLOTS; i++) {
      const struct share_fence fence = { (struct uapi_share *)&s->share, i,
                                         s->number[i] };
      if (fence.number)
         ret = share_wait(&fence, deadline_ns);
   }
   return ret;
}

void
share_snapshot_destroy(struct share_snapshot *s)
{
   if (!s)
      return;
   close_guest(&s->share);
   free(s);
}

int
share_wait_fd(int fd, bool write, uint64_t deadline_ns)
{
   struct share_snapshot *s;
   int ret = share_snapshot_create(fd, write, &s);
   if (ret)
      return ret;
   ret = share_snapshot_wait(s, deadline_ns);
   share_snapshot_destroy(s);
   return ret;
}

/* A fence from elsewhere, with a slot of its own. */
struct guest_fence {
   struct uapi_share share;
   int sync_fd;
};

static void *
hold_fence(void *data)
{
   struct guest_fence *g = data;
   sync_file_wait(g->sync_fd, UINT64_MAX);
   close(g->sync_fd);
   STORE(g->share.page->slot[g->share.slot].done, g->share.base + 1);
   close_guest(&g->share);
   free(g);
   return NULL;
}

int
share_add_fence(int fd, bool write, int sync_fd)
{
   struct guest_fence *g = calloc(1, sizeof(*g));
   if (!g)
      return -ENOMEM;
   int ret = open_guest(&g->share, fd);
   if (ret) {
      free(g);
      return ret;
   }
   take_slot(&g->share);
   g->sync_fd = fcntl(sync_fd, F_DUPFD_CLOEXEC, 0);
   ret = g->sync_fd < 0 ? -errno : g->share.slot < 0 ? -ENOMEM : 0;
   if (!ret) {
      share_begin(&g->share, 1, write);
      ret = uapi_start_thread(hold_fence, g);
   }
   if (ret) {
      if (g->sync_fd >= 0)
         close(g->sync_fd);
      close_guest(&g->share);
      free(g);
   }
   return ret;
}
