/* SPDX-License-Identifier: MIT */
/*
 * The digest: MD5 (RFC 1321) with another last block. Where MD5 puts padding
 * and then the length, this has the length in bits first, then what is left
 * of the input, padding, and a last dword of twice the length in bytes plus
 * one. What does not leave room for that is padded to a block of its own.
 */
#include <math.h>

#include "dxbc.h"

struct md5 {
   uint32_t state[4], sine[64];
};

static void
init(struct md5 *m)
{
   static const uint32_t start[4] = { 0x67452301, 0xefcdab89, 0x98badcfe,
                                      0x10325476 };

   memcpy(m->state, start, sizeof(start));
   for (unsigned i = 0; i < 64; i++)
      m->sine[i] = (uint32_t)(4294967296.0 * fabs(sin(i + 1.0)));
}

static uint32_t
rotate(uint32_t v, unsigned n)
{
   return v << n | v >> (32 - n);
}

static void
add_block(struct md5 *m, const uint8_t block[64])
{
   static const uint8_t shift[4][4] = {
      { 7, 12, 17, 22 },
      { 5, 9, 14, 20 },
      { 4, 11, 16, 23 },
      { 6, 10, 15, 21 },
   };
   uint32_t s[4], x[16];

   memcpy(s, m->state, sizeof(s));
   memcpy(x, block, sizeof(x));
   for (unsigned i = 0; i < 64; i++) {
      const uint32_t b = s[1], c = s[2], d = s[3];
      uint32_t f;
      unsigned k;
      switch (i / 16) {
      case 0:
         f = (b & c) | (~b & d);
         k = i;
         break;
      case 1:
         f = (b & d) | (c & ~d);
         k = 5 * i + 1;
         break;
      case 2:
         f = b ^ c ^ d;
         k = 3 * i + 5;
         break;
      default:
         f = c ^ (b | ~d);
         k = 7 * i;
         break;
      }
      f += s[0] + m->sine[i] + x[k % 16];
      s[0] = d;
      s[3] = c;
      s[2] = b;
      s[1] = b + rotate(f, shift[i / 16][i % 4]);
   }
   for (unsigned i = 0; i < 4; i++)
      m->state[i] += s[i];
}

void
dxbc_digest(const void *data, size_t size_B, uint8_t digest[16])
{
   const uint8_t *p = (const uint8_t *)data + 20;
   const size_t n = size_B - 20, tail = n % 64;
   const uint32_t first = (uint32_t)(8 * n), last = (uint32_t)(2 * n + 1);
   uint8_t block[64] = { 0 };
   struct md5 m;

   init(&m);
   for (size_t i = 0; i + 64 <= n; i += 64)
      add_block(&m, p + i);
   if (tail >= 56) {
      memcpy(block, p + n - tail, tail);
      block[tail] = 0x80;
      add_block(&m, block);
      memset(block, 0, sizeof(block));
   } else {
      memcpy(block + 4, p + n - tail, tail);
      block[4 + tail] = 0x80;
   }
   memcpy(block, &first, 4);
   memcpy(block + 60, &last, 4);
   add_block(&m, block);
   memcpy(digest, m.state, 16);
}
