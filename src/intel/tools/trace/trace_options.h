/* SPDX-License-Identifier: MIT */
/* What saffron-trace is asked for. */
#ifndef INTEL_TOOLS_TRACE_OPTIONS_H
#define INTEL_TOOLS_TRACE_OPTIONS_H

#include "trace_file.h"
#include "trace_notes.h"
#include "trace_replay.h"

struct trace_options {
   const char *file;
   bool commands, full, threads, step, stats, partial, json;
   bool has_draw, has_pixel, has_vertex, has_primitive, has_group;
   bool has_thread, has_stage, has_history, has_batches, has_steps;
   bool has_registers;
   uint32_t draw, thread;
   int pixel[2], vertex, primitive, group[3];
   unsigned stage;
   uint32_t batches[2], steps[2], pictures_px;
   const char *shaders, *listing; /* a file of notes; a program's hash */
   const char *profile;           /* text, json, speedscope or chrome */
   const char *save;              /* the replay's trace goes there */
   const char *other;             /* the recording that this is beside */
   bool compare;                  /* up to the first difference */
   const char *writer, *readers;  /* register, '@', and the step in `after` */
   uint32_t after;
   struct trace_notes notes;
   struct trace_watch watch;
   struct util_dynarray accesses; /* struct trace_access: what it found */
};

/* Whether something of the first thread that matches is asked. */
bool trace_wants_one_thread(const struct trace_options *o);

/* Whether threads are to be shown. */
bool trace_wants_threads(const struct trace_options *o);

/* The first item that matches; -1: none, the thread is another one. */
int trace_thread_matches(const struct trace_options *o,
                         const struct trace_file_thread *t);

/*
 * Runs these batches of a recording again, with a filter as in
 * SAFFRON_SIM_TRACE_FILTER: their trace, which the caller closes in any case.
 * False after a message.
 */
bool trace_run_again(struct trace_options *o, const struct trace_file *f,
                     const uint32_t batches[2], const char *filter,
                     struct trace_file *run);

/* Of a recording, for what it does not have itself: the batches that are
 * meant are run again, and *f becomes the trace of that. False after a
 * message. */
bool trace_replace_by_replay(struct trace_options *o, struct trace_file *f);

#endif
