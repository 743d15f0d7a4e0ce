/* SPDX-License-Identifier: MIT */
#include "guard.h"

#include <pthread.h>
#include <signal.h>

struct job {
   void (*run)(void *data);
   void *data;
};

static void *
start(void *data)
{
   const struct job *job = data;

   job->run(job->data);
   return NULL;
}

static bool
create(pthread_t *thread, struct job *job)
{
   pthread_attr_t attr;
   sigset_t all, old;

   if (pthread_attr_init(&attr))
      return false;
   sigfillset(&all);
   pthread_sigmask(SIG_SETMASK, &all, &old);
   const bool created = !pthread_attr_setstacksize(&attr, DEEP_STACK_B) &&
                        !pthread_create(thread, &attr, start, job);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   pthread_attr_destroy(&attr);
   return created;
}

bool
deep_stack_run(void (*run)(void *data), void *data)
{
   struct job job = { run, data };
   pthread_t thread;
   int state;

   /* The caller cannot go before the job is done. */
   pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
   const bool created = create(&thread, &job);
   if (created)
      pthread_join(thread, NULL);
   pthread_setcancelstate(state, &state);
   return created;
}
