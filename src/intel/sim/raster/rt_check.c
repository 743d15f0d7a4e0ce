/* SPDX-License-Identifier: MIT */
/* Strict mode: what a thread may not write to a render target. */
#include "intel/isl/isl.h"
#include "intel/sim/msg/surface_rules.h"
#include "raster_private.h"

/* Components of a colour that the target keeps. */
static unsigned
kept_components(const struct sim_raster *r,
                const struct sim_render_target *rt, unsigned rt_index)
{
   const struct isl_format_layout *l =
      isl_format_get_layout((enum isl_format)rt->surface.format);
   unsigned kept = (l->channels.r.type != ISL_VOID) |
                   (l->channels.g.type != ISL_VOID) << 1 |
                   (l->channels.b.type != ISL_VOID) << 2 |
                   (l->channels.a.type != ISL_VOID) << 3;
   if (r->blend_state_valid) {
      const struct GEN9_BLEND_STATE_ENTRY *e = &r->blend[rt_index];
      kept &= ~((unsigned)e->WriteDisableRed |
                (unsigned)e->WriteDisableGreen << 1 |
                (unsigned)e->WriteDisableBlue << 2 |
                (unsigned)e->WriteDisableAlpha << 3);
   }
   return kept;
}

/* Where a wide target of several samples goes wrong. */
static bool
is_in_corner(const struct sim_setup *p, const struct sim_surface *s)
{
   return s->num_samples > 1 && s->width > SIM_MAX_TILED_TARGET_WIDTH &&
          p->x0 >= (int)s->width - 2 && p->y1 <= 2;
}

bool
sim_rt_check_colors(const struct sim_raster *r, struct sim_eu_thread *t,
                    const struct sim_message *m, unsigned color,
                    const struct sim_render_target *rt, unsigned rt_index,
                    uint32_t channels)
{
   static const char *const names[] = { "red", "green", "blue", "alpha" };
   const unsigned kept = kept_components(r, rt, rt_index);
   const unsigned step = m->fields->rt_kind == ISA_RT_SIMD16 ? 2 : 1;
   const bool dual = m->fields->rt_kind == ISA_RT_SIMD8_DUAL_LOW ||
                     m->fields->rt_kind == ISA_RT_SIMD8_DUAL_HIGH;
   const bool one_color = !dual && !rt_index &&
                          r->state->ps_blend.ColorBufferBlendEnable;
   if (is_in_corner(r->setup, &rt->surface) &&
       !sim_shadow_in_corner(t, rt_index))
      return false;
   if (r->blend_state_valid &&
       !sim_shadow_blended(t, rt_index, rt->surface.format_name, one_color,
                           &r->blend[rt_index]))
      return false;
   if (r->blend_state_valid && r->blend[rt_index].ColorBufferBlendEnable &&
       !sim_strict_format(t, &rt->surface, SIM_RULE_FORMAT_BLENDED))
      return false;
   if (m->fields->rt_kind == ISA_RT_SIMD16_REPLICATED)
      return sim_shadow_replicated(
         t, rt_index, rt->surface.tiling == SIM_TILE_LINEAR,
         ((const struct sim_ps_thread *)t->user)->width);
   if (sim_raster_aux_operation(r) || !t->shadow_steps)
      return true;
   while (channels) {
      const unsigned c = (unsigned)u_bit_scan(&channels);
      for (unsigned i = 0; i < 4; i++) {
         const uint32_t u =
            sim_shadow_payload(t, m, color + i * step + c / 8, c % 8);
         if (u && kept >> i & 1 && !sim_shadow_stored(t, names[i], c, u))
            return false;
      }
   }
   return true;
}
