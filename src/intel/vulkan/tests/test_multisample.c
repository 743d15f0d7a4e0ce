/* SPDX-License-Identifier: MIT */
/* Every number of samples that the device announces: which of them a triangle
 * covers, and each of them through copies and resolves. */
#include "util/macros.h"
#include "vkt.h"

#include <stdlib.h>
#include <string.h>

#include "multisample_fetch_layers_comp.h"
#include "multisample_fetch_samples_comp.h"
#include "multisample_fetch_values_comp.h"
#include "multisample_position_vert.h"
#include "multisample_store_samples_comp.h"
#include "multisample_white_frag.h"

#define SIZE 16
#define MAX_SAMPLES 16

/* Vulkan, "Rasterization", standardSampleLocations, in 1/16 pixel. */
static const uint8_t positions_1[][2] = { { 8, 8 } };
static const uint8_t positions_2[][2] = { { 12, 12 }, { 4, 4 } };
static const uint8_t positions_4[][2] = {
   { 6, 2 }, { 14, 6 }, { 2, 10 }, { 10, 14 }
};
static const uint8_t positions_8[][2] = { { 9, 5 },   { 7, 11 }, { 13, 9 },
                                          { 5, 3 },   { 3, 13 }, { 1, 7 },
                                          { 11, 15 }, { 15, 1 } };
static const uint8_t positions_16[][2] = {
   { 9, 9 },   { 7, 5 },  { 5, 10 },  { 12, 7 }, { 3, 6 }, { 10, 13 },
   { 13, 11 }, { 11, 3 }, { 6, 14 },  { 8, 1 },  { 4, 2 }, { 2, 12 },
   { 0, 8 },   { 15, 4 }, { 14, 15 }, { 1, 0 },
};
static const uint8_t (*const positions[])[2] = {
   positions_1, positions_2, positions_4, positions_8, positions_16,
};

/* In 1/256 pixel; no sample is on an edge, which holds for odd numbers. */
static const int corners[3][2] = { { 333, 151 },
                                   { 3905, 1203 },
                                   { 1111, 3999 } };

static float vertices[3][4];

static int64_t
edge(const int a[2], const int b[2], int x, int y)
{
   return (int64_t)(b[0] - a[0]) * (y - a[1]) -
          (int64_t)(b[1] - a[1]) * (x - a[0]);
}

static bool
is_covered(unsigned samples, unsigned x, unsigned y, unsigned s)
{
   const uint8_t *p = positions[util_logbase2(samples)][s];
   const int sx = (int)x * 256 + p[0] * 16, sy = (int)y * 256 + p[1] * 16;
   bool inside = true;
   for (unsigned i = 0; i < 3; i++)
      inside &= edge(corners[i], corners[(i + 1) % 3], sx, sy) > 0;
   return inside;
}

static void
make_vertices(void)
{
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned c = 0; c < 2; c++)
         vertices[i][c] = (float)corners[i][c] / (SIZE * 128) - 1;
      vertices[i][3] = 1;
   }
}

static struct vkt_scene
scene(uint32_t samples)
{
   make_vertices();
   return VKT_SCENE(.vs = VKT_SHADER(position_vert),
                    .fs = VKT_SHADER(white_frag),
                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                    .vertices = vertices, .attributes = 1, .vertex_count = 3,
                    .width = SIZE, .height = SIZE,
                    .samples = (VkSampleCountFlagBits)samples);
}

static struct vkt_image
create(VkFormat format, uint32_t samples, VkImageUsageFlags usage)
{
   return VKT_IMAGE(.format = format, .width = SIZE, .height = SIZE,
                    .samples = (VkSampleCountFlagBits)samples,
                    .usage = usage | VK_IMAGE_USAGE_SAMPLED_BIT);
}

/* The counts that are announced, but one sample. */
static uint32_t
counts(void)
{
   VkPhysicalDeviceProperties props;
   vkGetPhysicalDeviceProperties(vkt.pdev, &props);
   const VkPhysicalDeviceLimits *l = &props.limits;
   assert_true(l->framebufferColorSampleCounts & VK_SAMPLE_COUNT_4_BIT);
   assert_true(l->framebufferColorSampleCounts & VK_SAMPLE_COUNT_8_BIT);
   assert_int_equal(l->framebufferColorSampleCounts,
                    l->framebufferStencilSampleCounts);
   VkImageFormatProperties image;
   VKT_CHECK(vkGetPhysicalDeviceImageFormatProperties(
      vkt.pdev, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D,
      VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 0,
      &image));
   assert_int_equal(image.sampleCounts, l->framebufferColorSampleCounts);
   return l->framebufferColorSampleCounts & ~1u;
}

/* ---- reading ---- */

/* Calls the shader on `view`; vectors of four dwords, sample by sample. */
static struct vkt_buffer
fetch(struct vkt_shader shader, VkImageView view, uint32_t samples)
{
   struct vkt_buffer out = vkt_buffer_create(SIZE * SIZE * samples * 16);
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = view,
        .sampler = sampler },
      VKT_STORAGE(out),
   };
   vkt_compute(shader, resources, 2, samples);
   vkDestroySampler(vkt.device, sampler, NULL);
   return out;
}

/* The triangle, moved by `move` pixels; what is left and above is not looked
 * at. `lit` and `dark`: the first channel's bits. */
static void
expect_samples(const struct vkt_buffer *got, uint32_t samples, uint32_t move,
               uint32_t lit, uint32_t dark)
{
   const uint32_t *texel = got->map;
   for (uint32_t i = 0; i < SIZE * SIZE * samples; i++) {
      const uint32_t x = i % SIZE, y = i / SIZE % SIZE;
      const uint32_t s = i / SIZE / SIZE;
      if (x < move || y < move)
         continue;
      const bool want = is_covered(samples, x - move, y - move, s);
      if (texel[4 * i] != (want ? lit : dark))
         fail_msg("%u samples, pixel %u, %u, sample %u: 0x%x, %scovered",
                  samples, x, y, s, texel[4 * i], want ? "" : "not ");
   }
}

static void
copy(const struct vkt_image *from, const struct vkt_image *to,
     VkImageAspectFlags aspect, uint32_t move)
{
   const VkImageCopy region = {
      .srcSubresource = { aspect, 0, 0, 1 },
      .dstSubresource = { aspect, 0, 0, 1 },
      .dstOffset = { (int32_t)move, (int32_t)move, 0 },
      .extent = { SIZE - move, SIZE - move, 1 },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyImage(cmd, from->image, VK_IMAGE_LAYOUT_GENERAL, to->image,
                  VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   vkt_barrier(cmd);
   vkt_submit(cmd);
}

/* ---- tests ---- */

static void
check_color(uint32_t samples, VkFormat format)
{
   struct vkt_image image =
      create(format, samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   struct vkt_image other =
      create(format, samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   struct vkt_scene s = scene(samples);
   s.color = &image;
   static uint32_t px[SIZE * SIZE];
   vkt_draw(&s, format == VK_FORMAT_R8G8B8A8_UNORM ? px : NULL);

   struct vkt_buffer got =
      fetch(VKT_SHADER(fetch_samples_comp), image.view, samples);
   expect_samples(&got, samples, 0, 0x3f800000, 0);
   vkt_buffer_destroy(&got);
   copy(&image, &other, VK_IMAGE_ASPECT_COLOR_BIT, 3);
   got = fetch(VKT_SHADER(fetch_samples_comp), other.view, samples);
   expect_samples(&got, samples, 3, 0x3f800000, 0);
   vkt_buffer_destroy(&got);

   for (uint32_t i = 0; format == VK_FORMAT_R8G8B8A8_UNORM && i < SIZE * SIZE;
        i++) {
      unsigned lit = 0;
      for (uint32_t k = 0; k < samples; k++)
         lit += is_covered(samples, i % SIZE, i / SIZE, k);
      const int want = (int)(255.0f * (float)lit / (float)samples + 0.5f);
      assert_true(abs((int)(px[i] & 0xff) - want) <= 1);
   }
   vkt_image_destroy(&other);
   vkt_image_destroy(&image);
}

/* Texels of one, two, four and sixteen bytes. */
static void
test_color(void **state)
{
   static const VkFormat formats[] = {
      VK_FORMAT_R8G8B8A8_UNORM,
      VK_FORMAT_R8_UNORM,
      VK_FORMAT_R16_SFLOAT,
      VK_FORMAT_R32G32B32A32_SFLOAT,
   };
   uint32_t left = counts();
   while (left) {
      const uint32_t samples = 1u << u_bit_scan(&left);
      for (unsigned f = 0; f < ARRAY_SIZE(formats); f++)
         check_color(samples, formats[f]);
   }
}

static VkImageView
view_of(const struct vkt_image *i, VkImageAspectFlags aspect)
{
   return VKT_NEW(ImageView, IMAGE_VIEW, .image = i->image,
                  .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = i->desc.format,
                  .subresourceRange = { aspect, 0, 1, 0, 1 });
}

static void
make_readable(const struct vkt_image *i)
{
   const VKT_INFO(ImageMemoryBarrier, barrier,
                  .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                  .dstAccessMask = VK_ACCESS_SHADER_READ_BIT,
                  .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .newLayout = VK_IMAGE_LAYOUT_GENERAL, .image = i->image,
                  .subresourceRange = { VK_IMAGE_ASPECT_DEPTH_BIT |
                                           VK_IMAGE_ASPECT_STENCIL_BIT,
                                        0, 1, 0, 1 });
   VkCommandBuffer cmd = vkt_begin();
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                        NULL, 1, &barrier);
   vkt_submit(cmd);
}

static void
expect_depth_stencil(const struct vkt_image *i, uint32_t samples,
                     uint32_t move)
{
   VkImageView depth = view_of(i, VK_IMAGE_ASPECT_DEPTH_BIT);
   VkImageView stencil = view_of(i, VK_IMAGE_ASPECT_STENCIL_BIT);
   struct vkt_buffer got =
      fetch(VKT_SHADER(fetch_samples_comp), depth, samples);
   expect_samples(&got, samples, move, 0, 0x3f800000);
   vkt_buffer_destroy(&got);
   got = fetch(VKT_SHADER(fetch_values_comp), stencil, samples);
   expect_samples(&got, samples, move, 0xa5, 0);
   vkt_buffer_destroy(&got);
   vkDestroyImageView(vkt.device, depth, NULL);
   vkDestroyImageView(vkt.device, stencil, NULL);
}

static void
check_depth_stencil(uint32_t samples)
{
   const VkFormat format = VK_FORMAT_D32_SFLOAT_S8_UINT;
   const VkImageUsageFlags usage =
      VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
   struct vkt_image image = create(format, samples, usage);
   struct vkt_image other = create(format, samples, usage);
   const VkStencilOpState op = {
      .failOp = VK_STENCIL_OP_REPLACE,
      .passOp = VK_STENCIL_OP_REPLACE,
      .depthFailOp = VK_STENCIL_OP_REPLACE,
      .compareOp = VK_COMPARE_OP_ALWAYS,
      .compareMask = 0xff,
      .writeMask = 0xff,
      .reference = 0xa5,
   };
   const VKT_INFO(PipelineDepthStencilStateCreateInfo, state,
                  .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE,
                  .depthCompareOp = VK_COMPARE_OP_LESS,
                  .stencilTestEnable = VK_TRUE, .front = op, .back = op);
   struct vkt_scene s = scene(samples);
   s.depth_stencil = &state;
   s.depth = &image;
   vkt_draw(&s, NULL);
   /* The pass ends in a layout in which shaders read: no barrier is for the
    * image. */
   expect_depth_stencil(&image, samples, 0);
   /* Whole pairs of pixels, and not. */
   for (uint32_t move = 0; move <= 4; move += 4) {
      copy(&image, &other,
           VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, move);
      make_readable(&other);
      expect_depth_stencil(&other, samples, move);
   }
   vkt_image_destroy(&other);
   vkt_image_destroy(&image);
}

static void
test_depth_stencil(void **state)
{
   uint32_t left = counts();
   while (left)
      check_depth_stencil(1u << u_bit_scan(&left));
}

/* ---- buffers ---- */

/* Texels of which a number from 0 to 255 is in a buffer, and in an image. */
struct texel_kind {
   VkFormat format;
   VkImageAspectFlags aspect;
   uint32_t size_B;
   bool is_integer;
};

static void
put_texel(const struct texel_kind *k, void *to, uint32_t n)
{
   const float wide = (float)n / 255.0f;
   const uint16_t narrow = (uint16_t)(n * 257u);
   const uint8_t byte = (uint8_t)n;
   const void *from[] = { [1] = &byte, [2] = &narrow, [4] = &wide };
   memcpy(to, from[k->size_B], k->size_B);
}

/* `part` of the image, and the same rows of the buffer, which are as long as
 * the image's, from their first texel on. */
static void
copy_part(const struct vkt_image *image, const struct texel_kind *k,
          const struct vkt_buffer *b, VkRect2D part, bool to_image)
{
   const VkBufferImageCopy region = {
      .bufferOffset = (uint32_t)part.offset.y * SIZE * k->size_B,
      .bufferRowLength = SIZE,
      .imageSubresource = { k->aspect, 0, 0, 1 },
      .imageOffset = { part.offset.x, part.offset.y, 0 },
      .imageExtent = { part.extent.width, part.extent.height, 1 },
   };
   VkCommandBuffer cmd = vkt_begin();
   if (to_image)
      vkCmdCopyBufferToImage(cmd, b->buffer, image->image,
                             VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   else
      vkCmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL,
                             b->buffer, 1, &region);
   vkt_barrier(cmd);
   vkt_submit(cmd);
}

static bool
is_in(VkRect2D r, uint32_t x, uint32_t y)
{
   return x - (uint32_t)r.offset.x < r.extent.width &&
          y - (uint32_t)r.offset.y < r.extent.height;
}

/* Pixel n is n, in a part 255 - n; every sample of it. */
static void
expect_texels(const struct vkt_image *image, const struct texel_kind *k,
              uint32_t samples, VkRect2D part)
{
   VkImageView view = view_of(image, k->aspect);
   struct vkt_buffer got = fetch(k->is_integer
                                    ? VKT_SHADER(fetch_values_comp)
                                    : VKT_SHADER(fetch_samples_comp),
                                 view, samples);
   for (uint32_t i = 0; i < SIZE * SIZE * samples; i++) {
      const uint32_t n = i % (SIZE * SIZE);
      const uint32_t want = is_in(part, n % SIZE, n / SIZE) ? 255 - n : n;
      const void *texel = (const uint32_t *)got.map + 4 * i;
      float f;
      memcpy(&f, texel, 4);
      const uint32_t have = k->is_integer ? *(const uint32_t *)texel
                                          : (uint32_t)(f * 255.0f + 0.5f);
      if (have != want)
         fail_msg("format %d, %u samples, texel %u: %u, not %u", k->format,
                  samples, i, have, want);
   }
   vkt_buffer_destroy(&got);
   vkDestroyImageView(vkt.device, view, NULL);
}

static void
check_buffers(const struct texel_kind *k, uint32_t samples)
{
   static const VkRect2D whole = { { 0, 0 }, { SIZE, SIZE } };
   static const VkRect2D part = { { 3, 1 }, { 8, 13 } };
   static const VkRect2D read = { { 1, 0 }, { 9, 16 } };
   const bool color = k->aspect == VK_IMAGE_ASPECT_COLOR_BIT;
   struct vkt_image image =
      create(k->format, samples,
             color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                   : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   const uint32_t size_B = SIZE * SIZE * k->size_B;
   struct vkt_buffer up = vkt_buffer_create(size_B);
   struct vkt_buffer over = vkt_buffer_create(size_B);
   struct vkt_buffer down = vkt_buffer_create(size_B);
   for (uint32_t n = 0; n < SIZE * SIZE; n++) {
      put_texel(k, (char *)up.map + n * k->size_B, n);
      put_texel(k, (char *)over.map + n * k->size_B,
                255 - (n + (uint32_t)part.offset.x));
   }
   copy_part(&image, k, &up, whole, true);
   copy_part(&image, k, &over, part, true);
   if (k->aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
      make_readable(&image);
   expect_texels(&image, k, samples, part);

   memset(down.map, 0x5a, size_B);
   copy_part(&image, k, &down, read, false);
   for (uint32_t n = 0; n < SIZE * SIZE; n++) {
      const uint32_t x = n % SIZE + (uint32_t)read.offset.x, y = n / SIZE;
      const uint32_t pixel = y * SIZE + x;
      char want[4] = { 0x5a, 0x5a, 0x5a, 0x5a };
      if (is_in(read, x, y))
         put_texel(k, want, is_in(part, x, y) ? 255 - pixel : pixel);
      assert_memory_equal((char *)down.map + n * k->size_B, want, k->size_B);
   }
   vkt_buffer_destroy(&down);
   vkt_buffer_destroy(&over);
   vkt_buffer_destroy(&up);
   vkt_image_destroy(&image);
}

/* What Vulkan forbids and zink does: every sample is written, and the first
 * one read. */
static void
test_buffers(void **state)
{
   static const struct texel_kind kinds[] = {
      { VK_FORMAT_R32_SFLOAT, VK_IMAGE_ASPECT_COLOR_BIT, 4, false },
      { VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT, 4, false },
      { VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT, 1, true },
      { VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT, 2, false },
   };
   uint32_t left = counts();
   while (left) {
      const uint32_t samples = 1u << u_bit_scan(&left);
      for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++)
         check_buffers(&kinds[i], samples);
   }
}

/* Into the third slice of four, in front of a rim that stays; integers,
 * which are not averaged, too. */
static void
resolve_to_slice(VkFormat format)
{
   struct vkt_image from =
      create(format, 4, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   struct vkt_image to =
      VKT_IMAGE(.format = format, .width = SIZE, .height = SIZE, .depth = 4,
                .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   static uint32_t px[4][SIZE][SIZE];
   memset(px, 0, sizeof(px));
   vkt_image_write(&to, 0, px, sizeof(px));
   const bool is_int = format == VK_FORMAT_R8G8B8A8_UINT;
   const VkClearColorValue integers = { .uint32 = { 255, 255, 255, 255 } };
   const VkClearColorValue ones = { .float32 = { 1, 1, 1, 1 } };
   const VkImageSubresourceLayers layer = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0,
                                            1 };
   const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                           1 };
   const VkImageResolve region = {
      .srcSubresource = layer,
      .dstSubresource = layer,
      .dstOffset = { 1, 2, 2 },
      .extent = { SIZE - 1, SIZE - 2, 1 },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdClearColorImage(cmd, from.image, VK_IMAGE_LAYOUT_GENERAL,
                        is_int ? &integers : &ones, 1, &range);
   vkt_barrier(cmd);
   vkCmdResolveImage(cmd, from.image, VK_IMAGE_LAYOUT_GENERAL, to.image,
                     VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   vkt_image_read(&to, 0, px, sizeof(px));
   for (unsigned i = 0; i < 4 * SIZE * SIZE; i++) {
      const unsigned x = i % SIZE, y = i / SIZE % SIZE, z = i / SIZE / SIZE;
      assert_int_equal(px[z][y][x],
                       z == 2 && y >= 2 && x >= 1 ? 0xffffffff : 0);
   }
   vkt_image_destroy(&from);
   vkt_image_destroy(&to);
}

static void
test_resolve_to_slice(void **state)
{
   resolve_to_slice(VK_FORMAT_R8G8B8A8_UNORM);
   resolve_to_slice(VK_FORMAT_R8G8B8A8_UINT);
}

struct stored {
   uint32_t size[4];
   uint32_t before[3 * MAX_SAMPLES * SIZE * SIZE];
   uint32_t bytes[MAX_SAMPLES * SIZE * SIZE][4];
};

static void
check_stored(const struct stored *got, const uint32_t *fetched,
             uint32_t samples)
{
   const uint32_t size[4] = { SIZE, SIZE, 3, samples };
   assert_memory_equal(got->size, size, sizeof(size));
   for (uint32_t n = 0; n < 3 * samples; n++) {
      for (uint32_t i = 0; i < SIZE * SIZE; i++) {
         const uint32_t k = n * SIZE * SIZE + i;
         assert_int_equal(got->before[k], 1000 * n + i);
         assert_int_equal(fetched[k], 1000 * n + i + 7);
      }
   }
   for (uint32_t k = 0; k < samples * SIZE * SIZE; k++) {
      const uint32_t want[4] = { k % SIZE, k / SIZE % SIZE, k / (SIZE * SIZE),
                                 9 };
      assert_memory_equal(got->bytes[k], want, sizeof(want));
   }
}

static VkImageView
three_layers(const struct vkt_image *image, uint32_t first)
{
   return VKT_NEW(
      ImageView, IMAGE_VIEW, .image = image->image,
      .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY, .format = image->desc.format,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, first, 3 });
}

/* The last three of `layers`. */
static void
store_samples(uint32_t samples, uint32_t layers)
{
   struct vkt_image images[2];
   for (unsigned i = 0; i < 2; i++)
      images[i] =
         VKT_IMAGE(.format = i ? VK_FORMAT_R8G8B8A8_UINT : VK_FORMAT_R32_UINT,
                   .width = SIZE, .height = SIZE, .layers = i ? 1 : layers,
                   .samples = samples,
                   .usage = VK_IMAGE_USAGE_STORAGE_BIT |
                            VK_IMAGE_USAGE_SAMPLED_BIT |
                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                   .view_type = i ? VK_IMAGE_VIEW_TYPE_2D
                                  : VK_IMAGE_VIEW_TYPE_2D_ARRAY);
   struct vkt_buffer out = vkt_buffer_create(sizeof(struct stored));
   struct vkt_buffer fetched =
      vkt_buffer_create(3ull * samples * SIZE * SIZE * 4);
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
   VkImageView view = three_layers(&images[0], layers - 3);
   const struct vkt_resource store[] = {
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = view },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = images[1].view },
      VKT_STORAGE(out),
   };
   const struct vkt_resource fetch[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = view,
        .sampler = sampler },
      VKT_STORAGE(fetched),
   };
   vkt_compute(VKT_SHADER(store_samples_comp), store, 3, 3 * samples);
   vkt_compute(VKT_SHADER(fetch_layers_comp), fetch, 2, 3 * samples);
   check_stored(out.map, fetched.map, samples);
   vkDestroyImageView(vkt.device, view, NULL);
   vkDestroySampler(vkt.device, sampler, NULL);
   for (unsigned i = 0; i < 2; i++)
      vkt_image_destroy(&images[i]);
   vkt_buffer_destroy(&out);
   vkt_buffer_destroy(&fetched);
}

/* shaderStorageImageMultisample, with the counts that are announced for it:
 * on Gen9 all that there are, else one. */
static void
test_storage(void **state)
{
   VkPhysicalDeviceProperties p;
   VkPhysicalDeviceFeatures features;
   vkGetPhysicalDeviceProperties(vkt.pdev, &p);
   vkGetPhysicalDeviceFeatures(vkt.pdev, &features);
   const VkSampleCountFlags counts = p.limits.storageImageSampleCounts;
   assert_int_equal(features.shaderStorageImageMultisample, counts != 1);
   if (counts != 1)
      assert_int_equal(counts, p.limits.framebufferColorSampleCounts);
   for (uint32_t n = 2; n <= MAX_SAMPLES; n *= 2) {
      if (counts & n) {
         store_samples(n, 3);
         /* More slices than a surface state has layers. */
         store_samples(n, MIN2(5000 / n, p.limits.maxImageArrayLayers));
      }
   }
}

/* ---- other positions ---- */

static void
set_locations(VkCommandBuffer cmd, const void *data)
{
   VKT_PROC(vkCmdSetSampleLocationsEXT)(cmd, data);
}

/* What of a column is seen that covers the `sixteenth` of each of the
 * target's pixels; `at`: where all samples are, NULL: where they are else. */
static uint32_t
see_column(float sixteenth, const VkSampleLocationEXT *at, bool late,
           enum vkt_way way)
{
   static const VkDynamicState dynamic =
      VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT;
   static const VkSampleLocationEXT nowhere[4];
   const float x0 = sixteenth / 8 - 1, x1 = (sixteenth + 1) / 8 - 1;
   const float column[4][4] = {
      { x0, -1, 0, 1 }, { x1, -1, 0, 1 }, { x0, 1, 0, 1 }, { x1, 1, 0, 1 }
   };
   VKT_INFO(SampleLocationsInfoEXT, info,
            .sampleLocationsPerPixel = VK_SAMPLE_COUNT_4_BIT,
            .sampleLocationGridSize = { 1, 1 }, .sampleLocationsCount = 4,
            .pSampleLocations = at ? at : nowhere);
   const VkSampleLocationsInfoEXT set = info;
   if (late)
      info.pSampleLocations = nowhere;
   const VKT_INFO(PipelineSampleLocationsStateCreateInfoEXT, locations,
                  .sampleLocationsEnable = at != NULL,
                  .sampleLocationsInfo = info);
   const VKT_INFO(PipelineMultisampleStateCreateInfo, multisample,
                  .pNext = &locations,
                  .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT);
   uint32_t px;
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                       .vertices = column, .attributes = 1, .vertex_count = 4,
                       .width = 1, .height = 1,
                       .samples = VK_SAMPLE_COUNT_4_BIT,
                       .multisample = &multisample, .dynamic = &dynamic,
                       .dynamic_count = late ? 1 : 0,
                       .set_state = late ? set_locations : NULL, .data = &set,
                       .way = way),
            &px);
   return px & 0xff;
}

static void
test_locations(void **state)
{
   VKT_INFO(PhysicalDeviceSampleLocationsPropertiesEXT, p);
   VKT_INFO(MultisamplePropertiesEXT, grid);
   vkt_properties(&p);
   assert_true(p.sampleLocationSampleCounts & VK_SAMPLE_COUNT_4_BIT);
   PFN_vkGetPhysicalDeviceMultisamplePropertiesEXT get =
      (PFN_vkGetPhysicalDeviceMultisamplePropertiesEXT)vkGetInstanceProcAddr(
         vkt.instance, "vkGetPhysicalDeviceMultisamplePropertiesEXT");
   get(vkt.pdev, VK_SAMPLE_COUNT_4_BIT, &grid);
   assert_int_equal(grid.maxSampleLocationGridSize.width, 1);

   /* The middle of the column that is drawn, farther out with each. */
   const VkSampleLocationEXT at[4] = { { 0.7f, 8 / 16.0f },
                                       { 0.7f, 10 / 16.0f },
                                       { 0.7f, 4 / 16.0f },
                                       { 0.7f, 14 / 16.0f } };
   for (unsigned late = 0; late < 2; late++) {
      assert_int_equal(see_column(11, at, late, VKT_IN_PASS), 255);
      assert_int_equal(see_column(6, at, late, VKT_IN_PASS), 0);
   }
   assert_int_equal(see_column(11, at, true, VKT_IN_RECORDED), 255);
   /* Of the standard ones a single one is there. */
   assert_in_range(see_column(6, NULL, false, VKT_IN_PASS), 63, 65);
   assert_int_equal(see_column(11, NULL, false, VKT_IN_PASS), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_color),   cmocka_unit_test(test_depth_stencil),
      cmocka_unit_test(test_buffers), cmocka_unit_test(test_resolve_to_slice),
      cmocka_unit_test(test_storage), cmocka_unit_test(test_locations),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
