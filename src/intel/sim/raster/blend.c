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

#include <math.h>

enum { R, G, B, A };

/* PRM SKL Vol. 2d "3D_Color_Buffer_Blend_Factor": bit 4 is one minus the
 * factor below, but 0x11 is zero and 0x01 one. */
static float
factor(unsigned code, unsigned c, const float s0[4], const float s1[4],
       const float d[4], const float k[4])
{
   float f;
   switch (code & 0xf) {
   case 1: f = 1.0f; break;
   case 2: f = s0[c]; break;
   case 3: f = s0[A]; break;
   case 4: f = d[A]; break;
   case 5: f = d[c]; break;
   case 6: /* source alpha saturate */
      f = c == A ? 1.0f : MIN2(s0[A], 1.0f - d[A]);
      break;
   case 7: f = k[c]; break;
   case 8: f = k[A]; break;
   case 9: f = s1[c]; break;
   case 10: f = s1[A]; break;
   default: f = 0.0f; break;
   }
   return code & 0x10 ? 1.0f - f : f;
}

/* PRM SKL Vol. 2d "3D_Color_Buffer_Blend_Function". */
static float
combine(unsigned function, float s, float sf, float d, float df)
{
   switch (function) {
   case 0: return s * sf + d * df;
   case 1: return s * sf - d * df;
   case 2: return d * df - s * sf;
   case 3: return MIN2(s, d);
   default: return MAX2(s, d);
   }
}

/* ColorClampRange: 0 unorm, 1 snorm, 2 the target format's own. */
static float
clamp(const struct sim_render_target *rt, unsigned range, float v)
{
   float lo = 0.0f, hi = 1.0f;
   if (range == 1) {
      lo = -1.0f;
   } else if (range == 2) {
      switch (sim_format_base(rt->surface.format)) {
      case SIM_FORMAT_UNORM: break;
      case SIM_FORMAT_SNORM: lo = -1.0f; break;
      default: return v;
      }
   }
   return v > lo ? MIN2(v, hi) : lo;
}

static void
blend_colors(struct sim_raster *r, const struct sim_render_target *rt,
             const struct GEN9_BLEND_STATE_ENTRY *e, const uint8_t *pixel,
             float s0[4], float s1[4])
{
   uint32_t raw[4];
   float d[4], k[4], out[4];
   sim_format_unpack(rt->surface.format, pixel, raw);
   for (unsigned c = 0; c < 4; c++) {
      d[c] = util_bits_float(raw[c]);
      k[c] = r->blend_constant[c];
      if (e->PreBlendSourceOnlyClampEnable || e->PreBlendColorClampEnable) {
         s0[c] = clamp(rt, e->ColorClampRange, s0[c]);
         s1[c] = clamp(rt, e->ColorClampRange, s1[c]);
      }
      if (e->PreBlendColorClampEnable) {
         d[c] = clamp(rt, e->ColorClampRange, d[c]);
         k[c] = clamp(rt, e->ColorClampRange, k[c]);
      }
   }
   const bool separate = r->blend_state.IndependentAlphaBlendEnable;
   for (unsigned c = 0; c < 4; c++) {
      const bool alpha = c == A && separate;
      const unsigned sf = alpha ? e->SourceAlphaBlendFactor
                                : e->SourceBlendFactor;
      const unsigned df = alpha ? e->DestinationAlphaBlendFactor
                                : e->DestinationBlendFactor;
      const unsigned fn = alpha ? e->AlphaBlendFunction
                                : e->ColorBlendFunction;
      out[c] = combine(fn, s0[c], factor(sf, c, s0, s1, d, k), d[c],
                       factor(df, c, s0, s1, d, k));
   }
   memcpy(s0, out, sizeof(out));
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

/* PRM SKL Vol. 2d, BLEND_STATE_ENTRY. Each write of pixels asks for it. */
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

void
sim_blend_pixel(struct sim_raster *r, const struct sim_render_target *rt,
                unsigned rt_index, uint8_t *pixel, const uint32_t src0[4],
                const uint32_t src1[4])
{
   static const struct GEN9_BLEND_STATE_ENTRY off;
   const struct GEN9_BLEND_STATE_ENTRY *e =
      r->blend_state_valid ? &r->blend[rt_index] : &off;
   const unsigned disabled = (unsigned)e->WriteDisableRed |
                             (unsigned)e->WriteDisableGreen << 1 |
                             (unsigned)e->WriteDisableBlue << 2 |
                             (unsigned)e->WriteDisableAlpha << 3;
   if (disabled == 0xf)
      return;

   uint8_t out[16];
   uint32_t color[4];
   memcpy(color, src0, sizeof(color));
   if (!rt->integer) {
      float s0[4], s1[4];
      for (unsigned c = 0; c < 4; c++) {
         s0[c] = util_bits_float(src0[c]);
         s1[c] = util_bits_float(src1[c]);
      }
      if (r->blend_state_valid && r->blend_state.AlphaToOneEnable)
         s0[A] = s1[A] = 1.0f;
      if (e->ColorBufferBlendEnable)
         blend_colors(r, rt, e, pixel, s0, s1);
      for (unsigned c = 0; c < 4; c++) {
         const float v = e->PostBlendColorClampEnable
                            ? clamp(rt, e->ColorClampRange, s0[c])
                            : s0[c];
         color[c] = util_float_bits(v);
      }
   }
   sim_format_pack(rt->surface.format, color, out);
   if (e->LogicOpEnable)
      logic_op(e->LogicOpFunction, out, pixel, rt->surface.element_B);
   if (disabled)
      mask_components(rt, disabled, out, pixel);
   memcpy(pixel, out, rt->surface.element_B);
}
