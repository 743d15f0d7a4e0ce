/* SPDX-License-Identifier: MIT */
/*
 * GPU addresses: first fit over a sorted list of holes, joined when they
 * touch. There are as many allocations as buffer objects, some thousands, so
 * a list is enough.
 */
#include "saf_va.h"
#include "util/fallible.h"

void
saf_va_heap_init(struct saf_va_heap *heap, uint64_t start, uint64_t end)
{
   memset(heap, 0, sizeof(*heap));
   /* Without memory there is no room in it. */
   const struct saf_va_hole all = { start, end };
   (void)!util_dynarray_try_append(&heap->holes, struct saf_va_hole, all);
}

void
saf_va_heap_finish(struct saf_va_heap *heap)
{
   util_dynarray_fini(&heap->holes);
}

static void
remove_hole(struct saf_va_heap *heap, unsigned i)
{
   const unsigned n =
      util_dynarray_num_elements(&heap->holes, struct saf_va_hole);
   struct saf_va_hole *h =
      util_dynarray_element(&heap->holes, struct saf_va_hole, i);
   memmove(h, h + 1, (n - i - 1) * sizeof(*h));
   (void)util_dynarray_pop(&heap->holes, struct saf_va_hole);
}

/* Without memory to note them, the addresses are lost for this device, which
 * has more of them than any host has memory. */
static void
insert_hole(struct saf_va_heap *heap, unsigned i, struct saf_va_hole hole)
{
   const unsigned n =
      util_dynarray_num_elements(&heap->holes, struct saf_va_hole);
   if (!util_dynarray_try_append(&heap->holes, struct saf_va_hole, hole))
      return;
   struct saf_va_hole *h =
      util_dynarray_element(&heap->holes, struct saf_va_hole, i);
   memmove(h + 1, h, (n - i) * sizeof(*h));
   *h = hole;
}

/* Takes a part of hole i. */
static void
cut_hole(struct saf_va_heap *heap, unsigned i, uint64_t start, uint64_t end)
{
   struct saf_va_hole *h =
      util_dynarray_element(&heap->holes, struct saf_va_hole, i);
   const struct saf_va_hole before = { h->start, start };
   const struct saf_va_hole after = { end, h->end };
   if (after.start < after.end)
      *h = after;
   else
      remove_hole(heap, i);
   if (before.start < before.end)
      insert_hole(heap, i, before);
}

uint64_t
saf_va_alloc(struct saf_va_heap *heap, uint64_t size_B, uint64_t align_B)
{
   const unsigned n =
      util_dynarray_num_elements(&heap->holes, struct saf_va_hole);
   for (unsigned i = 0; i < n; i++) {
      struct saf_va_hole *h =
         util_dynarray_element(&heap->holes, struct saf_va_hole, i);
      const uint64_t start = ALIGN(h->start, align_B);
      if (start >= h->end || h->end - start < size_B)
         continue;
      cut_hole(heap, i, start, start + size_B);
      return start;
   }
   return 0;
}

bool
saf_va_take(struct saf_va_heap *heap, uint64_t start, uint64_t size_B)
{
   const unsigned n =
      util_dynarray_num_elements(&heap->holes, struct saf_va_hole);
   for (unsigned i = 0; i < n; i++) {
      const struct saf_va_hole *h =
         util_dynarray_element(&heap->holes, struct saf_va_hole, i);
      if (start < h->start || start >= h->end || h->end - start < size_B)
         continue;
      cut_hole(heap, i, start, start + size_B);
      return true;
   }
   return false;
}

void
saf_va_free(struct saf_va_heap *heap, uint64_t start, uint64_t size_B)
{
   const unsigned n =
      util_dynarray_num_elements(&heap->holes, struct saf_va_hole);
   struct saf_va_hole *holes = heap->holes.data;
   unsigned i = 0;
   while (i < n && holes[i].start < start)
      i++;
   const uint64_t end = start + size_B;
   const bool joins_prev = i > 0 && holes[i - 1].end == start;
   const bool joins_next = i < n && holes[i].start == end;
   if (joins_prev && joins_next) {
      holes[i - 1].end = holes[i].end;
      remove_hole(heap, i);
   } else if (joins_prev) {
      holes[i - 1].end = end;
   } else if (joins_next) {
      holes[i].start = start;
   } else {
      insert_hole(heap, i, (struct saf_va_hole) { start, end });
   }
}
