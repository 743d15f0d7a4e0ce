/* SPDX-License-Identifier: MIT */
/* Members of feature structures that depend on the device, as a row of
 * saf_properties.c fills them in. */
#ifndef SAF_SHADER_FEATURES_H
#define SAF_SHADER_FEATURES_H

#include "intel/vulkan/base/saf_device.h"

void saf_fill_addresses(const struct saf_physical_device *pdev, void *s);
void saf_fill_addresses_ext(const struct saf_physical_device *pdev, void *s);
void saf_fill_halves(const struct saf_physical_device *pdev, void *s);
void saf_fill_half_modes(const struct saf_physical_device *pdev, void *s);
/* A property, of which the caller says how many layouts it has room for. */
void saf_fill_host_copy_layouts(const struct saf_physical_device *pdev,
                                void *s);
void saf_fill_wide_atomics(const struct saf_physical_device *pdev, void *s);
void saf_fill_float_atomics2(const struct saf_physical_device *pdev, void *s);
void saf_fill_clock(const struct saf_physical_device *pdev, void *s);
void saf_fill_indexing(const struct saf_physical_device *pdev, void *s);
void saf_fill_mutable_types(const struct saf_physical_device *pdev, void *s);
void saf_fill_inline_blocks(const struct saf_physical_device *pdev, void *s);
void saf_fill_list_restart(const struct saf_physical_device *pdev, void *s);
void saf_fill_dynamic_state2(const struct saf_physical_device *pdev, void *s);
void saf_fill_indexing_limits(const struct saf_physical_device *pdev,
                              void *s);

/* Whether descriptors may change after they are bound, and be many. */
bool saf_has_bindless(const struct saf_physical_device *pdev);

#endif
