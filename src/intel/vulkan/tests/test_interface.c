/* SPDX-License-Identifier: MIT */
/* What one stage hands to the next. */
#include "vkt.h"

#include <string.h>

#include "interface_blocks_frag.h"
#include "interface_blocks_vert.h"
#include "interface_blue_vert.h"
#include "interface_color_frag.h"
#include "interface_color_vert.h"
#include "interface_feedback_frag.h"
#include "interface_green_vert.h"
#include "interface_interlock_frag.h"
#include "interface_interlock_samples_frag.h"
#include "interface_many_frag.h"
#include "interface_many_vert.h"
#include "interface_patch_tesc.h"
#include "interface_patch_tese.h"
#include "interface_patch_vert.h"
#include "interface_position_vert.h"
#include "interface_rest_frag.h"
#include "interface_small_capture_vert.h"
#include "interface_small_io_frag.h"
#include "interface_small_io_geom.h"
#include "interface_small_io_vert.h"
#include "interface_subpass_frag.h"
#include "interface_white_frag.h"

#define SIZE 8

static void
check_filled(const uint32_t *px, uint32_t rgba)
{
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      assert_int_equal(px[i], rgba);
}

/* Constants of the vertex shader are put into the fragment shader: that of
 * another one, out of the device's cache, would have the wrong colour. */
static void
test_constants_of_vertex_shaders(void **state)
{
   static const float vertices[3][2][4] = {
      { { -1, -1, 0, 1 }, { 1, 0, 0, 1 } },
      { { 3, -1, 0, 1 }, { 1, 0, 0, 1 } },
      { { -1, 3, 0, 1 }, { 1, 0, 0, 1 } },
   };
   static const float corners[3][4] = {
      { -1, -1, 0, 1 },
      { 3, -1, 0, 1 },
      { -1, 3, 0, 1 },
   };
   const struct {
      struct vkt_shader vs;
      const float *vertices;
      unsigned attributes;
      uint32_t rgba;
   } rows[] = {
      { VKT_SHADER(green_vert), corners[0], 1, 0xff00ff00 },
      { VKT_SHADER(blue_vert), corners[0], 1, 0xffff0000 },
      { VKT_SHADER(color_vert), vertices[0][0], 2, 0xff0000ff },
      { VKT_SHADER(green_vert), corners[0], 1, 0xff00ff00 },
   };
   for (unsigned i = 0; i < 4; i++) {
      uint32_t px[SIZE * SIZE];
      vkt_draw(&VKT_SCENE(.vs = rows[i].vs, .fs = VKT_SHADER(color_frag),
                          .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                          .vertices = rows[i].vertices,
                          .attributes = rows[i].attributes, .vertex_count = 3,
                          .width = SIZE, .height = SIZE),
               px);
      check_filled(px, rows[i].rgba);
   }
}

/* Members of the blocks of an array lay on each other: blk[1].a in the place
 * of blk[0].b. */
static void
test_block_arrays(void **state)
{
   static const float corners[3][4] = {
      { -1, -1, 0, 1 },
      { 3, -1, 0, 1 },
      { -1, 3, 0, 1 },
   };
   uint32_t px[SIZE * SIZE];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(blocks_vert),
                       .fs = VKT_SHADER(blocks_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = corners[0], .attributes = 1,
                       .vertex_count = 3, .width = SIZE, .height = SIZE),
            px);
   check_filled(px, 0xff00ff00);
}

/* A patch of two vertices of which the third is read: the device was lost,
 * since up to 32 were taken to be there. */
static void
test_vertex_beyond_patch(void **state)
{
   uint32_t px[SIZE * SIZE];
   vkt_draw(
      &VKT_SCENE(.vs = VKT_SHADER(patch_vert), .tcs = VKT_SHADER(patch_tesc),
                 .tes = VKT_SHADER(patch_tese), .fs = VKT_SHADER(white_frag),
                 .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
                 .patch_vertices = 3, .vertex_count = 3, .width = SIZE,
                 .height = SIZE),
      px);
   check_filled(px, 0xffffffff);
}

/* What is at the fragment's place in an input attachment: the whole kind of
 * image was refused. */
static void
test_input_attachment(void **state)
{
   uint32_t before[SIZE * SIZE], px[SIZE * SIZE];
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      before[i] = 0xff000000 | (2 * i) << 16 | (255 - i) << 8 | i;
   struct vkt_image image =
      VKT_IMAGE(.width = SIZE, .height = SIZE,
                .usage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
   vkt_image_write(&image, 0, before, sizeof(before));
   const struct vkt_resource resource = {
      .type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
      .view = image.view,
   };
   static const float corners[3][4] = {
      { -1, -1, 0, 1 },
      { 3, -1, 0, 1 },
      { -1, 3, 0, 1 },
   };
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(subpass_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = corners[0], .attributes = 1,
                       .vertex_count = 3, .width = SIZE, .height = SIZE,
                       .resources = &resource, .resource_count = 1,
                       .input = &image),
            px);
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      assert_int_equal(px[i],
                       0xff000000 | i << 16 | (2 * i) << 8 | (255 - i));
   vkt_image_destroy(&image);
}

/* Each time after the other's colours are there. */
static void
draw_thrice(VkCommandBuffer cmd, const void *data)
{
   const VKT_INFO(MemoryBarrier, barrier,
                  .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                  .dstAccessMask = VK_ACCESS_SHADER_READ_BIT);
   for (unsigned i = 0; i < 3; i++) {
      vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                           VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                           VK_DEPENDENCY_BY_REGION_BIT |
                              VK_DEPENDENCY_FEEDBACK_LOOP_BIT_EXT,
                           1, &barrier, 0, NULL, 0, NULL);
      vkCmdDraw(cmd, 3, 1, 0, 0);
   }
}

/* What is drawn to is read by the same pass. */
static void
test_feedback(void **state)
{
   static const float corners[3][4] = {
      { -1, -1, 0, 1 },
      { 3, -1, 0, 1 },
      { -1, 3, 0, 1 },
   };
   uint32_t px[SIZE * SIZE];
   struct vkt_image image =
      VKT_IMAGE(.width = SIZE, .height = SIZE,
                .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                         VK_IMAGE_USAGE_SAMPLED_BIT |
                         VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT);
   struct vkt_resource resource = {
      .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
      .view = image.view,
      .layout = VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT,
   };
   resource.sampler = VKT_NEW(Sampler, SAMPLER);
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(feedback_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = corners[0], .attributes = 1,
                       .vertex_count = 3, .width = SIZE, .height = SIZE,
                       .color = &image, .resources = &resource,
                       .resource_count = 1, .feedback = true,
                       .set_state = draw_thrice, .draws_itself = true),
            px);
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      assert_int_equal(px[i], 0xff0000c0 | 3 * (i % SIZE) << 8 |
                                 3 * (i / SIZE) << 16);
   vkDestroySampler(vkt.device, resource.sampler, NULL);
   vkt_image_destroy(&image);
}

/* More inputs than the 16 that can be moved, some of which are left out: the
 * draw was refused. */
static void
test_many_inputs(void **state)
{
   static const float points[3][4] = {
      { -0.875f, -0.875f, 0, 1 },
      { 0.125f, 0.125f, 0, 1 },
      { 0.875f, 0.875f, 0, 1 },
   };
   static const unsigned places[3] = { 0, SIZE / 2, SIZE - 1 };
   const struct vkt_shader shaders[] = { VKT_SHADER(many_frag),
                                         VKT_SHADER(rest_frag) };
   for (unsigned i = 0; i < 2; i++) {
      uint32_t px[SIZE * SIZE];
      vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(many_vert), .fs = shaders[i],
                          .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                          .vertices = points[0], .attributes = 1,
                          .vertex_count = 3, .width = SIZE, .height = SIZE),
               px);
      for (unsigned p = 0; p < 3; p++)
         assert_int_equal(px[places[p] * (SIZE + 1)], 0xff00ff00);
   }
}

/* ---- 16 bits ---- */

/* From attributes through two stages, interpolated, to a target. Green goes
 * from 0.5 to 1 over twice the width. */
static void
test_small_numbers(void **state)
{
   static const VkFormat formats[] = {
      VK_FORMAT_R32G32B32A32_SFLOAT,
      VK_FORMAT_R16G16B16A16_SFLOAT,
      VK_FORMAT_R16G16_SINT,
      VK_FORMAT_R16_UINT,
   };
   const struct vertex {
      float position[4];
      uint16_t halves[8];
      int16_t shorts[8];
      uint16_t word[8];
   } vertices[] = {
      { { -1, -1, 0, 1 },
        { 0x3c00, 0, 0xbc00, 0x3c00 },
        { -300, -32768 },
        { 60000 } },
      { { 3, -1, 0, 1 },
        { 0x3c00, 0x3c00, 0xbc00, 0x3c00 },
        { -300, -32768 },
        { 60000 } },
      { { -1, 3, 0, 1 },
        { 0x3c00, 0, 0xbc00, 0x3c00 },
        { -300, -32768 },
        { 60000 } },
   };
   for (unsigned gs = 0; gs < 2; gs++) {
      uint32_t px[SIZE * SIZE];
      struct vkt_scene s =
         VKT_SCENE(.vs = VKT_SHADER(small_io_vert),
                   .fs = VKT_SHADER(small_io_frag),
                   .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                   .vertices = vertices, .attributes = 4, .vertex_count = 3,
                   .formats = formats, .width = SIZE, .height = SIZE);
      if (gs)
         s.gs = VKT_SHADER(small_io_geom);
      vkt_draw(&s, px);
      const uint32_t base = gs ? 128 : 0, full = gs ? 0xff : 0x80;
      for (unsigned i = 0; i < SIZE * SIZE; i++) {
         const uint32_t green = base + (2 * (i % SIZE) + 1) * 64 / SIZE / 2;
         assert_int_equal(px[i] & 0xff, full);
         assert_in_range(px[i] >> 8 & 0xff, green - !!green, green + 1);
         assert_int_equal(px[i] >> 16 & 0xff, 0);
         assert_int_equal(px[i] >> 24, full);
      }
   }
}

/* Stream output has dwords. */
static void
test_small_capture(void **state)
{
   const struct vkt_scene s =
      VKT_SCENE(.vs = VKT_SHADER(small_capture_vert),
                .fs = VKT_SHADER(white_frag),
                .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                .vertex_count = 1, .width = SIZE, .height = SIZE);
   FILE *report = tmpfile();
   assert_non_null(report);
   const int saved = vkt_divert_stderr(report);
   const VkResult result = vkt_try_draw(&s, NULL);
   vkt_restore_stderr(saved);
   char text[512];
   rewind(report);
   text[fread(text, 1, sizeof(text) - 1, report)] = 0;
   fclose(report);
   assert_int_equal(result, VK_ERROR_UNKNOWN);
   assert_non_null(strstr(text, "transform feedback of fewer than 32 bits"));
}

/* White pixels, and what the shader leaves in each one's word. */
static void
check_interlock(struct vkt_shader fs, const void *vertices, uint32_t count,
                VkSampleCountFlagBits samples, uint32_t word)
{
   struct vkt_buffer out = vkt_buffer_create(SIZE * SIZE * 4);
   const struct vkt_resource resource = VKT_STORAGE(out);
   uint32_t px[SIZE * SIZE];
   memset(out.map, 0, SIZE * SIZE * 4);
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(color_vert), .fs = fs,
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = vertices, .attributes = 2,
                       .vertex_count = count, .width = SIZE, .height = SIZE,
                       .samples = samples, .resources = &resource,
                       .resource_count = 1),
            px);
   check_filled(px, 0xffffffff);
   check_filled(out.map, word);
   vkt_buffer_destroy(&out);
}

/* Triangles over each other: each pixel has counted them in their order. */
static void
test_interlock(void **state)
{
   enum { TRIANGLES = 9 };
   if (!vkt_has_extension("VK_EXT_fragment_shader_interlock"))
      skip();
   VKT_INFO(PhysicalDeviceFragmentShaderInterlockFeaturesEXT, have);
   vkt_features(&have);
   assert_true(have.fragmentShaderPixelInterlock);
   assert_true(have.fragmentShaderSampleInterlock);
   static const float corners[3][2] = { { -1, -1 }, { 3, -1 }, { -1, 3 } };
   float vertices[TRIANGLES * 3][2][4];
   for (unsigned i = 0; i < TRIANGLES * 3; i++) {
      const float *at = corners[i % 3];
      const float v[2][4] = { { at[0], at[1], 0, 1 },
                              { (float)(1 + i / 3), 0, 0, 1 } };
      memcpy(vertices[i], v, sizeof(v));
   }
   check_interlock(VKT_SHADER(interlock_frag), vertices, TRIANGLES * 3, 1,
                   123456789);
   /* Samples of a pixel are in one thread. */
   check_interlock(VKT_SHADER(interlock_samples_frag), vertices,
                   TRIANGLES * 3, 4, 4 * TRIANGLES);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_constants_of_vertex_shaders),
      cmocka_unit_test(test_block_arrays),
      cmocka_unit_test(test_vertex_beyond_patch),
      cmocka_unit_test(test_input_attachment),
      cmocka_unit_test(test_feedback),
      cmocka_unit_test(test_many_inputs),
      cmocka_unit_test(test_small_numbers),
      cmocka_unit_test(test_small_capture),
      cmocka_unit_test(test_interlock),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
