/* SPDX-License-Identifier: MIT */
/*
 * State packets of Gen8 whose layout is not that of Gen9: translated, as
 * struct sim_render_state has the shape of the Gen9 packets (PRM BDW Vol. 2a,
 * each under its name). A packet that only lacks fields, or the end, of its
 * successor is read as that with zeros.
 */
#include "cs_private.h"

#include "intel/genxml/gen8_pack.h"

/* The largest of the packets that grew on Gen9. */
#define MAX_PADDED_DW 19

/* `dw` with zeros where the Gen9 packet goes on. */
static void
pad(uint32_t padded[MAX_PADDED_DW], const uint32_t *dw, unsigned n)
{
   assert(n <= MAX_PADDED_DW);
   memset(padded, 0, MAX_PADDED_DW * sizeof(*dw));
   memcpy(padded, dw, n * sizeof(*dw));
}

static enum cs_status
state_base_address(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   uint32_t padded[MAX_PADDED_DW];
   struct GEN9_STATE_BASE_ADDRESS c;
   pad(padded, dw, n);
   GEN9_STATE_BASE_ADDRESS_unpack(padded, &c);
   cs_set_base_addresses(cs, &c);
   return CS_CONTINUE;
}

/* Gen8 has no mask bits: the selection always counts. */
static enum cs_status
pipeline_select(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   GEN9_PIPELINE_SELECT_unpack(dw, &cs->hw->state.pipeline_select);
   return CS_CONTINUE;
}

static enum cs_status
ds(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   uint32_t padded[MAX_PADDED_DW];
   pad(padded, dw, n);
   GEN9_3DSTATE_DS_unpack(padded, &cs->hw->state.ds);
   return CS_CONTINUE;
}

static enum cs_status
gs(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN8_3DSTATE_GS c;
   struct GEN9_3DSTATE_GS *to = &cs->hw->state.gs;
   GEN8_3DSTATE_GS_unpack(dw, &c);
   GEN9_3DSTATE_GS_unpack(dw, to);
   to->MaximumNumberofThreads = c.MaximumNumberofThreads;
   to->DispatchGRFStartRegisterForURBData54 = 0;
   return CS_CONTINUE;
}

static enum cs_status
ps(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN8_3DSTATE_PS c;
   GEN8_3DSTATE_PS_unpack(dw, &c);
   GEN9_3DSTATE_PS_unpack(dw, &cs->hw->state.ps);
   cs->hw->state.ps.RenderTargetResolveType =
      c.RenderTargetResolveEnable ? RESOLVE_FULL : RESOLVE_DISABLED;
   return CS_CONTINUE;
}

static enum cs_status
ps_extra(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN8_3DSTATE_PS_EXTRA c;
   GEN8_3DSTATE_PS_EXTRA_unpack(dw, &c);
   GEN9_3DSTATE_PS_EXTRA_unpack(dw, &cs->hw->state.ps_extra);
   cs->hw->state.ps_extra.InputCoverageMaskState =
      c.PixelShaderUsesInputCoverageMask ? ICMS_NORMAL : ICMS_NONE;
   return CS_CONTINUE;
}

/* One enable for both planes. */
static enum cs_status
raster(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN8_3DSTATE_RASTER c;
   struct GEN9_3DSTATE_RASTER *to = &cs->hw->state.raster;
   GEN8_3DSTATE_RASTER_unpack(dw, &c);
   GEN9_3DSTATE_RASTER_unpack(dw, to);
   to->ViewportZNearClipTestEnable = c.ViewportZClipTestEnable;
   to->ViewportZFarClipTestEnable = c.ViewportZClipTestEnable;
   return CS_CONTINUE;
}

/* All components of every attribute are there. */
static enum cs_status
sbe(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   uint32_t padded[MAX_PADDED_DW];
   pad(padded, dw, n);
   padded[4] = padded[5] = UINT32_MAX;
   GEN9_3DSTATE_SBE_unpack(padded, &cs->hw->state.sbe);
   return CS_CONTINUE;
}

static enum cs_status
sf(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN8_3DSTATE_SF c;
   GEN8_3DSTATE_SF_unpack(dw, &c);
   GEN9_3DSTATE_SF_unpack(dw, &cs->hw->state.sf);
   cs->hw->state.sf.LineWidth = c.LineWidth;
   return CS_CONTINUE;
}

/* The reference values are in COLOR_CALC_STATE: below. */
static enum cs_status
wm_depth_stencil(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   uint32_t padded[MAX_PADDED_DW];
   pad(padded, dw, n);
   GEN9_3DSTATE_WM_DEPTH_STENCIL_unpack(padded,
                                        &cs->hw->state.wm_depth_stencil);
   return CS_CONTINUE;
}

/* Stencil reference values move to the depth and stencil state. */
bool
cs_gen8_before_draw(struct sim_cs *cs)
{
   struct sim_render_state *s = &cs->hw->state;
   uint32_t dw[GEN8_COLOR_CALC_STATE_length];
   struct GEN8_COLOR_CALC_STATE c;
   if (!s->cc_state_pointers.ColorCalcStatePointerValid)
      return true;
   const uint64_t at = s->base.dynamic +
                       s->cc_state_pointers.ColorCalcStatePointer;
   if (!sim_mem_read(&cs->mem, dw, at, sizeof(dw))) {
      cs_mem_fault(cs);
      return false;
   }
   GEN8_COLOR_CALC_STATE_unpack(dw, &c);
   s->wm_depth_stencil.StencilReferenceValue = c.StencilReferenceValue;
   s->wm_depth_stencil.BackfaceStencilReferenceValue =
      c.BackfaceStencilReferenceValue;
   return true;
}

const struct cs_entry cs_gen8_commands[] = {
   { GEN8_STATE_BASE_ADDRESS_opcode, state_base_address },
   { GEN8_PIPELINE_SELECT_opcode, pipeline_select },
   { GEN8_3DSTATE_DS_opcode, ds },
   { GEN8_3DSTATE_GS_opcode, gs },
   { GEN8_3DSTATE_PS_opcode, ps },
   { GEN8_3DSTATE_PS_EXTRA_opcode, ps_extra },
   { GEN8_3DSTATE_RASTER_opcode, raster },
   { GEN8_3DSTATE_SBE_opcode, sbe },
   { GEN8_3DSTATE_SF_opcode, sf },
   { GEN8_3DSTATE_WM_DEPTH_STENCIL_opcode, wm_depth_stencil },
   { 0, NULL },
};
