/* SPDX-License-Identifier: MIT */
/* The layout of vertex URB entries: see intel_vue_map. */
#include "intel_compiler.h"

/* These three share the header slot. */
#define HEADER_BITS (VARYING_BIT(PSIZ) | VARYING_BIT(LAYER) |                \
                     VARYING_BIT(VIEWPORT))

static void
assign(struct intel_vue_map *map, unsigned varying)
{
   assert(map->num_slots < INTEL_VUE_MAX_SLOTS);
   map->varying_to_slot[varying] = (int8_t)map->num_slots;
   map->slot_to_varying[map->num_slots++] = (int8_t)varying;
}

void
intel_compute_vue_map(struct intel_vue_map *map, uint64_t slots_valid)
{
   memset(map->varying_to_slot, -1, sizeof(map->varying_to_slot));
   memset(map->slot_to_varying, -1, sizeof(map->slot_to_varying));
   map->num_slots = 0;
   map->slots_valid = slots_valid;

   assign(map, VARYING_SLOT_PSIZ);
   map->varying_to_slot[VARYING_SLOT_LAYER] = 0;
   map->varying_to_slot[VARYING_SLOT_VIEWPORT] = 0;
   assign(map, VARYING_SLOT_POS);

   /* The clipper finds distances right behind the position (PRM SKL vol 7,
    * VUE formats). */
   if (slots_valid & (VARYING_BIT(CLIP_DIST0) | VARYING_BIT(CLIP_DIST1)))
      assign(map, VARYING_SLOT_CLIP_DIST0);
   if (slots_valid & VARYING_BIT(CLIP_DIST1))
      assign(map, VARYING_SLOT_CLIP_DIST1);

   uint64_t rest = slots_valid &
                   ~(HEADER_BITS | VARYING_BIT(POS) |
                     VARYING_BIT(CLIP_DIST0) | VARYING_BIT(CLIP_DIST1));
   while (rest)
      assign(map, (unsigned)u_bit_scan64(&rest));
}
