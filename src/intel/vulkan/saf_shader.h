/* SPDX-License-Identifier: MIT */
/* From modules to kernels; used by pipeline creation. */
#ifndef SAF_SHADER_H
#define SAF_SHADER_H

#include "saf_pipeline.h"

/* What the output variables of a vertex shader say of transform feedback;
 * they must not have been lowered yet. */
void
saf_gather_xfb(nir_shader *nir, struct saf_xfb_info *xfb);

/* One stage: from the cache (NULL: the device's own), or front end, driver
 * lowering, compiler; then upload. */
VkResult
saf_compile_spirv(struct saf_device *device,
                  struct saf_pipeline_cache *cache,
                  const VkPipelineShaderStageCreateInfo *info,
                  const struct saf_pipeline_layout *layout,
                  const struct intel_vs_key *vs_key,
                  const struct intel_wm_key *wm_key,
                  struct saf_shader **out);

#endif
