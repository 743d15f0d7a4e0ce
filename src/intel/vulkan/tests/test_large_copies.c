/* SPDX-License-Identifier: MIT */
/* Copies of what is larger than one surface of the hardware can be: rows far
 * apart, images as large as there are, layers and samples that begin or end
 * beyond. */
#include "util/macros.h"
#include "vkt.h"

#include <stdlib.h>
#include <string.h>

#include "large_copies_fetch_at_comp.h"

/* ---- buffers and images ---- */

struct large {
   VkFormat format;
   uint32_t texel_B, width, height, layers;
   VkBufferImageCopy region;
};

static uint32_t
row_px(const VkBufferImageCopy *c)
{
   return c->bufferRowLength ? c->bufferRowLength : c->imageExtent.width;
}

static size_t
buffer_size_B(const struct large *l, const VkBufferImageCopy *c)
{
   return ((c->imageExtent.height - 1) * (size_t)row_px(c) +
           c->imageExtent.width) *
          l->texel_B;
}

/* Whether `a`, laid out as `ca` says, has the texels of `b`. */
static bool
same_texels(const struct large *l, const void *a, const VkBufferImageCopy *ca,
            const void *b, const VkBufferImageCopy *cb)
{
   const size_t row_B = ca->imageExtent.width * l->texel_B;
   for (size_t y = 0; y < ca->imageExtent.height; y++) {
      if (memcmp((const char *)a + y * row_px(ca) * l->texel_B,
                 (const char *)b + y * row_px(cb) * l->texel_B, row_B) != 0)
         return false;
   }
   return true;
}

/* To the image as the region says; back to rows side by side, and back as it
 * says, where nothing else may be written. */
static void
check_large(const struct large *l)
{
   struct vkt_image image = VKT_IMAGE(.format = l->format, .width = l->width,
                                      .height = l->height,
                                      .layers = l->layers);
   const VkBufferImageCopy *far = &l->region;
   VkBufferImageCopy near = l->region;
   near.bufferRowLength = 0;
   const size_t size_B = buffer_size_B(l, far);
   struct vkt_buffer in = vkt_buffer_create(size_B);
   struct vkt_buffer out = vkt_buffer_create(size_B);
   struct vkt_buffer tight = vkt_buffer_create(buffer_size_B(l, &near));
   for (size_t i = 0; i < size_B; i++)
      ((uint8_t *)in.map)[i] = (uint8_t)(i * 7 + i / 251);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyBufferToImage(cmd, in.buffer, image.image,
                          VK_IMAGE_LAYOUT_GENERAL, 1, far);
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL,
                          tight.buffer, 1, &near);
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL,
                          out.buffer, 1, far);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   assert_true(same_texels(l, in.map, far, tight.map, &near));
   assert_true(same_texels(l, in.map, far, out.map, far));
   const size_t row_B = far->imageExtent.width * l->texel_B;
   for (size_t i = row_B; i < size_B; i++) {
      if (i % (row_px(far) * l->texel_B) >= row_B)
         assert_int_equal(((uint8_t *)out.map)[i], 0xcd);
   }
   vkt_buffer_destroy(&in);
   vkt_buffer_destroy(&out);
   vkt_buffer_destroy(&tight);
   vkt_image_destroy(&image);
}

/* A pitch has 18 bits. */
static void
test_far_rows(void **state)
{
   static const struct large all[] = {
      { VK_FORMAT_R8G8B8A8_UNORM,
        4,
        4,
        4,
        1,
        { 0,
          100000,
          0,
          { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
          { 0 },
          { 4, 4, 1 } } },
      { VK_FORMAT_R8G8B8A8_UNORM,
        4,
        4,
        4,
        1,
        { 0,
          100000,
          0,
          { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
          { 1, 2, 0 },
          { 3, 1, 1 } } },
      { VK_FORMAT_R32G32B32A32_SFLOAT,
        16,
        8,
        3,
        1,
        { 0,
          16385,
          0,
          { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
          { 2, 0, 0 },
          { 5, 3, 1 } } },
      { VK_FORMAT_R8_UINT,
        1,
        70,
        3,
        2,
        { 0,
          262145,
          0,
          { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1 },
          { 1, 1, 0 },
          { 69, 2, 1 } } },
      { VK_FORMAT_S8_UINT,
        1,
        70,
        3,
        1,
        { 0,
          300000,
          0,
          { VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1 },
          { 1, 0, 0 },
          { 69, 3, 1 } } },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(all); i++)
      check_large(&all[i]);
}

/* As large as images are, or beginning far into a tile. */
static void
test_large_images(void **state)
{
   static const struct large all[] = {
      { VK_FORMAT_R8G8B8A8_UNORM,
        4,
        16,
        16380,
        2,
        { 0,
          0,
          0,
          { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1 },
          { 0 },
          { 16, 16380, 1 } } },
      { VK_FORMAT_R8G8B8A8_UNORM,
        4,
        16,
        16380,
        2,
        { 0,
          0,
          0,
          { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1 },
          { 3, 16370, 0 },
          { 13, 10, 1 } } },
      { VK_FORMAT_D32_SFLOAT,
        4,
        16384,
        8,
        1,
        { 0,
          0,
          0,
          { VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1 },
          { 0 },
          { 4, 4, 1 } } },
      { VK_FORMAT_D32_SFLOAT,
        4,
        16384,
        8,
        1,
        { 0,
          0,
          0,
          { VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1 },
          { 0, 3, 0 },
          { 16384, 2, 1 } } },
      { VK_FORMAT_R32G32B32A32_SFLOAT,
        16,
        16384,
        3,
        1,
        { 0,
          16384,
          0,
          { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
          { 0, 1, 0 },
          { 16384, 2, 1 } } },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(all); i++)
      check_large(&all[i]);
}

/* ---- samples side by side ---- */

#define DEPTH_ROWS 6

static struct vkt_image
create_depth(uint32_t width, uint32_t samples, float depth)
{
   struct vkt_image i =
      VKT_IMAGE(.format = VK_FORMAT_D32_SFLOAT, .width = width,
                .height = DEPTH_ROWS,
                .samples = (VkSampleCountFlagBits)samples,
                .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                         VK_IMAGE_USAGE_SAMPLED_BIT);
   const VkClearDepthStencilValue value = { depth, 0 };
   const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0,
                                           1 };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdClearDepthStencilImage(cmd, i.image, VK_IMAGE_LAYOUT_GENERAL, &value,
                               1, &range);
   vkt_submit(cmd);
   return i;
}

/* A row of whole width, and below it a part at the right end. */
static bool
is_copied(uint32_t width, uint32_t x, uint32_t y)
{
   return y < 2 || (y < 4 && x >= width - 40);
}

static void
copy_depth(const struct vkt_image *from, const struct vkt_image *to,
           uint32_t width)
{
   const VkImageSubresourceLayers layer = { VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0,
                                            1 };
   const int32_t right = (int32_t)width - 40;
   const VkImageCopy regions[] = {
      { layer, { 0, 4, 0 }, layer, { 0, 0, 0 }, { width, 2, 1 } },
      { layer, { 8, 0, 0 }, layer, { right, 2, 0 }, { 40, 2, 1 } },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkt_barrier(cmd);
   vkCmdCopyImage(cmd, from->image, VK_IMAGE_LAYOUT_GENERAL, to->image,
                  VK_IMAGE_LAYOUT_GENERAL, 2, regions);
   vkt_barrier(cmd);
   vkt_submit(cmd);
}

static void
check_depth_samples(uint32_t width, uint32_t samples)
{
   struct vkt_image from = create_depth(width, samples, 0.5f);
   struct vkt_image to = create_depth(width, samples, 0.25f);
   copy_depth(&from, &to, width);
   const uint32_t columns[] = { 0,          1,          2047,
                                4095,       4096,       width / 2,
                                width - 42, width - 41, width - 40,
                                width - 39, width - 2,  width - 1 };
   enum { N = ARRAY_SIZE(columns) };
   const uint32_t count = N * DEPTH_ROWS * samples;
   struct vkt_buffer io = vkt_buffer_create(count * 16);
   uint32_t(*at)[4] = io.map;
   for (uint32_t i = 0; i < count; i++) {
      at[i][0] = columns[i % N];
      at[i][1] = i / N % DEPTH_ROWS;
      at[i][2] = i / N / DEPTH_ROWS;
   }
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = to.view,
        .sampler = sampler },
      VKT_STORAGE(io),
   };
   vkt_compute(VKT_SHADER(fetch_at_comp), resources, 2, count);
   for (uint32_t i = 0; i < count; i++) {
      const bool copied = is_copied(width, at[i][0], at[i][1]);
      if (at[i][3] != (copied ? 0x3f000000 : 0x3e800000))
         fail_msg("%u samples, pixel %u, %u, sample %u: 0x%x", samples,
                  at[i][0], at[i][1], at[i][2], at[i][3]);
   }
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_buffer_destroy(&io);
   vkt_image_destroy(&from);
   vkt_image_destroy(&to);
}

/* Depth has its samples beside each other: four times the elements of a row
 * are more than a surface has. */
static void
test_wide_samples(void **state)
{
   check_depth_samples(8192, 4);
   check_depth_samples(4100, 8);
}

/* ---- any ---- */

static uint32_t
draw_lot(uint32_t *seed, uint32_t n)
{
   *seed = *seed * 1664525 + 1013904223;
   return (uint32_t)((uint64_t)(*seed >> 8) * n >> 24);
}

/* An image, and what it should be. */
struct model {
   struct vkt_image image;
   uint32_t texel_B, width, height, layers;
   uint8_t *texels;
};

static uint8_t *
texel(const struct model *m, uint32_t layer, uint32_t x, uint32_t y)
{
   return m->texels +
          (((size_t)layer * m->height + y) * m->width + x) * m->texel_B;
}

static struct model
create_model(uint32_t *seed, unsigned format)
{
   static const VkFormat formats[] = {
      VK_FORMAT_R8_UINT,     VK_FORMAT_R16_UINT,          VK_FORMAT_R32_UINT,
      VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32A32_UINT,
   };
   const bool wide = draw_lot(seed, 2);
   const uint32_t large = 16384 - draw_lot(seed, 3) * draw_lot(seed, 40);
   const uint32_t small = 1 + draw_lot(seed, 20);
   struct model m = {
      .texel_B = 1u << format,
      .width = wide ? large : small,
      .height = wide ? small : large,
      .layers = 1 + draw_lot(seed, 3),
   };
   m.texels = calloc((size_t)m.width * m.height * m.layers, m.texel_B);
   assert_non_null(m.texels);
   m.image = VKT_IMAGE(.format = formats[format], .width = m.width,
                       .height = m.height, .layers = m.layers);
   const VkClearColorValue zero = { 0 };
   const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                           m.layers };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdClearColorImage(cmd, m.image.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1,
                        &range);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   return m;
}

/* Where something of size n or less lies: at an end, or anywhere. */
static uint32_t
draw_place(uint32_t *seed, uint32_t length, uint32_t n)
{
   const uint32_t most = length - n;
   switch (draw_lot(seed, 4)) {
   case 0: return 0;
   case 1: return most;
   default: return draw_lot(seed, most + 1);
   }
}

/* Mostly small; along one axis it may be all. */
static VkBufferImageCopy
draw_region(uint32_t *seed, const struct model *m, const struct model *other)
{
   const uint32_t most_w = MIN2(m->width, other->width);
   const uint32_t most_h = MIN2(m->height, other->height);
   uint32_t w = 1 + draw_lot(seed, MIN2(most_w, 40));
   uint32_t h = 1 + draw_lot(seed, MIN2(most_h, 40));
   if (draw_lot(seed, 6) == 0)
      w = most_w, h = MIN2(h, 2);
   else if (draw_lot(seed, 6) == 0)
      h = most_h, w = MIN2(w, 2);
   const uint32_t x = draw_place(seed, m->width, w);
   const uint32_t y = draw_place(seed, m->height, h);
   return (VkBufferImageCopy) {
      .bufferRowLength = draw_lot(seed, 2) && h < 8
                            ? w + draw_lot(seed, 400000 / m->texel_B)
                            : 0,
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0,
                            draw_lot(seed, m->layers), 1 },
      .imageOffset = { (int32_t)x, (int32_t)y, 0 },
      .imageExtent = { w, h, 1 },
   };
}

static void
compare_region(const struct model *m, const VkBufferImageCopy *c,
               const uint8_t *got)
{
   for (uint32_t y = 0; y < c->imageExtent.height; y++) {
      const uint8_t *want = texel(m, c->imageSubresource.baseArrayLayer,
                                  (uint32_t)c->imageOffset.x,
                                  (uint32_t)c->imageOffset.y + y);
      if (memcmp(got + (size_t)y * row_px(c) * m->texel_B, want,
                 (size_t)c->imageExtent.width * m->texel_B) != 0)
         fail_msg("%u x %u x %u, %u bytes: %u x %u from %d, %d in layer %u, "
                  "row %u",
                  m->width, m->height, m->layers, m->texel_B,
                  c->imageExtent.width, c->imageExtent.height,
                  c->imageOffset.x, c->imageOffset.y,
                  c->imageSubresource.baseArrayLayer, y);
   }
}

/* To the image, or from it. */
static void
copy_with_buffer(uint32_t *seed, struct model *m)
{
   const VkBufferImageCopy c = draw_region(seed, m, m);
   const struct large l = { .texel_B = m->texel_B };
   struct vkt_buffer b = vkt_buffer_create(buffer_size_B(&l, &c));
   const bool to_image = draw_lot(seed, 2);
   const size_t row_B = (size_t)c.imageExtent.width * m->texel_B;
   for (uint32_t y = 0; to_image && y < c.imageExtent.height; y++) {
      uint8_t *row = (uint8_t *)b.map + (size_t)y * row_px(&c) * m->texel_B;
      for (size_t i = 0; i < row_B; i++)
         row[i] = (uint8_t)draw_lot(seed, 256);
      memcpy(texel(m, c.imageSubresource.baseArrayLayer,
                   (uint32_t)c.imageOffset.x, (uint32_t)c.imageOffset.y + y),
             row, row_B);
   }
   VkCommandBuffer cmd = vkt_begin();
   if (to_image)
      vkCmdCopyBufferToImage(cmd, b.buffer, m->image.image,
                             VK_IMAGE_LAYOUT_GENERAL, 1, &c);
   else
      vkCmdCopyImageToBuffer(cmd, m->image.image, VK_IMAGE_LAYOUT_GENERAL,
                             b.buffer, 1, &c);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   if (!to_image)
      compare_region(m, &c, b.map);
   vkt_buffer_destroy(&b);
}

static void
copy_between(uint32_t *seed, const struct model *from, struct model *to)
{
   const VkBufferImageCopy c = draw_region(seed, from, to);
   const VkExtent3D e = c.imageExtent;
   const VkImageCopy r = {
      .srcSubresource = c.imageSubresource,
      .srcOffset = c.imageOffset,
      .dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0,
                          draw_lot(seed, to->layers), 1 },
      .dstOffset = { (int32_t)draw_place(seed, to->width, e.width),
                     (int32_t)draw_place(seed, to->height, e.height), 0 },
      .extent = e,
   };
   for (uint32_t y = 0; y < e.height; y++)
      memcpy(texel(to, r.dstSubresource.baseArrayLayer,
                   (uint32_t)r.dstOffset.x, (uint32_t)r.dstOffset.y + y),
             texel(from, r.srcSubresource.baseArrayLayer,
                   (uint32_t)r.srcOffset.x, (uint32_t)r.srcOffset.y + y),
             (size_t)e.width * to->texel_B);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyImage(cmd, from->image.image, VK_IMAGE_LAYOUT_GENERAL,
                  to->image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
   vkt_barrier(cmd);
   vkt_submit(cmd);
}

/* All of it, in the end. */
static void
compare_model(const struct model *m)
{
   const size_t layer_B = (size_t)m->width * m->height * m->texel_B;
   struct vkt_buffer b = vkt_buffer_create(layer_B * m->layers);
   VkBufferImageCopy c = {
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, m->layers },
      .imageExtent = { m->width, m->height, 1 },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyImageToBuffer(cmd, m->image.image, VK_IMAGE_LAYOUT_GENERAL,
                          b.buffer, 1, &c);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   for (uint32_t l = 0; l < m->layers; l++) {
      c.imageSubresource.baseArrayLayer = l;
      compare_region(m, &c, (const uint8_t *)b.map + l * layer_B);
   }
   vkt_buffer_destroy(&b);
}

static void
test_any(void **state)
{
   uint32_t seed = 1;
   for (unsigned format = 0; format < 5; format++) {
      struct model m[2];
      for (unsigned i = 0; i < 2; i++)
         m[i] = create_model(&seed, format);
      for (unsigned i = 0; i < 40; i++) {
         if (i % 4 == 3)
            copy_between(&seed, &m[i / 4 % 2], &m[1 - i / 4 % 2]);
         else
            copy_with_buffer(&seed, &m[i % 2]);
      }
      for (unsigned i = 0; i < 2; i++) {
         compare_model(&m[i]);
         vkt_image_destroy(&m[i].image);
         free(m[i].texels);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_far_rows),
      cmocka_unit_test(test_large_images),
      cmocka_unit_test(test_wide_samples),
      cmocka_unit_test(test_any),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
