/* SPDX-License-Identifier: MIT */
/*
 * RENDER_SURFACE_STATE of any generation as that of Gen9 (private to the
 * simulator's surface code).
 */
#ifndef SIM_SURFACE_STATE_H
#define SIM_SURFACE_STATE_H

#include "intel/genxml/gen9_pack.h"
#include "intel/sim/gen/traits.h"

/* Dwords of a surface state in memory. */
static inline unsigned
sim_surface_state_dwords(unsigned verx10)
{
   return sim_traits(verx10)->surface_state_dw;
}

/* An alignment that only Gen7 has, as a code that Gen9 reserves. */
#define SIM_VALIGN_2 0

/*
 * Fields that a generation lacks get the value that means what it does. Clear
 * colours of one bit become the colour's words.
 */
void sim_surface_state_unpack(unsigned verx10, const uint32_t *dw,
                              struct GEN9_RENDER_SURFACE_STATE *r);

/* Gen7, which has no QPitch: whether slices are spaced for level 0 only. */
bool sim_surface_state_lod0_spacing(const uint32_t *dw);

/* Haswell: whether colours of the border are integers (Integer Surface
 * Format). */
bool sim_surface_state_integer_border(const uint32_t *dw);

#endif
