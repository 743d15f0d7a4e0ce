/* SPDX-License-Identifier: MIT */
/*
 * Random graphs on the simulated EU, each channel going its own way: as a
 * dispatch loop that stays one, structured, and as a dispatch loop that the
 * compiler undoes. All must give what a walk over the graph gives; says how
 * many cycles each form takes. What is undone takes fewer than the loop, for
 * each graph, and in sum at most 15 % more than the structured form.
 *
 * usage: test_dispatch [GRAPHS [SEED]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/nir/tests/graphs.h"
#include "run_shader.h"

#define LANES 32
#define MAX_STEPS 400

enum form { DISPATCH, STRUCTURED, UNDONE, NUM_FORMS };

static const char *const names[NUM_FORMS] = {
   "dispatch",
   "structured",
   "undone",
};

static nir_shader *
build(const struct test_graph *g, enum form form, unsigned i,
      struct arena *arena)
{
   const struct nir_structurize_options options = { 0 };
   struct cfg_flat *flat;
   nir_shader *nir;

   if (form != STRUCTURED)
      return test_graph_dispatch(g, (enum test_dispatch)(i % 3),
                                 (enum test_state)(i / 3 % TEST_STATE_COUNT));
   nir = test_graph_shader(g, arena, &flat);
   cfg_structurize(flat, &options, NULL);
   return nir;
}

/* A seed for each channel with which the walk ends soon, and its end. */
static void
choose_seeds(const struct test_graph *g, uint32_t *seed, uint32_t (*slots)[2],
             struct arena *arena)
{
   uint32_t trace[MAX_STEPS];

   for (unsigned l = 0; l < LANES; l++) {
      int n;
      do {
         slots[l][0] = test_random(seed);
         n = test_graph_walk(g, slots[l][0], trace, MAX_STEPS, arena);
      } while (n == MAX_STEPS);
      slots[l][1] = trace[n - 1];
   }
}

static bool
run_form(struct runner *runner, nir_shader *nir, uint32_t (*slots)[2],
         uint64_t *cycles)
{
   const struct intel_compiler *compiler = runner_compiler(runner);
   struct arena *arena = arena_create(NULL);
   uint32_t(*got)[2] = (void *)runner_buffer(runner);
   const struct intel_compile_params params = { .arena = arena, .nir = nir };
   const union intel_key key = { .cs = { 0 } };
   bool ok = true;

   intel_preprocess_nir(compiler, nir);
   const struct intel_shader *sh = intel_compile(compiler, &params, &key);
   for (unsigned l = 0; l < LANES; l++) {
      got[l][0] = slots[l][0];
      got[l][1] = 0;
   }
   const char *error =
      sh->code
         ? runner_run(runner, sh, sh->prog_data.cs->simd_size, UINT32_MAX)
         : sh->error;
   if (error)
      printf("%s\n", error);
   for (unsigned l = 0; l < sh->prog_data.cs->simd_size && !error; l++)
      ok &= got[l][1] == slots[l][1];
   *cycles = runner_cycles(runner);
   arena_destroy(arena);
   return ok && !error;
}

/* Cycles by form. */
struct result {
   bool ok;
   uint64_t cycles[NUM_FORMS];
};

static void
test_graph(struct runner *runner, unsigned i, uint32_t *seed, bool undo,
           struct result *result)
{
   struct arena *arena = arena_create(NULL);
   struct test_graph g = { 0 };
   uint32_t slots[LANES][2];

   test_graph_structured(&g, arena, seed, 6 + (int)(test_random(seed) % 26),
                         3);
   g.buffer = RUN_BUFFER_BTI;
   g.options = intel_compiler_nir_options(runner_compiler(runner));
   choose_seeds(&g, seed, slots, arena);
   for (unsigned f = 0; f < NUM_FORMS; f++) {
      if (undo == (f == DISPATCH))
         continue;
      nir_shader *nir = build(&g, (enum form)f, i, arena);
      if (!run_form(runner, nir, slots, &result->cycles[f])) {
         printf("graph %u: wrong as %s\n", i, names[f]);
         result->ok = false;
      }
      nir_shader_destroy(nir);
   }
   arena_destroy(arena);
}

/* All graphs: as loops that stay, or the other forms. */
static void
test_all(unsigned num, uint32_t seed, bool undo, struct result *results)
{
   struct runner *runner = runner_create();

   for (unsigned i = 0; i < num; i++)
      test_graph(runner, i, &seed, undo, &results[i]);
   runner_destroy(runner);
}

/* NIR_DEBUG is read once: a process of their own. False: it ended badly. */
static bool
test_loops(unsigned num, uint32_t seed, struct result *results)
{
   const pid_t child = fork();
   int status;

   if (!child) {
      setenv("NIR_DEBUG", "skip:nir_undo_dispatch", 1);
      test_all(num, seed, false, results);
      fflush(stdout);
      _exit(0);
   }
   return child > 0 && waitpid(child, &status, 0) == child && !status;
}

int
main(int argc, char **argv)
{
   const unsigned num = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 40;
   const uint32_t seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
   struct result *results = mmap(NULL, num * sizeof(*results),
                                 PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   uint64_t sum[NUM_FORMS] = { 0 };
   unsigned bad = 0, slower = 0;

   if (results == MAP_FAILED)
      return 1;
   for (unsigned i = 0; i < num; i++)
      results[i].ok = true;
   if (!test_loops(num, seed, results))
      return 1;
   test_all(num, seed, true, results);
   for (unsigned i = 0; i < num; i++) {
      bad += !results[i].ok;
      slower += results[i].cycles[UNDONE] >= results[i].cycles[DISPATCH];
      for (unsigned f = 0; f < NUM_FORMS; f++)
         sum[f] += results[i].cycles[f];
   }
   printf("%u graphs, %u wrong, %u not faster undone; cycles:", num, bad,
          slower);
   for (unsigned f = 0; f < NUM_FORMS; f++)
      printf(" %s %" PRIu64, names[f], sum[f]);
   printf("\n");
   return bad || slower || sum[UNDONE] > sum[STRUCTURED] * 115 / 100;
}
