/* SPDX-License-Identifier: MIT */
/*
 * kills.frag: an invocation that a function ends leaves the loops that the
 * function was called in. It went on there for the others of its quad, with
 * values that nothing had to leave the loop for.
 */
#include <stdio.h>
#include "compiler/nir/nir_interp.h"
#include "compiler/spirv/tests/spirv_run.h"

#define LANES 4

/* x is the number of the lane: those of 1 and 2 end. */
static unsigned
run(nir_shader *nir, const char *what)
{
   static nir_interp_slot inputs[LANES][NIR_INTERP_SLOTS];
   static nir_interp_slot outputs[LANES][NIR_INTERP_SLOTS];
   struct arena *arena = arena_create(NULL);
   struct nir_interp_params p = {
      .num_lanes = LANES,
      .inputs = &inputs[0][0],
      .outputs = &outputs[0][0],
      .max_steps = 100000,
   };
   unsigned failures = 0;
   const char *fault;

   for (unsigned lane = 0; lane < LANES; lane++)
      inputs[lane][VARYING_SLOT_VAR0][0] = lane;
   memset(outputs, 0, sizeof(outputs));
   fault = nir_interp_run(nir, &p, arena);
   if (fault) {
      printf("%s: %s\n", what, fault);
      failures++;
   } else if (p.killed != 6) {
      printf("%s: lanes 0x%llx have ended, not 0x6\n", what,
             (unsigned long long)p.killed);
      failures++;
   }
   for (unsigned lane = 0; !fault && lane < LANES; lane += 3) {
      const int got = (int)outputs[lane][FRAG_RESULT_DATA0][0];
      if (got == 5310)
         continue;
      printf("%s: lane %u has %d, not 5310\n", what, lane, got);
      failures++;
   }
   arena_destroy(arena);
   return failures;
}

int
main(int argc, char **argv)
{
   unsigned failures;
   nir_shader *nir = spirv_run_read(argc, argv);

   if (!nir)
      return 1;
   nir_validate_shader(nir, "spirv_to_nir");
   failures = run(nir, "translated");
   spirv_run_lowering(nir);
   failures += run(nir, "lowered");
   nir_shader_destroy(nir);
   return failures != 0;
}
