/* SPDX-License-Identifier: MIT */
#include "strbuf.h"

#include <stdarg.h>
#include <stdio.h>

#include "guard.h"

static void
reserve(struct strbuf *b, size_t more)
{
   if (b->len + more + 1 <= b->capacity)
      return;
   const size_t capacity =
      MAX2(MAX2(256, b->capacity * 2), b->len + more + 1);
   b->s = guard_resize(b->s, capacity);
   b->capacity = capacity;
}

void
strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   const int n = vsnprintf(NULL, 0, fmt, ap);
   va_end(ap);
   reserve(b, (size_t)n);
   va_start(ap, fmt);
   vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
   va_end(ap);
   b->len += (size_t)n;
}

void
strbuf_puts(struct strbuf *b, const char *s)
{
   const size_t n = strlen(s);
   reserve(b, n);
   memcpy(b->s + b->len, s, n + 1);
   b->len += n;
}

void
strbuf_fini(struct strbuf *b)
{
   guard_free(b->s);
   memset(b, 0, sizeof(*b));
}
