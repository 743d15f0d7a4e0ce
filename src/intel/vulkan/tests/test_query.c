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
   vkt_draw(
      &VKT_SCENE(.vs = VKT_SHADER(color_vert), .fs = VKT_SHADER(color_frag),
                 .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                 .vertices = vertices[0], .attributes = 2, .vertex_count = 3,
                 .indices = indices, .index_count = 8, .width = 4,
                 .height = 4, .query = &count,
                 .query_type = VK_QUERY_TYPE_PIPELINE_STATISTICS,
                 .statistics =
                    VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT),
      NULL);
   assert_int_equal(count, 6);
}

/* Each once, though some chips' counter says four. */
static void
test_fragments_count_once(void **state)
{
   static const float vertices[3][8] = {
      { -1, -1, 0, 1 },
      { 3, -1, 0, 1 },
      { -1, 3, 0, 1 },
   };
   uint64_t count = 99;
   vkt_draw(
      &VKT_SCENE(
            .vs = VKT_SHADER(color_vert), .fs = VKT_SHADER(color_frag),
            .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
            .vertices = vertices[0], .attributes = 2, .vertex_count = 3,
            .width = 8, .height = 4, .query = &count,
            .query_type = VK_QUERY_TYPE_PIPELINE_STATISTICS,
            .statistics =
               VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT),
      NULL);
   assert_int_equal(count, 8 * 4);
}

/* A query that was reset has no result until it is used again. */
static void
test_host_reset(void **state)
{
   VkQueryPool pool = VKT_NEW(QueryPool, QUERY_POOL,
                              .queryType = VK_QUERY_TYPE_TIMESTAMP,
                              .queryCount = 2);
   PFN_vkResetQueryPoolEXT reset = VKT_PROC(vkResetQueryPoolEXT);
   reset(vkt.device, pool, 0, 2);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 0);
   vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1);
   vkt_submit(cmd);
   reset(vkt.device, pool, 1, 1);
   uint64_t time[2][2];
   const VkResult result = vkGetQueryPoolResults(
      vkt.device, pool, 0, 2, sizeof(time), time, sizeof(time[0]),
      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
   assert_int_equal(result, VK_NOT_READY);
   assert_int_equal(time[0][1], 1);
   assert_int_equal(time[1][1], 0);
   vkDestroyQueryPool(vkt.device, pool, NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_restart_is_no_vertex),
      cmocka_unit_test(test_fragments_count_once),
      cmocka_unit_test(test_host_reset),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
