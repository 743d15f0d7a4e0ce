/* SPDX-License-Identifier: MIT */
/* What shaders may do on some generations: for the table of features. */
#include "saf_shader_features.h"
#include "saf_versions.h"
#include "intel/vulkan/memory/saf_format.h"

#include "intel/dev/intel_workaround.h"

/* An address that has the number of its object (saf_addresses.c) is of no use
 * to another run. */
void
saf_fill_addresses(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceBufferDeviceAddressFeatures *f = s;
   f->bufferDeviceAddress = true;
   f->bufferDeviceAddressCaptureReplay = !saf_has_address_table(pdev->info);
   f->bufferDeviceAddressMultiDevice = false;
}

/* There it is a buffer's address that is replayed, whatever its memory. */
void
saf_fill_addresses_ext(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *f = s;
   f->bufferDeviceAddress = true;
   f->bufferDeviceAddressCaptureReplay = false;
   f->bufferDeviceAddressMultiDevice = false;
}

/* Where each operation would be done as floats of 32 bits, and rounded, who
 * may choose (zink, for mediump) is better off with those. */
void
saf_fill_halves(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceShaderFloat16Int8Features *f = s;
   f->shaderFloat16 = pdev->info->eu.has_half_float;
}

void
saf_fill_half_modes(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceFloatControlsProperties *p = s;
   const bool halves = pdev->info->eu.has_half_float;
   p->shaderDenormPreserveFloat16 = halves;
   p->shaderDenormFlushToZeroFloat16 = halves;
   p->shaderRoundingModeRTEFloat16 = halves;
   p->shaderRoundingModeRTZFloat16 = halves;
}

static void
fill_layouts(uint32_t *count, VkImageLayout *out, VkImageLayout transfer)
{
   const VkImageLayout all[] = {
      VK_IMAGE_LAYOUT_GENERAL,
      transfer,
      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
      VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
      VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL,
   };
   *count = out ? MIN2(*count, (uint32_t)ARRAY_SIZE(all)) : ARRAY_SIZE(all);
   if (out)
      memcpy(out, all, *count * sizeof(*out));
}

/* What a copy without a change of layout gives is the same everywhere: rows
 * without gaps (saf_host_copy.c). */
void
saf_fill_host_copy_layouts(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceHostImageCopyPropertiesEXT *p = s;
   fill_layouts(&p->copySrcLayoutCount, p->pCopySrcLayouts,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
   fill_layouts(&p->copyDstLayoutCount, p->pCopyDstLayouts,
                VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
   memset(p->optimalTilingLayoutUUID, 0, VK_UUID_SIZE);
   memcpy(p->optimalTilingLayoutUUID, "rows", 4);
   p->identicalMemoryTypeRequirements = true;
}

/* By address; shared memory has none. */
void
saf_fill_wide_atomics(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceShaderAtomicInt64Features *f = s;
   f->shaderBufferInt64Atomics = !saf_has_address_table(pdev->info);
   f->shaderSharedInt64Atomics = false;
}

/* The least and the greatest, from Gen9 on, but of no image; no sums. */
void
saf_fill_float_atomics2(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT *f = s;
   f->shaderBufferFloat32AtomicMinMax = pdev->info->has_float_atomics;
   f->shaderSharedFloat32AtomicMinMax = pdev->info->has_float_atomics;
}

/* Not in SIMD4x2 code. */
void
saf_fill_clock(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceShaderClockFeaturesKHR *f = s;
   f->shaderSubgroupClock = pdev->info->has_scalar_geometry;
   f->shaderDeviceClock = false;
}

bool
saf_has_bindless(const struct saf_physical_device *pdev)
{
   return pdev->info->eu.has_bindless_surfaces;
}

/* Tables are made with the commands, from what is in the sets then: nobody
 * minds what happens to the rest of a set. What changes after it was bound is
 * seen only where shaders read descriptors themselves. */
void
saf_fill_indexing(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceDescriptorIndexingFeatures *f = s;
   const bool loops = pdev->info->has_scalar_geometry;
   const bool bindless = saf_has_bindless(pdev);
   f->shaderInputAttachmentArrayDynamicIndexing = true;
   f->shaderUniformTexelBufferArrayDynamicIndexing = true;
   f->shaderStorageTexelBufferArrayDynamicIndexing = true;
   f->shaderUniformBufferArrayNonUniformIndexing = loops;
   f->shaderSampledImageArrayNonUniformIndexing = loops;
   f->shaderStorageBufferArrayNonUniformIndexing = loops;
   f->shaderStorageImageArrayNonUniformIndexing = loops;
   f->shaderInputAttachmentArrayNonUniformIndexing = loops;
   f->shaderUniformTexelBufferArrayNonUniformIndexing = loops;
   f->shaderStorageTexelBufferArrayNonUniformIndexing = loops;
   f->descriptorBindingUniformBufferUpdateAfterBind = bindless;
   f->descriptorBindingSampledImageUpdateAfterBind = bindless;
   f->descriptorBindingStorageImageUpdateAfterBind = bindless;
   f->descriptorBindingStorageBufferUpdateAfterBind = bindless;
   f->descriptorBindingUniformTexelBufferUpdateAfterBind = bindless;
   f->descriptorBindingStorageTexelBufferUpdateAfterBind = bindless;
   f->descriptorBindingUpdateUnusedWhilePending = true;
   f->descriptorBindingPartiallyBound = true;
   f->descriptorBindingVariableDescriptorCount = true;
   f->runtimeDescriptorArray = true;
}

void
saf_fill_mutable_types(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT *f = s;
   f->mutableDescriptorType = saf_has_bindless(pdev);
}

void
saf_fill_inline_blocks(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceInlineUniformBlockFeatures *f = s;
   f->inlineUniformBlock = true;
   f->descriptorBindingInlineUniformBlockUpdateAfterBind =
      saf_has_bindless(pdev);
}

/* The cut index of Ivybridge is not for patches: chip-rules FF-45. */
void
saf_fill_list_restart(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT *f = s;
   f->primitiveTopologyListRestart = true;
   f->primitiveTopologyPatchListRestart =
      !intel_needs_workaround(pdev->info, INTEL_WA_NO_FAN_PATCH_RESTART);
}

/* With control points zink (22.3) links programs from libraries, in a thread,
 * with formats of attachments that it has not filled in: the same Debian's
 * validation layers crash. */
void
saf_fill_dynamic_state2(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceExtendedDynamicState2FeaturesEXT *f = s;
   f->extendedDynamicState2 = true;
   f->extendedDynamicState2LogicOp = true;
   f->extendedDynamicState2PatchControlPoints = !pdev->instance->for_zink;
}

/* These count sets without update after bind, too: not below the limits of
 * those. */
void
saf_fill_indexing_limits(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceDescriptorIndexingProperties *p = s;
   const uint32_t all = saf_has_bindless(pdev) ? SAF_MAX_BINDLESS : 0;
   const uint32_t samplers = MAX2(all, pdev->info->max_samplers);
   const uint32_t images = MAX2(all, SAF_MAX_SAMPLERS);
   const uint32_t buffers = MAX2(all, MAX_STAGE_BUFFERS);
   const uint32_t storage_images = MAX2(all, MAX_STAGE_STORAGE_IMAGES);
   p->maxUpdateAfterBindDescriptorsInAllPools = all;
   p->robustBufferAccessUpdateAfterBind = saf_has_bindless(pdev);
   p->maxPerStageDescriptorUpdateAfterBindSamplers = samplers;
   p->maxPerStageDescriptorUpdateAfterBindUniformBuffers = buffers;
   p->maxPerStageDescriptorUpdateAfterBindStorageBuffers = buffers;
   p->maxPerStageDescriptorUpdateAfterBindSampledImages = images;
   p->maxPerStageDescriptorUpdateAfterBindStorageImages = storage_images;
   p->maxPerStageDescriptorUpdateAfterBindInputAttachments =
      MAX_INPUT_ATTACHMENTS;
   p->maxPerStageUpdateAfterBindResources = MAX2(all, MAX_STAGE_RESOURCES);
   p->maxDescriptorSetUpdateAfterBindSamplers =
      MAX2(all, 6 * pdev->info->max_samplers);
   p->maxDescriptorSetUpdateAfterBindUniformBuffers =
      MAX2(all, 6 * MAX_STAGE_BUFFERS);
   p->maxDescriptorSetUpdateAfterBindUniformBuffersDynamic =
      SAF_MAX_DYNAMIC_BUFFERS / 2;
   p->maxDescriptorSetUpdateAfterBindStorageBuffers =
      MAX2(all, 6 * MAX_STAGE_BUFFERS);
   p->maxDescriptorSetUpdateAfterBindStorageBuffersDynamic =
      SAF_MAX_DYNAMIC_BUFFERS / 2;
   p->maxDescriptorSetUpdateAfterBindSampledImages =
      MAX2(all, 6 * SAF_MAX_SAMPLERS);
   p->maxDescriptorSetUpdateAfterBindStorageImages =
      MAX2(all, 6 * MAX_STAGE_STORAGE_IMAGES);
   p->maxDescriptorSetUpdateAfterBindInputAttachments = MAX_INPUT_ATTACHMENTS;
}
