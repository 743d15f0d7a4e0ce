/* SPDX-License-Identifier: MIT */
/*
 * A host allocator that fails at its n-th call, for each n: the one error
 * that Vulkan has for it, and nothing is left behind.
 */
#include "vkt.h"

#include <stdlib.h>
#include <string.h>

#include "allocator_groups_comp.h"

/* Each block has its size in front. */
#define HEADER_B 16

static struct {
   unsigned left; /* calls that succeed */
   unsigned failed;
   int live; /* blocks */
} heap;

static void *VKAPI_PTR
heap_alloc(void *data, size_t size_B, size_t alignment_B,
           VkSystemAllocationScope scope)
{
   assert_true(alignment_B <= HEADER_B);
   if (!heap.left) {
      heap.failed++;
      return NULL;
   }
   heap.left--;
   char *p = malloc(HEADER_B + size_B);
   assert_non_null(p);
   memcpy(p, &size_B, sizeof(size_B));
   memset(p + HEADER_B, 0xcd, size_B);
   heap.live++;
   return p + HEADER_B;
}

static void VKAPI_PTR
heap_free(void *data, void *block)
{
   if (!block)
      return;
   heap.live--;
   free((char *)block - HEADER_B);
}

static void *VKAPI_PTR
heap_realloc(void *data, void *old, size_t size_B, size_t alignment_B,
             VkSystemAllocationScope scope)
{
   size_t old_B = 0;
   if (old)
      memcpy(&old_B, (char *)old - HEADER_B, sizeof(old_B));
   if (!size_B) {
      heap_free(data, old);
      return NULL;
   }
   void *p = heap_alloc(data, size_B, alignment_B, scope);
   if (p && old) {
      memcpy(p, old, old_B < size_B ? old_B : size_B);
      heap_free(data, old);
   }
   return p;
}

static const VkAllocationCallbacks callbacks = {
   .pfnAllocation = heap_alloc,
   .pfnReallocation = heap_realloc,
   .pfnFree = heap_free,
};

/* Creates and, if that went well, destroys. */
typedef VkResult (*create_fn)(const VkAllocationCallbacks *alloc);

/* `alloc` is `callbacks`, or NULL for the device's allocator, which keeps
 * what the device grows by. */
static void
fail_each(create_fn create, const VkAllocationCallbacks *alloc)
{
   for (unsigned n = 0; n < 1000; n++) {
      const int before = heap.live;
      heap.left = n;
      heap.failed = 0;
      const VkResult result = create(alloc);
      heap.left = UINT32_MAX;
      if (alloc && heap.live != before)
         fail_msg("allocation %u failed: %d blocks are left", n,
                  heap.live - before);
      if (!heap.failed) {
         assert_int_equal(result, VK_SUCCESS);
         return;
      }
      if (result != VK_SUCCESS && result != VK_ERROR_OUT_OF_HOST_MEMORY)
         fail_msg("allocation %u failed: error %d", n, result);
   }
   fail_msg("no end of allocations");
}

/* ---- what is created ---- */

static VkResult
instance(const VkAllocationCallbacks *alloc)
{
   const VKT_INFO(InstanceCreateInfo, info);
   VkInstance out;
   const VkResult result = vkCreateInstance(&info, alloc, &out);
   if (result)
      return result;
   uint32_t count = 0;
   const VkResult listed = vkEnumeratePhysicalDevices(out, &count, NULL);
   vkDestroyInstance(out, alloc);
   return listed;
}

static VkResult
create_device(const VkAllocationCallbacks *alloc, VkDevice *out)
{
   const VkDeviceCreateInfo info = { .pNext = NULL };
   return vkt_create_device(&info, alloc, out);
}

static VkResult
device(const VkAllocationCallbacks *alloc)
{
   VkDevice out;
   const VkResult result = create_device(alloc, &out);
   if (!result)
      vkDestroyDevice(out, alloc);
   return result;
}

#define CREATE(Type, STRUCTURE, ...)                                         \
   do {                                                                      \
      const Vk##Type##CreateInfo info_ = {                                   \
         .sType = VK_STRUCTURE_TYPE_##STRUCTURE##_CREATE_INFO, __VA_ARGS__   \
      };                                                                     \
      Vk##Type out_;                                                         \
      const VkResult result_ =                                               \
         vkCreate##Type(vkt.device, &info_, alloc, &out_);                   \
      if (!result_)                                                          \
         vkDestroy##Type(vkt.device, out_, alloc);                           \
      return result_;                                                        \
   } while (0)

static VkResult
buffer(const VkAllocationCallbacks *alloc)
{
   CREATE(Buffer, BUFFER, .size = 64,
          .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
}

static VkResult
image(const VkAllocationCallbacks *alloc)
{
   CREATE(Image, IMAGE, .imageType = VK_IMAGE_TYPE_2D,
          .format = VK_FORMAT_R8G8B8A8_UNORM, .extent = { 16, 16, 1 },
          .mipLevels = 1, .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT,
          .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
}

static VkResult
sampler(const VkAllocationCallbacks *alloc)
{
   CREATE(Sampler, SAMPLER, .maxLod = 1);
}

static VkResult
fence(const VkAllocationCallbacks *alloc)
{
   CREATE(Fence, FENCE, 0);
}

static VkResult
semaphore(const VkAllocationCallbacks *alloc)
{
   CREATE(Semaphore, SEMAPHORE, 0);
}

static VkResult
event(const VkAllocationCallbacks *alloc)
{
   CREATE(Event, EVENT, 0);
}

static VkResult
query_pool(const VkAllocationCallbacks *alloc)
{
   CREATE(QueryPool, QUERY_POOL, .queryType = VK_QUERY_TYPE_OCCLUSION,
          .queryCount = 4);
}

static VkResult
pipeline_cache(const VkAllocationCallbacks *alloc)
{
   CREATE(PipelineCache, PIPELINE_CACHE, 0);
}

static VkResult
shader_module(const VkAllocationCallbacks *alloc)
{
   CREATE(ShaderModule, SHADER_MODULE, .codeSize = sizeof(groups_comp),
          .pCode = groups_comp);
}

static const VkDescriptorSetLayoutBinding bindings[] = {
   { .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
     .descriptorCount = 1,
     .stageFlags = VK_SHADER_STAGE_ALL },
   { .binding = 1,
     .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
     .descriptorCount = 1,
     .stageFlags = VK_SHADER_STAGE_ALL },
};

static VkResult
create_set_layout(const VkAllocationCallbacks *alloc,
                  VkDescriptorSetLayout *out)
{
   const VKT_INFO(DescriptorSetLayoutCreateInfo, info, .bindingCount = 2,
                  .pBindings = bindings);
   return vkCreateDescriptorSetLayout(vkt.device, &info, alloc, out);
}

static VkResult
set_layout(const VkAllocationCallbacks *alloc)
{
   VkDescriptorSetLayout out;
   const VkResult result = create_set_layout(alloc, &out);
   if (!result)
      vkDestroyDescriptorSetLayout(vkt.device, out, alloc);
   return result;
}

static VkResult
pipeline_layout(const VkAllocationCallbacks *alloc)
{
   CREATE(PipelineLayout, PIPELINE_LAYOUT, 0);
}

static VkResult
descriptor_set(const VkAllocationCallbacks *alloc)
{
   const VkDescriptorPoolSize sizes[] = {
      { bindings[0].descriptorType, 2 },
      { bindings[1].descriptorType, 2 },
   };
   const VKT_INFO(DescriptorPoolCreateInfo, info, .maxSets = 2,
                  .poolSizeCount = 2, .pPoolSizes = sizes);
   VkDescriptorPool pool;
   VkResult result = vkCreateDescriptorPool(vkt.device, &info, alloc, &pool);
   if (result)
      return result;
   VkDescriptorSetLayout layout;
   result = create_set_layout(alloc, &layout);
   if (!result) {
      const VKT_INFO(DescriptorSetAllocateInfo, sets, .descriptorPool = pool,
                     .descriptorSetCount = 2,
                     .pSetLayouts =
                        (VkDescriptorSetLayout[]) { layout, layout });
      VkDescriptorSet out[2];
      result = vkAllocateDescriptorSets(vkt.device, &sets, out);
      vkDestroyDescriptorSetLayout(vkt.device, layout, alloc);
   }
   vkDestroyDescriptorPool(vkt.device, pool, alloc);
   return result;
}

static const VkSubpassDescription no_attachments;

static VkResult
render_pass(const VkAllocationCallbacks *alloc)
{
   CREATE(RenderPass, RENDER_PASS, .subpassCount = 1,
          .pSubpasses = &no_attachments);
}

static VkResult
memory(const VkAllocationCallbacks *alloc)
{
   const VKT_INFO(MemoryAllocateInfo, info, .allocationSize = 4096);
   VkDeviceMemory out;
   const VkResult result = vkAllocateMemory(vkt.device, &info, alloc, &out);
   if (!result)
      vkFreeMemory(vkt.device, out, alloc);
   return result;
}

static VkResult
command_buffer(const VkAllocationCallbacks *alloc)
{
   const VKT_INFO(CommandPoolCreateInfo, info);
   VkCommandPool pool;
   VkResult result = vkCreateCommandPool(vkt.device, &info, alloc, &pool);
   if (result)
      return result;
   const VKT_INFO(CommandBufferAllocateInfo, buffers, .commandPool = pool,
                  .commandBufferCount = 4);
   VkCommandBuffer out[4];
   result = vkAllocateCommandBuffers(vkt.device, &buffers, out);
   vkDestroyCommandPool(vkt.device, pool, alloc);
   return result;
}

/* ---- pipelines ---- */

static VkResult
create_pipeline(const VkAllocationCallbacks *alloc, VkShaderModule module,
                VkPipelineLayout layout)
{
   const VKT_INFO(ComputePipelineCreateInfo, info, .stage = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_COMPUTE_BIT,
         .module = module,
         .pName = "main",
      },
      .layout = layout);
   VkPipeline out;
   const VkResult result = vkCreateComputePipelines(
      vkt.device, VK_NULL_HANDLE, 1, &info, alloc, &out);
   vkDestroyPipeline(vkt.device, out, alloc);
   return result;
}

static VkResult
compute_pipeline(const VkAllocationCallbacks *alloc)
{
   const VKT_INFO(ShaderModuleCreateInfo, info,
                  .codeSize = sizeof(groups_comp), .pCode = groups_comp);
   VkDescriptorSetLayout set;
   VkResult result = create_set_layout(alloc, &set);
   if (result)
      return result;
   const VKT_INFO(PipelineLayoutCreateInfo, layout_info, .setLayoutCount = 1,
                  .pSetLayouts = &set);
   VkPipelineLayout layout = VK_NULL_HANDLE;
   VkShaderModule module = VK_NULL_HANDLE;
   result = vkCreatePipelineLayout(vkt.device, &layout_info, alloc, &layout);
   if (!result)
      result = vkCreateShaderModule(vkt.device, &info, alloc, &module);
   if (!result)
      result = create_pipeline(alloc, module, layout);
   vkDestroyShaderModule(vkt.device, module, alloc);
   vkDestroyPipelineLayout(vkt.device, layout, alloc);
   vkDestroyDescriptorSetLayout(vkt.device, set, alloc);
   return result;
}

static const struct {
   const char *name;
   create_fn create;
} kinds[] = {
   { "buffer", buffer },
   { "image", image },
   { "sampler", sampler },
   { "fence", fence },
   { "semaphore", semaphore },
   { "event", event },
   { "query pool", query_pool },
   { "pipeline cache", pipeline_cache },
   { "shader module", shader_module },
   { "set layout", set_layout },
   { "pipeline layout", pipeline_layout },
   { "descriptor set", descriptor_set },
   { "render pass", render_pass },
   { "memory", memory },
   { "command buffer", command_buffer },
   { "compute pipeline", compute_pipeline },
};

static void
fail_all(const VkAllocationCallbacks *alloc)
{
   for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      print_message("%s\n", kinds[i].name);
      fail_each(kinds[i].create, alloc);
   }
}

static void
test_device(void **state)
{
   fail_each(instance, &callbacks);
   fail_each(device, &callbacks);
}

static void
test_own_allocator(void **state)
{
   fail_all(&callbacks);
}

/* What has no allocator of its own uses the device's. */
static void
test_device_allocator(void **state)
{
   const VkDevice usual = vkt.device;
   heap.left = UINT32_MAX;
   VKT_CHECK(create_device(&callbacks, &vkt.device));
   fail_all(NULL);
   vkDestroyDevice(vkt.device, &callbacks);
   vkt.device = usual;
   assert_int_equal(heap.live, 0);
}

int
main(void)
{
   /* Mesa's implicit layer does not look at the results of what it calls when
    * an instance is created; its manifest names this to leave it out. */
   setenv("NODEVICE_SELECT", "1", 1);
   /* The loader allocates for each line of the manifests of explicit layers
    * (validation: more than a thousand times). */
   setenv("VK_LAYER_PATH", "/nonexistent", 1);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_device),
      cmocka_unit_test(test_own_allocator),
      cmocka_unit_test(test_device_allocator),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
