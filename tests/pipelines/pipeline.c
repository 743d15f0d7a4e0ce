/* SPDX-License-Identifier: MIT */
/*
 * pipeline FRAGMENT.spv VERTEX.spv: one graphics pipeline of these, with the
 * first device there is; nothing is drawn. For the layer to measure.
 *
 * The fragment shader may have one uniform buffer (set 0, binding 0), one
 * input vec4 (location 0) and one output vec4.
 *
 * Exit codes: 0 made, 1 not, 2 wrong use or a file that cannot be read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

struct context {
   VkInstance instance;
   VkPhysicalDevice physical;
   VkDevice dev;
   VkDescriptorSetLayout set;
   VkPipelineLayout layout;
   VkRenderPass pass;
   VkShaderModule modules[2];
};

static void
check(VkResult r, const char *what)
{
   if (r == VK_SUCCESS)
      return;
   fprintf(stderr, "pipeline: %s: VkResult %d\n", what, (int)r);
   exit(1);
}

static void
open_device(struct context *c)
{
   const VkApplicationInfo app = { .sType =
                                      VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_3 };
   uint32_t count = 1;

   check(vkCreateInstance(
            &(VkInstanceCreateInfo) {
               .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
               .pApplicationInfo = &app },
            NULL, &c->instance),
         "vkCreateInstance");
   vkEnumeratePhysicalDevices(c->instance, &count, &c->physical);
   if (!count) {
      fprintf(stderr, "pipeline: no device\n");
      exit(1);
   }
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
      .queueCount = 1,
      .pQueuePriorities = &priority,
   };
   check(vkCreateDevice(
            c->physical,
            &(VkDeviceCreateInfo) {
               .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
               .queueCreateInfoCount = 1,
               .pQueueCreateInfos = &queue,
               .pEnabledFeatures =
                  &(VkPhysicalDeviceFeatures) { .shaderFloat64 = VK_TRUE } },
            NULL, &c->dev),
         "vkCreateDevice");
}

static VkShaderModule
load_module(const struct context *c, const char *name)
{
   FILE *fp = fopen(name, "rb");
   long size = -1;

   if (fp && !fseek(fp, 0, SEEK_END))
      size = ftell(fp);
   uint32_t *code = size > 0 ? malloc((size_t)size) : NULL;
   if (!code || fseek(fp, 0, SEEK_SET) ||
       fread(code, 1, (size_t)size, fp) != (size_t)size) {
      perror(name);
      exit(2);
   }
   fclose(fp);
   VkShaderModule m;
   check(vkCreateShaderModule(
            c->dev,
            &(VkShaderModuleCreateInfo) {
               .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
               .codeSize = (size_t)size,
               .pCode = code },
            NULL, &m),
         name);
   free(code);
   return m;
}

static void
create_layout(struct context *c)
{
   const VkDescriptorSetLayoutBinding binding = {
      .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
      .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
   };

   check(vkCreateDescriptorSetLayout(
            c->dev,
            &(VkDescriptorSetLayoutCreateInfo) {
               .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
               .bindingCount = 1,
               .pBindings = &binding },
            NULL, &c->set),
         "vkCreateDescriptorSetLayout");
   check(vkCreatePipelineLayout(
            c->dev,
            &(VkPipelineLayoutCreateInfo) {
               .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
               .setLayoutCount = 1,
               .pSetLayouts = &c->set },
            NULL, &c->layout),
         "vkCreatePipelineLayout");
}

static void
create_pass(struct context *c)
{
   const VkAttachmentDescription attachment = {
      .format = VK_FORMAT_R8G8B8A8_UNORM,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
   };
   const VkAttachmentReference reference = {
      .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
   };
   const VkSubpassDescription subpass = {
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
      .colorAttachmentCount = 1,
      .pColorAttachments = &reference,
   };

   check(vkCreateRenderPass(
            c->dev,
            &(VkRenderPassCreateInfo) {
               .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
               .attachmentCount = 1,
               .pAttachments = &attachment,
               .subpassCount = 1,
               .pSubpasses = &subpass },
            NULL, &c->pass),
         "vkCreateRenderPass");
}

/* Points to one colour attachment. */
static VkPipeline
create_pipeline(const struct context *c)
{
   const VkPipelineShaderStageCreateInfo stages[] = {
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
        .module = c->modules[0],
        .pName = "main" },
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .module = c->modules[1],
        .pName = "main" },
   };
   const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO
   };
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO
   };
   const VkViewport view = { .width = 16, .height = 16, .maxDepth = 1 };
   const VkRect2D scissor = { .extent = { 16, 16 } };
   const VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
      .viewportCount = 1,
      .pViewports = &view,
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
   const VkPipelineColorBlendAttachmentState attachment = { .colorWriteMask =
                                                               0xf };
   const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = 1,
      .pAttachments = &attachment,
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
      .pColorBlendState = &blend,
      .layout = c->layout,
      .renderPass = c->pass,
   };
   VkPipeline pipeline;

   check(vkCreateGraphicsPipelines(c->dev, VK_NULL_HANDLE, 1, &info, NULL,
                                   &pipeline),
         "vkCreateGraphicsPipelines");
   return pipeline;
}

int
main(int argc, char **argv)
{
   struct context c = { 0 };

   if (argc != 3) {
      fprintf(stderr, "usage: pipeline FRAGMENT.spv VERTEX.spv\n");
      return 2;
   }
   open_device(&c);
   create_layout(&c);
   create_pass(&c);
   for (unsigned i = 0; i < 2; i++)
      c.modules[i] = load_module(&c, argv[1 + i]);
   vkDestroyPipeline(c.dev, create_pipeline(&c), NULL);
   for (unsigned i = 0; i < 2; i++)
      vkDestroyShaderModule(c.dev, c.modules[i], NULL);
   vkDestroyRenderPass(c.dev, c.pass, NULL);
   vkDestroyPipelineLayout(c.dev, c.layout, NULL);
   vkDestroyDescriptorSetLayout(c.dev, c.set, NULL);
   vkDestroyDevice(c.dev, NULL);
   vkDestroyInstance(c.instance, NULL);
   return 0;
}
