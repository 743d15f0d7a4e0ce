/* SPDX-License-Identifier: MIT */
/* Commands and state of draws that extensions bring. */
#include "vkt.h"
#include "util/macros.h"

#include <string.h>

#include "commands_color_frag.h"
#include "commands_counted_comp.h"
#include "commands_draws_vert.h"
#include "commands_instances_vert.h"
#include "commands_points_tesc.h"
#include "commands_points_tese.h"
#include "commands_position_vert.h"
#include "commands_viewports_vert.h"
#include "commands_white_frag.h"

#define WIDTH 16

static const float triangle[3][4] = { { -1, -1, 0, 1 },
                                      { 3, -1, 0, 1 },
                                      { -1, 3, 0, 1 } };

/* Points of draws.vert, which `draw` draws. */
static void
draw_points(void (*draw)(VkCommandBuffer, const void *), const void *data,
            uint32_t px[WIDTH])
{
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(draws_vert),
                       .fs = VKT_SHADER(color_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                       .width = WIDTH, .height = 1, .set_state = draw,
                       .data = data, .draws_itself = true),
            px);
}

static uint32_t
color(uint32_t r, uint32_t g, uint32_t b)
{
   return 0xff000000 | b << 16 | g << 8 | r;
}

/* ---- parameters ---- */

static void
draw_indirect(VkCommandBuffer cmd, const void *data)
{
   const struct vkt_buffer *b = data;
   vkCmdDrawIndirect(cmd, b->buffer, 0, 3, sizeof(VkDrawIndirectCommand));
}

static struct vkt_buffer
three_draws(void)
{
   static const VkDrawIndirectCommand draws[] = { { 2, 1, 5, 9 },
                                                  { 4, 2, 0, 0 },
                                                  { 1, 1, 7, 100 } };
   struct vkt_buffer b = vkt_buffer_create(sizeof(draws) + 16);
   memcpy(b.map, draws, sizeof(draws));
   return b;
}

/* That of the three draws the first `count` are there. */
static void
check_draws(const uint32_t px[WIDTH], uint32_t count)
{
   for (uint32_t x = 0; x < WIDTH; x++) {
      uint32_t want = 0;
      if (x < 2 && count > 0)
         want = color(5, 9, 9);
      else if (x >= 4 && x < 8 && count > 1)
         want = color(0, 0, 1);
      else if (x == 8 && count > 2)
         want = color(7, 100, 100);
      assert_int_equal(px[x], want);
   }
}

static void
test_draw_parameters(void **state)
{
   struct vkt_buffer b = three_draws();
   uint32_t px[WIDTH];
   draw_points(draw_indirect, &b, px);
   check_draws(px, 3);
   vkt_buffer_destroy(&b);
}

/* ---- a count in memory ---- */

static void
draw_counted(VkCommandBuffer cmd, const void *data)
{
   const struct vkt_buffer *b = data;
   VKT_PROC(vkCmdDrawIndirectCountKHR)
   (cmd, b->buffer, 0, b->buffer, 3 * sizeof(VkDrawIndirectCommand), 3,
    sizeof(VkDrawIndirectCommand));
}

/* What the count says, but no more than the command says. */
static void
test_indirect_count(void **state)
{
   struct vkt_buffer b = three_draws();
   uint32_t *count = (uint32_t *)((VkDrawIndirectCommand *)b.map + 3);
   uint32_t px[WIDTH];
   for (*count = 0; *count < 6; ++*count) {
      draw_points(draw_counted, &b, px);
      check_draws(px, *count);
   }
   vkt_buffer_destroy(&b);
}

/* ---- several draws of one command ---- */

static const struct {
   VkMultiDrawInfoEXT draw;
   uint32_t pad;
} multi[] = { { { 5, 2 }, 0 }, { { 0, 4 }, 0 }, { { 7, 1 }, 0 } };

static void
draw_multi(VkCommandBuffer cmd, const void *data)
{
   VKT_PROC(vkCmdDrawMultiEXT)
   (cmd, 3, &multi[0].draw, 1, 9, sizeof(multi[0]));
}

struct multi_indexed {
   struct vkt_buffer indices;
   const int32_t *offset;
};

/* Vertex n is index 15 - n. */
static void
draw_multi_indexed(VkCommandBuffer cmd, const void *data)
{
   const struct multi_indexed *m = data;
   static const VkMultiDrawIndexedInfoEXT draws[] = { { 15, 1, 5 },
                                                      { 12, 4, 0 },
                                                      { 15, 1, 7 } };
   vkCmdBindIndexBuffer(cmd, m->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
   VKT_PROC(vkCmdDrawMultiIndexedEXT)
   (cmd, 3, draws, 1, 9, sizeof(draws[0]), m->offset);
}

static void
test_multi_draw(void **state)
{
   uint32_t px[WIDTH];
   draw_points(draw_multi, NULL, px);
   for (uint32_t x = 0; x < WIDTH; x++) {
      const uint32_t i = x / 4;
      const bool drawn = i < 3 && x % 4 < multi[i].draw.vertexCount;
      assert_int_equal(px[x],
                       drawn ? color(multi[i].draw.firstVertex, 9, 9) : 0);
   }
}

static void
test_multi_draw_indexed(void **state)
{
   static const int32_t common = 3;
   static const uint32_t own[] = { 5, 0, 7 };
   struct multi_indexed m = { vkt_buffer_create(32), NULL };
   for (uint16_t i = 0; i < 16; i++)
      ((uint16_t *)m.indices.map)[i] = 15 - i;
   for (unsigned way = 0; way < 2; way++) {
      uint32_t px[WIDTH];
      m.offset = way ? &common : NULL;
      draw_points(draw_multi_indexed, &m, px);
      for (uint32_t x = 0; x < WIDTH; x++) {
         const uint32_t i = x / 4;
         const bool drawn = i < 3 && x % 4 < (i == 1 ? 4u : 1u);
         assert_int_equal(px[x], drawn ? color(way ? 3 : own[i], 9, 9) : 0);
      }
   }
   vkt_buffer_destroy(&m.indices);
}

/* A secondary command buffer keeps the draws, which lie apart. */
static void
test_multi_draw_recorded(void **state)
{
   uint32_t px[WIDTH];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(draws_vert),
                       .fs = VKT_SHADER(color_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                       .width = WIDTH, .height = 1, .set_state = draw_multi,
                       .draws_itself = true, .way = VKT_IN_RECORDED),
            px);
   assert_int_equal(px[0], color(5, 9, 9));
   assert_int_equal(px[7], color(0, 9, 9));
   assert_int_equal(px[8], color(7, 9, 9));
   assert_int_equal(px[9], 0);
}

/* ---- lists that restart ---- */

static unsigned
white_of(VkPrimitiveTopology topology, const uint16_t *indices,
         uint32_t count)
{
   static const float vertices[][4] = {
      { -1, -1, 0, 1 }, { 3, -1, 0, 1 }, { -1, 3, 0, 1 }, { 1, -1, 0, 1 }
   };
   uint32_t px[WIDTH * WIDTH];
   unsigned n = 0;
   struct vkt_scene s =
      VKT_SCENE(.vs = VKT_SHADER(position_vert), .fs = VKT_SHADER(white_frag),
                .topology = topology, .vertices = vertices, .attributes = 1,
                .vertex_count = 4, .indices = indices, .index_count = count,
                .width = WIDTH, .height = WIDTH);
   if (topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST) {
      s.patch_vertices = 5;
      s.tcs = VKT_SHADER(points_tesc);
      s.tes = VKT_SHADER(points_tese);
   }
   vkt_draw(&s, px);
   for (unsigned i = 0; i < WIDTH * WIDTH; i++)
      n += px[i] != 0;
   return n;
}

/* What was begun is dropped, and the next vertex is a first one. */
static void
test_list_restart(void **state)
{
   static const uint16_t triangles[] = { 0, 0xffff, 0, 1, 2 };
   static const uint16_t fourth[] = { 0, 1, 0xffff, 3, 3, 3 };
   static const uint16_t adjacent[] = { 0, 0, 0xffff, 0, 0, 1, 1, 2, 2 };
   assert_int_equal(white_of(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, triangles,
                             5),
                    WIDTH * WIDTH);
   assert_int_equal(white_of(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, fourth, 6),
                    0);
   assert_int_equal(
      white_of(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, adjacent,
               9),
      WIDTH * WIDTH);
   /* A line on the edge has its pixels or not, but there it is one line. */
   static const uint16_t lines[] = { 2, 0xffff, 0, 2 };
   static const uint16_t one_line[] = { 0, 2 };
   static const uint16_t half_line[] = { 0, 0xffff, 2 };
   const unsigned length =
      white_of(VK_PRIMITIVE_TOPOLOGY_LINE_LIST, one_line, 2);
   assert_int_equal(white_of(VK_PRIMITIVE_TOPOLOGY_LINE_LIST, lines, 4),
                    length);
   assert_int_equal(white_of(VK_PRIMITIVE_TOPOLOGY_LINE_LIST, half_line, 3),
                    0);
}

/* A patch's triangle is of the last three of its five vertices. */
static void
test_patch_restart(void **state)
{
   VKT_INFO(PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT, restart);
   vkt_features(&restart);
   assert_true(restart.primitiveTopologyListRestart);
   if (!restart.primitiveTopologyPatchListRestart)
      return; /* Ivybridge */
   static const uint16_t second[] = { 3, 3, 0xffff, 3, 3, 0, 1, 2 };
   static const uint16_t none[] = { 3, 3, 0, 1, 0xffff, 2 };
   assert_int_equal(white_of(VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, second, 8),
                    WIDTH * WIDTH);
   assert_int_equal(white_of(VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, none, 6), 0);
}

/* ---- conditional rendering ---- */

struct condition {
   struct vkt_buffer buffer;
   bool inverted;
   bool inherited; /* by a secondary command buffer, which dispatches */
};

static void
begin_condition(VkCommandBuffer cmd, const struct condition *c)
{
   const VKT_INFO(
      ConditionalRenderingBeginInfoEXT, info, .buffer = c->buffer.buffer,
      .flags = c->inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0);
   VKT_PROC(vkCmdBeginConditionalRenderingEXT)(cmd, &info);
}

static void
draw_if(VkCommandBuffer cmd, const void *data)
{
   const struct condition *c = data;
   begin_condition(cmd, c);
   vkCmdDraw(cmd, 2, 1, 0, 1);
   VKT_PROC(vkCmdEndConditionalRenderingEXT)(cmd);
   vkCmdDraw(cmd, 1, 1, 1, 0);
}

/* Whatever stands in the word after the condition; what is drawn after the
 * end is drawn. */
static void
test_conditional_rendering(void **state)
{
   struct condition c = { .buffer = vkt_buffer_create(8) };
   uint32_t px[WIDTH];
   for (unsigned i = 0; i < 8; i++) {
      const bool holds = i & 1;
      const uint32_t value = i & 4 ? 1u << 31 : 1;
      memcpy(c.buffer.map, (uint32_t[]) { holds ? value : 0, !holds }, 8);
      c.inverted = i >> 1 & 1;
      draw_points(draw_if, &c, px);
      /* The second draw's point is at 0, too: of vertex 1, base 1. */
      assert_int_equal(px[0], color(1, 0, 0));
      assert_int_equal(px[1], holds != c.inverted ? color(0, 1, 1) : 0);
   }
   vkt_buffer_destroy(&c.buffer);
}

struct counted_if {
   struct vkt_buffer b; /* three draws and their number */
   struct condition c;
};

/* What is drawn behind the counted draws goes over the first one's points. */
static void
draw_counted_if(VkCommandBuffer cmd, const void *data)
{
   const struct counted_if *d = data;
   begin_condition(cmd, &d->c);
   draw_counted(cmd, &d->b);
   vkCmdDraw(cmd, 2, 1, 0, 1);
   VKT_PROC(vkCmdEndConditionalRenderingEXT)(cmd);
}

/* Neither undoes the other, and the condition is what it was afterwards. */
static void
test_conditional_count(void **state)
{
   struct counted_if d = { three_draws(),
                           { .buffer = vkt_buffer_create(4) } };
   uint32_t *count = (uint32_t *)((VkDrawIndirectCommand *)d.b.map + 3);
   for (*count = 0; *count < 5; ++*count) {
      for (unsigned i = 0; i < 4; i++) {
         uint32_t px[WIDTH];
         const uint32_t holds = i & 1;
         memcpy(d.c.buffer.map, &holds, 4);
         d.c.inverted = i >> 1;
         draw_points(draw_counted_if, &d, px);
         const bool drawn = holds != d.c.inverted;
         for (uint32_t x = 0; x < 2; x++) {
            assert_int_equal(px[x], drawn ? color(0, 1, 1) : 0);
            px[x] = *count && drawn ? color(5, 9, 9) : 0;
         }
         check_draws(px, drawn ? *count : 0);
      }
   }
   vkt_buffer_destroy(&d.c.buffer);
   vkt_buffer_destroy(&d.b);
}

/* An indirect dispatch, and another one that the condition is for, too. */
static void
record_dispatches(VkCommandBuffer cmd, const struct condition *c,
                  const struct vkt_plain *p, VkDescriptorSet set,
                  VkBuffer counts)
{
   if (c->buffer.buffer)
      begin_condition(cmd, c);
   VkCommandBuffer in = c->inherited ? vkt_begin_secondary() : cmd;
   vkCmdBindPipeline(in, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
   vkCmdBindDescriptorSets(in, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0,
                           1, &set, 0, NULL);
   vkCmdDispatchIndirect(in, counts, 0);
   vkCmdDispatch(in, 1, 1, 1);
   if (c->inherited)
      vkt_execute(cmd, in);
   if (c->buffer.buffer)
      VKT_PROC(vkCmdEndConditionalRenderingEXT)(cmd);
}

static void
check_dispatches(const struct condition *c, bool holds)
{
   static const uint32_t groups[][3] = {
      { 2, 3, 4 }, { 0, 3, 4 }, { 2, 0, 4 }, { 2, 3, 0 }, { 0, 0, 0 }
   };
   const VkDescriptorSetLayoutBinding binding = {
      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
   };
   const VKT_INFO(DescriptorSetLayoutCreateInfo, set_layout,
                  .bindingCount = 1, .pBindings = &binding);
   const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
   const VKT_INFO(DescriptorPoolCreateInfo, pool, .maxSets = 1,
                  .poolSizeCount = 1, .pPoolSizes = &size);
   VkDescriptorSet set;
   struct vkt_plain p =
      vkt_plain_create(&set_layout, &pool, VKT_SHADER(counted_comp), &set);
   struct vkt_buffer counts = vkt_buffer_create(12);
   struct vkt_buffer out = vkt_buffer_create(8);
   const VkDescriptorBufferInfo buffer = { out.buffer, 0, VK_WHOLE_SIZE };
   vkUpdateDescriptorSets(
      vkt.device, 1,
      &VKT_STRUCT(WriteDescriptorSet, .dstSet = set, .descriptorCount = 1,
                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                  .pBufferInfo = &buffer),
      0, NULL);
   for (unsigned i = 0; i < ARRAY_SIZE(groups); i++) {
      const uint32_t *g = groups[i], *got = out.map;
      memcpy(counts.map, g, 12);
      memset(out.map, 0, 8);
      VkCommandBuffer cmd = vkt_begin();
      record_dispatches(cmd, c, &p, set, counts.buffer);
      vkt_barrier(cmd);
      vkt_submit(cmd);
      assert_int_equal(got[0], holds ? g[0] * g[1] * g[2] : 0);
      assert_int_equal(got[1], holds);
   }
   vkt_buffer_destroy(&out);
   vkt_buffer_destroy(&counts);
   vkt_plain_destroy(&p);
}

/* Before Gen9 those of no group are left out by the predicate, which the
 * condition has, too. */
static void
test_indirect_dispatches(void **state)
{
   struct condition c = { 0 };
   check_dispatches(&c, true);
   c.buffer = vkt_buffer_create(4);
   for (uint32_t i = 0; i < 8; i++) {
      const uint32_t value = i & 1;
      memcpy(c.buffer.map, &value, 4);
      c.inverted = i >> 1 & 1;
      c.inherited = i >> 2;
      check_dispatches(&c, value != c.inverted);
   }
   vkt_buffer_destroy(&c.buffer);
}

/* ---- indices of eight bits ---- */

static void
draw_bytes(VkCommandBuffer cmd, const void *data)
{
   const struct vkt_buffer *b = data;
   vkCmdBindIndexBuffer(cmd, b->buffer, 1, VK_INDEX_TYPE_UINT8_EXT);
   vkCmdDrawIndexed(cmd, 3, 1, 1, 0, 0);
}

/* From an odd offset, from the second index. */
static void
test_index_bytes(void **state)
{
   static const uint8_t indices[] = { 99, 9, 2, 15, 3, 11 };
   struct vkt_buffer b = vkt_buffer_create(sizeof(indices));
   uint32_t px[WIDTH];
   memcpy(b.map, indices, sizeof(indices));
   draw_points(draw_bytes, &b, px);
   for (unsigned x = 0; x < WIDTH; x++)
      assert_int_equal(px[x] != 0, x == 2 || x == 15 || x == 3);
   vkt_buffer_destroy(&b);
}

/* ---- the index that restarts ---- */

struct restart {
   VkIndexType type;
   bool enable;
   uint32_t third; /* index, behind those of the vertices 2 and 3 */
   int32_t vertex_offset;
   bool cuts;
   const struct vkt_buffer *indices;
};

static void
draw_restart(VkCommandBuffer cmd, const void *data)
{
   const struct restart *r = data;
   vkCmdBindIndexBuffer(cmd, r->indices->buffer, 0, r->type);
   VKT_PROC(vkCmdSetPrimitiveRestartEnableEXT)(cmd, r->enable);
   vkCmdDrawIndexed(cmd, 3, 1, 0, r->vertex_offset, 0);
}

/* All bits of the index's own type, as it is in the buffer: before the vertex
 * offset is added. */
static void
test_restart_of_types(void **state)
{
   static const struct restart rows[] = {
      { VK_INDEX_TYPE_UINT8_EXT, true, 0xff, 0, true },
      { VK_INDEX_TYPE_UINT8_EXT, false, 0xff, 0, false },
      { VK_INDEX_TYPE_UINT8_EXT, true, 0xfe, 1, false },
      { VK_INDEX_TYPE_UINT8_EXT, true, 0xff, 1, true },
      { VK_INDEX_TYPE_UINT16, true, 0xff, 0, false },
      { VK_INDEX_TYPE_UINT16, true, 0xffff, 0, true },
      { VK_INDEX_TYPE_UINT16, true, 0xffff, -0xff00, true },
      { VK_INDEX_TYPE_UINT16, false, 0xffff, -0xff00, false },
      { VK_INDEX_TYPE_UINT32, true, 0xff, 0, false },
      { VK_INDEX_TYPE_UINT32, true, 0xffff, -0xff00, false },
      { VK_INDEX_TYPE_UINT32, true, UINT32_MAX, 0, true },
      { VK_INDEX_TYPE_UINT32, false, 0xffff, -0xff00, false },
   };
   static const VkDynamicState dynamic =
      VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE_EXT;
   static float vertices[0x100][4];
   memcpy(vertices[2], triangle[0], sizeof(triangle[0]));
   memcpy(vertices[3], triangle[1], sizeof(triangle[1]));
   memcpy(vertices[0xff], triangle[2], sizeof(triangle[2]));
   struct vkt_buffer indices = vkt_buffer_create(3 * sizeof(uint32_t));

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct restart r = rows[i];
      const uint32_t first = (uint32_t)(2 - r.vertex_offset);
      const uint32_t values[3] = { first, first + 1, r.third };
      const unsigned size_B = r.type == VK_INDEX_TYPE_UINT32   ? 4
                              : r.type == VK_INDEX_TYPE_UINT16 ? 2
                                                               : 1;
      uint32_t px[WIDTH];
      for (unsigned k = 0; k < 3; k++)
         memcpy((char *)indices.map + k * size_B, &values[k], size_B);
      r.indices = &indices;
      vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                          .fs = VKT_SHADER(white_frag),
                          .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                          .vertices = vertices, .attributes = 1,
                          .vertex_count = 0x100, .width = WIDTH, .height = 1,
                          .dynamic = &dynamic, .dynamic_count = 1,
                          .set_state = draw_restart, .data = &r,
                          .draws_itself = true),
               px);
      for (unsigned x = 0; x < WIDTH; x++) {
         if (px[x] != (r.cuts ? 0 : ~0u))
            fail_msg("row %u, pixel %u: 0x%08x", i, x, px[x]);
      }
   }
   vkt_buffer_destroy(&indices);
}

/* ---- divisors ---- */

static void
check_divisor(uint32_t divisor)
{
   float colors[WIDTH][4];
   for (unsigned i = 0; i < WIDTH; i++) {
      for (unsigned c = 0; c < 4; c++)
         colors[i][c] = (float)(i + 1) / 255;
   }
   const VkVertexInputBindingDivisorDescriptionEXT binding = { 0, divisor };
   const VKT_INFO(PipelineVertexInputDivisorStateCreateInfoEXT, divisors,
                  .vertexBindingDivisorCount = 1,
                  .pVertexBindingDivisors = &binding);
   uint32_t px[WIDTH];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(instances_vert),
                       .fs = VKT_SHADER(color_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                       .vertices = colors, .attributes = 1,
                       .vertex_count = WIDTH, .instances = WIDTH,
                       .divisors = &divisors, .width = WIDTH, .height = 1),
            px);
   for (uint32_t i = 0; i < WIDTH; i++) {
      const uint32_t element = divisor ? i / divisor : 0;
      assert_int_equal(px[i], (element + 1) * 0x01010101);
   }
}

static void
test_divisors(void **state)
{
   check_divisor(1);
   check_divisor(3);
   check_divisor(0);
   check_divisor(1000);
}

/* ---- viewports ---- */

static const VkRect2D scissors[4] = {
   { { 0, 0 }, { 4, 1 } },
   { { 4, 0 }, { 4, 1 } },
   { { 8, 0 }, { 4, 1 } },
   { { 12, 0 }, { 4, 1 } },
};

static void
set_viewports(VkCommandBuffer cmd, const void *data)
{
   VkViewport viewports[4];
   for (int i = 0; i < 4; i++)
      viewports[i] = (VkViewport) { 4.0f * (float)i, 0, 4, 1, 0, 1 };
   VKT_PROC(vkCmdSetViewportWithCountEXT)(cmd, 4, viewports);
}

static void
set_viewports_and_scissors(VkCommandBuffer cmd, const void *data)
{
   set_viewports(cmd, data);
   VKT_PROC(vkCmdSetScissorWithCountEXT)(cmd, 4, scissors);
}

/* `static_scissors`: those of the pipeline, which has no count of
 * viewports. */
static void
draw_viewports(bool static_scissors)
{
   static const VkDynamicState dynamic[] = {
      VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
      VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
   };
   uint32_t px[WIDTH];
   vkt_draw(
      &VKT_SCENE(.vs = VKT_SHADER(viewports_vert),
                 .fs = VKT_SHADER(color_frag),
                 .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                 .vertices = triangle, .attributes = 1, .vertex_count = 3,
                 .instances = 4, .scissor = scissors, .scissor_count = 4,
                 .dynamic = dynamic, .dynamic_count = static_scissors ? 1 : 2,
                 .set_state = static_scissors ? set_viewports
                                              : set_viewports_and_scissors,
                 .width = WIDTH, .height = 1),
      px);
   for (uint32_t x = 0; x < WIDTH; x++) {
      const uint32_t v = (x / 4 + 1) * 51;
      assert_int_equal(px[x], color(v, v, v));
   }
}

static void
check_viewports(void)
{
   draw_viewports(false);
   draw_viewports(true);
}

/* The vertex shader says which viewport. */
static void
test_viewport_of_vertex_shader(void **state)
{
   vkt_with_core_features(check_viewports);
}

/* ---- clipping of depth ---- */

static uint32_t
draw_beyond(bool clip)
{
   static const float beyond[3][4] = { { -1, -1, 2, 1 },
                                       { 3, -1, 2, 1 },
                                       { -1, 3, 2, 1 } };
   const VKT_INFO(PipelineRasterizationDepthClipStateCreateInfoEXT,
                  depth_clip, .depthClipEnable = clip);
   const VKT_INFO(
      PipelineRasterizationStateCreateInfo, raster, .pNext = &depth_clip,
      .depthClampEnable = clip, /* which clips, too, if it says so */
      .lineWidth = 1);
   uint32_t px;
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = beyond, .attributes = 1, .vertex_count = 3,
                       .raster = &raster, .width = 1, .height = 1),
            &px);
   return px;
}

/* Clamping and clipping are two things. */
static void
test_depth_clip_enable(void **state)
{
   assert_int_equal(draw_beyond(true), 0);
   assert_int_equal(draw_beyond(false), 0xffffffff);
}

/* ---- queries ---- */

static uint64_t
generated_primitives(bool discard)
{
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .rasterizerDiscardEnable = discard, .lineWidth = 1);
   uint64_t count = 77;
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = triangle, .attributes = 1,
                       .vertex_count = 3, .instances = 5, .raster = &raster,
                       .query = &count,
                       .query_type = VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT,
                       .width = 4, .height = 4),
            NULL);
   return count;
}

/* Without any transform feedback, rasterized or not. */
static void
test_primitives_generated(void **state)
{
   VKT_INFO(PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT, have);
   vkt_features(&have);
   assert_true(have.primitivesGeneratedQuery);
   assert_int_equal(generated_primitives(false), 5);
   if (have.primitivesGeneratedQueryWithRasterizerDiscard)
      assert_int_equal(generated_primitives(true), 5);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_draw_parameters),
      cmocka_unit_test(test_indirect_count),
      cmocka_unit_test(test_multi_draw),
      cmocka_unit_test(test_multi_draw_indexed),
      cmocka_unit_test(test_multi_draw_recorded),
      cmocka_unit_test(test_list_restart),
      cmocka_unit_test(test_patch_restart),
      cmocka_unit_test(test_conditional_rendering),
      cmocka_unit_test(test_conditional_count),
      cmocka_unit_test(test_indirect_dispatches),
      cmocka_unit_test(test_index_bytes),
      cmocka_unit_test(test_restart_of_types),
      cmocka_unit_test(test_divisors),
      cmocka_unit_test(test_viewport_of_vertex_shader),
      cmocka_unit_test(test_depth_clip_enable),
      cmocka_unit_test(test_primitives_generated),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
