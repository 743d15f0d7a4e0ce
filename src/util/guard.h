/* SPDX-License-Identifier: MIT */
/*
 * Scopes that what goes wrong inside of a compiler ends.
 *
 * A compiler allocates in thousands of places and cannot go on after any of
 * them, nor after an invariant that does not hold. So no place checks: the
 * driver runs the whole of it in a scope, and where there is no memory, or
 * something is not as it must be, guard_run() returns. What was allocated
 * inside (arenas, and what grows: guard_alloc(), util_dynarray, strbuf,
 * hash_table) is released then. Code in a scope owns nothing but memory: no
 * lock, no file.
 *
 * Without a scope, as in tools, both end the process with a message.
 */
#ifndef UTIL_GUARD_H
#define UTIL_GUARD_H

#include "arena.h"
#include "macros.h"

enum guard_end {
   GUARD_DONE,
   GUARD_NO_MEMORY,
   GUARD_INTERNAL_ERROR,
};

/* What ended a scope: where in the source, and what. */
struct guard_error {
   char text[256];
};

/*
 * Runs `run` in a scope of this thread; scopes may lie in each other, and
 * the innermost ends. What it allocated and did not free is the caller's, or
 * the outer scope's, if it was done; else it is gone. *error is set unless it
 * was done.
 */
enum guard_end guard_run(void (*run)(void *data), void *data,
                         struct guard_error *error) MUST_CHECK;

/* Address space of a deep stack; pages are used as far as it goes. */
#define DEEP_STACK_B (64u << 20)

/* Runs `run` on such a stack, for what recurses as deep as its input is
 * nested: the one of the calling thread is its application's, and may have 16
 * KiB. That is in a thread of its own, which gets no signals and is in no
 * scope, and for which this one waits. False: the host has no memory or no
 * thread for it, and nothing ran. */
bool deep_stack_run(void (*run)(void *data), void *data) MUST_CHECK;

/* End the scope that the thread is in, or the process. */
__attribute__((noreturn, cold)) void guard_no_memory(size_t size_B);
__attribute__((noreturn, cold)) void guard_internal_error(const char *fmt,
                                                          ...)
   PRINTFLIKE(1, 2);

/* Ends the scope if SAFFRON_TEST_INTERNAL_ERROR names this step: so tests
 * see what the driver makes of an internal error, in any build. */
void guard_step(const char *step);

#ifndef NDEBUG
/* What SAFFRON_TEST_WRONG_PASS=STEP or STEP:invalid asks for after a step:
 * that it leaves a program that does another thing, or one that a validator
 * refuses. So tests see what finds a wrong pass. */
enum guard_fault {
   GUARD_FAULT_NONE,
   GUARD_FAULT_WRONG,
   GUARD_FAULT_INVALID,
};
enum guard_fault guard_step_fault(const char *step);
#endif

/* n * size_B bytes, zeroed; a larger or smaller block with what was in the
 * old one (NULL: none). They belong to the scope that the thread is in, and
 * do not fail. For guard_free() alone. */
void *guard_alloc(size_t n, size_t size_B);
void *guard_resize(void *old, size_t size_B);
void guard_free(void *p);

/* The same for what outlives the scope, or where there is none: NULL if
 * there is no memory, and the old block is as it was. */
void *guard_try_resize(void *old, size_t size_B) MUST_CHECK;

/* An arena that no scope releases: what it holds outlives it. */
struct arena *arena_create_kept(void);

/* For arenas that have no parent: the scope, if there is one, destroys them
 * at an early end. */
struct guard_owned {
   struct guard_owned *prev, *next;
};
void guard_own_arena(struct guard_owned *link);
void guard_disown(struct guard_owned *link);

#endif
