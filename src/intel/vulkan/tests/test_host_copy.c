/* SPDX-License-Identifier: MIT */
/* Copies by the host (VK_EXT_host_image_copy) beside the GPU's. */
#include "util/macros.h"
#include "vkt.h"

#include "host_copy_stencils_comp.h"

#include <stdlib.h>
#include <string.h>

struct subject {
   VkFormat format;
   VkImageAspectFlags aspect;
   uint32_t width, height, depth, levels, layers;
   uint32_t block_px, block_B;
};

#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT

/* Linear, X, Y and W tiles; rows that begin anywhere in one. */
static const struct subject subjects[] = {
   { VK_FORMAT_R8_UNORM, COLOR, 133, 67, 1, 7, 3, 1, 1 },
   { VK_FORMAT_R8G8B8A8_UNORM, COLOR, 300, 40, 1, 1, 1, 1, 4 },
   { VK_FORMAT_R32G32B32A32_SFLOAT, COLOR, 37, 65, 1, 6, 2, 1, 16 },
   { VK_FORMAT_R16G16_UINT, COLOR, 50, 20, 9, 5, 1, 1, 4 },
   { VK_FORMAT_BC1_RGBA_UNORM_BLOCK, COLOR, 130, 71, 1, 8, 2, 4, 8 },
   { VK_FORMAT_BC7_UNORM_BLOCK, COLOR, 64, 64, 1, 7, 1, 4, 16 },
   { VK_FORMAT_D32_SFLOAT, DEPTH, 99, 80, 1, 1, 2, 1, 4 },
   { VK_FORMAT_D16_UNORM, DEPTH, 99, 80, 1, 4, 1, 1, 2 },
   { VK_FORMAT_S8_UINT, STENCIL, 150, 90, 1, 5, 2, 1, 1 },
};

static struct vkt_image
create(const struct subject *s)
{
   return VKT_IMAGE(.format = s->format, .width = s->width,
                    .height = s->height, .depth = s->depth,
                    .levels = s->levels, .layers = s->layers,
                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                             VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT);
}

static VkExtent3D
extent(const struct subject *s, uint32_t level)
{
   return (VkExtent3D) { MAX2(s->width >> level, 1u),
                         MAX2(s->height >> level, 1u),
                         MAX2(s->depth >> level, 1u) };
}

static uint32_t
blocks(const struct subject *s, uint32_t px)
{
   return DIV_ROUND_UP(px, s->block_px);
}

static size_t
level_B(const struct subject *s, uint32_t level)
{
   const VkExtent3D e = extent(s, level);
   return (size_t)blocks(s, e.width) * blocks(s, e.height) * e.depth *
          s->layers * s->block_B;
}

/* Of floats that nothing changes. */
static void
fill(const struct subject *s, void *data, size_t size_B, uint32_t seed)
{
   const uint8_t most = s->aspect == DEPTH ? 0x3f : 0xff;
   for (size_t i = 0; i < size_B; i++)
      ((uint8_t *)data)[i] =
         (uint8_t)((i * 2654435761u + seed * 40503u) >> 7) & most;
}

static VkImageToMemoryCopyEXT
whole(const struct subject *s, uint32_t level, void *to)
{
   return VKT_STRUCT(ImageToMemoryCopyEXT, .pHostPointer = to,
                     .imageSubresource = { s->aspect, level, 0, s->layers },
                     .imageExtent = extent(s, level));
}

static void
to_memory(const struct vkt_image *i, const VkImageToMemoryCopyEXT *c,
          VkHostImageCopyFlagsEXT flags)
{
   const VKT_INFO(CopyImageToMemoryInfoEXT, info, .flags = flags,
                  .srcImage = i->image,
                  .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1,
                  .pRegions = c);
   VKT_CHECK(VKT_PROC(vkCopyImageToMemoryEXT)(vkt.device, &info));
}

/* The same from memory. */
static void
to_image(const struct vkt_image *i, const VkImageToMemoryCopyEXT *c,
         VkHostImageCopyFlagsEXT flags)
{
   const VKT_INFO(MemoryToImageCopyEXT, from, .pHostPointer = c->pHostPointer,
                  .memoryRowLength = c->memoryRowLength,
                  .memoryImageHeight = c->memoryImageHeight,
                  .imageSubresource = c->imageSubresource,
                  .imageOffset = c->imageOffset,
                  .imageExtent = c->imageExtent);
   const VKT_INFO(CopyMemoryToImageInfoEXT, info, .flags = flags,
                  .dstImage = i->image,
                  .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1,
                  .pRegions = &from);
   VKT_CHECK(VKT_PROC(vkCopyMemoryToImageEXT)(vkt.device, &info));
}

/* All levels are written first: no copy may reach into another. */
static void
check_levels(const struct subject *s)
{
   struct vkt_image i = create(s);
   uint8_t *want = malloc(level_B(s, 0)), *got = malloc(level_B(s, 0));
   for (uint32_t level = 0; level < s->levels; level++) {
      const VkImageToMemoryCopyEXT c = whole(s, level, want);
      fill(s, want, level_B(s, level), level);
      to_image(&i, &c, level % 2 ? VK_HOST_IMAGE_COPY_MEMCPY_EXT : 0);
   }
   for (uint32_t level = 0; level < s->levels; level++) {
      fill(s, want, level_B(s, level), level);
      vkt_image_read(&i, level, got, level_B(s, level));
      assert_memory_equal(got, want, level_B(s, level));
   }
   for (uint32_t level = 0; level < s->levels; level++) {
      fill(s, want, level_B(s, level), level + 100);
      vkt_image_write(&i, level, want, level_B(s, level));
   }
   for (uint32_t level = 0; level < s->levels; level++) {
      const VkImageToMemoryCopyEXT c = whole(s, level, got);
      fill(s, want, level_B(s, level), level + 100);
      to_memory(&i, &c, level % 2 ? VK_HOST_IMAGE_COPY_MEMCPY_EXT : 0);
      assert_memory_equal(got, want, level_B(s, level));
   }
   free(got);
   free(want);
   vkt_image_destroy(&i);
}

static void
test_levels(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(subjects); i++)
      check_levels(&subjects[i]);
}

/* What shaders read of stencil is what was copied last: from memory, and from
 * another image. */
static void
check_stencils(const struct vkt_image *image, const struct subject *s,
               const uint8_t *want)
{
   const uint32_t count = s->width * s->height;
   struct vkt_buffer out = vkt_buffer_create(count * 4);
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image->view,
        .sampler = sampler },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = out.buffer },
   };
   vkt_compute(VKT_SHADER(stencils_comp), resources, 2, count);
   for (uint32_t i = 0; i < count; i++)
      assert_int_equal(((const uint32_t *)out.map)[i], want[count + i]);
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_buffer_destroy(&out);
}

static void
test_read_stencil(void **state)
{
   const struct subject s = {
      VK_FORMAT_S8_UINT, STENCIL, 70, 70, 1, 1, 2, 1, 1
   };
   struct vkt_image images[2] = { create(&s), create(&s) };
   uint8_t texels[2 * 70 * 70];
   fill(&s, texels, sizeof(texels), 7);
   const VkImageToMemoryCopyEXT c = whole(&s, 0, texels);
   to_image(&images[0], &c, 0);
   check_stencils(&images[0], &s, texels);
   const VkImageCopy2 region = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
      .srcSubresource = { STENCIL, 0, 0, 2 },
      .dstSubresource = { STENCIL, 0, 0, 2 },
      .extent = { s.width, s.height, 1 },
   };
   const VkCopyImageToImageInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO_EXT,
      .srcImage = images[0].image,
      .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
      .dstImage = images[1].image,
      .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
      .regionCount = 1,
      .pRegions = &region,
   };
   VKT_CHECK(VKT_PROC(vkCopyImageToImageEXT)(vkt.device, &info));
   check_stencils(&images[1], &s, texels);
   for (unsigned i = 0; i < 2; i++)
      vkt_image_destroy(&images[i]);
}

/* ---- parts ---- */

#define PART_X 5
#define PART_Y 3
#define PART_W 61
#define PART_H 17
#define ROW 70
#define ROWS 20

/* A part of the last layer, with gaps between its rows, which stay. */
static void
test_parts(void **state)
{
   const struct subject *s = &subjects[0];
   uint8_t memory[ROW * ROWS], before[133 * 67 * 3], after[133 * 67 * 3];
   struct vkt_image i = create(s);
   VKT_INFO(ImageToMemoryCopyEXT, c, .pHostPointer = memory,
            .memoryRowLength = ROW, .memoryImageHeight = ROWS,
            .imageSubresource = { COLOR, 0, 1, 2 },
            .imageOffset = { PART_X, PART_Y, 0 },
            .imageExtent = { PART_W, PART_H, 1 });
   fill(s, before, sizeof(before), 1);
   vkt_image_write(&i, 0, before, sizeof(before));
   c.imageSubresource.baseArrayLayer = 2;
   c.imageSubresource.layerCount = 1;
   memset(memory, 0xee, sizeof(memory));
   to_memory(&i, &c, 0);
   for (unsigned y = 0; y < ROWS; y++) {
      for (unsigned x = 0; x < ROW; x++) {
         const bool in = x < PART_W && y < PART_H;
         const unsigned at = (2 * 67 + PART_Y + y) * 133 + PART_X + x;
         assert_int_equal(memory[y * ROW + x], in ? before[at] : 0xee);
      }
   }
   fill(s, memory, sizeof(memory), 9);
   to_image(&i, &c, 0);
   vkt_image_read(&i, 0, after, sizeof(after));
   for (unsigned y = 0; y < PART_H; y++)
      memcpy(before + (2 * 67 + PART_Y + y) * 133 + PART_X, memory + y * ROW,
             PART_W);
   assert_memory_equal(after, before, sizeof(after));
   vkt_image_destroy(&i);
}

/* Layers to slices. */
static void
test_between_images(void **state)
{
   const struct subject from = {
      VK_FORMAT_R32_UINT, COLOR, 70, 40, 1, 1, 5, 1, 4
   };
   const struct subject to = {
      VK_FORMAT_R32_UINT, COLOR, 64, 64, 8, 1, 1, 1, 4
   };
   struct vkt_image src = create(&from), dst = create(&to);
   uint32_t *a = malloc(level_B(&from, 0)), *b = calloc(1, level_B(&to, 0));
   fill(&from, a, level_B(&from, 0), 3);
   vkt_image_write(&src, 0, a, level_B(&from, 0));
   vkt_image_write(&dst, 0, b, level_B(&to, 0));
   const VKT_INFO(ImageCopy2, region, .srcSubresource = { COLOR, 0, 1, 3 },
                  .srcOffset = { 7, 2, 0 },
                  .dstSubresource = { COLOR, 0, 0, 1 },
                  .dstOffset = { 1, 30, 4 }, .extent = { 60, 33, 3 });
   const VKT_INFO(CopyImageToImageInfoEXT, info, .srcImage = src.image,
                  .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .dstImage = dst.image,
                  .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1,
                  .pRegions = &region);
   VKT_CHECK(VKT_PROC(vkCopyImageToImageEXT)(vkt.device, &info));
   vkt_image_read(&dst, 0, b, level_B(&to, 0));
   for (unsigned z = 0; z < 8; z++) {
      for (unsigned y = 0; y < 64; y++) {
         for (unsigned x = 0; x < 64; x++) {
            const bool in = z >= 4 && z < 7 && y >= 30 && y < 63 && x >= 1 &&
                            x < 61;
            const uint32_t want =
               in ? a[((z - 4 + 1) * 40 + y - 30 + 2) * 70 + x - 1 + 7] : 0;
            assert_int_equal(b[(z * 64 + y) * 64 + x], want);
         }
      }
   }
   free(a);
   free(b);
   vkt_image_destroy(&src);
   vkt_image_destroy(&dst);
}

/* ---- what is said of it ---- */

static void
test_properties(void **state)
{
   VkImageLayout src[16], dst[16];
   VKT_INFO(PhysicalDeviceHostImageCopyPropertiesEXT, p);
   VKT_INFO(PhysicalDeviceProperties2, all, .pNext = &p);
   vkGetPhysicalDeviceProperties2(vkt.pdev, &all);
   assert_in_range(p.copySrcLayoutCount, 1, 16);
   assert_in_range(p.copyDstLayoutCount, 2, 16);
   p.pCopySrcLayouts = src;
   p.pCopyDstLayouts = dst;
   p.copyDstLayoutCount = 1;
   dst[1] = VK_IMAGE_LAYOUT_MAX_ENUM;
   vkGetPhysicalDeviceProperties2(vkt.pdev, &all);
   assert_int_equal(src[0], VK_IMAGE_LAYOUT_GENERAL);
   assert_int_equal(dst[0], VK_IMAGE_LAYOUT_GENERAL);
   assert_int_equal(dst[1], VK_IMAGE_LAYOUT_MAX_ENUM);
   assert_int_equal(p.copyDstLayoutCount, 1);
}

/* Where it is not there, no image has the usage. */
static void
test_usage(void **state)
{
   const VKT_INFO(PhysicalDeviceImageFormatInfo2, info,
                  .format = VK_FORMAT_R8G8B8A8_UNORM,
                  .type = VK_IMAGE_TYPE_2D,
                  .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                           VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                           VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT);
   VKT_INFO(HostImageCopyDevicePerformanceQueryEXT, cost);
   VKT_INFO(ImageFormatProperties2, p, .pNext = &cost);
   VKT_INFO(FormatProperties3, three);
   VKT_INFO(FormatProperties2, two, .pNext = &three);
   VKT_CHECK(vkGetPhysicalDeviceImageFormatProperties2(vkt.pdev, &info, &p));
   vkGetPhysicalDeviceFormatProperties2(vkt.pdev, info.format, &two);
   assert_true(three.optimalTilingFeatures &
               VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT_EXT);
   assert_int_equal(p.imageFormatProperties.sampleCounts, 1);
   assert_true(cost.optimalDeviceAccess);
}

static void
test_sizes(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(subjects); i++) {
      const struct subject *s = &subjects[i];
      struct vkt_image image = create(s);
      const VKT_INFO(ImageSubresource2EXT, sub,
                     .imageSubresource = { s->aspect, s->levels - 1, 0 });
      VKT_INFO(SubresourceHostMemcpySizeEXT, size);
      VKT_INFO(SubresourceLayout2EXT, layout, .pNext = &size);
      VKT_PROC(vkGetImageSubresourceLayout2EXT)
      (vkt.device, image.image, &sub, &layout);
      assert_int_equal(size.size, level_B(s, s->levels - 1) / s->layers);
      vkt_image_destroy(&image);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_levels),
      cmocka_unit_test(test_read_stencil),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_between_images),
      cmocka_unit_test(test_properties),
      cmocka_unit_test(test_usage),
      cmocka_unit_test(test_sizes),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
