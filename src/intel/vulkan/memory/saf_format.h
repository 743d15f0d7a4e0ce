/* SPDX-License-Identifier: MIT */
/* Vulkan formats in terms of the hardware's. */
#ifndef SAF_FORMAT_H
#define SAF_FORMAT_H

#include "intel/isl/isl.h"
#include "saf_surface.h"
#include "intel/vulkan/base/saf_instance.h"

struct saf_format {
   enum isl_format format;     /* ISL_FORMAT_UNSUPPORTED: none */
   struct isl_swizzle swizzle; /* from the hardware format to Vulkan's */
};

/* How an image aspect (or a buffer, a vertex attribute: aspect COLOR) of a
 * Vulkan format is laid out. */
struct saf_format saf_get_format(const struct intel_device_info *info,
                                 VkFormat format,
                                 VkImageAspectFlagBits aspect);
VkImageAspectFlags saf_format_aspects(VkFormat format);
bool saf_format_is_known(VkFormat format);
/* In which format an attribute is fetched, of which the shader makes what it
 * is (saf_nir_lower_vertex_formats()) if it is not its own. */
enum isl_format saf_vertex_fetch_format(const struct intel_device_info *info,
                                        enum isl_format format);
/* There is no such attribute. */
bool saf_fetches_all_formats(const struct intel_device_info *info);
/* Of all aspects, where stencil has a usage of its own in the chain. */
VkImageUsageFlags saf_image_usage(VkImageUsageFlags usage, const void *chain);
VkFormatFeatureFlags
saf_image_format_features(const struct saf_physical_device *pdev,
                          VkFormat format, VkImageTiling tiling);

/* What VkFormatFeatureFlags2 says besides, of images or of buffers. */
VkFormatFeatureFlags2
saf_format_features2(const struct saf_physical_device *pdev, VkFormat format,
                     VkFormatFeatureFlags features);

/* How texels of a storage image or buffer are read. */
struct saf_storage_read {
   enum isl_format format;
   bool raw; /* as words of a buffer, which the shader makes texels of */
};
struct saf_storage_read saf_storage_read(const struct intel_device_info *info,
                                         enum isl_format format);

/* Storage images of which a shader does not say the format: whether it may;
 * what makes channels of what a typed read of a view returns, for struct
 * saf_surface_info, 0: nothing is to be done. saf_nir_any_format.c */
bool saf_reads_any_format(const struct intel_device_info *info);
uint32_t saf_any_format_word(enum isl_format format);

#endif
