/* SPDX-License-Identifier: MIT */
/*
 * SAFFRON_SIM_STATS=FILE: what the GPU has done, as JSON, in all and by
 * shader; SAFFRON_SIM_TRACE_FILE: how (intel/sim/trace). Both are completed
 * when the simulator is destroyed or the process exits, whichever comes
 * first. Many programs never destroy their driver. For those that are killed
 * the statistics are written now and then, too. A forked child that uses the
 * GPU has statistics of its own, in FILE.PID.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "intel/sim/trace/trace.h"
#include "uapi.h"
#include "util/environment.h"

static pthread_mutex_t stats_lock = PTHREAD_MUTEX_INITIALIZER;
static struct saffron_sim *stats_sim; /* the one that will be written */
static bool exit_handler_set;
static pid_t first_pid; /* of the process whose file is FILE */

static void
write_shaders(FILE *f, struct sim_shaders *shaders)
{
   static const char *const stages[] = { TRACE_STAGE_NAMES };
   unsigned n;
   struct trace_shader *list = sim_shaders_get(shaders, &n);
   for (unsigned i = 0; i < n; i++) {
      const struct trace_shader *s = &list[i];
      fprintf(f,
              "%s\n  {\"stage\": \"%s\", \"hash\": \"%016" PRIx64
              "\", \"bytes\": %u, \"length\": %u, \"threads\": %" PRIu64
              ", \"instructions\": %" PRIu64 ", \"simd8\": %" PRIu64
              ", \"sends\": %" PRIu64 ", \"cycles\": %" PRIu64
              ", \"issue\": %" PRIu64 "}",
              i ? "," : "", stages[s->stage], s->hash, s->size_B, s->count,
              s->threads, s->instructions, s->simd8, s->sends, s->cycles,
              s->issue);
   }
   free(list);
}

/* Where the statistics go: under another name first, so that nobody finds
 * half of a file. */
struct stats_file {
   const char *name;
   char part[PATH_MAX + 8]; /* "": the file itself is written */
   FILE *f;
};

/* What would no longer be what it was (a link, a pipe, /dev/null) is written
 * itself. A new file is its owner's alone; one that is replaced keeps its
 * rights. */
static bool
open_stats(struct stats_file *out)
{
   struct stat s;
   const bool is_new = lstat(out->name, &s) != 0;
   int fd = -1;
   if (is_new ? errno == ENOENT : S_ISREG(s.st_mode)) {
      snprintf(out->part, sizeof(out->part), "%s.XXXXXX", out->name);
      fd = mkostemp(out->part, O_CLOEXEC);
   }
   if (fd < 0)
      out->part[0] = '\0';
   else if (!is_new && fchmod(fd, s.st_mode & 0777))
      fprintf(stderr, "saffron: SAFFRON_SIM_STATS: the rights of %s: %s\n",
              out->name, strerror(errno));
   out->f = fd >= 0 ? fdopen(fd, "w") : fopen(out->name, "we");
   if (out->f)
      return true;
   fprintf(stderr, "saffron: SAFFRON_SIM_STATS: %s: %s\n", out->name,
           strerror(errno));
   if (fd >= 0) {
      close(fd);
      unlink(out->part);
   }
   return false;
}

/* What a full disk or a closed pipe did not take is said, and what was there
 * before stays. */
static void
close_stats(struct stats_file *out)
{
   const bool lost = ferror(out->f);
   bool ok = fclose(out->f) == 0 && !lost;
   if (ok && out->part[0])
      ok = rename(out->part, out->name) == 0;
   if (ok)
      return;
   fprintf(stderr, "saffron: SAFFRON_SIM_STATS: %s is not written: %s\n",
           out->name, strerror(errno));
   if (out->part[0])
      unlink(out->part);
}

static void
write_stats(struct saffron_sim *sim, const char *name)
{
   struct saffron_sim_stats s;
   struct stat device;
   char own[PATH_MAX];
   saffron_sim_get_stats(sim, &s);
   if (getpid() != first_pid &&
       (stat(name, &device) || S_ISREG(device.st_mode))) {
      snprintf(own, sizeof(own), "%s.%ld", name, (long)getpid());
      name = own;
   }
   struct stats_file out = { .name = name };
   if (!open_stats(&out))
      return;
   FILE *f = out.f;
   fprintf(f,
           "{\"generation\": \"%s\", \"batches\": %" PRIu64
           ", \"commands\": %" PRIu64 ", \"dwords\": %" PRIu64
           ", \"draws\": %" PRIu64 ", \"dispatches\": %" PRIu64
           ", \"eu_threads\": %" PRIu64 ", \"eu_instructions\": %" PRIu64
           ", \"eu_simd8\": %" PRIu64 ", \"eu_sends\": %" PRIu64
           ", \"eu_cycles\": %" PRIu64 ", \"resets\": %" PRIu64
           ", \"splits\": %" PRIu64 ", \"pipe_controls\": %" PRIu64
           ",\n \"shaders\": [",
           saffron_sim_gen(sim), s.batches, s.commands, s.dwords, s.draws,
           s.dispatches, s.eu_threads, s.eu_instructions, s.eu_simd8,
           s.eu_sends, s.eu_cycles, s.resets, s.splits, s.pipe_controls);
   if (sim->gpu.shaders)
      write_shaders(f, sim->gpu.shaders);
   fprintf(f, "]}\n");
   close_stats(&out);
}

void
uapi_stats_update(struct saffron_sim *sim)
{
   pthread_mutex_lock(&stats_lock);
   const char *name = environment_get("SAFFRON_SIM_STATS");
   if (stats_sim == sim && name)
      write_stats(sim, name);
   pthread_mutex_unlock(&stats_lock);
}

void
uapi_stats_end(struct saffron_sim *sim)
{
   pthread_mutex_lock(&stats_lock);
   struct saffron_sim *last = sim ? sim : stats_sim;
   const char *name = environment_get("SAFFRON_SIM_STATS");
   if (stats_sim && last == stats_sim && name)
      write_stats(stats_sim, name);
   if (last && last->gpu.trace)
      sim_trace_finish(last->gpu.trace, last->gpu.shaders);
   if (last == stats_sim)
      stats_sim = NULL;
   pthread_mutex_unlock(&stats_lock);
   /* At the exit of the process its threads may still be running. */
   if (sim) {
      sim_trace_destroy(sim->gpu.trace);
      sim_shaders_destroy(sim->gpu.shaders);
   }
}

static void
at_exit(void)
{
   uapi_stats_end(NULL);
}

bool
uapi_stats_begin(struct saffron_sim *sim)
{
   const char *trace = environment_get("SAFFRON_SIM_TRACE_FILE");
   sim->gpu.states = environment_get("SAFFRON_SIM_STATES");
   if (!environment_get("SAFFRON_SIM_STATS") && !trace)
      return true;
   sim->gpu.shaders = sim_shaders_create();
   if (trace)
      sim->gpu.trace = sim_trace_create(
         trace, environment_get("SAFFRON_SIM_TRACE_FILTER"), sim->gpu.verx10);
   pthread_mutex_lock(&stats_lock);
   if (!first_pid)
      first_pid = getpid();
   stats_sim = sim;
   if (!exit_handler_set)
      exit_handler_set = atexit(at_exit) == 0;
   pthread_mutex_unlock(&stats_lock);
   return !trace || sim->gpu.trace;
}

void
uapi_stats_before_fork(void)
{
   pthread_mutex_lock(&stats_lock);
   /* What is not written yet would be written by both. */
   if (stats_sim && stats_sim->gpu.trace)
      sim_trace_flush(stats_sim->gpu.trace);
}

void
uapi_stats_after_fork(void)
{
   pthread_mutex_unlock(&stats_lock);
}

void
uapi_stats_become_child(struct saffron_sim *sim)
{
   if (stats_sim == sim)
      stats_sim = NULL;
   sim_trace_destroy(sim->gpu.trace);
   sim_shaders_destroy(sim->gpu.shaders);
   sim->gpu.trace = NULL;
   sim->gpu.shaders = NULL;
   memset(&sim->gpu.stats, 0, sizeof(sim->gpu.stats));
   sim->stats_later = true;
}
