/* SPDX-License-Identifier: MIT */
/* Copies as VK_KHR_copy_commands2 words them, in command buffers of both
 * kinds. */
#include "util/macros.h"
#include "vkt.h"

#include <string.h>

#define SIZE 8
#define BYTES (SIZE * SIZE * 4)
#define ROWS 12 /* of a copy of many regions */

struct scene {
   struct vkt_buffer in, middle, out, rows;
   struct vkt_image first, second, many, one;
};

static const VkImageSubresourceLayers layers = { VK_IMAGE_ASPECT_COLOR_BIT, 0,
                                                 0, 1 };

static struct vkt_image
create_image(VkSampleCountFlagBits samples)
{
   return VKT_IMAGE(.width = SIZE, .height = SIZE, .samples = samples,
                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
}

static struct scene
create_scene(void)
{
   struct scene s = {
      vkt_buffer_create(BYTES),
      vkt_buffer_create(BYTES + 16),
      vkt_buffer_create(BYTES),
      vkt_buffer_create(ROWS * 8),
      create_image(1),
      create_image(1),
      create_image(VK_SAMPLE_COUNT_4_BIT),
      create_image(1),
   };
   uint32_t *px = s.in.map;
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      px[i] = 0xff000000 | i * 0x030201;
   return s;
}

static void
destroy_scene(struct scene *s)
{
   vkt_buffer_destroy(&s->in);
   vkt_buffer_destroy(&s->middle);
   vkt_buffer_destroy(&s->out);
   vkt_buffer_destroy(&s->rows);
   vkt_image_destroy(&s->first);
   vkt_image_destroy(&s->second);
   vkt_image_destroy(&s->many);
   vkt_image_destroy(&s->one);
}

static void
copy_buffers(VkCommandBuffer cmd, const struct scene *s)
{
   const VKT_INFO(BufferCopy2, whole, .dstOffset = 16, .size = BYTES);
   VkBufferCopy2 rows[ROWS];
   for (unsigned i = 0; i < ROWS; i++)
      rows[i] = VKT_STRUCT(BufferCopy2, .srcOffset = 4 * i,
                           .dstOffset = 8 * i, .size = 4);
   VKT_INFO(CopyBufferInfo2, info, .srcBuffer = s->in.buffer,
            .dstBuffer = s->middle.buffer, .regionCount = 1,
            .pRegions = &whole);
   VKT_PROC(vkCmdCopyBuffer2KHR)(cmd, &info);
   info.dstBuffer = s->rows.buffer;
   info.regionCount = ROWS;
   info.pRegions = rows;
   VKT_PROC(vkCmdCopyBuffer2KHR)(cmd, &info);
}

static void
copy_to_image(VkCommandBuffer cmd, const struct scene *s)
{
   const VKT_INFO(BufferImageCopy2, region, .bufferOffset = 16,
                  .imageSubresource = layers,
                  .imageExtent = { SIZE, SIZE, 1 });
   const VKT_INFO(CopyBufferToImageInfo2, info, .srcBuffer = s->middle.buffer,
                  .dstImage = s->first.image,
                  .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1,
                  .pRegions = &region);
   VKT_PROC(vkCmdCopyBufferToImage2KHR)(cmd, &info);
}

/* The upper half as it is, the lower one mirrored. */
static void
copy_images(VkCommandBuffer cmd, const struct scene *s)
{
   const VKT_INFO(ImageCopy2, copy, .srcSubresource = layers,
                  .dstSubresource = layers, .extent = { SIZE, SIZE / 2, 1 });
   const VKT_INFO(CopyImageInfo2, copy_info, .srcImage = s->first.image,
                  .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .dstImage = s->second.image,
                  .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1,
                  .pRegions = &copy);
   VKT_PROC(vkCmdCopyImage2KHR)(cmd, &copy_info);
   const VKT_INFO(ImageBlit2, blit, .srcSubresource = layers,
                  .srcOffsets = { { SIZE, SIZE / 2, 0 }, { 0, SIZE, 1 } },
                  .dstSubresource = layers,
                  .dstOffsets = { { 0, SIZE / 2, 0 }, { SIZE, SIZE, 1 } });
   const VKT_INFO(BlitImageInfo2, blit_info, .srcImage = s->first.image,
                  .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .dstImage = s->second.image,
                  .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1,
                  .pRegions = &blit);
   VKT_PROC(vkCmdBlitImage2KHR)(cmd, &blit_info);
}

static void
resolve(VkCommandBuffer cmd, const struct scene *s)
{
   const VkClearColorValue green = { .float32 = { 0, 1, 0, 1 } };
   const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                           1 };
   vkCmdClearColorImage(cmd, s->many.image, VK_IMAGE_LAYOUT_GENERAL, &green,
                        1, &range);
   vkt_barrier(cmd);
   const VKT_INFO(ImageResolve2, region, .srcSubresource = layers,
                  .dstSubresource = layers, .extent = { SIZE, SIZE, 1 });
   const VKT_INFO(ResolveImageInfo2, info, .srcImage = s->many.image,
                  .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .dstImage = s->one.image,
                  .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1,
                  .pRegions = &region);
   VKT_PROC(vkCmdResolveImage2KHR)(cmd, &info);
}

static void
copy_to_buffer(VkCommandBuffer cmd, const struct scene *s)
{
   const VKT_INFO(BufferImageCopy2, region, .imageSubresource = layers,
                  .imageExtent = { SIZE, SIZE, 1 });
   const VKT_INFO(CopyImageToBufferInfo2, info, .srcImage = s->second.image,
                  .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .dstBuffer = s->out.buffer, .regionCount = 1,
                  .pRegions = &region);
   VKT_PROC(vkCmdCopyImageToBuffer2KHR)(cmd, &info);
}

static void
record_all(VkCommandBuffer cmd, const struct scene *s)
{
   copy_buffers(cmd, s);
   vkt_barrier(cmd);
   copy_to_image(cmd, s);
   vkt_barrier(cmd);
   copy_images(cmd, s);
   resolve(cmd, s);
   vkt_barrier(cmd);
   copy_to_buffer(cmd, s);
}

static void
check(const struct scene *s)
{
   const uint32_t *in = s->in.map, *out = s->out.map, *rows = s->rows.map;
   uint32_t one[SIZE * SIZE];
   vkt_image_read(&s->one, 0, one, sizeof(one));
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const unsigned from = y < SIZE / 2 ? x : SIZE - 1 - x;
         assert_int_equal(out[y * SIZE + x], in[y * SIZE + from]);
         assert_int_equal(one[y * SIZE + x], 0xff00ff00);
      }
   }
   for (unsigned i = 0; i < ROWS; i++) {
      assert_int_equal(rows[2 * i], in[i]);
      assert_int_equal(rows[2 * i + 1], 0xcdcdcdcd);
   }
}

static void
test_primary(void **state)
{
   struct scene s = create_scene();
   VkCommandBuffer cmd = vkt_begin();
   record_all(cmd, &s);
   vkt_submit(cmd);
   check(&s);
   destroy_scene(&s);
}

/* What the commands point to is gone when the command buffer runs. */
static void
test_secondary(void **state)
{
   struct scene s = create_scene();
   const VKT_INFO(CommandBufferAllocateInfo, alloc, .commandPool = vkt.pool,
                  .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                  .commandBufferCount = 1);
   const VKT_INFO(CommandBufferInheritanceInfo, inherits);
   const VKT_INFO(CommandBufferBeginInfo, begin,
                  .pInheritanceInfo = &inherits);
   VkCommandBuffer secondary;
   VKT_CHECK(vkAllocateCommandBuffers(vkt.device, &alloc, &secondary));
   VKT_CHECK(vkBeginCommandBuffer(secondary, &begin));
   record_all(secondary, &s);
   VKT_CHECK(vkEndCommandBuffer(secondary));
   VkCommandBuffer cmd = vkt_begin();
   vkCmdExecuteCommands(cmd, 1, &secondary);
   vkt_submit(cmd);
   check(&s);
   vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &secondary);
   destroy_scene(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_primary),
      cmocka_unit_test(test_secondary),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
