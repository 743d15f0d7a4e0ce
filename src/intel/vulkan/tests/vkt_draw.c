/* SPDX-License-Identifier: MIT */
/* Pipelines, descriptors, draws and dispatches of the driver's tests. */
#include "vkt.h"
#include "util/macros.h"

/* ---- descriptors ---- */

#define MAX_RESOURCES 16

struct bindings {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
};

static void
create_layout(struct bindings *b, const struct vkt_resource *r, unsigned n)
{
   VkDescriptorSetLayoutBinding bindings[MAX_RESOURCES];
   assert_true(n <= MAX_RESOURCES);
   for (unsigned i = 0; i < n; i++) {
      bindings[i] = (VkDescriptorSetLayoutBinding) {
         .binding = i,
         .descriptorType = r[i].type,
         .descriptorCount = MAX2(r[i].image_count, 1),
         .stageFlags = r[i].type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT
                          ? VK_SHADER_STAGE_FRAGMENT_BIT
                          : VK_SHADER_STAGE_ALL,
      };
   }
   const VKT_INFO(DescriptorSetLayoutCreateInfo, set_layout,
                  .bindingCount = n, .pBindings = bindings);
   VKT_CHECK(vkCreateDescriptorSetLayout(vkt.device, &set_layout, NULL,
                                         &b->set_layout));
   const VKT_INFO(PipelineLayoutCreateInfo, layout, .setLayoutCount = 1,
                  .pSetLayouts = &b->set_layout);
   VKT_CHECK(vkCreatePipelineLayout(vkt.device, &layout, NULL, &b->layout));
}

static void
write_descriptor(VkDescriptorSet set, uint32_t binding,
                 const struct vkt_resource *r)
{
   const VkDescriptorBufferInfo buffer = { r->buffer, 0,
                                           r->range_B ? r->range_B
                                                      : VK_WHOLE_SIZE };
   const VkDescriptorImageInfo image = {
      r->sampler, r->view, r->layout ? r->layout : VK_IMAGE_LAYOUT_GENERAL
   };
   const VKT_INFO(WriteDescriptorSet, write, .dstSet = set,
                  .dstBinding = binding,
                  .descriptorCount = MAX2(r->image_count, 1),
                  .descriptorType = r->type,
                  .pBufferInfo = r->buffers ? r->buffers : &buffer,
                  .pImageInfo = r->images ? r->images : &image,
                  .pTexelBufferView = &r->texels);
   vkUpdateDescriptorSets(vkt.device, 1, &write, 0, NULL);
}

static struct bindings
create_bindings(const struct vkt_resource *r, unsigned n)
{
   struct bindings b = { 0 };
   create_layout(&b, r, n);
   if (!n)
      return b;
   VkDescriptorPoolSize sizes[MAX_RESOURCES];
   for (unsigned i = 0; i < n; i++)
      sizes[i] =
         (VkDescriptorPoolSize) { r[i].type, MAX2(r[i].image_count, 1) };
   const VKT_INFO(DescriptorPoolCreateInfo, pool, .maxSets = 1,
                  .poolSizeCount = n, .pPoolSizes = sizes);
   VKT_CHECK(vkCreateDescriptorPool(vkt.device, &pool, NULL, &b.pool));
   const VKT_INFO(DescriptorSetAllocateInfo, alloc, .descriptorPool = b.pool,
                  .descriptorSetCount = 1, .pSetLayouts = &b.set_layout);
   VKT_CHECK(vkAllocateDescriptorSets(vkt.device, &alloc, &b.set));
   for (unsigned i = 0; i < n; i++)
      write_descriptor(b.set, i, &r[i]);
   return b;
}

static void
destroy_bindings(struct bindings *b)
{
   vkDestroyDescriptorPool(vkt.device, b->pool, NULL);
   vkDestroyPipelineLayout(vkt.device, b->layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, b->set_layout, NULL);
}

static void
bind(VkCommandBuffer cmd, VkPipelineBindPoint point, VkPipeline pipeline,
     const struct bindings *b)
{
   vkCmdBindPipeline(cmd, point, pipeline);
   if (b->set)
      vkCmdBindDescriptorSets(cmd, point, b->layout, 0, 1, &b->set, 0, NULL);
}

static VkPipelineShaderStageCreateInfo
shader_stage(VkShaderStageFlagBits stage, struct vkt_shader shader)
{
   VKT_INFO(PipelineShaderStageCreateInfo, s, .stage = stage,
            .pName = "main");
   s.module = VKT_NEW(ShaderModule, SHADER_MODULE, .codeSize = shader.size_B,
                      .pCode = shader.words);
   return s;
}

/* ---- compute ---- */

void
vkt_compute_stage(struct vkt_shader shader,
                  const VkPipelineShaderStageCreateInfo *also,
                  const struct vkt_resource *resources,
                  unsigned resource_count, uint32_t groups)
{
   struct bindings b = create_bindings(resources, resource_count);
   VKT_INFO(ComputePipelineCreateInfo, info,
            .stage = shader_stage(VK_SHADER_STAGE_COMPUTE_BIT, shader),
            .layout = b.layout);
   info.stage.flags = also->flags;
   info.stage.pNext = also->pNext;
   info.stage.pSpecializationInfo = also->pSpecializationInfo;
   VkPipeline pipeline;
   VKT_CHECK(vkCreateComputePipelines(vkt.device, VK_NULL_HANDLE, 1, &info,
                                      NULL, &pipeline));
   vkDestroyShaderModule(vkt.device, info.stage.module, NULL);
   VkCommandBuffer cmd = vkt_begin();
   bind(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline, &b);
   vkCmdDispatch(cmd, groups, 1, 1);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   vkDestroyPipeline(vkt.device, pipeline, NULL);
   destroy_bindings(&b);
}

/* ---- draws ---- */

struct target {
   struct vkt_image color, resolved; /* the same with one sample */
   struct vkt_image depth;           /* nothing, if nobody asks */
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   uint32_t views;
   bool own_color, own_depth;
};

#define MAX_ATTACHMENTS 4

static void
create_pass(struct target *t, const struct vkt_scene *s,
            VkSampleCountFlagBits samples)
{
   const bool resolves = samples > VK_SAMPLE_COUNT_1_BIT;
   const uint32_t colors = resolves ? 2 : 1;
   VkAttachmentDescription attachments[MAX_ATTACHMENTS] = { {
      .format = t->color.desc.format,
      .samples = samples,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
      .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
   } };
   attachments[1] = attachments[0];
   attachments[1].samples = VK_SAMPLE_COUNT_1_BIT;
   if (s->input) {
      attachments[colors] = attachments[0];
      attachments[colors].format = s->input->desc.format;
      attachments[colors].samples = s->input->desc.samples;
      attachments[colors].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
   }
   const uint32_t depth = colors + (s->input ? 1 : 0);
   if (s->depth_stencil) {
      attachments[depth] = attachments[0];
      attachments[depth].format = t->depth.desc.format;
      attachments[depth].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
   }
   const VkAttachmentReference refs[] = {
      { 0, s->feedback ? VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT
           : s->color_layout ? s->color_layout
                             : VK_IMAGE_LAYOUT_GENERAL },
      { 1, VK_IMAGE_LAYOUT_GENERAL },
      { s->reads_depth ? depth : colors, VK_IMAGE_LAYOUT_GENERAL },
      { depth, s->reads_depth
                  ? VK_IMAGE_LAYOUT_GENERAL
                  : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL },
   };
   const VkSubpassDescription subpass = {
      .inputAttachmentCount = s->input || s->reads_depth ? 1 : 0,
      .pInputAttachments = &refs[2],
      .colorAttachmentCount = 1,
      .pColorAttachments = &refs[0],
      .pResolveAttachments = resolves ? &refs[1] : NULL,
      .pDepthStencilAttachment = s->depth_stencil ? &refs[3] : NULL,
   };
   const VKT_INFO(RenderPassMultiviewCreateInfo, multiview, .subpassCount = 1,
                  .pViewMasks = &s->view_mask);
   const VkSubpassDependency itself = {
      .srcStageMask = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                      VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT |
                      VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
      .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                       VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_SHADER_READ_BIT |
                       VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
      .dependencyFlags =
         VK_DEPENDENCY_BY_REGION_BIT |
         (s->feedback ? VK_DEPENDENCY_FEEDBACK_LOOP_BIT_EXT : 0),
   };
   const VKT_INFO(RenderPassCreateInfo, pass,
                  .pNext = s->view_mask ? &multiview : NULL,
                  .attachmentCount = depth + (s->depth_stencil ? 1 : 0),
                  .pAttachments = attachments, .subpassCount = 1,
                  .pSubpasses = &subpass,
                  .dependencyCount = s->feedback || s->reads_depth ? 1 : 0,
                  .pDependencies = &itself);
   VKT_CHECK(vkCreateRenderPass(vkt.device, &pass, NULL, &t->pass));
}

static uint32_t
layers_of(const struct vkt_scene *s)
{
   return s->view_mask ? util_logbase2(s->view_mask) + 1 : 1;
}

static struct target
create_target(const struct vkt_scene *s, VkSampleCountFlagBits samples)
{
   struct target t = { 0 };
   struct vkt_image_desc desc = {
      .width = s->width,
      .height = s->height,
      .samples = samples,
      .layers = layers_of(s),
      .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
   };
   const bool resolves = samples > VK_SAMPLE_COUNT_1_BIT;
   t.own_color = !s->color;
   t.own_depth = s->depth_stencil && !s->depth;
   t.color = t.resolved = s->color ? *s->color : vkt_image_create(&desc);
   if (resolves) {
      desc.samples = VK_SAMPLE_COUNT_1_BIT;
      desc.format = t.color.desc.format;
      t.resolved = vkt_image_create(&desc);
   }
   if (s->depth_stencil) {
      desc.samples = samples;
      desc.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
      desc.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
      t.depth = s->depth ? *s->depth : vkt_image_create(&desc);
   }
   if (s->way != VKT_IN_PASS)
      return t;
   create_pass(&t, s, samples);
   VkImageView views[MAX_ATTACHMENTS] = { t.color.view, t.resolved.view };
   uint32_t view_count = resolves ? 2 : 1;
   if (s->input)
      views[view_count++] = s->input->view;
   if (s->depth_stencil)
      views[view_count++] = t.depth.view;
   t.views = view_count;
   const VKT_INFO(FramebufferCreateInfo, framebuffer, .renderPass = t.pass,
                  .attachmentCount = view_count, .pAttachments = views,
                  .width = s->width, .height = s->height, .layers = 1);
   VKT_CHECK(
      vkCreateFramebuffer(vkt.device, &framebuffer, NULL, &t.framebuffer));
   return t;
}

static void
destroy_target(struct target *t)
{
   vkDestroyFramebuffer(vkt.device, t->framebuffer, NULL);
   vkDestroyRenderPass(vkt.device, t->pass, NULL);
   if (t->color.image != t->resolved.image)
      vkt_image_destroy(&t->resolved);
   if (t->own_depth)
      vkt_image_destroy(&t->depth);
   if (t->own_color)
      vkt_image_destroy(&t->color);
}

static struct vkt_rendering
rendering_of(const struct vkt_scene *s, const struct target *t)
{
   return (struct vkt_rendering) {
      .color = &t->color,
      .resolved = t->color.image != t->resolved.image ? &t->resolved : NULL,
      .depth = s->depth_stencil ? &t->depth : NULL,
      .depth_clear = 1 - s->depth_clear_below_1,
      .view_mask = s->view_mask,
   };
}

#define MAX_ATTRIBUTES 32

struct vertex_input {
   VkVertexInputBindingDescription binding;
   VkVertexInputAttributeDescription attributes[MAX_ATTRIBUTES];
   VkPipelineVertexInputStateCreateInfo info;
};

static void
fill_vertex_input(struct vertex_input *v, const struct vkt_scene *s)
{
   const uint32_t attributes = s->attributes;
   assert_true(attributes <= MAX_ATTRIBUTES);
   v->binding =
      (VkVertexInputBindingDescription) { .stride = attributes * 16 };
   if (s->divisors)
      v->binding.inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
   uint32_t count = 0;
   for (uint32_t i = 0; i < attributes; i++) {
      if (s->formats && s->formats[i] == VK_FORMAT_UNDEFINED)
         continue;
      v->attributes[count++] = (VkVertexInputAttributeDescription) {
         .location = i,
         .format = s->formats ? s->formats[i] : VK_FORMAT_R32G32B32A32_SFLOAT,
         .offset = i * 16,
      };
   }
   v->info = VKT_STRUCT(PipelineVertexInputStateCreateInfo,
                        .pNext = s->divisors,
                        .vertexBindingDescriptionCount = attributes ? 1 : 0,
                        .pVertexBindingDescriptions = &v->binding,
                        .vertexAttributeDescriptionCount = count,
                        .pVertexAttributeDescriptions = v->attributes);
}

static uint32_t
fill_stages(const struct vkt_scene *s,
            VkPipelineShaderStageCreateInfo stages[5])
{
   const struct {
      VkShaderStageFlagBits stage;
      struct vkt_shader shader;
   } all[] = {
      { VK_SHADER_STAGE_VERTEX_BIT, s->vs },
      { VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, s->tcs },
      { VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, s->tes },
      { VK_SHADER_STAGE_GEOMETRY_BIT, s->gs },
      { VK_SHADER_STAGE_FRAGMENT_BIT, s->fs },
   };
   uint32_t n = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(all); i++) {
      if (all[i].shader.words)
         stages[n++] = shader_stage(all[i].stage, all[i].shader);
   }
   return n;
}

static bool
is_dynamic(const struct vkt_scene *s, VkDynamicState state)
{
   for (uint32_t i = 0; i < s->dynamic_count; i++) {
      if (s->dynamic[i] == state)
         return true;
   }
   return false;
}

struct viewports {
   VkViewport viewport;
   VkRect2D scissor;
   VkPipelineViewportDepthClipControlCreateInfoEXT clip;
   VkPipelineViewportStateCreateInfo info;
};

static void
fill_viewports(struct viewports *v, const struct vkt_scene *s)
{
   v->viewport =
      (VkViewport) { 0, 0, (float)s->width, (float)s->height, 0, 1 };
   v->scissor = (VkRect2D) { .extent = { s->width, s->height } };
   v->clip = VKT_STRUCT(PipelineViewportDepthClipControlCreateInfoEXT,
                        .negativeOneToOne = s->negative_one_to_one);
   v->info = VKT_STRUCT(
      PipelineViewportStateCreateInfo,
      .pNext = s->negative_one_to_one ? &v->clip : s->viewport_next,
      .viewportCount = !is_dynamic(s, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT),
      .pViewports = is_dynamic(s, VK_DYNAMIC_STATE_VIEWPORT) ? vkt_ignored()
                    : s->viewport                            ? s->viewport
                                                             : &v->viewport,
      .scissorCount = is_dynamic(s, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT)
                         ? 0
                         : MAX2(s->scissor_count, 1),
      .pScissors = is_dynamic(s, VK_DYNAMIC_STATE_SCISSOR) ? vkt_ignored()
                   : s->scissor                            ? s->scissor
                                                           : &v->scissor);
}

static const VKT_INFO(PipelineRasterizationStateCreateInfo, filled,
                      .lineWidth = 1.0f);

static VkResult
create_pipeline(const struct vkt_scene *s, const struct target *t,
                VkPipelineLayout layout, VkPipeline *out)
{
   const struct vkt_rendering target = rendering_of(s, t);
   VkPipelineRenderingCreateInfo rendering = vkt_pipeline_rendering(&target);
   rendering.pNext = s->next;
   VkPipelineShaderStageCreateInfo stages[5];
   const uint32_t stage_count = fill_stages(s, stages);
   struct vertex_input input;
   fill_vertex_input(&input, s);
   const VKT_INFO(PipelineInputAssemblyStateCreateInfo, assembly,
                  .topology = s->topology,
                  .primitiveRestartEnable = s->indices != NULL);
   const VKT_INFO(PipelineTessellationStateCreateInfo, tess,
                  .patchControlPoints = s->patch_vertices);
   struct viewports viewports;
   fill_viewports(&viewports, s);
   const VKT_INFO(PipelineMultisampleStateCreateInfo, multisample,
                  .rasterizationSamples =
                     MAX2(s->samples, VK_SAMPLE_COUNT_1_BIT));
   const VkPipelineColorBlendStateCreateInfo blend = vkt_blend_of(s);
   const VKT_INFO(PipelineDynamicStateCreateInfo, dynamic,
                  .dynamicStateCount = s->dynamic_count,
                  .pDynamicStates = s->dynamic);
   const VKT_INFO(
      GraphicsPipelineCreateInfo, info,
      .pNext = t->pass ? s->next : &rendering,
      .flags = s->flags |
               (s->feedback
                   ? VK_PIPELINE_CREATE_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT
                   : 0),
      .stageCount = stage_count, .pStages = stages,
      .pVertexInputState = is_dynamic(s, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT)
                              ? vkt_ignored()
                              : &input.info,
      .pInputAssemblyState = &assembly,
      .pTessellationState = s->tes.words ? &tess : vkt_ignored(),
      .pViewportState = &viewports.info,
      .pRasterizationState = s->no_raster ? NULL
                             : s->raster  ? s->raster
                                          : &filled,
      .pMultisampleState = s->multisample ? s->multisample : &multisample,
      .pDepthStencilState = s->depth_stencil ? s->depth_stencil
                                             : vkt_ignored(),
      .pColorBlendState = &blend, .pDynamicState = &dynamic, .layout = layout,
      .renderPass = t->pass);
   const VkResult result =
      s->in_parts ? vkt_create_in_parts(&info, s->cache, s->told, out)
                  : vkCreateGraphicsPipelines(vkt.device, s->cache, 1, &info,
                                              NULL, out);
   for (uint32_t i = 0; i < stage_count; i++)
      vkDestroyShaderModule(vkt.device, stages[i].module, NULL);
   return result;
}

/* ---- what surrounds a draw ---- */

static void
begin_xfb(VkCommandBuffer cmd, const struct vkt_scene *s)
{
   for (uint32_t i = 0; i < VKT_MAX_XFB; i++) {
      const VkDeviceSize zero = 0;
      if (s->xfb[i])
         VKT_PROC(vkCmdBindTransformFeedbackBuffersEXT)
      (cmd, i, 1, &s->xfb[i]->buffer, &zero, &s->xfb[i]->size_B);
   }
   VKT_PROC(vkCmdBeginTransformFeedbackEXT)(cmd, 0, 0, NULL, NULL);
}

static bool
captures(const struct vkt_scene *s)
{
   for (uint32_t i = 0; i < VKT_MAX_XFB; i++) {
      if (s->xfb[i])
         return true;
   }
   return false;
}

static VkQueryPool
create_query(const struct vkt_scene *s)
{
   return VKT_NEW(QueryPool, QUERY_POOL, .queryType = s->query_type,
                  .queryCount = 1, .pipelineStatistics = s->statistics);
}

static void
begin_query(VkCommandBuffer cmd, const struct vkt_scene *s, VkQueryPool pool)
{
   if (s->query_type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT)
      VKT_PROC(vkCmdBeginQueryIndexedEXT)(cmd, pool, 0, 0, s->query_stream);
   else
      vkCmdBeginQuery(cmd, pool, 0, 0);
}

static void
end_query(VkCommandBuffer cmd, const struct vkt_scene *s, VkQueryPool pool)
{
   if (s->query_type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT)
      VKT_PROC(vkCmdEndQueryIndexedEXT)(cmd, pool, 0, s->query_stream);
   else
      vkCmdEndQuery(cmd, pool, 0);
}

/* A feedback query has two values, the others here have one. */
static void
read_query(const struct vkt_scene *s, VkQueryPool pool)
{
   const unsigned n =
      s->query_type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ? 2 : 1;
   VKT_CHECK(vkGetQueryPoolResults(vkt.device, pool, 0, 1, 8 * n, s->query,
                                   8 * n, VK_QUERY_RESULT_64_BIT));
   vkDestroyQueryPool(vkt.device, pool, NULL);
}

static void
record_draw(VkCommandBuffer cmd, const struct vkt_scene *s,
            const struct vkt_buffer *vertices,
            const struct vkt_buffer *indices,
            const struct vkt_buffer *parameters)
{
   const VkDeviceSize zero = 0;
   if (s->stride_B)
      VKT_PROC(vkCmdBindVertexBuffers2EXT)
   (cmd, 0, 1, &vertices->buffer, &zero, NULL, &s->stride_B);
   else if (s->vertices)
      vkCmdBindVertexBuffers(cmd, 0, 1, &vertices->buffer, &zero);
   if (s->set_state)
      s->set_state(cmd, s->data);
   if (s->draws_itself)
      return;
   const uint32_t instances = MAX2(s->instances, 1);
   const bool xfb = captures(s);
   if (xfb)
      begin_xfb(cmd, s);
   if (s->indices) {
      vkCmdBindIndexBuffer(cmd, indices->buffer, 0, VK_INDEX_TYPE_UINT16);
      if (s->indirect)
         vkCmdDrawIndexedIndirect(cmd, parameters->buffer, 0, 1, 0);
      else
         vkCmdDrawIndexed(cmd, s->index_count, instances, s->first_index, 0,
                          0);
   } else if (s->counter) {
      VKT_PROC(vkCmdDrawIndirectByteCountEXT)
      (cmd, instances, 0, s->counter->buffer, 0, s->counter_less,
       s->counter_stride_B);
   } else {
      vkCmdDraw(cmd, s->vertex_count, instances, 0, 0);
   }
   if (xfb)
      VKT_PROC(vkCmdEndTransformFeedbackEXT)(cmd, 0, 0, NULL, NULL);
}

static struct vkt_buffer
filled_buffer(const void *data, size_t size_B)
{
   struct vkt_buffer b = vkt_buffer_create(MAX2(size_B, 16));
   if (size_B)
      memcpy(b.map, data, size_B);
   return b;
}

static void
begin_pass(VkCommandBuffer cmd, const struct vkt_scene *s,
           const struct target *t)
{
   VkClearValue clear[MAX_ATTACHMENTS] = { { .color = s->clear } };
   if (s->depth_stencil)
      clear[t->views - 1].depthStencil =
         (VkClearDepthStencilValue) { 1 - s->depth_clear_below_1,
                                      s->stencil_clear };
   const VKT_INFO(RenderPassBeginInfo, pass, .renderPass = t->pass,
                  .framebuffer = t->framebuffer,
                  .renderArea = { .extent = { s->width, s->height } },
                  .clearValueCount = MAX_ATTACHMENTS, .pClearValues = clear);
   vkCmdBeginRenderPass(cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
}

static void
begin_target(VkCommandBuffer cmd, const struct vkt_scene *s,
             const struct target *t)
{
   if (s->way == VKT_IN_PASS) {
      begin_pass(cmd, s, t);
      return;
   }
   const struct vkt_rendering r = rendering_of(s, t);
   const bool resumes = s->way == VKT_IN_RESUMED;
   if (resumes) {
      vkt_begin_rendering(cmd, &r, VK_RENDERING_SUSPENDING_BIT);
      VKT_PROC(vkCmdEndRenderingKHR)(cmd);
   }
   vkt_begin_rendering(cmd, &r, resumes ? VK_RENDERING_RESUMING_BIT : 0);
}

static void
draw_with(const struct vkt_scene *s, const struct target *t,
          const struct bindings *b, VkPipeline pipeline)
{
   const size_t stride_B = MAX2(s->stride_B, s->attributes * 16);
   struct vkt_buffer vertices = filled_buffer(
      s->vertices, s->vertices ? s->vertex_count * stride_B : 0);
   struct vkt_buffer indices = filled_buffer(
      s->indices, s->indices ? (s->first_index + s->index_count) * 2 : 0);
   const VkDrawIndexedIndirectCommand drawn = {
      .indexCount = s->index_count,
      .instanceCount = MAX2(s->instances, 1),
      .firstIndex = s->first_index,
   };
   struct vkt_buffer parameters = filled_buffer(&drawn, sizeof(drawn));
   VkQueryPool query = s->query ? create_query(s) : VK_NULL_HANDLE;
   VkCommandBuffer cmd = vkt_begin();
   if (query) {
      vkCmdResetQueryPool(cmd, query, 0, 1);
      begin_query(cmd, s, query);
   }
   VkCommandBuffer in = s->way == VKT_IN_RECORDED ? vkt_begin_secondary()
                                                  : cmd;
   begin_target(in, s, t);
   bind(in, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline, b);
   record_draw(in, s, &vertices, &indices, &parameters);
   if (s->way == VKT_IN_PASS)
      vkCmdEndRenderPass(in);
   else
      VKT_PROC(vkCmdEndRenderingKHR)(in);
   if (in != cmd)
      vkt_execute(cmd, in);
   if (query)
      end_query(cmd, s, query);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   if (query)
      read_query(s, query);
   vkt_buffer_destroy(&vertices);
   vkt_buffer_destroy(&indices);
   vkt_buffer_destroy(&parameters);
}

VkResult
vkt_try_draw(const struct vkt_scene *s, uint32_t *rgba)
{
   struct target t =
      create_target(s, MAX2(s->samples, VK_SAMPLE_COUNT_1_BIT));
   struct bindings b = create_bindings(s->resources, s->resource_count);
   VkPipeline pipeline;
   const VkResult result = create_pipeline(s, &t, b.layout, &pipeline);
   if (!result) {
      draw_with(s, &t, &b, pipeline);
      if (rgba)
         vkt_image_read(&t.resolved, 0, rgba,
                        s->width * s->height * layers_of(s) * 4);
      vkDestroyPipeline(vkt.device, pipeline, NULL);
   }
   destroy_bindings(&b);
   destroy_target(&t);
   return result;
}

void
vkt_draw(const struct vkt_scene *scene, uint32_t *rgba)
{
   VKT_CHECK(vkt_try_draw(scene, rgba));
}
