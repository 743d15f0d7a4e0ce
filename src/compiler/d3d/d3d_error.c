/* SPDX-License-Identifier: MIT */
#include "d3d_error.h"

#include <stdio.h>

bool
d3d_error_at(struct d3d_error *e, size_t offset_B, uint32_t token,
             const char *fmt, ...)
{
   va_list ap;

   if (!e)
      return false;
   *e = (struct d3d_error) { .offset_B = offset_B, .token = token };
   va_start(ap, fmt);
   vsnprintf(e->text, sizeof(e->text), fmt, ap);
   va_end(ap);
   return false;
}

bool
d3d_error_in_text(struct d3d_error *e, unsigned line, unsigned column,
                  const char *fmt, ...)
{
   va_list ap;

   if (!e)
      return false;
   *e = (struct d3d_error) { .line = line, .column = column };
   va_start(ap, fmt);
   vsnprintf(e->text, sizeof(e->text), fmt, ap);
   va_end(ap);
   return false;
}

const char *
d3d_error_text(const struct d3d_error *e, char *buf, size_t size)
{
   if (e->line)
      snprintf(buf, size, "%u:%u: %s", e->line, e->column, e->text);
   else
      snprintf(buf, size, "offset 0x%zx, token 0x%08x: %s", e->offset_B,
               e->token, e->text);
   return buf;
}
