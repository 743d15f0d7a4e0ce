/* SPDX-License-Identifier: MIT */
/*
 * Random graphs on the simulated EU, each channel going its own way: as a
 * dispatch loop, structured, and as a dispatch loop that was undone. All
 * must give what a walk over the graph gives; says how many instructions each
 * form executes. The undone form may cost 15 % more than the structured one.
 *
 * usage: test_dispatch [GRAPHS [SEED]]
 */
#include <inttypes.h>
#include <stdio.h>

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
   const struct nir_structurize_options options = {
      .undo_dispatch = form == UNDONE,
   };
   struct cfg_flat *flat;
   nir_shader *nir;

   if (form == STRUCTURED) {
      nir = test_graph_shader(g, arena, &flat);
      cfg_structurize(flat, &options, NULL);
      return nir;
   }
   nir = test_graph_dispatch(g, (enum test_dispatch)(i % 3),
                             (enum test_state)(i / 3 % TEST_STATE_COUNT));
   if (form == UNDONE) {
      nir_lower_vars_to_ssa(nir);
      nir_structurize_impl(nir_entry_point(nir), &options, NULL);
   }
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
         uint64_t *executed)
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
   *executed += runner_executed(runner);
   arena_destroy(arena);
   return ok && !error;
}

static bool
test_graph(struct runner *runner, unsigned i, uint32_t *seed,
           uint64_t *executed)
{
   struct arena *arena = arena_create(NULL);
   struct test_graph g = { 0 };
   uint32_t slots[LANES][2];
   bool ok = true;

   test_graph_structured(&g, arena, seed, 6 + (int)(test_random(seed) % 26),
                         3);
   g.buffer = RUN_BUFFER_BTI;
   g.options = intel_compiler_nir_options(runner_compiler(runner));
   choose_seeds(&g, seed, slots, arena);
   for (unsigned f = 0; f < NUM_FORMS; f++) {
      nir_shader *nir = build(&g, (enum form)f, i, arena);
      if (!run_form(runner, nir, slots, &executed[f])) {
         printf("graph %u: wrong as %s\n", i, names[f]);
         ok = false;
      }
      nir_shader_destroy(nir);
   }
   arena_destroy(arena);
   return ok;
}

int
main(int argc, char **argv)
{
   const unsigned num = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 40;
   uint32_t seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
   struct runner *runner = runner_create();
   uint64_t executed[NUM_FORMS] = { 0 };
   unsigned bad = 0;

   for (unsigned i = 0; i < num; i++)
      bad += !test_graph(runner, i, &seed, executed);
   printf("%u graphs, %u wrong; executed:", num, bad);
   for (unsigned f = 0; f < NUM_FORMS; f++)
      printf(" %s %" PRIu64, names[f], executed[f]);
   printf("\n");
   runner_destroy(runner);
   return bad || executed[UNDONE] > executed[STRUCTURED] * 115 / 100;
}
