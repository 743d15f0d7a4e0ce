/* SPDX-License-Identifier: MIT */
/*
 * Random shaders, interpreted against compiled. What compiles must be legal
 * by the checker, run in strict mode, and agree in every bit; what does not
 * compile must be too long and say so, and the compiler's bound must say that
 * no program exists.
 *
 * usage: test_gp_random dags|programs [COUNT [FIRST-SEED]]
 * Prints the seed of what fails; GP_PRINT=1 prints NIR and code, too.
 * Times are of the compiler alone, in processor time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "gp_case.h"

#define MAX_NODES 300

struct totals {
   unsigned failed, too_long;
   uint64_t instrs, lower_bound, moves, spills;
   double worst_ms, sum_ms;
   double *ms; /* by shader */
   size_t count;
   uint64_t worst_seed;
};

static double
now_ms(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void
print_case(const struct gp_case *c, const struct gpc_program *p)
{
   struct strbuf text = { 0 };
   struct arena *arena = arena_create(NULL);
   printf("%s\n", nir_shader_as_str(c->b.shader, arena));
   if (!p->error)
      gp_print_program(p->instrs, p->count, &text);
   printf("%s\n", strbuf_str(&text));
   strbuf_fini(&text);
   arena_destroy(arena);
}

/* A program above the limit has a right to be refused, with its length. */
static bool
is_too_long(const char *error)
{
   return strstr(error, "512") && strstr(error, "instructions");
}

static void
run_one(uint64_t seed, bool dag, struct totals *t)
{
   struct gp_case c;
   struct arena *arena = arena_create(NULL);
   if (dag)
      gp_random_dag(&c, seed, MAX_NODES);
   else
      gp_random_program(&c, seed);
   const double start = now_ms();
   const struct gpc_program *p = gp_case_compile(&c, arena, 1);
   const double took = now_ms() - start;
   t->sum_ms += took;
   if (took > t->worst_ms) {
      t->worst_ms = took;
      t->worst_seed = seed;
   }
   t->ms[t->count++] = took;
   const char *error = p->error ? p->error : gp_case_check(&c, p, arena);
   if (!p->error) {
      t->instrs += p->count;
      t->lower_bound += p->lower_bound;
      t->moves += p->moves;
      t->spills += p->spills;
   } else if (is_too_long(p->error)) {
      if (getenv("GP_PRINT"))
         printf("seed %" PRIu64 ": %s (the bound is %u)\n", seed, p->error,
                p->lower_bound);
      t->too_long++;
      error = p->lower_bound > GP_MAX_INSTRS
                 ? NULL
                 : "too long, though the bound is not";
   }
   if (error) {
      printf("seed %" PRIu64 ": %s\n", seed, error);
      if (getenv("GP_PRINT"))
         print_case(&c, p);
      t->failed++;
   }
   arena_destroy(arena);
   gp_case_destroy(&c);
}

static int
compare_times(const void *a, const void *b)
{
   const double x = *(const double *)a, y = *(const double *)b;
   return (x > y) - (x < y);
}

static double
median_ms(struct totals *t)
{
   qsort(t->ms, t->count, sizeof(*t->ms), compare_times);
   return t->count ? t->ms[t->count / 2] : 0;
}

int
main(int argc, char **argv)
{
   const bool dag = argc > 1 && !strcmp(argv[1], "dags");
   const unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 0) : 300;
   const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
   struct totals t = { 0 };
   if (argc < 2 || (!dag && strcmp(argv[1], "programs"))) {
      fprintf(stderr, "usage: %s dags|programs [COUNT [FIRST-SEED]]\n",
              argv[0]);
      return 2;
   }
   t.ms = calloc(MAX2(count, 1), sizeof(*t.ms));
   for (unsigned long i = 0; i < count && t.failed < 20; i++)
      run_one(first + i, dag, &t);
   printf("%lu %s: %u failed, %u too long; %.1f instructions on average, "
          "%.1f the bound, %.2f moves, %.2f spills; %.2f ms on average, "
          "%.2f at the median, %.1f at most (seed %" PRIu64 ")\n",
          count, argv[1], t.failed, t.too_long,
          (double)t.instrs / (double)count,
          (double)t.lower_bound / (double)count,
          (double)t.moves / (double)count, (double)t.spills / (double)count,
          t.sum_ms / (double)count, median_ms(&t), t.worst_ms, t.worst_seed);
   free(t.ms);
   return t.failed != 0;
}
