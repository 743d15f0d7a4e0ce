/* SPDX-License-Identifier: MIT */
/*
 * Looking into a GPU that runs: the trace file (trace_format.h) and counters
 * for each shader. Both are NULL in struct sim_gpu when nobody wants them,
 * and then cost a test for that by command and by thread.
 *
 *   filter.c   SAFFRON_SIM_TRACE_FILTER
 *   trace.c    the file: batches, commands, draws, programs
 *   thread.c   a thread's record: registers by instruction
 *   shaders.c  counters by shader
 *   memory.c   what batches are run on, for recordings
 *   profile.c  what each instruction costs, by draw
 *   pause.c    SAFFRON_SIM_PAUSE: waiting at the end of a frame
 *   states.c   SAFFRON_SIM_STATES: hashes of what draws are made with
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "intel/sim/trace/trace_format.h"

struct isa_inst;
struct sim_eu_program;
struct sim_eu_stats;
struct sim_eu_thread;
struct sim_gpu;
struct sim_shaders;
struct sim_trace;

/* Filter ----------------------------------------------------------------- */

struct sim_trace_filter {
   uint32_t stages; /* bit TRACE_VS ... */
   uint32_t first_draw, last_draw;
   bool has_pixel;
   int x, y;
   bool has_number;
   uint32_t number; /* of the thread in its draw */
   uint64_t max_threads;
   uint64_t max_size_B; /* of the file; then no more threads go to it */
   bool no_commands;
   bool memory;          /* what batches are run on: a recording */
   bool profile;         /* threads are counted, not recorded */
   uint32_t pictures_px; /* of targets after each draw; 0: none */
};

/*
 * Words with commas between them: stages (none: all), draw=N, draw=N-M,
 * pixel=X:Y (of fs; other stages are not affected), thread=N (its number in
 * the draw), threads=N (no more than so many), size=MiB,
 * nocommands, memory, profile (sums by instruction in place of threads),
 * pictures=PIXELS (of the longer side). NULL is the empty filter. False: *at
 * is the position of the first character that is wrong, *what says what was
 * expected.
 */
bool sim_trace_filter_parse(const char *text, struct sim_trace_filter *filter,
                            unsigned *at, const char **what);

/* The stage of a name, TRACE_NUM_STAGES if there is none. */
enum trace_stage sim_trace_stage(const char *name, size_t length);

/* File ------------------------------------------------------------------- */

/*
 * A trace to the file `name`, which is made when there is something to
 * write; if there is such a file, NAME.2 and so on. NULL after a message on
 * standard error.
 */
struct sim_trace *sim_trace_create(const char *name, const char *filter,
                                   unsigned verx10);
/* Ends the file with the counters of `shaders` (NULL: none); what comes
 * later is dropped. May run beside anything, and again. */
void sim_trace_finish(struct sim_trace *t, struct sim_shaders *shaders);
void sim_trace_destroy(struct sim_trace *t);
/* Hands everything so far to the kernel. */
void sim_trace_flush(struct sim_trace *t);

void sim_trace_batch(struct sim_trace *t, uint64_t address, uint32_t engine);
void sim_trace_batch_end(struct sim_trace *t);
void sim_trace_command(struct sim_trace *t, uint64_t address,
                       const uint32_t *dw, unsigned n);
void sim_trace_draw(struct sim_trace *t, const struct trace_draw *draw);
void sim_trace_draw_end(struct sim_trace *t, const struct trace_draw_end *e);
void sim_trace_report(struct sim_trace *t, const char *line);
void sim_trace_mark(struct sim_trace *t, const char *line);

/* The end of a frame: waits there as long as the file that SAFFRON_SIM_PAUSE
 * names asks for (pause.c). */
void sim_pause_at_frame(struct sim_trace *t);

/* What comes is a part of a recording: numbers of its first batch, draw. */
void sim_trace_start_at(struct sim_trace *t, uint32_t batch, uint32_t draw);

/* Whether threads may be admitted: else nobody need be asked. */
bool sim_trace_has_threads(const struct sim_trace *t);

/* Whether a pixel of the current draw is looked at, and which. */
bool sim_trace_looks_at(const struct sim_trace *t, int *x, int *y);
/* Fills in the draw's number. */
void sim_trace_pixel(struct sim_trace *t, struct trace_pixel *p);

/* The longer side of pictures of the current draw's targets; 0: none. */
uint32_t sim_trace_pictures_px(const struct sim_trace *t);
/* `rgba` has 4 bytes for each pixel. */
void sim_trace_picture(struct sim_trace *t, struct trace_picture *p,
                       const uint8_t *rgba);

/* Memory ----------------------------------------------------------------- */

/* What a batch is run on; `key` is the same for the same object. */
struct sim_trace_object {
   const void *key;
   const uint8_t *bytes;
   uint64_t size_B;
   uint64_t address;
   /* Whole pages of shared memory that begin as zeros: those that nobody has
    * touched need not be looked at. */
   bool is_sparse;
};

bool sim_trace_has_memory(const struct sim_trace *t);
/* The first two objects are the context image and its constants. */
void sim_trace_job(struct sim_trace *t,
                   const struct sim_trace_object *objects, unsigned n,
                   bool reset_so);

/* Threads ---------------------------------------------------------------- */

/*
 * Records the thread, whose payload is there and whose environment has
 * sim_trace_step(), if the filter lets it through. It must end with
 * sim_trace_end_thread(), however it ends.
 */
void sim_trace_thread(struct sim_trace *t, struct sim_eu_thread *thread,
                      const struct sim_eu_program *program,
                      enum trace_stage stage, unsigned lanes_per_item,
                      const struct trace_item *items, unsigned num_items);
void sim_trace_end_thread(struct sim_trace *t, struct sim_eu_thread *thread);

/* The number of the thread; ~0: it is not recorded. */
uint32_t sim_trace_thread_number(const struct sim_eu_thread *thread);
/* The number of the instruction that it executes; ~0 likewise. */
uint32_t sim_trace_thread_step(const struct sim_eu_thread *thread);

/* For sim_eu_env::trace. */
void sim_trace_step(struct sim_eu_thread *thread, const struct isa_inst *inst,
                    bool after);

/* Counters --------------------------------------------------------------- */

struct sim_shaders *sim_shaders_create(void);
void sim_shaders_destroy(struct sim_shaders *s);
void sim_shaders_add(struct sim_shaders *s,
                     const struct sim_eu_program *program,
                     enum trace_stage stage, const struct sim_eu_stats *stats,
                     unsigned threads);

/* All shaders in the order in which they first ran; free() them. NULL and
 * *n = 0 if there are none. */
struct trace_shader *sim_shaders_get(struct sim_shaders *s, unsigned *n);

/* Between trace.c and the others ----------------------------------------- */

void sim_trace_lock(struct sim_trace *t);
void sim_trace_unlock(struct sim_trace *t);
/* With the lock: the head of a payload and the rest. */
void sim_trace_write(struct sim_trace *t, enum trace_type type,
                     const void *head, size_t head_B, const void *rest,
                     size_t rest_B);
/* With the lock: the program, if it is not in the file. */
void sim_trace_write_program(struct sim_trace *t,
                             const struct sim_eu_program *program);
bool sim_trace_has_profile(const struct sim_trace *t);

/* profile.c: what a thread of a program has cost so far, and all of them. */
struct sim_profile;
struct sim_thread_costs;
struct sim_thread_costs *
sim_thread_costs_create(const struct sim_eu_program *program,
                        enum trace_stage stage);
void sim_thread_costs_step(struct sim_thread_costs *c,
                           const struct sim_eu_thread *thread);
/* Adds them to the draw's, with the lock, and frees them. */
void sim_thread_costs_end(struct sim_thread_costs *c, struct sim_trace *t,
                          uint64_t cycles);
struct sim_profile **sim_trace_profile(struct sim_trace *t);
/* With the lock: writes the draw's profile, and begins a new one. */
void sim_profile_write(struct sim_trace *t, uint32_t draw);
void sim_profile_destroy(struct sim_profile *p);

/* What memory.c keeps; NULL until it is there. */
struct sim_trace_memory;
struct sim_trace_memory **sim_trace_memory(struct sim_trace *t);
void sim_trace_memory_destroy(struct sim_trace_memory *m);

/* Counts a thread of the draw; its numbers, and whether it may be recorded
 * for what it is. */
bool sim_trace_admit(struct sim_trace *t, enum trace_stage stage,
                     const struct trace_item *items, unsigned num_items,
                     uint32_t *draw, uint32_t *number);
/* Writes what trace_thread.program needs, if it is not there, and the
 * thread. */
void sim_trace_write_thread(struct sim_trace *t,
                            const struct sim_eu_program *program,
                            const void *payload, size_t size_B);

#endif
