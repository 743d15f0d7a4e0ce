/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <stdio.h>

#define ARENA_CHUNK_B 16384
#define ARENA_ALIGN_B 16

struct arena_chunk {
   struct arena_chunk *next;
   size_t used, size;
   _Alignas(ARENA_ALIGN_B) uint8_t data[];
};

struct arena {
   struct arena_chunk *chunks;
   struct arena *parent, *children, *next_sibling, *prev_sibling;
   size_t size_B;
};

static void *
host_alloc(size_t size)
{
   void *p = calloc(1, size);
   if (!p) {
      fprintf(stderr, "saffron: out of memory (%zu bytes)\n", size);
      abort();
   }
   return p;
}

struct arena *
arena_create(struct arena *parent)
{
   struct arena *a = host_alloc(sizeof(*a));
   a->parent = parent;
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
      free(a->chunks);
      a->chunks = next;
   }
   free(a);
}

void *
arena_alloc(struct arena *a, size_t size)
{
   size = ALIGN(size, ARENA_ALIGN_B);
   struct arena_chunk *c = a->chunks;
   if (!c || c->size - c->used < size) {
      const size_t chunk_size = MAX2(size, ARENA_CHUNK_B);
      struct arena_chunk *n = host_alloc(sizeof(*n) + chunk_size);
      n->size = chunk_size;
      a->size_B += chunk_size;
      /* A large block goes after the chunk that still has room. */
      if (c && size > ARENA_CHUNK_B / 2) {
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
arena_grow(struct arena *a, void *old, size_t old_size, size_t size)
{
   assert(size >= old_size);
   void *p = arena_alloc(a, size);
   if (old_size)
      memcpy(p, old, old_size);
   return p;
}

void *
arena_memdup(struct arena *a, const void *data, size_t size)
{
   void *p = arena_alloc(a, size);
   if (size)
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
   char *s = arena_alloc(a, (size_t)n + 1);
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
