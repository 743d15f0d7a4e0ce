/* SPDX-License-Identifier: MIT */
/*
 * Memory for what a driver or a device keeps: when the host has none, these
 * say so, and what they were given is as it was. The functions beside them
 * (arena_create(), util_dynarray_append(), hash_table_insert()) end the scope
 * of guard.h that the thread is in, or the process: they are for compilers.
 */
#ifndef UTIL_FALLIBLE_H
#define UTIL_FALLIBLE_H

#include "arena.h"
#include "dynarray.h"
#include "hash_table.h"

/* An arena that is no part of a scope, and from which all functions of
 * arena.h return NULL when the host is out of memory. NULL: it is so
 * already. */
struct arena *arena_create_fallible(void) MUST_CHECK;

/* Room for `size_B` more bytes, zeroed; or NULL. */
void *util_dynarray_try_grow_bytes(struct util_dynarray *d,
                                   size_t size_B) MUST_CHECK;
/* Makes room for so many bytes in all: up to there nothing that is put in
 * fails. */
bool util_dynarray_try_reserve(struct util_dynarray *d,
                               size_t all_B) MUST_CHECK;

/* Whether there was memory for it. */
#define util_dynarray_try_append(d, type, v)                                 \
   ({                                                                        \
      type *const place_ = util_dynarray_try_grow_bytes(d, sizeof(type));    \
      if (place_)                                                            \
         *place_ = (v);                                                      \
      place_ != NULL;                                                        \
   })

bool hash_table_try_insert(struct hash_table *t, uint64_t key,
                           void *data) MUST_CHECK;
bool hash_table_try_insert_bytes(struct hash_table *t, const void *key,
                                 uint32_t size_B, void *data) MUST_CHECK;

#endif
