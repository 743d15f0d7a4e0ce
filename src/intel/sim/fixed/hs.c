/* SPDX-License-Identifier: MIT */
/*
 * Hull shading: not there yet.
 */
#include "front_private.h"

bool
sim_hs_prepare(struct sim_front *f)
{
   const struct sim_render_state *s = f->state;
   const char *stage = s->hs.Enable     ? "3DSTATE_HS"
                       : s->te.TEEnable ? "3DSTATE_TE"
                       : s->ds.Enable   ? "3DSTATE_DS"
                                        : NULL;
   if (stage)
      sim_draw_fault(f->draw, "%s: the stage is not implemented", stage);
   return !stage;
}

bool
sim_hs_patch(struct sim_front *f, const struct front_object *patch)
{
   unreachable("hull shader");
}

bool
sim_hs_flush(struct sim_front *f)
{
   return true;
}

void
sim_hs_finish(struct sim_front *f)
{
}
