/* SPDX-License-Identifier: MIT */
#include "thread_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "macros.h"

#define ALIGN_B 64

/* In front of each table. */
struct block {
   struct block *next; /* of the same thread */
   void **slot;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* a thread's first block */
static bool has_key;

static void
free_blocks(void *first)
{
   struct block *next;
   for (struct block *b = first; b; b = next) {
      next = b->next;
      *b->slot = NULL;
      free(b);
   }
}

static void
create_key(void)
{
   has_key = !pthread_key_create(&key, free_blocks);
}

/* free_blocks() goes with the library, threads may stay. */
static void __attribute__((destructor)) delete_key(void)
{
   pthread_once(&once, create_key);
   if (has_key)
      pthread_key_delete(key);
}

void *
thread_memory_allocate(void **slot, size_t size_B)
{
   pthread_once(&once, create_key);
   if (!has_key)
      return NULL;
   struct block *b = aligned_alloc(ALIGN_B, ALIGN(size_B + ALIGN_B, ALIGN_B));
   if (!b)
      return NULL;
   memset(b, 0, size_B + ALIGN_B);
   *b = (struct block) { .next = pthread_getspecific(key), .slot = slot };
   if (pthread_setspecific(key, b)) {
      free(b);
      return NULL;
   }
   *slot = (char *)b + ALIGN_B;
   return *slot;
}
