/* SPDX-License-Identifier: MIT */
/* The structures that core versions have in place of those of extensions. */
#ifndef SAF_VERSIONS_H
#define SAF_VERSIONS_H

#include "intel/vulkan/saf_private.h"

void saf_fill_vulkan_1_1_features(const struct saf_physical_device *pdev,
                                  void *s);
void saf_fill_vulkan_1_2_features(const struct saf_physical_device *pdev,
                                  void *s);
void saf_fill_vulkan_1_1_properties(const struct saf_physical_device *pdev,
                                    void *s);
void saf_fill_vulkan_1_2_properties(const struct saf_physical_device *pdev,
                                    void *s);

#endif
