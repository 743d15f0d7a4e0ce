/* SPDX-License-Identifier: MIT */
/*
 * What the rules need to know of each chip, a GT2: entries of the URB (PRM
 * Vol. 4 "Configurations", Vol. 2a "3DSTATE_URB_x"), divisions of L3 that it
 * was validated with (PRM BDW and SKL Vol. 7, "L3 Allocation and
 * Programming"; the last row of each as NEO 22.43 has it; of Gen7 as in
 * Mesa's intel_l3_config.c).
 */
#include "strict_private.h"

#include "intel/sim/gen/traits.h"

static const struct strict_l3 l3_gen8[STRICT_L3_ROWS] = {
   { 0, 48, 48, 0, 0 },   { 0, 48, 0, 16, 32 },  { 0, 32, 0, 16, 48 },
   { 0, 32, 0, 0, 64 },   { 0, 32, 64, 0, 0 },   { 24, 16, 48, 0, 0 },
   { 24, 16, 0, 16, 32 }, { 24, 16, 0, 32, 16 }, { 24, 16, 0, 0, 48 },
};

static const struct strict_l3 l3_gen9[STRICT_L3_ROWS] = {
   { 0, 48, 48, 0, 0 },   { 0, 48, 0, 16, 32 },  { 0, 32, 0, 16, 48 },
   { 0, 32, 0, 0, 64 },   { 0, 32, 64, 0, 0 },   { 32, 16, 48, 0, 0 },
   { 32, 16, 0, 16, 32 }, { 32, 16, 0, 32, 16 }, { 32, 16, 0, 0, 48 },
};

/* Haswell's, too. */
const struct strict_l3_gen7 strict_l3_gen7[STRICT_L3_GEN7_ROWS] = {
   { 0, 32, 0, 32, 0, 0, 0 },  { 0, 32, 16, 16, 0, 0, 0 },
   { 0, 32, 4, 0, 8, 4, 16 },  { 0, 32, 0, 0, 16, 0, 16 },
   { 0, 28, 4, 32, 0, 0, 0 },  { 0, 28, 8, 0, 8, 4, 16 },
   { 0, 28, 16, 0, 8, 4, 8 },  { 0, 28, 8, 0, 16, 4, 8 },
   { 0, 28, 0, 0, 16, 4, 16 }, { 16, 16, 16, 16, 0, 0, 0 },
   { 16, 16, 0, 32, 0, 0, 0 }, { 16, 16, 8, 0, 8, 8, 8 },
   { 16, 16, 4, 0, 8, 4, 16 }, { 16, 16, 4, 0, 16, 4, 8 },
};

static const struct strict_chip chips[ISA_GEN_COUNT] = {
   [ISA_IVB] = {
      .gen = STRICT_GEN7,
      .waits_for_ps_allocation = true,
      .min_vs = 32, .min_ds = 10,
      .max_vertex_pitch_B = 2048,
      .max_entries = { 704, 64, 448, 320 },
   },
   [ISA_HSW] = {
      .gen = STRICT_GEN75,
      .loads_sync = true,
      .min_vs = 64, .min_ds = 10,
      .max_vertex_pitch_B = 2048,
      .max_entries = { 1664, 128, 960, 640 },
   },
   [ISA_BDW] = {
      .gen = STRICT_GEN8,
      .has_raster_packets = true,
      .min_vs = 64, .min_ds = 34,
      .max_vertex_pitch_B = 2048,
      .max_entries = { 2560, 504, 1536, 960 },
      .l3 = l3_gen8,
      .max_psd_threads = 62,
   },
   [ISA_SKL] = {
      .gen = STRICT_GEN9,
      .has_raster_packets = true,
      .selects_by_mask = true,
      .sync_invalidates_tlb = true,
      .has_cs_chicken = true,
      .min_vs = 64, .min_ds = 34,
      .max_vertex_pitch_B = 4095,
      .max_entries = { 1856, 672, 1120, 640 },
      .l3 = l3_gen9,
      .max_psd_threads = 63,
   },
};

const struct strict_chip *
strict_chip_of(unsigned verx10)
{
   return &chips[isa_gen_from_number(verx10)];
}
