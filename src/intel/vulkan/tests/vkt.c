/* SPDX-License-Identifier: MIT */
#include "vkt.h"
#include "util/macros.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct vkt_device vkt;

/* ---- device ---- */

VkSwapchainCreateInfoKHR
vkt_swapchain_info(VkSurfaceKHR surface, VkPresentModeKHR mode, uint32_t size)
{
   return VKT_STRUCT(SwapchainCreateInfoKHR, .surface = surface,
                     .minImageCount = 2,
                     .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                     .imageExtent = { size, size }, .imageArrayLayers = 1,
                     .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                     .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                     .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                     .presentMode = mode);
}

VkResult
vkt_swapchain_try(VkSurfaceKHR surface, VkPresentModeKHR mode, uint32_t size,
                  VkFormat format, VkSwapchainKHR *chain)
{
   VkSwapchainCreateInfoKHR info = vkt_swapchain_info(surface, mode, size);
   info.imageFormat = format;
   return vkCreateSwapchainKHR(vkt.device, &info, NULL, chain);
}

VkSwapchainKHR
vkt_swapchain_create(VkSurfaceKHR surface, VkPresentModeKHR mode,
                     uint32_t size)
{
   VkSwapchainKHR chain;
   VKT_CHECK(vkt_swapchain_try(surface, mode, size, VK_FORMAT_B8G8R8A8_UNORM,
                               &chain));
   return chain;
}

PFN_vkVoidFunction
vkt_proc(const char *name)
{
   PFN_vkVoidFunction f = vkGetDeviceProcAddr(vkt.device, name);
   if (!f)
      fail_msg("the driver has no %s", name);
   return f;
}

/* Structures of features that tests use, less the head. */
static const struct {
   VkStructureType type;
   size_t size_B;
} feature_structs[] = {
#define FEATURES(TYPE, Name)                                                 \
   {                                                                         \
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE,                              \
         sizeof(VkPhysicalDevice##Name)                                      \
   }
   FEATURES(16BIT_STORAGE_FEATURES, 16BitStorageFeatures),
   FEATURES(4444_FORMATS_FEATURES_EXT, 4444FormatsFeaturesEXT),
   FEATURES(8BIT_STORAGE_FEATURES, 8BitStorageFeatures),
   FEATURES(COLOR_WRITE_ENABLE_FEATURES_EXT, ColorWriteEnableFeaturesEXT),
   FEATURES(DEPTH_CLIP_CONTROL_FEATURES_EXT, DepthClipControlFeaturesEXT),
   FEATURES(DEPTH_CLIP_ENABLE_FEATURES_EXT, DepthClipEnableFeaturesEXT),
   FEATURES(DYNAMIC_RENDERING_FEATURES, DynamicRenderingFeatures),
   FEATURES(EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
            ExtendedDynamicState2FeaturesEXT),
   FEATURES(EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
            ExtendedDynamicState3FeaturesEXT),
   FEATURES(GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
            GraphicsPipelineLibraryFeaturesEXT),
   FEATURES(IMAGE_2D_VIEW_OF_3D_FEATURES_EXT, Image2DViewOf3DFeaturesEXT),
   FEATURES(IMAGE_COMPRESSION_CONTROL_FEATURES_EXT,
            ImageCompressionControlFeaturesEXT),
   FEATURES(MAINTENANCE_4_FEATURES, Maintenance4Features),
   FEATURES(MULTI_DRAW_FEATURES_EXT, MultiDrawFeaturesEXT),
   FEATURES(PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
            PipelineCreationCacheControlFeatures),
   FEATURES(PIPELINE_PROTECTED_ACCESS_FEATURES_EXT,
            PipelineProtectedAccessFeaturesEXT),
   FEATURES(PIPELINE_ROBUSTNESS_FEATURES_EXT, PipelineRobustnessFeaturesEXT),
   FEATURES(PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT,
            PrimitiveTopologyListRestartFeaturesEXT),
   FEATURES(PRIVATE_DATA_FEATURES, PrivateDataFeatures),
   FEATURES(PROVOKING_VERTEX_FEATURES_EXT, ProvokingVertexFeaturesEXT),
   FEATURES(SCALAR_BLOCK_LAYOUT_FEATURES, ScalarBlockLayoutFeatures),
   FEATURES(VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
            VertexInputDynamicStateFeaturesEXT),
   FEATURES(ROBUSTNESS_2_FEATURES_EXT, Robustness2FeaturesEXT),
   FEATURES(MULTIVIEW_FEATURES, MultiviewFeatures),
   FEATURES(ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT,
            AttachmentFeedbackLoopLayoutFeaturesEXT),
   FEATURES(HOST_QUERY_RESET_FEATURES, HostQueryResetFeatures),
   FEATURES(CUSTOM_BORDER_COLOR_FEATURES_EXT, CustomBorderColorFeaturesEXT),
   FEATURES(LINE_RASTERIZATION_FEATURES_EXT, LineRasterizationFeaturesEXT),
   FEATURES(TRANSFORM_FEEDBACK_FEATURES_EXT, TransformFeedbackFeaturesEXT),
   FEATURES(TIMELINE_SEMAPHORE_FEATURES, TimelineSemaphoreFeatures),
   FEATURES(BUFFER_DEVICE_ADDRESS_FEATURES, BufferDeviceAddressFeatures),
   FEATURES(SHADER_ATOMIC_FLOAT_FEATURES_EXT, ShaderAtomicFloatFeaturesEXT),
   FEATURES(SHADER_ATOMIC_FLOAT_2_FEATURES_EXT,
            ShaderAtomicFloat2FeaturesEXT),
   FEATURES(SHADER_ATOMIC_INT64_FEATURES, ShaderAtomicInt64Features),
   FEATURES(INLINE_UNIFORM_BLOCK_FEATURES, InlineUniformBlockFeatures),
   FEATURES(DESCRIPTOR_INDEXING_FEATURES, DescriptorIndexingFeatures),
   FEATURES(SHADER_CLOCK_FEATURES_KHR, ShaderClockFeaturesKHR),
   FEATURES(SHADER_FLOAT16_INT8_FEATURES, ShaderFloat16Int8Features),
   FEATURES(SHADER_INTEGER_DOT_PRODUCT_FEATURES,
            ShaderIntegerDotProductFeatures),
   FEATURES(SHADER_MODULE_IDENTIFIER_FEATURES_EXT,
            ShaderModuleIdentifierFeaturesEXT),
   FEATURES(MEMORY_PRIORITY_FEATURES_EXT, MemoryPriorityFeaturesEXT),
   FEATURES(PAGEABLE_DEVICE_LOCAL_MEMORY_FEATURES_EXT,
            PageableDeviceLocalMemoryFeaturesEXT),
   FEATURES(SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
            ShaderSubgroupExtendedTypesFeatures),
   FEATURES(SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR,
            ShaderSubgroupUniformControlFlowFeaturesKHR),
   FEATURES(SHADER_TERMINATE_INVOCATION_FEATURES,
            ShaderTerminateInvocationFeatures),
   FEATURES(SUBGROUP_SIZE_CONTROL_FEATURES, SubgroupSizeControlFeatures),
   FEATURES(TEXEL_BUFFER_ALIGNMENT_FEATURES_EXT,
            TexelBufferAlignmentFeaturesEXT),
   FEATURES(IMAGE_ROBUSTNESS_FEATURES, ImageRobustnessFeatures),
   FEATURES(VARIABLE_POINTERS_FEATURES, VariablePointersFeatures),
   FEATURES(VULKAN_MEMORY_MODEL_FEATURES, VulkanMemoryModelFeatures),
   FEATURES(WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR,
            WorkgroupMemoryExplicitLayoutFeaturesKHR),
   FEATURES(ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES,
            ZeroInitializeWorkgroupMemoryFeatures),
   FEATURES(BORDER_COLOR_SWIZZLE_FEATURES_EXT, BorderColorSwizzleFeaturesEXT),
   FEATURES(CONDITIONAL_RENDERING_FEATURES_EXT,
            ConditionalRenderingFeaturesEXT),
   FEATURES(EXTENDED_DYNAMIC_STATE_FEATURES_EXT,
            ExtendedDynamicStateFeaturesEXT),
   FEATURES(IMAGE_VIEW_MIN_LOD_FEATURES_EXT, ImageViewMinLodFeaturesEXT),
   FEATURES(FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT,
            FragmentShaderInterlockFeaturesEXT),
   FEATURES(IMAGELESS_FRAMEBUFFER_FEATURES, ImagelessFramebufferFeatures),
   FEATURES(INDEX_TYPE_UINT8_FEATURES_EXT, IndexTypeUint8FeaturesEXT),
   FEATURES(NON_SEAMLESS_CUBE_MAP_FEATURES_EXT,
            NonSeamlessCubeMapFeaturesEXT),
   FEATURES(PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
            PipelineExecutablePropertiesFeaturesKHR),
   FEATURES(PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
            PrimitivesGeneratedQueryFeaturesEXT),
   FEATURES(SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES,
            SeparateDepthStencilLayoutsFeatures),
   FEATURES(SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES,
            ShaderDemoteToHelperInvocationFeatures),
   FEATURES(SHADER_DRAW_PARAMETERS_FEATURES, ShaderDrawParametersFeatures),
   FEATURES(SYNCHRONIZATION_2_FEATURES, Synchronization2Features),
   FEATURES(SAMPLER_YCBCR_CONVERSION_FEATURES,
            SamplerYcbcrConversionFeatures),
   FEATURES(YCBCR_2_PLANE_444_FORMATS_FEATURES_EXT,
            Ycbcr2Plane444FormatsFeaturesEXT),
   FEATURES(YCBCR_IMAGE_ARRAYS_FEATURES_EXT, YcbcrImageArraysFeaturesEXT),
   FEATURES(VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
            VertexAttributeDivisorFeaturesEXT),
#undef FEATURES
};

/* A chain of feature structures, which the driver fills in and gets back. */
static const void *
features(void)
{
   static union {
      VkBaseOutStructure head;
      char bytes[256];
   } chain[ARRAY_SIZE(feature_structs)];
   static VKT_INFO(PhysicalDeviceFeatures2, first, .pNext = &chain[0]);
   for (unsigned i = 0; i < ARRAY_SIZE(feature_structs); i++) {
      assert_true(feature_structs[i].size_B <= sizeof(chain[i]));
      chain[i].head.sType = feature_structs[i].type;
      if (i)
         chain[i - 1].head.pNext = &chain[i].head;
   }
   vkGetPhysicalDeviceFeatures2(vkt.pdev, &first);
   for (unsigned i = 0; i < ARRAY_SIZE(feature_structs); i++) {
      const VkPhysicalDeviceBufferDeviceAddressFeatures *addresses =
         (const void *)&chain[i];
      if (chain[i].head.sType ==
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES) {
         vkt.has_addresses = addresses->bufferDeviceAddress;
         vkt.has_replay = addresses->bufferDeviceAddressCaptureReplay;
      }
   }
   return &first;
}

VkResult
vkt_create_device(const VkDeviceCreateInfo *asked,
                  const VkAllocationCallbacks *alloc, VkDevice *out)
{
   const float priority = 1.0f;
   const VKT_INFO(DeviceQueueCreateInfo, queue, .queueCount = 1,
                  .pQueuePriorities = &priority);
   VkDeviceCreateInfo info = *asked;
   info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
   info.queueCreateInfoCount = 1;
   info.pQueueCreateInfos = &queue;
   return vkCreateDevice(vkt.pdev, &info, alloc, out);
}

/* Allocated. */
static VkExtensionProperties *
list_extensions(uint32_t *count)
{
   VKT_CHECK(
      vkEnumerateDeviceExtensionProperties(vkt.pdev, NULL, count, NULL));
   VkExtensionProperties *props = calloc(*count, sizeof(*props));
   VKT_CHECK(
      vkEnumerateDeviceExtensionProperties(vkt.pdev, NULL, count, props));
   return props;
}

bool
vkt_has_extension(const char *name)
{
   uint32_t n;
   VkExtensionProperties *props = list_extensions(&n);
   bool found = false;
   for (uint32_t i = 0; i < n; i++)
      found |= !strcmp(props[i].extensionName, name);
   free(props);
   return found;
}

/* With all extensions. */
static void
open_device(const void *next)
{
   uint32_t n;
   VkExtensionProperties *props = list_extensions(&n);
   const char **names = calloc(n, sizeof(*names));
   uint32_t used = 0;
   for (uint32_t i = 0; i < n; i++) {
      /* Excludes the extension that came after it. */
      if (strcmp(props[i].extensionName,
                 VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) != 0)
         names[used++] = props[i].extensionName;
   }
   const VkDeviceCreateInfo info = {
      .pNext = next,
      .enabledExtensionCount = used,
      .ppEnabledExtensionNames = names,
   };
   VKT_CHECK(vkt_create_device(&info, vkt.alloc, &vkt.device));
   free(props);
   free(names);
   vkGetDeviceQueue(vkt.device, 0, 0, &vkt.queue);
   const VKT_INFO(CommandPoolCreateInfo, pool);
   VKT_CHECK(vkCreateCommandPool(vkt.device, &pool, NULL, &vkt.pool));
}

static void
close_device(void)
{
   vkt_destroy_parts();
   vkDestroyCommandPool(vkt.device, vkt.pool, NULL);
   vkDestroyDevice(vkt.device, vkt.alloc);
}

void
vkt_with_features(const void *next, void (*run)(void))
{
   const struct vkt_device usual = vkt;
   vkt.has_addresses = false;
   vkt.parts = (struct util_dynarray) { 0 };
   open_device(next);
   run();
   close_device();
   vkt = usual;
}

void
vkt_with_core_features(void (*run)(void))
{
   VKT_INFO(PhysicalDeviceExtendedDynamicStateFeaturesEXT, dynamic);
   VKT_INFO(PhysicalDeviceVulkan11Features, f11, .pNext = &dynamic);
   VKT_INFO(PhysicalDeviceVulkan12Features, f12, .pNext = &f11);
   VKT_INFO(PhysicalDeviceFeatures2, all, .pNext = &f12);
   vkGetPhysicalDeviceFeatures2(vkt.pdev, &all);
   vkt_with_features(&all, run);
}

VkPhysicalDeviceFeatures
vkt_features(void *next)
{
   VKT_INFO(PhysicalDeviceFeatures2, all, .pNext = next);
   vkGetPhysicalDeviceFeatures2(vkt.pdev, &all);
   return all.features;
}

VkPhysicalDeviceProperties
vkt_properties(void *next)
{
   VKT_INFO(PhysicalDeviceProperties2, all, .pNext = next);
   vkGetPhysicalDeviceProperties2(vkt.pdev, &all);
   return all.properties;
}

bool
vkt_is_validated(void)
{
   const char *layers = getenv("VK_INSTANCE_LAYERS");
   return layers && strstr(layers, "validation");
}

int
vkt_setup(void **state)
{
   /* Layers may know nothing newer. */
   const VKT_INFO(ApplicationInfo, app,
                  .apiVersion = vkt_is_validated()
                                   ? VK_API_VERSION_1_3
                                   : VK_MAKE_API_VERSION(0, 1, 4, 0));
   const VKT_INFO(InstanceCreateInfo, instance, .pApplicationInfo = &app,
                  .enabledExtensionCount = 7,
                  .ppEnabledExtensionNames = (const char *[]) {
                     VK_KHR_SURFACE_EXTENSION_NAME,
                     VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                     "VK_KHR_get_surface_capabilities2",
                     "VK_EXT_headless_surface",
                     "VK_KHR_wayland_surface",
                     "VK_KHR_xcb_surface",
                     "VK_KHR_xlib_surface",
                  });
   VKT_CHECK(vkCreateInstance(&instance, NULL, &vkt.instance));
   uint32_t count = 1;
   VKT_CHECK(vkEnumeratePhysicalDevices(vkt.instance, &count, &vkt.pdev));
   assert_int_equal(count, 1);
   open_device(features());
   return 0;
}

int
vkt_teardown(void **state)
{
   close_device();
   vkDestroyInstance(vkt.instance, NULL);
   return 0;
}

/* ---- memory ---- */

static VkDeviceMemory
allocate(const VkMemoryRequirements *reqs)
{
   const VKT_INFO(
      MemoryAllocateFlagsInfo, flags,
      .flags = vkt.has_addresses ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT : 0);
   const VKT_INFO(
      MemoryAllocateInfo, info, .pNext = &flags, .allocationSize = reqs->size,
      .memoryTypeIndex = (uint32_t)__builtin_ctz(reqs->memoryTypeBits));
   VkDeviceMemory memory;
   VKT_CHECK(vkAllocateMemory(vkt.device, &info, NULL, &memory));
   return memory;
}

static struct vkt_buffer
create_buffer(VkDeviceSize size_B, VkBufferUsageFlags unused)
{
   struct vkt_buffer b = { .size_B = size_B };
   b.buffer = VKT_NEW(
      Buffer, BUFFER, .size = size_B,
      .usage = ~unused &
               (VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
                VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT |
                VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                (vkt.has_addresses ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT
                                   : 0)));
   VkMemoryRequirements reqs;
   vkGetBufferMemoryRequirements(vkt.device, b.buffer, &reqs);
   b.memory = allocate(&reqs);
   VKT_CHECK(vkBindBufferMemory(vkt.device, b.buffer, b.memory, 0));
   VKT_CHECK(vkMapMemory(vkt.device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.map));
   return b;
}

struct vkt_buffer
vkt_buffer_create(VkDeviceSize size_B)
{
   return vkt_buffer_create_without(size_B, 0);
}

struct vkt_buffer
vkt_buffer_create_without(VkDeviceSize size_B, VkBufferUsageFlags unused)
{
   struct vkt_buffer b = create_buffer(size_B, unused);
   memset(b.map, 0xcd, size_B);
   return b;
}

struct vkt_buffer
vkt_buffer_create_large(VkDeviceSize size_B)
{
   return create_buffer(size_B, 0);
}

void
vkt_buffer_destroy(struct vkt_buffer *b)
{
   vkDestroyBuffer(vkt.device, b->buffer, NULL);
   vkFreeMemory(vkt.device, b->memory, NULL);
}

static VkImageAspectFlags
aspect(VkFormat format)
{
   switch (format) {
   case VK_FORMAT_D16_UNORM:
   case VK_FORMAT_D32_SFLOAT:
   case VK_FORMAT_X8_D24_UNORM_PACK32: return VK_IMAGE_ASPECT_DEPTH_BIT;
   case VK_FORMAT_S8_UINT: return VK_IMAGE_ASPECT_STENCIL_BIT;
   case VK_FORMAT_D24_UNORM_S8_UINT:
   case VK_FORMAT_D16_UNORM_S8_UINT:
   case VK_FORMAT_D32_SFLOAT_S8_UINT:
      return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
   default: return VK_IMAGE_ASPECT_COLOR_BIT;
   }
}

/* Of depth and stencil, depth. */
static VkImageAspectFlags
copied_aspect(VkFormat format)
{
   const VkImageAspectFlags all = aspect(format);
   return all & VK_IMAGE_ASPECT_DEPTH_BIT ? VK_IMAGE_ASPECT_DEPTH_BIT : all;
}

static VkImageViewType
own_view_type(const struct vkt_image_desc *d)
{
   if (d->one_dimension)
      return d->layers > 1 ? VK_IMAGE_VIEW_TYPE_1D_ARRAY
                           : VK_IMAGE_VIEW_TYPE_1D;
   if (d->depth > 1)
      return VK_IMAGE_VIEW_TYPE_3D;
   return d->layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
}

static struct vkt_image_desc
with_defaults(const struct vkt_image_desc *desc)
{
   struct vkt_image_desc d = *desc;
   d.format = d.format ? d.format : VK_FORMAT_R8G8B8A8_UNORM;
   d.height = MAX2(d.height, 1);
   d.depth = MAX2(d.depth, 1);
   d.levels = MAX2(d.levels, 1);
   d.layers = MAX2(d.layers, 1);
   d.samples = MAX2(d.samples, VK_SAMPLE_COUNT_1_BIT);
   d.view_format = d.view_format ? d.view_format : d.format;
   d.view_type = d.view_type ? d.view_type : own_view_type(&d);
   return d;
}

static void
to_general(const struct vkt_image *i)
{
   VkCommandBuffer cmd = vkt_begin();
   const VKT_INFO(ImageMemoryBarrier, barrier,
                  .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
                                   VK_ACCESS_MEMORY_WRITE_BIT,
                  .newLayout = VK_IMAGE_LAYOUT_GENERAL, .image = i->image,
                  .subresourceRange = { aspect(i->desc.format), 0,
                                        i->desc.levels, 0, i->desc.layers });
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                        NULL, 1, &barrier);
   vkt_submit(cmd);
}

struct vkt_image
vkt_image_create(const struct vkt_image_desc *desc)
{
   struct vkt_image i = { .desc = with_defaults(desc) };
   const struct vkt_image_desc *d = &i.desc;
   i.image = VKT_NEW(Image, IMAGE, .pNext = d->next, .flags = d->flags,
                     .imageType = d->one_dimension ? VK_IMAGE_TYPE_1D
                                  : d->depth > 1   ? VK_IMAGE_TYPE_3D
                                                   : VK_IMAGE_TYPE_2D,
                     .format = d->format,
                     .extent = { d->width, d->height, d->depth },
                     .mipLevels = d->levels, .arrayLayers = d->layers,
                     .samples = d->samples,
                     .usage = d->usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                              VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   VkMemoryRequirements reqs;
   vkGetImageMemoryRequirements(vkt.device, i.image, &reqs);
   i.memory = allocate(&reqs);
   VKT_CHECK(vkBindImageMemory(vkt.device, i.image, i.memory, 0));
   const VKT_INFO(ImageViewUsageCreateInfo, usage, .usage = d->view_usage);
   const VKT_INFO(ImageViewCreateInfo, view,
                  .pNext = d->view_usage ? &usage : d->view_next,
                  .image = i.image, .viewType = d->view_type,
                  .format = d->view_format, .components = d->swizzle,
                  .subresourceRange = { aspect(d->format), 0, d->levels, 0,
                                        d->layers });
   if (d->usage)
      VKT_CHECK(vkCreateImageView(vkt.device, &view, NULL, &i.view));
   to_general(&i);
   return i;
}

void
vkt_image_destroy(struct vkt_image *i)
{
   vkDestroyImageView(vkt.device, i->view, NULL);
   vkDestroyImage(vkt.device, i->image, NULL);
   vkFreeMemory(vkt.device, i->memory, NULL);
}

static VkBufferImageCopy
whole_level(const struct vkt_image *i, uint32_t level)
{
   const struct vkt_image_desc *d = &i->desc;
   return (VkBufferImageCopy) {
      .imageSubresource = { copied_aspect(d->format), level, 0, d->layers },
      .imageExtent = { MAX2(d->width >> level, 1),
                       MAX2(d->height >> level, 1),
                       MAX2(d->depth >> level, 1) },
   };
}

void
vkt_image_write(const struct vkt_image *i, uint32_t level, const void *data,
                size_t size_B)
{
   struct vkt_buffer b = vkt_buffer_create(size_B);
   memcpy(b.map, data, size_B);
   const VkBufferImageCopy region = whole_level(i, level);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyBufferToImage(cmd, b.buffer, i->image, VK_IMAGE_LAYOUT_GENERAL, 1,
                          &region);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   vkt_buffer_destroy(&b);
}

void
vkt_image_read(const struct vkt_image *i, uint32_t level, void *data,
               size_t size_B)
{
   struct vkt_buffer b = vkt_buffer_create(size_B);
   const VkBufferImageCopy region = whole_level(i, level);
   VkCommandBuffer cmd = vkt_begin();
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, i->image, VK_IMAGE_LAYOUT_GENERAL, b.buffer, 1,
                          &region);
   vkt_submit(cmd);
   memcpy(data, b.map, size_B);
   vkt_buffer_destroy(&b);
}

/* ---- commands ---- */

VkCommandBuffer
vkt_begin(void)
{
   const VKT_INFO(CommandBufferAllocateInfo, info, .commandPool = vkt.pool,
                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                  .commandBufferCount = 1);
   VkCommandBuffer cmd;
   VKT_CHECK(vkAllocateCommandBuffers(vkt.device, &info, &cmd));
   const VKT_INFO(CommandBufferBeginInfo, begin_info);
   VKT_CHECK(vkBeginCommandBuffer(cmd, &begin_info));
   return cmd;
}

void
vkt_barrier(VkCommandBuffer cmd)
{
   const VKT_INFO(MemoryBarrier, barrier,
                  .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                  .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
                                   VK_ACCESS_MEMORY_WRITE_BIT);
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0,
                        NULL, 0, NULL);
}

void
vkt_submit(VkCommandBuffer cmd)
{
   VKT_CHECK(vkEndCommandBuffer(cmd));
   const VKT_INFO(SubmitInfo, info, .commandBufferCount = 1,
                  .pCommandBuffers = &cmd);
   VKT_CHECK(vkQueueSubmit(vkt.queue, 1, &info, VK_NULL_HANDLE));
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
   vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &cmd);
}

/* ---- what is printed ---- */

int
vkt_divert_stderr(FILE *to)
{
   const int saved = dup(STDERR_FILENO);
   fflush(stderr);
   dup2(fileno(to), STDERR_FILENO);
   return saved;
}

void
vkt_restore_stderr(int saved)
{
   fflush(stderr);
   dup2(saved, STDERR_FILENO);
   close(saved);
}
