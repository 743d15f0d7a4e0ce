/* SPDX-License-Identifier: MIT */
/* The command streamer, as those who have batches to run see it. */
#ifndef SIM_CS_H
#define SIM_CS_H

#include "intel/sim/gpu/gpu.h"

struct sim_hw_context;
struct sim_vm;

enum sim_engine {
   SIM_ENGINE_RENDER,
   SIM_ENGINE_COPY,
};

/* The state that the hardware saves for a context: registers, 3D state.
 * NULL when the host has no memory. */
struct sim_hw_context *sim_hw_context_create(struct sim_gpu *gpu);
void sim_hw_context_destroy(struct sim_hw_context *hw);

/* Zeroes the stream-output write offsets (I915_EXEC_GEN7_SOL_RESET). */
void sim_hw_context_reset_so_offsets(struct sim_hw_context *hw);

/*
 * Runs the batch at `address` to its end in the calling thread. False after
 * a fault or a hang, which was reported.
 */
bool sim_cs_execute(struct sim_gpu *gpu, struct sim_hw_context *hw,
                    const struct sim_vm *vm, enum sim_engine engine,
                    uint64_t address);

#endif
