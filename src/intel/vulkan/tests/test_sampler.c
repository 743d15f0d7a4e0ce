/* SPDX-License-Identifier: MIT */
/* Samplers: borders; questions about what they sample. */
#include "vkt.h"

#include <math.h>
#include <string.h>

#include "sampler_array_comp.h"
#include "sampler_border_comp.h"
#include "sampler_border_unsigned_comp.h"
#include "sampler_compared_comp.h"
#include "sampler_least_level_frag.h"
#include "sampler_position_vert.h"
#include "sampler_sample_comp.h"
#include "sampler_samples_comp.h"

static VkSampler
border_sampler(VkFormat format, const float color[4])
{
   VKT_INFO(SamplerCustomBorderColorCreateInfoEXT, border, .format = format);
   memcpy(border.customBorderColor.float32, color, 16);
   return VKT_NEW(Sampler, SAMPLER, .pNext = &border,
                  .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                  .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                  .borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT);
}

/* `color`: what lies beyond a texel that is red 1, green 0, blue 0. */
static void
check_border(VkFormat format, uint16_t texel, VkSampler sampler,
             const float color[4])
{
   VkFormatProperties p;
   vkGetPhysicalDeviceFormatProperties(vkt.pdev, format, &p);
   assert_true(p.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
   struct vkt_image image = VKT_IMAGE(.format = format, .width = 1,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   vkt_image_write(&image, 0, &texel, 2);
   struct vkt_buffer out = vkt_buffer_create(32);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image.view,
        .sampler = sampler },
      VKT_STORAGE(out),
   };
   vkt_compute(VKT_SHADER(sample_comp), resources, 2, 1);
   const float *got = out.map;
   for (unsigned c = 0; c < 4; c++)
      assert_true(fabsf(got[c] - color[c]) < 1.0f / 32);
   assert_true(got[4] == 1.0f && got[5] == 0.0f && got[6] == 0.0f);
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_buffer_destroy(&out);
   vkt_image_destroy(&image);
}

/* The hardware has some formats with channels in another order only; the
 * border colour came out in that order. */
static void
test_border_of_swizzled_format(void **state)
{
   static const struct {
      VkFormat format;
      uint16_t texel;
   } cases[] = {
      { VK_FORMAT_B5G6R5_UNORM_PACK16, 0x001f },
      { VK_FORMAT_R5G6B5_UNORM_PACK16, 0xf800 },
      { VK_FORMAT_B4G4R4A4_UNORM_PACK16, 0x00f0 },
   };
   static const float color[4] = { 1.0f, 0.5f, 0.25f, 1.0f };
   static const float black[4] = { 0, 0, 0, 1 };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      check_border(cases[i].format, cases[i].texel,
                   border_sampler(cases[i].format, color), color);
      VkSampler sampler =
         VKT_NEW(Sampler, SAMPLER,
                 .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                 .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                 .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK);
      check_border(cases[i].format, cases[i].texel, sampler, black);
   }
}

/* Each width of integers, of which Haswell wants the border in the format's
 * own layout; a format of Vulkan's own colours, and one without alpha. */
static void
check_integer_border(VkFormat format, struct vkt_shader shader,
                     VkBorderColor border, const int32_t color[4],
                     const int32_t want[4])
{
   struct vkt_image image = VKT_IMAGE(.format = format, .width = 1,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   VKT_INFO(SamplerCustomBorderColorCreateInfoEXT, custom);
   memcpy(custom.customBorderColor.int32, color, 16);
   VkSampler sampler = VKT_NEW(
      Sampler, SAMPLER,
      .pNext = border == VK_BORDER_COLOR_INT_CUSTOM_EXT ? &custom : NULL,
      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
      .borderColor = border);
   struct vkt_buffer out = vkt_buffer_create(16);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image.view,
        .sampler = sampler },
      VKT_STORAGE(out),
   };
   vkt_compute(shader, resources, 2, 1);
   assert_memory_equal(out.map, want, 16);
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_buffer_destroy(&out);
   vkt_image_destroy(&image);
}

static void
test_integer_borders(void **state)
{
   const struct vkt_shader shaders[] = { VKT_SHADER(border_comp),
                                         VKT_SHADER(border_unsigned_comp) };
   static const struct {
      VkFormat format;
      int32_t color[4], want[4];
      bool is_unsigned;
   } cases[] = {
      { VK_FORMAT_R8_SINT, { -3, 9, 9, 9 }, { -3, 0, 0, 1 } },
      { VK_FORMAT_R8G8_SINT, { -3, 4, 9, 9 }, { -3, 4, 0, 1 } },
      { VK_FORMAT_R8G8B8A8_SINT, { 1, -2, 3, -4 }, { 1, -2, 3, -4 } },
      { VK_FORMAT_R8G8B8A8_UINT,
        { 1, 200, 3, 255 },
        { 1, 200, 3, 255 },
        true },
      { VK_FORMAT_A2B10G10R10_UINT_PACK32,
        { 1, 1000, 3, 2 },
        { 1, 1000, 3, 2 },
        true },
      { VK_FORMAT_R16_UINT, { 40000, 9, 9, 9 }, { 40000, 0, 0, 1 }, true },
      { VK_FORMAT_R16G16_SINT, { -3, 400, 9, 9 }, { -3, 400, 0, 1 } },
      { VK_FORMAT_R16G16B16A16_SINT, { 1, -2, 3, -400 }, { 1, -2, 3, -400 } },
      { VK_FORMAT_R32_SINT, { -70000, 9, 9, 9 }, { -70000, 0, 0, 1 } },
      { VK_FORMAT_R32G32_SINT, { 70000, -2, 9, 9 }, { 70000, -2, 0, 1 } },
      { VK_FORMAT_R32G32B32A32_SINT,
        { 70000, -2, 3, -4 },
        { 70000, -2, 3, -4 } },
   };
   static const int32_t white[4] = { 1, 1, 1, 1 };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
      check_integer_border(cases[i].format, shaders[cases[i].is_unsigned],
                           VK_BORDER_COLOR_INT_CUSTOM_EXT, cases[i].color,
                           cases[i].want);
   check_integer_border(VK_FORMAT_R8G8B8A8_UINT, shaders[1],
                        VK_BORDER_COLOR_INT_OPAQUE_WHITE, white, white);
   check_integer_border(VK_FORMAT_R16G16B16A16_UINT, shaders[1],
                        VK_BORDER_COLOR_INT_OPAQUE_WHITE, white, white);
}

/*
 * A recording that holds more dynamic state than a pool has where it cannot
 * grow (16 MB), and what is recorded while it is there: borders are then not
 * where samplers were made to look for them. In the end it does what it was
 * told.
 */
static void
test_full_pool(void **state)
{
   static uint32_t words[65536 / 4];
   struct vkt_buffer out = vkt_buffer_create(sizeof(words));
   const unsigned updates = 17 * 16;
   VkCommandBuffer cmd = vkt_begin();
   for (unsigned i = 0; i < updates; i++) {
      for (unsigned j = 0; j < sizeof(words) / 4; j++)
         words[j] = i * 77777 + j;
      vkCmdUpdateBuffer(cmd, out.buffer, 0, sizeof(words), words);
      vkt_barrier(cmd);
   }
   test_border_of_swizzled_format(state);
   test_integer_borders(state);
   vkt_submit(cmd);
   assert_memory_equal(out.map, words, sizeof(words));
   vkt_buffer_destroy(&out);
}

/* As many as are announced, twice: what is destroyed makes room. */
static void
test_many_borders(void **state)
{
   static VkSampler samplers[4096];
   const float color[4] = { 0.5f, 0.25f, 0, 1 };
   for (unsigned round = 0; round < 2; round++) {
      for (unsigned i = 0; i < 4096; i++)
         samplers[i] = border_sampler(VK_FORMAT_UNDEFINED, color);
      for (unsigned i = 0; i < 4096; i++)
         vkDestroySampler(vkt.device, samplers[i], NULL);
   }
}

/* The message of textureSamples() has no parameters. */
static void
test_samples_of_image(void **state)
{
   struct vkt_image image = VKT_IMAGE(.format = VK_FORMAT_R8G8B8A8_UNORM,
                                      .width = 4, .height = 4,
                                      .samples = VK_SAMPLE_COUNT_4_BIT,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   struct vkt_buffer out = vkt_buffer_create(4);
   VkSampler sampler =
      border_sampler(VK_FORMAT_R8G8B8A8_UNORM, (const float[4]) { 0 });
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image.view,
        .sampler = sampler },
      VKT_STORAGE(out),
   };

   vkt_compute(VKT_SHADER(samples_comp), resources, 2, 1);
   assert_int_equal(*(const int32_t *)out.map, 4);
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_buffer_destroy(&out);
   vkt_image_destroy(&image);
}

/* shaderSampledImageArrayDynamicIndexing, of both texture and sampler. */
static void
test_array_of_textures(void **state)
{
   struct vkt_image images[4];
   VkDescriptorImageInfo infos[4];
   for (unsigned i = 0; i < 4; i++) {
      const float border[4] = { 0.25f * (float)i, 1, 0, 1 };
      const uint32_t texel = 0xff000000 | 51 * i;
      images[i] = VKT_IMAGE(.width = 1, .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
      vkt_image_write(&images[i], 0, &texel, 4);
      infos[i] = (VkDescriptorImageInfo) {
         border_sampler(VK_FORMAT_R8G8B8A8_UNORM, border), images[i].view,
         VK_IMAGE_LAYOUT_GENERAL
      };
   }
   struct vkt_buffer out = vkt_buffer_create(8 * 16);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .images = infos,
        .image_count = 4 },
      VKT_STORAGE(out),
   };
   vkt_compute(VKT_SHADER(array_comp), resources, 2, 4);
   const float(*got)[4] = out.map;
   for (unsigned i = 0; i < 4; i++) {
      assert_true(fabsf(got[2 * i][0] - 0.25f * (float)i) < 1e-2f);
      assert_true(got[2 * i][1] == 1.0f);
      assert_true(fabsf(got[2 * i + 1][0] - 0.2f * (float)(3 - i)) < 1e-4f);
   }
   vkt_buffer_destroy(&out);
   for (unsigned i = 0; i < 4; i++) {
      vkDestroySampler(vkt.device, infos[i].sampler, NULL);
      vkt_image_destroy(&images[i]);
   }
}

/* ---- the border of a swizzled view ---- */

/* One result outside of the texture, one inside. */
static void
sample(VkImageView view, VkSampler sampler, float got[8])
{
   struct vkt_buffer out = vkt_buffer_create(32);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = view,
        .sampler = sampler },
      VKT_STORAGE(out),
   };
   vkt_compute(VKT_SHADER(sample_comp), resources, 2, 1);
   memcpy(got, out.map, 32);
   vkt_buffer_destroy(&out);
}

/* The view's swizzle is the border's, too, whether or not it was said. */
static void
test_border_of_swizzled_view(void **state)
{
   if (!vkt_has_extension("VK_EXT_border_color_swizzle"))
      skip();
   static const float color[4] = { 0.125f, 0.25f, 0.5f, 0.75f };
   const VkComponentMapping swizzle = { VK_COMPONENT_SWIZZLE_B,
                                        VK_COMPONENT_SWIZZLE_ONE,
                                        VK_COMPONENT_SWIZZLE_R,
                                        VK_COMPONENT_SWIZZLE_ZERO };
   const float want[4] = { 0.5f, 1, 0.125f, 0 };
   struct vkt_image image =
      VKT_IMAGE(.format = VK_FORMAT_R32G32B32A32_SFLOAT, .width = 1,
                .usage = VK_IMAGE_USAGE_SAMPLED_BIT, .swizzle = swizzle);
   for (unsigned said = 0; said < 2; said++) {
      const VKT_INFO(SamplerBorderColorComponentMappingCreateInfoEXT, mapping,
                     .components = swizzle);
      const VKT_INFO(SamplerCustomBorderColorCreateInfoEXT, border,
                     .pNext = said ? &mapping : NULL,
                     .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                     .customBorderColor.float32 = { color[0], color[1],
                                                    color[2], color[3] });
      float got[8];
      VkSampler sampler =
         VKT_NEW(Sampler, SAMPLER, .pNext = &border,
                 .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                 .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                 .borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT);
      sample(image.view, sampler, got);
      assert_memory_equal(got, want, sizeof(want));
      vkDestroySampler(vkt.device, sampler, NULL);
   }
   vkt_image_destroy(&image);
}

/* ---- the least level of a view ---- */

static void
test_min_lod(void **state)
{
   static const float least[] = { 0, 1, 1.5f, 2 };
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER,
                               .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                               .maxLod = VK_LOD_CLAMP_NONE);
   for (unsigned i = 0; i < 4; i++) {
      const VKT_INFO(ImageViewMinLodCreateInfoEXT, min_lod,
                     .minLod = least[i]);
      struct vkt_image image = VKT_IMAGE(.format = VK_FORMAT_R32_SFLOAT,
                                         .width = 4, .height = 4, .levels = 3,
                                         .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                                         .view_next = &min_lod);
      for (uint32_t level = 0; level < 3; level++) {
         float texels[16];
         for (unsigned t = 0; t < 16; t++)
            texels[t] = (float)level;
         vkt_image_write(&image, level, texels, 64u >> 2 * level);
      }
      float got[8];
      sample(image.view, sampler, got); /* of level 0 */
      assert_true(got[4] == least[i]);
      vkt_image_destroy(&image);
   }
   vkDestroySampler(vkt.device, sampler, NULL);
}

/* ---- the least level of a sample ---- */

/* Each texel says its level, in steps of 64. */
static struct vkt_image
levelled_image(uint32_t layers)
{
   struct vkt_image image =
      VKT_IMAGE(.width = 8, .height = 8, .levels = 4, .layers = layers,
                .view_type = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : 0,
                .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   for (uint32_t level = 0; level < 4; level++) {
      uint32_t texels[2 * 64];
      for (unsigned t = 0; t < layers * 64; t++)
         texels[t] = 64 * level;
      vkt_image_write(&image, level, texels, layers * (256u >> 2 * level));
   }
   return image;
}

/* Two rows (quads are of one kind) for each way to ask for one, a pixel for
 * each half of a level: between two levels is what lies between them. */
static void
test_min_lod_of_sample(void **state)
{
   static const float triangle[] = { -1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1 };
   VkPhysicalDeviceFeatures features;
   uint32_t px[14][8];

   vkGetPhysicalDeviceFeatures(vkt.pdev, &features);
   if (!features.shaderResourceMinLod)
      skip();
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER,
                               .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                               .maxLod = VK_LOD_CLAMP_NONE);
   struct vkt_image images[] = { levelled_image(1), levelled_image(2) };
   struct vkt_resource resources[2];
   for (unsigned i = 0; i < 2; i++)
      resources[i] = (struct vkt_resource) {
         .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
         .view = images[i].view,
         .sampler = sampler,
      };
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(least_level_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = triangle, .attributes = 1,
                       .vertex_count = 3, .width = 8, .height = 14,
                       .resources = resources, .resource_count = 2),
            px[0]);
   for (unsigned y = 0; y < 14; y++) {
      for (unsigned x = 0; x < 8; x++) {
         /* The last rows' gradients ask for level 1. */
         const unsigned least = y >= 12 && x < 2 ? 2 : x;
         const unsigned want = 32 * (least < 6 ? least : 6);
         const unsigned got = px[y][x] & 0xff;
         if (got + 1 < want || got > want + 1)
            fail_msg("(%u, %u): %u, not %u", x, y, got, want);
      }
   }
   vkDestroySampler(vkt.device, sampler, NULL);
   for (unsigned i = 0; i < 2; i++)
      vkt_image_destroy(&images[i]);
}

/* ---- the least and the most of what is filtered ---- */

/* Of four texels; each channel for itself. */
static void
check_minmax_of(VkFormat format, const void *texels, size_t size_B,
                const float want[3][4])
{
   static const VkSamplerReductionMode modes[] = {
      VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE,
      VK_SAMPLER_REDUCTION_MODE_MIN, VK_SAMPLER_REDUCTION_MODE_MAX
   };
   VkFormatProperties p;
   vkGetPhysicalDeviceFormatProperties(vkt.pdev, format, &p);
   assert_true(p.optimalTilingFeatures &
               VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT);
   struct vkt_image image = VKT_IMAGE(.format = format, .width = 2,
                                      .height = 2,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   vkt_image_write(&image, 0, texels, size_B);
   for (unsigned i = 0; i < 3; i++) {
      const VKT_INFO(SamplerReductionModeCreateInfo, reduction,
                     .reductionMode = modes[i]);
      float got[8];
      VkSampler sampler = VKT_NEW(Sampler, SAMPLER, .pNext = &reduction,
                                  .magFilter = VK_FILTER_LINEAR,
                                  .minFilter = VK_FILTER_LINEAR);
      sample(image.view, sampler, got);
      for (unsigned c = 0; c < 4; c++)
         assert_true(fabsf(got[4 + c] - want[i][c]) < 1.0f / 256);
      vkDestroySampler(vkt.device, sampler, NULL);
   }
   vkt_image_destroy(&image);
}

static void
check_minmax(void)
{
   static const float one[4] = { 0.5f, -3, 8, 1 };
   static const float one_want[3][4] = { { 1.625f, 0, 0, 1 },
                                         { -3, 0, 0, 1 },
                                         { 8, 0, 0, 1 } };
   static const uint8_t four[4][4] = {
      { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 0, 0 }, { 0, 0, 0, 255 }
   };
   static const float four_want[3][4] = { { 0.25f, 0.25f, 0, 0.75f },
                                          { 0, 0, 0, 0 },
                                          { 1, 1, 0, 1 } };
   static const float blue_first[3][4] = { { 0, 0.25f, 0.25f, 0.75f },
                                           { 0, 0, 0, 0 },
                                           { 0, 1, 1, 1 } };
   check_minmax_of(VK_FORMAT_R32_SFLOAT, one, sizeof(one), one_want);
   check_minmax_of(VK_FORMAT_R8G8B8A8_UNORM, four, sizeof(four), four_want);
   check_minmax_of(VK_FORMAT_B8G8R8A8_UNORM, four, sizeof(four), blue_first);
   check_minmax_of(VK_FORMAT_R8G8B8A8_SRGB, four, sizeof(four), four_want);
}

static void
test_minmax(void **state)
{
   if (!vkt_has_extension("VK_EXT_sampler_filter_minmax"))
      skip();
   vkt_with_core_features(check_minmax);
}

/* ---- comparisons ---- */

static VkSampler
plain_sampler(bool compares)
{
   const VKT_INFO(SamplerCreateInfo, info, .compareEnable = compares,
                  .compareOp = VK_COMPARE_OP_LESS);
   VkSampler sampler;
   VKT_CHECK(vkCreateSampler(vkt.device, &info, NULL, &sampler));
   return sampler;
}

/* A texture of one value, less than 0.5 of which is `passes`. */
static void
check_compared(VkFormat format, const void *texel, unsigned size_B,
               float passes, float red)
{
   struct vkt_image image = VKT_IMAGE(.format = format, .width = 4,
                                      .height = 4,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   uint8_t texels[16 * 16];
   for (unsigned i = 0; i < 16; i++)
      memcpy(texels + i * size_B, texel, size_B);
   vkt_image_write(&image, 0, texels, 16 * size_B);
   struct vkt_buffer out = vkt_buffer_create(3 * 16);
   const VkSampler samplers[] = { plain_sampler(true), plain_sampler(false) };
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image.view,
        .sampler = samplers[0] },
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image.view,
        .sampler = samplers[1] },
      VKT_STORAGE(out),
   };
   vkt_compute(VKT_SHADER(compared_comp), resources, 3, 1);
   const float *got = out.map;
   assert_true(got[1] == 4 && got[2] == 4 && got[3] == 1);
   assert_true(got[0] == passes);
   for (unsigned i = 4; i < 8; i++)
      assert_true(got[i] == passes);
   assert_true(fabsf(got[8] - red) < 1.0f / 256);
   for (unsigned i = 0; i < 2; i++)
      vkDestroySampler(vkt.device, samplers[i], NULL);
   vkt_buffer_destroy(&out);
   vkt_image_destroy(&image);
}

/* What has no comparison is not compared, which would hang: it is as if there
 * were nothing. Vulkan leaves open what comes of it, OpenGL, too. */
static void
check_comparisons(void)
{
   const float f[4] = { 0.75f, 0.75f, 0.75f, 1 };
   const uint16_t d16 = 0xc000;
   const uint32_t rgba8 = 0xffbfbfbf;
   check_compared(VK_FORMAT_D16_UNORM, &d16, 2, 1, 0.75f);
   check_compared(VK_FORMAT_D32_SFLOAT, f, 4, 1, 0.75f);
   check_compared(VK_FORMAT_R8G8B8A8_UNORM, &rgba8, 4, 0, 0.75f);
   check_compared(VK_FORMAT_B8G8R8A8_SRGB, &rgba8, 4, 0, 0.52f);
   check_compared(VK_FORMAT_R8_UNORM, &rgba8, 1, 0, 0.75f);
   check_compared(VK_FORMAT_R32G32B32A32_SFLOAT, f, 16, 0, 0.75f);
}

static void
test_comparisons(void **state)
{
   check_comparisons();
   VKT_INFO(PhysicalDeviceMutableDescriptorTypeFeaturesEXT, features,
            .mutableDescriptorType = true);
   /* By the sets' records. */
   if (vkt_has_extension("VK_EXT_mutable_descriptor_type"))
      vkt_with_features(&features, check_comparisons);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_border_of_swizzled_format),
      cmocka_unit_test(test_integer_borders),
      cmocka_unit_test(test_many_borders),
      cmocka_unit_test(test_border_of_swizzled_view),
      cmocka_unit_test(test_min_lod),
      cmocka_unit_test(test_min_lod_of_sample),
      cmocka_unit_test(test_minmax),
      cmocka_unit_test(test_comparisons),
      cmocka_unit_test(test_full_pool),
      cmocka_unit_test(test_samples_of_image),
      cmocka_unit_test(test_array_of_textures),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
