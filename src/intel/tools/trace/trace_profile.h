/* SPDX-License-Identifier: MIT */
/* Where cycles go: by draw, shader and line. */
#ifndef INTEL_TOOLS_TRACE_PROFILE_H
#define INTEL_TOOLS_TRACE_PROFILE_H

#include "trace_options.h"

/* Whether it is text, json, speedscope or chrome. */
bool trace_profile_form(const char *name);

/* Prints it; an exit code. */
int trace_profile_print(const struct trace_options *o,
                        const struct trace_file *f);

#endif
