/* SPDX-License-Identifier: MIT */
/*
 * Blending, logic operation and write mask of one sample (PRM SKL Vol. 7,
 * "Pixel Backend: color blending").
 *
 * Fixed-point targets blend in float with sources clamped to the range of
 * the format, as BLEND_STATE's clamp controls say; the one rounding is that
 * of the store.
 */
#include "raster_private.h"

#include <emmintrin.h>

enum { R, G, B, A };

/* A component of four pixels. */
static inline __m128
splat(float f)
{
   return _mm_set1_ps(f);
}

static inline __m128
choose(__m128 where, __m128 a, __m128 b)
{
   return _mm_or_ps(_mm_and_ps(where, a), _mm_andnot_ps(where, b));
}

/* What the factors of a pixel are made of, component after component. */
struct colors {
   __m128 s0[4], s1[4], d[4], k[4];
};

/* PRM SKL Vol. 2d "3D_Color_Buffer_Blend_Factor": bit 4 is one minus the
 * factor below, but 0x11 is zero and 0x01 one. */
static __m128
factor(unsigned code, unsigned c, const struct colors *of)
{
   const __m128 one = splat(1.0f);
   __m128 f;
   switch (code & 0xf) {
   case 1: f = one; break;
   case 2: f = of->s0[c]; break;
   case 3: f = of->s0[A]; break;
   case 4: f = of->d[A]; break;
   case 5: f = of->d[c]; break;
   case 6: /* source alpha saturate */
      f = c == A ? one : _mm_min_ps(of->s0[A], _mm_sub_ps(one, of->d[A]));
      break;
   case 7: f = of->k[c]; break;
   case 8: f = of->k[A]; break;
   case 9: f = of->s1[c]; break;
   case 10: f = of->s1[A]; break;
   default: f = splat(0.0f); break;
   }
   return code & 0x10 ? _mm_sub_ps(one, f) : f;
}

/* PRM SKL Vol. 2d "3D_Color_Buffer_Blend_Function". */
static __m128
combine(unsigned function, __m128 s, __m128 sf, __m128 d, __m128 df)
{
   switch (function) {
   case 0: return _mm_add_ps(_mm_mul_ps(s, sf), _mm_mul_ps(d, df));
   case 1: return _mm_sub_ps(_mm_mul_ps(s, sf), _mm_mul_ps(d, df));
   case 2: return _mm_sub_ps(_mm_mul_ps(d, df), _mm_mul_ps(s, sf));
   case 3: return _mm_min_ps(s, d);
   default: return _mm_max_ps(s, d);
   }
}

/* ColorClampRange: 0 unorm, 1 snorm, 2 the target format's own. */
static __m128
clamp(const struct sim_render_target *rt, unsigned range, __m128 v)
{
   float low = 0.0f;
   if (range == 1) {
      low = -1.0f;
   } else if (range == 2) {
      switch (sim_format_base(rt->surface.format)) {
      case SIM_FORMAT_UNORM: break;
      case SIM_FORMAT_SNORM: low = -1.0f; break;
      default: return v;
      }
   }
   const __m128 lo = splat(low);
   return choose(_mm_cmpgt_ps(v, lo), _mm_min_ps(v, splat(1.0f)), lo);
}

static void
blend_colors(const struct sim_raster *r, const struct sim_render_target *rt,
             const struct GEN9_BLEND_STATE_ENTRY *e, struct colors *of)
{
   for (unsigned c = 0; c < 4; c++) {
      if (e->PreBlendSourceOnlyClampEnable || e->PreBlendColorClampEnable) {
         of->s0[c] = clamp(rt, e->ColorClampRange, of->s0[c]);
         of->s1[c] = clamp(rt, e->ColorClampRange, of->s1[c]);
      }
      if (e->PreBlendColorClampEnable) {
         of->d[c] = clamp(rt, e->ColorClampRange, of->d[c]);
         of->k[c] = clamp(rt, e->ColorClampRange, of->k[c]);
      }
   }
   const bool separate = r->blend_state.IndependentAlphaBlendEnable;
   __m128 out[4];
   for (unsigned c = 0; c < 4; c++) {
      const bool alpha = c == A && separate;
      const unsigned sf = alpha ? e->SourceAlphaBlendFactor
                                : e->SourceBlendFactor;
      const unsigned df = alpha ? e->DestinationAlphaBlendFactor
                                : e->DestinationBlendFactor;
      const unsigned fn = alpha ? e->AlphaBlendFunction
                                : e->ColorBlendFunction;
      out[c] = combine(fn, of->s0[c], factor(sf, c, of), of->d[c],
                       factor(df, c, of));
   }
   memcpy(of->s0, out, sizeof(out));
}

/* All that happens to colours before they are stored, in of->s0; what the
 * target has is in of->d. */
static void
process_colors(const struct sim_raster *r, const struct sim_render_target *rt,
               const struct GEN9_BLEND_STATE_ENTRY *e, struct colors *of)
{
   if (r->blend_state_valid && r->blend_state.AlphaToOneEnable)
      of->s0[A] = of->s1[A] = splat(1.0f);
   if (e->ColorBufferBlendEnable) {
      for (unsigned c = 0; c < 4; c++)
         of->k[c] = splat(r->blend_constant[c]);
      blend_colors(r, rt, e, of);
   }
   for (unsigned c = 0; c < 4 && e->PostBlendColorClampEnable; c++)
      of->s0[c] = clamp(rt, e->ColorClampRange, of->s0[c]);
}

/* The sixteen logic operations are the truth tables of (source, dest). */
static void
logic_op(unsigned function, uint8_t *new, const uint8_t *old, unsigned size_B)
{
   for (unsigned i = 0; i < size_B; i++) {
      const uint8_t s = new[i], d = old[i];
      uint8_t v = 0;
      if (function & 1)
         v |= (uint8_t)(~s & ~d);
      if (function & 2)
         v |= (uint8_t)(~s & d);
      if (function & 4)
         v |= (uint8_t)(s & ~d);
      if (function & 8)
         v |= (uint8_t)(s & d);
      new[i] = v;
   }
}

/* Puts the old value into the components that may not be written. */
static void
mask_components(const struct sim_render_target *rt, unsigned disabled,
                uint8_t *new, const uint8_t *old)
{
   uint32_t a[4], b[4];
   sim_format_unpack(rt->surface.format, new, a);
   sim_format_unpack(rt->surface.format, old, b);
   for (unsigned c = 0; c < 4; c++) {
      if (disabled >> c & 1)
         a[c] = b[c];
   }
   sim_format_pack(rt->surface.format, a, new);
}

/* PRM SKL Vol. 2d, BLEND_STATE_ENTRY. */
bool
sim_blend_is_off(const struct sim_raster *r,
                 const struct sim_render_target *rt, unsigned rt_index)
{
   const struct GEN9_BLEND_STATE_ENTRY *e = &r->blend[rt_index];
   if (!r->blend_state_valid)
      return true;
   /* The store clamps to the format's range, too; but a NaN of a signed
    * format is its lowest value when clamped. */
   const bool clamps =
      e->PostBlendColorClampEnable &&
      (e->ColorClampRange != COLORCLAMP_RTFORMAT ||
       sim_format_base(rt->surface.format) == SIM_FORMAT_SNORM);
   return !e->WriteDisableRed && !e->WriteDisableGreen &&
          !e->WriteDisableBlue && !e->WriteDisableAlpha &&
          !e->ColorBufferBlendEnable && !e->LogicOpEnable && !clamps &&
          !r->blend_state.AlphaToOneEnable;
}

/* Bit c: component c may not be written. */
static unsigned
disabled_components(const struct GEN9_BLEND_STATE_ENTRY *e)
{
   return (unsigned)e->WriteDisableRed | (unsigned)e->WriteDisableGreen << 1 |
          (unsigned)e->WriteDisableBlue << 2 |
          (unsigned)e->WriteDisableAlpha << 3;
}

static const struct GEN9_BLEND_STATE_ENTRY *
entry(const struct sim_raster *r, unsigned rt_index)
{
   static const struct GEN9_BLEND_STATE_ENTRY off;
   return r->blend_state_valid ? &r->blend[rt_index] : &off;
}

void
sim_blend_pixel(struct sim_raster *r, const struct sim_render_target *rt,
                unsigned rt_index, uint8_t *pixel, const uint32_t src0[4],
                const uint32_t src1[4])
{
   const struct GEN9_BLEND_STATE_ENTRY *e = entry(r, rt_index);
   const unsigned disabled = disabled_components(e);
   if (disabled == 0xf)
      return;

   uint8_t out[16];
   uint32_t color[4], old[4] = { 0 };
   memcpy(color, src0, sizeof(color));
   if (!rt->integer) {
      struct colors of;
      if (e->ColorBufferBlendEnable)
         sim_format_unpack(rt->surface.format, pixel, old);
      for (unsigned c = 0; c < 4; c++) {
         of.s0[c] = splat(util_bits_float(src0[c]));
         of.s1[c] = splat(util_bits_float(src1[c]));
         of.d[c] = splat(util_bits_float(old[c]));
      }
      process_colors(r, rt, e, &of);
      for (unsigned c = 0; c < 4; c++)
         color[c] = util_float_bits(_mm_cvtss_f32(of.s0[c]));
   }
   sim_format_pack(rt->surface.format, color, out);
   if (e->LogicOpEnable)
      logic_op(e->LogicOpFunction, out, pixel, rt->surface.element_B);
   if (disabled)
      mask_components(rt, disabled, out, pixel);
   memcpy(pixel, out, rt->surface.element_B);
}

bool
sim_blend_quad(const struct sim_raster *r, const struct sim_render_target *rt,
               unsigned rt_index, const uint32_t *const src0[4],
               const uint32_t old[4], uint32_t new[4])
{
   const struct GEN9_BLEND_STATE_ENTRY *e = entry(r, rt_index);
   const unsigned format = rt->surface.format;
   uint32_t d[4][4], out[4][4];
   if (e->LogicOpEnable || !sim_format_unpack_quad(format, old, d))
      return false;
   struct colors of;
   for (unsigned c = 0; c < 4; c++) {
      of.s0[c] = _mm_loadu_ps((const float *)src0[c]);
      of.s1[c] = splat(0.0f);
      of.d[c] = _mm_loadu_ps((const float *)d[c]);
   }
   process_colors(r, rt, e, &of);
   for (unsigned c = 0; c < 4; c++)
      _mm_storeu_ps((float *)out[c], of.s0[c]);
   const uint32_t *const components[4] = { out[0], out[1], out[2], out[3] };
   sim_format_pack_quad(format, components, new);
   const uint32_t kept =
      sim_format_component_bits(format, disabled_components(e));
   for (unsigned i = 0; i < 4 && kept; i++)
      new[i] = (new[i] & ~kept) | (old[i] & kept);
   return true;
}
