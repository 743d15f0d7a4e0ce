/* SPDX-License-Identifier: MIT */
#include "eu_pass.h"
#include "util/guard.h"

void
eu_after(struct eu_shader *s, const char *step, bool print)
{
   guard_step(step);
   if (s->failed)
      return;
#ifdef NDEBUG
   if (s->debug & INTEL_DEBUG_VALIDATE)
#endif
      eu_validate(s, step);
   if (print) {
      fprintf(s->log, "-- after %s (SIMD%u)\n", step, s->dispatch_width);
      eu_print(s, s->log);
   }
}

bool
eu_run_pass(struct eu_shader *s, const struct eu_pass *passes, unsigned index)
{
   const struct eu_pass *pass = &passes[index];

   if (s->failed)
      return false;
   if (pass->optional && ((s->debug & INTEL_DEBUG_NOOPT) ||
                          (s->debug & INTEL_DEBUG_SKIP_PASS(index))))
      return false;
   const bool changed = pass->run(s);
   eu_after(s, pass->name,
            ((s->debug & INTEL_DEBUG_PRINT_PASSES) &&
             intel_debug_prints_pass(index)) ||
               (changed && (s->debug & INTEL_DEBUG_OPTIMIZER)));
   return changed;
}
