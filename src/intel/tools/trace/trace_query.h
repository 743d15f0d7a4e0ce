/* SPDX-License-Identifier: MIT */
/* Questions to a trace, as text and as JSON (docs/view.rst). */
#ifndef INTEL_TOOLS_TRACE_QUERY_H
#define INTEL_TOOLS_TRACE_QUERY_H

#include "trace_options.h"
#include "trace_view.h"

/* What happened to the pixel; each returns an exit code. */
int trace_query_history(const struct trace_options *o,
                        const struct trace_file *f);
int trace_query_accesses(const struct trace_options *o);
int trace_query_json(const struct trace_options *o,
                     const struct trace_file *f);

/* Prints who wrote, or reads, the register that is asked for. */
void trace_query_register(const struct trace_options *o,
                          struct trace_view *v);

/* Calls `found` for that step, or those steps, in their order. False after a
 * message: there is no such register. */
bool trace_query_steps(const struct trace_options *o,
                       const struct trace_view *v,
                       void (*found)(void *data, uint32_t n), void *data);

/* Calls `found` for each draw with an event of the pixel, with its events. */
void trace_query_pixel_draws(const struct trace_file *f,
                             void (*found)(void *data,
                                           const struct trace_file_draw *d,
                                           const struct trace_pixel *p,
                                           unsigned n),
                             void *data);

#endif
