/* SPDX-License-Identifier: MIT */
/*
 * Runs batches of a recording again, on the simulated GPU of this process,
 * with a trace of what is asked for.
 */
#ifndef INTEL_TOOLS_TRACE_REPLAY_H
#define INTEL_TOOLS_TRACE_REPLAY_H

#include "trace_file.h"

/*
 * Runs batches `first` to `last` of the recording, as it numbers them, and
 * writes a trace to `out`, a file that is open; `filter` as in
 * SAFFRON_SIM_TRACE_FILTER. False after a message on standard error.
 */
bool trace_replay(const struct trace_file *recording, uint32_t first,
                  uint32_t last, const char *filter, int out);

#endif
