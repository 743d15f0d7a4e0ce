/* SPDX-License-Identifier: MIT */
/* State that a command sets, which a pipeline says otherwise: the picture is
 * that of a pipeline which says so itself. */
#include "util/macros.h"
#include "vkt.h"

#include <stdlib.h>

#include "late_flat_frag.h"
#include "late_flat_vert.h"
#include "late_patch_tesc.h"
#include "late_patch_tese.h"
#include "late_patch_vert.h"
#include "late_points_tesc.h"
#include "late_points_tese.h"
#include "late_points_vert.h"
#include "late_sample_id_frag.h"
#include "late_white_frag.h"

#define SIZE 16

/* Each corner has a colour; parts are before and behind of what is seen. */
static const float triangles[][2][4] = {
   { { -1, -1, -0.5f, 1 }, { 1, 0, 0, 1 } },
   { { 0.6f, -1, 0.5f, 1 }, { 1, 1, 0, 1 } },
   { { -1, 0.8f, 0.9f, 1 }, { 1, 0, 1, 1 } },
   { { 1, 1, 1.5f, 1 }, { 0, 0, 1, 1 } },
   { { 1, -1, 0.1f, 1 }, { 0, 1, 1, 1 } },
   { { -1, -0.5f, 0.1f, 1 }, { 0, 1, 0, 1 } },
};

/* All that a pipeline can say here; `chosen`: what is also set. */
struct fixed {
   struct vkt_scene scene;
   VkPipelineRasterizationStateCreateInfo raster;
   VkPipelineRasterizationDepthClipStateCreateInfoEXT clip;
   VkPipelineRasterizationLineStateCreateInfoEXT lines;
   VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking;
   VkPipelineMultisampleStateCreateInfo multisample;
   VkPipelineColorBlendAttachmentState attachment;
   VkPipelineColorWriteCreateInfoEXT writes;
   VkPipelineColorBlendStateCreateInfo blend;
   VkSampleMask mask;
   VkBool32 write;
   VkFormat formats[2];
};

static void
init(struct fixed *f)
{
   *f = (struct fixed) {
      .scene = {
         .vs = VKT_SHADER(flat_vert),
         .fs = VKT_SHADER(flat_frag),
         .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
         .vertices = triangles,
         .attributes = 2,
         .vertex_count = ARRAY_SIZE(triangles),
         .width = SIZE,
         .height = SIZE,
         .samples = VK_SAMPLE_COUNT_1_BIT,
         .raster = &f->raster,
         .multisample = &f->multisample,
         .color_blend = &f->blend,
         .formats = f->formats,
      },
      .raster = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
         .pNext = &f->lines,
         .lineWidth = 3.0f,
      },
      .lines = {
         .sType =
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
         .pNext = &f->provoking,
         .lineStippleFactor = 1,
         .lineStipplePattern = 0x3333,
      },
      .provoking = {
         .sType =
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
      },
      .clip = {
         .sType =
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
         .depthClipEnable = VK_TRUE,
      },
      .multisample = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
         .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
         .pSampleMask = &f->mask,
      },
      .attachment = {
         .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
         .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
         .colorWriteMask = 0xf,
      },
      .writes = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
         .attachmentCount = 1,
         .pColorWriteEnables = &f->write,
      },
      .blend = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
         .pNext = &f->writes,
         .attachmentCount = 1,
         .pAttachments = &f->attachment,
      },
      .mask = ~0u,
      .write = VK_TRUE,
      .formats = { VK_FORMAT_R32G32B32A32_SFLOAT,
                   VK_FORMAT_R32G32B32A32_SFLOAT },
   };
}

/* Each: how a pipeline says it, and the command, which says otherwise unless
 * it is `on`. */
#define CASE(name, say, command)                                             \
   static void say_##name(struct fixed *f)                                   \
   {                                                                         \
      say;                                                                   \
   }                                                                         \
   static void set_##name(VkCommandBuffer cmd, bool on)                      \
   {                                                                         \
      command;                                                               \
   }

#define SET1(Name, value) VKT_PROC(vkCmdSet##Name)(cmd, value)
#define SET_FIRST(Name, value)                                               \
   VKT_PROC(vkCmdSet##Name)                                                  \
   (cmd, 0, 1, value)

CASE(polygon_mode, f->raster.polygonMode = VK_POLYGON_MODE_LINE,
     SET1(PolygonModeEXT, on ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL))
CASE(depth_clamp, f->raster.depthClampEnable = VK_TRUE,
     SET1(DepthClampEnableEXT, on))
CASE(negative_one_to_one, f->scene.negative_one_to_one = true,
     SET1(DepthClipNegativeOneToOneEXT, on))
CASE(provoking,
     f->provoking.provokingVertexMode =
        VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
     SET1(ProvokingVertexModeEXT,
          on ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
             : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT))
CASE(alpha_to_one, f->multisample.alphaToOneEnable = VK_TRUE,
     SET1(AlphaToOneEnableEXT, on))
CASE(write_mask, f->attachment.colorWriteMask = 0x9,
     SET_FIRST(ColorWriteMaskEXT,
               &(VkColorComponentFlags) { on ? 0x9 : 0xf }))

static void
say_depth_clip(struct fixed *f)
{
   f->provoking.pNext = &f->clip;
   f->clip.depthClipEnable = VK_FALSE;
}

/* With the structure the pipeline says that it clips. */
static void
say_no_depth_clip(struct fixed *f)
{
   f->provoking.pNext = &f->clip;
}

static void
set_depth_clip(VkCommandBuffer cmd, bool on)
{
   SET1(DepthClipEnableEXT, !on);
}

static void
say_lines(struct fixed *f)
{
   f->raster.polygonMode = VK_POLYGON_MODE_LINE;
   f->lines.lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
}

static void
say_line_mode(struct fixed *f)
{
   say_lines(f);
   f->lines.lineRasterizationMode =
      VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT;
}

static void
set_line_mode(VkCommandBuffer cmd, bool on)
{
   SET1(LineRasterizationModeEXT,
        on ? VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT
           : VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT);
}

static void
say_stipple(struct fixed *f)
{
   say_lines(f);
   f->lines.stippledLineEnable = VK_TRUE;
}

static void
set_stipple(VkCommandBuffer cmd, bool on)
{
   SET1(LineStippleEnableEXT, on);
}

static void
say_samples(struct fixed *f)
{
   f->scene.samples = VK_SAMPLE_COUNT_4_BIT;
   f->multisample.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
}

static void
say_sample_mask(struct fixed *f)
{
   say_samples(f);
   f->mask = 0x5;
}

static void
set_sample_mask(VkCommandBuffer cmd, bool on)
{
   VKT_PROC(vkCmdSetSampleMaskEXT)
   (cmd, VK_SAMPLE_COUNT_4_BIT, &(VkSampleMask) { on ? 0x5 : ~0u });
}

static void
say_alpha_to_coverage(struct fixed *f)
{
   say_samples(f);
   f->multisample.alphaToCoverageEnable = VK_TRUE;
}

static void
set_alpha_to_coverage(VkCommandBuffer cmd, bool on)
{
   SET1(AlphaToCoverageEnableEXT, on);
}

static void
set_no_coverage(VkCommandBuffer cmd, bool on)
{
   SET1(AlphaToCoverageEnableEXT, !on);
}

static void
say_inverts(struct fixed *f)
{
   f->blend.logicOp = VK_LOGIC_OP_INVERT;
}

static void
say_logic_op_enable(struct fixed *f)
{
   say_inverts(f);
   f->blend.logicOpEnable = VK_TRUE;
}

static void
set_logic_op_enable(VkCommandBuffer cmd, bool on)
{
   SET1(LogicOpEnableEXT, on);
}

static void
say_copies(struct fixed *f)
{
   f->blend.logicOpEnable = VK_TRUE;
   f->blend.logicOp = VK_LOGIC_OP_COPY;
}

static void
set_logic_op(VkCommandBuffer cmd, bool on)
{
   SET1(LogicOpEXT, on ? VK_LOGIC_OP_INVERT : VK_LOGIC_OP_COPY);
}

static void
say_adds(struct fixed *f)
{
   f->attachment.dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
}

static void
say_blend_enable(struct fixed *f)
{
   say_adds(f);
   f->attachment.blendEnable = VK_TRUE;
}

static void
set_blend_enable(VkCommandBuffer cmd, bool on)
{
   SET_FIRST(ColorBlendEnableEXT, &(VkBool32) { on });
}

static void
say_blends(struct fixed *f)
{
   f->attachment.blendEnable = VK_TRUE;
}

static void
set_equation(VkCommandBuffer cmd, bool on)
{
   const VkColorBlendEquationEXT add = {
      .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
      .dstColorBlendFactor = on ? VK_BLEND_FACTOR_ONE : VK_BLEND_FACTOR_ZERO,
      .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
   };
   SET_FIRST(ColorBlendEquationEXT, &add);
}

static void
say_color_write(struct fixed *f)
{
   f->write = VK_FALSE;
}

static void
set_color_write(VkCommandBuffer cmd, bool on)
{
   VKT_PROC(vkCmdSetColorWriteEnableEXT)(cmd, 1, &(VkBool32) { !on });
}

static void
say_vertex_input(struct fixed *f)
{
   f->formats[1] = VK_FORMAT_R8G8B8A8_UNORM;
}

/* Ivybridge does not fetch it. */
static void
say_packed_input(struct fixed *f)
{
   f->formats[1] = VK_FORMAT_A2B10G10R10_SNORM_PACK32;
}

static void
say_packed_samples(struct fixed *f)
{
   say_packed_input(f);
   say_samples(f);
}

static void
say_packed_coverage(struct fixed *f)
{
   say_packed_input(f);
   say_alpha_to_coverage(f);
}

static void
set_color_format(VkCommandBuffer cmd, VkFormat format)
{
   const VKT_INFO(VertexInputBindingDescription2EXT, binding, .stride = 32,
                  .divisor = 1);
   VkVertexInputAttributeDescription2EXT attributes[2];
   for (uint32_t i = 0; i < 2; i++)
      attributes[i] =
         VKT_STRUCT(VertexInputAttributeDescription2EXT, .location = i,
                    .format = i ? format : VK_FORMAT_R32G32B32A32_SFLOAT,
                    .offset = i * 16);
   VKT_PROC(vkCmdSetVertexInputEXT)(cmd, 1, &binding, 2, attributes);
}

static void
set_vertex_input(VkCommandBuffer cmd, bool on)
{
   set_color_format(cmd, on ? VK_FORMAT_R8G8B8A8_UNORM
                            : VK_FORMAT_R32G32B32A32_SFLOAT);
}

static void
set_packed_input(VkCommandBuffer cmd, bool on)
{
   set_color_format(cmd, on ? VK_FORMAT_A2B10G10R10_SNORM_PACK32
                            : VK_FORMAT_R32G32B32A32_SFLOAT);
}

static const struct late {
   const char *name;
   VkDynamicState state;
   void (*say)(struct fixed *f);       /* what is wanted */
   void (*otherwise)(struct fixed *f); /* NULL: nothing */
   /* What is wanted, or otherwise. */
   void (*set)(VkCommandBuffer cmd, bool on);
} cases[] = {
#define ROW(name, STATE, otherwise)                                          \
   {                                                                         \
#name, VK_DYNAMIC_STATE_##STATE##_EXT, say_##name, otherwise,          \
         set_##name                                                          \
   }
   ROW(polygon_mode, POLYGON_MODE, NULL),
   ROW(depth_clamp, DEPTH_CLAMP_ENABLE, NULL),
   ROW(depth_clip, DEPTH_CLIP_ENABLE, say_no_depth_clip),
   ROW(negative_one_to_one, DEPTH_CLIP_NEGATIVE_ONE_TO_ONE, NULL),
   ROW(provoking, PROVOKING_VERTEX_MODE, NULL),
   ROW(line_mode, LINE_RASTERIZATION_MODE, say_lines),
   ROW(stipple, LINE_STIPPLE_ENABLE, say_lines),
   ROW(sample_mask, SAMPLE_MASK, say_samples),
   ROW(alpha_to_one, ALPHA_TO_ONE_ENABLE, NULL),
   ROW(alpha_to_coverage, ALPHA_TO_COVERAGE_ENABLE, say_samples),
   ROW(logic_op_enable, LOGIC_OP_ENABLE, say_inverts),
   { "logic_op", VK_DYNAMIC_STATE_LOGIC_OP_EXT, say_logic_op_enable,
     say_copies, set_logic_op },
   ROW(blend_enable, COLOR_BLEND_ENABLE, say_adds),
   { "equation", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, say_blend_enable,
     say_blends, set_equation },
   ROW(write_mask, COLOR_WRITE_MASK, NULL),
   ROW(color_write, COLOR_WRITE_ENABLE, NULL),
   ROW(vertex_input, VERTEX_INPUT, NULL),
   ROW(packed_input, VERTEX_INPUT, NULL),
   { "packed_no_coverage", VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
     say_packed_samples, say_packed_coverage, set_no_coverage },
};

/* Something else is drawn before the command, and another between it and the
 * draw. */
static void
set_and_clear(VkCommandBuffer cmd, const void *data)
{
   const struct late *c = data;
   const VkClearAttachment clear = {
      .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
   };
   const VkClearRect rect = { { { 0, 0 }, { SIZE, SIZE } }, 0, 1 };
   c->set(cmd, false);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   c->set(cmd, true);
   vkCmdClearAttachments(cmd, 1, &clear, 1, &rect);
}

static void
draw(const struct late *c, void (*say)(struct fixed *f), bool late,
     bool in_parts, uint32_t *px)
{
   struct fixed f;
   init(&f);
   f.scene.in_parts = in_parts;
   if (say)
      say(&f);
   if (late) {
      f.scene.dynamic = &c->state;
      f.scene.dynamic_count = 1;
      f.scene.set_state = set_and_clear;
      f.scene.data = c;
   }
   vkt_draw(&f.scene, px);
}

static void
test_late(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      const struct late *c = &cases[i];
      uint32_t want[SIZE * SIZE], other[SIZE * SIZE], got[SIZE * SIZE];
      draw(c, c->say, false, false, want);
      draw(c, c->otherwise, false, false, other);
      draw(c, c->otherwise, true, false, got);
      if (!memcmp(want, other, sizeof(want)))
         fail_msg("%s makes no difference", c->name);
      if (memcmp(want, got, sizeof(want)))
         fail_msg("%s: not the picture of the pipeline", c->name);
      /* So are pipelines that are linked. */
      for (unsigned late = 0; late < 2; late++) {
         draw(c, late ? c->otherwise : c->say, late, true, got);
         if (memcmp(want, got, sizeof(want)))
            fail_msg("%s: not the picture, linked of parts", c->name);
      }
   }
}

/* ---- the origin of patches ---- */

static void
set_origin(VkCommandBuffer cmd, const void *data)
{
   SET1(TessellationDomainOriginEXT,
        *(const VkTessellationDomainOrigin *)data);
}

static unsigned
white(const VkTessellationDomainOrigin *origin)
{
   static const VkDynamicState dynamic =
      VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT;
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .cullMode = VK_CULL_MODE_BACK_BIT, .lineWidth = 1.0f);
   uint32_t px[SIZE * SIZE];
   vkt_draw(
      &VKT_SCENE(.vs = VKT_SHADER(patch_vert), .tcs = VKT_SHADER(patch_tesc),
                 .tes = VKT_SHADER(patch_tese), .fs = VKT_SHADER(white_frag),
                 .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
                 .patch_vertices = 3, .vertex_count = 3, .width = SIZE,
                 .height = SIZE, .raster = &raster, .dynamic = &dynamic,
                 .dynamic_count = origin ? 1 : 0, .in_parts = origin != NULL,
                 .set_state = origin ? set_origin : NULL, .data = origin),
      px);
   unsigned n = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      n += px[i] != 0;
   return n;
}

/* It decides which way triangles turn. */
static void
test_domain_origin(void **state)
{
   const VkTessellationDomainOrigin upper =
      VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT;
   const VkTessellationDomainOrigin lower =
      VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
   const unsigned usual = white(NULL);
   assert_true(usual == 0 || usual == SIZE * SIZE);
   assert_int_equal(white(&upper), usual);
   assert_int_equal(white(&lower), SIZE * SIZE - usual);
}

/* ---- how many samples, how many points ---- */

static void
set_four_samples(VkCommandBuffer cmd, const void *data)
{
   SET1(RasterizationSamplesEXT, VK_SAMPLE_COUNT_4_BIT);
}

static void
draw_samples(bool late, bool in_parts, uint32_t *px)
{
   static const VkDynamicState dynamic =
      VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT;
   const VKT_INFO(PipelineMultisampleStateCreateInfo, multisample,
                  .rasterizationSamples = late ? VK_SAMPLE_COUNT_1_BIT
                                               : VK_SAMPLE_COUNT_4_BIT);
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(patch_vert),
                       .fs = VKT_SHADER(sample_id_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertex_count = 3, .width = SIZE, .height = SIZE,
                       .samples = VK_SAMPLE_COUNT_4_BIT,
                       .multisample = &multisample, .dynamic = &dynamic,
                       .dynamic_count = late, .in_parts = in_parts,
                       .set_state = late ? set_four_samples : NULL),
            px);
}

/* A shader of one sample has no others. */
static void
test_samples(void **state)
{
   uint32_t want[SIZE * SIZE], got[SIZE * SIZE];
   draw_samples(false, false, want);
   assert_int_not_equal(want[0], 0);
   for (unsigned in_parts = 0; in_parts < 2; in_parts++) {
      draw_samples(true, in_parts, got);
      assert_memory_equal(want, got, sizeof(want));
   }
}

static void
set_points(VkCommandBuffer cmd, const void *data)
{
   /* Another number first. */
   const uint32_t points = *(const uint32_t *)data;
   SET1(PatchControlPointsEXT, 4);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   SET1(PatchControlPointsEXT, points);
}

static unsigned
white_of_points(uint32_t said, uint32_t set)
{
   static const VkDynamicState dynamic =
      VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT;
   uint32_t px[SIZE * SIZE];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(points_vert),
                       .tcs = VKT_SHADER(points_tesc),
                       .tes = VKT_SHADER(points_tese),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
                       .patch_vertices = said, .vertex_count = 5,
                       .width = SIZE, .height = SIZE, .dynamic = &dynamic,
                       .dynamic_count = set ? 1 : 0,
                       .set_state = set ? set_points : NULL, .data = &set),
            px);
   unsigned n = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      n += px[i] != 0;
   return n;
}

static void
test_control_points(void **state)
{
   assert_int_equal(white_of_points(5, 0), SIZE * SIZE);
   assert_int_equal(white_of_points(3, 5), SIZE * SIZE);
   assert_int_equal(white_of_points(3, 0), 0);
   assert_int_equal(white_of_points(5, 3), 0);
}

/* ---- what is compiled again ---- */

static unsigned allocations;

static void *VKAPI_PTR
count_alloc(void *data, size_t size_B, size_t alignment_B,
            VkSystemAllocationScope scope)
{
   allocations++;
   return malloc(size_B);
}

static void *VKAPI_PTR
count_realloc(void *data, void *old, size_t size_B, size_t alignment_B,
              VkSystemAllocationScope scope)
{
   allocations++;
   return realloc(old, size_B);
}

static void VKAPI_PTR
count_free(void *data, void *block)
{
   free(block);
}

static void
draw_with_numbers(VkCommandBuffer cmd, const void *data)
{
   unsigned before = 0;
   for (uint32_t points = 1; points <= 8; points++) {
      SET1(PatchControlPointsEXT, points);
      vkCmdDraw(cmd, 3, 1, 0, 0);
      if (points == 1)
         before = allocations;
   }
   *(unsigned *)data = allocations - before;
}

/* What draws with eight numbers of points allocate more than with one. */
static unsigned
allocations_by_points(bool patches)
{
   static const VkDynamicState dynamic =
      VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT;
   unsigned more;
   struct vkt_scene scene =
      VKT_SCENE(.vs = VKT_SHADER(patch_vert), .fs = VKT_SHADER(white_frag),
                .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                .vertex_count = 3, .width = SIZE, .height = SIZE,
                .dynamic = &dynamic, .dynamic_count = 1,
                .set_state = draw_with_numbers, .data = &more,
                .draws_itself = true);
   if (patches) {
      scene.tcs = VKT_SHADER(patch_tesc);
      scene.tes = VKT_SHADER(patch_tese);
      scene.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
      scene.patch_vertices = 3;
   }
   vkt_draw(&scene, NULL);
   return more;
}

static void
check_allocations(void)
{
   assert_int_equal(allocations_by_points(false), 0);
   assert_int_not_equal(allocations_by_points(true), 0);
}

/* Without a stage that is compiled for it, nothing is made for a number of
 * control points. */
static void
test_no_variants(void **state)
{
   static const VkAllocationCallbacks counting = {
      .pfnAllocation = count_alloc,
      .pfnReallocation = count_realloc,
      .pfnFree = count_free,
   };
   VKT_INFO(PhysicalDeviceExtendedDynamicState2FeaturesEXT, dynamic,
            .extendedDynamicState2 = true,
            .extendedDynamicState2PatchControlPoints = true);
   const VKT_INFO(PhysicalDeviceFeatures2, features, .pNext = &dynamic,
                  .features.tessellationShader = true);
   vkt.alloc = &counting;
   vkt_with_features(&features, check_allocations);
   vkt.alloc = NULL;
}

/* ---- rasterization ---- */

static void
set_raster(VkCommandBuffer cmd, const void *data)
{
   SET1(DepthClampEnableEXT, VK_FALSE);
   SET1(RasterizerDiscardEnableEXT, VK_FALSE);
   SET1(PolygonModeEXT, VK_POLYGON_MODE_LINE);
   SET1(CullModeEXT, VK_CULL_MODE_BACK_BIT);
   SET1(FrontFaceEXT, VK_FRONT_FACE_CLOCKWISE);
   SET1(DepthBiasEnableEXT, VK_FALSE);
   vkCmdSetDepthBias(cmd, 0, 0, 0);
   vkCmdSetLineWidth(cmd, 3);
}

/* All that VkPipelineRasterizationStateCreateInfo says: it may be left out
 * then (VK_EXT_extended_dynamic_state3). The layers (1.3.239) do not know,
 * and hand on something else. */
static void
test_no_rasterization_state(void **state)
{
   if (vkt_is_validated())
      skip();
   static const VkDynamicState dynamic[] = {
      VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT,
      VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
      VK_DYNAMIC_STATE_POLYGON_MODE_EXT,
      VK_DYNAMIC_STATE_CULL_MODE,
      VK_DYNAMIC_STATE_FRONT_FACE,
      VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
      VK_DYNAMIC_STATE_DEPTH_BIAS,
      VK_DYNAMIC_STATE_LINE_WIDTH,
   };
   uint32_t want[SIZE * SIZE], got[SIZE * SIZE];
   struct fixed f;
   init(&f);
   f.raster.pNext = NULL;
   f.raster.polygonMode = VK_POLYGON_MODE_LINE;
   f.raster.cullMode = VK_CULL_MODE_BACK_BIT;
   f.raster.frontFace = VK_FRONT_FACE_CLOCKWISE;
   vkt_draw(&f.scene, want);
   f.scene.no_raster = true;
   f.scene.dynamic = dynamic;
   f.scene.dynamic_count = ARRAY_SIZE(dynamic);
   f.scene.set_state = set_raster;
   for (unsigned in_parts = 0; in_parts < 2; in_parts++) {
      f.scene.in_parts = in_parts;
      vkt_draw(&f.scene, got);
      assert_memory_equal(want, got, sizeof(want));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_late),
      cmocka_unit_test(test_domain_origin),
      cmocka_unit_test(test_samples),
      cmocka_unit_test(test_control_points),
      cmocka_unit_test(test_no_variants),
      cmocka_unit_test(test_no_rasterization_state),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
