/* SPDX-License-Identifier: MIT */
/* Hardware contexts: see gpu.h. */
#include "cs_private.h"

#include "intel/sim/eu/eu.h"
#include "intel/sim/gpu/strict.h"

struct sim_hw_context *
sim_hw_context_create(struct sim_gpu *gpu)
{
   struct sim_hw_context *hw = calloc(1, sizeof(*hw));
   if (!hw)
      return NULL;
   /* Vectors are loaded from it: aligned as a register. */
   hw->urb = aligned_alloc(64, SIM_URB_B);
   hw->programs =
      sim_eu_cache_create(gpu->info->verx10, gpu->info->eu.qwords_stay);
   hw->curbe = calloc(1, SIM_CURBE_B);
   if (gpu->strict)
      hw->strict = sim_strict_context_create();
   if (!hw->urb || !hw->programs || !hw->curbe ||
       (gpu->strict && !hw->strict)) {
      sim_hw_context_destroy(hw);
      return NULL;
   }
   memset(hw->urb, 0, SIM_URB_B);
   return hw;
}

void
sim_hw_context_destroy(struct sim_hw_context *hw)
{
   if (!hw)
      return;
   if (hw->programs)
      sim_eu_cache_destroy(hw->programs);
   free(hw->urb);
   free(hw->curbe);
   sim_strict_context_destroy(hw->strict);
   free(hw);
}

void
sim_hw_context_reset_so_offsets(struct sim_hw_context *hw)
{
   memset(hw->counters.so_write_offset, 0,
          sizeof(hw->counters.so_write_offset));
}
