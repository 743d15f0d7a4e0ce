/* SPDX-License-Identifier: MIT */
/*
 * State that the pipe reads from memory, of any generation in the shape of
 * Gen9's.
 */
#ifndef SIM_MEMORY_STATE_H
#define SIM_MEMORY_STATE_H

#include "intel/genxml/gen9_pack.h"
#include "intel/sim/gen/traits.h"

/* Where the entry of a render target is, from the start of BLEND_STATE. */
static inline uint64_t
sim_blend_entry_offset_B(unsigned verx10, unsigned target)
{
   return sim_traits(verx10)->blend_common_B + 8ull * target;
}

/* The common part of BLEND_STATE; on Gen7, what the first entry says of it.
 * Two dwords are read. */
void sim_unpack_blend_state(unsigned verx10, const uint32_t dw[2],
                            struct GEN9_BLEND_STATE *s);

void sim_unpack_blend_entry(unsigned verx10, const uint32_t dw[2],
                            struct GEN9_BLEND_STATE_ENTRY *e);

/* Gen7 has no extents: they are as large as can be. */
void sim_unpack_sf_clip_viewport(unsigned verx10, const uint32_t dw[16],
                                 struct GEN9_SF_CLIP_VIEWPORT *v);

#endif
