/* SPDX-License-Identifier: MIT */
/* Compute: thread groups of a GPGPU_WALKER. */
#ifndef SIM_GPGPU_H
#define SIM_GPGPU_H

#include "intel/sim/gpu/render_state.h"
#include "intel/sim/gen/traits.h"

/* What a walker needs beside the state of the context. */
struct sim_dispatch {
   struct GEN9_GPGPU_WALKER walker; /* dimensions filled in if indirect */
   struct GEN9_INTERFACE_DESCRIPTOR_DATA descriptor;
   const uint8_t *curbe; /* as MEDIA_CURBE_LOAD left it */
   uint32_t curbe_size_B;
   /* Of the walker itself, which then has nothing of CURBE; NULL if it has
    * none. The caller frees it. */
   uint8_t *indirect;
   uint32_t indirect_size_B;
};

/* MEDIA_VFE_STATE, "Per Thread Scratch Space", in bytes. */
uint32_t sim_gpgpu_scratch_B(const struct sim_traits *traits, uint32_t code);

/* Runs all thread groups, one after the other. `draw` is for state, memory,
 * programs and faults; its vertex parameters are not used. */
void sim_gpgpu_dispatch(struct sim_draw *draw, const struct sim_dispatch *d);

#endif
