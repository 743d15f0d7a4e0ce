/* SPDX-License-Identifier: MIT */
/* The order of the scalar back end's passes. */
#include "fs_compile.h"

#include "intel/compiler/fs/from_nir/fs_nir.h"

static void
after_pass(struct eu_shader *s, const char *name, bool changed)
{
#ifdef NDEBUG
   if (s->debug & INTEL_DEBUG_VALIDATE)
#endif
      eu_validate(s, name);
   if (changed && (s->debug & INTEL_DEBUG_OPTIMIZER)) {
      fprintf(s->log, "-- after %s (SIMD%u)\n", name, s->dispatch_width);
      eu_print(s, s->log);
   }
}

#define PASS(pass)                                                           \
   do {                                                                      \
      const bool changed_ = pass(s);                                         \
      after_pass(s, #pass, changed_);                                        \
      progress |= changed_;                                                  \
   } while (0)

static void
optimize(struct eu_shader *s)
{
   bool progress;
   unsigned rounds = 0;

   if (s->debug & INTEL_DEBUG_NOOPT)
      return;
   do {
      progress = false;
      PASS(fs_opt_algebraic);
      PASS(fs_opt_copy_propagation);
      PASS(fs_opt_cse);
      PASS(fs_opt_cmod_propagation);
      PASS(fs_opt_saturate_propagation);
      PASS(fs_opt_dead_code);
      PASS(fs_opt_register_coalesce);
   } while (progress && ++rounds < 10);
}

static void
lower(struct eu_shader *s)
{
   bool progress = false;

   PASS(fs_lower_misc);
   /* Each may make work for the other: a wider stride, a wider operand. */
   do {
      progress = false;
      PASS(fs_lower_regioning);
      PASS(fs_lower_simd_width);
   } while (progress);
   if (!(s->debug & INTEL_DEBUG_NOOPT)) {
      PASS(fs_opt_cse);
      PASS(fs_opt_copy_propagation);
      PASS(fs_opt_dead_code);
      PASS(fs_opt_register_coalesce);
      do {
         progress = false;
         PASS(fs_lower_regioning);
         PASS(fs_lower_simd_width);
      } while (progress);
   }
}

static void
setup(struct eu_shader *s)
{
   switch (s->stage) {
   case MESA_SHADER_VERTEX: fs_setup_vs(s); break;
   case MESA_SHADER_TESS_CTRL: fs_setup_tcs(s); break;
   case MESA_SHADER_TESS_EVAL: fs_setup_tes(s); break;
   case MESA_SHADER_GEOMETRY: fs_setup_gs(s); break;
   case MESA_SHADER_FRAGMENT: fs_setup_fs(s); break;
   case MESA_SHADER_COMPUTE: fs_setup_cs(s); break;
   default: eu_fail(s, "no back end for this stage"); break;
   }
}

bool
fs_compile(struct eu_shader *s, struct eu_binary *out)
{
   setup(s);
   if (!s->failed)
      fs_emit_nir(s);
   if (s->failed)
      return false;
   after_pass(s, "emission", true);

   optimize(s);
   fs_assign_payload_registers(s);
   if (s->failed)
      return false;
   after_pass(s, "payload registers", true);
   lower(s);
   if (s->failed)
      return false;

   const bool schedule =
      !(s->debug & (INTEL_DEBUG_NOSCHED | INTEL_DEBUG_NOOPT));
   if (schedule) {
      eu_schedule(s, false);
      after_pass(s, "scheduling", true);
   }
   if (!eu_allocate_registers(s))
      return false;
   after_pass(s, "register allocation", true);
   if (schedule) {
      eu_schedule(s, true);
      after_pass(s, "scheduling after allocation", true);
   }
   s->cycles = eu_estimate_cycles(s);
   return eu_generate(s, out);
}
