/* SPDX-License-Identifier: MIT */
/* Sizes of a thread's scratch space that the hardware has a code for
 * (chip-rules RL-19): 1 KB to 2 MB in powers of two, but in compute shaders
 * of Gen7 1 to 12 KB in steps of 1 KB. */
#ifndef INTEL_SCRATCH_H
#define INTEL_SCRATCH_H

#include "intel_device_info.h"
#include "util/macros.h"

/* The smallest that holds so many bytes; 0: it would be too large. */
static inline uint32_t
intel_scratch_size_B(const struct intel_device_info *info, bool compute,
                     uint32_t need_B)
{
   const bool in_steps = compute && info->verx10 == 70;
   if (need_B > (in_steps ? 12u << 10 : 2u << 20))
      return 0;
   return in_steps ? ALIGN(need_B, 1024u)
                   : (uint32_t)util_next_power_of_two(MAX2(need_B, 1024u));
}

#endif
