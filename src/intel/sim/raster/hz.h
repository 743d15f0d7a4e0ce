/* SPDX-License-Identifier: MIT */
#ifndef SIM_HZ_H
#define SIM_HZ_H

#include "intel/sim/gpu/render_state.h"

/* Performs the operation of draw->state->wm_hz_op on the depth and stencil
 * buffers of that state; draw->faulted says whether it failed. */
void sim_hz_op(struct sim_draw *draw);

struct sim_raster;

/* Gen7: whether rectangles stand for an operation, and the operation on the
 * pixels x0 to x1, y0 to y1 (not included) of the current layer. */
bool sim_hz_by_rectangle(const struct sim_raster *r);
void sim_hz_rectangle(struct sim_raster *r, int x0, int y0, int x1, int y1);

#endif
