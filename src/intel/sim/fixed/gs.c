/* SPDX-License-Identifier: MIT */
/*
 * Geometry shading: not there yet.
 */
#include "front_private.h"

bool
sim_gs_prepare(struct sim_front *f)
{
   if (f->state->gs.Enable)
      sim_draw_fault(f->draw, "3DSTATE_GS: the stage is not implemented");
   return !f->state->gs.Enable;
}

bool
sim_gs_object(struct sim_front *f, const struct front_object *o)
{
   unreachable("geometry shader");
}

bool
sim_gs_flush(struct sim_front *f)
{
   return true;
}

void
sim_gs_finish(struct sim_front *f)
{
}
