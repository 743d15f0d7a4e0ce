/* SPDX-License-Identifier: MIT */
/*
 * Mutated modules must be translated or refused: no crash, no hang, nothing
 * that the sanitizers find.
 *
 * usage: fuzz_spirv [-t SECONDS] [-n MUTATIONS] [-s SEED] MODULE.spv...
 * Without -n it ends after SECONDS (2). Prints the seed and what came of it.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "compiler/spirv/tests/spirv_mutate.h"
#include "compiler/spirv/tests/spirv_run.h"

static double
now(void)
{
   struct timespec t;

   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int
main(int argc, char **argv)
{
   double seconds = 2, start;
   unsigned long limit = 0, i, kinds[3] = { 0 };
   struct arena *arena = arena_create(NULL);
   struct spirv_module_words modules[64];
   uint32_t *work = arena_new_array(arena, uint32_t, SPIRV_MUTATE_MAX_WORDS);
   unsigned num = 0;
   uint64_t seed = 1;
   int c;

   while ((c = getopt(argc, argv, "t:n:s:")) != -1) {
      switch (c) {
      case 't': seconds = atof(optarg); break;
      case 'n': limit = strtoul(optarg, NULL, 10); break;
      case 's': seed = strtoull(optarg, NULL, 10); break;
      default: return 2;
      }
   }
   for (int a = optind; a < argc && num < ARRAY_SIZE(modules); a++) {
      if (!spirv_read_module(arena, argv[a], &modules[num++])) {
         fprintf(stderr, "cannot read %s\n", argv[a]);
         return 2;
      }
   }
   if (!num) {
      fprintf(stderr,
              "usage: fuzz_spirv [-t S] [-n N] [-s SEED] MODULE...\n");
      return 2;
   }
   start = now();
   for (i = 0; limit ? i < limit : now() - start < seconds; i++) {
      const struct spirv_module_words *m = &modules[i % num];
      struct spirv_error err;
      size_t n = m->n;
      memcpy(work, m->words, n * 4);
      n = spirv_mutate(work, n, (seed << 32) + i + 1);
      spirv_run(work, n, NULL, &err);
      kinds[err.kind]++;
   }
   printf("seed %llu: %lu mutations, %lu translated, %lu invalid, "
          "%lu unsupported\n",
          (unsigned long long)seed, i, kinds[0], kinds[1], kinds[2]);
   arena_destroy(arena);
   return 0;
}
