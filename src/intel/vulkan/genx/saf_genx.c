/* SPDX-License-Identifier: MIT */
/* Which per-generation back end serves a device. */
#include "saf_genx.h"

const struct saf_genx *
saf_genx_get(const struct intel_device_info *info)
{
   return info->verx10 == 90 ? &gen9_genx : NULL;
}

unsigned
saf_genx_index(const struct intel_device_info *info)
{
   assert(info->verx10 == 90 && "no other back end");
   return 0;
}
