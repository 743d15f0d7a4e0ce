/* SPDX-License-Identifier: MIT */
/* Why a shader became what it is: a few sentences, kept with it. */
#ifndef INTEL_REASONS_H
#define INTEL_REASONS_H

#include "intel_compiler.h"

#define INTEL_MAX_REASONS 16

struct intel_reasons {
   struct intel_reason list[INTEL_MAX_REASONS];
   char text[INTEL_MAX_REASONS][160];
   uint32_t count;
};

/* What is said already, or does not fit, is left out. */
void intel_reason_add(struct intel_reasons *r, enum intel_reason_kind kind,
                      const char *fmt, ...) PRINTFLIKE(3, 4);
/* For nir_explain_loads(): `data` are the reasons. */
void intel_reason_add_merge(void *data, const char *text);

/* A copy that owns its texts. */
const struct intel_reason *intel_reasons_copy(const struct intel_reasons *r,
                                              struct arena *arena);
void intel_reasons_print(const struct intel_reasons *r, const char *stage,
                         FILE *log);

#endif
