/* SPDX-License-Identifier: MIT */
/* The layout of vertex URB entries: see intel_vue_map. */
#include "intel/compiler/intel_compiler.h"

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

   /* The clipper finds distances right after the position (PRM SKL vol 7,
    * VUE formats). */
   if (slots_valid & (VARYING_BIT(CLIP_DIST0) | VARYING_BIT(CLIP_DIST1)))
      assign(map, VARYING_SLOT_CLIP_DIST0);
   if (slots_valid & VARYING_BIT(CLIP_DIST1))
      assign(map, VARYING_SLOT_CLIP_DIST1);

   uint64_t rest = slots_valid &
                   ~(INTEL_VUE_HEADER_BITS | VARYING_BIT(POS) |
                     VARYING_BIT(CLIP_DIST0) | VARYING_BIT(CLIP_DIST1));
   while (rest)
      assign(map, (unsigned)u_bit_scan64(&rest));
}

void
intel_compute_patch_map(struct intel_patch_map *map, uint64_t vertex_valid,
                        uint64_t patch_valid)
{
   /* The factors are in the header. */
   vertex_valid &=
      ~(VARYING_BIT(TESS_LEVEL_OUTER) | VARYING_BIT(TESS_LEVEL_INNER));
   memset(map->varying_to_slot, -1, sizeof(map->varying_to_slot));
   map->vertex_valid = vertex_valid;
   map->patch_valid = patch_valid;
   map->varying_to_slot[VARYING_SLOT_TESS_LEVEL_INNER] = 0;
   map->varying_to_slot[VARYING_SLOT_TESS_LEVEL_OUTER] = 1;
   map->num_patch_slots = 2;
   while (patch_valid)
      map->varying_to_slot[VARYING_SLOT_PATCH0 + u_bit_scan64(&patch_valid)] =
         (int8_t)map->num_patch_slots++;
   map->num_vertex_slots = 0;
   while (vertex_valid)
      map->varying_to_slot[u_bit_scan64(&vertex_valid)] =
         (int8_t)map->num_vertex_slots++;
}

const struct intel_vue_outputs *
intel_vue_outputs(gl_shader_stage stage,
                  const struct intel_stage_prog_data *prog_data)
{
   const void *pd = prog_data;

   switch (stage) {
   case MESA_SHADER_VERTEX:
      return &((const struct intel_vs_prog_data *)pd)->out;
   case MESA_SHADER_TESS_EVAL:
      return &((const struct intel_tes_prog_data *)pd)->out;
   case MESA_SHADER_GEOMETRY:
      return &((const struct intel_gs_prog_data *)pd)->out;
   default: unreachable("no stage before the clipper");
   }
}
