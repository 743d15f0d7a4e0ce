/* SPDX-License-Identifier: MIT */
/*
 * What the device says about itself.
 *
 * A feature or limit is reported when the driver, the compiler and the
 * hardware description all have it; what GL 3.3 through zink needs is the
 * measure of what had to be there.
 */
#include "intel/vulkan/saf_private.h"
#include "intel/vulkan/genx/saf_genx.h"

#include <elf.h>
#include <i915_drm.h>
#include <link.h>
#include <stdio.h>
#include <sys/sysinfo.h>

#define MAX_IMAGE_DIMENSION 16384
#define MAX_BUFFER_TEXELS (1u << 27)

/* ---- creation ---- */

/* Copies the build id of the object that holds this code: the linker hashes
 * everything that went into it, so it changes with the compiler. */
static int
find_build_id(struct dl_phdr_info *info, size_t size, void *data)
{
   struct { uintptr_t addr; uint8_t *out; unsigned len; } *find = data;
   bool here = false;
   for (unsigned i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *p = &info->dlpi_phdr[i];
      const uintptr_t start = info->dlpi_addr + p->p_vaddr;
      here |= p->p_type == PT_LOAD && find->addr >= start &&
              find->addr < start + p->p_memsz;
   }
   if (!here)
      return 0;
   for (unsigned i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *p = &info->dlpi_phdr[i];
      if (p->p_type != PT_NOTE)
         continue;
      const char *note = (const char *)(info->dlpi_addr + p->p_vaddr);
      const char *end = note + p->p_memsz;
      while (note + sizeof(ElfW(Nhdr)) <= end) {
         const ElfW(Nhdr) *n = (const ElfW(Nhdr) *)note;
         const char *name = note + sizeof(*n);
         const char *desc = name + ALIGN(n->n_namesz, 4);
         if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 &&
             !memcmp(name, "GNU", 4)) {
            find->len = MIN2(n->n_descsz, VK_UUID_SIZE);
            memcpy(find->out, desc, find->len);
            return 1;
         }
         note = desc + ALIGN(n->n_descsz, 4);
      }
   }
   return 1;
}

static bool
fill_cache_uuid(struct saf_physical_device *pdev)
{
   struct { uintptr_t addr; uint8_t *out; unsigned len; } find = {
      .addr = (uintptr_t)find_build_id,
      .out = pdev->cache_uuid,
   };
   dl_iterate_phdr(find_build_id, &find);
   memcpy(pdev->driver_uuid, pdev->cache_uuid, VK_UUID_SIZE);
   pdev->cache_uuid[0] ^= (uint8_t)pdev->info->pci_id;
   pdev->cache_uuid[1] ^= (uint8_t)(pdev->info->pci_id >> 8);
   pdev->cache_uuid[2] ^= (uint8_t)intel_compiler_choices(pdev->compiler);
   return find.len > 0;
}

static bool
is_simulated(const struct saf_physical_device *pdev)
{
   return !strncmp(kmd_name(pdev->kmd), "sim:", 4);
}

VkResult
saf_physical_device_create(struct saf_instance *instance,
                           struct saf_physical_device **out)
{
   *out = NULL;
   struct kmd *kmd = kmd_open();
   if (!kmd)
      return VK_ERROR_INCOMPATIBLE_DRIVER;
   const int id = kmd_getparam(kmd, I915_PARAM_CHIPSET_ID, 0);
   const struct intel_device_info *info =
      intel_device_info_by_pci_id((uint16_t)id);
   if (!info || !saf_genx_get(info)) {
      kmd_close(kmd);
      return saf_error(VK_ERROR_INCOMPATIBLE_DRIVER,
                       "PCI id 0x%04x is not supported", id);
   }
   if (!saf_genx_is_finished(info) && !getenv("SAFFRON_UNFINISHED")) {
      kmd_close(kmd);
      return saf_error(VK_ERROR_INCOMPATIBLE_DRIVER,
                       "%s: the driver is not finished for %s",
                       info->full_name, info->gen_name);
   }
   struct saf_physical_device *pdev =
      saf_alloc(instance->alloc, sizeof(*pdev));
   if (!pdev) {
      kmd_close(kmd);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   set_loader_magic_value(pdev);
   pdev->instance = instance;
   pdev->kmd = kmd;
   pdev->info = info;
   pdev->gen_index = saf_genx_index(info);
   pdev->compiler = intel_compiler_create(info);
   pdev->timestamp_frequency =
      (uint64_t)kmd_getparam(kmd, I915_PARAM_CS_TIMESTAMP_FREQUENCY,
                             (int)info->timestamp_frequency);
   snprintf(pdev->name, sizeof(pdev->name), "Saffron %s%s", info->full_name,
            is_simulated(pdev) ? ", simulated" : "");
   if (!pdev->compiler) {
      saf_physical_device_destroy(pdev);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   if (!fill_cache_uuid(pdev)) {
      saf_physical_device_destroy(pdev);
      return saf_error(VK_ERROR_INITIALIZATION_FAILED,
                       "the library was linked without a build id");
   }

   struct sysinfo si;
   sysinfo(&si);
   /* As other drivers do: some of the memory must stay for everyone else. */
   pdev->memory_size_B =
      ALIGN((uint64_t)si.totalram * si.mem_unit / 4 * 3 - 4095, 4096);
   /* All that exists has an address at once. */
   const uint64_t space_B = info->layout->end - info->layout->general;
   pdev->memory_size_B = MIN2(pdev->memory_size_B, space_B / 4 * 3);
   *out = pdev;
   return VK_SUCCESS;
}

void
saf_physical_device_destroy(struct saf_physical_device *pdev)
{
   if (!pdev)
      return;
   intel_compiler_destroy(pdev->compiler);
   kmd_close(pdev->kmd);
   saf_free(pdev->instance->alloc, pdev);
}

/* ---- features ---- */

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceFeatures(VkPhysicalDevice _pdev,
                              VkPhysicalDeviceFeatures *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   *out = (VkPhysicalDeviceFeatures){
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
      .wideLines = true,
      .largePoints = true,
      .multiViewport = true,
      .occlusionQueryPrecise = true,
      .pipelineStatisticsQuery = true,
      .vertexPipelineStoresAndAtomics = true,
      .fragmentStoresAndAtomics = true,
      .shaderStorageImageExtendedFormats =
         isl_storage_read_format(pdev->info,
                                 ISL_FORMAT_R16G16B16A16_UNORM) !=
         ISL_FORMAT_UNSUPPORTED,
      .shaderStorageImageWriteWithoutFormat = true,
      .shaderUniformBufferArrayDynamicIndexing = true,
      .shaderStorageBufferArrayDynamicIndexing = true,
      .shaderStorageImageArrayDynamicIndexing = true,
      .samplerAnisotropy = true,
      .textureCompressionETC2 =
         isl_format_supports(pdev->info, ISL_FORMAT_ETC2_RGB8,
                             ISL_FORMAT_USE_SAMPLED),
      .textureCompressionASTC_LDR =
         isl_format_supports(pdev->info, ISL_FORMAT_ASTC_LDR_2D_4X4_FLT16,
                             ISL_FORMAT_USE_SAMPLED),
      .textureCompressionBC = true,
      .shaderTessellationAndGeometryPointSize = true,
      .shaderImageGatherExtended = true,
      .shaderClipDistance = true,
      .shaderCullDistance = true,
      .shaderFloat64 = true,
      .shaderInt64 = true,
   };
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceFeatures2(VkPhysicalDevice _pdev,
                               VkPhysicalDeviceFeatures2 *out)
{
   saf_GetPhysicalDeviceFeatures(_pdev, &out->features);
#define FEATURES(TYPE, struct_type)                                          \
   case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE: {                          \
      struct_type *f = (struct_type *)s;

#define END break; }
   saf_foreach_out_struct(s, out->pNext) {
      switch ((int)s->sType) {
      FEATURES(16BIT_STORAGE_FEATURES, VkPhysicalDevice16BitStorageFeatures)
         f->storageBuffer16BitAccess = false;
         f->uniformAndStorageBuffer16BitAccess = false;
         f->storagePushConstant16 = false;
         f->storageInputOutput16 = false;
      END
      FEATURES(MULTIVIEW_FEATURES, VkPhysicalDeviceMultiviewFeatures)
         f->multiview = true;
         f->multiviewGeometryShader = false;
         f->multiviewTessellationShader = false;
      END
      FEATURES(VARIABLE_POINTERS_FEATURES,
               VkPhysicalDeviceVariablePointersFeatures)
         f->variablePointersStorageBuffer = false;
         f->variablePointers = false;
      END
      FEATURES(PROTECTED_MEMORY_FEATURES,
               VkPhysicalDeviceProtectedMemoryFeatures)
         f->protectedMemory = false;
      END
      FEATURES(SAMPLER_YCBCR_CONVERSION_FEATURES,
               VkPhysicalDeviceSamplerYcbcrConversionFeatures)
         f->samplerYcbcrConversion = false;
      END
      FEATURES(SHADER_DRAW_PARAMETERS_FEATURES,
               VkPhysicalDeviceShaderDrawParametersFeatures)
         f->shaderDrawParameters = true;
      END
      FEATURES(TRANSFORM_FEEDBACK_FEATURES_EXT,
               VkPhysicalDeviceTransformFeedbackFeaturesEXT)
         f->transformFeedback = true;
         f->geometryStreams = true;
      END
      FEATURES(CONDITIONAL_RENDERING_FEATURES_EXT,
               VkPhysicalDeviceConditionalRenderingFeaturesEXT)
         f->conditionalRendering = true;
         f->inheritedConditionalRendering = false;
      END
      FEATURES(PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
               VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT)
         f->primitivesGeneratedQuery = true;
         f->primitivesGeneratedQueryWithRasterizerDiscard = true;
         f->primitivesGeneratedQueryWithNonZeroStreams = false;
      END
      FEATURES(DEPTH_CLIP_ENABLE_FEATURES_EXT,
               VkPhysicalDeviceDepthClipEnableFeaturesEXT)
         f->depthClipEnable = true;
      END
      FEATURES(VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
               VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT)
         f->vertexAttributeInstanceRateDivisor = true;
         f->vertexAttributeInstanceRateZeroDivisor = true;
      END
      FEATURES(NON_SEAMLESS_CUBE_MAP_FEATURES_EXT,
               VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT)
         f->nonSeamlessCubeMap = true;
      END
      FEATURES(CUSTOM_BORDER_COLOR_FEATURES_EXT,
               VkPhysicalDeviceCustomBorderColorFeaturesEXT)
         f->customBorderColors = true;
         f->customBorderColorWithoutFormat = true;
      END
      FEATURES(LINE_RASTERIZATION_FEATURES_EXT,
               VkPhysicalDeviceLineRasterizationFeaturesEXT)
         f->rectangularLines = true;
         f->bresenhamLines = true;
         f->smoothLines = true;
         f->stippledRectangularLines = false;
         f->stippledBresenhamLines = true;
         f->stippledSmoothLines = false;
      END
      FEATURES(SCALAR_BLOCK_LAYOUT_FEATURES,
               VkPhysicalDeviceScalarBlockLayoutFeatures)
         f->scalarBlockLayout = true;
      END
      FEATURES(PROVOKING_VERTEX_FEATURES_EXT,
               VkPhysicalDeviceProvokingVertexFeaturesEXT)
         f->provokingVertexLast = true;
         f->transformFeedbackPreservesProvokingVertex = true;
      END
      FEATURES(ROBUSTNESS_2_FEATURES_EXT,
               VkPhysicalDeviceRobustness2FeaturesEXT)
         f->robustBufferAccess2 = false;
         f->robustImageAccess2 = false;
         f->nullDescriptor = true;
      END
      FEATURES(INDEX_TYPE_UINT8_FEATURES_EXT,
               VkPhysicalDeviceIndexTypeUint8FeaturesEXT)
         f->indexTypeUint8 = true;
      END
      FEATURES(SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES,
               VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures)
         f->shaderDemoteToHelperInvocation = true;
      END
      FEATURES(HOST_QUERY_RESET_FEATURES,
               VkPhysicalDeviceHostQueryResetFeatures)
         f->hostQueryReset = true;
      END
      FEATURES(UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
               VkPhysicalDeviceUniformBufferStandardLayoutFeatures)
         f->uniformBufferStandardLayout = true;
      END
      FEATURES(ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT,
               VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT)
         f->attachmentFeedbackLoopLayout = true;
      END
      FEATURES(TIMELINE_SEMAPHORE_FEATURES,
               VkPhysicalDeviceTimelineSemaphoreFeatures)
         f->timelineSemaphore = true;
      END
      FEATURES(IMAGELESS_FRAMEBUFFER_FEATURES,
               VkPhysicalDeviceImagelessFramebufferFeatures)
         f->imagelessFramebuffer = true;
      END
      FEATURES(SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES,
               VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures)
         f->separateDepthStencilLayouts = true;
      END
      default:
         break;
      }
   }
#undef FEATURES
#undef END
}

/* ---- properties ---- */

static VkPhysicalDeviceLimits
device_limits(const struct saf_physical_device *pdev)
{
   const uint32_t samples =
      VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
   return (VkPhysicalDeviceLimits){
      .maxImageDimension1D = MAX_IMAGE_DIMENSION,
      .maxImageDimension2D = MAX_IMAGE_DIMENSION,
      .maxImageDimension3D = 2048,
      .maxImageDimensionCube = MAX_IMAGE_DIMENSION,
      .maxImageArrayLayers = 2048,
      .maxTexelBufferElements = MAX_BUFFER_TEXELS,
      .maxUniformBufferRange = 1u << 27,
      .maxStorageBufferRange = 1u << 27,
      .maxPushConstantsSize = SAF_MAX_PUSH_CONSTANTS_B,
      .maxMemoryAllocationCount = UINT32_MAX,
      .maxSamplerAllocationCount = 64 * 1024,
      .bufferImageGranularity = 64,
      .sparseAddressSpaceSize = 0,
      .maxBoundDescriptorSets = SAF_MAX_SETS,
      .maxPerStageDescriptorSamplers = SAF_MAX_SAMPLERS,
      .maxPerStageDescriptorUniformBuffers = 64,
      .maxPerStageDescriptorStorageBuffers = 64,
      .maxPerStageDescriptorSampledImages = SAF_MAX_SAMPLERS,
      .maxPerStageDescriptorStorageImages = 32,
      .maxPerStageDescriptorInputAttachments = 8,
      .maxPerStageResources = 200,
      .maxDescriptorSetSamplers = 6 * SAF_MAX_SAMPLERS,
      .maxDescriptorSetUniformBuffers = 6 * 64,
      .maxDescriptorSetUniformBuffersDynamic = SAF_MAX_DYNAMIC_BUFFERS / 2,
      .maxDescriptorSetStorageBuffers = 6 * 64,
      .maxDescriptorSetStorageBuffersDynamic = SAF_MAX_DYNAMIC_BUFFERS / 2,
      .maxDescriptorSetSampledImages = 6 * SAF_MAX_SAMPLERS,
      .maxDescriptorSetStorageImages = 6 * 32,
      .maxDescriptorSetInputAttachments = 8,
      .maxVertexInputAttributes = SAF_MAX_VERTEX_ATTRIBS,
      .maxVertexInputBindings = SAF_MAX_VERTEX_BINDINGS,
      .maxVertexInputAttributeOffset = 2047,
      .maxVertexInputBindingStride = 2048,
      .maxVertexOutputComponents = 128,
      .maxTessellationGenerationLevel = 64,
      .maxTessellationPatchSize = 32,
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
      /* A group has to run in one subslice: with 56 threads of 32 channels
       * there is room for more than this. */
      .maxComputeSharedMemorySize = 32768,
      .maxComputeWorkGroupCount = { 65535, 65535, 65535 },
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
      .minTexelBufferOffsetAlignment = 16,
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
      .framebufferColorSampleCounts = samples,
      .framebufferDepthSampleCounts = samples,
      .framebufferStencilSampleCounts = samples,
      .framebufferNoAttachmentsSampleCounts = samples,
      .maxColorAttachments = SAF_MAX_RTS,
      .sampledImageColorSampleCounts = samples,
      .sampledImageIntegerSampleCounts = samples,
      .sampledImageDepthSampleCounts = samples,
      .sampledImageStencilSampleCounts = samples,
      .storageImageSampleCounts = VK_SAMPLE_COUNT_1_BIT,
      .maxSampleMaskWords = 1,
      .timestampComputeAndGraphics = true,
      .timestampPeriod = 1e9f / (float)pdev->timestamp_frequency,
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
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceProperties(VkPhysicalDevice _pdev,
                                VkPhysicalDeviceProperties *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   unsigned major = 0, minor = 0, patch = 0;
   sscanf(SAFFRON_VERSION, "%u.%u.%u", &major, &minor, &patch);
   *out = (VkPhysicalDeviceProperties){
      .apiVersion = SAF_API_VERSION,
      .driverVersion = VK_MAKE_API_VERSION(0, major, minor, patch),
      .vendorID = 0x8086,
      .deviceID = pdev->info->pci_id,
      /* Loaders and programs then prefer a real one. */
      .deviceType = is_simulated(pdev)
                       ? VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU
                       : VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU,
      .limits = device_limits(pdev),
   };
   memcpy(out->deviceName, pdev->name, sizeof(out->deviceName));
   memcpy(out->pipelineCacheUUID, pdev->cache_uuid, VK_UUID_SIZE);
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceProperties2(VkPhysicalDevice _pdev,
                                 VkPhysicalDeviceProperties2 *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   saf_GetPhysicalDeviceProperties(_pdev, &out->properties);
#define PROPERTIES(TYPE, struct_type)                                        \
   case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE: {                          \
      struct_type *p = (struct_type *)s;
#define END break; }
   saf_foreach_out_struct(s, out->pNext) {
      switch ((int)s->sType) {
      PROPERTIES(ID_PROPERTIES, VkPhysicalDeviceIDProperties)
         /* The device is its PCI id and whether it is simulated; the driver
          * is its build; the cache's is of both. */
         memset(p->deviceUUID, 0, VK_UUID_SIZE);
         memcpy(p->deviceUUID, (uint16_t[]){ 0x8086, pdev->info->pci_id }, 4);
         p->deviceUUID[4] = is_simulated(pdev);
         memcpy(p->driverUUID, pdev->driver_uuid, VK_UUID_SIZE);
         p->deviceLUIDValid = false;
      END
      PROPERTIES(MAINTENANCE_3_PROPERTIES,
                 VkPhysicalDeviceMaintenance3Properties)
         p->maxPerSetDescriptors = 1024;
         p->maxMemoryAllocationSize = 1ull << 31;
      END
      PROPERTIES(MULTIVIEW_PROPERTIES, VkPhysicalDeviceMultiviewProperties)
         p->maxMultiviewViewCount = SAF_MAX_VIEWS;
         p->maxMultiviewInstanceIndex = (1u << 27) - 1;
      END
      PROPERTIES(POINT_CLIPPING_PROPERTIES,
                 VkPhysicalDevicePointClippingProperties)
         p->pointClippingBehavior =
            VK_POINT_CLIPPING_BEHAVIOR_USER_CLIP_PLANES_ONLY;
      END
      PROPERTIES(PROTECTED_MEMORY_PROPERTIES,
                 VkPhysicalDeviceProtectedMemoryProperties)
         p->protectedNoFault = false;
      END
      PROPERTIES(SUBGROUP_PROPERTIES, VkPhysicalDeviceSubgroupProperties)
         p->subgroupSize = INTEL_SUBGROUP_SIZE;
         p->supportedStages =
            VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
         p->supportedOperations =
            VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
            VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT |
            VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT |
            VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
            VK_SUBGROUP_FEATURE_CLUSTERED_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT;
         p->quadOperationsInAllStages = false;
      END
      PROPERTIES(DRIVER_PROPERTIES, VkPhysicalDeviceDriverProperties)
         /* No id of the registry is ours; 0 is none of the known ones. */
         p->driverID = (VkDriverId)0;
         snprintf(p->driverName, sizeof(p->driverName), "Saffron");
         snprintf(p->driverInfo, sizeof(p->driverInfo), "Saffron %s on %s",
                  SAFFRON_VERSION, kmd_name(pdev->kmd));
         p->conformanceVersion = (VkConformanceVersion){ 0, 0, 0, 0 };
      END
      PROPERTIES(TRANSFORM_FEEDBACK_PROPERTIES_EXT,
                 VkPhysicalDeviceTransformFeedbackPropertiesEXT)
         p->maxTransformFeedbackStreams = SAF_MAX_XFB_STREAMS;
         p->maxTransformFeedbackBuffers = SAF_MAX_XFB_BUFFERS;
         p->maxTransformFeedbackBufferSize = 1ull << 32;
         p->maxTransformFeedbackStreamDataSize = 128 * 4;
         p->maxTransformFeedbackBufferDataSize = 128 * 4;
         p->maxTransformFeedbackBufferDataStride = 2048;
         p->transformFeedbackQueries = true;
         p->transformFeedbackStreamsLinesTriangles = false;
         p->transformFeedbackRasterizationStreamSelect = true;
         p->transformFeedbackDraw = pdev->info->has_cs_alu;
      END
      PROPERTIES(VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT,
                 VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT)
         p->maxVertexAttribDivisor = UINT32_MAX;
      END
      PROPERTIES(CUSTOM_BORDER_COLOR_PROPERTIES_EXT,
                 VkPhysicalDeviceCustomBorderColorPropertiesEXT)
         p->maxCustomBorderColorSamplers = 4096;
      END
      PROPERTIES(LINE_RASTERIZATION_PROPERTIES_EXT,
                 VkPhysicalDeviceLineRasterizationPropertiesEXT)
         p->lineSubPixelPrecisionBits = 4;
      END
      PROPERTIES(PROVOKING_VERTEX_PROPERTIES_EXT,
                 VkPhysicalDeviceProvokingVertexPropertiesEXT)
         p->provokingVertexModePerPipeline = true;
         p->transformFeedbackPreservesTriangleFanProvokingVertex = false;
      END
      PROPERTIES(ROBUSTNESS_2_PROPERTIES_EXT,
                 VkPhysicalDeviceRobustness2PropertiesEXT)
         p->robustStorageBufferAccessSizeAlignment = 4;
         p->robustUniformBufferAccessSizeAlignment = 64;
      END
      PROPERTIES(TIMELINE_SEMAPHORE_PROPERTIES,
                 VkPhysicalDeviceTimelineSemaphoreProperties)
         p->maxTimelineSemaphoreValueDifference = UINT64_MAX;
      END
      PROPERTIES(DEPTH_STENCIL_RESOLVE_PROPERTIES,
                 VkPhysicalDeviceDepthStencilResolveProperties)
         p->supportedDepthResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
         p->supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
         p->independentResolveNone = true;
         p->independentResolve = true;
      END
      default:
         break;
      }
   }
#undef PROPERTIES
#undef END
}

/* ---- what 1.1 asks for and we have none of ---- */

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceExternalBufferProperties(
   VkPhysicalDevice pdev, const VkPhysicalDeviceExternalBufferInfo *info,
   VkExternalBufferProperties *out)
{
   memset(&out->externalMemoryProperties, 0,
          sizeof(out->externalMemoryProperties));
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceExternalFenceProperties(
   VkPhysicalDevice pdev, const VkPhysicalDeviceExternalFenceInfo *info,
   VkExternalFenceProperties *out)
{
   out->exportFromImportedHandleTypes = 0;
   out->compatibleHandleTypes = 0;
   out->externalFenceFeatures = 0;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceExternalSemaphoreProperties(
   VkPhysicalDevice pdev, const VkPhysicalDeviceExternalSemaphoreInfo *info,
   VkExternalSemaphoreProperties *out)
{
   out->exportFromImportedHandleTypes = 0;
   out->compatibleHandleTypes = 0;
   out->externalSemaphoreFeatures = 0;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceSparseImageFormatProperties(
   VkPhysicalDevice pdev, VkFormat format, VkImageType type,
   VkSampleCountFlagBits samples, VkImageUsageFlags usage,
   VkImageTiling tiling, uint32_t *count, VkSparseImageFormatProperties *out)
{
   *count = 0;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceSparseImageFormatProperties2(
   VkPhysicalDevice pdev, const VkPhysicalDeviceSparseImageFormatInfo2 *info,
   uint32_t *count, VkSparseImageFormatProperties2 *out)
{
   *count = 0;
}
