/* SPDX-License-Identifier: MIT */
/*
 * ASTC: blocks of 4x4 to 12x12 texels in 128 bits (Khronos Data Format
 * Specification 1.3, chapter "ASTC", whose terms are used here; that of
 * OpenGL's KHR_texture_compression_astc_ldr).
 *
 * From bit 0 up: the block mode, which gives the grid of weights; how many
 * partitions there are, and which; the modes of their end points; and the end
 * points as a sequence of integers. From bit 127 down: the grid of weights.
 * A texel's weight is interpolated in the grid, and its colour between the
 * end points of its partition. A partition whose end points are of high
 * dynamic range is magenta, as the LDR profile has it.
 */
#include "astc.h"

#include "astc_private.h"

struct astc {
   struct sim_astc_bits bits, weight_bits;
   unsigned w, h; /* texels */
   bool srgb;
   unsigned grid_w, grid_h;
   bool dual_plane;
   struct sim_astc_range weight_range;
   unsigned weights_size_bits;
   unsigned partitions, partition_seed;
   unsigned mode[4]; /* of end points */
   unsigned dual_channel;
   int end[4][2][4]; /* partition, first or second, channel */
   bool is_error[4]; /* the partition's mode is of high dynamic range */
   uint8_t weight[2][64];
};

static const uint16_t magenta[4] = { 0xffff, 0, 0xffff, 0xffff };

static unsigned
field(const struct astc *a, unsigned at, unsigned n)
{
   return sim_astc_field(&a->bits, at, n);
}

/* ------------------------------------------------------------ block mode */

/* The size of the grid when bits 1:0 are zero; false: reserved. */
static bool
sparse_grid(struct astc *a)
{
   const unsigned one = field(a, 5, 2);
   switch (field(a, 7, 2)) {
   case 0:
      a->grid_w = 12;
      a->grid_h = one + 2;
      return true;
   case 1:
      a->grid_w = one + 2;
      a->grid_h = 12;
      return true;
   case 2:
      a->grid_w = one + 6;
      a->grid_h = field(a, 9, 2) + 6;
      return true;
   default:
      a->grid_w = one ? 10 : 6;
      a->grid_h = one ? 6 : 10;
      return one < 2;
   }
}

static void
dense_grid(struct astc *a)
{
   const unsigned one = field(a, 5, 2), two = field(a, 7, 2);
   switch (field(a, 2, 2)) {
   case 0:
      a->grid_w = two + 4;
      a->grid_h = one + 2;
      break;
   case 1:
      a->grid_w = two + 8;
      a->grid_h = one + 2;
      break;
   case 2:
      a->grid_w = one + 2;
      a->grid_h = two + 8;
      break;
   default:
      a->grid_w = two < 2 ? one + 2 : (two & 1) + 2;
      a->grid_h = two < 2 ? two + 6 : one + 2;
      break;
   }
}

static bool
read_mode(struct astc *a)
{
   /* clang-format off */
   static const struct sim_astc_range ranges[2][8] = {
      { { 0, 0 }, { 0, 0 }, { 1, 1 }, { 0, 3 }, { 2, 1 }, { 0, 5 }, { 1, 3 },
        { 3, 1 } },
      { { 0, 0 }, { 0, 0 }, { 1, 5 }, { 2, 3 }, { 4, 1 }, { 2, 5 }, { 3, 3 },
        { 5, 1 } },
   };
   /* clang-format on */
   bool high = field(a, 9, 1);
   unsigned r = field(a, 4, 1);
   a->dual_plane = field(a, 10, 1);
   if (field(a, 0, 2)) {
      r |= field(a, 0, 2) << 1;
      dense_grid(a);
   } else {
      r |= field(a, 2, 2) << 1;
      if (!sparse_grid(a))
         return false;
      if (field(a, 7, 2) == 2)
         high = a->dual_plane = false;
   }
   a->weight_range = ranges[high][r];
   const unsigned count = a->grid_w * a->grid_h * (a->dual_plane ? 2 : 1);
   a->weights_size_bits = sim_astc_size_bits(a->weight_range, count);
   return r >= 2 && count <= 64 && a->weights_size_bits >= 24 &&
          a->weights_size_bits <= 96 && a->grid_w <= a->w &&
          a->grid_h <= a->h;
}

static void
read_weights(struct astc *a)
{
   uint8_t raw[64];
   const unsigned planes = a->dual_plane ? 2 : 1;
   const unsigned count = a->grid_w * a->grid_h * planes;
   sim_astc_read(&a->weight_bits, 0, a->weight_range, count, raw);
   for (unsigned i = 0; i < count; i++)
      a->weight[i % planes][i / planes] =
         (uint8_t)sim_astc_weight(a->weight_range, raw[i]);
}

/* ------------------------------------------------------------ end points */

/* "Void-extent blocks": one colour. False: not of this profile. */
static bool
void_extent(struct astc *a, uint16_t rgba[4])
{
   const unsigned none = BITFIELD_MASK(13);
   const unsigned s0 = field(a, 12, 13), s1 = field(a, 25, 13);
   const unsigned t0 = field(a, 38, 13), t1 = field(a, 51, 13);
   const bool no_extent = s0 == none && s1 == none && t0 == none &&
                          t1 == none;
   for (unsigned c = 0; c < 4; c++)
      rgba[c] = (uint16_t)field(a, 64 + 16 * c, 16);
   return field(a, 9, 1) == 0 && field(a, 10, 2) == 3 &&
          (no_extent || (s0 < s1 && t0 < t1));
}

/* Modes of the partitions; *top is where the bits for end points end. */
static bool
read_partitions(struct astc *a, unsigned *first, unsigned *top)
{
   *top = 128 - a->weights_size_bits;
   a->partitions = field(a, 11, 2) + 1;
   if (a->partitions == 1) {
      a->mode[0] = field(a, 13, 4);
      *first = 17;
      return true;
   }
   *first = 29;
   a->partition_seed = field(a, 13, 10);
   const unsigned base = field(a, 23, 2), n = a->partitions;
   if (base == 0) {
      for (unsigned i = 0; i < n; i++)
         a->mode[i] = field(a, 25, 4);
      return true;
   }
   /* What does not fit is below the weights: a bit of class for each, then
    * two of mode. */
   const unsigned extra = 3 * n - 4;
   *top -= extra;
   const unsigned all = field(a, 25, 4) | field(a, *top, extra) << 4;
   for (unsigned i = 0; i < n; i++)
      a->mode[i] = (base - 1 + (all >> i & 1)) << 2 |
                   (all >> (n + 2 * i) & 3);
   return !(n == 4 && a->dual_plane);
}

static int
clamp_byte(int v)
{
   return CLAMP(v, 0, 255);
}

static void
set_end(int end[4], int r, int g, int b, int alpha)
{
   end[0] = clamp_byte(r);
   end[1] = clamp_byte(g);
   end[2] = clamp_byte(b);
   end[3] = clamp_byte(alpha);
}

/* "Blue contraction" */
static void
set_contracted(int end[4], int r, int g, int b, int alpha)
{
   set_end(end, (r + b) >> 1, (g + b) >> 1, b, alpha);
}

/* "bit_transfer_signed": *offset gets a sign, *base its highest bit. */
static void
transfer(int *offset, int *base)
{
   *base = *base >> 1 | (*offset & 0x80);
   *offset = *offset >> 1 & 0x3f;
   if (*offset & 0x20)
      *offset -= 0x40;
}

static void
direct_colors(int e[2][4], const int v[8], int alpha0, int alpha1)
{
   if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
      set_end(e[0], v[0], v[2], v[4], alpha0);
      set_end(e[1], v[1], v[3], v[5], alpha1);
   } else {
      set_contracted(e[0], v[1], v[3], v[5], alpha1);
      set_contracted(e[1], v[0], v[2], v[4], alpha0);
   }
}

static void
offset_colors(int e[2][4], int v[8], int alpha0, int alpha1)
{
   for (unsigned i = 0; i < 6; i += 2)
      transfer(&v[i + 1], &v[i]);
   const int r = v[0] + v[1], g = v[2] + v[3], b = v[4] + v[5];
   if (v[1] + v[3] + v[5] >= 0) {
      set_end(e[0], v[0], v[2], v[4], alpha0);
      set_end(e[1], r, g, b, alpha1);
   } else {
      set_contracted(e[0], r, g, b, alpha1);
      set_contracted(e[1], v[0], v[2], v[4], alpha0);
   }
}

/* "Color endpoint modes". False: one of high dynamic range. */
static bool
find_ends(int e[2][4], unsigned mode, int v[8])
{
   switch (mode) {
   case 0:
      set_end(e[0], v[0], v[0], v[0], 255);
      set_end(e[1], v[1], v[1], v[1], 255);
      return true;
   case 1: {
      const int low = v[0] >> 2 | (v[1] & 0xc0);
      const int up = low + (v[1] & 0x3f);
      set_end(e[0], low, low, low, 255);
      set_end(e[1], up, up, up, 255);
      return true;
   }
   case 4:
      set_end(e[0], v[0], v[0], v[0], v[2]);
      set_end(e[1], v[1], v[1], v[1], v[3]);
      return true;
   case 5:
      transfer(&v[1], &v[0]);
      transfer(&v[3], &v[2]);
      set_end(e[0], v[0], v[0], v[0], v[2]);
      set_end(e[1], v[0] + v[1], v[0] + v[1], v[0] + v[1], v[2] + v[3]);
      return true;
   case 6:
   case 10:
      set_end(e[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8,
              mode == 10 ? v[4] : 255);
      set_end(e[1], v[0], v[1], v[2], mode == 10 ? v[5] : 255);
      return true;
   case 8: direct_colors(e, v, 255, 255); return true;
   case 12: direct_colors(e, v, v[6], v[7]); return true;
   case 9: offset_colors(e, v, 255, 255); return true;
   case 13:
      transfer(&v[7], &v[6]);
      offset_colors(e, v, v[6], v[6] + v[7]);
      return true;
   default: return false;
   }
}

static bool
read_ends(struct astc *a, unsigned first, unsigned top)
{
   /* The finest range that fits is what they are stored in. */
   static const struct sim_astc_range ranges[] = {
      { 8, 1 }, { 6, 3 }, { 5, 5 }, { 7, 1 }, { 5, 3 }, { 4, 5 },
      { 6, 1 }, { 4, 3 }, { 3, 5 }, { 5, 1 }, { 3, 3 }, { 2, 5 },
      { 4, 1 }, { 2, 3 }, { 1, 5 }, { 3, 1 }, { 1, 3 },
   };
   unsigned count = 0, r = 0;
   for (unsigned i = 0; i < a->partitions; i++)
      count += 2 * (a->mode[i] / 4 + 1);
   if (count > 18 || top < first)
      return false;
   while (r < ARRAY_SIZE(ranges) &&
          sim_astc_size_bits(ranges[r], count) > top - first)
      r++;
   if (r == ARRAY_SIZE(ranges))
      return false;
   uint8_t raw[18];
   sim_astc_read(&a->bits, first, ranges[r], count, raw);
   unsigned next = 0;
   for (unsigned i = 0; i < a->partitions; i++) {
      int v[8] = { 0 };
      for (unsigned k = 0; k < 2 * (a->mode[i] / 4 + 1); k++)
         v[k] = (int)sim_astc_color(ranges[r], raw[next++]);
      a->is_error[i] = !find_ends(a->end[i], a->mode[i], v);
   }
   return true;
}

/* ---------------------------------------------------------------- texels */

/* "Partition pattern generation" */
static uint32_t
hash(uint32_t p)
{
   p ^= p >> 15;
   p -= p << 17;
   p += p << 7;
   p += p << 4;
   p ^= p >> 5;
   p += p << 16;
   p ^= p >> 7;
   p ^= p >> 3;
   p ^= p << 6;
   p ^= p >> 17;
   return p;
}

static unsigned
partition_of(const struct astc *a, unsigned x, unsigned y)
{
   if (a->partitions == 1)
      return 0;
   /* Small blocks have the pattern's coarser half. */
   const unsigned scale = a->w * a->h < 31 ? 2 : 1;
   const uint32_t seed = a->partition_seed + (a->partitions - 1) * 1024;
   const uint32_t r = hash(seed);
   const unsigned sparse = a->partitions == 3 ? 6 : 5;
   const unsigned dense = seed & 2 ? 4 : 5;
   const unsigned shift[2] = { seed & 1 ? dense : sparse,
                               seed & 1 ? sparse : dense };
   unsigned sum[4];
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t sx = r >> 8 * i & 15, sy = r >> (8 * i + 4) & 15;
      sum[i] = (sx * sx >> shift[0]) * x * scale +
               (sy * sy >> shift[1]) * y * scale + (r >> (14 - 4 * i));
      sum[i] = i < a->partitions ? sum[i] & 63 : 0;
   }
   unsigned best = 0;
   for (unsigned i = 1; i < 4; i++) {
      if (sum[i] > sum[best])
         best = i;
   }
   return best;
}

/* "Weight infill" */
static unsigned
weight_at(const struct astc *a, unsigned plane, unsigned x, unsigned y)
{
   const unsigned ds = (1024 + a->w / 2) / (a->w - 1);
   const unsigned dt = (1024 + a->h / 2) / (a->h - 1);
   const unsigned gs = (ds * x * (a->grid_w - 1) + 32) >> 6;
   const unsigned gt = (dt * y * (a->grid_h - 1) + 32) >> 6;
   const unsigned fs = gs & 15, ft = gt & 15;
   const unsigned at = (gs >> 4) + (gt >> 4) * a->grid_w;
   const unsigned w11 = (fs * ft + 8) >> 4;
   const unsigned factor[4] = { 16 - fs - ft + w11, fs - w11, ft - w11, w11 };
   const unsigned place[4] = { at, at + 1, at + a->grid_w,
                               at + a->grid_w + 1 };
   unsigned sum = 8;
   for (unsigned i = 0; i < 4; i++) {
      /* Beyond the grid's edge the factor is zero. */
      if (factor[i] && place[i] < a->grid_w * a->grid_h)
         sum += a->weight[plane][place[i]] * factor[i];
   }
   return sum >> 4;
}

static void
texel(const struct astc *a, unsigned x, unsigned y, uint16_t rgba[4])
{
   const unsigned p = partition_of(a, x, y);
   if (a->is_error[p]) {
      memcpy(rgba, magenta, sizeof(magenta));
      return;
   }
   const unsigned weights[2] = { weight_at(a, 0, x, y),
                                 a->dual_plane ? weight_at(a, 1, x, y) : 0 };
   for (unsigned c = 0; c < 4; c++) {
      const unsigned w = weights[a->dual_plane && c == a->dual_channel];
      unsigned e[2];
      for (unsigned i = 0; i < 2; i++) {
         const unsigned v = (unsigned)a->end[p][i][c];
         e[i] = v << 8 | (a->srgb && c < 3 ? 0x80 : v);
      }
      rgba[c] = (uint16_t)((e[0] * (64 - w) + e[1] * w + 32) >> 6);
   }
}

static void
fill(struct sim_astc_block *out, const uint16_t rgba[4])
{
   for (unsigned i = 0; i < SIM_ASTC_MAX_TEXELS; i++)
      memcpy(out->rgba[i], rgba, sizeof(out->rgba[i]));
}

void
sim_astc_decode(const uint8_t block[16], unsigned w, unsigned h, bool srgb,
                struct sim_astc_block *out)
{
   struct astc a = { .bits = { block, false },
                     .weight_bits = { block, true },
                     .w = w,
                     .h = h,
                     .srgb = srgb };
   assert(w >= 4 && h >= 4 && w * h <= SIM_ASTC_MAX_TEXELS);
   if (field(&a, 0, 9) == 0x1fc) {
      uint16_t rgba[4];
      fill(out, void_extent(&a, rgba) ? rgba : magenta);
      return;
   }
   unsigned first, top;
   bool ok = read_mode(&a) && read_partitions(&a, &first, &top);
   if (ok && a.dual_plane) {
      top -= 2;
      a.dual_channel = field(&a, top, 2);
      ok = a.partitions < 4;
   }
   if (!ok || !read_ends(&a, first, top)) {
      fill(out, magenta);
      return;
   }
   read_weights(&a);
   for (unsigned y = 0; y < h; y++) {
      for (unsigned x = 0; x < w; x++)
         texel(&a, x, y, out->rgba[y * w + x]);
   }
}
