/* SPDX-License-Identifier: MIT */
/*
 * Big tables that each host thread has for itself.
 *
 * In a `_Thread_local` variable they would be part of every thread of the
 * process: of a library that is preloaded they come off each thread's stack,
 * and pthread_create() refuses a small one. So such a variable is a pointer,
 * and the table is allocated when a thread first asks for it.
 */
#ifndef UTIL_THREAD_MEMORY_H
#define UTIL_THREAD_MEMORY_H

#include <stddef.h>

#include "macros.h"

/* The slow half of thread_memory(). */
void *thread_memory_allocate(void **slot, size_t size_B) MUST_CHECK;

/* What *slot, a `_Thread_local` variable that is NULL to begin with, points
 * to: `size_B` bytes, zero at first, aligned to 64. They are freed, and the
 * slot is NULL again, when the thread ends. NULL: the host has no memory; the
 * next call tries again. */
static inline void *
thread_memory(void **slot, size_t size_B)
{
   return *slot ? *slot : thread_memory_allocate(slot, size_B);
}

#endif
