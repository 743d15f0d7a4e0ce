/* SPDX-License-Identifier: MIT */
#include "compiler/spirv/tests/spirv_mutate.h"

#include <stdio.h>
#include <string.h>

#include "util/macros.h"

static uint64_t state;

static uint32_t
rnd(uint32_t below)
{
   /* xorshift64*: Vigna, 2016 */
   state ^= state >> 12;
   state ^= state << 25;
   state ^= state >> 27;
   return (uint32_t)((state * 0x2545f4914f6cdd1dull) >> 32) % MAX2(below, 1u);
}

bool
spirv_read_module(struct arena *arena, const char *path,
                  struct spirv_module_words *m)
{
   FILE *f = fopen(path, "rb");

   if (!f)
      return false;
   m->words = arena_new_array(arena, uint32_t, SPIRV_MUTATE_MAX_WORDS);
   m->n = fread(m->words, 4, SPIRV_MUTATE_MAX_WORDS, f);
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
   case 0: w[k] ^= 1u << rnd(32); return n;
   case 1: w[k] = w[rnd((uint32_t)n)]; return n;
   case 2:
   case 3: w[k] = 1 + rnd(w[3]); return n;
   case 4: w[k] = rnd(40); return n;
   case 5: w[at] = (w[at] & 0xffff0000u) | rnd(420); return n;
   case 6: return rnd(8) ? n : at;
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

size_t
spirv_mutate(uint32_t *words, size_t n, uint64_t seed)
{
   state = seed;
   for (unsigned k = rnd(3) + 1; k && n > 6; k--)
      n = mutate(words, n);
   return n;
}
