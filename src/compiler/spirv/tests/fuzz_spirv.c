/* SPDX-License-Identifier: MIT */
/*
 * Mutated modules must be translated or refused: no crash, no hang, nothing
 * that the sanitizers find. A mutation changes a few words of a good module:
 * a bit, a word taken from elsewhere, an id, a small number; or it cuts the
 * module, or takes out, doubles or swaps instructions.
 *
 * usage: fuzz_spirv [-t SECONDS] [-n MUTATIONS] [-s SEED] MODULE.spv...
 * Without -n it ends after SECONDS (2). Prints the seed and what came of it.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "compiler/spirv/tests/spirv_run.h"

struct module {
   uint32_t *words;
   size_t n;
};

static uint64_t state;

static uint32_t
rnd(uint32_t below)
{
   /* xorshift64*: Vigna, 2016 */
   state ^= state >> 12;
   state ^= state << 25;
   state ^= state >> 27;
   return (uint32_t)((state * 0x2545f4914f6cdd1dull) >> 32) %
          MAX2(below, 1u);
}

static bool
read_module(struct arena *arena, const char *path, struct module *m)
{
   FILE *f = fopen(path, "rb");

   if (!f)
      return false;
   m->words = arena_new_array(arena, uint32_t, 1 << 16);
   m->n = fread(m->words, 4, 1 << 16, f);
   fclose(f);
   return m->n > 5;
}

/* The start of a random instruction. */
static size_t
instruction(const uint32_t *w, size_t n)
{
   const size_t goal = rnd((uint32_t)n);
   size_t i = 5;

   while (i < n) {
      const unsigned count = w[i] >> 16;
      if (count == 0 || count > n - i || i + count > goal)
         break;
      i += count;
   }
   return MIN2(i, n - 1);
}

static size_t
mutate(uint32_t *w, size_t n)
{
   const size_t at = instruction(w, n);
   const size_t count = MIN2(MAX2(w[at] >> 16, 1u), n - at);
   const size_t k = at + rnd((uint32_t)count);

   switch (rnd(9)) {
   case 0:
      w[k] ^= 1u << rnd(32);
      return n;
   case 1:
      w[k] = w[rnd((uint32_t)n)];
      return n;
   case 2:
   case 3:
      w[k] = 1 + rnd(w[3]);
      return n;
   case 4:
      w[k] = rnd(40);
      return n;
   case 5:
      w[at] = (w[at] & 0xffff0000u) | rnd(420);
      return n;
   case 6:
      return rnd(8) ? n : at;
   case 7:
      memmove(w + at, w + at + count, (n - at - count) * 4);
      return n - count;
   default: {
      const size_t other = instruction(w, n);
      if (w[other] >> 16 == count && other + count <= n)
         memcpy(w + at, w + other, count * 4);
      return n;
   }
   }
}

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
   unsigned long limit = 0, i, kinds[3] = {0};
   struct arena *arena = arena_create(NULL);
   struct module modules[64];
   uint32_t *work = arena_new_array(arena, uint32_t, 1 << 16);
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
      if (!read_module(arena, argv[a], &modules[num++])) {
         fprintf(stderr, "cannot read %s\n", argv[a]);
         return 2;
      }
   }
   if (!num) {
      fprintf(stderr, "usage: fuzz_spirv [-t S] [-n N] [-s SEED] MODULE...\n");
      return 2;
   }
   start = now();
   for (i = 0; limit ? i < limit : now() - start < seconds; i++) {
      const struct module *m = &modules[i % num];
      struct spirv_error err;
      size_t n = m->n;
      state = (seed << 32) + i + 1;
      memcpy(work, m->words, n * 4);
      for (unsigned k = rnd(3) + 1; k && n > 6; k--)
         n = mutate(work, n);
      spirv_run(work, n, NULL, &err);
      kinds[err.kind]++;
   }
   printf("seed %llu: %lu mutations, %lu translated, %lu invalid, "
          "%lu unsupported\n", (unsigned long long)seed, i, kinds[0],
          kinds[1], kinds[2]);
   arena_destroy(arena);
   return 0;
}
