/* SPDX-License-Identifier: MIT */
/*
 * Problem: what an extension's structure says, a core version's structure
 * says once more.
 *
 * Method: most members of a core version's structure are those of others, in
 * runs and in the same order: a table says which, and each run is asked for
 * by the other structure. Only what no extension says stands here itself.
 */
#include "saf_shader_features.h"
#include "intel/vulkan/base/saf_device.h"
#include "saf_versions.h"

#include <stddef.h>

struct run {
   VkStructureType type;
   uint32_t from_B, size_B; /* in the extension's structure */
   uint32_t to_B;
};

/* The members from `first` to `last` of both. */
#define RUN_AS(TYPE, Small, Big, first, last, as)                            \
   {                                                                         \
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE, offsetof(Small, first),      \
         offsetof(Small, last) + sizeof(((Small *)0)->last) -                \
            offsetof(Small, first),                                          \
         offsetof(Big, as)                                                   \
   }
#define RUN(TYPE, Small, Big, first, last)                                   \
   RUN_AS(TYPE, Small, Big, first, last, first)

#define MAX_STRUCT_B 1024

static void
fill_runs(const struct saf_physical_device *pdev, void *out,
          const struct run *runs, unsigned count,
          void (*get)(const struct saf_physical_device *pdev, void *chain))
{
   for (unsigned i = 0; i < count; i++) {
      union {
         VkBaseOutStructure head;
         char bytes[MAX_STRUCT_B];
      } s;
      memset(&s, 0, sizeof(s));
      assert(runs[i].from_B + runs[i].size_B <= sizeof(s));
      s.head.sType = runs[i].type;
      get(pdev, &s);
      memcpy((char *)out + runs[i].to_B, s.bytes + runs[i].from_B,
             runs[i].size_B);
   }
}

static void
get_features(const struct saf_physical_device *pdev, void *chain)
{
   VkPhysicalDeviceFeatures2 f = { .pNext = chain };
   saf_GetPhysicalDeviceFeatures2(
      saf_physical_device_to_handle((struct saf_physical_device *)pdev), &f);
}

static void
get_properties(const struct saf_physical_device *pdev, void *chain)
{
   VkPhysicalDeviceProperties2 p = { .pNext = chain };
   saf_GetPhysicalDeviceProperties2(
      saf_physical_device_to_handle((struct saf_physical_device *)pdev), &p);
}

/* ---- 1.1 ---- */

#define F11(TYPE, Small, first, last)                                        \
   RUN(TYPE##_FEATURES, VkPhysicalDevice##Small##Features,                   \
       VkPhysicalDeviceVulkan11Features, first, last)

void
saf_fill_vulkan_1_1_features(const struct saf_physical_device *pdev, void *s)
{
   static const struct run runs[] = {
      F11(16BIT_STORAGE, 16BitStorage, storageBuffer16BitAccess,
          storageInputOutput16),
      F11(MULTIVIEW, Multiview, multiview, multiviewTessellationShader),
      F11(VARIABLE_POINTERS, VariablePointers, variablePointersStorageBuffer,
          variablePointers),
      F11(PROTECTED_MEMORY, ProtectedMemory, protectedMemory,
          protectedMemory),
      F11(SAMPLER_YCBCR_CONVERSION, SamplerYcbcrConversion,
          samplerYcbcrConversion, samplerYcbcrConversion),
      F11(SHADER_DRAW_PARAMETERS, ShaderDrawParameters, shaderDrawParameters,
          shaderDrawParameters),
   };
   fill_runs(pdev, s, runs, ARRAY_SIZE(runs), get_features);
}

#define P11(TYPE, Small, first, last)                                        \
   RUN(TYPE##_PROPERTIES, VkPhysicalDevice##Small##Properties,               \
       VkPhysicalDeviceVulkan11Properties, first, last)

#define P11_AS(TYPE, Small, first, last, as)                                 \
   RUN_AS(TYPE##_PROPERTIES, VkPhysicalDevice##Small##Properties,            \
          VkPhysicalDeviceVulkan11Properties, first, last, as)

void
saf_fill_vulkan_1_1_properties(const struct saf_physical_device *pdev,
                               void *s)
{
   static const struct run runs[] = {
      P11(ID, ID, deviceUUID, deviceLUIDValid),
      P11(SUBGROUP, Subgroup, subgroupSize, subgroupSize),
      P11_AS(SUBGROUP, Subgroup, supportedStages, quadOperationsInAllStages,
             subgroupSupportedStages),
      P11(POINT_CLIPPING, PointClipping, pointClippingBehavior,
          pointClippingBehavior),
      P11(MULTIVIEW, Multiview, maxMultiviewViewCount,
          maxMultiviewInstanceIndex),
      P11(PROTECTED_MEMORY, ProtectedMemory, protectedNoFault,
          protectedNoFault),
      P11(MAINTENANCE_3, Maintenance3, maxPerSetDescriptors,
          maxPerSetDescriptors),
      P11(MAINTENANCE_3, Maintenance3, maxMemoryAllocationSize,
          maxMemoryAllocationSize),
   };
   fill_runs(pdev, s, runs, ARRAY_SIZE(runs), get_properties);
}

/* ---- 1.2 ---- */

#define F12(TYPE, Small, first, last)                                        \
   RUN(TYPE##_FEATURES, VkPhysicalDevice##Small##Features,                   \
       VkPhysicalDeviceVulkan12Features, first, last)

void
saf_fill_vulkan_1_2_features(const struct saf_physical_device *pdev, void *s)
{
   static const struct run runs[] = {
      F12(8BIT_STORAGE, 8BitStorage, storageBuffer8BitAccess,
          storagePushConstant8),
      F12(SHADER_ATOMIC_INT64, ShaderAtomicInt64, shaderBufferInt64Atomics,
          shaderSharedInt64Atomics),
      F12(SHADER_FLOAT16_INT8, ShaderFloat16Int8, shaderFloat16, shaderInt8),
      F12(DESCRIPTOR_INDEXING, DescriptorIndexing,
          shaderInputAttachmentArrayDynamicIndexing, runtimeDescriptorArray),
      F12(SCALAR_BLOCK_LAYOUT, ScalarBlockLayout, scalarBlockLayout,
          scalarBlockLayout),
      F12(IMAGELESS_FRAMEBUFFER, ImagelessFramebuffer, imagelessFramebuffer,
          imagelessFramebuffer),
      F12(UNIFORM_BUFFER_STANDARD_LAYOUT, UniformBufferStandardLayout,
          uniformBufferStandardLayout, uniformBufferStandardLayout),
      F12(SHADER_SUBGROUP_EXTENDED_TYPES, ShaderSubgroupExtendedTypes,
          shaderSubgroupExtendedTypes, shaderSubgroupExtendedTypes),
      F12(SEPARATE_DEPTH_STENCIL_LAYOUTS, SeparateDepthStencilLayouts,
          separateDepthStencilLayouts, separateDepthStencilLayouts),
      F12(HOST_QUERY_RESET, HostQueryReset, hostQueryReset, hostQueryReset),
      F12(TIMELINE_SEMAPHORE, TimelineSemaphore, timelineSemaphore,
          timelineSemaphore),
      F12(BUFFER_DEVICE_ADDRESS, BufferDeviceAddress, bufferDeviceAddress,
          bufferDeviceAddressMultiDevice),
      F12(VULKAN_MEMORY_MODEL, VulkanMemoryModel, vulkanMemoryModel,
          vulkanMemoryModelAvailabilityVisibilityChains),
   };
   fill_runs(pdev, s, runs, ARRAY_SIZE(runs), get_features);
   VkPhysicalDeviceVulkan12Features *f = s;
   f->samplerMirrorClampToEdge = true;
   f->drawIndirectCount = true;
   f->descriptorIndexing = saf_has_bindless(pdev);
   f->samplerFilterMinmax = saf_has_device_extension(
      pdev->info, SAF_DEVICE_VK_EXT_sampler_filter_minmax);
   f->shaderOutputViewportIndex = true;
   f->shaderOutputLayer = true;
   f->subgroupBroadcastDynamicId = true;
}

#define P12(TYPE, Small, first, last)                                        \
   RUN(TYPE##_PROPERTIES, VkPhysicalDevice##Small##Properties,               \
       VkPhysicalDeviceVulkan12Properties, first, last)

void
saf_fill_vulkan_1_2_properties(const struct saf_physical_device *pdev,
                               void *s)
{
   static const struct run runs[] = {
      P12(DRIVER, Driver, driverID, conformanceVersion),
      P12(FLOAT_CONTROLS, FloatControls, denormBehaviorIndependence,
          shaderRoundingModeRTZFloat64),
      P12(DESCRIPTOR_INDEXING, DescriptorIndexing,
          maxUpdateAfterBindDescriptorsInAllPools,
          maxDescriptorSetUpdateAfterBindInputAttachments),
      P12(DEPTH_STENCIL_RESOLVE, DepthStencilResolve,
          supportedDepthResolveModes, independentResolve),
      P12(SAMPLER_FILTER_MINMAX, SamplerFilterMinmax,
          filterMinmaxSingleComponentFormats,
          filterMinmaxImageComponentMapping),
      P12(TIMELINE_SEMAPHORE, TimelineSemaphore,
          maxTimelineSemaphoreValueDifference,
          maxTimelineSemaphoreValueDifference),
   };
   fill_runs(pdev, s, runs, ARRAY_SIZE(runs), get_properties);
   VkPhysicalDeviceVulkan12Properties *p = s;
   VkPhysicalDeviceProperties all;
   saf_GetPhysicalDeviceProperties(
      saf_physical_device_to_handle((struct saf_physical_device *)pdev),
      &all);
   p->framebufferIntegerColorSampleCounts =
      all.limits.framebufferColorSampleCounts;
}

/* ---- 1.3 ---- */

#define F13_OF(TYPE, Struct, first, last)                                    \
   RUN(TYPE##_FEATURES, VkPhysicalDevice##Struct##Features,                  \
       VkPhysicalDeviceVulkan13Features, first, last)
#define F13(TYPE, Struct, member) F13_OF(TYPE, Struct, member, member)

void
saf_fill_vulkan_1_3_features(const struct saf_physical_device *pdev, void *s)
{
   static const struct run runs[] = {
      F13(IMAGE_ROBUSTNESS, ImageRobustness, robustImageAccess),
      F13_OF(INLINE_UNIFORM_BLOCK, InlineUniformBlock, inlineUniformBlock,
             descriptorBindingInlineUniformBlockUpdateAfterBind),
      F13(PIPELINE_CREATION_CACHE_CONTROL, PipelineCreationCacheControl,
          pipelineCreationCacheControl),
      F13(PRIVATE_DATA, PrivateData, privateData),
      F13(SHADER_DEMOTE_TO_HELPER_INVOCATION, ShaderDemoteToHelperInvocation,
          shaderDemoteToHelperInvocation),
      F13(SHADER_TERMINATE_INVOCATION, ShaderTerminateInvocation,
          shaderTerminateInvocation),
      F13_OF(SUBGROUP_SIZE_CONTROL, SubgroupSizeControl, subgroupSizeControl,
             computeFullSubgroups),
      F13(SYNCHRONIZATION_2, Synchronization2, synchronization2),
      F13(ZERO_INITIALIZE_WORKGROUP_MEMORY, ZeroInitializeWorkgroupMemory,
          shaderZeroInitializeWorkgroupMemory),
      F13(DYNAMIC_RENDERING, DynamicRendering, dynamicRendering),
      F13(SHADER_INTEGER_DOT_PRODUCT, ShaderIntegerDotProduct,
          shaderIntegerDotProduct),
      F13(MAINTENANCE_4, Maintenance4, maintenance4),
   };
   fill_runs(pdev, s, runs, ARRAY_SIZE(runs), get_features);
}

#define P13(TYPE, Struct, first, last)                                       \
   RUN(TYPE##_PROPERTIES, VkPhysicalDevice##Struct##Properties,              \
       VkPhysicalDeviceVulkan13Properties, first, last)

void
saf_fill_vulkan_1_3_properties(const struct saf_physical_device *pdev,
                               void *s)
{
   static const struct run runs[] = {
      P13(SUBGROUP_SIZE_CONTROL, SubgroupSizeControl, minSubgroupSize,
          requiredSubgroupSizeStages),
      P13(INLINE_UNIFORM_BLOCK, InlineUniformBlock, maxInlineUniformBlockSize,
          maxDescriptorSetUpdateAfterBindInlineUniformBlocks),
      P13(
         SHADER_INTEGER_DOT_PRODUCT, ShaderIntegerDotProduct,
         integerDotProduct8BitUnsignedAccelerated,
         integerDotProductAccumulatingSaturating64BitMixedSignednessAccelerated),
      P13(TEXEL_BUFFER_ALIGNMENT, TexelBufferAlignment,
          storageTexelBufferOffsetAlignmentBytes,
          uniformTexelBufferOffsetSingleTexelAlignment),
      P13(MAINTENANCE_4, Maintenance4, maxBufferSize, maxBufferSize),
   };
   fill_runs(pdev, s, runs, ARRAY_SIZE(runs), get_properties);
   VkPhysicalDeviceVulkan13Properties *p = s;
   p->maxInlineUniformTotalSize = MAX_INLINE_BLOCKS * SAF_MAX_INLINE_BLOCK_B;
}

/* ---- 1.4 ---- */

#define F14_OF(TYPE, Struct, first, last)                                    \
   RUN(TYPE, VkPhysicalDevice##Struct, VkPhysicalDeviceVulkan14Features,     \
       first, last)
#define F14(TYPE, Struct, member) F14_OF(TYPE, Struct, member, member)

void
saf_fill_vulkan_1_4_features(const struct saf_physical_device *pdev, void *s)
{
   static const struct run runs[] = {
      F14(GLOBAL_PRIORITY_QUERY_FEATURES_KHR, GlobalPriorityQueryFeaturesKHR,
          globalPriorityQuery),
      F14_OF(SHADER_SUBGROUP_ROTATE_FEATURES_KHR,
             ShaderSubgroupRotateFeaturesKHR, shaderSubgroupRotate,
             shaderSubgroupRotateClustered),
      F14(SHADER_FLOAT_CONTROLS_2_FEATURES_KHR,
          ShaderFloatControls2FeaturesKHR, shaderFloatControls2),
      F14(SHADER_EXPECT_ASSUME_FEATURES_KHR, ShaderExpectAssumeFeaturesKHR,
          shaderExpectAssume),
      F14_OF(LINE_RASTERIZATION_FEATURES_EXT, LineRasterizationFeaturesEXT,
             rectangularLines, stippledSmoothLines),
      F14_OF(VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
             VertexAttributeDivisorFeaturesEXT,
             vertexAttributeInstanceRateDivisor,
             vertexAttributeInstanceRateZeroDivisor),
      F14(INDEX_TYPE_UINT8_FEATURES_EXT, IndexTypeUint8FeaturesEXT,
          indexTypeUint8),
      F14(DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
          DynamicRenderingLocalReadFeaturesKHR, dynamicRenderingLocalRead),
      F14(MAINTENANCE_5_FEATURES_KHR, Maintenance5FeaturesKHR, maintenance5),
      F14(MAINTENANCE_6_FEATURES_KHR, Maintenance6FeaturesKHR, maintenance6),
      F14(PIPELINE_PROTECTED_ACCESS_FEATURES_EXT,
          PipelineProtectedAccessFeaturesEXT, pipelineProtectedAccess),
      F14(PIPELINE_ROBUSTNESS_FEATURES_EXT, PipelineRobustnessFeaturesEXT,
          pipelineRobustness),
      F14(HOST_IMAGE_COPY_FEATURES_EXT, HostImageCopyFeaturesEXT,
          hostImageCopy),
   };
   fill_runs(pdev, s, runs, ARRAY_SIZE(runs), get_features);
   ((VkPhysicalDeviceVulkan14Features *)s)->pushDescriptor = true;
}

#define P14_OF(TYPE, Struct, first, last)                                    \
   RUN(TYPE, VkPhysicalDevice##Struct, VkPhysicalDeviceVulkan14Properties,   \
       first, last)
#define P14(TYPE, Struct, member) P14_OF(TYPE, Struct, member, member)

/* The application has said how many layouts it has room for. */
void
saf_fill_vulkan_1_4_properties(const struct saf_physical_device *pdev,
                               void *s)
{
   static const struct run runs[] = {
      P14(LINE_RASTERIZATION_PROPERTIES_EXT, LineRasterizationPropertiesEXT,
          lineSubPixelPrecisionBits),
      P14_OF(VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_KHR,
             VertexAttributeDivisorPropertiesKHR, maxVertexAttribDivisor,
             supportsNonZeroFirstInstance),
      P14(PUSH_DESCRIPTOR_PROPERTIES_KHR, PushDescriptorPropertiesKHR,
          maxPushDescriptors),
      P14_OF(MAINTENANCE_5_PROPERTIES_KHR, Maintenance5PropertiesKHR,
             earlyFragmentMultisampleCoverageAfterSampleCounting,
             nonStrictWideLinesUseParallelogram),
      P14_OF(MAINTENANCE_6_PROPERTIES_KHR, Maintenance6PropertiesKHR,
             blockTexelViewCompatibleMultipleLayers,
             fragmentShadingRateClampCombinerInputs),
      P14_OF(PIPELINE_ROBUSTNESS_PROPERTIES_EXT,
             PipelineRobustnessPropertiesEXT, defaultRobustnessStorageBuffers,
             defaultRobustnessImages),
   };
   fill_runs(pdev, s, runs, ARRAY_SIZE(runs), get_properties);
   VkPhysicalDeviceVulkan14Properties *p = s;
   VkPhysicalDeviceHostImageCopyPropertiesEXT copies = {
      .copySrcLayoutCount = p->copySrcLayoutCount,
      .pCopySrcLayouts = p->pCopySrcLayouts,
      .copyDstLayoutCount = p->copyDstLayoutCount,
      .pCopyDstLayouts = p->pCopyDstLayouts,
   };
   saf_fill_host_copy_layouts(pdev, &copies);
   p->copySrcLayoutCount = copies.copySrcLayoutCount;
   p->copyDstLayoutCount = copies.copyDstLayoutCount;
   memcpy(p->optimalTilingLayoutUUID, copies.optimalTilingLayoutUUID,
          VK_UUID_SIZE);
   p->identicalMemoryTypeRequirements =
      copies.identicalMemoryTypeRequirements;
   p->dynamicRenderingLocalReadDepthStencilAttachments = true;
   p->dynamicRenderingLocalReadMultisampledAttachments = true;
}
