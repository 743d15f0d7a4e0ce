/* SPDX-License-Identifier: MIT */
#include "arena_private.h"
#include "fallible.h"

#include <stdatomic.h>
#include <stdio.h>

#define ARENA_CHUNK_B 16384
#define ARENA_ALIGN_B 16
/* An arena with so many bytes gets more at a time. */
#define ARENA_LARGE_B (8 * ARENA_CHUNK_B)
#define MAX_SPARE 16

struct arena_chunk {
   struct arena_chunk *next;
   size_t used, size;
   _Alignas(ARENA_ALIGN_B) uint8_t data[];
};

struct arena {
   struct guard_owned link; /* of the scope that it was made in */
   bool may_fail;
   struct arena_chunk *chunks;
   struct arena *parent, *children, *next_sibling, *prev_sibling;
   size_t size_B;
};

/* Chunks of ARENA_CHUNK_B for the next arenas: most live as long as a pass,
 * and free() would give the memory back to the host each time. Who finds them
 * busy does without. */
static struct {
   atomic_flag busy;
   unsigned count;
   struct arena_chunk *chunks[MAX_SPARE];
} spare = { .busy = ATOMIC_FLAG_INIT };

/* At the end of the program, or when the library is unloaded. */
__attribute__((destructor)) static void
free_spare(void)
{
   while (spare.count)
      free(spare.chunks[--spare.count]);
}

/* Nothing in it is set. NULL: out of memory. */
static struct arena_chunk *
new_chunk(size_t size)
{
   struct arena_chunk *c = NULL;

   if (size == ARENA_CHUNK_B && !atomic_flag_test_and_set(&spare.busy)) {
      if (spare.count)
         c = spare.chunks[--spare.count];
      atomic_flag_clear(&spare.busy);
   }
   if (!c && size <= SIZE_MAX - sizeof(*c))
      c = malloc(sizeof(*c) + size);
   if (c)
      *c = (struct arena_chunk) { .size = size };
   return c;
}

static void
release_chunk(struct arena_chunk *c)
{
   if (c->size == ARENA_CHUNK_B && !atomic_flag_test_and_set(&spare.busy)) {
      if (spare.count < MAX_SPARE) {
         spare.chunks[spare.count++] = c;
         c = NULL;
      }
      atomic_flag_clear(&spare.busy);
   }
   free(c);
}

struct arena *
arena_of_link(struct guard_owned *link)
{
   return CONTAINER_OF(link, struct arena, link);
}

struct arena *
arena_create_fallible(void)
{
   struct arena *a = calloc(1, sizeof(*a));
   if (a)
      a->may_fail = true;
   return a;
}

struct arena *
arena_create_kept(void)
{
   struct arena *a = calloc(1, sizeof(*a));
   if (!a)
      guard_no_memory(sizeof(*a));
   return a;
}

struct arena *
arena_create(struct arena *parent)
{
   struct arena *a = arena_create_kept();

   a->parent = parent;
   if (!parent)
      guard_own_arena(&a->link);
   if (parent) {
      a->next_sibling = parent->children;
      if (parent->children)
         parent->children->prev_sibling = a;
      parent->children = a;
   }
   return a;
}

void
arena_destroy(struct arena *a)
{
   if (!a)
      return;
   guard_disown(&a->link);
   while (a->children)
      arena_destroy(a->children);
   if (a->parent) {
      if (a->prev_sibling)
         a->prev_sibling->next_sibling = a->next_sibling;
      else
         a->parent->children = a->next_sibling;
      if (a->next_sibling)
         a->next_sibling->prev_sibling = a->prev_sibling;
   }
   while (a->chunks) {
      struct arena_chunk *next = a->chunks->next;
      release_chunk(a->chunks);
      a->chunks = next;
   }
   free(a);
}

/* NULL: out of memory, from an arena that may fail alone. */
static void *
alloc(struct arena *a, size_t size)
{
   struct arena_chunk *c = a->chunks;

   size = size > SIZE_MAX / 2 ? size : ALIGN(size, ARENA_ALIGN_B);
   if (!c || c->size - c->used < size) {
      const size_t least = a->size_B < ARENA_LARGE_B ? ARENA_CHUNK_B
                                                     : ARENA_LARGE_B;
      const size_t chunk_size = MAX2(size, least);
      struct arena_chunk *n = new_chunk(chunk_size);

      if (!n && !a->may_fail)
         guard_no_memory(chunk_size);
      if (!n)
         return NULL;
      a->size_B += chunk_size;
      /* A large block goes after the chunk that still has room. */
      if (c && size > least / 2) {
         n->next = c->next;
         c->next = n;
      } else {
         n->next = c;
         a->chunks = n;
      }
      c = n;
   }
   void *p = c->data + c->used;
   c->used += size;
   return p;
}

void *
arena_alloc(struct arena *a, size_t size)
{
   void *p = alloc(a, size);
   return p ? memset(p, 0, size) : NULL;
}

void *
arena_grow(struct arena *a, void *old, size_t old_size, size_t size)
{
   assert(size >= old_size);
   uint8_t *p = alloc(a, size);
   if (!p)
      return NULL;
   if (old_size)
      memcpy(p, old, old_size);
   memset(p + old_size, 0, size - old_size);
   return p;
}

void *
arena_memdup(struct arena *a, const void *data, size_t size)
{
   void *p = alloc(a, size);
   if (p && size)
      memcpy(p, data, size);
   return p;
}

char *
arena_strdup(struct arena *a, const char *s)
{
   return s ? arena_memdup(a, s, strlen(s) + 1) : NULL;
}

char *
arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
   va_list copy;
   va_copy(copy, ap);
   const int n = vsnprintf(NULL, 0, fmt, copy);
   va_end(copy);
   char *s = alloc(a, (size_t)n + 1);
   if (s)
      vsnprintf(s, (size_t)n + 1, fmt, ap);
   return s;
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   char *s = arena_vprintf(a, fmt, ap);
   va_end(ap);
   return s;
}

size_t
arena_size_B(const struct arena *a)
{
   size_t n = a->size_B;
   for (const struct arena *c = a->children; c; c = c->next_sibling)
      n += arena_size_B(c);
   return n;
}
