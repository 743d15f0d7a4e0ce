/* SPDX-License-Identifier: MIT */
#include "intel_debug.h"

#include <pthread.h>
#include "fs/fs_compile.h"
#include "util/environment.h"
#include "util/strbuf.h"
#include "vec4/vec4_compile.h"

/* Bits above the flags: passes to leave out, by their place here. The highest
 * bit: some are printed. */
#define PASS(f) &pass_##f,
static const struct eu_pass *const passes[] = { FS_PASSES(PASS, PASS)
                                                   VEC4_PASSES(PASS, PASS)
                                                      EU_PASSES(PASS, PASS) };

#define FIRST_PASS_BIT 24
#define SKIPS (INTEL_DEBUG_PRINT_PASSES - (1ull << FIRST_PASS_BIT))

static_assert(FIRST_PASS_BIT + ARRAY_SIZE(passes) <= 63,
              "a bit for each pass");

static uint64_t printed; /* a bit for each pass */

static const struct {
   const char *name;
   uint32_t flag;
   const char *help;
} flags[] = {
   { "vs", INTEL_DEBUG_VS, "NIR and assembly of vertex shaders" },
   { "fs", INTEL_DEBUG_FS, "NIR and assembly of fragment shaders" },
   { "tcs", INTEL_DEBUG_TCS,
     "NIR and assembly of tessellation control shaders" },
   { "tes", INTEL_DEBUG_TES,
     "NIR and assembly of tessellation evaluation shaders" },
   { "gs", INTEL_DEBUG_GS, "NIR and assembly of geometry shaders" },
   { "cs", INTEL_DEBUG_CS, "NIR and assembly of compute shaders" },
   { "hex", INTEL_DEBUG_HEX, "bytes beside the assembly" },
   { "optimizer", INTEL_DEBUG_OPTIMIZER,
     "back-end IR after each pass that changed it" },
   { "bat", INTEL_DEBUG_BATCH, "decoded batches" },
   { "no8", INTEL_DEBUG_NO8, "no SIMD8 fragment shaders" },
   { "no16", INTEL_DEBUG_NO16, "no SIMD16 fragment shaders" },
   { "spill", INTEL_DEBUG_SPILL, "spill every register that can be" },
   { "nocompact", INTEL_DEBUG_NOCOMPACT, "no compacted instructions" },
   { "near", INTEL_DEBUG_NEAR,
     "jumps reach 200 instructions, where a chip has a limit" },
   { "noopt", INTEL_DEBUG_NOOPT, "skip optional back-end passes" },
   { "sync", INTEL_DEBUG_SYNC, "wait after each submission" },
   { "nopush", INTEL_DEBUG_NOPUSH, "pull constants of uniform blocks" },
   { "nosched", INTEL_DEBUG_NOSCHED, "no instruction scheduling" },
   { "nodualobj", INTEL_DEBUG_NODUALOBJ,
     "SIMD4x2 geometry shaders take one primitive a thread" },
   { "nohiz", INTEL_DEBUG_NOHIZ, "no hierarchical depth buffers" },
   { "nomcs", INTEL_DEBUG_NOMCS, "no multisample control surfaces" },
   { "noccs", INTEL_DEBUG_NOCCS,
     "no control surfaces of single-sampled colour, nor its fast clears" },
   { "nofc", INTEL_DEBUG_NOFC, "no fast clears of colour" },
   { "validate", INTEL_DEBUG_VALIDATE,
     "validate the back-end IR also in release builds" },
};

const struct eu_pass *
intel_debug_pass(const char *name, size_t n)
{
   for (unsigned i = 0; i < ARRAY_SIZE(passes); i++) {
      if (strlen(passes[i]->name) == n && !strncmp(passes[i]->name, name, n))
         return passes[i];
   }
   return NULL;
}

static unsigned
place_of(const struct eu_pass *pass)
{
   unsigned i = 0;
   while (passes[i] != pass)
      i++;
   return i;
}

/* The bits of one word, 0: unknown. */
static uint64_t
flag_of(const char *word, size_t n)
{
   for (unsigned i = 0; i < ARRAY_SIZE(flags); i++) {
      if (strlen(flags[i].name) == n && !strncmp(flags[i].name, word, n))
         return flags[i].flag;
   }
   const bool skip = n > 5 && !strncmp(word, "skip:", 5);
   if (!skip && (n <= 6 || strncmp(word, "print:", 6)))
      return 0;
   const size_t prefix = skip ? 5 : 6;
   const struct eu_pass *pass = intel_debug_pass(word + prefix, n - prefix);
   if (!pass)
      return 0;
   const uint64_t bit = 1ull << place_of(pass);
   if (skip)
      return pass->optional ? bit << FIRST_PASS_BIT : 0;
   __atomic_fetch_or(&printed, bit, __ATOMIC_RELAXED);
   return INTEL_DEBUG_PRINT_PASSES;
}

bool
intel_debug_skips(uint64_t debug, const struct eu_pass *pass)
{
   return (debug & SKIPS) && debug >> (FIRST_PASS_BIT + place_of(pass)) & 1;
}

bool
intel_debug_prints(uint64_t debug, const struct eu_pass *pass)
{
   return (debug & INTEL_DEBUG_PRINT_PASSES) &&
          __atomic_load_n(&printed, __ATOMIC_RELAXED) >> place_of(pass) & 1;
}

uint64_t
intel_debug_parse(const char *list, char **unknown_out)
{
   struct strbuf unknown = { 0 };
   uint64_t result = 0;

   while (list && *list) {
      const size_t n = strcspn(list, ", ");
      const uint64_t flag = flag_of(list, n);

      result |= flag;
      if (n && !flag)
         strbuf_printf(&unknown, "%s%.*s", unknown.len ? "," : "", (int)n,
                       list);
      list += n;
      if (*list)
         list++;
   }
   if (unknown_out)
      *unknown_out = unknown.len ? strdup(unknown.s) : NULL;
   strbuf_fini(&unknown);
   return result;
}

void
intel_debug_print_help(FILE *fp)
{
   fprintf(fp, "INTEL_DEBUG takes a comma-separated list of:\n");
   for (unsigned i = 0; i < ARRAY_SIZE(flags); i++)
      fprintf(fp, "  %-10s %s\n", flags[i].name, flags[i].help);
   fprintf(fp, "  %-10s %s\n", "help", "this list");
   fprintf(fp, "and of skip:PASS, print:PASS; passes that cannot be skipped "
               "are in ():\n");
   for (unsigned i = 0; i < ARRAY_SIZE(passes); i++)
      fprintf(fp, passes[i]->optional ? "  %s\n" : "  (%s)\n",
              passes[i]->name);
}

static uint64_t env_flags;

static void
read_environment(void)
{
   const char *list = environment_get("INTEL_DEBUG");
   char *unknown = NULL;

   env_flags = intel_debug_parse(list, &unknown);
   if (!unknown)
      return;
   if (strcmp(unknown, "help"))
      fprintf(stderr, "INTEL_DEBUG: unknown: %s\n", unknown);
   intel_debug_print_help(stderr);
   free(unknown);
}

uint64_t
intel_debug_flags(void)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;

   pthread_once(&once, read_environment);
   return env_flags;
}
