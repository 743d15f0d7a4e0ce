/* SPDX-License-Identifier: MIT */
/*
 * What happens to colours before they are stored (PRM SKL Vol. 7, "Pixel
 * Backend: color blending"), for BLEND_LANES pixels at once, of which each is
 * computed as it would be alone. Included by blend.c and rt_simd8.c.
 */
#ifndef SIM_RASTER_BLEND_LANES_H
#define SIM_RASTER_BLEND_LANES_H

#include <immintrin.h>
#include <math.h>

#include "raster_private.h"

enum { R, G, B, A };

/* A component of the pixels. */
typedef float blend_vf __attribute__((vector_size(4 * BLEND_LANES)));
typedef int32_t blend_vi __attribute__((vector_size(4 * BLEND_LANES)));

#if BLEND_LANES == 8
#define BLEND_VECTOR __m256
#define BLEND_INTRINSIC(name) _mm256_##name
#else
#define BLEND_VECTOR __m128
#define BLEND_INTRINSIC(name) _mm_##name
#endif

static inline blend_vf
blend_splat(float f)
{
   return (blend_vf)BLEND_INTRINSIC(set1_ps)(f);
}

static inline blend_vf
blend_choose(blend_vi where, blend_vf a, blend_vf b)
{
   return (blend_vf)((where & (blend_vi)a) | (~where & (blend_vi)b));
}

/* The second one if either is no number. */
static inline blend_vf
blend_min(blend_vf a, blend_vf b)
{
   return (blend_vf)BLEND_INTRINSIC(min_ps)((BLEND_VECTOR)a, (BLEND_VECTOR)b);
}

/* What the factors of a pixel are made of, component after component. */
struct blend_colors {
   blend_vf s0[4], s1[4], d[4], k[4];
   /* Of a target of UNORM channels alone, which is between 0 and 1, and whose
    * store clamps, too; there is no s1. */
   bool is_unorm;
};

/* PRM SKL Vol. 2d "3D_Color_Buffer_Blend_Factor": bit 4 is one minus the
 * factor below, but 0x11 is zero and 0x01 one. */
static inline blend_vf
blend_factor(unsigned code, unsigned c, const struct blend_colors *of)
{
   const blend_vf one = blend_splat(1.0f);
   blend_vf f;
   switch (code & 0xf) {
   case 1: f = one; break;
   case 2: f = of->s0[c]; break;
   case 3: f = of->s0[A]; break;
   case 4: f = of->d[A]; break;
   case 5: f = of->d[c]; break;
   case 6: /* source alpha saturate */
      f = c == A ? one : blend_min(of->s0[A], one - of->d[A]);
      break;
   case 7: f = of->k[c]; break;
   case 8: f = of->k[A]; break;
   case 9: f = of->s1[c]; break;
   case 10: f = of->s1[A]; break;
   default: f = blend_splat(0.0f); break;
   }
   return code & 0x10 ? one - f : f;
}

/* PRM SKL Vol. 2d "3D_Color_Buffer_Blend_Function". */
static inline blend_vf
blend_combine(unsigned function, blend_vf s, blend_vf sf, blend_vf d,
              blend_vf df)
{
   switch (function) {
   case 0: return s * sf + d * df;
   case 1: return s * sf - d * df;
   case 2: return d * df - s * sf;
   case 3: return blend_min(s, d);
   default:
      return (blend_vf)BLEND_INTRINSIC(max_ps)((BLEND_VECTOR)s,
                                               (BLEND_VECTOR)d);
   }
}

/* From what on colours are clamped, to 1; -INFINITY: they are not.
 * ColorClampRange: 0 unorm, 1 snorm, 2 the target format's own. */
static inline float
blend_least(const struct sim_render_target *rt, unsigned range)
{
   if (range != 2)
      return range == 1 ? -1.0f : 0.0f;
   switch (sim_format_base(rt->surface.format)) {
   case SIM_FORMAT_UNORM: return 0.0f;
   case SIM_FORMAT_SNORM: return -1.0f;
   default: return -INFINITY;
   }
}

/* A NaN becomes the least. */
static inline blend_vf
blend_clamp(float least, blend_vf v)
{
   const blend_vf low = blend_splat(least);
   if (isinf(least))
      return v;
   return blend_choose(v > low, blend_min(v, blend_splat(1.0f)), low);
}

/* `separate`: alpha has factors and a function of its own. */
static inline __attribute__((always_inline)) void
blend_with_target(const struct GEN9_BLEND_STATE_ENTRY *e, bool separate,
                  float least, struct blend_colors *of)
{
   for (unsigned c = 0; c < 4; c++) {
      if (e->PreBlendSourceOnlyClampEnable || e->PreBlendColorClampEnable) {
         of->s0[c] = blend_clamp(least, of->s0[c]);
         if (!of->is_unorm)
            of->s1[c] = blend_clamp(least, of->s1[c]);
      }
      if (e->PreBlendColorClampEnable) {
         of->k[c] = blend_clamp(least, of->k[c]);
         if (!of->is_unorm)
            of->d[c] = blend_clamp(least, of->d[c]);
      }
   }
   blend_vf out[4];
   for (unsigned c = 0; c < 4; c++) {
      const bool alpha = c == A && separate;
      const unsigned sf = alpha ? e->SourceAlphaBlendFactor
                                : e->SourceBlendFactor;
      const unsigned df = alpha ? e->DestinationAlphaBlendFactor
                                : e->DestinationBlendFactor;
      const unsigned fn = alpha ? e->AlphaBlendFunction
                                : e->ColorBlendFunction;
      out[c] = blend_combine(fn, of->s0[c], blend_factor(sf, c, of), of->d[c],
                             blend_factor(df, c, of));
   }
   memcpy(of->s0, out, sizeof(out));
}

/* All of it, in of->s0; what the target has is in of->d. */
static inline void
blend_process(const struct sim_raster *r, const struct sim_render_target *rt,
              const struct GEN9_BLEND_STATE_ENTRY *e, struct blend_colors *of)
{
   const float least = blend_least(rt, e->ColorClampRange);
   if (r->blend_state_valid && r->blend_state.AlphaToOneEnable)
      of->s0[A] = of->s1[A] = blend_splat(1.0f);
   if (e->ColorBufferBlendEnable) {
      for (unsigned c = 0; c < 4; c++)
         of->k[c] = blend_splat(r->blend_constant[c]);
      blend_with_target(e, r->blend_state.IndependentAlphaBlendEnable, least,
                        of);
   }
   const bool clamps = e->PostBlendColorClampEnable && !of->is_unorm;
   for (unsigned c = 0; c < 4 && clamps; c++)
      of->s0[c] = blend_clamp(least, of->s0[c]);
}

/* Bit c: component c may not be written. */
static inline unsigned
blend_disabled(const struct GEN9_BLEND_STATE_ENTRY *e)
{
   return (unsigned)e->WriteDisableRed | (unsigned)e->WriteDisableGreen << 1 |
          (unsigned)e->WriteDisableBlue << 2 |
          (unsigned)e->WriteDisableAlpha << 3;
}

static inline const struct GEN9_BLEND_STATE_ENTRY *
blend_entry(const struct sim_raster *r, unsigned rt_index)
{
   static const struct GEN9_BLEND_STATE_ENTRY off;
   return r->blend_state_valid ? &r->blend[rt_index] : &off;
}

#endif
