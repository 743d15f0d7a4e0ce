/* SPDX-License-Identifier: MIT */
/* What of a graphics pipeline's create info is looked at. */
#ifndef SAF_CREATE_INFO_H
#define SAF_CREATE_INFO_H

#include "intel/vulkan/base/saf_base.h"

/* Parts of a pipeline, each of which a library may have. */
#define SAF_PART_VERTEX_INPUT                                                \
   VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define SAF_PART_PRE_RASTERIZATION                                           \
   VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT
#define SAF_PART_FRAGMENT_SHADER                                             \
   VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
#define SAF_PART_FRAGMENT_OUTPUT                                             \
   VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
#define SAF_ALL_PARTS                                                        \
   (SAF_PART_VERTEX_INPUT | SAF_PART_PRE_RASTERIZATION |                     \
    SAF_PART_FRAGMENT_SHADER | SAF_PART_FRAGMENT_OUTPUT)

/* A create info, and copies of those of its states that differ. */
struct saf_sanitised_info {
   VkGraphicsPipelineCreateInfo info;
   VkPipelineViewportStateCreateInfo viewport;
   VkPipelineMultisampleStateCreateInfo multisample;
   VkPipelineColorBlendStateCreateInfo blend;
};

/* The parts (VkGraphicsPipelineLibraryFlagBitsEXT) that a create info has
 * itself: all, unless it is a library or made of some. */
VkGraphicsPipelineLibraryFlagsEXT
saf_own_parts(const VkGraphicsPipelineCreateInfo *info);

/* The flags of a create info, by its chain's word if that has them; the bits
 * that only fit there say nothing to us. */
VkPipelineCreateFlags saf_pipeline_flags(const void *chain,
                                         VkPipelineCreateFlags flags);

/* `info` with NULL for each pointer that is ignored, which may point
 * anywhere (Vulkan, "Graphics Pipelines"). `out` points into itself and to
 * what `info` does. */
void saf_sanitise_create_info(const VkGraphicsPipelineCreateInfo *info,
                              struct saf_sanitised_info *out);

#endif
