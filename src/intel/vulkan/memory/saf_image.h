/* SPDX-License-Identifier: MIT */
/* Images, and views of them. */
#ifndef SAF_IMAGE_H
#define SAF_IMAGE_H

#include "saf_surface.h"
#include "saf_ycbcr.h"

#define SAF_MAX_PLANES 3

struct saf_plane {
   VkImageAspectFlagBits aspect;
   struct isl_surf surf;
   uint8_t texel_px;  /* that a texel of the surface has across, or a block */
   uint64_t offset_B; /* in the image, or in what a plane is bound to */
   struct saf_bo *bo; /* of a plane that is bound for itself; or NULL */
};

struct saf_image {
   VkImageType type;
   VkFormat vk_format;
   VkImageAspectFlags aspects;
   VkImageUsageFlags usage;
   VkImageTiling tiling;
   uint64_t modifier; /* with VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT */
   VkExtent3D extent;
   uint32_t levels, layers, samples;
   uint32_t plane_count;
   struct saf_plane planes[SAF_MAX_PLANES];
   /* Stencil as the sampler can read it: saf_meta_stencil.c. */
   bool has_shadow;
   struct saf_plane shadow;
   struct isl_hiz hiz; /* of the depth plane; size 0: none. saf_hiz.c */
   uint64_t hiz_offset_B;
   struct isl_surf mcs; /* of a colour plane; size 0: none. saf_meta_mcs.c */
   uint64_t mcs_offset_B;
   struct isl_ccs ccs; /* the same without samples: saf_fast_clear.c */
   uint64_t ccs_offset_B;
   uint64_t size_B;
   uint32_t align_B;
   bool disjoint;     /* planes are bound one by one */
   struct saf_bo *bo; /* NULL until bound */
   uint64_t offset_B; /* in the memory */
};

/* How an image that is shared has to lie in its memory. */
struct saf_image_layout {
   uint32_t tiling_flags; /* of which the surface gets one */
   uint32_t row_pitch_B;  /* 0: as it comes */
   uint64_t offset_B;
};

/* The modifier that an image of VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT gets,
 * and its layout. False: none of those it may have, or more planes. */
bool saf_image_choose_modifier(const VkImageCreateInfo *info,
                               uint64_t *modifier,
                               struct saf_image_layout *out);

/* 0: no image of the format has this modifier. */
VkFormatFeatureFlags
saf_modifier_features(const struct saf_physical_device *pdev, VkFormat format,
                      uint64_t modifier);
void saf_fill_modifiers(const struct saf_physical_device *pdev,
                        VkFormat format,
                        VkDrmFormatModifierPropertiesListEXT *out);
void saf_fill_modifiers2(const struct saf_physical_device *pdev,
                         VkFormat format,
                         VkDrmFormatModifierPropertiesList2EXT *out);

/* VK_ERROR_FORMAT_NOT_SUPPORTED if the image cannot be shared as `info` asks;
 * fills in VkExternalImageFormatProperties in the chain. */
VkResult
saf_external_image_properties(const VkPhysicalDeviceImageFormatInfo2 *info,
                              void *chain);

#define SAF_HOST_MEMORY_ALIGN_B 4096

/* The object that the chain of vkAllocateMemory imports, in *out: of a
 * descriptor, which is closed if that went well, or of memory of the host.
 * VK_SUCCESS with *out NULL: it imports nothing. */
VkResult saf_import_memory(struct saf_device *device, const void *chain,
                           uint64_t size_B, struct saf_bo **out);

struct saf_image_view {
   struct saf_image *image;
   VkImageAspectFlags aspects;
   VkFormat vk_format;
   VkImageViewType type;
   uint32_t base_level, levels, base_layer, layers;
   VkExtent3D extent; /* of the base level */
   enum isl_format format;
   struct isl_swizzle format_swizzle; /* that of every view of vk_format */
   struct isl_view view;
   struct saf_state sampled; /* surface state for the sampler */
   struct saf_state target;  /* for rendering; only for colour */
   struct saf_state storage, storage_load, storage_raw; /* as above */
   /* Sampled, of the planes after the first, if it shows all of them. */
   struct saf_state planes[SAF_MAX_COLOR_PLANES - 1];
   bool compares; /* the sampler compares what it shows */
};

SAF_NONDISPATCHABLE(saf_image, VkImage)
SAF_NONDISPATCHABLE(saf_image_view, VkImageView)

struct saf_surface_info
saf_image_view_info(const struct saf_image_view *view);
/* The plane of one aspect (COLOR, DEPTH or STENCIL); NULL if not there. */
const struct saf_plane *saf_image_plane(const struct saf_image *image,
                                        VkImageAspectFlags aspect);

static inline uint64_t
saf_plane_addr(const struct saf_image *image, const struct saf_plane *p)
{
   return p->bo ? p->bo->addr + p->offset_B
                : image->bo->addr + image->offset_B + p->offset_B;
}

static inline VkExtent3D
saf_image_level_extent(const struct saf_image *image, uint32_t level)
{
   return (VkExtent3D) { MAX2(image->extent.width >> level, 1),
                         MAX2(image->extent.height >> level, 1),
                         MAX2(image->extent.depth >> level, 1) };
}

/* The size of a subresource as vkCopyImageToMemory() writes it. */
uint64_t saf_host_copy_size_B(const struct saf_image *image,
                              const VkImageSubresource *sub);

/* With numbers for VK_REMAINING_MIP_LEVELS and _ARRAY_LAYERS. */
VkImageSubresourceRange saf_image_range(const struct saf_image *image,
                                        const VkImageSubresourceRange *r);

/* Gives `image` the memory of the swapchain image that a chain names. */
void saf_wsi_bind_image(struct saf_image *image, const void *next);

#endif
