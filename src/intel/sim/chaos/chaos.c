/* SPDX-License-Identifier: MIT */
/* See chaos.h. */
#include "chaos.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/environment.h"

static const struct {
   const char *name;
   enum sim_chaos_kind kind;
} words[] = {
   { "poison", SIM_CHAOS_POISON }, { "math", SIM_CHAOS_MATH },
   { "order", SIM_CHAOS_ORDER },   { "ids", SIM_CHAOS_IDS },
   { "places", SIM_CHAOS_PLACES }, { "cache", SIM_CHAOS_CACHE },
};

static unsigned
kind_of_word(const char *word, size_t length)
{
   for (unsigned i = 0; i < ARRAY_SIZE(words); i++) {
      if (strlen(words[i].name) == length &&
          !strncmp(words[i].name, word, length))
         return words[i].kind;
   }
   return 0;
}

/* The kinds of a list, or all but those that have a '-'; false if there is no
 * such word. */
static bool
parse_kinds(const char *list, unsigned *kinds)
{
   *kinds = *list == '-' ? SIM_CHAOS_ALL : 0;
   do {
      const bool without = *list == '-';
      list += without;
      const size_t n = strcspn(list, ",");
      const unsigned kind = kind_of_word(list, n);
      if (!kind)
         return false;
      *kinds = without ? *kinds & ~kind : *kinds | kind;
      list += n + (list[n] == ',');
   } while (*list);
   return true;
}

bool
sim_chaos_create(struct sim_chaos **chaos)
{
   const char *text = environment_get("SAFFRON_SIM_CHAOS");
   char *end = NULL;
   *chaos = NULL;
   if (!text || !*text)
      return true;
   const uint64_t seed = strtoull(text, &end, 0);
   unsigned kinds = SIM_CHAOS_ALL;
   if (end == text ||
       (*end && (*end != ':' || !parse_kinds(end + 1, &kinds)))) {
      fprintf(stderr,
              "saffron: no simulated GPU: SAFFRON_SIM_CHAOS is a seed, or "
              "SEED:KIND,KIND (or SEED:-KIND: all but that) with kinds "
              "poison, math, order, ids, places, cache; not '%s'\n",
              text);
      return false;
   }
   if (!kinds)
      return true;
   struct sim_chaos *c = calloc(1, sizeof(*c));
   if (!c)
      return false;
   c->seed = seed;
   c->state = seed;
   c->kinds = kinds;
   *chaos = c;
   return true;
}

void
sim_chaos_destroy(struct sim_chaos *c)
{
   free(c);
}

/* splitmix64. */
uint64_t
sim_chaos_mix(uint64_t x)
{
   x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
   x = (x ^ x >> 27) * 0x94d049bb133111ebull;
   return x ^ x >> 31;
}

uint64_t
sim_chaos_random(struct sim_chaos *c)
{
   c->state += 0x9e3779b97f4a7c15ull;
   return sim_chaos_mix(c->state);
}

/* Bits without a pattern, or one that shows: signaling and quiet NaNs, all
 * ones, large numbers. */
void
sim_chaos_poison(struct sim_chaos *c, void *p, size_t size_B)
{
   static const uint32_t patterns[] = { 0xffffffff, 0x7fa00001, 0xdeadbeef,
                                        0x4f7fffff };
   uint32_t *dw = p;
   if (!sim_chaos_has(c, SIM_CHAOS_POISON))
      return;
   const uint64_t which = sim_chaos_random(c);
   if (which & 4) {
      for (size_t i = 0; i < size_B / 4; i++)
         dw[i] = patterns[which & 3];
      return;
   }
   /* Four at a time, as all registers of each thread are drawn. */
   typedef uint32_t four __attribute__((vector_size(16)));
   const uint32_t odd = (uint32_t)(which >> 32) | 1;
   const uint32_t step = 0x9e3779b9u;
   four at = { 0, step, 2 * step, 3 * step };
   at += (uint32_t)which;
   uint8_t *to = p;
   for (; size_B; at += 4 * step) {
      four x = (at ^ at >> 15) * odd;
      x ^= x >> 13;
      if (size_B < sizeof(x)) {
         memcpy(to, &x, size_B);
         break;
      }
      memcpy(to, &x, sizeof(x));
      to += sizeof(x);
      size_B -= sizeof(x);
   }
}

struct sim_chaos_order
sim_chaos_order(struct sim_chaos *c, enum sim_chaos_kind kind, uint64_t n)
{
   if (!sim_chaos_has(c, kind) || n < 2)
      return (struct sim_chaos_order) { 0 };
   uint64_t step, a, b;
   do {
      step = a = 1 + sim_chaos_below(c, n - 1);
      for (b = n; b;) {
         const uint64_t rest = a % b;
         a = b;
         b = rest;
      }
   } while (a != 1);
   return (struct sim_chaos_order) { step, sim_chaos_below(c, n), n };
}
