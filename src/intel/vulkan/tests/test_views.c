/* SPDX-License-Identifier: MIT */
/* What some generations leave to shaders: formats of storage images and of
 * vertices, swizzles of views. */
#include "vkt.h"
#include "util/macros.h"

#include <string.h>

#include "views_any_format_comp.h"
#include "views_doubles_vert.h"
#include "views_longs_vert.h"
#include "views_packed_vert.h"
#include "views_read_as_comp.h"
#include "views_signed_longs_vert.h"
#include "views_slice_comp.h"
#include "views_storage_comp.h"
#include "views_swizzle_comp.h"

#define ONE 0x3f800000u

static void
expect(const struct vkt_buffer *out, unsigned row, const uint32_t want[4])
{
   const uint32_t *got = (const uint32_t *)out->map + 4 * row;
   if (memcmp(got, want, 16))
      fail_msg("row %u: got %x %x %x %x, want %x %x %x %x", row, got[0],
               got[1], got[2], got[3], want[0], want[1], want[2], want[3]);
}

static struct vkt_image
storage_image(VkFormat format, uint32_t width, uint32_t height,
              uint32_t depth, uint32_t layers)
{
   return VKT_IMAGE(.format = format, .width = width, .height = height,
                    .depth = depth, .layers = layers,
                    .usage = VK_IMAGE_USAGE_STORAGE_BIT);
}

/* Each texel that is asked for differs from all around it. */
static void
test_storage_loads(void **state)
{
   struct vkt_image images[] = {
      storage_image(VK_FORMAT_R32G32B32A32_SFLOAT, 4, 3, 1, 2),
      storage_image(VK_FORMAT_R32G32_UINT, 3, 4, 5, 1),
      storage_image(VK_FORMAT_R16_SINT, 5, 2, 1, 1),
      storage_image(VK_FORMAT_R8_UNORM, 7, 1, 1, 1),
      storage_image(VK_FORMAT_R16G16B16A16_SFLOAT, 2, 2, 1, 1),
      storage_image(VK_FORMAT_B10G11R11_UFLOAT_PACK32, 2, 1, 1, 1),
      storage_image(VK_FORMAT_R8G8B8A8_SINT, 4, 4, 1, 1),
   };
   static uint32_t vectors[2][3][4][4], pairs[5][4][3][2];
   static uint16_t halves[2][2][4];
   static int16_t shorts[2][5];
   static uint8_t bytes[7], colors[4][4][4];
   const uint32_t packed[2] = { 0, 0x3c0u | 0x400u << 11 | 0x1c0u << 22 };
   memcpy(vectors[1][1][2], (uint32_t[]) { 1, 2, 0xfffffff3, 4 }, 16);
   memcpy(pairs[3][2][1], (uint32_t[]) { 0x89abcdef, 7 }, 8);
   shorts[1][3] = -300;
   bytes[5] = 255;
   memcpy(halves[1][1], (uint16_t[]) { 0x3c00, 0xc000, 0x7c00, 0x0000 }, 8);
   memcpy(colors[3][2], (uint8_t[]) { 0x80, 0x7f, 0xff, 0x01 }, 4);
   const struct {
      const void *data;
      size_t size_B;
   } texels[] = {
      { vectors, sizeof(vectors) }, { pairs, sizeof(pairs) },
      { shorts, sizeof(shorts) },   { bytes, sizeof(bytes) },
      { halves, sizeof(halves) },   { packed, sizeof(packed) },
      { colors, sizeof(colors) },
   };
   struct vkt_buffer out = vkt_buffer_create(8 * 16);
   struct vkt_resource resources[8];
   for (unsigned i = 0; i < ARRAY_SIZE(images); i++) {
      vkt_image_write(&images[i], 0, texels[i].data, texels[i].size_B);
      resources[i] = (struct vkt_resource) {
         .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
         .view = images[i].view,
      };
   }
   resources[7] = (struct vkt_resource)VKT_STORAGE(out);
   vkt_compute(VKT_SHADER(storage_comp), resources, 8, 1);

   expect(&out, 0, vectors[1][1][2]);
   const uint32_t *outside = (const uint32_t *)out.map + 4;
   assert_true(outside[0] == 0 && outside[1] == 0 && outside[2] == 0);
   expect(&out, 2, (uint32_t[]) { 0x89abcdef, 7, 0, 1 });
   expect(&out, 3, (uint32_t[]) { (uint32_t)-300, 0, 0, 1 });
   expect(&out, 4, (uint32_t[]) { ONE, 0, 0, ONE });
   expect(&out, 5, (uint32_t[]) { ONE, 0xc0000000, 0x7f800000, 0 });
   expect(&out, 6, (uint32_t[]) { ONE, 0x40000000, 0x3f000000, ONE });
   expect(&out, 7, (uint32_t[]) { (uint32_t)-128, 127, (uint32_t)-1, 1 });
   vkt_buffer_destroy(&out);
   for (unsigned i = 0; i < ARRAY_SIZE(images); i++)
      vkt_image_destroy(&images[i]);
}

/* ---- reads by another format than the view's ---- */

/* Texels of 16 bytes at most, and the reads of them whose format is the
 * view's: of images and of buffers. */
struct texels {
   VkFormat format;
   uint32_t texel_B;
   uint32_t bits[4];
   int row, list_row; /* -1: there is none */
   uint32_t want[4];
};

enum { WIDTH = 4, HEIGHT = 3, IMAGES = 4, READS = 7 };

struct texel_views {
   struct vkt_image image;
   struct vkt_buffer list;
   VkBufferView view;
};

static struct texel_views
create_views(const struct texels *t)
{
   struct texel_views v = {
      .image = storage_image(t->format, WIDTH, HEIGHT, 1, 1),
      .list = vkt_buffer_create(4 * t->texel_B),
   };
   char texels[WIDTH * HEIGHT * 16] = { 0 };
   memcpy(texels + (2 * WIDTH + 1) * t->texel_B, t->bits, t->texel_B);
   memcpy((char *)v.list.map + 3 * t->texel_B, t->bits, t->texel_B);
   vkt_image_write(&v.image, 0, texels, WIDTH * HEIGHT * t->texel_B);
   v.view = VKT_NEW(BufferView, BUFFER_VIEW, .buffer = v.list.buffer,
                    .format = t->format, .range = VK_WHOLE_SIZE);
   return v;
}

static void
destroy_views(struct texel_views *v)
{
   vkDestroyBufferView(vkt.device, v->view, NULL);
   vkt_buffer_destroy(&v->list);
   vkt_image_destroy(&v->image);
}

/* Reads of floats, and of integers. */
static void
read_by_all(const struct texels *floats, const struct texels *ints)
{
   struct texel_views f = create_views(floats), n = create_views(ints);
   struct vkt_buffer out = vkt_buffer_create(READS * 16);
   struct vkt_resource resources[READS + 1];
   for (unsigned i = 0; i < READS; i++) {
      const struct texel_views *v = i % 2 ? &n : &f;
      resources[i] = (struct vkt_resource) {
         .type = i < IMAGES ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                            : VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
         .view = v->image.view,
         .texels = v->view,
      };
   }
   resources[READS] = (struct vkt_resource)VKT_STORAGE(out);
   vkt_compute(VKT_SHADER(read_as_comp), resources, READS + 1, 1);
   const struct texels *both[] = { floats, ints };
   for (unsigned i = 0; i < 2; i++) {
      if (both[i]->row >= 0)
         expect(&out, (unsigned)both[i]->row, both[i]->want);
      if (both[i]->list_row >= 0)
         expect(&out, (unsigned)both[i]->list_row, both[i]->want);
   }
   vkt_buffer_destroy(&out);
   destroy_views(&f);
   destroy_views(&n);
}

/* Typed and raw reads of one view: before Gen9 its texels are either, by
 * their size, and a message of the other kind ended the context. */
static void
test_other_formats(void **state)
{
   static const struct texels floats[] = {
      { VK_FORMAT_R32G32B32A32_SFLOAT,
        16,
        { 1, 2, 3, 4 },
        0,
        4,
        { 1, 2, 3, 4 } },
      { VK_FORMAT_R8G8B8A8_UNORM,
        4,
        { 0xff00ff00 },
        2,
        6,
        { 0, ONE, 0, ONE } },
      { VK_FORMAT_R8G8B8A8_SNORM, 4, { 0x7f7f7f7f }, -1, -1, { 0 } },
      { VK_FORMAT_R16G16B16A16_SFLOAT, 8, { 5, 6 }, -1, -1, { 0 } },
   };
   static const struct texels ints[] = {
      { VK_FORMAT_R32_UINT,
        4,
        { 0xff00ff00 },
        1,
        5,
        { 0xff00ff00, 0, 0, 1 } },
      { VK_FORMAT_R32G32B32A32_UINT, 16, { 5, 6, 7, 8 }, -1, -1, { 0 } },
      { VK_FORMAT_R16G16B16A16_UINT,
        8,
        { 0xffff0001, 0x80007fff },
        3,
        -1,
        { 1, 65535, 32767, 32768 } },
      { VK_FORMAT_R8G8B8A8_UINT, 4, { 5 }, -1, -1, { 0 } },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(floats); i++)
      read_by_all(&floats[i], &ints[i]);
}

/* ---- reads without a format ---- */

enum { FLOATS, UINTS, SINTS };

struct any_texel {
   struct texels t; /* `want` is of all four channels */
   uint32_t kind;
   uint32_t alpha; /* outside */
};

static void
check_any(const struct any_texel *a, struct texel_views usual[3])
{
   struct texel_views own = create_views(&a->t);
   struct vkt_buffer out = vkt_buffer_create(64);
   struct vkt_resource resources[7];
   for (unsigned i = 0; i < 6; i++) {
      const struct texel_views *v = i % 3 == a->kind ? &own : &usual[i % 3];
      resources[i] = (struct vkt_resource) {
         .type = i < 3 ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                       : VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
         .view = v->image.view,
         .texels = v->view,
      };
   }
   resources[6] = (struct vkt_resource)VKT_STORAGE(out);
   *(uint32_t *)out.map = a->kind;
   vkt_compute(VKT_SHADER(any_format_comp), resources, 7, 1);
   expect(&out, 1, a->t.want);
   expect(&out, 2, a->t.want);
   expect(&out, 3, (uint32_t[]) { 0, 0, 0, a->alpha });
   vkt_buffer_destroy(&out);
   destroy_views(&own);
}

#define ROW(format, size_B, ...)                                             \
   .t = { VK_FORMAT_##format, size_B, __VA_ARGS__ }
#define WORDS(...)                                                           \
   {                                                                         \
      __VA_ARGS__                                                            \
   }

/* Each coding of channels, and each number of them. */
static void
test_any_format(void **state)
{
   static const struct any_texel texels[] = {
      { ROW(R32G32B32A32_SFLOAT, 16, WORDS(1, 2, 3, 4), 0, 0,
            WORDS(1, 2, 3, 4)),
        FLOATS, 0 },
      { ROW(R16G16B16A16_SFLOAT, 8, WORDS(0xc0003c00, 0x7c00), 0, 0,
            WORDS(ONE, 0xc0000000, 0x7f800000, 0)),
        FLOATS, 0 },
      { ROW(R16G16B16A16_UNORM, 8, WORDS(0x0000ffff, 0xffff0000), 0, 0,
            WORDS(ONE, 0, 0, ONE)),
        FLOATS, 0 },
      { ROW(R8G8B8A8_UNORM, 4, WORDS(0xff00ff00), 0, 0,
            WORDS(0, ONE, 0, ONE)),
        FLOATS, 0 },
      { ROW(R8G8B8A8_SNORM, 4, WORDS(0x7f80817f), 0, 0,
            WORDS(ONE, 0xbf800000, 0xbf800000, ONE)),
        FLOATS, 0 },
      { ROW(B8G8R8A8_UNORM, 4, WORDS(0xffff0000), 0, 0,
            WORDS(ONE, 0, 0, ONE)),
        FLOATS, 0 },
      { ROW(R16G16_SNORM, 4, WORDS(0x80007fff), 0, 0,
            WORDS(ONE, 0xbf800000, 0, ONE)),
        FLOATS, ONE },
      { ROW(R8_UNORM, 1, WORDS(0xff), 0, 0, WORDS(ONE, 0, 0, ONE)), FLOATS,
        ONE },
      { ROW(R16G16_SFLOAT, 4, WORDS(0x3c00c000), 0, 0,
            WORDS(0xc0000000, ONE, 0, ONE)),
        FLOATS, ONE },
      { ROW(R32_SFLOAT, 4, WORDS(0x12345678), 0, 0,
            WORDS(0x12345678, 0, 0, ONE)),
        FLOATS, ONE },
      { ROW(A2B10G10R10_UNORM_PACK32, 4, WORDS(0xc00ffc00), 0, 0,
            WORDS(0, ONE, 0, ONE)),
        FLOATS, 0 },
      { ROW(B10G11R11_UFLOAT_PACK32, 4,
            WORDS(0x3c0 | 0x400 << 11 | 0x1c0u << 22), 0, 0,
            WORDS(ONE, 0x40000000, 0x3f000000, ONE)),
        FLOATS, ONE },
      { ROW(R8G8_UINT, 2, WORDS(0x80ff), 0, 0, WORDS(255, 128, 0, 1)), UINTS,
        1 },
      { ROW(A2B10G10R10_UINT_PACK32, 4, WORDS(0x800ffc01), 0, 0,
            WORDS(1, 1023, 0, 2)),
        UINTS, 0 },
      { ROW(R32_UINT, 4, WORDS(0x87654321), 0, 0, WORDS(0x87654321, 0, 0, 1)),
        UINTS, 1 },
      { ROW(R16G16B16A16_SINT, 8, WORDS(0xffff0001, 0x80007fff), 0, 0,
            WORDS(1, 0xffffffff, 32767, 0xffff8000)),
        SINTS, 0 },
      { ROW(R8_SINT, 1, WORDS(0x80), 0, 0, WORDS(0xffffff80, 0, 0, 1)), SINTS,
        1 },
   };
   static const struct texels usual[3] = {
      { VK_FORMAT_R32_SFLOAT, 4, { 0 }, 0, 0, { 0 } },
      { VK_FORMAT_R32_UINT, 4, { 0 }, 0, 0, { 0 } },
      { VK_FORMAT_R32_SINT, 4, { 0 }, 0, 0, { 0 } },
   };
   VkPhysicalDeviceFeatures has;
   vkGetPhysicalDeviceFeatures(vkt.pdev, &has);
   if (!has.shaderStorageImageReadWithoutFormat)
      skip();
   struct texel_views views[3];
   for (unsigned i = 0; i < 3; i++)
      views[i] = create_views(&usual[i]);
   for (unsigned i = 0; i < ARRAY_SIZE(texels); i++)
      check_any(&texels[i], views);
   for (unsigned i = 0; i < 3; i++)
      destroy_views(&views[i]);
}

/* Channels in another order, and constants: each by lookups and gathers. */
static void
test_swizzles(void **state)
{
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
   struct vkt_image image =
      VKT_IMAGE(.format = VK_FORMAT_R32G32B32A32_SFLOAT, .width = 1,
                .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                .swizzle = { VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_ONE,
                             VK_COMPONENT_SWIZZLE_R,
                             VK_COMPONENT_SWIZZLE_ZERO });
   struct vkt_image ints =
      VKT_IMAGE(.format = VK_FORMAT_R8G8B8A8_UINT, .width = 1,
                .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                .swizzle = {
                   VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_IDENTITY,
                   VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_R });
   const float texel[4] = { 2, 4, 8, 16 };
   const uint8_t bytes[4] = { 5, 6, 7, 8 };
   vkt_image_write(&image, 0, texel, sizeof(texel));
   vkt_image_write(&ints, 0, bytes, sizeof(bytes));
   struct vkt_buffer out = vkt_buffer_create(6 * 16);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image.view,
        .sampler = sampler },
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = ints.view,
        .sampler = sampler },
      VKT_STORAGE(out),
   };
   vkt_compute(VKT_SHADER(swizzle_comp), resources, 3, 1);

   const uint32_t two = 0x40000000, eight = 0x41000000;
   expect(&out, 0, (uint32_t[]) { eight, ONE, two, 0 });
   expect(&out, 1, (uint32_t[]) { eight, eight, eight, eight });
   expect(&out, 2, (uint32_t[]) { ONE, ONE, ONE, ONE });
   expect(&out, 3, (uint32_t[]) { two, two, two, two });
   expect(&out, 4, (uint32_t[]) { 0, 0, 0, 0 });
   expect(&out, 5, (uint32_t[]) { 8, 6, 1, 5 });
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_buffer_destroy(&out);
   vkt_image_destroy(&image);
   vkt_image_destroy(&ints);
}

/* One vertex of six attributes, which the shader writes to `out`. */
static void
fetch(struct vkt_shader vs, const void *vertex, const VkFormat *formats,
      const struct vkt_buffer *out)
{
   const struct vkt_resource resource = {
      .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      .buffer = out->buffer,
   };
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .rasterizerDiscardEnable = true, .lineWidth = 1.0f);
   vkt_draw(&VKT_SCENE(.vs = vs, .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                       .vertices = vertex, .attributes = 6, .vertex_count = 1,
                       .formats = formats, .width = 1, .height = 1,
                       .raster = &raster, .resources = &resource,
                       .resource_count = 1),
            NULL);
}

static void
test_vertex_formats(void **state)
{
   static const VkFormat formats[] = {
      VK_FORMAT_A2R10G10B10_UNORM_PACK32,
      VK_FORMAT_A2B10G10R10_SNORM_PACK32,
      VK_FORMAT_A2R10G10B10_SSCALED_PACK32,
      VK_FORMAT_A2B10G10R10_SINT_PACK32,
      VK_FORMAT_R8G8B8_UINT,
      VK_FORMAT_R16G16B16_SINT,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      VkFormatProperties p;
      vkGetPhysicalDeviceFormatProperties(vkt.pdev, formats[i], &p);
      if (!(p.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT))
         skip(); /* three integers came with Gen7.5 and are not asked for */
   }
   static const uint32_t vertex[6][4] = {
      { 3u << 30 | 1023u << 20 },                 /* red is on top */
      { 1u << 30 | 0x200u << 20 | 0x1ffu << 10 }, /* red is below */
      { 2u << 30 | 0x3ffu << 20 | 5u << 10 | 7 },
      { 1u << 30 | 0x200u << 20 | 511u << 10 | 0x3fe },
      { 0xff8001 },
      { 0x7fff8000, 0xffff },
   };
   struct vkt_buffer out = vkt_buffer_create(6 * 16);
   fetch(VKT_SHADER(packed_vert), vertex, formats, &out);
   const uint32_t minus_one = 0xbf800000;
   expect(&out, 0, (uint32_t[]) { ONE, 0, 0, ONE });
   expect(&out, 1, (uint32_t[]) { 0, ONE, minus_one, ONE });
   expect(&out, 2,
          (uint32_t[]) { minus_one, 0x40a00000, 0x40e00000, 0xc0000000 });
   expect(&out, 3, (uint32_t[]) { (uint32_t)-2, 511, (uint32_t)-512, 1 });
   expect(&out, 4, (uint32_t[]) { 1, 128, 255, 0 });
   expect(&out, 5, (uint32_t[]) { (uint32_t)-32768, 32767, (uint32_t)-1, 0 });
   vkt_buffer_destroy(&out);
}

/* Integers of 64 bits, of both kinds, are no floats that could change. */
static void
check_longs(struct vkt_shader shader, const VkFormat formats[6])
{
   static const uint64_t vertex[12] = {
      1, UINT64_MAX, 0x7ff0000000000001, 4,  5,  1ull << 63, ~7ull,
      8, 9,          0x123456789abcdef0, 11, 12,
   };
   static const unsigned read[10] = { 0, 1, 2, 3, 4, 5, 6, 8, 9, 10 };
   VkFormatProperties p;
   vkGetPhysicalDeviceFormatProperties(vkt.pdev, formats[0], &p);
   if (!(p.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT))
      skip(); /* from Broadwell on */
   struct vkt_buffer out = vkt_buffer_create(10 * 8);
   fetch(shader, vertex, formats, &out);
   for (unsigned i = 0; i < ARRAY_SIZE(read); i++)
      assert_true(((const uint64_t *)out.map)[i] == vertex[read[i]]);
   vkt_buffer_destroy(&out);
}

static void
test_vertex_longs(void **state)
{
   static const VkFormat formats[2][6] = {
      { VK_FORMAT_R64G64B64A64_UINT, VK_FORMAT_UNDEFINED,
        VK_FORMAT_R64G64B64_UINT, VK_FORMAT_UNDEFINED, VK_FORMAT_R64G64_UINT,
        VK_FORMAT_R64_UINT },
      { VK_FORMAT_R64G64B64A64_SINT, VK_FORMAT_UNDEFINED,
        VK_FORMAT_R64G64B64_SINT, VK_FORMAT_UNDEFINED, VK_FORMAT_R64G64_SINT,
        VK_FORMAT_R64_SINT },
   };
   check_longs(VKT_SHADER(longs_vert), formats[0]);
   check_longs(VKT_SHADER(signed_longs_vert), formats[1]);
}

/* Doubles of vertices: subnormal ones and zeros, too, come as they are. */
static void
test_vertex_doubles(void **state)
{
   static const VkFormat formats[6] = {
      VK_FORMAT_R64G64B64A64_SFLOAT, VK_FORMAT_UNDEFINED,
      VK_FORMAT_R64G64B64_SFLOAT,    VK_FORMAT_UNDEFINED,
      VK_FORMAT_R64G64_SFLOAT,       VK_FORMAT_R64_SFLOAT,
   };
   VkFormatProperties p;
   vkGetPhysicalDeviceFormatProperties(vkt.pdev, formats[0], &p);
   if (!(p.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT))
      skip(); /* from Broadwell on */
   static const double vertex[12] = { 1.5, -2e300, 3e-310, 4, 5,     0x1p-3,
                                      7,   -1,     -0.0,   9, 10.25, -1 };
   static const unsigned read[10] = { 0, 1, 2, 3, 4, 5, 6, 8, 9, 10 };
   struct vkt_buffer out = vkt_buffer_create(10 * 8);
   fetch(VKT_SHADER(doubles_vert), vertex, formats, &out);
   for (unsigned i = 0; i < ARRAY_SIZE(read); i++)
      assert_memory_equal((const double *)out.map + i, &vertex[read[i]], 8);
   vkt_buffer_destroy(&out);
}

/* ---- slices as images ---- */

#define SLICES 5

static VkImageView
slice_view(VkImage image, uint32_t level, uint32_t slice)
{
   return VKT_NEW(
      ImageView, IMAGE_VIEW, .image = image,
      .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R32_UINT,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, level, 1, slice, 1 });
}

/* One is read, another one read and written; all others stay. */
static void
check_slices(uint32_t level, uint32_t size, uint32_t depth)
{
   struct vkt_image image =
      VKT_IMAGE(.format = VK_FORMAT_R32_UINT, .width = 4 << level,
                .height = 4 << level, .depth = SLICES, .levels = level + 1,
                .usage = VK_IMAGE_USAGE_STORAGE_BIT |
                         VK_IMAGE_USAGE_SAMPLED_BIT,
                .flags = VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT);
   static uint32_t before[SLICES * 64], after[SLICES * 64];
   for (uint32_t i = 0; i < depth * size * size; i++)
      before[i] = i;
   vkt_image_write(&image, level, before, depth * size * size * 4);
   VkImageView seen = slice_view(image.image, level, 0);
   VkImageView changed = slice_view(image.image, level, depth - 1);
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = changed },
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = seen,
        .sampler = sampler },
   };
   vkt_compute(VKT_SHADER(slice_comp), resources, 2, 1);
   vkt_image_read(&image, level, after, depth * size * size * 4);
   for (uint32_t i = 0; i < depth * size * size; i++) {
      const uint32_t in_slice = i % (size * size);
      const bool last = i / (size * size) == depth - 1;
      assert_int_equal(after[i], last ? i * 1000 + in_slice : i);
   }
   vkDestroySampler(vkt.device, sampler, NULL);
   vkDestroyImageView(vkt.device, seen, NULL);
   vkDestroyImageView(vkt.device, changed, NULL);
   vkt_image_destroy(&image);
}

static void
test_slices(void **state)
{
   if (!vkt_has_extension("VK_EXT_image_2d_view_of_3d"))
      skip();
   check_slices(0, 4, SLICES);
   check_slices(1, 4, SLICES / 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_vertex_doubles),
      cmocka_unit_test(test_vertex_longs),
      cmocka_unit_test(test_storage_loads),
      cmocka_unit_test(test_other_formats),
      cmocka_unit_test(test_any_format),
      cmocka_unit_test(test_swizzles),
      cmocka_unit_test(test_vertex_formats),
      cmocka_unit_test(test_slices),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
