/* SPDX-License-Identifier: MIT */
/* Samplers: borders; questions about what they sample. */
#include "vkt.h"

#include <math.h>
#include <string.h>

#include "sampler_array_comp.h"
#include "sampler_sample_comp.h"
#include "sampler_samples_comp.h"

static VkSampler
border_sampler(VkFormat format, const float color[4])
{
   VkSamplerCustomBorderColorCreateInfoEXT border = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
      .format = format,
   };
   memcpy(border.customBorderColor.float32, color, 16);
   const VkSamplerCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
      .pNext = &border,
      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
      .borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT,
   };
   VkSampler sampler;
   VKT_CHECK(vkCreateSampler(vkt.device, &info, NULL, &sampler));
   return sampler;
}

/* The hardware has some formats with channels in another order only; the
 * border colour came out in that order. */
static void
test_border_of_swizzled_format(void **state)
{
   static const struct {
      VkFormat format;
      uint16_t texel; /* red 1, green 0, blue 0 */
   } cases[] = {
      { VK_FORMAT_B5G6R5_UNORM_PACK16, 0x001f },
      { VK_FORMAT_R5G6B5_UNORM_PACK16, 0xf800 },
      { VK_FORMAT_B4G4R4A4_UNORM_PACK16, 0x00f0 },
   };
   static const float color[4] = { 1.0f, 0.5f, 0.25f, 1.0f };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      VkFormatProperties p;
      vkGetPhysicalDeviceFormatProperties(vkt.pdev, cases[i].format, &p);
      assert_true(p.optimalTilingFeatures &
                  VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
      struct vkt_image image = vkt_image_create(&(struct vkt_image_desc) {
         .format = cases[i].format,
         .width = 1,
         .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
      });
      vkt_image_write(&image, 0, &cases[i].texel, 2);
      struct vkt_buffer out = vkt_buffer_create(32);
      VkSampler sampler = border_sampler(cases[i].format, color);
      const struct vkt_resource resources[] = {
         { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
           .view = image.view,
           .sampler = sampler },
         { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = out.buffer },
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
}

/* The message of textureSamples() has no parameters. */
static void
test_samples_of_image(void **state)
{
   struct vkt_image image = vkt_image_create(&(struct vkt_image_desc) {
      .format = VK_FORMAT_R8G8B8A8_UNORM,
      .width = 4,
      .height = 4,
      .samples = VK_SAMPLE_COUNT_4_BIT,
      .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
   });
   struct vkt_buffer out = vkt_buffer_create(4);
   VkSampler sampler =
      border_sampler(VK_FORMAT_R8G8B8A8_UNORM, (const float[4]) { 0 });
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image.view,
        .sampler = sampler },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = out.buffer },
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
      images[i] = vkt_image_create(&(struct vkt_image_desc) {
         .width = 1,
         .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
      });
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
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = out.buffer },
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_border_of_swizzled_format),
      cmocka_unit_test(test_samples_of_image),
      cmocka_unit_test(test_array_of_textures),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
