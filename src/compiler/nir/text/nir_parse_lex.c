/* SPDX-License-Identifier: MIT */
/* Words, numbers and comments of the text form; the one error. */
#include "nir_parse_private.h"

#include <ctype.h>
#include <stdarg.h>

void
nir_parse_fail(struct nir_parser *p, const char *fmt, ...)
{
   if (p->error)
      return;
   unsigned line = 1, column = 1;
   for (const char *c = p->text; c < p->at && c < p->end; c++) {
      column++;
      if (*c == '\n') {
         line++;
         column = 1;
      }
   }
   va_list ap;
   va_start(ap, fmt);
   const char *text = arena_vprintf(p->tmp, fmt, ap);
   va_end(ap);
   p->error = arena_printf(p->parent, "%u:%u: %s", line, column, text);
}

void
nir_parse_skip(struct nir_parser *p)
{
   while (p->at < p->end) {
      if (isspace((unsigned char)*p->at)) {
         p->at++;
      } else if (p->end - p->at >= 2 && p->at[0] == '/' && p->at[1] == '*') {
         const char *close = p->at + 2;
         while (p->end - close >= 2 && !(close[0] == '*' && close[1] == '/'))
            close++;
         p->at = p->end - close >= 2 ? close + 2 : p->end;
      } else if (p->end - p->at >= 2 && p->at[0] == '/' && p->at[1] == '/') {
         while (p->at < p->end && *p->at != '\n')
            p->at++;
      } else {
         return;
      }
   }
}

static bool
is_ident_char(char c)
{
   return isalnum((unsigned char)c) || c == '_';
}

bool
nir_parse_peek(struct nir_parser *p, const char *s)
{
   nir_parse_skip(p);
   const size_t n = strlen(s);
   if ((size_t)(p->end - p->at) < n || memcmp(p->at, s, n) != 0)
      return false;
   return !is_ident_char(s[n - 1]) || p->at + n == p->end ||
          !is_ident_char(p->at[n]);
}

bool
nir_parse_accept(struct nir_parser *p, const char *s)
{
   if (p->error || !nir_parse_peek(p, s))
      return false;
   p->at += strlen(s);
   return true;
}

bool
nir_parse_expect(struct nir_parser *p, const char *s)
{
   if (nir_parse_accept(p, s))
      return true;
   nir_parse_fail(p, "expected '%s'", s);
   return false;
}

char *
nir_parse_ident(struct nir_parser *p)
{
   nir_parse_skip(p);
   const char *start = p->at;
   while (p->at < p->end && is_ident_char(*p->at))
      p->at++;
   if (p->at == start) {
      nir_parse_fail(p, "expected a name");
      return NULL;
   }
   return arena_printf(p->tmp, "%.*s", (int)(p->at - start), start);
}

char *
nir_parse_word(struct nir_parser *p)
{
   nir_parse_skip(p);
   const char *start = p->at;
   while (p->at < p->end && !isspace((unsigned char)*p->at))
      p->at++;
   if (p->at == start || p->at - start > 4096) {
      p->at = start;
      nir_parse_fail(p, "expected a name");
      return NULL;
   }
   return arena_printf(p->tmp, "%.*s", (int)(p->at - start), start);
}

bool
nir_parse_uint(struct nir_parser *p, uint64_t *v)
{
   nir_parse_skip(p);
   const char *start = p->at;
   *v = 0;
   if (p->end - p->at > 2 && p->at[0] == '0' && p->at[1] == 'x') {
      const char *digits = p->at += 2;
      for (; p->at < p->end && isxdigit((unsigned char)*p->at); p->at++) {
         const char c = *p->at;
         *v = *v << 4 | (uint64_t)(isdigit((unsigned char)c)
                                      ? c - '0'
                                      : tolower((unsigned char)c) - 'a' + 10);
      }
      if (p->at > digits && p->at - digits <= 16)
         return true;
   } else {
      for (; p->at < p->end && isdigit((unsigned char)*p->at); p->at++)
         *v = *v * 10 + (uint64_t)(*p->at - '0');
      if (p->at > start && p->at - start <= 19)
         return true;
   }
   p->at = start;
   nir_parse_fail(p, "expected a number");
   return false;
}

bool
nir_parse_int(struct nir_parser *p, int64_t *v)
{
   const bool negative = nir_parse_accept(p, "-");
   uint64_t u = 0;
   if (!nir_parse_uint(p, &u))
      return false;
   *v = (int64_t)(negative ? 0 - u : u);
   return true;
}

bool
nir_parse_numbered(struct nir_parser *p, const char *prefix, uint64_t *v)
{
   nir_parse_skip(p);
   const size_t n = strlen(prefix);
   if ((size_t)(p->end - p->at) <= n || memcmp(p->at, prefix, n) != 0 ||
       !isdigit((unsigned char)p->at[n]))
      return false;
   const char *start = p->at;
   p->at += n;
   *v = 0;
   for (; p->at < p->end && isdigit((unsigned char)*p->at); p->at++)
      *v = *v * 10 + (uint64_t)(*p->at - '0');
   if (*v < UINT32_MAX && p->at - start < 12 + (long)n)
      return true;
   p->at = start;
   nir_parse_fail(p, "a number too large");
   return false;
}

char *
nir_parse_comment(struct nir_parser *p)
{
   while (p->at < p->end && (*p->at == ' ' || *p->at == '\t'))
      p->at++;
   if (p->end - p->at < 4 || p->at[0] != '/' || p->at[1] != '*')
      return NULL;
   const char *start = p->at + 2, *close = start;
   while (p->end - close >= 2 && !(close[0] == '*' && close[1] == '/'))
      close++;
   if (p->end - close < 2)
      return NULL;
   p->at = close + 2;
   return arena_printf(p->tmp, "%.*s", (int)(close - start), start);
}

static int
compare_names(const void *name, const void *row)
{
   return strcmp(name, *(const char *const *)row);
}

int
nir_parse_find_row(const char *name, const void *rows, size_t row_size_B,
                   size_t num_rows)
{
   const char *row = bsearch(name, rows, num_rows, row_size_B, compare_names);
   return row ? (int)((size_t)(row - (const char *)rows) / row_size_B) : -1;
}
