/* SPDX-License-Identifier: MIT */
/* What a device promises, refuses and hands out. */
#include "util/macros.h"
#include "util/tests/rights.h"
#include "vkt.h"

#include "query_structs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static VkResult
create_device(const void *next, VkDevice *out)
{
   const VkDeviceCreateInfo info = { .pNext = next };
   return vkt_create_device(&info, NULL, out);
}

/*
 * Each structure of the versions and extensions is filled in. Of features,
 * which are dwords, the last one may be padding, all others are written; of
 * properties, which may have padding anywhere, at least something is.
 */
union query {
   VkBaseOutStructure head;
   uint32_t dwords[256];
};

#define LEFT 0xa5a5a5a5

static union query
query_of(VkStructureType type)
{
   union query q;
   memset(&q, (unsigned char)LEFT, sizeof(q));
   q.head.sType = type;
   q.head.pNext = NULL;
   return q;
}

static void
check_filled(const union query *q, size_t size_B, bool whole,
             const char *name)
{
   const unsigned first = sizeof(q->head) / 4, end = (unsigned)size_B / 4;
   unsigned left = 0;
   for (unsigned i = first; i < end; i++)
      left += q->dwords[i] == LEFT;
   if (left > (whole ? q->dwords[end - 1] == LEFT : end - first - 1))
      fail_msg("%s: %u dwords as they were", name, left);
   for (unsigned i = end; i < ARRAY_SIZE(q->dwords); i++)
      assert_int_equal(q->dwords[i], LEFT);
}

static void
test_queries(void **state)
{
   union query q;
#define FEATURES(TYPE, Name)                                                 \
   q = query_of(TYPE);                                                       \
   vkt_features(&q);                                                         \
   check_filled(&q, sizeof(Name), true, #Name);
#define PROPERTIES(TYPE, Name)                                               \
   q = query_of(TYPE);                                                       \
   vkt_properties(&q);                                                       \
   check_filled(&q, sizeof(Name), false, #Name);
   QUERY_FEATURES(FEATURES)
   QUERY_PROPERTIES(PROPERTIES)
}

/* Features that are not there are refused wherever they are asked for: in a
 * structure that the driver knows and in one that it does not. */
static void
test_chained_features(void **state)
{
   const VKT_INFO(PhysicalDeviceProtectedMemoryFeatures, known,
                  .protectedMemory = VK_TRUE);
   const VKT_INFO(PhysicalDeviceRayQueryFeaturesKHR, unknown,
                  .rayQuery = VK_TRUE);
   VkPhysicalDeviceRayQueryFeaturesKHR not_wanted = unknown;
   not_wanted.rayQuery = VK_FALSE;
   VkDevice device;
   assert_int_equal(create_device(&known, &device),
                    VK_ERROR_FEATURE_NOT_PRESENT);
   assert_int_equal(create_device(&unknown, &device),
                    VK_ERROR_FEATURE_NOT_PRESENT);
   VKT_CHECK(create_device(&not_wanted, &device));
   vkDestroyDevice(device, NULL);
}

/* What stands in the padding after the last feature is no feature: layers
 * that copy structures leave anything there. */
static void
test_padding(void **state)
{
   VkPhysicalDeviceRayQueryFeaturesKHR ray;
   memset(&ray, 0xff, sizeof(ray));
   ray.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR;
   ray.pNext = NULL;
   ray.rayQuery = VK_FALSE;
   VkDevice device;
   VKT_CHECK(create_device(&ray, &device));
   vkDestroyDevice(device, NULL);
}

/* Commands of an extension only for who has it on. */
static void
test_commands_of_extensions(void **state)
{
   VkDevice device;
   VKT_CHECK(create_device(NULL, &device));
   assert_null(vkGetDeviceProcAddr(device, "vkCmdSetLineStippleEXT"));
   assert_null(vkGetDeviceProcAddr(device, "vkGetSemaphoreCounterValueKHR"));
   assert_non_null(vkGetDeviceProcAddr(device, "vkCmdDraw"));
   assert_non_null(vkGetDeviceProcAddr(device, "vkTrimCommandPool"));
   assert_non_null(vkGetDeviceProcAddr(vkt.device, "vkCmdSetLineStippleEXT"));
   vkDestroyDevice(device, NULL);
}

/* A buffer's requirements are never less than its size. */
static void
test_huge_buffers(void **state)
{
   static const VkDeviceSize sizes[] = { 1ull << 40, 1ull << 63, ~0ull,
                                         ~0ull - 62 };
   if (vkt_is_validated())
      skip();
   for (unsigned i = 0; i < 4; i++) {
      const VKT_INFO(BufferCreateInfo, info, .size = sizes[i],
                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
      VkBuffer buffer;
      const VkResult result =
         vkCreateBuffer(vkt.device, &info, NULL, &buffer);
      if (result) {
         assert_int_equal(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
         continue;
      }
      VkMemoryRequirements reqs;
      vkGetBufferMemoryRequirements(vkt.device, buffer, &reqs);
      assert_true(reqs.size >= sizes[i]);
      vkDestroyBuffer(vkt.device, buffer, NULL);
   }
}

/* All allocations together fit into the heap. Pages are not touched, so that
 * this costs address space only. */
static void
test_heap_is_enforced(void **state)
{
   VkPhysicalDeviceMemoryProperties props;
   vkGetPhysicalDeviceMemoryProperties(vkt.pdev, &props);
   const VKT_INFO(MemoryAllocateInfo, info,
                  .allocationSize = props.memoryHeaps[0].size / 8 * 3);
   VkDeviceMemory first, second, third;
   VKT_CHECK(vkAllocateMemory(vkt.device, &info, NULL, &first));
   VKT_CHECK(vkAllocateMemory(vkt.device, &info, NULL, &second));
   assert_int_equal(vkAllocateMemory(vkt.device, &info, NULL, &third),
                    VK_ERROR_OUT_OF_DEVICE_MEMORY);
   vkFreeMemory(vkt.device, first, NULL);
   VKT_CHECK(vkAllocateMemory(vkt.device, &info, NULL, &third));
   vkFreeMemory(vkt.device, second, NULL);
   vkFreeMemory(vkt.device, third, NULL);
}

/* Three things that are not the same, and a simulated GPU that does not pass
 * for a chip. */
static void
test_identity(void **state)
{
   VKT_INFO(PhysicalDeviceIDProperties, ids);
   const VkPhysicalDeviceProperties props = vkt_properties(&ids);
   const uint8_t *cache = props.pipelineCacheUUID;
   assert_memory_not_equal(ids.deviceUUID, ids.driverUUID, VK_UUID_SIZE);
   assert_memory_not_equal(ids.deviceUUID, cache, VK_UUID_SIZE);
   assert_memory_not_equal(ids.driverUUID, cache, VK_UUID_SIZE);
   if (strstr(props.deviceName, "simulated"))
      assert_int_equal(props.deviceType, VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU);
}

/* Another instance of an application on that engine (NULL: none), with its
 * physical device; the caller destroys it. */
static VkInstance
open_another(const char *engine, VkPhysicalDevice *pdev)
{
   const VKT_INFO(ApplicationInfo, app, .pEngineName = engine,
                  .apiVersion = VK_API_VERSION_1_2);
   const VKT_INFO(InstanceCreateInfo, info, .pApplicationInfo = &app);
   VkInstance instance;
   uint32_t count = 1;

   VKT_CHECK(vkCreateInstance(&info, NULL, &instance));
   VKT_CHECK(vkEnumeratePhysicalDevices(instance, &count, pdev));
   return instance;
}

static void
read_cache_uuid(const char *engine, uint8_t uuid[VK_UUID_SIZE])
{
   VkPhysicalDeviceProperties props;
   VkPhysicalDevice pdev;
   const VkInstance instance = open_another(engine, &pdev);

   vkGetPhysicalDeviceProperties(pdev, &props);
   memcpy(uuid, props.pipelineCacheUUID, VK_UUID_SIZE);
   vkDestroyInstance(instance, NULL);
}

static bool
sets_control_points_late(const char *engine)
{
   VKT_INFO(PhysicalDeviceExtendedDynamicState2FeaturesEXT, late);
   VKT_INFO(PhysicalDeviceFeatures2, all, .pNext = &late);
   VkPhysicalDevice pdev;
   const VkInstance instance = open_another(engine, &pdev);

   vkGetPhysicalDeviceFeatures2(pdev, &all);
   vkDestroyInstance(instance, NULL);
   assert_true(late.extendedDynamicState2);
   return late.extendedDynamicState2PatchControlPoints;
}

/* But not for zink, which makes wrong use of it. */
static void
test_control_points(void **state)
{
   assert_true(sets_control_points_late(NULL));
   assert_true(sets_control_points_late("another"));
   assert_false(sets_control_points_late("mesa zink"));
}

/* What one back end made is no use where another one is asked for: as many
 * UUIDs as choices, but where the chip leaves none. */
static void
test_cache_of_back_ends(void **state)
{
   uint8_t all[VK_UUID_SIZE], some[VK_UUID_SIZE];
   VkPhysicalDeviceProperties props;
   bool choice;

   vkGetPhysicalDeviceProperties(vkt.pdev, &props);
   choice = !strstr(props.deviceName, "(IVB") &&
            !strstr(props.deviceName, "(HSW") &&
            !strstr(props.deviceName, "(BYT");
   read_cache_uuid(NULL, all);
   setenv("INTEL_SCALAR_STAGES", "tcs,tes,gs", 1);
   read_cache_uuid(NULL, some);
   unsetenv("INTEL_SCALAR_STAGES");
   assert_int_equal(memcmp(all, some, VK_UUID_SIZE) != 0, choice);
}

/* Nor what was made of shaders in which expansions of built-in functions are
 * recognised. */
static void
test_cache_of_engines(void **state)
{
   uint8_t none[VK_UUID_SIZE], another[VK_UUID_SIZE], zink[VK_UUID_SIZE];

   read_cache_uuid(NULL, none);
   read_cache_uuid("another", another);
   read_cache_uuid("mesa zink", zink);
   assert_memory_equal(none, another, VK_UUID_SIZE);
   assert_memory_not_equal(none, zink, VK_UUID_SIZE);
}

/* The same count, as another instance of the process has it. */
static VkDeviceSize
heap_usage_of_another(void)
{
   VKT_INFO(PhysicalDeviceMemoryBudgetPropertiesEXT, budget);
   VKT_INFO(PhysicalDeviceMemoryProperties2, props, .pNext = &budget);
   VkPhysicalDevice pdev;
   const VkInstance instance = open_another(NULL, &pdev);

   vkGetPhysicalDeviceMemoryProperties2(pdev, &props);
   vkDestroyInstance(instance, NULL);
   return budget.heapUsage[0];
}

/* What is allocated counts against the heap as soon as it is, no longer. */
static void
test_memory_budget(void **state)
{
   VKT_INFO(PhysicalDeviceMemoryBudgetPropertiesEXT, budget);
   VKT_INFO(PhysicalDeviceMemoryProperties2, props, .pNext = &budget);
   vkGetPhysicalDeviceMemoryProperties2(vkt.pdev, &props);
   const VkDeviceSize before = budget.heapUsage[0];
   assert_int_equal(budget.heapBudget[0],
                    props.memoryProperties.memoryHeaps[0].size);
   struct vkt_buffer b = vkt_buffer_create(1 << 20);
   vkGetPhysicalDeviceMemoryProperties2(vkt.pdev, &props);
   assert_int_equal(budget.heapUsage[0], before + (1 << 20));
   assert_int_equal(heap_usage_of_another(), before + (1 << 20));
   vkt_buffer_destroy(&b);
   vkGetPhysicalDeviceMemoryProperties2(vkt.pdev, &props);
   assert_int_equal(budget.heapUsage[0], before);
   assert_int_equal(budget.heapBudget[1], 0);
}

/* What is asked for and not there is refused, not ignored. */
static void
test_refusals(void **state)
{
   const char *name = "VK_KHR_ray_query";
   VkDeviceCreateInfo info = {
      .enabledExtensionCount = 1,
      .ppEnabledExtensionNames = &name,
   };
   VkDevice device;
   assert_int_equal(vkt_create_device(&info, NULL, &device),
                    VK_ERROR_EXTENSION_NOT_PRESENT);
   const VkPhysicalDeviceFeatures features = { .sparseBinding = VK_TRUE };
   info.enabledExtensionCount = 0;
   info.pEnabledFeatures = &features;
   assert_int_equal(vkt_create_device(&info, NULL, &device),
                    VK_ERROR_FEATURE_NOT_PRESENT);
   assert_null(vkGetDeviceProcAddr(vkt.device, "vkCmdTraceRaysKHR"));
   assert_non_null(vkGetDeviceProcAddr(vkt.device, "vkCmdDraw"));
}

/* What Vulkan 1.2 asks of each device, and a few members besides that say
 * what an extension's structure says. */
static void
test_vulkan_1_2(void **state)
{
   VKT_INFO(PhysicalDeviceMultiviewFeatures, views);
   VKT_INFO(PhysicalDeviceVulkan11Features, f11, .pNext = &views);
   VKT_INFO(PhysicalDeviceVulkan12Features, f12, .pNext = &f11);
   vkt_features(&f12);
   assert_true(f12.uniformBufferStandardLayout);
   assert_true(f12.subgroupBroadcastDynamicId);
   assert_true(f12.shaderSubgroupExtendedTypes);
   assert_true(f12.imagelessFramebuffer);
   assert_true(f12.separateDepthStencilLayouts);
   assert_true(f12.hostQueryReset);
   assert_true(f12.timelineSemaphore);
   assert_true(f11.multiview);
   assert_true(f11.shaderDrawParameters);
   assert_int_equal(f11.multiviewGeometryShader,
                    views.multiviewGeometryShader);
   VkDevice device;
   f11.pNext = NULL;
   VKT_CHECK(create_device(&f12, &device));
   assert_non_null(vkGetDeviceProcAddr(device, "vkResetQueryPool"));
   vkDestroyDevice(device, NULL);
   f12.bufferDeviceAddressMultiDevice = VK_TRUE;
   assert_int_equal(create_device(&f12, &device),
                    VK_ERROR_FEATURE_NOT_PRESENT);
}

static void
test_properties_of_1_2(void **state)
{
   VKT_INFO(PhysicalDeviceSubgroupProperties, subgroups);
   VKT_INFO(PhysicalDeviceMaintenance3Properties, maintenance,
            .pNext = &subgroups);
   VKT_INFO(PhysicalDeviceVulkan11Properties, p11, .pNext = &maintenance);
   VKT_INFO(PhysicalDeviceVulkan12Properties, p12, .pNext = &p11);
   const VkPhysicalDeviceProperties props = vkt_properties(&p12);
   assert_true(props.apiVersion >= VK_API_VERSION_1_2);
   assert_int_equal(p11.subgroupSize, subgroups.subgroupSize);
   assert_int_equal(p11.subgroupSupportedStages, subgroups.supportedStages);
   assert_int_equal(p11.subgroupSupportedOperations,
                    subgroups.supportedOperations);
   assert_int_equal(p11.maxPerSetDescriptors,
                    maintenance.maxPerSetDescriptors);
   assert_int_equal(p11.maxMemoryAllocationSize,
                    maintenance.maxMemoryAllocationSize);
   assert_true(strstr(p12.driverName, "Saffron"));
   assert_true(p12.supportedDepthResolveModes &
               VK_RESOLVE_MODE_SAMPLE_ZERO_BIT);
   assert_true(p12.maxTimelineSemaphoreValueDifference >= INT32_MAX);
   assert_true(p12.shaderDenormPreserveFloat64);
   assert_true(p12.shaderRoundingModeRTZFloat32);
   assert_true(p12.framebufferIntegerColorSampleCounts &
               VK_SAMPLE_COUNT_4_BIT);
}

/* The loader is told the version of the newest generation. */
static void
test_manifest(void **state)
{
   FILE *f = fopen(getenv("VK_ICD_FILENAMES"), "r");
   assert_non_null(f);
   char text[1024] = "";
   assert_true(fread(text, 1, sizeof(text) - 1, f) > 0);
   fclose(f);
   const char *at = strstr(text, "\"api_version\": \"");
   unsigned major, minor, patch;
   assert_non_null(at);
   assert_int_equal(
      sscanf(at, "\"api_version\": \"%u.%u.%u", &major, &minor, &patch), 3);
   const VkPhysicalDeviceProperties props = vkt_properties(NULL);
   const uint32_t version = VK_MAKE_API_VERSION(0, major, minor, patch);
   if (strstr(getenv("SAFFRON_DEVICE"), "skl"))
      assert_int_equal(props.apiVersion, version);
   else
      assert_true(props.apiVersion <= version);
}

/* Nothing of ours looks into what a program does; layers may. */
static void
test_tools(void **state)
{
   PFN_vkGetPhysicalDeviceToolPropertiesEXT get =
      (void *)vkGetInstanceProcAddr(vkt.instance,
                                    "vkGetPhysicalDeviceToolPropertiesEXT");
   VkPhysicalDeviceToolProperties tools[4];
   uint32_t count = ARRAY_SIZE(tools);
   assert_non_null(get);
   for (unsigned i = 0; i < ARRAY_SIZE(tools); i++)
      tools[i] = VKT_STRUCT(PhysicalDeviceToolProperties);
   VKT_CHECK(get(vkt.pdev, &count, tools));
   for (uint32_t i = 0; i < count; i++)
      assert_true(tools[i].layer[0]);
}

/* What counts sets that change after they are bound counts the others, too;
 * the validation layers took every layout for too large. */
static void
test_limits_after_bind(void **state)
{
   VKT_INFO(PhysicalDeviceDescriptorIndexingProperties, p);
   VKT_INFO(PhysicalDeviceInlineUniformBlockProperties, inlined, .pNext = &p);
   VKT_INFO(PhysicalDeviceVulkan12Properties, core, .pNext = &inlined);
   const VkPhysicalDeviceProperties all = vkt_properties(&core);
   const VkPhysicalDeviceLimits *l = &all.limits;
#define CHECK_LIMIT(Kind, Type)                                              \
   do {                                                                      \
      const uint32_t least = l->max##Kind##Type;                             \
      assert_true(p.max##Kind##UpdateAfterBind##Type >= least);              \
      assert_true(core.max##Kind##UpdateAfterBind##Type >= least);           \
   } while (0)
   CHECK_LIMIT(PerStageDescriptor, Samplers);
   CHECK_LIMIT(PerStageDescriptor, UniformBuffers);
   CHECK_LIMIT(PerStageDescriptor, StorageBuffers);
   CHECK_LIMIT(PerStageDescriptor, SampledImages);
   CHECK_LIMIT(PerStageDescriptor, StorageImages);
   CHECK_LIMIT(PerStageDescriptor, InputAttachments);
   CHECK_LIMIT(DescriptorSet, Samplers);
   CHECK_LIMIT(DescriptorSet, UniformBuffers);
   CHECK_LIMIT(DescriptorSet, UniformBuffersDynamic);
   CHECK_LIMIT(DescriptorSet, StorageBuffers);
   CHECK_LIMIT(DescriptorSet, StorageBuffersDynamic);
   CHECK_LIMIT(DescriptorSet, SampledImages);
   CHECK_LIMIT(DescriptorSet, StorageImages);
   CHECK_LIMIT(DescriptorSet, InputAttachments);
#undef CHECK_LIMIT
   assert_true(p.maxPerStageUpdateAfterBindResources >=
               l->maxPerStageResources);
   assert_true(
      inlined.maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks >=
      inlined.maxPerStageDescriptorInlineUniformBlocks);
   assert_true(inlined.maxDescriptorSetUpdateAfterBindInlineUniformBlocks >=
               inlined.maxDescriptorSetInlineUniformBlocks);
}

/* Stencil may be used for other things than depth, and counts. */
static void
test_stencil_usage(void **state)
{
   VKT_INFO(ImageStencilUsageCreateInfo, stencil,
            .stencilUsage = VK_IMAGE_USAGE_SAMPLED_BIT);
   const VKT_INFO(PhysicalDeviceImageFormatInfo2, info, .pNext = &stencil,
                  .format = VK_FORMAT_D32_SFLOAT_S8_UINT,
                  .type = VK_IMAGE_TYPE_2D,
                  .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   VKT_INFO(ImageFormatProperties2, out);
   VKT_CHECK(
      vkGetPhysicalDeviceImageFormatProperties2(vkt.pdev, &info, &out));
   stencil.stencilUsage = VK_IMAGE_USAGE_STORAGE_BIT;
   assert_int_equal(vkGetPhysicalDeviceImageFormatProperties2(vkt.pdev, &info,
                                                              &out),
                    VK_ERROR_FORMAT_NOT_SUPPORTED);
}

/* Where the device is among others: these tests have no node of a kernel. */
static void
test_place(void **state)
{
   VKT_INFO(PhysicalDevicePCIBusInfoPropertiesEXT, pci, .pciBus = 77);
   VKT_INFO(PhysicalDeviceDrmPropertiesEXT, drm, .pNext = &pci,
            .hasPrimary = 77, .hasRender = 77);
   VKT_INFO(PhysicalDeviceTexelBufferAlignmentProperties, texels,
            .pNext = &drm);
   const VkPhysicalDeviceProperties all = vkt_properties(&texels);
   assert_false(drm.hasPrimary);
   assert_false(drm.hasRender);
   assert_int_equal(pci.pciBus, 0);
   assert_int_equal(pci.pciDevice, 2);
   assert_int_equal(texels.storageTexelBufferOffsetAlignmentBytes,
                    all.limits.minTexelBufferOffsetAlignment);
   assert_int_equal(texels.uniformTexelBufferOffsetAlignmentBytes,
                    all.limits.minTexelBufferOffsetAlignment);
}

static VkResult
try_priority(VkQueueGlobalPriorityKHR priority)
{
   const VKT_INFO(DeviceQueueGlobalPriorityCreateInfoKHR, global,
                  .globalPriority = priority);
   const float one = 1.0f;
   const VKT_INFO(DeviceQueueCreateInfo, queue, .pNext = &global,
                  .queueCount = 1, .pQueuePriorities = &one);
   const char *const name = VK_KHR_GLOBAL_PRIORITY_EXTENSION_NAME;
   const VKT_INFO(DeviceCreateInfo, info, .queueCreateInfoCount = 1,
                  .pQueueCreateInfos = &queue, .enabledExtensionCount = 1,
                  .ppEnabledExtensionNames = &name);
   VkDevice device;
   const VkResult result = vkCreateDevice(vkt.pdev, &info, NULL, &device);
   if (!result)
      vkDestroyDevice(device, NULL);
   return result;
}

/* The usual one is there for all, a lower one where contexts have an order
 * (not on Gen7); more than that is for who has the right to it now. */
static void
test_global_priority(void **state)
{
   VKT_INFO(QueueFamilyGlobalPriorityPropertiesKHR, list);
   VKT_INFO(QueueFamilyProperties2, family, .pNext = &list);
   uint32_t count = 1;
   vkGetPhysicalDeviceQueueFamilyProperties2(vkt.pdev, &count, &family);
   bool usual = false;
   for (uint32_t i = 0; i < list.priorityCount; i++)
      usual |= list.priorities[i] == VK_QUEUE_GLOBAL_PRIORITY_MEDIUM_KHR;
   assert_true(usual);
   const char *const gen = getenv("SAFFRON_DEVICE");
   const VkResult ordered = strstr(gen, "ivb") || strstr(gen, "hsw")
                               ? VK_ERROR_NOT_PERMITTED_KHR
                               : VK_SUCCESS;
   VKT_CHECK(try_priority(VK_QUEUE_GLOBAL_PRIORITY_MEDIUM_KHR));
   assert_int_equal(try_priority(VK_QUEUE_GLOBAL_PRIORITY_LOW_KHR), ordered);
   static const VkQueueGlobalPriorityKHR more[] = {
      VK_QUEUE_GLOBAL_PRIORITY_HIGH_KHR,
      VK_QUEUE_GLOBAL_PRIORITY_REALTIME_KHR,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(more); i++) {
      assert_true(rights_set(CAP_SYS_NICE, false));
      assert_int_equal(try_priority(more[i]), VK_ERROR_NOT_PERMITTED_KHR);
      if (rights_set(CAP_SYS_NICE, true))
         assert_int_equal(try_priority(more[i]), ordered);
   }
}

/* The simulated GPU appears only to who asks for it. This machine may have a
 * real one. */
static void
test_no_device_unasked(void **state)
{
   const VKT_INFO(InstanceCreateInfo, info);
   char asked[64];
   snprintf(asked, sizeof(asked), "%s", getenv("SAFFRON_DEVICE"));
   unsetenv("SAFFRON_DEVICE");
   VkInstance instance;
   VkPhysicalDevice pdev;
   uint32_t count = 1;
   if (!vkCreateInstance(&info, NULL, &instance)) {
      if (!vkEnumeratePhysicalDevices(instance, &count, &pdev) && count) {
         VkPhysicalDeviceProperties props;
         vkGetPhysicalDeviceProperties(pdev, &props);
         assert_null(strstr(props.deviceName, "simulated"));
      }
      vkDestroyInstance(instance, NULL);
   }
   setenv("SAFFRON_DEVICE", asked, 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory_budget),
      cmocka_unit_test(test_queries),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_chained_features),
      cmocka_unit_test(test_padding),
      cmocka_unit_test(test_commands_of_extensions),
      cmocka_unit_test(test_huge_buffers),
      cmocka_unit_test(test_heap_is_enforced),
      cmocka_unit_test(test_identity),
      cmocka_unit_test(test_control_points),
      cmocka_unit_test(test_cache_of_back_ends),
      cmocka_unit_test(test_cache_of_engines),
      cmocka_unit_test(test_vulkan_1_2),
      cmocka_unit_test(test_properties_of_1_2),
      cmocka_unit_test(test_manifest),
      cmocka_unit_test(test_tools),
      cmocka_unit_test(test_limits_after_bind),
      cmocka_unit_test(test_stencil_usage),
      cmocka_unit_test(test_place),
      cmocka_unit_test(test_global_priority),
      cmocka_unit_test(test_no_device_unasked),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
