/* SPDX-License-Identifier: MIT */
/* Images cleared, and copied from and to buffers. */
#include "vkt.h"
#include "util/macros.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 40
#define HEIGHT 24

/* After what has written it. */
static void
read_level(VkCommandBuffer cmd, VkImage image, VkImageAspectFlags aspect,
           uint32_t level, VkBuffer buffer)
{
   const VkBufferImageCopy region = {
      .imageSubresource = { aspect, level, 0, 1 },
      .imageExtent = { MAX2(WIDTH >> level, 1), MAX2(HEIGHT >> level, 1), 1 },
   };
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, image, VK_IMAGE_LAYOUT_GENERAL, buffer, 1,
                          &region);
}

static void
test_clear_image(void **state)
{
   struct vkt_image image =
      VKT_IMAGE(.width = WIDTH, .height = HEIGHT, .levels = 3,
                .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   struct vkt_buffer b = vkt_buffer_create(WIDTH * HEIGHT * 4);
   VkCommandBuffer cmd = vkt_begin();
   const VkClearColorValue red = { .float32 = { 1.0f, 0.0f, 0.2f, 1.0f } };
   const VkClearColorValue blue = { .float32 = { 0.0f, 0.0f, 1.0f, 0.0f } };
   const VkImageSubresourceRange level0 = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1,
                                            0, 1 };
   const VkImageSubresourceRange level1 = { VK_IMAGE_ASPECT_COLOR_BIT, 1, 1,
                                            0, 1 };
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &red, 1,
                        &level0);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &blue, 1,
                        &level1);
   read_level(cmd, image.image, VK_IMAGE_ASPECT_COLOR_BIT, 0, b.buffer);
   vkt_submit(cmd);
   const uint32_t *px = b.map;
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      assert_int_equal(px[i], 0xff3300ff);

   cmd = vkt_begin();
   read_level(cmd, image.image, VK_IMAGE_ASPECT_COLOR_BIT, 1, b.buffer);
   vkt_submit(cmd);
   for (unsigned i = 0; i < WIDTH * HEIGHT / 4; i++)
      assert_int_equal(px[i], 0x00ff0000);
   assert_int_equal(px[WIDTH * HEIGHT / 4], 0xff3300ff);
   vkt_image_destroy(&image);
   vkt_buffer_destroy(&b);
}

/* A clear of all levels and layers from the second on ends where the image
 * does, and begins there. */
static void
test_clear_remaining(void **state)
{
   const VkImage image = VKT_NEW(Image, IMAGE, .imageType = VK_IMAGE_TYPE_2D,
                                 .format = VK_FORMAT_R32_UINT,
                                 .extent = { WIDTH, HEIGHT, 1 },
                                 .mipLevels = 3, .arrayLayers = 3,
                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                 .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                          VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   VkMemoryRequirements need;
   vkGetImageMemoryRequirements(vkt.device, image, &need);
   /* As much again lies behind. */
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = 2 * need.size,
      .memoryTypeIndex = (uint32_t)__builtin_ctz(need.memoryTypeBits),
   };
   VkDeviceMemory memory;
   uint32_t *map;
   VKT_CHECK(vkAllocateMemory(vkt.device, &info, NULL, &memory));
   VKT_CHECK(
      vkMapMemory(vkt.device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&map));
   memset(map, 0x5a, 2 * need.size);
   VKT_CHECK(vkBindImageMemory(vkt.device, image, memory, 0));
   const VkClearColorValue value = { .uint32 = { 7 } };
   const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 1,
                                           VK_REMAINING_MIP_LEVELS, 1,
                                           VK_REMAINING_ARRAY_LAYERS };
   const VkImageMemoryBarrier to_general = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
      .newLayout = VK_IMAGE_LAYOUT_GENERAL,
      .image = image,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, 0, 3 },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                        VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL,
                        1, &to_general);
   vkCmdClearColorImage(cmd, image, VK_IMAGE_LAYOUT_GENERAL, &value, 1,
                        &range);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   unsigned count = 0;
   for (VkDeviceSize i = 0; i < need.size / 2; i++) {
      assert_true(map[i] == 7 || map[i] == 0x5a5a5a5a);
      assert_true(map[i] != 7 || i < need.size / 4);
      count += map[i] == 7;
   }
   /* Of two layers the levels of a quarter and of a sixteenth. */
   assert_int_equal(count, 2 * (WIDTH * HEIGHT / 4 + WIDTH * HEIGHT / 16));
   vkDestroyImage(vkt.device, image, NULL);
   vkFreeMemory(vkt.device, memory, NULL);
}

static void
test_upload_download(void **state)
{
   static const struct {
      VkFormat format;
      unsigned size_B;
   } formats[] = {
      { VK_FORMAT_R8_UNORM, 1 },
      { VK_FORMAT_R16_SFLOAT, 2 },
      { VK_FORMAT_R8G8B8A8_UNORM, 4 },
      { VK_FORMAT_R16G16B16A16_SFLOAT, 8 },
      { VK_FORMAT_R32G32B32A32_SFLOAT, 16 },
   };
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      const unsigned size_B = formats[f].size_B * WIDTH * HEIGHT;
      struct vkt_image image = VKT_IMAGE(.format = formats[f].format,
                                         .width = WIDTH, .height = HEIGHT,
                                         .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
      struct vkt_buffer in = vkt_buffer_create(size_B);
      struct vkt_buffer out = vkt_buffer_create(size_B);
      uint8_t *bytes = in.map;
      for (unsigned i = 0; i < size_B; i++)
         bytes[i] = (uint8_t)(i * 31 + (i >> 7));
      VkCommandBuffer cmd = vkt_begin();
      const VkBufferImageCopy region = {
         .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
         .imageExtent = { WIDTH, HEIGHT, 1 },
      };
      vkCmdCopyBufferToImage(cmd, in.buffer, image.image,
                             VK_IMAGE_LAYOUT_GENERAL, 1, &region);
      read_level(cmd, image.image, VK_IMAGE_ASPECT_COLOR_BIT, 0, out.buffer);
      vkt_submit(cmd);
      assert_memory_equal(in.map, out.map, size_B);
      vkt_image_destroy(&image);
      vkt_buffer_destroy(&in);
      vkt_buffer_destroy(&out);
   }
}

static void
test_stencil(void **state)
{
   struct vkt_image image =
      VKT_IMAGE(.format = VK_FORMAT_D32_SFLOAT_S8_UINT, .width = WIDTH,
                .height = HEIGHT,
                .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   struct vkt_buffer in = vkt_buffer_create(WIDTH * HEIGHT);
   struct vkt_buffer out = vkt_buffer_create(WIDTH * HEIGHT);
   struct vkt_buffer depth = vkt_buffer_create(WIDTH * HEIGHT * 4);
   uint8_t *bytes = in.map;
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      bytes[i] = (uint8_t)(i * 5);
   VkCommandBuffer cmd = vkt_begin();
   const VkClearDepthStencilValue value = { 0.25f, 0x55 };
   const VkImageSubresourceRange range = {
      VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1
   };
   vkCmdClearDepthStencilImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL,
                               &value, 1, &range);
   const VkBufferImageCopy region = {
      .imageSubresource = { VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1 },
      .imageExtent = { WIDTH, HEIGHT / 2, 1 },
   };
   vkt_barrier(cmd);
   vkCmdCopyBufferToImage(cmd, in.buffer, image.image,
                          VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   read_level(cmd, image.image, VK_IMAGE_ASPECT_STENCIL_BIT, 0, out.buffer);
   read_level(cmd, image.image, VK_IMAGE_ASPECT_DEPTH_BIT, 0, depth.buffer);
   vkt_submit(cmd);
   const float *z = depth.map;
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      assert_true(z[i] == 0.25f);
   assert_memory_equal(in.map, out.map, WIDTH * HEIGHT / 2);
   for (unsigned i = WIDTH * HEIGHT / 2; i < WIDTH * HEIGHT; i++)
      assert_int_equal(((uint8_t *)out.map)[i], 0x55);
   vkt_image_destroy(&image);
   vkt_buffer_destroy(&in);
   vkt_buffer_destroy(&out);
   vkt_buffer_destroy(&depth);
}

/* Where there is no depth, the depth to clear to may be anything. */
static void
test_stencil_alone(void **state)
{
   struct vkt_image image =
      VKT_IMAGE(.format = VK_FORMAT_S8_UINT, .width = WIDTH, .height = HEIGHT,
                .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   struct vkt_buffer out = vkt_buffer_create(WIDTH * HEIGHT);
   const VkClearDepthStencilValue value = { NAN, 0x55 };
   const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1,
                                           0, 1 };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdClearDepthStencilImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL,
                               &value, 1, &range);
   read_level(cmd, image.image, VK_IMAGE_ASPECT_STENCIL_BIT, 0, out.buffer);
   vkt_submit(cmd);
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      assert_int_equal(((const uint8_t *)out.map)[i], 0x55);
   vkt_image_destroy(&image);
   vkt_buffer_destroy(&out);
}

#define ODD_B 600000

/* Offsets and sizes of no alignment, of one that is the same in both, and
 * less than an element: what is copied is that, and nothing beside it. */
static void
test_odd_copies(void **state)
{
   static const VkBufferCopy copies[] = {
      { 3, 3, 1000 },     { 3, 7, 1001 }, { 5, 21, 3 },
      { 16, 32, 0x4fff }, { 1, 2, 333 },  { 2, 10, 6 },
      { 15, 31, 2 },      { 0, 0, 1 },    { 6, 38, 300001 },
   };
   struct vkt_buffer in = vkt_buffer_create(ODD_B);
   struct vkt_buffer out = vkt_buffer_create(ODD_B);
   uint8_t *want = malloc(ODD_B);
   assert_non_null(want);
   uint8_t *bytes = in.map;
   for (unsigned i = 0; i < ODD_B; i++)
      bytes[i] = (uint8_t)(i * 31 + (i >> 7));
   for (unsigned i = 0; i < ARRAY_SIZE(copies); i++) {
      const VkBufferCopy *c = &copies[i];
      memset(out.map, 0xcd, ODD_B);
      memset(want, 0xcd, ODD_B);
      memcpy(want + c->dstOffset, bytes + c->srcOffset, c->size);
      VkCommandBuffer cmd = vkt_begin();
      vkCmdCopyBuffer(cmd, in.buffer, out.buffer, 1, c);
      vkt_submit(cmd);
      assert_memory_equal(out.map, want, ODD_B);
   }
   free(want);
   vkt_buffer_destroy(&in);
   vkt_buffer_destroy(&out);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clear_image),
      cmocka_unit_test(test_clear_remaining),
      cmocka_unit_test(test_upload_download),
      cmocka_unit_test(test_stencil),
      cmocka_unit_test(test_stencil_alone),
      cmocka_unit_test(test_odd_copies),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
