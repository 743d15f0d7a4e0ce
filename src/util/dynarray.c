/* SPDX-License-Identifier: MIT */
#include "fallible.h"
#include "guard.h"

static size_t
wanted_capacity(const struct util_dynarray *d, size_t size_B)
{
   return MAX2(MAX2(64, d->capacity_B * 2), d->size_B + size_B);
}

static void *
take(struct util_dynarray *d, size_t size_B)
{
   void *p = (char *)d->data + d->size_B;
   memset(p, 0, size_B);
   d->size_B += size_B;
   return p;
}

void *
util_dynarray_grow_bytes(struct util_dynarray *d, size_t size_B)
{
   if (d->size_B + size_B > d->capacity_B) {
      const size_t capacity_B = wanted_capacity(d, size_B);
      d->data = guard_resize(d->data, capacity_B);
      d->capacity_B = capacity_B;
   }
   return take(d, size_B);
}

void *
util_dynarray_try_grow_bytes(struct util_dynarray *d, size_t size_B)
{
   if (d->size_B + size_B > d->capacity_B) {
      const size_t capacity_B = wanted_capacity(d, size_B);
      void *data = guard_try_resize(d->data, capacity_B);
      if (!data)
         return NULL;
      d->data = data;
      d->capacity_B = capacity_B;
   }
   return take(d, size_B);
}

bool
util_dynarray_try_reserve(struct util_dynarray *d, size_t all_B)
{
   if (all_B <= d->capacity_B)
      return true;
   const size_t capacity_B = MAX2(all_B, d->capacity_B * 2);
   void *data = guard_try_resize(d->data, capacity_B);
   if (!data)
      return false;
   d->data = data;
   d->capacity_B = capacity_B;
   return true;
}

void
util_dynarray_fini(struct util_dynarray *d)
{
   guard_free(d->data);
   memset(d, 0, sizeof(*d));
}
