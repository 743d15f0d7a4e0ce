/* SPDX-License-Identifier: MIT */
/* Two recordings beside each other. */
#ifndef INTEL_TOOLS_TRACE_COMPARE_H
#define INTEL_TOOLS_TRACE_COMPARE_H

#include "trace_options.h"

/* Prints which draws belong together and, if the options want that, after
 * which of them targets differ first: an exit code. */
int trace_compare(struct trace_options *o, const struct trace_file *f,
                  const struct trace_file *other);

#endif
