/* SPDX-License-Identifier: MIT */
#include "json.h"

/* The length of the UTF-8 sequence at `s`; 0: it is none. */
static size_t
utf8_length(const unsigned char *s, size_t left)
{
   const unsigned char c = *s;
   const size_t n = c < 0x80   ? 1
                    : c < 0xc2 ? 0
                    : c < 0xe0 ? 2
                    : c < 0xf0 ? 3
                    : c < 0xf5 ? 4
                               : 0;
   if (n > left)
      return 0;
   for (size_t i = 1; i < n; i++) {
      if ((s[i] & 0xc0) != 0x80)
         return 0;
   }
   const bool bad = (c == 0xe0 && s[1] < 0xa0) ||
                    (c == 0xed && s[1] > 0x9f) ||
                    (c == 0xf0 && s[1] < 0x90) || (c == 0xf4 && s[1] > 0x8f);
   return bad ? 0 : n;
}

void
json_string(struct strbuf *out, const char *s, size_t length)
{
   strbuf_puts(out, "\"");
   for (size_t i = 0; i < length;) {
      const unsigned char c = (unsigned char)s[i];
      const size_t n = utf8_length((const unsigned char *)s + i, length - i);
      if (c == '"' || c == '\\')
         strbuf_printf(out, "\\%c", c);
      else if (c < ' ')
         strbuf_printf(out, "\\u%04x", c);
      else if (n)
         strbuf_printf(out, "%.*s", (int)n, s + i);
      else
         strbuf_puts(out, "\\ufffd");
      i += MAX2(n, (size_t)1);
   }
   strbuf_puts(out, "\"");
}

void
json_base64(struct strbuf *out, const void *bytes, size_t size_B)
{
   static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789+/";
   const uint8_t *b = bytes;
   char text[5] = "";
   strbuf_puts(out, "\"");
   for (size_t i = 0; i < size_B; i += 3) {
      const size_t n = MIN2(size_B - i, (size_t)3);
      const uint32_t v = (uint32_t)b[i] << 16 |
                         (n > 1 ? (uint32_t)b[i + 1] << 8 : 0) |
                         (n > 2 ? b[i + 2] : 0u);
      for (unsigned k = 0; k < 4; k++)
         text[k] = k <= n ? digits[v >> (18 - 6 * k) & 63] : '=';
      strbuf_puts(out, text);
   }
   strbuf_puts(out, "\"");
}
