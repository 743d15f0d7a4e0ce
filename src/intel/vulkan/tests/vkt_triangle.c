/* SPDX-License-Identifier: MIT */
/* See vkt_triangle.h. */
#include "vkt_triangle.h"

#include <string.h>

#include "triangle_frag.h"
#include "triangle_vert.h"

#define WIDTH VKT_TRIANGLE_WIDTH
#define HEIGHT VKT_TRIANGLE_HEIGHT

static VkShaderModule
create_module(struct vkt_shader shader)
{
   return VKT_NEW(ShaderModule, SHADER_MODULE, .codeSize = shader.size_B,
                  .pCode = shader.words);
}

static void
create_pass(struct vkt_triangle *t)
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
   const VKT_INFO(RenderPassCreateInfo, pass, .attachmentCount = 1,
                  .pAttachments = &attachment, .subpassCount = 1,
                  .pSubpasses = &subpass);
   VKT_CHECK(vkCreateRenderPass(vkt.device, &pass, NULL, &t->pass));
   const VKT_INFO(FramebufferCreateInfo, framebuffer, .renderPass = t->pass,
                  .attachmentCount = 1, .pAttachments = &t->image.view,
                  .width = WIDTH, .height = HEIGHT, .layers = 1);
   VKT_CHECK(
      vkCreateFramebuffer(vkt.device, &framebuffer, NULL, &t->framebuffer));
}

static void
create_set(struct vkt_triangle *t)
{
   const VkDescriptorSetLayoutBinding binding = {
      .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
      .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
   };
   const VKT_INFO(DescriptorSetLayoutCreateInfo, set_layout,
                  .bindingCount = 1, .pBindings = &binding);
   VKT_CHECK(vkCreateDescriptorSetLayout(vkt.device, &set_layout, NULL,
                                         &t->set_layout));
   const VkPushConstantRange range = { VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16 };
   const VKT_INFO(PipelineLayoutCreateInfo, layout, .setLayoutCount = 1,
                  .pSetLayouts = &t->set_layout, .pushConstantRangeCount = 1,
                  .pPushConstantRanges = &range);
   VKT_CHECK(vkCreatePipelineLayout(vkt.device, &layout, NULL, &t->layout));
   const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1 };
   const VKT_INFO(DescriptorPoolCreateInfo, pool, .maxSets = 1,
                  .poolSizeCount = 1, .pPoolSizes = &size);
   VKT_CHECK(vkCreateDescriptorPool(vkt.device, &pool, NULL, &t->pool));
   const VKT_INFO(DescriptorSetAllocateInfo, alloc, .descriptorPool = t->pool,
                  .descriptorSetCount = 1, .pSetLayouts = &t->set_layout);
   VKT_CHECK(vkAllocateDescriptorSets(vkt.device, &alloc, &t->set));
   const VkDescriptorBufferInfo buffer = { t->uniform.buffer, 0,
                                           VK_WHOLE_SIZE };
   const VKT_INFO(WriteDescriptorSet, write, .dstSet = t->set,
                  .descriptorCount = 1,
                  .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                  .pBufferInfo = &buffer);
   vkUpdateDescriptorSets(vkt.device, 1, &write, 0, NULL);
}

void
vkt_triangle_pipeline(struct vkt_triangle *t, VkPipelineCache cache,
                      const struct vkt_shader *frag)
{
   const struct vkt_shader own = VKT_SHADER(triangle_frag);
   const VkPipelineShaderStageCreateInfo stages[] = {
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .module = create_module(VKT_SHADER(triangle_vert)),
        .pName = "main" },
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
        .module = create_module(frag ? *frag : own),
        .pName = "main" },
   };
   const VkVertexInputBindingDescription binding = {
      0, 6 * sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX
   };
   const VkVertexInputAttributeDescription attributes[] = {
      { 0, 0, VK_FORMAT_R32G32_SFLOAT, 0 },
      { 1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 8 },
   };
   const VKT_INFO(PipelineVertexInputStateCreateInfo, input,
                  .vertexBindingDescriptionCount = 1,
                  .pVertexBindingDescriptions = &binding,
                  .vertexAttributeDescriptionCount = 2,
                  .pVertexAttributeDescriptions = attributes);
   const VKT_INFO(PipelineInputAssemblyStateCreateInfo, assembly,
                  .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
   const VkViewport viewport = { 0, 0, WIDTH, HEIGHT, 0, 1 };
   const VkRect2D scissor = { .extent = { WIDTH, HEIGHT } };
   const VKT_INFO(PipelineViewportStateCreateInfo, viewports,
                  .viewportCount = 1, .pViewports = &viewport,
                  .scissorCount = 1, .pScissors = &scissor);
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .lineWidth = 1.0f);
   const VKT_INFO(PipelineMultisampleStateCreateInfo, multisample,
                  .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT);
   const VkPipelineColorBlendAttachmentState blend_attachment = {
      .colorWriteMask = 0xf,
   };
   const VKT_INFO(PipelineColorBlendStateCreateInfo, blend,
                  .attachmentCount = 1, .pAttachments = &blend_attachment);
   const VKT_INFO(
      GraphicsPipelineCreateInfo, info, .stageCount = 2, .pStages = stages,
      .pVertexInputState = &input, .pInputAssemblyState = &assembly,
      .pViewportState = &viewports, .pRasterizationState = &raster,
      .pMultisampleState = &multisample, .pColorBlendState = &blend,
      .layout = t->layout, .renderPass = t->pass);
   VKT_CHECK(vkCreateGraphicsPipelines(vkt.device, cache, 1, &info, NULL,
                                       &t->pipeline));
   vkDestroyShaderModule(vkt.device, stages[0].module, NULL);
   vkDestroyShaderModule(vkt.device, stages[1].module, NULL);
}

void
vkt_triangle_create(struct vkt_triangle *t)
{
   /* Colour (1, 2, 3, 4) / 4, halved and moved by (0, 0, 0, 0.5). */
   static const float data[] = {
      -1,   -1,   0.5f, 1.0f, 1.5f, 1.0f, -1,   1,    0.5f,
      1.0f, 1.5f, 1.0f, 1,    1,    0.5f, 1.0f, 1.5f, 1.0f,
   };
   *t = (struct vkt_triangle) { 0 };
   t->image = VKT_IMAGE(.width = WIDTH, .height = HEIGHT,
                        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   t->vertices = vkt_buffer_create(sizeof(data));
   t->uniform = vkt_buffer_create(16);
   t->out = vkt_buffer_create(WIDTH * HEIGHT * 4);
   memcpy(t->vertices.map, data, sizeof(data));
   memcpy(t->uniform.map, (float[]) { 0.5f, 0.5f, 0.5f, 0.5f }, 16);
   create_pass(t);
   create_set(t);
}

void
vkt_triangle_destroy(struct vkt_triangle *t)
{
   vkDestroyPipeline(vkt.device, t->pipeline, NULL);
   vkDestroyDescriptorPool(vkt.device, t->pool, NULL);
   vkDestroyPipelineLayout(vkt.device, t->layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, t->set_layout, NULL);
   vkDestroyFramebuffer(vkt.device, t->framebuffer, NULL);
   vkDestroyRenderPass(vkt.device, t->pass, NULL);
   vkt_image_destroy(&t->image);
   vkt_buffer_destroy(&t->vertices);
   vkt_buffer_destroy(&t->uniform);
   vkt_buffer_destroy(&t->out);
}

void
vkt_triangle_begin(VkCommandBuffer cmd, const struct vkt_triangle *t,
                   VkSubpassContents contents)
{
   const VkClearValue clear = { .color.float32 = { 1, 0, 0, 1 } };
   const VKT_INFO(RenderPassBeginInfo, pass, .renderPass = t->pass,
                  .framebuffer = t->framebuffer,
                  .renderArea = { .extent = { WIDTH, HEIGHT } },
                  .clearValueCount = 1, .pClearValues = &clear);
   vkCmdBeginRenderPass(cmd, &pass, contents);
}

void
vkt_triangle_record(VkCommandBuffer cmd, const struct vkt_triangle *t)
{
   const float bias[4] = { 0, 0, 0, 0.5f };
   const VkDeviceSize zero = 0;
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, t->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, t->layout, 0,
                           1, &t->set, 0, NULL);
   vkCmdPushConstants(cmd, t->layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16,
                      bias);
   vkCmdBindVertexBuffers(cmd, 0, 1, &t->vertices.buffer, &zero);
   vkCmdDraw(cmd, 3, 1, 0, 0);
}

void
vkt_triangle_read(VkCommandBuffer cmd, const struct vkt_triangle *t)
{
   const VkBufferImageCopy region = {
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .imageExtent = { WIDTH, HEIGHT, 1 },
   };
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, t->image.image, VK_IMAGE_LAYOUT_GENERAL,
                          t->out.buffer, 1, &region);
}

/* The lower left half of the target, in one colour: pixel centres with
 * x / WIDTH < y / HEIGHT are inside. */
unsigned
vkt_triangle_check(const struct vkt_triangle *t)
{
   const uint32_t *px = t->out.map;
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

void
vkt_triangle_draw(struct vkt_triangle *t)
{
   memset(t->out.map, 0, t->out.size_B);
   VkCommandBuffer cmd = vkt_begin();
   vkt_triangle_begin(cmd, t, VK_SUBPASS_CONTENTS_INLINE);
   vkt_triangle_record(cmd, t);
   vkCmdEndRenderPass(cmd);
   vkt_triangle_read(cmd, t);
   vkt_submit(cmd);
   vkt_triangle_check(t);
}
