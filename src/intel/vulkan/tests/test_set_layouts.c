/* SPDX-License-Identifier: MIT */
/* How many descriptors a set may have, and what numbers its bindings. */
#include "util/macros.h"
#include "vkt.h"

#include "set_layouts_sparse_comp.h"

/* Within maxPerSetDescriptors every layout is supported ("Descriptor Set
 * Layout Support"), of whatever stages and bindings. */
static void
test_full_set(void **state)
{
   VkPhysicalDeviceMaintenance3Properties limits = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
   };
   vkt_properties(&limits);
   assert_true(limits.maxPerSetDescriptors >= 1024);
   for (unsigned count = 1; count <= 6; count += 5) {
      VkDescriptorSetLayoutBinding bindings[6];
      uint32_t left = limits.maxPerSetDescriptors;
      for (unsigned i = 0; i < count; i++) {
         const uint32_t n = left / (count - i);
         bindings[i] = (VkDescriptorSetLayoutBinding) {
            i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, n, 1u << i, NULL
         };
         left -= n;
      }
      const VkDescriptorSetLayoutCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
         .bindingCount = count,
         .pBindings = bindings,
      };
      VkDescriptorSetLayoutSupport support = {
         .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT,
      };
      VkDescriptorSetLayout layout;
      vkGetDescriptorSetLayoutSupport(vkt.device, &info, &support);
      assert_true(support.supported);
      VKT_CHECK(
         vkCreateDescriptorSetLayout(vkt.device, &info, NULL, &layout));
      vkDestroyDescriptorSetLayout(vkt.device, layout, NULL);
   }
}

/* Numbers of bindings may be any, in any order: what they take goes by how
 * many there are. */
static void
test_sparse_numbers(void **state)
{
   const VkDescriptorSetLayoutBinding bindings[] = {
      { 60000, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL,
        NULL },
      { UINT32_MAX, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2, VK_SHADER_STAGE_ALL,
        NULL },
      { 3, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
   };
   const VkDescriptorSetLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = ARRAY_SIZE(bindings),
      .pBindings = bindings,
   };
   const VkDescriptorPoolSize sizes[] = {
      { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 6 },
      { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2 },
   };
   const VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = 2,
      .poolSizeCount = 2,
      .pPoolSizes = sizes,
   };
   VkDescriptorSet sets[2];
   struct vkt_plain p =
      vkt_plain_create(&layout, &pool, VKT_SHADER(sparse_comp), sets);
   struct vkt_buffer in = vkt_buffer_create(256);
   struct vkt_buffer out = vkt_buffer_create(256);
   const VkDescriptorBufferInfo from = { in.buffer, 0, 256 };
   const VkDescriptorBufferInfo to = { out.buffer, 0, 256 };
   const VkWriteDescriptorSet writes[] = {
      { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = sets[0],
        .dstBinding = 3,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .pBufferInfo = &from },
      { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = sets[0],
        .dstBinding = UINT32_MAX,
        .dstArrayElement = 1,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &to },
   };
   const VkCopyDescriptorSet copies[] = {
      { VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, NULL, sets[0], 3, 0, sets[1],
        3, 0, 1 },
      { VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, NULL, sets[0], UINT32_MAX, 1,
        sets[1], 60000, 0, 1 },
   };
   vkUpdateDescriptorSets(vkt.device, 2, writes, 2, copies);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0,
                           1, &sets[1], 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   assert_int_equal(*(uint32_t *)out.map, 0xcdcdcdce);
   vkt_buffer_destroy(&in);
   vkt_buffer_destroy(&out);
   vkt_plain_destroy(&p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_full_set),
      cmocka_unit_test(test_sparse_numbers),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
