/* SPDX-License-Identifier: MIT */
/* The shaders of meta operations, built in NIR. */
#ifndef SAF_META_SHADERS_H
#define SAF_META_SHADERS_H

#include "intel/vulkan/cmd/saf_meta.h"

/* A rectangle over the viewport from vertices 0 to 3. */
/* The corners of a strip, or lower right, lower left and upper left. */
nir_shader *saf_meta_build_vs(const struct intel_compiler *compiler,
                              bool rectangle);

/* NULL for kinds without a fragment shader. */
nir_shader *saf_meta_build_fs(const struct intel_compiler *compiler,
                              enum saf_meta_kind kind);

#endif
