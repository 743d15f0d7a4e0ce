/* SPDX-License-Identifier: MIT */
#include "intel_debug.h"

#include <pthread.h>
#include "util/strbuf.h"

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
   { "noopt", INTEL_DEBUG_NOOPT, "skip optional back-end passes" },
   { "sync", INTEL_DEBUG_SYNC, "wait after each submission" },
   { "nopush", INTEL_DEBUG_NOPUSH, "pull constants of uniform blocks" },
   { "nosched", INTEL_DEBUG_NOSCHED, "no instruction scheduling" },
   { "validate", INTEL_DEBUG_VALIDATE,
     "validate the back-end IR also in release builds" },
};

uint32_t
intel_debug_parse(const char *list, char **unknown_out)
{
   struct strbuf unknown = { 0 };
   uint32_t result = 0;

   while (list && *list) {
      const size_t n = strcspn(list, ", ");
      bool found = n == 0;

      for (unsigned i = 0; i < ARRAY_SIZE(flags) && !found; i++) {
         if (strlen(flags[i].name) == n && !strncmp(flags[i].name, list, n)) {
            result |= flags[i].flag;
            found = true;
         }
      }
      if (!found)
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
}

static uint32_t env_flags;

static void
read_environment(void)
{
   const char *list = getenv("INTEL_DEBUG");
   char *unknown = NULL;

   env_flags = intel_debug_parse(list, &unknown);
   if (!unknown)
      return;
   if (strcmp(unknown, "help"))
      fprintf(stderr, "INTEL_DEBUG: unknown: %s\n", unknown);
   intel_debug_print_help(stderr);
   free(unknown);
}

uint32_t
intel_debug_flags(void)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;

   pthread_once(&once, read_environment);
   return env_flags;
}
