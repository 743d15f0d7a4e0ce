/* SPDX-License-Identifier: MIT */
/*
 * Scan conversion of polygons, in blocks of 8x8 pixels: a block that lies
 * outside of one edge is skipped, in others the edges that go through them
 * are looked at in all pixels at once. Cost: proportional to the covered area
 * plus the bounding box in blocks.
 *
 * This file is built twice, for the baseline of the host and for AVX2, which
 * SIM_SCAN_POLYGON names.
 */
#include "raster_private.h"

#include <immintrin.h>

#ifndef SIM_SCAN_POLYGON
#define SIM_SCAN_POLYGON sim_scan_polygon
#endif

#define INLINE static inline __attribute__((always_inline))

typedef int32_t v8i __attribute__((vector_size(32)));
typedef int64_t v4l __attribute__((vector_size(32)));

#define BLOCK_PX 8
#define FULL_BLOCK UINT64_MAX

/* A bit for each number: whether it is negative. */
INLINE unsigned
signs_of_eight(v8i v)
{
#ifdef __AVX2__
   return (unsigned)_mm256_movemask_ps((__m256)v);
#else
   const __m128 *half = (const __m128 *)&v;
   return (unsigned)_mm_movemask_ps(half[0]) |
          (unsigned)_mm_movemask_ps(half[1]) << 4;
#endif
}

INLINE unsigned
signs_of_four(v4l v)
{
#ifdef __AVX2__
   return (unsigned)_mm256_movemask_pd((__m256d)v);
#else
   const __m128d *half = (const __m128d *)&v;
   return (unsigned)_mm_movemask_pd(half[0]) |
          (unsigned)_mm_movemask_pd(half[1]) << 2;
#endif
}

/* Up to four edges: E at the upper left corner of a block, by how much it
 * changes to the next ones, and its extremes in a block beside that. */
struct walk {
   v4l at, right, down, most, least;
};

static void
begin_walk(struct walk *w, const struct sim_setup *s, int bx, int by)
{
   const int64_t size = (int64_t)BLOCK_PX * SIM_SUBPIXEL_ONE;
   memset(w, 0, sizeof(*w));
   for (unsigned i = 0; i < s->num_edges; i++) {
      const struct sim_edge *e = &s->edge[i];
      w->at[i] = sim_edge_at(e, (int64_t)bx * SIM_SUBPIXEL_ONE,
                             (int64_t)by * SIM_SUBPIXEL_ONE);
      w->right[i] = e->a * size;
      w->down[i] = e->b * size;
      w->most[i] = size * (MAX2(e->a, 0) + MAX2(e->b, 0));
      w->least[i] = size * (MIN2(e->a, 0) + MIN2(e->b, 0));
   }
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
 * inside of the edges `cut`. From pixel to pixel E changes by multiples of
 * SIM_SUBPIXEL_ONE: so its sign is that of E / SIM_SUBPIXEL_ONE rounded down,
 * for which 32 bits do.
 */
INLINE uint64_t
block_coverage(const struct sim_setup *s, unsigned cut, int bx, int by,
               int32_t sx, int32_t sy)
{
   const v8i columns = { 0, 1, 2, 3, 4, 5, 6, 7 };
   v8i out[BLOCK_PX] = { 0 }; /* of each row: negative outside */
   while (cut) {
      const struct sim_edge *e = &s->edge[u_bit_scan(&cut)];
      const int64_t at = sim_edge_at(e, (int64_t)bx * SIM_SUBPIXEL_ONE + sx,
                                     (int64_t)by * SIM_SUBPIXEL_ONE + sy) >>
                         SIM_SUBPIXEL_BITS;
      v8i row = (int32_t)CLAMP(at, -FAR, FAR - 1) + columns * (int32_t)e->a;
      for (unsigned y = 0; y < BLOCK_PX; y++) {
         out[y] |= row;
         row += (int32_t)e->b;
      }
   }
   uint64_t outside = 0;
   for (unsigned y = 0; y < BLOCK_PX; y++)
      outside |= (uint64_t)signs_of_eight(out[y]) << BLOCK_PX * y;
   return ~outside;
}

static void
send_quad(struct sim_raster *r, struct sim_quad *q)
{
   if (!sim_setup_is_smooth(r->setup) || sim_smooth_quad(r, q))
      sim_ps_quad(r, q);
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

INLINE void
scan_block(struct sim_raster *r, unsigned cut, int bx, int by)
{
   const struct sim_setup *s = r->setup;
   const uint64_t bounds = block_in_bounds(s, bx, by);
   const bool corners = s->conservative;
   uint64_t sample[SIM_MAX_SAMPLES];
   for (unsigned i = 0; i < r->num_samples; i++) {
      sample[i] = bounds;
      if (cut)
         sample[i] &= block_coverage(s, cut, bx, by,
                                     corners ? 0 : r->raster_x[i],
                                     corners ? 0 : r->raster_y[i]);
   }
   send_block(r, bx, by, sample);
}

void
SIM_SCAN_POLYGON(struct sim_raster *r)
{
   const struct sim_setup *s = r->setup;
   const int first_x = MAX2(s->x0, r->x0) & ~(BLOCK_PX - 1);
   const int first_y = MAX2(s->y0, r->y0) & ~(BLOCK_PX - 1);
   const int end_x = MIN2(s->x1, r->x1), end_y = MIN2(s->y1, r->y1);
   struct walk w;
   begin_walk(&w, s, first_x, first_y);
   for (int y = first_y; y < end_y; y += BLOCK_PX, w.at += w.down) {
      if (!sim_draw_progress(r->draw))
         return;
      sim_gpu_spend(r->draw->gpu, (uint64_t)MAX2(end_x - first_x, 0));
      v4l at = w.at;
      for (int x = first_x; x < end_x; x += BLOCK_PX, at += w.right) {
         if (!signs_of_four(at + w.most))
            scan_block(r, signs_of_four(at + w.least), x, y);
      }
   }
}
