/* SPDX-License-Identifier: MIT */
/*
 * Compute state of Gen7 and Gen7.5 in the shape of Gen9's (PRM HSW Vol. 2a
 * "GPGPU_WALKER", "MEDIA_VFE_STATE", Vol. 2b "INTERFACE_DESCRIPTOR_DATA";
 * IVB Vol. 2 part 2).
 */
#include "cs_private.h"
#include "gen75_to_gen9.h"

#include "intel/genxml/gen7_pack.h"
#include "intel/genxml/gen75_pack.h"

void
cs_gen7_unpack_walker(const uint32_t *dw, struct GEN9_GPGPU_WALKER *w)
{
   struct GEN75_GPGPU_WALKER c;
   GEN75_GPGPU_WALKER_unpack(dw, &c);
   GEN75_GPGPU_WALKER_to_GEN9_GPGPU_WALKER(w, &c);
   w->ThreadGroupIDStartingResumeZ = c.ThreadGroupIDStartingZ;
}

/* Ivybridge has no constants of the whole group. */
void
cs_gen7_unpack_descriptor(unsigned verx10, const uint32_t *dw,
                          struct GEN9_INTERFACE_DESCRIPTOR_DATA *d)
{
   struct GEN75_INTERFACE_DESCRIPTOR_DATA c;
   struct GEN7_INTERFACE_DESCRIPTOR_DATA ivb;
   GEN75_INTERFACE_DESCRIPTOR_DATA_unpack(dw, &c);
   GEN7_INTERFACE_DESCRIPTOR_DATA_unpack(dw, &ivb);
   GEN75_INTERFACE_DESCRIPTOR_DATA_to_GEN9_INTERFACE_DESCRIPTOR_DATA(d, &c);
   if (verx10 == 70) {
      d->ConstantURBEntryReadOffset = ivb.ConstantURBEntryReadOffset;
      d->CrossThreadConstantDataReadLength = 0;
   }
}

static enum cs_status
vfe_state(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_MEDIA_VFE_STATE c;
   GEN75_MEDIA_VFE_STATE_unpack(dw, &c);
   GEN75_MEDIA_VFE_STATE_to_GEN9_MEDIA_VFE_STATE(
      &cs->hw->state.media_vfe_state, &c);
   return CS_CONTINUE;
}

const struct cs_entry cs_gen7_compute_commands[] = {
   { GEN75_MEDIA_VFE_STATE_opcode, vfe_state },
   { 0, NULL },
};
