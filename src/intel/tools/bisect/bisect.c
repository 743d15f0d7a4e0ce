/* SPDX-License-Identifier: MIT */
/*
 * Method: children of this process compile the shader, as often as it takes,
 * and leave in shared memory how far they came. The first says whether all
 * passes end. The second runs the NIR after each of its passes on the
 * interpreter. The others leave out optional passes of the back end from one
 * on, which is sought by halves between none (right) and all (wrong), and
 * run the machine code.
 */
#include "bisect.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trial.h"
#include "util/tool_io.h"

#define DRAWS 6
#define NUDGES 4
#define MAX_SECONDS 120 /* of one attempt */

enum outcome {
   OUTCOME_NONE, /* it did not come so far */
   OUTCOME_RIGHT,
   OUTCOME_WRONG,
   OUTCOME_NO_CODE, /* none of the width */
   OUTCOME_BAD,     /* the shader cannot be compiled, or run */
};

/* What a child leaves behind. */
struct report {
   enum outcome outcome;
   char text[1024]; /* what is wrong, or cannot be done */
   char pass[64];   /* the last that began, */
   unsigned width;  /* and of which program: 0 of NIR */
   unsigned nir_passes;
   /* How often optional passes of the wanted width were to run; of the last
    * that did, which it was. */
   unsigned optional_passes;
   char last_optional[64];
   /* Where the interpreter could first run it; since which pass it cannot,
    * and why. */
   char runs_from[64], unrun[64], unrun_why[256];
   char steps[1024]; /* of the wanted width, not optional, with a change */
   unsigned widths[3];
   char refusal[128];
   struct compile_resources resources;
};

struct bisect {
   const struct bisect_params *p;
   struct report *shared, first;
   struct arena *arena;

   /* What this child is to do. */
   bool interprets;     /* NIR after each pass */
   unsigned width;      /* run code of this width; 0: none */
   unsigned limit;      /* optional passes of it that run */
   bool prints;         /* the last of them */
   bool pass_is_wanted; /* the one that runs now is of that width, */
   bool pass_is_optional;

   struct trial_layout layout;
   struct trial *draws[DRAWS];
   struct trial_result *want[DRAWS];
   const struct trial_result *nudged[DRAWS][NUDGES + 1];
   bool has_want;
   char *before;       /* NIR so far, */
   struct arena *text; /* in this */
};

static struct bisect *current; /* for the observers of NIR */

/* ---- in a child ---- */

__attribute__((noreturn)) static void
leave(struct bisect *b, enum outcome outcome, const char *text)
{
   b->shared->outcome = outcome;
   if (text)
      snprintf(b->shared->text, sizeof(b->shared->text), "%s", text);
   fflush(stdout);
   _exit(0);
}

static void
note_pass(struct bisect *b, const char *pass, unsigned width)
{
   snprintf(b->shared->pass, sizeof(b->shared->pass), "%s", pass);
   b->shared->width = width;
}

/* What the shader gives as it stands; NULL, or why it does not run. */
static const char *
find_want(struct bisect *b, nir_shader *nir)
{
   /* Large and small as floats and as integers, true as well as false. */
   static const struct trial_nudge nudges[NUDGES] = {
      { .digits = 16 },
      { .digits = -16 },
      { .undefined = 0x40e2a3d5 },
      { .undefined = 0xffffff85 },
   };
   bool any = false;

   for (unsigned d = 0; d < DRAWS; d++) {
      const struct trial *t = b->draws[d];
      b->want[d] = trial_result_create(b->arena, t);
      trial_run_nir(t, nir, NULL, b->want[d], b->arena);
      if (b->want[d]->error)
         return b->want[d]->error;
      for (unsigned i = 0; i < NUDGES; i++) {
         struct trial_result *r = trial_result_create(b->arena, t);
         trial_run_nir(t, nir, &nudges[i], r, b->arena);
         if (r->error)
            return r->error;
         b->nudged[d][i] = r;
         b->want[d]->undefined |= r->undefined;
      }
      any |= !b->want[d]->undefined;
   }
   if (!any)
      return "it ends with none of the inputs that were drawn";
   b->has_want = true;
   return NULL;
}

static void
print_nir(nir_shader *nir, const char *before, const char *pass)
{
   printf("-- before %s (NIR)\n%s", pass, before);
   printf("-- after %s (NIR)\n", pass);
   nir_print_shader(nir, stdout);
}

static void
keep_text(struct bisect *b, nir_shader *nir)
{
   if (b->text)
      arena_destroy(b->text);
   b->text = NULL;
   if (!b->interprets)
      return;
   b->text = arena_create(NULL);
   b->before = nir_shader_as_str(nir, b->text);
}

/* The shader after a pass, against what it gave before all of them. */
static void
check_nir(struct bisect *b, nir_shader *nir, const char *pass)
{
   struct arena *arena = arena_create(NULL);
   struct report *shared = b->shared;

   for (unsigned d = 0; d < DRAWS; d++) {
      if (b->want[d]->undefined)
         continue;
      struct trial_result *r = trial_result_create(arena, b->draws[d]);
      trial_run_nir(b->draws[d], nir, NULL, r, arena);
      if (r->error && strstr(r->error, "interpreter")) {
         if (!*shared->unrun) {
            snprintf(shared->unrun_why, sizeof(shared->unrun_why), "%s",
                     r->error);
            snprintf(shared->unrun, sizeof(shared->unrun), "%s", pass);
         }
         arena_destroy(arena);
         return;
      }
      const char *diff =
         trial_compare(b->draws[d], b->want[d], b->nudged[d], r, arena);
      util_dynarray_fini(&r->emitted);
      if (!diff)
         continue;
      print_nir(nir, b->before, pass);
      if (*shared->unrun)
         diff = arena_printf(arena,
                             "%s; it, or one since %s, after which "
                             "it was not run (%s)",
                             diff, shared->unrun, shared->unrun_why);
      leave(b, OUTCOME_WRONG, arena_printf(arena, "draw %u: %s", d, diff));
   }
   *shared->unrun = 0;
   keep_text(b, nir);
   arena_destroy(arena);
}

static void
before_nir_pass(nir_shader *nir, const char *pass)
{
   note_pass(current, pass, 0);
}

static void
after_nir_pass(nir_shader *nir, const char *pass)
{
   struct bisect *b = current;

   b->shared->nir_passes++;
   if (!b->has_want) {
      if (!find_want(b, nir)) {
         snprintf(b->shared->runs_from, sizeof(b->shared->runs_from), "%s",
                  pass);
         keep_text(b, nir);
      }
   } else if (b->interprets) {
      check_nir(b, nir, pass);
   }
}

static enum intel_pass_choice
before_code_pass(void *data, const char *pass, unsigned width, bool optional)
{
   struct bisect *b = data;
   struct report *shared = b->shared;

   note_pass(b, pass, width);
   b->pass_is_wanted = width == b->width;
   b->pass_is_optional = optional;
   if (!b->pass_is_wanted || !optional)
      return INTEL_PASS_RUN;
   if (shared->optional_passes++ >= b->limit)
      return INTEL_PASS_SKIP;
   snprintf(shared->last_optional, sizeof(shared->last_optional), "%s", pass);
   return b->prints && shared->optional_passes == b->limit ? INTEL_PASS_PRINT
                                                           : INTEL_PASS_RUN;
}

static void
after_code_pass(void *data, bool changed)
{
   struct bisect *b = data;
   struct report *shared = b->shared;
   const size_t n = strlen(shared->steps);

   if (!changed || !b->pass_is_wanted || b->pass_is_optional ||
       strstr(shared->steps, shared->pass))
      return;
   snprintf(shared->steps + n, sizeof(shared->steps) - n, ", %s",
            shared->pass);
}

static void
after_internal_error(void *data, const char *text)
{
   leave(data, OUTCOME_WRONG, text);
}

static void
run_code(struct bisect *b, const struct intel_shader *sh)
{
   if (b->layout.uses_subgroups && b->width != b->layout.together)
      leave(b, OUTCOME_NO_CODE,
            "not run, its subgroups are not those of the "
            "interpreter");
   for (unsigned d = 0; d < DRAWS; d++) {
      if (b->want[d]->undefined)
         continue;
      struct trial_result *r = trial_result_create(b->arena, b->draws[d]);
      if (!trial_run_code(b->draws[d], b->p->dev, sh, b->width, r, b->arena))
         leave(b, OUTCOME_NO_CODE, NULL);
      const char *diff =
         trial_compare(b->draws[d], b->want[d], b->nudged[d], r, b->arena);
      if (diff)
         leave(b, OUTCOME_WRONG,
               arena_printf(b->arena, "draw %u: %s", d, diff));
   }
}

/* What a child does. */
static void
attempt(struct bisect *b)
{
   const struct intel_pass_watch watch = {
      .data = b,
      .before = before_code_pass,
      .after = after_code_pass,
      .internal_error = after_internal_error,
   };
   const bool runs = b->interprets || b->width;
   const char *what = NULL;

   current = b;
   nir_pass_announcer = before_nir_pass;
   nir_pass_observer = after_nir_pass;
   b->has_want = !runs;
   if (runs) {
      if (!trial_layout_init(&b->layout, b->p->nir, &b->first.resources,
                             &what))
         leave(b, OUTCOME_BAD, what);
      b->layout.targets = b->p->targets;
      for (unsigned d = 0; d < DRAWS; d++)
         b->draws[d] = trial_create(b->arena, &b->layout, d);
      find_want(b, b->p->nir);
      keep_text(b, b->p->nir);
   }
   const struct intel_shader *sh =
      b->p->compile(b->p->data, b->arena, &watch, &b->shared->resources);
   if (!sh)
      leave(b, OUTCOME_BAD, "");
   if (!sh->code)
      leave(b, OUTCOME_BAD, sh->error);
   for (unsigned i = 0; i < ARRAY_SIZE(sh->stats); i++)
      b->shared->widths[i] = sh->stats[i].dispatch_width;
   const char *refusal = trial_refusal(sh);
   snprintf(b->shared->refusal, sizeof(b->shared->refusal), "%s",
            refusal ? refusal : "");
   if (!b->has_want)
      leave(b, OUTCOME_BAD,
            arena_printf(b->arena, "not run: %s",
                         find_want(b, b->p->nir) ?: "it ends elsewhere"));
   if (b->width)
      run_code(b, sh);
   leave(b, OUTCOME_RIGHT, NULL);
}

/* ---- the parent ---- */

/* Runs a child; what ended it, in *b->shared. Its standard output is only
 * seen if it prints. */
static enum outcome
run_child(struct bisect *b)
{
   int status = 0;

   memset(b->shared, 0, sizeof(*b->shared));
   fflush(stdout);
   const pid_t child = fork();
   if (child < 0)
      return OUTCOME_NONE;
   if (!child) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      alarm(MAX_SECONDS);
      attempt(b);
   }
   while (waitpid(child, &status, 0) < 0)
      ;
   if (b->shared->outcome == OUTCOME_NONE)
      snprintf(b->shared->text, sizeof(b->shared->text), "%s",
               WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM
                  ? "it does not end"
               : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                     : "it ended the process");
   return b->shared->outcome;
}

static const char *
language(const struct bisect *b, char *buf, size_t size)
{
   if (b->shared->width)
      snprintf(buf, size, "SIMD%u", b->shared->width);
   else
      snprintf(buf, size, "NIR");
   return buf;
}

static int
blame(const struct bisect *b, const char *pass, const char *how)
{
   char buf[16];

   printf("-- verdict\n%s (%s) %s: %s\n", pass, language(b, buf, sizeof(buf)),
          how, b->shared->text);
   return BISECT_EXIT_WRONG;
}

static enum outcome
run_limited(struct bisect *b, unsigned width, unsigned limit)
{
   b->interprets = false;
   b->width = width;
   b->limit = limit;
   return run_child(b);
}

/* A crash of an attempt counts as wrong. */
static bool
is_wrong(enum outcome outcome)
{
   return outcome == OUTCOME_WRONG || outcome == OUTCOME_NONE;
}

/* The code of a width is wrong: which optional pass makes it so? */
static int
search(struct bisect *b, unsigned width, unsigned count)
{
   unsigned right = 0, wrong = count;

   if (is_wrong(run_limited(b, width, 0))) {
      printf("-- verdict\nSIMD%u is wrong without any optional pass: "
             "emission%s, or encoding: %s\n",
             width, b->shared->steps, b->shared->text);
      return BISECT_EXIT_WRONG;
   }
   while (wrong - right > 1) {
      const unsigned middle = (right + wrong) / 2;
      if (is_wrong(run_limited(b, width, middle)))
         wrong = middle;
      else
         right = middle;
   }
   b->prints = true;
   run_limited(b, width, wrong);
   b->prints = false;
   printf("-- verdict\n%s (SIMD%u) is wrong, run %u of %u optional passes: "
          "%s\n",
          b->shared->last_optional, width, wrong, count, b->shared->text);
   return BISECT_EXIT_WRONG;
}

static int
check_code(struct bisect *b)
{
   for (unsigned i = 0; i < ARRAY_SIZE(b->first.widths); i++) {
      const unsigned width = b->first.widths[i];
      if (!width || *b->first.refusal)
         continue;
      const enum outcome outcome = run_limited(b, width, UINT32_MAX);
      const unsigned count = b->shared->optional_passes;
      if (outcome == OUTCOME_BAD || outcome == OUTCOME_NONE) {
         fprintf(stderr, "saffron compile: SIMD%u: %s\n", width,
                 b->shared->text);
         return TOOL_EXIT_BAD_INPUT;
      }
      if (outcome == OUTCOME_WRONG)
         return search(b, width, count);
      if (outcome == OUTCOME_NO_CODE) {
         printf("SIMD%u: %s\n", width, b->shared->text);
         continue;
      }
      printf("SIMD%u: right after %u optional passes\n", width, count);
   }
   if (*b->first.refusal)
      printf("machine code: not run, %s\n", b->first.refusal);
   return TOOL_EXIT_OK;
}

static int
check_all(struct bisect *b)
{
   switch (run_child(b)) {
   case OUTCOME_WRONG: return blame(b, b->shared->pass, "is at fault");
   case OUTCOME_NONE: return blame(b, b->shared->pass, "ends the process");
   case OUTCOME_BAD:
      if (*b->shared->text)
         fprintf(stderr, "saffron compile: %s\n", b->shared->text);
      return TOOL_EXIT_BAD_INPUT;
   default: break;
   }
   b->first = *b->shared;
   b->interprets = true;
   switch (run_child(b)) {
   case OUTCOME_WRONG: return blame(b, b->shared->pass, "is wrong");
   case OUTCOME_NONE:
   case OUTCOME_BAD:
      fprintf(stderr, "saffron compile: %s\n", b->shared->text);
      return TOOL_EXIT_BAD_INPUT;
   default: break;
   }
   printf("NIR: right after %u passes", b->shared->nir_passes);
   if (*b->shared->runs_from)
      printf(", run from %s on", b->shared->runs_from);
   if (*b->shared->unrun)
      printf(", run up to %s: %s", b->shared->unrun, b->shared->unrun_why);
   printf("\n");
   return check_code(b);
}

int
bisect_passes(const struct bisect_params *p)
{
   struct bisect b = { .p = p, .arena = arena_create(NULL) };
   int result = TOOL_EXIT_USAGE;

   b.shared = mmap(NULL, sizeof(*b.shared), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   if (b.shared == MAP_FAILED) {
      fprintf(stderr, "saffron compile: no memory\n");
   } else {
      result = check_all(&b);
      munmap(b.shared, sizeof(*b.shared));
   }
   arena_destroy(b.arena);
   return result;
}
