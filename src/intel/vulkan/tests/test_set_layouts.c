/* SPDX-License-Identifier: MIT */
/* How many descriptors a set may have, and what numbers its bindings. */
#include "util/macros.h"
#include "vkt.h"

#include "set_layouts_full_table_frag.h"
#include "set_layouts_position_vert.h"
#include "set_layouts_sparse_comp.h"

/* Within maxPerSetDescriptors every layout is supported ("Descriptor Set
 * Layout Support"), of whatever stages and bindings. */
static void
test_full_set(void **state)
{
   VKT_INFO(PhysicalDeviceMaintenance3Properties, limits);
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
      const VKT_INFO(DescriptorSetLayoutCreateInfo, info,
                     .bindingCount = count, .pBindings = bindings);
      VKT_INFO(DescriptorSetLayoutSupport, support);
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
   const VKT_INFO(DescriptorSetLayoutCreateInfo, layout,
                  .bindingCount = ARRAY_SIZE(bindings),
                  .pBindings = bindings);
   const VkDescriptorPoolSize sizes[] = {
      { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 6 },
      { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2 },
   };
   const VKT_INFO(DescriptorPoolCreateInfo, pool, .maxSets = 2,
                  .poolSizeCount = 2, .pPoolSizes = sizes);
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

/* ---- a stage ---- */

#define BUFFERS 64
#define IMAGES 32
#define PLACE_B 256

struct stage {
   struct vkt_buffer uniforms, storage;
   struct vkt_image sampled[IMAGES], stored[IMAGES];
   VkDescriptorBufferInfo u[BUFFERS], s[BUFFERS];
   VkDescriptorImageInfo t[IMAGES], i[IMAGES];
};

static struct vkt_image
texel(uint32_t value)
{
   struct vkt_image i = vkt_image_create(&(struct vkt_image_desc) {
      .format = VK_FORMAT_R32_UINT,
      .width = 1,
      .height = 1,
      .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
   });
   vkt_image_write(&i, 0, &value, 4);
   return i;
}

static void
fill_stage(struct stage *st)
{
   st->uniforms = vkt_buffer_create(BUFFERS * PLACE_B);
   st->storage = vkt_buffer_create(BUFFERS * PLACE_B);
   for (uint32_t i = 0; i < BUFFERS; i++) {
      const uint32_t at_B = i * PLACE_B;
      *(uint32_t *)((char *)st->uniforms.map + at_B) = 3 * i + 1;
      *(uint32_t *)((char *)st->storage.map + at_B) = 5 * i;
      st->u[i] = (VkDescriptorBufferInfo) { st->uniforms.buffer, at_B, 4 };
      st->s[i] = (VkDescriptorBufferInfo) { st->storage.buffer, at_B, 4 };
   }
   for (uint32_t i = 0; i < IMAGES; i++) {
      st->sampled[i] = texel(7 * i + 2);
      st->stored[i] = texel(11 * i);
      st->t[i] =
         (VkDescriptorImageInfo) { .imageView = st->sampled[i].view,
                                   .imageLayout = VK_IMAGE_LAYOUT_GENERAL };
      st->i[i] =
         (VkDescriptorImageInfo) { .imageView = st->stored[i].view,
                                   .imageLayout = VK_IMAGE_LAYOUT_GENERAL };
   }
}

static void
check_stage(struct stage *st)
{
   uint32_t sum = 0;
   for (uint32_t i = 0; i < BUFFERS; i++) {
      sum += (3 * i + 1) * (i + 1);
      assert_int_equal(*(uint32_t *)((char *)st->storage.map + i * PLACE_B),
                       5 * i + sum);
   }
   for (uint32_t i = 0; i < IMAGES; i++) {
      uint32_t got;
      sum += (7 * i + 2) * (i + 1);
      vkt_image_read(&st->stored[i], 0, &got, 4);
      assert_int_equal(got, 11 * i + sum);
      vkt_image_destroy(&st->sampled[i]);
      vkt_image_destroy(&st->stored[i]);
   }
   vkt_buffer_destroy(&st->uniforms);
   vkt_buffer_destroy(&st->storage);
}

/* Within the limits of each type a stage has all that it has of all. */
static void
test_full_stage(void **state)
{
   static const float triangle[3][4] = { { -1, -1, 0, 1 },
                                         { 3, -1, 0, 1 },
                                         { -1, 3, 0, 1 } };
   const VkPhysicalDeviceLimits limits = vkt_properties(NULL).limits;
   struct stage st;
   uint32_t px;
   assert_true(limits.maxPerStageDescriptorUniformBuffers >= BUFFERS);
   assert_true(limits.maxPerStageDescriptorStorageBuffers >= BUFFERS);
   assert_true(limits.maxPerStageDescriptorSampledImages >= IMAGES);
   assert_true(limits.maxPerStageDescriptorStorageImages >= IMAGES);
   assert_true(limits.maxPerStageResources >= 2 * (BUFFERS + IMAGES) + 1);
   fill_stage(&st);
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .buffers = st.u,
        .image_count = BUFFERS },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .buffers = st.s,
        .image_count = BUFFERS },
      { .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        .images = st.t,
        .image_count = IMAGES },
      { .type = VK_DESCRIPTOR_TYPE_SAMPLER, .sampler = sampler },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        .images = st.i,
        .image_count = IMAGES },
   };
   vkt_draw(
      &(struct vkt_scene) {
         .vs = VKT_SHADER(position_vert),
         .fs = VKT_SHADER(full_table_frag),
         .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
         .vertices = triangle,
         .attributes = 1,
         .vertex_count = 3,
         .width = 1,
         .height = 1,
         .resources = resources,
         .resource_count = ARRAY_SIZE(resources),
      },
      &px);
   assert_int_equal(px, 0xffffffff);
   check_stage(&st);
   vkDestroySampler(vkt.device, sampler, NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_full_set),
      cmocka_unit_test(test_sparse_numbers),
      cmocka_unit_test(test_full_stage),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
