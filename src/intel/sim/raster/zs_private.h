/* SPDX-License-Identifier: MIT */
/* What zs.c and zs_block.c share about depth tests. */
#ifndef SIM_RASTER_ZS_PRIVATE_H
#define SIM_RASTER_ZS_PRIVATE_H

#include "raster_private.h"

#include <math.h>

/* How two numbers relate: one bit each. */
enum zs_relation {
   LESS = 1 << 0,
   EQUAL = 1 << 1,
   GREATER = 1 << 2,
   UNORDERED = 1 << 3,
};

/* PRM SKL Vol. 2d "3D_Compare_Function": the relations that pass. */
static inline unsigned
zs_passing(unsigned func)
{
   static const uint8_t passes[8] = {
      [0] = LESS | EQUAL | GREATER | UNORDERED, /* always */
      [1] = 0,                                  /* never */
      [2] = LESS,
      [3] = EQUAL,
      [4] = LESS | EQUAL,
      [5] = GREATER,
      [6] = LESS | GREATER | UNORDERED, /* not equal */
      [7] = GREATER | EQUAL,
   };
   return passes[func & 7];
}

/* Depth as the buffer holds it: a float, or an unsigned normalised number
 * rounded to nearest, whatever the viewport and the shader let pass. */
static inline uint32_t
zs_quantise(uint32_t format, float z)
{
   const double unorm = z > 0.0f ? MIN2(z, 1.0f) : 0.0;
   switch (format) {
   case D16_UNORM: return (uint32_t)lrint(unorm * 65535.0);
   case D24_UNORM_X8_UINT: return (uint32_t)lrint(unorm * 16777215.0);
   default: return util_float_bits(z);
   }
}

/* Whether the viewport keeps depths between 0 and 1. */
static inline bool
zs_depths_are_normalised(const struct sim_raster *r)
{
   const struct sim_raster_viewport *vp =
      &r->viewport[r->setup->viewport_index];
   return vp->min_depth >= 0 && vp->min_depth <= 1 && vp->max_depth >= 0 &&
          vp->max_depth <= 1;
}

/* Where a pixel of even x and y is, if zs->by_quads; the next column is right
 * after it, rows are 16 bytes apart. NULL: not known. */
static inline uint8_t *
zs_depth_quad(struct sim_raster *r, int x, int y)
{
   struct sim_depth_stencil *zs = &r->zs;
   const struct sim_image *img = &zs->depth;
   return sim_tile_page_ptr(
      &zs->page, r->mem, img->address, SIM_TILE_Y, img->pitch_B,
      (img->x0 + (uint32_t)x) * img->bpp_B,
      img->y0 + (uint32_t)y + r->setup->layer * img->qpitch_rows);
}

#endif
