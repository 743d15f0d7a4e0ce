/* SPDX-License-Identifier: MIT */
/*
 * The front of the 3D pipe: vertex fetch, vertex shading, primitive
 * assembly, stream out and clip. It hands clipped primitives to
 * raster/raster.h.
 */
#ifndef SIM_FRONT_H
#define SIM_FRONT_H

#include "intel/sim/gpu/render_state.h"

/*
 * Runs a whole draw, whose fields are filled in. Faults end it early: see
 * draw->faulted.
 */
void sim_front_draw(struct sim_draw *draw);

#endif
