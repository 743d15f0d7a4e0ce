/* SPDX-License-Identifier: MIT */
/* What `saffron compile --profile` prints. */
#ifndef COMPILE_PROFILE_H
#define COMPILE_PROFILE_H

#include "intel/compiler/intel_compiler.h"
#include "intel/isa/isa.h"
#include "util/strbuf.h"

/*
 * The estimated cycles of each width of a shader that was compiled with
 * intel_compile_params.profile: by line of the source, the dearest first, and
 * by instruction. Both sum up to intel_compile_stats.cycles. `nir` is the
 * shader that was compiled, for files and lines.
 */
void compile_print_profile(enum isa_gen gen, const struct intel_shader *sh,
                           const nir_shader *nir, struct strbuf *out);
/*
 * The same as a JSON object: variants[] of dispatch_width, cycles,
 *    lines[] of file, line, text (null: not known), issue, wait,
 *       instructions,
 *    instructions[] of offset, file, line, column, issue, wait, waits_for (an
 *       offset, or null), text.
 */
void compile_print_profile_json(enum isa_gen gen,
                                const struct intel_shader *sh,
                                const nir_shader *nir, struct strbuf *out);

#endif
