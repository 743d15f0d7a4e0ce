/* SPDX-License-Identifier: MIT */
/* Which per-generation back end serves a device. */
#include "saf_genx.h"

#define ROW(gen, verx10) { verx10, &gen##_genx },
static const struct {
   unsigned verx10;
   const struct saf_genx *genx;
} back_ends[] = { GENX_GENS(ROW) };
#undef ROW

const struct saf_genx *
saf_genx_get(const struct intel_device_info *info)
{
   for (unsigned i = 0; i < ARRAY_SIZE(back_ends); i++) {
      if (back_ends[i].verx10 == info->verx10)
         return back_ends[i].genx;
   }
   return NULL;
}

/* Built, but not proven by what proves the others. */
static const char *const unfinished[] = { "ivb", "hsw" };

bool
saf_genx_is_finished(const struct intel_device_info *info)
{
   for (unsigned i = 0; i < ARRAY_SIZE(unfinished); i++) {
      if (strcmp(unfinished[i], info->gen_name) == 0)
         return false;
   }
   return true;
}

unsigned
saf_genx_index(const struct intel_device_info *info)
{
   unsigned i = 0;
   while (back_ends[i].verx10 != info->verx10) {
      i++;
      assert(i < ARRAY_SIZE(back_ends) && "a device with a back end");
   }
   return i;
}
