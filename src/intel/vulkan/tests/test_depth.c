/* SPDX-License-Identifier: MIT */
/* Depth buffers that a render pass clears as a whole, draws to, and leaves to
 * those who know nothing of a hierarchical buffer: all formats, and sizes
 * that end within its blocks and tiles. */
#include "util/macros.h"
#include "vkt.h"

#include <math.h>
#include <stdlib.h>

#include "depth_color_frag.h"
#include "depth_color_vert.h"
#include "depth_depth_alone_frag.h"
#include "depth_half_depth_frag.h"

#define MAX_PX (150 * 70)

struct vertex {
   float position[4], color[4];
};

static const struct {
   uint32_t w, h;
} sizes[] = { { 8, 4 }, { 37, 21 }, { 150, 70 } };

static const VkFormat formats[] = {
   VK_FORMAT_D16_UNORM,
   VK_FORMAT_D16_UNORM_S8_UINT,
   VK_FORMAT_D32_SFLOAT,
   VK_FORMAT_X8_D24_UNORM_PACK32,
};

static float
depth_of(VkFormat format, const uint8_t *data, uint32_t i)
{
   uint32_t bits = 0;
   float f;
   switch ((int)format) {
   case VK_FORMAT_D16_UNORM:
   case VK_FORMAT_D16_UNORM_S8_UINT:
      memcpy(&bits, data + 2 * i, 2);
      return (float)bits / 65535;
   case VK_FORMAT_D32_SFLOAT: memcpy(&f, data + 4 * i, 4); return f;
   default:
      memcpy(&bits, data + 4 * i, 4);
      return (float)(bits & 0xffffff) / 0xffffff;
   }
}

/* A rectangle from the left edge to `x` pixels. */
static void
rectangle(struct vertex v[6], float x, uint32_t width, float z, float grey)
{
   /* Bit 0: right, bit 1: below. */
   static const uint8_t corner[6] = { 0, 1, 2, 2, 1, 3 };
   for (unsigned i = 0; i < 6; i++)
      v[i] = (struct vertex) {
         { corner[i] & 1 ? 2 * x / (float)width - 1 : -1,
           corner[i] & 2 ? 1 : -1, z, 1 },
         { grey, grey, grey, grey },
      };
}

/* A third of the width is near; behind it lies what covers two thirds. */
static void
check(VkFormat format, uint32_t w, uint32_t h, float cleared)
{
   struct vkt_image depth =
      VKT_IMAGE(.format = format, .width = w, .height = h,
                .one_dimension = h == 1,
                .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                         VK_IMAGE_USAGE_SAMPLED_BIT);
   const VKT_INFO(PipelineDepthStencilStateCreateInfo, state,
                  .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE,
                  .depthCompareOp = VK_COMPARE_OP_LESS);
   const uint32_t third = w / 3;
   struct vertex v[12];
   rectangle(v, (float)third, w, 0.25f, 1);
   rectangle(v + 6, (float)(2 * third), w, 0.5f, 0.5f);
   static uint32_t px[MAX_PX], texels[MAX_PX];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(color_vert),
                       .fs = VKT_SHADER(color_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = v, .attributes = 2, .vertex_count = 12,
                       .width = w, .height = h, .depth_stencil = &state,
                       .depth = &depth, .depth_clear_below_1 = 1 - cleared),
            px);
   const uint32_t texel_B = format == VK_FORMAT_D16_UNORM ||
                                  format == VK_FORMAT_D16_UNORM_S8_UINT
                               ? 2
                               : 4;
   vkt_image_read(&depth, 0, texels, w * h * texel_B);
   for (uint32_t i = 0; i < w * h; i++) {
      const uint32_t x = i % w;
      const bool second = x < 2 * third && cleared > 0.5f;
      const float want = x < third ? 0.25f : second ? 0.5f : cleared;
      const float got = depth_of(format, (const uint8_t *)texels, i);
      if (fabsf(got - want) > 1.0f / 65535)
         fail_msg("format %d, %ux%u, pixel %u, %u: depth %g, not %g", format,
                  w, h, x, i / w, got, want);
      const uint32_t grey = x < third ? 255 : second ? 128 : 0;
      if (abs((int)(px[i] & 0xff) - (int)grey) > 1)
         fail_msg("format %d, %ux%u, pixel %u, %u: 0x%08x, not grey %u",
                  format, w, h, x, i / w, px[i], grey);
   }
   vkt_image_destroy(&depth);
}

static void
test_cleared(void **state)
{
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      for (unsigned s = 0; s < ARRAY_SIZE(sizes); s++) {
         check(formats[f], sizes[s].w, sizes[s].h, 1);
         check(formats[f], sizes[s].w, sizes[s].h, 0.375f);
      }
   }
}

/* Skylake has no depth buffers of one dimension (FF-25 in strict mode). */
static void
test_one_dimension(void **state)
{
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++)
      check(formats[f], 150, 1, 0.375f);
}

/* A shader that puts out no colour leaves the target as it is, whatever the
 * pipeline may write. */
static void
test_without_colour(void **state)
{
   if (vkt_is_validated())
      skip(); /* it warns of that */
   const VKT_INFO(PipelineDepthStencilStateCreateInfo, depth,
                  .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE,
                  .depthCompareOp = VK_COMPARE_OP_LESS);
   struct vertex v[6];
   uint32_t px[16 * 16];

   rectangle(v, 16, 16, 0.25f, 1);
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(color_vert),
                       .fs = VKT_SHADER(depth_alone_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = v, .attributes = 2, .vertex_count = 6,
                       .width = 16, .height = 16, .depth_stencil = &depth,
                       .clear = { .float32 = { 0.2f, 0.4f, 0.6f, 0.8f } }),
            px);
   for (unsigned i = 0; i < ARRAY_SIZE(px); i++)
      assert_int_equal(px[i], 0xcc996633);
}

/* ---- what clamping clamps to ---- */

struct clamp {
   VkDepthClampModeEXT mode;
   VkDepthClampRangeEXT range;
   bool dynamic;
   enum vkt_way way;
};

static void
set_range(VkCommandBuffer cmd, const void *data)
{
   const struct clamp *c = data;
   const VkDepthClampRangeEXT range = c->range;
   VKT_PROC(vkCmdSetDepthClampRangeEXT)(cmd, c->mode, &range);
}

/* `own`: what else than the viewport's range it is clamped to; or NULL. */
static float
drawn_depth(float z, bool clamps, float bias, const struct clamp *own,
            float *seen)
{
   struct vkt_image depth =
      VKT_IMAGE(.format = VK_FORMAT_D32_SFLOAT, .width = 8, .height = 8,
                .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   const VKT_INFO(PipelineDepthStencilStateCreateInfo, state,
                  .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE,
                  .depthCompareOp = VK_COMPARE_OP_ALWAYS);
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .depthClampEnable = clamps, .depthBiasEnable = bias > 0,
                  .depthBiasConstantFactor = bias, .lineWidth = 1.0f);
   const VkViewport viewport = { 0, 0, 8, 8, 0.25f, 0.75f };
   static const VkDynamicState dynamic =
      VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT;
   const bool sets = own && own->dynamic;
   const VKT_INFO(PipelineViewportDepthClampControlCreateInfoEXT, control,
                  .depthClampMode = own ? own->mode : 0,
                  .pDepthClampRange = own ? &own->range : NULL);
   struct vertex v[6];
   rectangle(v, 8, 8, z, 1);
   uint32_t px[64];
   float got[64];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(color_vert),
                       .fs = VKT_SHADER(half_depth_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = v, .attributes = 2, .vertex_count = 6,
                       .width = 8, .height = 8, .raster = &raster,
                       .viewport = &viewport,
                       .viewport_next = own && !sets ? &control : NULL,
                       .dynamic = &dynamic, .dynamic_count = sets,
                       .set_state = sets ? set_range : NULL, .data = own,
                       .way = own ? own->way : VKT_IN_PASS,
                       .depth_stencil = &state, .depth = &depth,
                       .depth_clear_below_1 = 0.5f),
            px);
   vkt_image_read(&depth, 0, got, sizeof(got));
   vkt_image_destroy(&depth);
   *seen = (float)(px[27] & 0xff) / 255 * 2;
   return got[27];
}

/* What is tested and written is clamped, and not what a shader sees. */
static void
check_depth(float z, bool clamps, float bias, float want, float want_seen)
{
   float seen;
   assert_true(drawn_depth(z, clamps, bias, NULL, &seen) == want);
   assert_true(fabsf(seen - want_seen) < 0.01f);
}

/* A step of depths from 1/2 to 1 is 2^-24. */
static void
check_depths(void)
{
   check_depth(0.5f, true, 0, 0.5f, 0.5f);
   check_depth(-0.25f, true, 0, 0.25f, 0.125f);
   check_depth(2, true, 0, 0.75f, 1.25f);
   check_depth(1, true, 1 << 21, 0.75f, 0.875f);
   check_depth(1, false, 1 << 21, 0.875f, 0.875f);
   check_depth(1, false, 1 << 23, 1.0f, 1.25f);
}

/* To the viewport's range, or to what buffers hold; depthClampZeroOne says
 * the latter, and takes nothing from the former. */
static void
test_clamp(void **state)
{
   const VKT_INFO(PhysicalDeviceDepthClampZeroOneFeaturesEXT, zero_one,
                  .depthClampZeroOne = VK_TRUE);
   const VKT_INFO(PhysicalDeviceFeatures2, features,
                  .pNext = (void *)&zero_one, .features.depthClamp = VK_TRUE);
   check_depths();
   vkt_with_features(&features, check_depths);
}

/* VK_EXT_depth_clamp_control: a pipeline's or set, in a secondary command
 * buffer, too; narrower and wider than the viewport's range; only of what is
 * clamped; and not looked at. */
static void
test_clamp_range(void **state)
{
   enum { VIEWPORT, OWN };
   const VkDepthClampRangeEXT narrow = { 0.375f, 0.625f };
   const VkDepthClampRangeEXT wide = { 0.125f, 0.875f };
   const struct {
      VkDepthClampRangeEXT range;
      VkDepthClampModeEXT mode;
      bool clamps;
      float z, want;
   } rows[] = {
      { narrow, OWN, true, -0.25f, 0.375f },
      { narrow, OWN, true, 0.5f, 0.5f },
      { narrow, OWN, true, 2, 0.625f },
      { narrow, OWN, false, 1, 0.75f },
      { narrow, VIEWPORT, true, 2, 0.75f },
      { wide, OWN, true, 1.125f, 0.8125f },
      { wide, OWN, true, 2, 0.875f },
      { wide, OWN, true, -0.5f, 0.125f },
   };
   /* The layers are older than that. */
   if (vkt_is_validated())
      skip();
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (unsigned way = 0; way < 3; way++) {
         float seen;
         const struct clamp c = {
            .mode = rows[i].mode,
            .range = rows[i].range,
            .dynamic = way > 0,
            .way = way > 1 ? VKT_IN_RECORDED : VKT_IN_RENDERING,
         };
         const float got =
            drawn_depth(rows[i].z, rows[i].clamps, 0, &c, &seen);
         if (got != rows[i].want)
            fail_msg("row %u, way %u: %g, not %g", i, way, got, rows[i].want);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cleared),
      cmocka_unit_test(test_one_dimension),
      cmocka_unit_test(test_without_colour),
      cmocka_unit_test(test_clamp),
      cmocka_unit_test(test_clamp_range),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
