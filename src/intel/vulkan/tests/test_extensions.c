/* SPDX-License-Identifier: MIT */
/* What extensions add to memory, to objects of the host and to queries of
 * what there is: one test for each, or for a few that belong together. */
#include "vkt.h"

#include <string.h>

/* Requirements asked for in the new way are the old ones, with a word on
 * dedicated memory; dedicated memory is memory, and is bound in the new way.
 */
static void
test_buffer_memory(void **state)
{
   VkBuffer buffer = VKT_NEW(Buffer, BUFFER, .size = 100,
                             .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   VKT_INFO(MemoryDedicatedRequirements, own,
            .prefersDedicatedAllocation = 77,
            .requiresDedicatedAllocation = 77);
   VKT_INFO(MemoryRequirements2, reqs, .pNext = &own);
   const VKT_INFO(BufferMemoryRequirementsInfo2, ask, .buffer = buffer);
   VkMemoryRequirements old;
   vkGetBufferMemoryRequirements2(vkt.device, &ask, &reqs);
   vkGetBufferMemoryRequirements(vkt.device, buffer, &old);
   assert_memory_equal(&old, &reqs.memoryRequirements, sizeof(old));
   assert_false(own.prefersDedicatedAllocation);
   assert_false(own.requiresDedicatedAllocation);

   const VKT_INFO(MemoryDedicatedAllocateInfo, dedicated, .buffer = buffer);
   const VKT_INFO(MemoryAllocateInfo, alloc, .pNext = &dedicated,
                  .allocationSize = old.size,
                  .memoryTypeIndex =
                     (uint32_t)__builtin_ctz(old.memoryTypeBits));
   VkDeviceMemory memory;
   VKT_CHECK(vkAllocateMemory(vkt.device, &alloc, NULL, &memory));
   const VKT_INFO(BindBufferMemoryInfo, bind, .buffer = buffer,
                  .memory = memory);
   VKT_CHECK(vkBindBufferMemory2(vkt.device, 1, &bind));
   uint32_t *map;
   VKT_CHECK(
      vkMapMemory(vkt.device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&map));
   memset(map, 0, 100);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdFillBuffer(cmd, buffer, 4, 92, 0x12345678);
   vkt_submit(cmd);
   assert_int_equal(map[0], 0);
   for (unsigned i = 1; i < 24; i++)
      assert_int_equal(map[i], 0x12345678);
   assert_int_equal(map[24], 0);
   vkDestroyBuffer(vkt.device, buffer, NULL);
   vkFreeMemory(vkt.device, memory, NULL);
}

static VkImage
create_image(void)
{
   return VKT_NEW(Image, IMAGE, .imageType = VK_IMAGE_TYPE_2D,
                  .format = VK_FORMAT_R8G8B8A8_UNORM, .extent = { 16, 16, 1 },
                  .mipLevels = 1, .arrayLayers = 1,
                  .samples = VK_SAMPLE_COUNT_1_BIT,
                  .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                           VK_IMAGE_USAGE_TRANSFER_DST_BIT);
}

static VkMemoryRequirements
requirements_of(VkImage image)
{
   const VKT_INFO(ImageMemoryRequirementsInfo2, ask, .image = image);
   VKT_INFO(MemoryRequirements2, reqs);
   VkMemoryRequirements old;
   vkGetImageMemoryRequirements2(vkt.device, &ask, &reqs);
   vkGetImageMemoryRequirements(vkt.device, image, &old);
   assert_memory_equal(&old, &reqs.memoryRequirements, sizeof(old));
   return old;
}

/* Two images in one memory, bound by one call, keep what is theirs. */
static void
test_image_memory(void **state)
{
   VkImage images[2] = { create_image(), create_image() };
   const VkMemoryRequirements reqs = requirements_of(images[0]);
   const VkDeviceSize second = (reqs.size + reqs.alignment - 1) /
                               reqs.alignment * reqs.alignment;
   const VKT_INFO(
      MemoryAllocateInfo, alloc, .allocationSize = second + reqs.size,
      .memoryTypeIndex = (uint32_t)__builtin_ctz(reqs.memoryTypeBits));
   VkDeviceMemory memory;
   VKT_CHECK(vkAllocateMemory(vkt.device, &alloc, NULL, &memory));
   const VkBindImageMemoryInfo binds[] = {
      { VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, NULL, images[0], memory,
        0 },
      { VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, NULL, images[1], memory,
        second },
   };
   VKT_CHECK(vkBindImageMemory2(vkt.device, 2, binds));
   const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                           1 };
   const VkBufferImageCopy all = {
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .imageExtent = { 16, 16, 1 },
   };
   struct vkt_buffer out[2];
   VkCommandBuffer cmd = vkt_begin();
   for (unsigned i = 0; i < 2; i++) {
      const VkClearColorValue color = { .float32 = { (float)i, 1, 0, 1 } };
      const VKT_INFO(ImageMemoryBarrier, begin,
                     .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                     .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                     .image = images[i], .subresourceRange = range);
      vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                           VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0,
                           NULL, 1, &begin);
      out[i] = vkt_buffer_create(16 * 16 * 4);
      vkCmdClearColorImage(cmd, images[i], VK_IMAGE_LAYOUT_GENERAL, &color, 1,
                           &range);
   }
   vkt_barrier(cmd);
   for (unsigned i = 0; i < 2; i++)
      vkCmdCopyImageToBuffer(cmd, images[i], VK_IMAGE_LAYOUT_GENERAL,
                             out[i].buffer, 1, &all);
   vkt_submit(cmd);
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned p = 0; p < 16 * 16; p++)
         assert_int_equal(((uint32_t *)out[i].map)[p], 0xff00ff00 | i * 0xff);
      vkt_buffer_destroy(&out[i]);
      vkDestroyImage(vkt.device, images[i], NULL);
   }
   vkFreeMemory(vkt.device, memory, NULL);
}

static void
test_driver_properties(void **state)
{
   VKT_INFO(PhysicalDeviceDriverProperties, driver);
   VKT_INFO(PhysicalDeviceVulkan12Properties, p12, .pNext = &driver);
   vkt_properties(&p12);
   assert_non_null(strstr(driver.driverName, "Saffron"));
   assert_true(driver.driverInfo[0]);
   assert_int_equal(driver.driverID, p12.driverID);
   assert_string_equal(driver.driverInfo, p12.driverInfo);
}

/* As many descriptors as the limit says fit into a set, and no more. */
static void
test_layout_support(void **state)
{
   VKT_INFO(PhysicalDeviceMaintenance3Properties, limits);
   vkt_properties(&limits);
   assert_true(limits.maxPerSetDescriptors >= 1024);
   assert_true(limits.maxMemoryAllocationSize >= 1 << 30);
   VkDescriptorSetLayoutBinding bindings[2] = { {
      .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
      .descriptorCount = 16,
      .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
   } };
   bindings[1] = bindings[0];
   bindings[1].binding = 1;
   const VKT_INFO(DescriptorSetLayoutCreateInfo, info, .bindingCount = 2,
                  .pBindings = bindings);
   VKT_INFO(DescriptorSetLayoutSupport, support);
   vkGetDescriptorSetLayoutSupport(vkt.device, &info, &support);
   assert_true(support.supported);
   /* More than any number of 32 bits says. */
   bindings[0].descriptorCount = 1u << 31;
   bindings[1].descriptorCount = (1u << 31) + 16;
   vkGetDescriptorSetLayoutSupport(vkt.device, &info, &support);
   assert_false(support.supported);
}

/* One device is a group of one: all that it may be told is what it does. */
static void
test_device_group(void **state)
{
   VKT_INFO(PhysicalDeviceGroupProperties, group);
   uint32_t count = 1;
   VKT_CHECK(vkEnumeratePhysicalDeviceGroups(vkt.instance, &count, &group));
   assert_int_equal(count, 1);
   assert_int_equal(group.physicalDeviceCount, 1);
   assert_ptr_equal(group.physicalDevices[0], vkt.pdev);
   const VKT_INFO(DeviceGroupDeviceCreateInfo, group_info,
                  .physicalDeviceCount = 1,
                  .pPhysicalDevices = group.physicalDevices);
   const VkDeviceCreateInfo info = { .pNext = &group_info };
   VkDevice device;
   VKT_CHECK(vkt_create_device(&info, NULL, &device));
   vkDestroyDevice(device, NULL);

   struct vkt_buffer b = vkt_buffer_create(16);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdSetDeviceMask(cmd, 1);
   vkCmdFillBuffer(cmd, b.buffer, 0, 16, 7);
   VKT_CHECK(vkEndCommandBuffer(cmd));
   const uint32_t mask = 1;
   const VKT_INFO(DeviceGroupSubmitInfo, group_submit,
                  .commandBufferCount = 1,
                  .pCommandBufferDeviceMasks = &mask);
   const VKT_INFO(SubmitInfo, submit, .pNext = &group_submit,
                  .commandBufferCount = 1, .pCommandBuffers = &cmd);
   VKT_CHECK(vkQueueSubmit(vkt.queue, 1, &submit, VK_NULL_HANDLE));
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
   assert_int_equal(((uint32_t *)b.map)[3], 7);
   vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &cmd);
   vkt_buffer_destroy(&b);
}

/* What is said to be exported can be; what no Linux has is not said. */
static void
test_external_capabilities(void **state)
{
   VKT_INFO(PhysicalDeviceExternalFenceInfo, fence,
            .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT);
   VKT_INFO(ExternalFenceProperties, fences);
   vkGetPhysicalDeviceExternalFenceProperties(vkt.pdev, &fence, &fences);
   assert_true(fences.externalFenceFeatures &
               VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT);
   assert_true(fences.compatibleHandleTypes & fence.handleType);
   fence.handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_WIN32_BIT;
   vkGetPhysicalDeviceExternalFenceProperties(vkt.pdev, &fence, &fences);
   assert_int_equal(fences.externalFenceFeatures, 0);
   assert_int_equal(fences.compatibleHandleTypes, 0);

   VKT_INFO(PhysicalDeviceExternalSemaphoreInfo, semaphore,
            .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);
   VKT_INFO(ExternalSemaphoreProperties, semaphores);
   vkGetPhysicalDeviceExternalSemaphoreProperties(vkt.pdev, &semaphore,
                                                  &semaphores);
   assert_true(semaphores.externalSemaphoreFeatures &
               VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT);
   semaphore.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_BIT;
   vkGetPhysicalDeviceExternalSemaphoreProperties(vkt.pdev, &semaphore,
                                                  &semaphores);
   assert_int_equal(semaphores.externalSemaphoreFeatures, 0);
}

/* Both clocks run forward, and what the GPU's says is in ticks of the period
 * that the limits name. */
static void
test_calibrated_timestamps(void **state)
{
   VkTimeDomainEXT domains[8];
   uint32_t count = 8;
   const VkInstance instance = vkt.instance;
   PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT list =
      (PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)
         vkGetInstanceProcAddr(
            instance, "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT");
   VKT_CHECK(list(vkt.pdev, &count, domains));
   assert_true(count >= 2);
   assert_int_equal(domains[0], VK_TIME_DOMAIN_DEVICE_EXT);
   const VkCalibratedTimestampInfoEXT infos[] = {
      { .sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
        .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT },
      { .sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
        .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT },
   };
   uint64_t first[2], second[2], deviation;
   VKT_CHECK(VKT_PROC(vkGetCalibratedTimestampsEXT)(vkt.device, 2, infos,
                                                    first, &deviation));
   assert_true(deviation > 0);
   VKT_CHECK(VKT_PROC(vkGetCalibratedTimestampsEXT)(vkt.device, 2, infos,
                                                    second, &deviation));
   assert_true(second[0] >= first[0]);
   assert_true(second[1] > first[1]);
   assert_true(first[0] < 1ull << 36);
}

/* ---- private data ---- */

static uint64_t
private_data(VkBuffer buffer, VkPrivateDataSlot slot)
{
   uint64_t data = 77;
   VKT_PROC(vkGetPrivateDataEXT)
   (vkt.device, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer, slot, &data);
   return data;
}

/* Always the same place, where every object is then. */
static void *
place(void *user, size_t size_B, size_t align_B, VkSystemAllocationScope s)
{
   static uint64_t memory[128];
   assert_true(size_B <= sizeof(memory));
   return memory;
}

static void
leave(void *user, void *memory)
{
}

static void *
move(void *user, void *old, size_t size_B, size_t align_B,
     VkSystemAllocationScope scope)
{
   return NULL;
}

static const VkAllocationCallbacks one_place = {
   .pfnAllocation = place,
   .pfnReallocation = move,
   .pfnFree = leave,
};

static VkBuffer
small_buffer(void)
{
   const VKT_INFO(BufferCreateInfo, info, .size = 100,
                  .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   VkBuffer buffer;
   VKT_CHECK(vkCreateBuffer(vkt.device, &info, &one_place, &buffer));
   return buffer;
}

/* A number of each slot; none on what is new, though it is where an old
 * object was. */
static void
test_private_data(void **state)
{
   const VKT_INFO(PrivateDataSlotCreateInfo, info);
   VkPrivateDataSlot slots[2];
   for (unsigned i = 0; i < 2; i++)
      VKT_CHECK(VKT_PROC(vkCreatePrivateDataSlotEXT)(vkt.device, &info, NULL,
                                                     &slots[i]));
   VkBuffer first = small_buffer();
   vkDestroyBuffer(vkt.device, first, &one_place);
   for (unsigned i = 0; i < 3; i++) {
      VkBuffer b = small_buffer();
      /* Layers have handles of their own. */
      assert_true(b == first || vkt_is_validated());
      assert_true(private_data(b, slots[0]) == 0);
      VKT_CHECK(VKT_PROC(
         vkSetPrivateDataEXT)(vkt.device, VK_OBJECT_TYPE_BUFFER, (uint64_t)b,
                              slots[0], 0x123456789abcdefull));
      VKT_CHECK(VKT_PROC(vkSetPrivateDataEXT)(
         vkt.device, VK_OBJECT_TYPE_BUFFER, (uint64_t)b, slots[1], i));
      assert_true(private_data(b, slots[0]) == 0x123456789abcdefull);
      assert_true(private_data(b, slots[1]) == i);
      vkDestroyBuffer(vkt.device, b, &one_place);
   }
   for (unsigned i = 0; i < 2; i++)
      VKT_PROC(vkDestroyPrivateDataSlotEXT)(vkt.device, slots[i], NULL);
}

/* ---- requirements of what is not made ---- */

static void
test_requirements_alone(void **state)
{
   const VKT_INFO(ImageCreateInfo, image_info, .imageType = VK_IMAGE_TYPE_2D,
                  .format = VK_FORMAT_D24_UNORM_S8_UINT,
                  .extent = { 100, 60, 1 }, .mipLevels = 3, .arrayLayers = 2,
                  .samples = VK_SAMPLE_COUNT_1_BIT,
                  .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   const VKT_INFO(BufferCreateInfo, buffer_info, .size = 1001,
                  .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   const VKT_INFO(DeviceImageMemoryRequirements, ask_image,
                  .pCreateInfo = &image_info);
   const VKT_INFO(DeviceBufferMemoryRequirements, ask_buffer,
                  .pCreateInfo = &buffer_info);
   VKT_INFO(MemoryRequirements2, got);
   VkMemoryRequirements want;
   VkImage image;
   VKT_CHECK(vkCreateImage(vkt.device, &image_info, NULL, &image));
   vkGetImageMemoryRequirements(vkt.device, image, &want);
   VKT_PROC(vkGetDeviceImageMemoryRequirementsKHR)
   (vkt.device, &ask_image, &got);
   assert_memory_equal(&got.memoryRequirements, &want, sizeof(want));
   vkDestroyImage(vkt.device, image, NULL);

   VkBuffer buffer;
   VKT_CHECK(vkCreateBuffer(vkt.device, &buffer_info, NULL, &buffer));
   vkGetBufferMemoryRequirements(vkt.device, buffer, &want);
   VKT_PROC(vkGetDeviceBufferMemoryRequirementsKHR)
   (vkt.device, &ask_buffer, &got);
   assert_memory_equal(&got.memoryRequirements, &want, sizeof(want));
   vkDestroyBuffer(vkt.device, buffer, NULL);
   uint32_t count = 7;
   VKT_PROC(vkGetDeviceImageSparseMemoryRequirementsKHR)
   (vkt.device, &ask_image, &count, NULL);
   assert_int_equal(count, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_buffer_memory),
      cmocka_unit_test(test_image_memory),
      cmocka_unit_test(test_driver_properties),
      cmocka_unit_test(test_layout_support),
      cmocka_unit_test(test_device_group),
      cmocka_unit_test(test_external_capabilities),
      cmocka_unit_test(test_calibrated_timestamps),
      cmocka_unit_test(test_private_data),
      cmocka_unit_test(test_requirements_alone),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
