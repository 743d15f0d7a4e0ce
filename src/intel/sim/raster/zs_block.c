/* SPDX-License-Identifier: MIT */
/*
 * Depth tests and writes of a block of 8x8 pixels at once, before the shader.
 * Each step is that of zs.c with the same operations in the same order, four
 * pixels of a row at a time: test_pixels.c compares them.
 *
 * This file is built for AVX2 and called only where the host has it.
 */
#include "zs_private.h"

#include <immintrin.h>
#include <math.h>

#define INLINE static inline __attribute__((always_inline))

#define BLOCK_PX 8

/* What the rows of four pixels have in common. */
struct test {
   const struct sim_setup *s;
   uint32_t format;
   bool test, write;
   unsigned passing; /* relations */
   double sx, sy;    /* of the samples, from the pixels' corners */
   __m256d min, max; /* depth */
   /* What HiZ lets old depths be, in the upper and the lower half. */
   __m128i least[2], most[2];
};

/* b1 and b2 of four pixels, but for what depends on the row. */
struct columns {
   __m256d b[2];
};

INLINE struct columns
columns_at(const struct test *t, int x)
{
   const __m256d first = _mm256_set1_pd(x + t->sx);
   const __m256d at = _mm256_add_pd(first, _mm256_setr_pd(0, 1, 2, 3));
   struct columns c;
   for (unsigned i = 0; i < 2; i++)
      c.b[i] = _mm256_add_pd(_mm256_set1_pd(t->s->b_c[i]),
                             _mm256_mul_pd(at, _mm256_set1_pd(t->s->b_x[i])));
   return c;
}

/* As sim_places_depth(), rounded to floats. */
INLINE __m128
depths(const struct test *t, const struct columns *c, int y)
{
   const double *v = t->s->z;
   const __m256d at = _mm256_set1_pd(y + t->sy);
   __m256d z = _mm256_set1_pd(v[0]);
   for (unsigned i = 0; i < 2; i++) {
      const __m256d step = _mm256_mul_pd(at, _mm256_set1_pd(t->s->b_y[i]));
      const __m256d b = _mm256_add_pd(c->b[i], step);
      z = _mm256_add_pd(z, _mm256_mul_pd(b, _mm256_set1_pd(v[i + 1] - v[0])));
   }
   const __m256d above = _mm256_cmp_pd(z, t->min, _CMP_GE_OQ);
   return _mm256_cvtpd_ps(
      _mm256_blendv_pd(t->min, _mm256_min_pd(z, t->max), above));
}

/* Depths between 0 and 1 as the buffer holds them. */
INLINE __m128i
quantise(uint32_t format, __m128 z)
{
   if (format == D32_FLOAT)
      return _mm_castps_si128(z);
   const double scale = format == D16_UNORM ? 65535.0 : 16777215.0;
   return _mm256_cvtpd_epi32(
      _mm256_mul_pd(_mm256_cvtps_pd(z), _mm256_set1_pd(scale)));
}

/* Ones for each of four that passes. */
INLINE __m128i
compare(const struct test *t, __m128i z, __m128i old)
{
   const __m128 a = _mm_castsi128_ps(z), b = _mm_castsi128_ps(old);
   const bool floats = t->format == D32_FLOAT;
   __m128i passes = _mm_setzero_si128();
   if (t->passing & LESS)
      passes = floats ? _mm_castps_si128(_mm_cmplt_ps(a, b))
                      : _mm_cmplt_epi32(z, old);
   if (t->passing & EQUAL)
      passes = _mm_or_si128(passes, floats
                                       ? _mm_castps_si128(_mm_cmpeq_ps(a, b))
                                       : _mm_cmpeq_epi32(z, old));
   if (t->passing & GREATER)
      passes = _mm_or_si128(passes, floats
                                       ? _mm_castps_si128(_mm_cmpgt_ps(a, b))
                                       : _mm_cmpgt_epi32(z, old));
   if (t->passing & UNORDERED && floats)
      passes = _mm_or_si128(passes, _mm_castps_si128(_mm_cmpunord_ps(a, b)));
   return passes;
}

/* Four pixels of row `i` with depths z, those in `mask`, whose texels are at
 * `p`; which of them passed. */
INLINE unsigned
test_four(const struct test *t, unsigned i, __m128i z, unsigned mask,
          uint8_t *p, unsigned size_B)
{
   const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
   const __m128i old =
      size_B == 4 ? _mm_loadu_si128((const __m128i *)p)
                  : _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)p));
   __m128i passes =
      _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)mask), bit), bit);
   if (t->test) {
      const int bits = t->format == D24_UNORM_X8_UINT ? 0xffffff : ~0;
      __m128i was = _mm_and_si128(old, _mm_set1_epi32(bits));
      was = _mm_max_epi32(was, t->least[i / SIM_HIZ_H]);
      was = _mm_min_epi32(was, t->most[i / SIM_HIZ_H]);
      passes = _mm_and_si128(passes, compare(t, z, was));
   }
   const __m128i new = _mm_blendv_epi8(old, z, passes);
   if (t->write && size_B == 4)
      _mm_storeu_si128((__m128i *)p, new);
   else if (t->write)
      _mm_storel_epi64((__m128i *)p, _mm_packus_epi32(new, new));
   return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(passes));
}

/* The block at (x, y), whose two halves, each of four columns, are at p. */
INLINE uint64_t
test_rows(const struct test *t, int x, int y, uint64_t mask,
          uint8_t *const p[2], unsigned size_B)
{
   uint64_t passed = 0;
   for (unsigned half = 0; half < 2; half++) {
      const struct columns c = columns_at(t, x + 4 * (int)half);
      for (unsigned i = 0; i < BLOCK_PX; i++) {
         const unsigned shift = BLOCK_PX * i + 4 * half;
         const unsigned of_row = mask >> shift & 0xf;
         if (!of_row)
            continue;
         const __m128i z = quantise(t->format, depths(t, &c, y + (int)i));
         passed |=
            (uint64_t)test_four(t, i, z, of_row, p[half] + 16 * i, size_B)
            << shift;
      }
   }
   return passed;
}

/* Whether the depth is the same number everywhere. Zeros have signs, which
 * may differ. */
static bool
is_flat(const struct sim_setup *s)
{
   const double *z = s->z;
   const double far = 1e300, most_px = 1 << 16;
   if (z[0] != z[1] || z[0] != z[2] || !(z[0] > 0))
      return false;
   for (unsigned i = 0; i < 2; i++) {
      if (!(fabs(s->b_c[i]) + most_px * (fabs(s->b_x[i]) + fabs(s->b_y[i])) <
            far))
         return false;
   }
   return true;
}

/* The same, where all depths are that of one row. */
INLINE uint64_t
test_flat_rows(const struct test *t, int x, int y, uint64_t mask,
               uint8_t *const p[2], unsigned size_B)
{
   const struct columns c = columns_at(t, x);
   const __m128i z = quantise(t->format, depths(t, &c, y));
   uint64_t passed = 0;
   if (!t->test && t->write && mask == UINT64_MAX && size_B == 4) {
      for (unsigned i = 0; i < 2 * BLOCK_PX; i++)
         _mm_storeu_si128((__m128i *)(p[i % 2] + i / 2 * 16), z);
      return mask;
   }
   for (unsigned i = 0; i < 2 * BLOCK_PX; i++) {
      const unsigned of_row = mask >> 4 * i & 0xf;
      if (of_row)
         passed |= (uint64_t)test_four(t, i / 2, z, of_row,
                                       p[i % 2] + i / 2 * 16, size_B)
                   << 4 * i;
   }
   return passed;
}

/* What is mostly asked for, known to the compiler. */
INLINE uint64_t
test_as(const struct test *t, uint32_t format, unsigned passing, int x, int y,
        uint64_t mask, uint8_t *const p[2])
{
   struct test c = *t;
   c.format = format;
   c.passing = passing;
   c.test = c.write = true;
   return test_rows(&c, x, y, mask, p, 4);
}

static uint64_t
test_block(const struct test *t, int x, int y, uint64_t mask,
           uint8_t *const p[2], unsigned size_B)
{
   const bool usual = t->test && t->write;
   const bool d32 = t->format == D32_FLOAT;
   const bool d24 = t->format == D24_UNORM_X8_UINT;
   if (is_flat(t->s))
      return size_B == 4 ? test_flat_rows(t, x, y, mask, p, 4)
                         : test_flat_rows(t, x, y, mask, p, 2);
   if (usual && d32 && t->passing == LESS)
      return test_as(t, D32_FLOAT, LESS, x, y, mask, p);
   if (usual && d32 && t->passing == (LESS | EQUAL))
      return test_as(t, D32_FLOAT, LESS | EQUAL, x, y, mask, p);
   if (usual && d24 && t->passing == LESS)
      return test_as(t, D24_UNORM_X8_UINT, LESS, x, y, mask, p);
   if (usual && d24 && t->passing == (LESS | EQUAL))
      return test_as(t, D24_UNORM_X8_UINT, LESS | EQUAL, x, y, mask, p);
   return size_B == 4 ? test_rows(t, x, y, mask, p, 4)
                      : test_rows(t, x, y, mask, p, 2);
}

/* Whether the block's rows are one after the other in columns of 16 bytes. */
static bool
find_halves(struct sim_raster *r, int x, int y, uint8_t *p[2])
{
   const struct sim_depth_stencil *zs = &r->zs;
   const struct sim_image *img = &zs->depth;
   const uint32_t row = img->y0 + (uint32_t)y +
                        r->setup->layer * img->qpitch_rows;
   if (x < 0 || y < 0 || (unsigned)x + BLOCK_PX > img->width ||
       (unsigned)y + BLOCK_PX > img->height || !sim_zs_has_layer(r) ||
       row % BLOCK_PX || (img->x0 + (unsigned)x) * img->bpp_B % 16)
      return false;
   p[0] = zs_depth_quad(r, x, y);
   p[1] = zs->depth_size_B == 2 ? p[0] + 8 : zs_depth_quad(r, x + 4, y);
   return p[0] && p[1];
}

bool
sim_zs_test_block(struct sim_raster *r, int x, int y, uint64_t mask,
                  uint64_t *passed)
{
   const struct sim_depth_stencil *zs = &r->zs;
   const struct sim_raster_viewport *vp =
      &r->viewport[r->setup->viewport_index];
   const uint64_t upper = UINT64_MAX >> (64 - BLOCK_PX * SIM_HIZ_H);
   uint8_t *p[2];
   static_assert(SIM_HIZ_W == BLOCK_PX && 2 * SIM_HIZ_H == BLOCK_PX,
                 "a block has two of HiZ");
   if (!zs->by_blocks || r->mem->watch || !zs_depths_are_normalised(r) ||
       !find_halves(r, x, y, p))
      return false;
   *passed = 0;
   static const struct sim_hiz_bounds none = { 0 };
   const struct sim_hiz_bounds *hiz[2] = {
      mask & upper ? sim_hiz_enter(r, x, y) : &none,
      mask & ~upper ? sim_hiz_enter(r, x, y + SIM_HIZ_H) : &none,
   };
   if (!hiz[0] || !hiz[1])
      return true;
   const unsigned passing =
      zs_passing(r->state->wm_depth_stencil.DepthTestFunction);
   const struct test t = {
      .s = r->setup,
      .format = zs->depth_format,
      .test = zs->depth_test &&
              passing != (LESS | EQUAL | GREATER | UNORDERED),
      .write = zs->depth_write,
      .passing = passing,
      .sx = r->raster_x[0] * (1.0 / SIM_SUBPIXEL_ONE),
      .sy = r->raster_y[0] * (1.0 / SIM_SUBPIXEL_ONE),
      .min = _mm256_set1_pd(vp->min_depth),
      .max = _mm256_set1_pd(vp->max_depth),
      .least = { _mm_set1_epi32(hiz[0]->least),
                 _mm_set1_epi32(hiz[1]->least) },
      .most = { _mm_set1_epi32(hiz[0]->most), _mm_set1_epi32(hiz[1]->most) },
   };
   *passed = test_block(&t, x, y, mask, p, zs->depth_size_B);
   return true;
}
