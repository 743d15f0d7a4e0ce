/* SPDX-License-Identifier: MIT */
/*
 * What a draw costs the driver's CPU: `bin/saffron bench draws`.
 *
 * usage: draws [DRAWS]
 *
 * Each row is a way to draw: what changes before each of DRAWS draws (20,000
 * by default) of one recording. A figure is the least of several recordings,
 * from vkResetCommandBuffer to the return of vkEndCommandBuffer, in
 * nanoseconds of this thread's processor time a draw. Batches are handed
 * over as well; the GPU should be one that drops them. Lines are
 * "NAME: VALUE UNIT".
 *
 * Under `valgrind --tool=callgrind` there is a profile of each time taken,
 * too, with "NAME/NUMBER" as its trigger: what so many draws, pipelines, ...
 * took.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vulkan/vulkan.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#endif

#include "draws_frag.h"
#include "draws_vert.h"

#define SIDE_PX 64
#define FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define BUFFER_B (1u << 20)
#define SETS 1000
#define PIPELINES 64
#define RECORDINGS 7
#define PUSH_B 64

static VkPhysicalDevice gpu;
static VkDevice device;
static VkQueue queue;
static VkCommandBuffer cmd;
static VkImageView views[2];
static VkRenderPass pass;
static VkFramebuffer framebuffer;
static VkSampler sampler;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkDescriptorSet sets[SETS];
static VkBuffer buffer;
static VkShaderModule vert, frag;
static VkPipeline pipelines[PIPELINES];

static void
check(VkResult r, const char *call)
{
   if (r >= 0)
      return;
   fprintf(stderr, "draws: %s: error %d\n", call, r);
   exit(1);
}
#define CHECK(call) check(call, #call)

static double
now_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
   return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double
start_timing(void)
{
   CALLGRIND_ZERO_STATS;
   return now_ns();
}

/* For each of `number` times that `name` was done since then. */
static double
end_timing(double start, const char *name, uint32_t number)
{
   const double ns = (now_ns() - start) / number;
   char text[64];
   snprintf(text, sizeof(text), "%s/%u", name, number);
   CALLGRIND_DUMP_STATS_AT(text);
   return ns;
}

/* Of this process, in KiB. */
static long
resident_KiB(void)
{
   long all, resident = 0;
   FILE *f = fopen("/proc/self/statm", "r");
   if (f) {
      if (fscanf(f, "%ld %ld", &all, &resident) != 2)
         resident = 0;
      fclose(f);
   }
   return resident * 4;
}

/* ---- objects ---- */

static void
create_device(void)
{
   const VkApplicationInfo app = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
      .apiVersion = VK_API_VERSION_1_1,
   };
   const VkInstanceCreateInfo instance_info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pApplicationInfo = &app,
   };
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue_info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
      .queueCount = 1,
      .pQueuePriorities = &priority,
   };
   const VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue_info,
   };
   VkInstance instance;
   uint32_t one = 1;
   CHECK(vkCreateInstance(&instance_info, NULL, &instance));
   CHECK(vkEnumeratePhysicalDevices(instance, &one, &gpu));
   if (!one) {
      fprintf(stderr, "draws: there is no device\n");
      exit(1);
   }
   CHECK(vkCreateDevice(gpu, &info, NULL, &device));
   vkGetDeviceQueue(device, 0, 0, &queue);
   VkPhysicalDeviceProperties properties;
   vkGetPhysicalDeviceProperties(gpu, &properties);
   printf("device: %s\n", properties.deviceName);
}

static VkDeviceMemory
allocate(const VkMemoryRequirements *needs, VkMemoryPropertyFlags flags)
{
   VkPhysicalDeviceMemoryProperties p;
   VkDeviceMemory memory;
   uint32_t type = 0;
   vkGetPhysicalDeviceMemoryProperties(gpu, &p);
   while (type < p.memoryTypeCount &&
          (!(needs->memoryTypeBits >> type & 1) ||
           (p.memoryTypes[type].propertyFlags & flags) != flags))
      type++;
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = needs->size,
      .memoryTypeIndex = type,
   };
   CHECK(vkAllocateMemory(device, &info, NULL, &memory));
   return memory;
}

static void
create_buffer(void)
{
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = BUFFER_B,
      .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
               VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
   };
   VkMemoryRequirements needs;
   void *map;
   CHECK(vkCreateBuffer(device, &info, NULL, &buffer));
   vkGetBufferMemoryRequirements(device, buffer, &needs);
   const VkDeviceMemory memory =
      allocate(&needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
   CHECK(vkBindBufferMemory(device, buffer, memory, 0));
   CHECK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &map));
   memset(map, 0, BUFFER_B);
}

static VkImageView
create_view(void)
{
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = FORMAT,
      .extent = { SIDE_PX, SIDE_PX, 1 },
      .mipLevels = 1,
      .arrayLayers = 1,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
               VK_IMAGE_USAGE_SAMPLED_BIT,
   };
   VkMemoryRequirements needs;
   VkImage image;
   VkImageView view;
   CHECK(vkCreateImage(device, &info, NULL, &image));
   vkGetImageMemoryRequirements(device, image, &needs);
   CHECK(vkBindImageMemory(device, image, allocate(&needs, 0), 0));
   const VkImageViewCreateInfo view_info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = image,
      .viewType = VK_IMAGE_VIEW_TYPE_2D,
      .format = FORMAT,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
   };
   CHECK(vkCreateImageView(device, &view_info, NULL, &view));
   return view;
}

static void
create_pass(void)
{
   const VkAttachmentDescription attachment = {
      .format = FORMAT,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
   };
   const VkAttachmentReference color = {
      0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
   };
   const VkSubpassDescription subpass = {
      .colorAttachmentCount = 1,
      .pColorAttachments = &color,
   };
   const VkRenderPassCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
      .attachmentCount = 1,
      .pAttachments = &attachment,
      .subpassCount = 1,
      .pSubpasses = &subpass,
   };
   CHECK(vkCreateRenderPass(device, &info, NULL, &pass));
   const VkFramebufferCreateInfo framebuffer_info = {
      .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
      .renderPass = pass,
      .attachmentCount = 1,
      .pAttachments = &views[0],
      .width = SIDE_PX,
      .height = SIDE_PX,
      .layers = 1,
   };
   CHECK(vkCreateFramebuffer(device, &framebuffer_info, NULL, &framebuffer));
}

static void
create_sets(void)
{
   const VkDescriptorType types[] = {
      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
   };
   VkDescriptorSetLayoutBinding bindings[3];
   VkDescriptorPoolSize sizes[3];
   for (uint32_t i = 0; i < 3; i++) {
      bindings[i] = (VkDescriptorSetLayoutBinding) {
         i, types[i], 1, VK_SHADER_STAGE_ALL_GRAPHICS, NULL
      };
      sizes[i] = (VkDescriptorPoolSize) { types[i], SETS };
   }
   const VkDescriptorSetLayoutCreateInfo layout_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = 3,
      .pBindings = bindings,
   };
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = SETS,
      .poolSizeCount = 3,
      .pPoolSizes = sizes,
   };
   const VkSamplerCreateInfo sampler_info = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
   };
   const VkPushConstantRange push = {
      VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, PUSH_B
   };
   VkDescriptorPool pool;
   CHECK(
      vkCreateDescriptorSetLayout(device, &layout_info, NULL, &set_layout));
   CHECK(vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
   CHECK(vkCreateSampler(device, &sampler_info, NULL, &sampler));
   for (unsigned i = 0; i < SETS; i++) {
      const VkDescriptorSetAllocateInfo info = {
         .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
         .descriptorPool = pool,
         .descriptorSetCount = 1,
         .pSetLayouts = &set_layout,
      };
      CHECK(vkAllocateDescriptorSets(device, &info, &sets[i]));
   }
   const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = 1,
      .pSetLayouts = &set_layout,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &push,
   };
   CHECK(vkCreatePipelineLayout(device, &info, NULL, &layout));
}

static void
update_sets(void)
{
   for (unsigned i = 0; i < SETS; i++) {
      const VkDescriptorBufferInfo view = { buffer, 0, 256 };
      const VkDescriptorBufferInfo lights = { buffer, i % 256 * 256, 256 };
      const VkDescriptorImageInfo image = {
         sampler, views[1], VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
      };
      const VkWriteDescriptorSet write = {
         .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = sets[i],
         .descriptorCount = 1,
      };
      VkWriteDescriptorSet w[3] = { write, write, write };
      w[0].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
      w[0].pBufferInfo = &view;
      w[1].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
      w[1].pImageInfo = &image;
      w[1].dstBinding = 1;
      w[2].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
      w[2].pBufferInfo = &lights;
      w[2].dstBinding = 2;
      vkUpdateDescriptorSets(device, 3, w, 0, NULL);
   }
}

static VkShaderModule
create_module(const uint32_t *code, size_t size_B)
{
   const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
      .codeSize = size_B,
      .pCode = code,
   };
   VkShaderModule module;
   CHECK(vkCreateShaderModule(device, &info, NULL, &module));
   return module;
}

/* What all pipelines say. */
static const VkVertexInputBindingDescription binding = { .stride = 16 };
static const VkVertexInputAttributeDescription attribute = {
   .format = VK_FORMAT_R32G32B32A32_SFLOAT,
};
static const VkPipelineVertexInputStateCreateInfo input = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
   .vertexBindingDescriptionCount = 1,
   .pVertexBindingDescriptions = &binding,
   .vertexAttributeDescriptionCount = 1,
   .pVertexAttributeDescriptions = &attribute,
};
static const VkPipelineInputAssemblyStateCreateInfo assembly = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
   .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
};
static const VkPipelineViewportStateCreateInfo viewport = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
   .viewportCount = 1,
   .scissorCount = 1,
};
static const VkPipelineRasterizationStateCreateInfo raster = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
   .lineWidth = 1,
};
static const VkPipelineMultisampleStateCreateInfo samples = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
   .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
};
static const VkDynamicState states[] = {
   VK_DYNAMIC_STATE_VIEWPORT,
   VK_DYNAMIC_STATE_SCISSOR,
   VK_DYNAMIC_STATE_BLEND_CONSTANTS,
};
static const VkPipelineDynamicStateCreateInfo dynamic = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
   .dynamicStateCount = 3,
   .pDynamicStates = states,
};

/* Every second one blends. */
static VkPipeline
create_pipeline(VkPipelineCache cache, uint32_t number)
{
   const VkSpecializationMapEntry entry = { 0, 0, sizeof(number) };
   const VkSpecializationInfo constants = { 1, &entry, sizeof(number),
                                            &number };
   const VkPipelineShaderStageCreateInfo stages[] = {
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .module = vert,
        .pName = "main" },
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
        .module = frag,
        .pName = "main",
        .pSpecializationInfo = &constants },
   };
   const VkPipelineColorBlendAttachmentState blend = {
      .blendEnable = number % 2,
      .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
      .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
      .colorWriteMask = 15,
   };
   const VkPipelineColorBlendStateCreateInfo color = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = 1,
      .pAttachments = &blend,
   };
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = 2,
      .pStages = stages,
      .pVertexInputState = &input,
      .pInputAssemblyState = &assembly,
      .pViewportState = &viewport,
      .pRasterizationState = &raster,
      .pMultisampleState = &samples,
      .pColorBlendState = &color,
      .pDynamicState = &dynamic,
      .layout = layout,
      .renderPass = pass,
   };
   VkPipeline pipeline;
   CHECK(vkCreateGraphicsPipelines(device, cache, 1, &info, NULL, &pipeline));
   return pipeline;
}

static void
create_commands(void)
{
   const VkCommandPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
      .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
   };
   VkCommandPool pool;
   CHECK(vkCreateCommandPool(device, &pool_info, NULL, &pool));
   const VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = pool,
      .commandBufferCount = 1,
   };
   CHECK(vkAllocateCommandBuffers(device, &info, &cmd));
}

/* ---- recordings ---- */

enum change {
   PUSH_ALL = 1u << 0,
   PUSH_SOME = 1u << 1,
   OFFSET = 1u << 2,
   SET = 1u << 3,
   PIPELINE = 1u << 4,
   VERTICES = 1u << 5,
   VIEW = 1u << 6,
   INDEXED = 1u << 7,
};

static const struct row {
   const char *name;
   unsigned changes;
} rows[] = {
   { "draw alone", 0 },
   { "push constants, 64 bytes", PUSH_ALL },
   { "dynamic offset", OFFSET },
   { "descriptor set", SET },
   { "pipeline", PIPELINE },
   { "vertex buffer, indexed", VERTICES | INDEXED },
   { "viewport, scissor, blend constants", VIEW },
   { "all of them", PUSH_ALL | SET | PIPELINE | VERTICES | VIEW },
   { "push constants, 16 bytes, indexed", PUSH_SOME | INDEXED },
};

static void
set_view(uint32_t i)
{
   const VkViewport viewport = {
      0, 0, (float)(SIDE_PX - i % 4), SIDE_PX, 0, 1
   };
   const VkRect2D scissor = { .extent = { SIDE_PX - i % 4, SIDE_PX } };
   const float constants[4] = { (float)(i % 2) };
   vkCmdSetViewport(cmd, 0, 1, &viewport);
   vkCmdSetScissor(cmd, 0, 1, &scissor);
   vkCmdSetBlendConstants(cmd, constants);
}

static void
bind_set(uint32_t number, uint32_t offset)
{
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1,
                           &sets[number], 1, &offset);
}

static void
push(uint32_t i, uint32_t size_B)
{
   uint32_t values[PUSH_B / 4] = { i };
   vkCmdPushConstants(
      cmd, layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
      0, size_B, values);
}

static void
draw(unsigned changes, uint32_t i)
{
   if (changes & (PUSH_ALL | PUSH_SOME))
      push(i, changes & PUSH_ALL ? PUSH_B : 16);
   if (changes & PIPELINE)
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                        pipelines[i % PIPELINES]);
   if (changes & (OFFSET | SET))
      bind_set(changes & SET ? i % SETS : 0, i % 1024 * 256);
   if (changes & VERTICES) {
      const VkDeviceSize offset = i % 1024 * 16;
      vkCmdBindVertexBuffers(cmd, 0, 1, &buffer, &offset);
   }
   if (changes & VIEW)
      set_view(i);
   if (changes & INDEXED)
      vkCmdDrawIndexed(cmd, 3, 1, 0, 0, 0);
   else
      vkCmdDraw(cmd, 3, 1, 0, 0);
}

static void
record(unsigned changes, uint32_t draws)
{
   const VkCommandBufferBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
   };
   const VkClearValue clear = { 0 };
   const VkRenderPassBeginInfo pass_info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = pass,
      .framebuffer = framebuffer,
      .renderArea.extent = { SIDE_PX, SIDE_PX },
      .clearValueCount = 1,
      .pClearValues = &clear,
   };
   const VkDeviceSize zero = 0;
   CHECK(vkResetCommandBuffer(cmd, 0));
   CHECK(vkBeginCommandBuffer(cmd, &begin));
   vkCmdBeginRenderPass(cmd, &pass_info, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
   bind_set(0, 0);
   vkCmdBindVertexBuffers(cmd, 0, 1, &buffer, &zero);
   vkCmdBindIndexBuffer(cmd, buffer, 0, VK_INDEX_TYPE_UINT16);
   set_view(0);
   push(0, PUSH_B);
   for (uint32_t i = 0; i < draws; i++)
      draw(changes, i);
   vkCmdEndRenderPass(cmd);
   CHECK(vkEndCommandBuffer(cmd));
}

static void
measure(const struct row *row, uint32_t draws)
{
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &cmd,
   };
   double least = 0, least_submit = 0;
   char submit_name[64];
   snprintf(submit_name, sizeof(submit_name), "%s, submit", row->name);
   for (unsigned i = 0; i < RECORDINGS; i++) {
      double start = start_timing();
      record(row->changes, draws);
      const double recorded = end_timing(start, row->name, draws);
      start = start_timing();
      CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
      const double submitted = end_timing(start, submit_name, draws);
      CHECK(vkQueueWaitIdle(queue));
      if (!i || recorded < least)
         least = recorded;
      if (!i || submitted < least_submit)
         least_submit = submitted;
   }
   printf("%s: %.1f ns\n", row->name, least);
   printf("%s: %.1f ns\n", submit_name, least_submit);
   fflush(stdout);
}

/* ---- what is made once ---- */

static void
measure_pipelines(void)
{
   const VkPipelineCacheCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
   };
   static const char *const names[] = { "pipeline, compiled",
                                        "pipeline, cached" };
   VkPipelineCache cache, other;
   CHECK(vkCreatePipelineCache(device, &info, NULL, &cache));
   for (unsigned round = 0; round < 2; round++) {
      const long before_KiB = resident_KiB();
      const double start = start_timing();
      for (uint32_t i = 0; i < PIPELINES; i++)
         pipelines[i] = create_pipeline(cache, i);
      printf("%s: %.1f us\n", names[round],
             end_timing(start, names[round], PIPELINES) / 1e3);
      printf("%s, memory: %.1f KiB\n", names[round],
             (double)(resident_KiB() - before_KiB) / PIPELINES);
   }
   size_t size_B = 0;
   CHECK(vkGetPipelineCacheData(device, cache, &size_B, NULL));
   void *data = malloc(size_B);
   if (!data)
      return;
   CHECK(vkGetPipelineCacheData(device, cache, &size_B, data));
   const VkPipelineCacheCreateInfo again = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
      .initialDataSize = size_B,
      .pInitialData = data,
   };
   static const char name[] = "cache from data";
   const double start = start_timing();
   CHECK(vkCreatePipelineCache(device, &again, NULL, &other));
   printf("%s: %.2f us\n", name, end_timing(start, name, PIPELINES) / 1e3);
   free(data);
}

int
main(int argc, char **argv)
{
   const uint32_t draws = argc > 1 ? (uint32_t)atoi(argv[1]) : 20000;
   const long before_KiB = resident_KiB();
   create_device();
   printf("device, memory: %ld KiB\n", resident_KiB() - before_KiB);
   create_buffer();
   views[0] = create_view();
   views[1] = create_view();
   create_pass();
   create_sets();
   update_sets();
   static const char update[] = "update of three descriptors";
   const double start = start_timing();
   for (unsigned i = 0; i < 20; i++)
      update_sets();
   printf("%s: %.1f ns\n", update, end_timing(start, update, 20 * SETS));
   vert = create_module(draws_vert, sizeof(draws_vert));
   frag = create_module(draws_frag, sizeof(draws_frag));
   create_commands();
   measure_pipelines();
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      measure(&rows[i], draws ? draws : 1);
   return 0;
}
