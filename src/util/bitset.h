/* SPDX-License-Identifier: MIT */
/* Sets of small integers, one bit each. */
#ifndef UTIL_BITSET_H
#define UTIL_BITSET_H

#include "macros.h"

typedef uint32_t BITSET_WORD;

#define BITSET_WORDBITS 32u
#define BITSET_WORDS(n) (((n) + BITSET_WORDBITS - 1) / BITSET_WORDBITS)
#define BITSET_DECLARE(name, n) BITSET_WORD name[BITSET_WORDS(n)]

#define BITSET_TEST(s, b) (((s)[(b) / 32u] >> ((b) % 32u)) & 1u)
#define BITSET_SET(s, b) ((void)((s)[(b) / 32u] |= 1u << ((b) % 32u)))
#define BITSET_CLEAR(s, b) ((void)((s)[(b) / 32u] &= ~(1u << ((b) % 32u))))
#define BITSET_ZERO(s) memset((s), 0, sizeof(s))

static inline void
bitset_set_range(BITSET_WORD *s, unsigned first, unsigned count)
{
   for (unsigned b = first; b < first + count; b++)
      BITSET_SET(s, b);
}

static inline bool
bitset_test_range(const BITSET_WORD *s, unsigned first, unsigned count)
{
   for (unsigned b = first; b < first + count; b++) {
      if (BITSET_TEST(s, b))
         return true;
   }
   return false;
}

static inline bool
bitset_equal(const BITSET_WORD *a, const BITSET_WORD *b, unsigned words)
{
   return memcmp(a, b, words * sizeof(BITSET_WORD)) == 0;
}

/* dst |= src; whether dst changed. */
static inline bool
bitset_union(BITSET_WORD *dst, const BITSET_WORD *src, unsigned words)
{
   BITSET_WORD changed = 0;
   for (unsigned i = 0; i < words; i++) {
      changed |= src[i] & ~dst[i];
      dst[i] |= src[i];
   }
   return changed != 0;
}

static inline unsigned
bitset_count(const BITSET_WORD *s, unsigned words)
{
   unsigned n = 0;
   for (unsigned i = 0; i < words; i++)
      n += (unsigned)__builtin_popcount(s[i]);
   return n;
}

/* The first member at or after `from`, or `size` if there is none. */
static inline unsigned
bitset_next(const BITSET_WORD *s, unsigned from, unsigned size)
{
   for (unsigned w = from / 32u; w < BITSET_WORDS(size); w++) {
      BITSET_WORD v = s[w];
      if (w == from / 32u)
         v &= ~0u << (from % 32u);
      if (v) {
         const unsigned b = w * 32u + (unsigned)__builtin_ctz(v);
         return b < size ? b : size;
      }
   }
   return size;
}

#define BITSET_FOREACH_SET(b, s, size)                                       \
   for (unsigned b = bitset_next(s, 0, size); b < (size);                    \
        b = bitset_next(s, b + 1, size))

#endif
