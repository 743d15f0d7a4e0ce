/* SPDX-License-Identifier: MIT */
/* Formats that are sampled, cleared and asked for. */
#include "vkt.h"
#include "util/macros.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats_levels_comp.h"
#include "formats_position_vert.h"
#include "formats_sample_comp.h"
#include "formats_white_frag.h"

static void
sample_centre(const struct vkt_image *image, float rgba[4])
{
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
   struct vkt_buffer out = vkt_buffer_create(32);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image->view,
        .sampler = sampler },
      VKT_STORAGE(out),
   };
   vkt_compute(VKT_SHADER(sample_comp), resources, 2, 1);
   memcpy(rgba, (const float *)out.map + 4, 16);
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_buffer_destroy(&out);
}

static void
expect_near(const float got[4], const float want[4], float tolerance)
{
   for (unsigned c = 0; c < 4; c++) {
      if (!(fabsf(got[c] - want[c]) <= tolerance))
         fail_msg("got %g %g %g %g, want %g %g %g %g", (double)got[0],
                  (double)got[1], (double)got[2], (double)got[3],
                  (double)want[0], (double)want[1], (double)want[2],
                  (double)want[3]);
   }
}

/* A block of one colour in each family, by the encoding's own rules. */
static void
test_compressed(void **state)
{
   static const struct {
      VkFormat format;
      uint32_t width, height, size_B;
      uint8_t block[16];
      float color[4];
   } cases[] = {
      /* Mode 6: endpoints of 7 bits and one shared, all weights 0. */
      { VK_FORMAT_BC7_UNORM_BLOCK,
        4,
        4,
        16,
        { 0xc0, 0xff, 0xff, 0xff, 0x07, 0x00, 0xfe, 0xff, 0x01 },
        { 1, 1, 1 / 255.0f, 1 } },
      /* Void extent: four colours of 16 bits. */
      { VK_FORMAT_ASTC_6x6_UNORM_BLOCK,
        6,
        6,
        16,
        { 0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0,
          0x80, 0xff, 0xff },
        { 1, 0, 0.5f, 1 } },
      /* Individual mode: both halves 15, 0, 15; table 0, indices 0 (+2). */
      { VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK,
        4,
        4,
        8,
        { 0xff, 0x00, 0xff, 0x00 },
        { 1, 2 / 255.0f, 1, 1 } },
      /* Base 255, multiplier 0: all are the base. */
      { VK_FORMAT_EAC_R11_UNORM_BLOCK,
        4,
        4,
        8,
        { 0xff, 0x00 },
        { 1, 0, 0, 1 } },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      VkFormatProperties p;
      vkGetPhysicalDeviceFormatProperties(vkt.pdev, cases[i].format, &p);
      if (!(p.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
         continue; /* ASTC came with Gen9 */
      struct vkt_image image = VKT_IMAGE(.format = cases[i].format,
                                         .width = cases[i].width,
                                         .height = cases[i].height,
                                         .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
      vkt_image_write(&image, 0, cases[i].block, cases[i].size_B);
      float got[4];
      sample_centre(&image, got);
      expect_near(got, cases[i].color, 0.012f);
      vkt_image_destroy(&image);
   }
}

/* Levels of a compressed image whose sizes are no multiples of a block: each
 * is all of the grey of its number. */
static void
test_levels_of_blocks(void **state)
{
   static const uint32_t sizes[][2] = {
      { 254, 254 }, { 131, 57 }, { 5, 9 }, { 60, 60 }, { 257, 277 }
   };
   for (unsigned s = 0; s < ARRAY_SIZE(sizes); s++) {
      const uint32_t w = sizes[s][0], h = sizes[s][1];
      const uint32_t levels = 32 - (uint32_t)__builtin_clz(MAX2(w, h));
      struct vkt_image image =
         VKT_IMAGE(.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK, .width = w,
                   .height = h, .levels = levels,
                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
      for (uint32_t l = 0; l < levels; l++) {
         const uint32_t bw = DIV_ROUND_UP(MAX2(w >> l, 1), 4);
         const uint32_t bh = DIV_ROUND_UP(MAX2(h >> l, 1), 4);
         uint64_t *blocks = malloc(bw * bh * 8);
         const uint64_t c = (uint64_t)(l + 1) << 11 | (l + 1);
         for (uint32_t i = 0; i < bw * bh; i++)
            blocks[i] = c << 16 | c;
         vkt_image_write(&image, l, blocks, bw * bh * 8);
         free(blocks);
      }
      struct vkt_buffer out = vkt_buffer_create(levels * 32);
      VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
      const struct vkt_resource resources[] = {
         { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
           .view = image.view,
           .sampler = sampler },
         VKT_STORAGE(out),
      };
      vkt_compute(VKT_SHADER(levels_comp), resources, 2, 1);
      for (uint32_t i = 0; i < 2 * levels; i++) {
         const float v = (float)(i / 2 + 1) / 31;
         expect_near((const float *)out.map + 4 * i, (float[]) { v, 0, v, 1 },
                     0.005f);
      }
      vkDestroySampler(vkt.device, sampler, NULL);
      vkt_buffer_destroy(&out);
      vkt_image_destroy(&image);
   }
}

/* Colours of formats that nothing can be rendered to. */
static void
test_clear_unrenderable(void **state)
{
   static const struct {
      VkFormat format;
      uint32_t size_B, bits;
      VkClearColorValue color;
   } cases[] = {
#define FLOATS(...) { .float32 = { __VA_ARGS__ } }
#define SIGNED(...)                                                          \
   {                                                                         \
      .int32 = { __VA_ARGS__ }                                               \
   }
      { VK_FORMAT_B5G6R5_UNORM_PACK16, 2, 8u << 11 | 32u << 5 | 31u,
        FLOATS(1, 0.5f, 0.25f, 1) },
      { VK_FORMAT_B4G4R4A4_UNORM_PACK16, 2, 0x48ff,
        FLOATS(1, 0.5f, 0.25f, 1) },
      { VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 4,
        16u << 27 | 64u << 18 | 128u << 9 | 256u, FLOATS(1, 0.5f, 0.25f, 1) },
      /* Half of the light is 188 of 255. */
      { VK_FORMAT_R8_SRGB, 1, 188, FLOATS(0.5f, 1, 1, 1) },
      { VK_FORMAT_B8G8R8A8_SNORM, 4, 0x7f8100c0, FLOATS(-1, 0, -0.504f, 9) },
      { VK_FORMAT_B8G8R8A8_SINT, 4, 0x7f80fd02, SIGNED(-200, -3, 2, 300) },
      { VK_FORMAT_B8G8R8A8_UINT, 4, 0xff010203, SIGNED(1, 2, 3, 300) },
#undef SIGNED
#undef FLOATS
   };
   const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                           1 };
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      struct vkt_image image =
         VKT_IMAGE(.format = cases[i].format, .width = 5, .height = 3);
      VkCommandBuffer cmd = vkt_begin();
      vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL,
                           &cases[i].color, 1, &range);
      vkt_barrier(cmd);
      vkt_submit(cmd);
      uint8_t got[15 * 4];
      vkt_image_read(&image, 0, got, 15 * cases[i].size_B);
      for (unsigned t = 0; t < 15; t++) {
         uint32_t bits = 0;
         memcpy(&bits, got + t * cases[i].size_B, cases[i].size_B);
         if (bits != cases[i].bits)
            fail_msg("format %d, texel %u: 0x%x, not 0x%x", cases[i].format,
                     t, bits, cases[i].bits);
      }
      vkt_image_destroy(&image);
   }
}

/* Channels that the hardware has in another order, or not at all. */
static void
test_sampled_alone(void **state)
{
   static const struct {
      VkFormat format;
      uint32_t size_B, texel;
      float color[4];
   } cases[] = {
      { VK_FORMAT_R8_SRGB, 1, 188, { 0.503f, 0, 0, 1 } },
      { VK_FORMAT_B8G8R8A8_SNORM, 4, 0x7f8100c0, { -1, 0, -0.504f, 1 } },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      struct vkt_image image = VKT_IMAGE(.format = cases[i].format,
                                         .width = 1,
                                         .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
      float got[4];
      vkt_image_write(&image, 0, &cases[i].texel, cases[i].size_B);
      sample_centre(&image, got);
      expect_near(got, cases[i].color, 0.002f);
      vkt_image_destroy(&image);
   }
}

/* zink makes framebuffers of textures of 4444 and 5551 that can be sampled.
 * Without rendering they are incomplete (KHR-GLES3.packed_pixels). */
static void
test_textures_are_targets(void **state)
{
   static const VkFormat formats[] = { VK_FORMAT_R4G4B4A4_UNORM_PACK16,
                                       VK_FORMAT_R5G5B5A1_UNORM_PACK16,
                                       VK_FORMAT_A1R5G5B5_UNORM_PACK16 };
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      VkFormatProperties p;
      vkGetPhysicalDeviceFormatProperties(vkt.pdev, formats[i], &p);
      const VkFormatFeatureFlags f = p.optimalTilingFeatures;
      assert_true(!(f & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) ||
                  f & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
   }
}

/* What is not supported leaves nothing behind. */
static void
test_unsupported_image_is_zero(void **state)
{
   static const VkImageFormatProperties zero;
   VkImageFormatProperties got;
   memset(&got, 0xee, sizeof(got));
   assert_int_equal(vkGetPhysicalDeviceImageFormatProperties(
                       vkt.pdev, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_3D,
                       VK_IMAGE_TILING_LINEAR, VK_IMAGE_USAGE_SAMPLED_BIT, 0,
                       &got),
                    VK_ERROR_FORMAT_NOT_SUPPORTED);
   assert_memory_equal(&got, &zero, sizeof(got));
}

/* An image has no usage that none of its format's features allows. */
static void
test_usage_without_feature(void **state)
{
   const VkFormatFeatureFlags
      color = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT,
      depth = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
   const struct {
      VkImageUsageFlags usage;
      VkFormatFeatureFlags features;
   } rows[] = {
      { VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT },
      { VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT },
      { VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, color },
      { VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, depth },
      { VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, color | depth },
   };

   for (VkFormat f = 1; f <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; f++) {
      VkFormatProperties p;
      vkGetPhysicalDeviceFormatProperties(vkt.pdev, f, &p);
      for (unsigned i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
         const bool linear = i % 2;
         VkImageFormatProperties got;
         if ((linear ? p.linearTilingFeatures : p.optimalTilingFeatures) &
             rows[i / 2].features)
            continue;
         assert_int_equal(vkGetPhysicalDeviceImageFormatProperties(
                             vkt.pdev, f, VK_IMAGE_TYPE_2D,
                             linear ? VK_IMAGE_TILING_LINEAR
                                    : VK_IMAGE_TILING_OPTIMAL,
                             rows[i / 2].usage, 0, &got),
                          VK_ERROR_FORMAT_NOT_SUPPORTED);
      }
   }
}

/* Slices of blocks can be seen as texels where slices lie as layers do, on
 * which other views of them depend, too; else such images are refused. */
static void
test_slices_of_blocks(void **state)
{
   VkImageFormatProperties got;
   const VkResult result = vkGetPhysicalDeviceImageFormatProperties(
      vkt.pdev, VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_IMAGE_TYPE_3D,
      VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT,
      VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
         VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT,
      &got);
   assert_int_equal(result, vkt_has_extension("VK_EXT_image_2d_view_of_3d")
                               ? VK_SUCCESS
                               : VK_ERROR_FORMAT_NOT_SUPPORTED);
   VKT_CHECK(vkGetPhysicalDeviceImageFormatProperties(
      vkt.pdev, VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_IMAGE_TYPE_3D,
      VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, 0, &got));
}

/* Four channels of four bits, by where they stand in a word. */
static void
test_4444(void **state)
{
   const uint16_t texel = 0x1234, none = 0;
   const float want[4] = { 2 / 15.0f, 3 / 15.0f, 4 / 15.0f, 1 / 15.0f };
   const VkClearColorValue clear = { { want[0], want[1], want[2], want[3] } };
   float got[4];
   struct vkt_image image =
      VKT_IMAGE(.format = VK_FORMAT_A4R4G4B4_UNORM_PACK16, .width = 1,
                .height = 1, .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   vkt_image_write(&image, 0, &texel, 2);
   sample_centre(&image, got);
   expect_near(got, want, 1e-6f);
   vkt_image_write(&image, 0, &none, 2);
   const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                         1 };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &clear, 1,
                        &all);
   vkt_submit(cmd);
   uint16_t cleared;
   vkt_image_read(&image, 0, &cleared, 2);
   assert_int_equal(cleared, texel);
   vkt_image_destroy(&image);

   /* That its features and the extension's agree. */
   VKT_INFO(PhysicalDevice4444FormatsFeaturesEXT, f);
   VkFormatProperties p;
   vkt_features(&f);
   vkGetPhysicalDeviceFormatProperties(vkt.pdev,
                                       VK_FORMAT_A4B4G4R4_UNORM_PACK16, &p);
   assert_true(f.formatA4R4G4B4);
   assert_int_equal(f.formatA4B4G4R4,
                    !!(p.optimalTilingFeatures &
                       VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT));
}

static void
check_features2(VkFormatFeatureFlags old, VkFormatFeatureFlags2 new,
                bool depth)
{
   VkFormatFeatureFlags2 want = old;
   VkPhysicalDeviceFeatures has;
   vkGetPhysicalDeviceFeatures(vkt.pdev, &has);
   if (old & (VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT |
              VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT)) {
      want |= VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
      if (has.shaderStorageImageReadWithoutFormat)
         want |= VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT;
   }
   if (depth && (old & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
      want |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
   if (old & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)
      want |= VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT_EXT;
   assert_true(new == want);
}

/* The features of all formats in the new words. */
static void
test_features2(void **state)
{
   for (VkFormat f = VK_FORMAT_R4G4_UNORM_PACK8;
        f <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; f++) {
      VKT_INFO(FormatProperties3, p3);
      VKT_INFO(FormatProperties2, p2, .pNext = &p3);
      vkGetPhysicalDeviceFormatProperties2(vkt.pdev, f, &p2);
      const VkFormatProperties *p = &p2.formatProperties;
      const bool depth = f >= VK_FORMAT_D16_UNORM &&
                         f <= VK_FORMAT_D32_SFLOAT_S8_UINT &&
                         f != VK_FORMAT_S8_UINT;
      check_features2(p->linearTilingFeatures, p3.linearTilingFeatures,
                      depth);
      check_features2(p->optimalTilingFeatures, p3.optimalTilingFeatures,
                      depth);
      check_features2(p->bufferFeatures, p3.bufferFeatures, false);
   }
}

/* White that a logical operation clears, but not where it is left out. */
static void
draw_cleared(const struct vkt_image *image, enum vkt_way way)
{
   static const float vertices[][4] = { { -1, -1, 0, 1 },
                                        { 3, -1, 0, 1 },
                                        { -1, 3, 0, 1 } };
   const VkPipelineColorBlendAttachmentState attachment = {
      .colorWriteMask = 0xf,
   };
   const VKT_INFO(PipelineColorBlendStateCreateInfo, blend,
                  .logicOpEnable = VK_TRUE, .logicOp = VK_LOGIC_OP_CLEAR,
                  .attachmentCount = 1, .pAttachments = &attachment);
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = vertices, .attributes = 1,
                       .vertex_count = 3, .width = 4, .height = 4,
                       .color = image,
                       .clear = { .float32 = { 0.5f, 0.5f, 0.5f, 0.5f } },
                       .color_blend = &blend, .way = way),
            NULL);
}

/* Logical operations are not for floats and sRGB: their colours are written
 * as they are. */
static void
test_logic_ops(void **state)
{
   static const struct {
      VkFormat format;
      float want;
   } cases[] = {
      { VK_FORMAT_R8G8B8A8_UNORM, 0 },
      { VK_FORMAT_A2B10G10R10_UNORM_PACK32, 0 },
      { VK_FORMAT_R8G8B8A8_SRGB, 1 },
      { VK_FORMAT_B10G11R11_UFLOAT_PACK32, 1 },
      { VK_FORMAT_R16G16B16A16_SFLOAT, 1 },
      { VK_FORMAT_R32G32B32A32_SFLOAT, 1 },
   };
   static const enum vkt_way ways[] = { VKT_IN_PASS, VKT_IN_RENDERING };
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      for (unsigned way = 0; way < ARRAY_SIZE(ways); way++) {
         struct vkt_image image =
            VKT_IMAGE(.width = 4, .height = 4, .format = cases[i].format,
                      .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                               VK_IMAGE_USAGE_SAMPLED_BIT);
         draw_cleared(&image, ways[way]);
         float got[4];
         sample_centre(&image, got);
         if (got[0] != cases[i].want)
            fail_msg("format %d: %g, not %g", cases[i].format, (double)got[0],
                     (double)cases[i].want);
         vkt_image_destroy(&image);
      }
   }
}

/* Rows of a compressed image are rows of blocks. */
static void
check_linear_layout(VkFormat format)
{
   const uint32_t width = 50, height = 34;
   const VkImageSubresource which = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0 };
   VkMemoryRequirements needs;
   VkSubresourceLayout at;
   VkImage image = VKT_NEW(Image, IMAGE, .imageType = VK_IMAGE_TYPE_2D,
                           .format = format, .extent = { width, height, 1 },
                           .mipLevels = 1, .arrayLayers = 1,
                           .samples = VK_SAMPLE_COUNT_1_BIT,
                           .tiling = VK_IMAGE_TILING_LINEAR,
                           .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   vkGetImageMemoryRequirements(vkt.device, image, &needs);
   vkGetImageSubresourceLayout(vkt.device, image, &which, &at);
   if (at.offset + at.size > needs.size || at.size < at.rowPitch)
      fail_msg("format %u: %u bytes from %u on, of %u", format,
               (unsigned)at.size, (unsigned)at.offset, (unsigned)needs.size);
   if (format == VK_FORMAT_R8G8B8A8_UNORM)
      assert_true(at.size == height * at.rowPitch);
   if (format == VK_FORMAT_BC1_RGBA_UNORM_BLOCK)
      assert_true(at.size == 9 * at.rowPitch);
   vkDestroyImage(vkt.device, image, NULL);
}

static void
test_linear_layouts(void **state)
{
   unsigned count = 0;
   for (VkFormat f = VK_FORMAT_R4G4_UNORM_PACK8;
        f <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; f++) {
      VkFormatProperties p;
      vkGetPhysicalDeviceFormatProperties(vkt.pdev, f, &p);
      if (!(p.linearTilingFeatures & VK_FORMAT_FEATURE_TRANSFER_SRC_BIT))
         continue;
      check_linear_layout(f);
      count++;
   }
   assert_true(count > 64);
}

/* Images of several planes have one level. */
static void
test_levels_of_planes(void **state)
{
   static const VkFormat formats[] = { VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                                       VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM };
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      VkImageFormatProperties p;
      VKT_CHECK(vkGetPhysicalDeviceImageFormatProperties(
         vkt.pdev, formats[i], VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
         VK_IMAGE_USAGE_SAMPLED_BIT, 0, &p));
      assert_int_equal(p.maxMipLevels, 1);
   }
}

/* All of them or, before Gen9, none; textureCompressionASTC_LDR says it. */
static void
test_astc(void **state)
{
   VkPhysicalDeviceFeatures features;
   vkGetPhysicalDeviceFeatures(vkt.pdev, &features);
   for (VkFormat f = VK_FORMAT_ASTC_4x4_UNORM_BLOCK;
        f <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; f++) {
      VkFormatProperties p;
      vkGetPhysicalDeviceFormatProperties(vkt.pdev, f, &p);
      const bool sampled = p.optimalTilingFeatures &
                           VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
      assert_true(sampled == (bool)features.textureCompressionASTC_LDR);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_compressed),
      cmocka_unit_test(test_logic_ops),
      cmocka_unit_test(test_levels_of_blocks),
      cmocka_unit_test(test_clear_unrenderable),
      cmocka_unit_test(test_sampled_alone),
      cmocka_unit_test(test_textures_are_targets),
      cmocka_unit_test(test_unsupported_image_is_zero),
      cmocka_unit_test(test_usage_without_feature),
      cmocka_unit_test(test_slices_of_blocks),
      cmocka_unit_test(test_4444),
      cmocka_unit_test(test_features2),
      cmocka_unit_test(test_astc),
      cmocka_unit_test(test_linear_layouts),
      cmocka_unit_test(test_levels_of_planes),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
