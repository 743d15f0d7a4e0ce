/* SPDX-License-Identifier: MIT */
/*
 * Arenas: memory that lives as long as one object (a shader, a pass).
 *
 * Nothing that an arena handed out is freed one by one; destroying the arena
 * frees all of it, and the arenas made inside it. Allocation does not fail:
 * when the host is out of memory the scope of guard.h that the thread is in
 * ends, or the process.
 */
#ifndef UTIL_ARENA_H
#define UTIL_ARENA_H

#include <stdarg.h>
#include "macros.h"

struct arena;

/* A new arena; `parent` (may be NULL) destroys it when it is destroyed. */
struct arena *arena_create(struct arena *parent);

/* Frees the arena, its children and all that was allocated. NULL is fine. */
void arena_destroy(struct arena *a);

/* `size` bytes, zeroed, aligned to 16. A size of 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t size);

/* A larger copy of `old` (old_size bytes, may be NULL); the rest is zero. */
void *arena_grow(struct arena *a, void *old, size_t old_size, size_t size);

void *arena_memdup(struct arena *a, const void *data, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTFLIKE(2, 3);
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap);

/* Bytes asked of the host by this arena and its children. */
size_t arena_size_B(const struct arena *a);

#define arena_new(a, type) ((type *)arena_alloc(a, sizeof(type)))
#define arena_new_array(a, type, n)                                          \
   ((type *)arena_alloc(a, sizeof(type) * (size_t)(n)))

#endif
