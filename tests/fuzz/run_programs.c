/* SPDX-License-Identifier: MIT */
/*
 * Runs shaders on a Vulkan driver, many in one process.
 *
 * usage: run_programs LIBRARY, the driver's library, opened without a loader.
 *
 * Each line of standard input is `SEED INDEX STAGE=FILE.spv...`, stages being
 * comp alone, or vert and others of tesc, tese, geom and frag. One work group
 * runs, or LANES points, patches of one point with tessellation, are drawn
 * into LANES pixels in a row; with INDEX as specialization constant 0, and in
 * set 0
 *    0  a storage buffer of INPUT_B bytes, made from SEED: half of its words
 *       are the ends of types, the others random
 *    1  a storage buffer of OUTPUT_B bytes of zeros
 *    2  a uniform buffer with the first UNIFORM_B bytes of what is in 0
 *    3  a storage buffer, OTHER_B bytes likewise
 * and PUSH_B bytes of that in push constants. A line answers: `ok` and the
 * words of 1, then of 3, or `error` and what did not work. All four lie in
 * one buffer, with words in front and behind that are all SECRET: if one of
 * those has changed, the answer is `foreign write`.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "util/macros.h"

#define BINDINGS 4
#define LANES 8u
#define INPUT_B 1024u
#define OUTPUT_B 1024u
#define UNIFORM_B 256u
#define OTHER_B 256u
#define PUSH_B 64u
#define STEP_B 4096u /* from one binding to the next */
#define BUFFER_B (STEP_B * (2 * BINDINGS + 1))
#define SECRET 0x5ec2e7u

static const uint32_t sizes_B[BINDINGS] = { INPUT_B, OUTPUT_B, UNIFORM_B,
                                            OTHER_B };

struct runner {
   struct device d;
   VkBuffer buffer;
   uint32_t *map;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkDescriptorSet set;
   VkCommandBuffer cmd;
   VkRenderPass pass; /* without attachments */
   VkFramebuffer framebuffer;
};

#define MAX_STAGES 5
static const struct {
   const char *name;
   VkShaderStageFlagBits bit;
} stages[] = {
   { "comp", VK_SHADER_STAGE_COMPUTE_BIT },
   { "vert", VK_SHADER_STAGE_VERTEX_BIT },
   { "tesc", VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT },
   { "tese", VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT },
   { "geom", VK_SHADER_STAGE_GEOMETRY_BIT },
   { "frag", VK_SHADER_STAGE_FRAGMENT_BIT },
};

/* What a line says. */
struct job {
   uint64_t seed;
   int32_t index;
   VkShaderStageFlags used;
   unsigned count;
   VkSpecializationInfo constants;
   VkPipelineShaderStageCreateInfo stages[MAX_STAGES];
   VkPipeline pipeline;
};

static uint32_t
place_B(unsigned binding)
{
   return STEP_B * (2 * binding + 1);
}

static VkDescriptorType
type_of(unsigned binding)
{
   return binding == 2 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                       : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

/* ---- what all programs have, once ---- */

static bool
make_buffer(struct runner *r)
{
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = BUFFER_B,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
               VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
   };
   TRY(r->d.CreateBuffer(r->d.device, &info, NULL, &r->buffer));
   VkMemoryRequirements need;
   r->d.GetBufferMemoryRequirements(r->d.device, r->buffer, &need);
   VkDeviceMemory memory;
   if (!device_allocate(&r->d, &need, &memory))
      return false;
   TRY(r->d.BindBufferMemory(r->d.device, r->buffer, memory, 0));
   TRY(r->d.MapMemory(r->d.device, memory, 0, VK_WHOLE_SIZE, 0,
                      (void **)&r->map));
   return true;
}

static bool
make_set(struct runner *r)
{
   VkDescriptorSetLayoutBinding bindings[BINDINGS];
   for (unsigned i = 0; i < BINDINGS; i++)
      bindings[i] = (VkDescriptorSetLayoutBinding) {
         .binding = i,
         .descriptorType = type_of(i),
         .descriptorCount = 1,
         .stageFlags = VK_SHADER_STAGE_ALL,
      };
   const VkDescriptorSetLayoutCreateInfo set = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = BINDINGS,
      .pBindings = bindings,
   };
   TRY(r->d.CreateDescriptorSetLayout(r->d.device, &set, NULL,
                                      &r->set_layout));
   const VkPushConstantRange push = { VK_SHADER_STAGE_ALL, 0, PUSH_B };
   const VkPipelineLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = 1,
      .pSetLayouts = &r->set_layout,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &push,
   };
   TRY(r->d.CreatePipelineLayout(r->d.device, &layout, NULL, &r->layout));
   const VkDescriptorPoolSize counts[] = {
      { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BINDINGS - 1 },
      { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1 },
   };
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = 1,
      .poolSizeCount = ARRAY_SIZE(counts),
      .pPoolSizes = counts,
   };
   VkDescriptorPool pool;
   TRY(r->d.CreateDescriptorPool(r->d.device, &pool_info, NULL, &pool));
   const VkDescriptorSetAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .descriptorPool = pool,
      .descriptorSetCount = 1,
      .pSetLayouts = &r->set_layout,
   };
   TRY(r->d.AllocateDescriptorSets(r->d.device, &allocate, &r->set));
   for (unsigned i = 0; i < BINDINGS; i++) {
      const VkDescriptorBufferInfo range = { r->buffer, place_B(i),
                                             sizes_B[i] };
      const VkWriteDescriptorSet write = {
         .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = r->set,
         .dstBinding = i,
         .descriptorCount = 1,
         .descriptorType = type_of(i),
         .pBufferInfo = &range,
      };
      r->d.UpdateDescriptorSets(r->d.device, 1, &write, 0, NULL);
   }
   return true;
}

static bool
make_commands(struct runner *r)
{
   const VkCommandPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
      .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
   };
   VkCommandPool pool;
   TRY(r->d.CreateCommandPool(r->d.device, &info, NULL, &pool));
   const VkCommandBufferAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = pool,
      .commandBufferCount = 1,
   };
   TRY(r->d.AllocateCommandBuffers(r->d.device, &allocate, &r->cmd));
   return true;
}

static bool
make_framebuffer(struct runner *r)
{
   const VkSubpassDescription subpass = {
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
   };
   const VkRenderPassCreateInfo pass = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
      .subpassCount = 1,
      .pSubpasses = &subpass,
   };
   TRY(r->d.CreateRenderPass(r->d.device, &pass, NULL, &r->pass));
   const VkFramebufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
      .renderPass = r->pass,
      .width = LANES,
      .height = 1,
      .layers = 1,
   };
   TRY(r->d.CreateFramebuffer(r->d.device, &info, NULL, &r->framebuffer));
   return true;
}

/* ---- one program ---- */

static void
fill_buffer(struct runner *r, uint64_t seed)
{
   static const uint32_t ends[] = {
      0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x80000001,
      0xfffffffe, 0xffff8000, 0x8000,     0x7fff,     0x80,       0xffffff80,
   };
   uint64_t s = seed * 2 + 1;

   for (uint32_t i = 0; i < BUFFER_B / 4; i++)
      r->map[i] = SECRET;
   for (uint32_t i = 0; i < INPUT_B / 4; i++) {
      s ^= s >> 12;
      s ^= s << 25;
      s ^= s >> 27;
      const uint32_t v = (uint32_t)(s * 0x2545f4914f6cdd1dull >> 32);
      const uint32_t word = v & 1 ? ends[(v >> 1) % ARRAY_SIZE(ends)] : v;
      r->map[place_B(0) / 4 + i] = word;
      if (i < UNIFORM_B / 4)
         r->map[place_B(2) / 4 + i] = word;
      if (i < OTHER_B / 4)
         r->map[place_B(3) / 4 + i] = word;
   }
   memset(r->map + place_B(1) / 4, 0, OUTPUT_B);
}

static bool
is_bound(uint32_t at_B)
{
   for (unsigned i = 0; i < BINDINGS; i++) {
      if (util_within(at_B, 4, place_B(i), sizes_B[i]))
         return true;
   }
   return false;
}

static void
draw(struct runner *r)
{
   const VkRenderPassBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = r->pass,
      .framebuffer = r->framebuffer,
      .renderArea.extent = { LANES, 1 },
   };
   r->d.CmdBeginRenderPass(r->cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   r->d.CmdDraw(r->cmd, LANES, 1, 0, 0);
   r->d.CmdEndRenderPass(r->cmd);
}

static bool
run(struct runner *r, const struct job *job)
{
   const bool computes = job->used == VK_SHADER_STAGE_COMPUTE_BIT;
   const VkPipelineBindPoint point = computes
                                        ? VK_PIPELINE_BIND_POINT_COMPUTE
                                        : VK_PIPELINE_BIND_POINT_GRAPHICS;
   const VkCommandBufferBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
   };
   const VkMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
   };
   TRY(r->d.BeginCommandBuffer(r->cmd, &begin));
   r->d.CmdBindPipeline(r->cmd, point, job->pipeline);
   r->d.CmdBindDescriptorSets(r->cmd, point, r->layout, 0, 1, &r->set, 0,
                              NULL);
   r->d.CmdPushConstants(r->cmd, r->layout, VK_SHADER_STAGE_ALL, 0, PUSH_B,
                         r->map + place_B(0) / 4);
   if (computes)
      r->d.CmdDispatch(r->cmd, 1, 1, 1);
   else
      draw(r);
   r->d.CmdPipelineBarrier(r->cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                           VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                           NULL, 0, NULL);
   TRY(r->d.EndCommandBuffer(r->cmd));
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &r->cmd,
   };
   TRY(r->d.QueueSubmit(r->d.queue, 1, &submit, VK_NULL_HANDLE));
   TRY(r->d.QueueWaitIdle(r->d.queue));
   return true;
}

static void
print_words(const struct runner *r, unsigned binding)
{
   for (uint32_t i = 0; i < sizes_B[binding] / 4; i++)
      printf(" %" PRIx32, r->map[place_B(binding) / 4 + i]);
}

static void
answer(const struct runner *r)
{
   for (uint32_t at_B = 0; at_B < BUFFER_B; at_B += 4) {
      if (!is_bound(at_B) && r->map[at_B / 4] != SECRET) {
         printf("foreign write at byte %" PRIu32 "\n", at_B);
         return;
      }
   }
   printf("ok");
   print_words(r, 1);
   print_words(r, 3);
   printf("\n");
}

/* `STAGE=FILE`; false: it is none, which is said. */
static bool
add_stage(struct runner *r, struct job *job, const char *word)
{
   const char *path = strchr(word, '=');
   VkPipelineShaderStageCreateInfo *stage = &job->stages[job->count];
   unsigned s = 0;
   while (path && s < ARRAY_SIZE(stages) &&
          (strncmp(word, stages[s].name, 4) || path != word + 4))
      s++;
   if (!path || s == ARRAY_SIZE(stages) || job->count == MAX_STAGES) {
      printf("error no such stage\n");
      return false;
   }
   *stage = (VkPipelineShaderStageCreateInfo) {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
      .stage = stages[s].bit,
      .pName = "main",
      .pSpecializationInfo = &job->constants,
   };
   job->used |= stages[s].bit;
   job->count++;
   return device_read_module(&r->d, path + 1, &stage->module);
}

static bool
make_compute(struct runner *r, struct job *job)
{
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = job->stages[0],
      .layout = r->layout,
   };
   TRY(r->d.CreateComputePipelines(r->d.device, VK_NULL_HANDLE, 1, &info,
                                   NULL, &job->pipeline));
   return true;
}

static bool
make_graphics(struct runner *r, struct job *job)
{
   const bool has_patches = job->used &
                            VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
   const VkViewport viewport = { 0, 0, LANES, 1, 0, 1 };
   const VkRect2D scissor = { .extent = { LANES, 1 } };
   const VkPipelineVertexInputStateCreateInfo vertices = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
   };
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = has_patches ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
                              : VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
   };
   const VkPipelineTessellationStateCreateInfo patches = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
      .patchControlPoints = 1,
   };
   const VkPipelineViewportStateCreateInfo views = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
      .viewportCount = 1,
      .pViewports = &viewport,
      .scissorCount = 1,
      .pScissors = &scissor,
   };
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .lineWidth = 1,
   };
   const VkPipelineMultisampleStateCreateInfo samples = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
   };
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = job->count,
      .pStages = job->stages,
      .pVertexInputState = &vertices,
      .pInputAssemblyState = &assembly,
      .pTessellationState = has_patches ? &patches : NULL,
      .pViewportState = &views,
      .pRasterizationState = &raster,
      .pMultisampleState = &samples,
      .layout = r->layout,
      .renderPass = r->pass,
   };
   TRY(r->d.CreateGraphicsPipelines(r->d.device, VK_NULL_HANDLE, 1, &info,
                                    NULL, &job->pipeline));
   return true;
}

static bool
read_line(struct runner *r, struct job *job, char *line)
{
   char *rest, *word;
   job->seed = strtoull(line, &rest, 10);
   job->index = (int32_t)strtol(rest, &rest, 10);
   for (word = strtok(rest, " \n"); word; word = strtok(NULL, " \n")) {
      if (!add_stage(r, job, word))
         return false;
   }
   if (!job->count)
      printf("error no stages\n");
   return job->count != 0;
}

static void
run_line(struct runner *r, char *line)
{
   const VkSpecializationMapEntry entry = { 0, 0, sizeof(int32_t) };
   struct job job = { 0 };
   job.constants =
      (VkSpecializationInfo) { 1, &entry, sizeof(job.index), &job.index };
   if (read_line(r, &job, line) &&
       (job.used == VK_SHADER_STAGE_COMPUTE_BIT ? make_compute(r, &job)
                                                : make_graphics(r, &job))) {
      fill_buffer(r, job.seed);
      if (run(r, &job))
         answer(r);
   }
   r->d.DestroyPipeline(r->d.device, job.pipeline, NULL);
   for (unsigned i = 0; i < job.count; i++)
      r->d.DestroyShaderModule(r->d.device, job.stages[i].module, NULL);
}

int
main(int argc, char **argv)
{
   static struct runner r;
   char line[4096];

   if (argc != 2) {
      fprintf(stderr, "usage: run_programs LIBRARY\n");
      return 2;
   }
   if (!device_open(&r.d, argv[1]) || !make_buffer(&r) || !make_set(&r) ||
       !make_commands(&r) || !make_framebuffer(&r))
      return 1;
   while (fgets(line, sizeof(line), stdin)) {
      run_line(&r, line);
      fflush(stdout);
   }
   return 0;
}
