/* SPDX-License-Identifier: MIT */
/*
 * The simulated GPU, seen as a DRM render node inside this process.
 *
 * A simulator is one GPU with its memory. A file is what open() of its
 * render node gives: handles, contexts and address spaces belong to a file,
 * as they do in the kernel. All functions may be called from any thread;
 * only closing a file or destroying the simulator must not run beside other
 * uses of the same object.
 *
 * Requests, structures and error numbers are those of <drm/drm.h> and
 * <drm/i915_drm.h>. Pointers inside the structures are addresses of this
 * process. Nothing here sets errno: errors are returned as -errno.
 *
 * A file descriptor from PRIME_HANDLE_TO_FD is that of a file in memory. Any
 * simulator of any process that is given it can import it, and mmap() of it
 * shows the contents. What a dma-buf can do and such a file cannot, is in the
 * functions saffron_sim_fd_*: who stands between a program and libc (the
 * shim) calls them.
 */
#ifndef SAFFRON_SIM_H
#define SAFFRON_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct saffron_sim;
struct saffron_sim_file;

/* What the GPU has done since it was created. */
struct saffron_sim_stats {
   uint64_t batches;
   uint64_t commands;
   uint64_t draws;
   uint64_t dispatches; /* compute */
   uint64_t eu_threads;
   uint64_t eu_instructions;
   uint64_t eu_simd8;  /* the same in units of eight channels */
   uint64_t eu_sends;  /* messages */
   uint64_t eu_cycles; /* of all threads, each alone, by the timing model */
   uint64_t resets;
   uint64_t splits; /* of work, so that host threads could share it */
   uint64_t pipe_controls;
   uint64_t dwords; /* of the commands */
};

/*
 * A new GPU of generation `gen`: "skl". The caller owns it and ends it with
 * saffron_sim_destroy(). NULL if the name is unknown, if the host lacks
 * memory or threads, or, after a line on standard error, if the environment
 * asks for strict mode, chaos or a trace in words that there are not.
 */
struct saffron_sim *saffron_sim_create(const char *gen);

/*
 * Waits for the work that is queued, then frees the GPU. All of its files
 * must be closed. NULL is fine.
 */
void saffron_sim_destroy(struct saffron_sim *sim);

/* The name given to saffron_sim_create(); owned by `sim`. */
const char *saffron_sim_gen(const struct saffron_sim *sim);

/* The PCI device id of the GPU, e.g. 0x1912 for "skl". */
uint16_t saffron_sim_pci_id(const struct saffron_sim *sim);

/*
 * Opens the render node. The caller owns the file and closes it with
 * saffron_sim_close(). NULL if the host lacks memory.
 */
struct saffron_sim_file *saffron_sim_open(struct saffron_sim *sim);

/* The same for the primary node, which permits names of objects (GEM_FLINK)
 * and nothing more: there is no display. */
struct saffron_sim_file *saffron_sim_open_primary(struct saffron_sim *sim);

/*
 * Closes the file: its handles, contexts and address spaces go away once
 * the GPU has finished with them. Mappings stay valid until unmapped.
 * NULL is fine.
 */
void saffron_sim_close(struct saffron_sim_file *file);

/*
 * One ioctl. `request` is a DRM_IOCTL_* value, `arg` its structure, read and
 * written as the kernel would. Returns 0, for a few requests a positive
 * result, or -errno. Unlike in libdrm's drmIoctl, -EINTR and -EAGAIN are
 * never returned. -EINVAL, as from the kernel: also a request that this
 * device does not have.
 */
int saffron_sim_ioctl(struct saffron_sim_file *file, unsigned long request,
                      void *arg);

/*
 * Maps `length` bytes of a buffer object; `offset` is what
 * DRM_IOCTL_I915_GEM_MMAP_OFFSET (or _MMAP_GTT) returned, plus a multiple of
 * the page size. prot and flags are those of mmap(); MAP_SHARED is needed,
 * and without MAP_FIXED addr is no hint. All mappings of an
 * object, and the GPU, see the same memory at once. Returns MAP_FAILED and
 * sets *error (may be NULL) to a positive errno value when it cannot.
 * The mapping belongs to the caller; plain munmap() or saffron_sim_munmap()
 * ends it, also after the file was closed.
 */
void *saffron_sim_mmap(struct saffron_sim_file *file, void *addr,
                       size_t length, int prot, int flags, uint64_t offset,
                       int *error);

/* Ends a mapping. Returns 0 or -errno. */
int saffron_sim_munmap(struct saffron_sim_file *file, void *addr,
                       size_t length);

/*
 * ioctl() of a descriptor that a simulator of any process gave out: DMA_BUF_*
 * and SYNC_IOC_*. -ENOTTY: it is none, or does not have this request.
 */
int saffron_sim_fd_ioctl(int fd, unsigned long request, void *arg);

/*
 * The size that lseek() and fstat() shall tell for such a descriptor: the
 * file itself is longer. -1: it is none.
 */
int64_t saffron_sim_fd_size(int fd);

/*
 * Which of the events POLLIN and POLLOUT poll() shall tell for a descriptor
 * of a buffer object; -1: it is none. (That of a fence can be polled.)
 */
int saffron_sim_fd_poll(int fd, int events);

/* Fills *stats. May run beside anything. */
void saffron_sim_get_stats(struct saffron_sim *sim,
                           struct saffron_sim_stats *stats);

/*
 * Puts a mark into the trace of the GPU, if there is one, beside what it does
 * now: "present" where a frame ends. May run beside anything.
 */
void saffron_sim_mark(struct saffron_sim *sim, const char *text);

/*
 * Reports (faults, hangs, resets) are lines of text. They go to stderr until
 * another sink is set; NULL restores stderr. `report` may be called from a
 * thread of the simulator and must not call back into it.
 */
void saffron_sim_set_report(struct saffron_sim *sim,
                            void (*report)(void *data, const char *line),
                            void *data);

/*
 * Makes all simulators that this library creates from now on wrong in one
 * place ("alu:add:f"; src/intel/sim/deviate/deviate.h lists the kinds), for
 * tests of what has to find it. False: there is no such place. Builds without
 * assertions do not have it.
 */
bool saffron_sim_deviate(const char *text);

#ifdef __cplusplus
}
#endif

#endif
