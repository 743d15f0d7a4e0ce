/* SPDX-License-Identifier: MIT */
/*
 * A trace file in memory: checked from end to end when it is opened, so that
 * what uses it need not check again.
 */
#ifndef INTEL_TOOLS_TRACE_FILE_H
#define INTEL_TOOLS_TRACE_FILE_H

#include "intel/isa/isa.h"
#include "intel/sim/trace/trace_format.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

struct trace_file_program {
   uint64_t hash;
   const uint8_t *bytes;
   uint32_t size_B;
};

struct trace_file_thread {
   struct trace_thread head;
   const struct trace_file_program *program;
   const uint8_t *items, *initial;
   const uint8_t *steps, *end;
};

struct trace_file_draw {
   struct trace_draw head;
   struct trace_draw_end end;
   bool has_end;
   uint32_t number, batch;             /* as in the recording */
   uint32_t first_thread, num_threads; /* in trace_file::threads */
};

/* What changes before a batch in an object of a recording. */
struct trace_file_memory {
   struct trace_memory head;
   const uint8_t *pages, *end;
};

/* A batch of a recording that can be run again. */
struct trace_file_job {
   struct trace_job head;
   const uint8_t *places;
   uint32_t end_memory; /* changes before it, in trace_file::memory */
   uint32_t first_draw; /* a number */
   uint32_t engine;
   uint64_t address;
};

struct trace_file_profile {
   struct trace_profile head;
   const struct trace_file_program *program;
   const uint8_t *costs; /* trace_cost[head.num_costs] */
};

struct trace_file_picture {
   struct trace_picture head;
   const uint8_t *rgba;
};

/* What stands in the file, in its order: for listings. */
struct trace_file_event {
   enum trace_type type; /* BATCH, COMMAND, DRAW, REPORT or MARK */
   const uint8_t *payload;
   uint32_t size_B;
   uint32_t number; /* of the batch or the draw; of a mark: batches so far */
};

struct trace_file {
   struct util_dynarray bytes;
   struct trace_header head;
   enum isa_gen gen;
   struct util_dynarray events;   /* struct trace_file_event */
   struct util_dynarray draws;    /* struct trace_file_draw */
   struct util_dynarray threads;  /* struct trace_file_thread, by draw */
   struct util_dynarray shaders;  /* struct trace_shader */
   struct hash_table programs;    /* struct trace_file_program, by hash */
   struct util_dynarray memory;   /* struct trace_file_memory */
   struct util_dynarray jobs;     /* struct trace_file_job: one a batch */
   struct util_dynarray objects;  /* uint64_t: their sizes */
   struct util_dynarray pixels;   /* struct trace_pixel */
   struct util_dynarray pictures; /* struct trace_file_picture */
   struct util_dynarray profiles; /* struct trace_file_profile */
   unsigned num_batches, num_commands;
};

struct trace_cost trace_file_cost(const struct trace_file_profile *p,
                                  uint32_t i);

/* The draw of a number, as in the recording; NULL: it is not here. */
const struct trace_file_draw *trace_file_find_draw(const struct trace_file *t,
                                                   uint32_t number);
/* Whether it has what its batches were run on. */
static inline bool
trace_file_is_recording(const struct trace_file *t)
{
   return t->jobs.size_B > 0;
}

struct trace_file_error {
   size_t at_B; /* where in the file the bad record, or part of it, begins */
   bool cut;    /* all is well up to there, where the file ends too soon */
   char text[128];
};

/*
 * Reads the file's bytes, which are in `t`. False: at *error something is
 * wrong; what comes before can be used. Needs trace_file_close() anyway.
 */
bool trace_file_parse(struct trace_file *t, struct trace_file_error *error);
void trace_file_close(struct trace_file *t);

struct trace_item trace_file_item(const struct trace_file_thread *thread,
                                  unsigned i);

/* A step and its changes: the place of the next step. */
const uint8_t *trace_file_step(const uint8_t *at, struct trace_step *step,
                               const uint8_t **changes);

/* Reads a change, and makes it to `registers` unless that is NULL; the place
 * of the next one. */
const uint8_t *
trace_file_change(const uint8_t *at, struct trace_change *change,
                  uint32_t registers[TRACE_NUM_REGISTERS][TRACE_REGISTER_DW]);

#endif
