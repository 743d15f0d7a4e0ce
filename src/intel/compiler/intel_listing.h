/* SPDX-License-Identifier: MIT */
/* What is shown of machine code: listings, and costs by instruction. */
#ifndef INTEL_LISTING_H
#define INTEL_LISTING_H

#include "intel_compiler_private.h"

struct eu_binary;
struct eu_shader;

/* Writes the code of a kernel to `log`, with NIR and lines of the source
 * above the instructions that they became. `stage` is its name. */
void intel_print_listing(const struct eu_shader *s,
                         const struct eu_binary *bin, const char *stage,
                         FILE *log);
/* Where each piece of the code is from and what it costs, bin->num_origins of
 * them, in `arena`; for a shader that was compiled with s->profile. */
const struct intel_code_cost *intel_code_costs(const struct eu_shader *s,
                                               const struct eu_binary *bin,
                                               struct arena *arena);

#endif
