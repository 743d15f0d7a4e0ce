/* SPDX-License-Identifier: MIT */
/* Host threads: see pool.h. */
#include "pool.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "util/environment.h"

struct helper {
   struct sim_pool *pool;
   unsigned worker;
   pthread_t thread;
};

struct sim_pool {
   unsigned width;
   pid_t process; /* that has the threads; 0: none were started */
   unsigned num_helpers;
   struct helper helper[SIM_POOL_MAX - 1];

   pthread_mutex_t lock;
   pthread_cond_t wake; /* there is work, or `stop` */
   pthread_cond_t done; /* `busy` is 0 */
   bool stop;
   unsigned busy; /* helpers at work */

   /* The work; no function: there is none, or all of it is handed out. */
   sim_pool_fn fn;
   void *data;
   unsigned num_items;
   unsigned next_item; /* atomic */
};

static unsigned
choose_width(void)
{
   const char *text = environment_get("SAFFRON_SIM_THREADS");
   cpu_set_t cpus;
   long n = text ? strtol(text, NULL, 10) : 0;
   if (n <= 0)
      n = sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);
   return (unsigned)MAX2(1, MIN2(n, SIM_POOL_MAX));
}

struct sim_pool *
sim_pool_create(void)
{
   struct sim_pool *pool = calloc(1, sizeof(*pool));
   if (pool)
      pool->width = choose_width();
   return pool;
}

unsigned
sim_pool_width(const struct sim_pool *pool)
{
   return pool ? pool->width : 1;
}

static void
take_items(struct sim_pool *pool, sim_pool_fn fn, void *data,
           unsigned num_items, unsigned worker)
{
   for (;;) {
      const unsigned i =
         __atomic_fetch_add(&pool->next_item, 1, __ATOMIC_RELAXED);
      if (i >= num_items)
         return;
      fn(data, worker, i);
   }
}

static void *
helper_main(void *arg)
{
   const struct helper *h = arg;
   struct sim_pool *pool = h->pool;
   /* Whatever the thread that started this one computes with. */
   fesetenv(FE_DFL_ENV);
   pthread_mutex_lock(&pool->lock);
   for (;;) {
      while (!pool->fn && !pool->stop)
         pthread_cond_wait(&pool->wake, &pool->lock);
      if (pool->stop)
         break;
      const sim_pool_fn fn = pool->fn;
      void *data = pool->data;
      const unsigned num_items = pool->num_items;
      pool->busy++;
      pthread_mutex_unlock(&pool->lock);
      take_items(pool, fn, data, num_items, h->worker);
      pthread_mutex_lock(&pool->lock);
      pool->fn = NULL;
      if (!--pool->busy)
         pthread_cond_signal(&pool->done);
   }
   pthread_mutex_unlock(&pool->lock);
   return NULL;
}

/* Signals are for the program's own threads. */
static void
start_helpers(struct sim_pool *pool)
{
   sigset_t all, before;
   pthread_mutex_init(&pool->lock, NULL);
   pthread_cond_init(&pool->wake, NULL);
   pthread_cond_init(&pool->done, NULL);
   pool->process = getpid();
   pool->num_helpers = pool->busy = 0;
   pool->fn = NULL;
   sigfillset(&all);
   pthread_sigmask(SIG_SETMASK, &all, &before);
   while (pool->num_helpers < pool->width - 1) {
      struct helper *h = &pool->helper[pool->num_helpers];
      h->pool = pool;
      h->worker = pool->num_helpers + 1;
      if (pthread_create(&h->thread, NULL, helper_main, h))
         break; /* With fewer it takes longer. */
      pool->num_helpers++;
   }
   pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void
sim_pool_destroy(struct sim_pool *pool)
{
   if (pool && pool->process == getpid()) {
      pthread_mutex_lock(&pool->lock);
      pool->stop = true;
      pthread_cond_broadcast(&pool->wake);
      pthread_mutex_unlock(&pool->lock);
      for (unsigned i = 0; i < pool->num_helpers; i++)
         pthread_join(pool->helper[i].thread, NULL);
      pthread_cond_destroy(&pool->wake);
      pthread_cond_destroy(&pool->done);
      pthread_mutex_destroy(&pool->lock);
   }
   free(pool);
}

void
sim_pool_run(struct sim_pool *pool, unsigned num_items, sim_pool_fn fn,
             void *data)
{
   if (sim_pool_width(pool) == 1 || num_items <= 1) {
      for (unsigned i = 0; i < num_items; i++)
         fn(data, 0, i);
      return;
   }
   if (pool->process != getpid())
      start_helpers(pool);
   pthread_mutex_lock(&pool->lock);
   pool->fn = fn;
   pool->data = data;
   pool->num_items = num_items;
   __atomic_store_n(&pool->next_item, 0, __ATOMIC_RELAXED);
   pthread_mutex_unlock(&pool->lock);
   /* After the lock, for which helpers would have to wait again. */
   pthread_cond_broadcast(&pool->wake);

   take_items(pool, fn, data, num_items, 0);

   /* Nobody begins any more; who has begun finishes. */
   pthread_mutex_lock(&pool->lock);
   pool->fn = NULL;
   while (pool->busy)
      pthread_cond_wait(&pool->done, &pool->lock);
   pthread_mutex_unlock(&pool->lock);
}
