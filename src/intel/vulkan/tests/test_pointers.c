/* SPDX-License-Identifier: MIT */
/* Pointers that are values: VK_KHR_variable_pointers. */
#include "vkt.h"

#include "pointers_buffer_arrays_comp.h"
#include "pointers_pointers_comp.h"
#include "pointers_shared_pointers_comp.h"

/* Bit b of `late`: binding b may be updated after it is bound, and its buffer
 * is named by a handle where there are such. */
static struct vkt_plain
create(unsigned late, VkDescriptorSet *set)
{
   const VkDescriptorSetLayoutBinding two[] = {
      { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
      { 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
   };
   const VkDescriptorBindingFlags flag =
      VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
   const VkDescriptorBindingFlags flags[] = { late & 1 ? flag : 0,
                                              late & 2 ? flag : 0 };
   const VKT_INFO(DescriptorSetLayoutBindingFlagsCreateInfo, flags_info,
                  .bindingCount = 2, .pBindingFlags = flags);
   const VKT_INFO(
      DescriptorSetLayoutCreateInfo, set_layout, .pNext = &flags_info,
      .flags = late
                  ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
                  : 0,
      .bindingCount = 2, .pBindings = two);
   const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 };
   const VKT_INFO(
      DescriptorPoolCreateInfo, pool,
      .flags = late ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0,
      .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size);
   return vkt_plain_create(&set_layout, &pool, VKT_SHADER(pointers_comp),
                           set);
}

static void
run(unsigned late, VkBuffer in, VkBuffer out)
{
   VkDescriptorSet set;
   struct vkt_plain p = create(late, &set);
   const VkDescriptorBufferInfo buffers[] = { { in, 0, VK_WHOLE_SIZE },
                                              { out, 0, VK_WHOLE_SIZE } };
   VkWriteDescriptorSet writes[2];
   for (uint32_t b = 0; b < 2; b++)
      writes[b] =
         VKT_STRUCT(WriteDescriptorSet, .dstSet = set, .dstBinding = b,
                    .descriptorCount = 1,
                    .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                    .pBufferInfo = &buffers[b]);
   vkUpdateDescriptorSets(vkt.device, 2, writes, 0, NULL);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0,
                           1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   vkt_plain_destroy(&p);
}

/* The shader says what it does. */
static void
check(unsigned late)
{
   struct vkt_buffer in = vkt_buffer_create(136);
   struct vkt_buffer out = vkt_buffer_create(32 * 4);
   int *a = in.map, *b = a + 16, *counters = a + 32;
   const int *got = out.map;
   for (int k = 0; k < 16; k++) {
      a[k] = 3 * k + 1;
      b[k] = 1000 + 7 * k;
   }
   counters[0] = counters[1] = 5;
   run(late, in.buffer, out.buffer);
   for (int i = 0; i < 8; i++) {
      const int *from = i & 1 ? b + i : a + i;
      int sum = 0;
      for (int k = 0; k < i; k++)
         sum += from[k];
      assert_int_equal(got[i], from[0]);
      assert_int_equal(got[8 + i], sum);
      assert_int_equal(got[16 + i], from[2]);
      assert_int_equal(got[24 + i], 0);
   }
   assert_int_equal(counters[0], 5 + 0 + 2 + 4 + 6);
   assert_int_equal(counters[1], 5 + 1 + 3 + 5 + 7);
   vkt_buffer_destroy(&in);
   vkt_buffer_destroy(&out);
}

static void
test_pointers(void **state)
{
   assert_true(vkt_has_extension("VK_KHR_variable_pointers"));
   check(0);
}

/* Handles alone, and both kinds in one shader. */
static void
test_updated_after_bind(void **state)
{
   VKT_INFO(PhysicalDeviceDescriptorIndexingFeatures, indexing);
   vkt_features(&indexing);
   if (!indexing.descriptorBindingStorageBufferUpdateAfterBind)
      skip();
   for (unsigned late = 1; late < 4; late++)
      check(late);
}

/* The shader says what it does. */
static void
test_shared_pointers(void **state)
{
   VKT_INFO(PhysicalDeviceVariablePointersFeatures, have);
   vkt_features(&have);
   assert_true(have.variablePointers && have.variablePointersStorageBuffer);

   struct vkt_buffer out = vkt_buffer_create(64 * 4);
   const struct vkt_resource resource = VKT_STORAGE(out);
   const int *got = out.map;
   int in_a[16], in_b[16];
   for (int k = 0; k < 16; k++) {
      in_a[k] = k < 8 ? 3 * k + 1 : 3 * (k - 8) + 11;
      in_b[k] = in_a[k] + 1000;
   }
   vkt_compute(VKT_SHADER(shared_pointers_comp), &resource, 1, 1);
   for (int i = 0; i < 8; i++) {
      const int odd = i & 1;
      const int *from = odd ? in_b + i : in_a + i;
      int sum = 0;
      for (int k = 0; k < i; k++)
         sum += from[k];
      assert_int_equal(got[i], from[0]);
      assert_int_equal(got[8 + i], 10 * i);
      assert_int_equal(got[16 + i], odd);
      assert_int_equal(got[24 + i], sum);
      assert_int_equal(got[32 + i], i);
      assert_int_equal(got[40 + i], 2 + odd);
      assert_int_equal(got[48 + i], 7 + (odd ? in_a[i] : in_b[i]));
      assert_int_equal(got[56 + i], odd ? 1 + 3 + 5 + 7 : 0 + 2 + 4 + 6);
   }
   vkt_buffer_destroy(&out);
}

static void
test_buffer_arrays(void **state)
{
   struct vkt_buffer in = vkt_buffer_create(4 * 256);
   struct vkt_buffer out = vkt_buffer_create(8 * 4);
   VkDescriptorBufferInfo parts[4];
   uint32_t *data = in.map;
   const uint32_t *got = out.map;
   for (uint32_t k = 0; k < 4; k++) {
      parts[k] = (VkDescriptorBufferInfo) { in.buffer, k * 256, 256 };
      for (uint32_t i = 0; i < 8; i++)
         data[k * 64 + i] = 100 * k + i;
   }
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .buffers = parts,
        .image_count = 2 },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .buffers = parts + 2,
        .image_count = 2 },
      VKT_STORAGE(out),
   };
   vkt_compute(VKT_SHADER(buffer_arrays_comp), resources, 3, 1);
   for (uint32_t i = 0; i < 8; i++)
      assert_int_equal(got[i], 100 * ((i & 1) * 2 + (i >> 1 & 1)) + i);
   vkt_buffer_destroy(&in);
   vkt_buffer_destroy(&out);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pointers),
      cmocka_unit_test(test_updated_after_bind),
      cmocka_unit_test(test_shared_pointers),
      cmocka_unit_test(test_buffer_arrays),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
