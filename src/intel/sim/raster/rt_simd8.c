/* SPDX-License-Identifier: MIT */
/*
 * Eight pixels, of two quads, to a target with texels of four bytes whose
 * channels are UNORM: blended, packed, and stored by rows of quads. What
 * comes out is what blend.c and surface_format.c make of each, with which
 * test_pixels.c compares it.
 *
 * This file is built for AVX2 with FMA and called only where the host has
 * them, while floats are rounded to nearest.
 */
#include "intel/sim/mem/lanes.h"

#define BLEND_LANES 8
#include "blend_lanes.h"
#include "rt_private.h"

/* Clamped, times the largest number, rounded: to this the product is added,
 * whose unit is 1 there, with one rounding. Halves are between two numbers
 * only for 0.5, which goes to the upper one, an even one but of one bit. */
INLINE v8u
pack_channel(v8f f, unsigned bits)
{
   const float base = 0x1.8p23f;
   const __m256 below = _mm256_min_ps((__m256)f, _mm256_set1_ps(1.0f));
   const v8f v = (v8f)((v8d)below & (f > 0.0f));
   if (bits == 1)
      return (v8u)(v >= 0.5f) & 1;
   const float most = (float)BITFIELD_MASK(bits);
   const v8u sum = (v8u)_mm256_fmadd_ps((__m256)v, _mm256_set1_ps(most),
                                        _mm256_set1_ps(base));
   return sum & BITFIELD_MASK(bits);
}

INLINE v8u
pack(const struct sim_quad_layout *q, const v8f color[4])
{
   v8u texels = { 0 };
   for (unsigned c = 0; c < 4; c++) {
      if (q->bits[c])
         texels |= pack_channel(color[c], q->bits[c]) << q->start[c];
   }
   return texels;
}

/* As sim_format_unpack_quad(). */
INLINE v8f
unpack_channel(const struct sim_quad_layout *q, unsigned c, v8u texels)
{
   if (!q->bits[c])
      return splat_f(c == 3 ? 1.0f : 0.0f);
   const uint32_t most = BITFIELD_MASK(q->bits[c]);
   const v8u v = texels >> q->start[c] & most;
   if (q->bits[c] == 8)
      return unorm8(v);
   const __m256d max = _mm256_set1_pd(most);
   const __m256d lo = _mm256_cvtepi32_pd(_mm256_castsi256_si128((__m256i)v));
   const __m256d hi =
      _mm256_cvtepi32_pd(_mm256_extracti128_si256((__m256i)v, 1));
   return (v8f)_mm256_set_m128(_mm256_cvtpd_ps(_mm256_div_pd(hi, max)),
                               _mm256_cvtpd_ps(_mm256_div_pd(lo, max)));
}

/* Two quads, each of two rows of eight bytes. */
INLINE v8u
load_quads(const struct sim_rt_eight *e)
{
   int64_t row[4];
   for (unsigned i = 0; i < 4; i++)
      memcpy(&row[i], e->to[i / 2] + i % 2 * e->step_B, sizeof(row[i]));
   return (v8u)_mm256_setr_epi64x(row[0], row[1], row[2], row[3]);
}

INLINE void
store_quads(const struct sim_rt_eight *e, v8u texels)
{
   uint32_t texel[8];
   memcpy(texel, &texels, sizeof(texel));
   for (unsigned i = 0; i < 4; i++) {
      uint8_t *to = e->to[i / 2] + i % 2 * e->step_B;
      const unsigned lit = e->lit >> 2 * i & 3;
      if (lit == 3)
         memcpy(to, &texel[2 * i], 8);
      else if (lit)
         memcpy(to + (lit >> 1) * 4, &texel[2 * i + (lit >> 1)], 4);
   }
}

enum factor {
   ONE = 0x01,
   SRC_ALPHA = 0x03,
   INV_SRC_ALPHA = 0x13,
};

/* What is mostly asked for: the source over what is there, in four bytes. */
static bool
is_over(const struct sim_raster *r, const struct GEN9_BLEND_STATE_ENTRY *e,
        const struct sim_quad_layout *q)
{
   const bool clamps = e->PreBlendColorClampEnable ||
                       e->PreBlendSourceOnlyClampEnable;
   const bool same = !r->blend_state.IndependentAlphaBlendEnable ||
                     (e->SourceAlphaBlendFactor == e->SourceBlendFactor &&
                      e->DestinationAlphaBlendFactor == INV_SRC_ALPHA &&
                      e->AlphaBlendFunction == 0);
   return e->ColorBufferBlendEnable && e->ColorBlendFunction == 0 &&
          e->DestinationBlendFactor == INV_SRC_ALPHA && same && clamps &&
          e->ColorClampRange != COLORCLAMP_SNORM && !blend_disabled(e) &&
          !r->blend_state.AlphaToOneEnable && q->bits[R] == 8 &&
          q->bits[G] == 8 && q->bits[B] == 8 && q->bits[A] == 8;
}

/* As blend(), of which the compiler knows all but the order of channels. */
INLINE v8u
blend_over(const struct sim_rt_eight *e, const struct sim_quad_layout *q,
           const v8f color[4], enum factor source)
{
   const struct sim_quad_layout bytes = {
      .bits = { 8, 8, 8, 8 },
      .start = { q->start[R], q->start[G], q->start[B], q->start[A] }
   };
   const struct GEN9_BLEND_STATE_ENTRY entry = {
      .PreBlendColorClampEnable = true,
      .SourceBlendFactor = source,
      .DestinationBlendFactor = INV_SRC_ALPHA,
   };
   const v8u old = load_quads(e);
   struct blend_colors of = { .is_unorm = true };
   for (unsigned c = 0; c < 4; c++) {
      of.s0[c] = color[c];
      of.d[c] = unpack_channel(&bytes, c, old);
   }
   blend_with_target(&entry, false, 0.0f, &of);
   return pack(&bytes, of.s0);
}

static v8u
blend(const struct sim_raster *r, const struct sim_render_target *rt,
      const struct sim_rt_eight *e, const struct sim_quad_layout *q,
      const v8f color[4])
{
   const struct GEN9_BLEND_STATE_ENTRY *entry = blend_entry(r, e->rt_index);
   if (is_over(r, entry, q) && entry->SourceBlendFactor == SRC_ALPHA)
      return blend_over(e, q, color, SRC_ALPHA);
   if (is_over(r, entry, q) && entry->SourceBlendFactor == ONE)
      return blend_over(e, q, color, ONE);
   const v8u old = load_quads(e);
   struct blend_colors of; /* all of it is filled in */
   of.is_unorm = true;
   for (unsigned c = 0; c < 4; c++) {
      of.s0[c] = color[c];
      of.s1[c] = splat_f(0.0f);
      of.d[c] = unpack_channel(q, c, old);
   }
   blend_process(r, rt, entry, &of);
   const uint32_t kept =
      sim_format_component_bits(rt->surface.format, blend_disabled(entry));
   return (pack(q, of.s0) & ~kept) | (old & kept);
}

void
sim_rt_store_eight(const struct sim_raster *r,
                   const struct sim_render_target *rt,
                   const struct sim_rt_eight *e)
{
   const struct sim_quad_layout *q =
      sim_format_quad_layout(rt->surface.format);
   v8f color[4];
   for (unsigned c = 0; c < 4; c++)
      color[c] = (v8f)_mm256_loadu_ps((const float *)e->component[c]);
   store_quads(e, e->stored ? pack(q, color) : blend(r, rt, e, q, color));
}
