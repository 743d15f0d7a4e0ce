/* SPDX-License-Identifier: MIT */
/*
 * Several threads at once, each with pools of its own, as the specification
 * allows: what they share is the device, a pipeline cache, and the queue, for
 * which they have a lock. Under the thread sanitizer this shows races that
 * results do not (docs/testing.rst).
 */
#include "vkt.h"
#include "util/macros.h"

#include <pthread.h>
#include <string.h>

#include "threads_position_vert.h"
#include "threads_threads_comp.h"
#include "threads_white_frag.h"

#define THREADS 3
#define ROUNDS 3
#define SIZE 32 /* of images, both ways */

static VkPipelineCache cache;
static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---- threads ---- */

/* A thread's own; so is what a job makes. */
struct worker {
   pthread_t thread;
   void (*job)(struct worker *w);
   unsigned index, round;
   VkCommandPool pool;
   VkDescriptorPool descriptors;
   VkQueryPool queries; /* two timestamps */
   VkFence fence;
};

static void
create_pools(struct worker *w)
{
   const VKT_INFO(CommandPoolCreateInfo, pool);
   const VkDescriptorPoolSize size = {
      .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      .descriptorCount = 4,
   };
   const VKT_INFO(DescriptorPoolCreateInfo, descriptors, .maxSets = 4,
                  .poolSizeCount = 1, .pPoolSizes = &size);
   const VKT_INFO(QueryPoolCreateInfo, queries,
                  .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 2);
   const VKT_INFO(FenceCreateInfo, fence);
   VKT_CHECK(vkCreateCommandPool(vkt.device, &pool, NULL, &w->pool));
   VKT_CHECK(vkCreateDescriptorPool(vkt.device, &descriptors, NULL,
                                    &w->descriptors));
   VKT_CHECK(vkCreateQueryPool(vkt.device, &queries, NULL, &w->queries));
   VKT_CHECK(vkCreateFence(vkt.device, &fence, NULL, &w->fence));
}

static void
destroy_pools(struct worker *w)
{
   vkDestroyFence(vkt.device, w->fence, NULL);
   vkDestroyQueryPool(vkt.device, w->queries, NULL);
   vkDestroyDescriptorPool(vkt.device, w->descriptors, NULL);
   vkDestroyCommandPool(vkt.device, w->pool, NULL);
}

static void *
work(void *data)
{
   struct worker *w = data;
   for (w->round = 0; w->round < ROUNDS; w->round++) {
      create_pools(w);
      w->job(w);
      destroy_pools(w);
   }
   return NULL;
}

/* What fails in a thread ends the program. */
static void
run_threads(void (*job)(struct worker *w))
{
   struct worker workers[THREADS];
   for (unsigned i = 0; i < THREADS; i++) {
      workers[i] = (struct worker) { .job = job, .index = i };
      assert_int_equal(
         pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
   }
   for (unsigned i = 0; i < THREADS; i++)
      pthread_join(workers[i].thread, NULL);
}

/* ---- commands ---- */

static VkCommandBuffer
begin(struct worker *w)
{
   const VKT_INFO(CommandBufferAllocateInfo, info, .commandPool = w->pool,
                  .commandBufferCount = 1);
   const VKT_INFO(CommandBufferBeginInfo, begin_info,
                  .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
   VkCommandBuffer cmd;
   VKT_CHECK(vkAllocateCommandBuffers(vkt.device, &info, &cmd));
   VKT_CHECK(vkBeginCommandBuffer(cmd, &begin_info));
   vkCmdResetQueryPool(cmd, w->queries, 0, 2);
   vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, w->queries, 0);
   return cmd;
}

/* Runs it, and reads its queries as soon as they are there. */
static void
finish(struct worker *w, VkCommandBuffer cmd)
{
   vkt_barrier(cmd);
   vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, w->queries,
                       1);
   VKT_CHECK(vkEndCommandBuffer(cmd));
   const VKT_INFO(SubmitInfo, info, .commandBufferCount = 1,
                  .pCommandBuffers = &cmd);
   pthread_mutex_lock(&queue_mutex);
   VKT_CHECK(vkQueueSubmit(vkt.queue, 1, &info, w->fence));
   pthread_mutex_unlock(&queue_mutex);
   uint64_t times[2];
   VKT_CHECK(vkGetQueryPoolResults(
      vkt.device, w->queries, 0, 2, sizeof(times), times, sizeof(times[0]),
      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
   assert_true(times[1] >= times[0]);
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &w->fence, VK_TRUE, UINT64_MAX));
   VKT_CHECK(vkResetFences(vkt.device, 1, &w->fence));
   vkFreeCommandBuffers(vkt.device, w->pool, 1, &cmd);
}

static VkShaderModule
create_module(struct vkt_shader shader)
{
   return VKT_NEW(ShaderModule, SHADER_MODULE, .codeSize = shader.size_B,
                  .pCode = shader.words);
}

/* ---- dispatches ---- */

struct dispatch {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
};

static struct dispatch
create_dispatch(uint32_t number)
{
   struct dispatch d;
   const VkDescriptorSetLayoutBinding binding = {
      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
   };
   const VKT_INFO(DescriptorSetLayoutCreateInfo, set_layout,
                  .bindingCount = 1, .pBindings = &binding);
   VKT_CHECK(vkCreateDescriptorSetLayout(vkt.device, &set_layout, NULL,
                                         &d.set_layout));
   const VKT_INFO(PipelineLayoutCreateInfo, layout, .setLayoutCount = 1,
                  .pSetLayouts = &d.set_layout);
   VKT_CHECK(vkCreatePipelineLayout(vkt.device, &layout, NULL, &d.layout));
   const VkSpecializationMapEntry entry = { .size = 4 };
   const VkSpecializationInfo constants = { 1, &entry, 4, &number };
   const VKT_INFO(
      ComputePipelineCreateInfo, info,
      .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                 .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                 .module = create_module(VKT_SHADER(threads_comp)),
                 .pName = "main",
                 .pSpecializationInfo = &constants },
      .layout = d.layout);
   VKT_CHECK(vkCreateComputePipelines(vkt.device, cache, 1, &info, NULL,
                                      &d.pipeline));
   vkDestroyShaderModule(vkt.device, info.stage.module, NULL);
   return d;
}

static VkDescriptorSet
create_set(struct worker *w, const struct dispatch *d, VkBuffer buffer)
{
   const VKT_INFO(DescriptorSetAllocateInfo, info,
                  .descriptorPool = w->descriptors, .descriptorSetCount = 1,
                  .pSetLayouts = &d->set_layout);
   VkDescriptorSet set;
   VKT_CHECK(vkAllocateDescriptorSets(vkt.device, &info, &set));
   const VkDescriptorBufferInfo whole = { buffer, 0, VK_WHOLE_SIZE };
   const VKT_INFO(WriteDescriptorSet, write, .dstSet = set,
                  .descriptorCount = 1,
                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                  .pBufferInfo = &whole);
   vkUpdateDescriptorSets(vkt.device, 1, &write, 0, NULL);
   return set;
}

/* Some programs are compiled by two threads, some are there already. */
static void
dispatch(struct worker *w)
{
   const uint32_t number = w->round + w->index % 2;
   struct dispatch d = create_dispatch(number);
   struct vkt_buffer b = vkt_buffer_create(32 * 4);
   const VkDescriptorSet set = create_set(w, &d, b.buffer);
   VkCommandBuffer cmd = begin(w);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, d.pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, d.layout, 0,
                           1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   finish(w, cmd);
   for (unsigned i = 0; i < 32; i++)
      assert_int_equal(((uint32_t *)b.map)[i], number * 1000 + i);
   size_t size_B;
   VKT_CHECK(vkGetPipelineCacheData(vkt.device, cache, &size_B, NULL));
   assert_true(size_B > 0);
   vkt_buffer_destroy(&b);
   vkDestroyPipeline(vkt.device, d.pipeline, NULL);
   vkDestroyPipelineLayout(vkt.device, d.layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, d.set_layout, NULL);
}

static void
test_dispatches(void **state)
{
   run_threads(dispatch);
}

/* ---- draws ---- */

struct target {
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view;
};

static struct target
create_target(void)
{
   struct target t;
   const VKT_INFO(ImageCreateInfo, image, .imageType = VK_IMAGE_TYPE_2D,
                  .format = VK_FORMAT_R8G8B8A8_UNORM,
                  .extent = { SIZE, SIZE, 1 }, .mipLevels = 1,
                  .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT,
                  .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                           VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                           VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   VKT_CHECK(vkCreateImage(vkt.device, &image, NULL, &t.image));
   VkMemoryRequirements reqs;
   vkGetImageMemoryRequirements(vkt.device, t.image, &reqs);
   const VKT_INFO(MemoryAllocateInfo, memory, .allocationSize = reqs.size);
   VKT_CHECK(vkAllocateMemory(vkt.device, &memory, NULL, &t.memory));
   VKT_CHECK(vkBindImageMemory(vkt.device, t.image, t.memory, 0));
   const VKT_INFO(ImageViewCreateInfo, view, .image = t.image,
                  .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = image.format,
                  .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                        1 });
   VKT_CHECK(vkCreateImageView(vkt.device, &view, NULL, &t.view));
   return t;
}

static void
destroy_target(const struct target *t)
{
   vkDestroyImageView(vkt.device, t->view, NULL);
   vkDestroyImage(vkt.device, t->image, NULL);
   vkFreeMemory(vkt.device, t->memory, NULL);
}

static VkRenderPass
create_pass(void)
{
   const VkAttachmentDescription attachment = {
      .format = VK_FORMAT_R8G8B8A8_UNORM,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
   };
   const VkAttachmentReference color = {
      .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
   };
   const VkSubpassDescription subpass = {
      .colorAttachmentCount = 1,
      .pColorAttachments = &color,
   };
   return VKT_NEW(RenderPass, RENDER_PASS, .attachmentCount = 1,
                  .pAttachments = &attachment, .subpassCount = 1,
                  .pSubpasses = &subpass);
}

static VkPipeline
create_pipeline(VkRenderPass pass, VkPipelineLayout layout)
{
   const VkPipelineShaderStageCreateInfo stages[] = {
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .module = create_module(VKT_SHADER(position_vert)),
        .pName = "main" },
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
        .module = create_module(VKT_SHADER(white_frag)),
        .pName = "main" },
   };
   const VkVertexInputBindingDescription binding = { .stride = 16 };
   const VkVertexInputAttributeDescription attribute = {
      .format = VK_FORMAT_R32G32B32A32_SFLOAT,
   };
   const VKT_INFO(PipelineVertexInputStateCreateInfo, input,
                  .vertexBindingDescriptionCount = 1,
                  .pVertexBindingDescriptions = &binding,
                  .vertexAttributeDescriptionCount = 1,
                  .pVertexAttributeDescriptions = &attribute);
   const VKT_INFO(PipelineInputAssemblyStateCreateInfo, assembly,
                  .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
   const VkViewport viewport = { 0, 0, SIZE, SIZE, 0, 1 };
   const VkRect2D scissor = { .extent = { SIZE, SIZE } };
   const VKT_INFO(PipelineViewportStateCreateInfo, viewports,
                  .viewportCount = 1, .pViewports = &viewport,
                  .scissorCount = 1, .pScissors = &scissor);
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .lineWidth = 1);
   const VKT_INFO(PipelineMultisampleStateCreateInfo, samples,
                  .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT);
   const VkPipelineColorBlendAttachmentState all = { .colorWriteMask = 15 };
   const VKT_INFO(PipelineColorBlendStateCreateInfo, blend,
                  .attachmentCount = 1, .pAttachments = &all);
   const VKT_INFO(GraphicsPipelineCreateInfo, info, .stageCount = 2,
                  .pStages = stages, .pVertexInputState = &input,
                  .pInputAssemblyState = &assembly,
                  .pViewportState = &viewports,
                  .pRasterizationState = &raster,
                  .pMultisampleState = &samples, .pColorBlendState = &blend,
                  .layout = layout, .renderPass = pass);
   VkPipeline pipeline;
   VKT_CHECK(vkCreateGraphicsPipelines(vkt.device, cache, 1, &info, NULL,
                                       &pipeline));
   for (unsigned i = 0; i < 2; i++)
      vkDestroyShaderModule(vkt.device, stages[i].module, NULL);
   return pipeline;
}

/* A triangle over one half of what was cleared. */
static void
record_pass(VkCommandBuffer cmd, VkRenderPass pass, VkFramebuffer framebuffer,
            VkPipeline pipeline, VkBuffer vertices)
{
   const VkClearValue black = { 0 };
   const VKT_INFO(RenderPassBeginInfo, info, .renderPass = pass,
                  .framebuffer = framebuffer,
                  .renderArea = { .extent = { SIZE, SIZE } },
                  .clearValueCount = 1, .pClearValues = &black);
   const VkDeviceSize start = 0;
   vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices, &start);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
}

/* Upside down, and then to the buffer; the driver draws it. */
static void
record_blit(VkCommandBuffer cmd, VkImage from, VkImage to, VkBuffer buffer)
{
   const VkImageSubresourceLayers layers = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0,
                                             1 };
   const VKT_INFO(
      ImageMemoryBarrier, made, .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
      .newLayout = VK_IMAGE_LAYOUT_GENERAL,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED, .image = to,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 });
   const VkClearColorValue red = { .float32 = { 1 } };
   const VkImageBlit blit = {
      .srcSubresource = layers,
      .srcOffsets = { { 0, 0, 0 }, { SIZE, SIZE, 1 } },
      .dstSubresource = layers,
      .dstOffsets = { { 0, SIZE, 0 }, { SIZE, 0, 1 } },
   };
   const VkBufferImageCopy copy = {
      .imageSubresource = layers,
      .imageExtent = { SIZE, SIZE, 1 },
   };
   const VkImageLayout general = VK_IMAGE_LAYOUT_GENERAL;
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                        VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL,
                        1, &made);
   vkCmdClearColorImage(cmd, to, general, &red, 1, &made.subresourceRange);
   vkt_barrier(cmd);
   vkCmdBlitImage(cmd, from, general, to, general, 1, &blit,
                  VK_FILTER_NEAREST);
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, to, general, buffer, 1, &copy);
}

static void
draw(struct worker *w)
{
   static const float corners[3][4] = {
      { -1, -1, 0, 1 },
      { 1, -1, 0, 1 },
      { -1, 1, 0, 1 },
   };
   struct vkt_buffer vertices = vkt_buffer_create(sizeof(corners));
   struct vkt_buffer pixels = vkt_buffer_create(SIZE * SIZE * 4);
   struct target drawn = create_target(), turned = create_target();
   VkPipelineLayout layout = VKT_NEW(PipelineLayout, PIPELINE_LAYOUT);
   VkRenderPass pass = create_pass();
   VkPipeline pipeline = create_pipeline(pass, layout);
   VkFramebuffer framebuffer =
      VKT_NEW(Framebuffer, FRAMEBUFFER, .renderPass = pass,
              .attachmentCount = 1, .pAttachments = &drawn.view,
              .width = SIZE, .height = SIZE, .layers = 1);
   memcpy(vertices.map, corners, sizeof(corners));
   VkCommandBuffer cmd = begin(w);
   record_pass(cmd, pass, framebuffer, pipeline, vertices.buffer);
   record_blit(cmd, drawn.image, turned.image, pixels.buffer);
   finish(w, cmd);
   const uint32_t *texels = pixels.map;
   assert_int_equal(texels[(SIZE - 1) * SIZE], 0xffffffff);
   assert_int_equal(texels[SIZE - 1], 0);
   vkDestroyFramebuffer(vkt.device, framebuffer, NULL);
   vkDestroyPipeline(vkt.device, pipeline, NULL);
   vkDestroyRenderPass(vkt.device, pass, NULL);
   vkDestroyPipelineLayout(vkt.device, layout, NULL);
   destroy_target(&drawn);
   destroy_target(&turned);
   vkt_buffer_destroy(&vertices);
   vkt_buffer_destroy(&pixels);
}

static void
test_draws(void **state)
{
   run_threads(draw);
}

/* ---- objects ---- */

static void
come_and_go(struct worker *w)
{
   for (unsigned i = 0; i < 20; i++) {
      const VKT_INFO(SamplerCustomBorderColorCreateInfoEXT, border,
                     .customBorderColor.float32 = { (float)i },
                     .format = VK_FORMAT_R8G8B8A8_UNORM);
      struct target t = create_target();
      struct vkt_buffer b = vkt_buffer_create(4096 * (1 + i % 4));
      VkSampler sampler =
         VKT_NEW(Sampler, SAMPLER, .pNext = &border,
                 .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                 .borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT);
      VkEvent event = VKT_NEW(Event, EVENT);
      VkSemaphore semaphore = VKT_NEW(Semaphore, SEMAPHORE);
      VkBufferView view = VKT_NEW(BufferView, BUFFER_VIEW, .buffer = b.buffer,
                                  .format = VK_FORMAT_R32_UINT,
                                  .range = VK_WHOLE_SIZE);
      VKT_CHECK(vkSetEvent(vkt.device, event));
      assert_int_equal(vkGetEventStatus(vkt.device, event), VK_EVENT_SET);
      vkDestroyBufferView(vkt.device, view, NULL);
      vkDestroySemaphore(vkt.device, semaphore, NULL);
      vkDestroyEvent(vkt.device, event, NULL);
      vkDestroySampler(vkt.device, sampler, NULL);
      vkt_buffer_destroy(&b);
      destroy_target(&t);
      finish(w, begin(w));
   }
}

static void
test_objects(void **state)
{
   run_threads(come_and_go);
}

/* ---- two memories of one object ---- */

struct mapping {
   pthread_t thread;
   pthread_barrier_t *start;
   VkDeviceMemory memory;
   void *map;
};

static void *
map_at_once(void *data)
{
   struct mapping *m = data;
   pthread_barrier_wait(m->start);
   VKT_CHECK(
      vkMapMemory(vkt.device, m->memory, 0, VK_WHOLE_SIZE, 0, &m->map));
   return NULL;
}

static void
import(VkDeviceMemory memory, VkDeviceMemory *out)
{
   const VKT_INFO(MemoryGetFdInfoKHR, get, .memory = memory,
                  .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
   VKT_INFO(ImportMemoryFdInfoKHR, put, .handleType = get.handleType);
   const VKT_INFO(MemoryAllocateInfo, info, .pNext = &put,
                  .allocationSize = 4096);
   VKT_CHECK(VKT_PROC(vkGetMemoryFdKHR)(vkt.device, &get, &put.fd));
   VKT_CHECK(vkAllocateMemory(vkt.device, &info, NULL, out));
}

/* Nobody has mapped it before: each thread made a mapping, and the object
 * kept one of them. */
static void
test_one_object(void **state)
{
   const VKT_INFO(ExportMemoryAllocateInfo, export,
                  .handleTypes =
                     VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
   const VKT_INFO(MemoryAllocateInfo, info, .pNext = &export,
                  .allocationSize = 4096);
   pthread_barrier_t start;
   pthread_barrier_init(&start, NULL, 2);
   for (unsigned i = 0; i < 100; i++) {
      struct mapping m[2] = { { .start = &start }, { .start = &start } };
      VKT_CHECK(vkAllocateMemory(vkt.device, &info, NULL, &m[0].memory));
      import(m[0].memory, &m[1].memory);
      for (unsigned j = 0; j < 2; j++)
         assert_int_equal(
            pthread_create(&m[j].thread, NULL, map_at_once, &m[j]), 0);
      for (unsigned j = 0; j < 2; j++)
         pthread_join(m[j].thread, NULL);
      assert_ptr_equal(m[0].map, m[1].map);
      vkFreeMemory(vkt.device, m[0].memory, NULL);
      vkFreeMemory(vkt.device, m[1].memory, NULL);
   }
   pthread_barrier_destroy(&start);
}

static int
setup(void **state)
{
   vkt_setup(state);
   cache = VKT_NEW(PipelineCache, PIPELINE_CACHE);
   return 0;
}

static int
teardown(void **state)
{
   vkDestroyPipelineCache(vkt.device, cache, NULL);
   return vkt_teardown(state);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dispatches),
      cmocka_unit_test(test_draws),
      cmocka_unit_test(test_objects),
      cmocka_unit_test(test_one_object),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
