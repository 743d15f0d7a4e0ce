/* SPDX-License-Identifier: MIT */
/* A triangle in a primary and in a secondary command buffer, and how many
 * samples of it are counted. */
#include "vkt_triangle.h"
#include "util/macros.h"

static VkQueryPool
create_queries(void)
{
   return VKT_NEW(QueryPool, QUERY_POOL, .queryType = VK_QUERY_TYPE_OCCLUSION,
                  .queryCount = 2);
}

/* The same in a secondary command buffer, which does not know the
 * framebuffer; what its commands point to is gone when it is executed. */
static VkCommandBuffer
record_secondary(const struct vkt_triangle *t)
{
   const VKT_INFO(CommandBufferAllocateInfo, info, .commandPool = vkt.pool,
                  .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                  .commandBufferCount = 1);
   VkCommandBuffer cmd;
   VKT_CHECK(vkAllocateCommandBuffers(vkt.device, &info, &cmd));
   const VKT_INFO(CommandBufferInheritanceInfo, inheritance,
                  .renderPass = t->pass, .occlusionQueryEnable = VK_TRUE,
                  .queryFlags = VK_QUERY_CONTROL_PRECISE_BIT);
   const VKT_INFO(CommandBufferBeginInfo, begin_info,
                  .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                  .pInheritanceInfo = &inheritance);
   VKT_CHECK(vkBeginCommandBuffer(cmd, &begin_info));
   vkt_triangle_record(cmd, t);
   VKT_CHECK(vkEndCommandBuffer(cmd));
   return cmd;
}

/* Of a query that was reset a partial result is 0, and not the last one. */
static void
check_partial(struct vkt_triangle *t, VkQueryPool queries)
{
   uint64_t samples[2] = { 9, 9 };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdResetQueryPool(cmd, queries, 0, 1);
   vkCmdCopyQueryPoolResults(cmd, queries, 0, 1, t->uniform.buffer, 0, 16,
                             VK_QUERY_RESULT_64_BIT |
                                VK_QUERY_RESULT_PARTIAL_BIT |
                                VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   vkGetQueryPoolResults(
      vkt.device, queries, 0, 1, sizeof(samples), samples, sizeof(samples),
      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_PARTIAL_BIT |
         VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(((uint64_t *)t->uniform.map)[i], 0);
      assert_int_equal(samples[i], 0);
   }
}

static void
draw_and_check_triangle(bool secondary)
{
   struct vkt_triangle t;
   vkt_triangle_create(&t);
   vkt_triangle_pipeline(&t, VK_NULL_HANDLE, NULL);
   VkQueryPool queries = create_queries();
   VkCommandBuffer cmd = vkt_begin();
   vkCmdResetQueryPool(cmd, queries, 0, 2);
   vkCmdBeginQuery(cmd, queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
   VkCommandBuffer second = VK_NULL_HANDLE;
   vkt_triangle_begin(cmd, &t,
                      secondary
                         ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                         : VK_SUBPASS_CONTENTS_INLINE);
   if (secondary) {
      second = record_secondary(&t);
      vkCmdExecuteCommands(cmd, 1, &second);
   } else {
      vkt_triangle_record(cmd, &t);
   }
   vkCmdEndRenderPass(cmd);
   vkCmdEndQuery(cmd, queries, 0);
   vkt_barrier(cmd); /* where the draw has read from */
   vkCmdCopyQueryPoolResults(cmd, queries, 0, 1, t.uniform.buffer, 0, 8,
                             VK_QUERY_RESULT_64_BIT |
                                VK_QUERY_RESULT_WAIT_BIT);
   vkt_triangle_read(cmd, &t);
   vkt_submit(cmd);
   if (second)
      vkFreeCommandBuffers(vkt.device, vkt.pool, 1, &second);
   const unsigned inside = vkt_triangle_check(&t);

   /* Neither the clear nor the copy counts, and both ways agree. */
   uint64_t samples[4] = { 0 };
   VKT_CHECK(vkGetQueryPoolResults(
      vkt.device, queries, 0, 1, sizeof(samples), samples, 16,
      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
   assert_int_equal(samples[0], inside);
   assert_int_equal(samples[1], 1);
   assert_int_equal(*(uint64_t *)t.uniform.map, inside);
   assert_int_equal(vkGetQueryPoolResults(vkt.device, queries, 1, 1, 8,
                                          samples, 8, VK_QUERY_RESULT_64_BIT),
                    VK_NOT_READY);
   check_partial(&t, queries);
   vkDestroyQueryPool(vkt.device, queries, NULL);

   vkt_triangle_destroy(&t);
}

static void
test_triangle(void **state)
{
   draw_and_check_triangle(false);
}

static void
test_secondary(void **state)
{
   draw_and_check_triangle(true);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_triangle),
      cmocka_unit_test(test_secondary),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
