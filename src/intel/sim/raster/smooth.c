/* SPDX-License-Identifier: MIT */
/*
 * What thins out the pixels of a primitive after it was scanned: polygon
 * stipple, line stipple, and the coverage of antialiased lines (PRM SKL Vol.
 * 7 "Windower": "Polygon Stipple", "Line Stipple", "Anti-aliased lines").
 *
 * A stippled line steps once for each pixel along its major axis; the count
 * goes on along a strip. Lines that are scanned as rectangles take the step
 * from the distance along the line.
 *
 * An antialiased line is a rectangle, half a pixel larger on each side. Its
 * coverage falls from one to zero over a pixel across each of the sides, as
 * that of a box filter does for a line along an axis; the manual leaves the
 * filter to the hardware. Coverage multiplies the alpha of the fragment.
 */
#include "raster_private.h"

#include <math.h>

bool
sim_line_stipple_bit(const struct sim_raster *r, uint32_t step)
{
   const struct GEN9_3DSTATE_LINE_STIPPLE *s = &r->state->line_stipple;
   const uint32_t repeat = MAX2(s->LineStippleRepeatCount, 1);
   return s->LineStipplePattern >> (step / repeat) % 16 & 1;
}

static bool
polygon_stipple_bit(const struct sim_raster *r, int x, int y)
{
   const struct sim_render_state *s = r->state;
   const struct GEN9_3DSTATE_POLY_STIPPLE_OFFSET *o = &s->poly_stipple_offset;
   const unsigned row = ((unsigned)y + o->PolygonStippleYOffset) % 32;
   const unsigned column = ((unsigned)x + o->PolygonStippleXOffset) % 32;
   return s->poly_stipple_pattern.PatternRow[row] >> (31 - column) & 1;
}

static double
ramp(double v)
{
   return v <= 0 ? 0 : MIN2(v, 1);
}

/* Of the pixel whose centre is at (x, y), in an antialiased line. */
static double
line_coverage(const struct sim_setup *s, double x, double y)
{
   const struct sim_setup_line *l = &s->line;
   const double along = (x - l->x) * l->dx + (y - l->y) * l->dy;
   const double across = fabs((y - l->y) * l->dx - (x - l->x) * l->dy);
   return ramp(l->width / 2 + 0.5 - across) *
          ramp(MIN2(along, l->length - along) + 0.5);
}

static bool
line_stipple_lit(const struct sim_raster *r, double x, double y)
{
   const struct sim_setup *s = r->setup;
   const struct sim_setup_line *l = &s->line;
   const double along = (x - l->x) * l->dx + (y - l->y) * l->dy;
   const double steps = along * MAX2(fabs(l->dx), fabs(l->dy));
   return sim_line_stipple_bit(r, s->line_step +
                                     (uint32_t)(steps > 0 ? steps : 0));
}

bool
sim_smooth_quad(struct sim_raster *r, struct sim_quad *q)
{
   const struct sim_setup *s = r->setup;
   const double centre = (double)r->centre / SIM_SUBPIXEL_ONE;
   unsigned any = 0;
   for (int i = 0; i < 4; i++) {
      const int x = q->x + (i & 1), y = q->y + (i >> 1);
      if (!q->coverage[i])
         continue;
      if (s->polygon_stipple && !polygon_stipple_bit(r, x, y))
         q->coverage[i] = 0;
      if (s->line_stipple && !line_stipple_lit(r, x + centre, y + centre))
         q->coverage[i] = 0;
      if (s->antialias) {
         q->alpha[i] = (float)line_coverage(s, x + centre, y + centre);
         if (q->alpha[i] == 0)
            q->coverage[i] = 0;
      }
      any |= q->coverage[i];
   }
   return any;
}
