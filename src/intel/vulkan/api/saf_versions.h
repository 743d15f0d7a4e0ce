/* SPDX-License-Identifier: MIT */
/* The structures that core versions have in place of those of extensions. */
#ifndef SAF_VERSIONS_H
#define SAF_VERSIONS_H

#include "intel/vulkan/base/saf_instance.h"

void saf_fill_vulkan_1_1_features(const struct saf_physical_device *pdev,
                                  void *s);
void saf_fill_vulkan_1_2_features(const struct saf_physical_device *pdev,
                                  void *s);
void saf_fill_vulkan_1_3_features(const struct saf_physical_device *pdev,
                                  void *s);
void saf_fill_vulkan_1_4_features(const struct saf_physical_device *pdev,
                                  void *s);
void saf_fill_vulkan_1_1_properties(const struct saf_physical_device *pdev,
                                    void *s);
void saf_fill_vulkan_1_2_properties(const struct saf_physical_device *pdev,
                                    void *s);
void saf_fill_vulkan_1_3_properties(const struct saf_physical_device *pdev,
                                    void *s);
void saf_fill_vulkan_1_4_properties(const struct saf_physical_device *pdev,
                                    void *s);

/* ---- what limits and properties say alike ---- */

#define TEXEL_BUFFER_ALIGN_B 16

/* How many descriptors of a type a stage has, and of all types. */
#define MAX_STAGE_BUFFERS 64
#define MAX_INLINE_BLOCKS 16
#define MAX_STAGE_STORAGE_IMAGES 32
#define MAX_INPUT_ATTACHMENTS 8
#define MAX_STAGE_RESOURCES 200

/* Where no format wants its texels in rows: samples are tiled. */
static inline bool
saf_has_sample_stores(const struct intel_device_info *info)
{
   return info->typed_reads == INTEL_TYPED_READS_MOST;
}

#endif
