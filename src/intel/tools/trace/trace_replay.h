/* SPDX-License-Identifier: MIT */
/*
 * Runs batches of a recording again, on the simulated GPU of this process,
 * with a trace of what is asked for.
 */
#ifndef INTEL_TOOLS_TRACE_REPLAY_H
#define INTEL_TOOLS_TRACE_REPLAY_H

#include "trace_file.h"

/* Bytes of memory of which each access is told; size 0: none. */
struct trace_watch {
   uint64_t address, size_B;
};

/* By enum sim_client. */
#define TRACE_CLIENT_NAMES                                                   \
   "target", "depth", "data", "streamout", "commands", "sync", "texture",    \
      "constant", "vertex", "state", "code", "helper"

struct trace_access {
   uint32_t draw; /* the last one before it; ~0: before the first */
   uint32_t client;
   bool is_write;
   uint64_t address, size_B;
};

/*
 * Runs batches `first` to `last` of the recording, as it numbers them, and
 * writes a trace to `out`, a file that is open; `filter` as in
 * SAFFRON_SIM_TRACE_FILTER. Accesses of the render engine that `watch` means
 * are appended to `accesses`, struct trace_access; those that come again at
 * once are there once. False after a message on standard error.
 */
bool trace_replay(const struct trace_file *recording, uint32_t first,
                  uint32_t last, const char *filter,
                  const struct trace_watch *watch,
                  struct util_dynarray *accesses, int out);

#endif
