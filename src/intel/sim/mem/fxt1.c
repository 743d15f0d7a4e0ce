/* SPDX-License-Identifier: MIT */
/*
 * FXT1: blocks of 8x4 texels in 128 bits (OpenGL extension
 * 3DFX_texture_compression_FXT1, whose names are used here). Each block is of
 * one of four kinds, which the highest bits name:
 *
 *    00x CC_HI      two colours, steps of a sixth between them, transparent
 *    010 CC_CHROMA  four colours
 *    011 CC_ALPHA   three colours with alpha, as they are or with steps
 *    1xx CC_MIXED   two colours for each half of 4x4
 *
 * Texels are counted by rows in the left half, then in the right one.
 */
#include "fxt1.h"

struct texel {
   int r, g, b, a;
};

static unsigned
field(const uint8_t *block, unsigned low, unsigned bits)
{
   unsigned v = 0;
   for (unsigned i = 0; i < bits; i++)
      v |= (block[(low + i) / 8] >> (low + i) % 8 & 1u) << i;
   return v;
}

static int
expand5(unsigned v)
{
   return (int)(v * 255 + 15) / 31;
}

static int
expand6(unsigned v)
{
   return (int)(v * 255 + 31) / 63;
}

/* Colours of 15 bits, blue lowest. */
static struct texel
color(const uint8_t *block, unsigned low)
{
   return (struct texel) { expand5(field(block, low + 10, 5)),
                           expand5(field(block, low + 5, 5)),
                           expand5(field(block, low, 5)), 255 };
}

/* i of n steps from a to b, rounded. */
static struct texel
step(struct texel a, struct texel b, int i, int n)
{
   return (struct texel) { ((n - i) * a.r + i * b.r + n / 2) / n,
                           ((n - i) * a.g + i * b.g + n / 2) / n,
                           ((n - i) * a.b + i * b.b + n / 2) / n,
                           ((n - i) * a.a + i * b.a + n / 2) / n };
}

static struct texel
high(const uint8_t *block, unsigned t)
{
   const unsigned index = field(block, 3 * t, 3);
   if (index == 7)
      return (struct texel) { 0 };
   return step(color(block, 96), color(block, 111), (int)index, 6);
}

static struct texel
chroma(const uint8_t *block, unsigned t)
{
   return color(block, 64 + 15 * field(block, 2 * t, 2));
}

static struct texel
with_alpha(const uint8_t *block, unsigned t)
{
   const unsigned index = field(block, 2 * t, 2);
   struct texel c[3];
   for (unsigned i = 0; i < 3; i++) {
      c[i] = color(block, 64 + 15 * i);
      c[i].a = expand5(field(block, 109 + 5 * i, 5));
   }
   /* Bit 124, "lerp": between the half's own colour and the common one. */
   if (field(block, 124, 1))
      return step(c[t < 16 ? 0 : 2], c[1], (int)index, 3);
   return index == 3 ? (struct texel) { 0 } : c[index];
}

static struct texel
mixed(const uint8_t *block, unsigned t)
{
   const unsigned half = t / 16;
   const unsigned index = field(block, 2 * t, 2);
   const unsigned low = 64 + 30 * half;
   const unsigned glsb = field(block, 125 + half, 1);
   struct texel c0 = color(block, low), c1 = color(block, low + 15);
   c1.g = expand6(field(block, low + 20, 5) << 1 | glsb);
   if (field(block, 124, 1)) {
      if (index == 3)
         return (struct texel) { 0 };
      if (index == 1)
         return (struct texel) { (c0.r + c1.r) / 2, (c0.g + c1.g) / 2,
                                 (c0.b + c1.b) / 2, 255 };
      return index ? c1 : c0;
   }
   /* The sixth bit of the first green is hidden in the half's first index. */
   const unsigned hidden = field(block, 32 * half + 1, 1);
   c0.g = expand6(field(block, low + 5, 5) << 1 | (glsb ^ hidden));
   return step(c0, c1, (int)index, 3);
}

void
sim_fxt1_texel(const uint8_t block[16], unsigned x, unsigned y,
               uint8_t rgba[4])
{
   const unsigned t = 4 * y + x % 4 + (x >= 4 ? 16 : 0);
   const unsigned mode = field(block, 125, 3);
   const struct texel v = mode >= 4   ? mixed(block, t)
                          : mode == 3 ? with_alpha(block, t)
                          : mode == 2 ? chroma(block, t)
                                      : high(block, t);
   rgba[0] = (uint8_t)v.r;
   rgba[1] = (uint8_t)v.g;
   rgba[2] = (uint8_t)v.b;
   rgba[3] = (uint8_t)v.a;
}
