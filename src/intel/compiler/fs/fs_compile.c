/* SPDX-License-Identifier: MIT */
/* The order of the scalar back end's passes. */
#include "fs_compile.h"

#include "intel/compiler/fs/from_nir/fs_nir.h"

FS_PASSES(EU_OPTIONAL_PASS, EU_REQUIRED_PASS)

static void
optimize(struct eu_shader *s)
{
   static const struct eu_pass *const passes[] = {
      &pass_fs_opt_algebraic,
      &pass_fs_opt_copy_propagation,
      &pass_fs_opt_cse,
      &pass_fs_opt_cmod_propagation,
      &pass_fs_opt_saturate_propagation,
      &pass_fs_opt_dead_code,
      &pass_fs_opt_halt,
      &pass_fs_opt_share_payloads,
      &pass_fs_opt_register_coalesce,
   };

   eu_run_rounds(s, passes, ARRAY_SIZE(passes));
   eu_run(s, &pass_fs_opt_float_controls);
}

/* Each may make work for the other: a wider stride, a wider operand. */
void
fs_lower_operands(struct eu_shader *s)
{
   bool progress = true;

   while (progress) {
      progress = eu_run(s, &pass_fs_lower_regioning);
      progress |= eu_run(s, &pass_fs_lower_qwords);
      progress |= eu_run(s, &pass_fs_lower_simd_width);
   }
}

static void
lower(struct eu_shader *s)
{
   eu_run(s, &pass_fs_lower_misc);
   eu_run(s, &pass_fs_lower_mul);
   eu_run(s, &pass_fs_lower_64bit);
   fs_lower_operands(s);
   eu_run(s, &pass_fs_opt_cse);
   eu_run(s, &pass_fs_opt_copy_propagation);
   eu_run(s, &pass_fs_opt_dead_code);
   eu_run(s, &pass_fs_opt_register_coalesce);
   fs_lower_operands(s);
   eu_run(s, &pass_fs_opt_share_expansions);
   /* Copies that these passes made. */
   eu_run(s, &pass_fs_lower_64bit);
   if (eu_run(s, &pass_fs_split_64bit_moves))
      fs_lower_operands(s);
   s->no_int64 = !s->devinfo->has_64bit_int;
}

bool
fs_finish(struct eu_shader *s, struct eu_binary *out)
{
   if (!(s->debug & INTEL_DEBUG_NOSCHED)) {
      eu_run(s, &pass_eu_spread_flags);
      /* Of scalars that lay side by side some are wanted no more. */
      if (eu_run(s, &pass_eu_split_registers))
         eu_run(s, &pass_fs_opt_dead_code);
      eu_run(s, &pass_eu_schedule);
   }
   eu_run(s, &pass_fs_split_64bit_immediates);
   eu_run(s, &pass_eu_allocate_registers);
   if (!(s->debug & INTEL_DEBUG_NOSCHED))
      eu_run(s, &pass_eu_schedule_allocated);
   eu_run(s, &pass_fs_lower_rounding);
   if (s->failed)
      return false;
   eu_before(s, "encoding");
   eu_estimate_cycles(s);
   return eu_generate(s, out);
}

bool
fs_compile(struct eu_shader *s, struct eu_binary *out)
{
   fs_emit_nir(s);
   eu_after(s, "emission", s->debug & INTEL_DEBUG_OPTIMIZER);
   optimize(s);
   eu_run(s, &pass_eu_assign_payload_registers);
   lower(s);
   return fs_finish(s, out);
}
