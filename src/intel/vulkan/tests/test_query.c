/* SPDX-License-Identifier: MIT */
/* What queries count. */
#include "vkt.h"

#include "query_color_frag.h"
#include "query_color_vert.h"

/* An index that restarts the primitive is no vertex. */
static void
test_restart_is_no_vertex(void **state)
{
   static const float vertices[3][8];
   static const uint16_t indices[] = { 0, 1, 2, 0xffff, 2, 1, 0, 0xffff };
   uint64_t count = 99;
   vkt_draw(&(struct vkt_scene){
      .vs = VKT_SHADER(color_vert),
      .fs = VKT_SHADER(color_frag),
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
      .vertices = vertices[0],
      .attributes = 2,
      .vertex_count = 3,
      .indices = indices,
      .index_count = 8,
      .width = 4,
      .height = 4,
      .query = &count,
      .query_type = VK_QUERY_TYPE_PIPELINE_STATISTICS,
      .statistics =
         VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT,
   }, NULL);
   assert_int_equal(count, 6);
}

/* Each once, though some chips' counter says four. */
static void
test_fragments_count_once(void **state)
{
   static const float vertices[3][8] = {
      { -1, -1, 0, 1 }, { 3, -1, 0, 1 }, { -1, 3, 0, 1 },
   };
   uint64_t count = 99;
   vkt_draw(&(struct vkt_scene){
      .vs = VKT_SHADER(color_vert),
      .fs = VKT_SHADER(color_frag),
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      .vertices = vertices[0],
      .attributes = 2,
      .vertex_count = 3,
      .width = 8,
      .height = 4,
      .query = &count,
      .query_type = VK_QUERY_TYPE_PIPELINE_STATISTICS,
      .statistics =
         VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT,
   }, NULL);
   assert_int_equal(count, 8 * 4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_restart_is_no_vertex),
      cmocka_unit_test(test_fragments_count_once),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
