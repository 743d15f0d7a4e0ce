/* SPDX-License-Identifier: MIT */
/* Where the inputs of fragment shaders are in vertices. */
#ifndef SAF_FRAGMENT_INPUTS_H
#define SAF_FRAGMENT_INPUTS_H

#include "intel/compiler/intel_compiler.h"
#include "intel/vulkan/base/saf_base.h"

#define SAF_MAX_FRAGMENT_INPUTS 32

/* Pairs of slots that the setup unit skips. */
unsigned saf_input_read_offset(const struct intel_wm_prog_data *wm,
                               const struct intel_vue_outputs *out);

/* The slot from there on; negative: nothing wrote it. */
int saf_input_source(unsigned varying, const struct intel_vue_outputs *out,
                     unsigned read_offset);

enum saf_inputs_fit {
   SAF_INPUTS_FIT,
   SAF_INPUTS_MOVE, /* as `numbers` says */
   SAF_INPUTS_TOO_MANY,
};

/* Whether the setup unit can give a shader its inputs as they are numbered;
 * if not, how they must be: intel_wm_key.input_numbers. */
enum saf_inputs_fit saf_fit_inputs(const struct intel_wm_prog_data *wm,
                                   const struct intel_vue_outputs *out,
                                   int8_t numbers[64]);

#endif
