/* SPDX-License-Identifier: MIT */
/* What an application sees of a shader that the driver cannot compile: a call
 * that fails. */
#ifndef SAF_REPORT_H
#define SAF_REPORT_H

#include "saf_base.h"
#include "util/guard.h"

/* The SPIR-V of a stage; words NULL: a shader of the driver's own. */
struct saf_report_shader {
   const char *stage;
   const uint32_t *words;
   size_t size_B;
};

/*
 * VK_ERROR_UNKNOWN, after one line on stderr that says what failed (`kind`,
 * which ends before "a shader", and `text`) and how to report it, and names a
 * file with the shader: $TMPDIR (/tmp), saffron-shader-*.spv, its owner's
 * alone; at most MAX_REPORTS of a process, and none of one with more rights
 * than its caller.
 */
VkResult saf_compile_failure(const struct saf_report_shader *shader,
                             const char *kind, const char *text);

/* The result of a call whose compilation ended so: VK_SUCCESS,
 * VK_ERROR_OUT_OF_HOST_MEMORY, or saf_compile_failure() of an internal
 * error. */
VkResult saf_compile_result(enum guard_end end,
                            const struct guard_error *error,
                            const struct saf_report_shader *shader);

#endif
