/* SPDX-License-Identifier: MIT */
/* Parts of pipelines, which are kept as what they were made from. */
#ifndef SAF_PIPELINE_LIBRARY_H
#define SAF_PIPELINE_LIBRARY_H

#include "saf_pipeline.h"

struct arena;

/* What a create info says that is no state, with all that it points to. */
struct saf_pipeline_library {
   struct arena *arena;
   VkGraphicsPipelineLibraryFlagsEXT parts; /* that it has */
   VkGraphicsPipelineCreateInfo info;
   VkPipelineRenderingCreateInfo rendering;
   VkPipelineShaderStageCreateInfo stages[SAF_GRAPHICS_STAGES];
   struct saf_pipeline_layout layout;
};

/* Neither a library nor made of some, nor of shaders that are no modules. */
bool saf_is_whole(const VkGraphicsPipelineCreateInfo *info);

/* What `info` and the libraries that it names say together; NULL: no memory.
 */
struct saf_pipeline_library *
saf_pipeline_library_create(struct saf_device *device,
                            const VkGraphicsPipelineCreateInfo *info);
/* NULL is fine. */
void saf_pipeline_library_destroy(struct saf_device *device,
                                  struct saf_pipeline_library *library);

/* With all that it points to, in the arena; of its chain what is looked at,
 * how robust it is from the chain of its pipeline if its own says nothing. */
VkPipelineShaderStageCreateInfo
saf_copy_stage(struct arena *arena,
               const VkPipelineShaderStageCreateInfo *stage,
               const void *pipeline);

/* That of a stage, or one that its chain describes, in the arena. */
VkShaderModule saf_stage_module(struct arena *arena,
                                const VkPipelineShaderStageCreateInfo *stage);

#endif
