/* SPDX-License-Identifier: MIT */
/*
 * The driver through the Vulkan loader: memory, transfers, a triangle read
 * back. Meson names our manifest in VK_ICD_FILENAMES.
 */
#include "util/unit_test.h"
#include "util/macros.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#include "endless_frag.h"
#include "triangle_frag.h"
#include "triangle_vert.h"

#define WIDTH 40
#define HEIGHT 24

#define CHECK(expr) assert_int_equal((expr), VK_SUCCESS)

static struct {
   VkInstance instance;
   VkPhysicalDevice pdev;
   VkDevice device;
   VkQueue queue;
   VkCommandPool pool;
} vk;

struct buffer {
   VkBuffer buffer;
   VkDeviceMemory memory;
   void *map;
   VkDeviceSize size;
};

struct image {
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view;
};

static int
setup(void **state)
{
   const VkApplicationInfo app = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
      .apiVersion = VK_API_VERSION_1_1,
   };
   const VkInstanceCreateInfo instance = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pApplicationInfo = &app,
   };
   CHECK(vkCreateInstance(&instance, NULL, &vk.instance));
   uint32_t count = 1;
   CHECK(vkEnumeratePhysicalDevices(vk.instance, &count, &vk.pdev));
   assert_int_equal(count, 1);
   const float priority = 1.0f;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
      .queueCount = 1,
      .pQueuePriorities = &priority,
   };
   const char *extension = VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME;
   VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
      .timelineSemaphore = VK_TRUE,
   };
   const VkPhysicalDeviceFeatures features = {
      .occlusionQueryPrecise = VK_TRUE,
   };
   const VkDeviceCreateInfo device = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = &timeline,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = 1,
      .ppEnabledExtensionNames = &extension,
      .pEnabledFeatures = &features,
   };
   CHECK(vkCreateDevice(vk.pdev, &device, NULL, &vk.device));
   vkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
   const VkCommandPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
   };
   CHECK(vkCreateCommandPool(vk.device, &pool, NULL, &vk.pool));
   return 0;
}

static int
teardown(void **state)
{
   vkDestroyCommandPool(vk.device, vk.pool, NULL);
   vkDestroyDevice(vk.device, NULL);
   vkDestroyInstance(vk.instance, NULL);
   return 0;
}

/* ---- helpers ---- */

static VkDeviceMemory
allocate(const VkMemoryRequirements *reqs)
{
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = reqs->size,
      .memoryTypeIndex = (uint32_t)__builtin_ctz(reqs->memoryTypeBits),
   };
   VkDeviceMemory memory;
   CHECK(vkAllocateMemory(vk.device, &info, NULL, &memory));
   return memory;
}

static struct buffer
create_buffer(VkDeviceSize size)
{
   struct buffer b = { .size = size };
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = size,
      .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT |
               VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
               VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
   };
   CHECK(vkCreateBuffer(vk.device, &info, NULL, &b.buffer));
   VkMemoryRequirements reqs;
   vkGetBufferMemoryRequirements(vk.device, b.buffer, &reqs);
   b.memory = allocate(&reqs);
   CHECK(vkBindBufferMemory(vk.device, b.buffer, b.memory, 0));
   CHECK(vkMapMemory(vk.device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.map));
   memset(b.map, 0xcd, size);
   return b;
}

static void
destroy_buffer(struct buffer *b)
{
   vkDestroyBuffer(vk.device, b->buffer, NULL);
   vkFreeMemory(vk.device, b->memory, NULL);
}

static VkCommandBuffer
begin(void)
{
   const VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = vk.pool,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = 1,
   };
   VkCommandBuffer cmd;
   CHECK(vkAllocateCommandBuffers(vk.device, &info, &cmd));
   const VkCommandBufferBeginInfo begin_info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
   };
   CHECK(vkBeginCommandBuffer(cmd, &begin_info));
   return cmd;
}

static void
submit(VkCommandBuffer cmd)
{
   CHECK(vkEndCommandBuffer(cmd));
   const VkFenceCreateInfo fence_info = {
      .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
   };
   VkFence fence;
   CHECK(vkCreateFence(vk.device, &fence_info, NULL, &fence));
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &cmd,
   };
   CHECK(vkQueueSubmit(vk.queue, 1, &info, fence));
   CHECK(vkWaitForFences(vk.device, 1, &fence, VK_TRUE, 20000000000ull));
   vkDestroyFence(vk.device, fence, NULL);
   vkFreeCommandBuffers(vk.device, vk.pool, 1, &cmd);
}

static struct image
create_image(VkFormat format, VkImageUsageFlags usage, uint32_t levels,
             VkSampleCountFlagBits samples, VkImageAspectFlags aspect)
{
   struct image i;
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = format,
      .extent = { WIDTH, HEIGHT, 1 },
      .mipLevels = levels,
      .arrayLayers = 1,
      .samples = samples,
      .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
               VK_IMAGE_USAGE_TRANSFER_DST_BIT,
   };
   CHECK(vkCreateImage(vk.device, &info, NULL, &i.image));
   VkMemoryRequirements reqs;
   vkGetImageMemoryRequirements(vk.device, i.image, &reqs);
   i.memory = allocate(&reqs);
   CHECK(vkBindImageMemory(vk.device, i.image, i.memory, 0));
   const VkImageViewCreateInfo view = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = i.image,
      .viewType = VK_IMAGE_VIEW_TYPE_2D,
      .format = format,
      .subresourceRange = { aspect, 0, 1, 0, 1 },
   };
   CHECK(vkCreateImageView(vk.device, &view, NULL, &i.view));

   VkCommandBuffer cmd = begin();
   const VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
      .newLayout = VK_IMAGE_LAYOUT_GENERAL,
      .image = i.image,
      .subresourceRange = { aspect, 0, levels, 0, 1 },
   };
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                        NULL, 1, &barrier);
   submit(cmd);
   return i;
}

static void
destroy_image(struct image *i)
{
   vkDestroyImageView(vk.device, i->view, NULL);
   vkDestroyImage(vk.device, i->image, NULL);
   vkFreeMemory(vk.device, i->memory, NULL);
}

static void
read_level(VkCommandBuffer cmd, VkImage image, VkImageAspectFlags aspect,
           uint32_t level, VkBuffer buffer)
{
   const VkBufferImageCopy region = {
      .imageSubresource = { aspect, level, 0, 1 },
      .imageExtent = { MAX2(WIDTH >> level, 1), MAX2(HEIGHT >> level, 1), 1 },
   };
   vkCmdCopyImageToBuffer(cmd, image, VK_IMAGE_LAYOUT_GENERAL, buffer, 1,
                          &region);
}

/* ---- tests ---- */

static void
test_map(void **state)
{
   struct buffer b = create_buffer(12345);
   uint8_t *bytes = b.map;
   for (unsigned i = 0; i < 12345; i++)
      bytes[i] = (uint8_t)(i * 7);
   void *again;
   vkUnmapMemory(vk.device, b.memory);
   CHECK(vkMapMemory(vk.device, b.memory, 100, 50, 0, &again));
   for (unsigned i = 0; i < 50; i++)
      assert_int_equal(((uint8_t *)again)[i], (uint8_t)((100 + i) * 7));
   destroy_buffer(&b);
}

static void
test_empty_submit(void **state)
{
   CHECK(vkQueueSubmit(vk.queue, 0, NULL, VK_NULL_HANDLE));
   submit(begin());
   CHECK(vkQueueWaitIdle(vk.queue));
}

static void
test_fill_and_copy_buffer(void **state)
{
   struct buffer a = create_buffer(80000), b = create_buffer(80000);
   VkCommandBuffer cmd = begin();
   vkCmdFillBuffer(cmd, a.buffer, 4, 70000, 0x12345678);
   submit(cmd);
   const uint32_t *dw = a.map;
   assert_int_equal(dw[0], 0xcdcdcdcd);
   for (unsigned i = 1; i <= 70000 / 4; i++)
      assert_int_equal(dw[i], 0x12345678);
   assert_int_equal(dw[70000 / 4 + 1], 0xcdcdcdcd);

   uint8_t *bytes = a.map;
   for (unsigned i = 0; i < 80000; i++)
      bytes[i] = (uint8_t)(i * 13 + (i >> 8));
   cmd = begin();
   const VkBufferCopy odd = { 3, 5, 777 };
   const VkBufferCopy even = { 16, 1024, 66000 };
   vkCmdCopyBuffer(cmd, a.buffer, b.buffer, 1, &even);
   vkCmdCopyBuffer(cmd, a.buffer, b.buffer, 1, &odd);
   submit(cmd);
   const uint8_t *out = b.map;
   assert_memory_equal(out + 5, bytes + 3, 777);
   assert_memory_equal(out + 1024, bytes + 16, 66000);
   assert_int_equal(out[4], 0xcd);
   assert_int_equal(out[1024 + 66000], 0xcd);
   destroy_buffer(&a);
   destroy_buffer(&b);
}

static void
test_clear_image(void **state)
{
   struct image image = create_image(
      VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 3,
      VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
   struct buffer b = create_buffer(WIDTH * HEIGHT * 4);
   VkCommandBuffer cmd = begin();
   const VkClearColorValue red = { .float32 = { 1.0f, 0.0f, 0.2f, 1.0f } };
   const VkClearColorValue blue = { .float32 = { 0.0f, 0.0f, 1.0f, 0.0f } };
   const VkImageSubresourceRange level0 = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1,
                                            0, 1 };
   const VkImageSubresourceRange level1 = { VK_IMAGE_ASPECT_COLOR_BIT, 1, 1,
                                            0, 1 };
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &red, 1,
                        &level0);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &blue, 1,
                        &level1);
   read_level(cmd, image.image, VK_IMAGE_ASPECT_COLOR_BIT, 0, b.buffer);
   submit(cmd);
   const uint32_t *px = b.map;
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      assert_int_equal(px[i], 0xff3300ff);

   cmd = begin();
   read_level(cmd, image.image, VK_IMAGE_ASPECT_COLOR_BIT, 1, b.buffer);
   submit(cmd);
   for (unsigned i = 0; i < WIDTH * HEIGHT / 4; i++)
      assert_int_equal(px[i], 0x00ff0000);
   assert_int_equal(px[WIDTH * HEIGHT / 4], 0xff3300ff);
   destroy_image(&image);
   destroy_buffer(&b);
}

static void
test_upload_download(void **state)
{
   static const struct {
      VkFormat format;
      unsigned size_B;
   } formats[] = {
      { VK_FORMAT_R8_UNORM, 1 },
      { VK_FORMAT_R16_SFLOAT, 2 },
      { VK_FORMAT_R8G8B8A8_UNORM, 4 },
      { VK_FORMAT_R16G16B16A16_SFLOAT, 8 },
      { VK_FORMAT_R32G32B32A32_SFLOAT, 16 },
   };
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      const unsigned size_B = formats[f].size_B * WIDTH * HEIGHT;
      struct image image = create_image(
         formats[f].format, VK_IMAGE_USAGE_SAMPLED_BIT, 1,
         VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
      struct buffer in = create_buffer(size_B), out = create_buffer(size_B);
      uint8_t *bytes = in.map;
      for (unsigned i = 0; i < size_B; i++)
         bytes[i] = (uint8_t)(i * 31 + (i >> 7));
      VkCommandBuffer cmd = begin();
      const VkBufferImageCopy region = {
         .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
         .imageExtent = { WIDTH, HEIGHT, 1 },
      };
      vkCmdCopyBufferToImage(cmd, in.buffer, image.image,
                             VK_IMAGE_LAYOUT_GENERAL, 1, &region);
      read_level(cmd, image.image, VK_IMAGE_ASPECT_COLOR_BIT, 0, out.buffer);
      submit(cmd);
      assert_memory_equal(in.map, out.map, size_B);
      destroy_image(&image);
      destroy_buffer(&in);
      destroy_buffer(&out);
   }
}

static void
test_stencil(void **state)
{
   struct image image = create_image(
      VK_FORMAT_D32_SFLOAT_S8_UINT,
      VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, 1, VK_SAMPLE_COUNT_1_BIT,
      VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
   struct buffer in = create_buffer(WIDTH * HEIGHT);
   struct buffer out = create_buffer(WIDTH * HEIGHT);
   struct buffer depth = create_buffer(WIDTH * HEIGHT * 4);
   uint8_t *bytes = in.map;
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      bytes[i] = (uint8_t)(i * 5);
   VkCommandBuffer cmd = begin();
   const VkClearDepthStencilValue value = { 0.25f, 0x55 };
   const VkImageSubresourceRange range = {
      VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1
   };
   vkCmdClearDepthStencilImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL,
                               &value, 1, &range);
   const VkBufferImageCopy region = {
      .imageSubresource = { VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1 },
      .imageExtent = { WIDTH, HEIGHT / 2, 1 },
   };
   vkCmdCopyBufferToImage(cmd, in.buffer, image.image,
                          VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   read_level(cmd, image.image, VK_IMAGE_ASPECT_STENCIL_BIT, 0, out.buffer);
   read_level(cmd, image.image, VK_IMAGE_ASPECT_DEPTH_BIT, 0, depth.buffer);
   submit(cmd);
   const float *z = depth.map;
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      assert_true(z[i] == 0.25f);
   assert_memory_equal(in.map, out.map, WIDTH * HEIGHT / 2);
   for (unsigned i = WIDTH * HEIGHT / 2; i < WIDTH * HEIGHT; i++)
      assert_int_equal(((uint8_t *)out.map)[i], 0x55);
   destroy_image(&image);
   destroy_buffer(&in);
   destroy_buffer(&out);
   destroy_buffer(&depth);
}

/* ---- a triangle ---- */

struct draw {
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   VkPipeline pipeline;
};

static VkShaderModule
create_module(const uint32_t *words, size_t size_B)
{
   const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
      .codeSize = size_B,
      .pCode = words,
   };
   VkShaderModule module;
   CHECK(vkCreateShaderModule(vk.device, &info, NULL, &module));
   return module;
}

static void
create_pass(struct draw *d, VkImageView view)
{
   const VkAttachmentDescription attachment = {
      .format = VK_FORMAT_R8G8B8A8_UNORM,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
      .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
   };
   const VkAttachmentReference color = { 0, VK_IMAGE_LAYOUT_GENERAL };
   const VkSubpassDescription subpass = {
      .colorAttachmentCount = 1,
      .pColorAttachments = &color,
   };
   const VkRenderPassCreateInfo pass = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
      .attachmentCount = 1,
      .pAttachments = &attachment,
      .subpassCount = 1,
      .pSubpasses = &subpass,
   };
   CHECK(vkCreateRenderPass(vk.device, &pass, NULL, &d->pass));
   const VkFramebufferCreateInfo framebuffer = {
      .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
      .renderPass = d->pass,
      .attachmentCount = 1,
      .pAttachments = &view,
      .width = WIDTH,
      .height = HEIGHT,
      .layers = 1,
   };
   CHECK(vkCreateFramebuffer(vk.device, &framebuffer, NULL,
                             &d->framebuffer));
}

static void
create_set(struct draw *d, VkBuffer uniform)
{
   const VkDescriptorSetLayoutBinding binding = {
      .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
      .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
   };
   const VkDescriptorSetLayoutCreateInfo set_layout = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = 1,
      .pBindings = &binding,
   };
   CHECK(vkCreateDescriptorSetLayout(vk.device, &set_layout, NULL,
                                     &d->set_layout));
   const VkPushConstantRange range = { VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16 };
   const VkPipelineLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = 1,
      .pSetLayouts = &d->set_layout,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &range,
   };
   CHECK(vkCreatePipelineLayout(vk.device, &layout, NULL, &d->layout));
   const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1 };
   const VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = 1,
      .poolSizeCount = 1,
      .pPoolSizes = &size,
   };
   CHECK(vkCreateDescriptorPool(vk.device, &pool, NULL, &d->pool));
   const VkDescriptorSetAllocateInfo alloc = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .descriptorPool = d->pool,
      .descriptorSetCount = 1,
      .pSetLayouts = &d->set_layout,
   };
   CHECK(vkAllocateDescriptorSets(vk.device, &alloc, &d->set));
   const VkDescriptorBufferInfo buffer = { uniform, 0, VK_WHOLE_SIZE };
   const VkWriteDescriptorSet write = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .dstSet = d->set,
      .descriptorCount = 1,
      .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
      .pBufferInfo = &buffer,
   };
   vkUpdateDescriptorSets(vk.device, 1, &write, 0, NULL);
}

static void
create_cached_pipeline(struct draw *d, VkPipelineCache cache,
                       const uint32_t *frag, size_t frag_B)
{
   const VkPipelineShaderStageCreateInfo stages[] = {
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .module = create_module(triangle_vert, sizeof(triangle_vert)),
        .pName = "main" },
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
        .module = create_module(frag, frag_B),
        .pName = "main" },
   };
   const VkVertexInputBindingDescription binding = {
      0, 6 * sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX
   };
   const VkVertexInputAttributeDescription attributes[] = {
      { 0, 0, VK_FORMAT_R32G32_SFLOAT, 0 },
      { 1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 8 },
   };
   const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 1,
      .pVertexBindingDescriptions = &binding,
      .vertexAttributeDescriptionCount = 2,
      .pVertexAttributeDescriptions = attributes,
   };
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   };
   const VkViewport viewport = { 0, 0, WIDTH, HEIGHT, 0, 1 };
   const VkRect2D scissor = { .extent = { WIDTH, HEIGHT } };
   const VkPipelineViewportStateCreateInfo viewports = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
      .viewportCount = 1,
      .pViewports = &viewport,
      .scissorCount = 1,
      .pScissors = &scissor,
   };
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .lineWidth = 1.0f,
   };
   const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
   };
   const VkPipelineColorBlendAttachmentState blend_attachment = {
      .colorWriteMask = 0xf,
   };
   const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = 1,
      .pAttachments = &blend_attachment,
   };
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = 2,
      .pStages = stages,
      .pVertexInputState = &input,
      .pInputAssemblyState = &assembly,
      .pViewportState = &viewports,
      .pRasterizationState = &raster,
      .pMultisampleState = &multisample,
      .pColorBlendState = &blend,
      .layout = d->layout,
      .renderPass = d->pass,
   };
   CHECK(vkCreateGraphicsPipelines(vk.device, cache, 1, &info, NULL,
                                   &d->pipeline));
   vkDestroyShaderModule(vk.device, stages[0].module, NULL);
   vkDestroyShaderModule(vk.device, stages[1].module, NULL);
}

static void
create_pipeline(struct draw *d, const uint32_t *frag, size_t frag_B)
{
   create_cached_pipeline(d, VK_NULL_HANDLE, frag, frag_B);
}

static void
destroy_draw(struct draw *d)
{
   vkDestroyPipeline(vk.device, d->pipeline, NULL);
   vkDestroyDescriptorPool(vk.device, d->pool, NULL);
   vkDestroyPipelineLayout(vk.device, d->layout, NULL);
   vkDestroyDescriptorSetLayout(vk.device, d->set_layout, NULL);
   vkDestroyFramebuffer(vk.device, d->framebuffer, NULL);
   vkDestroyRenderPass(vk.device, d->pass, NULL);
}

static VkQueryPool
create_queries(void)
{
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
      .queryType = VK_QUERY_TYPE_OCCLUSION,
      .queryCount = 2,
   };
   VkQueryPool pool;
   CHECK(vkCreateQueryPool(vk.device, &info, NULL, &pool));
   return pool;
}

/* The lower left half of the target, in one colour: pixel centres with
 * x / WIDTH < y / HEIGHT are inside. Returns how many are drawn. */
static unsigned
check_triangle(const uint32_t *px)
{
   unsigned inside = 0;
   for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
         const int side = (2 * y + 1) * WIDTH - (2 * x + 1) * HEIGHT;
         if (side == 0) {
            /* The edge belongs to one side: which is not asked here. */
            inside += px[y * WIDTH + x] == 0xffbf8040;
            continue;
         }
         const uint32_t want = side > 0 ? 0xffbf8040 : 0xff0000ff;
         if (px[y * WIDTH + x] != want)
            fail_msg("pixel %d, %d is 0x%08x, not 0x%08x", x, y,
                     px[y * WIDTH + x], want);
         inside += side > 0;
      }
   }
   assert_true(inside > WIDTH * HEIGHT / 3);
   return inside;
}

/* What is drawn within the pass. */
static void
record_triangle(VkCommandBuffer cmd, const struct draw *d, VkBuffer vertices)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, d->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, d->layout, 0,
                           1, &d->set, 0, NULL);
   const float bias[4] = { 0, 0, 0, 0.5f };
   vkCmdPushConstants(cmd, d->layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16,
                      bias);
   const VkDeviceSize zero = 0;
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices, &zero);
   vkCmdDraw(cmd, 3, 1, 0, 0);
}

/* The same in a secondary command buffer, which does not know the
 * framebuffer; what its commands point to is gone when it is executed. */
static VkCommandBuffer
record_secondary(const struct draw *d, VkBuffer vertices)
{
   const VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = vk.pool,
      .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
      .commandBufferCount = 1,
   };
   VkCommandBuffer cmd;
   CHECK(vkAllocateCommandBuffers(vk.device, &info, &cmd));
   const VkCommandBufferInheritanceInfo inheritance = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
      .renderPass = d->pass,
      .occlusionQueryEnable = VK_TRUE,
      .queryFlags = VK_QUERY_CONTROL_PRECISE_BIT,
   };
   const VkCommandBufferBeginInfo begin_info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
      .pInheritanceInfo = &inheritance,
   };
   CHECK(vkBeginCommandBuffer(cmd, &begin_info));
   record_triangle(cmd, d, vertices);
   CHECK(vkEndCommandBuffer(cmd));
   return cmd;
}

static void
draw_and_check_triangle(bool secondary)
{
   struct image image = create_image(
      VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 1,
      VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
   struct buffer vertices = create_buffer(18 * sizeof(float));
   struct buffer uniform = create_buffer(16);
   struct buffer out = create_buffer(WIDTH * HEIGHT * 4);
   /* Colour (1, 2, 3, 4) / 4, halved and moved by (0, 0, 0, 0.5). */
   static const float data[] = {
      -1, -1, 0.5f, 1.0f, 1.5f, 1.0f,
      -1, 1,  0.5f, 1.0f, 1.5f, 1.0f,
      1,  1,  0.5f, 1.0f, 1.5f, 1.0f,
   };
   memcpy(vertices.map, data, sizeof(data));
   memcpy(uniform.map, (float[]){ 0.5f, 0.5f, 0.5f, 0.5f }, 16);
   struct draw d;
   create_pass(&d, image.view);
   create_set(&d, uniform.buffer);
   create_pipeline(&d, triangle_frag, sizeof(triangle_frag));

   VkQueryPool queries = create_queries();
   VkCommandBuffer cmd = begin();
   vkCmdResetQueryPool(cmd, queries, 0, 2);
   vkCmdBeginQuery(cmd, queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
   const VkClearValue clear = { .color.float32 = { 1, 0, 0, 1 } };
   const VkRenderPassBeginInfo pass = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = d.pass,
      .framebuffer = d.framebuffer,
      .renderArea = { .extent = { WIDTH, HEIGHT } },
      .clearValueCount = 1,
      .pClearValues = &clear,
   };
   VkCommandBuffer second = VK_NULL_HANDLE;
   vkCmdBeginRenderPass(cmd, &pass,
                        secondary
                           ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                           : VK_SUBPASS_CONTENTS_INLINE);
   if (secondary) {
      second = record_secondary(&d, vertices.buffer);
      vkCmdExecuteCommands(cmd, 1, &second);
   } else {
      record_triangle(cmd, &d, vertices.buffer);
   }
   vkCmdEndRenderPass(cmd);
   vkCmdEndQuery(cmd, queries, 0);
   vkCmdCopyQueryPoolResults(cmd, queries, 0, 1, uniform.buffer, 0, 8,
                             VK_QUERY_RESULT_64_BIT |
                                VK_QUERY_RESULT_WAIT_BIT);
   read_level(cmd, image.image, VK_IMAGE_ASPECT_COLOR_BIT, 0, out.buffer);
   submit(cmd);
   if (second)
      vkFreeCommandBuffers(vk.device, vk.pool, 1, &second);
   const unsigned inside = check_triangle(out.map);

   /* Neither the clear nor the copy counts, and both ways agree. */
   uint64_t samples[4] = { 0 };
   CHECK(vkGetQueryPoolResults(vk.device, queries, 0, 1, sizeof(samples),
                               samples, 16,
                               VK_QUERY_RESULT_64_BIT |
                                  VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
   assert_int_equal(samples[0], inside);
   assert_int_equal(samples[1], 1);
   assert_int_equal(*(uint64_t *)uniform.map, inside);
   assert_int_equal(vkGetQueryPoolResults(vk.device, queries, 1, 1, 8,
                                          samples, 8,
                                          VK_QUERY_RESULT_64_BIT),
                    VK_NOT_READY);
   vkDestroyQueryPool(vk.device, queries, NULL);

   destroy_draw(&d);
   destroy_image(&image);
   destroy_buffer(&vertices);
   destroy_buffer(&uniform);
   destroy_buffer(&out);
}

static void
test_triangle(void **state)
{
   draw_and_check_triangle(false);
}

static void
test_secondary(void **state)
{
   draw_and_check_triangle(true);
}

/* What is printed to standard error meanwhile, into a file. */
static int
divert_stderr(FILE *to)
{
   const int saved = dup(STDERR_FILENO);
   fflush(stderr);
   dup2(fileno(to), STDERR_FILENO);
   return saved;
}

static void
restore_stderr(int saved)
{
   fflush(stderr);
   dup2(saved, STDERR_FILENO);
   close(saved);
}

/* A shader that does not end: the device is lost, and why is said. The last
 * test, since nothing can be done with the device afterwards. */
static void
test_endless_shader(void **state)
{
   struct image image = create_image(
      VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 1,
      VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
   struct buffer vertices = create_buffer(18 * sizeof(float));
   struct buffer uniform = create_buffer(16);
   static const float data[] = {
      -1, -1, 1, 1, 1, 1, -1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
   };
   memcpy(vertices.map, data, sizeof(data));
   memcpy(uniform.map, (float[]){ 1, 1, 1, 1 }, 16);
   struct draw d;
   create_pass(&d, image.view);
   create_set(&d, uniform.buffer);
   create_pipeline(&d, endless_frag, sizeof(endless_frag));

   VkCommandBuffer cmd = begin();
   const VkClearValue clear = { 0 };
   const VkRenderPassBeginInfo pass = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = d.pass,
      .framebuffer = d.framebuffer,
      .renderArea = { .extent = { WIDTH, HEIGHT } },
      .clearValueCount = 1,
      .pClearValues = &clear,
   };
   const VkDeviceSize zero = 0;
   vkCmdBeginRenderPass(cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, d.pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, d.layout, 0,
                           1, &d.set, 0, NULL);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &zero);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   CHECK(vkEndCommandBuffer(cmd));

   const VkFenceCreateInfo fence_info = {
      .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
   };
   VkFence fence;
   CHECK(vkCreateFence(vk.device, &fence_info, NULL, &fence));
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &cmd,
   };
   FILE *report = tmpfile();
   assert_non_null(report);
   const int saved = divert_stderr(report);
   const time_t start = time(NULL);
   VkResult result = vkQueueSubmit(vk.queue, 1, &info, fence);
   if (result == VK_SUCCESS)
      result = vkWaitForFences(vk.device, 1, &fence, VK_TRUE, UINT64_MAX);
   const time_t seconds = time(NULL) - start;
   restore_stderr(saved);

   assert_int_equal(result, VK_ERROR_DEVICE_LOST);
   assert_in_range(seconds, 0, 10);
   assert_int_equal(vkDeviceWaitIdle(vk.device), VK_ERROR_DEVICE_LOST);
   char text[4096];
   rewind(report);
   text[fread(text, 1, sizeof(text) - 1, report)] = 0;
   fclose(report);
   if (!strstr(text, "device lost"))
      fail_msg("no report, but: %s", text);
   printf("%s", text);

   vkDestroyFence(vk.device, fence, NULL);
   destroy_draw(&d);
   destroy_image(&image);
   destroy_buffer(&vertices);
   destroy_buffer(&uniform);
}

/* ---- pipeline caches ---- */

/* These run in a process of their own with INTEL_DEBUG=vs,fs: each shader
 * that is compiled is printed, so a silent vkCreateGraphicsPipelines has
 * compiled nothing. */

/* Makes a pipeline; whether anything was compiled for it. */
static bool
shader_compiles(struct draw *d, VkPipelineCache cache, const uint32_t *frag,
                size_t frag_B)
{
   FILE *report = tmpfile();
   assert_non_null(report);
   const int saved = divert_stderr(report);
   create_cached_pipeline(d, cache, frag, frag_B);
   restore_stderr(saved);
   fseek(report, 0, SEEK_END);
   const bool compiled = ftell(report) > 0;
   fclose(report);
   return compiled;
}

/* The same for the pipeline of the triangle. */
static bool
pipeline_compiles(struct draw *d, VkPipelineCache cache)
{
   return shader_compiles(d, cache, triangle_frag, sizeof(triangle_frag));
}

static void
drop_pipeline(struct draw *d)
{
   vkDestroyPipeline(vk.device, d->pipeline, NULL);
   d->pipeline = VK_NULL_HANDLE;
}

static VkPipelineCache
create_cache(const void *data, size_t size_B)
{
   const VkPipelineCacheCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
      .initialDataSize = size_B,
      .pInitialData = data,
   };
   VkPipelineCache cache;
   CHECK(vkCreatePipelineCache(vk.device, &info, NULL, &cache));
   return cache;
}

static size_t
cache_size(VkPipelineCache cache)
{
   size_t size_B = 0;
   CHECK(vkGetPipelineCacheData(vk.device, cache, &size_B, NULL));
   return size_B;
}

static uint8_t *
cache_data(VkPipelineCache cache, size_t *size_B)
{
   *size_B = cache_size(cache);
   uint8_t *data = malloc(*size_B);
   assert_non_null(data);
   CHECK(vkGetPipelineCacheData(vk.device, cache, size_B, data));
   return data;
}

/* The scene of the triangle, without a pipeline. */
struct scene {
   struct image image;
   struct buffer vertices, uniform, out;
   struct draw d;
};

static void
create_scene(struct scene *s)
{
   s->image = create_image(
      VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 1,
      VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
   s->vertices = create_buffer(18 * sizeof(float));
   s->uniform = create_buffer(16);
   s->out = create_buffer(WIDTH * HEIGHT * 4);
   static const float data[] = {
      -1, -1, 0.5f, 1.0f, 1.5f, 1.0f,
      -1, 1,  0.5f, 1.0f, 1.5f, 1.0f,
      1,  1,  0.5f, 1.0f, 1.5f, 1.0f,
   };
   memcpy(s->vertices.map, data, sizeof(data));
   memcpy(s->uniform.map, (float[]){ 0.5f, 0.5f, 0.5f, 0.5f }, 16);
   create_pass(&s->d, s->image.view);
   create_set(&s->d, s->uniform.buffer);
   s->d.pipeline = VK_NULL_HANDLE;
}

static void
destroy_scene(struct scene *s)
{
   destroy_draw(&s->d);
   destroy_image(&s->image);
   destroy_buffer(&s->vertices);
   destroy_buffer(&s->uniform);
   destroy_buffer(&s->out);
}

static void
draw_scene(struct scene *s)
{
   memset(s->out.map, 0, s->out.size);
   VkCommandBuffer cmd = begin();
   const VkClearValue clear = { .color.float32 = { 1, 0, 0, 1 } };
   const VkRenderPassBeginInfo pass = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = s->d.pass,
      .framebuffer = s->d.framebuffer,
      .renderArea = { .extent = { WIDTH, HEIGHT } },
      .clearValueCount = 1,
      .pClearValues = &clear,
   };
   const float bias[4] = { 0, 0, 0, 0.5f };
   const VkDeviceSize zero = 0;
   vkCmdBeginRenderPass(cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->d.pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->d.layout,
                           0, 1, &s->d.set, 0, NULL);
   vkCmdPushConstants(cmd, s->d.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16,
                      bias);
   vkCmdBindVertexBuffers(cmd, 0, 1, &s->vertices.buffer, &zero);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   read_level(cmd, s->image.image, VK_IMAGE_ASPECT_COLOR_BIT, 0,
              s->out.buffer);
   submit(cmd);
   check_triangle(s->out.map);
}

/* Data of one run serves the next: no compilation, the same picture. Each
 * pipeline goes before the next is made, so that no live shader helps. */
static void
test_cache_data(void **state)
{
   struct scene s;
   create_scene(&s);
   VkPipelineCache first = create_cache(NULL, 0);
   const size_t empty_B = cache_size(first);
   assert_int_equal(empty_B, sizeof(VkPipelineCacheHeaderVersionOne));
   assert_true(pipeline_compiles(&s.d, first));
   draw_scene(&s);
   drop_pipeline(&s.d);
   assert_false(pipeline_compiles(&s.d, first));
   draw_scene(&s);
   drop_pipeline(&s.d);

   size_t size_B, again_B;
   uint8_t *data = cache_data(first, &size_B);
   assert_true(size_B > empty_B);
   /* Another shader is not taken for this one. */
   assert_true(
      shader_compiles(&s.d, first, endless_frag, sizeof(endless_frag)));
   assert_true(cache_size(first) > size_B);
   drop_pipeline(&s.d);
   vkDestroyPipelineCache(vk.device, first, NULL);

   VkPipelineCache second = create_cache(data, size_B);
   assert_false(pipeline_compiles(&s.d, second));
   draw_scene(&s);
   drop_pipeline(&s.d);
   uint8_t *again = cache_data(second, &again_B);
   assert_int_equal(again_B, size_B);
   vkDestroyPipelineCache(vk.device, second, NULL);

   /* A cache without the shaders has them compiled, and takes what lives. */
   VkPipelineCache third = create_cache(NULL, 0);
   assert_true(pipeline_compiles(&s.d, third));
   VkPipelineCache fourth = create_cache(NULL, 0);
   VkPipeline kept = s.d.pipeline;
   assert_false(pipeline_compiles(&s.d, fourth));
   assert_int_equal(cache_size(fourth), size_B);
   vkDestroyPipeline(vk.device, kept, NULL);
   draw_scene(&s);
   vkDestroyPipelineCache(vk.device, third, NULL);
   vkDestroyPipelineCache(vk.device, fourth, NULL);
   free(data);
   free(again);
   destroy_scene(&s);
}

/* Whole entries or none, and never behind the end. */
static void
test_cache_incomplete(void **state)
{
   struct scene s;
   create_scene(&s);
   VkPipelineCache cache = create_cache(NULL, 0);
   assert_true(pipeline_compiles(&s.d, cache));
   const size_t full_B = cache_size(cache);
   uint8_t *data = malloc(full_B + 8);
   bool some = false;
   for (size_t room_B = 0; room_B < full_B; room_B += 37) {
      size_t got_B = room_B;
      memset(data, 0xee, full_B + 8);
      assert_int_equal(
         vkGetPipelineCacheData(vk.device, cache, &got_B, data),
         VK_INCOMPLETE);
      assert_true(got_B <= room_B);
      for (size_t i = got_B; i < full_B + 8; i++)
         assert_int_equal(data[i], 0xee);
      if (!got_B)
         continue;
      VkPipelineCache part = create_cache(data, got_B);
      assert_int_equal(cache_size(part), got_B);
      some |= got_B > sizeof(VkPipelineCacheHeaderVersionOne);
      vkDestroyPipelineCache(vk.device, part, NULL);
   }
   assert_true(some);
   size_t got_B = full_B + 8;
   CHECK(vkGetPipelineCacheData(vk.device, cache, &got_B, data));
   assert_int_equal(got_B, full_B);
   free(data);
   vkDestroyPipelineCache(vk.device, cache, NULL);
   destroy_scene(&s);
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
   vkDestroyPipelineCache(vk.device, cache, NULL);
   free(copy);
}

static void
test_cache_bad_data(void **state)
{
   struct scene s;
   create_scene(&s);
   VkPipelineCache cache = create_cache(NULL, 0);
   assert_true(pipeline_compiles(&s.d, cache));
   drop_pipeline(&s.d);
   size_t size_B;
   uint8_t *data = cache_data(cache, &size_B);
   vkDestroyPipelineCache(vk.device, cache, NULL);

   assert_refused(data, size_B - 1);
   for (size_t n = 0; n < size_B; n += n < 200 ? 1 : 61) {
      /* Up to the end of its first or only whole record it is good data. */
      cache = create_cache(data, n);
      assert_true(cache_size(cache) == n ||
                  cache_size(cache) ==
                     sizeof(VkPipelineCacheHeaderVersionOne));
      vkDestroyPipelineCache(vk.device, cache, NULL);
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
   assert_true(pipeline_compiles(&s.d, cache));
   draw_scene(&s);
   vkDestroyPipelineCache(vk.device, cache, NULL);
   free(data);
   destroy_scene(&s);
}

static void
test_cache_merge(void **state)
{
   struct scene s;
   create_scene(&s);
   VkPipelineCache src[2] = { create_cache(NULL, 0), create_cache(NULL, 0) };
   VkPipelineCache dst = create_cache(NULL, 0);
   assert_true(pipeline_compiles(&s.d, src[0]));
   drop_pipeline(&s.d);
   assert_true(pipeline_compiles(&s.d, src[1]));
   drop_pipeline(&s.d);
   CHECK(vkMergePipelineCaches(vk.device, dst, 2, src));
   assert_int_equal(cache_size(dst), cache_size(src[0]));
   vkDestroyPipelineCache(vk.device, src[0], NULL);
   vkDestroyPipelineCache(vk.device, src[1], NULL);
   assert_false(pipeline_compiles(&s.d, dst));
   draw_scene(&s);
   vkDestroyPipelineCache(vk.device, dst, NULL);
   destroy_scene(&s);
}

/* Without a cache the device's own is used. Before the test with threads,
 * which fills that. */
static void
test_cache_none(void **state)
{
   struct scene s;
   create_scene(&s);
   assert_true(pipeline_compiles(&s.d, VK_NULL_HANDLE));
   drop_pipeline(&s.d);
   assert_false(pipeline_compiles(&s.d, VK_NULL_HANDLE));
   draw_scene(&s);
   destroy_scene(&s);
}

static uint64_t
counter(VkSemaphore semaphore)
{
   PFN_vkGetSemaphoreCounterValueKHR get =
      (PFN_vkGetSemaphoreCounterValueKHR)vkGetDeviceProcAddr(
         vk.device, "vkGetSemaphoreCounterValueKHR");
   uint64_t value;
   CHECK(get(vk.device, semaphore, &value));
   return value;
}

static void
test_timeline(void **state)
{
   PFN_vkWaitSemaphoresKHR wait = (PFN_vkWaitSemaphoresKHR)
      vkGetDeviceProcAddr(vk.device, "vkWaitSemaphoresKHR");
   PFN_vkSignalSemaphoreKHR signal = (PFN_vkSignalSemaphoreKHR)
      vkGetDeviceProcAddr(vk.device, "vkSignalSemaphoreKHR");
   const VkSemaphoreTypeCreateInfo type = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
      .initialValue = 5,
   };
   const VkSemaphoreCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
      .pNext = &type,
   };
   VkSemaphore semaphore;
   CHECK(vkCreateSemaphore(vk.device, &info, NULL, &semaphore));
   assert_int_equal(counter(semaphore), 5);

   uint64_t value = 7;
   const VkSemaphoreWaitInfo wait_info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
      .semaphoreCount = 1,
      .pSemaphores = &semaphore,
      .pValues = &value,
   };
   assert_int_equal(wait(vk.device, &wait_info, 1000000), VK_TIMEOUT);
   const VkTimelineSemaphoreSubmitInfo values = {
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .signalSemaphoreValueCount = 1,
      .pSignalSemaphoreValues = &value,
   };
   const VkSubmitInfo submit_info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .pNext = &values,
      .signalSemaphoreCount = 1,
      .pSignalSemaphores = &semaphore,
   };
   CHECK(vkQueueSubmit(vk.queue, 1, &submit_info, VK_NULL_HANDLE));
   CHECK(wait(vk.device, &wait_info, 20000000000ull));
   assert_int_equal(counter(semaphore), 7);

   const VkSemaphoreSignalInfo signal_info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
      .semaphore = semaphore,
      .value = 9,
   };
   CHECK(signal(vk.device, &signal_info));
   assert_int_equal(counter(semaphore), 9);
   CHECK(vkQueueWaitIdle(vk.queue));
   vkDestroySemaphore(vk.device, semaphore, NULL);
}

/* What is asked for and not there is refused, not ignored. */
static void
test_refusals(void **state)
{
   const char *name = "VK_KHR_ray_query";
   const float priority = 1.0f;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
      .queueCount = 1,
      .pQueuePriorities = &priority,
   };
   VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = 1,
      .ppEnabledExtensionNames = &name,
   };
   VkDevice device;
   assert_int_equal(vkCreateDevice(vk.pdev, &info, NULL, &device),
                    VK_ERROR_EXTENSION_NOT_PRESENT);
   const VkPhysicalDeviceFeatures features = { .sparseBinding = VK_TRUE };
   info.enabledExtensionCount = 0;
   info.pEnabledFeatures = &features;
   assert_int_equal(vkCreateDevice(vk.pdev, &info, NULL, &device),
                    VK_ERROR_FEATURE_NOT_PRESENT);
   assert_null(vkGetDeviceProcAddr(vk.device, "vkCmdTraceRaysKHR"));
   assert_non_null(vkGetDeviceProcAddr(vk.device, "vkCmdDraw"));
}

struct cache_thread {
   pthread_t thread;
   struct draw d;               /* of its own, but for the pipeline */
   VkPipelineCache cache;
};

static void *
make_pipelines(void *data)
{
   struct cache_thread *t = data;
   for (unsigned i = 0; i < 40; i++) {
      const bool endless = i % 3 == 0;
      create_cached_pipeline(&t->d, i % 2 ? t->cache : VK_NULL_HANDLE,
                             endless ? endless_frag : triangle_frag,
                             endless ? sizeof(endless_frag)
                                     : sizeof(triangle_frag));
      drop_pipeline(&t->d);
   }
   return NULL;
}

/* Shaders are made, found and freed by several threads at once. */
static void
test_cache_threads(void **state)
{
   struct scene s;
   create_scene(&s);
   VkPipelineCache cache = create_cache(NULL, 0);
   struct cache_thread threads[4];
   FILE *report = tmpfile();
   assert_non_null(report);
   const int saved = divert_stderr(report);
   for (unsigned i = 0; i < ARRAY_SIZE(threads); i++) {
      threads[i].d = s.d;
      threads[i].cache = cache;
      assert_int_equal(pthread_create(&threads[i].thread, NULL,
                                      make_pipelines, &threads[i]), 0);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(threads); i++)
      pthread_join(threads[i].thread, NULL);
   restore_stderr(saved);
   fclose(report);
   assert_false(pipeline_compiles(&s.d, cache));
   draw_scene(&s);
   vkDestroyPipelineCache(vk.device, cache, NULL);
   destroy_scene(&s);
}

static int
run_cache_tests(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cache_data),
      cmocka_unit_test(test_cache_incomplete),
      cmocka_unit_test(test_cache_bad_data),
      cmocka_unit_test(test_cache_merge),
      cmocka_unit_test(test_cache_none),
      cmocka_unit_test(test_cache_threads),
   };
   setenv("INTEL_DEBUG", "vs,fs", 1);
   return cmocka_run_group_tests(tests, setup, teardown);
}

int
main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "pipeline_cache"))
      return run_cache_tests();
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_map),
      cmocka_unit_test(test_empty_submit),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_timeline),
      cmocka_unit_test(test_clear_image),
      cmocka_unit_test(test_fill_and_copy_buffer),
      cmocka_unit_test(test_upload_download),
      cmocka_unit_test(test_stencil),
      cmocka_unit_test(test_triangle),
      cmocka_unit_test(test_secondary),
      cmocka_unit_test(test_endless_shader),
   };
   /* Shorter than it is, but enough for what the other tests draw. */
   setenv("SAFFRON_SIM_HANG_MS", "4000", 0);
   return cmocka_run_group_tests(tests, setup, teardown);
}
