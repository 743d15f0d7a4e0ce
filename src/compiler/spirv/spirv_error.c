/* SPDX-License-Identifier: MIT */
/* Errors end the translation: spirv_to_nir() is where they come out. */
#include <stdio.h>
#include "compiler/spirv/spirv_private.h"

static void
set_line(struct spv *s)
{
   const uint32_t i = spv_location(s, s->cur);

   if (!i)
      return;
   const nir_location *l = &s->shader->locations[i];
   snprintf(s->err->file, sizeof(s->err->file), "%s", l->file->name);
   s->err->line = l->line;
   s->err->column = l->column;
}

static void
set_error(struct spv *s, enum spirv_error_kind kind, const char *fmt,
          va_list ap)
{
   if (!s->err)
      return;
   s->err->kind = kind;
   s->err->word_offset = (size_t)(s->cur - s->words);
   set_line(s);
   vsnprintf(s->err->message, sizeof(s->err->message), fmt, ap);
}

void
spv_fail(struct spv *s, const char *fmt, ...)
{
   va_list ap;

   va_start(ap, fmt);
   set_error(s, SPIRV_INVALID, fmt, ap);
   va_end(ap);
   longjmp(s->fail, 1);
}

void
spv_unsupported(struct spv *s, const char *fmt, ...)
{
   va_list ap;

   va_start(ap, fmt);
   set_error(s, SPIRV_UNSUPPORTED, fmt, ap);
   va_end(ap);
   longjmp(s->fail, 1);
}

const char *
spirv_error_place(const struct spirv_error *err, char *buf, size_t size_B)
{
   if (err->line)
      snprintf(buf, size_B, " (%s:%u)", err->file, err->line);
   else
      *buf = 0;
   return buf;
}
