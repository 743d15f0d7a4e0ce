/* SPDX-License-Identifier: MIT */
/*
 * Compressed textures: texels of random blocks as Mesa's software rasteriser
 * decodes them (golden_blocks.h, which peer_blocks prints), and what the
 * specifications say about blocks that random ones are not.
 */
#include "util/unit_test.h"

#include <math.h>
#include <stdlib.h>

#include "intel/isl/isl.h"
#include "intel/sim/mem/surface.h"

struct golden {
   enum isl_format format;
   const char *block; /* hexadecimal, first byte first */
   unsigned x, y;
   float rgba[4]; /* alpha -1: not compared */
   float tolerance;
};

static const struct golden golden[] = {
#include "golden_blocks.h"
};

static void
read_block(const char *text, uint8_t block[16])
{
   for (unsigned i = 0; text[2 * i]; i++) {
      const char digits[3] = { text[2 * i], text[2 * i + 1], 0 };
      block[i] = (uint8_t)strtoul(digits, NULL, 16);
   }
}

static void
texel(enum isl_format format, const char *text, unsigned x, unsigned y,
      float out[4])
{
   uint8_t block[16] = { 0 };
   uint32_t words[4];
   read_block(text, block);
   assert_true(sim_format_can_unpack(format));
   sim_format_unpack_block(format, block, x, y, words);
   for (unsigned c = 0; c < 4; c++)
      out[c] = util_bits_float(words[c]);
}

static void
like_software(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(golden); i++) {
      const struct golden *g = &golden[i];
      float v[4];
      texel(g->format, g->block, g->x, g->y, v);
      for (unsigned c = 0; c < 4; c++) {
         const float allowed = g->tolerance * MAX2(fabsf(v[c]), 1.0f);
         if (c == 3 && g->rgba[3] < 0)
            continue;
         if (!(fabsf(v[c] - g->rgba[c]) <= allowed))
            fail_msg("%s %s texel %u, %u channel %u: %g, not %g",
                     sim_format_name(g->format), g->block, g->x, g->y, c,
                     (double)v[c], (double)g->rgba[c]);
      }
   }
}

/* Every compressed format of the table is decoded and has golden texels. */
static void
all_formats(void **state)
{
   for (unsigned f = 0; f < ISL_FORMAT_NUMBERS; f++) {
      if (!isl_format_is_valid(f) || !isl_format_is_compressed(f))
         continue;
      bool found = false;
      for (unsigned i = 0; i < ARRAY_SIZE(golden); i++)
         found |= golden[i].format == f;
      /* Those that OpenGL has no name for, or another one. */
      const bool other = f == ISL_FORMAT_ETC1_RGB8 ||
                         f == ISL_FORMAT_DXT1_RGB_SRGB ||
                         f == ISL_FORMAT_BC1_UNORM_SRGB ||
                         f == ISL_FORMAT_BC2_UNORM_SRGB ||
                         f == ISL_FORMAT_BC3_UNORM_SRGB ||
                         isl_format_layouts[f].txc == ISL_TXC_YCRCB;
      if (found == other)
         fail_msg("%s: golden texels %s", isl_format_layouts[f].name,
                  found ? "of a format that is excused" : "are missing");
   }
}

static void
expect(enum isl_format format, const char *block, unsigned x, unsigned y,
       float r, float g, float b, float a)
{
   const float want[4] = { r, g, b, a };
   float v[4];
   texel(format, block, x, y, v);
   for (unsigned c = 0; c < 4; c++) {
      if (fabsf(v[c] - want[c]) > 1e-6f)
         fail_msg("%s %s texel %u, %u channel %u: %g, not %g",
                  sim_format_name(format), block, x, y, c, (double)v[c],
                  (double)want[c]);
   }
}

/* "Illegal Encodings" of the specification are magenta. */
static void
astc_errors(void **state)
{
   static const char *const bad[] = {
      /* Void extents: reserved bits not set, high range, none of s. */
      "fcf1ffffffffffff0000000000000000",
      "fcffffffffffffff0000000000000000",
      "fc0d0000000000000000000000000000",
      /* Reserved block modes; a grid of 12x4 in a block of 4x4. */
      "00000000000000000000000000000000",
      "c0010000000000000000000000000000",
      "54000000000000000000000000000000",
   };
   for (unsigned i = 0; i < ARRAY_SIZE(bad); i++)
      expect(ISL_FORMAT_ASTC_LDR_2D_4X4_FLT16, bad[i], 1, 2, 1, 0, 1, 1);
}

/* Not all ones: v / 65536 as a half, rounded down. */
static void
astc_constants(void **state)
{
   expect(ISL_FORMAT_ASTC_LDR_2D_8X8_FLT16,
          "fcfdffffffffffffffff008001000f80", 7, 7, 1, 0.5f, 1.0f / 65536,
          0x8000 / 65536.0f);
   expect(ISL_FORMAT_ASTC_LDR_2D_8X8_U8SRGB,
          "fcfdffffffffffffffff80bc00000080", 0, 3, 1, 0.50288647f, 0, 0.5f);
}

/* Brightness of its own, chroma of the pair; Y Cb Y Cr in NORMAL. */
static void
chroma_pairs(void **state)
{
   expect(ISL_FORMAT_YCRCB_NORMAL, "33ff6600", 0, 0, 0, 0.2f, 1, 1);
   expect(ISL_FORMAT_YCRCB_NORMAL, "33ff6600", 1, 0, 0, 0.4f, 1, 1);
   expect(ISL_FORMAT_YCRCB_SWAPUV, "33ff6600", 1, 0, 1, 0.4f, 0, 1);
   expect(ISL_FORMAT_YCRCB_SWAPY, "ff330066", 0, 0, 0, 0.2f, 1, 1);
   expect(ISL_FORMAT_YCRCB_SWAPUVY, "ff330066", 1, 0, 1, 0.4f, 0, 1);
}

/* The same bits with and without their neighbours in the block cache. */
static void
blocks_are_told_apart(void **state)
{
   expect(ISL_FORMAT_BC1_UNORM, "0000ffff00000000", 0, 0, 0, 0, 0, 1);
   expect(ISL_FORMAT_DXT1_RGB, "0000ffffffffffff", 0, 0, 0, 0, 0, 1);
   expect(ISL_FORMAT_BC1_UNORM, "0000ffffffffffff", 0, 0, 0, 0, 0, 0);
   expect(ISL_FORMAT_BC1_UNORM, "0000ffff55555555", 0, 0, 1, 1, 1, 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(like_software),
      cmocka_unit_test(all_formats),
      cmocka_unit_test(astc_errors),
      cmocka_unit_test(astc_constants),
      cmocka_unit_test(chroma_pairs),
      cmocka_unit_test(blocks_are_told_apart),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
