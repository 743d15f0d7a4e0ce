/* SPDX-License-Identifier: MIT */
/*
 * Method: what a scope owns is in two rings, arenas and blocks; a block has
 * its link in front of it. Both are left out of the ring when they are freed.
 * The early end is a longjmp() to guard_run(), which releases the rings.
 */
#include "guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>

#include "arena_private.h"
#include "environment.h"

struct guard {
   jmp_buf early_end;
   struct guard *outer;
   struct guard_owned arenas, blocks;
   struct guard_error *error;
};

struct block {
   struct guard_owned link; /* prev is NULL: no scope owns it */
   _Alignas(16) char data[];
};

static _Thread_local struct guard *scope;

/* ---- rings ---- */

static void
own(struct guard_owned *ring, struct guard_owned *link)
{
   link->prev = ring;
   link->next = ring->next;
   ring->next->prev = link;
   ring->next = link;
}

void
guard_disown(struct guard_owned *link)
{
   if (!link->prev)
      return;
   link->prev->next = link->next;
   link->next->prev = link->prev;
   link->prev = link->next = NULL;
}

void
guard_own_arena(struct guard_owned *link)
{
   if (scope)
      own(&scope->arenas, link);
}

/* To the outer scope, or to nobody. */
static void
hand_on(struct guard_owned *ring, struct guard_owned *outer)
{
   while (ring->next != ring) {
      struct guard_owned *link = ring->next;
      guard_disown(link);
      if (outer)
         own(outer, link);
   }
}

static void
release(struct guard *g)
{
   while (g->arenas.next != &g->arenas)
      arena_destroy(arena_of_link(g->arenas.next));
   while (g->blocks.next != &g->blocks) {
      struct guard_owned *link = g->blocks.next;
      guard_disown(link);
      free(CONTAINER_OF(link, struct block, link));
   }
}

enum guard_end
guard_run(void (*run)(void *data), void *data, struct guard_error *error)
{
   struct guard g = { .outer = scope, .error = error };
   g.arenas.prev = g.arenas.next = &g.arenas;
   g.blocks.prev = g.blocks.next = &g.blocks;
   scope = &g;
   const enum guard_end end = (enum guard_end)_setjmp(g.early_end);
   if (end == GUARD_DONE) {
      run(data);
      hand_on(&g.arenas, g.outer ? &g.outer->arenas : NULL);
      hand_on(&g.blocks, g.outer ? &g.outer->blocks : NULL);
   }
   scope = g.outer;
   if (end != GUARD_DONE)
      release(&g);
   return end;
}

/* ---- early ends ---- */

void
guard_no_memory(size_t size_B)
{
   if (!scope) {
      fprintf(stderr, "saffron: out of memory (%zu bytes)\n", size_B);
      abort();
   }
   snprintf(scope->error->text, sizeof(scope->error->text),
            "out of memory (%zu bytes)", size_B);
   _longjmp(scope->early_end, GUARD_NO_MEMORY);
}

__attribute__((noreturn)) static void
end_scope(const char *fmt, va_list ap)
{
   vsnprintf(scope->error->text, sizeof(scope->error->text), fmt, ap);
   _longjmp(scope->early_end, GUARD_INTERNAL_ERROR);
}

/* Developers want the process as it was. */
void
guard_internal_error(const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
#ifdef NDEBUG
   if (scope)
      end_scope(fmt, ap);
#endif
   fprintf(stderr, "saffron: internal error: ");
   vfprintf(stderr, fmt, ap);
   fprintf(stderr, "\n");
   va_end(ap);
   abort();
}

__attribute__((noreturn, cold)) void guard_reached(const char *where);

void
guard_reached(const char *where)
{
   guard_internal_error("not to be reached: %s", where);
}

static const char *step_that_fails;

static void
read_step(void)
{
   step_that_fails = environment_get("SAFFRON_TEST_INTERNAL_ERROR");
}

__attribute__((noreturn)) static void
fail_on_request(const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   end_scope(fmt, ap);
}

void
guard_step(const char *step)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   pthread_once(&once, read_step);
   if (step_that_fails && scope && !strcmp(step, step_that_fails))
      fail_on_request("%s: asked for by SAFFRON_TEST_INTERNAL_ERROR", step);
}

#ifndef NDEBUG
static const char *wrong_step;

static void
read_wrong_step(void)
{
   wrong_step = environment_get("SAFFRON_TEST_WRONG_PASS");
}

enum guard_fault
guard_step_fault(const char *step)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   const size_t length = strlen(step);

   pthread_once(&once, read_wrong_step);
   if (!wrong_step || strncmp(wrong_step, step, length))
      return GUARD_FAULT_NONE;
   return !wrong_step[length]                        ? GUARD_FAULT_WRONG
          : !strcmp(wrong_step + length, ":invalid") ? GUARD_FAULT_INVALID
                                                     : GUARD_FAULT_NONE;
}
#endif

/* ---- blocks ---- */

void *
guard_try_resize(void *old, size_t size_B)
{
   struct block *b = old ? CONTAINER_OF(old, struct block, data) : NULL;
   const bool owned = b && b->link.prev;
   struct guard_owned *const after = owned ? b->link.prev : NULL;
   if (size_B > SIZE_MAX - sizeof(*b))
      return NULL;
   if (owned)
      guard_disown(&b->link);
   struct block *n = realloc(b, sizeof(*b) + size_B);
   if (n && !b)
      n->link = (struct guard_owned) { NULL, NULL };
   if (owned)
      own(after, n ? &n->link : &b->link);
   return n ? n->data : NULL;
}

void *
guard_resize(void *old, size_t size_B)
{
   void *p = guard_try_resize(old, size_B);
   if (!p)
      guard_no_memory(size_B);
   if (!old && scope)
      own(&scope->blocks, &CONTAINER_OF(p, struct block, data)->link);
   return p;
}

void *
guard_alloc(size_t n, size_t size_B)
{
   if (size_B && n > SIZE_MAX / size_B)
      guard_no_memory(SIZE_MAX);
   return memset(guard_resize(NULL, n * size_B), 0, n * size_B);
}

void
guard_free(void *p)
{
   if (!p)
      return;
   struct block *b = CONTAINER_OF(p, struct block, data);
   guard_disown(&b->link);
   free(b);
}
