/* SPDX-License-Identifier: MIT */
/*
 * Where a texel of a tiled image is.
 *
 * Byte layouts of the tiles: PRM SKL Vol. 5 "Memory Views", sections "Tile
 * formats": X-major tiles of 512 B x 8 rows, Y-major tiles of 128 B x 32
 * rows in columns of 16 B, W-major tiles of 64 x 64 stencil bytes, whose
 * pitch is given for 128 B x 32 rows. No bit-6 swizzling since Gen8.
 */
#ifndef SIM_IMAGE_H
#define SIM_IMAGE_H

#include "intel/sim/mem/mem.h"

/* The values of RENDER_SURFACE_STATE::TileMode. */
enum sim_tile_mode {
   SIM_TILE_LINEAR = 0,
   SIM_TILE_W = 1,
   SIM_TILE_X = 2,
   SIM_TILE_Y = 3,
};

enum sim_sample_layout {
   SIM_SAMPLES_SINGLE,
   /* A slice of the array for each sample. */
   SIM_SAMPLES_SLICES,
   /* Samples are neighbours in x and y: depth and stencil. */
   SIM_SAMPLES_INTERLEAVED,
};

/* One mip level of an image. */
struct sim_image {
   uint64_t address;
   uint32_t pitch_B;
   enum sim_tile_mode tiling;
   unsigned bpp_B; /* bytes of a texel */
   enum sim_sample_layout sample_layout;
   unsigned num_samples;

   unsigned width, height; /* of the level, in pixels */
   uint32_t x0, y0;        /* of the level in slice 0, in texels, rows */
   uint32_t qpitch_rows;   /* from slice to slice */
};

/* Offset of byte column x_B in row y from the start of a tiled surface. */
static inline uint64_t
sim_tile_offset(enum sim_tile_mode tiling, uint32_t pitch_B, uint32_t x_B,
                uint32_t y)
{
   const uint64_t pitch = pitch_B;
   switch (tiling) {
   case SIM_TILE_LINEAR: return y * pitch + x_B;
   case SIM_TILE_X:
      return (y >> 3) * 8 * pitch + ((uint64_t)(x_B >> 9) << 12) +
             ((y & 7) << 9) + (x_B & 511);
   case SIM_TILE_Y:
      return (y >> 5) * 32 * pitch + ((uint64_t)(x_B >> 7) << 12) +
             (((x_B >> 4) & 7) << 9) + ((y & 31) << 4) + (x_B & 15);
   case SIM_TILE_W:
      return (y >> 6) * 32 * pitch + ((uint64_t)(x_B >> 6) << 12) +
             (((x_B >> 3) & 7) << 9) + (((y >> 3) & 7) << 6) +
             (((y >> 2) & 1) << 5) + (((x_B >> 2) & 1) << 4) +
             (((y >> 1) & 1) << 3) + (((x_B >> 1) & 1) << 2) +
             ((y & 1) << 1) + (x_B & 1);
   }
   unreachable("tile mode");
}

/* Position of a sample in an interleaved surface; PRM SKL Vol. 5
 * "Multisampled surface storage format: depth/stencil". */
static inline void
sim_interleave_sample(unsigned num_samples, unsigned sample, uint32_t *x,
                      uint32_t *y)
{
   const uint32_t px = *x, py = *y, s = sample;
   switch (num_samples) {
   case 2: *x = (px & ~1u) << 1 | (s & 1) << 1 | (px & 1); break;
   case 4:
      *x = (px & ~1u) << 1 | (s & 1) << 1 | (px & 1);
      *y = (py & ~1u) << 1 | (s & 2) | (py & 1);
      break;
   case 8:
      *x = (px & ~1u) << 2 | (s & 4) | (s & 1) << 1 | (px & 1);
      *y = (py & ~1u) << 1 | (s & 2) | (py & 1);
      break;
   case 16:
      *x = (px & ~1u) << 2 | (s & 4) | (s & 1) << 1 | (px & 1);
      *y = (py & ~1u) << 2 | (s & 8) >> 1 | (s & 2) | (py & 1);
      break;
   default: break;
   }
}

/*
 * Where mip level `lod` of a 2D slice starts, in texels and rows: PRM SKL
 * Vol. 5 "2D Surfaces: computing MIP level sizes / positions": level 1 is
 * below level 0, level 2 right of level 1, the others below level 2.
 * Interleaved samples widen every level first.
 */
static inline void
sim_level_origin(uint32_t width, uint32_t height, unsigned lod,
                 unsigned halign, unsigned valign, bool interleaved,
                 unsigned num_samples, uint32_t *x, uint32_t *y)
{
   *x = *y = 0;
   if (interleaved) {
      const unsigned shift = util_logbase2(num_samples);
      width = ALIGN(width, 2) << ((shift + 1) / 2);
      height = ALIGN(height, 2) << (shift / 2);
   }
   for (unsigned l = 0; l < lod; l++) {
      const uint32_t w = MAX2(width >> l, 1u), h = MAX2(height >> l, 1u);
      if (l == 1)
         *x += ALIGN(w, halign);
      else
         *y += ALIGN(h, valign);
   }
}

/* GPU address of one sample of one pixel of one slice. */
static inline uint64_t
sim_image_address(const struct sim_image *img, uint32_t x, uint32_t y,
                  uint32_t slice, unsigned sample)
{
   if (img->sample_layout == SIM_SAMPLES_INTERLEAVED)
      sim_interleave_sample(img->num_samples, sample, &x, &y);
   else if (img->sample_layout == SIM_SAMPLES_SLICES)
      slice = slice * img->num_samples + sample;
   return img->address +
          sim_tile_offset(img->tiling, img->pitch_B,
                          (img->x0 + x) * img->bpp_B,
                          img->y0 + y + slice * img->qpitch_rows);
}

#endif
