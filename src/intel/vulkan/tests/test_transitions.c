/* SPDX-License-Identifier: MIT */
/*
 * Every state after every other one.
 *
 * A state is set and drawn with, is set back, then another one is set and
 * drawn with: the chip must have for that draw what it has when the other is
 * all that was ever set. What it has, the simulated GPU writes into a file, a
 * line a draw (SAFFRON_SIM_STATES).
 *
 * This finds packets that are not sent again because what writes them reads
 * a state that its group does not name (genX_groups.c).
 */
#include "util/macros.h"
#include "vkt.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gfx_states.h"
#include "transitions_flat_frag.h"
#include "transitions_flat_vert.h"
#include "transitions_patch_tesc.h"
#include "transitions_patch_tese.h"
#include "transitions_patch_vert.h"
#include "transitions_point_vert.h"
#include "transitions_streams_geom.h"
#include "transitions_white_frag.h"

#define SIZE 32

/* Of draws of the test, not of those that the driver makes besides. */
#define INSTANCES 2

/* One pipeline over one kind of targets cannot have all states. */
enum kind {
   FLAT = 1 << 0,
   FORMS = 1 << 1, /* what FLAT sets by other commands */
   PATCHES = 1 << 2,
   STREAMS = 1 << 3, /* of a geometry shader */
   SAMPLED = 1 << 4,
   KINDS = 5,
   ALL = (1 << KINDS) - 1,
};

static char states_file[64];

/* What is walked through. */
static enum kind kind;

/* With a logic operation there is no blending: both are walked through. */
static bool logic;

/* Of FORMS: what vertices are read from. */
static struct vkt_buffer vertices;

/* Of SAMPLED: targets of several samples and of one. */
static struct vkt_image colors[2], depths[2];

static const float triangle[][2][4] = {
   { { -1, -1, 0, 1 }, { 1, 0, 0, 1 } },
   { { 3, -1, 0, 1 }, { 0, 1, 0, 1 } },
   { { -1, 3, 0, 1 }, { 0, 0, 1, 1 } },
};

/* How a state is set: `on` or back. */
#define STATE(name, ...)                                                     \
   static void name(VkCommandBuffer cmd, bool on)                            \
   {                                                                         \
      __VA_ARGS__;                                                           \
   }
#define SET(name, Name, yes, no)                                             \
   STATE(name, VKT_PROC(vkCmdSet##Name)(cmd, on ? (yes) : (no)))
#define ENABLE(name, Name) SET(name, Name, VK_TRUE, VK_FALSE)
#define SET_FIRST(name, Name, type, yes, no)                                 \
   STATE(name, const type value = on ? (yes) : (no);                         \
         VKT_PROC(vkCmdSet##Name)(cmd, 0, 1, &value))
#define BOTH VK_STENCIL_FACE_FRONT_AND_BACK

/* Set back, a state is what lets others matter: lines, tests and blending are
 * on. What is drawn leaves the first pixels of targets alone, which are part
 * of what is compared. */
STATE(scissor, const VkRect2D r = { .offset = { 16, 16 },
                                    .extent = { on ? 4 : 8, 8 } };
      VKT_PROC(vkCmdSetScissorWithCountEXT)(cmd, 1, &r))
STATE(viewport, const VkViewport v = { .width = on ? 24 : SIZE,
                                       .height = SIZE,
                                       .maxDepth = 0.5f };
      VKT_PROC(vkCmdSetViewportWithCountEXT)(cmd, 1, &v))
STATE(line_width, vkCmdSetLineWidth(cmd, on ? 3 : 1))
STATE(depth_bias, vkCmdSetDepthBias(cmd, on ? 2 : 0, 0, on ? 1 : 0))
STATE(blend_constants,
      vkCmdSetBlendConstants(cmd, (float[4]) { on ? 0.5f : 0, 0, 0, 0 }))
STATE(compare_mask, vkCmdSetStencilCompareMask(cmd, BOTH, on ? 0xf0 : 0xff))
STATE(stencil_mask, vkCmdSetStencilWriteMask(cmd, BOTH, on ? 0xf0 : 0xff))
STATE(reference, vkCmdSetStencilReference(cmd, BOTH, on ? 3 : 0))
STATE(stipple_pattern,
      VKT_PROC(vkCmdSetLineStippleEXT)(cmd, on ? 2 : 1, 0x3333))
SET(topology, PrimitiveTopologyEXT, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
    VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST)
ENABLE(primitive_restart, PrimitiveRestartEnableEXT)
ENABLE(discard, RasterizerDiscardEnableEXT)
SET(cull, CullModeEXT, VK_CULL_MODE_BACK_BIT, VK_CULL_MODE_NONE)
SET(front, FrontFaceEXT, VK_FRONT_FACE_CLOCKWISE,
    VK_FRONT_FACE_COUNTER_CLOCKWISE)
ENABLE(bias, DepthBiasEnableEXT)
SET(depth_test, DepthTestEnableEXT, VK_FALSE, VK_TRUE)
ENABLE(depth_write, DepthWriteEnableEXT)
SET(depth_compare, DepthCompareOpEXT, VK_COMPARE_OP_LESS,
    VK_COMPARE_OP_ALWAYS)
SET(stencil_test, StencilTestEnableEXT, VK_FALSE, VK_TRUE)
STATE(stencil_op, VKT_PROC(vkCmdSetStencilOpEXT)(
                     cmd, BOTH, VK_STENCIL_OP_KEEP,
                     on ? VK_STENCIL_OP_INVERT : VK_STENCIL_OP_KEEP,
                     VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS))
SET(polygon_mode, PolygonModeEXT, VK_POLYGON_MODE_FILL, VK_POLYGON_MODE_LINE)
SET(depth_clamp, DepthClampEnableEXT, VK_FALSE, VK_TRUE)
STATE(clamp_range, const VkDepthClampRangeEXT r = { 0, 0.25f };
      VKT_PROC(vkCmdSetDepthClampRangeEXT)(
         cmd,
         on ? VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT
            : VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT,
         &r))
ENABLE(depth_clip, DepthClipEnableEXT)
ENABLE(negative_one_to_one, DepthClipNegativeOneToOneEXT)
SET(provoking, ProvokingVertexModeEXT,
    VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
    VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT)
SET(line_mode, LineRasterizationModeEXT,
    VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT,
    VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT)
SET(stipple, LineStippleEnableEXT, VK_FALSE, VK_TRUE)
STATE(sample_mask,
      VKT_PROC(vkCmdSetSampleMaskEXT)(cmd, VK_SAMPLE_COUNT_4_BIT,
                                      &(VkSampleMask) { on ? 0 : ~0u }))
ENABLE(alpha_to_one, AlphaToOneEnableEXT)
ENABLE(alpha_to_coverage, AlphaToCoverageEnableEXT)
SET(logic_op_enable, LogicOpEnableEXT, !logic, logic)
SET(logic_op, LogicOpEXT, VK_LOGIC_OP_INVERT, VK_LOGIC_OP_COPY)
SET_FIRST(blend_enable, ColorBlendEnableEXT, VkBool32, VK_FALSE, VK_TRUE)
SET_FIRST(write_mask, ColorWriteMaskEXT, VkColorComponentFlags, 0x9, 0xf)
STATE(equation, const VkColorBlendEquationEXT e = {
         .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
         .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
         .dstColorBlendFactor = on ? VK_BLEND_FACTOR_ONE
                                   : VK_BLEND_FACTOR_ZERO,
      };
      VKT_PROC(vkCmdSetColorBlendEquationEXT)(cmd, 0, 1, &e))
STATE(color_write,
      VKT_PROC(vkCmdSetColorWriteEnableEXT)(cmd, 1, &(VkBool32) { !on }))

static void
vertex_input(VkCommandBuffer cmd, bool on)
{
   const VKT_INFO(VertexInputBindingDescription2EXT, binding, .stride = 32,
                  .divisor = 1);
   VkVertexInputAttributeDescription2EXT attributes[2];
   for (uint32_t i = 0; i < 2; i++)
      attributes[i] =
         VKT_STRUCT(VertexInputAttributeDescription2EXT, .location = i,
                    .format = i && on ? VK_FORMAT_A2B10G10R10_SNORM_PACK32
                                      : VK_FORMAT_R32G32B32A32_SFLOAT,
                    .offset = i * 16);
   VKT_PROC(vkCmdSetVertexInputEXT)(cmd, 1, &binding, 2, attributes);
}

STATE(scissor_form, const VkRect2D r = { .offset = { 16, 16 },
                                         .extent = { on ? 4 : 8, 8 } };
      vkCmdSetScissor(cmd, 0, 1, &r))
STATE(viewport_form, const VkViewport v = { .width = on ? 24 : SIZE,
                                            .height = SIZE,
                                            .maxDepth = 0.5f };
      vkCmdSetViewport(cmd, 0, 1, &v))

static void
stride(VkCommandBuffer cmd, bool on)
{
   const VkDeviceSize zero = 0, stride_B = on ? 0 : 32;
   VKT_PROC(vkCmdBindVertexBuffers2EXT)
   (cmd, 0, 1, &vertices.buffer, &zero, NULL, &stride_B);
}

SET(conservative, ConservativeRasterizationModeEXT,
    VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT,
    VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT)
SET(control_points, PatchControlPointsEXT, 4, 3)
SET(domain_origin, TessellationDomainOriginEXT,
    VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT,
    VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT)
SET(stream, RasterizationStreamEXT, 1, 0)
SET(own_positions, SampleLocationsEnableEXT, VK_FALSE, VK_TRUE)

/* Targets have as many. */
static void
samples(VkCommandBuffer cmd, bool on)
{
   VKT_PROC(vkCmdEndRenderingKHR)(cmd);
   vkt_begin_rendering(cmd,
                       &(struct vkt_rendering) { .color = &colors[on],
                                                 .depth = &depths[on],
                                                 .depth_clear = 1 },
                       0);
   VKT_PROC(vkCmdSetRasterizationSamplesEXT)
   (cmd, on ? VK_SAMPLE_COUNT_1_BIT : VK_SAMPLE_COUNT_4_BIT);
}

static void
positions(VkCommandBuffer cmd, bool on)
{
   VkSampleLocationEXT at[4];
   for (unsigned i = 0; i < ARRAY_SIZE(at); i++)
      at[i] = (VkSampleLocationEXT) { on ? 0.25f : 0.75f, 0.5f };
   const VKT_INFO(SampleLocationsInfoEXT, info,
                  .sampleLocationsPerPixel = VK_SAMPLE_COUNT_4_BIT,
                  .sampleLocationGridSize = { 1, 1 },
                  .sampleLocationsCount = ARRAY_SIZE(at),
                  .pSampleLocations = at);
   VKT_PROC(vkCmdSetSampleLocationsEXT)(cmd, &info);
}

static const struct state {
   const char *name;
   VkDynamicState dynamic;
   void (*set)(VkCommandBuffer cmd, bool on);
   unsigned kinds;
   const char *extension; /* not on each generation; NULL: it is */
} states[] = {
#define ROW_OF(name, STATE, ...)                                             \
   {                                                                         \
#name, VK_DYNAMIC_STATE_##STATE, name, __VA_ARGS__                     \
   }
#define ROW(name, STATE) ROW_OF(name, STATE, ALL)
   /* First, as it begins to render anew. */
   ROW_OF(samples, RASTERIZATION_SAMPLES_EXT, SAMPLED),
   ROW_OF(own_positions, SAMPLE_LOCATIONS_ENABLE_EXT, SAMPLED),
   ROW_OF(positions, SAMPLE_LOCATIONS_EXT, SAMPLED),
   ROW_OF(scissor, SCISSOR_WITH_COUNT, ALL & ~FORMS),
   ROW_OF(scissor_form, SCISSOR, FORMS),
   ROW_OF(viewport, VIEWPORT_WITH_COUNT, ALL & ~FORMS),
   ROW_OF(viewport_form, VIEWPORT, FORMS),
   ROW(line_width, LINE_WIDTH),
   ROW(depth_bias, DEPTH_BIAS),
   ROW(blend_constants, BLEND_CONSTANTS),
   ROW(compare_mask, STENCIL_COMPARE_MASK),
   ROW(stencil_mask, STENCIL_WRITE_MASK),
   ROW(reference, STENCIL_REFERENCE),
   ROW(stipple_pattern, LINE_STIPPLE_EXT),
   ROW_OF(topology, PRIMITIVE_TOPOLOGY, ALL & ~PATCHES & ~STREAMS),
   ROW_OF(control_points, PATCH_CONTROL_POINTS_EXT, PATCHES),
   ROW_OF(domain_origin, TESSELLATION_DOMAIN_ORIGIN_EXT, PATCHES),
   ROW_OF(stream, RASTERIZATION_STREAM_EXT, STREAMS),
   ROW_OF(conservative, CONSERVATIVE_RASTERIZATION_MODE_EXT, FLAT,
          "VK_EXT_conservative_rasterization"),
   ROW(primitive_restart, PRIMITIVE_RESTART_ENABLE),
   ROW(discard, RASTERIZER_DISCARD_ENABLE),
   ROW(cull, CULL_MODE),
   ROW(front, FRONT_FACE),
   ROW(bias, DEPTH_BIAS_ENABLE),
   ROW(depth_test, DEPTH_TEST_ENABLE),
   ROW(depth_write, DEPTH_WRITE_ENABLE),
   ROW(depth_compare, DEPTH_COMPARE_OP),
   ROW(stencil_test, STENCIL_TEST_ENABLE),
   ROW(stencil_op, STENCIL_OP),
   ROW(polygon_mode, POLYGON_MODE_EXT),
   ROW(depth_clamp, DEPTH_CLAMP_ENABLE_EXT),
   ROW(clamp_range, DEPTH_CLAMP_RANGE_EXT),
   ROW(depth_clip, DEPTH_CLIP_ENABLE_EXT),
   ROW(negative_one_to_one, DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT),
   ROW(provoking, PROVOKING_VERTEX_MODE_EXT),
   ROW(line_mode, LINE_RASTERIZATION_MODE_EXT),
   ROW(stipple, LINE_STIPPLE_ENABLE_EXT),
   ROW(sample_mask, SAMPLE_MASK_EXT),
   ROW(alpha_to_one, ALPHA_TO_ONE_ENABLE_EXT),
   ROW(alpha_to_coverage, ALPHA_TO_COVERAGE_ENABLE_EXT),
   ROW(logic_op_enable, LOGIC_OP_ENABLE_EXT),
   ROW(logic_op, LOGIC_OP_EXT),
   ROW(blend_enable, COLOR_BLEND_ENABLE_EXT),
   ROW(write_mask, COLOR_WRITE_MASK_EXT),
   ROW(equation, COLOR_BLEND_EQUATION_EXT),
   ROW(color_write, COLOR_WRITE_ENABLE_EXT),
   ROW_OF(vertex_input, VERTEX_INPUT_EXT, FLAT),
   ROW_OF(stride, VERTEX_INPUT_BINDING_STRIDE, FORMS),
#undef ROW
#undef ROW_OF
};

#define COUNT ARRAY_SIZE(states)

static bool
is_walked(const struct state *s)
{
   return s->kinds & kind &&
          (!s->extension || vkt_has_extension(s->extension));
}

/* Each row of gfx_state.py is there. */
static void
test_complete(void **state)
{
   static const struct {
      const char *name;
      VkDynamicState dynamic;
   } all[] = {
#define ROW(NAME) { #NAME, VK_DYNAMIC_STATE_##NAME },
      GFX_STATES(ROW)
#undef ROW
   };
   unsigned missing = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(all); i++) {
      bool found = false;
      for (unsigned j = 0; j < COUNT; j++)
         found |= states[j].dynamic == all[i].dynamic;
      if (!found)
         print_error("%s is in no row\n", all[i].name);
      missing += !found;
   }
   assert_int_equal(missing, 0);
}

/* ---- what the chip had ---- */

struct lines {
   char *text;
   unsigned count;
   const char *line[2 * COUNT + 8]; /* ends with a zero */
};

static void
read_lines(struct lines *l)
{
   FILE *f = fopen(states_file, "r");
   assert_non_null(f);
   fseek(f, 0, SEEK_END);
   const size_t size_B = (size_t)ftell(f);
   rewind(f);
   l->text = calloc(1, size_B + 1);
   assert_int_equal(fread(l->text, 1, size_B, f), size_B);
   fclose(f);
   unlink(states_file);
   l->count = 0;
   char mark[32];
   snprintf(mark, sizeof(mark), " instances=%u ", INSTANCES);
   for (char *s = strtok(l->text, "\n"); s; s = strtok(NULL, "\n")) {
      if (!strstr(s, mark))
         continue;
      assert_true(l->count < ARRAY_SIZE(l->line));
      l->line[l->count++] = s;
   }
}

/* Names the packets that differ. */
static bool
are_same(const char *want, const char *got, const struct state *before,
         const struct state *after)
{
   if (!strcmp(want, got))
      return true;
   print_error("%s after %s:", after->name, before->name);
   while (*want && *got) {
      const size_t n = strcspn(want, " "), m = strcspn(got, " ");
      if (n != m || strncmp(want, got, n))
         print_error(" %.*s", (int)strcspn(want, "="), want);
      want += n + (want[n] == ' ');
      got += m + (got[m] == ' ');
   }
   print_error("\n");
   return false;
}

/* ---- draws ---- */

struct walk {
   const struct state *first; /* NULL: nothing is drawn before */
   bool chosen[COUNT];        /* what is drawn with after it */
   bool plain;                /* one draw with nothing set */
};

static void
record(VkCommandBuffer cmd, const void *data)
{
   const struct walk *w = data;
   /* Memory behind a cleared target is the same in all walks. */
   if (kind == SAMPLED)
      samples(cmd, true);
   for (unsigned i = 0; i < COUNT; i++) {
      if (is_walked(&states[i]))
         states[i].set(cmd, false);
   }
   if (w->plain)
      vkCmdDraw(cmd, 3, INSTANCES, 0, 0);
   for (unsigned i = 0; i < COUNT; i++) {
      if (!w->chosen[i])
         continue;
      if (w->first) {
         w->first->set(cmd, true);
         vkCmdDraw(cmd, 3, INSTANCES, 0, 0);
         w->first->set(cmd, false);
      }
      states[i].set(cmd, true);
      vkCmdDraw(cmd, 3, INSTANCES, 0, 0);
      states[i].set(cmd, false);
   }
}

static struct vkt_scene
scene_of_kind(void)
{
   struct vkt_scene s =
      VKT_SCENE(.vs = VKT_SHADER(flat_vert), .fs = VKT_SHADER(flat_frag),
                .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                .vertices = triangle, .attributes = 2,
                .vertex_count = ARRAY_SIZE(triangle), .width = SIZE,
                .height = SIZE, .draws_itself = true);
   if (kind == FORMS)
      s.vertices = NULL;
   if (kind == SAMPLED) {
      s.samples = VK_SAMPLE_COUNT_4_BIT;
      s.way = VKT_IN_RENDERING;
   }
   if (kind == PATCHES || kind == STREAMS) {
      s.fs = VKT_SHADER(white_frag);
      s.attributes = 1;
   }
   if (kind == PATCHES) {
      s.vs = VKT_SHADER(patch_vert);
      s.tcs = VKT_SHADER(patch_tesc);
      s.tes = VKT_SHADER(patch_tese);
      s.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
      s.patch_vertices = 3;
   }
   if (kind == STREAMS) {
      s.vs = VKT_SHADER(point_vert);
      s.gs = VKT_SHADER(streams_geom);
      s.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
   }
   return s;
}

static void
draw(const struct walk *w, struct lines *out)
{
   VkDynamicState dynamic[COUNT];
   const VKT_INFO(PipelineDepthStencilStateCreateInfo, depth_stencil);
   struct vkt_scene scene = scene_of_kind();
   for (unsigned i = 0; i < COUNT; i++) {
      if (is_walked(&states[i]))
         dynamic[scene.dynamic_count++] = states[i].dynamic;
   }
   scene.dynamic = dynamic;
   scene.depth_stencil = &depth_stencil;
   scene.set_state = record;
   scene.data = w;
   vkt_draw(&scene, NULL);
   read_lines(out);
}

static void
draw_alone(unsigned i, struct lines *out)
{
   struct walk w = { .first = NULL };
   w.chosen[i] = true;
   draw(&w, out);
   assert_int_equal(out->count, 1);
}

static void
check_transitions(void)
{
   static struct lines alone[COUNT];
   for (unsigned i = 0; i < COUNT; i++) {
      if (is_walked(&states[i]))
         draw_alone(i, &alone[i]);
   }
   unsigned wrong = 0, pairs = 0;
   for (unsigned i = 0; i < COUNT; i++) {
      struct walk w = { .first = &states[i] };
      unsigned with = 0;
      if (!is_walked(&states[i]))
         continue;
      for (unsigned j = 0; j < COUNT; j++) {
         w.chosen[j] = i != j && is_walked(&states[j]);
         with += 2 * w.chosen[j];
      }
      struct lines after;
      draw(&w, &after);
      assert_int_equal(after.count, with);
      unsigned at = 0;
      for (unsigned j = 0; j < COUNT; j++) {
         if (!w.chosen[j])
            continue;
         at += 2;
         pairs++;
         wrong += !are_same(alone[j].line[0], after.line[at - 1], &states[i],
                            &states[j]);
      }
      free(after.text);
   }
   for (unsigned i = 0; i < COUNT; i++) {
      if (is_walked(&states[i]))
         free(alone[i].text);
   }
   print_message("%u pairs, %u wrong\n", pairs, wrong);
   assert_int_equal(wrong, 0);
}

/* Of each kind. */
static void
for_all(void (*check)(void))
{
   vertices = vkt_buffer_create(sizeof(triangle));
   memcpy(vertices.map, triangle, sizeof(triangle));
   for (unsigned one = 0; one < 2; one++) {
      const VkSampleCountFlagBits samples = one ? VK_SAMPLE_COUNT_1_BIT
                                                : VK_SAMPLE_COUNT_4_BIT;
      colors[one] = VKT_IMAGE(.width = SIZE, .height = SIZE,
                              .samples = samples,
                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
      depths[one] =
         VKT_IMAGE(.width = SIZE, .height = SIZE, .samples = samples,
                   .format = VK_FORMAT_D32_SFLOAT_S8_UINT,
                   .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   }
   for (unsigned i = 0; i < KINDS; i++) {
      kind = 1u << i;
      logic = false;
      check();
   }
   kind = FLAT;
   logic = true;
   check();
   for (unsigned one = 0; one < 2; one++) {
      vkt_image_destroy(&colors[one]);
      vkt_image_destroy(&depths[one]);
   }
   vkt_buffer_destroy(&vertices);
}

static void
test_transitions(void **state)
{
   for_all(check_transitions);
}

static bool seen[COUNT];

static void
note_seen(void)
{
   struct lines before, after;
   draw(&(struct walk) { .plain = true }, &before);
   for (unsigned i = 0; i < COUNT; i++) {
      if (!is_walked(&states[i]))
         continue;
      draw_alone(i, &after);
      seen[i] |= strcmp(before.line[0], after.line[0]) != 0;
      free(after.text);
   }
   free(before.text);
}

/* What is set is something else for the chip, or the pairs say nothing; but
 * for what draws without indices do not look at, and what no chip has. */
static void
test_seen(void **state)
{
   unsigned unseen = 0;
   for_all(note_seen);
   for (unsigned i = 0; i < COUNT; i++) {
      const struct state *s = &states[i];
      if (seen[i] || s->set == primitive_restart ||
          (s->extension && !vkt_has_extension(s->extension)))
         continue;
      print_error("%s does nothing\n", s->name);
      unseen++;
   }
   assert_int_equal(unseen, 0);
}

int
main(void)
{
   snprintf(states_file, sizeof(states_file), "/tmp/saffron-states-XXXXXX");
   const int fd = mkstemp(states_file);
   if (fd < 0)
      return 1;
   close(fd);
   setenv("SAFFRON_SIM_STATES", states_file, 1);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_complete),
      cmocka_unit_test(test_transitions),
      cmocka_unit_test(test_seen),
   };
   const int failed = cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
   unlink(states_file);
   return failed;
}
