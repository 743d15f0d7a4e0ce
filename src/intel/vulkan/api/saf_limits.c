/* SPDX-License-Identifier: MIT */
/* VkPhysicalDeviceProperties, most of which are limits. */
#include "saf_versions.h"
#include "intel/vulkan/pipeline/saf_pipeline.h"

#include <stdio.h>

#define MAX_IMAGE_DIMENSION 16384
#define MAX_BUFFER_TEXELS (1u << 27)

/* Without timestampPeriod. */
static const VkPhysicalDeviceLimits limits = {
   .maxImageDimension1D = MAX_IMAGE_DIMENSION,
   .maxImageDimension2D = MAX_IMAGE_DIMENSION,
   .maxImageDimension3D = 2048,
   .maxImageDimensionCube = MAX_IMAGE_DIMENSION,
   .maxImageArrayLayers = 2048,
   .maxTexelBufferElements = MAX_BUFFER_TEXELS,
   .maxUniformBufferRange = SAF_MAX_BUFFER_RANGE_B,
   .maxStorageBufferRange = SAF_MAX_BUFFER_RANGE_B,
   .maxPushConstantsSize = SAF_MAX_PUSH_CONSTANTS_B,
   .maxMemoryAllocationCount = UINT32_MAX,
   .maxSamplerAllocationCount = 64 * 1024,
   .bufferImageGranularity = 64,
   .sparseAddressSpaceSize = 0,
   .maxBoundDescriptorSets = SAF_MAX_SETS,
   .maxPerStageDescriptorUniformBuffers = MAX_STAGE_BUFFERS,
   .maxPerStageDescriptorStorageBuffers = MAX_STAGE_BUFFERS,
   .maxPerStageDescriptorSampledImages = SAF_MAX_SAMPLERS,
   .maxPerStageDescriptorStorageImages = MAX_STAGE_STORAGE_IMAGES,
   .maxPerStageDescriptorInputAttachments = MAX_INPUT_ATTACHMENTS,
   .maxPerStageResources = MAX_STAGE_RESOURCES,
   .maxDescriptorSetUniformBuffers = 6 * MAX_STAGE_BUFFERS,
   .maxDescriptorSetUniformBuffersDynamic = SAF_MAX_DYNAMIC_BUFFERS / 2,
   .maxDescriptorSetStorageBuffers = 6 * MAX_STAGE_BUFFERS,
   .maxDescriptorSetStorageBuffersDynamic = SAF_MAX_DYNAMIC_BUFFERS / 2,
   .maxDescriptorSetSampledImages = 6 * SAF_MAX_SAMPLERS,
   .maxDescriptorSetStorageImages = 6 * MAX_STAGE_STORAGE_IMAGES,
   .maxDescriptorSetInputAttachments = MAX_INPUT_ATTACHMENTS,
   .maxVertexInputAttributes = SAF_MAX_VERTEX_ATTRIBS,
   .maxVertexInputBindings = SAF_MAX_VERTEX_BINDINGS,
   .maxVertexInputAttributeOffset = 2047,
   .maxVertexInputBindingStride = 2048,
   .maxVertexOutputComponents = 128,
   .maxTessellationGenerationLevel = 64,
   .maxTessellationPatchSize = SAF_MAX_PATCH_POINTS,
   .maxTessellationControlPerVertexInputComponents = 128,
   .maxTessellationControlPerVertexOutputComponents = 128,
   .maxTessellationControlPerPatchOutputComponents = 120,
   .maxTessellationControlTotalOutputComponents = 2048,
   .maxTessellationEvaluationInputComponents = 128,
   .maxTessellationEvaluationOutputComponents = 128,
   .maxGeometryShaderInvocations = 32,
   .maxGeometryInputComponents = 128,
   .maxGeometryOutputComponents = 128,
   .maxGeometryOutputVertices = 256,
   .maxGeometryTotalOutputComponents = 1024,
   .maxFragmentInputComponents = 128,
   .maxFragmentOutputAttachments = SAF_MAX_RTS,
   .maxFragmentDualSrcAttachments = 1,
   .maxFragmentCombinedOutputResources = SAF_MAX_RTS + 64 + 8,
   /* INTERFACE_DESCRIPTOR_DATA has no more. */
   .maxComputeSharedMemorySize = 65536,
   .maxComputeWorkGroupCount = { 65535, 65535, 65535 },
   /* A group has to run in one subslice: with 56 threads of 32 channels
    * there is room for more than this. */
   .maxComputeWorkGroupInvocations = 1024,
   .maxComputeWorkGroupSize = { 1024, 1024, 1024 },
   .subPixelPrecisionBits = 8,
   .subTexelPrecisionBits = 8,
   .mipmapPrecisionBits = 8,
   .maxDrawIndexedIndexValue = UINT32_MAX,
   .maxDrawIndirectCount = UINT32_MAX,
   .maxSamplerLodBias = 15, /* S4.8 in SAMPLER_STATE */
   .maxSamplerAnisotropy = 16,
   .maxViewports = SAF_MAX_VIEWPORTS,
   .maxViewportDimensions = { MAX_IMAGE_DIMENSION, MAX_IMAGE_DIMENSION },
   .viewportBoundsRange = { -2.0f * MAX_IMAGE_DIMENSION,
                            2.0f * MAX_IMAGE_DIMENSION - 1 },
   .viewportSubPixelBits = 8,
   .minMemoryMapAlignment = 4096,
   .minTexelBufferOffsetAlignment = TEXEL_BUFFER_ALIGN_B,
   .minUniformBufferOffsetAlignment = 64,
   .minStorageBufferOffsetAlignment = 16,
   .minTexelOffset = -8,
   .maxTexelOffset = 7,
   .minTexelGatherOffset = -32,
   .maxTexelGatherOffset = 31,
   .minInterpolationOffset = -0.5f,
   .maxInterpolationOffset = 0.4375f,
   .subPixelInterpolationOffsetBits = 4,
   .maxFramebufferWidth = MAX_IMAGE_DIMENSION,
   .maxFramebufferHeight = MAX_IMAGE_DIMENSION,
   .maxFramebufferLayers = 2048,
   .maxColorAttachments = SAF_MAX_RTS,
   .maxSampleMaskWords = 1,
   .timestampComputeAndGraphics = true,
   .maxClipDistances = 8,
   .maxCullDistances = 8,
   .maxCombinedClipAndCullDistances = 8,
   .discreteQueuePriorities = 2,
   .pointSizeRange = { 0.125f, 255.875f },
   .lineWidthRange = { 0.0078125f, 7.9921875f },
   .pointSizeGranularity = 1.0f / 8,
   .lineWidthGranularity = 1.0f / 128,
   .strictLines = false,
   .standardSampleLocations = true,
   .optimalBufferCopyOffsetAlignment = 128,
   .optimalBufferCopyRowPitchAlignment = 128,
   .nonCoherentAtomSize = 64,
};

/* The numbers of isl are the bits of Vulkan. */
static void
set_sample_counts(VkPhysicalDeviceLimits *l,
                  const struct intel_device_info *info)
{
   const VkSampleCountFlags counts = info->sample_counts;
   l->storageImageSampleCounts =
      saf_has_sample_stores(info) ? counts : VK_SAMPLE_COUNT_1_BIT;
   l->framebufferColorSampleCounts = counts;
   l->framebufferDepthSampleCounts = counts;
   l->framebufferStencilSampleCounts = counts;
   l->framebufferNoAttachmentsSampleCounts = counts;
   l->sampledImageColorSampleCounts = counts;
   l->sampledImageIntegerSampleCounts = counts;
   l->sampledImageDepthSampleCounts = counts;
   l->sampledImageStencilSampleCounts = counts;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceProperties(VkPhysicalDevice _pdev,
                                VkPhysicalDeviceProperties *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   unsigned major = 0, minor = 0, patch = 0;
   sscanf(SAFFRON_VERSION, "%u.%u.%u", &major, &minor, &patch);
   *out = (VkPhysicalDeviceProperties) {
      .apiVersion = saf_api_version(pdev->info),
      .driverVersion = VK_MAKE_API_VERSION(0, major, minor, patch),
      .vendorID = 0x8086,
      .deviceID = pdev->info->pci_id,
      /* Loaders and programs then prefer a real one. */
      .deviceType = saf_physical_device_is_simulated(pdev)
                       ? VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU
                       : VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU,
      .limits = limits,
   };
   out->limits.maxPerStageDescriptorSamplers = pdev->info->max_samplers;
   out->limits.maxDescriptorSetSamplers = 6 * pdev->info->max_samplers;
   set_sample_counts(&out->limits, pdev->info);
   out->limits.timestampPeriod = 1e9f / (float)pdev->timestamp_frequency;
   memcpy(out->deviceName, pdev->name, sizeof(out->deviceName));
   memcpy(out->pipelineCacheUUID, pdev->cache_uuid, VK_UUID_SIZE);
}
