/* SPDX-License-Identifier: MIT */
/* What of a graphics pipeline's create info is looked at. */
#ifndef SAF_PIPELINE_HEEDED_H
#define SAF_PIPELINE_HEEDED_H

#include "saf_pipeline.h"

/* A create info, and copies of those of its states that differ. */
struct saf_heeded_info {
   VkGraphicsPipelineCreateInfo info;
   VkPipelineViewportStateCreateInfo viewport;
   VkPipelineMultisampleStateCreateInfo multisample;
   VkPipelineColorBlendStateCreateInfo blend;
};

/* The parts (VkGraphicsPipelineLibraryFlagBitsEXT) that a create info has
 * itself: all, unless it is a library or made of some. */
VkGraphicsPipelineLibraryFlagsEXT
saf_own_parts(const VkGraphicsPipelineCreateInfo *info);

/* `info` with NULL for each pointer that is ignored, which may point
 * anywhere (Vulkan, "Graphics Pipelines"). `out` points into itself and to
 * what `info` does. */
void saf_heed(const VkGraphicsPipelineCreateInfo *info,
              struct saf_heeded_info *out);

#endif
