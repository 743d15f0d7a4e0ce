/* SPDX-License-Identifier: MIT */
/* Several views of one draw: Vulkan 1.1, "Multiview". */
#include "vkt.h"

#include "multiview_view_frag.h"
#include "multiview_view_geom.h"
#include "multiview_view_tesc.h"
#include "multiview_view_tese.h"
#include "multiview_view_vert.h"

#define SIZE 16
#define LAYERS 4
#define VIEWS 0xbu /* 0, 1 and 3 */

/* One pixel's column at the left. */
static const float column[] = {
   -1, -1, 0, 1, -1 + 2.0f / SIZE, -1, 0, 1,
   -1, 1,  0, 1, -1 + 2.0f / SIZE, 1,  0, 1,
};

static void
expect_view(const uint32_t *px, uint32_t view)
{
   /* Views move by an eighth of the picture's width. */
   const uint32_t at = view * SIZE / 8;
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         const uint32_t want = x == at ? 0xffff0000u | view << 8 | view : 0;
         if (px[y * SIZE + x] != want)
            fail_msg("view %u, pixel %u, %u: 0x%08x, not 0x%08x", view, x, y,
                     px[y * SIZE + x], want);
      }
   }
}

static struct vkt_scene
scene(VkSampleCountFlagBits samples)
{
   return VKT_SCENE(.vs = VKT_SHADER(view_vert), .fs = VKT_SHADER(view_frag),
                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                    .vertices = column, .attributes = 1, .vertex_count = 4,
                    .width = SIZE, .height = SIZE, .samples = samples,
                    .view_mask = VIEWS);
}

static void
check(const struct vkt_scene *s)
{
   static uint32_t px[LAYERS][SIZE * SIZE];
   vkt_draw(s, px[0]);
   for (uint32_t view = 0; view < LAYERS; view++) {
      if (VIEWS & 1u << view)
         expect_view(px[view], view);
   }
}

/* Shaders see the view's number, and its layer alone is drawn to. */
static void
test_views(void **state)
{
   const struct vkt_scene s = scene(VK_SAMPLE_COUNT_1_BIT);
   check(&s);
}

static void
test_indexed(void **state)
{
   static const uint16_t indices[] = { 0, 1, 2, 3 };
   struct vkt_scene s = scene(VK_SAMPLE_COUNT_1_BIT);
   s.indices = indices;
   s.index_count = 4;
   check(&s);
}

/* Each view's layer is cleared and resolved. */
static void
test_resolved(void **state)
{
   const struct vkt_scene s = scene(VK_SAMPLE_COUNT_4_BIT);
   check(&s);
}

/* A stage more, or three, that all see the view, too. */
static void
test_geometry(void **state)
{
   struct vkt_scene s = scene(VK_SAMPLE_COUNT_1_BIT);
   s.gs = VKT_SHADER(view_geom);
   check(&s);
}

static void
test_tessellation(void **state)
{
   struct vkt_scene s = scene(VK_SAMPLE_COUNT_1_BIT);
   s.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
   s.patch_vertices = 4;
   s.tcs = VKT_SHADER(view_tesc);
   s.tes = VKT_SHADER(view_tese);
   check(&s);
   s.gs = VKT_SHADER(view_geom);
   check(&s);
}

/* A query outside of the pass has all views' samples. */
static void
test_query(void **state)
{
   uint64_t samples = 0;
   struct vkt_scene s = scene(VK_SAMPLE_COUNT_1_BIT);
   s.query = &samples;
   s.query_type = VK_QUERY_TYPE_OCCLUSION;
   check(&s);
   assert_int_equal(samples, 3 * SIZE);
}

/* The same shaders with one view, which is number 0. */
static void
test_without_views(void **state)
{
   static uint32_t px[SIZE * SIZE];
   struct vkt_scene s = scene(VK_SAMPLE_COUNT_1_BIT);
   s.view_mask = 0;
   vkt_draw(&s, px);
   expect_view(px, 0);
}

static void
test_announced(void **state)
{
   VKT_INFO(PhysicalDeviceMultiviewFeatures, views);
   vkt_features(&views);
   assert_true(views.multiview && views.multiviewGeometryShader &&
               views.multiviewTessellationShader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_announced), cmocka_unit_test(test_views),
      cmocka_unit_test(test_indexed),   cmocka_unit_test(test_resolved),
      cmocka_unit_test(test_query),     cmocka_unit_test(test_without_views),
      cmocka_unit_test(test_geometry),  cmocka_unit_test(test_tessellation),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
