/* SPDX-License-Identifier: MIT */
#include "dynarray.h"

#include <stdio.h>

void *
util_dynarray_grow_bytes(struct util_dynarray *d, size_t size_B)
{
   if (d->size_B + size_B > d->capacity_B) {
      d->capacity_B = MAX2(MAX2(64, d->capacity_B * 2), d->size_B + size_B);
      d->data = realloc(d->data, d->capacity_B);
      if (!d->data) {
         fprintf(stderr, "saffron: out of memory (%zu bytes)\n",
                 d->capacity_B);
         abort();
      }
   }
   void *p = (char *)d->data + d->size_B;
   memset(p, 0, size_B);
   d->size_B += size_B;
   return p;
}

void
util_dynarray_fini(struct util_dynarray *d)
{
   free(d->data);
   memset(d, 0, sizeof(*d));
}
