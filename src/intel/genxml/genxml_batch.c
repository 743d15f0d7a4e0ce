/* SPDX-License-Identifier: MIT */
#include "genxml_batch.h"

static void
print_raw(struct strbuf *out, const uint32_t *dw, unsigned n)
{
   for (unsigned i = 0; i < n; i++)
      strbuf_printf(out, "%s%08x%s", i % 8 ? " " : "    ", dw[i],
                    i % 8 == 7 || i + 1 == n ? "\n" : "");
}

/* Whether the walk ends behind this command. */
static bool
ends_batch(const struct genxml_group *g, const uint32_t *dw)
{
   if (strcmp(g->name, "MI_BATCH_BUFFER_END") == 0)
      return true;
   if (strcmp(g->name, "MI_BATCH_BUFFER_START") != 0)
      return false;
   const struct genxml_field *second =
      genxml_find_field(g, "SecondLevelBatchBuffer");
   return !second || genxml_field_raw(second, 0, dw) == 0;
}

unsigned
genxml_print_batch(struct strbuf *out, const struct genxml_spec *spec,
                   const uint32_t *dw, unsigned num_dw, uint64_t address,
                   bool color)
{
   const char *const bold = color ? "\033[1m" : "";
   const char *const plain = color ? "\033[0m" : "";
   unsigned faults = 0;
   for (unsigned at = 0; at < num_dw;) {
      const struct genxml_group *g = genxml_find_command(spec, dw[at]);
      unsigned n = g ? genxml_command_dwords(g, dw[at])
                     : genxml_unknown_command_dwords(dw[at]);
      strbuf_printf(out, "0x%012llx:  0x%08x:  %s%s%s\n",
                    (unsigned long long)address + 4ull * at, dw[at], bold,
                    g ? g->name : "unknown command", plain);
      if (n == 0 || n > num_dw - at) {
         strbuf_printf(out, "    %s; %u dwords are left\n",
                       n ? "runs past the end of the batch"
                         : "of a reserved type", num_dw - at);
         faults++;
         n = n ? num_dw - at : 1;
         print_raw(out, &dw[at], n);
      } else if (g) {
         genxml_print_fields(out, g, &dw[at], n, 4);
         if (ends_batch(g, &dw[at]))
            break;
      } else {
         print_raw(out, &dw[at], n);
         faults++;
      }
      at += n;
   }
   return faults;
}
