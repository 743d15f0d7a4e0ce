/* SPDX-License-Identifier: MIT */
/* Control surfaces of colour: sizes worked out by hand, surface states
 * through genxml, colours that one can be cleared to. */
#include "util/unit_test.h"

#include <math.h>

#include "intel/genxml/gen8_pack.h"
#include "intel/genxml/gen9_pack.h"
#include "intel/isl/isl.h"

static const struct intel_device_info *
skl(void)
{
   return intel_device_info_by_name("skl");
}

/* Of 32 bits two cache lines are 8x4 pixels, and 128x256 elements of one bit,
 * 128x128 of two, a tile of the control surface. */
static void
layout(void **state)
{
   static const struct {
      const char *gen;
      enum isl_format format;
      uint32_t width, height, layers, levels;
      uint32_t pitch_B, layer_rows, tiles; /* 0: none */
   } rows[] = {
      { "ivb", ISL_FORMAT_R8G8B8A8_UNORM, 1024, 1024, 1, 1, 128, 1024, 1 },
      { "ivb", ISL_FORMAT_R8G8B8A8_UNORM, 1025, 1025, 1, 1, 256, 1028, 4 },
      { "hsw", ISL_FORMAT_R16G16B16A16_FLOAT, 513, 9, 1, 1, 256, 12, 2 },
      { "bdw", ISL_FORMAT_R32G32B32A32_FLOAT, 300, 9, 3, 1, 256, 128, 2 },
      { "bdw", ISL_FORMAT_R8G8B8A8_UNORM, 64, 130, 8, 3, 128, 256, 2 },
      { "skl", ISL_FORMAT_R8G8B8A8_UNORM, 1024, 512, 1, 1, 128, 512, 1 },
      { "skl", ISL_FORMAT_R8G8B8A8_UNORM, 1024, 513, 1, 1, 128, 576, 2 },
      { "skl", ISL_FORMAT_R8G8B8A8_UNORM, 65, 65, 5, 1, 128, 128, 2 },
      { "ivb", ISL_FORMAT_R8G8B8A8_UNORM, 64, 64, 2, 1, 0, 0, 0 },
      { "hsw", ISL_FORMAT_R8G8B8A8_UNORM, 64, 64, 1, 2, 0, 0, 0 },
      { "skl", ISL_FORMAT_R16_FLOAT, 64, 64, 1, 1, 0, 0, 0 },
      { "skl", ISL_FORMAT_R32G32B32_FLOAT, 64, 64, 1, 1, 0, 0, 0 },
      { "skl", ISL_FORMAT_BC1_UNORM, 64, 64, 1, 1, 0, 0, 0 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct intel_device_info *dev =
         intel_device_info_by_name(rows[i].gen);
      struct isl_surf s;
      struct isl_ccs ccs;
      assert_true(isl_surf_init(
         dev, &s, .dim = ISL_SURF_DIM_2D, .format = rows[i].format,
         .width = rows[i].width, .height = rows[i].height, .depth = 1,
         .levels = rows[i].levels, .array_len = rows[i].layers, .samples = 1,
         .usage = ISL_SURF_USAGE_TEXTURE_BIT));
      assert_int_equal(isl_surf_get_ccs(dev, &s, &ccs), rows[i].pitch_B > 0);
      if (!rows[i].pitch_B)
         continue;
      assert_int_equal(ccs.row_pitch_B, rows[i].pitch_B);
      assert_int_equal(ccs.array_pitch_px_rows, rows[i].layer_rows);
      assert_int_equal(ccs.size_B, rows[i].tiles * 4096);
      s.tiling = ISL_TILING_X;
      assert_false(isl_surf_get_ccs(dev, &s, &ccs));
   }
}

/* Gen9 has a dword for each channel, the others a bit. */
static void
state_of_target(void **state)
{
   const struct intel_device_info *bdw = intel_device_info_by_name("bdw");
   const union isl_color color = { .f32 = { 0.5f, 0, 1, 0.25f } };
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT,
      .format = ISL_FORMAT_R8G8B8A8_UNORM,
      .levels = 1,
      .array_len = 3,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   struct isl_surf s;
   struct isl_ccs ccs;
   assert_true(isl_surf_init(
      skl(), &s, .dim = ISL_SURF_DIM_2D, .format = view.format, .width = 1100,
      .height = 45, .depth = 1, .levels = 1, .array_len = 3, .samples = 1,
      .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT));
   assert_true(isl_surf_get_ccs(skl(), &s, &ccs));
   uint32_t dw[16];
   struct GEN9_RENDER_SURFACE_STATE out;
   isl_surf_fill_state(skl(), dw, .surf = &s, .view = &view,
                       .address = 0x10000, .ccs = &ccs,
                       .ccs_address = 0x123456000, .clear_color = color);
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &out);
   assert_int_equal(out.AuxiliarySurfaceMode, AUX_CCS_D);
   assert_int_equal(out.AuxiliarySurfaceBaseAddress, 0x123456000);
   assert_int_equal(out.AuxiliarySurfacePitch, 256 / 128 - 1);
   assert_int_equal(out.AuxiliarySurfaceQPitch, 64 / 4);
   assert_int_equal(out.SurfaceHorizontalAlignment, HALIGN_16);
   assert_int_equal(out.RedClearColor, color.u32[0]);
   assert_int_equal(out.GreenClearColor, color.u32[1]);
   assert_int_equal(out.BlueClearColor, color.u32[2]);
   assert_int_equal(out.AlphaClearColor, color.u32[3]);
   struct GEN8_RENDER_SURFACE_STATE out8;
   isl_surf_fill_state(bdw, dw, .surf = &s, .view = &view, .address = 0x10000,
                       .ccs = &ccs, .ccs_address = 0x123456000,
                       .clear_color = { .u32 = { 1, 0, 1, 0 } });
   GEN8_RENDER_SURFACE_STATE_unpack(dw, &out8);
   assert_int_equal(out8.AuxiliarySurfaceMode, 1);
   assert_int_equal(out8.RedClearColor, 1);
   assert_int_equal(out8.GreenClearColor, 0);
   assert_int_equal(out8.BlueClearColor, 1);
   assert_int_equal(out8.AlphaClearColor, 0);
}

static void
colors(void **state)
{
   const struct intel_device_info *ivb = intel_device_info_by_name("ivb");
   static const struct {
      enum isl_format format;
      union isl_color color;
      bool skl, ivb;
   } rows[] = {
      { ISL_FORMAT_R8G8B8A8_UNORM, { .f32 = { 1, 0, 1, 0 } }, true, true },
      { ISL_FORMAT_R8G8B8A8_UNORM,
        { .f32 = { 1, 0, 0.5f, 0 } },
        true,
        false },
      { ISL_FORMAT_R8G8B8A8_UNORM,
        { .f32 = { 1.5f, 0, 0, 0 } },
        false,
        false },
      { ISL_FORMAT_R8G8B8A8_UNORM, { .f32 = { -1, 0, 0, 0 } }, false, false },
      { ISL_FORMAT_R8G8B8A8_UNORM,
        { .f32 = { NAN, 0, 0, 0 } },
        false,
        false },
      { ISL_FORMAT_R8G8B8A8_SNORM, { .f32 = { -1, 0, 0, 0 } }, true, false },
      { ISL_FORMAT_R8G8B8A8_UNORM_SRGB, { .f32 = { 0.5f } }, false, false },
      { ISL_FORMAT_R8G8B8A8_UNORM_SRGB,
        { .f32 = { 0, 1, 0, 0.5f } },
        true,
        false },
      /* What is not there is not asked for. */
      { ISL_FORMAT_R32_FLOAT, { .f32 = { 1, 7, 7, 7 } }, true, true },
      { ISL_FORMAT_R32_FLOAT, { .f32 = { 1e9f } }, true, false },
      { ISL_FORMAT_R16G16_FLOAT, { .f32 = { -65504, 0 } }, true, false },
      { ISL_FORMAT_R16G16_FLOAT, { .f32 = { 65505, 0 } }, false, false },
      { ISL_FORMAT_R11G11B10_FLOAT, { .f32 = { -1, 0 } }, false, false },
      { ISL_FORMAT_R8G8B8A8_UINT, { .u32 = { 1, 0, 1, 1 } }, true, true },
      { ISL_FORMAT_R8G8B8A8_UINT, { .u32 = { 255, 0 } }, true, false },
      { ISL_FORMAT_R8G8B8A8_UINT, { .u32 = { 256, 0 } }, false, false },
      { ISL_FORMAT_R8G8B8A8_SINT, { .i32 = { -128, 127 } }, true, false },
      { ISL_FORMAT_R8G8B8A8_SINT, { .i32 = { -129, 0 } }, false, false },
      { ISL_FORMAT_R32_SINT, { .i32 = { INT32_MIN } }, true, false },
   };
   const struct isl_surf one = { .samples = 1 }, more = { .samples = 4 };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      assert_int_equal(isl_surf_takes_clear(skl(), &one, rows[i].format,
                                            &rows[i].color),
                       rows[i].skl);
      assert_int_equal(isl_surf_takes_clear(ivb, &one, rows[i].format,
                                            &rows[i].color),
                       rows[i].ivb);
      /* Of samples no generation knows others. */
      assert_int_equal(isl_surf_takes_clear(skl(), &more, rows[i].format,
                                            &rows[i].color),
                       rows[i].ivb);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(layout),
      cmocka_unit_test(state_of_target),
      cmocka_unit_test(colors),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
