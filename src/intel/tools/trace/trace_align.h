/* SPDX-License-Identifier: MIT */
/*
 * Draws of two recordings that belong together. Drivers put draws together or
 * apart, and clear with draws of their own; what the program draws are the
 * same primitives in the same order.
 */
#ifndef INTEL_TOOLS_TRACE_ALIGN_H
#define INTEL_TOOLS_TRACE_ALIGN_H

#include "trace_file.h"

/* `count` draws of each, from `first` on, as places in trace_file::draws; of
 * one of them there may be none. */
struct trace_group {
   uint32_t first[2], count[2];
};

/* All draws of both, in order: appended to `groups`, struct trace_group.
 * False: no memory. */
bool trace_align(const struct trace_file *const files[2],
                 struct util_dynarray *groups);

#endif
