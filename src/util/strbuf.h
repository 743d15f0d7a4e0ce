/* SPDX-License-Identifier: MIT */
/* Text that grows: printers write here, callers own the result. */
#ifndef UTIL_STRBUF_H
#define UTIL_STRBUF_H

#include "macros.h"

struct strbuf {
   char *s; /* NUL-terminated once anything was written, else NULL */
   size_t len, capacity;
};

void strbuf_printf(struct strbuf *b, const char *fmt, ...) PRINTFLIKE(2, 3);
void strbuf_puts(struct strbuf *b, const char *s);
void strbuf_fini(struct strbuf *b);

/* The text ("" if nothing was written); valid until the next call. */
static inline const char *
strbuf_str(const struct strbuf *b)
{
   return b->s ? b->s : "";
}

#endif
