/* SPDX-License-Identifier: MIT */
/*
 * fork(): what a child has of its parent's GPU.
 *
 * The kernel would let both use the same open file. Here the child gets a
 * copy of the simulator as it was: handles, contexts, address spaces and
 * syncobjs are its own from then on, and the contents of buffer objects are
 * shared memory, so that both go on with what they have. What is different
 * from a kernel: handles that one of them makes later mean nothing to the
 * other.
 *
 * Before: the GPU has finished what was submitted when fork() was called, and
 * stands still; our locks are held, so that no other thread's half-done work
 * is copied. After, in the child: there is no worker thread, the next
 * submission starts one; what another thread had submitted meanwhile is the
 * parent's to execute; in objects shared with other processes the child has a
 * slot of its own.
 */
#include <unistd.h>

#include "uapi.h"

static pthread_mutex_t sims_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list_head sims;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
stop_gpu(struct saffron_sim *sim)
{
   pthread_mutex_lock(&sim->lock);
   uapi_wait_seqno(sim, sim->last_seqno, UINT64_MAX);
   /* The worker takes no more jobs until it is told to. */
   sim->paused = true;
   while (sim->at_work)
      uapi_wait_change(sim, UINT64_MAX);
}

static void
before_fork(void)
{
   pthread_mutex_lock(&sims_lock);
   list_for_each_entry(struct saffron_sim, sim, &sims, sims_link)
      stop_gpu(sim);
   uapi_stats_before_fork();
}

static void
after_fork(void)
{
   uapi_stats_after_fork();
   list_for_each_entry(struct saffron_sim, sim, &sims, sims_link) {
      sim->paused = false;
      pthread_cond_signal(&sim->work);
      pthread_mutex_unlock(&sim->lock);
   }
   pthread_mutex_unlock(&sims_lock);
}

static void
after_fork_child(void)
{
   uapi_stats_after_fork();
   list_for_each_entry(struct saffron_sim, sim, &sims, sims_link) {
      sim->paused = false;
      uapi_become_child(sim);
      pthread_mutex_unlock(&sim->lock);
   }
   pthread_mutex_unlock(&sims_lock);
}

static void
begin(void)
{
   list_inithead(&sims);
   pthread_atfork(before_fork, after_fork, after_fork_child);
}

void
uapi_fork_add(struct saffron_sim *sim)
{
   pthread_once(&once, begin);
   pthread_mutex_lock(&sims_lock);
   list_addtail(&sim->sims_link, &sims);
   pthread_mutex_unlock(&sims_lock);
}

void
uapi_fork_remove(struct saffron_sim *sim)
{
   pthread_mutex_lock(&sims_lock);
   list_del(&sim->sims_link);
   pthread_mutex_unlock(&sims_lock);
}
