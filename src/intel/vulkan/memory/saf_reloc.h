/* SPDX-License-Identifier: MIT */
/* Places in GPU memory that hold addresses, for kernels that move objects. */
#ifndef SAF_RELOC_H
#define SAF_RELOC_H

#include "util/dynarray.h"
#include "util/macros.h"

struct saf_bo;
struct saf_device;

/* What of an object's memory holds addresses. */
struct saf_relocs {
   struct util_dynarray entries; /* drm_i915_gem_relocation_entry */
   struct util_dynarray targets; /* struct saf_bo *, same order */
   uint32_t *at; /* of each dword: 1 + the number of its entry; 0: none */
};

/*
 * The dwords of `dw`, in the mapping of `bo`, that `mask` names were given
 * addresses of ours, maybe with other bits below them: from now on they say
 * where the kernel has the objects. What is no address of an object stays as
 * it is. Out of memory is noted in the device, and ends the next submission.
 */
void saf_reloc_note_dwords(struct saf_device *device, struct saf_bo *bo,
                           uint32_t *dw, uint64_t mask);

/* A surface state in a pool: RENDER_SURFACE_STATE of Gen7. */
void saf_reloc_note_surface(struct saf_device *device, void *state);

/* There are no addresses any more in that part of the object. */
void saf_reloc_forget(struct saf_device *device, struct saf_bo *bo,
                      uint64_t offset_B, uint64_t size_B);

/* The beginning of `to` is a copy of `from`. */
void saf_reloc_copy(struct saf_device *device, struct saf_bo *to,
                    const struct saf_bo *from);

/* An object comes into being, or goes, with what points to it. Caller holds
 * bo_mutex. */
void saf_reloc_add_bo(struct saf_device *device, struct saf_bo *bo);
void saf_reloc_remove_bo(struct saf_device *device, struct saf_bo *bo);

#endif
