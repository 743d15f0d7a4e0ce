/* SPDX-License-Identifier: MIT */
/*
 * Runs damaged batches on the simulated GPU: see fuzz.h.
 *
 *    fuzz_sim --gen=skl --corpus=FOLDER --count=100000 [--seed=N]
 *             [--strict] [--chaos=SEED]
 *
 * The work is done in a process that may end at any time: by a sanitizer, an
 * assertion, a signal, or because a trial takes too long. Its parent then
 * prints the trial's number, keeps what it said and the damaged batch in the
 * folder of finds, and goes on after it. `--seed=NUMBER --count=1` repeats
 * a trial. The exit code is 1 if anything was found.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#include "intel/sim/chaos/chaos.h"
#include "intel/sim/gpu/strict.h"

/* CPU seconds that no trial takes. */
#define TRIAL_LIMIT_S 5
#define STUCK_LIMIT_S 300

/* What the process may hold more than after its first trials. */
#define MAX_GROWTH_B (8u << 20)
#define MAX_TRIALS_PER_LOOK 20000
#define LOOKS_PER_RUN 4

#define MAX_REPORTS 2048

/* Of the sanitizers, if there are any. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));
void __sanitizer_print_stack_trace(void) __attribute__((weak));
PUBLIC const char *__asan_default_options(void);
PUBLIC const char *__ubsan_default_options(void);

const char *
__asan_default_options(void)
{
   return "abort_on_error=0:exitcode=77:hard_rss_limit_mb=4096:"
          "max_allocation_size_mb=1024:allocator_may_return_null=0:"
          "handle_sigfpe=1:detect_leaks=0:detect_stack_use_after_return=0";
}

const char *
__ubsan_default_options(void)
{
   return "halt_on_error=1:print_stacktrace=1:exitcode=77";
}

static const char *const kind_names[] = { "batch", "state", "program" };

/* One kind of report, without its numbers. */
struct report {
   uint64_t hash, count;
   char text[112];
};

/* What the process that works tells its parent. */
struct shared {
   uint64_t number; /* of the trial that runs */
   uint64_t done[TRIAL_KINDS];
   uint64_t ended_well, with_threads, with_pixels;
   uint64_t commands, draws, dispatches, threads, instructions, sends;
   struct sim_counters counters;
   unsigned num_entries, num_targets, num_programs;
   unsigned num_reports;
   struct report reports[MAX_REPORTS];
};

struct options {
   const char *gen, *finds;
   char *folders[64];
   unsigned num_folders;
   uint64_t seed, count;
   unsigned max_finds, print_reports;
   int kind;
   bool list, strict, chaos;
   uint64_t chaos_seed;
};

static struct shared *shared;

/*
 * The process that works
 */

/* Numbers become '#', and what stands in brackets goes. */
static void
normalise(char *out, size_t room, const char *line)
{
   size_t n = 0;
   for (; *line && *line != '[' && n + 1 < room; line++) {
      const bool digit = (*line >= '0' && *line <= '9') ||
                         (n && out[n - 1] == '#' && strchr("abcdefx", *line));
      if (!digit)
         out[n++] = *line;
      else if (!n || out[n - 1] != '#')
         out[n++] = '#';
   }
   out[n] = 0;
}

static void
take_report(void *data, const char *line)
{
   struct report r = { .hash = 0xcbf29ce484222325ull, .count = 1 };
   normalise(r.text, sizeof(r.text), line);
   for (const char *p = r.text; *p; p++)
      r.hash = (r.hash ^ (uint8_t)*p) * 0x100000001b3ull;
   for (unsigned i = 0; i < shared->num_reports; i++) {
      if (shared->reports[i].hash == r.hash) {
         shared->reports[i].count++;
         return;
      }
   }
   if (shared->num_reports < MAX_REPORTS)
      shared->reports[shared->num_reports++] = r;
   if (data)
      fprintf(stderr, "%s\n", line);
}

static void
hang(int signal)
{
   static const char text[] = "fuzz_sim: the trial takes too long\n";
   if (write(2, text, sizeof(text) - 1) < 0)
      _exit(78);
   /* Where the trial is. */
   if (__sanitizer_print_stack_trace)
      __sanitizer_print_stack_trace();
   _exit(78);
}

static void
count_trial(const struct corpus *c, const struct trial *t, bool ok,
            const struct sim_counters *before)
{
   const struct sim_counters *after = &c->hw->counters;
   struct sim_counters *sum = &shared->counters;
   shared->done[t->kind]++;
   shared->ended_well += ok;
   shared->with_threads += c->gpu.stats.eu_threads > 0;
   shared->commands += c->gpu.stats.commands;
   shared->draws += c->gpu.stats.draws;
   shared->dispatches += c->gpu.stats.dispatches;
   shared->threads += c->gpu.stats.eu_threads;
   shared->instructions += c->gpu.stats.eu_instructions;
   shared->sends += c->gpu.stats.eu_sends;
#define ADD(name)                                                            \
   if (after->name > before->name && after->name - before->name < 1u << 30)  \
   sum->name += after->name - before->name
   ADD(vs_invocations);
   ADD(hs_invocations);
   ADD(ds_invocations);
   ADD(gs_invocations);
   ADD(cl_primitives);
   ADD(ps_invocations);
   ADD(cs_invocations);
   ADD(so_prims_written[0]);
#undef ADD
   shared->with_pixels += after->ps_invocations > before->ps_invocations;
}

static void
clear_programs(struct corpus *c)
{
   for (unsigned i = 0; i < c->num_entries; i++) {
      sim_eu_cache_destroy(c->entries[i].programs);
      c->entries[i].programs =
         sim_eu_cache_create(c->info->verx10, c->info->eu.qwords_stay);
   }
}

/* Memory that trials leave behind adds up. */
static void
look_for_growth(struct corpus *c)
{
   static size_t first_B;
   if (!__sanitizer_get_current_allocated_bytes)
      return;
   clear_programs(c);
   const size_t now_B = __sanitizer_get_current_allocated_bytes();
   if (!first_B)
      first_B = now_B;
   if (now_B > first_B + MAX_GROWTH_B) {
      fprintf(stderr, "fuzz_sim: memory has grown from %zu to %zu bytes\n",
              first_B, now_B);
      _exit(79);
   }
}

static void
start_clock(void)
{
   const struct itimerval t = { .it_value = { TRIAL_LIMIT_S, 0 } };
   setitimer(ITIMER_PROF, &t, NULL);
}

/* In strict mode, in a context that it never saw, and with chaos, if these
 * are asked for. */
static bool
run_entry(struct corpus *c, const struct options *o, const struct trial *t,
          uint64_t number)
{
   const uint64_t seed = o->chaos_seed + number * 0x9e3779b97f4a7c15ull;
   struct sim_chaos chaos = { .seed = seed,
                              .state = seed,
                              .kinds = SIM_CHAOS_ALL };
   if (o->chaos)
      c->gpu.chaos = &chaos;
   if (o->strict) {
      c->gpu.strict = sim_strict_create(&c->gpu);
      c->hw->strict = sim_strict_context_create();
      if (!c->gpu.strict || !c->hw->strict)
         abort();
   }
   const bool ok = entry_run(c, t->entry, t->after,
                             entry_fuzz_batch(t->entry), t->work_limit);
   sim_strict_context_destroy(c->hw->strict);
   sim_strict_destroy(c->gpu.strict);
   c->hw->strict = NULL;
   c->gpu.strict = NULL;
   c->gpu.chaos = NULL;
   return ok;
}

static void
run_trial(struct corpus *c, const struct options *o, uint64_t number)
{
   struct trial t;
   shared->number = number;
   start_clock();
   trial_make(c, number, o->kind, &t);
   const struct sim_counters before =
      (t.after ? t.entry->after : t.entry->before)->counters;
   const bool ok = run_entry(c, o, &t, number);
   count_trial(c, &t, ok, &before);
   entry_restore(t.entry);
}

static void
list_entries(const struct corpus *c)
{
   for (unsigned i = 0; i < c->num_entries; i++) {
      const struct entry *e = &c->entries[i];
      printf("%s: %zu commands, %zu targets, %u programs, work %" PRIu64 "\n",
             e->name,
             util_dynarray_num_elements(&e->commands, struct command),
             util_dynarray_num_elements(&e->targets, struct target),
             e->num_programs, e->work);
   }
}

/* Once, before there is another process. */
static bool
load(struct corpus *c, const struct options *o)
{
   static int on = 1;
   if (!corpus_load(c, o->gen, o->folders, o->num_folders))
      return false;
   c->gpu.report = take_report;
   c->gpu.report_data = o->count == 1 ? &on : NULL;
   shared->num_entries = c->num_entries;
   for (unsigned i = 0; i < c->num_entries; i++) {
      const struct entry *e = &c->entries[i];
      shared->num_targets +=
         (unsigned)util_dynarray_num_elements(&e->targets, struct target);
      shared->num_programs += e->num_programs;
   }
   return true;
}

static void
work(struct corpus *c, const struct options *o, uint64_t first)
{
   const uint64_t per_look =
      MIN2(o->count / LOOKS_PER_RUN + 1, MAX_TRIALS_PER_LOOK);
   signal(SIGPROF, hang);
   for (uint64_t n = first; n < o->seed + o->count; n++) {
      run_trial(c, o, n);
      if ((n - first) % per_look == 0)
         look_for_growth(c);
   }
   fflush(NULL);
   _exit(0);
}

/*
 * Its parent
 */

static double
now_s(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t
all_done(void)
{
   uint64_t n = 0;
   for (unsigned i = 0; i < TRIAL_KINDS; i++)
      n += shared->done[i];
   return n;
}

static void
find_path(char *path, size_t room, const struct options *o, uint64_t number,
          const char *suffix)
{
   snprintf(path, room, "%s/%s-%s%" PRIu64 ".%s", o->finds, o->gen,
            o->kind < 0 ? "" : kind_names[o->kind], number, suffix);
}

/* The damaged batch of a trial, made once more. */
static void
save_input(struct corpus *c, const struct options *o, uint64_t number)
{
   fflush(NULL);
   const pid_t child = fork();
   if (child == 0) {
      struct trial t;
      char path[1024];
      trial_make(c, number, o->kind, &t);
      find_path(path, sizeof(path), o, number, "job");
      printf("   %s, %s, saved as %s\n", kind_names[t.kind], t.entry->name,
             corpus_save(c, t.entry, path) ? path : "nothing: no room");
      fflush(stdout);
      _exit(0);
   }
   waitpid(child, NULL, 0);
}

/* The line of what a process said that names the trouble, and where in the
 * simulator it was. */
static void
print_trouble(const char *path)
{
   char line[1024];
   unsigned frames = 0;
   FILE *f = fopen(path, "r");
   while (f && fgets(line, sizeof(line), f)) {
      const bool head = strstr(line, "ERROR:") || strstr(line, "runtime") ||
                        strstr(line, "Assertion") || strstr(line, "fuzz_sim");
      if (head || (strstr(line, "    #") && strstr(line, "src/intel") &&
                   frames++ < 3))
         printf("   %s", line);
   }
   if (f)
      fclose(f);
}

/* Waits for the process; true if it was killed because it got stuck. */
static bool
watch(const struct options *o, pid_t child, int *status, double start_s)
{
   static double printed_s;
   uint64_t number = shared->number;
   double moved_s = now_s();
   while (waitpid(child, status, WNOHANG) == 0) {
      usleep(20000);
      const double now = now_s();
      if (number != shared->number) {
         number = shared->number;
         moved_s = now;
      } else if (now - moved_s > STUCK_LIMIT_S) {
         kill(child, SIGKILL);
         waitpid(child, status, 0);
         return true;
      }
      if (now - printed_s > 10) {
         printf("%s: %" PRIu64 " of %" PRIu64 ", %.0f/s\n", o->gen,
                all_done(), o->count, (double)all_done() / (now - start_s));
         fflush(stdout);
         printed_s = now;
      }
   }
   return false;
}

static pid_t
start(struct corpus *c, const struct options *o, uint64_t first,
      const char *said)
{
   fflush(NULL);
   const pid_t child = fork();
   if (child == 0) {
      const int fd = open(said, O_CREAT | O_TRUNC | O_WRONLY, 0666);
      if (fd >= 0) {
         dup2(fd, 2);
         close(fd);
      }
      work(c, o, first);
   }
   return child;
}

static int
compare_reports(const void *a, const void *b)
{
   const struct report *x = a, *y = b;
   return x->count < y->count ? 1 : -(x->count > y->count);
}

static void
print_summary(const struct options *o, double seconds, unsigned finds)
{
   const struct shared *s = shared;
   const struct sim_counters *n = &s->counters;
   printf("%s: %" PRIu64 " trials in %.0f s (%.0f/s), seeds from %" PRIu64
          ": batch %" PRIu64 ", state %" PRIu64 ", program %" PRIu64
          "; %u finds\n",
          o->gen, all_done(), seconds, (double)all_done() / seconds, o->seed,
          s->done[TRIAL_BATCH], s->done[TRIAL_STATE], s->done[TRIAL_PROGRAM],
          finds);
   printf("   corpus: %u batches, %u targets, %u programs\n", s->num_entries,
          s->num_targets, s->num_programs);
   printf("   ended well %" PRIu64 ", ran threads %" PRIu64
          ", shaded pixels %" PRIu64 "\n",
          s->ended_well, s->with_threads, s->with_pixels);
   printf("   commands %" PRIu64 ", draws %" PRIu64 ", dispatches %" PRIu64
          ", threads %" PRIu64 ", EU instructions %" PRIu64
          ", messages %" PRIu64 "\n",
          s->commands, s->draws, s->dispatches, s->threads, s->instructions,
          s->sends);
   printf("   invocations: vs %" PRIu64 ", hs %" PRIu64 ", ds %" PRIu64
          ", gs %" PRIu64 ", ps %" PRIu64 ", cs %" PRIu64
          "; primitives clipped %" PRIu64 ", streamed %" PRIu64 "\n",
          n->vs_invocations, n->hs_invocations, n->ds_invocations,
          n->gs_invocations, n->ps_invocations, n->cs_invocations,
          n->cl_primitives, n->so_prims_written[0]);
   qsort(shared->reports, s->num_reports, sizeof(s->reports[0]),
         compare_reports);
   printf("   %u kinds of faults%s\n", s->num_reports,
          o->print_reports ? ":" : "");
   for (unsigned i = 0; i < MIN2(s->num_reports, o->print_reports); i++)
      printf("   %8" PRIu64 " %s\n", s->reports[i].count, s->reports[i].text);
}

/* The options that trials depend on besides their numbers. */
static void
print_mode(const struct options *o)
{
   if (o->kind >= 0)
      printf(" --kind=%s", kind_names[o->kind]);
   if (o->strict)
      printf(" --strict");
   if (o->chaos)
      printf(" --chaos=%" PRIu64, o->chaos_seed);
}

static unsigned
fuzz(struct corpus *c, const struct options *o)
{
   const double start_s = now_s();
   const uint64_t end = o->seed + o->count;
   unsigned finds = 0;
   for (uint64_t next = o->seed; next < end && finds < o->max_finds;) {
      char said[1024], kept[1024];
      int status = 0;
      snprintf(said, sizeof(said), "%s/%s-%u.log", o->finds, o->gen,
               (unsigned)getpid());
      shared->number = next;
      const bool stuck = watch(o, start(c, o, next, said), &status, start_s);
      if (!stuck && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
         unlink(said);
         break;
      }
      finds++;
      next = shared->number + 1;
      find_path(kept, sizeof(kept), o, shared->number, "txt");
      rename(said, kept);
      printf("FOUND %s: --seed=%" PRIu64 " --count=1", o->gen,
             shared->number);
      print_mode(o);
      printf(": %s %d\n",
             stuck                 ? "stuck"
             : WIFSIGNALED(status) ? "signal"
                                   : "exit",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
      print_trouble(kept);
      save_input(c, o, shared->number);
   }
   print_summary(o, now_s() - start_s, finds);
   return finds;
}

static void
usage(void)
{
   fprintf(stderr,
           "usage: fuzz_sim --gen=skl|bdw|hsw|ivb --corpus=FOLDER...\n"
           "                [--count=N] [--seed=N] [--kind=batch|state|"
           "program]\n"
           "                [--finds=FOLDER] [--max-finds=N] [--reports=N] "
           "[--list]\n"
           "                [--strict] [--chaos=SEED]\n\n"
           "Damages batches that SAFFRON_SIM_RECORD has recorded; runs them "
           "in strict\nmode and with chaos, which SEED and the trial's "
           "number draw.\n");
   exit(2);
}

static bool
option(const char *arg, const char *name, const char **value)
{
   const size_t n = strlen(name);
   if (strncmp(arg, name, n) || arg[n] != '=')
      return false;
   *value = arg + n + 1;
   return true;
}

static int
kind_from_name(const char *name)
{
   for (int i = 0; i < TRIAL_KINDS; i++) {
      if (strcmp(name, kind_names[i]) == 0)
         return i;
   }
   usage();
   return -1;
}

int
main(int argc, char **argv)
{
   struct options o = {
      .gen = "skl", .finds = ".", .count = 10000, .max_finds = 50, .kind = -1
   };
   for (int i = 1; i < argc; i++) {
      const char *v;
      if (option(argv[i], "--gen", &v))
         o.gen = v;
      else if (option(argv[i], "--corpus", &v) &&
               o.num_folders < ARRAY_SIZE(o.folders))
         o.folders[o.num_folders++] = (char *)v;
      else if (option(argv[i], "--count", &v))
         o.count = strtoull(v, NULL, 0);
      else if (option(argv[i], "--seed", &v))
         o.seed = strtoull(v, NULL, 0);
      else if (option(argv[i], "--kind", &v))
         o.kind = kind_from_name(v);
      else if (option(argv[i], "--finds", &v))
         o.finds = v;
      else if (option(argv[i], "--max-finds", &v))
         o.max_finds = (unsigned)strtoul(v, NULL, 0);
      else if (option(argv[i], "--reports", &v))
         o.print_reports = (unsigned)strtoul(v, NULL, 0);
      else if (strcmp(argv[i], "--list") == 0)
         o.list = true;
      else if (strcmp(argv[i], "--strict") == 0)
         o.strict = true;
      else if (option(argv[i], "--chaos", &v)) {
         o.chaos = true;
         o.chaos_seed = strtoull(v, NULL, 0);
      } else {
         usage();
      }
   }
   if (!o.num_folders || !intel_device_info_by_name(o.gen))
      usage();
   if (o.strict)
      setenv("SAFFRON_SIM_STRICT", "report", 1);
   mkdir(o.finds, 0777);
   shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   if (shared == MAP_FAILED)
      return 2;
   struct corpus c;
   if (!load(&c, &o))
      return 2;
   if (o.list)
      list_entries(&c);
   return fuzz(&c, &o) ? 1 : 0;
}
