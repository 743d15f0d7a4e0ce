/* SPDX-License-Identifier: MIT */
/*
 * Layouts against numbers worked out by hand from the rules of SKL PRM
 * volume 5, tile addresses against the PRM's bit patterns written out bit by
 * bit, and surface states through genxml.
 */
#include "util/unit_test.h"

#include "intel/genxml/gen75_pack.h"
#include "intel/genxml/gen8_pack.h"
#include "intel/genxml/gen9_pack.h"
#include "intel/isl/isl.h"

static const struct intel_device_info *
skl(void)
{
   return intel_device_info_by_name("skl");
}

static void
assert_offset(const struct isl_surf *s, unsigned level, unsigned layer,
              unsigned z, unsigned x, unsigned y)
{
   uint32_t x_el, y_el;
   isl_surf_get_image_offset_el(s, level, layer, z, &x_el, &y_el);
   assert_int_equal(x_el, x);
   assert_int_equal(y_el, y);
}

static void
mip_tree_2d(void **state)
{
   struct isl_surf s;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8G8B8A8_UNORM,
      .width = 512, .height = 512, .depth = 1, .levels = 10, .array_len = 3,
      .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .tiling_flags = ISL_TILING_Y0_BIT));
   static const unsigned where[10][2] = {
      { 0, 0 },     { 0, 512 },   { 256, 512 }, { 256, 640 }, { 256, 704 },
      { 256, 736 }, { 256, 752 }, { 256, 760 }, { 256, 764 }, { 256, 768 },
   };
   for (unsigned l = 0; l < 10; l++)
      assert_offset(&s, l, 0, 0, where[l][0], where[l][1]);
   assert_int_equal(s.array_pitch_el_rows, 772);
   assert_offset(&s, 2, 2, 0, 256, 512 + 2 * 772);
   assert_int_equal(s.row_pitch_B, 2048);
   /* 3 * 772 = 2316 rows are 73 tiles of 32 rows. */
   assert_int_equal(s.size_B, 73 * 32 * 2048);
   assert_int_equal(s.alignment_B, 4096);

   uint64_t offset;
   uint32_t x, y;
   isl_surf_get_image_offset_B_tile_el(&s, 9, 0, 0, &offset, &x, &y);
   assert_int_equal(offset, (768 / 32 * 16 + 256 / 32) * 4096);
   assert_int_equal(x, 0);
   assert_int_equal(y, 0);
   isl_surf_get_image_offset_B_tile_el(&s, 1, 1, 0, &offset, &x, &y);
   assert_int_equal(offset, 1284 / 32 * 16 * 4096);
   assert_int_equal(y, 1284 % 32);
}

static void
odd_sizes_are_aligned(void **state)
{
   struct isl_surf s;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8_UNORM,
      .width = 13, .height = 7, .depth = 1, .levels = 4, .array_len = 1,
      .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .tiling_flags = ISL_TILING_LINEAR_BIT));
   assert_offset(&s, 1, 0, 0, 0, 8);
   assert_offset(&s, 2, 0, 0, 8, 8);
   assert_offset(&s, 3, 0, 0, 8, 12);
   assert_int_equal(s.array_pitch_el_rows, 16);
   assert_int_equal(s.row_pitch_B, 64);
   assert_int_equal(s.size_B, 16 * 64);
}

static void
volume(void **state)
{
   struct isl_surf s;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_3D, .format = ISL_FORMAT_R32_FLOAT,
      .width = 16, .height = 16, .depth = 8, .levels = 5, .array_len = 1,
      .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT));
   assert_int_equal(s.tiling, ISL_TILING_Y0);
   /* 16, then 8; right of it 4, 4 (2 aligned), 4 (1 aligned). */
   assert_int_equal(s.array_pitch_el_rows, 28);
   assert_offset(&s, 0, 0, 7, 0, 7 * 28);
   assert_offset(&s, 3, 0, 0, 8, 20);
   assert_offset(&s, 1, 0, 3, 0, 16 + 3 * 28);
}

static void
line(void **state)
{
   struct isl_surf s;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_1D, .format = ISL_FORMAT_R8G8_UNORM,
      .width = 100, .height = 1, .depth = 1, .levels = 3, .array_len = 2,
      .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT));
   assert_int_equal(s.tiling, ISL_TILING_LINEAR);
   assert_offset(&s, 1, 0, 0, 128, 0);
   assert_offset(&s, 2, 0, 0, 192, 0);
   assert_offset(&s, 1, 1, 0, 256 + 128, 0);
   assert_int_equal(s.size_B, 2 * 256 * 2);
}

static void
compressed(void **state)
{
   struct isl_surf s;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_BC1_UNORM,
      .width = 66, .height = 34, .depth = 1, .levels = 3, .array_len = 1,
      .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT));
   /* 17x9 blocks, then 9x5 (33x17), then 4x3 (17x9 gives 5x3). */
   assert_offset(&s, 1, 0, 0, 0, 12);
   assert_offset(&s, 2, 0, 0, 12, 12);
   assert_int_equal(s.row_pitch_B, 256);
}

static void
multisampled(void **state)
{
   struct isl_surf s;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8G8B8A8_UNORM,
      .width = 30, .height = 30, .depth = 1, .levels = 1, .array_len = 2,
      .samples = 4, .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT));
   assert_int_equal(s.msaa_layout, ISL_MSAA_LAYOUT_ARRAY);
   assert_int_equal(s.phys_level0_sa.a, 8);
   assert_offset(&s, 0, 7, 0, 0, 7 * 32);

   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R32_FLOAT,
      .width = 31, .height = 31, .depth = 1, .levels = 1, .array_len = 2,
      .samples = 4, .usage = ISL_SURF_USAGE_DEPTH_BIT));
   assert_int_equal(s.msaa_layout, ISL_MSAA_LAYOUT_INTERLEAVED);
   assert_int_equal(s.phys_level0_sa.w, 64);
   assert_int_equal(s.phys_level0_sa.h, 64);
   assert_int_equal(s.phys_level0_sa.a, 2);
}

static void
stencil(void **state)
{
   struct isl_surf s;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8_UINT,
      .width = 65, .height = 65, .depth = 1, .levels = 1, .array_len = 1,
      .samples = 1, .usage = ISL_SURF_USAGE_STENCIL_BIT));
   assert_int_equal(s.tiling, ISL_TILING_W);
   assert_int_equal(s.row_pitch_B, 256);
   assert_int_equal(s.size_B, 4 * 4096);
}

static void
refuses(void **state)
{
   /* clang-format off */
   const struct isl_surf_init_info good = {
      .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8_UNORM, .width = 16,
      .height = 16, .depth = 1, .levels = 5, .array_len = 1, .samples = 1,
      .usage = ISL_SURF_USAGE_TEXTURE_BIT,
   };
   /* clang-format on */
   struct isl_surf s = { .size_B = 77 };
   struct isl_surf_init_info i;
#define REFUSED(change)                                                      \
   do {                                                                      \
      i = good;                                                              \
      i.change;                                                              \
      assert_false(isl_surf_init_s(skl(), &s, &i));                          \
      assert_int_equal(s.size_B, 77);                                        \
   } while (0)
   REFUSED(width = 0);
   REFUSED(width = 16385);
   REFUSED(array_len = 2049);
   REFUSED(levels = 6);
   REFUSED(samples = 3);
   REFUSED(samples = 4); /* with levels */
   REFUSED(depth = 2);
   REFUSED(dim = ISL_SURF_DIM_1D);
   REFUSED(usage = ISL_SURF_USAGE_TEXTURE_BIT | ISL_SURF_USAGE_CUBE_BIT);
   REFUSED(format = 0x1fe);
   REFUSED(format = ISL_FORMAT_UNSUPPORTED);
   REFUSED(row_pitch_B = 64); /* of a Y tile: 128 */
   REFUSED(row_pitch_B = 192);
   REFUSED(tiling_flags = ISL_TILING_W_BIT);
#undef REFUSED
   assert_true(isl_surf_init_s(skl(), &s, &good));
}

/* Rows of a buffer seen as an image are as long as the caller says. */
static void
given_row_pitch(void **state)
{
   struct isl_surf s;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R32_UINT,
      .width = 250, .height = 3, .depth = 1, .levels = 1, .array_len = 1,
      .samples = 1, .row_pitch_B = 1000, .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .tiling_flags = ISL_TILING_LINEAR_BIT));
   assert_int_equal(s.row_pitch_B, 1000);
   assert_false(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R32_UINT,
      .width = 250, .height = 3, .depth = 1, .levels = 1, .array_len = 1,
      .samples = 1, .row_pitch_B = 996, .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .tiling_flags = ISL_TILING_LINEAR_BIT));
}

/* The PRM's patterns, most significant bit first. */
static uint32_t
by_pattern(const char *pattern, uint32_t x, uint32_t y)
{
   uint32_t address = 0;
   for (const char *p = pattern; *p; p += 2) {
      const uint32_t from = *p == 'x' ? x : y;
      const unsigned bit =
         (unsigned)(p[1] <= '9' ? p[1] - '0' : p[1] - 'a' + 10);
      address = address << 1 | (from >> bit & 1);
   }
   return address;
}

static void
tile_addresses(void **state)
{
   static const struct {
      enum isl_tiling tiling;
      const char *pattern;
      unsigned w, h, pitch_B;
   } tiles[] = {
      { ISL_TILING_X, "y2y1y0x8x7x6x5x4x3x2x1x0", 512, 8, 1024 },
      { ISL_TILING_Y0, "x6x5x4y4y3y2y1y0x3x2x1x0", 128, 32, 256 },
      { ISL_TILING_W, "x5x4x3y5y4y3y2x2y1x1y0x0", 64, 64, 256 },
   };
   for (unsigned t = 0; t < ARRAY_SIZE(tiles); t++) {
      for (unsigned y = 0; y < 2 * tiles[t].h; y++) {
         for (unsigned x = 0; x < 2 * tiles[t].w; x++) {
            const uint32_t tile = y / tiles[t].h * 2 + x / tiles[t].w;
            assert_int_equal(
               isl_tiling_address_B(tiles[t].tiling, tiles[t].pitch_B, x, y),
               tile * 4096 + by_pattern(tiles[t].pattern, x, y));
         }
      }
   }
   assert_int_equal(isl_tiling_address_B(ISL_TILING_LINEAR, 100, 7, 3), 307);
}

/* Halves of 128 bytes change places, twice is never, and what is beside each
 * other in a column is in two channels. */
static void
swizzled_addresses(void **state)
{
   static const struct {
      enum isl_tiling tiling;
      uint32_t x_B, y;
      uint64_t address;
   } rows[] = {
      { ISL_TILING_LINEAR, 700, 3, 3 * 1024 + 700 },
      { ISL_TILING_X, 5, 0, 5 },
      { ISL_TILING_X, 5, 1, 512 + 64 + 5 },
      { ISL_TILING_X, 69, 1, 512 + 5 },
      { ISL_TILING_X, 5, 2, 1024 + 64 + 5 },
      { ISL_TILING_X, 5, 3, 1536 + 5 },
      { ISL_TILING_X, 5, 4, 2048 + 5 },
      { ISL_TILING_Y0, 5, 0, 5 },
      { ISL_TILING_Y0, 21, 0, 512 + 64 + 5 },
      { ISL_TILING_Y0, 21, 4, 512 + 5 },
      { ISL_TILING_Y0, 37, 0, 1024 + 5 },
      { ISL_TILING_W, 0, 0, 0 },
      { ISL_TILING_W, 8, 0, 512 + 64 },
      { ISL_TILING_W, 8, 8, 512 },
      { ISL_TILING_W, 16, 0, 1024 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const uint64_t at =
         isl_tiling_address_B(rows[i].tiling, 1024, rows[i].x_B, rows[i].y);
      const uint64_t swizzled = isl_swizzle_address(rows[i].tiling, at);
      assert_int_equal(swizzled, rows[i].address);
      assert_int_equal(isl_swizzle_address(rows[i].tiling, swizzled), at);
   }
}

static void
formats(void **state)
{
   const struct isl_format_layout *l =
      isl_format_get_layout(ISL_FORMAT_B8G8R8A8_UNORM_SRGB);
   assert_int_equal(l->format, 0xc1);
   assert_int_equal(l->bpb, 32);
   assert_int_equal(l->channels.b.start_bit, 0);
   assert_int_equal(l->channels.r.start_bit, 16);
   assert_true(isl_format_is_srgb(l->format));
   assert_false(isl_format_is_valid(0x1fe));
   assert_true(isl_format_has_int_channel(ISL_FORMAT_R32_SINT));
   assert_false(isl_format_has_int_channel(ISL_FORMAT_R32_FLOAT));
   assert_true(isl_format_supports(skl(), ISL_FORMAT_R32G32B32A32_FLOAT,
                                   ISL_FORMAT_USE_TYPED_READ));
   assert_false(isl_format_supports(intel_device_info_by_name("hsw"),
                                    ISL_FORMAT_R32G32B32A32_FLOAT,
                                    ISL_FORMAT_USE_TYPED_READ));
   assert_false(isl_format_supports(skl(), ISL_FORMAT_R32G32B32_FLOAT,
                                    ISL_FORMAT_USE_RENDER));
   for (unsigned i = 0; i < ISL_FORMAT_NUMBERS; i++) {
      if (isl_format_is_valid(i))
         assert_int_equal(isl_format_layouts[i].bpb % 8, 0);
   }
}

/* What can be done with a format wants what comes before it. */
static void
format_uses(void **state)
{
   static const struct {
      enum isl_format_use use, wants;
   } rows[] = {
      { ISL_FORMAT_USE_FILTERED, ISL_FORMAT_USE_SAMPLED },
      { ISL_FORMAT_USE_SHADOW, ISL_FORMAT_USE_FILTERED },
      { ISL_FORMAT_USE_BLENDED, ISL_FORMAT_USE_RENDER },
      { ISL_FORMAT_USE_TYPED_READ, ISL_FORMAT_USE_TYPED_WRITE },
      { ISL_FORMAT_USE_TYPED_ATOMIC, ISL_FORMAT_USE_TYPED_READ },
   };
   static const unsigned gens[] = { 70, 75, 80, 90 };
   for (unsigned f = 0; f < ISL_FORMAT_NUMBERS; f++) {
      for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
         for (unsigned g = 0; g < ARRAY_SIZE(gens); g++)
            assert_true(!isl_format_supports_on(gens[g], f, rows[r].use) ||
                        isl_format_supports_on(gens[g], f, rows[r].wants));
      }
   }
   assert_true(isl_format_supports(skl(), ISL_FORMAT_R32_SINT,
                                   ISL_FORMAT_USE_TYPED_ATOMIC));
   assert_false(isl_format_supports(skl(), ISL_FORMAT_R32_FLOAT,
                                    ISL_FORMAT_USE_TYPED_ATOMIC));
}

static void
texture_state(void **state)
{
   struct isl_surf s;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8G8B8A8_UNORM,
      .width = 64, .height = 64, .depth = 1, .levels = 4, .array_len = 12,
      .samples = 1,
      .usage = ISL_SURF_USAGE_TEXTURE_BIT | ISL_SURF_USAGE_CUBE_BIT));
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_TEXTURE_BIT | ISL_SURF_USAGE_CUBE_BIT,
      .format = ISL_FORMAT_R8G8B8A8_UNORM_SRGB,
      .base_level = 1,
      .levels = 2,
      .base_array_layer = 6,
      .array_len = 6,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   uint32_t dw[16];
   isl_surf_fill_state(skl(), dw, .surf = &s, .view = &view,
                       .address = 0x10000, .mocs = 4);
   struct GEN9_RENDER_SURFACE_STATE r;
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &r);
   assert_int_equal(r.SurfaceType, SURFTYPE_CUBE);
   assert_int_equal(r.SurfaceFormat, 0xc8);
   assert_int_equal(r.Width, 63);
   assert_int_equal(r.Depth, 0);
   assert_int_equal(r.MinimumArrayElement, 6);
   assert_int_equal(r.SurfaceMinLOD, 1);
   assert_int_equal(r.MIPCountLOD, 1);
   assert_int_equal(r.TileMode, YMAJOR);
   assert_int_equal(r.SurfacePitch, 255);
   assert_int_equal(r.SurfaceQPitch * 4, s.array_pitch_el_rows);
   assert_int_equal(r.SurfaceHorizontalAlignment, HALIGN_4);
   assert_int_equal(r.ShaderChannelSelectAlpha, SCS_ALPHA);
   assert_true(r.CubeFaceEnableNegativeY);
   assert_int_equal(r.SurfaceBaseAddress, 0x10000);

   struct isl_view one = view;
   one.levels = 1;
   isl_surf_fill_state(skl(), dw, .surf = &s, .view = &one,
                       .address = 0x10000);
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &r);
   assert_int_equal(r.MIPCountLOD, 0);
}

static void
render_target_state(void **state)
{
   struct isl_surf s;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_3D, .format = ISL_FORMAT_R16G16_FLOAT,
      .width = 64, .height = 32, .depth = 16, .levels = 3, .array_len = 1,
      .samples = 1, .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT));
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT,
      .format = ISL_FORMAT_R16G16_FLOAT,
      .base_level = 2,
      .levels = 1,
      .base_array_layer = 3,
      .array_len = 1,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   uint32_t dw[16];
   isl_surf_fill_state(skl(), dw, .surf = &s, .view = &view, .address = 0);
   struct GEN9_RENDER_SURFACE_STATE r;
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &r);
   assert_int_equal(r.SurfaceType, SURFTYPE_3D);
   assert_int_equal(r.Depth, 15);
   assert_int_equal(r.MIPCountLOD, 2);
   assert_int_equal(r.SurfaceMinLOD, 0);
   assert_int_equal(r.MinimumArrayElement, 3);
   assert_int_equal(r.RenderTargetViewExtent, 0);
   assert_false(r.SurfaceArray);
}

static void
buffer_states(void **state)
{
   uint32_t dw[16];
   struct GEN9_RENDER_SURFACE_STATE r;
   isl_buffer_fill_state(skl(), dw, .address = 0x1000, .size_B = 1001,
                         .format = ISL_FORMAT_RAW, .stride_B = 1,
                         .swizzle = ISL_SWIZZLE_IDENTITY);
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &r);
   assert_int_equal(r.SurfaceType, SURFTYPE_BUFFER);
   assert_int_equal(r.Width + (r.Height << 7) + (r.Depth << 21) + 1, 1004);

   isl_buffer_fill_state(skl(), dw, .address = 0x1000, .size_B = 16 << 22,
                         .format = ISL_FORMAT_R32G32B32A32_FLOAT,
                         .stride_B = 16, .swizzle = ISL_SWIZZLE_IDENTITY);
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &r);
   assert_int_equal(r.Width, 127);
   assert_int_equal(r.Height, 16383);
   assert_int_equal(r.Depth, 1);
   assert_int_equal(r.SurfacePitch, 15);

   isl_buffer_fill_state(skl(), dw, .address = 0x1000, .size_B = 3,
                         .format = ISL_FORMAT_R32_FLOAT, .stride_B = 4);
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &r);
   assert_int_equal(r.SurfaceType, SURFTYPE_NULL);
   assert_int_equal(r.Width, 0);
   assert_int_equal(r.Height, 0);
   assert_int_equal(r.Depth, 0);
}

/* BDW PRM volume 5, "3D Surfaces": 2^l slices of level l in a row. */
static void
broadwell_slices(void **state)
{
   struct isl_surf s;
   assert_true(isl_surf_init(
      intel_device_info_by_name("bdw"), &s, .dim = ISL_SURF_DIM_3D,
      .format = ISL_FORMAT_R8G8B8A8_UNORM, .width = 8, .height = 8,
      .depth = 5, .levels = 3, .array_len = 1, .samples = 1,
      .usage = ISL_SURF_USAGE_TEXTURE_BIT));
   assert_offset(&s, 0, 0, 4, 0, 32);
   assert_offset(&s, 1, 0, 0, 0, 40);
   assert_offset(&s, 1, 0, 1, 4, 40);
   assert_offset(&s, 2, 0, 0, 0, 44);
   assert_true(s.size_B >= 48 * s.row_pitch_B);
}

/* Alignment and QPitch of blocks count pixels on Gen8, blocks on Gen9. */
static void
broadwell_blocks(void **state)
{
   const struct intel_device_info *bdw = intel_device_info_by_name("bdw");
   struct isl_surf s;
   assert_true(isl_surf_init(
      bdw, &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_BC1_UNORM,
      .width = 32, .height = 32, .depth = 1, .levels = 2, .array_len = 2,
      .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT));
   /* 8 rows of blocks, then 4. */
   assert_offset(&s, 1, 0, 0, 0, 8);
   assert_offset(&s, 0, 1, 0, 0, 12);
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .format = ISL_FORMAT_BC1_UNORM,
      .levels = 2,
      .array_len = 2,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   uint32_t dw[16];
   struct GEN8_RENDER_SURFACE_STATE r;
   isl_surf_fill_state(bdw, dw, .surf = &s, .view = &view, .address = 0);
   GEN8_RENDER_SURFACE_STATE_unpack(dw, &r);
   assert_int_equal(r.SurfaceHorizontalAlignment, 1);
   assert_int_equal(r.SurfaceVerticalAlignment, 1);
   assert_int_equal(r.SurfaceQPitch * 4, 12 * 4);
}

/* IVB PRM volume 1 part 1, 6.18.4.7 "Surface Arrays": QPitch = h0 + h1 + 12j
 * with more than one level, h0 with one; a stencil buffer's is always the
 * former. */
static void
haswell_slices(void **state)
{
   const struct intel_device_info *hsw = intel_device_info_by_name("hsw");
   struct isl_surf s;
   assert_true(isl_surf_init(
      hsw, &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8G8B8A8_UNORM,
      .width = 64, .height = 64, .depth = 1, .levels = 7, .array_len = 4,
      .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT));
   assert_offset(&s, 0, 3, 0, 0, 3 * (64 + 32 + 12 * 4));
   assert_offset(&s, 2, 1, 0, 32, 144 + 64);
   assert_true(isl_surf_init(
      hsw, &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8G8B8A8_UNORM,
      .width = 64, .height = 62, .depth = 1, .levels = 1, .array_len = 4,
      .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT));
   assert_offset(&s, 0, 1, 0, 0, 64);
   assert_true(isl_surf_init(
      hsw, &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8_UINT,
      .width = 100, .height = 50, .depth = 1, .levels = 1, .array_len = 2,
      .samples = 1, .usage = ISL_SURF_USAGE_STENCIL_BIT));
   assert_offset(&s, 0, 1, 0, 0, 56 + 32 + 12 * 8);
   /* Blocks of four rows: (h0 + h1 + 12j) / 4. */
   assert_true(isl_surf_init(
      hsw, &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_BC1_UNORM,
      .width = 32, .height = 32, .depth = 1, .levels = 2, .array_len = 2,
      .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT));
   assert_offset(&s, 0, 1, 0, 0, (32 + 16 + 48) / 4);
}

/* No two samples, no sixteen; on IVB alignment by two rows where four is
 * "not supported for surface format R32G32B32_FLOAT". */
static void
gen7_limits(void **state)
{
   static const uint32_t counts[] = { 2, 4, 8, 16 };
   struct isl_surf s;
   for (unsigned i = 0; i < ARRAY_SIZE(counts); i++) {
      const bool ok = isl_surf_init(
         intel_device_info_by_name("ivb"), &s, .dim = ISL_SURF_DIM_2D,
         .format = ISL_FORMAT_R8G8B8A8_UNORM, .width = 16, .height = 16,
         .depth = 1, .levels = 1, .array_len = 1, .samples = counts[i],
         .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT);
      assert_int_equal(ok, counts[i] == 4 || counts[i] == 8);
   }
   /* clang-format off */
   static const struct { const char *name; uint32_t rows; } aligns[] = {
      { "ivb", 2 }, { "hsw", 4 },
   };
   /* clang-format on */
   for (unsigned i = 0; i < ARRAY_SIZE(aligns); i++) {
      assert_true(isl_surf_init(
         intel_device_info_by_name(aligns[i].name), &s,
         .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R32G32B32_FLOAT,
         .width = 16, .height = 5, .depth = 1, .levels = 2, .array_len = 1,
         .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT));
      assert_offset(&s, 1, 0, 0, 0, aligns[i].rows == 2 ? 6 : 8);
   }
}

static void
haswell_state(void **state)
{
   const struct intel_device_info *hsw = intel_device_info_by_name("hsw");
   struct isl_surf s;
   assert_true(isl_surf_init(
      hsw, &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R16_UNORM,
      .width = 64, .height = 32, .depth = 1, .levels = 3, .array_len = 6,
      .samples = 1,
      .usage = ISL_SURF_USAGE_DEPTH_BIT | ISL_SURF_USAGE_TEXTURE_BIT));
   /* clang-format off */
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_TEXTURE_BIT, .format = ISL_FORMAT_R16_UNORM,
      .base_level = 1, .levels = 2, .base_array_layer = 2, .array_len = 3,
      .swizzle = { ISL_CHANNEL_SELECT_RED, ISL_CHANNEL_SELECT_RED,
                   ISL_CHANNEL_SELECT_ZERO, ISL_CHANNEL_SELECT_ONE },
   };
   /* clang-format on */
   uint32_t dw[16];
   struct GEN75_RENDER_SURFACE_STATE r;
   isl_surf_fill_state(hsw, dw, .surf = &s, .view = &view,
                       .address = 0x12345000, .mocs = 1);
   GEN75_RENDER_SURFACE_STATE_unpack(dw, &r);
   assert_int_equal(r.SurfaceType, SURFTYPE_2D);
   assert_int_equal(r.SurfaceFormat, ISL_FORMAT_R16_UNORM);
   assert_int_equal(r.SurfaceBaseAddress, 0x12345000);
   assert_true(r.TiledSurface && r.TileWalk == TILEWALK_YMAJOR);
   assert_int_equal(r.SurfaceHorizontalAlignment, GEN7_HALIGN_8);
   assert_int_equal(r.SurfaceVerticalAlignment, GEN7_VALIGN_4);
   assert_int_equal(r.SurfaceArraySpacing, ARYSPC_FULL);
   assert_int_equal(r.Width, 63);
   assert_int_equal(r.Height, 31);
   assert_int_equal(r.SurfacePitch, s.row_pitch_B - 1);
   assert_int_equal(r.SurfaceMinLOD, 1);
   assert_int_equal(r.MIPCountLOD, 1);
   assert_int_equal(r.MinimumArrayElement, 2);
   assert_int_equal(r.Depth, 2);
   assert_int_equal(r.MOCS, 1);
   assert_int_equal(r.ShaderChannelSelectGreen, 4);
   assert_int_equal(r.ShaderChannelSelectAlpha, 1);
}

static void
swizzles(void **state)
{
   const struct isl_swizzle bgr1 = {
      ISL_CHANNEL_SELECT_BLUE,
      ISL_CHANNEL_SELECT_GREEN,
      ISL_CHANNEL_SELECT_RED,
      ISL_CHANNEL_SELECT_ONE,
   };
   const struct isl_swizzle aarg = {
      ISL_CHANNEL_SELECT_ALPHA,
      ISL_CHANNEL_SELECT_ALPHA,
      ISL_CHANNEL_SELECT_RED,
      ISL_CHANNEL_SELECT_ZERO,
   };
   const struct isl_swizzle s = isl_swizzle_compose(bgr1, aarg);
   assert_int_equal(s.r, ISL_CHANNEL_SELECT_ONE);
   assert_int_equal(s.g, ISL_CHANNEL_SELECT_ONE);
   assert_int_equal(s.b, ISL_CHANNEL_SELECT_BLUE);
   assert_int_equal(s.a, ISL_CHANNEL_SELECT_ZERO);
}

/* Tiles of 128x64 pixels. */
static void
hierarchical_depth(void **state)
{
   struct isl_surf s;
   struct isl_hiz hiz;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R32_FLOAT,
      .width = 129, .height = 65, .depth = 1, .levels = 1, .array_len = 3,
      .samples = 1, .usage = ISL_SURF_USAGE_DEPTH_BIT));
   assert_true(isl_surf_get_hiz(&s, &hiz));
   assert_int_equal(hiz.row_pitch_B, 256);
   assert_int_equal(hiz.array_pitch_px_rows, 128);
   assert_int_equal(hiz.size_B, 3 * 2 * 2 * 4096);
   s.levels = 2;
   assert_false(isl_surf_get_hiz(&s, &hiz));
   s.levels = 1;
   s.usage = ISL_SURF_USAGE_TEXTURE_BIT;
   assert_false(isl_surf_get_hiz(&s, &hiz));
}

/* Blocks of BC1 as texels of 64 bits: below 5 of them (20 px) are 3 (10 px),
 * then 2 (5 px), where 5 texels would have 2 and 1. */
static void
blocks_of_levels(void **state)
{
   struct isl_surf s, blocks;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_BC1_UNORM,
      .width = 20, .height = 12, .depth = 1, .levels = 3, .array_len = 2,
      .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .tiling_flags = ISL_TILING_LINEAR_BIT));
   static const unsigned size[3][2] = { { 5, 3 }, { 3, 2 }, { 2, 1 } };
   for (unsigned layer = 0; layer < 2; layer++) {
      for (unsigned l = 0; l < 3; l++) {
         uint64_t offset_B;
         uint32_t x, y;
         assert_true(isl_surf_of_blocks(&s, ISL_FORMAT_R32G32_UINT, l, layer,
                                        &blocks, &offset_B));
         isl_surf_get_image_offset_el(&s, l, layer, 0, &x, &y);
         assert_int_equal(offset_B, y * s.row_pitch_B + x * 8);
         assert_int_equal(blocks.format, ISL_FORMAT_R32G32_UINT);
         assert_int_equal(blocks.levels, 1);
         assert_int_equal(blocks.logical_level0_px.w, size[l][0]);
         assert_int_equal(blocks.logical_level0_px.h, size[l][1]);
         assert_int_equal(blocks.row_pitch_B, s.row_pitch_B);
         assert_int_equal(blocks.size_B + offset_B, s.size_B);
      }
   }
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_BC1_UNORM,
      .width = 20, .height = 12, .depth = 1, .levels = 3, .array_len = 2,
      .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .tiling_flags = ISL_TILING_Y0_BIT));
   uint64_t offset_B;
   assert_false(isl_surf_of_blocks(&s, ISL_FORMAT_R32G32_UINT, 0, 0, &blocks,
                                   &offset_B));
}

/* Slices are layers of such a surface on Gen9; before, several lie side by
 * side, and one is a surface. */
static void
blocks_of_slices(void **state)
{
   static const char *const names[] = { "ivb", "hsw", "bdw", "skl" };
   for (unsigned i = 0; i < 4; i++) {
      struct isl_surf s, blocks;
      uint64_t offset_B;
      assert_true(isl_surf_init(
         intel_device_info_by_name(names[i]), &s, .dim = ISL_SURF_DIM_3D,
         .format = ISL_FORMAT_BC1_UNORM, .width = 16, .height = 16,
         .depth = 4, .levels = 3, .array_len = 1, .samples = 1,
         .usage = ISL_SURF_USAGE_TEXTURE_BIT,
         .tiling_flags = ISL_TILING_LINEAR_BIT));
      assert_int_equal(isl_surf_of_blocks(&s, ISL_FORMAT_R32G32_UINT, 1, 0,
                                          &blocks, &offset_B),
                       i == 3);
      if (i == 3)
         assert_int_equal(blocks.logical_level0_px.d, 2);
      assert_true(isl_surf_of_blocks(&s, ISL_FORMAT_R32G32_UINT, 2, 0,
                                     &blocks, &offset_B));
      assert_int_equal(blocks.logical_level0_px.d, 1);
   }
}

/* Two channels a texel where there are four: twice as many, and each where
 * its half of the larger one is. */
static void
texels_of_halves(void **state)
{
   static const char *const names[] = { "ivb", "hsw", "bdw", "skl" };
   static const uint32_t tilings[] = { ISL_TILING_LINEAR_BIT,
                                       ISL_TILING_X_BIT, ISL_TILING_Y0_BIT };
   for (unsigned i = 0; i < 12; i++) {
      struct isl_surf s;
      assert_true(isl_surf_init(
         intel_device_info_by_name(names[i / 3]), &s, .dim = ISL_SURF_DIM_2D,
         .format = ISL_FORMAT_R8G8B8A8_UNORM, .width = 75, .height = 10,
         .depth = 1, .levels = 1, .array_len = 3, .samples = 1,
         .usage = ISL_SURF_USAGE_TEXTURE_BIT,
         .tiling_flags = tilings[i % 3]));
      const struct isl_surf t = isl_surf_of_texels(&s, ISL_FORMAT_R8G8_UNORM);
      assert_int_equal(t.logical_level0_px.w, 150);
      assert_int_equal(t.logical_level0_px.h, 10);
      assert_int_equal(t.size_B, s.size_B);
      for (unsigned layer = 0; layer < 3; layer++) {
         uint64_t a_B, b_B;
         uint32_t ax, ay, bx, by;
         isl_surf_get_image_offset_B_tile_el(&s, 0, layer, 0, &a_B, &ax, &ay);
         isl_surf_get_image_offset_B_tile_el(&t, 0, layer, 0, &b_B, &bx, &by);
         assert_int_equal(a_B, b_B);
         assert_int_equal(ay, by);
         assert_int_equal(ax, bx);
      }
   }
}

/* From Gen8 on the last columns of a tiled render target that is too wide
 * land elsewhere: chip-rules RL-33. */
static void
wide_targets(void **state)
{
   static const struct {
      const char *chip;
      uint32_t width;
      enum isl_format format;
      isl_surf_usage_flags_t usage;
      enum isl_tiling tiling;
   } rows[] = {
      { "skl", 16384, ISL_FORMAT_R8G8B8A8_UNORM,
        ISL_SURF_USAGE_RENDER_TARGET_BIT, ISL_TILING_LINEAR },
      { "bdw", 16383, ISL_FORMAT_R32G32B32A32_FLOAT,
        ISL_SURF_USAGE_RENDER_TARGET_BIT, ISL_TILING_LINEAR },
      { "skl", 16382, ISL_FORMAT_R8G8B8A8_UNORM,
        ISL_SURF_USAGE_RENDER_TARGET_BIT, ISL_TILING_Y0 },
      { "hsw", 16384, ISL_FORMAT_R8G8B8A8_UNORM,
        ISL_SURF_USAGE_RENDER_TARGET_BIT, ISL_TILING_Y0 },
      { "skl", 16384, ISL_FORMAT_R8G8B8A8_UNORM, ISL_SURF_USAGE_TEXTURE_BIT,
        ISL_TILING_Y0 },
      { "skl", 16384, ISL_FORMAT_BC1_UNORM, ISL_SURF_USAGE_RENDER_TARGET_BIT,
        ISL_TILING_Y0 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct isl_surf s;
      assert_true(isl_surf_init(
         intel_device_info_by_name(rows[i].chip), &s, .dim = ISL_SURF_DIM_2D,
         .format = rows[i].format, .width = rows[i].width, .height = 4,
         .depth = 1, .levels = 1, .array_len = 1, .samples = 1,
         .usage = rows[i].usage));
      assert_int_equal(s.tiling, rows[i].tiling);
   }
}

/* One, four or eight bytes a pixel, whole tiles of 128 bytes by 32 rows;
 * layers ALIGN(h, 4) rows apart (IVB PRM vol 1 part 1, "Surface Arrays", with
 * the spacing of level 0; a choice from Gen8 on). */
static void
sample_control(void **state)
{
   static const struct {
      const char *gen;
      enum isl_format format;
      uint32_t samples, width;
      uint32_t pitch_B; /* 0: there is none */
   } rows[] = {
      { "skl", ISL_FORMAT_R8G8B8A8_UNORM, 2, 129, 256 },
      { "skl", ISL_FORMAT_R8G8B8A8_UNORM, 4, 129, 256 },
      { "skl", ISL_FORMAT_R32G32B32A32_SINT, 8, 129, 640 },
      { "skl", ISL_FORMAT_R8G8B8A8_UNORM, 16, 129, 1152 },
      { "skl", ISL_FORMAT_R8G8B8A8_UNORM, 16, 8192, 65536 },
      { "skl", ISL_FORMAT_R8G8B8A8_UNORM, 16, 8193, 0 },
      { "skl", ISL_FORMAT_R8G8B8A8_UNORM, 1, 129, 0 },
      { "ivb", ISL_FORMAT_R8G8B8A8_UNORM, 4, 129, 256 },
      { "ivb", ISL_FORMAT_R8G8B8A8_UINT, 8, 129, 640 },
      { "ivb", ISL_FORMAT_R8G8B8A8_SINT, 4, 129, 0 },
      { "hsw", ISL_FORMAT_R8G8B8A8_SINT, 4, 129, 0 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct intel_device_info *dev =
         intel_device_info_by_name(rows[i].gen);
      struct isl_surf s, mcs;
      assert_true(isl_surf_init(
         dev, &s, .dim = ISL_SURF_DIM_2D, .format = rows[i].format,
         .width = rows[i].width, .height = 45, .depth = 1, .levels = 1,
         .array_len = 3, .samples = rows[i].samples,
         .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT));
      assert_int_equal(isl_surf_get_mcs(dev, &s, &mcs), rows[i].pitch_B > 0);
      if (!rows[i].pitch_B)
         continue;
      assert_int_equal(mcs.row_pitch_B, rows[i].pitch_B);
      assert_int_equal(mcs.array_pitch_el_rows, 48);
      /* 144 rows are five tiles. */
      assert_int_equal(mcs.size_B, 5 * 32 * rows[i].pitch_B);
      assert_int_equal(mcs.alignment_B, 4096);
   }
}

static void
sample_control_state(void **state)
{
   struct isl_surf s, mcs;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8G8B8A8_UNORM,
      .width = 129, .height = 45, .depth = 1, .levels = 1, .array_len = 3,
      .samples = 4, .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT));
   assert_true(isl_surf_get_mcs(skl(), &s, &mcs));
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT,
      .format = s.format,
      .levels = 1,
      .array_len = 3,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   uint32_t dw[16];
   struct GEN9_RENDER_SURFACE_STATE out;
   isl_surf_fill_state(skl(), dw, .surf = &s, .view = &view,
                       .address = 0x10000, .mcs = &mcs,
                       .mcs_address = 0x123456000);
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &out);
   assert_int_equal(out.AuxiliarySurfaceMode, AUX_CCS_D);
   assert_int_equal(out.AuxiliarySurfaceBaseAddress, 0x123456000);
   assert_int_equal(out.AuxiliarySurfacePitch, 256 / 128 - 1);
   assert_int_equal(out.AuxiliarySurfaceQPitch, 48 / 4);
   assert_int_equal(out.SurfaceHorizontalAlignment, HALIGN_16);
   assert_int_equal(out.RedClearColor, 0);
   isl_surf_fill_state(skl(), dw, .surf = &s, .view = &view,
                       .address = 0x10000);
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &out);
   assert_int_equal(out.AuxiliarySurfaceMode, AUX_NONE);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(mip_tree_2d),
      cmocka_unit_test(odd_sizes_are_aligned),
      cmocka_unit_test(volume),
      cmocka_unit_test(line),
      cmocka_unit_test(compressed),
      cmocka_unit_test(multisampled),
      cmocka_unit_test(stencil),
      cmocka_unit_test(refuses),
      cmocka_unit_test(given_row_pitch),
      cmocka_unit_test(tile_addresses),
      cmocka_unit_test(swizzled_addresses),
      cmocka_unit_test(formats),
      cmocka_unit_test(format_uses),
      cmocka_unit_test(texture_state),
      cmocka_unit_test(render_target_state),
      cmocka_unit_test(buffer_states),
      cmocka_unit_test(broadwell_slices),
      cmocka_unit_test(broadwell_blocks),
      cmocka_unit_test(haswell_slices),
      cmocka_unit_test(gen7_limits),
      cmocka_unit_test(haswell_state),
      cmocka_unit_test(hierarchical_depth),
      cmocka_unit_test(sample_control),
      cmocka_unit_test(sample_control_state),
      cmocka_unit_test(swizzles),
      cmocka_unit_test(blocks_of_levels),
      cmocka_unit_test(blocks_of_slices),
      cmocka_unit_test(texels_of_halves),
      cmocka_unit_test(wide_targets),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
