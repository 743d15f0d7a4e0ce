/* SPDX-License-Identifier: MIT */
/*
 * Auxiliary surfaces: control words of multisampled pixels, clear colours
 * that only the control surface knows, what a write or a resolve leaves, and
 * that no two pixels share a mark that should not.
 */
#include "util/unit_test.h"

#include <stdlib.h>

#include "intel/genxml/gen9_pack.h"
#include "intel/isl/isl.h"
#include "intel/sim/mem/surface.h"

#define MAIN 0x100000000ull
#define AUX 0x200000000ull
#define SIZE_B (4u << 20)

static struct sim_vm *vm;
static struct sim_bo *bo[2];
static struct sim_mem mem;

static int
set_up(void **state)
{
   vm = sim_vm_create();
   bo[0] = sim_bo_create(SIZE_B);
   bo[1] = sim_bo_create(SIZE_B);
   if (!sim_vm_bind(vm, bo[0], MAIN) || !sim_vm_bind(vm, bo[1], AUX))
      return -1;
   sim_mem_init(&mem, vm);
   return 0;
}

static int
tear_down(void **state)
{
   sim_vm_destroy(vm);
   sim_bo_unref(bo[0]);
   sim_bo_unref(bo[1]);
   return 0;
}

/* 200 x 70, two levels, three slices; red half, alpha one when clear. */
static struct sim_surface
surface(unsigned mode, unsigned samples_log2, unsigned format)
{
   struct GEN9_RENDER_SURFACE_STATE r = {
      .SurfaceType = SURFTYPE_2D,
      .SurfaceArray = true,
      .SurfaceFormat = format,
      .TileMode = YMAJOR,
      .SurfaceHorizontalAlignment = HALIGN_16,
      .SurfaceVerticalAlignment = VALIGN_4,
      .SurfaceBaseAddress = MAIN,
      .Width = 199,
      .Height = 69,
      .Depth = 2,
      .MIPCountLOD = samples_log2 ? 0 : 1,
      .SurfacePitch = 4096 - 1,
      .SurfaceQPitch = 112 / 4,
      .NumberofMultisamples = samples_log2,
      .ShaderChannelSelectRed = 4,
      .ShaderChannelSelectGreen = 5,
      .ShaderChannelSelectBlue = 6,
      .ShaderChannelSelectAlpha = 7,
      .AuxiliarySurfaceMode = mode,
      .AuxiliarySurfaceBaseAddress = AUX,
      .AuxiliarySurfacePitch = 15,
      .AuxiliarySurfaceQPitch = 192 / 4,
      .RedClearColor = util_float_bits(0.5f),
      .AlphaClearColor = util_float_bits(1.0f),
   };
   uint32_t dw[16];
   struct sim_surface s;
   char error[128] = "";
   GEN9_RENDER_SURFACE_STATE_pack(dw, &r);
   if (!sim_surface_decode(&s, dw, error, sizeof(error)))
      fail_msg("%s", error);
   memset(bo[0]->map, 0, SIZE_B);
   memset(bo[1]->map, 0, SIZE_B);
   return s;
}

static void
control_words(void **state)
{
   const struct {
      unsigned samples;
      uint64_t clear;
   } rows[] = {
      { 2, 0x3 },
      { 4, 0xff },
      { 8, 0xffffffff },
      { 16, ~0ull },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const unsigned n = rows[i].samples;
      uint8_t plane[SIM_MCS_MAX_SAMPLES];
      assert_true(sim_mcs_is_clear(n, rows[i].clear));
      for (unsigned k = 0; k < n; k++)
         plane[k] = (uint8_t)(k / 2);
      const uint64_t word = sim_mcs_encode(n, plane);
      assert_false(sim_mcs_is_clear(n, word));
      for (unsigned k = 0; k < n; k++)
         assert_int_equal(sim_mcs_plane(n, word, k), k / 2);
   }
}

/* Each pixel of each slice has a word of its own. */
static void
control_words_are_apart(void **state)
{
   for (unsigned log2 = 1; log2 <= 4; log2++) {
      const struct sim_surface s =
         surface(AUX_CCS_D, log2, ISL_FORMAT_R8G8B8A8_UNORM);
      const uint64_t limit = log2 == 4 ? ~0ull : (1u << (1u << log2)) - 1;
      uint64_t word;
      unsigned n = 0;
      for (uint32_t slice = 0; slice < 3; slice++) {
         for (uint32_t i = 0; i < 200 * 70; i += 7) {
            assert_true(sim_mcs_write(&s, &mem, i % 200, i / 200, slice,
                                      n++ * 0x9e3779b97f4a7c15ull));
         }
      }
      n = 0;
      for (uint32_t slice = 0; slice < 3; slice++) {
         for (uint32_t i = 0; i < 200 * 70; i += 7) {
            assert_true(
               sim_mcs_read(&s, &mem, i % 200, i / 200, slice, &word));
            const uint64_t want = n++ * 0x9e3779b97f4a7c15ull;
            assert_true(((word ^ want) & limit & 0xff) == 0);
         }
      }
   }
}

static void
expect_red(const struct sim_surface *s, unsigned level, uint32_t x,
           uint32_t y, uint32_t slice, float red)
{
   uint32_t rgba[4];
   assert_true(sim_surface_read_texel(s, &mem, level, x, y, slice, 0, rgba));
   if (fabsf(util_bits_float(rgba[0]) - red) > 0.01f)
      fail_msg("level %u slice %u (%u, %u): red %g, not %g", level, slice, x,
               y, (double)util_bits_float(rgba[0]), (double)red);
}

/* The scaled rectangle's first pixel: 64x32 pixels of 32 bits. */
static void
fast_clear(void **state)
{
   const unsigned formats[] = {
      ISL_FORMAT_R8G8B8A8_UNORM,
      ISL_FORMAT_R16G16B16A16_UNORM,
      ISL_FORMAT_R32G32B32A32_FLOAT,
   };
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      const struct sim_surface s = surface(AUX_CCS_E, 0, formats[f]);
      const uint32_t w = 64u >> f;
      assert_true(sim_aux_fast_clear(&s, &mem, 0, 1, 1, 2));
      expect_red(&s, 0, w, 32, 2, 0.5f);
      expect_red(&s, 0, 2 * w - 1, 63, 2, 0.5f);
      expect_red(&s, 0, w - 1, 32, 2, 0);
      expect_red(&s, 0, 2 * w, 32, 2, 0);
      expect_red(&s, 0, w, 31, 2, 0);
      expect_red(&s, 0, w, 32, 1, 0);
      expect_red(&s, 1, w, 32, 2, 0);
      /* Only the mark has changed. */
      for (unsigned i = 0; i < SIZE_B; i++)
         assert_int_equal(((uint8_t *)bo[0]->map)[i], 0);
   }
}

/* A write takes its block of 8x4 pixels with it, a resolve all. */
static void
expand_and_resolve(void **state)
{
   const struct sim_surface s =
      surface(AUX_CCS_D, 0, ISL_FORMAT_R8G8B8A8_UNORM);
   for (uint32_t y = 0; y < 3; y++) {
      for (uint32_t x = 0; x < 4; x++)
         assert_true(sim_aux_fast_clear(&s, &mem, 0, x, y, 0));
   }
   bool clear;
   assert_true(sim_ccs_expand(&s, &mem, 0, 13, 6, 0));
   assert_true(sim_ccs_is_clear(&s, &mem, 0, 8, 4, 0, &clear));
   assert_false(clear);
   assert_true(sim_ccs_is_clear(&s, &mem, 0, 16, 4, 0, &clear));
   assert_true(clear);
   uint8_t *p = sim_mem_ptr(&mem,
                            sim_surface_element_address(&s, 0, 15, 7, 0, 0),
                            4, SIM_MEM_WRITE);
   assert_int_equal(p[0], 0x80);
   p[0] = 0xff;
   for (uint32_t y = 0; y < 3; y++) {
      for (uint32_t x = 0; x < 4; x++)
         assert_true(sim_aux_resolve(&s, &mem, 0, x, y, 0));
   }
   for (uint32_t i = 0; i < 200 * 70; i++) {
      const uint32_t x = i % 200, y = i / 200;
      assert_true(sim_ccs_is_clear(&s, &mem, 0, x, y, 0, &clear));
      assert_false(clear);
      expect_red(&s, 0, x, y, 0, x == 15 && y == 7 ? 1 : 0.5f);
   }
}

static void
lines_with_clear_elements(void **state)
{
   const struct sim_surface s =
      surface(AUX_CCS_D, 0, ISL_FORMAT_R8G8B8A8_UNORM);
   uint32_t begin[2], end[2];
   assert_false(sim_ccs_level_has_clear(&s, &mem, 1, 0, 0));
   /* Pixels 64 to 127, rows 32 to 63: a line has 128x64. */
   assert_true(sim_aux_fast_clear(&s, &mem, 0, 1, 1, 0));
   assert_true(sim_ccs_line_has_clear(&s, &mem, 0, 3, 5, 0, begin, end));
   assert_int_equal(begin[0], 0);
   assert_int_equal(begin[1], 0);
   assert_int_equal(end[0], 128);
   assert_int_equal(end[1], 64);
   assert_false(sim_ccs_line_has_clear(&s, &mem, 0, 130, 66, 0, begin, end));
   assert_int_equal(begin[0], 128);
   assert_int_equal(begin[1], 64);
   assert_int_equal(end[0], 256);
   assert_int_equal(end[1], 128);
   assert_false(sim_ccs_line_has_clear(&s, &mem, 0, 3, 5, 1, begin, end));
   /* Within a draw it is asked once. */
   assert_false(sim_ccs_level_has_clear(&s, &mem, 1, 0, 0));
   assert_true(sim_ccs_level_has_clear(&s, &mem, 2, 0, 0));
   assert_false(sim_ccs_level_has_clear(&s, &mem, 2, 1, 0));
   assert_false(sim_ccs_level_has_clear(&s, &mem, 2, 0, 1));
   assert_true(sim_ccs_level_has_clear(&s, &mem, 0, 0, 1)); /* no draw */
}

/* What HiZ has of a block of slice 0 or 1 of a level; the same for all of the
 * block's pixels. */
static struct sim_hiz_block *
hiz_block_at(const struct sim_hiz *h, uint32_t x, uint32_t y, uint32_t slice)
{
   struct sim_hiz_block *b = sim_hiz_block(h, &mem, x, y, slice);
   assert_non_null(b);
   assert_ptr_equal(b, sim_hiz_block(h, &mem, x + 7, y + 3, slice));
   return b;
}

static void
hiz_blocks_are_apart(void **state)
{
   struct sim_hiz h[2];
   surface(AUX_NONE, 0, ISL_FORMAT_R32_FLOAT);
   for (unsigned lod = 0; lod < 2; lod++)
      sim_hiz_init(&h[lod], AUX, 512, 128, 200, 70, lod);
   uint32_t n = 1;
   for (unsigned pass = 0; pass < 2; pass++, n = 1) {
      for (unsigned i = 0; i < 4; i++) {
         const unsigned slice = i / 2, lod = i % 2;
         for (uint32_t y = 0; y < 70u >> lod; y += 4) {
            for (uint32_t x = 0; x < 200u >> lod; x += 8, n++) {
               struct sim_hiz_block *b = hiz_block_at(&h[lod], x, y, slice);
               assert_int_equal(b->mark, pass ? n : 0);
               assert_int_equal(b->bounds.most, pass ? n : 0);
               b->mark = n;
               b->bounds.most = (int32_t)n;
            }
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(control_words),
      cmocka_unit_test(control_words_are_apart),
      cmocka_unit_test(fast_clear),
      cmocka_unit_test(expand_and_resolve),
      cmocka_unit_test(lines_with_clear_elements),
      cmocka_unit_test(hiz_blocks_are_apart),
   };
   return cmocka_run_group_tests(tests, set_up, tear_down);
}
