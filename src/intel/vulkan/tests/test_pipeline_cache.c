/* SPDX-License-Identifier: MIT */
/*
 * Pipeline caches. INTEL_DEBUG=vs,fs: each shader that is compiled is
 * printed, so a silent vkCreateGraphicsPipelines has compiled nothing.
 */
#include "vkt_triangle.h"
#include "util/macros.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline_cache_endless_frag.h"
#include "pipeline_cache_nothing_comp.h"
#include "pipeline_cache_position_vert.h"
#include "pipeline_cache_white_frag.h"
#include "pipeline_cache_words_comp.h"

/* Makes a pipeline (`frag` NULL: that of the triangle); whether anything was
 * compiled for it. */
static bool
pipeline_compiles(struct vkt_triangle *t, VkPipelineCache cache,
                  const struct vkt_shader *frag)
{
   FILE *report = tmpfile();
   assert_non_null(report);
   const int saved = vkt_divert_stderr(report);
   vkt_triangle_pipeline(t, cache, frag);
   vkt_restore_stderr(saved);
   fseek(report, 0, SEEK_END);
   const bool compiled = ftell(report) > 0;
   fclose(report);
   return compiled;
}

static void
drop_pipeline(struct vkt_triangle *t)
{
   vkDestroyPipeline(vkt.device, t->pipeline, NULL);
   t->pipeline = VK_NULL_HANDLE;
}

static VkPipelineCache
create_cache(const void *data, size_t size_B)
{
   return VKT_NEW(PipelineCache, PIPELINE_CACHE, .initialDataSize = size_B,
                  .pInitialData = data);
}

static size_t
cache_size(VkPipelineCache cache)
{
   size_t size_B = 0;
   VKT_CHECK(vkGetPipelineCacheData(vkt.device, cache, &size_B, NULL));
   return size_B;
}

static uint8_t *
cache_data(VkPipelineCache cache, size_t *size_B)
{
   *size_B = cache_size(cache);
   uint8_t *data = malloc(*size_B);
   assert_non_null(data);
   VKT_CHECK(vkGetPipelineCacheData(vkt.device, cache, size_B, data));
   return data;
}

/* Data of one run serves the next: no compilation, the same picture. Each
 * pipeline goes before the next is made, so that no live shader helps. */
static void
test_cache_data(void **state)
{
   struct vkt_triangle t;
   vkt_triangle_create(&t);
   VkPipelineCache first = create_cache(NULL, 0);
   const size_t empty_B = cache_size(first);
   assert_int_equal(empty_B, sizeof(VkPipelineCacheHeaderVersionOne));
   assert_true(pipeline_compiles(&t, first, NULL));
   vkt_triangle_draw(&t);
   drop_pipeline(&t);
   assert_false(pipeline_compiles(&t, first, NULL));
   vkt_triangle_draw(&t);
   drop_pipeline(&t);

   size_t size_B, again_B;
   uint8_t *data = cache_data(first, &size_B);
   assert_true(size_B > empty_B);
   /* Another shader is not taken for this one. */
   assert_true(pipeline_compiles(&t, first, &VKT_SHADER(endless_frag)));
   assert_true(cache_size(first) > size_B);
   drop_pipeline(&t);
   vkDestroyPipelineCache(vkt.device, first, NULL);

   VkPipelineCache second = create_cache(data, size_B);
   assert_false(pipeline_compiles(&t, second, NULL));
   vkt_triangle_draw(&t);
   drop_pipeline(&t);
   uint8_t *again = cache_data(second, &again_B);
   assert_int_equal(again_B, size_B);
   vkDestroyPipelineCache(vkt.device, second, NULL);

   /* A cache without the shaders has them compiled, and takes what lives. */
   VkPipelineCache third = create_cache(NULL, 0);
   assert_true(pipeline_compiles(&t, third, NULL));
   VkPipelineCache fourth = create_cache(NULL, 0);
   VkPipeline kept = t.pipeline;
   assert_false(pipeline_compiles(&t, fourth, NULL));
   assert_int_equal(cache_size(fourth), size_B);
   vkDestroyPipeline(vkt.device, kept, NULL);
   vkt_triangle_draw(&t);
   vkDestroyPipelineCache(vkt.device, third, NULL);
   vkDestroyPipelineCache(vkt.device, fourth, NULL);
   free(data);
   free(again);
   vkt_triangle_destroy(&t);
}

/* Whole entries or none, and never past the end. */
static void
test_cache_incomplete(void **state)
{
   struct vkt_triangle t;
   vkt_triangle_create(&t);
   VkPipelineCache cache = create_cache(NULL, 0);
   assert_true(pipeline_compiles(&t, cache, NULL));
   const size_t full_B = cache_size(cache);
   uint8_t *data = malloc(full_B + 8);
   bool some = false;
   for (size_t room_B = 0; room_B < full_B; room_B += 37) {
      size_t got_B = room_B;
      memset(data, 0xee, full_B + 8);
      assert_int_equal(vkGetPipelineCacheData(vkt.device, cache, &got_B,
                                              data),
                       VK_INCOMPLETE);
      assert_true(got_B <= room_B);
      for (size_t i = got_B; i < full_B + 8; i++)
         assert_int_equal(data[i], 0xee);
      if (!got_B)
         continue;
      VkPipelineCache part = create_cache(data, got_B);
      assert_int_equal(cache_size(part), got_B);
      some |= got_B > sizeof(VkPipelineCacheHeaderVersionOne);
      vkDestroyPipelineCache(vkt.device, part, NULL);
   }
   assert_true(some);
   size_t got_B = full_B + 8;
   VKT_CHECK(vkGetPipelineCacheData(vkt.device, cache, &got_B, data));
   assert_int_equal(got_B, full_B);
   free(data);
   vkDestroyPipelineCache(vkt.device, cache, NULL);
   vkt_triangle_destroy(&t);
}

static void
assert_refused(const uint8_t *data, size_t size_B)
{
   /* A copy of just that size, for the address sanitizer. */
   uint8_t *copy = malloc(MAX2(size_B, 1));
   memcpy(copy, data, size_B);
   VkPipelineCache cache = create_cache(copy, size_B);
   assert_int_equal(cache_size(cache),
                    sizeof(VkPipelineCacheHeaderVersionOne));
   vkDestroyPipelineCache(vkt.device, cache, NULL);
   free(copy);
}

static void
test_cache_bad_data(void **state)
{
   struct vkt_triangle t;
   vkt_triangle_create(&t);
   VkPipelineCache cache = create_cache(NULL, 0);
   assert_true(pipeline_compiles(&t, cache, NULL));
   drop_pipeline(&t);
   size_t size_B;
   uint8_t *data = cache_data(cache, &size_B);
   vkDestroyPipelineCache(vkt.device, cache, NULL);

   assert_refused(data, size_B - 1);
   for (size_t n = 0; n < size_B; n += n < 200 ? 1 : 61) {
      /* Up to the end of its first or only whole record it is good data. */
      cache = create_cache(data, n);
      assert_true(cache_size(cache) == n ||
                  cache_size(cache) ==
                     sizeof(VkPipelineCacheHeaderVersionOne));
      vkDestroyPipelineCache(vkt.device, cache, NULL);
   }
   /* The header: sizes, version, vendor, device, UUID; then every part. */
   for (size_t at = 0; at < size_B; at += at < 400 ? 1 : 23) {
      for (unsigned bit = 0; bit < 8; bit += 7) {
         data[at] ^= 1u << bit;
         assert_refused(data, size_B);
         data[at] ^= 1u << bit;
      }
   }
   /* With a foreign UUID it has to be compiled. */
   data[offsetof(VkPipelineCacheHeaderVersionOne, pipelineCacheUUID)] ^= 1;
   cache = create_cache(data, size_B);
   assert_true(pipeline_compiles(&t, cache, NULL));
   vkt_triangle_draw(&t);
   vkDestroyPipelineCache(vkt.device, cache, NULL);
   free(data);
   vkt_triangle_destroy(&t);
}

static void
test_cache_merge(void **state)
{
   struct vkt_triangle t;
   vkt_triangle_create(&t);
   VkPipelineCache src[2] = { create_cache(NULL, 0), create_cache(NULL, 0) };
   VkPipelineCache dst = create_cache(NULL, 0);
   assert_true(pipeline_compiles(&t, src[0], NULL));
   drop_pipeline(&t);
   assert_true(pipeline_compiles(&t, src[1], NULL));
   drop_pipeline(&t);
   VKT_CHECK(vkMergePipelineCaches(vkt.device, dst, 2, src));
   assert_int_equal(cache_size(dst), cache_size(src[0]));
   vkDestroyPipelineCache(vkt.device, src[0], NULL);
   vkDestroyPipelineCache(vkt.device, src[1], NULL);
   assert_false(pipeline_compiles(&t, dst, NULL));
   vkt_triangle_draw(&t);
   vkDestroyPipelineCache(vkt.device, dst, NULL);
   vkt_triangle_destroy(&t);
}

/* Without a cache the device's own is used. Before the test with threads,
 * which fills that. */
static void
test_cache_none(void **state)
{
   struct vkt_triangle t;
   vkt_triangle_create(&t);
   assert_true(pipeline_compiles(&t, VK_NULL_HANDLE, NULL));
   drop_pipeline(&t);
   assert_false(pipeline_compiles(&t, VK_NULL_HANDLE, NULL));
   vkt_triangle_draw(&t);
   vkt_triangle_destroy(&t);
}

struct cache_thread {
   pthread_t thread;
   struct vkt_triangle triangle; /* of its own, but for the pipeline */
   VkPipelineCache cache;
};

static void *
make_pipelines(void *data)
{
   struct cache_thread *t = data;
   for (unsigned i = 0; i < 40; i++) {
      vkt_triangle_pipeline(&t->triangle, i % 2 ? t->cache : VK_NULL_HANDLE,
                            i % 3 ? NULL : &VKT_SHADER(endless_frag));
      drop_pipeline(&t->triangle);
   }
   return NULL;
}

/* Shaders are made, found and freed by several threads at once. */
static void
test_cache_threads(void **state)
{
   struct vkt_triangle t;
   vkt_triangle_create(&t);
   VkPipelineCache cache = create_cache(NULL, 0);
   struct cache_thread threads[4];
   FILE *report = tmpfile();
   assert_non_null(report);
   const int saved = vkt_divert_stderr(report);
   for (unsigned i = 0; i < ARRAY_SIZE(threads); i++) {
      threads[i].triangle = t;
      threads[i].cache = cache;
      assert_int_equal(pthread_create(&threads[i].thread, NULL,
                                      make_pipelines, &threads[i]),
                       0);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(threads); i++)
      pthread_join(threads[i].thread, NULL);
   vkt_restore_stderr(saved);
   fclose(report);
   assert_false(pipeline_compiles(&t, cache, NULL));
   vkt_triangle_draw(&t);
   vkDestroyPipelineCache(vkt.device, cache, NULL);
   vkt_triangle_destroy(&t);
}

/* ---- what creation may do, and what it did ---- */

static VkResult
draw_white(VkPipelineCache cache, VkPipelineCreateFlags flags,
           VkPipelineCreationFeedback *all,
           VkPipelineCreationFeedback stages[2])
{
   static const float triangle[3][4] = { { -1, -1, 0, 1 },
                                         { 3, -1, 0, 1 },
                                         { -1, 3, 0, 1 } };
   const VKT_INFO(PipelineCreationFeedbackCreateInfo, feedback,
                  .pPipelineCreationFeedback = all,
                  .pipelineStageCreationFeedbackCount = 2,
                  .pPipelineStageCreationFeedbacks = stages);
   uint32_t px[4 * 4] = { 0 };
   const VkResult result = vkt_try_draw(
      &VKT_SCENE(.vs = VKT_SHADER(position_vert),
                 .fs = VKT_SHADER(white_frag),
                 .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                 .vertices = triangle, .attributes = 1, .vertex_count = 3,
                 .width = 4, .height = 4, .next = &feedback, .flags = flags,
                 .cache = cache),
      px);
   assert_int_equal(px[5], result ? 0 : ~0u);
   return result;
}

/* Nothing is compiled that must not be; who asks is told which it was. */
static void
test_control_and_feedback(void **state)
{
   const VkPipelineCreationFeedbackFlags valid =
      VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
   const VkPipelineCreationFeedbackFlags hit =
      VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
   VkPipelineCreationFeedback all, stages[2];
   VkPipelineCache cache = create_cache(NULL, 0);
   assert_int_equal(
      draw_white(cache,
                 VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
                 &all, stages),
      VK_PIPELINE_COMPILE_REQUIRED);
   memset(&all, 0xff, sizeof(all));
   memset(stages, 0xff, sizeof(stages));
   VKT_CHECK(draw_white(cache, 0, &all, stages));
   assert_int_equal(all.flags, valid);
   assert_true(all.duration > 0);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(stages[i].flags, valid);
      assert_true(stages[i].duration > 0);
      assert_true(stages[i].duration < all.duration);
   }
   VKT_CHECK(draw_white(
      cache, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, &all,
      stages));
   assert_int_equal(all.flags, valid | hit);
   assert_int_equal(stages[0].flags, valid | hit);
   assert_int_equal(stages[1].flags, valid | hit);
   vkDestroyPipelineCache(vkt.device, cache, NULL);
}

/* Parts compile nothing, and what is linked of them is not in a cache unless
 * its shaders are. */
static void
test_feedback_of_parts(void **state)
{
   static const float triangle[3][4] = { { -1, -1, 0, 1 },
                                         { 3, -1, 0, 1 },
                                         { -1, 3, 0, 1 } };
   const VkPipelineCreationFeedbackFlags valid =
      VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
   const VkPipelineCreationFeedbackFlags hit =
      VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
   if (!vkt_has_extension("VK_EXT_graphics_pipeline_library"))
      skip();
   VkPipelineCache cache = create_cache(NULL, 0);
   const struct {
      VkPipelineCache cache;
      VkPipelineCreationFeedbackFlags linked;
   } draws[] = {
      { VK_NULL_HANDLE, valid },
      { VK_NULL_HANDLE, valid },
      { cache, valid },
      { cache, valid | hit },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(draws); i++) {
      VkPipelineCreationFeedback told[5];
      uint32_t px[4 * 4];
      memset(told, 0xff, sizeof(told));
      vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                          .fs = VKT_SHADER(white_frag),
                          .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                          .vertices = triangle, .attributes = 1,
                          .vertex_count = 3, .width = 4, .height = 4,
                          .in_parts = true, .told = told,
                          .cache = draws[i].cache),
               px);
      assert_int_equal(px[5], ~0u);
      for (unsigned part = 0; part < 4; part++)
         assert_int_equal(told[part].flags, valid);
      assert_int_equal(told[4].flags, draws[i].linked);
      assert_true(told[4].duration > 0);
   }
   vkDestroyPipelineCache(vkt.device, cache, NULL);
}

struct nothing {
   VkShaderModule module;
   VkPipelineLayout layout;
   VkPipelineCache cache;
};

/* Two pipelines with groups of such sizes. */
static VkResult
create_two(const struct nothing *n, const uint32_t sizes[2],
           VkPipelineCreateFlags flags, VkPipeline out[2])
{
   const VkSpecializationMapEntry entry = { 0, 0, 4 };
   VkSpecializationInfo special[2];
   VkComputePipelineCreateInfo infos[2];
   for (unsigned i = 0; i < 2; i++) {
      special[i] = (VkSpecializationInfo) { 1, &entry, 4, &sizes[i] };
      infos[i] = VKT_STRUCT(ComputePipelineCreateInfo, .flags = flags,
         .stage = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .module = n->module,
            .pName = "main",
            .pSpecializationInfo = &special[i],
         },
         .layout = n->layout);
   }
   return vkCreateComputePipelines(vkt.device, n->cache, 2, infos, NULL, out);
}

static void
destroy_two(VkPipeline two[2])
{
   vkDestroyPipeline(vkt.device, two[0], NULL);
   vkDestroyPipeline(vkt.device, two[1], NULL);
}

static struct nothing
create_nothing(void)
{
   const VKT_INFO(ShaderModuleCreateInfo, module,
                  .codeSize = sizeof(nothing_comp), .pCode = nothing_comp);
   const VKT_INFO(PipelineLayoutCreateInfo, layout);
   struct nothing n = { .cache = create_cache(NULL, 0) };
   VKT_CHECK(vkCreateShaderModule(vkt.device, &module, NULL, &n.module));
   VKT_CHECK(vkCreatePipelineLayout(vkt.device, &layout, NULL, &n.layout));
   return n;
}

static void
destroy_nothing(struct nothing *n)
{
   vkDestroyPipelineLayout(vkt.device, n->layout, NULL);
   vkDestroyShaderModule(vkt.device, n->module, NULL);
   vkDestroyPipelineCache(vkt.device, n->cache, NULL);
}

/* The second is in the cache, the first is not. */
static void
test_early_return(void **state)
{
   const VkPipelineCreateFlags fail =
      VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
   struct nothing n = create_nothing();
   VkPipeline two[2];
   VKT_CHECK(create_two(&n, (uint32_t[]) { 2, 2 }, 0, two));
   destroy_two(two);
   assert_int_equal(create_two(&n, (uint32_t[]) { 1, 2 }, fail, two),
                    VK_PIPELINE_COMPILE_REQUIRED);
   assert_true(!two[0] && two[1]);
   destroy_two(two);
   assert_int_equal(
      create_two(&n, (uint32_t[]) { 1, 2 },
                 fail | VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT, two),
      VK_PIPELINE_COMPILE_REQUIRED);
   assert_true(!two[0] && !two[1]);
   destroy_nothing(&n);
}

/* ---- layouts ---- */

/* A set of two bindings that words.comp reads. */
struct words_layout {
   uint32_t number, count;
   VkDescriptorType type;
   VkDescriptorBindingFlags flags;
};

/* Whether words.comp comes from the cache, with a set of that in front of the
 * two buffers that it reads. */
static bool
hits(VkPipelineCache cache, VkShaderModule module,
     const struct words_layout *l)
{
   const VkDescriptorSetLayoutBinding bindings[] = {
      { l->number, l->type, l->count, VK_SHADER_STAGE_ALL, NULL },
      { 4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
      { 5, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
   };
   const VkDescriptorBindingFlags flags[] = { 0, 0, l->flags };
   const VkDescriptorSetLayout set = VKT_NEW(
      DescriptorSetLayout, DESCRIPTOR_SET_LAYOUT,
      .pNext =
         &(VkDescriptorSetLayoutBindingFlagsCreateInfo) {
            .sType =
               VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
            .bindingCount = ARRAY_SIZE(flags),
            .pBindingFlags = flags,
         },
      .flags = l->flags
                  ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
                  : 0,
      .bindingCount = ARRAY_SIZE(bindings), .pBindings = bindings);
   const VkPipelineLayout layout = VKT_NEW(PipelineLayout, PIPELINE_LAYOUT,
                                           .setLayoutCount = 1,
                                           .pSetLayouts = &set);
   VkPipelineCreationFeedback all, stage;
   const VkPipelineCreationFeedbackCreateInfo feedback = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
      .pPipelineCreationFeedback = &all,
      .pipelineStageCreationFeedbackCount = 1,
      .pPipelineStageCreationFeedbacks = &stage,
   };
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .pNext = &feedback,
      .stage = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_COMPUTE_BIT,
         .module = module,
         .pName = "main",
      },
      .layout = layout,
   };
   VkPipeline pipeline;
   VKT_CHECK(
      vkCreateComputePipelines(vkt.device, cache, 1, &info, NULL, &pipeline));
   vkDestroyPipeline(vkt.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkt.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, set, NULL);
   return all.flags &
          VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
}

/* A shader is found again with a layout of the same kind, and with no other:
 * where it finds its buffers follows from all of them. */
static void
test_layouts(void **state)
{
   static const struct words_layout layouts[] = {
      { 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0 },
      { 1, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0 },
      { 0, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0 },
      { 0, 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0 },
      { 6, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0 },
      { 6, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0 },
      { 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT },
   };
   VkPhysicalDeviceVulkan12Features features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
   };
   VkPhysicalDeviceFeatures2 all = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
      .pNext = &features,
   };
   vkGetPhysicalDeviceFeatures2(vkt.pdev, &all);
   const VkShaderModule module = VKT_NEW(ShaderModule, SHADER_MODULE,
                                         .codeSize = sizeof(words_comp),
                                         .pCode = words_comp);
   VkPipelineCache cache = create_cache(NULL, 0);
   for (unsigned i = 0; i < ARRAY_SIZE(layouts); i++) {
      if (layouts[i].flags &&
          !features.descriptorBindingStorageBufferUpdateAfterBind)
         continue;
      assert_false(hits(cache, module, &layouts[i]));
      assert_true(hits(cache, module, &layouts[i]));
   }
   vkDestroyPipelineCache(vkt.device, cache, NULL);
   vkDestroyShaderModule(vkt.device, module, NULL);
}

/* ---- identifiers of modules ---- */

static VkResult
create_by_identifier(const struct nothing *n,
                     const VkShaderModuleIdentifierEXT *id, VkPipeline *out)
{
   const VKT_INFO(PipelineShaderStageModuleIdentifierCreateInfoEXT,
                  identifier, .identifierSize = id->identifierSize,
                  .pIdentifier = id->identifier);
   const uint32_t size = 3;
   const VkSpecializationMapEntry entry = { 0, 0, 4 };
   const VkSpecializationInfo special = { 1, &entry, 4, &size };
   const VKT_INFO(
      ComputePipelineCreateInfo, info,
      .flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
      .stage = VKT_STRUCT(PipelineShaderStageCreateInfo, .pNext = &identifier,
                          .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                          .pName = "main", .pSpecializationInfo = &special),
      .layout = n->layout);
   return vkCreateComputePipelines(vkt.device, n->cache, 1, &info, NULL, out);
}

/* What a cache knows is made without the code; nothing else is. */
static void
test_identifiers(void **state)
{
   const VKT_INFO(ShaderModuleCreateInfo, code,
                  .codeSize = sizeof(nothing_comp), .pCode = nothing_comp);
   VKT_INFO(ShaderModuleIdentifierEXT, id);
   VkShaderModuleIdentifierEXT of_code = id, other;
   struct nothing n = create_nothing();
   VkPipeline two[2], p;
   VKT_PROC(vkGetShaderModuleIdentifierEXT)(vkt.device, n.module, &id);
   VKT_PROC(vkGetShaderModuleCreateInfoIdentifierEXT)
   (vkt.device, &code, &of_code);
   assert_true(id.identifierSize > 0 &&
               id.identifierSize <= VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT);
   assert_int_equal(of_code.identifierSize, id.identifierSize);
   assert_memory_equal(of_code.identifier, id.identifier, id.identifierSize);
   assert_int_equal(create_by_identifier(&n, &id, &p),
                    VK_PIPELINE_COMPILE_REQUIRED);
   VKT_CHECK(create_two(&n, (uint32_t[]) { 3, 4 }, 0, two));
   destroy_two(two);
   VKT_CHECK(create_by_identifier(&n, &id, &p));
   vkDestroyPipeline(vkt.device, p, NULL);
   other = id;
   other.identifier[3] ^= 1;
   assert_int_equal(create_by_identifier(&n, &other, &p),
                    VK_PIPELINE_COMPILE_REQUIRED);
   other = id;
   other.identifierSize--;
   assert_int_equal(create_by_identifier(&n, &other, &p),
                    VK_PIPELINE_COMPILE_REQUIRED);
   destroy_nothing(&n);
}

/* One that never has access to protected memory draws as any other; one that
 * has nothing else can only be made. */
static void
test_protected_access(void **state)
{
   VKT_INFO(PhysicalDevicePipelineProtectedAccessFeaturesEXT, have);
   VkPipelineCreationFeedback all, stages[2];
   struct nothing n = create_nothing();
   VkPipeline two[2];
   assert_true(vkt_has_extension("VK_EXT_pipeline_protected_access"));
   vkt_features(&have);
   assert_true(have.pipelineProtectedAccess);
   VKT_CHECK(draw_white(
      n.cache, VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT_EXT, &all, stages));
   VKT_CHECK(create_two(&n, (uint32_t[]) { 1, 2 },
                        VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT_EXT,
                        two));
   destroy_two(two);
   destroy_nothing(&n);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cache_data),
      cmocka_unit_test(test_cache_incomplete),
      cmocka_unit_test(test_cache_bad_data),
      cmocka_unit_test(test_cache_merge),
      cmocka_unit_test(test_cache_none),
      cmocka_unit_test(test_cache_threads),
      cmocka_unit_test(test_control_and_feedback),
      cmocka_unit_test(test_feedback_of_parts),
      cmocka_unit_test(test_early_return),
      cmocka_unit_test(test_layouts),
      cmocka_unit_test(test_identifiers),
      cmocka_unit_test(test_protected_access),
   };
   setenv("INTEL_DEBUG", "vs,fs", 1);
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
