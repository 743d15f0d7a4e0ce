/* SPDX-License-Identifier: MIT */
/*
 * Domain shading: not there yet.
 */
#include "front_private.h"

bool
sim_ds_prepare(struct sim_front *f)
{
   return true;
}
