/* SPDX-License-Identifier: MIT */
/* Buffers with numbers of 8 and 16 bits, and where buffers end. */
#include "vkt.h"

#include <string.h>

#include "storage_bytes_comp.h"
#include "storage_position_vert.h"
#include "storage_pushed_small_comp.h"
#include "storage_small_comp.h"
#include "storage_small_places_comp.h"
#include "storage_small_vert.h"
#include "storage_uniforms_frag.h"
#include "storage_white_frag.h"

#define COUNT 16

struct out {
   uint8_t b[COUNT];
   int16_t h[COUNT];
   uint16_t f[COUNT];
   uint8_t v[COUNT][3];
};

struct in {
   uint8_t b[COUNT + 1], pad;
   int16_t h[COUNT + 1];
   uint16_t f[COUNT + 1];
   uint8_t v[COUNT + 1][3];
};

static void
test_announced(void **state)
{
   VKT_INFO(PhysicalDevice8BitStorageFeatures, f8);
   VKT_INFO(PhysicalDevice16BitStorageFeatures, f16, .pNext = &f8);
   vkt_features(&f16);
   assert_int_equal(f8.uniformAndStorageBuffer8BitAccess,
                    f16.uniformAndStorageBuffer16BitAccess);
   assert_int_equal(f8.uniformAndStorageBuffer8BitAccess,
                    f8.storagePushConstant8);
   assert_int_equal(f8.storagePushConstant8, f16.storagePushConstant16);
   assert_true(f8.storageBuffer8BitAccess && f16.storageBuffer16BitAccess);
   assert_true(f8.uniformAndStorageBuffer8BitAccess);
}

/* Powers of two, as halves. */
static uint16_t
half(int exponent)
{
   return (uint16_t)((exponent + 15) << 10);
}

static int
exponent_of(unsigned i)
{
   return (int)(i % 9) - 4;
}

static void
fill(struct in *in)
{
   for (unsigned i = 0; i <= COUNT; i++) {
      in->b[i] = (uint8_t)(40 * i + 7);
      in->h[i] = (int16_t)(3000 * (int)i - 20000);
      in->f[i] = half(exponent_of(i));
      for (unsigned c = 0; c < 3; c++)
         in->v[i][c] = (uint8_t)(11 * i + 90 * c);
   }
}

static void
compute_sums(const struct vkt_resource resources[2])
{
   vkt_compute(VKT_SHADER(small_comp), resources, 2, 1);
}

static void
draw_sums(const struct vkt_resource resources[2])
{
   uint32_t px;
   vkt_draw(
      &(struct vkt_scene) {
         .vs = VKT_SHADER(small_vert),
         .fs = VKT_SHADER(white_frag),
         .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
         .vertex_count = COUNT,
         .width = 1,
         .height = 1,
         .resources = resources,
         .resource_count = 2,
      },
      &px);
}

static void
check_sums(void (*run)(const struct vkt_resource resources[2]))
{
   struct vkt_buffer out = vkt_buffer_create(sizeof(struct out));
   struct vkt_buffer in = vkt_buffer_create(sizeof(struct in));
   struct in *x = in.map;
   fill(x);
   run((const struct vkt_resource[]) { VKT_STORAGE(out), VKT_UNIFORM(in) });
   const struct out *got = out.map;
   for (unsigned i = 0; i < COUNT; i++) {
      const uint8_t b = (uint8_t)(x->b[i] + x->b[i + 1]);
      assert_int_equal(got->b[i], b);
      assert_int_equal(got->h[i], (int16_t)(x->h[i] + x->h[i + 1] + x->h[3]));
      assert_int_equal(got->f[i], half(exponent_of(i) + exponent_of(i + 1)));
      for (unsigned c = 0; c < 3; c++)
         assert_int_equal(
            got->v[i][c],
            (uint8_t)(x->v[i][c] + x->v[i + 1][c] + (c == 1 ? b : 0)));
   }
   vkt_buffer_destroy(&out);
   vkt_buffer_destroy(&in);
}

static void
test_small_numbers(void **state)
{
   check_sums(compute_sums);
}

static void
test_small_numbers_of_vertices(void **state)
{
   check_sums(draw_sums);
}

struct places {
   uint8_t b[COUNT + 1], pad;
   int16_t h[COUNT + 1];
};

static void
test_small_places(void **state)
{
   struct vkt_buffer from = vkt_buffer_create(sizeof(struct places));
   struct vkt_buffer to = vkt_buffer_create(sizeof(struct places));
   struct vkt_buffer addresses = vkt_buffer_create(16);
   const struct vkt_resource resource = {
      .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
      .buffer = addresses.buffer,
   };
   struct places *x = from.map;
   const struct places *got = to.map;
   for (unsigned i = 0; i <= COUNT; i++) {
      x->b[i] = (uint8_t)(70 * i + 9);
      x->h[i] = (int16_t)(4000 * (int)i - 30000);
   }
   const VkBuffer buffers[] = { from.buffer, to.buffer };
   for (unsigned i = 0; i < 2; i++)
      ((VkDeviceAddress *)addresses.map)[i] = vkGetBufferDeviceAddress(
         vkt.device, &(VkBufferDeviceAddressInfo) {
                        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                        .buffer = buffers[i],
                     });
   vkt_compute(VKT_SHADER(small_places_comp), &resource, 1, 1);
   for (unsigned i = 0; i < COUNT; i++) {
      const int word = x->b[COUNT - 1 - i] | (int)(COUNT - 1 - i) << 8;
      assert_int_equal(got->b[i], (uint8_t)(x->b[i] + x->b[i + 1]));
      assert_int_equal(got->h[i], (int16_t)(x->h[i] * 3 + word));
   }
   vkt_buffer_destroy(&from);
   vkt_buffer_destroy(&to);
   vkt_buffer_destroy(&addresses);
}

/* A layout of one buffer that is pushed, and constants; as many sets. */
static VkPipelineLayout
pushed_layout(uint32_t constants_B, VkDescriptorSetLayout *set)
{
   const VkDescriptorSetLayoutBinding binding = {
      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
   };
   const VKT_INFO(DescriptorSetLayoutCreateInfo, set_info,
                  .flags =
                     VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                  .bindingCount = 1, .pBindings = &binding);
   VKT_CHECK(vkCreateDescriptorSetLayout(vkt.device, &set_info, NULL, set));
   const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                       constants_B };
   return VKT_NEW(PipelineLayout, PIPELINE_LAYOUT, .setLayoutCount = 1,
                  .pSetLayouts = set, .pushConstantRangeCount = 1,
                  .pPushConstantRanges = &range);
}

/* Runs the shader once with `constants`, and `out` at binding 0. */
static void
compute_with(struct vkt_shader shader, const void *constants, uint32_t size_B,
             const struct vkt_buffer *out)
{
   VkDescriptorSetLayout set;
   VkPipelineLayout layout = pushed_layout(size_B, &set);
   VkPipeline pipeline = vkt_compute_pipeline(shader, layout);
   const VkDescriptorBufferInfo buffer = { out->buffer, 0, VK_WHOLE_SIZE };
   const VKT_INFO(WriteDescriptorSet, write, .descriptorCount = 1,
                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                  .pBufferInfo = &buffer);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   VKT_PROC(vkCmdPushDescriptorSetKHR)
   (cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &write);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, size_B,
                      constants);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   vkDestroyPipeline(vkt.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkt.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, set, NULL);
}

static void
test_small_constants(void **state)
{
   static const struct {
      uint8_t b[6];
      int16_t h[5];
      uint16_t f;
      uint8_t v[3], pad[3];
   } constants = {
      .b = { 1, 130, 3, 250, 5, 6 },
      .h = { 7, -30000, 9, -1, 32767 },
      .f = (15 + 3) << 10,
      .v = { 0x11, 0x92, 0xf3 },
   };
   struct vkt_buffer out = vkt_buffer_create(20 * 4);
   compute_with(VKT_SHADER(pushed_small_comp), &constants, sizeof(constants),
                &out);
   const uint32_t *got = out.map;
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(got[i], constants.b[i % 6]);
      assert_int_equal((int32_t)got[8 + i], constants.h[i % 5]);
   }
   assert_int_equal(got[16], 250);
   assert_int_equal((int32_t)got[17], -30000);
   assert_int_equal(got[18], 0x41000000); /* 8.0 */
   assert_int_equal(got[19], 0xf39211);
   vkt_buffer_destroy(&out);
}

/* Six bytes are six elements; what is written after them goes nowhere, and
 * what is read is zero. */
static void
test_bytes_at_the_end(void **state)
{
   struct vkt_buffer bytes = vkt_buffer_create(64);
   struct vkt_buffer out = vkt_buffer_create(16 * 4);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .buffer = bytes.buffer,
        .range_B = 6 },
      VKT_STORAGE(out),
   };
   uint8_t *b = bytes.map;
   for (unsigned i = 0; i < 64; i++)
      b[i] = (uint8_t)(100 + i);
   vkt_compute(VKT_SHADER(bytes_comp), resources, 2, 1);
   const uint32_t *got = out.map;
   for (unsigned i = 0; i < 16; i++) {
      if (i < 6 || i >= 8) /* the dword may be there as a whole */
         assert_int_equal(got[i], 6 * 256 + (i < 6 ? 100 + i : 0));
      if (i < 6)
         assert_int_equal(b[i], i);
      else if (i >= 8)
         assert_int_equal(b[i], 100 + i);
   }
   vkt_buffer_destroy(&bytes);
   vkt_buffer_destroy(&out);
}

/* Constants after a uniform buffer's range are zero, in whatever way they
 * come to the shader: five blocks are more than are pushed. */
static uint32_t
draw_uniforms(const void *next)
{
   static const float triangle[3][4] = { { -1, -1, 0, 1 },
                                         { 3, -1, 0, 1 },
                                         { -1, 3, 0, 1 } };
   struct vkt_buffer blocks[5];
   struct vkt_resource resources[5];
   for (unsigned i = 0; i < 5; i++) {
      blocks[i] = vkt_buffer_create(256);
      float *f = blocks[i].map;
      for (unsigned j = 0; j < 64; j++)
         f[j] = 1.0f / 16;
      resources[i] = (struct vkt_resource) {
         .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
         .buffer = blocks[i].buffer,
         .range_B = 48,
      };
   }
   uint32_t px[4];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(uniforms_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = triangle, .attributes = 1,
                       .vertex_count = 3, .width = 2, .height = 2,
                       .resources = resources, .resource_count = 5,
                       .next = next),
            px);
   for (unsigned i = 0; i < 5; i++)
      vkt_buffer_destroy(&blocks[i]);
   for (unsigned i = 1; i < 4; i++)
      assert_int_equal(px[i], px[0]);
   return px[0];
}

/* 5/16 of what is there, nothing of what is not. */
#define ENDS 0xff000050u

static void
test_uniforms_past_the_end(void **state)
{
   assert_int_equal(draw_uniforms(NULL), ENDS);
}

/* A pipeline may say that it does not care, or that it does. */
static void
test_pipeline_robustness(void **state)
{
   static const VkPipelineRobustnessBufferBehaviorEXT careful[] = {
      VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT,
      VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT,
   };
   VKT_INFO(PipelineRobustnessCreateInfoEXT, info);
   for (unsigned i = 0; i < 2; i++) {
      info.uniformBuffers = careful[i];
      assert_int_equal(draw_uniforms(&info), ENDS);
   }
   /* Then constants that are pushed are those of the buffer's memory. */
   info.uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
   assert_true(draw_uniforms(&info) & 0xff00);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_announced),
      cmocka_unit_test(test_small_numbers),
      cmocka_unit_test(test_small_numbers_of_vertices),
      cmocka_unit_test(test_small_places),
      cmocka_unit_test(test_small_constants),
      cmocka_unit_test(test_bytes_at_the_end),
      cmocka_unit_test(test_uniforms_past_the_end),
      cmocka_unit_test(test_pipeline_robustness),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
