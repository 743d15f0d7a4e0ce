/* SPDX-License-Identifier: MIT */
/* The order of the vector back end's passes. */
#include "vec4_compile.h"

#include "intel/compiler/fs/fs_compile.h"
#include "vec4_nir.h"

static void
optimize(struct eu_shader *s)
{
   static const enum fs_pass passes[] = {
      FS_PASS_VEC4_OPT_COPY_PROPAGATION,
      FS_PASS_OPT_CSE,
      FS_PASS_OPT_SATURATE_PROPAGATION,
      FS_PASS_VEC4_OPT_DEAD_CODE,
      FS_PASS_VEC4_OPT_COALESCE,
      FS_PASS_VEC4_OPT_FLAGS,
      FS_PASS_OPT_DEAD_CODE,
   };

   fs_run_rounds(s, passes, ARRAY_SIZE(passes));
   fs_run(s, FS_PASS_VEC4_OPT_REPEATED);
   fs_run(s, FS_PASS_OPT_FLOAT_CONTROLS);
}

bool
vec4_compile(struct eu_shader *s, struct eu_binary *out)
{
   s->simd4x2 = true;
   vec4_emit_nir(s);
   eu_after(s, "emission", s->debug & INTEL_DEBUG_OPTIMIZER);
   optimize(s);
   fs_run(s, FS_PASS_ASSIGN_PAYLOAD_REGISTERS);
   fs_run(s, FS_PASS_LOWER_MISC);
   fs_run(s, FS_PASS_LOWER_MUL);
   fs_run(s, FS_PASS_LOWER_64BIT);
   fs_run(s, FS_PASS_VEC4_LOWER_OPERANDS);
   fs_lower_operands(s);
   fs_run(s, FS_PASS_LOWER_64BIT);
   /* Last: no pass may change a region of doubles after it. */
   fs_run(s, FS_PASS_VEC4_LOWER_DOUBLES);
   fs_run(s, FS_PASS_VEC4_OPT_IMMEDIATES);
   return fs_finish(s, out);
}
