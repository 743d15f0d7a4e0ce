/* SPDX-License-Identifier: MIT */
/* Passes of this compiler for test_text.c. */
#include "compiler/nir/tests/text_passes.h"

#include "intel/compiler/intel_compiler_private.h"

/* Of a quad, with equal spacing. */
static bool
separate_tess_factors(nir_shader *s)
{
   s->info.tess._primitive_mode = TESS_PRIMITIVE_QUADS;
   s->info.tess.spacing = TESS_SPACING_EQUAL;
   return intel_nir_separate_tess_factors(s);
}

static bool
alpha_coverage(nir_shader *s)
{
   return intel_nir_alpha_coverage(s, 4);
}

const struct text_pass text_passes[] = {
   { "intel_nir_separate_tess_factors", separate_tess_factors },
   { "intel_nir_alpha_coverage", alpha_coverage },
   { "intel_nir_zero_position", intel_nir_zero_position },
   { "intel_nir_bound_offsets", intel_nir_bound_offsets },
   { "intel_nir_widen_io", intel_nir_widen_io },
   { "intel_nir_exit_helper_loops", intel_nir_exit_helper_loops },
   { "intel_nir_lower_txd", intel_nir_lower_txd },
   { "intel_nir_lower_long_txd", intel_nir_lower_long_txd },
   { NULL, NULL },
};
