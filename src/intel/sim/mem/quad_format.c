/* SPDX-License-Identifier: MIT */
/*
 * Four texels at once, of formats that most targets have: up to four bytes,
 * all channels UNORM, linear. What comes out is what surface_format.c makes
 * of each.
 */
#include "surface.h"

#include <emmintrin.h>

#include "intel/isl/isl.h"

/* Filled before main() runs. */
static struct sim_quad_layout layouts[ISL_FORMAT_NUMBERS];
static float unorm8[256];

static void
fill_layout(struct sim_quad_layout *q, const struct isl_format_layout *l)
{
   const struct isl_channel_layout *channel[4] = {
      &l->channels.r, &l->channels.g, &l->channels.b, &l->channels.a
   };
   if (l->txc != ISL_TXC_NONE || l->bpb > 32 ||
       l->colorspace == ISL_COLORSPACE_SRGB)
      return;
   for (unsigned c = 0; c < 4; c++) {
      if (channel[c]->type == ISL_VOID)
         continue;
      if (channel[c]->type != ISL_UNORM || channel[c]->bits > 16)
         return;
      q->start[c] = channel[c]->start_bit;
      q->bits[c] = channel[c]->bits;
   }
   if (q->bits[0] || q->bits[1] || q->bits[2] || q->bits[3])
      q->size_B = (uint8_t)(l->bpb / 8);
}

__attribute__((constructor)) static void
fill_tables(void)
{
   for (unsigned i = 0; i < 256; i++)
      unorm8[i] = (float)(i / 255.0);
   for (unsigned f = 0; f < ISL_FORMAT_NUMBERS; f++) {
      struct sim_quad_layout q = { 0 };
      if (isl_format_is_valid((enum isl_format)f))
         fill_layout(&q, &isl_format_layouts[f]);
      if (q.size_B)
         layouts[f] = q;
   }
}

const struct sim_quad_layout *
sim_format_quad_layout(unsigned format)
{
   return format < ISL_FORMAT_NUMBERS && layouts[format].size_B
             ? &layouts[format]
             : NULL;
}

/* Clamped, times `max`, rounded; the product is exact in double. */
static __m128i
pack_four(const uint32_t *words, double max)
{
   const __m128 f = _mm_loadu_ps((const float *)words);
   const __m128d one = _mm_set1_pd(1.0), all = _mm_set1_pd(max);
   const __m128d half = _mm_set1_pd(0.5);
   __m128d lo = _mm_min_pd(_mm_cvtps_pd(f), one);
   __m128d hi = _mm_min_pd(_mm_cvtps_pd(_mm_movehl_ps(f, f)), one);
   lo = _mm_add_pd(_mm_mul_pd(lo, all), half);
   hi = _mm_add_pd(_mm_mul_pd(hi, all), half);
   const __m128i v =
      _mm_unpacklo_epi64(_mm_cvttpd_epi32(lo), _mm_cvttpd_epi32(hi));
   const __m128 positive = _mm_cmpgt_ps(f, _mm_setzero_ps());
   return _mm_and_si128(v, _mm_castps_si128(positive));
}

bool
sim_format_pack_quad(unsigned format, const uint32_t *const rgba[4],
                     uint32_t texels[4])
{
   const struct sim_quad_layout *q = sim_format_quad_layout(format);
   __m128i v = _mm_setzero_si128();
   if (!q)
      return false;
   for (unsigned c = 0; c < 4; c++) {
      if (!q->bits[c])
         continue;
      const __m128i channel =
         pack_four(rgba[c], (double)BITFIELD_MASK(q->bits[c]));
      v = _mm_or_si128(v, _mm_sll_epi32(channel,
                                        _mm_cvtsi32_si128(q->start[c])));
   }
   _mm_storeu_si128((__m128i *)texels, v);
   return true;
}

bool
sim_format_unpack_quad(unsigned format, const uint32_t texels[4],
                       uint32_t rgba[4][4])
{
   const struct sim_quad_layout *q = sim_format_quad_layout(format);
   if (!q)
      return false;
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t max = BITFIELD_MASK(q->bits[c]);
      for (unsigned i = 0; i < 4; i++) {
         const uint32_t v = texels[i] >> q->start[c] & max;
         const float f = !q->bits[c]       ? (c == 3 ? 1.0f : 0.0f)
                         : q->bits[c] == 8 ? unorm8[v]
                                           : (float)((double)v / (double)max);
         rgba[c][i] = util_float_bits(f);
      }
   }
   return true;
}

uint32_t
sim_format_component_bits(unsigned format, unsigned components)
{
   const struct sim_quad_layout *q = sim_format_quad_layout(format);
   uint32_t bits = 0;
   for (unsigned c = 0; c < 4 && q; c++) {
      if (components >> c & 1)
         bits |= BITFIELD_MASK(q->bits[c]) << q->start[c];
   }
   return bits;
}
