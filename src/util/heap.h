/* SPDX-License-Identifier: MIT */
/*
 * A binary heap of numbers with keys: the smallest key first, of equal ones
 * the smallest number. The caller has room for the entries.
 */
#ifndef UTIL_HEAP_H
#define UTIL_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct util_heap_entry {
   uint64_t key;
   uint32_t value;
};

struct util_heap {
   struct util_heap_entry *entries;
   uint32_t count;
};

static inline bool
util_heap_before(const struct util_heap_entry *a,
                 const struct util_heap_entry *b)
{
   return a->key != b->key ? a->key < b->key : a->value < b->value;
}

static inline void
util_heap_push(struct util_heap *h, uint64_t key, uint32_t value)
{
   const struct util_heap_entry e = { key, value };
   uint32_t i = h->count++;

   for (; i && util_heap_before(&e, &h->entries[(i - 1) / 2]);
        i = (i - 1) / 2)
      h->entries[i] = h->entries[(i - 1) / 2];
   h->entries[i] = e;
}

static inline uint32_t
util_heap_pop(struct util_heap *h)
{
   const uint32_t top = h->entries[0].value;
   const struct util_heap_entry last = h->entries[--h->count];
   uint32_t i = 0, child;

   while ((child = 2 * i + 1) < h->count) {
      if (child + 1 < h->count &&
          util_heap_before(&h->entries[child + 1], &h->entries[child]))
         child++;
      if (!util_heap_before(&h->entries[child], &last))
         break;
      h->entries[i] = h->entries[child];
      i = child;
   }
   h->entries[i] = last;
   return top;
}

/* The entry at place `at` is the next to be popped, whatever its key. */
static inline void
util_heap_decrease_key(struct util_heap *h, uint32_t at)
{
   const struct util_heap_entry e = h->entries[at];

   for (; at; at = (at - 1) / 2)
      h->entries[at] = h->entries[(at - 1) / 2];
   h->entries[0] = e;
}

#endif
