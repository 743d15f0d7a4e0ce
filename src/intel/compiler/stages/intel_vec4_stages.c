/* SPDX-License-Identifier: MIT */
/* INTEL_SCALAR_STAGES: which stages become scalar code. */
#include <stdio.h>

#include "intel/compiler/intel_compiler_private.h"
#include "util/environment.h"

/*
 * Stages of which threads need not be SIMD4x2 on a device that has SIMD8
 * dispatch are scalar; INTEL_SCALAR_STAGES names those that are to be, the
 * others become SIMD4x2 code.
 */
static const struct {
   const char *name;
   uint32_t bit;
} stage_names[] = {
   { "vs", 1u << MESA_SHADER_VERTEX },
   { "tcs", 1u << MESA_SHADER_TESS_CTRL },
   { "tes", 1u << MESA_SHADER_TESS_EVAL },
   { "gs", 1u << MESA_SHADER_GEOMETRY },
};

/* 0: no stage has this name. */
static uint32_t
stage_named(const char *name, size_t length)
{
   for (unsigned i = 0; i < ARRAY_SIZE(stage_names); i++) {
      if (strlen(stage_names[i].name) == length &&
          !strncmp(name, stage_names[i].name, length))
         return stage_names[i].bit;
   }
   return 0;
}

uint32_t
intel_choose_vec4_stages(const struct intel_device_info *devinfo)
{
   const char *list = environment_get("INTEL_SCALAR_STAGES");
   uint32_t stages = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(stage_names); i++)
      stages |= stage_names[i].bit;
   if (!devinfo->has_scalar_geometry)
      return stages;
   if (!list)
      return 0;
   while (*list) {
      const size_t n = strcspn(list, ", ");
      const uint32_t stage = stage_named(list, n);

      if (n && !stage)
         fprintf(stderr,
                 "INTEL_SCALAR_STAGES: no stage '%.*s' (vs, tcs, "
                 "tes, gs)\n",
                 (int)n, list);
      stages &= ~stage;
      list += n;
      list += *list != 0;
   }
   return stages;
}
