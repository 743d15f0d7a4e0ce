/* SPDX-License-Identifier: MIT */
/* Render passes as extensions describe them: without images beforehand, with
 * layouts of depth and stencil of their own, and with depth that is resolved.
 * What is resolved into is cleared at first, and then drawn to.
 */
#include "util/macros.h"
#include "vkt.h"

#include <string.h>

#include "passes_position_vert.h"
#include "passes_stencil_comp.h"
#include "passes_white_frag.h"

#define WIDTH 24
#define HEIGHT 12

enum {
   COLOR,
   COLOR_RESOLVED,
   DEPTH,
   DEPTH_RESOLVED,
   COUNT,
};

struct pass {
   struct vkt_image images[COUNT];
   VkRenderPass pass;
   VkFramebuffer framebuffer;
};

static const VkFormat formats[COUNT] = {
   VK_FORMAT_R8G8B8A8_UNORM,
   VK_FORMAT_R8G8B8A8_UNORM,
   VK_FORMAT_D32_SFLOAT_S8_UINT,
   VK_FORMAT_D32_SFLOAT_S8_UINT,
};

static VkImageUsageFlags
usage_of(unsigned i)
{
   return i < DEPTH ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                    : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
}

static VkSampleCountFlagBits
samples_of(unsigned i)
{
   return i & 1 ? VK_SAMPLE_COUNT_1_BIT : VK_SAMPLE_COUNT_4_BIT;
}

static void
create_pass(struct pass *p, VkResolveModeFlagBits depth_mode,
            VkResolveModeFlagBits stencil_mode)
{
   const VKT_INFO(AttachmentDescriptionStencilLayout, stencil_layout,
                  .stencilInitialLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .stencilFinalLayout = VK_IMAGE_LAYOUT_GENERAL);
   const VKT_INFO(AttachmentReferenceStencilLayout, stencil_used,
                  .stencilLayout =
                     VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL);
   VkAttachmentDescription2 attachments[COUNT];
   VkAttachmentReference2 refs[COUNT];
   for (unsigned i = 0; i < COUNT; i++) {
      attachments[i] = VKT_STRUCT(
         AttachmentDescription2, .pNext = i < DEPTH ? NULL : &stencil_layout,
         .format = formats[i], .samples = samples_of(i),
         .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
         .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
         .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
         .finalLayout = VK_IMAGE_LAYOUT_GENERAL);
      refs[i] = VKT_STRUCT(
         AttachmentReference2, .pNext = i < DEPTH ? NULL : &stencil_used,
         .attachment = i,
         .layout = i < DEPTH ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                             : VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
   }
   const VKT_INFO(SubpassDescriptionDepthStencilResolve, resolve,
                  .depthResolveMode = depth_mode,
                  .stencilResolveMode = stencil_mode,
                  .pDepthStencilResolveAttachment = &refs[DEPTH_RESOLVED]);
   const VkSubpassDescription2 subpasses[] = {
      {
         .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
         .pNext = &resolve,
         .colorAttachmentCount = 1,
         .pColorAttachments = &refs[COLOR],
         .pResolveAttachments = &refs[COLOR_RESOLVED],
         .pDepthStencilAttachment = &refs[DEPTH],
      },
      {
         .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
         .colorAttachmentCount = 1,
         .pColorAttachments = &refs[COLOR_RESOLVED],
         .pDepthStencilAttachment = &refs[DEPTH_RESOLVED],
      },
   };
   const VKT_INFO(SubpassDependency2, in_order, .srcSubpass = 0,
                  .dstSubpass = 1,
                  .srcStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                  .dstStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                  .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                  .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
                                   VK_ACCESS_MEMORY_WRITE_BIT);
   const VKT_INFO(RenderPassCreateInfo2, info, .attachmentCount = COUNT,
                  .pAttachments = attachments,
                  .subpassCount = ARRAY_SIZE(subpasses),
                  .pSubpasses = subpasses, .dependencyCount = 1,
                  .pDependencies = &in_order);
   VKT_CHECK(vkCreateRenderPass2(vkt.device, &info, NULL, &p->pass));
}

static void
create_framebuffer(struct pass *p)
{
   VkFramebufferAttachmentImageInfo images[COUNT];
   for (unsigned i = 0; i < COUNT; i++) {
      images[i] =
         VKT_STRUCT(FramebufferAttachmentImageInfo,
                    .usage = usage_of(i) | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                             VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                    .width = WIDTH, .height = HEIGHT, .layerCount = 1,
                    .viewFormatCount = 1, .pViewFormats = &formats[i]);
   }
   const VKT_INFO(FramebufferAttachmentsCreateInfo, attachments,
                  .attachmentImageInfoCount = COUNT,
                  .pAttachmentImageInfos = images);
   const VKT_INFO(FramebufferCreateInfo, info, .pNext = &attachments,
                  .flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT,
                  .renderPass = p->pass, .attachmentCount = COUNT,
                  .width = WIDTH, .height = HEIGHT, .layers = 1);
   VKT_CHECK(vkCreateFramebuffer(vkt.device, &info, NULL, &p->framebuffer));
}

static void
run(const struct pass *p)
{
   VkImageView views[COUNT];
   for (unsigned i = 0; i < COUNT; i++)
      views[i] = p->images[i].view;
   const VKT_INFO(RenderPassAttachmentBeginInfo, late,
                  .attachmentCount = COUNT, .pAttachments = views);
   const VkClearValue clear[COUNT] = {
      [COLOR] = { .color.float32 = { 1, 0, 0, 1 } },
      [COLOR_RESOLVED] = { .color.float32 = { 1, 1, 1, 1 } },
      [DEPTH] = { .depthStencil = { 0.25f, 0x5a } },
      [DEPTH_RESOLVED] = { .depthStencil = { 0.75f, 0x33 } },
   };
   const VKT_INFO(RenderPassBeginInfo, begin, .pNext = &late,
                  .renderPass = p->pass, .framebuffer = p->framebuffer,
                  .renderArea = { .extent = { WIDTH, HEIGHT } },
                  .clearValueCount = COUNT, .pClearValues = clear);
   const VKT_INFO(SubpassBeginInfo, first);
   const VKT_INFO(SubpassEndInfo, last);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdBeginRenderPass2(cmd, &begin, &first);
   /* A corner is another colour, and nearer. */
   const VkClearAttachment corner[] = {
      { VK_IMAGE_ASPECT_COLOR_BIT, 0, { .color.float32 = { 0, 1, 0, 1 } } },
      { VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT,
        0,
        { .depthStencil = { 0.125f, 0x66 } } },
   };
   const VkClearRect rect = { { { 0, 0 }, { 3, 2 } }, 0, 1 };
   vkCmdClearAttachments(cmd, 2, corner, 1, &rect);
   vkCmdNextSubpass2(cmd, &first, &last);
   vkCmdEndRenderPass2(cmd, &last);
   vkt_barrier(cmd);
   vkt_submit(cmd);
}

static struct vkt_buffer
read_aspect(const struct vkt_image *image, VkImageAspectFlags aspect)
{
   struct vkt_buffer b = vkt_buffer_create(WIDTH * HEIGHT * 4);
   const VkBufferImageCopy region = {
      .imageSubresource = { aspect, 0, 0, 1 },
      .imageExtent = { WIDTH, HEIGHT, 1 },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL,
                          b.buffer, 1, &region);
   vkt_submit(cmd);
   return b;
}

/* What is not resolved keeps what it is cleared to. */
static void
check_resolves(VkResolveModeFlagBits depth_mode,
               VkResolveModeFlagBits stencil_mode)
{
   struct pass p;
   for (unsigned i = 0; i < COUNT; i++)
      p.images[i] = VKT_IMAGE(.format = formats[i], .width = WIDTH,
                              .height = HEIGHT, .samples = samples_of(i),
                              .usage = usage_of(i));
   create_pass(&p, depth_mode, stencil_mode);
   create_framebuffer(&p);
   run(&p);
   struct vkt_buffer color =
      read_aspect(&p.images[COLOR_RESOLVED], VK_IMAGE_ASPECT_COLOR_BIT);
   struct vkt_buffer depth =
      read_aspect(&p.images[DEPTH_RESOLVED], VK_IMAGE_ASPECT_DEPTH_BIT);
   struct vkt_buffer stencil =
      read_aspect(&p.images[DEPTH_RESOLVED], VK_IMAGE_ASPECT_STENCIL_BIT);
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
      const bool corner = i % WIDTH < 3 && i / WIDTH < 2;
      assert_int_equal(((uint32_t *)color.map)[i],
                       corner ? 0xff00ff00 : 0xff0000ff);
      const float d = !depth_mode ? 0.75f : corner ? 0.125f : 0.25f;
      assert_true(((float *)depth.map)[i] == d);
      assert_int_equal(((uint8_t *)stencil.map)[i], !stencil_mode ? 0x33
                                                    : corner      ? 0x66
                                                                  : 0x5a);
   }
   vkt_buffer_destroy(&color);
   vkt_buffer_destroy(&depth);
   vkt_buffer_destroy(&stencil);
   vkDestroyFramebuffer(vkt.device, p.framebuffer, NULL);
   vkDestroyRenderPass(vkt.device, p.pass, NULL);
   for (unsigned i = 0; i < COUNT; i++)
      vkt_image_destroy(&p.images[i]);
}

static void
test_resolves(void **state)
{
   const VkResolveModeFlagBits zero = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
   check_resolves(zero, zero);
   check_resolves(zero, VK_RESOLVE_MODE_NONE);
   check_resolves(VK_RESOLVE_MODE_NONE, zero);
}

/* ---- all modes of depth and stencil ---- */

/* The first two samples of four; the others keep 1 and 0. */
static const struct {
   float depth;
   uint32_t stencil;
} drawn[] = { { 0.25f, 7 }, { 0.75f, 200 } };

static void
draw_samples(VkCommandBuffer cmd, const void *data)
{
   for (unsigned i = 0; i < ARRAY_SIZE(drawn); i++) {
      const VkSampleMask mask = 1u << i;
      VKT_PROC(vkCmdSetSampleMaskEXT)(cmd, VK_SAMPLE_COUNT_4_BIT, &mask);
      vkCmdSetStencilReference(cmd, VK_STENCIL_FACE_FRONT_AND_BACK,
                               drawn[i].stencil);
      vkCmdDraw(cmd, 4, 1, 4 * i, 0);
   }
}

static void
fill_samples(const struct vkt_image *image)
{
   float quads[ARRAY_SIZE(drawn) * 4][4];
   for (unsigned i = 0; i < ARRAY_SIZE(quads); i++) {
      const float v[4] = { i & 1 ? 1 : -1, i & 2 ? 1 : -1, drawn[i / 4].depth,
                           1 };
      memcpy(quads[i], v, sizeof(v));
   }
   const VkStencilOpState replace = {
      .passOp = VK_STENCIL_OP_REPLACE,
      .compareOp = VK_COMPARE_OP_ALWAYS,
      .writeMask = 0xff,
   };
   const VKT_INFO(PipelineDepthStencilStateCreateInfo, depth_stencil,
                  .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE,
                  .depthCompareOp = VK_COMPARE_OP_ALWAYS,
                  .stencilTestEnable = VK_TRUE, .front = replace,
                  .back = replace);
   const VkDynamicState dynamic[] = { VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
                                      VK_DYNAMIC_STATE_STENCIL_REFERENCE };
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                       .vertices = quads, .attributes = 1,
                       .vertex_count = ARRAY_SIZE(quads), .width = WIDTH,
                       .height = HEIGHT, .samples = VK_SAMPLE_COUNT_4_BIT,
                       .depth = image, .depth_stencil = &depth_stencil,
                       .dynamic = dynamic,
                       .dynamic_count = ARRAY_SIZE(dynamic),
                       .set_state = draw_samples, .draws_itself = true),
            NULL);
}

static void
resolve(const struct vkt_image *from, const struct vkt_image *to,
        VkResolveModeFlagBits depth_mode, VkResolveModeFlagBits stencil_mode)
{
   VKT_INFO(RenderingAttachmentInfo, a, .imageView = from->view,
            .imageLayout = VK_IMAGE_LAYOUT_GENERAL, .resolveMode = depth_mode,
            .resolveImageView = to->view,
            .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
            .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE);
   VkRenderingAttachmentInfo stencil = a;
   stencil.resolveMode = stencil_mode;
   const VKT_INFO(RenderingInfo, info,
                  .renderArea = { .extent = { WIDTH, HEIGHT } },
                  .layerCount = 1, .pDepthAttachment = &a,
                  .pStencilAttachment = &stencil);
   VkCommandBuffer cmd = vkt_begin();
   VKT_PROC(vkCmdBeginRenderingKHR)(cmd, &info);
   VKT_PROC(vkCmdEndRenderingKHR)(cmd);
   vkt_barrier(cmd);
   vkt_submit(cmd);
}

static void
test_modes(void **state)
{
   static const struct {
      VkResolveModeFlagBits depth_mode, stencil_mode;
      float depth;
      uint8_t stencil;
   } cases[] = {
      { VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, VK_RESOLVE_MODE_MAX_BIT, 0.25f,
        200 },
      { VK_RESOLVE_MODE_AVERAGE_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, 0.75f,
        7 },
      { VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MIN_BIT, 0.25f, 0 },
      { VK_RESOLVE_MODE_MAX_BIT, VK_RESOLVE_MODE_MAX_BIT, 1.0f, 200 },
   };
   struct vkt_image_desc desc = {
      .format = VK_FORMAT_D32_SFLOAT_S8_UINT,
      .width = WIDTH,
      .height = HEIGHT,
      .samples = VK_SAMPLE_COUNT_4_BIT,
      .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
   };
   struct vkt_image from = vkt_image_create(&desc);
   desc.samples = VK_SAMPLE_COUNT_1_BIT;
   struct vkt_image to = vkt_image_create(&desc);
   fill_samples(&from);
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      resolve(&from, &to, cases[i].depth_mode, cases[i].stencil_mode);
      struct vkt_buffer depth = read_aspect(&to, VK_IMAGE_ASPECT_DEPTH_BIT);
      struct vkt_buffer stencil =
         read_aspect(&to, VK_IMAGE_ASPECT_STENCIL_BIT);
      for (unsigned p = 0; p < WIDTH * HEIGHT; p++) {
         assert_true(((float *)depth.map)[p] == cases[i].depth);
         assert_int_equal(((uint8_t *)stencil.map)[p], cases[i].stencil);
      }
      vkt_buffer_destroy(&depth);
      vkt_buffer_destroy(&stencil);
   }
   vkt_image_destroy(&from);
   vkt_image_destroy(&to);
}

/* ---- stencil that shaders read ---- */

static const VkImageSubresourceLayers stencil_layers = {
   VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1
};

/* From a layout to another; between them it is an input in `used`, or the
 * depth and stencil of the pass. Both keep what there is. */
static void
pass_over(VkCommandBuffer cmd, const struct vkt_image *image,
          const VkImageLayout layouts[3], bool input, VkRenderPass *pass,
          VkFramebuffer *framebuffer)
{
   const VkAttachmentDescription attachment = {
      .format = image->desc.format,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
      .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
      .initialLayout = layouts[0],
      .finalLayout = layouts[2],
   };
   const VkAttachmentReference ref = { 0, layouts[1] };
   const VkSubpassDescription subpass = {
      .inputAttachmentCount = input,
      .pInputAttachments = &ref,
      .pDepthStencilAttachment = input ? NULL : &ref,
   };
   const VkSubpassDependency before = {
      .srcSubpass = VK_SUBPASS_EXTERNAL,
      .srcStageMask = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
   };
   const VKT_INFO(RenderPassCreateInfo, info, .attachmentCount = 1,
                  .pAttachments = &attachment, .subpassCount = 1,
                  .pSubpasses = &subpass, .dependencyCount = 1,
                  .pDependencies = &before);
   VKT_CHECK(vkCreateRenderPass(vkt.device, &info, NULL, pass));
   const VKT_INFO(FramebufferCreateInfo, framebuffer_info,
                  .renderPass = *pass, .attachmentCount = 1,
                  .pAttachments = &image->view, .width = 4, .height = 1,
                  .layers = 1);
   VKT_CHECK(
      vkCreateFramebuffer(vkt.device, &framebuffer_info, NULL, framebuffer));
   const VKT_INFO(RenderPassBeginInfo, begin, .renderPass = *pass,
                  .framebuffer = *framebuffer,
                  .renderArea = { .extent = { 4, 1 } });
   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   if (!input) {
      const VkClearAttachment clear = {
         .aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT,
         .clearValue.depthStencil = { 0, 99 },
      };
      const VkClearRect rect = { { { 1, 0 }, { 2, 1 } }, 0, 1 };
      vkCmdClearAttachments(cmd, 1, &clear, 1, &rect);
   }
   vkCmdEndRenderPass(cmd);
}

static void
change_layout(VkCommandBuffer cmd, const struct vkt_image *image,
              VkImageLayout from, VkImageLayout to)
{
   const VKT_INFO(
      ImageMemoryBarrier, barrier,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, .oldLayout = from,
      .newLayout = to, .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED, .image = image->image,
      .subresourceRange = { image->desc.format == VK_FORMAT_S8_UINT
                               ? VK_IMAGE_ASPECT_STENCIL_BIT
                               : VK_IMAGE_ASPECT_DEPTH_BIT |
                                    VK_IMAGE_ASPECT_STENCIL_BIT,
                            0, 1, 0, 1 });
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                        NULL, 1, &barrier);
}

enum way {
   BY_CLEAR,
   BY_BUFFER,
   BY_IMAGE,
   BY_BLIT,
   BY_BARRIER, /* a transfer in a layout for it, and no mention of readers */
   BY_INPUT,
   BY_PASS,
   WAYS,
};

static const VkImageLayout passes[WAYS][3] = {
   [BY_INPUT] = { VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL },
   [BY_PASS] = { VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL,
                 VK_IMAGE_LAYOUT_GENERAL },
};

/* Writes stencil; says in which layout it is after that. */
static VkImageLayout
write_stencil(VkCommandBuffer cmd, enum way way, const struct vkt_image *to,
              const struct vkt_image *from, const struct vkt_buffer *bytes,
              VkRenderPass *pass, VkFramebuffer *framebuffer)
{
   const VkImageLayout general = VK_IMAGE_LAYOUT_GENERAL;
   const VkImageLayout target = way == BY_BARRIER || way == BY_INPUT
                                   ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
                                   : general;
   const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0,
                                         1 };
   const VkClearDepthStencilValue value = { 0, 7 };
   const VkBufferImageCopy region = {
      .imageSubresource = stencil_layers,
      .imageExtent = { 4, 1, 1 },
   };
   const VkImageCopy copy = {
      .srcSubresource = stencil_layers,
      .dstSubresource = stencil_layers,
      .extent = { 4, 1, 1 },
   };
   const VkImageBlit blit = {
      .srcSubresource = stencil_layers,
      .srcOffsets = { { 4, 0, 0 }, { 0, 1, 1 } },
      .dstSubresource = stencil_layers,
      .dstOffsets = { { 0, 0, 0 }, { 4, 1, 1 } },
   };
   if (target != general)
      change_layout(cmd, to, general, target);
   if (way == BY_CLEAR)
      vkCmdClearDepthStencilImage(cmd, to->image, target, &value, 1, &all);
   else if (way == BY_IMAGE)
      vkCmdCopyImage(cmd, from->image, general, to->image, target, 1, &copy);
   else if (way == BY_BLIT)
      vkCmdBlitImage(cmd, from->image, general, to->image, target, 1, &blit,
                     VK_FILTER_NEAREST);
   else
      vkCmdCopyBufferToImage(cmd, bytes->buffer, to->image, target, 1,
                             &region);
   if (way < BY_BARRIER)
      return general;
   vkt_barrier(cmd);
   if (way == BY_BARRIER) {
      change_layout(cmd, to, target, general);
      return general;
   }
   pass_over(cmd, to, passes[way], way == BY_INPUT, pass, framebuffer);
   return passes[way][2];
}

static void
check_stencil(enum way way, VkFormat format, const uint8_t want[4])
{
   const struct vkt_image_desc desc = {
      .format = format,
      .width = 4,
      .height = 1,
      .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
               VK_IMAGE_USAGE_SAMPLED_BIT |
               VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
   };
   struct vkt_image image = vkt_image_create(&desc);
   struct vkt_image other = vkt_image_create(&desc);
   struct vkt_buffer bytes = vkt_buffer_create(4);
   struct vkt_buffer out = vkt_buffer_create(16);
   memcpy(bytes.map, (uint8_t[]) { 1, 2, 3, 255 }, 4);
   VkRenderPass pass = VK_NULL_HANDLE;
   VkFramebuffer framebuffer = VK_NULL_HANDLE;
   VkCommandBuffer cmd = vkt_begin();
   write_stencil(cmd, BY_BUFFER, &other, NULL, &bytes, NULL, NULL);
   vkt_barrier(cmd);
   const VkImageLayout layout =
      write_stencil(cmd, way, &image, &other, &bytes, &pass, &framebuffer);
   vkt_barrier(cmd);
   vkt_submit(cmd);

   VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
   VkImageView view = VKT_NEW(
      ImageView, IMAGE_VIEW, .image = image.image,
      .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = format,
      .subresourceRange = { VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1 });
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = view,
        .layout = layout,
        .sampler = sampler },
      VKT_STORAGE(out),
   };
   vkt_compute(VKT_SHADER(stencil_comp), resources, 2, 1);
   for (unsigned x = 0; x < 4; x++) {
      if (((uint32_t *)out.map)[x] != want[x])
         fail_msg("way %d: %u is %u, not %u", (int)way, x,
                  ((uint32_t *)out.map)[x], want[x]);
   }
   vkDestroyImageView(vkt.device, view, NULL);
   vkDestroySampler(vkt.device, sampler, NULL);
   vkDestroyFramebuffer(vkt.device, framebuffer, NULL);
   vkDestroyRenderPass(vkt.device, pass, NULL);
   vkt_buffer_destroy(&out);
   vkt_buffer_destroy(&bytes);
   vkt_image_destroy(&other);
   vkt_image_destroy(&image);
}

/* However stencil was written, in a layout for them shaders see it after a
 * barrier that names no image. Before Gen8 they see a copy. */
static void
test_stencil_seen(void **state)
{
   static const uint8_t want[WAYS][4] = {
      [BY_CLEAR] = { 7, 7, 7, 7 },     [BY_BUFFER] = { 1, 2, 3, 255 },
      [BY_IMAGE] = { 1, 2, 3, 255 },   [BY_BLIT] = { 255, 3, 2, 1 },
      [BY_BARRIER] = { 1, 2, 3, 255 }, [BY_INPUT] = { 1, 2, 3, 255 },
      [BY_PASS] = { 1, 99, 99, 255 },
   };
   for (unsigned way = 0; way < WAYS; way++) {
      check_stencil((enum way)way, VK_FORMAT_S8_UINT, want[way]);
      check_stencil((enum way)way, VK_FORMAT_D32_SFLOAT_S8_UINT, want[way]);
      check_stencil((enum way)way, VK_FORMAT_D16_UNORM_S8_UINT, want[way]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_resolves),
      cmocka_unit_test(test_stencil_seen),
      cmocka_unit_test(test_modes),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
