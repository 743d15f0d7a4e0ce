/* SPDX-License-Identifier: MIT */
/*
 * Texel formats against values worked out from the definitions of the
 * formats, decoded surfaces against isl's layout of the same image, and what
 * must be refused.
 */
#include "util/half.h"
#include "util/unit_test.h"

#include <math.h>

#include "intel/genxml/gen75_pack.h"
#include "intel/genxml/gen8_pack.h"
#include "intel/genxml/gen9_pack.h"
#include "intel/isl/isl.h"
#include "intel/sim/mem/surface.h"

static const struct intel_device_info *
skl(void)
{
   return intel_device_info_by_name("skl");
}

static void
unpack_f(unsigned format, const void *texel, float out[4])
{
   uint32_t w[4];
   assert_true(sim_format_can_unpack(format));
   sim_format_unpack(format, texel, w);
   for (unsigned c = 0; c < 4; c++)
      out[c] = util_bits_float(w[c]);
}

static void
expect_f(unsigned format, uint64_t bits, float r, float g, float b, float a)
{
   float v[4];
   unpack_f(format, &bits, v);
   const float want[4] = { r, g, b, a };
   for (unsigned c = 0; c < 4; c++) {
      if (fabsf(v[c] - want[c]) > 1e-6f)
         fail_msg("%s channel %u: %g, not %g", sim_format_name(format), c,
                  v[c], want[c]);
   }
}

static void
unpacks(void **state)
{
   expect_f(ISL_FORMAT_R8G8B8A8_UNORM, 0xff8000cc, 0xcc / 255.0f, 0,
            128 / 255.0f, 1);
   expect_f(ISL_FORMAT_B8G8R8A8_UNORM, 0x00ff0033, 1, 0, 0.2f, 0);
   expect_f(ISL_FORMAT_B8G8R8X8_UNORM, 0x00ff0033, 1, 0, 0.2f, 1);
   expect_f(ISL_FORMAT_R8G8B8A8_SNORM, 0x7f8081c0, -64 / 127.0f, -1, -1, 1);
   expect_f(ISL_FORMAT_B5G6R5_UNORM, 31 << 11 | 21 << 5 | 0, 1, 21 / 63.0f, 0,
            1);
   expect_f(ISL_FORMAT_B5G5R5A1_UNORM, 1 << 15 | 31, 0, 0, 1, 1);
   expect_f(ISL_FORMAT_A4B4G4R4_UNORM, 0xf05a, 1, 0, 1 / 3.0f, 2 / 3.0f);
   expect_f(ISL_FORMAT_R10G10B10A2_UNORM, 1023u | 341 << 20 | 1u << 30, 1, 0,
            1 / 3.0f, 1 / 3.0f);
   expect_f(ISL_FORMAT_R8_UNORM, 51, 0.2f, 0, 0, 1);
   expect_f(ISL_FORMAT_A8_UNORM, 51, 0, 0, 0, 0.2f);
   expect_f(ISL_FORMAT_R16_SNORM, 0x8000, -1, 0, 0, 1);
   expect_f(ISL_FORMAT_R24_UNORM_X8_TYPELESS, 0xabffffff, 1, 0, 0, 1);
   expect_f(ISL_FORMAT_R16G16_FLOAT, 0xc0003800, 0.5f, -2, 0, 1);
   /* 2^-14 * 1.5, 3, 2^-19 (the least of the 10-bit floats). */
   expect_f(ISL_FORMAT_R11G11B10_FLOAT,
            (1 << 6 | 32) | (16 << 6 | 32) << 11 | 1u << 22, 1.5f / 16384, 3,
            1.0f / (1 << 19), 1);
   /* Exponent 16: mantissas times 2^(16 - 15 - 9). */
   expect_f(ISL_FORMAT_R9G9B9E5_SHAREDEXP, 256 | 128 << 9 | 16u << 27, 1,
            0.5f, 0, 1);
   expect_f(ISL_FORMAT_R8G8B8A8_UNORM_SRGB, 0x80bc00ff, 1, 0, 0.50288647f,
            128 / 255.0f);
   expect_f(ISL_FORMAT_R16G16_SSCALED, 0x8000fffe, -2, -32768, 0, 1);
}

static void
unpacks_integers(void **state)
{
   uint32_t w[4];
   const uint32_t v = 0x80ff7f01;
   sim_format_unpack(ISL_FORMAT_R8G8B8A8_SINT, &v, w);
   assert_int_equal(w[0], 1);
   assert_int_equal((int32_t)w[2], -1);
   assert_int_equal((int32_t)w[3], -128);
   sim_format_unpack(ISL_FORMAT_R8_UINT, &v, w);
   assert_int_equal(w[0], 1);
   assert_int_equal(w[1], 0);
   assert_int_equal(w[3], 1);
   const uint64_t gx = 0xffffffaa12345678;
   sim_format_unpack(ISL_FORMAT_X32_TYPELESS_G8X24_UINT, &gx, w);
   assert_int_equal(w[0], 0);
   assert_int_equal(w[1], 0xaa);
}

static uint32_t
pack_f(unsigned format, float r, float g, float b, float a)
{
   const uint32_t w[4] = { util_float_bits(r), util_float_bits(g),
                           util_float_bits(b), util_float_bits(a) };
   uint32_t out[4] = { 0 };
   assert_true(sim_format_can_pack(format));
   sim_format_pack(format, w, out);
   return out[0];
}

static void
packs(void **state)
{
   assert_int_equal(pack_f(ISL_FORMAT_R8G8B8A8_UNORM, 0.5f, -1, 2, NAN),
                    0x00ff0080);
   assert_int_equal(pack_f(ISL_FORMAT_B8G8R8A8_UNORM, 1, 0, 0, 1),
                    0xffff0000);
   assert_int_equal(pack_f(ISL_FORMAT_R8G8B8A8_SNORM, -1, 1, -2, 0.5f),
                    0x40817f81);
   assert_int_equal(pack_f(ISL_FORMAT_B5G6R5_UNORM, 1, 0, 1, 0), 0xf81f);
   assert_int_equal(pack_f(ISL_FORMAT_R10G10B10A2_UNORM, 0, 1, 0, 1),
                    3u << 30 | 1023 << 10);
   assert_int_equal(pack_f(ISL_FORMAT_R8G8B8A8_UNORM_SRGB, 0.5f, 0.5f, 1,
                           0.5f),
                    0x80ffbcbc);
   assert_int_equal(pack_f(ISL_FORMAT_R16G16_FLOAT, 1, -0.5f, 0, 0),
                    0xb8003c00);
   assert_int_equal(pack_f(ISL_FORMAT_R11G11B10_FLOAT, -1, 3, INFINITY, 0),
                    31u << 27 | (16 << 6 | 32) << 11);
   /* Above the largest number; 2^-15 is subnormal; a tie goes to even. */
   assert_int_equal(pack_f(ISL_FORMAT_R11G11B10_FLOAT, 1e6f, 1.0f / 32768,
                           1 + 1.0f / 64, 0),
                    (30 << 6 | 63) | 32 << 11 | (15u << 5) << 22);
   const uint32_t ints[4] = { 300, (uint32_t)-5, 7, 1000 };
   uint32_t out = 0;
   sim_format_pack(ISL_FORMAT_R8G8B8A8_UINT, ints, &out);
   assert_int_equal(out, 0xff07ffff);
   sim_format_pack(ISL_FORMAT_R8G8B8A8_SINT, ints, &out);
   assert_int_equal(out, 0x7f07fb7f);
   assert_false(sim_format_can_pack(ISL_FORMAT_R9G9B9E5_SHAREDEXP));
   assert_false(sim_format_can_pack(ISL_FORMAT_BC1_UNORM));
   assert_false(sim_format_can_pack(0x1fe));
   assert_false(sim_format_can_unpack(ISL_FORMAT_R64_FLOAT));
}

/* All bits of all renderable formats survive reading and writing, as blending
 * with a write mask needs it.
 */
static void
round_trips(void **state)
{
   for (unsigned f = 0; f < ISL_FORMAT_NUMBERS; f++) {
      if (!isl_format_supports(skl(), f, ISL_FORMAT_USE_RENDER))
         continue;
      assert_true(sim_format_can_pack(f));
      uint32_t seed = f + 1;
      for (unsigned i = 0; i < 2000; i++) {
         uint32_t in[4], rgba[4], again[4], out[4] = { 0 };
         for (unsigned d = 0; d < 4; d++) {
            seed = seed * 1664525 + 1013904223;
            in[d] = seed ^ seed >> 13;
         }
         sim_format_unpack(f, in, rgba);
         sim_format_pack(f, rgba, out);
         /* The most negative snorm and NaNs are not unique. */
         sim_format_unpack(f, out, again);
         bool is_nan = false;
         if (sim_format_base(f) == SIM_FORMAT_FLOAT) {
            for (unsigned c = 0; c < 4; c++)
               is_nan |= isnan(util_bits_float(rgba[c]));
         }
         if (!is_nan)
            assert_memory_equal(rgba, again, sizeof(rgba));
      }
   }
}

static void
blocks(void **state)
{
   uint32_t w[4];
   /* Red and blue end points; four colours; texels 0 to 3: 0, 1, 2, 3. */
   const uint64_t bc1 = 0xf800 | 0x001full << 16 | 0xe4ull << 32;
   sim_format_unpack_block(ISL_FORMAT_BC1_UNORM, &bc1, 0, 0, w);
   assert_true(util_bits_float(w[0]) == 1 && w[2] == 0);
   sim_format_unpack_block(ISL_FORMAT_BC1_UNORM, &bc1, 3, 0, w);
   assert_true(fabsf(util_bits_float(w[0]) - 1 / 3.0f) < 1e-6f);
   assert_true(fabsf(util_bits_float(w[2]) - 2 / 3.0f) < 1e-6f);
   /* End points the other way round: texel 3 is transparent. */
   const uint64_t three = 0x001f | 0xf800ull << 16 | 0xe4ull << 32;
   sim_format_unpack_block(ISL_FORMAT_BC1_UNORM, &three, 3, 0, w);
   assert_true(w[0] == 0 && w[3] == 0);
   sim_format_unpack_block(ISL_FORMAT_BC1_UNORM, &three, 2, 0, w);
   assert_true(util_bits_float(w[0]) == 0.5f);
   assert_true(util_bits_float(w[3]) == 1);
   /* BC4: 200, 100; texel 5 has code 2 (6/7 and 1/7), texel 6 code 7. */
   const uint64_t bc4 = 200 | 100 << 8 | 2ull << (16 + 15) |
                        7ull << (16 + 18);
   sim_format_unpack_block(ISL_FORMAT_BC4_UNORM, &bc4, 1, 1, w);
   assert_true(fabsf(util_bits_float(w[0]) - (1200 + 100) / 7.0f / 255) <
               1e-6f);
   sim_format_unpack_block(ISL_FORMAT_BC4_UNORM, &bc4, 2, 1, w);
   assert_true(fabsf(util_bits_float(w[0]) - (200 + 600) / 7.0f / 255) <
               1e-6f);
   /* Signed, six values: -128 counts as -127; code 6 is -1. */
   const uint64_t snorm = 0x80 | 0x40 << 8 | 6ull << 16 | 0ull << 19;
   sim_format_unpack_block(ISL_FORMAT_BC4_SNORM, &snorm, 0, 0, w);
   assert_true(util_bits_float(w[0]) == -1);
   sim_format_unpack_block(ISL_FORMAT_BC4_SNORM, &snorm, 1, 0, w);
   assert_true(util_bits_float(w[0]) == -1);
   /* BC2: alpha nibbles. */
   const uint64_t bc2[2] = { 0x50, bc1 };
   sim_format_unpack_block(ISL_FORMAT_BC2_UNORM, bc2, 1, 0, w);
   assert_true(fabsf(util_bits_float(w[3]) - 1 / 3.0f) < 1e-6f);
   assert_true(util_bits_float(w[2]) == 1);
}

/* Fields of a block, from bit 0 on. */
struct block_writer {
   uint8_t bytes[16];
   unsigned at;
};

static void
put(struct block_writer *b, unsigned value, unsigned bits)
{
   for (unsigned i = 0; i < bits; i++, b->at++)
      b->bytes[b->at / 8] |= (uint8_t)((value >> i & 1) << b->at % 8);
}

static float
block_texel(unsigned format, const struct block_writer *b, unsigned texel,
            unsigned channel)
{
   uint32_t w[4];
   sim_format_unpack_block(format, b->bytes, texel % 4, texel / 4, w);
   return util_bits_float(w[channel]);
}

static void
bptc_blocks(void **state)
{
   /* BC7 mode 6: red from 1 to 255, green from 255 to 1, blue and alpha
    * constant; texel i has index i, in 64ths 34 for index 8. */
   struct block_writer b = { 0 };
   put(&b, 0x40, 7);
   static const uint8_t ends[8] = { 0, 127, 127, 0, 64, 64, 127, 127 };
   for (unsigned i = 0; i < 8; i++)
      put(&b, ends[i], 7);
   put(&b, 3, 2);
   put(&b, 0, 3); /* the anchor's index has a bit less */
   for (unsigned i = 1; i < 16; i++)
      put(&b, i, 4);
   assert_int_equal(b.at, 128);
   const unsigned bc7 = ISL_FORMAT_BC7_UNORM;
   assert_true(block_texel(bc7, &b, 0, 0) == 1 / 255.0f);
   assert_true(block_texel(bc7, &b, 15, 0) == 1);
   assert_true(block_texel(bc7, &b, 8, 0) == 136 / 255.0f);
   assert_true(block_texel(bc7, &b, 8, 1) == 120 / 255.0f);
   assert_true(block_texel(bc7, &b, 8, 2) == 129 / 255.0f);
   assert_true(block_texel(bc7, &b, 8, 3) == 1);

   /* BC6H mode 3: red from 0 to the largest half float, green 31776 of 65536
    * at both ends, which times 31 / 64 are the bits of 1 + 31 / 1024. */
   b = (struct block_writer) { 0 };
   put(&b, 3, 5);
   static const uint16_t ten[6] = { 0, 0x1f0, 0, 0x3ff, 0x1f0, 0 };
   for (unsigned i = 0; i < 6; i++)
      put(&b, ten[i], 10);
   put(&b, 0, 3);
   for (unsigned i = 1; i < 16; i++)
      put(&b, i, 4);
   assert_int_equal(b.at, 128);
   const unsigned uf = ISL_FORMAT_BC6H_UF16, sf = ISL_FORMAT_BC6H_SF16;
   assert_true(block_texel(uf, &b, 0, 0) == 0);
   assert_true(block_texel(uf, &b, 15, 0) == 65504);
   assert_true(block_texel(uf, &b, 7, 1) == 1 + 31 / 1024.0f);
   assert_true(block_texel(uf, &b, 7, 3) == 1);
   /* Signed, 0x3ff is -1: of 10 bits -(1 << 15 | 0x4000) >> 9, times
    * 31/32. */
   assert_true(block_texel(sf, &b, 15, 0) == -util_half_to_float(93));

   /* Reserved modes are black. */
   b = (struct block_writer) { 0 };
   put(&b, 0x13, 5);
   assert_true(block_texel(uf, &b, 3, 0) == 0);
   b = (struct block_writer) { 0 };
   assert_true(block_texel(bc7, &b, 3, 3) == 0);
}

/* ------------------------------------------------------------- addresses */

static struct sim_surface
decode(const struct isl_surf *surf, const struct isl_view *view)
{
   uint32_t dw[16];
   char error[128] = "";
   struct sim_surface s;
   isl_surf_fill_state(skl(), dw, .surf = surf, .view = view,
                       .address = 0x100000);
   if (!sim_surface_decode(&s, dw, error, sizeof(error)))
      fail_msg("%s", error);
   return s;
}

/* Every level and slice starts where isl puts it. */
static void
agrees_with_isl(const struct isl_surf_init_info *info)
{
   struct isl_surf surf;
   assert_true(isl_surf_init_s(skl(), &surf, info));
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .format = info->format,
      .levels = info->levels,
      .array_len = info->array_len,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   const struct sim_surface s = decode(&surf, &view);
   for (uint32_t l = 0; l < info->levels; l++) {
      const uint32_t slices = info->dim == ISL_SURF_DIM_3D
                                 ? isl_minify(info->depth, l)
                                 : info->array_len;
      for (uint32_t i = 0; i < slices; i++) {
         const bool is_3d = info->dim == ISL_SURF_DIM_3D;
         uint64_t offset;
         uint32_t x, y;
         isl_surf_get_image_offset_B_tile_el(&surf, l, is_3d ? 0 : i,
                                             is_3d ? i : 0, &offset, &x, &y);
         if (surf.tiling != ISL_TILING_LINEAR) {
            offset += isl_tiling_address_B(surf.tiling, surf.row_pitch_B,
                                           x * s.element_B, y);
         }
         assert_int_equal(sim_surface_element_address(&s, l, 0, 0, i, 0),
                          0x100000 + offset);
      }
   }
}

static void
levels_and_slices(void **state)
{
   /* clang-format off */
   static const struct isl_surf_init_info infos[] = {
      { .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8G8B8A8_UNORM,
        .width = 77, .height = 33, .depth = 1, .levels = 7, .array_len = 5,
        .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT },
      { .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8_UNORM,
        .width = 64, .height = 64, .depth = 1, .levels = 7, .array_len = 2,
        .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT,
        .tiling_flags = ISL_TILING_X_BIT },
      { .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R16G16_FLOAT,
        .width = 9, .height = 200, .depth = 1, .levels = 8, .array_len = 2,
        .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT,
        .tiling_flags = ISL_TILING_LINEAR_BIT },
      { .dim = ISL_SURF_DIM_3D, .format = ISL_FORMAT_R32_FLOAT,
        .width = 20, .height = 30, .depth = 7, .levels = 5, .array_len = 1,
        .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT },
      { .dim = ISL_SURF_DIM_1D, .format = ISL_FORMAT_R8G8_UNORM,
        .width = 300, .height = 1, .depth = 1, .levels = 9, .array_len = 3,
        .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT },
      { .dim = ISL_SURF_DIM_1D, .format = ISL_FORMAT_R32_FLOAT,
        .width = 300, .height = 1, .depth = 1, .levels = 9, .array_len = 3,
        .samples = 1,
        .usage = ISL_SURF_USAGE_TEXTURE_BIT | ISL_SURF_USAGE_DEPTH_BIT },
      { .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_BC3_UNORM,
        .width = 70, .height = 50, .depth = 1, .levels = 7, .array_len = 3,
        .samples = 1, .usage = ISL_SURF_USAGE_TEXTURE_BIT },
      { .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R8_UINT,
        .width = 100, .height = 70, .depth = 1, .levels = 3, .array_len = 2,
        .samples = 1, .usage = ISL_SURF_USAGE_STENCIL_BIT },
   };
   /* clang-format on */
   for (unsigned i = 0; i < ARRAY_SIZE(infos); i++)
      agrees_with_isl(&infos[i]);
}

static void
sample_slices(void **state)
{
   struct isl_surf surf;
   assert_true(isl_surf_init(skl(), &surf, .dim = ISL_SURF_DIM_2D,
                             .format = ISL_FORMAT_R8G8B8A8_UNORM, .width = 16,
                             .height = 16, .depth = 1, .levels = 1,
                             .array_len = 2, .samples = 4,
                             .usage = ISL_SURF_USAGE_TEXTURE_BIT));
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .format = ISL_FORMAT_R8G8B8A8_UNORM,
      .levels = 1,
      .array_len = 2,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   const struct sim_surface s = decode(&surf, &view);
   assert_int_equal(s.num_samples, 4);
   /* Slice 1, sample 2: plane 6 of 16 rows; row 96 is the fourth tile down
    * of 128 bytes by 32 rows. */
   assert_int_equal(sim_surface_element_address(&s, 0, 4, 1, 1, 2),
                    0x100000 + 3 * 4096 + 512 + 16);
}

static void
typed_addresses(void **state)
{
   struct isl_surf surf;
   assert_true(isl_surf_init(
      skl(), &surf, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R32_UINT,
      .width = 16, .height = 8, .depth = 1, .levels = 2, .array_len = 4,
      .samples = 1, .usage = ISL_SURF_USAGE_STORAGE_BIT,
      .tiling_flags = ISL_TILING_LINEAR_BIT));
   /* clang-format off */
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_STORAGE_BIT, .format = ISL_FORMAT_R32_UINT,
      .base_level = 1, .levels = 1, .base_array_layer = 1, .array_len = 2,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   /* clang-format on */
   const struct sim_surface s = decode(&surf, &view);
   /* Rows of 64 bytes; slices of 8 + 4; level 1 begins at row 8. */
   assert_int_equal(sim_surface_typed_address(&s, 7, 3, 1, 0),
                    0x100000 + (8 + 3 + 2 * 12) * 64 + 7 * 4);
   assert_int_equal(sim_surface_typed_address(&s, 8, 3, 1, 0), 0);
   assert_int_equal(sim_surface_typed_address(&s, 7, 4, 1, 0), 0);
   assert_int_equal(sim_surface_typed_address(&s, 7, 3, 2, 0), 0);

   uint32_t dw[16];
   char error[128];
   struct sim_surface b;
   isl_buffer_fill_state(skl(), dw, .address = 0x4000, .size_B = 4096 * 8,
                         .format = ISL_FORMAT_R32G32_FLOAT, .stride_B = 8);
   assert_true(sim_surface_decode(&b, dw, error, sizeof(error)));
   assert_int_equal(sim_surface_typed_address(&b, 4095, 0, 0, 0),
                    0x4000 + 4095 * 8);
   assert_int_equal(sim_surface_typed_address(&b, 4096, 0, 0, 0), 0);

   isl_null_fill_state(skl(), dw, (struct isl_extent3d) { 4, 4, 1 });
   assert_true(sim_surface_decode(&b, dw, error, sizeof(error)));
   assert_int_equal(sim_surface_typed_address(&b, 0, 0, 0, 0), 0);
}

static void
refuses(void **state)
{
   /* clang-format off */
   struct GEN9_RENDER_SURFACE_STATE good = {
      .SurfaceType = SURFTYPE_2D, .SurfaceFormat = ISL_FORMAT_R8_UNORM,
      .Width = 3, .Height = 3, .SurfacePitch = 127, .TileMode = YMAJOR,
      .ShaderChannelSelectRed = SCS_RED,
   };
   /* clang-format on */
   struct GEN9_RENDER_SURFACE_STATE r;
   uint32_t dw[16];
   char error[128];
   struct sim_surface s;
   GEN9_RENDER_SURFACE_STATE_pack(dw, &good);
   assert_true(sim_surface_decode(&s, dw, error, sizeof(error)));
#define REFUSED(change, text)                                                \
   do {                                                                      \
      r = good;                                                              \
      r.change;                                                              \
      GEN9_RENDER_SURFACE_STATE_pack(dw, &r);                                \
      assert_false(sim_surface_decode(&s, dw, error, sizeof(error)));        \
      assert_non_null(strstr(error, text));                                  \
   } while (0)
   REFUSED(SurfaceType = SURFTYPE_STRBUF, "structured");
   REFUSED(SurfaceType = 6, "reserved");
   REFUSED(SurfaceFormat = 0x1fe, "format 0x1fe");
   REFUSED(AuxiliarySurfaceMode = 4, "auxiliary surface mode 4");
   REFUSED(AuxiliarySurfaceMode = AUX_CCS_E, "colour control");
   REFUSED(TiledResourceMode = TRMODE_TILEYF, "tiled resource");
   REFUSED(ShaderChannelSelectGreen = 3, "channel select 3");
   REFUSED(VerticalLineStride = 1, "media");
   REFUSED(RenderTargetAndSampleUnormRotation = 1, "rotated");
   REFUSED(MultisamplePositionPaletteIndex = 1, "palette of sample");
   REFUSED(BaseMipLevel = 0.5f, "base level");
   REFUSED(MIPCountLOD = 15, "levels");
   REFUSED(NumberofMultisamples = 5, "multisamples");
#undef REFUSED
}

/* IVB PRM volume 1 part 1, "Surface Arrays": a slice of 20x10 with levels,
 * aligned to 4x4, takes 12 + 8 + 12 * 4 rows; with the spacing for level 0
 * alone 12, of two rows' alignment 10. */
static void
gen7_slices(void **state)
{
   struct GEN75_RENDER_SURFACE_STATE g = {
      .SurfaceType = SURFTYPE_2D,
      .SurfaceArray = true,
      .SurfaceFormat = ISL_FORMAT_R8G8B8A8_UNORM,
      .SurfaceVerticalAlignment = GEN7_VALIGN_4,
      .TiledSurface = true,
      .TileWalk = TILEWALK_YMAJOR,
      .Width = 19,
      .Height = 9,
      .Depth = 3,
      .SurfacePitch = 127,
      .MIPCountLOD = 2,
      .ShaderChannelSelectRed = SCS_BLUE,
   };
   uint32_t dw[GEN75_RENDER_SURFACE_STATE_length];
   struct sim_surface s;
   char error[128];
   GEN75_RENDER_SURFACE_STATE_pack(dw, &g);
   assert_true(sim_surface_decode_gen(&s, 75, dw, error, sizeof(error)));
   assert_int_equal(s.tiling, SIM_TILE_Y);
   assert_int_equal(s.qpitch_rows, 12 + 8 + 48);
   assert_int_equal(s.y0_el[1], 12);
   assert_int_equal(s.x0_el[2], 12);
   assert_int_equal(s.channel_select[0], SCS_BLUE);
   assert_true(sim_surface_decode_gen(&s, 70, dw, error, sizeof(error)));
   assert_int_equal(s.channel_select[0], SCS_RED);

   g.SurfaceArraySpacing = ARYSPC_LOD0;
   GEN75_RENDER_SURFACE_STATE_pack(dw, &g);
   assert_true(sim_surface_decode_gen(&s, 75, dw, error, sizeof(error)));
   assert_int_equal(s.qpitch_rows, 12);
   g.SurfaceVerticalAlignment = GEN7_VALIGN_2;
   GEN75_RENDER_SURFACE_STATE_pack(dw, &g);
   assert_true(sim_surface_decode_gen(&s, 75, dw, error, sizeof(error)));
   assert_int_equal(s.qpitch_rows, 10);

   g.MultisamplePositionPaletteIndex = 1;
   GEN75_RENDER_SURFACE_STATE_pack(dw, &g);
   assert_false(sim_surface_decode_gen(&s, 75, dw, error, sizeof(error)));
   assert_non_null(strstr(error, "palette of sample"));
}

/* BDW PRM volume 5, "3D Surfaces": level 1 of 16x8x4 has its two slices side
 * by side below the four of level 0. */
static void
gen8_slices_of_3d(void **state)
{
   const struct GEN8_RENDER_SURFACE_STATE g = {
      .SurfaceType = SURFTYPE_3D,
      .SurfaceFormat = ISL_FORMAT_R8_UNORM,
      .SurfaceHorizontalAlignment = HALIGN_4,
      .SurfaceVerticalAlignment = VALIGN_4,
      .Width = 15,
      .Height = 7,
      .Depth = 3,
      .SurfacePitch = 63,
      .MIPCountLOD = 1,
      .ShaderChannelSelectRed = SCS_RED,
   };
   uint32_t dw[GEN8_RENDER_SURFACE_STATE_length];
   struct sim_surface s;
   char error[128];
   GEN8_RENDER_SURFACE_STATE_pack(dw, &g);
   assert_true(sim_surface_decode_gen(&s, 80, dw, error, sizeof(error)));
   assert_int_equal(sim_surface_element_address(&s, 0, 1, 2, 3, 0),
                    (3 * 8 + 2) * 64 + 1);
   assert_int_equal(sim_surface_element_address(&s, 1, 1, 2, 1, 0),
                    (4 * 8 + 2) * 64 + 8 + 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(unpacks),
      cmocka_unit_test(unpacks_integers),
      cmocka_unit_test(packs),
      cmocka_unit_test(round_trips),
      cmocka_unit_test(blocks),
      cmocka_unit_test(bptc_blocks),
      cmocka_unit_test(levels_and_slices),
      cmocka_unit_test(sample_slices),
      cmocka_unit_test(typed_addresses),
      cmocka_unit_test(refuses),
      cmocka_unit_test(gen7_slices),
      cmocka_unit_test(gen8_slices_of_3d),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
