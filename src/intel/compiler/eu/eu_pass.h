/* SPDX-License-Identifier: MIT */
/*
 * Passes over the IR. A pass is a function and a const object beside it,
 * pass_FUNCTION, both of which come from one line in the list of its folder
 * (here EU_PASSES); pipelines are arrays of such objects. Each can be left
 * out (when it is optional) or printed by its name, with
 * INTEL_DEBUG=skip:PASS,print:PASS.
 */
#ifndef EU_PASS_H
#define EU_PASS_H

#include "eu_ir.h"

struct eu_pass {
   const char *name;
   /* Whether it changed anything. */
   bool (*run)(struct eu_shader *s);
   bool optional; /* the code is right without it */
};

/* What becomes of a line of a list: in its header, and in one file. */
#define EU_DECLARE_PASS(f)                                                   \
   bool f(struct eu_shader *s);                                              \
   extern const struct eu_pass pass_##f;
#define EU_OPTIONAL_PASS(f)                                                  \
   const struct eu_pass pass_##f = { .name = #f, .run = f, .optional = true };
#define EU_REQUIRED_PASS(f)                                                  \
   const struct eu_pass pass_##f = { .name = #f, .run = f };

/* Those of any back end, in the order in which they run. */
#define EU_PASSES(OPTIONAL, REQUIRED)                                        \
   REQUIRED(eu_assign_payload_registers)                                     \
   OPTIONAL(eu_spread_flags)                                                 \
   OPTIONAL(eu_split_registers)                                              \
   OPTIONAL(eu_schedule)                                                     \
   REQUIRED(eu_allocate_registers)                                           \
   OPTIONAL(eu_schedule_allocated)

EU_PASSES(EU_DECLARE_PASS, EU_DECLARE_PASS)

/* Runs a pass, unless it is to be left out; validates and prints. Whether it
 * changed anything. Nothing happens when s->failed. */
bool eu_run(struct eu_shader *s, const struct eu_pass *pass);
/* These in turn until none changes anything. */
void eu_run_rounds(struct eu_shader *s, const struct eu_pass *const *passes,
                   unsigned count);
/* What comes before a step that is no pass: it is announced. */
void eu_before(struct eu_shader *s, const char *step);
/* What comes after a step that is no pass: validates, prints. */
void eu_after(struct eu_shader *s, const char *step, bool print);

#endif
