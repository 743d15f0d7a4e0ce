/* SPDX-License-Identifier: MIT */
/* Chunks that are written: dwords, and strings after them. */
#ifndef TPF_CHUNK_H
#define TPF_CHUNK_H

#include <string.h>

#include "util/dynarray.h"
#include "util/macros.h"

static inline void
tpf_put(struct util_dynarray *b, uint32_t v)
{
   util_dynarray_append(b, uint32_t, v);
}

static inline void
tpf_set(struct util_dynarray *b, size_t at_B, uint32_t v)
{
   memcpy((char *)b->data + at_B, &v, 4);
}

/* `count` dwords of 0: their offset. */
static inline uint32_t
tpf_put_zeros(struct util_dynarray *b, size_t count)
{
   const uint32_t at = (uint32_t)b->size_B;

   if (count)
      memset(util_dynarray_grow_bytes(b, 4 * count), 0, 4 * count);
   return at;
}

/* A string after all that is there: its offset. */
static inline uint32_t
tpf_put_string(struct util_dynarray *b, const char *s)
{
   const uint32_t at = (uint32_t)b->size_B;
   const size_t n = strlen(s) + 1;
   char *to = util_dynarray_grow_bytes(b, ALIGN(n, (size_t)4));

   memset(to, 0xab, ALIGN(n, (size_t)4));
   memcpy(to, s, n);
   return at;
}

#endif
