/* SPDX-License-Identifier: MIT */
/* Which GPU addresses are free. */
#ifndef SAF_VA_H
#define SAF_VA_H

#include "util/dynarray.h"
#include "saf_base.h"
#include "util/macros.h"

/* Free ranges of GPU addresses, sorted, never touching each other. */
struct saf_va_heap {
   struct util_dynarray holes; /* struct saf_va_hole */
};
struct saf_va_hole {
   uint64_t start, end;
};

void saf_va_heap_init(struct saf_va_heap *heap, uint64_t start, uint64_t end);
void saf_va_heap_finish(struct saf_va_heap *heap);
/* 0 if there is no room. */
uint64_t saf_va_alloc(struct saf_va_heap *heap, uint64_t size_B,
                      uint64_t align_B);
/* That range, if nobody has any of it. */
bool saf_va_take(struct saf_va_heap *heap, uint64_t start, uint64_t size_B);
void saf_va_free(struct saf_va_heap *heap, uint64_t start, uint64_t size_B);

#endif
