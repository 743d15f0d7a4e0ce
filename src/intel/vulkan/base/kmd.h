/* SPDX-License-Identifier: MIT */
/*
 * The kernel, as the driver sees it: i915 requests on one open render node.
 *
 * The node is a real one, reached through libdrm, or the simulated device in
 * this process (include/saffron/sim.h). Nothing above this file knows which.
 */
#ifndef SAF_KMD_H
#define SAF_KMD_H

#include "util/macros.h"
#include "saf_base.h"

struct kmd;

/*
 * Opens the device that SAFFRON_DEVICE names: "sim:GEN" for the simulated
 * GPU of that generation, or the path of a render node; NULL, with a message
 * on stderr, if it cannot be opened. Unset means the first render node of the
 * i915 driver, or NULL if there is none: the simulated GPU appears to who
 * asks for it. Several simultaneous opens of one simulated GPU share it, as
 * files of one device.
 */
struct kmd *kmd_open(void);

/* NULL is fine. */
void kmd_close(struct kmd *kmd);

/* What the device has reported since it was opened (faults, hangs): copies
 * line `i`; false: there is none. Only the simulated GPU tells. */
bool kmd_report(struct kmd *kmd, unsigned i, char *out, size_t size_B);

/* 0, or -errno. Interrupted requests are repeated. */
int kmd_ioctl(struct kmd *kmd, unsigned long request, void *arg);

/* `offset` is that of GEM_MMAP_OFFSET. NULL on failure. */
void *kmd_mmap(struct kmd *kmd, size_t size_B, uint64_t offset);

void kmd_munmap(struct kmd *kmd, void *map, size_t size_B);

/* Bytes of the object behind a dma-buf of this device; -1: it is none. */
int64_t kmd_dma_buf_size_B(struct kmd *kmd, int fd);

/* A mark in the trace of a simulated GPU, where a frame ends. */
void kmd_mark(struct kmd *kmd, const char *text);

/* I915_GETPARAM; `fallback` where the kernel does not know it. */
int kmd_getparam(struct kmd *kmd, int param, int fallback);

/* Where the device is among others. */
struct kmd_place {
   bool has_primary, has_render; /* nodes, and their numbers */
   uint32_t primary_major, primary_minor, render_major, render_minor;
   uint32_t domain, bus, device, function; /* PCI */
};

struct kmd_place kmd_place(const struct kmd *kmd);

/* "sim:skl", or the path of the node. */
const char *kmd_name(const struct kmd *kmd);

#endif
