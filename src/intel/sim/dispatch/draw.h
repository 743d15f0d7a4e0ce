/* SPDX-License-Identifier: MIT */
/*
 * What every shader stage of a draw needs: its environment, its program, its
 * push constants. One place for all dispatchers.
 */
#ifndef SIM_DRAW_H
#define SIM_DRAW_H

#include "intel/sim/gpu/gpu.h"
#include "intel/sim/gpu/render_state.h"
#include "intel/sim/eu/eu.h"
#include "intel/sim/trace/trace_format.h"

/* Fills in what is the same for all stages: generation, state bases, URB,
 * sampler. Zeroes the rest. */
void sim_draw_init_env(struct sim_draw *draw, struct sim_eu_env *env);

/* What a stage's threads find in cr0.0, from its state. */
static inline uint32_t
sim_draw_cr0(bool alternate_floats, unsigned rounding_mode,
             bool single_program_flow)
{
   return (alternate_floats ? SIM_CR0_FLOAT_ALT : 0) |
          rounding_mode << SIM_CR0_ROUND_SHIFT |
          (single_program_flow ? SIM_CR0_SINGLE_PROGRAM_FLOW : 0);
}

/* The program at an absolute address; NULL with *fault filled in. */
const struct sim_eu_program *sim_draw_program(struct sim_draw *draw,
                                              uint64_t address,
                                              struct sim_eu_fault *fault);

/*
 * Gathers the buffers of a 3DSTATE_CONSTANT_* packet, in order, as a thread
 * gets them. `out` has room for SIM_GRF_COUNT registers; *num_grf is how many
 * were filled. False: the draw has faulted.
 */
bool sim_draw_push_constants(struct sim_draw *draw,
                             const struct GEN9_3DSTATE_CONSTANT_BODY *body,
                             uint8_t *out, unsigned *num_grf);

/* Reads a state that a pointer relative to the dynamic state base names.
 * False: the draw has faulted, with `what` in the report. */
bool sim_draw_read_dynamic(struct sim_draw *draw, uint64_t offset, void *dw,
                           unsigned size_B, const char *what);

/*
 * Restarts the watchdog: what calls this has done a bounded piece of work.
 * Faults when all pieces together take too long; whether the draw may go on.
 */
bool sim_draw_progress(struct sim_draw *draw);

/*
 * Looking into threads (intel/sim/trace). The stage of an environment, by its
 * name ("vs"), and what is called for its instructions; what a thread with
 * its payload works on, by channel, if somebody looks; that it has ended.
 */
void sim_draw_set_stage(struct sim_draw *draw, struct sim_eu_env *env,
                        const char *stage);
/* Whether its threads are asked for, so that each has to run. */
bool sim_draw_records_threads(const struct sim_draw *draw);
static inline bool
sim_draw_is_traced(const struct sim_draw *draw)
{
   return __builtin_expect(draw->gpu->trace != NULL, 0) &&
          sim_draw_records_threads(draw);
}
void sim_draw_trace_thread(struct sim_draw *draw, struct sim_eu_thread *t,
                           const struct sim_eu_program *program,
                           unsigned lanes_per_item,
                           const struct trace_item *items,
                           unsigned num_items);
void sim_draw_end_thread(struct sim_draw *draw, struct sim_eu_thread *t,
                         const struct sim_eu_program *program);
/* As many threads, none of which anybody looks at, did what `stats` says. */
void sim_draw_count_threads(struct sim_draw *draw, enum trace_stage stage,
                            const struct sim_eu_program *program,
                            const struct sim_eu_stats *stats,
                            unsigned threads);

/*
 * Part of a draw's work that another host thread does, with an accessor and
 * counters of its own. The work is a number of items, each with a place in
 * the order of all: sim_draw_part_begin() for each host thread, then
 * sim_draw_part_item() before each item and, if it has faulted,
 * sim_draw_part_note() after it, then sim_draw_parts_end() for all. The fault
 * that comes first in the order becomes that of the draw.
 */
struct sim_draw_part {
   struct sim_draw draw;
   struct sim_mem mem;
   struct sim_counters counters;
   struct sim_held_fault fault, first_fault;
   uint64_t first_fault_at; /* UINT64_MAX: none */
};

void sim_draw_part_begin(struct sim_draw_part *p,
                         const struct sim_draw *draw);
static inline void
sim_draw_part_item(struct sim_draw_part *p)
{
   p->draw.faulted = false;
   p->mem.fault.pending = false;
}
void sim_draw_part_note(struct sim_draw_part *p, uint64_t place);
/* `parts` lie `stride_B` bytes apart. Counters of stages are not added. The
 * place of the fault, or UINT64_MAX. */
uint64_t sim_draw_parts_end(struct sim_draw *draw,
                            const struct sim_draw_part *parts, unsigned n,
                            size_t stride_B);

/* Adds what the draw's threads have executed to the GPU's counters. */
void sim_draw_add_totals(struct sim_draw *draw);

/*
 * Runs `t` from the start of `program` to its end; a fault, a thread that
 * waits for nobody, or one that outlives the batch's time becomes a fault of
 * the draw, with `stage` ("vertex shader") in the report. Whether it ended
 * well.
 */
bool sim_draw_run_thread(struct sim_draw *draw, struct sim_eu_thread *t,
                         const struct sim_eu_program *program,
                         const char *stage);

#endif
