/* SPDX-License-Identifier: MIT */
/* Which per-generation back end serves a device. */
#include "intel/vulkan/base/saf_genx.h"

#define ROW(gen, verx10) [INTEL_GEN_##verx10] = &gen##_genx,
static const struct saf_genx *const back_ends[INTEL_GENS] = { GENX_GENS(
   ROW) };
#undef ROW

/* In the order in which the tables of entry points are built. */
#define ROW(gen, verx10) POSITION_##verx10,
enum { GENX_GENS(ROW) };
#undef ROW
#define ROW(gen, verx10) [INTEL_GEN_##verx10] = POSITION_##verx10,
static const uint8_t positions[INTEL_GENS] = { GENX_GENS(ROW) };
#undef ROW

const struct saf_genx *
saf_genx_get(const struct intel_device_info *info)
{
   return back_ends[info->gen];
}

unsigned
saf_genx_index(const struct intel_device_info *info)
{
   assert(back_ends[info->gen] && "a device with a back end");
   return positions[info->gen];
}
