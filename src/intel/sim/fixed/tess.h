/* SPDX-License-Identifier: MIT */
/*
 * What the hull and the domain shader stage share.
 *
 *   object (patch) -> [hs.c] patch record -> [tessellator.c] domain points
 *                  -> [ds.c] vertices, primitives
 *
 * A patch record is an entry of the hull shader's part of the URB: eight
 * dwords of header with the factors, then what the hull shader has for the
 * domain shader.
 */
#ifndef SIM_TESS_H
#define SIM_TESS_H

#include "front_private.h"

#include "intel/sim/fixed/group.h"
#include "intel/sim/fixed/tessellator.h"

#define SIM_HS_PATCHES 8 /* that one thread takes in 8_PATCH mode */
#define SIM_HS_INSTANCES 16
#define SIM_PATCH_HEADER_DW 8

struct front_tess {
   /* Hull shader. */
   struct front_shader hs;
   struct front_region hs_region;
   struct sim_thread_group group;
   struct sim_eu_thread *threads; /* of the group; SIM_HS_INSTANCES */
   unsigned patches;              /* that a thread takes: 1 or 8 */
   struct front_object patch[SIM_HS_PATCHES];
   unsigned num_patches; /* waiting */
   uint32_t patches_done;

   /* Tessellator. */
   struct sim_tess_state state;
   struct sim_tess division;

   /* Domain shader. Entries are used up to `used`; a window is the part of a
    * patch that goes down the pipe at once. */
   struct front_shader ds;
   struct front_region ds_region;
   uint32_t window;
   struct {
      uint16_t entry;
      uint32_t window; /* valid if it is the current one */
   } vertex[SIM_TESS_MAX_POINTS];
   uint16_t point[SIM_MAX_WINDOW]; /* of an entry */
   unsigned used;
};

/* The tessellator and the domain shader for one patch, whose record is
 * there. */
bool sim_ds_patch(struct sim_front *f, vue_ref record, uint32_t primitive_id);

#endif
