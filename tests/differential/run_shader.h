/* SPDX-License-Identifier: MIT */
/*
 * Runs a compiled fragment or compute shader on the simulated execution
 * unit, one thread of it, with a storage buffer for data; or a vertex shader
 * in SIMD4x2, as many threads as it takes for two channels each.
 *
 * The channel's number is what gl_SampleMaskIn[0], gl_LocalInvocationIndex or
 * the zero-based vertex ID reads; binding-table entry 1 is the buffer.
 */
#ifndef RUN_SHADER_H
#define RUN_SHADER_H

#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler.h"

#define RUN_BUFFER_BTI 1
#define RUN_BUFFER_B 65536u

struct runner;

/* For the device that SAFFRON_TEST_GEN names: skl if there is none. Ends the
 * program if that is a device for which there is no compiler, or if
 * SAFFRON_SIM_CHAOS, which holds here, too (sim/chaos/chaos.h), is wrong. */
struct runner *runner_create(void);
void runner_destroy(struct runner *r);
/* SAFFRON_TEST_BACKEND=vec4: shaders are vertex shaders in SIMD4x2. The stage
 * that a test has to make. */
bool runner_is_vec4(const struct runner *r);
gl_shader_stage runner_stage(const struct runner *r);
uint8_t *runner_buffer(struct runner *r);
const struct intel_compiler *runner_compiler(const struct runner *r);

/*
 * Runs the SIMD8, 16 or 32 kernel of `sh` with `mask` of its channels
 * enabled. NULL, or what went wrong (valid until the next call).
 */
const char *runner_run(struct runner *r, const struct intel_shader *sh,
                       unsigned width, uint32_t mask);

/* The same in two steps, for many runs of one kernel. `sh` must live as long
 * as it is run. */
const char *runner_load(struct runner *r, const struct intel_shader *sh,
                        unsigned width);
const char *runner_exec(struct runner *r, uint32_t mask);

/* Instructions that the last run has executed, whatever their width. */
uint64_t runner_executed(const struct runner *r);
/* Its cycles by the timing model, and those of issue. */
uint64_t runner_cycles(const struct runner *r);
uint64_t runner_issue(const struct runner *r);

/* Components of `bits` bits, aligned to that, from a byte of the buffer on,
 * for the shader that a test builds: as many as one message moves. */
nir_value *runner_nir_load(nir_builder *b, nir_value *address, unsigned comps,
                           unsigned bits);
void runner_nir_store(nir_builder *b, nir_value *address, nir_value *value);

#endif
