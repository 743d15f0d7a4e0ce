/* SPDX-License-Identifier: MIT */
/*
 * What HiZ says about depth (PRM SKL Vol. 7, "Hierarchical Depth Buffer"): of
 * each block of pixels that all have the clear depth, or between which two
 * depths they are, or nothing.
 *
 * A chip that finds a primitive beyond those two neither reads nor writes the
 * depth buffer for the test: as if each depth were the nearest one between
 * them. So it is done here, and nothing changes while HiZ is right. Where
 * depth was written around it (by the CPU, as a colour target, with HiZ off)
 * and no resolve of HiZ has been done since, wrong pixels pass or fail.
 *
 * How narrow the bounds are is up to the chip. Here a primitive widens them
 * by its own depths, or replaces them where it writes all of a block.
 */
#include "zs_private.h"

#include <emmintrin.h>
#include <math.h>

/* What a block without bounds has; they are compared as signed numbers, as
 * depths between 0 and 1 may be in all formats. */
static const struct sim_hiz_bounds any_depth = { INT32_MIN, INT32_MAX };

static struct sim_hiz_block *
find_block(struct sim_raster *r, int x, int y)
{
   const uint32_t first = r->state->depth_buffer.MinimumArrayElement;
   struct sim_hiz_block *b = sim_hiz_block(
      &r->zs.hiz, r->mem, (uint32_t)x, (uint32_t)y, first + r->setup->layer);
   if (!b)
      sim_draw_mem_fault(r->draw, r->mem, "HiZ buffer");
   return b;
}

/* NaN and what is not between 0 and 1 have no bounds. */
static void
set_bounds(struct sim_hiz_block *b, struct sim_hiz_bounds to)
{
   if (to.least < 0 || to.least > to.most) {
      b->mark = SIM_HIZ_VALID;
      return;
   }
   *b = (struct sim_hiz_block) { .mark = SIM_HIZ_BOUNDS, .bounds = to };
}

static void
add_bounds(struct sim_hiz_block *b, struct sim_hiz_bounds more)
{
   if (b->mark == SIM_HIZ_BOUNDS)
      set_bounds(b,
                 (struct sim_hiz_bounds) { MIN2(b->bounds.least, more.least),
                                           MAX2(b->bounds.most, more.most) });
}

bool
sim_hiz_set(struct sim_raster *r, int x, int y, uint32_t mark)
{
   struct sim_hiz_block *b = find_block(r, x, y);
   if (b)
      b->mark = mark;
   return b != NULL;
}

bool
sim_hiz_add(struct sim_raster *r, int x, int y, float depth)
{
   struct sim_hiz_block *b = r->zs.has_hiz ? find_block(r, x, y) : NULL;
   const int32_t z = (int32_t)zs_quantise(r->zs.depth_format, depth);
   if (b)
      add_bounds(b, (struct sim_hiz_bounds) { z, z });
   return b || !r->zs.has_hiz;
}

/* The clear depth for a whole block of HiZ, which in columns of 16 bytes has
 * its rows one after the other; false: nothing has been done. */
static bool
fill_clear(struct sim_raster *r, int x0, int y0, uint32_t z)
{
   const struct sim_depth_stencil *zs = &r->zs;
   const struct sim_image *img = &zs->depth;
   const int column_px = 16 / (int)zs->depth_size_B;
   const __m128i row =
      _mm_set1_epi32((int)(zs->depth_size_B == 2 ? z | z << 16 : z));
   if (!zs->by_quads || r->mem->watch ||
       (img->y0 | img->qpitch_rows) % SIM_HIZ_H || img->x0 * img->bpp_B % 16)
      return false;
   for (int x = x0; x < x0 + SIM_HIZ_W; x += column_px) {
      uint8_t *p = zs_depth_quad(r, x, y0);
      if (!p)
         return false;
      for (unsigned y = 0; y < SIM_HIZ_H; y++)
         _mm_storeu_si128((__m128i *)p + y, row);
   }
   return true;
}

/* Gives the pixels of a block that is marked clear their value. */
static bool
expand(struct sim_raster *r, struct sim_hiz_block *b, int x, int y)
{
   if (b->mark != SIM_HIZ_CLEAR)
      return true;
   const float value = r->state->clear_params.DepthClearValue;
   const uint32_t z = zs_quantise(r->zs.depth_format, value);
   set_bounds(b, (struct sim_hiz_bounds) { (int32_t)z, (int32_t)z });
   const int x0 = x & ~(SIM_HIZ_W - 1), y0 = y & ~(SIM_HIZ_H - 1);
   const int x1 = MIN2(x0 + SIM_HIZ_W, (int)r->zs.depth.width);
   const int y1 = MIN2(y0 + SIM_HIZ_H, (int)r->zs.depth.height);
   if (x1 - x0 == SIM_HIZ_W && y1 - y0 == SIM_HIZ_H &&
       fill_clear(r, x0, y0, z))
      return true;
   for (int v = y0; v < y1; v++) {
      for (int u = x0; u < x1; u++) {
         if (!sim_zs_store_depth(r, u, v, value))
            return false;
      }
   }
   return true;
}

bool
sim_hiz_expand(struct sim_raster *r, int x, int y)
{
   if (!r->zs.has_hiz)
      return true;
   struct sim_hiz_block *b = find_block(r, x, y);
   return b && expand(r, b, x, y);
}

/* How far a depth may be beyond those of the vertices by rounding alone;
 * infinite or NaN if it is not known. */
static double
rounding(const struct sim_setup *s)
{
   const double most_px = 1 << 16, each = 0x1p-50;
   double error = 0;
   for (unsigned i = 0; i < 2; i++)
      error +=
         (fabs(s->b_c[i]) + most_px * (fabs(s->b_x[i]) + fabs(s->b_y[i]))) *
         fabs(s->z[i + 1] - s->z[0]);
   return error * each;
}

/* The depths that pixels of the primitive may have, as the viewport leaves
 * them. False: not known, as the shader, or a place outside of the three
 * vertices, decides. */
static bool
find_depths(const struct sim_raster *r, struct sim_hiz_bounds *b)
{
   const struct sim_setup *s = r->setup;
   const struct sim_raster_viewport *vp = &r->viewport[s->viewport_index];
   const double *z = s->z, error = rounding(s);
   const double least = fmin(fmin(z[0], z[1]), z[2]);
   const double most = fmax(fmax(z[0], z[1]), z[2]);
   const bool inside = least == most ||
                       (s->num_edges == 3 && !s->conservative);
   if (r->state->ps_extra.PixelShaderComputedDepthMode || !inside ||
       !zs_depths_are_normalised(r) || !(error < 1))
      return false;
   const float range[2] = {
      (float)CLAMP(least - error, vp->min_depth, vp->max_depth),
      (float)CLAMP(most + error, vp->min_depth, vp->max_depth),
   };
   *b = (struct sim_hiz_bounds) {
      (int32_t)zs_quantise(r->zs.depth_format, fabsf(range[0])),
      (int32_t)zs_quantise(r->zs.depth_format, fabsf(range[1])),
   };
   return true;
}

/* Whether the primitive covers all pixels of the block. */
static bool
covers(const struct sim_raster *r, int x, int y)
{
   const struct sim_setup *s = r->setup;
   const int x0 = x & ~(SIM_HIZ_W - 1), y0 = y & ~(SIM_HIZ_H - 1);
   const int x1 = x0 + SIM_HIZ_W, y1 = y0 + SIM_HIZ_H;
   if (!s->num_edges || s->conservative || sim_setup_is_smooth(s) ||
       x0 < s->x0 || y0 < s->y0 || x1 > s->x1 || y1 > s->y1)
      return false;
   for (unsigned i = 0; i < s->num_edges; i++) {
      const struct sim_edge *e = &s->edge[i];
      const int64_t u = (int64_t)(e->a < 0 ? x1 : x0) * SIM_SUBPIXEL_ONE;
      const int64_t v = (int64_t)(e->b < 0 ? y1 : y0) * SIM_SUBPIXEL_ONE;
      if (sim_edge_at(e, u, v) < 0)
         return false;
   }
   return true;
}

/* Whether depths of the primitive pass against all that the block has. */
static bool
passes(const struct sim_raster *r, struct sim_hiz_bounds z,
       const struct sim_hiz_block *b)
{
   const unsigned passing =
      zs_passing(r->state->wm_depth_stencil.DepthTestFunction);
   if (!r->zs.depth_test || passing == (LESS | EQUAL | GREATER | UNORDERED))
      return true;
   return b->mark == SIM_HIZ_BOUNDS &&
          ((passing & LESS && z.most < b->bounds.least) ||
           (passing & GREATER && z.least > b->bounds.most));
}

/* The primitive is about to write depths in the block. */
static void
write_block(struct sim_raster *r, struct sim_hiz_block *b, int x, int y)
{
   const uint32_t all = BITFIELD_MASK(r->num_samples);
   struct sim_hiz_bounds z;
   if (!find_depths(r, &z))
      b->mark = SIM_HIZ_VALID;
   else if (r->early_tests && !r->zs.stencil_test && r->sample_mask == all &&
            covers(r, x, y) && passes(r, z, b))
      set_bounds(b, z);
   else
      add_bounds(b, z);
}

const struct sim_hiz_bounds *
sim_hiz_enter(struct sim_raster *r, int x, int y)
{
   struct sim_depth_stencil *zs = &r->zs;
   if (!zs->has_hiz)
      return &any_depth;
   const unsigned column = (unsigned)x / SIM_HIZ_W %
                           (SIM_TILE_PX / SIM_HIZ_W);
   const unsigned row = (unsigned)y / SIM_HIZ_H % (SIM_TILE_PX / SIM_HIZ_H);
   struct sim_hiz_bounds *bounds = &zs->bounds[row][column];
   if (zs->entered[row] >> column & 1)
      return bounds;
   struct sim_hiz_block *b = find_block(r, x, y);
   if (!b || !expand(r, b, x, y))
      return NULL;
   zs->entered[row] |= (uint8_t)(1 << column);
   *bounds = b->mark == SIM_HIZ_BOUNDS ? b->bounds : any_depth;
   if (zs->depth_write)
      write_block(r, b, x, y);
   return bounds;
}
