/* SPDX-License-Identifier: MIT */
/* What extensions let shaders say, and what they let samplers and views of
 * images be. */
#include "vkt.h"
#include "util/macros.h"

#include <math.h>
#include <string.h>

#include "shaders_blocks_comp.h"
#include "shaders_cube_comp.h"
#include "shaders_demote_frag.h"
#include "shaders_killed_loop_frag.h"
#include "shaders_layouts_comp.h"
#include "shaders_position_vert.h"
#include "shaders_rounds_comp.h"
#include "shaders_sample_comp.h"
#include "shaders_special_comp.h"
#include "shaders_stencil_frag.h"
#include "shaders_white_frag.h"

static const float triangle[3][4] = { { -1, -1, 0, 1 },
                                      { 3, -1, 0, 1 },
                                      { -1, 3, 0, 1 } };

/* ---- blocks ---- */

struct odd {
   float a, b[3];
};

/* Scalar and standard layout: no member has another's padding. */
static void
test_layouts(void **state)
{
   struct vkt_buffer out = vkt_buffer_create(4 * sizeof(struct odd));
   struct vkt_buffer tight = vkt_buffer_create(2 * sizeof(struct odd));
   struct vkt_buffer close = vkt_buffer_create(16);
   const struct odd in[2] = { { 1, { 2, 3, 4 } }, { 5, { 6, 7, 8 } } };
   const float values[4] = { 10, 20, 30, 40 };
   memcpy(tight.map, in, sizeof(in));
   memcpy(close.map, values, sizeof(values));
   const struct vkt_resource resources[] = {
      VKT_STORAGE(out),
      VKT_UNIFORM(tight),
      VKT_UNIFORM(close),
   };
   vkt_compute(VKT_SHADER(layouts_comp), resources, 3, 1);
   const struct odd want[4] = {
      { 5, { 36, 37, 38 } },
      { 1, { 42, 43, 44 } },
      { 10, { 4, 2, 3 } },
      { 20, { 8, 6, 7 } },
   };
   assert_memory_equal(out.map, want, sizeof(want));
   vkt_buffer_destroy(&out);
   vkt_buffer_destroy(&tight);
   vkt_buffer_destroy(&close);
}

/* ---- loops ---- */

#define INVOCATIONS 8

struct rounds {
   uint32_t v[INVOCATIONS];
   uint32_t result[5][INVOCATIONS];
};

/* What rounds.comp gives for invocation `self`, with its names. */
static void
rounds_of(const struct rounds *r, uint32_t self, uint32_t want[5])
{
   uint32_t number = 0, product = 0;
   bool small = false;
   memset(want, 0, 5 * sizeof(*want));
   for (uint32_t i = 0; i < INVOCATIONS - 1; i++) {
      const uint32_t square = i * i + self;
      const uint32_t now = r->v[i] * 3 + self;
      const bool is_small = (now & 3) < 2;
      const uint32_t at = i > 0 ? product * 5 & 7 : 0;
      if (i > 0) {
         want[0] += square * number + (square ^ number);
         want[1] += (small ? now : 100) + (is_small ? 1000 : 0);
      }
      number = square;
      small = is_small;
      product = r->v[at] + i + self;
      want[2] += (product * 5) ^ i;
   }
   /* Invocation 5 + i is there in round i, while it is not above 7. */
   want[3] = self + 5 < INVOCATIONS ? 100 : self + 1;
   want[4] = 3 < self;
}

static void
test_rounds(void **state)
{
   struct vkt_buffer buffer = vkt_buffer_create(sizeof(struct rounds));
   struct rounds *r = buffer.map;
   for (uint32_t i = 0; i < INVOCATIONS; i++)
      r->v[i] = i;
   const struct vkt_resource resource = VKT_STORAGE(buffer);
   vkt_compute(VKT_SHADER(rounds_comp), &resource, 1, 1);
   for (uint32_t i = 0; i < INVOCATIONS; i++) {
      uint32_t want[5];
      rounds_of(r, i, want);
      for (unsigned k = 0; k < ARRAY_SIZE(want); k++) {
         if (r->result[k][i] != want[k])
            fail_msg("loop %u, invocation %u: %u, not %u", k, i,
                     r->result[k][i], want[k]);
      }
   }
   vkt_buffer_destroy(&buffer);
}

/* ---- constants ---- */

/* There were 64 of them at most; what came after those was not heard. */
static void
test_many_specializations(void **state)
{
   enum { N = 70 };
   struct vkt_buffer out = vkt_buffer_create(3 * 4);
   const struct vkt_resource resource = VKT_STORAGE(out);
   VkSpecializationMapEntry entries[N];
   uint32_t values[N];
   for (uint32_t i = 0; i < N; i++) {
      entries[i] = (VkSpecializationMapEntry) { i, i * 4, 4 };
      values[i] = 10 * i + 1;
   }
   const VkSpecializationInfo special = { N, entries, sizeof(values),
                                          values };
   vkt_compute_stage(
      VKT_SHADER(special_comp),
      &(VkPipelineShaderStageCreateInfo) { .pSpecializationInfo = &special },
      &resource, 1, 1);
   const uint32_t want[3] = { values[0], values[64], values[69] };
   assert_memory_equal(out.map, want, sizeof(want));
   vkt_buffer_destroy(&out);
}

/* ---- fragments ---- */

static void
test_demote(void **state)
{
   struct vkt_buffer out = vkt_buffer_create(8);
   const struct vkt_resource resource = VKT_STORAGE(out);
   uint32_t px[2];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(demote_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = triangle, .attributes = 1,
                       .vertex_count = 3, .width = 2, .height = 1,
                       .resources = &resource, .resource_count = 1),
            px);
   const uint32_t *got = out.map;
   assert_int_equal(px[0], 0);
   assert_int_equal(px[1], 0xff000000 | (153 - 51));
   assert_int_equal(got[0], 0xcdcdcdcd);
   assert_int_equal(got[1], 6);
   vkt_buffer_destroy(&out);
}

/* What goes on for its neighbour's sake alone must end with it. */
static void
test_killed_loop(void **state)
{
   uint32_t px[2];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(killed_loop_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = triangle, .attributes = 1,
                       .vertex_count = 3, .width = 2, .height = 1),
            px);
   assert_int_equal(px[0], 0);
   assert_int_equal(px[1], 0xff00000a);
}

static bool
has_extension(const char *name)
{
   VkExtensionProperties props[256];
   uint32_t n = ARRAY_SIZE(props);
   VKT_CHECK(vkEnumerateDeviceExtensionProperties(vkt.pdev, NULL, &n, props));
   for (uint32_t i = 0; i < n; i++) {
      if (!strcmp(props[i].extensionName, name))
         return true;
   }
   return false;
}

static void
test_stencil_export(void **state)
{
   if (!has_extension("VK_EXT_shader_stencil_export"))
      skip();
   const VkStencilOpState face = {
      .passOp = VK_STENCIL_OP_REPLACE,
      .compareOp = VK_COMPARE_OP_ALWAYS,
      .writeMask = 0xff,
      .reference = 0x77,
   };
   const VKT_INFO(PipelineDepthStencilStateCreateInfo, depth_stencil,
                  .stencilTestEnable = VK_TRUE, .front = face, .back = face);
   struct vkt_image depth =
      VKT_IMAGE(.format = VK_FORMAT_D32_SFLOAT_S8_UINT, .width = 8,
                .height = 1,
                .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   struct vkt_buffer out = vkt_buffer_create(8);
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(stencil_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = triangle, .attributes = 1,
                       .vertex_count = 3, .width = 8, .height = 1,
                       .depth = &depth, .depth_stencil = &depth_stencil),
            NULL);
   const VkBufferImageCopy region = {
      .imageSubresource = { VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1 },
      .imageExtent = { 8, 1, 1 },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyImageToBuffer(cmd, depth.image, VK_IMAGE_LAYOUT_GENERAL,
                          out.buffer, 1, &region);
   vkt_submit(cmd);
   for (unsigned x = 0; x < 8; x++)
      assert_int_equal(((uint8_t *)out.map)[x], 17 * x + 3);
   vkt_image_destroy(&depth);
   vkt_buffer_destroy(&out);
}

/* ---- samplers ---- */

static VkSampler
create_sampler(VkSamplerCreateFlags flags, VkFilter filter,
               VkSamplerAddressMode mode)
{
   return VKT_NEW(Sampler, SAMPLER, .flags = flags, .magFilter = filter,
                  .minFilter = filter, .addressModeU = mode,
                  .addressModeV = mode, .addressModeW = mode);
}

static void
sample(struct vkt_shader shader, const struct vkt_image *image,
       VkSampler sampler, void *values, size_t size_B)
{
   struct vkt_buffer out = vkt_buffer_create(size_B);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image->view,
        .sampler = sampler },
      VKT_STORAGE(out),
   };
   vkt_compute(shader, resources, 2, 1);
   memcpy(values, out.map, size_B);
   vkt_buffer_destroy(&out);
}

/* -0.5 of four texels is the third one to the left: mirrored, the second. */
static void
test_mirror_clamp(void **state)
{
   static const uint32_t texels[4] = { 0xff, 0xff00, 0xff0000, 0xffffff };
   struct vkt_image image =
      VKT_IMAGE(.width = 4, .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   vkt_image_write(&image, 0, texels, sizeof(texels));
   VkSampler sampler = create_sampler(
      0, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE);
   float got[2][4];
   sample(VKT_SHADER(sample_comp), &image, sampler, got, sizeof(got));
   assert_true(got[0][0] == 0 && got[0][1] == 1 && got[0][2] == 0);
   assert_true(got[1][0] == 0 && got[1][1] == 0 && got[1][2] == 1);
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_image_destroy(&image);
}

/* Faces of one texel each in a colour: with seams, a face has only its own.
 */
static void
test_seams(void **state)
{
   struct vkt_image image =
      VKT_IMAGE(.width = 1, .layers = 6,
                .flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT,
                .view_type = VK_IMAGE_VIEW_TYPE_CUBE,
                .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   uint32_t texels[6];
   for (unsigned i = 0; i < 6; i++)
      texels[i] = 51 * i;
   vkt_image_write(&image, 0, texels, sizeof(texels));
   for (unsigned seams = 0; seams < 2; seams++) {
      VkSampler sampler = create_sampler(
         seams ? VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT : 0,
         VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
      float got[6][4];
      sample(VKT_SHADER(cube_comp), &image, sampler, got, sizeof(got));
      unsigned pure = 0;
      for (unsigned i = 0; i < 6; i++)
         pure += fabsf(got[i][0] - 0.2f * (float)i) < 1e-3f;
      if (seams)
         assert_int_equal(pure, 6);
      else
         assert_true(pure < 6);
      vkDestroySampler(vkt.device, sampler, NULL);
   }
   vkt_image_destroy(&image);
}

/* ---- views ---- */

/* An image that says beforehand which formats it is seen in. */
static void
test_format_list(void **state)
{
   const VkFormat formats[] = { VK_FORMAT_R8G8B8A8_UNORM,
                                VK_FORMAT_R8G8B8A8_SRGB };
   const VKT_INFO(ImageFormatListCreateInfo, list, .viewFormatCount = 2,
                  .pViewFormats = formats);
   struct vkt_image image =
      VKT_IMAGE(.width = 4, .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
                .view_format = VK_FORMAT_R8G8B8A8_SRGB,
                .usage = VK_IMAGE_USAGE_SAMPLED_BIT, .next = &list);
   const uint32_t texels[4] = { 0x80, 0x80, 0x80, 0x80 };
   vkt_image_write(&image, 0, texels, sizeof(texels));
   VkSampler sampler = create_sampler(0, VK_FILTER_NEAREST,
                                      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   float got[2][4];
   sample(VKT_SHADER(sample_comp), &image, sampler, got, sizeof(got));
   assert_true(fabsf(got[1][0] - 0.2159f) < 2e-3f);
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_image_destroy(&image);
}

/* Blocks of a compressed image are texels of a view that is not, and which
 * may have usages that the image's own format has not. */
static void
test_blocks_as_texels(void **state)
{
   struct vkt_image image =
      VKT_IMAGE(.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK, .width = 8,
                .height = 8,
                .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                         VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT,
                .view_format = VK_FORMAT_R32G32_UINT,
                .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                .view_usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   uint32_t blocks[4][2], got[4][2];
   for (uint32_t i = 0; i < 4; i++) {
      blocks[i][0] = 0x12345678 * (i + 1);
      blocks[i][1] = 0x9abcdef1 * (i + 1);
   }
   vkt_image_write(&image, 0, blocks, sizeof(blocks));
   VkSampler sampler = create_sampler(0, VK_FILTER_NEAREST,
                                      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   sample(VKT_SHADER(blocks_comp), &image, sampler, got, sizeof(got));
   assert_memory_equal(got, blocks, sizeof(got));
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_image_destroy(&image);
}

/* A level of blocks that are not whole, of the second layer: 2 by 1 of them,
 * where half of the first level's 3 by 2 would be 1 by 1. */
static void
test_level_of_blocks_as_texels(void **state)
{
   struct vkt_image image =
      VKT_IMAGE(.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK, .width = 10,
                .height = 6, .levels = 2, .layers = 2,
                .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                         VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT,
                .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   uint32_t blocks[2][2][2], got[4][2];
   for (uint32_t i = 0; i < 4; i++) {
      blocks[i / 2][i % 2][0] = 0x12345678 * (i + 1);
      blocks[i / 2][i % 2][1] = 0x9abcdef1 * (i + 1);
   }
   vkt_image_write(&image, 1, blocks, sizeof(blocks));
   struct vkt_image level = image;
   assert_int_equal(
      vkCreateImageView(
         vkt.device,
         &VKT_STRUCT(ImageViewCreateInfo, .image = image.image,
                     .viewType = VK_IMAGE_VIEW_TYPE_2D,
                     .format = VK_FORMAT_R32G32_UINT,
                     .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 1,
                                           1 }),
         NULL, &level.view),
      VK_SUCCESS);
   VkSampler sampler = create_sampler(0, VK_FILTER_NEAREST,
                                      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   sample(VKT_SHADER(blocks_comp), &level, sampler, got, sizeof(got));
   assert_memory_equal(got, blocks[1], sizeof(blocks[1]));
   vkDestroyImageView(vkt.device, level.view, NULL);
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_image_destroy(&image);
}

/* ---- viewports upside down, pools that are trimmed ---- */

static void
test_maintenance1(void **state)
{
   static const float upper[3][4] = { { -1, -1, 0, 1 },
                                      { 1, -1, 0, 1 },
                                      { -1, 1, 0, 1 } };
   uint32_t px[2][16];
   for (unsigned i = 0; i < 2; i++) {
      const VkViewport viewport = { 0, i ? 4 : 0, 4, i ? -4 : 4, 0, 1 };
      vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                          .fs = VKT_SHADER(white_frag),
                          .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                          .vertices = upper, .attributes = 1,
                          .vertex_count = 3, .viewport = &viewport,
                          .width = 4, .height = 4),
               px[i]);
      vkTrimCommandPool(vkt.device, vkt.pool, 0);
   }
   assert_int_equal(px[0][0], 0xffffffff);
   assert_int_equal(px[0][15], 0);
   assert_int_equal(px[1][0 + 4 * 3], 0xffffffff);
   assert_int_equal(px[1][3], 0);
   /* But the diagonal, whose owner is not asked here. */
   for (unsigned y = 0; y < 4; y++) {
      for (unsigned x = 0; x < 4; x++) {
         if (x + y != 3)
            assert_int_equal(px[0][y * 4 + x], px[1][(3 - y) * 4 + x]);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layouts),
      cmocka_unit_test(test_rounds),
      cmocka_unit_test(test_many_specializations),
      cmocka_unit_test(test_demote),
      cmocka_unit_test(test_killed_loop),
      cmocka_unit_test(test_stencil_export),
      cmocka_unit_test(test_mirror_clamp),
      cmocka_unit_test(test_seams),
      cmocka_unit_test(test_format_list),
      cmocka_unit_test(test_blocks_as_texels),
      cmocka_unit_test(test_level_of_blocks_as_texels),
      cmocka_unit_test(test_maintenance1),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
