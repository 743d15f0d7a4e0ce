/* SPDX-License-Identifier: MIT */
/*
 * State of Gen7 and Gen7.5 that is not one packet of Gen9: kept as it came,
 * in the layout of Gen7.5, and translated before each draw.
 */
#ifndef SIM_STATE_GEN7_H
#define SIM_STATE_GEN7_H

#include "intel/genxml/gen75_pack.h"
#include "intel/sim/gpu/render_state.h"

struct cs_gen7_state {
   struct GEN75_3DSTATE_CLIP clip;
   struct GEN75_3DSTATE_SF sf;
   struct GEN75_3DSTATE_WM wm;
   struct GEN75_3DSTATE_PS ps;
   struct GEN75_3DSTATE_MULTISAMPLE multisample;
   struct GEN75_3DSTATE_DEPTH_BUFFER depth_buffer;
   struct GEN75_3DSTATE_STENCIL_BUFFER stencil_buffer;
   struct GEN75_3DSTATE_HIER_DEPTH_BUFFER hier_depth_buffer;
   uint32_t depth_clear_value;
   struct GEN75_3DSTATE_STREAMOUT streamout;
   struct GEN75_3DSTATE_SO_BUFFER so_buffer[SIM_MAX_SO_BUFFERS];
   struct GEN75_VERTEX_BUFFER_STATE vertex_buffer[SIM_MAX_VERTEX_BUFFERS];
   struct GEN75_3DSTATE_DEPTH_STENCIL_STATE_POINTERS depth_stencil;
   /* The three of a stage that are relative to the dynamic state are made
    * absolute at the draw. */
   struct GEN75_3DSTATE_CONSTANT_BODY constant_vs, constant_hs, constant_ds,
      constant_gs, constant_ps;
};

#endif
