/* SPDX-License-Identifier: MIT */
/*
 * Host threads that help the one that runs a batch. Work is handed out as a
 * number of items, each of which must not care who does the others, or when:
 * then the result is the same whatever the number of threads.
 *
 * Threads are started by the first work that is big enough for them, and
 * sleep while there is none. A child process that fork() has made does not
 * have its parent's threads; it starts its own.
 */
#ifndef SIM_POOL_H
#define SIM_POOL_H

#include "util/macros.h"

#define SIM_POOL_MAX 64

struct sim_pool;

/* One thread for each CPU that the process may run on, or as many as
 * SAFFRON_SIM_THREADS says, the caller's included. NULL: no memory. */
struct sim_pool *sim_pool_create(void);

/* Ends the threads. Nothing may run. NULL is fine. */
void sim_pool_destroy(struct sim_pool *pool);

/* How many may work at once, at least 1; what is below it numbers workers. */
unsigned sim_pool_width(const struct sim_pool *pool);

typedef void (*sim_pool_fn)(void *data, unsigned worker, unsigned item);

/* Calls `fn` once for each item below `num_items`, and returns when all are
 * done. The caller is worker 0. `pool` may be NULL. */
void sim_pool_run(struct sim_pool *pool, unsigned num_items, sim_pool_fn fn,
                  void *data);

#endif
