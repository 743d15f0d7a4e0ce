/* SPDX-License-Identifier: MIT */
/*
 * What chips need beside what their manuals' packet descriptions say: one
 * table, one query. A work-around is a row of intel_workaround.c and a line
 * at the one place that carries it out.
 */
#ifndef INTEL_WORKAROUND_H
#define INTEL_WORKAROUND_H

#include "intel_device_info.h"

enum intel_workaround {
   /* PIPE_CONTROL */
   INTEL_WA_STALL_NEEDS_COMPANY,
   INTEL_WA_STALL_EVERY_FOURTH,
   INTEL_WA_DEPTH_STALL_ALONE,
   INTEL_WA_STALL_BEFORE_STATE_INVALIDATION,
   INTEL_WA_STALL_BEFORE_POST_SYNC_IN_GPGPU,
   INTEL_WA_NULL_BEFORE_VF_INVALIDATION,
   INTEL_WA_VF_INVALIDATION_WRITES,
   INTEL_WA_POINTERS_DISABLE_WRITES,
   INTEL_WA_STALL_IN_GPGPU,
   INTEL_WA_GT4_COUNTERS_STALL,
   INTEL_WA_LOAD_AFTER_END_OF_PIPE,
   INTEL_WA_VERTEX_CACHE_32_BITS,
   /* State */
   INTEL_WA_CC_STATE_BEFORE_SELECT,
   INTEL_WA_DUMMY_PRIMITIVE_AFTER_SELECT,
   INTEL_WA_VFE_STATE_BEFORE_3D,
   INTEL_WA_VFE_STATE_AFTER_SELECT,
   INTEL_WA_BARRIER_MODE_AFTER_SELECT,
   INTEL_WA_STALL_BEFORE_VS_STATE,
   INTEL_WA_STALL_AFTER_PUSH_ALLOC,
   INTEL_WA_STALL_ON_GS_CHANGE,
   INTEL_WA_DEPTH_STALLS_BEFORE_BUFFERS,
   INTEL_WA_STALL_BEFORE_LOADS,
   INTEL_WA_NO_FAN_PATCH_RESTART,
   INTEL_WA_TESS_FACTORS_INTERFERE,
   INTEL_WA_TESS_URB_ENTRIES,
   INTEL_WA_EQUAL_DEPTH_IS_NOT_WRITTEN,
   INTEL_WA_CC_STATE_ENDS_BATCH,
   INTEL_WA_NO_VERTEX_CACHE_FOR_PATCHES,
   INTEL_WA_UNTYPED_IS_RAW,
   INTEL_WA_MSC_RAW_HAZARD,
   /* Counters */
   INTEL_WA_PS_INVOCATIONS_BY_FOUR,
   INTEL_WORKAROUNDS,
};

struct intel_workaround_info {
   const char *name;
   uint8_t first_verx10, last_verx10;
   uint8_t gts; /* bit n: GTn */
   const char *symptom, *cure, *source;
   uint16_t chips; /* bits 1 << enum intel_chip; 0: all of them */
};

extern const struct intel_workaround_info
   intel_workarounds[INTEL_WORKAROUNDS];

static inline bool
intel_needs_workaround(const struct intel_device_info *info,
                       enum intel_workaround w)
{
   const struct intel_workaround_info *i = &intel_workarounds[w];
   return info->verx10 >= i->first_verx10 && info->verx10 <= i->last_verx10 &&
          (i->gts & 1u << info->gt) &&
          (!i->chips || (i->chips & 1u << info->chip));
}

#endif
