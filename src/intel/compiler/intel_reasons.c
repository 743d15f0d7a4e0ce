/* SPDX-License-Identifier: MIT */
#include "intel_reasons.h"

#include <stdarg.h>

#include "util/strbuf.h"

const char *
intel_reason_name(enum intel_reason_kind kind)
{
   static const char *const names[INTEL_REASON_COUNT] = {
      [INTEL_REASON_WIDTH] = "width",
      [INTEL_REASON_SPILL] = "spill",
      [INTEL_REASON_PULL] = "pull",
      [INTEL_REASON_MERGE] = "merge",
   };
   return names[kind];
}

void
intel_reason_add(struct intel_reasons *r, enum intel_reason_kind kind,
                 const char *fmt, ...)
{
   if (r->count == INTEL_MAX_REASONS)
      return;
   char *text = r->text[r->count];
   va_list ap;

   va_start(ap, fmt);
   vsnprintf(text, sizeof(r->text[0]), fmt, ap);
   va_end(ap);
   for (uint32_t i = 0; i < r->count; i++) {
      if (r->list[i].kind == kind && !strcmp(r->text[i], text))
         return;
   }
   r->list[r->count++].kind = kind;
}

void
intel_reason_add_merge(void *data, const char *text)
{
   intel_reason_add(data, INTEL_REASON_MERGE, "%s", text);
}

const struct intel_reason *
intel_reasons_copy(const struct intel_reasons *r, struct arena *arena)
{
   struct intel_reason *copy =
      arena_new_array(arena, struct intel_reason, MAX2(1, r->count));

   for (uint32_t i = 0; i < r->count; i++)
      copy[i] = (struct intel_reason) {
         .kind = r->list[i].kind,
         .text = arena_strdup(arena, r->text[i]),
      };
   return copy;
}

void
intel_reasons_print(const struct intel_reasons *r, const char *stage,
                    FILE *log)
{
   struct strbuf text = { 0 };

   /* In one piece: other threads may print, too. */
   strbuf_printf(&text, "Reasons for %s shader:\n", stage);
   for (uint32_t i = 0; i < r->count; i++)
      strbuf_printf(&text, "  %s: %s\n", intel_reason_name(r->list[i].kind),
                    r->text[i]);
   fputs(strbuf_str(&text), log);
   strbuf_fini(&text);
}
