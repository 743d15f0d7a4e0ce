/* SPDX-License-Identifier: MIT */
/*
 * The i915 kernel interface over the simulated GPU: private declarations.
 *
 * One lock per simulator guards all that is declared here. The GPU is one
 * worker thread that runs jobs in the order of submission, without the lock;
 * so a fence is just the number of a job, and is signalled when the number of
 * completed jobs has reached it.
 */
#ifndef SIM_UAPI_H
#define SIM_UAPI_H

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <drm.h>
#include <i915_drm.h>

#include "intel/sim/cs/cs.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/mem/mem.h"
#include "intel/sim/uapi/share.h"
#include "intel/sim/uapi/sync_file.h"
#include "saffron/sim.h"
#include "util/dynarray.h"
#include "util/list.h"

/* Handles: small numbers, the lowest free one first. */
struct sim_ids {
   void **slot; /* NULL: free */
   uint32_t size, first_free;
};

/* A handle of at least `min` for `object`; 0 when out of memory. */
uint32_t sim_ids_add(struct sim_ids *ids, uint32_t min, void *object);
void *sim_ids_get(const struct sim_ids *ids, uint32_t id);
/* The object, or NULL when there was none; the id is free again. */
void *sim_ids_remove(struct sim_ids *ids, uint32_t id);
void sim_ids_finish(struct sim_ids *ids);

/* An offset for mmap is the object's number in sim->maps, shifted. */
#define UAPI_MAP_SHIFT 36
#define UAPI_MAX_BO_B BITFIELD64_BIT(UAPI_MAP_SHIFT)

#define UAPI_MADV_PURGED 2

/* A buffer object as the kernel interface sees it. */
struct uapi_bo {
   struct sim_bo *mem;
   unsigned handles; /* over all files; at 0 the object is on its way out */
   unsigned jobs;    /* queued or running jobs that hold it */
   uint32_t map_id;  /* in sim->maps; 0: none yet */
   struct uapi_share *share; /* with other processes; NULL: not shared */
   struct uapi_flink *flink; /* if we own its name */
   uint32_t tiling, swizzle, stride_B, caching;
   uint32_t madv;  /* I915_MADV_*, or UAPI_MADV_PURGED for ever */
   bool unprobed;  /* the memory of its caller was not there at first */
   bool has_pages; /* and keeps them: nobody is short of any */
   uint64_t use_seqno, write_seqno; /* last jobs */
   uint16_t readers;                /* of the former: a bit an engine class */
   uint8_t writer;                  /* of the latter: the class, plus 1 */
   struct list_head link;           /* in sim->bos or sim->zombies */
};

struct uapi_vm {
   struct sim_vm *mem;
   unsigned refcount;
   uint64_t next_address[2]; /* where to look for room: low 4 GiB, above */
};

/*
 * A context has one hardware context for each engine of the legacy rings, by
 * enum sim_engine, and after these one for each place of its own map of
 * engines: two places that name the same engine do not share state.
 */
#define UAPI_MAP_SLOT 2
#define UAPI_NUM_SLOTS (UAPI_MAP_SLOT + I915_EXEC_RING_MASK + 1)

struct uapi_context {
   unsigned refcount; /* the handle, and queued jobs */
   struct uapi_vm *vm;
   /* One for each way to an engine, made on first use: above. */
   struct sim_hw_context *hw[UAPI_NUM_SLOTS];
   bool banned, bannable, recoverable, no_error_capture, persistent;
   /* Something was submitted: engines and address space are fixed. */
   bool used;
   int priority;
   uint32_t batch_active; /* resets of which it is guilty */
   bool has_engines;
   uint32_t num_engines;
   struct i915_engine_class_instance *engines;
};

struct sync_point {
   uint64_t value;
   uint64_t seqno; /* largest of this point's and the ones before */
};

struct uapi_syncobj {
   unsigned refcount;
   struct saffron_sim *sim;
   /* With other processes; NULL: not shared. Then what follows is a copy of
    * what its page says, made by pull() in syncobj.c. */
   struct uapi_share *share;
   struct util_dynarray foreign; /* struct foreign_fence */
   bool has_fence;
   uint64_t seqno;              /* of the binary payload */
   struct util_dynarray points; /* struct sync_point, by value */
};

struct job_bo {
   struct uapi_bo *bo;
   uint64_t address;
   bool write;
   bool capture; /* its contents are wanted when the job fails */
};

struct sim_job {
   struct list_head link;
   uint64_t seqno;
   struct uapi_context *ctx; /* NULL: a job that only waits */
   enum sim_engine engine;
   unsigned slot; /* in ctx->hw */
   uint64_t batch_address;
   bool reset_so;
   /* Not before these: struct share_fence; sync files (int), of which one
    * that ends in an error is no reason not to run. */
   struct util_dynarray waits, wait_fds;
   unsigned num_bos;
   struct job_bo bos[];
};

struct saffron_sim {
   struct sim_gpu gpu;
   pthread_mutex_t lock;
   pthread_cond_t work;   /* a job was queued, or the worker shall stop */
   pthread_cond_t change; /* a job completed, or a syncobj changed */
   pthread_t worker;
   bool has_worker; /* it is started by the first submission */
   bool stop;
   bool at_work;               /* the worker has a job */
   bool running;               /* it executes it, without the lock */
   bool paused;                /* it shall not take another one */
   bool stats_later;           /* a child: from its first submission on */
   uint64_t stats_due_ns;      /* when to write them; 0: nothing new */
   struct list_head sims_link; /* fork.c */
   bool dry_run;               /* jobs complete without being executed */
   const char *record_dir;     /* SAFFRON_SIM_RECORD, or NULL */
   const char *error_file;     /* SAFFRON_SIM_ERROR_STATE, or NULL */
   struct list_head jobs;
   uint64_t last_seqno, completed_seqno;
   struct list_head bos;
   struct list_head zombies;    /* objects that wait until nothing runs */
   struct list_head shares;     /* struct uapi_share */
   struct list_head sync_files; /* struct sync_owner */
   uint64_t token; /* tells this simulator from others, of all processes */
   struct sim_ids maps; /* struct uapi_bo by number in its mmap offset */
   uint32_t reset_count;
   unsigned open_files;
   /* Gen7 has one address space for all contexts (aliasing PPGTT); made with
    * the first, NULL elsewhere. */
   struct uapi_vm *global_vm;
};

static inline bool
uapi_has_full_ppgtt(const struct saffron_sim *sim)
{
   return sim_traits(sim->gpu.verx10)->has_execlists;
}

struct saffron_sim_file {
   struct saffron_sim *sim;
   bool is_primary;
   struct sim_ids bos, contexts, vms, syncobjs;
   struct uapi_context *default_ctx;
};

/* SAFFRON_SIM_STATS, SAFFRON_SIM_TRACE_FILE: remembers `sim`; completes both
 * at its end, or at that of the process. The former frees what they need.
 * False, after a message: a trace that cannot be. */
bool uapi_stats_begin(struct saffron_sim *sim);
void uapi_stats_end(struct saffron_sim *sim);

/* Writes the statistics of so far, for who is killed: not at once, which
 * would be for each batch, but as long as this after the first one. */
#define STATS_DELAY_NS 200000000
void uapi_stats_update(struct saffron_sim *sim);

/* SAFFRON_SIM_RECORD: writes what the job is about to run on, in the form of
 * sim_record.h. */
void uapi_record(const struct saffron_sim *sim, const struct sim_job *job);

/* The same in the trace, if that is a recording. */
void uapi_record_in_trace(const struct saffron_sim *sim,
                          const struct sim_job *job);

/* The same around fork(): holds their lock. In the child the parent's files
 * are forgotten; new ones are begun if the child uses the GPU. */
void uapi_stats_before_fork(void);
void uapi_stats_after_fork(void);
void uapi_stats_become_child(struct saffron_sim *sim);

/* fork.c */
void uapi_fork_add(struct saffron_sim *sim);
void uapi_fork_remove(struct saffron_sim *sim);
/* With the lock, in a process that has only the thread that forked. */
void uapi_become_child(struct saffron_sim *sim);

/*
 * Copies between the caller's memory and ours, without trusting the
 * pointer: 0 or -EFAULT.
 */
int uapi_copy_in(void *dst, uint64_t user, size_t size_B);
int uapi_copy_out(uint64_t user, const void *src, size_t size_B);

/*
 * A new array of `count` elements copied in from `user`, in *out (free() it;
 * NULL if count is 0). 0, -ENOMEM or -EFAULT.
 */
int uapi_copy_array(void **out, uint64_t user, size_t count, size_t size_B);

/* Walks the chain of i915_user_extension at `user`; `fn` gets the address of
 * each one. 0, or the first error. */
int uapi_walk_extensions(uint64_t user,
                         int (*fn)(void *data, uint32_t name,
                                   uint64_t address),
                         void *data);

/* The same where no extension is known: -EFAULT if the chain cannot be read,
 * -EINVAL if there is one. */
int uapi_no_extensions(uint64_t user);

/* A thread that nobody joins and no signal of the program reaches: 0 or
 * -errno. */
int uapi_start_thread(void *(*run)(void *data), void *data);

/* The object gets its pages, if it has none: 0, or -EFAULT if they were
 * purged (gem.c). */
int uapi_get_pages(struct uapi_bo *bo);

/* Worker and fences (device.c). All with the lock held. */
bool uapi_signaled(const struct saffron_sim *sim, uint64_t seqno);
/* Starts the worker, if there is none: 0 or -EAGAIN. Before each
 * submission. */
int uapi_start_worker(struct saffron_sim *sim);
/* Queues; the simulator owns `job` from here on. Sets job->seqno. A job
 * waits for what other processes do with its objects only through `waits`. */
void uapi_submit(struct saffron_sim *sim, struct sim_job *job);
/*
 * Queues a job that only waits, for `fence`, whose reference it takes, or for
 * the sync file `fd`, which stays the caller's: from here on the work of
 * others has a number as our own has. 0 in *seqno: it is done. 0 or -ENOMEM.
 */
int uapi_submit_wait(struct saffron_sim *sim, const struct share_fence *fence,
                     int fd, uint64_t *seqno);
/* Writes sim->error_file, if there is none yet, about a job that failed. */
void uapi_error_state(const struct saffron_sim *sim,
                      const struct sim_job *job);
/* Waits until the job is complete; `deadline_ns` (CLOCK_MONOTONIC) may be
 * UINT64_MAX. 0 or -ETIME. Gives up the lock meanwhile. */
int uapi_wait_seqno(struct saffron_sim *sim, uint64_t seqno,
                    uint64_t deadline_ns);
/* Waits until the object may be read, or written, by this process: 0 or
 * -ETIME. The object is there afterwards only if somebody else holds it. */
int uapi_wait_bo(struct saffron_sim *sim, struct uapi_bo *bo, bool write,
                 uint64_t deadline_ns);
/* Waits for any change: 0, or -ETIME once the deadline is over. */
int uapi_wait_change(struct saffron_sim *sim, uint64_t deadline_ns);

/* Wraps `mem`, whose reference it takes, in a handle. */
int uapi_add_bo(struct saffron_sim_file *file, struct sim_bo *mem,
                uint32_t *handle);

/* Objects. All with the lock held. */
struct uapi_bo *uapi_get_bo(struct saffron_sim_file *file, uint32_t handle);
bool uapi_owns_bo(const struct saffron_sim_file *file,
                  const struct uapi_bo *bo);
void uapi_bo_drop_handle(struct saffron_sim *sim, struct uapi_bo *bo);
/* Frees the object if neither a handle nor a job holds it; while a batch
 * runs, which may still reach it by a stale mapping, only marks it. */
void uapi_bo_collect(struct saffron_sim *sim, struct uapi_bo *bo);
/* Frees what was marked. Nothing may run. */
void uapi_bo_collect_zombies(struct saffron_sim *sim);
/* Makes the object of a handle one that other processes can have; waits for
 * the GPU. 0 and the object, or -errno. */
int uapi_share_bo(struct saffron_sim_file *file, uint32_t handle,
                  struct uapi_bo **bo);
/* The handle of the object behind a descriptor, which the file may have
 * already. */
int uapi_import_bo(struct saffron_sim_file *file, int fd, uint32_t *handle,
                   struct uapi_bo **bo);
/* Whether SET_TILING accepts it. */
bool uapi_tiling_ok(uint32_t tiling, uint32_t stride_B);
/* Gives up the name, if we own it. */
void uapi_flink_drop(struct uapi_bo *bo, bool is_child);
/* Requests of the display, which this device does not have. */
bool uapi_is_mode_setting(unsigned nr);
struct uapi_context *uapi_get_context(struct saffron_sim_file *file,
                                      uint32_t id);
struct uapi_context *uapi_context_create(struct uapi_vm *vm);
void uapi_context_unref(struct uapi_context *ctx);
struct uapi_vm *uapi_vm_create(void);
/* That of a new context: its own, or the one there is. A new reference. */
struct uapi_vm *uapi_vm_for_context(struct saffron_sim *sim);
void uapi_vm_unref(struct uapi_vm *vm);
struct uapi_syncobj *uapi_get_syncobj(struct saffron_sim_file *file,
                                      uint32_t handle);
void uapi_syncobj_unref(struct uapi_syncobj *obj);
/* What execbuf does with syncobjs. value 0: binary. */
int uapi_syncobj_check_wait(struct uapi_syncobj *obj, uint64_t value);
void uapi_syncobj_attach(struct uapi_syncobj *obj, uint64_t value,
                         uint64_t seqno);

/* `arg` is our copy of the caller's structure. */
typedef int (*uapi_handler)(struct saffron_sim_file *file, void *arg);

/* X(request without DRM_IOCTL_, handler without uapi_) */
#define UAPI_HANDLERS(X)                                                     \
   X(VERSION, version)                                                       \
   X(GET_CAP, get_cap)                                                       \
   X(GET_UNIQUE, get_unique)                                                 \
   X(GET_CLIENT, get_client)                                                 \
   X(SET_VERSION, set_version)                                               \
   X(GET_MAGIC, get_magic)                                                   \
   X(AUTH_MAGIC, auth_magic)                                                 \
   X(SET_MASTER, master)                                                     \
   X(DROP_MASTER, master)                                                    \
   X(GEM_FLINK, gem_flink)                                                   \
   X(GEM_OPEN, gem_open)                                                     \
   X(GEM_CLOSE, gem_close)                                                   \
   X(PRIME_HANDLE_TO_FD, prime_export)                                       \
   X(PRIME_FD_TO_HANDLE, prime_import)                                       \
   X(SYNCOBJ_CREATE, syncobj_create)                                         \
   X(SYNCOBJ_DESTROY, syncobj_destroy)                                       \
   X(SYNCOBJ_HANDLE_TO_FD, syncobj_to_fd)                                    \
   X(SYNCOBJ_FD_TO_HANDLE, syncobj_from_fd)                                  \
   X(SYNCOBJ_WAIT, syncobj_wait)                                             \
   X(SYNCOBJ_TIMELINE_WAIT, syncobj_timeline_wait)                           \
   X(SYNCOBJ_RESET, syncobj_reset)                                           \
   X(SYNCOBJ_SIGNAL, syncobj_signal)                                         \
   X(SYNCOBJ_TIMELINE_SIGNAL, syncobj_timeline_signal)                       \
   X(SYNCOBJ_QUERY, syncobj_query)                                           \
   X(SYNCOBJ_TRANSFER, syncobj_transfer)                                     \
   X(I915_GETPARAM, getparam)                                                \
   X(I915_QUERY, query)                                                      \
   X(I915_REG_READ, reg_read)                                                \
   X(I915_GET_RESET_STATS, get_reset_stats)                                  \
   X(I915_PERF_OPEN, no_perf)                                                \
   X(I915_PERF_ADD_CONFIG, no_perf)                                          \
   X(I915_PERF_REMOVE_CONFIG, no_perf)                                       \
   X(I915_GEM_CREATE, gem_create)                                            \
   X(I915_GEM_CREATE_EXT, gem_create_ext)                                    \
   X(I915_GEM_USERPTR, gem_userptr)                                          \
   X(I915_GEM_MMAP, gem_mmap)                                                \
   X(I915_GEM_MMAP_GTT, gem_mmap_offset)                                     \
   X(I915_GEM_PREAD, gem_pread)                                              \
   X(I915_GEM_PWRITE, gem_pwrite)                                            \
   X(I915_GEM_SET_DOMAIN, gem_set_domain)                                    \
   X(I915_GEM_SW_FINISH, gem_sw_finish)                                      \
   X(I915_GEM_WAIT, gem_wait)                                                \
   X(I915_GEM_BUSY, gem_busy)                                                \
   X(I915_GEM_MADVISE, gem_madvise)                                          \
   X(I915_GEM_SET_TILING, gem_set_tiling)                                    \
   X(I915_GEM_GET_TILING, gem_get_tiling)                                    \
   X(I915_GEM_SET_CACHING, gem_set_caching)                                  \
   X(I915_GEM_GET_CACHING, gem_get_caching)                                  \
   X(I915_GEM_GET_APERTURE, gem_get_aperture)                                \
   X(I915_GEM_THROTTLE, gem_throttle)                                        \
   X(I915_GEM_CONTEXT_CREATE_EXT, create_context)                            \
   X(I915_GEM_CONTEXT_DESTROY, context_destroy)                              \
   X(I915_GEM_CONTEXT_GETPARAM, context_getparam)                            \
   X(I915_GEM_CONTEXT_SETPARAM, context_setparam)                            \
   X(I915_GEM_VM_CREATE, create_vm)                                          \
   X(I915_GEM_VM_DESTROY, vm_destroy)                                        \
   X(I915_GEM_EXECBUFFER2_WR, execbuffer2)

/* All are called with the lock held; see UAPI_HANDLERS. */
int uapi_version(struct saffron_sim_file *file, void *arg);
int uapi_get_cap(struct saffron_sim_file *file, void *arg);
int uapi_get_unique(struct saffron_sim_file *file, void *arg);
int uapi_get_client(struct saffron_sim_file *file, void *arg);
int uapi_set_version(struct saffron_sim_file *file, void *arg);
int uapi_get_magic(struct saffron_sim_file *file, void *arg);
int uapi_auth_magic(struct saffron_sim_file *file, void *arg);
int uapi_master(struct saffron_sim_file *file, void *arg);
int uapi_gem_flink(struct saffron_sim_file *file, void *arg);
int uapi_gem_open(struct saffron_sim_file *file, void *arg);
int uapi_gem_close(struct saffron_sim_file *file, void *arg);
int uapi_prime_export(struct saffron_sim_file *file, void *arg);
int uapi_prime_import(struct saffron_sim_file *file, void *arg);
int uapi_syncobj_create(struct saffron_sim_file *file, void *arg);
int uapi_syncobj_destroy(struct saffron_sim_file *file, void *arg);
int uapi_syncobj_to_fd(struct saffron_sim_file *file, void *arg);
int uapi_syncobj_from_fd(struct saffron_sim_file *file, void *arg);
int uapi_syncobj_wait(struct saffron_sim_file *file, void *arg);
int uapi_syncobj_timeline_wait(struct saffron_sim_file *file, void *arg);
int uapi_syncobj_reset(struct saffron_sim_file *file, void *arg);
int uapi_syncobj_signal(struct saffron_sim_file *file, void *arg);
int uapi_syncobj_timeline_signal(struct saffron_sim_file *file, void *arg);
int uapi_syncobj_query(struct saffron_sim_file *file, void *arg);
int uapi_syncobj_transfer(struct saffron_sim_file *file, void *arg);
int uapi_getparam(struct saffron_sim_file *file, void *arg);
int uapi_query(struct saffron_sim_file *file, void *arg);
int uapi_reg_read(struct saffron_sim_file *file, void *arg);
int uapi_get_reset_stats(struct saffron_sim_file *file, void *arg);
int uapi_no_perf(struct saffron_sim_file *file, void *arg);
int uapi_gem_create(struct saffron_sim_file *file, void *arg);
int uapi_gem_create_ext(struct saffron_sim_file *file, void *arg);
int uapi_gem_userptr(struct saffron_sim_file *file, void *arg);
int uapi_gem_mmap(struct saffron_sim_file *file, void *arg);
int uapi_gem_mmap_offset(struct saffron_sim_file *file, void *arg);
int uapi_gem_pread(struct saffron_sim_file *file, void *arg);
int uapi_gem_pwrite(struct saffron_sim_file *file, void *arg);
int uapi_gem_set_domain(struct saffron_sim_file *file, void *arg);
int uapi_gem_sw_finish(struct saffron_sim_file *file, void *arg);
int uapi_gem_wait(struct saffron_sim_file *file, void *arg);
int uapi_gem_busy(struct saffron_sim_file *file, void *arg);
int uapi_gem_madvise(struct saffron_sim_file *file, void *arg);
int uapi_gem_set_tiling(struct saffron_sim_file *file, void *arg);
int uapi_gem_get_tiling(struct saffron_sim_file *file, void *arg);
int uapi_gem_set_caching(struct saffron_sim_file *file, void *arg);
int uapi_gem_get_caching(struct saffron_sim_file *file, void *arg);
int uapi_gem_get_aperture(struct saffron_sim_file *file, void *arg);
int uapi_gem_throttle(struct saffron_sim_file *file, void *arg);
int uapi_create_context(struct saffron_sim_file *file, void *arg);
int uapi_context_destroy(struct saffron_sim_file *file, void *arg);
int uapi_context_getparam(struct saffron_sim_file *file, void *arg);
int uapi_context_setparam(struct saffron_sim_file *file, void *arg);
int uapi_create_vm(struct saffron_sim_file *file, void *arg);
int uapi_vm_destroy(struct saffron_sim_file *file, void *arg);
int uapi_execbuffer2(struct saffron_sim_file *file, void *arg);

#endif
