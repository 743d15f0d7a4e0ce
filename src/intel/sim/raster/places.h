/* SPDX-License-Identifier: MIT */
/*
 * What a primitive is at four places of the screen at once, mostly the pixels
 * of a quad, on host vectors of doubles: each operation of each place is
 * rounded as it would be alone.
 */
#ifndef SIM_RASTER_PLACES_H
#define SIM_RASTER_PLACES_H

#include "raster_private.h"

#include <immintrin.h>

typedef double sim_v4df __attribute__((vector_size(32)));

#define SIM_PLACES_INLINE static inline __attribute__((always_inline))

/* In pixels. */
struct sim_places {
   sim_v4df x, y;
};

/*
 * Between min and max; a NaN is min. By halves, as of longer vectors than the
 * host has the compiler compares element after element, with branches.
 */
SIM_PLACES_INLINE sim_v4df
sim_places_clamp(sim_v4df v, double min, double max)
{
   const __m128d lo = _mm_set1_pd(min), hi = _mm_set1_pd(max);
   sim_v4df clamped;
   for (unsigned i = 0; i < 2; i++) {
      const __m128d half = ((const __m128d *)&v)[i];
      const __m128d above = _mm_cmpge_pd(half, lo);
      ((__m128d *)&clamped)[i] = _mm_or_pd(
         _mm_and_pd(above, _mm_min_pd(half, hi)), _mm_andnot_pd(above, lo));
   }
   return clamped;
}

/* Rounded to floats. */
SIM_PLACES_INLINE __m128
sim_to_floats(sim_v4df v)
{
#ifdef __AVX2__
   return _mm256_cvtpd_ps((__m256d)v);
#else
   const __m128d *half = (const __m128d *)&v;
   return _mm_movelh_ps(_mm_cvtpd_ps(half[0]), _mm_cvtpd_ps(half[1]));
#endif
}

SIM_PLACES_INLINE double
sim_to_px(int pixel, int32_t fixed)
{
   return pixel + fixed * (1.0 / SIM_SUBPIXEL_ONE);
}

/* sx and sy, in fixed point, from the corners of the quad's pixels. */
SIM_PLACES_INLINE struct sim_places
sim_places_of_quad(const struct sim_quad *q, int32_t sx, int32_t sy)
{
   const double x = sim_to_px(q->x, sx), y = sim_to_px(q->y, sy);
   return (struct sim_places) { { x, x + 1, x, x + 1 },
                                { y, y, y + 1, y + 1 } };
}

/* b1 and b2 on the screen. */
SIM_PLACES_INLINE void
sim_places_weights(const struct sim_setup *s, const struct sim_places *at,
                   sim_v4df b[2])
{
   for (unsigned i = 0; i < 2; i++)
      b[i] = s->b_c[i] + at->x * s->b_x[i] + at->y * s->b_y[i];
}

/* A value that the three vertices have, linear on the screen. */
SIM_PLACES_INLINE sim_v4df
sim_places_value(const struct sim_setup *s, const double v[3],
                 const struct sim_places *at)
{
   sim_v4df b[2];
   sim_places_weights(s, at, b);
   return v[0] + b[0] * (v[1] - v[0]) + b[1] * (v[2] - v[0]);
}

/* Depth of the primitive for the tests, in front of which it is clamped
 * (CC_VIEWPORT, Minimum Depth); shaders have it as it is. */
SIM_PLACES_INLINE sim_v4df
sim_places_depth(const struct sim_raster *r, const struct sim_places *at)
{
   const struct sim_raster_viewport *vp =
      &r->viewport[r->setup->viewport_index];
   return sim_places_clamp(sim_places_value(r->setup, r->setup->z, at),
                           vp->min_depth, vp->max_depth);
}

#endif
