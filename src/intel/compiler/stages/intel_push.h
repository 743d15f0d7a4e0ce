/* SPDX-License-Identifier: MIT */
#ifndef INTEL_PUSH_H
#define INTEL_PUSH_H

#include "intel/compiler/intel_compiler.h"

/* Fills pd->push and pd->push_length. `ubos`: uniform blocks too. */
void intel_choose_push_ranges(const struct intel_device_info *dev,
                              const nir_shader *nir, bool ubos,
                              struct intel_stage_prog_data *pd);

struct intel_reasons;

/* Why loads of uniform blocks in `nir` find nothing in what pd->push has.
 * `none`: why no block is in registers at all; or NULL. */
void intel_push_reasons(const nir_shader *nir,
                        const struct intel_stage_prog_data *pd,
                        const char *none, struct intel_reasons *reasons);

#endif
