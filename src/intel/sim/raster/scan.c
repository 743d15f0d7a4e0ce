/* SPDX-License-Identifier: MIT */
/*
 * Scan conversion: which samples a primitive covers (PRM SKL Vol. 7,
 * "Windower": rasterization rules).
 *
 * A polygon is walked in blocks of 8x8 pixels; a block that lies outside of
 * one edge is skipped, in others the edges that go through them are looked at
 * in all pixels at once. Thin and stippled lines without multisampling go
 * from pixel to pixel along their major axis. Cost: proportional to the
 * covered area plus the bounding box in blocks.
 */
#include "raster_private.h"

#include <emmintrin.h>
#include <math.h>

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

static void
send_quad(struct sim_raster *r, struct sim_quad *q)
{
   if (!sim_setup_is_smooth(r->setup) || sim_smooth_quad(r, q))
      sim_ps_quad(r, q);
}

/*
 * Blocks: a bit for each pixel, row after row.
 */

#define BLOCK_PX 8
#define FULL_BLOCK UINT64_MAX

/* The edges of the primitive that go through a block; or none of its samples
 * can be inside. */
struct block_edges {
   unsigned num;
   const struct sim_edge *edge[4];
   bool missed;
};

static struct block_edges
find_edges(const struct sim_setup *s, int bx, int by)
{
   struct block_edges found = { 0 };
   const int64_t x0 = (int64_t)bx * SIM_SUBPIXEL_ONE;
   const int64_t y0 = (int64_t)by * SIM_SUBPIXEL_ONE;
   const int64_t w = (int64_t)BLOCK_PX * SIM_SUBPIXEL_ONE;
   for (unsigned i = 0; i < s->num_edges; i++) {
      const struct sim_edge *e = &s->edge[i];
      const int64_t at = edge_at(e, x0, y0);
      if (at + w * (MAX2(e->a, 0) + MAX2(e->b, 0)) < 0)
         return (struct block_edges) { .missed = true };
      if (at + w * (MIN2(e->a, 0) + MIN2(e->b, 0)) < 0)
         found.edge[found.num++] = e;
   }
   return found;
}

/* The places in eight pixels from `first` on that are in [begin, end). */
static unsigned
span_bits(int first, int begin, int end)
{
   const int lo = CLAMP(begin - first, 0, BLOCK_PX);
   const int hi = CLAMP(end - first, lo, BLOCK_PX);
   return (1u << hi) - (1u << lo);
}

/* The pixels of a block that are in the primitive's bounds. */
static uint64_t
block_in_bounds(const struct sim_setup *s, int bx, int by)
{
   if (bx >= s->x0 && by >= s->y0 && bx + BLOCK_PX <= s->x1 &&
       by + BLOCK_PX <= s->y1)
      return FULL_BLOCK;
   const uint64_t columns = span_bits(bx, s->x0, s->x1);
   unsigned rows = span_bits(by, s->y0, s->y1);
   uint64_t mask = 0;
   while (rows)
      mask |= columns << BLOCK_PX * u_bit_scan(&rows);
   return mask;
}

/* More than E, in pixels, changes within a block: 14 * 2^26. */
#define FAR (1 << 30)

/*
 * The pixels of a block whose sample, sx and sy from the pixel's corner, is
 * inside of the edges. From pixel to pixel E changes by multiples of
 * SIM_SUBPIXEL_ONE: so its sign is that of E / SIM_SUBPIXEL_ONE rounded down,
 * for which 32 bits do.
 */
static uint64_t
block_coverage(const struct block_edges *edges, int bx, int by, int32_t sx,
               int32_t sy)
{
   /* Of each row its left and its right half: negative outside. */
   __m128i out[2 * BLOCK_PX] = { _mm_setzero_si128() };
   for (unsigned i = 0; i < edges->num; i++) {
      const struct sim_edge *e = edges->edge[i];
      const int64_t at = edge_at(e, (int64_t)bx * SIM_SUBPIXEL_ONE + sx,
                                 (int64_t)by * SIM_SUBPIXEL_ONE + sy) >>
                         SIM_SUBPIXEL_BITS;
      const int32_t c = (int32_t)CLAMP(at, -FAR, FAR - 1);
      const int32_t a = (int32_t)e->a;
      const __m128i b = _mm_set1_epi32((int32_t)e->b);
      __m128i left = _mm_setr_epi32(c, c + a, c + 2 * a, c + 3 * a);
      __m128i right = _mm_add_epi32(left, _mm_set1_epi32(4 * a));
      for (unsigned y = 0; y < BLOCK_PX; y++) {
         out[2 * y] = _mm_or_si128(out[2 * y], left);
         out[2 * y + 1] = _mm_or_si128(out[2 * y + 1], right);
         left = _mm_add_epi32(left, b);
         right = _mm_add_epi32(right, b);
      }
   }
   uint64_t outside = 0;
   for (unsigned y = 0; y < BLOCK_PX; y += 2) {
      const __m128i two_rows =
         _mm_packs_epi16(_mm_packs_epi32(out[2 * y], out[2 * y + 1]),
                         _mm_packs_epi32(out[2 * y + 2], out[2 * y + 3]));
      outside |= (uint64_t)(unsigned)_mm_movemask_epi8(two_rows)
                 << BLOCK_PX * y;
   }
   return ~outside;
}

/* Of two rows of a block the pixels of the quad at column x, as in struct
 * sim_quad. */
static unsigned
quad_of_rows(uint64_t two_rows, int x)
{
   return (unsigned)(two_rows >> x & 3) |
          (unsigned)(two_rows >> (BLOCK_PX + x) & 3) << 2;
}

/* Sends the quads of a block; the pixels of each sample. */
static void
send_block(struct sim_raster *r, int bx, int by, const uint64_t *sample)
{
   uint64_t any = 0;
   if (r->num_samples == 1 && !sim_setup_is_smooth(r->setup) &&
       (!sample[0] || sim_ps_pixels(r, bx, by, sample[0])))
      return;
   for (unsigned i = 0; i < r->num_samples; i++)
      any |= sample[i];
   for (int y = 0; y < BLOCK_PX && any >> BLOCK_PX * y; y += 2) {
      for (int x = 0; x < BLOCK_PX; x += 2) {
         if (!quad_of_rows(any >> BLOCK_PX * y, x))
            continue;
         struct sim_quad q = { .x = bx + x, .y = by + y };
         for (unsigned i = 0; i < r->num_samples; i++) {
            const unsigned in = quad_of_rows(sample[i] >> BLOCK_PX * y, x);
            for (unsigned k = 0; k < 4; k++)
               q.coverage[k] |= (uint16_t)((in >> k & 1) << i);
         }
         send_quad(r, &q);
      }
   }
}

static void
scan_block(struct sim_raster *r, int bx, int by)
{
   const struct block_edges edges = find_edges(r->setup, bx, by);
   if (edges.missed)
      return;
   const uint64_t bounds = block_in_bounds(r->setup, bx, by);
   if (!edges.num && bounds == FULL_BLOCK &&
       sim_ps_block(r, bx, by, BLOCK_PX))
      return;
   uint64_t sample[SIM_MAX_SAMPLES];
   const bool corners = r->setup->conservative;
   for (unsigned i = 0; i < r->num_samples; i++) {
      sample[i] = bounds;
      if (edges.num)
         sample[i] &= block_coverage(&edges, bx, by,
                                     corners ? 0 : r->raster_x[i],
                                     corners ? 0 : r->raster_y[i]);
   }
   send_block(r, bx, by, sample);
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
      for (int x = first_x; x < end_x; x += BLOCK_PX)
         scan_block(r, x, y);
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
