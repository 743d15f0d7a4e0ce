/* SPDX-License-Identifier: MIT */
/*
 * Scan conversion: which samples a primitive covers (PRM SKL Vol. 7,
 * "Windower": rasterization rules).
 *
 * A polygon is walked in blocks of 8x8 pixels, then in quads; a block or quad
 * that lies outside of one edge is skipped, a block that lies inside of all
 * is filled. Thin and stippled lines without multisampling go from pixel to
 * pixel along their major axis. Cost: proportional to the covered area plus
 * the bounding box in blocks.
 */
#include "raster_private.h"

#include <math.h>

#define BLOCK_PX 8

static int64_t
edge_at(const struct sim_edge *e, int64_t x, int64_t y)
{
   return e->a * x + e->b * y + e->c;
}

/* The largest value of E over the square of `size` px at pixel (x, y). */
static int64_t
edge_max(const struct sim_edge *e, int x, int y, int size)
{
   const int64_t x0 = (int64_t)x * SIM_SUBPIXEL_ONE;
   const int64_t y0 = (int64_t)y * SIM_SUBPIXEL_ONE;
   const int64_t w = (int64_t)size * SIM_SUBPIXEL_ONE;
   return edge_at(e, x0 + (e->a > 0 ? w : 0), y0 + (e->b > 0 ? w : 0));
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

/* Whether every sample of the square at pixel (x, y) is covered. */
static bool
inside(const struct sim_setup *s, int x, int y, int size)
{
   if (x < s->x0 || y < s->y0 || x + size > s->x1 || y + size > s->y1)
      return false;
   const int64_t x0 = (int64_t)x * SIM_SUBPIXEL_ONE;
   const int64_t y0 = (int64_t)y * SIM_SUBPIXEL_ONE;
   const int64_t w = (int64_t)size * SIM_SUBPIXEL_ONE;
   for (unsigned i = 0; i < s->num_edges; i++) {
      const struct sim_edge *e = &s->edge[i];
      if (edge_at(e, x0 + (e->a < 0 ? w : 0), y0 + (e->b < 0 ? w : 0)) < 0)
         return false;
   }
   return true;
}

static bool
sample_inside(const struct sim_setup *s, int64_t x, int64_t y)
{
   for (unsigned i = 0; i < s->num_edges; i++) {
      if (edge_at(&s->edge[i], x, y) < 0)
         return false;
   }
   return true;
}

static uint16_t
pixel_coverage(const struct sim_raster *r, int x, int y)
{
   const struct sim_setup *s = r->setup;
   if (x < s->x0 || x >= s->x1 || y < s->y0 || y >= s->y1)
      return 0;
   const int64_t px = (int64_t)x * SIM_SUBPIXEL_ONE;
   const int64_t py = (int64_t)y * SIM_SUBPIXEL_ONE;
   uint16_t mask = 0;
   for (unsigned i = 0; i < r->num_samples; i++) {
      if (sample_inside(s, px + r->raster_x[i], py + r->raster_y[i]))
         mask |= (uint16_t)(1u << i);
   }
   return mask;
}

static void
send_quad(struct sim_raster *r, struct sim_quad *q)
{
   if (!sim_setup_is_smooth(r->setup) || sim_smooth_quad(r, q))
      sim_ps_quad(r, q);
}

/* The pixels of a quad that are in the primitive's bounds. */
static unsigned
quad_in_bounds(const struct sim_setup *s, int x, int y)
{
   const unsigned columns = (x >= s->x0 && x < s->x1 ? 5u : 0) |
                            (x + 1 >= s->x0 && x + 1 < s->x1 ? 10u : 0);
   const unsigned rows = (y >= s->y0 && y < s->y1 ? 3u : 0) |
                         (y + 1 >= s->y0 && y + 1 < s->y1 ? 12u : 0);
   return columns & rows;
}

/* Of one sample a pixel: all edges at the four at once. */
static void
scan_quad_1x(struct sim_raster *r, int x, int y)
{
   const struct sim_setup *s = r->setup;
   const int64_t px = (int64_t)x * SIM_SUBPIXEL_ONE + r->raster_x[0];
   const int64_t py = (int64_t)y * SIM_SUBPIXEL_ONE + r->raster_y[0];
   int64_t out[4] = { 0 };
   for (unsigned i = 0; i < s->num_edges; i++) {
      const struct sim_edge *e = &s->edge[i];
      const int64_t at = edge_at(e, px, py);
      const int64_t dx = e->a * SIM_SUBPIXEL_ONE;
      const int64_t dy = e->b * SIM_SUBPIXEL_ONE;
      out[0] |= at;
      out[1] |= at + dx;
      out[2] |= at + dy;
      out[3] |= at + dx + dy;
   }
   unsigned in = quad_in_bounds(s, x, y);
   for (unsigned i = 0; i < 4; i++)
      in &= ~((unsigned)(out[i] < 0) << i);
   if (!in)
      return;
   struct sim_quad q = { .x = x, .y = y };
   for (unsigned i = 0; i < 4; i++)
      q.coverage[i] = in >> i & 1;
   send_quad(r, &q);
}

static void
scan_quad(struct sim_raster *r, int x, int y)
{
   struct sim_quad q = { .x = x, .y = y };
   unsigned any = 0;
   for (int i = 0; i < 4; i++) {
      q.coverage[i] = pixel_coverage(r, x + (i & 1), y + (i >> 1));
      any |= q.coverage[i];
   }
   if (any)
      send_quad(r, &q);
}

static void
fill_block(struct sim_raster *r, int bx, int by)
{
   const uint16_t all = (uint16_t)BITFIELD_MASK(r->num_samples);
   for (int y = by; y < by + BLOCK_PX; y += 2) {
      for (int x = bx; x < bx + BLOCK_PX; x += 2) {
         struct sim_quad q = { .x = x,
                               .y = y,
                               .coverage = { all, all, all, all } };
         send_quad(r, &q);
      }
   }
}

static void
scan_block(struct sim_raster *r, int bx, int by)
{
   if (inside(r->setup, bx, by, BLOCK_PX)) {
      fill_block(r, bx, by);
      return;
   }
   for (int y = by; y < by + BLOCK_PX; y += 2) {
      for (int x = bx; x < bx + BLOCK_PX; x += 2) {
         if (r->num_samples == 1)
            scan_quad_1x(r, x, y);
         else if (!sim_scan_misses(r->setup, x, y, 2))
            scan_quad(r, x, y);
      }
   }
}

static void
scan_polygon(struct sim_raster *r)
{
   const struct sim_setup *s = r->setup;
   const int first_x = MAX2(s->x0, r->x0) & ~(BLOCK_PX - 1);
   const int first_y = MAX2(s->y0, r->y0) & ~(BLOCK_PX - 1);
   const int end_x = MIN2(s->x1, r->x1), end_y = MIN2(s->y1, r->y1);
   for (int y = first_y; y < end_y; y += BLOCK_PX) {
      if (!sim_draw_progress(r->draw))
         return;
      sim_gpu_spend(r->draw->gpu, (uint64_t)MAX2(end_x - first_x, 0));
      for (int x = first_x; x < end_x; x += BLOCK_PX) {
         if (!sim_scan_misses(s, x, y, BLOCK_PX))
            scan_block(r, x, y);
      }
   }
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
      scan_polygon(r);
}
