/* SPDX-License-Identifier: MIT */
/*
 * ETC1, ETC2 and EAC: blocks of 4x4 texels in 64 bits, the first byte on top
 * (Khronos Data Format Specification 1.3, chapters "ETC1", "ETC2", and
 * appendix C of OpenGL ES 3.0, from which all tables are).
 *
 * A colour block has two base colours, each for half of the block, and for
 * each texel one of four changes of brightness. With differential colours
 * ETC2 gives a meaning to sums that overflow: in red two colours and a
 * distance (T), in green likewise (H), in blue a plane.
 */
#include "etc.h"

/* "Intensity modifier sets". */
static const int16_t modifiers[8][2] = {
   { 2, 8 },   { 5, 17 },  { 9, 29 },   { 13, 42 },
   { 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 },
};

/* "Distance table". */
static const uint8_t distances[8] = { 3, 6, 11, 16, 23, 32, 41, 64 };

/* "EAC modifiers": those below zero; the others are -1 - m. */
static const int8_t eac_modifiers[16][4] = {
   { -3, -6, -9, -15 }, { -3, -7, -10, -13 }, { -2, -5, -8, -13 },
   { -2, -4, -6, -13 }, { -3, -6, -8, -12 },  { -3, -7, -9, -11 },
   { -4, -7, -8, -11 }, { -3, -5, -8, -11 },  { -2, -6, -8, -10 },
   { -2, -5, -8, -10 }, { -2, -4, -8, -10 },  { -2, -5, -7, -10 },
   { -3, -4, -7, -10 }, { -1, -2, -3, -10 },  { -4, -6, -8, -9 },
   { -3, -5, -7, -9 },
};

static uint64_t
load_block(const uint8_t b[8])
{
   uint64_t v = 0;
   for (unsigned i = 0; i < 8; i++)
      v = v << 8 | b[i];
   return v;
}

/* Bits high to low, as the specification counts them. */
static int
field(uint64_t v, unsigned high, unsigned low)
{
   return (int)(v >> low & BITFIELD64_MASK(high - low + 1));
}

static uint8_t
clamp_byte(int v)
{
   return (uint8_t)CLAMP(v, 0, 255);
}

static int
expand(int v, unsigned bits)
{
   return v << (8 - bits) | v >> (2 * bits - 8);
}

/* Texels are counted down the columns; the index is in two halves. */
static unsigned
texel_index(uint64_t v, unsigned x, unsigned y)
{
   const unsigned i = 4 * x + y;
   return (unsigned)(field(v, 16 + i, 16 + i) << 1 | field(v, i, i));
}

static void
shift_color(const int base[3], int by, uint8_t rgba[4])
{
   for (unsigned c = 0; c < 3; c++)
      rgba[c] = clamp_byte(base[c] + by);
}

/* The two base colours' halves: side by side, or one above the other. */
static void
half_texel(uint64_t v, unsigned x, unsigned y, const int base[2][3],
           bool transparent, uint8_t rgba[4])
{
   const bool flip = field(v, 32, 32);
   const unsigned half = (flip ? y : x) / 2;
   const int16_t *m = modifiers[half ? field(v, 36, 34) : field(v, 39, 37)];
   const unsigned index = texel_index(v, x, y);
   const int small = transparent ? 0 : m[0];
   const int by[4] = { small, m[1], -small, -m[1] };
   shift_color(base[half], by[index], rgba);
}

static void
t_texel(uint64_t v, unsigned index, uint8_t rgba[4])
{
   const int one[3] = { 17 * (field(v, 60, 59) << 2 | field(v, 57, 56)),
                        17 * field(v, 55, 52), 17 * field(v, 51, 48) };
   const int two[3] = { 17 * field(v, 47, 44), 17 * field(v, 43, 40),
                        17 * field(v, 39, 36) };
   const int d = distances[field(v, 35, 34) << 1 | field(v, 32, 32)];
   const int by[4] = { 0, d, 0, -d };
   shift_color(index ? two : one, by[index], rgba);
}

static void
h_texel(uint64_t v, unsigned index, uint8_t rgba[4])
{
   const int one[3] = { 17 * field(v, 62, 59),
                        17 * (field(v, 58, 56) << 1 | field(v, 52, 52)),
                        17 * (field(v, 51, 51) << 3 | field(v, 49, 47)) };
   const int two[3] = { 17 * field(v, 46, 43), 17 * field(v, 42, 39),
                        17 * field(v, 38, 35) };
   /* The distance's last bit is the order of the colours. */
   const int first = one[0] << 16 | one[1] << 8 | one[2];
   const int second = two[0] << 16 | two[1] << 8 | two[2];
   const int d = distances[field(v, 34, 34) << 2 | field(v, 32, 32) << 1 |
                           (first >= second)];
   shift_color(index < 2 ? one : two, index & 1 ? -d : d, rgba);
}

static void
planar_texel(uint64_t v, unsigned x, unsigned y, uint8_t rgba[4])
{
   const int o[3] = { expand(field(v, 62, 57), 6),
                      expand(field(v, 56, 56) << 6 | field(v, 54, 49), 7),
                      expand(field(v, 48, 48) << 5 | field(v, 44, 43) << 3 |
                                field(v, 41, 39),
                             6) };
   const int h[3] = { expand(field(v, 38, 34) << 1 | field(v, 32, 32), 6),
                      expand(field(v, 31, 25), 7),
                      expand(field(v, 24, 19), 6) };
   const int w[3] = { expand(field(v, 18, 13), 6), expand(field(v, 12, 6), 7),
                      expand(field(v, 5, 0), 6) };
   for (unsigned c = 0; c < 3; c++)
      rgba[c] = clamp_byte(
         ((int)x * (h[c] - o[c]) + (int)y * (w[c] - o[c]) + 4 * o[c] + 2) >>
         2);
}

void
sim_etc2_texel(const uint8_t block[8], unsigned x, unsigned y,
               bool punch_through, uint8_t rgba[4])
{
   const uint64_t v = load_block(block);
   const unsigned index = texel_index(v, x, y);
   /* With punch-through alpha this bit says that there is none. */
   const bool bit33 = field(v, 33, 33);
   const bool transparent = punch_through && !bit33;
   int base[2][3];
   rgba[3] = 255;
   if (!bit33 && !punch_through) {
      for (unsigned c = 0; c < 3; c++) {
         base[0][c] = 17 * field(v, 63 - 8 * c, 60 - 8 * c);
         base[1][c] = 17 * field(v, 59 - 8 * c, 56 - 8 * c);
      }
      half_texel(v, x, y, base, false, rgba);
      return;
   }
   int beyond = -1;
   for (unsigned c = 0; c < 3 && beyond < 0; c++) {
      const int first = field(v, 63 - 8 * c, 59 - 8 * c);
      const int delta = field(v, 58 - 8 * c, 56 - 8 * c);
      const int second = first + (delta >= 4 ? delta - 8 : delta);
      if (second < 0 || second > 31)
         beyond = (int)c;
      base[0][c] = expand(first, 5);
      base[1][c] = expand(second & 31, 5);
   }
   /* A plane has no indices, so no transparent texels. */
   if (beyond == 2) {
      planar_texel(v, x, y, rgba);
      return;
   }
   if (transparent && index == 2) {
      memset(rgba, 0, 4);
      return;
   }
   if (beyond == 0)
      t_texel(v, index, rgba);
   else if (beyond == 1)
      h_texel(v, index, rgba);
   else
      half_texel(v, x, y, base, transparent, rgba);
}

static int
eac_modifier(uint64_t v, unsigned x, unsigned y)
{
   const unsigned at = 45 - 3 * (4 * x + y);
   const int index = field(v, at + 2, at);
   const int m = eac_modifiers[field(v, 51, 48)][index & 3];
   return index < 4 ? m : -1 - m;
}

uint8_t
sim_eac_alpha_texel(const uint8_t block[8], unsigned x, unsigned y)
{
   const uint64_t v = load_block(block);
   return clamp_byte(field(v, 63, 56) +
                     eac_modifier(v, x, y) * field(v, 55, 52));
}

int
sim_eac_11bit_texel(const uint8_t block[8], unsigned x, unsigned y,
                    bool is_signed)
{
   const uint64_t v = load_block(block);
   const int m = eac_modifier(v, x, y);
   const int multiplier = field(v, 55, 52);
   const int change = multiplier ? m * multiplier * 8 : m;
   if (!is_signed)
      return CLAMP(field(v, 63, 56) * 8 + 4 + change, 0, 2047);
   /* -128 stands for -127. */
   const int base = MAX2((int8_t)field(v, 63, 56), -127);
   return CLAMP(base * 8 + change, -1023, 1023);
}
