/* SPDX-License-Identifier: MIT */
/*
 * What is done for blocks and quads of pixels at once is what is done pixel
 * by pixel: coverage beside the definition, all else beside strict mode, in
 * which each access to memory is looked at, so that pixels are tested,
 * blended and stored one after the other, and every thread runs.
 */
#include <stdlib.h>
#include <string.h>

#include "intel/sim/mem/compress.h"
#include "intel/sim/mem/surface.h"
#include "intel/sim/tests/sim_scene.h"

#define BIG 128u

static uint32_t
next_random(uint64_t *r)
{
   *r = *r * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(*r >> 33);
}

/*
 * Coverage
 */

/* In 256ths of a pixel. */
struct corner {
   int64_t x, y;
};

/* Positions that are exact as floats, on and off the screen. */
static struct corner
random_corner(uint64_t *r)
{
   const unsigned step = 1u << next_random(r) % 9;
   const int64_t range = next_random(r) % 2 ? 256 * BIG : 1024 * BIG;
   return (struct corner) {
      (int64_t)(next_random(r) % range / step * step) - range / 4,
      (int64_t)(next_random(r) % range / step * step) - range / 4,
   };
}

static int64_t
side(struct corner a, struct corner b, int64_t x, int64_t y)
{
   return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

/* PRM SKL Vol. 7, "Rasterization Rules": on an edge is inside if the edge is
 * at the top or the left. */
static bool
is_covered(const struct corner c[3], int px, int py)
{
   const int64_t x = 256 * px + 128, y = 256 * py + 128;
   const bool flip = side(c[0], c[1], c[2].x, c[2].y) < 0;
   for (unsigned i = 0; i < 3; i++) {
      const struct corner a = c[flip ? 2 - i : i];
      const struct corner b = c[flip ? (4 - i) % 3 : (i + 1) % 3];
      const int64_t e = side(a, b, x, y);
      const bool top_left = b.y < a.y || (b.y == a.y && b.x > a.x);
      if (e < 0 || (e == 0 && !top_left))
         return false;
   }
   return side(c[0], c[1], c[2].x, c[2].y) != 0;
}

static float
to_clip(int64_t fixed)
{
   return (float)fixed / (128.0f * BIG) - 1;
}

static void
expect_coverage(void **state, struct test_bo *bo, struct scene *s,
                const struct corner c[3])
{
   memset(s->target.map, 0, BIG * BIG * 4);
   struct vertex *v = (struct vertex *)s->vertices.map;
   for (unsigned i = 0; i < 3; i++)
      v[i] = (struct vertex) {
         to_clip(c[i].x), to_clip(c[i].y), 0.5f, 1, { 1, 1, 1, 1 }
      };
   assert_int_equal(f_run(*state, bo), 0);
   for (unsigned y = 0; y < BIG; y++) {
      for (unsigned x = 0; x < BIG; x++) {
         const bool lit = s->target.map[y * BIG + x] != 0;
         if (lit != is_covered(c, (int)x, (int)y))
            fail_msg("(%d %d) (%d %d) (%d %d): pixel %u %u", (int)c[0].x,
                     (int)c[0].y, (int)c[1].x, (int)c[1].y, (int)c[2].x,
                     (int)c[2].y, x, y);
      }
   }
}

/* Or what the scene has, if its rows are no multiple of a tile's. */
static void
set_tiling(struct scene *s, unsigned mode)
{
   struct GEN9_RENDER_SURFACE_STATE state;
   uint32_t *dw = &s->surfaces.map[0x100 / 4];
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &state);
   if (mode != XMAJOR || (state.SurfacePitch + 1) % 512 == 0)
      state.TileMode = mode;
   GEN9_RENDER_SURFACE_STATE_pack(dw, &state);
}

static void
coverage(void **state)
{
   static const struct vertex none[3];
   uint64_t r = 1;
   struct scene s = scene_start(state, &(struct setup) { .size = BIG });
   set_tiling(&s, LINEAR);
   scene_draw(&s, _3DPRIM_TRILIST, none, 3);
   *s.b.next++ = MI_BATCH_BUFFER_END;
   for (unsigned i = 0; i < 300; i++) {
      const struct corner c[3] = { random_corner(&r), random_corner(&r),
                                   random_corner(&r) };
      expect_coverage(state, &s.b.bo, &s, c);
   }
}

/*
 * Beside strict mode
 */

/* The same number in all pixels, which is no attribute's. */
static const char constant_text[] =
   "mov (16|M0) r112.0<1>:f 0.25:f\n"
   "mov (16|M0) r114.0<1>:f 1.0:f\n"
   "mov (16|M0) r116.0<1>:f r6.3<0;1,0>:f\n"
   "mov (16|M0) r118.0<1>:f 0.5:f\n"
   "sendc (16|M0) null r112 0x25 0x10031000 {EOT}\n";

/* Different ones. */
static const char lanes_text[] =
   "mov (16|M0) r112.0<1>:f 0x30201000:vf\n"
   "mov (16|M0) r114.0<1>:f 1.0:f\n"
   "mov (16|M0) r116.0<1>:f 0.5:f\n"
   "mov (16|M0) r118.0<1>:f 0.5:f\n"
   "sendc (16|M0) null r112 0x25 0x10031000 {EOT}\n";

/* The attribute of the provoking vertex, in sixteen and in eight channels. */
static const char flat16_text[] =
   "mov (16|M0) r112.0<1>:ud r6.3<0;1,0>:ud\n"
   "mov (16|M0) r114.0<1>:ud r6.7<0;1,0>:ud\n"
   "mov (16|M0) r116.0<1>:ud r7.3<0;1,0>:ud\n"
   "mov (16|M0) r118.0<1>:ud r7.7<0;1,0>:ud\n"
   "sendc (16|M0) null r112 0x25 0x10031000 {EOT}\n";

static const char flat_text[] =
   "mov (8|M0) r112.0<1>:ud r4.3<0;1,0>:ud\n"
   "mov (8|M0) r113.0<1>:ud r4.7<0;1,0>:ud\n"
   "mov (8|M0) r114.0<1>:ud r5.3<0;1,0>:ud\n"
   "mov (8|M0) r115.0<1>:ud r5.7<0;1,0>:ud\n"
   "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n";

/* Not what sixteen channels have, with each of these. */
static const char other_text[] =
   "mov (8|M0) r112.0<1>:f 0.75:f\n"
   "mov (8|M0) r113.0<1>:f r4.3<0;1,0>:f\n"
   "mov (8|M0) r114.0<1>:f 0.5:f\n"
   "mov (8|M0) r115.0<1>:f 1.0:f\n"
   "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n";

/* Halves of the channels with colours of their own. */
static const char halves_text[] =
   "mov (8|M0) r112.0<1>:f 0.25:f\n"
   "mov (8|M8) r113.0<1>:f 0.75:f\n"
   "mov (16|M0) r114.0<1>:f 1.0:f\n"
   "mov (16|M0) r116.0<1>:f 0.5:f\n"
   "mov (16|M0) r118.0<1>:f 0.5:f\n"
   "sendc (16|M0) null r112 0x25 0x10031000 {EOT}\n";

static const enum isl_format formats[] = {
   ISL_FORMAT_R8G8B8A8_UNORM,     ISL_FORMAT_B8G8R8A8_UNORM,
   ISL_FORMAT_B8G8R8X8_UNORM,     ISL_FORMAT_R8G8B8A8_UNORM_SRGB,
   ISL_FORMAT_R16G16B16A16_FLOAT, ISL_FORMAT_R32G32B32A32_FLOAT,
   ISL_FORMAT_R8_UNORM,           ISL_FORMAT_B5G6R5_UNORM,
   ISL_FORMAT_B10G10R10A2_UNORM,  ISL_FORMAT_R8G8_UNORM,
};

static const uint32_t depth_formats[] = { D32_FLOAT, D24_UNORM_X8_UINT,
                                          D16_UNORM };

static struct GEN9_BLEND_STATE_ENTRY
random_blend(uint64_t *r)
{
   static const unsigned factors[] = { 0x01, 0x02, 0x03, 0x04, 0x05,
                                       0x06, 0x07, 0x08, 0x11, 0x12,
                                       0x13, 0x14, 0x15, 0x17, 0x18 };
   const unsigned n = ARRAY_SIZE(factors);
   const bool masked = next_random(r) % 3 == 0;
   return (struct GEN9_BLEND_STATE_ENTRY) {
      .ColorBufferBlendEnable = next_random(r) % 4 != 0,
      .SourceBlendFactor = factors[next_random(r) % n],
      .DestinationBlendFactor = factors[next_random(r) % n],
      .SourceAlphaBlendFactor = factors[next_random(r) % n],
      .DestinationAlphaBlendFactor = factors[next_random(r) % n],
      .ColorBlendFunction = next_random(r) % 5,
      .AlphaBlendFunction = next_random(r) % 5,
      .PreBlendColorClampEnable = next_random(r) % 2,
      .PreBlendSourceOnlyClampEnable = next_random(r) % 2,
      .PostBlendColorClampEnable = next_random(r) % 2,
      .ColorClampRange = next_random(r) % 3,
      .WriteDisableRed = masked && next_random(r) % 2,
      .WriteDisableGreen = masked && next_random(r) % 2,
      .WriteDisableBlue = masked && next_random(r) % 2,
      .WriteDisableAlpha = masked && next_random(r) % 2,
      .LogicOpEnable = next_random(r) % 16 == 0,
      .LogicOpFunction = next_random(r) % 16,
   };
}

/* The source over what is there, as most programs blend, or nearly so. */
static struct GEN9_BLEND_STATE_ENTRY
usual_blend(uint64_t *r)
{
   struct GEN9_BLEND_STATE_ENTRY e = {
      .ColorBufferBlendEnable = true,
      .SourceBlendFactor = next_random(r) % 2 ? 0x03 : 0x01,
      .DestinationBlendFactor = 0x13,
      .SourceAlphaBlendFactor = next_random(r) % 4 ? 0x03 : 0x01,
      .DestinationAlphaBlendFactor = next_random(r) % 4 ? 0x13 : 0x01,
      .PreBlendColorClampEnable = next_random(r) % 8 != 0,
      .PostBlendColorClampEnable = next_random(r) % 2,
      .ColorClampRange = next_random(r) % 8 ? COLORCLAMP_RTFORMAT
                                            : COLORCLAMP_SNORM,
      .WriteDisableBlue = next_random(r) % 8 == 0,
   };
   return e;
}

static struct vertex
random_vertex(uint64_t *r)
{
   const float w = 1 + (float)(next_random(r) % 3);
   struct vertex v = { .z = (float)(next_random(r) % 256) / 255 * w, .w = w };
   v.x = ((float)(next_random(r) % 2048) / 930 - 1.1f) * w;
   v.y = ((float)(next_random(r) % 2048) / 930 - 1.1f) * w;
   for (unsigned i = 0; i < 4; i++)
      v.attr[i] = (float)(next_random(r) % 16) / 12 - 0.1f;
   return v;
}

/* In place of the one that the scene begins with. */
static void
set_depth_format(struct scene *s, const struct setup *u, uint32_t format)
{
   EMIT(&s->b, 3DSTATE_DEPTH_BUFFER, .SurfaceType = SURFTYPE_2D,
        .SurfaceFormat = format, .SurfacePitch = 4 * BIG - 1,
        .SurfaceBaseAddress = DEPTH, .DepthWriteEnable = true,
        .HierarchicalDepthBufferEnable = u->hiz, .Width = BIG - 1,
        .Height = BIG - 1);
}

static struct setup
random_setup(uint64_t *r)
{
   static const char *const programs[] = { color16_text,  flat16_text,
                                           constant_text, lanes_text,
                                           flat16_text,   halves_text };
   static const char *const narrow[] = { NULL, flat_text, other_text };
   struct setup u = {
      .size = BIG,
      .simd16 = true,
      .program = programs[next_random(r) % ARRAY_SIZE(programs)],
      .narrow = narrow[next_random(r) % ARRAY_SIZE(narrow)],
      .format = formats[next_random(r) % ARRAY_SIZE(formats)],
      .depth = next_random(r) % 2,
      .hiz = next_random(r) % 2,
      .flat = next_random(r) % 2,
      .mcs = next_random(r) % 3 == 0,
      .rounding = next_random(r) % 2 ? next_random(r) % 4 : 0,
      .ds = { .DepthTestEnable = next_random(r) % 4 != 0,
              .DepthBufferWriteEnable = next_random(r) % 4 != 0,
              .DepthTestFunction = next_random(r) % 8 },
   };
   switch (next_random(r) % 4) {
   case 0: break;
   case 1:
      u.blend = usual_blend(r);
      u.format = formats[next_random(r) % 3];
      break;
   default: u.blend = random_blend(r);
   }
   u.blend_common.IndependentAlphaBlendEnable = next_random(r) % 2;
   u.blend_common.AlphaToOneEnable = next_random(r) % 8 == 0;
   u.blend_common.AlphaTestEnable = next_random(r) % 4 == 0;
   u.blend_common.AlphaTestFunction = next_random(r) % 8;
   u.color_calc.AlphaReferenceValueAsUNORM8 = next_random(r) % 256;
   u.early = next_random(r) % 2 ? EDSC_PREPS : 0;
   u.hiz &= u.depth;
   /* Texels of a CCS have 32 bits or more. */
   u.mcs &= isl_format_get_layout(u.format)->bpb >= 32;
   return u;
}

#define HIZ_B 0x8000u

static struct sim_hiz_block *
hiz_of(const struct scene *s)
{
   return (struct sim_hiz_block *)(s->depth.map + HIZ_OFFSET / 4);
}

/* Whether HiZ begins with what is not so. */
static bool
past_hiz(uint64_t seed)
{
   return seed % 2;
}

/* What begins in memory, and draws. The format of depth. */
static uint32_t
draw(void **state, uint64_t seed, struct scene *s)
{
   static const unsigned tilings[] = { LINEAR, XMAJOR, YMAJOR };
   uint64_t r = seed;
   const struct setup u = random_setup(&r);
   *s = scene_start(state, &u);
   set_tiling(s, u.mcs ? YMAJOR : tilings[next_random(&r) % 3]);
   const uint32_t depth_format = depth_formats[next_random(&r) % 3];
   if (u.depth)
      set_depth_format(s, &u, depth_format);
   for (unsigned i = 0; i < BIG * BIG * 4; i++)
      s->target.map[i] = next_random(&r) & 0x7fffffff;
   for (unsigned i = 0; i < BIG * BIG; i++)
      s->depth.map[i] = util_float_bits((float)(next_random(&r) % 99) / 98);
   static_assert(HIZ_B % sizeof(struct sim_hiz_block) == 0, "whole blocks");
   struct sim_hiz_block *hiz = hiz_of(s);
   for (unsigned i = 0; i < HIZ_B / sizeof(*hiz); i++)
      hiz[i].mark = next_random(&r) % 2 ? SIM_HIZ_CLEAR : SIM_HIZ_VALID;
   for (unsigned i = 0; past_hiz(seed) && i < HIZ_B / sizeof(*hiz); i += 2) {
      const float z = (float)(next_random(&r) % 64) / 64;
      hiz[i] = (struct sim_hiz_block) {
         .mark = SIM_HIZ_BOUNDS,
         .bounds = { (int32_t)util_float_bits(z / 2),
                     (int32_t)util_float_bits(z) },
      };
   }
   for (unsigned i = 0; i < 0x2000; i++)
      s->target.map[MCS_OFFSET / 4 + i] =
         next_random(&r) % 2 ? next_random(&r) * 5 : 0;

   struct vertex v[60];
   const unsigned same = next_random(&r) % 2 ? 12 : 1;
   const bool small = next_random(&r) % 3 == 0;
   for (unsigned i = 0; i < ARRAY_SIZE(v); i++) {
      v[i] = random_vertex(&r);
      if (small && i % 3) {
         v[i] = v[i - i % 3];
         v[i].x += (float)(next_random(&r) % 64) / 930 * v[i].w;
         v[i].y += (float)(next_random(&r) % 64) / 930 * v[i].w;
      }
      memcpy(v[i].attr, v[i - i % same].attr, sizeof(v[i].attr));
   }
   scene_draw(s, _3DPRIM_TRILIST, v, ARRAY_SIZE(v));
   scene_fill(s, 0.5f, 0.75f, 0.5f, 0.25f, 0.5f);
   batch_save(&s->b, GEN9_PS_INVOCATION_COUNT_num, DATA + 64);
   batch_save(&s->b, GEN9_PS_DEPTH_COUNT_num, DATA + 72);
   *s->b.next++ = MI_BATCH_BUFFER_END;
   assert_int_equal(f_run(s->b.f, &s->b.bo), 0);
   return depth_format;
}

struct run {
   void *state;
   uint32_t depth_format;
   struct scene scene;
   struct saffron_sim_stats stats;
};

static void
run(struct run *r, uint64_t seed, bool strict)
{
   if (strict)
      setenv("SAFFRON_SIM_STRICT", "report", 1);
   assert_int_equal(f_setup(&r->state), 0);
   unsetenv("SAFFRON_SIM_STRICT");
   r->depth_format = draw(&r->state, seed, &r->scene);
   saffron_sim_get_stats(r->scene.b.f->sim, &r->stats);
   /* After a fault there is nothing to compare. */
   if (!strict && r->scene.b.f->num_reports)
      fail_msg("seed %u: %s", (unsigned)seed, r->scene.b.f->report);
}

static void
expect_equal(uint64_t seed, const char *what, const struct test_bo *a,
             const struct test_bo *b, unsigned at_B, unsigned size_B)
{
   const uint8_t *x = (const uint8_t *)a->map + at_B;
   const uint8_t *y = (const uint8_t *)b->map + at_B;
   for (unsigned i = 0; i < size_B; i++) {
      if (x[i] != y[i])
         fail_msg("seed %u: %s: byte 0x%x is 0x%02x, strictly 0x%02x",
                  (unsigned)seed, what, at_B + i, x[i], y[i]);
   }
}

static int32_t
depth_of(const struct run *r, uint32_t x, uint32_t y)
{
   const uint32_t size_B = r->depth_format == D16_UNORM ? 2 : 4;
   uint32_t z = 0;
   memcpy(&z,
          (char *)r->scene.depth.map +
             sim_tile_offset(SIM_TILE_Y, 4 * BIG, size_B * x, y),
          size_B);
   return (int32_t)(r->depth_format == D24_UNORM_X8_UINT ? z & 0xffffff : z);
}

/* Each depth is between those that HiZ has of its block; how many blocks
 * have such. */
static unsigned
expect_bounds(uint64_t seed, const struct run *r)
{
   unsigned bounded = 0;
   for (uint32_t i = 0; i < BIG * BIG; i++) {
      const uint32_t x = i % BIG, y = i / BIG;
      const struct sim_hiz_block *b = hiz_of(&r->scene) +
                                      y / SIM_HIZ_H * (BIG / SIM_HIZ_W) +
                                      x / SIM_HIZ_W;
      const int32_t z = depth_of(r, x, y);
      if (b->mark != SIM_HIZ_BOUNDS)
         continue;
      bounded++;
      if (z < b->bounds.least || z > b->bounds.most)
         fail_msg("seed %u: HiZ has 0x%x to 0x%x at %u, %u, where 0x%x is",
                  (unsigned)seed, (unsigned)b->bounds.least,
                  (unsigned)b->bounds.most, x, y, (unsigned)z);
   }
   return bounded;
}

static void
as_strictly(void **state)
{
   unsigned bounded = 0;
   for (uint64_t seed = 1; seed <= 200; seed++) {
      struct run fast, slow;
      run(&fast, seed, false);
      run(&slow, seed, true);
      const struct scene *f = &fast.scene, *s = &slow.scene;
      expect_equal(seed, "target", &f->target, &s->target, 0, BIG * BIG * 16);
      expect_equal(seed, "CCS", &f->target, &s->target, MCS_OFFSET, 0x8000);
      expect_equal(seed, "depth", &f->depth, &s->depth, 0, BIG * BIG * 4);
      expect_equal(seed, "HiZ", &f->depth, &s->depth, HIZ_OFFSET, HIZ_B);
      bounded += past_hiz(seed) ? 0 : expect_bounds(seed, &fast);
      expect_equal(seed, "counters", &f->b.data, &s->b.data, 64, 16);
      assert_int_equal(fast.stats.eu_threads, slow.stats.eu_threads);
      assert_int_equal(fast.stats.eu_instructions,
                       slow.stats.eu_instructions);
      assert_int_equal(f_teardown(&fast.state), 0);
      assert_int_equal(f_teardown(&slow.state), 0);
   }
   assert_true(bounded > 0);
}

static unsigned
count_reds(const struct scene *s, uint32_t red)
{
   unsigned n = 0;
   for (unsigned i = 0; i < BIG * BIG; i++)
      n += (s->target.map[i] & 0xff) == red;
   return n;
}

/* A thread with one quad does not show what others write. */
static void
one_quad_first(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup) {
                .size = BIG, .simd16 = true, .program = halves_text });
   set_tiling(&s, LINEAR);
   memset(s.target.map, 0, BIG * BIG * 4);
   struct vertex v[6];
   for (unsigned i = 0; i < 6; i++) {
      const int64_t size = 256 * (i < 3 ? 2 : 32);
      v[i] = (struct vertex) { .x = to_clip(i % 3 == 1 ? size : 0),
                               .y = to_clip(i % 3 == 2 ? size : 0),
                               .z = 0.5f,
                               .w = 1,
                               .attr = { 1, 1, 1, 1 } };
   }
   scene_draw(&s, _3DPRIM_TRILIST, v, 6);
   *s.b.next++ = MI_BATCH_BUFFER_END;
   assert_int_equal(f_run(s.b.f, &s.b.bo), 0);
   assert_true(count_reds(&s, 0x40) > 100);
   assert_true(count_reds(&s, 0xbf) > 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(coverage, f_setup, f_teardown),
      cmocka_unit_test(as_strictly),
      cmocka_unit_test_setup_teardown(one_quad_first, f_setup, f_teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
