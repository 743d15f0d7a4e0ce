/* SPDX-License-Identifier: MIT */
/* The order of the vector back end's passes. */
#include "vec4_compile.h"

#include "intel/compiler/fs/fs_compile.h"
#include "vec4_nir.h"

VEC4_PASSES(EU_OPTIONAL_PASS, EU_REQUIRED_PASS)

static void
optimize(struct eu_shader *s)
{
   static const struct eu_pass *const passes[] = {
      &pass_vec4_opt_copy_propagation,
      &pass_fs_opt_cse,
      &pass_fs_opt_saturate_propagation,
      &pass_vec4_opt_merge_moves,
      &pass_vec4_opt_dead_code,
      &pass_vec4_opt_coalesce,
      &pass_vec4_opt_flags,
      &pass_fs_opt_dead_code,
   };

   eu_run_rounds(s, passes, ARRAY_SIZE(passes));
   eu_run(s, &pass_vec4_opt_repeated);
   eu_run(s, &pass_fs_opt_float_controls);
}

bool
vec4_compile(struct eu_shader *s, struct eu_binary *out)
{
   s->simd4x2 = true;
   vec4_emit_nir(s);
   eu_after(s, "emission", s->debug & INTEL_DEBUG_OPTIMIZER);
   optimize(s);
   eu_run(s, &pass_eu_assign_payload_registers);
   eu_run(s, &pass_fs_lower_misc);
   eu_run(s, &pass_fs_lower_mul);
   eu_run(s, &pass_fs_lower_64bit);
   eu_run(s, &pass_vec4_lower_operands);
   fs_lower_operands(s);
   eu_run(s, &pass_fs_lower_64bit);
   /* Last: no pass may change a region of doubles after it. */
   eu_run(s, &pass_vec4_lower_double_swizzles);
   eu_run(s, &pass_vec4_opt_immediates);
   return fs_finish(s, out);
}
