/* SPDX-License-Identifier: MIT */
/* Places in GPU memory that hold addresses, for kernels that move objects. */
#ifndef SAF_RELOC_H
#define SAF_RELOC_H

#include "util/dynarray.h"
#include "saf_base.h"
#include "util/macros.h"

struct saf_bo;
struct saf_device;

/* What of an object's memory holds addresses. */
struct saf_relocs {
   struct util_dynarray entries; /* drm_i915_gem_relocation_entry */
   struct util_dynarray targets; /* struct saf_bo *, same order */
   /* Of the states' object alone, of each dword: 1 + the number of its entry;
    * 0: none. */
   uint32_t *at;
};

/*
 * The dwords `places` (uint32_t) of a batch have addresses of ours, maybe
 * with other bits below them: from now on they say where the kernel has the
 * objects. What is no address of an object stays as it is. Once a recording.
 * False: no memory, and all is as it was.
 */
bool saf_reloc_note_batch(struct saf_device *device, struct saf_bo *bo,
                          const struct util_dynarray *places) MUST_CHECK;

/* Dword `index` of the table of addresses (saf_device.addresses) says where
 * `target` is, from now on. False: no memory. */
bool saf_reloc_note_address(struct saf_device *device, uint32_t index,
                            struct saf_bo *target) MUST_CHECK;

/* For surface states in the device's `states`, once. False: no memory. */
bool saf_reloc_init_states(struct saf_device *device) MUST_CHECK;

/* Room for what surface states in `states_B` bytes of the pool, in all, may
 * say. False: no memory. */
bool saf_reloc_reserve_surfaces(struct saf_device *device,
                                uint64_t states_B) MUST_CHECK;

/* A surface state in the pool: RENDER_SURFACE_STATE of Gen7. */
void saf_reloc_note_surface(struct saf_device *device, void *state);

/* There are no addresses any more in a batch; in that part of `states`. */
void saf_reloc_unregister(struct saf_device *device, struct saf_bo *bo);
void saf_reloc_unregister_states(struct saf_device *device, uint64_t offset_B,
                                 uint64_t size_B);

/* An object comes into being, or goes, with what points to it. Caller holds
 * bo_mutex. */
void saf_reloc_add_bo(struct saf_device *device, struct saf_bo *bo);
void saf_reloc_remove_bo(struct saf_device *device, struct saf_bo *bo);

#endif
