/* SPDX-License-Identifier: MIT */
/*
 * The functions of gen_control_flow.py: NIR, interpreted, against the host's
 * C compiler; as translated and after lowering. Each argument is the same
 * shader in another dress (glslang's output, spirv-opt's, ...).
 */
#include <stdio.h>
#include "compiler/nir/nir_interp.h"
#include "compiler/spirv/tests/spirv_run.h"

typedef int (*flow_function)(int x, int y);
extern const flow_function flow_functions[];
extern const unsigned num_flow_functions;

#define LANES 64u

static nir_interp_slot inputs[LANES][NIR_INTERP_SLOTS];
static nir_interp_slot outputs[LANES][NIR_INTERP_SLOTS];

static unsigned
compare(nir_shader *nir, const char *what, unsigned function)
{
   struct arena *arena = arena_create(NULL);
   struct nir_interp_params p = {
      .num_lanes = LANES,
      .inputs = &inputs[0][0],
      .outputs = &outputs[0][0],
      .max_steps = 10000000,
   };
   unsigned failures = 0;
   const char *fault;

   for (unsigned lane = 0; lane < LANES; lane++) {
      uint32_t *in = inputs[lane][VARYING_SLOT_VAR0];
      in[0] = lane * 7 - 100;
      in[1] = (lane & 15) * 3 - 8;
      in[2] = function;
   }
   memset(outputs, 0, sizeof(outputs));
   fault = nir_interp_run(nir, &p, arena);
   if (fault) {
      printf("%s: function %u: %s\n", what, function, fault);
      arena_destroy(arena);
      return 1;
   }
   for (unsigned lane = 0; lane < LANES; lane++) {
      const uint32_t *in = inputs[lane][VARYING_SLOT_VAR0];
      const int want = flow_functions[function]((int)in[0], (int)in[1]);
      const int got = (int)outputs[lane][FRAG_RESULT_DATA0][0];
      if (got != want && failures++ < 4)
         printf("%s: f%u(%d, %d) is %d, not %d\n", what, function, (int)in[0],
                (int)in[1], want, got);
   }
   arena_destroy(arena);
   return failures;
}

static unsigned
run_module(const char *path)
{
   static uint32_t words[1 << 20];
   FILE *f = fopen(path, "rb");
   struct spirv_error err;
   unsigned failures = 0;
   nir_shader *nir;
   size_t n;

   if (!f) {
      printf("cannot read %s\n", path);
      return 1;
   }
   n = fread(words, 4, ARRAY_SIZE(words), f);
   fclose(f);
   nir = spirv_to_nir(words, n, NULL, 0, MESA_SHADER_FRAGMENT, "main", NULL,
                      &err);
   if (!nir) {
      printf("%s at %zu: %s\n", path, err.word_offset, err.message);
      return 1;
   }
   nir_validate_shader(nir, "spirv_to_nir");
   for (unsigned i = 0; i < num_flow_functions; i++)
      failures += compare(nir, path, i);
   spirv_run_lowering(nir);
   for (unsigned i = 0; i < num_flow_functions; i++)
      failures += compare(nir, "lowered", i);
   nir_shader_destroy(nir);
   return failures;
}

int
main(int argc, char **argv)
{
   unsigned failures = 0;

   for (int i = 1; i < argc; i++)
      failures += run_module(argv[i]);
   printf("%u functions, %d modules, %u failures\n", num_flow_functions,
          argc - 1, failures);
   return failures || argc < 2;
}
