/* SPDX-License-Identifier: MIT */
#ifndef SIM_HZ_H
#define SIM_HZ_H

#include "intel/sim/cs/render_state.h"

/* Performs the operation of draw->state->wm_hz_op on the depth and stencil
 * buffers of that state; draw->faulted says whether it failed. */
void sim_hz_op(struct sim_draw *draw);

#endif
