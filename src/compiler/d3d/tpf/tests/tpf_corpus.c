/* SPDX-License-Identifier: MIT */
#include "compiler/d3d/tpf/tests/tpf_corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tpf_corpus_entry tpf_corpus[TPF_CORPUS_MAX];
unsigned tpf_corpus_count;

static void
fail(const char *path, const char *what)
{
   fprintf(stderr, "%s: %s\n", path, what);
   exit(2);
}

void
tpf_corpus_read(const char *path)
{
   static char line[TPF_CORPUS_MAX_DW * 9 + 16];
   FILE *fp = fopen(path, "r");

   if (!fp)
      fail(path, "cannot be read");
   while (fgets(line, sizeof(line), fp)) {
      struct tpf_corpus_entry *e = &tpf_corpus[tpf_corpus_count];
      char *s = line, *end;
      if (line[0] == '/' || line[0] == '\n')
         continue;
      if (tpf_corpus_count == TPF_CORPUS_MAX)
         fail(path, "too many containers");
      e->words = calloc(TPF_CORPUS_MAX_DW, 4);
      for (;; s = end) {
         const unsigned long v = strtoul(s, &end, 16);
         if (end == s)
            break;
         if (e->num_dw == TPF_CORPUS_MAX_DW)
            fail(path, "a container is too long");
         e->words[e->num_dw++] = (uint32_t)v;
      }
      tpf_corpus_count++;
   }
   fclose(fp);
}
