/* SPDX-License-Identifier: MIT */
/* What a context of the copy engine keeps between commands. */
#ifndef SIM_CS_BLT_H
#define SIM_CS_BLT_H

#include "intel/genxml/gen9_pack.h"

/* Of the engine's registers those that a batch may name: BCS_*. */
#define SIM_BCS_MMIO 0x22000
#define SIM_BCS_MMIO_B 0x1000

struct cs_blt_clip {
   int32_t x1, y1, x2, y2; /* x2 and y2 are outside */
};

struct cs_blt_state {
   struct cs_blt_clip clip;
   struct GEN9_XY_SETUP_BLT setup;
   bool has_setup; /* XY_SETUP_BLT was there */
   uint32_t mmio[SIM_BCS_MMIO_B / 4];
};

#endif
