/* SPDX-License-Identifier: MIT */
/*
 * What the rules need to know of each chip, a GT2: entries of the URB (PRM
 * Vol. 4 "Configurations", Vol. 2a "3DSTATE_URB_x"), divisions of L3 that it
 * was validated with (PRM BDW and SKL Vol. 7, "L3 Allocation and
 * Programming"; the last row of each as NEO 22.43 has it; of Gen7 as in
 * Mesa's intel_l3_config.c).
 */
#include "strict_private.h"

#include "intel/dev/intel_device_info.h"
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
static const struct strict_l3_gen7 l3_gen7[STRICT_L3_GEN7_ROWS] = {
   { 0, 32, 0, 32, 0, 0, 0 },  { 0, 32, 16, 16, 0, 0, 0 },
   { 0, 32, 4, 0, 8, 4, 16 },  { 0, 32, 0, 0, 16, 0, 16 },
   { 0, 28, 4, 32, 0, 0, 0 },  { 0, 28, 8, 0, 8, 4, 16 },
   { 0, 28, 16, 0, 8, 4, 8 },  { 0, 28, 8, 0, 16, 4, 8 },
   { 0, 28, 0, 0, 16, 4, 16 }, { 16, 16, 16, 16, 0, 0, 0 },
   { 16, 16, 0, 32, 0, 0, 0 }, { 16, 16, 8, 0, 8, 8, 8 },
   { 16, 16, 4, 0, 8, 4, 16 }, { 16, 16, 4, 0, 16, 4, 8 },
};

/* Ways of the URB with those that the register does not count. Rows that are
 * not used repeat the first. */
static const struct strict_l3_gen7 l3_bay_trail[STRICT_L3_GEN7_ROWS] = {
   { 0, 64, 0, 32, 0, 0, 0 },  { 0, 80, 0, 16, 0, 0, 0 },
   { 0, 80, 8, 8, 0, 0, 0 },   { 0, 64, 16, 16, 0, 0, 0 },
   { 0, 60, 4, 32, 0, 0, 0 },  { 32, 32, 16, 16, 0, 0, 0 },
   { 32, 40, 8, 16, 0, 0, 0 }, { 32, 40, 16, 8, 0, 0, 0 },
   { 0, 64, 0, 32, 0, 0, 0 },  { 0, 64, 0, 32, 0, 0, 0 },
   { 0, 64, 0, 32, 0, 0, 0 },  { 0, 64, 0, 32, 0, 0, 0 },
   { 0, 64, 0, 32, 0, 0, 0 },  { 0, 64, 0, 32, 0, 0, 0 },
};

/* Of Gen9 with one bank. */
static const struct strict_l3 l3_one_bank[STRICT_L3_ROWS] = {
   { 0, 32, 48, 0, 0 },  { 0, 32, 0, 8, 40 },  { 0, 32, 0, 32, 16 },
   { 16, 16, 48, 0, 0 }, { 16, 16, 0, 40, 8 }, { 16, 16, 0, 16, 32 },
   { 16, 16, 48, 0, 0 }, { 16, 16, 48, 0, 0 }, { 16, 16, 48, 0, 0 },
};

#define SKYLAKE                                                              \
   .gen = STRICT_GEN9, .has_raster_packets = true, .selects_by_mask = true,  \
   .sync_invalidates_tlb = true, .has_cs_chicken = true, .min_ds = 34,       \
   .max_vertex_pitch_B = 4095, .max_psd_threads = 63

/* Those that are no sizes of a generation's chip. Bay Trail has not what
 * CO-17 and CO-19 are about (Mesa's i965 leaves both out there). */
static const struct strict_chip bay_trail = {
   .gen = STRICT_GEN7,
   .min_vs = 32,
   .min_ds = 10,
   .max_vertex_pitch_B = 2048,
   .max_entries = { 512, 32, 288, 192 },
   .l3_gen7 = l3_bay_trail,
   .hidden_urb_ways = 32,
};
static const struct strict_chip cherryview = {
   .gen = STRICT_GEN8,
   .has_raster_packets = true,
   .min_vs = 34,
   .min_ds = 34,
   .max_vertex_pitch_B = 2048,
   .max_entries = { 640, 80, 384, 256 },
   .l3 = l3_gen9, /* as Mesa's chv_l3_configs */
   .max_psd_threads = 62,
};
static const struct strict_chip low_power = {
   SKYLAKE,
   .min_vs = 34,
   .max_entries = { 704, 256, 416, 256 },
   .l3 = l3_gen9,
};
static const struct strict_chip low_power_one_bank = {
   SKYLAKE,
   .min_vs = 34,
   .max_entries = { 352, 128, 208, 128 },
   .l3 = l3_one_bank,
};

static const struct strict_chip chips[ISA_GEN_COUNT] = {
   [ISA_IVB] = {
      .gen = STRICT_GEN7,
      .waits_for_ps_allocation = true,
      .vs_wants_stall = true,
      .min_vs = 32, .min_ds = 10,
      .max_vertex_pitch_B = 2048,
      .max_entries = { 704, 64, 448, 320 },
      .l3_gen7 = l3_gen7,
   },
   [ISA_HSW] = {
      .gen = STRICT_GEN75,
      .loads_sync = true,
      .min_vs = 64, .min_ds = 10,
      .max_vertex_pitch_B = 2048,
      .max_entries = { 1664, 128, 960, 640 },
      .l3_gen7 = l3_gen7,
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
      SKYLAKE,
      .min_vs = 64,
      .max_entries = { 1856, 672, 1120, 640 },
      .l3 = l3_gen9,
   },
};

const struct strict_chip *
strict_chip_of(const struct intel_device_info *info)
{
   if (info->chip == INTEL_CHIP_BYT)
      return &bay_trail;
   if (info->chip == INTEL_CHIP_CHV)
      return &cherryview;
   if (info->eu.qwords_stay)
      return info->l3_banks == 1 ? &low_power_one_bank : &low_power;
   return &chips[isa_gen_from_number(info->verx10)];
}
