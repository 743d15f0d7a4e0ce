/* SPDX-License-Identifier: MIT */
/*
 * Features, properties and limits: a row a structure.
 *
 * A feature or limit is reported when the driver, the compiler and the
 * hardware description all have it; what GL 3.3 through zink needs is the
 * measure of what had to be there.
 */
#include "saf_shader_features.h"
#include "intel/vulkan/base/saf_genx.h"
#include "saf_versions.h"
#include "intel/vulkan/pipeline/saf_nir_format.h"

#include <stdio.h>

/* What a structure of a chain gets; fields that a row does not name are
 * false or 0. */
struct row {
   VkStructureType type;
   size_t size_B;
   const void *value; /* its first two fields do not count */
   /* What depends on the device, afterwards; may be NULL. */
   void (*fill)(const struct saf_physical_device *pdev, void *s);
};

#define ROW_WITH(fill, TYPE, struct_type, ...)                               \
   {                                                                         \
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE, sizeof(struct_type),         \
         &(const struct_type) { .pNext = NULL, __VA_ARGS__ }, fill           \
   }
/* What the application has filled in itself is not cleared. */
#define IN_OUT(TYPE, fill)                                                   \
   {                                                                         \
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE, sizeof(VkBaseOutStructure),  \
         &(const VkBaseOutStructure) { .pNext = NULL }, fill                 \
   }
#define ROW(...) ROW_WITH(NULL, __VA_ARGS__)
#define FILLED(TYPE, struct_type, fill)                                      \
   ROW_WITH(fill, TYPE, struct_type, .sType = (VkStructureType)0)

static void
fill_chain(const struct saf_physical_device *pdev, void *first,
           const struct row *rows, unsigned count)
{
   saf_foreach_out_struct(s, first)
   {
      for (unsigned i = 0; i < count; i++) {
         const struct row *r = &rows[i];
         if (r->type != s->sType)
            continue;
         memcpy(s + 1, (const VkBaseOutStructure *)r->value + 1,
                r->size_B - sizeof(*s));
         if (r->fill)
            r->fill(pdev, s);
         break;
      }
   }
}

/* ---- features ---- */

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceFeatures(VkPhysicalDevice _pdev,
                              VkPhysicalDeviceFeatures *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   *out = (VkPhysicalDeviceFeatures) {
      .robustBufferAccess = true,
      .fullDrawIndexUint32 = true,
      .imageCubeArray = true,
      .independentBlend = true,
      .geometryShader = true,
      .tessellationShader = true,
      .sampleRateShading = true,
      .dualSrcBlend = true,
      .logicOp = true,
      .multiDrawIndirect = true,
      .drawIndirectFirstInstance = true,
      .depthClamp = true,
      .depthBiasClamp = true,
      .fillModeNonSolid = true,
      .alphaToOne = true,
      .wideLines = true,
      .largePoints = true,
      .multiViewport = true,
      .occlusionQueryPrecise = true,
      .pipelineStatisticsQuery = true,
      .vertexPipelineStoresAndAtomics = true,
      .fragmentStoresAndAtomics = true,
      .shaderStorageImageExtendedFormats =
         isl_storage_read_format(pdev->info, ISL_FORMAT_R16G16B16A16_UNORM) !=
         ISL_FORMAT_UNSUPPORTED,
      .shaderStorageImageReadWithoutFormat = saf_reads_any_format(pdev->info),
      .shaderStorageImageWriteWithoutFormat = true,
      .shaderStorageImageMultisample = saf_has_sample_stores(pdev->info),
      .shaderUniformBufferArrayDynamicIndexing = true,
      .shaderStorageBufferArrayDynamicIndexing = true,
      .shaderSampledImageArrayDynamicIndexing = true,
      .shaderStorageImageArrayDynamicIndexing = true,
      .samplerAnisotropy = true,
      .textureCompressionETC2 = isl_format_supports(
         pdev->info, ISL_FORMAT_ETC2_RGB8, ISL_FORMAT_USE_SAMPLED),
      .textureCompressionASTC_LDR =
         isl_format_supports(pdev->info, ISL_FORMAT_ASTC_LDR_2D_4X4_FLT16,
                             ISL_FORMAT_USE_SAMPLED),
      .textureCompressionBC = true,
      .shaderTessellationAndGeometryPointSize = true,
      .shaderImageGatherExtended = true,
      .shaderClipDistance = true,
      .shaderCullDistance = true,
      .inheritedQueries = true, /* secondary ones are replayed */
      .shaderResourceMinLod = pdev->info->eu.sample_has_min_lod,
      .variableMultisampleRate = true,
      .shaderFloat64 = true,
      .shaderInt64 = true,
      .shaderInt16 = true,
   };
}

static const struct row features[] = {
   FILLED(VULKAN_1_1_FEATURES, VkPhysicalDeviceVulkan11Features,
          saf_fill_vulkan_1_1_features),
   FILLED(VULKAN_1_2_FEATURES, VkPhysicalDeviceVulkan12Features,
          saf_fill_vulkan_1_2_features),
   FILLED(VULKAN_1_3_FEATURES, VkPhysicalDeviceVulkan13Features,
          saf_fill_vulkan_1_3_features),
   FILLED(VULKAN_1_4_FEATURES, VkPhysicalDeviceVulkan14Features,
          saf_fill_vulkan_1_4_features),
   ROW(SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
       VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures,
       .shaderSubgroupExtendedTypes = true),
   ROW(16BIT_STORAGE_FEATURES, VkPhysicalDevice16BitStorageFeatures,
       .storageBuffer16BitAccess = true,
       .uniformAndStorageBuffer16BitAccess = true,
       .storagePushConstant16 = true, .storageInputOutput16 = true),
   ROW(8BIT_STORAGE_FEATURES, VkPhysicalDevice8BitStorageFeatures,
       .storageBuffer8BitAccess = true,
       .uniformAndStorageBuffer8BitAccess = true,
       .storagePushConstant8 = true),
   ROW(MULTIVIEW_FEATURES, VkPhysicalDeviceMultiviewFeatures,
       .multiview = true, .multiviewGeometryShader = true,
       .multiviewTessellationShader = true),
   ROW(VARIABLE_POINTERS_FEATURES, VkPhysicalDeviceVariablePointersFeatures,
       .variablePointersStorageBuffer = true, .variablePointers = true),
   ROW(PROTECTED_MEMORY_FEATURES, VkPhysicalDeviceProtectedMemoryFeatures, 0),
   ROW(SAMPLER_YCBCR_CONVERSION_FEATURES,
       VkPhysicalDeviceSamplerYcbcrConversionFeatures,
       .samplerYcbcrConversion = true),
   ROW(YCBCR_IMAGE_ARRAYS_FEATURES_EXT,
       VkPhysicalDeviceYcbcrImageArraysFeaturesEXT, .ycbcrImageArrays = true),
   ROW(YCBCR_2_PLANE_444_FORMATS_FEATURES_EXT,
       VkPhysicalDeviceYcbcr2Plane444FormatsFeaturesEXT,
       .ycbcr2plane444Formats = true),
   ROW(SHADER_DRAW_PARAMETERS_FEATURES,
       VkPhysicalDeviceShaderDrawParametersFeatures,
       .shaderDrawParameters = true),
   ROW(TRANSFORM_FEEDBACK_FEATURES_EXT,
       VkPhysicalDeviceTransformFeedbackFeaturesEXT,
       .transformFeedback = true, .geometryStreams = true),
   ROW(CONDITIONAL_RENDERING_FEATURES_EXT,
       VkPhysicalDeviceConditionalRenderingFeaturesEXT,
       .conditionalRendering = true, .inheritedConditionalRendering = true),
   ROW(PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
       VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT,
       .primitivesGeneratedQuery = true,
       .primitivesGeneratedQueryWithRasterizerDiscard = true),
   ROW(DEPTH_CLIP_ENABLE_FEATURES_EXT,
       VkPhysicalDeviceDepthClipEnableFeaturesEXT, .depthClipEnable = true),
   ROW(VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
       VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT,
       .vertexAttributeInstanceRateDivisor = true,
       .vertexAttributeInstanceRateZeroDivisor = true),
   ROW(NON_SEAMLESS_CUBE_MAP_FEATURES_EXT,
       VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT,
       .nonSeamlessCubeMap = true),
   ROW(CUSTOM_BORDER_COLOR_FEATURES_EXT,
       VkPhysicalDeviceCustomBorderColorFeaturesEXT,
       .customBorderColors = true, .customBorderColorWithoutFormat = true),
   ROW(LINE_RASTERIZATION_FEATURES_EXT,
       VkPhysicalDeviceLineRasterizationFeaturesEXT, .rectangularLines = true,
       .bresenhamLines = true, .smoothLines = true,
       .stippledBresenhamLines = true),
   ROW(SCALAR_BLOCK_LAYOUT_FEATURES,
       VkPhysicalDeviceScalarBlockLayoutFeatures, .scalarBlockLayout = true),
   ROW(PROVOKING_VERTEX_FEATURES_EXT,
       VkPhysicalDeviceProvokingVertexFeaturesEXT,
       .provokingVertexLast = true,
       .transformFeedbackPreservesProvokingVertex = true),
   ROW(ROBUSTNESS_2_FEATURES_EXT, VkPhysicalDeviceRobustness2FeaturesEXT,
       .robustBufferAccess2 = true, .robustImageAccess2 = true,
       .nullDescriptor = true),
   ROW(INDEX_TYPE_UINT8_FEATURES_EXT,
       VkPhysicalDeviceIndexTypeUint8FeaturesEXT, .indexTypeUint8 = true),
   ROW(SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES,
       VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures,
       .shaderDemoteToHelperInvocation = true),
   ROW(HOST_QUERY_RESET_FEATURES, VkPhysicalDeviceHostQueryResetFeatures,
       .hostQueryReset = true),
   ROW(UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
       VkPhysicalDeviceUniformBufferStandardLayoutFeatures,
       .uniformBufferStandardLayout = true),
   ROW(ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT,
       VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT,
       .attachmentFeedbackLoopLayout = true),
   ROW(ATTACHMENT_FEEDBACK_LOOP_DYNAMIC_STATE_FEATURES_EXT,
       VkPhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT,
       .attachmentFeedbackLoopDynamicState = true),
   ROW(PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
       VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR,
       .pipelineExecutableInfo = true),
   ROW(EXTENDED_DYNAMIC_STATE_FEATURES_EXT,
       VkPhysicalDeviceExtendedDynamicStateFeaturesEXT,
       .extendedDynamicState = true),
   FILLED(EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
          VkPhysicalDeviceExtendedDynamicState2FeaturesEXT,
          saf_fill_dynamic_state2),
   ROW(EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
       VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
       .extendedDynamicState3TessellationDomainOrigin = true,
       .extendedDynamicState3DepthClampEnable = true,
       .extendedDynamicState3SampleLocationsEnable = true,
       .extendedDynamicState3ConservativeRasterizationMode = true,
       .extendedDynamicState3ExtraPrimitiveOverestimationSize = true,
       .extendedDynamicState3PolygonMode = true,
       .extendedDynamicState3SampleMask = true,
       .extendedDynamicState3RasterizationSamples = true,
       .extendedDynamicState3AlphaToCoverageEnable = true,
       .extendedDynamicState3AlphaToOneEnable = true,
       .extendedDynamicState3LogicOpEnable = true,
       .extendedDynamicState3ColorBlendEnable = true,
       .extendedDynamicState3ColorBlendEquation = true,
       .extendedDynamicState3ColorWriteMask = true,
       .extendedDynamicState3RasterizationStream = true,
       .extendedDynamicState3DepthClipEnable = true,
       .extendedDynamicState3ProvokingVertexMode = true,
       .extendedDynamicState3LineRasterizationMode = true,
       .extendedDynamicState3LineStippleEnable = true,
       .extendedDynamicState3DepthClipNegativeOneToOne = true),
   ROW(VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
       VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT,
       .vertexInputDynamicState = true),
   ROW(COLOR_WRITE_ENABLE_FEATURES_EXT,
       VkPhysicalDeviceColorWriteEnableFeaturesEXT, .colorWriteEnable = true),
   FILLED(INLINE_UNIFORM_BLOCK_FEATURES,
          VkPhysicalDeviceInlineUniformBlockFeatures, saf_fill_inline_blocks),
   ROW(DEPTH_CLAMP_CONTROL_FEATURES_EXT,
       VkPhysicalDeviceDepthClampControlFeaturesEXT,
       .depthClampControl = true),
   ROW(DEPTH_CLIP_CONTROL_FEATURES_EXT,
       VkPhysicalDeviceDepthClipControlFeaturesEXT, .depthClipControl = true),
   ROW(FAULT_FEATURES_EXT, VkPhysicalDeviceFaultFeaturesEXT,
       .deviceFault = true),
   ROW(TIMELINE_SEMAPHORE_FEATURES, VkPhysicalDeviceTimelineSemaphoreFeatures,
       .timelineSemaphore = true),
   ROW(SYNCHRONIZATION_2_FEATURES, VkPhysicalDeviceSynchronization2Features,
       .synchronization2 = true),
   ROW(GLOBAL_PRIORITY_QUERY_FEATURES_KHR,
       VkPhysicalDeviceGlobalPriorityQueryFeaturesKHR,
       .globalPriorityQuery = true),
   ROW(PRESENT_ID_FEATURES_KHR, VkPhysicalDevicePresentIdFeaturesKHR,
       .presentId = true),
   ROW(PRESENT_WAIT_FEATURES_KHR, VkPhysicalDevicePresentWaitFeaturesKHR,
       .presentWait = true),
   ROW(IMAGE_VIEW_MIN_LOD_FEATURES_EXT,
       VkPhysicalDeviceImageViewMinLodFeaturesEXT, .minLod = true),
   ROW(FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT,
       VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT,
       .fragmentShaderSampleInterlock = true,
       .fragmentShaderPixelInterlock = true),
   ROW(BORDER_COLOR_SWIZZLE_FEATURES_EXT,
       VkPhysicalDeviceBorderColorSwizzleFeaturesEXT,
       .borderColorSwizzle = true, .borderColorSwizzleFromImage = true),
   /* There is no protected memory for one to have access to, and no command
    * buffer to bind those that have no other. */
   ROW(PIPELINE_PROTECTED_ACCESS_FEATURES_EXT,
       VkPhysicalDevicePipelineProtectedAccessFeaturesEXT,
       .pipelineProtectedAccess = true),
   ROW(PIPELINE_ROBUSTNESS_FEATURES_EXT,
       VkPhysicalDevicePipelineRobustnessFeaturesEXT,
       .pipelineRobustness = true),
   ROW(GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
       VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT,
       .graphicsPipelineLibrary = true),
   ROW(IMAGE_2D_VIEW_OF_3D_FEATURES_EXT,
       VkPhysicalDeviceImage2DViewOf3DFeaturesEXT, .image2DViewOf3D = true,
       .sampler2DViewOf3D = true),
   ROW(IMAGE_COMPRESSION_CONTROL_FEATURES_EXT,
       VkPhysicalDeviceImageCompressionControlFeaturesEXT,
       .imageCompressionControl = true),
   ROW(MAINTENANCE_4_FEATURES, VkPhysicalDeviceMaintenance4Features,
       .maintenance4 = true),
   ROW(HOST_IMAGE_COPY_FEATURES_EXT, VkPhysicalDeviceHostImageCopyFeaturesEXT,
       .hostImageCopy = true),
   ROW(MAINTENANCE_5_FEATURES_KHR, VkPhysicalDeviceMaintenance5FeaturesKHR,
       .maintenance5 = true),
   ROW(MAINTENANCE_6_FEATURES_KHR, VkPhysicalDeviceMaintenance6FeaturesKHR,
       .maintenance6 = true),
   ROW(SHADER_EXPECT_ASSUME_FEATURES_KHR,
       VkPhysicalDeviceShaderExpectAssumeFeaturesKHR,
       .shaderExpectAssume = true),
   ROW(SHADER_FLOAT_CONTROLS_2_FEATURES_KHR,
       VkPhysicalDeviceShaderFloatControls2FeaturesKHR,
       .shaderFloatControls2 = true),
   ROW(SHADER_SUBGROUP_ROTATE_FEATURES_KHR,
       VkPhysicalDeviceShaderSubgroupRotateFeaturesKHR,
       .shaderSubgroupRotate = true, .shaderSubgroupRotateClustered = true),
   ROW(TEXTURE_COMPRESSION_ASTC_HDR_FEATURES,
       VkPhysicalDeviceTextureCompressionASTCHDRFeatures,
       .textureCompressionASTC_HDR = false),
   ROW(PRIVATE_DATA_FEATURES, VkPhysicalDevicePrivateDataFeatures,
       .privateData = true),
   ROW(PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
       VkPhysicalDevicePipelineCreationCacheControlFeatures,
       .pipelineCreationCacheControl = true),
   ROW(4444_FORMATS_FEATURES_EXT, VkPhysicalDevice4444FormatsFeaturesEXT,
       .formatA4R4G4B4 = true),
   ROW(MULTI_DRAW_FEATURES_EXT, VkPhysicalDeviceMultiDrawFeaturesEXT,
       .multiDraw = true),
   ROW(SHADER_MODULE_IDENTIFIER_FEATURES_EXT,
       VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT,
       .shaderModuleIdentifier = true),
   ROW(MEMORY_PRIORITY_FEATURES_EXT,
       VkPhysicalDeviceMemoryPriorityFeaturesEXT, .memoryPriority = true),
   ROW(PAGEABLE_DEVICE_LOCAL_MEMORY_FEATURES_EXT,
       VkPhysicalDevicePageableDeviceLocalMemoryFeaturesEXT,
       .pageableDeviceLocalMemory = true),
   ROW(DEVICE_MEMORY_REPORT_FEATURES_EXT,
       VkPhysicalDeviceDeviceMemoryReportFeaturesEXT,
       .deviceMemoryReport = true),
   FILLED(PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT,
          VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT,
          saf_fill_list_restart),
   ROW(DEPTH_CLAMP_ZERO_ONE_FEATURES_EXT,
       VkPhysicalDeviceDepthClampZeroOneFeaturesEXT,
       .depthClampZeroOne = true),
   ROW(DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
       VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR,
       .dynamicRenderingLocalRead = true),
   ROW(DYNAMIC_RENDERING_FEATURES, VkPhysicalDeviceDynamicRenderingFeatures,
       .dynamicRendering = true),
   ROW(IMAGELESS_FRAMEBUFFER_FEATURES,
       VkPhysicalDeviceImagelessFramebufferFeatures,
       .imagelessFramebuffer = true),
   ROW(SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES,
       VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures,
       .separateDepthStencilLayouts = true),
   ROW(SHADER_TERMINATE_INVOCATION_FEATURES,
       VkPhysicalDeviceShaderTerminateInvocationFeatures,
       .shaderTerminateInvocation = true),
   ROW(VULKAN_MEMORY_MODEL_FEATURES,
       VkPhysicalDeviceVulkanMemoryModelFeatures, .vulkanMemoryModel = true,
       .vulkanMemoryModelDeviceScope = true,
       .vulkanMemoryModelAvailabilityVisibilityChains = true),
   ROW(ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES,
       VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures,
       .shaderZeroInitializeWorkgroupMemory = true),
   ROW(WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR,
       VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR,
       .workgroupMemoryExplicitLayout = true,
       .workgroupMemoryExplicitLayoutScalarBlockLayout = true,
       .workgroupMemoryExplicitLayout8BitAccess = true,
       .workgroupMemoryExplicitLayout16BitAccess = true),
   ROW(SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR,
       VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR,
       .shaderSubgroupUniformControlFlow = true),
   FILLED(BUFFER_DEVICE_ADDRESS_FEATURES,
          VkPhysicalDeviceBufferDeviceAddressFeatures, saf_fill_addresses),
   FILLED(BUFFER_DEVICE_ADDRESS_FEATURES_EXT,
          VkPhysicalDeviceBufferDeviceAddressFeaturesEXT,
          saf_fill_addresses_ext),
   FILLED(SHADER_CLOCK_FEATURES_KHR, VkPhysicalDeviceShaderClockFeaturesKHR,
          saf_fill_clock),
   FILLED(SHADER_ATOMIC_INT64_FEATURES,
          VkPhysicalDeviceShaderAtomicInt64Features, saf_fill_wide_atomics),
   ROW(SHADER_ATOMIC_FLOAT_FEATURES_EXT,
       VkPhysicalDeviceShaderAtomicFloatFeaturesEXT,
       .shaderBufferFloat32Atomics = true, .shaderSharedFloat32Atomics = true,
       .shaderImageFloat32Atomics = true),
   FILLED(SHADER_ATOMIC_FLOAT_2_FEATURES_EXT,
          VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT,
          saf_fill_float_atomics2),
   FILLED(DESCRIPTOR_INDEXING_FEATURES,
          VkPhysicalDeviceDescriptorIndexingFeatures, saf_fill_indexing),
   FILLED(MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
          VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT,
          saf_fill_mutable_types),
   ROW_WITH(saf_fill_halves, SHADER_FLOAT16_INT8_FEATURES,
            VkPhysicalDeviceShaderFloat16Int8Features, .shaderInt8 = true),
   ROW(SHADER_INTEGER_DOT_PRODUCT_FEATURES,
       VkPhysicalDeviceShaderIntegerDotProductFeatures,
       .shaderIntegerDotProduct = true),
   ROW(IMAGE_ROBUSTNESS_FEATURES, VkPhysicalDeviceImageRobustnessFeatures,
       .robustImageAccess = true),
   ROW(SUBGROUP_SIZE_CONTROL_FEATURES,
       VkPhysicalDeviceSubgroupSizeControlFeatures,
       .subgroupSizeControl = true, .computeFullSubgroups = true),
   ROW(TEXEL_BUFFER_ALIGNMENT_FEATURES_EXT,
       VkPhysicalDeviceTexelBufferAlignmentFeaturesEXT,
       .texelBufferAlignment = true),
};

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceFeatures2(VkPhysicalDevice _pdev,
                               VkPhysicalDeviceFeatures2 *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   saf_GetPhysicalDeviceFeatures(_pdev, &out->features);
   fill_chain(pdev, out->pNext, features, ARRAY_SIZE(features));
}

/* ---- properties ---- */

/* The device is its PCI id and whether it is simulated; the driver is its
 * build; the cache's is of both. */
static void
fill_id(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceIDProperties *p = s;
   memset(p->deviceUUID, 0, VK_UUID_SIZE);
   memcpy(p->deviceUUID, (uint16_t[]) { 0x8086, pdev->info->pci_id }, 4);
   p->deviceUUID[4] = saf_physical_device_is_simulated(pdev);
   memcpy(p->driverUUID, pdev->driver_uuid, VK_UUID_SIZE);
   p->deviceLUIDValid = false;
}

/* No id of the registry is ours; 0 is none of the known ones. */
static void
fill_driver(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceDriverProperties *p = s;
   p->driverID = (VkDriverId)0;
   snprintf(p->driverName, sizeof(p->driverName), "Saffron");
   snprintf(p->driverInfo, sizeof(p->driverInfo), "Saffron %s on %s",
            SAFFRON_VERSION, kmd_name(pdev->kmd));
   p->conformanceVersion = (VkConformanceVersion) { 0, 0, 0, 0 };
}

static void
fill_feedback(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceTransformFeedbackPropertiesEXT *p = s;
   p->transformFeedbackDraw = true;
}

/* Code for two vertices a thread knows no operations between invocations. */
static void
fill_subgroup(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceSubgroupProperties *p = s;
   p->supportedStages = VK_SHADER_STAGE_FRAGMENT_BIT |
                        VK_SHADER_STAGE_COMPUTE_BIT;
   if (pdev->info->has_scalar_geometry)
      p->supportedStages |= VK_SHADER_STAGE_VERTEX_BIT |
                            VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                            VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT |
                            VK_SHADER_STAGE_GEOMETRY_BIT;
}

static void
fill_subgroup_sizes(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceSubgroupSizeControlProperties *p = s;
   p->minSubgroupSize = 8;
   p->maxSubgroupSize = INTEL_SUBGROUP_SIZE;
   p->maxComputeWorkgroupSubgroups = pdev->info->max_cs_threads;
   p->requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
}

static void
fill_drm(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceDrmPropertiesEXT *p = s;
   const struct kmd_place place = kmd_place(pdev->kmd);
   p->hasPrimary = place.has_primary;
   p->hasRender = place.has_render;
   p->primaryMajor = place.primary_major;
   p->primaryMinor = place.primary_minor;
   p->renderMajor = place.render_major;
   p->renderMinor = place.render_minor;
}

static void
fill_pci(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDevicePCIBusInfoPropertiesEXT *p = s;
   const struct kmd_place place = kmd_place(pdev->kmd);
   p->pciDomain = place.domain;
   p->pciBus = place.bus;
   p->pciDevice = place.device;
   p->pciFunction = place.function;
}

static void
fill_minmax(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceSamplerFilterMinmaxProperties *p = s;
   p->filterMinmaxSingleComponentFormats = saf_has_device_extension(
      pdev->info, SAF_DEVICE_VK_EXT_sampler_filter_minmax);
   p->filterMinmaxImageComponentMapping =
      p->filterMinmaxSingleComponentFormats;
}

#define OWN_POSITION_COUNTS(info)                                            \
   ((info)->sample_counts & ~(VkSampleCountFlags)VK_SAMPLE_COUNT_1_BIT)

static void
fill_positions(const struct saf_physical_device *pdev, void *s)
{
   VkPhysicalDeviceSampleLocationsPropertiesEXT *p = s;
   p->sampleLocationSampleCounts = OWN_POSITION_COUNTS(pdev->info);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceMultisamplePropertiesEXT(VkPhysicalDevice _pdev,
                                              VkSampleCountFlagBits samples,
                                              VkMultisamplePropertiesEXT *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   const bool has = OWN_POSITION_COUNTS(pdev->info) & samples;
   out->maxSampleLocationGridSize = (VkExtent2D) { has, has };
}

static const struct row properties[] = {
   ROW_WITH(fill_positions, SAMPLE_LOCATIONS_PROPERTIES_EXT,
            VkPhysicalDeviceSampleLocationsPropertiesEXT,
            .maxSampleLocationGridSize = { 1, 1 },
            .sampleLocationCoordinateRange = { 0, 15.0f / 16 },
            .sampleLocationSubPixelBits = 4, .variableSampleLocations = true),
   FILLED(SAMPLER_FILTER_MINMAX_PROPERTIES,
          VkPhysicalDeviceSamplerFilterMinmaxProperties, fill_minmax),
   FILLED(DRM_PROPERTIES_EXT, VkPhysicalDeviceDrmPropertiesEXT, fill_drm),
   FILLED(PCI_BUS_INFO_PROPERTIES_EXT,
          VkPhysicalDevicePCIBusInfoPropertiesEXT, fill_pci),
   ROW(EXTERNAL_MEMORY_HOST_PROPERTIES_EXT,
       VkPhysicalDeviceExternalMemoryHostPropertiesEXT,
       .minImportedHostPointerAlignment = SAF_HOST_MEMORY_ALIGN_B),
   ROW(PIPELINE_ROBUSTNESS_PROPERTIES_EXT,
       VkPhysicalDevicePipelineRobustnessPropertiesEXT,
       .defaultRobustnessStorageBuffers =
          VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT,
       .defaultRobustnessUniformBuffers =
          VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT,
       .defaultRobustnessVertexInputs =
          VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT,
       .defaultRobustnessImages =
          VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_EXT),
   ROW(CONSERVATIVE_RASTERIZATION_PROPERTIES_EXT,
       VkPhysicalDeviceConservativeRasterizationPropertiesEXT,
       .primitiveOverestimationSize = 1.0f / 512,
       .degenerateTrianglesRasterized = true,
       .conservativeRasterizationPostDepthCoverage = true),
   ROW(GRAPHICS_PIPELINE_LIBRARY_PROPERTIES_EXT,
       VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT,
       .graphicsPipelineLibraryIndependentInterpolationDecoration = true),
   ROW(SHADER_MODULE_IDENTIFIER_PROPERTIES_EXT,
       VkPhysicalDeviceShaderModuleIdentifierPropertiesEXT,
       .shaderModuleIdentifierAlgorithmUUID = "saffron-xxh3-128"),
   ROW(MAINTENANCE_4_PROPERTIES, VkPhysicalDeviceMaintenance4Properties,
       .maxBufferSize = 1ull << 31),
   ROW(MULTI_DRAW_PROPERTIES_EXT, VkPhysicalDeviceMultiDrawPropertiesEXT,
       .maxMultiDrawCount = UINT32_MAX),
   FILLED(VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties,
          saf_fill_vulkan_1_1_properties),
   FILLED(VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties,
          saf_fill_vulkan_1_2_properties),
   FILLED(VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties,
          saf_fill_vulkan_1_3_properties),
   IN_OUT(VULKAN_1_4_PROPERTIES, saf_fill_vulkan_1_4_properties),
   /* Threads start with rounding to nearest even. Shaders that ask for
    * subnormals of 32 bits, or compute with doubles, keep them. */
   ROW_WITH(
      saf_fill_half_modes, FLOAT_CONTROLS_PROPERTIES,
      VkPhysicalDeviceFloatControlsProperties,
      .denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL,
      .roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL,
      .shaderSignedZeroInfNanPreserveFloat16 = true,
      .shaderSignedZeroInfNanPreserveFloat32 = true,
      .shaderSignedZeroInfNanPreserveFloat64 = true,
      .shaderDenormPreserveFloat32 = true,
      .shaderDenormPreserveFloat64 = true,
      .shaderDenormFlushToZeroFloat32 = true,
      .shaderDenormFlushToZeroFloat64 = true,
      .shaderRoundingModeRTEFloat32 = true,
      .shaderRoundingModeRTEFloat64 = true,
      .shaderRoundingModeRTZFloat32 = true,
      .shaderRoundingModeRTZFloat64 = true),
   FILLED(ID_PROPERTIES, VkPhysicalDeviceIDProperties, fill_id),
   ROW(MAINTENANCE_3_PROPERTIES, VkPhysicalDeviceMaintenance3Properties,
       .maxPerSetDescriptors = SAF_MAX_SET_DESCRIPTORS,
       .maxMemoryAllocationSize = 1ull << 31),
   ROW(MULTIVIEW_PROPERTIES, VkPhysicalDeviceMultiviewProperties,
       .maxMultiviewViewCount = SAF_MAX_VIEWS,
       .maxMultiviewInstanceIndex = (1u << 27) - 1),
   ROW(POINT_CLIPPING_PROPERTIES, VkPhysicalDevicePointClippingProperties,
       .pointClippingBehavior =
          VK_POINT_CLIPPING_BEHAVIOR_USER_CLIP_PLANES_ONLY),
   ROW(PROTECTED_MEMORY_PROPERTIES, VkPhysicalDeviceProtectedMemoryProperties,
       0),
   ROW_WITH(
      fill_subgroup, SUBGROUP_PROPERTIES, VkPhysicalDeviceSubgroupProperties,
      .subgroupSize = INTEL_SUBGROUP_SIZE,
      .supportedOperations =
         VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
         VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT |
         VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT |
         VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
         VK_SUBGROUP_FEATURE_CLUSTERED_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT |
         VK_SUBGROUP_FEATURE_ROTATE_BIT_KHR |
         VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT_KHR |
         VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV),
   IN_OUT(HOST_IMAGE_COPY_PROPERTIES_EXT, saf_fill_host_copy_layouts),
   FILLED(DRIVER_PROPERTIES, VkPhysicalDeviceDriverProperties, fill_driver),
   ROW_WITH(fill_feedback, TRANSFORM_FEEDBACK_PROPERTIES_EXT,
            VkPhysicalDeviceTransformFeedbackPropertiesEXT,
            .maxTransformFeedbackStreams = SAF_MAX_XFB_STREAMS,
            .maxTransformFeedbackBuffers = SAF_MAX_XFB_BUFFERS,
            .maxTransformFeedbackBufferSize = 1ull << 32,
            .maxTransformFeedbackStreamDataSize = 128 * 4,
            .maxTransformFeedbackBufferDataSize = 128 * 4,
            .maxTransformFeedbackBufferDataStride = 2048,
            .transformFeedbackQueries = true,
            .transformFeedbackRasterizationStreamSelect = true),
   ROW(VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT,
       VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT,
       .maxVertexAttribDivisor = UINT32_MAX),
   ROW(VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_KHR,
       VkPhysicalDeviceVertexAttributeDivisorPropertiesKHR,
       .maxVertexAttribDivisor = UINT32_MAX,
       .supportsNonZeroFirstInstance = true),
   ROW(MAINTENANCE_5_PROPERTIES_KHR,
       VkPhysicalDeviceMaintenance5PropertiesKHR,
       .earlyFragmentMultisampleCoverageAfterSampleCounting = false),
   ROW(MAINTENANCE_6_PROPERTIES_KHR,
       VkPhysicalDeviceMaintenance6PropertiesKHR,
       .maxCombinedImageSamplerDescriptorCount = 1),
   ROW(CUSTOM_BORDER_COLOR_PROPERTIES_EXT,
       VkPhysicalDeviceCustomBorderColorPropertiesEXT,
       .maxCustomBorderColorSamplers = SAF_MAX_CUSTOM_BORDERS),
   ROW(LINE_RASTERIZATION_PROPERTIES_EXT,
       VkPhysicalDeviceLineRasterizationPropertiesEXT,
       .lineSubPixelPrecisionBits = 4),
   ROW(PROVOKING_VERTEX_PROPERTIES_EXT,
       VkPhysicalDeviceProvokingVertexPropertiesEXT,
       .provokingVertexModePerPipeline = true),
   ROW(ROBUSTNESS_2_PROPERTIES_EXT, VkPhysicalDeviceRobustness2PropertiesEXT,
       .robustStorageBufferAccessSizeAlignment = 4,
       .robustUniformBufferAccessSizeAlignment = SAF_UNIFORM_ALIGN_B),
   ROW(PUSH_DESCRIPTOR_PROPERTIES_KHR,
       VkPhysicalDevicePushDescriptorPropertiesKHR,
       .maxPushDescriptors = SAF_MAX_PUSH_DESCRIPTORS),
   ROW(INLINE_UNIFORM_BLOCK_PROPERTIES,
       VkPhysicalDeviceInlineUniformBlockProperties,
       .maxInlineUniformBlockSize = SAF_MAX_INLINE_BLOCK_B,
       .maxPerStageDescriptorInlineUniformBlocks = MAX_INLINE_BLOCKS,
       .maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks =
          MAX_INLINE_BLOCKS,
       .maxDescriptorSetInlineUniformBlocks = MAX_INLINE_BLOCKS,
       .maxDescriptorSetUpdateAfterBindInlineUniformBlocks =
          MAX_INLINE_BLOCKS),
   FILLED(DESCRIPTOR_INDEXING_PROPERTIES,
          VkPhysicalDeviceDescriptorIndexingProperties,
          saf_fill_indexing_limits),
   ROW(EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT,
       VkPhysicalDeviceExtendedDynamicState3PropertiesEXT,
       .dynamicPrimitiveTopologyUnrestricted = false),
   ROW(TIMELINE_SEMAPHORE_PROPERTIES,
       VkPhysicalDeviceTimelineSemaphoreProperties,
       .maxTimelineSemaphoreValueDifference = UINT64_MAX),
   ROW(DEPTH_STENCIL_RESOLVE_PROPERTIES,
       VkPhysicalDeviceDepthStencilResolveProperties,
       .supportedDepthResolveModes =
          VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_AVERAGE_BIT |
          VK_RESOLVE_MODE_MIN_BIT | VK_RESOLVE_MODE_MAX_BIT,
       .supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT |
                                       VK_RESOLVE_MODE_MIN_BIT |
                                       VK_RESOLVE_MODE_MAX_BIT,
       .independentResolveNone = true, .independentResolve = true),
   /* Nothing is faster than the same in several instructions. */
   ROW(SHADER_INTEGER_DOT_PRODUCT_PROPERTIES,
       VkPhysicalDeviceShaderIntegerDotProductProperties, 0),
   FILLED(SUBGROUP_SIZE_CONTROL_PROPERTIES,
          VkPhysicalDeviceSubgroupSizeControlProperties, fill_subgroup_sizes),
   ROW(TEXEL_BUFFER_ALIGNMENT_PROPERTIES,
       VkPhysicalDeviceTexelBufferAlignmentProperties,
       .storageTexelBufferOffsetAlignmentBytes = TEXEL_BUFFER_ALIGN_B,
       .storageTexelBufferOffsetSingleTexelAlignment = true,
       .uniformTexelBufferOffsetAlignmentBytes = TEXEL_BUFFER_ALIGN_B,
       .uniformTexelBufferOffsetSingleTexelAlignment = true),
};

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceProperties2(VkPhysicalDevice _pdev,
                                 VkPhysicalDeviceProperties2 *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   saf_GetPhysicalDeviceProperties(_pdev, &out->properties);
   fill_chain(pdev, out->pNext, properties, ARRAY_SIZE(properties));
}
