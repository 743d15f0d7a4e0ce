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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_map),
      cmocka_unit_test(test_fill_and_copy_buffer),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
