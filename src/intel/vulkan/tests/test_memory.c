/* SPDX-License-Identifier: MIT */
/* Mapped memory, and buffers filled and copied. */
#include "vkt.h"

#include <string.h>

static void
test_map(void **state)
{
   struct vkt_buffer b = vkt_buffer_create(12345);
   uint8_t *bytes = b.map;
   for (unsigned i = 0; i < 12345; i++)
      bytes[i] = (uint8_t)(i * 7);
   void *again;
   vkUnmapMemory(vkt.device, b.memory);
   VKT_CHECK(vkMapMemory(vkt.device, b.memory, 100, 50, 0, &again));
   for (unsigned i = 0; i < 50; i++)
      assert_int_equal(((uint8_t *)again)[i], (uint8_t)((100 + i) * 7));
   vkt_buffer_destroy(&b);
}

static void
test_fill_and_copy_buffer(void **state)
{
   struct vkt_buffer a = vkt_buffer_create(80000);
   struct vkt_buffer b = vkt_buffer_create(80000);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdFillBuffer(cmd, a.buffer, 4, 70000, 0x12345678);
   vkt_submit(cmd);
   const uint32_t *dw = a.map;
   assert_int_equal(dw[0], 0xcdcdcdcd);
   for (unsigned i = 1; i <= 70000 / 4; i++)
      assert_int_equal(dw[i], 0x12345678);
   assert_int_equal(dw[70000 / 4 + 1], 0xcdcdcdcd);

   uint8_t *bytes = a.map;
   for (unsigned i = 0; i < 80000; i++)
      bytes[i] = (uint8_t)(i * 13 + (i >> 8));
   cmd = vkt_begin();
   const VkBufferCopy odd = { 3, 5, 777 };
   const VkBufferCopy even = { 16, 1024, 66000 };
   vkCmdCopyBuffer(cmd, a.buffer, b.buffer, 1, &even);
   vkCmdCopyBuffer(cmd, a.buffer, b.buffer, 1, &odd);
   vkt_submit(cmd);
   const uint8_t *out = b.map;
   assert_memory_equal(out + 5, bytes + 3, 777);
   assert_memory_equal(out + 1024, bytes + 16, 66000);
   assert_int_equal(out[4], 0xcd);
   assert_int_equal(out[1024 + 66000], 0xcd);
   vkt_buffer_destroy(&a);
   vkt_buffer_destroy(&b);
}

/* ---- addresses that are captured ---- */

struct captured {
   VkDeviceMemory memory;
   VkBuffer buffer;
   uint64_t memory_address;
   VkDeviceAddress buffer_address;
};

/* A buffer in the middle of memory, with that address or any. */
static VkResult
capture(uint64_t address, struct captured *c)
{
   const VKT_INFO(MemoryOpaqueCaptureAddressAllocateInfo, at,
                  .opaqueCaptureAddress = address);
   const VKT_INFO(MemoryAllocateFlagsInfo, flags, .pNext = &at,
                  .flags =
                     VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT |
                     VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT);
   const VKT_INFO(MemoryAllocateInfo, info, .pNext = &flags,
                  .allocationSize = 100000);
   const VKT_INFO(BufferCreateInfo, buffer,
                  .flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
                  .size = 4096,
                  .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                           VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
   const VkResult result =
      vkAllocateMemory(vkt.device, &info, NULL, &c->memory);
   if (result)
      return result;
   VKT_CHECK(vkCreateBuffer(vkt.device, &buffer, NULL, &c->buffer));
   VKT_CHECK(vkBindBufferMemory(vkt.device, c->buffer, c->memory, 8192));
   c->memory_address = VKT_PROC(vkGetDeviceMemoryOpaqueCaptureAddress)(
      vkt.device,
      &VKT_STRUCT(DeviceMemoryOpaqueCaptureAddressInfo, .memory = c->memory));
   c->buffer_address = VKT_PROC(vkGetBufferDeviceAddress)(
      vkt.device, &VKT_STRUCT(BufferDeviceAddressInfo, .buffer = c->buffer));
   return VK_SUCCESS;
}

static void
destroy_captured(struct captured *c)
{
   vkDestroyBuffer(vkt.device, c->buffer, NULL);
   vkFreeMemory(vkt.device, c->memory, NULL);
}

/* The same addresses again, if nobody has them, and nobody else gets them. */
static void
test_replayed_addresses(void **state)
{
   struct captured c[3], again;
   if (!vkt.has_replay)
      skip();
   for (unsigned i = 0; i < 3; i++) {
      VKT_CHECK(capture(0, &c[i]));
      assert_true(c[i].memory_address != 0);
      assert_int_equal(c[i].buffer_address, c[i].memory_address + 8192);
   }
   if (!vkt_is_validated())
      assert_int_equal(capture(c[1].memory_address, &again),
                       VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
   for (unsigned i = 0; i < 3; i++)
      destroy_captured(&c[i]);
   struct vkt_buffer other = vkt_buffer_create(100000);
   for (unsigned i = 3; i-- > 0;) {
      VKT_CHECK(capture(c[i].memory_address, &again));
      assert_int_equal(again.memory_address, c[i].memory_address);
      assert_int_equal(again.buffer_address, c[i].buffer_address);
      VkCommandBuffer cmd = vkt_begin();
      vkCmdFillBuffer(cmd, again.buffer, 0, VK_WHOLE_SIZE, 0x600d + i);
      vkt_barrier(cmd);
      vkt_submit(cmd);
      const uint32_t *words;
      VKT_CHECK(vkMapMemory(vkt.device, again.memory, 8192, 4096, 0,
                            (void **)&words));
      assert_int_equal(words[0], 0x600d + i);
      assert_int_equal(words[1023], 0x600d + i);
      c[i] = again;
   }
   for (unsigned i = 0; i < 3; i++)
      destroy_captured(&c[i]);
   vkt_buffer_destroy(&other);
}

/* ---- priorities ---- */

static void
test_priorities(void **state)
{
   VKT_INFO(PhysicalDevicePageableDeviceLocalMemoryFeaturesEXT, pageable);
   VKT_INFO(PhysicalDeviceMemoryPriorityFeaturesEXT, has, .pNext = &pageable);
   const VKT_INFO(MemoryPriorityAllocateInfoEXT, priority, .priority = 1);
   const VKT_INFO(MemoryAllocateInfo, info, .pNext = &priority,
                  .allocationSize = 4096);
   VkDeviceMemory memory;
   uint32_t *words;
   vkt_features(&has);
   assert_true(has.memoryPriority && pageable.pageableDeviceLocalMemory);
   VKT_CHECK(vkAllocateMemory(vkt.device, &info, NULL, &memory));
   VKT_CHECK(vkMapMemory(vkt.device, memory, 0, 4096, 0, (void **)&words));
   words[7] = 7;
   VKT_PROC(vkSetDeviceMemoryPriorityEXT)(vkt.device, memory, 0);
   assert_int_equal(words[7], 7);
   vkFreeMemory(vkt.device, memory, NULL);
}

/* ---- reports ---- */

#define MAX_REPORTED 256

/* What is allocated, as reports have it. */
struct ledger {
   VkDeviceMemoryReportCallbackDataEXT live[MAX_REPORTED];
   unsigned count, failures, of_memory;
};

static VKAPI_ATTR void VKAPI_CALL
take_report(const VkDeviceMemoryReportCallbackDataEXT *data, void *user)
{
   struct ledger *l = user;
   unsigned i = 0;
   assert_int_equal(data->sType,
                    VK_STRUCTURE_TYPE_DEVICE_MEMORY_REPORT_CALLBACK_DATA_EXT);
   switch ((int)data->type) {
   case VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT:
      assert_true(l->count < MAX_REPORTED && data->size > 0);
      l->of_memory += data->objectType == VK_OBJECT_TYPE_DEVICE_MEMORY;
      l->live[l->count++] = *data;
      break;
   case VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT:
      while (i < l->count &&
             l->live[i].memoryObjectId != data->memoryObjectId)
         i++;
      assert_true(i < l->count);
      assert_int_equal(l->live[i].objectType, data->objectType);
      assert_int_equal(l->live[i].objectHandle, data->objectHandle);
      l->of_memory -= data->objectType == VK_OBJECT_TYPE_DEVICE_MEMORY;
      l->live[i] = l->live[--l->count];
      break;
   case VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT:
      l->failures++;
      break;
   default: fail_msg("report of type %d", (int)data->type);
   }
}

static void
allocate_and_fail(VkDevice device, struct ledger ledgers[2])
{
   const struct ledger *l = &ledgers[0];
   const unsigned own = l->count;
   VKT_INFO(MemoryAllocateInfo, info, .allocationSize = 12345);
   VkDeviceMemory memory, too_large;
   VKT_CHECK(vkAllocateMemory(device, &info, NULL, &memory));
   assert_int_equal(l->of_memory, 1);
   assert_int_equal(l->count, own + 1);
   /* The layers have handles of their own. */
   if (!vkt_is_validated())
      assert_int_equal(l->live[own].objectHandle, (uint64_t)memory);
   assert_int_equal(l->live[own].size, 12345);
   assert_int_equal(l->live[own].heapIndex, 0);
   if (!vkt_is_validated()) {
      info.allocationSize = 1ull << 60;
      assert_int_equal(vkAllocateMemory(device, &info, NULL, &too_large),
                       VK_ERROR_OUT_OF_DEVICE_MEMORY);
      assert_int_equal(l->failures, 1);
   }
   vkFreeMemory(device, memory, NULL);
   assert_int_equal(l->count, own);
   assert_int_equal(memcmp(&ledgers[0], &ledgers[1], sizeof(ledgers[0])), 0);
}

/* All that a device takes it gives back; each callback hears all of it. */
static void
test_reports(void **state)
{
   static struct ledger ledgers[2];
   static const char *name = "VK_EXT_device_memory_report";
   VKT_INFO(PhysicalDeviceDeviceMemoryReportFeaturesEXT, feature,
            .deviceMemoryReport = true);
   VkDeviceDeviceMemoryReportCreateInfoEXT reports[2];
   for (unsigned i = 0; i < 2; i++)
      reports[i] = VKT_STRUCT(DeviceDeviceMemoryReportCreateInfoEXT,
                              .pNext = i ? &reports[0] : (void *)&feature,
                              .pfnUserCallback = take_report,
                              .pUserData = &ledgers[i]);
   const VkDeviceCreateInfo info = {
      .pNext = &reports[1],
      .enabledExtensionCount = 1,
      .ppEnabledExtensionNames = &name,
   };
   VkDevice device;
   VKT_CHECK(vkt_create_device(&info, NULL, &device));
   assert_true(ledgers[0].count > 0);
   allocate_and_fail(device, ledgers);
   vkDestroyDevice(device, NULL);
   assert_int_equal(ledgers[0].count, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_map),
      cmocka_unit_test(test_fill_and_copy_buffer),
      cmocka_unit_test(test_replayed_addresses),
      cmocka_unit_test(test_priorities),
      cmocka_unit_test(test_reports),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
