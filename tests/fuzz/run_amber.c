/* SPDX-License-Identifier: MIT */
/*
 * Does for amber.py and shader_tests.py what a script says, and for
 * shader_files.py what a file of a shader needs, a line at a time.
 *
 * usage: run_amber LIBRARY, the driver's library, opened without a loader.
 *
 * Lines of standard input; each answers `ok`, or `error` and what failed.
 *    extension NAME                 fails if the driver has it not
 *    reset                          forgets all that follows
 *    buffer BYTES FILE              the next buffer, with what FILE has
 *    image W H FORMAT BYTES         the next image, of texels of BYTES
 *    fill IMAGE FILE                texels of an image
 *    stage BIT ENTRY FILE (ID VALUE)...   with specialization constants
 *    bind SET BINDING TYPE BUFFER
 *    sampler FILTER ADDRESS         of the next textures; nearest, repeat
 *    texture SET BINDING TYPE IMAGE  a sampler, an image or both
 *    push BYTES FILE                push constants
 *    color IMAGE                    the next color attachment
 *    vertex LOCATION FORMAT STRIDE BUFFER
 *    view X Y W H                   the viewport, if not all of the target
 *    scissor X Y W H
 *    clockwise                      triangles that look so are front faces
 *    dispatch X Y Z
 *    draw TOPOLOGY FIRST COUNT
 *    clear IMAGE R G B A
 *    save BUFFER FILE, saveimage IMAGE FILE
 * dispatch and draw take what was said since the last of them, and forget all
 * but buffers and images. Formats, types, bits, topologies, filters and ways
 * to address are Vulkan's numbers; images stay in VK_IMAGE_LAYOUT_GENERAL.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "util/macros.h"

#define MAX_OBJECTS 64
#define MAX_STAGES 5
#define MAX_CONSTANTS 16
#define MAX_SETS 4
#define MAX_COLORS 8
#define MAX_PUSH_B 256
#define FILTERS 2
#define ADDRESSES 4

struct buffer {
   VkBuffer buffer;
   VkDeviceMemory memory;
   void *map;
   size_t size_B;
};

struct image {
   VkImage image;
   VkImageView view;
   VkDeviceMemory memory;
   VkFormat format;
   uint32_t width, height, texel_B;
};

struct stage {
   VkShaderStageFlagBits bit;
   char entry[512], path[512];
   VkSpecializationMapEntry entries[MAX_CONSTANTS];
   uint32_t values[MAX_CONSTANTS];
   VkSpecializationInfo constants;
};

struct binding {
   unsigned set, number, object; /* a buffer's or an image's number */
   unsigned sampler;
   VkDescriptorType type;
};

/* What a pipeline is made of. */
struct job {
   struct stage stages[MAX_STAGES];
   struct binding bindings[MAX_OBJECTS];
   VkVertexInputAttributeDescription attributes[MAX_OBJECTS];
   VkVertexInputBindingDescription streams[MAX_OBJECTS];
   unsigned vertex_buffers[MAX_OBJECTS], colors[MAX_COLORS];
   unsigned stage_count, binding_count, stream_count, color_count;
   uint8_t push[MAX_PUSH_B];
   uint32_t push_B;
   unsigned sampler;    /* of textures that are said from now on */
   VkViewport viewport; /* without a width: the target */
   VkRect2D scissor;    /* likewise */
   VkFrontFace front;
};

/* What is made for one and destroyed with it. */
struct made {
   VkShaderModule modules[MAX_STAGES];
   VkDescriptorSetLayout layouts[MAX_SETS];
   VkDescriptorSet sets[MAX_SETS];
   VkDescriptorPool pool;
   VkPipelineLayout layout;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkPipeline pipeline;
   VkPipelineShaderStageCreateInfo stages[MAX_STAGES];
};

struct amber {
   struct device d;
   VkCommandBuffer cmd;
   VkSampler samplers[FILTERS * ADDRESSES];
   struct buffer buffers[MAX_OBJECTS];
   struct image images[MAX_OBJECTS];
   unsigned buffer_count, image_count;
   struct job job;
};

static bool
fail(const char *why)
{
   printf("error %s\n", why);
   return false;
}

/* ---- objects ---- */

static bool
make_buffer(struct device *d, size_t size_B, struct buffer *b)
{
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = size_B,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
               VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT,
   };
   b->size_B = size_B;
   TRY(d->CreateBuffer(d->device, &info, NULL, &b->buffer));
   VkMemoryRequirements need;
   d->GetBufferMemoryRequirements(d->device, b->buffer, &need);
   if (!device_allocate(d, &need, &b->memory))
      return false;
   TRY(d->BindBufferMemory(d->device, b->buffer, b->memory, 0));
   TRY(d->MapMemory(d->device, b->memory, 0, VK_WHOLE_SIZE, 0, &b->map));
   return true;
}

static void
drop_buffer(struct device *d, struct buffer *b)
{
   d->DestroyBuffer(d->device, b->buffer, NULL);
   d->FreeMemory(d->device, b->memory, NULL);
   memset(b, 0, sizeof(*b));
}

/* What images of a format can be used as, beside attachments and copies. */
static VkImageUsageFlags
shader_uses(struct device *d, VkFormat format)
{
   VkFormatProperties has;
   d->GetPhysicalDeviceFormatProperties(d->pdev, format, &has);
   const VkFormatFeatureFlags of = has.optimalTilingFeatures;
   return (of & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT
              ? VK_IMAGE_USAGE_SAMPLED_BIT
              : 0) |
          (of & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT
              ? VK_IMAGE_USAGE_STORAGE_BIT
              : 0);
}

static bool
make_image(struct device *d, struct image *i)
{
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = i->format,
      .extent = { i->width, i->height, 1 },
      .mipLevels = 1,
      .arrayLayers = 1,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
               VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
               VK_IMAGE_USAGE_TRANSFER_DST_BIT | shader_uses(d, i->format),
   };
   TRY(d->CreateImage(d->device, &info, NULL, &i->image));
   VkMemoryRequirements need;
   d->GetImageMemoryRequirements(d->device, i->image, &need);
   if (!device_allocate(d, &need, &i->memory))
      return false;
   TRY(d->BindImageMemory(d->device, i->image, i->memory, 0));
   const VkImageViewCreateInfo view = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = i->image,
      .viewType = VK_IMAGE_VIEW_TYPE_2D,
      .format = i->format,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
   };
   TRY(d->CreateImageView(d->device, &view, NULL, &i->view));
   return true;
}

static void
invalidate_all(struct amber *a)
{
   struct device *d = &a->d;
   for (unsigned i = 0; i < a->buffer_count; i++)
      drop_buffer(d, &a->buffers[i]);
   for (unsigned i = 0; i < a->image_count; i++) {
      d->DestroyImageView(d->device, a->images[i].view, NULL);
      d->DestroyImage(d->device, a->images[i].image, NULL);
      d->FreeMemory(d->device, a->images[i].memory, NULL);
   }
   memset(a->images, 0, sizeof(a->images));
   memset(&a->job, 0, sizeof(a->job));
   a->buffer_count = a->image_count = 0;
}

/* ---- commands ---- */

static bool
begin(struct amber *a)
{
   const VkCommandBufferBeginInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
   };
   TRY(a->d.BeginCommandBuffer(a->cmd, &info));
   return true;
}

static bool
finish(struct amber *a)
{
   const VkMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_HOST_READ_BIT,
   };
   a->d.CmdPipelineBarrier(a->cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT |
                              VK_PIPELINE_STAGE_HOST_BIT,
                           0, 1, &barrier, 0, NULL, 0, NULL);
   TRY(a->d.EndCommandBuffer(a->cmd));
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &a->cmd,
   };
   TRY(a->d.QueueSubmit(a->d.queue, 1, &submit, VK_NULL_HANDLE));
   TRY(a->d.QueueWaitIdle(a->d.queue));
   return true;
}

static void
to_general(struct amber *a, const struct image *i)
{
   const VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
      .newLayout = VK_IMAGE_LAYOUT_GENERAL,
      .image = i->image,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
   };
   a->d.CmdPipelineBarrier(a->cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                           NULL, 1, &barrier);
}

static bool
clear(struct amber *a, const struct image *i, const float color[4])
{
   const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                         1 };
   VkClearColorValue value;
   memcpy(value.float32, color, sizeof(value.float32));
   if (!begin(a))
      return false;
   a->d.CmdClearColorImage(a->cmd, i->image, VK_IMAGE_LAYOUT_GENERAL, &value,
                           1, &all);
   return finish(a);
}

static bool
write_file(const char *path, const void *data, size_t size_B)
{
   FILE *out = fopen(path, "wb");
   if (!out)
      return fail("a file is not written");
   const bool ok = fwrite(data, 1, size_B, out) == size_B;
   return (fclose(out) == 0 && ok) || fail("a file is not written");
}

static bool
read_file(const char *path, void *data, size_t size_B)
{
   FILE *in = fopen(path, "rb");
   const bool ok = in && fread(data, 1, size_B, in) == size_B;
   if (in)
      fclose(in);
   return ok || fail("a file is not read");
}

static bool
save_image(struct amber *a, const struct image *i, const char *path)
{
   struct buffer b = { 0 };
   const VkBufferImageCopy copy = {
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .imageExtent = { i->width, i->height, 1 },
   };
   bool ok =
      make_buffer(&a->d, (size_t)i->width * i->height * i->texel_B, &b) &&
      begin(a);
   if (ok) {
      a->d.CmdCopyImageToBuffer(a->cmd, i->image, VK_IMAGE_LAYOUT_GENERAL,
                                b.buffer, 1, &copy);
      ok = finish(a) && write_file(path, b.map, b.size_B);
   }
   drop_buffer(&a->d, &b);
   return ok;
}

static bool
fill_image(struct amber *a, const struct image *i, const char *path)
{
   struct buffer b = { 0 };
   const VkBufferImageCopy copy = {
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .imageExtent = { i->width, i->height, 1 },
   };
   bool ok =
      make_buffer(&a->d, (size_t)i->width * i->height * i->texel_B, &b) &&
      read_file(path, b.map, b.size_B) && begin(a);
   if (ok) {
      a->d.CmdCopyBufferToImage(a->cmd, b.buffer, i->image,
                                VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
      ok = finish(a);
   }
   drop_buffer(&a->d, &b);
   return ok;
}

/* ---- pipelines ---- */

static bool
is_of_images(VkDescriptorType type)
{
   return type <= VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

static bool
make_sets(struct amber *a, const struct job *job, struct made *m)
{
   struct device *d = &a->d;
   VkDescriptorPoolSize sizes[MAX_OBJECTS];
   for (unsigned s = 0; s < MAX_SETS; s++) {
      VkDescriptorSetLayoutBinding bindings[MAX_OBJECTS];
      uint32_t n = 0;
      for (unsigned i = 0; i < job->binding_count; i++) {
         const struct binding *b = &job->bindings[i];
         sizes[i] = (VkDescriptorPoolSize) { b->type, 1 };
         if (b->set == s)
            bindings[n++] = (VkDescriptorSetLayoutBinding) {
               b->number, b->type, 1, VK_SHADER_STAGE_ALL, NULL,
            };
      }
      const VkDescriptorSetLayoutCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
         .bindingCount = n,
         .pBindings = bindings,
      };
      TRY(d->CreateDescriptorSetLayout(d->device, &info, NULL,
                                       &m->layouts[s]));
   }
   const VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = MAX_SETS,
      .poolSizeCount = job->binding_count,
      .pPoolSizes = sizes,
   };
   TRY(d->CreateDescriptorPool(d->device, &pool, NULL, &m->pool));
   const VkDescriptorSetAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .descriptorPool = m->pool,
      .descriptorSetCount = MAX_SETS,
      .pSetLayouts = m->layouts,
   };
   TRY(d->AllocateDescriptorSets(d->device, &allocate, m->sets));
   for (unsigned i = 0; i < job->binding_count; i++) {
      const struct binding *b = &job->bindings[i];
      const bool is_image = is_of_images(b->type);
      const VkDescriptorBufferInfo range = {
         is_image ? VK_NULL_HANDLE : a->buffers[b->object].buffer,
         0,
         VK_WHOLE_SIZE,
      };
      const VkDescriptorImageInfo image = {
         a->samplers[b->sampler],
         is_image ? a->images[b->object].view : VK_NULL_HANDLE,
         VK_IMAGE_LAYOUT_GENERAL,
      };
      const VkWriteDescriptorSet write = {
         .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = m->sets[b->set],
         .dstBinding = b->number,
         .descriptorCount = 1,
         .descriptorType = b->type,
         .pBufferInfo = &range,
         .pImageInfo = &image,
      };
      d->UpdateDescriptorSets(d->device, 1, &write, 0, NULL);
   }
   return true;
}

static bool
make_layout(struct amber *a, const struct job *job, struct made *m)
{
   struct device *d = &a->d;
   const VkPushConstantRange push = { VK_SHADER_STAGE_ALL, 0, job->push_B };
   const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = MAX_SETS,
      .pSetLayouts = m->layouts,
      .pushConstantRangeCount = job->push_B ? 1 : 0,
      .pPushConstantRanges = &push,
   };
   TRY(d->CreatePipelineLayout(d->device, &info, NULL, &m->layout));
   for (unsigned i = 0; i < job->stage_count; i++) {
      if (!device_read_module(d, job->stages[i].path, &m->modules[i]))
         return false;
      m->stages[i] = (VkPipelineShaderStageCreateInfo) {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = job->stages[i].bit,
         .module = m->modules[i],
         .pName = job->stages[i].entry,
         .pSpecializationInfo = &job->stages[i].constants,
      };
   }
   return true;
}

static bool
make_target(struct amber *a, const struct job *job, struct made *m)
{
   struct device *d = &a->d;
   VkAttachmentDescription attachments[MAX_COLORS];
   VkAttachmentReference references[MAX_COLORS];
   VkImageView views[MAX_COLORS];
   for (unsigned i = 0; i < job->color_count; i++) {
      const struct image *image = &a->images[job->colors[i]];
      attachments[i] = (VkAttachmentDescription) {
         .format = image->format,
         .samples = VK_SAMPLE_COUNT_1_BIT,
         .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
         .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
         .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
      };
      references[i] = (VkAttachmentReference) { i, VK_IMAGE_LAYOUT_GENERAL };
      views[i] = image->view;
   }
   const VkSubpassDescription subpass = {
      .colorAttachmentCount = job->color_count,
      .pColorAttachments = references,
   };
   const VkRenderPassCreateInfo pass = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
      .attachmentCount = job->color_count,
      .pAttachments = attachments,
      .subpassCount = 1,
      .pSubpasses = &subpass,
   };
   TRY(d->CreateRenderPass(d->device, &pass, NULL, &m->pass));
   const VkFramebufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
      .renderPass = m->pass,
      .attachmentCount = job->color_count,
      .pAttachments = views,
      .width = a->images[job->colors[0]].width,
      .height = a->images[job->colors[0]].height,
      .layers = 1,
   };
   TRY(d->CreateFramebuffer(d->device, &info, NULL, &m->framebuffer));
   return true;
}

static bool
make_graphics(struct amber *a, const struct job *job, struct made *m,
              VkPrimitiveTopology topology)
{
   const struct image *target = &a->images[job->colors[0]];
   const VkViewport all = { 0, 0, (float)target->width, (float)target->height,
                            0, 1 };
   const VkRect2D whole = { .extent = { target->width, target->height } };
   const VkPipelineVertexInputStateCreateInfo vertices = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = job->stream_count,
      .pVertexBindingDescriptions = job->streams,
      .vertexAttributeDescriptionCount = job->stream_count,
      .pVertexAttributeDescriptions = job->attributes,
   };
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = topology,
   };
   const VkPipelineViewportStateCreateInfo viewports = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
      .viewportCount = 1,
      .pViewports = job->viewport.width > 0 ? &job->viewport : &all,
      .scissorCount = 1,
      .pScissors = job->scissor.extent.width ? &job->scissor : &whole,
   };
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .frontFace = job->front,
      .lineWidth = 1,
   };
   const VkPipelineMultisampleStateCreateInfo samples = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
   };
   VkPipelineColorBlendAttachmentState blends[MAX_COLORS];
   for (unsigned i = 0; i < job->color_count; i++)
      blends[i] =
         (VkPipelineColorBlendAttachmentState) { .colorWriteMask = 15 };
   const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = job->color_count,
      .pAttachments = blends,
   };
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = job->stage_count,
      .pStages = m->stages,
      .pVertexInputState = &vertices,
      .pInputAssemblyState = &assembly,
      .pViewportState = &viewports,
      .pRasterizationState = &raster,
      .pMultisampleState = &samples,
      .pColorBlendState = &blend,
      .layout = m->layout,
      .renderPass = m->pass,
   };
   TRY(a->d.CreateGraphicsPipelines(a->d.device, VK_NULL_HANDLE, 1, &info,
                                    NULL, &m->pipeline));
   return true;
}

static void
bind(struct amber *a, const struct job *job, const struct made *m,
     VkPipelineBindPoint point)
{
   a->d.CmdBindPipeline(a->cmd, point, m->pipeline);
   a->d.CmdBindDescriptorSets(a->cmd, point, m->layout, 0, MAX_SETS, m->sets,
                              0, NULL);
   if (job->push_B)
      a->d.CmdPushConstants(a->cmd, m->layout, VK_SHADER_STAGE_ALL, 0,
                            job->push_B, job->push);
}

static bool
draw(struct amber *a, const struct job *job, struct made *m,
     const uint32_t what[3])
{
   if (!job->color_count)
      return fail("no color attachment");
   if (!make_sets(a, job, m) || !make_layout(a, job, m) ||
       !make_target(a, job, m) ||
       !make_graphics(a, job, m, (VkPrimitiveTopology)what[0]) || !begin(a))
      return false;
   const VkRenderPassBeginInfo pass = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = m->pass,
      .framebuffer = m->framebuffer,
      .renderArea.extent = { a->images[job->colors[0]].width,
                             a->images[job->colors[0]].height },
   };
   bind(a, job, m, VK_PIPELINE_BIND_POINT_GRAPHICS);
   for (uint32_t i = 0; i < job->stream_count; i++) {
      const VkDeviceSize zero = 0;
      a->d.CmdBindVertexBuffers(
         a->cmd, i, 1, &a->buffers[job->vertex_buffers[i]].buffer, &zero);
   }
   a->d.CmdBeginRenderPass(a->cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
   a->d.CmdDraw(a->cmd, what[2], 1, what[1], 0);
   a->d.CmdEndRenderPass(a->cmd);
   return finish(a);
}

static bool
dispatch(struct amber *a, const struct job *job, struct made *m,
         const uint32_t groups[3])
{
   if (!job->stage_count)
      return fail("no shader");
   if (!make_sets(a, job, m) || !make_layout(a, job, m))
      return false;
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = m->stages[0],
      .layout = m->layout,
   };
   TRY(a->d.CreateComputePipelines(a->d.device, VK_NULL_HANDLE, 1, &info,
                                   NULL, &m->pipeline));
   if (!begin(a))
      return false;
   bind(a, job, m, VK_PIPELINE_BIND_POINT_COMPUTE);
   a->d.CmdDispatch(a->cmd, groups[0], groups[1], groups[2]);
   return finish(a);
}

static void
drop(struct device *d, const struct made *m)
{
   d->DestroyPipeline(d->device, m->pipeline, NULL);
   d->DestroyFramebuffer(d->device, m->framebuffer, NULL);
   d->DestroyRenderPass(d->device, m->pass, NULL);
   d->DestroyPipelineLayout(d->device, m->layout, NULL);
   d->DestroyDescriptorPool(d->device, m->pool, NULL);
   for (unsigned i = 0; i < MAX_SETS; i++)
      d->DestroyDescriptorSetLayout(d->device, m->layouts[i], NULL);
   for (unsigned i = 0; i < MAX_STAGES; i++)
      d->DestroyShaderModule(d->device, m->modules[i], NULL);
}

/* ---- lines ---- */

/* The next word as a number below `end`; `*ok` is false if there is none. */
static uint32_t
number(bool *ok, uint64_t end)
{
   const char *word = strtok(NULL, " \n");
   char *rest = NULL;
   const uint64_t n = word ? strtoull(word, &rest, 10) : 0;
   *ok = *ok && word && !*rest && n < end;
   return *ok ? (uint32_t)n : 0;
}

static const char *
text(bool *ok)
{
   const char *word = strtok(NULL, " \n");
   *ok = *ok && word && strlen(word) < sizeof(((struct stage *)0)->path);
   return *ok ? word : "";
}

static bool
take_extension(struct amber *a)
{
   bool ok = true;
   const char *name = text(&ok);
   return (ok && device_has_extension(&a->d, name)) || fail("no extension");
}

static bool
take_buffer(struct amber *a)
{
   bool ok = a->buffer_count < MAX_OBJECTS;
   const uint32_t size_B = number(&ok, 1u << 28);
   const char *path = text(&ok);
   struct buffer *b = &a->buffers[a->buffer_count];
   if (!ok || !size_B)
      return fail("no such buffer");
   a->buffer_count++;
   return make_buffer(&a->d, size_B, b) && read_file(path, b->map, size_B);
}

static bool
take_image(struct amber *a)
{
   bool ok = a->image_count < MAX_OBJECTS;
   struct image *i = &a->images[a->image_count];
   i->width = number(&ok, 8193);
   i->height = number(&ok, 8193);
   i->format = (VkFormat)number(&ok, 1000);
   i->texel_B = number(&ok, 33);
   if (!ok || !i->width || !i->height)
      return fail("no such image");
   a->image_count++;
   if (!make_image(&a->d, i) || !begin(a))
      return false;
   to_general(a, i);
   return finish(a);
}

static bool
take_texels(struct amber *a)
{
   bool ok = true;
   const uint32_t n = number(&ok, a->image_count);
   const char *path = text(&ok);
   return ok ? fill_image(a, &a->images[n], path) : fail("no such image");
}

static bool
take_stage(struct amber *a)
{
   bool ok = a->job.stage_count < MAX_STAGES;
   struct stage *s = &a->job.stages[a->job.stage_count];
   s->bit = (VkShaderStageFlagBits)number(&ok, 64);
   snprintf(s->entry, sizeof(s->entry), "%s", text(&ok));
   snprintf(s->path, sizeof(s->path), "%s", text(&ok));
   uint32_t n = 0;
   for (const char *id = strtok(NULL, " \n"); ok && id;
        id = strtok(NULL, " \n"), n++) {
      ok = n < MAX_CONSTANTS;
      if (!ok)
         break;
      s->entries[n] = (VkSpecializationMapEntry) {
         (uint32_t)strtoul(id, NULL, 10),
         n * 4,
         4,
      };
      s->values[n] = number(&ok, 1ull << 32);
   }
   if (!ok)
      return fail("no such stage");
   s->constants = (VkSpecializationInfo) { n, s->entries, n * 4, s->values };
   a->job.stage_count++;
   return true;
}

static bool
take_binding(struct amber *a, bool has_images)
{
   bool ok = a->job.binding_count < MAX_OBJECTS;
   struct binding *b = &a->job.bindings[a->job.binding_count];
   b->set = number(&ok, MAX_SETS);
   b->number = number(&ok, 1000);
   b->type = (VkDescriptorType)number(&ok, 8);
   const bool is_sampler = b->type == VK_DESCRIPTOR_TYPE_SAMPLER;
   b->object = number(&ok, is_sampler   ? 1
                           : has_images ? a->image_count
                                        : a->buffer_count);
   if (!ok || is_of_images(b->type) != has_images)
      return fail("no such binding");
   b->sampler = a->job.sampler;
   a->job.binding_count++;
   return true;
}

static bool
take_sampler(struct amber *a)
{
   bool ok = true;
   const uint32_t filter = number(&ok, FILTERS);
   const uint32_t address = number(&ok, ADDRESSES);
   a->job.sampler = filter * ADDRESSES + address;
   return ok || fail("no such sampler");
}

static bool
take_viewport(struct amber *a)
{
   bool ok = true;
   VkViewport *v = &a->job.viewport;
   v->x = strtof(text(&ok), NULL);
   v->y = strtof(text(&ok), NULL);
   v->width = strtof(text(&ok), NULL);
   v->height = strtof(text(&ok), NULL);
   v->maxDepth = 1;
   return ok || fail("no such viewport");
}

static bool
take_scissor(struct amber *a)
{
   bool ok = true;
   VkRect2D *s = &a->job.scissor;
   s->offset.x = (int32_t)number(&ok, 8193);
   s->offset.y = (int32_t)number(&ok, 8193);
   s->extent.width = number(&ok, 8193);
   s->extent.height = number(&ok, 8193);
   return ok || fail("no such scissor");
}

static bool
take_vertices(struct amber *a)
{
   struct job *job = &a->job;
   const uint32_t n = job->stream_count;
   bool ok = n < MAX_OBJECTS;
   const uint32_t location = number(&ok, 32);
   const VkFormat format = (VkFormat)number(&ok, 1000);
   const uint32_t stride_B = number(&ok, 2049);
   const uint32_t buffer = number(&ok, a->buffer_count);
   if (!ok)
      return fail("no such vertices");
   job->streams[n] = (VkVertexInputBindingDescription) {
      n,
      stride_B,
      VK_VERTEX_INPUT_RATE_VERTEX,
   };
   job->attributes[n] =
      (VkVertexInputAttributeDescription) { location, n, format, 0 };
   job->vertex_buffers[n] = buffer;
   job->stream_count++;
   return true;
}

static bool
take_color(struct amber *a)
{
   bool ok = a->job.color_count < MAX_COLORS;
   const uint32_t image = number(&ok, a->image_count);
   if (!ok)
      return fail("no such attachment");
   a->job.colors[a->job.color_count++] = image;
   return true;
}

static bool
take_constants(struct amber *a)
{
   bool ok = true;
   const uint32_t size_B = number(&ok, MAX_PUSH_B + 1);
   const char *path = text(&ok);
   a->job.push_B = size_B;
   return ok ? read_file(path, a->job.push, size_B)
             : fail("no such push constants");
}

static bool
take_run(struct amber *a, bool draws)
{
   bool ok = true;
   uint32_t what[3];
   struct made m = { 0 };
   for (unsigned i = 0; i < 3; i++)
      what[i] = number(&ok, 1ull << 32);
   if (ok)
      ok = draws ? draw(a, &a->job, &m, what)
                 : dispatch(a, &a->job, &m, what);
   else
      fail("no such run");
   drop(&a->d, &m);
   memset(&a->job, 0, sizeof(a->job));
   return ok;
}

static bool
take_clear(struct amber *a)
{
   bool ok = true;
   const uint32_t image = number(&ok, a->image_count);
   float color[4];
   for (unsigned i = 0; i < 4; i++)
      color[i] = strtof(text(&ok), NULL);
   return ok ? clear(a, &a->images[image], color) : fail("no such clear");
}

static bool
take_save(struct amber *a, bool is_image)
{
   bool ok = true;
   const uint32_t n =
      number(&ok, is_image ? a->image_count : a->buffer_count);
   const char *path = text(&ok);
   if (!ok)
      return fail("nothing to save");
   return is_image
             ? save_image(a, &a->images[n], path)
             : write_file(path, a->buffers[n].map, a->buffers[n].size_B);
}

static bool
take_line(struct amber *a, char *line)
{
   const char *word = strtok(line, " \n");
   if (!word)
      return fail("an empty line");
   if (!strcmp(word, "reset")) {
      invalidate_all(a);
      return true;
   }
   if (!strcmp(word, "extension"))
      return take_extension(a);
   if (!strcmp(word, "buffer"))
      return take_buffer(a);
   if (!strcmp(word, "image"))
      return take_image(a);
   if (!strcmp(word, "stage"))
      return take_stage(a);
   if (!strcmp(word, "fill"))
      return take_texels(a);
   if (!strcmp(word, "bind") || !strcmp(word, "texture"))
      return take_binding(a, !strcmp(word, "texture"));
   if (!strcmp(word, "sampler"))
      return take_sampler(a);
   if (!strcmp(word, "view"))
      return take_viewport(a);
   if (!strcmp(word, "scissor"))
      return take_scissor(a);
   if (!strcmp(word, "clockwise")) {
      a->job.front = VK_FRONT_FACE_CLOCKWISE;
      return true;
   }
   if (!strcmp(word, "push"))
      return take_constants(a);
   if (!strcmp(word, "color"))
      return take_color(a);
   if (!strcmp(word, "vertex"))
      return take_vertices(a);
   if (!strcmp(word, "dispatch") || !strcmp(word, "draw"))
      return take_run(a, !strcmp(word, "draw"));
   if (!strcmp(word, "clear"))
      return take_clear(a);
   if (!strcmp(word, "save") || !strcmp(word, "saveimage"))
      return take_save(a, !strcmp(word, "saveimage"));
   return fail("no such word");
}

static bool
make_commands(struct amber *a)
{
   const VkCommandPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
      .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
   };
   VkCommandPool pool;
   TRY(a->d.CreateCommandPool(a->d.device, &info, NULL, &pool));
   const VkCommandBufferAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = pool,
      .commandBufferCount = 1,
   };
   TRY(a->d.AllocateCommandBuffers(a->d.device, &allocate, &a->cmd));
   return true;
}

static bool
make_samplers(struct amber *a)
{
   for (unsigned i = 0; i < FILTERS * ADDRESSES; i++) {
      const VkFilter filter = (VkFilter)(i / ADDRESSES);
      const VkSamplerAddressMode mode = (VkSamplerAddressMode)(i % ADDRESSES);
      const VkSamplerCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
         .magFilter = filter,
         .minFilter = filter,
         .addressModeU = mode,
         .addressModeV = mode,
         .addressModeW = mode,
      };
      TRY(a->d.CreateSampler(a->d.device, &info, NULL, &a->samplers[i]));
   }
   return true;
}

int
main(int argc, char **argv)
{
   static struct amber a;
   char line[4096];

   if (argc != 2) {
      fprintf(stderr, "usage: run_amber LIBRARY\n");
      return 2;
   }
   if (!device_open(&a.d, argv[1]) || !make_commands(&a) ||
       !make_samplers(&a))
      return 1;
   while (fgets(line, sizeof(line), stdin)) {
      if (take_line(&a, line))
         printf("ok\n");
      fflush(stdout);
   }
   return 0;
}
