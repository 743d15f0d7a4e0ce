/* SPDX-License-Identifier: MIT */
#include "strict_text.h"

#include <stdlib.h>
#include <string.h>

#include "intel/genxml/genxml_bits.h"
#include "util/unit_test.h"

static const struct {
   const char *name;
   uint32_t bits;
} pc_words[] = {
   { "depth", 1 << 0 },    { "scoreboard", 1 << 1 },
   { "state", 1 << 2 },    { "constant", 1 << 3 },
   { "vf", 1 << 4 },       { "data", 1 << 5 },
   { "notify", 1 << 8 },   { "pointers", 1 << 9 },
   { "texture", 1 << 10 }, { "code", 1 << 11 },
   { "target", 1 << 12 },  { "stalldepth", 1 << 13 },
   { "write", 1 << 14 },   { "count", 2 << 14 },
   { "time", 3 << 14 },    { "clear", 1 << 16 },
   { "tlb", 1 << 18 },     { "snapshot", 1 << 19 },
   { "cs", 1 << 20 },      { "index", 1 << 21 },
   { "lri", 1 << 23 },     { "ggtt", 1 << 24 },
   { "llc", 1 << 26 },     { "null", 0 },
};

/* Where post-sync operations write: DATA of sim_batch.h. */
#define PC_ADDRESS 0x200000u

uint32_t
strict_pc_bits(const char *word)
{
   for (unsigned i = 0; i < sizeof(pc_words) / sizeof(pc_words[0]); i++) {
      if (!strcmp(pc_words[i].name, word))
         return pc_words[i].bits;
   }
   fail_msg("PC %s", word);
   return 0;
}

static void
set_word(const struct genxml_group *g, bool pc, const char *word,
         uint32_t *dw)
{
   const char *equals = strchr(word, '=');
   if (pc && !equals) {
      dw[1] |= strict_pc_bits(word);
      return;
   }
   if (!equals)
      fail_msg("%s %s", g->name, word);
   const uint64_t value = strtoull(equals + 1, NULL, 0);
   if (word[0] == 'a' && word[1] == 't') {
      dw[atoi(word + 2)] = (uint32_t)value;
      dw[atoi(word + 2) + 1] = (uint32_t)(value >> 32);
      return;
   }
   if (word[0] == 'd' && word[1] == 'w') {
      dw[atoi(word + 2)] |= (uint32_t)value;
      return;
   }
   char name[64] = { 0 };
   memcpy(name, word, (size_t)(equals - word));
   const struct genxml_field *f = genxml_find_field(g, name);
   if (!f)
      fail_msg("%s has no %s", g->name, name);
   const unsigned hi = f->lo + f->bits - 1u;
   if (f->kind == GENXML_ADDRESS || f->kind == GENXML_OFFSET)
      genxml_set_offset(dw, f->lo, hi, value);
   else
      genxml_set_uint(dw, f->lo, hi, value);
}

static unsigned
command(const struct genxml_spec *spec, char *text, uint32_t *dw,
        unsigned room)
{
   char *rest, *word = strtok_r(text, " \n", &rest);
   if (!word)
      return 0;
   const bool pc = !strcmp(word, "PC");
   const struct genxml_group *g =
      genxml_find(spec, pc ? "PIPE_CONTROL" : word);
   if (!g)
      fail_msg("no command %s", word);
   unsigned n = g->dwords;
   char *words[32];
   unsigned num_words = 0;
   while ((word = strtok_r(NULL, " \n", &rest))) {
      if (!strncmp(word, "length=", 7))
         n = (unsigned)atoi(word + 7);
      else
         words[num_words++] = word;
   }
   assert_true(n <= room && num_words <= 32);
   memset(dw, 0, n * sizeof(*dw));
   dw[0] = g->opcode;
   if (g->length_bits)
      dw[0] |= (n - g->length_bias) << g->length_lo;
   for (unsigned i = 0; i < num_words; i++)
      set_word(g, pc, words[i], dw);
   if (pc && !dw[2] && (dw[1] >> 14 & 3))
      dw[2] = PC_ADDRESS;
   return n;
}

unsigned
strict_text(const struct genxml_spec *spec, const char *text, uint32_t *dw,
            unsigned room)
{
   char *copy = strdup(text), *rest;
   unsigned n = 0;
   for (char *line = strtok_r(copy, ";", &rest); line;
        line = strtok_r(NULL, ";", &rest))
      n += command(spec, line, dw + n, room - n);
   free(copy);
   return n;
}
