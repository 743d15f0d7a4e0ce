/* SPDX-License-Identifier: MIT */
#include "scenes.h"

#include <string.h>
#include <unistd.h>

#include "hostile_quad_frag.h"
#include "hostile_quad_vert.h"
#include "util/macros.h"

#define SIDE_PX 16
#define FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define DEPTH_FORMAT VK_FORMAT_D16_UNORM
#define BUFFER_B 4096

/* Ends a function that has `VkResult r` at its first failure. */
#define TRY(call)                                                            \
   do {                                                                      \
      r = (call);                                                            \
      if (r < 0)                                                             \
         goto out;                                                           \
   } while (0)

#define CREATE(type, out, ...)                                               \
   TRY(icd->Create##type(icd->device,                                        \
                         &(const Vk##type##CreateInfo) { __VA_ARGS__ },      \
                         NULL, (out)))
#define DESTROY(type, object) icd->Destroy##type(icd->device, (object), NULL)

/* ---- compute, and the device alone ---- */

static VkResult
fill(struct icd *icd)
{
   return icd_fill(icd) ? icd->result : VK_SUCCESS;
}

static VkResult
make_pipeline(struct icd *icd)
{
   VkPipelineCache cache = VK_NULL_HANDLE;
   struct icd_compute c = { 0 };
   VkResult r;
   CREATE(PipelineCache, &cache,
          .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
   r = icd_compute_create(icd, cache, &c);
   icd_compute_destroy(icd, &c);
out:
   DESTROY(PipelineCache, cache);
   return r;
}

/* ---- memory and what lies in it ---- */

struct bound_image {
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view;
};

struct bound_buffer {
   VkBuffer buffer;
   VkDeviceMemory memory;
};

static VkResult
create_buffer(struct icd *icd, VkBufferUsageFlags usage,
              struct bound_buffer *out)
{
   VkMemoryRequirements needs;
   void *map;
   VkResult r;
   CREATE(Buffer, &out->buffer, .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
          .size = BUFFER_B, .usage = usage);
   icd->GetBufferMemoryRequirements(icd->device, out->buffer, &needs);
   TRY(icd->AllocateMemory(icd->device,
                           &(const VkMemoryAllocateInfo) {
                              .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                              .allocationSize = needs.size,
                           },
                           NULL, &out->memory));
   TRY(icd->BindBufferMemory(icd->device, out->buffer, out->memory, 0));
   TRY(icd->MapMemory(icd->device, out->memory, 0, VK_WHOLE_SIZE, 0, &map));
   memset(map, 0, BUFFER_B);
   icd->UnmapMemory(icd->device, out->memory);
out:
   return r;
}

static void
destroy_buffer(struct icd *icd, const struct bound_buffer *b)
{
   DESTROY(Buffer, b->buffer);
   icd->FreeMemory(icd->device, b->memory, NULL);
}

static VkResult
create_image(struct icd *icd, VkFormat format, VkSampleCountFlagBits samples,
             VkImageUsageFlags usage, struct bound_image *out)
{
   const VkImageAspectFlags aspect = format == DEPTH_FORMAT
                                        ? VK_IMAGE_ASPECT_DEPTH_BIT
                                        : VK_IMAGE_ASPECT_COLOR_BIT;
   VkMemoryRequirements needs;
   VkResult r;
   CREATE(Image, &out->image, .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
          .imageType = VK_IMAGE_TYPE_2D, .format = format,
          .extent = { SIDE_PX, SIDE_PX, 1 }, .mipLevels = 1, .arrayLayers = 1,
          .samples = samples, .usage = usage);
   icd->GetImageMemoryRequirements(icd->device, out->image, &needs);
   TRY(icd->AllocateMemory(icd->device,
                           &(const VkMemoryAllocateInfo) {
                              .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                              .allocationSize = needs.size,
                           },
                           NULL, &out->memory));
   TRY(icd->BindImageMemory(icd->device, out->image, out->memory, 0));
   CREATE(ImageView, &out->view,
          .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
          .image = out->image, .viewType = VK_IMAGE_VIEW_TYPE_2D,
          .format = format, .subresourceRange = { aspect, 0, 1, 0, 1 });
out:
   return r;
}

static void
destroy_image(struct icd *icd, const struct bound_image *i)
{
   DESTROY(ImageView, i->view);
   DESTROY(Image, i->image);
   icd->FreeMemory(icd->device, i->memory, NULL);
}

/* ---- small objects ---- */

static VkResult
make_queries(struct icd *icd)
{
   static const VkQueryType types[] = { VK_QUERY_TYPE_OCCLUSION,
                                        VK_QUERY_TYPE_TIMESTAMP };
   VkResult r = VK_SUCCESS;
   for (unsigned i = 0; i < ARRAY_SIZE(types) && r >= 0; i++) {
      VkQueryPool pool = VK_NULL_HANDLE;
      uint64_t value[2];
      CREATE(QueryPool, &pool,
             .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
             .queryType = types[i], .queryCount = 4);
      icd->GetQueryPoolResults(
         icd->device, pool, 0, 1, sizeof(value), value, sizeof(value),
         VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
   out:
      DESTROY(QueryPool, pool);
   }
   return r;
}

static VkResult
make_sync(struct icd *icd)
{
   VkEvent event = VK_NULL_HANDLE;
   VkFence fence = VK_NULL_HANDLE, other = VK_NULL_HANDLE;
   VkSemaphore binary = VK_NULL_HANDLE, timeline = VK_NULL_HANDLE;
   const VkSemaphoreTypeCreateInfo type = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
   };
   VkResult r;
   CREATE(Event, &event, .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO);
   TRY(icd->SetEvent(icd->device, event));
   TRY(icd->ResetEvent(icd->device, event));
   CREATE(Fence, &fence, .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
   CREATE(Fence, &other, .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
   CREATE(Semaphore, &binary,
          .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
   CREATE(Semaphore, &timeline,
          .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type);
   const uint64_t one = 1;
   const VkTimelineSemaphoreSubmitInfo values = {
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .signalSemaphoreValueCount = 1,
      .pSignalSemaphoreValues = &one,
   };
   const VkSubmitInfo signals[] = {
      { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &timeline },
   };
   TRY(icd->QueueSubmit(icd->queue, 1, signals, fence));
   TRY(icd->QueueSubmit(icd->queue, 1,
                        &(const VkSubmitInfo) {
                           .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .signalSemaphoreCount = 1,
                           .pSignalSemaphores = &binary,
                        },
                        VK_NULL_HANDLE));
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   TRY(icd->QueueSubmit(icd->queue, 1,
                        &(const VkSubmitInfo) {
                           .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .waitSemaphoreCount = 1,
                           .pWaitSemaphores = &binary,
                           .pWaitDstStageMask = &stage,
                        },
                        other));
   const VkFence both[] = { fence, other };
   TRY(icd->WaitForFences(icd->device, 2, both, true, UINT64_MAX));
   TRY(icd->ResetFences(icd->device, 2, both));
out:
   icd_wait(icd);
   DESTROY(Event, event);
   DESTROY(Fence, fence);
   DESTROY(Fence, other);
   DESTROY(Semaphore, binary);
   DESTROY(Semaphore, timeline);
   return r;
}

/* Memory and a fence that go out as descriptors and come in again. */
static VkResult
make_external(struct icd *icd)
{
   const VkExternalMemoryHandleTypeFlagBits kind =
      VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
   VkDeviceMemory memory = VK_NULL_HANDLE, again = VK_NULL_HANDLE;
   VkSemaphore semaphore = VK_NULL_HANDLE;
   int fd = -1;
   VkResult r;
   TRY(icd->AllocateMemory(
      icd->device,
      &(const VkMemoryAllocateInfo) {
         .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
         .pNext =
            &(const VkExportMemoryAllocateInfo) {
               .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
               .handleTypes = kind,
            },
         .allocationSize = BUFFER_B,
      },
      NULL, &memory));
   TRY(icd->GetMemoryFdKHR(
      icd->device,
      &(const VkMemoryGetFdInfoKHR) {
         .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
         .memory = memory,
         .handleType = kind,
      },
      &fd));
   TRY(icd->AllocateMemory(
      icd->device,
      &(const VkMemoryAllocateInfo) {
         .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
         .pNext =
            &(const VkImportMemoryFdInfoKHR) {
               .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
               .handleType = kind,
               .fd = fd,
            },
         .allocationSize = BUFFER_B,
      },
      NULL, &again));
   fd = -1; /* the driver's now */
   CREATE(Semaphore, &semaphore,
          .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
          .pNext = &(const VkExportSemaphoreCreateInfo) {
             .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
             .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
          });
   TRY(icd->GetSemaphoreFdKHR(
      icd->device,
      &(const VkSemaphoreGetFdInfoKHR) {
         .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
         .semaphore = semaphore,
         .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
      },
      &fd));
   TRY(icd->ImportSemaphoreFdKHR(
      icd->device,
      &(const VkImportSemaphoreFdInfoKHR) {
         .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
         .semaphore = semaphore,
         .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
         .fd = fd,
      }));
   fd = -1;
out:
   if (fd >= 0)
      close(fd);
   DESTROY(Semaphore, semaphore);
   icd->FreeMemory(icd->device, again, NULL);
   icd->FreeMemory(icd->device, memory, NULL);
   return r;
}

static VkResult
make_views(struct icd *icd)
{
   struct bound_buffer b = { 0 };
   struct bound_image color = { 0 }, depth = { 0 }, samples = { 0 };
   VkBufferView view = VK_NULL_HANDLE;
   VkSampler sampler = VK_NULL_HANDLE;
   VkSamplerYcbcrConversion conversion = VK_NULL_HANDLE;
   VkPrivateDataSlot slot = VK_NULL_HANDLE;
   VkResult r;
   TRY(create_buffer(icd, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, &b));
   CREATE(BufferView, &view,
          .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
          .buffer = b.buffer, .format = FORMAT, .range = VK_WHOLE_SIZE);
   TRY(create_image(icd, FORMAT, VK_SAMPLE_COUNT_1_BIT,
                    VK_IMAGE_USAGE_STORAGE_BIT |
                       VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
                    &color));
   TRY(create_image(icd, DEPTH_FORMAT, VK_SAMPLE_COUNT_1_BIT,
                    VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, &depth));
   TRY(create_image(icd, FORMAT, VK_SAMPLE_COUNT_4_BIT,
                    VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, &samples));
   CREATE(
      Sampler, &sampler, .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
      .pNext =
         &(const VkSamplerCustomBorderColorCreateInfoEXT) {
            .sType =
               VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
            .customBorderColor.float32 = { 0.5f, 0.25f, 0, 1 },
            .format = FORMAT,
         },
      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
      .borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT);
   CREATE(SamplerYcbcrConversion, &conversion,
          .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
          .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
          .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601);
   CREATE(PrivateDataSlot, &slot,
          .sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO);
   TRY(icd->SetPrivateData(icd->device, VK_OBJECT_TYPE_SAMPLER,
                           (uint64_t)(uintptr_t)sampler, slot, 42));
out:
   DESTROY(PrivateDataSlot, slot);
   DESTROY(SamplerYcbcrConversion, conversion);
   DESTROY(Sampler, sampler);
   DESTROY(BufferView, view);
   destroy_image(icd, &samples);
   destroy_image(icd, &depth);
   destroy_image(icd, &color);
   destroy_buffer(icd, &b);
   return r;
}

/* ---- drawing ---- */

struct drawing {
   struct bound_image target, depth, texture;
   struct bound_buffer uniform, vertices;
   VkSampler sampler;
   VkDescriptorSetLayout set_layout;
   VkDescriptorPool descriptors;
   VkDescriptorSet set;
   VkDescriptorUpdateTemplate template;
   VkPipelineLayout layout;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkShaderModule vert, frag;
   VkPipelineCache cache;
   VkPipeline parts[4]; /* libraries */
   VkPipeline pipeline;
   VkQueryPool queries;
   VkCommandPool pool;
   VkCommandBuffer primary, secondary;
};

static VkResult
create_set(struct icd *icd, struct drawing *d)
{
   VkResult r;
   TRY(create_buffer(icd, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, &d->uniform));
   TRY(create_image(icd, FORMAT, VK_SAMPLE_COUNT_1_BIT,
                    VK_IMAGE_USAGE_SAMPLED_BIT |
                       VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                    &d->texture));
   CREATE(Sampler, &d->sampler,
          .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
   const VkDescriptorSetLayoutBinding bindings[] = {
      { .binding = 0,
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS },
      { .binding = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS,
        .pImmutableSamplers = &d->sampler },
   };
   CREATE(DescriptorSetLayout, &d->set_layout,
          .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
          .bindingCount = 2, .pBindings = bindings);
   const VkDescriptorPoolSize sizes[] = {
      { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1 },
      { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1 },
   };
   CREATE(DescriptorPool, &d->descriptors,
          .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
          .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes);
   TRY(icd->AllocateDescriptorSets(
      icd->device,
      &(const VkDescriptorSetAllocateInfo) {
         .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
         .descriptorPool = d->descriptors,
         .descriptorSetCount = 1,
         .pSetLayouts = &d->set_layout,
      },
      &d->set));
   const VkDescriptorUpdateTemplateEntry entry = {
      .dstBinding = 1,
      .descriptorCount = 1,
      .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
   };
   CREATE(DescriptorUpdateTemplate, &d->template,
          .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
          .descriptorUpdateEntryCount = 1, .pDescriptorUpdateEntries = &entry,
          .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
          .descriptorSetLayout = d->set_layout);
   const VkDescriptorBufferInfo buffer = { d->uniform.buffer, 0, 64 };
   const VkWriteDescriptorSet write = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .dstSet = d->set,
      .descriptorCount = 1,
      .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
      .pBufferInfo = &buffer,
   };
   icd->UpdateDescriptorSets(icd->device, 1, &write, 0, NULL);
   const VkDescriptorImageInfo image = {
      .imageView = d->texture.view,
      .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
   };
   icd->UpdateDescriptorSetWithTemplate(icd->device, d->set, d->template,
                                        &image);
out:
   return r;
}

static VkResult
create_pass(struct icd *icd, struct drawing *d)
{
   VkResult r;
   TRY(create_image(icd, FORMAT, VK_SAMPLE_COUNT_1_BIT,
                    VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                       VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                    &d->target));
   TRY(create_image(icd, DEPTH_FORMAT, VK_SAMPLE_COUNT_1_BIT,
                    VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, &d->depth));
   const VkAttachmentDescription attachments[] = {
      { .format = FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .finalLayout = VK_IMAGE_LAYOUT_GENERAL },
      { .format = DEPTH_FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .finalLayout = VK_IMAGE_LAYOUT_GENERAL },
   };
   const VkAttachmentReference color = { 0, VK_IMAGE_LAYOUT_GENERAL };
   const VkAttachmentReference depth = { 1, VK_IMAGE_LAYOUT_GENERAL };
   const VkSubpassDescription subpass = {
      .colorAttachmentCount = 1,
      .pColorAttachments = &color,
      .pDepthStencilAttachment = &depth,
   };
   CREATE(RenderPass, &d->pass,
          .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
          .attachmentCount = 2, .pAttachments = attachments,
          .subpassCount = 1, .pSubpasses = &subpass);
   const VkImageView views[] = { d->target.view, d->depth.view };
   CREATE(Framebuffer, &d->framebuffer,
          .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
          .renderPass = d->pass, .attachmentCount = 2, .pAttachments = views,
          .width = SIDE_PX, .height = SIDE_PX, .layers = 1);
out:
   return r;
}

static VkResult
create_program(struct icd *icd, struct drawing *d)
{
   const VkPushConstantRange push = { VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16 };
   VkResult r;
   CREATE(PipelineLayout, &d->layout,
          .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
          .setLayoutCount = 1, .pSetLayouts = &d->set_layout,
          .pushConstantRangeCount = 1, .pPushConstantRanges = &push);
   CREATE(ShaderModule, &d->vert,
          .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
          .codeSize = sizeof(hostile_quad_vert), .pCode = hostile_quad_vert);
   CREATE(ShaderModule, &d->frag,
          .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
          .codeSize = sizeof(hostile_quad_frag), .pCode = hostile_quad_frag);
   CREATE(PipelineCache, &d->cache,
          .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
out:
   return r;
}

#define PARTS_LINKED 0xfu

#define PARTS_WITH_SHADERS                                                   \
   (VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |         \
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT)

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
   .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
};
static const VkViewport viewport = { 0, 0, SIDE_PX, SIDE_PX, 0, 1 };
static const VkRect2D scissor = { .extent = { SIDE_PX, SIDE_PX } };
static const VkPipelineViewportStateCreateInfo view = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
   .viewportCount = 1,
   .pViewports = &viewport,
   .scissorCount = 1,
   .pScissors = &scissor,
};
static const VkPipelineRasterizationStateCreateInfo raster = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
   .lineWidth = 1,
};
static const VkPipelineMultisampleStateCreateInfo samples = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
   .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
};
static const VkPipelineDepthStencilStateCreateInfo depth_stencil = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
};
static const VkPipelineColorBlendAttachmentState blend = {
   .colorWriteMask = 15,
};
static const VkPipelineColorBlendStateCreateInfo color_blend = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
   .attachmentCount = 1,
   .pAttachments = &blend,
};
static const VkDynamicState dynamic_state = VK_DYNAMIC_STATE_BLEND_CONSTANTS;
static const VkPipelineDynamicStateCreateInfo dynamic = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
   .dynamicStateCount = 1,
   .pDynamicStates = &dynamic_state,
};

/* The parts of a pipeline that the bits of VkGraphicsPipelineLibraryFlagsEXT
 * name; all: made of the libraries there are, or at once. */
static VkResult
create_part(struct icd *icd, struct drawing *d, uint32_t part,
            VkPipeline *out)
{
   const VkPipelineShaderStageCreateInfo stages[] = {
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .module = d->vert,
        .pName = "main" },
      { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
        .module = d->frag,
        .pName = "main" },
   };
   const bool whole = part == PARTS_LINKED;
   const bool linked = whole && d->parts[0];
   const VkPipelineLibraryCreateInfoKHR libraries = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
      .libraryCount = ARRAY_SIZE(d->parts),
      .pLibraries = d->parts,
   };
   const VkGraphicsPipelineLibraryCreateInfoEXT flags = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
      .flags = part,
   };
   VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = linked  ? (const void *)&libraries
               : whole ? NULL
                       : &flags,
      .flags = whole ? 0 : VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
      .stageCount = 2,
      .pStages = stages,
      .pVertexInputState = &input,
      .pInputAssemblyState = &assembly,
      .pViewportState = &view,
      .pRasterizationState = &raster,
      .pMultisampleState = &samples,
      .pDepthStencilState = &depth_stencil,
      .pColorBlendState = &color_blend,
      .pDynamicState = &dynamic,
      .layout = d->layout,
      .renderPass = d->pass,
   };
   if (linked)
      info.stageCount = 0;
   else if (!whole)
      info.stageCount = part & PARTS_WITH_SHADERS ? 1 : 0;
   if (part == VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT)
      info.pStages = &stages[1];
   return icd->CreateGraphicsPipelines(icd->device, d->cache, 1, &info, NULL,
                                       out);
}

static VkResult
record_secondary(struct icd *icd, struct drawing *d)
{
   const VkCommandBufferInheritanceInfo inherited = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
      .renderPass = d->pass,
   };
   static const float tint[4] = { 1, 1, 1, 1 };
   const VkDeviceSize zero = 0;
   const uint32_t offset = 0;
   VkResult r;
   TRY(icd->BeginCommandBuffer(
      d->secondary,
      &(const VkCommandBufferBeginInfo) {
         .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
         .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
         .pInheritanceInfo = &inherited,
      }));
   icd->CmdBindPipeline(d->secondary, VK_PIPELINE_BIND_POINT_GRAPHICS,
                        d->pipeline);
   icd->CmdBindDescriptorSets(d->secondary, VK_PIPELINE_BIND_POINT_GRAPHICS,
                              d->layout, 0, 1, &d->set, 1, &offset);
   icd->CmdPushConstants(d->secondary, d->layout,
                         VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(tint), tint);
   icd->CmdBindVertexBuffers(d->secondary, 0, 1, &d->vertices.buffer, &zero);
   icd->CmdDraw(d->secondary, 4, 1, 0, 0);
   TRY(icd->EndCommandBuffer(d->secondary));
out:
   return r;
}

/* More than one object of a batch holds. */
#define EXECUTIONS 200

static VkResult
record_primary(struct icd *icd, struct drawing *d)
{
   const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                         1 };
   const VkClearValue clears[2] = { 0 };
   const VkBufferImageCopy copy = {
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .imageExtent = { SIDE_PX, SIDE_PX, 1 },
   };
   VkResult r;
   TRY(icd->BeginCommandBuffer(
      d->primary, &(const VkCommandBufferBeginInfo) {
                     .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                  }));
   icd->CmdClearColorImage(d->primary, d->texture.image,
                           VK_IMAGE_LAYOUT_GENERAL, &clears[0].color, 1,
                           &all);
   icd->CmdResetQueryPool(d->primary, d->queries, 0, 1);
   icd->CmdBeginQuery(d->primary, d->queries, 0, 0);
   icd->CmdBeginRenderPass(
      d->primary,
      &(const VkRenderPassBeginInfo) {
         .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
         .renderPass = d->pass,
         .framebuffer = d->framebuffer,
         .renderArea.extent = { SIDE_PX, SIDE_PX },
         .clearValueCount = 2,
         .pClearValues = clears,
      },
      VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
   for (unsigned i = 0; i < EXECUTIONS; i++)
      icd->CmdExecuteCommands(d->primary, 1, &d->secondary);
   icd->CmdEndRenderPass(d->primary);
   icd->CmdEndQuery(d->primary, d->queries, 0);
   icd->CmdCopyImageToBuffer(d->primary, d->target.image,
                             VK_IMAGE_LAYOUT_GENERAL, d->vertices.buffer, 1,
                             &copy);
   TRY(icd->EndCommandBuffer(d->primary));
out:
   return r;
}

static VkResult
create_commands(struct icd *icd, struct drawing *d)
{
   VkResult r;
   TRY(create_buffer(icd,
                     VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                        VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                     &d->vertices));
   CREATE(QueryPool, &d->queries,
          .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
          .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1);
   CREATE(CommandPool, &d->pool,
          .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
   VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = d->pool,
      .commandBufferCount = 1,
   };
   TRY(icd->AllocateCommandBuffers(icd->device, &info, &d->primary));
   info.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
   TRY(icd->AllocateCommandBuffers(icd->device, &info, &d->secondary));
out:
   return r;
}

static VkResult
submit(struct icd *icd, struct drawing *d)
{
   VkResult r;
   TRY(icd->QueueSubmit(icd->queue, 1,
                        &(const VkSubmitInfo) {
                           .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .commandBufferCount = 1,
                           .pCommandBuffers = &d->primary,
                        },
                        VK_NULL_HANDLE));
   TRY(icd->QueueWaitIdle(icd->queue));
out:
   return r;
}

static void
destroy_drawing(struct icd *icd, const struct drawing *d)
{
   icd_wait(icd);
   DESTROY(CommandPool, d->pool);
   DESTROY(QueryPool, d->queries);
   DESTROY(Pipeline, d->pipeline);
   for (unsigned i = 0; i < ARRAY_SIZE(d->parts); i++)
      DESTROY(Pipeline, d->parts[i]);
   DESTROY(PipelineCache, d->cache);
   DESTROY(ShaderModule, d->frag);
   DESTROY(ShaderModule, d->vert);
   DESTROY(Framebuffer, d->framebuffer);
   DESTROY(RenderPass, d->pass);
   DESTROY(PipelineLayout, d->layout);
   DESTROY(DescriptorUpdateTemplate, d->template);
   DESTROY(DescriptorPool, d->descriptors);
   DESTROY(DescriptorSetLayout, d->set_layout);
   DESTROY(Sampler, d->sampler);
   destroy_buffer(icd, &d->vertices);
   destroy_buffer(icd, &d->uniform);
   destroy_image(icd, &d->texture);
   destroy_image(icd, &d->depth);
   destroy_image(icd, &d->target);
}

static VkResult
make_set(struct icd *icd)
{
   struct drawing d = { 0 };
   const VkResult r = create_set(icd, &d);
   destroy_drawing(icd, &d);
   return r;
}

static VkResult
draw(struct icd *icd)
{
   struct drawing d = { 0 };
   VkResult r;
   TRY(create_set(icd, &d));
   TRY(create_pass(icd, &d));
   TRY(create_program(icd, &d));
   TRY(create_commands(icd, &d));
   TRY(create_part(icd, &d, PARTS_LINKED, &d.pipeline));
   TRY(record_secondary(icd, &d));
   TRY(record_primary(icd, &d));
   TRY(submit(icd, &d));
out:
   destroy_drawing(icd, &d);
   return r;
}

/* And a cache that is written out, read and merged. */
static VkResult
link_libraries(struct icd *icd)
{
   struct drawing d = { 0 };
   VkPipelineCache other = VK_NULL_HANDLE;
   static char data[1 << 16];
   size_t size_B = sizeof(data);
   VkResult r;
   TRY(create_set(icd, &d));
   TRY(create_pass(icd, &d));
   TRY(create_program(icd, &d));
   for (unsigned i = 0; i < ARRAY_SIZE(d.parts); i++)
      TRY(create_part(icd, &d, 1u << i, &d.parts[i]));
   TRY(create_part(icd, &d, PARTS_LINKED, &d.pipeline));
   TRY(icd->GetPipelineCacheData(icd->device, d.cache, &size_B, data));
   CREATE(PipelineCache, &other,
          .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
          .initialDataSize = size_B, .pInitialData = data);
   TRY(icd->MergePipelineCaches(icd->device, d.cache, 1, &other));
out:
   DESTROY(PipelineCache, other);
   destroy_drawing(icd, &d);
   return r;
}

const struct scene hostile_scenes[] = {
   { "device", NULL },
   { "fill", fill },
   { "pipeline", make_pipeline },
   { "queries", make_queries },
   { "sync", make_sync },
   { "external", make_external },
   { "views", make_views },
   { "set", make_set },
   { "draw", draw },
   { "libraries", link_libraries },
   { NULL, NULL },
};
