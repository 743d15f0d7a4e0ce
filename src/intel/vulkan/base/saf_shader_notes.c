/* SPDX-License-Identifier: MIT */
#include "saf_shader_notes.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#include "compiler/nir/nir.h"
#include "intel/compiler/intel_compiler.h"
#include "util/environment.h"
#include "util/strbuf.h"

static const char head[] = "Native code for";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *
file_name(void)
{
   return environment_get("SAFFRON_SHADER_NOTES");
}

bool
saf_shader_notes_wanted(void)
{
   return file_name() != NULL;
}

static uint64_t
hash_code(const uint8_t *code, uint32_t size_B)
{
   uint64_t h = 0xcbf29ce484222325ull;
   for (uint32_t i = 0; i < size_B; i++)
      h = (h ^ code[i]) * 0x100000001b3ull;
   return h;
}

/* The part of a width, which begins a line; NULL: there are no more. */
static const char *
next_part(const char *p)
{
   while (p && strncmp(p, head, sizeof(head) - 1)) {
      p = strchr(p, '\n');
      p = p ? p + 1 : NULL;
   }
   return p;
}

static void
note_width(const nir_shader *nir, const struct intel_shader *bin, unsigned i,
           const char *part, size_t part_B, struct strbuf *out)
{
   const struct intel_profile *p = &bin->profile[i];
   const uint8_t *code = (const uint8_t *)bin->code + p->offset_B;
   strbuf_printf(out, "shader %016" PRIx64 " %u %u %u %zu\n",
                 hash_code(code, bin->stats[i].code_size_B), bin->stage,
                 bin->stats[i].dispatch_width, p->num_costs, part_B);
   for (uint32_t k = 0; k < p->num_costs; k++) {
      const struct intel_code_cost *c = &p->costs[k];
      const nir_location *at = c->location ? &nir->locations[c->location]
                                           : NULL;
      strbuf_printf(out, "%u %u ", c->offset_B, at ? at->line : 0);
      /* A name of a file may have anything in it but lines here. */
      for (const char *s = at ? at->file->name : ""; *s; s++)
         strbuf_printf(out, "%c", *s == '\n' ? ' ' : *s);
      strbuf_puts(out, "\n");
   }
   strbuf_printf(out, "%.*s\n", (int)part_B, part);
}

void
saf_shader_notes_add(const nir_shader *nir, const struct intel_shader *bin,
                     const char *listing)
{
   struct strbuf out = { 0 };
   const char *part = next_part(listing);
   for (unsigned i = 0; part && i < ARRAY_SIZE(bin->stats); i++) {
      if (!bin->stats[i].dispatch_width)
         continue;
      const char *end = next_part(part + 1);
      note_width(nir, bin, i, part, end ? (size_t)(end - part) : strlen(part),
                 &out);
      part = end;
   }
   pthread_mutex_lock(&lock);
   FILE *f = out.len ? fopen(file_name(), "abe") : NULL;
   if (f) {
      fwrite(out.s, 1, out.len, f);
      fclose(f);
   }
   pthread_mutex_unlock(&lock);
   strbuf_fini(&out);
}
