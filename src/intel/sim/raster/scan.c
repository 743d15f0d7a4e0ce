/* SPDX-License-Identifier: MIT */
/*
 * Scan conversion: which samples a primitive covers (PRM SKL Vol. 7,
 * "Windower": rasterization rules). Polygons are scanned by scan_blocks.c;
 * thin and stippled lines without multisampling go from pixel to pixel along
 * their major axis.
 */
#include "raster_private.h"

#include <math.h>

/* The largest value of E over the square of `size` px at pixel (x, y). */
static int64_t
edge_max(const struct sim_edge *e, int x, int y, int size)
{
   const int64_t x0 = (int64_t)x * SIM_SUBPIXEL_ONE;
   const int64_t y0 = (int64_t)y * SIM_SUBPIXEL_ONE;
   const int64_t w = (int64_t)size * SIM_SUBPIXEL_ONE;
   return sim_edge_at(e, x0 + (e->a > 0 ? w : 0), y0 + (e->b > 0 ? w : 0));
}

bool
sim_scan_misses(const struct sim_setup *s, int x, int y, int size)
{
   for (unsigned i = 0; i < s->num_edges; i++) {
      if (edge_max(&s->edge[i], x, y, size) < 0)
         return true;
   }
   return false;
}

bool
sim_scan_covers_pixel(const struct sim_setup *s, int x, int y)
{
   const int64_t px = (int64_t)x * SIM_SUBPIXEL_ONE;
   const int64_t py = (int64_t)y * SIM_SUBPIXEL_ONE;
   for (unsigned i = 0; i < s->num_edges; i++) {
      const struct sim_edge *e = &s->edge[i];
      if (e->a * px + e->b * py + s->inner_c[i] < 0)
         return false;
   }
   return s->has_inner;
}

/*
 * Lines without multisampling and width: "Grid Intersection Quantization"
 * (PRM SNB vol 2 part 1, 6.3.12.3 "GIQ (Diamond) Sampling Rules"). Of the
 * diamond's edges the lower two are inside, of its corners the bottom one
 * and, for y-major lines, the right one: a line that lies exactly between
 * two rows or columns of pixels is in the upper or the left one.
 */

static bool
in_diamond(const struct sim_line_walk *l, double u, double v, double cu,
           double cv)
{
   const double du = u - cu, dv = v - cv;
   const double distance = fabs(du) + fabs(dv);
   const double down = l->x_major ? dv : du;
   if (distance != 0.5)
      return distance < 0.5;
   return down > 0 || (!l->x_major && dv == 0.5);
}

/* The pixel across the line that a position is in, or at the end of. */
static double
row_at(double v)
{
   return ceil(v) - 1;
}

/* Whether column `c` of the major axis has a fragment. */
static bool
column_drawn(const struct sim_line_walk *l, int c)
{
   const double cu = c + 0.5;
   const double lo = MIN2(l->u0, l->u1), hi = MAX2(l->u0, l->u1);
   const bool forward = l->u1 > l->u0;
   /* A line is produced by the diamonds that it leaves. */
   const double cv0 = row_at(l->v0) + 0.5, cv1 = row_at(l->v1) + 0.5;
   if (in_diamond(l, l->u1, l->v1, cu, cv1))
      return false;
   if (in_diamond(l, l->u0, l->v0, cu, cv0))
      return true;
   return forward ? cu >= lo && cu < hi : cu > lo && cu <= hi;
}

/* The columns that count for the stipple. */
static uint32_t
prepare_stipple(struct sim_line_walk *l)
{
   int begin = l->begin, end = l->end;
   while (begin <= end && !column_drawn(l, begin))
      begin++;
   while (begin <= end && !column_drawn(l, end))
      end--;
   l->stipple = true;
   l->first = l->u1 > l->u0 ? begin : end;
   return (uint32_t)(end - begin + 1);
}

/* The pixels that the line can touch. */
static void
bound_line(struct sim_setup *s)
{
   const struct sim_line_walk *l = &s->walk;
   const int v0 = (int)floor(MIN2(l->v0, l->v1)) - l->rows - 2;
   const int v1 = (int)floor(MAX2(l->v0, l->v1)) + l->rows + 3;
   s->x0 = MAX2(s->x0, l->x_major ? l->begin : v0);
   s->x1 = MIN2(s->x1, l->x_major ? l->end + 1 : v1);
   s->y0 = MAX2(s->y0, l->x_major ? v0 : l->begin);
   s->y1 = MIN2(s->y1, l->x_major ? v1 : l->end + 1);
}

uint32_t
sim_scan_prepare_line(struct sim_raster *r,
                      const struct sim_screen_vertex v[2], float width_px)
{
   const double one = SIM_SUBPIXEL_ONE;
   const double x0 = v[0].x / one, y0 = v[0].y / one;
   const double x1 = v[1].x / one, y1 = v[1].y / one;
   const bool x_major = fabs(x1 - x0) >= fabs(y1 - y0);
   struct sim_line_walk *l = &r->building.walk;
   *l = (struct sim_line_walk) {
      .x_major = x_major,
      .u0 = x_major ? x0 : y0,
      .v0 = x_major ? y0 : x0,
      .u1 = x_major ? x1 : y1,
      .v1 = x_major ? y1 : x1,
      .rows = MAX2(1, (int)lrintf(width_px)),
   };
   r->building.num_edges = 0;
   l->slope = (l->v1 - l->v0) / (l->u1 - l->u0);
   l->begin = (int)floor(MIN2(l->u0, l->u1)) - 1;
   l->end = (int)floor(MAX2(l->u0, l->u1)) + 1;
   bound_line(&r->building);
   return r->state->wm.LineStippleEnable ? prepare_stipple(l) : 0;
}

/* Sends the quad before if the pixel is not in it. */
static void
add_pixel(struct sim_raster *r, struct sim_quad *q, int x, int y)
{
   const struct sim_setup *s = r->setup;
   if (x < MAX2(s->x0, r->x0) || x >= MIN2(s->x1, r->x1) ||
       y < MAX2(s->y0, r->y0) || y >= MIN2(s->y1, r->y1))
      return;
   const int qx = x & ~1, qy = y & ~1;
   const bool empty =
      !(q->coverage[0] | q->coverage[1] | q->coverage[2] | q->coverage[3]);
   if (!empty && (q->x != qx || q->y != qy)) {
      sim_ps_quad(r, q);
      memset(q, 0, sizeof(*q));
   }
   q->x = qx;
   q->y = qy;
   q->coverage[(y & 1) * 2 + (x & 1)] =
      (uint16_t)BITFIELD_MASK(r->num_samples);
}

static bool
stipple_lit(const struct sim_raster *r, const struct sim_setup *s, int c)
{
   const struct sim_line_walk *l = &s->walk;
   return !l->stipple ||
          sim_line_stipple_bit(r, s->line_step + (uint32_t)abs(c - l->first));
}

static void
scan_line(struct sim_raster *r)
{
   const struct sim_setup *s = r->setup;
   const struct sim_line_walk *l = &s->walk;
   const int lo = l->x_major ? MAX2(s->x0, r->x0) : MAX2(s->y0, r->y0);
   const int hi = l->x_major ? MIN2(s->x1, r->x1) : MIN2(s->y1, r->y1);
   struct sim_quad q = { 0 };
   for (int c = MAX2(lo, l->begin); c <= MIN2(hi - 1, l->end); c++) {
      if (r->draw->faulted)
         break;
      if (!column_drawn(l, c) || !stipple_lit(r, s, c))
         continue;
      const double at = l->v0 + (c + 0.5 - l->u0) * l->slope;
      const int row = (int)row_at(at - (l->rows - 1) * 0.5);
      for (int k = row; k < row + l->rows; k++)
         add_pixel(r, &q, l->x_major ? c : k, l->x_major ? k : c);
   }
   if (q.coverage[0] | q.coverage[1] | q.coverage[2] | q.coverage[3])
      sim_ps_quad(r, &q);
}

void
sim_scan(struct sim_raster *r)
{
   if (r->setup->walk.rows)
      scan_line(r);
   else
      r->scan_polygon(r);
}
