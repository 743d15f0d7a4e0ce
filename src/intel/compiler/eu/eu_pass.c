/* SPDX-License-Identifier: MIT */
#include "eu_pass.h"

#include "util/guard.h"

EU_PASSES(EU_OPTIONAL_PASS, EU_REQUIRED_PASS)

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
eu_run(struct eu_shader *s, const struct eu_pass *pass)
{
   if (s->failed || (pass->optional && ((s->debug & INTEL_DEBUG_NOOPT) ||
                                        intel_debug_skips(s->debug, pass))))
      return false;
   const bool changed = pass->run(s);
   eu_after(s, pass->name,
            intel_debug_prints(s->debug, pass) ||
               (changed && (s->debug & INTEL_DEBUG_OPTIMIZER)));
   return changed;
}

void
eu_run_rounds(struct eu_shader *s, const struct eu_pass *const *passes,
              unsigned count)
{
   /* How often the shader has changed; and when each pass last found nothing
    * to do: until something else changes, it would find nothing again. */
   uint32_t changes = 1, before = 0, unchanged_since[16] = { 0 };

   assert(count <= ARRAY_SIZE(unchanged_since));
   for (unsigned rounds = 0; changes != before && rounds < 10; rounds++) {
      before = changes;
      for (unsigned i = 0; i < count; i++) {
         if (unchanged_since[i] == changes)
            continue;
         if (eu_run(s, passes[i]))
            changes++;
         else
            unchanged_since[i] = changes;
      }
   }
}
