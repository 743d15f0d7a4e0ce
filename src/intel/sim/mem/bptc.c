/* SPDX-License-Identifier: MIT */
/*
 * BC6H and BC7: blocks of 4x4 texels in 128 bits (OpenGL extension
 * ARB_texture_compression_bptc, from which all tables are; the formats are
 * those of Direct3D 11).
 *
 * A block begins with its mode, and says which of up to three subsets each
 * texel is in, two endpoints for each subset, and for each texel how far it
 * is from one to the other. Of one index of each subset, the anchor's, the
 * highest bit is left out: it is zero. Everything is found by reading bits
 * from the lowest one of the first byte on.
 */
#include "bptc.h"

#include "util/half.h"

#include <string.h>

/* Bit i: the subset of texel i, of two. */
static const uint16_t two_subsets[64] = {
   0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80,
   0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
   0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce,
   0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
   0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a,
   0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
   0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c,
   0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};

/* Bits 2 i + 1 and 2 i: the subset of texel i, of three. */
static const uint32_t three_subsets[64] = {
   0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050,
   0x5555a0a0, 0x5a5a5050, 0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090,
   0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250, 0xa5945040, 0x0a425054,
   0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
   0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414,
   0x50a4a450, 0x6a5a0200, 0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424,
   0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50, 0x500aa550, 0xaaaa4444,
   0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
   0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580,
   0xaa141414, 0x96960000, 0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000,
   0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};

/* The anchors of the second and third subset; that of the first is texel 0.
 * A hexadecimal digit for each partition. */
static const char anchor_of_two[] = "fffffffffffffffff282288f28228822"
                                    "ff6828ff28222ff66268ff22fffff22f";
static const char anchor_of_three[2][65] = {
   { "33ff83ff88666533338f336a588685ff"
     "8f356a8ff3f5ffff3f55585a5a8dfc33" },
   { "f883ff38fffffff8f8f3f8f83f6affa8"
     "f3faa89a6f8f3668f3ffffffffff3ff8" }
};

struct bits {
   const uint8_t *block;
   unsigned at;
};

static unsigned
read_bits(struct bits *b, unsigned n)
{
   unsigned v = 0;
   for (unsigned i = 0; i < n; i++, b->at++)
      v |= (b->block[b->at / 8] >> b->at % 8 & 1u) << i;
   return v;
}

static unsigned
subset_of(unsigned subsets, unsigned partition, unsigned texel)
{
   switch (subsets) {
   case 2: return two_subsets[partition] >> texel & 1;
   case 3: return three_subsets[partition] >> 2 * texel & 3;
   default: return 0;
   }
}

static unsigned
digit(char c)
{
   return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static bool
is_anchor(unsigned subsets, unsigned partition, unsigned texel)
{
   if (texel == 0)
      return true;
   if (subsets == 2)
      return texel == digit(anchor_of_two[partition]);
   return subsets == 3 && (texel == digit(anchor_of_three[0][partition]) ||
                           texel == digit(anchor_of_three[1][partition]));
}

/* The index of one texel; `b` is at the first one's. */
static unsigned
read_index(struct bits b, unsigned subsets, unsigned partition, unsigned n,
           unsigned texel)
{
   for (unsigned i = 0; i < texel; i++)
      b.at += n - is_anchor(subsets, partition, i);
   return read_bits(&b, n - is_anchor(subsets, partition, texel));
}

/* How far from the first endpoint, in 64ths. */
static int
weight(unsigned index, unsigned bits)
{
   static const uint8_t w2[] = { 0, 21, 43, 64 };
   static const uint8_t w3[] = { 0, 9, 18, 27, 37, 46, 55, 64 };
   static const uint8_t w4[] = { 0,  4,  9,  13, 17, 21, 26, 30,
                                 34, 38, 43, 47, 51, 55, 60, 64 };
   return bits == 2 ? w2[index] : bits == 3 ? w3[index] : w4[index];
}

static int
between(int e0, int e1, int w)
{
   return (e0 * (64 - w) + e1 * w + 32) >> 6;
}

/*
 * BC7
 */

static const struct bc7_mode {
   uint8_t subsets, partition_bits, rotation_bits, selection_bits;
   uint8_t color_bits, alpha_bits;
   uint8_t p_bits; /* low bits: 2 one for each endpoint, 1 for each subset */
   uint8_t index_bits, index2_bits;
} bc7_modes[8] = {
   { 3, 4, 0, 0, 4, 0, 2, 3, 0 }, { 2, 6, 0, 0, 6, 0, 1, 3, 0 },
   { 3, 6, 0, 0, 5, 0, 0, 2, 0 }, { 2, 6, 0, 0, 7, 0, 2, 2, 0 },
   { 1, 0, 2, 1, 5, 6, 0, 2, 3 }, { 1, 0, 2, 0, 7, 8, 0, 2, 2 },
   { 1, 0, 0, 0, 7, 7, 2, 4, 0 }, { 2, 6, 0, 0, 5, 5, 2, 2, 0 },
};

/* Endpoints as bytes: the high bits are repeated below. */
static void
read_bc7_endpoints(struct bits *b, const struct bc7_mode *m, int out[6][4])
{
   const unsigned n = 2u * m->subsets;
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned e = 0; e < n; e++)
         out[e][c] = (int)read_bits(b, c < 3 ? m->color_bits : m->alpha_bits);
   }
   unsigned p[6] = { 0 };
   for (unsigned e = 0; m->p_bits && e < n; e++)
      p[e] = m->p_bits == 1 && e % 2 ? p[e - 1] : read_bits(b, 1);
   for (unsigned e = 0; e < n; e++) {
      for (unsigned c = 0; c < 4; c++) {
         unsigned bits = c < 3 ? m->color_bits : m->alpha_bits;
         unsigned v = (unsigned)out[e][c];
         if (bits && m->p_bits) {
            v = v << 1 | p[e];
            bits++;
         }
         v = bits ? v << (8 - bits) : 255;
         out[e][c] = (int)(bits ? v | v >> bits : v);
      }
   }
}

void
sim_bc7_texel(const uint8_t block[16], unsigned texel, uint8_t rgba[4])
{
   struct bits b = { block, 0 };
   unsigned mode = 0;
   memset(rgba, 0, 4);
   while (mode < 8 && !read_bits(&b, 1))
      mode++;
   if (mode == 8)
      return; /* reserved: zero */
   const struct bc7_mode *m = &bc7_modes[mode];
   const unsigned partition = read_bits(&b, m->partition_bits);
   const unsigned rotation = read_bits(&b, m->rotation_bits);
   const unsigned selection = read_bits(&b, m->selection_bits);
   int e[6][4];
   read_bc7_endpoints(&b, m, e);

   const unsigned first =
      read_index(b, m->subsets, partition, m->index_bits, texel);
   int color = weight(first, m->index_bits), alpha = color;
   if (m->index2_bits) {
      b.at += 16u * m->index_bits - m->subsets;
      alpha =
         weight(read_index(b, 1, 0, m->index2_bits, texel), m->index2_bits);
      if (selection) {
         const int swap = color;
         color = alpha;
         alpha = swap;
      }
   }
   const unsigned s = 2 * subset_of(m->subsets, partition, texel);
   for (unsigned c = 0; c < 4; c++)
      rgba[c] = (uint8_t)between(e[s][c], e[s + 1][c], c < 3 ? color : alpha);
   if (rotation) {
      const uint8_t swap = rgba[3];
      rgba[3] = rgba[rotation - 1];
      rgba[rotation - 1] = swap;
   }
}

/*
 * BC6H
 */

/* clang-format off */
static const struct bc6h_mode {
   uint8_t mode; /* 2 bits if below 2, else 5 */
   uint8_t subsets;
   bool deltas; /* the other endpoints are relative to the first one */
   uint8_t bits, delta_bits[3];
   /* Where each bit goes: channel (r, g, b), endpoint (w, x of the first
    * subset, y, z of the second), bit; with + or - a number of them, upwards
    * or downwards. */
   const char *fields;
} bc6h_modes[] = {
   { 0x00, 2, true, 10, { 5, 5, 5 },
     "gy4 by4 bz4 rw0+10 gw0+10 bw0+10 rx0+5 gz4 gy0+4 gx0+5 bz0 "
     "gz0+4 bx0+5 bz1 by0+4 ry0+5 bz2 rz0+5 bz3" },
   { 0x01, 2, true, 7, { 6, 6, 6 },
     "gy5 gz4 gz5 rw0+7 bz0 bz1 by4 gw0+7 by5 bz2 gy4 bw0+7 bz3 bz5 "
     "bz4 rx0+6 gy0+4 gx0+6 gz0+4 bx0+6 by0+4 ry0+6 rz0+6" },
   { 0x02, 2, true, 11, { 5, 4, 4 },
     "rw0+10 gw0+10 bw0+10 rx0+5 rw10 gy0+4 gx0+4 gw10 bz0 gz0+4 "
     "bx0+4 bw10 bz1 by0+4 ry0+5 bz2 rz0+5 bz3" },
   { 0x03, 1, false, 10, { 10, 10, 10 },
     "rw0+10 gw0+10 bw0+10 rx0+10 gx0+10 bx0+10" },
   { 0x06, 2, true, 11, { 4, 5, 4 },
     "rw0+10 gw0+10 bw0+10 rx0+4 rw10 gz4 gy0+4 gx0+5 gw10 gz0+4 "
     "bx0+4 bw10 bz1 by0+4 ry0+4 bz0 bz2 rz0+4 gy4 bz3" },
   { 0x07, 1, true, 11, { 9, 9, 9 },
     "rw0+10 gw0+10 bw0+10 rx0+9 rw10 gx0+9 gw10 bx0+9 bw10" },
   { 0x0a, 2, true, 11, { 4, 4, 5 },
     "rw0+10 gw0+10 bw0+10 rx0+4 rw10 by4 gy0+4 gx0+4 gw10 bz0 gz0+4 "
     "bx0+5 bw10 by0+4 ry0+4 bz1 bz2 rz0+4 bz4 bz3" },
   { 0x0b, 1, true, 12, { 8, 8, 8 },
     "rw0+10 gw0+10 bw0+10 rx0+8 rw11-2 gx0+8 gw11-2 bx0+8 bw11-2" },
   { 0x0e, 2, true, 9, { 5, 5, 5 },
     "rw0+9 by4 gw0+9 gy4 bw0+9 bz4 rx0+5 gz4 gy0+4 gx0+5 bz0 gz0+4 "
     "bx0+5 bz1 by0+4 ry0+5 bz2 rz0+5 bz3" },
   { 0x0f, 1, true, 16, { 4, 4, 4 },
     "rw0+10 gw0+10 bw0+10 rx0+4 rw15-6 gx0+4 gw15-6 bx0+4 bw15-6" },
   { 0x12, 2, true, 8, { 6, 5, 5 },
     "rw0+8 gz4 by4 gw0+8 bz2 gy4 bw0+8 bz3 bz4 rx0+6 gy0+4 gx0+5 "
     "bz0 gz0+4 bx0+5 bz1 by0+4 ry0+6 rz0+6" },
   { 0x16, 2, true, 8, { 5, 6, 5 },
     "rw0+8 bz0 by4 gw0+8 gy5 gy4 bw0+8 gz5 bz4 rx0+5 gz4 gy0+4 "
     "gx0+6 gz0+4 bx0+5 bz1 by0+4 ry0+5 bz2 rz0+5 bz3" },
   { 0x1a, 2, true, 8, { 5, 5, 6 },
     "rw0+8 bz1 by4 gw0+8 by5 gy4 bw0+8 bz5 bz4 rx0+5 gz4 gy0+4 "
     "gx0+5 bz0 gz0+4 bx0+6 by0+4 ry0+5 bz2 rz0+5 bz3" },
   { 0x1e, 2, false, 6, { 6, 6, 6 },
     "rw0+6 gz4 bz0 bz1 by4 gw0+6 gy5 by5 bz2 gy4 bw0+6 gz5 bz3 bz5 "
     "bz4 rx0+6 gy0+4 gx0+6 gz0+4 bx0+6 by0+4 ry0+6 rz0+6" },
};
/* clang-format on */

static void
read_bc6h_endpoints(struct bits *b, const struct bc6h_mode *m, int e[4][3])
{
   memset(e, 0, 4 * sizeof(e[0]));
   for (const char *f = m->fields; *f;) {
      int *to = &e[f[1] - 'w'][f[0] == 'r' ? 0 : f[0] == 'g' ? 1 : 2];
      unsigned bit = 0, n = 0;
      for (f += 2; *f >= '0' && *f <= '9'; f++)
         bit = 10 * bit + (unsigned)(*f - '0');
      const char direction = *f;
      if (direction == '+' || direction == '-') {
         for (f++; *f >= '0' && *f <= '9'; f++)
            n = 10 * n + (unsigned)(*f - '0');
      } else {
         n = 1;
      }
      for (; n; n--, bit += direction == '-' ? -1u : 1u)
         *to |= (int)(read_bits(b, 1) << bit);
      f += *f == ' ';
   }
}

static int
sign_extend(int v, unsigned bits)
{
   return (int)((uint32_t)v << (32 - bits)) >> (32 - bits);
}

static int
unquantize(int v, unsigned bits, bool is_signed)
{
   if (!is_signed) {
      const int top = (1 << bits) - 1;
      if (bits >= 15 || v == 0)
         return v;
      return v == top ? 0xffff : ((v << 16) + 0x8000) >> bits;
   }
   const int top = (1 << (bits - 1)) - 1, magnitude = v < 0 ? -v : v;
   if (bits >= 16 || v == 0)
      return v;
   const int u =
      magnitude >= top ? 0x7fff : ((magnitude << 15) + 0x4000) >> (bits - 1);
   return v < 0 ? -u : u;
}

/* To a half float's bits. */
static uint16_t
finish(int v, bool is_signed)
{
   if (!is_signed)
      return (uint16_t)(v * 31 >> 6);
   return (uint16_t)(v < 0 ? 0x8000 | (-v * 31 >> 5) : v * 31 >> 5);
}

void
sim_bc6h_texel(const uint8_t block[16], unsigned texel, bool is_signed,
               float rgb[3])
{
   struct bits b = { block, 0 };
   unsigned mode = read_bits(&b, 2);
   if (mode >= 2)
      mode |= read_bits(&b, 3) << 2;
   const struct bc6h_mode *m = NULL;
   for (unsigned i = 0; i < ARRAY_SIZE(bc6h_modes); i++) {
      if (bc6h_modes[i].mode == mode)
         m = &bc6h_modes[i];
   }
   memset(rgb, 0, 3 * sizeof(*rgb));
   if (!m)
      return; /* reserved: zero */
   int e[4][3];
   read_bc6h_endpoints(&b, m, e);
   const unsigned partition = m->subsets == 2 ? read_bits(&b, 5) : 0;
   const unsigned index_bits = m->subsets == 2 ? 3 : 4;
   const int w = weight(
      read_index(b, m->subsets, partition, index_bits, texel), index_bits);
   const unsigned s = 2 * subset_of(m->subsets, partition, texel);
   for (unsigned c = 0; c < 3; c++) {
      for (unsigned i = 1; m->deltas && i < 4; i++) {
         e[i][c] = e[0][c] + sign_extend(e[i][c], m->delta_bits[c]);
         e[i][c] &= (1 << m->bits) - 1;
      }
      int v[2];
      for (unsigned i = 0; i < 2; i++) {
         v[i] = e[s + i][c];
         if (is_signed)
            v[i] = sign_extend(v[i], m->bits);
         v[i] = unquantize(v[i], m->bits, is_signed);
      }
      rgb[c] = util_half_to_float(finish(between(v[0], v[1], w), is_signed));
   }
}
