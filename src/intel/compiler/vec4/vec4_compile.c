/* SPDX-License-Identifier: MIT */
/* The order of the vector back end's passes. */
#include "vec4_compile.h"

#include "intel/compiler/fs/fs_compile.h"
#include "vec4_nir.h"

static bool
run(struct eu_shader *s, enum fs_pass pass)
{
   return eu_run_pass(s, fs_passes, pass);
}

static void
lower_operands(struct eu_shader *s)
{
   bool progress = true;

   while (progress) {
      progress = run(s, FS_PASS_LOWER_REGIONING);
      progress |= run(s, FS_PASS_LOWER_SIMD_WIDTH);
   }
}

static void
optimize(struct eu_shader *s)
{
   bool progress = true;

   for (unsigned rounds = 0; progress && rounds < 10; rounds++) {
      progress = run(s, FS_PASS_VEC4_OPT_COPY_PROPAGATION);
      progress |= run(s, FS_PASS_VEC4_OPT_DEAD_CODE);
      progress |= run(s, FS_PASS_VEC4_OPT_COALESCE);
      progress |= run(s, FS_PASS_VEC4_OPT_FLAGS);
      progress |= run(s, FS_PASS_OPT_DEAD_CODE);
   }
}

bool
vec4_compile(struct eu_shader *s, struct eu_binary *out)
{
   s->simd4x2 = true;
   vec4_emit_nir(s);
   eu_after(s, "emission", s->debug & INTEL_DEBUG_OPTIMIZER);
   optimize(s);
   run(s, FS_PASS_ASSIGN_PAYLOAD_REGISTERS);
   run(s, FS_PASS_LOWER_MISC);
   run(s, FS_PASS_LOWER_MUL);
   run(s, FS_PASS_LOWER_64BIT);
   run(s, FS_PASS_VEC4_LOWER_OPERANDS);
   lower_operands(s);
   run(s, FS_PASS_LOWER_64BIT);
   /* Last: no pass may change a region of doubles after it. */
   run(s, FS_PASS_VEC4_LOWER_DOUBLES);
   if (!(s->debug & INTEL_DEBUG_NOSCHED))
      run(s, FS_PASS_SCHEDULE);
   run(s, FS_PASS_ALLOCATE_REGISTERS);
   if (!(s->debug & INTEL_DEBUG_NOSCHED))
      run(s, FS_PASS_SCHEDULE_ALLOCATED);
   if (s->failed)
      return false;
   s->cycles = eu_estimate_cycles(s);
   return eu_generate(s, out);
}
