/* SPDX-License-Identifier: MIT */
/* Errors end the translation: spirv_to_nir() is where they come out. */
#include <stdio.h>
#include "compiler/spirv/spirv_private.h"

static void
set_error(struct spv *s, enum spirv_error_kind kind, const char *fmt,
          va_list ap)
{
   if (!s->err)
      return;
   s->err->kind = kind;
   s->err->word_offset = (size_t)(s->cur - s->words);
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
