/* SPDX-License-Identifier: MIT */
/*
 * Formats whose elements are blocks of texels: SKL PRM volume 5, "Surface
 * Formats", which are those of the APIs' extensions. BC1 to BC5 (S3TC, RGTC)
 * are here, end points interpolated in the precision of the result; the
 * others are files of their own.
 *
 * Neighbouring texels are asked for one after the other, so blocks are
 * decoded as a whole and remembered, by their bytes.
 */
#include "surface.h"

#include "astc.h"
#include "bptc.h"
#include "etc.h"
#include "format_private.h"
#include "fxt1.h"
#include "intel/isl/isl.h"
#include "util/half.h"
#include "util/thread_memory.h"

#define MAX_TEXELS SIM_ASTC_MAX_TEXELS

static uint64_t
load64(const void *p)
{
   uint64_t v;
   memcpy(&v, p, sizeof(v));
   return v;
}

/* 5:6:5, red on top. */
static void
expand_565(uint32_t v, double rgb[3])
{
   rgb[0] = (double)(v >> 11 & 31) / 31.0;
   rgb[1] = (double)(v >> 5 & 63) / 63.0;
   rgb[2] = (double)(v & 31) / 31.0;
}

/* Colour part: two end points, 2-bit codes. False: the texel is the
 * transparent black of BC1's three-colour mode.
 */
static bool
block_color(const uint8_t *block, unsigned texel, bool is_bc1, double rgb[3])
{
   const uint64_t v = load64(block);
   const uint32_t e0 = v & 0xffff, e1 = v >> 16 & 0xffff;
   const unsigned code = v >> (32 + 2 * texel) & 3;
   const bool four = !is_bc1 || e0 > e1;
   static const double weight4[4] = { 0, 1, 1.0 / 3.0, 2.0 / 3.0 };
   static const double weight3[3] = { 0, 1, 0.5 };
   if (!four && code == 3) {
      rgb[0] = rgb[1] = rgb[2] = 0;
      return false;
   }
   const double w = four ? weight4[code] : weight3[code];
   double a[3], b[3];
   expand_565(e0, a);
   expand_565(e1, b);
   for (unsigned c = 0; c < 3; c++)
      rgb[c] = a[c] * (1 - w) + b[c] * w;
   return true;
}

/* One channel: two 8-bit end points, 3-bit codes. */
static double
block_channel(const uint8_t *block, unsigned texel, bool is_signed)
{
   const uint64_t v = load64(block);
   const unsigned code = v >> (16 + 3 * texel) & 7;
   const int r0 = is_signed ? MAX2((int8_t)block[0], -127) : block[0];
   const int r1 = is_signed ? MAX2((int8_t)block[1], -127) : block[1];
   const double scale = is_signed ? 127.0 : 255.0;
   /* The mode is chosen by the codes as stored. */
   const bool eight = is_signed ? (int8_t)block[0] > (int8_t)block[1]
                                : r0 > r1;
   if (code < 2)
      return (code ? r1 : r0) / scale;
   if (eight)
      return ((8 - (int)code) * r0 + ((int)code - 1) * r1) / (7 * scale);
   if (code < 6)
      return ((6 - (int)code) * r0 + ((int)code - 1) * r1) / (5 * scale);
   if (code == 6)
      return is_signed ? -1.0 : 0.0;
   return 1.0;
}

static void
from_bytes(const uint8_t b[4], double v[4])
{
   for (unsigned c = 0; c < 4; c++)
      v[c] = b[c] / 255.0;
}

static void
etc2_alpha_texel(const uint8_t *b, unsigned x, unsigned y, double v[4])
{
   uint8_t rgba[4];
   sim_etc2_texel(b + 8, x, y, false, rgba);
   rgba[3] = sim_eac_alpha_texel(b, x, y);
   from_bytes(rgba, v);
}

static double
eac_texel(const uint8_t *b, unsigned x, unsigned y, bool is_signed)
{
   return sim_eac_11bit_texel(b, x, y, is_signed) /
          (is_signed ? 1023.0 : 2047.0);
}

/*
 * Two pixels with a brightness each and the chroma of both: YCRCB_NORMAL is
 * Y Cb Y Cr from the first byte on, the others swap what their names say.
 * Red is Cr, green Y, blue Cb ("Sampler Output Channel Mapping"). Chroma is
 * not interpolated.
 */
static void
ycrcb_texel(unsigned format, const uint8_t *b, unsigned x, double v[4])
{
   const bool swap_y = format == ISL_FORMAT_YCRCB_SWAPY ||
                       format == ISL_FORMAT_YCRCB_SWAPUVY;
   const bool swap_uv = format == ISL_FORMAT_YCRCB_SWAPUV ||
                        format == ISL_FORMAT_YCRCB_SWAPUVY;
   const uint8_t chroma[2] = { b[swap_y ? 0 : 1], b[swap_y ? 2 : 3] };
   v[0] = chroma[!swap_uv] / 255.0;
   v[1] = b[2 * x + swap_y] / 255.0;
   v[2] = chroma[swap_uv] / 255.0;
}

/* All but ASTC: the colour as the block has it, sRGB if that is one. */
static void
texel_color(const struct isl_format_layout *l, const uint8_t *b, unsigned x,
            unsigned y, double v[4])
{
   const unsigned texel = 4 * y + x;
   const bool is_signed = l->channels.r.type == ISL_SNORM;
   uint8_t bytes[4];
   float rgb[3];
   switch (l->txc) {
   case ISL_TXC_BC1: v[3] = block_color(b, texel, true, v) ? 1 : 0; break;
   case ISL_TXC_DXT1_RGB: block_color(b, texel, true, v); break;
   case ISL_TXC_BC2:
      block_color(b + 8, texel, false, v);
      v[3] = (double)(load64(b) >> (4 * texel) & 15) / 15.0;
      break;
   case ISL_TXC_BC3:
      block_color(b + 8, texel, false, v);
      v[3] = block_channel(b, texel, false);
      break;
   case ISL_TXC_BC4: v[0] = block_channel(b, texel, is_signed); break;
   case ISL_TXC_BC5:
      v[0] = block_channel(b, texel, is_signed);
      v[1] = block_channel(b + 8, texel, is_signed);
      break;
   case ISL_TXC_BC6H:
      sim_bc6h_texel(b, texel, l->format == ISL_FORMAT_BC6H_SF16, rgb);
      for (unsigned c = 0; c < 3; c++)
         v[c] = rgb[c];
      break;
   case ISL_TXC_BC7:
      sim_bc7_texel(b, texel, bytes);
      from_bytes(bytes, v);
      break;
   case ISL_TXC_FXT1:
      sim_fxt1_texel(b, x, y, bytes);
      from_bytes(bytes, v);
      break;
   case ISL_TXC_ETC2:
   case ISL_TXC_ETC2_PTA:
      sim_etc2_texel(b, x, y, l->txc == ISL_TXC_ETC2_PTA, bytes);
      from_bytes(bytes, v);
      break;
   case ISL_TXC_ETC2_EAC: etc2_alpha_texel(b, x, y, v); break;
   case ISL_TXC_EAC_R11: v[0] = eac_texel(b, x, y, is_signed); break;
   case ISL_TXC_EAC_RG11:
      v[0] = eac_texel(b, x, y, is_signed);
      v[1] = eac_texel(b + 8, x, y, is_signed);
      break;
   case ISL_TXC_YCRCB: ycrcb_texel(l->format, b, x, v); break;
   case ISL_TXC_ASTC:
   case ISL_TXC_NONE: unreachable("not a format of texels in blocks");
   }
}

/*
 * Of sRGB formats the upper eight bits are the colour; the others are halves:
 * all ones is 1, else v / 65536, rounded towards zero ("LDR mode" of the
 * specification's section on weight application).
 */
static uint32_t
astc_word(uint16_t v, bool srgb)
{
   if (srgb)
      return util_float_bits(sim_srgb8_to_linear((uint8_t)(v >> 8)));
   if (v == 0xffff)
      return util_float_bits(1.0f);
   /* Eleven bits from the highest one; the smallest values are exact. */
   const unsigned top = v ? util_logbase2(v) : 0;
   const unsigned drop = top > 10 ? top - 10 : 0;
   return util_float_bits((float)(v >> drop << drop) / 65536.0f);
}

static void
decode_astc(const struct isl_format_layout *l, const uint8_t *b,
            uint32_t out[][4])
{
   const bool srgb = l->colorspace == ISL_COLORSPACE_SRGB;
   struct sim_astc_block block;
   sim_astc_decode(b, l->bw, l->bh, srgb, &block);
   for (unsigned i = 0; i < l->bw * l->bh; i++) {
      for (unsigned c = 0; c < 4; c++)
         out[i][c] = astc_word(block.rgba[i][c], srgb && c < 3);
   }
}

static void
decode(const struct isl_format_layout *l, const uint8_t *b, uint32_t out[][4])
{
   const bool srgb = l->colorspace == ISL_COLORSPACE_SRGB;
   if (l->txc == ISL_TXC_ASTC) {
      decode_astc(l, b, out);
      return;
   }
   for (unsigned i = 0; i < l->bw * l->bh; i++) {
      double v[4] = { 0, 0, 0, 1 };
      texel_color(l, b, i % l->bw, i / l->bw, v);
      for (unsigned c = 0; c < 4; c++) {
         const double x = srgb && c < 3 ? sim_srgb_to_linear(v[c]) : v[c];
         out[i][c] = util_float_bits((float)x);
      }
   }
}

struct decoded_block {
   unsigned format; /* 0 is no format of blocks: unused */
   uint64_t bytes[2];
   uint32_t rgba[MAX_TEXELS][4];
};

#define CACHED_BLOCKS 16

/* Of each host thread; NULL: no memory for the table. */
static struct decoded_block *
cached(uint64_t hash)
{
   static _Thread_local void *slot;
   struct decoded_block *b = thread_memory(&slot, CACHED_BLOCKS * sizeof(*b));
   return b ? &b[hash % CACHED_BLOCKS] : NULL;
}

void
sim_format_unpack_block(unsigned format, const void *block, unsigned x,
                        unsigned y, uint32_t rgba[4])
{
   const struct isl_format_layout *l =
      isl_format_get_layout((enum isl_format)format);
   uint64_t bytes[2] = { 0 };
   memcpy(bytes, block, l->bpb / 8);
   const uint64_t mixed = (bytes[0] ^ bytes[1] * 31) * 0x9e3779b97f4a7c15ull;
   struct decoded_block own = { 0 };
   struct decoded_block *d = cached(mixed >> 60);
   if (!d)
      d = &own;
   if (d->format != format || d->bytes[0] != bytes[0] ||
       d->bytes[1] != bytes[1]) {
      d->format = format;
      memcpy(d->bytes, bytes, sizeof(bytes));
      decode(l, (const uint8_t *)bytes, d->rgba);
   }
   memcpy(rgba, d->rgba[y * l->bw + x], sizeof(d->rgba[0]));
}
