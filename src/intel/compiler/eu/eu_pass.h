/* SPDX-License-Identifier: MIT */
/*
 * Passes over the IR, by name: each is one row of its back end's table
 * (fs_passes), runs through one function, and can be left out (when it is
 * optional) or printed with INTEL_DEBUG=skip:PASS,print:PASS.
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

/* Runs pass `index` of `passes`, unless it is to be left out; validates and
 * prints. Whether it changed anything. Nothing happens when s->failed. */
bool eu_run_pass(struct eu_shader *s, const struct eu_pass *passes,
                 unsigned index);
/* What comes after a step that is no pass: validates, prints. */
void eu_after(struct eu_shader *s, const char *step, bool print);

#endif
