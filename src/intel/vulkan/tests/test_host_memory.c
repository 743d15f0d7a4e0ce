/* SPDX-License-Identifier: MIT */
/* Memory of the host that is memory of the device. */
#include "vkt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HOST VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
#define SIZE_B 8192

static VkResult
import(void *memory, VkDeviceSize size_B, VkDeviceMemory *out)
{
   const VKT_INFO(ImportMemoryHostPointerInfoEXT, host, .handleType = HOST,
                  .pHostPointer = memory);
   const VKT_INFO(MemoryAllocateInfo, info, .pNext = &host,
                  .allocationSize = size_B);
   return vkAllocateMemory(vkt.device, &info, NULL, out);
}

static VkBuffer
create_buffer(VkDeviceMemory memory)
{
   const VKT_INFO(ExternalMemoryBufferCreateInfo, external,
                  .handleTypes = HOST);
   VkBuffer buffer = VKT_NEW(Buffer, BUFFER, .pNext = &external,
                             .size = SIZE_B,
                             .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                      VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   VKT_CHECK(vkBindBufferMemory(vkt.device, buffer, memory, 0));
   return buffer;
}

/* Read where it is and written where it is, before and after it is memory of
 * the device. */
static void
test_copies(void **state)
{
   VKT_INFO(MemoryHostPointerPropertiesEXT, props);
   uint32_t *host = aligned_alloc(4096, SIZE_B);
   struct vkt_buffer other = vkt_buffer_create(SIZE_B);
   for (uint32_t i = 0; i < SIZE_B / 4; i++)
      host[i] = i * 0x9e3779b9u;
   VKT_CHECK(VKT_PROC(vkGetMemoryHostPointerPropertiesEXT)(vkt.device, HOST,
                                                           host, &props));
   assert_int_equal(props.memoryTypeBits, 1);
   VkDeviceMemory memory;
   void *map;
   VKT_CHECK(import(host, SIZE_B, &memory));
   VKT_CHECK(vkMapMemory(vkt.device, memory, 0, VK_WHOLE_SIZE, 0, &map));
   assert_true(map == host);
   VkBuffer buffer = create_buffer(memory);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyBuffer(cmd, buffer, other.buffer, 1,
                   &(VkBufferCopy) { 0, 0, SIZE_B });
   vkt_barrier(cmd);
   vkCmdFillBuffer(cmd, buffer, 4, 8, 0x12345678);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   const uint32_t *copy = other.map;
   for (uint32_t i = 0; i < SIZE_B / 4; i++) {
      assert_int_equal(copy[i], i * 0x9e3779b9u);
      assert_int_equal(host[i],
                       i == 1 || i == 2 ? 0x12345678 : i * 0x9e3779b9u);
   }
   vkDestroyBuffer(vkt.device, buffer, NULL);
   vkFreeMemory(vkt.device, memory, NULL);
   assert_int_equal(host[0], 0); /* still there */
   free(host);
   vkt_buffer_destroy(&other);
}

static VkExternalMemoryFeatureFlags
features(VkBufferUsageFlags usage)
{
   const VKT_INFO(PhysicalDeviceExternalBufferInfo, info, .usage = usage,
                  .handleType = HOST);
   VKT_INFO(ExternalBufferProperties, out);
   vkGetPhysicalDeviceExternalBufferProperties(vkt.pdev, &info, &out);
   return out.externalMemoryProperties.externalMemoryFeatures;
}

/* What is no memory is refused; nothing is exported. */
static void
test_refusals(void **state)
{
   VKT_INFO(MemoryHostPointerPropertiesEXT, props);
   void *gone = mmap(NULL, SIZE_B, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   munmap(gone, SIZE_B);
   VkDeviceMemory memory;
   assert_int_equal(import(gone, SIZE_B, &memory),
                    VK_ERROR_INVALID_EXTERNAL_HANDLE);
   assert_int_equal(VKT_PROC(vkGetMemoryHostPointerPropertiesEXT)(
                       vkt.device,
                       VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, gone,
                       &props),
                    VK_ERROR_INVALID_EXTERNAL_HANDLE);
   assert_int_equal(features(VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
                    VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT);
   /* Read beyond its end: saf_external.c. */
   assert_int_equal(features(VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_refusals),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
