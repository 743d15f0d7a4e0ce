/* SPDX-License-Identifier: MIT */
#include "siphash.h"

#include <endian.h>

static inline uint64_t
rotate(uint64_t x, unsigned bits)
{
   return x << bits | x >> (64 - bits);
}

/* Figure 2.1 of the paper. */
static void
rounds(uint64_t v[4], unsigned count)
{
   while (count--) {
      v[0] += v[1];
      v[2] += v[3];
      v[1] = rotate(v[1], 13) ^ v[0];
      v[3] = rotate(v[3], 16) ^ v[2];
      v[0] = rotate(v[0], 32);
      v[2] += v[1];
      v[0] += v[3];
      v[1] = rotate(v[1], 17) ^ v[2];
      v[3] = rotate(v[3], 21) ^ v[0];
      v[2] = rotate(v[2], 32);
   }
}

static void
compress(uint64_t v[4], uint64_t word)
{
   v[3] ^= word;
   rounds(v, 2);
   v[0] ^= word;
}

uint64_t
siphash(const struct siphash_key *key, const void *data, size_t size_B)
{
   /* "somepseudorandomlygeneratedbytes" (section 2.2) */
   uint64_t v[4] = { key->k[0] ^ 0x736f6d6570736575,
                     key->k[1] ^ 0x646f72616e646f6d,
                     key->k[0] ^ 0x6c7967656e657261,
                     key->k[1] ^ 0x7465646279746573 };
   const uint8_t *bytes = data;
   uint64_t word;
   size_t at = 0;
   for (; size_B - at >= 8; at += 8) {
      memcpy(&word, bytes + at, 8);
      compress(v, le64toh(word));
   }
   word = 0;
   if (size_B > at)
      memcpy(&word, bytes + at, size_B - at);
   compress(v, le64toh(word) | (uint64_t)size_B << 56);
   v[2] ^= 0xff;
   rounds(v, 4);
   return v[0] ^ v[1] ^ v[2] ^ v[3];
}
