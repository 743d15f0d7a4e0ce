/* SPDX-License-Identifier: MIT */
/*
 * Whole draws on the simulated device: vertices from a buffer, a pixel shader
 * from assembly, pixels read back from the render target.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "intel/sim/mem/compress.h"
#include "intel/sim/mem/surface.h"
#include "intel/sim/tests/sim_scene.h"

/* The lower left half, x + y < 64; colours (x, y, 0, 1) / 64. */
static const struct vertex half[3] = {
   { -1, -1, 0.5f, 1, { 0, 0, 0, 1 } },
   { 1, -1, 0.5f, 1, { 1, 0, 0, 1 } },
   { -1, 1, 0.5f, 1, { 0, 1, 0, 1 } },
};

static const uint8_t *
pixel(const struct scene *s, unsigned x, unsigned y, unsigned sample)
{
   uint32_t x_el, y_el;
   const unsigned size_B = isl_format_block_size_B(s->target_surf.format);
   isl_surf_get_image_offset_el(&s->target_surf, 0, sample, 0, &x_el, &y_el);
   return (const uint8_t *)s->target.map +
          isl_tiling_address_B(s->target_surf.tiling,
                               s->target_surf.row_pitch_B,
                               (x_el + x) * size_B, y_el + y);
}

static uint32_t
pixel_ud(const struct scene *s, unsigned x, unsigned y, unsigned sample)
{
   uint32_t v;
   memcpy(&v, pixel(s, x, y, sample), sizeof(v));
   return v;
}

static void
expect_pixel(const struct scene *s, unsigned x, unsigned y, uint32_t want)
{
   if (pixel_ud(s, x, y, 0) != want)
      fail_msg("pixel %u, %u is 0x%08x, not 0x%08x", x, y,
               pixel_ud(s, x, y, 0), want);
}

static void
expect_all(const struct scene *s, uint32_t want)
{
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++)
         expect_pixel(s, x, y, want);
   }
}

/* ------------------------------------------------------------------ tests */

static void
check_half(void **state, const struct setup *u)
{
   struct scene s = scene_start(state, u);
   scene_draw(&s, _3DPRIM_TRILIST, half, 3);
   batch_save(&s.b, GEN9_PS_INVOCATION_COUNT_num, DATA);
   batch_save(&s.b, GEN9_PS_DEPTH_COUNT_num, DATA + 4);
   batch_save(&s.b, GEN9_CL_PRIMITIVES_COUNT_num, DATA + 8);
   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const uint8_t *p = pixel(&s, x, y, 0);
         if (x + y >= SIZE - 1) {
            expect_pixel(&s, x, y, 0);
            continue;
         }
         const double r = 255 * (x + 0.5) / SIZE, g = 255 * (y + 0.5) / SIZE;
         if (fabs(p[0] - r) > 0.51 || fabs(p[1] - g) > 0.51 || p[2] != 0 ||
             p[3] != 255)
            fail_msg("pixel %u, %u is %u %u %u %u", x, y, p[0], p[1], p[2],
                     p[3]);
      }
   }
   assert_int_equal(s.b.data.map[0], 63 * 64 / 2);
   assert_int_equal(s.b.data.map[1], 63 * 64 / 2);
}

static void
triangle(void **state)
{
   check_half(state, &(struct setup) { 0 });
}

static void
triangle_simd32(void **state)
{
   check_half(state,
              &(struct setup) { .program = color32_text, .simd32 = true });
}

static void
target_read(void **state)
{
   struct scene s =
      scene_start(state, &(struct setup) { .program = read_text });
   scene_fill(&s, 0, 0.2f, 0, 1, 0);
   scene_fill(&s, 0, 0.4f, 0.2f, 0, 0.6f);
   run_ok(&s.b);
   expect_all(&s, 0x99ff3399);
}

/* What a shader stores of pixels that fail the depth test: everything if the
 * tests are told to wait for it. */
static void
side_effects(void **state)
{
   static const struct {
      unsigned control;
      uint32_t runs;
   } rows[] = { { EDSC_NORMAL, 0 },
                { EDSC_PSEXEC, SIZE * SIZE },
                { EDSC_PREPS, 0 } };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct scene s = scene_start(
         state, &(struct setup) {
                   .program = count_text,
                   .depth = true,
                   .early = rows[i].control,
                   .ds = { .DepthTestEnable = true,
                           .DepthTestFunction = COMPAREFUNCTION_LESS } });
      scene_fill(&s, 0.5f, 1, 1, 1, 1);
      run_ok(&s.b);
      assert_int_equal(s.b.data.map[4], rows[i].runs);
      expect_all(&s, 0);
   }
}

static void
half_precision(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { .program = half_text,
                                                         .simd16 = true });
   scene_fill(&s, 0, 0, 0, 0, 0);
   run_ok(&s.b);
   expect_all(&s, 0xff00ff80);
}

static void
triangle_simd16(void **state)
{
   check_half(state,
              &(struct setup) { .simd16 = true, .program = color16_text });
}

/* After the near plane, and outside of the view, nothing is drawn. */
static void
clipped(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   scene_fill(&s, -0.5f, 1, 1, 1, 1);
   scene_fill(&s, 1.5f, 1, 1, 1, 1);
   run_ok(&s.b);
   expect_all(&s, 0);
}

/* Perspective: w doubles along x, so the attribute lags behind. */
static void
perspective(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   const struct vertex v[4] = {
      { -1, -1, 0.5f, 1, { 0, 0, 0, 1 } },
      { 3, -3, 1.5f, 3, { 1, 0, 0, 1 } },
      { -1, 1, 0.5f, 1, { 0, 0, 0, 1 } },
      { 3, 3, 1.5f, 3, { 1, 0, 0, 1 } },
   };
   scene_draw(&s, _3DPRIM_TRISTRIP, v, 4);
   run_ok(&s.b);
   for (unsigned x = 0; x < SIZE; x++) {
      const double t = (x + 0.5) / SIZE;
      const double a = t / 3 / ((1 - t) + t / 3);
      const uint8_t *p = pixel(&s, x, 17, 0);
      if (fabs(p[0] - 255 * a) > 0.51)
         fail_msg("column %u is %u, not %g", x, p[0], 255 * a);
   }
}

static void
flat_shading(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { .flat = true });
   scene_draw(&s, _3DPRIM_TRILIST, half, 3);
   run_ok(&s.b);
   /* The provoking vertex is the first by default. */
   expect_pixel(&s, 3, 3, 0xff000000);
   expect_pixel(&s, 60, 1, 0xff000000);
}

/* Triangles that share an edge draw each pixel once. */
static void
shared_edges(void **state)
{
   const struct setup u = { .blend = {
                               .ColorBufferBlendEnable = true,
                               .SourceBlendFactor = BLENDFACTOR_ONE,
                               .DestinationBlendFactor = BLENDFACTOR_ONE,
                               .SourceAlphaBlendFactor = BLENDFACTOR_ONE,
                               .DestinationAlphaBlendFactor = BLENDFACTOR_ONE,
                            } };
   struct scene s = scene_start(state, &u);
   /* A fan around a crooked centre. */
   struct vertex v[10];
   static const float rim[9][2] = {
      { -1, -1 },    { 0.13f, -1 }, { 1, -1 },     { 1, 0.31f }, { 1, 1 },
      { -0.57f, 1 }, { -1, 1 },     { -1, 0.03f }, { -1, -1 },
   };
   for (unsigned i = 0; i < 10; i++) {
      v[i] = (struct vertex) {
         0.171f, -0.0937f, 0.5f, 1, { 0.2f, 0.2f, 0.2f, 0.2f }
      };
      if (i) {
         v[i].x = rim[i - 1][0];
         v[i].y = rim[i - 1][1];
      }
   }
   scene_draw(&s, _3DPRIM_TRIFAN, v, 10);
   run_ok(&s.b);
   expect_all(&s, 0x33333333);
}

static void
blending(void **state)
{
   const struct setup
      u = { .blend = {
               .ColorBufferBlendEnable = true,
               .SourceBlendFactor = BLENDFACTOR_SRC_ALPHA,
               .DestinationBlendFactor = BLENDFACTOR_INV_SRC_ALPHA,
               .SourceAlphaBlendFactor = BLENDFACTOR_SRC_ALPHA,
               .DestinationAlphaBlendFactor = BLENDFACTOR_INV_SRC_ALPHA,
               .WriteDisableBlue = true,
            } };
   struct scene s = scene_start(state, &u);
   scene_fill(&s, 0.5f, 1, 0, 1, 1);
   scene_fill(&s, 0.5f, 0, 1, 1, 0.6f);
   run_ok(&s.b);
   /* red 0.4, green 0.6, blue never written, alpha 0.36 + 0.4. */
   expect_all(&s, 102 | 153 << 8 | 194u << 24);
}

/* What fails the alpha test writes neither colour nor depth. */
static void
alpha_test(void **state)
{
   const struct setup u = {
      .depth = true,
      .ds = { .DepthBufferWriteEnable = true },
      .blend_common = { .AlphaTestEnable = true,
                        .AlphaTestFunction = COMPAREFUNCTION_GREATER },
      .color_calc = { .AlphaTestFormat = ALPHATEST_FLOAT32,
                      .AlphaReferenceValueAsFLOAT32 = 0.5f },
   };
   struct scene s = scene_start(state, &u);
   scene_fill(&s, 0.25f, 1, 0, 0, 0.6f);
   scene_fill(&s, 0.75f, 0, 1, 0, 0.5f); /* not greater */
   run_ok(&s.b);
   expect_all(&s, 0xff | 153u << 24);
   assert_true(util_bits_float(s.depth.map[0]) == 0.25f);
}

static void
alpha_test_unorm8(void **state)
{
   const struct setup u = {
      .blend_common = { .AlphaTestEnable = true,
                        .AlphaTestFunction = COMPAREFUNCTION_EQUAL },
      .color_calc = { .AlphaTestFormat = ALPHATEST_UNORM8,
                      .AlphaReferenceValueAsUNORM8 = 102 },
   };
   struct scene s = scene_start(state, &u);
   scene_fill(&s, 0.5f, 1, 0, 0, 0.401f); /* 102 when rounded */
   scene_fill(&s, 0.5f, 0, 1, 0, 0.404f); /* 103 */
   run_ok(&s.b);
   expect_all(&s, 0xff | 102u << 24);
}

static void
logic_operation(void **state)
{
   const struct setup u = { .blend = { .LogicOpEnable = true,
                                       .LogicOpFunction = LOGICOP_XOR } };
   struct scene s = scene_start(state, &u);
   scene_fill(&s, 0.5f, 1, 0.2f, 0, 1);
   scene_fill(&s, 0.5f, 0.2f, 0.2f, 0, 0);
   run_ok(&s.b);
   expect_all(&s, (0xff ^ 0x33) | 0xffu << 24);
}

static void
depth_test(void **state)
{
   const struct setup u = { .depth = true,
                            .ds = {
                               .DepthTestEnable = true,
                               .DepthBufferWriteEnable = true,
                               .DepthTestFunction = COMPAREFUNCTION_LESS,
                            } };
   struct scene s = scene_start(state, &u);
   for (unsigned i = 0; i < s.depth.size_B / 4; i++)
      s.depth.map[i] = util_float_bits(1);
   scene_draw(&s, _3DPRIM_TRILIST, half, 3); /* at 0.5 */
   scene_fill(&s, 0.75f, 0, 0, 1, 1);        /* behind the half */
   scene_fill(&s, 0.75f, 1, 1, 1, 1);        /* not less */
   batch_save(&s.b, GEN9_PS_DEPTH_COUNT_num, DATA);
   run_ok(&s.b);
   assert_int_equal(s.b.data.map[0], 64 * 64);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         if (x + y >= SIZE - 1)
            expect_pixel(&s, x, y, 0xffff0000);
         else
            assert_int_equal(pixel(&s, x, y, 0)[2], 0);
         const uint64_t at =
            isl_tiling_address_B(ISL_TILING_Y0, 256, 4 * x, y);
         assert_true(util_bits_float(s.depth.map[at / 4]) ==
                     (x + y >= SIZE - 1 ? 0.75f : 0.5f));
      }
   }
}

/* Depths above 1, which the viewport lets pass, are 1 in a buffer that has no
 * more: before the shader, and after it. */
static void
saturated_depth(void **state)
{
   static const struct {
      unsigned format;
      uint32_t one, bits;
   } rows[] = { { D16_UNORM, 0xffffffff, ~0u },
                { D24_UNORM_X8_UINT, 0xffffff, 0xffffff },
                { D32_FLOAT, 0x3fc00000, ~0u } };
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
      struct scene s = scene_start(
         state, &(struct setup) {
                   .depth = true,
                   .early = i & 1 ? EDSC_PSEXEC : EDSC_NORMAL,
                   .ds = { .DepthTestEnable = true,
                           .DepthBufferWriteEnable = true,
                           .DepthTestFunction = COMPAREFUNCTION_GREATER } });
      struct batch *b = &s.b;
      const struct GEN9_CC_VIEWPORT cc = { .MaximumDepth = 2 };
      GEN9_CC_VIEWPORT_pack((char *)s.dynamic.map + AT_CC_VIEWPORT, &cc);
      EMIT(b, 3DSTATE_DEPTH_BUFFER, .SurfaceType = SURFTYPE_2D,
           .SurfaceFormat = rows[i / 2].format, .SurfacePitch = 255,
           .SurfaceBaseAddress = DEPTH, .DepthWriteEnable = true,
           .Width = SIZE - 1, .Height = SIZE - 1);
      EMIT(b, 3DSTATE_RASTER, .CullMode = CULLMODE_NONE, .APIMode = DX101);
      scene_fill(&s, 1.5f, 1, 1, 1, 1);
      run_ok(b);
      expect_all(&s, 0xffffffff);
      const uint32_t z = s.depth.map[0] & rows[i / 2].bits;
      if (z != rows[i / 2].one)
         fail_msg("row %u: 0x%08x", i, z);
   }
}

/* The write needs no test: so drivers clear. */
static void
depth_write_alone(void **state)
{
   const struct setup u = { .depth = true,
                            .ds = {
                               .DepthBufferWriteEnable = true,
                               .DepthTestFunction = COMPAREFUNCTION_NEVER,
                            } };
   struct scene s = scene_start(state, &u);
   scene_fill(&s, 0.25f, 0, 1, 0, 1);
   run_ok(&s.b);
   expect_all(&s, 0xff00ff00);
   assert_true(util_bits_float(s.depth.map[0]) == 0.25f);
}

#define STENCIL_COLORS                                                       \
   "mov (8|M0) r122.0<1>:f 1.0:f\n"                                          \
   "mov (8|M0) r123.0<1>:f 0.0:f\n"                                          \
   "mov (8|M0) r124.0<1>:f 0.0:f\n"                                          \
   "mov (8|M0) r125.0<1>:f 1.0:f\n"                                          \
   "mov (8|M0) r126.0<1>:uw 0x2a2a:uw\n"
#define STENCIL_WITH_HEADER(bits)                                            \
   "(W) or (1|M0) r120.0<1>:ud r0.0<0;1,0>:ud " bits ":ud\n"                 \
   "mov (8|M0) r121.0<1>:ud r1.0<8;8,1>:ud\n" STENCIL_COLORS                 \
   "sendc (8|M0) null r120 0x25 0x0E0B1400 {EOT}\n"
#define STENCIL_ALONE                                                        \
   STENCIL_COLORS "sendc (8|M0) null r122 0x25 0x0A031400 {EOT}\n"

static struct scene
draw_shaders_stencil(void **state, const char *program)
{
   const struct setup u = { .stencil = true,
                            .stencils = true,
                            .program = program,
                            .ds = {
                               .StencilTestEnable = true,
                               .StencilBufferWriteEnable = true,
                               .StencilTestFunction = COMPAREFUNCTION_ALWAYS,
                               .StencilTestMask = 0xff,
                               .StencilWriteMask = 0xff,
                               .StencilReferenceValue = 7,
                               .StencilPassDepthPassOp = STENCILOP_REPLACE,
                            } };
   struct scene s = scene_start(state, &u);

   scene_draw(&s, _3DPRIM_TRILIST, half, 3);
   return s;
}

/* A byte for each channel in the register after the colour takes the place
 * of the reference value. */
static void
check_stencil(void **state, const char *program)
{
   struct scene s = draw_shaders_stencil(state, program);

   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const uint64_t at = isl_tiling_address_B(ISL_TILING_W, 128, x, y);
         assert_int_equal(((uint8_t *)s.stencil.map)[at],
                          x + y >= SIZE - 1 ? 0 : 0x2a);
      }
   }
}

static void
stencil_of_shader(void **state)
{
   check_stencil(state, STENCIL_ALONE);
   check_stencil(state, STENCIL_WITH_HEADER("0x4000"));
}

/* A header says by bit 14 of its first dword that stencil is there; without
 * one 3DSTATE_PS_EXTRA does (so Mesa's blorp copies stencil). */
static void
stencil_without_its_bit(void **state)
{
   struct scene s = draw_shaders_stencil(state, STENCIL_WITH_HEADER("0"));

   run_faulty(&s.b, "pixel shader",
              "the header does not say that stencil follows", NULL);
}

static void
stencil_test(void **state)
{
   struct setup u = { .stencil = true,
                      .ds = {
                         .StencilTestEnable = true,
                         .StencilBufferWriteEnable = true,
                         .StencilTestFunction = COMPAREFUNCTION_EQUAL,
                         .StencilTestMask = 0xff,
                         .StencilWriteMask = 0x0f,
                         .StencilReferenceValue = 0,
                         .StencilPassDepthPassOp = STENCILOP_INCRSAT,
                      } };
   struct scene s = scene_start(state, &u);
   scene_draw(&s, _3DPRIM_TRILIST, half, 3); /* where 0: becomes 1 */
   scene_fill(&s, 0.5f, 0, 0, 1, 1);         /* the rest becomes 1 */
   scene_fill(&s, 0.5f, 1, 1, 1, 1);         /* nowhere */
   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const uint64_t at = isl_tiling_address_B(ISL_TILING_W, 128, x, y);
         assert_int_equal(((uint8_t *)s.stencil.map)[at], 1);
         if (x + y >= SIZE - 1)
            expect_pixel(&s, x, y, 0xffff0000);
         else
            assert_int_equal(pixel(&s, x, y, 0)[2], 0);
      }
   }
}

static void
scissor(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { .scissor = true });
   scene_fill(&s, 0.5f, 1, 1, 1, 1);
   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const bool in = x >= 10 && x <= 29 && y >= 20 && y <= 24;
         expect_pixel(&s, x, y, in ? 0xffffffff : 0);
      }
   }
}

static void
textured(void **state)
{
   struct scene s =
      scene_start(state, &(struct setup) { .program = texture_text });
   scene_texture(&s, 8, TEXTURE);
   for (unsigned y = 0; y < 8; y++) {
      for (unsigned x = 0; x < 8; x++) {
         const uint64_t at = isl_tiling_address_B(
            s.texture_surf.tiling, s.texture_surf.row_pitch_B, 4 * x, y);
         s.texture.map[at / 4] = 0xff000000 | (16 * y + x);
      }
   }
   const struct vertex v[4] = {
      { -1, -1, 0.5f, 1, { 0, 0 } },
      { 1, -1, 0.5f, 1, { 1, 0 } },
      { -1, 1, 0.5f, 1, { 0, 1 } },
      { 1, 1, 0.5f, 1, { 1, 1 } },
   };
   scene_draw(&s, _3DPRIM_TRISTRIP, v, 4);
   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++)
         expect_pixel(&s, x, y, 0xff000000 | (16 * (y / 8) + x / 8));
   }
}

/* Every sample of every pixel is drawn by one of two triangles; on the edge
 * between them both have some.
 */
/*
 * Stipple and antialiasing
 */

static float
ndc(float px)
{
   return px / (SIZE / 2) - 1;
}

static struct vertex
white(float x, float y)
{
   return (struct vertex) { ndc(x), ndc(y), 0.5f, 1, { 1, 1, 1, 1 } };
}

static void
polygon_stipple(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   struct batch *b = &s.b;
   struct GEN9_3DSTATE_POLY_STIPPLE_PATTERN p = {
      GEN9_3DSTATE_POLY_STIPPLE_PATTERN_header
   };
   for (unsigned i = 0; i < 32; i++)
      p.PatternRow[i] = 0x80000000u >> i;
   GEN9_3DSTATE_POLY_STIPPLE_PATTERN_pack(b->next, &p);
   b->next += GEN9_3DSTATE_POLY_STIPPLE_PATTERN_length;
   EMIT(b, 3DSTATE_POLY_STIPPLE_OFFSET, .PolygonStippleXOffset = 3);
   EMIT(b, 3DSTATE_WM, .PolygonStippleEnable = true,
        .BarycentricInterpolationMode = BIM_PERSPECTIVE_PIXEL);
   scene_fill(&s, 0.5f, 1, 1, 1, 1);
   run_ok(b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++)
         expect_pixel(&s, x, y, (x + 3) % 32 == y % 32 ? 0xffffffff : 0);
   }
}

/* Two lines along row 10, of ten and of eight pixels; the pattern goes on in
 * the second one if both are of a strip. */
static void
check_line_stipple(void **state, uint32_t topology)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   struct batch *b = &s.b;
   const bool strip = topology == _3DPRIM_LINESTRIP;
   EMIT(b, 3DSTATE_LINE_STIPPLE, .LineStipplePattern = 0x00c5,
        .LineStippleRepeatCount = 2, .LineStippleInverseRepeatCount = 0.5f);
   EMIT(b, 3DSTATE_WM, .LineStippleEnable = true,
        .BarycentricInterpolationMode = BIM_PERSPECTIVE_PIXEL);
   const struct vertex v[4] = { white(2.5f, 10.5f), white(12.5f, 10.5f),
                                white(12.5f, 10.5f), white(20.5f, 10.5f) };
   const struct vertex w[3] = { v[0], v[1], v[3] };
   scene_draw(&s, topology, strip ? w : v, strip ? 3 : 4);
   run_ok(b);
   for (unsigned x = 2; x < 20; x++) {
      const unsigned step = strip || x < 12 ? x - 2 : x - 12;
      expect_pixel(&s, x, 10, 0xc5 >> step / 2 & 1 ? 0xffffffff : 0);
   }
}

static void
line_stipple(void **state)
{
   check_line_stipple(state, _3DPRIM_LINELIST);
   check_line_stipple(state, _3DPRIM_LINESTRIP);
}

/* Smaller than the space between the centres of pixels. */
static void
small_points(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_SF, .ViewportTransformEnable = true, .PointWidthSource = 1,
        .PointWidth = 0.125f);
   const struct vertex v[2] = { white(8, 8), white(20.25f, 20.25f) };
   scene_draw(&s, _3DPRIM_POINTLIST, v, 2);
   run_ok(b);
   unsigned lit = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      lit += pixel_ud(&s, i % SIZE, i / SIZE, 0) == 0xffffffff;
   assert_int_equal(lit, 2);
   expect_pixel(&s, 20, 20, 0xffffffff);
}

/* What comes from vertices, zero here, the clipper brings within bounds. */
static void
points_between_bounds(void **state)
{
   for (unsigned clips = 0; clips < 2; clips++) {
      struct scene s = scene_start(state, &(struct setup) { 0 });
      struct batch *b = &s.b;
      EMIT(b, 3DSTATE_CLIP, .ClipEnable = clips, .APIMode = APIMODE_D3D,
           .MinimumPointWidth = 9, .MaximumPointWidth = 20);
      const struct vertex v[1] = { white(20.5f, 20.5f) };
      scene_draw(&s, _3DPRIM_POINTLIST, v, 1);
      run_ok(b);
      const unsigned reach = clips ? 4 : 0;
      for (unsigned i = 0; i < SIZE * SIZE; i++) {
         const unsigned x = i % SIZE, y = i / SIZE;
         const bool lit = x + reach >= 20 && x <= 20 + reach &&
                          y + reach >= 20 && y <= 20 + reach;
         expect_pixel(&s, x, y, lit ? 0xffffffff : 0);
      }
   }
}

/* The constant in units of the format, or as it is. */
static void
legacy_depth_bias(void **state)
{
   const struct setup u = { .depth = true,
                            .ds = { .DepthBufferWriteEnable = true } };
   for (unsigned legacy = 0; legacy < 2; legacy++) {
      struct scene s = scene_start(state, &u);
      struct batch *b = &s.b;
      EMIT(b, 3DSTATE_SF, .ViewportTransformEnable = true,
           .LegacyGlobalDepthBiasEnable = legacy);
      EMIT(b, 3DSTATE_RASTER, .CullMode = CULLMODE_NONE, .APIMode = DX101,
           .GlobalDepthOffsetEnableSolid = true,
           .GlobalDepthOffsetConstant = 0.25f);
      scene_fill(&s, 0.5f, 1, 1, 1, 1);
      run_ok(b);
      const float z = util_bits_float(s.depth.map[0]);
      assert_true(legacy ? z == 0.75f : fabsf(z - 0.5f) < 1e-6f);
   }
}

/* A line of `width` from (2.5, at) to (12.5, at), or with x and y swapped:
 * of the rows or columns that it may touch, which ones it does. */
static void
check_line_between(void **state, bool swapped, float at, float width,
                   bool rectangular, unsigned first, unsigned count)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_SF, .ViewportTransformEnable = true, .LineWidth = width);
   EMIT(b, 3DSTATE_RASTER, .CullMode = CULLMODE_NONE, .APIMode = DX101,
        .DXMultisampleRasterizationEnable = rectangular);
   const struct vertex v[2] = {
      swapped ? white(at, 2.5f) : white(2.5f, at),
      swapped ? white(at, 12.5f) : white(12.5f, at),
   };
   scene_draw(&s, _3DPRIM_LINELIST, v, 2);
   run_ok(b);
   for (unsigned across = 0; across < 20; across++) {
      for (unsigned along = 0; along < 20; along++) {
         const bool lit = along >= 2 && along < 12 && across >= first &&
                          across < first + count;
         expect_pixel(&s, swapped ? across : along, swapped ? along : across,
                      lit ? 0xffffffff : 0);
      }
   }
}

/* Exactly between two rows a line is in the upper one, between two columns in
 * the left one: the diamond's bottom and right corners are inside, and so are
 * the top and left edges of a parallelogram or rectangle. */
static void
lines_between_pixels(void **state)
{
   for (unsigned swapped = 0; swapped < 2; swapped++) {
      check_line_between(state, swapped, 10, 0, false, 9, 1);
      check_line_between(state, swapped, 10, 1, false, 9, 1);
      check_line_between(state, swapped, 10.5f, 2, false, 9, 2);
      check_line_between(state, swapped, 10.5f, 3, false, 9, 3);
      check_line_between(state, swapped, 10, 1, true, 9, 1);
   }
}

/* The ends of a wide line go with the minor axis, those of a rectangular one,
 * which there is with a single sample, too, across the line. */
static void
wide_line_ends(void **state)
{
   for (unsigned rectangular = 0; rectangular < 2; rectangular++) {
      struct scene s = scene_start(state, &(struct setup) { 0 });
      struct batch *b = &s.b;
      EMIT(b, 3DSTATE_SF, .ViewportTransformEnable = true, .LineWidth = 6);
      EMIT(b, 3DSTATE_RASTER, .CullMode = CULLMODE_NONE, .APIMode = DX101,
           .DXMultisampleRasterizationEnable = rectangular);
      const struct vertex v[2] = { white(10, 8), white(20, 16) };
      scene_draw(&s, _3DPRIM_LINELIST, v, 2);
      run_ok(b);
      /* Left of the first vertex and below; straight below the second. */
      expect_pixel(&s, 9, 9, rectangular ? 0xffffffff : 0);
      expect_pixel(&s, 19, 18, rectangular ? 0 : 0xffffffff);
   }
}

/* Rows 10 and 11 share a line whose centre is at 10.75. */
static void
antialiased_line(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_SF, .ViewportTransformEnable = true, .LineWidth = 1);
   EMIT(b, 3DSTATE_RASTER, .CullMode = CULLMODE_NONE, .APIMode = DX101,
        .AntialiasingEnable = true);
   const struct vertex v[2] = { white(8, 10.75f), white(24, 10.75f) };
   scene_draw(&s, _3DPRIM_LINELIST, v, 2);
   run_ok(b);
   for (unsigned x = 8; x < 24; x++) {
      expect_pixel(&s, x, 9, 0);
      expect_pixel(&s, x, 10, 0xbfffffff);
      expect_pixel(&s, x, 11, 0x40ffffff);
      expect_pixel(&s, x, 12, 0);
   }
   expect_pixel(&s, 7, 10, 0);
   expect_pixel(&s, 24, 10, 0);
}

static void
multisampled(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { .samples = 4 });
   scene_fill(&s, 0.5f, 0, 0, 1, 1);
   scene_draw(&s, _3DPRIM_TRILIST, half, 3);
   run_ok(&s.b);
   static const double at[4][2] = {
      { 0.375, 0.125 },
      { 0.875, 0.375 },
      { 0.125, 0.625 },
      { 0.625, 0.875 },
   };
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         for (unsigned i = 0; i < 4; i++) {
            const bool in = x + at[i][0] + y + at[i][1] < SIZE;
            const uint8_t *p = pixel(&s, x, y, i);
            if (p[3] != 255 || p[2] != (in ? 0 : 255))
               fail_msg("sample %u of %u, %u: %02x%02x%02x%02x", i, x, y,
                        p[3], p[2], p[1], p[0]);
         }
      }
   }
}

/* A clear word until something is drawn to the pixel; then the samples'
 * planes: one where the triangle covers all of it, two at its edge. */
static void
multisampled_with_mcs(void **state)
{
   struct scene s =
      scene_start(state, &(struct setup) { .samples = 4, .mcs = true });
   uint8_t *mcs = (uint8_t *)s.target.map + MCS_OFFSET;
   memset(mcs, 0xff, 0x1000 * 2);
   scene_draw(&s, _3DPRIM_TRILIST, half, 3);
   run_ok(&s.b);
   static const double at[4][2] = {
      { 0.375, 0.125 },
      { 0.875, 0.375 },
      { 0.125, 0.625 },
      { 0.625, 0.875 },
   };
   unsigned split = 0;
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const uint8_t word = mcs[sim_tile_offset(SIM_TILE_Y, 128, x, y)];
         unsigned covered = 0;
         for (unsigned i = 0; i < 4; i++)
            covered += x + at[i][0] + y + at[i][1] < SIZE;
         if (covered % 4 == 0) {
            assert_int_equal(word, covered ? 0 : 0xff);
            continue;
         }
         split++;
         for (unsigned i = 0; i < 4; i++) {
            const bool in = x + at[i][0] + y + at[i][1] < SIZE;
            const uint8_t *p = pixel(&s, x, y, sim_mcs_plane(4, word, i));
            /* The triangle is opaque, the clear colour transparent green. */
            assert_int_equal(p[3], in ? 255 : 0);
            if (!in)
               assert_int_equal(p[1], 255);
         }
      }
   }
   assert_true(split > 0);
}

/* A pixel of one sample is written if any of four samples is covered. */
static void
forced_sample_count(void **state)
{
   struct scene s =
      scene_start(state, &(struct setup) { .forced = FSC_NUMRASTSAMPLES_4 });
   scene_draw(&s, _3DPRIM_TRILIST, half, 3);
   run_ok(&s.b);
   static const double at[4][2] = {
      { 0.375, 0.125 },
      { 0.875, 0.375 },
      { 0.125, 0.625 },
      { 0.625, 0.875 },
   };
   unsigned partly = 0;
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         unsigned covered = 0;
         for (unsigned i = 0; i < 4; i++)
            covered += x + at[i][0] + y + at[i][1] < SIZE;
         assert_int_equal(pixel(&s, x, y, 0)[3], covered ? 255 : 0);
         partly += covered > 0 && x + y + 1 >= SIZE;
      }
   }
   assert_true(partly > 0);
}

static void
hz_op(struct scene *s, struct GEN9_3DSTATE_WM_HZ_OP op, unsigned x1)
{
   struct batch *b = &s->b;
   op.DWordLength = GEN9_3DSTATE_WM_HZ_OP_length - 2;
   op.ClearRectangleXMax = x1;
   op.ClearRectangleYMax = SIZE;
   op.SampleMask = 0xffff;
   GEN9_3DSTATE_WM_HZ_OP_pack(b->next, &op);
   b->next += GEN9_3DSTATE_WM_HZ_OP_length;
   EMIT(b, PIPE_CONTROL, .DepthStallEnable = true);
   EMIT(b, 3DSTATE_WM_HZ_OP, .SampleMask = 0);
}

static float
depth_at(const struct scene *s, unsigned x, unsigned y)
{
   float z;
   memcpy(&z,
          (char *)s->depth.map + sim_tile_offset(SIM_TILE_Y, 256, 4 * x, y),
          sizeof(z));
   return z;
}

/* A clear of columns 0 to 43, then a draw to the first block's corner; the
 * depth was 1. */
static struct scene
clear_depth(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup) {
                .depth = true,
                .hiz = true,
                .ds = { .DepthTestEnable = true,
                        .DepthBufferWriteEnable = true,
                        .DepthTestFunction = COMPAREFUNCTION_LESS },
             });
   const struct vertex corner[3] = {
      { -1, -1, 0.125f, 1, { 1, 1, 1, 1 } },
      { -0.9f, -1, 0.125f, 1, { 1, 1, 1, 1 } },
      { -1, -0.9f, 0.125f, 1, { 1, 1, 1, 1 } },
   };
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      ((float *)s.depth.map)[i] = 1.0f;
   hz_op(&s,
         (struct GEN9_3DSTATE_WM_HZ_OP) { .DepthBufferClearEnable = true },
         44);
   scene_draw(&s, _3DPRIM_TRILIST, corner, 3);
   return s;
}

/* The vertices' header: layer 1. */
static void
draw_to_layer_one(struct scene *s)
{
   struct batch *b = &s->b;
   const struct GEN9_VERTEX_ELEMENT_STATE header = {
      .Valid = true,
      .SourceElementFormat = ISL_FORMAT_R32G32B32A32_FLOAT,
      .Component0Control = VFCOMP_STORE_0,
      .Component1Control = VFCOMP_STORE_1_INT,
      .Component2Control = VFCOMP_STORE_0,
      .Component3Control = VFCOMP_STORE_0,
   };
   const struct GEN9_3DSTATE_VERTEX_ELEMENTS e = { .DWordLength = 5 };
   GEN9_3DSTATE_VERTEX_ELEMENTS_pack(b->next, &e);
   GEN9_VERTEX_ELEMENT_STATE_pack(b->next + 1, &header);
   for (unsigned i = 0; i < 2; i++) {
      const struct GEN9_VERTEX_ELEMENT_STATE ve = {
         .Valid = true,
         .SourceElementFormat = ISL_FORMAT_R32G32B32A32_FLOAT,
         .SourceElementOffset = 16 * i,
         .Component0Control = VFCOMP_STORE_SRC,
         .Component1Control = VFCOMP_STORE_SRC,
         .Component2Control = VFCOMP_STORE_SRC,
         .Component3Control = VFCOMP_STORE_SRC,
      };
      GEN9_VERTEX_ELEMENT_STATE_pack(b->next + 3 + 2 * i, &ve);
   }
   b->next += 7;
   scene_fill(s, 0.5f, 1, 1, 1, 1);
}

/* Depth, stencil and HiZ of slices, of which the view has so many; a draw to
 * layer 1. */
static struct scene
layered_depth(void **state, const struct setup *u, unsigned layers)
{
   struct scene s = scene_start(state, u);
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_DEPTH_BUFFER, .SurfaceType = SURFTYPE_2D,
        .SurfaceFormat = D32_FLOAT, .SurfacePitch = 511,
        .SurfaceBaseAddress = DEPTH, .DepthWriteEnable = true,
        .StencilWriteEnable = u->stencil,
        .HierarchicalDepthBufferEnable = u->hiz, .Width = SIZE - 1,
        .Height = SIZE - 1, .SurfaceQPitch = 2 * SIZE / 4,
        .Depth = layers - 1, .RenderTargetViewExtent = layers - 1);
   EMIT(b, 3DSTATE_STENCIL_BUFFER, .StencilBufferEnable = u->stencil,
        .SurfacePitch = 255, .SurfaceBaseAddress = STENCIL,
        .SurfaceQPitch = 2 * SIZE / 4);
   EMIT(b, 3DSTATE_HIER_DEPTH_BUFFER, .SurfacePitch = 127,
        .SurfaceBaseAddress = u->hiz ? DEPTH + HIZ_OFFSET : 0,
        .SurfaceQPitch = SIZE / 4);
   for (uint64_t i = 0; i < s.depth.size_B / 4; i++)
      s.depth.map[i] = SIM_HIZ_CLEAR;
   draw_to_layer_one(&s);
   run_ok(b);
   return s;
}

/* A layer that the view does not have, as a geometry shader may name one, is
 * outside of depth, stencil and HiZ; by blocks, by pixels, after the shader,
 * and of several samples. */
static void
layers_beyond_the_view(void **state)
{
   static const struct {
      bool stencil, hiz;
      unsigned early, samples;
   } rows[] = {
      { .early = EDSC_NORMAL },
      { .early = EDSC_NORMAL, .hiz = true },
      { .early = EDSC_NORMAL, .stencil = true },
      { .early = EDSC_PSEXEC },
      { .early = EDSC_NORMAL, .stencil = true, .hiz = true, .samples = 4 },
   };
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
      const unsigned layers = 1 + i % 2;
      const struct setup u = {
         .depth = true,
         .stencil = rows[i / 2].stencil,
         .hiz = rows[i / 2].hiz,
         .early = rows[i / 2].early,
         .samples = rows[i / 2].samples,
         .ds = { .DepthTestEnable = true,
                 .DepthBufferWriteEnable = true,
                 .DepthTestFunction = COMPAREFUNCTION_ALWAYS,
                 .StencilTestEnable = rows[i / 2].stencil,
                 .StencilBufferWriteEnable = true,
                 .StencilWriteMask = 0xff,
                 .StencilTestFunction = COMPAREFUNCTION_ALWAYS,
                 .StencilPassDepthPassOp = STENCILOP_INVERT },
      };
      const struct scene s = layered_depth(state, &u, layers);
      unsigned depths = 0, stencils = 0;
      for (uint64_t k = 0; k < s.depth.size_B / 4; k++)
         depths += s.depth.map[k] != SIM_HIZ_CLEAR;
      for (uint64_t k = 0; k < s.stencil.size_B / 4; k++)
         stencils += s.stencil.map[k] != 0;
      if ((depths > 0) != (layers == 2) ||
          (stencils > 0) != (layers == 2 && u.stencil))
         fail_msg("row %u, %u layers: %u depths, %u stencils", i / 2, layers,
                  depths, stencils);
   }
}

/* Its words would be read and written across the host's alignment. */
/* Attributes are read where SBE forces it, or from where the last stage says
 * that its output begins. */
static void
where_attributes_begin(void **state)
{
   for (unsigned begin = 0; begin < 2; begin++) {
      struct scene s = scene_start(state, &(struct setup) { 0 });
      EMIT(&s.b, 3DSTATE_SBE, .NumberofSFOutputAttributes = 1,
           .ForceVertexURBEntryReadLength = true,
           .VertexURBEntryReadLength = 1, .VertexURBEntryReadOffset = 1,
           .AttributeActiveComponentFormat = { ACTIVE_COMPONENT_XYZW });
      EMIT(&s.b, 3DSTATE_VS, .VertexURBEntryOutputReadOffset = begin);
      scene_draw(&s, _3DPRIM_TRILIST, half, 3);
      run_ok(&s.b);
      assert_int_equal(pixel(&s, 0, 0, 0)[3], begin ? 255 : 0);
      assert_int_equal(f_teardown(state), 0);
      assert_int_equal(f_setup(state), 0);
   }
}

/* A depth buffer that nothing looks at may be of no format. */
static void
depth_of_no_format(void **state)
{
   for (unsigned test = 0; test < 2; test++) {
      struct scene s = scene_start(
         state, &(struct setup) { .ds = { .DepthTestEnable = test } });
      EMIT(&s.b, 3DSTATE_DEPTH_BUFFER, .SurfaceType = SURFTYPE_1D);
      scene_draw(&s, _3DPRIM_TRILIST, half, 3);
      if (test) {
         run_faulty(&s.b, "3DSTATE_DEPTH_BUFFER", "format 0", NULL);
      } else {
         run_ok(&s.b);
         assert_int_equal(pixel(&s, 0, 0, 0)[3], 255);
      }
      assert_int_equal(f_teardown(state), 0);
      assert_int_equal(f_setup(state), 0);
   }
}

static void
hiz_off_a_page(void **state)
{
   struct scene s = scene_start(
      state,
      &(struct setup) {
         .depth = true,
         .hiz = true,
         .ds = { .DepthTestEnable = true, .DepthBufferWriteEnable = true },
      });
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_HIER_DEPTH_BUFFER, .SurfacePitch = 127,
        .SurfaceBaseAddress = DEPTH + HIZ_OFFSET + 2);
   const struct vertex v[3] = { { -1, -1, 0, 1, { 0 } } };
   scene_draw(&s, _3DPRIM_TRILIST, v, 3);
   run_faulty(&s.b, "HiZ buffer", "not on a page", NULL);
}

/* Depth is written in the block that is drawn to, and in the columns of the
 * block that the rectangle cuts. */
static void
hierarchical_depth(void **state)
{
   struct scene s = clear_depth(state);
   run_ok(&s.b);
   assert_true(depth_at(&s, 0, 0) == 0.125f);
   assert_true(depth_at(&s, 7, 3) == 0.25f);
   assert_true(depth_at(&s, 8, 0) == 1.0f);
   assert_true(depth_at(&s, 40, 0) == 0.25f);
   assert_true(depth_at(&s, 43, 63) == 0.25f);
   assert_true(depth_at(&s, 44, 0) == 1.0f);
}

/* A clear that the scissor rectangle cuts at column 20 and below row 9. */
static void
scissored_depth_clear(void **state)
{
   struct scene s = scene_start(
      state,
      &(struct setup) {
         .depth = true,
         .hiz = true,
         .ds = { .DepthTestEnable = true, .DepthBufferWriteEnable = true },
      });
   struct batch *b = &s.b;
   const struct GEN9_SCISSOR_RECT scissor = { .ScissorRectangleXMin = 20,
                                              .ScissorRectangleXMax = SIZE,
                                              .ScissorRectangleYMax = 9 };
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      ((float *)s.depth.map)[i] = 1.0f;
   GEN9_SCISSOR_RECT_pack((char *)s.dynamic.map + AT_SCISSOR, &scissor);
   hz_op(&s,
         (struct GEN9_3DSTATE_WM_HZ_OP) { .DepthBufferClearEnable = true,
                                          .ScissorRectangleEnable = true },
         44);
   hz_op(&s,
         (struct GEN9_3DSTATE_WM_HZ_OP) { .DepthBufferResolveEnable = true },
         SIZE);
   run_ok(b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const bool inside = x >= 20 && x < 44 && y < 10;
         assert_true(depth_at(&s, x, y) == (inside ? 0.25f : 1.0f));
      }
   }
}

static void
depth_resolve(void **state)
{
   struct scene s = clear_depth(state);
   hz_op(&s,
         (struct GEN9_3DSTATE_WM_HZ_OP) { .DepthBufferResolveEnable = true },
         SIZE);
   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 8; x < SIZE; x++)
         assert_true(depth_at(&s, x, y) == (x < 44 ? 0.25f : 1.0f));
   }
}

/* Marks without depth: what the clear said is lost. */
static void
hierarchical_depth_resolve(void **state)
{
   struct scene s = clear_depth(state);
   hz_op(&s,
         (struct GEN9_3DSTATE_WM_HZ_OP) {
            .HierarchicalDepthBufferResolveEnable = true },
         SIZE);
   hz_op(&s,
         (struct GEN9_3DSTATE_WM_HZ_OP) { .DepthBufferResolveEnable = true },
         SIZE);
   run_ok(&s.b);
   assert_true(depth_at(&s, 7, 3) == 0.25f);
   assert_true(depth_at(&s, 8, 0) == 1.0f);
}

/*
 * HiZ is cleared to 0.25, and a rectangle may cover all with 0.125; then one
 * pixel is made `beside`, past HiZ, before another rectangle of depth `z`.
 * The depth of that pixel.
 */
static float
depth_beside_hiz(void **state, bool covered, float beside, bool resolve,
                 float z)
{
   struct scene s = scene_start(
      state, &(struct setup) {
                .depth = true,
                .hiz = true,
                .ds = { .DepthTestEnable = true,
                        .DepthBufferWriteEnable = true,
                        .DepthTestFunction = COMPAREFUNCTION_LESS },
             });
   hz_op(&s,
         (struct GEN9_3DSTATE_WM_HZ_OP) { .DepthBufferClearEnable = true },
         SIZE);
   if (covered)
      scene_fill(&s, 0.125f, 1, 1, 1, 1);
   hz_op(&s,
         (struct GEN9_3DSTATE_WM_HZ_OP) { .DepthBufferResolveEnable = true },
         SIZE);
   EMIT(&s.b, MI_STORE_DATA_IMM,
        .Address = DEPTH + sim_tile_offset(SIM_TILE_Y, 256, 4 * 9, 5),
        .ImmediateData = util_float_bits(beside));
   if (resolve)
      hz_op(&s,
            (struct GEN9_3DSTATE_WM_HZ_OP) {
               .HierarchicalDepthBufferResolveEnable = true },
            SIZE);
   scene_fill(&s, z, 1, 1, 1, 1);
   run_ok(&s.b);
   const float depth = depth_at(&s, 9, 5);
   assert_int_equal(f_teardown(state), 0);
   assert_int_equal(f_setup(state), 0);
   return depth;
}

/* What HiZ has is believed until it is resolved. */
static void
depth_changed_past_hiz(void **state)
{
   static const struct {
      bool covered;
      float beside, z, right, wrong;
   } rows[] = {
      { false, 0.75f, 0.5f, 0.5f, 0.75f },      /* would pass, and does not */
      { true, 0.75f, 0.1875f, 0.1875f, 0.75f }, /* of bounds by a draw */
      { true, 0.0625f, 0.09375f, 0.0625f, 0.09375f }, /* would fail */
      { false, 0.75f, 0.0625f, 0.0625f, 0.0625f }, /* the same either way */
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (unsigned resolve = 0; resolve < 2; resolve++) {
         const float is = depth_beside_hiz(
            state, rows[i].covered, rows[i].beside, resolve, rows[i].z);
         const float want = resolve ? rows[i].right : rows[i].wrong;
         if (is != want)
            fail_msg("row %u, %sresolved: %f", i, resolve ? "" : "not ",
                     (double)is);
      }
   }
}

static void
target_formats(void **state)
{
   static const struct {
      enum isl_format format;
      uint32_t want[2];
      unsigned size_B;
   } rows[] = {
      { ISL_FORMAT_R16G16B16A16_FLOAT, { 0x34003c00, 0x3c003800 }, 8 },
      { ISL_FORMAT_B5G6R5_UNORM, { 31 << 11 | 16 << 5 | 16 }, 2 },
      { ISL_FORMAT_R10G10B10A2_UNORM,
        { 3u << 30 | 512u << 20 | 256 << 10 | 1023 },
        4 },
      { ISL_FORMAT_R8_UNORM, { 0xff }, 1 },
      { ISL_FORMAT_B8G8R8A8_UNORM_SRGB, { 0xffff89bc }, 4 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct scene s =
         scene_start(state, &(struct setup) { .format = rows[i].format });
      scene_fill(&s, 0.5f, 1, 0.25f, 0.5f, 1);
      run_ok(&s.b);
      assert_memory_equal(pixel(&s, 33, 44, 0), rows[i].want, rows[i].size_B);
   }
}

/* Pixels to which nothing is done take a shorter way than others: as those
 * with a logic operation that copies. */
static void
plain_writes(void **state)
{
   static const enum isl_format formats[] = {
      ISL_FORMAT_R8G8B8A8_UNORM, ISL_FORMAT_R32G32B32A32_FLOAT,
      ISL_FORMAT_R16G16_FLOAT,   ISL_FORMAT_R16G16B16A16_FLOAT,
      ISL_FORMAT_B5G6R5_UNORM,   ISL_FORMAT_R8G8B8A8_SNORM,
      ISL_FORMAT_R8_UNORM,       ISL_FORMAT_R32_FLOAT,
   };
   static const struct setup setups[] = {
      { .program = color_text },
      { .program = color16_text, .simd16 = true, .size = 63 },
      { .program = color32_text, .simd32 = true },
      { .program = color_text, .discards = true },
      { .program = color16_text, .simd16 = true, .scissor = true },
      { .program = color16_text,
        .simd16 = true,
        .scissor = true,
        .mcs = true },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(formats) * ARRAY_SIZE(setups); i++) {
      struct setup u = setups[i / ARRAY_SIZE(formats)];
      u.format = formats[i % ARRAY_SIZE(formats)];
      if (u.mcs && isl_format_block_size_B(u.format) < 4)
         continue; /* There is no CCS of such. */
      uint32_t *seen[2];
      for (unsigned k = 0; k < 2; k++) {
         u.blend.LogicOpEnable = k;
         u.blend.LogicOpFunction = LOGICOP_COPY;
         struct scene s = scene_start(state, &u);
         if (u.mcs) /* All is clear, and what nobody draws to stays so. */
            memset((uint8_t *)s.target.map + MCS_OFFSET, 0xff, 4096);
         scene_fill(&s, 0.5f, 0.3f, -0.7f, 1.5f, NAN);
         scene_draw(&s, _3DPRIM_TRILIST, half, 3);
         run_ok(&s.b);
         seen[k] = s.target.map;
         if (k)
            assert_memory_equal(seen[0], seen[1], s.target.size_B);
      }
   }
}

/* A target that ends eight bytes past its object, as its base address is
 * off its tile: of the last pair of pixels one is there, one is not. */
static void
pair_at_the_end(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup) { .program = color_text,
                               .format = ISL_FORMAT_R16G16B16A16_FLOAT });
   struct GEN9_RENDER_SURFACE_STATE target;
   uint32_t *dw = &s.surfaces.map[0x100 / 4];
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &target);
   assert_int_equal(target.TileMode, YMAJOR);
   target.SurfaceBaseAddress = TARGET + s.target.size_B -
                               s.target_surf.size_B + 8;
   GEN9_RENDER_SURFACE_STATE_pack(dw, &target);
   scene_fill(&s, 0.5f, 1, 1, 1, 1);
   run_faulty(&s.b, "3DPRIMITIVE", "render target", "0x000011280000");
}

static struct vertex
at_px(float x, float y)
{
   return (struct vertex) { x / 32 - 1, y / 32 - 1, 0.5f, 1, { 1, 1, 1, 1 } };
}

/* How many pixels are drawn, of which are those of `want`, { x, y } each. */
static void
expect_touched(void **state, unsigned cull, const float corner[3][2],
               unsigned count, const uint8_t (*want)[2])
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_RASTER, .CullMode = cull, .APIMode = DX101,
        .ConservativeRasterizationEnable = true);
   struct vertex v[3];
   for (unsigned i = 0; i < 3; i++)
      v[i] = at_px(corner[i][0], corner[i][1]);
   scene_draw(&s, _3DPRIM_TRILIST, v, 3);
   run_ok(&s.b);
   unsigned drawn = 0;
   for (unsigned i = 0; i < 64 * 64; i++)
      drawn += pixel(&s, i % 64, i / 64, 0)[0] == 0xff;
   assert_int_equal(drawn, count);
   for (unsigned i = 0; i < count; i++)
      assert_int_equal(pixel(&s, want[i][0], want[i][1], 0)[0], 0xff);
}

/* Every pixel that a triangle touches, though not in its centre; also those
 * that it touches by 1/512 of a pixel, and though it has no area. */
static void
conservative_rasterization(void **state)
{
   expect_touched(state, CULLMODE_NONE,
                  (const float[3][2]) {
                     { 10.1f, 10.1f }, { 10.3f, 10.1f }, { 10.1f, 10.3f } },
                  1, (const uint8_t[][2]) { { 10, 10 } });
   expect_touched(state, CULLMODE_NONE,
                  (const float[3][2]) {
                     { 10.1f, 10.1f }, { 12.8f, 10.1f }, { 10.1f, 12.8f } },
                  6,
                  (const uint8_t[][2]) { { 10, 10 },
                                         { 11, 10 },
                                         { 12, 10 },
                                         { 10, 11 },
                                         { 11, 11 },
                                         { 10, 12 } });
   expect_touched(state, CULLMODE_NONE,
                  (const float[3][2]) {
                     { 11, 10.25f }, { 11.5f, 10.25f }, { 11, 10.5f } },
                  2, (const uint8_t[][2]) { { 10, 10 }, { 11, 10 } });
   const float line[3][2] = { { 20.25f, 20.5f },
                              { 23.5f, 20.5f },
                              { 22, 20.5f } };
   const uint8_t along[][2] = {
      { 20, 20 }, { 21, 20 }, { 22, 20 }, { 23, 20 }
   };
   expect_touched(state, CULLMODE_NONE, line, 4, along);
   /* What has no area shows its back. */
   expect_touched(state, CULLMODE_FRONT, line, 4, along);
   expect_touched(state, CULLMODE_BACK, line, 0, NULL);
}

/* A shader that is none: the report names the instruction. */
static void
bad_shader(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   memset(s.program.map, 0x7f, 64);
   scene_fill(&s, 0.5f, 1, 1, 1, 1);
   run_faulty(&s.b, "3DPRIMITIVE", "pixel shader", NULL);
}

static void
upper_swizzles(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_SBE, .NumberofSFOutputAttributes = 1,
        .AttributeSwizzleEnable = true);
   EMIT(b, 3DSTATE_SBE_SWIZ, .Attribute[0].SwizzleControlMode = 1);
   scene_fill(&s, 0.5f, 1, 1, 1, 1);
   run_faulty(b, "attributes 16 to 31", "not implemented", NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, f_setup, f_teardown)

int
main(void)
{
   /* clang-format off */
   const struct CMUnitTest tests[] = {
      TEST(triangle),
      TEST(triangle_simd32),
      TEST(target_read),
      TEST(half_precision),
      TEST(side_effects),     TEST(triangle_simd16), TEST(clipped),
      TEST(perspective),  TEST(flat_shading),    TEST(shared_edges),
      TEST(blending),     TEST(alpha_test),
      TEST(alpha_test_unorm8),     TEST(logic_operation), TEST(depth_test),
      TEST(saturated_depth),
      TEST(depth_write_alone), TEST(stencil_of_shader),
 TEST(stencil_without_its_bit),
      TEST(stencil_test), TEST(scissor),         TEST(textured),
      TEST(polygon_stipple),
      TEST(line_stipple),
      TEST(small_points), TEST(points_between_bounds),
      TEST(legacy_depth_bias),
      TEST(lines_between_pixels),
      TEST(wide_line_ends),
      TEST(antialiased_line),
      TEST(multisampled), TEST(target_formats),  TEST(bad_shader),
      TEST(upper_swizzles),
      TEST(plain_writes), TEST(pair_at_the_end),
      TEST(conservative_rasterization),
      TEST(multisampled_with_mcs), TEST(hierarchical_depth),
      TEST(forced_sample_count), TEST(depth_resolve),
      TEST(scissored_depth_clear),
      TEST(hierarchical_depth_resolve), TEST(hiz_off_a_page),
      TEST(depth_of_no_format), TEST(where_attributes_begin),
      TEST(depth_changed_past_hiz),
      TEST(layers_beyond_the_view),
   };
   /* clang-format on */
   return cmocka_run_group_tests(tests, NULL, NULL);
}
