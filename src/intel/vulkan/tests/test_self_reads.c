/* SPDX-License-Identifier: MIT */
/*
 * Stencil as an attachment and an input of the same subpass. What a load-op,
 * a clear or a draw writes is what a later draw reads, with no more between
 * them than a barrier within the pass. Before Gen8 it reads a copy. Of a draw
 * each face writes the bits of its own mask.
 */
#include "util/macros.h"
#include "vkt.h"

#include <string.h>

#include "self_reads_position_vert.h"
#include "self_reads_self_stencil_frag.h"
#include "self_reads_self_stencil_samples_frag.h"

#define SIZE 8

enum {
   LOADED = 3,
   CLEARED = 90,
   DRAWN = 201,
};

/* What is done in front of the draw that looks. */
enum step {
   CLEAR = 1u << 0, /* the left half */
   DRAW = 1u << 1,  /* the upper half */
   STEPS = 1u << 2,
   FACES = STEPS, /* the halves, each by a face with a mask of its own */
};

enum {
   FRONT_BITS = 0x0f,
   BACK_BITS = 0xf8,
};

enum barrier {
   OF_MEMORY,
   OF_IMAGE,
   OF_MEMORY_2,
   OF_IMAGE_2,
   BARRIERS,
};

struct scene {
   enum step steps;
   enum barrier barrier;
   VkImage image;
   VkImageAspectFlags aspects;
};

static void
barrier_1(VkCommandBuffer cmd, const struct scene *s)
{
   const bool image = s->barrier == OF_IMAGE;
   const VKT_INFO(MemoryBarrier, memory,
                  .srcAccessMask =
                     VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                  .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT);
   const VKT_INFO(ImageMemoryBarrier, of_image,
                  .srcAccessMask = memory.srcAccessMask,
                  .dstAccessMask = memory.dstAccessMask,
                  .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                  .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                  .image = s->image,
                  .subresourceRange = { s->aspects, 0, 1, 0, 1 });
   vkCmdPipelineBarrier(cmd,
                        VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                           VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
                        VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                        VK_DEPENDENCY_BY_REGION_BIT, image ? 0 : 1, &memory,
                        0, NULL, image ? 1 : 0, &of_image);
}

static void
barrier_2(VkCommandBuffer cmd, const struct scene *s)
{
   const VKT_INFO(
      MemoryBarrier2, memory,
      .srcStageMask = VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
                      VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
      .srcAccessMask = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
      .dstAccessMask = VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT);
   const VKT_INFO(ImageMemoryBarrier2, of_image,
                  .srcStageMask = memory.srcStageMask,
                  .srcAccessMask = memory.srcAccessMask,
                  .dstStageMask = memory.dstStageMask,
                  .dstAccessMask = memory.dstAccessMask,
                  .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                  .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                  .image = s->image,
                  .subresourceRange = { s->aspects, 0, 1, 0, 1 });
   const bool image = s->barrier == OF_IMAGE_2;
   const VKT_INFO(DependencyInfo, info,
                  .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT,
                  .memoryBarrierCount = image ? 0 : 1,
                  .pMemoryBarriers = &memory,
                  .imageMemoryBarrierCount = image ? 1 : 0,
                  .pImageMemoryBarriers = &of_image);
   VKT_PROC(vkCmdPipelineBarrier2KHR)(cmd, &info);
}

/* Fails or passes nothing but what the stencil test of the pipeline says: the
 * write mask is 0 for the draw that looks. */
static void
record(VkCommandBuffer cmd, const void *data)
{
   const struct scene *s = data;
   const VkRect2D all = { .extent = { SIZE, SIZE } };
   const VkRect2D upper = { .extent = { SIZE, SIZE / 2 } };
   const VkRect2D lower = { { 0, SIZE / 2 }, { SIZE, SIZE / 2 } };
   if (s->steps & CLEAR) {
      const VkClearAttachment clear = {
         .aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT,
         .clearValue.depthStencil = { 0, CLEARED },
      };
      const VkClearRect left = { { .extent = { SIZE / 2, SIZE } }, 0, 1 };
      vkCmdClearAttachments(cmd, 1, &clear, 1, &left);
   }
   if (s->steps & DRAW) {
      vkCmdSetScissor(cmd, 0, 1, &upper);
      vkCmdSetStencilWriteMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, 0xff);
      vkCmdDraw(cmd, 3, 1, 0, 0);
   }
   if (s->steps & FACES) {
      vkCmdSetStencilWriteMask(cmd, VK_STENCIL_FACE_FRONT_BIT, FRONT_BITS);
      vkCmdSetStencilWriteMask(cmd, VK_STENCIL_FACE_BACK_BIT, BACK_BITS);
      vkCmdSetScissor(cmd, 0, 1, &upper);
      vkCmdDraw(cmd, 3, 1, 0, 0); /* clockwise: seen from behind */
      vkCmdSetScissor(cmd, 0, 1, &lower);
      vkCmdDraw(cmd, 3, 1, 3, 0);
   }
   if (s->steps && s->barrier < OF_MEMORY_2)
      barrier_1(cmd, s);
   else if (s->steps)
      barrier_2(cmd, s);
   vkCmdSetScissor(cmd, 0, 1, &all);
   vkCmdSetStencilWriteMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, 0);
   vkCmdDraw(cmd, 3, 1, 0, 0);
}

static uint32_t
expected(enum step steps, uint32_t x, uint32_t y)
{
   const uint32_t bits = y < SIZE / 2 ? BACK_BITS : FRONT_BITS;
   if (steps & FACES)
      return (LOADED & ~bits) | (DRAWN & bits);
   if ((steps & DRAW) && y < SIZE / 2)
      return DRAWN;
   return (steps & CLEAR) && x < SIZE / 2 ? CLEARED : LOADED;
}

static VkImageView
stencil_view(const struct vkt_image *image)
{
   return VKT_NEW(
      ImageView, IMAGE_VIEW, .image = image->image,
      .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = image->desc.format,
      .subresourceRange = { VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1 });
}

/* Draws a triangle over everything, as `s` says, into px. */
static void
draw(const struct vkt_image *image, const struct scene *s, uint32_t *px)
{
   /* The same the other way round after it. */
   static const float corners[6][4] = {
      { -1, -1, 0, 1 }, { 3, -1, 0, 1 }, { -1, 3, 0, 1 },
      { -1, 3, 0, 1 },  { 3, -1, 0, 1 }, { -1, -1, 0, 1 },
   };
   const VkStencilOpState replace = {
      .passOp = VK_STENCIL_OP_REPLACE,
      .compareOp = VK_COMPARE_OP_ALWAYS,
      .reference = DRAWN,
   };
   const VKT_INFO(PipelineDepthStencilStateCreateInfo, depth_stencil,
                  .stencilTestEnable = VK_TRUE, .front = replace,
                  .back = replace);
   const VkDynamicState dynamic[] = { VK_DYNAMIC_STATE_SCISSOR,
                                      VK_DYNAMIC_STATE_STENCIL_WRITE_MASK };
   const bool samples = image->desc.samples > VK_SAMPLE_COUNT_1_BIT;
   const VkImageView view = stencil_view(image);
   const struct vkt_resource resource = {
      .type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
      .view = view,
   };
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = samples ? VKT_SHADER(self_stencil_samples_frag)
                                     : VKT_SHADER(self_stencil_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = corners[0], .attributes = 1,
                       .vertex_count = 6, .width = SIZE, .height = SIZE,
                       .samples = image->desc.samples, .depth = image,
                       .depth_stencil = &depth_stencil,
                       .stencil_clear = LOADED, .reads_depth = true,
                       .resources = &resource, .resource_count = 1,
                       .dynamic = dynamic,
                       .dynamic_count = ARRAY_SIZE(dynamic),
                       .set_state = record, .data = s, .draws_itself = true),
            px);
   vkDestroyImageView(vkt.device, view, NULL);
}

static void
check_scene(const struct vkt_image *image, const struct scene *s)
{
   const bool samples = image->desc.samples > VK_SAMPLE_COUNT_1_BIT;
   uint32_t px[SIZE * SIZE];
   draw(image, s, px);
   for (unsigned p = 0; p < SIZE * SIZE; p++) {
      const uint32_t want = expected(s->steps, p % SIZE, p / SIZE);
      const uint32_t rgba = samples ? want * 0x01010101u : 0xff000000 | want;
      if (px[p] != rgba)
         fail_msg("format %d, steps %d, barrier %d, pixel %u: %08x, not %08x",
                  (int)image->desc.format, (int)s->steps, (int)s->barrier, p,
                  px[p], rgba);
   }
}

static void
check(VkFormat format, VkSampleCountFlagBits samples)
{
   const VkImageAspectFlags stencil = VK_IMAGE_ASPECT_STENCIL_BIT;
   struct vkt_image image =
      VKT_IMAGE(.format = format, .width = SIZE, .height = SIZE,
                .samples = samples,
                .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                         VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
   for (unsigned i = 0; i <= STEPS * BARRIERS; i++) {
      const struct scene s = {
         .steps = i < STEPS * BARRIERS ? (enum step)(i % STEPS) : FACES,
         .barrier = (enum barrier)(i / STEPS % BARRIERS),
         .image = image.image,
         .aspects = format == VK_FORMAT_S8_UINT
                       ? stencil
                       : stencil | VK_IMAGE_ASPECT_DEPTH_BIT,
      };
      check_scene(&image, &s);
   }
   vkt_image_destroy(&image);
}

static void
test_formats(void **state)
{
   static const VkFormat formats[] = {
      VK_FORMAT_S8_UINT,
      VK_FORMAT_D16_UNORM_S8_UINT,
      VK_FORMAT_D24_UNORM_S8_UINT,
      VK_FORMAT_D32_SFLOAT_S8_UINT,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      VkFormatProperties p;
      vkGetPhysicalDeviceFormatProperties(vkt.pdev, formats[i], &p);
      if (p.optimalTilingFeatures &
          VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)
         check(formats[i], VK_SAMPLE_COUNT_1_BIT);
   }
}

static void
test_samples(void **state)
{
   check(VK_FORMAT_D32_SFLOAT_S8_UINT, VK_SAMPLE_COUNT_4_BIT);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_samples),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
