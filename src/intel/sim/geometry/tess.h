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

#include "intel/sim/compute/group.h"
#include "tessellator.h"

#define SIM_HS_PATCHES 8 /* that one thread takes in 8_PATCH mode */
#define SIM_HS_BATCH 256
#define SIM_PATCH_HEADER_DW 8
#define SIM_DS_PRIMS (2 * SIM_MAX_WINDOW)

/* A thread of the domain shader: points of one patch. */
struct ds_thread {
   uint16_t first, count; /* entries */
   uint16_t patch;
};

struct ds_prim {
   uint16_t entry[3];
   uint16_t vertices, patch;
};

struct front_tess {
   /* Hull shader. Patches wait until there are as many as entries, or
    * SIM_HS_BATCH; then patch i has entry i. */
   struct front_shader hs;
   struct front_region hs_region;
   unsigned instances;
   unsigned patches; /* that a thread takes: 1 or 8 */
   unsigned batch;   /* that wait at the most */
   struct front_object patch[SIM_HS_BATCH];
   unsigned num_patches; /* waiting */
   uint32_t patches_done;
   /* What the instances run in: for each host thread that has taken part. */
   unsigned num_groups;
   struct sim_thread_group *groups;
   struct sim_eu_thread *threads; /* of all groups */

   /* Tessellator. */
   struct sim_tess_state state;

   /* Domain shader. Entries are used up to `used`; a window is the part of a
    * patch that goes down the pipe at once. Threads and primitives wait until
    * the entries are used up, or the patches. */
   struct front_shader ds;
   struct front_region ds_region;
   unsigned used, num_threads, num_prims;
   uint32_t window;
   struct {
      uint16_t entry;
      uint32_t window; /* valid if it is the current one */
   } vertex[SIM_TESS_MAX_POINTS];

   /* From here on nothing is cleared when a draw begins. */
   struct sim_tess division;                    /* of one patch */
   struct sim_tess_point point[SIM_MAX_WINDOW]; /* of an entry */
   struct ds_thread thread[SIM_MAX_WINDOW];
   struct ds_prim prim[SIM_DS_PRIMS];
};

/* The tessellator and the domain shader for the patches, whose records are
 * there. */
bool sim_ds_patches(struct sim_front *f);

#endif
