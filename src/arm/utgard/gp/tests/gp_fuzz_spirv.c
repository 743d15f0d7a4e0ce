/* SPDX-License-Identifier: MIT */
/*
 * gp_fuzz_spirv COUNT SEED FILE...: damaged modules are compiled or refused;
 * the words of what is compiled keep the rules. Made to run with sanitizers.
 */
#include <stdio.h>

#include "arm/utgard/gp/gp_compiler.h"
#include "arm/utgard/isa/gp_check.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "compiler/spirv/tests/spirv_mutate.h"

enum outcome { REFUSED_BY_FRONT_END, REFUSED, COMPILED, WRONG, OUTCOMES };

static enum outcome
compile(const uint32_t *words, size_t n)
{
   struct arena *arena = arena_create(NULL);
   const struct spirv_to_nir_options opts = { .parent = arena,
                                              .nir = &gpc_nir_options };
   const struct gpc_options options = { .effort = 1 };
   enum outcome outcome = REFUSED_BY_FRONT_END;
   struct spirv_error err = { 0 };
   nir_shader *nir = spirv_to_nir(words, n, NULL, 0, MESA_SHADER_VERTEX,
                                  "main", &opts, &err);

   if (nir) {
      const struct gpc_program *p = gpc_compile(arena, nir, &options);
      const struct gp_check_options check = {
         .first_temp = p->first_temp,
         .known = p->literals,
         .known_first = p->first_literal,
         .known_count = p->num_literals,
      };
      if (p->error)
         outcome = REFUSED;
      else
         outcome = gp_check_program(p->instrs, p->count, &check, NULL, 0)
                      ? WRONG
                      : COMPILED;
   }
   arena_destroy(arena);
   return outcome;
}

int
main(int argc, char **argv)
{
   struct arena *arena = arena_create(NULL);
   struct spirv_module_words modules[64];
   unsigned long counts[OUTCOMES] = { 0 };
   unsigned num = 0;

   for (int i = 3; i < argc && num < ARRAY_SIZE(modules); i++) {
      if (!spirv_read_module(arena, argv[i], &modules[num++])) {
         fprintf(stderr, "cannot read %s\n", argv[i]);
         return 2;
      }
   }
   if (!num) {
      fprintf(stderr, "usage: gp_fuzz_spirv COUNT SEED FILE...\n");
      return 2;
   }
   uint32_t *work = arena_new_array(arena, uint32_t, SPIRV_MUTATE_MAX_WORDS);
   const unsigned long count = strtoul(argv[1], NULL, 10);
   const uint64_t seed = strtoull(argv[2], NULL, 10);
   for (unsigned long i = 0; i < count; i++) {
      const struct spirv_module_words *m = &modules[i % num];
      memcpy(work, m->words, m->n * 4);
      const size_t n = spirv_mutate(work, m->n, (seed << 32) + i + 1);
      const enum outcome outcome = compile(work, n);
      if (outcome == WRONG)
         printf("mutation %lu of %s breaks a rule\n", i, argv[3 + i % num]);
      counts[outcome]++;
   }
   printf("%lu refused by the front end, %lu by the compiler, %lu compiled, "
          "%lu wrong\n",
          counts[REFUSED_BY_FRONT_END], counts[REFUSED], counts[COMPILED],
          counts[WRONG]);
   arena_destroy(arena);
   return counts[WRONG] != 0;
}
