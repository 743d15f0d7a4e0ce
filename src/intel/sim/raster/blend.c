/* SPDX-License-Identifier: MIT */
/*
 * Blending, logic operation and write mask of one sample (PRM SKL Vol. 7,
 * "Pixel Backend: color blending").
 *
 * Fixed-point targets blend in float with sources clamped to the range of
 * the format, as BLEND_STATE's clamp controls say; the one rounding is that
 * of the store.
 */
#define BLEND_LANES 4
#include "blend_lanes.h"

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

void
sim_blend_pixel(struct sim_raster *r, const struct sim_render_target *rt,
                unsigned rt_index, uint8_t *pixel, const uint32_t src0[4],
                const uint32_t src1[4])
{
   const struct GEN9_BLEND_STATE_ENTRY *e = blend_entry(r, rt_index);
   const unsigned disabled = blend_disabled(e);
   if (disabled == 0xf)
      return;

   uint8_t out[16];
   uint32_t color[4], old[4] = { 0 };
   memcpy(color, src0, sizeof(color));
   if (!rt->integer) {
      struct blend_colors of = { .is_unorm = false };
      if (e->ColorBufferBlendEnable)
         sim_format_unpack(rt->surface.format, pixel, old);
      for (unsigned c = 0; c < 4; c++) {
         of.s0[c] = blend_splat(util_bits_float(src0[c]));
         of.s1[c] = blend_splat(util_bits_float(src1[c]));
         of.d[c] = blend_splat(util_bits_float(old[c]));
      }
      blend_process(r, rt, e, &of);
      for (unsigned c = 0; c < 4; c++)
         color[c] = util_float_bits(of.s0[c][0]);
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
   const struct GEN9_BLEND_STATE_ENTRY *e = blend_entry(r, rt_index);
   const unsigned format = rt->surface.format;
   uint32_t d[4][4], out[4][4];
   if (e->LogicOpEnable || !sim_format_unpack_quad(format, old, d))
      return false;
   struct blend_colors of = { .is_unorm = true };
   for (unsigned c = 0; c < 4; c++) {
      memcpy(&of.s0[c], src0[c], sizeof(of.s0[c]));
      of.s1[c] = blend_splat(0.0f);
      memcpy(&of.d[c], d[c], sizeof(of.d[c]));
   }
   blend_process(r, rt, e, &of);
   memcpy(out, of.s0, sizeof(out));
   const uint32_t *const components[4] = { out[0], out[1], out[2], out[3] };
   sim_format_pack_quad(format, components, new);
   const uint32_t kept = sim_format_component_bits(format, blend_disabled(e));
   for (unsigned i = 0; i < 4 && kept; i++)
      new[i] = (new[i] & ~kept) | (old[i] & kept);
   return true;
}
