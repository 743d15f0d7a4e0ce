/* SPDX-License-Identifier: MIT */
/*
 * SAFFRON_SIM_PAUSE=FILE: a program that waits at the end of a frame, for who
 * looks at its recording meanwhile.
 *
 * The file has a number N: at the end of frame N (the first is 1), and of
 * those after it, the program waits until there is a greater number, or no
 * file. While it waits FILE.at has the frame's number.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/environment.h"

#define POLL_NS 10000000

static unsigned frames; /* ended so far; atomic */

/* Whether the file has this frame wait. */
static bool
is_asked(const char *path, unsigned frame)
{
   char text[16] = "";
   FILE *f = fopen(path, "re");

   if (!f)
      return false;
   const bool read = fgets(text, sizeof(text), f) != NULL;
   fclose(f);
   /* An empty file is one that is being written. */
   return !read || strtoul(text, NULL, 10) <= frame;
}

static void
say_where(const char *path, unsigned frame)
{
   FILE *f = fopen(path, "we");

   if (f) {
      fprintf(f, "%u\n", frame);
      fclose(f);
   }
}

void
sim_pause_at_frame(struct sim_trace *t)
{
   const struct timespec pause = { .tv_nsec = POLL_NS };
   const char *path = environment_get("SAFFRON_SIM_PAUSE");
   const unsigned frame = __atomic_add_fetch(&frames, 1, __ATOMIC_RELAXED);
   char at[4096];

   if (!path || !is_asked(path, frame) ||
       (size_t)snprintf(at, sizeof(at), "%s.at", path) >= sizeof(at))
      return;
   sim_trace_flush(t);
   say_where(at, frame);
   while (is_asked(path, frame))
      nanosleep(&pause, NULL);
   unlink(at);
}
