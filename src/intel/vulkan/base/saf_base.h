/* SPDX-License-Identifier: MIT */
/*
 * What all of the driver uses: limits, handles, memory of the host.
 *
 * Units: an address is a GPU virtual address (pinned, or to be relocated:
 * saf_reloc.h), an offset is relative to what its comment says, sizes end in
 * _B.
 */
#ifndef SAF_BASE_H
#define SAF_BASE_H

/* First: it asks vulkan.h for the platform that we have. */
#include "saf_entrypoints.h"
#include "saf_base.h"
#include <vulkan/vk_icd.h>

#include "util/macros.h"

#define SAF_MAX_SETS 32
#define SAF_UNIFORM_ALIGN_B 16 /* ranges of uniform buffers end there */
#define SAF_MAX_RTS 8
#define SAF_MAX_VIEWPORTS 16
#define SAF_MAX_SAMPLES 16
#define SAF_MAX_VERTEX_BINDINGS 31
#define SAF_MAX_VIEWS 32 /* bits of a mask */
/* With two elements of numbers of vertex and draw, 112 registers: all push
 * constants and two for the thread fit beside them, and a few are left. */
#define SAF_MAX_VERTEX_ATTRIBS 26
#define SAF_MAX_PUSH_CONSTANTS_B 256
#define SAF_MAX_BUFFER_RANGE_B (1u << 27)
#define SAF_MAX_PUSH_DESCRIPTORS 32
#define SAF_MAX_INLINE_BLOCK_B 4096
#define SAF_MAX_XFB_BUFFERS 4
#define SAF_MAX_XFB_STREAMS 4
#define SAF_MAX_DYNAMIC_BUFFERS 16
#define SAF_MAX_BINDING_TABLE 240
#define SAF_MAX_SAMPLERS 32
#define SAF_MAX_BINDLESS (1u << 19) /* records of a set */
#define SAF_MAX_QUERY_POOL_SLOTS (1u << 20)

/* Push constants are read from uniform buffers without a bounds check, up
 * to 64 registers: memory goes on for that long after each allocation. */
#define SAF_PUSH_OVERREAD_B 2048

/* ---- handles ---- */

#define SAF_DISPATCHABLE(type, Vk)                                           \
   static inline struct type *type##_from_handle(Vk h)                       \
   {                                                                         \
      return (struct type *)h;                                               \
   }                                                                         \
   static inline Vk type##_to_handle(struct type *p)                         \
   {                                                                         \
      return (Vk)p;                                                          \
   }

#define SAF_NONDISPATCHABLE(type, Vk)                                        \
   static inline struct type *type##_from_handle(Vk h)                       \
   {                                                                         \
      return (struct type *)(uintptr_t)h;                                    \
   }                                                                         \
   static inline Vk type##_to_handle(struct type *p)                         \
   {                                                                         \
      return (Vk)(uintptr_t)p;                                               \
   }

#define SAF_FROM_HANDLE(type, name, handle)                                  \
   struct type *name = type##_from_handle(handle)

/* Walks a pNext chain. */
#define saf_foreach_struct(s, first)                                         \
   for (const VkBaseInStructure *s = (const VkBaseInStructure *)(first); s;  \
        s = s->pNext)
#define saf_foreach_out_struct(s, first)                                     \
   for (VkBaseOutStructure *s = (VkBaseOutStructure *)(first); s;            \
        s = s->pNext)

/* The first structure of a type in a chain, or NULL. */
const void *saf_find_struct(const void *first, VkStructureType type);

/* ---- host memory ---- */

/* Zeroed memory from the application's allocator (NULL: malloc), or NULL. */
void *saf_alloc(const VkAllocationCallbacks *alloc, size_t size_B);
/* The same with whatever is in it. */
void *saf_alloc_space(const VkAllocationCallbacks *alloc, size_t size_B);

void saf_free(const VkAllocationCallbacks *alloc, void *p);

/* Of what an application has hung on an object, which ends: saf_free() says
 * so. */
void saf_private_data_release(const void *object);
/* The same of its name (cmd/saf_labels.c). */
void saf_name_release(const void *object);

/* Two-call enumerations: VK_INCOMPLETE if not all `n` items fit. */
VkResult saf_enumerate(uint32_t *count, void *out, const void *items,
                       uint32_t n, size_t item_size_B);

/* CLOCK_MONOTONIC */
uint64_t saf_now_ns(void);

/* Prints what went wrong on stderr, if INTEL_DEBUG or the error asks for it,
 * and returns `result`. */
VkResult saf_error(VkResult result, const char *fmt, ...) PRINTFLIKE(2, 3);

#endif
