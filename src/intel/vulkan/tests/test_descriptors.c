/* SPDX-License-Identifier: MIT */
/* Descriptors that commands push, in primary and in secondary command
 * buffers, blocks whose bytes lie in the set, and all push constants; arrays
 * of descriptors of which each invocation has another. */
#include "vkt.h"
#include "util/macros.h"

#include <string.h>

#include "descriptors_beyond_comp.h"
#include "descriptors_descriptors_comp.h"
#include "descriptors_many_sets_comp.h"
#include "descriptors_non_uniform_comp.h"
#include "descriptors_non_uniform_values_comp.h"
#include "descriptors_null_comp.h"

#define VALUES 4
#define VALUE_B 256 /* their distance: an offset of a uniform buffer */
#define WORD 1000   /* what the inline block adds */

struct scene {
   struct vkt_buffer out, values;
   VkDescriptorSetLayout pushed, inline_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkDescriptorPool pool;
   VkDescriptorSet sets[2]; /* the second is a copy of the first */
   VkDescriptorUpdateTemplate template;
};

static void
create_layouts(struct scene *s)
{
   const VkDescriptorSetLayoutBinding bindings[] = {
      { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
      { 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
   };
   const VKT_INFO(
      DescriptorSetLayoutCreateInfo, pushed,
      .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
      .bindingCount = ARRAY_SIZE(bindings), .pBindings = bindings);
   VKT_CHECK(
      vkCreateDescriptorSetLayout(vkt.device, &pushed, NULL, &s->pushed));
   const VkDescriptorSetLayoutBinding block = {
      0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 80, VK_SHADER_STAGE_ALL,
      NULL
   };
   s->inline_layout = VKT_NEW(DescriptorSetLayout, DESCRIPTOR_SET_LAYOUT,
                              .bindingCount = 1, .pBindings = &block);
   const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 256 };
   const VKT_INFO(PipelineLayoutCreateInfo, layout, .setLayoutCount = 2,
                  .pSetLayouts =
                     (const VkDescriptorSetLayout[]) { s->pushed,
                                                       s->inline_layout },
                  .pushConstantRangeCount = 1, .pPushConstantRanges = &range);
   VKT_CHECK(vkCreatePipelineLayout(vkt.device, &layout, NULL, &s->layout));
}

static void
create_template(struct scene *s)
{
   const VkDescriptorUpdateTemplateEntry entry = {
      .dstBinding = 1,
      .descriptorCount = 1,
      .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
      .offset = 8,
   };
   const VKT_INFO(
      DescriptorUpdateTemplateCreateInfo, info,
      .descriptorUpdateEntryCount = 1, .pDescriptorUpdateEntries = &entry,
      .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
      .pipelineLayout = s->layout);
   VKT_CHECK(vkCreateDescriptorUpdateTemplate(vkt.device, &info, NULL,
                                              &s->template));
}

/* Word 17 is written, and the last bytes of what is copied. */
static void
create_sets(struct scene *s)
{
   const VkDescriptorPoolSize size = {
      VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 160
   };
   const VKT_INFO(DescriptorPoolCreateInfo, pool, .maxSets = 2,
                  .poolSizeCount = 1, .pPoolSizes = &size);
   VKT_CHECK(vkCreateDescriptorPool(vkt.device, &pool, NULL, &s->pool));
   const VKT_INFO(DescriptorSetAllocateInfo, alloc, .descriptorPool = s->pool,
                  .descriptorSetCount = 2,
                  .pSetLayouts = (const VkDescriptorSetLayout[]) {
                     s->inline_layout, s->inline_layout });
   VKT_CHECK(vkAllocateDescriptorSets(vkt.device, &alloc, s->sets));
   const uint32_t word = WORD;
   const VKT_INFO(WriteDescriptorSetInlineUniformBlock, block, .dataSize = 4,
                  .pData = &word);
   const VKT_INFO(WriteDescriptorSet, write, .pNext = &block,
                  .dstSet = s->sets[0], .dstArrayElement = 68,
                  .descriptorCount = 4,
                  .descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK);
   vkUpdateDescriptorSets(vkt.device, 1, &write, 0, NULL);
   const VKT_INFO(CopyDescriptorSet, copy, .srcSet = s->sets[0],
                  .srcArrayElement = 64, .dstSet = s->sets[1],
                  .dstArrayElement = 64, .descriptorCount = 16);
   vkUpdateDescriptorSets(vkt.device, 0, NULL, 1, &copy);
}

static struct scene
create_scene(void)
{
   struct scene s = {
      .out = vkt_buffer_create(VALUES * 4),
      .values = vkt_buffer_create(VALUES * VALUE_B),
   };
   for (uint32_t i = 0; i < VALUES; i++)
      memcpy((char *)s.values.map + i * VALUE_B, &i, 4);
   create_layouts(&s);
   create_template(&s);
   s.pipeline = vkt_compute_pipeline(VKT_SHADER(descriptors_comp), s.layout);
   create_sets(&s);
   return s;
}

static void
destroy_layouts(struct scene *s)
{
   vkDestroyDescriptorUpdateTemplate(vkt.device, s->template, NULL);
   vkDestroyPipelineLayout(vkt.device, s->layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, s->pushed, NULL);
   s->template = VK_NULL_HANDLE;
   s->layout = VK_NULL_HANDLE;
   s->pushed = VK_NULL_HANDLE;
}

static void
destroy_scene(struct scene *s)
{
   destroy_layouts(s);
   vkDestroyDescriptorSetLayout(vkt.device, s->inline_layout, NULL);
   vkDestroyDescriptorPool(vkt.device, s->pool, NULL);
   vkDestroyPipeline(vkt.device, s->pipeline, NULL);
   vkt_buffer_destroy(&s->out);
   vkt_buffer_destroy(&s->values);
}

/* Both the first time, then the second binding alone. */
static void
push(VkCommandBuffer cmd, const struct scene *s, uint32_t i)
{
   struct {
      uint64_t pad;
      VkDescriptorBufferInfo value;
   } data = { 0, { s->values.buffer, i * VALUE_B, 4 } };
   VkDescriptorBufferInfo out = { s->out.buffer, 0, VK_WHOLE_SIZE };
   const VkWriteDescriptorSet writes[] = {
      { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &out },
      { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstBinding = 1,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .pBufferInfo = &data.value },
   };
   if (i < 2)
      VKT_PROC(vkCmdPushDescriptorSetKHR)
   (cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, i ? 1 : 2,
    i ? &writes[1] : writes);
   else VKT_PROC(vkCmdPushDescriptorSetWithTemplateKHR)(cmd, s->template,
                                                        s->layout, 0, &data);
   /* Nothing of it need stay. */
   memset(&data, 0, sizeof(data));
   memset(&out, 0, sizeof(out));
}

static void
record(VkCommandBuffer cmd, const struct scene *s)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
   for (uint32_t i = 0; i < VALUES; i++) {
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout,
                              1, 1, &s->sets[i & 1], 0, NULL);
      push(cmd, s, i);
      vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, 252, 4,
                         &i);
      vkCmdDispatch(cmd, 1, 1, 1);
   }
}

static void
check(const struct scene *s)
{
   const uint32_t *got = s->out.map;
   for (uint32_t i = 0; i < VALUES; i++)
      assert_int_equal(got[i], WORD + i);
}

static void
test_push(void **state)
{
   struct scene s = create_scene();
   VkCommandBuffer cmd = vkt_begin();
   record(cmd, &s);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   check(&s);
   destroy_scene(&s);
}

/* Layouts and templates are gone when it is executed. */
static void
test_push_in_secondary(void **state)
{
   struct scene s = create_scene();
   const VKT_INFO(CommandBufferAllocateInfo, info, .commandPool = vkt.pool,
                  .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                  .commandBufferCount = 1);
   VkCommandBuffer second;
   VKT_CHECK(vkAllocateCommandBuffers(vkt.device, &info, &second));
   const VKT_INFO(CommandBufferInheritanceInfo, inheritance);
   const VKT_INFO(CommandBufferBeginInfo, begin,
                  .pInheritanceInfo = &inheritance);
   VKT_CHECK(vkBeginCommandBuffer(second, &begin));
   record(second, &s);
   VKT_CHECK(vkEndCommandBuffer(second));
   destroy_layouts(&s);

   VkCommandBuffer cmd = vkt_begin();
   vkCmdExecuteCommands(cmd, 1, &second);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   check(&s);
   vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &second);
   destroy_scene(&s);
}

/* ---- elements that differ between invocations ---- */

#define ELEMENTS 5
#define INVOCATIONS 64

/* As non_uniform.comp has it. */
struct choice {
   unsigned buffer, texture, image, constant;
};

static struct choice
choice_of(unsigned i)
{
   const unsigned a = i * 7 % ELEMENTS;
   return (struct choice) { a, i / 3 % ELEMENTS, i * i % ELEMENTS,
                            (i + a) % ELEMENTS };
}

static bool
has_non_uniform(void)
{
   VKT_INFO(PhysicalDeviceDescriptorIndexingFeatures, indexing);
   vkt_features(&indexing);
   assert_true(indexing.runtimeDescriptorArray);
   return indexing.shaderStorageBufferArrayNonUniformIndexing &&
          indexing.shaderSampledImageArrayNonUniformIndexing &&
          indexing.shaderStorageImageArrayNonUniformIndexing &&
          indexing.shaderUniformBufferArrayNonUniformIndexing;
}

/* One texel: its number as a texture, none as an image. */
static struct vkt_image
texel_image(uint32_t texel)
{
   struct vkt_image image = VKT_IMAGE(.format = VK_FORMAT_R32_UINT,
                                      .width = 1, .height = 1,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                               VK_IMAGE_USAGE_STORAGE_BIT);
   vkt_image_write(&image, 0, &texel, 4);
   return image;
}

struct elements {
   struct vkt_buffer counters[ELEMENTS], constants[ELEMENTS];
   struct vkt_image textures[ELEMENTS], images[ELEMENTS];
   VkDescriptorBufferInfo buffer_infos[2][ELEMENTS];
   VkDescriptorImageInfo image_infos[2][ELEMENTS];
};

static void
create_elements(struct elements *e)
{
   for (unsigned i = 0; i < ELEMENTS; i++) {
      e->counters[i] = vkt_buffer_create(8);
      e->constants[i] = vkt_buffer_create(16);
      e->textures[i] = texel_image(10 * i);
      e->images[i] = texel_image(0);
      *(uint32_t *)e->counters[i].map = 0;
      *(uint32_t *)e->constants[i].map = 1000 * i;
      e->buffer_infos[0][i].buffer = e->counters[i].buffer;
      e->buffer_infos[1][i].buffer = e->constants[i].buffer;
      e->image_infos[0][i].imageView = e->textures[i].view;
      e->image_infos[1][i].imageView = e->images[i].view;
      for (unsigned k = 0; k < 2; k++) {
         e->buffer_infos[k][i].range = VK_WHOLE_SIZE;
         e->image_infos[k][i].imageLayout = VK_IMAGE_LAYOUT_GENERAL;
      }
   }
}

static void
destroy_elements(struct elements *e)
{
   for (unsigned i = 0; i < ELEMENTS; i++) {
      vkt_buffer_destroy(&e->counters[i]);
      vkt_buffer_destroy(&e->constants[i]);
      vkt_image_destroy(&e->textures[i]);
      vkt_image_destroy(&e->images[i]);
   }
}

static void
check_elements(struct elements *e, const uint32_t *result)
{
   uint32_t counts[ELEMENTS] = { 0 }, images[ELEMENTS] = { 0 };
   for (unsigned i = 0; i < INVOCATIONS; i++) {
      const struct choice c = choice_of(i);
      assert_int_equal(result[i], 10 * c.texture + 1000 * c.constant);
      counts[c.buffer]++;
      images[c.image]++;
   }
   for (unsigned i = 0; i < ELEMENTS; i++) {
      const uint32_t *counter = e->counters[i].map;
      const struct choice last = choice_of(counter[1]);
      uint32_t texel;
      vkt_image_read(&e->images[i], 0, &texel, 4);
      assert_int_equal(counter[0], counts[i]);
      assert_int_equal(texel, images[i]);
      assert_true(counter[1] < ELEMENTS && last.buffer == i);
   }
}

static void
test_non_uniform(void **state)
{
   if (!has_non_uniform())
      skip();
   struct vkt_buffer out = vkt_buffer_create(INVOCATIONS * 4);
   struct elements e = { 0 };
   create_elements(&e);
   const struct vkt_resource resources[] = {
      VKT_STORAGE(out),
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .buffers = e.buffer_infos[0],
        .image_count = ELEMENTS },
      { .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        .images = e.image_infos[0],
        .image_count = ELEMENTS },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        .images = e.image_infos[1],
        .image_count = ELEMENTS },
      { .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .buffers = e.buffer_infos[1],
        .image_count = ELEMENTS },
   };
   vkt_compute(VKT_SHADER(non_uniform_comp), resources, 5, 1);
   check_elements(&e, out.map);
   destroy_elements(&e);
   vkt_buffer_destroy(&out);
}

#define FORMS 6 /* in non_uniform_values.comp */

static VkSampler
create_sampler(void)
{
   return VKT_NEW(Sampler, SAMPLER);
}

/* The decoration is that of a copy, or of a texture with its sampler; all
 * channels read the first one's texture when it is not looked at. glslang
 * copies an image that has a format as one that has none, which the layers'
 * validator refuses. */
static void
test_non_uniform_values(void **state)
{
   if (!has_non_uniform() || vkt_is_validated())
      skip();
   struct vkt_buffer out = vkt_buffer_create(FORMS * INVOCATIONS * 4);
   const VkSampler sampler = create_sampler();
   struct elements e = { 0 };
   create_elements(&e);
   for (unsigned i = 0; i < ELEMENTS; i++)
      e.image_infos[0][i].sampler = sampler;
   const struct vkt_resource resources[] = {
      VKT_STORAGE(out),
      { .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        .images = e.image_infos[0],
        .image_count = ELEMENTS },
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .images = e.image_infos[0],
        .image_count = ELEMENTS },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        .images = e.image_infos[0],
        .image_count = ELEMENTS },
      { .type = VK_DESCRIPTOR_TYPE_SAMPLER, .sampler = sampler },
   };
   vkt_compute(VKT_SHADER(non_uniform_values_comp), resources, 5, 1);
   const uint32_t *result = out.map;
   for (unsigned i = 0; i < FORMS * INVOCATIONS; i++)
      assert_int_equal(result[i], 10 * choice_of(i % INVOCATIONS).texture);
   vkDestroySampler(vkt.device, sampler, NULL);
   destroy_elements(&e);
   vkt_buffer_destroy(&out);
}

/* ---- an index beyond the end ---- */

/* As beyond.comp has it: what all arrays have as their last is named, and
 * nothing of what is used after them is read or written. */
static void
check_beyond(struct elements *e, uint32_t index)
{
   struct vkt_buffer out = vkt_buffer_create(5 * 4);
   struct vkt_buffer other = vkt_buffer_create(8);
   const struct vkt_resource resources[] = {
      VKT_STORAGE(out),
      { .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        .images = e->image_infos[0],
        .image_count = 2 },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        .images = e->image_infos[1],
        .image_count = 2 },
      { .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .buffers = e->buffer_infos[1],
        .image_count = 2 },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .buffers = e->buffer_infos[0],
        .image_count = 2 },
      VKT_STORAGE(other),
   };
   const unsigned k = index == 0 ? 0 : 1;
   const uint32_t *result = out.map, *behind = other.map;
   uint32_t *count = e->counters[k].map;

   memcpy(out.map, &index, sizeof(index));
   *count = 40 + k;
   vkt_compute(VKT_SHADER(beyond_comp), resources, 6, 1);
   assert_int_equal(result[1], 10 * k);
   assert_int_equal(result[2], 500 + k);
   assert_int_equal(result[3], 1000 * k);
   assert_int_equal(result[4], 40 + k);
   assert_int_equal(*count, 7);
   assert_int_equal(behind[0], 0xcdcdcdcd);
   assert_int_equal(behind[1], 0xcdcdcdcd);
   vkt_buffer_destroy(&out);
   vkt_buffer_destroy(&other);
}

static void
test_beyond(void **state)
{
   static const uint32_t indices[] = { 0, 1, 2, 3, 5, UINT32_MAX };
   struct elements e = { 0 };

   if (vkt_is_validated())
      skip();
   create_elements(&e);
   for (uint32_t i = 0; i < 2; i++) {
      const uint32_t texel = 500 + i;
      vkt_image_write(&e.images[i], 0, &texel, 4);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(indices); i++)
      check_beyond(&e, indices[i]);
   destroy_elements(&e);
}

/* ---- as many sets as there may be ---- */

#define SETS 32

static VkDescriptorSetLayout
layout_of_one(VkDescriptorType type)
{
   const VkDescriptorSetLayoutBinding binding = { 0, type, 1,
                                                  VK_SHADER_STAGE_ALL, NULL };
   return VKT_NEW(DescriptorSetLayout, DESCRIPTOR_SET_LAYOUT,
                  .bindingCount = 1, .pBindings = &binding);
}

/* Set i has the i-th value; the first, what is written; the last is at an
 * offset that it is bound with. */
static VkDescriptorPool
fill_sets(const VkDescriptorSetLayout *layouts, const struct vkt_buffer *out,
          const struct vkt_buffer *values, VkDescriptorSet *sets)
{
   const VkDescriptorPoolSize sizes[] = {
      { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, SETS - 2 },
      { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 2 },
   };
   VkDescriptorPool pool =
      VKT_NEW(DescriptorPool, DESCRIPTOR_POOL, .maxSets = SETS,
              .poolSizeCount = ARRAY_SIZE(sizes), .pPoolSizes = sizes);
   const VKT_INFO(DescriptorSetAllocateInfo, alloc, .descriptorPool = pool,
                  .descriptorSetCount = SETS, .pSetLayouts = layouts);
   VKT_CHECK(vkAllocateDescriptorSets(vkt.device, &alloc, sets));
   for (uint32_t i = 0; i < SETS; i++) {
      const bool is_dynamic = i == 0 || i == SETS - 1;
      const VkDescriptorBufferInfo buffer = {
         i ? values->buffer : out->buffer, is_dynamic ? 0 : i * VALUE_B, 20
      };
      const VKT_INFO(WriteDescriptorSet, write, .dstSet = sets[i],
                     .descriptorCount = 1,
                     .descriptorType =
                        is_dynamic ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC
                                   : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                     .pBufferInfo = &buffer);
      vkUpdateDescriptorSets(vkt.device, 1, &write, 0, NULL);
   }
   return pool;
}

static void
test_many_sets(void **state)
{
   VkPhysicalDeviceProperties props;
   vkGetPhysicalDeviceProperties(vkt.pdev, &props);
   assert_int_equal(props.limits.maxBoundDescriptorSets, SETS);
   struct vkt_buffer out = vkt_buffer_create(32);
   struct vkt_buffer values = vkt_buffer_create(SETS * VALUE_B);
   const VkDescriptorSetLayout dynamic =
      layout_of_one(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC);
   const VkDescriptorSetLayout uniform =
      layout_of_one(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
   VkDescriptorSetLayout layouts[SETS];
   for (uint32_t i = 0; i < SETS; i++) {
      const uint32_t value = 100 + i;
      memcpy((char *)values.map + i * VALUE_B, &value, 4);
      layouts[i] = i == 0 || i == SETS - 1 ? dynamic : uniform;
   }
   VkPipelineLayout layout = VKT_NEW(PipelineLayout, PIPELINE_LAYOUT,
                                     .setLayoutCount = SETS,
                                     .pSetLayouts = layouts);
   VkDescriptorSet sets[SETS];
   const VkDescriptorPool pool = fill_sets(layouts, &out, &values, sets);
   VkPipeline pipeline =
      vkt_compute_pipeline(VKT_SHADER(many_sets_comp), layout);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   const uint32_t offsets[] = { 0, (SETS - 1) * VALUE_B };
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0,
                           SETS, sets, 2, offsets);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   static const uint32_t wanted[] = { 101, 108, 115, 130, 131 };
   assert_memory_equal(out.map, wanted, sizeof(wanted));
   vkDestroyPipeline(vkt.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkt.device, layout, NULL);
   vkDestroyDescriptorPool(vkt.device, pool, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, dynamic, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, uniform, NULL);
   vkt_buffer_destroy(&out);
   vkt_buffer_destroy(&values);
}

/* ---- of nothing ---- */

#define NULL_WORDS (3 * 17 * 4)

/* Robustness2, nullDescriptor: reads, sizes and what atomics return are 0;
 * what is written goes nowhere. */
static void
test_null(void **state)
{
   VKT_INFO(PhysicalDeviceRobustness2FeaturesEXT, robustness2);
   vkt_features(&robustness2);
   assert_true(robustness2.nullDescriptor);
   static const VkDescriptorType kinds[] = {
      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
      VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
      VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
      VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
      VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
   };
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER, .maxLod = 10);
   struct vkt_buffer out = vkt_buffer_create(NULL_WORDS * sizeof(uint32_t));
   struct vkt_resource resources[ARRAY_SIZE(kinds)];
   const uint32_t *words = out.map;
   for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++)
      resources[i] =
         (struct vkt_resource) { .type = kinds[i], .sampler = sampler };
   resources[0].buffer = out.buffer;
   memset(out.map, 0xee, NULL_WORDS * sizeof(uint32_t));
   vkt_compute(VKT_SHADER(null_comp), resources, ARRAY_SIZE(kinds), 3);
   for (unsigned i = 0; i < NULL_WORDS; i++) {
      if (words[i] != 0)
         fail_msg("result %u of group %u, component %u: 0x%08x", i / 4 % 17,
                  i / 68, i % 4, words[i]);
   }
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_buffer_destroy(&out);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_push),
      cmocka_unit_test(test_push_in_secondary),
      cmocka_unit_test(test_non_uniform),
      cmocka_unit_test(test_non_uniform_values),
      cmocka_unit_test(test_beyond),
      cmocka_unit_test(test_many_sets),
      cmocka_unit_test(test_null),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
