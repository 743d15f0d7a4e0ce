/* SPDX-License-Identifier: MIT */
/* See memory_state.h; PRM HSW Vol. 2b, each structure under its name. */
#include "memory_state.h"

#include "intel/genxml/gen75_pack.h"
#include "intel/sim/gen/traits.h"

void
sim_unpack_blend_state(unsigned verx10, const uint32_t dw[2],
                       struct GEN9_BLEND_STATE *s)
{
   if (sim_traits(verx10)->state_form != SIM_STATE_GEN7) {
      GEN9_BLEND_STATE_unpack(dw, s);
      return;
   }
   struct GEN75_BLEND_STATE_ENTRY e;
   GEN75_BLEND_STATE_ENTRY_unpack(dw, &e);
   *s = (struct GEN9_BLEND_STATE) {
      .YDitherOffset = e.YDitherOffset,
      .XDitherOffset = e.XDitherOffset,
      .ColorDitherEnable = e.ColorDitherEnable,
      .AlphaTestFunction = e.AlphaTestFunction,
      .AlphaTestEnable = e.AlphaTestEnable,
      .AlphaToCoverageDitherEnable = e.AlphaToCoverageDitherEnable,
      .AlphaToOneEnable = e.AlphaToOneEnable,
      .IndependentAlphaBlendEnable = e.IndependentAlphaBlendEnable,
      .AlphaToCoverageEnable = e.AlphaToCoverageEnable,
   };
}

void
sim_unpack_blend_entry(unsigned verx10, const uint32_t dw[2],
                       struct GEN9_BLEND_STATE_ENTRY *e)
{
   if (sim_traits(verx10)->state_form != SIM_STATE_GEN7) {
      GEN9_BLEND_STATE_ENTRY_unpack(dw, e);
      return;
   }
   struct GEN75_BLEND_STATE_ENTRY c;
   GEN75_BLEND_STATE_ENTRY_unpack(dw, &c);
   *e = (struct GEN9_BLEND_STATE_ENTRY) {
      .WriteDisableBlue = c.WriteDisableBlue,
      .WriteDisableGreen = c.WriteDisableGreen,
      .WriteDisableRed = c.WriteDisableRed,
      .WriteDisableAlpha = c.WriteDisableAlpha,
      .AlphaBlendFunction = c.AlphaBlendFunction,
      .DestinationAlphaBlendFactor = c.DestinationAlphaBlendFactor,
      .SourceAlphaBlendFactor = c.SourceAlphaBlendFactor,
      .ColorBlendFunction = c.ColorBlendFunction,
      .DestinationBlendFactor = c.DestinationBlendFactor,
      .SourceBlendFactor = c.SourceBlendFactor,
      .ColorBufferBlendEnable = c.ColorBufferBlendEnable,
      .PostBlendColorClampEnable = c.PostBlendColorClampEnable,
      .PreBlendColorClampEnable = c.PreBlendColorClampEnable,
      .ColorClampRange = c.ColorClampRange,
      .LogicOpFunction = c.LogicOpFunction,
      .LogicOpEnable = c.LogicOpEnable,
   };
}

void
sim_unpack_sf_clip_viewport(unsigned verx10, const uint32_t dw[16],
                            struct GEN9_SF_CLIP_VIEWPORT *v)
{
   GEN9_SF_CLIP_VIEWPORT_unpack(dw, v);
   if (sim_traits(verx10)->has_guardband_extents)
      return;
   v->XMinViewPort = v->YMinViewPort = -32768.0f;
   v->XMaxViewPort = v->YMaxViewPort = 32767.0f;
}
