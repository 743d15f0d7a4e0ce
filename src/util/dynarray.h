/* SPDX-License-Identifier: MIT */
/* An array that grows at its end. Zero-initialised is empty and valid. */
#ifndef UTIL_DYNARRAY_H
#define UTIL_DYNARRAY_H

#include "macros.h"

struct util_dynarray {
   void *data;
   size_t size_B, capacity_B;
};

/* Room for `size_B` more bytes, zeroed; a pointer that the next call may
 * invalidate. No memory ends the scope (guard.h), or the process. */
void *util_dynarray_grow_bytes(struct util_dynarray *d, size_t size_B);
void util_dynarray_fini(struct util_dynarray *d);

#define util_dynarray_append(d, type, v)                                     \
   (*(type *)util_dynarray_grow_bytes(d, sizeof(type)) = (v))
#define util_dynarray_num_elements(d, type) ((d)->size_B / sizeof(type))
#define util_dynarray_element(d, type, i) ((type *)(d)->data + (i))
#define util_dynarray_pop(d, type)                                           \
   (*(type *)((char *)(d)->data + ((d)->size_B -= sizeof(type))))
#define util_dynarray_clear(d) ((void)((d)->size_B = 0))
#define util_dynarray_foreach(d, type, p)                                    \
   for (type *p = (type *)(d)->data;                                         \
        p && (char *)p < (char *)(d)->data + (d)->size_B; p++)

#endif
