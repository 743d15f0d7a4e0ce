/* SPDX-License-Identifier: MIT */
/*
 * What each version of Vulkan asks of a device that reports it: features
 * ("Feature Requirements", and the elements <feature> of vk.xml, which
 * test_registry.py compares with the rows here), limits ("Required Limits"),
 * what formats can do ("Required Format Support"), and the names that it
 * gives to commands of extensions.
 */
#include "util/macros.h"
#include "vkt.h"

#include <stddef.h>
#include <string.h>

static uint32_t
version_of_device(void)
{
   return vkt_properties(NULL).apiVersion;
}

static bool
is_asked(unsigned minor)
{
   return version_of_device() >= VK_MAKE_API_VERSION(0, 1, minor, 0);
}

/* ---- features ---- */

/* All that the structures of core versions say, in one chain. */
struct features {
   VkPhysicalDeviceFeatures2 Features;
   VkPhysicalDeviceVulkan11Features Vulkan11Features;
   VkPhysicalDeviceVulkan12Features Vulkan12Features;
   VkPhysicalDeviceVulkan13Features Vulkan13Features;
   VkPhysicalDeviceVulkan14Features Vulkan14Features;
};

static void
get_features(struct features *f)
{
   memset(f, 0, sizeof(*f));
   f->Vulkan14Features.sType =
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES;
   f->Vulkan13Features.sType =
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
   f->Vulkan13Features.pNext = &f->Vulkan14Features;
   f->Vulkan12Features.sType =
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
   f->Vulkan12Features.pNext = &f->Vulkan13Features;
   f->Vulkan11Features.sType =
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
   f->Vulkan11Features.pNext = &f->Vulkan12Features;
   f->Features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
   f->Features.pNext = &f->Vulkan11Features;
   vkGetPhysicalDeviceFeatures2(vkt.pdev, &f->Features);
}

static const struct {
   unsigned minor;
   const char *name;
   size_t offset_B;
} required_features[] = {
#define F(minor, Struct, member)                                             \
   {                                                                         \
      minor, #member, offsetof(struct features, Struct.member)               \
   }
   F(0, Features.features, robustBufferAccess),
   F(1, Vulkan11Features, multiview),
   F(2, Vulkan12Features, hostQueryReset),
   F(2, Vulkan12Features, imagelessFramebuffer),
   F(2, Vulkan12Features, separateDepthStencilLayouts),
   F(2, Vulkan12Features, shaderSubgroupExtendedTypes),
   F(2, Vulkan12Features, subgroupBroadcastDynamicId),
   F(2, Vulkan12Features, timelineSemaphore),
   F(2, Vulkan12Features, uniformBufferStandardLayout),
   F(3, Vulkan12Features, bufferDeviceAddress),
   F(3, Vulkan12Features, vulkanMemoryModel),
   F(3, Vulkan12Features, vulkanMemoryModelDeviceScope),
   F(3, Vulkan13Features, computeFullSubgroups),
   F(3, Vulkan13Features, dynamicRendering),
   F(3, Vulkan13Features, inlineUniformBlock),
   F(3, Vulkan13Features, maintenance4),
   F(3, Vulkan13Features, pipelineCreationCacheControl),
   F(3, Vulkan13Features, privateData),
   F(3, Vulkan13Features, robustImageAccess),
   F(3, Vulkan13Features, shaderDemoteToHelperInvocation),
   F(3, Vulkan13Features, shaderIntegerDotProduct),
   F(3, Vulkan13Features, shaderTerminateInvocation),
   F(3, Vulkan13Features, shaderZeroInitializeWorkgroupMemory),
   F(3, Vulkan13Features, subgroupSizeControl),
   F(3, Vulkan13Features, synchronization2),
   F(4, Features.features, depthBiasClamp),
   F(4, Features.features, depthClamp),
   F(4, Features.features, drawIndirectFirstInstance),
   F(4, Features.features, fragmentStoresAndAtomics),
   F(4, Features.features, fullDrawIndexUint32),
   F(4, Features.features, imageCubeArray),
   F(4, Features.features, independentBlend),
   F(4, Features.features, largePoints),
   F(4, Features.features, sampleRateShading),
   F(4, Features.features, samplerAnisotropy),
   F(4, Features.features, shaderImageGatherExtended),
   F(4, Features.features, shaderInt16),
   F(4, Features.features, shaderSampledImageArrayDynamicIndexing),
   F(4, Features.features, shaderStorageBufferArrayDynamicIndexing),
   F(4, Features.features, shaderStorageImageArrayDynamicIndexing),
   F(4, Features.features, shaderStorageImageExtendedFormats),
   F(4, Features.features, shaderUniformBufferArrayDynamicIndexing),
   F(4, Vulkan11Features, samplerYcbcrConversion),
   F(4, Vulkan11Features, storageBuffer16BitAccess),
   F(4, Vulkan11Features, variablePointers),
   F(4, Vulkan11Features, variablePointersStorageBuffer),
   F(4, Vulkan12Features, samplerMirrorClampToEdge),
   F(4, Vulkan12Features, scalarBlockLayout),
   F(4, Vulkan12Features, shaderInt8),
   F(4, Vulkan12Features, shaderStorageTexelBufferArrayDynamicIndexing),
   F(4, Vulkan12Features, shaderUniformTexelBufferArrayDynamicIndexing),
   F(4, Vulkan12Features, storageBuffer8BitAccess),
   F(4, Vulkan14Features, bresenhamLines),
   F(4, Vulkan14Features, dynamicRenderingLocalRead),
   F(4, Vulkan14Features, globalPriorityQuery),
   F(4, Vulkan14Features, indexTypeUint8),
   F(4, Vulkan14Features, maintenance5),
   F(4, Vulkan14Features, maintenance6),
   F(4, Vulkan14Features, pipelineRobustness),
   F(4, Vulkan14Features, pushDescriptor),
   F(4, Vulkan14Features, shaderExpectAssume),
   F(4, Vulkan14Features, shaderFloatControls2),
   F(4, Vulkan14Features, shaderSubgroupRotate),
   F(4, Vulkan14Features, shaderSubgroupRotateClustered),
   F(4, Vulkan14Features, vertexAttributeInstanceRateDivisor),
#undef F
};

static void
test_features(void **state)
{
   struct features f;
   get_features(&f);
   for (unsigned i = 0; i < ARRAY_SIZE(required_features); i++) {
      const VkBool32 *member =
         (const void *)((char *)&f + required_features[i].offset_B);
      if (is_asked(required_features[i].minor) && *member != VK_TRUE)
         fail_msg("Vulkan 1.%u wants %s", required_features[i].minor,
                  required_features[i].name);
   }
   /* A device whose only family does everything has no other way for large
    * transfers. */
   uint32_t families = 0;
   vkGetPhysicalDeviceQueueFamilyProperties(vkt.pdev, &families, NULL);
   if (is_asked(4) && families == 1)
      assert_true(f.Vulkan14Features.hostImageCopy);
}

/* A device with all of them, asked for by the structure of the version. */
static void
test_device_of_version(void **state)
{
   struct features f;
   get_features(&f);
   const VkDeviceCreateInfo info = { .pNext = &f.Features };
   VkDevice device;
   VKT_CHECK(vkt_create_device(&info, NULL, &device));
   vkDestroyDevice(device, NULL);
   f.Vulkan14Features.stippledRectangularLines = VK_TRUE;
   assert_int_equal(vkt_create_device(&info, NULL, &device),
                    VK_ERROR_FEATURE_NOT_PRESENT);
}

/* ---- limits ---- */

struct limits {
   VkPhysicalDeviceProperties2 all;
   VkPhysicalDeviceVulkan11Properties p11;
   VkPhysicalDeviceVulkan12Properties p12;
   VkPhysicalDeviceVulkan13Properties p13;
   VkPhysicalDeviceVulkan14Properties p14;
};

enum kind {
   MIN, /* at least */
   MAX, /* at most */
   BITS,
};

enum unit { U32, I32, U64, F32 };

#define UNIT_OF(x)                                                           \
   _Generic((x), uint32_t : U32, int32_t : I32, uint64_t : U64, float : F32)

static double
number_at(const void *at, enum unit unit)
{
   switch (unit) {
   case U32: return *(const uint32_t *)at;
   case I32: return *(const int32_t *)at;
   case U64: return (double)*(const uint64_t *)at;
   case F32: return (double)*(const float *)at;
   }
   return 0;
}

static const struct {
   unsigned minor;
   const char *name;
   size_t offset_B;
   enum unit unit;
   enum kind kind;
   double value;
} required_limits[] = {
#define ROW(minor, member, kind, value)                                      \
   {                                                                         \
      minor, #member, offsetof(struct limits, member),                       \
         UNIT_OF(((struct limits *)0)->member), kind, value                  \
   }
#define L(minor, member, kind, value)                                        \
   ROW(minor, all.properties.limits.member, kind, value)
   L(0, maxTexelBufferElements, MIN, 65536),
   L(0, maxStorageBufferRange, MIN, 1 << 27),
   L(0, maxMemoryAllocationCount, MIN, 4096),
   L(0, maxSamplerAllocationCount, MIN, 4000),
   L(0, maxPerStageDescriptorSamplers, MIN, 16),
   L(0, maxPerStageDescriptorStorageBuffers, MIN, 4),
   L(0, maxPerStageDescriptorSampledImages, MIN, 16),
   L(0, maxPerStageDescriptorStorageImages, MIN, 4),
   L(0, maxPerStageDescriptorInputAttachments, MIN, 4),
   L(0, maxDescriptorSetSamplers, MIN, 96),
   L(0, maxDescriptorSetUniformBuffersDynamic, MIN, 8),
   L(0, maxDescriptorSetStorageBuffersDynamic, MIN, 4),
   L(0, maxDescriptorSetSampledImages, MIN, 96),
   L(0, maxDescriptorSetInputAttachments, MIN, 4),
   L(0, maxVertexInputAttributes, MIN, 16),
   L(0, maxVertexInputBindings, MIN, 16),
   L(0, maxVertexInputAttributeOffset, MIN, 2047),
   L(0, maxVertexInputBindingStride, MIN, 2048),
   L(0, maxVertexOutputComponents, MIN, 64),
   L(0, maxTessellationGenerationLevel, MIN, 64),
   L(0, maxTessellationPatchSize, MIN, 32),
   L(0, maxTessellationControlPerVertexInputComponents, MIN, 64),
   L(0, maxTessellationControlPerVertexOutputComponents, MIN, 64),
   L(0, maxTessellationControlPerPatchOutputComponents, MIN, 120),
   L(0, maxTessellationControlTotalOutputComponents, MIN, 2048),
   L(0, maxTessellationEvaluationInputComponents, MIN, 64),
   L(0, maxTessellationEvaluationOutputComponents, MIN, 64),
   L(0, maxGeometryShaderInvocations, MIN, 32),
   L(0, maxGeometryInputComponents, MIN, 64),
   L(0, maxGeometryOutputComponents, MIN, 64),
   L(0, maxGeometryOutputVertices, MIN, 256),
   L(0, maxGeometryTotalOutputComponents, MIN, 1024),
   L(0, maxFragmentInputComponents, MIN, 64),
   L(0, maxFragmentOutputAttachments, MIN, 4),
   L(0, maxFragmentDualSrcAttachments, MIN, 1),
   L(0, maxComputeSharedMemorySize, MIN, 16384),
   L(0, maxComputeWorkGroupCount[0], MIN, 65535),
   L(0, maxComputeWorkGroupCount[1], MIN, 65535),
   L(0, maxComputeWorkGroupCount[2], MIN, 65535),
   L(0, subPixelPrecisionBits, MIN, 4),
   L(0, maxDrawIndexedIndexValue, MIN, UINT32_MAX),
   L(0, maxDrawIndirectCount, MIN, 65535),
   L(0, maxSamplerAnisotropy, MIN, 16),
   L(0, maxViewports, MIN, 16),
   L(0, minMemoryMapAlignment, MIN, 64),
   L(0, minTexelBufferOffsetAlignment, MAX, 256),
   L(0, minUniformBufferOffsetAlignment, MAX, 256),
   L(0, minStorageBufferOffsetAlignment, MAX, 256),
   L(0, minTexelOffset, MAX, -8),
   L(0, maxTexelOffset, MIN, 7),
   L(0, minTexelGatherOffset, MAX, -8),
   L(0, maxTexelGatherOffset, MIN, 7),
   L(0, minInterpolationOffset, MAX, -0.5),
   L(0, maxInterpolationOffset, MIN, 0.4375),
   L(0, subPixelInterpolationOffsetBits, MIN, 4),
   L(0, maxFramebufferLayers, MIN, 256),
   L(0, framebufferColorSampleCounts, BITS, 5),
   L(0, framebufferDepthSampleCounts, BITS, 5),
   L(0, framebufferStencilSampleCounts, BITS, 5),
   L(0, framebufferNoAttachmentsSampleCounts, BITS, 5),
   L(0, sampledImageColorSampleCounts, BITS, 5),
   L(0, sampledImageIntegerSampleCounts, BITS, 1),
   L(0, sampledImageDepthSampleCounts, BITS, 5),
   L(0, sampledImageStencilSampleCounts, BITS, 5),
   L(0, storageImageSampleCounts, BITS, 1),
   L(0, maxSampleMaskWords, MIN, 1),
   L(0, maxClipDistances, MIN, 8),
   L(0, maxCullDistances, MIN, 8),
   L(0, maxCombinedClipAndCullDistances, MIN, 8),
   L(0, discreteQueuePriorities, MIN, 2),
   L(0, lineWidthRange[0], MAX, 1),
   L(0, lineWidthRange[1], MIN, 8 - 1.0 / 128),
   L(0, nonCoherentAtomSize, MAX, 256),
   ROW(1, p11.maxMultiviewViewCount, MIN, 6),
   ROW(1, p11.maxMultiviewInstanceIndex, MIN, (1 << 27) - 1),
   ROW(1, p11.maxPerSetDescriptors, MIN, 1024),
   ROW(1, p11.maxMemoryAllocationSize, MIN, 1 << 30),
   ROW(1, p11.subgroupSize, MIN, 1),
   ROW(1, p11.subgroupSupportedStages, BITS, VK_SHADER_STAGE_COMPUTE_BIT),
   ROW(1, p11.subgroupSupportedOperations, BITS,
       VK_SUBGROUP_FEATURE_BASIC_BIT),
   ROW(2, p12.maxTimelineSemaphoreValueDifference, MIN, INT32_MAX),
   ROW(2, p12.framebufferIntegerColorSampleCounts, BITS, 1),
   ROW(3, p13.maxBufferSize, MIN, 1 << 30),
   ROW(3, p13.maxInlineUniformBlockSize, MIN, 256),
   ROW(3, p13.maxPerStageDescriptorInlineUniformBlocks, MIN, 4),
   ROW(3, p13.maxDescriptorSetInlineUniformBlocks, MIN, 4),
   ROW(3, p13.maxInlineUniformTotalSize, MIN, 256),
   L(4, maxImageDimension1D, MIN, 8192),
   L(4, maxImageDimension2D, MIN, 8192),
   L(4, maxImageDimension3D, MIN, 512),
   L(4, maxImageDimensionCube, MIN, 8192),
   L(4, maxImageArrayLayers, MIN, 2048),
   L(4, maxUniformBufferRange, MIN, 65536),
   L(4, maxPushConstantsSize, MIN, 256),
   L(4, bufferImageGranularity, MAX, 4096),
   L(4, maxBoundDescriptorSets, MIN, 7),
   L(4, maxPerStageDescriptorUniformBuffers, MIN, 15),
   L(4, maxPerStageResources, MIN, 200),
   L(4, maxDescriptorSetUniformBuffers, MIN, 90),
   L(4, maxDescriptorSetStorageBuffers, MIN, 96),
   L(4, maxDescriptorSetStorageImages, MIN, 144),
   L(4, maxFragmentCombinedOutputResources, MIN, 16),
   L(4, maxComputeWorkGroupInvocations, MIN, 256),
   L(4, maxComputeWorkGroupSize[0], MIN, 256),
   L(4, maxComputeWorkGroupSize[1], MIN, 256),
   L(4, maxComputeWorkGroupSize[2], MIN, 64),
   L(4, subTexelPrecisionBits, MIN, 8),
   L(4, mipmapPrecisionBits, MIN, 6),
   L(4, maxSamplerLodBias, MIN, 14),
   L(4, maxViewportDimensions[0], MIN, 7680),
   L(4, maxViewportDimensions[1], MIN, 7680),
   L(4, viewportBoundsRange[0], MAX, -15360),
   L(4, viewportBoundsRange[1], MIN, 15359),
   L(4, maxFramebufferWidth, MIN, 7680),
   L(4, maxFramebufferHeight, MIN, 7680),
   L(4, maxColorAttachments, MIN, 8),
   L(4, timestampComputeAndGraphics, MIN, VK_TRUE),
   L(4, pointSizeRange[0], MAX, 1),
   L(4, pointSizeRange[1], MIN, 256 - 0.125),
   L(4, pointSizeGranularity, MAX, 0.125),
   L(4, lineWidthGranularity, MAX, 0.5),
   L(4, standardSampleLocations, MIN, VK_TRUE),
   ROW(4, p11.subgroupSupportedOperations, BITS,
       VK_SUBGROUP_FEATURE_CLUSTERED_BIT |
          VK_SUBGROUP_FEATURE_ROTATE_BIT_KHR |
          VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT_KHR),
   ROW(4, p12.shaderSignedZeroInfNanPreserveFloat16, MIN, VK_TRUE),
   ROW(4, p12.shaderSignedZeroInfNanPreserveFloat32, MIN, VK_TRUE),
   ROW(4, p14.lineSubPixelPrecisionBits, MIN, 4),
   ROW(4, p14.maxPushDescriptors, MIN, 32),
   ROW(4, p14.maxVertexAttribDivisor, MIN, 65535),
   ROW(4, p14.maxCombinedImageSamplerDescriptorCount, MIN, 1),
#undef L
#undef ROW
};

static void
test_limits(void **state)
{
   struct limits l;
   memset(&l, 0, sizeof(l));
   l.p11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
   l.p11.pNext = &l.p12;
   l.p12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
   l.p12.pNext = &l.p13;
   l.p13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES;
   l.p13.pNext = &l.p14;
   l.p14.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES;
   l.all.properties = vkt_properties(&l.p11);
   for (unsigned i = 0; i < ARRAY_SIZE(required_limits); i++) {
      if (!is_asked(required_limits[i].minor))
         continue;
      const double want = required_limits[i].value;
      const double have = number_at((char *)&l + required_limits[i].offset_B,
                                    required_limits[i].unit);
      const bool ok = required_limits[i].kind == MIN ? have >= want
                      : required_limits[i].kind == MAX
                         ? have <= want
                         : ((uint64_t)have & (uint64_t)want) ==
                              (uint64_t)want;
      if (!ok)
         fail_msg("Vulkan 1.%u wants %g of %s, not %g",
                  required_limits[i].minor, want, required_limits[i].name,
                  have);
   }
   assert_int_equal(l.p13.minSubgroupSize, 8);
   assert_int_equal(l.p13.uniformTexelBufferOffsetAlignmentBytes,
                    l.all.properties.limits.minTexelBufferOffsetAlignment);
}

/* The layouts of host copies: as many as there is room for. */
static void
test_copy_layouts(void **state)
{
   VkImageLayout src[2] = { VK_IMAGE_LAYOUT_MAX_ENUM,
                            VK_IMAGE_LAYOUT_MAX_ENUM };
   VkPhysicalDeviceVulkan14Properties p = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES,
   };
   vkt_properties(&p);
   assert_true(p.copySrcLayoutCount >= 2 && p.copyDstLayoutCount >= 2);
   p.copySrcLayoutCount = 1;
   p.pCopySrcLayouts = src;
   vkt_properties(&p);
   assert_int_equal(p.copySrcLayoutCount, 1);
   assert_int_equal(src[0], VK_IMAGE_LAYOUT_GENERAL);
   assert_int_equal(src[1], VK_IMAGE_LAYOUT_MAX_ENUM);
   assert_true(p.copyDstLayoutCount >= 2);
}

/* ---- formats ---- */

#define F(bit) VK_FORMAT_FEATURE_##bit##_BIT
/* Of images: sampled, filtered, drawn to, blended, stored to. */
#define S (F(SAMPLED_IMAGE) | F(BLIT_SRC) | F(TRANSFER_SRC) | F(TRANSFER_DST))
#define L F(SAMPLED_IMAGE_FILTER_LINEAR)
#define T (F(COLOR_ATTACHMENT) | F(BLIT_DST))
#define B F(COLOR_ATTACHMENT_BLEND)
#define I F(STORAGE_IMAGE)
#define A F(STORAGE_IMAGE_ATOMIC)
/* Of buffers: vertices, texels that are read, and stored. */
#define V F(VERTEX_BUFFER)
#define U F(UNIFORM_TEXEL_BUFFER)
#define W F(STORAGE_TEXEL_BUFFER)
#define X F(STORAGE_TEXEL_BUFFER_ATOMIC)

static const struct {
   VkFormat format;
   VkFormatFeatureFlags image, buffer;
   bool is_extended; /* stored to with shaderStorageImageExtendedFormats */
} required_formats[] = {
#define ROW(name, ...)                                                       \
   {                                                                         \
      VK_FORMAT_##name, __VA_ARGS__                                          \
   }
   ROW(B4G4R4A4_UNORM_PACK16, S | L),
   ROW(R5G6B5_UNORM_PACK16, S | L | T | B),
   ROW(A1R5G5B5_UNORM_PACK16, S | L | T | B),
   ROW(R8_UNORM, S | L | T | B, V | U, true),
   ROW(R8_SNORM, S | L, V | U, true),
   ROW(R8_UINT, S | T, V | U, true),
   ROW(R8_SINT, S | T, V | U, true),
   ROW(R8G8_UNORM, S | L | T | B, V | U, true),
   ROW(R8G8_SNORM, S | L, V | U, true),
   ROW(R8G8_UINT, S | T, V | U, true),
   ROW(R8G8_SINT, S | T, V | U, true),
   ROW(R8G8B8A8_UNORM, S | L | T | B | I, V | U | W),
   ROW(R8G8B8A8_SNORM, S | L | I, V | U | W),
   ROW(R8G8B8A8_UINT, S | T | I, V | U | W),
   ROW(R8G8B8A8_SINT, S | T | I, V | U | W),
   ROW(R8G8B8A8_SRGB, S | L | T | B),
   ROW(B8G8R8A8_UNORM, S | L | T | B, V | U),
   ROW(B8G8R8A8_SRGB, S | L | T | B),
   ROW(A8B8G8R8_UNORM_PACK32, S | L | T | B, V | U | W),
   ROW(A8B8G8R8_SNORM_PACK32, S | L, V | U | W),
   ROW(A8B8G8R8_UINT_PACK32, S | T, V | U | W),
   ROW(A8B8G8R8_SINT_PACK32, S | T, V | U | W),
   ROW(A8B8G8R8_SRGB_PACK32, S | L | T | B),
   ROW(A2B10G10R10_UNORM_PACK32, S | L | T | B, V | U, true),
   ROW(A2B10G10R10_UINT_PACK32, S | T, U, true),
   ROW(R16_UNORM, 0, V, true),
   ROW(R16_SNORM, 0, V, true),
   ROW(R16_UINT, S | T, V | U, true),
   ROW(R16_SINT, S | T, V | U, true),
   ROW(R16_SFLOAT, S | L | T | B, V | U, true),
   ROW(R16G16_UNORM, 0, V, true),
   ROW(R16G16_SNORM, 0, V, true),
   ROW(R16G16_UINT, S | T, V | U, true),
   ROW(R16G16_SINT, S | T, V | U, true),
   ROW(R16G16_SFLOAT, S | L | T | B, V | U, true),
   ROW(R16G16B16A16_UNORM, 0, V, true),
   ROW(R16G16B16A16_SNORM, 0, V, true),
   ROW(R16G16B16A16_UINT, S | T | I, V | U | W),
   ROW(R16G16B16A16_SINT, S | T | I, V | U | W),
   ROW(R16G16B16A16_SFLOAT, S | L | T | B | I, V | U | W),
   ROW(R32_UINT, S | T | I | A, V | U | W | X),
   ROW(R32_SINT, S | T | I | A, V | U | W | X),
   ROW(R32_SFLOAT, S | T | I, V | U | W),
   ROW(R32G32_UINT, S | T | I, V | U | W),
   ROW(R32G32_SINT, S | T | I, V | U | W),
   ROW(R32G32_SFLOAT, S | T | I, V | U | W),
   ROW(R32G32B32_UINT, 0, V),
   ROW(R32G32B32_SINT, 0, V),
   ROW(R32G32B32_SFLOAT, 0, V),
   ROW(R32G32B32A32_UINT, S | T | I, V | U | W),
   ROW(R32G32B32A32_SINT, S | T | I, V | U | W),
   ROW(R32G32B32A32_SFLOAT, S | T | I, V | U | W),
   ROW(B10G11R11_UFLOAT_PACK32, S | L, U, true),
   ROW(E5B9G9R9_UFLOAT_PACK32, S | L),
   ROW(D16_UNORM, S | F(DEPTH_STENCIL_ATTACHMENT)),
   ROW(G8_B8R8_2PLANE_420_UNORM, F(SAMPLED_IMAGE) | F(TRANSFER_SRC) |
                                    F(TRANSFER_DST) |
                                    F(COSITED_CHROMA_SAMPLES)),
   ROW(G8_B8_R8_3PLANE_420_UNORM, F(SAMPLED_IMAGE) | F(TRANSFER_SRC) |
                                     F(TRANSFER_DST) |
                                     F(COSITED_CHROMA_SAMPLES)),
#undef ROW
};

static VkFormatProperties3
format_properties(VkFormat format)
{
   VKT_INFO(FormatProperties3, p3);
   VKT_INFO(FormatProperties2, p, .pNext = &p3);
   vkGetPhysicalDeviceFormatProperties2(vkt.pdev, format, &p);
   return p3;
}

static bool
is_depth_target(VkFormat format)
{
   return format_properties(format).optimalTilingFeatures &
          F(DEPTH_STENCIL_ATTACHMENT);
}

/* With storage that shaders reach without a format goes that they do, both
 * ways, as the features say. */
static void
test_formats(void **state)
{
   struct features f;
   get_features(&f);
   const VkPhysicalDeviceFeatures *core = &f.Features.features;
   VkFormatFeatureFlags2 without = 0;
   if (core->shaderStorageImageReadWithoutFormat)
      without |= VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT;
   if (core->shaderStorageImageWriteWithoutFormat)
      without |= VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;

   for (unsigned i = 0; i < ARRAY_SIZE(required_formats); i++) {
      const VkFormatProperties3 p =
         format_properties(required_formats[i].format);
      VkFormatFeatureFlags2 image = required_formats[i].image,
                            buffer = required_formats[i].buffer;
      if (required_formats[i].is_extended &&
          core->shaderStorageImageExtendedFormats)
         image |= I;
      if (image & I)
         image |= without;
      if (buffer & W)
         buffer |= without;
      image &= ~p.optimalTilingFeatures;
      buffer &= ~p.bufferFeatures;
      if (image || buffer)
         fail_msg("format %d lacks 0x%llx of images, 0x%llx of buffers",
                  required_formats[i].format, (unsigned long long)image,
                  (unsigned long long)buffer);
   }
   assert_true(is_depth_target(VK_FORMAT_X8_D24_UNORM_PACK32) ||
               is_depth_target(VK_FORMAT_D32_SFLOAT));
   assert_true(is_depth_target(VK_FORMAT_D24_UNORM_S8_UINT) ||
               is_depth_target(VK_FORMAT_D32_SFLOAT_S8_UINT));
}

#undef F
#undef S
#undef L
#undef T
#undef B
#undef I
#undef A
#undef V
#undef U
#undef W
#undef X

/* ---- commands ---- */

/* Those of a version, and the names that they had. */
static const struct {
   unsigned minor;
   const char *core, *older;
} commands[] = {
#define C(minor, name, vendor)                                               \
   {                                                                         \
      minor, "vk" name, "vk" name vendor                                     \
   }
   C(3, "CmdBeginRendering", "KHR"),
   C(4, "CmdBindDescriptorSets2", "KHR"),
   C(4, "CmdBindIndexBuffer2", "KHR"),
   C(4, "CmdPushConstants2", "KHR"),
   C(4, "CmdPushDescriptorSet", "KHR"),
   C(4, "CmdPushDescriptorSet2", "KHR"),
   C(4, "CmdPushDescriptorSetWithTemplate", "KHR"),
   C(4, "CmdPushDescriptorSetWithTemplate2", "KHR"),
   C(4, "CmdSetLineStipple", "EXT"),
   C(4, "CmdSetRenderingAttachmentLocations", "KHR"),
   C(4, "CmdSetRenderingInputAttachmentIndices", "KHR"),
   C(4, "CopyImageToImage", "EXT"),
   C(4, "CopyImageToMemory", "EXT"),
   C(4, "CopyMemoryToImage", "EXT"),
   C(4, "GetDeviceImageSubresourceLayout", "KHR"),
   C(4, "GetImageSubresourceLayout2", "KHR"),
   C(4, "GetRenderingAreaGranularity", "KHR"),
   C(4, "MapMemory2", "KHR"),
   C(4, "TransitionImageLayout", "EXT"),
   C(4, "UnmapMemory2", "KHR"),
#undef C
};

static void
test_commands(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(commands); i++) {
      const PFN_vkVoidFunction f = vkGetDeviceProcAddr(vkt.device,
                                                       commands[i].core),
                               older = vkGetDeviceProcAddr(vkt.device,
                                                           commands[i].older);
      if (is_asked(commands[i].minor))
         assert_non_null(f);
      else
         assert_null(f);
      if (f)
         assert_ptr_equal(f, older);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_features),
      cmocka_unit_test(test_device_of_version),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_copy_layouts),
      cmocka_unit_test(test_commands),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
