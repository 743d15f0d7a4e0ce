/* SPDX-License-Identifier: MIT */
/* Buffer objects and their addresses. */
#ifndef SAF_BO_H
#define SAF_BO_H

#include "saf_base.h"
#include "saf_reloc.h"

struct saf_bo {
   uint32_t handle;
   uint32_t exec_index; /* in saf_device.exec_objects */
   uint64_t size_B;
   uint64_t addr;
   void *map; /* NULL until saf_bo_map() */
   bool map_is_foreign;
   bool has_addresses; /* an entry of saf_device.addresses */
   bool is_reported;   /* as the device's */
   uint64_t id;        /* for reports; no two have had the same */
   const char *name;
   uint32_t references; /* one, and one for each import of it */
   /* On devices that relocate: where the kernel has had it last, the places
    * in it that hold addresses, and how many hold its own. */
   uint64_t offset;
   struct saf_relocs relocs;
   uint32_t pointers;
};

/* A new, zeroed object with an address. It is resident in every submission
 * from now on. `at`: a fixed address, or 0 for one from the general heap. */
VkResult saf_bo_create(struct saf_device *device, const char *name,
                       uint64_t size_B, uint64_t at, struct saf_bo **out);

/* The same below 4 GiB, for scratch: threads find theirs by the 32-bit
 * pointer in r0.5 (PRM SKL Vol. 7, "Thread Payload Register Header"), which
 * is relative to the general state base, 0 here. */
VkResult saf_bo_create_low(struct saf_device *device, const char *name,
                           uint64_t size_B, struct saf_bo **out);

/* What a job was told, as batches, states and shaders: if the job hangs,
 * the kernel's error state has it. */
void saf_bo_capture(struct saf_device *device, const struct saf_bo *bo);

/* What the application allocates, which it reports itself. `replayed`: at an
 * address that nothing else gets, `at`, or any if that is 0. */
VkResult saf_bo_create_memory(struct saf_device *device, uint64_t size_B,
                              bool replayed, uint64_t at,
                              struct saf_bo **out);

/* One that is the application's memory, of whole pages, which stays there.
 * VK_ERROR_INVALID_EXTERNAL_HANDLE: the kernel does not take it. */
VkResult saf_bo_of_host(struct saf_device *device, void *memory,
                        uint64_t size_B, struct saf_bo **out);

/* The object behind a dma-buf, which stays the caller's. What this device
 * made itself, or has imported before, is the same object once more.
 * VK_ERROR_INVALID_EXTERNAL_HANDLE: the kernel takes it for none. */
VkResult saf_bo_import(struct saf_device *device, int fd,
                       struct saf_bo **out);

/* A new dma-buf of it, the caller's. From now on the kernel orders its users
 * among all processes. */
VkResult saf_bo_export(struct saf_device *device, struct saf_bo *bo, int *fd);

/* Gives up what one of these gave; the last one ends it. */
void saf_bo_destroy(struct saf_device *device, struct saf_bo *bo);

/* Ends saf_device.submitting. Caller holds bo_mutex. */
void saf_bo_submitted(struct saf_device *device);

/* The whole object, mapped for as long as it lives; NULL on failure. */
void *saf_bo_map(struct saf_device *device, struct saf_bo *bo);

#endif
