/* SPDX-License-Identifier: MIT */
/*
 * Descriptor indexing: sets that change after they are bound, of which most
 * descriptors were never written, indexed by each invocation as it likes, and
 * more of them than a binding table has entries.
 */
#include "vkt.h"
#include "util/macros.h"

#include <string.h>

#include "bindless_bindless_comp.h"
#include "bindless_groups_comp.h"
#include "bindless_mutable_comp.h"
#include "bindless_partly_comp.h"

#define INVOCATIONS 64
#define RESULTS 8
#define KINDS 8   /* of what has no more */
#define MANY 4000 /* storage buffers and textures in the layout */
#define FEW 3000  /* textures in the set */
#define USED 5    /* of these, every STEP-th */
#define STEP 733
#define SLOT_B 256 /* distance of parts of a buffer */
#define INLINE_B 32

struct scene {
   VkDescriptorSetLayout fixed, changing;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkDescriptorPool pool;
   VkDescriptorSet set, changed;
   struct vkt_buffer out, choice, stores, constants, texels;
   VkBufferView views[KINDS];
   struct vkt_image textures[USED], images[KINDS];
   VkSampler samplers[2]; /* clamps to the edge; has a white border */
};

static const VkDescriptorSetLayoutBinding bindings[] = {
   { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MANY, VK_SHADER_STAGE_ALL, NULL },
   { 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, KINDS, VK_SHADER_STAGE_ALL, NULL },
   { 2, VK_DESCRIPTOR_TYPE_SAMPLER, 2, VK_SHADER_STAGE_ALL, NULL },
   { 3, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, KINDS, VK_SHADER_STAGE_ALL, NULL },
   { 4, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, KINDS, VK_SHADER_STAGE_ALL,
     NULL },
   { 5, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, KINDS, VK_SHADER_STAGE_ALL,
     NULL },
   { 6, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, INLINE_B,
     VK_SHADER_STAGE_ALL, NULL },
   { 7, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, MANY, VK_SHADER_STAGE_ALL, NULL },
};

static void
create_layouts(struct scene *s)
{
   const VkDescriptorBindingFlags usual =
      VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
      VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
   VkDescriptorBindingFlags flags[ARRAY_SIZE(bindings)];
   for (unsigned i = 0; i < ARRAY_SIZE(bindings); i++)
      flags[i] = usual;
   flags[7] |= VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
   const VKT_INFO(DescriptorSetLayoutBindingFlagsCreateInfo, flags_info,
                  .bindingCount = ARRAY_SIZE(flags), .pBindingFlags = flags);
   const VKT_INFO(
      DescriptorSetLayoutCreateInfo, changing, .pNext = &flags_info,
      .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
      .bindingCount = ARRAY_SIZE(bindings), .pBindings = bindings);
   const VkDescriptorSetLayoutBinding plain[] = {
      { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
      { 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
   };
   const VKT_INFO(DescriptorSetLayoutCreateInfo, fixed,
                  .bindingCount = ARRAY_SIZE(plain), .pBindings = plain);
   VKT_INFO(DescriptorSetVariableDescriptorCountLayoutSupport, most);
   VKT_INFO(DescriptorSetLayoutSupport, support, .pNext = &most);
   vkGetDescriptorSetLayoutSupport(vkt.device, &changing, &support);
   assert_true(support.supported);
   assert_true(most.maxVariableDescriptorCount >= 490000);
   VKT_CHECK(
      vkCreateDescriptorSetLayout(vkt.device, &fixed, NULL, &s->fixed));
   VKT_CHECK(
      vkCreateDescriptorSetLayout(vkt.device, &changing, NULL, &s->changing));
   const VKT_INFO(PipelineLayoutCreateInfo, layout, .setLayoutCount = 2,
                  .pSetLayouts = (const VkDescriptorSetLayout[]) {
                     s->fixed, s->changing });
   VKT_CHECK(vkCreatePipelineLayout(vkt.device, &layout, NULL, &s->layout));
}

static void
create_sets(struct scene *s)
{
   VkDescriptorPoolSize sizes[ARRAY_SIZE(bindings)];
   for (unsigned i = 0; i < ARRAY_SIZE(bindings); i++)
      sizes[i] = (VkDescriptorPoolSize) { bindings[i].descriptorType,
                                          2 * bindings[i].descriptorCount };
   const VKT_INFO(DescriptorPoolInlineUniformBlockCreateInfo, inlines,
                  .maxInlineUniformBlockBindings = 2);
   const VKT_INFO(DescriptorPoolCreateInfo, pool, .pNext = &inlines,
                  .flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
                  .maxSets = 3, .poolSizeCount = ARRAY_SIZE(sizes),
                  .pPoolSizes = sizes);
   VKT_CHECK(vkCreateDescriptorPool(vkt.device, &pool, NULL, &s->pool));
   const uint32_t counts[] = { 0, FEW };
   const VKT_INFO(DescriptorSetVariableDescriptorCountAllocateInfo, variable,
                  .descriptorSetCount = 2, .pDescriptorCounts = counts);
   const VKT_INFO(DescriptorSetAllocateInfo, alloc, .pNext = &variable,
                  .descriptorPool = s->pool, .descriptorSetCount = 2,
                  .pSetLayouts = (const VkDescriptorSetLayout[]) {
                     s->fixed, s->changing });
   VkDescriptorSet sets[2];
   VKT_CHECK(vkAllocateDescriptorSets(vkt.device, &alloc, sets));
   s->set = sets[0];
   s->changed = sets[1];
}

/* Buffers: parts with the number of the part and that of the kind. */
static struct vkt_buffer
numbered(uint32_t kind, unsigned parts)
{
   struct vkt_buffer b = vkt_buffer_create(parts * SLOT_B);
   for (unsigned i = 0; i < parts * SLOT_B / 4; i++)
      ((uint32_t *)b.map)[i] = kind * 100 + i / (SLOT_B / 4);
   return b;
}

static void
create_resources(struct scene *s)
{
   s->out = vkt_buffer_create(INVOCATIONS * RESULTS * 4);
   s->choice = vkt_buffer_create(INVOCATIONS * 4);
   s->stores = numbered(1, USED);
   s->constants = numbered(2, KINDS);
   s->texels = numbered(3, KINDS);
   for (unsigned i = 0; i < INVOCATIONS; i++)
      ((uint32_t *)s->choice.map)[i] = i * 7 % USED * STEP;
   for (unsigned i = 0; i < KINDS; i++) {
      s->views[i] = VKT_NEW(BufferView, BUFFER_VIEW,
                            .buffer = s->texels.buffer,
                            .format = VK_FORMAT_R32_UINT,
                            .offset = i * SLOT_B, .range = 16);
      const struct vkt_image_desc image = {
         .format = VK_FORMAT_R32_UINT,
         .width = 2 + i,
         .height = 1,
         .usage = VK_IMAGE_USAGE_STORAGE_BIT,
      };
      uint32_t texels[2 + KINDS] = { 400 + i };
      s->images[i] = vkt_image_create(&image);
      vkt_image_write(&s->images[i], 0, texels, (2 + i) * 4);
   }
   for (unsigned i = 0; i < USED; i++) {
      const struct vkt_image_desc image = {
         .width = 1,
         .height = 1,
         .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
      };
      const uint32_t texel = 0xff000000 | (50 + i);
      s->textures[i] = vkt_image_create(&image);
      vkt_image_write(&s->textures[i], 0, &texel, 4);
   }
   for (unsigned i = 0; i < 2; i++) {
      const VkSamplerAddressMode mode =
         i ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
           : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
      s->samplers[i] =
         VKT_NEW(Sampler, SAMPLER, .addressModeU = mode, .addressModeV = mode,
                 .addressModeW = mode,
                 .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE);
   }
}

/* ---- updates ---- */

static void
write_one(VkDescriptorSet set, unsigned binding, unsigned element,
          VkDescriptorType type, const void *info)
{
   const VKT_INFO(WriteDescriptorSet, write, .dstSet = set,
                  .dstBinding = binding, .dstArrayElement = element,
                  .descriptorCount = 1, .descriptorType = type,
                  .pBufferInfo = info, .pImageInfo = info,
                  .pTexelBufferView = info);
   vkUpdateDescriptorSets(vkt.device, 1, &write, 0, NULL);
}

static void
write_buffer(VkDescriptorSet set, unsigned binding, unsigned element,
             VkDescriptorType type, VkBuffer buffer, unsigned part,
             VkDeviceSize size_B)
{
   const VkDescriptorBufferInfo info = { buffer, part * SLOT_B, size_B };
   write_one(set, binding, element, type, &info);
}

static void
write_view(VkDescriptorSet set, unsigned binding, unsigned element,
           VkDescriptorType type, VkImageView view, VkSampler sampler)
{
   const VkDescriptorImageInfo info = { sampler, view,
                                        VK_IMAGE_LAYOUT_GENERAL };
   write_one(set, binding, element, type, &info);
}

/* All that the shader looks at, `shift` numbers further on. */
static void
write_changing(struct scene *s, unsigned shift)
{
   for (unsigned i = 0; i < USED; i++) {
      const unsigned from = (i + shift) % USED;
      write_buffer(s->changed, 0, i * STEP, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                   s->stores.buffer, from, 16 + 4 * from);
      write_view(s->changed, 7, i * STEP, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                 s->textures[from].view, VK_NULL_HANDLE);
   }
   for (unsigned i = 0; i < KINDS; i++) {
      const unsigned from = (i + shift) % KINDS;
      write_buffer(s->changed, 1, i, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                   s->constants.buffer, from, 16);
      write_view(s->changed, 3, i, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                 s->images[from].view, VK_NULL_HANDLE);
      write_one(s->changed, 4, i, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                &s->views[from]);
      write_one(s->changed, 5, i, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
                &s->views[from]);
   }
   for (unsigned i = 0; i < 2; i++)
      write_view(s->changed, 2, i, VK_DESCRIPTOR_TYPE_SAMPLER, VK_NULL_HANDLE,
                 s->samplers[(i + shift) % 2]);
   const uint32_t words[8] = { [5] = 700 + shift };
   const VKT_INFO(WriteDescriptorSetInlineUniformBlock, block,
                  .dataSize = sizeof(words), .pData = words);
   const VKT_INFO(WriteDescriptorSet, write, .pNext = &block,
                  .dstSet = s->changed, .dstBinding = 6,
                  .descriptorCount = sizeof(words),
                  .descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK);
   vkUpdateDescriptorSets(vkt.device, 1, &write, 0, NULL);
}

static VkCommandBuffer
record(const struct scene *s)
{
   VkCommandBuffer cmd = vkt_begin();
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0,
                           2,
                           (const VkDescriptorSet[]) { s->set, s->changed },
                           0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   return cmd;
}

/* ---- what comes of it ---- */

static void
check(const struct scene *s, unsigned shift)
{
   for (unsigned i = 0; i < INVOCATIONS; i++) {
      const uint32_t *r = (const uint32_t *)s->out.map + i * RESULTS;
      const unsigned number = i * 7 % USED, k = number * STEP % KINDS;
      const unsigned from = (number + shift) % USED;
      const unsigned of_kind = (k + shift) % KINDS;
      const bool has_border = (k % 2 + shift) % 2;
      assert_int_equal(r[0], 100 + from);
      assert_int_equal(r[1], 3 + from);
      assert_int_equal(r[2], 200 + of_kind);
      assert_int_equal(r[3], has_border ? 255 : 50 + from);
      assert_int_equal(r[4], 400 + of_kind + 1000 * (2 + of_kind));
      assert_int_equal(r[5], 300 + of_kind);
      assert_int_equal(r[6], 300 + of_kind);
      assert_int_equal(r[7], 700 + shift);
   }
}

static void
create(struct scene *s)
{
   memset(s, 0, sizeof(*s));
   create_layouts(s);
   s->pipeline = vkt_compute_pipeline(VKT_SHADER(bindless_comp), s->layout);
   create_sets(s);
   create_resources(s);
   write_buffer(s->set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                s->out.buffer, 0, VK_WHOLE_SIZE);
   write_buffer(s->set, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                s->choice.buffer, 0, VK_WHOLE_SIZE);
}

static void
destroy(struct scene *s)
{
   for (unsigned i = 0; i < 2; i++)
      vkDestroySampler(vkt.device, s->samplers[i], NULL);
   for (unsigned i = 0; i < USED; i++)
      vkt_image_destroy(&s->textures[i]);
   for (unsigned i = 0; i < KINDS; i++) {
      vkt_image_destroy(&s->images[i]);
      vkDestroyBufferView(vkt.device, s->views[i], NULL);
   }
   vkt_buffer_destroy(&s->out);
   vkt_buffer_destroy(&s->choice);
   vkt_buffer_destroy(&s->stores);
   vkt_buffer_destroy(&s->constants);
   vkt_buffer_destroy(&s->texels);
   vkDestroyDescriptorPool(vkt.device, s->pool, NULL);
   vkDestroyPipeline(vkt.device, s->pipeline, NULL);
   vkDestroyPipelineLayout(vkt.device, s->layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, s->fixed, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, s->changing, NULL);
}

static bool
has_bindless(void)
{
   return vkt_has_extension("VK_EXT_descriptor_indexing");
}

/* Before the first submission the set has nothing when it is bound, before
 * the second one something else. */
static void
test_update_after_bind(void **state)
{
   if (!has_bindless())
      skip();
   struct scene s;
   create(&s);
   VkCommandBuffer cmd = record(&s);
   write_changing(&s, 0);
   vkt_submit(cmd);
   check(&s, 0);
   cmd = record(&s);
   write_changing(&s, 3);
   vkt_submit(cmd);
   check(&s, 3);
   destroy(&s);
}

/* What was not written, or written as null, reads zero. */
static void
test_null(void **state)
{
   if (!has_bindless())
      skip();
   struct scene s;
   create(&s);
   write_changing(&s, 0);
   for (unsigned i = 0; i < USED; i++) {
      write_buffer(s.changed, 0, i * STEP, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                   VK_NULL_HANDLE, 0, VK_WHOLE_SIZE);
      ((uint32_t *)s.choice.map)[i] = 1 + i;
   }
   vkt_submit(record(&s));
   const uint32_t *r = s.out.map;
   for (unsigned i = 0; i < INVOCATIONS; i++) {
      assert_int_equal(r[i * RESULTS], 0);
      assert_int_equal(r[i * RESULTS + 1], 0);
   }
   for (unsigned i = 0; i < USED; i++)
      assert_int_equal(r[i * RESULTS + 3] % 255, 0);
   destroy(&s);
}

/* A copy has what the other set had then. */
static void
test_copies(void **state)
{
   if (!has_bindless())
      skip();
   struct scene s;
   create(&s);
   write_changing(&s, 1);
   const uint32_t count = FEW;
   const VKT_INFO(DescriptorSetVariableDescriptorCountAllocateInfo, variable,
                  .descriptorSetCount = 1, .pDescriptorCounts = &count);
   const VKT_INFO(DescriptorSetAllocateInfo, alloc, .pNext = &variable,
                  .descriptorPool = s.pool, .descriptorSetCount = 1,
                  .pSetLayouts = &s.changing);
   const VkDescriptorSet original = s.changed;
   VKT_CHECK(vkAllocateDescriptorSets(vkt.device, &alloc, &s.changed));
   VkCommandBuffer cmd = record(&s);
   VkCopyDescriptorSet copies[ARRAY_SIZE(bindings)];
   for (unsigned i = 0; i < ARRAY_SIZE(bindings); i++)
      copies[i] = VKT_STRUCT(
         CopyDescriptorSet, .srcSet = original, .dstSet = s.changed,
         .srcBinding = i, .dstBinding = i,
         .descriptorCount = i == 7 ? FEW : bindings[i].descriptorCount);
   vkUpdateDescriptorSets(vkt.device, 0, NULL, ARRAY_SIZE(copies), copies);
   const VkDescriptorSet copy = s.changed;
   s.changed = original;
   write_changing(&s, 2);
   s.changed = copy;
   vkt_submit(cmd);
   check(&s, 1);
   destroy(&s);
}

/* ---- without update after bind ---- */

static struct vkt_plain
create_partly(VkDescriptorSet *set)
{
   const VkDescriptorSetLayoutBinding two[] = {
      { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
      { 1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 3, VK_SHADER_STAGE_ALL, NULL },
   };
   const VkDescriptorBindingFlags flags[] = {
      0, VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT
   };
   const VKT_INFO(DescriptorSetLayoutBindingFlagsCreateInfo, flags_info,
                  .bindingCount = ARRAY_SIZE(flags), .pBindingFlags = flags);
   const VKT_INFO(DescriptorSetLayoutCreateInfo, set_layout,
                  .pNext = &flags_info, .bindingCount = ARRAY_SIZE(two),
                  .pBindings = two);
   const VkDescriptorPoolSize sizes[] = {
      { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 },
      { VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 3 },
   };
   const VKT_INFO(DescriptorPoolCreateInfo, pool, .maxSets = 1,
                  .poolSizeCount = ARRAY_SIZE(sizes), .pPoolSizes = sizes);
   return vkt_plain_create(&set_layout, &pool, VKT_SHADER(partly_comp), set);
}

/* On all generations: of three textures one was never written, and one ended
 * after it was; its view's memory is not looked at any more. */
static void
test_views_that_ended(void **state)
{
   VkDescriptorSet set;
   struct vkt_plain p = create_partly(&set);
   struct vkt_buffer out = vkt_buffer_create(8);
   const struct vkt_image_desc desc = {
      .width = 1,
      .height = 1,
      .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
   };
   struct vkt_image images[] = { vkt_image_create(&desc),
                                 vkt_image_create(&desc) };
   const uint32_t texel = 0xff00002a;
   vkt_image_write(&images[1], 0, &texel, 4);
   write_buffer(set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, out.buffer, 0,
                VK_WHOLE_SIZE);
   for (unsigned i = 0; i < 2; i++)
      write_view(set, 1, i, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, images[i].view,
                 VK_NULL_HANDLE);
   vkt_image_destroy(&images[0]);
   ((uint32_t *)out.map)[1] = 1;
   VkCommandBuffer cmd = vkt_begin();
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0,
                           1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_submit(cmd);
   assert_int_equal(*(uint32_t *)out.map, 0x2a);
   vkt_image_destroy(&images[1]);
   vkt_buffer_destroy(&out);
   vkt_plain_destroy(&p);
}

/* ---- mutable descriptors ---- */

static const VkDescriptorType kinds[] = {
   VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
   VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
   VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
   VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
};

/* The second set has what elements 0 and 1 are now, by copies from the first
 * one, and the others the other way round. */
static void
write_kinds(VkDescriptorSet sets[2], const struct vkt_buffer *values,
            const struct vkt_image *image)
{
   for (unsigned i = 0; i < 2; i++)
      write_buffer(sets[0], 1, i, kinds[i], values->buffer, i, 16);
   for (unsigned i = 2; i < 4; i++)
      write_view(sets[1], 1, i, kinds[i], image->view, VK_NULL_HANDLE);
   const VkCopyDescriptorSet copies[] = {
      { .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
        .srcSet = sets[0],
        .srcBinding = 1,
        .dstSet = sets[1],
        .dstBinding = 1,
        .descriptorCount = 2 },
      { .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
        .srcSet = sets[1],
        .srcBinding = 1,
        .srcArrayElement = 2,
        .dstSet = sets[0],
        .dstBinding = 1,
        .dstArrayElement = 2,
        .descriptorCount = 2 },
   };
   vkUpdateDescriptorSets(vkt.device, 0, NULL, ARRAY_SIZE(copies), copies);
}

static struct vkt_plain
create_mutable(VkDescriptorSet sets[2])
{
   const VkMutableDescriptorTypeListEXT lists[2] = {
      [1] = { ARRAY_SIZE(kinds), kinds }
   };
   const VKT_INFO(MutableDescriptorTypeCreateInfoEXT, types,
                  .mutableDescriptorTypeListCount = 2,
                  .pMutableDescriptorTypeLists = lists);
   const VkDescriptorSetLayoutBinding two[] = {
      { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
      { 1, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 4, VK_SHADER_STAGE_ALL, NULL },
   };
   const VKT_INFO(DescriptorSetLayoutCreateInfo, set_layout, .pNext = &types,
                  .bindingCount = ARRAY_SIZE(two), .pBindings = two);
   const VkDescriptorPoolSize sizes[] = {
      { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 },
      { VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 8 },
   };
   const VKT_INFO(DescriptorPoolCreateInfo, pool, .pNext = &types,
                  .maxSets = 2, .poolSizeCount = ARRAY_SIZE(sizes),
                  .pPoolSizes = sizes);
   return vkt_plain_create(&set_layout, &pool, VKT_SHADER(mutable_comp),
                           sets);
}

static void
run_mutable(void)
{
   VkDescriptorSet sets[2];
   struct vkt_plain p = create_mutable(sets);
   struct vkt_buffer out = vkt_buffer_create(2 * SLOT_B);
   struct vkt_buffer values = numbered(1, 2);
   const struct vkt_image_desc desc = {
      .format = VK_FORMAT_R32_UINT,
      .width = 2,
      .height = 1,
      .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
   };
   struct vkt_image image = vkt_image_create(&desc);
   vkt_image_write(&image, 0, (const uint32_t[]) { 5, 6 }, 8);
   write_kinds(sets, &values, &image);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
   for (unsigned i = 0; i < 2; i++) {
      write_buffer(sets[i], 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                   out.buffer, i, 16);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout,
                              0, 1, &sets[i], 0, NULL);
      vkCmdDispatch(cmd, 1, 1, 1);
      vkt_barrier(cmd);
   }
   vkt_submit(cmd);
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t *r = (const uint32_t *)out.map + i * SLOT_B / 4;
      assert_int_equal(r[0], 100 + i); /* which each of them counts up */
      assert_int_equal(r[1], 101);
      assert_int_equal(r[2], 6);
      assert_int_equal(r[3], 6);
   }
   vkt_image_destroy(&image);
   vkt_buffer_destroy(&values);
   vkt_buffer_destroy(&out);
   vkt_plain_destroy(&p);
}

static void
test_mutable(void **state)
{
   if (!vkt_has_extension("VK_EXT_mutable_descriptor_type"))
      skip();
   VKT_INFO(PhysicalDeviceFeatures2, core,
            .features.shaderStorageImageReadWithoutFormat = VK_TRUE);
   const VKT_INFO(PhysicalDeviceMutableDescriptorTypeFeaturesEXT, features,
                  .pNext = &core, .mutableDescriptorType = VK_TRUE);
   vkt_with_features(&features, run_mutable);
}

/* ---- one shader for both kinds of sets ---- */

/* Forty-two vectors, each with the constant last. */
static void
run_groups(VkDescriptorSetLayoutCreateFlags set_flags,
           VkDescriptorPoolCreateFlags pool_flags)
{
   const VkDescriptorSetLayoutBinding two[] = {
      { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
        NULL },
      { 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
        NULL },
   };
   const VKT_INFO(DescriptorSetLayoutCreateInfo, set_layout,
                  .flags = set_flags, .bindingCount = 2, .pBindings = two);
   const VkDescriptorPoolSize sizes[] = {
      { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 },
      { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1 },
   };
   const VKT_INFO(DescriptorPoolCreateInfo, pool, .flags = pool_flags,
                  .maxSets = 1, .poolSizeCount = ARRAY_SIZE(sizes),
                  .pPoolSizes = sizes);
   VkDescriptorSet set;
   struct vkt_plain p =
      vkt_plain_create(&set_layout, &pool, VKT_SHADER(groups_comp), &set);
   struct vkt_buffer out = vkt_buffer_create(42 * 16);
   struct vkt_buffer constants = numbered(1, 8);
   write_buffer(set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, out.buffer, 0,
                VK_WHOLE_SIZE);
   write_buffer(set, 1, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                constants.buffer, 0, VK_WHOLE_SIZE);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0,
                           1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   for (unsigned i = 0; i < 42; i++)
      assert_int_equal(((uint32_t *)out.map)[4 * i + 3],
                       ((uint32_t *)constants.map)[i % 2 * 4 + 2]);
   vkt_buffer_destroy(&constants);
   vkt_buffer_destroy(&out);
   vkt_plain_destroy(&p);
}

/* The code differs, which the device's own cache must know. */
static void
test_both_kinds(void **state)
{
   for (unsigned i = 0; i < 2; i++) {
      run_groups(0, 0);
      if (vkt_has_extension("VK_EXT_descriptor_indexing"))
         run_groups(
            VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
            VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_update_after_bind),
      cmocka_unit_test(test_null),
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_views_that_ended),
      cmocka_unit_test(test_mutable),
      cmocka_unit_test(test_both_kinds),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
